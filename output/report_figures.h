/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures of a result on its page: which picture stands first, and what is left out to keep the page small. */
#ifndef FW_OUTPUT_REPORT_FIGURES_H
#define FW_OUTPUT_REPORT_FIGURES_H

#include <stdio.h>

#include "core/context.h"

typedef struct fw_page_figure {
  char *owner; /* analysis, study or identification; "" for those of the whole result */
  char *name;  /* of the file */
  char *svg;   /* the picture */
  char *data;  /* JSON of its numbers (output/plot_data.h); NULL: none, or not on this page */
  bool picture;
  bool first; /* before all others of its owner */
  bool key;   /* stands in the overview */
} fw_page_figure;

typedef struct fw_page_figures {
  fw_page_figure *items;
  int count, room;
  int left_out; /* pictures that the page has no room for */
} fw_page_figures;

/* Reads the *.svg of a result's folder or of one below it; a missing folder has none. */
fw_status fw_page_figures_read(fw_context *ctx, const char *folder, const char *below, const char *owner,
                               fw_page_figures *figures);
void fw_page_figures_clear(fw_page_figures *figures);

/* The sketch of the model, which is of no analysis. */
bool fw_page_figure_is_sketch(const fw_page_figure *figure);

/* Marks the figure of each owner that answers its question, and leaves out the largest until all of them need no more
 * than `most` characters: first pictures whose numbers are there to draw from, then numbers. */
void fw_page_figures_choose(fw_page_figures *figures, size_t most);

/* Writes a figure; a key figure in full where it stands in the overview, with a reference elsewhere. */
void fw_page_figure_put(FILE *out, const fw_page_figures *figures, int i, bool overview);

#endif
