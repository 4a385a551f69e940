/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a law behaves over cycles and in steady sliding. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact/friction/checks.h"
#include "core/bisect.h"

/* One cycle u = A sin(wt) (+ offset of phase), T at every step in `force` if given; returns the work of T. */
static double cycle(fw_law_probe *p, double amplitude, double omega, int steps, double *force) {
  double dt = 2 * M_PI / omega / steps, work = 0.0, T0 = NAN;
  for (int k = 0; k < steps; k++) {
    double a = omega * dt * k, b = a + omega * dt, du = amplitude * (sin(b) - sin(a));
    double T = fw_law_probe_move(p, du, amplitude * omega * cos(a), amplitude * omega * cos(b), dt);
    work += 0.5 * (isnan(T0) ? T + T : T0 + T) * du;
    if (force) force[k] = T;
    T0 = T;
  }
  return work;
}

const char *fw_check_passive(fw_law_probe *p) {
  static const double amplitudes[] = {0.05, 0.3, 1.0, 3.0, 20.0}, rates[] = {0.1, 10.0, 300.0};
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 3; j++) {
      double amplitude = amplitudes[i] * p->reach;
      fw_friction_reset(p->law, p->z);
      for (int k = 0; k < 3; k++) cycle(p, amplitude, rates[j], 500, NULL);
      double work = cycle(p, amplitude, rates[j], 4000, NULL);
      if (work >= -2e-4 * p->peak * amplitude) continue;
      snprintf(p->message, sizeof p->message, "a cycle of %.3g reaches at %.3g rad/s gives back %.3g J", amplitudes[i],
               rates[j], -work);
      return p->message;
    }
  return NULL;
}

const char *fw_check_bounded(fw_law_probe *p) {
  unsigned seed = 5;
  fw_friction_reset(p->law, p->z);
  for (int k = 0; k < 4000; k++) {
    seed = seed * 1664525u + 1013904223u;
    double du = p->reach * ((double)(seed >> 8) / 8388608.0 - 1.0), T = fw_law_probe_move(p, du, 0.0, 0.0, 0.0);
    if (fabs(T) <= 1.01 * p->peak) continue;
    snprintf(p->message, sizeof p->message, "|T| = %.9g in slow motion, above the peak %.9g", fabs(T), p->peak);
    return p->message;
  }
  return NULL;
}

/* T of steady sliding at v, averaged. */
static double steady(fw_law_probe *p, double v) {
  enum { STEPS = 600, TAIL = 200 };
  double dt = 0.1 * p->reach / fabs(v), sum = 0.0;
  fw_friction_reset(p->law, p->z);
  for (int k = 0; k < STEPS; k++) {
    double T = fw_law_probe_move(p, v * dt, v, v, dt);
    if (k >= STEPS - TAIL) sum += T;
  }
  return sum / TAIL;
}

const char *fw_check_opposes(fw_law_probe *p) {
  for (int k = 0; k < 10; k++) {
    double v = p->speed * pow(10.0, k % 5 - 2) * (k < 5 ? 1.0 : -1.0), T = steady(p, v);
    fw_limit_out limit = {.slip = T};
    if (p->law->ops->limit) limit = fw_friction_limit(p->law, v, p->N, p->z);
    if (T * v > 0.0 && fabs(T - limit.slip) <= 1e-9 * fabs(T)) continue;
    snprintf(p->message, sizeof p->message, "steady sliding at %.3g m/s gives T = %.6g", v, T);
    return p->message;
  }
  return NULL;
}

const char *fw_check_presliding(fw_law_probe *p) {
  if (!(p->stiffness > 0.0)) return "no force at a small slow slip";
  if (p->law->ops->limit && !p->law->ops->step && !p->law->ops->rate) return "stick is rigid or the enforcement's";
  return NULL;
}

const char *fw_check_periodic(fw_law_probe *p) {
  enum { STEPS = 256, TRANSIENT = 8 };
  double first[STEPS], second[STEPS];
  fw_friction_reset(p->law, p->z);
  for (int k = 0; k < TRANSIENT; k++) cycle(p, 2.0 * p->reach, 300.0, STEPS, NULL);
  cycle(p, 2.0 * p->reach, 300.0, STEPS, first);
  cycle(p, 2.0 * p->reach, 300.0, STEPS, second);
  for (int k = 0; k < STEPS; k++)
    if (fabs(first[k] - second[k]) > 2e-2 * p->peak) return "the loop does not close after 8 cycles";
  return NULL;
}

const char *fw_check_rate_independent(fw_law_probe *p) {
  enum { STEPS = 256 };
  double slow[STEPS], fast[STEPS];
  for (int k = 0; k < 2; k++) {
    fw_friction_reset(p->law, p->z);
    cycle(p, 2.0 * p->reach, k ? 3000.0 : 3.0, STEPS, k ? fast : slow);
  }
  for (int k = 0; k < STEPS; k++)
    if (fabs(slow[k] - fast[k]) > 1e-6 * p->peak) return "the loop depends on the frequency";
  return NULL;
}

/* T after a slow slip in fine steps. */
static double creep_by(fw_law_probe *p, double du) {
  enum { STEPS = 200 };
  double T = 0.0;
  for (int k = 0; k < STEPS; k++) T = fw_law_probe_move(p, du / STEPS, 0.0, 0.0, 0.0);
  return T;
}

const char *fw_check_memory(fw_law_probe *p) {
  fw_friction_reset(p->law, p->z);
  creep_by(p, 0.8 * p->reach);
  double leave = creep_by(p, -0.6 * p->reach);
  creep_by(p, 0.3 * p->reach);
  double back = creep_by(p, -0.3 * p->reach);
  if (!(p->stiffness > 0.0)) return "no presliding force to remember";
  return fabs(leave - back) > 1e-6 * p->peak ? "a minor loop does not close" : NULL;
}

typedef struct push {
  fw_law_probe *p;
  double force, dt, sign;
} push;

/* Whether a slip so far, from the state in p->other, takes the force. */
static bool reaches(void *user, double far) {
  const push *x = (const push *)user;
  fw_law_probe *p = x->p;
  double v = x->dt > 0.0 ? x->sign * far / x->dt : 0.0;
  memcpy(p->z, p->other, (size_t)p->law->states * sizeof *p->z);
  return (fw_law_probe_move(p, x->sign * far, v, v, x->dt) - x->force) * x->sign >= 0.0;
}

/* Looks ever farther from 0, then halves. */
double fw_law_slip_to(fw_law_probe *p, double force, double dt) {
  memcpy(p->other, p->z, (size_t)p->law->states * sizeof *p->z);
  double before = fw_law_probe_move(p, 0.0, 0.0, 0.0, dt) - force, near = 0.0, far = 1e-9 * p->reach;
  push x = {p, force, dt, before < 0.0 ? 1.0 : -1.0};
  for (int k = 0; !reaches(&x, far); k++, near = far, far *= 1.5)
    if (k == 120) return NAN;
  fw_bisect(reaches, &x, 0.0, 60, &near, &far);
  return x.sign * far;
}

/* A bias plus a vibration of force below breakaway: does the place of the maximum wander? */
const char *fw_check_drift_free(fw_law_probe *p) {
  enum { CYCLES = 40, STEPS = 12, SETTLE = 10 };
  double u = 0.0, begin = 0.0;
  fw_friction_reset(p->law, p->z);
  if (!(p->stiffness > 0.0)) return "it creeps: no force at rest";
  for (int k = 1; k <= CYCLES * STEPS; k++) {
    double force = p->peak * (0.1 + 0.09 * sin(2 * M_PI * k / STEPS));
    u += fw_law_slip_to(p, force, 0.0);
    if (k == SETTLE * STEPS) begin = u;
  }
  if (fabs(u - begin) <= 1e-6 * p->reach) return NULL;
  snprintf(p->message, sizeof p->message, "drifts by %.3g reaches in %d cycles", (u - begin) / p->reach,
           CYCLES - SETTLE);
  return p->message;
}

double fw_law_creep(fw_law_probe *p, double share) {
  enum { SETTLE = 400, STEPS = 100 };
  const double dt = 1e-3;
  double way = 0.0;
  fw_friction_reset(p->law, p->z);
  fw_law_slip_to(p, share * p->force, 0.0); /* put on slowly: a jump would tear it loose */
  for (int k = 0; k < SETTLE; k++) fw_law_slip_to(p, share * p->force, dt);
  for (int k = 0; k < STEPS; k++) way += fw_law_slip_to(p, share * p->force, dt);
  return way / (STEPS * dt);
}

const char *fw_check_no_creep(fw_law_probe *p) {
  double creep = fw_law_creep(p, 0.5);
  if (fabs(creep) <= 1e-6 * p->reach) return NULL;
  snprintf(p->message, sizeof p->message, "creeps at %.3g m/s under half its friction force", creep);
  return p->message;
}

const char *fw_check_weakening(fw_law_probe *p) {
  double slow = steady(p, 1e-9), fast = steady(p, 1e-2);
  return fast < 0.999 * slow ? NULL : "sliding friction does not fall with the velocity";
}
