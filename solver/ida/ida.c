/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/ida/ida.h"

#include <idas/idas.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include "core/load.h"
#include "solver/ida/events.h"
#include "solver/ida/vector.h"

enum { POWERS = 4, STEPS_WITHOUT_PROGRESS = 2000 };
enum { POWER_LOADS, POWER_DAMPING, POWER_FRICTION, POWER_CONTACT };

struct fw_ida {
  fw_context *ctx; /* of the running call, for callbacks */
  fw_dae *dae;
  fw_state *committed, *next;
  fw_ida_options options;
  SUNContext sun;
  void *memory;
  N_Vector y, y_dot, tolerance, kind, powers;
  SUNMatrix matrix;
  SUNLinearSolver linear;
  int *found;           /* roots */
  fw_dae_point *before; /* contact points before an event */
  fw_ida_event on_event;
  void *event_user;
  fw_energy energy;
  double work[POWERS]; /* integrals up to the last restart */
  double impact_losses, contact_start;
  fw_ida_statistics count;
  long counted[5]; /* IDA's counters before the last restart */
};

/* ---- callbacks --------------------------------------------------------------------------- */

static int ida_residual(sunrealtype t, N_Vector y, N_Vector y_dot, N_Vector F, void *user) {
  fw_ida *ida = user;
  return fw_dae_residual(ida->ctx, ida->dae, t, NV_DATA_S(y), NV_DATA_S(y_dot), NV_DATA_S(F));
}

static int ida_jacobian(sunrealtype t, sunrealtype c, N_Vector y, N_Vector y_dot, N_Vector F, SUNMatrix J, void *user,
                        N_Vector a, N_Vector b, N_Vector d) {
  (void)F, (void)a, (void)b, (void)d;
  fw_ida *ida = user;
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
  fw_ida *ida = user;
  return fw_dae_roots(ida->dae, t, NV_DATA_S(y), roots);
}

/* Powers whose integrals the energy balance needs. */
static int ida_powers(sunrealtype t, N_Vector y, N_Vector y_dot, N_Vector rates, void *user) {
  (void)y_dot;
  fw_ida *ida = user;
  fw_dae *dae = ida->dae;
  const double *data = NV_DATA_S(y), *v = data + dae->n;
  double *power = NV_DATA_S(rates);
  memset(power, 0, POWERS * sizeof *power);
  memset(dae->force, 0, (size_t)dae->system->size * sizeof *dae->force);
  fw_loads_force(dae->model, ida->committed->load_factors, t, dae->omega, dae->force);
  for (int64_t i = 0; i < dae->n; i++) power[POWER_LOADS] += dae->force[i] * v[i];
  const fw_sparse *C = dae->system->C;
  for (int64_t j = 0; j < dae->n; j++)
    for (int64_t k = C->p[j]; k < C->p[j + 1]; k++)
      if (C->i[k] < dae->n) power[POWER_DAMPING] += v[C->i[k]] * C->x[k] * v[j];
  FW_TRY(fw_dae_kinematics(dae, data));
  for (int c = 0; c < dae->model->contact_count; c++) {
    power[POWER_FRICTION] += data[dae->contact_at + 2 * c + 1] * dae->points[c].slip_rate;
    power[POWER_CONTACT] -= data[dae->contact_at + 2 * c] * dae->points[c].gap_rate;
  }
  return 0;
}

/* ---- creation ---------------------------------------------------------------------------- */

static fw_status ida_check(fw_context *ctx, int flag, const char *call) {
  return flag >= 0 ? FW_OK : fw_fail(ctx, FW_ERR_LIBRARY, "%s failed (%d)", call, flag);
}

static void set_tolerances(fw_ida *ida) {
  const fw_dae *dae = ida->dae;
  double *tolerance = NV_DATA_S(ida->tolerance), *kind = NV_DATA_S(ida->kind), force = 1.0;
  for (int c = 0; c < dae->model->contact_count; c++) force = fmax(force, fabs(ida->committed->touch[c].N));
  for (int64_t i = 0; i < dae->size; i++) {
    kind[i] = i < dae->contact_at ? 1.0 : 0.0;
    tolerance[i] = i < dae->n ? ida->options.displacement : ida->options.velocity;
    if (i >= dae->contact_at) tolerance[i] = ida->options.relative * force; /* Newton's; not in the error test */
  }
  for (int c = 0; c < dae->model->contact_count; c++) {
    const fw_dae_point *point = &dae->points[c];
    if (point->first_z < 0) continue;
    int64_t at = dae->z_at + point->first_z;
    for (int k = 0; k < point->pair->friction_count; k++)
      for (int s = 0; s < point->pair->friction[k].states; s++, at++)
        tolerance[at] = ida->options.relative *
                        fw_friction_scale(&point->pair->friction[k], fmax(ida->committed->touch[c].N, 1.0), s);
  }
}

/* Every event function counts where it falls through zero. */
static fw_status watch_roots(fw_context *ctx, fw_ida *ida) {
  int count = FW_DAE_ROOTS * ida->dae->model->contact_count;
  if (count == 0) return FW_OK;
  FW_TRY(ida_check(ctx, IDARootInit(ida->memory, count, ida_roots), "IDARootInit"));
  for (int i = 0; i < count; i++) ida->found[i] = -1;
  FW_TRY(ida_check(ctx, IDASetRootDirection(ida->memory, ida->found), "IDASetRootDirection"));
  return ida_check(ctx, IDASetNoInactiveRootWarn(ida->memory), "IDASetNoInactiveRootWarn");
}

static fw_status ida_setup(fw_context *ctx, fw_ida *ida) {
  fw_dae *dae = ida->dae;
  if (SUNContext_Create(NULL, &ida->sun) != 0) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  ida->y = fw_vector_create(dae->size, ida->sun);
  ida->y_dot = ida->y ? N_VClone(ida->y) : NULL;
  ida->tolerance = ida->y ? N_VClone(ida->y) : NULL;
  ida->kind = ida->y ? N_VClone(ida->y) : NULL;
  ida->powers = fw_vector_create(POWERS, ida->sun);
  ida->matrix = SUNSparseMatrix(dae->size, dae->size, dae->jacobian->p[dae->size], CSC_MAT, ida->sun);
  ida->memory = IDACreate(ida->sun);
  if (!ida->y || !ida->y_dot || !ida->tolerance || !ida->kind || !ida->powers || !ida->matrix || !ida->memory)
    return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  ida->linear = SUNLinSol_KLU(ida->y, ida->matrix, ida->sun);
  if (!ida->linear) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  set_tolerances(ida);
  fw_dae_pack(dae, ida->committed, NV_DATA_S(ida->y), NV_DATA_S(ida->y_dot));
  fw_dae_state_rates(dae, NV_DATA_S(ida->y), NV_DATA_S(ida->y_dot));
  void *m = ida->memory;
  FW_TRY(ida_check(ctx, IDAInit(m, ida_residual, ida->committed->time, ida->y, ida->y_dot), "IDAInit"));
  FW_TRY(ida_check(ctx, IDASetErrFile(m, NULL), "IDASetErrFile"));
  FW_TRY(ida_check(ctx, IDASetMaxOrd(m, ida->options.order), "IDASetMaxOrd"));
  FW_TRY(ida_check(ctx, IDASetUserData(m, ida), "IDASetUserData"));
  FW_TRY(ida_check(ctx, IDASVtolerances(m, ida->options.relative, ida->tolerance), "IDASVtolerances"));
  FW_TRY(ida_check(ctx, IDASetId(m, ida->kind), "IDASetId"));
  FW_TRY(ida_check(ctx, IDASetSuppressAlg(m, SUNTRUE), "IDASetSuppressAlg"));
  FW_TRY(ida_check(ctx, IDASetMaxNumSteps(m, -1), "IDASetMaxNumSteps"));
  if (ida->options.longest > 0.0) FW_TRY(ida_check(ctx, IDASetMaxStep(m, ida->options.longest), "IDASetMaxStep"));
  FW_TRY(ida_check(ctx, IDASetLinearSolver(m, ida->linear, ida->matrix), "IDASetLinearSolver"));
  FW_TRY(ida_check(ctx, IDASetJacFn(m, ida_jacobian), "IDASetJacFn"));
  FW_TRY(watch_roots(ctx, ida));
  return ida_check(ctx, IDAQuadInit(m, ida_powers, ida->powers), "IDAQuadInit");
}

static double stored_in_contact(const fw_ida *ida) {
  double sum = 0.0;
  for (int c = 0; c < ida->dae->model->contact_count; c++) {
    const fw_pair *pair = ida->dae->points[c].pair;
    if (fw_normal_is_rigid(&pair->normal)) continue;
    fw_normal_out law;
    fw_normal_force(&pair->normal, ida->committed->touch[c].gap, 0.0, &law);
    sum += law.energy;
  }
  return sum;
}

static void update_energy(fw_ida *ida) {
  const fw_dae *dae = ida->dae;
  const double *v = ida->committed->v, *now = NV_DATA_S(ida->powers);
  const fw_sparse *M = dae->system->M;
  double kinetic = 0.0;
  for (int64_t j = 0; j < dae->n; j++)
    for (int64_t k = M->p[j]; k < M->p[j + 1]; k++)
      if (M->i[k] < dae->n) kinetic += 0.5 * v[M->i[k]] * M->x[k] * v[j];
  ida->energy.kinetic = kinetic;
  ida->energy.strain = fw_system_energy(dae->system, ida->committed->q);
  ida->energy.contact_stored = stored_in_contact(ida);
  ida->energy.loads = ida->work[POWER_LOADS] + now[POWER_LOADS];
  ida->energy.damping = ida->work[POWER_DAMPING] + now[POWER_DAMPING];
  ida->energy.friction = ida->work[POWER_FRICTION] + now[POWER_FRICTION];
  ida->energy.contact_damping = ida->work[POWER_CONTACT] + now[POWER_CONTACT] -
                                (ida->energy.contact_stored - ida->contact_start) + ida->impact_losses;
}

fw_status fw_ida_create(fw_context *ctx, fw_system *system, const fw_state *state, double omega,
                        const fw_ida_options *options, fw_ida **ida) {
  fw_status status = FW_OK;
  fw_ida *i = NULL;
  FW_TRY(fw_alloc(ctx, 1, sizeof *i, &i));
  i->ctx = ctx;
  i->options = *options;
  FW_TRY_DONE(fw_state_copy(ctx, state, &i->committed));
  FW_TRY_DONE(fw_state_copy(ctx, state, &i->next));
  /* pull held directions back by a critically damped motion ten times faster than the mobility */
  FW_TRY_DONE(fw_dae_create(ctx, system, i->committed, omega, 10.0 * options->rate, &i->dae));
  FW_TRY_DONE(fw_alloc(ctx, FW_DAE_ROOTS * (size_t)system->model->contact_count, sizeof *i->found, &i->found));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)system->model->contact_count, sizeof *i->before, &i->before));
  FW_TRY_DONE(fw_dae_observe(i->dae, i->committed));
  FW_TRY_DONE(fw_events_settle(ctx, i->dae, i->committed));
  FW_TRY_DONE(ida_setup(ctx, i));
  i->contact_start = stored_in_contact(i);
  update_energy(i);
done:
  if (status != FW_OK) fw_ida_destroy(&i);
  *ida = i;
  return status;
}

static void tear_down(fw_ida *i) {
  if (i->memory) IDAFree(&i->memory);
  if (i->linear) SUNLinSolFree(i->linear);
  if (i->matrix) SUNMatDestroy(i->matrix);
  N_Vector *vectors[] = {&i->y, &i->y_dot, &i->tolerance, &i->kind, &i->powers};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
    if (*vectors[k]) N_VDestroy(*vectors[k]);
    *vectors[k] = NULL;
  }
  if (i->sun) SUNContext_Free(&i->sun);
  i->linear = NULL;
  i->matrix = NULL;
}

void fw_ida_destroy(fw_ida **ida) {
  if (!ida || !*ida) return;
  fw_ida *i = *ida;
  tear_down(i);
  fw_dae_destroy(&i->dae);
  fw_state_destroy(&i->committed);
  fw_state_destroy(&i->next);
  free(i->found);
  free(i->before);
  free(i);
  *ida = NULL;
}

const fw_state *fw_ida_state(const fw_ida *ida) { return ida->committed; }
const fw_energy *fw_ida_energy(const fw_ida *ida) { return &ida->energy; }

/* ---- integration ------------------------------------------------------------------------- */

static void read_counters(const fw_ida *ida, long now[5]) {
  IDAGetNumSteps(ida->memory, &now[0]);
  IDAGetNumResEvals(ida->memory, &now[1]);
  IDAGetNumJacEvals(ida->memory, &now[2]);
  IDAGetNumErrTestFails(ida->memory, &now[3]);
  IDAGetNumNonlinSolvConvFails(ida->memory, &now[4]);
}

fw_ida_statistics fw_ida_count(const fw_ida *ida) {
  fw_ida_statistics count = ida->count;
  long now[5] = {0};
  read_counters(ida, now);
  count.steps = ida->counted[0] + now[0];
  count.residuals = ida->counted[1] + now[1];
  count.jacobians = ida->counted[2] + now[2];
  count.error_failures = ida->counted[3] + now[3];
  count.newton_failures = ida->counted[4] + now[4];
  IDAGetLastStep(ida->memory, &count.last_step);
  return count;
}

/* Makes an accepted step the committed state: totals grow by what the step gained. */
static fw_status commit(fw_ida *ida, double t) {
  fw_dae *dae = ida->dae;
  fw_state *next = ida->next;
  FW_TRY(fw_dae_unpack(dae, t, NV_DATA_S(ida->y), NV_DATA_S(ida->y_dot), next));
  for (int c = 0; c < dae->model->contact_count; c++) {
    const fw_touch *old = &ida->committed->touch[c];
    fw_touch *touch = &next->touch[c];
    fw_dae_point *point = &dae->points[c];
    double gain = touch->slip;
    if (point->mode == FW_TANGENT_STICK) {
      point->slip_base += gain;
      ida->count.violation = fmax(ida->count.violation, fabs(point->slip_base));
    }
    if (point->closed && fw_normal_is_rigid(&point->pair->normal))
      ida->count.violation = fmax(ida->count.violation, fabs(touch->gap));
    touch->slip = old->slip + gain;
    touch->distance = old->distance + (touch->status != FW_OPEN ? fabs(gain) : 0.0);
    touch->work = old->work + 0.5 * (fmax(old->N, 0.0) + fmax(touch->N, 0.0)) * fabs(gain);
    touch->dissipated = old->dissipated + 0.5 * (old->T + touch->T) * gain;
  }
  fw_state_assign(ida->committed, next);
  return FW_OK;
}

/* Adds what IDA counted and integrated since the last restart to the totals. */
static void fold_totals(fw_ida *ida) {
  long now[5] = {0};
  read_counters(ida, now);
  for (int k = 0; k < 5; k++) ida->counted[k] += now[k];
  for (int k = 0; k < POWERS; k++) ida->work[k] += NV_Ith_S(ida->powers, k);
  N_VConst(0.0, ida->powers);
}

static fw_status reinitialise(fw_context *ctx, fw_ida *ida) {
  fold_totals(ida);
  fw_dae_pack(ida->dae, ida->committed, NV_DATA_S(ida->y), NV_DATA_S(ida->y_dot));
  fw_dae_state_rates(ida->dae, NV_DATA_S(ida->y), NV_DATA_S(ida->y_dot));
  ida->count.restarts++;
  FW_TRY(ida_check(ctx, IDAReInit(ida->memory, ida->committed->time, ida->y, ida->y_dot), "IDAReInit"));
  return ida_check(ctx, IDAQuadReInit(ida->memory, ida->powers), "IDAQuadReInit");
}

/* Slip against its own friction and penetration, where a function passed zero between looks: events like any other. */
static bool find_missed(fw_ida *ida) {
  bool any = false;
  double least = ida->options.displacement, slow = ida->options.velocity;
  memset(ida->found, 0, FW_DAE_ROOTS * (size_t)ida->dae->model->contact_count * sizeof *ida->found);
  for (int c = 0; c < ida->dae->model->contact_count; c++) {
    const fw_dae_point *point = &ida->dae->points[c];
    const fw_touch *touch = &ida->committed->touch[c];
    bool hard = fw_normal_is_rigid(&point->pair->normal);
    bool wrong = point->mode == FW_TANGENT_SLIP && point->direction * touch->slip_velocity < -slow;
    bool inside = hard && !point->closed && touch->gap < -least && touch->gap_velocity < 0.0;
    if (wrong) ida->found[FW_DAE_ROOTS * c + 3] = -1;
    if (inside) ida->found[FW_DAE_ROOTS * c] = -1;
    any = any || wrong || inside;
  }
  return any;
}

void fw_ida_on_event(fw_ida *ida, fw_ida_event fn, void *user) {
  ida->on_event = fn;
  ida->event_user = user;
}

/* What became of a point at an event; 0: nothing. */
static int change_of(const fw_dae_point *before, const fw_dae_point *now, const int *found) {
  if (before->closed != now->closed) return now->closed ? FW_CLOSES : FW_OPENS;
  if (!now->closed) return found[0] ? FW_BOUNCES : 0;
  if (before->mode != now->mode) return now->mode == FW_TANGENT_STICK ? FW_STICKS : FW_SLIPS;
  return before->direction != now->direction ? FW_TURNS : 0;
}

static fw_status tell_changes(fw_ida *ida) {
  for (int c = 0; ida->on_event && c < ida->dae->model->contact_count; c++) {
    int change = change_of(&ida->before[c], &ida->dae->points[c], ida->found + FW_DAE_ROOTS * c);
    if (change) FW_TRY(ida->on_event(ida->event_user, (fw_ida_change)change, c, ida->committed));
  }
  return FW_OK;
}

static fw_status handle_events(fw_context *ctx, fw_ida *ida) {
  ida->count.events++;
  memcpy(ida->before, ida->dae->points, (size_t)ida->dae->model->contact_count * sizeof *ida->before);
  fw_rest rest = {ida->options.velocity, ida->options.displacement};
  FW_TRY(fw_events_apply(ctx, ida->dae, ida->found, &rest, ida->committed, &ida->impact_losses));
  FW_TRY(tell_changes(ida));
  return reinitialise(ctx, ida);
}

static fw_status integration_failed(fw_context *ctx, const fw_ida *ida, int flag) {
  char *name = IDAGetReturnFlagName(flag);
  fw_fail(ctx, FW_ERR_ANALYSIS, "IDA stops at t = %.9g s: %s", ida->committed->time, name ? name : "unknown");
  free(name);
  return FW_ERR_ANALYSIS;
}

static fw_status archive_point(fw_archive *archive, fw_dae_point *point) {
  long mode = point->mode;
  double *numbers[] = {&point->direction, &point->slip_base, &point->slope, &point->lift, &point->tilt};
  FW_TRY(fw_archive_flag(archive, &point->closed));
  FW_TRY(fw_archive_longs(archive, &mode, 1));
  point->mode = (fw_tangent_mode)mode;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) FW_TRY(fw_archive_numbers(archive, numbers[i], 1));
  return FW_OK;
}

static fw_status archive_count(fw_archive *archive, fw_ida *ida) {
  fw_ida_statistics *count = &ida->count;
  FW_TRY(fw_archive_longs(archive, ida->counted, sizeof ida->counted / sizeof *ida->counted));
  FW_TRY(fw_archive_longs(archive, &count->events, 1));
  FW_TRY(fw_archive_longs(archive, &count->restarts, 1));
  FW_TRY(fw_archive_longs(archive, count->of_order, FW_IDA_ORDERS + 1));
  return fw_archive_numbers(archive, &count->violation, 1);
}

fw_status fw_ida_archive(fw_context *ctx, fw_ida *ida, fw_archive *archive) {
  ida->ctx = ctx;
  fold_totals(ida);
  FW_TRY(fw_archive_state(archive, ida->committed));
  for (int c = 0; c < ida->dae->model->contact_count; c++) FW_TRY(archive_point(archive, &ida->dae->points[c]));
  FW_TRY(fw_archive_numbers(archive, (double *)&ida->energy, sizeof ida->energy / sizeof(double)));
  FW_TRY(fw_archive_numbers(archive, ida->work, POWERS));
  FW_TRY(fw_archive_numbers(archive, &ida->impact_losses, 1));
  FW_TRY(fw_archive_numbers(archive, &ida->contact_start, 1));
  FW_TRY(archive_count(archive, ida));
  tear_down(ida); /* pivots and step sizes depend on what it met before */
  FW_TRY(fw_dae_observe(ida->dae, ida->committed));
  FW_TRY(fw_events_settle(ctx, ida->dae, ida->committed));
  return ida_setup(ctx, ida);
}

static void count_order(fw_ida *ida) {
  int order = 0;
  IDAGetLastOrder(ida->memory, &order);
  ida->count.of_order[order]++;
}

fw_status fw_ida_advance(fw_context *ctx, fw_ida *ida, double t, fw_ida_watch watch, void *user) {
  ida->ctx = ctx;
  int idle = 0;
  FW_TRY(ida_check(ctx, IDASetStopTime(ida->memory, t), "IDASetStopTime"));
  while (ida->committed->time < t) {
    double now = ida->committed->time;
    FW_TRY(fw_interrupted(ctx));
    int flag = IDASolve(ida->memory, t, &now, ida->y, ida->y_dot, IDA_ONE_STEP);
    if (flag < 0) return integration_failed(ctx, ida, flag);
    idle = now - ida->committed->time > 1e-13 * fmax(fabs(now), 1e-3) ? 0 : idle + 1;
    if (idle > STEPS_WITHOUT_PROGRESS)
      return fw_fail(ctx, FW_ERR_ANALYSIS, "contact chatters at t = %.9g s: %ld events, no progress", now,
                     ida->count.events);
    count_order(ida);
    FW_TRY(commit(ida, now));
    FW_TRY(fw_events_check(ctx, ida->dae, now));
    double reached;
    FW_TRY(ida_check(ctx, IDAGetQuad(ida->memory, &reached, ida->powers), "IDAGetQuad"));
    bool event = flag == IDA_ROOT_RETURN;
    if (event)
      FW_TRY(ida_check(ctx, IDAGetRootInfo(ida->memory, ida->found), "IDAGetRootInfo"));
    else
      event = find_missed(ida);
    if (event) FW_TRY(handle_events(ctx, ida));
    update_energy(ida);
    if (watch) FW_TRY(watch(user, ida->committed, &ida->energy));
  }
  return FW_OK;
}
