/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Beams against exact solutions. Each line printed: case, computed, reference, relative difference. */
#include <math.h>
#include <stdio.h>

#include "cmocka_all.h"
#include "dense_frame.h"

static void compare(const char *what, double computed, double reference, double tolerance) {
  double difference = computed / reference - 1;
  print_message("%-58s %16.9g %16.9g %10.1e\n", what, computed, reference, difference);
  assert_true(fabs(difference) <= tolerance);
}

static fw_properties steel(double width, double height) {
  const double c[] = {width, height, 0};
  fw_properties props = {.E = 210e9, .nu = 0.3, .rho = 7800};
  const fw_section_ops *section = (const fw_section_ops *)(const void *)fw_table_find(&fw_sections, "rectangle");
  assert_null(section->fill(c, props.nu, &props));
  return props;
}

enum { MOST = 400 };

/* ---- statics ----------------------------------------------------------------------------- */

/* P L^3/3EI, with shear P L/(kappa G A) more, from thick to thin: no locking. */
static void cantilever(void **unused) {
  (void)unused;
  const char *elements[] = {"euler-bernoulli", "timoshenko"};
  char what[80];
  for (int k = 0; k < 2; k++)
    for (double height = 0.5; height > 1e-7; height *= 0.01) {
      fw_properties p = steel(0.04, height);
      double G = p.E / (2 * (1 + p.nu)), angle = 0.7, P = p.E * p.I * 1e-3, q[MOST] = {0}, load[MOST] = {0};
      fw_dense_frame *frame = fw_frame_line(elements[k], &p, 1, angle, 3);
      fw_frame_fix(frame, 0, "xyr");
      load[9] = -P * sin(angle);
      load[10] = P * cos(angle);
      assert_true(fw_frame_equilibrium(frame, load, q) > 0);
      double exact = P / (3 * p.E * p.I) + (k == 1 ? P / (p.kappa * G * p.A) : 0);
      snprintf(what, sizeof what, "%s cantilever, height/length %.0e", elements[k], height);
      compare(what, -q[9] * sin(angle) + q[10] * cos(angle), exact, 1e-6);
      fw_frame_destroy(&frame);
    }
}

/* Buckling load of a pinned column from the von Kármán tangent: pi^2 EI/L^2, less with shear. */
static void column(void **unused) {
  (void)unused;
  const char *elements[] = {"euler-bernoulli", "timoshenko"};
  for (int k = 0; k < 2; k++) {
    fw_properties p = steel(0.04, 0.1);
    p.kinematics = FW_VON_KARMAN;
    enum { DIVISIONS = 40 };
    double q[MOST] = {0}, G = p.E / (2 * (1 + p.nu)), euler = M_PI * M_PI * p.E * p.I;
    fw_dense_frame *frame = fw_frame_line(elements[k], &p, 1, 0, DIVISIONS);
    fw_frame_fix(frame, 0, "xy");
    fw_frame_fix(frame, DIVISIONS, "y");
    for (int i = 0; i <= DIVISIONS; i++) q[3 * i] = -1e-6 * i / DIVISIONS;
    double load = 1e-6 * p.E * p.A * fw_frame_buckling(frame, q);
    /* Shear by Engesser: the axial force turns with w'. The static shapes miss the part N/(kappa G A) of the
     * curvature between the nodes. */
    double shear = k == 1 ? euler / (p.kappa * G * p.A) : 0, exact = euler / (1 + shear), b = M_PI / DIVISIONS;
    compare(k ? "timoshenko column, height/length 0.1" : "euler-bernoulli column", load, exact,
            1e-7 + b * b / 12 * shear);
    fw_frame_destroy(&frame);
  }
}

/* Consistent nodal forces of a load q sin(pi x/L) across a beam along x. */
static void half_sine_load(const fw_dense_frame *frame, double q, double length, double *load) {
  static const double point[3] = {-0.7745966692414834, 0, 0.7745966692414834},
                      weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  for (int e = 0; e < frame->elements; e++) {
    const double X[4] = {frame->X[2 * e], 0, frame->X[2 * e + 2], 0};
    double weights[18], l = X[2] - X[0];
    for (int g = 0; g < 3; g++) {
      const double xi[2] = {point[g], 0}, x = X[0] + 0.5 * (1 + point[g]) * l;
      frame->ops->interpolate(&frame->props, X, xi, weights);
      for (int j = 0; j < 6; j++) load[3 * e + j] += weight[g] * l * q * sin(M_PI * x / length) * weights[6 + j];
    }
  }
}

/* Pinned beam with ends that cannot approach each other, half-sine load: w = a sin(pi x/L) solves the von
 * Kármán equations, with q = k^4 (EI a/(1 + s) + EA a^3/4), k = pi/L, s = EI k^2/(kappa G A) (0 without shear).
 * Deflections of a few heights. The shapes miss the share s of the curvature between the nodes. */
static void stretched_beam(void **unused) {
  (void)unused;
  enum { DIVISIONS = 40, MIDDLE = 3 * DIVISIONS / 2 };
  const char *elements[] = {"euler-bernoulli", "timoshenko"};
  const double L = 1, height = 0.05;
  char what[80];
  for (int k = 0; k < 2; k++)
    for (double a = height; a < 10 * height; a *= 4) {
      fw_properties p = steel(0.04, height);
      p.kinematics = FW_VON_KARMAN;
      double q[MOST] = {0}, load[MOST] = {0}, wave = M_PI / L, b = wave * L / DIVISIONS;
      double G = p.E / (2 * (1 + p.nu));
      double s = k == 1 ? p.E * p.I * wave * wave / (p.kappa * G * p.A) : 0;
      fw_dense_frame *frame = fw_frame_line(elements[k], &p, L, 0, DIVISIONS);
      fw_frame_fix(frame, 0, "xy");
      fw_frame_fix(frame, DIVISIONS, "xy");
      half_sine_load(frame, pow(wave, 4) * (p.E * p.I * a / (1 + s) + p.E * p.A * a * a * a / 4), L, load);
      assert_true(fw_frame_equilibrium(frame, load, q) > 0);
      snprintf(what, sizeof what, "%s von Karman, deflection %g heights", elements[k], a / height);
      compare(what, q[MIDDLE + 1], a, 1e-7 + b * b / 12 * s);
      fw_frame_destroy(&frame);
    }
}

/* An end moment 2 pi EI/L bends a straight beam into a full circle. */
static void full_circle(void **unused) {
  (void)unused;
  const char *elements[] = {"euler-bernoulli", "timoshenko"};
  for (int k = 0; k < 2; k++) {
    fw_properties p = steel(0.01, 0.01);
    p.kinematics = FW_COROTATIONAL;
    enum { DIVISIONS = 20, END = 3 * DIVISIONS };
    double q[MOST] = {0}, load[MOST] = {0}, L = 1, angle = 0.4;
    fw_dense_frame *frame = fw_frame_line(elements[k], &p, L, angle, DIVISIONS);
    fw_frame_fix(frame, 0, "xyr");
    for (int step = 1; step <= 10; step++) {
      load[END + 2] = 0.1 * step * 2 * M_PI * p.E * p.I / L;
      assert_true(fw_frame_equilibrium(frame, load, q) > 0);
    }
    double gap = hypot(q[END] + L * cos(angle), q[END + 1] + L * sin(angle));
    compare("full circle, end rotation", q[END + 2], 2 * M_PI, 1e-9);
    compare("full circle, 1 + distance of the ends / length", 1 + gap / L, 1, 1e-9);
    /* Across the circle: the middle node is 2 radii away from the clamp. */
    double x = q[END / 2] + 0.5 * L * cos(angle), y = q[END / 2 + 1] + 0.5 * L * sin(angle);
    compare("full circle, diameter", hypot(x, y), L / M_PI, 1e-3);
    fw_frame_destroy(&frame);
  }
}

/* Cantilever under a dead end load, inextensible: P L^2/EI = 1, 2, 10 (Mattiasson 1981). */
static void elastica(void **unused) {
  (void)unused;
  const double rows[3][3] = {{1, 0.05643, 0.30172}, {2, 0.16064, 0.49346}, {10, 0.55500, 0.81061}};
  enum { DIVISIONS = 40, END = 3 * DIVISIONS };
  fw_properties p = steel(1e-3, 1e-3);
  p.A = 1e8 * p.I; /* nearly inextensible */
  p.kinematics = FW_COROTATIONAL;
  for (int k = 0; k < 3; k++) {
    double q[MOST] = {0}, load[MOST] = {0};
    fw_dense_frame *frame = fw_frame_line("euler-bernoulli", &p, 1, 0, DIVISIONS);
    fw_frame_fix(frame, 0, "xyr");
    for (int step = 1; step <= 10; step++) {
      load[END + 1] = 0.1 * step * rows[k][0] * p.E * p.I;
      assert_true(fw_frame_equilibrium(frame, load, q) > 0);
    }
    char what[80];
    snprintf(what, sizeof what, "elastica, P L^2/EI = %g, u/L", rows[k][0]);
    compare(what, -q[END], rows[k][1], 0.5e-5 / rows[k][1]);
    snprintf(what, sizeof what, "elastica, P L^2/EI = %g, w/L", rows[k][0]);
    compare(what, q[END + 1], rows[k][2], 0.5e-5 / rows[k][2]);
    fw_frame_destroy(&frame);
  }
}

/* ---- frequencies ------------------------------------------------------------------------- */

typedef struct fw_ends {
  const char *name, *left, *right;
  double beta[3]; /* beta L */
} fw_ends;

static const fw_ends ends[] = {
    {"pinned-pinned", "xy", "y", {M_PI, 2 * M_PI, 3 * M_PI}},
    {"clamped-pinned", "xyr", "y", {3.92660231, 7.06858275, 10.21017612}},
    {"cantilever", "xyr", "", {1.87510407, 4.69409113, 7.85475744}},
    {"clamped-clamped", "xyr", "yr", {4.73004074, 7.85320462, 10.99560784}},
};

/* Bending frequencies of a line held as said; axial ones lie far above. */
static void bending(const char *element, const fw_properties *p, double length, const fw_ends *how, int divisions,
                    int count, double *hertz) {
  fw_dense_frame *frame = fw_frame_line(element, p, length, 0, divisions);
  fw_frame_fix(frame, 0, how->left);
  fw_frame_fix(frame, divisions, how->right);
  fw_frame_frequencies(frame, NULL, count, hertz);
  for (int i = 0; i < count; i++) hertz[i] /= 2 * M_PI;
  fw_frame_destroy(&frame);
}

static double exact_bending(const fw_properties *p, double length, double beta) {
  return beta * beta / (2 * M_PI * length * length) * sqrt(p->E * p->I / (p->rho * p->A));
}

static void euler_bernoulli_frequencies(void **unused) {
  (void)unused;
  fw_properties p = steel(0.03888, 0.00476);
  double hertz[3];
  char what[80];
  for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
    bending("euler-bernoulli", &p, 0.606, &ends[k], 40, 3, hertz);
    for (int i = 0; i < 3; i++) {
      snprintf(what, sizeof what, "%s mode %d, 40 elements (Hz)", ends[k].name, i + 1);
      compare(what, hertz[i], exact_bending(&p, 0.606, ends[k].beta[i]), 1e-5);
    }
  }
  bending("euler-bernoulli", &p, 0.606, &ends[1], 40, 1, hertz);
  compare("rig, clamped-pinned (Hz)", hertz[0], 47.641716, 1e-6);
}

/* Other masses converge at the rate they promise: pinned-pinned, mode 1, b = beta l. Co-rotational:
 * 1 + b^2/12, with the section's rotary inertia. Lumped: 1 - b^2/78, from the m l^3/39 each node turns. */
static void other_masses(void **unused) {
  (void)unused;
  fw_properties p = steel(0.03888, 0.00476);
  double hertz[1], exact = exact_bending(&p, 0.606, M_PI), slender = M_PI / 0.606 * sqrt(p.I / p.A);
  for (int n = 20; n <= 80; n *= 2) {
    double b = M_PI / n;
    p.kinematics = FW_COROTATIONAL;
    p.lumped = false;
    bending("euler-bernoulli", &p, 0.606, &ends[0], n, 1, hertz);
    double rayleigh = exact / sqrt(1 + slender * slender);
    compare("co-rotational mass, error / (beta l)^2", (hertz[0] / rayleigh - 1) / (b * b), 1.0 / 12, 0.01);
    p.kinematics = FW_LINEAR;
    p.lumped = true;
    bending("euler-bernoulli", &p, 0.606, &ends[0], n, 1, hertz);
    compare("lumped mass, error / (beta l)^2", (hertz[0] / exact - 1) / (b * b), -1.0 / 78, 0.01);
  }
}

/* Exact bending frequency (Hz) of a simply supported Timoshenko beam: lower root of
 * (rho^2 I/kappa G) w^4 - [rho A + rho I beta^2 (1 + E/kappa G)] w^2 + E I beta^4 = 0. */
static double exact_timoshenko(const fw_properties *p, double beta) {
  double kG = p->kappa * p->E / (2 * (1 + p->nu)), a = p->rho * p->rho * p->I / kG, c = p->E * p->I * pow(beta, 4);
  double b = p->rho * p->A + p->rho * p->I * beta * beta * (1 + p->E / kG);
  return sqrt((b - sqrt(b * b - 4 * a * c)) / (2 * a)) / (2 * M_PI);
}

/* NAFEMS FV5, deep simply supported beam; held axially at one end it has the mode of a rod too. */
static void deep_beam(void **unused) {
  (void)unused;
  fw_properties p = steel(2, 2);
  p.E = 200e9;
  p.rho = 8000;
  const double published[3] = {42.645, 148.149, 283.468};
  double hertz[4];
  bending("timoshenko", &p, 10, &ends[0], 40, 4, hertz);
  compare("FV5 deep beam, axial mode, 40 elements (Hz)", hertz[1], 125, 1e-6);
  hertz[1] = hertz[2];
  hertz[2] = hertz[3];
  for (int n = 1; n <= 3; n++) {
    double exact = exact_timoshenko(&p, n * M_PI / 10);
    char what[80];
    assert_true(fabs(exact - published[n - 1]) < 5e-4);
    snprintf(what, sizeof what, "FV5 deep beam, mode %d, 40 elements (Hz)", n);
    compare(what, hertz[n - 1], exact, 1e-6);
  }
}

/* NAFEMS FV1, pin-ended cross, with axial flexibility. */
static void cross(void **unused) {
  (void)unused;
  fw_properties p = steel(0.125, 0.125);
  p.E = 200e9;
  p.rho = 8000;
  enum { DIVISIONS = 16 };
  const double published[8] = {11.336, 17.681, 17.681, 17.709, 45.345, 57.075, 57.075, 57.390};
  double omega[8];
  fw_dense_frame *frame = fw_frame_star("euler-bernoulli", &p, 5, 4, DIVISIONS);
  for (int arm = 1; arm <= 4; arm++) fw_frame_fix(frame, arm * DIVISIONS, "xy");
  fw_frame_frequencies(frame, NULL, 8, omega);
  for (int i = 0; i < 8; i++) compare("FV1 pin-ended cross (Hz)", omega[i] / (2 * M_PI), published[i], 5e-5);
  fw_frame_destroy(&frame);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cantilever),   cmocka_unit_test(column),    cmocka_unit_test(stretched_beam),
      cmocka_unit_test(full_circle),  cmocka_unit_test(elastica),  cmocka_unit_test(euler_bernoulli_frequencies),
      cmocka_unit_test(other_masses), cmocka_unit_test(deep_beam), cmocka_unit_test(cross),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
