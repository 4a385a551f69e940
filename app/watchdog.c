/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/progress.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "app/command.h"

static sem_t rung;
static atomic_bool noticed;

static void end_program(void) {
  static const char text[] = "fretwork: the run did not stop by itself within a second; what was written is kept\n";
  signal(SIGALRM, SIG_DFL);
  alarm(1); /* a file whose lock is held cannot be flushed */
  fflush(NULL);
  if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(EXIT_ENVIRONMENT);
  _exit(EXIT_INTERRUPTED);
}

static void *watch(void *unused) {
  const struct timespec patience = {.tv_nsec = 800000000};
  while (sem_wait(&rung) != 0 && errno == EINTR) {
  }
  nanosleep(&patience, NULL);
  if (!atomic_load(&noticed)) end_program();
  return unused;
}

void watchdog_start(void) {
  pthread_t thread;
  pthread_attr_t small;
  sigset_t all, before;
  if (sem_init(&rung, 0, 0) != 0 || pthread_attr_init(&small) != 0) return;
  pthread_attr_setstacksize(&small, 1 << 17);
  pthread_attr_setdetachstate(&small, PTHREAD_CREATE_DETACHED);
  sigfillset(&all); /* signals are for the others */
  pthread_sigmask(SIG_SETMASK, &all, &before);
  (void)pthread_create(&thread, &small, watch, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&small);
}

void watchdog_interrupted(void) { sem_post(&rung); }

void watchdog_noticed(void) { atomic_store(&noticed, true); }
