/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study as the deck asks for it: what is varied, where its samples lie, what is collected. */
#ifndef FW_STUDY_STUDY_H
#define FW_STUDY_STUDY_H

#include <stdint.h>

#include "input/deck.h"
#include "study/distribution.h"
#include "study/sampling.h"

/* A varied parameter. Values are in the parameter's own unit. */
typedef struct fw_varied {
  const char *name, *unit;
  fw_distribution distribution;
  double nominal; /* the deck's value */
} fw_varied;

/* A number collected from each sample: at a path of the summary, or an expression. */
typedef struct fw_figure {
  const char *name;
  const char *analysis; /* NULL: the path starts at the root of the summary */
  bool at_level;
  double level;
  const char *path;       /* NULL: an expression */
  const char *expression; /* of the deck's parameters (SI) and earlier figures */
  fw_place place;
} fw_figure;

/* A curve collected from each sample on fixed values of its abscissa. */
typedef struct fw_fan {
  const char *name, *analysis, *table, *x, *y;
  double from, to;
  int points;
  int column; /* of its first point among the study's columns */
} fw_fan;

typedef struct fw_local_study fw_local_study; /* study/local.h */

typedef struct fw_study {
  const char *id, *run; /* run NULL: nothing is run, only expressions are evaluated */
  const fw_sampling_ops *sampling;
  const fw_args *sampling_args;
  unsigned long seed;
  double time_limit; /* s; 0: none */
  fw_varied *factors;
  int factor_count;
  fw_figure *figures;
  int figure_count;
  fw_fan *fans;
  int fan_count;
  fw_local_study *local; /* derivatives that come with the deck's own values; NULL: not asked for */
  int derivatives;       /* their column: [figures * factors] of sample 0, NaN where there is none */
  int columns;           /* numbers each sample gives: figures, the points of the fans, derivatives */
  long samples;
  int objective;   /* figure that an extended design goes by */
  bool *wanted;    /* [samples] points that an extended design has asked for so far; NULL: all are known beforehand */
  double *nominal; /* [factor_count] the deck's values in the unit cube */
  double *u;       /* [samples * factor_count] in the unit cube, correlated where asked for */
  double *values;  /* the same as values of the parameters */
  uint64_t mark;   /* of the deck and of what is collected: samples of equal mark and equal values agree */
} fw_study;

/* Reads and checks <study> of a deck with those analyses. Names are lent by the deck and the item, which must outlive
 * the study. */
fw_status fw_study_create(fw_context *ctx, const fw_deck *deck, const fw_item *analyses, const fw_item *item,
                          fw_study **study);
void fw_study_destroy(fw_study **study);

/* Asks the sampling which further samples it wants, with f[samples] known of its objective (fw_sampling_ops.extend). */
fw_status fw_study_extend(fw_context *ctx, fw_study *study, const double *f);

/* Value of the abscissa at a point of a fan. */
double fw_fan_x(const fw_fan *fan, int point);

#endif
