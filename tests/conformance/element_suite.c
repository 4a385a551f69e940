/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "element_suite.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "elements/von_karman.h"
#include "vectors.h"

enum { N = FW_ELEMENT_DOFS, STATES = 5 };

static int dofs(const fw_element_sample *s) { return fw_element_dofs(s->ops); }
static int per_node(const fw_element_sample *s) { return s->ops->rotations ? 3 : 2; }

static double largest(const double *a, int count) {
  double most = 0;
  for (int i = 0; i < count; i++) most = fmax(most, fabs(a[i]));
  return most;
}

static bool force_of(const fw_element_sample *s, const double *q, const double *v, double *f) {
  return s->ops->force(&s->props, s->X, q, v, f, NULL, NULL) == FW_OK;
}

/* ---- description ------------------------------------------------------------------------- */

static const char *is_described(const fw_element_sample *s) {
  const fw_entry *entry = &s->ops->entry;
  if (!entry->name || !entry->summary || !*entry->summary || !entry->equation || !entry->source)
    return "an entry needs name, summary, equation and source";
  for (int i = 0; i < fw_param_count(entry->params); i++)
    if (!entry->params[i].meaning || !entry->params[i].unit) return "a parameter has no meaning or unit";
  return NULL;
}

static const char *accepts_a_sound_element(const fw_element_sample *s) {
  return fw_element_flaw(s->ops, &s->props, s->X);
}

static const char *refuses_a_degenerate_element(const fw_element_sample *s) {
  if (s->ops->shape == FW_SHAPE_POINT) return NULL;
  double X[2 * FW_ELEMENT_NODES];
  for (int i = 0; i < s->ops->nodes; i++) memcpy(X + 2 * i, s->X, 2 * sizeof *X);
  if (!fw_element_flaw(s->ops, &s->props, X)) return "an element with all nodes at one place is accepted";
  if (s->ops->shape == FW_SHAPE_LINE) return NULL;
  for (int i = 0; i < s->ops->nodes; i++) {
    X[2 * i] = -s->X[2 * i];
    X[2 * i + 1] = s->X[2 * i + 1];
  }
  return fw_element_flaw(s->ops, &s->props, X) ? NULL : "an inside-out element is accepted";
}

/* ---- derivatives ------------------------------------------------------------------------- */

/* Central differences of the force: column j of d f/d(q or v). */
static bool difference(const fw_element_sample *s, const double *q, const double *v, bool by_velocity, double *matrix) {
  const double h = 1e-5;
  int n = dofs(s);
  double moved[N], plus[N], minus[N];
  for (int j = 0; j < n; j++) {
    memcpy(moved, by_velocity ? v : q, sizeof moved);
    double at = moved[j];
    moved[j] = at + h;
    if (!force_of(s, by_velocity ? q : moved, by_velocity ? moved : v, plus)) return false;
    moved[j] = at - h;
    if (!force_of(s, by_velocity ? q : moved, by_velocity ? moved : v, minus)) return false;
    for (int i = 0; i < n; i++) matrix[n * i + j] = (plus[i] - minus[i]) / (2 * h);
  }
  return true;
}

static const char *tangents_are_derivatives(const fw_element_sample *s) {
  double q[N], v[N], f[N], again[N], K[N * N], C[N * N], reference[N * N];
  unsigned seed = 1;
  int n = dofs(s);
  for (int k = 0; k < STATES; k++) {
    fw_sample_state(s, &seed, q, v);
    if (s->ops->force(&s->props, s->X, q, v, f, K, C) != FW_OK) return "no force at an ordinary state";
    if (!force_of(s, q, v, again) || distance(f, again, n) > 1e-14 * (1 + largest(f, n)))
      return "the force depends on whether tangents are asked";
    if (!difference(s, q, v, false, reference)) return "no force near an ordinary state";
    if (!(distance(K, reference, n * n) <= 1e-7 * (1 + largest(reference, n * n)))) return "K is not df/dq";
    if (!difference(s, q, v, true, reference)) return "no force near an ordinary velocity";
    if (!(distance(C, reference, n * n) <= 1e-7 * (1 + largest(reference, n * n)))) return "C is not df/dv";
  }
  return NULL;
}

static const char *force_is_the_gradient_of_energy(const fw_element_sample *s) {
  if (!s->ops->energy) return NULL;
  const double h = 1e-5;
  double q[N], v[N], f[N], gradient[N];
  unsigned seed = 2;
  int n = dofs(s);
  for (int k = 0; k < STATES; k++) {
    fw_sample_state(s, &seed, q, v);
    if (!force_of(s, q, NULL, f)) return "no force at an ordinary state";
    for (int j = 0; j < n; j++) {
      double at = q[j];
      q[j] = at + h;
      double plus = s->ops->energy(&s->props, s->X, q);
      q[j] = at - h;
      double minus = s->ops->energy(&s->props, s->X, q);
      q[j] = at;
      gradient[j] = (plus - minus) / (2 * h);
    }
    if (!(distance(f, gradient, n) <= 1e-7 * (1 + largest(f, n)))) return "the force is not the gradient of the energy";
  }
  return NULL;
}

static const char *velocity_only_dissipates(const fw_element_sample *s) {
  double q[N], v[N], f[N], rest[N];
  unsigned seed = 3;
  for (int k = 0; k < STATES; k++) {
    fw_sample_state(s, &seed, q, v);
    if (!force_of(s, q, v, f) || !force_of(s, q, NULL, rest)) return "no force at an ordinary state";
    double power = 0;
    for (int i = 0; i < dofs(s); i++) power += v[i] * (f[i] - rest[i]);
    if (power < -1e-14) return "the velocity-dependent force feeds energy in";
  }
  return NULL;
}

/* ---- rigid motion ------------------------------------------------------------------------ */

/* Unit translation along direction 0 or 1, or unit small rotation (2) about the origin. */
static void rigid(const fw_element_sample *s, int direction, double *q) {
  int p = per_node(s);
  memset(q, 0, N * sizeof *q);
  for (int i = 0; i < s->ops->nodes; i++) {
    if (direction < 2) q[p * i + direction] = 1;
    if (direction < 2) continue;
    q[p * i] = -s->X[2 * i + 1];
    q[p * i + 1] = s->X[2 * i];
    if (p == 3) q[p * i + 2] = 1;
  }
}

static const char *translations_change_no_force(const fw_element_sample *s) {
  if (s->ops->nodes < 2) return NULL;
  double q[N], v[N], f[N], moved[N], shift[2][N];
  unsigned seed = 4;
  fw_sample_state(s, &seed, q, v);
  if (!force_of(s, q, NULL, f)) return "no force at an ordinary state";
  rigid(s, 0, shift[0]);
  rigid(s, 1, shift[1]);
  for (int i = 0; i < dofs(s); i++) q[i] += 3 * shift[0][i] - 2 * shift[1][i];
  if (!force_of(s, q, NULL, moved)) return "no force at a moved state";
  return distance(f, moved, dofs(s)) <= 1e-12 ? NULL : "a translation changes the force";
}

static const char *small_rotations_need_no_force(const fw_element_sample *s) {
  if (s->ops->shape == FW_SHAPE_POINT) return NULL;
  double zero[N] = {0}, q[N], f[N], K[N * N];
  int n = dofs(s);
  if (s->ops->force(&s->props, s->X, zero, NULL, f, K, NULL) != FW_OK) return "no force at rest";
  if (largest(f, n) > 0) return "there is force at rest";
  rigid(s, 2, q);
  for (int i = 0; i < n; i++) {
    f[i] = 0;
    for (int j = 0; j < n; j++) f[i] += K[n * i + j] * q[j];
  }
  return largest(f, n) <= 1e-12 * largest(K, n * n) ? NULL : "a small rotation needs force";
}

/* Turns the deformed element by `angle` about the origin. */
static void turn(const fw_element_sample *s, double angle, const double *q, double *turned) {
  int p = per_node(s);
  double c = cos(angle), sn = sin(angle);
  for (int i = 0; i < s->ops->nodes; i++) {
    const double *X = s->X + 2 * i;
    double x = X[0] + q[p * i], y = X[1] + q[p * i + 1];
    turned[p * i] = c * x - sn * y - X[0];
    turned[p * i + 1] = sn * x + c * y - X[1];
    if (p == 3) turned[p * i + 2] = q[p * i + 2] + angle;
  }
}

static const char *large_rotations_turn_the_force(const fw_element_sample *s) {
  if (s->props.kinematics != FW_COROTATIONAL && s->props.kinematics != FW_TOTAL_LAGRANGIAN) return NULL;
  double q[N], v[N], f[N], turned[N], f_turned[N];
  unsigned seed = 5;
  int p = per_node(s), n = dofs(s);
  for (double angle = -9; angle < 10; angle += 2.3) {
    fw_sample_state(s, &seed, q, v);
    turn(s, angle, q, turned);
    if (!force_of(s, q, NULL, f) || !force_of(s, turned, NULL, f_turned)) return "no force at a turned state";
    double c = cos(angle), sn = sin(angle);
    for (int i = 0; i < s->ops->nodes; i++) {
      double x = f[p * i], y = f[p * i + 1];
      f[p * i] = c * x - sn * y;
      f[p * i + 1] = sn * x + c * y;
    }
    if (!(distance(f, f_turned, n) <= 1e-11)) return "the force does not turn with the element";
  }
  return NULL;
}

/* ---- mass -------------------------------------------------------------------------------- */

static const char *mass_is_sound(const fw_element_sample *s) {
  double M[N * N], transposed[N * N], eigenvalues[N];
  int n = dofs(s);
  fw_element_mass_matrix(s->ops, &s->props, s->X, M);
  for (int k = 0; k < n * n; k++) transposed[k] = M[n * (k % n) + k / n];
  if (!(distance(M, transposed, n * n) <= 1e-14 * largest(M, n * n))) return "the mass is not symmetric";
  for (int k = 0; s->props.lumped && k < n * n; k++)
    if (k % (n + 1) != 0 && fabs(M[k]) > 0) return "the lumped mass is not diagonal";
  if (LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'U', n, transposed, n, eigenvalues) != 0) return "no eigenvalues";
  return eigenvalues[0] >= -1e-12 * eigenvalues[n - 1] ? NULL : "the mass has a negative eigenvalue";
}

static const char *mass_has_the_right_total(const fw_element_sample *s) {
  double M[N * N], x[N], y[N];
  int n = dofs(s);
  double line = s->props.rho * s->props.A + s->props.mass_per_length, area = s->props.rho * s->props.thickness;
  double total = fw_sample_size(s) * (s->ops->shape == FW_SHAPE_LINE ? line : area);
  fw_element_mass_matrix(s->ops, &s->props, s->X, M);
  rigid(s, 0, x);
  rigid(s, 1, y);
  double xx = quadratic(M, n, x, x), yy = quadratic(M, n, y, y);
  if (s->ops->shape == FW_SHAPE_POINT) total = xx;
  if (!(fabs(xx - total) <= 1e-13 * fabs(total))) return "the mass in x is not the element's";
  if (!(fabs(yy - total) <= 1e-13 * fabs(total))) return "the mass in y is not the element's";
  return fabs(quadratic(M, n, x, y)) <= 1e-13 * fabs(total) ? NULL : "the mass couples x and y";
}

/* The first moments of a straight beam's mass: its centre of mass is its middle. */
static const char *mass_has_the_right_centre(const fw_element_sample *s) {
  if (s->ops->shape != FW_SHAPE_LINE) return NULL;
  double M[N * N], x[N], y[N], r[N];
  int n = dofs(s);
  fw_element_mass_matrix(s->ops, &s->props, s->X, M);
  rigid(s, 0, x);
  rigid(s, 1, y);
  rigid(s, 2, r);
  double total = quadratic(M, n, x, x), cx = 0.5 * (s->X[0] + s->X[2]), cy = 0.5 * (s->X[1] + s->X[3]);
  if (!(fabs(quadratic(M, n, x, r) + total * cy) <= 1e-13 * total)) return "the centre of mass is wrong in y";
  return fabs(quadratic(M, n, y, r) - total * cx) <= 1e-13 * total ? NULL : "the centre of mass is wrong in x";
}

/* ---- interpolation and output ------------------------------------------------------------ */

static const char *interpolation_reproduces_nodes(const fw_element_sample *s) {
  if (!s->ops->interpolate) return s->ops->shape == FW_SHAPE_POINT ? NULL : "the element cannot interpolate";
  double weights[3 * N], xi[2];
  int p = per_node(s), n = dofs(s);
  for (int node = 0; node < s->ops->nodes; node++) {
    fw_sample_natural(s->ops->shape, node, xi);
    s->ops->interpolate(&s->props, s->X, xi, weights);
    for (int row = 0; row < p; row++)
      for (int j = 0; j < n; j++) {
        double expected = j == p * node + row ? 1 : 0;
        if (!(fabs(weights[n * row + j] - expected) <= 1e-13)) return "interpolation misses a node";
      }
  }
  return NULL;
}

static const char *interpolation_reproduces_rigid_motion(const fw_element_sample *s) {
  if (!s->ops->interpolate) return NULL;
  double weights[3 * N], q[N], place[2];
  int p = per_node(s), n = dofs(s);
  const double points[3][2] = {{0.2, 0.3}, {0.55, 0.1}, {0.1, 0.7}};
  for (int k = 0; k < 3; k++) {
    s->ops->interpolate(&s->props, s->X, points[k], weights);
    fw_sample_place(s, points[k], place);
    for (int direction = 0; direction < 3; direction++) {
      const double expected[3] = {direction == 0   ? 1
                                  : direction == 2 ? -place[1]
                                                   : 0,
                                  direction == 1   ? 1
                                  : direction == 2 ? place[0]
                                                   : 0,
                                  direction == 2};
      rigid(s, direction, q);
      for (int row = 0; row < p; row++) {
        double value = 0;
        for (int j = 0; j < n; j++) value += weights[n * row + j] * q[j];
        if (!(fabs(value - expected[row]) <= 1e-13)) return "interpolation does not carry rigid motion";
      }
    }
  }
  return NULL;
}

static const char *fields_vanish_at_rest_and_follow_strain(const fw_element_sample *s) {
  if (!s->ops->field) return s->ops->fields == 0 ? NULL : "fields are named but not computed";
  double q[N] = {0}, v[N], out[8], shift[N];
  const double xi[2] = {0.2, 0.3};
  unsigned seed = 6;
  if (s->ops->fields < 1 || s->ops->fields > 8) return "the number of fields is odd";
  for (int i = 0; i < s->ops->fields; i++)
    if (!s->ops->field_names[i]) return "a field has no name";
  rigid(s, 0, shift);
  s->ops->field(&s->props, s->X, shift, xi, out);
  if (!(largest(out, s->ops->fields) <= 1e-13)) return "a translation gives stress";
  fw_sample_state(s, &seed, q, v);
  s->ops->field(&s->props, s->X, q, xi, out);
  for (int i = 0; i < s->ops->fields; i++)
    if (!isfinite(out[i]) || out[i] == 0) return "a strained element shows no stress";
  return NULL;
}

/* f = (K(0) - D b b^T) q + D eps (b + G q), as harmonic balance takes it. */
static const char *membrane_term_is_in_the_force(const fw_element_sample *s) {
  fw_membrane membrane;
  if (!fw_von_karman_membrane(s->ops, &s->props, s->X, &membrane)) {
    return s->props.kinematics == FW_VON_KARMAN ? "no membrane term" : NULL;
  }
  double zero[N] = {0}, q[N], v[N], f[N], K[N * N], gradient[N], rebuilt[N];
  unsigned seed = 7;
  int n = dofs(s);
  fw_sample_state(s, &seed, q, v);
  if (!force_of(s, q, NULL, f) || s->ops->force(&s->props, s->X, zero, NULL, rebuilt, K, NULL) != FW_OK)
    return "no force";
  double eps = fw_membrane_strain(&membrane, q, gradient), stretch = 0;
  for (int i = 0; i < n; i++) stretch += membrane.b[i] * q[i];
  for (int i = 0; i < n; i++) {
    rebuilt[i] = membrane.D * (eps * gradient[i] - stretch * membrane.b[i]);
    for (int j = 0; j < n; j++) rebuilt[i] += K[n * i + j] * q[j];
  }
  return distance(f, rebuilt, n) <= 1e-13 ? NULL : "the membrane term is not the force's";
}

/* b + G q, with which rates of strain are damped. */
static const char *membrane_gradient_is_of_the_strain(const fw_element_sample *s) {
  fw_membrane membrane;
  double q[N], v[N], gradient[N], differences[N], h = 1e-4;
  unsigned seed = 8;
  int n = dofs(s);
  if (!fw_von_karman_membrane(s->ops, &s->props, s->X, &membrane)) return NULL;
  fw_sample_state(s, &seed, q, v);
  fw_membrane_strain(&membrane, q, gradient);
  for (int i = 0; i < n; i++) {
    double at = q[i];
    q[i] = at + h;
    double ahead = fw_membrane_strain(&membrane, q, NULL);
    q[i] = at - h;
    differences[i] = (ahead - fw_membrane_strain(&membrane, q, NULL)) / (2 * h);
    q[i] = at;
  }
  return distance(gradient, differences, n) <= 1e-9 ? NULL
                                                    : "the gradient of the membrane strain is not its derivative";
}

const fw_element_check fw_element_checks[] = {
    {"is described", is_described},
    {"accepts a sound element", accepts_a_sound_element},
    {"refuses a degenerate element", refuses_a_degenerate_element},
    {"tangents are derivatives", tangents_are_derivatives},
    {"force is the gradient of energy", force_is_the_gradient_of_energy},
    {"velocity only dissipates", velocity_only_dissipates},
    {"translations change no force", translations_change_no_force},
    {"small rotations need no force", small_rotations_need_no_force},
    {"large rotations turn the force", large_rotations_turn_the_force},
    {"mass is sound", mass_is_sound},
    {"mass has the right total", mass_has_the_right_total},
    {"mass has the right centre", mass_has_the_right_centre},
    {"interpolation reproduces nodes", interpolation_reproduces_nodes},
    {"interpolation reproduces rigid motion", interpolation_reproduces_rigid_motion},
    {"fields follow strain", fields_vanish_at_rest_and_follow_strain},
    {"membrane term is in the force", membrane_term_is_in_the_force},
    {"membrane gradient is of the strain", membrane_gradient_is_of_the_strain},
    {NULL, NULL},
};

const char *fw_element_suite(const fw_element_ops *ops, const char **failed) {
  for (const fw_element_check *check = fw_element_checks; check->name; check++) {
    const char *message = fw_sample_each(ops, check->run);
    if (failed) *failed = message ? check->name : NULL;
    if (message) return message;
  }
  return NULL;
}
