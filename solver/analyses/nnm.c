/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A nonlinear normal mode against amplitude. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/unknown.h"
#include "elements/flow.h"
#include "elements/joint.h"
#include "solver/analyses/hb_prepare.h"
#include "solver/analyses/linear_range.h"
#include "solver/analyses/nnm_parts.h"
#include "solver/analyses/orbit_table.h"

static const fw_param nnm_params[] = {
    {"mode", FW_PARAM_INTEGER, "", "1", 1, 1000, NULL,
     "number of the linear mode with the contact stuck where it begins"},
    {"response", FW_PARAM_REF, "", NULL, 0, 0, "sensor", "sensor whose displacement is the amplitude"},
    {"a-min", FW_PARAM_NUMBER, "m", NULL, 1e-15, 1e6, NULL, "amplitude where the curve begins"},
    {"a-max", FW_PARAM_NUMBER, "m", NULL, 1e-15, 1e6, NULL, "and where it ends, if it gets there"},
    {"f-max", FW_PARAM_NUMBER, "Hz", "", 1e-9, 1e9, NULL,
     "von Karman beams: modes below twelve times this are unknowns; absent: the first frequency with the contact held"},
    {"points", FW_PARAM_INTEGER, "", "60", 2, 100000, NULL, "points of the logarithmic grid; bends add their own"},
    {"method", FW_PARAM_CHOICE, "", "harmonic-balance", 0, 0, "harmonic-balance|shooting",
     "how the motions are computed; shooting: as those that the steps of time integration repeat, with their "
     "multipliers"},
    {"steps", FW_PARAM_INTEGER, "", "400", 8, 1000000, NULL, "shooting: steps of a period"},
    {"harmonics", FW_PARAM_INTEGER, "", "7", 1, 99, NULL, "harmonics"},
    {"samples", FW_PARAM_INTEGER, "", "256", 8, 65536, NULL, "time samples of a period"},
    {"switching", FW_PARAM_CHOICE, "", "sampled", 0, 0, "sampled|exact",
     "forces of rigid stick and of hard contact that opens: by samples, or integrated between switching times"},
    {"levels", FW_PARAM_NUMBERS, "", "", 0, 0, NULL,
     "factors of the loads: forced responses put together from the mode, beside the full ones"},
    {"stability", FW_PARAM_FLAG, "", "no", 0, 0, NULL,
     "multipliers of every motion; folds and period doublings in the summary"},
    {"opening", FW_PARAM_CHOICE, "", "follow", 0, 0, "follow|end",
     "where a hard contact would open: follow the mode with contact that opens, or end"},
    {0}};

/* Less damping than this is none: its sign is that of rounding. */
#define NO_DAMPING 1e-11

/* Where the damping passes zero the motion needs nothing to go on: a limit cycle, stable if damping rises with the
 * amplitude. Linear in ln a between the nearest points that are damped one way and the other. */
static fw_status report_limit_cycles(fw_job *job, const fw_nnm *b) {
  int found = 0, last = -1;
  for (int i = 0; i < b->count; i++) {
    if (fabs(b->zetas[i]) < NO_DAMPING) continue;
    int from = last;
    last = i;
    if (from < 0 || (b->zetas[from] < 0) == (b->zetas[i] < 0)) continue;
    double before = b->zetas[from], after = b->zetas[i];
    double part = before / (before - after), growth = log(b->amplitudes[i] / b->amplitudes[from]);
    double frequency = (1 - part) * b->orbits[from].frequency + part * b->orbits[i].frequency,
           amplitude = b->amplitudes[from] * exp(part * growth);
    bool stable = (after > before) == (growth > 0);
    fw_log(job->ctx, "%s: %s limit cycle at %.6g, %.6g Hz", job->id, stable ? "stable" : "unstable", amplitude,
           frequency);
    FW_TRY(fw_record_set_number(job->summary, amplitude, "limit_cycles[%d].amplitude", found));
    FW_TRY(fw_record_set_figure(job->summary, frequency, "Hz", "limit_cycles[%d].frequency", found));
    FW_TRY(fw_record_set_number(job->summary, stable, "limit_cycles[%d].stable", found++));
  }
  return FW_OK;
}

static fw_status write_table(fw_job *job, const fw_nnm_options *options, const fw_nnm *b) {
  const char *unit = fw_sensor_unit_of(&job->model->sensors[options->sensor], FW_DISPLACEMENT);
  const fw_column first[] = {{"amplitude", unit}, {"damping", ""}, {"along", ""}};
  int columns = options->stability ? 3 : 2;
  fw_orbit_table table;
  FW_TRY(
      fw_orbit_table_open(job, "nnm", first, columns, options->H, options->stability ? FW_ORBIT_STABILITY : 0, &table));
  fw_status status = FW_OK;
  for (int i = 0; i < b->count && status == FW_OK; i++) {
    const double own[] = {b->amplitudes[i], b->zetas[i], b->orbits[i].along};
    status = fw_orbit_table_row(&table, own, &b->orbits[i]);
  }
  fw_orbit_table_close(&table);
  return status;
}

fw_status fw_nnm_summarise(fw_job *job, const fw_nnm_options *options, const fw_nnm *b) {
  const char *unit = fw_sensor_unit_of(&job->model->sensors[options->sensor], FW_DISPLACEMENT);
  double residual = 0;
  for (int i = 0; i < b->count; i++) residual = fmax(residual, b->orbits[i].residual);
  FW_TRY(fw_record_set_text(job->summary, unit, "units.amplitude"));
  FW_TRY(fw_record_set_figure(job->summary, b->stuck, "Hz", "stuck.frequency"));
  const struct {
    const char *name;
    int at;
  } ends[] = {{"first", 0}, {"last", b->count - 1}};
  for (int e = 0; e < 2 && b->count; e++) {
    FW_TRY(fw_record_set_number(job->summary, b->amplitudes[ends[e].at], "%s.amplitude", ends[e].name));
    FW_TRY(fw_record_set_figure(job->summary, b->orbits[ends[e].at].frequency, "Hz", "%s.frequency", ends[e].name));
    FW_TRY(fw_record_set_number(job->summary, b->zetas[ends[e].at], "%s.damping", ends[e].name));
  }
  FW_TRY(report_limit_cycles(job, b));
  FW_TRY(fw_record_set_number(job->summary, b->count, "points"));
  FW_TRY(fw_record_set_number(job->summary, b->iterations, "iterations"));
  FW_TRY(fw_record_set_number(job->summary, residual, "energy.residual"));
  if (options->stability)
    FW_TRY(fw_orbits_record_bifurcations(job->summary, job->model, b->orbits, b->count,
                                         options->sensor * (options->H + 1) + 1, b->unjudged, ""));
  if (b->note[0]) FW_TRY(fw_record_set_text(job->summary, b->note, "note"));
  if (!b->count) return fw_fail(job->ctx, FW_ERR_ANALYSIS, "no free motion found: %s", b->note);
  bool asked = b->status == FW_RECOVER_CONTACT && !options->beyond; /* to end there */
  if (b->status > 0 && !asked) FW_TRY(fw_job_warn(job, FW_WARN_PARTIAL, "%s", b->note));
  return FW_OK;
}

static fw_status report(fw_job *job, const fw_nnm_options *options, const fw_nnm *b) {
  FW_TRY(write_table(job, options, b));
  return fw_nnm_summarise(job, options, b);
}

/* Whether the furthest motion is one that the kinematics are meant for. */
static fw_status judge_rotations(const fw_job *job, const fw_vibration *v, const fw_nnm *nnm) {
  fw_response_options options = {.H = nnm->options.H, .samples = nnm->options.samples, .opening = nnm->options.opening};
  fw_linear_range range = {0};
  FW_TRY(fw_linear_range_look_at_curve(&range, job, v, options, nnm->orbits, nnm->count));
  return fw_linear_range_judge(&range, job);
}

static bool is_shot(const fw_args *args) { return fw_args_integer(args, "method") == 1; }

static fw_status check_shooting(fw_context *ctx, const fw_model *model, const fw_args *common, const fw_args *args) {
  static const char *const others[] = {"f-max",  "harmonics", "samples", "switching",
                                       "levels", "stability", "opening", NULL};
  FW_TRY(fw_check_unused(ctx, args, others, "method=\"shooting\""));
  if (fw_args_given(common, "loads"))
    return fw_fail_at(ctx, FW_ERR_DECK, common->place, "attribute 'loads': a mode is free of loads");
  if (fw_model_has_circulation(model))
    return fw_fail_at(ctx, FW_ERR_DECK, args->place,
                      "method=\"shooting\": modes of structures in a flow are for harmonic balance");
  return fw_joints_check_still(ctx, model, "shooting");
}

static fw_status nnm_check(fw_context *ctx, const fw_model *model, const fw_args *common, const fw_args *args) {
  static const char *const of_shooting[] = {"steps", NULL};
  FW_TRY(fw_check_below(ctx, args, "a-min", "a-max"));
  if (is_shot(args)) return check_shooting(ctx, model, common, args);
  FW_TRY(fw_check_unused(ctx, args, of_shooting, "harmonic balance"));
  FW_TRY(fw_check_harmonic(ctx, model, common, fw_args_integer(args, "harmonics")));
  FW_TRY(fw_check_once(ctx, args, "levels"));
  if (fw_args_value(args, "levels")->count > 0) FW_TRY(fw_check_driven(ctx, model, common));
  if (fw_args_value(args, "levels")->count == 0 && fw_args_given(common, "loads"))
    return fw_fail_at(ctx, FW_ERR_DECK, common->place,
                      "attribute 'loads': a mode is free of loads; give the levels whose response is wanted");
  return fw_vibration_check(ctx, model, args->place);
}

static fw_status find_curve(fw_job *job, const fw_nnm_options *options, fw_reduction how, fw_vibration **v,
                            fw_nnm *nnm) {
  FW_TRY(fw_hb_prepare(job, fw_args_number(job->args, "f-max"), how, false, v));
  return fw_nnm_run(job->ctx, *v, options, nnm);
}

/* A mode that leaves the contact at rest, or that of a model without any, is its own coordinate. */
static fw_status find_curve_of_any(fw_job *job, const fw_nnm_options *options, fw_vibration **v, fw_nnm *nnm) {
  fw_reduction how = fw_reduction_default;
  fw_status status = find_curve(job, options, how, v, nnm);
  if (!nnm->alone) return status;
  how.keep = options->mode;
  fw_context_clear(job->ctx);
  fw_nnm_clear(nnm);
  fw_vibration_destroy(v);
  return find_curve(job, options, how, v, nnm);
}

/* ---- forced responses put together from the mode ------------------------------------------- */

static const double RANGE = 0.1; /* of drive frequencies about the mode's: farther off other modes count */

/* The full response was sought at each point, and may not have been found. */
static bool has_full(const fw_synthesis_point *p) { return isfinite(cabs(p->full)) && p->full != 0; }

static double degrees(double complex x) { return carg(x) * 180 / M_PI; }

static double difference(const fw_synthesis_point *p) {
  return has_full(p) ? cabs(p->response / p->full - 1) : fw_unknown();
}

static fw_status write_synthesis(fw_job *job, const fw_nnm *b, double level, const fw_synthesis *s) {
  static const fw_column columns[] = {{"frequency", "Hz"},      {"amplitude", "m"},    {"phase", "deg"},
                                      {"full.amplitude", "m"},  {"full.phase", "deg"}, {"difference", ""},
                                      {"mode.frequency", "Hz"}, {"mode.damping", ""}};
  char name[64];
  fw_data_table *table;
  snprintf(name, sizeof name, "synthesis-%g", level);
  FW_TRY(fw_sink_table(job->sink, job->ctx, job->id, name, columns, sizeof columns / sizeof *columns, false, &table));
  for (int i = 0; i < s->count; i++) {
    const fw_synthesis_point *p = &s->points[i];
    const double row[] = {p->frequency,
                          cabs(p->response),
                          degrees(p->response),
                          has_full(p) ? cabs(p->full) : fw_unknown(),
                          has_full(p) ? degrees(p->full) : fw_unknown(),
                          difference(p),
                          b->orbits[p->row].frequency,
                          b->zetas[p->row]};
    FW_TRY(fw_sink_row(job->sink, job->ctx, table, row));
  }
  return FW_OK;
}

/* The farthest that the full response is off at the points above half power; how many of these are without it. */
static double farthest(const fw_synthesis *s, double most, int *without) {
  double worst = 0;
  *without = 0;
  for (int i = 0; i < s->count; i++) {
    if (!(cabs(s->points[i].response) > most / sqrt(2))) continue;
    *without += !has_full(&s->points[i]);
    if (has_full(&s->points[i])) worst = fmax(worst, difference(&s->points[i]));
  }
  return *without ? fw_unknown() : worst;
}

/* The peak and how far the full response is from it there and about it. */
static fw_status summarise_synthesis(fw_job *job, int level, double factor, const fw_synthesis *s) {
  int peak = 0, without;
  FW_TRY(fw_record_set_number(job->summary, factor, "levels[%d].level", level));
  FW_TRY(fw_record_set_number(job->summary, s->count, "levels[%d].points", level));
  if (!s->count)
    return fw_record_set_text(job->summary, "no point of the mode is driven by this level near its frequency",
                              "levels[%d].note", level);
  for (int i = 1; i < s->count; i++)
    if (cabs(s->points[i].response) > cabs(s->points[peak].response)) peak = i;
  const fw_synthesis_point *p = &s->points[peak];
  double most = cabs(p->response), worst = farthest(s, most, &without);
  FW_TRY(fw_record_set_figure(job->summary, p->frequency, "Hz", "levels[%d].peak.frequency", level));
  FW_TRY(fw_record_set_number(job->summary, most, "levels[%d].peak.amplitude", level));
  FW_TRY(fw_record_set_number(job->summary, has_full(p) ? cabs(p->full) : fw_unknown(),
                              "levels[%d].peak.full_amplitude", level));
  if (without) FW_TRY(fw_record_set_number(job->summary, without, "levels[%d].points_without_full_response", level));
  return fw_record_set_number(job->summary, worst, "levels[%d].difference", level);
}

/* At each of the job's `levels`, beside the full response: tables synthesis-LEVEL and levels[i] in the summary. */
static fw_status synthesise(fw_job *job, const fw_vibration *v, const fw_nnm *b) {
  const fw_value *levels = fw_args_value(job->args, "levels");
  for (int l = 0; l < levels->count; l++) {
    fw_synthesis s;
    FW_TRY(fw_synthesis_find(job->ctx, v, b, levels->numbers[l], RANGE, &s));
    fw_status status = write_synthesis(job, b, levels->numbers[l], &s);
    if (status == FW_OK) status = summarise_synthesis(job, l, levels->numbers[l], &s);
    fw_synthesis_clear(&s);
    FW_TRY(status);
  }
  return FW_OK;
}

/* ---- the analysis --------------------------------------------------------------------------- */

/* By harmonic balance. */
static fw_status run_balance(fw_job *job, const fw_nnm_options *options, fw_nnm *nnm) {
  fw_vibration *v = NULL;
  fw_status status = find_curve_of_any(job, options, &v, nnm);
  if (status == FW_OK) status = report(job, options, nnm);
  if (status == FW_ERR_INTERRUPTED && nnm->count) report(job, options, nnm); /* what there is */
  if (status == FW_OK) status = judge_rotations(job, v, nnm);
  if (status == FW_OK) status = synthesise(job, v, nnm);
  fw_vibration_destroy(&v);
  return status;
}

static fw_status nnm_run(fw_job *job, fw_outcome *outcome) {
  const fw_args *args = job->args;
  fw_nnm_options options = {.mode = fw_args_integer(args, "mode"),
                            .sensor = fw_model_sensor(job->model, fw_args_text(args, "response")),
                            .a_from = fw_args_number(args, "a-min"),
                            .a_to = fw_args_number(args, "a-max"),
                            .points = fw_args_integer(args, "points"),
                            .H = fw_args_integer(args, "harmonics"),
                            .tolerance = 1e-6,
                            .stability = fw_args_flag(args, "stability"),
                            .beyond = fw_args_integer(args, "opening") == 0,
                            .smooth = job->folder != NULL};
  int samples = fw_args_integer(args, "samples");
  options.samples = samples > 2 * options.H ? samples : 2 * options.H + 1;
  fw_nnm nnm = {0};
  fw_status status = is_shot(args) ? fw_nnm_shooting(job, &options, &nnm) : run_balance(job, &options, &nnm);
  if (status == FW_OK)
    fw_log(job->ctx, "%s: %d points, %d iterations%s%s", job->id, nnm.count, nnm.iterations, nnm.note[0] ? "; " : "",
           nnm.note);
  fw_nnm_clear(&nnm);
  fw_status kept = fw_job_begin(job, &outcome->state);
  return status != FW_OK ? status : kept;
}

const fw_analysis_ops fw_analysis_nnm = {
    .entry =
        {"nnm", "Nonlinear normal mode: frequency and damping against amplitude",
         "[-(k omega)^2 M + i k omega (C - 2 zeta omega M) + K] z_k + [f_nl(z)]_k = 0, or P(x, omega, zeta) = x; "
         "X_1 = a; continuation in ln a",
         "Krack, Nonlinear modal analysis of nonconservative systems: extension of the periodic motion concept, 2015",
         nnm_params},
    .check = nnm_check,
    .run = nnm_run};
