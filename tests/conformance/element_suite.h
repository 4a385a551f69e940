/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The checks every element must pass. Each returns NULL or a message (static text). */
#ifndef FW_TESTS_ELEMENT_SUITE_H
#define FW_TESTS_ELEMENT_SUITE_H

#include "element_samples.h"

typedef struct fw_element_check {
  const char *name;
  fw_sample_visit run;
} fw_element_check;

extern const fw_element_check fw_element_checks[]; /* ends with a NULL name */

/* Runs every check on every variant; returns the first message or NULL. `failed` (may be NULL)
 * receives the name of the check that failed. */
const char *fw_element_suite(const fw_element_ops *ops, const char **failed);

#endif
