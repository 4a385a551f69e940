/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One implicit step, static or dynamic: find q with
 *     c_M M q + c_C C q + f_int(q) - rhs = W_n N - W_t T
 * and every contact condition satisfied. The structure is linearised, the contact problem solved
 * exactly on the contact freedoms, until both agree. Where the structure is linear the matrix is factored
 * once and a step is one solve; where contact directions turn, the iterations are on the contact freedoms alone. */
#ifndef FW_TIME_STEP_H
#define FW_TIME_STEP_H

#include "solver/assembly/system.h"
#include "solver/time/local_contact.h"

typedef struct fw_stepper fw_stepper;

/* What defines a step. */
typedef struct fw_step_job {
  const fw_state *old;  /* committed state at its beginning */
  double mass, damping; /* c_M, c_C */
  const double *rhs;    /* [system->size] loads and history; joint rows 0 */
  double time;          /* at its end */
  double dt;            /* 0: quasi-static */
  double rate_factor;   /* v = rate_factor (q - q_old) + v_free */
  const double *v_free; /* [dof_count]; NULL in statics */
  bool line_search;     /* shorten Newton's steps along which the forces do not come to balance; without contact only */
  const bool *released; /* [contact_count] points that carry no force in this step whatever their gap; NULL: none */
  const bool *clinging; /* [contact_count] points of rigid friction that stick whatever their force; NULL: none */
  /* Told after each iteration what is out of balance and by how much conditions of contact are missed, over the largest
   * force; NULL: nobody. */
  fw_status (*iterated)(void *user, double residual, double contact);
  void *user;
  /* 0: hard contact holds the gap at the end of the step. > 0: it holds the velocity there, as an impact law; N of hard
   * points and T of rigid friction on them are then means over the step, impulse over dt, which enter the balance with
   * this factor; T of laws with stiffness is as ever that at the end of the step. */
  double impulse_gain;
  fw_factor *mass_factor; /* of [M G^T; G 0]: gives the jump of the velocity by the mean forces; 0 gain: NULL */
} fw_step_job;

/* Counters for the summary. */
typedef struct fw_step_statistics {
  long steps, iterations, factorisations, failures;
  size_t factor_memory; /* bytes of the last factor */
} fw_step_statistics;

/* `system` is lent and must outlive the stepper. force_general: never take the factor-once path. */
fw_status fw_stepper_create(fw_context *ctx, fw_system *system, bool force_general, fw_stepper **stepper);
void fw_stepper_destroy(fw_stepper **stepper);
/* The share of the largest force that a step may leave out of balance; 1e-9 unless set. Where rounding leaves more than
 * what is set, 1e-9 will do. */
void fw_stepper_set_balance(fw_stepper *stepper, double balance);
const fw_step_statistics *fw_stepper_statistics(const fw_stepper *stepper);

/* True if steps of equal c_M, c_C need only one factorisation (linear structure, contact on constant
 * directions). */
bool fw_stepper_factors_once(const fw_stepper *stepper);

/* The same with contact directions that turn: each iteration is then a solve on the contact freedoms. */
bool fw_stepper_keeps_matrix(const fw_stepper *stepper);

/* Solves the step. `new` enters as a guess (q, lambda, touch forces) and leaves with q, lambda, touch
 * (gap, N, T, status, place; slip is the gain within the step) and z. Recoverable statuses ask for
 * a smaller step; FW_ERR_SINGULAR: the message names the freedom. */
fw_status fw_stepper_solve(fw_context *ctx, fw_stepper *stepper, const fw_step_job *job, fw_state *new_state);

/* The same for a quasi-static step (dt = 0), by Newton's method on structure and contact together: for structures that
 * contact holds, many points, curved surfaces of two bodies. */
fw_status fw_stepper_balance(fw_context *ctx, fw_stepper *stepper, const fw_step_job *job, fw_state *new_state);

/* What ran away in the last balance that failed: a motion that neither structure nor contact resists. */
typedef struct fw_unheld {
  int dof;    /* that moves most; -1: nothing is free */
  bool slips; /* contact that is closed slides along with it */
} fw_unheld;
const fw_unheld *fw_stepper_unheld(const fw_stepper *stepper);

/* How far the first of Newton's steps of fw_stepper_balance went, in which what closes sticks (m, or rad). */
double fw_stepper_first_move(const fw_stepper *stepper);

/* Finds the contact points of a state: gap, place and rates are set in it. */
fw_status fw_stepper_observe(fw_stepper *stepper, fw_state *state);
/* force[system->size] = W_n N - W_t T of the hard points in the state just observed. */
void fw_stepper_hard_force(const fw_stepper *stepper, const fw_state *state, double *force);
/* Internal force at the solution of the step just solved, [system->size]; NULL where it was not needed. */
const double *fw_stepper_inner(const fw_stepper *stepper);
/* J of the step just solved, [system->size]: the joints' mean forces follow the freedoms. */
const double *fw_stepper_jump(const fw_stepper *stepper);

/* After a step was solved: brings matrix, columns and the contact problem of all closed points to its solution, where
 * their derivatives are taken (alpha_variation.c). */
fw_status fw_stepper_linearise(fw_context *ctx, fw_stepper *stepper, const fw_step_job *job, fw_state *new_state);

/* Turns the gains of a solved step into totals: slip, velocities, sliding distance, work, dissipation. */
void fw_stepper_commit(const fw_step_job *job, fw_state *new_state);

#endif
