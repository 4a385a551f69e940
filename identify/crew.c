/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/crew.h"

#include <stdlib.h>

#include "identify/share.h"

typedef struct shift {
  const fw_crew *crew;
  const double *points;
} shift;

/* What rank 0 tells before points; none: the others may go. */
typedef struct call {
  int count, numbers, columns;
} call;

static fw_status compute_one(void *user, fw_context *ctx, int piece, double *results) {
  const shift *s = user;
  return s->crew->compute(s->crew->user, ctx, s->points + (ptrdiff_t)piece * s->crew->numbers, results);
}

static size_t size_of(const call *now, int each) { return (size_t)now->count * (size_t)each * sizeof(double); }

static fw_status run_shift(fw_context *ctx, const fw_crew *crew, const call *now, const double *points, double *rows,
                           int *taken) {
  shift s = {crew, points};
  const fw_share share = {now->count, now->columns, crew->workers, &s, compute_one, NULL, crew->team, taken};
  return fw_share_run(ctx, &share, rows);
}

fw_status fw_crew_compute(fw_context *ctx, const fw_crew *crew, int count, double *points, double *rows) {
  call now = {count, crew->numbers, crew->columns};
  fw_crew rest = *crew;
  if (fw_team_call(crew->team) || fw_team_pass(crew->team, &now, sizeof now) ||
      fw_team_pass(crew->team, points, size_of(&now, now.numbers))) {
    fw_log(ctx, "%d of %d processes were lost; the others do not help any more", fw_team_lost(crew->team),
           fw_team_size(crew->team));
    rest.team = NULL;
  }
  return run_shift(ctx, &rest, &now, points, rows, NULL);
}

/* A process that computes none of the points takes part in what all do. */
static void stand_by(fw_team *team, const call *now) {
  if (fw_team_pass(team, NULL, size_of(now, now->numbers)) || fw_team_restart(team) || fw_team_finish(team)) return;
  fw_team_merge(team, NULL, size_of(now, now->columns));
}

static void help_once(fw_context *ctx, const fw_crew *crew, const call *now, int *taken) {
  double *points = NULL, *rows = NULL;
  bool able = crew->compute && crew->numbers == now->numbers && crew->columns == now->columns;
  if (!able || fw_alloc(ctx, (size_t)now->count, (size_t)now->numbers * sizeof *points, &points) != FW_OK ||
      fw_alloc(ctx, (size_t)now->count, (size_t)now->columns * sizeof *rows, &rows) != FW_OK) {
    stand_by(crew->team, now);
  } else {
    if (fw_team_pass(crew->team, points, size_of(now, now->numbers)) == 0)
      run_shift(ctx, crew, now, points, rows, taken);
  }
  free(points);
  free(rows);
}

void fw_crew_gather(fw_team *team) {
  char ready = 1;
  fw_team_share(team, &ready, sizeof ready);
}

void fw_crew_help(fw_context *ctx, const fw_crew *crew) {
  int taken = 0;
  fw_crew_gather(crew->team);
  while (!fw_team_lost(crew->team) && fw_team_call(crew->team) == 0) {
    call now = {0};
    if (fw_team_pass(crew->team, &now, sizeof now) || now.count == 0) break;
    help_once(ctx, crew, &now, &taken);
  }
  fw_log(ctx, "%d points were computed by rank %d", taken, fw_team_rank(crew->team));
}

void fw_crew_dismiss(fw_team *team) {
  call none = {0};
  if (team && !fw_team_lost(team) && fw_team_call(team) == 0) fw_team_pass(team, &none, sizeof none);
}
