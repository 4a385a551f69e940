/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The curves of a deck at its parameters, read at the targets, and kept. */
#include <math.h>
#include <string.h>

#include "core/hash.h"
#include "core/unknown.h"
#include "identify/frf_fit.h"

/* ---- the curve against the targets ------------------------------------------------------- */

/* The largest open fraction of any pair where the curve passes a level. */
static double lifting(const fw_data_table *curve, double level) {
  double most = 0.0;
  for (int c = 0; c < curve->columns; c++) {
    const char *dot = strrchr(curve->column_names[c], '.');
    if (!dot || strcmp(dot, ".open_fraction") != 0) continue;
    double part = fw_resonance_curve_at(curve, curve->column_names[c], level);
    if (part > most) most = part;
  }
  return most;
}

const fw_data_table *fw_frf_curve(const fw_frf_fit *f, const fw_sink *sink) {
  for (int i = 0; i < sink->table_count; i++)
    if (strcmp(sink->tables[i]->analysis, f->curve) == 0 && fw_data_table_column(sink->tables[i], "level") >= 0 &&
        fw_data_table_column(sink->tables[i], "frequency") >= 0)
      return sink->tables[i];
  return NULL;
}

static fw_status read_curve(void *user, fw_context *ctx, const fw_reached *reached) {
  fw_frf_fit *f = user;
  const fw_data_table *curve = fw_frf_curve(f, reached->sink);
  if (!curve || curve->rows == 0) return fw_fail(ctx, FW_ERR_ANALYSIS, "%s has left no curve", f->curve);
  f->reach = fw_resonance_curve_reach(curve);
  for (int i = 0; i < f->targets.count; i++) {
    if (f->targets.list[i].kind != FW_TARGET_RESONANCE) continue;
    f->computed[i] = fw_resonance_curve_at(curve, f->targets.list[i].column, f->targets.list[i].level);
    f->lifts[i] = lifting(curve, f->targets.list[i].level);
  }
  for (int i = 0; i < FW_FRF_BANDS; i++)
    f->band_frequencies[i] = fw_resonance_curve_at(curve, "frequency", f->band_levels[i]);
  for (int i = 0; f->watched && i < f->level_count; i++)
    f->passivity[i] = fw_frf_passivity(reached->model, curve, f->levels[i]);
  return fw_frf_refine(f, ctx, reached);
}

/* ---- what is kept of a run ---------------------------------------------------------------- */

static int slope_count(const fw_frf_fit *f) { return (f->targets.count + f->level_count) * f->varied.count; }

/* Computed targets, where contacts lift, passivity at levels, the curve's reach and frequencies, slopes. */
static int figure_count(const fw_frf_fit *f) {
  return 2 * f->targets.count + f->level_count + 1 + FW_FRF_BANDS + slope_count(f);
}

/* All of them, in the order in which they are kept. */
typedef struct stretch {
  double *numbers;
  int count;
} stretch;
enum { STRETCHES = 6 };

static void stretches_of(fw_frf_fit *f, stretch list[STRETCHES]) {
  const stretch all[STRETCHES] = {{f->computed, f->targets.count},     {f->lifts, f->targets.count},
                                  {f->passivity, f->level_count},      {&f->reach, 1},
                                  {f->band_frequencies, FW_FRF_BANDS}, {f->slopes, slope_count(f)}};
  memcpy(list, all, sizeof all);
}

static fw_status compute_figures(void *user, fw_context *ctx, const double *p, double *figures) {
  fw_frf_fit *f = user;
  stretch list[STRETCHES];
  (void)ctx;
  stretches_of(f, list);
  for (int i = 0; i < slope_count(f); i++) f->slopes[i] = fw_unknown();
  f->chains.count = 0;
  fw_status chained = fw_varied_deck_chains(&f->varied, p, &f->chains, f->only);
  if (chained != FW_OK) return chained == FW_ERR_MEMORY ? chained : FW_ERR_ANALYSIS;
  if (f->needs_locus) FW_TRY(fw_varied_deck_reach(&f->varied, p, f->curve, read_curve, f));
  if (f->curves) FW_TRY(fw_frf_compute_responses(f, p));
  for (int i = 0; i < STRETCHES; figures += list[i++].count)
    memcpy(figures, list[i].numbers, (size_t)list[i].count * sizeof *figures);
  return FW_OK;
}

/* Of what the figures depend on besides the deck: which they are. */
static uint64_t mark_of(const fw_frf_fit *f) {
  uint64_t mark = fw_hash_integer(f->job->mark, f->watched);
  mark = fw_hash_text(mark, fw_args_text(f->job->args, "parameters"));
  mark = fw_hash_text(fw_hash_text(mark, f->curve), f->curves ? fw_args_text(&f->curves->args, "id") : "");
  for (int i = 0; i < f->targets.count; i++) {
    const fw_target *t = &f->targets.list[i];
    mark = fw_hash_number(fw_hash_number(fw_hash_text(mark, t->column), t->level), t->frequency);
    if (t->kind == FW_TARGET_RESPONSE) mark = fw_hash_number(mark, t->value); /* the nearest passage counts */
  }
  return mark;
}

fw_status fw_frf_open_evaluations(fw_frf_fit *f) {
  const fw_evaluations_options options = {.parameters = f->varied.count,
                                          .figures = figure_count(f),
                                          .user = f,
                                          .compute = compute_figures,
                                          .workers = f->job->workers,
                                          .folder = f->job->folder,
                                          .mark = mark_of(f),
                                          .team = f->job->team,
                                          .team_workers = f->job->team_workers};
  FW_TRY(fw_alloc(f->job->ctx, (size_t)options.figures, sizeof *f->figures, &f->figures));
  FW_TRY(fw_evaluations_open(f->job->ctx, &options, &f->evaluations));
  int known = fw_evaluations_count(f->evaluations);
  if (known > 0) fw_log(f->job->ctx, "%s: %d curves are known from before", f->job->id, known);
  return FW_OK;
}

fw_status fw_frf_prepare(void *user, fw_context *ctx, int count, const double *points) {
  fw_frf_fit *f = user;
  return fw_evaluations_prepare(f->evaluations, ctx, count, points);
}

fw_status fw_frf_compute(fw_frf_fit *f, fw_context *ctx, const double *p) {
  stretch list[STRETCHES];
  const double *figures = f->figures;
  FW_TRY(fw_evaluations_at(f->evaluations, ctx, p, f->figures));
  stretches_of(f, list);
  for (int i = 0; i < STRETCHES; figures += list[i++].count)
    memcpy(list[i].numbers, figures, (size_t)list[i].count * sizeof *figures);
  return FW_OK;
}
