/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contact forces over a period from shapes of a beam that rubs at its end, by virtual work with test shapes w_k:
 *
 *   sum_s (a_ks q_s'' + c_ks q_s' + b_ks q_s) - F f_k + T (s_k - sum_s g_ks q_s) = 0,
 *
 * a, b, c: mass, stiffness and damping of the deck's model between shapes, f: of the load that drives, s: slip (the lever
 * arm times the slope at the end), g: the integral of w' y', by which an axial force bends. Test shapes vanish where N
 * acts; then N follows with one more, the deflection of the beam under a force at its end, g_N = 1:
 *
 *   N = sum_s (...) - F f + T (s - ...),
 *   u = sum_s s_s q_s - T (compliance along the axis) - 1/2 integral y'^2,   v = u'. */
#ifndef FW_IDENTIFY_WEAK_FORM_H
#define FW_IDENTIFY_WEAK_FORM_H

#include "identify/forms.h"
#include "solver/assembly/linearised.h"

enum { FW_PERIOD = 256 }; /* samples */

typedef struct fw_weak_structure {
  const fw_span *span;
  const fw_linearised *linear;
  const fw_linear_contact *contact;
  const fw_load *load;
  double level, omega;
} fw_weak_structure;

typedef struct fw_weak_options {
  bool
      coupled; /* every test shape sees all harmonics, least squares over them; else each its own, and the mean of all */
  int part;    /* which of two sub-harmonic forms tests: 1 or 2 */
  bool end_slope; /* with the part T y'(L) of the force at the end */
} fw_weak_options;

typedef struct fw_contact_period {
  double T[FW_PERIOD], N[FW_PERIOD], u[FW_PERIOD], v[FW_PERIOD]; /* N: without what presses at rest */
} fw_contact_period;

fw_status fw_weak_solve(fw_context *ctx, const fw_weak_structure *structure, const fw_forms *forms,
                        const fw_weak_options *options, fw_contact_period *period);

#endif
