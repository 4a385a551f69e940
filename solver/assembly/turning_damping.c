/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/assembly/system_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "elements/von_karman.h"

static fw_status begin(fw_context *ctx, fw_system *system) {
  if (!system->turning) FW_TRY(fw_alloc(ctx, 1, sizeof *system->turning, &system->turning));
  if (system->turning->rest) return FW_OK;
  size_t blocks = (size_t)system->model->block_count;
  FW_TRY(fw_alloc(ctx, blocks, sizeof *system->turning->membranes, &system->turning->membranes));
  return fw_alloc(ctx, blocks, sizeof *system->turning->rest, &system->turning->rest);
}

fw_status fw_turning_add(fw_context *ctx, fw_system *system, int b, int element, const double *C0) {
  const fw_block *block = &system->model->blocks[b];
  size_t size = (size_t)fw_element_dofs(block->ops) * (size_t)fw_element_dofs(block->ops);
  FW_TRY(begin(ctx, system));
  fw_turning *turning = system->turning;
  if (!turning->rest[b]) FW_TRY(fw_alloc(ctx, (size_t)block->count * size, sizeof(double), &turning->rest[b]));
  memcpy(turning->rest[b] + (size_t)element * size, C0, size * sizeof *C0);
  return FW_OK;
}

fw_status fw_turning_add_membrane(fw_context *ctx, fw_system *system, int b, const fw_membrane *membrane, double *C0) {
  double beta = system->model->blocks[b].props.rayleigh_beta;
  FW_TRY(begin(ctx, system));
  system->turning->membranes[b] = true;
  for (int k = 0; k < FW_BEAM_DOFS * FW_BEAM_DOFS; k++)
    C0[k] -= beta * membrane->D * membrane->b[k / FW_BEAM_DOFS] * membrane->b[k % FW_BEAM_DOFS];
  return FW_OK;
}

fw_status fw_turning_add_films(fw_context *ctx, fw_system *system) {
  FW_TRY(begin(ctx, system));
  if (system->turning->film) return FW_OK;
  return fw_alloc(ctx, (size_t)system->C->p[system->size], sizeof(double), &system->turning->film);
}

fw_status fw_turning_close(fw_context *ctx, fw_system *system) {
  size_t count = (size_t)system->C->p[system->size];
  if (!system->turning) return FW_OK;
  FW_TRY(fw_alloc(ctx, count, sizeof(double), &system->turning->fixed));
  memcpy(system->turning->fixed, system->C->x, count * sizeof(double));
  fw_system_turn(system, NULL);
  return FW_OK;
}

void fw_turning_destroy(fw_turning **turning, int blocks) {
  if (!*turning) return;
  free((*turning)->membranes);
  for (int b = 0; (*turning)->rest && b < blocks; b++) free((*turning)->rest[b]);
  free((*turning)->rest);
  free((*turning)->fixed);
  free((*turning)->film);
  free(*turning);
  *turning = NULL;
}

fw_status fw_system_set_epmc(fw_context *ctx, fw_system *system, double damping) {
  size_t count = (size_t)system->C->p[system->size];
  double *C = system->turning ? system->turning->fixed : system->C->x;
  if (damping == system->epmc_damping) return FW_OK;
  if (!system->C_own) {
    FW_TRY(fw_alloc(ctx, count, sizeof *C, &system->C_own));
    memcpy(system->C_own, C, count * sizeof *C);
    system->products.M = system->M; /* C changes, and M has its pattern */
    system->products.C = system->C;
  }
  for (size_t k = 0; k < count; k++) C[k] = system->C_own[k] - damping * system->M->x[k];
  system->epmc_damping = damping;
  return FW_OK;
}

/* ---- one element ------------------------------------------------------------------------- */

/* Places of the nodes about their mean, in the reference and now. */
typedef struct fw_posture {
  int nodes, each; /* freedoms of a node */
  double X[FW_ELEMENT_PLACES], x[2 * FW_ELEMENT_NODES];
} fw_posture;

static void centre(double *places, int nodes) {
  for (int k = 0; k < 2; k++) {
    double mean = 0.0;
    for (int i = 0; i < nodes; i++) mean += places[2 * i + k] / nodes;
    for (int i = 0; i < nodes; i++) places[2 * i + k] -= mean;
  }
}

/* Angle of the rotation that takes X nearest to x. */
static double angle_of(const fw_posture *p) {
  double across = 0.0, along = 0.0;
  for (int i = 0; i < p->nodes; i++) {
    const double *X = p->X + 2 * (ptrdiff_t)i, *x = p->x + 2 * (ptrdiff_t)i;
    along += X[0] * x[0] + X[1] * x[1];
    across += X[0] * x[1] - X[1] * x[0];
  }
  return atan2(across, along);
}

/* C = R C_0 R^T: pairs of rows, then pairs of columns. */
static void rotate(const fw_posture *p, double angle, double *C) {
  int n = p->nodes * p->each;
  double c = cos(angle), s = sin(angle);
  for (int side = 0; side < 2; side++) {
    int along = side ? 1 : n, across = side ? n : 1; /* strides: within a pair, over the other index */
    for (int i = 0; i < n; i += p->each)
      for (int j = 0; j < n; j++) {
        double *x = C + i * along + j * across, *y = x + along, keep = *x;
        *x = c * keep - s * *y;
        *y = s * keep + c * *y;
      }
  }
}

/* C = P C P with P = I - r r^T/(r^T r): C - (h r^T + r h^T)/(r^T r) + r (r^T h) r^T/(r^T r)^2, h = C r. */
static void release_rotation(const fw_posture *p, double *C) {
  int n = p->nodes * p->each;
  double r[FW_ELEMENT_DOFS], h[FW_ELEMENT_DOFS], square = 0.0, through = 0.0;
  for (int i = 0; i < n; i++) {
    const double *x = p->x + 2 * (ptrdiff_t)(i / p->each);
    r[i] = i % p->each == FW_X ? -x[1] : i % p->each == FW_Y ? x[0] : 1.0;
    square += r[i] * r[i];
  }
  for (int i = 0; i < n; i++) {
    h[i] = 0.0;
    for (int j = 0; j < n; j++) h[i] += C[i * n + j] * r[j];
    through += r[i] * h[i];
  }
  for (int i = 0; square > 0.0 && i < n; i++)
    for (int j = 0; j < n; j++)
      C[i * n + j] += through * r[i] * r[j] / (square * square) - (h[i] * r[j] + r[i] * h[j]) / square;
}

/* ---- films ----------------------------------------------------------------------------------- */

static void add_films(fw_system *system, const double *q) {
  size_t count = (size_t)system->C->p[system->size];
  double *film = system->turning->film;
  memset(film, 0, count * sizeof *film);
  for (int b = 0; b < system->model->block_count; b++) {
    const fw_block *block = &system->model->blocks[b];
    int n = fw_element_dofs(block->ops);
    double X[FW_ELEMENT_PLACES], qe[FW_ELEMENT_DOFS] = {0}, C[FW_ELEMENT_DOFS * FW_ELEMENT_DOFS];
    for (int e = 0; block->ops->damping && e < block->count; e++) {
      fw_element_places(system->model, block, e, X);
      if (q) fw_element_gather(block->dofs + (size_t)e * (size_t)n, n, q, qe);
      block->ops->damping(&block->props, X, qe, C);
      fw_element_scatter(system->scatter[b] + (size_t)e * (size_t)(n * n), n, C, 1.0, film);
    }
  }
  for (size_t k = 0; k < count; k++) system->C->x[k] += film[k];
}

/* f = C v, C of these values on the pattern. */
static void drag_of(const fw_system *system, const double *values, const double *v, double *f) {
  const fw_sparse *C = system->C;
  memset(f, 0, (size_t)system->size * sizeof *f);
  for (int64_t j = 0; j < system->model->dof_count; j++)
    for (int64_t k = C->p[j]; k < C->p[j + 1]; k++) f[C->i[k]] += values[k] * v[j];
}

void fw_system_drag(const fw_system *system, const double *v, double *f) { drag_of(system, system->C->x, v, f); }

void fw_system_film_force(const fw_system *system, const double *v, double *f) {
  drag_of(system, system->turning->film, v, f);
}

double fw_system_film_work(const fw_system *system, const double *gain, const double *v) {
  const fw_sparse *C = system->C;
  double sum = 0.0;
  if (!system->turning || !system->turning->film) return 0.0;
  for (int64_t j = 0; j < system->model->dof_count; j++)
    for (int64_t k = C->p[j]; k < C->p[j + 1]; k++) sum += gain[C->i[k]] * system->turning->film[k] * v[j];
  return sum;
}

/* ---- membranes ---------------------------------------------------------------------------- */

/* beta D (b + G q)(b + G q)^T of every element of the block. */
static void add_membranes(fw_system *system, int b, const double *q) {
  const fw_block *block = &system->model->blocks[b];
  const size_t size = FW_BEAM_DOFS * FW_BEAM_DOFS;
  double X[FW_ELEMENT_PLACES], qe[FW_BEAM_DOFS] = {0}, gradient[FW_BEAM_DOFS], C[FW_BEAM_DOFS * FW_BEAM_DOFS];
  fw_membrane membrane;
  for (int e = 0; e < block->count; e++) {
    fw_element_places(system->model, block, e, X);
    fw_von_karman_membrane(block->ops, &block->props, X, &membrane);
    if (q) fw_element_gather(block->dofs + (ptrdiff_t)e * FW_BEAM_DOFS, FW_BEAM_DOFS, q, qe);
    fw_membrane_strain(&membrane, qe, gradient);
    for (size_t k = 0; k < size; k++) C[k] = membrane.D * gradient[k / FW_BEAM_DOFS] * gradient[k % FW_BEAM_DOFS];
    fw_element_scatter(system->scatter[b] + (size_t)e * size, FW_BEAM_DOFS, C, block->props.rayleigh_beta,
                       system->C->x);
  }
}

/* ---- all --------------------------------------------------------------------------------- */

/* C_0 of every element of the block where it stands. */
static void add_turned(fw_system *system, int b, const double *q) {
  const fw_model *model = system->model;
  const fw_block *block = &model->blocks[b];
  int n = fw_element_dofs(block->ops);
  size_t size = (size_t)n * (size_t)n;
  fw_posture p = {.nodes = block->ops->nodes, .each = n / block->ops->nodes};
  double qe[FW_ELEMENT_DOFS] = {0}, C[FW_ELEMENT_DOFS * FW_ELEMENT_DOFS];
  for (int e = 0; e < block->count; e++) {
    fw_element_places(model, block, e, p.X);
    if (q) fw_element_gather(block->dofs + (size_t)e * (size_t)n, n, q, qe);
    for (int i = 0; i < 2 * p.nodes; i++) p.x[i] = p.X[i] + qe[i / 2 * p.each + i % 2];
    centre(p.X, p.nodes);
    centre(p.x, p.nodes);
    memcpy(C, system->turning->rest[b] + (size_t)e * size, size * sizeof *C);
    rotate(&p, angle_of(&p), C);
    release_rotation(&p, C);
    fw_element_scatter(system->scatter[b] + (size_t)e * size, n, C, 1.0, system->C->x);
  }
}

void fw_system_turn(fw_system *system, const double *q) {
  const fw_turning *turning = system->turning;
  if (!turning) return;
  memcpy(system->C->x, turning->fixed, (size_t)system->C->p[system->size] * sizeof(double));
  for (int b = 0; b < system->model->block_count; b++) {
    if (turning->rest[b]) add_turned(system, b, q);
    if (turning->membranes[b]) add_membranes(system, b, q);
  }
  if (turning->film) add_films(system, q);
}
