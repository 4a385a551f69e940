/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/contact_forces.h"

#include "core/reading.h"

double complex fw_contact_slip(const fw_receptance *h, double drive, double complex T) {
  return h->slip.drive * drive + h->slip.beyond + h->slip.friction * T;
}

double complex fw_contact_normal(const fw_receptance *h, double drive, double complex T) {
  return h->normal.drive * drive + h->normal.beyond + h->normal.friction * T;
}

/* T = (k + i omega c) u. */
void fw_contact_forces_of(const fw_receptance *h, double drive, double omega, double complex T,
                          double forces[FW_CONTACT_COUNT]) {
  double complex u = fw_contact_slip(h, drive, T), stiffness = T / u;
  forces[FW_CONTACT_FRICTION] = cabs(T);
  forces[FW_CONTACT_SLIP] = cabs(u);
  forces[FW_CONTACT_NORMAL] = cabs(fw_contact_normal(h, drive, T));
  forces[FW_CONTACT_STIFFNESS] = creal(stiffness);
  forces[FW_CONTACT_DAMPER] = cimag(stiffness) / omega;
}

/* d(T/u)/dT = (u - T du/dT)/u^2. */
void fw_contact_forces_error(const fw_receptance *h, double drive, double omega, double complex T, double sigma,
                             double deviation[FW_CONTACT_COUNT]) {
  double complex u = fw_contact_slip(h, drive, T);
  deviation[FW_CONTACT_FRICTION] = sigma;
  deviation[FW_CONTACT_SLIP] = cabs(h->slip.friction) * sigma;
  deviation[FW_CONTACT_NORMAL] = cabs(h->normal.friction) * sigma;
  deviation[FW_CONTACT_STIFFNESS] = cabs((u - T * h->slip.friction) / (u * u)) * sigma;
  deviation[FW_CONTACT_DAMPER] = deviation[FW_CONTACT_STIFFNESS] / omega;
}

fw_status fw_contact_forces_tell(fw_identify_job *job, const double forces[FW_CONTACT_COUNT],
                                 const double deviation[FW_CONTACT_COUNT]) {
#define NAMES(name, text, unit) {text, unit},
  static const struct { const char *name, *unit; } names[] = {FW_CONTACT_FORCES(NAMES)};
#undef NAMES
  for (int i = 0; i < FW_CONTACT_COUNT; i++)
    FW_TRY(fw_identify_figure(job, names[i].name, names[i].unit, forces[i], deviation[i]));
  if (forces[FW_CONTACT_STIFFNESS] < 0.0)
    FW_TRY(fw_identify_warn(job, "the stiffness that the contact is equivalent to is negative: %s",
                            fw_say(forces[FW_CONTACT_STIFFNESS], "N/m").text));
  if (forces[FW_CONTACT_DAMPER] >= 0.0) return FW_OK;
  return fw_identify_warn(job, "the contact feeds energy in: its equivalent damper is %s",
                          fw_say(forces[FW_CONTACT_DAMPER], "N s/m").text);
}
