/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run leaves in memory. */
#ifndef FW_API_RESULTS_H
#define FW_API_RESULTS_H

#include "core/record.h"
#include "core/sink.h"

struct fw_results {
  fw_record *summary; /* as in summary.json */
  fw_sink *sink;      /* holds the tables */
};

#endif
