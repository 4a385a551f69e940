/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Setting up: the structure in time, and the motion at its samples. */

#include "solver/hb/monodromy_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REST = 40 };

/* Held modes that may answer: those the samples follow, whether or not the harmonics reach as far. */
static int rest_kept(const fw_balance *b, double omega) {
  const fw_reduced *r = b->given.reduced;
  double highest = b->fourier.samples * omega / FW_SAMPLES_A_CYCLE;
  int kept = 0;
  while (kept < r->rest && kept < MOST_REST && r->frequency[r->modes + kept] < highest) kept++;
  return kept;
}

/* The coordinates and `kept` of the rest, whose stiffness is 1, with the damping that a nonlinear mode is fed by taken
 * away. Matrices of reduced.h are column major, and symmetric but for those between the two. */
static void fill_structure(fw_monodromy *x) {
  const fw_reduced *r = x->balance->given.reduced;
  int n = x->n, c = x->coordinates, kept = n - c;
  for (int i = 0; i < c; i++)
    for (int j = 0; j < c; j++) {
      x->M[i * n + j] = r->M[i * c + j];
      x->C[i * n + j] = r->C[i * c + j];
      x->K[i * n + j] = r->K[i * c + j];
    }
  for (int i = 0; i < c; i++)
    for (int j = 0; j < kept; j++) {
      x->M[i * n + c + j] = x->M[(c + j) * n + i] = r->M_zr[j * c + i];
      x->C[i * n + c + j] = x->C[(c + j) * n + i] = r->C_zr[j * c + i];
    }
  for (int i = 0; i < kept; i++) {
    double *M = &x->M[(c + i) * n + c], *C = &x->C[(c + i) * n + c], *K = &x->K[(c + i) * n + c];
    M[i] = r->M_r[i];
    K[i] = 1;
    C[i] = r->alpha * r->M_r[i] + r->beta;
    for (int u = 0; u < r->rank; u++)
      for (int j = 0; j < kept; j++) C[j] += r->U[u * r->rest + i] * r->C_u[u] * r->U[u * r->rest + j];
  }
  for (int i = 0; i < n * n; i++) x->C[i] -= x->balance->epmc_damping * x->M[i];
}

/* ---- the motion --------------------------------------------------------------------------- */

/* Adds amplitude e^{i k tau} of unknown i to the samples of q and v. */
static void add_harmonic(fw_monodromy *x, int i, int k, double complex amplitude, double omega) {
  int samples = x->balance->fourier.samples;
  for (int s = 0; s < samples; s++) {
    double complex turned = amplitude * cexp(I * (2 * M_PI * k * s / samples));
    x->q[s * x->n + i] += creal(turned);
    x->v[s * x->n + i] += creal(I * k * omega * turned);
  }
}

static fw_status sample_motion(fw_context *ctx, fw_monodromy *x, const double *y) {
  fw_balance *b = x->balance;
  const fw_reduced *r = b->given.reduced;
  double complex *eta;
  FW_TRY(fw_alloc(ctx, (size_t)r->rest, sizeof *eta, &eta));
  for (int k = 0; k <= b->fourier.H; k++) {
    memset(eta, 0, (size_t)r->rest * sizeof *eta);
    for (int d = 0; d < b->given.drive_count; d++)
      if (b->given.drives[d].harmonic == k)
        fw_dynamic_rest_load(&b->dynamic[k], &b->given.drives[d].load, b->level * b->given.drives[d].factor, eta);
    for (int i = 0; i < x->coordinates; i++) {
      b->z_k[i] = fw_balance_coordinate(b, y, i, k);
      add_harmonic(x, i, k, b->z_k[i], y[b->n]);
    }
    fw_dynamic_rest_motion(&b->dynamic[k], b->z_k, eta);
    for (int i = x->coordinates; i < x->n; i++) add_harmonic(x, i, k, eta[i - x->coordinates], y[b->n]);
  }
  free(eta);
  return FW_OK;
}

/* The sample with the largest kinetic energy. */
static int fastest_sample(const fw_monodromy *x) {
  int n = x->n, best = 0;
  double most = 0;
  for (int s = 0; s < x->balance->fourier.samples; s++) {
    const double *v = x->v + (size_t)s * (size_t)n;
    double energy = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) energy += v[i] * x->M[i * n + j] * v[j];
    if (energy <= most) continue;
    most = energy;
    best = s;
  }
  return best;
}

/* f = drives - C v - K q - polynomial - friction + normal forces, all as changes from before the vibration: M a. */
static void sample_forces(fw_monodromy *x, double *work) {
  const fw_balance *b = x->balance;
  int n = x->n, c = x->coordinates, samples = b->fourier.samples;
  for (int s = 0; s < samples; s++) {
    double *f = x->f + (size_t)s * (size_t)n, *q = x->q + (size_t)s * (size_t)n, *v = x->v + (size_t)s * (size_t)n;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) f[i] -= x->C[i * n + j] * v[j] + x->K[i * n + j] * q[j];
    for (int d = 0; d < b->given.drive_count; d++) {
      const fw_balance_drive *drive = &b->given.drives[d];
      double now = b->level * creal(drive->factor * cexp(I * (2 * M_PI * drive->harmonic * s / samples)));
      for (int i = 0; i < n; i++) f[i] += now * (i < c ? drive->load.z[i] : drive->load.r[i - c]);
    }
    if (b->given.quartic && b->given.quartic->elements) {
      fw_quartic_force(b->given.quartic, q, work, NULL, work + c);
      for (int i = 0; i < c; i++) f[i] -= work[i];
    }
    for (int i = 0; i < b->given.contact_count; i++) {
      const fw_balance_contact *contact = &b->contacts[i];
      for (int k = 0; k < contact->slip.count; k++)
        f[contact->slip.at[k]] -= contact->slip.factor[k] * (b->aft[i].T[s] - contact->T0);
      for (int k = 0; k < contact->gap.count; k++)
        f[contact->gap.at[k]] += contact->gap.factor[k] * (b->aft[i].N[s] - contact->point.N0);
    }
  }
}

/* ---- all of it ---------------------------------------------------------------------------- */

/* Numbers that the derivatives of one law's step take. */
static size_t step_room(const fw_balance *b) {
  size_t most = 0;
  for (int i = 0; i < b->given.contact_count; i++)
    for (int l = 0; l < b->contacts[i].point.law_count; l++) {
      size_t s = (size_t)b->contacts[i].point.laws[l].states, room = s * (FW_STEP_INPUTS + s + 2);
      if (room > most) most = room;
    }
  return most + FW_STEP_INPUTS;
}

static fw_status allocate(fw_context *ctx, fw_monodromy *x) {
  size_t n = (size_t)x->n, states = (size_t)x->states, samples = (size_t)x->balance->fourier.samples;
  double **squares[] = {&x->M, &x->C, &x->K, &x->matrix, &x->tangent};
  for (size_t i = 0; i < sizeof squares / sizeof *squares; i++)
    FW_TRY(fw_alloc(ctx, n * n, sizeof(double), squares[i]));
  double **blocks[] = {&x->guess_q, &x->guess_v, &x->solution};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    FW_TRY(fw_alloc(ctx, n * states, sizeof(double), blocks[i]));
  double **motion[] = {&x->q, &x->v, &x->f};
  for (size_t i = 0; i < sizeof motion / sizeof *motion; i++)
    FW_TRY(fw_alloc(ctx, samples * n, sizeof(double), motion[i]));
  FW_TRY(fw_alloc(ctx, states * states, sizeof(double), &x->X));
  FW_TRY(fw_alloc(ctx, states * states, sizeof(double), &x->next));
  FW_TRY(fw_alloc(ctx, step_room(x->balance), sizeof(double), &x->step));
  size_t moments = (size_t)x->balance->given.contact_count * samples;
  FW_TRY(fw_alloc(ctx, moments, sizeof *x->directions, &x->directions));
  FW_TRY(fw_alloc(ctx, moments, sizeof *x->closed, &x->closed));
  FW_TRY(fw_alloc(ctx, moments, sizeof *x->slopes, &x->slopes));
  FW_TRY(fw_alloc(ctx, moments / 2 + 1, sizeof *x->impacts, &x->impacts));
  return fw_alloc(ctx, n, sizeof(int), &x->pivot);
}

fw_status fw_monodromy_create(fw_context *ctx, fw_balance *b, const double *y, fw_monodromy *x) {
  int c = b->given.reduced->coordinates;
  *x = (fw_monodromy){.balance = b, .coordinates = c, .n = c + rest_kept(b, y[b->n])};
  x->h = 2 * M_PI / (y[b->n] * b->fourier.samples);
  x->friction = x->normal = 3 * x->n;
  for (int i = 0; i < b->given.contact_count; i++) x->normal += b->aft[i].states;
  x->states = x->normal + b->given.contact_count;
  FW_TRY(allocate(ctx, x));
  fill_structure(x);
  FW_TRY(sample_motion(ctx, x, y));
  x->start = fastest_sample(x);
  sample_forces(x, x->solution);
  return FW_OK;
}

void fw_monodromy_clear(fw_monodromy *x) {
  double *all[] = {x->M,       x->C,        x->K, x->X,    x->next, x->matrix, x->guess_q,
                   x->guess_v, x->solution, x->q, x->step, x->v,    x->f,      x->tangent};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  free(x->closed);
  free(x->slopes);
  free(x->impacts);
  free(x->pivot);
  free(x->directions);
  *x = (fw_monodromy){0};
}
