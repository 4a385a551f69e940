/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of the grammar that describes identification. */
#include "input/grammar_words.h"

extern const fw_table fw_methods; /* identify/methods.def; only its descriptions are used here */

static const fw_param identify_params[] = {ID("identification"),
                                           {"method", FW_PARAM_TEXT, "", NULL, ANY, NULL, "how it is done"},
                                           {"data", FW_PARAM_REFS, "", "", ANY, "data", "measurements it is done from"},
                                           END};
static const fw_tag identify_tag = {.name = "identify",
                                    .meaning = "Numbers of a law found from measurements",
                                    .params = identify_params,
                                    .kind = "identification",
                                    .table = &fw_methods,
                                    .selector = "method"};
const fw_tag fw_identification_tag = {.name = "identification",
                                      .meaning = "What is to be found from measurements, done after the analyses",
                                      .children = (const fw_child[]){{&identify_tag, 0, 0}, END}};
