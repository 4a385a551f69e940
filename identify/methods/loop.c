/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of friction laws from measured loops: a chain of laws, each begun at what the last has found. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/reading.h"
#include "core/sheet.h"
#include "identify/experiments.h"
#include "identify/report.h"
#include "identify/stick_slip.h"

static const fw_param loop_params[] = {
    {"experiment", FW_PARAM_CHOICE, "", "loops", 0, 0, FW_EXPERIMENTS,
     "what the records are: loops of a chain of laws; stretches of constant speeds (mu-s, mu-c, v-s, sigma-2); ramps "
     "of force until it slides (mu-s, sigma-0); small sines (sigma-0, sigma-1); the displacement of a mass that a "
     "spring pulls steadily, so that it sticks and slips (a <signals>; all numbers of one law)"},
    {"laws", FW_PARAM_TEXT, "", "", 0, 0, NULL,
     "laws in order: coulomb, dahl, stribeck, lugre, lugre-normalised, elasto-plastic, hybrid; absent: coulomb, dahl; "
     "of stick-slip: lugre"},
    {"sensor", FW_PARAM_REF, "", "", 0, 0, "sensor", "of stick-slip: which displacement, where there are several"},
    {"mass", FW_PARAM_NUMBER, "kg", "", 1e-300, 1e300, NULL, "of stick-slip: what is pulled"},
    {"stiffness", FW_PARAM_NUMBER, "N/m", "", 1e-300, 1e300, NULL, "of stick-slip: the spring that pulls"},
    {"speed", FW_PARAM_NUMBER, "m/s", "", 1e-300, 1e300, NULL, "of stick-slip: of the far end of the spring"},
    {"normal", FW_PARAM_NUMBER, "N", "", 1e-300, 1e300, NULL, "of stick-slip: normal force"},
    {"objective", FW_PARAM_CHOICE, "", "loop", 0, 0, "loop|range|extremes|energy",
     "what is compared: T at every moment, half the range (published), maximum and minimum, energy of a cycle"},
    {"search", FW_PARAM_CHOICE, "", "both", 0, 0, FW_FIT_SEARCHES,
     "simplex, Levenberg-Marquardt, or one after the other"},
    {"starts", FW_PARAM_INTEGER, "", "1", 1, 1000, NULL, "searches from so many places within the bounds"},
    {"seed", FW_PARAM_INTEGER, "", "1", 0, 2147483647, NULL, "of these places"},
    {"begin", FW_PARAM_CHOICE, "", "fresh", 0, 0, "fresh|settled",
     "the law begins as a fresh contact, or as it is after going through the record once"},
    {"parts", FW_PARAM_INTEGER, "", "1", 1, 1000, NULL, "steps of the law from each row to the next"},
    {"friction", FW_PARAM_CHOICE, "", "peak", 0, 0, "peak|preload",
     "of coulomb: max|T| over max N or over the mean of N"},
    {"hold", FW_PARAM_TEXT, "", "", 0, 0, NULL, "numbers that are not fitted: \"sigma-2=0, hybrid.k-e=5e7\""},
    {"bounds", FW_PARAM_TEXT, "", "", 0, 0, NULL, "other bounds than two decades about the start: \"sigma-0=1e5:1e9\""},
    {"profiles", FW_PARAM_FLAG, "", "yes", 0, 0, NULL, "the misfit along each parameter, the others fitted anew"},
    {0}};

enum { MOST_LAWS = 16 };

typedef struct loop_job {
  fw_identify_job *job;
  fw_loops loops;
  fw_law_fit_options options;
  fw_experiment_options experiment;
  fw_contact_guess first, guess; /* what the loops say, and what is known after the last law */
  char laws[MOST_LAWS][64];
  int count;
  double **T;    /* [count * loops.count] */
  double u_crit; /* of stribeck; NaN before */
  double least;  /* what the best law has left of T (%) */
} loop_job;

/* ---- attributes -------------------------------------------------------------------------- */

static const char *text_or_null(const fw_args *args, const char *name) {
  return fw_args_given(args, name) ? fw_args_text(args, name) : NULL;
}

static fw_status read_laws(loop_job *l) {
  char *copy, *rest = NULL;
  const char *unsaid = l->experiment.kind == FW_EXPERIMENT_STICK_SLIP ? "lugre" : "coulomb, dahl";
  const char *given = text_or_null(l->job->args, "laws");
  FW_TRY(fw_copy_text(l->job->ctx, given ? given : unsaid, &copy));
  for (char *one = strtok_r(copy, ", \t\r\n", &rest); one && l->count < MOST_LAWS;
       one = strtok_r(NULL, ", \t\r\n", &rest))
    snprintf(l->laws[l->count++], sizeof l->laws[0], "%.63s", one);
  free(copy);
  bool several = l->experiment.kind == FW_EXPERIMENT_STICK_SLIP && l->count > 1;
  if (l->count > 0 && !several) return FW_OK;
  return fw_fail_at(l->job->ctx, FW_ERR_DECK, l->job->args->place, "attribute 'laws': %s",
                    several ? "stick-slip takes one law" : "which laws?");
}

/* Attributes that an experiment does not ask are refused. */
static fw_status read_experiment(loop_job *l) {
  enum { LOOPS = 1 << FW_EXPERIMENT_LOOPS, SPEEDS = 1 << FW_EXPERIMENT_SPEEDS, PULLED = 1 << FW_EXPERIMENT_STICK_SLIP };
  static const struct {
    const char *name;
    int asked_by;
  } all[] = {{"laws", LOOPS | PULLED},
             {"objective", LOOPS},
             {"begin", LOOPS},
             {"parts", LOOPS},
             {"friction", LOOPS},
             {"bounds", LOOPS | PULLED},
             {"hold", LOOPS | SPEEDS | PULLED},
             {"search", LOOPS | SPEEDS | PULLED},
             {"starts", LOOPS | SPEEDS | PULLED},
             {"seed", LOOPS | SPEEDS | PULLED},
             {"profiles", LOOPS | SPEEDS | PULLED},
             {"sensor", PULLED},
             {"mass", PULLED},
             {"stiffness", PULLED},
             {"speed", PULLED},
             {"normal", PULLED}};
  const fw_args *args = l->job->args;
  l->experiment = (fw_experiment_options){.kind = (fw_experiment)fw_args_integer(args, "experiment"),
                                          .hold = text_or_null(args, "hold"),
                                          .profiles = fw_args_flag(args, "profiles")};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (fw_args_given(args, all[i].name) && !(all[i].asked_by & 1 << l->experiment.kind))
      return fw_fail_at(l->job->ctx, FW_ERR_DECK, args->place, "attribute '%s': has no meaning for this experiment",
                        all[i].name);
  return FW_OK;
}

/* What is asked of the fits, whatever the records are. */
static fw_status read_options(fw_identify_job *job, loop_job *l) {
  const fw_args *args = job->args;
  *l = (loop_job){.job = job, .u_crit = NAN};
  l->options = (fw_law_fit_options){.objective = (fw_loop_objective)fw_args_integer(args, "objective"),
                                    .begin = (fw_loop_begin)fw_args_integer(args, "begin"),
                                    .parts = fw_args_integer(args, "parts"),
                                    .hold = text_or_null(args, "hold"),
                                    .bounds = text_or_null(args, "bounds"),
                                    .fit = {.search = (fw_fit_search)fw_args_integer(args, "search"),
                                            .starts = fw_args_integer(args, "starts"),
                                            .seed = (unsigned long)fw_args_integer(args, "seed"),
                                            .progress = job->id,
                                            .workers = job->workers}};
  FW_TRY(read_experiment(l));
  return read_laws(l);
}

static bool is_pulled(const loop_job *l) { return l->experiment.kind == FW_EXPERIMENT_STICK_SLIP; }

/* The search goes downhill from what the record says by itself unless it is asked otherwise. */
static fw_stick_slip_options pulled_options(const loop_job *l) {
  const fw_args *args = l->job->args;
  fw_stick_slip_options options = {
      .law = l->laws[0], .sensor = text_or_null(args, "sensor"), .fit = l->options, .profiles = l->experiment.profiles};
  if (!fw_args_given(args, "search")) options.fit.fit.search = FW_FIT_LEVENBERG_MARQUARDT;
  return options;
}

static fw_status open_job(fw_identify_job *job, loop_job *l) {
  FW_TRY(read_options(job, l));
  if (is_pulled(l)) return FW_OK; /* it reads its record itself */
  FW_TRY(fw_loops_read(job, l->experiment.kind == FW_EXPERIMENT_SPEEDS || l->experiment.kind == FW_EXPERIMENT_RAMP,
                       &l->loops));
  l->guess = fw_contact_guess_of(&l->loops);
  if (fw_args_integer(job->args, "friction") == 1) l->guess.mu_s = l->guess.mu_c = l->guess.force / l->guess.normal;
  l->first = l->guess;
  for (int i = 0; i < l->loops.count; i++) l->options.fit.scaled |= l->loops.list[i].assumed;
  l->experiment.fit = l->options.fit;
  return FW_OK;
}

static void close_job(loop_job *l) {
  for (int i = 0; l->T && i < l->count * l->loops.count; i++) free(l->T[i]);
  free(l->T);
  fw_loops_clear(&l->loops);
}

/* Opens each law, so that hold and bounds are read, without fitting. */
static fw_status check_laws(loop_job *l) {
  fw_context *aside;
  FW_TRY(fw_context_create(&aside));
  fw_status status = FW_OK;
  for (int i = 0; i < l->count && status == FW_OK; i++) {
    fw_law_fit fit;
    status = fw_law_fit_open(aside, l->laws[i], &l->loops, &l->guess, &l->options, &fit);
    if (status == FW_OK) fw_law_fit_close(&fit);
  }
  if (status != FW_OK) fw_fail_at(l->job->ctx, status, l->job->args->place, "%s", fw_context_message(aside));
  fw_context_destroy(&aside);
  return status;
}

static fw_status loop_check(fw_identify_job *job) {
  loop_job l;
  fw_status status = open_job(job, &l);
  if (status == FW_OK && is_pulled(&l)) {
    const fw_stick_slip_options pulled = pulled_options(&l);
    status = fw_stick_slip_check(job, &pulled);
  } else if (status == FW_OK) {
    status =
        l.experiment.kind == FW_EXPERIMENT_LOOPS ? check_laws(&l) : fw_experiment_check(job, &l.loops, &l.experiment);
  }
  close_job(&l);
  return status;
}

/* ---- what each law is worth -------------------------------------------------------------- */

/* Root mean square of what is left, and of what was measured. */
static void measure(const loop_job *l, double *const *T, double *left, double *size) {
  double rows = 0.0;
  *left = *size = 0.0;
  for (int i = 0; i < l->loops.count; i++) {
    const fw_loop_data *d = &l->loops.list[i];
    for (size_t r = 1; r < d->count; r++, rows++) {
      *left += pow(T[i][r] - d->T[r], 2);
      *size += d->T[r] * d->T[r];
    }
  }
  *left = sqrt(*left / rows);
  *size = sqrt(*size / rows);
}

static fw_status tell_worth(loop_job *l, const fw_law_fit *fit, int row, double *const *T) {
  fw_record *to = l->job->summary;
  double left, size, energy = 0.0, was = 0.0;
  measure(l, T, &left, &size);
  for (int i = 0; i < l->loops.count; i++) {
    energy += fw_loop_shape_of(&l->loops.list[i], T[i]).energy;
    was += fw_loop_shape_of(&l->loops.list[i], l->loops.list[i].T).energy;
  }
  l->least = row == 0 ? 100.0 * left / size : fmin(l->least, 100.0 * left / size);
  FW_TRY(fw_record_set_text(to, fit->law->law, "laws[%d].law", row));
  FW_TRY(fw_record_set_number(to, left, "laws[%d].rms", row));
  FW_TRY(fw_record_set_number(to, 100.0 * left / size, "laws[%d].rms_percent", row));
  FW_TRY(fw_record_set_number(to, 100.0 * (energy / was - 1.0), "laws[%d].energy_percent", row));
  FW_TRY(fw_record_set_number(to, fit->count, "laws[%d].parameters", row));
  if (fit->count == 0) return FW_OK;
  FW_TRY(fw_record_set_number(to, fit->fit.rank, "laws[%d].rank", row));
  int n = fit->fit.residuals, k = fit->count;
  if (n <= k + 1) return FW_OK; /* an information criterion needs more data than parameters */
  double aicc = n * log(fmax(fit->fit.squares, 1e-300) / n) + 2.0 * k + 2.0 * k * (k + 1.0) / (n - k - 1.0);
  return fw_record_set_number(to, aicc, "laws[%d].aicc", row);
}

static fw_status warn_of_misfit(loop_job *l) {
  const double most = 10.0;
  if (!(l->least > most)) return FW_OK;
  return fw_identify_warn(l->job, "no law explains the loops: the best leaves %.3g %% of T", l->least);
}

/* ---- what a law is made of --------------------------------------------------------------- */

/* Largest sigma-1 |v|/(4 s(v)) along the loops: above 1 the law can feed energy in. */
static double passivity(const loop_job *l, const fw_law_fit *fit) {
  double mu_s = fw_law_fit_number(fit, "mu-s"), mu_c = fw_law_fit_number(fit, "mu-c"), most = 0.0;
  double v_s = fw_law_fit_number(fit, "v-s"), sigma = fw_law_fit_number(fit, "sigma-1");
  bool normalised = strcmp(fit->law->law, "lugre-normalised") == 0;
  for (int i = 0; i < l->loops.count; i++)
    for (size_t r = 0; r < l->loops.list[i].count; r++) {
      const fw_loop_data *d = &l->loops.list[i];
      double s = mu_c + (mu_s - mu_c) * exp(-pow(d->v[r] / v_s, 2));
      if (!normalised) s *= d->N[r];
      if (s > 0.0) most = fmax(most, sigma * fabs(d->v[r]) / (4.0 * s));
    }
  return most;
}

/* Slip at which a spring of the law's stiffness carries its static friction. */
static double reach_of(const loop_job *l, const fw_law_fit *fit) {
  double mu = fw_law_fit_number(fit, "mu-s"), sigma = fw_law_fit_number(fit, "sigma-0");
  if (isnan(mu)) mu = fw_law_fit_number(fit, "mu-c");
  return fw_chain_reach(fit->law->law, mu, sigma, l->guess.normal);
}

static fw_status tell_reach(loop_job *l, const fw_law_fit *fit) {
  double reach = reach_of(l, fit);
  if (isnan(reach)) return FW_OK;
  FW_TRY(fw_record_set_number(l->job->summary, reach, "%s.reach", fit->law->law));
  FW_TRY(fw_record_set_text(l->job->summary, "m", "%s.units.reach", fit->law->law));
  if (isnan(l->u_crit) || fw_chain_reach_agrees(reach, l->u_crit)) return FW_OK;
  return fw_identify_warn(l->job, "%s: friction over stiffness is %s, but stick ends at u-crit = %s", fit->law->law,
                          fw_say(reach, "m").text, fw_say(l->u_crit, "m").text);
}

static fw_status tell_passivity(loop_job *l, const fw_law_fit *fit) {
  double part = passivity(l, fit);
  if (isnan(fw_law_fit_number(fit, "sigma-1"))) return FW_OK;
  FW_TRY(fw_record_set_number(l->job->summary, part, "%s.passivity", fit->law->law));
  if (part <= 1.0) return FW_OK;
  return fw_identify_warn(l->job, "%s: not passive: sigma-1 |v| reaches %g of 4 s(v) along the loops", fit->law->law,
                          part);
}

/* k-e and k-ep act only in series: their product over their sum is what loops tell, and its deviation. */
static fw_status tell_series(loop_job *l, const fw_law_fit *fit) {
  double a = fw_law_fit_number(fit, "k-e"), b = fw_law_fit_number(fit, "k-ep"), c = fw_law_fit_number(fit, "k-ps");
  if (isnan(a) || isnan(b)) return FW_OK;
  double series = a * b / (a + b);
  FW_TRY(fw_record_set_number(l->job->summary, series, "hybrid.k-e_k-ep_series"));
  FW_TRY(fw_record_set_number(l->job->summary, 1.0 / (1.0 / series + 1.0 / c), "hybrid.all_springs_series"));
  FW_TRY(fw_record_set_text(l->job->summary, "N/m", "hybrid.units.k-e_k-ep_series"));
  FW_TRY(fw_record_set_text(l->job->summary, "N/m", "hybrid.units.all_springs_series"));
  return fw_identify_warn(l->job,
                          "hybrid: k-e and k-ep enter only as k-e k-ep/(k-e + k-ep) = %s: no loop at any frequency "
                          "tells them apart",
                          fw_say(series, "N/m").text);
}

/* ---- one law ----------------------------------------------------------------------------- */

/* Coulomb's law needs no search: mu is the largest friction over the normal force, u-crit that force over the slope. */
static fw_status tell_coulomb(loop_job *l, fw_law_fit *fit) {
  FW_TRY(fw_record_set_number(l->job->summary, l->guess.mu_s, "coulomb.mu"));
  FW_TRY(fw_record_set_number(l->job->summary, l->guess.stiffness, "coulomb.slope"));
  FW_TRY(fw_record_set_text(l->job->summary, "N/m", "coulomb.units.slope"));
  snprintf(fit->held[fit->held_count++], sizeof fit->held[0], "mu=%.17g", l->guess.mu_s);
  snprintf(fit->held[fit->held_count++], sizeof fit->held[0], "u-crit=%.17g",
           l->guess.mu_s * l->guess.normal / l->guess.stiffness);
  fit->count = 0;
  return FW_OK;
}

static fw_status fit_law(loop_job *l, fw_law_fit *fit, int row) {
  double **T = l->T + (ptrdiff_t)row * l->loops.count;
  if (strcmp(fit->law->law, "coulomb") == 0) FW_TRY(tell_coulomb(l, fit));
  for (int k = 0; k < fit->count; k++)
    FW_TRY(fw_record_set_number(l->job->summary, fit->list[k].start, "%s.start.%s", fit->law->law, fit->list[k].name));
  for (int i = 0; i < l->loops.count; i++) {
    FW_TRY(fw_alloc(l->job->ctx, l->loops.list[i].count, sizeof *T[i], &T[i]));
    FW_TRY(fw_law_fit_force(l->job->ctx, fit, &l->loops.list[i], T[i]));
  }
  for (int k = 0; k < fit->count; k++)
    if (fit->fit.deviation[k] < 0.5 * fit->fit.p[k]) /* the next law begins only at what was determined */
      fw_chain_learn(fit->law, fit->list[k].name, fit->fit.p[k], &l->guess);
  if (strcmp(fit->law->law, "stribeck") == 0) l->u_crit = fw_law_fit_number(fit, "u-crit");
  FW_TRY(tell_worth(l, fit, row, T));
  fw_fit_report report = {fit->law->law, &fit->problem, &l->options.fit, &fit->fit,
                          fw_args_flag(l->job->args, "profiles")};
  if (fit->count > 0) FW_TRY(fw_fit_tell(l->job, &report));
  FW_TRY(tell_reach(l, fit));
  FW_TRY(tell_passivity(l, fit));
  return strcmp(fit->law->law, "hybrid") == 0 ? tell_series(l, fit) : FW_OK;
}

static bool is_same(const fw_contact_guess *a, const fw_contact_guess *b) {
  return a->mu_s == b->mu_s && a->mu_c == b->mu_c && a->v_s == b->v_s && a->stiffness == b->stiffness &&
         a->damping == b->damping && a->normal == b->normal && a->speed == b->speed && a->slip == b->slip &&
         a->force == b->force && a->press == b->press;
}

/* Opens and fits a law from where the chain has come to, and from what the loops say by themselves: a law that fits
 * badly must not lead the next one astray. The better of the two is left in *fit. */
static fw_status fit_twice(loop_job *l, const char *law, fw_law_fit *fit) {
  fw_law_fit other;
  FW_TRY(fw_law_fit_open(l->job->ctx, law, &l->loops, &l->first, &l->options, fit));
  fw_status status = strcmp(law, "coulomb") == 0 ? FW_OK : fw_law_fit_run(l->job->ctx, fit);
  if (status != FW_OK || fit->count == 0 || is_same(&l->first, &l->guess)) return status;
  FW_TRY(fw_law_fit_open(l->job->ctx, law, &l->loops, &l->guess, &l->options, &other));
  status = fw_law_fit_run(l->job->ctx, &other);
  if (status == FW_OK && other.fit.squares < fit->fit.squares) {
    fw_law_fit_close(fit);
    *fit = other;
    fit->problem.list = fit->list;
    fit->problem.user = fit;
    return FW_OK;
  }
  fw_law_fit_close(&other);
  if (status == FW_ERR_ANALYSIS) fw_context_clear(l->job->ctx);
  return status == FW_ERR_ANALYSIS ? FW_OK : status;
}

/* ---- tables ------------------------------------------------------------------------------ */

static fw_status write_loop(loop_job *l, int i) {
  const fw_loop_data *d = &l->loops.list[i];
  fw_sheet sheet = fw_sheet_of(l->job->ctx, l->job->sink, l->job->id);
  fw_sheet_column(&sheet, "s", "t");
  fw_sheet_column(&sheet, "m", "measured slip");
  fw_sheet_column(&sheet, "N", "measured tangential");
  for (int k = 0; k < l->count; k++) {
    fw_sheet_column(&sheet, "m", "%s slip", l->laws[k]);
    fw_sheet_column(&sheet, "N", "%s tangential", l->laws[k]);
  }
  fw_status status = fw_sheet_open(&sheet, "loop-%.100s", d->id);
  for (size_t r = 0; r < d->count && status == FW_OK; r++) {
    fw_sheet_put(&sheet, d->t[r]);
    fw_sheet_put(&sheet, d->u[r]);
    fw_sheet_put(&sheet, d->T[r]);
    for (int k = 0; k < l->count; k++) {
      fw_sheet_put(&sheet, d->u[r]);
      fw_sheet_put(&sheet, l->T[k * l->loops.count + i][r]);
    }
    status = fw_sheet_row(&sheet);
  }
  fw_sheet_close(&sheet);
  return status;
}

static fw_status write_residuals(loop_job *l, int i) {
  const fw_loop_data *d = &l->loops.list[i];
  fw_sheet sheet = fw_sheet_of(l->job->ctx, l->job->sink, l->job->id);
  fw_sheet_column(&sheet, "s", "t");
  for (int k = 0; k < l->count; k++) fw_sheet_column(&sheet, "N", "%s", l->laws[k]);
  fw_status status = fw_sheet_open(&sheet, "residual-%.100s", d->id);
  for (size_t r = 0; r < d->count && status == FW_OK; r++) {
    fw_sheet_put(&sheet, d->t[r]);
    for (int k = 0; k < l->count; k++) fw_sheet_put(&sheet, l->T[k * l->loops.count + i][r] - d->T[r]);
    status = fw_sheet_row(&sheet);
  }
  fw_sheet_close(&sheet);
  return status;
}

/* ---- the whole --------------------------------------------------------------------------- */

static fw_status tell_data(loop_job *l) {
  for (int i = 0; i < l->loops.count; i++) {
    const fw_loop_data *d = &l->loops.list[i];
    FW_TRY(fw_record_set_number(l->job->summary, d->deviation, "data.%s.deviation", d->id));
    FW_TRY(fw_record_set_text(l->job->summary, d->assumed ? "assumed: 1 % of the largest T" : "given",
                              "data.%s.deviation_source", d->id));
  }
  return fw_record_set_text(l->job->summary, "N", "units.rms");
}

static fw_status loop_run(fw_identify_job *job) {
  loop_job l;
  fw_status status;
  FW_TRY_DONE(open_job(job, &l));
  if (is_pulled(&l)) {
    const fw_stick_slip_options pulled = pulled_options(&l);
    status = fw_stick_slip_run(job, &pulled);
    goto done;
  }
  FW_TRY_DONE(fw_alloc(job->ctx, (size_t)(l.count * l.loops.count), sizeof *l.T, &l.T));
  FW_TRY_DONE(tell_data(&l));
  FW_TRY_DONE(fw_loops_doubt(job, &l.loops));
  if (l.experiment.kind != FW_EXPERIMENT_LOOPS) {
    status = fw_experiment_run(job, &l.loops, &l.experiment);
    goto done;
  }
  for (int k = 0; k < l.count; k++) {
    fw_law_fit fit;
    status = fit_twice(&l, l.laws[k], &fit);
    if (status == FW_OK) status = fit_law(&l, &fit, k);
    fw_law_fit_close(&fit);
    if (status != FW_OK) goto done;
  }
  FW_TRY_DONE(warn_of_misfit(&l));
  for (int i = 0; i < l.loops.count; i++) {
    FW_TRY_DONE(write_loop(&l, i));
    FW_TRY_DONE(write_residuals(&l, i));
  }
done:
  close_job(&l);
  return status;
}

extern const fw_method_ops fw_method_loop;
const fw_method_ops fw_method_loop = {.entry = {"loop", "numbers of friction laws from measured loops, law after law",
                                                "least squares of T along the measured u, v, N", "", loop_params},
                                      .check = loop_check,
                                      .run = loop_run};
