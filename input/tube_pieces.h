/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The elements of a tube in order, and a range of its arc length with directions across. */
#ifndef FW_INPUT_TUBE_PIECES_H
#define FW_INPUT_TUBE_PIECES_H

#include "input/builder.h"

/* An element of the tube: which, where, and the directions across it. */
typedef struct fw_tube_piece {
  int block, element;
  double from, to; /* arc lengths */
  double e[3][3];  /* the two directions, and along it */
} fw_tube_piece;

typedef struct fw_tube_pieces {
  fw_tube_piece *list; /* to be freed */
  int count;
  double from, to; /* arc lengths of the range */
} fw_tube_pieces;

/* Of the tube that attribute `name` names; FW_ERR_DECK if it is none. */
fw_status fw_tube_pieces_list(fw_builder *builder, const fw_args *args, const char *name, fw_tube_pieces *pieces);
/* The range of the attributes `from` and `to`, and directions across: chosen by `first` where it begins, carried on from
 * element to element without twist. `what`: "load". */
fw_status fw_tube_pieces_range(fw_builder *builder, const fw_args *args, const char *what, fw_tube_pieces *pieces);

/* w[2][dofs]: weights of the displacements along the first two directions at arc length s of a piece. */
void fw_tube_piece_weights(const fw_model *model, const fw_tube_piece *piece, double s, const double e[3][3],
                           double w[2][FW_ELEMENT_DOFS]);

#endif
