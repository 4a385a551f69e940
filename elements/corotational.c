/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "elements/beam.h"

#include <math.h>
#include <string.h>

/* Deformations and what follows from them. Order of the local freedoms: ub, t1, t2. */
typedef struct fw_chord {
  double l, c, s;        /* current chord */
  double ub, t[2];       /* deformations */
  double B[2][2];        /* bending stiffness on t */
  double g[2][2], gt[2]; /* membrane strain eps = ub/l + 1/2 t.g.t, and g t */
  double eps;            /* membrane strain */
  double moment[2];      /* B t: end moments of bending */
} fw_chord;

/* Direction of the chord; end rotations are taken against it within half a turn of their mean. */
static void chord_frame(const fw_beam *beam, const double *q, fw_chord *chord) {
  double dx = q[3] - q[0], dy = q[4] - q[1];
  double x = beam->l * beam->c + dx, y = beam->l * beam->s + dy;
  chord->l = hypot(x, y);
  chord->c = x / chord->l;
  chord->s = y / chord->l;
  /* l_n - l without cancellation: (l_n^2 - l^2)/(l_n + l) */
  chord->ub = ((2 * beam->l * beam->c + dx) * dx + (2 * beam->l * beam->s + dy) * dy) / (chord->l + beam->l);
  double mean = 0.5 * (q[2] + q[5]), cm = cos(mean), sm = sin(mean);
  double ex = cm * beam->c - sm * beam->s, ey = sm * beam->c + cm * beam->s;
  double ahead = atan2(ex * y - ey * x, ex * x + ey * y);
  chord->t[0] = 0.5 * (q[2] - q[5]) - ahead;
  chord->t[1] = 0.5 * (q[5] - q[2]) - ahead;
}

static fw_status chord_make(const fw_beam *beam, const double *q, fw_chord *chord) {
  const double EI = beam->props->E * beam->props->I, phi = beam->phi;
  fw_membrane membrane;
  chord_frame(beam, q, chord);
  if (!(chord->l > 1e-9 * beam->l)) return FW_RECOVER_ELEMENT;
  fw_beam_membrane_local(beam, &membrane);
  double near = EI * (4 + phi) / (beam->l * (1 + phi)), far = EI * (2 - phi) / (beam->l * (1 + phi));
  const double *t = chord->t;
  chord->eps = chord->ub / beam->l;
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 2; j++) {
      chord->B[i][j] = i == j ? near : far;
      chord->g[i][j] = membrane.G[6 * (3 * i + 2) + 3 * j + 2];
    }
    chord->gt[i] = chord->g[i][0] * t[0] + chord->g[i][1] * t[1];
    chord->moment[i] = chord->B[i][0] * t[0] + chord->B[i][1] * t[1];
    chord->eps += 0.5 * t[i] * chord->gt[i];
  }
  return FW_OK;
}

/* dU/d(ub, t1, t2) and the second derivative. */
static void local_force(const fw_beam *beam, const fw_chord *chord, double p[3], double D[3][3]) {
  double EA = beam->props->E * beam->props->A;
  p[0] = EA * chord->eps;
  D[0][0] = EA / beam->l;
  for (int i = 0; i < 2; i++) {
    p[1 + i] = chord->moment[i] + EA * beam->l * chord->eps * chord->gt[i];
    D[0][1 + i] = D[1 + i][0] = EA * chord->gt[i];
    for (int j = 0; j < 2; j++)
      D[1 + i][1 + j] = chord->B[i][j] + EA * beam->l * (chord->gt[i] * chord->gt[j] + chord->eps * chord->g[i][j]);
  }
}

fw_status fw_corotational_force(const fw_beam *beam, const double *q, double *f, double *K) {
  fw_chord chord;
  FW_TRY(chord_make(beam, q, &chord));
  double c = chord.c, s = chord.s, l = chord.l, p[3], D[3][3];
  local_force(beam, &chord, p, D);
  /* d ub = r.dq, d alpha = z.dq/l_n (alpha: direction of the chord), d t_i = d rz_i - d alpha */
  const double r[6] = {-c, -s, 0, c, s, 0}, z[6] = {s, -c, 0, -s, c, 0};
  double b[3][6];
  for (int j = 0; j < 6; j++) {
    b[0][j] = r[j];
    b[1][j] = (j == 2) - z[j] / l;
    b[2][j] = (j == 5) - z[j] / l;
    f[j] = p[0] * b[0][j] + p[1] * b[1][j] + p[2] * b[2][j];
  }
  if (!K) return FW_OK;
  /* d2 ub = z z^T/l_n, d2 alpha = -(r z^T + z r^T)/l_n^2 */
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      double sum = p[0] * z[i] * z[j] / l + (p[1] + p[2]) * (r[i] * z[j] + z[i] * r[j]) / (l * l);
      for (int k = 0; k < 3; k++)
        for (int m = 0; m < 3; m++) sum += b[k][i] * D[k][m] * b[m][j];
      K[6 * i + j] = sum;
    }
  return FW_OK;
}

double fw_corotational_energy(const fw_beam *beam, const double *q) {
  fw_chord chord;
  if (chord_make(beam, q, &chord) != FW_OK) return 0;
  double bending = chord.t[0] * chord.moment[0] + chord.t[1] * chord.moment[1];
  return 0.5 * (beam->props->E * beam->props->A * beam->l * chord.eps * chord.eps + bending);
}

void fw_corotational_field(const fw_beam *beam, const double *q, const double *xi, double *out) {
  fw_chord chord;
  memset(out, 0, FW_BEAM_FIELDS * sizeof *out);
  if (chord_make(beam, q, &chord) != FW_OK) return;
  fw_beam_section_forces(beam, beam->props->E * beam->props->A * chord.eps, chord.moment, xi, out);
}
