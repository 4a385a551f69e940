/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/plot.h"

#include <math.h>
#include <plplot/plplot.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "output/plot_axes.h"
#include "output/plot_curves.h"
#include "output/plot_data.h"
#include "output/plot_range.h"

enum { WIDTH = 900 };

/* PLplot's streams are global. */
static pthread_mutex_t plot_lock = PTHREAD_MUTEX_INITIALIZER;

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
  return (fw_axis){a->low, a->high, a->logarithmic, a->whole, named, most};
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
  char name[FW_LABEL_ROOM];
  for (int i = 0; panel->y_names && i < panel->name_count; i++) {
    fw_pen_text(panel->y_names[i], name, sizeof name);
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

static void draw_labels(const fw_pen *p, const layout *l) {
  char label[FW_LABEL_ROOM];
  fw_pen_text(p->x.label, label, sizeof label);
  plmtex("b", 3.0, 0.5, 0.5, label);
  fw_pen_text(p->y.label, label, sizeof label);
  plmtex("l", (l->number_room / l->letter - LABEL_HEIGHT) / LETTER_HEIGHT + 0.5, 0.5, 0.5, label);
  fw_pen_text(p->panel->title, label, sizeof label);
  plmtex("t", 0.8, 0.0, 0.0, label);
}

static void draw_notes(const fw_pen *p, double letter) {
  char text[FW_LABEL_ROOM];
  plcol0(FW_INK);
  plschr(3.7, 0.85 * letter);
  for (int i = 0; i < p->panel->note_count; i++) {
    const fw_plot_note *note = &p->panel->notes[i];
    fw_pen_text(note->text, text, sizeof text);
    plcol0(note->light ? FW_BACK : FW_INK);
    double x = note->x * p->x.factor, from = (x - p->x.low) / (p->x.high - p->x.low) * p->wide;
    bool runs_over = from + 0.8 * LETTER * letter * (double)letters(note->text) > p->wide;
    plptex(x, note->y * p->y.factor, 1.0, 0.0, runs_over ? 1.0 : 0.0, text);
  }
  plschr(3.7, letter);
}

static void draw_panel(const fw_panel *panel, const layout *l, window at, double *px, double *py) {
  double wide = at.right - at.left, tall = at.top - at.bottom, height = l->height;
  fw_pen p = {panel, fw_panel_axis_of(panel, false), fw_panel_axis_of(panel, true), (int)wide, (int)tall, px, py};
  if (panel->equal) equalise(&p.x, &p.y, wide / tall);
  fw_axis x = axis_of(&p.x, false, tick_count(wide, 60.0)), y = axis_of(&p.y, panel->y_names, tick_count(tall, 36.0));
  plvpor(at.left / WIDTH, at.right / WIDTH, at.bottom / height, at.top / height);
  plwind(p.x.low, p.x.high, p.y.low, p.y.high);
  plcol0(FW_GRID);
  plwidth(0.5);
  pllsty(1);
  fw_axes_grid(&x, &y);
  fw_pen_patches(&p);
  for (int c = 0; c < panel->curve_count; c++) fw_pen_curve(&p, c);
  pllsty(1);
  draw_notes(&p, l->letter);
  plcol0(FW_INK);
  plwidth(1.0);
  fw_axes_draw(&x, &y);
  draw_names(panel, &p.y);
  draw_labels(&p, l);
  fw_pen_legend(panel);
  if (panel->patch_count) fw_pen_scale(panel, (at.right + 28.0) / WIDTH, at.bottom / height, at.top / height);
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
  plscmap0n(FW_FIRST_COLOUR + FW_COLOURS);
  for (int i = 0; i < FW_FIRST_COLOUR + FW_COLOURS; i++) plscol0(i, rgb[i][0], rgb[i][1], rgb[i][2]);
  /* From dark blue over green to yellow, of even lightness steps. */
  static const PLFLT at[] = {0.0, 0.25, 0.5, 0.75, 1.0}, red[] = {0.27, 0.23, 0.13, 0.37, 0.99},
                     green[] = {0.00, 0.32, 0.57, 0.79, 0.91}, blue[] = {0.33, 0.55, 0.55, 0.38, 0.14};
  plscmap1n(128);
  plscmap1l(1, 5, at, red, green, blue, NULL);
}

/* Draws into an open file and closes it (PLplot does). False if there is no such driver. */
static const char driver[] = "svgcairo";

/* What PLplot has to complain of goes here and not to the terminal, for the stream that is drawn on; under the lock. */
static void keep_quiet(void) {
  static PLINT code;
  static char complaint[1000];
  plsError(&code, complaint);
}

/* Without its driver PLplot would ask on the terminal which other one to take. */
static bool has_driver(void) {
  enum { MOST = 100 };
  const char *titles[MOST], *names[MOST], **title = titles, **name = names;
  int count = MOST;
  plgDevs(&title, &name, &count);
  for (int i = 0; i < count; i++)
    if (strcmp(names[i], driver) == 0) return true;
  return false;
}

static bool draw_page(const fw_panel *panels, int count, FILE *file, double *px, double *py) {
  PLINT stream = -1;
  keep_quiet();
  if (has_driver()) plmkstrm(&stream);
  if (stream < 0) {
    fclose(file);
    return false;
  }
  keep_quiet();
  plsdev(driver);
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

/* Threads of this process; 0: the system does not tell. */
static long count_threads(void) {
  struct stat tasks; /* a folder in it for each thread */
  return stat("/proc/self/task", &tasks) == 0 ? (long)tasks.st_nlink : 0;
}

/* The library that finds fonts does it in threads of its own, which live a moment longer than the page. A process that
 * forked then (a study begins its workers so) would copy the locks they hold, with nobody to open them. */
static void await_threads(long before) {
  const struct timespec nap = {0, 500000};
  for (int i = 0; i < 4000 && count_threads() > before; i++) nanosleep(&nap, NULL);
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
    long threads = count_threads();
    drawn = draw_or_escape(panels, count, file, points, points + most);
    await_threads(threads);
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
