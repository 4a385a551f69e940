/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that are no decks, and decks in parts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/deck.h"
#include "one_context.h"

static void write_file(const char *path, const char *text) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
}

static void refuse(const char *path, fw_status expected, const char *why) {
  fw_deck *deck = NULL;
  fw_context_clear(ctx);
  fw_status status = fw_deck_load(ctx, path, &deck);
  if (status != expected || !strstr(fw_context_message(ctx), why)) print_error("%s\n", fw_context_message(ctx));
  assert_int_equal(status, expected);
  assert_null(deck);
  assert_non_null(strstr(fw_context_message(ctx), why));
}

static void refuses_what_is_no_deck(void **unused) {
  (void)unused;
  refuse("nowhere.xml", FW_ERR_DECK, "nowhere.xml: No such file");
  refuse(".", FW_ERR_DECK, ".: is a directory");
  refuse("/dev/null", FW_ERR_DECK, "is not a regular file");
  write_file("empty.xml", "");
  refuse("empty.xml", FW_ERR_DECK, "empty.xml: is empty");
  write_file("binary.xml", "\x7f\x45LF\x01\x02");
  refuse("binary.xml", FW_ERR_DECK, "not well-formed XML");
  write_file("text.xml", "fretwork\n");
  refuse("text.xml", FW_ERR_DECK, "not well-formed XML");
  remove("empty.xml");
  remove("binary.xml");
  remove("text.xml");
}

static void refuses_an_unreadable_file(void **unused) {
  (void)unused;
  if (geteuid() == 0) return; /* root reads everything */
  write_file("locked.xml", "<fretwork/>");
  assert_int_equal(chmod("locked.xml", 0), 0);
  refuse("locked.xml", FW_ERR_IO, "Permission denied");
  remove("locked.xml");
}

/* As many attributes as take libxml2 a minute to compare; a thousand are its business, and those of a comment nobody's. */
static void refuses_too_many_attributes(void **unused) {
  (void)unused;
  static const int counts[] = {900, 100000};
  for (int k = 0; k < 2; k++) {
    FILE *file = fopen("many.xml", "wb");
    assert_non_null(file);
    fputs("<fretwork version=\"1\">\n<!-- < ", file);
    for (int i = 0; i < 2000; i++) fputs("a='1' ", file);
    fputs("-->\n<title ", file);
    for (int i = 0; i < counts[k]; i++) fprintf(file, "a%d='>' ", i);
    fputs("/></fretwork>\n", file);
    assert_int_equal(fclose(file), 0);
    refuse("many.xml", FW_ERR_DECK, k ? "many.xml:3: a tag of more than 1000 attributes" : "many.xml:3: <title>");
  }
  remove("many.xml");
}

/* A huge attribute within the size of a deck, and one beyond it. */
static void refuses_a_huge_attribute(void **unused) {
  (void)unused;
  for (int megabytes = 20; megabytes <= 100; megabytes += 80) {
    FILE *file = fopen("huge.xml", "wb");
    assert_non_null(file);
    fputs("<fretwork version=\"", file);
    char *chunk = malloc(1 << 20);
    assert_non_null(chunk);
    memset(chunk, '1', 1 << 20);
    for (int i = 0; i < megabytes; i++) assert_int_equal(fwrite(chunk, 1, 1 << 20, file), 1 << 20);
    free(chunk);
    fputs("\"/>", file);
    assert_int_equal(fclose(file), 0);
    refuse("huge.xml", FW_ERR_DECK, megabytes == 20 ? "not well-formed XML: AttValue" : "is larger than 64 MB");
  }
  remove("huge.xml");
}

static void refuses_deep_nesting(void **unused) {
  (void)unused;
  FILE *file = fopen("deep.xml", "wb");
  assert_non_null(file);
  for (int i = 0; i < 100000; i++) fputs("<a>", file);
  assert_int_equal(fclose(file), 0);
  refuse("deep.xml", FW_ERR_DECK, "Excessive depth");
  remove("deep.xml");
}

/* A parenthesis tower is bounded by the parser of expressions, not by the stack. */
static void refuses_a_tower_of_parentheses(void **unused) {
  (void)unused;
  FILE *file = fopen("tower.xml", "wb");
  assert_non_null(file);
  fputs("<fretwork version=\"", file);
  for (int i = 0; i < 1000000; i++) fputc('(', file);
  fputs("1\"><bodies/></fretwork>", file);
  assert_int_equal(fclose(file), 0);
  refuse("tower.xml", FW_ERR_DECK, "longer than");
  remove("tower.xml");
}

static const char part[] =
    "<materials>\n"
    "  <elastic id='steel' E='210e9' rho='7800'/>\n"
    "</materials>\n";

static const char whole[] =
    "<fretwork version='1' xmlns:xi='http://www.w3.org/2001/XInclude'>\n"
    "  <xi:include href='parts/materials.xml'/>\n"
    "  <sections><circle id='rod' diameter='0.01'/></sections>\n"
    "  <bodies><beam id='b' material='steel' section='rod' from='0,0' to='1,0' divisions='2'/></bodies>\n"
    "  <analyses><modal id='modes' modes='1'/></analyses>\n"
    "</fretwork>\n";

static void includes_parts(void **unused) {
  (void)unused;
  mkdir("parts", 0777);
  write_file("parts/materials.xml", part);
  write_file("whole.xml", whole);
  fw_deck *deck = NULL;
  fw_status status = fw_deck_load(ctx, "whole.xml", &deck);
  if (status == FW_OK) status = fw_deck_check(ctx, deck);
  if (status != FW_OK) print_error("%s\n", fw_context_message(ctx));
  assert_int_equal(status, FW_OK);
  fw_deck_destroy(&deck);
  /* An error in a part is told with the part's own name and line. */
  write_file("parts/materials.xml", "<materials>\n\n  <elastic id='steel' E='-1' rho='7800'/>\n</materials>\n");
  refuse("whole.xml", FW_ERR_DECK, "parts/materials.xml:3: <elastic>: attribute 'E'");
  remove("parts/materials.xml");
}

/* A link that leads out of the folder is outside. */
static void refuses_a_link_to_outside(void **unused) {
  (void)unused;
  mkdir("parts", 0777);
  remove("parts/materials.xml");
  write_file("outside.xml", part);
  mkdir("inside", 0777);
  mkdir("inside/parts", 0777);
  remove("inside/parts/materials.xml");
  assert_int_equal(symlink("../../outside.xml", "inside/parts/materials.xml"), 0);
  write_file("inside/whole.xml", whole);
  refuse("inside/whole.xml", FW_ERR_DECK, "outside the deck's folder");
  remove("inside/parts/materials.xml");
  remove("outside.xml");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      IN_CONTEXT(refuses_what_is_no_deck),
      IN_CONTEXT(refuses_an_unreadable_file),
      IN_CONTEXT(refuses_too_many_attributes),
      IN_CONTEXT(refuses_a_huge_attribute),
      IN_CONTEXT(refuses_deep_nesting),
      IN_CONTEXT(refuses_a_tower_of_parentheses),
      IN_CONTEXT(includes_parts),
      IN_CONTEXT(refuses_a_link_to_outside),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
