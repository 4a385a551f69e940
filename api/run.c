/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The run: a deck in, results out. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "api/identifications.h"
#include "api/outputs.h"
#include "api/plan.h"
#include "api/results.h"
#include "api/studies.h"
#include "core/plain_locale.h"
#include "input/origin.h"
#include "input/warn.h"
#include "output/directory.h"
#include "output/files.h"
#include "output/plots.h"
#include "output/report.h"
#include "output/result.h"
#include "output/sketch.h"
#include "output/summary.h"
#include "solver/linalg/blas_threads.h"

typedef struct run {
  fw_context *ctx;
  const fw_run_options *options;
  const fw_deck *deck;
  fw_built *built;
  fw_plan plan;
  fw_results *results;
  fw_result_folder *folder; /* NULL: memory only */
  uint64_t mark;            /* of all that the results depend on; 0: memory only */
  int threads;
  bool warned;          /* an analysis has warnings */
  fw_status drawn;      /* worst of the pictures and spectra that decks ask for */
  fw_warnings warnings; /* of the deck */
  fw_team *team;        /* NULL: alone */
  double cpu, wall;     /* clocks at the start */
} run;

static double read_clock(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- opening ----------------------------------------------------------------------------- */

static fw_status write_deck(run *r, const fw_deck *deck) {
  char *path;
  FW_TRY(fw_path_join(r->ctx, r->options->out, "deck.xml", &path));
  fw_status status = fw_deck_write(r->ctx, deck, path);
  free(path);
  return status;
}

/* How ParaView shows it. */
static fw_status write_view(run *r) {
  char *path, *text = NULL;
  FW_TRY(fw_path_join(r->ctx, r->options->out, "view.py", &path));
  fw_status status = fw_template(r->ctx, "view.py", &text);
  if (status == FW_OK) status = fw_file_write(r->ctx, path, text, strlen(text));
  free(text);
  free(path);
  return status;
}

/* What is there is continued only by the run that began it. */
static fw_status open_folder(run *r, const fw_deck *deck) {
  const fw_run_options *options = r->options;
  fw_existing existing = options->force    ? FW_EXISTING_REPLACE
                         : options->resume ? FW_EXISTING_CONTINUE
                                           : FW_EXISTING_REFUSE;
  fw_record *origin;
  FW_TRY(fw_origin_create(r->ctx, deck, r->built, &origin, &r->mark));
  fw_status status = FW_OK;
  if (existing == FW_EXISTING_CONTINUE) status = fw_origin_check(r->ctx, deck, origin, options->out);
  if (status == FW_OK) status = fw_result_open(r->ctx, options->out, existing, origin, &r->folder);
  fw_record_destroy(&origin);
  return status;
}

static fw_status open_results(run *r, const fw_deck *deck) {
  FW_TRY(fw_alloc(r->ctx, 1, sizeof *r->results, &r->results));
  if (fw_record_create(&r->results->summary) != FW_OK) return fw_fail(r->ctx, FW_ERR_MEMORY, "out of memory");
  const char *out = r->options->out;
  if (!out) return fw_sink_create(r->ctx, &r->results->sink);
  FW_TRY(open_folder(r, deck));
  FW_TRY(write_deck(r, deck));
  FW_TRY(write_view(r));
  return fw_directory_create(r->ctx, out, &r->results->sink);
}

static fw_status describe_quality(fw_record *summary, const fw_body *body) {
  if (body->quality.aspect == 0.0) return FW_OK;
  const struct {
    const char *name;
    double value;
  } figures[] = {{"scaled_jacobian_min", body->quality.jacobian},
                 {"aspect_max", body->quality.aspect},
                 {"angle_min", body->quality.angle_min},
                 {"angle_max", body->quality.angle_max}};
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
    FW_TRY(fw_record_set_number(summary, figures[i].value, "model.mesh.%s.%s", body->id, figures[i].name));
  return FW_OK;
}

static bool is_reduced(const fw_model *model) {
  for (int b = 0; b < model->block_count; b++)
    if (model->blocks[b].props.reduced) return true;
  return false;
}

/* The nodes of reduced tubes are nowhere: their sketch is that of the whole model. */
static fw_status draw_model(const run *r, const fw_deck *deck) {
  char *path = NULL;
  fw_built *whole = NULL;
  fw_status status = fw_path_join(r->ctx, r->options->out, "model.svg", &path);
  if (status == FW_OK && is_reduced(r->built->model)) status = fw_deck_build_whole(r->ctx, deck, &whole);
  if (status == FW_OK) status = fw_sketch_write(r->ctx, whole ? whole->model : r->built->model, path);
  fw_built_destroy(&whole);
  free(path);
  return status;
}

static fw_status describe_run(run *r, const fw_deck *deck) {
  fw_record *summary = r->results->summary;
  const fw_model *model = r->built->model;
  if (model->title) FW_TRY(fw_record_set_text(summary, model->title, "title"));
  FW_TRY(fw_record_set_text(summary, fw_deck_path(deck), "deck"));
  FW_TRY(fw_record_set_text(summary, fw_version(), "version"));
  FW_TRY(fw_record_set_text(summary, "running", "status"));
  FW_TRY(fw_record_set_figure(summary, 0.0, "s", "cpu_seconds"));
  FW_TRY(fw_record_set_figure(summary, 0.0, "s", "wall_seconds"));
  FW_TRY(fw_record_set_number(summary, model->dof_count, "model.freedoms"));
  FW_TRY(fw_record_set_number(summary, model->node_count, "model.nodes"));
  FW_TRY(fw_record_set_number(summary, model->contact_count, "model.contact_points"));
  for (int i = 0; i < model->body_count; i++) FW_TRY(describe_quality(summary, &model->bodies[i]));
  for (int i = 0; i < r->warnings.count; i++)
    FW_TRY(fw_record_set_text(summary, r->warnings.texts[i], "warnings[%d]", i));
  return r->options->out ? draw_model(r, deck) : FW_OK;
}

/* ---- one analysis ------------------------------------------------------------------------ */

static const char *status_word(fw_status status, bool warned) {
  if (status == FW_OK) return warned ? "done with warnings" : "done";
  return status == FW_ERR_INTERRUPTED ? "interrupted" : "failed";
}

/* Where the directory sink puts the files of an analysis; NULL in memory. */
static fw_status task_folder(const run *r, const fw_task *task, char **folder) {
  char *safe;
  *folder = NULL;
  if (!r->options->out) return FW_OK;
  FW_TRY(fw_path_safe(r->ctx, task->id, &safe));
  fw_status status = fw_path_join(r->ctx, r->options->out, safe, folder);
  free(safe);
  return status;
}

/* A motion that is not finite says more than a figure of it. */
static fw_status check_numbers(run *r, const fw_task *task, const fw_record *part) {
  if (task->outcome.state) FW_TRY(fw_state_check(r->ctx, task->outcome.state));
  const char *flaw = fw_record_flaw(part);
  return flaw ? fw_fail(r->ctx, FW_ERR_ANALYSIS, "the figure %s is not a finite number", flaw) : FW_OK;
}

/* Runs it, sends its pictures and closes its files, however it went. */
/* What <outputs> ask for. One that there is not fails the run, not the analysis: others may start from it. */
static fw_status draw(run *r, const fw_task *task, const char *folder, fw_record *part) {
  size_t before = strlen(fw_context_message(r->ctx));
  fw_status status = fw_outputs_draw(r->ctx, r->built->outputs, task, r->results->sink, folder, part);
  if (status != FW_ERR_ANALYSIS) return status;
  const char *why = fw_context_message(r->ctx) + before;
  r->drawn = status;
  return fw_record_set_text(part, why + (why[0] == '\n'), "warnings[%d]", fw_record_count(part, "warnings"));
}

static fw_status execute(run *r, fw_task *task, fw_record *part) {
  char *folder = NULL;
  fw_variants variants = {0};
  fw_status status = fw_variants_make(r->ctx, r->deck, task, r->threads, &variants);
  if (status == FW_OK) status = task_folder(r, task, &folder);
  fw_job job = {.ctx = r->ctx,
                .model = r->built->model,
                .id = task->id,
                .common = &task->item->args,
                .args = &task->item->entry_args,
                .start = task->start >= 0 ? &r->plan.tasks[task->start].outcome : NULL,
                .summary = part,
                .sink = r->results->sink,
                .threads = r->threads,
                .folder = folder,
                .resume = r->options->resume,
                .mark = r->mark,
                .variants = variants.list,
                .variant_count = variants.count,
                .frame_every = fw_outputs_frame_every(r->built->outputs, task->id)};
  task->outcome.ops = task->ops;
  if (status == FW_OK && folder) status = fw_folder_make(r->ctx, folder);
  if (status == FW_OK) status = task->ops->run(&job, &task->outcome);
  if (status == FW_ERR_INTERRUPTED) fw_log(r->ctx, "%s: stops, what there is is written", task->id);
  if (status == FW_OK || fw_record_flaw(part)) status = check_numbers(r, task, part);
  if (status == FW_OK) status = fw_outputs_frames(r->ctx, r->built->outputs, task, r->results->sink);
  if (status == FW_OK) status = draw(r, task, folder, part);
  if (folder) {
    fw_status closed = fw_directory_finish(r->ctx, r->results->sink, task->id);
    if (closed == FW_OK) closed = fw_plots_bars(r->ctx, part, folder);
    if (status == FW_OK) status = closed;
  }
  free(folder);
  fw_variants_clear(&variants);
  return status;
}

static fw_status update_summary(run *r) {
  fw_record *summary = r->results->summary;
  FW_TRY(fw_record_set_figure(summary, read_clock(CLOCK_PROCESS_CPUTIME_ID) - r->cpu, "s", "cpu_seconds"));
  FW_TRY(fw_record_set_figure(summary, read_clock(CLOCK_MONOTONIC) - r->wall, "s", "wall_seconds"));
  return r->options->out ? fw_summary_write(r->ctx, summary, r->options->out) : FW_OK;
}

/* Says what failed and what is left of it; keeps the analysis' own message, what came after `before` characters of
 * those of others, in the summary. */
static void report_failure(run *r, const fw_task *task, size_t before, fw_record *part) {
  if (task->status == FW_OK) return;
  const char *out = r->options->out;
  bool told = fw_context_message(r->ctx)[before] != '\0'; /* the line before says it */
  const char *why = told ? "" : fw_status_text(task->status);
  fw_fail(r->ctx, task->status, "analysis %s (%s) %s%s%s%s%s%s%s", task->id, task->ops->entry.name,
          status_word(task->status, false), why[0] ? ": " : "", why, out ? "; what was computed is in " : "",
          out ? out : "", out ? "/" : "", out ? task->id : "");
  const char *own = fw_context_message(r->ctx) + before;
  own += own[0] == '\n';
  fw_record_set_text(part, own, "message");
  fw_log(r->ctx, "%s", own);
}

static fw_status run_task(run *r, fw_task *task) {
  fw_record *part;
  if (fw_record_create(&part) != FW_OK) return fw_fail(r->ctx, FW_ERR_MEMORY, "out of memory");
  double cpu = read_clock(CLOCK_PROCESS_CPUTIME_ID);
  size_t before = strlen(fw_context_message(r->ctx));
  fw_record_set_text(part, task->ops->entry.name, "kind");
  fw_record_set_text(part, "running", "status");
  fw_record_set_figure(part, 0.0, "s", "cpu_seconds");
  fw_log(r->ctx, "%s: %s begins", task->id, task->ops->entry.name);
  fw_progress(r->ctx, task->id, 0.0);
  task->status = execute(r, task, part);
  task->ran = true;
  cpu = read_clock(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  bool warned = fw_record_count(part, "warnings") > 0;
  r->warned = r->warned || warned;
  fw_record_set_text(part, status_word(task->status, warned), "status");
  fw_record_set_figure(part, cpu, "s", "cpu_seconds");
  report_failure(r, task, before, part);
  fw_log(r->ctx, "%s: %s after %.3f s of processor time", task->id, status_word(task->status, warned), cpu);
  fw_progress(r->ctx, task->id, 1.0);
  fw_status kept = fw_record_set_record(r->results->summary, part, "analyses.%s", task->id);
  fw_record_destroy(&part);
  if (kept != FW_OK) return fw_fail(r->ctx, FW_ERR_MEMORY, "%s: its summary is lost", task->id);
  return update_summary(r);
}

/* ---- all analyses ------------------------------------------------------------------------ */

/* After a failure of the mechanics the other analyses still run; after any other nothing makes sense. */
static bool may_go_on(fw_status status) {
  return status >= 0 || status == FW_ERR_ANALYSIS || status == FW_ERR_SINGULAR || status == FW_ERR_LIBRARY;
}

static bool start_failed(const run *r, const fw_task *task) {
  return task->start >= 0 && (!r->plan.tasks[task->start].ran || r->plan.tasks[task->start].status != FW_OK);
}

static fw_status run_all(run *r) {
  fw_status first = FW_OK;
  for (int i = 0; i < r->plan.count; i++) {
    fw_task *task = &r->plan.tasks[i];
    if (!task->wanted) continue;
    if (start_failed(r, task)) {
      fw_log(r->ctx, "%s: left out, %s failed", task->id, r->plan.tasks[task->start].id);
      fw_record_set_text(r->results->summary, task->ops->entry.name, "analyses.%s.kind", task->id);
      fw_record_set_text(r->results->summary, "left out", "analyses.%s.status", task->id);
      continue;
    }
    FW_TRY(run_task(r, task));
    if (first == FW_OK) first = task->status;
    if (!may_go_on(task->status)) break;
  }
  return first;
}

/* Summary and report, also after a failure; its own failure counts only if there was none before. */
static fw_status finish(run *r, fw_status status) {
  fw_record_set_text(r->results->summary, status_word(status, r->warned), "status");
  fw_status written = update_summary(r);
  if (written == FW_OK && status == FW_OK && r->folder) {
    status = fw_outputs_compare(r->ctx, r->built, r->options->out, r->results->summary);
    if (status == FW_OK) status = r->drawn;
    fw_record_set_text(r->results->summary, status_word(status, r->warned), "status");
    written = update_summary(r);
  }
  if (status == FW_OK) status = r->drawn;
  if (written == FW_OK && r->folder) written = fw_report_write(r->ctx, r->options->out, false);
  if (written == FW_OK && r->folder) written = fw_result_check(r->folder);
  return status == FW_OK ? written : status;
}

/* ---- identification, studies ------------------------------------------------------------- */

/* In a team every member has one worker unless the caller says otherwise. */
static int count_workers(const run *r) {
  if (!r->options->may_fork) return 0;
  return r->team && r->options->threads <= 0 ? 1 : r->threads;
}

static fw_studies_options studies_options(const run *r, const fw_deck *deck) {
  return (fw_studies_options){.deck = deck,
                              .built = r->built,
                              .only = r->options->only,
                              .only_count = r->options->only_count,
                              .out = r->options->out,
                              .workers = count_workers(r),
                              .team = r->team};
}

static fw_identifications_options identifications_options(const run *r, const fw_deck *deck) {
  return (fw_identifications_options){.deck = deck,
                                      .built = r->built,
                                      .only = r->options->only,
                                      .only_count = r->options->only_count,
                                      .out = r->options->out,
                                      .threads = r->threads,
                                      .workers = r->options->may_fork ? r->threads : 0,
                                      .team = r->team,
                                      .team_workers = count_workers(r),
                                      .mark = r->mark,
                                      .run = fw_studies_run_sample};
}

/* What is identified from measurements, after the analyses; it may need one of them. */
static fw_status identify(run *r, const fw_deck *deck, fw_status analysed) {
  if (!may_go_on(analysed)) return analysed;
  fw_identifications_options options = identifications_options(r, deck);
  fw_status status = fw_identifications_run(r->ctx, &options, r->results);
  return analysed == FW_OK ? status : analysed;
}

/* Analyses, identification, then studies. In a team rank 0 does what one process does, the others help with points of
 * identifications and samples once it says that there are any to compute. */
static fw_status run_everything(run *r, const fw_deck *deck) {
  fw_studies_options study_options = studies_options(r, deck);
  fw_identifications_options identify_options = identifications_options(r, deck);
  bool leads = fw_team_rank(r->team) == 0;
  fw_status status = FW_OK;
  if (leads) status = open_results(r, deck);
  if (leads && status == FW_OK) status = describe_run(r, deck);
  bool opened = status == FW_OK;
  if (leads && opened) status = identify(r, deck, run_all(r));
  if (leads)
    fw_identifications_dismiss(r->team);
  else
    fw_identifications_help(r->ctx, &identify_options);
  int go = opened && may_go_on(status) && (leads || !fw_team_lost(r->team));
  if (r->team && !fw_team_lost(r->team)) fw_team_share(r->team, &go, sizeof go);
  if (go) {
    fw_status studied = fw_studies_run(r->ctx, &study_options, r->results);
    if (status == FW_OK) status = studied;
  }
  return leads && opened ? finish(r, status) : status;
}

static int count_threads(const fw_run_options *options) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  return options->threads > 0 ? options->threads : cores > 0 ? (int)cores : 1;
}

/* Tells what the deck says that is hardly meant; strict runs do not begin then. */
static fw_status look_for_warnings(run *r) {
  FW_TRY(fw_deck_warn(r->ctx, r->deck, r->built, &r->warnings));
  bool strict = r->options->strict && r->warnings.count > 0;
  for (int i = 0; i < r->warnings.count; i++)
    if (strict)
      fw_fail(r->ctx, FW_ERR_DECK, "%s", r->warnings.texts[i]);
    else
      fw_log(r->ctx, "%s", r->warnings.texts[i]);
  if (!strict) return FW_OK;
  return fw_fail(r->ctx, FW_ERR_DECK, "strict: nothing was run");
}

static fw_status judge_strictly(const run *r) {
  if (!r->options->strict || !r->warned) return FW_OK;
  return fw_fail(r->ctx, FW_ERR_ANALYSIS, "strict: an analysis has warnings; what was computed is kept");
}

static fw_status check_options(fw_context *ctx, const fw_run_options *options) {
  FW_TRY(fw_need_list(ctx, options->only, options->only_count, "fw_run", "options->only"));
  if (options->threads < 0) return fw_fail(ctx, FW_ERR_ARGUMENT, "fw_run: %d threads", options->threads);
  if (options->resume && options->force)
    return fw_fail(ctx, FW_ERR_ARGUMENT, "fw_run: either resume or force, not both");
  if (options->may_join_mpi && !options->may_fork)
    return fw_fail(ctx, FW_ERR_ARGUMENT,
                   "fw_run: may_join_mpi needs may_fork: ranks compute in processes of their own");
  return FW_OK;
}

static fw_status run_deck(fw_context *ctx, const fw_deck *deck, const fw_run_options *options, fw_results **results) {
  run r = {.ctx = ctx, .options = options, .deck = deck};
  fw_status status;
  r.cpu = read_clock(CLOCK_PROCESS_CPUTIME_ID);
  r.wall = read_clock(CLOCK_MONOTONIC);
  r.threads = count_threads(r.options);
  if (r.options->out && r.options->may_join_mpi) FW_TRY_DONE(fw_team_join(ctx, &r.team));
  FW_TRY_DONE(fw_deck_build(ctx, deck, &r.built));
  FW_TRY_DONE(fw_plan_make(ctx, r.built, r.options->only, r.options->only_count, &r.plan));
  FW_TRY_DONE(fw_outputs_check(ctx, r.built));
  fw_studies_options study_options = studies_options(&r, deck);
  FW_TRY_DONE(fw_studies_check(ctx, &study_options));
  fw_identifications_options asked = identifications_options(&r, deck);
  FW_TRY_DONE(fw_identifications_check(ctx, &asked));
  FW_TRY_DONE(look_for_warnings(&r));
  FW_TRY_DONE(run_everything(&r, deck));
  FW_TRY_DONE(judge_strictly(&r));
done:
  fw_warnings_clear(&r.warnings);
  fw_result_close(&r.folder);
  fw_plan_clear(&r.plan);
  fw_built_destroy(&r.built);
  fw_team_leave(&r.team);
  *results = r.results;
  if (r.results && !r.results->sink) fw_results_destroy(results);
  return status;
}

static fw_status run_plainly(fw_context *ctx, const fw_deck *deck, const fw_run_options *options,
                             fw_results **results) {
  FW_RETURN_PLAIN(ctx, run_deck(ctx, deck, options, results));
}

fw_status fw_run(fw_context *ctx, const fw_deck *deck, const fw_run_options *options, fw_results **results) {
  fw_run_options known = {0};
  if (results) *results = NULL;
  FW_NEED(ctx, ctx);
  FW_NEED(ctx, deck);
  FW_NEED(ctx, results);
  if (options) FW_TRY(fw_take_options(ctx, options, sizeof known, sizeof known, __func__, &known));
  FW_TRY(check_options(ctx, &known));
  FW_TRY(fw_blas_room(ctx));
  fw_blas_threads_enter();
  fw_status status = run_plainly(ctx, deck, &known, results);
  fw_blas_threads_leave();
  return status;
}
