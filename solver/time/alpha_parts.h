/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside generalised-alpha: what its parts share. alpha.c steps, alpha_energy.c keeps the balance, alpha_events.c
 * divides steps at events, alpha_breakaway.c where stick gives way, alpha_impulse.c takes hard contact at the velocity level instead. */
#ifndef FW_TIME_ALPHA_PARTS_H
#define FW_TIME_ALPHA_PARTS_H

#include "solver/time/alpha.h"

/* Of a step: an event this near to its beginning or end is there. Much shorter parts would ask more digits of hard
 * contact, whose force is a gap divided by dt^2, than a double has. */
#define FW_ALPHA_LEAST 1e-3

struct fw_alpha {
  fw_system *system;
  const fw_model *model;
  fw_stepper *stepper;
  fw_state *old, *new_state;
  double omega, alpha_m, alpha_f, beta, gamma;
  double *algorithmic;            /* the integrator's own acceleration */
  double *smooth_old;             /* acceleration in balance with all forces but impulses; without these the true one */
  double *smooth_new;             /* the same at the end of the step */
  double *force_old, *force_new;  /* loads [size] */
  double *inner_old, *inner_new;  /* f_int [size] */
  double *rhs, *v_free, *history; /* [size] */
  fw_energy energy;
  bool general, locate;
  double balance;              /* of steps; 0: the stepper's own */
  double *drag_old, *drag_new; /* [size] damping forces where their matrix depends on q; NULL: it does not */
  double *film_at;             /* [size] where the films of liquid are in the step; NULL: there are none */
  double *film_old, *film_new; /* [size] and their forces */
  double *flow_mean;           /* [size] work space where fluids act; NULL: they do not */
  bool *released;              /* [contact_count] points whose impact comes at the end of the step */
  bool *clinging;              /* [contact_count] points that stick through the step whatever their force */
  int *events;                 /* [FW_DAE_ROOTS x contact_count] what happens at the end of a divided step */
  fw_step_statistics before;   /* of steppers that are gone */
  double tolerance;            /* of adaptive steps; 0: fixed */
  long level;                  /* adaptive steps are 2^-level of the interval between outputs */
  double kinetic_most;         /* so far, the measure of adaptive steps */
  bool massive;                /* no freedom is without mass */
  bool impulsive;              /* hard contact at the velocity level */
  fw_sparse *mass;             /* [M G^T; G 0], impulsive only */
  fw_factor *mass_factor;
  long event_count;        /* located since the beginning */
  fw_step_job job;         /* of the step last tried */
  fw_variation *variation; /* lent; NULL: none goes along */
};

/* Forces of the loads at a time, [size]. */
void fw_alpha_loads(const fw_alpha *a, double time, double *force);

/* Turns the damping to the present state and notes its forces. */
void fw_alpha_drag_begin(fw_alpha *a);
/* Kinetic energy 1/2 v M v at the present state. */
double fw_alpha_kinetic(fw_alpha *a);
/* Stored energies of the present state; the balance begins here. */
void fw_alpha_energy_begin(fw_alpha *a);
/* Adds what the step from old to new_state did to every term. */
void fw_alpha_account(fw_alpha *a);

/* Solves a step of dt into new_state; nothing is accepted yet. */
fw_status fw_alpha_try(fw_context *ctx, fw_alpha *a, double dt);
/* Makes new_state the present one; the variation goes along. */
fw_status fw_alpha_accept(fw_context *ctx, fw_alpha *a);

/* alpha_variation.c: the step just solved, before it is accepted. */
fw_status fw_alpha_vary(fw_context *ctx, fw_alpha *a);

/* Begins from the present state, or anew where forces have jumped: accelerations and contact forces that fit the loads
 * now. */
fw_status fw_alpha_begin(fw_context *ctx, fw_alpha *a);
/* Accelerations and forces of the present state with contact and friction as complementarity; needs mass everywhere. */
fw_status fw_alpha_settle(fw_context *ctx, fw_alpha *a);

/* One step that ends where hard contact closes or rigid friction reverses, with the impact there; *done: how far. */
fw_status fw_alpha_step_located(fw_context *ctx, fw_alpha *a, double whole, double dt, double *done);

/* Applies a->events at the present state, in a step of this length. */
fw_status fw_alpha_apply_events(fw_context *ctx, fw_alpha *a, double step);

/* After a step of dt was tried: where it breaks rigid stick whose force then drops (*any), the step up to there and what
 * follows instead; *done: how far. */
fw_status fw_alpha_break_away(fw_context *ctx, fw_alpha *a, double whole, double dt, bool *any, double *done);

/* Factors the mass matrix; a->massive tells whether that can be done. */
fw_status fw_alpha_impulse_create(fw_context *ctx, fw_alpha *a);
void fw_alpha_impulse_clear(fw_alpha *a);
/* Brings the factor to the present configuration. */
fw_status fw_alpha_impulse_factor(fw_context *ctx, fw_alpha *a);
/* Makes a step one with impulses. */
void fw_alpha_impulse_job(const fw_alpha *a, fw_step_job *job);
/* Takes the answer to the impulses out of smooth_new and the multipliers of new_state; join adds it to the acceleration
 * and multipliers of new_state: means over the step. */
void fw_alpha_impulse_split(fw_alpha *a);
void fw_alpha_impulse_join(fw_alpha *a);
/* Takes the answer to the present forces of hard contact out of smooth_old and the multipliers of the present state;
 * rejoin gives the latter theirs back. */
fw_status fw_alpha_impulse_part(fw_context *ctx, fw_alpha *a);
void fw_alpha_impulse_rejoin(fw_alpha *a);

#endif
