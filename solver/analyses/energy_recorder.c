/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/recorders.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "contact/detect/surface.h"
#include "contact/pair.h"
#include "elements/flow.h"

fw_status fw_energy_recorder_open(fw_energy_recorder *w, fw_job *job) {
  static const fw_column columns[] = {{"time", "s"},
                                      {"kinetic", "J"},
                                      {"strain", "J"},
                                      {"work of loads", "J"},
                                      {"structural damping", "J"},
                                      {"friction", "J"},
                                      {"contact stored", "J"},
                                      {"contact damping", "J"},
                                      {"numerical", "J"},
                                      {"residual", "J"}};
  enum { ALWAYS = sizeof columns / sizeof *columns };
  fw_column all[ALWAYS + 2];
  int count = ALWAYS;
  w->job = job;
  w->film = fw_model_has_film(job->model);
  w->flow = fw_model_has_circulation(job->model);
  memcpy(all, columns, sizeof columns);
  if (w->film) all[count++] = (fw_column){"films of liquid", "J"};
  if (w->flow) all[count++] = (fw_column){"fluid-elastic", "J"};
  return fw_sink_table(job->sink, job->ctx, job->id, "energy", all, count, false, &w->table);
}

void fw_energy_recorder_begin(fw_energy_recorder *w, const fw_energy *energy) { w->first = *energy; }

void fw_energy_recorder_step(fw_energy_recorder *w, const fw_state *state, const fw_energy *energy) {
  w->last = *energy;
  w->kinetic_most = fmax(w->kinetic_most, energy->kinetic);
  w->numerical_most = fmax(w->numerical_most, fabs(energy->numerical));
  double most = 0.0;
  for (int c = 0; c < w->job->model->contact_count; c++) most = fmax(most, fabs(state->touch[c].N));
  w->pressed += most;
}

void fw_energy_recorder_dwell(fw_energy_recorder *w, const fw_energy *energy, double dt) {
  w->kinetic_time += dt * energy->kinetic;
}

static double energy_residual(const fw_energy *e, const fw_energy *from) {
  return e->loads - from->loads + (e->flow - from->flow) - (e->kinetic - from->kinetic) - (e->strain - from->strain) -
         (e->damping - from->damping) - (e->film - from->film) - (e->friction - from->friction) -
         (e->contact_stored - from->contact_stored) - (e->contact_damping - from->contact_damping) -
         (e->numerical - from->numerical);
}

fw_status fw_energy_recorder_row(fw_energy_recorder *w, double time, const fw_energy *e) {
  const double energies[] = {time,
                             e->kinetic,
                             e->strain,
                             e->loads,
                             e->damping,
                             e->friction,
                             e->contact_stored,
                             e->contact_damping,
                             e->numerical,
                             energy_residual(e, &w->first),
                             w->film ? e->film : e->flow,
                             e->flow};
  return fw_sink_row(w->job->sink, w->job->ctx, w->table, energies);
}

fw_status fw_energy_recorder_archive(fw_energy_recorder *w, fw_archive *archive) {
  FW_TRY(fw_archive_numbers(archive, &w->kinetic_most, 1));
  FW_TRY(fw_archive_numbers(archive, &w->numerical_most, 1));
  FW_TRY(fw_archive_numbers(archive, &w->kinetic_time, 1));
  FW_TRY(fw_archive_numbers(archive, &w->pressed, 1));
  FW_TRY(fw_archive_numbers(archive, (double *)&w->first, sizeof w->first / sizeof(double)));
  return fw_archive_numbers(archive, (double *)&w->last, sizeof w->last / sizeof(double));
}

/* The largest of the numbers that places on a surface come from. */
static double surface_extent(const fw_surface *surface) {
  double extent = 0.0;
  for (int i = 0; i < surface->anchor_count; i++)
    for (int k = 0; k < 2; k++) extent = fmax(extent, fabs(surface->anchors[i].vector[k]));
  for (int i = 0; i < surface->segment_count; i++) extent = fmax(extent, surface->segments[i].radius);
  return extent;
}

/* Work that is rounding: in each step what places round to, under the largest force of a contact. */
static double rounding_work(const fw_energy_recorder *w) {
  const fw_model *model = w->job->model;
  double extent = 0.0;
  for (int i = 0; i < model->node_count; i++)
    for (int k = 0; k < 2; k++) extent = fmax(extent, fabs(model->nodes[i].x[k]));
  for (int p = 0; p < model->pair_count; p++)
    if (model->pairs[p]->target) extent = fmax(extent, surface_extent(model->pairs[p]->target));
  return DBL_EPSILON * extent * w->pressed;
}

fw_status fw_energy_recorder_report(const fw_energy_recorder *w) {
  const fw_energy *a = &w->first, *b = &w->last;
  double residual = energy_residual(b, a);
  double through = fmax(fabs(b->loads - a->loads),
                        fmax(fabs(b->damping - a->damping) + fabs(b->film - a->film) + fabs(b->flow - a->flow) +
                                 fabs(b->friction - a->friction) + fabs(b->contact_damping - a->contact_damping) +
                                 fabs(b->numerical - a->numerical),
                             b->kinetic + fabs(b->strain)));
  through = fmax(through, rounding_work(w));
  const struct {
    const char *name, *unit;
    double value;
  } terms[] = {{"loads", "J", b->loads - a->loads},
               {"stored", "J", b->kinetic - a->kinetic + b->strain - a->strain + b->contact_stored - a->contact_stored},
               {"structural_damping", "J", b->damping - a->damping},
               {"friction", "J", b->friction - a->friction},
               {"contact_damping", "J", b->contact_damping - a->contact_damping},
               {"numerical", "J", b->numerical - a->numerical},
               {"drift", "", w->kinetic_most > 0.0 ? w->numerical_most / w->kinetic_most : 0.0},
               {"residual", "", through > 0.0 ? residual / through : 0.0}};
  for (size_t i = 0; i < sizeof terms / sizeof *terms; i++)
    FW_TRY(fw_record_set_figure(w->job->summary, terms[i].value, terms[i].unit, "energy.%s", terms[i].name));
  if (w->film) FW_TRY(fw_record_set_figure(w->job->summary, b->film - a->film, "J", "energy.film"));
  if (w->flow) FW_TRY(fw_record_set_figure(w->job->summary, b->flow - a->flow, "J", "energy.fluid_elastic"));
  return FW_OK;
}

fw_status fw_energy_recorder_criterion(const fw_energy_recorder *w, double span) {
  const fw_energy *a = &w->first, *b = &w->last;
  double structural = b->damping - a->damping + b->film - a->film;
  double supports = b->friction - a->friction + b->contact_damping - a->contact_damping;
  double decay = w->kinetic_time > 0.0 ? 0.25 / w->kinetic_time : 0.0;
  const struct {
    const char *name, *unit;
    double value;
  } terms[] = {{"input_power", "W", (b->loads - a->loads) / span},
               {"damping_power", "W", structural / span},
               {"support_power", "W", supports / span},
               {"damping_decay", "1/s", decay * structural},
               {"support_decay", "1/s", decay * supports}};
  for (size_t i = 0; w->job->model->ring_count > 0 && i < sizeof terms / sizeof *terms; i++)
    FW_TRY(fw_record_set_figure(w->job->summary, terms[i].value, terms[i].unit, "energy_criterion.%s", terms[i].name));
  if (w->job->model->ring_count == 0 || !w->flow) return FW_OK;
  return fw_record_set_figure(w->job->summary, (b->flow - a->flow) / span, "W", "energy_criterion.fluid_power");
}
