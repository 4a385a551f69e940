/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frequency response at constant drive levels, by harmonic balance, time integration or both. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/pair.h"
#include "core/load.h"
#include "solver/analysis.h"
#include "solver/frf_report.h"
#include "solver/frf_sensitivity.h"
#include "solver/frf_time.h"
#include "solver/hb_prepare.h"

static const fw_param frf_params[] = {
    {"levels", FW_PARAM_NUMBERS, "", "1", 0, 0, NULL, "factors of the loads that drive, one response each"},
    {"response", FW_PARAM_REF, "", NULL, 0, 0, "sensor", "sensor whose phase and amplitude define resonance"},
    {"f-min", FW_PARAM_NUMBER, "Hz", NULL, 1e-9, 1e9, NULL, "lower end of the range"},
    {"f-max", FW_PARAM_NUMBER, "Hz", NULL, 1e-9, 1e9, NULL, "upper end of the range"},
    {"points", FW_PARAM_INTEGER, "", "200", 2, 100000, NULL, "points of the frequency grid; bends add their own"},
    {"sweep", FW_PARAM_CHOICE, "", "up", 0, 0, "up|down|both", "direction in which the curve is followed"},
    {"method", FW_PARAM_CHOICE, "", "harmonic-balance", 0, 0, "harmonic-balance|time|both",
     "how the response is computed; both: harmonic balance, checked by time integration"},
    {"harmonics", FW_PARAM_INTEGER, "", "auto", 1, 99, "auto", "harmonics; auto: until the resonance stays put"},
    {"samples", FW_PARAM_INTEGER, "", "auto", 8, 65536, "auto", "time samples of a period; auto: 256 or more"},
    {"tolerance", FW_PARAM_NUMBER, "", "1e-3", 1e-9, 1, NULL,
     "relative change of the response that more harmonics may make (auto)"},
    {"stability", FW_PARAM_FLAG, "", "no", 0, 0, NULL,
     "harmonic balance: multipliers of every motion; folds and period doublings in the summary, unstable motions "
     "marked"},
    {"sensitivities", FW_PARAM_FLAG, "", "no", 0, 0, NULL,
     "harmonic balance: derivatives of the resonance with respect to the friction laws' numbers"},
    {"solver", FW_PARAM_CHOICE, "", "alpha", 0, 0, "alpha|ida", "time: integrator, as of a transient"},
    {"steps", FW_PARAM_INTEGER, "", "400", 8, 1000000, NULL, "time: steps of a period"},
    {"periods", FW_PARAM_INTEGER, "", "50", 10, 1000000, NULL, "time: periods at each frequency, at least"},
    {"periods-most", FW_PARAM_INTEGER, "", "1000", 10, 100000000, NULL, "time: and at most, if not steady before"},
    {"steady", FW_PARAM_NUMBER, "", "1e-3", 1e-12, 1, NULL,
     "time: relative distance from the steady motion that ends it"},
    {"check-points", FW_PARAM_INTEGER, "", "5", 1, 100000, NULL,
     "both: frequencies around the resonance where time integration starts on the orbit"},
    {0}};

enum { HARMONICS_FIRST = 5, HARMONICS_STEP = 4, HARMONICS_MOST = 33, SAMPLES_LEAST = 256 };
static const double NEWTON = 1e-6; /* last step; what remains is its square but for kinks */

static int samples_for(const fw_args *args, int H) {
  int samples = fw_args_integer(args, "samples");
  if (samples) return samples > 2 * H ? samples : 2 * H + 1;
  for (samples = SAMPLES_LEAST; samples < 16 * H;) samples *= 2;
  return samples;
}

/* ---- one response, with as many harmonics as it needs -------------------------------------- */

/* The orbits that decide whether the harmonics suffice: the resonances, the peak. */
static const fw_orbit *deciding_orbit(const fw_response *r, int i) {
  if (i < r->resonance_count) return &r->resonances[i];
  if (i == r->resonance_count && r->peak >= 0) return &r->orbits[r->peak];
  return NULL;
}

/* Largest relative change of the first harmonic when the deciding orbits get more harmonics. */
static fw_status change_with(fw_context *ctx, const fw_vibration *v, const fw_response *r, int H, int samples,
                             double *change) {
  fw_response_wish wish = r->wish;
  wish.H = H;
  *change = 0;
  for (int i = 0; deciding_orbit(r, i); i++) {
    const fw_orbit *orbit = deciding_orbit(r, i);
    fw_orbit finer;
    fw_status status = fw_response_refine(ctx, v, r, orbit, H, samples, &finer);
    if (status < 0) return status;
    if (status > 0) {
      *change = INFINITY; /* this many harmonics do not even lead to a neighbour */
      continue;
    }
    double complex before = fw_response_compliance(&r->wish, orbit), after = fw_response_compliance(&wish, &finer);
    *change = fmax(*change, cabs(after - before) / cabs(after));
    fw_orbit_clear(&finer);
  }
  return FW_OK;
}

static fw_status respond(fw_job *job, const fw_vibration *v, fw_response_wish wish, fw_response *out) {
  int fixed = fw_args_integer(job->args, "harmonics");
  double tolerance = fw_args_number(job->args, "tolerance");
  for (wish.H = fixed ? fixed : HARMONICS_FIRST;; wish.H += HARMONICS_STEP) {
    wish.samples = samples_for(job->args, wish.H);
    FW_TRY(fw_response_run(job->ctx, v, &wish, out));
    double change;
    int more = wish.H + HARMONICS_STEP;
    FW_TRY(change_with(job->ctx, v, out, more, samples_for(job->args, more), &change));
    out->truncation = change;
    fw_log(job->ctx, "%s: level %g, %g to %g Hz: %d points, %d iterations, %d harmonics, truncation %.1e", job->id,
           wish.level, wish.f_from, wish.f_to, out->count, out->iterations, wish.H, change);
    if (fixed || change <= tolerance || more > HARMONICS_MOST) return FW_OK;
    fw_response_clear(out);
  }
}

/* ---- the analysis -------------------------------------------------------------------------- */

enum { BALANCE, TIME, BOTH }; /* choices of `method` */

/* One level in one direction. */
static fw_status run_level(fw_job *job, fw_frf *frf, const fw_response_wish *wish, bool both_ways, fw_response *out) {
  int method = fw_args_integer(job->args, "method");
  if (method == TIME) return fw_frf_time(job, wish, both_ways, out);
  FW_TRY(respond(job, frf->vibration, *wish, out));
  FW_TRY(fw_frf_write(job, out, both_ways));
  char prefix[64];
  fw_frf_prefix(frf, frf->count - 1, prefix, sizeof prefix);
  if (fw_args_flag(job->args, "sensitivities")) FW_TRY(fw_frf_sensitivities(job, frf, out, prefix));
  if (method == BALANCE) return FW_OK;
  return fw_frf_agreement(job, frf, out, both_ways, prefix);
}

/* The first harmonic load at its fundamental: what phases are measured against. */
static fw_status drive_at_level_one(const fw_job *job, double complex *drive) {
  double *factors, phase;
  FW_TRY(fw_alloc(job->ctx, (size_t)job->model->load_count, sizeof *factors, &factors));
  fw_status status = fw_job_loads(job, 1, factors);
  *drive = 1;
  for (int l = job->model->load_count - 1; status == FW_OK && l >= 0; l--) {
    const fw_load *load = &job->model->loads[l];
    if (factors[l] != 0 && load->ops->harmonic && fw_load_multiple(load, &phase) == 1)
      *drive = factors[l] * cexp(I * phase);
  }
  free(factors);
  return status;
}

static fw_status run_levels(fw_job *job, fw_frf *frf) {
  const fw_args *args = job->args;
  const fw_value *levels = fw_args_value(args, "levels");
  int sweep = fw_args_integer(args, "sweep"), first = sweep == 1, last = sweep != 0;
  double f_min = fw_args_number(args, "f-min"), f_max = fw_args_number(args, "f-max");
  int sensor = fw_model_sensor(job->model, fw_args_text(args, "response"));
  fw_response_wish wish = {.points = fw_args_integer(args, "points"),
                           .sensor = sensor,
                           .quantity = job->model->sensors[sensor].quantity,
                           .phase = -M_PI / 2,
                           .tolerance = NEWTON,
                           .stability = fw_args_flag(args, "stability")};
  FW_TRY(drive_at_level_one(job, &wish.drive));
  frf->level_count = levels->count;
  frf->directions = last - first + 1;
  FW_TRY(fw_alloc(job->ctx, 2 * (size_t)levels->count, sizeof *frf->responses, &frf->responses));
  for (int l = 0; l < levels->count; l++)
    for (int down = first; down <= last; down++) {
      fw_response *out = &frf->responses[frf->count++];
      wish.level = levels->numbers[l];
      wish.f_from = down ? f_max : f_min;
      wish.f_to = down ? f_min : f_max;
      FW_TRY(run_level(job, frf, &wish, sweep == 2, out));
      fw_progress(job->ctx, job->id, (double)frf->count / (levels->count * frf->directions));
    }
  return FW_OK;
}

/* The last orbit of the last response that has one. */
static fw_status final_state(fw_job *job, const fw_frf *frf, fw_state **state) {
  for (int i = frf->count - 1; i >= 0; i--) {
    const fw_response *r = &frf->responses[i];
    if (r->count && r->orbits[r->count - 1].y)
      return fw_frf_state(job->ctx, frf, r->wish.level, r->orbits[r->count - 1].frequency, 0, state);
  }
  return fw_job_begin(job, state);
}

static void frf_destroy(void *data) {
  fw_frf *frf = data;
  if (!frf) return;
  for (int i = 0; i < frf->count; i++) fw_response_clear(&frf->responses[i]);
  free(frf->responses);
  fw_vibration_destroy(&frf->vibration);
  free(frf);
}

static fw_status frf_run(fw_job *job, fw_outcome *outcome) {
  fw_frf *frf;
  double f_min = fw_args_number(job->args, "f-min"), f_max = fw_args_number(job->args, "f-max");
  if (!(f_min < f_max)) return fw_fail_at(job->ctx, FW_ERR_DECK, job->args->place, "f-min must be below f-max");
  FW_TRY(fw_alloc(job->ctx, 1, sizeof *frf, &frf));
  outcome->data = frf;
  fw_status status = FW_OK;
  if (fw_args_integer(job->args, "method") != TIME) status = fw_hb_prepare(job, f_max, true, &frf->vibration);
  if (status == FW_OK) status = run_levels(job, frf);
  if (status == FW_OK) status = fw_frf_summarise(job, frf);
  fw_status kept = frf->vibration ? final_state(job, frf, &outcome->state) : fw_job_begin(job, &outcome->state);
  return status != FW_OK ? status : kept;
}

static fw_status frf_state_at(fw_context *ctx, const fw_outcome *outcome, double level, double frequency, double phase,
                              fw_state **state) {
  return fw_frf_state(ctx, outcome->data, level, frequency, phase, state);
}

const fw_analysis_ops fw_analysis_frf = {
    .entry = {"frf", "Frequency response at constant force, with contact and friction",
              "D(k omega) z_k + [f_nl(z)]_k = level f_k, k = 0..H; arc-length continuation in omega",
              "Cameron and Griffin 1989; Krack and Gross, Harmonic Balance for Nonlinear Vibration Problems, 2019",
              frf_params},
    .run = frf_run,
    .state_at = frf_state_at,
    .destroy = frf_destroy};
