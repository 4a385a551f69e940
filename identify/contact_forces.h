/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first harmonic of a contact whose friction is known, through the receptances of its model, and what an error of
 * that friction makes of it. */
#ifndef FW_IDENTIFY_CONTACT_FORCES_H
#define FW_IDENTIFY_CONTACT_FORCES_H

#include "identify/harmonics.h"

/* X(name in enum, name in the summary, unit): amplitudes, and the spring and the damper that the contact is equivalent
 * to. */
#define FW_CONTACT_FORCES(X)                  \
  X(FRICTION, "friction", "N")                \
  X(SLIP, "slip", "m")                        \
  X(NORMAL, "normal_force", "N")              \
  X(STIFFNESS, "equivalent_stiffness", "N/m") \
  X(DAMPER, "equivalent_damper", "N s/m")
#define FW_CONTACT_FORCES_ENUM(name, text, unit) FW_CONTACT_##name,
enum { FW_CONTACT_FORCES(FW_CONTACT_FORCES_ENUM) FW_CONTACT_COUNT };
#undef FW_CONTACT_FORCES_ENUM

/* Complex amplitudes under a drive (N) and a friction (N). */
double complex fw_contact_slip(const fw_receptance *receptance, double drive, double complex T);
double complex fw_contact_normal(const fw_receptance *receptance, double drive, double complex T);

void fw_contact_forces_of(const fw_receptance *receptance, double drive, double omega, double complex T,
                          double forces[FW_CONTACT_COUNT]);

/* An error of T that is the same in every direction of its plane: sigma in each. */
void fw_contact_forces_error(const fw_receptance *receptance, double drive, double omega, double complex T,
                             double sigma, double deviation[FW_CONTACT_COUNT]);

/* Figures with their deviations; a spring or damper below 0 is warned of. */
fw_status fw_contact_forces_tell(fw_identify_job *job, const double forces[FW_CONTACT_COUNT],
                                 const double deviation[FW_CONTACT_COUNT]);

#endif
