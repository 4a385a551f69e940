/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A parameter study in one's own program: how the first frequencies of a cantilever depend on its thickness.
 *   modes DECK PARAMETER VALUE...   with a deck that has a modal analysis called "modes" */
#include <fretwork.h>
#include <stdio.h>

/* Runs the deck with one value and prints a row; a failure is told by the context. */
static fw_status run_with(fw_context *ctx, fw_deck *deck, const char *name, const char *value) {
  fw_results *results = NULL;
  const double *hertz = NULL;
  size_t count = 0;
  fw_status status = fw_deck_set(ctx, deck, name, value);
  if (status == FW_OK) status = fw_run(ctx, deck, NULL, &results);
  if (status == FW_OK) status = fw_results_column(results, "modes", "modes", "frequency", &count, &hertz);
  if (status == FW_OK) printf("%10s", value);
  for (size_t i = 0; status == FW_OK && i < count; i++) printf(" %12.6g", hertz[i]);
  if (status == FW_OK) putchar('\n');
  fw_results_destroy(&results);
  return status;
}

int main(int argc, char **argv) {
  fw_context *ctx = NULL;
  fw_deck *deck = NULL;
  if (argc < 4) {
    fprintf(stderr, "usage: %s DECK PARAMETER VALUE...\n", argv[0]);
    return 2;
  }
  fw_status status = fw_context_create(&ctx);
  if (status == FW_OK) status = fw_deck_load(ctx, argv[1], &deck);
  if (status == FW_OK) printf("%10s   frequencies [Hz]\n", argv[2]);
  for (int i = 3; i < argc && status == FW_OK; i++) status = run_with(ctx, deck, argv[2], argv[i]);
  if (status != FW_OK) fprintf(stderr, "%s: %s\n", fw_status_text(status), fw_context_message(ctx));
  fw_deck_destroy(&deck);
  fw_context_destroy(&ctx);
  return status == FW_OK ? 0 : 1;
}
