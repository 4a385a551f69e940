/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of a model in a state: the structure with its fields, and its contact points. */
#ifndef FW_OUTPUT_MESH_H
#define FW_OUTPUT_MESH_H

#include "core/state.h"
#include "output/grid.h"

/* Places are those of the undeformed model; the field `displacement` moves them. Beams are bands of
 * their real height (axis ± height/2, turned with the section) plus their axis as lines; fields:
 * displacement, velocity (m, m/s), rotation (rad), stress (s_x, s_y, s_xy, along the axis for
 * beams; Pa), von Mises stress, the two principal stresses in the plane, the larger first, and on beams N, V, M (N, N,
 * N m). Each element's strain energy (J) is on its cell, that of a beam spread over its bands. Masses and rigid bodies
 * are points; rigid bodies have lines to their joints besides, and their axes as two short lines. */
enum {
  FW_MESH_DISPLACEMENT,
  FW_MESH_VELOCITY,
  FW_MESH_ROTATION,
  FW_MESH_STRESS,
  FW_MESH_VON_MISES,
  FW_MESH_PRINCIPAL,
  FW_MESH_N,
  FW_MESH_V,
  FW_MESH_M,
  FW_MESH_FIELDS
};
fw_status fw_mesh_structure(fw_context *ctx, const fw_state *state, fw_grid **grid);

/* Adds an element of a tube, from its places, freedoms and their rates: its axis as a line and its surface as eight
 * strips; rotation is that about the deck's z, V and M are resultants. */
fw_status fw_mesh_tube(fw_context *ctx, fw_grid *grid, const fw_block *block, const double *X, const double *q,
                       const double *v);

/* Adds the lines of rigid bodies to the structure's grid. */
fw_status fw_mesh_rigids(fw_context *ctx, const fw_state *state, fw_grid *grid);

/* One vertex per joint, at its point on the first body, and its symbol as lines (mesh_joints.c); fields:
 * displacement, force and moment on that body (at the vertex only), kind (its number in `fretwork list joints`, from
 * 0), joint (its number in the deck). */
fw_status fw_mesh_joints(fw_context *ctx, const fw_state *state, fw_grid **grid);

/* One vertex per contact point, at its follower; fields: displacement, force on the follower, gap, N, T, slip,
 * slip_velocity, status (0 open, 1 stick, 2 slip), distance, work, dissipated, pair. */
fw_status fw_mesh_contact(fw_context *ctx, const fw_state *state, fw_grid **grid);

/* Surfaces at the rings of tubes, in the planes of the faces, with strips between the faces of a plate; bars as far as
 * matters. Field and bodies of the cells: number of the support in the deck, from 1. */
fw_status fw_mesh_supports(fw_context *ctx, const fw_model *model, fw_grid **grid);

#endif
