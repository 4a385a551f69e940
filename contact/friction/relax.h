/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slip equations dy/dh = 1 - kappa(y) y that run into a bound, advanced by exponentials: stable for any step. */
#ifndef FW_CONTACT_RELAX_H
#define FW_CONTACT_RELAX_H

#include <math.h>

/* Solution for constant kappa with its partial derivatives. */
typedef struct fw_relaxed {
  double y, y_y, y_h, y_k;
} fw_relaxed;

/* y1 = y0 e^-q + h phi(q), q = kappa h, phi(q) = (1 - e^-q)/q. */
static inline fw_relaxed fw_relax(double kappa, double y0, double h) {
  double q = kappa * h, rest = -expm1(-q), phi, phi_q;
  if (fabs(q) < 1e-3) {
    phi = 1.0 - q * (0.5 - q * (1.0 / 6.0 - q / 24.0));
    phi_q = -0.5 + q * (1.0 / 3.0 - q * (0.125 - q / 30.0));
  } else {
    phi = rest / q;
    phi_q = (1.0 - rest - phi) / q;
  }
  fw_relaxed r = {.y = y0 * (1.0 - rest) + h * phi, .y_y = 1.0 - rest};
  r.y_h = 1.0 - kappa * r.y;
  r.y_k = h * (h * phi_q - y0 * r.y_y);
  return r;
}

enum { FW_RELAX_Y, FW_RELAX_H, FW_RELAX_BOUND, FW_RELAX_OTHER, FW_RELAX_GRADIENT };

/* kappa at y for two parameters p (p[0] the bound of y), with derivatives {y, p[0], p[1]}. */
typedef double (*fw_kappa)(const double *p, double y, double *gradient);

/* Second order: kappa at half the step. A y within the bound stays there, as the exact solution does. */
static inline double fw_relax_midpoint(fw_kappa kappa, const double *p, double y0, double h, double *gradient) {
  static const double at_bound[FW_RELAX_GRADIENT] = {[FW_RELAX_BOUND] = 1.0};
  double k0_p[3], k1_p[3], middle[FW_RELAX_GRADIENT], k0 = kappa(p, y0, k0_p);
  fw_relaxed m = fw_relax(k0, y0, 0.5 * h);
  middle[FW_RELAX_Y] = m.y_y + m.y_k * k0_p[0];
  middle[FW_RELAX_H] = 0.5 * m.y_h;
  middle[FW_RELAX_BOUND] = m.y_k * k0_p[1];
  middle[FW_RELAX_OTHER] = m.y_k * k0_p[2];
  if (y0 <= p[0] && m.y > p[0]) {
    m.y = p[0];
    for (int j = 0; j < FW_RELAX_GRADIENT; j++) middle[j] = at_bound[j];
  }
  fw_relaxed r = fw_relax(kappa(p, m.y, k1_p), y0, h);
  for (int j = 0; j < FW_RELAX_GRADIENT; j++) gradient[j] = r.y_k * k1_p[0] * middle[j];
  gradient[FW_RELAX_Y] += r.y_y;
  gradient[FW_RELAX_H] += r.y_h;
  gradient[FW_RELAX_BOUND] += r.y_k * k1_p[1];
  gradient[FW_RELAX_OTHER] += r.y_k * k1_p[2];
  if (!(y0 <= p[0] && r.y > p[0])) return r.y;
  for (int j = 0; j < FW_RELAX_GRADIENT; j++) gradient[j] = at_bound[j];
  return p[0];
}

#endif
