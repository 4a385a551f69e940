/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/time/ida/held.h"

#include "solver/time/ida/vary.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DEPENDENT = 1e-12; /* of the largest mobility: directions move each other */

/* The held directions, numbered as in the mobility. */
static int find_held(const fw_dae *dae, int *held) {
  int count = 0;
  for (int c = 0; c < dae->model->contact_count; c++) {
    const fw_dae_point *point = &dae->points[c];
    if (!point->closed) continue;
    if (fw_normal_is_rigid(&point->pair->normal)) held[count++] = 2 * c;
    if (point->mode == FW_TANGENT_STICK) held[count++] = 2 * c + 1;
  }
  return count;
}

static void take_block(const fw_dae *dae, const fw_mobility *mobility, const int *held, int count, double *D) {
  int all = 2 * dae->model->contact_count;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++) D[i * count + j] = mobility->D[held[i] * all + held[j]];
}

/* ---- rest -------------------------------------------------------------------------------- */

static double velocity_along(const fw_dae *dae, int direction, const fw_state *state) {
  const fw_kinematic *kin = &dae->points[direction / 2].kin;
  return fw_kinematic_along(kin, direction % 2 ? kin->slip_q : kin->gap_q, state->v);
}

/* D P = -v, the smallest P. */
static fw_status stop(fw_context *ctx, const fw_dae *dae, const fw_mobility *mobility, const int *held, int count,
                      double *room, fw_state *state, double *lost) {
  double *D = room, *P = D + count * count, *singular = P + count;
  lapack_int rank;
  take_block(dae, mobility, held, count, D);
  for (int i = 0; i < count; i++) P[i] = -velocity_along(dae, held[i], state);
  if (LAPACKE_dgelsd(LAPACK_ROW_MAJOR, count, count, 1, D, count, P, 1, singular, DEPENDENT, &rank) != 0)
    return fw_fail(ctx, FW_ERR_LIBRARY, "LAPACK dgelsd failed");
  for (int i = 0; i < count; i++) {
    const double *column = mobility->columns + held[i] * mobility->size;
    *lost -= 0.5 * P[i] * velocity_along(dae, held[i], state);
    for (int64_t k = 0; k < dae->n; k++) state->v[k] += P[i] * column[k];
    *lost -= 0.5 * P[i] * velocity_along(dae, held[i], state);
  }
  return FW_OK;
}

fw_status fw_held_stop(fw_context *ctx, const fw_dae *dae, const fw_mobility *mobility, fw_state *state, double *lost) {
  fw_status status = FW_OK;
  int *held = NULL;
  double *room = NULL;
  FW_TRY_DONE(fw_alloc(ctx, 2 * (size_t)dae->model->contact_count, sizeof *held, &held));
  int count = find_held(dae, held);
  FW_TRY_DONE(fw_alloc(ctx, (size_t)count * ((size_t)count + 2), sizeof *room, &room));
  if (count > 0 && dae->variation) FW_TRY_DONE(fw_vary_stop(ctx, dae, mobility, held, count));
  if (count > 0) FW_TRY_DONE(stop(ctx, dae, mobility, held, count, room, state, lost));
done:
  free(held);
  free(room);
  return status;
}

/* ---- shared forces ----------------------------------------------------------------------- */

void fw_shared_clear(fw_shared *shared) {
  free(shared->at);
  free(shared->null);
  free(shared->held);
  *shared = (fw_shared){0};
}

/* Cholesky's factors of the mobility tell that it is regular, at little cost. */
static bool is_regular(const double *D, double *L, int count) {
  double most = 0.0, least = INFINITY;
  memcpy(L, D, (size_t)count * (size_t)count * sizeof *L);
  for (int i = 0; i < count; i++) most = fmax(most, D[i * (count + 1)]);
  if (LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'U', count, L, count) != 0) return false;
  for (int i = 0; i < count; i++) least = fmin(least, L[i * (count + 1)] * L[i * (count + 1)]);
  return least > 1e3 * DEPENDENT * most;
}

/* Directions that take part in a null vector, with Z: the eigenvectors of D without mobility. */
static fw_status take_null(fw_context *ctx, const fw_dae *dae, const int *directions, int count, const double *V,
                           const double *eigenvalues, fw_shared *s) {
  double most = eigenvalues[count - 1];
  while (s->rank < count && eigenvalues[s->rank] <= DEPENDENT * most) s->rank++;
  if (s->rank == 0) return FW_OK;
  s->scale = most;
  FW_TRY(fw_alloc(ctx, (size_t)count, sizeof *s->at, &s->at));
  FW_TRY(fw_alloc(ctx, (size_t)count, sizeof *s->held, &s->held));
  FW_TRY(fw_alloc(ctx, (size_t)count * (size_t)s->rank, sizeof *s->null, &s->null));
  for (int i = 0; i < count; i++) {
    double size = 0.0;
    for (int r = 0; r < s->rank; r++) size = fmax(size, fabs(V[i * count + r]));
    if (size <= 1e-9) continue;
    for (int r = 0; r < s->rank; r++) s->null[s->count * s->rank + r] = V[i * count + r];
    s->at[s->count++] = dae->contact_at + directions[i];
  }
  return FW_OK;
}

static fw_status find_null(fw_context *ctx, const fw_dae *dae, const fw_mobility *mobility, const int *directions,
                           int count, fw_shared *shared) {
  fw_status status = FW_OK;
  double *room = NULL;
  fw_shared_clear(shared);
  if (count < 2) return FW_OK;
  FW_TRY(fw_alloc(ctx, (size_t)count * (2 * (size_t)count + 1), sizeof *room, &room));
  double *D = room, *L = D + count * count, *eigenvalues = L + count * count;
  take_block(dae, mobility, directions, count, D);
  if (is_regular(D, L, count)) goto done;
  if (LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'V', 'U', count, D, count, eigenvalues) != 0)
    status = fw_fail(ctx, FW_ERR_LIBRARY, "LAPACK dsyev failed");
  if (status == FW_OK) status = take_null(ctx, dae, directions, count, D, eigenvalues, shared);
done:
  free(room);
  return status;
}

/* Points at their limit but at rest, whose slip what is held may forbid. */
static int add_waiting(const fw_dae *dae, int *directions, int count) {
  for (int c = 0; c < dae->model->contact_count; c++) {
    const fw_dae_point *point = &dae->points[c];
    if (point->mode == FW_TANGENT_SLIP && fabs(point->slip_rate) <= FW_DAE_REST) directions[count++] = 2 * c + 1;
  }
  return count;
}

static void mark_jammed(fw_dae *dae) {
  for (int c = 0; c < dae->model->contact_count; c++) dae->points[c].jammed = false;
  for (int i = 0; i < dae->jam.count; i++) {
    int64_t direction = dae->jam.at[i] - dae->contact_at;
    fw_dae_point *point = &dae->points[direction / 2];
    if (direction % 2 && point->mode == FW_TANGENT_SLIP) point->jammed = true;
  }
}

fw_status fw_held_find_shared(fw_context *ctx, fw_dae *dae, const fw_mobility *mobility) {
  int *directions = NULL;
  FW_TRY(fw_alloc(ctx, 2 * (size_t)dae->model->contact_count, sizeof *directions, &directions));
  int held = find_held(dae, directions), all = add_waiting(dae, directions, held);
  fw_status status = find_null(ctx, dae, mobility, directions, held, &dae->shared);
  if (status == FW_OK) status = find_null(ctx, dae, mobility, directions, all > held ? all : 0, &dae->jam);
  if (status == FW_OK) mark_jammed(dae);
  free(directions);
  return status;
}

double fw_jam_shared_force(const fw_dae *dae, int64_t at, const double *y) {
  const fw_shared *s = &dae->jam;
  double force = y[at];
  for (int i = 0; i < s->count; i++) {
    if (s->at[i] != at) continue;
    for (int r = 0; r < s->rank; r++) {
      double sum = 0.0;
      for (int j = 0; j < s->count; j++) sum += s->null[j * s->rank + r] * y[s->at[j]];
      force -= s->null[i * s->rank + r] * sum;
    }
  }
  return force;
}

void fw_shared_residual(const fw_dae *dae, const double *y, double *F) {
  const fw_shared *s = &dae->shared;
  for (int i = 0; i < s->count; i++) s->held[i] = s->scale * y[s->at[i]] - F[s->at[i]];
  for (int r = 0; r < s->rank; r++) {
    double sum = 0.0;
    for (int i = 0; i < s->count; i++) sum += s->null[i * s->rank + r] * s->held[i];
    for (int i = 0; i < s->count; i++) F[s->at[i]] += s->null[i * s->rank + r] * sum;
  }
}

void fw_shared_jacobian(fw_dae *dae) {
  const fw_shared *s = &dae->shared;
  for (int i = 0; i < s->count; i++)
    for (int j = 0; j < s->count; j++) {
      double sum = 0.0;
      for (int r = 0; r < s->rank; r++) sum += s->null[i * s->rank + r] * s->null[j * s->rank + r];
      fw_dae_put(dae, s->at[i], s->at[j], s->scale * sum);
    }
}

bool fw_shared_needs_pattern(const fw_dae *dae) {
  const fw_shared *s = &dae->shared;
  for (int i = 0; i < s->count; i++)
    for (int j = 0; j < s->count; j++)
      if (fw_sparse_position(dae->jacobian, s->at[i], s->at[j]) < 0) return true;
  return false;
}
