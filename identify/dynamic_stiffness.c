/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/dynamic_stiffness.h"

#include <stdlib.h>

static void list_entries(const void *user, fw_entries *entries) {
  const fw_sparse *K = user;
  for (int64_t j = 0; j < K->n; j++)
    for (int64_t k = K->p[j]; k < K->p[j + 1]; k++)
      for (int64_t half = 0; half < 2; half++) {
        fw_entries_add(entries, K->i[k], j + half * K->n);
        fw_entries_add(entries, K->i[k] + K->n, j + half * K->n);
      }
}

fw_status fw_dynamic_stiffness_init(fw_context *ctx, const fw_linearised *linear, fw_dynamic_stiffness *s) {
  *s = (fw_dynamic_stiffness){.linear = linear};
  FW_TRY(fw_alloc(ctx, 2 * (size_t)linear->K->n, sizeof *s->parts, &s->parts));
  FW_TRY(fw_sparse_create(ctx, 2 * linear->K->n, list_entries, linear->K, &s->whole));
  return fw_factor_create(ctx, s->whole, &s->factor);
}

void fw_dynamic_stiffness_clear(fw_dynamic_stiffness *s) {
  fw_factor_destroy(&s->factor);
  fw_sparse_destroy(&s->whole);
  free(s->parts);
  *s = (fw_dynamic_stiffness){0};
}

/* Rows are sorted: in a column of `whole` the real part of the column of K stands first, then the imaginary one. */
static void fill(const fw_linearised *l, double omega, fw_sparse *whole) {
  for (int64_t j = 0; j < l->K->n; j++) {
    int64_t count = l->K->p[j + 1] - l->K->p[j];
    double *left = whole->x + whole->p[j], *right = whole->x + whole->p[j + l->K->n];
    for (int64_t k = 0; k < count; k++) {
      int64_t at = l->K->p[j] + k;
      left[k] = right[count + k] = l->K->x[at] - omega * omega * l->M->x[at];
      left[count + k] = omega * l->C->x[at];
      right[k] = -left[count + k];
    }
  }
}

fw_status fw_dynamic_stiffness_set(fw_context *ctx, fw_dynamic_stiffness *s, double omega) {
  fill(s->linear, omega, s->whole);
  fw_status status = fw_factor_compute(ctx, s->factor, s->whole, NULL);
  if (status != FW_ERR_SINGULAR) return status;
  return fw_fail(ctx, FW_ERR_ANALYSIS, "the structure cannot be solved for at %g rad/s", omega);
}

fw_status fw_dynamic_stiffness_solve(fw_context *ctx, fw_dynamic_stiffness *s, double complex *x) {
  int64_t n = s->linear->K->n;
  for (int64_t i = 0; i < n; i++) {
    s->parts[i] = creal(x[i]);
    s->parts[n + i] = cimag(x[i]);
  }
  FW_TRY(fw_factor_solve(ctx, s->factor, s->parts, 1));
  for (int64_t i = 0; i < n; i++) x[i] = s->parts[i] + _Complex_I * s->parts[n + i];
  return FW_OK;
}
