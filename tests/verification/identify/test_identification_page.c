/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every command of docs/identification.md does what the page says: it ends with 0. */
#include <stdbool.h>

#include "cmocka_all.h"
#include "program.h"
#include "remove_folder.h"

static const char *in_sources(const char *path, char whole[512]) {
  snprintf(whole, 512, "%s/%s", FW_SOURCE_DIR, path);
  return whole;
}

/* Runs one command line as from the folder of the sources; results go to a folder of the test's own. */
static void run_line(char *line, int number) {
  const char *arguments[28] = {0};
  char out[64], deck[512], *rest = NULL;
  int count = 0;
  static program p;
  for (char *word = strtok_r(line, " \n", &rest); word && count < 24; word = strtok_r(NULL, " \n", &rest))
    arguments[count++] = strncmp(word, "examples/", 9) == 0 ? in_sources(word, deck) : word;
  bool leaves = count > 1 && (strcmp(arguments[1], "run") == 0 || strcmp(arguments[1], "loop") == 0);
  snprintf(out, sizeof out, "/tmp/fw-page-%ld-%d", (long)getpid(), number);
  if (leaves) {
    arguments[count++] = "--out";
    arguments[count++] = out;
    arguments[count++] = "--force";
  }
  program_run(&p, arguments + 1);
  printf("%s %s: %d\n", arguments[1], count > 2 ? arguments[2] : "", p.code);
  if (leaves) remove_folder(out);
  if (p.code != 0) fail_msg("%s %s: %d\n%s", arguments[1], arguments[2], p.code, p.err);
}

static void commands_work(void **unused) {
  (void)unused;
  char line[1024];
  bool inside = false;
  int count = 0;
  FILE *page = fopen(FW_SOURCE_DIR "/docs/identification.md", "r");
  assert_non_null(page);
  while (fgets(line, sizeof line, page)) {
    if (strncmp(line, "```", 3) == 0) inside = strncmp(line, "```sh", 5) == 0;
    if (inside && strncmp(line, "fretwork ", 9) == 0) run_line(line, ++count);
  }
  fclose(page);
  assert_true(count >= 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(commands_work)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
