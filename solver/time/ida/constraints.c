/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/time/ida/dae.h"

#include "elements/joint.h"

/* ---- joints ------------------------------------------------------------------------------ */

/* phi'' = G v' + v^T phi_qq v + phi_tt of each joint. */
static void joint_residuals(fw_dae *dae, double t, const double *y, const double *y_dot, double *F) {
  for (int j = 0; j < dae->model->joint_count; j++) {
    const fw_joint *joint = &dae->model->joints[j];
    for (int e = 0; e < joint->ops->equations; e++) {
      fw_joint_equation row;
      fw_joint_equation_find(dae->model, joint, e, y, y + dae->n, t, &row);
      double acceleration = row.bend;
      for (int k = 0; k < FW_JOINT_DOFS; k++)
        if (row.dof[k] >= 0) acceleration += row.G[k] * y_dot[dae->n + row.dof[k]];
      F[dae->lambda_at + joint->first + e] = fw_dae_held(dae, acceleration, row.rate, row.phi);
    }
  }
}

static void joint_jacobian(fw_dae *dae, double t, double c, const double *y, const double *y_dot) {
  double k = dae->stabilisation, a[FW_JOINT_DOFS];
  for (int j = 0; j < dae->model->joint_count; j++) {
    const fw_joint *joint = &dae->model->joints[j];
    for (int e = 0; e < joint->ops->equations; e++) {
      fw_joint_equation row;
      int64_t at = dae->lambda_at + joint->first + e;
      fw_joint_equation_find(dae->model, joint, e, y, y + dae->n, t, &row);
      fw_joint_gather(row.dof, y_dot + dae->n, a);
      for (int i = 0; i < FW_JOINT_DOFS; i++) {
        if (row.dof[i] < 0) continue;
        double by_v = (c + 2.0 * k) * row.G[i], by_q = k * k * row.G[i];
        for (int l = 0; l < FW_JOINT_DOFS; l++) {
          by_v += 2.0 * row.H[i * FW_JOINT_DOFS + l] * row.v[l];
          by_q += row.H[i * FW_JOINT_DOFS + l] * (a[l] + 2.0 * k * row.v[l]);
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
