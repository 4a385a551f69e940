/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the parts of a modal analysis. */
#ifndef FW_ANALYSES_MODAL_PARTS_H
#define FW_ANALYSES_MODAL_PARTS_H

#include "solver/analysis.h"
#include "solver/assembly/linearised.h"
#include "solver/linalg/eigen_quadratic.h"

typedef struct fw_modal {
  fw_job *job;
  fw_system *system;
  fw_linearised *linear;
  fw_state *state; /* the state linearised about */
  fw_state *shape; /* frame for pictures */
  double *values, *vectors, *work;
  double *M_e[2]; /* mass times unit translation along x and y */
  double highest; /* bound of the eigenvalues, by which rounding is told from instability */
  fw_data_table *table;
} fw_modal;

/* FW_ERR_ANALYSIS where there is none: an empty table would be taken for an answer. */
fw_status fw_modal_need_one(const fw_modal *m, int found);

/* A picture of a shape [dof_count]. */
fw_status fw_modal_picture(fw_modal *m, int i, const double *phi, double frequency);

/* Complex eigenvalues of the linearised model, damping and all: table and figures. */
fw_status fw_modal_complex(fw_modal *m, int count);

/* The pairs of m->linear, a freedom that nothing holds told with its body. */
fw_status fw_modal_pairs(fw_modal *m, const fw_linearised *linear, int count, fw_quadratic_pairs *pairs);

/* The pairs at a flow (below 0: that of the deck), each with the matrices of its own frequency where they depend on it. Clear
 * after a failure too. */
fw_status fw_modal_flow_pairs(fw_modal *m, double flow, int count, fw_quadratic_pairs *pairs);

/* Complex modes over the range of flows that the analysis names, and the flows at which modes begin or cease to grow. */
fw_status fw_modal_flows(fw_modal *m, int count);

/* zeta = -Re lambda/|lambda|. */
double fw_modal_ratio(double growth, double omega);

#endif
