/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Derivatives of a study's results at the deck's own values, as far as harmonic balance gives them: of the figures at
 * the resonance of an frf with sensitivities="yes", with respect to parameters that act through the numbers of friction
 * laws and nothing else. By the chain rule,
 *
 *   d figure / d parameter = sum over numbers  d figure / d number  d number / d parameter. */
#ifndef FW_STUDY_LOCAL_H
#define FW_STUDY_LOCAL_H

#include "core/record.h"
#include "study/study.h"

/* A number of a law that a parameter moves. */
typedef struct fw_local_chain {
  int factor;
  char *path;  /* "sensitivity.PAIR.NUMBER" or "sensitivity.PAIR.lawN.NUMBER" */
  double rate; /* d number / d parameter, this in its own unit */
} fw_local_chain;

struct fw_local_study {
  bool *known; /* [factors] whether all figures have their derivative by this parameter */
  fw_local_chain *chains;
  int count, room;
};

/* For a study whose factors and figures are read. */
fw_status fw_local_create(fw_context *ctx, const fw_deck *deck, const fw_study *study, fw_local_study **local);
void fw_local_destroy(fw_local_study **local);

/* Derivative of a figure that is no expression by a known parameter, from the summary of a run at the deck's values.
 * prefix: of the figure's level in the summary. NaN: the run has none. */
double fw_local_derivative(const fw_local_study *local, const fw_record *summary, const char *prefix,
                           const fw_figure *figure, int factor);

#endif
