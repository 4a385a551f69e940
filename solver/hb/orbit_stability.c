/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/orbit_stability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/unknown.h"

/* last: it defines I */
#include <cblas.h>

enum { SAMPLES_A_CYCLE = 16 }; /* that it takes to follow a mode */
enum { MOST_REST = 40 };

/* ---- the structure ------------------------------------------------------------------------ */

/* Held modes that may answer: those the samples follow, whether or not the harmonics reach as far. */
static int rest_kept(const fw_balance *b, double omega) {
  const fw_reduced *r = b->given.reduced;
  double highest = b->fourier.samples * omega / SAMPLES_A_CYCLE;
  int kept = 0;
  while (kept < r->rest && kept < MOST_REST && r->frequency[r->modes + kept] < highest) kept++;
  return kept;
}

/* The coordinates and what is kept of the rest, with the damping that a nonlinear mode is fed by taken away. */
static void fill_structure(const fw_balance *b, fw_periodic_motion *m) {
  fw_reduced_truncate(b->given.reduced, m->n - b->given.reduced->coordinates, m->M, m->C, m->K);
  for (int i = 0; i < m->n * m->n; i++) m->C[i] -= b->epmc_damping * m->M[i];
}

/* The polynomial of the coordinates, with room for its force f[c], derivatives K, C[c x c], and room to work. */
typedef struct polynomial {
  const fw_quartic *quartic; /* NULL: there is none */
  int n, c;
  double *f, *K, *C, *work;
} polynomial;

static fw_status polynomial_init(fw_context *ctx, const fw_balance *b, int n, polynomial *p) {
  size_t c = (size_t)b->given.reduced->coordinates;
  *p = (polynomial){.n = n, .c = (int)c};
  if (b->given.quartic && b->given.quartic->elements) p->quartic = b->given.quartic;
  size_t room = p->quartic ? fw_quartic_room(p->quartic, 1) : 0;
  FW_TRY(fw_alloc(ctx, c * (2 * c + 1) + room, sizeof *p->f, &p->f));
  p->K = p->f + c;
  p->C = p->K + c * c;
  p->work = p->C + c * c;
  return FW_OK;
}

static void add_block(const polynomial *p, const double *block, double *matrix) {
  for (int a = 0; a < p->c; a++)
    for (int b = 0; b < p->c; b++) matrix[a * p->n + b] += block[a * p->c + b];
}

static void add_tangents(void *user, const double *q, const double *v, double *K, double *C) {
  const polynomial *p = (const polynomial *)user;
  fw_quartic_force(p->quartic, 1, q, p->f, p->K, p->work);
  add_block(p, p->K, K);
  if (!p->quartic->cubic_drag) return;
  fw_quartic_drag(p->quartic, q, v, p->f, p->C, p->K, p->work);
  add_block(p, p->K, K);
  add_block(p, p->C, C);
}

/* ---- the motion --------------------------------------------------------------------------- */

/* Adds amplitude e^{i k tau} of unknown i to the samples of q and v. */
static void add_harmonic(fw_periodic_motion *m, int i, int k, double complex amplitude, double omega) {
  for (int s = 0; s < m->samples; s++) {
    double complex turned = amplitude * cexp(I * (2 * M_PI * k * s / m->samples));
    m->q[s * m->n + i] += creal(turned);
    m->v[s * m->n + i] += creal(I * k * omega * turned);
  }
}

static fw_status sample_motion(fw_context *ctx, const fw_balance *b, const double *y, fw_periodic_motion *m) {
  const fw_reduced *r = b->given.reduced;
  int c = r->coordinates;
  double complex *z, *eta;
  FW_TRY(fw_alloc(ctx, (size_t)(c + r->rest), sizeof *z, &z));
  eta = z + c;
  for (int k = 0; k <= b->fourier.H; k++) {
    memset(eta, 0, (size_t)r->rest * sizeof *eta);
    for (int d = 0; d < b->given.drive_count; d++)
      if (b->given.drives[d].harmonic == k)
        fw_dynamic_rest_load(&b->dynamic[k], &b->given.drives[d].load, b->level * b->given.drives[d].factor, eta);
    for (int i = 0; i < c; i++) {
      z[i] = fw_balance_coordinate(b, y, i, k);
      add_harmonic(m, i, k, z[i], y[b->n]);
    }
    fw_dynamic_rest_motion(&b->dynamic[k], z, eta);
    for (int i = c; i < m->n; i++) add_harmonic(m, i, k, eta[i - c], y[b->n]);
  }
  free(z);
  return FW_OK;
}

/* f = drives - C v - K q - polynomial - friction + normal forces, all as changes from before the vibration: M a. */
static void sample_forces(const fw_balance *b, const polynomial *p, fw_periodic_motion *m) {
  int n = m->n, c = p->c;
  for (int s = 0; s < m->samples; s++) {
    double *f = m->f + (size_t)s * (size_t)n, *q = m->q + (size_t)s * (size_t)n, *v = m->v + (size_t)s * (size_t)n;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) f[i] -= m->C[i * n + j] * v[j] + m->K[i * n + j] * q[j];
    for (int d = 0; d < b->given.drive_count; d++) {
      const fw_balance_drive *drive = &b->given.drives[d];
      double now = b->level * creal(drive->factor * cexp(I * (2 * M_PI * drive->harmonic * s / m->samples)));
      for (int i = 0; i < n; i++) f[i] += now * (i < c ? drive->load.z[i] : drive->load.r[i - c]);
    }
    if (p->quartic) {
      fw_quartic_force(p->quartic, 1, q, p->f, NULL, p->work);
      for (int i = 0; i < c; i++) f[i] -= p->f[i];
    }
    if (p->quartic && p->quartic->cubic_drag) {
      fw_quartic_drag(p->quartic, q, v, p->f, p->C, p->K, p->work);
      for (int i = 0; i < c; i++) f[i] -= p->f[i];
    }
    for (int i = 0; i < m->contact_count; i++) {
      const fw_balance_contact *contact = &b->contacts[i];
      for (int k = 0; k < contact->slip.count; k++)
        f[contact->slip.at[k]] -= contact->slip.factor[k] * (b->aft[i].T[s] - contact->T0);
      for (int k = 0; k < contact->gap.count; k++)
        f[contact->gap.at[k]] += contact->gap.factor[k] * (b->aft[i].N[s] - contact->point.N0);
    }
  }
}

static fw_motion_contact contact_of(const fw_balance_contact *c, const fw_aft *aft) {
  const fw_aft_point *point = &c->point;
  return (fw_motion_contact){.gap = c->gap,
                             .slip = c->slip,
                             .friction = point->friction,
                             .rigid_stick = point->stick_penalty > 0,
                             .stays_closed = point->kind == FW_AFT_CLOSED,
                             .opens = point->kind == FW_AFT_OPENING,
                             .law = point->kind == FW_AFT_LAW ? point->normal : NULL,
                             .N0 = point->N0,
                             .u = aft->u,
                             .v = aft->v,
                             .T = aft->T,
                             .z = aft->z_samples,
                             .slides = aft->slides,
                             .gap_values = aft->gap,
                             .gap_rate = aft->gap_rate,
                             .N = aft->N,
                             .N_gap = aft->N_gap,
                             .N_rate = aft->N_rate,
                             .pressed = aft->pressed};
}

/* Displacements and velocities that the change of y makes at the first sample. */
static void along_family(const fw_balance *b, const double *y, const double *along, fw_periodic_motion *m) {
  int size = b->fourier.size;
  const double *basis = b->fourier.basis + (ptrdiff_t)m->start * size,
               *turn = b->fourier.rate + (ptrdiff_t)m->start * size;
  for (int i = 0; i < b->given.reduced->coordinates; i++) {
    if (b->closed[i]) continue;
    m->family[i] = cblas_ddot(size, basis, 1, along + i * size, 1);
    m->family[m->n + i] = y[b->n] * cblas_ddot(size, turn, 1, along + i * size, 1) +
                          along[b->n] * cblas_ddot(size, turn, 1, y + i * size, 1);
  }
}

static fw_status sample(fw_context *ctx, const fw_balance *b, const double *y, const double *along, polynomial *p,
                        fw_periodic_motion *m) {
  m->h = 2 * M_PI / (y[b->n] * m->samples);
  fill_structure(b, m);
  FW_TRY(sample_motion(ctx, b, y, m));
  sample_forces(b, p, m);
  for (int i = 0; i < m->contact_count; i++) m->contacts[i] = contact_of(&b->contacts[i], &b->aft[i]);
  m->start = fw_periodic_motion_fastest(m);
  if (along) along_family(b, y, along, m);
  if (p->quartic) m->add_tangents = add_tangents;
  m->user = p;
  return FW_OK;
}

/* ---- judged ------------------------------------------------------------------------------- */

static bool hysteretic(const fw_reduced *r) {
  for (int i = 0; i < r->coordinates * r->coordinates; i++)
    if (r->H && r->H[i] != 0) return true;
  return false;
}

fw_status fw_balance_stability(fw_context *ctx, const fw_balance *b, const double *y, const double *along,
                               fw_floquet *stability) {
  *stability = (fw_floquet){.along = fw_unknown(), .contact = -1};
  if (hysteretic(b->given.reduced)) {
    stability->why = "hysteretic damping has no motion in time";
    return FW_OK;
  }
  fw_periodic_motion motion = {0};
  polynomial p = {0};
  int n = b->given.reduced->coordinates + rest_kept(b, y[b->n]);
  fw_status status = FW_OK;
  FW_TRY_DONE(polynomial_init(ctx, b, n, &p));
  FW_TRY_DONE(fw_periodic_motion_init(ctx, n, b->fourier.samples, b->given.contact_count, along != NULL, &motion));
  FW_TRY_DONE(sample(ctx, b, y, along, &p, &motion));
  FW_TRY_DONE(fw_floquet_find(ctx, &motion, stability));
done:
  fw_periodic_motion_clear(&motion);
  free(p.f);
  return status;
}

fw_status fw_far_modes(fw_context *ctx, const fw_vibration *v, const fw_response *r, const fw_orbit *orbit,
                       fw_floquet *stability) {
  fw_status status = FW_OK;
  fw_solver solver = {0};
  double *residual = NULL;
  fw_response_options options = r->options;
  *stability = (fw_floquet){.contact = -1};
  if (options.samples < FW_FAR_MODES * SAMPLES_A_CYCLE) options.samples = FW_FAR_MODES * SAMPLES_A_CYCLE;
  FW_TRY_DONE(fw_solver_init(ctx, v, &options, &solver));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)solver.balance.n, sizeof *residual, &residual));
  status = fw_balance_residual(&solver.balance, orbit->y, residual, NULL, NULL);
  if (status > 0) {
    stability->why = "friction does not come back to its state";
    status = FW_OK;
  } else if (status == FW_OK) {
    status = fw_balance_stability(ctx, &solver.balance, orbit->y, NULL, stability);
  }
done:
  free(residual);
  fw_solver_clear(&solver);
  return status;
}
