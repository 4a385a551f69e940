/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/rigid_motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "solver/assembly/linearised.h"
#include "solver/hb/shapes.h"

static const double ROUNDING = 1e-12; /* of a sum of products */
static const double SOFT = 1e-6;      /* of the highest frequency: below, it is worth looking */

/* x^T K x over the sum of the sizes of its products: rounding of it for a motion that nothing resists. */
static double resistance(const fw_sparse *K, const double *x, int n) {
  double sum = 0, size = 0;
  for (int j = 0; j < n; j++)
    for (int64_t k = K->p[j]; k < K->p[j + 1]; k++) {
      if (K->i[k] >= n) continue;
      double product = x[j] * K->x[k] * x[K->i[k]];
      sum += product;
      size += fabs(product);
    }
  return size > 0 ? sum / size : 0;
}

/* The displacement or rotation that is largest. */
static int farthest(const fw_model *model, const double *x, bool turning) {
  int most = -1;
  for (int n = 0; n < model->node_count; n++)
    for (int k = 0; k < fw_node_dofs(&model->nodes[n]); k++) {
      int dof = model->nodes[n].dof[k];
      if (dof >= 0 && fw_dof_turns(k) == turning && (most < 0 || fabs(x[dof]) > fabs(x[most]))) most = dof;
    }
  return most;
}

/* A displacement, unless the motion is a rotation in place. */
static int tell_motion(const fw_model *model, const double *x) {
  int moves = farthest(model, x, false), turns = farthest(model, x, true);
  bool in_place = moves < 0 || (turns >= 0 && fabs(x[moves]) < 1e-9 * fabs(x[turns]));
  return in_place ? turns : moves;
}

static fw_status refuse(fw_context *ctx, const fw_system *system, const double *x, double resisted, const char *what) {
  char where[160];
  fw_system_describe(system, tell_motion(system->model, x), where, sizeof where);
  if (resisted < -ROUNDING)
    return fw_fail(ctx, FW_ERR_ANALYSIS, "%s: the state is unstable, %s moves away from it", what, where);
  return fw_fail(ctx, FW_ERR_ANALYSIS, "%s: nothing resists %s, a rigid motion, not a vibration", what, where);
}

/* The model linearised with its contact stuck. */
typedef struct stuck {
  fw_system *system;
  fw_linearised *linear;
} stuck;

static fw_status stuck_create(fw_context *ctx, const fw_model *model, const fw_state *state, stuck *s) {
  *s = (stuck){0};
  FW_TRY(fw_system_create(ctx, model, &s->system));
  return fw_linearise(ctx, s->system, state, FW_VIEW_STICK, &s->linear);
}

static void stuck_clear(stuck *s) {
  fw_linearised_destroy(&s->linear);
  fw_system_destroy(&s->system);
}

static fw_status look(fw_context *ctx, const fw_vibration *v, const fw_motion_shape *shape, int mode) {
  fw_status status = FW_OK;
  stuck s = {0};
  double *x = NULL;
  char what[32];
  FW_TRY_DONE(fw_alloc(ctx, (size_t)v->model->dof_count, sizeof *x, &x));
  FW_TRY_DONE(stuck_create(ctx, v->model, v->start, &s));
  fw_shape_expand(&v->reduced, shape, x);
  double resisted = resistance(s.linear->K, x, v->model->dof_count);
  snprintf(what, sizeof what, "mode %d", mode);
  if (resisted < ROUNDING) status = refuse(ctx, s.system, x, resisted, what);
done:
  stuck_clear(&s);
  free(x);
  return status;
}

/* Of the lowest modes the one that is resisted least. */
fw_status fw_rigid_motion_explain(fw_context *ctx, const fw_model *model, const fw_state *state) {
  enum { LOOKED_AT = 6 };
  fw_status status = FW_OK;
  stuck s = {0};
  int n = model->dof_count, count = n < LOOKED_AT ? n : LOOKED_AT, found = 0, least = 0;
  double values[LOOKED_AT], resisted[LOOKED_AT], *x = NULL;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)count * (size_t)n, sizeof *x, &x));
  FW_TRY_DONE(stuck_create(ctx, model, state, &s));
  FW_TRY_DONE(fw_system_modes(ctx, s.system, s.linear->K, s.linear->M, count, values, x, &found));
  for (int i = 0; i < found; i++) {
    resisted[i] = resistance(s.linear->K, x + (size_t)i * (size_t)n, n);
    if (resisted[i] < resisted[least]) least = i;
  }
  status = FW_ERR_SINGULAR;
  if (found == 0 || resisted[least] >= ROUNDING) goto done;
  fw_context_clear(ctx);
  status = refuse(ctx, s.system, x + (size_t)least * (size_t)n, resisted[least], "harmonic balance");
done:
  stuck_clear(&s);
  free(x);
  return status;
}

static double highest_frequency(const fw_reduced *r) {
  double highest = 0;
  for (int j = 0; j < r->modes + r->rest; j++)
    if (isfinite(r->frequency[j])) highest = fmax(highest, r->frequency[j]);
  return highest;
}

fw_status fw_rigid_motion_refuse(fw_context *ctx, const fw_vibration *v, int mode, double omega) {
  if (omega > SOFT && omega > SOFT * highest_frequency(&v->reduced)) return FW_OK;
  fw_motion_shape shape = {0};
  fw_status status = fw_shape_init(ctx, &v->reduced, &shape);
  if (status == FW_OK) status = fw_shape_of_mode(ctx, v, mode, &omega, &shape);
  if (status == FW_OK) status = look(ctx, v, &shape, mode);
  fw_shape_clear(&shape);
  return status;
}
