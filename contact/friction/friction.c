/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/friction/friction.h"

#include <stdlib.h>

#include "contact/friction/derived.h"
#include "contact/friction/law.h"
#include "core/formula.h"

/* Only the limit face is there: stick is a constraint or elastic. */
static bool is_set_valued(const fw_friction_ops *ops) { return ops && ops->limit && !ops->step && !ops->rate; }

bool fw_friction_is_elastic(const fw_friction *friction) {
  return is_set_valued(friction->ops) && friction->stick.enforcement == FW_PENALTY;
}

bool fw_friction_is_rigid(const fw_friction *friction) {
  return is_set_valued(friction->ops) && friction->stick.enforcement != FW_PENALTY;
}

bool fw_friction_uncoupled(const fw_friction *friction) {
  for (int i = 0; i < friction->part_count; i++)
    if (!fw_friction_uncoupled(&friction->parts[i])) return false;
  if (friction->part_count) return true;
  return fw_friction_is_elastic(friction) || friction->ops->uncoupled || friction->states == 0;
}

/* ---- constants --------------------------------------------------------------------------- */

static fw_status pack_plain(fw_context *ctx, const fw_args *args, int count, fw_friction *friction) {
  FW_TRY(fw_alloc(ctx, (size_t)count, sizeof *friction->constants, &friction->constants));
  friction->constant_count = count;
  for (int i = 0; i < count; i++) friction->constants[i] = args->values[i].count ? args->values[i].numbers[0] : NAN;
  return FW_OK;
}

static fw_status pack_own(fw_context *ctx, const fw_args *args, int count, fw_friction *friction) {
  const fw_friction_ops *ops = friction->ops;
  fw_given *given = NULL;
  FW_TRY(fw_alloc(ctx, (size_t)count, sizeof *given, &given));
  for (int i = 0; i < count; i++) {
    const fw_value *value = &args->values[i];
    given[i] = (fw_given){value->count, value->numbers, value->formula, value->given};
  }
  friction->constant_count = ops->pack(given, NULL);
  fw_status status = fw_alloc(ctx, (size_t)friction->constant_count, sizeof *friction->constants, &friction->constants);
  if (status == FW_OK) ops->pack(given, friction->constants);
  free(given);
  return status;
}

/* Formulas live as long as the law that asks them. */
static fw_status hold_formulas(fw_context *ctx, const fw_args *args, int count, fw_friction *friction) {
  int formulas = 0;
  for (int i = 0; i < count; i++) formulas += args->values[i].formula != NULL;
  if (formulas == 0) return FW_OK;
  FW_TRY(fw_alloc(ctx, (size_t)formulas, sizeof(fw_formula *), &friction->formulas));
  for (int i = 0; i < count; i++)
    if (args->values[i].formula)
      friction->formulas[friction->formula_count++] = fw_formula_share(args->values[i].formula);
  return FW_OK;
}

static fw_status friction_check(fw_context *ctx, const fw_friction *friction, fw_place place) {
  const fw_friction_ops *ops = friction->ops;
  const char *name = ops->entry.name, *wrong = ops->check ? ops->check(friction->constants) : NULL;
  if (wrong) return fw_fail_at(ctx, FW_ERR_DECK, place, "friction law '%s': %s", name, wrong);
  if (friction->states < 0)
    return fw_fail_at(ctx, FW_ERR_DECK, place, "friction law '%s' says that it has %d states", name, friction->states);
  if (fw_friction_is_elastic(friction) && !(friction->stick.u_crit > 0.0))
    return fw_fail_at(ctx, FW_ERR_DECK, place, "friction law '%s': elastic stick needs u-crit > 0", name);
  if (!ops->step && ops->rate && friction->states > FW_RATE_STATES)
    return fw_fail_at(ctx, FW_ERR_DECK, place, "friction law '%s': more than %d states need an own step", name,
                      FW_RATE_STATES);
  return FW_OK;
}

/* A law without a step of its own tells its damping at rest by its rate face. */
static double rate_damping(const fw_friction *friction, double N, const double *fresh) {
  double zdot[FW_RATE_STATES], zdot_z[FW_RATE_STATES * FW_RATE_STATES], zdot_v[FW_RATE_STATES], zdot_N[FW_RATE_STATES],
      T_z[FW_RATE_STATES];
  fw_rate_out out = {.zdot = zdot, .zdot_z = zdot_z, .zdot_v = zdot_v, .zdot_N = zdot_N, .T_z = T_z};
  fw_friction_rate(friction, &(fw_rate_in){.N = N}, fresh, &out);
  return out.T_v;
}

/* a[0] + a[1] N from its values at N = 1 and 2. */
static void set_affine(const double value[2], double a[2]) {
  a[1] = value[1] - value[0];
  a[0] = value[0] - a[1];
}

/* Every law's stiffness and damping at rest are affine in N: of the law's own, or proportional to N. Two normal forces
 * tell both. */
static fw_status find_stiffness(fw_context *ctx, fw_friction *friction) {
  if (fw_friction_is_rigid(friction)) return FW_OK;
  size_t n = (size_t)friction->states;
  double *memory, T_x[FW_STEP_INPUTS], slope[2], damping[2];
  FW_TRY(fw_alloc(ctx, n * (n + FW_STEP_INPUTS + 3), sizeof *memory, &memory));
  fw_step_out out = {.z = memory, .T_z = memory + n, .z_x = memory + 2 * n, .T_x = T_x};
  double *fresh = out.z_x + n * FW_STEP_INPUTS;
  out.z_z = fresh + n;
  fw_friction_reset(friction, fresh);
  for (int i = 0; i < 2; i++) {
    fw_friction_step(friction, &(fw_step_in){.x = {0.0, 0.0, 0.0, i + 1.0, i + 1.0}}, fresh, &out);
    slope[i] = T_x[FW_STEP_DU];
    bool by_rate = friction->ops->rate && !friction->ops->step;
    damping[i] = by_rate ? rate_damping(friction, i + 1.0, fresh) : T_x[FW_STEP_V1];
  }
  free(memory);
  set_affine(slope, friction->stiffness);
  set_affine(damping, friction->damping);
  return FW_OK;
}

double fw_friction_stick_stiffness(const fw_friction *friction, double N) {
  return friction->stiffness[0] + friction->stiffness[1] * N;
}

double fw_friction_stick_damping(const fw_friction *friction, double N) {
  return friction->damping[0] + friction->damping[1] * N;
}

fw_status fw_friction_create(fw_context *ctx, const fw_friction_ops *ops, const fw_args *args, fw_stick stick,
                             fw_friction *friction) {
  int count = fw_param_count(ops->entry.params);
  *friction = (fw_friction){.ops = ops, .stick = stick};
  FW_TRY(ops->pack ? pack_own(ctx, args, count, friction) : pack_plain(ctx, args, count, friction));
  friction->states = ops->states ? ops->states(friction->constants) : ops->fixed_states;
  if (fw_friction_is_elastic(friction)) friction->states = FW_STICK_STATES;
  fw_status status = hold_formulas(ctx, args, count, friction);
  if (status == FW_OK) status = friction_check(ctx, friction, args->place);
  if (status == FW_OK) status = find_stiffness(ctx, friction);
  if (status == FW_OK) friction->drops = fw_stick_drops(friction);
  if (status != FW_OK) fw_friction_clear(friction);
  return status;
}

void fw_friction_clear(fw_friction *friction) {
  if (!friction) return;
  for (int i = 0; i < friction->part_count; i++) fw_friction_clear(&friction->parts[i]);
  free(friction->parts);
  for (int i = 0; i < friction->formula_count; i++) fw_formula_release(&friction->formulas[i]);
  free(friction->formulas);
  free(friction->constants);
  *friction = (fw_friction){0};
}

/* ---- faces ------------------------------------------------------------------------------- */

void fw_friction_reset(const fw_friction *friction, double *z) {
  for (int i = 0; i < friction->states; i++) z[i] = 0.0;
  for (int i = 0; i < friction->part_count; z += friction->parts[i++].states) fw_friction_reset(&friction->parts[i], z);
  if (friction->ops && friction->ops->reset) friction->ops->reset(friction->constants, z);
}

double fw_friction_scale(const fw_friction *friction, double N, int state) {
  for (int i = 0; i < friction->part_count; state -= friction->parts[i++].states)
    if (state < friction->parts[i].states) return fw_friction_scale(&friction->parts[i], N, state);
  if (fw_friction_is_elastic(friction)) return state == 0 ? friction->stick.u_crit : 1.0;
  return friction->ops->scale ? friction->ops->scale(friction->constants, N, state) : 1.0;
}

static void step_no_derivatives(const fw_friction *friction, fw_step_out *out) {
  int n = friction->states;
  if (fw_step_wants(out)) fw_step_zero(out, n, fw_friction_uncoupled(friction) ? n : n * n);
}

/* What holds of every law, whatever it is; false: ask the law itself. */
static bool step_without_law(const fw_friction *friction, const fw_step_in *in, const double *z_old, fw_step_out *out) {
  const double *x = in->x;
  if (!isfinite(x[0] + x[1] + x[2] + x[3] + x[4] + in->dt)) {
    for (int i = 0; i < friction->states; i++) out->z[i] = z_old[i];
    out->T = NAN;
  } else if (!(x[FW_STEP_N1] > 0.0)) {
    fw_friction_reset(friction, out->z);
    out->T = 0.0;
  } else {
    return false;
  }
  step_no_derivatives(friction, out);
  return true;
}

void fw_friction_step(const fw_friction *friction, const fw_step_in *in, const double *z_old, fw_step_out *out) {
  if (step_without_law(friction, in, z_old, out)) return;
  if (friction->part_count) {
    fw_parallel_step(friction, fw_friction_step, in, z_old, out);
  } else if (friction->ops->step) {
    friction->ops->step(friction->constants, in, z_old, out);
  } else if (friction->ops->rate) {
    fw_rate_step(friction->ops, friction->constants, friction->states, in, z_old, out);
  } else {
    fw_stick_step(friction, in, z_old, out);
  }
}

void fw_friction_wait(const fw_friction *friction, const fw_step_in *in, const double *z_old, fw_step_out *out) {
  if (!friction->drops)
    fw_friction_step(friction, in, z_old, out);
  else if (step_without_law(friction, in, z_old, out))
    return;
  else if (friction->part_count)
    fw_parallel_step(friction, fw_friction_wait, in, z_old, out);
  else
    fw_stick_wait(friction, in, z_old, out);
}

void fw_friction_moment(const fw_friction *friction, const fw_step_in *in, const double *z_old, fw_step_out *out) {
  if (friction->part_count) {
    fw_parallel_step(friction, fw_friction_moment, in, z_old, out);
    return;
  }
  double v = fw_friction_is_elastic(friction) ? in->x[FW_STEP_V1] : 0.0, N = in->x[FW_STEP_N1];
  fw_friction_step(friction, &(fw_step_in){{0.0, v, v, N, N}, v != 0.0 ? 1e-15 : 0.0}, z_old, out);
}

static void rate_empty(const fw_friction *friction, double T, fw_rate_out *out) {
  size_t n = (size_t)friction->states;
  out->T = T;
  if (n) memset(out->zdot, 0, n * sizeof(double));
  out->T_v = out->T_N = 0.0;
  if (!n || !fw_rate_wants(out)) return;
  memset(out->zdot_z, 0, n * n * sizeof(double));
  memset(out->zdot_v, 0, n * sizeof(double));
  memset(out->zdot_N, 0, n * sizeof(double));
  memset(out->T_z, 0, n * sizeof(double));
}

void fw_friction_rate(const fw_friction *friction, const fw_rate_in *in, const double *z, fw_rate_out *out) {
  if (!isfinite(in->v + in->N))
    rate_empty(friction, NAN, out);
  else if (!(in->N > 0.0))
    rate_empty(friction, 0.0, out);
  else if (friction->part_count)
    fw_parallel_rate(friction, in, z, out);
  else
    friction->ops->rate(friction->constants, in, z, out);
}

bool fw_friction_has_rate(const fw_friction *friction) {
  const fw_friction_ops *ops = friction->ops;
  for (int i = 0; i < friction->part_count; i++)
    if (!fw_friction_has_rate(&friction->parts[i])) return false;
  if (friction->part_count > 0) return true;
  return ops && ops->rate && !(ops->rate_is_steep && ops->rate_is_steep(friction->constants));
}

bool fw_friction_claims(const fw_friction *friction, const char *ability) {
  for (int i = 0; i < friction->part_count; i++)
    if (!fw_friction_claims(&friction->parts[i], ability)) return false;
  if (friction->part_count > 0) return true;
  size_t length = strlen(ability);
  for (const char *at = friction->ops->claims; at && *at;) {
    size_t word = strcspn(at, " ");
    if (word == length && strncmp(at, ability, length) == 0) return true;
    at += word + strspn(at + word, " ");
  }
  return false;
}
