/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The period map of a contact's states: solutions of (I - map) x = b, also for laws of many coupled states. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "solver/hb/aft/period_map.h"

/* A map that couples neighbours, with a known answer. */
static void coupled_states(int n) {
  size_t s = (size_t)n;
  double *map = calloc(s * s, sizeof *map), *rhs = calloc(s, sizeof *rhs),
         *room = calloc(fw_period_map_room(s), sizeof *room);
  assert_true(map && rhs && room);
  for (int i = 0; i < n; i++) {
    map[i * n + i] = 0.2;
    if (i > 0) map[i * n + i - 1] = 0.3;
    if (i < n - 1) map[i * n + i + 1] = -0.25;
  }
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) rhs[i] += ((i == k) - map[i * n + k]) * (1 + k);
  assert_false(fw_period_map_is_identity_somewhere(n, false, map, room));
  fw_period_map_solve(n, false, map, rhs, 1, NULL, room);
  for (int k = 0; k < n; k++) assert_near(rhs[k], 1 + k, 1e-11 * n);
  free(map);
  free(rhs);
  free(room);
}

static void few_states(void **unused) {
  (void)unused;
  coupled_states(3);
}

/* More than any law of the table has: a plug-in can. */
static void many_states(void **unused) {
  (void)unused;
  coupled_states(17);
  coupled_states(40);
}

/* Where the map is the identity the state keeps what it had: two states that turn into each other's mean. */
static void identity_keeps_its_part(void **unused) {
  (void)unused;
  const double map[4] = {0.5, 0.5, 0.5, 0.5};
  double rhs[2] = {1, -1}, kept[2] = {3, 5}, room[64];
  assert_true(fw_period_map_room(2) <= 64);
  assert_true(fw_period_map_is_identity_somewhere(2, false, map, room));
  fw_period_map_solve(2, false, map, rhs, 1, kept, room);
  assert_near(rhs[0], 4 + 1, 1e-12); /* mean of what was kept, and the answer across it */
  assert_near(rhs[1], 4 - 1, 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(few_states), cmocka_unit_test(many_states),
                                     cmocka_unit_test(identity_keeps_its_part)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
