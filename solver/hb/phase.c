/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/resonance.h"

#include <string.h>

double complex fw_phase_drive(const fw_vibration *v) {
  for (int d = 0; d < v->drive_count; d++)
    if (v->drives[d].harmonic == 1) return v->drives[d].factor;
  return 1;
}

fw_status fw_phase_init(fw_context *ctx, const fw_vibration *v, const fw_balance *balance, int sensor, double phase,
                        double size, fw_phase *out) {
  *out = (fw_phase){.vibration = v, .balance = balance, .sensor = sensor};
  out->turn = cexp(-I * phase) / (fw_phase_drive(v) * size);
  return fw_dynamic_init(ctx, &v->reduced, &out->dynamic);
}

void fw_phase_clear(fw_phase *phase) { fw_dynamic_clear(&phase->dynamic); }

/* Part of X / level that comes through the coordinates; row: its weights. */
static double complex through_coordinates(const fw_phase *p, const double *y, double complex *row) {
  double complex sum = 0;
  fw_dynamic_reading(&p->dynamic, &p->vibration->sensors[p->sensor], row);
  for (int j = 0; j < p->vibration->reduced.coordinates; j++)
    sum += row[j] * fw_balance_coordinate(p->balance, y, j, 1);
  return sum / p->balance->level;
}

/* Part that comes directly through the rest. */
static double complex direct(const fw_phase *p) {
  const fw_vibration *v = p->vibration;
  double complex sum = 0;
  for (int d = 0; d < v->drive_count; d++)
    if (v->drives[d].harmonic == 1)
      sum += v->drives[d].factor * fw_dynamic_direct(&p->dynamic, &v->sensors[p->sensor], &v->drives[d].load);
  return sum;
}

double fw_phase_value(void *user, const double *y, double *gradient) {
  fw_phase *p = user;
  const fw_balance *b = p->balance;
  double omega = y[b->n], h = 1e-6 * omega;
  fw_dynamic_set(&p->dynamic, omega + h);
  double shifted = cimag(p->turn * (through_coordinates(p, y, b->r_k) + direct(p)));
  fw_dynamic_set(&p->dynamic, omega);
  double value = cimag(p->turn * (through_coordinates(p, y, b->r_k) + direct(p)));
  memset(gradient, 0, ((size_t)b->n + 1) * sizeof(double));
  for (int j = 0; j < p->vibration->reduced.coordinates; j++) {
    if (b->closed[j]) continue;
    double complex weight = p->turn * b->r_k[j] / b->level;
    gradient[j * b->fourier.size + 1] = cimag(weight); /* z = a - i b */
    gradient[j * b->fourier.size + 2] = -creal(weight);
  }
  gradient[b->n] = (shifted - value) / h;
  if (b->control.direction) gradient[b->n - 1] = fw_phase_level(p, y);
  return value;
}

double fw_phase_level(const fw_phase *p, const double *y) {
  return -cimag(p->turn * through_coordinates(p, y, p->balance->r_k)) / p->balance->level;
}
