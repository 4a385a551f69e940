/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CVODES on y = (q, v, z): q' = v, v' = M^-1 (f - C v - f_int + W_n N - W_t T), z' = rate. Newton's systems (I - gamma
 * J) x = r are those of the DAE with c = 1/gamma, contact forces eliminated with them: its Jacobian, factored, is the
 * preconditioner of GMRES, which then needs an iteration or two. */
#include <cvodes/cvodes.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_spgmr.h>

#include "solver/time/ida/engine.h"
#include "solver/time/ida/vector.h"

typedef struct fw_engine_cvode {
  fw_context *ctx; /* of the running call, for callbacks */
  fw_dae *dae;
  int64_t size; /* of (q, v, z) */
  SUNContext sun;
  void *memory;
  N_Vector y, tolerance, powers;
  SUNLinearSolver linear;
  fw_factor *mass, *newton;
  double *full, *full_dot, *F;     /* [dae->size] */
  fw_ida_sensitivity *sensitivity; /* NULL: none */
  N_Vector *s;
} fw_engine_cvode;

/* ---- callbacks --------------------------------------------------------------------------- */

/* Puts (q, v, z) and the contact forces of their laws into full; rates into full_dot. */
static fw_status evaluate(fw_engine_cvode *cv, double t, const double *y) {
  fw_dae *dae = cv->dae;
  int64_t n = dae->n;
  memcpy(cv->full, y, (size_t)cv->size * sizeof *y);
  memset(cv->full_dot, 0, (size_t)dae->size * sizeof *y);
  FW_TRY(fw_dae_contact_forces(dae, t, cv->full, cv->full_dot, cv->F));
  FW_TRY(fw_dae_residual(cv->ctx, dae, t, cv->full, cv->full_dot, cv->F));
  for (int64_t i = 0; i < cv->size; i++) cv->full_dot[i] = -cv->F[i];
  return fw_factor_solve(cv->ctx, cv->mass, cv->full_dot + n, 1);
}

static int cvode_rhs(sunrealtype t, N_Vector y, N_Vector y_dot, void *user) {
  fw_engine_cvode *cv = user;
  fw_status status = evaluate(cv, t, NV_DATA_S(y));
  if (status == FW_OK) memcpy(NV_DATA_S(y_dot), cv->full_dot, (size_t)cv->size * sizeof(double));
  return status;
}

static int cvode_setup_newton(sunrealtype t, N_Vector y, N_Vector rhs, sunbooleantype usable, sunbooleantype *fresh,
                              sunrealtype gamma, void *user) {
  (void)rhs, (void)usable;
  fw_engine_cvode *cv = user;
  *fresh = SUNTRUE;
  FW_TRY(evaluate(cv, t, NV_DATA_S(y)));
  FW_TRY(fw_dae_jacobian(cv->ctx, cv->dae, t, 1.0 / gamma, cv->full, cv->full_dot));
  fw_status status = fw_factor_compute(cv->ctx, cv->newton, cv->dae->jacobian, NULL);
  return status == FW_ERR_SINGULAR ? 1 : status; /* recoverable: a smaller step */
}

static int cvode_solve_newton(sunrealtype t, N_Vector y, N_Vector rhs, N_Vector r, N_Vector x, sunrealtype gamma,
                              sunrealtype delta, int side, void *user) {
  (void)t, (void)y, (void)rhs, (void)delta, (void)side;
  fw_engine_cvode *cv = user;
  const fw_dae *dae = cv->dae;
  const double *from = NV_DATA_S(r);
  double c = 1.0 / gamma;
  memset(cv->F, 0, (size_t)dae->size * sizeof *cv->F);
  for (int64_t i = 0; i < dae->n; i++) cv->F[i] = c * from[i];
  fw_sparse_multiply(dae->system->M, c, from + dae->n, cv->F + dae->n);
  for (int64_t i = dae->z_at; i < cv->size; i++) cv->F[i] = c * from[i];
  FW_TRY(fw_factor_solve(cv->ctx, cv->newton, cv->F, 1));
  memcpy(NV_DATA_S(x), cv->F, (size_t)cv->size * sizeof(double));
  return 0;
}

static int cvode_roots(sunrealtype t, N_Vector y, sunrealtype *roots, void *user) {
  fw_engine_cvode *cv = user;
  memcpy(cv->full, NV_DATA_S(y), (size_t)cv->size * sizeof(double));
  return fw_dae_roots(cv->dae, t, cv->full, roots); /* none of a compliant model looks at N or T */
}

/* s' from F_y s + F_y' s' + F_p = 0 with F_y' = (1, M, 1): the rest of it by the neighbours' laws, at y' as it is. */
static fw_status tangent_rates(fw_engine_cvode *cv, int i, double t, const double *y, const double *y_dot,
                               const double *s, double *s_dot) {
  int64_t n = cv->dae->n;
  FW_TRY(fw_sensitivity_residual(cv->ctx, cv->sensitivity, i, t, y, y_dot, s, NULL, true, cv->F));
  for (int64_t k = 0; k < cv->size; k++) s_dot[k] = -cv->F[k];
  return fw_factor_solve(cv->ctx, cv->mass, s_dot + n, 1);
}

static int cvode_tangents(int count, sunrealtype t, N_Vector y, N_Vector y_dot, N_Vector *s, N_Vector *s_dot,
                          void *user, N_Vector a, N_Vector b) {
  (void)a, (void)b;
  fw_engine_cvode *cv = user;
  for (int i = 0; i < count; i++)
    FW_TRY(tangent_rates(cv, i, t, NV_DATA_S(y), NV_DATA_S(y_dot), NV_DATA_S(s[i]), NV_DATA_S(s_dot[i])));
  return 0;
}

static int cvode_powers(sunrealtype t, N_Vector y, N_Vector rates, void *user) {
  fw_engine_cvode *cv = user;
  FW_TRY(evaluate(cv, t, NV_DATA_S(y)));
  return fw_engine_powers(cv->ctx, cv->dae, t, cv->full, cv->full_dot, NV_DATA_S(rates));
}

/* ---- life -------------------------------------------------------------------------------- */

static void cvode_destroy(void *self) {
  fw_engine_cvode *cv = self;
  if (!cv) return;
  if (cv->memory) CVodeFree(&cv->memory);
  if (cv->s) N_VDestroyVectorArray(cv->s, cv->sensitivity->count);
  if (cv->linear) SUNLinSolFree(cv->linear);
  N_Vector vectors[] = {cv->y, cv->tolerance, cv->powers};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
    if (vectors[k]) N_VDestroy(vectors[k]);
  if (cv->sun) SUNContext_Free(&cv->sun);
  fw_factor_destroy(&cv->mass);
  fw_factor_destroy(&cv->newton);
  free(cv->full);
  free(cv->full_dot);
  free(cv->F);
  free(cv);
}

static fw_status factor_mass(fw_context *ctx, fw_engine_cvode *cv) {
  int64_t column = -1;
  FW_TRY(fw_factor_create(ctx, cv->dae->system->M, &cv->mass));
  fw_status status = fw_factor_compute(ctx, cv->mass, cv->dae->system->M, &column);
  if (status != FW_ERR_SINGULAR) return status;
  char where[160];
  fw_system_describe(cv->dae->system, column, where, sizeof where);
  return fw_fail(ctx, status, "%s has no mass: integrate with solver=\"alpha\", or use consistent mass", where);
}

static fw_status cvode_watch_roots(fw_context *ctx, fw_engine_cvode *cv) {
  int count = FW_DAE_ROOTS * cv->dae->model->contact_count, *falls = NULL;
  if (count == 0) return FW_OK;
  FW_TRY(fw_engine_check(ctx, CVodeRootInit(cv->memory, count, cvode_roots)));
  FW_TRY(fw_alloc(ctx, (size_t)count, sizeof *falls, &falls));
  for (int i = 0; i < count; i++) falls[i] = -1;
  int flag = CVodeSetRootDirection(cv->memory, falls);
  free(falls);
  FW_TRY(fw_engine_check(ctx, flag));
  return fw_engine_check(ctx, CVodeSetNoInactiveRootWarn(cv->memory));
}

static fw_status cvode_allocate(fw_context *ctx, fw_engine_cvode *cv) {
  size_t size = (size_t)cv->dae->size;
  FW_TRY(fw_alloc(ctx, size, sizeof(double), &cv->full));
  FW_TRY(fw_alloc(ctx, size, sizeof(double), &cv->full_dot));
  FW_TRY(fw_alloc(ctx, size, sizeof(double), &cv->F));
  FW_TRY(factor_mass(ctx, cv));
  FW_TRY(fw_factor_create(ctx, cv->dae->jacobian, &cv->newton));
  if (SUNContext_Create(NULL, &cv->sun) != 0) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  cv->y = fw_vector_create(cv->size, cv->sun);
  cv->tolerance = cv->y ? N_VClone(cv->y) : NULL;
  cv->powers = fw_vector_create(FW_POWERS, cv->sun);
  cv->memory = CVodeCreate(CV_BDF, cv->sun);
  cv->linear = cv->y ? SUNLinSol_SPGMR(cv->y, SUN_PREC_LEFT, 5, cv->sun) : NULL;
  if (!cv->tolerance || !cv->powers || !cv->memory || !cv->linear) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  return FW_OK;
}

static fw_status cvode_setup(fw_context *ctx, fw_engine_cvode *cv, const fw_ida_options *options, double t,
                             const double *y) {
  FW_TRY(cvode_allocate(ctx, cv));
  fw_engine_tolerances(cv->dae, options, cv->F, NULL);
  memcpy(NV_DATA_S(cv->tolerance), cv->F, (size_t)cv->size * sizeof(double));
  memcpy(NV_DATA_S(cv->y), y, (size_t)cv->size * sizeof(double));
  void *m = cv->memory;
  FW_TRY(fw_engine_check(ctx, CVodeInit(m, cvode_rhs, t, cv->y)));
  FW_TRY(fw_engine_check(ctx, CVodeSetErrFile(m, NULL)));
  FW_TRY(fw_engine_check(ctx, CVodeSetMaxOrd(m, options->order)));
  FW_TRY(fw_engine_check(ctx, CVodeSetUserData(m, cv)));
  FW_TRY(fw_engine_check(ctx, CVodeSVtolerances(m, options->relative, cv->tolerance)));
  FW_TRY(fw_engine_check(ctx, CVodeSetMaxNumSteps(m, -1)));
  if (options->longest > 0.0) FW_TRY(fw_engine_check(ctx, CVodeSetMaxStep(m, options->longest)));
  FW_TRY(fw_engine_check(ctx, CVodeSetLinearSolver(m, cv->linear, NULL)));
  FW_TRY(fw_engine_check(ctx, CVodeSetPreconditioner(m, cvode_setup_newton, cvode_solve_newton)));
  FW_TRY(cvode_watch_roots(ctx, cv));
  return fw_engine_check(ctx, CVodeQuadInit(m, cvode_powers, cv->powers));
}

static fw_status cvode_create(fw_context *ctx, fw_dae *dae, const fw_ida_options *options, double t, const double *y,
                              const double *y_dot, void **self) {
  (void)y_dot;
  fw_engine_cvode *cv = NULL;
  *self = NULL;
  FW_TRY(fw_alloc(ctx, 1, sizeof *cv, &cv));
  cv->ctx = ctx;
  cv->dae = dae;
  cv->size = dae->contact_at;
  fw_status status = cvode_setup(ctx, cv, options, t, y);
  if (status != FW_OK) {
    cvode_destroy(cv);
    return status;
  }
  *self = cv;
  return FW_OK;
}

static fw_status cvode_differentiate(fw_context *ctx, void *self, fw_ida_sensitivity *sensitivity) {
  fw_engine_cvode *cv = self;
  fw_status status = FW_OK;
  int count = sensitivity->count;
  double *scales = NULL;
  cv->sensitivity = sensitivity;
  cv->s = N_VCloneVectorArray(count, cv->y);
  FW_TRY_DONE(fw_alloc(ctx, (size_t)count, sizeof *scales, &scales));
  if (!cv->s) status = fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  FW_TRY_DONE(status);
  for (int i = 0; i < count; i++) {
    memcpy(NV_DATA_S(cv->s[i]), sensitivity->of[i].y, (size_t)cv->size * sizeof(double));
    scales[i] = sensitivity->of[i].scale;
  }
  void *m = cv->memory;
  FW_TRY_DONE(fw_engine_check(ctx, CVodeSensInit(m, count, CV_STAGGERED, cvode_tangents, cv->s)));
  FW_TRY_DONE(fw_engine_check(ctx, CVodeSetSensParams(m, NULL, scales, NULL)));
  FW_TRY_DONE(fw_engine_check(ctx, CVodeSensEEtolerances(m)));
  FW_TRY_DONE(fw_engine_check(ctx, CVodeSetSensErrCon(m, SUNTRUE)));
done:
  free(scales);
  return status;
}

/* ---- stepping ---------------------------------------------------------------------------- */

static fw_status cvode_failed(fw_context *ctx, double t, int flag) {
  return fw_engine_stopped(ctx, "cvode", t, flag == CV_CONV_FAILURE || flag == CV_ERR_FAILURE, flag);
}

/* s, s' at the time of the last step, where y and y' are known. */
static fw_status cvode_read_tangents(fw_context *ctx, fw_engine_cvode *cv, double t, const double *y,
                                     const double *y_dot) {
  double reached;
  if (!cv->sensitivity) return FW_OK;
  FW_TRY(fw_engine_check(ctx, CVodeGetSens(cv->memory, &reached, cv->s)));
  for (int i = 0; i < cv->sensitivity->count; i++) {
    fw_tangent *tangent = &cv->sensitivity->of[i];
    memcpy(tangent->y, NV_DATA_S(cv->s[i]), (size_t)cv->size * sizeof(double));
    FW_TRY(tangent_rates(cv, i, t, y, y_dot, tangent->y, tangent->y_dot));
  }
  return FW_OK;
}

static fw_status cvode_step(fw_context *ctx, void *self, double stop, double *t, double *y, double *y_dot,
                            double *powers, bool *event) {
  fw_engine_cvode *cv = self;
  size_t bytes = (size_t)cv->dae->size * sizeof *y;
  double reached, begin = *t;
  cv->ctx = ctx;
  FW_TRY(fw_engine_check(ctx, CVodeSetStopTime(cv->memory, stop)));
  int flag = CVode(cv->memory, stop, cv->y, t, CV_ONE_STEP);
  if (flag < 0) return cvode_failed(ctx, begin, flag);
  *event = flag == CV_ROOT_RETURN;
  FW_TRY(evaluate(cv, *t, NV_DATA_S(cv->y)));
  memcpy(y, cv->full, bytes);
  memcpy(y_dot, cv->full_dot, bytes);
  FW_TRY(fw_engine_check(ctx, CVodeGetQuad(cv->memory, &reached, cv->powers)));
  memcpy(powers, NV_DATA_S(cv->powers), FW_POWERS * sizeof *powers);
  return cvode_read_tangents(ctx, cv, *t, y, y_dot);
}

static fw_status cvode_found(fw_context *ctx, void *self, int *found) {
  return fw_engine_check(ctx, CVodeGetRootInfo(((fw_engine_cvode *)self)->memory, found));
}

static fw_status cvode_restart(fw_context *ctx, void *self, double t, const double *y, const double *y_dot) {
  (void)y_dot;
  fw_engine_cvode *cv = self;
  memcpy(NV_DATA_S(cv->y), y, (size_t)cv->size * sizeof *y);
  N_VConst(0.0, cv->powers);
  FW_TRY(fw_engine_check(ctx, CVodeReInit(cv->memory, t, cv->y)));
  return fw_engine_check(ctx, CVodeQuadReInit(cv->memory, cv->powers));
}

static void cvode_count(const void *self, long counts[FW_COUNTS], int *order, double *last_step) {
  void *memory = ((const fw_engine_cvode *)self)->memory;
  CVodeGetNumSteps(memory, &counts[FW_COUNT_STEPS]);
  CVodeGetNumRhsEvals(memory, &counts[FW_COUNT_RESIDUALS]);
  CVodeGetNumPrecEvals(memory, &counts[FW_COUNT_JACOBIANS]);
  CVodeGetNumErrTestFails(memory, &counts[FW_COUNT_ERRORS]);
  CVodeGetNumNonlinSolvConvFails(memory, &counts[FW_COUNT_NEWTON]);
  CVodeGetLastOrder(memory, order);
  CVodeGetLastStep(memory, last_step);
}

const fw_engine_ops fw_engine_cvodes = {.name = "CVODE",
                                        .create = cvode_create,
                                        .destroy = cvode_destroy,
                                        .step = cvode_step,
                                        .roots = cvode_found,
                                        .restart = cvode_restart,
                                        .differentiate = cvode_differentiate,
                                        .count = cvode_count};
