/* SPDX-License-Identifier: GPL-3.0-or-later */
/* IDAS on the whole DAE, KLU with one pattern. */
#include <idas/idas.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include "solver/time/ida/engine.h"
#include "solver/time/ida/vector.h"

typedef struct fw_engine_ida {
  fw_context *ctx; /* of the running call, for callbacks */
  fw_dae *dae;
  const fw_ida_options *options;
  SUNContext sun;
  void *memory;
  N_Vector y, y_dot, tolerance, kind, powers;
  SUNMatrix matrix;
  SUNLinearSolver linear;
  fw_ida_sensitivity *sensitivity; /* NULL: none */
  N_Vector *s, *s_dot;
} fw_engine_ida;

/* ---- callbacks --------------------------------------------------------------------------- */

static int ida_residual(sunrealtype t, N_Vector y, N_Vector y_dot, N_Vector F, void *user) {
  fw_engine_ida *ida = user;
  return fw_dae_residual(ida->ctx, ida->dae, t, NV_DATA_S(y), NV_DATA_S(y_dot), NV_DATA_S(F));
}

static int ida_jacobian(sunrealtype t, sunrealtype c, N_Vector y, N_Vector y_dot, N_Vector F, SUNMatrix J, void *user,
                        N_Vector a, N_Vector b, N_Vector d) {
  (void)F, (void)a, (void)b, (void)d;
  fw_engine_ida *ida = user;
  const fw_sparse *from = ida->dae->jacobian;
  fw_status status = fw_dae_jacobian(ida->ctx, ida->dae, t, c, NV_DATA_S(y), NV_DATA_S(y_dot));
  if (status != FW_OK) return status;
  /* the solve may have touched the pattern's copy: hand over all three arrays */
  memcpy(SM_INDEXPTRS_S(J), from->p, ((size_t)from->n + 1) * sizeof *from->p);
  memcpy(SM_INDEXVALS_S(J), from->i, (size_t)from->p[from->n] * sizeof *from->i);
  memcpy(SM_DATA_S(J), from->x, (size_t)from->p[from->n] * sizeof *from->x);
  return 0;
}

static int ida_roots(sunrealtype t, N_Vector y, N_Vector y_dot, sunrealtype *roots, void *user) {
  (void)y_dot;
  fw_engine_ida *ida = user;
  return fw_dae_roots(ida->dae, t, NV_DATA_S(y), roots);
}

static int ida_powers(sunrealtype t, N_Vector y, N_Vector y_dot, N_Vector rates, void *user) {
  fw_engine_ida *ida = user;
  return fw_engine_powers(ida->ctx, ida->dae, t, NV_DATA_S(y), NV_DATA_S(y_dot), NV_DATA_S(rates));
}

static int ida_tangents(int count, sunrealtype t, N_Vector y, N_Vector y_dot, N_Vector F, N_Vector *s, N_Vector *s_dot,
                        N_Vector *out, void *user, N_Vector a, N_Vector b, N_Vector d) {
  (void)F, (void)a, (void)b, (void)d;
  fw_engine_ida *ida = user;
  for (int i = 0; i < count; i++)
    FW_TRY(fw_sensitivity_residual(ida->ctx, ida->sensitivity, i, t, NV_DATA_S(y), NV_DATA_S(y_dot), NV_DATA_S(s[i]),
                                   NV_DATA_S(s_dot[i]), false, NV_DATA_S(out[i])));
  return 0;
}

/* ---- life -------------------------------------------------------------------------------- */

/* Every event function counts where it falls through zero. */
static fw_status watch_roots(fw_context *ctx, fw_engine_ida *ida) {
  int count = FW_DAE_ROOTS * ida->dae->model->contact_count, *falls = NULL;
  if (count == 0) return FW_OK;
  FW_TRY(fw_engine_check(ctx, IDARootInit(ida->memory, count, ida_roots)));
  FW_TRY(fw_alloc(ctx, (size_t)count, sizeof *falls, &falls));
  for (int i = 0; i < count; i++) falls[i] = -1;
  int flag = IDASetRootDirection(ida->memory, falls);
  free(falls);
  FW_TRY(fw_engine_check(ctx, flag));
  return fw_engine_check(ctx, IDASetNoInactiveRootWarn(ida->memory));
}

/* Factors with the pivots of before; where one has become zero (a law that no longer follows N), with new ones. */
static int factor(SUNLinearSolver linear, SUNMatrix matrix) {
  int flag = SUNLinSolSetup_KLU(linear, matrix);
  if (flag <= 0) return flag;
  flag = SUNLinSol_KLUReInit(linear, matrix, SUNSparseMatrix_NNZ(matrix), SUNKLU_REINIT_PARTIAL);
  return flag == 0 ? SUNLinSolSetup_KLU(linear, matrix) : flag;
}

static fw_status ida_setup(fw_context *ctx, fw_engine_ida *ida, double t, const double *y, const double *y_dot) {
  fw_dae *dae = ida->dae;
  if (SUNContext_Create(NULL, &ida->sun) != 0) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  ida->y = fw_vector_create(dae->size, ida->sun);
  ida->y_dot = ida->y ? N_VClone(ida->y) : NULL;
  ida->tolerance = ida->y ? N_VClone(ida->y) : NULL;
  ida->kind = ida->y ? N_VClone(ida->y) : NULL;
  ida->powers = fw_vector_create(FW_POWERS, ida->sun);
  ida->matrix = SUNSparseMatrix(dae->size, dae->size, dae->jacobian->p[dae->size], CSC_MAT, ida->sun);
  ida->memory = IDACreate(ida->sun);
  if (!ida->y || !ida->y_dot || !ida->tolerance || !ida->kind || !ida->powers || !ida->matrix || !ida->memory)
    return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  ida->linear = SUNLinSol_KLU(ida->y, ida->matrix, ida->sun);
  if (!ida->linear) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  ida->linear->ops->setup = factor;
  fw_engine_tolerances(dae, ida->options, NV_DATA_S(ida->tolerance), NV_DATA_S(ida->kind));
  memcpy(NV_DATA_S(ida->y), y, (size_t)dae->size * sizeof *y);
  memcpy(NV_DATA_S(ida->y_dot), y_dot, (size_t)dae->size * sizeof *y_dot);
  void *m = ida->memory;
  FW_TRY(fw_engine_check(ctx, IDAInit(m, ida_residual, t, ida->y, ida->y_dot)));
  FW_TRY(fw_engine_check(ctx, IDASetErrFile(m, NULL)));
  FW_TRY(fw_engine_check(ctx, IDASetMaxOrd(m, ida->options->order)));
  FW_TRY(fw_engine_check(ctx, IDASetUserData(m, ida)));
  FW_TRY(fw_engine_check(ctx, IDASVtolerances(m, ida->options->relative, ida->tolerance)));
  FW_TRY(fw_engine_check(ctx, IDASetId(m, ida->kind)));
  FW_TRY(fw_engine_check(ctx, IDASetSuppressAlg(m, SUNTRUE)));
  FW_TRY(fw_engine_check(ctx, IDASetMaxNumSteps(m, -1)));
  /* corners of friction laws: the iteration begins on one side and ends on the other only with small steps */
  FW_TRY(fw_engine_check(ctx, IDASetMaxConvFails(m, 30)));
  if (ida->options->longest > 0.0) FW_TRY(fw_engine_check(ctx, IDASetMaxStep(m, ida->options->longest)));
  FW_TRY(fw_engine_check(ctx, IDASetLinearSolver(m, ida->linear, ida->matrix)));
  FW_TRY(fw_engine_check(ctx, IDASetJacFn(m, ida_jacobian)));
  FW_TRY(watch_roots(ctx, ida));
  return fw_engine_check(ctx, IDAQuadInit(m, ida_powers, ida->powers));
}

static void ida_destroy(void *self) {
  fw_engine_ida *i = self;
  if (!i) return;
  if (i->memory) IDAFree(&i->memory);
  if (i->s) N_VDestroyVectorArray(i->s, i->sensitivity->count);
  if (i->s_dot) N_VDestroyVectorArray(i->s_dot, i->sensitivity->count);
  if (i->linear) SUNLinSolFree(i->linear);
  if (i->matrix) SUNMatDestroy(i->matrix);
  N_Vector vectors[] = {i->y, i->y_dot, i->tolerance, i->kind, i->powers};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
    if (vectors[k]) N_VDestroy(vectors[k]);
  if (i->sun) SUNContext_Free(&i->sun);
  free(i);
}

static fw_status ida_create(fw_context *ctx, fw_dae *dae, const fw_ida_options *options, double t, const double *y,
                            const double *y_dot, void **self) {
  fw_engine_ida *ida = NULL;
  *self = NULL;
  FW_TRY(fw_alloc(ctx, 1, sizeof *ida, &ida));
  ida->ctx = ctx;
  ida->dae = dae;
  ida->options = options;
  fw_status status = ida_setup(ctx, ida, t, y, y_dot);
  if (status != FW_OK) {
    ida_destroy(ida);
    return status;
  }
  *self = ida;
  return FW_OK;
}

static fw_status ida_differentiate(fw_context *ctx, void *self, fw_ida_sensitivity *sensitivity) {
  fw_engine_ida *ida = self;
  fw_status status = FW_OK;
  int count = sensitivity->count;
  double *scales = NULL;
  ida->sensitivity = sensitivity;
  ida->s = N_VCloneVectorArray(count, ida->y);
  ida->s_dot = N_VCloneVectorArray(count, ida->y);
  FW_TRY_DONE(fw_alloc(ctx, (size_t)count, sizeof *scales, &scales));
  if (!ida->s || !ida->s_dot) status = fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  FW_TRY_DONE(status);
  for (int i = 0; i < count; i++) {
    memcpy(NV_DATA_S(ida->s[i]), sensitivity->of[i].y, (size_t)ida->dae->size * sizeof(double));
    memcpy(NV_DATA_S(ida->s_dot[i]), sensitivity->of[i].y_dot, (size_t)ida->dae->size * sizeof(double));
    scales[i] = sensitivity->of[i].scale;
  }
  void *m = ida->memory;
  FW_TRY_DONE(fw_engine_check(ctx, IDASensInit(m, count, IDA_STAGGERED, ida_tangents, ida->s, ida->s_dot)));
  FW_TRY_DONE(fw_engine_check(ctx, IDASetSensParams(m, NULL, scales, NULL)));
  FW_TRY_DONE(fw_engine_check(ctx, IDASensEEtolerances(m)));
  FW_TRY_DONE(fw_engine_check(ctx, IDASetSensErrCon(m, SUNTRUE)));
done:
  free(scales);
  return status;
}

/* ---- stepping ---------------------------------------------------------------------------- */

static fw_status ida_failed(fw_context *ctx, double t, int flag) {
  return fw_engine_stopped(ctx, "ida", t, flag == IDA_CONV_FAIL || flag == IDA_ERR_FAIL, flag);
}

/* s, s' at the time of the last step. */
static fw_status ida_read_tangents(fw_context *ctx, fw_engine_ida *ida, double t) {
  double reached;
  size_t bytes = (size_t)ida->dae->size * sizeof(double);
  if (!ida->sensitivity) return FW_OK;
  FW_TRY(fw_engine_check(ctx, IDAGetSens(ida->memory, &reached, ida->s)));
  FW_TRY(fw_engine_check(ctx, IDAGetSensDky(ida->memory, t, 1, ida->s_dot)));
  for (int i = 0; i < ida->sensitivity->count; i++) {
    memcpy(ida->sensitivity->of[i].y, NV_DATA_S(ida->s[i]), bytes);
    memcpy(ida->sensitivity->of[i].y_dot, NV_DATA_S(ida->s_dot[i]), bytes);
  }
  return FW_OK;
}

static fw_status ida_step(fw_context *ctx, void *self, double stop, double *t, double *y, double *y_dot, double *powers,
                          bool *event) {
  fw_engine_ida *ida = self;
  size_t bytes = (size_t)ida->dae->size * sizeof *y;
  double reached, begin = *t;
  ida->ctx = ctx;
  FW_TRY(fw_engine_check(ctx, IDASetStopTime(ida->memory, stop)));
  int flag = IDASolve(ida->memory, stop, t, ida->y, ida->y_dot, IDA_ONE_STEP);
  if (flag < 0) return ida_failed(ctx, begin, flag);
  *event = flag == IDA_ROOT_RETURN;
  memcpy(y, NV_DATA_S(ida->y), bytes);
  memcpy(y_dot, NV_DATA_S(ida->y_dot), bytes);
  FW_TRY(fw_engine_check(ctx, IDAGetQuad(ida->memory, &reached, ida->powers)));
  FW_TRY(ida_read_tangents(ctx, ida, *t));
  memcpy(powers, NV_DATA_S(ida->powers), FW_POWERS * sizeof *powers);
  return FW_OK;
}

static fw_status ida_found(fw_context *ctx, void *self, int *found) {
  return fw_engine_check(ctx, IDAGetRootInfo(((fw_engine_ida *)self)->memory, found));
}

static fw_status ida_restart(fw_context *ctx, void *self, double t, const double *y, const double *y_dot) {
  fw_engine_ida *ida = self;
  size_t bytes = (size_t)ida->dae->size * sizeof *y;
  memcpy(NV_DATA_S(ida->y), y, bytes);
  memcpy(NV_DATA_S(ida->y_dot), y_dot, bytes);
  N_VConst(0.0, ida->powers);
  FW_TRY(fw_engine_check(ctx, IDAReInit(ida->memory, t, ida->y, ida->y_dot)));
  return fw_engine_check(ctx, IDAQuadReInit(ida->memory, ida->powers));
}

static void ida_count(const void *self, long counts[FW_COUNTS], int *order, double *last_step) {
  void *memory = ((const fw_engine_ida *)self)->memory;
  IDAGetNumSteps(memory, &counts[FW_COUNT_STEPS]);
  IDAGetNumResEvals(memory, &counts[FW_COUNT_RESIDUALS]);
  IDAGetNumJacEvals(memory, &counts[FW_COUNT_JACOBIANS]);
  IDAGetNumErrTestFails(memory, &counts[FW_COUNT_ERRORS]);
  IDAGetNumNonlinSolvConvFails(memory, &counts[FW_COUNT_NEWTON]);
  IDAGetLastOrder(memory, order);
  IDAGetLastStep(memory, last_step);
}

const fw_engine_ops fw_engine_idas = {.name = "IDA",
                                      .create = ida_create,
                                      .destroy = ida_destroy,
                                      .step = ida_step,
                                      .roots = ida_found,
                                      .restart = ida_restart,
                                      .differentiate = ida_differentiate,
                                      .count = ida_count};
