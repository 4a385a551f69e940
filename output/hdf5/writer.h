/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the module fretwork_hdf5 supplies: HDF5 behind one function, so that nothing else of fretwork links it. */
#ifndef FW_OUTPUT_HDF5_WRITER_H
#define FW_OUTPUT_HDF5_WRITER_H

#include "core/sink.h"

typedef struct fw_hdf5_writer {
  /* The tables with rows as the bytes of an HDF5 file, to be freed; false if HDF5 fails. Not for two threads at once. */
  bool (*write)(const fw_sink *sink, void **bytes, size_t *length);
} fw_hdf5_writer;

/* The symbol the module exports. */
extern const fw_hdf5_writer fw_hdf5_tables;
#define FW_HDF5_SYMBOL "fw_hdf5_tables"

#endif
