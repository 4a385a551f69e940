/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/aft/aft_parts.h"

/* Part of a straight line from a to b that is above zero, and its derivatives with respect to both. */
static double positive_part(double a, double b, double *by_a, double *by_b) {
  *by_a = *by_b = 0;
  if (a >= 0 && b >= 0) return 1;
  if (a <= 0 && b <= 0) return 0;
  double high = a > b ? a : b, low = a > b ? b : a, square = (high - low) * (high - low);
  *(a > b ? by_a : by_b) = -low / square;
  *(a > b ? by_b : by_a) = high / square;
  return high / (high - low);
}

/* The same from the sample to half way to a neighbour. */
static double half_part(double at, double neighbour, double *by_at, double *by_neighbour) {
  double by_half, part = positive_part(at, 0.5 * (at + neighbour), by_at, &by_half);
  *by_at += 0.5 * by_half;
  *by_neighbour = 0.5 * by_half;
  return part;
}

fw_touching fw_touching_at(double before, double at, double after) {
  fw_touching t = {.part = 1, .share = 1, .keep = 1};
  t.whole = before > 0 && at > 0 && after > 0;
  if (t.whole) return t;
  double by_at[2], by_before, by_after;
  t.part = positive_part(before, at, &t.part_p[0], &t.part_p[1]);
  t.share = 0.5 * half_part(at, before, &by_at[0], &by_before) + 0.5 * half_part(at, after, &by_at[1], &by_after);
  t.share_p[0] = 0.5 * by_before;
  t.share_p[1] = 0.5 * (by_at[0] + by_at[1]);
  t.share_p[2] = 0.5 * by_after;
  if (at >= 0) return t;
  t.keep = t.part + positive_part(at, after, &by_at[0], &by_after) - 1; /* 1 less the time it is open, in steps */
  if (t.keep <= 0) {
    t.keep = 0;
    return t;
  }
  t.keep_p[0] = t.part_p[0];
  t.keep_p[1] = t.part_p[1] + by_at[0];
  t.keep_p[2] = by_after;
  return t;
}
