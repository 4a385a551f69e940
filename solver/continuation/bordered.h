/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Jacobian of a curve of solutions, a core with a few rows and columns around it, and the equations with it where
 * the core is too large to be held as one matrix:
 *
 *   [ J  c ] [x]   [r]
 *   [ g  d ] [z] = [q],
 *
 * solved by GMRES. The preconditioner has the same border and in place of J a matrix P near it whose factors are at
 * hand; its own solution is by elimination of x. P is factored anew only when GMRES takes long. */
#ifndef FW_CONTINUATION_BORDERED_H
#define FW_CONTINUATION_BORDERED_H

#include "core/context.h"

/* A core that is never held whole: what its owner can do with it at the point last evaluated. */
typedef struct fw_core {
  void *user;
  int size;
  /* 0: equations are solved to all digits wanted. Else P is so near that a few products leave no more than this of the
   * answer: GMRES is preconditioned from the left, and P renewed where it takes `patience` of them more than when new. */
  double left;
  int patience;
  int carried; /* rows of the border, the first ones, known by products alone: */
  void (*apply)(void *user, const double *x, double *out);    /* out = J x, theirs behind it */
  void (*rows)(void *user, const double *scale, double *row); /* row_i = largest |J_ij scale_j| */
  fw_status (*factor)(void *user);                            /* a matrix P near J, kept until the next time */
  void (*solve)(void *user, double *x);                       /* x = P^{-1} x */
} fw_core;

/* Derivatives of n equations with respect to n unknowns. Who evaluates them finds zeros and fills in what is not. */
typedef struct fw_jacobian {
  int core, n;     /* the first unknowns, and all */
  double *dense;   /* core x core, column major; NULL: the evaluator keeps it (fw_core) */
  double *columns; /* of the unknowns behind the core, n entries each, n + 1 apart */
  double *rows;    /* of the equations behind the core, `core` entries each; of carried ones about what they are */
} fw_jacobian;

typedef struct fw_bordered fw_bordered;

/* border: rows and columns around the core. Destroy is safe on a pointer to NULL, and leaves it NULL. */
fw_status fw_bordered_create(fw_context *ctx, fw_core core, int border, fw_bordered **bordered);
void fw_bordered_destroy(fw_bordered **bordered);

/* The matrix in scaled unknowns with rows divided by `row`: its borders are columns (core + border entries each, the
 * corner below) and rows (core entries each) as they stand, neither scaled nor divided. All are lent until the
 * next call but columns and rows, which are taken. */
fw_status fw_bordered_set(fw_bordered *bordered, const double *columns, const double *rows, const double *scale,
                          const double *row);

/* rhs = A^{-1} rhs to a relative residual of `tolerance`. FW_RECOVER_DIVERGED where GMRES comes nowhere near. */
fw_status fw_bordered_solve(fw_bordered *bordered, double tolerance, double *rhs);

#endif
