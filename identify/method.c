/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/method.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

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
  return fw_record_set_text(job->summary, text, "warnings[%d]", job->warnings++);
}

fw_status fw_identify_figure(fw_identify_job *job, const char *name, const char *unit, double value, double deviation) {
  FW_TRY(fw_record_set_number(job->summary, value, "%s", name));
  if (unit[0]) FW_TRY(fw_record_set_text(job->summary, unit, "units.%s", name));
  return !isfinite(deviation) ? FW_OK : fw_record_set_number(job->summary, deviation, "deviation.%s", name);
}
