/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The disk is full after so many writes: the program says so and ends with 3, whatever file it was; when there is room
 * again the folder is taken up, or begun anew, and holds what it would have held. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmocka_all.h"
#include "program.h"
#include "remove_folder.h"

static program p;

#define RUN(...) PROGRAM_RUN(&p, "run", "full-disk.tmp/deck.xml", "--quiet", __VA_ARGS__)

static void write_deck(void) {
  FILE *file = fopen("full-disk.tmp/deck.xml", "w");
  assert_non_null(file);
  fputs(
      "<fretwork version=\"1\"><parameters><parameter name=\"k\" value=\"100\"/></parameters>\n"
      "<bodies><rigid id=\"m\" at=\"0,0\" m=\"1\" J=\"1\"/><spring id=\"s\" at=\"m.centre\" direction=\"1,0\" "
      "k=\"k\"/></bodies><supports><support at=\"m.centre\" y=\"fixed\" rz=\"fixed\"/></supports><loads><force "
      "id=\"f\" at=\"m.centre\" fx=\"1\"/></loads>\n"
      "<sensors><sensor id=\"x\" at=\"m.centre\" direction=\"x\"/></sensors>\n"
      "<analyses><static id=\"s\" loads=\"f\"/><transient id=\"t\" loads=\"f\" duration=\"1\" step=\"0.01\" "
      "checkpoint-every=\"0.2\"/></analyses><outputs><vtk analysis=\"t\" every=\"50\"/></outputs>\n"
      "<studies><study id=\"y\" sampling=\"grid\" steps=\"2\" run=\"s\"><vary parameter=\"k\" min=\"90\" max=\"110\"/>"
      "<result name=\"r\" of=\"s\" quantity=\"sensors.x\"/></study></studies></fretwork>\n",
      file);
  fclose(file);
}

/* The program with a disk that is full after `writes`. */
static void run_with_room_for(long writes) {
  char text[32];
  snprintf(text, sizeof text, "%ld", writes);
  setenv("FAIL_WRITE_AFTER", text, 1);
  setenv("LD_PRELOAD", FW_FAILING_WRITE, 1);
  RUN("--force");
  unsetenv("LD_PRELOAD");
  unsetenv("FAIL_WRITE_AFTER");
}

static void read_history(char *text) {
  program_read("full-disk.tmp/deck.out/t/history.csv", text);
  assert_true(strlen(text) > 1000);
}

static void a_full_disk_is_told(void **state) {
  (void)state;
  static char whole[PROGRAM_TEXT], again[PROGRAM_TEXT];
  int told = 0;
  write_deck();
  RUN("--force");
  assert_int_equal(p.code, 0);
  read_history(whole);
  for (long n = 0; n < 4000; n += 1 + n / 3) {
    run_with_room_for(n);
    if (p.code == 0) break;
    if (p.code != 3 || !p.err[0]) fail_msg("after %ld writes: exit code %d, said: %s", n, p.code, p.err);
    told++;
    RUN("--resume");
    if (p.code == 2) RUN("--force"); /* it was full before the folder was told from any other */
    if (p.code != 0) fail_msg("after %ld writes, with room again: exit code %d, said: %s", n, p.code, p.err);
    read_history(again);
    assert_string_equal(whole, again);
  }
  print_message("%d places where the disk was full\n", told);
  assert_true(told > 8);
  assert_int_equal(p.code, 0);
}

static int set_up(void **state) {
  (void)state;
  remove_folder("full-disk.tmp");
  return mkdir("full-disk.tmp", 0755);
}

static int tear_down(void **state) {
  (void)state;
  remove_folder("full-disk.tmp");
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_full_disk_is_told)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
