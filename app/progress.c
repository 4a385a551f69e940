/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/progress.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/colour.h"

static volatile sig_atomic_t interrupted;
static fw_context *volatile stopped_by_signals;

struct progress {
  fw_context *ctx;
  bool terminal, quiet, shown;
  char what[128];
  double begun, drawn; /* clock when this part began, when the bar was last drawn */
};

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void wipe(progress *p) {
  if (p->shown) fputs("\r\033[K", stderr);
  p->shown = false;
}

static void on_log(void *user, const char *text) {
  progress *p = user;
  if (interrupted) watchdog_noticed();
  wipe(p);
  if (strstr(fw_context_message(p->ctx), text)) return; /* what failed is told once, when all is done */
  if (p->quiet) return;
  colour_line(stderr, text);
  fputc('\n', stderr);
}

/* "3 min 20 s" */
static void print_time(double time) {
  if (time < 1.0)
    fputs("  under a second left", stderr);
  else if (time < 60.0)
    fprintf(stderr, "  %.0f s left", time);
  else if (time < 3600.0)
    fprintf(stderr, "  %d min %02d s left", (int)time / 60, (int)time % 60);
  else
    fprintf(stderr, "  %d h %02d min left", (int)(time / 3600.0), (int)(time / 60.0) % 60);
}

static void draw(const progress *p, double fraction, double now) {
  enum { WIDTH = 30 };
  fprintf(stderr, "\r\033[K%s  ", p->what);
  if (fraction < 0.0) {
    fprintf(stderr, "%.0f s", now - p->begun);
    return;
  }
  int filled = (int)(WIDTH * fraction + 0.5);
  fputc('[', stderr);
  for (int i = 0; i < WIDTH; i++) fputc(i < filled ? '#' : '.', stderr);
  fprintf(stderr, "] %3.0f %%", 100.0 * fraction);
  if (fraction > 0.01 && now - p->begun > 1.0) print_time((now - p->begun) * (1.0 - fraction) / fraction);
}

/* Ten pictures a second are enough; a bar that lives shorter than half a second is not drawn at all. */
static void on_progress(void *user, const char *what, double fraction) {
  progress *p = user;
  double now = seconds();
  if (!p->terminal || p->quiet) return;
  if (strncmp(p->what, what, sizeof p->what - 1) != 0) {
    snprintf(p->what, sizeof p->what, "%s", what);
    p->begun = p->drawn = now;
  }
  if (fraction >= 1.0) {
    wipe(p);
    return;
  }
  if (now - p->begun < 0.5 || now - p->drawn < 0.1) return;
  p->drawn = now;
  draw(p, fraction, now);
  p->shown = true;
  fflush(stderr);
}

progress *progress_start(fw_context *ctx, bool quiet) {
  progress *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->ctx = ctx;
  p->quiet = quiet;
  p->terminal = isatty(STDERR_FILENO);
  fw_context_on_log(ctx, on_log, p);
  fw_context_on_progress(ctx, on_progress, p);
  return p;
}

void progress_stop(progress *p) {
  stopped_by_signals = NULL;
  if (!p) return;
  wipe(p);
  fw_context_on_log(p->ctx, NULL, NULL);
  fw_context_on_progress(p->ctx, NULL, NULL);
  free(p);
}

/* ---- signals ----------------------------------------------------------------------------- */

static void on_signal(int number) {
  (void)number;
  interrupted = 1;
  fw_context_interrupt(stopped_by_signals, true);
  watchdog_interrupted();
}

void progress_catch_signals(fw_context *ctx) {
  watchdog_start();
  stopped_by_signals = ctx;
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  signal(SIGXFSZ, SIG_IGN); /* a file that grows too large is a failed write, told as such */
}
