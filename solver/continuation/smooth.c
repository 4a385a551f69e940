/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/continuation/smooth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PASSES = 12 };
static const double ASIDE = 0.5; /* of a chord: a solution farther from where it is looked for is another one */
static const double LONGEST =
    0.05; /* along the abscissa: longer chords are cut, whatever those beside them look like */
static const double SHORTEST = 1e-3; /* chords, of the picture's height, that are cut no more: the curve has a step */

typedef struct mark {
  bool closed;     /* nothing was found half way along the chord behind the point */
  double distance; /* of the curve from that chord */
} mark;

typedef struct smoother {
  fw_continuation *curve;
  fw_smooth *of;
  int m, width;
  double *y[4]; /* points around a chord, from the one before it on */
  double *mid, *predicted, *normal;
  double *places; /* [most x width] */
  mark *marks;    /* [most] */
  double *sorted; /* [most] */
} smoother;

/* ---- in the picture ------------------------------------------------------------------------ */

typedef struct chord {
  double x, u, length;
} chord;

static chord chord_of(const double *a, const double *b, int ordinate) {
  double x = b[0] - a[0], u = b[ordinate] - a[ordinate];
  return (chord){x, u, hypot(x, u)};
}

/* The angle, with its sign, that the line turns by between two chords. */
static double turn(chord a, chord b) { return atan2(a.x * b.u - a.u * b.x, a.x * b.x + a.u * b.u); }

/* As of a circle through the ends of the chord and of the one beside it. */
static double by_circle(double angle, chord beside, chord here) {
  return fabs(angle) * here.length * here.length / (4 * (beside.length + here.length));
}

/* As of a dip between flanks: the triangle that the chords beside it make with it, of which a curve without corners has a
 * quarter; where the flanks are steep it may be all of it. */
static double by_flanks(double a, double b, double length) {
  if (a * b <= 0) return 0;
  double cotangents = 1 / tan(fabs(a)) + 1 / tan(fabs(b));
  double triangle = cotangents > 0 ? length / cotangents : INFINITY;
  return fabs(a + b) > M_PI_2 ? triangle : 0.25 * triangle;
}

double fw_smooth_distance(const double *places, int ordinates, int i, bool before, bool behind) {
  const int width = 1 + ordinates;
  const double *at = places + (size_t)i * (size_t)width, *next = at + width;
  double most = FW_SMOOTH_WITHIN / LONGEST * fabs(next[0] - at[0]);
  for (int k = 1; k <= ordinates; k++) {
    chord here = chord_of(at, next, k), none = {0, 0, 0};
    chord last = before ? chord_of(at - width, at, k) : none,
          following = behind ? chord_of(next, next + width, k) : none;
    if (!(here.length > SHORTEST)) continue;
    double a = last.length > 0 ? turn(last, here) : 0, b = following.length > 0 ? turn(here, following) : 0;
    most = fmax(most, fmax(by_circle(a, last, here), by_circle(b, following, here)));
    most = fmax(most, by_flanks(a, b, here.length));
  }
  return most;
}

/* ---- a point more -------------------------------------------------------------------------- */

static double scaled_length(const smoother *s, const double *a, const double *b) {
  double square = 0;
  for (int i = 0; i < s->m; i++) square += pow((b[i] - a[i]) / s->curve->scale[i], 2);
  return sqrt(square);
}

/* Half way from y[1] to y[2] on the cubic whose tangents at both are those of parabolas through three points. */
static void predict(smoother *s, bool before, bool behind) {
  double **y = s->y, h = scaled_length(s, y[1], y[2]);
  double h_a = before ? scaled_length(s, y[0], y[1]) : 0, h_b = behind ? scaled_length(s, y[2], y[3]) : 0;
  for (int i = 0; i < s->m; i++) {
    double slope = (y[2][i] - y[1][i]) / h, at_a = slope, at_b = slope;
    if (h_a > 0) at_a = (h * (y[1][i] - y[0][i]) / h_a + h_a * slope) / (h_a + h);
    if (h_b > 0) at_b = (h * (y[3][i] - y[2][i]) / h_b + h_b * slope) / (h_b + h);
    s->mid[i] = 0.5 * (y[1][i] + y[2][i]) + h / 8 * (at_a - at_b);
    s->normal[i] = (y[2][i] - y[1][i]) / (h * s->curve->scale[i]);
  }
}

static bool joined(const smoother *s, int i) { return i >= 0 && i + 1 < s->of->count && s->of->joined(s->of->user, i); }

/* The solution half way between points i and i + 1, in s->mid. */
static fw_status find(smoother *s, int i) {
  fw_smooth *of = s->of;
  bool before = joined(s, i - 1), behind = joined(s, i + 1);
  for (int k = before ? 0 : 1; k < (behind ? 4 : 3); k++) of->point(of->user, i - 1 + k, s->y[k]);
  of->size(of->user, s->curve, s->y[1]);
  double length = scaled_length(s, s->y[1], s->y[2]);
  if (!(length > 0)) return FW_RECOVER_DIVERGED;
  predict(s, before, behind);
  memcpy(s->predicted, s->mid, (size_t)s->m * sizeof *s->mid);
  fw_plane across = {s->m - 1, s->normal, s->predicted, s->curve->scale};
  fw_newton newton = {.tolerance = of->tolerance, .most = 12, .idle = 5};
  fw_status status = fw_continuation_correct(s->curve, (fw_condition){&across, fw_plane_value}, &newton, s->mid);
  of->iterations += newton.iterations;
  bool another = status == FW_OK && scaled_length(s, s->predicted, s->mid) > ASIDE * length;
  return another ? FW_RECOVER_DIVERGED : status;
}

static fw_status cut(smoother *s, int i) {
  fw_smooth *of = s->of;
  fw_status status = find(s, i);
  if (status == FW_OK) status = of->insert(of->user, i, s->mid);
  if (status != FW_OK) {
    s->marks[i].closed = true;
    return status < 0 ? status : FW_OK;
  }
  memmove(s->marks + i + 1, s->marks + i, (size_t)(of->count - i) * sizeof *s->marks);
  s->marks[i + 1] = (mark){0};
  of->count++;
  return FW_OK;
}

/* ---- passes -------------------------------------------------------------------------------- */

static void look(smoother *s) {
  fw_smooth *of = s->of;
  of->draw(of->user, s->places);
  for (int i = 0; i < of->count; i++) {
    mark *at = &s->marks[i];
    at->distance = 0;
    if (!at->closed && joined(s, i))
      at->distance = fw_smooth_distance(s->places, of->ordinates, i, joined(s, i - 1), joined(s, i + 1));
  }
}

static int falling(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x < y) - (x > y);
}

/* Chords farther from the curve than this are to be cut: as many as there is room for. */
static double threshold(smoother *s) {
  int count = s->of->count, room = s->of->most - count;
  if (room >= count) return FW_SMOOTH_WITHIN;
  for (int i = 0; i < count; i++) s->sorted[i] = s->marks[i].distance;
  qsort(s->sorted, (size_t)count, sizeof *s->sorted, falling);
  return fmax(FW_SMOOTH_WITHIN, s->sorted[room]);
}

/* From the last chord to the first, so that the numbers of those to come stay. */
static fw_status pass(fw_context *ctx, smoother *s, bool *any) {
  const double most = threshold(s);
  *any = false;
  for (int i = s->of->count - 2; i >= 0; i--) {
    if (!(s->marks[i].distance > most)) continue;
    FW_TRY(fw_interrupted(ctx));
    *any = true;
    FW_TRY(cut(s, i));
  }
  return FW_OK;
}

static fw_status run(fw_context *ctx, smoother *s) {
  bool any = true;
  for (int k = 0; any && k < PASSES && s->of->count < s->of->most; k++) {
    look(s);
    FW_TRY(pass(ctx, s, &any));
  }
  return FW_OK;
}

fw_status fw_smooth_run(fw_context *ctx, fw_continuation *curve, fw_smooth *smooth) {
  if (smooth->count < 3 || smooth->count >= smooth->most) return FW_OK;
  smoother s = {.curve = curve, .of = smooth, .m = curve->n + 1, .width = 1 + smooth->ordinates};
  size_t m = (size_t)s.m, most = (size_t)smooth->most;
  double *work = NULL;
  fw_status status = FW_OK;
  FW_TRY_DONE(fw_alloc(ctx, 7 * m + most, sizeof *work, &work));
  FW_TRY_DONE(fw_alloc(ctx, most * (size_t)s.width, sizeof *s.places, &s.places));
  FW_TRY_DONE(fw_alloc(ctx, most, sizeof *s.marks, &s.marks));
  for (int k = 0; k < 4; k++) s.y[k] = work + (size_t)k * m;
  s.mid = work + 4 * m;
  s.predicted = work + 5 * m;
  s.normal = work + 6 * m;
  s.sorted = work + 7 * m;
  status = run(ctx, &s);
done:
  free(work);
  free(s.places);
  free(s.marks);
  return status;
}
