/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "api/outputs.h"

#include <stdio.h>
#include <string.h>

#include "output/compare.h"

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
    FW_TRY(task->ops->state_at(ctx, &task->outcome, level, frequency, 2 * 3.14159265358979323846 * part, &state));
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
    if (!fw_args_given(args, "level") || frequencies->count == 0)
      return fw_fail_at(ctx, FW_ERR_DECK, args->place, "pictures of analysis %s need level and frequencies", task->id);
    for (int f = 0; f < frequencies->count; f++)
      FW_TRY(send_period(ctx, task, sink, fw_args_number(args, "level"), frequencies->numbers[f],
                         fw_args_integer(args, "frames")));
  }
  return FW_OK;
}

/* ---- comparison with data ---------------------------------------------------------------- */

/* File of a <data> entry, as the deck reader resolved it; NULL if there is no such entry. */
static const char *data_file(const fw_item *data, const char *id) {
  for (int i = 0; data && i < data->child_count; i++)
    if (strcmp(fw_args_text(&data->children[i].args, "id"), id) == 0)
      return fw_args_text(&data->children[i].args, "file");
  return NULL;
}

/* Analyses that --only leaves out have nothing to compare. */
static bool has_run(const fw_record *summary, const char *analysis) {
  char path[256];
  snprintf(path, sizeof path, "analyses.%s", analysis);
  return fw_record_kind_at(summary, path) == FW_RECORD_OBJECT;
}

static void compare_one(fw_context *ctx, const fw_built *built, const fw_args *args, const char *folder,
                        fw_record *found) {
  const char *analysis = fw_args_text(args, "analysis");
  const char *file = data_file(built->data, fw_args_text(args, "data"));
  if (!file || fw_compare_data(ctx, folder, file, analysis, found) == FW_OK) return;
  fw_log(ctx, "compare: analysis %s beside %s: %s", analysis, file, fw_context_message(ctx));
  fw_context_clear(ctx);
}

fw_status fw_outputs_compare(fw_context *ctx, const fw_built *built, const char *folder, fw_record *summary) {
  const fw_item *outputs = built->outputs;
  fw_record *found;
  if (fw_record_create(&found) != FW_OK) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  for (int i = 0; outputs && i < outputs->child_count; i++) {
    const fw_item *output = &outputs->children[i];
    if (strcmp(output->name, "compare") == 0 && has_run(summary, fw_args_text(&output->args, "analysis")))
      compare_one(ctx, built, &output->args, folder, found);
  }
  fw_status status = FW_OK;
  if (fw_record_count(found, "") > 0) status = fw_record_set_record(summary, found, "compare");
  fw_record_destroy(&found);
  return status;
}
