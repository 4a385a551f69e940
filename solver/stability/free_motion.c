/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/stability/monodromy.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/unknown.h"

/* Rate of change at the first sample of what `stride` apart holds a value for every sample: difference of fourth order.
 */
static double rate(const fw_monodromy *x, const double *values, int stride) {
  int samples = x->motion->samples;
  double at[5];
  for (int k = 0; k < 5; k++) at[k] = values[(ptrdiff_t)stride * ((x->motion->start + k - 2 + samples) % samples)];
  return (8 * (at[3] - at[1]) - (at[4] - at[0])) / (12 * x->motion->h);
}

/* Second derivative, alike. */
static double curvature(const fw_monodromy *x, const double *values, int stride) {
  int samples = x->motion->samples;
  double at[5];
  for (int k = 0; k < 5; k++) at[k] = values[(ptrdiff_t)stride * ((x->motion->start + k - 2 + samples) % samples)];
  return (16 * (at[3] + at[1]) - (at[4] + at[0]) - 30 * at[2]) / (12 * x->motion->h * x->motion->h);
}

/* The state's rate of change: the disturbance that moves the motion in time. */
static void along_motion(const fw_monodromy *x, double *state) {
  int row = x->friction;
  for (int i = 0; i < x->n; i++) {
    state[i] = x->motion->v[x->motion->start * x->n + i];
    state[x->n + i] = rate(x, x->motion->v + i, x->n);
    state[2 * x->n + i] = curvature(x, x->motion->v + i, x->n);
  }
  for (int k = 0; k < x->motion->contact_count; k++) {
    const fw_motion_contact *c = &x->motion->contacts[k];
    for (int s = 0, all = c->friction->states; s < all; s++) state[row++] = rate(x, c->z + s, all);
    state[x->normal + k] = rate(x, c->N, 1);
  }
}

/* Row by which a state is told from one a little later: the fastest displacement. */
static int fastest(const fw_monodromy *x, const double *motion) {
  const double *M = x->motion->M;
  int row = 0;
  for (int i = 1; i < x->n; i++)
    if (M[i * x->n + i] * motion[i] * motion[i] > M[row * x->n + row] * motion[row] * motion[row]) row = i;
  return row;
}

/* Kinetic energy, and omega^2 M for the elastic one: x^T G y over displacements and velocities. */
static double product(const fw_monodromy *x, const double *a, int stride, const double *b, int other) {
  double omega = 2 * M_PI / (x->motion->h * x->motion->samples), sum = 0;
  for (int part = 0; part < 2; part++)
    for (int i = 0; i < x->n; i++)
      for (int j = 0; j < x->n; j++)
        sum += (part ? 1 : omega * omega) * x->motion->M[i * x->n + j] * a[(ptrdiff_t)stride * (part * x->n + i)] *
               b[(ptrdiff_t)other * (part * x->n + j)];
  return sum;
}

/* Which of the real eigenvectors moves as `family`: those that belong to the fast decay of friction states may move
 * alike, so of those nearly as like it as any the slowest to decay. -1: none does. */
static int find(const fw_monodromy *x, const double *vectors, const double *real, const double *imaginary,
                const double *family) {
  const double nearly = 0.8, enough = 0.5;
  int best = -1, m = x->states;
  double most = 0, own = product(x, family, 1, family, 1);
  for (int pass = 0; pass < 2; pass++)
    for (int k = 0; k < m; k++) {
      if (imaginary[k] != 0) continue;
      double length = product(x, vectors + k, m, vectors + k, m), along = product(x, vectors + k, m, family, 1);
      double likeness = length > 0 && own > 0 ? along * along / (length * own) : 0;
      if (pass == 0) most = fmax(most, likeness);
      if (pass == 1 && likeness > fmax(enough, nearly * most) && (best < 0 || real[k] > real[best])) best = k;
    }
  return best;
}

/* X - motion X[row], `motion` scaled so that its entry `row` is 1, has 0 where X has the multiplier of `motion`, and
 * all others, with vectors that have no part along it. */
static fw_status find_along(fw_context *ctx, fw_monodromy *x, fw_free_motion *f) {
  int m = x->states, row = fastest(x, f->motion);
  double *matrix;
  FW_TRY(fw_alloc(ctx, (size_t)m * ((size_t)m + 2), sizeof *matrix, &matrix));
  double *real = matrix + (size_t)m * (size_t)m, *imaginary = real + m;
  cblas_dscal(m, 1 / f->motion[row], f->motion, 1);
  cblas_daxpy(m, -f->family[row], f->motion, 1, f->family, 1);
  memcpy(matrix, x->X, (size_t)m * (size_t)m * sizeof *matrix);
  cblas_dger(CblasRowMajor, m, m, -1, f->motion, 1, x->X + (ptrdiff_t)row * m, 1, matrix, m);
  if (LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'V', m, matrix, m, real, imaginary, NULL, 1, x->next, m) == 0) {
    int k = find(x, x->next, real, imaginary, f->family);
    if (k >= 0) f->along = x->size * real[k];
  }
  free(matrix);
  return FW_OK;
}

static void normalise(const fw_monodromy *x, double *state) {
  double length = sqrt(product(x, state, 1, state, 1));
  if (length > 0) cblas_dscal(x->states, 1 / length, state, 1);
}

fw_status fw_free_motion_find(fw_context *ctx, fw_monodromy *x, fw_free_motion *f) {
  *f = (fw_free_motion){.along = fw_unknown()};
  fw_status status = fw_alloc(ctx, (size_t)x->states, sizeof *f->motion, &f->motion);
  if (status == FW_OK) status = fw_alloc(ctx, (size_t)x->states, sizeof *f->family, &f->family);
  if (status == FW_OK) {
    memcpy(f->family, x->motion->family, 2 * (size_t)x->n * sizeof *f->family);
    along_motion(x, f->motion);
    status = find_along(ctx, x, f);
  }
  if (status != FW_OK) {
    fw_free_motion_clear(f);
    return status;
  }
  normalise(x, f->motion);
  cblas_daxpy(x->states, -product(x, f->motion, 1, f->family, 1), f->motion, 1, f->family, 1);
  normalise(x, f->family);
  return FW_OK;
}

void fw_free_motion_clear(fw_free_motion *f) {
  free(f->motion);
  free(f->family);
  *f = (fw_free_motion){0};
}

double fw_free_motion_share(const fw_monodromy *x, const fw_free_motion *f, const double *vectors, int k,
                            bool complex_pair) {
  double whole = 0, part = 0;
  for (int c = k; c <= k + complex_pair; c++) {
    double a = product(x, vectors + c, x->states, f->motion, 1), b = product(x, vectors + c, x->states, f->family, 1);
    whole += product(x, vectors + c, x->states, vectors + c, x->states);
    part += a * a + b * b;
  }
  return whole > 0 ? part / whole : 0;
}
