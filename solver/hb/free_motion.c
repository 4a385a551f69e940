/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/free_motion.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

/* Rate of change at the first sample of what `stride` apart holds a value for every sample: difference of fourth order.
 */
static double rate(const fw_variation *x, const double *values, int stride) {
  int samples = x->balance->fourier.samples;
  double at[5];
  for (int k = 0; k < 5; k++) at[k] = values[(ptrdiff_t)stride * ((x->start + k - 2 + samples) % samples)];
  return (8 * (at[3] - at[1]) - (at[4] - at[0])) / (12 * x->h);
}

/* Second derivative, alike. */
static double curvature(const fw_variation *x, const double *values, int stride) {
  int samples = x->balance->fourier.samples;
  double at[5];
  for (int k = 0; k < 5; k++) at[k] = values[(ptrdiff_t)stride * ((x->start + k - 2 + samples) % samples)];
  return (16 * (at[3] + at[1]) - (at[4] + at[0]) - 30 * at[2]) / (12 * x->h * x->h);
}

/* The state's rate of change: the disturbance that moves the motion in time. */
static void along_motion(const fw_variation *x, double *state) {
  int row = x->friction;
  for (int i = 0; i < x->n; i++) {
    state[i] = x->v[x->start * x->n + i];
    state[x->n + i] = rate(x, x->v + i, x->n);
    state[2 * x->n + i] = curvature(x, x->v + i, x->n);
  }
  for (int k = 0; k < x->balance->given.contact_count; k++) {
    const fw_cycle *cycle = &x->balance->cycles[k];
    for (int s = 0; s < cycle->states; s++) state[row++] = rate(x, cycle->z_samples + s, cycle->states);
    state[x->normal + k] = rate(x, cycle->N, 1);
  }
}

/* Displacements and velocities that the change of y makes at the first sample; the rest follow from these. */
static void along_family(const fw_variation *x, const double *y, const double *along, double *state) {
  const fw_balance *b = x->balance;
  int size = b->fourier.size;
  const double *basis = b->fourier.basis + (ptrdiff_t)x->start * size,
               *turn = b->fourier.rate + (ptrdiff_t)x->start * size;
  memset(state, 0, (size_t)x->states * sizeof *state);
  for (int i = 0; i < x->coordinates; i++) {
    if (b->closed[i]) continue;
    state[i] = cblas_ddot(size, basis, 1, along + i * size, 1);
    state[x->n + i] = y[b->n] * cblas_ddot(size, turn, 1, along + i * size, 1) +
                      along[b->n] * cblas_ddot(size, turn, 1, y + i * size, 1);
  }
}

/* Row by which a state is told from one a little later: the fastest displacement. */
static int fastest(const fw_variation *x, const double *motion) {
  int row = 0;
  for (int i = 1; i < x->n; i++)
    if (x->M[i * x->n + i] * motion[i] * motion[i] > x->M[row * x->n + row] * motion[row] * motion[row]) row = i;
  return row;
}

void fw_free_motion_reduce(fw_variation *x, const double *y, const double *along, double *room) {
  double *motion = room + x->states;
  int m = x->states;
  along_family(x, y, along, room);
  along_motion(x, motion);
  int row = fastest(x, motion);
  cblas_dscal(m, 1 / motion[row], motion, 1);
  cblas_daxpy(m, -room[row], motion, 1, room, 1);
  double *taken = x->next; /* X -= motion X[row]: in the space beside `motion` */
  memcpy(taken, x->X + (ptrdiff_t)row * m, (size_t)m * sizeof *taken);
  cblas_dger(CblasRowMajor, m, m, -1, motion, 1, taken, 1, x->X, m);
}

/* Kinetic energy, and omega^2 M for the elastic one: x^T G y over displacements and velocities. */
static double product(const fw_variation *x, const double *a, int stride, const double *b, int other) {
  double omega = 2 * M_PI / (x->h * x->balance->fourier.samples), sum = 0;
  for (int part = 0; part < 2; part++)
    for (int i = 0; i < x->n; i++)
      for (int j = 0; j < x->n; j++)
        sum += (part ? 1 : omega * omega) * x->M[i * x->n + j] * a[(ptrdiff_t)stride * (part * x->n + i)] *
               b[(ptrdiff_t)other * (part * x->n + j)];
  return sum;
}

/* Eigenvectors that belong to the fast decay of friction states may move alike: of those nearly as like it as any the
 * slowest to decay. */
int fw_free_motion_find(const fw_variation *x, const double *vectors, const double *real, const double *imaginary,
                        const double *room) {
  const double nearly = 0.8;
  int best = -1, m = x->states;
  double most = 0, own = product(x, room, 1, room, 1);
  for (int pass = 0; pass < 2; pass++)
    for (int k = 0; k < m; k++) {
      if (imaginary[k] != 0) continue;
      double length = product(x, vectors + k, m, vectors + k, m), along = product(x, vectors + k, m, room, 1);
      double likeness = length > 0 && own > 0 ? along * along / (length * own) : 0;
      if (pass == 0) most = fmax(most, likeness);
      if (pass == 1 && likeness > nearly * most && (best < 0 || real[k] > real[best])) best = k;
    }
  return best;
}
