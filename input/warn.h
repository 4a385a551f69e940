/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sound deck says that is hardly meant. */
#ifndef FW_INPUT_WARN_H
#define FW_INPUT_WARN_H

#include "core/warning.h"
#include "input/deck.h"

fw_status fw_deck_warn(fw_context *ctx, const fw_deck *deck, const fw_built *built, fw_warnings *warnings);

#endif
