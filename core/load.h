/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads' dependence on time, as a table (loads.def). The space part is fw_load.shape. */
#ifndef FW_CORE_LOAD_H
#define FW_CORE_LOAD_H

#include "core/model.h"

typedef struct fw_load_ops {
  fw_entry entry; /* params beyond id, at, fx, fy, mz, which every point load has */
  bool constant;  /* does not depend on time: may be on in a static analysis */
  bool harmonic;  /* a cosine at a multiple of the analysis frequency: may drive an frf */
  bool steep;     /* may jump, or rise within no time to speak of */
  /* Turns the parameters (one fw_given each, in order) into constants; returns how many; c NULL: only count. NULL:
   * the parameters' single numbers in order. */
  int (*pack)(const fw_given *given, double *c);
  /* NULL, or what is wrong with the constants. */
  const char *(*check)(const double *c);
  /* Of a harmonic one: derivative with respect to omega t. NULL: it is not. */
  double (*slope)(const double *c, double t, double omega);
  /* omega: the analysis frequency (rad/s; 0 if none). NULL: the load's formula. */
  double (*value)(const double *c, double t, double omega);
} fw_load_ops;

extern const fw_table fw_loads; /* loads.def */

/* Of fields, whose forces differ from place to place: no entry of the table. */
extern const fw_load_ops fw_load_field;

/* "harmonic": which multiple of omega and its phase (rad). */
int fw_load_multiple(const fw_load *load, double *phase);

/* How large it is at a time, at factor 1; not of a field. */
double fw_load_value(const fw_load *load, double t, double omega);

/* FW_ERR_ANALYSIS, naming the load, if one that is on is not a finite number at time t, or a field that has none then. */
fw_status fw_loads_check(fw_context *ctx, const fw_model *model, const double *factors, double t, double omega);
/* The second of these alone. */
fw_status fw_loads_reach(fw_context *ctx, const fw_model *model, const double *factors, double t);

/* f += sum over loads of factors[i] * value_i(t) * shape_i. */
void fw_loads_force(const fw_model *model, const double *factors, double t, double omega, double *f);

/* f += the change of that force where t and omega change by so much; of constant and harmonic loads, the only ones that
 * are as periodic as the drive. */
void fw_loads_change(const fw_model *model, const double *factors, double t, double omega, double dt, double domega,
                     double *f);

/* The first moment after `from` and up to `to` at which a load jumps, or changes as if it did: enclosed by *before and
 * *after, no farther apart than `least`. False: none does. */
bool fw_loads_jump(const fw_model *model, const double *factors, double from, double to, double omega, double least,
                   double *before, double *after);

#endif
