/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bound that no contact law passes, on a chain of two masses whose receptances are known. */
#include <math.h>
#include <stdio.h>

#include "cmocka_all.h"
#include "identify/law_free.h"

/* Masses of 1 and 0.2 kg on springs of 1e4 and 8e3 N/m, 2 N s/m to the ground at the first; the drive and the response
 * are at the first, the contact at the second. */
static fw_receptance chain(double w, fw_answer *sensor) {
  double complex a = 1e4 + 8e3 - w * w + _Complex_I * (w * 2.0), d = 8e3 - 0.2 * w * w, b = -8e3;
  double complex determinant = a * d - b * b;
  *sensor = (fw_answer){.drive = d / determinant, .friction = b / determinant};
  return (fw_receptance){.sensors = sensor, .slip = {.drive = -b / determinant, .friction = -a / determinant}};
}

/* With the spring and damper that it tells, the response has the amplitude and the phase it began with. */
static void contact_gives_the_response_back(void **unused) {
  (void)unused;
  fw_answer sensor;
  double w = 105.0, phase = -0.5 * M_PI, level = 3.0;
  fw_receptance r = chain(w, &sensor);
  for (double A = 1e-4; A < 0.1; A *= 2.7) {
    fw_law_free at = fw_law_free_at(&r, 0, level, phase, w, A);
    double complex Z = at.stiffness + _Complex_I * (w * at.damper);
    double complex u = r.slip.drive * level / (1.0 - r.slip.friction * Z);
    double complex y = sensor.drive * level + sensor.friction * Z * u;
    assert_near(cabs(y), A, 1e-9 * A);
    assert_near(carg(y), phase, 1e-9);
    assert_near(cabs(u), at.slip, 1e-9 * at.slip);
    assert_near(cabs(Z * u), at.friction, 1e-9 * at.friction);
  }
}

/* The least amplitude is the first of a fine scan whose contact has neither a negative spring nor a negative damper. */
static void least_is_that_of_a_scan(void **unused) {
  (void)unused;
  int bounded = 0;
  for (double w = 60.0; w < 150.0; w += 3.0) {
    fw_answer sensor;
    fw_receptance r = chain(w, &sensor);
    double level = 2.0, phase = -0.5 * M_PI, step = 1.002, found = NAN;
    fw_law_free least;
    for (double A = 1e-7; A < 1.0 && isnan(found); A *= step) {
      fw_law_free at = fw_law_free_at(&r, 0, level, phase, w, A);
      if (at.stiffness >= 0.0 && at.damper >= 0.0) found = A;
    }
    bool any = fw_law_free_least(&r, 0, level, phase, w, &least);
    printf("%6.1f rad/s: least %.6g, by scan %.6g\n", w, any ? least.amplitude : NAN, found);
    assert_int_equal(any, !isnan(found));
    if (!any) continue;
    bounded++;
    assert_true(found >= least.amplitude && found <= least.amplitude * step * (1 + 1e-9) + 1e-7);
    assert_true(least.stiffness > -1e-6 && least.damper > -1e-9);
  }
  assert_true(bounded > 3 && bounded < 30); /* there are frequencies of both kinds */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(contact_gives_the_response_back),
                                     cmocka_unit_test(least_is_that_of_a_scan)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
