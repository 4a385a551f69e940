/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A model whose linear structure is reduced (craig_bampton.h), for time integration: what is nonlinear in it, contact,
 * joints and elements that are not linear, keeps its freedoms; the others become a few shapes. Everything but the structure
 * is that of the whole model: contact points, friction states, multipliers, loads and sensors have their numbers there. */
#ifndef FW_ASSEMBLY_REDUCED_MODEL_H
#define FW_ASSEMBLY_REDUCED_MODEL_H

#include "solver/assembly/craig_bampton.h"

typedef struct fw_reduced_model {
  const fw_model *whole; /* lent */
  fw_model model;        /* what it is not the reduction that has changed is lent by `whole` */
  fw_craig_bampton made;
  int kept; /* freedoms that are those of the whole model: the first ones */
  /* inside */
  char *part;                /* of each freedom of the whole, as of fw_craig_bampton_make */
  int *number, *coordinates; /* of each of these: its number, or -1 - row of made.T; of each coordinate of `made` */
  int kept_blocks;
  fw_model alone;         /* what is reduced, before it is: nothing but linear blocks, lent; */
  fw_system *linear;      /* and its matrices */
  double *moved, *pushed; /* [whole->dof_count] work space */
} fw_reduced_model;

/* FW_ERR_DECK with the place, by name, if no freedom can go. */
fw_status fw_reduced_model_check(fw_context *ctx, const fw_model *whole, fw_place place);
/* Whether some can, without a message. Out of memory: false. */
bool fw_reduced_model_possible(fw_context *ctx, const fw_model *whole);

/* modes, below: as of fw_craig_bampton_basis. Loads with these factors [load_count] and sensors are statically exact, fields
 * of turbulence apart. FW_ERR_SINGULAR without a message: with what is kept held, something can still move. */
fw_status fw_reduced_model_create(fw_context *ctx, const fw_model *whole, const double *load_factors, int modes,
                                  double below, fw_reduced_model **reduced);
void fw_reduced_model_destroy(fw_reduced_model **reduced);

/* The state of the reduced model nearest to one of the whole: displacements by strain energy, velocities and
 * accelerations by kinetic. *lost: what is left out of the displacements, the root of its part of the strain energy. */
fw_status fw_reduced_model_restrict(fw_context *ctx, fw_reduced_model *reduced, const fw_state *whole, fw_state **state,
                                    double *lost);
/* out[whole->dof_count] = what coordinates of the reduced model are. */
void fw_reduced_model_shape(const fw_reduced_model *reduced, const double *x, double *out);
/* Fills a state of the whole model. */
void fw_reduced_model_expand(const fw_reduced_model *reduced, const fw_state *state, fw_state *whole);

#endif
