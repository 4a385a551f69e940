/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is not a finite number ends an analysis with time, place and cause; what is merely not known is an empty cell or
 * absent: no file of a sound run holds nan, inf or null. */
#include <ctype.h>
#include <dirent.h>
#include <sys/stat.h>

#include "cmocka_all.h"
#include "program.h"
#include "remove_folder.h"

static void write_text(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

/* A block on springs; the one in y is as good as none. The curve of <frf> has no resonance in its range. */
static const char deck[] =
    "<fretwork version=\"1\">\n"
    "<bodies><rigid id=\"b\" at=\"1, 2\" m=\"1\" J=\"1\"/></bodies>\n"
    "<supports><support at=\"b.centre\" x=\"100\" y=\"1e-3\" rz=\"1\"/></supports>\n"
    "<damping><rayleigh alpha=\"0.1\"/></damping>\n"
    "<loads><expression id=\"sinc\" at=\"b.centre\" fx=\"1\" value=\"sin(t)/t\"/>\n"
    "<expression id=\"pole\" at=\"b.centre\" fx=\"1\" value=\"1/(t-0.05)\"/>\n"
    "<force id=\"huge\" at=\"b.centre\" fy=\"1e308\"/><force id=\"push\" at=\"b.centre\" fx=\"1\"/>\n"
    "<harmonic id=\"shake\" at=\"b.centre\" fx=\"1\"/></loads>\n"
    "<sensors><sensor id=\"x\" at=\"b.centre\" quantity=\"displacement\" direction=\"x\"/>\n"
    "<sensor id=\"a\" at=\"b.centre\" quantity=\"acceleration\" direction=\"x\"/></sensors>\n"
    "<analyses>\n"
    "<transient id=\"alpha-0\" loads=\"sinc\" duration=\"0.1\" step=\"0.01\" solver=\"alpha\"/>\n"
    "<transient id=\"ida-0\" loads=\"sinc\" duration=\"0.1\" step=\"0.01\" solver=\"ida\"/>\n"
    "<transient id=\"cvode-0\" loads=\"sinc\" duration=\"0.1\" step=\"0.01\" solver=\"cvode\"/>\n"
    "<transient id=\"alpha-later\" loads=\"pole\" duration=\"0.1\" step=\"0.01\" solver=\"alpha\"/>\n"
    "<transient id=\"ida-later\" loads=\"pole\" duration=\"0.1\" step=\"0.01\" solver=\"ida\"/>\n"
    "<static id=\"overflow\" loads=\"huge\"/>\n"
    "<static id=\"pushed\" loads=\"push\"/>\n"
    "<static id=\"path\" loads=\"push\" path=\"arc-length\"/>\n"
    "<modal id=\"modes\"/>\n"
    "<frf id=\"flat\" loads=\"shake\" response=\"x\" f-min=\"0.1\" f-max=\"0.5\" points=\"5\"/>\n"
    "<frf id=\"curve\" loads=\"shake\" response=\"x\" f-min=\"1\" f-max=\"2\" points=\"15\"/>\n"
    "<transient id=\"moves\" loads=\"push\" duration=\"0.1\" step=\"0.01\"/>\n"
    "</analyses></fretwork>\n";

static void ends_with_time_place_and_cause(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"alpha-0", "t = 0 s: the load 'sinc' is not a number"},
      {"ida-0", "t = 0 s: the load 'sinc' is not a number"},
      {"cvode-0", "t = 0 s: the load 'sinc' is not a number"},
      {"alpha-later", "t = 0.05 s: the load 'pole' is infinite"},
      {"ida-later", "t = 0.05 s: the load 'pole' is infinite"},
      {"overflow", "t = 0 s: the displacement of 'b' in "},
  };
  static program p;
  write_text("finite.tmp.xml", deck);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    PROGRAM_RUN(&p, "run", "finite.tmp.xml", "--only", cases[i][0], "--out", "finite.tmp", "--force");
    if (p.code != 1 || !strstr(p.err, cases[i][1])) fail_msg("%s: %d\n%s", cases[i][0], p.code, p.err);
  }
}

/* The first of the words that stands alone in a text, or NULL. */
static const char *find_word(const char *text) {
  static const char *const words[] = {"nan", "inf", "null"};
  for (int w = 0; w < 3; w++) {
    size_t length = strlen(words[w]);
    for (const char *at = text; (at = strstr(at, words[w])); at += length)
      if ((at == text || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)at[length])) return words[w];
  }
  return NULL;
}

/* The program of a page is no result: it may say null. Its data, in scripts of type application/json, may not. */
static void blank_program(char *text) {
  char *start = strstr(text, "<script>"), *end = start ? strstr(start, "</script>") : NULL;
  if (end) memset(start, ' ', (size_t)(end - start));
}

static int files_with_words(const char *folder) {
  DIR *list = opendir(folder);
  int found = 0;
  assert_non_null(list);
  for (struct dirent *entry; (entry = readdir(list));) {
    char path[600];
    static char text[1 << 20];
    struct stat about;
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
      found += files_with_words(path);
      continue;
    }
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    blank_program(text);
    const char *word = find_word(text);
    if (word) print_error("%s: %s\n", path, word);
    found += word != NULL;
  }
  closedir(list);
  return found;
}

static void leaves_the_unknown_out(void **state) {
  (void)state;
  static program p;
  write_text("finite.tmp.xml", deck);
  PROGRAM_RUN(&p, "run", "finite.tmp.xml", "--only", "pushed", "--only", "path", "--only", "modes", "--only", "flat",
              "--only", "curve", "--only", "moves", "--out", "finite.tmp", "--force");
  if (p.code != 0) fail_msg("%d\n%s", p.code, p.err);
  assert_int_equal(files_with_words("finite.tmp"), 0);
}

/* Its own folder: other programs of this one leave their words where they run, too. */
int main(void) {
  remove_folder("not_finite.tmp");
  mkdir("not_finite.tmp", 0755);
  if (chdir("not_finite.tmp") != 0) return 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(ends_with_time_place_and_cause),
                                     cmocka_unit_test(leaves_the_unknown_out)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
