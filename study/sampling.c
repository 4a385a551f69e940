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

const fw_table fw_samplings = {"sampling", "how a study chooses its samples", entries};
