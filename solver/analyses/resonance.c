/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resonance against drive level in one curve. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/load.h"
#include "core/unknown.h"
#include "elements/joint.h"
#include "solver/analyses/hb_prepare.h"
#include "solver/analyses/linear_range.h"
#include "solver/analyses/orbit_table.h"
#include "solver/analyses/resonance_parts.h"
#include "solver/hb/peak.h"
#include "solver/hb/stuck_mode.h"

static const fw_param resonance_params[] = {
    {"response", FW_PARAM_REF, "", NULL, 0, 0, "sensor", "sensor whose phase defines resonance"},
    {"phase", FW_PARAM_NUMBER, "deg", "-90", -180, 180, NULL, "of its displacement against the drive"},
    {"level-min", FW_PARAM_NUMBER, "", NULL, 1e-12, 1e12, NULL, "factor of the loads where the curve begins"},
    {"level-max", FW_PARAM_NUMBER, "", NULL, 1e-12, 1e12, NULL, "and where it ends, if it gets there"},
    {"f-min", FW_PARAM_NUMBER, "Hz", "", 1e-9, 1e9, NULL, "range in which the first resonance is looked for"},
    {"f-max", FW_PARAM_NUMBER, "Hz", "", 1e-9, 1e9, NULL,
     "absent: up to the first frequency with the contact held, or stuck where that leaves nothing to move"},
    {"points", FW_PARAM_INTEGER, "", "100", 2, 100000, NULL, "points of the grid of levels; bends add their own"},
    {"method", FW_PARAM_CHOICE, "", "harmonic-balance", 0, 0, "harmonic-balance|shooting",
     "how the motions are computed; shooting: as those that the steps of time integration repeat, with their "
     "multipliers"},
    {"steps", FW_PARAM_INTEGER, "", "400", 8, 1000000, NULL, "shooting: steps of a period"},
    {"periods-most", FW_PARAM_INTEGER, "", "1000", 10, 100000000, NULL,
     "shooting: periods of time integration before the first motion is given up"},
    {"harmonics", FW_PARAM_INTEGER, "", "9", 1, 99, NULL, "harmonics"},
    {"samples", FW_PARAM_INTEGER, "", "256", 8, 65536, NULL, "time samples of a period"},
    {"switching", FW_PARAM_CHOICE, "", "sampled", 0, 0, "sampled|exact",
     "forces of rigid stick and of hard contact that opens: by samples, or integrated between switching times"},
    {"opening", FW_PARAM_CHOICE, "", "follow", 0, 0, "follow|end",
     "where a hard contact would open: follow the curve with contact that opens, or end"},
    {"stability", FW_PARAM_FLAG, "", "no", 0, 0, NULL, "multipliers of every motion"},
    {"peak", FW_PARAM_FLAG, "", "no", 0, 0, NULL, "at each level the largest response besides: where, and how large"},
    {0}};

static const char *const shooting_words[] = {"steps", "periods-most", NULL};

/* The lowest frequency (Hz) with the contact held; where that leaves nothing to move, the lowest with friction stuck.
 */
static fw_status highest_resonance(fw_context *ctx, const fw_vibration *v, double *frequency) {
  double omega = 0, *shape;
  if (v->reduced.rest + v->reduced.modes > 0 && isfinite(v->reduced.frequency[0])) {
    *frequency = v->reduced.frequency[0] / (2 * M_PI);
    return FW_OK;
  }
  FW_TRY(fw_alloc(ctx, (size_t)v->reduced.coordinates, sizeof *shape, &shape));
  fw_status status = fw_stuck_mode(ctx, v, 1, &omega, shape, NULL);
  *frequency = omega / (2 * M_PI);
  free(shape);
  return status;
}

/* Where the resonance may be at the lowest level. */
static fw_status search_range(const fw_job *job, const fw_vibration *v, fw_response_options *options) {
  double held = 0;
  FW_TRY(highest_resonance(job->ctx, v, &held));
  double low = fw_args_number(job->args, "f-min"), high = fw_args_number(job->args, "f-max");
  options->f_from = high > 0 ? high : 1.02 * held;
  options->f_to = low > 0 ? low : 0.3 * options->f_from;
  return FW_OK;
}

/* The largest response near a resonance; NaN if it was not found, or if there is no time left to look for it. */
static fw_status peak_near(fw_job *job, const fw_vibration *v, fw_response_options options, const fw_orbit *orbit,
                           fw_peak *peak) {
  *peak = (fw_peak){fw_unknown(), fw_unknown(), fw_unknown(), fw_unknown()};
  options.level = orbit->level;
  fw_status status = fw_peak_find(job->ctx, v, &options, orbit, peak);
  return status > 0 || status == FW_ERR_INTERRUPTED ? FW_OK : status;
}

/* Beyond a maximum's level the resonance is lost, there at least. */
static bool is_maximum(const fw_resonance_curve *curve, int i) {
  const fw_orbit *at = &curve->orbits[i];
  return i > 0 && i + 1 < curve->count && at->level > at[-1].level && at->level >= at[1].level;
}

static fw_status record_maxima(fw_job *job, const fw_response_options *options, const fw_resonance_curve *curve) {
  int maxima = 0;
  for (int i = 0; i < curve->count; i++) {
    const fw_orbit *at = &curve->orbits[i];
    if (!is_maximum(curve, i)) continue;
    double amplitude = cabs(at->sensors[options->sensor * (options->H + 1) + 1]);
    FW_TRY(fw_record_set_number(job->summary, at->level, "maxima[%d].level", maxima));
    FW_TRY(fw_record_set_figure(job->summary, at->frequency, "Hz", "maxima[%d].frequency", maxima));
    FW_TRY(fw_record_set_number(job->summary, amplitude, "maxima[%d].amplitude", maxima++));
  }
  return FW_OK;
}

fw_status fw_resonance_summarise(fw_job *job, const fw_response_options *options, const fw_resonance_curve *curve) {
  double most = 0, residual = 0;
  for (int i = 0; i < curve->count; i++) {
    most = fmax(most, curve->orbits[i].level);
    residual = fmax(residual, curve->orbits[i].residual);
  }
  FW_TRY(record_maxima(job, options, curve));
  FW_TRY(fw_record_set_text(job->summary, fw_sensor_unit(&job->model->sensors[options->sensor]), "units.amplitude"));
  FW_TRY(fw_record_set_number(job->summary, curve->count, "points"));
  FW_TRY(fw_record_set_number(job->summary, most, "level_max"));
  FW_TRY(fw_record_set_number(job->summary, residual, "energy.residual"));
  if (options->stability)
    FW_TRY(fw_orbits_record_bifurcations(job->summary, job->model, curve->orbits, curve->count,
                                         options->sensor * (options->H + 1) + 1, curve->unjudged, ""));
  if (curve->note[0]) FW_TRY(fw_record_set_text(job->summary, curve->note, "note"));
  bool asked = curve->status == FW_RECOVER_CONTACT && fw_args_integer(job->args, "opening") == 1; /* to end there */
  return curve->status > 0 && !asked ? fw_job_warn(job, FW_WARN_PARTIAL, "%s", curve->note) : FW_OK;
}

static fw_status write_curve(fw_job *job, const fw_vibration *v, const fw_response_options *options,
                             const fw_resonance_curve *curve) {
  static const fw_column first[] = {
      {"level", ""}, {"damping", ""}, {"peak_frequency", "Hz"}, {"peak_amplitude", ""}, {"peak_phase", "deg"}};
  bool peaks = fw_args_flag(job->args, "peak");
  fw_orbit_table table;
  FW_TRY(fw_orbit_table_open(job, "locus", first, peaks ? 5 : 2, options->H,
                             options->stability ? FW_ORBIT_STABILITY : 0, &table));
  fw_status status = FW_OK;
  for (int i = 0; i < curve->count && status == FW_OK; i++) {
    fw_peak peak = {0};
    if (peaks) status = peak_near(job, v, *options, &curve->orbits[i], &peak);
    if (status != FW_OK) break;
    const double own[] = {curve->orbits[i].level, fw_orbit_damping(&curve->orbits[i]), peak.frequency, peak.amplitude,
                          peak.phase * 180 / M_PI};
    status = fw_orbit_table_row(&table, own, &curve->orbits[i]);
  }
  fw_orbit_table_close(&table);
  return status;
}

static fw_status report(fw_job *job, const fw_vibration *v, const fw_response_options *options,
                        const fw_resonance_curve *curve) {
  FW_TRY(write_curve(job, v, options, curve));
  FW_TRY(fw_resonance_summarise(job, options, curve));
  fw_linear_range range = {0};
  FW_TRY(fw_linear_range_look_at_curve(&range, job, v, *options, curve->orbits, curve->count));
  return fw_linear_range_judge(&range, job);
}

/* The first resonance at the lowest level, and the curve from there. options->opening is set if the first needs it. */
static fw_status follow(fw_job *job, const fw_vibration *v, fw_response_options *options, fw_response *first,
                        fw_resonance_curve *curve) {
  options->stability = false;
  FW_TRY(fw_response_run(job->ctx, v, options, first));
  options->opening = first->options.opening;
  if (!first->resonance_count)
    return fw_fail(job->ctx, FW_ERR_ANALYSIS, "no resonance at level %g between %g and %g Hz%s%s", options->level,
                   options->f_to, options->f_from, first->note[0] ? ": " : "", first->note);
  double level_max = fw_args_number(job->args, "level-max");
  options->stability = fw_args_flag(job->args, "stability");
  return fw_resonance_curve_run(job->ctx, v, options, &first->resonances[0], level_max,
                                fw_args_integer(job->args, "points"), curve);
}

/* Says where the contact begins to open, before what the curve had to say. */
static void note_opening(fw_resonance_curve *curve) {
  char said[sizeof curve->note];
  int i = 0;
  while (i < curve->count && curve->orbits[i].normal_least > 0) i++;
  if (i == curve->count) return;
  memcpy(said, curve->note, sizeof said);
  snprintf(curve->note, sizeof curve->note, "a hard contact opens from level %.6g, %.6g Hz on%s%.200s",
           curve->orbits[i].level, curve->orbits[i].frequency, said[0] ? "; " : "", said);
}

/* What is kept for those that start on the curve. */
typedef struct kept_curve {
  fw_vibration *vibration;
  fw_response_options options;
  fw_resonance_curve curve;
} kept_curve;

static fw_status run(fw_job *job, fw_response *first, kept_curve *kept) {
  const fw_args *args = job->args;
  const fw_vibration *v = kept->vibration;
  fw_resonance_curve *curve = &kept->curve;
  int sensor = fw_model_sensor(job->model, fw_args_text(args, "response"));
  fw_response_options options = {.level = fw_args_number(args, "level-min"),
                                 .points = 100,
                                 .sensor = sensor,
                                 .quantity = job->model->sensors[sensor].quantity,
                                 .drive = fw_phase_drive(v),
                                 .phase = fw_args_number(args, "phase") * M_PI / 180,
                                 .H = fw_args_integer(args, "harmonics"),
                                 .tolerance = 1e-6,
                                 .smooth = job->folder != NULL};
  int samples = fw_args_integer(args, "samples");
  options.samples = samples > 2 * options.H ? samples : 2 * options.H + 1;
  FW_TRY(search_range(job, v, &options));
  fw_status status = follow(job, v, &options, first, curve);
  if (status == FW_OK && curve->status == FW_RECOVER_CONTACT && fw_args_integer(args, "opening") == 0) {
    options.opening = true;
    fw_resonance_curve_clear(curve);
    fw_response_clear(first);
    status = follow(job, v, &options, first, curve);
    note_opening(curve);
  }
  kept->options = options;
  if (status != FW_OK && !(status == FW_ERR_INTERRUPTED && curve->count)) return status;
  FW_TRY(report(job, v, &options, curve));
  return status != FW_OK ? status : fw_interrupted(job->ctx);
}

static void resonance_destroy(void *data) {
  kept_curve *kept = data;
  if (!kept) return;
  fw_resonance_curve_clear(&kept->curve);
  fw_vibration_destroy(&kept->vibration);
  free(kept);
}

static bool is_shot(const fw_args *args) { return fw_args_integer(args, "method") == 1; }

static fw_status check_shooting(fw_context *ctx, const fw_model *model, const fw_args *common, const fw_args *args) {
  static const char *const others[] = {"harmonics", "samples", "switching", "opening", "stability", "peak", NULL};
  FW_TRY(fw_check_unused(ctx, args, others, "method=\"shooting\""));
  if (!fw_args_given(args, "f-min") || !fw_args_given(args, "f-max"))
    return fw_fail_at(ctx, FW_ERR_DECK, args->place,
                      "method=\"shooting\" needs f-min and f-max: where to look for the first resonance");
  FW_TRY(fw_check_below(ctx, args, "f-min", "f-max"));
  FW_TRY(fw_check_stepped(ctx, model, common, fw_args_integer(args, "steps")));
  return fw_joints_check_still(ctx, model, "shooting");
}

/* A resonance is told by the phase of the first harmonic against what drives it. */
static fw_status check_first_harmonic(fw_context *ctx, const fw_model *model, const fw_args *common) {
  const char *at = fw_args_text(common, "loads");
  double phase;
  for (int load; fw_next_load(model, &at, &load);)
    if (load < 0 || !model->loads[load].ops->harmonic || fw_load_multiple(&model->loads[load], &phase) == 1)
      return FW_OK;
  return fw_fail_at(ctx, FW_ERR_DECK, common->place,
                    "attribute 'loads': none drives the first harmonic, whose phase tells a resonance");
}

static fw_status resonance_check(fw_context *ctx, const fw_model *model, const fw_args *common, const fw_args *args) {
  FW_TRY(fw_check_below(ctx, args, "level-min", "level-max"));
  FW_TRY(fw_check_driven(ctx, model, common));
  FW_TRY(check_first_harmonic(ctx, model, common));
  if (is_shot(args)) return check_shooting(ctx, model, common, args);
  FW_TRY(fw_check_unused(ctx, args, shooting_words, "harmonic balance"));
  FW_TRY(fw_check_harmonic(ctx, model, common, fw_args_integer(args, "harmonics")));
  return fw_vibration_check(ctx, model, args->place);
}

static fw_status run_balance(fw_job *job, kept_curve *kept) {
  fw_response first = {0};
  double f_max = fw_args_number(job->args, "f-max");
  FW_TRY(fw_hb_prepare(job, f_max, fw_reduction_default, true, &kept->vibration));
  fw_status status = run(job, &first, kept);
  fw_response_clear(&first);
  return status;
}

static fw_status resonance_run(fw_job *job, fw_outcome *outcome) {
  kept_curve *kept;
  FW_TRY(fw_alloc(job->ctx, 1, sizeof *kept, &kept));
  outcome->data = kept;
  fw_status status = is_shot(job->args) ? fw_resonance_shooting(job, &kept->curve) : run_balance(job, kept);
  fw_status began = fw_job_begin(job, &outcome->state);
  return status != FW_OK ? status : began;
}

/* The orbit nearest in level and frequency; on an S-shaped curve the frequency tells the branch. */
static const fw_orbit *nearest(const fw_resonance_curve *curve, double level, double frequency) {
  const fw_orbit *best = NULL;
  double least = INFINITY;
  for (int i = 0; i < curve->count; i++) {
    double distance = hypot(curve->orbits[i].level / level - 1, 20 * (curve->orbits[i].frequency / frequency - 1));
    if (distance >= least) continue;
    least = distance;
    best = &curve->orbits[i];
  }
  return best;
}

/* The motion at that level and frequency, of the branch whose resonance is nearest. */
static fw_status resonance_state_at(fw_context *ctx, const fw_outcome *outcome, double level, double frequency,
                                    double phase, fw_state **state) {
  const kept_curve *kept = outcome->data;
  const fw_orbit *orbit = nearest(&kept->curve, level, frequency);
  if (!orbit || !(frequency > 0))
    return fw_fail(ctx, FW_ERR_ANALYSIS, "to start on a curve of resonances needs at-level and at-frequency");
  if (!kept->vibration)
    return fw_fail(ctx, FW_ERR_ANALYSIS, "motions found by shooting are not kept: start from harmonic balance");
  fw_response at = {.options = kept->options};
  fw_orbit moved = *orbit, there = {0};
  at.options.level = moved.level = level;
  moved.frequency = frequency;
  fw_status status = fw_response_refine(ctx, kept->vibration, &at, &moved, at.options.H, at.options.samples, &there);
  if (status > 0)
    status = fw_fail(ctx, FW_ERR_ANALYSIS, "no periodic motion found at level %g and %g Hz", level, frequency);
  if (status == FW_OK) status = fw_solver_state(ctx, kept->vibration, &at.options, there.y, phase, state);
  fw_orbit_clear(&there);
  return status;
}

/* Where the curve first passes a level: which motions it lies between, and how far from a to b. */
static bool first_passage(const fw_resonance_curve *curve, double level, const fw_orbit **a, const fw_orbit **b,
                          double *part) {
  for (int i = 0; i < curve->count; i++) {
    *b = &curve->orbits[i];
    *a = i > 0 ? *b - 1 : *b;
    double from = (*a)->level, to = (*b)->level;
    *part = to != from ? (level - from) / (to - from) : 1.0;
    if (to == level || (i > 0 && *part >= 0.0 && *part <= 1.0)) return true;
  }
  return false;
}

fw_status fw_resonance_at(fw_context *ctx, const fw_outcome *outcome, double level, const fw_law_place *places,
                          int count, fw_sensitivities *found) {
  const kept_curve *kept = outcome->data;
  const fw_orbit *a, *b;
  double part;
  *found = (fw_sensitivities){0};
  if (!kept->vibration || !first_passage(&kept->curve, level, &a, &b, &part)) return FW_RECOVER_DIVERGED;
  fw_response_options options = kept->options;
  fw_orbit near = *a;
  options.level = level;
  FW_TRY(fw_alloc(ctx, (size_t)near.unknowns, sizeof *near.y, &near.y));
  for (int i = 0; i < near.unknowns; i++) near.y[i] = a->y[i] + part * (b->y[i] - a->y[i]);
  fw_status status = fw_sensitivities_find(ctx, kept->vibration, &options, &near, places, count, found);
  free(near.y);
  return status;
}

const fw_analysis_ops fw_analysis_resonance = {
    .entry =
        {"resonance", "Resonance against drive level: one curve with its folds and its maximum",
         "D(k omega) z_k + [f_nl(z)]_k = level f_k, or P(x, omega, level) = x; phase(X_1/F_1) = phase; continuation "
         "in the level",
         "", resonance_params},
    .check = resonance_check,
    .run = resonance_run,
    .state_at = resonance_state_at,
    .destroy = resonance_destroy};
