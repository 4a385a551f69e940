/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of measurements: all columns are equally long, cells are finite numbers or empty. */
#include "output/csv.h"

#include <math.h>

#include "fuzz.h"

static void check_table(const fw_data_table *table) {
  for (int c = 0; c < table->columns; c++)
    for (size_t r = 0; r < table->rows; r++) fuzz_demand(!isinf(table->values[c][r]), "cells of a table are finite");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fw_context *ctx = fuzz_context();
  fw_sink *sink = NULL;
  fw_data_table *table = NULL;
  fuzz_demand(fw_sink_create(ctx, &sink) == FW_OK, "a sink");
  if (fw_csv_read(ctx, fuzz_file(data, size), sink, "data", "fuzzed", &table) == FW_OK)
    check_table(table);
  else
    fuzz_demand(fw_context_message(ctx)[0] != '\0', "a table that is refused is told why");
  fw_sink_destroy(&sink);
  fw_context_destroy(&ctx);
  return 0;
}
