/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/cycle.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/hb/arcs.h"
#include "solver/hb/period_map.h"
#include "solver/hb/rigid_stick.h"
#include "solver/hb/touching.h"

enum { PASSES = 30 };
static const double PERIODIC = 1e-13; /* defect of the period map, in units of the state's scale, */
static const double ROUNDING = 1e-11; /* or what may remain when it does not fall any more */
static const double FAINT = 1e-4;     /* normal force of a contact that is about to open, beside the largest */

fw_status fw_cycle_init(fw_context *ctx, const fw_fourier *fourier, int states, fw_cycle *cycle) {
  *cycle = (fw_cycle){.fourier = fourier, .states = states};
  size_t n = (size_t)fourier->samples, c = (size_t)fourier->size, s = (size_t)states;
  double **samples[] = {&cycle->u,         &cycle->v,      &cycle->gap,   &cycle->gap_rate, &cycle->N,
                        &cycle->N_elastic, &cycle->T,      &cycle->N_gap, &cycle->N_rate,   &cycle->T_law,
                        &cycle->pressed,   &cycle->lifted, &cycle->margin};
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) FW_TRY(fw_alloc(ctx, n, sizeof(double), samples[i]));
  FW_TRY(fw_alloc(ctx, fw_arcs_room(fourier->size), sizeof(double), &cycle->arcs));
  FW_TRY(fw_alloc(ctx, c, sizeof(double), &cycle->T_c));
  FW_TRY(fw_alloc(ctx, c, sizeof(double), &cycle->N_c));
  FW_TRY(fw_alloc(ctx, c * c, sizeof(double), &cycle->T_u));
  FW_TRY(fw_alloc(ctx, c * c, sizeof(double), &cycle->T_w));
  FW_TRY(fw_alloc(ctx, c * c, sizeof(double), &cycle->N_w));
  FW_TRY(fw_alloc(ctx, c * c, sizeof(double), &cycle->T_t));
  FW_TRY(fw_alloc(ctx, n, sizeof(bool), &cycle->slides));
  FW_TRY(fw_alloc(ctx, n * c, sizeof(double), &cycle->N_x));
  FW_TRY(fw_alloc(ctx, n * 2 * c, sizeof(double), &cycle->T_x));
  FW_TRY(fw_alloc(ctx, 2 * c * c, sizeof(double), &cycle->T_xc));
  FW_TRY(fw_alloc(ctx, n * s, sizeof(double), &cycle->T_z));
  FW_TRY(fw_alloc(ctx, c * s, sizeof(double), &cycle->T_zc));
  FW_TRY(fw_alloc(ctx, s * 2 * c, sizeof(double), &cycle->dz));
  FW_TRY(fw_alloc(ctx, s * 2 * c, sizeof(double), &cycle->dz_next));
  FW_TRY(fw_alloc(ctx, s * 2 * c, sizeof(double), &cycle->kept));
  FW_TRY(fw_alloc(ctx, 2 * s * s, sizeof(double), &cycle->map));
  FW_TRY(fw_alloc(ctx, s * (FW_STEP_INPUTS + s + 2) + FW_STEP_INPUTS, sizeof(double), &cycle->step));
  FW_TRY(fw_alloc(ctx, s, sizeof(double), &cycle->z));
  FW_TRY(fw_alloc(ctx, n * s, sizeof(double), &cycle->z_samples));
  FW_TRY(fw_alloc(ctx, 3 * s, sizeof(double), &cycle->z_try));
  return FW_OK;
}

void fw_cycle_clear(fw_cycle *cycle) {
  double *all[] = {cycle->u,      cycle->v,       cycle->gap,       cycle->gap_rate, cycle->N,    cycle->N_elastic,
                   cycle->T,      cycle->N_gap,   cycle->T_c,       cycle->N_c,      cycle->T_u,  cycle->T_w,
                   cycle->N_w,    cycle->N_x,     cycle->T_x,       cycle->T_z,      cycle->T_zc, cycle->dz,
                   cycle->map,    cycle->dz_next, cycle->kept,      cycle->step,     cycle->z,    cycle->z_try,
                   cycle->N_rate, cycle->T_xc,    cycle->z_samples, cycle->T_law,    cycle->T_t,  cycle->pressed,
                   cycle->lifted};
  free(cycle->slides);
  free(cycle->arcs);
  free(cycle->margin);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  *cycle = (fw_cycle){0};
}

/* ---- normal force ------------------------------------------------------------------------- */

fw_cycle_normal_out fw_cycle_normal_at(const fw_cycle_point *point, double w, double rate, double n) {
  fw_cycle_normal_out at = {.gap = point->gap0 + w, .gap_rate = rate};
  fw_normal_out out;
  switch (point->kind) {
    case FW_CYCLE_CONSTANT:
      return (fw_cycle_normal_out){.gap = point->gap0, .N = point->N0, .elastic = point->N0, .pressed = point->N0};
    case FW_CYCLE_CLOSED:
      at = (fw_cycle_normal_out){.N = point->N0 + w, .N_gap = 1};
      at.elastic = at.pressed = at.N;
      return at;
    case FW_CYCLE_OPENING:
      at.pressed = point->N0 + n - point->press * (point->clearance + w);
      at.N = at.elastic = fmax(at.pressed, 0);
      at.N_gap = at.pressed > 0;
      return at;
    case FW_CYCLE_LAW:
      fw_normal_force(point->normal, at.gap, rate, &out);
      at.pressed = -at.gap;
      at.N = out.N;
      at.elastic = out.elastic;
      at.N_gap = out.N_gap;
      at.N_rate = out.N_rate;
  }
  return at;
}

/* N at every sample and its derivatives with respect to w and dw/dt. */
static void normal_samples(fw_cycle *cycle, const fw_cycle_point *point, const fw_cycle_in *in) {
  bool moves = point->kind != FW_CYCLE_CONSTANT, tried = point->kind == FW_CYCLE_OPENING;
  cycle->sense = !moves ? 0 : point->kind == FW_CYCLE_LAW ? -1 : 1;
  if (moves) fw_fourier_sample(cycle->fourier, in->w, cycle->gap);
  if (moves) fw_fourier_sample_rate(cycle->fourier, in->w, cycle->gap_rate);
  if (tried) fw_fourier_sample(cycle->fourier, in->n, cycle->N);
  for (int j = 0; j < cycle->fourier->samples; j++) {
    fw_cycle_normal_out at = fw_cycle_normal_at(point, moves ? cycle->gap[j] : 0,
                                                moves ? cycle->omega * cycle->gap_rate[j] : 0, tried ? cycle->N[j] : 0);
    cycle->gap[j] = at.gap;
    cycle->gap_rate[j] = at.gap_rate;
    cycle->N[j] = at.N;
    cycle->N_elastic[j] = at.elastic;
    cycle->pressed[j] = at.pressed;
    cycle->N_gap[j] = at.N_gap;
    cycle->N_rate[j] = at.N_rate;
  }
}

/* N_x: derivative of every sample of N with respect to the coefficients w (FW_CYCLE_OPENING: n). */
static void normal_derivatives(fw_cycle *cycle) {
  int size = cycle->fourier->size;
  for (int j = 0; j < cycle->fourier->samples; j++) {
    const double *basis = cycle->fourier->basis + (size_t)j * (size_t)size;
    const double *rate = cycle->fourier->rate + (size_t)j * (size_t)size;
    double *row = cycle->N_x + (size_t)j * (size_t)size;
    for (int c = 0; c < size; c++) row[c] = cycle->N_gap[j] * basis[c] + cycle->N_rate[j] * cycle->omega * rate[c];
  }
}

static int most_pressed(const fw_cycle *cycle) {
  int most = 0;
  for (int j = 1; j < cycle->fourier->samples; j++)
    if (cycle->N[j] > cycle->N[most]) most = j;
  return most;
}

/* ---- friction ----------------------------------------------------------------------------- */

/* One law on its way through the period. */
typedef struct track {
  fw_cycle *cycle;
  const fw_friction *law;
  int states, columns; /* columns = 2 size: derivatives with respect to u and w */
  bool uncoupled;
  double *z, *trial;      /* current state, next state */
  double *samples;        /* where this law's states stand in cycle->z_samples */
  double *map, *map_next; /* d z / d z at sample 0, full */
  fw_step_out out;        /* of the last step, with regard to openings, */
  fw_touching here;       /* at its end, */
  double T_whole;         /* and T without regard to them */
  double weight;          /* of the force */
} track;

static track track_make(fw_cycle *cycle, const fw_friction *law) {
  int s = law->states;
  track t = {.cycle = cycle, .law = law, .states = s, .columns = 2 * cycle->fourier->size, .weight = 1};
  t.uncoupled = fw_friction_uncoupled(law);
  t.z = cycle->z_try;
  t.trial = cycle->z_try + s;
  t.map = cycle->map;
  t.map_next = cycle->map + s * s;
  double *step = cycle->step;
  t.out = (fw_step_out){.z = t.trial, .z_x = step, .T_x = step + s * FW_STEP_INPUTS};
  t.out.T_z = t.out.T_x + FW_STEP_INPUTS;
  t.out.z_z = t.out.T_z + s;
  return t;
}

/* A friction force is defined for N >= 0; below that the contact is open whatever the amount. */
static double pressing(double N) { return N > 0 ? N : 0; }

static fw_touching touching(const fw_cycle *cycle, int j) {
  int n = cycle->fourier->samples;
  return fw_touching_at(cycle->pressed[j ? j - 1 : n - 1], cycle->pressed[j], cycle->pressed[j + 1 < n ? j + 1 : 0]);
}

/* row += factor d(part, share or keep)/dw of sample j, by its derivatives with respect to `pressed`. */
static void add_through_pressed(const fw_cycle *cycle, int j, double factor, const double by[3], double *row) {
  int n = cycle->fourier->samples, size = cycle->fourier->size;
  for (int k = 0; k < 3; k++) {
    const double *basis = cycle->fourier->basis + (size_t)((j + k - 1 + n) % n) * (size_t)size;
    double f = cycle->sense * factor * by[k];
    for (int c = 0; f != 0 && c < size; c++) row[c] += f * basis[c];
  }
}

/* True if the contact is all but open at sample j, or open for a part of the time around it only. It counts as pressed
 * by next to nothing: some laws step with the force half way and make of nothing at the end what they like. */
static bool is_faint(const fw_cycle *cycle, int j) {
  if (!(cycle->N[j] < FAINT * cycle->N[cycle->most])) return false;
  if (cycle->pressed[j] > 0) return cycle->N[j] > 0;
  fw_touching here = touching(cycle, j);
  return here.share > 0 || here.keep > 0;
}

fw_step_in fw_cycle_step(const fw_cycle *cycle, const fw_cycle_point *point, int i, int j) {
  fw_step_in in = {.dt = 0};
  if (i < 0) {
    in.x[FW_STEP_DU] = cycle->u[j];
    in.x[FW_STEP_N0] = pressing(point->N0);
  } else {
    in.x[FW_STEP_DU] = touching(cycle, j).part * (cycle->u[j] - cycle->u[i]);
    in.x[FW_STEP_V0] = cycle->v[i];
    in.x[FW_STEP_V1] = cycle->v[j];
    in.x[FW_STEP_N0] = pressing(cycle->N[i]);
    in.dt = 2 * M_PI / (cycle->omega * cycle->fourier->samples);
  }
  in.x[FW_STEP_N1] = is_faint(cycle, j) ? FAINT * cycle->N[cycle->most] : pressing(cycle->N[j]);
  return in;
}

/* row += x . d(step inputs)/d(u, w) for the step from sample i to j. */
static void add_input_derivatives(const fw_cycle *cycle, const double *x, int i, int j, double *row) {
  int size = cycle->fourier->size;
  const double *basis1 = cycle->fourier->basis + (size_t)j * (size_t)size;
  const double *rate1 = cycle->fourier->rate + (size_t)j * (size_t)size;
  bool faint = is_faint(cycle, j);
  const double *N1 = cycle->N_x + (size_t)(faint ? cycle->most : j) * (size_t)size;
  double n1 = faint ? FAINT * x[FW_STEP_N1] : cycle->N[j] > 0 ? x[FW_STEP_N1] : 0;
  if (i < 0) {
    for (int c = 0; c < size; c++) {
      row[c] += x[FW_STEP_DU] * basis1[c];
      row[size + c] += n1 * N1[c];
    }
    return;
  }
  const double *basis0 = cycle->fourier->basis + (size_t)i * (size_t)size;
  const double *rate0 = cycle->fourier->rate + (size_t)i * (size_t)size;
  const double *N0 = cycle->N_x + (size_t)i * (size_t)size;
  double n0 = cycle->N[i] > 0 ? x[FW_STEP_N0] : 0;
  fw_touching here = touching(cycle, j);
  double du = here.part * x[FW_STEP_DU];
  double v0 = cycle->omega * x[FW_STEP_V0], v1 = cycle->omega * x[FW_STEP_V1];
  if (du != 0) /* most laws depend on some of these only, and a slider on none of them while it slides */
    for (int c = 0; c < size; c++) row[c] += du * (basis1[c] - basis0[c]);
  if (v0 != 0 || v1 != 0)
    for (int c = 0; c < size; c++) row[c] += v0 * rate0[c] + v1 * rate1[c];
  if (n0 != 0 || n1 != 0)
    for (int c = 0; c < size; c++) row[size + c] += n0 * N0[c] + n1 * N1[c];
  if (!here.whole) add_through_pressed(cycle, j, x[FW_STEP_DU] * (cycle->u[j] - cycle->u[i]), here.part_p, row + size);
}

/* map = z_z map. */
static void advance_map(track *t) {
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

/* dz = z_z dz + z_x dx for the step from sample i to j. */
static void advance_derivatives(track *t, int i, int j) {
  int s = t->states, columns = t->columns;
  double *dz = t->cycle->dz, *next = t->cycle->dz_next;
  for (int k = 0; k < s; k++) {
    double *row = next + k * columns;
    memset(row, 0, (size_t)columns * sizeof(double));
    for (int l = t->uncoupled ? k : 0; l < (t->uncoupled ? k + 1 : s); l++) {
      double factor = t->uncoupled ? t->out.z_z[k] : t->out.z_z[k * s + l];
      if (factor != 0)
        for (int c = 0; c < columns; c++) row[c] += factor * dz[l * columns + c];
    }
    add_input_derivatives(t->cycle, t->out.z_x + k * FW_STEP_INPUTS, i, j, row);
  }
  memcpy(dz, next, (size_t)(s * columns) * sizeof(double));
}

/* Derivatives of T at sample j with respect to u, w at fixed state at sample 0, and to that state. */
static void record_derivatives(track *t, int i, int j) {
  int s = t->states, columns = t->columns;
  double *row = t->cycle->T_x + (size_t)j * (size_t)columns, *to_state = t->cycle->T_z + (size_t)j * (size_t)s;
  for (int l = 0; l < s; l++) {
    double factor = t->out.T_z[l];
    if (factor == 0) continue;
    for (int c = 0; c < columns; c++) row[c] += factor * t->cycle->dz[l * columns + c];
    for (int k = 0; k < s; k++) to_state[k] += factor * t->map[l * s + k];
  }
  add_input_derivatives(t->cycle, t->out.T_x, i, j, row);
  if (!t->here.whole) add_through_pressed(t->cycle, j, t->T_whole, t->here.share_p, row + columns / 2);
}

/* The contact is open for a part of the time around the sample: friction acts for the rest of it. */
static void open_partly(track *t) {
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

static void track_step(track *t, const fw_cycle_point *point, int i, int j) {
  fw_step_in in = fw_cycle_step(t->cycle, point, i, j);
  fw_friction_step(t->law, &in, t->z, &t->out);
  t->here = touching(t->cycle, j);
  if (!t->here.whole) open_partly(t);
  if (t->weight == 1) return;
  t->out.T *= t->weight;
  if (!t->out.T_x) return;
  cblas_dscal(FW_STEP_INPUTS, t->weight, t->out.T_x, 1);
  cblas_dscal(t->states, t->weight, t->out.T_z, 1);
}

static void track_commit(track *t) { memcpy(t->z, t->trial, (size_t)t->states * sizeof(double)); }

static void no_derivatives(fw_step_out *out) { out->z_x = out->z_z = out->T_x = out->T_z = NULL; }

/* From before the vibration to sample 0 after one period; `dz` on the way if wanted. first: the state at sample 0 where
 * the period began, NULL: not wanted. */
static void track_history(track *t, const fw_cycle_point *point, const double *z0, bool derivatives, double *first) {
  fw_step_out with = t->out;
  int samples = t->cycle->fourier->samples;
  memcpy(t->z, z0, (size_t)t->states * sizeof(double));
  if (derivatives)
    memset(t->cycle->dz, 0, (size_t)(t->states * t->columns) * sizeof(double));
  else
    no_derivatives(&t->out);
  for (int i = -1; i < samples; i++) {
    int j = (i + 1) % samples;
    track_step(t, point, i, j);
    if (derivatives) advance_derivatives(t, i, j);
    track_commit(t);
    if (i < 0 && first) memcpy(first, t->z, (size_t)t->states * sizeof(double));
  }
  t->out = with;
}

/* Once round from the state in `begin`; leaves the map, and if wanted dz at fixed start, and adds to T's rows. */
static void track_round(track *t, const fw_cycle_point *point, const double *begin, bool derivatives) {
  int samples = t->cycle->fourier->samples, s = t->states;
  memcpy(t->z, begin, (size_t)s * sizeof(double));
  memset(t->map, 0, (size_t)(s * s) * sizeof(double));
  for (int k = 0; k < s; k++) t->map[k * s + k] = 1;
  if (derivatives) {
    memset(t->cycle->dz, 0, (size_t)(s * t->columns) * sizeof(double));
    memset(t->cycle->T_z, 0, (size_t)(s * samples) * sizeof(double));
  }
  for (int i = 0; i < samples; i++) {
    int j = (i + 1) % samples;
    track_step(t, point, i, j);
    t->cycle->T_law[j] = t->out.T;
    memcpy(t->samples + (size_t)j * (size_t)t->cycle->states, t->trial, (size_t)s * sizeof(double));
    if (derivatives) {
      record_derivatives(t, i, j);
      advance_derivatives(t, i, j);
    }
    advance_map(t);
    track_commit(t);
  }
}

static double largest_scaled(const track *t, const double *values, double N) {
  double worst = 0;
  for (int k = 0; k < t->states; k++) {
    double scale = fw_friction_scale(t->law, N, k);
    worst = fmax(worst, fabs(values[k]) / (scale > 0 ? scale : 1));
  }
  return worst;
}

/* Largest defect of the period map; the defect goes to trial. */
static double track_defect(track *t, const double *begin, double N) {
  for (int k = 0; k < t->states; k++) t->trial[k] = t->z[k] - begin[k];
  return largest_scaled(t, t->trial, N);
}

static double force_squared(const track *t) {
  int samples = t->cycle->fourier->samples;
  return cblas_ddot(samples, t->cycle->T_law, 1, t->cycle->T_law, 1);
}

/* The periodic state nearest to `begin`, in place; leaves the map and the law's forces there. A state that goes on and
 * on without a bearing on the force, as the dwell time of a contact that never slips, is as good as periodic.
 * `derived`: derivatives are wanted, and found on the round that is likely to be the last: the first if `near` or if it
 * was so the last time (a slider is where it belongs after one period), else the second; false if they were not. */
static bool track_close(track *t, const fw_cycle_point *point, double *begin, bool near, bool *derived) {
  bool wanted = *derived;
  double last = INFINITY, before = NAN;
  for (int pass = 0; pass < PASSES; pass++) {
    *derived = wanted && (pass == 1 || (pass == 0 && (near || t->cycle->at_once)));
    if (*derived) memset(t->cycle->T_x, 0, (size_t)(t->columns * t->cycle->fourier->samples) * sizeof(double));
    track_round(t, point, begin, *derived);
    double defect = track_defect(t, begin, point->N0), force = force_squared(t);
    if (pass == 0) t->cycle->at_once = defect < PERIODIC;
    if (defect < PERIODIC || (defect < ROUNDING && defect > 0.5 * last)) return true;
    if (fabs(force - before) <= ROUNDING * force) return true;
    last = defect;
    before = NAN;
    if (!isfinite(defect)) return false;
    bool goes_on = pass % 8 == 7; /* a kinked map may make Newton cycle: let the motion itself go on */
    if (!goes_on) {
      fw_period_map_solve(t->states, t->uncoupled, t->map, t->trial, 1, NULL);
      goes_on = largest_scaled(t, t->trial, point->N0) < PERIODIC;
      if (goes_on) before = force;
    }
    for (int k = 0; k < t->states; k++) begin[k] = goes_on ? t->z[k] : begin[k] + t->trial[k];
  }
  return false;
}

/* The periodic motion of the law that the history leads to. There may be others: a contact that has come to stick keeps
 * whatever mean force it had when it last slipped. To begin with the state of the last call would make the force depend
 * on the way the solver took, and jump. */
static bool track_find(track *t, const fw_cycle_point *point, const double *z0, double *begin, bool *derived) {
  track_history(t, point, z0, false, begin);
  double defect = track_defect(t, begin, point->N0);
  memcpy(begin, t->z, (size_t)t->states * sizeof(double));
  return track_close(t, point, begin, defect < ROUNDING, derived);
}

/* T_u and T_w += derivatives through the periodic state, that at sample 0. */
static void add_through_state(track *t, const fw_cycle_point *point, const double *z0) {
  fw_cycle *cycle = t->cycle;
  int s = t->states, size = cycle->fourier->size, columns = t->columns;
  double *through = cycle->dz_next; /* d(state at sample 0)/d(u, w) */
  if (fw_period_map_is_identity_somewhere(s, t->uncoupled, t->map)) {
    memcpy(cycle->kept, cycle->dz, (size_t)(s * columns) * sizeof(double));
    track_history(t, point, z0, true, NULL);
    memcpy(through, cycle->kept, (size_t)(s * columns) * sizeof(double));
    fw_period_map_solve(s, t->uncoupled, t->map, through, columns, cycle->dz);
  } else {
    memcpy(through, cycle->dz, (size_t)(s * columns) * sizeof(double));
    fw_period_map_solve(s, t->uncoupled, t->map, through, columns, NULL);
  }
  fw_fourier_project(cycle->fourier, cycle->T_z, s, cycle->T_zc);
  for (int r = 0; r < size; r++)
    for (int k = 0; k < s; k++) {
      double factor = cycle->T_zc[r * s + k];
      for (int c = 0; c < size; c++) {
        cycle->T_u[r * size + c] += factor * through[k * columns + c];
        cycle->T_w[r * size + c] += factor * through[k * columns + size + c];
      }
    }
}

/* Adds the law's force and its derivatives. alone: T's rows are this law's, not yet cleared. */
static void add_track(track *t, const fw_cycle_point *point, const double *z0, double *begin, bool derivatives,
                      bool alone) {
  fw_cycle *cycle = t->cycle;
  t->samples = cycle->z_samples + (begin - cycle->z);
  bool derived = derivatives && alone;
  if (!track_find(t, point, z0, begin, &derived)) cycle->periodic = false;
  if (derivatives && !derived) {
    if (alone) memset(cycle->T_x, 0, (size_t)(t->columns * cycle->fourier->samples) * sizeof(double));
    track_round(t, point, begin, true);
  }
  for (int j = 0; j < cycle->fourier->samples; j++) cycle->T[j] += cycle->T_law[j];
  if (derivatives && t->states > 0) add_through_state(t, point, z0);
}

/* The sample at which the contact is open for the longest part of a step, but not for all of it; -1: none.
 * cycle->lifted: pressed without such openings. */
static int briefly_open(const fw_cycle *cycle, fw_touching *opening) {
  int at = -1;
  for (int j = 0; j < cycle->fourier->samples; j++) {
    cycle->lifted[j] = cycle->pressed[j];
    if (cycle->pressed[j] >= 0) continue;
    fw_touching here = touching(cycle, j);
    if (here.keep <= 0) continue;
    cycle->lifted[j] = 0;
    if (at >= 0 && here.keep >= opening->keep) continue;
    at = j;
    *opening = here;
  }
  return at;
}

static void swap_lifted(fw_cycle *cycle) {
  double *pressed = cycle->pressed;
  cycle->pressed = cycle->lifted;
  cycle->lifted = pressed;
}

/* A law's force. Where the contact only just opens its friction is in between: that of a contact that stays closed,
 * which keeps its history, and that of one that forgets it. The periodic motion knows nothing in between of its own:
 * what is forgotten a little in every period is forgotten. */
static void add_law(fw_cycle *cycle, const fw_cycle_point *point, const fw_friction *law, const double *z0,
                    double *begin, bool derivatives) {
  fw_touching opening;
  int at = briefly_open(cycle, &opening), size = cycle->fourier->size;
  track t = track_make(cycle, law);
  if (at < 0) {
    add_track(&t, point, z0, begin, derivatives, point->law_count == 1);
    return;
  }
  if (derivatives && point->law_count == 1)
    memset(cycle->T_x, 0, (size_t)(t.columns * cycle->fourier->samples) * sizeof(double));
  double *change = cycle->T_xc, *by_w = change + size; /* of the force from one to the other, and of `keep` with w */
  memset(change, 0, 2 * (size_t)size * sizeof(double));
  for (int pass = 0; pass < 2; pass++) { /* the last one leaves its states */
    bool closed = (pass == 1) == (opening.keep > 0.5);
    t.weight = closed ? opening.keep : 1 - opening.keep;
    if (closed) swap_lifted(cycle);
    add_track(&t, point, z0, begin, derivatives, false);
    if (closed) swap_lifted(cycle);
    fw_fourier_project(cycle->fourier, cycle->T_law, 1, cycle->T_c);
    cblas_daxpy(size, (closed ? 1 : -1) / t.weight, cycle->T_c, 1, change, 1);
  }
  if (!derivatives) return;
  add_through_pressed(cycle, at, 1, opening.keep_p, by_w);
  cblas_dger(CblasRowMajor, size, size, 1, change, 1, by_w, 1, cycle->T_w, size);
}

/* T_u and T_w += projections of the samples' derivatives. */
static void project_derivatives(fw_cycle *cycle) {
  double *work = cycle->T_xc;
  int size = cycle->fourier->size, columns = 2 * size;
  fw_fourier_project(cycle->fourier, cycle->T_x, columns, work);
  for (int r = 0; r < size; r++)
    for (int c = 0; c < size; c++) {
      cycle->T_u[r * size + c] += work[r * columns + c];
      cycle->T_w[r * size + c] += work[r * columns + size + c];
    }
}

fw_status fw_cycle_run(fw_cycle *cycle, const fw_cycle_point *point, const fw_cycle_in *in, bool derivatives) {
  int n = cycle->fourier->samples, size = cycle->fourier->size;
  size_t square = (size_t)(size * size) * sizeof(double);
  cycle->omega = in->omega;
  cycle->periodic = true;
  fw_fourier_sample(cycle->fourier, in->u, cycle->u);
  fw_fourier_sample_rate(cycle->fourier, in->u, cycle->v);
  for (int j = 0; j < n; j++) cycle->v[j] *= in->omega;
  normal_samples(cycle, point, in);
  cycle->most = most_pressed(cycle);
  memset(cycle->T, 0, (size_t)n * sizeof(double));
  if (derivatives) {
    normal_derivatives(cycle);
    memset(cycle->T_u, 0, square);
    memset(cycle->T_w, 0, square);
    if (point->law_count != 1 || point->hold > 0) memset(cycle->T_x, 0, (size_t)(2 * size * n) * sizeof(double));
  }
  const double *z0 = point->z0;
  double *begin = cycle->z;
  if (point->hold > 0) fw_rigid_stick(cycle, point, in->t, derivatives);
  for (int l = 0; l < point->law_count && !(point->hold > 0); l++) {
    add_law(cycle, point, &point->laws[l], z0, begin, derivatives);
    z0 += point->laws[l].states;
    begin += point->laws[l].states;
  }
  fw_fourier_project(cycle->fourier, cycle->T, 1, cycle->T_c);
  fw_fourier_project(cycle->fourier, cycle->N, 1, cycle->N_c);
  if (derivatives) {
    project_derivatives(cycle);
    if (point->kind == FW_CYCLE_OPENING || point->kind == FW_CYCLE_LAW)
      fw_fourier_project(cycle->fourier, cycle->N_x, size, cycle->N_w);
  }
  if (point->exact && (point->hold > 0 || point->kind == FW_CYCLE_OPENING))
    fw_arcs_project(cycle, point, in, derivatives);
  for (int c = 0; c < size; c++)
    if (!isfinite(cycle->T_c[c]) || !isfinite(cycle->N_c[c])) return FW_RECOVER_NAN;
  return FW_OK;
}
