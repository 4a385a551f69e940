/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of cross-sections, from sections.def. */
#include "elements/element.h"

#define FW_SECTION(name) extern const fw_section_ops fw_section_##name;
#include "elements/sections.def"
#undef FW_SECTION

#define FW_SECTION(name) &fw_section_##name.entry,
static const fw_entry *const entries[] = {
#include "elements/sections.def"
    NULL};
#undef FW_SECTION

const fw_table fw_sections = {"sections", "cross-sections of beams", entries};
