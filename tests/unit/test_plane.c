/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every plane element on a distorted shape: tangent, energy, rotation, mass, refusals. */
#include "cmocka_all.h"

#include <math.h>
#include <string.h>

#include "elements/plane/plane.h"
#include "elements/recover.h"
#include "elements/shape.h"

static const char *const names[] = {"tri3", "tri6", "quad4", "quad4r", "quad4i", "quad8", "quad8r"};
enum { COUNT = sizeof names / sizeof *names, DOFS = 16 };

static const fw_element_ops *element(int k) { return (const fw_element_ops *)fw_table_find(&fw_elements, names[k]); }

static const fw_properties steel = {.E = 7, .nu = 0.3, .rho = 3, .thickness = 0.4};

static void distorted(const fw_element_ops *ops, double *X) {
  const double corners[4][2] = {{0.1, -0.2}, {2.0, 0.1}, {1.7, 1.5}, {-0.3, 1.1}};
  const int n = fw_shape_corners(ops->shape);
  for (int a = 0; a < n; a++) X[2 * a] = corners[a][0], X[2 * a + 1] = corners[a][1];
  for (int a = n; a < ops->nodes; a++)
    for (int i = 0; i < 2; i++)
      X[2 * a + i] = 0.5 * (X[2 * (a - n) + i] + X[2 * ((a - n + 1) % n) + i]) + 0.03 * (a % 3);
}

/* A finite displacement without symmetry. */
static void displace(int dofs, double size, double *q) {
  for (int i = 0; i < dofs; i++) q[i] = size * sin(1.7 * i * i + 0.3);
}

static void each_case(void (*test)(const fw_element_ops *, const fw_properties *, const double *X)) {
  for (int k = 0; k < COUNT; k++)
    for (int finite = 0; finite < 2; finite++)
      for (int strain = 0; strain < 2; strain++) {
        fw_properties props = steel;
        double X[DOFS];
        props.plane_strain = strain;
        props.kinematics = finite ? FW_TOTAL_LAGRANGIAN : FW_LINEAR;
        assert_non_null(element(k));
        distorted(element(k), X);
        assert_null(element(k)->check(&props, X));
        test(element(k), &props, X);
      }
}

static void check_derivatives(const fw_element_ops *ops, const fw_properties *props, const double *X) {
  const int n = fw_element_dofs(ops);
  const double h = 1e-5;
  double q[DOFS] = {0}, f[DOFS], alone[DOFS], fp[DOFS], fm[DOFS], K[DOFS * DOFS], C[DOFS * DOFS];
  displace(n, 0.08, q);
  assert_int_equal(ops->force(props, X, q, NULL, f, K, C), FW_OK);
  assert_int_equal(ops->force(props, X, q, NULL, alone, NULL, NULL), FW_OK);
  for (int j = 0; j < n; j++) {
    const double keep = q[j];
    q[j] = keep + h;
    assert_int_equal(ops->force(props, X, q, NULL, fp, NULL, NULL), FW_OK);
    const double up = ops->energy(props, X, q);
    q[j] = keep - h;
    assert_int_equal(ops->force(props, X, q, NULL, fm, NULL, NULL), FW_OK);
    const double down = ops->energy(props, X, q);
    q[j] = keep;
    assert_near((up - down) / (2 * h), f[j], 1e-9);
    assert_near(alone[j], f[j], 1e-13);
    for (int i = 0; i < n; i++) {
      assert_near(K[i * n + j], (fp[i] - fm[i]) / (2 * h), 1e-8);
      assert_near(K[i * n + j], K[j * n + i], 1e-13);
      assert_near(C[i * n + j], 0, 0);
    }
  }
}

static void tangent_and_force_are_derivatives_of_the_energy(void **unused) {
  (void)unused;
  each_case(check_derivatives);
}

static void check_rotation(const fw_element_ops *ops, const fw_properties *props, const double *X) {
  const int n = fw_element_dofs(ops);
  const bool finite = props->kinematics == FW_TOTAL_LAGRANGIAN;
  const double angle = finite ? 2.1 : 1e-3, c = finite ? cos(angle) : 1, s = finite ? sin(angle) : angle;
  double q[DOFS] = {0}, f[DOFS], out[6];
  for (int a = 0; a < ops->nodes; a++) {
    const double x = X[2 * a], y = X[2 * a + 1];
    q[2 * a] = c * x - s * y - x + 3, q[2 * a + 1] = s * x + c * y - y - 5;
  }
  assert_int_equal(ops->force(props, X, q, NULL, f, NULL, NULL), FW_OK);
  for (int i = 0; i < n; i++) assert_near(f[i], 0, 1e-13);
  assert_near(ops->energy(props, X, q), 0, 1e-13);
  ops->field(props, X, q, (double[2]){0.2, 0.3}, out);
  for (int i = 0; i < 6; i++) assert_near(out[i], 0, 2e-14);
}

static void rigid_motion_is_free(void **unused) {
  (void)unused;
  each_case(check_rotation);
}

/* Turning a deformed element turns its force, whatever the internal modes do. */
static void check_objectivity(const fw_element_ops *ops, const fw_properties *props, const double *X) {
  if (props->kinematics != FW_TOTAL_LAGRANGIAN) return;
  const int n = fw_element_dofs(ops);
  const double c = cos(1.1), s = sin(1.1);
  double q[DOFS] = {0}, t[DOFS], f[DOFS], g[DOFS];
  displace(n, 0.08, q);
  for (int a = 0; a < n; a += 2) {
    const double x = X[a] + q[a], y = X[a + 1] + q[a + 1];
    t[a] = c * x - s * y - X[a], t[a + 1] = s * x + c * y - X[a + 1];
  }
  assert_int_equal(ops->force(props, X, q, NULL, f, NULL, NULL), FW_OK);
  assert_int_equal(ops->force(props, X, t, NULL, g, NULL, NULL), FW_OK);
  for (int a = 0; a < n; a += 2) {
    assert_near(g[a], c * f[a] - s * f[a + 1], 1e-13);
    assert_near(g[a + 1], s * f[a] + c * f[a + 1], 1e-13);
  }
}

static void force_turns_with_the_element(void **unused) {
  (void)unused;
  each_case(check_objectivity);
}

/* Quadrature of the outline gives the area: 1/2 integral (x dy - y dx). */
static double area(const fw_element_ops *ops, const double *X) {
  const fw_rule *rule = fw_shape_corners(ops->shape) == 3 ? &fw_rule_tri6 : &fw_rule_quad9;
  double sum = 0, g[8][2];
  for (int p = 0; p < rule->count; p++)
    sum += rule->point[p][2] * fw_shape_space_gradients(ops->shape, ops->nodes, X, rule->point[p], g);
  return sum;
}

static void check_mass(const fw_element_ops *ops, const fw_properties *given, const double *X) {
  const int n = fw_element_dofs(ops);
  double M[DOFS * DOFS];
  fw_properties props = *given;
  for (int lumped = 0; lumped < 2; lumped++) {
    props.lumped = lumped;
    fw_element_mass_matrix(ops, &props, X, M);
    double total = 0;
    for (int i = 0; i < n; i++) {
      assert_true(M[i * n + i] > 0);
      for (int j = 0; j < n; j++) {
        total += i % 2 == 0 && j % 2 == 0 ? M[i * n + j] : 0;
        if (lumped && i != j) assert_near(M[i * n + j], 0, 0);
      }
    }
    assert_near(total, props.rho * props.thickness * area(ops, X), 1e-13);
  }
}

static void mass_is_kept_and_positive(void **unused) {
  (void)unused;
  each_case(check_mass);
}

/* A homogeneous finite strain: Cauchy stress against F S F^T / J worked out by hand. */
static void check_uniaxial(const fw_element_ops *ops, const fw_properties *props, const double *X) {
  const double stretch = props->kinematics == FW_TOTAL_LAGRANGIAN ? 1.2 : 1 + 1e-3;
  double q[DOFS] = {0}, out[6];
  for (int a = 0; a < ops->nodes; a++) q[2 * a] = (stretch - 1) * X[2 * a];
  ops->field(props, X, q, (double[2]){0.1, 0.4}, out);
  const bool finite = props->kinematics == FW_TOTAL_LAGRANGIAN;
  const double E = props->E, nu = props->nu, e = finite ? 0.5 * (stretch * stretch - 1) : stretch - 1;
  const double d11 = props->plane_strain ? E * (1 - nu) / ((1 + nu) * (1 - 2 * nu)) : E / (1 - nu * nu);
  double J = finite ? stretch : 1;
  if (finite && !props->plane_strain) J *= sqrt(1 - 2 * nu / (1 - nu) * e);
  assert_near(out[3], e, 1e-14);
  assert_near(out[0], d11 * e * (finite ? stretch * stretch : 1) / J, 1e-12);
}

static void uniaxial_strain_has_its_stress(void **unused) {
  (void)unused;
  each_case(check_uniaxial);
}

/* Pressure all round is in balance; on straight edges its work on u = x is -p times the volume. */
static void check_loads(const fw_element_ops *ops, const fw_properties *props, const double *X) {
  double f[DOFS] = {0}, sum[2] = {0}, work = 0, total = 0;
  const int corners = fw_shape_corners(ops->shape), n = ops->nodes;
  for (int e = 0; e < corners; e++) fw_plane_edge_force(ops->shape, props, X, e, (double[2]){0, 0}, 3, f);
  for (int a = 0; a < n; a++) sum[0] += f[2 * a], sum[1] += f[2 * a + 1], work += f[2 * a] * X[2 * a];
  assert_near(sum[0], 0, 1e-14);
  assert_near(sum[1], 0, 1e-14);
  assert_near(work, -3 * props->thickness * area(ops, X), 1e-13);
  double g[DOFS] = {0};
  fw_plane_edge_force(ops->shape, props, X, 0, (double[2]){2, 0}, 0, g);
  for (int a = 0; a < n; a++) total += g[2 * a];
  if (n == corners) assert_near(total, 2 * props->thickness * hypot(X[2] - X[0], X[3] - X[1]), 1e-14);
}

static void distributed_loads_are_in_balance(void **unused) {
  (void)unused;
  each_case(check_loads);
}

/* What the element can represent between its points comes back at the nodes: linear strain on an
 * undistorted quadratic element, constant strain on all. */
static void nodal_fields_are_recovered(void **unused) {
  (void)unused;
  for (int k = 0; k < COUNT; k++) {
    const fw_element_ops *ops = element(k);
    const bool quadratic = ops->nodes > fw_shape_corners(ops->shape);
    double X[DOFS], q[DOFS], values[8 * 6];
    for (int a = 0; a < ops->nodes; a++) {
      fw_shape_node_place(ops->shape, a, X + 2 * a);
      const double x = X[2 * a];
      q[2 * a] = 0.1 * x + (quadratic ? 0.3 * x * x : 0), q[2 * a + 1] = 0;
    }
    fw_element_recover(ops, &steel, X, q, values);
    for (int a = 0; a < ops->nodes; a++) assert_near(values[6 * a + 3], 0.1 + (quadratic ? 0.6 * X[2 * a] : 0), 1e-14);
  }
}

static void bad_shapes_are_refused_with_a_reason(void **unused) {
  (void)unused;
  for (int k = 0; k < COUNT; k++) {
    const fw_element_ops *ops = element(k);
    double X[DOFS], flipped[DOFS];
    distorted(ops, X);
    for (int i = 0; i < 2 * ops->nodes; i++) flipped[i] = i % 2 ? X[i] : -X[i];
    assert_non_null(strstr(fw_element_flaw(ops, &steel, flipped), "clockwise"));
    for (int i = 0; i < ops->nodes; i++) flipped[2 * i] = X[2 * i], flipped[2 * i + 1] = 2 * X[2 * i];
    assert_non_null(strstr(fw_element_flaw(ops, &steel, flipped), "degenerate"));
    fw_properties props = steel;
    props.thickness = 0;
    assert_non_null(strstr(fw_element_flaw(ops, &props, X), "thickness"));
    props = steel, props.nu = 0.5, props.plane_strain = true;
    assert_non_null(strstr(fw_element_flaw(ops, &props, X), "nu"));
    X[3] = NAN;
    assert_non_null(strstr(fw_element_flaw(ops, &steel, X), "finite"));
  }
  const double bowtie[8] = {0, 0, 1, 0, 0, 1, 1, 1};
  assert_non_null(strstr(element(2)->check(&steel, bowtie), "folded"));
}

static void turned_inside_out_is_recoverable(void **unused) {
  (void)unused;
  fw_properties props = steel;
  props.kinematics = FW_TOTAL_LAGRANGIAN;
  for (int k = 0; k < COUNT; k++) {
    double X[DOFS], q[DOFS], f[DOFS];
    distorted(element(k), X);
    for (int i = 0; i < 2 * element(k)->nodes; i++) q[i] = i % 2 ? 0 : -2 * X[i];
    assert_int_equal(element(k)->force(&props, X, q, NULL, f, NULL, NULL), FW_RECOVER_ELEMENT);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tangent_and_force_are_derivatives_of_the_energy),
      cmocka_unit_test(rigid_motion_is_free),
      cmocka_unit_test(force_turns_with_the_element),
      cmocka_unit_test(mass_is_kept_and_positive),
      cmocka_unit_test(uniaxial_strain_has_its_stress),
      cmocka_unit_test(distributed_loads_are_in_balance),
      cmocka_unit_test(nodal_fields_are_recovered),
      cmocka_unit_test(bad_shapes_are_refused_with_a_reason),
      cmocka_unit_test(turned_inside_out_is_recoverable),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
