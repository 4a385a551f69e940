/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Least squares with bounds by GSL: simplex, Levenberg-Marquardt or one after the other, from one or several starts;
 * covariance and rank at the end. Starts know nothing of each other: processes may share them, and find the same.
 *
 * Bounds are kept by p = low + (high - low)(1 + sin q)/2, q free; a logarithmic parameter does so with its logarithm.
 */
#ifndef FW_IDENTIFY_FIT_H
#define FW_IDENTIFY_FIT_H

#include <math.h>

#include "core/context.h"

enum { FW_FIT_NAME = 64 };

typedef struct fw_fit_parameter {
  char name[FW_FIT_NAME], unit[FW_FIT_NAME];
  double start, low, high;
  bool logarithmic; /* spans decades: low > 0 */
} fw_fit_parameter;

/* The coordinate in which a parameter is varied evenly: itself, or its logarithm. */
static inline double fw_fit_coordinate(const fw_fit_parameter *x, double p) { return x->logarithmic ? log(p) : p; }
static inline double fw_fit_from_coordinate(const fw_fit_parameter *x, double c) { return x->logarithmic ? exp(c) : c; }

typedef enum fw_fit_search { FW_FIT_SIMPLEX, FW_FIT_LEVENBERG_MARQUARDT, FW_FIT_BOTH } fw_fit_search;
#define FW_FIT_SEARCHES "simplex|levenberg-marquardt|both"

/* What is fitted. Residuals are already divided by the standard deviations of what was measured. */
typedef struct fw_fit_problem {
  int parameters, residuals;
  const fw_fit_parameter *list;
  void *user;
  /* r[residuals] at p[parameters]. A recoverable status: there is no value here, look elsewhere. */
  fw_status (*residual)(void *user, fw_context *ctx, const double *p, double *r);
  /* j[residuals * parameters] = dr_i/dp_k, all by central differences if NULL; known[parameters] comes as true: false
   * leaves that column to differences. */
  fw_status (*jacobian)(void *user, fw_context *ctx, const double *p, double *j, bool *known);
  double step; /* of central differences, as part of the range of a parameter (0: 1e-5) */
  /* Residuals at points[count * parameters] are asked for next, in any order: whoever has processes shares them. NULL:
   * one after the other will do. */
  fw_status (*prepare)(void *user, fw_context *ctx, int count, const double *points);
} fw_fit_problem;

typedef struct fw_fit_options {
  fw_fit_search search;
  int starts;           /* at least 1: the given one, the others spread over the bounds */
  unsigned long seed;   /* of these */
  int most;             /* evaluations of a search (0: 2000) */
  double tolerance;     /* of the free coordinates: where a search ends (0: 1e-10) */
  bool scaled;          /* standard deviations are only relative: covariance is scaled by what the fit leaves */
  double rank_least;    /* singular values below this part of the largest do not count (0: 1e-6) */
  const char *progress; /* name for fw_progress; NULL: none */
  int workers;          /* processes that share the starts (study/runner.h); 0: none */
} fw_fit_options;

/* Arrays are owned. */
typedef struct fw_fit {
  int parameters, residuals;
  double *p;
  double *r;          /* residuals left */
  double *jacobian;   /* [residuals * parameters] */
  double *covariance; /* [parameters^2]; of what the data determine */
  double *deviation;  /* [parameters]; infinite where the data do not determine it */
  double *singular;   /* [parameters] singular values of the Jacobian by parameters over their ranges, descending */
  double *directions; /* [parameters^2] row k: the direction (parts of ranges) that singular value k belongs to */
  bool *on_bound;     /* [parameters] */
  bool *idle;         /* [parameters] moves no residual */
  int rank;
  double squares; /* sum of squares left */
  int evaluations;
} fw_fit;

/* FW_ERR_ANALYSIS if nothing can be evaluated at any start. */
fw_status fw_fit_run(fw_context *ctx, const fw_fit_problem *problem, const fw_fit_options *options, fw_fit *fit);
void fw_fit_clear(fw_fit *fit);

/* ---- what it is worth (fit_worth.c) ----------------------------------------------------------------------- */

/* Singular values, directions, rank, covariance, deviations, what is idle or on a bound: from p, jacobian and squares. */
fw_status fw_fit_judge(fw_context *ctx, const fw_fit_problem *problem, const fw_fit_options *options, fw_fit *fit);

/* Correlation of two parameters; 0 where one is not determined. */
double fw_fit_correlation(const fw_fit *fit, int a, int b);

/* The factor of a standard deviation that makes half a 95 % interval: Student's with the residuals' freedom. */
double fw_fit_student(const fw_fit *fit);

#endif
