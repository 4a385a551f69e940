/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/normal/normal.h"

#include <math.h>
#include <stdlib.h>

#include "contact/normal/damped.h"

#define FW_NORMAL(name) extern const fw_normal_ops fw_normal_##name;
#include "contact/normal/normals.def"
#undef FW_NORMAL

static const fw_entry *const entries[] = {
#define FW_NORMAL(name) &fw_normal_##name.entry,
#include "contact/normal/normals.def"
#undef FW_NORMAL
    NULL};

const fw_table fw_normals = {"normal", "normal laws: force against penetration", entries};

static fw_status pack(fw_context *ctx, const fw_args *args, fw_normal *normal) {
  const fw_normal_ops *ops = normal->ops;
  const int count = fw_param_count(ops->entry.params);
  if (!ops->pack) {
    FW_TRY(fw_alloc(ctx, (size_t)count, sizeof *normal->constants, &normal->constants));
    normal->constant_count = count;
    for (int i = 0; i < count; i++) normal->constants[i] = args->values[i].count ? args->values[i].numbers[0] : 0.0;
    return FW_OK;
  }
  fw_given *given = NULL;
  FW_TRY(fw_alloc(ctx, (size_t)count, sizeof *given, &given));
  for (int i = 0; i < count; i++)
    given[i] = (fw_given){.count = args->values[i].count, .values = args->values[i].numbers};
  normal->constant_count = ops->pack(given, NULL);
  const fw_status status = fw_alloc(ctx, (size_t)normal->constant_count, sizeof *normal->constants, &normal->constants);
  if (status == FW_OK) ops->pack(given, normal->constants);
  free(given);
  return status;
}

fw_status fw_normal_create(fw_context *ctx, const fw_normal_ops *ops, const fw_args *args, fw_enforcement enforcement,
                           fw_normal *normal) {
  *normal = (fw_normal){.ops = ops, .enforcement = enforcement};
  FW_TRY(pack(ctx, args, normal));
  const char *wrong = ops->check ? ops->check(normal->constants) : NULL;
  if (wrong) {
    fw_normal_clear(normal);
    return fw_fail_at(ctx, FW_ERR_DECK, args->place, "normal law '%s': %s", ops->entry.name, wrong);
  }
  if (!ops->force) {
    normal->restitution = normal->constants[0];
    normal->penalty = normal->constants[1];
  }
  return FW_OK;
}

void fw_normal_clear(fw_normal *normal) {
  if (!normal) return;
  free(normal->constants);
  *normal = (fw_normal){0};
}

bool fw_normal_is_rigid(const fw_normal *normal) { return !normal->ops->force && normal->enforcement != FW_PENALTY; }

void fw_normal_damped(double F, double F_d, double energy, double chi, double rate, fw_normal_out *out) {
  const double factor = 1.0 - chi * rate;
  const bool pulls = factor < 0.0;
  out->elastic = F;
  out->energy = energy;
  out->N = pulls ? 0.0 : F * factor;
  out->N_gap = pulls ? 0.0 : -F_d * factor;
  out->N_rate = pulls ? 0.0 : -F * chi;
}

/* Hard contact by penalty: a linear law without damping. */
static void penalty_force(double stiffness, double gap, fw_normal_out *out) {
  const double d = fmax(-gap, 0.0);
  fw_normal_damped(stiffness * d, d > 0.0 ? stiffness : 0.0, 0.5 * stiffness * d * d, 0.0, 0.0, out);
}

void fw_normal_force(const fw_normal *normal, double gap, double rate, fw_normal_out *out) {
  if (normal->ops->force)
    normal->ops->force(normal->constants, gap, rate, out);
  else
    penalty_force(normal->penalty, gap, out);
}
