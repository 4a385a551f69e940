/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "elements/spring_law.h"

#include <string.h>

#include "core/piecewise.h"

enum { K, PRELOAD, POINTS, FORCES, TABLE }; /* constants; then the elongations, then the forces */

int fw_spring_law_pack(const fw_given *given, double *c) {
  const fw_given *e = &given[2], *F = &given[3];
  if (c) {
    c[K] = given[0].count ? given[0].values[0] : 0;
    c[PRELOAD] = given[1].count ? given[1].values[0] : 0;
    c[POINTS] = e->count;
    c[FORCES] = F->count;
    if (e->count) memcpy(c + TABLE, e->values, (size_t)e->count * sizeof *c);
    if (F->count) memcpy(c + TABLE + e->count, F->values, (size_t)F->count * sizeof *c);
  }
  return TABLE + e->count + F->count;
}

fw_spring_law fw_spring_law_view(const double *c) {
  int points = (int)c[POINTS];
  return (fw_spring_law){c[K], c[PRELOAD], points, (int)c[FORCES], c + TABLE, c + TABLE + points};
}

const char *fw_spring_law_check(const fw_spring_law *law) {
  if (law->points != law->forces) return "the table needs as many forces as elongations";
  if (law->points == 1) return "the table needs at least two points";
  for (int i = 1; i < law->points; i++)
    if (!(law->e[i] > law->e[i - 1])) return "the elongations of the table must increase";
  return NULL;
}

bool fw_spring_law_nonlinear(const fw_spring_law *law) { return law->points > 2; }

static double segment_slope(const fw_spring_law *law, int i) {
  return (law->F[i + 1] - law->F[i]) / (law->e[i + 1] - law->e[i]);
}

double fw_spring_law_force(const fw_spring_law *law, double e, double *slope) {
  double force = law->preload + law->k * e;
  if (slope) *slope = law->k;
  if (law->points == 0) return force;
  int i = fw_piece_of(law->e, law->points, e);
  double rise = segment_slope(law, i);
  if (slope) *slope += rise;
  return force + law->F[i] + rise * (e - law->e[i]);
}

/* Integral of the table from its first elongation to e. */
static double table_integral(const fw_spring_law *law, double e) {
  int last = fw_piece_of(law->e, law->points, e);
  double sum = 0;
  for (int i = 0; i < last; i++) sum += 0.5 * (law->F[i] + law->F[i + 1]) * (law->e[i + 1] - law->e[i]);
  double step = e - law->e[last];
  return sum + step * (law->F[last] + 0.5 * segment_slope(law, last) * step);
}

double fw_spring_law_energy(const fw_spring_law *law, double e) {
  double energy = (law->preload + 0.5 * law->k * e) * e;
  return law->points == 0 ? energy : energy + table_integral(law, e) - table_integral(law, 0);
}
