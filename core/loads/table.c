/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "core/load.h"
#include "core/piecewise.h"

static const fw_param table_params[] = {
    {"times", FW_PARAM_NUMBERS, "s", NULL, 0, 0, NULL, "rising times"},
    {"values", FW_PARAM_NUMBERS, "", NULL, 0, 0, NULL, "factor of the force at each time"},
    {0}};

/* Constants: number of points (NaN if the lists differ), times, values. */
static int table_pack(const fw_given *given, double *c) {
  int n = given[0].count;
  if (!c) return 1 + 2 * n;
  c[0] = given[1].count == n ? n : NAN;
  for (int i = 0; i < n; i++) {
    c[1 + i] = given[0].values[i];
    c[1 + n + i] = i < given[1].count ? given[1].values[i] : NAN;
  }
  return 1 + 2 * n;
}

static const char *table_check(const double *c) {
  if (isnan(c[0])) return "times and values must be lists of the same length";
  if (c[0] < 1.0) return "times: at least one is needed";
  for (int i = 1; i < (int)c[0]; i++)
    if (!(c[1 + i] > c[i])) return "times must rise";
  return NULL;
}

static double table_value(const double *c, double t, double omega) {
  (void)omega;
  int n = (int)c[0];
  return fw_piecewise(c + 1, c + 1 + n, n, t);
}

const fw_load_ops fw_load_table = {.entry = {"table", "Straight lines between given points, constant before and after",
                                             "f(t) = F y(t)", "", table_params},
                                   .pack = table_pack,
                                   .check = table_check,
                                   .steep = true,
                                   .value = table_value};
