/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/time/variation.h"

#include <stdlib.h>

fw_status fw_variation_init(fw_context *ctx, const fw_model *model, int count, fw_variation *x) {
  *x =
      (fw_variation){.count = count, .n = model->dof_count, .contacts = model->contact_count, .states = model->z_count};
  double **motions[] = {&x->q, &x->v, &x->a, &x->algorithmic}, **forces[] = {&x->N, &x->T};
  double **lengths[] = {&x->omega, &x->whole, &x->time, &x->part};
  size_t changes = (size_t)count;
  for (int i = 0; i < 4; i++) FW_TRY(fw_alloc(ctx, changes * (size_t)x->n, sizeof(double), motions[i]));
  for (int i = 0; i < 2; i++) FW_TRY(fw_alloc(ctx, changes * (size_t)x->contacts, sizeof(double), forces[i]));
  for (int i = 0; i < 4; i++) FW_TRY(fw_alloc(ctx, changes, sizeof(double), lengths[i]));
  return fw_alloc(ctx, changes * (size_t)x->states, sizeof(double), &x->z);
}

void fw_variation_clear(fw_variation *x) {
  double *vectors[] = {x->q, x->v, x->a, x->algorithmic, x->z, x->N, x->T, x->omega, x->whole, x->time, x->part};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) free(vectors[i]);
  *x = (fw_variation){0};
}
