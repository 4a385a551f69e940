/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Result folders know what is theirs: nothing else in them is ever removed or written over. */
#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmocka_all.h"
#include "core/record.h"
#include "output/files.h"
#include "program.h"
#include "remove_folder.h"

static fw_context *ctx;
static program p;

static int start(void **state) {
  (void)state;
  fw_context_create(&ctx);
  remove_folder("folder.tmp");
  return fw_folder_make(ctx, "folder.tmp");
}

static int stop(void **state) {
  (void)state;
  remove_folder("folder.tmp");
  fw_context_destroy(&ctx);
  return 0;
}

static void write_text(const char *path, const char *text) {
  assert_int_equal(fw_file_write(ctx, path, text, strlen(text)), FW_OK);
}

static void assert_holds(const char *path, const char *text) {
  char *held;
  assert_int_equal(fw_file_read(ctx, path, &held, NULL), FW_OK);
  assert_string_equal(held, text);
  free(held);
}

static void assert_refused(const char *why) {
  assert_int_equal(p.code, 2);
  if (!strstr(p.err, why)) fail_msg("'%s' is not in: %s", why, p.err);
}

/* Every kind of file: tables, plots, pictures, checkpoint, journal, comparison, report. */
static const char deck[] =
    "<fretwork version=\"1\"><parameters><parameter name=\"k\" value=\"100\"/></parameters>\n"
    "<bodies><rigid id=\"m\" at=\"0,0\" m=\"1\" J=\"1\"/><spring id=\"s\" at=\"m.centre\" direction=\"1,0\" k=\"k\"/>"
    "<spring id=\"u\" at=\"m.centre\" direction=\"0,1\" k=\"50\"/>"
    "<torsional-spring id=\"r\" at=\"m.centre\" k=\"3\"/></bodies>\n"
    "<loads><force id=\"f\" at=\"m.centre\" fx=\"1\"/></loads><sensors><sensor id=\"x\" at=\"m.centre\" "
    "direction=\"x\"/></sensors>\n"
    "<analyses><modal id=\"modes\" modes=\"2\"/><transient id=\"t\" loads=\"f\" duration=\"0.2\" step=\"0.01\" "
    "checkpoint-every=\"0.05\"/></analyses>\n"
    "<outputs><vtk analysis=\"t\" every=\"5\"/></outputs>\n"
    "<studies><study id=\"study\" sampling=\"grid\" steps=\"3\" run=\"modes\"><vary parameter=\"k\" min=\"90\" "
    "max=\"110\"/><result name=\"f1\" of=\"modes\" quantity=\"modes[0].frequency\"/></study></studies>\n"
    "</fretwork>\n";

static void run_deck(const char *out, const char *how) {
  PROGRAM_RUN(&p, "run", "folder.tmp/d.xml", "--quiet", "--threads", "1", "--out", out, how);
}

/* Files below a folder that its manifest does not name. */
static int count_unlisted(const char *top, const char *below, const char *list) {
  char path[1024], line[1024];
  int count = 0;
  snprintf(path, sizeof path, "%.400s/%.400s", top, below);
  DIR *folder = opendir(path);
  for (const struct dirent *entry; folder && (entry = readdir(folder));) {
    struct stat info;
    if (entry->d_name[0] == '.' || strncmp(entry->d_name, "manifest.", 9) == 0) continue;
    snprintf(line, sizeof line, "%.400s%s%.400s", below, below[0] ? "/" : "", entry->d_name);
    snprintf(path, sizeof path, "%.400s/%.600s", top, line);
    assert_int_equal(stat(path, &info), 0);
    if (S_ISDIR(info.st_mode)) count += count_unlisted(top, line, list);
    strncat(line, S_ISDIR(info.st_mode) ? "/\n" : "\n", 3);
    if (strstr(list, line)) continue;
    print_message("not in the manifest: %s", line);
    count++;
  }
  if (folder) closedir(folder);
  return count;
}

static void manifests_name_every_file(void **state) {
  (void)state;
  char *list;
  write_text("folder.tmp/d.xml", deck);
  write_text("folder.tmp/measured.csv", "frequency [Hz],x [m]\n1,1\n2,2\n");
  run_deck("folder.tmp/out", "--quiet");
  assert_int_equal(p.code, 0);
  PROGRAM_RUN(&p, "report", "folder.tmp/out");
  assert_int_equal(p.code, 0);
  assert_int_equal(fw_file_read(ctx, "folder.tmp/out/manifest.txt", &list, NULL), FW_OK);
  assert_non_null(strstr(list, "t/checkpoint.bin\n"));
  assert_non_null(strstr(list, "study/journal-0.txt\n"));
  assert_int_equal(count_unlisted("folder.tmp/out", "", list), 0);
  free(list);
}

static void force_keeps_what_is_the_users(void **state) {
  (void)state;
  write_text("folder.tmp/out/notes.md", "mine");
  write_text("folder.tmp/out/t/extra.csv", "mine");
  fw_folder_make(ctx, "folder.tmp/out/mine");
  write_text("folder.tmp/out/mine/thesis.tex", "mine");
  write_text("folder.tmp/out/t/stale.part", "mine");
  run_deck("folder.tmp/out", "--force");
  assert_int_equal(p.code, 0);
  assert_holds("folder.tmp/out/notes.md", "mine");
  assert_holds("folder.tmp/out/t/extra.csv", "mine");
  assert_holds("folder.tmp/out/mine/thesis.tex", "mine");
  assert_holds("folder.tmp/out/t/stale.part", "mine");
  assert_true(fw_path_exists("folder.tmp/out/t/history.csv"));
}

/* What is no longer computed is gone. */
static void force_removes_what_is_fretworks(void **state) {
  (void)state;
  PROGRAM_RUN(&p, "run", "folder.tmp/d.xml", "--quiet", "--out", "folder.tmp/out", "--force", "--only", "modes");
  assert_int_equal(p.code, 0);
  assert_false(fw_path_exists("folder.tmp/out/t/history.csv"));
  assert_false(fw_path_exists("folder.tmp/out/study"));
  assert_holds("folder.tmp/out/t/extra.csv", "mine");
}

static void files_of_the_same_name_are_not_written_over(void **state) {
  (void)state;
  write_text("folder.tmp/out/t/history.csv", "mine");
  run_deck("folder.tmp/out", "--force");
  assert_refused("out/t/history.csv: is there already and not of fretwork's making");
  assert_holds("folder.tmp/out/t/history.csv", "mine");
}

static void other_folders_are_left_alone(void **state) {
  (void)state;
  static const char *const ways[] = {"--force", "--resume", "--quiet"};
  char here[4096];
  fw_folder_make(ctx, "folder.tmp/old");
  write_text("folder.tmp/old/log.txt", "mine");
  fw_folder_make(ctx, "folder.tmp/hidden");
  write_text("folder.tmp/hidden/.secret", "mine");
  for (int i = 0; i < 2; i++) {
    run_deck("folder.tmp/old", ways[i]);
    assert_refused("has no manifest.json");
    run_deck("folder.tmp/hidden", ways[i]);
    assert_refused("is not a result folder");
  }
  assert_holds("folder.tmp/old/log.txt", "mine");
  assert_holds("folder.tmp/hidden/.secret", "mine");
  /* the deck's own folder */
  assert_non_null(getcwd(here, sizeof here));
  assert_int_equal(chdir("folder.tmp"), 0);
  for (int i = 0; i < 3; i++) {
    PROGRAM_RUN(&p, "run", "d.xml", "--out", ".", ways[i]);
    assert_int_equal(p.code, 2);
  }
  assert_int_equal(chdir(here), 0);
  assert_holds("folder.tmp/d.xml", deck);
}

/* A list that leads out of the folder is not followed. */
static void manifests_reach_no_further_than_their_folder(void **state) {
  (void)state;
  run_deck("folder.tmp/reach", "--quiet");
  assert_int_equal(p.code, 0);
  write_text("folder.tmp/precious", "mine");
  write_text("folder.tmp/reach/manifest.txt", "../precious\nt/../../precious\n/etc/none\n");
  run_deck("folder.tmp/reach", "--force");
  assert_int_not_equal(p.code, 0); /* the old files are not fretwork's any more */
  assert_holds("folder.tmp/precious", "mine");
}

static void one_run_at_a_time(void **state) {
  (void)state;
  const char *const first[] = {"run", "folder.tmp/d.xml", "--out", "folder.tmp/shared", NULL};
  pid_t both[2];
  int done = 0, refused = 0;
  for (int i = 0; i < 2; i++) both[i] = program_start(first);
  for (int i = 0; i < 2; i++) {
    program_wait(both[i], &p);
    done += p.code == 0;
    refused += p.code == 2;
  }
  assert_int_equal(done, 1);
  assert_int_equal(refused, 1);
}

static void export_and_report_do_not_write_over(void **state) {
  (void)state;
  run_deck("folder.tmp/shown", "--quiet");
  assert_int_equal(p.code, 0);
  write_text("folder.tmp/page.html", "mine");
  PROGRAM_RUN(&p, "report", "folder.tmp/shown", "--out", "folder.tmp/page.html");
  assert_refused("folder.tmp/page.html: exists; --force replaces it");
  PROGRAM_RUN(&p, "export", "folder.tmp/shown", "folder.tmp/page.html");
  assert_refused("folder.tmp/page.html: exists; --force replaces it");
  assert_holds("folder.tmp/page.html", "mine");
  PROGRAM_RUN(&p, "report", "folder.tmp/shown", "--out", "folder.tmp/page.html", "--force");
  assert_int_equal(p.code, 0);
  PROGRAM_RUN(&p, "export", "folder.tmp/shown", "folder.tmp/page.html", "--force");
  assert_int_equal(p.code, 0);
}

/* The program finds the module beside itself. */
static void exports_hdf5(void **state) {
  (void)state;
  char *bytes;
  run_deck("folder.tmp/stored", "--quiet");
  PROGRAM_RUN(&p, "export", "folder.tmp/stored", "folder.tmp/all.h5", "--binary");
  assert_refused("HDF5 has one form only");
  PROGRAM_RUN(&p, "export", "folder.tmp/stored", "folder.tmp/all.h5");
  assert_int_equal(p.code, 0);
  assert_int_equal(fw_file_read(ctx, "folder.tmp/all.h5", &bytes, NULL), FW_OK);
  assert_memory_equal(bytes, "\x89HDF\r\n\x1a\n", 8);
  free(bytes);
}

/* Where a table stands in an export. */
static int find_table(const fw_record *record, const char *name) {
  const char *found;
  char path[64];
  for (int i = 0;; i++) {
    snprintf(path, sizeof path, "tables[%d].table", i);
    if (fw_record_text(record, path, &found) != FW_OK) fail_msg("no table %s", name);
    if (strcmp(found, name) == 0) return i;
  }
}

/* x = (1 - cos 10 t)/100 of a mass that a force of 1 N pulls against 100 N/m. */
static void exports_json_with_units(void **state) {
  (void)state;
  char *json, path[64];
  const char *text;
  double time, x;
  fw_record *record;
  run_deck("folder.tmp/told", "--quiet");
  PROGRAM_RUN(&p, "export", "folder.tmp/told", "folder.tmp/all.json", "--binary");
  assert_refused("JSON has one form only");
  PROGRAM_RUN(&p, "export", "folder.tmp/told", "folder.tmp/all.json");
  assert_int_equal(p.code, 0);
  assert_int_equal(fw_file_read(ctx, "folder.tmp/all.json", &json, NULL), FW_OK);
  assert_int_equal(fw_record_parse(ctx, json, &record), FW_OK);
  free(json);
  const int at = find_table(record, "history");
  const char *const members[][3] = {{"0", "time", "s"}, {"1", "x", "m"}};
  for (int c = 0; c < 2; c++) {
    snprintf(path, sizeof path, "tables[%d].columns[%s].name", at, members[c][0]);
    assert_int_equal(fw_record_text(record, path, &text), FW_OK);
    assert_string_equal(text, members[c][1]);
    snprintf(path, sizeof path, "tables[%d].columns[%s].unit", at, members[c][0]);
    assert_int_equal(fw_record_text(record, path, &text), FW_OK);
    assert_string_equal(text, members[c][2]);
  }
  snprintf(path, sizeof path, "tables[%d].columns[0].values[20]", at);
  assert_int_equal(fw_record_number(record, path, &time), FW_OK);
  snprintf(path, sizeof path, "tables[%d].columns[1].values[20]", at);
  assert_int_equal(fw_record_number(record, path, &x), FW_OK);
  assert_near(time, 0.2, 1e-12);
  assert_near(x, (1.0 - cos(2.0)) / 100.0, 2e-5);
  fw_record_destroy(&record);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(manifests_name_every_file),
                                     cmocka_unit_test(exports_json_with_units),
                                     cmocka_unit_test(exports_hdf5),
                                     cmocka_unit_test(force_keeps_what_is_the_users),
                                     cmocka_unit_test(force_removes_what_is_fretworks),
                                     cmocka_unit_test(files_of_the_same_name_are_not_written_over),
                                     cmocka_unit_test(other_folders_are_left_alone),
                                     cmocka_unit_test(manifests_reach_no_further_than_their_folder),
                                     cmocka_unit_test(one_run_at_a_time),
                                     cmocka_unit_test(export_and_report_do_not_write_over)};
  return cmocka_run_group_tests(tests, start, stop);
}
