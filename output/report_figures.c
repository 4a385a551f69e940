/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/report_figures.h"

#include <stdlib.h>
#include <string.h>

#include "core/markup.h"
#include "output/files.h"
#include "output/page.h"
#include "output/plot_data.h"

/* ---- reading ----------------------------------------------------------------------------- */

/* Takes the numbers out of an SVG: the page keeps them beside the picture, or not at all. */
static fw_status take_data(fw_context *ctx, fw_page_figure *figure) {
  size_t length;
  char *found = (char *)fw_plot_data_find(figure->svg, &length);
  if (!found) return FW_OK;
  if (fw_page_script_length > 0) {
    FW_TRY(fw_alloc(ctx, length + 1, 1, &figure->data));
    memcpy(figure->data, found, length);
  }
  memmove(found, found + length, strlen(found + length) + 1);
  return FW_OK;
}

static fw_status add_figure(fw_context *ctx, const char *folder, const char *owner, const char *name,
                            fw_page_figures *figures) {
  char *path;
  if (figures->count == figures->room) {
    int room = figures->room ? 2 * figures->room : 16;
    fw_page_figure *items = realloc(figures->items, (size_t)room * sizeof *items);
    if (!items) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
    figures->items = items;
    figures->room = room;
  }
  fw_page_figure *figure = &figures->items[figures->count++];
  *figure = (fw_page_figure){.owner = strdup(owner), .name = strdup(name), .picture = true};
  if (!figure->owner || !figure->name) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  FW_TRY(fw_path_join(ctx, folder, name, &path));
  fw_status status = fw_file_read(ctx, path, &figure->svg, NULL);
  free(path);
  return status == FW_OK ? take_data(ctx, figure) : status;
}

fw_status fw_page_figures_read(fw_context *ctx, const char *folder, const char *below, const char *owner,
                               fw_page_figures *figures) {
  char **names = NULL, *path = NULL;
  int count = 0;
  fw_status status;
  FW_TRY_DONE(fw_path_join(ctx, folder, below, &path));
  if (!fw_path_exists(path)) goto done;
  FW_TRY_DONE(fw_folder_list(ctx, path, ".svg", false, &names, &count));
  for (int i = 0; i < count; i++) FW_TRY_DONE(add_figure(ctx, path, owner, names[i], figures));
done:
  free(names);
  free(path);
  return status;
}

void fw_page_figures_clear(fw_page_figures *figures) {
  for (int i = 0; i < figures->count; i++) {
    free(figures->items[i].owner);
    free(figures->items[i].name);
    free(figures->items[i].svg);
    free(figures->items[i].data);
  }
  free(figures->items);
  *figures = (fw_page_figures){0};
}

/* ---- choosing ---------------------------------------------------------------------------- */

/* How well a figure stands for its analysis: responses (of displacements first), curves, shapes, histories, results of
 * studies, the rest. */
static int rank(const fw_page_figure *figure) {
  static const char *const first[] = {"over-frequency-", "locus",   "nnm",     "cycles",        "ring",    "flow",
                                      "mode-",           "static-", "history", "contact-loops", "contact", "resonances",
                                      "tornado",         "indices", "morris"};
  enum { KINDS = sizeof first / sizeof *first };
  int kind = 0;
  if (figure->first) return -1;
  while (kind < KINDS && strncmp(figure->name, first[kind], strlen(first[kind])) != 0) kind++;
  const char *amplitude = kind == 0 && figure->data ? strstr(figure->data, "\"amplitude [") : NULL;
  if (!amplitude) return 2 * kind + 1;
  amplitude += sizeof "\"amplitude [" - 1;
  return amplitude[strcspn(amplitude, "/]")] == '/'; /* a rate is not a displacement */
}

bool fw_page_figure_is_sketch(const fw_page_figure *figure) {
  return figure->owner[0] == '\0' && strcmp(figure->name, "model.svg") == 0;
}

static void choose_keys(fw_page_figures *figures) {
  for (int i = 0; i < figures->count; i++) {
    fw_page_figure *figure = &figures->items[i];
    figure->key = figure->owner[0] != '\0' || fw_page_figure_is_sketch(figure);
    for (int k = 0; k < figures->count && figure->key && figure->owner[0]; k++) {
      const fw_page_figure *other = &figures->items[k];
      int ahead = rank(other) - rank(figure);
      if (k != i && strcmp(other->owner, figure->owner) == 0 && (ahead < 0 || (ahead == 0 && k < i)))
        figure->key = false;
    }
  }
}

static size_t picture_size(const fw_page_figure *figure) { return figure->picture ? strlen(figure->svg) * 4 / 3 : 0; }

static size_t data_size(const fw_page_figure *figure) { return figure->data ? strlen(figure->data) : 0; }

static size_t all_sizes(const fw_page_figures *figures) {
  size_t sum = 0;
  for (int i = 0; i < figures->count; i++)
    sum += 400 + picture_size(&figures->items[i]) + data_size(&figures->items[i]);
  return sum;
}

typedef enum leaving { PICTURES, KEY_PICTURES, NUMBERS, LAST_PICTURES, WAYS } leaving;

/* What leaving out a figure in some way would save; 0: that is not to be done. */
static size_t saving(const fw_page_figure *figure, leaving way) {
  switch (way) {
    case PICTURES:
      return figure->data && !figure->key ? picture_size(figure) : 0;
    case KEY_PICTURES:
      return figure->data ? picture_size(figure) : 0;
    case NUMBERS:
      return data_size(figure);
    default:
      return picture_size(figure);
  }
}

/* Leaves out the largest there is in the first way that has any. */
static bool leave_out_one(fw_page_figures *figures) {
  for (leaving way = PICTURES; way < WAYS; way++) {
    fw_page_figure *found = NULL;
    for (int i = 0; i < figures->count; i++) {
      size_t saved = saving(&figures->items[i], way);
      if (saved && (!found || saved > saving(found, way))) found = &figures->items[i];
    }
    if (!found) continue;
    if (way == NUMBERS) {
      free(found->data);
      found->data = NULL;
    } else {
      found->picture = false;
    }
    return true;
  }
  return false;
}

void fw_page_figures_choose(fw_page_figures *figures, size_t most) {
  choose_keys(figures);
  while (all_sizes(figures) > most && leave_out_one(figures)) {
  }
  for (int i = 0; i < figures->count; i++) figures->left_out += !figures->items[i].picture;
}

/* ---- writing ----------------------------------------------------------------------------- */

static void put_picture(FILE *out, const fw_page_figure *figure) {
  fputs("<img alt=\"", out);
  fw_put_text(out, figure->name);
  fputs("\" src=\"data:image/svg+xml;base64,", out);
  fw_put_base64(out, (const unsigned char *)figure->svg, strlen(figure->svg));
  fputs("\">\n", out);
}

static void put_caption(FILE *out, const fw_page_figure *figure) {
  fputs("<figcaption>", out);
  fw_put_text(out, figure->owner);
  fputs(figure->owner[0] ? "/" : "", out);
  fw_put_text(out, figure->name);
  if (!figure->picture)
    fputs(figure->data ? "; the picture for pages without scripts is left to that file"
                       : "; left to that file, so that the page stays below its 3 MB",
          out);
  fputs("</figcaption>", out);
}

void fw_page_figure_put(FILE *out, const fw_page_figures *figures, int i, bool overview) {
  const fw_page_figure *figure = &figures->items[i];
  bool again = figure->key && !overview; /* stands in the overview already */
  if (again && !figure->data) return;
  fprintf(out, "<figure%s id=\"%s-%d\"", overview ? " class=\"small\"" : "", again ? "full" : "figure", i);
  if (figure->data) {
    fputs(" data-group=\"", out);
    fw_put_text(out, figure->owner);
    fputs("\"", out);
  }
  if (again) fprintf(out, " data-of=\"figure-%d\"", i);
  fputs(">", out);
  if (!again && figure->picture) put_picture(out, figure);
  if (!again && figure->data) fprintf(out, "<script type=\"application/json\">%s</script>\n", figure->data);
  put_caption(out, figure);
  fputs("</figure>\n", out);
}
