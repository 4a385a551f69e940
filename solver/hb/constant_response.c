/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/constant_response.h"

#include <cblas.h>
#include <math.h>

void fw_constant_response_set(fw_balance *b, const fw_projected *direction, double amplitude, int rate) {
  b->control = (fw_response_control){.direction = direction, .amplitude = amplitude, .rate = rate};
  b->n++;
}

/* X_1 = row . z_1 + level direct; row is left in r_k. */
static double complex reading(const fw_balance *b, const fw_dynamic *first, const double *y, double complex *direct) {
  double complex sum = 0;
  *direct = 0;
  for (int d = 0; d < b->given.drive_count; d++) {
    const fw_balance_drive *drive = &b->given.drives[d];
    if (drive->harmonic == 1) *direct += drive->factor * fw_dynamic_direct(first, b->control.direction, &drive->load);
  }
  fw_dynamic_reading(first, b->control.direction, b->r_k);
  for (int j = 0; j < b->given.reduced->coordinates; j++) sum += b->r_k[j] * fw_balance_coordinate(b, y, j, 1);
  return sum + y[b->n - 1] * *direct;
}

static double wished(const fw_balance *b, double omega) { return b->control.amplitude / pow(omega, b->control.rate); }

fw_status fw_constant_response_equation(fw_balance *b, const fw_dynamic *dynamic, const double *y, double *r,
                                        fw_jacobian *J) {
  int n = b->n, size = b->fourier.size;
  if (J) fw_balance_level(b, J->columns);
  double complex direct, X = reading(b, &dynamic[1], y, &direct);
  double amplitude = cabs(X), goal = wished(b, y[n]);
  if (b->control.by_level) {
    r[n - 1] = y[n - 1] - 1;
    if (J) J->columns[n - 1] = 1;
    return FW_OK;
  }
  if (!(amplitude > 0)) return FW_RECOVER_NAN;
  r[n - 1] = amplitude / goal - 1;
  if (!J) return FW_OK;
  double complex along = conj(X) / (amplitude * goal); /* d|X| = Re(conj(X) dX) / |X| */
  for (int j = 0; j < b->given.reduced->coordinates; j++) {
    if (b->closed[j]) continue;
    double complex weight = along * b->r_k[j];
    size_t column = (size_t)(j * size + 1);
    J->rows[column] = creal(weight); /* z = a - i b */
    J->rows[column + 1] = cimag(weight);
  }
  J->columns[n - 1] = creal(along * direct);
  return FW_OK;
}

void fw_constant_response_stretch(const fw_balance *b, double *y) {
  double complex direct, X = reading(b, &b->dynamic[1], y, &direct);
  if (cabs(X) > 0) cblas_dscal(b->n, wished(b, y[b->n]) / cabs(X), y, 1);
}
