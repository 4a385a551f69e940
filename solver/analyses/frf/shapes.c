/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/frf/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "solver/hb/shapes.h"

enum { HARMONICS_MOST = 10, NAME = 80 };
static const double NOTHING = 1e-9; /* of the first harmonic: rounding */

typedef struct shower {
  fw_job *job;
  const fw_vibration *v;
  fw_balance *balance; /* evaluated at y */
  const double *y;
  const char *where; /* "3" or "3-up" */
  int mode_count;
  fw_motion_shape *modes, now;
  fw_sheet sheet;
  fw_state *picture;
} shower;

static fw_status find_modes(shower *s, int wanted) {
  FW_TRY(fw_alloc(s->job->ctx, (size_t)wanted, sizeof *s->modes, &s->modes));
  for (int i = 0; i < wanted; i++) {
    double omega;
    FW_TRY(fw_shape_init(s->job->ctx, &s->v->reduced, &s->modes[i]));
    s->mode_count++;
    FW_TRY(fw_shape_of_mode(s->job->ctx, s->v, i + 1, &omega, &s->modes[i]));
  }
  return fw_shape_init(s->job->ctx, &s->v->reduced, &s->now);
}

static fw_status open_table(shower *s) {
  const fw_model *model = s->job->model;
  fw_sheet_column(&s->sheet, "", "harmonic");
  fw_sheet_column(&s->sheet, "", "form");
  fw_sheet_column(&s->sheet, "kg^1/2 m", "amplitude");
  fw_sheet_column(&s->sheet, "deg", "phase");
  fw_sheet_column(&s->sheet, "", "share");
  for (int i = 0; i < s->mode_count; i++) fw_sheet_column(&s->sheet, "", "mac-%d", i + 1);
  for (int i = 0; i < model->sensor_count; i++) fw_sheet_column(&s->sheet, "kg^-1/2", "%s", model->sensors[i].id);
  return fw_sheet_open(&s->sheet, "shapes-%s", s->where);
}

/* The shape, its largest displacement 1, as modes are shown. */
static fw_status send_picture(shower *s, int k, fw_form form) {
  static const char *const names[FW_FORMS] = {"", "-cosine", "-sine"};
  const fw_model *model = s->job->model;
  char series[NAME + 16];
  double peak = 0, *q = s->picture->q;
  fw_shape_expand(&s->v->reduced, &s->now, q);
  for (int n = 0; n < model->node_count; n++)
    for (int d = FW_X; d <= FW_Y; d++)
      if (model->nodes[n].dof[d] >= 0) peak = fmax(peak, fabs(q[model->nodes[n].dof[d]]));
  for (int i = 0; i < model->dof_count; i++) q[i] /= peak > 0 ? peak : 1;
  snprintf(series, sizeof series, "shape-%s%s", s->where, names[form]);
  return fw_sink_frame(s->job->sink, s->job->ctx, s->job->id, &(fw_frame){series, k, s->picture, 1.0, NULL});
}

static fw_status show(shower *s, int k, fw_form form, double *largest) {
  const fw_reduced *r = &s->v->reduced;
  FW_TRY(fw_shape_of_harmonic(s->job->ctx, s->v, s->balance, s->y, k, form, &s->now));
  *largest = fmax(*largest, s->now.amplitude);
  if (!(s->now.amplitude > NOTHING * *largest)) return FW_OK;
  fw_sheet_put(&s->sheet, k);
  fw_sheet_put(&s->sheet, form);
  fw_sheet_put(&s->sheet, s->now.amplitude);
  fw_sheet_put(&s->sheet, s->now.phase * 180 / M_PI);
  fw_sheet_put(&s->sheet, s->now.share);
  for (int i = 0; i < s->mode_count; i++) fw_sheet_put(&s->sheet, fw_shape_mac(r, &s->now, &s->modes[i]));
  for (int i = 0; i < s->job->model->sensor_count; i++)
    fw_sheet_put(&s->sheet, fw_shape_reading(r, &s->now, &s->v->sensors[i]));
  FW_TRY(fw_sheet_row(&s->sheet));
  return send_picture(s, k, form);
}

/* The first harmonic's form in the summary: which linear mode it is like, and how much. */
static fw_status summarise(shower *s, const char *prefix) {
  int best = 0;
  FW_TRY(fw_shape_of_harmonic(s->job->ctx, s->v, s->balance, s->y, 1, FW_FORM_HARMONIC, &s->now));
  for (int i = 1; i < s->mode_count; i++)
    if (fw_shape_mac(&s->v->reduced, &s->now, &s->modes[i]) > fw_shape_mac(&s->v->reduced, &s->now, &s->modes[best]))
      best = i;
  double mac = fw_shape_mac(&s->v->reduced, &s->now, &s->modes[best]);
  FW_TRY(fw_record_set_number(s->job->summary, best + 1, "%sshape.mode", prefix));
  FW_TRY(fw_record_set_number(s->job->summary, mac, "%sshape.mac", prefix));
  return fw_record_set_number(s->job->summary, s->now.share, "%sshape.share", prefix);
}

fw_status fw_frf_shapes(fw_job *job, const fw_frf *frf, const fw_response *r, bool both, int modes,
                        const char *prefix) {
  const fw_orbit *orbit = fw_frf_main(r);
  if (!orbit || !orbit->y) return FW_OK;
  char where[NAME - 16];
  snprintf(where, sizeof where, "%g%s", r->options.level, fw_frf_direction(&r->options, both));
  fw_solver solver = {0};
  fw_orbit measured = {0};
  double largest = 0;
  int H = r->options.H < HARMONICS_MOST ? r->options.H : HARMONICS_MOST;
  shower s = {.job = job,
              .v = frf->vibration,
              .y = orbit->y,
              .where = where,
              .sheet = fw_sheet_of(job->ctx, job->sink, job->id)};
  fw_status status = FW_OK;
  FW_TRY_DONE(fw_solver_init(job->ctx, s.v, &r->options, &solver));
  s.balance = &solver.balance;
  FW_TRY_DONE(fw_orbit_measure(job->ctx, s.v, s.balance, s.y, &measured)); /* evaluates it */
  FW_TRY_DONE(fw_state_copy(job->ctx, s.v->start, &s.picture));
  FW_TRY_DONE(find_modes(&s, modes));
  FW_TRY_DONE(open_table(&s));
  for (int k = 1; k <= H; k++)
    for (fw_form form = FW_FORM_HARMONIC; form < FW_FORMS; form++) FW_TRY_DONE(show(&s, k, form, &largest));
  status = summarise(&s, prefix);
done:
  for (int i = 0; i < s.mode_count; i++) fw_shape_clear(&s.modes[i]);
  free(s.modes);
  fw_shape_clear(&s.now);
  fw_sheet_close(&s.sheet);
  fw_state_destroy(&s.picture);
  fw_orbit_clear(&measured);
  fw_solver_clear(&solver);
  return status;
}
