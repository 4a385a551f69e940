/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One friction law on its way through the period, and its periodic state. */
#include <cblas.h>
#include <math.h>
#include <string.h>

#include "solver/hb/aft/aft_parts.h"
#include "solver/hb/aft/period_map.h"

enum { PASSES = 30 };
static const double PERIODIC = 1e-13; /* defect of the period map, in units of the state, or of its scale, */
static const double ROUNDING = 1e-11; /* or what may remain when it does not fall any more */

fw_track fw_track_make(fw_aft *aft, const fw_friction *law) {
  int s = law->states;
  fw_track t = {
      .aft = aft, .law = law, .states = s, .columns = 2 * aft->fourier->size, .here.whole = true, .weight = 1};
  t.uncoupled = fw_friction_uncoupled(law);
  t.z = aft->z_try;
  t.trial = aft->z_try + s;
  t.map = aft->map;
  t.map_next = aft->map + s * s;
  double *step = aft->step;
  t.out = (fw_step_out){.z = t.trial, .z_x = step, .T_x = step + s * FW_STEP_INPUTS};
  t.out.T_z = t.out.T_x + FW_STEP_INPUTS;
  t.out.z_z = t.out.T_z + s;
  return t;
}

/* map = z_z map. */
static void advance_map(fw_track *t) {
  int s = t->states;
  if (t->uncoupled) {
    for (int i = 0; i < s; i++) t->map[i * s + i] *= t->out.z_z[i];
    return;
  }
  for (int i = 0; i < s; i++)
    for (int k = 0; k < s; k++) {
      double sum = 0;
      for (int l = 0; l < s; l++) sum += t->out.z_z[i * s + l] * t->map[l * s + k];
      t->map_next[i * s + k] = sum;
    }
  memcpy(t->map, t->map_next, (size_t)(s * s) * sizeof(double));
}

/* dz = z_z dz, in place where no state depends on another. */
static void carry_derivatives(fw_track *t) {
  int s = t->states, columns = t->columns;
  double *dz = t->aft->dz, *next = t->aft->dz_next;
  if (t->uncoupled) {
    for (int k = 0; k < s; k++)
      for (int c = 0; c < columns; c++) dz[k * columns + c] *= t->out.z_z[k];
    return;
  }
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, s, columns, s, 1, t->out.z_z, s, dz, columns, 0, next,
              columns);
  memcpy(dz, next, (size_t)(s * columns) * sizeof(double));
}

/* dz = z_z dz + z_x dx for the step from sample i to j. */
static void advance_derivatives(fw_track *t, int i, int j) {
  carry_derivatives(t);
  for (int k = 0; k < t->states; k++)
    fw_aft_add_inputs(t->aft, t->out.z_x + k * FW_STEP_INPUTS, i, j, t->aft->dz + k * t->columns);
}

/* Derivatives of T at `sample`, by those of the inputs and the state at the beginning of the step from i to j, with
 * respect to u, w at fixed state at sample 0, and to that state. */
static void record(fw_track *t, int i, int j, int sample, const double *T_x, const double *T_z) {
  int s = t->states, columns = t->columns;
  double *row = t->aft->T_x + (size_t)sample * (size_t)columns;
  double *to_state = t->aft->T_z + (size_t)sample * (size_t)s;
  for (int l = 0; l < s; l++) {
    double factor = T_z[l];
    if (factor == 0) continue;
    for (int c = 0; c < columns; c++) row[c] += factor * t->aft->dz[l * columns + c];
    if (t->uncoupled) to_state[l] += factor * t->map[l * s + l];
    for (int k = 0; k < s && !t->uncoupled; k++) to_state[k] += factor * t->map[l * s + k];
  }
  fw_aft_add_inputs(t->aft, T_x, i, j, row);
}

static void record_derivatives(fw_track *t, int i, int j) {
  double *row = t->aft->T_x + (size_t)j * (size_t)t->columns;
  int columns = t->columns;
  record(t, i, j, j, t->out.T_x, t->out.T_z);
  if (!t->here.whole) fw_aft_add_through_pressed(t->aft, j, t->T_whole, t->here.share_p, row + columns / 2);
}

/* Stick that breaks away between the samples: T at the end is a mean over the time around it, ... */
static void break_at_end(fw_track *t, const fw_stick_mean *mean) {
  t->out.T += mean->at_end;
  if (!t->out.T_x) return;
  cblas_daxpy(FW_STEP_INPUTS, 1, mean->x, 1, t->out.T_x, 1);
  t->out.T_z[0] += mean->z;
}

/* ... or T at the beginning. */
static void break_at_start(fw_track *t, const fw_stick_mean *mean, int i, int j, bool derivatives) {
  double T_x[FW_STEP_INPUTS], T_z[FW_STICK_STATES] = {t->weight * mean->z};
  if (!t->aft->firm && !fw_aft_touching(t->aft, i).whole) return;
  t->aft->T_law[i] += t->weight * mean->at_start;
  for (int k = 0; k < FW_STEP_INPUTS; k++) T_x[k] = t->weight * mean->x[k];
  if (derivatives) record(t, i, j, i, T_x, T_z);
}

/* The contact is open for a part of the time around the sample: friction acts for the rest of it. */
static void open_partly(fw_track *t) {
  int s = t->states;
  bool fresh = t->here.keep < 1; /* a contact that has been open forgets */
  t->T_whole = t->weight * t->out.T;
  t->out.T *= t->here.share;
  if (fresh) fw_friction_reset(t->law, t->trial);
  if (!t->out.T_x) return;
  cblas_dscal(FW_STEP_INPUTS, t->here.share, t->out.T_x, 1);
  cblas_dscal(s, t->here.share, t->out.T_z, 1);
  if (!fresh) return;
  memset(t->out.z_x, 0, (size_t)(s * FW_STEP_INPUTS) * sizeof(double));
  memset(t->out.z_z, 0, (size_t)(t->uncoupled ? s : s * s) * sizeof(double));
}

/* Sets the velocity of before for the step from sample i to j; from before the vibration there is none. */
static void set_lagged(fw_track *t, int i, int j, bool derivatives) {
  if (!t->lagged) return;
  int k = t->lagged->state, s = t->states;
  double *row = t->aft->dz + (size_t)k * (size_t)t->columns;
  memset(t->map + (size_t)k * (size_t)s, 0, (size_t)s * sizeof(double));
  if (derivatives) memset(row, 0, (size_t)t->columns * sizeof(double));
  t->z[k] = i < 0 ? 0 : fw_aft_velocity_before(t->aft, j, t->lagged->lag(t->law->constants), derivatives ? row : NULL);
}

static void track_step(fw_track *t, const fw_aft_point *point, int i, int j) {
  fw_step_in in = fw_aft_step(t->aft, point, i, j);
  fw_friction_step(t->law, &in, t->z, &t->out);
  t->breaks = t->law->drops && i >= 0 && fw_stick_breaks(t->law, &in, t->z, t->trial, &t->mean);
  if (t->breaks) t->aft->T_break = fmax(t->aft->T_break, t->mean.peak);
  if (t->breaks && t->mean.at_end != 0) break_at_end(t, &t->mean);
  if (t->aft->firm) return;
  t->here = fw_aft_touching(t->aft, j);
  if (!t->here.whole) open_partly(t);
  if (t->weight == 1) return;
  t->out.T *= t->weight;
  if (!t->out.T_x) return;
  cblas_dscal(FW_STEP_INPUTS, t->weight, t->out.T_x, 1);
  cblas_dscal(t->states, t->weight, t->out.T_z, 1);
}

static void track_commit(fw_track *t) { memcpy(t->z, t->trial, (size_t)t->states * sizeof(double)); }

static void begin_map(fw_track *t) {
  int s = t->states;
  memset(t->map, 0, (size_t)(s * s) * sizeof(double));
  for (int k = 0; k < s; k++) t->map[k * s + k] = 1;
}

void fw_track_history(fw_track *t, const fw_aft_point *point, const double *z0, bool derivatives, double *first) {
  int samples = t->aft->fourier->samples;
  memcpy(t->z, z0, (size_t)t->states * sizeof(double));
  if (derivatives) memset(t->aft->dz, 0, (size_t)(t->states * t->columns) * sizeof(double));
  for (int i = -1; i < samples; i++) {
    int j = (i + 1) % samples;
    set_lagged(t, i, j, derivatives);
    track_step(t, point, i, j);
    if (derivatives) advance_derivatives(t, i, j);
    if (first && i >= 0) advance_map(t);
    track_commit(t);
    if (i >= 0 || !first) continue;
    memcpy(first, t->z, (size_t)t->states * sizeof(double));
    begin_map(t);
  }
}

void fw_track_round(fw_track *t, const fw_aft_point *point, const double *begin, bool derivatives) {
  int samples = t->aft->fourier->samples, s = t->states;
  memcpy(t->z, begin, (size_t)s * sizeof(double));
  t->aft->T_break = 0;
  memset(t->aft->T_law, 0, (size_t)samples * sizeof(double));
  begin_map(t);
  if (derivatives) {
    memset(t->aft->dz, 0, (size_t)(s * t->columns) * sizeof(double));
    memset(t->aft->T_z, 0, (size_t)(s * samples) * sizeof(double));
  }
  for (int i = 0; i < samples; i++) {
    int j = (i + 1) % samples;
    set_lagged(t, i, j, derivatives);
    track_step(t, point, i, j);
    t->aft->T_law[j] += t->out.T;
    if (t->breaks && t->mean.at_start != 0) break_at_start(t, &t->mean, i, j, derivatives);
    memcpy(t->samples + (size_t)j * (size_t)t->aft->states, t->trial, (size_t)s * sizeof(double));
    if (derivatives) {
      record_derivatives(t, i, j);
      advance_derivatives(t, i, j);
    }
    advance_map(t);
    track_commit(t);
  }
}

static double largest_scaled(const fw_track *t, const double *values, double N) {
  double worst = 0;
  for (int k = 0; k < t->states; k++) {
    double scale = fw_friction_scale(t->law, N, k);
    worst = fmax(worst, fabs(values[k]) / (scale > 0 ? scale : 1));
  }
  return worst;
}

/* Largest defect of the period map; the defect goes to trial. */
static double track_defect(fw_track *t, const double *begin, double N) {
  for (int k = 0; k < t->states; k++) t->trial[k] = t->z[k] - begin[k];
  return largest_scaled(t, t->trial, N);
}

/* A map with a kink may leave a little that does not fall any more. */
static bool is_periodic(double defect, double last) {
  return defect < PERIODIC || (defect < ROUNDING && defect > 0.5 * last);
}

static double force_squared(const fw_track *t) {
  int samples = t->aft->fourier->samples;
  return cblas_ddot(samples, t->aft->T_law, 1, t->aft->T_law, 1);
}

/* The periodic state nearest to `begin`, in place; leaves the map and the law's forces there. A state that goes on and
 * on without a bearing on the force, as the dwell time of a contact that never slips, is as good as periodic. A map with
 * kinks may make Newton cycle; then the motion itself goes on, for two periods: one to leave the slip from which the
 * wrong slope came, one to stay where it stuck.
 * `derived`: derivatives are wanted, and found on the round that is likely to be the last: the first if `near` or if it
 * was so the last time (a slider is where it belongs after one period), else the second; false if they were not. */
static bool track_close(fw_track *t, const fw_aft_point *point, double *begin, bool near, bool *derived) {
  bool wanted = *derived;
  double last = INFINITY, before = NAN;
  for (int pass = 0; pass < PASSES; pass++) {
    *derived = wanted && (pass == 1 || (pass == 0 && (near || t->aft->at_once)));
    if (*derived) memset(t->aft->T_x, 0, (size_t)(t->columns * t->aft->fourier->samples) * sizeof(double));
    fw_track_round(t, point, begin, *derived);
    double defect = track_defect(t, begin, point->N0), force = force_squared(t);
    bool periodic = is_periodic(defect, last);
    if (pass == 0) t->aft->at_once = periodic;
    if (periodic) return true;
    if (fabs(force - before) <= ROUNDING * force) return true;
    last = defect;
    before = NAN;
    if (!isfinite(defect)) return false;
    bool goes_on = pass % 8 >= 6;
    if (!goes_on) {
      fw_period_map_solve(t->states, t->uncoupled, t->map, t->trial, 1, NULL, t->aft->map_room);
      goes_on = largest_scaled(t, t->trial, point->N0) < PERIODIC;
      if (goes_on) before = force;
    }
    for (int k = 0; k < t->states; k++) begin[k] = goes_on ? t->z[k] : begin[k] + t->trial[k];
  }
  return false;
}

/* There may be other periodic motions than the one that the history leads to: a contact that has come to stick keeps
 * whatever mean force it had when it last slipped. To begin with the state of the last call would make the force depend
 * on the way the solver took, and jump.
 * The history's period tells the map too, and with it Newton's first step, which is the last for laws whose states enter
 * linearly; states that the map leaves as they are go on as they went. The step is taken however small the defect: a motion
 * that is small against the scale of its states changes their mean by next to nothing in a period, and yet the mean has
 * to be that of the steady state. */
bool fw_track_find(fw_track *t, const fw_aft_point *point, const double *z0, double *begin, bool *derived) {
  fw_aft *aft = t->aft;
  fw_track_history(t, point, z0, false, begin);
  double defect = track_defect(t, begin, point->N0);
  if (isfinite(defect)) {
    double *gone = t->z; /* of no more use */
    memcpy(gone, t->trial, (size_t)t->states * sizeof(double));
    fw_period_map_solve(t->states, t->uncoupled, t->map, t->trial, 1, gone, aft->map_room);
    for (int k = 0; k < t->states; k++) begin[k] += t->trial[k];
  }
  return track_close(t, point, begin, defect < ROUNDING, derived);
}
