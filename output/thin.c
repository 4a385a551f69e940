/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/thin.h"

#include <math.h>

/* What the points since the last one kept allow: a straight line from it in a direction between low and high passes
 * all of them within a distance of 1. */
typedef struct cone {
  double middle;    /* direction of the first of them */
  double low, high; /* from `middle` */
  double far;       /* the farthest of them; 0: none but near ones */
} cone;

static double turned(double angle, double from) { return remainder(angle - from, 2.0 * M_PI); }

/* Takes a point at (dx, dy) from the last one kept into the cone; false if it does not fit or lies back. */
static int take(cone *c, double dx, double dy) {
  double distance = hypot(dx, dy);
  if (distance <= 1.0) return c->far <= 1.0;
  double angle = atan2(dy, dx), slack = asin(1.0 / distance);
  if (c->far <= 1.0) {
    *c = (cone){angle, -slack, slack, distance};
    return 1;
  }
  double turn = turned(angle, c->middle);
  if (distance < c->far - 1.0 || turn < c->low || turn > c->high) return 0;
  c->low = fmax(c->low, turn - slack);
  c->high = fmin(c->high, turn + slack);
  c->far = fmax(c->far, distance);
  return 1;
}

static int grows(int n, const double *x) {
  for (int i = 1; i < n; i++)
    if (x[i] < x[i - 1]) return 0;
  return 1;
}

/* Of the points first..end-1, which stand above each other, the first, lowest, highest and last in their order. */
static int keep_extremes(int first, int end, double *x, double *y, int kept) {
  int low = first, high = first;
  for (int i = first; i < end; i++) {
    if (y[i] < y[low]) low = i;
    if (y[i] > y[high]) high = i;
  }
  int marks[] = {first, low < high ? low : high, low < high ? high : low, end - 1};
  for (int m = 0, last = -1; m < 4; m++) {
    if (marks[m] <= last) continue;
    last = marks[m];
    x[kept] = x[last];
    y[kept++] = y[last];
  }
  return kept;
}

/* Extremes are kept for pieces of a history this many times as wide as the distance that is not seen. */
enum { COLUMN = 5 };

/* A history that goes up and down within `near_x`: its extremes there are all one can see. */
static int thin_columns(int n, double *x, double *y, double near_x) {
  int kept = 0;
  for (int first = 0, end; first < n; first = end) {
    for (end = first + 1; end < n && x[end] - x[first] <= near_x;) end++;
    kept = keep_extremes(first, end, x, y, kept);
  }
  return kept;
}

int fw_thin(int n, double *x, double *y, double near_x, double near_y) {
  if (n < 3) return n;
  if (grows(n, x)) n = thin_columns(n, x, y, COLUMN * near_x);
  int kept = 1;
  double last_x = x[0], last_y = y[0]; /* of the points read */
  cone c = {0};
  for (int i = 1; i < n; i++) {
    double at_x = x[i], at_y = y[i];
    if (!take(&c, (at_x - x[kept - 1]) / near_x, (at_y - y[kept - 1]) / near_y)) {
      x[kept] = last_x;
      y[kept++] = last_y;
      c = (cone){0};
      take(&c, (at_x - last_x) / near_x, (at_y - last_y) / near_y);
    }
    last_x = at_x;
    last_y = at_y;
  }
  x[kept] = last_x;
  y[kept++] = last_y;
  return kept;
}
