/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "elements/plane/traction.h"

#include <math.h>

#include "elements/plane/kernel.h"

/* Values and derivatives along an edge of its two ends and, if it has one, its middle. */
static void edge_functions(bool quadratic, double s, double N[3], double d[3]) {
  N[0] = quadratic ? 0.5 * s * (s - 1) : 0.5 * (1 - s), d[0] = quadratic ? s - 0.5 : -0.5;
  N[1] = quadratic ? 0.5 * s * (s + 1) : 0.5 * (1 + s), d[1] = quadratic ? s + 0.5 : 0.5;
  N[2] = quadratic ? 1 - s * s : 0, d[2] = quadratic ? -2 * s : 0;
}

void fw_plane_edge_force(fw_shape shape, const fw_properties *props, const double *X, int edge, const double t[2],
                         double p, double *f) {
  static const double gauss[3][2] = {
      {-0.774596669241483377036, 5.0 / 9}, {0, 8.0 / 9}, {0.774596669241483377036, 5.0 / 9}};
  int nodes[3];
  fw_shape_edge(shape, edge, nodes);
  const int n = nodes[2] < 0 ? 2 : 3;
  for (int k = 0; k < 3; k++) {
    double N[3], d[3], dx = 0, dy = 0;
    edge_functions(n == 3, gauss[k][0], N, d);
    for (int a = 0; a < n; a++) dx += d[a] * X[2 * nodes[a]], dy += d[a] * X[2 * nodes[a] + 1];
    const double w = gauss[k][1] * props->thickness, length = hypot(dx, dy);
    for (int a = 0; a < n; a++) { /* outward normal times length: (dy, -dx) */
      f[2 * nodes[a]] += w * N[a] * (t[0] * length - p * dy);
      f[2 * nodes[a] + 1] += w * N[a] * (t[1] * length + p * dx);
    }
  }
}
