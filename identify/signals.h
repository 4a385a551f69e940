/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured signals over time, as <signals> brings them or as an analysis left them: checked, and in SI units. */
#ifndef FW_IDENTIFY_SIGNALS_H
#define FW_IDENTIFY_SIGNALS_H

#include "identify/method.h"

/* One channel over time. Arrays are owned; clear frees them. */
typedef struct fw_signal {
  size_t count;
  double *t, *x;    /* s, SI unit of the channel */
  double deviation; /* of x, as the data say; NaN: they do not */
} fw_signal;

void fw_signal_clear(fw_signal *signal);

/* The only <data> of the job, which must be of that kind ("signals", "loop" ...). */
fw_status fw_identify_data(const fw_identify_job *job, const char *kind, const fw_item **data);

/* All columns of <signals>, in the memory of a sink, checked as below; *clock: that of time. */
fw_status fw_signals_table(const fw_identify_job *job, const fw_item *data, fw_sink *sink, fw_data_table **table,
                           int *clock);

/* Reads one channel of <signals>. Every column must be time, "force" or a sensor of the deck (or SENSOR.deviation, of
 * which the mean is taken); none may be constant or have empty cells, time must run on without gaps, units must be
 * those of the sensor. Whatever is wrong is told by file, column and row. `sensor` NULL: the only sensor there is. */
fw_status fw_signals_read(const fw_identify_job *job, const fw_item *data, const char *sensor, fw_quantity quantity,
                          fw_signal *signal);

/* The history of an analysis that has run: of `sensor`, or of a ring-down its displacement. */
fw_status fw_signals_history(const fw_identify_job *job, const char *analysis, const char *sensor, fw_signal *signal);

/* Keeps what lies from `from` to `to` (NaN: open). */
void fw_signal_cut(fw_signal *signal, double from, double to);

#endif
