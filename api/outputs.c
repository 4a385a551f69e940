/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "api/outputs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/unknown.h"
#include "output/compare.h"
#include "solver/analysis.h"

static bool asks_for(const fw_item *output, const char *name, const char *analysis) {
  return strcmp(output->name, name) == 0 && strcmp(fw_args_text(&output->args, "analysis"), analysis) == 0;
}

int fw_outputs_frame_every(const fw_item *outputs, const char *analysis) {
  for (int i = 0; outputs && i < outputs->child_count; i++)
    if (asks_for(&outputs->children[i], "vtk", analysis)) return fw_args_integer(&outputs->children[i].args, "every");
  return 0;
}

/* One period of the motion at a level and frequency, as the series motion-LEVEL-FREQUENCYHz. */
static fw_status send_period(fw_context *ctx, const fw_task *task, fw_sink *sink, double level, double frequency,
                             int frames) {
  char series[96];
  snprintf(series, sizeof series, "motion-%g-%gHz", level, frequency);
  for (int k = 0; k < frames; k++) {
    fw_state *state = NULL;
    double part = (double)k / frames;
    FW_TRY(fw_interrupted(ctx));
    FW_TRY(task->ops->state_at(ctx, &task->outcome, level, frequency, 2 * M_PI * part, &state));
    fw_frame frame = {series, part / frequency, state, 0.0, NULL};
    fw_status status = fw_sink_frame(sink, ctx, task->id, &frame);
    fw_state_destroy(&state);
    if (status != FW_OK) return status;
  }
  return FW_OK;
}

fw_status fw_outputs_frames(fw_context *ctx, const fw_item *outputs, const fw_task *task, fw_sink *sink) {
  if (!task->ops->state_at) return FW_OK;
  for (int i = 0; outputs && i < outputs->child_count; i++) {
    const fw_args *args = &outputs->children[i].args;
    if (!asks_for(&outputs->children[i], "vtk", task->id)) continue;
    const fw_value *frequencies = fw_args_value(args, "frequencies");
    for (int f = 0; f < frequencies->count; f++)
      FW_TRY(send_period(ctx, task, sink, fw_args_number(args, "level"), frequencies->numbers[f],
                         fw_args_integer(args, "frames")));
  }
  return FW_OK;
}

/* ---- comparison with data ---------------------------------------------------------------- */

static const fw_item *find_by_id(const fw_item *list, const char *id) {
  for (int i = 0; list && i < list->child_count; i++)
    if (strcmp(fw_args_text(&list->children[i].args, "id"), id) == 0) return &list->children[i];
  return NULL;
}

/* Analyses that --only leaves out have nothing to compare. */
static bool has_run(const fw_record *summary, const char *analysis) {
  char path[256];
  snprintf(path, sizeof path, "analyses.%s", analysis);
  return fw_record_kind_at(summary, path) == FW_RECORD_OBJECT;
}

static fw_status compare_one(fw_context *ctx, const fw_built *built, const fw_args *args, const char *folder,
                             fw_record *found) {
  const char *analysis = fw_args_text(args, "analysis");
  const fw_item *data = find_by_id(built->data, fw_args_text(args, "data"));
  const char *file = fw_args_text(&data->args, "file"); /* as the deck reader resolved it */
  double level = fw_args_given(args, "level") ? fw_args_number(args, "level") : fw_unknown();
  if (fw_compare_data(ctx, folder, file, analysis, level, found) == FW_OK) return FW_OK;
  return fw_fail_at(ctx, FW_ERR_ANALYSIS, args->place, "analysis %s cannot be compared with %s", analysis, file);
}

fw_status fw_outputs_compare(fw_context *ctx, const fw_built *built, const char *folder, fw_record *summary) {
  const fw_item *outputs = built->outputs;
  fw_record *found;
  if (fw_record_create(&found) != FW_OK) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  fw_status status = FW_OK;
  for (int i = 0; outputs && i < outputs->child_count; i++) {
    const fw_item *output = &outputs->children[i];
    if (strcmp(output->name, "compare") != 0 || !has_run(summary, fw_args_text(&output->args, "analysis"))) continue;
    fw_status one = compare_one(ctx, built, &output->args, folder, found);
    if (one != FW_OK) status = one;
  }
  if (fw_record_count(found, "") > 0 && fw_record_set_record(summary, found, "compare") != FW_OK)
    status = fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  fw_record_destroy(&found);
  return status;
}

/* ---- checks ------------------------------------------------------------------------------ */

static fw_status check_level(fw_context *ctx, const fw_args *args, const fw_item *analysis) {
  if (!fw_args_given(args, "level") || fw_analysis_has_level(analysis, fw_args_number(args, "level"))) return FW_OK;
  fw_place place = args->place;
  place.line = fw_args_value(args, "level")->line;
  return fw_fail_at(ctx, FW_ERR_DECK, place, "attribute 'level': analysis '%s' has no level %g",
                    fw_args_text(&analysis->args, "id"), fw_args_number(args, "level"));
}

/* Words of other pictures, and a second series of the same frames. */
static fw_status check_vtk_words(fw_context *ctx, const fw_built *built, const fw_item *output, bool periodic) {
  static const char *const over_time[] = {"every", NULL}, *const of_period[] = {"frames", NULL};
  const fw_args *args = &output->args;
  FW_TRY(fw_check_unused(ctx, args, periodic ? over_time : of_period,
                         periodic ? "pictures of a periodic motion" : "pictures over time"));
  for (const fw_item *before = built->outputs->children; before < output && !periodic; before++)
    if (asks_for(before, "vtk", fw_args_text(args, "analysis")))
      return fw_fail_at(ctx, FW_ERR_DECK, args->place, "attribute 'analysis': it has a <vtk> already");
  return FW_OK;
}

/* Pictures of a periodic motion need to know which one; other analyses have none to choose from. */
static fw_status check_vtk(fw_context *ctx, const fw_built *built, const fw_item *output, const fw_item *analysis) {
  const fw_args *args = &output->args;
  const fw_analysis_ops *ops = (const fw_analysis_ops *)(const void *)analysis->entry;
  bool level = fw_args_given(args, "level"), frequencies = fw_args_given(args, "frequencies");
  const char *id = fw_args_text(&analysis->args, "id");
  if (!ops->state_at && (level || frequencies))
    return fw_fail_at(ctx, FW_ERR_DECK, args->place, "attribute '%s': a %s has none", level ? "level" : "frequencies",
                      analysis->name);
  if (ops->state_at && !(level && frequencies))
    return fw_fail_at(ctx, FW_ERR_DECK, args->place, "pictures of analysis '%s' need level and frequencies", id);
  if (ops->state_at && !fw_analysis_keeps_motions(analysis))
    return fw_fail_at(ctx, FW_ERR_DECK, args->place,
                      "attribute 'analysis': method=\"%s\" of '%s' keeps no motions to picture",
                      fw_args_text(&analysis->entry_args, "method"), id);
  if (strcmp(analysis->name, "nnm") == 0 || strcmp(analysis->name, "cycle") == 0)
    return fw_fail_at(ctx, FW_ERR_DECK, args->place, "attribute 'analysis': a %s has no pictures", analysis->name);
  FW_TRY(check_vtk_words(ctx, built, output, ops->state_at != NULL));
  return check_level(ctx, args, analysis);
}

static fw_status check_compare(fw_context *ctx, const fw_args *args, const fw_item *analysis, const fw_item *data) {
  bool over_levels = strcmp(data->name, "resonance") == 0;
  if (over_levels && fw_args_given(args, "level"))
    return fw_fail_at(ctx, FW_ERR_DECK, args->place, "attribute 'level': <resonance> data have their own levels");
  bool curve = strcmp(analysis->name, "frf") == 0 || (over_levels && strcmp(analysis->name, "resonance") == 0);
  if (!curve)
    return fw_fail_at(ctx, FW_ERR_DECK, args->place, "attribute 'analysis': a %s has nothing to compare with <%s> data",
                      analysis->name, data->name);
  return check_level(ctx, args, analysis);
}

fw_status fw_outputs_check(fw_context *ctx, const fw_built *built) {
  fw_status worst = FW_OK;
  for (int i = 0; built->outputs && i < built->outputs->child_count; i++) {
    const fw_item *output = &built->outputs->children[i];
    const fw_item *analysis = find_by_id(built->analyses, fw_args_text(&output->args, "analysis"));
    fw_status status = FW_OK;
    if (strcmp(output->name, "vtk") == 0) status = check_vtk(ctx, built, output, analysis);
    if (strcmp(output->name, "compare") == 0)
      status =
          check_compare(ctx, &output->args, analysis, find_by_id(built->data, fw_args_text(&output->args, "data")));
    if (strcmp(output->name, "spectrum") == 0) status = fw_outputs_check_spectrum(ctx, built, output, analysis);
    if (strcmp(output->name, "plot") == 0) status = fw_outputs_check_plot(ctx, output);
    worst = fw_worse(worst, status);
  }
  return worst;
}
