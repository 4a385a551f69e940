/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A static problem of plane elements, for verification: held and prescribed displacements, edge
 * tractions, Newton's iteration with the library's sparse factors. Failures fail the test. */
#ifndef FW_TESTS_PLANE_PROBLEM_H
#define FW_TESTS_PLANE_PROBLEM_H

#include "elements/element.h"
#include "input/mesh/mesh.h"

/* Every plane element, in the order of the tables the tests print. */
extern const char *const plane_names[];
enum { PLANE_ELEMENTS = 7 };

typedef struct plane_problem {
  fw_context *ctx;
  fw_mesh *mesh; /* owned */
  const fw_element_ops *ops;
  fw_properties props;
  double *u, *load; /* two a node */
  bool *held;
} plane_problem;

/* Takes a mesh of quad4 and makes it fit the element: split for triangles, middles for quadratic ones. */
void plane_problem_create(plane_problem *p, fw_context *ctx, fw_mesh *mesh, const char *element, fw_properties props);
void plane_problem_destroy(plane_problem *p);

void plane_problem_hold(plane_problem *p, int node, int direction, double value);
void plane_problem_hold_set(plane_problem *p, const char *set, int direction, double value);
/* Traction (force per area) and pressure on an edge set. */
void plane_problem_traction(plane_problem *p, const char *set, double tx, double ty, double pressure);
/* Node at a place; the test fails if there is none. */
int plane_problem_node(const plane_problem *p, double x, double y);

/* Solves for u; returns the number of Newton corrections (linear: 1). */
int plane_problem_solve(plane_problem *p);

/* Lowest natural frequencies (Hz) of the undeformed body with what is held. */
void plane_problem_frequencies(plane_problem *p, int count, double *hertz);

/* Places and displacements of an element. */
void plane_problem_element(const plane_problem *p, int element, double *X, double *q);

#endif
