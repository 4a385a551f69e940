/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Angles, and random numbers that are the same everywhere. */
#ifndef FW_CORE_LOADS_WAVES_H
#define FW_CORE_LOADS_WAVES_H

#include <math.h>
#include <stdint.h>

static const double fw_two_pi = 2 * M_PI;
static const double fw_radians = M_PI / 180;

/* SplitMix64: a good generator of independent numbers from a counter. */
static inline uint64_t fw_random_bits(uint64_t *state) {
  uint64_t x = (*state += 0x9E3779B97F4A7C15u);
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

/* From 0 to below 1. */
static inline double fw_random_uniform(uint64_t *state) { return (double)(fw_random_bits(state) >> 11) * 0x1p-53; }

/* Two independent standard normal numbers (Box and Muller). */
static inline void fw_random_normal(uint64_t *state, double pair[2]) {
  double radius = sqrt(-2 * log(1 - fw_random_uniform(state))), angle = fw_two_pi * fw_random_uniform(state);
  pair[0] = radius * cos(angle);
  pair[1] = radius * sin(angle);
}

#endif
