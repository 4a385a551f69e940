/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frequency response at constant force or response, by harmonic balance, time integration or both. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/pair.h"
#include "core/load.h"
#include "core/plain_locale.h"
#include "core/unknown.h"
#include "elements/joint.h"
#include "solver/analyses/frf/parts.h"
#include "solver/analyses/hb_prepare.h"
#include "solver/analyses/linear_range.h"
#include "solver/analysis.h"

static const fw_param frf_params[] = {
    {"levels", FW_PARAM_NUMBERS, "", "1", 0, 0, NULL, "factors of the loads that drive, one response each"},
    {"control", FW_PARAM_CHOICE, "", "force", 0, 0, "force|response",
     "harmonic balance: what is held along the curve; response: `levels` are amplitudes of the first harmonic at "
     "`response`, in its unit, and the factor of the loads is found"},
    {"response", FW_PARAM_REF, "", NULL, 0, 0, "sensor", "sensor whose phase and amplitude define resonance"},
    {"f-min", FW_PARAM_NUMBER, "Hz", NULL, 1e-9, 1e9, NULL, "lower end of the range"},
    {"f-max", FW_PARAM_NUMBER, "Hz", NULL, 1e-9, 1e9, NULL, "upper end of the range"},
    {"points", FW_PARAM_INTEGER, "", "200", 2, 100000, NULL, "points of the frequency grid; bends add their own"},
    {"sweep", FW_PARAM_CHOICE, "", "up", 0, 0, "up|down|both", "direction in which the curve is followed"},
    {"method", FW_PARAM_CHOICE, "", "harmonic-balance", 0, 0, "harmonic-balance|time|both|h1|shooting|auto",
     "how the response is computed; both: harmonic balance, checked by time integration and shooting; h1: measured "
     "under a "
     "chirp or a random load; shooting: motions that the steps of time integration repeat, with their multipliers; "
     "auto: "
     "harmonic balance where a few more harmonics change the response by no more than `tolerance`, shooting elsewhere"},
    {"period", FW_PARAM_INTEGER, "", "1", 1, 10, NULL,
     "shooting: periods of the drive after which the motion repeats itself"},
    {"harmonics", FW_PARAM_INTEGER, "", "auto", 1, 99, "auto", "harmonics; auto: until the resonance stays put"},
    {"harmonics-most", FW_PARAM_INTEGER, "", "99", 5, 199, NULL, "harmonics that auto may come to"},
    {"samples", FW_PARAM_INTEGER, "", "auto", 8, 65536, "auto", "time samples of a period; auto: 256 or more"},
    {"switching", FW_PARAM_CHOICE, "", "sampled", 0, 0, "sampled|exact",
     "harmonic balance: forces of rigid stick and of hard contact that opens: by samples, or integrated between "
     "switching times"},
    {"tolerance", FW_PARAM_NUMBER, "", "1e-3", 1e-9, 1, NULL,
     "relative change of the response that more harmonics may make (auto)"},
    {"stability", FW_PARAM_FLAG, "", "no", 0, 0, NULL,
     "harmonic balance: multipliers of every motion; folds and period doublings in the summary, unstable motions "
     "marked"},
    {"sensitivities", FW_PARAM_FLAG, "", "no", 0, 0, NULL,
     "harmonic balance: derivatives of the resonance with respect to the friction laws' numbers"},
    {"loops", FW_PARAM_CHOICE, "", "resonance", 0, 0, "resonance|all|none",
     "harmonic balance: where slip and forces of every contact point over a period become a table: at the resonance "
     "(or peak), at all points of the curve, nowhere"},
    {"shapes", FW_PARAM_INTEGER, "", "0", 0, 1000, NULL,
     "harmonic balance: shapes of the harmonics at the resonance, compared with this many linear modes with the "
     "contact "
     "stuck; 0: none"},
    {"modes", FW_PARAM_INTEGER, "", "60", 1, 10000, NULL,
     "modes that stand for the structure between contact and loads, of models with more than 600 freedoms"},
    {"modes-below", FW_PARAM_NUMBER, "Hz", "0", 0, 1e9, NULL,
     "as many as lie below this frequency instead; 0: `modes`"},
    {"solver", FW_PARAM_CHOICE, "", "alpha", 0, 0, "alpha|ida", "time: integrator, as of a transient"},
    {"steps", FW_PARAM_INTEGER, "", "400", 8, 1000000, NULL, "time, shooting: steps of a period; h1: of the shortest"},
    {"periods", FW_PARAM_INTEGER, "", "50", 10, 1000000, NULL, "time: periods at each frequency, at least"},
    {"periods-most", FW_PARAM_INTEGER, "", "1000", 10, 100000000, NULL,
     "time: and at most, if not steady before; shooting: of time integration before a motion is given up"},
    {"steady", FW_PARAM_NUMBER, "", "1e-3", 1e-12, 1, NULL,
     "time: relative distance from the steady motion that ends it"},
    {"check-points", FW_PARAM_INTEGER, "", "5", 1, 100000, NULL,
     "both: frequencies around the resonance where time integration starts on the orbit"},
    {"records", FW_PARAM_INTEGER, "", "20", 1, 1000000, NULL,
     "h1: records averaged, each as long as tells the points of the frequency grid apart"},
    {"settle", FW_PARAM_INTEGER, "", "1", 0, 1000000, NULL, "h1: records that pass before"},
    {"repeat", FW_PARAM_FLAG, "", "no", 0, 0, NULL,
     "h1: the load begins anew with each record and no window is used, for chirps; else it goes on, and records "
     "overlap "
     "by half under a Hann window"},
    {0}};

static const double NEWTON = 1e-6; /* last step; what remains is its square but for kinks */

/* ---- all responses, several at a time ------------------------------------------------------ */

/* Workers take the next response from a common counter. */
typedef struct crew {
  const fw_args *args;
  const fw_vibration *vibration;
  fw_response *responses;
  int count;
  atomic_int next;
} crew;

typedef struct worker {
  crew *of;
  fw_context *ctx;
  fw_status status;
  pthread_t thread;
  bool started;
} worker;

static void work(worker *w) {
  for (int i = atomic_fetch_add(&w->of->next, 1); i < w->of->count && w->status == FW_OK;
       i = atomic_fetch_add(&w->of->next, 1)) {
    fw_response *out = &w->of->responses[i];
    double begin = fw_thread_seconds();
    w->status = fw_frf_respond(w->ctx, w->of->args, w->of->vibration, out->options, out);
    out->seconds = fw_thread_seconds() - begin;
  }
}

static void *work_in_thread(void *user) {
  worker *w = user;
  locale_t before;
  w->status = fw_plain_locale_enter(w->ctx, &before);
  if (w->status != FW_OK) return NULL;
  work(w);
  fw_plain_locale_leave(before);
  return NULL;
}

/* Each response has its options. The first worker is the calling thread itself. */
static fw_status respond_all(fw_job *job, const fw_vibration *v, fw_response *responses, int count) {
  crew all = {.args = job->args, .vibration = v, .responses = responses, .count = count};
  int workers = job->threads < count ? job->threads : count;
  if (workers < 1) workers = 1;
  worker *list;
  FW_TRY(fw_alloc(job->ctx, (size_t)workers, sizeof *list, &list));
  for (int i = 0; i < workers; i++) {
    list[i].of = &all;
    if (i > 0 && fw_context_fork(job->ctx, &list[i].ctx) == FW_OK)
      list[i].started = pthread_create(&list[i].thread, NULL, work_in_thread, &list[i]) == 0;
  }
  list[0].ctx = job->ctx;
  work(&list[0]);
  fw_status status = list[0].status;
  for (int i = 1; i < workers; i++) {
    if (list[i].started) pthread_join(list[i].thread, NULL);
    if (list[i].status != FW_OK && status == FW_OK)
      status = fw_fail(job->ctx, list[i].status, "%s", fw_context_message(list[i].ctx));
    fw_context_destroy(&list[i].ctx);
  }
  free(list);
  for (int i = 0; i < count; i++) {
    const fw_response *r = &responses[i];
    char settled[48] = "";
    if (isfinite(r->truncation)) snprintf(settled, sizeof settled, ", truncation %.1e", r->truncation);
    fw_log(job->ctx, "%s: level %g, %g to %g Hz: %d points, %d iterations, %d harmonics%s", job->id, r->options.level,
           r->options.f_from, r->options.f_to, r->count, r->iterations, r->options.H,
           isinf(r->truncation) ? ", which do not settle" : settled);
  }
  return status;
}

/* ---- the analysis -------------------------------------------------------------------------- */

enum { BALANCE, TIME, BOTH, H1, SHOOTING, AUTO }; /* choices of `method` */
enum { FORCE, RESPONSE };                         /* of `control` */
enum { AT_RESONANCE, AT_ALL, NOWHERE };           /* and of `loops` */

/* Tables of one response, and its check by the other method. */
static fw_status report(fw_job *job, const fw_frf *frf, int i, bool both_ways) {
  const fw_response *r = &frf->responses[i];
  char prefix[64];
  fw_frf_prefix(frf, i, prefix, sizeof prefix);
  if (fw_args_integer(job->args, "method") == AUTO) return fw_frf_auto(job, frf, i, both_ways, prefix);
  FW_TRY(fw_frf_write(job, r, both_ways));
  if (fw_args_flag(job->args, "sensitivities")) FW_TRY(fw_frf_sensitivities(job, frf, r, prefix));
  int modes = fw_args_integer(job->args, "shapes");
  if (modes) FW_TRY(fw_frf_shapes(job, frf, r, both_ways, modes, prefix));
  if (fw_args_integer(job->args, "method") != BOTH) return FW_OK;
  return fw_frf_agreement(job, frf, r, both_ways, prefix);
}

static fw_status run_all(fw_job *job, fw_frf *frf, bool both_ways) {
  fw_status status = FW_OK;
  int method = fw_args_integer(job->args, "method");
  if (method == TIME || method == SHOOTING) {
    for (int i = 0; i < frf->count && status == FW_OK; i++) {
      const fw_response_options options = frf->responses[i].options;
      status = (method == TIME ? fw_frf_time : fw_frf_shooting)(job, &options, both_ways, &frf->responses[i]);
    }
    return status;
  }
  status = respond_all(job, frf->vibration, frf->responses, frf->count);
  for (int i = 0; i < frf->count; i++) {
    if (status == FW_OK)
      status = report(job, frf, i, both_ways);
    else if (frf->responses[i].count)
      fw_frf_write(job, &frf->responses[i], both_ways); /* what there is */
    fw_progress(job->ctx, job->id, (double)(i + 1) / frf->count);
  }
  int loops = fw_args_integer(job->args, "loops");
  if (status != FW_OK || loops == NOWHERE || method == AUTO) return status;
  return fw_frf_loops(job, frf, loops == AT_ALL);
}

static fw_status run_levels(fw_job *job, fw_frf *frf) {
  const fw_args *args = job->args;
  const fw_value *levels = fw_args_value(args, "levels");
  int sweep = fw_args_integer(args, "sweep"), first = sweep == 1, last = sweep != 0;
  double f_min = fw_args_number(args, "f-min"), f_max = fw_args_number(args, "f-max");
  int sensor = fw_model_sensor(job->model, fw_args_text(args, "response"));
  fw_response_options options = {.constant_response = fw_args_integer(args, "control") == RESPONSE,
                                 .points = fw_args_integer(args, "points"),
                                 .sensor = sensor,
                                 .quantity = job->model->sensors[sensor].quantity,
                                 .phase = -M_PI / 2,
                                 .either = true,
                                 .tolerance = NEWTON,
                                 .stability = fw_args_flag(args, "stability"),
                                 .smooth = job->folder != NULL};
  FW_TRY(fw_job_drive(job, &options.drive));
  frf->level_count = levels->count;
  frf->directions = last - first + 1;
  FW_TRY(fw_alloc(job->ctx, 2 * (size_t)levels->count, sizeof *frf->responses, &frf->responses));
  for (int l = 0; l < levels->count; l++)
    for (int down = first; down <= last; down++) {
      options.level = levels->numbers[l];
      options.f_from = down ? f_max : f_min;
      options.f_to = down ? f_min : f_max;
      frf->responses[frf->count++] =
          (fw_response){.options = options, .peak = -1, .bandwidth = fw_unknown(), .truncation = fw_unknown()};
    }
  return run_all(job, frf, sweep == 2);
}

/* Why a curve has no point at all. */
static fw_status fail_empty(fw_job *job, const fw_frf *frf, const fw_response *r) {
  fw_response free_level = {0};
  fw_response_options options = r->options;
  options.constant_response = options.stability = false;
  options.level = 1;
  options.points = 2;
  if (r->options.constant_response) FW_TRY(fw_response_run(job->ctx, frf->vibration, &options, &free_level));
  bool rests = free_level.count && free_level.peak < 0;
  fw_response_clear(&free_level);
  if (rests)
    return fw_fail(job->ctx, FW_ERR_ANALYSIS, "the loads do not move the sensor \"%s\": its response cannot be held",
                   job->model->sensors[options.sensor].id);
  return fw_fail(job->ctx, FW_ERR_ANALYSIS, "level %g: %s", r->options.level, r->note);
}

/* Harmonics are too few where a few more change the response by more than this part. */
static const double COARSE = 0.05;

static fw_status judge_harmonics(const fw_job *job, const fw_response *r) {
  if (!(r->truncation > COARSE)) return FW_OK; /* not known: in time */
  char change[48] = "do not lead to a motion near it";
  if (isfinite(r->truncation)) snprintf(change, sizeof change, "change the response by %.2g", r->truncation);
  return fw_job_warn(job, FW_WARN_HARMONICS, "level %g: a few more than %d harmonics %s", r->options.level,
                     r->options.H, change);
}

/* Curves that are not what was asked for: without any point the analysis fails, of a part only it warns. */
static fw_status judge_curves(fw_job *job, const fw_frf *frf) {
  fw_status worst = FW_OK;
  for (int i = 0; i < frf->count; i++) {
    const fw_response *r = &frf->responses[i];
    fw_status status = FW_OK;
    if (!r->count)
      status = fail_empty(job, frf, r);
    else if (!r->whole)
      status = fw_job_warn(job, FW_WARN_PARTIAL, "level %g: %s", r->options.level, r->note);
    if (status == FW_OK && r->count) status = judge_harmonics(job, r);
    if (worst == FW_OK) worst = status;
  }
  return worst;
}

/* Whether the motions, each curve's furthest, are such as the kinematics are meant for. */
static fw_status judge_rotations(const fw_job *job, const fw_frf *frf) {
  fw_linear_range range = {0};
  for (int i = 0; i < frf->count; i++) {
    const fw_response *r = &frf->responses[i];
    FW_TRY(fw_linear_range_look_at_curve(&range, job, frf->vibration, r->options, r->orbits, r->count));
    if (r->top.y) FW_TRY(fw_linear_range_look_at_curve(&range, job, frf->vibration, r->options, &r->top, 1));
  }
  return fw_linear_range_judge(&range, job);
}

/* The last orbit of the last response that has one. */
static fw_status final_state(fw_job *job, const fw_frf *frf, fw_state **state) {
  for (int i = frf->count - 1; i >= 0; i--) {
    const fw_response *r = &frf->responses[i];
    if (r->count && r->orbits[r->count - 1].y)
      return fw_frf_state(job->ctx, frf, r->options.level, r->orbits[r->count - 1].frequency, 0, state);
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

static bool by_balance(const fw_args *args) {
  int method = fw_args_integer(args, "method");
  return method == BALANCE || method == BOTH || method == AUTO;
}

static bool by_steps(const fw_args *args) {
  int method = fw_args_integer(args, "method");
  return method != BALANCE && method != H1;
}

static fw_status check_levels(fw_context *ctx, const fw_args *args) {
  const fw_value *levels = fw_args_value(args, "levels");
  bool held = fw_args_integer(args, "control") == RESPONSE;
  for (int l = 0; l < levels->count; l++)
    if (levels->numbers[l] == 0 || (held && levels->numbers[l] < 0))
      return fw_fail_at(ctx, FW_ERR_DECK, args->place, "attribute 'levels': %s, but one is %g",
                        held ? "amplitudes must be above 0" : "a load of level 0 drives nothing", levels->numbers[l]);
  return fw_check_once(ctx, args, "levels");
}

/* Words that mean nothing with a method. */
static fw_status check_words(fw_context *ctx, const fw_args *args) {
  static const char *const of_auto[] = {"periods", "steady",        "solver", "check-points", "records", "settle",
                                        "repeat",  "sensitivities", "loops",  "shapes",       NULL};
  static const char *const of_balance[] = {"sensitivities", "loops", "shapes", NULL};
  static const char *const period[] = {"period", NULL};
  int method = fw_args_integer(args, "method");
  if (method == AUTO) FW_TRY(fw_check_unused(ctx, args, of_auto, "method=\"auto\""));
  if (!by_balance(args)) FW_TRY(fw_check_unused(ctx, args, of_balance, "methods without harmonic balance"));
  if (method == SHOOTING) return FW_OK;
  return fw_check_unused(ctx, args, period, "methods other than shooting");
}

static fw_status frf_check(fw_context *ctx, const fw_model *model, const fw_args *common, const fw_args *args) {
  FW_TRY(fw_check_below(ctx, args, "f-min", "f-max"));
  FW_TRY(check_levels(ctx, args));
  FW_TRY(check_words(ctx, args));
  if (fw_args_integer(args, "method") == TIME &&
      fw_args_integer(args, "periods") > fw_args_integer(args, "periods-most"))
    return fw_fail_at(ctx, FW_ERR_DECK, args->place, "periods must not be above periods-most");
  int fixed = fw_args_integer(args, "harmonics"), most = fixed ? fixed : fw_args_integer(args, "harmonics-most");
  if (by_balance(args)) FW_TRY(fw_check_harmonic(ctx, model, common, most));
  if (by_balance(args)) FW_TRY(fw_vibration_check(ctx, model, args->place));
  if (by_steps(args)) FW_TRY(fw_check_stepped(ctx, model, common, fw_args_integer(args, "steps")));
  if (fw_args_integer(args, "method") == SHOOTING) FW_TRY(fw_joints_check_still(ctx, model, "shooting"));
  if (fw_args_integer(args, "method") == H1)
    FW_TRY(fw_frf_h1_check(ctx, model, common, args));
  else
    FW_TRY(fw_check_driven(ctx, model, common));
  bool balance_only = by_balance(args) && fw_args_integer(args, "method") != AUTO;
  if (fw_args_integer(args, "control") == RESPONSE && !balance_only)
    return fw_fail_at(ctx, FW_ERR_DECK, args->place,
                      "control=\"response\" needs harmonic balance: time integration and shooting know the force only");
  return FW_OK;
}

static fw_status frf_run(fw_job *job, fw_outcome *outcome) {
  fw_frf *frf;
  double f_max = fw_args_number(job->args, "f-max");
  FW_TRY(fw_alloc(job->ctx, 1, sizeof *frf, &frf));
  outcome->data = frf;
  fw_status status = FW_OK;
  if (fw_args_integer(job->args, "method") == H1) {
    status = fw_frf_h1(job, &outcome->state);
    fw_status begun = outcome->state ? FW_OK : fw_job_begin(job, &outcome->state);
    return status != FW_OK ? status : begun;
  }
  fw_reduction how = {.modes = fw_args_integer(job->args, "modes"),
                      .below = 2 * M_PI * fw_args_number(job->args, "modes-below")};
  if (by_balance(job->args)) status = fw_hb_prepare(job, f_max, how, true, &frf->vibration);
  if (status == FW_OK) status = run_levels(job, frf);
  if (status == FW_OK) status = fw_frf_summarise(job, frf);
  bool curves = frf->vibration || fw_args_integer(job->args, "method") == SHOOTING;
  if (status == FW_OK && curves) status = judge_curves(job, frf);
  if (status == FW_OK && frf->vibration) status = judge_rotations(job, frf);
  bool goes_on = frf->vibration && status != FW_ERR_INTERRUPTED;
  fw_status kept = goes_on ? final_state(job, frf, &outcome->state) : fw_job_begin(job, &outcome->state);
  return status != FW_OK ? status : kept;
}

static fw_status frf_state_at(fw_context *ctx, const fw_outcome *outcome, double level, double frequency, double phase,
                              fw_state **state) {
  return fw_frf_state(ctx, outcome->data, level, frequency, phase, state);
}

const fw_analysis_ops fw_analysis_frf = {
    .entry = {"frf", "Frequency response at constant force or response, with contact and friction",
              "D(k omega) z_k + [f_nl(z)]_k = level f_k, k = 0..H; arc-length continuation in omega",
              "Cameron and Griffin 1989; Krack and Gross, Harmonic Balance for Nonlinear Vibration Problems, 2019",
              frf_params},
    .check = frf_check,
    .run = frf_run,
    .state_at = frf_state_at,
    .destroy = frf_destroy};
