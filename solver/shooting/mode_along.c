/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which multiplier is that of a disturbance along a nonlinear mode. The matrix
 *
 *   dP/dx - m (row of dP/dx)/m_row,   m = dP/domega, a disturbance that moves the motion in time,
 *
 * has 0 in place of the multiplier of m, and all others, with vectors that have no part along m at that row. The one
 * wanted moves as the curve's tangent does, less its part along m. */
#include "core/unknown.h"
#include "solver/shooting/shooting.h"

/* behind the headers that have members of that name: it defines I */
#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ENOUGH = 0.5; /* likeness, 0 to 1: it moves as the mode, */
static const double NEARLY = 0.8; /* or as nearly as any other does */

/* Kinetic energy, and omega^2 M for the elastic one, of displacements and velocities. */
static double product(const fw_period_map *map, const double *a, const double *b) {
  const fw_sparse *M = map->system->M;
  int64_t n = map->variation.n;
  double square = map->omega * map->omega, sum = 0;
  for (int64_t j = 0; j < n; j++)
    for (int64_t k = M->p[j]; k < M->p[j + 1]; k++) {
      int64_t i = M->i[k];
      if (i < n) sum += M->x[k] * (square * a[i] * b[j] + a[n + i] * b[n + j]);
    }
  return sum;
}

static double likeness(const fw_period_map *map, const double *a, const double *b) {
  double lengths = product(map, a, a) * product(map, b, b), along = product(map, a, b);
  return lengths > 0 ? along * along / lengths : 0;
}

/* Of real vectors that are nearly as like the family as any the slowest to decay: friction states that decay fast may
 * move alike. NaN: none is. */
static double choose(const fw_period_map *map, const double *vectors, const double *real, const double *imaginary,
                     const double *family) {
  double most = ENOUGH, best = fw_unknown();
  int m = map->n;
  for (int pass = 0; pass < 2; pass++)
    for (int k = 0; k < m; k++) {
      if (imaginary[k] != 0) continue;
      double like = likeness(map, vectors + (ptrdiff_t)k * m, family);
      if (pass == 0) most = fmax(most, NEARLY * like);
      if (pass == 1 && like >= most && !(real[k] <= best)) best = real[k];
    }
  return best;
}

/* The entry by which a state is told from one a little later. */
static int fastest(const fw_period_map *map, const double *motion) {
  int row = 0;
  for (int i = 1; i < map->variation.n; i++)
    if (fabs(motion[i]) > fabs(motion[row])) row = i;
  return row;
}

fw_status fw_shooting_along(fw_shooting *s, double *along) {
  const fw_period_map *map = &s->map;
  size_t m = (size_t)map->n;
  double *A = NULL;
  FW_TRY(fw_alloc(map->ctx, m * (2 * m + 4), sizeof *A, &A));
  double *vectors = A + m * m, *real = vectors + m * m, *imaginary = real + m, *motion = imaginary + m,
         *family = motion + m;
  fw_period_map_by(&s->map, FW_MAP_OMEGA, motion);
  int row = fastest(map, motion), n = (int)m;
  *along = fw_unknown();
  if (motion[row] != 0) {
    cblas_dscal(n, 1 / motion[row], motion, 1);
    memcpy(family, s->family, m * sizeof *family);
    cblas_daxpy(n, -family[row], motion, 1, family, 1);
    memcpy(A, s->derivative, m * m * sizeof *A);
    cblas_dger(CblasColMajor, n, n, -1, motion, 1, s->derivative + row, n, A, n);
    if (LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'V', n, A, n, real, imaginary, NULL, 1, vectors, n) == 0)
      *along = choose(map, vectors, real, imaginary, family);
  }
  free(A);
  return FW_OK;
}
