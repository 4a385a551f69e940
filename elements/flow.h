/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fluid-elastic forces per length on a tube: linear in the motion u = (u_1, u_2) across it, or across another tube,
 *
 *   p = -(M u'' + C u' + K u),   M, C, K 2 x 2, functions of the flow and of the arc length s,
 *
 * and of a frequency f where they belong to one (forces with a delay, unsteady coefficients): motions at f see these
 * matrices. They are integrated over a part of an element by Gauss points, at which the weights of u on the freedoms are known. C may be
 * below zero, K need not be symmetric: what they do is the work of the fluid. M is that of a fluid without loss and
 * symmetric; between two tubes it acts both ways. */
#ifndef FW_ELEMENTS_FLOW_H
#define FW_ELEMENTS_FLOW_H

#include "elements/element.h"

enum { FW_FLOW_MASS, FW_FLOW_DAMPING = 4, FW_FLOW_STIFFNESS = 8, FW_FLOW_MATRICES = 12 };

/* The functions of (flow, s, f) in the order xx xy yx yy of each matrix, xy: force along the first direction by motion
 * along the second; NULL: 0. Lent by the deck's items. */
struct fw_flow {
  const fw_formula *entry[FW_FLOW_MATRICES];
  double speed;     /* the flow of the deck */
  double frequency; /* of the deck (Hz), where the matrices depend on it; else 0 */
  fw_place place;
};

/* Constants of a part of an element: those of each Gauss point one after the other. Weights of the two displacements on
 * the freedoms of the element, node by node: where the force acts, and where the motion is. */
enum {
  FW_FLOW_S,
  FW_FLOW_LENGTH,
  FW_FLOW_ENTRIES,
  FW_FLOW_ACTS = FW_FLOW_ENTRIES + FW_FLOW_MATRICES,
  FW_FLOW_DOFS = 12,
  FW_FLOW_MOVES = FW_FLOW_ACTS + 2 * FW_FLOW_DOFS,
  FW_FLOW_POINT = FW_FLOW_MOVES + 2 * FW_FLOW_DOFS,
  FW_FLOW_POINTS = 4,
  FW_FLOW_CONSTANTS = FW_FLOW_POINTS * FW_FLOW_POINT
};

/* A flow and a frequency (Hz); below 0: those of the deck. */
typedef struct fw_flow_at {
  double speed, frequency;
} fw_flow_at;
static const fw_flow_at fw_flow_of_deck = {-1, -1};

/* Sets the matrices at every Gauss point. False: one of them is not a finite number. */
bool fw_flow_set(const struct fw_flow *flow, fw_flow_at at, double *constants);

/* The displacements across the tube that moves, at each Gauss point times the root of its length: their squares add up to an
 * integral. q: freedoms of the element. */
void fw_flow_motion(const fw_block *block, const double *q, double u[2 * FW_FLOW_POINTS]);

/* Whether they are functions of the frequency. */
bool fw_flow_has_frequency(const struct fw_flow *flow);

/* On the tube that moves itself (two nodes), and on one by the motion of another (its two nodes, then the other's). */
extern const fw_element_ops fw_element_flow, fw_element_flow_between;

/* True if there are any, or if an element's stiffness is not symmetric. */
bool fw_model_has_flow(const fw_model *model);
bool fw_model_has_flow_frequency(const fw_model *model);
bool fw_model_has_circulation(const fw_model *model);
/* The first body whose stiffness or damping matrix is not symmetric; -1: none. */
int fw_model_unsymmetric(const fw_model *model);

#endif
