/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/report.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/markup.h"
#include "output/csv.h"
#include "output/files.h"
#include "output/overlay.h"
#include "output/page.h"
#include "output/plots.h"
#include "output/report_figures.h"
#include "output/report_front.h"
#include "output/summary.h"

/* A page of any run is at most this long, its script and what frames it included. */
enum { MOST_FIGURES = 2500000, MOST_DECK = 150000, MOST_ROWS = 200 };

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";

/* Nothing is loaded, and no script runs but the page's own, known by its checksum. */
static void put_policy(FILE *out) {
  fputs(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src "
      "'unsafe-inline'; script-src 'sha256-",
      out);
  fw_put_base64(out, fw_page_script_mark, sizeof fw_page_script_mark);
  fputs("'\">\n", out);
}

/* A page being written: figures gather in a list that closes before anything else comes. */
typedef struct page {
  FILE *out;
  fw_context *ctx;
  const char *folder; /* of the result shown now */
  const fw_record *record;
  fw_page_figures figures;
  char analysis[256];     /* under whose heading the page is; "" before the first */
  bool brief;             /* one of several: the plots of its analyses are left to its own report */
  bool list_open, headed; /* headed: below a heading of the summary */
  bool sketched;          /* the model's sketch is there */
} page;

static void close_list(page *p) {
  if (p->list_open) fputs("</dl>\n", p->out);
  p->list_open = false;
}

/* ---- plots ------------------------------------------------------------------------------- */

static const char *const owners[] = {"analyses", "identification", "studies"};
enum { OWNERS = sizeof owners / sizeof *owners };

static fw_status read_figures(page *p) {
  fw_status status = fw_page_figures_read(p->ctx, p->folder, ".", "", &p->figures);
  for (int o = 0; o < OWNERS && !p->brief; o++)
    for (int i = 0; i < fw_record_count(p->record, owners[o]) && status == FW_OK; i++) {
      const char *owner = fw_record_key(p->record, owners[o], i);
      char *safe;
      FW_TRY(fw_path_safe(p->ctx, owner, &safe));
      status = fw_page_figures_read(p->ctx, p->folder, safe, owner, &p->figures);
      free(safe);
    }
  fw_report_mark_sought(p->record, &p->figures);
  fw_page_figures_choose(&p->figures, MOST_FIGURES);
  return status;
}

/* The figures of an analysis, or those of the whole result ("") except the sketch, which has its own place. */
static void put_figures(page *p, const char *owner) {
  for (int i = 0; i < p->figures.count; i++)
    if (strcmp(p->figures.items[i].owner, owner) == 0 && !fw_page_figure_is_sketch(&p->figures.items[i]))
      fw_page_figure_put(p->out, &p->figures, i, false);
}

static void put_sketch(page *p) {
  for (int i = 0; i < p->figures.count && !p->sketched; i++)
    if (fw_page_figure_is_sketch(&p->figures.items[i])) fw_page_figure_put(p->out, &p->figures, i, false);
  p->sketched = true;
}

/* The plots of the analysis whose part of the page ends here. */
static void end_analysis(page *p) {
  close_list(p);
  if (!p->analysis[0]) return;
  put_figures(p, p->analysis);
  p->analysis[0] = '\0';
}

/* ---- the summary ------------------------------------------------------------------------- */

static void page_heading(void *user, int depth, const char *title) {
  page *p = user;
  close_list(p);
  p->headed = true;
  if (depth <= 1) {
    char path[512];
    end_analysis(p);
    for (int i = 0; i < OWNERS; i++) {
      snprintf(path, sizeof path, "%s.%s", owners[i], title);
      if (fw_record_kind_at(p->record, path) == FW_RECORD_OBJECT)
        snprintf(p->analysis, sizeof p->analysis, "%s", title);
    }
  }
  fprintf(p->out, "<h%d", depth <= 1 ? 2 : 3);
  if (depth <= 1) {
    fputs(" id=\"part-", p->out);
    fw_put_text(p->out, title);
    fputs("\"", p->out);
  }
  fputs(">", p->out);
  fw_put_text(p->out, title);
  fprintf(p->out, "</h%d>\n", depth <= 1 ? 2 : 3);
  if (depth <= 1 && strcmp(title, "model") == 0) put_sketch(p);
}

static void page_figure(void *user, const char *name, const char *value) {
  page *p = user;
  if (!p->headed) return; /* the page's own head tells it */
  if (!p->list_open) fputs("<dl>\n", p->out);
  p->list_open = true;
  fputs("<dt>", p->out);
  fw_put_text(p->out, name);
  fputs("</dt><dd>", p->out);
  fw_put_text(p->out, value);
  fputs("</dd>\n", p->out);
}

static void page_table(void *user, int rows, int columns, char *const *cells) {
  page *p = user;
  close_list(p);
  fputs("<div class=\"scroll\"><table>\n", p->out);
  for (int r = 0; r < rows && r <= MOST_ROWS; r++) {
    fputs("<tr>", p->out);
    for (int c = 0; c < columns; c++) {
      fputs(r ? "<td>" : "<th>", p->out);
      fw_put_text(p->out, cells[r * columns + c]);
      fputs(r ? "</td>" : "</th>", p->out);
    }
    fputs("</tr>\n", p->out);
  }
  fputs("</table></div>\n", p->out);
  if (rows > MOST_ROWS + 1) fprintf(p->out, "<p>and %d rows more in summary.json</p>\n", rows - MOST_ROWS - 1);
}

static fw_status put_deck(page *p) {
  char *path, *deck = NULL;
  FW_TRY(fw_path_join(p->ctx, p->folder, "deck.xml", &path));
  fw_status status = FW_OK;
  if (fw_path_exists(path)) status = fw_file_read(p->ctx, path, &deck, NULL);
  if (deck) {
    bool cut = strlen(deck) > MOST_DECK;
    if (cut) deck[MOST_DECK] = '\0';
    fputs("<h2>Deck</h2>\n<details><summary>as it was run</summary><pre>", p->out);
    fw_put_text(p->out, deck);
    fprintf(p->out, "</pre>%s</details>\n", cut ? "<p>The rest is in deck.xml.</p>" : "");
  }
  free(deck);
  free(path);
  return status;
}

/* Where the folder is as seen from the page in `path`: relative if it is below. */
static void put_place(FILE *out, const char *folder, const char *path) {
  char here[PATH_MAX], there[PATH_MAX], parent[PATH_MAX];
  const char *slash = strrchr(path, '/');
  snprintf(parent, sizeof parent, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
  if (!realpath(slash == path ? "/" : parent, here) || !realpath(folder, there)) return;
  size_t n = strlen(here);
  bool below = strncmp(here, there, n) == 0 && there[n] == '/';
  fw_put_text(out, below ? there + n + 1 : there);
}

static void put_link(FILE *out, const char *folder, const char *path) {
  fputs("<p><a href=\"", out);
  put_place(out, folder, path);
  fputs("/report.html\">All plots, and the deck</a></p>\n", out);
}

/* One result: first screen, summary, plots, deck; or, if brief, a link to those of its analyses and to the deck. */
static fw_status put_result(fw_context *ctx, FILE *out, const char *folder, const char *path, bool brief) {
  fw_record *record;
  const char *title = folder;
  FW_TRY(fw_summary_read(ctx, folder, &record));
  fw_record_text(record, "title", &title);
  page p = {.out = out, .ctx = ctx, .folder = folder, .record = record, .brief = brief};
  const fw_summary_visitor visitor = {&p, page_heading, page_figure, page_table};
  fw_status status;
  FW_TRY_DONE(read_figures(&p));
  if (brief) {
    fputs("<div id=\"", out);
    fw_put_text(out, folder);
    fputs("\"></div>\n", out);
  }
  fw_report_head(out, record, title);
  if (brief) put_link(out, folder, path);
  fw_report_trust(out, record);
  if (!brief) fw_report_cards(out, record, &p.figures);
  if (p.figures.left_out)
    fprintf(out, "<p class=\"meta\">To keep the page small, %d of its pictures are left to their files.</p>\n",
            p.figures.left_out);
  FW_TRY_DONE(fw_summary_walk(ctx, record, &visitor));
  end_analysis(&p);
  put_figures(&p, "");
  if (!brief) FW_TRY_DONE(put_deck(&p));
done:
  fw_page_figures_clear(&p.figures);
  fw_record_destroy(&record);
  return status;
}

/* ---- pages ------------------------------------------------------------------------------- */

/* The title of a result, before what the page is. */
static fw_status put_title(fw_context *ctx, FILE *out, const char *folder) {
  fw_record *record;
  const char *title;
  FW_TRY(fw_summary_read(ctx, folder, &record));
  if (fw_record_text(record, "title", &title) == FW_OK && title[0]) {
    fw_put_text(out, title);
    fputs(" - ", out);
  }
  fw_record_destroy(&record);
  return FW_OK;
}

static fw_status put_contents(fw_context *ctx, FILE *out, const char *const *folders, int count) {
  fputs("<header><h1>Several results</h1></header>\n<ul>\n", out);
  for (int i = 0; i < count; i++) {
    fw_record *record;
    const char *title = folders[i];
    FW_TRY(fw_summary_read(ctx, folders[i], &record));
    fw_record_text(record, "title", &title);
    bool titled = title[0] != '\0' && title != folders[i];
    fprintf(out, "<li>run %d: <a href=\"#", i + 1);
    fw_put_text(out, folders[i]);
    fputs("\">", out);
    fw_put_text(out, titled ? title : folders[i]);
    fputs(titled ? "</a>, " : "</a>", out);
    if (titled) fw_put_text(out, folders[i]);
    fputs("</li>\n", out);
    fw_record_destroy(&record);
  }
  fputs("</ul>\n", out);
  return FW_OK;
}

static void put_foot(FILE *out) {
  fprintf(out, "<footer>fretwork %s%s</footer>\n", fw_version(),
          fw_page_script_length ? "; plots by uPlot, © Leon Sorokin, MIT licence (in the page's script)" : "");
  if (fw_page_script_length) {
    fputs("<script>", out);
    fwrite(fw_page_script, 1, fw_page_script_length, out);
    fputs("</script>\n", out);
  }
  fputs("</body></html>\n", out);
}

fw_status fw_report_several(fw_context *ctx, const char *const *folders, int count, const char *path) {
  char *html = NULL;
  size_t length;
  FILE *out = open_memstream(&html, &length);
  if (!out) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  fputs(head, out);
  put_policy(out);
  fputs("<title>", out);
  fw_status status = count == 1 ? put_title(ctx, out, folders[0]) : FW_OK;
  fputs("fretwork report</title>\n<style>\n", out);
  fwrite(fw_page_style, 1, fw_page_style_length, out);
  fputs("</style></head><body>\n", out);
  if (status == FW_OK && count > 1) status = put_contents(ctx, out, folders, count);
  if (status == FW_OK && count > 1) status = fw_overlay_put(ctx, out, folders, count, MOST_FIGURES);
  for (int i = 0; i < count && status == FW_OK; i++) status = put_result(ctx, out, folders[i], path, count > 1);
  put_foot(out);
  fclose(out);
  if (status == FW_OK) status = fw_file_write(ctx, path, html, length);
  free(html);
  return status;
}

/* Draws the plots of an analysis folder from its CSV files. */
static fw_status redraw_folder(fw_context *ctx, const char *analysis, const char *folder) {
  fw_sink *sink;
  FW_TRY(fw_sink_create(ctx, &sink));
  fw_status status = fw_csv_read_folder(ctx, folder, sink, analysis);
  if (status == FW_OK) status = fw_plots_write(ctx, sink, analysis, folder);
  fw_sink_destroy(&sink);
  return status;
}

/* A folder of a study has a journal; its plots are made of all its samples and stay as they are. */
static bool is_study(const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s/journal-0.txt", folder, name);
  return fw_path_exists(path);
}

static fw_status redraw_all(fw_context *ctx, const char *folder) {
  char **names;
  int count;
  FW_TRY(fw_folder_list(ctx, folder, "", true, &names, &count));
  fw_status status = FW_OK;
  for (int i = 0; i < count && status == FW_OK; i++) {
    char *path = NULL;
    if (is_study(folder, names[i])) continue;
    status = fw_path_join(ctx, folder, names[i], &path);
    if (status == FW_OK) status = redraw_folder(ctx, names[i], path);
    free(path);
  }
  free(names);
  return status;
}

fw_status fw_report_write(fw_context *ctx, const char *folder, bool redraw) {
  if (redraw) FW_TRY(redraw_all(ctx, folder));
  char *path;
  FW_TRY(fw_path_join(ctx, folder, "report.html", &path));
  fw_status status = fw_report_several(ctx, &folder, 1, path);
  free(path);
  return status;
}
