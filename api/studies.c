/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "api/studies.h"

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

static bool is_word(const char *word, const char *text, size_t length) {
  return strlen(word) == length && strncmp(word, text, length) == 0;
}

/* The sensor or pair that a path of an analysis' summary names must be there: sensors.tip, contact.foot.work_rate. */
static fw_status check_path(fw_context *ctx, const fw_model *model, const fw_figure *figure) {
  static const char sensors[] = "sensors.", contact[] = "contact.";
  if (!figure->path || !figure->analysis) return FW_OK;
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
    if (status != FW_OK) worst = status;
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

static fw_status perform(fw_context *ctx, const fw_studies_options *options, const fw_item *item, fw_results *results) {
  fw_study *study = NULL;
  fw_samples *samples = NULL;
  char *folder = NULL;
  fw_status status;
  FW_TRY_DONE(fw_study_create(ctx, options->deck, options->built->analyses, item, &study));
  FW_TRY_DONE(study_folder(ctx, options->out, study->id, &folder));
  fw_conduct how = {.deck = options->deck,
                    .run = fw_studies_run_sample,
                    .folder = folder,
                    .workers = options->workers,
                    .team = whole_team(options)};
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
