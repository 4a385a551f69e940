/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Archard's volume, the depth of the deepest scar after a service life, and the life until a share of the wall is worn.
 * The work rate counts as constant: that wear opens the clearance is not fed back. */
#ifndef FW_ANALYSES_WEAR_H
#define FW_ANALYSES_WEAR_H

#include "solver/analysis.h"

typedef struct fw_wear {
  double rate;  /* volume in unit time, of all that rubs */
  double depth; /* of the deepest scar after the service life; unknown: beyond the middle of the tube, or none asked */
  double other_volume; /* worn off the support after the service life, */
  double other_depth;  /* and how deep its deepest scar is; unknown as depth is */
  int scars;           /* with a depth */
  double life;         /* until the first scar is as deep as asked; unknown: none asked or nothing wears */
} fw_wear;

/* What a transient asks for: service-life (s), wall-share; 0: not asked. */
typedef struct fw_wear_limits {
  double service, share;
} fw_wear_limits;
fw_wear_limits fw_wear_asked(const fw_args *args);

/* FW_ERR_DECK if depths or lives are asked for and no support of a tube can have any. */
fw_status fw_wear_check(fw_context *ctx, const fw_model *model, const fw_args *args);

/* Nothing worn yet; then one point more, that rubs on a tube at a ring with this work rate. */
fw_wear fw_wear_none(void);
struct fw_pair;
void fw_wear_add(const fw_wear_limits *limits, const fw_ring *ring, const struct fw_pair *pair, double work_rate,
                 fw_wear *wear);

#endif
