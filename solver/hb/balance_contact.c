/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/balance_contact.h"

#include <cblas.h>
#include <math.h>

void fw_balance_add_block(const fw_balance *b, double *J, int i, int j, double factor, const double *block) {
  int size = b->fourier.size;
  size_t n = (size_t)b->n;
  for (int d = 0; d < size; d++) {
    double *column = J + (size_t)(j * size + d) * n + (size_t)(i * size);
    for (int e = 0; e < size; e++) column[e] += factor * block[e * size + d];
  }
}

/* Adds factor times the unit matrix. */
static void add_unit(const fw_balance *b, double *J, int i, int j, double factor) {
  int size = b->fourier.size;
  for (int d = 0; d < size; d++) J[(size_t)(j * size + d) * (size_t)b->n + (size_t)(i * size + d)] += factor;
}

/* Slip and gap of a contact over their coordinates. */
static double slip_sign(const fw_balance_contact *contact) { return contact->slip_mirrored ? -1 : 1; }
static double gap_sign(const fw_balance_contact *contact) { return contact->gap_mirrored ? -1 : 1; }

/* The derivatives `block` of equation i with respect to what defines contact c's normal force. */
static void add_through_normal(const fw_balance *b, double *J, int c, int i, double factor, const double *block) {
  const fw_balance_contact *contact = &b->contacts[c];
  if (contact->gap < 0) return;
  double by_gap = gap_sign(contact) * factor;
  if (b->press[c] < 0) {
    fw_balance_add_block(b, J, i, contact->gap, by_gap, block);
  } else {
    fw_balance_add_block(b, J, i, b->press[c], factor, block);
    fw_balance_add_block(b, J, i, contact->gap, -contact->point.press * by_gap, block);
  }
}

/* T - T0 on the slip. A rigid one has unknowns t: t - T0 acts, and t - T = 0. */
static void friction_force(const fw_balance *b, int c, const double *t, double *r, double *J) {
  const fw_balance_contact *contact = &b->contacts[c];
  const fw_cycle *cycle = &b->cycles[c];
  int size = b->fourier.size, slip = contact->slip, own = b->stick[c];
  if (slip < 0) return;
  double side = slip_sign(contact);
  int equation = own >= 0 ? own : slip; /* where the law's force stands, */
  double sign = own >= 0 ? -1 : side;   /* and how */
  cblas_daxpy(size, side, own >= 0 ? t : cycle->T_c, 1, r + slip * size, 1);
  r[slip * size] -= side * contact->T0;
  for (int k = 0; own >= 0 && k < size; k++) r[own * size + k] = t[k] - cycle->T_c[k];
  if (!J) return;
  fw_balance_add_block(b, J, equation, slip, sign * side, cycle->T_u);
  add_through_normal(b, J, c, equation, sign, cycle->T_w);
  if (own < 0) return;
  add_unit(b, J, slip, own, side);
  add_unit(b, J, own, own, 1);
  fw_balance_add_block(b, J, own, own, -1, cycle->T_t);
}

/* N0 - N on the gap. One that may open has unknowns n: -n acts, and n - (N - N0) = 0. */
static void normal_force(const fw_balance *b, int c, const fw_cycle_in *in, double *r, double *J) {
  const fw_balance_contact *contact = &b->contacts[c];
  const fw_cycle *cycle = &b->cycles[c];
  int size = b->fourier.size, gap = contact->gap, own = b->press[c];
  if (gap < 0) return;
  double side = gap_sign(contact);
  if (own >= 0) {
    cblas_daxpy(size, -side, in->n, 1, r + gap * size, 1);
    for (int k = 0; k < size; k++) r[own * size + k] = in->n[k] - cycle->N_c[k];
    r[own * size] += contact->point.N0;
    if (!J) return;
    add_unit(b, J, gap, own, -side);
    add_unit(b, J, own, own, 1);
    add_through_normal(b, J, c, own, -1, cycle->N_w);
  } else if (contact->point.kind == FW_CYCLE_CLOSED) {
    cblas_daxpy(size, -1, in->w, 1, r + gap * size, 1);
    if (J) add_unit(b, J, gap, gap, -1);
  } else {
    cblas_daxpy(size, -side, cycle->N_c, 1, r + gap * size, 1);
    r[gap * size] += side * contact->point.N0;
    if (J) fw_balance_add_block(b, J, gap, gap, -1, cycle->N_w);
  }
}

/* The coefficients of a slip or gap: those of its coordinate, turned if it is mirrored, or none. */
static const double *coefficients(const fw_balance *b, const double *y, int coordinate, double sign, double *room) {
  int size = b->fourier.size;
  if (coordinate >= 0 && sign > 0) return y + coordinate * size;
  for (int k = 0; k < size; k++) room[k] = coordinate >= 0 ? -y[coordinate * size + k] : 0;
  return room;
}

fw_status fw_balance_contacts(fw_balance *b, const double *y, double *r, double *J) {
  int size = b->fourier.size;
  for (int c = 0; c < b->given.contact_count; c++) {
    const fw_balance_contact *contact = &b->contacts[c];
    fw_cycle_in in = {.omega = y[b->n],
                      .u = coefficients(b, y, contact->slip, slip_sign(contact), b->local),
                      .w = coefficients(b, y, contact->gap, gap_sign(contact), b->local + size)};
    if (b->stick[c] >= 0) in.t = y + b->stick[c] * size;
    if (b->press[c] >= 0) in.n = y + b->press[c] * size;
    FW_TRY(fw_cycle_run(&b->cycles[c], &contact->point, &in, J != NULL));
    friction_force(b, c, in.t, r, J);
    normal_force(b, c, &in, r, J);
  }
  return FW_OK;
}

/* A force of its own: as large as it has been, a hundredth of N0 or what a small part of the motion makes with the
 * weight; the coordinate moves at least as far as the structure yields to a small part of that. */
static void scale_force(fw_balance *b, int block, int coordinate, double least, double weight, const double *y,
                        double *scale) {
  int size = b->fourier.size;
  b->largest[block] = fmax(b->largest[block], fw_fourier_peak(y + block * size, size));
  double force = fmax(fmax(b->largest[block], least), 1e-4 * weight * scale[coordinate * size]);
  for (int k = 0; k < size; k++) {
    scale[block * size + k] = force;
    scale[coordinate * size + k] = fmax(scale[coordinate * size + k], force / weight);
  }
}

void fw_balance_scale_contact(fw_balance *b, int c, const double *y, double *scale) {
  const fw_balance_contact *contact = &b->contacts[c];
  double least = 1e-2 * contact->point.N0;
  if (b->stick[c] >= 0) scale_force(b, b->stick[c], contact->slip, least, contact->point.hold, y, scale);
  if (b->press[c] >= 0) scale_force(b, b->press[c], contact->gap, least, contact->point.press, y, scale);
  if (contact->gap < 0 || !b->closed[contact->gap]) return;
  for (int k = 0; k < b->fourier.size; k++) {
    double *s = &scale[contact->gap * b->fourier.size + k];
    *s = fmax(*s, least);
  }
}

const char *fw_balance_difficulty(const fw_balance *b) {
  bool opens = false, sticks = false;
  for (int c = 0; c < b->given.contact_count; c++) {
    const fw_cycle *cycle = &b->cycles[c];
    for (int j = 1; j < b->fourier.samples && b->press[c] >= 0; j++)
      opens = opens || (cycle->N[j] > 0) != (cycle->N[0] > 0);
    sticks = sticks || b->stick[c] >= 0;
  }
  if (opens) return "a hard contact opens and closes there, impacts need more harmonics or cannot be followed";
  if (sticks) return "rigid stick makes corners there, more harmonics and samples or a stick stiffness may help";
  return "Newton's method finds no motion beyond, more samples or points may help";
}
