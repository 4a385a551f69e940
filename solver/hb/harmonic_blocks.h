/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A large Jacobian of harmonic balance (balance.h), never held as one matrix:
 *
 *   J = sum over k of D(k omega) on harmonic k, plus for each pair of coordinates that a contact couples a small matrix
 *       over all harmonics.
 *
 * Where contact is linear (it sticks with a constant stiffness, stays closed on a linear law or stays open) its small
 * matrices couple no harmonics. The matrix P near J (fw_core) is J without coupling between harmonics, factored
 * harmonic by harmonic: where all contact is linear it is J, and each contact that slips, opens or reverses takes
 * some more steps of GMRES. The cost grows with the cube of the coordinates but with the harmonics themselves, that of
 * a matrix with the cube of their product. */
#ifndef FW_HB_HARMONIC_BLOCKS_H
#define FW_HB_HARMONIC_BLOCKS_H

#include "solver/continuation/bordered.h"
#include "solver/hb/reduction/reduced.h"

typedef struct fw_harmonic_blocks fw_harmonic_blocks;

/* blocks: coordinates and forces with unknowns of their own, 2 H + 1 unknowns each. closed: per block, the structure
 * has no derivatives with respect to it. Destroy is safe on a pointer to NULL, and leaves it NULL. */
fw_status fw_harmonic_blocks_create(fw_context *ctx, int coordinates, int blocks, int H, const bool *closed,
                                    fw_harmonic_blocks **made);
void fw_harmonic_blocks_destroy(fw_harmonic_blocks **made);

/* The structure alone; dynamic: H + 1 of them. */
void fw_harmonic_blocks_begin(fw_harmonic_blocks *blocks, const fw_dynamic *dynamic);

/* Adds factor times a matrix (2 H + 1 squared, row major), or the unit matrix, for equations i and unknowns j. */
void fw_harmonic_blocks_add(fw_harmonic_blocks *blocks, int i, int j, double factor, const double *block);
void fw_harmonic_blocks_add_unit(fw_harmonic_blocks *blocks, int i, int j, double factor);

/* Adds a stiffness of the mean of block i. */
void fw_harmonic_blocks_hold(fw_harmonic_blocks *blocks, int i, double stiffness);

fw_core fw_harmonic_blocks_core(fw_harmonic_blocks *blocks);

#endif
