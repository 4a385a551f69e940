/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bodies given by their matrices. A dense K, M, C over any number of nodes is the sum of two-node elements,
 * one for each pair of nodes, so it needs nothing from assembly that other elements do not.
 *
 * Matrices are row major, M symmetric, three freedoms (x, y, rz) a node; f = K q + C v. */
#ifndef FW_ELEMENTS_SUPERELEMENT_H
#define FW_ELEMENTS_SUPERELEMENT_H

#include "elements/element.h"

enum { FW_SUPERELEMENT_GROUP = 3 }; /* freedoms of a node */
enum { FW_PAIR_DOFS = 2 * FW_SUPERELEMENT_GROUP, FW_PAIR_SIZE = FW_PAIR_DOFS * FW_PAIR_DOFS };
enum { FW_PAIR_K = 0, FW_PAIR_M = FW_PAIR_SIZE, FW_PAIR_C = 2 * FW_PAIR_SIZE, FW_PAIR_CONSTANTS = 3 * FW_PAIR_SIZE };

/* The two-node element; props.constants: K, M, C, 6 x 6 each. Not in the table of elements: decks name the
 * body. */
extern const fw_element_ops fw_element_pair;

/* NULL, or why the matrices (n = 3 * nodes rows; M and C may be NULL) cannot be used. */
const char *fw_superelement_check(int nodes, const double *K, const double *M, const double *C);

/* Nodes that matrices of so many rows need (>= 2; the last may have fewer than three freedoms), and number of their pairs. */
int fw_superelement_nodes(int size);
int fw_superelement_pairs(int size);

/* The nodes of pair number `pair` and the constants of its element [FW_PAIR_CONSTANTS]. Blocks between the
 * two nodes go to their pair; the diagonal block of node i to the pair of nodes 0 and i (node 0: to 0 and 1).
 * Matrices of `size` rows each, or NULL. False: all constants are zero. */
bool fw_superelement_pair(int size, const double *K, const double *M, const double *C, int pair, int ends[2],
                          double *constants);

#endif
