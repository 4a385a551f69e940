/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/pair.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/detect/project.h"
#include "contact/joint_slip.h"

/* ---- life -------------------------------------------------------------------------------- */

fw_status fw_pair_create(fw_context *ctx, const char *id, const struct fw_surface *target, int followers,
                         fw_pair **pair) {
  fw_status status = FW_OK;
  fw_pair *p = NULL;
  FW_TRY_DONE(fw_alloc(ctx, 1, sizeof *p, &p));
  FW_TRY_DONE(fw_copy_text(ctx, id, &p->id));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)(followers ? followers : 1), sizeof *p->followers, &p->followers));
  p->target = target;
  p->count = followers;
  p->room = followers ? followers : 1;
done:
  if (status != FW_OK) fw_pair_destroy(&p);
  *pair = p;
  return status;
}

void fw_pair_destroy(fw_pair **pair) {
  if (!pair || !*pair) return;
  fw_friction_clear(&(*pair)->friction);
  fw_normal_clear(&(*pair)->normal);
  free((*pair)->followers);
  free((*pair)->id);
  free(*pair);
  *pair = NULL;
}

fw_status fw_pair_add_follower(fw_context *ctx, fw_pair *pair, const fw_follower *follower) {
  FW_TRY(fw_grow(ctx, pair->count, &pair->room, sizeof *pair->followers, &pair->followers));
  pair->followers[pair->count++] = *follower;
  return FW_OK;
}

fw_status fw_pair_follow_surface(fw_context *ctx, const fw_model *model, fw_pair *pair,
                                 const struct fw_surface *surface) {
  fw_attachment *places = NULL;
  int count = 0;
  FW_TRY(fw_surface_places(ctx, model, surface, &places, &count));
  fw_status status = FW_OK;
  for (int i = 0; i < count && status == FW_OK; i++)
    status = fw_pair_add_follower(ctx, pair, &(fw_follower){.at = places[i]});
  free(places);
  return status;
}

int fw_model_pair(const fw_model *model, const char *id) {
  for (int i = 0; i < model->pair_count; i++)
    if (strcmp(model->pairs[i]->id, id) == 0) return i;
  return -1;
}

const fw_pair *fw_model_pair_of(const fw_model *model, int contact) {
  int p = 0;
  while (contact >= model->pairs[p]->first_contact + model->pairs[p]->count) p++;
  return model->pairs[p];
}

void fw_contact_column(const fw_model *model, int contact, const char *figure, char *name, size_t room) {
  const fw_pair *pair = fw_model_pair_of(model, contact);
  if (pair->count > 1)
    snprintf(name, room, "%s %d %s", pair->id, contact - pair->first_contact + 1, figure);
  else
    snprintf(name, room, "%s %s", pair->id, figure);
}

fw_status fw_model_number_contacts(fw_context *ctx, fw_model *model) {
  model->contact_count = model->z_count = 0;
  for (int p = 0; p < model->pair_count; p++) {
    fw_pair *pair = model->pairs[p];
    pair->states = pair->friction.states;
    pair->first_contact = model->contact_count;
    pair->first_z = model->z_count;
    model->contact_count += pair->count;
    model->z_count += pair->count * pair->states;
  }
  free(model->z_start);
  model->z_start = NULL;
  FW_TRY(fw_alloc(ctx, (size_t)(model->z_count ? model->z_count : 1), sizeof *model->z_start, &model->z_start));
  for (int p = 0; p < model->pair_count; p++) {
    const fw_pair *pair = model->pairs[p];
    for (int i = 0; i < pair->count; i++)
      fw_friction_reset(&pair->friction, &model->z_start[pair->first_z + i * pair->states]);
  }
  return FW_OK;
}

/* ---- kinematics -------------------------------------------------------------------------- */

static fw_anchor follower_anchor(const fw_follower *follower) {
  const fw_attachment *at = &follower->at;
  return (fw_anchor){.node = at->node, .vector = {at->arm[0], at->arm[1]}, .large_rotation = at->large_rotation};
}

int fw_kinematic_slot(fw_kinematic *out, int dof) {
  if (dof < 0) return -1;
  for (int i = 0; i < out->count; i++)
    if (out->dof[i] == dof) return i;
  out->dof[out->count] = dof;
  out->gap_q[out->count] = out->slip_q[out->count] = 0.0;
  return out->count++;
}

/* How one coordinate of a control point or the centre hangs on the freedoms. */
typedef struct fw_chain {
  int points;
  fw_anchor_motion motion[FW_FOOT_POINTS];
  int slot[FW_FOOT_POINTS][FW_NODE_DOFS];
} fw_chain;

static void collect_freedoms(fw_chain *chain, fw_kinematic *out) {
  out->count = 0;
  for (int p = 0; p < chain->points; p++)
    for (int d = 0; d < FW_NODE_DOFS; d++) chain->slot[p][d] = fw_kinematic_slot(out, chain->motion[p].dof[d]);
}

static void chain_first(const fw_chain *chain, const fw_foot_gradient *gradient, fw_kinematic *out) {
  for (int p = 0; p < chain->points; p++)
    for (int d = 0; d < FW_NODE_DOFS; d++) {
      const int slot = chain->slot[p][d];
      if (slot < 0) continue;
      const double *first = chain->motion[p].first[d];
      out->gap_q[slot] += gradient->gap[2 * p] * first[0] + gradient->gap[2 * p + 1] * first[1];
      out->slip_q[slot] += gradient->slip[2 * p] * first[0] + gradient->slip[2 * p + 1] * first[1];
    }
}

/* first^T second first for one pair of freedoms. */
static double sandwich(const double *second, int columns, int p, const double a[2], int r, const double b[2]) {
  double sum = 0.0;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) sum += a[i] * second[(2 * p + i) * columns + 2 * r + j] * b[j];
  return sum;
}

static void chain_second(const fw_chain *chain, const fw_foot_gradient *gradient, fw_kinematic *out) {
  const int n = out->count, m = 2 * chain->points;
  memset(out->gap_qq, 0, (size_t)(n * n) * sizeof(double));
  memset(out->slip_qq, 0, (size_t)(n * n) * sizeof(double));
  for (int p = 0; p < chain->points; p++) {
    for (int d = 0; d < FW_NODE_DOFS; d++) {
      const int i = chain->slot[p][d];
      for (int r = 0; i >= 0 && r < chain->points; r++)
        for (int e = 0; e < FW_NODE_DOFS; e++) {
          const int j = chain->slot[r][e];
          if (j < 0) continue;
          const double *a = chain->motion[p].first[d], *b = chain->motion[r].first[e];
          out->gap_qq[i * n + j] += sandwich(gradient->gap2, m, p, a, r, b);
          out->slip_qq[i * n + j] += sandwich(gradient->slip2, m, p, a, r, b);
        }
    }
    const int turn = chain->slot[p][FW_RZ];
    if (turn < 0) continue;
    const double *second = chain->motion[p].second;
    out->gap_qq[turn * n + turn] += gradient->gap[2 * p] * second[0] + gradient->gap[2 * p + 1] * second[1];
    out->slip_qq[turn * n + turn] += gradient->slip[2 * p] * second[0] + gradient->slip[2 * p + 1] * second[1];
  }
}

/* Straight, fixed target and a follower whose place is linear in q: nothing bends. */
static bool is_straight(const fw_surface *surface, const fw_foot *foot, const fw_anchor *follower) {
  const bool arm = follower->vector[0] != 0.0 || follower->vector[1] != 0.0;
  return surface->fixed && foot->kind == FW_FOOT_CURVE && surface->segments[foot->segment].kind == FW_SEGMENT_LINE &&
         !(follower->large_rotation && arm);
}

/* Slip that is linear in q, without the rounding of places far from the origin. */
static double linear_slip(const fw_kinematic *k, const double *q_from, const double *q) {
  double slip = 0.0;
  for (int i = 0; i < k->count; i++) {
    const int dof = k->dof[i];
    slip += k->slip_q[i] * ((q ? q[dof] : 0.0) - (q_from ? q_from[dof] : 0.0));
  }
  return slip;
}

/* A follower that was open at q_from has no way along the target behind it: its foot may have swept any distance
 * (across a hole, say). Its slip is the displacement along the tangent relative to the target's material
 * point it touches now. */
static double first_slip(const fw_model *model, const fw_surface *surface, const double *q_from, const double *q,
                         const fw_foot *foot, const double move[2]) {
  double slip = move[0] * foot->t[0] + move[1] * foot->t[1];
  if (surface->fixed) return slip;
  fw_curve curve;
  fw_curve_point now, before;
  fw_curve_at(model, surface, foot->segment, q, &curve);
  fw_curve_eval(&curve, foot->xi, &now);
  fw_curve_at(model, surface, foot->segment, q_from, &curve);
  fw_curve_eval(&curve, foot->xi, &before);
  for (int k = 0; k < 2; k++) slip -= (now.s[0][k] - before.s[0][k]) * foot->t[k];
  return slip;
}

/* Off a circle the way along it passes faster or slower than the centre moves (without bound in the middle of a
 * hole). What was open counts the centre's own motion: the slip's gradient gets unit length. */
static void unit_slip(fw_foot_gradient *gradient) {
  const double length = hypot(gradient->slip[0], gradient->slip[1]);
  const int m = 2 * gradient->points;
  if (!(length > 0.0)) return;
  for (int j = 0; j < m; j++) gradient->slip[j] /= length;
  for (int j = 0; j < m * m; j++) gradient->slip2[j] /= length;
}

fw_status fw_pair_kinematics(const fw_model *model, const fw_pair *pair, int i, const double *q_from,
                             const fw_touch *from, const double *q, fw_kinematic *out) {
  if (pair->joint) return fw_joint_slip(model, pair, q_from, q, out);
  const fw_surface *surface = pair->target;
  const double radius = pair->followers[i].radius;
  const fw_anchor anchor = follower_anchor(&pair->followers[i]);
  fw_chain chain = {.points = 1};
  fw_anchor_move(model, &anchor, q, &chain.motion[0]);
  const double *centre = chain.motion[0].place;
  if (!isfinite(centre[0] + centre[1])) return FW_RECOVER_NAN;

  fw_foot foot_from, foot;
  fw_anchor_motion before;
  fw_anchor_move(model, &anchor, q_from, &before);
  fw_surface_project(model, surface, q_from, before.place, radius, from ? from->segment : -1, &foot_from);
  if (q == q_from)
    foot = foot_from;
  else
    fw_surface_project(model, surface, q, centre, radius, foot_from.segment, &foot);

  out->curved = !is_straight(surface, &foot, &anchor);
  fw_foot_gradient gradient;
  fw_foot_differentiate(model, surface, q_from, q, centre, radius, &foot, out->curved, &gradient);
  const bool was_open = from && from->status == FW_OPEN;
  if (was_open && foot.kind != FW_FOOT_CURVE) unit_slip(&gradient);
  chain.points = gradient.points;
  for (int p = 1; p < gradient.points; p++)
    fw_anchor_move(model, &surface->anchors[gradient.anchor[p]], q, &chain.motion[p]);

  const double offset = surface->segments[foot.segment].offset;
  out->gap = foot.distance - offset - radius;
  collect_freedoms(&chain, out);
  chain_first(&chain, &gradient, out);
  if (chain.slot[0][FW_RZ] >= 0) out->slip_q[chain.slot[0][FW_RZ]] += radius;
  if (gradient.spin != 0.0 && chain.slot[1][FW_RZ] >= 0) out->slip_q[chain.slot[1][FW_RZ]] += gradient.spin;
  if (out->curved) chain_second(&chain, &gradient, out);
  if (!out->curved && foot_from.kind == FW_FOOT_CURVE && foot_from.segment == foot.segment)
    out->slip = linear_slip(out, q_from, q);
  else if (was_open)
    out->slip = first_slip(model, surface, q_from, q, &foot,
                           (double[2]){centre[0] - before.place[0], centre[1] - before.place[1]}) +
                radius * (chain.motion[0].rotation - before.rotation);
  else
    out->slip = fw_surface_slip(model, surface, q_from, &foot_from, &foot, radius) +
                radius * (chain.motion[0].rotation - before.rotation);
  out->segment = foot.segment;
  out->xi = foot.xi;
  for (int k = 0; k < 2; k++) {
    out->place[k] = foot.place[k];
    out->normal[k] = foot.n[k];
  }
  return isfinite(out->gap + out->slip) ? FW_OK : FW_RECOVER_CONTACT;
}

double fw_pair_wear_rate(const fw_pair *pair, double work_rate) {
  return pair->archard > 0.0 && work_rate > 0.0 ? pair->archard * pow(work_rate, pair->wear_power) : 0.0;
}

fw_touch_status fw_pair_regime(const fw_pair *pair, double N, double dT, double du) {
  return fabs(dT) <= 0.5 * fw_friction_stick_stiffness(&pair->friction, N) * fabs(du) ? FW_SLIP : FW_STICK;
}

void fw_pair_along(const fw_model *model, const fw_pair *pair, double *along) {
  double before[2], now[2];
  for (int i = 0; i < pair->count; i++) {
    fw_attachment_place(model, &pair->followers[i].at, NULL, now);
    along[i] = i ? along[i - 1] + hypot(now[0] - before[0], now[1] - before[1]) : 0.0;
    memcpy(before, now, sizeof before);
  }
}
