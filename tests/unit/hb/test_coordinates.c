/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gaps and slips of the feet of a rigid body (x, y, angle) over independent coordinates. */
#include <math.h>
#include <string.h>

#include "cmocka_all.h"
#include "solver/hb/reduction/coordinates.h"

enum { FEET = 3, FREEDOMS = 3 };

/* A body on feet, one pair each, and the joints that hold it. */
typedef struct body {
  fw_context *ctx;
  fw_pair pairs[FEET], *list[FEET];
  fw_model model;
  fw_sparse *K;
  fw_kinematic kin[FEET];
  fw_balance_contact contacts[FEET];
  fw_coordinates found;
} body;

/* Rows and columns of the joints' gradients. */
static void joint_entries(const void *user, fw_entries *entries) {
  const fw_model *model = user;
  for (int i = 0; i < model->dof_count + model->constraint_count; i++) fw_entries_add(entries, i, i);
  for (int h = 0; h < model->constraint_count; h++)
    for (int i = 0; i < model->dof_count; i++) fw_entries_add(entries, i, model->dof_count + h);
}

/* A foot at (x, y) from the centre: gap y + x angle, slip x - y angle. */
static void place_foot(body *b, int i, double x, double y) {
  b->kin[i] = (fw_kinematic){.count = FREEDOMS, .dof = {0, 1, 2}, .gap_q = {0, 1, x}, .slip_q = {1, 0, -y}};
}

static void start(body *b, int joints) {
  static char *names[FEET] = {"left", "middle", "right"};
  *b = (body){.model = {.dof_count = FREEDOMS, .constraint_count = joints, .pair_count = FEET, .contact_count = FEET}};
  assert_int_equal(fw_context_create(&b->ctx), FW_OK);
  for (int i = 0; i < FEET; i++) {
    b->pairs[i] = (fw_pair){.id = names[i], .count = 1, .first_contact = i};
    b->list[i] = &b->pairs[i];
    b->contacts[i] =
        (fw_balance_contact){.number = i, .point = {.friction = &b->pairs[i].friction, .kind = FW_AFT_LAW, .N0 = 1}};
  }
  b->model.pairs = b->list;
  assert_int_equal(fw_sparse_create(b->ctx, FREEDOMS + joints, joint_entries, &b->model, &b->K), FW_OK);
  place_foot(b, 0, -0.09, -0.05);
  place_foot(b, 1, 0.02, -0.03);
  place_foot(b, 2, 0.08, -0.07);
}

static void hold(body *b, int joint, int freedom) { b->K->x[fw_sparse_position(b->K, freedom, FREEDOMS + joint)] = 1; }

static fw_status find(body *b, int feet) {
  return fw_coordinates_find(b->ctx, &b->model, b->K, b->kin, b->contacts, feet, &b->found);
}

static void stop(body *b) {
  fw_coordinates_clear(&b->found);
  fw_sparse_destroy(&b->K);
  fw_context_destroy(&b->ctx);
}

/* The combination is the gradient, freedom by freedom where no joint holds it. */
static void assert_gradient(const body *b, const fw_combination *combination, const double *gradient, int freedom) {
  double sum = 0;
  for (int k = 0; k < combination->count; k++) {
    const fw_definer *of = &b->found.definers[combination->at[k]];
    const fw_kinematic *kin = &b->kin[of->contact];
    sum += combination->factor[k] * (of->slip ? kin->slip_q : kin->gap_q)[freedom];
  }
  assert_true(fabs(sum - gradient[freedom]) < 1e-13);
}

static void assert_gradients(const body *b, int feet, int from) {
  for (int i = 0; i < feet; i++)
    for (int f = from; f < FREEDOMS; f++) {
      assert_gradient(b, &b->contacts[i].gap, b->kin[i].gap_q, f);
      assert_gradient(b, &b->contacts[i].slip, b->kin[i].slip_q, f);
    }
}

static void independent_ones_are_themselves(void **unused) {
  (void)unused;
  body b;
  start(&b, 0);
  assert_int_equal(find(&b, 1), FW_OK);
  assert_int_equal(b.found.count, 2);
  assert_int_equal(b.contacts[0].gap.at[0], 0);
  assert_int_equal(b.contacts[0].slip.at[0], 1);
  assert_true(b.contacts[0].gap.count == 1 && b.contacts[0].gap.factor[0] == 1);
  assert_true(b.contacts[0].slip.count == 1 && b.contacts[0].slip.factor[0] == 1);
  stop(&b);
}

static void six_rows_of_three_freedoms(void **unused) {
  (void)unused;
  body b;
  start(&b, 0);
  assert_int_equal(find(&b, FEET), FW_OK);
  assert_int_equal(b.found.count, 3);
  assert_gradients(&b, FEET, 0);
  stop(&b);
}

/* Stops on either side of a point: one is exactly the opposite of the other. */
static void opposite_gaps(void **unused) {
  (void)unused;
  body b;
  start(&b, 0);
  b.kin[1] = b.kin[0];
  for (int f = 0; f < FREEDOMS; f++) b.kin[1].gap_q[f] = -b.kin[0].gap_q[f];
  assert_int_equal(find(&b, 2), FW_OK);
  assert_int_equal(b.found.count, 2);
  assert_int_equal(b.contacts[1].gap.count, 1);
  assert_int_equal(b.contacts[1].gap.at[0], b.contacts[0].gap.at[0]);
  assert_true(b.contacts[0].gap.factor[0] * b.contacts[1].gap.factor[0] == -1);
  assert_true(b.contacts[0].slip.factor[0] * b.contacts[1].slip.factor[0] == 1);
  stop(&b);
}

/* A slide along y does not slip; one along x has a constant gap. */
static void joints_hold(void **unused) {
  (void)unused;
  body b;
  start(&b, 2);
  hold(&b, 0, 0);
  hold(&b, 1, 2);
  assert_int_equal(find(&b, FEET), FW_OK);
  assert_int_equal(b.found.count, 1);
  for (int i = 0; i < FEET; i++) {
    assert_int_equal(b.contacts[i].slip.count, 0);
    assert_true(b.contacts[i].gap.count == 1 && b.contacts[i].gap.factor[0] == 1);
  }
  stop(&b);
  start(&b, 2);
  hold(&b, 0, 1);
  hold(&b, 1, 2);
  assert_int_equal(find(&b, FEET), FW_OK);
  assert_int_equal(b.found.count, 1);
  for (int i = 0; i < FEET; i++) {
    assert_int_equal(b.contacts[i].gap.count, 0);
    assert_int_equal(b.contacts[i].point.kind, FW_AFT_CONSTANT);
  }
  stop(&b);
  start(&b, 1);
  hold(&b, 0, 0);
  assert_int_equal(find(&b, FEET), FW_OK);
  assert_int_equal(b.found.count, 2);
  assert_gradients(&b, FEET, 1);
  stop(&b);
}

/* Hard gaps that touch are coordinates, wherever they stand; three of them on one body are refused by name. */
static void hard_gaps(void **unused) {
  (void)unused;
  body b;
  start(&b, 0);
  b.contacts[1].point.kind = b.contacts[2].point.kind = FW_AFT_CLOSED;
  assert_int_equal(find(&b, FEET), FW_OK);
  assert_gradients(&b, FEET, 0);
  for (int i = 1; i < FEET; i++) assert_true(b.contacts[i].gap.count == 1 && b.contacts[i].gap.factor[0] == 1);
  fw_coordinates_clear(&b.found);
  b.contacts[0].point.kind = FW_AFT_OPENING;
  b.contacts[0].point.clearance = 1e-3; /* a stop out of reach is no constraint */
  assert_int_equal(find(&b, FEET), FW_OK);
  fw_coordinates_clear(&b.found);
  b.contacts[0].point.clearance = 0;
  assert_int_equal(find(&b, FEET), FW_ERR_ANALYSIS);
  const char *message = fw_context_message(b.ctx);
  assert_non_null(strstr(message, "left gap"));
  assert_non_null(strstr(message, "middle gap"));
  assert_non_null(strstr(message, "right gap"));
  assert_null(strstr(message, "left slip"));
  stop(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(independent_ones_are_themselves),
                                     cmocka_unit_test(six_rows_of_three_freedoms), cmocka_unit_test(opposite_gaps),
                                     cmocka_unit_test(joints_hold), cmocka_unit_test(hard_gaps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
