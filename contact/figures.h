/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of a contact pair: one table of their names, units and meanings (figures.def), and one accumulator that every
 * analysis feeds, moment by moment, with the touches of the pair's points. */
#ifndef FW_CONTACT_FIGURES_H
#define FW_CONTACT_FIGURES_H

#include "contact/totals.h"
#include "core/record.h"
#include "core/sheet.h"

/* Below these the slip of a contact that sticks (m) and its velocity (m/s) are rounding. */
#define FW_SLIP_ROUNDING 1e-14
#define FW_SLIP_RATE_ROUNDING 1e-12

#define FW_CONTACT_FIGURE(symbol, name, unit, meaning, derivative) FW_##symbol,
typedef enum fw_contact_figure_index {
#include "contact/figures.def"
  FW_CONTACT_FIGURES
} fw_contact_figure_index;
#undef FW_CONTACT_FIGURE

typedef struct fw_contact_figure {
  const char *name, *unit, *meaning;
  bool derivative; /* harmonic balance differentiates it with respect to numbers of the law */
} fw_contact_figure;
extern const fw_contact_figure fw_contact_figures[FW_CONTACT_FIGURES];

/* Values of one pair, by fw_contact_figure_index. */
typedef struct fw_pair_figures {
  double at[FW_CONTACT_FIGURES];
} fw_pair_figures;

/* The accumulator of a model's pairs. */
typedef struct fw_figures fw_figures;

/* period: of the drive (s), within which slip amplitudes are taken; 0: none. window: time over which forces are
 * averaged before their squares are (s); 0: each step. The model is lent. */
fw_status fw_figures_create(fw_context *ctx, const fw_model *model, double period, double window, fw_figures **figures);
void fw_figures_destroy(fw_figures **figures);

/* The observation begins with these touches, then goes on dt at a time; touches: of all contact points of the model,
 * with their totals (totals.h). */
void fw_figures_begin(fw_figures *figures, const fw_touch *touches);
void fw_figures_step(fw_figures *figures, const fw_touch *touches, double dt);

/* A point's friction at a breakaway between two moments: the largest force of the point, and of a pair of one point. */
void fw_figures_break(fw_figures *figures, int contact, double T);

/* What was observed of pair number `pair` so far; all zero before the first step. */
void fw_figures_find(const fw_figures *figures, int pair, fw_pair_figures *found);

/* The same of one contact point, in the touch: mean_work_rate, slip_amplitude, stick_fraction. */
void fw_figures_find_point(const fw_figures *figures, int contact, fw_touch *touch);

/* All numbers of the accumulator, for checkpoints: lent, to be read or overwritten. */
double *fw_figures_numbers(fw_figures *figures, size_t *count);

/* Columns PAIR.FIGURE of all pairs of a model, and the cells of one pair. */
void fw_figures_columns(const fw_model *model, fw_sheet *sheet);
void fw_figures_cells(const fw_pair_figures *figures, fw_sheet *sheet);

/* PREFIXcontact.PAIR.FIGURE of one pair, with their units. */
fw_status fw_figures_record(const fw_pair_figures *figures, const char *pair, const char *prefix, fw_record *to);

/* Index by name, or -1. */
int fw_contact_figure_named(const char *name);

#endif
