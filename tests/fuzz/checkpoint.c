/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checkpoints. As they are: a file that is not sound is passed over or refused. And with a sound head and checksum
 * around the input's numbers, which a bit error cannot make but a person can: a state and a table are read from them.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "solver/time/archive.h"

static void as_it_is(fw_context *ctx, const uint8_t *data, size_t size) {
  fw_archive archive = {.ctx = ctx};
  bool found;
  if (fw_archive_load(&archive, fuzz_file(data, size), 1, &found) != FW_OK)
    fuzz_demand(fw_context_message(ctx)[0] != '\0', "a checkpoint that is refused is told why");
  fw_archive_clear(&archive);
}

static void read_state(fw_archive *archive) {
  double z_start = 0;
  fw_model model = {.dof_count = 2, .contact_count = 1, .z_count = 1, .z_start = &z_start, .load_count = 1};
  fw_state *state = NULL;
  fuzz_demand(fw_state_create(archive->ctx, &model, &state) == FW_OK, "a state");
  if (fw_archive_state(archive, state) == FW_OK)
    fuzz_demand(state->touch[0].status >= FW_OPEN && state->touch[0].status <= FW_SLIP, "a status is one of three");
  fw_state_destroy(&state);
}

static void read_tables(fw_archive *archive) {
  static const fw_column columns[] = {{"time", "s"}, {"x", "m"}};
  fw_sink *sink = NULL;
  fw_data_table *table = NULL;
  fuzz_demand(fw_sink_create(archive->ctx, &sink) == FW_OK &&
                  fw_sink_table(sink, archive->ctx, "run", "history", columns, 2, false, &table) == FW_OK,
              "a table");
  (void)fw_archive_tables(archive, sink, "run");
  fw_sink_destroy(&sink);
}

static void with_a_sound_head(fw_context *ctx, const uint8_t *data, size_t size) {
  size_t count = size / sizeof(double);
  double *numbers = calloc(count + 1, sizeof *numbers);
  fuzz_demand(numbers != NULL, "memory for the numbers");
  if (count) memcpy(numbers, data, count * sizeof *numbers);
  fw_archive archive = {.ctx = ctx, .reading = true, .numbers = numbers, .count = count, .room = count + 1};
  read_tables(&archive);
  archive.at = 0;
  read_state(&archive);
  fw_archive_clear(&archive);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fw_context *ctx = fuzz_context();
  as_it_is(ctx, data, size);
  with_a_sound_head(ctx, data, size);
  fw_context_destroy(&ctx);
  return 0;
}
