/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/frf/parts.h"

#include "contact/pair.h"

enum { KINDS = 4 };

typedef struct writer {
  fw_job *job;
  const fw_vibration *v;
  fw_sheet sheet; /* level, at, time, then KINDS per contact point */
} writer;

static fw_status open_table(writer *w) {
  static const fw_column kinds[KINDS] = {{"slip", "m"}, {"slip velocity", "m/s"}, {"tangential", "N"}, {"normal", "N"}};
  fw_sheet_column(&w->sheet, "", "level");
  fw_sheet_column(&w->sheet, "Hz", "at");
  fw_sheet_column(&w->sheet, "s", "time");
  for (int i = 0; i < KINDS * w->v->contact_count; i++) {
    char name[96];
    fw_contact_column(w->v->model, w->v->contacts[i / KINDS].number, kinds[i % KINDS].name, name, sizeof name);
    fw_sheet_column(&w->sheet, kinds[i % KINDS].unit, "%s", name);
  }
  return fw_sheet_open(&w->sheet, "loops");
}

/* The period of one orbit, its first sample again at the end so that loops close. */
static fw_status write_period(writer *w, double level, fw_balance *balance, const fw_orbit *orbit) {
  fw_orbit measured = {0};
  fw_status status = fw_orbit_measure(w->job->ctx, w->v, balance, orbit->y, &measured); /* evaluates it */
  fw_orbit_clear(&measured);
  int samples = balance->fourier.samples;
  for (int j = 0; j <= samples && status == FW_OK; j++) {
    fw_sheet_put(&w->sheet, level);
    fw_sheet_put(&w->sheet, orbit->frequency);
    fw_sheet_put(&w->sheet, j / (samples * orbit->frequency));
    for (int c = 0; c < w->v->contact_count; c++) {
      const fw_aft *aft = &balance->aft[c];
      fw_sheet_put(&w->sheet, aft->u[j % samples]);
      fw_sheet_put(&w->sheet, aft->v[j % samples]);
      fw_sheet_put(&w->sheet, aft->T[j % samples]);
      fw_sheet_put(&w->sheet, aft->N[j % samples]);
    }
    status = fw_sheet_row(&w->sheet);
  }
  return status;
}

static fw_status write_response(writer *w, const fw_response *r, bool all) {
  const fw_orbit *main = fw_frf_main(r);
  fw_solver solver = {0};
  fw_status status = FW_OK;
  if (!main) return FW_OK;
  FW_TRY_DONE(fw_solver_init(w->job->ctx, w->v, &r->options, &solver));
  for (int i = 0; i < (all ? r->count : 1); i++) {
    const fw_orbit *orbit = all ? &r->orbits[i] : main;
    if (orbit->y) FW_TRY_DONE(write_period(w, r->options.level, &solver.balance, orbit));
  }
done:
  fw_solver_clear(&solver);
  return status;
}

fw_status fw_frf_loops(fw_job *job, const fw_frf *frf, bool all) {
  writer w = {.job = job, .v = frf->vibration, .sheet = fw_sheet_of(job->ctx, job->sink, job->id)};
  if (w.v->contact_count == 0) return FW_OK;
  fw_status status = open_table(&w);
  for (int i = 0; i < frf->count && status == FW_OK; i += frf->directions)
    status = write_response(&w, &frf->responses[i], all);
  fw_sheet_close(&w.sheet);
  return status;
}
