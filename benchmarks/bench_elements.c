/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Force and tangent of one element of every kind and kinematics. */
#include "bench.h"
#include "elements/element.h"

typedef struct case_ {
  const fw_element_ops *ops;
  fw_properties props;
  double X[2 * FW_ELEMENT_NODES], q[FW_ELEMENT_DOFS];
  double f[FW_ELEMENT_DOFS], K[FW_ELEMENT_DOFS * FW_ELEMENT_DOFS];
} case_;

/* A slightly distorted element of each shape, sides of about 10 mm. */
static const double places[][2 * FW_ELEMENT_NODES] = {
    [FW_SHAPE_LINE] = {0, 0, 0.010, 0.001},
    [FW_SHAPE_TRI3] = {0, 0, 0.010, 0.001, 0.002, 0.009},
    [FW_SHAPE_TRI6] = {0, 0, 0.010, 0.001, 0.002, 0.009, 0.005, 0.0005, 0.006, 0.005, 0.001, 0.0045},
    [FW_SHAPE_QUAD4] = {0, 0, 0.010, 0.001, 0.011, 0.010, 0.001, 0.009},
    [FW_SHAPE_QUAD8] = {0, 0, 0.010, 0.001, 0.011, 0.010, 0.001, 0.009, 0.005, 0.0005, 0.0105, 0.0055, 0.006, 0.0095,
                        0.0005, 0.0045},
};

static void evaluate(void *user) {
  case_ *c = user;
  (void)c->ops->force(&c->props, c->X, c->q, NULL, c->f, c->K, NULL);
}

int main(void) {
  static const char *const kinematics[] = {"linear", "von-karman", "corotational", "total-lagrangian"};
  for (const fw_entry *const *entry = fw_elements.entries; *entry; entry++) {
    const fw_element_ops *ops = (const fw_element_ops *)*entry;
    if (ops->shape == FW_SHAPE_POINT) continue; /* springs and masses cost nothing */
    for (unsigned k = 0; k < sizeof kinematics / sizeof *kinematics; k++) {
      if (!(ops->kinematics & 1u << k)) continue;
      case_ c = {.ops = ops,
                 .props = {.E = 210e9,
                           .nu = 0.3,
                           .rho = 7800,
                           .A = 1.85e-4,
                           .I = 3.5e-10,
                           .kappa = 0.85,
                           .height = 4.76e-3,
                           .thickness = 38.88e-3,
                           .kinematics = (fw_kinematics)k}};
      for (int i = 0; i < 2 * ops->nodes; i++) c.X[i] = places[ops->shape][i];
      for (int i = 0; i < fw_element_dofs(ops); i++) c.q[i] = 1e-5 * (i % 5 - 2);
      bench_print("element", ops->entry.name, kinematics[k], 1e9 * bench_seconds(evaluate, &c), "ns/tangent");
    }
  }
  return 0;
}
