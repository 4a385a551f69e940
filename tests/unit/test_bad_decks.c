/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every deck under tests/decks/bad/ is refused with the messages it expects, no more and no fewer:
 *   <!-- expect: LINE ELEMENT ATTRIBUTE text that the message contains -->
 * "-" stands for no element or no attribute. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "fretwork.h"

#define BAD FW_SOURCE_DIR "/tests/decks/bad/"

static char *slurp(const char *path) {
  FILE *file = fopen(path, "rb");
  char *text = calloc(1, 1 << 20);
  assert_non_null(file);
  assert_non_null(text);
  assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
  fclose(file);
  return text;
}

static int count_lines(const char *text) {
  int lines = *text != '\0';
  for (; *text; text++) lines += *text == '\n';
  return lines;
}

/* True if one line of `messages` has the place, the attribute and the text. */
static bool is_told(const char *messages, const char *path, int line, const char *element, const char *attribute,
                    const char *text) {
  char place[512], quoted[128] = "";
  bool anywhere = strcmp(element, "-") == 0;
  snprintf(place, sizeof place, anywhere ? "%s:%d: " : "%s:%d: <%s>: ", path, line, element);
  if (strcmp(attribute, "-") != 0) snprintf(quoted, sizeof quoted, "attribute '%s': ", attribute);
  char *copy = strdup(messages), *rest = NULL;
  bool told = false;
  for (char *one = strtok_r(copy, "\n", &rest); one && !told; one = strtok_r(NULL, "\n", &rest))
    told = strncmp(one, place, strlen(place)) == 0 && strstr(one, quoted) && strstr(one, text);
  free(copy);
  return told;
}

/* Number of expectations of a deck that are not met. */
static int check_deck(fw_context *ctx, const char *path) {
  fw_deck *deck = NULL;
  fw_context_clear(ctx);
  fw_status status = fw_deck_load(ctx, path, &deck);
  if (status == FW_OK) status = fw_deck_check(ctx, deck);
  fw_deck_destroy(&deck);
  const char *messages = fw_context_message(ctx);
  int wrong = status != FW_ERR_DECK, expected = 0;
  char *text = slurp(path);
  for (const char *at = text; (at = strstr(at, "<!-- expect: ")); at++) {
    int line, used;
    char element[64], attribute[64], wanted[256] = "";
    assert_int_equal(sscanf(at, "<!-- expect: %d %63s %63s %n", &line, element, attribute, &used), 3);
    const char *end = strstr(at, " -->");
    assert_non_null(end);
    snprintf(wanted, sizeof wanted, "%.*s", (int)(end - at - used), at + used);
    expected++;
    if (!is_told(messages, path, line, element, attribute, wanted)) {
      print_error("%s: not told: line %d <%s> '%s': %s\n", path, line, element, attribute, wanted);
      wrong++;
    }
  }
  free(text);
  wrong += expected == 0 || count_lines(messages) != expected;
  if (wrong) print_error("status %d, messages:\n%s\n", status, messages);
  return wrong;
}

static void refuses_every_bad_deck(void **unused) {
  (void)unused;
  fw_context *ctx;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  DIR *folder = opendir(BAD);
  assert_non_null(folder);
  int decks = 0, wrong = 0;
  for (struct dirent *entry; (entry = readdir(folder));) {
    if (!strstr(entry->d_name, ".xml")) continue;
    char path[512];
    snprintf(path, sizeof path, BAD "%s", entry->d_name);
    wrong += check_deck(ctx, path) != 0;
    decks++;
  }
  closedir(folder);
  fw_context_destroy(&ctx);
  print_message("%d bad decks, %d not refused as they should be\n", decks, wrong);
  assert_int_equal(wrong, 0);
  assert_true(decks >= 80);
}

/* One of 501 nodes is as long as all other decks. */
static void refuses_a_superelement_of_too_many_nodes(void **unused) {
  (void)unused;
  static char text[50000];
  size_t used = (size_t)snprintf(text, sizeof text,
                                 "<fretwork version=\"1\"><bodies>\n<superelement id=\"s\" stiffness-file=\"%s\">",
                                 BAD "superelement-size.xml");
  for (int i = 0; i < 501; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "<node id=\"n%d\" at=\"%d, 0\"/>", i, i);
  snprintf(text + used, sizeof text - used,
           "</superelement></bodies><analyses><modal id=\"m\" modes=\"1\"/></analyses></fretwork>");
  fw_context *ctx;
  fw_deck *deck = NULL;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  assert_int_equal(fw_deck_parse(ctx, text, strlen(text), "many.xml", &deck), FW_OK);
  assert_int_equal(fw_deck_check(ctx, deck), FW_ERR_DECK);
  assert_string_equal(fw_context_message(ctx), "many.xml:2: <superelement>: has 501 nodes; from 2 to 500 are possible");
  fw_deck_destroy(&deck);
  fw_context_destroy(&ctx);
}

static void write_text(const char *path, const char *text, int times) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs("<fretwork version=\"1\" xmlns:xi=\"http://www.w3.org/2001/XInclude\">\n", file);
  while (times-- > 0) fputs(text, file);
  fputs("</fretwork>\n", file);
  fclose(file);
}

/* 256 files are read at most. */
static void refuses_too_many_parts(void **unused) {
  (void)unused;
  fw_context *ctx;
  fw_deck *deck = NULL;
  write_text("bad-decks-part.xml", "", 0);
  write_text("bad-decks-many.xml", "<xi:include href=\"bad-decks-part.xml\"/>\n", 300);
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  assert_int_equal(fw_deck_load(ctx, "bad-decks-many.xml", &deck), FW_ERR_DECK);
  if (!strstr(fw_context_message(ctx), "bad-decks-many.xml:257: <include>: too many parts"))
    fail_msg("%s", fw_context_message(ctx));
  fw_context_destroy(&ctx);
  remove("bad-decks-part.xml");
  remove("bad-decks-many.xml");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(refuses_every_bad_deck),
                                     cmocka_unit_test(refuses_a_superelement_of_too_many_nodes),
                                     cmocka_unit_test(refuses_too_many_parts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
