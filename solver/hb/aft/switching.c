/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/aft/aft_parts.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

#include "core/bisect.h"
#include "solver/hb/aft/dlft.h"

enum { NODES = 8, HALVINGS = 45, THIRDS = 40, MOST_BETWEEN = 6 };

/* Gauss and Legendre's rule on -1 ... 1. */
static const double ABSCISSAE[NODES] = {-0.9602898564975363, -0.7966664774136267, -0.5255324099163290,
                                        -0.1834346424956498, 0.1834346424956498,  0.5255324099163290,
                                        0.7966664774136267,  0.9602898564975363};
static const double WEIGHTS[NODES] = {0.1012285362903763, 0.2223810344533745, 0.3137066458778873, 0.3626837833783620,
                                      0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};

typedef struct pieces {
  fw_aft *aft;
  const fw_aft_point *point;
  const fw_aft_in *in;
  bool derivatives;
  int size;
  double *basis, *rate;   /* NODES x size: of the panel's nodes; row 0 alone while a corner is looked for */
  double *weighted, *row; /* NODES x size */
} pieces;

/* What the contact does at a moment. */
typedef struct moment {
  fw_aft_normal_out normal;
  fw_stick_out stick;
  int phase; /* changes at corners */
} moment;

size_t fw_switching_room(int size) { return 4 * NODES * (size_t)size; }

static void fill_basis(int size, double tau, double *basis, double *rate) {
  double c1 = cos(tau), s1 = sin(tau), c = 1, s = 0;
  basis[0] = 1;
  rate[0] = 0;
  for (int k = 1; 2 * k < size; k++) {
    double next = c * c1 - s * s1;
    s = s * c1 + c * s1;
    c = next;
    basis[2 * k - 1] = c;
    basis[2 * k] = s;
    rate[2 * k - 1] = -k * s;
    rate[2 * k] = k * c;
  }
}

static double sum(const pieces *a, const double *basis, const double *coefficients) {
  return coefficients ? cblas_ddot(a->size, basis, 1, coefficients, 1) : 0;
}

static int phase_of(double pressed, bool slides, double T) {
  return (pressed > 0 ? 3 : 0) + (!slides ? 0 : T < 0 ? 1 : 2);
}

static int phase_at_sample(const pieces *a, int j) {
  const fw_aft *aft = a->aft;
  int s = j % aft->fourier->samples;
  bool rigid = a->point->stick_penalty > 0;
  return phase_of(aft->pressed[s], rigid && aft->slides[s], aft->T[s]);
}

/* The moment tau, whose basis goes to row `node`. */
static moment at(const pieces *a, double tau, int node) {
  const fw_aft_point *point = a->point;
  double *basis = a->basis + node * a->size, *rate = a->rate + node * a->size, omega = a->aft->omega;
  bool own = point->kind != FW_AFT_CONSTANT;
  moment m = {.phase = 0};
  fill_basis(a->size, tau, basis, rate);
  m.normal = fw_aft_normal_at(point, own ? sum(a, basis, a->in->w) : 0, own ? omega * sum(a, rate, a->in->w) : 0,
                              point->kind == FW_AFT_OPENING ? sum(a, basis, a->in->n) : 0);
  m.phase = phase_of(m.normal.pressed, false, 0);
  if (!(point->stick_penalty > 0)) return m;
  m.stick = fw_dlft_stick_at(point, sum(a, basis, a->in->t), sum(a, basis, a->in->u), omega * sum(a, rate, a->in->u),
                             omega, m.normal.N);
  m.phase = phase_of(m.normal.pressed, m.stick.slides, m.stick.T);
  return m;
}

/* ---- integrals ------------------------------------------------------------------------------ */

/* out += weighted^T row. */
static void gather(const pieces *a, double *out) {
  cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, a->size, a->size, NODES, 1, a->weighted, a->size, a->row,
              a->size, 1, out, a->size);
}

/* The rows by which a force changes with coefficients: slope basis + rate_slope rate, node by node. */
static void set_rows(const pieces *a, const double *slope, const double *rate_slope) {
  for (int k = 0; k < NODES; k++)
    for (int c = 0; c < a->size; c++)
      a->row[k * a->size + c] = slope[k] * a->basis[k * a->size + c] + rate_slope[k] * a->rate[k * a->size + c];
}

static void add_derivatives(const pieces *a, const moment *m) {
  double N_basis[NODES], N_rate[NODES], none[NODES] = {0}, basis[NODES], rate[NODES], stuck[NODES];
  double omega = a->aft->omega;
  for (int k = 0; k < NODES; k++) {
    N_basis[k] = m[k].normal.N_gap;
    N_rate[k] = omega * m[k].normal.N_rate;
    basis[k] = m[k].stick.by_u;
    rate[k] = omega * m[k].stick.by_v;
    stuck[k] = m[k].stick.by_t;
  }
  if (a->point->kind == FW_AFT_OPENING) {
    set_rows(a, N_basis, N_rate);
    gather(a, a->aft->N_w);
  }
  if (!(a->point->stick_penalty > 0)) return;
  set_rows(a, basis, rate);
  gather(a, a->aft->T_u);
  set_rows(a, stuck, none);
  gather(a, a->aft->T_t);
  if (a->point->kind == FW_AFT_CONSTANT) return;
  for (int k = 0; k < NODES; k++) {
    N_basis[k] *= m[k].stick.by_N;
    N_rate[k] *= m[k].stick.by_N;
  }
  set_rows(a, N_basis, N_rate);
  gather(a, a->aft->T_w);
}

static void add_panel(const pieces *a, double from, double to) {
  moment m[NODES];
  for (int k = 0; k < NODES; k++) {
    m[k] = at(a, 0.5 * (from + to) + 0.5 * (to - from) * ABSCISSAE[k], k);
    double weight = 0.5 * (to - from) * WEIGHTS[k] / M_PI, *weighted = a->weighted + k * a->size;
    for (int c = 0; c < a->size; c++) weighted[c] = weight * a->basis[k * a->size + c];
    weighted[0] *= 0.5;
    if (a->point->kind == FW_AFT_OPENING) cblas_daxpy(a->size, m[k].normal.N, weighted, 1, a->aft->N_c, 1);
    if (a->point->stick_penalty > 0) cblas_daxpy(a->size, m[k].stick.T, weighted, 1, a->aft->T_c, 1);
  }
  if (a->derivatives) add_derivatives(a, m);
}

/* Panels over which the highest product of two harmonics turns by four: Gauss's rule is then exact to rounding. */
static void add_piece(const pieces *a, double from, double to) {
  int panels = 1 + (int)((to - from) * (a->size - 1) / 4);
  for (int p = 0; p < panels; p++) add_panel(a, from + (to - from) * p / panels, from + (to - from) * (p + 1) / panels);
}

static void clear_results(const pieces *a) {
  size_t line = (size_t)a->size * sizeof(double), square = line * (size_t)a->size;
  if (a->point->kind == FW_AFT_OPENING) {
    memset(a->aft->N_c, 0, line);
    if (a->derivatives) memset(a->aft->N_w, 0, square);
  }
  if (!(a->point->stick_penalty > 0)) return;
  memset(a->aft->T_c, 0, line);
  if (!a->derivatives) return;
  memset(a->aft->T_u, 0, square);
  memset(a->aft->T_w, 0, square);
  memset(a->aft->T_t, 0, square);
}

/* ---- corners -------------------------------------------------------------------------------- */

typedef struct leaving {
  const pieces *a;
  int phase, next; /* that holds, that was last found beyond it */
} leaving;

static bool has_left(void *user, double tau) {
  leaving *l = (leaving *)user;
  int now = at(l->a, tau, 0).phase;
  if (now != l->phase) l->next = now;
  return now != l->phase;
}

/* Where the phase that holds at `from` ends before `to`; *phase becomes the next one. */
static double leave(const pieces *a, double from, double to, int *phase) {
  leaving l = {a, *phase, *phase};
  fw_bisect(has_left, &l, 0, HALVINGS, &from, &to);
  *phase = l.next == *phase ? at(a, to, 0).phase : l.next;
  return to;
}

/* What changes sign at a corner: how far the contact is closed, or how far it is from sliding. */
typedef enum margin { PRESSED, STICK } margin;

static double margin_at_sample(const pieces *a, margin which, int j) {
  int samples = a->aft->fourier->samples, s = (j + samples) % samples;
  return which == PRESSED ? a->aft->pressed[s] : a->aft->margin[s];
}

static double margin_at(const pieces *a, margin which, double tau) {
  moment m = at(a, tau, 0);
  return which == PRESSED ? m.normal.pressed : m.stick.margin;
}

/* Where a margin that comes near zero about sample j, and is of one sign there and at its neighbours, passes it and
 * comes back: the moment of its extreme, by thirds. A contact that slides or opens for less than the distance of two
 * samples would else be overlooked, and the forces would jump when it is seen. */
static bool touches(const pieces *a, margin which, int j, double h, double *tau) {
  double before = margin_at_sample(a, which, j - 1), here = margin_at_sample(a, which, j),
         after = margin_at_sample(a, which, j + 1), sign = here > 0 ? 1 : -1;
  double bend = sign * (before - 2 * here + after), slope = after - before;
  if (sign * before < sign * here || sign * after < sign * here || !(bend > 0)) return false;
  if (sign * here - slope * slope / (8 * bend) > 0.5 * sign * here) return false;
  double low = (j - 1) * h, high = (j + 1) * h;
  for (int k = 0; k < THIRDS; k++) {
    double left = low + (high - low) / 3, right = high - (high - low) / 3;
    if (sign * margin_at(a, which, left) < sign * margin_at(a, which, right))
      high = right;
    else
      low = left;
  }
  *tau = 0.5 * (low + high);
  return sign * margin_at(a, which, *tau) < 0;
}

/* Moments of the interval from sample j - 1 to sample j to look at: such extremes, in order, then its end. */
static int stops_between(const pieces *a, int j, double h, double *stops) {
  int count = 0;
  for (int which = PRESSED; which <= STICK; which++)
    for (int s = j - 1; s <= j; s++) {
      double tau;
      if (which == PRESSED ? a->point->kind == FW_AFT_CONSTANT : !(a->point->stick_penalty > 0)) continue;
      if (!touches(a, which, s, h, &tau) || tau <= (j - 1) * h || tau > j * h) continue;
      int place = count++;
      for (; place > 0 && stops[place - 1] > tau; place--) stops[place] = stops[place - 1];
      stops[place] = tau;
    }
  stops[count] = j * h;
  return count + 1;
}

void fw_switching_project(fw_aft *aft, const fw_aft_point *point, const fw_aft_in *in, bool derivatives) {
  int size = aft->fourier->size, samples = aft->fourier->samples, part = NODES * size;
  double *room = aft->pieces, h = 2 * M_PI / samples, from = 0;
  pieces a = {aft, point, in, derivatives, size, room, room + part, room + 2 * part, room + 3 * part};
  int phase = phase_at_sample(&a, 0);
  for (int j = 1; j <= samples; j++) {
    double stops[5], low = (j - 1) * h;
    int count = stops_between(&a, j, h, stops);
    for (int s = 0; s < count; s++) {
      int wanted = s + 1 == count ? phase_at_sample(&a, j) : at(&a, stops[s], 0).phase;
      for (int k = 0; phase != wanted && k < MOST_BETWEEN; k++) {
        low = leave(&a, low, stops[s], &phase);
        if (from == 0) clear_results(&a);
        add_piece(&a, from, low);
        from = low;
      }
      low = stops[s];
    }
  }
  if (from > 0) add_piece(&a, from, 2 * M_PI);
}
