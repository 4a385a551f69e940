/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "elements/space/axes.h"

#include <stddef.h>

/* The entries of one node that `slots` name. */
static void turn_three(const double *axes, const int slots[3], bool back, double *v) {
  const double old[3] = {v[slots[0]], v[slots[1]], v[slots[2]]};
  for (int i = 0; i < 3; i++) {
    v[slots[i]] = 0.0;
    for (int j = 0; j < 3; j++) v[slots[i]] += (back ? axes[3 * j + i] : axes[3 * i + j]) * old[j];
  }
}

static void turn_all(const fw_space_axes *a, bool back, double *vector) {
  for (int i = 0; i < a->nodes; i++) {
    const double *axes = a->axes + (ptrdiff_t)a->stride * i;
    turn_three(axes, fw_dof_moves, back, vector + (ptrdiff_t)FW_SPACE_DOFS * i);
    turn_three(axes, fw_dof_turnings, back, vector + (ptrdiff_t)FW_SPACE_DOFS * i);
  }
}

/* Rows, then columns. */
static void turn_both(const fw_space_axes *a, bool back, double *matrix) {
  int n = FW_SPACE_DOFS * a->nodes;
  double column[FW_SPACE_MOST];
  for (int i = 0; i < n; i++) turn_all(a, back, matrix + (ptrdiff_t)n * i);
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++) column[i] = matrix[n * i + j];
    turn_all(a, back, column);
    for (int i = 0; i < n; i++) matrix[n * i + j] = column[i];
  }
}

void fw_space_turn(const fw_space_axes *to, double *vector) { turn_all(to, false, vector); }
void fw_space_turn_back(const fw_space_axes *from, double *vector) { turn_all(from, true, vector); }
void fw_space_turn_matrix(const fw_space_axes *to, double *matrix) { turn_both(to, false, matrix); }
void fw_space_turn_matrix_back(const fw_space_axes *from, double *matrix) { turn_both(from, true, matrix); }
