/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/assembly/reduced_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/detect/surface.h"
#include "contact/pair.h"
#include "core/field.h"
#include "elements/element.h"
#include "solver/assembly/reduced_model_parts.h"

/* ---- what stays ------------------------------------------------------------------------------ */

static bool is_loaded_at_rest(const fw_model *model, const fw_block *block) {
  double X[FW_ELEMENT_PLACES], zero[FW_ELEMENT_DOFS] = {0}, f[FW_ELEMENT_DOFS];
  int n = fw_element_dofs(block->ops);
  for (int e = 0; e < block->count; e++) {
    fw_element_places(model, block, e, X);
    if (block->ops->force(&block->props, X, zero, NULL, f, NULL, NULL) != FW_OK) return true;
    for (int i = 0; i < n; i++)
      if (f[i] != 0.0) return true;
  }
  return false;
}

/* Why a block keeps its freedoms; NULL: it is K, M and C. */
static const char *why_kept(const fw_model *model, const fw_block *block) {
  const fw_properties *props = &block->props;
  if (fw_element_turns(block->ops, props)) return "turns far";
  if (fw_element_nonlinear(block->ops, props)) return "is not linear";
  if (block->ops->damping) return "is a film of liquid";
  if (props->flow) return "is a fluid, whose work is told apart";
  if (block->ops->circulates && block->ops->circulates(props)) return "has a stiffness that is not symmetric";
  return is_loaded_at_rest(model, block) ? "is preloaded" : NULL;
}

bool fw_reduced_model_takes(const fw_model *whole, const fw_block *block) { return !why_kept(whole, block); }

static void stay(char *part, int dof) {
  if (dof >= 0 && part[dof]) part[dof] = FW_CRAIG_BAMPTON_STAYS;
}

static void stay_node(const fw_model *model, char *part, int node) {
  for (int k = 0; k < FW_SPACE_DOFS && node >= 0; k++) stay(part, model->nodes[node].dof[k]);
}

static void stay_contact(const fw_model *model, char *part) {
  for (int p = 0; p < model->pair_count; p++) {
    const fw_pair *pair = model->pairs[p];
    for (int i = 0; i < pair->count && pair->target; i++) stay_node(model, part, pair->followers[i].at.node);
    for (int i = 0; pair->target && i < pair->target->anchor_count; i++)
      stay_node(model, part, pair->target->anchors[i].node);
  }
  for (int r = 0; r < model->ring_count; r++) stay_node(model, part, model->rings[r].node);
}

static void stay_constraints(const fw_model *model, char *part) {
  for (int j = 0; j < model->joint_count; j++) {
    stay_node(model, part, model->joints[j].a.node);
    stay_node(model, part, model->joints[j].b.node);
  }
  for (int t = 0; t < model->tie_count; t++)
    for (int k = 0; k < model->ties[t].form.count; k++) stay(part, model->ties[t].form.dof[k]);
}

/* A node that shares a freedom with what stays does so as a whole: slip across the plane of a support is seen there. */
static void stay_whole(const fw_model *model, char *part) {
  for (int n = 0; n < model->node_count; n++) {
    const int *dof = model->nodes[n].dof;
    bool any = false;
    for (int k = 0; k < FW_SPACE_DOFS; k++) any = any || (dof[k] >= 0 && part[dof[k]] == FW_CRAIG_BAMPTON_STAYS);
    if (any) stay_node(model, part, n);
  }
}

static void mark_block(const fw_block *block, char *part, bool goes) {
  for (int k = 0; k < block->count * fw_element_dofs(block->ops); k++) {
    if (block->dofs[k] < 0) continue;
    if (goes)
      part[block->dofs[k]] = FW_CRAIG_BAMPTON_GOES;
    else
      stay(part, block->dofs[k]);
  }
}

static void choose_parts(const fw_model *model, char *part) {
  for (int goes = 1; goes >= 0; goes--)
    for (int b = 0; b < model->block_count; b++)
      if (fw_reduced_model_takes(model, &model->blocks[b]) == (goes == 1))
        mark_block(&model->blocks[b], part, goes == 1);
  stay_contact(model, part);
  stay_constraints(model, part);
  stay_whole(model, part);
}

static fw_status refuse(fw_context *ctx, const fw_model *model, fw_place place) {
  for (int b = 0; b < model->block_count; b++) {
    const char *why = why_kept(model, &model->blocks[b]);
    if (why)
      return fw_fail_at(ctx, FW_ERR_DECK, place,
                        "attribute 'reduce': body \"%s\" %s, and nothing else can be reduced: only linear bodies can",
                        model->bodies[model->blocks[b].body].id, why);
  }
  return fw_fail_at(ctx, FW_ERR_DECK, place,
                    "attribute 'reduce': contact and joints stand at every freedom: none can be left out");
}

bool fw_reduced_model_possible(fw_context *ctx, const fw_model *whole) {
  char *part;
  bool any = false;
  if (fw_alloc(ctx, (size_t)whole->dof_count + 1, sizeof *part, &part) != FW_OK) return false;
  choose_parts(whole, part);
  for (int i = 0; i < whole->dof_count; i++) any = any || part[i] == FW_CRAIG_BAMPTON_GOES;
  free(part);
  return any;
}

fw_status fw_reduced_model_check(fw_context *ctx, const fw_model *whole, fw_place place) {
  return fw_reduced_model_possible(ctx, whole) ? FW_OK : refuse(ctx, whole, place);
}

/* ---- the reduced matrices ---------------------------------------------------------------------- */

/* What is linear alone; blocks are lent. Modal damping is of the modes of the reduced model. */
static fw_status make_linear(fw_context *ctx, fw_reduced_model *r) {
  fw_model *alone = &r->alone;
  *alone = *r->whole;
  alone->joint_count = alone->tie_count = alone->constraint_count = alone->pair_count = alone->modal_damping_count = 0;
  alone->block_count = 0;
  alone->blocks = NULL;
  FW_TRY(fw_alloc(ctx, (size_t)r->whole->block_count, sizeof *alone->blocks, &alone->blocks));
  for (int b = 0; b < r->whole->block_count; b++)
    if (fw_reduced_model_takes(r->whole, &r->whole->blocks[b]))
      alone->blocks[alone->block_count++] = r->whole->blocks[b];
  return fw_system_create(ctx, alone, &r->linear);
}

static fw_status make_basis(fw_context *ctx, fw_reduced_model *r, const double *load_factors, int modes, double below) {
  const fw_model *whole = r->whole;
  const fw_functional **forms = NULL;
  int count = 0;
  FW_TRY(fw_alloc(ctx, (size_t)(whole->load_count + whole->sensor_count) + 1, sizeof *forms, &forms));
  for (int i = 0; i < whole->load_count; i++)
    if (load_factors[i] != 0.0) forms[count++] = &whole->loads[i].shape;
  for (int i = 0; i < whole->sensor_count; i++) forms[count++] = &whole->sensors[i].shape;
  const fw_craig_bampton_basis basis = {.modes = modes, .below = below, .forms = forms, .form_count = count};
  fw_status status = fw_craig_bampton_make(ctx, r->linear, r->part, &basis, &r->made);
  free(forms);
  return status;
}

static fw_status renumber(fw_context *ctx, fw_reduced_model *r) {
  int size = fw_craig_bampton_size(&r->made), row = 0;
  FW_TRY(fw_alloc(ctx, (size_t)r->whole->dof_count + 1, sizeof *r->number, &r->number));
  FW_TRY(fw_alloc(ctx, (size_t)size + 1, sizeof *r->coordinates, &r->coordinates));
  for (int i = 0; i < r->whole->dof_count; i++)
    r->number[i] = r->part[i] == FW_CRAIG_BAMPTON_GOES ? -1 - row++ : r->kept++;
  for (int j = 0; j < size; j++)
    r->coordinates[j] = j < r->made.boundary ? r->number[r->made.stays[j]] : r->kept + j - r->made.boundary;
  return FW_OK;
}

fw_status fw_reduced_model_create(fw_context *ctx, const fw_model *whole, const double *load_factors, int modes,
                                  double below, fw_reduced_model **reduced) {
  fw_status status = FW_OK;
  fw_reduced_model *r = NULL;
  FW_TRY(fw_alloc(ctx, 1, sizeof *r, &r));
  r->whole = whole;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)whole->dof_count + 1, sizeof *r->part, &r->part));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)whole->dof_count + 1, sizeof *r->moved, &r->moved));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)whole->dof_count + 1, sizeof *r->pushed, &r->pushed));
  choose_parts(whole, r->part);
  FW_TRY_DONE(make_linear(ctx, r));
  FW_TRY_DONE(make_basis(ctx, r, load_factors, modes, below));
  FW_TRY_DONE(renumber(ctx, r));
  FW_TRY_DONE(fw_reduced_model_fill(ctx, r));
done:
  if (status != FW_OK) fw_reduced_model_destroy(&r);
  *reduced = r;
  return status;
}

/* ---- states ------------------------------------------------------------------------------------ */

static double inner(const double *x, const double *y, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

/* Coordinates of a vector of the whole, what its shapes are weighed by A = M or K: of what Psi leaves of it, phi . A x over
 * phi . A phi. Returns the part of x . A x that is left out. */
static double project(fw_reduced_model *r, const fw_sparse *A, const double *A_reduced, const double *x, double *out) {
  const int n = r->whole->dof_count, b = r->made.boundary, size = fw_craig_bampton_size(&r->made);
  for (int i = 0; i < n; i++)
    if (r->number[i] >= 0) out[r->number[i]] = x[i];
  memset(r->moved, 0, (size_t)n * sizeof *r->moved);
  memset(r->pushed, 0, (size_t)n * sizeof *r->pushed);
  for (int i = 0; i < r->made.interior; i++) {
    const double *row = r->made.T + (size_t)i * (size_t)size;
    double rest = x[r->made.goes[i]];
    for (int j = 0; j < b; j++) rest -= row[j] * out[r->coordinates[j]];
    r->moved[r->made.goes[i]] = rest;
  }
  fw_sparse_multiply(A, 1.0, r->moved, r->pushed);
  double left = inner(r->moved, r->pushed, n);
  for (int j = b; j < size; j++) {
    double sum = 0.0, weight = A_reduced[(size_t)j * (size_t)size + (size_t)j];
    for (int i = 0; i < r->made.interior; i++)
      sum += r->made.T[(size_t)i * (size_t)size + (size_t)j] * r->pushed[r->made.goes[i]];
    out[r->coordinates[j]] = weight > 0.0 ? sum / weight : 0.0;
    left -= sum * out[r->coordinates[j]];
  }
  return left > 0.0 ? left : 0.0;
}

/* What does not depend on the freedoms. */
static void carry(const fw_model *model, const fw_state *from, fw_state *to) {
  to->time = from->time;
  memcpy(to->lambda, from->lambda, (size_t)model->constraint_count * sizeof(double));
  memcpy(to->touch, from->touch, (size_t)model->contact_count * sizeof *to->touch);
  memcpy(to->z, from->z, (size_t)model->z_count * sizeof(double));
  memcpy(to->load_factors, from->load_factors, (size_t)model->load_count * sizeof(double));
}

fw_status fw_reduced_model_restrict(fw_context *ctx, fw_reduced_model *reduced, const fw_state *whole, fw_state **state,
                                    double *lost) {
  fw_reduced_model *r = reduced;
  const fw_system *linear = r->linear;
  FW_TRY(fw_state_create(ctx, &r->model, state));
  carry(&r->model, whole, *state);
  double left = project(r, linear->K, r->made.K, whole->q, (*state)->q);
  project(r, linear->M, r->made.M, whole->v, (*state)->v);
  project(r, linear->M, r->made.M, whole->a, (*state)->a);
  memset(r->pushed, 0, (size_t)r->whole->dof_count * sizeof *r->pushed);
  fw_sparse_multiply(linear->K, 1.0, whole->q, r->pushed);
  double energy = inner(whole->q, r->pushed, r->whole->dof_count);
  *lost = energy > 0.0 ? sqrt(left / energy) : 0.0;
  return FW_OK;
}

void fw_reduced_model_shape(const fw_reduced_model *r, const double *x, double *out) {
  const int size = fw_craig_bampton_size(&r->made);
  for (int i = 0; i < r->whole->dof_count; i++) {
    out[i] = r->number[i] >= 0 ? x[r->number[i]] : 0.0;
    if (r->number[i] >= 0) continue;
    const double *row = r->made.T + (size_t)(-1 - r->number[i]) * (size_t)size;
    for (int j = 0; j < size; j++) out[i] += row[j] * x[r->coordinates[j]];
  }
}

void fw_reduced_model_expand(const fw_reduced_model *reduced, const fw_state *state, fw_state *whole) {
  carry(reduced->whole, state, whole);
  fw_reduced_model_shape(reduced, state->q, whole->q);
  fw_reduced_model_shape(reduced, state->v, whole->v);
  fw_reduced_model_shape(reduced, state->a, whole->a);
}
