/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/balance.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

static const double HELD = 1e-7; /* stiffness of a mean place beside the structure's */

void fw_balance_add_block(const fw_balance *b, fw_jacobian *J, int i, int j, double factor, const double *block) {
  int size = b->fourier.size;
  size_t n = (size_t)J->core;
  if (!J->dense) {
    fw_harmonic_blocks_add(b->large, i, j, factor, block);
    return;
  }
  for (int d = 0; d < size; d++) {
    double *column = J->dense + (size_t)(j * size + d) * n + (size_t)(i * size);
    for (int e = 0; e < size; e++) column[e] += factor * block[e * size + d];
  }
}

/* Adds factor times the unit matrix. */
static void add_unit(const fw_balance *b, fw_jacobian *J, int i, int j, double factor) {
  int size = b->fourier.size;
  if (!J->dense) {
    fw_harmonic_blocks_add_unit(b->large, i, j, factor);
    return;
  }
  for (int d = 0; d < size; d++) J->dense[(size_t)(j * size + d) * (size_t)J->core + (size_t)(i * size + d)] += factor;
}

/* Adds the derivatives `block` of equation i with respect to a gap or slip; closed gaps do not move. */
static void add_along(const fw_balance *b, fw_jacobian *J, int i, const fw_combination *along, double factor,
                      const double *block) {
  for (int k = 0; k < along->count; k++)
    if (!b->closed[along->at[k]]) fw_balance_add_block(b, J, i, along->at[k], factor * along->factor[k], block);
}

/* The same with respect to what defines contact c's normal force. */
static void add_through_normal(const fw_balance *b, fw_jacobian *J, int c, int i, double factor, const double *block) {
  const fw_balance_contact *contact = &b->contacts[c];
  switch (contact->point.kind) {
    case FW_AFT_CONSTANT:
      return;
    case FW_AFT_CLOSED:
      fw_balance_add_block(b, J, i, contact->gap.at[0], factor, block);
      return;
    case FW_AFT_LAW:
      add_along(b, J, i, &contact->gap, factor, block);
      return;
    case FW_AFT_OPENING:
      fw_balance_add_block(b, J, i, b->normal_block[c], factor, block);
      add_along(b, J, i, &contact->gap, -contact->point.gap_penalty * factor, block);
  }
}

/* Friction that slips to and fro forgets where it began: its force does not change with the mean of the slip, and where
 * nothing else holds a body its mean place may be any. Newton's steps keep the one that is there by a stiffness that is
 * next to nothing beside the structure's; the equations know nothing of it. */
static void hold_mean(const fw_balance *b, fw_jacobian *J, const fw_combination *slip, double omega) {
  for (int k = 0; k < slip->count; k++) {
    int i = slip->at[k];
    double stiffness = HELD * fw_balance_resistance(b, i, omega);
    if (J->dense)
      J->dense[(size_t)(i * b->fourier.size) * ((size_t)J->core + 1)] += stiffness;
    else
      fw_harmonic_blocks_hold(b->large, i, stiffness);
  }
}

/* Adds sign (force - before) to the equations of the coordinates that a gap or slip is made of. */
static void add_force(const fw_balance *b, const fw_combination *on, double sign, const double *force, double before,
                      double *r) {
  int size = b->fourier.size;
  for (int k = 0; k < on->count; k++) {
    cblas_daxpy(size, sign * on->factor[k], force, 1, r + on->at[k] * size, 1);
    r[on->at[k] * size] -= sign * on->factor[k] * before;
  }
}

/* T - T0 on the slip. A rigid one has unknowns t: t - T0 acts, and t - T = 0. */
static void friction_force(const fw_balance *b, int c, const fw_aft_in *in, double *r, fw_jacobian *J) {
  const fw_balance_contact *contact = &b->contacts[c];
  const fw_combination *slip = &contact->slip;
  const fw_aft *aft = &b->aft[c];
  int size = b->fourier.size, own = b->friction_block[c];
  const double *t = in->t;
  add_force(b, slip, 1, own >= 0 ? t : aft->T_c, contact->T0, r);
  for (int k = 0; own < 0 && J && k < slip->count; k++) {
    add_along(b, J, slip->at[k], slip, slip->factor[k], aft->T_u);
    add_through_normal(b, J, c, slip->at[k], slip->factor[k], aft->T_w);
  }
  if (own < 0 && J) hold_mean(b, J, slip, in->omega);
  if (own < 0) return;
  for (int k = 0; k < size; k++) r[own * size + k] = t[k] - aft->T_c[k];
  if (!J) return;
  for (int k = 0; k < slip->count; k++) add_unit(b, J, slip->at[k], own, slip->factor[k]);
  add_unit(b, J, own, own, 1);
  fw_balance_add_block(b, J, own, own, -1, aft->T_t);
  add_along(b, J, own, slip, -1, aft->T_u);
  add_through_normal(b, J, c, own, -1, aft->T_w);
}

/* N0 - N on the gap. One that may open has unknowns n: -n acts, and n - (N - N0) = 0. */
static void normal_force(const fw_balance *b, int c, const fw_aft_in *in, double *r, fw_jacobian *J) {
  const fw_balance_contact *contact = &b->contacts[c];
  const fw_combination *gap = &contact->gap;
  const fw_aft *aft = &b->aft[c];
  int size = b->fourier.size, own = b->normal_block[c];
  if (own >= 0) {
    add_force(b, gap, -1, in->n, 0, r);
    for (int k = 0; k < size; k++) r[own * size + k] = in->n[k] - aft->N_c[k];
    r[own * size] += contact->point.N0;
    if (!J) return;
    for (int k = 0; k < gap->count; k++) add_unit(b, J, gap->at[k], own, -gap->factor[k]);
    add_unit(b, J, own, own, 1);
    add_through_normal(b, J, c, own, -1, aft->N_w);
  } else if (contact->point.kind == FW_AFT_CLOSED) {
    add_force(b, gap, -1, in->w, 0, r);
    if (J) add_unit(b, J, gap->at[0], gap->at[0], -1);
  } else {
    add_force(b, gap, -1, aft->N_c, contact->point.N0, r);
    for (int k = 0; J && k < gap->count; k++) add_through_normal(b, J, c, gap->at[k], -gap->factor[k], aft->N_w);
  }
}

/* The coefficients of a slip or gap, in `room` unless they are those of a coordinate. */
static const double *coefficients(const fw_balance *b, const double *y, const fw_combination *of, double *room) {
  int size = b->fourier.size;
  if (of->count == 1 && of->factor[0] == 1 && !b->closed[of->at[0]]) return y + of->at[0] * size;
  memset(room, 0, (size_t)size * sizeof(double));
  for (int k = 0; k < of->count; k++)
    if (!b->closed[of->at[k]]) cblas_daxpy(size, of->factor[k], y + of->at[k] * size, 1, room, 1);
  return room;
}

fw_status fw_balance_contacts(fw_balance *b, const double *y, double *r, fw_jacobian *J) {
  int size = b->fourier.size;
  for (int c = 0; c < b->given.contact_count; c++) {
    FW_TRY(fw_interrupted(b->ctx));
    const fw_balance_contact *contact = &b->contacts[c];
    bool closed = contact->point.kind == FW_AFT_CLOSED;
    fw_aft_in in = {.omega = y[b->n],
                    .u = coefficients(b, y, &contact->slip, b->local),
                    .w = closed ? y + contact->gap.at[0] * size : coefficients(b, y, &contact->gap, b->local + size)};
    if (b->friction_block[c] >= 0) in.t = y + b->friction_block[c] * size;
    if (b->normal_block[c] >= 0) in.n = y + b->normal_block[c] * size;
    FW_TRY(fw_aft_run(&b->aft[c], &contact->point, &in, J != NULL));
    friction_force(b, c, &in, r, J);
    normal_force(b, c, &in, r, J);
  }
  return FW_OK;
}

/* The size of a motion by those of its coordinates. */
static double size_along(const fw_balance *b, const fw_combination *along, const double *scale) {
  double most = 0;
  for (int k = 0; k < along->count; k++)
    most = fmax(most, fabs(along->factor[k]) * scale[along->at[k] * b->fourier.size]);
  return most;
}

/* A force of its own: as large as it has been, a hundredth of N0 or what a small part of the motion makes with the
 * weight; the coordinates move at least as far as the structure yields to a small part of that. */
static void scale_force(fw_balance *b, int block, const fw_combination *on, double least, double weight,
                        const double *y, double *scale) {
  int size = b->fourier.size;
  b->largest[block] = fmax(b->largest[block], fw_fourier_peak(y + block * size, size));
  double force = fmax(fmax(b->largest[block], least), 1e-4 * weight * size_along(b, on, scale));
  for (int d = 0; d < size; d++) scale[block * size + d] = force;
  for (int k = 0; k < on->count; k++)
    for (int d = 0; d < size && !b->closed[on->at[k]]; d++) {
      double *s = &scale[on->at[k] * size + d];
      *s = fmax(*s, force / (weight * fabs(on->factor[k])));
    }
}

void fw_balance_scale_contact(fw_balance *b, int c, const double *y, double *scale) {
  const fw_balance_contact *contact = &b->contacts[c];
  double least = 1e-2 * contact->point.N0;
  if (b->friction_block[c] >= 0)
    scale_force(b, b->friction_block[c], &contact->slip, least, contact->point.stick_penalty, y, scale);
  if (b->normal_block[c] >= 0)
    scale_force(b, b->normal_block[c], &contact->gap, least, contact->point.gap_penalty, y, scale);
  for (int d = 0; contact->point.kind == FW_AFT_CLOSED && d < b->fourier.size; d++) {
    double *s = &scale[contact->gap.at[0] * b->fourier.size + d];
    *s = fmax(*s, least);
  }
}

/* Mean of a force times a velocity, both by their Fourier coefficients: that of a motion x. */
static double power_of(const fw_balance *b, const double *force, const double *x, double omega) {
  double sum = 0;
  for (int k = 1; k <= b->fourier.H; k++)
    sum += 0.5 * k * omega * (force[2 * k - 1] * x[2 * k] - force[2 * k] * x[2 * k - 1]);
  return sum;
}

double fw_balance_power_left(const fw_balance *b, const double *y, const double *r) {
  int size = b->fourier.size;
  double omega = y[b->n], sum = 0;
  for (int i = 0; i < b->given.reduced->coordinates; i++)
    if (!b->closed[i]) sum += fabs(power_of(b, r + i * size, y + i * size, omega));
  for (int c = 0; c < b->given.contact_count; c++) {
    const fw_balance_contact *contact = &b->contacts[c];
    const fw_combination *along[] = {&contact->slip, &contact->gap};
    const int own[] = {b->friction_block[c], b->normal_block[c]};
    for (int k = 0; k < 2; k++)
      if (own[k] >= 0) sum += fabs(power_of(b, r + own[k] * size, coefficients(b, y, along[k], b->local), omega));
  }
  return sum;
}

const char *fw_balance_difficulty(const fw_balance *b) {
  bool opens = false, sticks = false, forgets = false;
  for (int c = 0; c < b->given.contact_count; c++) {
    const fw_aft *aft = &b->aft[c];
    for (int j = 1; j < b->fourier.samples && b->normal_block[c] >= 0; j++)
      opens = opens || (aft->N[j] > 0) != (aft->N[0] > 0);
    sticks = sticks || b->friction_block[c] >= 0;
    const fw_friction *law = b->contacts[c].point.friction;
    forgets = forgets || (law->ops && !fw_friction_claims(law, "memory"));
  }
  if (opens) return "a hard contact opens and closes there, impacts need more harmonics or cannot be followed";
  if (sticks) return "rigid stick makes corners there, more harmonics and samples or a stick stiffness may help";
  if (forgets)
    return "Newton's method finds no motion beyond; a law that forgets where it turned gives no mean place to what "
           "friction "
           "alone holds (hold it softly), else more samples or points may help";
  return "Newton's method finds no motion beyond, more samples or points may help";
}
