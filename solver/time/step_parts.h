/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside the stepper: what structure, contact points and the one system of both share. */
#ifndef FW_TIME_STEP_PARTS_H
#define FW_TIME_STEP_PARTS_H

#include "contact/detect/search.h"
#include "contact/enforce/local.h"
#include "solver/linalg/sparse.h"
#include "solver/time/step.h"

/* How far joints may be open, of the model's size or the largest freedom. */
#define FW_STEP_JOINTS 1e-11

/* ---- kkt ------------------------------------------------------------------------------------------------- */

/* Structure and contact of a quasi-static step as one system. Unknowns are the freedoms, the multipliers of joints, and
 * N and T of every point that carries force:
 *     [ -K  G_n^T  -G_t^T ] [dq]     [ rhs - f_int + G_n^T N - G_t^T T ]
 *     [ conditions by gap, slip, N, T ] [dN dT] = -[ r_n, r_t ]
 * K with the curvature of the contact directions. What contact alone holds needs no stiffness of its own here. */

typedef struct fw_kkt {
  int count;                     /* points in the matrix */
  int *point;                    /* [contact_count] which */
  fw_local *local;               /* [contact_count] */
  fw_local_residual *conditions; /* [contact_count] at the present state */
  bool *fresh;                   /* [contact_count] closes only now: it carried nothing yet */
  bool *swings;                  /* [contact_count] its friction goes to and fro in Newton's steps */
  bool settled;                  /* no point closed or opened since the last iteration */
  bool holding;                  /* every point is taken to stick in this Newton step */
  double *N, *T, *dN, *dT;       /* [contact_count] forces where a Newton step begins, and what it adds */
  double *law_T, *slip;          /* [contact_count] friction by its law, and slip, where the last step began */
  double *change;                /* [contact_count] of friction by its law in the last step */
  double *diagonal;              /* [dof_count] of K */
  double *step;                  /* [size + 2 contact_count] */
  double *work;                  /* of the laws */
  double stiffest[2];            /* of the diagonal: of displacements, of rotations */
  double anchor;                 /* share of its stiffness by which a freedom is held where it is; 0 unless singular */
  double first_move;             /* largest of the first step */
  fw_unheld unheld;
  fw_sparse *A;
  fw_factor *factor;
} fw_kkt;

/* ---- flexible -------------------------------------------------------------------------------------------- */

/* How a linear structure yields at the freedoms that contact moves with, `row`: A^-1 e of those that forces have met
 * so far, and the curvature S of closed points between theirs, `bent`. */
typedef struct fw_flexible {
  bool used;                 /* by the step at hand */
  int most;                  /* freedoms that contact can have */
  int answers, *dof, *place; /* [most] of which, [size] where, -1: none */
  double **answer;           /* [most] of size each */
  int rows, *row;            /* [most] */
  bool *is_row;              /* [size] */
  int bends, *bent, *bent_place;
  const double **bent_answer; /* [most] */
  double *S, *factor;         /* [bends^2] and that of I + S F */
  size_t bent_room;
  double *weight; /* [most] */
  int *pivots;
} fw_flexible;

/* ---- step parts ------------------------------------------------------------------------------------------ */

/* Inside the stepper: what step.c (structure) and step_contact.c (contact points) share. */

struct fw_stepper {
  fw_system *system;
  const fw_model *model;
  fw_sparse *A;
  fw_factor *factor;
  bool general;                  /* forced */
  bool curved;                   /* some contact direction changes with q */
  bool factored;                 /* A holds c_M M + c_C C + K of a linear structure */
  double mass, damping;          /* of the factored matrix, */
  double epmc_damping;           /* and of its C */
  double scale;                  /* size of the model */
  double balance;                /* out-of-balance force against the largest force */
  double *r, *increment, *f_int; /* [size] */
  double *from;                  /* [size] where a line search begins */
  fw_step_statistics statistics;
  /* contact points, [contact_count] each */
  const fw_pair **pair; /* whose follower it is, */
  int *follower;        /* and which */
  fw_kinematic *kin;    /* current, at configuration */
  double *configuration;
  bool detected; /* configuration holds something */
  /* [2 size] A^-1 W, gap column then slip column, with the point's gains, and where its N is a mean as much again of
   * M^-1 W; NULL until wanted */
  double **columns;
  bool *column_ready; /* it belongs to the present factor and directions; */
  bool *jump_ready;   /* its second half to the present directions */
  double *jump;       /* [size] velocity jump of the step over its dt, and the joints' impulses */
  bool *is_active;    /* it is in `active` */
  int *active;        /* points of the local problem */
  fw_hints *hints;    /* where open points look for their targets */
  fw_local_problem local;
  fw_flexible flexible;
  fw_kkt kkt; /* created when first wanted */
};

/* Arrays of the contact points; clear is safe on what was never created. */
fw_status fw_step_contact_create(fw_context *ctx, fw_stepper *s);
void fw_step_contact_clear(fw_stepper *s);

/* Kinematics of all points at q; a changed direction makes its columns stale. A point off its target is open: its gap
 * is far. */
fw_status fw_step_detect(fw_stepper *s, const fw_step_job *job, const double *q);

/* The same at the beginning of a step whose directions are constant: what the last step ended with serves. */
fw_status fw_step_detect_begin(fw_stepper *s, const fw_step_job *job);

/* True if the point's N is a mean over the step. */
bool fw_step_is_mean(const fw_stepper *s, const fw_step_job *job, int contact);

/* True if friction at the beginning of the step acts through half of it. */
bool fw_step_is_carried(const fw_stepper *s, const fw_step_job *job, int contact);

/* All columns belong to another matrix. */
void fw_step_forget_columns(fw_stepper *s);
fw_status fw_step_fill_columns(fw_context *ctx, fw_stepper *s, const fw_step_job *job, int contact);

/* Displacement that a unit N, or -T, of a point with columns causes. */
const double *fw_step_column(const fw_stepper *s, int contact, bool tangential);

/* Begins the increment of forces: friction at the beginning of the step, which acts through half of it; and adds what
 * the forces of the local problem do. */
fw_status fw_step_add_carried(fw_context *ctx, fw_stepper *s, const fw_step_job *job);
void fw_step_add_answers(fw_stepper *s, const fw_step_job *job, const fw_state *state);

/* Solves the contact problem on top of the free increment and adds what the forces do. Points found penetrating
 * afterwards join, so that the outcome does not depend on the first guess of who touches. */
fw_status fw_step_solve_contact(fw_context *ctx, fw_stepper *s, const fw_step_job *job, fw_state *state);

/* The local problem of the closed points at a solution, whose motion and forces are the state's. */
fw_status fw_step_contact_linearise(fw_context *ctx, fw_stepper *s, const fw_step_job *job, fw_state *state);

/* How the gap that a hard point keeps changes: with the velocity `v` and gap that the step began with, with `v_free`,
 * and with the length of the step. */
typedef struct fw_floor_past {
  double gap, gap_velocity, free_rate, length;
} fw_floor_past;
fw_floor_past fw_step_floor_past(const fw_stepper *s, const fw_step_job *job, int contact);

/* N and T of a point as they enter the balance. */
typedef struct fw_point_force {
  double N, T;
} fw_point_force;
fw_point_force fw_step_point_force(const fw_stepper *s, const fw_step_job *job, const fw_state *state, int contact);

/* r += W_n N - W_t T, with gains; returns the largest contact force. */
double fw_step_add_forces(fw_stepper *s, const fw_step_job *job, const fw_state *state);

/* Adds the curvature of the contact directions under the present forces to A. */
void fw_step_add_curvature(fw_stepper *s, const fw_step_job *job, const fw_state *state);

/* True if the contact conditions, which were solved along straight directions, hold where the structure has come to:
 * nothing open penetrates and constrained gaps are closed. `moved`: largest displacement. */
bool fw_step_contact_holds(const fw_stepper *s, const fw_step_job *job, const fw_state *state, double moved);

/* Gap, slip, their rates and the place of every point at the solution. */
fw_status fw_step_record(fw_stepper *s, const fw_step_job *job, fw_state *state);
/* The same where all points have just been found. */
void fw_step_write(fw_stepper *s, const fw_step_job *job, fw_state *state);

/* Whether what is out of balance after an iteration, and was after the one before, is as little as can be. */
bool fw_step_balanced(const fw_stepper *s, const fw_state *state, double out, double last, double reference);

/* The matrix of a linear structure, factored unless it is. */
fw_status fw_step_factor_linear(fw_context *ctx, fw_stepper *s, const fw_step_job *job);

/* A step of a linear structure whose contact directions turn (step_flexible.c), and what the columns are then: `gain`
 * times what forces along `direction` do at the rows; sum += factor * column there. */
fw_status fw_flexible_solve(fw_context *ctx, fw_stepper *s, const fw_step_job *job, fw_state *state);
fw_status fw_flexible_column(fw_context *ctx, fw_stepper *s, int contact, double gain, const double *direction,
                             double *column);
void fw_flexible_add(const fw_flexible *flexible, const double *column, double factor, double *sum);
/* The answers belong to another matrix. */
void fw_flexible_forget(fw_flexible *flexible);
void fw_flexible_clear(fw_flexible *flexible);

/* r = rhs - c_M M q - c_C C q - f_int(q), without contact. */
fw_status fw_step_out_of_balance(fw_context *ctx, fw_stepper *s, const fw_step_job *job, const fw_state *state,
                                 bool tangent);
/* Largest magnitude; infinity if one is not finite. */
double fw_step_largest(const double *vector, int64_t n);
/* What rounding leaves of the internal force. */
double fw_step_round_off(const fw_stepper *s, const fw_state *state);

/* The matrix of the whole system at the conditions evaluated, factored. */
fw_status fw_kkt_factor(fw_context *ctx, fw_stepper *s, const fw_step_job *job, const fw_state *state);
fw_status fw_kkt_create(fw_context *ctx, fw_stepper *s);
/* Whether the point is taken to stick in this Newton step, whatever its friction. */
bool fw_kkt_holds(const fw_kkt *w, int contact);
void fw_kkt_clear(fw_stepper *s);

#endif
