/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The published ways to write what accelerometers read as shapes over a beam, from the harmonics d_rj of displacement
 * (complex, of harmonic r at sensor j, against the force):
 *
 *   linear modes   y = sum_i phi_i(x) q_i(t): modes of the beam, coordinates with all harmonics
 *   single form    (Jalali et al.) y = phi(x) q(t): the form that the first harmonics of the modes' coordinates make, the
 *                  coordinate of the first mode
 *   harmonic       y = sum_r phi_r(x) cos(r w t + psi_r): one phase for all sensors, psi_r = arg(sum_j d_rj^2)/2, which
 *                  leaves least
 *   sub-harmonic   y = sum_r phi_r1(x) cos r w t + phi_r2(x) sin r w t
 *
 * the last two with shapes through the sensors by spline or by series (shapes.h). Source: Hadji, thesis, chapter 5 and
 * appendices B and C. */
#ifndef FW_IDENTIFY_FORMS_H
#define FW_IDENTIFY_FORMS_H

#include "identify/shapes.h"

#define FW_APPROACHES "linear-modes|single-form|harmonic-spline|harmonic-series|sub-harmonic-spline|sub-harmonic-series"
typedef enum fw_approach {
  FW_LINEAR_MODES,
  FW_SINGLE_FORM,
  FW_HARMONIC_SPLINE,
  FW_HARMONIC_SERIES,
  FW_SUBHARMONIC_SPLINE,
  FW_SUBHARMONIC_SERIES,
  FW_APPROACH_COUNT
} fw_approach;

typedef struct fw_form_options {
  fw_approach approach;
  int orders, modes;
  int without;
} fw_form_options;

/* y(x, t) = sum_s shape_s(x) Re(sum_r c_sr exp(i r w t)). */
typedef struct fw_forms {
  int shapes, orders;
  double *shape;     /* [shapes * 2 places] */
  double complex *c; /* [shapes * orders], column r - 1 */
  int *order;        /* [shapes] harmonic it belongs to; 0: all */
  int *part;         /* [shapes] 1, 2: cosine and sine form; 0: neither */
} fw_forms;

fw_status fw_forms_create(fw_context *ctx, const fw_span *span, const fw_harmonics *data,
                          const fw_form_options *options, fw_forms *forms);
void fw_forms_clear(fw_forms *forms);

/* What is left of a sensor's signal of acceleration: RMS of the difference over RMS, harmonics up to forms->orders. */
double fw_forms_error(const fw_span *span, const fw_harmonics *data, const fw_forms *forms, int sensor);

/* The same of each sensor, foretold by forms that it had no part in. */
fw_status fw_forms_left_out(fw_context *ctx, const fw_span *span, const fw_harmonics *data,
                            const fw_form_options *options, double *errors);

#endif
