/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spectra of what sensors read in a transient: power spectral densities by Welch's method (Hann windows, records that
 * overlap by half, the mean of each taken off), and their change over time. */
#ifndef FW_ANALYSES_SPECTRUM_H
#define FW_ANALYSES_SPECTRUM_H

#include "core/record.h"
#include "core/sink.h"

typedef struct fw_spectrum_options {
  const char *sensors; /* names separated by commas or blanks; NULL: all */
  int record;          /* rows of a record, a power of two; 0: so many that there are about eight records */
  double from;         /* s; what is before does not count */
  double f_max;        /* Hz, the end of the tables; 0: half the rate of the rows */
  bool over_time;      /* the spectrum of each record besides */
} fw_spectrum_options;

/* From the history of a transient: the table `spectrum` (frequency, SENSOR.density ...), with over_time
 * `spectrogram-SENSOR` (time of the middle of a record, frequency, density); spectrum.{resolution, records} and
 * spectrum.SENSOR.{rms, peak_frequency} of the summary, rms being the root of the integral over the density.
 * FW_ERR_ARGUMENT, with why, where rows are too few or not at equal times. */
fw_status fw_spectrum_write(fw_context *ctx, fw_sink *sink, const fw_data_table *history,
                            const fw_spectrum_options *options, fw_record *summary);

#endif
