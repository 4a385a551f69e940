/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/reduction/coordinates.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double DEPENDENT = 1e-9; /* what is left of a row of size 1 that depends on others */
static const double NOISE = 1e-12;    /* of factors: rows of size 1 */

/* The gaps and slips that move, as the columns of A on the freedoms that matter. */
typedef struct rows {
  fw_context *ctx;
  const fw_model *model;
  const fw_sparse *K;
  const fw_kinematic *kin;
  fw_balance_contact *contacts;
  int contact_count;
  int count;
  fw_definer *of;
  double *size;      /* of each before it became one of size 1 */
  int *place;        /* per freedom of the model: its row of A, -1: no matter */
  bool *joined;      /* per joint equation: it touches one of these */
  int d, joints;     /* freedoms and joint equations that matter */
  double *A, *G;     /* d x count, d x joints */
  int left;          /* freedoms that the joints leave: A is left x count from then on */
  double *tau;       /* of QR factors */
  lapack_int *order; /* of the columns of A after its QR, from 1 */
  int rank;
} rows;

static void rows_clear(rows *r) {
  free(r->of);
  free(r->size);
  free(r->place);
  free(r->joined);
  free(r->A);
  free(r->G);
  free(r->tau);
  free(r->order);
}

static double *column(const rows *r, int j) { return r->A + (size_t)j * (size_t)r->left; }

/* ---- what depends on what ------------------------------------------------------------------ */

static const double *gradient(const rows *r, fw_definer of) {
  return of.slip ? r->kin[of.contact].slip_q : r->kin[of.contact].gap_q;
}

static fw_status list_rows(rows *r) {
  FW_TRY(fw_alloc(r->ctx, 2 * (size_t)r->contact_count, sizeof *r->of, &r->of));
  FW_TRY(fw_alloc(r->ctx, 2 * (size_t)r->contact_count, sizeof *r->size, &r->size));
  for (int c = 0; c < r->contact_count; c++)
    for (int slip = 0; slip < 2; slip++) {
      fw_definer of = {c, slip};
      double size = cblas_dnrm2(r->kin[c].count, gradient(r, of), 1);
      if (!(size > 0)) continue;
      r->size[r->count] = size;
      r->of[r->count++] = of;
    }
  return FW_OK;
}

static void mark(rows *r, int dof) {
  if (r->place[dof] < 0) r->place[dof] = r->d++;
}

/* Marks the freedoms of one joint equation if one of them is marked. */
static bool join(rows *r, int h) {
  int64_t n = r->model->dof_count, from = r->K->p[n + h], to = r->K->p[n + h + 1];
  bool touches = false;
  for (int64_t k = from; k < to; k++)
    touches = touches || (r->K->i[k] < n && r->K->x[k] != 0 && r->place[r->K->i[k]] >= 0);
  for (int64_t k = from; touches && k < to; k++)
    if (r->K->i[k] < n && r->K->x[k] != 0) mark(r, (int)r->K->i[k]);
  return touches;
}

/* The freedoms of the contacts, those that joints tie to them, and so on. */
static fw_status find_freedoms(rows *r) {
  const fw_model *model = r->model;
  FW_TRY(fw_alloc(r->ctx, (size_t)model->dof_count, sizeof *r->place, &r->place));
  FW_TRY(fw_alloc(r->ctx, (size_t)model->constraint_count, sizeof *r->joined, &r->joined));
  memset(r->place, -1, (size_t)model->dof_count * sizeof *r->place);
  for (int j = 0; j < r->count; j++)
    for (int i = 0; i < r->kin[r->of[j].contact].count; i++) mark(r, r->kin[r->of[j].contact].dof[i]);
  for (bool more = true; more;) {
    more = false;
    for (int h = 0; h < model->constraint_count; h++)
      if (!r->joined[h] && join(r, h)) r->joined[h] = more = true;
  }
  for (int h = 0; h < model->constraint_count; h++) r->joints += r->joined[h];
  return FW_OK;
}

static fw_status fill_matrices(rows *r) {
  size_t d = (size_t)r->d, n = (size_t)r->model->dof_count;
  FW_TRY(fw_alloc(r->ctx, d * (size_t)r->count, sizeof(double), &r->A));
  FW_TRY(fw_alloc(r->ctx, d * (size_t)r->joints, sizeof(double), &r->G));
  FW_TRY(fw_alloc(r->ctx, (size_t)(r->count + r->joints), sizeof(double), &r->tau));
  FW_TRY(fw_alloc(r->ctx, (size_t)(r->count + r->joints), sizeof *r->order, &r->order));
  for (int j = 0; j < r->count; j++) {
    const fw_kinematic *kin = &r->kin[r->of[j].contact];
    for (int i = 0; i < kin->count; i++)
      r->A[(size_t)j * d + (size_t)r->place[kin->dof[i]]] += gradient(r, r->of[j])[i] / r->size[j];
  }
  double *G = r->G;
  for (int h = 0; h < r->model->constraint_count; h++) {
    if (!r->joined[h]) continue;
    for (int64_t k = r->K->p[n + (size_t)h]; k < r->K->p[n + (size_t)h + 1]; k++)
      if (r->K->i[k] < (int64_t)n && r->K->x[k] != 0) G[r->place[r->K->i[k]]] = r->K->x[k];
    double size = cblas_dnrm2(r->d, G, 1);
    if (size > 0) cblas_dscal(r->d, 1 / size, G, 1);
    G += d;
  }
  return FW_OK;
}

static int rank_of(const double *R, int lines, int columns) {
  int rank = 0;
  while (rank < lines && rank < columns && fabs(R[(size_t)rank * (size_t)lines + (size_t)rank]) > DEPENDENT) rank++;
  return rank;
}

static fw_status qr_fails(const rows *r, int info) {
  return fw_fail(r->ctx, FW_ERR_LIBRARY, "LAPACK: QR of the contact functionals failed (%d)", info);
}

/* A becomes its part in the motions that the joints leave. */
static fw_status project_joints(rows *r) {
  int d = r->d, info;
  r->left = d;
  if (r->joints == 0) return FW_OK;
  if ((info = LAPACKE_dgeqp3(LAPACK_COL_MAJOR, d, r->joints, r->G, d, r->order, r->tau))) return qr_fails(r, info);
  int rank = rank_of(r->G, d, r->joints), reflectors = r->joints < d ? r->joints : d;
  info = LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', 'T', d, r->count, reflectors, r->G, d, r->tau, r->A, d);
  if (info) return qr_fails(r, info);
  r->left = d - rank;
  for (int j = 0; j < r->count; j++)
    memmove(column(r, j), r->A + (size_t)j * (size_t)d + (size_t)rank, (size_t)r->left * sizeof(double));
  return FW_OK;
}

/* ---- forces that need a coordinate of their own --------------------------------------------- */

static bool sticks_rigidly(const fw_balance_contact *contact) {
  return fw_friction_is_rigid(contact->point.friction) && contact->point.N0 > 0;
}

static bool is_constraint(const rows *r, int j) {
  const fw_balance_contact *contact = &r->contacts[r->of[j].contact];
  fw_aft_normal kind = contact->point.kind;
  if (r->of[j].slip) return sticks_rigidly(contact);
  return kind == FW_AFT_CLOSED || (kind == FW_AFT_OPENING && contact->point.clearance == 0);
}

/* Adds "gap of X" or "slip of X" to a list of words. */
static void name_row(const rows *r, int j, char *list, size_t room) {
  char name[80];
  size_t used = strlen(list);
  fw_contact_column(r->model, r->contacts[r->of[j].contact].number, r->of[j].slip ? "slip" : "gap", name, sizeof name);
  snprintf(list + used, room - used, "%s%s", used ? ", " : "", name);
}

/* The row in column k of the QR factors depends on those before it: names them. */
static fw_status not_determined(const rows *r, int k) {
  char list[400] = "";
  double *x = column(r, k); /* its factors take its place */
  int before = k < r->left ? k : r->left;
  if (before) cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, before, r->A, r->left, x, 1);
  for (int i = 0; i < before; i++)
    if (fabs(x[i]) > DEPENDENT) name_row(r, (int)r->order[i] - 1, list, sizeof list);
  bool joints = list[0] == 0;
  name_row(r, (int)r->order[k] - 1, list, sizeof list);
  return fw_fail(r->ctx, FW_ERR_ANALYSIS,
                 "harmonic balance: hard contact or rigid stick holds %s: %s. Its forces are not determined; use a "
                 "compliant normal law or friction with a stiffness (enforcement=\"penalty\" with u-crit)",
                 joints ? "what joints hold already" : "gaps and slips that depend on each other", list);
}

/* Columns that are constraints first, then what is least dependent. */
static fw_status factor_rows(rows *r) {
  int info, constraints = 0;
  for (int j = 0; j < r->count; j++) constraints += (r->order[j] = is_constraint(r, j));
  if (r->left == 0) { /* joints hold all; nothing to factor */
    for (int j = 0; j < r->count; j++) r->order[j] = j + 1;
    for (int j = 0; j < r->count; j++)
      if (is_constraint(r, j)) return not_determined(r, j);
    return FW_OK;
  }
  info = LAPACKE_dgeqp3(LAPACK_COL_MAJOR, r->left, r->count, r->A, r->left, r->order, r->tau);
  if (info) return qr_fails(r, info);
  r->rank = rank_of(r->A, r->left, r->count);
  return r->rank < constraints ? not_determined(r, r->rank) : FW_OK;
}

/* ---- combinations --------------------------------------------------------------------------- */

/* Fills `number` per row: its coordinate, in the order of the contacts; -1: depends on others. */
static void number_coordinates(const rows *r, int *number, fw_coordinates *out) {
  for (int j = 0; j < r->count; j++) number[j] = -1;
  for (int k = 0; k < r->rank; k++) number[r->order[k] - 1] = 0;
  for (int j = 0; j < r->count; j++) {
    if (number[j] < 0) continue;
    out->definers[out->count] = r->of[j];
    number[j] = out->count++;
  }
}

/* The factor of a row of size 1, without rounding where it is a simple one. */
static double rounded(double factor) {
  if (fabs(factor) < NOISE) return 0;
  return fabs(fabs(factor) - 1) < NOISE ? copysign(1, factor) : factor;
}

/* Terms of the row in column k of the QR factors, appended. */
static fw_combination combine(const rows *r, int k, const int *number, int *used, fw_coordinates *out) {
  fw_combination made = {0, out->at + *used, out->factor + *used};
  int own = (int)r->order[k] - 1;
  if (number[own] >= 0) {
    out->at[*used] = number[own];
    out->factor[(*used)++] = 1;
    return (fw_combination){1, made.at, made.factor};
  }
  double *x = column(r, k);
  if (r->rank) cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, r->rank, r->A, r->left, x, 1);
  for (int i = 0; i < r->rank; i++) {
    int definer = (int)r->order[i] - 1;
    double factor = rounded(rounded(x[i]) * r->size[own] / r->size[definer]);
    if (factor == 0) continue;
    out->at[*used] = number[definer];
    out->factor[(*used)++] = factor;
    made.count++;
  }
  return made;
}

static fw_status fill_combinations(rows *r, fw_coordinates *out) {
  int *number, used = 0;
  size_t count = (size_t)r->count, terms = count * (size_t)(r->rank > 1 ? r->rank : 1);
  FW_TRY(fw_alloc(r->ctx, (size_t)r->rank, sizeof *out->definers, &out->definers));
  FW_TRY(fw_alloc(r->ctx, terms, sizeof *out->at, &out->at));
  FW_TRY(fw_alloc(r->ctx, terms, sizeof *out->factor, &out->factor));
  FW_TRY(fw_alloc(r->ctx, count, sizeof *number, &number));
  number_coordinates(r, number, out);
  for (int k = 0; k < r->count; k++) {
    fw_definer of = r->of[r->order[k] - 1];
    fw_balance_contact *contact = &r->contacts[of.contact];
    *(of.slip ? &contact->slip : &contact->gap) = combine(r, k, number, &used, out);
  }
  for (int c = 0; c < r->contact_count; c++)
    if (r->contacts[c].gap.count == 0) r->contacts[c].point.kind = FW_AFT_CONSTANT;
  free(number);
  return FW_OK;
}

fw_status fw_coordinates_find(fw_context *ctx, const fw_model *model, const fw_sparse *K, const fw_kinematic *kin,
                              fw_balance_contact *contacts, int contact_count, fw_coordinates *out) {
  rows r = {.ctx = ctx, .model = model, .K = K, .kin = kin, .contacts = contacts, .contact_count = contact_count};
  fw_status status = FW_OK;
  *out = (fw_coordinates){0};
  FW_TRY_DONE(list_rows(&r));
  if (r.count == 0) goto done;
  FW_TRY_DONE(find_freedoms(&r));
  FW_TRY_DONE(fill_matrices(&r));
  FW_TRY_DONE(project_joints(&r));
  FW_TRY_DONE(factor_rows(&r));
  FW_TRY_DONE(fill_combinations(&r, out));
done:
  rows_clear(&r);
  if (status != FW_OK) fw_coordinates_clear(out);
  return status;
}

void fw_coordinates_clear(fw_coordinates *coordinates) {
  free(coordinates->definers);
  free(coordinates->at);
  free(coordinates->factor);
  *coordinates = (fw_coordinates){0};
}
