/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every kind of surface under every kind of follower: gradients of gap and slip against finite
 * differences at random configurations, and no gap or slip from a common rigid motion. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/detect/segment.h"
#include "contact_parts.h"
#include "elements/element.h"

/* ---- a model with something of everything ------------------------------------------------ */

enum { FOLLOWER, CARRIER, BEAM, BEAM_NODES = 4, LINEAR = BEAM + BEAM_NODES, LINEAR_NODES = 6 };
enum {
  QUADRATIC = LINEAR + LINEAR_NODES,
  QUADRATIC_NODES = 13,
  NODES = QUADRATIC + QUADRATIC_NODES,
  FREEDOMS = 3 * NODES
};

typedef struct bench {
  fw_context *ctx;
  fw_model model;
  fw_node nodes[NODES];
  fw_body bodies[3];
  fw_block blocks[3];
} bench;

static char beam_id[] = "beam", linear_id[] = "linear", quadratic_id[] = "quadratic";
static int beam_nodes[] = {BEAM, BEAM + 1, BEAM + 1, BEAM + 2, BEAM + 2, BEAM + 3};
/* Two squares side by side; lower row 0 1 2, upper row 3 4 5. */
static int linear_nodes[] = {LINEAR,     LINEAR + 1, LINEAR + 4, LINEAR + 3,
                             LINEAR + 1, LINEAR + 2, LINEAR + 5, LINEAR + 4};
/* Corners as before, then middles: lower 6 7, upper 8 9, upright 10 11 12. */
static int quadratic_nodes[] = {QUADRATIC,     QUADRATIC + 1,  QUADRATIC + 4, QUADRATIC + 3,
                                QUADRATIC + 6, QUADRATIC + 11, QUADRATIC + 8, QUADRATIC + 10,
                                QUADRATIC + 1, QUADRATIC + 2,  QUADRATIC + 5, QUADRATIC + 4,
                                QUADRATIC + 7, QUADRATIC + 12, QUADRATIC + 9, QUADRATIC + 11};

static const fw_element_ops *element(const char *name) {
  const fw_element_ops *ops = (const fw_element_ops *)fw_table_find(&fw_elements, name);
  assert_non_null(ops);
  return ops;
}

static void make_bench(bench *b, bool large_rotation) {
  memset(b, 0, sizeof *b);
  assert_int_equal(fw_context_create(&b->ctx), FW_OK);
  b->nodes[FOLLOWER] = loose_node(&b->model, 0.3, 0.4);
  b->nodes[CARRIER] = loose_node(&b->model, -0.2, 0.1);
  for (int i = 0; i < BEAM_NODES; i++) b->nodes[BEAM + i] = loose_node(&b->model, 0.8 * i, 0.3 * i);
  for (int i = 0; i < LINEAR_NODES; i++) b->nodes[LINEAR + i] = loose_node(&b->model, i % 3, i / 3);
  for (int i = 0; i < 6; i++) b->nodes[QUADRATIC + i] = loose_node(&b->model, i % 3, i / 3 + 0.1 * (i == 4));
  for (int i = 0; i < 4; i++) b->nodes[QUADRATIC + 6 + i] = loose_node(&b->model, i % 2 + 0.5, i / 2 + 0.05 * (i / 2));
  for (int i = 0; i < 3; i++) b->nodes[QUADRATIC + 10 + i] = loose_node(&b->model, i, 0.5);
  b->model.nodes = b->nodes;
  b->model.node_count = NODES;
  b->bodies[0] = (fw_body){
      .id = beam_id, .kind = "beam", .first_node = BEAM, .node_count = BEAM_NODES, .large_rotation = large_rotation};
  b->bodies[1] = (fw_body){.id = linear_id, .kind = "plane", .first_node = LINEAR, .node_count = LINEAR_NODES};
  b->bodies[2] = (fw_body){.id = quadratic_id, .kind = "plane", .first_node = QUADRATIC, .node_count = QUADRATIC_NODES};
  b->model.bodies = b->bodies;
  b->model.body_count = 3;
  b->blocks[0] = (fw_block){.ops = element("euler-bernoulli"), .body = 0, .count = 3, .nodes = beam_nodes};
  b->blocks[0].props.height = 0.2;
  b->blocks[1] = (fw_block){.ops = element("quad4"), .body = 1, .count = 2, .nodes = linear_nodes};
  b->blocks[2] = (fw_block){.ops = element("quad8"), .body = 2, .count = 2, .nodes = quadratic_nodes};
  b->model.blocks = b->blocks;
  b->model.block_count = 3;
}

/* Samples of every kind; each table entry needs one. */
typedef struct sample {
  const char *kind;
  const char *settings[5];
  bool carried; /* by a node with large rotation */
} sample;

static const sample samples[] = {
    {"line", {"from=-1,0", "to=2,0.5"}, false},
    {"line", {"from=-1,0", "to=2,0.5"}, true},
    {"polyline", {"points=-1,0,0,0.2,1,0.1,1.5,-0.5,2.5,0.5"}, false},
    {"polyline", {"points=0,0,0,1,1.2,1.1,1,0", "closed=yes"}, true},
    {"arc", {"centre=0.2,0.1", "radius=1.5", "side=outside", "from=10", "to=200"}, false},
    {"arc", {"centre=0.2,0.1", "radius=1.5", "side=inside", "from=10", "to=200"}, true},
    {"circle", {"centre=0.2,0.1", "radius=1.5", "side=inside", "clearance=0.2"}, false},
    {"circle", {"centre=0.2,0.1", "radius=1.5", "side=outside"}, true},
    {"polyline", {"points=-1,0,0,0.2,1,0.1,1.7,-0.1,2.5,0.5", "smooth=yes"}, false},
    {"polyline", {"points=-1,0,0,0.2,1,0.1,1.7,-0.1,2.5,0.5", "smooth=yes"}, true},
    {"edges", {"body=linear"}, false},
    {"edges", {"body=linear", "smooth=no"}, false},
    {"edges", {"body=linear", "within=-1,0.9,3,1.5"}, false},
    {"edges", {"body=quadratic"}, false},
    {"edges", {"body=quadratic", "smooth=no"}, false},
    {"beam-surface", {"body=beam", "side=left"}, false},
    {"beam-surface", {"body=beam", "side=both"}, false},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static fw_surface *make_surface(bench *b, const sample *s) {
  int count = 0;
  while (count < 5 && s->settings[count]) count++;
  const fw_attachment carrier = {.node = CARRIER, .large_rotation = true};
  return rigid_surface(b->ctx, &b->model, s->kind, s->settings, count, s->carried ? &carrier : NULL);
}

static const fw_follower followers[] = {
    {.at = {FOLLOWER, {0.0, 0.0}, false}, .radius = 0.0},  {.at = {FOLLOWER, {0.1, -0.2}, false}, .radius = 0.0},
    {.at = {FOLLOWER, {0.1, -0.2}, true}, .radius = 0.0},  {.at = {FOLLOWER, {0.0, 0.0}, false}, .radius = 0.3},
    {.at = {FOLLOWER, {0.1, -0.2}, false}, .radius = 0.3}, {.at = {FOLLOWER, {0.1, -0.2}, true}, .radius = 0.3},
};
enum { FOLLOWERS = sizeof followers / sizeof *followers };

/* ---- random configurations --------------------------------------------------------------- */

static double uniform(unsigned *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / (double)(1u << 24) * 2.0 - 1.0;
}

/* Moves everything a little and then the follower's centre to a random place near the surface. */
static void random_configuration(const bench *b, const fw_pair *pair, unsigned *seed, double *q) {
  const fw_surface *surface = pair->target;
  for (int i = 0; i < FREEDOMS; i++) q[i] = 0.05 * uniform(seed);
  q[3 * FOLLOWER + FW_RZ] = 0.8 * uniform(seed);
  q[3 * CARRIER + FW_RZ] = 0.8 * uniform(seed);
  int segment = (int)((0.5 + 0.5 * uniform(seed)) * surface->segment_count);
  if (segment >= surface->segment_count) segment = surface->segment_count - 1;
  fw_curve curve;
  fw_curve_at(&b->model, surface, segment, q, &curve);
  fw_curve_point at;
  fw_curve_eval(&curve, 0.99 * uniform(seed), &at);
  const double height = curve.segment->offset + pair->followers[0].radius + 0.02 * uniform(seed);
  double centre[2];
  fw_attachment_place(&b->model, &pair->followers[0].at, q, centre);
  for (int k = 0; k < 2; k++)
    q[3 * FOLLOWER + k] += at.s[0][k] + height * at.n[k] + 0.1 * uniform(seed) * at.t[k] - centre[k];
}

/* ---- finite differences ------------------------------------------------------------------ */

typedef fw_status (*kinematics_fn)(const fw_model *, const fw_pair *, int, const double *, const fw_touch *,
                                   const double *, fw_kinematic *);

static double entry_of(const fw_kinematic *k, const double *values, int dof) {
  for (int i = 0; i < k->count; i++)
    if (k->dof[i] == dof) return values[i];
  return 0.0;
}

static double second_of(const fw_kinematic *k, const double *values, int row_dof, int column_dof) {
  for (int i = 0; k->curved && i < k->count; i++)
    for (int j = 0; j < k->count; j++)
      if (k->dof[i] == row_dof && k->dof[j] == column_dof) return values[i * k->count + j];
  return 0.0;
}

static bool same_branch(const fw_kinematic *a, const fw_kinematic *b) {
  return a->segment == b->segment && (fabs(a->xi) == 1.0) == (fabs(b->xi) == 1.0) &&
         (fabs(a->xi) > 1.0) == (fabs(b->xi) > 1.0);
}

typedef enum verdict { RIGHT, WRONG, ON_A_KINK } verdict;

static bool near(double analytic, double difference, double tolerance) {
  return fabs(analytic - difference) <= tolerance * (1.0 + fabs(analytic));
}

static verdict compare(const bench *b, const fw_pair *pair, kinematics_fn kinematics, const double *q_from, double *q) {
  const double h = 2e-6;
  fw_kinematic at, plus, minus;
  if (kinematics(&b->model, pair, 0, q_from, NULL, q, &at) != FW_OK) return WRONG;
  for (int d = 0; d < FREEDOMS; d++) {
    const double keep = q[d];
    q[d] = keep + h;
    kinematics(&b->model, pair, 0, q_from, NULL, q, &plus);
    q[d] = keep - h;
    kinematics(&b->model, pair, 0, q_from, NULL, q, &minus);
    q[d] = keep;
    if (!same_branch(&at, &plus) || !same_branch(&at, &minus)) return ON_A_KINK;
    if (!near(entry_of(&at, at.gap_q, d), (plus.gap - minus.gap) / (2 * h), 2e-8)) return WRONG;
    if (!near(entry_of(&at, at.slip_q, d), (plus.slip - minus.slip) / (2 * h), 2e-7)) return WRONG;
    for (int i = 0; i < at.count; i++) {
      const int row = at.dof[i];
      const double gap = (entry_of(&plus, plus.gap_q, row) - entry_of(&minus, minus.gap_q, row)) / (2 * h);
      const double slip = (entry_of(&plus, plus.slip_q, row) - entry_of(&minus, minus.slip_q, row)) / (2 * h);
      if (!near(second_of(&at, at.gap_qq, row, d), gap, 2e-7)) return WRONG;
      if (!near(second_of(&at, at.slip_qq, row, d), slip, 2e-7)) return WRONG;
    }
  }
  return RIGHT;
}

/* Number of random configurations where the gradients are wrong, or -1 if most lie on kinks. */
static int count_wrong(const bench *b, const fw_surface *surface, const fw_follower *follower,
                       kinematics_fn kinematics) {
  enum { TRIALS = 25 };
  fw_pair *pair = NULL;
  assert_int_equal(fw_pair_create(b->ctx, "pair", surface, 1, &pair), FW_OK);
  pair->followers[0] = *follower;
  int verdicts[3] = {0};
  unsigned seed = 12345;
  for (int trial = 0; trial < TRIALS; trial++) {
    double q[FREEDOMS], q_from[FREEDOMS];
    random_configuration(b, pair, &seed, q);
    for (int i = 0; i < FREEDOMS; i++) q_from[i] = q[i] + 0.02 * uniform(&seed);
    verdicts[compare(b, pair, kinematics, q_from, q)]++;
  }
  fw_pair_destroy(&pair);
  return verdicts[ON_A_KINK] > TRIALS / 10 ? -1 : verdicts[WRONG];
}

static void gradients_are_those_of_gap_and_slip(void **unused) {
  (void)unused;
  for (int large = 0; large < 2; large++) {
    bench b;
    make_bench(&b, large);
    for (int s = 0; s < SAMPLES; s++) {
      fw_surface *surface = make_surface(&b, &samples[s]);
      for (int f = 0; f < FOLLOWERS; f++) {
        const int wrong = count_wrong(&b, surface, &followers[f], fw_pair_kinematics);
        if (wrong) fail_msg("%s (sample %d), follower %d: %d wrong", samples[s].kind, s, f, wrong);
      }
      fw_surface_destroy(&surface);
    }
    fw_context_destroy(&b.ctx);
  }
}

/* A deliberately wrong entry: the disc rolls the wrong way. */
static fw_status flipped(const fw_model *model, const fw_pair *pair, int i, const double *q_from, const fw_touch *from,
                         const double *q, fw_kinematic *out) {
  const fw_status status = fw_pair_kinematics(model, pair, i, q_from, from, q, out);
  for (int k = 0; k < out->count; k++)
    if (out->dof[k] == 3 * FOLLOWER + FW_RZ) out->slip_q[k] = -out->slip_q[k];
  return status;
}

static void a_wrong_sign_is_caught(void **unused) {
  (void)unused;
  bench b;
  make_bench(&b, false);
  for (int s = 0; s < SAMPLES; s++) {
    fw_surface *surface = make_surface(&b, &samples[s]);
    assert_true(count_wrong(&b, surface, &followers[FOLLOWERS - 1], flipped) > 5);
    fw_surface_destroy(&surface);
  }
  fw_context_destroy(&b.ctx);
}

static void every_kind_has_a_sample(void **unused) {
  (void)unused;
  for (int e = 0; fw_surfaces.entries[e]; e++) {
    bool found = false;
    for (int s = 0; s < SAMPLES; s++) found = found || strcmp(samples[s].kind, fw_surfaces.entries[e]->name) == 0;
    if (!found) fail_msg("no sample of %s", fw_surfaces.entries[e]->name);
  }
}

/* ---- common rigid motion ----------------------------------------------------------------- */

/* Turns and shifts everything that has a node about the origin. */
static void rigid_motion(const bench *b, const double *q, double angle, double *moved) {
  const double c = cos(angle), s = sin(angle), shift[2] = {0.7, -0.4};
  for (int n = 0; n < NODES; n++) {
    const double *X = b->nodes[n].x, x = X[0] + q[3 * n], y = X[1] + q[3 * n + 1];
    moved[3 * n] = c * x - s * y + shift[0] - X[0];
    moved[3 * n + 1] = s * x + c * y + shift[1] - X[1];
    moved[3 * n + 2] = q[3 * n + 2] + angle;
  }
}

static void a_common_motion_neither_opens_nor_slips(void **unused) {
  (void)unused;
  bench b;
  make_bench(&b, true);
  for (int s = 0; s < SAMPLES; s++) {
    fw_surface *surface = make_surface(&b, &samples[s]);
    if (!surface->fixed) {
      fw_pair *pair = NULL;
      assert_int_equal(fw_pair_create(b.ctx, "pair", surface, 1, &pair), FW_OK);
      pair->followers[0] = followers[FOLLOWERS - 1];
      unsigned seed = 7;
      for (int trial = 0; trial < 30; trial++) {
        double q[FREEDOMS], moved[FREEDOMS];
        random_configuration(&b, pair, &seed, q);
        rigid_motion(&b, q, 2.0 * uniform(&seed), moved);
        fw_kinematic before, after;
        assert_int_equal(fw_pair_kinematics(&b.model, pair, 0, q, NULL, q, &before), FW_OK);
        assert_int_equal(fw_pair_kinematics(&b.model, pair, 0, q, NULL, moved, &after), FW_OK);
        assert_near(after.gap, before.gap, 1e-13);
        assert_near(after.slip, 0.0, 1e-12);
      }
      fw_pair_destroy(&pair);
    }
    fw_surface_destroy(&surface);
  }
  fw_context_destroy(&b.ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_has_a_sample),
      cmocka_unit_test(gradients_are_those_of_gap_and_slip),
      cmocka_unit_test(a_wrong_sign_is_caught),
      cmocka_unit_test(a_common_motion_neither_opens_nor_slips),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
