/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/vibration.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memo.h"
#include "elements/element.h"
#include "solver/assembly/linear_contact.h"

enum { DENSE_MOST = 600 };

void fw_assembled_clear(fw_assembled *a) {
  fw_structure_clear(&a->structure);
  free(a->Q);
  *a = (fw_assembled){0};
}

/* ---- functionals --------------------------------------------------------------------------- */

static bool share_freedoms(const fw_kinematic *a, const fw_kinematic *b) {
  for (int i = 0; i < a->count; i++)
    for (int j = 0; j < b->count; j++)
      if (a->dof[i] == b->dof[j]) return true;
  return false;
}

/* Coordinates that move the freedoms of contact c: its own gap and slip and those of other contacts there. */
static int known_functionals(const fw_coordinates *coordinates, const fw_kinematic *kin, int c) {
  int known = 0;
  for (int r = 0; r < coordinates->count; r++) known += share_freedoms(&kin[coordinates->definers[r].contact], &kin[c]);
  return known;
}

/* What a node that a contact moves lends to its slip without turning: the translation along the surface. */
typedef struct lent {
  int contact, node;
} lent;

static double largest_entry(const fw_kinematic *kin) {
  double most = 0;
  for (int i = 0; i < kin->count; i++) most = fmax(most, fmax(fabs(kin->gap_q[i]), fabs(kin->slip_q[i])));
  return most;
}

/* Adds that functional to `row` and returns its largest entry. row NULL: only that. */
static double lend(const fw_model *model, const fw_kinematic *kin, int node, double *row) {
  double most = 0;
  for (int i = 0; i < kin->count; i++) {
    bool translates = kin->dof[i] == model->nodes[node].dof[0] || kin->dof[i] == model->nodes[node].dof[1];
    if (!translates) continue;
    if (row) row[kin->dof[i]] += kin->slip_q[i];
    most = fmax(most, fabs(kin->slip_q[i]));
  }
  return most;
}

/* How many freedoms a contact moves, rounding apart, beyond those that its coordinates stand for. */
static int freedoms_left(const fw_vibration *v, const fw_kinematic *kin, int c, double tiny) {
  int moved = 0;
  for (int i = 0; i < kin[c].count; i++) moved += fmax(fabs(kin[c].gap_q[i]), fabs(kin[c].slip_q[i])) > tiny;
  return moved - known_functionals(&v->coordinates, kin, c);
}

/* With von Kármán beams every freedom of a contact point becomes a coordinate, not only gap and slip: otherwise the
 * held modes would stretch the beam wherever its end turns about a held slip, and the membrane force, a small
 * difference of large terms, would need them all. Each point lends at most as many freedoms as are independent. What is
 * lent goes with the surface, so that the coordinates do not depend on how the model lies. */
static int extra_functionals(const fw_vibration *v, const fw_kinematic *kin, lent *extra) {
  int count = 0;
  for (int c = 0; c < v->contact_count; c++) {
    double tiny = 1e-9 * largest_entry(&kin[c]);
    int left = freedoms_left(v, kin, c, tiny);
    for (int node = 0; node < v->model->node_count && left > 0; node++) {
      bool taken = lend(v->model, &kin[c], node, NULL) <= tiny;
      for (int k = 0; k < count; k++) taken = taken || extra[k].node == node;
      if (taken) continue;
      extra[count++] = (lent){c, node};
      left--;
    }
  }
  return count;
}

/* Gaps, slips and further freedoms as columns of B (n x rows), then the joints' gradients. */
static void functionals(const fw_vibration *v, const fw_kinematic *kin, const fw_sparse *K, const lent *extra,
                        int extra_count, int rows, double *B) {
  size_t n = (size_t)v->model->dof_count;
  for (int r = 0; r < v->coordinates.count; r++) {
    const fw_definer *of = &v->coordinates.definers[r];
    const fw_kinematic *k = &kin[of->contact];
    for (int i = 0; i < k->count; i++) B[(size_t)r * n + (size_t)k->dof[i]] += of->slip ? k->slip_q[i] : k->gap_q[i];
  }
  for (int e = 0; e < extra_count; e++)
    lend(v->model, &kin[extra[e].contact], extra[e].node, B + (size_t)(rows - extra_count + e) * n);
  for (int h = 0; h < v->model->constraint_count; h++)
    for (int64_t k = K->p[n + (size_t)h]; k < K->p[n + (size_t)h + 1]; k++)
      if (K->i[k] < (int64_t)n) B[(size_t)(rows + h) * n + (size_t)K->i[k]] = K->x[k];
}

/* ---- matrices ------------------------------------------------------------------------------ */

/* out = Q^T A Q, or A itself, dense. */
static fw_status project(fw_context *ctx, const fw_assembled *a, const fw_sparse *A, double *out) {
  int m = a->structure.n;
  if (!a->Q) {
    for (int64_t j = 0; j < m; j++)
      for (int64_t k = A->p[j]; k < A->p[j + 1]; k++)
        if (A->i[k] < m) out[(size_t)j * (size_t)m + (size_t)A->i[k]] = A->x[k];
    return FW_OK;
  }
  double *x; /* with room for the joints' rows */
  FW_TRY(fw_alloc(ctx, 2 * (size_t)A->n, sizeof *x, &x));
  for (int j = 0; j < m; j++) {
    memset(x, 0, 2 * (size_t)A->n * sizeof *x);
    memcpy(x, a->Q + (size_t)j * (size_t)a->n, (size_t)a->n * sizeof *x);
    fw_sparse_multiply(A, 1, x, x + A->n);
    cblas_dgemv(CblasColMajor, CblasTrans, a->n, m, 1, a->Q, a->n, x + A->n, 1, 0, out + (size_t)j * (size_t)m, 1);
  }
  free(x);
  return FW_OK;
}

/* out += factor Q^T A Q for a small symmetric matrix A (row major) on some freedoms. */
static void add_small(const fw_assembled *a, const int *dofs, int count, double factor, const double *A, double *out) {
  size_t m = (size_t)a->structure.n, n = (size_t)a->n;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++) {
      double entry = factor * A[i * count + j];
      if (dofs[i] < 0 || dofs[j] < 0 || entry == 0) continue;
      if (!a->Q)
        out[(size_t)dofs[j] * m + (size_t)dofs[i]] += entry;
      else
        cblas_dger(CblasColMajor, (int)m, (int)m, entry, a->Q + dofs[i], (int)n, a->Q + dofs[j], (int)n, out, (int)m);
    }
}

/* H = sum of loss factor times stiffness at rest. */
static fw_status hysteretic(fw_context *ctx, const fw_model *model, fw_assembled *a) {
  fw_structure *s = &a->structure;
  for (int b = 0; b < model->block_count; b++) {
    const fw_block *block = &model->blocks[b];
    if (block->props.loss_factor == 0) continue;
    if (!s->H) FW_TRY(fw_alloc(ctx, (size_t)s->n * (size_t)s->n, sizeof(double), &s->H));
    int dofs = fw_element_dofs(block->ops);
    for (int e = 0; e < block->count; e++) {
      double X[FW_ELEMENT_PLACES], q[FW_ELEMENT_DOFS] = {0}, f[FW_ELEMENT_DOFS];
      double K[FW_ELEMENT_DOFS * FW_ELEMENT_DOFS];
      fw_element_places(model, block, e, X);
      FW_TRY(block->ops->force(&block->props, X, q, NULL, f, K, NULL));
      add_small(a, block->dofs + e * dofs, dofs, block->props.loss_factor, K, s->H);
    }
  }
  return FW_OK;
}

/* Contact forces turn with their surfaces. */
static void contact_geometry(const fw_vibration *v, const fw_kinematic *kin, fw_assembled *a) {
  for (int c = 0; c < v->contact_count; c++) {
    double turning[FW_CONTACT_DOFS * FW_CONTACT_DOFS] = {0};
    fw_linear_contact_turning(&kin[c], v->contacts[c].point.N0, v->contacts[c].T0, turning);
    add_small(a, kin[c].dof, kin[c].count, 1, turning, a->structure.K);
  }
}

/* The damping of the block with most elements is taken for the proportional part. */
static void guess_damping(const fw_model *model, fw_structure *s) {
  int most = 0;
  for (int b = 0; b < model->block_count; b++) {
    const fw_block *block = &model->blocks[b];
    if (block->count <= most) continue;
    most = block->count;
    s->alpha = block->props.rayleigh_alpha;
    s->beta = block->props.rayleigh_beta;
    s->eta = block->props.loss_factor;
  }
}

/* ---- all together --------------------------------------------------------------------------- */

static fw_status load_shapes(fw_context *ctx, const fw_model *model, const double *drive, double **shapes, int *count) {
  *count = 0;
  FW_TRY(fw_alloc(ctx, (size_t)model->dof_count * (size_t)model->load_count, sizeof(double), shapes));
  for (int l = 0; l < model->load_count; l++)
    if (drive[l] != 0)
      fw_functional_scatter(&model->loads[l].shape, 1, *shapes + (size_t)model->dof_count * (size_t)(*count)++);
  return FW_OK;
}

/* The subspace's error at the frequencies asked for. */
static fw_status check_subspace(fw_context *ctx, const fw_system *system, const double *B, const double *loads,
                                int load_count, const double *frequencies, fw_assembled *a) {
  const fw_structure *s = &a->structure;
  double *loads_Q;
  FW_TRY(fw_alloc(ctx, (size_t)s->n * (size_t)load_count, sizeof *loads_Q, &loads_Q));
  if (load_count)
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, s->n, load_count, a->n, 1, a->Q, a->n, loads, a->n, 0, loads_Q,
                s->n);
  fw_projection projected = {s->n, s->rows, load_count, s->K, s->M, s->B, loads_Q};
  fw_status status = FW_OK;
  for (int i = 0; i < 2 && status == FW_OK; i++)
    if (frequencies[i] > 0) status = fw_subspace_error(ctx, system, B, loads, &projected, frequencies[i], &a->error[i]);
  free(loads_Q);
  return status;
}

/* The three matrices on the basis. */
static fw_status project_matrices(fw_context *ctx, const fw_system *system, fw_assembled *a) {
  FW_TRY(project(ctx, a, system->K, a->structure.K));
  FW_TRY(project(ctx, a, system->M, a->structure.M));
  return project(ctx, a, system->C, a->structure.C);
}

/* All freedoms, the joints held. */
static fw_status fill_whole(fw_context *ctx, const fw_system *system, const double *B, int rows, fw_assembled *a) {
  const fw_model *model = system->model;
  size_t n = (size_t)model->dof_count, columns = (size_t)(rows + model->constraint_count);
  FW_TRY(fw_structure_init(ctx, model->dof_count, rows, model->constraint_count, &a->structure));
  memcpy(a->structure.B, B, n * columns * sizeof(double));
  return project_matrices(ctx, system, a);
}

/* What a subspace is made from. */
typedef struct source {
  const fw_system *system;
  const double *B;
  int rows;
  const double *loads;
  int load_count;
  const fw_assembly *options;
} source;

/* A subspace in which the joints hold by themselves. */
static fw_status make_subspace(fw_context *ctx, const source *from, fw_assembled *a) {
  int n = from->system->model->dof_count, rows = from->rows, size;
  FW_TRY(fw_subspace_create(ctx, from->system, from->B, rows, from->loads, from->load_count, from->options->how, &a->Q,
                            &size));
  FW_TRY(fw_structure_init(ctx, size, rows, 0, &a->structure));
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, size, rows, n, 1, a->Q, n, from->B, n, 0, a->structure.B, size);
  FW_TRY(project_matrices(ctx, from->system, a));
  return check_subspace(ctx, from->system, from->B, from->loads, from->load_count, from->options->check, a);
}

/* A copy, of a structure without hysteretic damping. */
static fw_status copy(fw_context *ctx, const fw_assembled *from, fw_assembled *to) {
  const fw_structure *s = &from->structure;
  size_t size = (size_t)s->n, square = size * size * sizeof(double), basis = size * (size_t)from->n;
  *to = (fw_assembled){.n = from->n};
  FW_TRY(fw_structure_init(ctx, s->n, s->rows, s->held, &to->structure));
  FW_TRY(fw_alloc(ctx, basis, sizeof(double), &to->Q));
  memcpy(to->structure.K, s->K, square);
  memcpy(to->structure.M, s->M, square);
  memcpy(to->structure.C, s->C, square);
  memcpy(to->structure.B, s->B, size * (size_t)(s->rows + s->held) * sizeof(double));
  memcpy(to->Q, from->Q, basis * sizeof(double));
  memcpy(to->error, from->error, sizeof to->error);
  return FW_OK;
}

static void release(void *assembled) {
  fw_assembled_clear(assembled);
  free(assembled);
}

static fw_status keep(fw_context *ctx, const fw_memo_key *key, const fw_assembled *made) {
  fw_assembled *kept;
  if (!fw_context_memo(ctx)) return FW_OK;
  FW_TRY(fw_alloc(ctx, 1, sizeof *kept, &kept));
  fw_status status = copy(ctx, made, kept);
  size_t size = (size_t)made->structure.n;
  if (status == FW_OK)
    fw_memo_keep(ctx, key, kept, size * (3 * size + (size_t)made->n) * sizeof(double), release);
  else
    release(kept);
  return status;
}

/* The subspace, once for the same matrices, functionals and loads in a context that remembers. */
static fw_status find_subspace(fw_context *ctx, const source *from, fw_assembled *a) {
  const fw_sparse *K = from->system->K;
  size_t n = (size_t)from->system->model->dof_count, vector = n * sizeof(double);
  size_t columns = (size_t)K->n, entries = (size_t)K->p[K->n], values = entries * sizeof(double);
  const int sizes[] = {from->rows, from->load_count, from->options->how.modes};
  const double numbers[] = {from->options->how.below, from->options->check[0], from->options->check[1]};
  const fw_memo_part parts[] = {{sizes, sizeof sizes},
                                {numbers, sizeof numbers},
                                {K->p, (columns + 1) * sizeof *K->p},
                                {K->i, entries * sizeof *K->i},
                                {K->x, values},
                                {from->system->M->x, values},
                                {from->system->C->x, values},
                                {from->B, (size_t)from->rows * vector},
                                {from->loads, (size_t)from->load_count * vector}};
  const fw_memo_key key = {"subspace", parts, sizeof parts / sizeof *parts};
  const fw_assembled *known = fw_memo_find(ctx, &key);
  if (known) return copy(ctx, known, a);
  FW_TRY(make_subspace(ctx, from, a));
  return keep(ctx, &key, a);
}

/* The structure on its basis: all freedoms where they are few, else a subspace. */
static fw_status fill(fw_context *ctx, fw_system *system, const double *B, int rows, const fw_assembly *options,
                      fw_assembled *a) {
  double *loads;
  int load_count;
  if (system->model->dof_count <= DENSE_MOST) return fill_whole(ctx, system, B, rows, a);
  FW_TRY(load_shapes(ctx, system->model, options->drive, &loads, &load_count));
  fw_status status = find_subspace(ctx, &(source){system, B, rows, loads, load_count, options}, a);
  free(loads);
  return status;
}

fw_status fw_assemble(fw_context *ctx, fw_system *system, const fw_vibration *v, const fw_kinematic *kin,
                      bool whole_points, const fw_assembly *options, fw_assembled *a) {
  const fw_model *model = system->model;
  *a = (fw_assembled){.n = model->dof_count};
  lent *extra = NULL;
  double *B = NULL;
  fw_status status = FW_OK;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)v->contact_count * FW_CONTACT_DOFS, sizeof *extra, &extra));
  int extra_count = whole_points ? extra_functionals(v, kin, extra) : 0;
  int rows = v->coordinates.count + extra_count;
  size_t columns = (size_t)(rows + model->constraint_count);
  FW_TRY_DONE(fw_alloc(ctx, (size_t)model->dof_count * columns, sizeof *B, &B));
  functionals(v, kin, system->K, extra, extra_count, rows, B);
  FW_TRY_DONE(fill(ctx, system, B, rows, options, a));
  contact_geometry(v, kin, a);
  guess_damping(model, &a->structure);
  status = hysteretic(ctx, model, a);
done:
  free(extra);
  free(B);
  return status;
}

/* shapes (structure.n x count) become Q shapes (n x count). */
static fw_status expand(fw_context *ctx, const fw_assembled *a, int count, double **shapes) {
  double *full;
  FW_TRY(fw_alloc(ctx, (size_t)a->n * (size_t)count, sizeof(double), &full));
  if (count)
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, a->n, count, a->structure.n, 1, a->Q, a->n, *shapes,
                a->structure.n, 0, full, a->n);
  free(*shapes);
  *shapes = full;
  return FW_OK;
}

fw_status fw_assembled_expand(fw_context *ctx, const fw_assembled *a, fw_reduced *reduced) {
  if (!a->Q) return FW_OK;
  FW_TRY(expand(ctx, a, reduced->coordinates, &reduced->V));
  FW_TRY(expand(ctx, a, reduced->rest, &reduced->R));
  reduced->n = a->n;
  return FW_OK;
}
