/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/linalg/krylov.h"

#include <cblas.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_spgmr.h>

enum { ROUNDS_MOST = 4 };

struct fw_krylov {
  int n;
  SUNContext sundials;
  SUNLinearSolver solver;
  N_Vector b, x;
  fw_krylov_matrix matrix; /* of the solution under way */
};

static int apply(void *user, N_Vector x, N_Vector out) {
  const fw_krylov *k = user;
  k->matrix.apply(k->matrix.user, NV_DATA_S(x), NV_DATA_S(out));
  return 0;
}

static int precondition(void *user, N_Vector x, N_Vector out, sunrealtype tolerance, int side) {
  const fw_krylov *k = user;
  (void)tolerance;
  (void)side;
  k->matrix.precondition(k->matrix.user, NV_DATA_S(x), NV_DATA_S(out));
  return 0;
}

/* Most of the time goes into products of vectors: they are left to BLAS. */
static sunrealtype dot(N_Vector x, N_Vector y) {
  return cblas_ddot((int)NV_LENGTH_S(x), NV_DATA_S(x), 1, NV_DATA_S(y), 1);
}

/* z = a x + b y; GMRES takes multiples of vectors off another one, in place. */
static void sum(sunrealtype a, N_Vector x, sunrealtype b, N_Vector y, N_Vector z) {
  int n = (int)NV_LENGTH_S(x);
  if (z == y && b == 1) {
    cblas_daxpy(n, a, NV_DATA_S(x), 1, NV_DATA_S(y), 1);
  } else if (z == x && a == 1) {
    cblas_daxpy(n, b, NV_DATA_S(y), 1, NV_DATA_S(x), 1);
  } else {
    N_VLinearSum_Serial(a, x, b, y, z);
  }
}

static fw_status make_solver(fw_krylov *k, int most) {
  if (SUNContext_Create(NULL, &k->sundials) != 0) return FW_ERR_MEMORY;
  k->b = N_VNew_Serial(k->n, k->sundials);
  k->x = N_VNew_Serial(k->n, k->sundials);
  if (!k->b || !k->x) return FW_ERR_MEMORY;
  k->x->ops->nvdotprod = dot;
  k->x->ops->nvlinearsum = sum;
  k->solver = SUNLinSol_SPGMR(k->x, SUN_PREC_RIGHT, most, k->sundials);
  bool ready = k->solver && SUNLinSolSetATimes(k->solver, k, apply) == SUNLS_SUCCESS &&
               SUNLinSolSetPreconditioner(k->solver, k, NULL, precondition) == SUNLS_SUCCESS &&
               SUNLinSolInitialize(k->solver) == SUNLS_SUCCESS && SUNLinSolSetup(k->solver, NULL) == SUNLS_SUCCESS;
  return ready ? FW_OK : FW_ERR_MEMORY;
}

fw_status fw_krylov_create(fw_context *ctx, int n, int most, fw_krylov **krylov) {
  FW_TRY(fw_alloc(ctx, 1, sizeof **krylov, krylov));
  (*krylov)->n = n;
  if (make_solver(*krylov, most) == FW_OK) return FW_OK;
  fw_krylov_destroy(krylov);
  return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
}

void fw_krylov_destroy(fw_krylov **krylov) {
  fw_krylov *k = *krylov;
  if (!k) return;
  if (k->solver) SUNLinSolFree(k->solver);
  if (k->b) N_VDestroy(k->b);
  if (k->x) N_VDestroy(k->x);
  if (k->sundials) SUNContext_Free(&k->sundials);
  free(k);
  *krylov = NULL;
}

/* Iterations from what is in k->x until a residual of this norm is left or the space is used up; *more: it is. */
static fw_status go_on(fw_krylov *k, bool from_zero, double norm, fw_krylov_result *result, bool *more) {
  if (SUNLinSolSetZeroGuess(k->solver, from_zero) != SUNLS_SUCCESS) return FW_RECOVER_DIVERGED;
  int flag = SUNLinSolSolve(k->solver, NULL, k->x, k->b, norm);
  result->iterations += SUNLinSolNumIters(k->solver);
  result->left = SUNLinSolResNorm(k->solver);
  *more = flag == SUNLS_RES_REDUCED;
  return (flag == SUNLS_SUCCESS || *more) && isfinite(result->left) ? FW_OK : FW_RECOVER_DIVERGED;
}

fw_status fw_krylov_solve(fw_krylov *k, fw_krylov_matrix matrix, double tolerance, double enough, const double *b,
                          double *x, fw_krylov_result *result) {
  size_t bytes = (size_t)k->n * sizeof(double);
  double size = cblas_dnrm2(k->n, b, 1);
  bool more = true;
  *result = (fw_krylov_result){0};
  memset(x, 0, bytes);
  if (size == 0) return FW_OK;
  k->matrix = matrix;
  memcpy(NV_DATA_S(k->b), b, bytes);
  memset(NV_DATA_S(k->x), 0, bytes);
  for (int round = 0; round < ROUNDS_MOST && more && (round == 0 || result->left > enough * size); round++)
    FW_TRY(go_on(k, round == 0, tolerance * size, result, &more));
  result->left /= size;
  memcpy(x, NV_DATA_S(k->x), bytes);
  return FW_OK;
}
