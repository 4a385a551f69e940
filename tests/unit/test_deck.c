/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decks that are right: what is built from them. */
#include "input/deck.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/detect/surface.h"
#include "contact/pair.h"
#include "core/load.h"
#include "elements/element.h"
#include "one_context.h"

#define GOOD(name) FW_SOURCE_DIR "/tests/decks/good/" name

static fw_deck *deck;
static fw_built *built;

static void require_ok(fw_status status) {
  if (status != FW_OK) print_error("%s\n", fw_context_message(ctx));
  assert_int_equal(status, FW_OK);
}

static void load_and_build(const char *path) {
  require_ok(fw_deck_load(ctx, path, &deck));
  require_ok(fw_deck_build(ctx, deck, &built));
}

static int tear_down(void **unused) {
  fw_built_destroy(&built);
  fw_deck_destroy(&deck);
  return close_context(unused);
}

static void builds_the_rig(void **unused) {
  (void)unused;
  load_and_build(GOOD("rig.xml"));
  const fw_model *model = built->model;
  assert_string_equal(model->title, "Rig");
  assert_int_equal(model->body_count, 2);
  assert_int_equal(model->block_count, 3); /* beam, mass, elastic support */
  assert_int_equal(model->blocks[0].count, 40);
  assert_int_equal(model->dof_count, 41 * 3 - 2);
  assert_int_equal(model->nodes[0].dof[FW_X], FW_DOF_FIXED);
  assert_int_equal(model->nodes[0].dof[FW_RZ], 0);
  assert_near(model->blocks[0].props.height, 4.76e-3, 1e-15);
  assert_near(model->blocks[0].props.rayleigh_alpha, 0.06, 0);
  assert_near(model->blocks[2].props.constants[2], 1e6, 0);
  assert_int_equal(model->pair_count, 1);
  assert_int_equal(model->contact_count, 1);
  assert_near(model->pairs[0]->followers[0].radius, 5e-3, 1e-15);
  assert_near(model->pairs[0]->followers[0].at.arm[1], -2.38e-3, 1e-15);
  assert_int_equal(built->analyses->child_count, 2);
  assert_null(built->studies);
}

/* Loads and sensors interpolate: a rigid turn about the origin shows at a point between nodes. */
static void interpolates_between_nodes(void **unused) {
  (void)unused;
  load_and_build(GOOD("rig.xml"));
  const fw_model *model = built->model;
  double q[128] = {0};
  for (int i = 0; i < model->node_count; i++) {
    const fw_node *node = &model->nodes[i];
    if (node->dof[FW_Y] >= 0) q[node->dof[FW_Y]] = 1e-3 * node->x[0];
    if (node->dof[FW_RZ] >= 0) q[node->dof[FW_RZ]] = 1e-3;
  }
  const fw_sensor *drive = &model->sensors[fw_model_sensor(model, "drive")];
  assert_near(fw_functional_value(&drive->shape, q), 0.555e-3, 1e-15);
  const fw_load *preload = &model->loads[fw_model_load(model, "preload")];
  assert_near(fw_functional_value(&preload->shape, q), -83 * 0.606e-3, 1e-12);
}

static void sensors_know_their_unit(void **unused) {
  (void)unused;
  load_and_build(FW_SOURCE_DIR "/examples/pendulum/pendulum.xml");
  const fw_sensor *angle = &built->model->sensors[fw_model_sensor(built->model, "angle")];
  assert_string_equal(fw_sensor_unit(angle), "rad");
  assert_string_equal(fw_sensor_unit_of(angle, FW_ACCELERATION), "rad/s^2");
  const fw_sensor straight = {.quantity = FW_VELOCITY};
  assert_string_equal(fw_sensor_unit(&straight), "m/s");
}

/* Gravity's work in a unit displacement of the free part is its weight, less what hangs on the clamp. */
static void weighs_what_it_should(void **unused) {
  (void)unused;
  load_and_build(GOOD("rig.xml"));
  const fw_model *model = built->model;
  const fw_load *weight = &model->loads[fw_model_load(model, "weight")];
  double q[128] = {0};
  for (int i = 0; i < model->node_count; i++)
    if (model->nodes[i].dof[FW_Y] >= 0) q[model->nodes[i].dof[FW_Y]] = 1.0;
  double line = 38.88e-3 * 4.76e-3 * 7800, length = 0.606, element = length / 40;
  double expected = -9.81 * (line * (length - element / 2) + 0.0119);
  assert_near(fw_functional_value(&weight->shape, q), expected, 1e-9);
}

/* The rig of the examples is put together from parts, with parameters in two lists; both can be set and are written. */
static void reads_parameters_from_several_lists(void **unused) {
  (void)unused;
  load_and_build(FW_SOURCE_DIR "/examples/rig/beam-dahl.xml");
  fw_built_destroy(&built);
  require_ok(fw_deck_set(ctx, deck, "thick", "4.78"));
  require_ok(fw_deck_set(ctx, deck, "sigma0", "2e7"));
  require_ok(fw_deck_write(ctx, deck, "several.xml"));
  char text[8192] = "";
  FILE *file = fopen("several.xml", "r");
  assert_non_null(file);
  assert_true(fread(text, 1, sizeof text - 1, file) > 0);
  fclose(file);
  remove("several.xml");
  assert_non_null(strstr(text, "name=\"thick\" value=\"4.78\""));
  assert_non_null(strstr(text, "name=\"sigma0\" value=\"2e7\""));
  require_ok(fw_deck_build(ctx, deck, &built));
  assert_near(built->model->blocks[0].props.height, 4.78e-3, 1e-12);
}

static void rebuilds_with_a_parameter_set(void **unused) {
  (void)unused;
  load_and_build(GOOD("rig.xml"));
  fw_built_destroy(&built);
  require_ok(fw_deck_set(ctx, deck, "thick", "2*r/1e-3 - 5.22"));
  require_ok(fw_deck_build(ctx, deck, &built));
  assert_near(built->model->blocks[0].props.height, 4.78e-3, 1e-12);
  assert_int_equal(fw_deck_set(ctx, deck, "thik", "1"), FW_ERR_ARGUMENT);
  assert_non_null(strstr(fw_context_message(ctx), "did you mean 'thick'"));
  fw_built *none;
  require_ok(fw_deck_set(ctx, deck, "mu", "3"));
  assert_int_equal(fw_deck_build(ctx, deck, &none), FW_ERR_DECK);
  assert_non_null(strstr(fw_context_message(ctx), "above its max"));
}

static void writes_what_it_would_run(void **unused) {
  (void)unused;
  require_ok(fw_deck_load(ctx, GOOD("rig.xml"), &deck));
  require_ok(fw_deck_set(ctx, deck, "P", "90"));
  require_ok(fw_deck_write(ctx, deck, "written.xml"));
  fw_deck_destroy(&deck);
  load_and_build("written.xml");
  double q[128] = {0};
  const fw_model *model = built->model;
  q[model->nodes[40].dof[FW_Y]] = 1.0;
  assert_near(fw_functional_value(&model->loads[0].shape, q), -90, 1e-12);
  remove("written.xml");
}

/* Written elsewhere, a deck of parts still finds its data and its meshes, and runs as it did: same model, same figures.
 */
static void reads_again_what_it_wrote(void **unused) {
  (void)unused;
  static const char *const decks[] = {FW_SOURCE_DIR "/examples/rig/beam-dahl.xml", GOOD("imported.xml"),
                                      GOOD("superelement.xml")};
  for (size_t i = 0; i < sizeof decks / sizeof *decks; i++) {
    load_and_build(decks[i]);
    int freedoms = built->model->dof_count, data = built->data ? built->data->child_count : 0;
    require_ok(fw_deck_write(ctx, deck, "again.xml"));
    fw_built_destroy(&built);
    fw_deck_destroy(&deck);
    load_and_build("again.xml");
    assert_int_equal(built->model->dof_count, freedoms);
    assert_int_equal(built->data ? built->data->child_count : 0, data);
    fw_built_destroy(&built);
    fw_deck_destroy(&deck);
    remove("again.xml");
  }
}

/* A set is held, a total force spread over edges, points interpolate within elements. */
static void builds_a_plate(void **unused) {
  (void)unused;
  load_and_build(GOOD("plate.xml"));
  const fw_model *model = built->model;
  assert_int_equal(model->node_count, 17 * 17);
  assert_int_equal(model->dof_count, 2 * 17 * 16);
  double *q = calloc((size_t)model->dof_count, sizeof *q), *x = calloc((size_t)model->dof_count, sizeof *x);
  for (int i = 0; i < model->node_count; i++) {
    const fw_node *node = &model->nodes[i];
    if (node->dof[FW_Y] >= 0) q[node->dof[FW_Y]] = 3.0 + node->x[0] + 2.0 * node->x[1];
    if (node->dof[FW_X] >= 0) x[node->dof[FW_X]] = 1.0;
  }
  assert_near(fw_functional_value(&model->sensors[0].shape, q), 3.0 + 48 + 104, 1e-10);
  assert_near(fw_functional_value(&model->sensors[1].shape, q), 3.0 + 20.5 + 60.5, 1e-10);
  /* the mean of a linear field over the edge, x = 48, y from 44 to 60 */
  assert_near(fw_functional_value(&model->loads[0].shape, q), 3.0 + 48 + 104, 1e-10);
  assert_near(fw_functional_value(&model->loads[1].shape, x), -0.5 * 16, 1e-10);
  free(q);
  free(x);
}

static void builds_an_imported_mesh(void **unused) {
  (void)unused;
  load_and_build(GOOD("imported.xml"));
  const fw_model *model = built->model;
  assert_int_equal(model->block_count, 2); /* triangles and quadrilaterals */
  double *x = calloc((size_t)model->dof_count, sizeof *x);
  for (int i = 0; i < model->node_count; i++)
    if (model->nodes[i].dof[FW_X] >= 0) x[model->nodes[i].dof[FW_X]] = 1.0;
  assert_near(fw_functional_value(&model->loads[0].shape, x), 2.0, 1e-12);
  assert_near(fw_functional_value(&model->loads[1].shape, x), 3.0, 1e-12);
  free(x);
  /* the surface of a set runs where the load on that set acts: along the quarter circle about (2.5, 0.5), whose
   * edges are chords of 45 degrees */
  const fw_surface *rim = model->surfaces[0], *all = model->surfaces[1];
  assert_in_range(rim->segment_count, 1, all->segment_count - 4);
  for (int i = 0; i < rim->anchor_count; i++) {
    const double *at = model->nodes[rim->anchors[i].node].x;
    double radius = hypot(at[0] - 2.5, at[1] - 0.5);
    assert_true(radius > 0.5 * cos(0.3927) - 1e-4 && radius < 0.5 + 1e-9);
  }
}

static void a_mesh_has_its_unit(void **unused) {
  (void)unused;
  load_and_build(GOOD("imported-mm.xml"));
  double most[2] = {0};
  for (int i = 0; i < built->model->node_count; i++)
    for (int k = 0; k < 2; k++) most[k] = fmax(most[k], built->model->nodes[i].x[k]);
  assert_near(most[0], 3e-3, 1e-15);
  assert_near(most[1], 1e-3, 1e-15);
}

static void runs_a_superelement(void **unused) {
  (void)unused;
  require_ok(fw_deck_load(ctx, GOOD("superelement.xml"), &deck));
  fw_results *results = NULL;
  require_ok(fw_run(ctx, deck, NULL, &results));
  double tip = 0.0;
  require_ok(fw_results_number(results, "analyses.bend.sensors.tip", &tip));
  assert_near(tip, -1.0 / 3.0, 1e-12);
  fw_results_destroy(&results);
}

static void builds_joints_and_frames(void **unused) {
  (void)unused;
  load_and_build(GOOD("linkage.xml"));
  const fw_model *model = built->model;
  /* three of the deck, and two that hold nodes where a load and a sensor stand off the crank's centre */
  assert_int_equal(model->joint_count, 5);
  assert_int_equal(model->constraint_count, 9);
  for (int j = 0; j < 5; j++) assert_int_equal(model->joints[j].hidden, j >= 3);
  assert_int_equal(model->nodes[model->joints[3].a.node].dof[FW_RZ], model->nodes[model->joints[3].b.node].dof[FW_RZ]);
  assert_near(model->joints[0].a.arm[0], -0.05, 1e-15);
  assert_true(model->joints[0].a.large_rotation);
  assert_int_equal(model->joints[0].b.node, -1);
  assert_near(model->joints[0].b.arm[0], 0.0, 1e-15);
  /* the corner is one rigid node, the slider hangs on the rod by a hinge */
  const fw_body *bodies = model->bodies;
  int post = 0, arm = 0, rod = 0, slider = 0;
  for (int i = 0; i < model->body_count; i++) {
    if (strcmp(bodies[i].id, "post") == 0) post = i;
    if (strcmp(bodies[i].id, "arm") == 0) arm = i;
    if (strcmp(bodies[i].id, "rod") == 0) rod = i;
    if (strcmp(bodies[i].id, "slider") == 0) slider = i;
  }
  const fw_node *top = &model->nodes[bodies[post].first_node + 5], *root = &model->nodes[bodies[arm].first_node];
  for (int k = 0; k < FW_NODE_DOFS; k++) assert_int_equal(top->dof[k], root->dof[k]);
  const fw_node *end = &model->nodes[bodies[rod].first_node + 6], *block = &model->nodes[bodies[slider].first_node];
  assert_int_equal(end->dof[FW_X], block->dof[FW_X]);
  assert_int_equal(block->dof[FW_RZ], FW_DOF_NONE);
  assert_true(end->dof[FW_RZ] >= 0);
  /* the corner of the arm is a node; the graded post grows fourfold */
  assert_near(model->nodes[bodies[arm].first_node + 2].x[0], 2.0, 1e-12);
  const fw_node *n = &model->nodes[bodies[post].first_node];
  assert_near((n[5].x[1] - n[4].x[1]) / (n[1].x[1] - n[0].x[1]), 4.0, 1e-9);
}

/* Where more points need a node than there are, nodes are put in between: one element between clamp and tip becomes four. */
static void points_put_nodes_in(void **unused) {
  (void)unused;
  static const char text[] =
      "<fretwork version=\"1\"><materials><elastic id=\"steel\" E=\"210e9\" rho=\"7800\"/></materials>"
      "<sections><rectangle id=\"strip\" width=\"40e-3\" height=\"5e-3\"/></sections><bodies><beam id=\"beam\" "
      "section=\"strip\" material=\"steel\" from=\"0, 0\" to=\"0.5, 0\" divisions=\"1\"><point id=\"clamp\" s=\"0\"/>"
      "<point id=\"c\" s=\"0.3\"/><point id=\"a\" s=\"0.1\"/><point id=\"b\" s=\"0.2\"/></beam>"
      "<spring id=\"u\" at=\"beam.a\" direction=\"0, 1\" k=\"1\"/><spring id=\"v\" at=\"beam.b\" direction=\"0, 1\" "
      "k=\"1\"/>"
      "<spring id=\"w\" at=\"beam.c\" direction=\"0, 1\" k=\"1\"/></bodies>"
      "<supports><support at=\"beam.clamp\" x=\"fixed\" y=\"fixed\" rz=\"fixed\"/></supports>"
      "<analyses><modal id=\"m\" modes=\"1\"/></analyses></fretwork>";
  static const double s[] = {0, 0.1, 0.2, 0.3, 0.5};
  require_ok(fw_deck_parse(ctx, text, strlen(text), "stations.xml", &deck));
  require_ok(fw_deck_build(ctx, deck, &built));
  assert_int_equal(built->model->blocks[0].count, 4);
  const fw_node *nodes = &built->model->nodes[built->model->bodies[0].first_node];
  for (int i = 0; i < 5; i++) assert_near(nodes[i].x[0], s[i], 1e-15);
}

#define WITH_DECK(test) cmocka_unit_test_setup_teardown(test, open_context, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_DECK(builds_the_rig),
      WITH_DECK(reads_parameters_from_several_lists),
      WITH_DECK(builds_a_plate),
      WITH_DECK(builds_an_imported_mesh),
      WITH_DECK(a_mesh_has_its_unit),
      WITH_DECK(runs_a_superelement),
      WITH_DECK(builds_joints_and_frames),
      WITH_DECK(points_put_nodes_in),
      WITH_DECK(interpolates_between_nodes),
      WITH_DECK(sensors_know_their_unit),
      WITH_DECK(weighs_what_it_should),
      WITH_DECK(rebuilds_with_a_parameter_set),
      WITH_DECK(writes_what_it_would_run),
      WITH_DECK(reads_again_what_it_wrote),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
