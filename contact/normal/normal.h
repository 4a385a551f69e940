/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Normal laws: force against penetration. */
#ifndef FW_CONTACT_NORMAL_H
#define FW_CONTACT_NORMAL_H

#include "contact/friction/friction.h"

typedef struct fw_normal_out {
  double N;             /* >= 0 */
  double N_gap, N_rate; /* derivatives with respect to gap and gap velocity */
  double elastic;       /* the part of N without damping, for the energy split */
  double energy;        /* stored energy at this gap */
} fw_normal_out;

/* c: constants in the order of entry.params (lists as count, values...). gap < 0 is penetration,
 * rate its velocity (positive: separating). Pure. NULL force: hard, a constraint. */
typedef struct fw_normal_ops {
  fw_entry entry;
  int (*pack)(const fw_given *given, double *c); /* as for friction laws */
  const char *(*check)(const double *c);
  void (*force)(const double *c, double gap, double rate, fw_normal_out *out);
} fw_normal_ops;

extern const fw_table fw_normals; /* normals.def */

typedef struct fw_normal {
  const fw_normal_ops *ops;
  double *constants;
  int constant_count;
  enum fw_enforcement enforcement; /* hard law only */
  double penalty;                  /* hard: stiffness when enforced by penalty (N/m); 0: fw_penalty_choose */
  double restitution;              /* hard law only */
} fw_normal;

/* Packs parameters, those of a hard law into penalty and restitution; `args` must be checked against
 * ops->entry.params. Clear is NULL-safe. */
fw_status fw_normal_create(fw_context *ctx, const fw_normal_ops *ops, const fw_args *args, fw_enforcement enforcement,
                           fw_normal *normal);
void fw_normal_clear(fw_normal *normal);

/* True if the gap is a constraint (hard law by Lagrange or augmented Lagrange). */
bool fw_normal_is_rigid(const fw_normal *normal);

/* Force of any law that is not rigid. */
void fw_normal_force(const fw_normal *normal, double gap, double rate, fw_normal_out *out);

#endif
