/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of elements, from elements.def. */
#include "elements/element.h"

#define FW_ELEMENT(name) extern const fw_element_ops fw_element_##name;
#include "elements/elements.def"
#undef FW_ELEMENT

#define FW_ELEMENT(name) &fw_element_##name.entry,
static const fw_entry *const entries[] = {
#include "elements/elements.def"
    NULL};
#undef FW_ELEMENT

const fw_table fw_elements = {"elements", "finite elements: beams, plane and point elements", entries};
