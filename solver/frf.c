/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frequency response at constant drive levels by harmonic balance. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/pair.h"
#include "solver/analysis.h"
#include "solver/frf_report.h"
#include "solver/hb_prepare.h"

static const fw_param frf_params[] = {
    {"levels", FW_PARAM_NUMBERS, "", "1", 0, 0, NULL, "factors of the loads that drive, one response each"},
    {"response", FW_PARAM_REF, "", NULL, 0, 0, "sensor", "sensor whose phase and amplitude define resonance"},
    {"f-min", FW_PARAM_NUMBER, "Hz", NULL, 1e-9, 1e9, NULL, "lower end of the range"},
    {"f-max", FW_PARAM_NUMBER, "Hz", NULL, 1e-9, 1e9, NULL, "upper end of the range"},
    {"points", FW_PARAM_INTEGER, "", "200", 2, 100000, NULL, "points of the frequency grid; bends add their own"},
    {"sweep", FW_PARAM_CHOICE, "", "up", 0, 0, "up|down|both", "direction in which the curve is followed"},
    {"method", FW_PARAM_CHOICE, "", "harmonic-balance", 0, 0, "harmonic-balance", "how the response is computed"},
    {"harmonics", FW_PARAM_INTEGER, "", "auto", 1, 99, "auto", "harmonics; auto: until the resonance stays put"},
    {"samples", FW_PARAM_INTEGER, "", "auto", 8, 65536, "auto", "time samples of a period; auto: 256 or more"},
    {"tolerance", FW_PARAM_NUMBER, "", "1e-3", 1e-9, 1, NULL,
     "relative change of the response that more harmonics may make (auto)"},
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
  wish.samples = samples;
  fw_solver solver;
  FW_TRY(fw_solver_init(ctx, v, &wish, &solver));
  fw_status status = FW_OK;
  double *y = NULL;
  int n = solver.balance.n, few = 2 * r->wish.H + 1, many = 2 * H + 1;
  *change = 0;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)n + 1, sizeof *y, &y));
  for (int i = 0; deciding_orbit(r, i); i++) {
    const fw_orbit *orbit = deciding_orbit(r, i);
    memset(y, 0, (size_t)n * sizeof *y);
    for (int c = 0; c < solver.balance.blocks; c++) memcpy(y + c * many, orbit->y + c * few, (size_t)few * sizeof *y);
    fw_orbit finer;
    status = fw_solver_at(ctx, &solver, orbit->frequency, NEWTON, y);
    if (status == FW_OK) status = fw_orbit_measure(ctx, v, &solver.balance, y, &finer);
    if (status < 0) goto done;
    if (status > 0) {
      *change = INFINITY; /* this many harmonics do not even lead to a neighbour */
      continue;
    }
    double complex before = fw_response_compliance(v, &r->wish, orbit),
                   after = fw_response_compliance(v, &wish, &finer);
    *change = fmax(*change, cabs(after - before) / cabs(after));
    fw_orbit_clear(&finer);
  }
  status = FW_OK;
done:
  free(y);
  fw_solver_clear(&solver);
  return status;
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

static fw_status run_levels(fw_job *job, fw_frf *frf) {
  const fw_args *args = job->args;
  const fw_value *levels = fw_args_value(args, "levels");
  int direction = fw_args_integer(args, "sweep"), first = direction == 1, last = direction != 0;
  double f_min = fw_args_number(args, "f-min"), f_max = fw_args_number(args, "f-max");
  frf->level_count = levels->count;
  FW_TRY(fw_alloc(job->ctx, 2 * (size_t)levels->count, sizeof *frf->responses, &frf->responses));
  for (int l = 0; l < levels->count; l++)
    for (int down = first; down <= last; down++) {
      fw_response *out = &frf->responses[frf->count++];
      fw_response_wish wish = {.level = levels->numbers[l],
                               .f_from = down ? f_max : f_min,
                               .f_to = down ? f_min : f_max,
                               .points = fw_args_integer(args, "points"),
                               .sensor = fw_model_sensor(job->model, fw_args_text(args, "response")),
                               .phase = -M_PI / 2,
                               .tolerance = NEWTON};
      FW_TRY(respond(job, frf->vibration, wish, out));
      FW_TRY(fw_frf_write(job, out, direction == 2));
      fw_progress(job->ctx, job->id, (double)frf->count / (levels->count * (last - first + 1)));
    }
  return FW_OK;
}

/* The last orbit of the last response that has one. */
static fw_status final_state(fw_job *job, const fw_frf *frf, fw_state **state) {
  for (int i = frf->count - 1; i >= 0; i--) {
    const fw_response *r = &frf->responses[i];
    if (r->count) return fw_frf_state(job->ctx, frf, r->wish.level, r->orbits[r->count - 1].frequency, 0, state);
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
  fw_status status = fw_hb_prepare(job, f_max, &frf->vibration);
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
