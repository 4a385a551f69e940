/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/second_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "identify/dynamic_stiffness.h"
#include "solver/hb/aft/fourier.h"

typedef struct adding {
  const fw_second_order_case *given;
  fw_linear_contact point;
  fw_system *system;
  fw_linearised *linear;
  fw_dynamic_stiffness stiffness;
  fw_fourier fourier;
  size_t freedoms, n;     /* of the system with its joints; of the linearised model */
  double complex *loads;  /* [(orders + 1) * n]: -g_k */
  double complex *motion; /* [n] of one harmonic */
  double *series;         /* [size * freedoms]: Fourier coefficients of q, then of g */
  double *samples;        /* [samples * freedoms]: g */
  double *rest, *f;       /* [freedoms]: internal forces at rest; others */
  double *q, *v, *moved;  /* [freedoms], at one moment: the place, its rate, how far it is */
} adding;

static fw_status make_room(fw_context *ctx, adding *s) {
  size_t lines = (size_t)s->fourier.size * s->freedoms, orders = (size_t)s->given->orders + 1;
  FW_TRY(fw_alloc(ctx, orders * s->n, sizeof *s->loads, &s->loads));
  FW_TRY(fw_alloc(ctx, s->n, sizeof *s->motion, &s->motion));
  FW_TRY(fw_alloc(ctx, lines, sizeof *s->series, &s->series));
  FW_TRY(fw_alloc(ctx, (size_t)s->fourier.samples * s->freedoms, sizeof *s->samples, &s->samples));
  FW_TRY(fw_alloc(ctx, s->freedoms, sizeof *s->rest, &s->rest));
  FW_TRY(fw_alloc(ctx, s->freedoms, sizeof *s->q, &s->q));
  FW_TRY(fw_alloc(ctx, s->freedoms, sizeof *s->v, &s->v));
  FW_TRY(fw_alloc(ctx, s->freedoms, sizeof *s->moved, &s->moved));
  return fw_alloc(ctx, s->freedoms, sizeof *s->f, &s->f);
}

static fw_status prepare(fw_context *ctx, adding *s) {
  const fw_state *state = s->given->state;
  FW_TRY(fw_receptance_point(ctx, s->given->model, state, s->given->pair, &s->point));
  FW_TRY(fw_linearise(ctx, s->system, state, FW_VIEW_SLIP, &s->linear));
  FW_TRY(fw_dynamic_stiffness_init(ctx, s->linear, &s->stiffness));
  s->freedoms = (size_t)s->system->size;
  s->n = (size_t)s->linear->K->n;
  /* Products of three harmonics are the highest of von Kármán beams: so many samples keep them apart. */
  FW_TRY(fw_fourier_init(ctx, s->given->orders, 4 * s->given->orders + 4, &s->fourier));
  FW_TRY(make_room(ctx, s));
  return fw_system_force(ctx, s->system, state->q, state->lambda, state->time, s->rest, false);
}

static void clear(adding *s) {
  double *const real[] = {s->series, s->samples, s->rest, s->q, s->v, s->moved, s->f};
  for (size_t i = 0; i < sizeof real / sizeof *real; i++) free(real[i]);
  free(s->loads);
  free(s->motion);
  fw_fourier_clear(&s->fourier);
  fw_dynamic_stiffness_clear(&s->stiffness);
  fw_linearised_destroy(&s->linear);
  fw_system_destroy(&s->system);
}

/* ---- motion ------------------------------------------------------------------------------ */

/* Fourier coefficients of the motion under drive, friction and the loads known so far. */
static fw_status find_motion(fw_context *ctx, adding *s, const double complex *T) {
  const fw_second_order_case *given = s->given;
  for (int k = 0; k <= given->orders; k++) {
    memcpy(s->motion, s->loads + (size_t)k * s->n, s->n * sizeof *s->motion);
    if (k == 1) fw_receptance_drive(&given->model->loads[given->load], given->level, s->motion);
    if (k > 0) fw_receptance_friction(&s->point, T[k - 1], s->motion);
    FW_TRY(fw_dynamic_stiffness_set(ctx, &s->stiffness, k * given->omega));
    FW_TRY(fw_dynamic_stiffness_solve(ctx, &s->stiffness, s->motion));
    double *cosine = s->series + (k > 0 ? (size_t)(2 * k - 1) * s->freedoms : 0), *sine = cosine + s->freedoms;
    for (size_t i = 0; i < s->freedoms; i++) {
      cosine[i] = creal(s->motion[i]);
      if (k > 0) sine[i] = -cimag(s->motion[i]);
    }
  }
  return FW_OK;
}

static void place_at(adding *s, int moment) {
  const double *basis = s->fourier.basis + (size_t)moment * (size_t)s->fourier.size;
  const double *rate = s->fourier.rate + (size_t)moment * (size_t)s->fourier.size;
  memset(s->moved, 0, s->freedoms * sizeof *s->moved);
  memset(s->v, 0, s->freedoms * sizeof *s->v);
  for (int c = 0; c < s->fourier.size; c++)
    for (size_t i = 0; i < s->freedoms; i++) {
      double coefficient = s->series[(size_t)c * s->freedoms + i];
      s->moved[i] += basis[c] * coefficient;
      s->v[i] += s->given->omega * rate[c] * coefficient;
    }
}

/* g += C(q_s + q) q' - C(q_s) q'. */
static void add_drag(adding *s, double *g) {
  fw_system_turn(s->system, s->q);
  fw_system_drag(s->system, s->v, s->f);
  for (size_t i = 0; i < s->freedoms; i++) g[i] += s->f[i];
  fw_system_turn(s->system, s->given->state->q);
  fw_system_drag(s->system, s->v, s->f);
  for (size_t i = 0; i < s->freedoms; i++) g[i] -= s->f[i];
}

static fw_status force_at(fw_context *ctx, adding *s, int moment) {
  const fw_state *state = s->given->state;
  size_t dofs = (size_t)s->given->model->dof_count;
  double *g = s->samples + (size_t)moment * s->freedoms;
  place_at(s, moment);
  for (size_t i = 0; i < s->freedoms; i++) s->q[i] = s->moved[i] + (i < dofs ? state->q[i] : state->lambda[i - dofs]);
  FW_TRY(fw_system_force(ctx, s->system, s->q, s->q + dofs, state->time, g, false));
  memset(s->f, 0, s->freedoms * sizeof *s->f);
  fw_sparse_multiply(s->system->K, 1.0, s->moved, s->f);
  for (size_t i = 0; i < s->freedoms; i++) g[i] -= s->rest[i] + s->f[i];
  if (s->system->turning) add_drag(s, g);
  return FW_OK;
}

/* The loads -g_k of the motion in s->series. */
static fw_status find_loads(fw_context *ctx, adding *s) {
  for (int j = 0; j < s->fourier.samples; j++) FW_TRY(force_at(ctx, s, j));
  fw_fourier_project(&s->fourier, s->samples, (int)s->freedoms, s->series);
  for (int k = 0; k <= s->given->orders; k++) {
    const double *cosine = s->series + (k > 0 ? (size_t)(2 * k - 1) * s->freedoms : 0), *sine = cosine + s->freedoms;
    for (size_t i = 0; i < s->freedoms; i++)
      s->loads[(size_t)k * s->n + i] = k > 0 ? -cosine[i] + _Complex_I * sine[i] : -cosine[i];
  }
  return FW_OK;
}

static void read_motion(adding *s, int k) {
  const fw_second_order_case *given = s->given;
  fw_receptance_read(given->model, s->linear, &s->point, s->motion, FW_BEYOND, &given->receptances[k - 1]);
}

/* One step on: of the motion under T and the loads so far the new loads, and what they make of the receptances. */
static fw_status step_on(fw_context *ctx, adding *s, const double complex *T) {
  FW_TRY(find_motion(ctx, s, T));
  FW_TRY(find_loads(ctx, s));
  for (int k = 1; k <= s->given->orders; k++) {
    memcpy(s->motion, s->loads + (size_t)k * s->n, s->n * sizeof *s->motion);
    FW_TRY(fw_dynamic_stiffness_set(ctx, &s->stiffness, k * s->given->omega));
    FW_TRY(fw_dynamic_stiffness_solve(ctx, &s->stiffness, s->motion));
    read_motion(s, k);
  }
  return FW_OK;
}

/* Receptances alone. */
static void forget(adding *s) {
  memset(s->motion, 0, s->n * sizeof *s->motion);
  for (int k = 1; k <= s->given->orders; k++) read_motion(s, k);
}

/* ---- friction and forces by turns -------------------------------------------------------- */

/* RMS of the difference of two T(t), over that of the first; no friction in both is no change. */
static double change_of(int orders, const double complex *T, const double complex *before) {
  double off = 0.0, size = 0.0;
  for (int r = 0; r < orders; r++) {
    off += pow(cabs(T[r] - before[r]), 2);
    size += pow(cabs(T[r]), 2);
  }
  return off > 0 ? sqrt(off / size) : 0;
}

/* T: room for three T(t). */
static fw_status settle(fw_context *ctx, adding *s, double complex *T, fw_second_order_result *result) {
  enum { STEPS = 50 };
  const double still = 1e-9;
  const fw_second_order_case *given = s->given;
  double complex *const before = T + given->orders, *const linear = before + given->orders;
  size_t size = (size_t)given->orders * sizeof *T;
  fw_status status = FW_OK;
  given->fit(given->user, T);
  memcpy(linear, T, size);
  while (result->steps < STEPS && !result->settled && status == FW_OK) {
    memcpy(before, T, size);
    status = step_on(ctx, s, T);
    given->fit(given->user, T);
    result->steps++;
    result->settled = status == FW_OK && change_of(given->orders, T, before) <= still;
  }
  result->change = change_of(given->orders, T, linear);
  if (!result->settled) forget(s);
  return status < 0 ? status : FW_OK; /* where the model has no answer, nothing settles */
}

fw_status fw_second_order_add(fw_context *ctx, const fw_second_order_case *given, fw_second_order_result *result) {
  adding s = {.given = given};
  double complex *T = NULL;
  fw_status status;
  *result = (fw_second_order_result){0};
  FW_TRY_DONE(fw_system_create(ctx, given->model, &s.system));
  if (s.system->linear) goto done;
  FW_TRY_DONE(prepare(ctx, &s));
  FW_TRY_DONE(fw_alloc(ctx, 3 * (size_t)given->orders, sizeof *T, &T));
  status = settle(ctx, &s, T, result);
done:
  free(T);
  clear(&s);
  return status;
}
