/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/mpi/transport.h"

#include <limits.h>
#include <mpi.h>
#include <time.h>

/* The counter lives with rank 0; everyone adds to it without rank 0 taking part (MPI one-sided operations), so that
 * no process waits for another's sample. */
static MPI_Win window;
static long *counter; /* in the window */
static int own_rank;

static int join(int *rank, int *size) {
  int error = MPI_Init(NULL, NULL);
  if (error != MPI_SUCCESS) return error;
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, size);
  own_rank = *rank;
  error = MPI_Win_allocate(own_rank == 0 ? (MPI_Aint)sizeof *counter : 0, sizeof *counter, MPI_INFO_NULL,
                           MPI_COMM_WORLD, &counter, &window);
  if (error == MPI_SUCCESS) error = MPI_Win_lock_all(0, window);
  return error;
}

static void leave(void) {
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Finalize();
}

static void meet(void);

/* Waits asleep for the others first: a broadcast waits busily. */
static void share(void *bytes, size_t size) {
  meet();
  for (char *at = bytes; size > 0;) {
    int part = size > INT_MAX ? INT_MAX : (int)size;
    MPI_Bcast(at, part, MPI_BYTE, 0, MPI_COMM_WORLD);
    at += part;
    size -= (size_t)part;
  }
}

/* A barrier that sleeps between looks: a process that waits must not take the processor from those that compute. */
static void meet(void) {
  MPI_Request request;
  int done = 0;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  for (MPI_Test(&request, &done, MPI_STATUS_IGNORE); !done; MPI_Test(&request, &done, MPI_STATUS_IGNORE))
    nanosleep(&(struct timespec){0, 1000000}, NULL);
}

static void restart(void) {
  meet();
  if (own_rank == 0) {
    long zero = 0, before;
    MPI_Fetch_and_op(&zero, &before, MPI_LONG, 0, 0, MPI_REPLACE, window);
    MPI_Win_flush(0, window);
  }
  meet();
}

static long take(long count) {
  long first;
  MPI_Fetch_and_op(&count, &first, MPI_LONG, 0, 0, MPI_SUM, window);
  MPI_Win_flush(0, window);
  return first;
}

const fw_transport fw_mpi_transport = {join, leave, share, meet, restart, take};
