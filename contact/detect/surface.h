/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Surfaces: the table of their kinds, their segments, and what several kinds share. */
#ifndef FW_CONTACT_DETECT_SURFACE_H
#define FW_CONTACT_DETECT_SURFACE_H

#include "core/model.h"

/* ---- surface --------------------------------------------------------------------------------------------- */

/* Target surfaces: chains of segments whose control points stand still or are carried by nodes.
 *
 * A rigid line, the edge of a plane element and the surface of a beam differ only in the shape
 * functions of their segments and in what carries their control points, so one projection with
 * its derivatives serves all. The normal points to the left of the direction in which a segment
 * runs (from -> to); the solid is on the right. The tangent t is that direction: n = z x t. */

/* ---- control points ---------------------------------------------------------------------- */

/* A point (or a direction) moved by a node: X + u + R(rz) vector; a direction is R(rz) vector.
 * Without large_rotation R is linearised. node < 0: `vector` itself, which never moves. */
typedef struct fw_anchor {
  int node;
  double vector[2];
  bool direction;
  bool large_rotation;
} fw_anchor;

/* Where it is and how it moves with its node's three freedoms. */
typedef struct fw_anchor_motion {
  double place[2];
  int dof[FW_NODE_DOFS];         /* FW_DOF_... where there is none */
  double first[FW_NODE_DOFS][2]; /* d place / d freedom */
  double second[2];              /* d2 place / d rz2; the only second derivative */
  double rotation;               /* rz */
} fw_anchor_motion;

void fw_anchor_place(const fw_model *model, const fw_anchor *anchor, const double *q, double place[2]);
void fw_anchor_move(const fw_model *model, const fw_anchor *anchor, const double *q, fw_anchor_motion *motion);

/* ---- segments ---------------------------------------------------------------------------- */

enum { FW_SEGMENT_POINTS = 4 };

typedef enum fw_segment_kind {
  FW_SEGMENT_LINE,      /* ends */
  FW_SEGMENT_QUADRATIC, /* ends, middle */
  FW_SEGMENT_HERMITE,   /* end, half tangent there, other end, half tangent there */
  FW_SEGMENT_SMOOTH,    /* ends, point before, point after: a cubic that joins its neighbours without a kink */
  FW_SEGMENT_ARC        /* centre; an arc of a circle */
} fw_segment_kind;

typedef struct fw_segment {
  fw_segment_kind kind;
  int anchor[FW_SEGMENT_POINTS];        /* into surface.anchors */
  bool smooth;                          /* a line to be made FW_SEGMENT_SMOOTH by fw_surface_finish */
  double tangent[2][FW_SEGMENT_POINTS]; /* smooth: half tangents at the ends as weights of the points */
  double offset;                        /* surface lies this far along n from the curve (beams) */
  double radius;                        /* arcs */
  double sense;                         /* arcs: +1 touched from outside, -1 from inside */
  double middle, half;                  /* arcs: angle in the middle and half the opening, in the carrier's frame */
  int previous, next;                   /* neighbours in the chain, -1: an end */
} fw_segment;

/* ---- surfaces ---------------------------------------------------------------------------- */

struct fw_tree; /* broad phase, contact/detect/search.h */

typedef struct fw_surface {
  char *id;
  const struct fw_surface_ops *ops; /* its kind */
  fw_anchor *anchors;
  int anchor_count, anchor_room;
  fw_segment *segments;
  int segment_count, segment_room;
  bool fixed;           /* nothing moves it */
  double mean_length;   /* mean edge length in the reference configuration: slip tolerance counts in it */
  struct fw_tree *tree; /* of a surface that stands still; NULL for others */
  const bool *among;    /* lent while a piece is built: by node of the model, whether edges may end there; NULL: all */
} fw_surface;

/* A kind of surface. `build` adds the segments of one deck element. Rigid kinds take places in global
 * coordinates and hang them on `carrier`, which may be NULL (never moves); kinds made of a body's
 * boundary find it in the model by its id and ignore the carrier. */
typedef struct fw_surface_ops {
  fw_entry entry;
  bool of_elements; /* consists of element edges, whose length means something */
  bool of_sets;     /* has an attribute 'set', by which the caller fills surface->among */
  fw_status (*build)(fw_context *ctx, const fw_model *model, const fw_args *args, const fw_attachment *carrier,
                     fw_surface *surface);
} fw_surface_ops;

extern const fw_table fw_surfaces; /* surfaces.def */

/* Life of a surface: create, then build or add segments, then finish. Surfaces may be made of several deck
 * elements. `id` is copied. Destroy is NULL-safe. */
fw_status fw_surface_create(fw_context *ctx, const char *id, const fw_surface_ops *ops, fw_surface **surface);
void fw_surface_destroy(fw_surface **surface);

/* Adds a control point: fixed, or carried with its reference place `at` (global) by carrier->node. */
fw_status fw_surface_add_anchor(fw_context *ctx, const fw_model *model, fw_surface *surface,
                                const fw_attachment *carrier, const double at[2], int *index);
fw_status fw_surface_append_anchor(fw_context *ctx, fw_surface *surface, const fw_anchor *anchor, int *index);
/* Neighbours are found by fw_surface_finish: segments that share an anchor as end and start. */
fw_status fw_surface_add_segment(fw_context *ctx, fw_surface *surface, const fw_segment *segment, int *index);

/* Links, smooths, checks (no zero length) and measures; no segment may be added afterwards. */
fw_status fw_surface_finish(fw_context *ctx, const fw_model *model, fw_surface *surface);

/* Places on a moving surface with which it can follow another one: what its nodes (and the corners of carried rigid
 * ones) are on the surface, as attachments. *list has *count entries and is to be freed. */
fw_status fw_surface_places(fw_context *ctx, const fw_model *model, const fw_surface *surface, fw_attachment **list,
                            int *count);

/* ---- arc ------------------------------------------------------------------------------------------------- */

/* Attributes arcs and circles share. */
#define FW_ARC_PARAMS                                                                                 \
  {"centre", FW_PARAM_NUMBERS, "m", NULL, 0, 0, NULL, "x and y"},                                     \
      {"radius", FW_PARAM_NUMBER, "m", NULL, 1e-12, 1e6, NULL, "radius before clearance"},            \
      {"side", FW_PARAM_CHOICE, "", NULL, 0, 0, "inside|outside", "from where it is touched"}, {      \
    "clearance", FW_PARAM_NUMBER, "m", "0", 0, 1e6, NULL, "room added: a hole grows, a shaft shrinks" \
  }

/* A rigid arc: sense +1 touched from outside, -1 from inside; the angle of its middle and half its opening (rad), a whole
 * circle with half a turn. */
typedef struct fw_rigid_arc {
  double radius, sense, middle, half;
} fw_rigid_arc;

fw_status fw_surface_append_arc(fw_context *ctx, const fw_model *model, const double centre[2], const fw_rigid_arc *arc,
                                const fw_attachment *carrier, fw_surface *surface);

/* Adds the arc between two angles (rad); half a turn either way of the middle is a whole circle. */
fw_status fw_surface_add_arc(fw_context *ctx, const fw_model *model, const fw_args *args, const fw_attachment *carrier,
                             double middle, double half, fw_surface *surface);

/* ---- smooth ---------------------------------------------------------------------------------------------- */

/* Turns the lines marked `smooth` into cubics through the same points. The tangent at a joint is that of
 * the parabola through the joint and the points before and after it, in the reference configuration's arc
 * length, so that neighbours share it whatever the points do. Corners that turn by more than 30 degrees and ends of
 * chains stay as they are: the segment leaves them along its chord. Needs linked segments. */
void fw_surface_smooth(const fw_model *model, fw_surface *surface);

#endif
