/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/orbit_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/pair.h"
#include "core/unknown.h"

enum { HARMONICS_SHOWN = 10, NAME = 128 };

typedef struct sheet {
  fw_column *columns;
  char (*names)[NAME];
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

static int shown_harmonics(int H) { return H < HARMONICS_SHOWN ? H : HARMONICS_SHOWN; }

static void name_columns(const fw_model *model, int H, unsigned extra, sheet *s) {
  add_column(s, "Hz", NULL, "frequency");
  for (int i = 0; i < model->sensor_count; i++) {
    const char *id = model->sensors[i].id, *unit = fw_sensor_unit(&model->sensors[i]);
    add_column(s, unit, id, "amplitude");
    add_column(s, "deg", id, "phase");
    add_column(s, unit, id, "mean");
    for (int k = 2; k <= shown_harmonics(H); k++) {
      char name[32];
      snprintf(name, sizeof name, "amplitude-%d", k);
      add_column(s, unit, id, name);
      snprintf(name, sizeof name, "phase-%d", k);
      add_column(s, "deg", id, name);
    }
  }
  for (int p = 0; p < model->pair_count; p++)
    for (int c = 0; c < FW_CONTACT_FIGURES; c++)
      add_column(s, fw_contact_figures[c].unit, model->pairs[p]->id, fw_contact_figures[c].name);
  add_column(s, "W", NULL, "drive_power");
  add_column(s, "W", NULL, "structural_power");
  add_column(s, "W", NULL, "friction_power");
  add_column(s, "W", NULL, "normal_power");
  add_column(s, "", NULL, "energy_residual");
  if (extra & FW_ORBIT_STABILITY) {
    add_column(s, "", NULL, "multiplier");
    add_column(s, "", NULL, "growing");
  }
  if (extra & FW_ORBIT_LEVEL) add_column(s, "", "loads", "level");
  for (int i = 0; i < model->sensor_count && extra & FW_ORBIT_GAIN; i++)
    add_column(s, fw_sensor_unit(&model->sensors[i]), model->sensors[i].id, "gain");
}

fw_status fw_orbit_table_open(fw_job *job, const char *name, const fw_column *columns, int first, int H, unsigned extra,
                              fw_orbit_table *table) {
  const fw_model *model = job->model;
  fw_status status = FW_OK;
  sheet s = {.room =
                 first + 9 + model->sensor_count * (4 + 2 * HARMONICS_SHOWN) + model->pair_count * FW_CONTACT_FIGURES};
  *table = (fw_orbit_table){.first = first, .H = H, .extra = extra};
  FW_TRY_DONE(fw_alloc(job->ctx, (size_t)s.room, sizeof *s.columns, &s.columns));
  FW_TRY_DONE(fw_alloc(job->ctx, (size_t)s.room, sizeof *s.names, &s.names));
  FW_TRY_DONE(fw_alloc(job->ctx, (size_t)s.room, sizeof *table->row, &table->row));
  for (int i = 0; i < first; i++) add_column(&s, columns[i].unit, NULL, columns[i].name);
  name_columns(model, H, extra, &s);
  FW_TRY_DONE(fw_sink_table(job->sink, job->ctx, job->id, name, s.columns, s.count, false, &table->table));
done:
  free(s.columns);
  free(s.names);
  if (status != FW_OK) fw_orbit_table_close(table);
  return status;
}

static double degrees(double complex x) { return carg(x) * 180 / M_PI; }

fw_status fw_orbit_table_row(fw_job *job, fw_orbit_table *table, const double *first, const fw_orbit *orbit) {
  const fw_model *model = job->model;
  double *row = table->row;
  int at = 0;
  while (at < table->first) row[at] = first[at], at++;
  row[at++] = orbit->frequency;
  for (int i = 0; i < model->sensor_count; i++) {
    const double complex *harmonics = orbit->sensors + i * (table->H + 1);
    row[at++] = cabs(harmonics[1]);
    row[at++] = degrees(harmonics[1]);
    row[at++] = creal(harmonics[0]);
    for (int k = 2; k <= shown_harmonics(table->H); k++) {
      row[at++] = cabs(harmonics[k]);
      row[at++] = degrees(harmonics[k]);
    }
  }
  for (int p = 0; p < model->pair_count; p++, at += FW_CONTACT_FIGURES)
    memcpy(row + at, orbit->pairs[p].at, sizeof orbit->pairs[p].at);
  row[at++] = orbit->drive;
  row[at++] = orbit->structural;
  row[at++] = orbit->friction;
  row[at++] = orbit->normal;
  row[at++] = orbit->residual;
  if (table->extra & FW_ORBIT_STABILITY) {
    row[at++] = cabs(orbit->multiplier);
    row[at++] = isnan(cabs(orbit->multiplier)) ? fw_unknown() : orbit->growing;
  }
  if (table->extra & FW_ORBIT_LEVEL) row[at++] = orbit->level;
  for (int i = 0; i < model->sensor_count && table->extra & FW_ORBIT_GAIN; i++)
    row[at++] = cabs(orbit->sensors[i * (table->H + 1) + 1]) / orbit->level;
  return fw_sink_row(job->sink, job->ctx, table->table, row);
}

void fw_orbit_table_close(fw_orbit_table *table) {
  free(table->row);
  table->row = NULL;
}
