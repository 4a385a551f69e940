/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A nonlinear normal mode against amplitude. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/analyses/bifurcations.h"
#include "solver/analyses/hb_prepare.h"
#include "solver/analyses/nnm/synthesis.h"
#include "solver/analyses/orbit_table.h"
#include "solver/hb/nnm.h"

static const fw_param nnm_params[] = {
    {"mode", FW_PARAM_INTEGER, "", "1", 1, 1000, NULL,
     "number of the linear mode with the contact stuck where it begins"},
    {"response", FW_PARAM_REF, "", NULL, 0, 0, "sensor", "sensor whose displacement is the amplitude"},
    {"a-min", FW_PARAM_NUMBER, "m", NULL, 1e-15, 1e6, NULL, "amplitude where the curve begins"},
    {"a-max", FW_PARAM_NUMBER, "m", NULL, 1e-15, 1e6, NULL, "and where it ends, if it gets there"},
    {"f-max", FW_PARAM_NUMBER, "Hz", "", 1e-9, 1e9, NULL,
     "von Karman beams: modes below twelve times this are unknowns; absent: the first frequency with the contact held"},
    {"points", FW_PARAM_INTEGER, "", "60", 2, 100000, NULL, "points of the logarithmic grid; bends add their own"},
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

static fw_status report(fw_job *job, const fw_nnm_options *options, const fw_nnm *b) {
  const char *unit = fw_sensor_unit_of(&job->model->sensors[options->sensor], FW_DISPLACEMENT);
  const fw_column first[] = {{"amplitude", unit}, {"damping", ""}, {"along", ""}};
  int columns = options->stability ? 3 : 2;
  fw_orbit_table table;
  FW_TRY(
      fw_orbit_table_open(job, "nnm", first, columns, options->H, options->stability ? FW_ORBIT_STABILITY : 0, &table));
  fw_status status = FW_OK;
  double residual = 0;
  for (int i = 0; i < b->count && status == FW_OK; i++) {
    const double own[] = {b->amplitudes[i], b->zetas[i], b->orbits[i].along};
    status = fw_orbit_table_row(job, &table, own, &b->orbits[i]);
    residual = fmax(residual, b->orbits[i].residual);
  }
  fw_orbit_table_close(&table);
  FW_TRY(status);
  FW_TRY(fw_record_set_text(job->summary, unit, "units.amplitude"));
  FW_TRY(fw_record_set_number(job->summary, b->stuck, "stuck.frequency"));
  const struct {
    const char *name;
    int at;
  } ends[] = {{"first", 0}, {"last", b->count - 1}};
  for (int e = 0; e < 2 && b->count; e++) {
    FW_TRY(fw_record_set_number(job->summary, b->amplitudes[ends[e].at], "%s.amplitude", ends[e].name));
    FW_TRY(fw_record_set_number(job->summary, b->orbits[ends[e].at].frequency, "%s.frequency", ends[e].name));
    FW_TRY(fw_record_set_number(job->summary, b->zetas[ends[e].at], "%s.damping", ends[e].name));
  }
  FW_TRY(fw_record_set_number(job->summary, b->count, "points"));
  FW_TRY(fw_record_set_number(job->summary, b->iterations, "iterations"));
  FW_TRY(fw_record_set_number(job->summary, residual, "energy.residual"));
  if (options->stability)
    FW_TRY(fw_bifurcations_record(job->summary, b->orbits, b->count, options->sensor * (options->H + 1) + 1,
                                  b->unjudged, ""));
  if (b->note[0]) FW_TRY(fw_record_set_text(job->summary, b->note, "note"));
  if (!b->count) return fw_fail(job->ctx, FW_ERR_ANALYSIS, "no free motion found: %s", b->note);
  bool asked = b->status == FW_RECOVER_CONTACT && !options->beyond; /* to end there */
  if (b->status > 0 && !asked) FW_TRY(fw_job_warn(job, FW_WARN_PARTIAL, "%s", b->note));
  return FW_OK;
}

static fw_status nnm_check(fw_context *ctx, const fw_model *model, const fw_args *common, const fw_args *args) {
  FW_TRY(fw_check_below(ctx, args, "a-min", "a-max"));
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
                            .beyond = fw_args_integer(args, "opening") == 0};
  int samples = fw_args_integer(args, "samples");
  options.samples = samples > 2 * options.H ? samples : 2 * options.H + 1;
  fw_vibration *v = NULL;
  fw_nnm nnm = {0};
  fw_status status = find_curve_of_any(job, &options, &v, &nnm);
  if (status == FW_OK) status = report(job, &options, &nnm);
  if (status == FW_ERR_INTERRUPTED && nnm.count) report(job, &options, &nnm); /* what there is */
  if (status == FW_OK) status = fw_nnm_synthesise(job, v, &nnm);
  if (status == FW_OK)
    fw_log(job->ctx, "%s: %d points, %d iterations%s%s", job->id, nnm.count, nnm.iterations, nnm.note[0] ? "; " : "",
           nnm.note);
  fw_nnm_clear(&nnm);
  fw_vibration_destroy(&v);
  fw_status kept = fw_job_begin(job, &outcome->state);
  return status != FW_OK ? status : kept;
}

const fw_analysis_ops fw_analysis_nnm = {
    .entry =
        {"nnm", "Nonlinear normal mode: frequency and damping against amplitude",
         "[-(k omega)^2 M + i k omega (C - 2 zeta omega M) + K] z_k + [f_nl(z)]_k = 0; X_1 = a; continuation in ln a",
         "Krack, Nonlinear modal analysis of nonconservative systems: extension of the periodic motion concept, 2015",
         nnm_params},
    .check = nnm_check,
    .run = nnm_run};
