/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a study costs beside its samples: overhead of a sample that computes nothing, with and without its journal line,
 * and efficiency of workers on samples of 5 ms of processor time. */
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"
#include "output/files.h"
#include "study/journal.h"
#include "study/runner.h"
#include "tests/remove_folder.h"

enum { COLUMNS = 10, FACTORS = 4, SAMPLES = 20000 };

typedef struct work {
  fw_context *ctx;
  fw_journal *journal;
  long next, count;
  double spin; /* s of processor time of each sample */
} work;

static double wall(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static long next(void *user) {
  work *w = user;
  return w->next < w->count ? w->next++ : FW_NONE_LEFT;
}

static fw_status compute(void *user, fw_context *ctx, long index, double *results, char said[FW_REASON]) {
  const work *w = user;
  (void)ctx, (void)said;
  for (int c = 0; c < COLUMNS; c++) results[c] = 0.1 * (double)index + c;
  for (double begin = bench_cpu(); bench_cpu() - begin < w->spin;) continue;
  return FW_OK;
}

static fw_status take(void *user, const fw_sample *sample) {
  work *w = user;
  return w->journal ? fw_journal_add(w->ctx, w->journal, sample) : FW_OK;
}

/* Wall-clock seconds of a study of that many samples. */
static double time_study(work w, int workers) {
  fw_runner runner = {
      .workers = workers, .columns = COLUMNS, .user = &w, .next = next, .compute = compute, .take = take};
  double begin = wall();
  return fw_runner_run(w.ctx, &runner) == FW_OK ? wall() - begin : -1.0;
}

int main(void) {
  fw_study study = {.factor_count = FACTORS, .columns = COLUMNS, .samples = SAMPLES};
  work w = {.count = SAMPLES};
  study.values = calloc((size_t)FACTORS * SAMPLES, sizeof *study.values);
  if (!study.values || fw_context_create(&w.ctx) != FW_OK) return 1;
  bench_print("study", "overhead", "runner", 1e6 * time_study(w, 1) / SAMPLES, "us/sample");
  if (fw_folder_make(w.ctx, "bench-study.tmp") == FW_OK &&
      fw_journal_open(w.ctx, &study, "bench-study.tmp", 0, &w.journal) == FW_OK) {
    bench_print("study", "overhead", "runner and journal", 1e6 * time_study(w, 1) / SAMPLES, "us/sample");
    fw_journal_close(w.ctx, &w.journal);
  }
  remove_folder("bench-study.tmp");
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  for (int workers = 1; workers <= cores; workers *= 2) {
    work busy = {.ctx = w.ctx, .count = 200 * workers, .spin = 0.005};
    char detail[32];
    snprintf(detail, sizeof detail, "%d workers", workers);
    bench_print("study", "efficiency", detail, 200 * busy.spin / time_study(busy, workers), "1");
  }
  fw_context_destroy(&w.ctx);
  free(study.values);
  return 0;
}
