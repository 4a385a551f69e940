/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/evaluations.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/hash.h"
#include "identify/crew.h"
#include "identify/share.h"
#include "output/files.h"
#include "study/ledger.h"

/* A row: whether there are figures (1 or 0), the point, its figures. */
struct fw_evaluations {
  fw_evaluations_options options;
  int columns;
  double **rows;
  int count, room;
  int *slots; /* rows by the hash of their points; -1: free */
  int slot_count;
  double *row; /* room for one */
  char *line;
  size_t line_room;
  fw_ledger *ledger; /* NULL: memory only */
  pid_t owner;       /* processes that it forks do not share out again what they were given */
};

/* ---- known points ------------------------------------------------------------------------ */

/* The slot of a point: that of its row, or the free one where it would stand. */
static int *slot_of(const fw_evaluations *e, const double *p) {
  size_t size = (size_t)e->options.parameters * sizeof *p;
  size_t mask = (size_t)e->slot_count - 1, at = fw_hash(FW_HASH_START, p, size) & mask;
  while (e->slots[at] >= 0 && memcmp(e->rows[e->slots[at]] + 1, p, size) != 0) at = (at + 1) & mask;
  return &e->slots[at];
}

/* Twice as many slots as rows at least: a power of two. */
static fw_status widen(fw_context *ctx, fw_evaluations *e) {
  enum { FIRST = 256 };
  if (2 * (e->count + 1) < e->slot_count) return FW_OK;
  int wanted = e->slot_count ? 2 * e->slot_count : FIRST, *slots;
  FW_TRY(fw_alloc(ctx, (size_t)wanted, sizeof *slots, &slots));
  free(e->slots);
  e->slots = slots;
  e->slot_count = wanted;
  for (int i = 0; i < wanted; i++) e->slots[i] = -1;
  for (int i = 0; i < e->count; i++) *slot_of(e, e->rows[i] + 1) = i;
  return FW_OK;
}

static const double *find(const fw_evaluations *e, const double *p) {
  int at = e->slot_count ? *slot_of(e, p) : -1;
  return at >= 0 ? e->rows[at] : NULL;
}

/* Takes a copy of a row, unless its point is known. */
static fw_status keep(fw_context *ctx, fw_evaluations *e, const double *row) {
  double *copy;
  if (find(e, row + 1)) return FW_OK;
  FW_TRY(widen(ctx, e));
  FW_TRY(fw_grow(ctx, e->count, &e->room, sizeof *e->rows, &e->rows));
  FW_TRY(fw_alloc(ctx, (size_t)e->columns, sizeof *copy, &copy));
  memcpy(copy, row, (size_t)e->columns * sizeof *copy);
  *slot_of(e, row + 1) = e->count;
  e->rows[e->count++] = copy;
  return FW_OK;
}

/* ---- on disk ----------------------------------------------------------------------------- */

typedef struct recalling {
  fw_context *ctx;
  fw_evaluations *e;
} recalling;

static fw_status recall_line(void *user, const char *line) {
  const recalling *r = user;
  const char *at = line;
  return fw_ledger_parse(&at, r->e->columns, r->e->row) ? keep(r->ctx, r->e, r->e->row) : FW_OK;
}

static fw_status open_journal(fw_context *ctx, fw_evaluations *e) {
  recalling r = {ctx, e};
  char head[80], *path = NULL;
  fw_status status;
  if (!e->options.folder) return FW_OK;
  snprintf(head, sizeof head, "# fretwork identification journal 1, mark %016" PRIx64, e->options.mark);
  FW_TRY(fw_path_join(ctx, e->options.folder, "journal.txt", &path));
  FW_TRY_DONE(fw_claim_file(ctx, path));
  if (fw_path_exists(path)) FW_TRY_DONE(fw_ledger_read(ctx, path, head, recall_line, &r));
  FW_TRY_DONE(fw_ledger_open(ctx, path, head, &e->ledger));
done:
  free(path);
  return status;
}

static fw_status write_row(fw_context *ctx, fw_evaluations *e, const double *row) {
  if (!e->ledger) return FW_OK;
  fw_ledger_print(e->line, e->line_room, 0, row, e->columns);
  return fw_ledger_add(ctx, e->ledger, e->line);
}

/* ---- life -------------------------------------------------------------------------------- */

fw_status fw_evaluations_open(fw_context *ctx, const fw_evaluations_options *options, fw_evaluations **result) {
  fw_evaluations *e;
  fw_status status;
  *result = NULL;
  FW_TRY(fw_alloc(ctx, 1, sizeof *e, &e));
  e->options = *options;
  e->owner = getpid();
  e->columns = 1 + options->parameters + options->figures;
  e->line_room = 26 * (size_t)e->columns + 1;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)e->columns, sizeof *e->row, &e->row));
  FW_TRY_DONE(fw_alloc(ctx, e->line_room, 1, &e->line));
  FW_TRY_DONE(open_journal(ctx, e));
  *result = e;
done:
  if (status != FW_OK) fw_evaluations_close(ctx, &e);
  return status;
}

fw_status fw_evaluations_close(fw_context *ctx, fw_evaluations **evaluations) {
  fw_evaluations *e = *evaluations;
  if (!e) return FW_OK;
  for (int i = 0; i < e->count; i++) free(e->rows[i]);
  free(e->rows);
  free(e->slots);
  free(e->row);
  free(e->line);
  fw_status status = fw_ledger_close(ctx, &e->ledger);
  free(e);
  *evaluations = NULL;
  return status;
}

int fw_evaluations_count(const fw_evaluations *evaluations) { return evaluations->count; }

/* ---- figures ----------------------------------------------------------------------------- */

static fw_status compute_row(const fw_evaluations *e, fw_context *ctx, const double *p, double *row) {
  int n = e->options.parameters;
  memcpy(row + 1, p, (size_t)n * sizeof *p);
  for (int i = 0; i < e->options.figures; i++) row[1 + n + i] = NAN;
  fw_status status = e->options.compute(e->options.user, ctx, p, row + 1 + n);
  if (status != FW_OK && status != FW_ERR_ANALYSIS) return status;
  row[0] = status == FW_OK;
  return FW_OK;
}

/* Whoever computes a point writes its line, also a process that shares it. */
static fw_status compute(fw_evaluations *e, fw_context *ctx, const double *p) {
  FW_TRY(compute_row(e, ctx, p, e->row));
  FW_TRY(write_row(ctx, e, e->row));
  return keep(ctx, e, e->row);
}

fw_status fw_evaluations_at(fw_evaluations *e, fw_context *ctx, const double *p, double *figures) {
  if (!find(e, p)) FW_TRY(compute(e, ctx, p));
  const double *row = find(e, p);
  memcpy(figures, row + 1 + e->options.parameters, (size_t)e->options.figures * sizeof *figures);
  return row[0] > 0.0 ? FW_OK : FW_ERR_ANALYSIS;
}

typedef struct preparing {
  fw_evaluations *e;
  double *points; /* those that are not known */
} preparing;

/* results: a row. */
static fw_status prepare_one(void *user, fw_context *ctx, int piece, double *results) {
  const preparing *w = user;
  fw_evaluations *e = w->e;
  const double *p = w->points + (ptrdiff_t)piece * e->options.parameters;
  FW_TRY(compute(e, ctx, p));
  memcpy(results, find(e, p), (size_t)e->columns * sizeof *results);
  return FW_OK;
}

static int list_unknown(const fw_evaluations *e, int count, const double *points, double *unknown) {
  int n = e->options.parameters, found = 0;
  for (int i = 0; i < count; i++)
    if (!find(e, points + (ptrdiff_t)i * n))
      memcpy(unknown + (ptrdiff_t)found++ * n, points + (ptrdiff_t)i * n, (size_t)n * sizeof *points);
  return found;
}

/* ---- in a team ---------------------------------------------------------------------------- */

static fw_status compute_for_team(void *user, fw_context *ctx, const double *p, double *row) {
  return compute_row(user, ctx, p, row);
}

static fw_crew crew_of(fw_evaluations *e) {
  return (fw_crew){.team = e->options.team,
                   .workers = e->options.team_workers,
                   .numbers = e->options.parameters,
                   .columns = e->columns,
                   .user = e,
                   .compute = compute_for_team};
}

void fw_evaluations_help(fw_evaluations *e, fw_context *ctx, fw_team *team) {
  fw_crew crew = e ? crew_of(e) : (fw_crew){.team = team};
  fw_crew_help(ctx, &crew);
}

/* Rank 0 writes the lines of points that all have computed. */
static fw_status prepare_in_team(fw_evaluations *e, fw_context *ctx, int count, double *points, double *rows) {
  fw_crew crew = crew_of(e);
  FW_TRY(fw_crew_compute(ctx, &crew, count, points, rows));
  for (int i = 0; i < count; i++)
    if (isfinite(rows[i * e->columns])) FW_TRY(write_row(ctx, e, rows + (ptrdiff_t)i * e->columns));
  return FW_OK;
}

static bool is_shared(const fw_evaluations *e) {
  return (e->options.team && !fw_team_lost(e->options.team)) || e->options.workers > 1;
}

fw_status fw_evaluations_prepare(fw_evaluations *e, fw_context *ctx, int count, const double *points) {
  preparing w = {.e = e};
  double *rows = NULL;
  fw_status status = FW_OK;
  if (!is_shared(e) || count < 2 || getpid() != e->owner) return FW_OK;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)(count * e->options.parameters), sizeof *w.points, &w.points));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)(count * e->columns), sizeof *rows, &rows));
  fw_share share = {
      list_unknown(e, count, points, w.points), e->columns, e->options.workers, &w, prepare_one, NULL, NULL, NULL};
  if (e->options.team && !fw_team_lost(e->options.team) && share.count > 1)
    FW_TRY_DONE(prepare_in_team(e, ctx, share.count, w.points, rows));
  else
    FW_TRY_DONE(fw_share_run(ctx, &share, rows));
  for (int i = 0; i < share.count && status == FW_OK; i++)
    if (isfinite(rows[i * e->columns])) status = keep(ctx, e, rows + (ptrdiff_t)i * e->columns);
done:
  free(w.points);
  free(rows);
  return status;
}
