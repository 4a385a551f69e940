/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/friction/friction.h"

#define FW_LAW(name) extern const fw_friction_ops fw_friction_##name;
#include "contact/friction/laws.def"
#undef FW_LAW

static const fw_entry *const laws[] = {
#define FW_LAW(name) &fw_friction_##name.entry,
#include "contact/friction/laws.def"
#undef FW_LAW
    NULL};

const fw_table fw_laws = {"laws", "friction laws: force against slip", laws};
