/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "element_samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARAMS = 16 };

double fw_sample_random(unsigned *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return 2.0 * (*seed >> 8) / 16777215.0 - 1.0;
}

int fw_sample_corners(fw_shape shape) {
  switch (shape) {
    case FW_SHAPE_POINT:
      return 1;
    case FW_SHAPE_LINE:
      return 2;
    case FW_SHAPE_TRI3:
    case FW_SHAPE_TRI6:
      return 3;
    default:
      return 4;
  }
}

static void corner_natural(fw_shape shape, int corner, double xi[2]) {
  static const double triangle[3][2] = {{0, 0}, {1, 0}, {0, 1}};
  static const double square[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  static const double line[2][2] = {{-1, 0}, {1, 0}};
  int corners = fw_sample_corners(shape);
  const double(*table)[2] = corners == 4 ? square : corners == 3 ? triangle : line;
  memcpy(xi, table[corner], 2 * sizeof *xi);
}

void fw_sample_natural(fw_shape shape, int node, double xi[2]) {
  int corners = fw_sample_corners(shape);
  double a[2], b[2];
  corner_natural(shape, node % corners, a);
  corner_natural(shape, node < corners ? node : (node + 1) % corners, b);
  for (int k = 0; k < 2; k++) xi[k] = 0.5 * (a[k] + b[k]);
}

/* Weight of a corner at natural coordinates: linear or bilinear. */
static double corner_weight(fw_shape shape, int corner, const double xi[2]) {
  double at[2];
  corner_natural(shape, corner, at);
  switch (fw_sample_corners(shape)) {
    case 4:
      return 0.25 * (1 + at[0] * xi[0]) * (1 + at[1] * xi[1]);
    case 3:
      return corner == 0 ? 1 - xi[0] - xi[1] : xi[corner - 1];
    default:
      return 0.5 * (1 + at[0] * xi[0]);
  }
}

void fw_sample_place(const fw_element_sample *sample, const double xi[2], double place[2]) {
  place[0] = place[1] = 0;
  for (int c = 0; c < fw_sample_corners(sample->ops->shape); c++)
    for (int k = 0; k < 2; k++) place[k] += corner_weight(sample->ops->shape, c, xi) * sample->X[2 * c + k];
}

/* A straight-edged element of uneven sides; mid-side nodes in the middle of their edges. */
static void places(const fw_element_ops *ops, double *X) {
  static const double outline[4][2] = {{0.3, -0.2}, {1.4, 0.1}, {1.2, 1.1}, {0.1, 0.8}};
  int corners = ops->shape == FW_SHAPE_POINT ? ops->nodes : fw_sample_corners(ops->shape);
  for (int i = 0; i < ops->nodes; i++) {
    const double *a = outline[i % corners], *b = i < corners ? a : outline[(i + 1) % corners];
    for (int k = 0; k < 2; k++) X[2 * i + k] = 0.5 * (a[k] + b[k]);
  }
}

double fw_sample_size(const fw_element_sample *sample) {
  const double *X = sample->X;
  int corners = fw_sample_corners(sample->ops->shape);
  if (sample->ops->shape == FW_SHAPE_POINT) return 0;
  if (sample->ops->shape == FW_SHAPE_LINE) return hypot(X[2] - X[0], X[3] - X[1]);
  double twice = 0;
  for (int i = 0; i < corners; i++) {
    const double *a = X + 2 * i, *b = X + 2 * ((i + 1) % corners);
    twice += a[0] * b[1] - a[1] * b[0];
  }
  return 0.5 * twice;
}

/* Numbers for a parameter: its default where that says something, else something near 1. */
static void constants(const fw_element_ops *ops, const fw_element_variant *variant, fw_element_sample *sample) {
  double numbers[MOST_PARAMS][4];
  fw_given given[MOST_PARAMS];
  int count = fw_param_count(ops->entry.params);
  for (int i = 0; i < count; i++) {
    fw_param_kind kind = ops->entry.params[i].kind;
    for (int k = 0; k < 4; k++) numbers[i][k] = 0.3 * k - 0.4 + 0.1 * i + (i % 2 ? 0.2 * k * k : 0);
    if (kind == FW_PARAM_NUMBER || kind == FW_PARAM_INTEGER) numbers[i][0] = 1.3 + 0.2 * i;
    if (kind == FW_PARAM_CHOICE) numbers[i][0] = variant->choice;
    if (kind == FW_PARAM_FLAG) numbers[i][0] = variant->choice;
    int lists = variant->lists ? (i == 0 ? 2 : 4) : 0;
    given[i] = (fw_given){.count = kind == FW_PARAM_NUMBERS ? lists : 1, .values = numbers[i]};
  }
  if (ops->pack)
    sample->props.constant_count = ops->pack(given, sample->constants);
  else
    for (int i = 0; i < count; i++) sample->constants[i] = numbers[i][0];
  if (!ops->pack) sample->props.constant_count = count;
  sample->props.constants = sample->constants;
}

void fw_sample_make(const fw_element_ops *ops, const fw_element_variant *variant, fw_element_sample *sample) {
  *sample = (fw_element_sample){.ops = ops};
  sample->props = (fw_properties){.E = 2.1, .nu = 0.3, .rho = 1.7, .A = 0.31, .I = 0.021, .kappa = 0.85, .height = 0.9};
  sample->props.mass_per_length = 0.2;
  sample->props.thickness = 0.4;
  sample->props.kinematics = variant->kinematics;
  sample->props.lumped = variant->lumped;
  sample->props.plane_strain = variant->plane_strain;
  constants(ops, variant, sample);
  places(ops, sample->X);
  /* Some two-node point elements want both nodes at one place. */
  if (ops->shape == FW_SHAPE_POINT && ops->nodes == 2 && fw_element_flaw(ops, &sample->props, sample->X))
    memcpy(sample->X + 2, sample->X, 2 * sizeof *sample->X);
}

const char *fw_sample_each(const fw_element_ops *ops, fw_sample_visit visit) {
  fw_element_sample sample;
  bool point = ops->shape == FW_SHAPE_POINT;
  for (int kinematics = FW_LINEAR; kinematics <= FW_TOTAL_LAGRANGIAN; kinematics++) {
    if (point ? kinematics != FW_LINEAR : !(ops->kinematics & 1u << kinematics)) continue;
    for (int bits = 0; bits < 4; bits++) {
      fw_element_variant variant = {.kinematics = (fw_kinematics)kinematics};
      if (point) {
        variant.choice = bits & 1;
        variant.lists = bits & 2;
      } else {
        variant.lumped = bits & 1;
        variant.plane_strain = bits & 2;
      }
      fw_sample_make(ops, &variant, &sample);
      /* A following spring refuses a given direction: such pairs of parameters are not samples. */
      if (point && bits == 3 && fw_element_flaw(ops, &sample.props, sample.X)) continue;
      const char *message = visit(&sample);
      if (message) return message;
    }
  }
  return NULL;
}

void fw_sample_state(const fw_element_sample *sample, unsigned *seed, double *q, double *v) {
  double size = sample->props.kinematics == FW_TOTAL_LAGRANGIAN ? 0.08 : 0.25;
  for (int i = 0; i < fw_element_dofs(sample->ops); i++) {
    q[i] = size * fw_sample_random(seed);
    v[i] = fw_sample_random(seed);
  }
}
