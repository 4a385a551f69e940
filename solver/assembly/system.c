/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/assembly/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elements/joint.h"
#include "elements/von_karman.h"
#include "solver/assembly/modal_damping.h"
#include "solver/assembly/system_parts.h"
#include "solver/linalg/eigen.h"

/* ---- joints ------------------------------------------------------------------------------ */

static fw_status joints_force(const fw_system *system, const double *q, const double *lambda, double t, double *f,
                              bool tangent) {
  const fw_model *model = system->model;
  for (int j = 0; j < model->joint_count; j++) {
    const fw_joint *joint = &model->joints[j];
    int dofs[FW_JOINT_DOFS], equations = joint->ops->equations;
    double qj[FW_JOINT_DOFS], phi[FW_JOINT_EQUATIONS], G[FW_JOINT_EQUATIONS * FW_JOINT_DOFS],
        H[FW_JOINT_DOFS * FW_JOINT_DOFS];
    fw_joint_dofs(model, joint, dofs);
    fw_joint_gather(dofs, q, qj);
    const double *multipliers = lambda + joint->first;
    fw_joint_evaluate(model, joint, qj, t, multipliers, phi, NULL, G, tangent ? H : NULL);
    for (int e = 0; e < equations; e++) {
      int64_t row = model->dof_count + joint->first + e;
      f[row] = phi[e];
      for (int k = 0; k < FW_JOINT_DOFS; k++) {
        if (dofs[k] < 0) continue;
        f[dofs[k]] += G[e * FW_JOINT_DOFS + k] * multipliers[e];
        if (!tangent) continue;
        system->K->x[fw_sparse_position(system->K, row, dofs[k])] += G[e * FW_JOINT_DOFS + k];
        system->K->x[fw_sparse_position(system->K, dofs[k], row)] += G[e * FW_JOINT_DOFS + k];
      }
    }
    for (int k = 0; tangent && k < FW_JOINT_DOFS * FW_JOINT_DOFS; k++) {
      int row = dofs[k / FW_JOINT_DOFS], column = dofs[k % FW_JOINT_DOFS];
      if (row >= 0 && column >= 0) system->K->x[fw_sparse_position(system->K, row, column)] += H[k];
    }
  }
  return FW_OK;
}

/* ---- ties -------------------------------------------------------------------------------- */

static void ties_force(const fw_system *system, const double *q, const double *lambda, double *f, bool tangent) {
  const fw_model *model = system->model;
  for (int t = 0; t < model->tie_count; t++) {
    const fw_functional *form = &model->ties[t].form;
    const int first = model->ties[t].first;
    const int64_t row = model->dof_count + first;
    f[row] = fw_functional_value(form, q);
    fw_functional_scatter(form, lambda[first], f);
    for (int i = 0; tangent && i < form->count; i++) {
      system->K->x[fw_sparse_position(system->K, row, form->dof[i])] += form->weight[i];
      system->K->x[fw_sparse_position(system->K, form->dof[i], row)] += form->weight[i];
    }
  }
}

/* ---- pattern ----------------------------------------------------------------------------- */

static void joint_entries(const fw_model *model, const fw_joint *joint, fw_entries *entries) {
  int dofs[FW_JOINT_DOFS];
  fw_joint_dofs(model, joint, dofs);
  fw_entries_clique(entries, dofs, FW_JOINT_DOFS);
  for (int e = 0; e < joint->ops->equations; e++)
    for (int k = 0; k < FW_JOINT_DOFS; k++) {
      if (dofs[k] < 0) continue;
      fw_entries_add(entries, model->dof_count + joint->first + e, dofs[k]);
      fw_entries_add(entries, dofs[k], model->dof_count + joint->first + e);
    }
}

/* Every entry any tangent can have: elements, joints, ties, the diagonal, with modal damping all; contact enters
 * through its own rows. */
static void system_entries(const void *user, fw_entries *entries) {
  const fw_system *system = user;
  const fw_model *model = system->model;
  int64_t full = model->modal_damping_count ? model->dof_count : 0;
  for (int64_t i = 0; i < system->size; i++) fw_entries_add(entries, i, i);
  for (int64_t k = 0; k < full * full; k++) fw_entries_add(entries, k % full, k / full);
  for (int b = 0; b < model->block_count; b++) {
    const fw_block *block = &model->blocks[b];
    int n = fw_element_dofs(block->ops);
    for (int e = 0; e < block->count; e++) fw_entries_clique(entries, block->dofs + (size_t)e * (size_t)n, n);
  }
  for (int j = 0; j < model->joint_count; j++) joint_entries(model, &model->joints[j], entries);
  for (int t = 0; t < model->tie_count; t++) {
    const fw_tie *tie = &model->ties[t];
    for (int i = 0; i < tie->form.count; i++) {
      fw_entries_add(entries, model->dof_count + tie->first, tie->form.dof[i]);
      fw_entries_add(entries, tie->form.dof[i], model->dof_count + tie->first);
    }
  }
}

static fw_status system_matrices(fw_context *ctx, fw_system *system) {
  FW_TRY(fw_sparse_create(ctx, system->size, system_entries, system, &system->K));
  if (system->K->p[system->size] > INT32_MAX)
    return fw_fail(ctx, FW_ERR_MEMORY, "the matrices of this model would have %lld entries, more than %ld",
                   (long long)system->K->p[system->size], (long)INT32_MAX);
  FW_TRY(fw_sparse_like(ctx, system->K, &system->M));
  return fw_sparse_like(ctx, system->K, &system->C);
}

/* Where each entry of each element matrix goes. */
static fw_status system_scatter(fw_context *ctx, fw_system *system) {
  const fw_model *model = system->model;
  FW_TRY(fw_alloc(ctx, (size_t)model->block_count, sizeof *system->scatter, &system->scatter));
  for (int b = 0; b < model->block_count; b++) {
    const fw_block *block = &model->blocks[b];
    int n = fw_element_dofs(block->ops);
    FW_TRY(fw_alloc(ctx, (size_t)block->count * (size_t)(n * n), sizeof(int32_t), &system->scatter[b]));
    for (int e = 0; e < block->count; e++) {
      const int *dofs = block->dofs + (size_t)e * (size_t)n;
      int32_t *where = system->scatter[b] + (size_t)e * (size_t)(n * n);
      for (int k = 0; k < n * n; k++) {
        int row = dofs[k / n], column = dofs[k % n];
        where[k] = row >= 0 && column >= 0 ? (int32_t)fw_sparse_position(system->K, row, column) : -1;
      }
    }
  }
  return FW_OK;
}

/* ---- constant matrices ------------------------------------------------------------------- */

static bool damps(const double *C, int count) {
  for (int k = 0; k < count; k++)
    if (C[k] != 0.0) return true;
  return false;
}

/* M, and C = sum of alpha M + beta K0 + dampers, element by element; those that turn are noted. */
static fw_status system_constants(fw_context *ctx, fw_system *system) {
  const fw_model *model = system->model;
  for (int b = 0; b < model->block_count; b++) {
    const fw_block *block = &model->blocks[b];
    const fw_properties *props = &block->props;
    int n = fw_element_dofs(block->ops);
    double X[FW_ELEMENT_PLACES], zero[FW_ELEMENT_DOFS] = {0}, f[FW_ELEMENT_DOFS];
    double Me[FW_ELEMENT_DOFS * FW_ELEMENT_DOFS], Ke[FW_ELEMENT_DOFS * FW_ELEMENT_DOFS],
        Ce[FW_ELEMENT_DOFS * FW_ELEMENT_DOFS];
    for (int e = 0; e < block->count; e++) {
      const int32_t *where = system->scatter[b] + (size_t)e * (size_t)(n * n);
      fw_element_places(model, block, e, X);
      fw_element_mass_matrix(block->ops, props, X, Me);
      fw_status status = block->ops->force(props, X, zero, zero, f, Ke, Ce);
      if (status != FW_OK)
        return fw_fail(ctx, FW_ERR_DECK, "body \"%s\": element %d: %s", model->bodies[block->body].id, e + 1,
                       fw_status_text(status));
      fw_element_scatter(where, n, Me, 1.0, system->M->x);
      fw_element_scatter(where, n, Me, props->rayleigh_alpha, system->C->x);
      for (int k = 0; k < n * n; k++) Ce[k] += props->rayleigh_beta * Ke[k];
      fw_membrane membrane;
      if (props->rayleigh_beta != 0.0 && fw_von_karman_membrane(block->ops, props, X, &membrane))
        FW_TRY(fw_turning_add_membrane(ctx, system, b, &membrane, Ce));
      if (block->ops->damping)
        FW_TRY(fw_turning_add_films(ctx, system));
      else if (!fw_element_turns(block->ops, props))
        fw_element_scatter(where, n, Ce, 1.0, system->C->x);
      else if (damps(Ce, n * n))
        FW_TRY(fw_turning_add(ctx, system, b, e, Ce));
    }
  }
  return FW_OK;
}

fw_status fw_system_thin(fw_context *ctx, fw_system *s) {
  fw_products *x = &s->products;
  if (x->thinned || s->C_own) return FW_OK; /* C that changes stays whole */
  x->thinned = true;
  const fw_sparse *const all[] = {s->M, s->C, s->K};
  int constant = s->turning ? 0 : s->linear ? 3 : 2;
  if (constant > 0) FW_TRY(fw_sparse_filled(ctx, constant, all, x->own));
  x->M = x->own[0] ? x->own[0] : s->M;
  x->C = x->own[1] ? x->own[1] : s->C;
  x->K = x->own[2] ? x->own[2] : s->K;
  return FW_OK;
}

fw_status fw_system_create(fw_context *ctx, const fw_model *model, fw_system **system) {
  fw_status status = FW_OK;
  fw_system *s = NULL;
  double *zero = NULL;
  FW_TRY(fw_alloc(ctx, 1, sizeof *s, &s));
  s->model = model;
  s->size = model->dof_count + model->constraint_count;
  s->linear = model->constraint_count == 0; /* the short cuts for linear structures know no multipliers */
  for (int b = 0; b < model->block_count; b++)
    if (fw_element_nonlinear(model->blocks[b].ops, &model->blocks[b].props)) s->linear = false;
  FW_TRY_DONE(system_matrices(ctx, s));
  FW_TRY_DONE(system_scatter(ctx, s));
  FW_TRY_DONE(system_constants(ctx, s));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)s->size, sizeof *zero, &zero));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)s->size, sizeof *s->f_zero, &s->f_zero));
  FW_TRY_DONE(fw_system_force(ctx, s, zero, zero, 0.0, s->f_zero, true));
  s->made = true;
  FW_TRY_DONE(fw_circulation_make(ctx, s));
  if (model->modal_damping_count) FW_TRY_DONE(fw_modal_damping_add(ctx, s));
  FW_TRY_DONE(fw_turning_close(ctx, s));
  s->products = (fw_products){.M = s->M, .C = s->C, .K = s->K};
done:
  free(zero);
  if (status != FW_OK) fw_system_destroy(&s);
  *system = s;
  return status;
}

void fw_system_destroy(fw_system **system) {
  if (!system || !*system) return;
  fw_system *s = *system;
  fw_sparse_destroy(&s->M);
  fw_sparse_destroy(&s->C);
  fw_sparse_destroy(&s->K);
  fw_sparse_destroy(&s->C_flow);
  fw_sparse_destroy(&s->K_flow);
  for (int k = 0; k < 3; k++) fw_sparse_destroy(&s->products.own[k]);
  for (int b = 0; s->scatter && b < s->model->block_count; b++) free(s->scatter[b]);
  free(s->scatter);
  free(s->f_zero);
  free(s->C_own);
  fw_turning_destroy(&s->turning, s->model->block_count);
  free(s);
  *system = NULL;
}

/* ---- force and energy -------------------------------------------------------------------- */

static fw_status block_force(fw_system *system, int b, const double *q, double *f, bool tangent) {
  const fw_block *block = &system->model->blocks[b];
  int n = fw_element_dofs(block->ops);
  double X[FW_ELEMENT_PLACES], qe[FW_ELEMENT_DOFS], fe[FW_ELEMENT_DOFS];
  double Ke[FW_ELEMENT_DOFS * FW_ELEMENT_DOFS];
  for (int e = 0; e < block->count; e++) {
    const int *dofs = block->dofs + (size_t)e * (size_t)n;
    fw_element_places(system->model, block, e, X);
    fw_element_gather(dofs, n, q, qe);
    FW_TRY(block->ops->force(&block->props, X, qe, NULL, fe, tangent ? Ke : NULL, NULL));
    for (int i = 0; i < n; i++)
      if (dofs[i] >= 0) f[dofs[i]] += fe[i];
    if (tangent) fw_element_scatter(system->scatter[b] + (size_t)e * (size_t)(n * n), n, Ke, 1.0, system->K->x);
  }
  return FW_OK;
}

fw_status fw_system_force(fw_context *ctx, fw_system *system, const double *q, const double *lambda, double t,
                          double *f, bool tangent) {
  (void)ctx;
  if (system->linear && (!tangent || system->made)) { /* K is constant */
    memcpy(f, system->f_zero, (size_t)system->size * sizeof *f);
    fw_sparse_multiply(system->made ? system->products.K : system->K, 1.0, q, f);
    return FW_OK;
  }
  memset(f, 0, (size_t)system->size * sizeof *f);
  if (tangent) memset(system->K->x, 0, (size_t)system->K->p[system->size] * sizeof(double));
  for (int b = 0; b < system->model->block_count; b++) FW_TRY(block_force(system, b, q, f, tangent));
  ties_force(system, q, lambda, f, tangent);
  return joints_force(system, q, lambda, t, f, tangent);
}

double fw_system_energy(const fw_system *system, const double *q) {
  double sum = 0.0;
  if (system->linear) { /* f(0) q + 1/2 q K q */
    const fw_sparse *K = system->K;
    for (int64_t j = 0; j < K->n; j++) {
      double product = 0.0;
      for (int64_t k = K->p[j]; k < K->p[j + 1]; k++) product += K->x[k] * q[K->i[k]];
      sum += q[j] * (system->f_zero[j] + 0.5 * product);
    }
    return sum;
  }
  for (int b = 0; b < system->model->block_count; b++) {
    const fw_block *block = &system->model->blocks[b];
    int n = fw_element_dofs(block->ops);
    double X[FW_ELEMENT_PLACES], qe[FW_ELEMENT_DOFS];
    for (int e = 0; block->ops->energy && e < block->count; e++) {
      fw_element_places(system->model, block, e, X);
      fw_element_gather(block->dofs + (size_t)e * (size_t)n, n, q, qe);
      sum += block->ops->energy(&block->props, X, qe);
    }
  }
  return sum;
}

void fw_system_translation(const fw_system *system, int direction, double *out) {
  memset(out, 0, (size_t)system->size * sizeof *out);
  fw_functional_scatter(&system->model->reduced_mass[direction], 1.0, out);
  for (int b = 0; b < system->model->block_count; b++) {
    const fw_block *block = &system->model->blocks[b];
    int n = fw_element_dofs(block->ops);
    double X[FW_ELEMENT_PLACES], M[FW_ELEMENT_DOFS * FW_ELEMENT_DOFS], moved[FW_ELEMENT_DOFS];
    for (int e = 0; !block->props.reduced && e < block->count; e++) {
      const int *dofs = block->dofs + (size_t)e * (size_t)n;
      fw_element_places(system->model, block, e, X);
      fw_element_mass_matrix(block->ops, &block->props, X, M);
      fw_element_translation(block->ops, X, direction, moved);
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n && dofs[i] >= 0; j++) out[dofs[i]] += M[i * n + j] * moved[j];
    }
  }
}

double fw_system_loss(const fw_system *system, const double *x) {
  double sum = 0.0, zero[FW_ELEMENT_DOFS] = {0};
  for (int b = 0; b < system->model->block_count; b++) {
    const fw_block *block = &system->model->blocks[b];
    int n = fw_element_dofs(block->ops);
    double X[FW_ELEMENT_PLACES], xe[FW_ELEMENT_DOFS], f[FW_ELEMENT_DOFS], K[FW_ELEMENT_DOFS * FW_ELEMENT_DOFS];
    for (int e = 0; block->props.loss_factor != 0.0 && e < block->count; e++) {
      fw_element_places(system->model, block, e, X);
      fw_element_gather(block->dofs + (size_t)e * (size_t)n, n, x, xe);
      if (block->ops->force(&block->props, X, zero, NULL, f, K, NULL) != FW_OK) continue;
      for (int k = 0; k < n * n; k++) sum += block->props.loss_factor * xe[k / n] * K[k] * xe[k % n];
    }
  }
  return sum;
}

void fw_system_describe(const fw_system *system, int64_t dof, char *text, size_t room) {
  const fw_model *model = system->model;
  snprintf(text, room, "multiplier %lld", (long long)(dof - model->dof_count));
  for (int i = 0; i < model->node_count; i++)
    for (int k = 0; k < fw_node_dofs(&model->nodes[i]); k++) {
      if (model->nodes[i].dof[k] != dof) continue;
      snprintf(text, room, "the point at (%g, %g), direction %s", model->nodes[i].x[0], model->nodes[i].x[1],
               fw_dof_names[k]);
      for (int b = 0; b < model->body_count; b++) {
        const fw_body *body = &model->bodies[b];
        if (i < body->first_node || i >= body->first_node + body->node_count) continue;
        snprintf(text, room, "body \"%s\" at (%g, %g), direction %s", body->id, model->nodes[i].x[0],
                 model->nodes[i].x[1], fw_dof_names[k]);
        return;
      }
    }
}

fw_status fw_system_modes(fw_context *ctx, const fw_system *system, const fw_sparse *K, const fw_sparse *M, int count,
                          double *values, double *vectors, int *found) {
  char where[160];
  fw_status status = fw_eigen_lowest(ctx, K, M, system->model->dof_count, count, values, vectors, found);
  if (status != FW_ERR_SINGULAR) return status;
  fw_system_describe(system, *found, where, sizeof where);
  *found = 0;
  return fw_fail(ctx, status, "%s has neither stiffness nor mass", where);
}
