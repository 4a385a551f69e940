/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Universal files: every number of every function that is read can be touched. */
#include "output/uff58.h"

#include "fuzz.h"

static volatile double touched;

static void touch(const fw_uff58 *f) {
  for (size_t i = 0; i < f->count; i++) touched = f->x[i] + f->re[i] + (f->im ? f->im[i] : 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fw_context *ctx = fuzz_context();
  fw_uff58 *functions = NULL;
  int count = 0;
  if (fw_uff58_read(ctx, fuzz_file(data, size), &functions, &count) == FW_OK) {
    for (int i = 0; i < count; i++) touch(&functions[i]);
    fw_uff58_destroy(&functions, count);
  } else {
    fuzz_demand(fw_context_message(ctx)[0] != '\0', "a universal file that is refused is told why");
  }
  fw_context_destroy(&ctx);
  return 0;
}
