/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resonance: its condition of phase, its curve over the level of the drive, its derivatives. */
#ifndef FW_HB_RESONANCE_H
#define FW_HB_RESONANCE_H

#include "contact/friction/vary.h"
#include "solver/hb/response.h"
#include "solver/hb/vibration.h"

/* ---- phase ----------------------------------------------------------------------------------------------- */

/* The condition that a sensor's displacement has a given phase against the drive. */

typedef struct fw_phase {
  const fw_vibration *vibration;
  const fw_balance *balance; /* its level is that of the drive */
  int sensor;
  double complex turn; /* makes the wished phase real and positive, and the compliance of order one */
  fw_dynamic dynamic;  /* first harmonic */
} fw_phase;

/* size: a compliance (m/N) in units of which the condition is measured. Clear is safe on a zeroed struct. */
fw_status fw_phase_init(fw_context *ctx, const fw_vibration *vibration, const fw_balance *balance, int sensor,
                        double phase, double size, fw_phase *out);
void fw_phase_clear(fw_phase *phase);

/* For fw_condition, user: fw_phase. Im(turn X / F) with its gradient over y (n + 1). */
double fw_phase_value(void *phase, const double *y, double *gradient);
/* Its derivative with respect to the level, at the point where fw_phase_value was last called. */
double fw_phase_level(const fw_phase *phase, const double *y);

/* The drive at level 1: the first load at the first harmonic. */
double complex fw_phase_drive(const fw_vibration *vibration);

/* ---- resonance curve ------------------------------------------------------------------------------------- */

/* The resonance, a phase between response and drive, followed as the drive level changes: one curve with its folds
 * (several resonances at one level) and its maxima (levels beyond which friction loses the resonance). */

typedef struct fw_resonance_curve {
  fw_orbit *orbits;
  int count, room;
  fw_status status; /* FW_OK: from the first level to the last, or back again */
  char note[320];
  fw_unjudged unjudged; /* as of a response */
} fw_resonance_curve;

/* start: a resonance of a response at its level, where the curve begins; level_to: where it ends; points: of the
 * grid of levels. Returns a fatal status only. */
fw_status fw_resonance_curve_run(fw_context *ctx, const fw_vibration *vibration, const fw_response_options *options,
                                 const fw_orbit *start, double level_to, int points, fw_resonance_curve *resonances);
void fw_resonance_curve_clear(fw_resonance_curve *resonances);

/* ---- sensitivity ----------------------------------------------------------------------------------------- */

/* Derivatives of a resonance with respect to the numbers p of the friction laws. The converged equations and the
 * condition of resonance are differentiated implicitly,
 *
 *   [R_y  R_omega] [dy/dp    ]     [R_p]
 *   [g_y  g_omega] [domega/dp] = - [ 0 ],
 *
 * with the analytic Jacobian R_y of harmonic balance. R_p, in which only the law's face changes, and R_omega are
 * differences of fourth order. A figure F(y, omega, p) then has the derivative of F(y + h dy/dp, omega + h domega/dp, p
 * + h) at h = 0, again of fourth order.
 *
 * The start state is held: it does not matter where friction forgets it in every period, which is where the contact
 * slides. A contact that never slides keeps it, and its share through the start state is not in these derivatives.
 * Where a time
 * sample is about to change between stick and slip there is a corner and what is found lies between its two sides:
 * `changed` counts these samples. */

/* Half width of the stretch of p, relative, over which differences are taken and samples that change are counted. */
#define FW_SENSITIVITY_STRETCH 2e-4

typedef struct fw_hb_sensitivity {
  int pair, law;
  fw_law_number number;
  double frequency; /* Hz per unit of p */
  double amplitude; /* of the options's sensor */
  double damping;
  double level;            /* where the response is held */
  fw_pair_figures figures; /* of the same pair */
  double complex *sensors; /* as those of the orbit */
  int changed; /* time samples, all points of the pair, that stick at one end of the stretch and slip at the other */
} fw_hb_sensitivity;

typedef struct fw_sensitivities {
  fw_hb_sensitivity *list;
  int count;
  fw_orbit orbit; /* the resonance to the last digit */
  int H;          /* its harmonics */
} fw_sensitivities;

/* orbit: a resonance of a response to the options, or near one. places: of the numbers; NULL: all there are. Positive
 * status: it cannot be found to the last digit. Clear is safe on a zeroed struct. */
fw_status fw_sensitivities_find(fw_context *ctx, const fw_vibration *vibration, const fw_response_options *options,
                                const fw_orbit *orbit, const fw_law_place *places, int count, fw_sensitivities *out);
void fw_sensitivities_clear(fw_sensitivities *sensitivities);

#endif
