/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plane bodies in contact, made from meshes by hand: for cases that look at single nodes. */
#ifndef FW_TESTS_PLANE_BODIES_H
#define FW_TESTS_PLANE_BODIES_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact_parts.h"
#include "elements/element.h"
#include "input/mesh/edit.h"
#include "input/mesh/generate.h"
#include "solver/time/step.h"

enum { BODIES_MOST = 2, SPRING = BODIES_MOST };

typedef struct plane_bodies {
  fw_context *ctx;
  fw_model model;
  fw_body body[BODIES_MOST];
  fw_block block[BODIES_MOST + 1]; /* the last one: a soft spring that only keeps the matrix regular */
  double spring[3];
  fw_system *system;
  fw_stepper *stepper;
  fw_state *state;
  double *load; /* [dof_count] */
} plane_bodies;

static inline void bodies_begin(plane_bodies *b) {
  memset(b, 0, sizeof *b);
  assert_int_equal(fw_context_create(&b->ctx), FW_OK);
  b->model.bodies = b->body;
  b->model.blocks = b->block;
}

/* Adds a mesh of quadrilaterals as a body; its nodes have free x and y until bodies_freedoms. */
static inline void bodies_add(plane_bodies *b, char *id, const fw_mesh *mesh, const char *element, double E,
                              double nu) {
  fw_model *m = &b->model;
  const fw_element_ops *ops = (const fw_element_ops *)fw_table_find(&fw_elements, element);
  const int first = m->node_count, i = m->body_count++;
  m->nodes = realloc(m->nodes, (size_t)(first + mesh->node_count) * sizeof *m->nodes);
  assert_non_null(m->nodes);
  for (int n = 0; n < mesh->node_count; n++)
    m->nodes[m->node_count++] = (fw_node){.x = {mesh->x[n][0], mesh->x[n][1]}, .dof = {0, 0, FW_DOF_NONE}};
  b->body[i] = (fw_body){.id = id, .kind = "plane", .first_node = first, .node_count = mesh->node_count};
  fw_block *block = &b->block[m->block_count++];
  *block = (fw_block){.ops = ops, .body = i, .count = mesh->element_count};
  block->props = (fw_properties){.E = E, .nu = nu, .rho = 1.0, .thickness = 1.0, .plane_strain = true};
  block->nodes = calloc((size_t)(mesh->element_count * ops->nodes), sizeof(int));
  block->dofs = calloc((size_t)(mesh->element_count * ops->nodes * 2), sizeof(int));
  assert_true(block->nodes && block->dofs);
  for (int e = 0; e < mesh->element_count; e++)
    for (int a = 0; a < ops->nodes; a++) block->nodes[e * ops->nodes + a] = first + mesh->elements[e].nodes[a];
}

/* How a node may move in a direction. */
typedef enum motion { FREE, HELD, PLATEN } motion;
typedef motion (*motion_fn)(const double x[2], int body, int direction);

/* Numbers freedoms: freedoms 0 and 1 belong to the platen, which all nodes with PLATEN share. */
static inline void bodies_freedoms(plane_bodies *b, motion_fn motion_of) {
  fw_model *m = &b->model;
  m->dof_count = 2;
  for (int i = 0; i < m->body_count; i++)
    for (int n = 0; n < b->body[i].node_count; n++)
      for (int d = 0; d < 2; d++) {
        fw_node *node = &m->nodes[b->body[i].first_node + n];
        const motion how = motion_of(node->x, i, d);
        node->dof[d] = how == HELD ? FW_DOF_FIXED : how == PLATEN ? d : m->dof_count++;
      }
  for (int i = 0; i < m->block_count; i++)
    for (int k = 0; k < b->block[i].count * b->block[i].ops->nodes; k++)
      for (int d = 0; d < 2; d++) b->block[i].dofs[2 * k + d] = m->nodes[b->block[i].nodes[k]].dof[d];
  b->load = calloc((size_t)m->dof_count, sizeof(double));
  assert_non_null(b->load);
}

/* Springs to the ground on the platen's freedoms. */
static inline void bodies_hold_platen(plane_bodies *b, double stiffness) {
  fw_model *m = &b->model;
  int carrier = 0;
  while (m->nodes[carrier].dof[0] != 0 && m->nodes[carrier].dof[1] != 1) carrier++;
  fw_block *block = &b->block[m->block_count++];
  b->spring[0] = b->spring[1] = stiffness;
  *block = (fw_block){.ops = (const fw_element_ops *)fw_table_find(&fw_elements, "elastic-support"), .count = 1};
  block->props.constants = b->spring;
  block->props.constant_count = 3;
  const int n = fw_element_dofs(block->ops);
  block->nodes = calloc(1, sizeof(int));
  block->dofs = calloc((size_t)n, sizeof(int));
  assert_true(block->nodes && block->dofs);
  block->nodes[0] = carrier;
  for (int d = 0; d < n; d++) block->dofs[d] = m->nodes[carrier].dof[d];
}

/* Everything is there: assemble. Surfaces and pairs are in the model. */
static inline void bodies_assemble(plane_bodies *b) {
  assert_int_equal(fw_model_number_contacts(b->ctx, &b->model), FW_OK);
  assert_int_equal(fw_system_create(b->ctx, &b->model, &b->system), FW_OK);
  assert_int_equal(fw_stepper_create(b->ctx, b->system, false, &b->stepper), FW_OK);
  assert_int_equal(fw_state_create(b->ctx, &b->model, &b->state), FW_OK);
}

/* Equilibrium under b->load from the present state, quasi-static. */
static inline void bodies_solve(plane_bodies *b) {
  fw_state *next = NULL;
  assert_int_equal(fw_state_copy(b->ctx, b->state, &next), FW_OK);
  const fw_step_job job = {.old = b->state, .rhs = b->load};
  const fw_status status = fw_stepper_solve(b->ctx, b->stepper, &job, next);
  if (status != FW_OK) fail_msg("%d %s", status, fw_context_message(b->ctx));
  fw_stepper_commit(&job, next);
  fw_state_assign(b->state, next);
  fw_state_destroy(&next);
}

static inline void bodies_end(plane_bodies *b) {
  fw_state_destroy(&b->state);
  fw_stepper_destroy(&b->stepper);
  fw_system_destroy(&b->system);
  for (int i = 0; i < b->model.block_count; i++) {
    free(b->block[i].nodes);
    free(b->block[i].dofs);
  }
  free(b->model.nodes);
  free(b->model.z_start);
  free(b->load);
  fw_context_destroy(&b->ctx);
}

#endif
