/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/report.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/markup.h"
#include "output/csv.h"
#include "output/files.h"
#include "output/plots.h"
#include "output/summary.h"

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>";
static const char style[] =
    "</title>\n<style>\n"
    "body{font:16px/1.5 system-ui,sans-serif;color:#222;max-width:62rem;margin:2rem auto;padding:0 1rem}\n"
    "h1{font-size:1.6rem}h2{font-size:1.3rem;border-bottom:2px solid #0072b2;margin-top:2.5rem}\n"
    "h3{font-size:1.05rem;margin:1.4rem 0 .3rem}\n"
    "table{border-collapse:collapse;margin:.4rem 0 "
    "1rem;font-variant-numeric:tabular-nums;display:block;overflow-x:auto}\n"
    "th,td{padding:.15rem .8rem;border-bottom:1px solid #ddd;text-align:right}th{color:#555;font-weight:600}\n"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1.2rem;margin:.4rem 0}\n"
    "dt{color:#555}dd{margin:0}img{max-width:100%;height:auto;margin:.5rem 0}\n"
    "pre{background:#f5f5f5;padding:1rem;overflow-x:auto;font-size:.85rem}\n"
    "</style></head><body>\n";

/* ---- HTML -------------------------------------------------------------------------------- */

static void put_base64(FILE *out, const unsigned char *bytes, size_t length) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char block[4096];
  size_t at = 0;
  for (size_t i = 0; i < length; i += 3) {
    size_t left = length - i;
    unsigned word =
        (unsigned)bytes[i] << 16 | (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) | (left > 2 ? bytes[i + 2] : 0);
    block[at++] = digits[word >> 18];
    block[at++] = digits[word >> 12 & 63];
    block[at++] = left > 1 ? digits[word >> 6 & 63] : '=';
    block[at++] = left > 2 ? digits[word & 63] : '=';
    if (at < sizeof block && left > 3) continue;
    fwrite(block, 1, at, out);
    at = 0;
  }
}

/* A page being written: figures gather in a list that closes before anything else comes. */
typedef struct page {
  FILE *out;
  fw_context *ctx;
  const char *folder; /* of the result shown now */
  const fw_record *record;
  char analysis[256];     /* under whose heading the page is; "" before the first */
  bool brief;             /* one of several: the plots of its analyses are left to its own report */
  bool list_open, headed; /* headed: below a heading of the summary */
  fw_status status;
} page;

static void close_list(page *p) {
  if (p->list_open) fputs("</dl>\n", p->out);
  p->list_open = false;
}

/* ---- plots ------------------------------------------------------------------------------- */

static fw_status put_plot(page *p, const char *folder, const char *name) {
  char *path, *svg = NULL;
  size_t length;
  FW_TRY(fw_path_join(p->ctx, folder, name, &path));
  fw_status status = fw_file_read(p->ctx, path, &svg, &length);
  free(path);
  if (status != FW_OK) return status;
  fputs("<img alt=\"", p->out);
  fw_put_text(p->out, name);
  fputs("\" src=\"data:image/svg+xml;base64,", p->out);
  put_base64(p->out, (unsigned char *)svg, length);
  fputs("\">\n", p->out);
  free(svg);
  return FW_OK;
}

/* All plots in a folder; none if it does not exist. */
static fw_status put_plots(page *p, const char *folder) {
  char **names;
  int count;
  if (!fw_path_exists(folder)) return FW_OK;
  FW_TRY(fw_folder_list(p->ctx, folder, ".svg", false, &names, &count));
  fw_status status = FW_OK;
  for (int i = 0; i < count && status == FW_OK; i++) status = put_plot(p, folder, names[i]);
  free(names);
  return status;
}

/* The plots of the analysis whose part of the page ends here. */
static void end_analysis(page *p) {
  close_list(p);
  if (!p->analysis[0] || p->status != FW_OK) return;
  char *safe = NULL, *folder = NULL;
  p->status = fw_path_safe(p->ctx, p->analysis, &safe);
  if (p->status == FW_OK) p->status = fw_path_join(p->ctx, p->folder, safe, &folder);
  if (p->status == FW_OK && !p->brief) p->status = put_plots(p, folder);
  free(folder);
  free(safe);
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
    static const char *const owners[] = {"analyses", "identification", "studies"};
    for (int i = 0; i < 3; i++) {
      snprintf(path, sizeof path, "%s.%s", owners[i], title);
      if (fw_record_kind_at(p->record, path) == FW_RECORD_OBJECT)
        snprintf(p->analysis, sizeof p->analysis, "%s", title);
    }
  }
  fprintf(p->out, "<h%d>", depth <= 1 ? 2 : 3);
  fw_put_text(p->out, title);
  fprintf(p->out, "</h%d>\n", depth <= 1 ? 2 : 3);
}

static void page_figure(void *user, const char *name, const char *value) {
  page *p = user;
  if (!p->headed && strcmp(name, "title") == 0) return; /* the page's own heading */
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
  fputs("<table>\n", p->out);
  for (int r = 0; r < rows; r++) {
    fputs("<tr>", p->out);
    for (int c = 0; c < columns; c++) {
      fputs(r ? "<td>" : "<th>", p->out);
      fw_put_text(p->out, cells[r * columns + c]);
      fputs(r ? "</td>" : "</th>", p->out);
    }
    fputs("</tr>\n", p->out);
  }
  fputs("</table>\n", p->out);
}

static fw_status put_deck(page *p) {
  char *path, *deck = NULL;
  FW_TRY(fw_path_join(p->ctx, p->folder, "deck.xml", &path));
  fw_status status = FW_OK;
  if (fw_path_exists(path)) status = fw_file_read(p->ctx, path, &deck, NULL);
  if (deck) {
    fputs("<h2>Deck</h2>\n<details><summary>as it was run</summary><pre>", p->out);
    fw_put_text(p->out, deck);
    fputs("</pre></details>\n", p->out);
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

/* One result: heading, summary, plots, deck; or, if brief, a link to those of its analyses and to the deck. */
static fw_status put_result(fw_context *ctx, FILE *out, const char *folder, const char *path, bool brief) {
  fw_record *record;
  const char *title = folder;
  FW_TRY(fw_summary_read(ctx, folder, &record));
  fw_record_text(record, "title", &title);
  page p = {.out = out, .ctx = ctx, .folder = folder, .record = record, .brief = brief};
  const fw_summary_visitor visitor = {&p, page_heading, page_figure, page_table};
  fputs(brief ? "<h1 id=\"" : "<h1", out);
  if (brief) fw_put_text(out, folder);
  fputs(brief ? "\">" : ">", out);
  fw_put_text(out, title);
  fputs("</h1>\n", out);
  if (brief) {
    fputs("<p><a href=\"", out);
    put_place(out, folder, path);
    fputs("/report.html\">All plots, and the deck</a></p>\n", out);
  }
  fw_status status = fw_summary_walk(ctx, record, &visitor);
  end_analysis(&p);
  if (status == FW_OK) status = p.status;
  if (status == FW_OK) status = put_plots(&p, folder);
  if (status == FW_OK && !brief) status = put_deck(&p);
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
  fputs("<ul>\n", out);
  for (int i = 0; i < count; i++) {
    fw_record *record;
    const char *title = folders[i];
    FW_TRY(fw_summary_read(ctx, folders[i], &record));
    fw_record_text(record, "title", &title);
    fputs("<li><a href=\"#", out);
    fw_put_text(out, folders[i]);
    fputs("\">", out);
    fw_put_text(out, title);
    fputs("</a>, ", out);
    fw_put_text(out, folders[i]);
    fputs("</li>\n", out);
    fw_record_destroy(&record);
  }
  fputs("</ul>\n", out);
  return FW_OK;
}

fw_status fw_report_several(fw_context *ctx, const char *const *folders, int count, const char *path) {
  char *html = NULL;
  size_t length;
  FILE *out = open_memstream(&html, &length);
  if (!out) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  fputs(head, out);
  fw_status status = count == 1 ? put_title(ctx, out, folders[0]) : FW_OK;
  fw_put_text(out, "fretwork report");
  fputs(style, out);
  if (status == FW_OK && count > 1) status = put_contents(ctx, out, folders, count);
  for (int i = 0; i < count && status == FW_OK; i++) status = put_result(ctx, out, folders[i], path, count > 1);
  fprintf(out, "<p><small>fretwork %s</small></p>\n</body></html>\n", fw_version());
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
