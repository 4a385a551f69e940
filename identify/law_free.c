/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/law_free.h"

#include <math.h>

/* T and u as functions of A: T = T[0] + T[1] A, u likewise. */
typedef struct lines {
  double complex T[2], u[2];
} lines;

static lines lines_of(const fw_receptance *r, int sensor, double level, double phase) {
  fw_answer y = r->sensors[sensor], u = r->slip;
  lines l = {.T = {-y.drive * level / y.friction, cexp(_Complex_I * phase) / y.friction}};
  l.u[0] = u.drive * level + u.friction * l.T[0];
  l.u[1] = u.friction * l.T[1];
  return l;
}

fw_law_free fw_law_free_at(const fw_receptance *r, int sensor, double level, double phase, double omega, double A) {
  lines l = lines_of(r, sensor, level, phase);
  double complex T = l.T[0] + l.T[1] * A, u = l.u[0] + l.u[1] * A, ratio = T / u;
  double least = 1e-12 * cabs(ratio); /* rounding, where it is zero */
  return (fw_law_free){A, fabs(creal(ratio)) < least ? 0.0 : creal(ratio),
                       fabs(cimag(ratio)) < least ? 0.0 : cimag(ratio) / omega, cabs(T), cabs(u)};
}

/* Positive roots of a + b x + c x^2, added to those there are. */
static int add_roots(double a, double b, double c, double *roots, int count) {
  double inside = b * b - 4.0 * a * c;
  if (inside < 0.0) return count;
  double q = -0.5 * (b + copysign(sqrt(inside), b));
  const double both[] = {c != 0.0 ? q / c : NAN, q != 0.0 ? a / q : NAN};
  for (int k = 0; k < 2; k++)
    if (both[k] > 0.0) roots[count++] = both[k];
  return count;
}

static double next_root(const double *roots, int count, double after) {
  double next = INFINITY;
  for (int i = 0; i < count; i++)
    if (roots[i] > after) next = fmin(next, roots[i]);
  return next;
}

/* k and c have the signs of the real and the imaginary part of T conj(u), both of second degree in A: between their
 * roots nothing changes. */
bool fw_law_free_least(const fw_receptance *r, int sensor, double level, double phase, double omega,
                       fw_law_free *least) {
  lines l = lines_of(r, sensor, level, phase);
  double complex a = l.T[0] * conj(l.u[0]), b = l.T[0] * conj(l.u[1]) + l.T[1] * conj(l.u[0]);
  double complex c = l.T[1] * conj(l.u[1]);
  double roots[4];
  int count = add_roots(cimag(a), cimag(b), cimag(c), roots, add_roots(creal(a), creal(b), creal(c), roots, 0));
  for (double from = 0.0; isfinite(from); from = next_root(roots, count, from)) {
    double to = next_root(roots, count, from), inside = isfinite(to) ? 0.5 * (from + to) : 2.0 * from + 1.0;
    double complex power = a + inside * (b + inside * c);
    if (creal(power) < 0.0 || cimag(power) < 0.0) continue;
    *least = fw_law_free_at(r, sensor, level, phase, omega, from);
    return true;
  }
  return false;
}
