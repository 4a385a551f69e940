/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What no contact of non-negative stiffness and damping can pass at the resonances that were measured. */
#include <math.h>
#include <string.h>

#include "contact/pair.h"
#include "core/reading.h"
#include "core/unknown.h"
#include "identify/frf_fit.h"
#include "identify/law_free.h"

enum { SCAN = 21 }; /* frequencies about each resonance */

typedef struct bounding {
  fw_frf_fit *f;
  int load, sensor;
  double phase, percent;
  fw_data_table *table;
  int row;
} bounding;

static fw_status refuse(const fw_frf_fit *f, const char *why) {
  return fw_fail_at(f->job->ctx, FW_ERR_DECK, f->job->args->place, "attribute 'bound': %s", why);
}

fw_status fw_frf_bound_check(const fw_frf_fit *f) {
  const fw_model *model = f->job->built->model;
  if (model->pair_count != 1 || model->pairs[0]->count != 1)
    return refuse(f, "a model with one contact point is needed");
  if (fw_model_load(model, fw_args_text(&f->analysis->args, "loads")) < 0)
    return refuse(f, "the resonance has several loads; one is needed");
  if (!fw_args_given(&f->analysis->args, "start"))
    return refuse(f, "the resonance starts from no state in which the contact is pressed");
  return FW_OK;
}

/* Amplitudes of the response, measured or computed, below what the bound leaves. */
static fw_status warn_of_passing(fw_frf_fit *f, double level, double least) {
  for (int i = 0; i < f->targets.count; i++) {
    const fw_target *t = &f->targets.list[i];
    if (t->kind != FW_TARGET_RESONANCE || t->level != level || strcmp(t->unit, "m") != 0) continue;
    if (t->value < least)
      FW_TRY(fw_identify_warn(f->job,
                              "%s at level %g was measured as %s: no contact of non-negative stiffness and damping "
                              "leaves less than %s",
                              t->column, level, fw_say(t->value, "m").text, fw_say(least, "m").text));
    if (f->computed[i] < least)
      FW_TRY(fw_identify_warn(f->job,
                              "%s at level %g is computed as %s, below the bound of %s: the law is no "
                              "spring and no friction there",
                              t->column, level, fw_say(f->computed[i], "m").text, fw_say(least, "m").text));
  }
  return FW_OK;
}

static double known(double value) { return isfinite(value) ? value : fw_unknown(); }

static fw_status tell_least(bounding *b, const fw_target *t, double frequency, const fw_law_free *least) {
  fw_record *to = b->f->job->summary;
  FW_TRY(fw_record_set_number(to, t->level, "bound[%d].level", b->row));
  FW_TRY(fw_record_set_figure(to, t->value, "Hz", "bound[%d].measured", b->row));
  FW_TRY(fw_record_set_figure(to, frequency, "Hz", "bound[%d].frequency", b->row));
  FW_TRY(fw_record_set_figure(to, least->amplitude, "m", "bound[%d].amplitude", b->row));
  if (isfinite(least->stiffness)) /* not where the slip vanishes with the response */
    FW_TRY(fw_record_set_figure(to, least->stiffness, "N/m", "bound[%d].stiffness", b->row));
  if (isfinite(least->damper)) FW_TRY(fw_record_set_figure(to, least->damper, "N s/m", "bound[%d].damper", b->row));
  b->row++;
  return warn_of_passing(b->f, t->level, least->amplitude);
}

/* The least over the frequencies within some per cent of a measured one, each of them a row of the table. */
static fw_status scan(bounding *b, fw_context *ctx, const fw_model *model, const fw_state *state, const fw_target *t) {
  fw_law_free best = {.amplitude = INFINITY};
  double where = NAN;
  for (int i = 0; i < SCAN; i++) {
    double frequency = t->value * (1.0 + 0.01 * b->percent * (2.0 * i / (SCAN - 1) - 1.0)),
           omega = 2 * M_PI * frequency;
    fw_receptance receptance;
    fw_law_free least;
    FW_TRY(fw_receptance_of(ctx, model, state, b->load, 0, omega, &receptance));
    bool found = fw_law_free_least(&receptance, b->sensor, t->level, b->phase, omega, &least);
    fw_receptance_clear(&receptance);
    if (!found) continue;
    const double row[] = {t->level,       frequency, least.amplitude, known(least.stiffness), known(least.damper),
                          least.friction, least.slip};
    FW_TRY(fw_sink_row(b->f->job->sink, b->f->job->ctx, b->table, row));
    if (!(least.amplitude < best.amplitude)) continue;
    best = least;
    where = frequency;
  }
  if (isfinite(where)) return tell_least(b, t, where, &best);
  return fw_identify_warn(b->f->job,
                          "no contact of non-negative stiffness and damping has a resonance at level %g near %g Hz",
                          t->level, t->value);
}

static fw_status scan_all(void *user, fw_context *ctx, const fw_reached *reached) {
  bounding *b = user;
  for (int i = 0; i < b->f->targets.count; i++)
    if (strcmp(b->f->targets.list[i].column, "frequency") == 0)
      FW_TRY(scan(b, ctx, reached->model, reached->state, &b->f->targets.list[i]));
  return FW_OK;
}

fw_status fw_frf_bound(fw_frf_fit *f, const fw_fit *fit, double percent) {
  static const fw_column columns[] = {{"level", ""},        {"frequency", "Hz"}, {"amplitude", "m"},
                                      {"stiffness", "N/m"}, {"damper", "N s/m"}, {"friction", "N"},
                                      {"slip", "m"}};
  const fw_model *model = f->job->built->model;
  bounding b = {.f = f, .percent = percent};
  FW_TRY(fw_frf_bound_check(f));
  b.load = fw_model_load(model, fw_args_text(&f->analysis->args, "loads"));
  b.sensor = fw_model_sensor(model, f->response);
  b.phase = fw_args_number(&f->analysis->entry_args, "phase") * M_PI / 180.0;
  FW_TRY(fw_sink_table(f->job->sink, f->job->ctx, f->job->id, "bound", columns, 7, false, &b.table));
  return fw_varied_deck_reach(&f->varied, fit->p, fw_args_text(&f->analysis->args, "start"), scan_all, &b);
}
