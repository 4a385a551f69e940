/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "elements/shape.h"

/* Dunavant's rule of degree 4. Weights of a triangle sum to its area 1/2, of a square to 4. */
#define A1 0.445948490915964886
#define A2 0.091576213509770743
#define W1 (0.5 * 0.223381589678011466)
#define W2 (0.5 * 0.109951743655321868)
#define G2 0.577350269189625764509
#define G3 0.774596669241483377036

const fw_rule fw_rule_tri1 = {1, {{1.0 / 3, 1.0 / 3, 0.5}}};
const fw_rule fw_rule_tri3 = {3,
                              {{1.0 / 6, 1.0 / 6, 1.0 / 6}, {2.0 / 3, 1.0 / 6, 1.0 / 6}, {1.0 / 6, 2.0 / 3, 1.0 / 6}}};
const fw_rule fw_rule_tri6 = {6,
                              {{A1, A1, W1},
                               {1 - 2 * A1, A1, W1},
                               {A1, 1 - 2 * A1, W1},
                               {A2, A2, W2},
                               {1 - 2 * A2, A2, W2},
                               {A2, 1 - 2 * A2, W2}}};
const fw_rule fw_rule_quad1 = {1, {{0, 0, 4}}};
const fw_rule fw_rule_quad4 = {4, {{-G2, -G2, 1}, {G2, -G2, 1}, {G2, G2, 1}, {-G2, G2, 1}}};
const fw_rule fw_rule_quad9 = {9,
                               {{-G3, -G3, 25.0 / 81},
                                {0, -G3, 40.0 / 81},
                                {G3, -G3, 25.0 / 81},
                                {-G3, 0, 40.0 / 81},
                                {0, 0, 64.0 / 81},
                                {G3, 0, 40.0 / 81},
                                {-G3, G3, 25.0 / 81},
                                {0, G3, 40.0 / 81},
                                {G3, G3, 25.0 / 81}}};

int fw_shape_nodes(fw_shape shape) {
  static const int nodes[] = {1, 2, 3, 6, 4, 8};
  return nodes[shape];
}

int fw_shape_corners(fw_shape shape) {
  static const int corners[] = {0, 2, 3, 3, 4, 4};
  return corners[shape];
}

void fw_shape_edge(fw_shape shape, int edge, int nodes[3]) {
  const int corners = fw_shape_corners(shape);
  nodes[0] = edge;
  nodes[1] = (edge + 1) % corners;
  nodes[2] = fw_shape_nodes(shape) > corners ? corners + edge : -1;
}

static void corner_place(int corners, int corner, double xi[2]) {
  static const double triangle[3][2] = {{0, 0}, {1, 0}, {0, 1}};
  const double *place = corners == 3 ? triangle[corner] : fw_quad_corner[corner];
  xi[0] = place[0], xi[1] = place[1];
}

void fw_shape_edge_place(fw_shape shape, int edge, double s, double xi[2]) {
  const int corners = fw_shape_corners(shape);
  double a[2], b[2];
  corner_place(corners, edge, a);
  corner_place(corners, (edge + 1) % corners, b);
  for (int i = 0; i < 2; i++) xi[i] = 0.5 * ((1 - s) * a[i] + (1 + s) * b[i]);
}

void fw_shape_node_place(fw_shape shape, int node, double xi[2]) {
  const int corners = fw_shape_corners(shape);
  if (node < corners)
    corner_place(corners, node, xi);
  else
    fw_shape_edge_place(shape, node - corners, 0, xi);
}

void fw_shape_centre(fw_shape shape, double xi[2]) { xi[0] = xi[1] = fw_shape_corners(shape) == 3 ? 1.0 / 3 : 0; }
