/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The polynomial forces of von Kármán beams in the equations of harmonic balance: f(z) + C(z) dz/dt at equidistant
 * samples, and from their spectra the residual and its derivatives,
 *
 *   dr/dy = T[f_z + (C v)_z] + omega T[C] D,
 *
 * T the map of a factor in tau onto series (fw_fourier_product), D the derivative with respect to tau. */
#include "solver/hb/balance.h"

#include <cblas.h>
#include <string.h>

bool fw_balance_has_polynomial(const fw_balance *b) { return b->given.quartic && b->given.quartic->elements; }

bool fw_balance_has_drag(const fw_balance *b) { return fw_balance_has_polynomial(b) && b->given.quartic->cubic_drag; }

/* Coordinates and, where they are damped, their rates. */
static void sample(fw_balance *b, const double *y) {
  int size = b->fourier.size, samples = b->fine.samples;
  bool damped = fw_balance_has_drag(b);
  for (int i = 0; i < b->given.reduced->coordinates; i++) {
    double *z = b->samples + i * samples, *v = damped ? b->rates + i * samples : NULL;
    if (b->closed[i]) {
      memset(z, 0, (size_t)samples * sizeof(double));
      if (v) memset(v, 0, (size_t)samples * sizeof(double));
      continue;
    }
    fw_fourier_sample(&b->fine, y + i * size, z);
    if (!v) continue;
    fw_fourier_sample_rate(&b->fine, y + i * size, v);
    cblas_dscal(samples, y[b->n], v, 1);
  }
}

/* Forces at all samples, those of damping apart, and their derivatives. */
static void evaluate(fw_balance *b, bool tangent) {
  const fw_quartic *quartic = b->given.quartic;
  int c = b->given.reduced->coordinates, size = b->fourier.size, samples = b->fine.samples;
  bool damped = fw_balance_has_drag(b);
  double *z = b->block + (ptrdiff_t)2 * size * size, *v = z + c, *work = v + c;
  fw_quartic_force(quartic, samples, b->samples, b->forces, tangent ? b->tangents : NULL, b->quartic_room);
  for (int s = 0; damped && s < samples; s++) {
    double *K = b->tangents + (size_t)(s * c) * (size_t)c;
    for (int i = 0; i < c; i++) z[i] = b->samples[i * samples + s];
    double *C = b->drag_tangents + (size_t)(s * c) * (size_t)c, *C_z = work + c;
    for (int i = 0; i < c; i++) v[i] = b->rates[i * samples + s];
    fw_quartic_drag(quartic, z, v, b->drags + s * c, C, C_z, work);
    for (int k = 0; tangent && k < c * c; k++) K[k] += C_z[k];
  }
}

static void add_forces(fw_balance *b, const double *forces, double factor, double *r) {
  int c = b->given.reduced->coordinates, size = b->fourier.size;
  fw_fourier_project(&b->fine, forces, c, b->spectra);
  for (int i = 0; i < c; i++)
    for (int d = 0; d < size; d++) r[i * size + d] += factor * b->spectra[d * c + i];
}

/* block += omega T D: D takes cos k tau to -k sin k tau and sin k tau to k cos k tau. */
static void add_rate(const fw_balance *b, const double *T, double omega, double *block) {
  int size = b->fourier.size;
  for (int k = 1; k <= b->fourier.H; k++)
    for (int e = 0; e < size; e++) {
      block[e * size + 2 * k - 1] -= k * omega * T[e * size + 2 * k];
      block[e * size + 2 * k] += k * omega * T[e * size + 2 * k - 1];
    }
}

/* Of symmetric tangents: a block serves both of a pair. */
static void add_tangents(fw_balance *b, fw_jacobian *J) {
  int c = b->given.reduced->coordinates;
  double *block = b->block;
  fw_fourier_project(&b->wide, b->tangents, c * c, b->spectra);
  for (int i = 0; i < c; i++)
    for (int j = 0; j <= i; j++) {
      if (b->closed[i] && b->closed[j]) continue;
      fw_fourier_product(&b->fourier, b->spectra + i * c + j, c * c, block);
      if (!b->closed[j]) fw_balance_add_block(b, J, i, j, 1, block);
      if (i != j && !b->closed[i]) fw_balance_add_block(b, J, j, i, 1, block);
    }
}

/* Of displacements or, with omega > 0, of rates. */
static void add_all_tangents(fw_balance *b, const double *tangents, double omega, fw_jacobian *J) {
  int c = b->given.reduced->coordinates, size = b->fourier.size;
  double *T = b->block, *turned = b->block + (ptrdiff_t)size * size;
  fw_fourier_project(&b->wide, tangents, c * c, b->spectra);
  for (int i = 0; i < c; i++)
    for (int j = 0; j < c; j++) {
      if (b->closed[j]) continue;
      fw_fourier_product(&b->fourier, b->spectra + i * c + j, c * c, T);
      if (omega > 0) {
        memset(turned, 0, (size_t)(size * size) * sizeof(double));
        add_rate(b, T, omega, turned);
      }
      fw_balance_add_block(b, J, i, j, 1, omega > 0 ? turned : T);
    }
}

void fw_balance_polynomial(fw_balance *b, const double *y, double *r, fw_jacobian *J, double *r_lambda) {
  double omega = y[b->n];
  bool damped = fw_balance_has_drag(b);
  sample(b, y);
  evaluate(b, J != NULL);
  add_forces(b, b->forces, 1, r);
  if (damped) add_forces(b, b->drags, 1, r);
  if (damped && r_lambda) add_forces(b, b->drags, 1 / omega, r_lambda);
  if (J && !damped) add_tangents(b, J);
  if (J && damped) add_all_tangents(b, b->tangents, 0, J);
  if (J && damped) add_all_tangents(b, b->drag_tangents, omega, J);
}

double fw_balance_drag_power(const fw_balance *b) {
  int c = b->given.reduced->coordinates, samples = b->fine.samples;
  double sum = 0;
  if (!fw_balance_has_drag(b)) return 0;
  for (int i = 0; i < c; i++) sum += cblas_ddot(samples, b->rates + i * samples, 1, b->drags + i, c);
  return sum / samples;
}
