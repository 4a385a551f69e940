/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "features.h"

#include <stdlib.h>
#include <string.h>

#include "contact/detect/surface.h"
#include "contact/friction/friction.h"
#include "contact/normal/normal.h"
#include "core/load.h"
#include "elements/element.h"
#include "elements/joint.h"
#include "solver/analysis.h"

static const char *const words[FEATURES] = {"body",  "kinematics",    "law",  "stick",   "normal",   "surface",
                                            "joint", "point element", "load", "damping", "analysis", "solver"};

const char *feature_word(feature f) { return words[f]; }

static void add(features *f, feature which, const char *name) {
  if (f->counts[which] == KINDS) abort();
  f->names[which][f->counts[which]++] = name;
}

static void add_all(features *f, feature which, const char *const *names) {
  for (; *names; names++) add(f, which, *names);
}

static void add_table(features *f, feature which, const fw_table *table) {
  for (int i = 0; table->entries[i]; i++) add(f, which, table->entries[i]->name);
}

/* Elements with a shape make bodies, the others stand at points. */
static void add_elements(features *f) {
  for (int i = 0; fw_elements.entries[i]; i++) {
    const fw_element_ops *ops = (const fw_element_ops *)fw_elements.entries[i];
    bool body = ops->shape >= FW_SHAPE_TRI3 || strcmp(ops->entry.name, "euler-bernoulli") == 0 ||
                strcmp(ops->entry.name, "timoshenko") == 0;
    add(f, body ? BODY : POINT_ELEMENT, ops->entry.name);
  }
}

void features_list(features *f) {
  memset(f, 0, sizeof *f);
  add_all(f, BODY, (const char *const[]){"block", "disc", NULL});
  add(f, POINT_ELEMENT, "none");
  add_elements(f);
  add_all(f, KINEMATICS, (const char *const[]){"linear", "moderate", "large", NULL});
  add(f, LAW, "none");
  add_table(f, LAW, &fw_laws);
  add_all(f, STICK, (const char *const[]){"lagrange", "penalty", NULL});
  add_all(f, NORMAL, (const char *const[]){"none", "hard-penalty", "hard-restitution", NULL});
  add_table(f, NORMAL, &fw_normals);
  add_all(f, SURFACE, (const char *const[]){"line", "polyline", "arc", "circle", NULL});
  add(f, JOINT, "none");
  add_table(f, JOINT, &fw_joints);
  add_table(f, LOAD, &fw_loads);
  add_all(f, DAMPING, (const char *const[]){"rayleigh", "none", "modal", "hysteretic", NULL});
  for (int i = 0; fw_analyses.entries[i]; i++) /* a cycle needs what feeds it; shooting_cycle has such decks */
    if (strcmp(fw_analyses.entries[i]->name, "cycle") != 0) add(f, ANALYSIS, fw_analyses.entries[i]->name);
  add_all(f, SOLVER, (const char *const[]){"alpha", "ida", "cvode", NULL});
}

const char *chosen(const features *f, const choice *c, feature which) { return f->names[which][c->kind[which]]; }

bool chose(const features *f, const choice *c, feature which, const char *name) {
  return strcmp(chosen(f, c, which), name) == 0;
}

/* xorshift64* (Vigna 2016). */
uint64_t random_bits(uint64_t *seed) {
  if (!*seed) *seed = UINT64_C(0x9E3779B97F4A7C15);
  *seed ^= *seed >> 12;
  *seed ^= *seed << 25;
  *seed ^= *seed >> 27;
  return *seed * UINT64_C(2685821657736338717);
}

int random_below(uint64_t *seed, int n) { return (int)((random_bits(seed) >> 33) % (uint64_t)n); }

double random_between(uint64_t *seed, double from, double to) {
  return from + (to - from) * (double)(random_bits(seed) >> 11) / 9007199254740992.0;
}

/* ---- what does not go together ----------------------------------------------------------- */

static bool among(const char *name, const char *const *names) {
  for (; *names; names++)
    if (strcmp(name, *names) == 0) return true;
  return false;
}

static bool is_plane(const char *body) {
  return !among(body, (const char *const[]){"block", "disc", "euler-bernoulli", "timoshenko", NULL});
}

/* Points of planes and of what only slides have no rotation; planes know no moderate rotations; modal damping is of
 * small motions; cvode knows no constraints;
 * hysteretic damping is of the frequency domain. */
static bool parts_excluded(const char *one, feature a, const char *other, feature b) {
  static const char *const turning[] = {"torsional-spring", "torsional-damper", NULL};
  static const char *const hard[] = {"hard", "hard-restitution", NULL};
  static const char *const of_any_analysis[] = {"force", "harmonic", NULL};
  bool slides = a == BODY && (is_plane(one) || strcmp(one, "block") == 0);
  if (slides && b == POINT_ELEMENT) return among(other, turning);
  if (a == BODY && is_plane(one) && b == JOINT) return among(other, (const char *const[]){"weld", "prismatic", NULL});
  if (a == BODY && is_plane(one) && b == KINEMATICS) return strcmp(other, "moderate") == 0;
  if (a == DAMPING && strcmp(one, "modal") == 0 && b == KINEMATICS) return strcmp(other, "large") == 0;
  if (a == SOLVER && strcmp(one, "cvode") == 0 && b == JOINT) return strcmp(other, "none") != 0;
  if (a == SOLVER && strcmp(one, "cvode") == 0 && b == NORMAL) return among(other, hard);
  if (a == SOLVER && strcmp(one, "cvode") == 0 && b == STICK) return strcmp(other, "lagrange") == 0;
  if (a == DAMPING && strcmp(one, "hysteretic") == 0 && b == SOLVER) return strcmp(other, "alpha") != 0;
  if (a == DAMPING && strcmp(one, "hysteretic") == 0 && b == LOAD) return !among(other, of_any_analysis);
  return false;
}

/* One direction of features_fit. */
static bool excluded(const char *one, feature a, const char *other, feature b) {
  static const char *const of_frequency[] = {"frf", "resonance", NULL}, *const own_motion[] = {"modal", "nnm", NULL},
                           *const balanced[] = {"frf", "resonance", "nnm", NULL},
                           *const in_time[] = {"transient", "ring-down", NULL};
  if (a == ANALYSIS && b == LOAD && among(one, of_frequency)) return strcmp(other, "harmonic") != 0;
  if (a == ANALYSIS && b == LOAD && strcmp(one, "static") == 0) return strcmp(other, "force") != 0;
  if (a == ANALYSIS && b == LOAD && among(one, own_motion)) return strcmp(other, "force") != 0;
  if (a == ANALYSIS && b == LOAD && strcmp(one, "ring-down") == 0) return strcmp(other, "force") != 0;
  if (a == ANALYSIS && b == KINEMATICS && among(one, balanced)) return strcmp(other, "large") == 0;
  if (a == ANALYSIS && b == POINT_ELEMENT && among(one, balanced)) return strcmp(other, "squeeze-film") == 0;
  if (a == ANALYSIS && b == JOINT && among(one, balanced)) return strcmp(other, "prescribed") == 0;
  if (a == ANALYSIS && b == LAW && among(one, balanced)) return strcmp(other, "bristle") == 0;
  if (a == ANALYSIS && b == SOLVER && !among(one, in_time)) return strcmp(other, "alpha") != 0;
  if (a == ANALYSIS && b == DAMPING && among(one, in_time)) return strcmp(other, "hysteretic") == 0;
  return parts_excluded(one, a, other, b);
}

bool features_fit(const features *f, feature a, int i, feature b, int j) {
  return !excluded(f->names[a][i], a, f->names[b][j], b) && !excluded(f->names[b][j], b, f->names[a][i], a);
}
