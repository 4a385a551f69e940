/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "same.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/results.h"

enum { PATH = 300 };

typedef struct comparison {
  const fw_results *one, *other;
  double tolerance;
  bool sensors;
  char *why;
  size_t size;
} comparison;

static bool has_any(const char *name, const char *const *words) {
  for (; *words; words++)
    if (strstr(name, *words)) return true;
  return false;
}

/* How the answer was found, rounding, components of vectors, and what energies, which may be nothing, are to each other. */
static bool is_left_out(const comparison *k, const char *name) {
  static const char *const always[] = {
      "statistics", "seconds",  "residual", "iterations", "evaluations",  "memory",      "newton", "truncation",
      "phase",      "distance", ".min",     ".max",       "shape",        "convergence", "error",  "steps",
      "effective",  "state",    " fx",      " fy",        "energy.drift", NULL};
  static const char *const of_sensors[] = {"sensors", "x.", "amplitude", "gain", "peak", NULL};
  return has_any(name, always) || (!k->sensors && (has_any(name, of_sensors) || strcmp(name, "x") == 0));
}

/* What is as good as nothing beside 50 N, deflections of um, their velocities (mm/s) and energies, and dampers that would
 * bear such forces. */
static double nothing(const comparison *k, const char *name) {
  static const char *const of_forces[] = {"force", "normal", "tangential", "moment", " N", " T", NULL},
                           *const of_energy[] = {"power", "work", "energy", NULL};
  if (has_any(name, (const char *const[]){"equivalent", NULL})) return k->tolerance * 1e3;
  if (has_any(name, (const char *const[]){"velocity", NULL})) return k->tolerance * 1e-3;
  return k->tolerance * (has_any(name, of_forces) ? 0.5 : has_any(name, of_energy) ? 1e-2 : 1e-6);
}

static bool differs(const comparison *k, const char *name, double a, double b, double largest) {
  return fabs(fabs(a) - fabs(b)) > k->tolerance * largest + nothing(k, name);
}

/* ---- summaries --------------------------------------------------------------------------- */

static bool same_number(const comparison *k, const char *path) {
  double a = 0, b = 0;
  fw_record_number(k->one->summary, path, &a);
  if (fw_record_number(k->other->summary, path, &b) != FW_OK) {
    snprintf(k->why, k->size, "%s is missing", path);
    return false;
  }
  if (!differs(k, path, a, b, fmax(fabs(a), fabs(b)))) return true;
  snprintf(k->why, k->size, "%s: %.10g and %.10g", path, a, b);
  return false;
}

static bool same_text(const comparison *k, const char *path) {
  const char *a = "", *b = "";
  fw_record_text(k->one->summary, path, &a);
  fw_record_text(k->other->summary, path, &b);
  if (!strstr(path, "status") || strcmp(a, b) == 0) return true;
  snprintf(k->why, k->size, "%s: %s and %s", path, a, b);
  return false;
}

static bool same_record(const comparison *k, const char *path) {
  if (is_left_out(k, path)) return true;
  fw_record_kind kind = fw_record_kind_at(k->one->summary, path);
  if (kind == FW_RECORD_NUMBER) return same_number(k, path);
  if (kind == FW_RECORD_TEXT) return same_text(k, path);
  if (kind != FW_RECORD_LIST && kind != FW_RECORD_OBJECT) return true;
  for (int i = 0; i < fw_record_count(k->one->summary, path); i++) {
    char child[PATH];
    if (kind == FW_RECORD_LIST)
      snprintf(child, sizeof child, "%s[%d]", path, i);
    else
      snprintf(child, sizeof child, "%s.%s", path, fw_record_key(k->one->summary, path, i));
    if (!same_record(k, child)) return false;
  }
  return true;
}

/* ---- tables ------------------------------------------------------------------------------ */

static double largest_of(const double *values, size_t rows) {
  double largest = 0;
  for (size_t i = 0; i < rows; i++)
    if (isfinite(values[i])) largest = fmax(largest, fabs(values[i]));
  return largest;
}

static bool same_column(const comparison *k, const fw_data_table *a, const fw_data_table *b, int c) {
  double largest = largest_of(a->values[c], a->rows);
  if (is_left_out(k, a->column_names[c])) return true;
  for (size_t i = 0; i < a->rows; i++)
    if (differs(k, a->column_names[c], a->values[c][i], b->values[c][i], largest)) {
      snprintf(k->why, k->size, "table %s of %s, %s, row %zu: %.10g and %.10g (largest %.3g)", a->name, a->analysis,
               a->column_names[c], i, a->values[c][i], b->values[c][i], largest);
      return false;
    }
  return true;
}

static bool same_table(const comparison *k, const fw_data_table *a) {
  const fw_data_table *b = fw_sink_find(k->other->sink, a->analysis, a->name);
  if (is_left_out(k, a->name)) return true;
  if (!b || b->rows != a->rows || b->columns != a->columns) {
    snprintf(k->why, k->size, "table %s of %s: %zu rows and %zu", a->name, a->analysis, a->rows, b ? b->rows : 0);
    return false;
  }
  for (int c = 0; c < a->columns; c++)
    if (!same_column(k, a, b, c)) return false;
  return true;
}

bool same_results(const fw_results *one, const fw_results *other, double tolerance, bool sensors, bool tables,
                  char *why, size_t size) {
  const comparison k = {one, other, tolerance, sensors, why, size};
  if (!same_record(&k, "analyses")) return false;
  for (int i = 0; tables && i < one->sink->table_count; i++)
    if (!same_table(&k, one->sink->tables[i])) return false;
  return true;
}
