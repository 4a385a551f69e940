/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How fast tubes move in forces that belong to one frequency: that of a sine with the same mean squares of displacement
 * (about its mean) and velocity across the tube, over all that moves in them,
 *
 *   (2 pi f)^2 = sum of int u'^2 dt/sum of int (u - mean u)^2 dt. */
#include <math.h>
#include <stdlib.h>

#include "core/reading.h"
#include "elements/flow.h"
#include "solver/analyses/recorders.h"
#include "solver/assembly/system_parts.h"

enum { ACROSS = 2 * FW_FLOW_POINTS }; /* displacements of a part of an element */

/* Integrals over the observed time. */
typedef struct part_sums {
  double mean[ACROSS], square[ACROSS], rate;
} part_sums;

typedef struct recorder {
  fw_job *job;
  int *parts; /* blocks that are parts of such forces */
  int count;
  double time;
  part_sums *sums;
} recorder;

static bool belongs(const fw_block *block) { return block->props.flow && block->props.flow->frequency > 0; }

static fw_status create(fw_job *job, const fw_observation *over, void **self) {
  (void)over;
  const fw_model *model = job->model;
  fw_status status = FW_OK;
  recorder *w = NULL;
  if (!fw_model_has_flow_frequency(model)) return FW_OK;
  FW_TRY(fw_alloc(job->ctx, 1, sizeof *w, &w));
  w->job = job;
  FW_TRY_DONE(fw_alloc(job->ctx, (size_t)model->block_count, sizeof *w->parts, &w->parts));
  for (int b = 0; b < model->block_count; b++)
    if (belongs(&model->blocks[b])) w->parts[w->count++] = b;
  FW_TRY_DONE(fw_alloc(job->ctx, (size_t)w->count, sizeof *w->sums, &w->sums));
done:
  *self = w;
  return status;
}

static void destroy(void *self) {
  recorder *w = self;
  free(w->parts);
  free(w->sums);
  free(w);
}

static void add_part(const fw_block *block, const fw_state *state, double dt, part_sums *sums) {
  double q[FW_ELEMENT_DOFS], v[FW_ELEMENT_DOFS], u[ACROSS], rate[ACROSS];
  int n = fw_element_dofs(block->ops);
  fw_element_gather(block->dofs, n, state->q, q);
  fw_element_gather(block->dofs, n, state->v, v);
  fw_flow_motion(block, q, u);
  fw_flow_motion(block, v, rate);
  for (int g = 0; g < ACROSS; g++) {
    sums->mean[g] += dt * u[g];
    sums->square[g] += dt * u[g] * u[g];
    sums->rate += dt * rate[g] * rate[g];
  }
}

static fw_status step(void *self, const fw_state *state, double dt) {
  recorder *w = self;
  w->time += dt;
  for (int i = 0; i < w->count; i++) add_part(&w->job->model->blocks[w->parts[i]], state, dt, &w->sums[i]);
  return FW_OK;
}

static fw_status archive(void *self, fw_archive *archive) {
  recorder *w = self;
  FW_TRY(fw_archive_numbers(archive, &w->time, 1));
  return fw_archive_numbers(archive, (double *)w->sums, (size_t)w->count * sizeof *w->sums / sizeof(double));
}

/* The frequency of what moves in the forces of one body; 0: nothing does. */
static double frequency_seen(const recorder *w, int body) {
  double squares = 0, rates = 0;
  for (int i = 0; i < w->count; i++) {
    const part_sums *sums = &w->sums[i];
    if (w->job->model->blocks[w->parts[i]].body != body) continue;
    rates += sums->rate;
    for (int g = 0; g < ACROSS; g++) squares += fmax(sums->square[g] - sums->mean[g] * sums->mean[g] / w->time, 0);
  }
  return squares > 0 ? sqrt(rates / squares) / (2 * M_PI) : 0;
}

static fw_status report(void *self, double span) {
  (void)span;
  const recorder *w = self;
  for (int i = 0, last = -1; w->time > 0 && i < w->count; i++) {
    const fw_model *model = w->job->model;
    const fw_block *block = &model->blocks[w->parts[i]];
    if (block->body == last) continue;
    last = block->body;
    const char *id = model->bodies[last].id;
    double of_matrices = block->props.flow->frequency, seen = frequency_seen(w, last);
    FW_TRY(fw_record_set_figure(w->job->summary, of_matrices, "Hz", "fluid_elastic.%s.frequency", id));
    FW_TRY(fw_record_set_figure(w->job->summary, seen, "Hz", "fluid_elastic.%s.frequency_seen", id));
    fw_log(w->job->ctx, "%s: matrices of '%s' are those at %.5g Hz, what moves there does so at %.5g Hz", w->job->id,
           id, of_matrices, seen);
  }
  return FW_OK;
}

const fw_recorder_ops fw_flow_recorder = {
    .create = create,
    .destroy = destroy,
    .step = step,
    .archive = archive,
    .report = report,
};
