/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/linalg/eigen_largest.h"

#include <arpack.h>
#include <stdlib.h>

#include "solver/linalg/arpack.h"

static const double TOLERANCE = 1e-9; /* relative */

typedef struct search {
  fw_context *ctx;
  fw_status (*apply)(void *user, const double *x, double *out);
  void *user;
  a_int n, nev, ncv, lworkl;
  double *resid, *v, *workd, *workl, *workev, *real, *imaginary;
  a_int *select;
} search;

static fw_status run(search *s, int *count) {
  a_int ido = 0, info = 1, iparam[11] = {1, 0, 300, 1, 0, 0, 1}, ipntr[14] = {0};
  fw_arpack_start((size_t)s->n, s->resid);
  for (;;) {
    dnaupd_c(&ido, "I", s->n, "LM", s->nev, TOLERANCE, s->resid, s->ncv, s->v, s->n, iparam, ipntr, s->workd, s->workl,
             s->lworkl, &info);
    if (ido != -1 && ido != 1) break;
    FW_TRY(fw_interrupted(s->ctx));
    FW_TRY(s->apply(s->user, s->workd + ipntr[0] - 1, s->workd + ipntr[1] - 1));
  }
  if (info < 0) return fw_fail(s->ctx, FW_ERR_LIBRARY, "ARPACK dnaupd failed (%d)", (int)info);
  dneupd_c(0, "A", s->select, s->real, s->imaginary, s->v, s->n, 0.0, 0.0, s->workev, "I", s->n, "LM", s->nev,
           TOLERANCE, s->resid, s->ncv, s->v, s->n, iparam, ipntr, s->workd, s->workl, s->lworkl, &info);
  if (info != 0) return fw_fail(s->ctx, FW_ERR_LIBRARY, "ARPACK dneupd failed (%d)", (int)info);
  *count = (int)iparam[4];
  return FW_OK;
}

fw_status fw_eigen_largest(fw_context *ctx, int n, int count,
                           fw_status (*apply)(void *user, const double *x, double *out), void *user,
                           double complex *values, int *found) {
  search s = {.ctx = ctx, .apply = apply, .user = user, .n = n, .nev = count};
  s.ncv = 3 * count + 10 < n ? 3 * count + 10 : n;
  s.lworkl = 3 * s.ncv * (s.ncv + 2);
  size_t rows = (size_t)n, vectors = (size_t)s.ncv;
  double *memory = NULL;
  fw_status status = FW_OK;
  *found = 0;
  FW_TRY_DONE(fw_alloc(ctx, rows * (vectors + 4) + (size_t)s.lworkl + 5 * vectors, sizeof *memory, &memory));
  FW_TRY_DONE(fw_alloc(ctx, vectors, sizeof *s.select, &s.select));
  s.resid = memory;
  s.v = s.resid + rows;
  s.workd = s.v + rows * vectors;
  s.workl = s.workd + 3 * rows;
  s.workev = s.workl + s.lworkl;
  s.real = s.workev + 3 * vectors;
  s.imaginary = s.real + vectors;
  fw_arpack_enter();
  status = run(&s, found);
  fw_arpack_leave();
  if (*found > count + 1) *found = count + 1;
  for (int i = 0; i < *found; i++) values[i] = s.real[i] + I * s.imaginary[i];
done:
  free(memory);
  free(s.select);
  return status;
}
