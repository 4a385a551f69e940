/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/conduct.h"

#include <math.h>
#include <stdlib.h>

#include "core/memo.h"
#include "core/unknown.h"
#include "output/files.h"
#include "study/journal.h"
#include "study/runner.h"

typedef struct conduct {
  fw_context *ctx;
  fw_study *study;
  const fw_conduct *how;
  fw_samples *samples;
  fw_journal *journal; /* NULL: nothing is written */
  long *open;          /* indices still to be computed, the same list in every process of a team */
  long open_count;
  long cursor, end; /* places in that list handed to this process */
  fw_deck *own;     /* whoever computes has a copy of the deck, made when it is needed */
} conduct;

/* How many samples a process of a team takes at a time: few, so that all end together, but not one by one where they
 * are many and short. */
static long portion(const conduct *c) {
  enum { ROUNDS = 100, MOST = 16 };
  long part = c->open_count / ((long)fw_team_size(c->how->team) * c->how->workers * ROUNDS);
  return part < 1 ? 1 : part > MOST ? MOST : part;
}

static long next_sample(void *user) {
  conduct *c = user;
  if (c->cursor == c->end && c->how->team) {
    long part = portion(c), first = fw_team_take(c->how->team, part);
    c->cursor = first < c->open_count ? first : c->open_count;
    c->end = first + part < c->open_count ? first + part : c->open_count;
  }
  return c->cursor < c->end ? c->open[c->cursor++] : FW_NONE_LEFT;
}

static fw_status compute_sample(void *user, fw_context *ctx, long index, double *results, char said[FW_REASON]) {
  conduct *c = user;
  if (!c->own) {
    FW_TRY(fw_context_remember(ctx)); /* what the structure needs is not computed again where only friction changes */
    FW_TRY(fw_deck_copy(ctx, c->how->deck, &c->own));
  }
  return fw_sample_compute(ctx, c->study, c->own, c->how->run, index, results, said);
}

static void show_life(void *user) {
  const conduct *c = user;
  fw_team_beat(c->how->team);
}

static fw_status take_sample(void *user, const fw_sample *sample) {
  conduct *c = user;
  if (sample->state != FW_SAMPLE_DONE)
    fw_log(c->ctx, "%s: sample %ld failed: %s", c->study->id, sample->index, sample->reason);
  if (c->journal) FW_TRY(fw_journal_add(c->ctx, c->journal, sample));
  FW_TRY(fw_samples_note(c->ctx, c->samples, sample));
  double part = c->study->wanted ? (double)c->samples->done / (double)c->samples->count
                                 : (double)c->cursor / (double)(c->open_count + 1);
  if (fw_team_rank(c->how->team) == 0) fw_progress(c->ctx, c->study->id, part);
  return FW_OK;
}

/* ---- who does what ----------------------------------------------------------------------- */

/* Rank 0 reads what is there already and tells the others. */
static fw_status recall(conduct *c) {
  fw_team *team = c->how->team;
  int status = FW_OK;
  if (c->how->folder && fw_team_rank(team) == 0) {
    status = fw_folder_make(c->ctx, c->how->folder);
    for (int rank = 0; rank < fw_team_size(team) && status == FW_OK; rank++)
      status = fw_journal_claim(c->ctx, c->how->folder, rank);
    if (status == FW_OK) status = fw_journals_read(c->ctx, c->study, c->how->folder, c->samples);
    fw_samples_reopen(c->samples);
  }
  if (team) {
    fw_team_share(team, &status, sizeof status);
    fw_team_share(team, c->samples->states, (size_t)c->samples->count);
  }
  return (fw_status)status;
}

static fw_status list_open(conduct *c) {
  if (!c->open) FW_TRY(fw_alloc(c->ctx, (size_t)c->samples->count, sizeof *c->open, &c->open));
  c->open_count = c->cursor = 0;
  for (long i = 0; i < c->samples->count; i++)
    if (c->samples->states[i] == FW_SAMPLE_OPEN && (!c->study->wanted || c->study->wanted[i]))
      c->open[c->open_count++] = i;
  if (!c->how->team) c->end = c->open_count;
  return FW_OK;
}

static fw_status run_open(conduct *c) {
  fw_team *team = c->how->team;
  fw_runner runner = {.workers = c->how->workers,
                      .columns = c->study->columns,
                      .time_limit = c->study->time_limit,
                      .user = c,
                      .next = next_sample,
                      .compute = compute_sample,
                      .turned = team ? show_life : NULL,
                      .rhythm = fw_team_rank(team) == 0 ? 0.01 : 0.25, /* rank 0 serves the others */
                      .take = take_sample};
  if (team) fw_team_restart(team);
  if (c->open_count < runner.workers) runner.workers = c->open_count > 0 ? (int)c->open_count : 1;
  fw_status status = FW_OK;
  if (c->how->folder && c->open_count > 0)
    status = fw_journal_open(c->ctx, c->study, c->how->folder, fw_team_rank(team), &c->journal);
  if (status == FW_OK && c->open_count > 0) status = fw_runner_run(c->ctx, &runner);
  fw_status closed = fw_journal_close(c->ctx, &c->journal);
  return status == FW_OK ? closed : status;
}

/* What ranks that were lost had taken and not finished: rank 0 computes it by itself. */
static fw_status make_good(const conduct *c, int lost) {
  fw_conduct alone = *c->how;
  conduct rest = *c;
  alone.team = NULL;
  rest.how = &alone;
  rest.open = NULL;
  rest.open_count = rest.cursor = 0;
  fw_log(c->ctx, "%s: %d of %d processes were lost; what they did not finish is computed here", c->study->id, lost,
         fw_team_size(c->how->team));
  fw_status status = list_open(&rest);
  if (status == FW_OK) status = run_open(&rest);
  free(rest.open);
  return status;
}

/* Rank 0 gathers what the others have left on disk. */
static fw_status gather(conduct *c, fw_status status) {
  fw_team *team = c->how->team;
  if (!team) return status;
  int lost = fw_team_finish(team);
  if (fw_team_rank(team) != 0) {
    fw_samples_destroy(&c->samples);
    return status;
  }
  fw_status gathered = fw_journals_read(c->ctx, c->study, c->how->folder, c->samples);
  if (status == FW_OK) status = gathered;
  return status == FW_OK && lost ? make_good(c, lost) : status;
}

/* ---- designs that grow with what is found ------------------------------------------------- */

static fw_status extend(conduct *c) {
  double *f;
  FW_TRY(fw_alloc(c->ctx, (size_t)c->samples->count, sizeof *f, &f));
  for (long i = 0; i < c->samples->count; i++) {
    double value = c->samples->results[i * c->samples->columns + c->study->objective];
    bool done = c->samples->states[i] != FW_SAMPLE_OPEN;
    f[i] = !done ? fw_unknown() : isfinite(value) ? value : FW_NO_OBJECTIVE;
  }
  fw_status status = fw_study_extend(c->ctx, c->study, f);
  free(f);
  return status;
}

/* Round by round what is wanted by now. Lines of an earlier run's journal are passed over until the design has come to
 * their values: it is read again in each round. */
static fw_status search(conduct *c) {
  long before;
  do {
    before = c->samples->done;
    FW_TRY(extend(c));
    if (c->how->folder) FW_TRY(fw_journals_read(c->ctx, c->study, c->how->folder, c->samples));
    FW_TRY(list_open(c));
    FW_TRY(run_open(c));
  } while (c->samples->done > before && c->samples->killed == 0);
  return FW_OK;
}

/* How many samples of a search are done shows when it is played again. */
static void tell_beginning(const conduct *c) {
  if (c->study->wanted)
    fw_log(c->ctx, "%s: at most %ld samples", c->study->id, c->study->samples);
  else
    fw_log(c->ctx, "%s: %ld samples, %ld of them done before", c->study->id, c->study->samples, c->samples->done);
}

fw_status fw_study_conduct(fw_context *ctx, fw_study *study, const fw_conduct *how, fw_samples **samples) {
  conduct c = {.ctx = ctx, .study = study, .how = how};
  fw_status status;
  *samples = NULL;
  if (study->time_limit > 0 && how->workers == 0)
    return fw_fail(ctx, FW_ERR_ARGUMENT,
                   "study %s: time-limit ends the process of a sample: it needs processes of its own (may_fork)",
                   study->id);
  FW_TRY_DONE(fw_samples_create(ctx, study, fw_team_rank(how->team) == 0, &c.samples));
  FW_TRY_DONE(recall(&c));
  if (fw_team_rank(how->team) == 0) tell_beginning(&c);
  if (study->wanted) {
    status = search(&c);
  } else {
    FW_TRY_DONE(list_open(&c));
    status = gather(&c, run_open(&c));
  }
done:
  free(c.open);
  fw_deck_destroy(&c.own);
  *samples = c.samples;
  return status;
}
