/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/harmonic_blocks.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct fw_harmonic_blocks {
  int coordinates, blocks, H, size;
  int count, room; /* small matrices */
  int *row, *column;
  double *entries;
  bool lost; /* no memory for one of them */
  /* The forces of closed gaps are eliminated from P: what is left of it are the open blocks. */
  int open, columns;         /* how many, and how many of these are coordinates: they come first */
  int *place;                /* per block: its place among the open ones; -1: closed */
  double **P;                /* per harmonic, of order open (k = 0) and 2 open: cosines, then sines */
  lapack_int **pivot;        /* likewise */
  double *held;              /* per block: stiffness of its mean */
  double complex *D, *z, *f; /* D: per harmonic, the columns of the structure's matrix that are open */
  double *x;
};

fw_status fw_harmonic_blocks_create(fw_context *ctx, int coordinates, int blocks, int H, const bool *closed,
                                    fw_harmonic_blocks **made) {
  fw_harmonic_blocks *b;
  FW_TRY(fw_alloc(ctx, 1, sizeof *b, &b));
  *b = (fw_harmonic_blocks){.coordinates = coordinates, .blocks = blocks, .H = H, .size = 2 * H + 1};
  fw_status status = FW_OK;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)H + 1, sizeof *b->P, &b->P));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)H + 1, sizeof *b->pivot, &b->pivot));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)blocks, sizeof(int), &b->place));
  for (int i = 0; i < blocks; i++) b->place[i] = closed[i] ? -1 : b->open++;
  for (int k = 0; k <= H; k++) {
    size_t order = (size_t)(k ? 2 * b->open : b->open);
    FW_TRY_DONE(fw_alloc(ctx, order * order, sizeof(double), &b->P[k]));
    FW_TRY_DONE(fw_alloc(ctx, order, sizeof(lapack_int), &b->pivot[k]));
  }
  FW_TRY_DONE(fw_alloc(ctx, (size_t)blocks, sizeof(double), &b->held));
  b->columns = b->open - (blocks - coordinates);
  size_t columns = (size_t)b->columns;
  FW_TRY_DONE(fw_alloc(ctx, ((size_t)H + 1) * columns * (size_t)coordinates, sizeof *b->D, &b->D));
  FW_TRY_DONE(fw_alloc(ctx, columns, sizeof *b->z, &b->z));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)coordinates, sizeof *b->f, &b->f));
  FW_TRY_DONE(fw_alloc(ctx, 2 * (size_t)b->open, sizeof(double), &b->x));
done:
  if (status != FW_OK) fw_harmonic_blocks_destroy(&b);
  *made = b;
  return status;
}

void fw_harmonic_blocks_destroy(fw_harmonic_blocks **made) {
  fw_harmonic_blocks *b = *made;
  if (!b) return;
  for (int k = 0; b->P && k <= b->H; k++) free(b->P[k]);
  for (int k = 0; b->pivot && k <= b->H; k++) free(b->pivot[k]);
  free(b->P);
  free(b->pivot);
  free(b->row);
  free(b->column);
  free(b->entries);
  free(b->held);
  free(b->place);
  free(b->D);
  free(b->z);
  free(b->f);
  free(b->x);
  free(b);
  *made = NULL;
}

/* ---- filling in ----------------------------------------------------------------------------- */

/* The open columns of the structure's matrix at harmonic k, one after the other. */
static double complex *structure(const fw_harmonic_blocks *b, int k) {
  return b->D + (size_t)k * (size_t)b->columns * (size_t)b->coordinates;
}

void fw_harmonic_blocks_begin(fw_harmonic_blocks *b, const fw_dynamic *dynamic) {
  size_t c = (size_t)b->coordinates;
  for (int k = 0; k <= b->H; k++)
    for (size_t j = 0; j < c; j++)
      if (b->place[j] >= 0) memcpy(structure(b, k) + (size_t)b->place[j] * c, dynamic[k].D + j * c, c * sizeof *b->D);
  b->count = 0;
  b->lost = false;
  memset(b->held, 0, (size_t)b->blocks * sizeof(double));
}

static bool grow(fw_harmonic_blocks *b) {
  int more = b->room ? 2 * b->room : 64;
  size_t square = (size_t)(b->size * b->size);
  int *row = realloc(b->row, (size_t)more * sizeof *row);
  if (row) b->row = row;
  int *column = realloc(b->column, (size_t)more * sizeof *column);
  if (column) b->column = column;
  double *entries = realloc(b->entries, (size_t)more * square * sizeof *entries);
  if (entries) b->entries = entries;
  if (!row || !column || !entries) return false;
  b->room = more;
  return true;
}

/* The next small matrix, for equations i and unknowns j, not filled in; NULL: no memory. */
static double *next(fw_harmonic_blocks *b, int i, int j) {
  if (b->count == b->room && !grow(b)) {
    b->lost = true;
    return NULL;
  }
  b->row[b->count] = i;
  b->column[b->count] = j;
  return b->entries + (size_t)b->count++ * (size_t)(b->size * b->size);
}

void fw_harmonic_blocks_add(fw_harmonic_blocks *b, int i, int j, double factor, const double *block) {
  double *to = next(b, i, j);
  for (int k = 0; to && k < b->size * b->size; k++) to[k] = factor * block[k];
}

void fw_harmonic_blocks_add_unit(fw_harmonic_blocks *b, int i, int j, double factor) {
  double *to = next(b, i, j);
  if (!to) return;
  memset(to, 0, (size_t)(b->size * b->size) * sizeof(double));
  for (int k = 0; k < b->size; k++) to[k * (b->size + 1)] = factor;
}

void fw_harmonic_blocks_hold(fw_harmonic_blocks *b, int i, double stiffness) { b->held[i] += stiffness; }

static const double *matrix(const fw_harmonic_blocks *b, int e) {
  return b->entries + (size_t)e * (size_t)(b->size * b->size);
}

/* ---- product -------------------------------------------------------------------------------- */

static void apply_structure(const fw_harmonic_blocks *b, int k, const double *x, double *out) {
  int c = b->coordinates, size = b->size;
  const double complex one = 1, zero = 0;
  for (int j = 0; j < c; j++) {
    const double *from = x + j * size;
    if (b->place[j] >= 0) b->z[b->place[j]] = k == 0 ? from[0] : from[2 * k - 1] - I * from[2 * k];
  }
  cblas_zgemv(CblasColMajor, CblasNoTrans, c, b->columns, &one, structure(b, k), c, b->z, 1, &zero, b->f, 1);
  for (int i = 0; i < c; i++) {
    double *to = out + i * size;
    if (k == 0) to[0] = creal(b->f[i]);
    if (k > 0) to[2 * k - 1] = creal(b->f[i]), to[2 * k] = -cimag(b->f[i]);
  }
}

static void apply(void *user, const double *x, double *out) {
  const fw_harmonic_blocks *b = user;
  int size = b->size;
  memset(out, 0, (size_t)b->blocks * (size_t)size * sizeof(double));
  for (int k = 0; k <= b->H; k++) apply_structure(b, k, x, out);
  for (int i = 0; i < b->blocks; i++) out[i * size] += b->held[i] * x[i * size];
  for (int e = 0; e < b->count; e++)
    cblas_dgemv(CblasRowMajor, CblasNoTrans, size, size, 1, matrix(b, e), size, x + b->column[e] * size, 1, 1,
                out + b->row[e] * size, 1);
}

/* ---- sizes of rows -------------------------------------------------------------------------- */

static void structure_rows(const fw_harmonic_blocks *b, int k, const double *scale, double *row) {
  int c = b->coordinates, size = b->size, at = k ? 2 * k - 1 : 0;
  for (int j = 0; j < c; j++) {
    if (b->place[j] < 0) continue;
    const double complex *column = structure(b, k) + (size_t)b->place[j] * (size_t)c;
    for (int i = 0; i < c; i++) {
      double complex D = column[i];
      double most = fmax(fabs(creal(D)), fabs(cimag(D))) * scale[j * size + at], *to = row + i * size + at;
      for (int part = 0; part < (k ? 2 : 1); part++)
        if (!(most <= to[part])) to[part] = most;
    }
  }
}

/* The small matrices one by one: several for the same pair count by their largest. */
static void rows(void *user, const double *scale, double *row) {
  const fw_harmonic_blocks *b = user;
  int size = b->size;
  for (int k = 0; k <= b->H; k++) structure_rows(b, k, scale, row);
  for (int e = 0; e < b->count; e++)
    for (int d = 0; d < size; d++) {
      const double *line = matrix(b, e) + d * size;
      double *to = row + b->row[e] * size + d;
      for (int f = 0; f < size; f++) {
        double most = fabs(line[f]) * scale[b->column[e] * size + f];
        if (!(most <= *to)) *to = most;
      }
    }
}

/* ---- without coupling of harmonics ---------------------------------------------------------- */

/* The unknowns of a closed gap j are those of its force N, which stands in no equation of the structure but its own:
 *
 *   D_j u - N = r_j,
 *
 * what else there may be is left to GMRES. So N = D_j u - r_j, and P is of the open blocks. */

/* P_i += factor D_j, where the forces of gap j act on block i: part p of its equations, q of its unknowns (0: cosine,
 * 1: sine). */
static void add_through_gap(fw_harmonic_blocks *b, int k, int i, int p, int j, int q, double factor) {
  size_t n = (size_t)b->open, order = k ? 2 * n : n, row = (size_t)b->place[i] + (size_t)p * n;
  const double complex *D = structure(b, k) + j;
  for (size_t s = 0; s < (size_t)b->columns; s++) {
    double complex entry = D[s * (size_t)b->coordinates];
    b->P[k][s * order + row] += factor * (q ? -cimag(entry) : creal(entry));
    if (k) b->P[k][(s + n) * order + row] += factor * (q ? creal(entry) : cimag(entry));
  }
}

static void fill_structure(fw_harmonic_blocks *b, int k) {
  size_t n = (size_t)b->open, order = k ? 2 * n : n, c = (size_t)b->coordinates;
  memset(b->P[k], 0, order * order * sizeof(double));
  for (size_t j = 0; j < (size_t)b->columns; j++) {
    double *cosine = b->P[k] + j * order, *sine = b->P[k] + (j + n) * order;
    const double complex *column = structure(b, k) + j * c;
    for (size_t i = 0; i < c; i++) {
      if (b->place[i] < 0) continue;
      size_t row = (size_t)b->place[i];
      cosine[row] = creal(column[i]);
      if (k == 0) continue;
      cosine[n + row] = -cimag(column[i]);
      sine[row] = cimag(column[i]);
      sine[n + row] = creal(column[i]);
    }
  }
}

static void fill_contact(fw_harmonic_blocks *b, int k) {
  size_t n = (size_t)b->open, order = k ? 2 * n : n;
  int parts = k ? 2 : 1, at = k ? 2 * k - 1 : 0;
  for (int e = 0; e < b->count; e++) {
    int i = b->row[e], j = b->column[e];
    for (int p = 0; p < parts && b->place[i] >= 0; p++)
      for (int q = 0; q < parts; q++) {
        double entry = matrix(b, e)[(at + p) * b->size + at + q];
        if (b->place[j] < 0)
          add_through_gap(b, k, i, p, j, q, entry);
        else
          b->P[k][((size_t)b->place[j] + (size_t)q * n) * order + (size_t)b->place[i] + (size_t)p * n] += entry;
      }
  }
}

static fw_status factor(void *user) {
  fw_harmonic_blocks *b = user;
  if (b->lost) return FW_ERR_MEMORY;
  for (int k = 0; k <= b->H; k++) {
    lapack_int order = k ? 2 * b->open : b->open;
    fill_structure(b, k);
    fill_contact(b, k);
    for (int i = 0; k == 0 && i < b->blocks; i++)
      if (b->place[i] >= 0) b->P[0][(size_t)b->place[i] * (size_t)(order + 1)] += b->held[i];
    if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, order, order, b->P[k], order, b->pivot[k]) != 0)
      return FW_RECOVER_DIVERGED;
  }
  return FW_OK;
}

/* x of the open blocks at harmonic k += what the closed gaps' equations, x_j, make of them. */
static void add_closed(const fw_harmonic_blocks *b, int k, double *x) {
  int parts = k ? 2 : 1, at = k ? 2 * k - 1 : 0;
  for (int e = 0; e < b->count; e++)
    for (int p = 0; p < parts && b->place[b->column[e]] < 0 && b->place[b->row[e]] >= 0; p++)
      for (int q = 0; q < parts; q++)
        x[b->row[e] * b->size + at + p] +=
            matrix(b, e)[(at + p) * b->size + at + q] * x[b->column[e] * b->size + at + q];
}

static void solve_open(const fw_harmonic_blocks *b, int k, double *x) {
  int n = b->open, parts = k ? 2 : 1, at = k ? 2 * k - 1 : 0;
  lapack_int order = parts * n;
  for (int p = 0; p < parts; p++)
    for (int i = 0; i < b->blocks; i++)
      if (b->place[i] >= 0) b->x[p * n + b->place[i]] = x[i * b->size + at + p];
  LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', order, 1, b->P[k], order, b->pivot[k], b->x, order);
  for (int p = 0; p < parts; p++)
    for (int i = 0; i < b->blocks; i++)
      if (b->place[i] >= 0) x[i * b->size + at + p] = b->x[p * n + b->place[i]];
}

/* x_j = D_j x - x_j of every closed gap j. */
static void solve_closed(const fw_harmonic_blocks *b, int k, double *x) {
  int c = b->coordinates, n = b->open, at = k ? 2 * k - 1 : 0;
  const double complex one = 1, zero = 0;
  for (int s = 0; s < b->columns; s++) b->z[s] = k ? b->x[s] - I * b->x[n + s] : b->x[s];
  cblas_zgemv(CblasColMajor, CblasNoTrans, c, b->columns, &one, structure(b, k), c, b->z, 1, &zero, b->f, 1);
  for (int j = 0; j < c; j++) {
    if (b->place[j] >= 0) continue;
    double *to = x + j * b->size + at;
    to[0] = creal(b->f[j]) - to[0];
    if (k) to[1] = -cimag(b->f[j]) - to[1];
  }
}

static void solve(void *user, double *x) {
  const fw_harmonic_blocks *b = user;
  bool closed = b->columns < b->coordinates;
  for (int k = 0; k <= b->H; k++) {
    if (closed) add_closed(b, k, x);
    solve_open(b, k, x);
    if (closed) solve_closed(b, k, x);
  }
}

fw_core fw_harmonic_blocks_core(fw_harmonic_blocks *b) {
  return (fw_core){
      .user = b, .size = b->blocks * b->size, .apply = apply, .rows = rows, .factor = factor, .solve = solve};
}
