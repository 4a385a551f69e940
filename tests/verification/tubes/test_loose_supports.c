/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loose supports of tubes: how far they let them go, what presses at rest, a U-tube in plates and bars, wear of a year,
 * energy. */
#include "contact/scar.h"
#include "verification/deck_run.h"

#define HERE FW_SOURCE_DIR "/tests/verification/tubes/"

static double way(const char *deck, const char *const *settings) {
  deck_run run;
  deck_open(&run, deck, settings);
  double x = deck_number(&run, "pushed", "sensors.x"), y = deck_number(&run, "pushed", "sensors.y");
  deck_close(&run);
  return hypot(x, y);
}

/* Towards a land c, between two of them what their corners leave; between bars a strip or a square. */
static void tube_goes_as_far_as_its_support_lets_it(void **unused) {
  (void)unused;
  const char *const square[] = {"angle=30", NULL}, *const strip[] = {"sides=2", "push=0", NULL};
  const char *const one[] = {"sides=1", "push=30", NULL}, *const land[] = {"push=90", NULL};
  const char *const trefoil[] = {"r=7.9375e-3", "lands=3", "land=24", "push=60", NULL};
  compare("broached, between two of 4 lands", way(HERE "broached.xml", NULL), 0.24567e-3, 2e-4);
  compare("broached, onto a land", way(HERE "broached.xml", land), 2e-4, 2e-4);
  compare("broached, between two of 3 lands", way(HERE "broached.xml", trefoil), 0.30369e-3, 2e-4);
  compare("four bars, into a corner", way(HERE "flat.xml", square), 2e-4 * sqrt(2), 2e-4);
  compare("two bars", way(HERE "flat.xml", strip), 2e-4, 2e-4);
  assert_true(way(HERE "flat.xml", one) > 0.4); /* along the only bar it is held by 1 N/m */
}

/* Bars 10 um too near press with k_n 10 um each; the tube stays in the middle. */
static void interference_presses_at_rest(void **unused) {
  (void)unused;
  const char *const pressed[] = {"sides=2", "c=-1e-5", "push=90", "F=1e-3", NULL};
  deck_run run;
  deck_open(&run, HERE "flat.xml", pressed);
  compare("one bar", deck_number(&run, "pushed", "contact.hold-1.normal"), 1e4, 1e-9);
  compare("the other", deck_number(&run, "pushed", "contact.hold-2.normal"), 1e4, 1e-9);
  deck_close(&run);
}

/* Bars that just touch a U-tube on which nothing acts: it stays where it is. */
static void bars_without_gap_press_nothing(void **unused) {
  (void)unused;
  const char *const deck = FW_SOURCE_DIR "/examples/tube-support/u-bend-clearances.xml";
  const char *const gaps[] = {"bars=0", "bars=1e-9", "bars=1e-6"};
  for (int k = 0; k < 3; k++) {
    deck_run run;
    if (deck_try_only(&run, deck, (const char *const[]){gaps[k], NULL}, "seated") != FW_OK)
      fail_msg("%s: %s", gaps[k], fw_context_message(run.ctx));
    bounded("force of a bar", deck_number(&run, "seated", "contact.bars-1.normal"), 1e-15);
    bounded("where the top is", deck_number(&run, "seated", "sensors.top-z"), 1e-20);
    deck_close(&run);
  }
}

/* The example of a U-tube in plates and bars: everything touches, and energy is kept account of. */
static void u_tube_in_its_supports(void **unused) {
  (void)unused;
  const char *const brief[] = {"seconds=0.15", NULL}, *const pairs[] = {"plate", "other-plate", "bars-1", "bars-2"};
  deck_run run;
  deck_open(&run, FW_SOURCE_DIR "/examples/tube-support/u-bend.xml", brief);
  for (int i = 0; i < 4; i++) {
    char path[64];
    snprintf(path, sizeof path, "contact.%s.normal_max", pairs[i]);
    assert_true(deck_number(&run, "shaken", path) > 1);
  }
  bounded("energy left over", deck_number(&run, "shaken", "energy.residual"), 1e-3);
  deck_close(&run);
}

/* Archard's volume of a year, the deepest of the scars at the faces of a plate, and the life until 40 % of the wall are
 * worn there. */
static void wear_of_a_year(void **unused) {
  (void)unused;
  const char *const brief[] = {"seconds=0.6", NULL}, *const ids[] = {"first", "middle", "last"};
  const double K = 2e-14, year = 3.15576e7, radius = 7.9375e-3;
  const fw_scar scar = {.kind = FW_SCAR_HOLE, .r = radius, .R = radius + 2e-4, .width = 10e-3, .count = 1};
  deck_run run;
  double most = 0;
  deck_open(&run, FW_SOURCE_DIR "/examples/tube-support/three-supports.xml", brief);
  for (int i = 0; i < 3; i++) {
    char path[3][64], face[2][64];
    snprintf(path[0], sizeof path[0], "supports.%s.wear_volume", ids[i]);
    snprintf(path[1], sizeof path[1], "supports.%s.wear_depth", ids[i]);
    snprintf(path[2], sizeof path[2], "supports.%s.life", ids[i]);
    for (int k = 0; k < 2; k++) snprintf(face[k], sizeof face[k], "supports.%s.rings[%d].work_rate", ids[i], k);
    double one = deck_number(&run, "flow", face[0]), other = deck_number(&run, "flow", face[1]);
    compare("volume", deck_number(&run, "flow", path[0]), K * (one + other) * year, 1e-9);
    double rate = K * fmax(one, other);
    compare("depth", deck_number(&run, "flow", path[1]), fw_scar_depth(&scar, rate * year), 1e-6);
    compare("life", deck_number(&run, "flow", path[2]), fw_scar_volume(&scar, 0.4 * 1.13e-3) / rate, 1e-6);
    most = fmax(most, one + other);
  }
  size_t rows;
  const double *ranked = deck_column(&run, "flow", "supports", "work_rate", &rows);
  assert_int_equal(rows, 3);
  compare("what wears most comes first", ranked[0], most, 1e-9);
  assert_true(ranked[0] >= ranked[1] && ranked[1] >= ranked[2]);
  deck_close(&run);
}

/* The faces of a plate, and the plate: what adds up does; of the forces of both the largest is not above the sum of the
 * largest, nor their root mean squares. The only pair of the plate tells the same of its points together. */
static void faces_of_plates_add_up(void **unused) {
  (void)unused;
  enum { SUPPORTS = 3 };
  static const char *const ids[SUPPORTS] = {"first", "middle", "last"};
  static const char *const forces[] = {"normal_rms", "normal_max", "tangential_rms", "tangential_max"};
  deck_run run;
  size_t rows;
  deck_open(&run, FW_SOURCE_DIR "/examples/tube-support/three-supports.xml",
            (const char *const[]){"seconds=0.6", NULL});
  const double *number = deck_column(&run, "flow", "rings", "support", &rows);
  const double *face = deck_column(&run, "flow", "rings", "face", &rows);
  assert_int_equal(rows, 2 * SUPPORTS);
  for (size_t i = 0; i < rows; i += 2) {
    const char *id = ids[(int)number[i] - 1];
    char path[64], pair[64];
    assert_true(number[i] == number[i + 1] && face[i] == 1 && face[i + 1] == 2);
    const double *work = deck_column(&run, "flow", "rings", "work_rate", &rows);
    snprintf(path, sizeof path, "supports.%s.work_rate", id);
    compare("work rate of both faces", work[i] + work[i + 1], deck_number(&run, "flow", path), 1e-9);
    for (int k = 0; k < 4; k++) {
      const double *of = deck_column(&run, "flow", "rings", forces[k], &rows);
      snprintf(path, sizeof path, "supports.%s.%s", id, forces[k]);
      snprintf(pair, sizeof pair, "contact.%s.%s", id, forces[k]);
      double both = deck_number(&run, "flow", path);
      assert_true(of[i] > 0 && of[i + 1] > 0 && both <= (of[i] + of[i + 1]) * (1 + 1e-12));
      assert_true(both >= fmax(of[i], of[i + 1]) * (1 - 1e-12));
      if (k < 2) compare(forces[k], both, deck_number(&run, "flow", pair), 1e-9);
    }
  }
  deck_close(&run);
}

/* What is left over at any row, over the most that went through. */
static void energy_is_kept_all_the_time(void **unused) {
  (void)unused;
  static const char *const decks[] = {"section", "section-hard", "tube", "tube-hard", "tube-in-space", "u-bend"};
  const char *const brief[] = {"seconds=0.15", NULL};
  for (size_t k = 0; k < sizeof decks / sizeof *decks; k++) {
    char path[256];
    deck_run run;
    size_t rows;
    double most = 0, left = 0;
    snprintf(path, sizeof path, FW_SOURCE_DIR "/examples/tube-support/%s.xml", decks[k]);
    deck_open(&run, path, brief);
    const double *residual = deck_column(&run, "shaken", "energy", "residual", &rows);
    const double *loads = deck_column(&run, "shaken", "energy", "work of loads", &rows);
    for (size_t i = 0; i < rows; i++) {
      most = fmax(most, fabs(loads[i]));
      left = fmax(left, fabs(residual[i]));
    }
    bounded(decks[k], left / most, 1e-3);
    deck_close(&run);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tube_goes_as_far_as_its_support_lets_it),
                                     cmocka_unit_test(interference_presses_at_rest),
                                     cmocka_unit_test(bars_without_gap_press_nothing),
                                     cmocka_unit_test(u_tube_in_its_supports),
                                     cmocka_unit_test(energy_is_kept_all_the_time),
                                     cmocka_unit_test(faces_of_plates_add_up),
                                     cmocka_unit_test(wear_of_a_year)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
