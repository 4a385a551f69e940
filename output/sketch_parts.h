/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sketch being made: its parts are strokes of one colour each, in the plane of the paper. */
#ifndef FW_OUTPUT_SKETCH_PARTS_H
#define FW_OUTPUT_SKETCH_PARTS_H

#include "contact/pair.h"
#include "output/plot.h"

/* ---- strokes and symbols (sketch_lines.c) ---------------------------------------------------------------- */

/* Points of lines in drawing order, NaN between lines. */
typedef struct fw_strokes {
  double *x, *y;
  int count, room_x, room_y;
} fw_strokes;

fw_status fw_strokes_add(fw_context *ctx, fw_strokes *strokes, double x, double y);
fw_status fw_strokes_lift(fw_context *ctx, fw_strokes *strokes); /* the line ends */
void fw_strokes_clear(fw_strokes *strokes);

/* A line through points; a circle; an arrow from a place with its head at the end. */
fw_status fw_strokes_line(fw_context *ctx, fw_strokes *strokes, const double (*points)[2], int count);
fw_status fw_strokes_circle(fw_context *ctx, fw_strokes *strokes, const double centre[2], double radius);
fw_status fw_strokes_arrow(fw_context *ctx, fw_strokes *strokes, const double from[2], const double along[2]);

/* Symbols of the given size at a place: a clamp (crossed square), a bearing (triangle that holds along `from`, which
 * points from the ground to the place, with the ground's line), a spring from the ground along `from`, a turn. */
fw_status fw_strokes_clamp(fw_context *ctx, fw_strokes *strokes, const double at[2], double size);
fw_status fw_strokes_bearing(fw_context *ctx, fw_strokes *strokes, const double at[2], const double from[2],
                             double size);
fw_status fw_strokes_spring(fw_context *ctx, fw_strokes *strokes, const double at[2], const double from[2],
                            double size);
fw_status fw_strokes_turn(fw_context *ctx, fw_strokes *strokes, const double at[2], double size);

/* The part of a line between two ends that lies in a box (low, high); false: none of it. */
bool fw_clip(double a[2], double b[2], const double low[2], const double high[2]);

/* ---- sketch ---------------------------------------------------------------------------------------------- */

typedef enum fw_sketch_part {
  FW_SKETCH_BODIES,
  FW_SKETCH_SUPPORTS,
  FW_SKETCH_JOINTS,
  FW_SKETCH_TARGETS,
  FW_SKETCH_NORMALS,
  FW_SKETCH_CONTACTS,
  FW_SKETCH_GAPS,
  FW_SKETCH_LOADS,
  FW_SKETCH_SENSORS,
  FW_SKETCH_PARTS
} fw_sketch_part;

enum { FW_SKETCH_NOTES = 60, FW_SKETCH_TEXT = 96 };
#define FW_SKETCH_SYMBOL 0.022 /* size of symbols, part of the paper's width */

typedef struct fw_sketch {
  fw_context *ctx;
  const fw_model *model;
  fw_strokes parts[FW_SKETCH_PARTS];
  double low[2], high[2];              /* of the bodies on the paper */
  double size;                         /* of symbols */
  fw_plot_note notes[FW_SKETCH_NOTES]; /* at what they are about, until they have been placed beside it */
  char texts[FW_SKETCH_NOTES][FW_SKETCH_TEXT];
  int note_count;
} fw_sketch;

void fw_sketch_clear(fw_sketch *sketch);

/* Where a place in space is on the paper: an oblique view, z goes back to the upper right. */
void fw_sketch_view(const double place[3], double at[2]);

/* Words about a place. More than there is room for are left out. */
void fw_sketch_note(fw_sketch *sketch, const double at[2], const char *text);

/* sketch_notes.c: once all is drawn, puts the words where they are on no others and on as few lines as can be. */
void fw_sketch_place_notes(fw_sketch *sketch);

/* sketch_marks.c: supports and springs to the ground, loads, sensors. */
fw_status fw_sketch_supports(fw_sketch *sketch);
fw_status fw_sketch_loads(fw_sketch *sketch);
fw_status fw_sketch_sensors(fw_sketch *sketch);

/* sketch_contact.c: all pairs on the paper; one pair alone in its own plane, larger. `told` says what its gaps are. */
fw_status fw_sketch_contacts(fw_sketch *sketch);
fw_status fw_sketch_closer(fw_sketch *sketch, const fw_pair *pair);
void fw_sketch_gaps(const fw_model *model, const fw_pair *pair, char told[FW_SKETCH_TEXT]);

#endif
