/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sketch being made: its parts are strokes of one colour each. */
#ifndef FW_OUTPUT_SKETCH_PARTS_H
#define FW_OUTPUT_SKETCH_PARTS_H

#include "contact/pair.h"
#include "output/sketch_lines.h"

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

typedef struct fw_sketch {
  fw_context *ctx;
  const fw_model *model;
  fw_strokes parts[FW_SKETCH_PARTS];
  double low[2], high[2]; /* of the bodies on the paper */
  double size;            /* of symbols */
  fw_plot_note notes[FW_SKETCH_NOTES];
  char texts[FW_SKETCH_NOTES][FW_SKETCH_TEXT];
  int note_count;
} fw_sketch;

void fw_sketch_clear(fw_sketch *sketch);

/* Where a place in space is on the paper: an oblique view, z goes back to the upper right. */
void fw_sketch_view(const double place[3], double at[2]);

/* Words beside a place; below what is there already. More than there is room for are left out. */
void fw_sketch_note(fw_sketch *sketch, const double at[2], const char *text);

/* sketch_marks.c: supports and springs to the ground, loads, sensors. */
fw_status fw_sketch_supports(fw_sketch *sketch);
fw_status fw_sketch_loads(fw_sketch *sketch);
fw_status fw_sketch_sensors(fw_sketch *sketch);

/* sketch_contact.c: all pairs on the paper; one pair alone in its own plane, larger. `told` says what its gaps are. */
fw_status fw_sketch_contacts(fw_sketch *sketch);
fw_status fw_sketch_closer(fw_sketch *sketch, const fw_pair *pair);
void fw_sketch_gaps(const fw_model *model, const fw_pair *pair, char told[FW_SKETCH_TEXT]);

#endif
