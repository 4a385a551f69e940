/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "core/formula.h"

enum { FIRST, SECOND, ORDERS, ROUNDS = 9 };

/* Neville's table of one derivative over halved steps; the errors of central differences are even in the step. */
typedef struct fw_extrapolation {
  double row[ROUNDS];
  double best, error;
} fw_extrapolation;

static void refine(fw_extrapolation *e, int round, double value) {
  double previous = e->row[0], factor = 4.0;
  e->row[0] = value;
  for (int k = 1; k <= round; k++, factor *= 4.0) {
    double next = (factor * e->row[k - 1] - previous) / (factor - 1.0);
    double error = fmax(fabs(next - e->row[k - 1]), fabs(next - previous));
    previous = e->row[k];
    e->row[k] = next;
    if (!(error <= e->error)) continue;
    e->error = error;
    e->best = next;
  }
}

static double value_at(const fw_formula *formula, double t) { return formula->value(formula, &t, NULL); }

void fw_formula_rates(const fw_formula *formula, double t, double *first, double *second) {
  static const double starts[] = {1e-3, 0.1}; /* s: fast and slow functions */
  double middle = value_at(formula, t), best[ORDERS] = {0}, error[ORDERS] = {INFINITY, INFINITY};
  for (size_t s = 0; s < sizeof starts / sizeof *starts; s++) {
    fw_extrapolation tables[ORDERS] = {{.error = INFINITY}, {.error = INFINITY}};
    double h = starts[s];
    for (int round = 0; round < ROUNDS; round++, h *= 0.5) {
      double plus = value_at(formula, t + h), minus = value_at(formula, t - h);
      refine(&tables[FIRST], round, (plus - minus) / (2.0 * h));
      refine(&tables[SECOND], round, (plus - 2.0 * middle + minus) / (h * h));
    }
    for (int k = 0; k < ORDERS; k++) {
      /* wide steps are more exact for slow functions; that fast ones may look slow in them, the first tells */
      bool agrees = s == 0 || fabs(tables[k].best - best[k]) <= 10.0 * error[k];
      if (!agrees || !(tables[k].error < error[k])) continue;
      error[k] = tables[k].error;
      best[k] = tables[k].best;
    }
  }
  if (first) *first = best[FIRST];
  if (second) *second = best[SECOND];
}
