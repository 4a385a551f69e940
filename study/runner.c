/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/runner.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/unknown.h"

/* What a worker sends back, followed by the results. */
typedef struct answer {
  long index;
  int state;
  double seconds;
  char reason[FW_REASON];
} answer;

/* Samples a worker has been given: the first is being computed, the others wait in its pipe, so that it goes on at once
 * while its last answer is still being written down. Only as many wait as are computed in a moment. */
enum { MOST_GIVEN = 16 };
static const double MOMENT = 0.05;   /* s */
static const double LAST_WAIT = 0.5; /* s */

typedef struct worker {
  pid_t process; /* 0: none */
  int to, from;  /* pipes */
  long given[MOST_GIVEN];
  int count;
  int options;  /* how many it is to have */
  double since; /* when the first was begun */
} worker;

typedef struct pool {
  fw_context *ctx;
  const fw_runner *runner;
  worker *workers;
  struct pollfd *polls;
  double *results; /* room for one sample's */
  bool drained;    /* there are no samples left to hand out */
  long *back;      /* samples that waited for a worker that died */
  int back_count;
} pool;

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Processor time of this process: tells what a sample costs whatever else the machine does. */
static double processor_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* All of `size` bytes; false at the end of the pipe. */
static bool read_all(int file, void *bytes, size_t size) {
  for (char *at = bytes; size > 0;) {
    ssize_t n = read(file, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    size -= (size_t)n;
  }
  return true;
}

static bool write_all(int file, const void *bytes, size_t size) {
  for (const char *at = bytes; size > 0;) {
    ssize_t n = write(file, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    size -= (size_t)n;
  }
  return true;
}

/* ---- in the worker ----------------------------------------------------------------------- */

/* One line of the messages is the reason, the last: it says which analysis failed. */
static void note_reason(const fw_context *ctx, fw_status status, char *reason) {
  const char *message = fw_context_message(ctx);
  snprintf(reason, FW_REASON, "%s", message[0] ? message : fw_status_text(status));
}

static fw_status compute_one(const fw_runner *runner, fw_context *ctx, long index, double *results, answer *a) {
  *a = (answer){.index = index, .state = FW_SAMPLE_DONE};
  double begun = processor_now();
  fw_context_clear(ctx);
  fw_status status = runner->compute(runner->user, ctx, index, results, a->reason);
  a->seconds = processor_now() - begun;
  if (status != FW_OK) {
    a->state = FW_SAMPLE_FAILED;
    note_reason(ctx, status, a->reason);
  }
  return status;
}

static bool answer_one(const fw_runner *runner, fw_context *ctx, long index, int out, double *results) {
  answer a;
  compute_one(runner, ctx, index, results, &a);
  return write_all(out, &a, sizeof a) && write_all(out, results, (size_t)runner->columns * sizeof *results);
}

/* The life of a worker: indices in, answers out, until its pipe ends. */
static void work(const fw_runner *runner, int in, int out) {
  fw_context *ctx = NULL;
  double *results = calloc((size_t)runner->columns + 1, sizeof *results);
  long index;
  if (results && fw_context_create(&ctx) == FW_OK)
    while (read_all(in, &index, sizeof index) && answer_one(runner, ctx, index, out, results)) continue;
  fw_context_destroy(&ctx);
  free(results);
}

/* ---- starting and ending workers --------------------------------------------------------- */

static void close_pipes(worker *w) {
  if (w->to >= 0) close(w->to);
  if (w->from >= 0) close(w->from);
  w->to = w->from = -1;
}

/* The child of a fork. Ctrl-C and the end of a job are the caller's business: a worker that died of them before the
 * caller did would leave its sample as crashed. It ends with the caller, whatever that died of; the pipes of the other
 * workers must end with the caller too. */
static void become_worker(const pool *p, int in, int out) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  signal(SIGPIPE, SIG_DFL);
  for (int i = 0; i < p->runner->workers; i++) close_pipes(&p->workers[i]);
  work(p->runner, in, out);
  _Exit(0); /* a process of the library's own: nothing of the caller's is flushed or run at its end */
}

static fw_status start_worker(pool *p, worker *w) {
  int down[2], up[2];
  if (pipe(down) != 0) return fw_fail(p->ctx, FW_ERR_IO, "no pipe to a worker: %s", strerror(errno));
  if (pipe(up) != 0) {
    close(down[0]);
    close(down[1]);
    return fw_fail(p->ctx, FW_ERR_IO, "no pipe to a worker: %s", strerror(errno));
  }
  pid_t process = fork();
  if (process == 0) {
    close(down[1]);
    close(up[0]);
    become_worker(p, down[0], up[1]);
  }
  close(down[0]);
  close(up[1]);
  *w = (worker){.process = process > 0 ? process : 0, .to = down[1], .from = up[0], .options = 1};
  if (process > 0) return FW_OK;
  close_pipes(w);
  return fw_fail(p->ctx, FW_ERR_IO, "no worker process: %s", strerror(errno));
}

/* Ends a worker; its wait status. */
static int end_worker(worker *w, bool kill_it) {
  int how = 0;
  if (!w->process) return 0;
  if (kill_it) kill(w->process, SIGKILL);
  close_pipes(w);
  while (waitpid(w->process, &how, 0) < 0 && errno == EINTR) continue;
  w->process = 0;
  return how;
}

/* ---- samples out and in ------------------------------------------------------------------ */

/* The sample that was being computed is recorded, those that waited behind it are computed elsewhere. */
static fw_status take_loss(pool *p, worker *w, fw_sample_state state, const char *why) {
  fw_sample sample = {.index = w->given[0], .state = state, .results = p->results};
  snprintf(sample.reason, sizeof sample.reason, "%s", why);
  for (int c = 0; c < p->runner->columns; c++) p->results[c] = fw_unknown();
  for (int i = 1; i < w->count; i++) p->back[p->back_count++] = w->given[i];
  w->count = 0;
  return p->runner->take(p->runner->user, &sample);
}

static fw_status take_answer(pool *p, worker *w, const answer *a) {
  fw_sample sample = {
      .index = a->index, .state = (fw_sample_state)a->state, .seconds = a->seconds, .results = p->results};
  memcpy(sample.reason, a->reason, sizeof sample.reason);
  memmove(w->given, w->given + 1, (size_t)--w->count * sizeof *w->given);
  w->since = seconds_now();
  w->options = 1 + (int)fmin(MOST_GIVEN - 1, MOMENT / fmax(a->seconds, 1e-6));
  return p->runner->take(p->runner->user, &sample);
}

/* Signals that a process brings on itself; all others come from somebody else: a user, a scheduler, a system without
 * memory. */
static bool is_own_fault(int signal) {
  static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
    if (faults[i] == signal) return true;
  return false;
}

static fw_status take_death(pool *p, worker *w, int how) {
  char why[80];
  bool killed = WIFSIGNALED(how) && !is_own_fault(WTERMSIG(how));
  if (WIFSIGNALED(how))
    snprintf(why, sizeof why, "its process was %s by signal %d%s", killed ? "killed from outside" : "ended",
             WTERMSIG(how), killed ? "; --resume computes it again" : "");
  else
    snprintf(why, sizeof why, "its process ended with code %d", WEXITSTATUS(how));
  return take_loss(p, w, killed ? FW_SAMPLE_KILLED : FW_SAMPLE_CRASHED, why);
}

/* A worker has answered or died. */
static fw_status hear(pool *p, worker *w) {
  answer a;
  if (read_all(w->from, &a, sizeof a) && read_all(w->from, p->results, (size_t)p->runner->columns * sizeof *p->results))
    return take_answer(p, w, &a);
  int how = end_worker(w, false);
  return w->count == 0 ? FW_OK : take_death(p, w, how);
}

static long next_index(pool *p) {
  if (p->back_count > 0) return p->back[--p->back_count];
  long index = p->drained ? FW_NONE_LEFT : p->runner->next(p->runner->user);
  if (index == FW_NONE_LEFT) p->drained = true;
  return index;
}

/* Hands a worker as many samples as it is to have, starting a process if there is none. */
static fw_status hand_out(pool *p, worker *w) {
  while (w->count < (w->process ? w->options : 1)) {
    long index = next_index(p);
    if (index < 0) return FW_OK;
    if (!w->process) FW_TRY(start_worker(p, w));
    if (w->count == 0) w->since = seconds_now();
    w->given[w->count++] = index;
    if (!write_all(w->to, &index, sizeof index)) return hear(p, w);
  }
  return FW_OK;
}

static fw_status check_time(pool *p, worker *w) {
  if (p->runner->time_limit <= 0 || w->count == 0 || seconds_now() - w->since < p->runner->time_limit) return FW_OK;
  end_worker(w, true);
  return take_loss(p, w, FW_SAMPLE_CRASHED, "it took longer than the time limit");
}

/* ---- the loop ---------------------------------------------------------------------------- */

/* How long to wait for answers: briefly if a worker stands idle only because there is nothing yet. */
static int wait_milliseconds(const pool *p) {
  for (int i = 0; i < p->runner->workers; i++)
    if (p->workers[i].count == 0 && !p->drained) return 1;
  return p->runner->turned ? (int)(1000 * p->runner->rhythm) : 100;
}

/* One round: samples out, answers in. *busy: something is being computed or may come. */
static fw_status turn(pool *p, bool *busy) {
  int n = p->runner->workers;
  *busy = false;
  if (p->runner->turned) p->runner->turned(p->runner->user);
  for (int i = 0; i < n; i++) {
    worker *w = &p->workers[i];
    FW_TRY(hand_out(p, w));
    *busy = *busy || w->count > 0 || !p->drained || p->back_count > 0;
    p->polls[i] = (struct pollfd){.fd = w->count > 0 ? w->from : -1, .events = POLLIN};
  }
  if (!*busy) return FW_OK;
  if (poll(p->polls, (nfds_t)n, wait_milliseconds(p)) < 0 && errno != EINTR)
    return fw_fail(p->ctx, FW_ERR_IO, "waiting for workers: %s", strerror(errno));
  for (int i = 0; i < n; i++) {
    if (p->polls[i].fd >= 0 && p->polls[i].revents) FW_TRY(hear(p, &p->workers[i]));
    FW_TRY(check_time(p, &p->workers[i]));
  }
  return fw_interrupted(p->ctx);
}

/* After an interruption: what is being computed is still taken if it ends very soon. A launcher that ends a job gives
 * its processes a second. */
static void take_last(pool *p) {
  const double until = seconds_now() + LAST_WAIT;
  for (int i = 0; i < p->runner->workers; i++) {
    worker *w = &p->workers[i];
    struct pollfd one = {.fd = w->from, .events = POLLIN};
    double left = fmax(until - seconds_now(), 0);
    if (w->count > 0 && poll(&one, 1, (int)(1000 * left)) == 1 && hear(p, w) != FW_OK) return;
  }
}

/* ---- without workers --------------------------------------------------------------------- */

static fw_status compute_here(fw_context *ctx, fw_context *own, const fw_runner *runner, long index, double *results) {
  answer a;
  fw_status status = compute_one(runner, own, index, results, &a);
  if (status == FW_ERR_INTERRUPTED) return fw_interrupted(ctx);
  fw_sample sample = {.index = index, .state = (fw_sample_state)a.state, .seconds = a.seconds, .results = results};
  memcpy(sample.reason, a.reason, sizeof sample.reason);
  return runner->take(runner->user, &sample);
}

static fw_status run_here(fw_context *ctx, const fw_runner *runner) {
  fw_context *own = NULL;
  double *results = NULL;
  fw_status status;
  FW_TRY_DONE(fw_context_fork(ctx, &own));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)runner->columns, sizeof *results, &results));
  for (long index; (index = runner->next(runner->user)) != FW_NONE_LEFT;) {
    FW_TRY_DONE(fw_interrupted(ctx));
    if (index == FW_NONE_YET)
      nanosleep(&(struct timespec){0, 1000000}, NULL);
    else
      FW_TRY_DONE(compute_here(ctx, own, runner, index, results));
  }
done:
  free(results);
  fw_context_destroy(&own);
  return status;
}

fw_status fw_runner_run(fw_context *ctx, const fw_runner *runner) {
  if (runner->workers == 0) return run_here(ctx, runner);
  pool p = {.ctx = ctx, .runner = runner};
  fw_status status;
  struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
  sigaction(SIGPIPE, &ignore, &before); /* a dead worker is told by read and write */
  FW_TRY_DONE(fw_alloc(ctx, (size_t)runner->workers, sizeof *p.workers, &p.workers));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)runner->workers, sizeof *p.polls, &p.polls));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)runner->columns, sizeof *p.results, &p.results));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)runner->workers * MOST_GIVEN, sizeof *p.back, &p.back));
  for (int i = 0; i < runner->workers; i++) p.workers[i] = (worker){.to = -1, .from = -1, .options = 1};
  for (bool busy = true; busy;) FW_TRY_DONE(turn(&p, &busy));
done:
  if (status == FW_ERR_INTERRUPTED) take_last(&p);
  for (int i = 0; p.workers && i < runner->workers; i++) end_worker(&p.workers[i], status != FW_OK);
  sigaction(SIGPIPE, &before, NULL);
  free(p.workers);
  free(p.polls);
  free(p.results);
  free(p.back);
  return status;
}
