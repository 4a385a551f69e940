/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Detection of thousands of followers on surfaces of many segments, standing still and moving. */
#include <math.h>
#include <stdlib.h>

#include "bench.h"
#include "contact/detect/search.h"
#include "contact/detect/surface.h"
#include "contact/pair.h"

enum { FOLLOWERS = 2000, MANY = 2000 };

typedef struct scene {
  fw_context *ctx;
  fw_model model;
  fw_surface *surface;
  fw_pair *pair;
  fw_hints *hints;
  fw_touch *touch;
  double *q;
  int next; /* follower to look at */
} scene;

/* A wavy floor of lines; nodes 0.. are the followers, then come those of the floor. */
static fw_status make_scene(scene *s, int segments, bool moving) {
  *s = (scene){0};
  FW_TRY(fw_context_create(&s->ctx));
  fw_model *m = &s->model;
  m->node_count = FOLLOWERS + segments + 1;
  FW_TRY(fw_alloc(s->ctx, (size_t)m->node_count, sizeof *m->nodes, &m->nodes));
  FW_TRY(fw_surface_create(s->ctx, "floor", (const fw_surface_ops *)fw_surfaces.entries[0], &s->surface));
  for (int i = 0; i < m->node_count; i++) {
    const bool follower = i < FOLLOWERS;
    const double x = follower ? (i + 0.3) / FOLLOWERS : (double)(i - FOLLOWERS) / segments;
    m->nodes[i] = (fw_node){.x = {x, 0.01 * sin(40.0 * x) + (follower ? 1e-3 : 0.0)}};
    for (int d = 0; d < FW_NODE_DOFS; d++) m->nodes[i].dof[d] = follower || moving ? m->dof_count++ : FW_DOF_FIXED;
    int index;
    if (!follower) FW_TRY(fw_surface_append_anchor(s->ctx, s->surface, &(fw_anchor){.node = i}, &index));
  }
  for (int i = 0; i < segments; i++) {
    int index;
    FW_TRY(fw_surface_add_segment(s->ctx, s->surface, &(fw_segment){.kind = FW_SEGMENT_LINE, .anchor = {i, i + 1}},
                                  &index));
  }
  FW_TRY(fw_surface_finish(s->ctx, m, s->surface));
  FW_TRY(fw_pair_create(s->ctx, "pair", s->surface, FOLLOWERS, &s->pair));
  for (int i = 0; i < FOLLOWERS; i++) s->pair->followers[i] = (fw_follower){.at = {.node = i}};
  m->pairs = &s->pair;
  m->pair_count = 1;
  FW_TRY(fw_alloc(s->ctx, (size_t)m->dof_count, sizeof *s->q, &s->q));
  FW_TRY(fw_alloc(s->ctx, FOLLOWERS, sizeof *s->touch, &s->touch));
  return fw_hints_create(s->ctx, m, &s->hints);
}

static void free_scene(scene *s) {
  fw_hints_destroy(&s->hints);
  fw_pair_destroy(&s->pair);
  fw_surface_destroy(&s->surface);
  free(s->model.nodes);
  free(s->q);
  free(s->touch);
  fw_context_destroy(&s->ctx);
}

static void one_follower(void *user) {
  scene *s = user;
  fw_kinematic k;
  (void)fw_pair_kinematics(&s->model, s->pair, s->next, s->q, &s->touch[s->next], s->q, &k);
  s->touch[s->next].segment = k.segment;
  s->next = (s->next + 1) % FOLLOWERS;
}

static void all_hints(void *user) {
  scene *s = user;
  fw_hints_update(s->hints, &s->model, s->q, s->touch);
}

int main(void) {
  static const struct {
    const char *name;
    int segments;
    bool moving;
  } cases[] = {{"one line", 1, false}, {"standing", MANY, false}, {"moving", MANY, true}};
  for (int c = 0; c < 3; c++) {
    scene s;
    if (make_scene(&s, cases[c].segments, cases[c].moving)) return 1;
    all_hints(&s);
    bench_print("contact", "detect", cases[c].name, 1e9 * bench_seconds(one_follower, &s), "ns/follower");
    if (cases[c].moving)
      bench_print("contact", "search", cases[c].name, 1e9 * bench_seconds(all_hints, &s) / FOLLOWERS, "ns/follower");
    free_scene(&s);
  }
  return 0;
}
