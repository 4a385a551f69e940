/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A mark of a built model: a number that changes with everything the equations of motion, the loads and the sensors are
 * made of, whatever the deck that it was built from looks like. What a deck says and the model does not take up leaves
 * the mark as it is. The code of plug-in laws is not in it. */
#ifndef FW_CONTACT_MODEL_MARK_H
#define FW_CONTACT_MODEL_MARK_H

#include <stdint.h>

#include "core/model.h"

uint64_t fw_model_mark(const fw_model *model);

#endif
