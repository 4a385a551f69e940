/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The deck's <outputs>: pictures of computed motions, spectra, plots, comparison with data. */
#ifndef FW_API_OUTPUTS_H
#define FW_API_OUTPUTS_H

#include "api/plan.h"
#include "input/deck.h"

/* How many history rows apart the frames of a transient are wanted (its <vtk every="">); 0: no frames. */
int fw_outputs_frame_every(const fw_item *outputs, const char *analysis);

/* Levels that are not computed, motions that are not named, data that do not fit their analysis: FW_ERR_DECK. */
fw_status fw_outputs_check(fw_context *ctx, const fw_built *built);

/* Sends the frames asked for of an analysis that has run: `frames` over one period of a motion at
 * each level and frequency named. */
fw_status fw_outputs_frames(fw_context *ctx, const fw_item *outputs, const fw_task *task, fw_sink *sink);

/* Spectra of an analysis that has run, their figures into its `part` of the summary, and plots into its folder (NULL:
 * none). */
fw_status fw_outputs_draw(fw_context *ctx, const fw_item *outputs, const fw_task *task, fw_sink *sink,
                          const char *folder, fw_record *part);

/* What <spectrum> and <plot> ask of fw_outputs_check. */
fw_status fw_outputs_check_spectrum(fw_context *ctx, const fw_built *built, const fw_item *output,
                                    const fw_item *analysis);
fw_status fw_outputs_check_plot(fw_context *ctx, const fw_item *output);

/* Compares results on disk with the deck's data as its <compare> elements ask; misfits go to `summary` as
 * compare.DATA.ANALYSIS. What has not run is passed over; what cannot be compared is FW_ERR_ANALYSIS. */
fw_status fw_outputs_compare(fw_context *ctx, const fw_built *built, const char *folder, fw_record *summary);

#endif
