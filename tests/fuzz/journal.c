/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Journals of a study of four samples, one parameter and two figures: as they are, and with the right first line and
 * checksum around every line of the input. */
#include "study/journal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "fuzz.h"

enum { SAMPLES = 4 };

static void read_journals(fw_context *ctx) {
  double values[SAMPLES] = {0.1, 0.2, 0.3, 0.4};
  fw_study study = {.factor_count = 1, .columns = 2, .samples = SAMPLES, .values = values, .mark = 1};
  fw_samples *samples = NULL;
  fuzz_demand(fw_samples_create(ctx, &study, true, &samples) == FW_OK, "samples");
  if (fw_journals_read(ctx, &study, fuzz_folder(), samples) != FW_OK)
    fuzz_demand(fw_context_message(ctx)[0] != '\0', "a journal that is refused is told why");
  fuzz_demand(samples->done <= SAMPLES && samples->failed <= samples->done, "no more samples than there are");
  fw_samples_destroy(&samples);
}

/* The lines of `text` with their checksums. To be freed. */
static char *with_checksums(char *text, size_t size) {
  char *whole = malloc(64 + 20 * (size + 1)), *rest = text;
  fuzz_demand(whole != NULL, "memory for the journal");
  int at = sprintf(whole, "# fretwork study journal 2, mark %016x\n", 1);
  for (char *line; (line = strtok_r(rest, "\n", &rest));)
    at += sprintf(whole + at, "%s,%016" PRIx64 "\n", line, fw_hash(FW_HASH_START, line, strlen(line)));
  return whole;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fw_context *ctx = fuzz_context();
  char *text = fuzz_text(data, size);
  fuzz_file(data, size);
  read_journals(ctx);
  char *whole = with_checksums(text, size);
  fuzz_file((const uint8_t *)whole, strlen(whole));
  read_journals(ctx);
  free(whole);
  free(text);
  fw_context_destroy(&ctx);
  return 0;
}
