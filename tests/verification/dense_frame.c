/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dense_frame.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static fw_dense_frame *make(const char *element, const fw_properties *props, int nodes, int elements) {
  fw_dense_frame *frame = calloc(1, sizeof *frame);
  frame->ops = (const fw_element_ops *)(const void *)fw_table_find(&fw_elements, element);
  frame->props = *props;
  frame->nodes = nodes;
  frame->elements = elements;
  frame->X = calloc((size_t)nodes, 2 * sizeof *frame->X);
  frame->ends = calloc((size_t)elements, 2 * sizeof *frame->ends);
  frame->fixed = calloc((size_t)nodes, 3 * sizeof *frame->fixed);
  return frame;
}

fw_dense_frame *fw_frame_star(const char *element, const fw_properties *props, double length, int arms, int divisions) {
  fw_dense_frame *frame = make(element, props, 1 + arms * divisions, arms * divisions);
  for (int a = 0; a < arms; a++)
    for (int i = 1; i <= divisions; i++) {
      int node = a * divisions + i;
      frame->X[2 * node] = length * i / divisions * cos(2 * M_PI * a / arms);
      frame->X[2 * node + 1] = length * i / divisions * sin(2 * M_PI * a / arms);
      frame->ends[2 * (node - 1)] = i == 1 ? 0 : node - 1;
      frame->ends[2 * (node - 1) + 1] = node;
    }
  return frame;
}

fw_dense_frame *fw_frame_line(const char *element, const fw_properties *props, double length, double angle,
                              int divisions) {
  fw_dense_frame *frame = fw_frame_star(element, props, length, 1, divisions);
  for (int i = 0; i < frame->nodes; i++) {
    double along = frame->X[2 * i];
    frame->X[2 * i] = along * cos(angle);
    frame->X[2 * i + 1] = along * sin(angle);
  }
  return frame;
}

void fw_frame_destroy(fw_dense_frame **frame) {
  if (!*frame) return;
  free((*frame)->X);
  free((*frame)->ends);
  free((*frame)->fixed);
  free(*frame);
  *frame = NULL;
}

void fw_frame_fix(fw_dense_frame *frame, int node, const char *directions) {
  for (; *directions; directions++)
    frame->fixed[3 * node + (*directions == 'x' ? 0 : *directions == 'y' ? 1 : 2)] = true;
}

/* Freedoms and places of element e. */
static void gather(const fw_dense_frame *frame, int e, int dof[6], double X[4]) {
  for (int i = 0; i < 6; i++) dof[i] = 3 * frame->ends[2 * e + i / 3] + i % 3;
  for (int i = 0; i < 4; i++) X[i] = frame->X[2 * frame->ends[2 * e + i / 2] + i % 2];
}

static void scatter(const double *local, const int dof[6], int n, double *matrix) {
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) matrix[n * dof[i] + dof[j]] += local[6 * i + j];
}

void fw_frame_force(const fw_dense_frame *frame, const double *q, double *f, double *K) {
  int n = 3 * frame->nodes, dof[6];
  double X[4], qe[6], fe[6], Ke[36];
  memset(f, 0, (size_t)n * sizeof *f);
  if (K) memset(K, 0, (size_t)(n * n) * sizeof *K);
  for (int e = 0; e < frame->elements; e++) {
    gather(frame, e, dof, X);
    for (int i = 0; i < 6; i++) qe[i] = q[dof[i]];
    if (frame->ops->force(&frame->props, X, qe, NULL, fe, K ? Ke : NULL, NULL) != FW_OK) fe[0] = NAN;
    for (int i = 0; i < 6; i++) f[dof[i]] += fe[i];
    if (K) scatter(Ke, dof, n, K);
  }
}

static void mass(const fw_dense_frame *frame, double *M) {
  int n = 3 * frame->nodes, dof[6];
  double X[4], Me[36];
  memset(M, 0, (size_t)(n * n) * sizeof *M);
  for (int e = 0; e < frame->elements; e++) {
    gather(frame, e, dof, X);
    fw_element_mass_matrix(frame->ops, &frame->props, X, Me);
    scatter(Me, dof, n, M);
  }
}

/* Packs the rows and columns of free freedoms to the front; returns how many. */
static int condense(const fw_dense_frame *frame, double *matrix) {
  int n = 3 * frame->nodes, m = 0;
  for (int i = 0; i < n; i++) m += !frame->fixed[i];
  double *packed = matrix;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (!frame->fixed[i] && !frame->fixed[j]) *packed++ = matrix[n * i + j];
  return m;
}

int fw_frame_equilibrium(const fw_dense_frame *frame, const double *load, double *q) {
  int n = 3 * frame->nodes, done = -1;
  double *f = calloc((size_t)n, sizeof *f), *K = calloc((size_t)(n * n), sizeof *K);
  int *pivots = calloc((size_t)n, sizeof *pivots);
  for (int iteration = 1; iteration <= 60 && done < 0; iteration++) {
    double change = 0, size = 0;
    int m = 0;
    fw_frame_force(frame, q, f, K);
    for (int i = 0; i < n; i++)
      if (!frame->fixed[i]) f[m++] = load[i] - f[i];
    condense(frame, K);
    if (LAPACKE_dgesv(LAPACK_ROW_MAJOR, m, 1, K, m, pivots, f, 1) != 0) break;
    m = 0;
    for (int i = 0; i < n; i++)
      if (!frame->fixed[i]) {
        change = fmax(change, fabs(f[m]));
        q[i] += f[m++];
        size = fmax(size, fabs(q[i]));
      }
    if (change <= 1e-10 * size) done = iteration;
  }
  free(f);
  free(K);
  free(pivots);
  return done;
}

void fw_frame_frequencies(const fw_dense_frame *frame, const double *q, int count, double *omega) {
  int n = 3 * frame->nodes;
  double *f = calloc((size_t)n, sizeof *f), *rest = calloc((size_t)n, sizeof *rest);
  double *K = calloc((size_t)(n * n), sizeof *K), *M = calloc((size_t)(n * n), sizeof *M);
  fw_frame_force(frame, q ? q : rest, f, K);
  mass(frame, M);
  int m = condense(frame, K);
  condense(frame, M);
  int info = LAPACKE_dsygv(LAPACK_ROW_MAJOR, 1, 'N', 'U', m, K, m, M, m, f);
  for (int i = 0; i < count; i++) omega[i] = info == 0 ? sqrt(fmax(f[i], 0)) : NAN;
  free(f);
  free(rest);
  free(K);
  free(M);
}

double fw_frame_buckling(const fw_dense_frame *frame, const double *q) {
  int n = 3 * frame->nodes;
  double *f = calloc((size_t)n, sizeof *f), *rest = calloc((size_t)n, sizeof *rest);
  double *K = calloc((size_t)(n * n), sizeof *K), *G = calloc((size_t)(n * n), sizeof *G);
  fw_frame_force(frame, q, f, G);
  fw_frame_force(frame, rest, f, K);
  for (int k = 0; k < n * n; k++) G[k] = K[k] - G[k];
  int m = condense(frame, K);
  condense(frame, G);
  /* G x = mu K x with the largest mu = 1/factor. */
  int info = LAPACKE_dsygv(LAPACK_ROW_MAJOR, 1, 'N', 'U', m, G, m, K, m, f);
  double factor = info == 0 ? 1 / f[m - 1] : NAN;
  free(f);
  free(rest);
  free(K);
  free(G);
  return factor;
}
