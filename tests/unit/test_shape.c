/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmocka_all.h"

#include <math.h>

#include "elements/shape.h"

static const fw_shape shapes[] = {FW_SHAPE_TRI3, FW_SHAPE_TRI6, FW_SHAPE_QUAD4, FW_SHAPE_QUAD8};

static void is_one_at_its_own_node_and_sums_to_one(void **unused) {
  (void)unused;
  for (int k = 0; k < 4; k++) {
    const int n = fw_shape_nodes(shapes[k]);
    for (int a = 0; a < n; a++) {
      double xi[2], N[8] = {0}, sum = 0;
      fw_shape_node_place(shapes[k], a, xi);
      fw_shape_values(shapes[k], xi, N);
      for (int b = 0; b < n; b++) assert_near(N[b], a == b, 1e-15), sum += N[b];
      assert_near(sum, 1, 1e-15);
    }
  }
}

static void gradients_are_the_derivatives(void **unused) {
  (void)unused;
  const double xi[2] = {0.23, 0.31}, h = 1e-6;
  for (int k = 0; k < 4; k++) {
    double d[8][2] = {{0}}, plus[8] = {0}, minus[8] = {0};
    fw_shape_gradients(shapes[k], xi, d);
    for (int j = 0; j < 2; j++) {
      double p[2] = {xi[0], xi[1]}, m[2] = {xi[0], xi[1]};
      p[j] += h, m[j] -= h;
      fw_shape_values(shapes[k], p, plus);
      fw_shape_values(shapes[k], m, minus);
      for (int a = 0; a < fw_shape_nodes(shapes[k]); a++) assert_near(d[a][j], (plus[a] - minus[a]) / (2 * h), 1e-9);
    }
  }
}

static double factorial(int n) { return tgamma(n + 1); }

static double integrate(const fw_rule *rule, int i, int j) {
  double sum = 0;
  for (int p = 0; p < rule->count; p++)
    sum += rule->point[p][2] * pow(rule->point[p][0], i) * pow(rule->point[p][1], j);
  return sum;
}

static void triangle_rules_integrate_their_degree(void **unused) {
  (void)unused;
  const struct {
    const fw_rule *rule;
    int degree;
  } rules[] = {{&fw_rule_tri1, 1}, {&fw_rule_tri3, 2}, {&fw_rule_tri6, 4}};
  for (int k = 0; k < 3; k++)
    for (int i = 0; i <= rules[k].degree; i++)
      for (int j = 0; i + j <= rules[k].degree; j++)
        assert_near(integrate(rules[k].rule, i, j), factorial(i) * factorial(j) / factorial(i + j + 2), 1e-15);
}

static void gauss_rules_integrate_their_degree(void **unused) {
  (void)unused;
  const fw_rule *rules[] = {&fw_rule_quad1, &fw_rule_quad4, &fw_rule_quad9};
  for (int k = 0; k < 3; k++)
    for (int i = 0; i <= 2 * k + 1; i++)
      for (int j = 0; j <= 2 * k + 1; j++)
        assert_near(integrate(rules[k], i, j), (i % 2 ? 0 : 2.0 / (i + 1)) * (j % 2 ? 0 : 2.0 / (j + 1)), 1e-14);
}

static void edges_join_their_nodes(void **unused) {
  (void)unused;
  for (int k = 0; k < 4; k++)
    for (int e = 0; e < fw_shape_corners(shapes[k]); e++) {
      int nodes[3];
      fw_shape_edge(shapes[k], e, nodes);
      const double s[3] = {-1, 1, 0};
      for (int i = 0; i < 3 && nodes[i] >= 0; i++) {
        double at[2], node[2];
        fw_shape_edge_place(shapes[k], e, s[i], at);
        fw_shape_node_place(shapes[k], nodes[i], node);
        assert_near(at[0], node[0], 0);
        assert_near(at[1], node[1], 0);
      }
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(is_one_at_its_own_node_and_sums_to_one),
      cmocka_unit_test(gradients_are_the_derivatives),
      cmocka_unit_test(triangle_rules_integrate_their_degree),
      cmocka_unit_test(gauss_rules_integrate_their_degree),
      cmocka_unit_test(edges_join_their_nodes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
