/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables with their units as HDF5, for histories that are too long for text. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "core/module.h"
#include "output/export.h"
#include "output/files.h"
#include "output/hdf5/writer.h"

static bool has_rows(const fw_sink *sink) {
  for (int i = 0; i < sink->table_count; i++)
    if (!sink->tables[i]->stream && sink->tables[i]->rows > 0) return true;
  return false;
}

/* HDF5 has static state: one thread at a time. */
static bool write_locked(const fw_hdf5_writer *writer, const fw_sink *sink, void **bytes, size_t *length) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  bool done = writer->write(sink, bytes, length);
  pthread_mutex_unlock(&lock);
  return done;
}

fw_status fw_export_hdf5(fw_context *ctx, const fw_sink *sink, const char *path) {
  if (!has_rows(sink)) return fw_fail(ctx, FW_ERR_ARGUMENT, "the result has no tables");
  static const fw_module hdf5 = {"hdf5", NULL, RTLD_LOCAL, FW_HDF5_SYMBOL};
  const void *writer;
  void *bytes;
  size_t length;
  FW_TRY(fw_module_find(ctx, &hdf5, &writer));
  if (!write_locked(writer, sink, &bytes, &length))
    return fw_fail(ctx, FW_ERR_LIBRARY, "%s: HDF5 cannot hold these tables", path);
  fw_status status = fw_file_write(ctx, path, bytes, length);
  free(bytes);
  return status;
}
