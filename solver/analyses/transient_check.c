/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a transient is asked for, and whether that fits together. */
#include <float.h>
#include <math.h>

#include "contact/pair.h"
#include "core/field.h"
#include "core/load.h"
#include "solver/analyses/transient.h"
#include "solver/analyses/wear.h"
#include "solver/assembly/reduced_model.h"
#include "solver/time/integrator.h"

const fw_param fw_transient_params[] = {
    FW_INTEGRATOR_PARAMS,
    {"duration", FW_PARAM_NUMBER, "s", "", 0, 1e9, NULL, "how long; or give periods"},
    {"periods", FW_PARAM_NUMBER, "", "", 0, 1e9, NULL, "how many periods of the drive"},
    {"at-frequency", FW_PARAM_NUMBER, "Hz", "", 0, 1e9, NULL, "drive frequency of harmonic loads"},
    {"at-level", FW_PARAM_NUMBER, "", "1", 0, 0, NULL,
     "factor of the loads; picks the motion when started from an frf or a resonance curve"},
    {"step", FW_PARAM_NUMBER, "s", "", 0, 1e9, NULL, "time step; default: a 400th of the drive's period"},
    {"clock", FW_PARAM_CHOICE, "", "zero", 0, 0, "zero|continue",
     "time at which it begins: zero, or where the start ended, for loads and motions that go on"},
    {"observe", FW_PARAM_NUMBER, "", "10", 1, 1e9, NULL, "figures are taken over this many last periods"},
    {"settle", FW_PARAM_NUMBER, "s", "0", 0, 1e9, NULL,
     "without a drive: time at the beginning that the figures leave out"},
    {"windows", FW_PARAM_INTEGER, "", "20", 2, 1000, NULL,
     "pieces of the observed time whose work rates tell the standard error of the mean at supports of tubes"},
    {"impact-time", FW_PARAM_NUMBER, "s", "5e-3", 0, 1e9, NULL,
     "at supports of tubes: contact that lasts less is an impact, else sliding"},
    {"rebound-time", FW_PARAM_NUMBER, "s", "1e-3", 0, 1e9, NULL,
     "open for less than this it is the same contact still"},
    {"service-life", FW_PARAM_NUMBER, "s", "", DBL_MIN, DBL_MAX, NULL,
     "supports of tubes with 'archard': tell volume and depth of wear after this time at the work rate found"},
    {"wall-share", FW_PARAM_NUMBER, "", "", DBL_MIN, 1, NULL,
     "and the time until this part of the tube's wall is worn"},
    {"force-window", FW_PARAM_NUMBER, "s", "", 0, 1e9, NULL,
     "normal_rms and tangential_rms are of forces averaged over this time, as a transducer would: impulses of hard "
     "contact have no RMS without it (absent: each step)"},
    {"every", FW_PARAM_INTEGER, "", "1", 1, 1e9, NULL, "a history row each so many steps"},
    {"last", FW_PARAM_NUMBER, "", "", 1e-9, 1e9, NULL,
     "history rows of the last so many periods only (absent: of all)"},
    {"times", FW_PARAM_NUMBERS, "s", "", 0, 1e9, NULL,
     "history rows at these times only, each at the first step that reaches it, instead of every"},
    {"checkpoint-every", FW_PARAM_NUMBER, "s", "", 0, 1e9, NULL,
     "simulated time between checkpoints, from which --resume goes on (absent: none)"},
    {"reduce", FW_PARAM_INTEGER, "", "", 0, 100000, NULL,
     "what is linear is reduced to the freedoms of contact, joints and nonlinear elements and this many modes of each "
     "piece between, loads and sensors statically exact (docs/integrators.md); absent: not, unless reduce-below is "
     "given"},
    {"reduce-below", FW_PARAM_NUMBER, "Hz", "", DBL_MIN, 1e12, NULL, "the same with all modes below this frequency"},
    {"sensitivities", FW_PARAM_REFS, "", "", 0, 0, "parameter",
     "ida, cvode: parameters by which the sensors are differentiated along the motion"},
    {0}};

#define STEPS_MOST 1e9

double fw_transient_duration(const fw_args *args) {
  if (!fw_args_given(args, "periods")) return fw_args_number(args, "duration");
  return fw_args_number(args, "periods") / fw_args_number(args, "at-frequency");
}

/* A motion has derivatives where its friction is integrated as rates of states. */
static fw_status check_rates(fw_context *ctx, const fw_model *model, const fw_args *args) {
  for (int p = 0; p < model->pair_count; p++) {
    const fw_pair *pair = model->pairs[p];
    int count;
    for (const fw_friction *law = fw_friction_parts(&pair->friction, &count); count-- > 0; law++) {
      if (fw_friction_has_rate(law)) continue;
      return fw_fail_at(
          ctx, FW_ERR_DECK, args->place,
          "attribute 'sensitivities': friction law %s of pair %s %s, and where it does so the derivatives "
          "of the motion jump; laws with a rate face have them (docs/laws.md)",
          law->ops->entry.name, pair->id, law->ops->step ? "changes between branches" : "turns from stick to slip");
    }
  }
  return FW_OK;
}

static fw_status check_sensitivities(fw_context *ctx, const fw_model *model, const fw_args *args) {
  const fw_integrator_ops *ops = fw_integrator_chosen(args);
  if (!fw_args_given(args, "sensitivities")) return FW_OK;
  if (!ops->differentiate)
    return fw_fail_at(ctx, FW_ERR_DECK, args->place,
                      "attribute 'sensitivities' needs solver=\"ida\" or solver=\"cvode\": ida or cvode carry "
                      "derivatives along, %s does not",
                      ops->entry.name);
  if (fw_args_number(args, "checkpoint-every") > 0.0)
    return fw_fail_at(ctx, FW_ERR_DECK, args->place,
                      "attribute 'sensitivities': derivatives are not kept in checkpoints; leave out checkpoint-every");
  return check_rates(ctx, model, args);
}

bool fw_transient_is_reduced(const fw_args *args) {
  return fw_args_given(args, "reduce") || fw_args_given(args, "reduce-below");
}

static fw_status check_reduction(fw_context *ctx, const fw_model *model, const fw_args *args) {
  fw_place place = args->place;
  if (!fw_transient_is_reduced(args)) return FW_OK;
  place.line = fw_args_value(args, fw_args_given(args, "reduce") ? "reduce" : "reduce-below")->line;
  if (fw_args_given(args, "reduce") && fw_args_given(args, "reduce-below"))
    return fw_fail_at(ctx, FW_ERR_DECK, place, "give either reduce or reduce-below");
  if (fw_args_given(args, "sensitivities"))
    return fw_fail_at(ctx, FW_ERR_DECK, place,
                      "attribute 'reduce': derivatives by parameters are of the whole model; leave out sensitivities");
  return fw_reduced_model_check(ctx, model, place);
}

/* What is told must be of the run: periods of its drive, rows of its steps. */
static fw_status check_told(fw_context *ctx, const fw_args *args) {
  static const char *const periods[] = {"observe", "last"};
  double frequency = fw_args_number(args, "at-frequency"), step = fw_args_number(args, "step");
  double there = fw_transient_duration(args) * frequency,
         steps = step > 0.0 ? fw_transient_duration(args) / step : 400.0 * there;
  for (int k = 0; k < 2; k++) {
    fw_place place = args->place;
    place.line = fw_args_value(args, periods[k])->line;
    if (!fw_args_given(args, periods[k])) continue;
    if (frequency <= 0.0)
      return fw_fail_at(ctx, FW_ERR_DECK, place, "attribute '%s': periods of what? There is no at-frequency",
                        periods[k]);
    if (fw_args_number(args, periods[k]) > there * (1 + 1e-9))
      return fw_fail_at(ctx, FW_ERR_DECK, place, "attribute '%s': the run has %g periods only", periods[k], there);
  }
  fw_place place = args->place;
  place.line = fw_args_value(args, "settle")->line;
  if (fw_args_number(args, "settle") > 0.0 && frequency > 0.0)
    return fw_fail_at(ctx, FW_ERR_DECK, place, "attribute 'settle': with at-frequency, give observe instead");
  if (fw_args_number(args, "settle") > 0.0 && fw_args_number(args, "settle") >= fw_transient_duration(args))
    return fw_fail_at(ctx, FW_ERR_DECK, place, "attribute 'settle': the run lasts %g s only",
                      fw_transient_duration(args));
  place.line = fw_args_value(args, "every")->line;
  if (fw_args_given(args, "every") && fw_args_number(args, "every") > ceil(steps))
    return fw_fail_at(ctx, FW_ERR_DECK, place, "attribute 'every': the run has %g steps only", ceil(steps));
  return FW_OK;
}

static fw_status check_supports(fw_context *ctx, const fw_model *model, const fw_args *args) {
  static const char *const words[] = {"windows", "impact-time", "rebound-time"};
  for (size_t k = 0; k < sizeof words / sizeof *words && model->ring_count == 0; k++) {
    fw_place place = args->place;
    place.line = fw_args_value(args, words[k])->line;
    if (fw_args_given(args, words[k]))
      return fw_fail_at(ctx, FW_ERR_DECK, place, "attribute '%s': there is no support of a tube", words[k]);
  }
  return FW_OK;
}

/* A field has an end, and must not begin anew within the run. */
static fw_status check_fields(fw_context *ctx, const fw_model *model, const fw_args *common, const fw_args *args) {
  const char *at = fw_args_text(common, "loads");
  for (int load; fw_next_load(model, &at, &load);) {
    const fw_field *field = load >= 0 ? model->loads[load].field : NULL;
    if (field && fw_transient_duration(args) > (fw_field_end(field) - field->begin) * (1 + 1e-9))
      return fw_fail_at(ctx, FW_ERR_DECK, args->place, "the load '%s' lasts %g s, the run %g s", model->loads[load].id,
                        fw_field_end(field) - field->begin, fw_transient_duration(args));
  }
  return FW_OK;
}

fw_status fw_transient_check(fw_context *ctx, const fw_model *model, const fw_args *common, const fw_args *args) {
  bool driven = fw_args_number(args, "at-frequency") > 0.0;
  if (fw_args_given(args, "duration") == fw_args_given(args, "periods"))
    return fw_fail_at(ctx, FW_ERR_DECK, args->place, "give either duration or periods");
  if (fw_args_given(args, "periods") && !driven)
    return fw_fail_at(ctx, FW_ERR_DECK, args->place, "periods needs at-frequency");
  if (fw_args_number(args, "step") == 0.0 && !driven)
    return fw_fail_at(ctx, FW_ERR_DECK, args->place, "step is needed where there is no at-frequency");
  if (!driven) FW_TRY(fw_check_steady(ctx, model, common, args));
  double steps = fw_args_number(args, "step") > 0.0 ? fw_transient_duration(args) / fw_args_number(args, "step") : 0.0;
  if (steps > STEPS_MOST)
    return fw_fail_at(ctx, FW_ERR_DECK, args->place, "attribute 'step': %g steps are more than %g: take a larger one",
                      steps, STEPS_MOST);
  FW_TRY(check_told(ctx, args));
  FW_TRY(check_fields(ctx, model, common, args));
  FW_TRY(check_supports(ctx, model, args));
  FW_TRY(fw_wear_check(ctx, model, args));
  FW_TRY(fw_integrator_check(ctx, model, args));
  FW_TRY(check_reduction(ctx, model, args));
  return check_sensitivities(ctx, model, args);
}
