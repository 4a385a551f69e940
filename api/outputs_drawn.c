/* SPDX-License-Identifier: GPL-3.0-or-later */
/* <plot> and <spectrum> of <outputs>. */
#include <stdio.h>
#include <string.h>

#include "api/outputs.h"
#include "output/plots.h"
#include "solver/analyses/spectrum.h"

static bool is_for(const fw_item *output, const char *name, const char *analysis) {
  return strcmp(output->name, name) == 0 && strcmp(fw_args_text(&output->args, "analysis"), analysis) == 0;
}

static fw_status take_spectrum(fw_context *ctx, const fw_args *args, const fw_task *task, fw_sink *sink,
                               fw_record *part) {
  bool f_max = fw_args_given(args, "f-max"), record = fw_args_given(args, "record");
  const fw_spectrum_options options = {.sensors = fw_args_given(args, "sensors") ? fw_args_text(args, "sensors") : NULL,
                                       .record = record ? fw_args_integer(args, "record") : 0,
                                       .from = fw_args_number(args, "from"),
                                       .f_max = f_max ? fw_args_number(args, "f-max") : 0.0,
                                       .over_time = fw_args_integer(args, "over-time") != 0};
  const fw_data_table *history = fw_sink_find(sink, task->id, "history");
  if (fw_spectrum_write(ctx, sink, history, &options, part) == FW_OK) return FW_OK;
  return fw_fail_at(ctx, FW_ERR_ANALYSIS, args->place, "analysis %s has no such spectrum", task->id);
}

/* Which axes are logarithmic, in the order of the choices linear|log-x|log-y|log|equal. */
static fw_plot_options options_of(const fw_args *args) {
  int scale = fw_args_integer(args, "scale");
  return (fw_plot_options){.id = fw_args_text(args, "id"),
                           .title = fw_args_given(args, "title") ? fw_args_text(args, "title") : NULL,
                           .x = fw_args_text(args, "x"),
                           .y = fw_args_text(args, "y"),
                           .x_log = scale == 1 || scale == 3,
                           .y_log = scale == 2 || scale == 3,
                           .equal = scale == 4};
}

static fw_status draw_plot(fw_context *ctx, const fw_args *args, const fw_task *task, const fw_sink *sink,
                           const char *folder) {
  const fw_plot_options options = options_of(args);
  if (fw_plots_chosen(ctx, sink, task->id, &options, folder) == FW_OK) return FW_OK;
  return fw_fail_at(ctx, FW_ERR_ANALYSIS, args->place, "plot %s cannot be drawn", options.id);
}

/* One that there is not does not keep the others from being drawn. */
static fw_status go_on(fw_status one, fw_status *worst) {
  if (one == FW_ERR_ANALYSIS) *worst = one;
  return one == FW_ERR_ANALYSIS ? FW_OK : one;
}

/* Spectra first: their columns can be plotted. */
fw_status fw_outputs_draw(fw_context *ctx, const fw_item *outputs, const fw_task *task, fw_sink *sink,
                          const char *folder, fw_record *part) {
  fw_status worst = FW_OK;
  for (int i = 0; outputs && i < outputs->child_count; i++)
    if (is_for(&outputs->children[i], "spectrum", task->id))
      FW_TRY(go_on(take_spectrum(ctx, &outputs->children[i].args, task, sink, part), &worst));
  for (int i = 0; outputs && folder && i < outputs->child_count; i++)
    if (is_for(&outputs->children[i], "plot", task->id))
      FW_TRY(go_on(draw_plot(ctx, &outputs->children[i].args, task, sink, folder), &worst));
  return worst;
}

/* ---- checks ------------------------------------------------------------------------------ */

static fw_status refuse(fw_context *ctx, const fw_args *args, const char *attribute, const char *why) {
  fw_place place = args->place;
  if (fw_args_value(args, attribute)->line) place.line = fw_args_value(args, attribute)->line;
  return fw_fail_at(ctx, FW_ERR_DECK, place, "attribute '%s': %s", attribute, why);
}

fw_status fw_outputs_check_spectrum(fw_context *ctx, const fw_built *built, const fw_item *output,
                                    const fw_item *analysis) {
  const fw_args *args = &output->args;
  const char *id = fw_args_text(args, "analysis");
  if (strcmp(analysis->name, "transient") != 0)
    return refuse(ctx, args, "analysis", "spectra are of the histories of a <transient>");
  for (const fw_item *before = built->outputs->children; before < output; before++)
    if (is_for(before, "spectrum", id))
      return refuse(ctx, args, "analysis", "it has a <spectrum> already: name all its sensors there");
  int record = fw_args_given(args, "record") ? fw_args_integer(args, "record") : 16;
  if (record & (record - 1)) return refuse(ctx, args, "record", "is not a power of two: 1024, 2048, 4096 ...");
  if (fw_item_child(&built->root, "sensors")) return FW_OK;
  return refuse(ctx, args, "analysis", "there is no sensor to take a spectrum of");
}

fw_status fw_outputs_check_plot(fw_context *ctx, const fw_item *output) {
  static const char *const columns[] = {"x", "y"};
  for (int i = 0; i < 2; i++) {
    const char *text = fw_args_text(&output->args, columns[i]);
    if (text[strspn(text, " ,\t\r\n")] == '\0') return refuse(ctx, &output->args, columns[i], "names no column");
  }
  if (!strchr(fw_args_text(&output->args, "x"), ',')) return FW_OK;
  return refuse(ctx, &output->args, "x", "is one column; several are given by y");
}
