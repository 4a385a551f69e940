/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words of sketches: each beside what it is about, on no other words and on as few lines as can be. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "output/sketch_parts.h"

void fw_sketch_note(fw_sketch *sketch, const double at[2], const char *text) {
  if (sketch->note_count == FW_SKETCH_NOTES) return;
  snprintf(sketch->texts[sketch->note_count], FW_SKETCH_TEXT, "%s", text);
  sketch->notes[sketch->note_count] = (fw_plot_note){.x = at[0], .y = at[1], .text = sketch->texts[sketch->note_count]};
  sketch->note_count++;
}

/* What words cover on the paper. */
typedef struct box {
  double low[2], high[2];
} box;

/* Of letters some 0.6 as wide as they are tall; words stand right of a place, about its height. */
static box box_at(const fw_sketch *sketch, double x, double y, const char *text) {
  size_t letters = 0;
  for (; *text; text++) letters += ((unsigned char)*text & 0xC0) != 0x80; /* bytes that begin a letter of UTF-8 */
  double wide = 0.5 * sketch->size * (double)letters, half = 0.5 * sketch->size;
  return (box){{x, y - half}, {x + wide, y + half}};
}

static bool overlap(const box *a, const box *b) {
  for (int d = 0; d < 2; d++)
    if (a->low[d] > b->high[d] || b->low[d] > a->high[d]) return false;
  return true;
}

/* How many pieces of lines run through a box. */
static int lines_in(const fw_sketch *sketch, const box *words) {
  int found = 0;
  for (int p = 0; p < FW_SKETCH_PARTS; p++) {
    const fw_strokes *s = &sketch->parts[p];
    for (int i = 1; i < s->count; i++) {
      double a[2] = {s->x[i - 1], s->y[i - 1]}, b[2] = {s->x[i], s->y[i]};
      if (!isfinite(a[0]) || !isfinite(b[0])) continue;
      const box ends = {{fmin(a[0], b[0]), fmin(a[1], b[1])}, {fmax(a[0], b[0]), fmax(a[1], b[1])}};
      found += overlap(words, &ends) && fw_clip(a, b, words->low, words->high);
    }
  }
  return found;
}

static int words_in(const fw_sketch *sketch, const box *words, int placed) {
  int found = 0;
  for (int i = 0; i < placed; i++) {
    const fw_plot_note *note = &sketch->notes[i];
    box other = box_at(sketch, note->x, note->y, note->text);
    found += overlap(words, &other);
  }
  return found;
}

/* The places around what a note is about, the nearest first: right above, right below, left above, left below. */
static box candidate(const fw_sketch *sketch, const fw_plot_note *note, int k) {
  const double aside = 0.6 * sketch->size, row = 1.15 * sketch->size;
  box own = box_at(sketch, note->x, note->y, note->text);
  int rows = k / 4;
  double up = aside + rows * row;
  double x = k % 4 < 2 ? note->x + aside : note->x - aside - (own.high[0] - own.low[0]);
  return box_at(sketch, x, k % 2 ? note->y - up : note->y + up, note->text);
}

/* About where the paper ends on the right: words that would run over it are drawn ending at their place. */
static double right_edge(const fw_sketch *sketch) {
  double edge = 0.5 * (sketch->low[0] + sketch->high[0]) + 0.5 * sketch->size / FW_SKETCH_SYMBOL;
  for (int p = 0; p < FW_SKETCH_PARTS; p++)
    for (int i = 0; i < sketch->parts[p].count; i++) edge = fmax(edge, sketch->parts[p].x[i]); /* fmax passes NaN by */
  return edge;
}

static void place_note(fw_sketch *sketch, int number, double edge) {
  enum { PLACES = 24, ON_WORDS = 1000, OVER_EDGE = 100, ON_LINE = 4 };
  fw_plot_note *note = &sketch->notes[number];
  box best = {0};
  int least = -1;
  for (int k = 0; k < PLACES && (least < 0 || least > k); k++) {
    box words = candidate(sketch, note, k);
    int cost = k + ON_LINE * lines_in(sketch, &words) + ON_WORDS * words_in(sketch, &words, number) +
               OVER_EDGE * (words.high[0] > edge);
    if (least >= 0 && cost >= least) continue;
    least = cost;
    best = words;
  }
  note->x = best.low[0];
  note->y = 0.5 * (best.low[1] + best.high[1]);
}

void fw_sketch_place_notes(fw_sketch *sketch) {
  double edge = right_edge(sketch);
  for (int i = 0; i < sketch->note_count; i++) place_note(sketch, i, edge);
}
