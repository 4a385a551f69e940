/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Worker processes: every sample once, whatever happens to the processes. */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "study/runner.h"

enum { COUNT = 40, CRASHES = 7, HANGS = 11, FAILS = 13, EXITS = 17, KILLED = 19 };

typedef struct bench {
  fw_context *ctx;
  long handed;
  int taken[COUNT];
  fw_sample samples[COUNT];
  double results[COUNT][2];
  bool later; /* say "none yet" every other time */
  int calls;
  fw_status refuse; /* what take returns */
  long stop_after;
} bench;

static long next(void *user) {
  bench *b = user;
  if (b->later && b->calls++ % 2 == 0) return FW_NONE_YET;
  return b->handed < COUNT ? b->handed++ : FW_NONE_LEFT;
}

static fw_status compute(void *user, fw_context *ctx, long index, double *results, char *said) {
  (void)user, (void)said;
  if (index == CRASHES) raise(SIGABRT);
  if (index == KILLED) raise(SIGKILL);
  if (index == HANGS) sleep(600);
  if (index == EXITS) _exit(5);
  if (index == FAILS) return fw_fail(ctx, FW_ERR_ANALYSIS, "no convergence at %d Hz", 50);
  results[0] = (double)index;
  results[1] = sqrt((double)index);
  return FW_OK;
}

static fw_status compute_quietly(void *user, fw_context *ctx, long index, double *results, char *said) {
  (void)user, (void)said;
  (void)ctx;
  results[0] = results[1] = (double)index;
  return FW_OK;
}

static fw_status take(void *user, const fw_sample *sample) {
  bench *b = user;
  b->taken[sample->index]++;
  b->samples[sample->index] = *sample;
  b->results[sample->index][0] = sample->results[0];
  b->results[sample->index][1] = sample->results[1];
  long done = 0;
  for (int i = 0; i < COUNT; i++) done += b->taken[i];
  if (b->stop_after && done >= b->stop_after) fw_context_interrupt(b->ctx, true);
  return b->refuse;
}

static fw_runner runner_of(bench *b, int workers) {
  return (fw_runner){
      .workers = workers, .columns = 2, .time_limit = 3.0, .user = b, .next = next, .compute = compute, .take = take};
}

static void check(const bench *b) {
  for (int i = 0; i < COUNT; i++) {
    assert_int_equal(b->taken[i], 1);
    bool lost = i == CRASHES || i == HANGS || i == EXITS;
    fw_sample_state state = lost          ? FW_SAMPLE_CRASHED
                            : i == FAILS  ? FW_SAMPLE_FAILED
                            : i == KILLED ? FW_SAMPLE_KILLED
                                          : FW_SAMPLE_DONE;
    assert_int_equal(b->samples[i].state, state);
    if (lost || i == KILLED) assert_true(isnan(b->results[i][0]));
    if (state == FW_SAMPLE_DONE) assert_true(b->results[i][1] == sqrt((double)i));
  }
  assert_non_null(strstr(b->samples[CRASHES].reason, "ended by signal 6"));
  assert_non_null(strstr(b->samples[KILLED].reason, "killed from outside by signal 9"));
  assert_non_null(strstr(b->samples[EXITS].reason, "code 5"));
  assert_non_null(strstr(b->samples[HANGS].reason, "time limit"));
  assert_non_null(strstr(b->samples[FAILS].reason, "no convergence at 50 Hz"));
}

static void lost_processes_lose_one_sample(void **state) {
  (void)state;
  for (int workers = 1; workers <= 3; workers += 2) {
    bench b = {.later = workers > 1};
    assert_int_equal(fw_context_create(&b.ctx), FW_OK);
    fw_runner runner = runner_of(&b, workers);
    assert_int_equal(fw_runner_run(b.ctx, &runner), FW_OK);
    check(&b);
    fw_context_destroy(&b.ctx);
  }
}

/* Leaves the context to the caller. */
static void interrupt_after_five(bench *b, fw_status (*how)(void *, fw_context *, long, double *, char *)) {
  b->stop_after = 5;
  assert_int_equal(fw_context_create(&b->ctx), FW_OK);
  fw_runner runner = runner_of(b, 2);
  runner.compute = how;
  assert_int_equal(fw_runner_run(b->ctx, &runner), FW_ERR_INTERRUPTED);
}

static void stops_when_told(void **state) {
  (void)state;
  bench b = {0};
  interrupt_after_five(&b, compute_quietly);
  bench full = {.refuse = FW_ERR_IO};
  fw_runner runner = runner_of(&full, 2);
  runner.compute = compute_quietly;
  fw_context_interrupt(b.ctx, false);
  assert_int_equal(fw_runner_run(b.ctx, &runner), FW_ERR_IO);
  fw_context_destroy(&b.ctx);
}

/* Samples of a hundredth of a second that have begun when the run is interrupted are kept. */
static fw_status compute_briefly(void *user, fw_context *context, long index, double *results, char *said) {
  nanosleep(&(struct timespec){0, 10000000}, NULL);
  return compute_quietly(user, context, index, results, said);
}

static void short_samples_outlast_an_interruption(void **state) {
  (void)state;
  bench b = {0};
  interrupt_after_five(&b, compute_briefly);
  int done = 0;
  for (int i = 0; i < COUNT; i++) done += b.taken[i];
  assert_in_range(done, 6, 8);
  fw_context_destroy(&b.ctx);
}

/* The end of a job is told to all of its processes at once: no sample may be taken for one that crashed of itself. */
static fw_status compute_under_signals(void *user, fw_context *ctx, long index, double *results, char *said) {
  if (index == CRASHES) kill(getpid(), SIGTERM);
  if (index == FAILS) assert_int_not_equal(getpgrp(), getpgid(getppid()));
  return compute_quietly(user, ctx, index, results, said);
}

static void signals_to_the_job_are_not_crashes(void **state) {
  (void)state;
  bench b = {0};
  assert_int_equal(fw_context_create(&b.ctx), FW_OK);
  fw_runner runner = runner_of(&b, 2);
  runner.compute = compute_under_signals;
  assert_int_equal(fw_runner_run(b.ctx, &runner), FW_OK);
  for (int i = 0; i < COUNT; i++) assert_int_equal(b.samples[i].state, FW_SAMPLE_DONE);
  fw_context_destroy(&b.ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lost_processes_lose_one_sample), cmocka_unit_test(stops_when_told),
      cmocka_unit_test(short_samples_outlast_an_interruption), cmocka_unit_test(signals_to_the_job_are_not_crashes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
