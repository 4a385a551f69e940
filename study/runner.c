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

/* What a worker sends back, followed by the results. */
typedef struct answer {
  long index;
  int state;
  double seconds;
  char reason[FW_REASON];
} answer;

typedef struct worker {
  pid_t process; /* 0: none */
  int to, from;  /* pipes */
  long index;    /* of the sample it computes; FW_NONE_LEFT: idle */
  double since;
} worker;

typedef struct pool {
  fw_context *ctx;
  const fw_runner *runner;
  worker *workers;
  struct pollfd *polls;
  double *results; /* room for one sample's */
  bool drained;    /* there are no samples left to hand out */
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

static bool compute_one(const fw_runner *runner, fw_context *ctx, long index, int out, double *results) {
  answer a = {.index = index, .state = FW_SAMPLE_DONE};
  double begun = processor_now();
  fw_context_clear(ctx);
  fw_status status = runner->compute(runner->user, ctx, index, results);
  a.seconds = processor_now() - begun;
  if (status != FW_OK) {
    a.state = FW_SAMPLE_FAILED;
    note_reason(ctx, status, a.reason);
  }
  return write_all(out, &a, sizeof a) && write_all(out, results, (size_t)runner->columns * sizeof *results);
}

/* The life of a worker: indices in, answers out, until its pipe ends. */
static void work(const fw_runner *runner, int in, int out) {
  fw_context *ctx;
  double *results = calloc((size_t)runner->columns + 1, sizeof *results);
  long index;
  if (!results || fw_context_create(&ctx) != FW_OK) return;
  while (read_all(in, &index, sizeof index) && compute_one(runner, ctx, index, out, results)) continue;
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
  *w = (worker){process > 0 ? process : 0, down[1], up[0], FW_NONE_LEFT, 0.0};
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

static fw_status take_crash(pool *p, worker *w, const char *why) {
  fw_sample sample = {.index = w->index, .state = FW_SAMPLE_CRASHED, .results = p->results};
  snprintf(sample.reason, sizeof sample.reason, "%s", why);
  for (int c = 0; c < p->runner->columns; c++) p->results[c] = NAN;
  w->index = FW_NONE_LEFT;
  return p->runner->take(p->runner->user, &sample);
}

/* A worker has answered or died. */
static fw_status hear(pool *p, worker *w) {
  answer a;
  bool whole =
      read_all(w->from, &a, sizeof a) && read_all(w->from, p->results, (size_t)p->runner->columns * sizeof *p->results);
  if (whole) {
    fw_sample sample = {
        .index = a.index, .state = (fw_sample_state)a.state, .seconds = a.seconds, .results = p->results};
    memcpy(sample.reason, a.reason, sizeof sample.reason);
    w->index = FW_NONE_LEFT;
    return p->runner->take(p->runner->user, &sample);
  }
  char why[64];
  int how = end_worker(w, false);
  if (WIFSIGNALED(how))
    snprintf(why, sizeof why, "its process was ended by signal %d", WTERMSIG(how));
  else
    snprintf(why, sizeof why, "its process ended with code %d", WEXITSTATUS(how));
  return w->index == FW_NONE_LEFT ? FW_OK : take_crash(p, w, why);
}

/* Hands a sample to an idle worker, starting a process if there is none. */
static fw_status hand_out(pool *p, worker *w) {
  long index = p->drained ? FW_NONE_LEFT : p->runner->next(p->runner->user);
  if (index == FW_NONE_LEFT) p->drained = true;
  if (index < 0) return FW_OK;
  if (!w->process) FW_TRY(start_worker(p, w));
  w->index = index;
  w->since = seconds_now();
  if (!write_all(w->to, &index, sizeof index)) return hear(p, w);
  return FW_OK;
}

static fw_status check_time(pool *p, worker *w) {
  if (p->runner->time_limit <= 0 || w->index < 0 || seconds_now() - w->since < p->runner->time_limit) return FW_OK;
  end_worker(w, true);
  return take_crash(p, w, "it took longer than the time limit");
}

/* ---- the loop ---------------------------------------------------------------------------- */

/* How long to wait for answers: briefly if a worker stands idle only because there is nothing yet. */
static int wait_milliseconds(const pool *p) {
  for (int i = 0; i < p->runner->workers; i++)
    if (p->workers[i].index < 0 && !p->drained) return 1;
  return p->runner->turned ? 10 : 100;
}

/* One round: samples out, answers in. *busy: something is being computed or may come. */
static fw_status turn(pool *p, bool *busy) {
  int n = p->runner->workers;
  *busy = false;
  if (p->runner->turned) p->runner->turned(p->runner->user);
  for (int i = 0; i < n; i++) {
    worker *w = &p->workers[i];
    if (w->index < 0) FW_TRY(hand_out(p, w));
    *busy = *busy || w->index >= 0 || !p->drained;
    p->polls[i] = (struct pollfd){.fd = w->index >= 0 ? w->from : -1, .events = POLLIN};
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

fw_status fw_runner_run(fw_context *ctx, const fw_runner *runner) {
  pool p = {.ctx = ctx, .runner = runner};
  fw_status status;
  struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
  sigaction(SIGPIPE, &ignore, &before); /* a dead worker is told by read and write */
  FW_TRY_DONE(fw_alloc(ctx, (size_t)runner->workers, sizeof *p.workers, &p.workers));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)runner->workers, sizeof *p.polls, &p.polls));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)runner->columns, sizeof *p.results, &p.results));
  for (int i = 0; i < runner->workers; i++) p.workers[i] = (worker){0, -1, -1, FW_NONE_LEFT, 0.0};
  for (bool busy = true; busy;) FW_TRY_DONE(turn(&p, &busy));
done:
  for (int i = 0; p.workers && i < runner->workers; i++) end_worker(&p.workers[i], status != FW_OK);
  sigaction(SIGPIPE, &before, NULL);
  free(p.workers);
  free(p.polls);
  free(p.results);
  return status;
}
