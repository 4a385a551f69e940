/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stability of hard contact that opens and closes, against exact piecewise linear motions and their monodromy matrices
 * with jumps: an oscillator that hits a stop and flies off, a foot that lifts off the ground and lands to stay. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "solver/hb/orbit_stability.h"

static const fw_friction NO_FRICTION;

static double report(const char *what, double computed, double reference) {
  double difference = fabs(computed - reference);
  printf("%-62s %11.6f %11.6f %9.1e\n", what, computed, reference, difference);
  return difference;
}

/* ---- an oscillator and a stop ---------------------------------------------------------------- */

/* x'' + 2 zeta x' + x = cos omega t, x >= -clearance, one elastic impact a period, at t0 with speed v0. */
typedef struct bouncer {
  double zeta, omega, clearance, t0, v0;
} bouncer;

static double period(const bouncer *b) { return 2 * M_PI / b->omega; }

/* Forced motion at t. */
static void forced(const bouncer *b, double t, double *x, double *v) {
  double complex X = cexp(I * b->omega * t) / (1 - b->omega * b->omega + 2 * I * b->zeta * b->omega);
  *x = creal(X);
  *v = creal(I * b->omega * X);
}

/* Free motion over a time t: x, v = F (x, v). */
static void flow(const bouncer *b, double t, double F[2][2]) {
  double w = sqrt(1 - b->zeta * b->zeta), c = cos(w * t), s = sin(w * t) / w, d = exp(-b->zeta * t);
  F[0][0] = d * (c + b->zeta * s);
  F[0][1] = d * s;
  F[1][0] = -d * s;
  F[1][1] = d * (c - b->zeta * s);
}

/* At a time t after the impact. */
static void motion(const bouncer *b, double t, double *x, double *v) {
  double F[2][2], x0, v0;
  flow(b, t, F);
  forced(b, b->t0, &x0, &v0);
  forced(b, b->t0 + t, x, v);
  *x += F[0][0] * (-b->clearance - x0) + F[0][1] * (b->v0 - v0);
  *v += F[1][0] * (-b->clearance - x0) + F[1][1] * (b->v0 - v0);
}

/* v0 such that it is back at the stop after a period; by how much the speed is not. */
static double defect(bouncer *b, double t0) {
  double F[2][2], x, v;
  b->t0 = t0;
  flow(b, period(b), F);
  forced(b, t0, &x, &v);
  b->v0 = v + (1 - F[0][0]) * (-b->clearance - x) / F[0][1];
  motion(b, period(b), &x, &v);
  return v + b->v0;
}

/* The motion that leaves the stop and does not come back to it before its time. */
static void find_exact(bouncer *b) {
  enum { PARTS = 2000 };
  double step = period(b) / PARTS;
  for (int i = 0; i < PARTS; i++) {
    double low = i * step, high = low + step, at_low = defect(b, low);
    if (at_low * defect(b, high) > 0) continue;
    for (int k = 0; k < 60; k++) {
      double middle = 0.5 * (low + high);
      *(defect(b, middle) * at_low > 0 ? &low : &high) = middle;
    }
    defect(b, low);
    bool clear = b->v0 > 0;
    for (int k = 1; k < PARTS && clear; k++) {
      double x, v;
      motion(b, k * step, &x, &v);
      clear = x > -b->clearance;
    }
    if (clear) return;
  }
  fail_msg("no motion with one impact");
}

/* Trace of the monodromy matrix: F over a period after the jump of the impact, dx+ = -dx, dv+ = -dv + 2 (a/w + 2 zeta)
 * dx with w = -v0 and a the velocity and acceleration before it. */
static double exact_trace(const bouncer *b) {
  double F[2][2], a = cos(b->omega * b->t0) + b->clearance + 2 * b->zeta * b->v0;
  flow(b, period(b), F);
  return -F[0][0] - F[1][1] + F[0][1] * 2 * (2 * b->zeta - a / b->v0);
}

/* ---- by harmonic balance --------------------------------------------------------------------- */

enum { UNKNOWNS = 1024 };

static const int first_coordinate = 0;
static const double unit = 1;
static const fw_combination own_gap = {1, &first_coordinate, &unit};

typedef struct solver {
  fw_context *ctx;
  fw_structure structure;
  fw_reduced reduced;
  fw_balance_contact contact;
  fw_balance_drive load;
  fw_balance balance;
  fw_continuation curve;
  double y[UNKNOWNS];
} solver;

/* M, C, K: n x n; the gap is coordinate n - 1, the load acts on the first. */
static void open_structure(solver *s, int n, const double *M, const double *C, const double *K) {
  size_t bytes = (size_t)(n * n) * sizeof(double);
  assert_int_equal(fw_context_create(&s->ctx), FW_OK);
  assert_int_equal(fw_structure_init(s->ctx, n, 1, 0, &s->structure), FW_OK);
  memcpy(s->structure.M, M, bytes);
  memcpy(s->structure.C, C, bytes);
  memcpy(s->structure.K, K, bytes);
  s->structure.B[n - 1] = 1;
  assert_int_equal(fw_reduced_create(s->ctx, &s->structure, (fw_retained){0}, &s->reduced), FW_OK);
  const double first[2] = {1, 0};
  assert_int_equal(fw_projected_init(s->ctx, &s->reduced, first, &s->load.load), FW_OK);
}

static void close_structure(solver *s) {
  fw_projected_clear(&s->load.load);
  fw_reduced_clear(&s->reduced);
  fw_structure_clear(&s->structure);
  fw_context_destroy(&s->ctx);
}

static void open_balance(solver *s, int H, int samples) {
  fw_balance_problem given = {&s->reduced, NULL, &s->contact, 1, &s->load, 1};
  assert_int_equal(fw_balance_init(s->ctx, &given, H, samples, true, &s->balance), FW_OK);
  assert_true(s->balance.n < UNKNOWNS);
  s->curve = (fw_continuation){.n = s->balance.n, .user = &s->balance, .residual = fw_balance_residual};
  assert_int_equal(fw_continuation_init(s->ctx, &s->curve), FW_OK);
}

static void close_balance(solver *s) {
  fw_continuation_clear(&s->curve);
  fw_balance_clear(&s->balance);
}

/* Coefficients of the exact motion and of its impulses: what Newton's method begins with. */
static void guess(solver *s, const bouncer *b) {
  const fw_fourier *f = &s->balance.fourier;
  double T = period(b);
  memset(s->y, 0, sizeof s->y);
  for (int j = 0; j < f->samples; j++) {
    double x, v;
    motion(b, fmod(T * j / f->samples - b->t0 + 2 * T, T), &x, &v);
    for (int k = 0; k < f->size; k++) s->y[k] += (k ? 2 : 1) * x * f->basis[j * f->size + k] / f->samples;
  }
  for (int k = 0; k < f->size; k++) {
    double phase = (k + 1) / 2 * b->omega * b->t0;
    s->y[f->size + k] = (k ? 2 : 1) * 2 * b->v0 / T * (k % 2 || k == 0 ? cos(phase) : sin(phase));
  }
  s->y[s->balance.n] = b->omega;
}

/* More harmonics: the motion of fewer, as far as it goes. */
static void widen(solver *s, int H, int samples) {
  double kept[UNKNOWNS];
  int blocks = s->balance.blocks, size = s->balance.fourier.size;
  memcpy(kept, s->y, sizeof kept);
  close_balance(s);
  open_balance(s, H, samples);
  memset(s->y, 0, sizeof s->y);
  for (int i = 0; i < blocks; i++)
    memcpy(s->y + i * s->balance.fourier.size, kept + i * size, (size_t)size * sizeof(double));
  s->y[s->balance.n] = kept[blocks * size];
}

static void correct(solver *s) {
  fw_fixed fixed = {s->balance.n, s->y[s->balance.n]};
  fw_newton newton = {.tolerance = 1e-9, .most = 200};
  fw_balance_scale(&s->balance, s->y, s->curve.scale);
  assert_int_equal(fw_continuation_correct(&s->curve, (fw_condition){&fixed, fw_fixed_value}, &newton, s->y), FW_OK);
}

static void multipliers(solver *s, double *sum, double *product) {
  fw_floquet stability;
  assert_int_equal(fw_balance_stability(s->ctx, &s->balance, s->y, NULL, &stability), FW_OK);
  if (stability.why) fail_msg("%s", stability.why);
  *sum = creal(stability.multipliers[0] + stability.multipliers[1]);
  *product = creal(stability.multipliers[0] * stability.multipliers[1]);
  fw_floquet_clear(&stability);
}

/* The impact of the truncated motion: its impulse and when. */
static void impact_of(const solver *s, bouncer *b) {
  const fw_aft *cycle = &s->balance.aft[0];
  double impulse = 0, moment = 0, h = period(b) / s->balance.fourier.samples;
  for (int j = 0; j < s->balance.fourier.samples; j++) {
    impulse += cycle->N[j] * h;
    moment += cycle->N[j] * h * h * j;
  }
  b->v0 = 0.5 * impulse;
  b->t0 = moment / impulse;
}

/* The multipliers' product is e^{-2 zeta T}, the restitution being the motion's own, 1. Their sum comes to that of the
 * exact motion with 1/H, as the motion itself does; what the jump adds is checked at the truncated motion's own impact.
 */
static void bouncing(void **unused) {
  (void)unused;
  enum { FIRST = 9, MORE = 4, LAST = 33 };
  static const double one = 1;
  double first = 0, last = 0;
  bouncer exact = {.zeta = 0.05, .omega = 1.5, .clearance = 0.3}, own = exact;
  find_exact(&exact);
  solver s = {.load = {.harmonic = 1, .factor = 1}, .contact = {.gap = own_gap}};
  double damping = 2 * exact.zeta;
  open_structure(&s, 1, &one, &damping, &one);
  s.contact.point = (fw_aft_point){
      .friction = &NO_FRICTION, .kind = FW_AFT_OPENING, .gap0 = 0.3, .clearance = 0.3, .gap_penalty = 30};
  open_balance(&s, FIRST, 4096);
  guess(&s, &exact);
  for (int H = FIRST; H <= LAST; H += MORE) {
    double sum, product;
    char what[80];
    if (H > FIRST) widen(&s, H, 4096);
    correct(&s);
    if ((H - FIRST) % 8) continue;
    multipliers(&s, &sum, &product);
    impact_of(&s, &own);
    snprintf(what, sizeof what, "bouncing, H = %d: product of the multipliers", H);
    assert_true(report(what, product, exp(-2 * exact.zeta * period(&exact))) < 2e-4);
    snprintf(what, sizeof what, "bouncing, H = %d: sum, with its own impact", H);
    assert_true(report(what, sum, exact_trace(&own)) < 3e-3);
    snprintf(what, sizeof what, "bouncing, H = %d: sum, exact", H);
    last = report(what, sum, exact_trace(&exact));
    if (H == FIRST) first = last;
  }
  assert_true(last < 0.4 * first && last < 0.05);
  close_balance(&s);
  close_structure(&s);
}

/* ---- a foot that lifts and lands ------------------------------------------------------------- */

/* A mass on a spring and a light foot that stands on the ground under N0 = 1: x1, v1, x2, v2 in time. */
static const double foot_M[] = {1, 0, 0, 0.01}, foot_C[] = {0.1, -0.1, -0.1, 0.15}, foot_K[] = {1.2, -1, -1, 1};
static const double foot_omega = 0.8, foot_load = 0.6;

static void foot_rates(double t, bool open, const double *x, double *rate) {
  const double q[2] = {x[0], x[2]}, v[2] = {x[1], x[3]};
  for (int i = 0; i < 2; i++) {
    double f = i == 0 ? foot_load * cos(foot_omega * t) : -1;
    for (int j = 0; j < 2; j++) f -= foot_C[2 * i + j] * v[j] + foot_K[2 * i + j] * q[j];
    rate[2 * i] = v[i];
    rate[2 * i + 1] = f / foot_M[3 * i];
  }
  if (!open) rate[2] = rate[3] = 0;
}

static void foot_step(double t, double h, bool open, double *x) {
  static const double parts[4] = {0, 0.5, 0.5, 1}, weights[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  double rate[4] = {0}, sum[4] = {0};
  for (int stage = 0; stage < 4; stage++) {
    double at[4];
    for (int i = 0; i < 4; i++) at[i] = x[i] + parts[stage] * h * rate[i];
    foot_rates(t + parts[stage] * h, open, at, rate);
    for (int i = 0; i < 4; i++) sum[i] += weights[stage] * h * rate[i];
  }
  for (int i = 0; i < 4; i++) x[i] += sum[i];
}

/* > 0 as long as it goes on: the force on the ground, or the height above it. */
static double foot_margin(bool open, const double *x) { return open ? x[2] : 1 - x[0] - 0.1 * x[1]; }

/* From t on for a time, landing without restitution; leaves the part of it that the foot was off the ground. */
static void foot_run(double t, double length, bool *open, double *x, double *off) {
  enum { STEPS = 4000 };
  double h = length / STEPS;
  *off = 0;
  for (int s = 0; s < STEPS; s++) {
    double done = 0;
    while (done < h) {
      double next[4], part = h - done;
      memcpy(next, x, sizeof next);
      foot_step(t + s * h + done, part, *open, next);
      bool ends = foot_margin(*open, next) < 0;
      if (ends) {
        double low = 0, high = part;
        for (int k = 0; k < 50; k++) {
          part = 0.5 * (low + high);
          memcpy(next, x, sizeof next);
          foot_step(t + s * h + done, part, *open, next);
          *(foot_margin(*open, next) < 0 ? &high : &low) = part;
        }
        part = high; /* just beyond */
      }
      if (*open) *off += part / length;
      memcpy(x, next, sizeof next);
      done += part;
      if (!ends) break;
      *open = !*open;
      x[2] = *open ? 1e-15 : 0;
      if (!*open) x[3] = 0;
    }
  }
}

/* Sum and product of the multipliers by differences of the exact motion over a period, which begins in contact. */
static void foot_exact(double *sum, double *product, double *off) {
  const double T = 2 * M_PI / foot_omega, step = 1e-6;
  double complex steady = -foot_load / (1.2 - foot_omega * foot_omega + 0.1 * I * foot_omega); /* if it stayed */
  double x[4] = {creal(steady), creal(I * foot_omega * steady)}, map[2][2], unused;
  bool open = false;
  for (int n = 0; n < 60; n++) foot_run(0.5 * T, T, &open, x, off);
  assert_false(open);
  for (int i = 0; i < 2; i++) {
    double end[2][4];
    for (int side = 0; side < 2; side++) {
      memcpy(end[side], x, sizeof x);
      end[side][i] += side ? step : -step;
      foot_run(0.5 * T, T, &open, end[side], &unused);
    }
    for (int k = 0; k < 2; k++) map[k][i] = (end[1][k] - end[0][k]) / (2 * step);
  }
  *sum = map[0][0] + map[1][1];
  *product = map[0][0] * map[1][1] - map[0][1] * map[1][0];
}

static void landing(void **unused) {
  (void)unused;
  static const int H[] = {15, 47};
  double sum_exact, product_exact, off, worst[2];
  foot_exact(&sum_exact, &product_exact, &off);
  printf("the foot is off the ground for %.4f of the period\n", off);
  assert_true(off > 0.1 && off < 0.9);
  solver s = {.load = {.harmonic = 1, .factor = foot_load}, .contact = {.gap = own_gap}};
  open_structure(&s, 2, foot_M, foot_C, foot_K);
  s.contact.point = (fw_aft_point){.friction = &NO_FRICTION, .kind = FW_AFT_CLOSED, .N0 = 1, .gap_penalty = 30};
  for (int i = 0; i < 2; i++) {
    double sum, product;
    char what[80];
    open_balance(&s, H[i], 4096);
    memset(s.y, 0, sizeof s.y);
    s.y[s.balance.n] = foot_omega;
    assert_int_equal(fw_balance_solve(s.ctx, &s.balance, &s.curve, 1e-9, s.y), FW_OK);
    multipliers(&s, &sum, &product);
    snprintf(what, sizeof what, "landing, H = %d: product of the multipliers", H[i]);
    worst[i] = report(what, product, product_exact);
    snprintf(what, sizeof what, "landing, H = %d: sum", H[i]);
    worst[i] = fmax(worst[i], report(what, sum, sum_exact));
    close_balance(&s);
  }
  assert_true(worst[0] < 0.1 && worst[1] < 0.5 * worst[0]);
  close_structure(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bouncing), cmocka_unit_test(landing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
