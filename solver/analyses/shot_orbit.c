/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/shot_orbit.h"

#include <math.h>

#include "solver/analyses/multiplier_table.h"

static void see(void *user, const fw_state *state, const fw_energy *energy) {
  fw_orbit_recorder *r = user;
  if (r->steps < 0)
    fw_orbit_recorder_begin(r, state, energy);
  else
    fw_orbit_recorder_step(r, state, energy);
  if (r->steps == r->periods * r->options->steps) fw_orbit_recorder_end(r, energy);
}

fw_status fw_shot_orbit_measure(const fw_job *job, fw_shooting *s, fw_time_orbit_options *options, const double *y,
                                fw_orbit *orbit) {
  fw_orbit_recorder r;
  int n = s->map.n;
  options->frequency = y[n] / (2 * M_PI);
  fw_status status = fw_orbit_recorder_init(job->ctx, job->model, options, s->map.periods, orbit, &r);
  r.steps = -1;
  if (status == FW_OK) status = fw_period_map_run(&s->map, y, y[n], see, &r, s->end);
  fw_orbit_recorder_clear(&r);
  if (status != FW_OK) fw_orbit_clear(orbit);
  return status;
}

fw_status fw_shot_orbit_judge(fw_shooting *s, const double *y, fw_sheet *sheet, double first, fw_orbit *orbit) {
  fw_floquet f = {0};
  fw_status status = fw_shooting_judge(s, y, &f);
  orbit->multiplier = f.count ? f.multipliers[0] : 0;
  orbit->growing = f.growing;
  orbit->along = f.along;
  if (status == FW_OK && sheet) status = fw_multiplier_table_rows(sheet, first, &f);
  fw_floquet_clear(&f);
  return status;
}
