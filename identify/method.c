/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/method.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define X(name) extern const fw_method_ops fw_method_##name;
#include "identify/methods.def"
#undef X

static const fw_entry *const entries[] = {
#define X(name) &fw_method_##name.entry,
#include "identify/methods.def"
#undef X
    NULL};

const fw_table fw_methods = {"methods", "how the numbers of a law are identified from measurements", entries};

fw_status fw_identify_warn(fw_identify_job *job, const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  fw_log(job->ctx, "%s: warning: %s", job->id, text);
  return fw_record_set_text(job->summary, text, "warnings[%d].text", job->warnings++);
}

fw_status fw_identify_figure(fw_identify_job *job, const char *name, const char *unit, double value, double deviation) {
  FW_TRY(fw_record_set_number(job->summary, value, "%s", name));
  if (unit[0]) FW_TRY(fw_record_set_text(job->summary, unit, "units.%s", name));
  return !isfinite(deviation) ? FW_OK : fw_record_set_number(job->summary, deviation, "deviation.%s", name);
}

static const fw_item *find_data(const fw_built *built, const char *id) {
  for (int i = 0; built->data && i < built->data->child_count; i++)
    if (strcmp(fw_args_text(&built->data->children[i].args, "id"), id) == 0) return &built->data->children[i];
  return NULL;
}

fw_status fw_identify_data_list(const fw_identify_job *job, const fw_item **list, int room, int *count) {
  const char *names = fw_args_given(job->common, "data") ? fw_args_text(job->common, "data") : "";
  char *copy, *rest = NULL;
  *count = 0;
  FW_TRY(fw_copy_text(job->ctx, names, &copy));
  for (char *one = strtok_r(copy, ", \t\r\n", &rest); one && *count < room; one = strtok_r(NULL, ", \t\r\n", &rest)) {
    const fw_item *found = find_data(job->built, one);
    if (found) list[(*count)++] = found;
  }
  free(copy);
  return *count < room ? FW_OK
                       : fw_fail_at(job->ctx, FW_ERR_DECK, job->common->place, "attribute 'data': fewer than %d", room);
}
