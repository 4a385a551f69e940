/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/plot.h"

#include <math.h>
#include <plplot/plplot.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/reading.h"
#include "output/plot_axes.h"
#include "output/plot_data.h"
#include "output/plot_range.h"
#include "output/thin.h"

enum { WIDTH = 900, LABEL_ROOM = 160, MOST_LEGEND = 16, MANY_DOTS = 100 };
enum { BACK, INK, GRID, FAINT, TINTS = 3, FIRST_COLOUR = FAINT + 1 + TINTS, COLOURS = 12 };

/* PLplot's streams are global. */
static pthread_mutex_t plot_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- drawing (the lock is held) ---------------------------------------------------------- */

/* A copy of `text` in which PLplot's escape character stands for itself and ^2 is raised. */
static void plain_text(const char *text, char *out, size_t room) {
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
  if (panel->curves[curve].tint) return FAINT + panel->curves[curve].tint;
  return panel->curves[curve].faint ? FAINT : FIRST_COLOUR + curve_number(panel, curve) % COLOURS;
}

/* Where the curve of a panel goes, point by point, with room for all of them. */
typedef struct pen {
  const fw_panel *panel;
  fw_panel_axis x, y;
  int wide, tall; /* pixels of the window */
  double *px, *py;
} pen;

/* The points that have a place. */
static PLINT take_points(const pen *p, const fw_plot_curve *curve) {
  PLINT n = 0;
  for (size_t i = 0; i < curve->count; i++) {
    p->px[n] = fw_panel_place(&p->x, curve->x[i]);
    p->py[n] = fw_panel_place(&p->y, curve->y[i]);
    if (isfinite(p->px[n]) && isfinite(p->py[n])) n++;
  }
  return n;
}

static void draw_area(const pen *p, const fw_plot_curve *curve) {
  PLINT n = take_points(p, curve);
  if (n > 2) plfill(n, p->px, p->py);
}

/* Draws pieces between gaps, within a tenth of a pixel, so that no corners show. */
static void draw_line(const pen *p, const fw_plot_curve *curve) {
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
static void draw_markers(const pen *p, const fw_plot_curve *curve) {
  PLINT n = take_points(p, curve);
  plwidth(n > MANY_DOTS ? 4.0 : 6.0);
  for (PLINT i = 0; i < n; i++) pljoin(p->px[i], p->py[i], p->px[i], p->py[i]);
}

static void draw_curve(const pen *p, int c) {
  const fw_plot_curve *curve = &p->panel->curves[c];
  plcol0(curve->thin ? INK : curve_colour(p->panel, c));
  plwidth(curve->thin ? 0.3 : curve->faint ? 1.0 : 1.6);
  pllsty(curve->dashed ? 2 : 1);
  if (curve->tint)
    draw_area(p, curve);
  else if (curve->markers)
    draw_markers(p, curve);
  else
    draw_line(p, curve);
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
    styles[n] = curve->dashed ? 2 : 1;
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

static void draw_patches(const pen *p) {
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

/* The scale of colours, right of the panel. */
static void draw_scale(const fw_panel *panel, double left, double bottom, double top) {
  enum { STRIPS = 64 };
  range r = patch_range(panel);
  char read[LABEL_ROOM], label[LABEL_ROOM];
  double factor = fw_reading_of_label(panel->patch_label, fmax(fabs(r.low), fabs(r.high)), read, sizeof read).factor;
  r.low *= factor, r.high *= factor;
  plvpor(left, left + 0.025, bottom, top);
  plwind(0.0, 1.0, r.low, r.high);
  for (int i = 0; i < STRIPS; i++) {
    double low = r.low + (r.high - r.low) * i / STRIPS, high = r.low + (r.high - r.low) * (i + 1) / STRIPS;
    double x[4] = {0.0, 1.0, 1.0, 0.0}, y[4] = {low, low, high, high};
    plcol1((i + 0.5) / STRIPS);
    plfill(4, x, y);
  }
  plcol0(INK);
  fw_tick ticks[FW_TICKS];
  fw_axis axis = {r.low, r.high, .most = 6};
  plbox("bc", 0.0, 0, "bc", 0.0, 0);
  for (int i = fw_axis_ticks(&axis, ticks); i-- > 0;)
    plmtex("rv", 0.6, (ticks[i].at - r.low) / (r.high - r.low), 0.0, ticks[i].text);
  plain_text(read, label, sizeof label);
  plmtex("t", 1.2, 1.0, 0.5, label);
}

/* ---- layout ------------------------------------------------------------------------------ */

static size_t letters(const char *text) {
  size_t count = 0;
  for (; *text; text++) count += ((unsigned char)*text & 0xC0) != 0x80; /* bytes that begin a letter of UTF-8 */
  return count;
}

/* The page in pixels: rows of cells, in each a window with room around it for numbers, labels and a title. */
typedef struct layout {
  int columns, row_height, height;
  double left, right; /* of the cells on the page */
  double number_room; /* left of a window in its cell */
  double letter;      /* height of letters, part of the usual */
} layout;

enum { BELOW = 50, ABOVE = 34, BETWEEN = 16, LETTER = 9, LETTER_HEIGHT = 10, LABEL_HEIGHT = 22 };

/* What is right of the cells holds the scale of colours, or the lines of the legend and its longest label. PLplot does
 * not tell how long a text becomes: a letter of legends needs some 6 pixels. */
static double right_edge(const fw_panel *panels, int count) {
  enum { SCALE = 190, LEGEND_LINE = 56, LEGEND_LETTER = 6 };
  double edge = WIDTH - 8.0;
  for (int p = 0; p < count; p++) {
    if (panels[p].patch_count) edge = fmin(edge, WIDTH - SCALE);
    for (int c = 0; c < panels[p].curve_count; c++)
      if (panels[p].curves[c].label)
        edge = fmin(edge, WIDTH - LEGEND_LINE - LEGEND_LETTER * (double)letters(panels[p].curves[c].label));
  }
  return fmax(edge, WIDTH / 2.0);
}

static int tick_count(double pixels, double each) { return (int)fmin(9.0, fmax(3.0, pixels / each)); }

static fw_axis axis_of(const fw_panel_axis *a, bool named, int most) {
  return (fw_axis){a->low, a->high, a->logarithmic, named, most};
}

static size_t tick_letters(const char *text) {
  size_t count = letters(text);
  return strchr(text, '#') ? count - 3 : count; /* #u, and small digits */
}

/* Numbers and their quantity, or names, the longest of them whole. */
static double number_room(const fw_panel *panels, int count) {
  size_t most = 2;
  for (int p = 0; p < count; p++) {
    if (panels[p].equal && most < 4) most = 4; /* numbers change once the axes are to scale */
    fw_tick ticks[FW_TICKS];
    fw_panel_axis y = fw_panel_axis_of(&panels[p], true);
    fw_axis axis = axis_of(&y, panels[p].y_names, 9);
    for (int i = fw_axis_ticks(&axis, ticks); i-- > 0;)
      if (tick_letters(ticks[i].text) > most) most = tick_letters(ticks[i].text);
    for (int i = 0; panels[p].y_names && i < panels[p].name_count; i++)
      if (letters(panels[p].y_names[i]) > most) most = letters(panels[p].y_names[i]);
  }
  return fmin((double)(LETTER * most), 0.4 * WIDTH) + LABEL_HEIGHT + 14.0;
}

/* Of the row that a panel begins. */
static int row_height(const layout *l, const fw_panel *first) {
  enum { TALL = 460 };
  return first->whole ? TALL : l->row_height;
}

static layout lay_out(const fw_panel *panels, int count) {
  static const int heights[] = {380, 300, 250, 220};
  layout l = {.left = 4.0, .right = right_edge(panels, count), .letter = 1.0};
  for (int p = 0, row = 0; p < count; p++) {
    row = p > 0 && panels[p].beside ? row + 1 : 1;
    if (row > l.columns) l.columns = row;
  }
  l.row_height = heights[l.columns < 4 ? l.columns - 1 : 3];
  for (int p = 0; p < count; p++)
    if (p == 0 || !panels[p].beside) l.height += row_height(&l, &panels[p]);
  if (l.columns > 1) l.letter = 0.85;
  l.number_room = l.letter * number_room(panels, count);
  return l;
}

/* The window of the panel at a place of a row that ends at `top`, in pixels from the lower left. */
typedef struct window {
  double left, right, bottom, top;
} window;

static window window_of(const layout *l, const fw_panel *first, double top, int column) {
  double wide = (l->right - l->left) / (first->whole ? 1 : l->columns);
  return (window){l->left + column * wide + l->number_room, l->left + (column + 1) * wide - BETWEEN,
                  top - row_height(l, first) + BELOW, top - ABOVE};
}

/* Names in place of numbers along the vertical axis. */
static void draw_names(const fw_panel *panel, const fw_panel_axis *y) {
  char name[LABEL_ROOM];
  for (int i = 0; panel->y_names && i < panel->name_count; i++) {
    plain_text(panel->y_names[i], name, sizeof name);
    plmtex("lv", 0.6, (fw_panel_first(panel) + i - y->low) / (y->high - y->low), 1.0, name);
  }
}

/* Widens one axis so that a unit is as long on both; `aspect` is width over height. */
static void equalise(fw_panel_axis *x, fw_panel_axis *y, double aspect) {
  double wide = x->high - x->low, tall = y->high - y->low;
  double add_x = fmax(0.0, tall * aspect - wide) / 2, add_y = fmax(0.0, wide / aspect - tall) / 2;
  x->low -= add_x, x->high += add_x;
  y->low -= add_y, y->high += add_y;
}

static void draw_labels(const pen *p, const layout *l) {
  char label[LABEL_ROOM];
  plain_text(p->x.label, label, sizeof label);
  plmtex("b", 3.0, 0.5, 0.5, label);
  plain_text(p->y.label, label, sizeof label);
  plmtex("l", (l->number_room / l->letter - LABEL_HEIGHT) / LETTER_HEIGHT + 0.5, 0.5, 0.5, label);
  plain_text(p->panel->title, label, sizeof label);
  plmtex("t", 0.8, 0.0, 0.0, label);
}

static void draw_notes(const pen *p, double letter) {
  char text[LABEL_ROOM];
  plcol0(INK);
  plschr(3.7, 0.85 * letter);
  for (int i = 0; i < p->panel->note_count; i++) {
    const fw_plot_note *note = &p->panel->notes[i];
    plain_text(note->text, text, sizeof text);
    plcol0(note->light ? BACK : INK);
    double x = note->x * p->x.factor, from = (x - p->x.low) / (p->x.high - p->x.low) * p->wide;
    bool runs_over = from + 0.8 * LETTER * letter * (double)letters(note->text) > p->wide;
    plptex(x, note->y * p->y.factor, 1.0, 0.0, runs_over ? 1.0 : 0.0, text);
  }
  plschr(3.7, letter);
}

static void draw_panel(const fw_panel *panel, const layout *l, window at, double *px, double *py) {
  double wide = at.right - at.left, tall = at.top - at.bottom, height = l->height;
  pen p = {panel, fw_panel_axis_of(panel, false), fw_panel_axis_of(panel, true), (int)wide, (int)tall, px, py};
  if (panel->equal) equalise(&p.x, &p.y, wide / tall);
  fw_axis x = axis_of(&p.x, false, tick_count(wide, 60.0)), y = axis_of(&p.y, panel->y_names, tick_count(tall, 36.0));
  plvpor(at.left / WIDTH, at.right / WIDTH, at.bottom / height, at.top / height);
  plwind(p.x.low, p.x.high, p.y.low, p.y.high);
  plcol0(GRID);
  plwidth(0.5);
  pllsty(1);
  fw_axes_grid(&x, &y);
  draw_patches(&p);
  for (int c = 0; c < panel->curve_count; c++) draw_curve(&p, c);
  pllsty(1);
  draw_notes(&p, l->letter);
  plcol0(INK);
  plwidth(1.0);
  fw_axes_draw(&x, &y);
  draw_names(panel, &p.y);
  draw_labels(&p, l);
  draw_legend(panel);
  if (panel->patch_count) draw_scale(panel, (at.right + 28.0) / WIDTH, at.bottom / height, at.top / height);
}

static void draw_rows(const fw_panel *panels, int count, const layout *l, double *px, double *py) {
  double top = l->height;
  for (int p = 0, cells; p < count; p += cells) {
    for (cells = 1; p + cells < count && panels[p + cells].beside;) cells++;
    for (int c = 0; c < cells; c++) draw_panel(&panels[p + c], l, window_of(l, &panels[p], top, c), px, py);
    top -= row_height(l, &panels[p]);
  }
}

static void set_colours(void) {
  static const int rgb[][3] = {{255, 255, 255}, {40, 40, 40},    {222, 222, 222}, {150, 150, 150}, {226, 239, 249},
                               {185, 215, 238}, {130, 184, 222}, {0, 114, 178},   {213, 94, 0},    {0, 158, 115},
                               {204, 121, 167}, {230, 159, 0},   {86, 180, 233},  {120, 80, 60},   {106, 61, 154},
                               {160, 150, 20},  {200, 30, 60},   {0, 120, 130},   {80, 80, 80}};
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
  layout l = lay_out(panels, count);
  plspage(90, 90, WIDTH, l.height, 0, 0);
  set_colours();
  plinit();
  pladv(0);
  plschr(3.7, l.letter);
  draw_rows(panels, count, &l, px, py);
  plend1();
  return true;
}

/* Where PLplot would end the program (it finds no room for its list of drivers) it comes back here; under the lock. */
static jmp_buf plot_escape;

static int escape(const char *message) {
  (void)message;
  longjmp(plot_escape, 1);
}

static bool draw_or_escape(const fw_panel *panels, int count, FILE *file, double *px, double *py) {
  if (setjmp(plot_escape) != 0) {
    fclose(file);
    return false;
  }
  plsexit(escape);
  return draw_page(panels, count, file, px, py);
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

/* Digits below a hundredth of a pixel, of which cairo writes four. */
static void drop_digits(char *svg, size_t *length) {
  char *to = svg;
  for (const char *from = svg; *from;) {
    size_t digits = *from == '.' ? strspn(from + 1, "0123456789") : 0;
    bool path = digits > 2 && from[1 + digits] != '%'; /* not colours */
    size_t kept = path ? 3 : 1;
    memmove(to, from, kept);
    to += kept;
    from += path ? 1 + digits : 1;
  }
  *to = '\0';
  *length = (size_t)(to - svg);
}

/* The SVG with the figure's numbers before its end. */
static fw_status add_data(fw_context *ctx, const fw_panel *panels, int count, char **svg, size_t *length) {
  static const char end[] = "</svg>";
  char *drawn = *svg, *tail = strstr(drawn, end);
  *svg = NULL;
  FILE *out = tail ? open_memstream(svg, length) : NULL;
  fw_status status = out ? FW_OK : fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  if (out) {
    fwrite(drawn, 1, (size_t)(tail - drawn), out);
    status = fw_plot_data(ctx, out, panels, count);
    fputs(tail, out);
    if (fclose(out) != 0 && status == FW_OK) status = fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  }
  free(drawn);
  if (status == FW_OK) return FW_OK;
  free(*svg);
  *svg = NULL;
  return status;
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
    drawn = draw_or_escape(panels, count, file, points, points + most);
    pthread_mutex_unlock(&plot_lock);
  }
  free(points);
  if (!drawn) {
    free(*svg);
    *svg = NULL;
    return fw_fail(ctx, FW_ERR_IO,
                   "PLplot cannot draw: its driver svgcairo is missing, or there is no room on the disk");
  }
  drop_surface_number(*svg, length);
  drop_digits(*svg, length);
  return add_data(ctx, panels, count, svg, length);
}
