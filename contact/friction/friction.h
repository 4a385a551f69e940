/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A friction law with its numbers, as one contact pair uses it, and the faces derived from those
 * a law has. Laws are pure point functions: no mesh, no solver in sight. */
#ifndef FW_CONTACT_FRICTION_H
#define FW_CONTACT_FRICTION_H

#include "core/table.h"

extern const fw_table fw_laws; /* laws.def */

/* How rigid stick of a set-valued law is enforced; laws with their own stiffness ignore it. */
typedef enum fw_enforcement { FW_PENALTY, FW_LAGRANGE, FW_AUGMENTED } fw_enforcement;

/* Where elastic stick ends, as decks say it; clipped is the second. */
#define FW_STICK_LIMITS "static|clipped"

/* How a set-valued law sticks. */
typedef struct fw_stick {
  fw_enforcement enforcement;
  double u_crit; /* elastic slip of penalty stick (m) */
  bool clipped;  /* elastic stick gives way at the sliding force of the present v, not at the static limit */
} fw_stick;

typedef struct fw_friction {
  const fw_friction_ops *ops;
  const fw_args *args; /* the numbers the deck gave, lent by it; NULL: made without a deck */
  double *constants;
  int constant_count;
  fw_stick stick;        /* set-valued laws only */
  bool drops;            /* elastic stick whose force falls where it ends; of laws in parallel: one of them */
  double stiffness[2];   /* of a fresh contact: stiffness[0] + stiffness[1] N, */
  double damping[2];     /* and its damping likewise */
  int states;            /* including the two elastic stick adds: elastic slip and direction of slip */
  fw_formula **formulas; /* shares of those the constants point to; NULL: none */
  int formula_count;
  struct fw_friction *parts; /* of laws in parallel; NULL: a single law */
  int part_count;
} fw_friction; /* all zero: no friction, which has neither states nor force */

/* Packs parameters; `args` must be checked against ops->entry.params (a parameter without number becomes NaN unless
 * the law packs its own constants). Clear is NULL-safe. */
fw_status fw_friction_create(fw_context *ctx, const fw_friction_ops *ops, const fw_args *args, fw_stick stick,
                             fw_friction *friction);
void fw_friction_clear(fw_friction *friction);

/* Laws in parallel as one (no rigid ones): T and stiffness are sums, the states stand one after the other. One law is
 * itself, none no friction. Takes what `parts` hold; they are left cleared. */
fw_status fw_friction_join(fw_context *ctx, fw_friction *parts, int count, fw_friction *joined);

/* The single laws, for those who ask each by itself. */
const fw_friction *fw_friction_parts(const fw_friction *friction, int *count);

/* True if stick is a constraint: the limit face is all there is and the enforcement supplies T. */
bool fw_friction_is_rigid(const fw_friction *friction);

/* The limit face of a law that has one, in state z (NULL: as at rest). */
static inline fw_limit_out fw_friction_limit(const fw_friction *friction, double v, double N, const double *z) {
  fw_limit_out limit = {0};
  friction->ops->limit(friction->constants, v, N, z, &limit);
  return limit;
}

/* A velocity at which it slides towards `side`: v itself, or next to nothing where that goes the other way. */
static inline double fw_friction_side(double side, double v) {
  return side > 0 ? (v > 0 ? v : 0) : (v < 0 ? v : -1e-300);
}

/* True if the limit face is all there is and stick is a spring. */
bool fw_friction_is_elastic(const fw_friction *friction);

/* Tangential stiffness of a fresh contact pressed by N (N/m); 0 for rigid stick. */
double fw_friction_stick_stiffness(const fw_friction *friction, double N);
/* dT/dv of a fresh contact at rest (N s/m); 0 for rigid stick. */
double fw_friction_stick_damping(const fw_friction *friction, double N);

/* State of a fresh contact. */
void fw_friction_reset(const fw_friction *friction, double *z);

/* Step face of any law that is not rigid: the law's own; else, from the rate face, an L-stable
 * implicit step with v and N interpolated over the step; else elastic stick of the limit face
 * (derived.h). All derivatives as in fw_step_out; z_z is always
 * full [states*states] here unless fw_friction_uncoupled(). At kinks the derivative is the one from one
 * side, the side of positive v or du where that is in doubt.
 * Defined for every input: with N1 <= 0 the contact is open, T = 0 and the states are those of a fresh contact;
 * an input that is not finite gives T = NaN and leaves the states as they were. */
void fw_friction_step(const fw_friction *friction, const fw_step_in *in, const double *z_old, fw_step_out *out);
bool fw_friction_uncoupled(const fw_friction *friction);

/* The same for integrators that look for the moment at which elastic stick gives way (`drops`): it holds on beyond its
 * limit until it is told. Room: what is left of the elastic slip after du more, below 0 beyond the limit, infinite
 * where no force drops. Torn: beyond its limit, and would not hold at v. Release: what is at its limit, to within
 * 1e-6, slips from now on. */
void fw_friction_wait(const fw_friction *friction, const fw_step_in *in, const double *z_old, fw_step_out *out);
double fw_friction_room(const fw_friction *friction, const double *z_old, double du);
bool fw_friction_is_torn(const fw_friction *friction, const double *z, double v, double N);
void fw_friction_release(const fw_friction *friction, double *z);

/* At one moment, by a step in which nothing moves; of `in` velocity and normal force at the end count. Elastic stick,
 * whose force drops where it gives way, knows by its velocity that it slides. */
void fw_friction_moment(const fw_friction *friction, const fw_step_in *in, const double *z_old, fw_step_out *out);

/* Rate face of a law that has one (fw_friction_has_rate), defined for every input in the same way: with N <= 0 T = 0
 * and nothing moves. */
void fw_friction_rate(const fw_friction *friction, const fw_rate_in *in, const double *z, fw_rate_out *out);

/* True if integrators follow its states by their rates. */
bool fw_friction_has_rate(const fw_friction *friction);

/* Whether the law, all its parts if there are several, says that it has an ability (abilities.h). */
bool fw_friction_claims(const fw_friction *friction, const char *ability);

/* Size of a state for error control. */
double fw_friction_scale(const fw_friction *friction, double N, int state);

#endif
