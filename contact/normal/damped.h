/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hunt-Crossley damping on any compliant law: N = F(d) (1 + chi d'), d = -gap, never pulling. */
#ifndef FW_CONTACT_NORMAL_DAMPED_H
#define FW_CONTACT_NORMAL_DAMPED_H

#include "contact/normal/normal.h"

/* The attribute every compliant law shares. */
#define FW_NORMAL_CHI \
  { "chi", FW_PARAM_NUMBER, "s/m", "0", 0, 1e9, NULL, "Hunt-Crossley damping: N = F (1 + chi * closing speed)" }

/* F >= 0: elastic force at this penetration, F_d its derivative by penetration, energy its integral. */
void fw_normal_damped(double F, double F_d, double energy, double chi, double rate, fw_normal_out *out);

#endif
