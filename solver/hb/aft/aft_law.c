/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A friction law's force over the period and its derivatives with respect to slip and normal force. */
#include <cblas.h>
#include <string.h>

#include "solver/hb/aft/aft_parts.h"
#include "solver/hb/aft/period_map.h"

/* T_u and T_w += derivatives through the periodic state, that at sample 0. */
static void add_through_state(fw_track *t, const fw_aft_point *point, const double *z0) {
  fw_aft *aft = t->aft;
  int s = t->states, size = aft->fourier->size, columns = t->columns;
  double *through = aft->dz_next; /* d(state at sample 0)/d(u, w) */
  if (fw_period_map_is_identity_somewhere(s, t->uncoupled, t->map, aft->map_room)) {
    memcpy(aft->kept, aft->dz, (size_t)(s * columns) * sizeof(double));
    fw_track_history(t, point, z0, true, NULL);
    memcpy(through, aft->kept, (size_t)(s * columns) * sizeof(double));
    fw_period_map_solve(s, t->uncoupled, t->map, through, columns, aft->dz, aft->map_room);
  } else {
    memcpy(through, aft->dz, (size_t)(s * columns) * sizeof(double));
    fw_period_map_solve(s, t->uncoupled, t->map, through, columns, NULL, aft->map_room);
  }
  fw_fourier_project(aft->fourier, aft->T_z, s, aft->T_zc);
  for (int r = 0; r < size; r++)
    for (int k = 0; k < s; k++) {
      double factor = aft->T_zc[r * s + k];
      for (int c = 0; c < size; c++) {
        aft->T_u[r * size + c] += factor * through[k * columns + c];
        aft->T_w[r * size + c] += factor * through[k * columns + size + c];
      }
    }
}

/* Adds the law's force and its derivatives. alone: T's rows are this law's, not yet cleared. */
static void add_track(fw_track *t, const fw_aft_point *point, const double *z0, double *begin, bool derivatives,
                      bool alone) {
  fw_aft *aft = t->aft;
  t->samples = aft->z_samples + (begin - aft->z);
  bool derived = derivatives && alone;
  if (!fw_track_find(t, point, z0, begin, &derived)) aft->periodic = false;
  if (derivatives && !derived) {
    if (alone) memset(aft->T_x, 0, (size_t)(t->columns * aft->fourier->samples) * sizeof(double));
    fw_track_round(t, point, begin, true);
  }
  for (int j = 0; j < aft->fourier->samples; j++) aft->T[j] += aft->T_law[j];
  if (derivatives && t->states > 0) add_through_state(t, point, z0);
}

/* The sample at which the contact is open for the longest part of a step, but not for all of it; -1: none.
 * aft->lifted: pressed without such openings. */
static int briefly_open(const fw_aft *aft, fw_touching *opening) {
  int at = -1;
  for (int j = 0; !aft->firm && j < aft->fourier->samples; j++) {
    aft->lifted[j] = aft->pressed[j];
    if (aft->pressed[j] >= 0) continue;
    fw_touching here = fw_aft_touching(aft, j);
    if (here.keep <= 0) continue;
    aft->lifted[j] = 0;
    if (at >= 0 && here.keep >= opening->keep) continue;
    at = j;
    *opening = here;
  }
  return at;
}

static void swap_lifted(fw_aft *aft) {
  double *pressed = aft->pressed;
  aft->pressed = aft->lifted;
  aft->lifted = pressed;
}

/* What the law in steps remembers at each sample: the velocities of the periodic motion. */
static void fill_history(const fw_aft *aft, const fw_lagged *lagged, const double *constants, double *begin) {
  double pace = lagged->pace(constants), *first = aft->z_samples + (begin - aft->z);
  for (int j = 0; j < aft->fourier->samples; j++) {
    double *z = first + (size_t)j * (size_t)aft->states;
    for (int i = 0; i < lagged->history; i++) {
      z[lagged->ages + i] = i * pace;
      z[lagged->speeds + i] = fw_aft_velocity_before(aft, j, i * pace, NULL);
    }
  }
  memcpy(begin, first, (size_t)(lagged->speeds + lagged->history) * sizeof *begin);
}

/* A law that is told the velocity of before in place of remembering it. */
static fw_friction steady_law(const fw_friction *law, const fw_lagged *lagged) {
  fw_friction steady = *law;
  steady.ops = lagged->ops;
  steady.states = lagged->ops->fixed_states;
  return steady;
}

/* A law's force. Where the contact only just opens its friction is in between: that of a contact that stays closed,
 * which keeps its history, and that of one that forgets it. The periodic motion knows nothing in between of its own:
 * what is forgotten a little in every period is forgotten. */
static void add_steps(fw_track t, const fw_aft_point *point, const double *z0, double *begin, bool derivatives,
                      bool alone) {
  fw_aft *aft = t.aft;
  fw_touching opening;
  int at = briefly_open(aft, &opening), size = aft->fourier->size;
  if (at < 0) {
    add_track(&t, point, z0, begin, derivatives, alone);
    return;
  }
  if (derivatives && alone) memset(aft->T_x, 0, (size_t)(t.columns * aft->fourier->samples) * sizeof(double));
  double *change = aft->T_xc, *by_w = change + size; /* of the force from one to the other, and of `keep` with w */
  memset(change, 0, 2 * (size_t)size * sizeof(double));
  for (int pass = 0; pass < 2; pass++) { /* the last one leaves its states */
    bool closed = (pass == 1) == (opening.keep > 0.5);
    t.weight = closed ? opening.keep : 1 - opening.keep;
    if (closed) swap_lifted(aft);
    add_track(&t, point, z0, begin, derivatives, false);
    if (closed) swap_lifted(aft);
    fw_fourier_project(aft->fourier, aft->T_law, 1, aft->T_c);
    cblas_daxpy(size, (closed ? 1 : -1) / t.weight, aft->T_c, 1, change, 1);
  }
  if (!derivatives) return;
  fw_aft_add_through_pressed(aft, at, 1, opening.keep_p, by_w);
  cblas_dger(CblasRowMajor, size, size, 1, change, 1, by_w, 1, aft->T_w, size);
}

/* z0, begin: its states before the vibration and at sample 0. */
static void add_law(fw_aft *aft, const fw_aft_point *point, const fw_friction *law, const double *z0, double *begin,
                    bool derivatives, bool alone) {
  const fw_lagged *lagged = fw_friction_lagged(law);
  const fw_friction steady = lagged ? steady_law(law, lagged) : *law;
  fw_track t = fw_track_make(aft, &steady);
  t.lagged = lagged;
  add_steps(t, point, z0, begin, derivatives, alone);
  if (lagged) fill_history(aft, lagged, law->constants, begin);
}

/* The period map of laws in parallel has a block for each of them and nothing beside: every law finds its periodic
 * state by itself, and one that is periodic at once does not wait for the others. */
void fw_aft_add_friction(fw_aft *aft, const fw_aft_point *point, bool derivatives) {
  int count, at = 0;
  const fw_friction *laws = fw_friction_parts(point->friction, &count);
  if (derivatives && count != 1)
    memset(aft->T_x, 0, 2 * (size_t)aft->fourier->size * (size_t)aft->fourier->samples * sizeof(double));
  for (int l = 0; l < count; at += laws[l++].states)
    add_law(aft, point, &laws[l], point->z0 + at, aft->z + at, derivatives, count == 1);
}
