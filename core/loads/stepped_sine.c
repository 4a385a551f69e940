/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "core/load.h"
#include "core/loads/waves.h"

static const fw_param stepped_sine_params[] = {
    {"frequencies", FW_PARAM_NUMBERS, "Hz", NULL, 0, 0, NULL, "one after the other, the last one stays"},
    {"cycles", FW_PARAM_INTEGER, "", "50", 1, 1e9, NULL, "whole cycles at each frequency"},
    {0}};

/* Constants: number of frequencies, cycles, frequencies. */
static int stepped_sine_pack(const fw_given *given, double *c) {
  int n = given[0].count;
  if (!c) return 2 + n;
  c[0] = n;
  c[1] = given[1].values[0];
  for (int i = 0; i < n; i++) c[2 + i] = given[0].values[i];
  return 2 + n;
}

static const char *stepped_sine_check(const double *c) {
  for (int i = 0; i < (int)c[0]; i++)
    if (!(c[2 + i] > 0.0)) return "frequencies must be positive";
  return NULL;
}

/* Whole cycles each: the sine is continuous where the frequency changes. */
static double stepped_sine_value(const double *c, double t, double omega) {
  (void)omega;
  double begin = 0.0;
  int last = (int)c[0] - 1, i = 0;
  for (; i < last && t >= begin + c[1] / c[2 + i]; i++) begin += c[1] / c[2 + i];
  return sin(fw_two_pi * c[2 + i] * (t - begin));
}

const fw_load_ops fw_load_stepped_sine = {
    .entry = {"stepped-sine", "A sine that dwells at one frequency after the other", "f(t) = F sin(2 pi f_k (t - t_k))",
              "", stepped_sine_params},
    .pack = stepped_sine_pack,
    .check = stepped_sine_check,
    .value = stepped_sine_value};
