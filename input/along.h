/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is given over the arc length of a tube: linear between the places, constant beyond them. */
#ifndef FW_INPUT_ALONG_H
#define FW_INPUT_ALONG_H

#include "input/builder.h"

typedef struct fw_along {
  const double *at, *values; /* lent */
  int count;                 /* 0: nothing is given; 1: the same everywhere */
} fw_along;

/* The numbers of attribute `name` at the places of attribute `places`. */
fw_status fw_along_read(fw_builder *builder, const fw_args *args, const char *name, const char *places,
                        fw_along *along);

double fw_along_value(const fw_along *along, double s);
/* Mean from a to b. */
double fw_along_mean(const fw_along *along, double a, double b);

#endif
