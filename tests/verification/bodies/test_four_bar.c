/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A four-bar linkage over many revolutions: it closes where its geometry says, and its energy stays. */
#include "verification/deck_run.h"

#define BODIES FW_SOURCE_DIR "/tests/verification/bodies/"

static const double a = 0.3, b = 0.9, c = 0.8, d = 1.0;

/* Angles of coupler and rocker (from the pivot up) for a crank angle: the circles about the pin and the rocker's foot
 * meet on the side above. */
static void angles(double crank, double *coupler, double *rocker) {
  double x = a * cos(crank), y = a * sin(crank), ex = d - x, ey = -y, e = hypot(ex, ey);
  double along = (b * b - c * c + e * e) / (2 * e), across = sqrt(b * b - along * along);
  double px = x + (along * ex - across * ey) / e, py = y + (along * ey + across * ex) / e;
  *coupler = atan2(py - y, px - x);
  *rocker = atan2(py, px - d);
}

static void driven_linkage_closes(void **unused) {
  (void)unused;
  char turns[32];
  snprintf(turns, sizeof turns, "turns=%d", TURNS);
  const char *const settings[] = {turns, NULL};
  deck_run run;
  deck_open(&run, BODIES "four-bar.xml", settings);
  size_t rows;
  const double *t = deck_column(&run, "driven", "history", "time", &rows);
  const double *coupler = deck_column(&run, "driven", "history", "coupler", &rows);
  const double *rocker = deck_column(&run, "driven", "history", "rocker", &rows);
  double coupler0, rocker0, worst = 0.0;
  angles(0.0, &coupler0, &rocker0);
  for (size_t i = 0; i < rows; i++) {
    double exact_coupler, exact_rocker;
    angles(2 * M_PI * t[i], &exact_coupler, &exact_rocker);
    worst = fmax(worst, fabs(coupler[i] - exact_coupler + coupler0));
    worst = fmax(worst, fabs(rocker[i] - exact_rocker + rocker0));
  }
  printf("four-bar linkage, %d revolutions driven\n", TURNS);
  bounded("angles of coupler and rocker off by (rad)", worst, 1e-8);
  bounded("joints open by (m)", deck_number(&run, "driven", "constraints.position_error"), 1e-8);
  bounded("joints open at (m/s)", deck_number(&run, "driven", "constraints.velocity_error"), 1e-3);
  bounded("energy drift over the largest kinetic energy", deck_number(&run, "driven", "energy.drift"), 1e-3);
  deck_close(&run);
}

static void free_linkage_keeps_its_energy(void **unused) {
  (void)unused;
  const char *const settings[] = {"turns=5", "steps=1000", NULL};
  deck_run run;
  deck_open(&run, BODIES "four-bar-free.xml", settings);
  printf("four-bar linkage, 5 s free\n");
  bounded("energy drift over the largest kinetic energy", deck_number(&run, "free", "energy.drift"), 3e-4);
  bounded("joints open by (m)", deck_number(&run, "free", "constraints.position_error"), 1e-10);
  bounded("joints open at (m/s)", deck_number(&run, "free", "constraints.velocity_error"), 1e-4);
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(driven_linkage_closes),
                                     cmocka_unit_test(free_linkage_keeps_its_energy)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
