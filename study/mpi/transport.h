/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the plug-in library fretwork_mpi supplies: MPI behind a few functions, so that nothing else of fretwork links
 * it. */
#ifndef FW_STUDY_MPI_TRANSPORT_H
#define FW_STUDY_MPI_TRANSPORT_H

#include <stddef.h>

typedef struct fw_transport {
  /* 0, or MPI's error code, or that not all processes have come within so many seconds. */
  int (*join)(double patience, int *rank, int *size);
  void (*leave)(void);
  void (*share)(void *bytes, size_t size);
  int (*pass)(void *bytes, size_t size);
  int (*restart)(void);
  long (*take)(long count);
  void (*beat)(void);
  int (*finish)(void);
  int (*call)(void);
  int (*merge)(void *bytes, size_t size);
} fw_transport;

enum { FW_TRANSPORT_LATE = -1 };

/* The symbol the library exports. */
extern const fw_transport fw_mpi_transport;
#define FW_TRANSPORT_SYMBOL "fw_mpi_transport"

#endif
