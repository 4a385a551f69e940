/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/linalg/blas_threads.h"

#include <cblas.h>
#include <pthread.h>

/* BLAS keeps one number for the whole process: this is the lock around it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int runs, before;

void fw_blas_threads_enter(void) {
  pthread_mutex_lock(&lock);
  if (runs++ == 0) {
    before = openblas_get_num_threads();
    openblas_set_num_threads(1);
  }
  pthread_mutex_unlock(&lock);
}

void fw_blas_threads_leave(void) {
  pthread_mutex_lock(&lock);
  if (--runs == 0) openblas_set_num_threads(before);
  pthread_mutex_unlock(&lock);
}
