/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shooting against exact piecewise motions: a driven oscillator and a hard stop, one impact in one period, in two or in
 * three; one with dry friction that slides on (Den Hartog) or sticks in between. */
#include "impacts.h"

/* Without rebound: it rests from the impact on until the force turns, cos(w t) = -c, and flies from there. */
static orbit find_rest(double zeta, double c, double w) {
  orbit o = {.f = {.zeta = zeta, .w = w, .t0 = -acos(-c) / w, .x = -c}, .c = c, .periods = 1};
  double x, v, low = 0, step = period(&o) / SCAN;
  for (low = o.f.t0 + 0.05 * period(&o);; low += step) {
    fly(&o.f, low + step, &x, &v);
    if (x < -c) break;
    assert_true(low < o.f.t0 + period(&o));
  }
  double high = low + step;
  for (int k = 0; k < 60; k++) {
    double middle = 0.5 * (low + high);
    fly(&o.f, middle, &x, &v);
    *(x > -c ? &low : &high) = middle;
  }
  o.landing = low;
  assert_true(cos(w * low) < -c); /* it rests */
  return o;
}

/* ---- computed ---------------------------------------------------------------------------------- */

typedef struct response {
  double complex H[HARMONICS + 1];
  double multiplier, slip;
} response;

static double first(const deck_run *run, const char *analysis, const char *column) {
  size_t rows;
  const double *values = deck_column(run, analysis, "frf-1", column, &rows);
  assert_true(rows > 0);
  return values[0];
}

static response compute(const char *deck, const char *const *settings, const char *analysis) {
  deck_run run;
  char column[40];
  response r = {0};
  if (deck_try_only(&run, deck, settings, analysis) != FW_OK) fail_msg("%s", fw_context_message(run.ctx));
  r.H[0] = first(&run, analysis, "x.mean");
  for (int k = 1; k <= HARMONICS; k++) {
    snprintf(column, sizeof column, k == 1 ? "x.amplitude" : "x.amplitude-%d", k);
    double size = first(&run, analysis, column);
    snprintf(column, sizeof column, k == 1 ? "x.phase" : "x.phase-%d", k);
    r.H[k] = size * cexp(I * first(&run, analysis, column) * M_PI / 180);
  }
  if (strcmp(analysis, "time") != 0) r.multiplier = first(&run, analysis, "multiplier");
  if (strstr(deck, "friction")) r.slip = first(&run, analysis, "sole.slip_amplitude");
  deck_close(&run);
  return r;
}

static double distance(const double complex *a, const double complex *b) {
  double off = 0;
  for (int k = 0; k <= HARMONICS; k++) off = fmax(off, cabs(a[k] - b[k]));
  return off / cabs(b[1]);
}

/* ---- the stop ---------------------------------------------------------------------------------- */

static void meets_stop(double e, double c, double w, int period, int finest, double within) {
  double before = NAN, off = NAN;
  printf("  restitution %g, stop at %g, w = %g, period %d\n", e, -c, w, period);
  for (int steps = finest / 8; steps <= finest; steps *= 2) {
    char text[6][40];
    const char *settings[7] = {text[0], text[1], text[2], text[3], text[4], text[5], NULL};
    snprintf(text[0], sizeof text[0], "e=%g", e);
    snprintf(text[1], sizeof text[1], "c=%g", c);
    snprintf(text[2], sizeof text[2], "w=%g", w);
    snprintf(text[3], sizeof text[3], "period=%d", period);
    snprintf(text[4], sizeof text[4], "steps=%d", steps);
    snprintf(text[5], sizeof text[5], "points=2");
    response r = compute(DATA "stop.xml", settings, "shot");
    orbit exact = e > 0 ? find_impact(0.05, c, e, w, period, steps, r.H[1]) : find_rest(0.05, c, w);
    double complex H[HARMONICS + 1];
    harmonics(position_of, &exact, w, period, steps, H);
    before = off;
    off = distance(r.H, H);
    printf("    %6d steps: amplitude %.9f, exact %.9f, off by %.1e, order %.2f, multiplier %.6f\n", steps, cabs(r.H[1]),
           cabs(H[1]), off, log2(before / off), r.multiplier);
    if (e > 0 && steps == finest) /* two multipliers, whose product is e^2 exp(-2 zeta T) */
      compare("multiplier", r.multiplier, e * exp(-0.05 * period * 2 * M_PI / w), 1e-3);
  }
  bounded("off the exact motion at the finest steps", off, within);
  compare("order", log2(before / off), 2, 0.2);
}

static void stop_and_rebound(void **state) {
  (void)state;
  meets_stop(0.5, 0.2, 2, 1, 6400, 1e-6);
  meets_stop(1, 0.2, 2, 1, 12800, 1e-6);
  meets_stop(0, 0.2, 0.7, 1, 6400, 1e-6);
  meets_stop(0.5, 0.02, 4, 2, 6400, 1e-6);
  meets_stop(1, 0.02, 4, 2, 12800, 1e-6);
  meets_stop(0.5, 0.01, 6, 3, 3200, 4e-6);
}

/* ---- friction ---------------------------------------------------------------------------------- */

/* Half a period: it sticks at -X until cos(w t) + X = f, slides to X, sticks there; then the same the other way. */
typedef struct rub {
  flight f;
  double X, stops; /* when the slide is over */
} rub;

static double excess(rub *r, double X, double w, double f) {
  double x, v, low, step = M_PI / (w * SCAN);
  r->X = X;
  r->f = (flight){.w = w, .push = f, .t0 = -acos(f - X) / w, .x = -X};
  for (low = r->f.t0 + 10 * step;; low += step) {
    fly(&r->f, low + step, &x, &v);
    if (v < 0) break;
  }
  double high = low + step;
  for (int k = 0; k < 60; k++) {
    double middle = 0.5 * (low + high);
    fly(&r->f, middle, &x, &v);
    *(v > 0 ? &low : &high) = middle;
  }
  r->stops = low;
  fly(&r->f, low, &x, &v);
  return x - X;
}

static double rubbing(const void *user, double t) {
  const rub *r = user;
  double x, v, half = M_PI / r->f.w, sign = 1;
  while (t < r->f.t0) t += half, sign = -sign;
  while (t >= r->f.t0 + half) t -= half, sign = -sign;
  if (t > r->stops) return sign * r->X;
  fly(&r->f, t, &x, &v);
  return sign * x;
}

static response rubs(double w, double f, int steps) {
  char text[3][40];
  const char *settings[4] = {text[0], text[1], text[2], NULL};
  snprintf(text[0], sizeof text[0], "w=%.17g", w);
  snprintf(text[1], sizeof text[1], "f=%.17g", f);
  snprintf(text[2], sizeof text[2], "steps=%d", steps);
  return compute(DATA "friction.xml", settings, "shot");
}

static void friction_with_stick(void **state) {
  (void)state;
  const double w = 0.3, f = 0.6;
  double low = 0.01, high = 1 + f - 1e-9, before = NAN, off = NAN;
  rub r;
  for (int k = 0; k < 80; k++) {
    double middle = 0.5 * (low + high);
    *(excess(&r, middle, w, f) > 0 ? &low : &high) = middle;
  }
  assert_true(r.stops < r.f.t0 + M_PI / w);
  for (int steps = 400; steps <= 6400; steps *= 2) {
    double complex H[HARMONICS + 1];
    response found = rubs(w, f, steps);
    harmonics(rubbing, &r, w, 1, steps, H);
    before = off;
    off = distance(found.H, H);
    printf("    %6d steps: amplitude %.9f, exact %.9f, off by %.1e, order %.2f, multiplier %.2e\n", steps,
           cabs(found.H[1]), cabs(H[1]), off, log2(before / off), found.multiplier);
  }
  bounded("off the exact motion at the finest steps", off, 1e-6);
}

/* Without stops: X = sqrt(V^2 - f^2 U^2), the multipliers are the squares of those of minus the half-period map. */
static void den_hartog(void **state) {
  (void)state;
  static const struct {
    double r, f, X;
  } cases[] = {{0.8, 0.5, 2.3322349875}, {0.8, 0.2, 2.7114152554}, {1.2, 0.3, 2.0723842680}, {2, 0.4, 0.2666666667}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double r = cases[i].r, f = cases[i].f, X = cases[i].X, V = 1 / (1 - r * r);
    double det = (X - f - X / V) / (X + f - X / V), trace = -(1 + det) * cos(M_PI / r);
    double complex root = csqrt(trace * trace / 4 - det);
    double most = pow(fmax(cabs(trace / 2 + root), cabs(trace / 2 - root)), 2);
    response found = rubs(r, f, 3200);
    compare("turning point", found.slip, X, 3e-6);
    compare("largest multiplier (first order in the step)", found.multiplier, most, 1e-3);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(stop_and_rebound), cmocka_unit_test(friction_with_stick),
                                     cmocka_unit_test(den_hartog)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
