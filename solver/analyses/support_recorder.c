/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/episodes.h"
#include "contact/pair.h"
#include "core/unknown.h"
#include "solver/analyses/clearance.h"
#include "solver/analyses/recorders.h"
#include "solver/analyses/wear.h"

enum { MOST_WINDOWS = 1000, ANGLES = 36 }; /* bins of 10 degrees */

/* Contact forces over all sides, T as a magnitude. */
typedef struct force_sums {
  double N, T;           /* where the present step ends */
  double P_n, P_t;       /* over it, N s */
  double N2, T2;         /* squares of the means over each step, over time */
  double N_most, T_most; /* largest */
} force_sums;

typedef struct ring_sums {
  double work; /* of the present step */
  fw_episodes episodes;
  force_sums force, support;   /* of the ring, and at its first ring of the whole support */
  double angle[ANGLES];        /* work by where on the tube it is done */
  double window[MOST_WINDOWS]; /* work by when */
} ring_sums;

typedef struct point_last {
  double begin, work, angle, impulse, rubbed;
} point_last;

/* Clock, rings and points lie in one piece of plain numbers, which a checkpoint copies. */
typedef struct recorder {
  fw_job *job;
  fw_sheet orbits; /* time, then x, y of every ring */
  fw_episode_limits limits;
  double window; /* length of one */
  int windows;
  int *ring; /* of each contact point, or -1 */
  size_t numbers;
  double *clock;
  ring_sums *rings;
  point_last *points;
} recorder;

/* ---- making ------------------------------------------------------------------------------------ */

static int find_ring(const fw_model *model, const fw_pair *pair, int follower) {
  for (int r = 0; pair->target && r < model->ring_count; r++)
    if (model->rings[r].node == pair->followers[follower].at.node) return r;
  return -1;
}

static fw_status open_orbits(recorder *w) {
  const fw_model *model = w->job->model;
  w->orbits = fw_sheet_of(w->job->ctx, w->job->sink, w->job->id);
  fw_sheet_column(&w->orbits, "s", "time");
  for (int r = 0; r < model->ring_count; r++) {
    fw_ring_column(&w->orbits, &model->rings[r], "m", "x");
    fw_ring_column(&w->orbits, &model->rings[r], "m", "y");
  }
  return fw_sheet_open(&w->orbits, "orbits");
}

static fw_status take_room(recorder *w) {
  const fw_model *model = w->job->model;
  size_t rings = (size_t)model->ring_count, contacts = (size_t)model->contact_count;
  w->numbers = 1 + (rings * sizeof(ring_sums) + contacts * sizeof(point_last)) / sizeof(double);
  FW_TRY(fw_alloc(w->job->ctx, w->numbers, sizeof *w->clock, &w->clock));
  w->rings = (ring_sums *)(w->clock + 1);
  w->points = (point_last *)(w->rings + rings);
  FW_TRY(fw_alloc(w->job->ctx, contacts, sizeof *w->ring, &w->ring));
  for (int p = 0; p < model->pair_count; p++)
    for (int i = 0; i < model->pairs[p]->count; i++)
      w->ring[model->pairs[p]->first_contact + i] = find_ring(model, model->pairs[p], i);
  return FW_OK;
}

static fw_status create(fw_job *job, const fw_observation *over, void **self) {
  fw_status status = FW_OK;
  recorder *w = NULL;
  if (job->model->ring_count == 0 || job->model->contact_count == 0) return FW_OK;
  FW_TRY(fw_alloc(job->ctx, 1, sizeof *w, &w));
  w->job = job;
  w->windows = fw_args_integer(job->args, "windows");
  w->window = over->span / w->windows;
  w->limits = (fw_episode_limits){fw_args_number(job->args, "impact-time"), fw_args_number(job->args, "rebound-time")};
  FW_TRY_DONE(take_room(w));
  FW_TRY_DONE(open_orbits(w));
done:
  *self = w;
  return status;
}

static void destroy(void *self) {
  recorder *w = self;
  fw_sheet_close(&w->orbits);
  free(w->clock);
  free(w->ring);
  free(w);
}

/* ---- watching ---------------------------------------------------------------------------------- */

static void begin(void *self, const fw_state *state) {
  recorder *w = self;
  memset(w->clock, 0, w->numbers * sizeof *w->clock);
  for (int c = 0; c < w->job->model->contact_count; c++) {
    const fw_touch *touch = &state->touch[c];
    w->points[c] =
        (point_last){.begin = touch->work, .work = touch->work, .impulse = touch->impulse, .rubbed = touch->rubbed};
  }
}

/* Where on the tube it is touched, from the plane's x axis: the way from the centre to the point, against the normal.
 * An open one was last touched there. */
static void find_angle(const recorder *w, const fw_state *state, const fw_pair *pair, int i, point_last *last) {
  fw_kinematic kin;
  if (!(state->touch[pair->first_contact + i].N > 0)) return;
  if (fw_pair_kinematics(w->job->model, pair, i, state->q, NULL, state->q, &kin) == FW_OK)
    last->angle = atan2(-kin.normal[1], -kin.normal[0]);
}

static void add_touch(const fw_touch *touch, point_last *last, force_sums *f) {
  f->N += fmax(touch->N, 0);
  f->T += fabs(touch->T);
  f->P_n += touch->impulse - last->impulse;
  f->P_t += fabs(touch->rubbed - last->rubbed);
  last->impulse = touch->impulse;
  last->rubbed = touch->rubbed;
}

static void look_at_point(recorder *w, const fw_state *state, const fw_pair *pair, int i) {
  int c = pair->first_contact + i;
  ring_sums *ring = &w->rings[w->ring[c]];
  point_last *last = &w->points[c];
  double done = state->touch[c].work - last->work;
  find_angle(w, state, pair, i, last);
  int bin = (int)floor(last->angle / (2 * M_PI) * ANGLES); /* from -ANGLES/2 up */
  ring->angle[(bin + ANGLES) % ANGLES] += done;
  add_touch(&state->touch[c], last, &ring->force);
  ring->work += done;
  last->work = state->touch[c].work;
}

static void add_force(double dt, force_sums *f) {
  if (!(dt > 0)) return;
  f->N2 += f->P_n * f->P_n / dt;
  f->T2 += f->P_t * f->P_t / dt;
  f->N_most = fmax(f->N_most, f->N);
  f->T_most = fmax(f->T_most, f->T);
}

/* The forces of rings, and of supports as the sums over their rings. */
static void add_forces(recorder *w, double dt) {
  const fw_model *model = w->job->model;
  for (int r = 0, first = 0; r < model->ring_count; r++) {
    if (model->rings[r].face == 0) first = r;
    force_sums *all = &w->rings[first].support, *one = &w->rings[r].force;
    all->N += one->N;
    all->T += one->T;
    all->P_n += one->P_n;
    all->P_t += one->P_t;
    add_force(dt, one);
  }
  for (int r = 0; r < model->ring_count; r++)
    if (model->rings[r].face == 0) add_force(dt, &w->rings[r].support);
}

static void forget_step(ring_sums *ring) {
  ring->force.N = ring->force.T = ring->force.P_n = ring->force.P_t = 0;
  ring->support.N = ring->support.T = ring->support.P_n = ring->support.P_t = 0;
  ring->work = 0;
}

static void see(void *self, const fw_state *state, double dt) {
  recorder *w = self;
  const fw_model *model = w->job->model;
  *w->clock += dt;
  int window = (int)((*w->clock - 0.5 * dt) / w->window);
  for (int r = 0; r < model->ring_count; r++) forget_step(&w->rings[r]);
  for (int p = 0; p < model->pair_count; p++)
    for (int i = 0; i < model->pairs[p]->count; i++)
      if (w->ring[model->pairs[p]->first_contact + i] >= 0) look_at_point(w, state, model->pairs[p], i);
  add_forces(w, dt);
  for (int r = 0; r < model->ring_count; r++) {
    ring_sums *ring = &w->rings[r];
    fw_episodes_step(&w->limits, ring->force.N, ring->work, dt, &ring->episodes);
    ring->window[window < w->windows ? window : w->windows - 1] += ring->work;
  }
}

static fw_status row(void *self, const fw_state *state) {
  recorder *w = self;
  const fw_model *model = w->job->model;
  fw_sheet_put(&w->orbits, state->time);
  for (int r = 0; r < model->ring_count; r++) {
    const fw_node *node = &model->nodes[model->rings[r].node];
    for (int k = 0; k < 2; k++) fw_sheet_put(&w->orbits, node->x[k] + fw_node_value(node, k, state->q));
  }
  return fw_sheet_row(&w->orbits);
}

static fw_status archive(void *self, fw_archive *archive) {
  recorder *w = self;
  return fw_archive_numbers(archive, w->clock, w->numbers);
}

/* ---- telling ----------------------------------------------------------------------------------- */

/* A support over all of its rings, or one of them. */
typedef struct support {
  int first, count; /* rings; first counts from 0, as supports of the deck do */
  int number;
  const force_sums *force;
  double work_rate, error, correlation;
  fw_episodes all; /* sums; closed is the longest of the rings */
  fw_wear wear;
} support;

static void add_episodes(const fw_episodes *e, fw_episodes *all) {
  all->closed = fmax(all->closed, e->closed);
  all->impacts += e->impacts;
  all->slidings += e->slidings;
  all->impact_work += e->impact_work;
  all->sliding_work += e->sliding_work;
  all->peak_sum += e->peak_sum;
  all->peak_most = fmax(all->peak_most, e->peak_most);
  for (int b = 0; b < FW_FORCE_BINS; b++) all->bins[b] += e->bins[b];
}

static void sum_up(const recorder *w, support *s) {
  double rates[MOST_WINDOWS] = {0};
  for (int r = s->first; r < s->first + s->count; r++) {
    fw_episodes over = w->rings[r].episodes;
    fw_episodes_end(&w->limits, &over);
    add_episodes(&over, &s->all);
    for (int k = 0; k < w->windows; k++) rates[k] += w->rings[r].window[k] / w->window;
  }
  fw_batches spread = fw_batches_of(rates, w->windows);
  s->work_rate = spread.mean;
  s->error = spread.error;
  s->correlation = spread.correlation;
}

static void add_wear(const recorder *w, support *s) {
  const fw_model *model = w->job->model;
  const fw_wear_limits limits = fw_wear_asked(w->job->args);
  s->wear = fw_wear_none();
  for (int p = 0; p < model->pair_count; p++)
    for (int i = 0; i < model->pairs[p]->count; i++) {
      int c = model->pairs[p]->first_contact + i, r = w->ring[c];
      double rate = (w->points[c].work - w->points[c].begin) / *w->clock;
      if (r >= s->first && r < s->first + s->count)
        fw_wear_add(&limits, &model->rings[r], model->pairs[p], rate, &s->wear);
    }
}

/* By worn volume, and what has no coefficient of wear by work rate. */
static int by_wear(const void *a, const void *b) {
  const support *x = a, *y = b;
  if (x->wear.rate != y->wear.rate) return x->wear.rate < y->wear.rate ? 1 : -1;
  return x->work_rate != y->work_rate ? (x->work_rate < y->work_rate ? 1 : -1) : x->number - y->number;
}

/* Supports that wear most first. */
static fw_status list_supports(const recorder *w, support **list, int *count) {
  const fw_model *model = w->job->model;
  FW_TRY(fw_alloc(w->job->ctx, (size_t)model->ring_count, sizeof **list, list));
  *count = 0;
  for (int r = 0; r < model->ring_count; r++) {
    if (model->rings[r].face == 0) {
      (*list)[*count] = (support){.first = r, .number = *count + 1, .force = &w->rings[r].support};
      ++*count;
    }
    (*list)[*count - 1].count++;
  }
  for (int i = 0; i < *count; i++) {
    sum_up(w, &(*list)[i]);
    add_wear(w, &(*list)[i]);
  }
  qsort(*list, (size_t)*count, sizeof **list, by_wear);
  return FW_OK;
}

enum {
  FIGURES = 19,
  OF_TUBE = 17,
  OF_RING = 13,
  WORK_RATE = 0,
  CONTACT_FRACTION = 3
}; /* the last are there where supports wear too; rings do not wear alone */
static const fw_column figures[FIGURES] = {{"work_rate", "W"},
                                           {"work_rate_error", "W"},
                                           {"window_correlation", ""},
                                           {"contact_fraction", ""},
                                           {"impact_share", ""},
                                           {"sliding_share", ""},
                                           {"impact_rate", "1/s"},
                                           {"impact_force_mean", "N"},
                                           {"impact_force_max", "N"},
                                           {"normal_rms", "N"},
                                           {"normal_max", "N"},
                                           {"tangential_rms", "N"},
                                           {"tangential_max", "N"},
                                           {"wear_rate", "m^3/s"},
                                           {"wear_volume", "m^3"},
                                           {"wear_depth", "m"},
                                           {"life", "s"},
                                           {"support_wear_volume", "m^3"},
                                           {"support_wear_depth", "m"}};

static int figures_of(const fw_model *model) {
  for (int r = 0; r < model->ring_count; r++)
    if (model->rings[r].scar.other > 0) return FIGURES;
  return OF_TUBE;
}

static void find_figures(const recorder *w, const support *s, double out[FIGURES]) {
  double span = *w->clock, work = s->all.impact_work + s->all.sliding_work;
  double service = fw_wear_asked(w->job->args).service;
  const double values[FIGURES] = {s->work_rate,
                                  s->error,
                                  s->correlation,
                                  s->all.closed / span,
                                  work > 0 ? s->all.impact_work / work : 0,
                                  work > 0 ? s->all.sliding_work / work : 0,
                                  s->all.impacts / span,
                                  s->all.impacts > 0 ? s->all.peak_sum / s->all.impacts : 0,
                                  s->all.peak_most,
                                  sqrt(s->force->N2 / span),
                                  s->force->N_most,
                                  sqrt(s->force->T2 / span),
                                  s->force->T_most,
                                  s->wear.rate,
                                  service > 0 ? s->wear.rate * service : fw_unknown(),
                                  s->wear.depth,
                                  s->wear.life,
                                  service > 0 ? s->wear.other_volume : fw_unknown(),
                                  s->wear.other_depth};
  memcpy(out, values, sizeof values);
}

/* What one ring alone goes through: all of it in the table `rings`, the summary has the most of it. */
static fw_status report_ring(const recorder *w, const support *of, int face, fw_sheet *sheet) {
  support ring = {.first = of->first + face, .count = 1, .force = &w->rings[of->first + face].force};
  double values[FIGURES];
  sum_up(w, &ring);
  find_figures(w, &ring, values);
  fw_sheet_put(sheet, of->number);
  fw_sheet_put(sheet, face + 1);
  for (int k = 0; k < OF_RING; k++) fw_sheet_put(sheet, values[k]);
  for (int k = 0; of->count > 1 && k < OF_RING; k++)
    if (k == WORK_RATE || k == CONTACT_FRACTION)
      FW_TRY(fw_record_set_figure(w->job->summary, values[k], figures[k].unit, "supports.%s.rings[%d].%s",
                                  w->job->model->rings[of->first].support, face, figures[k].name));
  return fw_sheet_row(sheet);
}

static fw_status report_rings(const recorder *w, const support *list, int count) {
  fw_sheet sheet = fw_sheet_of(w->job->ctx, w->job->sink, w->job->id);
  fw_status status;
  fw_sheet_column(&sheet, "", "support");
  fw_sheet_column(&sheet, "", "face");
  for (int k = 0; k < OF_RING; k++) fw_sheet_column(&sheet, figures[k].unit, "%s", figures[k].name);
  FW_TRY_DONE(fw_sheet_open(&sheet, "rings"));
  for (int i = 0; i < count; i++)
    for (int face = 0; face < list[i].count; face++) FW_TRY_DONE(report_ring(w, &list[i], face, &sheet));
done:
  fw_sheet_close(&sheet);
  return status;
}

/* The summary, and the table `supports`: both with what wears most first. */
static fw_status report_supports(const recorder *w, const support *list, int count) {
  fw_sheet sheet = fw_sheet_of(w->job->ctx, w->job->sink, w->job->id);
  int columns = figures_of(w->job->model);
  fw_status status;
  fw_sheet_column(&sheet, "", "number");
  for (int k = 0; k < columns; k++) fw_sheet_column(&sheet, figures[k].unit, "%s", figures[k].name);
  FW_TRY_DONE(fw_sheet_open(&sheet, "supports"));
  for (int i = 0; i < count; i++) {
    double values[FIGURES];
    const char *id = w->job->model->rings[list[i].first].support;
    find_figures(w, &list[i], values);
    fw_sheet_put(&sheet, list[i].number);
    for (int k = 0; k < columns; k++) {
      fw_sheet_put(&sheet, values[k]);
      FW_TRY_DONE(
          fw_record_set_figure(w->job->summary, values[k], figures[k].unit, "supports.%s.%s", id, figures[k].name));
    }
    FW_TRY_DONE(fw_sheet_row(&sheet));
  }
done:
  fw_sheet_close(&sheet);
  return status;
}

/* Impacts in unit time by their largest force. */
static fw_status write_forces(const recorder *w) {
  const fw_model *model = w->job->model;
  fw_sheet sheet = fw_sheet_of(w->job->ctx, w->job->sink, w->job->id);
  fw_status status;
  fw_sheet_column(&sheet, "N", "force from");
  fw_sheet_column(&sheet, "N", "force to");
  for (int r = 0; r < model->ring_count; r++) fw_ring_column(&sheet, &model->rings[r], "1/s", "impacts");
  FW_TRY_DONE(fw_sheet_open(&sheet, "impacts"));
  for (int b = 0; b < FW_FORCE_BINS; b++) {
    fw_sheet_put(&sheet, fw_force_bin(b));
    fw_sheet_put(&sheet, fw_force_bin(b + 1));
    for (int r = 0; r < model->ring_count; r++) {
      fw_episodes over = w->rings[r].episodes;
      fw_episodes_end(&w->limits, &over);
      fw_sheet_put(&sheet, over.bins[b] / *w->clock);
    }
    FW_TRY_DONE(fw_sheet_row(&sheet));
  }
done:
  fw_sheet_close(&sheet);
  return status;
}

/* Work rate by the side of the tube that it is done on. */
static fw_status write_angles(const recorder *w) {
  const fw_model *model = w->job->model;
  fw_sheet sheet = fw_sheet_of(w->job->ctx, w->job->sink, w->job->id);
  fw_status status;
  fw_sheet_column(&sheet, "deg", "angle");
  for (int r = 0; r < model->ring_count; r++) fw_ring_column(&sheet, &model->rings[r], "W", "work rate");
  FW_TRY_DONE(fw_sheet_open(&sheet, "angles"));
  for (int b = 0; b < ANGLES; b++) {
    fw_sheet_put(&sheet, (b + 0.5) * 360.0 / ANGLES);
    for (int r = 0; r < model->ring_count; r++) fw_sheet_put(&sheet, w->rings[r].angle[b] / *w->clock);
    FW_TRY_DONE(fw_sheet_row(&sheet));
  }
done:
  fw_sheet_close(&sheet);
  return status;
}

static fw_status report(void *self, double span) {
  (void)span;
  recorder *w = self;
  support *list = NULL;
  int count;
  if (!w || !(*w->clock > 0)) return FW_OK;
  FW_TRY(list_supports(w, &list, &count));
  fw_status status = report_supports(w, list, count);
  if (status == FW_OK) status = report_rings(w, list, count);
  free(list);
  FW_TRY(status);
  FW_TRY(write_forces(w));
  FW_TRY(write_angles(w));
  return fw_clearance_table(w->job);
}

const fw_recorder_ops fw_support_recorder = {
    .create = create,
    .destroy = destroy,
    .begin = begin,
    .see = see,
    .row = row,
    .archive = archive,
    .report = report,
};
