/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/figures.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FW_CONTACT_FIGURE(symbol, name, unit, meaning, derivative) {name, unit, meaning, derivative},
const fw_contact_figure fw_contact_figures[FW_CONTACT_FIGURES] = {
#include "contact/figures.def"
};
#undef FW_CONTACT_FIGURE

/* Totals of a contact point at some moment (fw_touch). */
typedef struct totals {
  double work, irreversible, dissipated, impulse, rubbed, impacts;
} totals;

typedef struct point {
  totals begin, window, now; /* at the beginning of the observation, of the present window, and last seen */
  double slip, T;            /* last seen */
  double slip_begin;         /* when the observation began, */
  double low, high;          /* range of the slip in the present period */
  double amplitude;          /* largest half range of whole periods */
  double stuck, open;        /* time */
  /* Integrals of T and slip times cosine and sine of the drive's phase: in the present period, over whole ones. */
  double T_now[2], slip_now[2], T_1[2], slip_1[2];
} point;

typedef struct sums {
  double sliding, N_min, N_max, T_max, T_point_max, velocity_max;
  double square_N, square_T; /* over whole windows */
} sums;

typedef struct clock {
  double span, windows, in_window,
      in_period; /* all; in whole windows; how far the present window and period have come */
} clock;

/* Clock, sums of the pairs and points lie in one piece of plain numbers, which a checkpoint copies. */
struct fw_figures {
  const fw_model *model;
  double period, window;
  size_t numbers;
  clock *clock;
  sums *sums;    /* per pair */
  point *points; /* per contact point */
};

fw_status fw_figures_create(fw_context *ctx, const fw_model *model, double period, double window,
                            fw_figures **figures) {
  size_t bytes =
      sizeof(clock) + (size_t)model->pair_count * sizeof(sums) + (size_t)model->contact_count * sizeof(point);
  fw_figures *f;
  double *numbers;
  *figures = NULL;
  FW_TRY(fw_alloc(ctx, 1, sizeof *f, &f));
  *f = (fw_figures){.model = model, .period = period, .window = window, .numbers = bytes / sizeof(double)};
  fw_status status = fw_alloc(ctx, f->numbers, sizeof *numbers, &numbers);
  if (status != FW_OK) {
    free(f);
    return status;
  }
  f->clock = (clock *)numbers;
  f->sums = (sums *)(f->clock + 1);
  f->points = (point *)(f->sums + model->pair_count);
  *figures = f;
  return FW_OK;
}

void fw_figures_destroy(fw_figures **figures) {
  if (!figures || !*figures) return;
  free((*figures)->clock);
  free(*figures);
  *figures = NULL;
}

double *fw_figures_numbers(fw_figures *f, size_t *count) {
  *count = f->numbers;
  return (double *)f->clock;
}

void fw_figures_columns(const fw_model *model, fw_sheet *sheet) {
  for (int p = 0; p < model->pair_count; p++)
    for (int k = 0; k < FW_CONTACT_FIGURES; k++)
      fw_sheet_column(sheet, fw_contact_figures[k].unit, "%s.%s", model->pairs[p]->id, fw_contact_figures[k].name);
}

void fw_figures_cells(const fw_pair_figures *figures, fw_sheet *sheet) {
  for (int k = 0; k < FW_CONTACT_FIGURES; k++) fw_sheet_put(sheet, figures->at[k]);
}

fw_status fw_figures_record(const fw_pair_figures *figures, const char *pair, const char *prefix, fw_record *to) {
  for (int k = 0; k < FW_CONTACT_FIGURES; k++)
    FW_TRY(fw_record_set_figure(to, figures->at[k], fw_contact_figures[k].unit, "%scontact.%s.%s", prefix, pair,
                                fw_contact_figures[k].name));
  return FW_OK;
}

int fw_contact_figure_named(const char *name) {
  for (int i = 0; i < FW_CONTACT_FIGURES; i++)
    if (strcmp(fw_contact_figures[i].name, name) == 0) return i;
  return -1;
}

static totals totals_of(const fw_touch *t) {
  return (totals){t->work, t->irreversible, t->dissipated, t->impulse, t->rubbed, t->impacts};
}

void fw_figures_begin(fw_figures *f, const fw_touch *touches) {
  *f->clock = (clock){0};
  for (int p = 0; p < f->model->pair_count; p++) f->sums[p] = (sums){.N_min = INFINITY, .N_max = -INFINITY};
  for (int c = 0; c < f->model->contact_count; c++) {
    totals now = totals_of(&touches[c]);
    double slip = touches[c].slip;
    f->points[c] = (point){.begin = now,
                           .window = now,
                           .now = now,
                           .slip = slip,
                           .T = touches[c].T,
                           .slip_begin = slip,
                           .low = slip,
                           .high = slip};
  }
}

/* What a point that does not stick has lost since it was last seen: T v less the elastic part, T dT over the stiffness
 * of stick, which gives back what it takes. */
static double sliding_work(const fw_pair *pair, const fw_touch *touch, const point *last) {
  double stiffness = fw_friction_stick_stiffness(&pair->friction, touch->N), mean = 0.5 * (touch->T + last->T);
  double elastic = touch->status == FW_SLIP && stiffness > 0 ? mean * (touch->T - last->T) / stiffness : 0;
  return touch->dissipated - last->now.dissipated - elastic;
}

static void observe_point(const fw_pair *pair, const fw_touch *touch, double dt, sums *s, point *p) {
  if (touch->status == FW_STICK) p->stuck += dt;
  if (touch->status == FW_OPEN) p->open += dt;
  if (touch->status != FW_STICK) s->sliding += sliding_work(pair, touch, p);
  if (touch->status != FW_OPEN) s->velocity_max = fmax(s->velocity_max, fabs(touch->slip_velocity));
  s->T_point_max = fmax(s->T_point_max, fabs(touch->T));
  p->now = totals_of(touch);
  p->slip = touch->slip;
  p->T = touch->T;
  p->low = fmin(p->low, touch->slip);
  p->high = fmax(p->high, touch->slip);
}

/* First harmonics by the trapezoidal rule; turn: cosine and sine of the drive's phase before and after the step. */
static void observe_harmonic(const fw_touch *touch, double dt, const double turn[2][2], point *p) {
  for (int k = 0; k < 2; k++) {
    p->T_now[k] += 0.5 * dt * (p->T * turn[0][k] + touch->T * turn[1][k]);
    p->slip_now[k] += 0.5 * dt * (p->slip * turn[0][k] + touch->slip * turn[1][k]);
  }
}

/* Before the points have taken the step. */
static void observe_harmonics(const fw_figures *f, const fw_touch *touches, double dt) {
  if (!(f->period > 0)) return;
  double before = 2 * M_PI * f->clock->in_period / f->period, after = before + 2 * M_PI * dt / f->period;
  const double turn[2][2] = {{cos(before), sin(before)}, {cos(after), sin(after)}};
  for (int c = 0; c < f->model->contact_count; c++) observe_harmonic(&touches[c], dt, turn, &f->points[c]);
}

static void observe_pair(const fw_pair *pair, const fw_touch *touches, double dt, sums *s, point *points) {
  double N = 0, T = 0;
  for (int c = pair->first_contact; c < pair->first_contact + pair->count; c++) {
    N += fmax(touches[c].N, 0); /* where an opening is located it is a little less */
    T += touches[c].T;
    observe_point(pair, &touches[c], dt, s, &points[c]);
  }
  s->N_min = fmin(s->N_min, N);
  s->N_max = fmax(s->N_max, N);
  s->T_max = fmax(s->T_max, fabs(T));
}

/* Squares of the forces averaged over the window that has passed. */
static void end_window(const fw_pair *pair, double window, sums *s, point *points) {
  double P_n = 0, P_t = 0;
  for (int c = pair->first_contact; c < pair->first_contact + pair->count; c++) {
    P_n += points[c].now.impulse - points[c].window.impulse;
    P_t += points[c].now.rubbed - points[c].window.rubbed;
    points[c].window = points[c].now;
  }
  s->square_N += P_n * P_n / window;
  s->square_T += P_t * P_t / window;
}

static void end_windows(fw_figures *f) {
  clock *t = f->clock;
  for (int p = 0; p < f->model->pair_count; p++) end_window(f->model->pairs[p], t->in_window, &f->sums[p], f->points);
  t->windows += t->in_window;
  t->in_window = 0;
}

static void end_harmonic(point *p) {
  for (int k = 0; k < 2; k++) {
    p->T_1[k] += p->T_now[k];
    p->slip_1[k] += p->slip_now[k];
    p->T_now[k] = p->slip_now[k] = 0;
  }
}

static void end_period(fw_figures *f) {
  for (int c = 0; c < f->model->contact_count; c++) {
    point *p = &f->points[c];
    end_harmonic(p);
    p->amplitude = fmax(p->amplitude, 0.5 * (p->high - p->low));
    p->low = p->high = p->slip;
  }
  f->clock->in_period = 0;
}

/* Whether what has passed is the whole of a length, rounding left aside. */
static bool is_over(double passed, double length) { return passed > 0 && passed >= length * (1 - 1e-9); }

void fw_figures_step(fw_figures *f, const fw_touch *touches, double dt) {
  clock *t = f->clock;
  observe_harmonics(f, touches, dt);
  for (int p = 0; p < f->model->pair_count; p++) observe_pair(f->model->pairs[p], touches, dt, &f->sums[p], f->points);
  t->span += dt;
  t->in_window += dt;
  t->in_period += dt;
  if (is_over(t->in_window, f->window)) end_windows(f);
  if (f->period > 0 && is_over(t->in_period, f->period)) end_period(f);
}

void fw_figures_break(fw_figures *f, int contact, double T) {
  int p = 0;
  while (contact >= f->model->pairs[p]->first_contact + f->model->pairs[p]->count) p++;
  f->sums[p].T_point_max = fmax(f->sums[p].T_point_max, fabs(T));
  if (f->model->pairs[p]->count == 1) f->sums[p].T_max = fmax(f->sums[p].T_max, fabs(T));
}

/* A period that has only begun counts where there is no whole one. */
static double amplitude_of(const fw_figures *f, const point *p) {
  bool whole = f->period > 0 && is_over(f->clock->span, f->period);
  return whole ? p->amplitude : 0.5 * (p->high - p->low);
}

static void add_point(const fw_figures *f, const point *p, double share, double *out) {
  double span = f->clock->span, periods = f->period > 0 ? fmax(span / f->period, 1) : 1;
  out[FW_WORK_RATE] += (p->now.work - p->begin.work) / span;
  out[FW_IRREVERSIBLE_WORK_RATE] += (p->now.irreversible - p->begin.irreversible) / span;
  out[FW_DISSIPATED_POWER] += (p->now.dissipated - p->begin.dissipated) / span;
  out[FW_NORMAL_MEAN] += (p->now.impulse - p->begin.impulse) / span;
  out[FW_IMPACT_MEAN] += (p->now.impacts - p->begin.impacts) / span;
  out[FW_STICK_FRACTION] += share * p->stuck / span;
  out[FW_OPEN_FRACTION] += share * p->open / span;
  out[FW_SLIP_AMPLITUDE] = fmax(out[FW_SLIP_AMPLITUDE], amplitude_of(f, p));
  out[FW_SLIP_DRIFT] = fmax(out[FW_SLIP_DRIFT], fabs(p->slip - p->slip_begin) / periods);
}

/* The spring and the damper that T_1 = (k + i w c) u_1 of all points makes of friction, with X_1 = a - i b of the
 * integrals a, b over cosine and sine. */
static void find_equivalent(const fw_figures *f, const fw_pair *pair, double *out) {
  double real = 0, imaginary = 0, square = 0;
  for (int c = pair->first_contact; c < pair->first_contact + pair->count; c++) {
    const double *T = f->points[c].T_1, *u = f->points[c].slip_1;
    real += T[0] * u[0] + T[1] * u[1];
    imaginary += T[0] * u[1] - T[1] * u[0];
    square += u[0] * u[0] + u[1] * u[1];
  }
  if (!(square > 0)) return;
  out[FW_EQUIVALENT_STIFFNESS] = real / square;
  out[FW_EQUIVALENT_DAMPER] = imaginary / square * f->period / (2 * M_PI);
}

void fw_figures_find(const fw_figures *f, int pair, fw_pair_figures *found) {
  const sums *s = &f->sums[pair];
  const fw_pair *of = f->model->pairs[pair];
  double *out = found->at, windows = fmax(f->clock->windows, DBL_MIN);
  memset(out, 0, sizeof found->at);
  if (!(f->clock->span > 0)) return;
  for (int c = of->first_contact; c < of->first_contact + of->count; c++)
    add_point(f, &f->points[c], 1.0 / of->count, out);
  out[FW_CONTACT_WORK_RATE] = out[FW_OPEN_FRACTION] < 1 ? out[FW_WORK_RATE] / (1 - out[FW_OPEN_FRACTION]) : 0;
  out[FW_SLIDING_POWER] = s->sliding / f->clock->span;
  out[FW_PRESLIDING_POWER] = out[FW_DISSIPATED_POWER] - out[FW_SLIDING_POWER];
  out[FW_WEAR_RATE] = fw_pair_wear_rate(of, out[FW_WORK_RATE]);
  out[FW_SLIP_VELOCITY_MAX] = s->velocity_max;
  out[FW_NORMAL_RMS] = sqrt(s->square_N / windows);
  out[FW_TANGENTIAL_RMS] = sqrt(s->square_T / windows);
  out[FW_NORMAL_MAX] = s->N_max;
  out[FW_NORMAL_MIN] = s->N_min;
  out[FW_TANGENTIAL_MAX] = s->T_max;
  out[FW_TANGENTIAL_POINT_MAX] = s->T_point_max;
  find_equivalent(f, of, out);
}

void fw_figures_find_point(const fw_figures *f, int contact, fw_touch *touch) {
  fw_pair_figures found = {{0}};
  if (f->clock->span > 0) add_point(f, &f->points[contact], 1, found.at);
  touch->mean_work_rate = found.at[FW_WORK_RATE];
  touch->slip_amplitude = found.at[FW_SLIP_AMPLITUDE];
  touch->stick_fraction = found.at[FW_STICK_FRACTION];
}
