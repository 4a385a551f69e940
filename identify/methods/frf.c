/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of a deck from resonances and responses measured at several levels of the drive: the curves that harmonic
 * balance computes are made to meet them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/unknown.h"
#include "identify/frf_fit.h"
#include "identify/posterior_report.h"

static const fw_param frf_params[] = {
    {"analysis", FW_PARAM_REF, "", NULL, 0, 0, "analysis", "a <resonance>, whose curve is to meet the data"},
    {"curves", FW_PARAM_REF, "", "", 0, 0, "analysis",
     "an <frf>, whose curves are to meet the data of <frf> and bandwidths"},
    {"parameters", FW_PARAM_REFS, "", NULL, 0, 0, "parameter", "parameters to be found; each has min and max"},
    {"harmonics", FW_PARAM_INTEGER, "", "1", 1, 99, NULL, "how many harmonics of <harmonics> count"},
    {"frequency-percent", FW_PARAM_NUMBER, "", "0.5", 1e-9, 100, NULL,
     "deviation that is assumed of frequencies whose data give none"},
    {"amplitude-percent", FW_PARAM_NUMBER, "", "10", 1e-9, 1000, NULL, "the same of amplitudes and bandwidths"},
    {"phase-degrees", FW_PARAM_NUMBER, "deg", "5", 1e-9, 180, NULL, "the same of phases, in degrees"},
    {"search", FW_PARAM_CHOICE, "", "both", 0, 0, FW_FIT_SEARCHES,
     "simplex, Levenberg-Marquardt, or one after the other"},
    {"starts", FW_PARAM_INTEGER, "", "1", 1, 1000, NULL, "searches from so many places within the bounds"},
    {"seed", FW_PARAM_INTEGER, "", "1", 0, 2147483647, NULL, "of these places"},
    {"evaluations", FW_PARAM_INTEGER, "", "200", 1, 1000000, NULL, "at most so many curves in each search"},
    {"leave-out", FW_PARAM_FLAG, "", "no", 0, 0, NULL, "each level in turn is left out and foretold from the others"},
    {"passive", FW_PARAM_FLAG, "", "no", 0, 0, NULL,
     "only laws that take energy out count: sigma-1 |v| at most 4 s(v) along the orbits"},
    {"trade", FW_PARAM_INTEGER, "", "0", 0, 1000, NULL,
     "after the fit, so many more in which amplitudes count from ten times as much to a tenth; 0: none"},
    {"bound", FW_PARAM_NUMBER, "", "0", 0, 50, NULL,
     "least amplitude at each measured resonance of any contact of non-negative stiffness and damping, within so many "
     "per cent of its frequency; 0: not asked for"},
    {"profiles", FW_PARAM_FLAG, "", "no", 0, 0, NULL, "the misfit along each parameter, the others fitted anew"},
    {"posterior", FW_PARAM_INTEGER, "", "0", 0, 1000000, NULL,
     "after the fit, steps of walkers that sample the posterior of the parameters, and a quarter as many before them "
     "that "
     "do not count; 0: none"},
    {"walkers", FW_PARAM_INTEGER, "", "auto", 4, 100000, "auto", "how many walk; auto: six for each parameter"},
    {0}};

/* ---- the analysis ------------------------------------------------------------------------ */

static const fw_item *find_analysis(const fw_built *built, const char *id) {
  for (int i = 0; built->analyses && i < built->analyses->child_count; i++)
    if (strcmp(fw_args_text(&built->analyses->children[i].args, "id"), id) == 0) return &built->analyses->children[i];
  return NULL;
}

static fw_status choose_levels(fw_frf_fit *f) {
  double low = INFINITY, high = 0.0;
  for (int i = 0; i < f->targets.count; i++) {
    double level = f->targets.list[i].level;
    bool again = false;
    for (int k = 0; k < f->level_count; k++) again |= f->levels[k] == level;
    if (!again && f->level_count == FW_FRF_LEVELS)
      return fw_fail_at(f->job->ctx, FW_ERR_DECK, f->job->common->place, "attribute 'data': more than %d levels",
                        FW_FRF_LEVELS);
    if (!again) f->levels[f->level_count++] = level;
    low = fmin(low, level);
    high = fmax(high, level);
  }
  for (int i = 0; i < FW_FRF_BANDS; i++) f->band_levels[i] = low + (high - low) * i / (FW_FRF_BANDS - 1);
  return FW_OK;
}

static fw_status check_trade(const fw_frf_fit *f) {
  if (fw_args_integer(f->job->args, "trade") == 0) return FW_OK;
  for (int i = 0; i < f->targets.count; i++)
    if (f->targets.list[i].kind == FW_TARGET_RESONANCE && strcmp(f->targets.list[i].column, "frequency") != 0)
      return FW_OK;
  return fw_fail_at(f->job->ctx, FW_ERR_DECK, f->job->args->place,
                    "attribute 'trade': the data have no amplitudes to trade against frequencies");
}

/* The <frf> that `curves` names, whose levels are factors of the loads. */
static fw_status open_curves(fw_identify_job *job, fw_frf_fit *f) {
  if (!fw_args_given(job->args, "curves")) return FW_OK;
  const char *id = fw_args_text(job->args, "curves");
  f->curves = find_analysis(job->built, id);
  if (strcmp(f->curves->name, "frf") != 0)
    return fw_fail_at(job->ctx, FW_ERR_DECK, job->args->place, "attribute 'curves': '%s' is no <frf>", id);
  if (fw_args_integer(&f->curves->entry_args, "method") != 0 || fw_args_integer(&f->curves->entry_args, "control") != 0)
    return fw_fail_at(job->ctx, FW_ERR_DECK, job->args->place,
                      "attribute 'curves': '%s' is not by harmonic balance at constant force", id);
  return FW_OK;
}

static fw_status check_curves(const fw_frf_fit *f) {
  for (int i = 0; i < f->targets.count; i++)
    if (f->targets.list[i].kind != FW_TARGET_RESONANCE) return FW_OK;
  if (!f->curves) return FW_OK;
  return fw_fail_at(f->job->ctx, FW_ERR_DECK, f->job->args->place,
                    "attribute 'curves': the data have neither responses (<frf>) nor bandwidths");
}

static bool needs_locus(const fw_frf_fit *f) {
  bool asked = f->watched || fw_args_integer(f->job->args, "posterior") > 0;
  for (int i = 0; i < f->targets.count; i++) asked |= f->targets.list[i].kind == FW_TARGET_RESONANCE;
  return asked;
}

static fw_status open_job(fw_identify_job *job, fw_frf_fit *f) {
  const fw_args *args = job->args;
  *f = (fw_frf_fit){.job = job, .curve = fw_args_text(args, "analysis"), .without = NAN, .weight = 1.0, .steep = 200.0};
  f->passive = fw_args_flag(args, "passive");
  f->watched = f->passive || fw_args_integer(args, "trade") > 0;
  f->analysis = find_analysis(job->built, f->curve);
  if (!f->analysis || strcmp(f->analysis->name, "resonance") != 0)
    return fw_fail_at(job->ctx, FW_ERR_DECK, args->place, "attribute 'analysis': '%s' is no <resonance>", f->curve);
  f->response = fw_args_text(&f->analysis->entry_args, "response");
  FW_TRY(open_curves(job, f));
  const fw_targets_options options = {.response = f->response,
                                      .curves = f->curves,
                                      .harmonics = fw_args_integer(args, "harmonics"),
                                      .frequency_percent = fw_args_number(args, "frequency-percent"),
                                      .amplitude_percent = fw_args_number(args, "amplitude-percent"),
                                      .phase_degrees = fw_args_number(args, "phase-degrees")};
  FW_TRY(fw_targets_read(job, &options, &f->targets));
  size_t n = (size_t)f->targets.count;
  FW_TRY(fw_alloc(job->ctx, n, sizeof *f->computed, &f->computed));
  FW_TRY(fw_alloc(job->ctx, n, sizeof *f->lifts, &f->lifts));
  FW_TRY(fw_alloc(job->ctx, n, sizeof *f->frequencies, &f->frequencies));
  for (size_t i = 0; i < n; i++) f->frequencies[i] = f->targets.list[i].frequency;
  FW_TRY(choose_levels(f));
  FW_TRY(check_trade(f));
  FW_TRY(check_curves(f));
  f->needs_locus = needs_locus(f);
  FW_TRY(fw_varied_deck_open(job, fw_args_text(args, "parameters"), &f->varied));
  return fw_alloc(job->ctx, (n + (size_t)f->level_count) * (size_t)f->varied.count, sizeof *f->slopes, &f->slopes);
}

static void close_job(fw_frf_fit *f) {
  fw_varied_deck_close(&f->varied);
  fw_targets_clear(&f->targets);
  free(f->computed);
  free(f->figures);
  free(f->lifts);
  free(f->frequencies);
  free(f->slopes);
  fw_law_chains_clear(&f->chains);
}

static fw_status frf_check(fw_identify_job *job) {
  fw_frf_fit f;
  fw_status status = open_job(job, &f);
  if (status == FW_OK && fw_args_number(job->args, "bound") > 0) status = fw_frf_bound_check(&f);
  close_job(&f);
  return status;
}

/* ---- the fit ------------------------------------------------------------------------------ */

bool fw_frf_is_met(const fw_frf_fit *f, int target) {
  return isfinite(f->computed[target]) && !(f->lifts[target] > 0.0);
}

/* In deviations. A level that the curve does not reach counts as far off, the farther the more it lacks, so that a
 * search finds its way to where there is a resonance at all; so does one at which the contact lifts. */
static double residual_of(const fw_frf_fit *f, int i) {
  const double far = 30.0;
  const fw_target *t = &f->targets.list[i];
  if (t->level == f->without) return 0.0;
  double weight = strcmp(t->column, "frequency") == 0 ? 1.0 : f->weight;
  if (fw_frf_is_met(f, i)) return weight * (f->computed[i] - t->value) / t->deviation;
  if (t->kind != FW_TARGET_RESONANCE) return far;
  return far * (1.0 + (isfinite(f->computed[i]) ? f->lifts[i] : fmax(t->level / f->reach - 1.0, 0.0)));
}

/* After those of the targets one for each level where only passive laws count. */
static fw_status frf_residual(void *user, fw_context *ctx, const double *p, double *r) {
  fw_frf_fit *f = user;
  FW_TRY(fw_frf_compute(f, ctx, p));
  for (int i = 0; i < f->targets.count; i++) r[i] = residual_of(f, i);
  for (int i = 0; f->passive && i < f->level_count; i++)
    r[f->targets.count + i] =
        isfinite(f->passivity[i]) ? f->steep * fmax(f->passivity[i] - FW_FRF_PASSIVE_EDGE, 0.0) : 0.0;
  return FW_OK;
}

static void state_problem(fw_frf_fit *f) {
  const fw_args *args = f->job->args;
  f->problem = (fw_fit_problem){.parameters = f->varied.count,
                                .residuals = f->targets.count + (f->passive ? f->level_count : 0),
                                .list = f->varied.list,
                                .user = f,
                                .residual = frf_residual,
                                .jacobian = fw_frf_jacobian,
                                .step = 2e-4,
                                .prepare = fw_frf_prepare};
  f->options = (fw_fit_options){.search = (fw_fit_search)fw_args_integer(args, "search"),
                                .starts = fw_args_integer(args, "starts"),
                                .seed = (unsigned long)fw_args_integer(args, "seed"),
                                .most = fw_args_integer(args, "evaluations"),
                                .tolerance = 1e-5,
                                .rank_least = 1e-4, /* of a curve with its own tolerance */
                                .progress = f->job->id,
                                .workers = f->job->workers};
}

static double most_passivity(const fw_frf_fit *f) {
  double most = 0.0;
  for (int i = 0; f->passive && i < f->level_count; i++) most = fmax(most, f->passivity[i]);
  return most;
}

fw_status fw_frf_search(fw_frf_fit *f, fw_context *ctx, const fw_fit_options *options, double *p, fw_fit *fit) {
  enum { ROUNDS = 4 };
  fw_fit_parameter list[FW_VARIED_MOST];
  fw_fit_problem problem = f->problem;
  fw_fit_options again = *options;
  double steep = f->steep;
  fw_status status;
  memcpy(list, f->varied.list, sizeof list);
  problem.list = list;
  for (int round = 0;; round++) {
    for (int k = 0; k < problem.parameters; k++) list[k].start = p[k];
    status = fw_fit_run(ctx, &problem, &again, fit);
    if (status != FW_OK) break;
    memcpy(p, fit->p, (size_t)problem.parameters * sizeof *p);
    status = fw_frf_compute(f, ctx, p);
    if (status != FW_OK || most_passivity(f) <= 1.0 || round == ROUNDS) break;
    fw_fit_clear(fit);
    f->steep *= 10.0;
    again.search = FW_FIT_LEVENBERG_MARQUARDT;
    again.starts = 1;
  }
  f->steep = steep;
  return status;
}

/* ---- what is told ------------------------------------------------------------------------ */

static fw_status warn_of_target(fw_frf_fit *f, int i) {
  const fw_target *t = &f->targets.list[i];
  if (isfinite(f->computed[i]) && f->lifts[i] > 0.0)
    return fw_identify_warn(f->job, "%s at level %g is not met: the contact lifts in %.1f %% of the period", t->column,
                            t->level, 100.0 * f->lifts[i]);
  if (isfinite(f->computed[i])) return FW_OK;
  if (t->kind == FW_TARGET_BANDWIDTH)
    return fw_identify_warn(f->job, "bandwidth at level %g is not met: the computed peak has no half-power points",
                            t->level);
  return fw_identify_warn(f->job, "%s at level %g is not met: the curve ends at level %g", t->column, t->level,
                          f->reach);
}

/* Target i as entry `row`. */
static fw_status tell_target(fw_frf_fit *f, int i, int row) {
  const fw_target *t = &f->targets.list[i];
  fw_record *to = f->job->summary;
  bool there = isfinite(f->computed[i]);
  double off = there ? 100.0 * (f->computed[i] / t->value - 1.0) : fw_unknown();
  FW_TRY(fw_record_set_number(to, t->level, "targets[%d].level", row));
  FW_TRY(fw_record_set_text(to, t->column, "targets[%d].quantity", row));
  FW_TRY(fw_record_set_number(to, t->value, "targets[%d].measured", row));
  FW_TRY(fw_record_set_number(to, there ? f->computed[i] : fw_unknown(), "targets[%d].computed", row));
  FW_TRY(fw_record_set_number(to, off, "targets[%d].difference_percent", row));
  FW_TRY(fw_record_set_number(to, t->deviation, "targets[%d].deviation", row));
  FW_TRY(fw_record_set_text(to, t->assumed ? "assumed" : "given", "targets[%d].deviation_source", row));
  return warn_of_target(f, i);
}

double fw_frf_rms_percent(const fw_frf_fit *f, bool frequencies) {
  double sum = 0.0;
  int count = 0;
  for (int i = 0; i < f->targets.count; i++) {
    if (f->targets.list[i].kind == FW_TARGET_RESPONSE || !fw_frf_is_met(f, i)) continue;
    if ((strcmp(f->targets.list[i].column, "frequency") == 0) != frequencies) continue;
    sum += pow(100.0 * (f->computed[i] / f->targets.list[i].value - 1.0), 2);
    count++;
  }
  return count ? sqrt(sum / count) : NAN;
}

static fw_status tell_targets(fw_frf_fit *f) {
  int missed = 0, row = 0;
  for (int i = 0; i < f->targets.count; i++) {
    if (f->targets.list[i].kind != FW_TARGET_RESPONSE) FW_TRY(tell_target(f, i, row++));
    missed += !fw_frf_is_met(f, i);
  }
  FW_TRY(fw_frf_tell_responses(f));
  double frequencies = fw_frf_rms_percent(f, true), others = fw_frf_rms_percent(f, false);
  FW_TRY(fw_record_set_number(f->job->summary, missed, "targets_not_met"));
  if (!isnan(frequencies)) FW_TRY(fw_record_set_number(f->job->summary, frequencies, "frequency_rms_percent"));
  return isnan(others) ? FW_OK : fw_record_set_number(f->job->summary, others, "amplitude_rms_percent");
}

/* Akaike's, corrected for few figures, and Schwarz's, of Gaussian errors whose deviations are known. */
static fw_status tell_criterion(fw_frf_fit *f, const fw_fit *fit) {
  int n = f->targets.count, k = fit->parameters;
  FW_TRY(fw_record_set_number(f->job->summary, n, "figures"));
  if (n <= k + 1)
    return fw_identify_warn(f->job, "%d figures do not rank a law of %d parameters: no information criterion", n, k);
  FW_TRY(fw_record_set_number(f->job->summary, fit->squares + k * log(n), "bic"));
  return fw_record_set_number(f->job->summary, fit->squares + 2.0 * k + 2.0 * k * (k + 1.0) / (n - k - 1.0), "aicc");
}

static fw_status write_resonances(fw_frf_fit *f) {
  static const fw_column columns[] = {{"level", ""}, {"measured", "Hz"}, {"computed", "Hz"}};
  fw_data_table *table;
  if (isnan(fw_frf_rms_percent(f, true))) return FW_OK; /* no frequencies */
  FW_TRY(fw_sink_table(f->job->sink, f->job->ctx, f->job->id, "resonances", columns, 3, false, &table));
  for (int i = 0; i < f->targets.count; i++) {
    const fw_target *t = &f->targets.list[i];
    if (strcmp(t->column, "frequency") != 0) continue;
    const double row[] = {t->level, t->value, isfinite(f->computed[i]) ? f->computed[i] : fw_unknown()};
    FW_TRY(fw_sink_row(f->job->sink, f->job->ctx, table, row));
  }
  return FW_OK;
}

/* ---- the posterior ----------------------------------------------------------------------- */

/* Frequencies of the resonances, then every target. */
static void read_foretold(const void *user, double *values) {
  const fw_frf_fit *f = user;
  memcpy(values, f->band_frequencies, sizeof f->band_frequencies);
  for (int i = 0; i < f->targets.count; i++)
    values[FW_FRF_BANDS + i] = isfinite(f->computed[i]) ? f->computed[i] : fw_unknown();
}

/* Bands of what is foretold: resonances against level, and each response. */
static fw_status tell_bands(fw_frf_fit *f, const fw_ensemble *ensemble) {
  const fw_band resonances = {"bands", {"level", ""}, "Hz", f->band_levels, 0, FW_FRF_BANDS};
  FW_TRY(fw_posterior_band(f->job, ensemble, &resonances));
  for (int i = 0, count; i < f->targets.count; i += count) {
    const fw_target *t = &f->targets.list[i];
    char name[FW_TARGET_NAME + 40];
    count = fw_frf_response_count(f, i);
    if (t->kind != FW_TARGET_RESPONSE) continue;
    snprintf(name, sizeof name, "bands-%g-%s", t->level, t->column);
    const fw_band response = {name, {"frequency", "Hz"}, t->unit, f->frequencies + i, FW_FRF_BANDS + i, count};
    FW_TRY(fw_posterior_band(f->job, ensemble, &response));
  }
  return FW_OK;
}

static int count_walkers(const fw_frf_fit *f) {
  int asked = fw_args_integer(f->job->args, "walkers"), least = 2 * (f->varied.count + 1);
  int walkers = asked > 0 ? asked + asked % 2 : 6 * f->varied.count;
  return walkers > least ? walkers : least;
}

static fw_status find_posterior(fw_frf_fit *f, const fw_fit *fit) {
  int steps = fw_args_integer(f->job->args, "posterior");
  char what[128];
  snprintf(what, sizeof what, "%.100s: posterior", f->job->id);
  fw_posterior_options options = {.problem = &f->problem,
                                  .fit = fit,
                                  .walkers = count_walkers(f),
                                  .skip = (steps + 3) / 4,
                                  .steps = steps,
                                  .seed = f->options.seed,
                                  .extras = FW_FRF_BANDS + f->targets.count,
                                  .extra = read_foretold,
                                  .progress = what};
  fw_ensemble ensemble;
  FW_TRY(fw_posterior_run(f->job->ctx, &options, &ensemble));
  fw_status status = fw_posterior_tell(f->job, &f->problem, &ensemble);
  if (status == FW_OK) status = tell_bands(f, &ensemble);
  fw_ensemble_clear(&ensemble);
  return status;
}

/* ---- the whole --------------------------------------------------------------------------- */

static fw_status tell_all(fw_frf_fit *f, const fw_fit *fit) {
  fw_fit_report report = {"", &f->problem, &f->options, fit, fw_args_flag(f->job->args, "profiles")};
  FW_TRY(fw_fit_tell(f->job, &report));
  FW_TRY(fw_frf_tell_contact(f, fit));
  FW_TRY(tell_targets(f));
  FW_TRY(tell_criterion(f, fit));
  FW_TRY(write_resonances(f));
  if (fw_args_number(f->job->args, "bound") > 0) FW_TRY(fw_frf_bound(f, fit, fw_args_number(f->job->args, "bound")));
  if (fw_args_flag(f->job->args, "leave-out")) FW_TRY(fw_frf_leave_out(f, fit));
  int trade = fw_args_integer(f->job->args, "trade");
  return trade > 0 ? fw_frf_trade(f, fit, trade) : FW_OK;
}

static fw_status frf_run(fw_identify_job *job) {
  fw_frf_fit f;
  fw_fit fit = {0};
  double p[FW_VARIED_MOST];
  fw_status status;
  FW_TRY_DONE(open_job(job, &f));
  FW_TRY_DONE(fw_frf_open_evaluations(&f));
  state_problem(&f);
  for (int k = 0; k < f.varied.count; k++) p[k] = f.varied.list[k].start;
  FW_TRY_DONE(fw_frf_search(&f, job->ctx, &f.options, p, &fit));
  FW_TRY_DONE(tell_all(&f, &fit));
  if (fw_args_integer(job->args, "posterior") > 0) FW_TRY_DONE(find_posterior(&f, &fit));
done:
  fw_fit_clear(&fit);
  fw_status closed = fw_evaluations_close(job->ctx, &f.evaluations);
  close_job(&f);
  return status == FW_OK ? closed : status;
}

static void frf_help(fw_identify_job *job) {
  fw_frf_fit f;
  fw_status status = open_job(job, &f);
  if (status == FW_OK) status = fw_frf_open_evaluations(&f);
  fw_evaluations_help(f.evaluations, job->ctx, job->team);
  fw_evaluations_close(job->ctx, &f.evaluations);
  close_job(&f);
}

extern const fw_method_ops fw_method_frf;
const fw_method_ops fw_method_frf = {
    .entry = {"frf", "parameters of the deck from resonances, harmonics and responses measured at several levels",
              "least squares of (computed - measured)/deviation along the curve of resonances and those of an frf", "",
              frf_params},
    .check = frf_check,
    .run = frf_run,
    .help = frf_help};
