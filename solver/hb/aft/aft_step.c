/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The step from one sample of the period to the next: what a friction law is given, and its derivatives. */
#include <cblas.h>
#include <math.h>

#include "solver/hb/aft/aft_parts.h"

static const double FAINT = 1e-4; /* normal force of a contact that is about to open, beside the largest */

/* A friction force is defined for N >= 0; below that the contact is open whatever the amount. */
static double pressing(double N) { return N > 0 ? N : 0; }

fw_touching fw_cycle_touching(const fw_cycle *cycle, int j) {
  int n = cycle->fourier->samples;
  return fw_touching_at(cycle->pressed[j ? j - 1 : n - 1], cycle->pressed[j], cycle->pressed[j + 1 < n ? j + 1 : 0]);
}

void fw_cycle_add_through_pressed(const fw_cycle *cycle, int j, double factor, const double by[3], double *row) {
  int n = cycle->fourier->samples, size = cycle->fourier->size;
  for (int k = 0; k < 3; k++) {
    const double *basis = cycle->fourier->basis + (size_t)((j + k - 1 + n) % n) * (size_t)size;
    double f = cycle->sense * factor * by[k];
    for (int c = 0; f != 0 && c < size; c++) row[c] += f * basis[c];
  }
}

/* True if the contact is all but open at sample j, or open for a part of the time around it only. It counts as pressed
 * by next to nothing: some laws step with the force half way and make of nothing at the end what they like. */
static bool is_faint(const fw_cycle *cycle, int j) {
  if (cycle->firm || !(cycle->N[j] < FAINT * cycle->N[cycle->most])) return false;
  if (cycle->pressed[j] > 0) return cycle->N[j] > 0;
  fw_touching here = fw_cycle_touching(cycle, j);
  return here.share > 0 || here.keep > 0;
}

bool fw_cycle_is_firm(const fw_cycle *cycle) {
  for (int j = 0; j < cycle->fourier->samples; j++)
    if (!(cycle->pressed[j] > 0 && cycle->N[j] >= FAINT * cycle->N[cycle->most])) return false;
  return true;
}

fw_step_in fw_cycle_step(const fw_cycle *cycle, const fw_cycle_point *point, int i, int j) {
  fw_step_in in = {.dt = 0};
  if (i < 0) {
    in.x[FW_STEP_DU] = cycle->u[j];
    in.x[FW_STEP_N0] = pressing(point->N0);
  } else {
    double part = cycle->firm ? 1 : fw_cycle_touching(cycle, j).part;
    in.x[FW_STEP_DU] = part * (cycle->u[j] - cycle->u[i]);
    in.x[FW_STEP_V0] = cycle->v[i];
    in.x[FW_STEP_V1] = cycle->v[j];
    in.x[FW_STEP_N0] = pressing(cycle->N[i]);
    in.dt = 2 * M_PI / (cycle->omega * cycle->fourier->samples);
  }
  in.x[FW_STEP_N1] = is_faint(cycle, j) ? FAINT * cycle->N[cycle->most] : pressing(cycle->N[j]);
  return in;
}

/* to += a x + b y. */
static void add_two(int n, double a, const double *x, double b, const double *y, double *restrict to) {
  for (int c = 0; c < n; c++) to[c] += a * x[c] + b * y[c];
}

static const double *at(const double *rows, int size, int j) { return rows + (size_t)j * (size_t)size; }

void fw_cycle_add_inputs(const fw_cycle *cycle, const double *x, int i, int j, double *row) {
  const fw_fourier *fourier = cycle->fourier;
  int size = fourier->size;
  bool faint = is_faint(cycle, j);
  const double *N1 = at(cycle->N_x, size, faint ? cycle->most : j);
  double n1 = faint ? FAINT * x[FW_STEP_N1] : cycle->N[j] > 0 ? x[FW_STEP_N1] : 0;
  if (i < 0) {
    cblas_daxpy(size, x[FW_STEP_DU], at(fourier->basis, size, j), 1, row, 1);
    cblas_daxpy(size, n1, N1, 1, row + size, 1);
    return;
  }
  double n0 = cycle->N[i] > 0 ? x[FW_STEP_N0] : 0, du = x[FW_STEP_DU];
  double v0 = cycle->omega * x[FW_STEP_V0], v1 = cycle->omega * x[FW_STEP_V1];
  if (!cycle->firm && du != 0) {
    fw_touching here = fw_cycle_touching(cycle, j);
    if (!here.whole) fw_cycle_add_through_pressed(cycle, j, du * (cycle->u[j] - cycle->u[i]), here.part_p, row + size);
    du *= here.part;
  }
  /* most laws depend on some of these only, and a slider on none of them while it slides */
  if (du != 0) add_two(size, du, at(fourier->basis, size, j), -du, at(fourier->basis, size, i), row);
  if (v0 != 0 || v1 != 0) add_two(size, v0, at(fourier->rate, size, i), v1, at(fourier->rate, size, j), row);
  if (n0 != 0 || n1 != 0) add_two(size, n0, at(cycle->N_x, size, i), n1, N1, row + size);
}
