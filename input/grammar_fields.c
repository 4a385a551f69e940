/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of the grammar about loads that differ from place to place. */
#include "input/grammar_words.h"

#define ALONG_A_TUBE                                                                                                  \
  ID("load"), {"tube", FW_PARAM_REF, "", NULL, ANY, "body", "tube it acts on"},                                       \
      {"from", FW_PARAM_NUMBER, "m", "0", NOT_NEGATIVE, NULL, "arc length where it begins"},                          \
      {"to", FW_PARAM_NUMBER, "m", "", POSITIVE, NULL, "arc length where it ends; absent: the tube's end"},           \
      {"directions",                                                                                                  \
       FW_PARAM_CHOICE,                                                                                               \
       "",                                                                                                            \
       "both",                                                                                                        \
       ANY,                                                                                                           \
       "both|first",                                                                                                  \
       "both directions across the tube, with signals of their own, or the first alone"},                             \
  {                                                                                                                   \
    "first", FW_PARAM_NUMBERS, "", "", ANY, NULL,                                                                     \
        "x, y, z that the first direction is nearest to where the load begins; it goes with the tube without twist; " \
        "absent: as of a support-plane"                                                                               \
  }

static const fw_param turbulence_params[] = {
    ALONG_A_TUBE,
    {"cells", FW_PARAM_INTEGER, "", "", 1, 10000, NULL,
     "pieces of equal length over which the force per length is averaged; absent: as many as elements"},
    {"spectrum", FW_PARAM_FORMULA, "N^2/m^2/Hz", "", ANY, "f",
     "one-sided power spectral density of the force per length at the frequency f (Hz)"},
    {"frequencies", FW_PARAM_NUMBERS, "Hz", "", NOT_NEGATIVE, NULL, "rising frequencies of a table in its place"},
    {"densities", FW_PARAM_NUMBERS, "N^2/m^2/Hz", "", NOT_NEGATIVE, NULL,
     "the density at each; linear between them, nothing beyond"},
    {"f-min", FW_PARAM_NUMBER, "Hz", "0", NOT_NEGATIVE, NULL, "below it there is nothing"},
    {"f-max", FW_PARAM_NUMBER, "Hz", NULL, POSITIVE, NULL, "above it there is nothing"},
    {"correlation-length", FW_PARAM_NUMBER, "m", NULL, 1e-9, 1e6, "full",
     "lambda of the coherence exp(-distance/lambda); full: the same force everywhere"},
    {"velocity", FW_PARAM_NUMBERS, "m/s", "", NOT_NEGATIVE, NULL,
     "flow velocity at each place of 'velocity-at': forces go with its square; absent: the same everywhere"},
    {"velocity-at", FW_PARAM_NUMBERS, "m", "", ANY, NULL, "arc lengths of the table, linear between them"},
    {"reference-velocity", FW_PARAM_NUMBER, "m/s", "", POSITIVE, NULL,
     "velocity that the spectrum belongs to; absent: the mean of 'velocity' over the load"},
    {"duration", FW_PARAM_NUMBER, "s", NULL, POSITIVE, NULL,
     "time from 0 on for which it is there; it does not repeat within, and lines are 1/duration apart"},
    {"seed", FW_PARAM_INTEGER, "", "1", 0, 2147483647, NULL, "the same seed gives the same forces"},
    END};
const fw_tag fw_turbulence_tag = {
    .name = "turbulence",
    .meaning = "Random forces across a tube, coherent over a length, as means over cells with their exact covariance",
    .params = turbulence_params,
    .kind = "load"};

static const fw_param measured_params[] = {
    ALONG_A_TUBE,
    {"file", FW_PARAM_TEXT, "", NULL, ANY, NULL,
     "CSV: equally spaced times (s), then the force per length (N/m) of each of the equal cells along the tube, the "
     "first direction of all of them, then the second; cubic between the times"},
    {"mean", FW_PARAM_CHOICE, "", "keep", ANY, "keep|remove", "whether the mean of each column counts"},
    END};
const fw_tag fw_measured_forces_tag = {.name = "measured-forces",
                                       .meaning = "Forces across a tube from a file, cell by cell",
                                       .params = measured_params,
                                       .kind = "load"};
