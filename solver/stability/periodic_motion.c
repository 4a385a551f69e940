/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/stability/periodic_motion.h"

#include <stdlib.h>

fw_status fw_periodic_motion_init(fw_context *ctx, int n, int samples, int contact_count, bool free_motion,
                                  fw_periodic_motion *m) {
  *m = (fw_periodic_motion){.n = n, .samples = samples, .contact_count = contact_count};
  size_t size = (size_t)n;
  double **squares[] = {&m->M, &m->C, &m->K}, **motion[] = {&m->q, &m->v, &m->f};
  for (int i = 0; i < 3; i++) {
    FW_TRY(fw_alloc(ctx, size * size, sizeof(double), squares[i]));
    FW_TRY(fw_alloc(ctx, (size_t)samples * size, sizeof(double), motion[i]));
  }
  if (free_motion) FW_TRY(fw_alloc(ctx, 2 * size, sizeof *m->family, &m->family));
  return fw_alloc(ctx, (size_t)contact_count, sizeof *m->contacts, &m->contacts);
}

void fw_periodic_motion_clear(fw_periodic_motion *m) {
  double *all[] = {m->M, m->C, m->K, m->q, m->v, m->f, m->family};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  free(m->contacts);
  *m = (fw_periodic_motion){0};
}

int fw_periodic_motion_fastest(const fw_periodic_motion *m) {
  int n = m->n, best = 0;
  double most = 0;
  for (int s = 0; s < m->samples; s++) {
    const double *v = m->v + (size_t)s * (size_t)n;
    double energy = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) energy += v[i] * m->M[i * n + j] * v[j];
    if (energy <= most) continue;
    most = energy;
    best = s;
  }
  return best;
}
