/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The LuGre law in its two forms, forces absolute or per unit of normal force. */
#ifndef FW_CONTACT_LUGRE_H
#define FW_CONTACT_LUGRE_H

#include "contact/friction/bristles.h"

enum { FW_LUGRE_PASSIVE = FW_BRISTLE_COUNT, FW_LUGRE_COUNT };

int fw_lugre_pack(const fw_given *given, double *c);
void fw_lugre_rate(const double *c, const fw_rate_in *in, const double *z, fw_rate_out *out, bool normalised);
void fw_lugre_step(const double *c, const fw_step_in *in, const double *z_old, fw_step_out *out, bool normalised);

#endif
