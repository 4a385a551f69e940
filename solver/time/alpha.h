/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Generalised-alpha at fixed or adaptive steps (Chung and Hulbert; equilibrium exact at each step's end as in Arnold
 * and Bruels), contact complementarity solved in the step. */
#ifndef FW_TIME_ALPHA_H
#define FW_TIME_ALPHA_H

#include "solver/time/archive.h"
#include "solver/time/step.h"
#include "solver/time/variation.h"

typedef struct fw_alpha fw_alpha;

/* Energy that went somewhere since the integration began, each term computed on its own (J). */
typedef struct fw_energy {
  double kinetic, strain; /* stored now */
  double loads;           /* work of all loads and prescribed motions, and of EPMC's damping of the opposite sign */
  double damping;         /* structural damping */
  double film;            /* lost in films of liquid */
  double flow;            /* work of fluid-elastic forces and of what else is skew in K, on the structure */
  double friction;        /* integral T v */
  double contact_stored;  /* in compliant normal contact, now */
  double contact_damping; /* lost in normal contact */
  double numerical;       /* lost in the algorithm: algorithmic inertia and stiffness work beyond stored */
} fw_energy;

/* rho: spectral radius at infinite frequency, 0..1. hht: the coefficients of Hilber, Hughes and Taylor, rho at least
 * 1/2. general: never factor only once. locate: divide a step where rigid friction reverses or hard contact closes, and
 * apply the impact there; else hard contact acts by impulses at the velocity level. tolerance: local error of
 * adaptive steps, 0 for fixed ones. balance: share of the largest force that a step may leave out of balance; 0: as
 * other steps do. */
typedef struct fw_alpha_options {
  double rho;
  bool hht, general, locate;
  double tolerance, balance;
} fw_alpha_options;

/* Starts from `state` (copied) at its time; loads act with state->load_factors at drive frequency omega. */
fw_status fw_alpha_create(fw_context *ctx, fw_system *system, const fw_state *state, double omega,
                          const fw_alpha_options *options, fw_alpha **alpha);
void fw_alpha_destroy(fw_alpha **alpha);

/* Advances by dt, in smaller parts where a step fails or is not accurate enough. */
fw_status fw_alpha_advance(fw_context *ctx, fw_alpha *alpha, double dt);

/* See fw_integrator_ops. */
fw_status fw_alpha_reload(fw_context *ctx, fw_alpha *alpha, const double *factors);

const fw_state *fw_alpha_state(const fw_alpha *alpha);
const fw_energy *fw_alpha_energy(const fw_alpha *alpha);
/* Counters since the beginning, and whether steps need only one factorisation. */
fw_step_statistics fw_alpha_count(const fw_alpha *alpha);
bool fw_alpha_factors_once(const fw_alpha *alpha);
/* How hard contact is taken, "impulses" or "located"; NULL: there is none. */
const char *fw_alpha_hard_contact(const fw_alpha *alpha);

/* ---- as a map ---------------------------------------------------------------------------------------------- */

/* All that the steps of an integration depend on, as numbers: q, v, the acceleration, the algorithmic one, friction
 * states, N and T of all points. What points do follows from these: pressed or not, in motion or not. */
int fw_alpha_numbers(const fw_alpha *alpha);
void fw_alpha_get(const fw_alpha *alpha, double *numbers);

/* From now on loads act with these factors [load_count]. */
void fw_alpha_drive(fw_alpha *alpha, const double *factors);

/* Goes on from these numbers at a time, driven at omega. Positive status: a point is nowhere. */
fw_status fw_alpha_set(fw_context *ctx, fw_alpha *alpha, const double *numbers, double time, double omega);

/* Events located since the beginning. */
long fw_alpha_events(const fw_alpha *alpha);

/* From now on these changes go along (lent; NULL: none). Equal steps only. */
void fw_alpha_follow(fw_alpha *alpha, fw_variation *variation);
/* One change as numbers, and back. */
void fw_alpha_get_change(const fw_alpha *alpha, int change, double *numbers);
void fw_alpha_set_change(fw_alpha *alpha, int change, const double *numbers);

/* See fw_integrator_ops. */
fw_status fw_alpha_archive(fw_context *ctx, fw_alpha *alpha, fw_archive *archive);

#endif
