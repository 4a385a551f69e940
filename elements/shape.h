/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shape functions and quadrature on the reference triangle (0,0)(1,0)(0,1) and the reference
 * square (-1,-1)..(1,1). Corners come first, anticlockwise, then the middles of the edges 0-1,
 * 1-2, ... (the order of VTK, Gmsh and Abaqus). The bodies are inline so that an element's kernels
 * are compiled for its own shape. */
#ifndef FW_ELEMENTS_SHAPE_H
#define FW_ELEMENTS_SHAPE_H

#include "elements/element.h"

#if defined(__GNUC__)
#define FW_INLINE static inline __attribute__((always_inline, unused))
#else
#define FW_INLINE static inline
#endif

/* A quadrature rule: natural coordinates and weight of each point. */
enum { FW_RULE_POINTS = 9 };
typedef struct fw_rule {
  int count;
  double point[FW_RULE_POINTS][3];
} fw_rule;

extern const fw_rule fw_rule_tri1, fw_rule_tri3, fw_rule_tri6;    /* exact to degree 1, 2, 4 */
extern const fw_rule fw_rule_quad1, fw_rule_quad4, fw_rule_quad9; /* Gauss 1x1, 2x2, 3x3 */

/* Nodes and corners of a shape (a line: 2 and 2; a point: 1 and 0). */
int fw_shape_nodes(fw_shape shape);
int fw_shape_corners(fw_shape shape);

/* Nodes along an edge: its two ends and, for quadratic shapes, its middle (else -1). */
void fw_shape_edge(fw_shape shape, int edge, int nodes[3]);

/* Natural coordinates of a node, of the middle, and of a point of an edge (s in -1..1). */
void fw_shape_node_place(fw_shape shape, int node, double xi[2]);
void fw_shape_centre(fw_shape shape, double xi[2]);
void fw_shape_edge_place(fw_shape shape, int edge, double s, double xi[2]);

/* Natural coordinates of the corners of the square. */
static const double fw_quad_corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};

/* Values N[a] at xi. */
FW_INLINE void fw_shape_values(fw_shape shape, const double *xi, double *N) {
  const double r = xi[0], s = xi[1], l = 1 - r - s;
  switch (shape) {
    case FW_SHAPE_TRI3:
      N[0] = l, N[1] = r, N[2] = s;
      break;
    case FW_SHAPE_TRI6:
      N[0] = l * (2 * l - 1), N[1] = r * (2 * r - 1), N[2] = s * (2 * s - 1);
      N[3] = 4 * l * r, N[4] = 4 * r * s, N[5] = 4 * s * l;
      break;
    case FW_SHAPE_QUAD4:
      for (int a = 0; a < 4; a++) N[a] = 0.25 * (1 + fw_quad_corner[a][0] * r) * (1 + fw_quad_corner[a][1] * s);
      break;
    case FW_SHAPE_QUAD8:
      for (int a = 0; a < 4; a++) {
        const double ra = fw_quad_corner[a][0] * r, sa = fw_quad_corner[a][1] * s;
        N[a] = 0.25 * (1 + ra) * (1 + sa) * (ra + sa - 1);
      }
      N[4] = 0.5 * (1 - r * r) * (1 - s), N[5] = 0.5 * (1 - s * s) * (1 + r);
      N[6] = 0.5 * (1 - r * r) * (1 + s), N[7] = 0.5 * (1 - s * s) * (1 - r);
      break;
    case FW_SHAPE_POINT:
    case FW_SHAPE_LINE:
      break;
  }
}

/* Natural gradients d[a][0] = dN_a/dr, d[a][1] = dN_a/ds at xi. */
FW_INLINE void fw_shape_gradients(fw_shape shape, const double *xi, double (*d)[2]) {
  const double r = xi[0], s = xi[1], l = 1 - r - s;
  switch (shape) {
    case FW_SHAPE_TRI3:
      d[0][0] = -1, d[1][0] = 1, d[2][0] = 0;
      d[0][1] = -1, d[1][1] = 0, d[2][1] = 1;
      break;
    case FW_SHAPE_TRI6:
      d[0][0] = d[0][1] = 1 - 4 * l;
      d[1][0] = 4 * r - 1, d[1][1] = 0;
      d[2][0] = 0, d[2][1] = 4 * s - 1;
      d[3][0] = 4 * (l - r), d[3][1] = -4 * r;
      d[4][0] = 4 * s, d[4][1] = 4 * r;
      d[5][0] = -4 * s, d[5][1] = 4 * (l - s);
      break;
    case FW_SHAPE_QUAD4:
      for (int a = 0; a < 4; a++) {
        d[a][0] = 0.25 * fw_quad_corner[a][0] * (1 + fw_quad_corner[a][1] * s);
        d[a][1] = 0.25 * fw_quad_corner[a][1] * (1 + fw_quad_corner[a][0] * r);
      }
      break;
    case FW_SHAPE_QUAD8:
      for (int a = 0; a < 4; a++) {
        const double ra = fw_quad_corner[a][0] * r, sa = fw_quad_corner[a][1] * s;
        d[a][0] = 0.25 * fw_quad_corner[a][0] * (1 + sa) * (2 * ra + sa);
        d[a][1] = 0.25 * fw_quad_corner[a][1] * (1 + ra) * (2 * sa + ra);
      }
      d[4][0] = -r * (1 - s), d[4][1] = -0.5 * (1 - r * r);
      d[5][0] = 0.5 * (1 - s * s), d[5][1] = -s * (1 + r);
      d[6][0] = -r * (1 + s), d[6][1] = 0.5 * (1 - r * r);
      d[7][0] = -0.5 * (1 - s * s), d[7][1] = -s * (1 - r);
      break;
    case FW_SHAPE_POINT:
    case FW_SHAPE_LINE:
      break;
  }
}

/* Jacobian J[i][j] = dx_i/dxi_j of a map with n nodes from its natural gradients; its determinant. */
FW_INLINE double fw_shape_jacobian(int n, const double *X, double (*d)[2], double J[2][2]) {
  J[0][0] = J[0][1] = J[1][0] = J[1][1] = 0;
  for (int a = 0; a < n; a++) {
    J[0][0] += X[2 * a] * d[a][0], J[0][1] += X[2 * a] * d[a][1];
    J[1][0] += X[2 * a + 1] * d[a][0], J[1][1] += X[2 * a + 1] * d[a][1];
  }
  return J[0][0] * J[1][1] - J[0][1] * J[1][0];
}

/* Turns natural gradients into gradients in space, in place, given the inverse Jacobian's parts. */
FW_INLINE void fw_shape_push(int n, double J[2][2], double det, double (*d)[2]) {
  const double c = 1 / det;
  for (int a = 0; a < n; a++) {
    const double r = d[a][0], s = d[a][1];
    d[a][0] = c * (J[1][1] * r - J[1][0] * s);
    d[a][1] = c * (J[0][0] * s - J[0][1] * r);
  }
}

/* Gradients g[a] = (dN_a/dx, dN_a/dy) at xi; returns the determinant of the map. */
FW_INLINE double fw_shape_space_gradients(fw_shape shape, int n, const double *X, const double *xi, double (*g)[2]) {
  double J[2][2];
  fw_shape_gradients(shape, xi, g);
  const double det = fw_shape_jacobian(n, X, g, J);
  fw_shape_push(n, J, det, g);
  return det;
}

#endif
