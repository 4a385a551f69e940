/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/assembly/constraints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "elements/joint.h"

/* ---- all equations ----------------------------------------------------------------------- */

static void put(double *list, int i, double value) {
  if (list) list[i] = value;
}

void fw_constraints_find(const fw_model *model, const double *q, const double *v, double t, const fw_constraints *out) {
  for (int j = 0; j < model->joint_count; j++) {
    const fw_joint *joint = &model->joints[j];
    for (int e = 0; e < joint->ops->equations; e++) {
      fw_joint_equation equation;
      fw_joint_equation_find(model, joint, e, q, v, t, &equation);
      put(out->phi, joint->first + e, equation.phi);
      put(out->phi_t, joint->first + e, equation.phi_t);
      put(out->rate, joint->first + e, equation.rate);
      put(out->bend, joint->first + e, equation.bend);
    }
  }
  for (int i = 0; i < model->tie_count; i++) {
    const fw_tie *tie = &model->ties[i];
    put(out->phi, tie->first, fw_functional_value(&tie->form, q));
    put(out->phi_t, tie->first, 0.0);
    put(out->rate, tie->first, v ? fw_functional_value(&tie->form, v) : 0.0);
    put(out->bend, tie->first, 0.0);
  }
}

const fw_joint *fw_constraints_joint(const fw_model *model, int equation) {
  for (int j = 0; j < model->joint_count; j++) {
    const fw_joint *joint = &model->joints[j];
    if (equation >= joint->first && equation < joint->first + joint->ops->equations) return joint;
  }
  return NULL;
}

double fw_constraints_scale(const fw_model *model) {
  double most = 0.0;
  for (int n = 1; n < model->node_count; n++)
    most = fmax(most, fw_node_distance(model, &model->nodes[n], &model->nodes[0]));
  for (int j = 0; j < model->joint_count; j++)
    most = fmax(most, hypot(model->joints[j].a.arm[0], model->joints[j].a.arm[1]));
  return most > 0.0 ? most : 1.0;
}

double fw_constraints_worst(const double *values, int count, int *where) {
  double most = 0.0;
  for (int i = 0; i < count; i++) {
    double size = isfinite(values[i]) ? fabs(values[i]) : INFINITY;
    if (size <= most) continue;
    most = size;
    if (where) *where = i;
  }
  return most;
}

/* ---- redundancy -------------------------------------------------------------------------- */

/* Rows that were reduced, each with the column of its pivot; Gaussian elimination row by row. */
typedef struct reduced_row {
  int pivot, count;
  int *column;
  double *value;
} reduced_row;

static double largest_entry(const double *row, int n, int *where) {
  double most = 0.0;
  for (int i = 0; i < n; i++)
    if (fabs(row[i]) > most) {
      most = fabs(row[i]);
      *where = i;
    }
  return most;
}

static void reduce(const reduced_row *rows, int count, double *row) {
  for (int r = 0; r < count; r++) {
    double factor = row[rows[r].pivot];
    if (factor == 0.0) continue;
    for (int i = 0; i < rows[r].count; i++) row[rows[r].column[i]] -= factor * rows[r].value[i];
    row[rows[r].pivot] = 0.0;
  }
}

static fw_status keep(fw_context *ctx, const double *row, int n, int pivot, reduced_row *kept) {
  int count = 0;
  for (int i = 0; i < n; i++) count += row[i] != 0.0;
  FW_TRY(fw_alloc(ctx, (size_t)count, sizeof *kept->column, &kept->column));
  FW_TRY(fw_alloc(ctx, (size_t)count, sizeof *kept->value, &kept->value));
  kept->pivot = pivot;
  for (int i = 0; i < n; i++) {
    if (row[i] == 0.0) continue;
    kept->column[kept->count] = i;
    kept->value[kept->count++] = row[i] / row[pivot];
  }
  return FW_OK;
}

fw_status fw_constraints_redundant(fw_context *ctx, const fw_model *model, const double *q, double t) {
  static const double negligible = 1e-9; /* of a row's largest entry */
  fw_status status = FW_OK, worst = FW_OK;
  reduced_row *rows = NULL;
  double *row = NULL;
  int count = 0, n = model->dof_count;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)model->constraint_count + 1, sizeof *rows, &rows));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)n, sizeof *row, &row));
  for (int j = 0; j < model->joint_count; j++) {
    const fw_joint *joint = &model->joints[j];
    int surplus = 0;
    for (int e = 0; e < joint->ops->equations; e++) {
      int pivot = 0;
      fw_joint_equation equation;
      fw_joint_equation_find(model, joint, e, q, NULL, t, &equation);
      memset(row, 0, (size_t)n * sizeof *row);
      for (int k = 0; k < FW_JOINT_DOFS; k++)
        if (equation.dof[k] >= 0) row[equation.dof[k]] += equation.G[k];
      double size = largest_entry(row, n, &pivot);
      reduce(rows, count, row);
      if (largest_entry(row, n, &pivot) <= negligible * size)
        surplus++;
      else
        FW_TRY_DONE(keep(ctx, row, n, pivot, &rows[count++]));
    }
    if (surplus)
      worst = fw_fail_at(ctx, FW_ERR_DECK, joint->place,
                         "joint \"%s\" is redundant: %d of its %d equations follow from supports and the joints before "
                         "it; use a joint that holds less, or remove it",
                         joint->id, surplus, joint->ops->equations);
  }
  status = worst;
done:
  for (int r = 0; rows && r < count; r++) {
    free(rows[r].column);
    free(rows[r].value);
  }
  free(rows);
  free(row);
  return status;
}
