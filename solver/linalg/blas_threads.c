/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/linalg/blas_threads.h"

#include <cblas.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/resource.h>

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

/* ---- room -------------------------------------------------------------------------------- */

/* What OpenBLAS takes in one piece for a product of this size, and what libraries that draw need beside it: without, some
 * end the program. */
enum { ROOM = 256 << 20, SIDE = 64 };

static bool is_there(void) {
  void *piece = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (piece == MAP_FAILED) return false;
  munmap(piece, ROOM);
  return true;
}

static void take(void) {
  static const double A[SIDE * SIDE];
  static double C[SIDE * SIDE];
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, SIDE, SIDE, SIDE, 1, A, SIDE, A, SIDE, 0, C, SIDE);
}

fw_status fw_blas_room(fw_context *ctx) {
  static bool taken;
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return FW_OK;
  pthread_mutex_lock(&lock);
  bool room = taken || is_there();
  if (room && !taken) take();
  taken = room;
  pthread_mutex_unlock(&lock);
  if (room) return FW_OK;
  return fw_fail(ctx, FW_ERR_MEMORY,
                 "out of memory: the libraries need %d MB of address space, more than its limit leaves", ROOM >> 20);
}
