/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Geometry, interpolation and mass of beams. */
#include "elements/beam.h"

#include <math.h>
#include <string.h>

const char *const fw_beam_field_names[] = {"N", "V", "M", NULL};

fw_beam fw_beam_make(const fw_properties *props, const double *X, bool shear) {
  double dx = X[2] - X[0], dy = X[3] - X[1], l = hypot(dx, dy);
  fw_beam beam = {.props = props, .l = l, .c = dx / l, .s = dy / l, .rotary_inertia = shear};
  if (shear) {
    double G = props->E / (2 * (1 + props->nu));
    beam.phi = 12 * props->E * props->I / (props->kappa * G * props->A * l * l);
  }
  return beam;
}

const char *fw_beam_check(const fw_beam *beam) {
  if (beam->rotary_inertia && !(beam->props->kappa > 0)) return "the section needs a shear factor kappa";
  if (!(beam->l > 0)) return "the element has no length";
  if (!(beam->props->E > 0)) return "Young's modulus E must be positive";
  if (!(beam->props->A > 0)) return "the area A of the section must be positive";
  if (!(beam->props->I > 0)) return "the second moment I of the section must be positive";
  if (!isfinite(beam->phi) || beam->phi < 0) return "the shear factor and Poisson's ratio give no shear stiffness";
  return NULL;
}

void fw_beam_shapes(const fw_beam *beam, double s, double u[6], double w[6], double theta[6]) {
  double l = beam->l, phi = beam->phi, d = 1 / (1 + phi), r = 1 - s;
  const double u_[6] = {r, 0, 0, s, 0, 0};
  const double w_[6] = {0, d * r * (1 + s - 2 * s * s + phi), d * l * s * r * (r + phi / 2),
                        0, d * s * (3 * s - 2 * s * s + phi), -d * l * s * r * (s + phi / 2)};
  const double theta_[6] = {0, -6 * d * s * r / l, d * r * (1 - 3 * s + phi),
                            0, 6 * d * s * r / l,  d * s * (3 * s - 2 + phi)};
  memcpy(u, u_, sizeof u_);
  memcpy(w, w_, sizeof w_);
  memcpy(theta, theta_, sizeof theta_);
}

void fw_beam_slope(const fw_beam *beam, double s, double slope[6]) {
  double l = beam->l, phi = beam->phi, d = 1 / (1 + phi);
  const double slope_[6] = {0, -d * (6 * s * (1 - s) + phi) / l, d * (1 - 4 * s + 3 * s * s + phi * (0.5 - s)),
                            0, d * (6 * s * (1 - s) + phi) / l,  d * (3 * s * s - 2 * s - phi * (0.5 - s))};
  memcpy(slope, slope_, sizeof slope_);
}

void fw_beam_globalize(const fw_beam *beam, double *vector) {
  for (int i = 0; i < 6; i += 3) {
    double along = vector[i], across = vector[i + 1];
    vector[i] = beam->c * along - beam->s * across;
    vector[i + 1] = beam->s * along + beam->c * across;
  }
}

void fw_beam_localize(const fw_beam *beam, double *vector) {
  fw_beam back = *beam;
  back.s = -beam->s;
  fw_beam_globalize(&back, vector);
}

void fw_beam_globalize_matrix(const fw_beam *beam, double *matrix) {
  double column[6];
  for (int i = 0; i < 6; i++) fw_beam_globalize(beam, matrix + (ptrdiff_t)6 * i);
  for (int j = 0; j < 6; j++) {
    for (int i = 0; i < 6; i++) column[i] = matrix[6 * i + j];
    fw_beam_globalize(beam, column);
    for (int i = 0; i < 6; i++) matrix[6 * i + j] = column[i];
  }
}

/* matrix += factor a a^T */
static void add_dyad(double *matrix, double factor, const double a[6]) {
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) matrix[6 * i + j] += factor * a[i] * a[j];
}

/* matrix += factor (a b^T + b a^T)/2 */
static void add_symmetric(double *matrix, double factor, const double a[6], const double b[6]) {
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) matrix[6 * i + j] += 0.5 * factor * (a[i] * b[j] + b[i] * a[j]);
}

/* Gauss points on 0..1: three integrate polynomials up to degree 5, four up to 7. */
static const double gauss3[3][2] = {{0.11270166537925831, 5.0 / 18}, {0.5, 8.0 / 18}, {0.88729833462074169, 5.0 / 18}};
static const double gauss4[4][2] = {{0.069431844202973712, 0.17392742256872693},
                                    {0.33000947820757187, 0.32607257743127307},
                                    {0.66999052179242813, 0.32607257743127307},
                                    {0.93056815579702629, 0.17392742256872693}};

void fw_beam_membrane_local(const fw_beam *beam, fw_membrane *membrane) {
  double slope[6];
  *membrane = (fw_membrane){.D = beam->props->E * beam->props->A * beam->l, .b = {-1 / beam->l, 0, 0, 1 / beam->l}};
  for (int g = 0; g < 3; g++) {
    fw_beam_slope(beam, gauss3[g][0], slope);
    add_dyad(membrane->G, gauss3[g][1], slope);
  }
}

double fw_beam_strain(const fw_beam *beam, const double local[6], double gradient[6]) {
  double l = beam->l, phi = beam->phi, d = 1 / (1 + phi), drop = local[1] - local[4];
  double strain = (local[3] - local[0]) / l, by_drop = 0, by_turn[2] = {0};
  for (int g = 0; g < 3 && beam->props->kinematics != FW_LINEAR; g++) {
    double s = gauss3[g][0], weight = gauss3[g][1]; /* the weights of fw_beam_slope */
    double w = -d * (6 * s * (1 - s) + phi) / l;
    double t1 = d * (1 - 4 * s + 3 * s * s + phi * (0.5 - s)), t2 = d * (3 * s * s - 2 * s - phi * (0.5 - s));
    double slope = w * drop + t1 * local[2] + t2 * local[5];
    strain += 0.5 * weight * slope * slope;
    by_drop += weight * slope * w;
    by_turn[0] += weight * slope * t1;
    by_turn[1] += weight * slope * t2;
  }
  const double by[6] = {-1 / l, by_drop, by_turn[0], 1 / l, -by_drop, by_turn[1]};
  memcpy(gradient, by, sizeof by);
  return strain;
}

void fw_beam_membrane(const fw_beam *beam, fw_membrane *membrane) {
  fw_beam_membrane_local(beam, membrane);
  fw_beam_globalize(beam, membrane->b);
  fw_beam_globalize_matrix(beam, membrane->G);
}

/* Inertia between the nodes bends the static shapes: u_b'' = -omega^2 m u/(E A) along the beam,
 * w_b'' = -omega^2 m w/(kappa G A) in shear, theta_b'' = -omega^2 j theta/(E I) in rotation, j = rho I. The
 * consistent mass leaves that out and its frequencies converge with l^2 only. Half of what is missing,
 * with the balance of the beam (E A u'' = -omega^2 m u, kappa G A gamma' = -omega^2 m w,
 * E I theta'' + kappa G A gamma = -omega^2 j theta, gamma = w' - theta) and integration by parts, is
 *
 *   l^2/12 int m u'^2 + m w' gamma + j (theta'^2 - (kappa G A/E I) theta gamma) dx
 *
 * and brings convergence with l^4. Rigid motion, without u', gamma and theta', keeps its inertia. */
static void mass_correction(const fw_beam *beam, double m, double j, double *M) {
  double l = beam->l, phi = beam->phi, third = l * l * l / 12;
  const double stretch[6] = {-1 / l, 0, 0, 1 / l, 0, 0}, slope[6] = {0, -1 / l, 0, 0, 1 / l, 0};
  const double turn[6] = {0, 0, 0.5, 0, 0, 0.5}, bend[6] = {0, 0, -1 / l, 0, 0, 1 / l};
  double gamma[6];
  add_dyad(M, m * third, stretch);
  if (phi == 0) return; /* gamma = 0; Hermite's shapes converge with l^4 in bending */
  for (int i = 0; i < 6; i++) gamma[i] = phi / (1 + phi) * (slope[i] - turn[i]);
  add_symmetric(M, m * third, slope, gamma);
  add_dyad(M, j * third, bend);
  add_symmetric(M, -j * l / phi, turn, gamma); /* (l^3/12) kappa G A/(E I) = l/phi */
}

/* Consistent: int m (u u^T + w w^T) + j theta theta^T dx, corrected. */
static void mass_consistent(const fw_beam *beam, double *M) {
  double u[6], w[6], theta[6];
  double m = beam->props->rho * beam->props->A + beam->props->mass_per_length;
  double j = beam->rotary_inertia ? beam->props->rho * beam->props->I : 0;
  for (int g = 0; g < 4; g++) {
    double weight = gauss4[g][1] * beam->l;
    fw_beam_shapes(beam, gauss4[g][0], u, w, theta);
    add_dyad(M, weight * m, u);
    add_dyad(M, weight * m, w);
    add_dyad(M, weight * j, theta);
  }
  mass_correction(beam, m, j, M);
  fw_beam_globalize_matrix(beam, M);
}

static void mass_lumped(const fw_beam *beam, double *M) {
  double l = beam->l, m = (beam->props->rho * beam->props->A + beam->props->mass_per_length) * l;
  double j = beam->rotary_inertia ? beam->props->rho * beam->props->I * l : 0;
  const double diagonal[3] = {m / 2, m / 2, m * l * l / 78 + j / 2};
  for (int i = 0; i < 6; i++) M[7 * i] = diagonal[i % 3];
}

/* The same in every direction: m or rho I times l/6 [2 1; 1 2] for each of x, y, rz. */
static void mass_turning(const fw_beam *beam, double *M) {
  double m = beam->props->rho * beam->props->A + beam->props->mass_per_length, j = beam->props->rho * beam->props->I;
  for (int i = 0; i < 6; i++) {
    double share = (i % 3 == 2 ? j : m) * beam->l / 6;
    M[7 * i] = 2 * share;
    M[6 * i + (i + 3) % 6] = share;
  }
}

void fw_beam_mass(const fw_beam *beam, double *M) {
  memset(M, 0, FW_BEAM_SIZE * sizeof *M);
  if (beam->props->lumped)
    mass_lumped(beam, M);
  else if (beam->props->kinematics == FW_COROTATIONAL)
    mass_turning(beam, M);
  else
    mass_consistent(beam, M);
}

void fw_beam_interpolate(const fw_beam *beam, const double *xi, double *weights) {
  double u[6], w[6], *theta = weights + 12;
  fw_beam_shapes(beam, 0.5 * (1 + xi[0]), u, w, theta);
  fw_beam_globalize(beam, u);
  fw_beam_globalize(beam, w);
  fw_beam_globalize(beam, theta);
  for (int i = 0; i < 6; i++) {
    weights[i] = beam->c * u[i] - beam->s * w[i];
    weights[6 + i] = beam->s * u[i] + beam->c * w[i];
  }
}
