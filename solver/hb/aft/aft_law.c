/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A friction law's force over the period and its derivatives with respect to slip and normal force. */
#include <cblas.h>
#include <string.h>

#include "solver/hb/aft/aft_parts.h"
#include "solver/hb/aft/period_map.h"

/* T_u and T_w += derivatives through the periodic state, that at sample 0. */
static void add_through_state(fw_track *t, const fw_cycle_point *point, const double *z0) {
  fw_cycle *cycle = t->cycle;
  int s = t->states, size = cycle->fourier->size, columns = t->columns;
  double *through = cycle->dz_next; /* d(state at sample 0)/d(u, w) */
  if (fw_period_map_is_identity_somewhere(s, t->uncoupled, t->map, cycle->map_room)) {
    memcpy(cycle->kept, cycle->dz, (size_t)(s * columns) * sizeof(double));
    fw_track_history(t, point, z0, true, NULL);
    memcpy(through, cycle->kept, (size_t)(s * columns) * sizeof(double));
    fw_period_map_solve(s, t->uncoupled, t->map, through, columns, cycle->dz, cycle->map_room);
  } else {
    memcpy(through, cycle->dz, (size_t)(s * columns) * sizeof(double));
    fw_period_map_solve(s, t->uncoupled, t->map, through, columns, NULL, cycle->map_room);
  }
  fw_fourier_project(cycle->fourier, cycle->T_z, s, cycle->T_zc);
  for (int r = 0; r < size; r++)
    for (int k = 0; k < s; k++) {
      double factor = cycle->T_zc[r * s + k];
      for (int c = 0; c < size; c++) {
        cycle->T_u[r * size + c] += factor * through[k * columns + c];
        cycle->T_w[r * size + c] += factor * through[k * columns + size + c];
      }
    }
}

/* Adds the law's force and its derivatives. alone: T's rows are this law's, not yet cleared. */
static void add_track(fw_track *t, const fw_cycle_point *point, const double *z0, double *begin, bool derivatives,
                      bool alone) {
  fw_cycle *cycle = t->cycle;
  t->samples = cycle->z_samples + (begin - cycle->z);
  bool derived = derivatives && alone;
  if (!fw_track_find(t, point, z0, begin, &derived)) cycle->periodic = false;
  if (derivatives && !derived) {
    if (alone) memset(cycle->T_x, 0, (size_t)(t->columns * cycle->fourier->samples) * sizeof(double));
    fw_track_round(t, point, begin, true);
  }
  for (int j = 0; j < cycle->fourier->samples; j++) cycle->T[j] += cycle->T_law[j];
  if (derivatives && t->states > 0) add_through_state(t, point, z0);
}

/* The sample at which the contact is open for the longest part of a step, but not for all of it; -1: none.
 * cycle->lifted: pressed without such openings. */
static int briefly_open(const fw_cycle *cycle, fw_touching *opening) {
  int at = -1;
  for (int j = 0; !cycle->firm && j < cycle->fourier->samples; j++) {
    cycle->lifted[j] = cycle->pressed[j];
    if (cycle->pressed[j] >= 0) continue;
    fw_touching here = fw_cycle_touching(cycle, j);
    if (here.keep <= 0) continue;
    cycle->lifted[j] = 0;
    if (at >= 0 && here.keep >= opening->keep) continue;
    at = j;
    *opening = here;
  }
  return at;
}

static void swap_lifted(fw_cycle *cycle) {
  double *pressed = cycle->pressed;
  cycle->pressed = cycle->lifted;
  cycle->lifted = pressed;
}

/* A law's force. Where the contact only just opens its friction is in between: that of a contact that stays closed,
 * which keeps its history, and that of one that forgets it. The periodic motion knows nothing in between of its own:
 * what is forgotten a little in every period is forgotten. */
void fw_cycle_add_law(fw_cycle *cycle, const fw_cycle_point *point, const fw_friction *law, const double *z0,
                      double *begin, bool derivatives) {
  fw_touching opening;
  int at = briefly_open(cycle, &opening), size = cycle->fourier->size;
  fw_track t = fw_track_make(cycle, law);
  if (at < 0) {
    add_track(&t, point, z0, begin, derivatives, point->law_count == 1);
    return;
  }
  if (derivatives && point->law_count == 1)
    memset(cycle->T_x, 0, (size_t)(t.columns * cycle->fourier->samples) * sizeof(double));
  double *change = cycle->T_xc, *by_w = change + size; /* of the force from one to the other, and of `keep` with w */
  memset(change, 0, 2 * (size_t)size * sizeof(double));
  for (int pass = 0; pass < 2; pass++) { /* the last one leaves its states */
    bool closed = (pass == 1) == (opening.keep > 0.5);
    t.weight = closed ? opening.keep : 1 - opening.keep;
    if (closed) swap_lifted(cycle);
    add_track(&t, point, z0, begin, derivatives, false);
    if (closed) swap_lifted(cycle);
    fw_fourier_project(cycle->fourier, cycle->T_law, 1, cycle->T_c);
    cblas_daxpy(size, (closed ? 1 : -1) / t.weight, cycle->T_c, 1, change, 1);
  }
  if (!derivatives) return;
  fw_cycle_add_through_pressed(cycle, at, 1, opening.keep_p, by_w);
  cblas_dger(CblasRowMajor, size, size, 1, change, 1, by_w, 1, cycle->T_w, size);
}
