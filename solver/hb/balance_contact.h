/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contact's part of the equations of harmonic balance. */
#ifndef FW_HB_BALANCE_CONTACT_H
#define FW_HB_BALANCE_CONTACT_H

#include "solver/hb/balance.h"

/* Adds factor times a block (size x size row major, row: equation) to J at blocks i (equations), j (unknowns). */
void fw_balance_add_block(const fw_balance *balance, double *J, int i, int j, double factor, const double *block);

/* Adds the forces of all contacts to r and their derivatives to J (NULL: values only), and sets the equations of the
 * forces that have unknowns of their own. */
fw_status fw_balance_contacts(fw_balance *balance, const double *y, double *r, double *J);

/* Sizes of the forces of contact i, and of the slip and gap that go with them. */
void fw_balance_scale_contact(fw_balance *balance, int i, const double *y, double *scale);

#endif
