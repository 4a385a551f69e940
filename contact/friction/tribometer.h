/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The virtual tribometer: one law driven along a slip history, or carrying a mass that a spring pulls. */
#ifndef FW_CONTACT_TRIBOMETER_H
#define FW_CONTACT_TRIBOMETER_H

#include "contact/friction/friction.h"

/* X(name, text): how the contact moves. */
#define FW_MOTIONS(X)                                                                                      \
  X(HARMONIC, "harmonic", "u = A sin(2 pi f t)")                                                           \
  X(TWO_HARMONICS, "two-harmonics", "u = A sin(2 pi f t) + A2 sin(4 pi f t)")                              \
  X(TRIANGLE, "triangle", "u goes to A, to -A and back with constant speed 4 A f")                         \
  X(RANDOM, "random", "sixteen harmonics of f with random phases, largest slip about A; repeats with 1/f") \
  X(CONSTANT, "constant", "constant velocity V from rest")                                                 \
  X(RAMP, "ramp", "velocity from -V to V at constant acceleration")                                        \
  X(TABLE, "table", "u(t) and, if given, N(t) from a table, linear in between")                            \
  X(PULLED, "pulled", "a mass, pulled by a spring whose end moves with V, starting from u = A with the spring free")

#define FW_MOTION_ENUM(name, text, meaning) FW_MOTION_##name,
typedef enum fw_motion { FW_MOTIONS(FW_MOTION_ENUM) FW_MOTION_COUNT } fw_motion;
#undef FW_MOTION_ENUM

/* Name in commands. */
const char *fw_motion_name(fw_motion motion);

typedef struct fw_drive {
  fw_motion motion;
  double amplitude, amplitude2;              /* A, A2 (m) */
  double frequency;                          /* f (Hz): harmonic, two-harmonics, triangle, random; of N otherwise */
  double speed;                              /* V (m/s): constant, ramp, pulled */
  double duration;                           /* s: constant, ramp, pulled */
  double N;                                  /* mean normal force */
  double N_amplitude, N_phase;               /* N (1 + N_amplitude sin(2 pi f t + N_phase)), share of N and rad */
  int cycles;                                /* of the periodic motions */
  int steps;                                 /* per cycle; of the whole run otherwise */
  unsigned seed;                             /* random */
  double mass, stiffness;                    /* pulled (kg, N/m) */
  size_t rows;                               /* table */
  const double *table_t, *table_u, *table_N; /* s, m, N (NULL: N above) */
} fw_drive;

/* The parameters of a drive as one sets them ("motion=triangle", "amplitude=1e-5"); `table` names a file the caller
 * reads. Defaults: 5 um at 50 Hz under the rig's preload, 3 cycles of 512 steps. */
extern const fw_param fw_drive_params[];
fw_drive fw_drive_from(const fw_args *args);
fw_drive fw_drive_default(void);
bool fw_drive_is_periodic(const fw_drive *drive);

/* What was seen at the end of every step; row 0 is the start. One block: clear frees it. */
typedef struct fw_trace {
  size_t count;
  double *t, *u, *v, *N, *T;
} fw_trace;

/* Runs a law from a fresh contact. FW_ERR_ARGUMENT for a drive that makes no sense or a rigid law. */
fw_status fw_tribometer_run(fw_context *ctx, const fw_friction *law, const fw_drive *drive, fw_trace *trace);
void fw_trace_clear(fw_trace *trace);

/* Steady friction at each of the speeds (either sign), after sliding that forgets the start. */
fw_status fw_tribometer_curve(fw_context *ctx, const fw_friction *law, double N, const double *speeds, int count,
                              double *T);

/* Figures of the last cycle (periodic motions) or of the whole run. */
typedef struct fw_loop_figures {
  double work; /* integral of T du (J): the energy per cycle */
  double T_max, T_min, T_mean;
  double u_max, u_min;
  double closure; /* T at the end of the last cycle less that one cycle before; 0 for other motions (N) */
} fw_loop_figures;

fw_loop_figures fw_trace_figures(const fw_trace *trace, const fw_drive *drive);

/* Drift under a force: mean + amplitude times a sine, slowly, below breakaway. Slip per cycle after `settle` cycles,
 * over `cycles` more (m). NAN if the law cannot carry the force. */
fw_status fw_tribometer_drift(fw_context *ctx, const fw_friction *law, double N, double mean, double amplitude,
                              int settle, int cycles, double *drift);

/* ---- a mass on a rubbing contact, held by a spring whose other end is moved: m a + k (x - end) + T = 0 ---- */

typedef struct fw_sled {
  const fw_friction *law; /* lent */
  double mass, stiffness;
  double x, v, a, T, end; /* where it is; end: other end of the spring */
  double *z, *trial, *derivatives;
} fw_sled;

/* At rest at 0 with a fresh contact and the spring free. x, v and end may be set before the first step. */
fw_status fw_sled_create(fw_context *ctx, const fw_friction *law, double mass, double stiffness, fw_sled *sled);
void fw_sled_clear(fw_sled *sled);

/* One generalised-alpha step (spectral radius 0.8) with the contact implicit. FW_RECOVER_DIVERGED if no balance is
 * found. */
fw_status fw_sled_step(fw_context *ctx, fw_sled *sled, double dt, double end, double N0, double N1);

#endif
