/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tube's section in a hole (examples/tube-support/section*.xml): is the mean normal force right, with impulses and
 * with springs, and why do the two decks differ? The virial of the centre's motion, m r'' = F - k r - c r' - N n + T t
 * times r, with r = rho n where it touches, integrated over the run gives what the wall must have taken:
 *   int N rho dt = int (m v^2 - k r^2 + F.r) dt - [m r.v + c/2 r^2].
 * The right side knows nothing of contact. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmocka_all.h"
#include "core/load.h"
#include "fretwork.h"

extern const fw_load_ops fw_load_random;

typedef struct run_result {
  fw_context *ctx;
  fw_deck *deck;
  fw_results *results;
} run_result;

static void run_begin(const char *name, const char *seconds, const char *every, const char *setting, const char *value,
                      run_result *r) {
  char path[512];
  assert_int_equal(fw_context_create(&r->ctx), FW_OK);
  snprintf(path, sizeof path, FW_SOURCE_DIR "/examples/tube-support/%s.xml", name);
  assert_int_equal(fw_deck_load(r->ctx, path, &r->deck), FW_OK);
  assert_int_equal(fw_deck_set(r->ctx, r->deck, "seconds", seconds), FW_OK);
  assert_int_equal(fw_deck_set(r->ctx, r->deck, "every", every), FW_OK);
  assert_int_equal(fw_deck_set(r->ctx, r->deck, setting, value), FW_OK);
  assert_int_equal(fw_run(r->ctx, r->deck, NULL, &r->results), FW_OK);
}

static void run_end(run_result *r) {
  fw_results_destroy(&r->results);
  fw_deck_destroy(&r->deck);
  fw_context_destroy(&r->ctx);
}

static double figure(const run_result *r, const char *name) {
  char path[128];
  double value;
  snprintf(path, sizeof path, "analyses.shaken.contact.wall.%s", name);
  assert_int_equal(fw_results_number(r->results, path, &value), FW_OK);
  return value;
}

static const double *column(const run_result *r, const char *table, const char *name, size_t *rows) {
  const double *values;
  assert_int_equal(fw_results_column(r->results, "shaken", table, name, rows, &values), FW_OK);
  return values;
}

/* ---- the virial -------------------------------------------------------------------------- */

static const double mass = 0.2, spring = 7900.0, damper = 1.6, clearance = 0.2e-3; /* of the decks */

/* Constants of the decks' noise; the caller frees them. */
static double *noise(double seed) {
  double low = 2.0, high = 150.0, lines = 200.0;
  const fw_given given[] = {{.count = 1, .values = &low},
                            {.count = 1, .values = &high},
                            {.count = 1, .values = &seed},
                            {.count = 1, .values = &lines}};
  double *c = calloc((size_t)fw_load_random.pack(given, NULL), sizeof *c);
  assert_non_null(c);
  fw_load_random.pack(given, c);
  return c;
}

typedef struct history {
  size_t rows;
  const double *t, *x, *y, *vx, *vy;
} history;

static double boundary(const history *h, size_t i) {
  return mass * (h->x[i] * h->vx[i] + h->y[i] * h->vy[i]) + 0.5 * damper * (h->x[i] * h->x[i] + h->y[i] * h->y[i]);
}

/* int N rho dt that the motion asks for; trapezoidal rule over all steps. */
static double wall_virial(const history *h) {
  double *fx = noise(1), *fy = noise(2), sum = 0.0, last = 0.0;
  for (size_t i = 0; i < h->rows; i++) {
    double x = h->x[i], y = h->y[i], vx = h->vx[i], vy = h->vy[i], t = h->t[i];
    double now = mass * (vx * vx + vy * vy) - spring * (x * x + y * y) +
                 4.0 * (x * fw_load_random.value(fx, t, 0.0) + y * fw_load_random.value(fy, t, 0.0));
    if (i > 0) sum += 0.5 * (now + last) * (t - h->t[i - 1]);
    last = now;
  }
  free(fx);
  free(fy);
  return sum - boundary(h, h->rows - 1) + boundary(h, 0);
}

/* Impulses are means over a step: rho is the mean of both ends. An impact happens anywhere in a step, where r is not
 * known better than the way of one step, 0.1 m/s * 50 us = 5 um of 200: 2.5 % of what impacts carry. */
static void virial_holds(const char *deck, const char *setting, const char *value) {
  run_result r;
  run_begin(deck, "2", "1", setting, value, &r);
  history h;
  size_t rows;
  h.t = column(&r, "history", "time", &h.rows);
  h.x = column(&r, "history", "x", &rows);
  h.y = column(&r, "history", "y", &rows);
  h.vx = column(&r, "history", "vx", &rows);
  h.vy = column(&r, "history", "vy", &rows);
  const double *gap = column(&r, "contact", "wall gap", &rows), *N = column(&r, "contact", "wall normal", &rows);
  assert_int_equal(rows, h.rows);
  double wall = 0.0, impulse = 0.0, asked = wall_virial(&h), span = h.t[rows - 1] - h.t[0];
  for (size_t i = 1; i < rows; i++) {
    double given = N[i] * (h.t[i] - h.t[i - 1]);
    impulse += given;
    wall += given * (clearance - 0.5 * (gap[i] + gap[i - 1]));
  }
  printf("%-12s %s %-5s mean N %.4f N; mean N rho: contact %.4e, motion %.4e N m, difference %.2f %%\n", deck, setting,
         value, impulse / span, wall / span, asked / span, 100 * (wall / asked - 1));
  assert_true(fabs(wall / asked - 1) < 0.025);
  assert_true(fabs(figure(&r, "normal_mean") * span / impulse - 1) < 1e-3);
  run_end(&r);
}

static void mean_force_follows_from_the_motion(void **unused) {
  (void)unused;
  virial_holds("section-hard", "restitution", "0");
  virial_holds("section-hard", "restitution", "0.97");
  virial_holds("section", "chi", "0.5");
  virial_holds("section", "chi", "1000");
}

/* ---- restitution ------------------------------------------------------------------------- */

/* At these speeds chi = 1000 s/m leaves a restitution of 0.01, chi = 0.5 one of 0.97: the first must do as hard contact
 * without restitution does, within what another path through the same noise makes in 8 s. */
static void compliant_without_rebound_is_as_hard(void **unused) {
  (void)unused;
  static const char *const names[] = {"normal_mean", "work_rate"};
  run_result hard, soft;
  run_begin("section-hard", "8", "50", "restitution", "0", &hard);
  run_begin("section", "8", "50", "chi", "1000", &soft);
  for (int i = 0; i < 2; i++) {
    double a = figure(&hard, names[i]), b = figure(&soft, names[i]);
    printf("%-12s hard, e = 0: %.4f  compliant, chi = 1000: %.4f  difference %.1f %%\n", names[i], a, b,
           100 * (b / a - 1));
    assert_true(fabs(b / a - 1) < 0.05);
  }
  run_end(&hard);
  run_end(&soft);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(mean_force_follows_from_the_motion),
                                     cmocka_unit_test(compliant_without_rebound_is_as_hard)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
