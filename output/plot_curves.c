/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/plot_curves.h"

#include <math.h>
#include <plplot/plplot.h>
#include <stdio.h>
#include <string.h>

#include "core/reading.h"
#include "output/plot_axes.h"
#include "output/thin.h"

enum { MOST_LEGEND = 16, MANY_DOTS = 100 };

/* ---- curves ------------------------------------------------------------------------------ */

void fw_pen_text(const char *text, char *out, size_t room) {
  size_t n = 0;
  for (; text && *text && n + 6 < room; text++) {
    if (text[0] == '^' && strspn(text + 1, "-0123456789") > 0 && n + 12 < room) {
      int digits = (int)strspn(text + 1, "-0123456789");
      n += (size_t)snprintf(out + n, room - n, "#u%.*s#d", digits < 6 ? digits : 6, text + 1);
      text += digits;
      continue;
    }
    if (*text == '#') out[n++] = '#';
    out[n++] = *text;
  }
  out[n] = '\0';
}

/* Number of a curve among those that have a colour of their own. */
static int curve_number(const fw_panel *panel, int curve) {
  int number = 0;
  for (int c = 0; c < curve; c++) {
    const fw_plot_curve *next = &panel->curves[c + 1];
    number += !panel->curves[c].faint && !panel->curves[c].tint && !next->dashed && !next->same;
  }
  return number;
}

static int curve_colour(const fw_panel *panel, int curve) {
  if (panel->curves[curve].tint) return FW_FAINT + panel->curves[curve].tint;
  return panel->curves[curve].faint ? FW_FAINT : FW_FIRST_COLOUR + curve_number(panel, curve) % FW_COLOURS;
}

/* The points that have a place. */
static PLINT take_points(const fw_pen *p, const fw_plot_curve *curve) {
  PLINT n = 0;
  for (size_t i = 0; i < curve->count; i++) {
    p->px[n] = fw_panel_place(&p->x, curve->x[i]);
    p->py[n] = fw_panel_place(&p->y, curve->y[i]);
    if (isfinite(p->px[n]) && isfinite(p->py[n])) n++;
  }
  return n;
}

static void draw_area(const fw_pen *p, const fw_plot_curve *curve) {
  PLINT n = take_points(p, curve);
  if (n > 2) plfill(n, p->px, p->py);
}

/* Draws pieces between gaps, within a tenth of a pixel, so that no corners show. */
static void draw_line(const fw_pen *p, const fw_plot_curve *curve) {
  double near_x = (p->x.high - p->x.low) / (10.0 * p->wide), near_y = (p->y.high - p->y.low) / (10.0 * p->tall);
  PLINT n = 0;
  for (size_t i = 0; i <= curve->count; i++) {
    double x = i < curve->count ? fw_panel_place(&p->x, curve->x[i]) : NAN;
    double y = i < curve->count ? fw_panel_place(&p->y, curve->y[i]) : NAN;
    if (!isfinite(x) || !isfinite(y)) {
      if (n > 1) plline(fw_thin(n, p->px, p->py, near_x, near_y), p->px, p->py);
      n = 0;
      continue;
    }
    p->px[n] = x;
    p->py[n++] = y;
  }
}

/* Dots: lines without length, with round ends. Letters, which PLplot lays out one by one, would take twice as long. */
static void draw_dots(const fw_pen *p, PLINT n, double width) {
  plwidth(width);
  for (PLINT i = 0; i < n; i++) pljoin(p->px[i], p->py[i], p->px[i], p->py[i]);
}

static void draw_markers(const fw_pen *p, const fw_plot_curve *curve) {
  PLINT n = take_points(p, curve);
  double width = n > MANY_DOTS ? 4.0 : 6.0;
  draw_dots(p, n, curve->hollow ? 1.8 * width : width);
  if (!curve->hollow) return;
  plcol0(FW_BACK);
  draw_dots(p, n, 1.2 * width);
}

void fw_pen_curve(const fw_pen *p, int c) {
  const fw_plot_curve *curve = &p->panel->curves[c];
  plcol0(curve->thin ? FW_INK : curve_colour(p->panel, c));
  plwidth(curve->thin ? 0.3 : curve->faint ? 1.0 : 1.6);
  pllsty(curve->dashed ? 2 : 1);
  if (curve->tint)
    draw_area(p, curve);
  else if (curve->markers)
    draw_markers(p, curve);
  else
    draw_line(p, curve);
}

void fw_pen_legend(const fw_panel *panel) {
  PLINT options[MOST_LEGEND], text_colours[MOST_LEGEND], colours[MOST_LEGEND], styles[MOST_LEGEND], one[MOST_LEGEND];
  PLINT solid[MOST_LEGEND] = {0};
  PLFLT widths[MOST_LEGEND], scales[MOST_LEGEND], boxes[MOST_LEGEND];
  static char room[MOST_LEGEND][FW_LABEL_ROOM]; /* under the lock */
  const char *texts[MOST_LEGEND], *symbols[MOST_LEGEND];
  PLINT n = 0;
  for (int c = 0; c < panel->curve_count && n < MOST_LEGEND; c++) {
    const fw_plot_curve *curve = &panel->curves[c];
    if (!curve->label) continue;
    fw_pen_text(curve->label, room[n], FW_LABEL_ROOM);
    texts[n] = room[n];
    options[n] = curve->tint ? PL_LEGEND_COLOR_BOX : curve->markers ? PL_LEGEND_SYMBOL : PL_LEGEND_LINE;
    text_colours[n] = FW_INK;
    colours[n] = curve_colour(panel, c);
    styles[n] = curve->dashed ? 2 : 1;
    one[n] = 1;
    widths[n] = 2.0;
    scales[n] = 1.6;
    boxes[n] = 0.6;
    symbols[n++] = curve->hollow ? "○" : "•";
  }
  if (n == 0) return;
  PLFLT width, height;
  pllegend(&width, &height, PL_LEGEND_BACKGROUND, PL_POSITION_LEFT | PL_POSITION_TOP | PL_POSITION_INSIDE, 1.02, 0.0,
           0.04, FW_BACK, FW_INK, 1, 0, 0, n, options, 0.6, 0.75, 1.8, 0.0, text_colours, texts, colours, solid, boxes,
           widths, colours, styles, widths, colours, scales, one, symbols);
}

/* ---- coloured patches -------------------------------------------------------------------- */

typedef struct range {
  double low, high;
} range;

static range patch_range(const fw_panel *panel) {
  range r = {INFINITY, -INFINITY};
  for (size_t p = 0; p < panel->patch_count; p++) {
    r.low = fmin(r.low, panel->patches[p].value);
    r.high = fmax(r.high, panel->patches[p].value);
  }
  if (r.high <= r.low) r.high = r.low + fmax(1e-9 * fabs(r.low), 1e-300);
  return r;
}

void fw_pen_patches(const fw_pen *p) {
  range r = patch_range(p->panel);
  for (size_t i = 0; i < p->panel->patch_count; i++) {
    const fw_patch *patch = &p->panel->patches[i];
    double x[4], y[4];
    for (int k = 0; k < patch->corners; k++) {
      x[k] = patch->x[k] * p->x.factor;
      y[k] = patch->y[k] * p->y.factor;
    }
    plcol1((patch->value - r.low) / (r.high - r.low));
    plfill(patch->corners, x, y);
  }
}

void fw_pen_scale(const fw_panel *panel, double left, double bottom, double top) {
  enum { STRIPS = 64 };
  range r = patch_range(panel);
  char read[FW_LABEL_ROOM], label[FW_LABEL_ROOM];
  double factor =
      fw_reading_of_label(panel->patch_label, fmax(fabs(r.low), fabs(r.high)), false, read, sizeof read).factor;
  r.low *= factor, r.high *= factor;
  plvpor(left, left + 0.025, bottom, top);
  plwind(0.0, 1.0, r.low, r.high);
  for (int i = 0; i < STRIPS; i++) {
    double low = r.low + (r.high - r.low) * i / STRIPS, high = r.low + (r.high - r.low) * (i + 1) / STRIPS;
    double x[4] = {0.0, 1.0, 1.0, 0.0}, y[4] = {low, low, high, high};
    plcol1((i + 0.5) / STRIPS);
    plfill(4, x, y);
  }
  plcol0(FW_INK);
  fw_tick ticks[FW_TICKS];
  fw_axis axis = {r.low, r.high, .most = 6};
  plbox("bc", 0.0, 0, "bc", 0.0, 0);
  for (int i = fw_axis_ticks(&axis, ticks); i-- > 0;)
    plmtex("rv", 0.6, (ticks[i].at - r.low) / (r.high - r.low), 0.0, ticks[i].text);
  fw_pen_text(read, label, sizeof label);
  plmtex("t", 1.2, 1.0, 0.5, label);
}
