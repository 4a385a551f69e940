/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every element of the table that has a twin in space: the twin keeps the rules of element.h with axes of its own at
 * each node, and an element made wrong in one place does not. */
#include "elements/element.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "cmocka_all.h"
#include "vectors.h"
#undef I /* of complex.h: here it is a second moment */

enum { N = 2 * FW_SPACE_DOFS, STATES = 5, CONSTANTS = 16 };

typedef struct sample {
  const fw_element_ops *ops;
  fw_properties props;
  double constants[CONSTANTS], X[FW_ELEMENT_PLACES];
  int n;
} sample;

static double uniform(unsigned *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return 2.0 * (*seed >> 8) / 16777215.0 - 1.0;
}

/* Rows: Rz(a) Ry(b) Rx(c). */
static void rotation(double a, double b, double c, double *axes) {
  const double R[9] = {cos(a) * cos(b),
                       cos(a) * sin(b) * sin(c) - sin(a) * cos(c),
                       cos(a) * sin(b) * cos(c) + sin(a) * sin(c),
                       sin(a) * cos(b),
                       sin(a) * sin(b) * sin(c) + cos(a) * cos(c),
                       sin(a) * sin(b) * cos(c) - cos(a) * sin(c),
                       -sin(b),
                       cos(b) * sin(c),
                       cos(b) * cos(c)};
  memcpy(axes, R, sizeof R);
}

/* Numbers near 1, a skew direction, no tables, no preload. */
static int constants(const fw_element_ops *ops, double *c) {
  static const double skew[3] = {0.3, 0.5, -0.7}, zero = 0;
  double numbers[CONSTANTS];
  fw_given given[CONSTANTS];
  int count = fw_param_count(ops->entry.params);
  for (int i = 0; i < CONSTANTS; i++) c[i] = numbers[i] = 1.3 + 0.2 * i;
  for (int i = 0; i < count; i++) {
    const fw_param *param = &ops->entry.params[i];
    given[i] = (fw_given){.count = 1, .values = &numbers[i]};
    if (param->kind == FW_PARAM_NUMBERS) given[i].count = 0;
    if (strcmp(param->name, "direction") == 0) given[i] = (fw_given){.count = 3, .values = skew};
    if (param->kind == FW_PARAM_CHOICE || strcmp(param->name, "preload") == 0) given[i].values = &zero;
  }
  return ops->pack ? ops->pack(given, c) : count;
}

static void make(const fw_element_ops *ops, bool lumped, sample *s) {
  const double places[2][3] = {{0.3, -0.2, 0.5}, {1.4, 0.1, -0.3}};
  *s = (sample){.ops = ops, .n = fw_element_dofs(ops)};
  s->props = (fw_properties){.E = 2.1, .nu = 0.3, .rho = 1.7, .A = 0.31, .I = 0.021, .kappa = 0.85, .height = 0.9};
  s->props.I_out = 0.034, s->props.kappa_out = 0.7, s->props.J = 0.05, s->props.up[1] = 1;
  s->props.mass_per_length = 0.2, s->props.lumped = lumped;
  s->props.across_damping = 0.4;
  s->props.constants = s->constants;
  s->props.constant_count = constants(ops, s->constants);
  for (int k = 0; k < ops->nodes; k++) {
    memcpy(s->X + (ptrdiff_t)FW_SPACE_PLACES * k, places[ops->shape == FW_SHAPE_POINT ? 0 : k], sizeof *places);
    rotation(0.3 + k, -0.7 * k + 0.2, 1.1 - k, s->X + (ptrdiff_t)FW_SPACE_PLACES * k + 3);
  }
}

/* Freedoms of a unit motion along (0 to 2) or about (3 to 5) an axis of the deck through its origin. */
static void rigid(const sample *s, int motion, double *q) {
  int axis = motion % 3;
  for (int node = 0; node < s->ops->nodes; node++) {
    const double *X = s->X + (ptrdiff_t)FW_SPACE_PLACES * node, *axes = X + 3;
    double u[3] = {0}, w[3] = {0};
    if (motion < 3) u[axis] = 1;
    if (motion >= 3) w[axis] = 1, u[(axis + 1) % 3] = -X[(axis + 2) % 3], u[(axis + 2) % 3] = X[(axis + 1) % 3];
    for (int k = 0; k < 3; k++) {
      const double *e = axes + (ptrdiff_t)3 * k;
      q[FW_SPACE_DOFS * node + fw_dof_moves[k]] = e[0] * u[0] + e[1] * u[1] + e[2] * u[2];
      q[FW_SPACE_DOFS * node + fw_dof_turnings[k]] = e[0] * w[0] + e[1] * w[1] + e[2] * w[2];
    }
  }
}

static void random_state(unsigned *seed, double *q, double *v) {
  for (int i = 0; i < N; i++) q[i] = 0.25 * uniform(seed), v[i] = uniform(seed);
}

/* ---- checks: NULL or a message ------------------------------------------------------------- */

static const char *tangents_are_derivatives(const sample *s) {
  double q[N], v[N], f[N], plus[N], minus[N], K[N * N], C[N * N], h = 1e-5;
  unsigned seed = 1;
  random_state(&seed, q, v);
  if (s->ops->force(&s->props, s->X, q, v, f, K, C) != FW_OK) return "no force";
  for (int j = 0; j < 2 * s->n; j++) {
    double *moved = j < s->n ? &q[j] : &v[j - s->n], at = *moved;
    const double *matrix = j < s->n ? K : C;
    *moved = at + h;
    s->ops->force(&s->props, s->X, q, v, plus, NULL, NULL);
    *moved = at - h;
    s->ops->force(&s->props, s->X, q, v, minus, NULL, NULL);
    *moved = at;
    for (int i = 0; i < s->n; i++)
      if (!(fabs((plus[i] - minus[i]) / (2 * h) - matrix[s->n * i + j % s->n]) <= 1e-7)) return "a tangent is wrong";
  }
  return NULL;
}

static const char *force_is_the_gradient_of_energy(const sample *s) {
  double q[N], v[N], f[N], h = 1e-5;
  unsigned seed = 2;
  if (!s->ops->energy) return NULL;
  random_state(&seed, q, v);
  if (s->ops->force(&s->props, s->X, q, NULL, f, NULL, NULL) != FW_OK) return "no force";
  for (int j = 0; j < s->n; j++) {
    double at = q[j];
    q[j] = at + h;
    double plus = s->ops->energy(&s->props, s->X, q);
    q[j] = at - h;
    double minus = s->ops->energy(&s->props, s->X, q);
    q[j] = at;
    if (!(fabs((plus - minus) / (2 * h) - f[j]) <= 1e-7)) return "the force is not the gradient of the energy";
  }
  return NULL;
}

static const char *velocity_only_dissipates(const sample *s) {
  double q[N], v[N], f[N], rest[N], power = 0;
  unsigned seed = 3;
  for (int k = 0; k < STATES; k++) {
    random_state(&seed, q, v);
    s->ops->force(&s->props, s->X, q, v, f, NULL, NULL);
    s->ops->force(&s->props, s->X, q, NULL, rest, NULL, NULL);
    for (int i = 0; i < s->n; i++) power += v[i] * (f[i] - rest[i]);
    if (power < -1e-14) return "the velocity feeds energy in";
  }
  return NULL;
}

static const char *rigid_motion_needs_no_force(const sample *s) {
  double q[N], f[N], zero[N] = {0};
  for (int motion = 0; motion < 6 && s->ops->nodes > 1; motion++) {
    rigid(s, motion, q);
    s->ops->force(&s->props, s->X, q, NULL, f, NULL, NULL);
    if (!(distance(f, zero, s->n) <= 1e-12)) return "a rigid motion needs force";
  }
  return NULL;
}

static double length(const sample *s) {
  const double *a = s->X, *b = s->X + FW_SPACE_PLACES;
  return hypot(hypot(b[0] - a[0], b[1] - a[1]), b[2] - a[2]);
}

/* The same in every direction, the right total and centre, no negative eigenvalue. */
static const char *mass_is_sound(const sample *s) {
  double M[N * N], x[N], y[N], values[N];
  bool line = s->ops->shape == FW_SHAPE_LINE;
  fw_element_mass_matrix(s->ops, &s->props, s->X, M);
  rigid(s, 0, x);
  double total = line ? length(s) * (s->props.rho * s->props.A + s->props.mass_per_length) : quadratic(M, s->n, x, x);
  for (int motion = 0; motion < 3; motion++) {
    rigid(s, motion, x);
    rigid(s, (motion + 1) % 3, y);
    if (!(fabs(quadratic(M, s->n, x, x) - total) <= 1e-12 * (1 + total))) return "the mass is not the element's";
    if (!(fabs(quadratic(M, s->n, x, y)) <= 1e-12 * (1 + total))) return "the mass couples directions";
    rigid(s, 3 + (motion + 2) % 3, y); /* about the axis for which the arm along the next one counts */
    double arm = 0.5 * (s->X[(motion + 1) % 3] + s->X[FW_SPACE_PLACES + (motion + 1) % 3]);
    if (line && !(fabs(quadratic(M, s->n, x, y) + total * arm) <= 1e-12 * (1 + total))) return "the centre is wrong";
  }
  if (LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'U', s->n, M, s->n, values) != 0) return "no eigenvalues";
  return values[0] >= -1e-12 * values[s->n - 1] ? NULL : "the mass has a negative eigenvalue";
}

static const char *interpolation_reproduces_rigid_motion(const sample *s) {
  double weights[FW_SPACE_DOFS * N], q[N], xi[2] = {0.3, 0};
  if (!s->ops->interpolate) return NULL;
  s->ops->interpolate(&s->props, s->X, xi, weights);
  for (int motion = 0; motion < 6; motion++) {
    rigid(s, motion, q);
    for (int k = 0; k < 3; k++) {
      double moved = 0, turned = 0, place[3], u[3] = {0};
      for (int i = 0; i < 3; i++) place[i] = 0.35 * s->X[i] + 0.65 * s->X[FW_SPACE_PLACES + i];
      int axis = motion % 3;
      if (motion < 3) u[axis] = 1;
      if (motion >= 3) u[(axis + 1) % 3] = -place[(axis + 2) % 3], u[(axis + 2) % 3] = place[(axis + 1) % 3];
      for (int i = 0; i < s->n; i++) {
        moved += weights[fw_dof_moves[k] * s->n + i] * q[i];
        turned += weights[fw_dof_turnings[k] * s->n + i] * q[i];
      }
      if (!(fabs(moved - u[k]) <= 1e-12)) return "a displacement is not reproduced";
      if (!(fabs(turned - (motion == 3 + k)) <= 1e-12)) return "a rotation is not reproduced";
    }
  }
  return NULL;
}

/* Stretch, twist and both bendings, each by itself along the deck's axes, give the forces of their names. */
static const char *fields_follow_strain(const sample *s) {
  static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  if (!s->ops->field) return NULL;
  sample plain = *s;
  const double G = s->props.E / (2 * (1 + s->props.nu)), l = 1.3;
  double xi[2] = {0.2, 0}, out[6], q[N] = {0};
  plain.props.constants = plain.constants;
  memset(plain.X, 0, sizeof plain.X);
  plain.X[FW_SPACE_PLACES] = l;
  for (int k = 0; k < 2; k++) memcpy(plain.X + (ptrdiff_t)FW_SPACE_PLACES * k + 3, identity, sizeof identity);
  q[6 + FW_X] = 0.01 * l, q[6 + FW_RX] = 0.02 * l; /* strain, twist */
  q[6 + FW_RZ] = 0.03 * l, q[6 + FW_Y] = 0.015 * l * l;
  q[6 + FW_RY] = 0.04 * l, q[6 + FW_Z] = -0.02 * l * l; /* curvatures */
  plain.ops->field(&plain.props, plain.X, q, xi, out);
  const double expected[6] = {
      s->props.E * s->props.A * 0.01, 0, 0, G * s->props.J * 0.02, s->props.E * s->props.I_out * 0.04,
      s->props.E * s->props.I * 0.03};
  return distance(out, expected, 6) <= 1e-13 ? NULL : "the section forces are wrong";
}

static const char *every_check(const fw_element_ops *ops) {
  const char *(*const checks[])(const sample *) = {tangents_are_derivatives,
                                                   force_is_the_gradient_of_energy,
                                                   velocity_only_dissipates,
                                                   rigid_motion_needs_no_force,
                                                   mass_is_sound,
                                                   interpolation_reproduces_rigid_motion,
                                                   fields_follow_strain};
  for (int lumped = 0; lumped < 2; lumped++)
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
      sample s;
      make(ops, lumped, &s);
      s.props.constants = s.constants;
      if (fw_element_flaw(ops, &s.props, s.X)) return "a sound element is refused";
      const char *message = checks[i](&s);
      if (message) return message;
    }
  return NULL;
}

static void every_twin_passes(void **unused) {
  (void)unused;
  int twins = 0;
  for (const fw_entry *const *entry = fw_elements.entries; *entry; entry++) {
    const fw_element_ops *ops = ((const fw_element_ops *)(const void *)*entry)->in_space;
    if (!ops) continue;
    const char *message = every_check(ops);
    if (message) fail_msg("%s: %s", (*entry)->name, message);
    assert_string_equal(ops->entry.name, (*entry)->name);
    twins++;
  }
  assert_true(twins >= 7);
}

static fw_status wrong_force(const fw_properties *props, const double *X, const double *q, const double *v, double *f,
                             double *K, double *C) {
  const fw_element_ops *beam = (const fw_element_ops *)(const void *)fw_table_find(&fw_elements, "euler-bernoulli");
  fw_status status = beam->in_space->force(props, X, q, v, f, K, C);
  f[FW_RX] *= 1.001;
  return status;
}

static void a_wrong_element_is_found(void **unused) {
  (void)unused;
  const fw_element_ops *beam = (const fw_element_ops *)(const void *)fw_table_find(&fw_elements, "euler-bernoulli");
  fw_element_ops wrong = *beam->in_space;
  wrong.force = wrong_force;
  assert_non_null(every_check(&wrong));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_twin_passes), cmocka_unit_test(a_wrong_element_is_found)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
