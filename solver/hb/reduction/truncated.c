/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reduced structure with some of its rest beside the coordinates, as whole matrices. */
#include "solver/hb/reduction/reduced.h"

/* The stiffness between and among the rest, all of it skew, and the skew part of the damping between. */
static void add_skew(const fw_reduced *r, int kept, double *C, double *K) {
  int c = r->coordinates, n = c + kept;
  for (int i = 0; i < c; i++)
    for (int j = 0; j < kept; j++) {
      K[i * n + c + j] += r->K_skew_zr[j * c + i];
      K[(c + j) * n + i] -= r->K_skew_zr[j * c + i];
      C[i * n + c + j] += r->C_skew_zr[j * c + i];
      C[(c + j) * n + i] -= r->C_skew_zr[j * c + i];
    }
  for (int u = 0; u < r->still; u++)
    for (int i = 0; i < kept; i++)
      for (int j = 0; j < kept; j++)
        K[(c + i) * n + c + j] += r->U[u * r->rest + i] * r->K_u[u] * r->Y[u * r->rest + j];
}

/* Row i of the rest's own damping. */
static void rest_damping(const fw_reduced *r, int kept, int i, double *C) {
  const double *Y = r->skew ? r->Y : r->U;
  C[i] = r->alpha * r->M_r[i] + r->beta;
  for (int u = 0; u < r->rank; u++)
    for (int j = 0; j < kept; j++) C[j] += r->U[u * r->rest + i] * r->C_u[u] * Y[u * r->rest + j];
}

void fw_reduced_truncate(const fw_reduced *r, int kept, double *M, double *C, double *K) {
  int c = r->coordinates, n = c + kept; /* the reduction's own are column major */
  for (int i = 0; i < c; i++)
    for (int j = 0; j < c; j++) {
      M[i * n + j] = r->M[j * c + i];
      C[i * n + j] = r->C[j * c + i];
      K[i * n + j] = r->K[j * c + i];
    }
  for (int i = 0; i < c; i++)
    for (int j = 0; j < kept; j++) {
      M[i * n + c + j] = M[(c + j) * n + i] = r->M_zr[j * c + i];
      C[i * n + c + j] = C[(c + j) * n + i] = r->C_zr[j * c + i];
    }
  for (int i = 0; i < kept; i++) {
    M[(c + i) * (n + 1)] = r->M_r[i];
    K[(c + i) * (n + 1)] = 1;
    rest_damping(r, kept, i, &C[(c + i) * n + c]);
  }
  if (r->skew) add_skew(r, kept, C, K);
}
