/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/time/variation.h"

#include <stdlib.h>
#include <string.h>

#include "core/load.h"

enum { PARTS = 14 };

/* Its vectors, and how many entries of a change each has. */
typedef struct fw_parts {
  double **at[PARTS];
  int size[PARTS];
} fw_parts;

static fw_parts parts_of(fw_variation *x) {
  return (fw_parts){{&x->q, &x->v, &x->a, &x->algorithmic, &x->z, &x->N, &x->T, &x->omega, &x->level, &x->epmc,
                     &x->pace, &x->whole, &x->time, &x->part},
                    {x->n, x->n, x->n, x->n, x->states, x->contacts, x->contacts, 1, 1, 1, 1, 1, 1, 1}};
}

fw_status fw_variation_init(fw_context *ctx, const fw_model *model, int count, fw_variation *x) {
  *x =
      (fw_variation){.count = count, .n = model->dof_count, .contacts = model->contact_count, .states = model->z_count};
  const fw_parts parts = parts_of(x);
  for (int i = 0; i < PARTS; i++)
    FW_TRY(fw_alloc(ctx, (size_t)count * (size_t)parts.size[i], sizeof(double), parts.at[i]));
  return FW_OK;
}

void fw_variation_clear(fw_variation *x) {
  const fw_parts parts = parts_of(x);
  for (int i = 0; i < PARTS; i++) free(*parts.at[i]);
  *x = (fw_variation){0};
}

void fw_variation_assign(fw_variation *to, const fw_variation *from) {
  fw_variation source = *from;
  const fw_parts in = parts_of(&source), out = parts_of(to);
  for (int i = 0; i < PARTS; i++)
    memcpy(*out.at[i], *in.at[i], (size_t)to->count * (size_t)in.size[i] * sizeof(double));
  to->drive = from->drive;
  to->gentlest = from->gentlest;
}

void fw_variation_loads(const fw_variation *x, int k, const fw_state *state, double time, double omega, double dt,
                        double *f) {
  const fw_model *model = state->model;
  fw_loads_change(model, state->load_factors, time, omega, dt, x->omega[k], f);
  for (int i = 0; x->drive && i < model->load_count; i++) {
    double factor = x->level[k] * x->drive[i];
    if (factor != 0)
      fw_functional_scatter(&model->loads[i].shape, factor * fw_load_value(&model->loads[i], time, omega), f);
  }
}

void fw_variation_epmc(const fw_variation *x, int k, const fw_sparse *M, const double *v, double *room, double *f) {
  if (x->epmc[k] == 0) return;
  memset(room, 0, (size_t)M->n * sizeof *room);
  memcpy(room, v, (size_t)x->n * sizeof *room);
  fw_sparse_multiply(M, x->epmc[k], room, f);
}
