/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/assembly/craig_bampton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/linalg/eigen.h"

static const double SAME_MODE = 1e-6; /* relative difference of eigenvalues that are one */

/* The interior falls into pieces that only what stays joins; each is reduced by itself, which keeps the reduced matrices
 * as sparse as the structure is. */
typedef struct work_space {
  const fw_system *system;
  int *piece, pieces;     /* of each freedom of the system: the piece it goes with, or -1 */
  int *place, count;      /* of each freedom among those of the present piece, or -1; how many it has */
  fw_sparse *K_ii, *M_ii; /* of the present piece */
  fw_factor *factor;
  double *values, *vectors; /* its modes */
  double *squares;          /* of all modes so far */
  double *column, *product; /* [system size] */
} work_space;

/* Gives all that can be reached from freedom `first` without what stays the number of a piece. */
static void mark_piece(const work_space *w, const char *part, int first, int number, int *stack) {
  const fw_sparse *K = w->system->K;
  int depth = 0;
  w->piece[first] = number;
  for (stack[depth++] = first; depth > 0;) {
    int j = stack[--depth];
    for (int64_t k = K->p[j]; k < K->p[j + 1]; k++) {
      int i = (int)K->i[k];
      if (part[i] != FW_CRAIG_BAMPTON_GOES || w->piece[i] >= 0) continue;
      w->piece[i] = number;
      stack[depth++] = i;
    }
  }
}

static fw_status find_parts(fw_context *ctx, const char *part, work_space *w, fw_craig_bampton *self) {
  size_t n = (size_t)w->system->size;
  FW_TRY(fw_alloc(ctx, n, sizeof *w->piece, &w->piece));
  FW_TRY(fw_alloc(ctx, n, sizeof *w->place, &w->place));
  FW_TRY(fw_alloc(ctx, n, sizeof *self->stays, &self->stays));
  FW_TRY(fw_alloc(ctx, n, sizeof *self->goes, &self->goes));
  for (size_t i = 0; i < n; i++) w->piece[i] = -1;
  for (int i = 0; i < (int)n; i++) {
    bool goes = part[i] == FW_CRAIG_BAMPTON_GOES;
    if (goes && w->piece[i] < 0) mark_piece(w, part, i, w->pieces++, w->place);
    if (goes) self->goes[self->interior++] = i;
    if (part[i] == FW_CRAIG_BAMPTON_STAYS) self->stays[self->boundary++] = i;
  }
  return FW_OK;
}

/* ---- one piece ------------------------------------------------------------------------------- */

static void piece_entries(const void *user, fw_entries *entries) {
  const work_space *w = user;
  const fw_sparse *K = w->system->K;
  for (int64_t j = 0; j < K->n; j++)
    for (int64_t k = K->p[j]; k < K->p[j + 1]; k++)
      if (w->place[j] >= 0 && w->place[K->i[k]] >= 0) fw_entries_add(entries, w->place[K->i[k]], w->place[j]);
}

static void take_piece(const work_space *w, const fw_sparse *from, fw_sparse *to) {
  for (int64_t j = 0; j < from->n; j++)
    for (int64_t k = from->p[j]; k < from->p[j + 1]; k++)
      if (w->place[j] >= 0 && w->place[from->i[k]] >= 0)
        to->x[fw_sparse_position(to, w->place[from->i[k]], w->place[j])] = from->x[k];
}

static void leave_piece(work_space *w) {
  fw_sparse_destroy(&w->K_ii);
  fw_sparse_destroy(&w->M_ii);
  fw_factor_destroy(&w->factor);
  free(w->values);
  free(w->vectors);
  w->values = w->vectors = NULL;
}

static fw_status enter_piece(fw_context *ctx, work_space *w, int number, const fw_craig_bampton *self) {
  leave_piece(w);
  w->count = 0;
  for (int64_t i = 0; i < w->system->size; i++) w->place[i] = -1;
  for (int i = 0; i < self->interior; i++)
    if (w->piece[self->goes[i]] == number) w->place[self->goes[i]] = w->count++;
  FW_TRY(fw_sparse_create(ctx, w->count, piece_entries, w, &w->K_ii));
  FW_TRY(fw_sparse_like(ctx, w->K_ii, &w->M_ii));
  take_piece(w, w->system->K, w->K_ii);
  take_piece(w, w->system->M, w->M_ii);
  FW_TRY(fw_factor_create_definite(ctx, w->K_ii, &w->factor));
  return fw_factor_compute(ctx, w->factor, w->K_ii, NULL);
}

/* Modes to keep of `found`, of which one more than wanted may be asked for: a round tube's come in pairs, and which half
 * of a pair comes first is up to rounding. */
static int whole_pairs(const double *values, int found, int wanted) {
  if (found <= wanted) return found;
  double last = values[wanted - 1];
  return values[wanted] - last <= SAME_MODE * fabs(last) ? wanted + 1 : wanted;
}

/* Columns of Phi. */
static fw_status piece_modes(fw_context *ctx, work_space *w, int wanted, size_t stride, fw_craig_bampton *self) {
  int count = wanted < w->count ? wanted + 1 : w->count, found = 0;
  if (wanted == 0 || w->count == 0) return FW_OK;
  FW_TRY(fw_alloc(ctx, (size_t)count, sizeof *w->values, &w->values));
  FW_TRY(fw_alloc(ctx, (size_t)count * (size_t)w->count, sizeof *w->vectors, &w->vectors));
  FW_TRY(fw_eigen_lowest(ctx, w->K_ii, w->M_ii, w->count, count, w->values, w->vectors, &found));
  for (int m = 0, kept = whole_pairs(w->values, found, wanted); m < kept; m++, self->modes++) {
    w->squares[self->modes] = w->values[m];
    for (int i = 0; i < self->interior; i++) {
      int at = w->place[self->goes[i]];
      if (at < 0) continue;
      self->T[(size_t)i * stride + (size_t)(self->boundary + self->modes)] =
          w->vectors[(size_t)m * (size_t)w->count + (size_t)at];
    }
  }
  return FW_OK;
}

/* Columns of Psi. */
static fw_status piece_constraints(fw_context *ctx, const work_space *w, size_t stride, const fw_craig_bampton *self) {
  const fw_sparse *K = w->system->K;
  for (int j = 0; j < self->boundary; j++) {
    bool meets = false;
    memset(w->column, 0, (size_t)w->count * sizeof *w->column);
    for (int64_t k = K->p[self->stays[j]]; k < K->p[self->stays[j] + 1]; k++) {
      if (w->place[K->i[k]] < 0 || K->x[k] == 0.0) continue;
      w->column[w->place[K->i[k]]] = -K->x[k];
      meets = true;
    }
    if (!meets) continue;
    FW_TRY(fw_factor_solve(ctx, w->factor, w->column, 1));
    for (int i = 0; i < self->interior; i++)
      if (w->place[self->goes[i]] >= 0) self->T[(size_t)i * stride + (size_t)j] = w->column[w->place[self->goes[i]]];
  }
  return FW_OK;
}

/* ---- the transformation ---------------------------------------------------------------------- */

static fw_status make_transformation(fw_context *ctx, work_space *w, int wanted, fw_craig_bampton *self) {
  size_t n = (size_t)self->interior, most = ((size_t)wanted + 1) * (size_t)w->pieces;
  if (most > n) most = n;
  size_t stride = (size_t)self->boundary + most, size;
  FW_TRY(fw_alloc(ctx, most + 1, sizeof *w->squares, &w->squares));
  FW_TRY(fw_alloc(ctx, n * stride + 1, sizeof *self->T, &self->T));
  for (int p = 0; p < w->pieces; p++) {
    FW_TRY(enter_piece(ctx, w, p, self));
    FW_TRY(piece_constraints(ctx, w, stride, self));
    FW_TRY(piece_modes(ctx, w, wanted, stride, self));
  }
  size = (size_t)fw_craig_bampton_size(self);
  for (size_t i = 1; size < stride && i < n; i++)
    memmove(self->T + i * size, self->T + i * stride, size * sizeof *self->T);
  return FW_OK;
}

void fw_craig_bampton_project(const fw_craig_bampton *self, const double *force, double *out) {
  size_t size = (size_t)fw_craig_bampton_size(self);
  memset(out, 0, size * sizeof *out);
  for (int j = 0; j < self->boundary; j++) out[j] = force[self->stays[j]];
  for (int i = 0; i < self->interior; i++) {
    const double *row = self->T + (size_t)i * size;
    double f = force[self->goes[i]];
    for (size_t j = 0; f != 0.0 && j < size; j++) out[j] += f * row[j];
  }
}

/* Row j of G^T A G, G the transformation of all freedoms. */
static void reduce_row(const work_space *w, const fw_craig_bampton *self, const fw_sparse *A, int j, double *row) {
  size_t size = (size_t)fw_craig_bampton_size(self), bytes = (size_t)w->system->size * sizeof(double);
  memset(w->column, 0, bytes);
  memset(w->product, 0, bytes);
  if (j < self->boundary) w->column[self->stays[j]] = 1.0;
  for (int i = 0; i < self->interior; i++) w->column[self->goes[i]] = self->T[(size_t)i * size + (size_t)j];
  fw_sparse_multiply(A, 1.0, w->column, w->product);
  fw_craig_bampton_project(self, w->product, row);
}

static fw_status reduce(fw_context *ctx, const work_space *w, const fw_craig_bampton *self, const fw_sparse *A,
                        double **reduced) {
  size_t size = (size_t)fw_craig_bampton_size(self);
  FW_TRY(fw_alloc(ctx, size * size, sizeof **reduced, reduced));
  double *R = *reduced;
  for (size_t j = 0; j < size; j++) reduce_row(w, self, A, (int)j, R + j * size);
  for (size_t i = 0; i < size; i++) /* symmetric but for rounding */
    for (size_t j = 0; j < i; j++) R[i * size + j] = R[j * size + i] = 0.5 * (R[i * size + j] + R[j * size + i]);
  return FW_OK;
}

/* By the choice of Psi and Phi: nothing but rounding lies between boundary and modes, or between modes. */
static void clean_stiffness(fw_craig_bampton *self, const double *values) {
  size_t size = (size_t)fw_craig_bampton_size(self), b = (size_t)self->boundary;
  for (size_t i = 0; i < size; i++)
    for (size_t j = 0; j < size; j++)
      if (i >= b || j >= b) self->K[i * size + j] = i == j ? values[i - b] : 0.0;
}

fw_status fw_craig_bampton_make(fw_context *ctx, const fw_system *system, const char *part, int modes,
                                fw_craig_bampton *self) {
  fw_status status = FW_OK;
  work_space w = {.system = system};
  *self = (fw_craig_bampton){0};
  FW_TRY_DONE(find_parts(ctx, part, &w, self));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)system->size, sizeof *w.column, &w.column));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)system->size, sizeof *w.product, &w.product));
  FW_TRY_DONE(make_transformation(ctx, &w, modes, self));
  FW_TRY_DONE(reduce(ctx, &w, self, system->K, &self->K));
  FW_TRY_DONE(reduce(ctx, &w, self, system->M, &self->M));
  FW_TRY_DONE(reduce(ctx, &w, self, system->C, &self->C));
  clean_stiffness(self, w.squares);
done:
  leave_piece(&w);
  free(w.piece);
  free(w.place);
  free(w.squares);
  free(w.column);
  free(w.product);
  return status;
}

void fw_craig_bampton_clear(fw_craig_bampton *self) {
  free(self->stays);
  free(self->goes);
  free(self->T);
  free(self->K);
  free(self->M);
  free(self->C);
  *self = (fw_craig_bampton){0};
}
