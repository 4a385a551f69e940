/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/assembly/modal_damping.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "elements/element.h"

enum { FREEDOMS_MOST = 1000 };

fw_status fw_modal_damping_check(fw_context *ctx, const fw_model *model, fw_place place) {
  if (model->dof_count > FREEDOMS_MOST)
    return fw_fail_at(ctx, FW_ERR_DECK, place,
                      "modal damping is a full matrix, for models of at most %d freedoms; this one has %d: give it "
                      "Rayleigh damping",
                      FREEDOMS_MOST, model->dof_count);
  for (int b = 0; b < model->block_count; b++)
    if (fw_element_turns(model->blocks[b].ops, &model->blocks[b].props))
      return fw_fail_at(ctx, FW_ERR_DECK, place,
                        "modal damping belongs to small motions about the undeformed place, but \"%s\" turns far: give "
                        "it Rayleigh damping",
                        model->bodies[model->blocks[b].body].id);
  return FW_OK;
}

/* C += factor w w^T on the first n freedoms. */
static void add_square(const double *w, int n, double factor, fw_sparse *C) {
  for (int64_t j = 0; j < n; j++)
    for (int64_t k = C->p[j]; k < C->p[j + 1]; k++)
      if (C->i[k] < n) C->x[k] += factor * w[C->i[k]] * w[j];
}

fw_status fw_modal_damping_add(fw_context *ctx, fw_system *system) {
  fw_status status = FW_OK;
  const fw_model *model = system->model;
  int n = model->dof_count, found = 0;
  int count = model->modal_damping_count < n ? model->modal_damping_count : n;
  double *omega2 = NULL, *phi = NULL, *work = NULL;
  fw_sparse *K = NULL, *M = NULL;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)count, sizeof *omega2, &omega2));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)count * (size_t)n, sizeof *phi, &phi));
  FW_TRY_DONE(fw_alloc(ctx, 2 * (size_t)system->size, sizeof *work, &work));
  FW_TRY_DONE(fw_system_structure(ctx, system, &K, &M));
  FW_TRY_DONE(fw_system_modes(ctx, system, K, M, count, omega2, phi, &found));
  for (int m = 0; m < found; m++) {
    double *x = work, *M_phi = work + system->size;
    memset(work, 0, 2 * (size_t)system->size * sizeof *work);
    memcpy(x, phi + (size_t)m * (size_t)n, (size_t)n * sizeof *x);
    fw_sparse_multiply(M, 1.0, x, M_phi);
    add_square(M_phi, n, 2.0 * model->modal_damping[m] * sqrt(fmax(omega2[m], 0.0)), system->C);
  }
done:
  fw_sparse_destroy(&K);
  fw_sparse_destroy(&M);
  free(omega2);
  free(phi);
  free(work);
  return status;
}
