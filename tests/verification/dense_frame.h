/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small frame of beams with dense matrices, to judge elements apart from the program's solvers. */
#ifndef FW_TESTS_DENSE_FRAME_H
#define FW_TESTS_DENSE_FRAME_H

#include "elements/element.h"

typedef struct fw_dense_frame {
  const fw_element_ops *ops;
  fw_properties props;
  int nodes, elements;
  double *X;   /* 2 per node */
  int *ends;   /* 2 per element */
  bool *fixed; /* 3 per node */
} fw_dense_frame;

/* A straight line of `divisions` equal elements from (0, 0) along (cos, sin) of `angle`. */
fw_dense_frame *fw_frame_line(const char *element, const fw_properties *props, double length, double angle,
                              int divisions);
/* `arms` lines of equal angles that meet in node 0; node i * divisions is the outer end of arm i (1...). */
fw_dense_frame *fw_frame_star(const char *element, const fw_properties *props, double length, int arms, int divisions);
void fw_frame_destroy(fw_dense_frame **frame);

/* Holds freedoms of a node, e.g. "xy", "xyr". */
void fw_frame_fix(fw_dense_frame *frame, int node, const char *directions);

/* Internal force and (where not NULL) tangent over all freedoms, fixed ones included. */
void fw_frame_force(const fw_dense_frame *frame, const double *q, double *f, double *K);

/* Newton from q to the equilibrium with `load`; returns the iterations used, or -1. */
int fw_frame_equilibrium(const fw_dense_frame *frame, const double *load, double *q);

/* Lowest natural frequencies (rad/s) about q (NULL: at rest). */
void fw_frame_frequencies(const fw_dense_frame *frame, const double *q, int count, double *omega);

/* Smallest positive factor for which K(0) + factor * (K(q) - K(0)) is singular. */
double fw_frame_buckling(const fw_dense_frame *frame, const double *q);

#endif
