/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Backbones of beams that meet stops, against exact piecewise linear motions: a beam that only turns about its end
 * (closed form), and a flexible cantilever (exact propagation of its freedoms in and out of contact, by shooting). */
#include <math.h>
#include <string.h>

#include "verification/deck_run.h"

/* last: it defines I */
#include <lapacke.h>

#define DECK FW_SOURCE_DIR "/tests/verification/hb/stops.xml"

static const double GAP = 1e-3, WIDTH = 20e-3, HEIGHT = 5e-3, LENGTH = 0.5, E = 210e9, RHO = 7800;

static double column(const fw_data_table *t, const char *name, size_t row) {
  int c = fw_data_table_column(t, name);
  if (c < 0) fail_msg("%s has no column %s", t->name, name);
  return t->values[c][row];
}

static void open_only(deck_run *run, const char *analysis, const char *const *settings) {
  if (deck_try_only(run, DECK, settings, analysis) != FW_OK) fail_msg("%s", fw_context_message(run->ctx));
}

/* ---- one freedom ----------------------------------------------------------------------------- */

/* From rest at x = top down to rest, or to a hard stop at -GAP. Stops have stiffness k beside the spring's k0. */
typedef struct oscillator {
  double m, k0, k;
  bool above, hard;
} oscillator;

/* Adds the integrals of x cos(pi t / half) over one stretch x = centre + p cos wt + q sin wt, by Simpson's rule. */
static double stretch(double centre, double p, double q, double w, double t0, double length, double half) {
  enum { STEPS = 400 };
  double sum = 0;
  for (int i = 0; i <= STEPS; i++) {
    double t = length * i / STEPS, weight = i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2;
    sum += weight * (centre + p * cos(w * t) + q * sin(w * t)) * cos(M_PI * (t0 + t) / half);
  }
  return sum * length / STEPS / 3;
}

/* Half the period; with `half` given, the first harmonic besides. */
static double fall(const oscillator *o, double top, double half, double *first) {
  double t = 0, x = top, v = 0;
  *first = 0;
  for (int region = o->above && top > GAP ? 1 : 0; region >= -1; region--) { /* above, between, below */
    double k = o->k0 + (region ? o->k : 0), w = sqrt(k / o->m), centre = region * o->k * GAP / k;
    double p = x - centre, q = v / w, radius = hypot(p, q), end = region == 1 ? GAP : -GAP;
    bool rests = region == -1 || centre - radius > end;
    double from = atan2(-q, p), to = rests ? M_PI : acos((end - centre) / radius); /* x = centre + radius cos */
    double length = (to - from) / w;
    if (half > 0) *first += 2 / half * stretch(centre, p, q, w, t, length, half);
    t += length;
    if (rests) break;
    x = end;
    v = -radius * w * sin(to);
    if (region == 0 && o->hard) break;
  }
  return t;
}

/* Frequency of the motion whose first harmonic is a: by bisection for the highest point. */
static double exact_frequency(const oscillator *o, double a) {
  double low = 0.5 * a, high = 10 * a, first, half = 0;
  for (int i = 0; i < 100; i++) {
    double top = 0.5 * (low + high);
    half = fall(o, top, 0, &first);
    fall(o, top, half, &first);
    *(first < a ? &low : &high) = top;
  }
  return 0.5 / half;
}

/* Largest relative difference of the frequency over the rows that touch. */
static double compare_rigid(const char *what, const oscillator *o, const char *const *settings, double *last) {
  deck_run run;
  open_only(&run, "mode1", settings);
  const fw_data_table *t = deck_table(&run, "mode1", "nnm");
  double worst = 0;
  for (size_t i = 0; i < t->rows; i++) {
    double a = column(t, "amplitude", i), f = column(t, "frequency", i);
    if (a < 1.02 * GAP) continue; /* a hard stop lets the frequency rise at once there */
    double exact = exact_frequency(o, a);
    worst = fmax(worst, fabs(f / exact - 1));
    if (i % 8 == 0 || i + 1 == t->rows)
      printf("%-28s a = %8.5f mm: %10.5f Hz, exact %10.5f Hz, %9.1e\n", what, 1e3 * a, f, exact, f / exact - 1);
  }
  *last = column(t, "frequency", t->rows - 1) / column(t, "frequency", 0);
  assert_true(fabs(column(t, "amplitude", t->rows - 1) / 4e-3 - 1) < 1e-9); /* all the way */
  deck_close(&run);
  return worst;
}

static const oscillator rigid = {.m = 7800 * 20e-3 * 5e-3 * 0.5 / 3, .k0 = 2000, .k = 2e4};

static void soft_stops(void **unused) {
  (void)unused;
  double rise;
  oscillator one = rigid, two = rigid;
  two.above = true;
  const char *below[] = {"stiff=1e6", "clamp=0", "spring=2000", "soft_below=1e-3", NULL};
  const char *both[] = {"stiff=1e6", "clamp=0", "spring=2000", "soft_below=1e-3", "soft_above=1e-3", NULL};
  assert_true(compare_rigid("spring below", &one, below, &rise) < 2e-5);
  assert_true(rise > 1.4);
  assert_true(compare_rigid("springs below and above", &two, both, &rise) < 2e-5);
  assert_true(rise > 2.5);
}

/* Impacts: velocities jump, and the series converges slowly. */
static void hard_stop(void **unused) {
  (void)unused;
  oscillator o = rigid;
  o.hard = true;
  double rise, worst[2];
  const char *few[] = {"stiff=1e6", "clamp=0", "spring=2000", "hard_below=1e-3", "H=9", NULL};
  const char *many[] = {"stiff=1e6", "clamp=0", "spring=2000", "hard_below=1e-3", "H=25", NULL};
  worst[0] = compare_rigid("hard below, H = 9", &o, few, &rise);
  worst[1] = compare_rigid("hard below, H = 25", &o, many, &rise);
  printf("hard stop: worst difference %.2e with 9 harmonics, %.2e with 25\n", worst[0], worst[1]);
  assert_true(worst[0] < 0.09 && worst[1] < 0.6 * worst[0] && rise > 1.75);
}

/* ---- a cantilever ---------------------------------------------------------------------------- */

enum { ELEMENTS = 3, N = 2 * ELEMENTS, TIP = N - 2, UNKNOWNS = N + 1 };

/* Modes of the beam without and with the stop's spring at the tip: shapes in columns, x^T M x = 1. */
typedef struct phase {
  double shapes[N * N], w[N], M[N * N];
  double centre[N]; /* where it is in equilibrium */
} phase;

static void add_element(double *K, double *M, int e) {
  double l = LENGTH / ELEMENTS, EI = E * WIDTH * pow(HEIGHT, 3) / 12, m = RHO * WIDTH * HEIGHT * l / 420;
  double k = EI / pow(l, 3);
  const double Ke[4][4] = {{12, 6 * l, -12, 6 * l},
                           {6 * l, 4 * l * l, -6 * l, 2 * l * l},
                           {-12, -6 * l, 12, -6 * l},
                           {6 * l, 2 * l * l, -6 * l, 4 * l * l}};
  const double Me[4][4] = {{156, 22 * l, 54, -13 * l},
                           {22 * l, 4 * l * l, 13 * l, -3 * l * l},
                           {54, 13 * l, 156, -22 * l},
                           {-13 * l, -3 * l * l, -22 * l, 4 * l * l}};
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      int a = 2 * e - 2 + i, b = 2 * e - 2 + j; /* the clamped node has none */
      if (a < 0 || b < 0) continue;
      K[b * N + a] += k * Ke[i][j];
      M[b * N + a] += m * Me[i][j];
    }
}

/* k: of the stop, which pushes from x_tip = at. */
static void make_phase(double k, double at, phase *p) {
  double K[N * N] = {0}, M[N * N] = {0}, solve[N * N];
  int pivot[N];
  for (int e = 0; e < ELEMENTS; e++) add_element(K, M, e);
  K[TIP * N + TIP] += k;
  memcpy(p->M, M, sizeof M);
  memcpy(solve, K, sizeof K);
  memset(p->centre, 0, sizeof p->centre);
  p->centre[TIP] = k * at;
  assert_int_equal(LAPACKE_dgesv(LAPACK_COL_MAJOR, N, 1, solve, N, pivot, p->centre, N), 0);
  assert_int_equal(LAPACKE_dsygv(LAPACK_COL_MAJOR, 1, 'V', 'U', N, K, N, M, N, p->w), 0);
  for (int i = 0; i < N; i++) p->w[i] = sqrt(p->w[i]);
  memcpy(p->shapes, K, sizeof K);
}

/* q, v after a time t in this phase. */
static void propagate(const phase *p, double t, const double *q0, const double *v0, double *q, double *v) {
  double c[N], s[N];
  for (int m = 0; m < N; m++) {
    c[m] = s[m] = 0;
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        c[m] += p->shapes[m * N + i] * p->M[j * N + i] * (q0[j] - p->centre[j]);
        s[m] += p->shapes[m * N + i] * p->M[j * N + i] * v0[j] / p->w[m];
      }
  }
  for (int i = 0; i < N; i++) {
    q[i] = p->centre[i];
    v[i] = 0;
    for (int m = 0; m < N; m++) {
      double w = p->w[m];
      q[i] += p->shapes[m * N + i] * (c[m] * cos(w * t) + s[m] * sin(w * t));
      v[i] += p->shapes[m * N + i] * w * (s[m] * cos(w * t) - c[m] * sin(w * t));
    }
  }
}

/* Two phases from rest at q0 to the end of a half or quarter period: x = (q0, time of the change over). Residual: the
 * tip is at the stop at the change over; at the end all is at rest (one stop), or all passes zero (two). */
typedef struct path {
  phase first, second;
  double boundary, end; /* tip at the change over; duration */
  bool two;
} path;

static void residual(const path *p, const double *x, double *r) {
  const double still[N] = {0};
  double q[N], v[N], q_end[N], v_end[N];
  propagate(&p->first, x[N], x, still, q, v);
  propagate(&p->second, p->end - x[N], q, v, q_end, v_end);
  double w = M_PI / p->end;
  for (int i = 0; i < N; i++) r[i] = p->two ? q_end[i] : v_end[i] / w;
  r[N] = q[TIP] - p->boundary;
}

static void shoot(const path *p, double *x) {
  for (int pass = 0; pass < 30; pass++) {
    double r[UNKNOWNS], moved[UNKNOWNS], J[UNKNOWNS * UNKNOWNS], step = 0;
    int pivot[UNKNOWNS];
    residual(p, x, r);
    for (int j = 0; j < UNKNOWNS; j++) {
      double kept = x[j], h = j < N ? 1e-7 : 1e-7 * p->end;
      x[j] += h;
      residual(p, x, moved);
      x[j] = kept;
      for (int i = 0; i < UNKNOWNS; i++) J[j * UNKNOWNS + i] = (moved[i] - r[i]) / h;
    }
    assert_int_equal(LAPACKE_dgesv(LAPACK_COL_MAJOR, UNKNOWNS, 1, J, UNKNOWNS, pivot, r, UNKNOWNS), 0);
    for (int j = 0; j < UNKNOWNS; j++) {
      x[j] -= r[j];
      step = fmax(step, fabs(r[j]));
    }
    if (step < 1e-13) return;
  }
  fail_msg("shooting does not converge");
}

/* First harmonic of the tip, by Simpson's rule over each phase. */
static double first_harmonic(const path *p, const double *x) {
  enum { STEPS = 400 };
  const double still[N] = {0};
  double q[N], v[N], now[N], rate[N], sum = 0, w = M_PI / p->end / (p->two ? 2 : 1);
  propagate(&p->first, x[N], x, still, q, v);
  for (int part = 0; part < 2; part++) {
    double length = part ? p->end - x[N] : x[N], before = part ? x[N] : 0;
    for (int i = 0; i <= STEPS; i++) {
      double t = length * i / STEPS, weight = i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2;
      propagate(part ? &p->second : &p->first, t, part ? q : x, part ? v : still, now, rate);
      sum += weight * now[TIP] * cos(w * (before + t)) * length / STEPS / 3;
    }
  }
  return sum * 2 / p->end;
}

/* What disturbances become over a time t in this phase, times what came before: map, 2N x 2N column major. */
static void disturb(const phase *p, double t, double *map) {
  phase about = *p;
  memset(about.centre, 0, sizeof about.centre);
  for (int c = 0; c < 2 * N; c++) {
    double q[N], v[N], *column = map + (ptrdiff_t)c * 2 * N;
    propagate(&about, t, column, column + N, q, v);
    memcpy(column, q, sizeof q);
    memcpy(column + N, v, sizeof v);
  }
}

/* Largest multiplier of the exact motion between two stops. Their springs push from nothing: no jumps. */
static double exact_multiplier(const path *p, const double *x) {
  double map[4 * N * N] = {0}, real[2 * N], imaginary[2 * N], largest = 0, in = x[N], out = p->end - x[N];
  for (int i = 0; i < 2 * N; i++) map[i * (2 * N + 1)] = 1;
  disturb(&p->first, in, map);
  disturb(&p->second, 2 * out, map);
  disturb(&p->first, 2 * in, map);
  disturb(&p->second, 2 * out, map);
  disturb(&p->first, in, map);
  assert_int_equal(LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', 2 * N, map, 2 * N, real, imaginary, NULL, 1, NULL, 1), 0);
  for (int i = 0; i < 2 * N; i++) largest = fmax(largest, hypot(real[i], imaginary[i]));
  return largest;
}

/* Exact motions at the frequencies of the rows, from the first that touches on; compares their first harmonics. */
static void cantilever(bool two, double k, const char *const *settings, double least_rise) {
  deck_run run;
  open_only(&run, "mode1", settings);
  const fw_data_table *t = deck_table(&run, "mode1", "nnm");
  path p = {.two = two, .boundary = two ? GAP : -GAP};
  make_phase(two ? k : 0, GAP, &p.first);
  make_phase(two ? 0 : k, -GAP, &p.second);
  const phase *free_beam = two ? &p.second : &p.first;
  double x[UNKNOWNS], worst = 0, f0 = free_beam->w[0] / (2 * M_PI);
  bool begun = false;
  int compared = 0;
  for (size_t i = 0; i < t->rows; i++) {
    double a = column(t, "amplitude", i), f = column(t, "frequency", i);
    if (a < 1.002 * GAP) continue;
    p.end = (two ? 0.25 : 0.5) / f;
    if (!begun) { /* the linear mode of this amplitude */
      for (int j = 0; j < N; j++) x[j] = a * free_beam->shapes[j] / free_beam->shapes[TIP];
      x[N] = acos(p.boundary / a) / free_beam->w[0];
      begun = true;
    }
    shoot(&p, x);
    double exact = first_harmonic(&p, x);
    worst = fmax(worst, fabs(a / exact - 1));
    if (compared++ % 6 == 0 || i + 1 == t->rows)
      printf("cantilever, %s: %9.5f Hz: a %10.7f mm, exact %10.7f mm, %9.1e\n", two ? "two stops" : "one stop", f,
             1e3 * a, 1e3 * exact, a / exact - 1);
  }
  double rise = column(t, "frequency", t->rows - 1) / f0;
  printf("%d motions, frequency up to %.3f of the linear one, largest difference of the amplitude %.1e\n", compared,
         rise, worst);
  assert_true(compared > 8 && rise > least_rise && worst < 2e-5);
  deck_close(&run);
}

static void cantilever_one(void **unused) {
  (void)unused;
  const char *settings[] = {"soft_below=1e-3", "k=2000", "a_max=1.15e-3", "points=80", NULL};
  cantilever(false, 2000, settings, 1.02);
}

static void cantilever_two(void **unused) {
  (void)unused;
  const char *settings[] = {"soft_below=1e-3", "soft_above=1e-3", "k=2000", "a_max=1.4e-3", "points=40", NULL};
  cantilever(true, 2000, settings, 1.12);
}

/* Between stiffer stops the first mode loses its stability over a short stretch, and regains it: multipliers against
 * the eigenvalues of the exact piecewise linear monodromy matrix. */
static void cantilever_stability(void **unused) {
  (void)unused;
  const char *settings[] = {"soft_below=1e-3", "soft_above=1e-3", "k=5000", "a_max=2e-3", "points=40", NULL};
  deck_run run;
  open_only(&run, "judged", settings);
  const fw_data_table *t = deck_table(&run, "judged", "nnm");
  path p = {.two = true, .boundary = GAP};
  make_phase(5000, GAP, &p.first);
  make_phase(0, -GAP, &p.second);
  double x[UNKNOWNS], worst = 0, most = 0;
  int unstable = 0;
  for (size_t i = 0, begun = 0; i < t->rows; i++) {
    double a = column(t, "amplitude", i), multiplier = column(t, "multiplier", i);
    if (a > 1.12 * GAP) break; /* it turns off into internal resonances later on */
    if (a < 1.002 * GAP) continue;
    p.end = 0.25 / column(t, "frequency", i);
    for (int j = 0; j < N && !begun; j++) x[j] = a * p.second.shapes[j] / p.second.shapes[TIP];
    if (!begun++) x[N] = acos(GAP / a) / p.second.w[0];
    shoot(&p, x);
    double exact = exact_multiplier(&p, x);
    double apart = fabs(first_harmonic(&p, x) / a - 1);         /* more where a harmonic left out meets a mode */
    bool edge = fmax(exact, multiplier) < 1.05 || apart > 5e-6; /* a square root begins there */
    if (column(t, "growing", i) > 0)
      printf("a = %9.6f mm, %.1e from the exact motion: multiplier %9.6f, exact %9.6f\n", 1e3 * a, apart, multiplier,
             exact);
    if (!edge) worst = fmax(worst, fabs(multiplier / exact - 1));
    most = fmax(most, exact);
    unstable += exact > 1.02;
  }
  printf("largest difference %.1e, multipliers up to %.4f\n", worst, most);
  assert_true(unstable >= 3 && most > 1.1 && worst < 5e-3);
  const char *kind = NULL;
  assert_int_equal(fw_results_text(run.results, "analyses.judged.bifurcations[0].kind", &kind), FW_OK);
  assert_string_equal(kind, "fold");
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(soft_stops), cmocka_unit_test(hard_stop),
                                     cmocka_unit_test(cantilever_one), cmocka_unit_test(cantilever_two),
                                     cmocka_unit_test(cantilever_stability)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
