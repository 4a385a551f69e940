/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/tube_path.h"

#include <math.h>
#include <string.h>

#include "input/vectors.h"

/* How the axis turns at a corner: unit directions before and after, the angle between them, and how far from the
 * corner its bend begins and ends, R tan(angle/2). */
typedef struct turn {
  double before[3], after[3], angle, reach;
} turn;

static double leg(const fw_corner *from, const fw_corner *to, double direction[3]) {
  for (int k = 0; k < 3; k++) direction[k] = to->at[k] - from->at[k];
  double length = sqrt(fw_vector_dot(direction, direction));
  for (int k = 0; k < 3 && length > 0; k++) direction[k] /= length;
  return length;
}

static turn turn_at(const fw_corner *corners, int i) {
  turn t = {0};
  double across[3] = {0};
  leg(&corners[i - 1], &corners[i], t.before);
  leg(&corners[i], &corners[i + 1], t.after);
  double c = fw_vector_dot(t.before, t.after);
  for (int k = 0; k < 3; k++) across[k] = t.after[k] - c * t.before[k];
  t.angle = atan2(sqrt(fw_vector_dot(across, across)), c);
  t.reach = corners[i].radius > 0 ? corners[i].radius * tan(0.5 * t.angle) : 0;
  return t;
}

static void add_straight(fw_tube_path *path, const double from[3], const double along[3], double length) {
  fw_path_piece *piece = &path->pieces[path->count++];
  *piece = (fw_path_piece){.s = path->length, .length = length};
  memcpy(piece->from, from, sizeof piece->from);
  memcpy(piece->along, along, sizeof piece->along);
  path->length += length;
}

static void add_bend(fw_tube_path *path, const fw_corner *corner, const turn *t) {
  fw_path_piece *piece = &path->pieces[path->count++];
  double c = fw_vector_dot(t->before, t->after), size;
  *piece = (fw_path_piece){.s = path->length, .length = corner->radius * t->angle, .radius = corner->radius};
  for (int k = 0; k < 3; k++) {
    piece->from[k] = corner->at[k] - t->reach * t->before[k];
    piece->inward[k] = t->after[k] - c * t->before[k];
  }
  memcpy(piece->along, t->before, sizeof piece->along);
  size = sqrt(fw_vector_dot(piece->inward, piece->inward));
  for (int k = 0; k < 3; k++) piece->inward[k] /= size;
  path->length += piece->length;
}

/* The leg from corner i - 1 to i, less what the bends at its ends take, and the bend at i. */
static fw_status add_leg(fw_context *ctx, const fw_corner *corners, int count, int i, fw_tube_path *path) {
  static const double same = 1e-9, nearly_back = 3.14;
  double direction[3] = {0}, from[3], length = leg(&corners[i - 1], &corners[i], direction);
  if (!(length > 0))
    return fw_fail(ctx, FW_ERR_ARGUMENT, "the tube has no length between two corners at (%g, %g, %g)", corners[i].at[0],
                   corners[i].at[1], corners[i].at[2]);
  double before = i > 1 ? turn_at(corners, i - 1).reach : 0;
  turn t = {.reach = 0};
  if (i < count - 1) t = turn_at(corners, i);
  if (t.reach > 0 && t.angle > nearly_back)
    return fw_fail(ctx, FW_ERR_ARGUMENT, "the axis turns back at one corner: a U-bend has two");
  double left = length - before - t.reach;
  if (left < -same * length)
    return fw_fail(ctx, FW_ERR_ARGUMENT,
                   "the bends do not fit: they take %g m of the %g m between (%g, %g, %g) and (%g, %g, %g)",
                   before + t.reach, length, corners[i - 1].at[0], corners[i - 1].at[1], corners[i - 1].at[2],
                   corners[i].at[0], corners[i].at[1], corners[i].at[2]);
  for (int k = 0; k < 3; k++) from[k] = corners[i - 1].at[k] + before * direction[k];
  if (left > same * length) add_straight(path, from, direction, left);
  if (t.reach > same * length) add_bend(path, &corners[i], &t);
  return FW_OK;
}

fw_status fw_tube_path_make(fw_context *ctx, const fw_corner *corners, int count, fw_tube_path *path, int *where) {
  FW_TRY(fw_alloc(ctx, (size_t)(2 * count), sizeof *path->pieces, &path->pieces));
  for (*where = 1; *where < count; ++*where) FW_TRY(add_leg(ctx, corners, count, *where, path));
  return FW_OK;
}

const fw_path_piece *fw_tube_path_piece(const fw_tube_path *path, double s) {
  int i = path->count - 1;
  while (i > 0 && path->pieces[i].s > s) i--;
  return &path->pieces[i];
}

void fw_tube_path_at(const fw_tube_path *path, double s, double place[3], double tangent[3]) {
  const fw_path_piece *piece = fw_tube_path_piece(path, s);
  double R = piece->radius, along = s - piece->s, inward = 0, c = 1, n = 0;
  if (R > 0) {
    double half = sin(0.5 * along / R);
    c = cos(along / R), n = sin(along / R);
    along = R * n, inward = 2 * R * half * half;
  }
  for (int k = 0; k < 3; k++) {
    place[k] = piece->from[k] + along * piece->along[k] + inward * piece->inward[k];
    tangent[k] = c * piece->along[k] + n * piece->inward[k];
  }
}
