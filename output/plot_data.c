/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/plot_data.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/markup.h"
#include "core/reading.h"
#include "output/plot_range.h"
#include "output/thin.h"

enum { FINE_X = 3200, FINE_Y = 1400 }; /* half pixels of a large screen */

static const char tag[] = "<metadata id=\"fretwork\">", end_tag[] = "</metadata>";

/* ---- JSON -------------------------------------------------------------------------------- */

static void put_string(FILE *out, const char *text) {
  fputc('"', out);
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c < 0x20 || strchr("\"\\<>&", c))
      fprintf(out, "\\u%04x", c);
    else
      fputc(c, out);
  }
  fputc('"', out);
}

static void put_text(FILE *out, const char *key, const char *text) {
  if (!text || !text[0]) return;
  fprintf(out, "\"%s\":", key);
  put_string(out, text);
  fputc(',', out);
}

static void put_flag(FILE *out, const char *key, bool flag) {
  if (flag) fprintf(out, "\"%s\":true,", key);
}

/* Numbers as floats; all machines Debian runs fretwork on are little endian. */
static void put_floats(FILE *out, const char *key, const double *values, size_t count, float *work) {
  for (size_t i = 0; i < count; i++) work[i] = (float)values[i];
  fprintf(out, "\"%s\":\"", key);
  fw_put_base64(out, (const unsigned char *)work, count * sizeof *work);
  fputc('"', out);
}

/* ---- curves ------------------------------------------------------------------------------ */

/* Room for the largest curve: its points twice as doubles, once as floats. */
typedef struct work {
  double *x, *y;
  float *floats;
} work;

static const char *style_of(const fw_plot_curve *curve) {
  static const char *const tints[] = {"", "tint1", "tint2", "tint3"};
  if (curve->tint) return tints[curve->tint];
  if (curve->markers) return curve->hollow ? "rings" : "marks";
  if (curve->dashed) return "dashed";
  return curve->faint ? "faint" : curve->thin ? "thin" : "line";
}

/* Values as read, thinned between gaps. Returns how many. */
static size_t take_points(const fw_plot_curve *curve, const fw_panel_axis *x, const fw_panel_axis *y, bool whole,
                          const work *w) {
  double near_x = (x->high - x->low) / FINE_X, near_y = (y->high - y->low) / FINE_Y;
  size_t kept = 0, piece = 0; /* where the piece since the last gap begins */
  for (size_t i = 0; i <= curve->count; i++) {
    double px = i < curve->count ? fw_panel_place(x, curve->x[i]) : NAN;
    double py = i < curve->count ? fw_panel_place(y, curve->y[i]) : NAN;
    bool gap = !isfinite(px) || !isfinite(py);
    if (!gap || whole) {
      if (i == curve->count) break;
      w->x[kept] = gap ? NAN : px;
      w->y[kept++] = gap ? NAN : py;
      continue;
    }
    if (kept > piece && !curve->markers && !curve->tint)
      kept = piece + (size_t)fw_thin((int)(kept - piece), w->x + piece, w->y + piece, near_x, near_y);
    if (i < curve->count && kept > piece) w->x[kept] = w->y[kept] = NAN, kept++;
    piece = kept;
  }
  for (size_t i = 0; i < kept; i++) {
    if (x->logarithmic) w->x[i] = pow(10.0, w->x[i]);
    if (y->logarithmic) w->y[i] = pow(10.0, w->y[i]);
  }
  return kept;
}

static void put_curve(FILE *out, const fw_panel *panel, int c, const fw_panel_axis *x, const fw_panel_axis *y,
                      const work *w) {
  const fw_plot_curve *curve = &panel->curves[c];
  size_t count = take_points(curve, x, y, panel->play == FW_PLAY_SHAPE, w);
  fputs(c ? ",{" : "{", out);
  put_text(out, "label", curve->label);
  put_text(out, "style", style_of(curve));
  put_flag(out, "same", curve->same);
  put_floats(out, "x", w->x, count, w->floats);
  fputc(',', out);
  put_floats(out, "y", w->y, count, w->floats);
  fputc('}', out);
}

/* ---- panels ------------------------------------------------------------------------------ */

/* Nine numbers for each patch: corners, the last twice for triangles, and the value. */
static fw_status put_patches(fw_context *ctx, FILE *out, const fw_panel *panel, const fw_panel_axis *x,
                             const fw_panel_axis *y) {
  static const double ROUNDING = 1e-12; /* beside the largest value: the scale begins at 0 */
  float *numbers;
  char label[160];
  double most = 0.0;
  for (size_t p = 0; p < panel->patch_count; p++) most = fmax(most, fabs(panel->patches[p].value));
  double factor = fw_reading_of_label(panel->patch_label, most, false, label, sizeof label).factor;
  FW_TRY(fw_alloc(ctx, 9 * panel->patch_count, sizeof *numbers, &numbers));
  for (size_t p = 0; p < panel->patch_count; p++) {
    const fw_patch *patch = &panel->patches[p];
    for (int i = 0; i < 4; i++) {
      int corner = i < patch->corners ? i : patch->corners - 1;
      numbers[9 * p + 2 * (size_t)i] = (float)(patch->x[corner] * x->factor);
      numbers[9 * p + 2 * (size_t)i + 1] = (float)(patch->y[corner] * y->factor);
    }
    bool rounding = fabs(patch->value) < ROUNDING * most;
    numbers[9 * p + 8] = rounding ? 0.0f : (float)(factor * patch->value);
  }
  put_text(out, "scale", label);
  fputs("\"patches\":\"", out);
  fw_put_base64(out, (const unsigned char *)numbers, 9 * panel->patch_count * sizeof *numbers);
  fputs("\",", out);
  free(numbers);
  return FW_OK;
}

static void put_names(FILE *out, const fw_panel *panel) {
  fprintf(out, "\"first\":%d,\"names\":[", panel->from_zero ? 0 : 1);
  for (int i = 0; i < panel->name_count; i++) {
    if (i) fputc(',', out);
    put_string(out, panel->y_names[i]);
  }
  fputs("],", out);
}

static void put_notes(FILE *out, const fw_panel *panel, const fw_panel_axis *x, const fw_panel_axis *y) {
  fputs("\"notes\":[", out);
  for (int i = 0; i < panel->note_count; i++) {
    const fw_plot_note *note = &panel->notes[i];
    fprintf(out, "%s{\"x\":%.7g,\"y\":%.7g,\"text\":", i ? "," : "", note->x * x->factor, note->y * y->factor);
    put_string(out, note->text);
    fputs(note->light ? ",\"light\":true}" : "}", out);
  }
  fputs("],", out);
}

static fw_status put_panel(fw_context *ctx, FILE *out, const fw_panel *panel, const work *w) {
  static const char *const plays[] = {NULL, "shape", "orbit", "choice"};
  fw_panel_axis x = fw_panel_axis_of(panel, false), y = fw_panel_axis_of(panel, true);
  fputc('{', out);
  put_text(out, "title", panel->title);
  put_text(out, "x", x.label);
  put_text(out, "y", y.label);
  put_flag(out, "xlog", panel->x_log);
  put_flag(out, "ylog", y.logarithmic);
  put_flag(out, "xwhole", x.whole);
  put_flag(out, "ywhole", y.whole);
  put_flag(out, "equal", panel->equal);
  put_flag(out, "beside", panel->beside);
  put_flag(out, "whole", panel->whole);
  put_text(out, "play", plays[panel->play]);
  put_text(out, "choice", panel->choice);
  if (panel->at > 0.0) fprintf(out, "\"at\":%.9g,", panel->at);
  if (panel->y_names) put_names(out, panel);
  if (panel->note_count) put_notes(out, panel, &x, &y);
  if (panel->patch_count) FW_TRY(put_patches(ctx, out, panel, &x, &y));
  fputs("\"curves\":[", out);
  for (int c = 0; c < panel->curve_count; c++) put_curve(out, panel, c, &x, &y, w);
  fputs("]}", out);
  return FW_OK;
}

static size_t most_points(const fw_panel *panels, int count) {
  size_t most = 1;
  for (int p = 0; p < count; p++)
    for (int c = 0; c < panels[p].curve_count; c++)
      if (panels[p].curves[c].count > most) most = panels[p].curves[c].count;
  return most;
}

fw_status fw_plot_data(fw_context *ctx, FILE *out, const fw_panel *panels, int count) {
  size_t most = most_points(panels, count) + 1;
  work w = {0};
  fw_status status;
  FW_TRY_DONE(fw_alloc(ctx, 2 * most, sizeof *w.x, &w.x));
  FW_TRY_DONE(fw_alloc(ctx, most, sizeof *w.floats, &w.floats));
  w.y = w.x + most;
  fprintf(out, "%s{\"panels\":[", tag);
  for (int p = 0; p < count; p++) {
    if (p) fputc(',', out);
    FW_TRY_DONE(put_panel(ctx, out, &panels[p], &w));
  }
  fprintf(out, "]}%s\n", end_tag);
done:
  free(w.x);
  free(w.floats);
  return status;
}

const char *fw_plot_data_find(const char *svg, size_t *length) {
  const char *from = strstr(svg, tag);
  if (!from) return NULL;
  from += sizeof tag - 1;
  const char *to = strstr(from, end_tag);
  if (!to) return NULL;
  *length = (size_t)(to - from);
  return from;
}
