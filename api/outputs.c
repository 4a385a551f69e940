/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "api/outputs.h"

#include <stdio.h>
#include <string.h>

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
    fw_frame frame = {series, part / frequency, state, 0.0};
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
