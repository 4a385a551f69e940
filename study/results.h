/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a study leaves: one table of all samples (CSV and .vtt), a table for each curve, plots, and its part of the
 * summary. */
#ifndef FW_STUDY_RESULTS_H
#define FW_STUDY_RESULTS_H

#include "core/record.h"
#include "study/effects.h"

/* Tables "samples" and one per curve into a sink's memory; written to `folder` too unless that is NULL. */
fw_status fw_study_tables(fw_context *ctx, const fw_study *study, const fw_samples *samples, fw_sink *sink,
                          const char *folder);

/* sampling, samples, failed, results.NAME.{mean ...} and ranking.NAME[i].{parameter ...}, strongest first. */
fw_status fw_study_summarise(fw_context *ctx, const fw_study *study, const fw_samples *samples,
                             const fw_effects *effects, fw_record *summary);

/* For each result tornado-NAME.svg, scatter-NAME.svg, interaction-NAME.svg and, where the sampling gives them,
 * morris-NAME.svg or indices-NAME.svg; for each curve fan-NAME.svg. */
fw_status fw_study_plots(fw_context *ctx, const fw_study *study, const fw_samples *samples, const fw_effects *effects,
                         const char *folder);

/* Percentiles of a curve at one point over all samples that reach it: min, p05, p25, median, p75, p95, max. */
enum { FW_FAN_BANDS = 7 };
fw_status fw_fan_bands(fw_context *ctx, const fw_samples *samples, const fw_fan *fan, int point,
                       double bands[FW_FAN_BANDS]);

#endif
