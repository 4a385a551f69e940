/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timing of small functions: CPU time per call, by repeating a body until it has run long enough. Each program prints
 * lines "name <tab> value <tab> unit", which benchmarks/run gathers. */
#ifndef FW_BENCHMARKS_BENCH_H
#define FW_BENCHMARKS_BENCH_H

#include <stdio.h>
#include <time.h>

static inline double bench_cpu(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Seconds per call: the best of three rounds of at least 50 ms, so that a busy machine disturbs little. */
static inline double bench_seconds(void (*body)(void *), void *user) {
  double best = 1e30;
  long calls = 1;
  for (int round = 0; round < 3;) {
    double begin = bench_cpu();
    for (long i = 0; i < calls; i++) body(user);
    double spent = bench_cpu() - begin;
    if (spent < 0.05) {
      calls *= 4;
      continue;
    }
    if (spent / (double)calls < best) best = spent / (double)calls;
    round++;
  }
  return best;
}

static inline void bench_print(const char *family, const char *name, const char *detail, double value,
                               const char *unit) {
  printf("%s %s%s%s\t%.4g\t%s\n", family, name, *detail ? " " : "", detail, value, unit);
}

#endif
