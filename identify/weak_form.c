/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/weak_form.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One test shape against all shapes of the motion. */
typedef struct test {
  const double *shape;
  double load, slip, gap;
  double *a, *b, *c, *g, *end; /* [shapes]; end: w(L) y_s'(L) */
} test;

typedef struct solving {
  const fw_weak_structure *in;
  const fw_forms *forms;
  const fw_weak_options *options;
  double *q;                /* [freedoms] of one shape */
  double *image;            /* [3 * freedoms] M w, C w, K w */
  double *room;             /* [5 * shapes] of a test */
  double *slip;             /* [shapes] */
  double along, compliance; /* of the beam along its axis */
  test under;
} solving;

static double dot(const double *a, const double *b, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

static const double *shape_of(const solving *s, int k) {
  return s->forms->shape + (ptrdiff_t)k * 2 * s->in->span->places;
}

/* Along one direction of the contact point. */
static double contact_along(const solving *s, const double *direction) {
  return fw_kinematic_along(&s->in->contact->kin, direction, s->q);
}

/* Everything about the test shape w, into s->under. */
static void take_test(solving *s, const double *w) {
  const fw_span *span = s->in->span;
  const fw_linearised *l = s->in->linear;
  int n = span->model->dof_count, shapes = s->forms->shapes;
  int64_t all = l->K->n;
  double *M = s->image, *C = M + all, *K = C + all;
  test *t = &s->under;
  fw_span_freedoms(span, w, NULL, s->q);
  memset(s->image, 0, 3 * (size_t)all * sizeof *s->image);
  fw_sparse_multiply(l->M, 1.0, s->q, M);
  fw_sparse_multiply(l->C, 1.0, s->q, C);
  fw_sparse_multiply(l->K, 1.0, s->q, K);
  *t = (test){.shape = w, .a = s->room, .b = s->room + shapes, .c = s->room + 2 * shapes, .g = s->room + 3 * shapes};
  t->end = s->room + 4 * shapes;
  t->load = fw_functional_value(&s->in->load->shape, s->q);
  t->slip = contact_along(s, s->in->contact->kin.slip_q);
  t->gap = contact_along(s, s->in->contact->kin.gap_q);
  for (int k = 0; k < shapes; k++) {
    const double *y = shape_of(s, k);
    fw_span_freedoms(span, y, NULL, s->q);
    t->a[k] = dot(s->q, M, n);
    t->b[k] = dot(s->q, K, n);
    t->c[k] = dot(s->q, C, n);
    t->g[k] = fw_span_slopes(span, w, y);
    t->end[k] = w[span->count - 1] * y[span->places + span->count - 1];
    s->slip[k] = contact_along(s, s->in->contact->kin.slip_q);
  }
}

/* ---- a moment of the period -------------------------------------------------------------- */

static double complex turn_at(int i, int r) { return cexp(_Complex_I * (2 * M_PI * r * i / FW_PERIOD)); }

/* q_s, q_s' or q_s'' at sample i. */
static double coordinate(const solving *s, int shape, int i, int derivative) {
  const fw_forms *f = s->forms;
  double complex sum = 0.0;
  for (int r = 1; r <= f->orders; r++) {
    double complex rate = _Complex_I * (r * s->in->omega), c = f->c[shape * f->orders + r - 1] * turn_at(i, r);
    for (int d = 0; d < derivative; d++) c *= rate;
    sum += c;
  }
  return creal(sum);
}

static bool is_seen(const solving *s, int own, int shape) {
  return s->options->coupled || own < 0 || s->forms->order[own] == 0 || s->forms->order[own] == s->forms->order[shape];
}

/* What the test shape `own` (-1: one beside them) says at sample i: *force + T *factor = N gap. */
static void equation_at(const solving *s, int own, int i, double *force, double *factor) {
  const test *t = &s->under;
  *force = -s->in->level * t->load * creal(turn_at(i, 1));
  *factor = t->slip;
  for (int k = 0; k < s->forms->shapes; k++) {
    if (!is_seen(s, own, k)) continue;
    double q = coordinate(s, k, i, 0);
    *force += t->a[k] * coordinate(s, k, i, 2) + t->c[k] * coordinate(s, k, i, 1) + t->b[k] * q;
    *factor -= s->along * (t->g[k] - (s->options->end_slope ? 0.0 : t->end[k])) * q;
  }
}

/* ---- friction ---------------------------------------------------------------------------- */

static bool is_test(const solving *s, int shape) {
  return s->forms->part[shape] == 0 || s->forms->part[shape] == s->options->part;
}

/* Coupled: least squares over all test shapes of unit modal mass. Else the mean of what each says. */
static void find_friction(solving *s, fw_contact_period *p) {
  double above[FW_PERIOD] = {0}, below[FW_PERIOD] = {0};
  for (int k = 0; k < s->forms->shapes; k++) {
    if (!is_test(s, k)) continue;
    take_test(s, shape_of(s, k));
    double mass = s->under.a[k];
    if (!(mass > 0.0)) continue; /* a harmonic that no sensor has seen */
    for (int i = 0; i < FW_PERIOD; i++) {
      double force, factor;
      equation_at(s, k, i, &force, &factor);
      above[i] -= s->options->coupled ? force * factor / mass : force / factor;
      below[i] += s->options->coupled ? factor * factor / mass : 1.0;
    }
  }
  for (int i = 0; i < FW_PERIOD; i++) p->T[i] = below[i] > 0.0 ? above[i] / below[i] : 0.0;
}

/* ---- normal force and slip --------------------------------------------------------------- */

/* The deflection of a beam under a force at its end, 1 there. */
static void write_deflection(const fw_span *span, double *shape) {
  double L = span->x[span->count - 1];
  for (int i = 0; i < span->places; i++) {
    double x = span->x[i] / L;
    shape[i] = 0.5 * x * x * (3 - x);
    shape[span->places + i] = 1.5 * x * (2 - x) / L;
  }
}

static void find_normal(solving *s, const double *deflection, fw_contact_period *p) {
  take_test(s, deflection);
  for (int i = 0; i < FW_PERIOD; i++) {
    double force, factor;
    equation_at(s, -1, i, &force, &factor);
    p->N[i] = (force + p->T[i] * factor) / s->under.gap;
  }
}

/* By the shape of a bar that is pulled, x: slip per displacement of the end along the axis, and per unit of friction. */
static void find_stretch(solving *s, double *none) {
  const fw_span *span = s->in->span;
  memset(none, 0, 2 * (size_t)span->places * sizeof *none);
  memset(s->image, 0, (size_t)s->in->linear->K->n * sizeof *s->image);
  fw_span_freedoms(span, none, span->x, s->q);
  fw_sparse_multiply(s->in->linear->K, 1.0, s->q, s->image);
  double slip = contact_along(s, s->in->contact->kin.slip_q);
  double stiffness = dot(s->q, s->image, span->model->dof_count);
  s->along = slip / span->x[span->count - 1];
  s->compliance = stiffness > 0.0 ? slip * slip / stiffness : 0.0;
}

/* Half the integral of y'^2: by how much the end comes nearer. */
static double shortening(const solving *s, const double *q) {
  double sum = 0.0;
  for (int a = 0; a < s->forms->shapes; a++)
    for (int b = 0; b < s->forms->shapes; b++)
      sum += 0.5 * q[a] * q[b] * fw_span_slopes(s->in->span, shape_of(s, a), shape_of(s, b));
  return sum;
}

/* Fourth order, over the period. */
static void differentiate(const double *u, double omega, double *v) {
  double h = 2 * M_PI / omega / FW_PERIOD;
  for (int i = 0; i < FW_PERIOD; i++) {
    const double *at[4];
    for (int k = 0; k < 4; k++) at[k] = &u[(i + (k < 2 ? k - 2 : k - 1) + FW_PERIOD) % FW_PERIOD];
    v[i] = (*at[0] - 8 * *at[1] + 8 * *at[2] - *at[3]) / (12 * h);
  }
}

static fw_status find_slip(fw_context *ctx, solving *s, fw_contact_period *p) {
  int shapes = s->forms->shapes;
  double *q;
  FW_TRY(fw_alloc(ctx, (size_t)shapes, sizeof *q, &q));
  for (int i = 0; i < FW_PERIOD; i++) {
    for (int k = 0; k < shapes; k++) q[k] = coordinate(s, k, i, 0);
    p->u[i] = dot(s->slip, q, shapes) - s->compliance * p->T[i] - s->along * shortening(s, q);
  }
  free(q);
  differentiate(p->u, s->in->omega, p->v);
  return FW_OK;
}

fw_status fw_weak_solve(fw_context *ctx, const fw_weak_structure *structure, const fw_forms *forms,
                        const fw_weak_options *options, fw_contact_period *period) {
  solving s = {.in = structure, .forms = forms, .options = options};
  size_t freedoms = (size_t)structure->linear->K->n, shapes = (size_t)forms->shapes;
  double *extra = NULL;
  fw_status status;
  *period = (fw_contact_period){0};
  FW_TRY_DONE(fw_alloc(ctx, freedoms, sizeof *s.q, &s.q));
  FW_TRY_DONE(fw_alloc(ctx, 3 * freedoms, sizeof *s.image, &s.image));
  FW_TRY_DONE(fw_alloc(ctx, 5 * shapes, sizeof *s.room, &s.room));
  FW_TRY_DONE(fw_alloc(ctx, shapes, sizeof *s.slip, &s.slip));
  FW_TRY_DONE(fw_alloc(ctx, 2 * (size_t)structure->span->places, sizeof *extra, &extra));
  find_stretch(&s, extra);
  find_friction(&s, period);
  write_deflection(structure->span, extra);
  find_normal(&s, extra, period);
  status = find_slip(ctx, &s, period);
done:
  free(s.q);
  free(s.image);
  free(s.room);
  free(s.slip);
  free(extra);
  return status;
}
