/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Complex modes under forces that depend on the frequency of the motion: (lambda^2 M + lambda C + K) x = 0 with the matrices
 * at omega = Im lambda of the mode itself. Each mode is followed by its shape from the frequency of the deck to its own,
 * the matrices being those of the frequency found before, until neither changes. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "elements/flow.h"
#include "solver/analyses/modal_parts.h"

/* ---- the model with its fluid-elastic forces at another flow or frequency than the deck's --------- */

static fw_status set_block(fw_context *ctx, fw_flow_at where, fw_block *block) {
  const double *given = block->props.constants;
  double *constants;
  block->props.constants = NULL; /* not ours to free */
  FW_TRY(fw_alloc(ctx, FW_FLOW_CONSTANTS, sizeof *constants, &constants));
  block->props.constants = memcpy(constants, given, FW_FLOW_CONSTANTS * sizeof *constants);
  if (fw_flow_set(block->props.flow, where, constants)) return FW_OK;
  return fw_fail_at(ctx, FW_ERR_ANALYSIS, block->props.flow->place,
                    "at the flow %g and the frequency %g Hz a matrix is not a finite number",
                    where.speed < 0 ? block->props.flow->speed : where.speed,
                    where.frequency < 0 ? block->props.flow->frequency : where.frequency);
}

/* All fluid-elastic forces at one flow and frequency; everything else is lent by `model`. FW_ERR_ANALYSIS with a message where
 * one of their matrices is not a finite number. Clear after a failure too. */
static fw_status flow_model_make(fw_context *ctx, const fw_model *model, fw_flow_at where, fw_model *at) {
  *at = *model;
  at->blocks = NULL;
  at->block_count = 0;
  FW_TRY(fw_alloc(ctx, (size_t)model->block_count, sizeof *at->blocks, &at->blocks));
  for (int b = 0; b < model->block_count; b++) {
    at->blocks[b] = model->blocks[b];
    at->block_count++;
    if (model->blocks[b].props.flow) FW_TRY(set_block(ctx, where, &at->blocks[b]));
  }
  return FW_OK;
}

static void flow_model_clear(fw_model *at) {
  for (int b = 0; b < at->block_count; b++)
    if (at->blocks[b].props.flow) free((void *)(uintptr_t)at->blocks[b].props.constants);
  free(at->blocks);
  at->blocks = NULL;
  at->block_count = 0;
}

/* ---- modes ------------------------------------------------------------------------------------- */

static fw_status pairs_at(fw_modal *m, fw_flow_at where, int count, fw_quadratic_pairs *pairs) {
  fw_job *job = m->job;
  fw_system *system = NULL;
  fw_linearised *linear = NULL;
  fw_model at = {0};
  fw_status status = FW_OK;
  *pairs = (fw_quadratic_pairs){0};
  FW_TRY_DONE(flow_model_make(job->ctx, job->model, where, &at));
  FW_TRY_DONE(fw_system_create(job->ctx, &at, &system));
  FW_TRY_DONE(
      fw_linearise(job->ctx, system, m->state, (fw_contact_view)fw_args_integer(job->args, "contact"), &linear));
  FW_TRY_DONE(fw_modal_pairs(m, linear, count, pairs));
done:
  fw_linearised_destroy(&linear);
  fw_system_destroy(&system);
  flow_model_clear(&at);
  return status;
}

/* ---- one mode ---------------------------------------------------------------------------------- */

/* |x* y|^2/((x* x)(y* y)) of mode i and mode k of others. */
static double likeness(const fw_quadratic_pairs *x, int i, const fw_quadratic_pairs *y, int k, size_t n) {
  const double *a = x->real + (size_t)i * n, *b = x->imaginary + (size_t)i * n, *c = y->real + (size_t)k * n,
               *d = y->imaginary + (size_t)k * n;
  double real = 0, imaginary = 0, one = 0, other = 0;
  for (size_t j = 0; j < n; j++) {
    real += a[j] * c[j] + b[j] * d[j];
    imaginary += a[j] * d[j] - b[j] * c[j];
    one += a[j] * a[j] + b[j] * b[j];
    other += c[j] * c[j] + d[j] * d[j];
  }
  return (real * real + imaginary * imaginary) / (one * other);
}

static void take(const fw_quadratic_pairs *from, int k, fw_quadratic_pairs *to, int i, size_t n) {
  to->growth[i] = from->growth[k];
  to->omega[i] = from->omega[k];
  memcpy(to->real + (size_t)i * n, from->real + (size_t)k * n, n * sizeof(double));
  memcpy(to->imaginary + (size_t)i * n, from->imaginary + (size_t)k * n, n * sizeof(double));
}

/* A motion without oscillation is taken for one that hardly does: formulas like sin(omega tau)/omega have their limit. */
static double frequency_of(const fw_quadratic_pairs *pairs, int i) {
  const double LEAST = 1e-6;
  return fmax(pairs->omega[i], LEAST * hypot(pairs->growth[i], pairs->omega[i])) / (2 * M_PI);
}

/* The mode most like mode i, with the matrices at a frequency, in its place. */
static fw_status step_to(fw_modal *m, fw_flow_at where, int i, fw_quadratic_pairs *pairs) {
  size_t n = (size_t)m->linear->K->n;
  fw_quadratic_pairs found;
  int nearest = 0;
  fw_status status = pairs_at(m, where, pairs->count, &found);
  for (int k = 1; k < found.count; k++)
    if (likeness(pairs, i, &found, k, n) > likeness(pairs, i, &found, nearest, n)) nearest = k;
  if (status == FW_OK && found.count > 0) take(&found, nearest, pairs, i, n);
  fw_quadratic_pairs_clear(&found);
  return status;
}

/* Secants of what is missing, found - asked, as a function of the frequency asked; done where it vanishes or is as small as
 * rounding of eigenvalues lets it become. */
static fw_status settle(fw_modal *m, double flow, int i, fw_quadratic_pairs *pairs) {
  enum { MOST = 60 };
  const double ENOUGH = 1e-11, ROUNDING = 1e-8;
  double asked = frequency_of(pairs, i), last_asked = NAN, last_missing = NAN, missing = NAN;
  for (int round = 0; round < MOST; round++) {
    FW_TRY(step_to(m, (fw_flow_at){flow, asked}, i, pairs));
    missing = frequency_of(pairs, i) - asked;
    if (fabs(missing) <= ENOUGH * asked) return FW_OK;
    if (fabs(missing) <= ROUNDING * asked && fabs(missing) >= 0.5 * fabs(last_missing)) return FW_OK;
    double slope = (missing - last_missing) / (asked - last_asked), next = asked + missing;
    if (isfinite(slope) && slope < -0.1 && asked - missing / slope > 0) next = asked - missing / slope;
    last_asked = asked;
    last_missing = missing;
    asked = next;
  }
  return fw_fail(m->job->ctx, FW_ERR_ANALYSIS,
                 "mode %d does not settle at the frequency of its fluid-elastic matrices: at %.9g Hz it has %.9g Hz",
                 i + 1, last_asked, last_asked + missing);
}

/* ---- all --------------------------------------------------------------------------------------- */

/* By |lambda|: an insertion sort, as they are nearly sorted. */
static fw_status sort(fw_context *ctx, fw_quadratic_pairs *pairs, size_t n) {
  fw_quadratic_pairs held = {0};
  fw_status status = FW_OK;
  FW_TRY_DONE(fw_alloc(ctx, 1, sizeof(double), &held.growth));
  FW_TRY_DONE(fw_alloc(ctx, 1, sizeof(double), &held.omega));
  FW_TRY_DONE(fw_alloc(ctx, n, sizeof(double), &held.real));
  FW_TRY_DONE(fw_alloc(ctx, n, sizeof(double), &held.imaginary));
  for (int i = 1; i < pairs->count; i++) {
    int k = i;
    take(pairs, i, &held, 0, n);
    double size = hypot(held.growth[0], held.omega[0]);
    for (; k > 0 && hypot(pairs->growth[k - 1], pairs->omega[k - 1]) > size; k--) take(pairs, k - 1, pairs, k, n);
    take(&held, 0, pairs, k, n);
  }
done:
  fw_quadratic_pairs_clear(&held);
  return status;
}

fw_status fw_modal_flow_pairs(fw_modal *m, double flow, int count, fw_quadratic_pairs *pairs) {
  FW_TRY(pairs_at(m, (fw_flow_at){flow, fw_flow_of_deck.frequency}, count, pairs));
  if (!fw_model_has_flow_frequency(m->job->model)) return FW_OK;
  for (int i = 0; i < pairs->count; i++) FW_TRY(settle(m, flow, i, pairs));
  return sort(m->job->ctx, pairs, (size_t)m->linear->K->n);
}
