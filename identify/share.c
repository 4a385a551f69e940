/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/share.h"

#include <stdlib.h>
#include <string.h>

#include "core/unknown.h"
#include "study/runner.h"

typedef struct sharing {
  fw_context *ctx;
  const fw_share *share;
  fw_team *team; /* NULL: this process does all that is left */
  double *results;
  bool *here; /* [count] pieces that this process took */
  int next, done;
} sharing;

static long take_next(sharing *s) {
  if (s->team) s->next = (int)fw_team_take(s->team, 1);
  while (s->next < s->share->count && s->here[s->next]) s->next++;
  return s->next;
}

/* Who is told to stop leaves what is left to others. */
static long next_piece(void *user) {
  sharing *s = user;
  if ((s->team && fw_interrupted(s->ctx) != FW_OK) || take_next(s) >= s->share->count) return FW_NONE_LEFT;
  s->here[s->next] = true;
  if (s->share->taken) ++*s->share->taken;
  return s->next;
}

static fw_status compute_piece(void *user, fw_context *ctx, long index, double *results, char said[FW_REASON]) {
  const sharing *s = user;
  (void)said;
  return s->share->compute(s->share->user, ctx, (int)index, results);
}

static fw_status take_piece(void *user, const fw_sample *sample) {
  sharing *s = user;
  size_t columns = (size_t)s->share->columns;
  if (sample->state == FW_SAMPLE_DONE)
    memcpy(s->results + (size_t)sample->index * columns, sample->results, columns * sizeof *s->results);
  if (s->share->progress) fw_progress(s->ctx, s->share->progress, (double)++s->done / s->share->count);
  return FW_OK;
}

static void show_life(void *user) {
  const sharing *s = user;
  fw_team_beat(s->team);
}

static fw_status run_pieces(sharing *s) {
  const fw_share *share = s->share;
  fw_runner runner = {.workers = share->workers < share->count ? share->workers : share->count,
                      .columns = share->columns,
                      .user = s,
                      .next = next_piece,
                      .compute = compute_piece,
                      .turned = s->team ? show_life : NULL,
                      .rhythm = fw_team_rank(s->team) == 0 ? 0.01 : 0.25, /* rank 0 serves the others */
                      .take = take_piece};
  return fw_runner_run(s->ctx, &runner);
}

static int gather(sharing *s) {
  size_t columns = (size_t)s->share->columns, count = (size_t)s->share->count;
  int lost = fw_team_finish(s->team);
  if (lost) return lost;
  for (size_t i = 0; i < count; i++)
    if (!s->here[i]) memset(s->results + i * columns, 0, columns * sizeof *s->results);
  return fw_team_merge(s->team, s->results, count * columns * sizeof *s->results);
}

/* Rank 0 computes by itself what ranks that were lost had taken; for the others there is nobody to compute for. */
static fw_status run_alone(sharing *s, int lost) {
  if (fw_team_rank(s->team) != 0) return FW_OK;
  fw_log(s->ctx, "%d of %d processes were lost; what they did not finish is computed here", lost,
         fw_team_size(s->team));
  s->team = NULL;
  s->next = 0;
  return run_pieces(s);
}

/* Pieces are shared out, and rank 0 gets what the others have computed. */
static fw_status run_together(sharing *s) {
  int lost = fw_team_restart(s->team);
  if (lost) return run_alone(s, lost);
  fw_status status = run_pieces(s);
  lost = gather(s);
  fw_status rest = lost ? run_alone(s, lost) : FW_OK;
  return status == FW_OK ? rest : status;
}

fw_status fw_share_run(fw_context *ctx, const fw_share *share, double *results) {
  sharing s = {.ctx = ctx, .share = share, .team = share->team, .results = results};
  for (int i = 0; i < share->count * share->columns; i++) results[i] = fw_unknown();
  FW_TRY(fw_alloc(ctx, (size_t)share->count + 1, sizeof *s.here, &s.here));
  fw_status status = s.team ? run_together(&s) : run_pieces(&s);
  free(s.here);
  return status;
}
