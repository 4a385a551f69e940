/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Friction loops: slip, velocity, normal force and friction over time as <loop> brings them, and what a law makes of
 * the same motion. */
#ifndef FW_IDENTIFY_LOOPS_H
#define FW_IDENTIFY_LOOPS_H

#include "contact/friction/friction.h"
#include "identify/method.h"

typedef struct fw_loop_data {
  const char *id;
  size_t count;
  double *t, *u, *v, *N, *T; /* s, m, m/s, N, N; owned, one block */
  size_t cycle;              /* row where the last cycle begins */
  double deviation;          /* of T (N) */
  bool assumed;              /* nobody said so */
} fw_loop_data;

typedef struct fw_loops {
  fw_loop_data *list;
  int count;
} fw_loops;

/* Reads all <loop>s the job names. Columns t, u, v, N, T, each complete and in its unit; whatever is wrong is refused
 * by name. Without a deviation 1 % of the largest |T| is assumed. */
fw_status fw_loops_read(const fw_identify_job *job, fw_loops *loops);
void fw_loops_clear(fw_loops *loops);

/* How a law begins: as a fresh contact, or settled, after it has been through the record once. */
typedef enum fw_loop_begin { FW_LOOP_FRESH, FW_LOOP_SETTLED } fw_loop_begin;

/* Follows the motion of a loop with a law; T[count]. `parts`: into how many steps each row is cut. */
fw_status fw_loop_follow(fw_context *ctx, const fw_friction *law, const fw_loop_data *loop, fw_loop_begin begin,
                         int parts, double *T);

/* Figures of the last cycle of a force over the loop's slip. */
typedef struct fw_loop_shape {
  double most, least; /* of T */
  double energy;      /* integral of T du (J) */
} fw_loop_shape;
fw_loop_shape fw_loop_shape_of(const fw_loop_data *loop, const double *T);

/* X(name, word in decks, meaning): what is compared. */
#define FW_LOOP_OBJECTIVES(X)                                            \
  X(LOOP, "loop", "T at every row")                                      \
  X(RANGE, "range", "half the difference of the ranges of T, published") \
  X(EXTREMES, "extremes", "maximum and minimum of T")                    \
  X(ENERGY, "energy", "energy of a cycle")
#define FW_LOOP_ENUM(name, text, meaning) FW_LOOP_BY_##name,
typedef enum fw_loop_objective { FW_LOOP_OBJECTIVES(FW_LOOP_ENUM) FW_LOOP_BY_COUNT } fw_loop_objective;
#undef FW_LOOP_ENUM

/* How many residuals an objective makes of all loops, and those of one loop, in deviations; returns how many. */
int fw_loop_residual_count(const fw_loops *loops, fw_loop_objective objective);
int fw_loop_residuals(const fw_loop_data *loop, fw_loop_objective objective, const double *T, double *r);

#endif
