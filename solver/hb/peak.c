/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/peak.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/unknown.h"
#include "solver/hb/resonance.h"

enum { TRIES = 20, CROSSINGS = 60 };
static const double CROSSED = 1e-7;           /* relative distance from half power that ends the search */
static const double FIRST = 0.1, LAST = 1e-3; /* distance of the parabola's points (rad), and where it ends */

typedef struct search {
  fw_context *ctx;
  const fw_vibration *v;
  const fw_response_options *options;
  fw_solver solver;
  double size;               /* a compliance */
  double *y;                 /* the motion last found */
  double complex *harmonics; /* of the sensor, room */
} search;

/* The gain of the motion in s->y. */
static fw_status read_gain(search *s, double *value) {
  fw_balance *b = &s->solver.balance;
  FW_TRY(fw_orbit_sensor(s->ctx, s->v, b, s->y, s->options->sensor, s->harmonics));
  *value = cabs(s->harmonics[1] / b->level);
  return FW_OK;
}

/* First harmonic of the options's sensor, in its quantity, over the level. */
static double gain(const fw_response_options *options, const fw_orbit *orbit) {
  return cabs(orbit->sensors[options->sensor * (options->H + 1) + 1] / orbit->level);
}

/* The motion with a phase, from the last one. */
static fw_status look(search *s, double angle, fw_peak *out) {
  fw_phase phase = {0};
  double value;
  fw_newton newton = {.tolerance = s->options->tolerance, .most = 20};
  fw_status status = FW_OK;
  fw_balance *b = &s->solver.balance;
  FW_TRY_DONE(fw_phase_init(s->ctx, s->v, b, s->options->sensor, angle, s->size, &phase));
  FW_TRY_DONE(fw_continuation_correct(&s->solver.curve, (fw_condition){&phase, fw_phase_value}, &newton, s->y));
  FW_TRY_DONE(read_gain(s, &value));
  *out = (fw_peak){s->y[b->n] / (2 * M_PI), fabs(b->level) * value, angle, value};
done:
  fw_phase_clear(&phase);
  return status;
}

/* Where the parabola through three points at equal distances has its maximum, in units of the distance from the middle;
 * without one it goes on uphill. */
static double highest(const fw_peak at[3]) {
  double slope = 0.5 * (at[2].gain - at[0].gain);
  double curvature = at[2].gain - 2 * at[1].gain + at[0].gain;
  if (curvature >= 0) return slope > 0 ? 2 : -2;
  return fmax(-2, fmin(2, -slope / curvature));
}

static fw_status climb(search *s, double angle, fw_peak *peak) {
  double distance = FIRST;
  for (int i = 0; i < TRIES; i++) {
    fw_peak at[3];
    for (int k = 0; k < 3; k++) FW_TRY(look(s, angle + (k - 1) * distance, &at[k]));
    double move = highest(at);
    angle += move * distance;
    if (fabs(move) > 1) continue;
    if (distance < LAST) return look(s, angle, peak);
    distance *= 0.2;
  }
  return FW_RECOVER_DIVERGED;
}

static fw_status begin(search *s, const fw_orbit *near) {
  FW_TRY(fw_solver_init(s->ctx, s->v, s->options, &s->solver));
  int n = s->solver.balance.n;
  FW_TRY(fw_alloc(s->ctx, (size_t)n + 1, sizeof *s->y, &s->y));
  FW_TRY(fw_alloc(s->ctx, (size_t)s->options->H + 1, sizeof *s->harmonics, &s->harmonics));
  memcpy(s->y, near->y, ((size_t)n + 1) * sizeof *s->y);
  s->size = cabs(fw_response_compliance(s->options, near));
  fw_balance_scale(&s->solver.balance, s->y, s->solver.curve.scale);
  s->solver.curve.scale[n] = 0.1 * s->y[n];
  return FW_OK;
}

static void end(search *s) {
  fw_solver_clear(&s->solver);
  free(s->y);
  free(s->harmonics);
}

fw_status fw_peak_find(fw_context *ctx, const fw_vibration *v, const fw_response_options *options, const fw_orbit *near,
                       fw_peak *peak) {
  search s = {.ctx = ctx, .v = v, .options = options};
  fw_status status = begin(&s, near);
  if (status == FW_OK) status = climb(&s, carg(fw_response_compliance(options, near)), peak);
  end(&s);
  return status;
}

/* ---- the peak of a curve and its width -------------------------------------------------------- */

/* The gain at a frequency, from the motion in s->y, which becomes the one there. */
static fw_status gain_at(search *s, double frequency, double *value) {
  FW_TRY(fw_solver_at(s->ctx, &s->solver, frequency, s->options->tolerance, s->y));
  return read_gain(s, value);
}

/* Where the gain falls to `half` between two frequencies, inside above and outside below it (Illinois). */
static fw_status cross(search *s, double half, double inside, double above, double outside, double below, double *at) {
  for (int i = 0; i < CROSSINGS; i++) {
    double value;
    *at = inside + (above - half) / (above - below) * (outside - inside);
    FW_TRY(gain_at(s, *at, &value));
    if (fabs(value - half) < CROSSED * half) return FW_OK;
    if (value > half) {
      inside = *at;
      above = value;
      below = half + 0.5 * (below - half);
    } else {
      outside = *at;
      below = value;
      above = half + 0.5 * (above - half);
    }
  }
  return FW_RECOVER_DIVERGED;
}

/* The frequency of half power on one side of the top, walking along the rows in the direction `step`; unknown if the
 * curve does not fall so far. */
static fw_status side(search *s, const fw_response *r, int step, double *at) {
  const fw_orbit *top = &r->top;
  double most = gain(&r->options, top), half = most / sqrt(2), before = top->frequency, above = most;
  double sign = step * (r->options.f_to - r->options.f_from);
  *at = fw_unknown();
  memcpy(s->y, top->y, ((size_t)s->solver.balance.n + 1) * sizeof *s->y);
  for (int i = r->peak; i >= 0 && i < r->count; i += step) {
    const fw_orbit *row = &r->orbits[i];
    if ((row->frequency - top->frequency) * sign <= 0 && i == r->peak) continue;
    double value = gain(&r->options, row);
    if (value <= half) return cross(s, half, before, above, row->frequency, value, at);
    before = row->frequency;
    above = value;
    memcpy(s->y, row->y, ((size_t)s->solver.balance.n + 1) * sizeof *s->y);
  }
  return FW_OK;
}

static fw_status measure(search *s, fw_response *r) {
  fw_peak peak;
  double ends[2];
  const fw_orbit *row = &r->orbits[r->peak];
  const double f_low = fmin(r->options.f_from, r->options.f_to), f_high = fmax(r->options.f_from, r->options.f_to);
  FW_TRY(climb(s, carg(fw_response_compliance(&r->options, row)), &peak));
  bool here = peak.frequency > f_low && peak.frequency < f_high && peak.gain >= (1 - CROSSED) * gain(&r->options, row);
  if (!here) return FW_RECOVER_DIVERGED;
  FW_TRY(fw_orbit_measure(s->ctx, s->v, &s->solver.balance, s->y, &r->top));
  for (int k = 0; k < 2; k++) FW_TRY(side(s, r, k ? 1 : -1, &ends[k]));
  r->bandwidth = fabs(ends[1] - ends[0]);
  return FW_OK;
}

fw_status fw_peak_measure(fw_context *ctx, const fw_vibration *v, fw_response *r) {
  search s = {.ctx = ctx, .v = v, .options = &r->options};
  r->bandwidth = fw_unknown();
  if (r->peak <= 0 || r->peak >= r->count - 1) return FW_OK;
  fw_status status = begin(&s, &r->orbits[r->peak]);
  if (status == FW_OK) status = measure(&s, r);
  end(&s);
  return status < 0 ? status : FW_OK;
}
