/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/stability/monodromy.h"

#include <stdlib.h>

/* Numbers that the derivatives of one contact's step take. */
static size_t step_room(const fw_periodic_motion *m) {
  size_t most = 0;
  for (int i = 0; i < m->contact_count; i++) {
    size_t s = (size_t)m->contacts[i].friction->states, room = s * (FW_STEP_INPUTS + s + 2);
    if (room > most) most = room;
  }
  return most + FW_STEP_INPUTS;
}

static fw_status allocate(fw_context *ctx, fw_monodromy *x) {
  size_t n = (size_t)x->n, states = (size_t)x->states, samples = (size_t)x->motion->samples;
  double **squares[] = {&x->matrix, &x->tangent, &x->damping};
  for (size_t i = 0; i < sizeof squares / sizeof *squares; i++)
    FW_TRY(fw_alloc(ctx, n * n, sizeof(double), squares[i]));
  double **blocks[] = {&x->guess_q, &x->guess_v, &x->solution};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    FW_TRY(fw_alloc(ctx, n * states, sizeof(double), blocks[i]));
  FW_TRY(fw_alloc(ctx, states * states, sizeof(double), &x->X));
  FW_TRY(fw_alloc(ctx, states * states, sizeof(double), &x->next));
  FW_TRY(fw_alloc(ctx, step_room(x->motion), sizeof(double), &x->step));
  size_t moments = (size_t)x->motion->contact_count * samples;
  FW_TRY(fw_alloc(ctx, moments, sizeof *x->directions, &x->directions));
  FW_TRY(fw_alloc(ctx, moments, sizeof *x->closed, &x->closed));
  FW_TRY(fw_alloc(ctx, moments, sizeof *x->slopes, &x->slopes));
  FW_TRY(fw_alloc(ctx, moments / 2 + 1, sizeof *x->impacts, &x->impacts));
  return fw_alloc(ctx, n, sizeof(int), &x->pivot);
}

fw_status fw_monodromy_create(fw_context *ctx, const fw_periodic_motion *m, fw_monodromy *x) {
  *x = (fw_monodromy){.motion = m, .n = m->n};
  x->friction = x->normal = 3 * x->n;
  for (int i = 0; i < m->contact_count; i++) x->normal += m->contacts[i].friction->states;
  x->states = x->normal + m->contact_count;
  return allocate(ctx, x);
}

void fw_monodromy_clear(fw_monodromy *x) {
  double *all[] = {x->X, x->next, x->matrix, x->guess_q, x->guess_v, x->solution, x->step, x->tangent, x->damping};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  free(x->closed);
  free(x->slopes);
  free(x->impacts);
  free(x->pivot);
  free(x->directions);
  *x = (fw_monodromy){0};
}
