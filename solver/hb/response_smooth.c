/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "solver/hb/orbit_picture.h"

typedef struct smoother {
  fw_context *ctx;
  const fw_vibration *v;
  fw_solver solver;
  fw_response *out;
  fw_orbit_picture picture;
} smoother;

static double frequency_of(void *user, int i) {
  const smoother *s = user;
  return s->out->orbits[i].frequency;
}

static void draw(void *user, double *places) {
  const smoother *s = user;
  fw_orbit_picture_draw(&s->picture, s->out->orbits, s->out->count, places);
}

static bool joined(void *user, int i) {
  const fw_response *out = ((const smoother *)user)->out;
  for (int k = 0; k < out->break_count; k++)
    if (out->breaks[k] == i + 1) return false;
  return true;
}

static void point(void *user, int i, double *y) {
  const smoother *s = user;
  memcpy(y, s->out->orbits[i].y, ((size_t)s->solver.balance.n + 1) * sizeof *y);
}

static void set_sizes(void *user, fw_continuation *curve, const double *y) {
  smoother *s = user;
  fw_balance_scale(&s->solver.balance, y, curve->scale);
}

static fw_status insert(void *user, int i, const double *y) {
  smoother *s = user;
  fw_response *out = s->out;
  fw_orbit orbit;
  FW_TRY(fw_orbit_measure(s->ctx, s->v, &s->solver.balance, y, &orbit));
  fw_status status = FW_OK;
  if (out->options.stability) status = fw_orbit_judge(s->ctx, &s->solver.balance, y, NULL, &orbit, &out->unjudged);
  if (status == FW_OK) status = fw_orbit_append(s->ctx, &out->orbits, &out->count, &out->room, &orbit);
  if (status != FW_OK) {
    fw_orbit_clear(&orbit);
    return status;
  }
  fw_list_bring(out->orbits, out->count, i + 1, sizeof orbit);
  for (int k = 0; k < out->break_count; k++) out->breaks[k] += out->breaks[k] > i;
  return FW_OK;
}

fw_status fw_response_smooth(fw_context *ctx, const fw_vibration *v, fw_response *out) {
  const fw_response_options *options = &out->options;
  smoother s = {.ctx = ctx, .v = v, .out = out};
  s.picture =
      (fw_orbit_picture){.model = v->model, .H = options->H, .response = true, .user = &s, .abscissa = frequency_of};
  fw_smooth smooth = {.count = out->count,
                      .most = FW_SMOOTH_POINTS * options->points,
                      .ordinates = fw_orbit_picture_ordinates(&s.picture),
                      .tolerance = options->tolerance,
                      .user = &s,
                      .draw = draw,
                      .joined = joined,
                      .point = point,
                      .size = set_sizes,
                      .insert = insert};
  FW_TRY(fw_solver_init(ctx, v, options, &s.solver));
  s.solver.curve.scale[s.solver.balance.n] = 2 * M_PI * fabs(options->f_to - options->f_from);
  fw_status status = fw_smooth_run(ctx, &s.solver.curve, &smooth);
  out->iterations += smooth.iterations;
  fw_response_find_peak(out);
  fw_solver_clear(&s.solver);
  return status;
}
