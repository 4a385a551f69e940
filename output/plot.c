/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/plot.h"

#include <math.h>
#include <plplot/plplot.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/files.h"
#include "output/plot_axes.h"
#include "output/thin.h"

enum { WIDTH = 900, PANEL_HEIGHT = 420, LABEL_ROOM = 160, MOST_LEGEND = 14, MOST_DECADES = 8, MANY_DOTS = 100 };
enum { BACK, INK, GRID, FAINT, TINTS = 3, FIRST_COLOUR = FAINT + 1 + TINTS, COLOURS = 7 };

/* PLplot's streams are global. */
static pthread_mutex_t plot_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- ranges ------------------------------------------------------------------------------ */

typedef struct range {
  double low, high;
} range;

static double axis_value(double value, bool logarithmic) {
  if (!logarithmic) return value;
  return value > 0.0 ? log10(value) : NAN;
}

static bool has_markers(const fw_panel *panel) {
  for (int c = 0; c < panel->curve_count; c++)
    if (panel->curves[c].markers) return true;
  return false;
}

static double first_place(const fw_panel *panel) { return panel->from_zero ? 0.0 : 1.0; }

static range data_range(const fw_panel *panel, bool vertical) {
  if (vertical && panel->y_names)
    return (range){first_place(panel) - 0.6, first_place(panel) + panel->name_count - 0.4};
  range r = {INFINITY, -INFINITY};
  bool logarithmic = vertical ? panel->y_log : panel->x_log;
  for (int c = 0; c < panel->curve_count; c++)
    for (size_t i = 0; i < panel->curves[c].count; i++) {
      double value = axis_value(vertical ? panel->curves[c].y[i] : panel->curves[c].x[i], logarithmic);
      if (!isfinite(value)) continue;
      r.low = fmin(r.low, value);
      r.high = fmax(r.high, value);
    }
  if (r.low > r.high) return (range){0.0, 1.0};
  if (logarithmic && r.low < r.high - MOST_DECADES) r.low = r.high - MOST_DECADES;
  double span = r.high - r.low, least = 1e-9 * fmax(fabs(r.low), fabs(r.high));
  if (span <= least) span = r.high != 0.0 ? 0.2 * fabs(r.high) : 1.0;
  double margin = (vertical || has_markers(panel) ? 0.06 : 0.02) * span;
  if (r.high - r.low <= least) margin = 0.5 * span;
  return (range){r.low - margin, r.high + margin};
}

/* Widens one range so that a unit is as long on both axes; `aspect` is width over height. */
static void equalise(range *x, range *y, double aspect) {
  double wide = x->high - x->low, tall = y->high - y->low;
  double add_x = fmax(0.0, tall * aspect - wide) / 2, add_y = fmax(0.0, wide / aspect - tall) / 2;
  *x = (range){x->low - add_x, x->high + add_x};
  *y = (range){y->low - add_y, y->high + add_y};
}

/* ---- drawing (the lock is held) ---------------------------------------------------------- */

/* A copy of `text` in which PLplot's escape character stands for itself and ^2 is raised. */
static void plain_text(const char *text, char *out, size_t room) {
  size_t n = 0;
  for (; text && *text && n + 6 < room; text++) {
    if (text[0] == '^' && text[1] >= '0' && text[1] <= '9') {
      n += (size_t)snprintf(out + n, room - n, "#u%c#d", *++text);
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
  for (int c = 0; c < curve; c++) number += !panel->curves[c].faint && !panel->curves[c].tint;
  return number;
}

static int curve_colour(const fw_panel *panel, int curve) {
  if (panel->curves[curve].tint) return FAINT + panel->curves[curve].tint;
  return panel->curves[curve].faint ? FAINT : FIRST_COLOUR + curve_number(panel, curve) % COLOURS;
}

/* When the colours begin again the lines are dashed. */
static int curve_dashes(const fw_panel *panel, int curve) {
  return panel->curves[curve].faint ? 1 : 1 + curve_number(panel, curve) / COLOURS % 3;
}

static void draw_area(const fw_panel *panel, const fw_plot_curve *curve, double *px, double *py) {
  PLINT n = 0;
  for (size_t i = 0; i < curve->count; i++) {
    px[n] = axis_value(curve->x[i], panel->x_log);
    py[n] = axis_value(curve->y[i], panel->y_log);
    if (isfinite(px[n]) && isfinite(py[n])) n++;
  }
  if (n > 2) plfill(n, px, py);
}

/* Draws pieces between gaps, within half a pixel. */
static void draw_line(const fw_panel *panel, const fw_plot_curve *curve, range x, range y, double *px, double *py) {
  double near_x = (x.high - x.low) / (2.0 * WIDTH), near_y = (y.high - y.low) / (2.0 * PANEL_HEIGHT);
  PLINT n = 0;
  for (size_t i = 0; i <= curve->count; i++) {
    double vx = i < curve->count ? axis_value(curve->x[i], panel->x_log) : NAN;
    double vy = i < curve->count ? axis_value(curve->y[i], panel->y_log) : NAN;
    if (!isfinite(vx) || !isfinite(vy)) {
      if (n > 1) plline(fw_thin(n, px, py, near_x, near_y), px, py);
      n = 0;
      continue;
    }
    px[n] = vx;
    py[n++] = vy;
  }
}

/* Dots: lines without length, with round ends. Letters, which PLplot lays out one by one, would take twice as long. */
static void draw_markers(const fw_panel *panel, const fw_plot_curve *curve, double *px, double *py) {
  PLINT n = 0;
  for (size_t i = 0; i < curve->count; i++) {
    px[n] = axis_value(curve->x[i], panel->x_log);
    py[n] = axis_value(curve->y[i], panel->y_log);
    if (isfinite(px[n]) && isfinite(py[n])) n++;
  }
  plwidth(n > MANY_DOTS ? 4.0 : 6.0);
  for (PLINT i = 0; i < n; i++) pljoin(px[i], py[i], px[i], py[i]);
}

static void draw_legend(const fw_panel *panel) {
  PLINT options[MOST_LEGEND], text_colours[MOST_LEGEND], colours[MOST_LEGEND], styles[MOST_LEGEND], one[MOST_LEGEND];
  PLINT solid[MOST_LEGEND] = {0};
  PLFLT widths[MOST_LEGEND], scales[MOST_LEGEND], boxes[MOST_LEGEND];
  static char room[MOST_LEGEND][LABEL_ROOM]; /* under the lock */
  const char *texts[MOST_LEGEND], *symbols[MOST_LEGEND];
  PLINT n = 0;
  for (int c = 0; c < panel->curve_count && n < MOST_LEGEND; c++) {
    const fw_plot_curve *curve = &panel->curves[c];
    if (!curve->label) continue;
    plain_text(curve->label, room[n], LABEL_ROOM);
    texts[n] = room[n];
    options[n] = curve->tint ? PL_LEGEND_COLOR_BOX : curve->markers ? PL_LEGEND_SYMBOL : PL_LEGEND_LINE;
    text_colours[n] = INK;
    colours[n] = curve_colour(panel, c);
    styles[n] = curve_dashes(panel, c);
    one[n] = 1;
    widths[n] = 2.0;
    scales[n] = 1.6;
    boxes[n] = 0.6;
    symbols[n++] = "•";
  }
  if (n == 0) return;
  PLFLT width, height;
  pllegend(&width, &height, PL_LEGEND_BACKGROUND, PL_POSITION_LEFT | PL_POSITION_TOP | PL_POSITION_INSIDE, 1.02, 0.0,
           0.04, BACK, INK, 1, 0, 0, n, options, 0.6, 0.75, 1.8, 0.0, text_colours, texts, colours, solid, boxes,
           widths, colours, styles, widths, colours, scales, one, symbols);
}

/* ---- coloured patches -------------------------------------------------------------------- */

static range patch_range(const fw_panel *panel) {
  range r = {INFINITY, -INFINITY};
  for (size_t p = 0; p < panel->patch_count; p++) {
    r.low = fmin(r.low, panel->patches[p].value);
    r.high = fmax(r.high, panel->patches[p].value);
  }
  if (r.high <= r.low) r.high = r.low + fmax(1e-9 * fabs(r.low), 1e-300);
  return r;
}

static void draw_patches(const fw_panel *panel) {
  range r = patch_range(panel);
  for (size_t p = 0; p < panel->patch_count; p++) {
    const fw_patch *patch = &panel->patches[p];
    plcol1((patch->value - r.low) / (r.high - r.low));
    plfill(patch->corners, patch->x, patch->y);
  }
}

/* The scale of colours, right of the panel. */
static void draw_scale(const fw_panel *panel, double left, double bottom, double top) {
  enum { STRIPS = 64 };
  range r = patch_range(panel);
  char label[LABEL_ROOM];
  plvpor(left, left + 0.025, bottom, top);
  plwind(0.0, 1.0, r.low, r.high);
  for (int i = 0; i < STRIPS; i++) {
    double low = r.low + (r.high - r.low) * i / STRIPS, high = r.low + (r.high - r.low) * (i + 1) / STRIPS;
    double x[4] = {0.0, 1.0, 1.0, 0.0}, y[4] = {low, low, high, high};
    plcol1((i + 0.5) / STRIPS);
    plfill(4, x, y);
  }
  plcol0(INK);
  plbox("bc", 0.0, 0, "bcmstv", 0.0, 0);
  plain_text(panel->patch_label, label, sizeof label);
  plmtex("t", 1.2, 1.0, 0.5, label);
}

static size_t letters(const char *text) {
  size_t count = 0;
  for (; *text; text++) count += ((unsigned char)*text & 0xC0) != 0x80; /* bytes that begin a letter of UTF-8 */
  return count;
}

/* Where the panels end on the right, as a part of the page: what is left holds the scale of colours, or the lines of
 * the legend and its longest label. PLplot does not tell how long a text becomes: LETTER is what most need. */
static double right_edge(const fw_panel *panels, int count) {
  static const double WITH_LEGEND = 0.79, LINE = 0.045, LETTER = 0.0057;
  double edge = 0.97;
  for (int p = 0; p < count; p++) {
    if (panels[p].patch_count) edge = fmin(edge, WITH_LEGEND);
    for (int c = 0; c < panels[p].curve_count; c++)
      if (panels[p].curves[c].label)
        edge = fmin(edge, fmin(WITH_LEGEND, 1.0 - LINE - LETTER * (double)letters(panels[p].curves[c].label)));
  }
  return fmax(edge, 0.5);
}

/* Where the panels begin on the left: before it stand numbers and their quantity, or names, the longest of them whole.
 */
static double left_edge(const fw_panel *panels, int count) {
  static const double MARGIN = 0.015, LETTER = 0.0097;
  double edge = 0.115;
  for (int p = 0; p < count; p++)
    for (int i = 0; panels[p].y_names && i < panels[p].name_count; i++)
      edge = fmax(edge, MARGIN + LETTER * (double)letters(panels[p].y_names[i]));
  return fmin(edge, 0.4);
}

/* Names in place of numbers along the vertical axis. */
static void draw_names(const fw_panel *panel, range y) {
  char name[LABEL_ROOM];
  for (int i = 0; panel->y_names && i < panel->name_count; i++) {
    plain_text(panel->y_names[i], name, sizeof name);
    plmtex("lv", 0.6, (first_place(panel) + i - y.low) / (y.high - y.low), 1.0, name);
  }
}

static void draw_panel(const fw_panel *panel, int place, int count, range across, double *px, double *py) {
  char x_label[LABEL_ROOM], y_label[LABEL_ROOM], title[LABEL_ROOM];
  plain_text(panel->x_label, x_label, sizeof x_label);
  plain_text(panel->y_label, y_label, sizeof y_label);
  plain_text(panel->title, title, sizeof title);
  double left = across.low, right = across.high, tall = 1.0 / count;
  double bottom = 1.0 - (place + 1) * tall + 0.16 * tall, top = 1.0 - place * tall - 0.14 * tall;
  range x = data_range(panel, false), y = data_range(panel, true);
  if (panel->equal) equalise(&x, &y, (right - left) * WIDTH / ((top - bottom) * count * PANEL_HEIGHT));
  plvpor(left, right, bottom, top);
  plwind(x.low, x.high, y.low, y.high);
  plcol0(GRID);
  plwidth(0.5);
  plbox(panel->x_log ? "lg" : "g", 0.0, 0, panel->y_names ? "" : panel->y_log ? "lg" : "g", 0.0, 0);
  draw_patches(panel);
  for (int c = 0; c < panel->curve_count; c++) {
    const fw_plot_curve *curve = &panel->curves[c];
    plcol0(curve->thin ? INK : curve_colour(panel, c));
    plwidth(curve->thin ? 0.3 : curve->faint ? 1.0 : 1.8);
    pllsty(curve_dashes(panel, c));
    if (curve->tint)
      draw_area(panel, curve, px, py);
    else if (panel->curves[c].markers)
      draw_markers(panel, &panel->curves[c], px, py);
    else
      draw_line(panel, &panel->curves[c], x, y, px, py);
  }
  pllsty(1);
  plcol0(INK);
  plwidth(1.0);
  fw_axes_draw((fw_axis){x.low, x.high, panel->x_log, false}, (fw_axis){y.low, y.high, panel->y_log, panel->y_names});
  draw_names(panel, y);
  plmtex("b", 3.0, 0.5, 0.5, x_label);
  plmtex("l", 5.8, 0.5, 0.5, y_label);
  plmtex("t", 1.2, 0.0, 0.0, title);
  draw_legend(panel);
  if (panel->patch_count) draw_scale(panel, right + 0.03, bottom, top);
}

static void set_colours(void) {
  static const int rgb[][3] = {{255, 255, 255}, {40, 40, 40},    {222, 222, 222}, {150, 150, 150}, {226, 239, 249},
                               {185, 215, 238}, {130, 184, 222}, {0, 114, 178},   {213, 94, 0},    {0, 158, 115},
                               {204, 121, 167}, {230, 159, 0},   {86, 180, 233},  {120, 80, 60}};
  plscmap0n(FIRST_COLOUR + COLOURS);
  for (int i = 0; i < FIRST_COLOUR + COLOURS; i++) plscol0(i, rgb[i][0], rgb[i][1], rgb[i][2]);
  /* From dark blue over green to yellow, of even lightness steps. */
  static const PLFLT at[] = {0.0, 0.25, 0.5, 0.75, 1.0}, red[] = {0.27, 0.23, 0.13, 0.37, 0.99},
                     green[] = {0.00, 0.32, 0.57, 0.79, 0.91}, blue[] = {0.33, 0.55, 0.55, 0.38, 0.14};
  plscmap1n(128);
  plscmap1l(1, 5, at, red, green, blue, NULL);
}

/* Draws into an open file, which PLplot closes. False if there is no such driver. */
static bool draw_page(const fw_panel *panels, int count, FILE *file, double *px, double *py) {
  PLINT stream;
  plmkstrm(&stream);
  if (stream < 0) return false;
  plsdev("svgcairo");
  plsfile(file);
  plspage(90, 90, WIDTH, count * PANEL_HEIGHT, 0, 0);
  set_colours();
  plinit();
  pladv(0);
  plschr(3.7, 1.0);
  plsmaj(0.0, 0.6);
  plsmin(0.0, 0.6);
  range across = {left_edge(panels, count), right_edge(panels, count)};
  for (int p = 0; p < count; p++) draw_panel(&panels[p], p, count, across, px, py);
  plend1();
  return true;
}

/* Cairo numbers its surfaces through the life of the program; without the number the same data give the
 * same file. */
static void drop_surface_number(char *svg, size_t *length) {
  static const char tag[] = "<g id=\"surface";
  char *digits = strstr(svg, tag);
  if (!digits) return;
  digits += sizeof tag - 1;
  size_t count = strspn(digits, "0123456789");
  memmove(digits, digits + count, *length - (size_t)(digits - svg) - count + 1);
  *length -= count;
}

fw_status fw_plot_svg(fw_context *ctx, const fw_panel *panels, int count, char **svg, size_t *length) {
  size_t most = 1;
  for (int p = 0; p < count; p++)
    for (int c = 0; c < panels[p].curve_count; c++)
      if (panels[p].curves[c].count > most) most = panels[p].curves[c].count;
  double *points;
  *svg = NULL;
  FW_TRY(fw_alloc(ctx, 2 * most, sizeof *points, &points));
  FILE *file = open_memstream(svg, length);
  bool drawn = false;
  if (file) {
    pthread_mutex_lock(&plot_lock);
    drawn = draw_page(panels, count, file, points, points + most);
    pthread_mutex_unlock(&plot_lock);
  }
  free(points);
  if (!drawn) return fw_fail(ctx, FW_ERR_LIBRARY, "PLplot cannot draw");
  drop_surface_number(*svg, length);
  return FW_OK;
}

fw_status fw_plot_file(fw_context *ctx, const fw_panel *panels, int count, const char *path) {
  char *svg;
  size_t length;
  FW_TRY(fw_plot_svg(ctx, panels, count, &svg, &length));
  fw_status status = fw_file_write(ctx, path, svg, length);
  free(svg);
  return status;
}
