/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contact at each level of a curve of resonances: forces, slip, what it is equivalent to, and the published
 * criteria. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact/figures.h"
#include "contact/friction/vary.h"
#include "contact/pair.h"
#include "core/reading.h"
#include "core/unknown.h"
#include "identify/frf_fit.h"

typedef struct reader {
  fw_frf_fit *f;
  const fw_model *model; /* at what was found */
  int row;
} reader;

/* ---- laws -------------------------------------------------------------------------------- */

/* A number of a law by the first of these names it has; NaN: none. */
static double law_number(const fw_friction *law, const char *const *names) {
  fw_law_number number;
  for (; *names; names++)
    for (int i = 0; i < fw_law_number_count(law); i++) {
      fw_law_number_get(law, i, &number);
      if (strcmp(number.name, *names) == 0) return number.value;
    }
  return NAN;
}

/* Largest at the largest velocity; a law without sigma-1 has none. */
double fw_frf_passivity_of(const fw_friction *law, double v, double N) {
  double sigma = law_number(law, (const char *const[]){"sigma-1", NULL});
  double mu_s = law_number(law, (const char *const[]){"mu-s", NULL});
  double mu_c = law_number(law, (const char *const[]){"mu-c", NULL});
  double v_s = law_number(law, (const char *const[]){"v-s", NULL});
  double s = mu_c + (mu_s - mu_c) * exp(-pow(v / v_s, 2));
  bool normalised = strcmp(law->ops->entry.name, "lugre-normalised") == 0;
  return sigma * v / (4.0 * s * (normalised ? 1.0 : N));
}

static double figure_at(const fw_data_table *curve, const char *of, const char *name, double level) {
  char column[160];
  snprintf(column, sizeof column, "%.80s.%.60s", of, name);
  return fw_resonance_curve_at(curve, column, level);
}

static double contact_at(const fw_data_table *curve, const fw_pair *pair, fw_contact_figure_index which, double level) {
  return figure_at(curve, pair->id, fw_contact_figures[which].name, level);
}

const fw_friction *fw_frf_only_law(const fw_pair *pair) {
  int laws;
  const fw_friction *law = fw_friction_parts(&pair->friction, &laws);
  return laws == 1 ? law : NULL;
}

static double pair_passivity(const fw_pair *pair, const fw_data_table *curve, double level) {
  const fw_friction *law = fw_frf_only_law(pair);
  if (!law) return NAN;
  return fw_frf_passivity_of(law, contact_at(curve, pair, FW_SLIP_VELOCITY_MAX, level),
                             contact_at(curve, pair, FW_NORMAL_MAX, level));
}

double fw_frf_passivity(const fw_model *model, const fw_data_table *curve, double level) {
  double most = NAN;
  for (int p = 0; p < model->pair_count; p++) most = fmax(most, pair_passivity(model->pairs[p], curve, level));
  return most;
}

static fw_status tell_law(reader *c, const fw_data_table *curve, const fw_pair *pair, double level) {
  fw_record *to = c->f->job->summary;
  const fw_friction *law = fw_frf_only_law(pair);
  if (!law) return FW_OK; /* the limit is that of a single law */
  double mu = law_number(law, (const char *const[]){"mu-s", "mu", "mu-c", NULL});
  double T = contact_at(curve, pair, FW_TANGENTIAL_MAX, level), N = contact_at(curve, pair, FW_NORMAL_MAX, level);
  double part = pair_passivity(pair, curve, level);
  if (!isnan(mu)) FW_TRY(fw_record_set_number(to, T / (mu * N), "contact[%d].friction_over_limit", c->row));
  if (T > 1.01 * mu * N)
    FW_TRY(fw_identify_warn(c->f->job, "%s at level %g: friction reaches %.3g times mu_s N: that is not friction",
                            pair->id, level, T / (mu * N)));
  if (isnan(part)) return FW_OK;
  FW_TRY(fw_record_set_number(to, part, "contact[%d].passivity", c->row));
  if (part <= 1.0) return FW_OK;
  return fw_identify_warn(c->f->job, "%s at level %g is not passive: sigma-1 |v| reaches %.3g of 4 s(v)", pair->id,
                          level, part);
}

/* ---- what the contact is equivalent to ---------------------------------------------------- */

static fw_status warn_of_equivalent(reader *c, const fw_data_table *curve, const fw_pair *pair, double level) {
  double spring = contact_at(curve, pair, FW_EQUIVALENT_STIFFNESS, level);
  double damper = contact_at(curve, pair, FW_EQUIVALENT_DAMPER, level);
  if (spring < 0.0)
    FW_TRY(fw_identify_warn(c->f->job, "%s at level %g: the stiffness it is equivalent to is negative: %s", pair->id,
                            level, fw_say(spring, "N/m").text));
  if (!(damper < 0.0)) return FW_OK;
  return fw_identify_warn(c->f->job, "%s at level %g feeds energy in: its equivalent damper is %s", pair->id, level,
                          fw_say(damper, "N s/m").text);
}

static const char *response_unit(const reader *c, const fw_data_table *curve) {
  char name[160];
  snprintf(name, sizeof name, "%.140s.amplitude", c->f->response);
  int column = fw_data_table_column(curve, name);
  return column < 0 ? "" : curve->column_units[column];
}

static fw_status tell_pair(reader *c, const fw_data_table *curve, const fw_pair *pair, double level) {
  static const fw_contact_figure_index told[] = {FW_SLIP_AMPLITUDE,    FW_SLIP_VELOCITY_MAX,   FW_TANGENTIAL_MAX,
                                                 FW_NORMAL_MAX,        FW_NORMAL_MIN,          FW_DISSIPATED_POWER,
                                                 FW_EQUIVALENT_DAMPER, FW_EQUIVALENT_STIFFNESS};
  fw_record *to = c->f->job->summary;
  if (!isfinite(contact_at(curve, pair, FW_SLIP_AMPLITUDE, level))) return FW_OK;
  FW_TRY(fw_record_set_number(to, level, "contact[%d].level", c->row));
  FW_TRY(fw_record_set_text(to, pair->id, "contact[%d].pair", c->row));
  double amplitude = figure_at(curve, c->f->response, "amplitude", level);
  if (isfinite(amplitude))
    FW_TRY(fw_record_set_figure(to, amplitude, response_unit(c, curve), "contact[%d].response.amplitude", c->row));
  for (size_t k = 0; k < sizeof told / sizeof *told; k++)
    FW_TRY(fw_record_set_figure(to, contact_at(curve, pair, told[k], level), fw_contact_figures[told[k]].unit,
                                "contact[%d].%s", c->row, fw_contact_figures[told[k]].name));
  FW_TRY(warn_of_equivalent(c, curve, pair, level));
  FW_TRY(tell_law(c, curve, pair, level));
  c->row++;
  return FW_OK;
}

/* ---- criteria ---------------------------------------------------------------------------- */

static double measured_at(const fw_target *list, int count, const char *column, double level) {
  for (int i = 0; i < count; i++)
    if (list[i].kind == FW_TARGET_RESONANCE && list[i].level == level && strcmp(list[i].column, column) == 0)
      return list[i].value;
  return fw_unknown();
}

/* One criterion at a level, measured or not. */
static fw_status tell_criterion(reader *c, const fw_data_table *curve, const char *name, const char *column,
                                const char *unit, double level) {
  const fw_targets *t = &c->f->targets;
  fw_record *to = c->f->job->summary;
  double computed = fw_resonance_curve_at(curve, column, level),
         measured = measured_at(t->list, t->count, column, level);
  if (!isfinite(measured)) measured = measured_at(t->criteria, t->criteria_count, column, level);
  if (!isfinite(computed)) return FW_OK;
  int row = c->row++;
  FW_TRY(fw_record_set_text(to, name, "criteria[%d].criterion", row));
  FW_TRY(fw_record_set_number(to, level, "criteria[%d].level", row));
  FW_TRY(fw_record_set_text(to, unit, "criteria[%d].unit", row));
  FW_TRY(fw_record_set_number(to, computed, "criteria[%d].computed", row));
  FW_TRY(fw_record_set_number(to, isfinite(measured) ? measured : fw_unknown(), "criteria[%d].measured", row));
  if (!isfinite(measured)) return FW_OK;
  return fw_record_set_number(to, 100.0 * (computed / measured - 1.0), "criteria[%d].difference_percent", row);
}

/* The six by which the published sets of the rig were judged. */
static fw_status tell_criteria(reader *c, const fw_data_table *curve, const fw_pair *pair, double level) {
  static const struct {
    const char *name;
    fw_contact_figure_index figure;
  } of_contact[] = {{"slip", FW_SLIP_AMPLITUDE},
                    {"slip velocity", FW_SLIP_VELOCITY_MAX},
                    {"friction", FW_TANGENTIAL_MAX},
                    {"normal force", FW_NORMAL_MAX}};
  char column[FW_TARGET_NAME];
  snprintf(column, sizeof column, "%.70s.amplitude", c->f->response);
  FW_TRY(tell_criterion(c, curve, "envelope", column, response_unit(c, curve), level));
  FW_TRY(tell_criterion(c, curve, "frf", "frequency", "Hz", level));
  for (int k = 0; k < 4; k++) {
    const fw_contact_figure *figure = &fw_contact_figures[of_contact[k].figure];
    snprintf(column, sizeof column, "%.40s.%s", pair->id, figure->name);
    FW_TRY(tell_criterion(c, curve, of_contact[k].name, column, figure->unit, level));
  }
  return FW_OK;
}

/* ---- the whole --------------------------------------------------------------------------- */

/* The curve where the fit ended, as a table of its own. */
static fw_status copy_curve(fw_frf_fit *f, const fw_data_table *curve) {
  static const fw_column columns[] = {{"level", ""}, {"frequency", "Hz"}};
  fw_data_table *table;
  FW_TRY(fw_sink_table(f->job->sink, f->job->ctx, f->job->id, "curve", columns, 2, false, &table));
  int level = fw_data_table_column(curve, "level"), frequency = fw_data_table_column(curve, "frequency");
  for (size_t r = 0; r < curve->rows; r++) {
    const double row[] = {curve->values[level][r], curve->values[frequency][r]};
    FW_TRY(fw_sink_row(f->job->sink, f->job->ctx, table, row));
  }
  return FW_OK;
}

static fw_status read_best(void *user, fw_context *ctx, const fw_record *summary, const fw_sink *sink) {
  reader *c = user;
  (void)ctx, (void)summary;
  const fw_data_table *curve = fw_frf_curve(c->f, sink);
  const fw_model *model = c->model;
  for (int i = 0; i < c->f->level_count; i++)
    for (int p = 0; p < model->pair_count; p++) FW_TRY(tell_pair(c, curve, model->pairs[p], c->f->levels[i]));
  c->row = 0;
  for (int i = 0; model->pair_count == 1 && i < c->f->level_count; i++)
    FW_TRY(tell_criteria(c, curve, model->pairs[0], c->f->levels[i]));
  return copy_curve(c->f, curve);
}

fw_status fw_frf_tell_contact(fw_frf_fit *f, const fw_fit *fit) {
  fw_built *built = NULL;
  FW_TRY(fw_frf_compute(f, f->job->ctx, fit->p));
  FW_TRY(fw_varied_deck_set(&f->varied, fit->p));
  FW_TRY(fw_deck_build(f->job->ctx, f->varied.deck, &built));
  reader c = {.f = f, .model = built->model};
  fw_status status = fw_varied_deck_run(&f->varied, fit->p, f->curve, read_best, &c);
  fw_built_destroy(&built);
  return status;
}
