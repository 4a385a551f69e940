/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/mpi/transport.h"

#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/module.h"

/* Rank 0 lends everyone some numbers, which they read and change without it taking part (MPI one-sided operations), so
 * that no process waits for another's sample. */
enum { COUNTER, CALLED, RELEASED, LOST, PER_RANK };
static MPI_Win window;
static int own_rank, ranks;
static long round_now; /* how often all have come to finish */
static int lost;       /* ranks known to be dead */

/* How long MPI may take to start, and when it had. */
static double start_patience, joined;

/* What a process last saw of another's beats, and when. */
typedef struct pulse {
  long beats;
  double since;
} pulse;
static pulse *pulses; /* of every rank, of one wait */

/* Who has answered a call gives signs of life from then on, until it shares again: it may be anywhere before that. */
static bool awake;

/* Of each rank: beats, and the round it has come to the end of. */
static int beats_of(int rank) { return PER_RANK + 2 * rank; }
static int reached_by(int rank) { return PER_RANK + 2 * rank + 1; }

static long change(int number, long operand, MPI_Op how) {
  long before = 0;
  MPI_Fetch_and_op(&operand, &before, MPI_LONG, 0, number, how, window);
  MPI_Win_flush(0, window);
  return before;
}

static long look(int number) { return change(number, 0, MPI_NO_OP); }

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void doze(void) { nanosleep(&(struct timespec){0, 1000000}, NULL); }

static int meet_first(void) {
  int granted, error = MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &granted);
  if (error != MPI_SUCCESS) return error;
  MPI_Comm_rank(MPI_COMM_WORLD, &own_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  long *numbers = NULL;
  int count = own_rank == 0 ? beats_of(ranks) : 0;
  error = MPI_Win_allocate((MPI_Aint)sizeof *numbers * count, sizeof *numbers, MPI_INFO_NULL, MPI_COMM_WORLD, &numbers,
                           &window);
  for (int i = 0; error == MPI_SUCCESS && i < count; i++) numbers[i] = 0;
  if (error == MPI_SUCCESS) error = MPI_Barrier(MPI_COMM_WORLD);
  if (error == MPI_SUCCESS) error = MPI_Win_lock_all(0, window);
  pulses = calloc((size_t)ranks, sizeof *pulses);
  return pulses ? error : MPI_ERR_NO_MEM;
}

/* MPI waits for every process to start, also for those that die meanwhile: it starts in a thread of its own, which is left
 * alone where that takes too long. */
static int started_with;
static sem_t started;

static void *start_mpi(void *unused) {
  (void)unused;
  started_with = meet_first();
  sem_post(&started);
  return NULL;
}

static int join(double patience, int *rank, int *size) {
  pthread_t thread;
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += (time_t)patience;
  start_patience = patience;
  if (sem_init(&started, 0, 0) || pthread_create(&thread, NULL, start_mpi, NULL)) return MPI_ERR_NO_MEM;
  while (sem_timedwait(&started, &until))
    if (errno != EINTR) {
      pthread_detach(thread);
      return FW_TRANSPORT_LATE;
    }
  pthread_join(thread, NULL);
  joined = seconds_now();
  *rank = own_rank;
  *size = ranks;
  return started_with;
}

static long take(long count) { return change(COUNTER, count, MPI_SUM); }

/* ---- who is alive ------------------------------------------------------------------------ */

static const double BEAT = 0.5, PATIENCE = 5; /* s */

/* A sign of life. Every call lets rank 0 serve what others ask of its numbers, where the network does not do that by
 * itself. */
static void beat(void) {
  static double last;
  double now = seconds_now();
  int any;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &any, MPI_STATUS_IGNORE);
  if (now < last + BEAT) return;
  last = now;
  change(beats_of(own_rank), 1, MPI_SUM);
}

static bool is_silent(pulse *p, int rank) {
  long beats = look(beats_of(rank));
  double now = seconds_now();
  if (beats != p->beats || p->since == 0) *p = (pulse){beats, now};
  return now - p->since > PATIENCE;
}

/* How many have fallen silent: rank 0 sees it, the others ask what it has seen. */
static int fallen_silent(void) {
  int silent = 0;
  if (own_rank != 0) return is_silent(&pulses[0], 0) ? 1 : (int)look(LOST);
  for (int rank = 1; rank < ranks; rank++) silent += is_silent(&pulses[rank], rank);
  if (silent) change(LOST, silent, MPI_REPLACE);
  return silent;
}

/* Rank 0 waits for every rank to come to the end or to fall silent, and tells how many did. */
static int wait_for_all(void) {
  int silent = 0;
  for (int rank = 1; rank < ranks; rank++) {
    pulse p = {0};
    while (look(reached_by(rank)) < round_now && !is_silent(&p, rank)) {
      beat();
      doze();
    }
    silent += look(reached_by(rank)) < round_now;
  }
  change(LOST, silent, MPI_REPLACE);
  change(RELEASED, round_now, MPI_REPLACE);
  return silent;
}

static int wait_for_release(void) {
  pulse leader = {0};
  change(reached_by(own_rank), round_now, MPI_REPLACE);
  while (look(RELEASED) < round_now) {
    if (is_silent(&leader, 0)) return 1;
    beat();
    doze();
  }
  return (int)look(LOST);
}

static int finish(void) {
  round_now++;
  lost = own_rank == 0 ? wait_for_all() : wait_for_release();
  return lost;
}

/* The others answer only when they are called: that one has waited here does not say that it still lives. */
static int call(void) {
  round_now++;
  if (own_rank == 0) {
    change(CALLED, round_now, MPI_REPLACE);
    awake = (lost = wait_for_all()) == 0;
    return lost;
  }
  while (look(CALLED) < round_now) {
    if ((lost = (int)look(LOST))) return lost;
    beat();
    doze();
  }
  awake = (lost = wait_for_release()) == 0;
  return lost;
}

/* ---- together ---------------------------------------------------------------------------- */

/* Rank 0 waits for others that read the same deck as it has done: ten times as long, and as long as MPI may take. */
static void wait_asleep(double since) {
  double now = seconds_now();
  if (own_rank != 0) {
    lost = (int)look(LOST);
  } else if (now - since > start_patience + 10 * (since - joined)) {
    lost = ranks - 1;
    change(LOST, lost, MPI_REPLACE);
  }
}

/* Waits asleep for what all take part in: who waits must not take the processor from those that compute. False: one of
 * them was lost. */
static bool wait_for(MPI_Request *request) {
  int done = 0;
  double since = seconds_now();
  memset(pulses, 0, (size_t)ranks * sizeof *pulses);
  while (!lost) {
    MPI_Test(request, &done, MPI_STATUS_IGNORE);
    if (done) return true;
    beat();
    doze();
    if (awake)
      lost = fallen_silent();
    else
      wait_asleep(since);
  }
  return false;
}

static bool meet(void) {
  MPI_Request request;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  return wait_for(&request);
}

/* Bytes go in parts that are the same for all; a process without room for them takes part with scratch. */
enum { PART = 1 << 16 };
static char scratch[PART], merged[PART];

static char *place_of(void *bytes, size_t at) { return bytes ? (char *)bytes + at : scratch; }
static int part_of(size_t size, size_t at) { return size - at < PART ? (int)(size - at) : PART; }

static int pass(void *bytes, size_t size) {
  MPI_Request request;
  bool whole = !lost;
  for (size_t at = 0; at < size && whole; at += PART) {
    MPI_Ibcast(place_of(bytes, at), part_of(size, at), MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    whole = wait_for(&request) && meet(); /* the root of a broadcast may be done before anyone else begins */
  }
  return lost;
}

static void share(void *bytes, size_t size) {
  awake = false;
  pass(bytes, size);
}

static int restart(void) {
  if (meet() && own_rank == 0) change(COUNTER, 0, MPI_REPLACE);
  if (!lost) meet();
  return lost;
}

/* What rank 0 has is replaced by what came of it only when all of it is there. */
static int merge(void *bytes, size_t size) {
  MPI_Request request;
  bool whole = !lost;
  memset(scratch, 0, sizeof scratch);
  for (size_t at = 0; at < size && whole; at += PART) {
    char *place = place_of(bytes, at);
    MPI_Ireduce(place, merged, part_of(size, at), MPI_BYTE, MPI_BOR, 0, MPI_COMM_WORLD, &request);
    whole = wait_for(&request);
    if (whole && own_rank == 0) memcpy(place, merged, (size_t)part_of(size, at));
  }
  return lost;
}

/* ---- the end ----------------------------------------------------------------------------- */

/* With the dead there is no taking leave together. */
static void leave(void) {
  awake = false;
  if (!lost) meet();
  free(pulses);
  pulses = NULL;
  if (lost) return;
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Finalize();
}

const char fw_module_made_for[] = FW_MODULE_MARK;
const fw_transport fw_mpi_transport = {join, leave, share, pass, restart, take, beat, finish, call, merge};
