/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "elements/link.h"

#include <math.h>
#include <string.h>

int fw_link_pack(const fw_given *given, double *c) {
  if (c) {
    const fw_given *direction = &given[0];
    c[FW_LINK_NUMBERS] = direction->count;
    c[FW_LINK_DX] = direction->count > 0 ? direction->values[0] : 0;
    c[FW_LINK_DY] = direction->count > 1 ? direction->values[1] : 0;
    c[FW_LINK_DZ] = direction->count > 2 ? direction->values[2] : 0;
    c[FW_LINK_FOLLOWS] = given[1].count ? given[1].values[0] : 0;
  }
  return FW_LINK_CONSTANTS;
}

const char *fw_link_check(const double *c, const double *X) {
  bool given = c[FW_LINK_NUMBERS] != 0;
  if (given && c[FW_LINK_NUMBERS] != 2) return "the direction needs two numbers, x and y";
  if (given && c[FW_LINK_DX] == 0 && c[FW_LINK_DY] == 0) return "the direction is zero";
  if (given && c[FW_LINK_FOLLOWS] != 0) return "a given direction cannot follow the ends: leave it out or use linear";
  if (!given && X[0] == X[2] && X[1] == X[3]) return "the ends are at one place: give a direction";
  return NULL;
}

static fw_link along(double x, double y) {
  double l = hypot(x, y);
  return (fw_link){.n = {x / l, y / l}, .t = {-y / l, x / l}};
}

fw_status fw_link_make(const double *c, const double *X, const double *q, const double *v, fw_link *link) {
  double x = X[0] - X[2], y = X[1] - X[3], dx = q[0] - q[2], dy = q[1] - q[3];
  if (c[FW_LINK_FOLLOWS] != 0) {
    double l0 = hypot(x, y), l = hypot(x + dx, y + dy);
    if (!(l > 1e-9 * l0)) return FW_RECOVER_ELEMENT;
    *link = along(x + dx, y + dy);
    link->turning = 1 / l;
    link->e = l - l0;
  } else {
    *link = c[FW_LINK_NUMBERS] != 0 ? along(c[FW_LINK_DX], c[FW_LINK_DY]) : along(x, y);
    link->e = link->n[0] * dx + link->n[1] * dy;
  }
  if (v) {
    link->rate = link->n[0] * (v[0] - v[2]) + link->n[1] * (v[1] - v[3]);
    link->across = link->t[0] * (v[0] - v[2]) + link->t[1] * (v[1] - v[3]);
  }
  return FW_OK;
}

/* Puts the 2 x 2 matrix a b^T of the relative displacement into the 4 x 4 matrix of both ends. */
static void spread(double factor, const double a[2], const double b[2], double *matrix) {
  for (int i = 0; i < FW_LINK_DOFS; i++)
    for (int j = 0; j < FW_LINK_DOFS; j++) {
      double sign = (i < 2) == (j < 2) ? 1 : -1;
      matrix[FW_LINK_DOFS * i + j] += sign * factor * a[i % 2] * b[j % 2];
    }
}

void fw_link_force(const fw_link *link, double F, double F_e, double F_rate, double *f, double *K, double *C) {
  const double *n = link->n, *t = link->t;
  for (int i = 0; i < 2; i++) {
    f[i] = F * n[i];
    f[i + 2] = -F * n[i];
  }
  if (K) {
    memset(K, 0, FW_LINK_SIZE * sizeof *K);
    spread(F_e, n, n, K);
    spread(F * link->turning, t, t, K);
    spread(F_rate * link->across * link->turning, n, t, K);
  }
  if (C) {
    memset(C, 0, FW_LINK_SIZE * sizeof *C);
    spread(F_rate, n, n, C);
  }
}
