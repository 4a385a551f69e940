/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line as a user meets it: exit codes, messages, what is on disk afterwards. */
#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "cmocka_all.h"
#include "core/record.h"
#include "output/files.h"
#include "output/summary.h"
#include "program.h"
#include "remove_folder.h"

static fw_context *ctx;
static program p;

static int start(void **state) {
  (void)state;
  fw_context_create(&ctx);
  remove_folder("cli.tmp");
  return fw_folder_make(ctx, "cli.tmp");
}

static int stop(void **state) {
  (void)state;
  remove_folder("cli.tmp");
  fw_context_destroy(&ctx);
  return 0;
}

/* A cantilever with the given attributes in its beam and the given analyses, line by line. */
static void write_deck(const char *path, const char *beam, const char *analyses) {
  char text[4096];
  int length = snprintf(text, sizeof text,
                        "<fretwork version=\"1\">\n"
                        "<parameters><parameter name=\"thick\" value=\"5\" unit=\"mm\"/></parameters>\n"
                        "<materials><elastic id=\"steel\" E=\"210e9\" nu=\"0.3\" rho=\"7800\"/></materials>\n"
                        "<sections><rectangle id=\"strip\" width=\"40e-3\" height=\"thick\"/></sections>\n"
                        "<bodies><beam id=\"beam\" section=\"strip\" from=\"0, 0\" to=\"0.5, 0\" divisions=\"8\"\n"
                        "  %s>\n"
                        "<point id=\"clamp\" s=\"0\"/><point id=\"tip\" s=\"0.5\"/></beam></bodies>\n"
                        "<supports><support at=\"beam.clamp\" x=\"fixed\" y=\"fixed\" rz=\"fixed\"/></supports>\n"
                        "<loads><force id=\"pull\" at=\"beam.tip\" fy=\"1\"/>\n"
                        "<harmonic id=\"shake\" at=\"beam.tip\" fy=\"1\"/></loads>\n"
                        "<sensors><sensor id=\"tip\" at=\"beam.tip\" direction=\"y\"/></sensors>\n"
                        "<analyses>\n%s\n</analyses>\n</fretwork>\n",
                        beam, analyses);
  assert_int_equal(fw_file_write(ctx, path, text, (size_t)length), FW_OK);
}

#define STEEL "material=\"steel\""

static void assert_said(const char *text, const char *part) {
  if (!strstr(text, part)) fail_msg("\"%s\" not in:\n%s", part, text);
}

static void helps(void **state) {
  (void)state;
  const char *const commands[] = {"run", "check", "new", "list", "report", "compare", "export", NULL};
  for (int i = 0; commands[i]; i++) {
    PROGRAM_RUN(&p, commands[i], "--help");
    assert_int_equal(p.code, 0);
    assert_said(p.out, "usage: fretwork ");
    PROGRAM_RUN(&p, commands[i], "--no-such-option");
    assert_int_equal(p.code, 2);
    PROGRAM_RUN(&p, "help", commands[i]);
    assert_int_equal(p.code, 0);
    PROGRAM_RUN(&p, "--help");
    assert_said(p.out, commands[i]);
  }
  PROGRAM_RUN(&p, "--version");
  assert_string_equal(p.out + strlen("fretwork "), strcat(strcpy((char[64]){0}, fw_version()), "\n"));
  PROGRAM_RUN(&p, "list", "--colour");
  assert_said(p.err, "fretwork list: unrecognized option");
  PROGRAM_RUN(&p, "rnu");
  assert_int_equal(p.code, 2);
  PROGRAM_RUN(&p, "run");
  assert_int_equal(p.code, 2);
}

/* Templates are the files of api/templates, decks without their ending. The mesh that one of them reads is made by Gmsh: its
 * tutorial does that. */
static void starter_decks_are_sound(void **state) {
  (void)state;
  DIR *folder = opendir(FW_SOURCE_DIR "/api/templates");
  assert_non_null(folder);
  for (const struct dirent *entry; (entry = readdir(folder));) {
    char name[256], path[288];
    if (entry->d_name[0] == '.') continue;
    snprintf(name, sizeof name, "%s", entry->d_name);
    char *ending = strstr(name, ".xml");
    if (ending) *ending = '\0';
    snprintf(path, sizeof path, "cli.tmp/new-%s", entry->d_name);
    PROGRAM_RUN(&p, "new", name, "--out", path);
    assert_int_equal(p.code, 0);
    if (ending && strcmp(name, "gmsh-contact") != 0) {
      PROGRAM_RUN(&p, "check", "--strict", path);
      assert_int_equal(p.code, 0);
    }
    PROGRAM_RUN(&p, "new", name, "--out", path); /* does not overwrite */
    assert_int_equal(p.code, 3);
    PROGRAM_RUN(&p, "new", "--help");
    assert_said(p.out, name);
  }
  closedir(folder);
  PROGRAM_RUN(&p, "new", "mode");
  assert_int_equal(p.code, 2);
  assert_said(p.err, "did you mean \"modes\"?");
}

static void lists(void **state) {
  (void)state;
  PROGRAM_RUN(&p, "list");
  assert_said(p.out, "laws");
  PROGRAM_RUN(&p, "list", "laws");
  assert_said(p.out, "dahl");
  PROGRAM_RUN(&p, "list", "laws", "dahl");
  assert_said(p.out, "sigma-0");
  PROGRAM_RUN(&p, "list", "laws", "dhal");
  assert_int_equal(p.code, 2);
  assert_said(p.err, "did you mean \"dahl\"?");
  PROGRAM_RUN(&p, "list", "enforcement");
  assert_said(p.err, "there are: laws, elements");
}

static void wrong_decks_name_file_line_and_element(void **state) {
  (void)state;
  write_deck("cli.tmp/attribute.xml", STEEL " colour=\"red\"", "");
  PROGRAM_RUN(&p, "run", "cli.tmp/attribute.xml");
  assert_int_equal(p.code, 2);
  assert_said(p.err, "cli.tmp/attribute.xml:");
  assert_said(p.err, "<beam>");
  assert_said(p.err, "colour");
  assert_false(fw_path_exists("cli.tmp/attribute.out"));
  write_deck("cli.tmp/dangling.xml", "material=\"steal\"", "");
  PROGRAM_RUN(&p, "check", "cli.tmp/dangling.xml");
  assert_int_equal(p.code, 2);
  assert_said(p.err, "cli.tmp/dangling.xml:");
  assert_said(p.err, "steal");
  write_deck("cli.tmp/idle.xml", STEEL, "");
  PROGRAM_RUN(&p, "run", "cli.tmp/idle.xml");
  assert_int_equal(p.code, 2);
  assert_said(p.err, "nothing to run");
  PROGRAM_RUN(&p, "run", "cli.tmp/no-such-deck.xml");
  assert_int_equal(p.code, 2);
  assert_said(p.err, "cli.tmp/no-such-deck.xml");
}

static void wrong_arguments(void **state) {
  (void)state;
  write_deck("cli.tmp/good.xml", STEEL, "<modal id=\"modes\" modes=\"2\"/>");
  PROGRAM_RUN(&p, "run", "cli.tmp/good.xml", "--set", "thickk=6");
  assert_int_equal(p.code, 2);
  assert_said(p.err, "thick");
  PROGRAM_RUN(&p, "run", "cli.tmp/good.xml", "--set", "thick");
  assert_int_equal(p.code, 2);
  PROGRAM_RUN(&p, "run", "cli.tmp/good.xml", "--only", "mode");
  assert_int_equal(p.code, 2);
  assert_said(p.err, "did you mean \"modes\"?");
  PROGRAM_RUN(&p, "run", "cli.tmp/good.xml", "--threads", "0");
  assert_int_equal(p.code, 2);
  PROGRAM_RUN(&p, "run", "cli.tmp/good.xml", "--resume", "--force");
  assert_int_equal(p.code, 2);
}

static double summary_number(const char *folder, const char *path) {
  fw_record *record;
  double value;
  assert_int_equal(fw_summary_read(ctx, folder, &record), FW_OK);
  if (fw_record_number(record, path, &value) != FW_OK) fail_msg("no %s in the summary of %s", path, folder);
  fw_record_destroy(&record);
  return value;
}

static void leaves_a_result_folder(void **state) {
  (void)state;
  static const char *const files[] = {"summary.json",
                                      "summary.txt",
                                      "report.html",
                                      "log.txt",
                                      "deck.xml",
                                      "modes/modes.csv",
                                      "modes/modes.vtt",
                                      "modes/mode.pvd",
                                      "modes/mode-0001.vtu",
                                      "modes/mode-0001.svg",
                                      NULL};
  write_deck("cli.tmp/whole.xml", STEEL, "<modal id=\"modes\" modes=\"2\"/>");
  PROGRAM_RUN(&p, "run", "cli.tmp/whole.xml");
  assert_int_equal(p.code, 0);
  for (int i = 0; files[i]; i++) {
    char path[128];
    snprintf(path, sizeof path, "cli.tmp/whole.out/%s", files[i]);
    if (!fw_path_exists(path)) fail_msg("no %s", path);
  }
  double thin = summary_number("cli.tmp/whole.out", "analyses.modes.modes[0].frequency");
  assert_true(summary_number("cli.tmp/whole.out", "cpu_seconds") > 0.0);
  /* f is proportional to the thickness */
  PROGRAM_RUN(&p, "run", "cli.tmp/whole.xml", "--set", "thick=10");
  assert_int_equal(p.code, 2); /* it exists */
  PROGRAM_RUN(&p, "run", "cli.tmp/whole.xml", "--set", "thick=10", "--force");
  assert_int_equal(p.code, 0);
  double thick = summary_number("cli.tmp/whole.out", "analyses.modes.modes[0].frequency");
  assert_true(thick / thin > 2 - 1e-6 && thick / thin < 2 + 1e-6);
  /* the deck as it was run gives the same again */
  PROGRAM_RUN(&p, "run", "cli.tmp/whole.out/deck.xml", "--out", "cli.tmp/again");
  assert_int_equal(p.code, 0);
  assert_true(summary_number("cli.tmp/again", "analyses.modes.modes[0].frequency") == thick);
  PROGRAM_RUN(&p, "report", "cli.tmp/again", "cli.tmp/whole.out", "--out", "cli.tmp/both.html");
  assert_int_equal(p.code, 0);
  assert_true(fw_path_exists("cli.tmp/both.html"));
}

static void never_replaces_what_is_no_result(void **state) {
  (void)state;
  write_deck("cli.tmp/careful.xml", STEEL, "<modal id=\"modes\" modes=\"2\"/>");
  fw_folder_make(ctx, "cli.tmp/precious");
  fw_file_write(ctx, "cli.tmp/precious/thesis.tex", "x", 1);
  PROGRAM_RUN(&p, "run", "cli.tmp/careful.xml", "--out", "cli.tmp/precious", "--force");
  assert_int_equal(p.code, 2);
  assert_said(p.err, "is not a result folder");
  assert_true(fw_path_exists("cli.tmp/precious/thesis.tex"));
}

static void the_environment_fails(void **state) {
  (void)state;
  write_deck("cli.tmp/env.xml", STEEL, "<modal id=\"modes\" modes=\"2\"/>");
  PROGRAM_RUN(&p, "run", "cli.tmp/env.xml", "--out", "/proc/nowhere");
  assert_int_equal(p.code, 3);
  assert_said(p.err, "/proc/nowhere");
  PROGRAM_RUN(&p, "run", "cli.tmp/env.xml", "--out", "cli.tmp/env.xml/out");
  assert_int_equal(p.code, 3);
  /* a full disk under one table */
  PROGRAM_RUN(&p, "run", "cli.tmp/env.xml");
  assert_int_equal(p.code, 0);
  unlink("cli.tmp/env.out/modes/modes.csv");
  assert_int_equal(symlink("/dev/full", "cli.tmp/env.out/modes/modes.csv"), 0);
  PROGRAM_RUN(&p, "run", "cli.tmp/env.xml", "--resume");
  assert_int_equal(p.code, 3);
  assert_said(p.err, "cli.tmp/env.out/modes/modes.csv: cannot write: No space left");
  /* files that may not grow */
  struct rlimit before, small;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  small = (struct rlimit){20000, before.rlim_max};
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  PROGRAM_RUN(&p, "run", "cli.tmp/env.xml", "--out", "cli.tmp/env-small.out", "--quiet");
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  assert_int_equal(p.code, 3);
  assert_said(p.err, "cannot write: File too large");
}

static void runs_what_is_asked_and_what_it_starts_from(void **state) {
  (void)state;
  write_deck("cli.tmp/only.xml", STEEL,
             "<static id=\"bent\" loads=\"pull\"/>\n"
             "<modal id=\"free\" modes=\"2\"/>\n"
             "<modal id=\"about\" start=\"bent\" modes=\"2\"/>\n");
  PROGRAM_RUN(&p, "run", "cli.tmp/only.xml", "--only", "about", "--quiet");
  assert_int_equal(p.code, 0);
  assert_string_equal(p.out, "");
  assert_string_equal(p.err, "");
  assert_true(summary_number("cli.tmp/only.out", "analyses.bent.sensors.tip") > 0.0);
  assert_true(summary_number("cli.tmp/only.out", "analyses.about.modes[1].frequency") > 0.0);
  assert_false(fw_path_exists("cli.tmp/only.out/free"));
}

/* What starts from an analysis that has failed is left out, and told to be; others run. */
static void what_starts_from_a_failure_is_left_out(void **state) {
  (void)state;
  static const char text[] =
      "<fretwork version=\"1\"><bodies><rigid id=\"m\" at=\"0, 0\" m=\"1\" rotation=\"none\"/>"
      "<spring id=\"s\" at=\"m.centre\" direction=\"1, 0\" k=\"400\"/></bodies>"
      "<contact><surface id=\"floor\"><line from=\"-1, -0.1\" to=\"1, -0.1\"/></surface><pair id=\"foot\" "
      "target=\"floor\">"
      "<disc at=\"m.centre\" radius=\"0.1\"/><normal law=\"linear\" stiffness=\"1e5\"/></pair></contact>"
      "<loads><force id=\"up\" at=\"m.centre\" fy=\"10\"/><force id=\"down\" at=\"m.centre\" fy=\"-10\"/></loads>"
      "<sensors><sensor id=\"y\" at=\"m.centre\" direction=\"y\"/></sensors><analyses><static id=\"lifted\" "
      "loads=\"up\"/>"
      "<modal id=\"about\" start=\"lifted\" modes=\"1\"/><static id=\"seated\" loads=\"down\"/></analyses></fretwork>";
  fw_record *record;
  const char *word;
  assert_int_equal(fw_file_write(ctx, "cli.tmp/left.xml", text, strlen(text)), FW_OK);
  PROGRAM_RUN(&p, "run", "cli.tmp/left.xml");
  assert_int_equal(p.code, 1);
  assert_said(p.err, "about: left out, lifted failed");
  assert_said(p.out, "about          modal      left out");
  assert_int_equal(fw_summary_read(ctx, "cli.tmp/left.out", &record), FW_OK);
  assert_int_equal(fw_record_text(record, "analyses.about.status", &word), FW_OK);
  assert_string_equal(word, "left out");
  fw_record_destroy(&record);
  assert_near(summary_number("cli.tmp/left.out", "analyses.seated.sensors.y"), -1e-4, 1e-12);
}

/* Waits up to ten seconds for a file of some size. */
static bool appears(const char *path, long size) {
  for (int i = 0; i < 1000; i++) {
    FILE *file = fopen(path, "r");
    long length = 0;
    if (file) {
      fseek(file, 0, SEEK_END);
      length = ftell(file);
      fclose(file);
    }
    if (length > size) return true;
    nanosleep(&(struct timespec){0, 10000000}, NULL);
  }
  return false;
}

static void an_interrupted_run_keeps_valid_files(void **state) {
  (void)state;
  write_deck("cli.tmp/long.xml", STEEL,
             "<static id=\"bent\" loads=\"pull\"/>\n"
             "<transient id=\"shaken\" start=\"bent\" loads=\"shake\" at-frequency=\"20\" periods=\"1e6\"/>\n");
  pid_t child = program_start((const char *const[]){"run", "cli.tmp/long.xml", NULL});
  assert_true(appears("cli.tmp/long.out/shaken/history.csv", 10000));
  kill(child, SIGINT);
  program_wait(child, &p);
  assert_int_equal(p.code, 130);
  assert_said(p.err, "interrupted");
  assert_said(p.err, "cli.tmp/long.out/shaken");
  fw_record *record;
  const char *word;
  assert_int_equal(fw_summary_read(ctx, "cli.tmp/long.out", &record), FW_OK);
  assert_int_equal(fw_record_text(record, "status", &word), FW_OK);
  assert_string_equal(word, "interrupted");
  assert_int_equal(fw_record_text(record, "analyses.bent.status", &word), FW_OK);
  assert_string_equal(word, "done");
  fw_record_destroy(&record);
  assert_true(fw_path_exists("cli.tmp/long.out/report.html"));
  PROGRAM_RUN(&p, "report", "cli.tmp/long.out"); /* reads every table back */
  assert_int_equal(p.code, 0);
}

/* A process that empties a pipe until it is killed. */
static pid_t read_after_two_seconds(const char *path) {
  char text[65536];
  pid_t reader = fork();
  if (reader != 0) return reader;
  nanosleep(&(struct timespec){2, 0}, NULL);
  int pipe = open(path, O_RDWR);
  while (read(pipe, text, sizeof text) > 0) {
  }
  _exit(0);
}

/* A run that has stopped computing may take its time to write: here a table goes into a pipe that is read after two seconds. */
static void an_interrupted_run_is_not_hurried_while_it_writes(void **state) {
  (void)state;
  write_deck("cli.tmp/slow.xml", STEEL,
             "<transient id=\"shaken\" loads=\"shake\" at-frequency=\"20\" periods=\"1e6\"/>\n");
  pid_t child = program_start((const char *const[]){"run", "cli.tmp/slow.xml", NULL});
  assert_true(appears("cli.tmp/slow.out/shaken/history.csv", 10000));
  assert_int_equal(mkfifo("cli.tmp/slow.out/shaken/history.vtt.part", 0600), 0);
  kill(child, SIGINT);
  pid_t reader = read_after_two_seconds("cli.tmp/slow.out/shaken/history.vtt.part");
  program_wait(child, &p);
  kill(reader, SIGKILL);
  waitpid(reader, NULL, 0);
  assert_int_equal(p.code, 130);
  assert_said(p.err, "what was computed is in cli.tmp/slow.out/shaken");
  assert_true(fw_path_exists("cli.tmp/slow.out/summary.json"));
  assert_true(fw_path_exists("cli.tmp/slow.out/report.html"));
}

/* Two runs of a mass on a spring, with measured amplitudes 1 N/|k - m w^2 + i c w|, and on a page, where a deck without a title is
 * called by its folder. */
static void runs_are_compared(void **state) {
  (void)state;
  static const char text[] =
      "<fretwork version=\"1\"><parameters><parameter name=\"k\" value=\"400\"/></parameters>"
      "<bodies><rigid id=\"m\" at=\"0, 0\" m=\"1\" rotation=\"none\"/><spring id=\"s\" at=\"m.centre\" ground=\"-1, "
      "0\" k=\"k\"/>"
      "<damper id=\"c\" at=\"m.centre\" ground=\"-1, 0\" c=\"1\"/></bodies><supports><support at=\"m.centre\" "
      "y=\"fixed\"/></supports>"
      "<loads><harmonic id=\"shake\" at=\"m.centre\" fx=\"1\"/></loads><sensors><sensor id=\"x\" at=\"m.centre\" "
      "direction=\"x\"/>"
      "</sensors><analyses><frf id=\"frf\" loads=\"shake\" response=\"x\" f-min=\"2\" f-max=\"5\" levels=\"1, "
      "2\"/></analyses></fretwork>";
  char data[256];
  char *page = NULL;
  int length = snprintf(data, sizeof data, "frequency [Hz],amplitude [m]\n");
  for (int f = 2; f <= 5; f++) {
    double w = 2 * M_PI * f;
    length += snprintf(data + length, sizeof data - (size_t)length, "%d,%.9g\n", f, 1 / hypot(400 - w * w, w));
  }
  assert_int_equal(fw_file_write(ctx, "cli.tmp/two.xml", text, strlen(text)), FW_OK);
  assert_int_equal(fw_file_write(ctx, "cli.tmp/frf-1N.csv", data, (size_t)length), FW_OK);
  PROGRAM_RUN(&p, "run", "cli.tmp/two.xml", "--quiet");
  assert_int_equal(p.code, 0);
  PROGRAM_RUN(&p, "run", "cli.tmp/two.xml", "--quiet", "--set", "k=500", "--out", "cli.tmp/stiff.out");
  assert_int_equal(p.code, 0);
  PROGRAM_RUN(&p, "compare", "cli.tmp/two.out");
  assert_int_equal(p.code, 2);
  PROGRAM_RUN(&p, "compare", "cli.tmp/two.out", "cli.tmp/frf-1N.csv");
  assert_int_equal(p.code, 0);
  const char *misfit = strstr(p.out, "misfit_percent");
  assert_non_null(misfit);
  assert_true(strtod(misfit + strlen("misfit_percent"), NULL) <
              0.5); /* between computed points the curve is straight */
  PROGRAM_RUN(&p, "compare", "cli.tmp/stiff.out", "cli.tmp/frf-1N.csv");
  assert_int_equal(p.code, 0);
  assert_true(strtod(strstr(p.out, "misfit_percent") + strlen("misfit_percent"), NULL) > 10);
  PROGRAM_RUN(&p, "report", "cli.tmp/two.out", "cli.tmp/stiff.out", "--out", "cli.tmp/two.html");
  assert_int_equal(p.code, 0);
  assert_int_equal(fw_file_read(ctx, "cli.tmp/two.html", &page, NULL), FW_OK);
  assert_said(page, "<li>run 2: <a href=\"#cli.tmp/stiff.out\">cli.tmp/stiff.out</a></li>");
  assert_said(page, "<figcaption>frf/over-frequency-x.svg</figcaption>");
  assert_said(page, "level 2 run 1");
  assert_said(page, "level 1 run 2");
  free(page);
}

static void refused(const char *words) {
  if (p.code != 2 || !strstr(p.err, words)) fail_msg("%d: %s", p.code, p.err);
}

/* What is misspelt is told what there is. */
static void misspelt_words_are_told_what_there_is(void **unused) {
  (void)unused;
  PROGRAM_RUN(&p, "list", "shema");
  refused("there is no table \"shema\"; did you mean \"schema\"?");
  PROGRAM_RUN(&p, "list", "laws", "dahll");
  refused("there is no \"dahll\" among the laws; did you mean \"dahl\"?");
  PROGRAM_RUN(&p, "list", "schema", "rigid");
  refused("\"rigid\": schema is listed as a whole only");
  PROGRAM_RUN(&p, "loop", "dahl", "mu_c=0.3");
  refused("has no parameter as in 'mu_c=0.3'; did you mean 'mu-c'?; there are: mu-c, ");
  PROGRAM_RUN(&p, "export", "nowhere.out", "table.csv");
  refused("table.csv: tables are CSV files already, nowhere.out/ANALYSIS/TABLE.csv");
}

/* PLplot without its driver has one message, fretwork's; it does not ask on the terminal for another one. */
static void a_missing_driver_is_told(void **unused) {
  (void)unused;
  write_deck("cli.tmp/good.xml", STEEL, "<modal id=\"modes\" modes=\"2\"/>");
  setenv("PLPLOT_DRV_DIR", "/nowhere", 1);
  PROGRAM_RUN(&p, "run", "cli.tmp/good.xml", "--quiet", "--out", "cli.tmp/undrawn");
  unsetenv("PLPLOT_DRV_DIR");
  assert_int_equal(p.code, 3);
  assert_string_equal(p.out, "");
  assert_string_equal(p.err, "PLplot cannot draw: its driver svgcairo is missing, or there is no room on the disk\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(helps),
      cmocka_unit_test(starter_decks_are_sound),
      cmocka_unit_test(lists),
      cmocka_unit_test(wrong_decks_name_file_line_and_element),
      cmocka_unit_test(wrong_arguments),
      cmocka_unit_test(leaves_a_result_folder),
      cmocka_unit_test(never_replaces_what_is_no_result),
      cmocka_unit_test(the_environment_fails),
      cmocka_unit_test(a_missing_driver_is_told),
      cmocka_unit_test(runs_what_is_asked_and_what_it_starts_from),
      cmocka_unit_test(what_starts_from_a_failure_is_left_out),
      cmocka_unit_test(runs_are_compared),
      cmocka_unit_test(an_interrupted_run_keeps_valid_files),
      cmocka_unit_test(an_interrupted_run_is_not_hurried_while_it_writes),
      cmocka_unit_test(misspelt_words_are_told_what_there_is),
  };
  return cmocka_run_group_tests(tests, start, stop);
}
