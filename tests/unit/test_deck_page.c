/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page written from the grammar and the tables. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "input/describe.h"

/* docs/deck.md is what the grammar says: write it again with FRETWORK_WRITE_DOCS=1. */
static void the_docs_page_is_current(void **unused) {
  (void)unused;
  const char *path = FW_SOURCE_DIR "/docs/deck.md";
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  assert_non_null(out);
  fw_describe_language(out);
  assert_int_equal(fclose(out), 0);
  FILE *file = fopen(path, getenv("FRETWORK_WRITE_DOCS") ? "w+" : "r");
  assert_non_null(file);
  if (getenv("FRETWORK_WRITE_DOCS")) {
    fputs(text, file);
    rewind(file);
  }
  char *stored = calloc(length + 2, 1);
  assert_non_null(stored);
  size_t read = fread(stored, 1, length + 1, file);
  fclose(file);
  if (read != length || strcmp(stored, text) != 0)
    fail_msg("docs/deck.md is out of date: run this test with FRETWORK_WRITE_DOCS=1");
  free(stored);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_docs_page_is_current)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
