/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loops.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const fw_chain_law chain[] = {
    {"coulomb", {"mu", "u-crit"}},
    {"dahl", {"mu-c", "sigma-0"}},
    {"stribeck", {"mu-s", "mu-c", "v-s", "u-crit"}},
    {"lugre", {"mu-s", "mu-c", "v-s", "sigma-0", "sigma-1"}},
    {"lugre-normalised", {"mu-s", "mu-c", "v-s", "sigma-0", "sigma-1"}},
    {"elasto-plastic", {"mu-s", "mu-c", "v-s", "sigma-0", "sigma-1", "breakaway"}},
    {"hybrid", {"mu-s", "mu-c", "v-s", "k-e", "k-ep", "k-ps", "c-p", "c-s"}},
};
const char fw_chain_names[] = "coulomb, dahl, stribeck, lugre, lugre-normalised, elasto-plastic, hybrid";

const fw_chain_law *fw_chain_find(const char *law) {
  for (size_t i = 0; i < sizeof chain / sizeof *chain; i++)
    if (strcmp(chain[i].law, law) == 0) return &chain[i];
  return NULL;
}

/* ---- what the loops say ------------------------------------------------------------------ */

/* The steepest tenth part of the way of a loop: slopes over a twentieth of the range of slip. */
static double steepest(const fw_loop_data *l, double range) {
  double most = 0.0;
  size_t from = 0;
  for (size_t i = 1; i < l->count; i++) {
    while (from + 1 < i && fabs(l->u[i] - l->u[from + 1]) > 0.02 * range) from++;
    double du = l->u[i] - l->u[from];
    bool turned = l->v[i] * l->v[from] < 0.0;
    if (!turned && fabs(du) > 0.01 * range) most = fmax(most, (l->T[i] - l->T[from]) / du);
    if (turned) from = i;
  }
  return most;
}

/* Adds the forces of a loop; returns its largest speed. */
static double add_forces(const fw_loop_data *l, fw_contact_guess *g) {
  double speed = 0.0;
  for (size_t i = 0; i < l->count; i++) {
    g->force = fmax(g->force, fabs(l->T[i]));
    g->press = fmax(g->press, l->N[i]);
    g->normal += l->N[i];
    speed = fmax(speed, fabs(l->v[i]));
  }
  return speed;
}

/* The slowest loop has the least of viscous forces in it: the slope and the scale of velocities are its own. */
static void take_slope(const fw_loop_data *l, double speed, fw_contact_guess *g) {
  double low = l->u[0], high = l->u[0];
  for (size_t i = 0; i < l->count; i++) {
    low = fmin(low, l->u[i]);
    high = fmax(high, l->u[i]);
  }
  g->speed = speed;
  g->slip = 0.5 * (high - low);
  g->stiffness = steepest(l, high - low);
}

fw_contact_guess fw_contact_guess_of(const fw_loops *loops) {
  fw_contact_guess g = {.speed = INFINITY};
  double rows = 0.0;
  for (int k = 0; k < loops->count; k++) {
    double speed = add_forces(&loops->list[k], &g);
    rows += (double)loops->list[k].count;
    if (speed < g.speed) take_slope(&loops->list[k], speed, &g);
  }
  g.normal /= rows;
  g.mu_s = g.mu_c = g.press > 0.0 ? g.force / g.press : 0.5;
  if (!(g.stiffness > 0.0)) g.stiffness = g.force / g.slip;
  g.v_s = 0.3 * g.speed;
  g.damping = 0.1 * g.force / g.speed;
  return g;
}

/* ---- numbers of laws --------------------------------------------------------------------- */

static const char *unit_of(const char *law, const char *number) {
  const fw_entry *entry = fw_table_find(&fw_laws, law);
  for (const fw_param *p = entry ? entry->params : NULL; p && p->name; p++)
    if (strcmp(p->name, number) == 0) return p->unit;
  return strcmp(number, "u-crit") == 0 ? "m" : "";
}

/* Laws whose stiffness and damping are those of a unit of normal force. */
static bool is_normalised(const char *law) { return strcmp(law, "lugre-normalised") == 0; }

/* Start and how far the bounds lie from it, as a factor; breakaway alone is a part between 0 and 1. */
static double start_of(const fw_chain_law *law, const char *number, const fw_contact_guess *g, double *factor) {
  double per = is_normalised(law->law) ? fmax(g->normal, 1e-300) : 1.0;
  *factor = 100.0;
  if (number[0] == 'm') {
    *factor = 20.0;
    return strcmp(number, "mu-c") == 0 ? g->mu_c : fmax(g->mu_s, 1.01 * g->mu_c); /* at rest friction is no less */
  }
  if (strcmp(number, "v-s") == 0) return g->v_s;
  if (strcmp(number, "u-crit") == 0) return g->mu_s * g->normal / g->stiffness;
  if (strcmp(number, "sigma-0") == 0) return g->stiffness / per;
  *factor = 1000.0;
  if (strcmp(number, "sigma-1") == 0) return g->damping / per;
  if (strcmp(number, "k-e") == 0 || strcmp(number, "k-ep") == 0 || strcmp(number, "k-ps") == 0)
    return 3.0 * g->stiffness; /* three in series */
  return g->damping;           /* c-p, c-s */
}

fw_fit_parameter fw_chain_parameter(const fw_chain_law *law, const char *number, const fw_contact_guess *guess) {
  fw_fit_parameter p = {.logarithmic = true};
  snprintf(p.name, sizeof p.name, "%s", number);
  snprintf(p.unit, sizeof p.unit, "%s", unit_of(law->law, number));
  if (strcmp(number, "breakaway") == 0) {
    p.start = 0.7;
    p.low = 0.01;
    p.high = 0.99;
    p.logarithmic = false;
    return p;
  }
  double factor, start = start_of(law, number, guess, &factor);
  p.start = start;
  p.low = start / factor;
  p.high = start * factor;
  if (number[0] == 'm') p.high = fmin(p.high, 10.0);
  return p;
}

void fw_chain_learn(const fw_chain_law *law, const char *number, double value, fw_contact_guess *g) {
  double per = is_normalised(law->law) ? g->normal : 1.0;
  if (strcmp(number, "mu") == 0) g->mu_s = g->mu_c = value;
  if (strcmp(number, "mu-s") == 0) g->mu_s = value;
  if (strcmp(number, "mu-c") == 0) g->mu_c = value;
  if (strcmp(number, "mu-c") == 0 && strcmp(law->law, "dahl") == 0) g->mu_s = value;
  if (strcmp(number, "v-s") == 0) g->v_s = value;
  if (strcmp(number, "u-crit") == 0) g->stiffness = g->mu_s * g->normal / value;
  if (strcmp(number, "sigma-0") == 0) g->stiffness = value * per;
  if (strcmp(number, "sigma-1") == 0) g->damping = value * per;
}

double fw_chain_reach(const char *law, double mu, double sigma_0, double normal) {
  return (is_normalised(law) ? mu : mu * normal) / sigma_0;
}

bool fw_chain_reach_agrees(double reach, double u_crit) {
  const double factor = 3.0;
  return reach < factor * u_crit && u_crit < factor * reach;
}
