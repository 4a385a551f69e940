/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A law from plain settings ("mu=0.5", "stiffness=1,2,3"), without a deck: for the tribometer, tests, lists. */
#ifndef FW_CONTACT_SETTING_H
#define FW_CONTACT_SETTING_H

#include "contact/friction/friction.h"

/* Values for a list of parameters: defaults, then `count` settings. `subject` names whose they are in messages. */
fw_status fw_setting_args(fw_context *ctx, const char *subject, const fw_param *list, const char *const *settings,
                          int count, fw_args *args);

/* The same for a law's parameters. Numbers are plain, in SI. Unknown names and
 * values that do not fit are FW_ERR_ARGUMENT with a message. Clear with fw_args_clear. */
fw_status fw_law_args(fw_context *ctx, const fw_friction_ops *ops, const char *const *settings, int count,
                      fw_args *args);

/* A law with those settings; "u-crit=..." sets the elastic slip of penalty stick (default 4e-6 m), "stick-limit=..."
 * where it ends. */
fw_status fw_law_create(fw_context *ctx, const fw_friction_ops *ops, const char *const *settings, int count,
                        fw_friction *friction);

#endif
