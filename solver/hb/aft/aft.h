/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One contact point over one period, the alternating frequency-time method (AFT: Cameron and Griffin 1989, J. Appl.
 * Mech. 56(1)): from the Fourier coefficients of slip and gap (or normal force) to those of the friction and normal
 * forces, by way of time samples,
 *
 *   u_k, w_k  -> u(t_j), w(t_j)  -> N(t_j), T(t_j) by the laws  -> N_k, T_k = 2/n sum_j T(t_j) e^(-i k omega t_j).
 *
 * Friction is followed from the state the point had
 * before the vibration began: first to the slip of sample 0, then over one period, then its state is made
 * periodic by Newton's method on the period map. Directions in which the map is the identity (a sticking
 * contact) keep their history. Derivatives are exact for the sampled problem. */
#ifndef FW_HB_AFT_AFT_H
#define FW_HB_AFT_AFT_H

#include "contact/normal/normal.h"
#include "solver/hb/aft/fourier.h"

/* What the second set of coefficients, w, is. */
typedef enum fw_aft_normal {
  FW_AFT_CONSTANT, /* nothing: N = N0 */
  FW_AFT_CLOSED,   /* N - N0: hard contact that stays closed, N its multiplier */
  FW_AFT_OPENING,  /* gap - gap0: hard contact that may open, N by projection, see below */
  FW_AFT_LAW       /* gap - gap0: N by the normal law */
} fw_aft_normal;

/* A contact point as it was before the vibration. Lent. */
typedef struct fw_aft_point {
  const fw_friction *friction; /* the pair's; laws in parallel are joined in it */
  fw_aft_normal kind;
  const fw_normal *normal; /* for FW_AFT_LAW */
  double N0, gap0;
  double clearance;     /* of a hard contact that is open before the vibration: gap0; else 0 */
  const double *z0;     /* friction states */
  double stick_penalty; /* > 0: friction sticks rigidly; weight of the slip beside the force (N/m), dlft.h */
  double gap_penalty;   /* for FW_AFT_OPENING: weight of the gap beside the force (N/m) */
  bool exact;           /* forces of rigid stick and of FW_AFT_OPENING with exact switching times (switching.c) */
} fw_aft_point;

/* Fourier coefficients given. Hard contact that may open is treated the dynamic-Lagrangian way, as rigid stick is
 * (dlft.h): its force has unknowns of its own, n = N - N0, and
 *
 *   N = max(0, N0 + n - gap_penalty (gap - gap0 + clearance)),   N - N0 = n,
 *
 * says sample by sample that it is closed (gap = gap0 - clearance) or open (N = 0). The answer does not depend on
 * `gap_penalty`. */
typedef struct fw_aft_in {
  double omega;
  const double *u, *w; /* slip; gap or normal force; w is ignored for FW_AFT_CONSTANT */
  const double *t, *n; /* forces tried: of rigid stick (with `stick_penalty`), of FW_AFT_OPENING */
} fw_aft_in;

typedef struct fw_aft {
  const fw_fourier *fourier;
  double omega;
  /* time samples */
  double *u, *v, *gap, *gap_rate, *N, *N_elastic, *T;
  /* Fourier coefficients of T and N, and their derivatives with respect to those of u and w, size x size row
   * major (row: coefficient of the force). FW_AFT_OPENING: with respect to those of u and n; those with respect to
   * the gap are -gap_penalty times the latter. */
  double *T_c, *N_c, *T_u, *T_w, *N_w;
  double *T_t;       /* rigid stick: derivative of T with respect to the force tried */
  bool *slides;      /* rigid stick: per sample, */
  double *margin;    /* and how far it is from sliding (N) */
  double *z;         /* states at sample 0 of the periodic motion */
  double *z_samples; /* samples x states */
  bool periodic;     /* the states returned to where they were */
  double T_break;    /* largest |T| from which elastic stick of the last law broke away; 0: never */
  double *pressed;   /* > 0 closed, < 0 open, by how much: in N, or penetration in m */
  double *lifted;    /* the same without openings shorter than a step */
  int most;          /* sample with the largest N */
  bool firm;         /* pressed throughout, by more than next to nothing: nothing opens */
  double sense;      /* d pressed / d w (FW_AFT_OPENING: n) is this times the Fourier basis; 0: constant */
  /* work space */
  int states;
  const double *slip; /* Fourier coefficients of u, lent */
  bool at_once;       /* the last time, friction was periodic after its first period */
  double *pieces;
  double *T_law, *N_gap, *N_rate, *N_x, *T_x, *T_z, *dz, *dz_next, *map, *map_room, *step, *z_try, *kept, *T_zc, *T_xc;
} fw_aft;

/* states: of the point's friction. The Fourier tables are lent. Clear is safe on a zeroed struct. */
fw_status fw_aft_init(fw_context *ctx, const fw_fourier *fourier, int states, fw_aft *aft);
void fw_aft_clear(fw_aft *aft);

/* Fills samples, coefficients and, if wanted, derivatives. FW_RECOVER_NAN if a force is not finite. */
fw_status fw_aft_run(fw_aft *aft, const fw_aft_point *point, const fw_aft_in *in, bool derivatives);

/* The normal force at a moment, from w and its rate, and the force tried of FW_AFT_OPENING. */
typedef struct fw_aft_normal_out {
  double gap, gap_rate, N, elastic, pressed;
  double N_gap, N_rate; /* derivatives with respect to w (FW_AFT_OPENING: n) and its rate */
} fw_aft_normal_out;
fw_aft_normal_out fw_aft_normal_at(const fw_aft_point *point, double w, double rate, double n);

/* The step from sample i to sample j; i < 0: from the state before the vibration, at no speed. */
fw_step_in fw_aft_step(const fw_aft *aft, const fw_aft_point *point, int i, int j);

/* Stick or slip, sample by sample: a state that a step forgets altogether (its derivative with respect to what it was
 * is zero) slips. Laws that forget gradually have one pattern throughout. */

/* pattern[samples]: values other than 0 that are equal where the same of the states slip. The method must have been run.
 */
fw_status fw_stick_pattern(fw_context *ctx, const fw_aft *aft, const fw_aft_point *point, char *pattern);

#endif
