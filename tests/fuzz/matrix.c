/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrix Market files of superelements. */
#include "solver/linalg/matrix_market.h"

#include <stdlib.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static volatile double touched;
  fw_context *ctx = fuzz_context();
  double *matrix = NULL;
  int rows = 0;
  if (fw_matrix_market_read(ctx, fuzz_file(data, size), 50, &rows, &matrix) == FW_OK)
    for (int i = 0; i < rows * rows; i++) touched = matrix[i];
  else
    fuzz_demand(fw_context_message(ctx)[0] != '\0', "a matrix that is refused is told why");
  (void)touched;
  free(matrix);
  fw_context_destroy(&ctx);
  return 0;
}
