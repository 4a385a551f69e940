/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samplings: how the samples of a study are placed in the unit cube, one axis per varied parameter. A design is a pure
 * function of the options: the same options give the same points, whoever asks. */
#ifndef FW_STUDY_SAMPLING_H
#define FW_STUDY_SAMPLING_H

#include "core/table.h"

/* What a study asks for. All lent. */
typedef struct fw_sampling_options {
  int dimensions;        /* varied parameters, at least 1 */
  unsigned long seed;    /* of random parts; 0 is a seed like any other */
  const double *nominal; /* [dimensions] where the deck's own values lie */
  const fw_args *args;   /* the sampling's own attributes */
  const bool *known;     /* [dimensions] parameters whose derivatives come with the deck's own values; NULL: none */
} fw_sampling_options;

/* How the effects of parameters are found from the finished samples. */
typedef enum fw_effect_kind {
  FW_EFFECT_SWING,  /* range of the result when one parameter moves and the others stand at the deck's values */
  FW_EFFECT_LOCAL,  /* derivatives at the deck's values */
  FW_EFFECT_RANK,   /* rank correlation of scattered samples */
  FW_EFFECT_MORRIS, /* elementary effects along trajectories */
  FW_EFFECT_SOBOL   /* shares of variance */
} fw_effect_kind;

typedef struct fw_sampling_ops {
  fw_entry entry;
  fw_effect_kind effects;
  bool corners; /* points lie on the faces of the cube: unbounded distributions are cut there */
  /* Number of points, or why there is no such design (FW_ERR_DECK, message without a place). */
  fw_status (*size)(fw_context *ctx, const fw_sampling_options *options, long *samples);
  /* Fills u[samples * dimensions], each in [0, 1]; random ones in (0, 1). */
  fw_status (*fill)(fw_context *ctx, const fw_sampling_options *options, long samples, double *u);
  /* NULL: all points are known beforehand. Else `fill` gives those the design begins with; this one, called again as
   * results come, finds which points are wanted by now (all others stay false) from f[samples], what the study's
   * objective is there, NaN where that is not known yet. */
  fw_status (*extend)(fw_context *ctx, const fw_sampling_options *options, long samples, const double *f, double *u,
                      bool *wanted);
} fw_sampling_ops;

/* What a sample that failed, or does not have the objective, counts for: finite, and greater than any. */
#define FW_NO_OBJECTIVE 1e300

extern const fw_table fw_samplings; /* samplings.def */

/* Of samplings that take as many points as the deck says. */
extern const fw_param fw_sampling_counted[];
fw_status fw_sampling_count(fw_context *ctx, const fw_sampling_options *options, long *samples);

/* Most points a design may have. */
enum { FW_MOST_SAMPLES = 100000000 };

enum { FW_SOBOL_DIMENSIONS = 40 };

/* The first points of a Sobol sequence in up to FW_SOBOL_DIMENSIONS dimensions, scrambled by a digital shift drawn from
 * the seed, so that every stretch of 2^k points from the first keeps its balance. u[samples * stride], columns 0 to
 * dimensions - 1. */
fw_status fw_sobol_fill(fw_context *ctx, int dimensions, unsigned long seed, long samples, int stride, double *u);

#endif
