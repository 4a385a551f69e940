/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A contact pair: followers, target, normal law, friction. The pair driver is the one place
 * where detection, laws and enforcement meet. */
#ifndef FW_CONTACT_PAIR_H
#define FW_CONTACT_PAIR_H

#include "contact/normal/normal.h"
#include "core/state.h"

struct fw_surface;

enum { FW_CONTACT_DOFS = 16 }; /* follower: 3, target edge: up to 3 nodes x 3, spare */

/* A point or disc carried by a node. radius 0: a point. */
typedef struct fw_follower {
  fw_attachment at;
  double radius;
} fw_follower;

typedef struct fw_pair {
  char *id;
  fw_follower *followers;
  int count, room;
  const struct fw_surface *target; /* NULL: friction in a joint (joint_slip.h) */
  const fw_joint *joint;           /* that joint, else NULL */
  double radius;                   /* slip over the joint's free coordinate: 1 where it slides (m) */
  fw_normal normal;
  fw_friction friction; /* laws in parallel are joined (fw_friction_join) */
  int states;           /* friction states per contact point */
  int first_contact;    /* number of the first follower among the model's contact points */
  int first_z;          /* where its friction states begin in state.z */
  double archard;       /* wear coefficient K (m^2/N), 0: none, */
  double wear_power;    /* and the exponent p of the work rate: volume rate K W^p */
  double edge;          /* mean edge length of the follower's or the target's elements; 0: neither has any */
  fw_place place;
} fw_pair;

/* A pair with room for its followers, which the caller fills in, and the laws; `id` is copied. Destroy
 * is NULL-safe and clears the laws. */
fw_status fw_pair_create(fw_context *ctx, const char *id, const struct fw_surface *target, int followers,
                         fw_pair **pair);
void fw_pair_destroy(fw_pair **pair);

/* One more follower; all nodes of a surface as followers. */
fw_status fw_pair_add_follower(fw_context *ctx, fw_pair *pair, const fw_follower *follower);
fw_status fw_pair_follow_surface(fw_context *ctx, const fw_model *model, fw_pair *pair,
                                 const struct fw_surface *surface);

/* Numbers contact points and friction states of all pairs and fills model.z_start; call once all
 * pairs have their followers and laws. */
fw_status fw_model_number_contacts(fw_context *ctx, fw_model *model);

/* Index by id, or -1. */
int fw_model_pair(const fw_model *model, const char *id);

/* The pair a contact point of the model belongs to. */
const fw_pair *fw_model_pair_of(const fw_model *model, int contact);

/* What a figure of a contact point is called in tables: "foot slip", "foot 3 slip" where the pair has several. */
void fw_contact_column(const fw_model *model, int contact, const char *figure, char *name, size_t room);

/* How far each follower is from the first, from one to the next in the undeformed model; along: one for each. */
void fw_pair_along(const fw_model *model, const fw_pair *pair, double *along);

/* False: it slides without friction. */
static inline bool fw_pair_rubs(const fw_pair *pair) { return pair->friction.ops != NULL; }

/* How its friction is followed: stick is a constraint; else by rates of its states, if all laws have them; else by
 * steps. */
static inline bool fw_pair_is_rigid(const fw_pair *pair) { return fw_friction_is_rigid(&pair->friction); }
static inline bool fw_pair_has_rates(const fw_pair *pair) { return fw_friction_has_rate(&pair->friction); }
static inline bool fw_pair_has_steps(const fw_pair *pair) {
  return fw_pair_rubs(pair) && !fw_pair_is_rigid(pair) && !fw_pair_has_rates(pair);
}

/* Volume worn off in unit time at a work rate W: K W^p, Archard's law for p = 1. */
double fw_pair_wear_rate(const fw_pair *pair, double work_rate);

/* What a closed point with compliant friction does: slides where the friction force follows the slip less than half as
 * steeply as a fresh contact, sticks otherwise. dT, du: gains over a step. */
fw_touch_status fw_pair_regime(const fw_pair *pair, double N, double dT, double du);

/* Kinematics of one contact point at configuration q: gap and slip with their gradients.
 * slip is the tangential displacement of the follower's touching material point relative to the
 * target's, since the committed configuration the caller passes as `from`. */
typedef struct fw_kinematic {
  double gap, slip;
  int count;
  int dof[FW_CONTACT_DOFS];       /* free freedoms only */
  double gap_q[FW_CONTACT_DOFS];  /* d gap / d q */
  double slip_q[FW_CONTACT_DOFS]; /* d slip / d q */
  int segment;                    /* where it touches */
  double xi;
  double place[2], normal[2];
  bool curved; /* else the second derivatives are zero and not filled */
  /* Second derivatives, row major count x count, for large rotation and curved targets. */
  double gap_qq[FW_CONTACT_DOFS * FW_CONTACT_DOFS], slip_qq[FW_CONTACT_DOFS * FW_CONTACT_DOFS];
} fw_kinematic;

/* A direction of the point, gap_q or slip_q, times a vector of freedoms. */
static inline double fw_kinematic_along(const fw_kinematic *kinematic, const double *direction, const double *vector) {
  double sum = 0.0;
  for (int i = 0; i < kinematic->count; i++) sum += direction[i] * vector[kinematic->dof[i]];
  return sum;
}

/* And back: force += W_n N - W_t T, what the point's forces do to the freedoms. */
static inline void fw_kinematic_push(const fw_kinematic *kinematic, double N, double T, double *force) {
  for (int i = 0; i < kinematic->count; i++)
    force[kinematic->dof[i]] += kinematic->gap_q[i] * N - kinematic->slip_q[i] * T;
}

/* Place of a freedom in kinematic->dof, added with zero gradients if new; -1 for one that is not free. */
int fw_kinematic_slot(fw_kinematic *kinematic, int dof);

/* Detection for follower i of a pair. q_from: configuration from which slip is counted (NULL, for q
 * too: the reference); from: the touch there, whose segment tells where to look first (NULL or segment < 0:
 * everywhere) and whose status tells how slip is counted: of a follower that was open it is its displacement along the
 * tangent, else the way along the target. A follower that has left the target has a positive gap from its end.
 * FW_RECOVER_NAN if the follower is nowhere, FW_RECOVER_CONTACT if no foot was found. */
fw_status fw_pair_kinematics(const fw_model *model, const fw_pair *pair, int i, const double *q_from,
                             const fw_touch *from, const double *q, fw_kinematic *out);

#endif
