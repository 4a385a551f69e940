/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/free_decay.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_min.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "identify/quiet.h"

/* ---- noise ------------------------------------------------------------------------------- */

/* Third differences of a smooth signal vanish; those of noise have sqrt(20) times its deviation. The median does not
 * mind a few jumps. */
static fw_status estimate_noise(fw_context *ctx, const fw_signal *s, double *noise) {
  double *third;
  size_t count = s->count - 3;
  FW_TRY(fw_alloc(ctx, count, sizeof *third, &third));
  for (size_t i = 0; i < count; i++) third[i] = fabs(s->x[i + 3] - 3.0 * s->x[i + 2] + 3.0 * s->x[i + 1] - s->x[i]);
  *noise = gsl_stats_median(third, 1, count) / (0.6745 * sqrt(20.0));
  free(third);
  return FW_OK;
}

/* ---- where extremes are ------------------------------------------------------------------ */

/* A turn counts once the signal has gone back by `least` from it. Places go to found[room]; returns how many. side: of
 * the first. */
static int find_turns(const double *x, size_t count, double least, size_t *found, int room, int *side) {
  size_t high = 0, low = 0;
  int way = 0, turns = 0; /* way: 1 looking for a peak, -1 for a valley, 0 not known yet */
  for (size_t i = 1; i < count && turns < room; i++) {
    if (x[i] > x[high]) high = i;
    if (x[i] < x[low]) low = i;
    bool peak = way >= 0 && x[i] < x[high] - least, valley = way <= 0 && x[i] > x[low] + least;
    if (!peak && !valley) continue;
    if (turns == 0) *side = peak ? 1 : -1;
    found[turns++] = peak ? high : low;
    way = peak ? -1 : 1;
    high = low = i;
  }
  return turns;
}

/* Mean of the samples within `half` of each, so that turns of noise do not count. */
static void smooth(const double *x, size_t count, size_t half, double *smoothed) {
  double sum = 0.0;
  size_t first = 0, end = 0;
  for (size_t i = 0; i < count; i++) {
    while (end < count && end <= i + half) sum += x[end++];
    while (first + half < i) sum -= x[first++];
    smoothed[i] = sum / (double)(end - first);
  }
}

/* Samples of half a swing, from turns that are beyond doubt. */
static double samples_of_swing(const size_t *found, int count) {
  return count < 2 ? 0.0 : (double)(found[count - 1] - found[0]) / (count - 1);
}

enum { MOST_TURNS = 10000 };

/* Rough places of all turns that stand out of the noise. */
static fw_status locate(fw_context *ctx, const fw_signal *s, size_t *found, int *count, int *side) {
  double low, high, noise, *smoothed;
  gsl_stats_minmax(&low, &high, s->x, 1, s->count);
  FW_TRY(estimate_noise(ctx, s, &noise));
  FW_TRY(fw_alloc(ctx, s->count, sizeof *smoothed, &smoothed));
  *count = find_turns(s->x, s->count, 0.3 * (high - low), found, MOST_TURNS, side);
  double swing = samples_of_swing(found, *count);
  size_t half = (size_t)(swing / 24.0);
  smooth(s->x, s->count, half, smoothed);
  double least = fmax(5.0 * noise / sqrt(2.0 * (double)half + 1.0), 1e-9 * (high - low));
  if (swing > 0.0) *count = find_turns(smoothed, s->count, least, found, MOST_TURNS, side);
  free(smoothed);
  return FW_OK;
}

/* ---- one extreme ------------------------------------------------------------------------- */

/* Samples first..first+count-1 about an extreme. */
typedef struct neighbourhood {
  const double *t, *x;
  size_t count;
  double base; /* near all x: what is fitted is the difference, so that an offset costs no digits */
  double beta, omega;
  double level;  /* X at the last t0 */
  double spread; /* variance of X over that of the samples */
} neighbourhood;

/* g(s) - 1, without losing digits where s is small. */
static double fall(const neighbourhood *n, double s) {
  double angle = n->omega * s, half = sin(0.5 * angle);
  return expm1(-n->beta * angle) * (cos(angle) + n->beta * sin(angle)) - 2.0 * half * half + n->beta * sin(angle);
}

/* Sum of squares left by x = X + A_before (g - 1) or X + A_after (g - 1) with the extreme at t0. A side without
 * samples has no part in it. */
static double misfit_at(double t0, void *user) {
  neighbourhood *n = user;
  double m[9] = {0}, b[3] = {0}, rows[3], squares = 0.0;
  for (size_t i = 0; i < n->count; i++) {
    double s = n->t[i] - t0, g = fall(n, s);
    rows[0] = 1.0;
    rows[1] = s < 0.0 ? g : 0.0;
    rows[2] = s < 0.0 ? 0.0 : g;
    double x = n->x[i] - n->base;
    squares += x * x;
    for (int a = 0; a < 3; a++) {
      b[a] += rows[a] * x;
      for (int c = 0; c < 3; c++) m[3 * a + c] += rows[a] * rows[c];
    }
  }
  for (int a = 1; a < 3; a++)
    if (m[4 * a] == 0.0) m[4 * a] = 1.0;
  double right[3], unit[3] = {1.0, 0.0, 0.0}, solved[3], column[3];
  memcpy(right, b, sizeof b);
  gsl_matrix_view matrix = gsl_matrix_view_array(m, 3, 3);
  gsl_vector_view rhs = gsl_vector_view_array(right, 3), all = gsl_vector_view_array(solved, 3);
  gsl_vector_view first = gsl_vector_view_array(unit, 3), y = gsl_vector_view_array(column, 3);
  if (gsl_linalg_cholesky_decomp1(&matrix.matrix) != GSL_SUCCESS) return INFINITY;
  gsl_linalg_cholesky_solve(&matrix.matrix, &rhs.vector, &all.vector);
  gsl_linalg_cholesky_solve(&matrix.matrix, &first.vector, &y.vector);
  n->level = n->base + solved[0];
  n->spread = column[0];
  for (int a = 0; a < 3; a++) squares -= solved[a] * b[a];
  return fmax(squares, 0.0);
}

/* Least misfit between two times by a scan and Brent's method. */
static fw_status least_misfit(fw_context *ctx, neighbourhood *n, double from, double to, double *best) {
  enum { SCAN = 12, MOST = 60 };
  int lowest = 0;
  double values[SCAN + 1];
  for (int k = 0; k <= SCAN; k++) {
    values[k] = misfit_at(from + (to - from) * k / SCAN, n);
    if (values[k] < values[lowest]) lowest = k;
  }
  *best = from + (to - from) * lowest / SCAN;
  if (lowest == 0 || lowest == SCAN) return FW_OK;
  gsl_min_fminimizer *search = gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent);
  if (!search) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  gsl_function misfit = {misfit_at, n};
  double step = (to - from) / SCAN;
  int status = gsl_min_fminimizer_set(search, &misfit, *best, *best - step, *best + step);
  for (int i = 0; i < MOST && status == GSL_SUCCESS; i++) {
    status = gsl_min_fminimizer_iterate(search);
    double wide = gsl_min_fminimizer_x_upper(search) - gsl_min_fminimizer_x_lower(search);
    if (wide < 1e-6 * (to - from)) break; /* the extreme depends on its square */
  }
  *best = gsl_min_fminimizer_x_minimum(search);
  gsl_min_fminimizer_free(search);
  return FW_OK;
}

static neighbourhood around(const fw_signal *s, double t, double reach, double beta, double omega) {
  size_t first = 0, end = s->count;
  while (first < s->count && s->t[first] < t - reach) first++;
  while (end > first && s->t[end - 1] > t + reach) end--;
  return (neighbourhood){.t = s->t + first,
                         .x = s->x + first,
                         .count = end - first,
                         .base = s->x[first < s->count ? first : 0],
                         .beta = beta,
                         .omega = omega};
}

/* Fits the extreme near *turn; `squares` and `freedom` gather what the fits leave. False: there is none, the signal
 * only begins or ends here. */
static fw_status fit_turn(fw_context *ctx, const fw_signal *s, const fw_turns_options *options, fw_turn *turn,
                          double *squares, double *freedom, bool *there) {
  double beta = options->beta, omega = options->omega, reach = options->window * M_PI / omega,
         search = 0.25 * M_PI / omega;
  neighbourhood n = around(s, turn->t, reach, beta, omega);
  *there = n.count >= 6;
  if (!*there) return FW_OK;
  double from = fmax(turn->t - search, s->t[0] - 0.02 * M_PI / omega), to = fmin(turn->t + search, s->t[s->count - 1]);
  double best = turn->t;
  FW_TRY(least_misfit(ctx, &n, from, to, &best));
  n = around(s, best, reach, beta, omega);
  from = fmax(best - 0.2 * search, s->t[0] - 0.02 * M_PI / omega);
  to = fmin(best + 0.2 * search, s->t[s->count - 1]);
  FW_TRY(least_misfit(ctx, &n, from, to, &best));
  *there = best > from && best < to && n.count >= 6;
  *squares += misfit_at(best, &n);
  *freedom += (double)n.count - 4.0;
  *turn = (fw_turn){best, n.level, sqrt(n.spread)};
  return FW_OK;
}

/* ---- all of them ------------------------------------------------------------------------- */

/* Ends the list where the rhythm is lost or swings are no larger than noise makes them: the oscillator sticks. */
static int keep_swings(const fw_turn *list, int count, double half) {
  const double sure = 8.0; /* deviations */
  int kept = count > 0;
  for (; kept < count; kept++) {
    const fw_turn *last = &list[kept - 1], *next = &list[kept];
    if (fabs(next->t - last->t - half) > 0.35 * half) break;
    if (fabs(next->x - last->x) < sure * hypot(last->deviation, next->deviation)) break;
  }
  return kept;
}

static double median_gap(const fw_signal *s, const size_t *found, int count, double *gaps) {
  for (int i = 0; i + 1 < count; i++) gaps[i] = s->t[found[i + 1]] - s->t[found[i]];
  return gsl_stats_median(gaps, 1, (size_t)count - 1);
}

static fw_status fit_all(fw_context *ctx, const fw_signal *s, const fw_turns_options *options, const size_t *found,
                         int count, fw_turns *turns) {
  double squares = 0.0, freedom = 0.0;
  for (int i = 0; i < count; i++) {
    fw_turn turn = {s->t[found[i]], s->x[found[i]], 0.0};
    bool there;
    FW_TRY(fit_turn(ctx, s, options, &turn, &squares, &freedom, &there));
    if (there)
      turns->list[turns->count++] = turn;
    else if (turns->count > 0)
      break;
    else
      turns->side = -turns->side;
  }
  turns->noise = freedom > 0.0 ? sqrt(squares / freedom) : 0.0;
  double sigma = isnan(s->deviation) ? turns->noise : s->deviation;
  for (int i = 0; i < turns->count; i++) turns->list[i].deviation *= sigma;
  turns->count = keep_swings(turns->list, turns->count, M_PI / options->omega);
  if (turns->count >= 2)
    turns->omega = M_PI * (turns->count - 1) / (turns->list[turns->count - 1].t - turns->list[0].t);
  return FW_OK;
}

fw_status fw_turns_find(fw_context *ctx, const fw_signal *s, const fw_turns_options *options, fw_turns *turns) {
  fw_turns_options known = *options;
  size_t *found = NULL;
  double *gaps = NULL;
  int count = 0;
  fw_status status;
  *turns = (fw_turns){0};
  fw_gsl_enter();
  FW_TRY_DONE(fw_alloc(ctx, MOST_TURNS, sizeof *found, &found));
  FW_TRY_DONE(fw_alloc(ctx, MOST_TURNS, sizeof *gaps, &gaps));
  FW_TRY_DONE(fw_alloc(ctx, MOST_TURNS, sizeof *turns->list, &turns->list));
  if (s->count > 8) FW_TRY_DONE(locate(ctx, s, found, &count, &turns->side));
  if (count >= 3 && known.omega == 0.0) known.omega = M_PI / median_gap(s, found, count < 8 ? count : 8, gaps);
  if (count >= 3) FW_TRY_DONE(fit_all(ctx, s, &known, found, count, turns));
  status = turns->count >= 3 ? FW_OK
                             : fw_fail(ctx, FW_ERR_ANALYSIS,
                                       "%d extremes stand out of the noise; three at least are needed", turns->count);
done:
  fw_gsl_leave();
  free(found);
  free(gaps);
  if (status != FW_OK) fw_turns_clear(turns);
  return status;
}

void fw_turns_clear(fw_turns *turns) {
  free(turns->list);
  *turns = (fw_turns){0};
}
