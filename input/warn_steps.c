/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "input/warn_parts.h"

/* With so many steps in a period the generalised-alpha method errs by some 1 % in the period; with so many samples for
 * each harmonic the highest of them is seen at all. */
enum { STEPS_LEAST = 20, SAMPLES_PER_HARMONIC = 4 };

enum { ALPHA }; /* choice of `solver` */

static bool is_asked(const fw_args *args, const char *name) {
  for (int i = 0; args->params && args->params[i].name; i++)
    if (strcmp(args->params[i].name, name) == 0) return args->values[i].given;
  return false;
}

static bool names(const char *list, const char *id) {
  size_t length = strlen(id);
  for (const char *at = list; at && (at = strstr(at, id)); at += length)
    if ((at == list || strchr(", \t\r\n", at[-1])) && (!at[length] || strchr(", \t\r\n", at[length]))) return true;
  return false;
}

/* Upper end of the band of a random load; 0: it has none. */
static double band_end(const fw_item *load) {
  const fw_args *of = is_asked(&load->entry_args, "f-max") ? &load->entry_args : &load->args;
  return is_asked(of, "f-max") ? fw_args_number(of, "f-max") : 0.0;
}

static fw_status look_at_sine(fw_context *ctx, const fw_item *item, const fw_item *load, double step,
                              fw_warnings *warnings) {
  double f = fw_args_number(&load->entry_args, "frequency");
  if (step * f * STEPS_LEAST <= 1.0 + 1e-9) return FW_OK;
  return fw_warnings_add(ctx, warnings, FW_WARN_COARSE, item->args.place,
                         "a step of %g s leaves %.3g for a period of '%s': fewer than %d are coarse", step,
                         1.0 / (step * f), fw_args_text(&load->args, "id"), STEPS_LEAST);
}

/* Sines, and forces whose band ends beyond what the steps can tell apart: they are other forces then. */
static fw_status look_at_loads(fw_context *ctx, const fw_built *built, const fw_item *item, double step,
                               fw_warnings *warnings) {
  const fw_item *loads = fw_item_child(&built->root, "loads");
  const char *asked = is_asked(&item->args, "loads") ? fw_args_text(&item->args, "loads") : "";
  for (int i = 0; loads && i < loads->child_count; i++) {
    const fw_item *load = &loads->children[i];
    const char *id = fw_args_text(&load->args, "id");
    double f = band_end(load);
    if (names(asked, id) && strcmp(load->name, "sine") == 0) FW_TRY(look_at_sine(ctx, item, load, step, warnings));
    if (!names(asked, id) || step * f * SAMPLES_PER_HARMONIC <= 1.0 + 1e-9) continue;
    FW_TRY(
        fw_warnings_add(ctx, warnings, FW_WARN_COARSE, item->args.place,
                        "a step of %g s leaves %.3g for a period of %g Hz, where the band of '%s' ends: fewer than %d "
                        "do not follow it",
                        step, 1.0 / (step * f), f, id, SAMPLES_PER_HARMONIC));
  }
  return FW_OK;
}

static fw_status look_at_transient(fw_context *ctx, const fw_built *built, const fw_item *item, fw_warnings *warnings) {
  const fw_args *args = &item->entry_args;
  double step = fw_args_number(args, "step"), duration = fw_args_number(args, "duration");
  double frequency = fw_args_number(args, "at-frequency");
  if (fw_args_given(args, "periods")) duration = fw_args_number(args, "periods") / frequency;
  if (step > duration * (1.0 + 1e-9))
    return fw_warnings_add(ctx, warnings, FW_WARN_LONG_STEP, item->args.place,
                           "a step of %g s is longer than the run of %g s: it is one step", step, duration);
  bool fixed = fw_args_integer(args, "solver") == ALPHA; /* the others choose their steps themselves */
  if (fixed) FW_TRY(look_at_loads(ctx, built, item, step, warnings));
  if (fixed && step > 0.0 && frequency > 0.0 && step * frequency * STEPS_LEAST > 1.0 + 1e-9)
    return fw_warnings_add(ctx, warnings, FW_WARN_COARSE, item->args.place,
                           "a step of %g s leaves %.3g for a period of the drive: fewer than %d are coarse", step,
                           1.0 / (step * frequency), STEPS_LEAST);
  return FW_OK;
}

static fw_status look_at_samples(fw_context *ctx, const fw_item *item, fw_warnings *warnings) {
  const fw_args *args = &item->entry_args;
  if (!is_asked(args, "samples")) return FW_OK;
  int samples = fw_args_integer(args, "samples"), harmonics = fw_args_integer(args, "harmonics");
  if (samples == 0 || samples >= SAMPLES_PER_HARMONIC * harmonics) return FW_OK;
  return fw_warnings_add(ctx, warnings, FW_WARN_COARSE, item->args.place,
                         "%d samples of a period for %d harmonics: fewer than %d are coarse", samples, harmonics,
                         SAMPLES_PER_HARMONIC * harmonics);
}

static fw_status look_at_checks(fw_context *ctx, const fw_item *item, fw_warnings *warnings) {
  const fw_args *args = &item->entry_args;
  if (!is_asked(args, "steps") || fw_args_integer(args, "steps") >= STEPS_LEAST) return FW_OK;
  return fw_warnings_add(ctx, warnings, FW_WARN_COARSE, item->args.place, "%d steps a period: fewer than %d are coarse",
                         fw_args_integer(args, "steps"), STEPS_LEAST);
}

fw_status fw_warn_of_steps(fw_context *ctx, const fw_built *built, fw_warnings *warnings) {
  for (int i = 0; built->analyses && i < built->analyses->child_count; i++) {
    const fw_item *item = &built->analyses->children[i];
    if (strcmp(item->name, "transient") == 0) FW_TRY(look_at_transient(ctx, built, item, warnings));
    if (strcmp(item->name, "frf") == 0) FW_TRY(look_at_checks(ctx, item, warnings));
    FW_TRY(look_at_samples(ctx, item, warnings));
  }
  return FW_OK;
}
