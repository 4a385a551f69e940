/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/response.h"

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bisect.h"
#include "core/unknown.h"
#include "solver/hb/constant_response.h"
#include "solver/hb/resonance.h"

static const double ON_THE_WAY = 100; /* Newton may end this much earlier along the curve: its error is the square; but
                                         a level that is found follows a sharp resonance */
static const double BALANCED = 1e-3;  /* of the energy may be open where Newton's method ended */
enum { MET_MOST = 4 };                /* so many orbits met again and the curve has closed on itself */
enum { POINTS_PER_POINT = 30 };       /* the curve may take this many points per point of the grid */

/* ---- solver ------------------------------------------------------------------------------- */

fw_status fw_solver_init(fw_context *ctx, const fw_vibration *v, const fw_response_options *options,
                         fw_solver *solver) {
  *solver = (fw_solver){0};
  fw_status status = fw_balance_init(ctx, &v->given, options->H, options->samples, options->opening, &solver->balance);
  if (status == FW_OK) {
    if (options->constant_response)
      fw_constant_response_set(&solver->balance, &v->sensors[options->sensor], options->level, (int)options->quantity);
    else
      solver->balance.level = options->level;
    solver->curve = (fw_continuation){.n = solver->balance.n,
                                      .border = options->constant_response ? 1 : 0,
                                      .core = fw_balance_core(&solver->balance),
                                      .user = &solver->balance,
                                      .chords = !fw_balance_core(&solver->balance),
                                      .residual = fw_balance_residual};
    status = fw_continuation_init(ctx, &solver->curve);
  }
  if (status != FW_OK) fw_solver_clear(solver);
  return status;
}

void fw_solver_clear(fw_solver *solver) {
  fw_continuation_clear(&solver->curve);
  fw_balance_clear(&solver->balance);
}

fw_status fw_solver_at(fw_context *ctx, fw_solver *solver, double frequency, double tolerance, double *y) {
  fw_balance_scale(&solver->balance, y, solver->curve.scale);
  solver->curve.scale[solver->balance.n] = 2 * M_PI * frequency;
  y[solver->balance.n] = 2 * M_PI * frequency;
  return fw_balance_solve(ctx, &solver->balance, &solver->curve, tolerance, y);
}

fw_status fw_solver_state(fw_context *ctx, const fw_vibration *v, const fw_response_options *options, const double *y,
                          double phase, fw_state **state) {
  fw_solver solver;
  fw_orbit measured = {0};
  FW_TRY(fw_solver_init(ctx, v, options, &solver));
  fw_status status = fw_orbit_measure(ctx, v, &solver.balance, y, &measured);
  if (status == FW_OK) status = fw_vibration_state(ctx, v, &solver.balance, y, phase, state);
  fw_orbit_clear(&measured);
  fw_solver_clear(&solver);
  return status;
}

static fw_status show_states(fw_context *ctx, const fw_vibration *v, const fw_balance *b, const double *y, int phases,
                             fw_state_seen seen, void *user) {
  fw_status status = FW_OK;
  for (int i = 0; i < phases && status == FW_OK; i++) {
    fw_state *state = NULL;
    status = fw_vibration_state(ctx, v, b, y, 2 * M_PI * i / phases, &state);
    if (status == FW_OK) seen(user, state);
    fw_state_destroy(&state);
  }
  return status;
}

fw_status fw_solver_states(fw_context *ctx, const fw_vibration *v, const fw_response_options *options,
                           const fw_orbit *orbit, int phases, fw_state_seen seen, void *user) {
  fw_solver solver;
  fw_orbit measured = {0};
  double *y = NULL;
  FW_TRY(fw_solver_init(ctx, v, options, &solver));
  int n = solver.balance.n;
  fw_status status = fw_alloc(ctx, (size_t)n + 1, sizeof *y, &y);
  if (status == FW_OK) {
    memcpy(y, orbit->y, ((size_t)n + 1) * sizeof *y);
    y[n] = 2 * M_PI * orbit->frequency; /* of a mode something else stands there */
    status = fw_orbit_measure(ctx, v, &solver.balance, y, &measured);
  }
  if (status == FW_OK) status = show_states(ctx, v, &solver.balance, y, phases, seen, user);
  fw_orbit_clear(&measured);
  fw_solver_clear(&solver);
  free(y);
  return status;
}

/* Newton at the frequency of y, or at the phase of a response (its options's sensor over the drive). */
static fw_status solve_near(fw_context *ctx, const fw_vibration *v, fw_solver *solver,
                            const fw_response_options *options, const double complex *response, double frequency,
                            double *y) {
  if (!response) return fw_solver_at(ctx, solver, frequency, options->tolerance, y);
  fw_phase phase = {0};
  fw_newton newton = {.tolerance = options->tolerance, .most = 25};
  fw_balance_scale(&solver->balance, y, solver->curve.scale);
  solver->curve.scale[solver->balance.n] = 0.1 * y[solver->balance.n];
  fw_status status = fw_phase_init(ctx, v, &solver->balance, options->sensor, carg(*response), cabs(*response), &phase);
  if (status == FW_OK)
    status = fw_continuation_correct(&solver->curve, (fw_condition){&phase, fw_phase_value}, &newton, y);
  fw_phase_clear(&phase);
  return status;
}

static fw_status refine(fw_context *ctx, const fw_vibration *v, const fw_response *r, const fw_orbit *orbit, int H,
                        int samples, const double complex *response, fw_orbit *finer) {
  fw_response_options options = r->options;
  options.H = H;
  options.samples = samples;
  fw_solver solver;
  FW_TRY(fw_solver_init(ctx, v, &options, &solver));
  fw_status status = FW_OK;
  double *y = NULL;
  int few = 2 * r->options.H + 1, many = 2 * H + 1;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)solver.balance.n + 1, sizeof *y, &y));
  for (int c = 0; c < solver.balance.blocks; c++) memcpy(y + c * many, orbit->y + c * few, (size_t)few * sizeof *y);
  if (options.constant_response) y[solver.balance.n - 1] = orbit->level;
  y[solver.balance.n] = 2 * M_PI * orbit->frequency;
  FW_TRY_DONE(solve_near(ctx, v, &solver, &options, response, orbit->frequency, y));
  status = fw_orbit_measure(ctx, v, &solver.balance, y, finer);
done:
  free(y);
  fw_solver_clear(&solver);
  return status;
}

fw_status fw_response_refine(fw_context *ctx, const fw_vibration *v, const fw_response *r, const fw_orbit *orbit, int H,
                             int samples, fw_orbit *finer) {
  return refine(ctx, v, r, orbit, H, samples, NULL, finer);
}

fw_status fw_response_neighbour(fw_context *ctx, const fw_vibration *v, const fw_response *r, const fw_orbit *orbit,
                                int H, int samples, fw_orbit *finer) {
  double complex response = fw_response_compliance(&r->options, orbit);
  fw_status status = refine(ctx, v, r, orbit, H, samples, NULL, finer);
  return status > 0 ? refine(ctx, v, r, orbit, H, samples, &response, finer) : status;
}

double complex fw_response_compliance(const fw_response_options *options, const fw_orbit *orbit) {
  double complex rate = I * 2 * M_PI * orbit->frequency, value = orbit->sensors[options->sensor * (options->H + 1) + 1];
  if (options->quantity == FW_VELOCITY) value /= rate;
  if (options->quantity == FW_ACCELERATION) value /= rate * rate;
  return value / (orbit->level * options->drive);
}

/* ---- the sweep ---------------------------------------------------------------------------- */

typedef struct collector {
  fw_context *ctx;
  const fw_vibration *v;
  fw_solver *solver;
  fw_response *response;
  int met; /* how many of the grid in succession were there before */
} collector;

int fw_response_passes(const fw_response_options *options, const fw_orbit *a, const fw_orbit *b, double *part) {
  double complex turn = cexp(-I * options->phase);
  double complex at_a = fw_response_compliance(options, a) * turn, at_b = fw_response_compliance(options, b) * turn;
  if (at_a == 0 || at_b == 0 || cimag(at_a) == cimag(at_b) || cimag(at_a) * cimag(at_b) > 0) return 0;
  *part = cimag(at_a) / (cimag(at_a) - cimag(at_b));
  double along = creal(at_a) + creal(at_b);
  bool falls = cimag(conj(at_a) * at_b) * (b->frequency - a->frequency) < 0;
  return along > 0 ? 1 : options->either && along < 0 && falls ? -1 : 0;
}

/* Figures of the motion at y, and its multipliers if they are asked for. */
static fw_status measure(collector *c, const double *y, fw_orbit *orbit) {
  fw_response *out = c->response;
  FW_TRY(fw_orbit_measure(c->ctx, c->v, &c->solver->balance, y, orbit));
  fw_status status = FW_OK;
  if (out->options.stability) status = fw_orbit_judge(c->ctx, &c->solver->balance, y, NULL, orbit, &out->unjudged);
  if (status != FW_OK) fw_orbit_clear(orbit);
  return status;
}

/* Where little power goes through a sharp resonance, what Newton leaves along the curve shows in the balance of energy:
 * such a point is solved to more digits at its frequency. One that does not come closer stays as it is. */
static fw_status measure_closer(collector *c, const double *y, fw_orbit *orbit) {
  int n = c->solver->balance.n;
  double *closer;
  FW_TRY(fw_alloc(c->ctx, (size_t)n + 1, sizeof *closer, &closer));
  memcpy(closer, y, ((size_t)n + 1) * sizeof *closer);
  fw_newton newton = {.tolerance = c->response->options.tolerance, .most = 8};
  fw_fixed fixed = {n, y[n]};
  fw_orbit finer;
  fw_status status =
      fw_continuation_correct(&c->solver->curve, (fw_condition){&fixed, fw_fixed_value}, &newton, closer);
  if (status == FW_OK) status = measure(c, closer, &finer);
  if (status == FW_OK) {
    fw_orbit_clear(orbit);
    *orbit = finer;
  }
  free(closer);
  return status < 0 ? status : FW_OK;
}

/* A resonance, what figures are taken from, to more digits than the curve where corners allow it. room: as long as y.
 */
static fw_status correct_resonance(collector *c, fw_phase *phase, double *room, double *y) {
  fw_condition condition = {phase, fw_phase_value};
  fw_newton newton = {.tolerance = c->response->options.tolerance, .most = 20};
  fw_newton more = {.tolerance = 1e-4 * newton.tolerance, .most = 6};
  FW_TRY(fw_continuation_correct(&c->solver->curve, condition, &newton, y));
  size_t bytes = ((size_t)c->solver->balance.n + 1) * sizeof(double);
  memcpy(room, y, bytes);
  fw_status status = fw_continuation_correct(&c->solver->curve, condition, &more, room);
  if (status == FW_OK) memcpy(y, room, bytes);
  return status < 0 ? status : FW_OK;
}

/* True if Newton's method went to another resonance than the one between the two orbits. */
static bool left_the_bracket(const fw_balance *b, const fw_orbit *from, const fw_orbit *to, const double *y) {
  double frequency = y[b->n] / (2 * M_PI), width = fabs(to->frequency - from->frequency) + 1e-4 * from->frequency;
  return fabs(frequency - 0.5 * (from->frequency + to->frequency)) > width;
}

typedef struct passage {
  collector *c;
  fw_phase *phase;
  double sign, *room, *y;
  fw_status status; /* other than FW_OK: no motion was found at some frequency */
} passage;

static bool has_passed(void *user, double omega) {
  passage *p = (passage *)user;
  fw_newton newton = {.tolerance = p->c->response->options.tolerance, .most = 20};
  fw_fixed fixed = {p->c->solver->balance.n, omega};
  if (p->status != FW_OK) return true;
  p->y[fixed.n] = omega;
  p->status = fw_continuation_correct(&p->c->solver->curve, (fw_condition){&fixed, fw_fixed_value}, &newton, p->y);
  return p->status != FW_OK || !(fw_phase_value(p->phase, p->y, p->room) * p->sign > 0);
}

/* The resonance between two orbits by halving: one so sharp that Newton's method passes it by. y: room and result. */
static fw_status halve(collector *c, fw_phase *phase, const fw_orbit *a, const fw_orbit *b, double *room, double *y) {
  int n = c->solver->balance.n;
  double low = a->y[n], high = b->y[n];
  passage p = {c, phase, fw_phase_value(phase, a->y, room), room, y, FW_OK};
  memcpy(y, a->y, ((size_t)n + 1) * sizeof(double));
  fw_bisect(has_passed, &p, 1e-14, 50, &low, &high);
  return p.status;
}

/* If the wished phase lies between the last two orbits, finds it. */
static fw_status look_for_resonance(collector *c) {
  fw_response *out = c->response;
  if (out->count < 2) return FW_OK;
  const fw_orbit *a = &out->orbits[out->count - 2], *b = &out->orbits[out->count - 1];
  double part;
  int way = fw_response_passes(&out->options, a, b, &part);
  if (way == 0) return FW_OK;
  fw_balance *balance = &c->solver->balance;
  fw_status status = FW_OK;
  double *y = NULL, wished = out->options.phase + (way < 0 ? M_PI : 0);
  double size = fmax(cabs(fw_response_compliance(&out->options, a)), cabs(fw_response_compliance(&out->options, b)));
  fw_phase phase = {0};
  FW_TRY_DONE(fw_phase_init(c->ctx, c->v, balance, out->options.sensor, wished, size, &phase));
  FW_TRY_DONE(fw_alloc(c->ctx, 2 * ((size_t)balance->n + 1), sizeof(double), &y));
  for (int i = 0; i <= balance->n; i++) y[i] = a->y[i] + part * (b->y[i] - a->y[i]);
  status = correct_resonance(c, &phase, y + balance->n + 1, y);
  if (status > 0 || (status == FW_OK && left_the_bracket(balance, a, b, y)))
    status = halve(c, &phase, a, b, y + balance->n + 1, y);
  if (status == FW_OK) {
    fw_orbit orbit;
    FW_TRY_DONE(measure(c, y, &orbit));
    status = fw_orbit_append(c->ctx, &out->resonances, &out->resonance_count, &out->resonance_room, &orbit);
  }
done:
  fw_phase_clear(&phase);
  free(y);
  return status > 0 ? FW_OK : status; /* not found to the last digit: the curve goes on */
}

static bool is_on_grid(const fw_response_options *options, double frequency) {
  double number = (frequency - options->f_from) / (options->f_to - options->f_from) * (options->points - 1);
  return fabs(number - round(number)) < 1e-9;
}

/* Was the last orbit, on the grid of frequencies, met before? A curve that comes back to itself goes on for ever; one
 * that a step has thrown back a little meets some only. */
static bool came_back(const fw_response *out, int n) {
  const fw_orbit *last = &out->orbits[out->count - 1];
  for (int i = 0; i < out->count - 3; i++) {
    if (fabs(out->orbits[i].frequency - last->frequency) > 1e-12 * last->frequency) continue;
    double distance = 0, size = 0;
    for (int k = 0; k < n; k++) {
      distance += (out->orbits[i].y[k] - last->y[k]) * (out->orbits[i].y[k] - last->y[k]);
      size += last->y[k] * last->y[k];
    }
    if (distance <= 1e-12 * size) return true;
  }
  return false;
}

/* A billion times the amplitude at which the curve began: no damping that a structure has lets it get there. */
static bool is_unbounded(const fw_response *out, const fw_orbit *orbit) {
  int n = orbit->unknowns - 1; /* omega is the last */
  return cblas_dnrm2(n, orbit->y, 1) > 1e9 * cblas_dnrm2(n, out->orbits[0].y, 1);
}

static fw_status collect(void *user, fw_continuation *curve, const double *y, const double *tangent) {
  collector *c = user;
  fw_response *out = c->response;
  fw_orbit orbit;
  (void)tangent;
  FW_TRY(measure(c, y, &orbit));
  fw_status status = FW_OK;
  if (orbit.left > BALANCED && !out->options.constant_response) status = measure_closer(c, y, &orbit);
  if (status != FW_OK) {
    fw_orbit_clear(&orbit);
    return status;
  }
  FW_TRY(fw_orbit_append(c->ctx, &out->orbits, &out->count, &out->room, &orbit));
  fw_balance_scale(&c->solver->balance, y, curve->scale);
  FW_TRY(look_for_resonance(c));
  if (orbit.normal_least < 0) { /* never where it may open */
    snprintf(out->note, sizeof out->note, "a hard contact that is kept closed would pull at %.6g Hz: it opens there",
             orbit.frequency);
    return FW_RECOVER_CONTACT;
  }
  if (is_unbounded(out, &orbit)) {
    out->unbounded = orbit.frequency;
    return FW_RECOVER_DIVERGED;
  }
  if (is_on_grid(&out->options, orbit.frequency)) c->met = came_back(out, curve->n) ? c->met + 1 : 0;
  if (c->met == MET_MOST) {
    snprintf(out->note, sizeof out->note, "the curve closes on itself at %.6g Hz", orbit.frequency);
    return FW_RECOVER_DIVERGED;
  }
  return FW_OK;
}

/* ---- peak and width ------------------------------------------------------------------------ */

/* Frequency where the amplitude falls to `half` going from the peak in one direction; NaN if it does not. */
static double crossing(const fw_response *out, double half, int step) {
  for (int i = out->peak; i + step >= 0 && i + step < out->count; i += step) {
    double a = cabs(fw_response_compliance(&out->options, &out->orbits[i]));
    double b = cabs(fw_response_compliance(&out->options, &out->orbits[i + step]));
    double fa = out->orbits[i].frequency, fb = out->orbits[i + step].frequency;
    if (a <= half) break; /* between rows, at a resonance, it is much higher than at any */
    if (b <= half) return fa + (a - half) / (a - b) * (fb - fa);
  }
  return fw_unknown();
}

void fw_response_find_peak(fw_response *out) {
  double most = 0; /* of the rows, then of the resonances between them too */
  out->peak = -1;
  for (int i = 0; i < out->count; i++) {
    double amplitude = cabs(fw_response_compliance(&out->options, &out->orbits[i]));
    if (amplitude > most) {
      most = amplitude;
      out->peak = i;
    }
  }
  out->bandwidth = fw_unknown();
  for (int i = 0; i < out->resonance_count; i++)
    most = fmax(most, cabs(fw_response_compliance(&out->options, &out->resonances[i])));
  if (out->peak > 0 && out->peak < out->count - 1)
    out->bandwidth = fabs(crossing(out, most / sqrt(2), 1) - crossing(out, most / sqrt(2), -1));
}

/* ---- all together ------------------------------------------------------------------------- */

static fw_status run(fw_context *ctx, const fw_vibration *v, fw_solver *solver, fw_response *out) {
  const fw_response_options *options = &out->options;
  int n = solver->balance.n;
  double *y;
  FW_TRY(fw_alloc(ctx, (size_t)n + 1, sizeof(double), &y));
  collector c = {ctx, v, solver, out, 0};
  fw_arc_length sweep = {.from = 2 * M_PI * options->f_from,
                         .to = 2 * M_PI * options->f_to,
                         .tolerance = (options->constant_response ? 1 : ON_THE_WAY) * options->tolerance,
                         .most = POINTS_PER_POINT * options->points,
                         .user = &c,
                         .accept = collect};
  sweep.step = fabs(sweep.to - sweep.from) / (options->points > 1 ? options->points - 1 : 1);
  y[n] = sweep.from;
  solver->curve.scale[n] = fabs(sweep.to - sweep.from);
  out->status = fw_curve_begin(ctx, solver, &sweep, options->tolerance, y);
  fw_status status = FW_OK;
  if (out->status == FW_OK) status = fw_curve_ends_follow(ctx, solver, &sweep, out, y);
  free(y);
  out->reached = sweep.reached / (2 * M_PI);
  fw_curve_ends_explain(out, &sweep, &solver->balance);
  return out->status < 0 ? out->status : status;
}

static fw_status run_once(fw_context *ctx, const fw_vibration *v, const fw_response_options *options,
                          fw_response *out) {
  *out = (fw_response){.options = *options, .peak = -1, .bandwidth = fw_unknown()};
  fw_solver solver;
  FW_TRY(fw_solver_init(ctx, v, options, &solver));
  fw_status status = run(ctx, v, &solver, out);
  fw_response_find_peak(out);
  if (out->count && out->peak < 0 && !out->note[0])
    snprintf(out->note, sizeof out->note, "the sensor \"%s\" does not move", v->model->sensors[options->sensor].id);
  fw_solver_clear(&solver);
  return status;
}

/* Says where the contact was open, before what the curve had to say. */
static void note_openings(fw_response *out) {
  double low = INFINITY, high = 0;
  char said[sizeof out->note];
  for (int i = 0; i < out->count; i++) {
    if (out->orbits[i].normal_least > 0) continue;
    low = fmin(low, out->orbits[i].frequency);
    high = fmax(high, out->orbits[i].frequency);
  }
  if (!(high > 0)) return;
  memcpy(said, out->note, sizeof said);
  snprintf(out->note, sizeof out->note, "a hard contact opens during the period between %.6g and %.6g Hz%s%.300s", low,
           high, said[0] ? "; " : "", said);
}

fw_status fw_response_run(fw_context *ctx, const fw_vibration *v, const fw_response_options *options,
                          fw_response *out) {
  FW_TRY(run_once(ctx, v, options, out));
  if (out->status != FW_RECOVER_CONTACT) return FW_OK;
  fw_response_options opening = *options;
  opening.opening = true;
  fw_response_clear(out);
  FW_TRY(run_once(ctx, v, &opening, out));
  note_openings(out);
  return FW_OK;
}

void fw_response_clear(fw_response *response) {
  for (int i = 0; i < response->count; i++) fw_orbit_clear(&response->orbits[i]);
  for (int i = 0; i < response->resonance_count; i++) fw_orbit_clear(&response->resonances[i]);
  fw_orbit_clear(&response->top);
  free(response->orbits);
  free(response->resonances);
  *response = (fw_response){0};
}
