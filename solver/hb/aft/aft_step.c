/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The step from one sample of the period to the next: what a friction law is given, and its derivatives. */
#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "solver/hb/aft/aft_parts.h"

static const double FAINT = 1e-4; /* normal force of a contact that is about to open, beside the largest */

/* A friction force is defined for N >= 0; below that the contact is open whatever the amount. */
static double pressing(double N) { return N > 0 ? N : 0; }

fw_touching fw_aft_touching(const fw_aft *aft, int j) {
  int n = aft->fourier->samples;
  return fw_touching_at(aft->pressed[j ? j - 1 : n - 1], aft->pressed[j], aft->pressed[j + 1 < n ? j + 1 : 0]);
}

void fw_aft_add_through_pressed(const fw_aft *aft, int j, double factor, const double by[3], double *row) {
  int n = aft->fourier->samples, size = aft->fourier->size;
  for (int k = 0; k < 3; k++) {
    const double *basis = aft->fourier->basis + (size_t)((j + k - 1 + n) % n) * (size_t)size;
    double f = aft->sense * factor * by[k];
    for (int c = 0; f != 0 && c < size; c++) row[c] += f * basis[c];
  }
}

/* True if the contact is all but open at sample j, or open for a part of the time around it only. It counts as pressed
 * by next to nothing: some laws step with the force half way and make of nothing at the end what they like. */
static bool is_faint(const fw_aft *aft, int j) {
  if (aft->firm || !(aft->N[j] < FAINT * aft->N[aft->most])) return false;
  if (aft->pressed[j] > 0) return aft->N[j] > 0;
  fw_touching here = fw_aft_touching(aft, j);
  return here.share > 0 || here.keep > 0;
}

bool fw_aft_is_firm(const fw_aft *aft) {
  for (int j = 0; j < aft->fourier->samples; j++)
    if (!(aft->pressed[j] > 0 && aft->N[j] >= FAINT * aft->N[aft->most])) return false;
  return true;
}

fw_step_in fw_aft_step(const fw_aft *aft, const fw_aft_point *point, int i, int j) {
  fw_step_in in = {.dt = 0};
  if (i < 0) {
    in.x[FW_STEP_DU] = aft->u[j];
    in.x[FW_STEP_N0] = pressing(point->N0);
  } else {
    double part = aft->firm ? 1 : fw_aft_touching(aft, j).part;
    in.x[FW_STEP_DU] = part * (aft->u[j] - aft->u[i]);
    in.x[FW_STEP_V0] = aft->v[i];
    in.x[FW_STEP_V1] = aft->v[j];
    in.x[FW_STEP_N0] = pressing(aft->N[i]);
    in.dt = 2 * M_PI / (aft->omega * aft->fourier->samples);
  }
  in.x[FW_STEP_N1] = is_faint(aft, j) ? FAINT * aft->N[aft->most] : pressing(aft->N[j]);
  return in;
}

double fw_aft_velocity_before(const fw_aft *aft, int j, double lag, double *row) {
  const fw_fourier *fourier = aft->fourier;
  const double *basis = fourier->basis + (size_t)j * (size_t)fourier->size;
  const double *rate = fourier->rate + (size_t)j * (size_t)fourier->size;
  double sum = 0;
  if (row) row[0] = 0;
  for (int k = 1; k <= fourier->H; k++) { /* rate at tau - phi by the sums of angles */
    double phi = k * aft->omega * lag, c = aft->omega * cos(phi), s = aft->omega * k * sin(phi);
    for (int i = 2 * k - 1; i <= 2 * k; i++) {
      double slope = c * rate[i] + s * basis[i];
      sum += slope * aft->slip[i];
      if (row) row[i] = slope;
    }
  }
  return sum;
}

/* to += a x + b y. */
static void add_two(int n, double a, const double *x, double b, const double *y, double *restrict to) {
  for (int c = 0; c < n; c++) to[c] += a * x[c] + b * y[c];
}

static const double *at(const double *rows, int size, int j) { return rows + (size_t)j * (size_t)size; }

void fw_aft_add_inputs(const fw_aft *aft, const double *x, int i, int j, double *row) {
  const fw_fourier *fourier = aft->fourier;
  int size = fourier->size;
  bool faint = is_faint(aft, j);
  const double *N1 = at(aft->N_x, size, faint ? aft->most : j);
  double n1 = faint ? FAINT * x[FW_STEP_N1] : aft->N[j] > 0 ? x[FW_STEP_N1] : 0;
  if (i < 0) {
    cblas_daxpy(size, x[FW_STEP_DU], at(fourier->basis, size, j), 1, row, 1);
    cblas_daxpy(size, n1, N1, 1, row + size, 1);
    return;
  }
  double n0 = aft->N[i] > 0 ? x[FW_STEP_N0] : 0, du = x[FW_STEP_DU];
  double v0 = aft->omega * x[FW_STEP_V0], v1 = aft->omega * x[FW_STEP_V1];
  if (!aft->firm && du != 0) {
    fw_touching here = fw_aft_touching(aft, j);
    if (!here.whole) fw_aft_add_through_pressed(aft, j, du * (aft->u[j] - aft->u[i]), here.part_p, row + size);
    du *= here.part;
  }
  /* most laws depend on some of these only, and a slider on none of them while it slides */
  if (du != 0) add_two(size, du, at(fourier->basis, size, j), -du, at(fourier->basis, size, i), row);
  if (v0 != 0 || v1 != 0) add_two(size, v0, at(fourier->rate, size, i), v1, at(fourier->rate, size, j), row);
  if (n0 != 0 || n1 != 0) add_two(size, n0, at(aft->N_x, size, i), n1, N1, row + size);
}

/* ---- stick or slip ----------------------------------------------------------------------- */

fw_status fw_stick_pattern(fw_context *ctx, const fw_aft *aft, const fw_aft_point *point, char *pattern) {
  int n = aft->fourier->samples;
  size_t s = (size_t)aft->states;
  double *memory, T_x[FW_STEP_INPUTS];
  FW_TRY(fw_alloc(ctx, s * (s + FW_STEP_INPUTS + 2), sizeof *memory, &memory));
  fw_step_out out = {.z = memory, .T_z = memory + s, .z_x = memory + 2 * s, .T_x = T_x};
  out.z_z = out.z_x + s * FW_STEP_INPUTS;
  bool rigid = point->stick_penalty > 0, states = !rigid && s > 0;
  size_t entries = !states ? 0 : fw_friction_uncoupled(point->friction) ? s : s * s;
  for (int j = 0; j < n; j++) {
    int before = (j + n - 1) % n;
    uint64_t hash = rigid ? fw_hash_integer(FW_HASH_START, aft->slides[j]) : FW_HASH_START;
    fw_step_in in = fw_aft_step(aft, point, before, j);
    if (states) fw_friction_step(point->friction, &in, aft->z_samples + (size_t)before * s, &out);
    for (size_t e = 0; e < entries; e++) hash = fw_hash_integer(hash, out.z_z[e] == 0);
    pattern[j] = (char)(1 + hash % 127); /* depends on which entries are zero */
  }
  free(memory);
  return FW_OK;
}
