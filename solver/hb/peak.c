/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/peak.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/unknown.h"
#include "solver/hb/resonance.h"

enum { TRIES = 30, CROSSINGS = 60 };
static const double CROSSED = 1e-7;               /* relative distance from half power that ends the search */
static const double FIRST = 0.1;                  /* steps uphill (rad), */
static const double STILL = 1e-4, NARROW = 1e-3;  /* and where the search ends: a step so short, a bracket so narrow */
static const double GOLDEN = 0.38196601125010515; /* (3 - sqrt 5)/2 */

typedef struct search {
  fw_context *ctx;
  const fw_vibration *v;
  const fw_response_options *options;
  fw_solver solver;
  double size;               /* a compliance */
  double *y, *highest;       /* the motion last found; room */
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

/* ---- uphill --------------------------------------------------------------------------------- */

/* Three phases in order, the one in the middle with a gain not below the others': a maximum lies between them. */
typedef struct bracket {
  double angle[3], gain[3];
} bracket;

/* Where the parabola through the three has its maximum. */
static double vertex(const bracket *b) {
  double left = b->angle[1] - b->angle[0], right = b->angle[2] - b->angle[1];
  double up = (b->gain[1] - b->gain[0]) / left, down = (b->gain[2] - b->gain[1]) / right; /* slopes half way */
  return up > down ? b->angle[1] - 0.5 * left + 0.5 * (left + right) * up / (up - down) : b->angle[1];
}

/* The golden section of the longer side. */
static double section(const bracket *b) {
  double left = b->angle[1] - b->angle[0], right = b->angle[2] - b->angle[1];
  return b->angle[1] + (right > left ? GOLDEN * right : -GOLDEN * left);
}

/* Uphill from a phase in even steps until the gain falls; the motion in the middle is left in s->y. */
static fw_status find_bracket(search *s, double angle, bracket *b) {
  fw_peak at;
  for (int k = 0; k < 3; k++) {
    b->angle[k] = angle + (k - 1) * FIRST;
    FW_TRY(look(s, b->angle[k], &at));
    b->gain[k] = at.gain;
  }
  for (int i = 0; i < TRIES && (b->gain[0] > b->gain[1] || b->gain[2] > b->gain[1]); i++) {
    int on = b->gain[2] > b->gain[0] ? 2 : 0, back = 2 - on;
    double next = 2 * b->angle[on] - b->angle[1];
    FW_TRY(look(s, next, &at));
    b->angle[back] = b->angle[1], b->gain[back] = b->gain[1];
    b->angle[1] = b->angle[on], b->gain[1] = b->gain[on];
    b->angle[on] = next, b->gain[on] = at.gain;
  }
  return b->gain[0] > b->gain[1] || b->gain[2] > b->gain[1] ? FW_RECOVER_DIVERGED : look(s, b->angle[1], &at);
}

/* Brent's method (1973, Algorithms for Minimization without Derivatives): parabolas, and where their steps do not shrink
 * golden sections, since friction may give the maximum a corner. s->y: the motion in the middle, in the end the highest. */
static fw_status climb(search *s, bracket *b, fw_peak *peak) {
  size_t bytes = ((size_t)s->solver.balance.n + 1) * sizeof *s->y;
  double before = INFINITY, last = INFINITY; /* lengths of the two steps before */
  for (int i = 0; i < TRIES; i++) {
    double next = vertex(b), length = fabs(next - b->angle[1]);
    if (!(length < 0.5 * before)) {
      next = section(b);
      length = fabs(next - b->angle[1]);
    }
    memcpy(s->highest, s->y, bytes);
    FW_TRY(look(s, next, peak));
    bool beyond = next > b->angle[1], higher = peak->gain > b->gain[1];
    int moves = higher == beyond ? 0 : 2; /* the end that comes nearer */
    if (!higher) memcpy(s->y, s->highest, bytes);
    b->angle[moves] = higher ? b->angle[1] : next, b->gain[moves] = higher ? b->gain[1] : peak->gain;
    if (higher) b->angle[1] = next, b->gain[1] = peak->gain;
    if (length < STILL || b->angle[2] - b->angle[0] < NARROW) return look(s, b->angle[1], peak);
    before = last;
    last = length;
  }
  return FW_RECOVER_DIVERGED;
}

static fw_status begin(search *s, const fw_orbit *near) {
  FW_TRY(fw_solver_init(s->ctx, s->v, s->options, &s->solver));
  int n = s->solver.balance.n;
  FW_TRY(fw_alloc(s->ctx, (size_t)n + 1, sizeof *s->y, &s->y));
  FW_TRY(fw_alloc(s->ctx, (size_t)n + 1, sizeof *s->highest, &s->highest));
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
  free(s->highest);
  free(s->harmonics);
}

fw_status fw_peak_find(fw_context *ctx, const fw_vibration *v, const fw_response_options *options, const fw_orbit *near,
                       fw_peak *peak) {
  search s = {.ctx = ctx, .v = v, .options = options};
  bracket b;
  fw_status status = begin(&s, near);
  if (status == FW_OK) status = find_bracket(&s, carg(fw_response_compliance(options, near)), &b);
  if (status == FW_OK) status = climb(&s, &b, peak);
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

/* The frequency of half power on one side of the top, walking along the rows from `first` beside it in the direction
 * `step`; unknown if the curve does not fall so far. */
static fw_status side(search *s, const fw_response *r, int first, int step, double *at) {
  const fw_orbit *top = &r->top;
  double most = gain(&r->options, top), half = most / sqrt(2), before = top->frequency, above = most;
  double sign = step * (r->options.f_to - r->options.f_from);
  *at = fw_unknown();
  memcpy(s->y, top->y, ((size_t)s->solver.balance.n + 1) * sizeof *s->y);
  for (int i = first; i >= 0 && i < r->count; i += step) {
    const fw_orbit *row = &r->orbits[i];
    if ((row->frequency - top->frequency) * sign <= 0 && i == first) continue;
    double value = gain(&r->options, row);
    if (value <= half) return cross(s, half, before, above, row->frequency, value, at);
    before = row->frequency;
    above = value;
    if (row->y) memcpy(s->y, row->y, ((size_t)s->solver.balance.n + 1) * sizeof *s->y);
  }
  return FW_OK;
}

/* The bracket that the highest row makes with those beside it, whose motion stands in s->y; false: it makes none. */
static bool bracket_of_rows(const fw_response *r, bracket *b) {
  double complex at = fw_response_compliance(&r->options, &r->orbits[r->peak]);
  double turn[3];
  for (int k = 0; k < 3; k++) {
    const fw_orbit *row = &r->orbits[r->peak + k - 1];
    turn[k] = carg(fw_response_compliance(&r->options, row) / at);
  }
  int low = turn[0] < turn[2] ? 0 : 2;
  for (int k = 0; k < 3; k++) {
    const int from = low ? 2 - k : k;
    b->angle[k] = carg(at) + turn[from];
    b->gain[k] = gain(&r->options, &r->orbits[r->peak + from - 1]);
  }
  return turn[0] * turn[2] < 0 && b->gain[0] <= b->gain[1] && b->gain[2] <= b->gain[1];
}

/* The highest motion that is known of a curve, where the search for the peak begins, and the row beside it: that row, or a
 * resonance between two rows of a coarse grid, whose peak no row has seen. */
typedef struct summit {
  const fw_orbit *orbit;
  int row; /* -1: none is beside it */
} summit;

/* Of the rows between which a frequency lies the highest one; a curve with folds has several. */
static int row_beside(const fw_response *r, double frequency) {
  int best = -1;
  double most = 0.0;
  for (int i = 0; i + 1 < r->count; i++) {
    if ((r->orbits[i].frequency - frequency) * (r->orbits[i + 1].frequency - frequency) > 0.0) continue;
    for (int k = i; k <= i + 1; k++)
      if (gain(&r->options, &r->orbits[k]) > most) most = gain(&r->options, &r->orbits[best = k]);
  }
  return best;
}

const fw_orbit *fw_peak_highest(const fw_response *r) {
  const fw_orbit *highest = &r->orbits[r->peak];
  for (int i = 0; i < r->resonance_count; i++)
    if (gain(&r->options, &r->resonances[i]) > gain(&r->options, highest)) highest = &r->resonances[i];
  return highest;
}

static summit find_summit(const fw_response *r) {
  const fw_orbit *highest = fw_peak_highest(r);
  bool is_row = highest == &r->orbits[r->peak], inside = r->peak > 0 && r->peak < r->count - 1;
  if (is_row) return (summit){highest, inside ? r->peak : -1};
  return (summit){highest, row_beside(r, highest->frequency)};
}

static fw_status measure(search *s, fw_response *r, summit at) {
  fw_peak peak;
  bracket b;
  double ends[2];
  const fw_orbit *highest = at.orbit;
  bool is_row = highest == &r->orbits[r->peak];
  const double f_low = fmin(r->options.f_from, r->options.f_to), f_high = fmax(r->options.f_from, r->options.f_to);
  if (!is_row || !bracket_of_rows(r, &b))
    FW_TRY(find_bracket(s, carg(fw_response_compliance(&r->options, highest)), &b));
  FW_TRY(climb(s, &b, &peak));
  bool here =
      peak.frequency > f_low && peak.frequency < f_high && peak.gain >= (1 - CROSSED) * gain(&r->options, highest);
  if (!here) return FW_RECOVER_DIVERGED;
  FW_TRY(fw_orbit_measure(s->ctx, s->v, &s->solver.balance, s->y, &r->top));
  for (int k = 0; k < 2; k++) FW_TRY(side(s, r, at.row, k ? 1 : -1, &ends[k]));
  r->bandwidth = fabs(ends[1] - ends[0]);
  return FW_OK;
}

fw_status fw_peak_measure(fw_context *ctx, const fw_vibration *v, fw_response *r) {
  search s = {.ctx = ctx, .v = v, .options = &r->options};
  if (r->peak < 0) return FW_OK;
  const summit at = find_summit(r);
  if (!at.orbit->y) return FW_OK; /* shot: what the rows tell stays */
  r->bandwidth = fw_unknown();
  if (at.row < 0) return FW_OK;
  fw_status status = begin(&s, at.orbit);
  if (status == FW_OK) status = measure(&s, r, at);
  end(&s);
  return status < 0 ? status : FW_OK;
}
