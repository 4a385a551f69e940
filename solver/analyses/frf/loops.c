/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/frf/parts.h"

#include <stdlib.h>

#include "contact/pair.h"

enum { FIRST = 3, KINDS = 4, NAME = 96 };

typedef struct writer {
  fw_job *job;
  const fw_vibration *v;
  fw_data_table *table;
  double *row; /* level, at, time, then KINDS per contact point */
} writer;

static fw_status open_table(writer *w) {
  static const fw_column kinds[KINDS] = {{"slip", "m"}, {"slip velocity", "m/s"}, {"tangential", "N"}, {"normal", "N"}};
  int count = FIRST + KINDS * w->v->contact_count;
  fw_column *columns = NULL;
  char(*names)[NAME] = NULL;
  fw_status status = FW_OK;
  FW_TRY_DONE(fw_alloc(w->job->ctx, (size_t)count, sizeof *columns, &columns));
  FW_TRY_DONE(fw_alloc(w->job->ctx, (size_t)count, sizeof *names, &names));
  FW_TRY_DONE(fw_alloc(w->job->ctx, (size_t)count, sizeof *w->row, &w->row));
  columns[0] = (fw_column){"level", ""};
  columns[1] = (fw_column){"at", "Hz"};
  columns[2] = (fw_column){"time", "s"};
  for (int i = FIRST; i < count; i++) {
    const fw_column *kind = &kinds[(i - FIRST) % KINDS];
    fw_contact_column(w->v->model, w->v->contacts[(i - FIRST) / KINDS].number, kind->name, names[i], NAME);
    columns[i] = (fw_column){names[i], kind->unit};
  }
  status = fw_sink_table(w->job->sink, w->job->ctx, w->job->id, "loops", columns, count, false, &w->table);
done:
  free(columns);
  free(names);
  return status;
}

/* The period of one orbit, its first sample again at the end so that loops close. */
static fw_status write_period(writer *w, fw_balance *balance, const fw_orbit *orbit) {
  fw_orbit measured = {0};
  fw_status status = fw_orbit_measure(w->job->ctx, w->v, balance, orbit->y, &measured); /* evaluates it */
  fw_orbit_clear(&measured);
  int samples = balance->fourier.samples;
  w->row[1] = orbit->frequency;
  for (int j = 0; j <= samples && status == FW_OK; j++) {
    double *to = w->row + FIRST;
    w->row[2] = j / (samples * orbit->frequency);
    for (int c = 0; c < w->v->contact_count; c++, to += KINDS) {
      const fw_aft *cycle = &balance->aft[c];
      to[0] = cycle->u[j % samples];
      to[1] = cycle->v[j % samples];
      to[2] = cycle->T[j % samples];
      to[3] = cycle->N[j % samples];
    }
    status = fw_sink_row(w->job->sink, w->job->ctx, w->table, w->row);
  }
  return status;
}

static fw_status write_response(writer *w, const fw_response *r, bool all) {
  const fw_orbit *main = fw_frf_main(r);
  fw_solver solver = {0};
  fw_status status = FW_OK;
  if (!main) return FW_OK;
  w->row[0] = r->options.level;
  FW_TRY_DONE(fw_solver_init(w->job->ctx, w->v, &r->options, &solver));
  for (int i = 0; i < (all ? r->count : 1); i++) {
    const fw_orbit *orbit = all ? &r->orbits[i] : main;
    if (orbit->y) FW_TRY_DONE(write_period(w, &solver.balance, orbit));
  }
done:
  fw_solver_clear(&solver);
  return status;
}

fw_status fw_frf_loops(fw_job *job, const fw_frf *frf, bool all) {
  writer w = {.job = job, .v = frf->vibration};
  if (w.v->contact_count == 0) return FW_OK;
  fw_status status = open_table(&w);
  for (int i = 0; i < frf->count && status == FW_OK; i += frf->directions)
    status = write_response(&w, &frf->responses[i], all);
  free(w.row);
  return status;
}
