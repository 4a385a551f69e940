/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Harmonic balance: its equations, and the contact's part of them. */
#ifndef FW_HB_BALANCE_H
#define FW_HB_BALANCE_H

#include "solver/continuation/corrector.h"
#include "solver/hb/aft/aft.h"
#include "solver/hb/harmonic_blocks.h"
#include "solver/hb/reduction/reduced.h"
#include "solver/stability/periodic_motion.h"

/* ---- balance --------------------------------------------------------------------------------------------- */

/* The equations of harmonic balance of a reduced structure with contact:
 *
 *   D(k omega) z_k + [dU/dz]_k - level f_k - [N - N0]_k on gaps + [T - T0]_k on slips = 0,  k = 0..H.
 *
 * Unknowns: the Fourier coefficients of every coordinate, coordinate by coordinate (fourier.h), then omega. A gap
 * that a hard contact keeps closed is no unknown; its place is taken by the coefficients of N - N0. The friction force
 * of a contact that sticks rigidly (dlft.h) and the normal force of a hard one that may open (aft.h) have
 * blocks of their own behind the coordinates. Where a response is held
 * the level is the last unknown before omega. */

typedef struct fw_balance_contact {
  fw_aft_point point;
  fw_combination gap, slip; /* no terms: N is constant; the point cannot slide. The gap of a hard contact that touches
                               before the vibration is a coordinate */
  double T0;                /* friction force before the vibration */
  double k_n, k_t, T_N;     /* for small vibrations (linear_contact.h); stiffnesses are 0 where held rigidly */
  int number;               /* among the model's contact points */
} fw_balance_contact;

/* A load that is factor e^{i harmonic omega t} at level 1. */
typedef struct fw_balance_drive {
  int harmonic;
  double complex factor;
  fw_projected load;
} fw_balance_drive;

/* What does not depend on the number of harmonics. All lent. */
typedef struct fw_balance_problem {
  const fw_reduced *reduced;
  const fw_quartic *quartic; /* elements 0: none */
  const fw_balance_contact *contacts;
  int contact_count;
  const fw_balance_drive *drives;
  int drive_count;
} fw_balance_problem;

/* A response that is held, its level unknown (constant_response.h). */
typedef struct fw_response_control {
  const fw_projected *direction; /* NULL: the level is given */
  double amplitude;
  int rate;
  bool by_level; /* for the first guess: level 1 instead */
} fw_response_control;

typedef struct fw_balance {
  fw_context *ctx; /* asked at every contact whether to go on; lent */
  fw_balance_problem given;
  fw_balance_contact *contacts; /* as given, but hard ones may open if so wished */
  double level;                 /* of the drives; where a response is held, as of the point last evaluated */
  fw_response_control control;
  double epmc_damping;                /* mass-proportional damping taken away (1/s); 0 but for nonlinear modes */
  int blocks;                         /* coordinates and forces of rigid stick */
  int n;                              /* blocks x fourier.size, and one where a response is held */
  fw_harmonic_blocks *large;          /* how a large Jacobian is kept; NULL: as a matrix */
  fw_core core;                       /* then; else of no meaning */
  fw_fourier fourier, fine;           /* for contact; for the polynomial: as many samples as make it exact, */
  fw_fourier wide;                    /* and for its derivatives, which have harmonics up to twice as high */
  fw_dynamic *dynamic;                /* H + 1, at the frequency last evaluated, */
  fw_dynamic *dynamic_shifted;        /* and a little beside it, for differences */
  fw_aft *aft;                        /* per contact, at the point last evaluated */
  bool *closed;                       /* per block: a gap kept closed */
  int *friction_block, *normal_block; /* per contact: block of its friction and of its normal force, -1: has none */
  bool steady;                        /* contact forces depend on the motion alone, not on how fast it goes */
  double *largest;                    /* per block: largest amplitude so far, for scaling */
  /* work space */
  double complex *z_k, *r_k;
  double *samples, *forces, *tangents, *quartic_room, *spectra, *block, *shifted, *linear, *local;
  double *rates, *drags, *drag_tangents; /* where the polynomial is damped */
} fw_balance;

/* H >= 1 harmonics, samples > 2 H. opening: hard contact may open. Clear is safe on a zeroed struct. */
fw_status fw_balance_init(fw_context *ctx, const fw_balance_problem *given, int H, int samples, bool opening,
                          fw_balance *balance);
void fw_balance_clear(fw_balance *balance);

/* The residual for fw_continuation; user: fw_balance, lambda: omega (rad/s). The core are all unknowns but the level of
 * a response that is held. */
fw_status fw_balance_residual(void *balance, const double *y, double *r, fw_jacobian *J, double *r_lambda);

/* For fw_continuation: NULL unless the Jacobian is large. */
const fw_core *fw_balance_core(const fw_balance *balance);

/* dR/dlevel at the frequency last evaluated: r_level[n]. */
void fw_balance_level(const fw_balance *balance, double *r_level);

/* What resists coordinate i: its stiffness, or where it has none (a body that contact alone carries) its inertia. */
double fw_balance_resistance(const fw_balance *balance, int i, double omega);

/* What a motion of coordinate i counts as none beside, at the frequency last evaluated: what the drives would make of
 * it if nothing else held it. */
double fw_balance_driven(const fw_balance *balance, double omega, int i);

/* Sizes of the unknowns from the point y and all points before it (frequency excluded). */
void fw_balance_scale(fw_balance *balance, const double *y, double *scale);

/* A solution at y[n] = omega, from the y given (zeros: from rest), raising the level in steps if need be. */
fw_status fw_balance_solve(fw_context *ctx, fw_balance *balance, fw_continuation *curve, double tolerance, double *y);

/* Power of what the residual r at y leaves of the equations, without regard to signs: how far Newton's method, not the
 * samples, may have left the balance of energy open. */
double fw_balance_power_left(const fw_balance *balance, const double *y, const double *r);

/* What makes the motion last evaluated hard to follow, in words (static text): for curves that are lost. */
const char *fw_balance_difficulty(const fw_balance *balance);

/* Complex amplitude of coordinate c at harmonic k (k = 0: the mean); 0 where the gap is kept closed. */
double complex fw_balance_coordinate(const fw_balance *balance, const double *y, int c, int k);

/* ---- balance polynomial ---------------------------------------------------------------------------------- */

/* Von Kármán beams: forces that are polynomials of the coordinates and their rates, sampled finely enough to be exact.
 * They couple all coordinates in all harmonics. */

bool fw_balance_has_polynomial(const fw_balance *balance);
/* Whether part of it goes with the rates. */
bool fw_balance_has_drag(const fw_balance *balance);

/* Adds them to r, their derivatives to J and, with respect to omega, to r_lambda (both NULL: not wanted). */
void fw_balance_polynomial(fw_balance *balance, const double *y, double *r, fw_jacobian *J, double *r_lambda);

/* What the damping of strains that the linear structure has not takes, the mean power at the point last evaluated. */
double fw_balance_drag_power(const fw_balance *balance);

/* ---- balance contact ------------------------------------------------------------------------------------- */

/* The contact's part of the equations of harmonic balance. */

/* Adds factor times a block (size x size row major, row: equation) to J at blocks i (equations), j (unknowns). */
void fw_balance_add_block(const fw_balance *balance, fw_jacobian *J, int i, int j, double factor, const double *block);

/* Adds the forces of all contacts to r and their derivatives to J (NULL: values only), and sets the equations of the
 * forces that have unknowns of their own. */
fw_status fw_balance_contacts(fw_balance *balance, const double *y, double *r, fw_jacobian *J);

/* Sizes of the forces of contact i, and of the slip and gap that go with them. */
void fw_balance_scale_contact(fw_balance *balance, int i, const double *y, double *scale);

#endif
