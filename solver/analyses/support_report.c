/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/unknown.h"
#include "solver/analyses/clearance.h"
#include "solver/analyses/support_parts.h"
#include "solver/analyses/wear.h"

/* A support over all of its rings, or one of them. */
typedef struct support {
  int first, count; /* rings; first counts from 0, as supports of the deck do */
  int number;
  const fw_force_sums *force;
  double work_rate, error, correlation;
  fw_episodes all; /* sums; closed is the longest of the rings */
  fw_wear wear;
} support;

static void add_episodes(const fw_episodes *e, fw_episodes *all) {
  all->closed = fmax(all->closed, e->closed);
  all->impacts += e->impacts;
  all->slidings += e->slidings;
  all->impact_work += e->impact_work;
  all->sliding_work += e->sliding_work;
  all->peak_sum += e->peak_sum;
  all->peak_most = fmax(all->peak_most, e->peak_most);
  for (int b = 0; b < FW_FORCE_BINS; b++) all->bins[b] += e->bins[b];
}

static void sum_up(const fw_support_sums *w, support *s) {
  double rates[FW_SUPPORT_WINDOWS] = {0};
  for (int r = s->first; r < s->first + s->count; r++) {
    fw_episodes over = w->rings[r].episodes;
    fw_episodes_end(&w->limits, &over);
    add_episodes(&over, &s->all);
    for (int k = 0; k < w->windows; k++) rates[k] += w->rings[r].window[k] / w->window;
  }
  fw_batches spread = fw_batches_of(rates, w->windows);
  s->work_rate = spread.mean;
  s->error = spread.error;
  s->correlation = spread.correlation;
}

static void add_wear(const fw_support_sums *w, support *s) {
  const fw_model *model = w->job->model;
  const fw_wear_limits limits = fw_wear_asked(w->job->args);
  s->wear = fw_wear_none();
  for (int p = 0; p < model->pair_count; p++)
    for (int i = 0; i < model->pairs[p]->count; i++) {
      int c = model->pairs[p]->first_contact + i, r = w->ring[c];
      double rate = (w->points[c].work - w->points[c].begin) / *w->clock;
      if (r >= s->first && r < s->first + s->count)
        fw_wear_add(&limits, &model->rings[r], model->pairs[p], rate, &s->wear);
    }
}

/* By worn volume, and what has no coefficient of wear by work rate. */
static int by_wear(const void *a, const void *b) {
  const support *x = a, *y = b;
  if (x->wear.rate != y->wear.rate) return x->wear.rate < y->wear.rate ? 1 : -1;
  return x->work_rate != y->work_rate ? (x->work_rate < y->work_rate ? 1 : -1) : x->number - y->number;
}

/* Supports that wear most first. */
static fw_status list_supports(const fw_support_sums *w, support **list, int *count) {
  const fw_model *model = w->job->model;
  FW_TRY(fw_alloc(w->job->ctx, (size_t)model->ring_count, sizeof **list, list));
  *count = 0;
  for (int r = 0; r < model->ring_count; r++) {
    if (model->rings[r].face == 0) {
      (*list)[*count] = (support){.first = r, .number = *count + 1, .force = &w->rings[r].support};
      ++*count;
    }
    (*list)[*count - 1].count++;
  }
  for (int i = 0; i < *count; i++) {
    sum_up(w, &(*list)[i]);
    add_wear(w, &(*list)[i]);
  }
  qsort(*list, (size_t)*count, sizeof **list, by_wear);
  return FW_OK;
}

enum {
  FIGURES = 19,
  OF_TUBE = 17,
  OF_RING = 13,
  WORK_RATE = 0,
  CONTACT_FRACTION = 3
}; /* the last are there where supports wear too; rings do not wear alone */
static const fw_column figures[FIGURES] = {{"work_rate", "W"},
                                           {"work_rate_error", "W"},
                                           {"window_correlation", ""},
                                           {"contact_fraction", ""},
                                           {"impact_share", ""},
                                           {"sliding_share", ""},
                                           {"impact_rate", "1/s"},
                                           {"impact_force_mean", "N"},
                                           {"impact_force_max", "N"},
                                           {"normal_rms", "N"},
                                           {"normal_max", "N"},
                                           {"tangential_rms", "N"},
                                           {"tangential_max", "N"},
                                           {"wear_rate", "m^3/s"},
                                           {"wear_volume", "m^3"},
                                           {"wear_depth", "m"},
                                           {"life", "s"},
                                           {"support_wear_volume", "m^3"},
                                           {"support_wear_depth", "m"}};

static int figures_of(const fw_model *model) {
  for (int r = 0; r < model->ring_count; r++)
    if (model->rings[r].scar.other > 0) return FIGURES;
  return OF_TUBE;
}

static void find_figures(const fw_support_sums *w, const support *s, double out[FIGURES]) {
  double span = *w->clock, work = s->all.impact_work + s->all.sliding_work;
  double service = fw_wear_asked(w->job->args).service;
  const double values[FIGURES] = {s->work_rate,
                                  s->error,
                                  s->correlation,
                                  s->all.closed / span,
                                  work > 0 ? s->all.impact_work / work : 0,
                                  work > 0 ? s->all.sliding_work / work : 0,
                                  s->all.impacts / span,
                                  s->all.impacts > 0 ? s->all.peak_sum / s->all.impacts : 0,
                                  s->all.peak_most,
                                  sqrt(s->force->N2 / span),
                                  s->force->N_most,
                                  sqrt(s->force->T2 / span),
                                  s->force->T_most,
                                  s->wear.rate,
                                  service > 0 ? s->wear.rate * service : fw_unknown(),
                                  s->wear.depth,
                                  s->wear.life,
                                  service > 0 ? s->wear.other_volume : fw_unknown(),
                                  s->wear.other_depth};
  memcpy(out, values, sizeof values);
}

/* What one ring alone goes through: all of it in the table `rings`, the summary has the most of it. */
static fw_status report_ring(const fw_support_sums *w, const support *of, int face, fw_sheet *sheet) {
  support ring = {.first = of->first + face, .count = 1, .force = &w->rings[of->first + face].force};
  double values[FIGURES];
  sum_up(w, &ring);
  find_figures(w, &ring, values);
  fw_sheet_put(sheet, of->number);
  fw_sheet_put(sheet, face + 1);
  for (int k = 0; k < OF_RING; k++) fw_sheet_put(sheet, values[k]);
  for (int k = 0; of->count > 1 && k < OF_RING; k++)
    if (k == WORK_RATE || k == CONTACT_FRACTION)
      FW_TRY(fw_record_set_figure(w->job->summary, values[k], figures[k].unit, "supports.%s.rings[%d].%s",
                                  w->job->model->rings[of->first].support, face, figures[k].name));
  return fw_sheet_row(sheet);
}

static fw_status report_rings(const fw_support_sums *w, const support *list, int count) {
  fw_sheet sheet = fw_sheet_of(w->job->ctx, w->job->sink, w->job->id);
  fw_status status;
  fw_sheet_column(&sheet, "", "support");
  fw_sheet_column(&sheet, "", "face");
  for (int k = 0; k < OF_RING; k++) fw_sheet_column(&sheet, figures[k].unit, "%s", figures[k].name);
  FW_TRY_DONE(fw_sheet_open(&sheet, "rings"));
  for (int i = 0; i < count; i++)
    for (int face = 0; face < list[i].count; face++) FW_TRY_DONE(report_ring(w, &list[i], face, &sheet));
done:
  fw_sheet_close(&sheet);
  return status;
}

/* The summary, and the table `supports`: both with what wears most first. */
static fw_status report_supports(const fw_support_sums *w, const support *list, int count) {
  fw_sheet sheet = fw_sheet_of(w->job->ctx, w->job->sink, w->job->id);
  int columns = figures_of(w->job->model);
  fw_status status;
  fw_sheet_column(&sheet, "", "number");
  for (int k = 0; k < columns; k++) fw_sheet_column(&sheet, figures[k].unit, "%s", figures[k].name);
  FW_TRY_DONE(fw_sheet_open(&sheet, "supports"));
  for (int i = 0; i < count; i++) {
    double values[FIGURES];
    const char *id = w->job->model->rings[list[i].first].support;
    find_figures(w, &list[i], values);
    fw_sheet_put(&sheet, list[i].number);
    for (int k = 0; k < columns; k++) {
      fw_sheet_put(&sheet, values[k]);
      FW_TRY_DONE(
          fw_record_set_figure(w->job->summary, values[k], figures[k].unit, "supports.%s.%s", id, figures[k].name));
    }
    FW_TRY_DONE(fw_sheet_row(&sheet));
  }
done:
  fw_sheet_close(&sheet);
  return status;
}

/* Impacts in unit time by their largest force. */
static fw_status write_forces(const fw_support_sums *w) {
  const fw_model *model = w->job->model;
  fw_sheet sheet = fw_sheet_of(w->job->ctx, w->job->sink, w->job->id);
  fw_status status;
  fw_sheet_column(&sheet, "N", "force from");
  fw_sheet_column(&sheet, "N", "force to");
  for (int r = 0; r < model->ring_count; r++) fw_ring_column(&sheet, &model->rings[r], "1/s", "impacts");
  FW_TRY_DONE(fw_sheet_open(&sheet, "impacts"));
  for (int b = 0; b < FW_FORCE_BINS; b++) {
    fw_sheet_put(&sheet, fw_force_bin(b));
    fw_sheet_put(&sheet, fw_force_bin(b + 1));
    for (int r = 0; r < model->ring_count; r++) {
      fw_episodes over = w->rings[r].episodes;
      fw_episodes_end(&w->limits, &over);
      fw_sheet_put(&sheet, over.bins[b] / *w->clock);
    }
    FW_TRY_DONE(fw_sheet_row(&sheet));
  }
done:
  fw_sheet_close(&sheet);
  return status;
}

/* Work rate by the side of the tube that it is done on. */
static fw_status write_angles(const fw_support_sums *w) {
  const fw_model *model = w->job->model;
  fw_sheet sheet = fw_sheet_of(w->job->ctx, w->job->sink, w->job->id);
  fw_status status;
  fw_sheet_column(&sheet, "deg", "angle");
  for (int r = 0; r < model->ring_count; r++) fw_ring_column(&sheet, &model->rings[r], "W", "work rate");
  FW_TRY_DONE(fw_sheet_open(&sheet, "angles"));
  for (int b = 0; b < FW_SUPPORT_ANGLES; b++) {
    fw_sheet_put(&sheet, (b + 0.5) * 360.0 / FW_SUPPORT_ANGLES);
    for (int r = 0; r < model->ring_count; r++) fw_sheet_put(&sheet, w->rings[r].angle[b] / *w->clock);
    FW_TRY_DONE(fw_sheet_row(&sheet));
  }
done:
  fw_sheet_close(&sheet);
  return status;
}

fw_status fw_support_report(const fw_support_sums *w) {
  support *list = NULL;
  int count;
  if (!(*w->clock > 0)) return FW_OK;
  FW_TRY(list_supports(w, &list, &count));
  fw_status status = report_supports(w, list, count);
  if (status == FW_OK) status = report_rings(w, list, count);
  free(list);
  FW_TRY(status);
  FW_TRY(write_forces(w));
  FW_TRY(write_angles(w));
  return fw_clearance_table(w->job);
}
