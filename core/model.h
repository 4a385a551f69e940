/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model: a compiled deck, constant while analyses run. M a + C v + f_int(q, v) + contact +
 * joints = f(t). The mass matrix is constant for every element and body. */
#ifndef FW_CORE_MODEL_H
#define FW_CORE_MODEL_H

#include "core/table.h"

struct fw_element_ops; /* elements/element.h */
struct fw_joint_ops;   /* elements/joint.h */
struct fw_load_ops;    /* core/load.h */
struct fw_field;       /* core/field.h */
struct fw_flow;        /* elements/flow.h */
struct fw_pair;        /* contact/pair.h */
struct fw_surface;     /* contact/detect/surface.h */

/* ---- nodes and freedoms ------------------------------------------------------------------ */

enum { FW_X, FW_Y, FW_RZ, FW_NODE_DOFS, FW_Z = FW_NODE_DOFS, FW_RX, FW_RY, FW_SPACE_DOFS };
enum { FW_DOF_NONE = -1, FW_DOF_FIXED = -2 }; /* no such freedom; held by a support */

/* A node: reference place and the number of each of its freedoms (or FW_DOF_...). Displacements
 * x, y and rotation rz (anticlockwise, about z). A node in space has z, rx and ry besides, all six along the axes of
 * its triad. A node of the plane with a triad lies in the plane of its first two axes, at `x` from its origin. */
typedef struct fw_node {
  double x[2];
  int dof[FW_SPACE_DOFS]; /* those beyond FW_NODE_DOFS count in space only */
  bool space;
  int triad; /* model.triads[triad - 1]; 0: the axes of the deck */
  double z;
} fw_node;

/* Where the axes of a triad begin, and the axes: orthonormal, the third is the first times the second. */
typedef struct fw_triad {
  double origin[3], axes[3][3];
} fw_triad;

/* A point rigidly attached to a node: place = x + u + R(rz) arm, or u + rz × arm when rotations
 * are small (linear and von Kármán bodies). */
typedef struct fw_attachment {
  int node;
  double arm[2];
  bool large_rotation;
} fw_attachment;

/* A linear functional of q: sum of weight[i] * q[dof[i]]. Loads act along one, sensors read one. */
typedef struct fw_functional {
  int count, room;
  int *dof;
  double *weight;
} fw_functional;

/* Adds a term (a fixed or absent dof is skipped; equal dofs are merged). */
fw_status fw_functional_add(fw_context *ctx, fw_functional *functional, int dof, double weight);
double fw_functional_value(const fw_functional *functional, const double *q);
/* out += factor * functional as a vector. */
void fw_functional_scatter(const fw_functional *functional, double factor, double *out);

/* False if nothing is left of it: what it acts on is fixed, or its terms cancel. */
bool fw_functional_acts(const fw_functional *functional);

void fw_functional_clear(fw_functional *functional);

/* ---- elements ---------------------------------------------------------------------------- */

typedef enum fw_kinematics { FW_LINEAR, FW_VON_KARMAN, FW_COROTATIONAL, FW_TOTAL_LAGRANGIAN } fw_kinematics;

/* Constants of a block of equal elements: material, section, kinematics. Unused ones are 0. */
typedef struct fw_properties {
  double E, nu, rho;
  double A, I, kappa;      /* area, second moment, shear factor */
  double I_out, kappa_out; /* the same for bending out of the plane, and Saint-Venant's torsion constant: in space */
  double J;
  bool round;                         /* no direction across differs from another */
  double height;                      /* section height: surface at +-height/2 from the axis */
  double mass_per_length;             /* added to rho A */
  double across_mass, across_damping; /* per length, of motion across the axis only: in space */
  double arc, bend_flexibility;       /* of an element of a bend: arc over chord, factor on 1/(E I); 0: 1 */
  double up[3];                       /* direction that the height is nearest to: in space */
  double thickness;                   /* plane bodies */
  bool plane_strain;                  /* else plane stress */
  fw_kinematics kinematics;
  bool lumped;                          /* lumped instead of consistent mass */
  double rayleigh_alpha, rayleigh_beta; /* C = alpha M + beta K0 of this body */
  double loss_factor;                   /* hysteretic damping, frequency domain only */
  bool reduced;                         /* its freedoms are coordinates of a reduced body, no displacements of nodes */
  const struct fw_flow *flow;           /* of fluid-elastic forces: what their matrices are made of; else NULL */
  const double *constants;              /* further numbers of point elements (springs, masses, dampers) */
  int constant_count;
} fw_properties;

/* Elements of one kind and one set of properties. nodes: count x ops->nodes; dofs: count x
 * ops->nodes*dofs-per-node in the element's own order (FW_DOF_FIXED entries allowed). */
typedef struct fw_block {
  const struct fw_element_ops *ops;
  fw_properties props;
  int body; /* index into model.bodies */
  int count;
  int *nodes, *dofs;
  fw_place place; /* of a point element or support; else empty */
} fw_block;

/* A joint: constraint equations phi(q, t) = 0 with their multipliers, between attachments. */
typedef struct fw_joint {
  char *id;
  const struct fw_joint_ops *ops;
  fw_attachment a, b; /* b.node < 0: ground, b.arm its place */
  double *constants;
  int constant_count;
  const fw_formula *motion; /* of time, which the joint follows; lent by the deck's items; NULL: none */
  int first;                /* number of its first constraint equation */
  bool hidden;              /* of the model, not the deck: holds a node at a point of a body; no result tells of it */
  fw_place place;
} fw_joint;

/* A tie: the linear constraint form . q = 0 with its multiplier. Made by elements/tie.h: edges that do not match,
 * beams on plane bodies. */
typedef struct fw_tie {
  fw_functional form;
  int first; /* number of its constraint equation */
} fw_tie;

/* How good the elements of a mesh are, by their corners. */
typedef struct fw_quality {
  double jacobian;             /* smallest scaled Jacobian: 1 ideal (square, equilateral), 0 degenerate, < 0 folded */
  double aspect;               /* longest over shortest edge */
  double angle_min, angle_max; /* degrees */
} fw_quality;

/* A body: what decks name. Blocks and nodes that belong to it; named points. */
typedef struct fw_body {
  char *id;
  const char *kind;           /* "beam", "plane", "rigid", ... */
  int first_node, node_count; /* nodes are contiguous per body */
  bool large_rotation;
  fw_quality quality; /* the worst of its elements; plane bodies only, else 0 */
} fw_body;

/* What wear makes of a tube where something rubs on it (contact/scar.h). */
typedef enum fw_scar_kind { FW_SCAR_FLAT, FW_SCAR_HOLE, FW_SCAR_LAND } fw_scar_kind;
typedef struct fw_scar {
  fw_scar_kind kind;
  double r, R;  /* outer radius of the tube; radius of the hole or land */
  double wall;  /* of the tube */
  double width; /* along the tube; 0: not known, there are no depths */
  double land;  /* width of a land around the tube */
  double tilt;  /* angle between tube and support (rad) */
  int count;    /* scars that share the volume */
  bool round;   /* worn evenly all round instead */
  double other; /* volume that the support loses over what the tube does */
} fw_scar;

/* Where contact of a tube lives: a planar node that shares freedoms of the tube's node. */
typedef struct fw_ring {
  char *support;   /* id of the <tube-support> or <support-plane> */
  int face, faces; /* which of its faces, from 0, and how many there are */
  int node;
  fw_scar scar;
} fw_ring;

/* ---- loads and sensors ------------------------------------------------------------------- */

/* f(t) = factor * value * shape, value = formula(t) where there is one, else ops->value(constants, t, omega); of a field
 * f(t) = factor * field(t). */
typedef struct fw_load {
  char *id;
  const struct fw_load_ops *ops;
  double *constants;
  int constant_count;
  const fw_formula *formula; /* of time, lent by the deck's items; NULL: none */
  fw_functional shape;
  struct fw_field *field; /* many shapes, each with its own course; NULL: the one above */
} fw_load;

typedef enum fw_quantity { FW_DISPLACEMENT, FW_VELOCITY, FW_ACCELERATION } fw_quantity;

typedef struct fw_sensor {
  char *id;
  fw_quantity quantity;
  bool turns; /* reads a rotation */
  fw_functional shape;
} fw_sensor;

/* Unit of what a sensor reads, and of what it would read of another quantity. */
const char *fw_sensor_unit(const fw_sensor *sensor);
const char *fw_sensor_unit_of(const fw_sensor *sensor, fw_quantity quantity);

/* An initial value of a freedom (m, rad) or of its rate. `held`: kept while the rest adapts to the joints; else a first
 * guess. */
typedef struct fw_initial {
  int dof;
  bool rate, held;
  double value;
} fw_initial;

/* A body that was reduced as it was before, for pictures: its elements, whose freedoms (block.dofs) are numbers of forms,
 * what each was being a form in the freedoms that the model has. */
typedef struct fw_reduced_body {
  fw_block *blocks;
  int block_count;
  fw_functional *forms;
  int form_count;
} fw_reduced_body;

/* ---- the model --------------------------------------------------------------------------- */

typedef struct fw_model {
  char *title;
  fw_node *nodes;
  int node_count;
  fw_triad *triads;
  int triad_count;
  fw_ring *rings; /* those of one support beside each other */
  int ring_count;
  int dof_count; /* free freedoms */
  fw_body *bodies;
  int body_count;
  fw_block *blocks;
  int block_count;
  fw_joint *joints;
  int joint_count;
  fw_tie *ties;
  int tie_count, tie_room;
  int constraint_count; /* equations of joints and ties: as many multipliers */
  double hurry;         /* motions that joints prescribe run 1 + hurry times as fast as the deck says */
  fw_initial *initials;
  int initial_count, initial_room;
  fw_load *loads;
  int load_count;
  fw_sensor *sensors;
  int sensor_count;
  fw_reduced_body *reduced_bodies;
  int reduced_body_count, reduced_body_room;
  fw_functional reduced_mass[3]; /* what the mass of reduced tubes adds to a translation along each axis */
  struct fw_surface **surfaces;
  int surface_count;
  struct fw_pair **pairs;
  int pair_count;
  struct fw_flow *flows; /* those the blocks point to */
  double *modal_damping; /* damping ratio of each of the lowest modes */
  int modal_damping_count;
  int contact_count; /* contact points over all pairs */
  int z_count;       /* friction states over all contact points */
  double *z_start;   /* z_count: the states of a contact without history */
} fw_model;

/* Index by id, or -1. */
int fw_model_load(const fw_model *model, const char *id);
int fw_model_sensor(const fw_model *model, const char *id);

/* Place (reference + displacement) of an attachment, or of a place on the ground (node < 0), at configuration q; q
 * NULL: reference. */
void fw_attachment_place(const fw_model *model, const fw_attachment *at, const double *q, double place[2]);

/* Current value of a node's freedom: q, or 0 if fixed or absent; q NULL: 0. */
double fw_node_value(const fw_node *node, int direction, const double *q);

/* How many freedoms a node may have; their names; which of them are rotations. */
static inline int fw_node_dofs(const fw_node *node) { return node->space ? FW_SPACE_DOFS : FW_NODE_DOFS; }
extern const char *const fw_dof_names[FW_SPACE_DOFS];
static inline bool fw_dof_turns(int direction) {
  return direction == FW_RZ || direction == FW_RX || direction == FW_RY;
}
/* The freedoms along the axes 0, 1, 2, and about them. */
extern const int fw_dof_moves[3], fw_dof_turnings[3];

/* The axes of a node's freedoms. */
void fw_node_axes(const fw_model *model, const fw_node *node, double axes[3][3]);
/* Its place in space, and that of a place in its plane. */
void fw_node_place(const fw_model *model, const fw_node *node, double place[3]);
void fw_node_place_in_space(const fw_model *model, const fw_node *node, const double x[2], double place[3]);
/* Its displacement along the axes of the deck. */
void fw_node_displacement(const fw_model *model, const fw_node *node, const double *q, double u[3]);
/* Distance of two nodes in the undeformed model. */
double fw_node_distance(const fw_model *model, const fw_node *a, const fw_node *b);

#endif
