/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/vibration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/pair.h"
#include "core/load.h"
#include "elements/flow.h"
#include "elements/joint.h"
#include "elements/von_karman.h"
#include "solver/assembly/linear_contact.h"

enum { MODES_LEAST = 3, MODES_MOST = 12 };

/* ---- what cannot be followed -------------------------------------------------------------- */

static fw_status check_elements(fw_context *ctx, const fw_model *model, fw_place place) {
  for (int b = 0; b < model->block_count; b++) {
    const fw_block *block = &model->blocks[b];
    if (!fw_element_nonlinear(block->ops, &block->props) || block->props.kinematics == FW_VON_KARMAN) continue;
    return fw_fail_at(ctx, FW_ERR_DECK, place,
                      "harmonic balance follows linear and von Kármán kinematics; body \"%s\" (%s) has another "
                      "nonlinearity: use method=\"time\"",
                      block->body >= 0 ? model->bodies[block->body].id : "", block->ops->entry.name);
  }
  return FW_OK;
}

static bool has_membranes(const fw_model *model) {
  for (int b = 0; b < model->block_count; b++)
    if (model->blocks[b].props.kinematics == FW_VON_KARMAN) return true;
  return false;
}

/* A law that says nothing of its abilities is taken at the user's word. */
static bool is_periodic(const fw_friction *law) { return !law->ops->claims || strstr(law->ops->claims, "periodic"); }

static fw_status check_pair(fw_context *ctx, const fw_pair *pair) {
  int count;
  for (const fw_friction *law = fw_friction_parts(&pair->friction, &count); count-- > 0; law++)
    if (!is_periodic(law))
      return fw_fail_at(ctx, FW_ERR_DECK, pair->place,
                        "friction law \"%s\" does not answer a periodic slip with a periodic force, which harmonic "
                        "balance needs: use method=\"time\" or a transient",
                        law->ops->entry.name);
  return FW_OK;
}

fw_status fw_vibration_check(fw_context *ctx, const fw_model *model, fw_place analysis) {
  FW_TRY(check_elements(ctx, model, analysis));
  FW_TRY(fw_joints_check_still(ctx, model, "harmonic balance"));
  int body = fw_model_unsymmetric(model);
  if (body >= 0 && has_membranes(model))
    return fw_fail_at(
        ctx, FW_ERR_DECK, analysis,
        "\"%s\" has a matrix that is not symmetric; harmonic balance does not take that beside von Kármán "
        "beams: use transient or shooting",
        model->bodies[body].id);
  for (int p = 0; p < model->pair_count; p++) FW_TRY(check_pair(ctx, model->pairs[p]));
  return FW_OK;
}

/* ---- contact points ----------------------------------------------------------------------- */

static bool has_gradient(const fw_kinematic *kin, const double *gradient) {
  double size = 0;
  for (int i = 0; i < kin->count; i++) size += gradient[i] * gradient[i];
  return size > 0;
}

/* Hard points that are open at the start and may close have four blocks of unknowns each: a few stops, not a mesh. */
enum { OPEN_MOST = 8 };

static int count_open(const fw_vibration *v) {
  int open = 0;
  for (int p = 0; p < v->model->pair_count; p++)
    for (int i = 0; i < v->model->pairs[p]->count && fw_normal_is_rigid(&v->model->pairs[p]->normal); i++)
      open += v->start->touch[v->model->pairs[p]->first_contact + i].status == FW_OPEN;
  return open;
}

/* Adds one contact point; kin is kept for the functionals. */
static fw_status add_contact(fw_context *ctx, fw_vibration *v, const fw_pair *pair, int i, fw_kinematic *kin) {
  const fw_touch *touch = &v->start->touch[pair->first_contact + i];
  fw_linear_contact linear;
  FW_TRY(fw_linear_contact_find(ctx, v->model, v->start, FW_VIEW_STICK, pair, i, &linear));
  bool rigid = fw_normal_is_rigid(&pair->normal), open = touch->status == FW_OPEN;
  if (!linear.placed || (rigid && open && count_open(v) > OPEN_MOST)) {
    v->left_out++;
    return FW_OK;
  }
  *kin = linear.kin;
  fw_balance_contact *contact = &v->contacts[v->contact_count++];
  *contact = (fw_balance_contact){
      .number = pair->first_contact + i, .T0 = linear.T, .k_n = linear.k_n, .k_t = linear.k_t, .T_N = linear.T_N};
  contact->point = (fw_aft_point){.friction = &pair->friction,
                                  .normal = &pair->normal,
                                  .N0 = linear.N,
                                  .gap0 = kin->gap,
                                  .clearance = rigid && open ? fmax(kin->gap, 0) : 0,
                                  .z0 = v->start->z + pair->first_z + i * pair->states};
  contact->point.kind = !has_gradient(kin, kin->gap_q) ? FW_AFT_CONSTANT
                        : !rigid                       ? FW_AFT_LAW
                        : open                         ? FW_AFT_OPENING
                                                       : FW_AFT_CLOSED;
  return FW_OK;
}

static fw_status find_contacts(fw_context *ctx, fw_vibration *v, const fw_system *system, fw_kinematic *kin) {
  for (int p = 0; p < v->model->pair_count; p++)
    for (int i = 0; i < v->model->pairs[p]->count; i++)
      FW_TRY(add_contact(ctx, v, v->model->pairs[p], i, &kin[v->contact_count]));
  return fw_coordinates_find(ctx, v->model, system->K, kin, v->contacts, v->contact_count, &v->coordinates);
}

/* ---- reduction ---------------------------------------------------------------------------- */

static int larger(int a, int b) { return a > b ? a : b; }

/* Modes below `highest` where there is a polynomial to project; none otherwise but those that are to be kept: all are
 * condensed. */
static fw_status reduce(fw_context *ctx, fw_vibration *v, const fw_assembled *a, double highest, int keep) {
  bool membranes = has_membranes(v->model);
  fw_retained retained = {keep, keep, highest};
  if (membranes) retained = (fw_retained){larger(MODES_LEAST, keep), larger(MODES_MOST, keep), highest};
  FW_TRY(fw_reduced_create(ctx, &a->structure, retained, &v->reduced));
  FW_TRY(fw_assembled_expand(ctx, a, &v->reduced));
  return membranes ? fw_quartic_create(ctx, v->model, v->start->q, &v->reduced, &v->quartic) : FW_OK;
}

static fw_status project_functional(fw_context *ctx, const fw_vibration *v, const fw_functional *functional,
                                    double *dense, fw_projected *out) {
  memset(dense, 0, (size_t)v->model->dof_count * sizeof(double));
  fw_functional_scatter(functional, 1, dense);
  return fw_projected_init(ctx, &v->reduced, dense, out);
}

static fw_status find_drives(fw_context *ctx, fw_vibration *v, const double *drive, double *dense) {
  const fw_model *model = v->model;
  FW_TRY(fw_alloc(ctx, (size_t)model->load_count, sizeof *v->drives, &v->drives));
  FW_TRY(fw_alloc(ctx, (size_t)model->load_count, sizeof *v->drive_load, &v->drive_load));
  FW_TRY(fw_alloc(ctx, (size_t)model->load_count, sizeof *v->drive_amount, &v->drive_amount));
  for (int l = 0; l < model->load_count; l++) {
    if (drive[l] == 0) continue;
    const fw_load *load = &model->loads[l];
    if (!load->ops->harmonic)
      return fw_fail(ctx, FW_ERR_ANALYSIS, "load \"%s\" is not harmonic: it cannot drive a frequency response",
                     load->id);
    double phase;
    fw_balance_drive *to = &v->drives[v->drive_count];
    to->harmonic = fw_load_multiple(load, &phase);
    to->factor = drive[l] * cexp(I * phase);
    v->drive_amount[v->drive_count] = drive[l];
    v->drive_load[v->drive_count++] = l;
    FW_TRY(project_functional(ctx, v, &load->shape, dense, &to->load));
  }
  return FW_OK;
}

/* The weights of slip and gap in the conditions of rigid stick and of hard contact that opens: well above the
 * structure's own stiffness there, static and up to the first frequency with the contact held. That may be far above
 * all that happens (a rigid body on a spring) and counts for so much only. */
static double stiffer_than(const fw_reduced *r, int coordinate) {
  double w = r->modes + r->rest > 0 ? r->frequency[0] : 1;
  int at = coordinate * (r->coordinates + 1);
  double K = fabs(r->K[at]), inertia = w * w * fabs(r->M[at]);
  return 30 * (K + (K > 0 ? fmin(inertia, 10 * K) : inertia));
}

/* Along a combination: each of its coordinates alone may give way. */
static double stiffer_along(const fw_reduced *r, const fw_combination *along) {
  double least = INFINITY;
  for (int k = 0; k < along->count; k++)
    least = fmin(least, stiffer_than(r, along->at[k]) / (along->factor[k] * along->factor[k]));
  return least;
}

static void hold_rigidly(fw_vibration *v) {
  for (int i = 0; i < v->contact_count; i++) {
    fw_balance_contact *contact = &v->contacts[i];
    if (contact->slip.count && fw_friction_is_rigid(contact->point.friction))
      contact->point.stick_penalty = stiffer_along(&v->reduced, &contact->slip);
    if (contact->gap.count) contact->point.gap_penalty = stiffer_along(&v->reduced, &contact->gap);
  }
}

static fw_status find_sensors(fw_context *ctx, fw_vibration *v, double *dense) {
  int sensors = v->model->sensor_count, square = v->reduced.coordinates * v->reduced.coordinates;
  FW_TRY(fw_alloc(ctx, (size_t)sensors, sizeof *v->sensors, &v->sensors));
  for (int i = 0; i < sensors; i++)
    FW_TRY(project_functional(ctx, v, &v->model->sensors[i].shape, dense, &v->sensors[i]));
  if (!v->quartic.elements) return FW_OK;
  FW_TRY(fw_alloc(ctx, (size_t)sensors * (size_t)square, sizeof *v->curvature, &v->curvature));
  for (int i = 0; i < sensors; i++)
    fw_quartic_reading(&v->quartic, v->sensors[i].r, v->curvature + (size_t)i * (size_t)square);
  return FW_OK;
}

static fw_status fill(fw_context *ctx, fw_system *system, const double *drive, double highest, fw_reduction how,
                      fw_vibration *v) {
  const fw_model *model = v->model;
  fw_status status = FW_OK;
  fw_kinematic *kin = NULL;
  fw_assembled assembled = {0};
  double *dense = NULL, *f = NULL;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)model->contact_count, sizeof *v->contacts, &v->contacts));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)model->contact_count, sizeof *kin, &kin));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)model->dof_count, sizeof *dense, &dense));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)system->size, sizeof *f, &f));
  FW_TRY_DONE(fw_system_force(ctx, system, v->start->q, v->start->lambda, v->start->time, f, true));
  fw_system_turn(system, v->start->q);
  FW_TRY_DONE(find_contacts(ctx, v, system, kin));
  fw_assembly options = {drive, how, {highest / FW_VIBRATION_RANGE, 5 * highest / FW_VIBRATION_RANGE}};
  FW_TRY_DONE(fw_assemble(ctx, system, v, kin, has_membranes(model), &options, &assembled));
  memcpy(v->error, assembled.error, sizeof v->error);
  FW_TRY_DONE(reduce(ctx, v, &assembled, highest, how.keep));
  FW_TRY_DONE(find_drives(ctx, v, drive, dense));
  FW_TRY_DONE(find_sensors(ctx, v, dense));
  hold_rigidly(v);
  v->given = (fw_balance_problem){&v->reduced, &v->quartic, v->contacts, v->contact_count, v->drives, v->drive_count};
done:
  fw_assembled_clear(&assembled);
  free(kin);
  free(dense);
  free(f);
  return status;
}

fw_status fw_vibration_create(fw_context *ctx, fw_system *system, const fw_state *start, const double *drive,
                              double highest, fw_reduction how, fw_vibration **vibration) {
  FW_TRY(fw_alloc(ctx, 1, sizeof **vibration, vibration));
  (*vibration)->model = system->model;
  fw_status status = fw_state_copy(ctx, start, &(*vibration)->start);
  if (status == FW_OK) status = fill(ctx, system, drive, highest, how, *vibration);
  if (status != FW_OK) fw_vibration_destroy(vibration);
  return status;
}

void fw_vibration_destroy(fw_vibration **vibration) {
  fw_vibration *v = *vibration;
  if (!v) return;
  for (int d = 0; d < v->drive_count; d++) fw_projected_clear(&v->drives[d].load);
  for (int i = 0; v->sensors && i < v->model->sensor_count; i++) fw_projected_clear(&v->sensors[i]);
  free(v->drives);
  free(v->drive_load);
  free(v->drive_amount);
  free(v->sensors);
  free(v->curvature);
  free(v->contacts);
  fw_coordinates_clear(&v->coordinates);
  fw_quartic_clear(&v->quartic);
  fw_reduced_clear(&v->reduced);
  fw_state_destroy(&v->start);
  free(v);
  *vibration = NULL;
}
