/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Structured meshes of quad4. Each call appends to the mesh; pieces are joined by fw_mesh_merge. */
#ifndef FW_INPUT_MESH_GENERATE_H
#define FW_INPUT_MESH_GENERATE_H

#include "input/mesh/mesh.h"

/* Sides of a block with corners 0..3 anticlockwise, each followed in the direction given. */
enum { FW_SIDE_BOTTOM, FW_SIDE_RIGHT, FW_SIDE_TOP, FW_SIDE_LEFT }; /* 0-1, 1-2, 3-2, 0-3 */

typedef struct fw_mesh_side {
  bool arc;         /* around `centre`, the shorter way; else straight */
  double centre[2]; /* as far from one end as from the other */
  double grading;   /* length of the last element over that of the first; 0 counts as 1 */
  const char *set;  /* its edges join this edge set; NULL: none */
} fw_mesh_side;

/* A quadrilateral block by transfinite interpolation between its sides. */
typedef struct fw_mesh_block {
  double corner[4][2];
  fw_mesh_side side[4];
  int divisions[2];    /* along bottom and top; along left and right */
  const char *element; /* its elements join this element set; NULL: none */
} fw_mesh_block;

/* FW_ERR_ARGUMENT, saying why, for what cannot be meshed; the mesh may then hold a part of it. */
fw_status fw_mesh_add_block(fw_context *ctx, fw_mesh *mesh, const fw_mesh_block *block);

/* Rectangle from `low` to `high` with edge sets bottom, right, top, left. */
fw_status fw_mesh_add_rectangle(fw_context *ctx, fw_mesh *mesh, const double low[2], const double high[2],
                                const int divisions[2], const double grading[2]);

/* A quarter of a disc in three blocks, graded to the point at `angle` (rad) on its circle; the quarter
 * runs from there anticlockwise, or clockwise if `clockwise`. Two of them, merged, are half a disc graded
 * to the middle of its arc. divisions: along the half-arc next to the point (and across the core), and
 * along the radius from the core to the arc; grading >= 1: how much smaller the elements at the point are.
 * The far radius (edge set `flat`) is cut evenly into both numbers of divisions, half its length each; the
 * arc joins edge set `arc`, the elements the set `element`, where these are not NULL. */
typedef struct fw_mesh_quarter {
  double centre[2], radius, angle;
  bool clockwise;
  int divisions[2];
  double grading;
  const char *arc, *flat, *element;
} fw_mesh_quarter;
fw_status fw_mesh_add_quarter_disc(fw_context *ctx, fw_mesh *mesh, const fw_mesh_quarter *quarter);

#endif
