/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gears and racks against closed forms. */
#include "verification/deck_run.h"

#define BODIES FW_SOURCE_DIR "/tests/verification/bodies/"

/* The last value of a sensor's history. */
static double last(const deck_run *run, const char *analysis, const char *sensor) {
  size_t rows;
  const double *values = deck_column(run, analysis, "history", sensor, &rows);
  return values[rows - 1];
}

static void trains_run_as_their_teeth_say(const deck_run *run, const char *analysis, double tolerance) {
  size_t rows;
  const double *t = deck_column(run, analysis, "history", "time", &rows);
  const double time = t[rows - 1], ratio = 20.0 / 50.0, angle = 10 * time, tilt = M_PI / 6;
  const double turn = 0.5 * 0.4 / (0.02 + ratio * ratio * 0.3) * time * time; /* M/(J_a + n^2 J_b) */
  printf("%s, gears: fixed bearings, planet around a sun in a ring, pinion on a rack\n", analysis);
  compare("driving wheel (rad)", last(run, analysis, "small"), turn, tolerance);
  compare("driven wheel (rad)", last(run, analysis, "big"), -ratio * turn, tolerance);
  compare("planet (rad)", last(run, analysis, "planet"), angle * (1 + 30.0 / 12), tolerance);
  compare("ring (rad)", last(run, analysis, "ring"), angle * (1 + 30.0 / 54), tolerance);
  double way = 0.5 * 9.81 * sin(tilt) / 1.5 * time * time; /* a cylinder: g sin/(1 + 1/2) */
  compare("way of the roller (m)", last(run, analysis, "x") / cos(tilt), way, tolerance);
  compare("its turn (rad)", last(run, analysis, "turn"), -way / 0.2, tolerance);
  compare("force between the teeth (N)", deck_number(run, analysis, "joints.mesh.force_max"),
          0.3 * ratio * turn / (0.5 * time * time) / 0.25, 1e-4); /* J_b alpha_b / r_b */
}

static void gears(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, BODIES "gears.xml", NULL);
  trains_run_as_their_teeth_say(&run, "run", 1e-9);
  bounded("joints open by (m)", deck_number(&run, "run", "constraints.position_error"), 1e-11);
  trains_run_as_their_teeth_say(&run, "dae", 1e-5);
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(gears)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
