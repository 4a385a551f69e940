/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of a deck from resonances measured at several levels of the drive: the curve of resonances that harmonic
 * balance computes is made to meet them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/figures.h"
#include "contact/friction/vary.h"
#include "contact/pair.h"
#include "core/unknown.h"
#include "identify/posterior_report.h"
#include "identify/report.h"
#include "identify/targets.h"
#include "identify/varied.h"

static const fw_param frf_params[] = {
    {"analysis", FW_PARAM_REF, "", NULL, 0, 0, "analysis", "a <resonance>, whose curve is to meet the data"},
    {"parameters", FW_PARAM_REFS, "", NULL, 0, 0, "parameter", "parameters to be found; each has min and max"},
    {"harmonics", FW_PARAM_INTEGER, "", "1", 1, 99, NULL, "how many harmonics of <harmonics> count"},
    {"frequency-percent", FW_PARAM_NUMBER, "", "0.5", 1e-9, 100, NULL,
     "deviation that is assumed of frequencies whose data give none"},
    {"amplitude-percent", FW_PARAM_NUMBER, "", "10", 1e-9, 1000, NULL, "the same of amplitudes"},
    {"search", FW_PARAM_CHOICE, "", "both", 0, 0, FW_FIT_SEARCHES,
     "simplex, Levenberg-Marquardt, or one after the other"},
    {"starts", FW_PARAM_INTEGER, "", "1", 1, 1000, NULL, "searches from so many places within the bounds"},
    {"seed", FW_PARAM_INTEGER, "", "1", 0, 2147483647, NULL, "of these places"},
    {"evaluations", FW_PARAM_INTEGER, "", "200", 1, 1000000, NULL, "at most so many curves in each search"},
    {"leave-out", FW_PARAM_FLAG, "", "no", 0, 0, NULL, "each level in turn is left out and foretold from the others"},
    {"profiles", FW_PARAM_FLAG, "", "no", 0, 0, NULL, "the misfit along each parameter, the others fitted anew"},
    {"posterior", FW_PARAM_INTEGER, "", "0", 0, 1000000, NULL,
     "after the fit, steps of walkers that sample the posterior of the parameters, and a quarter as many before them "
     "that "
     "do not count; 0: none"},
    {"walkers", FW_PARAM_INTEGER, "", "auto", 4, 100000, "auto", "how many walk; auto: six for each parameter"},
    {0}};

enum { BANDS = 20 }; /* levels at which the curve is foretold */

typedef struct frf {
  fw_identify_job *job;
  const char *analysis, *response; /* the curve's, and the sensor that defines its resonances */
  fw_targets targets;
  fw_varied_deck varied;
  fw_fit_problem problem;
  fw_fit_options options;
  double without;                           /* level whose targets do not count; NaN: all do */
  double *computed;                         /* [targets] of the last run */
  double *lifts;                            /* [targets] part of the period in which some contact is open there */
  double reach;                             /* largest level of the last curve */
  double levels[BANDS], frequencies[BANDS]; /* of the last curve, from the least level of the targets to the largest */
} frf;

/* ---- the analysis ------------------------------------------------------------------------ */

static const fw_item *find_analysis(const fw_built *built, const char *id) {
  for (int i = 0; built->analyses && i < built->analyses->child_count; i++)
    if (strcmp(fw_args_text(&built->analyses->children[i].args, "id"), id) == 0) return &built->analyses->children[i];
  return NULL;
}

static void choose_levels(frf *f) {
  double low = INFINITY, high = 0.0;
  for (int i = 0; i < f->targets.count; i++) {
    low = fmin(low, f->targets.list[i].level);
    high = fmax(high, f->targets.list[i].level);
  }
  for (int i = 0; i < BANDS; i++) f->levels[i] = low + (high - low) * i / (BANDS - 1);
}

static fw_status open_job(fw_identify_job *job, frf *f) {
  const fw_args *args = job->args;
  *f = (frf){.job = job, .analysis = fw_args_text(args, "analysis"), .without = NAN};
  const fw_item *analysis = find_analysis(job->built, f->analysis);
  if (!analysis || strcmp(analysis->name, "resonance") != 0)
    return fw_fail_at(job->ctx, FW_ERR_DECK, args->place, "attribute 'analysis': '%s' is no <resonance>", f->analysis);
  f->response = fw_args_text(&analysis->entry_args, "response");
  const fw_targets_wish wish = {.response = f->response,
                                .harmonics = fw_args_integer(args, "harmonics"),
                                .frequency_percent = fw_args_number(args, "frequency-percent"),
                                .amplitude_percent = fw_args_number(args, "amplitude-percent")};
  FW_TRY(fw_targets_read(job, &wish, &f->targets));
  size_t n = (size_t)f->targets.count;
  FW_TRY(fw_alloc(job->ctx, n, sizeof *f->computed, &f->computed));
  FW_TRY(fw_alloc(job->ctx, n, sizeof *f->lifts, &f->lifts));
  choose_levels(f);
  return fw_varied_deck_open(job, fw_args_text(args, "parameters"), &f->varied);
}

static void close_job(frf *f) {
  fw_varied_deck_close(&f->varied);
  fw_targets_clear(&f->targets);
  free(f->computed);
  free(f->lifts);
}

static fw_status frf_check(fw_identify_job *job) {
  frf f;
  fw_status status = open_job(job, &f);
  close_job(&f);
  return status;
}

/* ---- the curve against the targets ------------------------------------------------------- */

/* The largest open fraction of any pair where the curve passes a level. */
static double lifting(const fw_data_table *curve, double level) {
  double most = 0.0;
  for (int c = 0; c < curve->columns; c++) {
    const char *dot = strrchr(curve->column_names[c], '.');
    if (!dot || strcmp(dot, ".open_fraction") != 0) continue;
    double part = fw_resonance_curve_at(curve, curve->column_names[c], level);
    if (part > most) most = part;
  }
  return most;
}

static const fw_data_table *curve_of(const frf *f, const fw_sink *sink) {
  for (int i = 0; i < sink->table_count; i++)
    if (strcmp(sink->tables[i]->analysis, f->analysis) == 0 && fw_data_table_column(sink->tables[i], "level") >= 0 &&
        fw_data_table_column(sink->tables[i], "frequency") >= 0)
      return sink->tables[i];
  return NULL;
}

static fw_status read_curve(void *user, fw_context *ctx, const fw_record *summary, const fw_sink *sink) {
  frf *f = user;
  (void)summary;
  const fw_data_table *curve = curve_of(f, sink);
  if (!curve || curve->rows == 0) return fw_fail(ctx, FW_ERR_ANALYSIS, "%s has left no curve", f->analysis);
  f->reach = fw_resonance_curve_reach(curve);
  for (int i = 0; i < f->targets.count; i++) {
    f->computed[i] = fw_resonance_curve_at(curve, f->targets.list[i].column, f->targets.list[i].level);
    f->lifts[i] = lifting(curve, f->targets.list[i].level);
  }
  for (int i = 0; i < BANDS; i++) f->frequencies[i] = fw_resonance_curve_at(curve, "frequency", f->levels[i]);
  return FW_OK;
}

/* In deviations. A level that the curve does not reach counts as far off, the farther the more it lacks, so that a
 * search finds its way to where there is a resonance at all. */
static fw_status frf_residual(void *user, fw_context *ctx, const double *p, double *r) {
  const double far = 30.0;
  frf *f = user;
  (void)ctx;
  FW_TRY(fw_varied_deck_run(&f->varied, p, f->analysis, read_curve, f));
  for (int i = 0; i < f->targets.count; i++) {
    const fw_target *t = &f->targets.list[i];
    r[i] = isfinite(f->computed[i]) ? (f->computed[i] - t->value) / t->deviation
                                    : far * (1.0 + fmax(t->level / f->reach - 1.0, 0.0));
    if (t->level == f->without) r[i] = 0.0;
  }
  return FW_OK;
}

static void state_problem(frf *f) {
  const fw_args *args = f->job->args;
  f->problem = (fw_fit_problem){.parameters = f->varied.count,
                                .residuals = f->targets.count,
                                .list = f->varied.list,
                                .user = f,
                                .residual = frf_residual,
                                .step = 2e-4};
  f->options = (fw_fit_options){.search = (fw_fit_search)fw_args_integer(args, "search"),
                                .starts = fw_args_integer(args, "starts"),
                                .seed = (unsigned long)fw_args_integer(args, "seed"),
                                .most = fw_args_integer(args, "evaluations"),
                                .tolerance = 1e-5,
                                .rank_least = 1e-4, /* of a curve with its own tolerance */
                                .progress = f->job->id};
}

/* ---- what is told ------------------------------------------------------------------------ */

static fw_status tell_target(frf *f, int i) {
  const fw_target *t = &f->targets.list[i];
  fw_record *to = f->job->summary;
  bool there = isfinite(f->computed[i]);
  double off = there ? 100.0 * (f->computed[i] / t->value - 1.0) : fw_unknown();
  FW_TRY(fw_record_set_number(to, t->level, "targets[%d].level", i));
  FW_TRY(fw_record_set_text(to, t->column, "targets[%d].quantity", i));
  FW_TRY(fw_record_set_number(to, t->value, "targets[%d].measured", i));
  FW_TRY(fw_record_set_number(to, there ? f->computed[i] : fw_unknown(), "targets[%d].computed", i));
  FW_TRY(fw_record_set_number(to, off, "targets[%d].difference_percent", i));
  FW_TRY(fw_record_set_number(to, t->deviation, "targets[%d].deviation", i));
  FW_TRY(fw_record_set_text(to, t->assumed ? "assumed" : "given", "targets[%d].deviation_source", i));
  if (there && f->lifts[i] > 0.0)
    FW_TRY(fw_identify_warn(f->job, "%s at level %g is not met: the contact lifts in %.1f %% of the period", t->column,
                            t->level, 100.0 * f->lifts[i]));
  if (there) return FW_OK;
  return fw_identify_warn(f->job, "%s at level %g is not met: the curve ends at level %g", t->column, t->level,
                          f->reach);
}

/* Root mean square of relative differences of the frequencies. */
static fw_status tell_targets(frf *f) {
  double sum = 0.0;
  int count = 0;
  for (int i = 0; i < f->targets.count; i++) {
    FW_TRY(tell_target(f, i));
    if (strcmp(f->targets.list[i].column, "frequency") != 0 || !isfinite(f->computed[i])) continue;
    sum += pow(100.0 * (f->computed[i] / f->targets.list[i].value - 1.0), 2);
    count++;
  }
  return count ? fw_record_set_number(f->job->summary, sqrt(sum / count), "frequency_rms_percent") : FW_OK;
}

static fw_status tell_criterion(frf *f, const fw_fit *fit) {
  int n = fit->residuals, k = fit->parameters;
  if (n <= k + 1)
    return fw_identify_warn(f->job, "%d figures do not rank a law of %d parameters: no information criterion", n, k);
  return fw_record_set_number(f->job->summary, fit->squares + 2.0 * k + 2.0 * k * (k + 1.0) / (n - k - 1.0), "aicc");
}

/* ---- the contact at each level ----------------------------------------------------------- */

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

typedef struct contact_reader {
  frf *f;
  const fw_model *model; /* at what was found */
  int row;
} contact_reader;

/* sigma-1 |v| over 4 s(v) at the largest velocity: above 1 the law feeds energy in. NaN: a law without sigma-1. */
static double passivity(const fw_friction *law, double v, double N) {
  double sigma = law_number(law, (const char *const[]){"sigma-1", NULL});
  double mu_s = law_number(law, (const char *const[]){"mu-s", NULL});
  double mu_c = law_number(law, (const char *const[]){"mu-c", NULL});
  double v_s = law_number(law, (const char *const[]){"v-s", NULL});
  double s = mu_c + (mu_s - mu_c) * exp(-pow(v / v_s, 2));
  bool normalised = strcmp(law->ops->entry.name, "lugre-normalised") == 0;
  return sigma * v / (4.0 * s * (normalised ? 1.0 : N));
}

static double contact_figure(const fw_data_table *curve, const char *pair, const char *name, double level) {
  char column[160];
  snprintf(column, sizeof column, "%.80s.%.60s", pair, name);
  return fw_resonance_curve_at(curve, column, level);
}

static fw_status tell_law(contact_reader *c, const fw_pair *pair, double level, double v, double T, double N) {
  fw_record *to = c->f->job->summary;
  int laws;
  const fw_friction *law = fw_friction_parts(&pair->friction, &laws);
  if (laws != 1) return FW_OK; /* the limit is that of a single law */
  double mu = law_number(law, (const char *const[]){"mu-s", "mu", "mu-c", NULL}), part = passivity(law, v, N);
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

static const char *response_unit(const contact_reader *c, const fw_data_table *curve) {
  char name[160];
  snprintf(name, sizeof name, "%.140s.amplitude", c->f->response);
  int column = fw_data_table_column(curve, name);
  return column < 0 ? "" : curve->column_units[column];
}

/* A damper that would dissipate as much at the same slip: P = c (omega u)^2/2. */
static fw_status tell_contact(contact_reader *c, const fw_data_table *curve, const fw_pair *pair, double level) {
  fw_record *to = c->f->job->summary;
  static const fw_contact_figure_index which[] = {FW_SLIP_AMPLITUDE, FW_SLIP_VELOCITY_MAX, FW_TANGENTIAL_MAX,
                                                  FW_NORMAL_MAX,     FW_NORMAL_MIN,        FW_DISSIPATED_POWER};
  double values[6], omega = 2.0 * M_PI * fw_resonance_curve_at(curve, "frequency", level);
  for (int k = 0; k < 6; k++) values[k] = contact_figure(curve, pair->id, fw_contact_figures[which[k]].name, level);
  if (!isfinite(values[0])) return FW_OK;
  FW_TRY(fw_record_set_number(to, level, "contact[%d].level", c->row));
  FW_TRY(fw_record_set_text(to, pair->id, "contact[%d].pair", c->row));
  double amplitude = contact_figure(curve, c->f->response, "amplitude", level);
  if (isfinite(amplitude))
    FW_TRY(fw_record_set_figure(to, amplitude, response_unit(c, curve), "contact[%d].response.amplitude", c->row));
  for (int k = 0; k < 6; k++) {
    const fw_contact_figure *figure = &fw_contact_figures[which[k]];
    FW_TRY(fw_record_set_figure(to, values[k], figure->unit, "contact[%d].%s", c->row, figure->name));
  }
  double damper = 2.0 * values[5] / pow(omega * values[0], 2);
  if (isfinite(damper)) FW_TRY(fw_record_set_number(to, damper, "contact[%d].equivalent_damper", c->row));
  FW_TRY(fw_record_set_text(to, "N s/m", "units.equivalent_damper"));
  if (damper < 0.0)
    FW_TRY(fw_identify_warn(c->f->job, "%s at level %g feeds energy in: its equivalent damper is %g N s/m", pair->id,
                            level, damper));
  FW_TRY(tell_law(c, pair, level, values[1], values[2], values[3]));
  c->row++;
  return FW_OK;
}

static fw_status read_contact(void *user, fw_context *ctx, const fw_record *summary, const fw_sink *sink) {
  contact_reader *c = user;
  FW_TRY(read_curve(c->f, ctx, summary, sink));
  const fw_data_table *curve = curve_of(c->f, sink);
  for (int i = 0; i < c->f->targets.count; i++) {
    double level = c->f->targets.list[i].level;
    bool again = false;
    for (int k = 0; k < i; k++) again |= c->f->targets.list[k].level == level;
    for (int p = 0; !again && p < c->model->pair_count; p++) FW_TRY(tell_contact(c, curve, c->model->pairs[p], level));
  }
  return FW_OK;
}

/* The curve where the fit ended, as a table of its own. */
static fw_status copy_curve(frf *f, const fw_data_table *curve) {
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
  contact_reader *c = user;
  FW_TRY(read_contact(c, ctx, summary, sink));
  return copy_curve(c->f, curve_of(c->f, sink));
}

static fw_status tell_best(frf *f, const fw_fit *fit) {
  fw_built *built = NULL;
  FW_TRY(fw_varied_deck_set(&f->varied, fit->p));
  FW_TRY(fw_deck_build(f->job->ctx, f->varied.deck, &built));
  contact_reader reader = {.f = f, .model = built->model};
  fw_status status = fw_varied_deck_run(&f->varied, fit->p, f->analysis, read_best, &reader);
  fw_built_destroy(&built);
  return status;
}

static fw_status write_resonances(frf *f) {
  static const fw_column columns[] = {{"level", ""}, {"measured", "Hz"}, {"computed", "Hz"}};
  fw_data_table *table;
  FW_TRY(fw_sink_table(f->job->sink, f->job->ctx, f->job->id, "resonances", columns, 3, false, &table));
  for (int i = 0; i < f->targets.count; i++) {
    const fw_target *t = &f->targets.list[i];
    if (strcmp(t->column, "frequency") != 0) continue;
    const double row[] = {t->level, t->value, isfinite(f->computed[i]) ? f->computed[i] : fw_unknown()};
    FW_TRY(fw_sink_row(f->job->sink, f->job->ctx, table, row));
  }
  return FW_OK;
}

/* ---- levels left out --------------------------------------------------------------------- */

static fw_status foretell(frf *f, const fw_fit *best, double level, int row) {
  fw_fit_parameter list[FW_VARIED_MOST];
  fw_fit_problem problem = f->problem;
  fw_fit_options options = f->options;
  fw_fit fit;
  memcpy(list, f->varied.list, sizeof list);
  for (int k = 0; k < problem.parameters; k++) list[k].start = best->p[k];
  problem.list = list;
  options.search = FW_FIT_LEVENBERG_MARQUARDT;
  options.starts = 1;
  f->without = level;
  fw_status status = fw_fit_run(f->job->ctx, &problem, &options, &fit);
  f->without = NAN;
  FW_TRY(status);
  status = fw_varied_deck_run(&f->varied, fit.p, f->analysis, read_curve, f);
  FW_TRY(fw_record_set_number(f->job->summary, level, "left_out[%d].level", row));
  for (int k = 0; k < fit.parameters; k++)
    FW_TRY(fw_record_set_number(f->job->summary, fit.p[k], "left_out[%d].%s", row, list[k].name));
  for (int i = 0; status == FW_OK && i < f->targets.count; i++) {
    const fw_target *t = &f->targets.list[i];
    if (t->level != level || strcmp(t->column, "frequency") != 0) continue;
    FW_TRY(fw_record_set_number(f->job->summary, t->value, "left_out[%d].measured", row));
    if (!isfinite(f->computed[i])) continue;
    FW_TRY(fw_record_set_number(f->job->summary, f->computed[i], "left_out[%d].foretold", row));
    FW_TRY(fw_record_set_number(f->job->summary, 100.0 * (f->computed[i] / t->value - 1.0),
                                "left_out[%d].difference_percent", row));
  }
  fw_fit_clear(&fit);
  return status;
}

static fw_status leave_out(frf *f, const fw_fit *best) {
  int row = 0;
  for (int i = 0; i < f->targets.count; i++) {
    bool again = false;
    for (int k = 0; k < i; k++) again |= f->targets.list[k].level == f->targets.list[i].level;
    if (!again) FW_TRY(foretell(f, best, f->targets.list[i].level, row++));
  }
  return FW_OK;
}

/* ---- the posterior ----------------------------------------------------------------------- */

static void read_frequencies(const void *user, double *values) {
  const frf *f = user;
  memcpy(values, f->frequencies, sizeof f->frequencies);
}

static int count_walkers(const frf *f) {
  int asked = fw_args_integer(f->job->args, "walkers"), least = 2 * (f->varied.count + 1);
  int walkers = asked > 0 ? asked + asked % 2 : 6 * f->varied.count;
  return walkers > least ? walkers : least;
}

static fw_status find_posterior(frf *f, const fw_fit *fit) {
  int steps = fw_args_integer(f->job->args, "posterior");
  fw_posterior_wish wish = {.problem = &f->problem,
                            .fit = fit,
                            .walkers = count_walkers(f),
                            .skip = (steps + 3) / 4,
                            .steps = steps,
                            .seed = f->options.seed,
                            .workers = f->job->workers,
                            .extras = BANDS,
                            .extra = read_frequencies,
                            .progress = f->job->id};
  fw_ensemble ensemble;
  FW_TRY(fw_posterior_run(f->job->ctx, &wish, &ensemble));
  fw_status status = fw_posterior_tell(f->job, &f->problem, &ensemble);
  if (status == FW_OK) status = fw_posterior_bands(f->job, &ensemble, (fw_column){"level", ""}, f->levels, "Hz");
  fw_ensemble_clear(&ensemble);
  return status;
}

/* ---- the whole --------------------------------------------------------------------------- */

static fw_status tell_all(frf *f, const fw_fit *fit) {
  fw_fit_report report = {"", &f->problem, &f->options, fit, fw_args_flag(f->job->args, "profiles")};
  FW_TRY(fw_fit_tell(f->job, &report));
  FW_TRY(tell_best(f, fit));
  FW_TRY(tell_targets(f));
  FW_TRY(tell_criterion(f, fit));
  FW_TRY(write_resonances(f));
  return fw_args_flag(f->job->args, "leave-out") ? leave_out(f, fit) : FW_OK;
}

static fw_status frf_run(fw_identify_job *job) {
  frf f;
  fw_fit fit = {0};
  fw_status status;
  FW_TRY_DONE(open_job(job, &f));
  state_problem(&f);
  FW_TRY_DONE(fw_fit_run(job->ctx, &f.problem, &f.options, &fit));
  FW_TRY_DONE(tell_all(&f, &fit));
  if (fw_args_integer(job->args, "posterior") > 0) FW_TRY_DONE(find_posterior(&f, &fit));
done:
  fw_fit_clear(&fit);
  close_job(&f);
  return status;
}

extern const fw_method_ops fw_method_frf;
const fw_method_ops fw_method_frf = {
    .entry = {"frf", "parameters of the deck from resonances and harmonics measured at several levels",
              "least squares of (computed - measured)/deviation along the curve of resonances", "", frf_params},
    .check = frf_check,
    .run = frf_run};
