/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reduction of a linear structure to some of its freedoms and a few modes (Craig and Bampton 1968, AIAA J. 6): with b the
 * freedoms that stay and i those that go,
 *
 *   q_i = Psi q_b + Phi eta,   Psi = -K_ii^-1 K_ib,   (K_ii - w^2 M_ii) Phi = 0, the lowest modes with b held, of each piece that b divides the structure into.
 *
 * Psi makes the static flexibility at b exact, whatever modes are left out. What loads do within i, and sensors read there,
 * is so too where the columns of Phi go on with what modes leave of the answers K_ii^-1 f to them (residual flexibility). */
#ifndef FW_ASSEMBLY_CRAIG_BAMPTON_H
#define FW_ASSEMBLY_CRAIG_BAMPTON_H

#include "solver/assembly/system.h"

typedef struct fw_craig_bampton {
  int boundary, interior, modes; /* numbers of freedoms that stay and go, and of columns of Phi */
  int *stays, *goes;             /* which they are, in the system's numbering */
  double *T;                     /* q_i = T (q_b, eta): interior x size */
  double *K, *M, *C;             /* size x size, size = boundary + modes */
  double highest;                /* of the modes, rad/s: below it no piece lacks one */
} fw_craig_bampton;

/* Which columns Phi has: of each piece the lowest `modes`, and all `below` this circular frequency (rad/s); and the
 * residual answers to these forms, some of which may not reach the piece. */
typedef struct fw_craig_bampton_basis {
  int modes;
  double below;
  const fw_functional *const *forms;
  int form_count;
} fw_craig_bampton_basis;

static inline int fw_craig_bampton_size(const fw_craig_bampton *self) { return self->boundary + self->modes; }

/* part: 0 not of this structure, 1 stays, 2 goes, for each freedom of the system, which has no joints. FW_ERR_SINGULAR:
 * with what stays held something can still move. Clear is safe after a failure. */
enum { FW_CRAIG_BAMPTON_STAYS = 1, FW_CRAIG_BAMPTON_GOES = 2 };
fw_status fw_craig_bampton_make(fw_context *ctx, const fw_system *system, const char *part,
                                const fw_craig_bampton_basis *basis, fw_craig_bampton *self);
void fw_craig_bampton_clear(fw_craig_bampton *self);

/* out[size] = what a vector of forces at the system's freedoms is to the reduced ones. */
void fw_craig_bampton_project(const fw_craig_bampton *self, const double *force, double *out);

#endif
