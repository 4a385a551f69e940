/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of a law from the displacement of a slider that sticks and slips (slider.h). */
#ifndef FW_IDENTIFY_STICK_SLIP_H
#define FW_IDENTIFY_STICK_SLIP_H

#include "identify/loops.h"

typedef struct fw_stick_slip_options {
  const char *law;    /* of the chain */
  const char *sensor; /* NULL: the only one */
  fw_law_fit_options fit;
  bool profiles;
} fw_stick_slip_options;

/* Whether record and attributes can tell what is asked; FW_ERR_DECK if not. */
fw_status fw_stick_slip_check(fw_identify_job *job, const fw_stick_slip_options *options);

/* What the record says by itself, the static numbers by the whole motion, the others by the sticks, all of them
 * together: list `stages`; table `motion`. */
fw_status fw_stick_slip_run(fw_identify_job *job, const fw_stick_slip_options *options);

#endif
