/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an element is: pure functions of its properties, node places and freedoms. An element
 * knows its shape and material, nothing of contact, assembly or decks. */
#ifndef FW_ELEMENTS_ELEMENT_H
#define FW_ELEMENTS_ELEMENT_H

#include <string.h>

#include "core/model.h"

struct fw_membrane; /* elements/von_karman.h */
struct fw_rule;     /* elements/shape.h */

/* The most any element has; numbers that tell the places of its nodes, of one node in space. */
enum { FW_ELEMENT_NODES = 8, FW_ELEMENT_DOFS = 24, FW_ELEMENT_PLACES = 48, FW_SPACE_PLACES = 12 };

typedef enum fw_shape {
  FW_SHAPE_POINT,
  FW_SHAPE_LINE,
  FW_SHAPE_TRI3,
  FW_SHAPE_TRI6,
  FW_SHAPE_QUAD4,
  FW_SHAPE_QUAD8
} fw_shape;

/* Point elements (mass, spring, damper ...) have shape FW_SHAPE_POINT and one or two nodes and take their
 * numbers from props.constants; an end on the ground is a node at the same place with every freedom
 * fixed. A node's rotation may be absent (FW_DOF_NONE) where an element only could use it.
 *
 * X: node places, x0 y0 x1 y1 ...; q, v: element freedoms node by node (x, y and rz where the
 * element has rotations); matrices are row major, n x n with n = fw_element_dofs(ops).
 *
 * An element in space has for each node its place x y z and the three axes of its freedoms in X, and six freedoms x, y,
 * rz, z, rx, ry along those axes. */
typedef struct fw_element_ops {
  fw_entry entry;
  fw_shape shape;
  int nodes;
  bool rotations;                        /* nodes carry rz besides x and y */
  bool space;                            /* six freedoms a node */
  const struct fw_element_ops *in_space; /* the same element in space; NULL: of the plane only */
  unsigned kinematics;                   /* bit mask of 1u << fw_kinematics it offers; 0 for point elements */
  /* Point elements: turns the deck's parameters (one fw_given each, in order) into props.constants and
   * returns how many; c NULL: only count. NULL: the parameters' single numbers in order. */
  int (*pack)(const fw_given *given, double *c);
  /* True if with these constants the force is not K q + C v (table, preload, large rotation); NULL: never. */
  bool (*nonlinear)(const fw_properties *props);
  /* True if with these constants its line of action goes with its ends through large rotations; NULL: never. */
  bool (*follows)(const fw_properties *props);
  /* NULL if the element is sound, else why not (zero length, inverted, ...). The member may be NULL: always. */
  const char *(*check)(const fw_properties *props, const double *X);
  /* Internal force f, and where not NULL its tangents K = df/dq, C = df/dv (not Rayleigh's).
   * v may be NULL (at rest). FW_OK or FW_RECOVER_ELEMENT. */
  fw_status (*force)(const fw_properties *props, const double *X, const double *q, const double *v, double *f,
                     double *K, double *C);
  /* A damping matrix that depends on where the element is, in place of the C of `force`, which is then that at q; NULL:
   * C is constant. Work of such elements is that of a fluid film. */
  void (*damping)(const fw_properties *props, const double *X, const double *q, double *C);
  /* True if with these constants K need not be symmetric: work of its skew part is that of a fluid (elements/flow.h);
   * NULL: never. */
  bool (*circulates)(const fw_properties *props);
  /* Constant mass matrix, consistent or lumped as props say; NULL: none. */
  void (*mass)(const fw_properties *props, const double *X, double *M);
  /* Stored energy; force is its gradient; NULL: none. */
  double (*energy)(const fw_properties *props, const double *X, const double *q);
  /* Weights of u(xi) and v(xi) on the element freedoms at natural coordinates xi[2] (beams use
   * xi[0] in -1..1), rows: x, y, and rz for elements with rotations; in space z, rx, ry besides, all along the axes of
   * the deck. NULL for point elements. */
  void (*interpolate)(const fw_properties *props, const double *X, const double *xi, double *weights);
  /* Output at natural coordinates: beams N, V, M (in space N, V_y, V_z, T, M_y, M_z along the element's axes); plane
   * s_x, s_y, s_xy, e_x, e_y, g_xy. */
  int fields;
  const char *const *field_names;
  void (*field)(const fw_properties *props, const double *X, const double *q, const double *xi, double *out);
  /* Points where the fields are most accurate and from which they are recovered at the nodes
   * (elements/recover.h); NULL: at the nodes themselves. */
  const struct fw_rule *points;
  /* The membrane term of von Kármán kinematics; ask through fw_von_karman_membrane(). NULL: none. */
  void (*membrane)(const fw_properties *props, const double *X, struct fw_membrane *membrane);
} fw_element_ops;

extern const fw_table fw_elements; /* elements.def */

/* True if a film of liquid is among the elements. */
bool fw_model_has_film(const fw_model *model);

/* Freedoms of one node of an element, and of an element. */
static inline int fw_element_node_dofs(const fw_element_ops *ops) {
  return ops->space ? FW_SPACE_DOFS : ops->rotations ? FW_NODE_DOFS : 2;
}
static inline int fw_element_dofs(const fw_element_ops *ops) { return ops->nodes * fw_element_node_dofs(ops); }

/* What is wrong with an element, or NULL; its mass matrix, which may be zero. */
static inline const char *fw_element_flaw(const fw_element_ops *ops, const fw_properties *props, const double *X) {
  return ops->check ? ops->check(props, X) : NULL;
}
static inline void fw_element_mass_matrix(const fw_element_ops *ops, const fw_properties *props, const double *X,
                                          double *M) {
  size_t n = (size_t)fw_element_dofs(ops);
  if (ops->mass)
    ops->mass(props, X, M);
  else
    memset(M, 0, n * n * sizeof *M);
}

/* Places of the nodes of element e of a block, as its functions want them. */
void fw_element_places(const fw_model *model, const fw_block *block, int e, double X[FW_ELEMENT_PLACES]);
/* Its freedoms in a unit translation along axis 0, 1 or 2 of the deck. */
void fw_element_translation(const fw_element_ops *ops, const double *X, int axis, double q[FW_ELEMENT_DOFS]);

/* True if the force is not K q + C v with constant K and C. */
static inline bool fw_element_nonlinear(const fw_element_ops *ops, const fw_properties *props) {
  return props->kinematics != FW_LINEAR || (ops->nonlinear && ops->nonlinear(props));
}

/* True if it goes through large rotations. */
static inline bool fw_element_turns(const fw_element_ops *ops, const fw_properties *props) {
  return props->kinematics == FW_COROTATIONAL || props->kinematics == FW_TOTAL_LAGRANGIAN ||
         (ops->follows && ops->follows(props));
}

/* Cross-sections: (parameters) -> A, I, height, shear factor. */
typedef struct fw_section_ops {
  fw_entry entry;
  /* Fills A, I, kappa, height, I_out, kappa_out, J, round of props from the constants (entry.params order). NULL or
   * what is wrong. */
  const char *(*fill)(const double *c, double nu, fw_properties *props);
} fw_section_ops;

extern const fw_table fw_sections; /* sections.def */

#endif
