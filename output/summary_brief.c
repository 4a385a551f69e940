/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The summary in a screen: a line for each part with what one wants to know first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/reading.h"
#include "output/summary.h"

enum { PATH = 512, LINE = 110, MOST_LINES = 20, SHOWN = 4 };

static const char *const owners[] = {"analyses", "identification", "studies"};

static const char *text_at(const fw_record *record, const char *part, const char *name) {
  char path[2 * PATH];
  const char *text = "";
  snprintf(path, sizeof path, "%s.%s", part, name);
  fw_record_text(record, path, &text);
  return text;
}

/* Adds words to a line as long as they fit; "..." where they do not. */
static void add_words(char line[LINE], const char *words) {
  size_t have = strlen(line), more = strlen(words);
  if (have + more + 4 < LINE)
    memcpy(line + have, words, more + 1);
  else if (have + 4 < LINE && (have < 3 || strcmp(line + have - 3, "...") != 0))
    memcpy(line + have, "...", 4);
}

/* Adds "before 52.52 Hz" if that figure is there. */
static bool add_figure(char line[LINE], const fw_record *record, const char *path, const char *before) {
  double value;
  char words[2 * PATH];
  if (fw_record_number(record, path, &value) != FW_OK) return false;
  fw_said said = fw_say(value, fw_record_unit(record, path));
  snprintf(words, sizeof words, "%s%s%s", line[0] ? ", " : "", before, said.text);
  add_words(line, words);
  return true;
}

/* The one frequency there is, or the first figures of a list, such as frequencies of modes. */
static void add_lists(char line[LINE], const fw_record *record, const char *part) {
  static const char *const lists[][3] = {
      {"modes", "frequency", ""}, {"levels", "resonance.frequency", ""}, {"levels", "peak.amplitude", "peak "}};
  char path[2 * PATH];
  snprintf(path, sizeof path, "%s.frequency", part); /* of a limit cycle */
  add_figure(line, record, path, "");
  for (size_t f = 0; f < sizeof lists / sizeof *lists && !line[0]; f++)
    for (int i = 0; i < SHOWN; i++) {
      snprintf(path, sizeof path, "%s.%s[%d].%s", part, lists[f][0], i, lists[f][1]);
      if (!add_figure(line, record, path, i == 0 ? lists[f][2] : "")) break;
    }
}

static void add_members(char line[LINE], const fw_record *record, const char *part) {
  static const char *const members[][2] = {
      {"sensors", "max"}, {"contact", "normal"}, {"contact", "work_rate"}, {"results", "mean"}};
  for (size_t m = 0; m < sizeof members / sizeof *members; m++) {
    char object[2 * PATH], path[4 * PATH], before[PATH];
    snprintf(object, sizeof object, "%s.%s", part, members[m][0]);
    for (int i = 0; i < fw_record_count(record, object) && i < SHOWN; i++) {
      const char *key = fw_record_key(record, object, i);
      snprintf(path, sizeof path, "%s.%s.%s", object, key, members[m][1]);
      snprintf(before, sizeof before, "%.100s %s ", key, members[m][1]);
      for (char *bar; (bar = strchr(before, '_'));) *bar = ' ';
      if (strcmp(members[m][1], "work_rate") == 0 || strcmp(members[m][1], "normal") == 0 || i == 0)
        add_figure(line, record, path, before);
    }
  }
}

/* Where a search ended: "least peak 1.571 mm, at N 31.42 N". The value stands before the place in the record. */
static bool add_least(char line[LINE], const fw_record *record, const char *part) {
  char object[2 * PATH], path[4 * PATH], before[PATH];
  const char *word = "least ";
  snprintf(object, sizeof object, "%s.least", part);
  for (int i = 0; i < fw_record_count(record, object); i++) {
    const char *key = fw_record_key(record, object, i);
    if (strcmp(key, "samples") == 0 || strcmp(key, "sample") == 0) continue;
    snprintf(path, sizeof path, "%s.%s", object, key);
    snprintf(before, sizeof before, "%s%.100s ", word, key);
    if (add_figure(line, record, path, before)) word = word[0] == 'l' ? "at " : "";
  }
  return word[0] != 'l';
}

/* A study ends well although samples of it have failed: how many. */
static void add_failures(char line[LINE], const fw_record *record, const char *part) {
  char path[2 * PATH], words[80];
  double failed = 0, all = 0;
  snprintf(path, sizeof path, "%s.failed", part);
  fw_record_number(record, path, &failed);
  snprintf(path, sizeof path, "%s.samples", part);
  fw_record_number(record, path, &all);
  if (!(failed > 0)) return;
  snprintf(words, sizeof words, "%s%.0f of %.0f samples failed", line[0] ? ", " : "", failed, all);
  add_words(line, words);
}

static void put_part(FILE *out, const fw_record *record, const char *owner, const char *name) {
  char part[PATH], line[LINE] = "";
  snprintf(part, sizeof part, "%s.%s", owner, name);
  const char *kind = text_at(record, part, "kind"), *status = text_at(record, part, "status");
  if (strncmp(status, "done", 4) == 0) {
    add_failures(line, record, part);
    add_lists(line, record, part);
    if (!add_least(line, record, part)) add_members(line, record, part);
  }
  fprintf(out, "  %-14.40s %-10.20s %-18.30s %s\n", name, kind[0] ? kind : owner, status, line);
}

fw_status fw_summary_brief(fw_context *ctx, const fw_record *record, char **text) {
  size_t length;
  int lines = 0, parts = 0;
  *text = NULL;
  FILE *out = open_memstream(text, &length);
  if (!out) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  const char *title = "", *status = "";
  fw_record_text(record, "title", &title);
  fw_record_text(record, "status", &status);
  fprintf(out, "%.90s%s%s\n", title, title[0] ? ": " : "", status);
  for (size_t o = 0; o < sizeof owners / sizeof *owners; o++)
    for (int i = 0; i < fw_record_count(record, owners[o]); i++, parts++)
      if (lines < MOST_LINES) {
        put_part(out, record, owners[o], fw_record_key(record, owners[o], i));
        lines++;
      }
  if (parts > lines) fprintf(out, "  and %d more\n", parts - lines);
  fputc('\n', out);
  if (fclose(out) == 0) return FW_OK;
  free(*text);
  *text = NULL;
  return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
}
