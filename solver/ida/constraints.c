/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/ida/constraints.h"

#include <string.h>

#include "elements/joint.h"

/* ---- joints ------------------------------------------------------------------------------ */

/* One equation of a joint at (t, q): its value, time derivatives and gradients by the six freedoms of its nodes. */
typedef struct fw_joint_row {
  int dof[FW_JOINT_DOFS]; /* -1: not free */
  double q[FW_JOINT_DOFS], v[FW_JOINT_DOFS], a[FW_JOINT_DOFS];
  double phi, phi_t, phi_tt, G[FW_JOINT_DOFS], H[FW_JOINT_DOFS * FW_JOINT_DOFS];
} fw_joint_row;

static fw_joint_row joint_row(const fw_dae *dae, const fw_joint *joint, int equation, double t, const double *y,
                              const double *y_dot) {
  static const double origin[2] = {0.0, 0.0};
  const fw_model *model = dae->model;
  fw_joint_row row = {0};
  double unit[FW_JOINT_EQUATIONS] = {0}, phi[FW_JOINT_EQUATIONS], phi_t[FW_JOINT_EQUATIONS] = {0};
  double G[FW_JOINT_EQUATIONS * FW_JOINT_DOFS];
  for (int k = 0; k < FW_JOINT_DOFS; k++) {
    int node = k < 3 ? joint->a.node : joint->b.node;
    row.dof[k] = node >= 0 && model->nodes[node].dof[k % 3] >= 0 ? model->nodes[node].dof[k % 3] : -1;
    if (row.dof[k] < 0) continue;
    row.q[k] = y[row.dof[k]];
    row.v[k] = y[dae->n + row.dof[k]];
    row.a[k] = y_dot[dae->n + row.dof[k]];
  }
  unit[equation] = 1.0;
  joint->ops->constraint(joint, model->nodes[joint->a.node].x,
                         joint->b.node >= 0 ? model->nodes[joint->b.node].x : origin, row.q, row.q + 3, t, unit, phi,
                         phi_t, G, row.H);
  memcpy(row.G, G + equation * FW_JOINT_DOFS, sizeof row.G);
  row.phi = phi[equation];
  row.phi_t = phi_t[equation];
  row.phi_tt = joint->ops->acceleration ? joint->ops->acceleration(joint->constants, t) : 0.0;
  return row;
}

/* phi' = G v + phi_t and phi'' = G v' + v^T phi_qq v + phi_tt of each joint. */
static void joint_residuals(fw_dae *dae, double t, const double *y, const double *y_dot, double *F) {
  for (int j = 0; j < dae->model->joint_count; j++) {
    const fw_joint *joint = &dae->model->joints[j];
    for (int e = 0; e < joint->ops->equations; e++) {
      fw_joint_row row = joint_row(dae, joint, e, t, y, y_dot);
      double rate = row.phi_t, acceleration = row.phi_tt;
      for (int k = 0; k < FW_JOINT_DOFS; k++) {
        rate += row.G[k] * row.v[k];
        acceleration += row.G[k] * row.a[k];
        for (int l = 0; l < FW_JOINT_DOFS; l++) acceleration += row.v[k] * row.H[k * FW_JOINT_DOFS + l] * row.v[l];
      }
      F[dae->lambda_at + joint->first + e] = fw_dae_held(dae, acceleration, rate, row.phi);
    }
  }
}

static void joint_jacobian(fw_dae *dae, double t, double c, const double *y, const double *y_dot) {
  double k = dae->stabilisation;
  for (int j = 0; j < dae->model->joint_count; j++) {
    const fw_joint *joint = &dae->model->joints[j];
    for (int e = 0; e < joint->ops->equations; e++) {
      fw_joint_row row = joint_row(dae, joint, e, t, y, y_dot);
      int64_t at = dae->lambda_at + joint->first + e;
      for (int i = 0; i < FW_JOINT_DOFS; i++) {
        if (row.dof[i] < 0) continue;
        double by_v = (c + 2.0 * k) * row.G[i], by_q = k * k * row.G[i];
        for (int l = 0; l < FW_JOINT_DOFS; l++) {
          by_v += 2.0 * row.H[i * FW_JOINT_DOFS + l] * row.v[l];
          by_q += row.H[i * FW_JOINT_DOFS + l] * (row.a[l] + 2.0 * k * row.v[l]);
        }
        fw_dae_put(dae, at, dae->n + row.dof[i], by_v);
        fw_dae_put(dae, at, row.dof[i], by_q);
      }
    }
  }
}

/* ---- ties -------------------------------------------------------------------------------- */

static void tie_residuals(fw_dae *dae, const double *y, const double *y_dot, double *F) {
  for (int i = 0; i < dae->model->tie_count; i++) {
    const fw_tie *tie = &dae->model->ties[i];
    F[dae->lambda_at + tie->first] =
        fw_dae_held(dae, fw_functional_value(&tie->form, y_dot + dae->n), fw_functional_value(&tie->form, y + dae->n),
                    fw_functional_value(&tie->form, y));
  }
}

static void tie_jacobian(fw_dae *dae, double c) {
  double k = dae->stabilisation;
  for (int i = 0; i < dae->model->tie_count; i++) {
    const fw_tie *tie = &dae->model->ties[i];
    for (int j = 0; j < tie->form.count; j++) {
      fw_dae_put(dae, dae->lambda_at + tie->first, dae->n + tie->form.dof[j], (c + 2.0 * k) * tie->form.weight[j]);
      fw_dae_put(dae, dae->lambda_at + tie->first, tie->form.dof[j], k * k * tie->form.weight[j]);
    }
  }
}

/* ---- both -------------------------------------------------------------------------------- */

void fw_constraints_residual(fw_dae *dae, double t, const double *y, const double *y_dot, double *F) {
  joint_residuals(dae, t, y, y_dot, F);
  tie_residuals(dae, y, y_dot, F);
}

void fw_constraints_jacobian(fw_dae *dae, double t, double c, const double *y, const double *y_dot) {
  joint_jacobian(dae, t, c, y, y_dot);
  tie_jacobian(dae, c);
}
