/* SPDX-License-Identifier: GPL-3.0-or-later */
/* First and second derivatives of gap and slip at a foot. */
#include <math.h>
#include <string.h>

#include "contact/detect/project.h"

/* A circle of radius R about point 1 (R = 0: a vertex), e = c - o, rho = |e|, sense +1 outside:
 *   distance = sense (rho - R),  slip = -(sense R + r) atan2(e),
 * whose gradients by e are n and (R + sense r)/rho t. */
static void circle_derivatives(const double e[2], double R, double r, double sense, const fw_foot *foot,
                               fw_foot_gradient *gradient) {
  const double *n = foot->n, *t = foot->t, rho = fmax(hypot(e[0], e[1]), 1e-12 * (R + r)), arm = R + sense * r;
  const double inverse = rho > 0.0 ? 1.0 / rho : 0.0;
  for (int k = 0; k < 4; k++) {
    const double sign = k < 2 ? 1.0 : -1.0;
    gradient->gap[k] = sign * n[k % 2];
    gradient->slip[k] = sign * arm * inverse * t[k % 2];
    for (int l = 0; l < 4; l++) {
      const double both = sign * (l < 2 ? 1.0 : -1.0);
      gradient->gap2[4 * k + l] = both * sense * inverse * t[k % 2] * t[l % 2];
      gradient->slip2[4 * k + l] =
          -both * sense * arm * inverse * inverse * (n[k % 2] * t[l % 2] + t[k % 2] * n[l % 2]);
    }
  }
  gradient->spin = sense * R;
}

/* A curve s = sum phi_j P_j with (c - s).s' = 0. In the following j, k run over the coordinates of
 * all points; a, b, c are the weights of c - s, s', s'' on the point a coordinate belongs to:
 *   H xi_j = J a_j t + D b_j n,  H = J^2 - D k,  k = n.s''
 *   psi_j = (b_j n + k xi_j)/J   (direction of the tangent)
 *   gap_j = a_j n,  slip_j = W' xi_j - r psi_j,  W' the surface's speed in the configuration q_from. */
static void curve_derivatives(const fw_curve *curve, const fw_curve *curve_from, double r, const fw_foot *foot,
                              bool second, fw_foot_gradient *gradient) {
  fw_curve_point at;
  fw_curve_eval(curve, foot->xi, &at);
  double speed, speed_xi;
  fw_curve_speed(curve_from, foot->xi, &speed, &speed_xi);
  const int m = 2 * gradient->points;
  const double *n = at.n, *t = at.t, J = at.J, D = foot->distance, H = J * J - D * at.k;
  double a[FW_FOOT_COORDINATES], b[FW_FOOT_COORDINATES], c[FW_FOOT_COORDINATES], xi[FW_FOOT_COORDINATES],
      psi[FW_FOOT_COORDINATES];
  for (int j = 0; j < m; j++) {
    const int p = j / 2 - 1, x = j % 2;
    a[j] = p < 0 ? 1.0 : -at.shape[0][p];
    b[j] = p < 0 ? 0.0 : at.shape[1][p];
    c[j] = p < 0 ? 0.0 : at.shape[2][p];
    xi[j] = (J * a[j] * t[x] + D * b[j] * n[x]) / H;
    psi[j] = (b[j] * n[x] + at.k * xi[j]) / J;
    gradient->gap[j] = a[j] * n[x];
    gradient->slip[j] = speed * xi[j] - r * psi[j];
  }
  for (int k = 0; second && k < m; k++) {
    const int y = k % 2;
    const double dJ = b[k] * t[y] + at.tau * xi[k], dD = a[k] * n[y];
    const double dk = -at.tau * psi[k] + c[k] * n[y] + at.jerk * xi[k];
    const double dH = 2.0 * J * dJ - at.k * dD - D * dk;
    for (int j = 0; j < m; j++) {
      const int x = j % 2;
      const double dR = (dJ * a[j] - J * b[j] * xi[k] - D * b[j] * psi[k]) * t[x] +
                        (J * a[j] * psi[k] + dD * b[j] + D * c[j] * xi[k]) * n[x];
      /* a_j of the centre is constant, that of control points falls by b_j dxi: b_0 = 0 covers both. */
      const double xi2 = (dR - xi[j] * dH) / H;
      const double psi2 = (c[j] * n[x] * xi[k] - b[j] * t[x] * psi[k] + dk * xi[j] + at.k * xi2 - psi[j] * dJ) / J;
      gradient->gap2[m * j + k] = -b[j] * n[x] * xi[k] - a[j] * t[x] * psi[k];
      gradient->slip2[m * j + k] = speed_xi * xi[j] * xi[k] + speed * xi2 - r * psi2;
    }
  }
}

void fw_foot_differentiate(const fw_model *model, const fw_surface *surface, const double *q_from, const double *q,
                           const double centre[2], double radius, const fw_foot *foot, bool second,
                           fw_foot_gradient *gradient) {
  const fw_segment *segment = &surface->segments[foot->segment];
  fw_curve curve;
  fw_curve_at(model, surface, foot->segment, q, &curve);
  gradient->spin = 0.0;
  if (foot->kind == FW_FOOT_CURVE) {
    fw_curve curve_from;
    fw_curve_at(model, surface, foot->segment, q_from, &curve_from);
    gradient->points = 1 + curve.points;
    for (int j = 0; j < curve.points; j++) gradient->anchor[1 + j] = segment->anchor[j];
    curve_derivatives(&curve, &curve_from, radius, foot, second, gradient);
    return;
  }
  const bool vertex = foot->kind == FW_FOOT_VERTEX;
  gradient->points = 2;
  gradient->anchor[1] = vertex ? foot->vertex : segment->anchor[0];
  double o[2];
  fw_anchor_place(model, &surface->anchors[gradient->anchor[1]], q, o);
  const double e[2] = {centre[0] - o[0], centre[1] - o[1]};
  circle_derivatives(e, vertex ? 0.0 : segment->radius, radius + (vertex ? segment->offset : 0.0),
                     vertex ? 1.0 : segment->sense, foot, gradient);
}
