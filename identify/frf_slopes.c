/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resonances at levels of targets to the last digit, and their derivatives with respect to parameters that act through
 * the numbers of friction laws alone: those of harmonic balance (solver/hb/resonance.h) by the chain rule. Others are
 * left to differences of whole curves. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/pair.h"
#include "core/unknown.h"
#include "identify/frf_fit.h"
#include "solver/analyses/resonance_parts.h"

static double *slope(const fw_frf_fit *f, int row, int parameter) {
  return &f->slopes[(ptrdiff_t)row * f->varied.count + parameter];
}

/* Sums rates[chain] over the chains of each parameter. */
static void chain_up(fw_frf_fit *f, const double *rates, int row) {
  for (int k = 0; k < f->varied.count; k++) *slope(f, row, k) = f->only[k] ? 0.0 : fw_unknown();
  for (int c = 0; c < f->chains.count; c++)
    *slope(f, row, f->chains.list[c].parameter) += f->chains.list[c].rate * rates[c];
}

/* ---- figures of a resonance -------------------------------------------------------------- */

/* The harmonic of a sensor that a column of amplitudes is of; -1: none. */
static int reading_of(const fw_model *model, int H, const char *column) {
  char name[FW_TARGET_NAME];
  for (int i = 0; i < model->sensor_count; i++)
    for (int k = 1; k <= H; k++) {
      snprintf(name, sizeof name, k > 1 ? "%.70s.amplitude-%d" : "%.70s.amplitude", model->sensors[i].id, k);
      if (strcmp(name, column) == 0) return i * (H + 1) + k;
    }
  return -1;
}

/* d|X| = Re(conj(X) dX)/|X| */
static double amplitude_rate(double complex X, double complex rate) { return creal(conj(X) * rate) / cabs(X); }

static void take_target(fw_frf_fit *f, const fw_model *model, const fw_sensitivities *found, int i, double *rates) {
  const char *column = f->targets.list[i].column;
  bool frequency = strcmp(column, "frequency") == 0;
  int reading = frequency ? -1 : reading_of(model, found->H, column);
  if (!frequency && reading < 0) return;
  f->computed[i] = frequency ? found->orbit.frequency : cabs(found->orbit.sensors[reading]);
  for (int c = 0; c < found->count; c++)
    rates[c] = frequency ? found->list[c].frequency
                         : amplitude_rate(found->orbit.sensors[reading], found->list[c].sensors[reading]);
  chain_up(f, rates, i);
}

/* ---- passivity --------------------------------------------------------------------------- */

/* Of a pair whose law's number and orbit are moved by h. */
static double moved_passivity(fw_context *ctx, const fw_friction *law, int number, const fw_hb_sensitivity *s,
                              const fw_pair_figures *at, double h) {
  fw_friction varied;
  double v = at->at[FW_SLIP_VELOCITY_MAX] + h * s->figures.at[FW_SLIP_VELOCITY_MAX];
  double N = at->at[FW_NORMAL_MAX] + h * s->figures.at[FW_NORMAL_MAX], part = fw_unknown();
  if (fw_law_vary(ctx, law, number, s->number.value + h, &varied) == FW_OK) part = fw_frf_passivity_of(&varied, v, N);
  fw_friction_clear(&varied);
  return part;
}

static double passivity_rate(fw_context *ctx, const fw_model *model, const fw_law_place *place,
                             const fw_hb_sensitivity *s, const fw_orbit *orbit, int pair) {
  const fw_friction *law = fw_frf_only_law(model->pairs[pair]);
  const fw_pair_figures *at = &orbit->pairs[pair];
  double h = 1e-5 * (s->number.value != 0.0 ? fabs(s->number.value) : 1.0);
  if (place->pair != pair) return fw_unknown(); /* figures are those of the number's own pair */
  return (moved_passivity(ctx, law, place->number, s, at, h) - moved_passivity(ctx, law, place->number, s, at, -h)) /
         (2.0 * h);
}

static void take_passivity(fw_frf_fit *f, fw_context *ctx, const fw_model *model, const fw_sensitivities *found,
                           int level, double *rates) {
  int largest = -1;
  double most = -INFINITY;
  for (int p = 0; p < model->pair_count; p++) {
    const fw_friction *law = fw_frf_only_law(model->pairs[p]);
    const double *at = found->orbit.pairs[p].at;
    double part = law ? fw_frf_passivity_of(law, at[FW_SLIP_VELOCITY_MAX], at[FW_NORMAL_MAX]) : NAN;
    if (part > most) most = part, largest = p;
  }
  if (largest < 0) return;
  f->passivity[level] = most;
  for (int c = 0; c < found->count; c++)
    rates[c] = passivity_rate(ctx, model, &f->chains.list[c].place, &found->list[c], &found->orbit, largest);
  chain_up(f, rates, f->targets.count + level);
}

/* ---- levels ------------------------------------------------------------------------------ */

static bool is_asked(const fw_frf_fit *f, double level) {
  for (int i = 0; i < f->targets.count; i++)
    if (f->targets.list[i].kind == FW_TARGET_RESONANCE && f->targets.list[i].level == level) return true;
  return f->watched;
}

static fw_status refine_level(fw_frf_fit *f, fw_context *ctx, const fw_reached *reached, int level,
                              const fw_law_place *places, double *rates) {
  fw_sensitivities found;
  fw_status status = fw_resonance_at(ctx, reached->outcome, f->levels[level], places, f->chains.count, &found);
  if (status != FW_OK) return status > 0 ? FW_OK : status; /* what the curve says between its points stands */
  for (int i = 0; i < f->targets.count; i++)
    if (f->targets.list[i].kind == FW_TARGET_RESONANCE && f->targets.list[i].level == f->levels[level])
      take_target(f, reached->model, &found, i, rates);
  if (f->watched) take_passivity(f, ctx, reached->model, &found, level, rates);
  fw_sensitivities_clear(&found);
  return FW_OK;
}

fw_status fw_frf_refine(fw_frf_fit *f, fw_context *ctx, const fw_reached *reached) {
  size_t room = (size_t)f->chains.count + 1;
  fw_law_place *places = NULL;
  double *rates = NULL;
  fw_status status;
  FW_TRY_DONE(fw_alloc(ctx, room, sizeof *places, &places));
  FW_TRY_DONE(fw_alloc(ctx, room, sizeof *rates, &rates));
  for (int c = 0; c < f->chains.count; c++) places[c] = f->chains.list[c].place;
  for (int i = 0; i < f->level_count && status == FW_OK; i++)
    if (is_asked(f, f->levels[i])) status = refine_level(f, ctx, reached, i, places, rates);
done:
  free(places);
  free(rates);
  return status;
}

/* ---- the fit's --------------------------------------------------------------------------- */

/* Row i of the Jacobian by parameter k; unknown where only differences tell. */
static double derivative_of(const fw_frf_fit *f, int i, int k) {
  if (i >= f->targets.count) {
    double part = f->passivity[i - f->targets.count];
    return part > FW_FRF_PASSIVE_EDGE ? f->steep * *slope(f, i, k) : 0.0;
  }
  const fw_target *t = &f->targets.list[i];
  if (t->level == f->without) return 0.0;
  if (!fw_frf_is_met(f, i)) return fw_unknown();
  return (strcmp(t->column, "frequency") == 0 ? 1.0 : f->weight) * *slope(f, i, k) / t->deviation;
}

fw_status fw_frf_jacobian(void *user, fw_context *ctx, const double *p, double *j, bool *known) {
  fw_frf_fit *f = user;
  FW_TRY(fw_frf_compute(f, ctx, p));
  for (int i = 0; i < f->problem.residuals; i++)
    for (int k = 0; k < f->varied.count; k++) {
      double *entry = &j[(ptrdiff_t)i * f->varied.count + k];
      *entry = derivative_of(f, i, k);
      known[k] = known[k] && isfinite(*entry);
    }
  return FW_OK;
}
