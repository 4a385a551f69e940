/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/report_front.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "core/markup.h"
#include "core/reading.h"

enum { PATH = 1024 };

/* Prints what fits: a path that is cut leads nowhere and shows nothing. */
FW_PRINTF(2, 3) static void set_path(char path[PATH], const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(path, PATH, format, args);
  va_end(args);
}

/* Parts of a result that have pictures of their own, as members of these objects. */
static const char *const owners[] = {"analyses", "identification", "studies"};
enum { OWNERS = sizeof owners / sizeof *owners };

static const char *text_at(const fw_record *record, const char *path) {
  const char *text = "";
  fw_record_text(record, path, &text);
  return text;
}

const char *fw_report_class(const fw_record *record, const char *path) {
  const char *status = text_at(record, path);
  if (strcmp(status, "done") == 0) return "done";
  return strncmp(status, "done", 4) == 0 ? "warned" : "failed";
}

void fw_report_head(FILE *out, const fw_record *record, const char *title) {
  fputs("<header><h1>", out);
  fw_put_text(out, title);
  fprintf(out, "</h1><span class=\"badge %s\">", fw_report_class(record, "status"));
  fw_put_text(out, text_at(record, "status"));
  fputs("</span></header>\n<p class=\"meta\">", out);
  fw_put_text(out, text_at(record, "deck"));
  double number = 0.0;
  if (fw_record_number(record, "model.freedoms", &number) == FW_OK) fprintf(out, " · %g freedoms", number);
  if (fw_record_number(record, "model.contact_points", &number) == FW_OK)
    fprintf(out, ", %g contact point%s", number, number == 1.0 ? "" : "s");
  if (fw_record_number(record, "wall_seconds", &number) == FW_OK) fprintf(out, " · %.3g s", number);
  fputs(" · fretwork ", out);
  fw_put_text(out, text_at(record, "version"));
  fputs("</p>\n", out);
}

/* ---- trust ------------------------------------------------------------------------------- */

static void put_line(FILE *out, const char *owner, const char *text) {
  fputs("<li><b>", out);
  fw_put_text(out, owner);
  fputs(owner[0] ? "</b>: " : "</b>", out);
  fw_put_text(out, text);
  fputs("</li>\n", out);
}

static void put_texts(FILE *out, const fw_record *record, const char *list, const char *owner) {
  char path[PATH];
  for (int i = 0; i < fw_record_count(record, list); i++) {
    set_path(path, "%s[%d]", list, i);
    if (fw_record_kind_at(record, path) == FW_RECORD_OBJECT) set_path(path, "%s[%d].text", list, i);
    put_line(out, owner, text_at(record, path));
  }
}

/* The first line says what went wrong; the last where what was computed is. */
static void put_failure(FILE *out, const fw_record *record, const char *part, const char *name) {
  char path[PATH];
  set_path(path, "%s.message", part);
  const char *message = text_at(record, path);
  fputs("<li class=\"problem\">", out);
  fw_put_text(out, name);
  fputs(": ", out);
  if (message[0]) {
    fw_put_text(out, message);
  } else {
    set_path(path, "%s.status", part);
    fw_put_text(out, text_at(record, path));
  }
  fputs("</li>\n", out);
}

/* The worst of a number over all analyses, and whose it is. */
typedef struct worst {
  double value;
  char whose[PATH];
} worst;

static void weigh(const fw_record *record, const char *path, const char *whose, worst *w) {
  double number;
  if (fw_record_number(record, path, &number) != FW_OK || !(fabs(number) >= w->value)) return;
  w->value = fabs(number);
  snprintf(w->whose, sizeof w->whose, "%s", whose);
}

static void weigh_levels(const fw_record *record, const char *part, const char *whose, worst *agreement) {
  char path[PATH];
  set_path(path, "%s.levels", part);
  int levels = fw_record_count(record, path);
  for (int i = 0; i < levels; i++) {
    set_path(path, "%s.levels[%d].agreement.first_harmonic", part, i);
    weigh(record, path, whose, agreement);
  }
}

static void put_worst(FILE *out, const char *what, const worst *w) {
  char text[2 * PATH];
  if (!w->whose[0]) return;
  snprintf(text, sizeof text, "%.2g %% at worst (%s)", 100.0 * w->value, w->whose);
  put_line(out, what, text);
}

static void put_misfits(FILE *out, const fw_record *record) {
  for (int d = 0; d < fw_record_count(record, "compare"); d++) {
    char data[PATH], path[PATH], text[PATH];
    const char *name = fw_record_key(record, "compare", d);
    set_path(data, "compare.%s", name);
    for (int a = 0; a < fw_record_count(record, data); a++) {
      double misfit;
      const char *analysis = fw_record_key(record, data, a);
      set_path(path, "%s.%s.misfit_percent", data, analysis);
      if (fw_record_number(record, path, &misfit) != FW_OK) continue;
      set_path(text, "%s of %.200s, misfit %.3g %%", name, analysis, misfit);
      put_line(out, "against measurement", text);
    }
  }
}

void fw_report_trust(FILE *out, const fw_record *record) {
  worst energy = {0}, agreement = {0}, equilibrium = {0};
  fprintf(out, "<ul class=\"trust %s\">", fw_report_class(record, "status")); /* the page hides it where it is empty */
  put_texts(out, record, "warnings", "");
  for (int o = 0; o < OWNERS; o++)
    for (int i = 0; i < fw_record_count(record, owners[o]); i++) {
      char part[PATH], path[PATH];
      const char *name = fw_record_key(record, owners[o], i);
      set_path(part, "%s.%s", owners[o], name);
      set_path(path, "%s.status", part);
      if (strcmp(fw_report_class(record, path), "failed") == 0) put_failure(out, record, part, name);
      set_path(path, "%s.warnings", part);
      put_texts(out, record, path, name);
      set_path(path, "%s.energy.residual", part);
      weigh(record, path, name, &energy);
      set_path(path, "%s.equilibrium.residual", part);
      weigh(record, path, name, &equilibrium);
      weigh_levels(record, part, name, &agreement);
    }
  put_worst(out, "energy balance open by", &energy);
  put_worst(out, "time and harmonic balance differ by", &agreement);
  put_worst(out, "forces of equilibrium left", &equilibrium);
  put_misfits(out, record);
  fputs("</ul>\n", out);
}

/* ---- cards ------------------------------------------------------------------------------- */

static bool put_number(FILE *out, const fw_record *record, const char *path, const char *before) {
  double number;
  if (fw_record_number(record, path, &number) != FW_OK) return false;
  fputs(before, out);
  fw_put_text(out, fw_say(number, fw_record_unit(record, path)).text);
  return true;
}

/* A figure with its name, if it is there. */
static void put_named(FILE *out, const fw_record *record, const char *path, const char *name) {
  double number;
  if (fw_record_number(record, path, &number) != FW_OK) return;
  fputs("<dt>", out);
  fw_put_text(out, name);
  fputs("</dt><dd>", out);
  put_number(out, record, path, "");
  fputs("</dd>\n", out);
}

/* The first items of a list, a line each: "level 3: 52.52 Hz, 51.8 µm, damping 5.1 %". */
static void put_items(FILE *out, const fw_record *record, const char *list, const char *key, const char *inside) {
  enum { SHOWN = 5 };
  static const char *const told[][2] = {{"frequency", ""}, {"amplitude", ", "}};
  int count = fw_record_count(record, list);
  for (int i = 0; i < count && i < SHOWN; i++) {
    char path[PATH];
    double level = i + 1;
    set_path(path, "%s[%d].%sfrequency", list, i, inside);
    if (fw_record_kind_at(record, path) != FW_RECORD_NUMBER) continue;
    set_path(path, "%s[%d].%s", list, i, key);
    fw_record_number(record, path, &level);
    fprintf(out, "<dt>%s %g</dt><dd>", key, level);
    for (int t = 0; t < 2; t++) {
      set_path(path, "%s[%d].%s%s", list, i, inside, told[t][0]);
      put_number(out, record, path, told[t][1]);
    }
    double damping;
    set_path(path, "%s[%d].%sdamping", list, i, inside);
    if (fw_record_number(record, path, &damping) == FW_OK) fprintf(out, ", damping %.3g %%", 100.0 * damping);
    fputs("</dd>\n", out);
  }
  if (count > SHOWN) fprintf(out, "<dt></dt><dd>and %d more</dd>\n", count - SHOWN);
}

/* A figure of the first members of an object: "foot work_rate". */
static void put_members(FILE *out, const fw_record *record, const char *object, const char *figure) {
  enum { SHOWN = 3 };
  for (int i = 0, shown = 0; i < fw_record_count(record, object) && shown < SHOWN; i++) {
    char path[PATH], name[PATH];
    const char *key = fw_record_key(record, object, i);
    set_path(path, "%s.%s.%s", object, key, figure);
    if (fw_record_kind_at(record, path) != FW_RECORD_NUMBER) continue;
    set_path(name, "%s %s", key, figure);
    for (char *bar; (bar = strchr(name, '_'));) *bar = ' ';
    put_named(out, record, path, name);
    shown++;
  }
}

/* Parameters of a fit, those that have a deviation: "mu 0.541 ± 0.036". */
static void put_fitted(FILE *out, const fw_record *record, const char *part) {
  char list[PATH], path[PATH];
  set_path(list, "%s.deviation", part);
  for (int i = 0; i < fw_record_count(record, list); i++) {
    const char *name = fw_record_key(record, list, i);
    double value, deviation;
    set_path(path, "%s.%s", list, name);
    if (!name || fw_record_number(record, path, &deviation) != FW_OK) continue;
    set_path(path, "%s.%s", part, name);
    if (fw_record_number(record, path, &value) != FW_OK) continue;
    fputs("<dt>", out);
    fw_put_text(out, name);
    fprintf(out, "</dt><dd>%.4g ± %.2g ", value, deviation);
    fw_put_text(out, fw_record_unit(record, path));
    fputs("</dd>\n", out);
  }
}

static bool is_count(const char *key) { return strcmp(key, "samples") == 0 || strcmp(key, "sample") == 0; }

/* The result that a search of a study makes least, the first of what stands there; NULL: it searches nothing. */
static const char *find_sought(const fw_record *record, const char *least) {
  for (int i = 0; i < fw_record_count(record, least); i++)
    if (!is_count(fw_record_key(record, least, i))) return fw_record_key(record, least, i);
  return NULL;
}

/* Where a search ended, if there was one: "least peak 1.57 mm, at N 31.4 N". */
static bool put_least(FILE *out, const fw_record *record, const char *least) {
  const char *sought = find_sought(record, least);
  for (int i = 0; sought && i < fw_record_count(record, least); i++) {
    char path[PATH], name[PATH];
    const char *key = fw_record_key(record, least, i);
    if (is_count(key)) continue;
    set_path(path, "%s.%s", least, key);
    set_path(name, strcmp(key, sought) == 0 ? "least %s" : "at %s", key);
    put_named(out, record, path, name);
  }
  return sought != NULL;
}

static void put_key_figures(FILE *out, const fw_record *record, const char *part) {
  static const char *const lists[][3] = {
      {"modes", "mode", ""}, {"levels", "level", "resonance."}, {"maxima", "level", ""}};
  static const char *const members[][2] = {{"contact", "normal"}, {"sensors", "max"},       {"contact", "work_rate"},
                                           {"results", "mean"},   {"results", "deviation"}, {"parameters", "value"}};
  static const char *const single[] = {"first.frequency", "first.damping", "last.frequency", "last.damping", "samples"};
  size_t members_shown = sizeof members / sizeof *members;
  char path[PATH];
  fputs("<dl>\n", out);
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    set_path(path, "%s.%s", part, lists[i][0]);
    put_items(out, record, path, lists[i][1], lists[i][2]);
  }
  put_fitted(out, record, part);
  for (size_t i = 0; i < sizeof single / sizeof *single; i++) {
    set_path(path, "%s.%s", part, single[i]);
    put_named(out, record, path, single[i]);
  }
  set_path(path, "%s.least", part);
  if (put_least(out, record, path)) members_shown = 0; /* means over the way to it say nothing */
  for (size_t i = 0; i < members_shown; i++) {
    set_path(path, "%s.%s", part, members[i][0]);
    put_members(out, record, path, members[i][1]);
  }
  fputs("</dl>\n", out);
}

static void put_card(FILE *out, const fw_record *record, const char *owner, const char *name,
                     const fw_page_figures *figures) {
  char part[PATH], path[PATH];
  set_path(part, "%s.%s", owner, name);
  set_path(path, "%s.status", part);
  const char *class = fw_report_class(record, path);
  fprintf(out, "<div class=\"card %s\"><h3><a href=\"#part-", strcmp(class, "failed") == 0 ? class : "");
  fw_put_text(out, name);
  fputs("\">", out);
  fw_put_text(out, name);
  fprintf(out, "</a><span class=\"badge %s\">", class);
  fw_put_text(out, text_at(record, path));
  fputs("</span></h3>\n<div class=\"meta\">", out);
  set_path(path, "%s.kind", part);
  fw_put_text(out, text_at(record, path)[0] ? text_at(record, path) : owner);
  fputs("</div>\n", out);
  put_key_figures(out, record, part);
  for (int i = 0; i < figures->count; i++)
    if (figures->items[i].key && strcmp(figures->items[i].owner, name) == 0) fw_page_figure_put(out, figures, i, true);
  fputs("</div>\n", out);
}

/* What was computed with: the sketch, and how large it is. */
static void put_model_card(FILE *out, const fw_record *record, const fw_page_figures *figures) {
  fputs("<div class=\"card\"><h3><a href=\"#part-model\">model</a></h3>\n<dl>\n", out);
  put_named(out, record, "model.freedoms", "freedoms");
  put_named(out, record, "model.contact_points", "contact points");
  fputs("</dl>\n", out);
  for (int i = 0; i < figures->count; i++)
    if (fw_page_figure_is_sketch(&figures->items[i])) fw_page_figure_put(out, figures, i, true);
  fputs("</div>\n", out);
}

static void put_contents(FILE *out, const fw_record *record) {
  fputs("<nav><ul>\n", out);
  for (int o = 0; o < OWNERS; o++)
    for (int i = 0; i < fw_record_count(record, owners[o]); i++) {
      const char *name = fw_record_key(record, owners[o], i);
      fputs("<li><a href=\"#part-", out);
      fw_put_text(out, name);
      fputs("\">", out);
      fw_put_text(out, name);
      fputs("</a></li>\n", out);
    }
  fputs("</ul></nav>\n", out);
}

void fw_report_mark_sought(const fw_record *record, fw_page_figures *figures) {
  for (int i = 0; i < figures->count; i++) {
    fw_page_figure *figure = &figures->items[i];
    char least[PATH], own[PATH];
    set_path(least, "studies.%s.least", figure->owner);
    const char *sought = find_sought(record, least);
    set_path(own, "scatter-%s.svg", sought ? sought : "");
    figure->first = sought && strcmp(figure->name, own) == 0;
  }
}

void fw_report_cards(FILE *out, const fw_record *record, const fw_page_figures *figures) {
  fputs("<div class=\"cards\">\n", out);
  put_model_card(out, record, figures);
  for (int o = 0; o < OWNERS; o++)
    for (int i = 0; i < fw_record_count(record, owners[o]); i++)
      put_card(out, record, owners[o], fw_record_key(record, owners[o], i), figures);
  fputs("</div>\n", out);
  put_contents(out, record);
}
