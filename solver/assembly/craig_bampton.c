/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/assembly/craig_bampton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/assembly/residual_flexibility.h"
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
  double *values, *vectors; /* its modes, */
  int found;                /* and how many of them are kept */
  double *shapes;           /* columns of Phi so far, of all interior freedoms each, */
  double *stiffness;        /* and what each is stiff by */
  int shape_room, stiffness_room;
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
  w->found = 0;
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
  if (found <= wanted || wanted == 0) return wanted < found ? wanted : found;
  double last = values[wanted - 1];
  return values[wanted] - last <= SAME_MODE * fabs(last) ? wanted + 1 : wanted;
}

/* One more column of Phi: `shape` on the present piece. */
static fw_status add_shape(fw_context *ctx, work_space *w, const double *shape, double stiffness,
                           fw_craig_bampton *self) {
  size_t n = (size_t)self->interior;
  FW_TRY(fw_grow(ctx, self->modes, &w->shape_room, n * sizeof *w->shapes, &w->shapes));
  FW_TRY(fw_grow(ctx, self->modes, &w->stiffness_room, sizeof *w->stiffness, &w->stiffness));
  double *column = w->shapes + (size_t)self->modes * n;
  for (size_t i = 0; i < n; i++) {
    int at = w->place[self->goes[i]];
    column[i] = at >= 0 ? shape[at] : 0.0;
  }
  w->stiffness[self->modes++] = stiffness;
  return FW_OK;
}

/* The lowest modes of the piece, at least `count` if it has so many. */
static fw_status find_modes(fw_context *ctx, work_space *w, int count, int *found) {
  free(w->values);
  free(w->vectors);
  w->values = w->vectors = NULL;
  FW_TRY(fw_alloc(ctx, (size_t)count, sizeof *w->values, &w->values));
  FW_TRY(fw_alloc(ctx, (size_t)count * (size_t)w->count, sizeof *w->vectors, &w->vectors));
  return fw_eigen_lowest(ctx, w->K_ii, w->M_ii, w->count, count, w->values, w->vectors, found);
}

static fw_status piece_modes(fw_context *ctx, work_space *w, const fw_craig_bampton_basis *basis,
                             fw_craig_bampton *self) {
  const double most = basis->below * basis->below;
  int wanted = basis->modes, count = wanted < w->count ? wanted + 1 : w->count, found = 0;
  if ((wanted == 0 && most == 0.0) || w->count == 0) return FW_OK;
  FW_TRY(find_modes(ctx, w, count, &found));
  while (found == count && count < w->count && w->values[count - 1] < most) {
    count = 2 * count < w->count ? 2 * count : w->count;
    FW_TRY(find_modes(ctx, w, count, &found));
  }
  while (wanted < found && w->values[wanted] < most) wanted++;
  w->found = whole_pairs(w->values, found, wanted);
  for (int m = 0; m < w->found; m++)
    FW_TRY(add_shape(ctx, w, w->vectors + (size_t)m * (size_t)w->count, w->values[m], self));
  double highest = w->found > 0 ? sqrt(fmax(w->values[w->found - 1], 0.0)) : 0.0;
  if (w->found < w->count && (self->highest == 0.0 || highest < self->highest)) self->highest = highest;
  return FW_OK;
}

/* Puts what a form is to the freedoms of the piece into w->column; false: nothing. */
static bool gather_form(const work_space *w, const fw_functional *form) {
  bool any = false;
  memset(w->column, 0, (size_t)w->count * sizeof *w->column);
  for (int k = 0; k < form->count; k++) {
    int at = w->place[form->dof[k]];
    if (at < 0) continue;
    w->column[at] += form->weight[k];
    any = true;
  }
  return any;
}

static fw_status piece_answers(fw_context *ctx, work_space *w, const fw_craig_bampton_basis *basis,
                               fw_craig_bampton *self) {
  fw_status status = FW_OK;
  fw_residual_flexibility r = {
      .K = w->K_ii, .M = w->M_ii, .n = w->count, .modes = w->found, .mode = w->vectors, .square = w->values};
  for (int k = 0; k < basis->form_count && w->count > 0; k++) {
    if (!gather_form(w, basis->forms[k])) continue;
    FW_TRY_DONE(fw_factor_solve(ctx, w->factor, w->column, 1));
    FW_TRY_DONE(fw_residual_flexibility_add(ctx, &r, w->column));
  }
  FW_TRY_DONE(fw_residual_flexibility_finish(ctx, &r));
  for (int k = 0; k < r.count; k++) FW_TRY_DONE(add_shape(ctx, w, r.shape + (size_t)k * (size_t)r.n, 1.0, self));
done:
  fw_residual_flexibility_clear(&r);
  return status;
}

/* Columns of Psi. */
static fw_status piece_constraints(fw_context *ctx, const work_space *w, double *Psi, const fw_craig_bampton *self) {
  const fw_sparse *K = w->system->K;
  const size_t stride = (size_t)self->boundary;
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
      if (w->place[self->goes[i]] >= 0) Psi[(size_t)i * stride + (size_t)j] = w->column[w->place[self->goes[i]]];
  }
  return FW_OK;
}

/* ---- the transformation ---------------------------------------------------------------------- */

/* T = (Psi, Phi). */
static fw_status join(fw_context *ctx, const work_space *w, const double *Psi, fw_craig_bampton *self) {
  size_t n = (size_t)self->interior, b = (size_t)self->boundary, size = (size_t)fw_craig_bampton_size(self);
  FW_TRY(fw_alloc(ctx, n * size + 1, sizeof *self->T, &self->T));
  for (size_t i = 0; i < n; i++) {
    memcpy(self->T + i * size, Psi + i * b, b * sizeof *self->T);
    for (size_t m = b; m < size; m++) self->T[i * size + m] = w->shapes[(m - b) * n + i];
  }
  return FW_OK;
}

static fw_status make_transformation(fw_context *ctx, work_space *w, const fw_craig_bampton_basis *basis,
                                     fw_craig_bampton *self) {
  double *Psi = NULL;
  fw_status status = FW_OK;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)self->interior * (size_t)self->boundary + 1, sizeof *Psi, &Psi));
  for (int p = 0; p < w->pieces; p++) {
    FW_TRY_DONE(enter_piece(ctx, w, p, self));
    FW_TRY_DONE(piece_constraints(ctx, w, Psi, self));
    FW_TRY_DONE(piece_modes(ctx, w, basis, self));
    FW_TRY_DONE(piece_answers(ctx, w, basis, self));
  }
  FW_TRY_DONE(join(ctx, w, Psi, self));
done:
  free(Psi);
  return status;
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

fw_status fw_craig_bampton_make(fw_context *ctx, const fw_system *system, const char *part,
                                const fw_craig_bampton_basis *basis, fw_craig_bampton *self) {
  fw_status status = FW_OK;
  work_space w = {.system = system};
  *self = (fw_craig_bampton){0};
  FW_TRY_DONE(find_parts(ctx, part, &w, self));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)system->size, sizeof *w.column, &w.column));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)system->size, sizeof *w.product, &w.product));
  FW_TRY_DONE(make_transformation(ctx, &w, basis, self));
  FW_TRY_DONE(reduce(ctx, &w, self, system->K, &self->K));
  FW_TRY_DONE(reduce(ctx, &w, self, system->M, &self->M));
  FW_TRY_DONE(reduce(ctx, &w, self, system->C, &self->C));
  clean_stiffness(self, w.stiffness);
done:
  leave_piece(&w);
  free(w.piece);
  free(w.place);
  free(w.shapes);
  free(w.stiffness);
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
