/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resonance frequency against drive level. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "output/compare.h"
#include "output/plot.h"

/* Computed resonances by level, from the levels of an frf or from the table of a locus. */
typedef struct locus {
  size_t count;
  double *level, *frequency;
} locus;

static fw_status locus_make(fw_context *ctx, size_t room, locus *l) {
  FW_TRY(fw_alloc(ctx, 2 * room, sizeof(double), &l->level));
  l->frequency = l->level + room;
  return FW_OK;
}

static fw_status locus_from_levels(const fw_comparison *c, locus *l) {
  char path[512];
  snprintf(path, sizeof path, "analyses.%s.levels", c->analysis);
  int count = fw_record_count(c->summary, path);
  FW_TRY(locus_make(c->ctx, (size_t)count, l));
  for (int i = 0; i < count; i++) {
    double level, frequency;
    snprintf(path, sizeof path, "analyses.%s.levels[%d].level", c->analysis, i);
    if (fw_record_number(c->summary, path, &level) != FW_OK) continue;
    snprintf(path, sizeof path, "analyses.%s.levels[%d].resonance.frequency", c->analysis, i);
    if (fw_record_number(c->summary, path, &frequency) != FW_OK) continue; /* lost at this level */
    l->level[l->count] = level;
    l->frequency[l->count++] = frequency;
  }
  return FW_OK;
}

static fw_status locus_from_table(const fw_comparison *c, locus *l) {
  for (int i = 0; i < c->result->table_count; i++) {
    const fw_data_table *table = c->result->tables[i];
    int level = fw_data_table_column(table, "level"), frequency = fw_data_table_column(table, "frequency");
    if (level < 0 || frequency < 0) continue;
    FW_TRY(locus_make(c->ctx, table->rows, l));
    for (size_t r = 0; r < table->rows; r++) {
      l->level[r] = table->values[level][r];
      l->frequency[r] = table->values[frequency][r];
    }
    l->count = table->rows;
    return FW_OK;
  }
  return FW_OK;
}

/* Frequency where the locus first passes the level; NaN if it never does. */
static double locus_at(const locus *l, double level) {
  for (size_t i = 0; i < l->count; i++) {
    if (fabs(l->level[i] - level) <= 1e-9 * fabs(level)) return l->frequency[i];
    if (i == 0 || (l->level[i] - level) * (l->level[i - 1] - level) > 0.0) continue;
    double part = (level - l->level[i - 1]) / (l->level[i] - l->level[i - 1]);
    return l->frequency[i - 1] + part * (l->frequency[i] - l->frequency[i - 1]);
  }
  return NAN;
}

static fw_status draw(const fw_comparison *c, const locus *l, const double *force, const double *measured) {
  char title[256];
  snprintf(title, sizeof title, "%s against %s", c->analysis, c->name);
  const fw_curve curves[] = {{.label = "computed", .count = l->count, .x = l->level, .y = l->frequency},
                             {.label = "measured", .count = c->data->rows, .x = force, .y = measured, .markers = true}};
  const fw_panel panel = {
      .title = title, .x_label = "level [N]", .y_label = "resonance [Hz]", .curves = curves, .curve_count = 2};
  return fw_compare_plot(c, &panel, 1);
}

/* A row per measured level; the misfit over those that were computed. */
static fw_status tabulate(fw_comparison *c, const locus *l, const double *force, const double *measured) {
  double sum = 0.0;
  int count = 0;
  for (size_t r = 0; r < c->data->rows; r++) {
    double computed = locus_at(l, force[r]), relative = (computed - measured[r]) / measured[r];
    FW_TRY(fw_record_set_number(c->record, force[r], "rows[%zu].level", r));
    FW_TRY(fw_record_set_number(c->record, measured[r], "rows[%zu].measured.frequency", r));
    FW_TRY(fw_record_set_number(c->record, computed, "rows[%zu].computed.frequency", r));
    FW_TRY(fw_record_set_number(c->record, 100.0 * relative, "rows[%zu].difference_percent", r));
    if (isnan(relative)) continue;
    sum += relative * relative;
    count++;
  }
  c->found = count > 0;
  return fw_record_set_number(c->record, 100.0 * sqrt(sum / count), "misfit_percent");
}

fw_status fw_compare_resonance(fw_comparison *c) {
  int column = fw_data_table_column(c->data, "force");
  if (column < 0) column = fw_data_table_column(c->data, "level");
  const double *force = c->data->values[column];
  const double *measured = c->data->values[fw_data_table_column(c->data, "frequency")];
  locus l = {0};
  fw_status status;
  FW_TRY_DONE(locus_from_levels(c, &l));
  if (l.count == 0) {
    free(l.level);
    l = (locus){0};
    FW_TRY_DONE(locus_from_table(c, &l));
  }
  if (l.count == 0) goto done;
  FW_TRY_DONE(tabulate(c, &l, force, measured));
  if (c->found) FW_TRY_DONE(draw(c, &l, force, measured));
done:
  free(l.level);
  return status;
}
