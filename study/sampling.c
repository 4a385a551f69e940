/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/sampling.h"

#define X(name) extern const fw_sampling_ops fw_sampling_##name;
#include "study/samplings.def"
#undef X

static const fw_entry *const entries[] = {
#define X(name) &fw_sampling_##name.entry,
#include "study/samplings.def"
#undef X
    NULL};

const fw_param fw_sampling_counted[] = {
    {"samples", FW_PARAM_INTEGER, "", "100", 1, FW_MOST_SAMPLES, NULL, "number of samples"}, {0}};

fw_status fw_sampling_count(fw_context *ctx, const fw_sampling_options *options, long *samples) {
  (void)ctx;
  *samples = fw_args_integer(options->args, "samples");
  return FW_OK;
}

const fw_table fw_samplings = {"sampling", "how a study chooses its samples", entries};
