/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "api/studies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/pair.h"
#include "output/files.h"
#include "study/conduct.h"
#include "study/results.h"

bool fw_studies_has(const fw_item *studies, const char *id) {
  for (int i = 0; studies && i < studies->child_count; i++)
    if (strcmp(fw_args_text(&studies->children[i].args, "id"), id) == 0) return true;
  return false;
}

static bool is_wanted(const fw_studies_options *options, const char *id) {
  for (int i = 0; i < options->only_count; i++)
    if (strcmp(options->only[i], id) == 0) return true;
  return options->only_count == 0;
}

/* What the paths in summaries of analyses, and of their levels, begin with. tests/random looks whether it is all. */
static const char *const summary_words[] = {"agreement",
                                            "bifurcations",
                                            "down",
                                            "record_length",
                                            "records",
                                            "step",
                                            "constraints",
                                            "contact",
                                            "cpu_seconds",
                                            "cycles",
                                            "distance",
                                            "energy",
                                            "energy_criterion",
                                            "supports",
                                            "equilibrium",
                                            "first",
                                            "general",
                                            "hard_contact",
                                            "harmonics",
                                            "iterations",
                                            "joints",
                                            "kind",
                                            "last",
                                            "left",
                                            "level",
                                            "level_max",
                                            "levels",
                                            "limit_cycles",
                                            "maxima",
                                            "message",
                                            "model",
                                            "modes",
                                            "note",
                                            "observed",
                                            "path",
                                            "peak",
                                            "periods",
                                            "points",
                                            "reduction",
                                            "resonance",
                                            "resonances",
                                            "samples",
                                            "sensitivities",
                                            "sensitivity",
                                            "sensors",
                                            "shape",
                                            "stability_unknown",
                                            "statistics",
                                            "status",
                                            "strain_energy",
                                            "stuck",
                                            "truncation",
                                            "units",
                                            "unstable_points",
                                            "warnings",
                                            NULL};

static bool is_word(const char *word, const char *text, size_t length) {
  return strlen(word) == length && strncmp(word, text, length) == 0;
}

bool fw_summary_has(const char *word, size_t length) {
  for (size_t i = 0; i + 1 < sizeof summary_words / sizeof *summary_words; i++)
    if (is_word(summary_words[i], word, length)) return true;
  return false;
}

static fw_status check_first_word(fw_context *ctx, const fw_figure *figure) {
  char word[64];
  size_t length = strcspn(figure->path, ".[");
  if (fw_summary_has(figure->path, length)) return FW_OK;
  snprintf(word, sizeof word, "%.*s", (int)length, figure->path);
  const char *near = fw_nearest(summary_words, word);
  return fw_fail_at(ctx, FW_ERR_DECK, figure->place, "attribute 'quantity': no summary has '%s'%s%s%s", word,
                    near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* The sensor or pair that a path of an analysis' summary names must be there: sensors.tip, contact.foot.work_rate. */
static fw_status check_path(fw_context *ctx, const fw_model *model, const fw_figure *figure) {
  static const char sensors[] = "sensors.", contact[] = "contact.";
  if (!figure->path || !figure->analysis) return FW_OK;
  FW_TRY(check_first_word(ctx, figure));
  bool sensor = strncmp(figure->path, sensors, strlen(sensors)) == 0;
  if (!sensor && strncmp(figure->path, contact, strlen(contact)) != 0) return FW_OK;
  const char *id = figure->path + strlen(sensor ? sensors : contact);
  size_t length = strcspn(id, ".[");
  for (int i = 0; sensor && i < model->sensor_count; i++)
    if (is_word(model->sensors[i].id, id, length)) return FW_OK;
  for (int i = 0; !sensor && i < model->pair_count; i++)
    if (is_word(model->pairs[i]->id, id, length)) return FW_OK;
  return fw_fail_at(ctx, FW_ERR_DECK, figure->place, "attribute 'quantity': there is no %s '%.*s'",
                    sensor ? "sensor" : "contact pair", (int)length, id);
}

fw_status fw_studies_check(fw_context *ctx, const fw_studies_options *options) {
  const fw_item *studies = options->built->studies;
  fw_status worst = FW_OK;
  for (int i = 0; studies && i < studies->child_count; i++) {
    const fw_item *item = &studies->children[i];
    fw_study *study = NULL;
    if (!is_wanted(options, fw_args_text(&item->args, "id"))) continue;
    fw_status status = fw_study_create(ctx, options->deck, options->built->analyses, item, &study);
    for (int k = 0; status == FW_OK && k < study->figure_count; k++)
      status = check_path(ctx, options->built->model, &study->figures[k]);
    worst = fw_worse(worst, status);
    fw_study_destroy(&study);
  }
  return worst;
}

fw_status fw_studies_run_sample(fw_context *ctx, const fw_deck *deck, const char *analysis, fw_read_fn read,
                                void *user) {
  fw_run_options options = {.threads = 1, .only = &analysis, .only_count = 1};
  fw_results *results = NULL;
  fw_status status = fw_run(ctx, deck, &options, &results);
  if (status == FW_OK) status = read(user, ctx, results->summary, results->sink);
  fw_results_destroy(&results);
  return status;
}

/* ---- what a study leaves ----------------------------------------------------------------- */

static const char *status_word(fw_status status) {
  if (status == FW_OK) return "done";
  return status == FW_ERR_INTERRUPTED ? "interrupted" : "failed";
}

/* Tables are kept where fw_results_column finds them: as memory of the results' sink, whatever its kind. */
static fw_status keep_tables(fw_context *ctx, const fw_study *study, const fw_samples *samples, const char *folder,
                             fw_sink *sink) {
  const fw_sink_ops *ops = sink->ops;
  sink->ops = NULL; /* the files are written by the study itself, whole */
  fw_status status = fw_study_tables(ctx, study, samples, sink, folder);
  sink->ops = ops;
  return status;
}

static fw_status leave_results(fw_context *ctx, const fw_study *study, const fw_samples *samples, const char *folder,
                               fw_status conducted, fw_results *results) {
  fw_record *part;
  fw_effects effects = {0};
  fw_status status;
  if (fw_record_create(&part) != FW_OK) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  fw_record_set_text(part, status_word(conducted), "status");
  FW_TRY_DONE(fw_effects_of(ctx, study, samples, &effects));
  FW_TRY_DONE(fw_study_summarise(ctx, study, samples, &effects, part));
  FW_TRY_DONE(fw_record_set_record(results->summary, part, "studies.%s", study->id));
  FW_TRY_DONE(keep_tables(ctx, study, samples, folder, results->sink));
  if (folder) FW_TRY_DONE(fw_study_plots(ctx, study, samples, &effects, folder));
done:
  fw_effects_clear(&effects);
  fw_record_destroy(&part);
  return status;
}

/* ---- one study --------------------------------------------------------------------------- */

static fw_status study_folder(fw_context *ctx, const char *out, const char *id, char **folder) {
  char *safe;
  *folder = NULL;
  if (!out) return FW_OK;
  FW_TRY(fw_path_safe(ctx, id, &safe));
  fw_status status = fw_path_join(ctx, out, safe, folder);
  free(safe);
  return status;
}

/* A study all of whose samples failed has failed itself; one that lost some to somebody who killed their processes is
 * not complete. */
static fw_status judge(fw_context *ctx, const fw_study *study, const fw_samples *samples) {
  if (samples->killed > 0)
    return fw_fail(
        ctx, FW_ERR_ANALYSIS,
        "study %s: %ld samples are missing, their processes were killed from outside; --resume computes them",
        study->id, samples->killed);
  if (samples->done == 0 || samples->failed < samples->done) return FW_OK;
  return fw_fail(ctx, FW_ERR_ANALYSIS, "study %s: every sample failed; the first: %s", study->id, samples->reasons[0]);
}

/* A team that has lost someone cannot work together any more: rank 0 goes on alone. */
static fw_team *whole_team(const fw_studies_options *options) {
  return fw_team_lost(options->team) ? NULL : options->team;
}

/* A search goes from sample to sample: rank 0 performs it alone, with its own processes. */
static bool leaves_to_others(const fw_studies_options *options, const fw_study *study) {
  return study->wanted && fw_team_rank(options->team) != 0;
}

static fw_status perform(fw_context *ctx, const fw_studies_options *options, const fw_item *item, fw_results *results) {
  fw_study *study = NULL;
  fw_samples *samples = NULL;
  char *folder = NULL;
  fw_status status;
  FW_TRY_DONE(fw_study_create(ctx, options->deck, options->built->analyses, item, &study));
  if (leaves_to_others(options, study)) goto done;
  FW_TRY_DONE(study_folder(ctx, options->out, study->id, &folder));
  fw_conduct how = {.deck = options->deck,
                    .run = fw_studies_run_sample,
                    .folder = folder,
                    .workers = options->workers,
                    .team = study->wanted ? NULL : whole_team(options)};
  if (results) fw_log(ctx, "%s: study begins", study->id);
  status = fw_study_conduct(ctx, study, &how, &samples);
  if (results && samples) {
    fw_status left = leave_results(ctx, study, samples, folder, status, results);
    if (status == FW_OK) status = left;
    if (status == FW_OK) status = judge(ctx, study, samples);
    fw_log(ctx, "%s: study %s, %ld samples, %ld of them failed", study->id, status_word(status), samples->done,
           samples->failed);
  }
  fw_progress(ctx, study->id, 1.0);
done:
  fw_samples_destroy(&samples);
  fw_study_destroy(&study);
  free(folder);
  return status;
}

fw_status fw_studies_run(fw_context *ctx, const fw_studies_options *options, fw_results *results) {
  const fw_item *studies = options->built->studies;
  fw_status first = FW_OK;
  for (int i = 0; studies && i < studies->child_count; i++) {
    const fw_item *item = &studies->children[i];
    if (!is_wanted(options, fw_args_text(&item->args, "id"))) continue;
    fw_status status = perform(ctx, options, item, results);
    if (first == FW_OK) first = status;
    if (status != FW_OK && status != FW_ERR_ANALYSIS) break;
    if (fw_team_lost(options->team) && fw_team_rank(options->team) != 0) break;
  }
  return first;
}
