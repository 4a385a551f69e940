/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Depth of wear scars from their volume, against numbers of an independent program, small-depth formulas, and
 * areas by counting. */
#include <math.h>
#include <stdio.h>

#include "cmocka_all.h"
#include "contact/pair.h"
#include "contact/scar.h"
#include "core/unknown.h"
#include "solver/analyses/wear.h"

static const double r = 7.9375e-3, wall = 1.13e-3, year = 3.15576e7, K = 2e-14, W = 5e-3;

static fw_scar flat(double width, double tilt) {
  return (fw_scar){.kind = FW_SCAR_FLAT, .r = r, .width = width, .tilt = tilt, .wall = wall, .count = 1};
}

static fw_scar hole(double width, double clearance) {
  return (fw_scar){.kind = FW_SCAR_HOLE, .r = r, .R = r + clearance, .width = width, .wall = wall, .count = 1};
}

static void near(const char *what, double found, double wanted, double tolerance) {
  printf("  %-40s %-15.9g %-15.9g %9.2e\n", what, found, wanted, found / wanted - 1);
  assert_true(fabs(found / wanted - 1) <= tolerance);
}

/* Archard's volume K W t of a year, in mm. */
static void depths_after_a_year(void **unused) {
  (void)unused;
  double V = K * W * year;
  near("volume", V, 3.15576e-9, 1e-12);
  fw_scar s = flat(12e-3, 0);
  near("flat bar", 1e3 * fw_scar_depth(&s, V), 0.1350493, 1e-6);
  s = flat(12e-3, 0.5 * M_PI / 180);
  near("flat bar, tube leans by half a degree", 1e3 * fw_scar_depth(&s, V), 0.1857055, 1e-6);
  s = hole(20e-3, 0.2e-3);
  near("drilled hole", 1e3 * fw_scar_depth(&s, V), 0.02904917, 1e-6);
  s.round = true;
  near("all round", 1e3 * fw_scar_depth(&s, V), 0.00316381, 1e-5);
}

static void lives_to_a_share_of_the_wall(void **unused) {
  (void)unused;
  double rate = K * W * year, depth = 0.4 * wall;
  fw_scar s = flat(12e-3, 0);
  near("flat bar, years", fw_scar_volume(&s, depth) / rate, 6.08605, 1e-5);
  s = flat(12e-3, 0.5 * M_PI / 180);
  near("leaning", fw_scar_volume(&s, depth) / rate, 5.07542, 1e-5);
  s = hole(20e-3, 0.2e-3);
  near("drilled hole", fw_scar_volume(&s, depth) / rate, 37.5529, 1e-5);
}

/* The whole volume for the whole approach, of which each body has its share: V = K_t W and 3 K_t W. */
static void support_wears_too(void **unused) {
  (void)unused;
  const double V = K * W * year, tilts[] = {0, 0.5 * M_PI / 180};
  for (int i = 0; i < 2; i++) {
    fw_scar alone = flat(12e-3, tilts[i]), both = alone;
    both.other = 3;
    near("tube's part of the approach", fw_scar_depth(&both, V), fw_scar_depth(&alone, 4 * V) / 4, 1e-9);
    near("volume of the tube at that depth", fw_scar_volume(&both, fw_scar_depth(&both, V)), V, 1e-9);
  }
  /* small approach: V_t + V_o = (4/3) sqrt(2 r) B d^(3/2) */
  fw_scar both = flat(12e-3, 0);
  both.other = 3;
  double d = pow(4 * 1e-15 / (4. / 3 * sqrt(2 * r) * 12e-3), 2. / 3);
  near("closed form of a shallow scar", fw_scar_depth(&both, 1e-15), d / 4, 1e-4);
  both.round = true;
  near("all round, no share of the other's", fw_scar_depth(&both, V), V / (2 * M_PI * r * 12e-3), 1e-9);
}

/* (4/3) sqrt(2 R_e) d^(3/2), leaning (8/15) sqrt(2 r) d^(5/2)/t. */
static void shallow_scars(void **unused) {
  (void)unused;
  double d = 1e-7, R_e = 1 / (1 / r - 1 / (r + 2e-4));
  fw_scar s = flat(1, 0);
  near("flat", fw_scar_volume(&s, d), 4. / 3 * sqrt(2 * r) * pow(d, 1.5), 1e-5);
  s = flat(1, 0.01);
  near("leaning", fw_scar_volume(&s, d), 8. / 15 * sqrt(2 * r) * pow(d, 2.5) / 0.01, 1e-4);
  s = hole(1, 2e-4);
  near("hole", fw_scar_volume(&s, d), 4. / 3 * sqrt(2 * R_e) * pow(d, 1.5), 2e-3);
}

/* Area of the tube beyond the hole by counting; a land takes over where the chord is as wide. */
static void areas_by_counting(void **unused) {
  (void)unused;
  fw_scar s = hole(1, 5e-4);
  double d = 4e-4, e = s.R - r + d, area = 0, h = 1e-6;
  for (double y = -r; y < r; y += h) {
    double tube = e + sqrt(fmax(0, r * r - y * y)), edge = sqrt(s.R * s.R - y * y);
    area += h * fmax(0, tube - edge);
  }
  near("hole", fw_scar_area(&s, d), area, 1e-4);
  fw_scar land = s;
  land.kind = FW_SCAR_LAND;
  land.land = 4e-3;
  double whole = land.land * land.land * (1 / r - 1 / s.R) / 8;
  near("land, narrow scar", fw_scar_area(&land, 0.9 * whole), fw_scar_area(&s, 0.9 * whole), 1e-12);
  near("land, over its width", fw_scar_area(&land, whole + 1e-4), fw_scar_area(&s, whole) + 4e-7, 1e-12);
}

static void there_and_back(void **unused) {
  (void)unused;
  fw_scar scars[] = {flat(12e-3, 0), flat(12e-3, 0.02), hole(20e-3, 2e-4), hole(20e-3, 2e-4), hole(20e-3, 2e-4)};
  scars[3].round = true;
  scars[4].kind = FW_SCAR_LAND;
  scars[4].land = 3e-3;
  scars[4].count = 2;
  for (int i = 0; i < 5; i++)
    for (double d = 1e-6; d < 3e-3; d *= 7) /* differences of areas round below */
      assert_true(fabs(fw_scar_depth(&scars[i], fw_scar_volume(&scars[i], d)) / d - 1) < 1e-6);
  assert_true(fw_is_unknown(fw_scar_depth(&scars[0], 1)));
  assert_true(fabs(fw_scar_depth(&scars[0], 0)) <= 0);
}

/* The deepest of several scars, of which one is beyond the middle of the tube. */
static void deepest_is_beyond(void **unused) {
  (void)unused;
  const fw_wear_limits limits = {.service = year};
  const fw_pair pair = {.archard = K, .wear_power = 1};
  const fw_ring ring = {.scar = flat(12e-3, 0)};
  const double small = W, large = 1e6 * W;
  for (int order = 0; order < 2; order++) {
    fw_wear wear = fw_wear_none();
    fw_wear_add(&limits, &ring, &pair, order ? large : small, &wear);
    fw_wear_add(&limits, &ring, &pair, order ? small : large, &wear);
    assert_true(fw_is_unknown(wear.depth));
  }
  fw_wear wear = fw_wear_none();
  fw_wear_add(&limits, &ring, &pair, small, &wear);
  fw_wear_add(&limits, &ring, &pair, 0.1 * small, &wear);
  near("deepest of two", wear.depth, fw_scar_depth(&ring.scar, K * small * year), 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(depths_after_a_year), cmocka_unit_test(lives_to_a_share_of_the_wall),
      cmocka_unit_test(shallow_scars),       cmocka_unit_test(areas_by_counting),
      cmocka_unit_test(there_and_back),      cmocka_unit_test(support_wears_too),
      cmocka_unit_test(deepest_is_beyond),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
