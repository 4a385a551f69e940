/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/time/ida/vary.h"

#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

#include "solver/time/variation.h"

void fw_vary_reset(const fw_dae *dae, const fw_dae_point *point) {
  const fw_variation *x = dae->variation;
  for (int k = 0; x && k < x->count; k++)
    memset(fw_variation_of(x->z, x->states, k) + fw_dae_first_state(point), 0,
           (size_t)point->pair->states * sizeof(double));
}

/* What the conditions of a solved point answer to its motion. */
static fw_local_residual conditions(const fw_local_problem *p, int i, double *work) {
  fw_local_residual on;
  fw_local_evaluate(&p->points[i], p->N[i], p->T[i], &p->motion[i], work, p->z[i], &on);
  return on;
}

/* motion += what the changed forces (N, T of each point) do. */
static void add_answers(const fw_mobility *mobility, const int *who, int count, const double *forces, int64_t n,
                        double *motion) {
  for (int j = 0; j < 2 * count; j++) {
    const double *column = mobility->columns + (2 * who[j / 2] + j % 2) * mobility->size;
    double force = j % 2 ? -forces[j] : forces[j];
    for (int64_t i = 0; i < n; i++) motion[i] += force * column[i];
  }
}

static size_t work_of(const fw_local_problem *p) {
  size_t most = 1;
  for (int i = 0; i < p->count; i++) {
    const fw_pair *pair = p->points[i].pair;
    size_t states = (size_t)pair->states;
    size_t need = fw_local_work(pair) + fw_local_past_work(pair) + states * (states + FW_STEP_INPUTS + 2);
    most = need > most ? need : most;
  }
  return most;
}

/* ---- impact ---------------------------------------------------------------------------------- */

fw_status fw_vary_impact(fw_context *ctx, const fw_dae *dae, const fw_mobility *mobility, const int *who,
                         const bool *impacting, fw_local_problem *p) {
  const fw_variation *x = dae->variation;
  fw_status status = FW_OK;
  size_t n = 2 * (size_t)p->count;
  double *change = NULL, *work = NULL;
  FW_TRY_DONE(fw_alloc(ctx, n * (size_t)x->count + 1, sizeof *change, &change));
  FW_TRY_DONE(fw_alloc(ctx, work_of(p), sizeof *work, &work));
  for (int i = 0; i < p->count; i++) {
    const fw_kinematic *kin = &dae->points[who[i]].kin;
    fw_local_residual on = conditions(p, i, work);
    double gain = 1.0 + (impacting[i] ? p->points[i].pair->normal.restitution : 0.0);
    for (int k = 0; k < x->count; k++) {
      const double *dv = fw_variation_of(x->v, x->n, k);
      change[(size_t)k * n + 2 * (size_t)i] = on.n_gap * gain * fw_kinematic_along(kin, kin->gap_q, dv);
      change[(size_t)k * n + 2 * (size_t)i + 1] = on.t_slip * fw_kinematic_along(kin, kin->slip_q, dv);
    }
  }
  FW_TRY_DONE(fw_local_vary(ctx, p, x->count, change));
  for (int k = 0; k < x->count; k++)
    add_answers(mobility, who, p->count, change + (size_t)k * n, dae->n, fw_variation_of(x->v, x->n, k));
done:
  free(change);
  free(work);
  return status;
}

/* ---- settling -------------------------------------------------------------------------------- */

/* Accelerations without contact forces, M da = df - C dv - K dq; [count x size]. */
static fw_status free_changes(fw_context *ctx, const fw_dae *dae, const fw_mobility *mobility, const fw_state *state,
                              double *padded, double *free_a) {
  const fw_variation *x = dae->variation;
  size_t size = (size_t)mobility->size, bytes = (size_t)x->n * sizeof(double);
  for (int k = 0; k < x->count; k++) {
    double *f = free_a + (size_t)k * size;
    fw_variation_loads(x, k, state, state->time, dae->omega, x->time[k], f);
    fw_variation_epmc(x, k, dae->system->M, state->v, padded, f);
    memset(padded, 0, size * sizeof *padded);
    memcpy(padded, fw_variation_of(x->v, x->n, k), bytes);
    fw_sparse_multiply(dae->system->C, -1.0, padded, f);
    memcpy(padded, fw_variation_of(x->q, x->n, k), bytes);
    fw_sparse_multiply(dae->system->K, -1.0, padded, f);
    memset(f + dae->n, 0, (size_t)dae->model->constraint_count * sizeof *f);
  }
  return fw_factor_solve(ctx, mobility->factor, free_a, x->count);
}

/* Changes of r_n and r_t of a point. */
static void change_point(const fw_dae *dae, const fw_local_problem *p, int i, int contact, const fw_state *state,
                         double *work, const double *free_a, size_t size, double *change) {
  const fw_variation *x = dae->variation;
  const fw_dae_point *point = &dae->points[contact];
  const fw_kinematic *kin = &point->kin;
  const fw_touch *touch = &state->touch[contact];
  size_t states = (size_t)point->pair->states, n = 2 * (size_t)p->count;
  fw_local_past past = {.t_z = work, .z_dt = work + states, .z_x = work + 2 * states};
  past.z_z = past.z_x + states * FW_STEP_INPUTS;
  work = past.z_z + states * states;
  fw_local_residual on = conditions(p, i, work);
  fw_local_differentiate(&p->points[i], p->N[i], p->T[i], &p->motion[i], work, &past);
  fw_normal_out law = {0};
  if (!fw_normal_is_rigid(&point->pair->normal))
    fw_normal_force(&point->pair->normal, touch->gap, touch->gap_velocity, &law);
  for (int k = 0; k < x->count; k++) {
    const double *a = free_a + (size_t)k * size, *dq = fw_variation_of(x->q, x->n, k);
    const double *dv = fw_variation_of(x->v, x->n, k), *dz = fw_variation_of(x->z, x->states, k);
    double *r = change + (size_t)k * n;
    r[0] = on.n_gap * fw_kinematic_along(kin, kin->gap_q, a) - law.N_gap * fw_kinematic_along(kin, kin->gap_q, dq) -
           law.N_rate * fw_kinematic_along(kin, kin->gap_q, dv);
    r[1] = on.t_slip * fw_kinematic_along(kin, kin->slip_q, a) + past.t_v0 * fw_kinematic_along(kin, kin->slip_q, dv);
    for (size_t j = 0; j < states; j++) r[1] += past.t_z[j] * dz[fw_dae_first_state(point) + j];
  }
}

static void take_changes(const fw_dae *dae, const int *who, int count, const double *forces, const double *a, int k) {
  const fw_variation *x = dae->variation;
  size_t bytes = (size_t)x->n * sizeof(double), contacts = (size_t)x->contacts * sizeof(double);
  double *N = fw_variation_of(x->N, x->contacts, k), *T = fw_variation_of(x->T, x->contacts, k);
  memcpy(fw_variation_of(x->a, x->n, k), a, bytes);
  memcpy(fw_variation_of(x->algorithmic, x->n, k), a, bytes);
  memset(N, 0, contacts);
  memset(T, 0, contacts);
  for (int i = 0; i < count; i++) {
    N[who[i]] = forces[2 * i];
    T[who[i]] = forces[2 * i + 1];
  }
}

fw_status fw_vary_settling(fw_context *ctx, const fw_dae *dae, const fw_mobility *mobility, const int *who,
                           const fw_state *state, fw_local_problem *p) {
  const fw_variation *x = dae->variation;
  fw_status status = FW_OK;
  size_t n = 2 * (size_t)p->count, size = (size_t)mobility->size;
  double *change = NULL, *work = NULL, *free_a = NULL;
  FW_TRY_DONE(fw_alloc(ctx, n * (size_t)x->count + 1, sizeof *change, &change));
  FW_TRY_DONE(fw_alloc(ctx, work_of(p) + size, sizeof *work, &work));
  FW_TRY_DONE(fw_alloc(ctx, size * (size_t)x->count, sizeof *free_a, &free_a));
  FW_TRY_DONE(free_changes(ctx, dae, mobility, state, work, free_a));
  for (int i = 0; i < p->count; i++) change_point(dae, p, i, who[i], state, work, free_a, size, change + 2 * i);
  FW_TRY_DONE(fw_local_vary(ctx, p, x->count, change));
  for (int k = 0; k < x->count; k++) {
    double *a = free_a + (size_t)k * size;
    add_answers(mobility, who, p->count, change + (size_t)k * n, dae->n, a);
    take_changes(dae, who, p->count, change + (size_t)k * n, a, k);
  }
done:
  free(change);
  free(work);
  free(free_a);
  return status;
}

/* ---- rest ------------------------------------------------------------------------------------ */

fw_status fw_vary_stop(fw_context *ctx, const fw_dae *dae, const fw_mobility *mobility, const int *held, int count) {
  static const double dependent = 1e-12;
  const fw_variation *x = dae->variation;
  int all = 2 * dae->model->contact_count;
  double *D = NULL, *P = NULL, *singular = NULL;
  fw_status status = FW_OK;
  lapack_int rank;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)count * (size_t)count + 1, sizeof *D, &D));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)count * (size_t)x->count + 1, sizeof *P, &P));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)count + 1, sizeof *singular, &singular));
  for (int i = 0; i < count; i++) {
    const fw_kinematic *kin = &dae->points[held[i] / 2].kin;
    for (int j = 0; j < count; j++) D[i * count + j] = mobility->D[held[i] * all + held[j]];
    for (int k = 0; k < x->count; k++)
      P[i * x->count + k] =
          -fw_kinematic_along(kin, held[i] % 2 ? kin->slip_q : kin->gap_q, fw_variation_of(x->v, x->n, k));
  }
  if (LAPACKE_dgelsd(LAPACK_ROW_MAJOR, count, count, x->count, D, count, P, x->count, singular, dependent, &rank) != 0)
    FW_TRY_DONE(fw_fail(ctx, FW_ERR_LIBRARY, "LAPACK dgelsd failed"));
  for (int k = 0; k < x->count; k++)
    for (int i = 0; i < count; i++) {
      const double *column = mobility->columns + held[i] * mobility->size;
      double *dv = fw_variation_of(x->v, x->n, k);
      for (int64_t j = 0; j < dae->n; j++) dv[j] += P[i * x->count + k] * column[j];
    }
done:
  free(D);
  free(P);
  free(singular);
  return status;
}
