/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/aft/period_map.h"

#include <lapacke.h>
#include <math.h>
#include <stddef.h>

static const double SMALL = 1e-7; /* singular value of I - map that counts as zero */

/* Singular values and vectors of I - map = left diag(values) right, in the work space. */
typedef struct decomposition {
  double *values, *left, *right, *coefficient;
} decomposition;

size_t fw_period_map_room(size_t states) { return 3 * states * states + 3 * states; }

static decomposition decompose(int n, const double *map, double *room) {
  ptrdiff_t square = (ptrdiff_t)n * n;
  double *A = room, *work = room + 3 * square;
  decomposition d = {
      .left = A + square, .right = A + 2 * square, .values = work + n, .coefficient = work + 2 * (ptrdiff_t)n};
  for (int i = 0; i < n * n; i++) A[i] = (i % (n + 1) == 0) - map[i];
  LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'A', 'A', n, n, A, n, d.values, d.left, n, d.right, n, work);
  return d;
}

static bool diagonal(int states, bool uncoupled) { return uncoupled || states <= 1; }

bool fw_period_map_is_identity_somewhere(int states, bool uncoupled, const double *map, double *room) {
  if (diagonal(states, uncoupled)) {
    for (int k = 0; k < states; k++)
      if (fabs(1 - map[k * states + k]) < SMALL) return true;
    return false;
  }
  return decompose(states, map, room).values[states - 1] < SMALL;
}

/* One column of the general case: x = sum over k of right_k times its coefficient. */
static void solve_column(int n, const decomposition *d, double *rhs, int columns, const double *kept) {
  double *coefficient = d->coefficient;
  for (int k = 0; k < n; k++) {
    coefficient[k] = 0;
    for (int i = 0; i < n; i++) {
      if (d->values[k] >= SMALL) coefficient[k] += d->left[i * n + k] * rhs[i * columns] / d->values[k];
      if (d->values[k] < SMALL && kept) coefficient[k] += d->right[k * n + i] * kept[i * columns];
    }
  }
  for (int i = 0; i < n; i++) {
    rhs[i * columns] = 0;
    for (int k = 0; k < n; k++) rhs[i * columns] += d->right[k * n + i] * coefficient[k];
  }
}

void fw_period_map_solve(int states, bool uncoupled, const double *map, double *rhs, int columns, const double *kept,
                         double *room) {
  if (!diagonal(states, uncoupled)) {
    decomposition d = decompose(states, map, room);
    for (int c = 0; c < columns; c++) solve_column(states, &d, rhs + c, columns, kept ? kept + c : NULL);
    return;
  }
  for (int k = 0; k < states; k++) {
    double slope = 1 - map[k * states + k];
    for (int c = 0; c < columns; c++) {
      double *x = &rhs[k * columns + c];
      *x = fabs(slope) >= SMALL ? *x / slope : kept ? kept[k * columns + c] : 0;
    }
  }
}
