/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/frf_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/pair.h"

enum { HARMONICS_SHOWN = 10, NAME = 128 };

/* ---- columns ------------------------------------------------------------------------------- */

typedef struct sheet {
  fw_column *columns;
  char (*names)[NAME];
  double *row;
  int count, room;
} sheet;

static void add_column(sheet *s, const char *unit, const char *owner, const char *quantity) {
  if (s->count == s->room) return;
  if (owner)
    snprintf(s->names[s->count], NAME, "%s.%s", owner, quantity);
  else
    snprintf(s->names[s->count], NAME, "%s", quantity);
  s->columns[s->count] = (fw_column){s->names[s->count], unit};
  s->count++;
}

static const struct {
  const char *name, *unit;
} pair_columns[] = {{"work_rate", "W"},        {"dissipated_power", "W"}, {"sliding_power", "W"},
                    {"presliding_power", "W"}, {"slip_amplitude", "m"},   {"stick_fraction", ""},
                    {"normal_mean", "N"},      {"normal_max", "N"},       {"normal_min", "N"},
                    {"tangential_max", "N"},   {"wear_rate", "m^3/s"}};
enum { PAIR_COLUMNS = sizeof pair_columns / sizeof *pair_columns };

static void pair_values(const fw_pair *pair, const fw_pair_orbit *o, double values[PAIR_COLUMNS]) {
  const double all[PAIR_COLUMNS] = {
      o->work_rate, o->dissipated, o->sliding, o->presliding, o->slip_amplitude,           o->stick_fraction,
      o->N_mean,    o->N_max,      o->N_min,   o->T_max,      pair->archard * o->work_rate};
  memcpy(values, all, sizeof all);
}

static int shown_harmonics(const fw_response *r) { return r->wish.H < HARMONICS_SHOWN ? r->wish.H : HARMONICS_SHOWN; }

static void name_columns(const fw_model *model, const fw_response *r, sheet *s) {
  static const char *const units[] = {"m", "m/s", "m/s^2"};
  add_column(s, "Hz", NULL, "frequency");
  for (int i = 0; i < model->sensor_count; i++) {
    const char *id = model->sensors[i].id, *unit = units[model->sensors[i].quantity];
    add_column(s, unit, id, "amplitude");
    add_column(s, "deg", id, "phase");
    add_column(s, unit, id, "mean");
    for (int k = 2; k <= shown_harmonics(r); k++) {
      char name[32];
      snprintf(name, sizeof name, "amplitude-%d", k);
      add_column(s, unit, id, name);
      snprintf(name, sizeof name, "phase-%d", k);
      add_column(s, "deg", id, name);
    }
  }
  for (int p = 0; p < model->pair_count; p++)
    for (int c = 0; c < PAIR_COLUMNS; c++)
      add_column(s, pair_columns[c].unit, model->pairs[p]->id, pair_columns[c].name);
  add_column(s, "W", NULL, "drive_power");
  add_column(s, "W", NULL, "structural_power");
  add_column(s, "W", NULL, "friction_power");
  add_column(s, "W", NULL, "normal_power");
  add_column(s, "", NULL, "energy_residual");
}

static double degrees(double complex x) { return carg(x) * 180 / M_PI; }

static void fill_row(const fw_model *model, const fw_response *r, const fw_orbit *orbit, double *row) {
  int at = 0;
  row[at++] = orbit->frequency;
  for (int i = 0; i < model->sensor_count; i++) {
    const double complex *harmonics = orbit->sensors + i * (r->wish.H + 1);
    row[at++] = cabs(harmonics[1]);
    row[at++] = degrees(harmonics[1]);
    row[at++] = creal(harmonics[0]);
    for (int k = 2; k <= shown_harmonics(r); k++) {
      row[at++] = cabs(harmonics[k]);
      row[at++] = degrees(harmonics[k]);
    }
  }
  for (int p = 0; p < model->pair_count; p++, at += PAIR_COLUMNS)
    pair_values(model->pairs[p], &orbit->pairs[p], row + at);
  row[at++] = orbit->drive;
  row[at++] = orbit->structural;
  row[at++] = orbit->friction;
  row[at++] = orbit->normal;
  row[at++] = orbit->residual;
}

fw_status fw_frf_write(fw_job *job, const fw_frf *frf, const fw_response *r, bool both) {
  const fw_model *model = frf->vibration->model;
  fw_status status = FW_OK;
  sheet s = {.room = 6 + model->sensor_count * (3 + 2 * HARMONICS_SHOWN) + model->pair_count * PAIR_COLUMNS};
  FW_TRY_DONE(fw_alloc(job->ctx, (size_t)s.room, sizeof *s.columns, &s.columns));
  FW_TRY_DONE(fw_alloc(job->ctx, (size_t)s.room, sizeof *s.names, &s.names));
  FW_TRY_DONE(fw_alloc(job->ctx, (size_t)s.room, sizeof *s.row, &s.row));
  name_columns(model, r, &s);
  char name[64];
  snprintf(name, sizeof name, "frf-%g%s", r->wish.level, !both ? "" : r->wish.f_from < r->wish.f_to ? "-up" : "-down");
  fw_data_table *table;
  FW_TRY_DONE(fw_sink_table(job->sink, job->ctx, job->id, name, s.columns, s.count, false, &table));
  for (int i = 0; i < r->count; i++) {
    fill_row(model, r, &r->orbits[i], s.row);
    FW_TRY_DONE(fw_sink_row(job->sink, job->ctx, table, s.row));
  }
done:
  free(s.columns);
  free(s.names);
  free(s.row);
  return status;
}

/* ---- summary ------------------------------------------------------------------------------- */

/* Of several resonances at one level the one with the largest response; NULL: none. */
static const fw_orbit *main_resonance(const fw_vibration *v, const fw_response *r) {
  const fw_orbit *best = NULL;
  for (int i = 0; i < r->resonance_count; i++)
    if (!best ||
        cabs(fw_response_compliance(v, &r->wish, &r->resonances[i])) > cabs(fw_response_compliance(v, &r->wish, best)))
      best = &r->resonances[i];
  return best;
}

static double equivalent_damping(const fw_orbit *orbit) {
  double lost = orbit->structural + orbit->friction + orbit->normal;
  return lost / (4 * M_PI * orbit->frequency * orbit->kinetic);
}

static double amplitude(const fw_response *r, const fw_orbit *orbit) {
  return cabs(orbit->sensors[r->wish.sensor * (r->wish.H + 1) + 1]);
}

static fw_status record_contact(fw_record *to, const fw_model *model, const fw_orbit *orbit, const char *prefix) {
  for (int p = 0; p < model->pair_count; p++) {
    double values[PAIR_COLUMNS];
    pair_values(model->pairs[p], &orbit->pairs[p], values);
    for (int c = 0; c < PAIR_COLUMNS; c++)
      FW_TRY(fw_record_set_number(to, values[c], "%scontact.%s.%s", prefix, model->pairs[p]->id, pair_columns[c].name));
  }
  return FW_OK;
}

static fw_status record_resonances(fw_record *to, const fw_vibration *v, const fw_response *r, const char *level) {
  const fw_orbit *main = main_resonance(v, r);
  FW_TRY(fw_record_set_number(to, main ? main->frequency : NAN, "%sresonance.frequency", level));
  FW_TRY(fw_record_set_number(to, main ? amplitude(r, main) : NAN, "%sresonance.amplitude", level));
  FW_TRY(fw_record_set_number(to, main ? equivalent_damping(main) : NAN, "%sresonance.damping", level));
  for (int i = 0; i < r->resonance_count; i++) {
    FW_TRY(fw_record_set_number(to, r->resonances[i].frequency, "%sresonances[%d].frequency", level, i));
    FW_TRY(fw_record_set_number(to, amplitude(r, &r->resonances[i]), "%sresonances[%d].amplitude", level, i));
    FW_TRY(fw_record_set_number(to, equivalent_damping(&r->resonances[i]), "%sresonances[%d].damping", level, i));
  }
  if (r->peak < 0) return FW_OK;
  const fw_orbit *peak = &r->orbits[r->peak];
  FW_TRY(fw_record_set_number(to, peak->frequency, "%speak.frequency", level));
  FW_TRY(fw_record_set_number(to, amplitude(r, peak), "%speak.amplitude", level));
  FW_TRY(fw_record_set_number(to, r->bandwidth, "%speak.bandwidth", level));
  return fw_record_set_number(to, r->bandwidth / (2 * peak->frequency), "%speak.damping", level);
}

static fw_status record_level(fw_record *to, const fw_vibration *v, const fw_response *r, const char *level) {
  FW_TRY(fw_record_set_number(to, r->wish.level, "%slevel", level));
  FW_TRY(record_resonances(to, v, r, level));
  const fw_orbit *at = main_resonance(v, r);
  if (!at && r->peak >= 0) at = &r->orbits[r->peak];
  if (at) FW_TRY(record_contact(to, v->model, at, level));
  if (at) FW_TRY(fw_record_set_number(to, at->residual, "%senergy.residual", level));
  FW_TRY(fw_record_set_number(to, r->wish.H, "%sharmonics", level));
  FW_TRY(fw_record_set_number(to, r->wish.samples, "%ssamples", level));
  FW_TRY(fw_record_set_number(to, r->truncation, "%struncation", level));
  FW_TRY(fw_record_set_number(to, r->count, "%spoints", level));
  FW_TRY(fw_record_set_number(to, r->iterations, "%siterations", level));
  if (r->note[0]) FW_TRY(fw_record_set_text(to, r->note, "%snote", level));
  return FW_OK;
}

/* Worst energy residual and largest contact figures over every orbit. */
static fw_status record_extremes(fw_record *to, const fw_frf *frf) {
  const fw_model *model = frf->vibration->model;
  double residual = 0;
  for (int i = 0; i < frf->count; i++)
    for (int j = 0; j < frf->responses[i].count; j++) residual = fmax(residual, frf->responses[i].orbits[j].residual);
  FW_TRY(fw_record_set_number(to, residual, "energy.residual"));
  for (int p = 0; p < model->pair_count; p++) {
    double most[PAIR_COLUMNS], values[PAIR_COLUMNS];
    for (int c = 0; c < PAIR_COLUMNS; c++) most[c] = NAN;
    for (int i = 0; i < frf->count; i++)
      for (int j = 0; j < frf->responses[i].count; j++) {
        pair_values(model->pairs[p], &frf->responses[i].orbits[j].pairs[p], values);
        for (int c = 0; c < PAIR_COLUMNS; c++)
          most[c] =
              strcmp(pair_columns[c].name, "normal_min") == 0 ? fmin(most[c], values[c]) : fmax(most[c], values[c]);
      }
    for (int c = 0; c < PAIR_COLUMNS; c++)
      FW_TRY(fw_record_set_number(to, most[c], "contact.%s.%s", model->pairs[p]->id, pair_columns[c].name));
  }
  return FW_OK;
}

fw_status fw_frf_summarise(fw_job *job, const fw_frf *frf) {
  int per_level = frf->level_count ? frf->count / frf->level_count : 0;
  for (int i = 0; i < frf->count; i++) {
    char prefix[64];
    if (i % per_level == 0)
      snprintf(prefix, sizeof prefix, "levels[%d].", i / per_level);
    else
      snprintf(prefix, sizeof prefix, "levels[%d].down.", i / per_level);
    FW_TRY(record_level(job->summary, frf->vibration, &frf->responses[i], prefix));
  }
  FW_TRY(fw_record_set_number(job->summary, frf->vibration->reduced.coordinates, "reduction.coordinates"));
  FW_TRY(fw_record_set_number(job->summary, frf->vibration->reduced.modes, "reduction.modes"));
  FW_TRY(fw_record_set_number(job->summary, frf->vibration->reduced.rest, "reduction.condensed"));
  return record_extremes(job->summary, frf);
}

/* ---- states -------------------------------------------------------------------------------- */

/* The orbit nearest in frequency among the responses at that level; upward sweeps come first. */
static const fw_response *nearest(const fw_frf *frf, double level, double frequency, const fw_orbit **orbit) {
  const fw_response *best = NULL;
  double least = INFINITY;
  for (int i = 0; i < frf->count; i++) {
    const fw_response *r = &frf->responses[i];
    if (fabs(r->wish.level - level) > 1e-9 * fabs(level)) continue;
    for (int j = 0; j < r->count; j++) {
      double distance = fabs(r->orbits[j].frequency - frequency);
      if (distance < least) {
        least = distance;
        best = r;
        *orbit = &r->orbits[j];
      }
    }
  }
  return best;
}

fw_status fw_frf_state(fw_context *ctx, const fw_frf *frf, double level, double frequency, double phase,
                       fw_state **state) {
  const fw_orbit *orbit = NULL;
  const fw_response *r = nearest(frf, level, frequency, &orbit);
  if (!r) return fw_fail(ctx, FW_ERR_ANALYSIS, "the frequency response has no orbit at level %g", level);
  if (frequency <= 0) frequency = orbit->frequency;
  fw_solver solver;
  FW_TRY(fw_solver_init(ctx, frf->vibration, &r->wish, &solver));
  fw_status status = FW_OK;
  double *y = NULL;
  fw_orbit measured = {0};
  FW_TRY_DONE(fw_alloc(ctx, (size_t)solver.balance.n + 1, sizeof *y, &y));
  memcpy(y, orbit->y, ((size_t)solver.balance.n + 1) * sizeof *y);
  status = fw_solver_at(ctx, &solver, frequency, r->wish.tolerance, y);
  if (status > 0)
    status = fw_fail(ctx, FW_ERR_ANALYSIS, "no periodic motion found at level %g and %g Hz", level, frequency);
  if (status != FW_OK) goto done;
  FW_TRY_DONE(fw_orbit_measure(ctx, frf->vibration, &solver.balance, y, &measured));
  FW_TRY_DONE(fw_vibration_state(ctx, frf->vibration, &solver.balance, y, phase, state));
done:
  free(y);
  fw_orbit_clear(&measured);
  fw_solver_clear(&solver);
  return status;
}
