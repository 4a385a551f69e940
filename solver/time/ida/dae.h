/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The equations as a DAE: unknowns, residual, Jacobian, rows of joints and ties. */
#ifndef FW_TIME_IDA_DAE_H
#define FW_TIME_IDA_DAE_H

#include <math.h>

#include "contact/pair.h"
#include "solver/assembly/system.h"
#include "solver/time/variation.h"

/* ---- dae ------------------------------------------------------------------------------------------------- */

/* The equations of motion as a differential-algebraic system of index one, F(t, y, y') = 0:
 *
 *   q' - v = 0
 *   M v' + C v + f_int(q) - f(t) - W_n N + W_t T + G^T lambda = 0
 *   z' - rate(z, v_s, N) = 0                     states of rate laws
 *   one equation for each N and T               law, constraint, or zero
 *   phi'' + 2 k phi' + k^2 phi = 0              joints (Baumgarte with k = stabilisation)
 *
 * with y = (q, v, z, N T of each contact point, lambda). Rigid contact directions are held like joints. What
 * each contact point does between events is its mode; one sparsity pattern covers all modes. Laws without
 * a rate face enter by their step face from the last accepted step, whose state the driver commits. */

typedef enum fw_tangent_mode { FW_TANGENT_FREE, FW_TANGENT_LAW, FW_TANGENT_STICK, FW_TANGENT_SLIP } fw_tangent_mode;

/* Slip slower than this (m/s) is rest at the limit: where it goes from there its acceleration says. */
#define FW_DAE_REST 1e-12

/* One contact point between events. */
typedef struct fw_dae_point {
  const fw_pair *pair;
  int follower;
  int first_z; /* of its rate states in y's z part, or -1: step face */
  bool closed; /* compliant contact is always treated as closed: its law knows */
  fw_tangent_mode mode;
  double direction; /* of slip, or of a law in motion since the last event: +1, -1 */
  double slip_base; /* slip gained since it stuck, up to the last commit */
  bool jammed;      /* at its limit of friction, but other points hold its body */
  fw_kinematic kin; /* at the last evaluation */
  double gap_rate, slip_rate;
  double least;      /* speed from which on it slides, as its law sees it (m/s) */
  double slope;      /* dT/dN of its law at the last evaluation */
  double lift, tilt; /* gap acceleration a unit N, a unit -T gives, when it last settled */
} fw_dae_point;

/* Held directions whose forces the motion does not tell apart, as of a rigid block on two feet that stick: W Z = 0 for
 * their directions W, and forces Z x move nothing. */
typedef struct fw_shared {
  int count, rank; /* directions; independent ways to shift forces among them */
  int64_t *at;     /* [count] their unknowns in y, and their equations */
  double *null;    /* Z [count x rank], orthonormal columns */
  double scale;    /* of mobility, 1/kg */
  double *held;    /* scratch [count] */
} fw_shared;

typedef struct fw_dae {
  fw_system *system;
  const fw_model *model;
  int64_t n, size;                     /* freedoms; unknowns */
  int64_t z_at, contact_at, lambda_at; /* where the parts of y begin */
  int z_count;
  double omega;              /* drive */
  double stabilisation;      /* k (1/s) */
  const fw_state *committed; /* at the last accepted step: time, q, touches, step-law states */
  fw_dae_point *points;
  double *force, *inner;              /* scratch [system->size] */
  double *z_trial;                    /* scratch: states of step laws */
  double *work;                       /* scratch for law derivatives */
  fw_sparse *jacobian;                /* pattern and values of the last fw_dae_jacobian */
  int64_t *structure_q, *structure_v; /* where entries of M, C, K go in the momentum rows */
  fw_shared shared;                   /* among held directions, */
  fw_shared jam;                      /* and with those of points that are jammed */
  fw_variation *variation;            /* goes along through events (vary.h); lent, NULL: none */
} fw_dae;

/* Unknowns and pattern for a system; `committed` is lent and kept. Modes start as the touches say. */
fw_status fw_dae_create(fw_context *ctx, fw_system *system, const fw_state *committed, double omega,
                        double stabilisation, fw_dae **dae);
void fw_dae_destroy(fw_dae **dae);

/* y, y' of a state (with its accelerations), and back (q, v, a, lambda, N, T, gap, slip since the commit, z). */
void fw_dae_pack(const fw_dae *dae, const fw_state *state, double *y, double *y_dot);
fw_status fw_dae_unpack(fw_dae *dae, double t, const double *y, const double *y_dot, fw_state *state);

/* Kinematics of all points at state's q and v: gap, rates and place go into its touches. */
fw_status fw_dae_observe(fw_dae *dae, fw_state *state);

/* Kinematics of all points at y, left in dae->points. */
fw_status fw_dae_kinematics(fw_dae *dae, const double *y);

/* Fills N and T of all points in y by their laws, where nothing is a constraint; F: scratch [size]. */
fw_status fw_dae_contact_forces(fw_dae *dae, double t, double *y, const double *y_dot, double *F);

/* Fills the rates of the friction states in y'. */
void fw_dae_state_rates(fw_dae *dae, const double *y, double *y_dot);

/* F; and J = dF/dy + c dF/dy' into dae->jacobian. */
fw_status fw_dae_residual(fw_context *ctx, fw_dae *dae, double t, const double *y, const double *y_dot, double *F);
fw_status fw_dae_jacobian(fw_context *ctx, fw_dae *dae, double t, double c, const double *y, const double *y_dot);

/* phi'' + 2 k phi' + k^2 phi of a held quantity; adds to an entry of the Jacobian. */
static inline double fw_dae_held(const fw_dae *dae, double acceleration, double rate, double value) {
  double k = dae->stabilisation;
  return acceleration + 2.0 * k * rate + k * k * value;
}
static inline void fw_dae_put(fw_dae *dae, int64_t row, int64_t column, double value) {
  int64_t at = fw_sparse_position(dae->jacobian, row, column);
  if (at >= 0) dae->jacobian->x[at] += value;
}

/* Slip velocity of a sliding point as its law sees it: in its direction, and no less than its least. */
static inline double fw_dae_sliding(const fw_dae_point *point, double slip_rate) {
  return point->direction * fmax(point->direction * slip_rate, point->least);
}

/* A point of hard contact that carries no force from now on. */
static inline void fw_dae_open(fw_dae_point *point) {
  point->closed = false;
  point->mode = FW_TANGENT_FREE;
}

/* Speeds below `speed` are not told from it where a law falls infinitely fast from rest (Stribeck's with an exponent
 * below 1): there every velocity near 0 solves the equations of a short step. */
void fw_dae_set_least_speed(fw_dae *dae, double speed);

/* A point's friction states among those of a state. */
static inline size_t fw_dae_first_state(const fw_dae_point *point) {
  return (size_t)point->pair->first_z + (size_t)point->follower * (size_t)point->pair->states;
}
static inline double *fw_dae_states(const fw_dae_point *point, const fw_state *state) {
  return state->z + fw_dae_first_state(point);
}

/* Builds dae->jacobian, its one pattern for all modes and the forces shared now, and the positions of the structure in
 * it (pattern.c). */
fw_status fw_dae_pattern(fw_context *ctx, fw_dae *dae);

/* Event functions of a point. An event is a fall through zero; a function that has no meaning in a mode is 1. */
typedef enum fw_dae_root {
  FW_ROOT_NORMAL,      /* hard contact: gap while open, N while closed */
  FW_ROOT_LIMIT_PLUS,  /* rigid stick: how far T is below its upper limit, */
  FW_ROOT_LIMIT_MINUS, /* and above its lower one */
  FW_ROOT_REVERSAL,    /* slip: velocity in its direction; a jammed point: how far it is below what would free it */
  FW_ROOT_DROP,        /* elastic stick whose force drops: room below its static limit */
  FW_DAE_ROOTS
} fw_dae_root;
fw_status fw_dae_roots(fw_dae *dae, double t, const double *y, double *roots);

/* True if rigid stick of the state is beyond its limits: the fall through zero was missed; *way: +1 or -1. */
bool fw_dae_is_overloaded(const fw_dae *dae, int c, const fw_state *state, int *way);

/* True if elastic stick of the state holds on beyond its limit: the fall through zero was missed. */
bool fw_dae_is_torn(const fw_dae *dae, int c, const fw_state *state);

/* ---- constraints ----------------------------------------------------------------------------------------- */

/* Rows of joints and ties in the DAE: phi'' + 2 k phi' + k^2 phi = 0. */

void fw_constraints_residual(fw_dae *dae, double t, const double *y, const double *y_dot, double *F);

/* Adds to dae->jacobian: by v (c + 2 k) G + 2 H v, by q k^2 G + H (a + 2 k v); third derivatives are left out. */
void fw_constraints_jacobian(fw_dae *dae, double t, double c, const double *y, const double *y_dot);

#endif
