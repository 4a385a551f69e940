/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside the stepper: what step.c (structure) and step_contact.c (contact points) share. */
#ifndef FW_TIME_STEP_PARTS_H
#define FW_TIME_STEP_PARTS_H

#include "contact/detect/hints.h"
#include "solver/time/kkt.h"
#include "solver/time/step.h"

struct fw_stepper {
  fw_system *system;
  const fw_model *model;
  fw_sparse *A;
  fw_factor *factor;
  bool general;                  /* forced */
  bool curved;                   /* some contact direction changes with q */
  bool factored;                 /* A holds c_M M + c_C C + K of a linear structure */
  double mass, damping;          /* of the factored matrix */
  double scale;                  /* size of the model */
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

double fw_along(const fw_kinematic *kin, const double *direction, const double *vector);

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

/* r += W_n N - W_t T, with gains; returns the largest contact force. */
double fw_step_add_forces(fw_stepper *s, const fw_step_job *job, const fw_state *state);

/* Adds the curvature of the contact directions under the present forces to A. */
void fw_step_add_curvature(fw_stepper *s, const fw_step_job *job, const fw_state *state);

/* True if the contact conditions, which were solved along straight directions, hold where the structure has come to:
 * nothing open penetrates and constrained gaps are closed. `moved`: largest displacement. */
bool fw_step_contact_holds(const fw_stepper *s, const fw_step_job *job, const fw_state *state, double moved);

/* Gap, slip, their rates and the place of every point at the solution. */
fw_status fw_step_record(fw_stepper *s, const fw_step_job *job, fw_state *state);

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
void fw_kkt_clear(fw_stepper *s);

#endif
