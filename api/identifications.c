/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "api/identifications.h"

#include <stdlib.h>
#include <string.h>

#include "api/plan.h"
#include "identify/crew.h"
#include "identify/method.h"
#include "identify/ranking.h"
#include "output/directory.h"
#include "output/files.h"

const fw_item *fw_identifications_find(const fw_item *identification, const char *id) {
  for (int i = 0; identification && i < identification->child_count; i++)
    if (strcmp(fw_args_text(&identification->children[i].args, "id"), id) == 0) return &identification->children[i];
  return NULL;
}

static const fw_method_ops *method_of(const fw_item *identify) {
  return (const fw_method_ops *)(const void *)identify->entry;
}

const char *fw_identifications_analysis(const fw_item *identify) {
  if (!method_of(identify)->of_results || !fw_args_given(&identify->entry_args, "analysis")) return NULL;
  return fw_args_text(&identify->entry_args, "analysis");
}

static bool is_wanted(const fw_identifications_options *options, const char *id) {
  for (int i = 0; i < options->only_count; i++)
    if (strcmp(options->only[i], id) == 0) return true;
  return options->only_count == 0;
}

static fw_identify_job make_job(fw_context *ctx, const fw_identifications_options *options, const fw_item *item) {
  return (fw_identify_job){.ctx = ctx,
                           .deck = options->deck,
                           .built = options->built,
                           .id = fw_args_text(&item->args, "id"),
                           .common = &item->args,
                           .args = &item->entry_args,
                           .threads = options->threads,
                           .workers = options->workers,
                           .mark = options->mark,
                           .run = options->run,
                           .reach = fw_reach,
                           .team = options->team,
                           .team_workers = options->team_workers};
}

fw_status fw_identifications_check(fw_context *ctx, const fw_identifications_options *options) {
  const fw_item *list = options->built->identification;
  fw_status worst = FW_OK;
  for (int i = 0; list && i < list->child_count; i++) {
    const fw_item *item = &list->children[i];
    fw_identify_job job = make_job(ctx, options, item);
    if (!is_wanted(options, job.id)) continue;
    fw_status status = method_of(item)->check(&job);
    worst = fw_worse(worst, status);
  }
  return worst;
}

/* ---- in a team ---------------------------------------------------------------------------- */

enum { NO_MORE = -1 };

static bool is_whole(const fw_team *team) { return team && !fw_team_lost(team); }

/* Rank 0 tells which of the list comes next, and waits for the others to be ready for it. */
static void begin_together(fw_team *team, int place) {
  fw_team_share(team, &place, sizeof place);
  fw_crew_gather(team);
}

void fw_identifications_dismiss(fw_team *team) {
  int place = NO_MORE;
  if (is_whole(team)) fw_team_share(team, &place, sizeof place);
}

void fw_identifications_help(fw_context *ctx, const fw_identifications_options *options) {
  while (is_whole(options->team)) {
    int place = NO_MORE;
    fw_team_share(options->team, &place, sizeof place);
    if (place == NO_MORE) return;
    const fw_item *item = &options->built->identification->children[place];
    fw_identify_job job = make_job(ctx, options, item);
    method_of(item)->help(&job);
  }
}

/* ---- one identification ------------------------------------------------------------------ */

static const char *status_word(fw_status status) {
  if (status == FW_OK) return "done";
  return status == FW_ERR_INTERRUPTED ? "interrupted" : "failed";
}

/* OUT/ID, made; NULL in memory. */
static fw_status make_folder(fw_context *ctx, const char *out, const char *id, char **folder) {
  char *safe;
  *folder = NULL;
  if (!out) return FW_OK;
  FW_TRY(fw_path_safe(ctx, id, &safe));
  fw_status status = fw_path_join(ctx, out, safe, folder);
  free(safe);
  return status == FW_OK ? fw_folder_make(ctx, *folder) : status;
}

static fw_status execute(fw_identify_job *job, const fw_method_ops *ops, const char *out) {
  char *folder;
  fw_status status = make_folder(job->ctx, out, job->id, &folder);
  job->folder = folder;
  if (status == FW_OK) status = ops->run(job);
  if (folder) {
    fw_status closed = fw_directory_finish(job->ctx, job->sink, job->id);
    if (status == FW_OK) status = closed;
  }
  free(folder);
  return status;
}

static fw_status perform(fw_context *ctx, const fw_identifications_options *options, int place, fw_results *results) {
  const fw_item *item = &options->built->identification->children[place];
  const fw_method_ops *ops = method_of(item);
  fw_identify_job job = make_job(ctx, options, item);
  if (fw_record_create(&job.summary) != FW_OK) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  job.computed = job.sink = results->sink;
  fw_record_set_text(job.summary, ops->entry.name, "method");
  fw_record_set_text(job.summary, "running", "status");
  fw_log(ctx, "%s: identification by %s begins", job.id, ops->entry.name);
  fw_progress(ctx, job.id, 0.0);
  size_t told = strlen(fw_context_message(ctx)); /* by others before */
  bool helped = ops->help && is_whole(job.team);
  if (helped) begin_together(job.team, place);
  fw_status status = execute(&job, ops, options->out);
  if (helped) fw_crew_dismiss(job.team);
  fw_record_set_text(job.summary, status_word(status), "status");
  if (status != FW_OK) {
    fw_fail(ctx, status, "identification %s (%s) %s", job.id, ops->entry.name, status_word(status));
    fw_record_set_text(job.summary, fw_context_message(ctx) + told, "message");
  }
  fw_log(ctx, "%s: identification %s", job.id, status_word(status));
  fw_progress(ctx, job.id, 1.0);
  fw_status kept = fw_record_set_record(results->summary, job.summary, "identification.%s", job.id);
  fw_record_destroy(&job.summary);
  return status == FW_OK ? kept : status;
}

fw_status fw_identifications_run(fw_context *ctx, const fw_identifications_options *options, fw_results *results) {
  const fw_item *list = options->built->identification;
  fw_status first = FW_OK;
  for (int i = 0; list && i < list->child_count; i++) {
    if (!is_wanted(options, fw_args_text(&list->children[i].args, "id"))) continue;
    fw_status status = perform(ctx, options, i, results);
    if (first == FW_OK) first = status;
    if (status != FW_OK && status != FW_ERR_ANALYSIS) break;
  }
  fw_status ranked = fw_ranking_tell(ctx, results->summary);
  return first == FW_OK ? ranked : first;
}
