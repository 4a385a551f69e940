/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/orbit_table.h"

#include <math.h>
#include <stdio.h>

#include "contact/pair.h"
#include "core/unknown.h"

enum { HARMONICS_SHOWN = 15 };

static int shown_harmonics(int H) { return H < HARMONICS_SHOWN ? H : HARMONICS_SHOWN; }

static void name_columns(const fw_model *model, int H, unsigned extra, fw_sheet *s) {
  for (int i = 0; i < model->sensor_count; i++) {
    const char *id = model->sensors[i].id, *unit = fw_sensor_unit(&model->sensors[i]);
    fw_sheet_column(s, unit, "%s.amplitude", id);
    fw_sheet_column(s, "deg", "%s.phase", id);
    fw_sheet_column(s, unit, "%s.mean", id);
    for (int k = 2; k <= shown_harmonics(H); k++) {
      fw_sheet_column(s, unit, "%s.amplitude-%d", id, k);
      fw_sheet_column(s, "deg", "%s.phase-%d", id, k);
    }
  }
  fw_figures_columns(model, s);
  fw_sheet_column(s, "W", "drive_power");
  fw_sheet_column(s, "W", "structural_power");
  fw_sheet_column(s, "W", "friction_power");
  fw_sheet_column(s, "W", "normal_power");
  fw_sheet_column(s, "", "energy_residual");
  if (extra & FW_ORBIT_STABILITY) {
    fw_sheet_column(s, "", "multiplier");
    fw_sheet_column(s, "", "growing");
  }
  if (extra & FW_ORBIT_LEVEL) fw_sheet_column(s, "", "loads.level");
  for (int i = 0; i < model->sensor_count && extra & FW_ORBIT_GAIN; i++)
    fw_sheet_column(s, fw_sensor_unit(&model->sensors[i]), "%s.gain", model->sensors[i].id);
}

fw_status fw_orbit_table_open(fw_job *job, const char *name, const fw_column *columns, int own, int H, unsigned extra,
                              fw_orbit_table *table) {
  *table = (fw_orbit_table){
      .sheet = fw_sheet_of(job->ctx, job->sink, job->id), .model = job->model, .own = own, .H = H, .extra = extra};
  bool over_frequency = extra & FW_ORBIT_RESPONSE;
  if (over_frequency) fw_sheet_column(&table->sheet, "Hz", "frequency");
  for (int i = 0; i < own; i++) fw_sheet_column(&table->sheet, columns[i].unit, "%s", columns[i].name);
  if (!over_frequency) fw_sheet_column(&table->sheet, "Hz", "frequency");
  name_columns(job->model, H, extra, &table->sheet);
  fw_status status = fw_sheet_open(&table->sheet, "%s", name);
  if (status != FW_OK) fw_orbit_table_close(table);
  return status;
}

static double degrees(double complex x) { return carg(x) * 180 / M_PI; }

fw_status fw_orbit_table_row(fw_orbit_table *table, const double *own, const fw_orbit *orbit) {
  const fw_model *model = table->model;
  fw_sheet *s = &table->sheet;
  bool over_frequency = table->extra & FW_ORBIT_RESPONSE;
  if (over_frequency) fw_sheet_put(s, orbit->frequency);
  for (int i = 0; i < table->own; i++) fw_sheet_put(s, own[i]);
  if (!over_frequency) fw_sheet_put(s, orbit->frequency);
  for (int i = 0; i < model->sensor_count; i++) {
    const double complex *harmonics = orbit->sensors + i * (table->H + 1);
    fw_sheet_put(s, cabs(harmonics[1]));
    fw_sheet_put(s, degrees(harmonics[1]));
    fw_sheet_put(s, creal(harmonics[0]));
    for (int k = 2; k <= shown_harmonics(table->H); k++) {
      fw_sheet_put(s, cabs(harmonics[k]));
      fw_sheet_put(s, degrees(harmonics[k]));
    }
  }
  for (int p = 0; p < model->pair_count; p++) fw_figures_cells(&orbit->pairs[p], s);
  fw_sheet_put(s, orbit->drive);
  fw_sheet_put(s, orbit->structural);
  fw_sheet_put(s, orbit->friction);
  fw_sheet_put(s, orbit->normal);
  fw_sheet_put(s, orbit->residual);
  if (table->extra & FW_ORBIT_STABILITY) {
    fw_sheet_put(s, cabs(orbit->multiplier));
    fw_sheet_put(s, isnan(cabs(orbit->multiplier)) ? fw_unknown() : orbit->growing);
  }
  if (table->extra & FW_ORBIT_LEVEL) fw_sheet_put(s, orbit->level);
  for (int i = 0; i < model->sensor_count && table->extra & FW_ORBIT_GAIN; i++)
    fw_sheet_put(s, cabs(orbit->sensors[i * (table->H + 1) + 1]) / orbit->level);
  return fw_sheet_row(s);
}

void fw_orbit_table_close(fw_orbit_table *table) { fw_sheet_close(&table->sheet); }

/* ---- bifurcations --------------------------------------------------------------------------- */

typedef struct curve {
  const fw_orbit *orbits;
  int reading;
} curve;

static fw_judged judged_at(const void *user, int i) {
  const curve *c = (const curve *)user;
  const fw_orbit *o = &c->orbits[i];
  return (fw_judged){o->frequency, cabs(o->sensors[c->reading]), o->level, o->multiplier, o->growing};
}

static void name_unjudged(const fw_model *model, fw_unjudged unjudged, char *why, size_t room) {
  if (unjudged.contact < 0) {
    snprintf(why, room, "%s", unjudged.why);
    return;
  }
  const fw_pair *pair = fw_model_pair_of(model, unjudged.contact);
  int point = unjudged.contact - pair->first_contact + 1;
  snprintf(why, room, "%s: contact \"%s\", point %d of %d", unjudged.why, pair->id, point, pair->count);
}

fw_status fw_orbits_record_bifurcations(fw_record *to, const fw_model *model, const fw_orbit *orbits, int count,
                                        int reading, fw_unjudged unjudged, const char *prefix) {
  curve c = {orbits, reading};
  char why[400] = "";
  if (unjudged.why) name_unjudged(model, unjudged, why, sizeof why);
  return fw_bifurcations_record(to, (fw_judged_curve){count, judged_at, &c}, why, prefix);
}
