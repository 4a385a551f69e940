/* SPDX-License-Identifier: GPL-3.0-or-later */
/* /ANALYSIS/TABLE/COLUMN: a dataset of doubles with the attribute `unit`, in chunks, compressed; columns in the order of
 * the table (by creation). The file is made in memory, so that it reaches the disk whole or not at all. */
#include "output/hdf5/writer.h"

#include <hdf5.h>
#include <stdlib.h>

#include "core/module.h"

enum { CHUNK = 65536, COMPRESSION = 4 };

static bool put_text(hid_t object, const char *name, const char *text) {
  hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_cset(type, H5T_CSET_UTF8);
  H5Tset_size(type, H5T_VARIABLE); /* what Python reads as text, not as bytes */
  hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  bool done = attribute >= 0 && H5Awrite(attribute, type, &text) >= 0;
  if (attribute >= 0) H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
  return done;
}

static hid_t column_storage(hsize_t rows) {
  hid_t storage = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(storage, 1, (hsize_t[]){rows < CHUNK ? rows : CHUNK});
  H5Pset_shuffle(storage);
  H5Pset_deflate(storage, COMPRESSION);
  return storage;
}

static bool put_column(hid_t group, const fw_data_table *table, int column) {
  hsize_t rows = table->rows;
  hid_t space = H5Screate_simple(1, &rows, NULL), storage = column_storage(rows);
  hid_t set = H5Dcreate2(group, table->column_names[column], H5T_IEEE_F64LE, space, H5P_DEFAULT, storage, H5P_DEFAULT);
  bool done = set >= 0 && put_text(set, "unit", table->column_units[column]) &&
              H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, table->values[column]) >= 0;
  if (set >= 0) H5Dclose(set);
  H5Pclose(storage);
  H5Sclose(space);
  return done;
}

/* A group that remembers the order in which its members were made. */
static hid_t make_group(hid_t parent, const char *name) {
  hid_t order = H5Pcreate(H5P_GROUP_CREATE);
  H5Pset_link_creation_order(order, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  hid_t group = H5Gcreate2(parent, name, H5P_DEFAULT, order, H5P_DEFAULT);
  H5Pclose(order);
  return group;
}

static hid_t analysis_group(hid_t file, const char *name) {
  return H5Lexists(file, name, H5P_DEFAULT) > 0 ? H5Gopen2(file, name, H5P_DEFAULT) : make_group(file, name);
}

static bool put_table(hid_t file, const fw_data_table *table) {
  hid_t analysis = analysis_group(file, table->analysis);
  hid_t group = analysis >= 0 ? make_group(analysis, table->name) : -1;
  bool done = group >= 0;
  for (int c = 0; done && c < table->columns; c++) done = put_column(group, table, c);
  if (group >= 0) H5Gclose(group);
  if (analysis >= 0) H5Gclose(analysis);
  return done;
}

static bool take_bytes(hid_t file, void **bytes, size_t *length) {
  ssize_t size = H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0 ? H5Fget_file_image(file, NULL, 0) : -1;
  *bytes = size > 0 ? malloc((size_t)size) : NULL;
  *length = size > 0 ? (size_t)size : 0;
  return *bytes && H5Fget_file_image(file, *bytes, *length) == size;
}

static bool fill(hid_t file, const fw_sink *sink) {
  bool done = put_text(file, "format", "fretwork tables 1");
  for (int i = 0; done && i < sink->table_count; i++)
    if (!sink->tables[i]->stream && sink->tables[i]->rows > 0) done = put_table(file, sink->tables[i]);
  return done;
}

static bool write_in_memory(const fw_sink *sink, void **bytes, size_t *length) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(access, (size_t)1 << 20, 0);
  hid_t file = H5Fcreate("tables.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  bool done = file >= 0 && fill(file, sink) && take_bytes(file, bytes, length);
  if (file >= 0) H5Fclose(file);
  H5Pclose(access);
  return done;
}

/* HDF5 prints what fails unless it is told not to; the host may want that elsewhere. */
static bool write(const fw_sink *sink, void **bytes, size_t *length) {
  H5E_auto2_t print;
  void *data;
  *bytes = NULL;
  H5Eget_auto2(H5E_DEFAULT, &print, &data);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  bool done = write_in_memory(sink, bytes, length);
  H5Eset_auto2(H5E_DEFAULT, print, data);
  if (done) return true;
  free(*bytes);
  *bytes = NULL;
  return false;
}

const char fw_module_made_for[] = FW_MODULE_MARK;
const fw_hdf5_writer fw_hdf5_tables = {write};
