/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Friction loops, the chain of laws, and one of them fitted to loops. */
#ifndef FW_IDENTIFY_LOOPS_H
#define FW_IDENTIFY_LOOPS_H

#include "contact/friction/friction.h"
#include "identify/fit.h"
#include "identify/method.h"

/* ---- loops ----------------------------------------------------------------------------------------------- */

/* Friction loops: slip, velocity, normal force and friction over time as <loop> brings them, and what a law makes of
 * the same motion. */

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
 * by name; v and T may be constant only in records of a `steady` motion. Without a deviation 1 % of the largest |T| is assumed. */
fw_status fw_loops_read(const fw_identify_job *job, bool steady, fw_loops *loops);
void fw_loops_clear(fw_loops *loops);

/* Warns where v is not the velocity of u, and where friction feeds energy in. */
fw_status fw_loops_doubt(fw_identify_job *job, const fw_loops *loops);

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

/* ---- chain ----------------------------------------------------------------------------------------------- */

/* The chain of laws: which numbers of each are identified from loops, and where each begins: at what the laws before it
 * have found. */

/* What is known of the contact so far, whatever the law. */
typedef struct fw_contact_guess {
  double mu_s, mu_c;   /* coefficients */
  double v_s;          /* Stribeck velocity (m/s) */
  double stiffness;    /* in presliding (N/m) */
  double damping;      /* in presliding (N s/m) */
  double normal;       /* mean normal force (N) */
  double speed, slip;  /* largest of the slowest loop (m/s, m) */
  double force, press; /* largest |T| and N */
} fw_contact_guess;

/* From the loops alone: mu = max|T|/max N, the slope of the loop where it is steepest. */
fw_contact_guess fw_contact_guess_of(const fw_loops *loops);

enum { FW_CHAIN_NUMBERS = 8 };

typedef struct fw_chain_law {
  const char *law;
  const char *numbers[FW_CHAIN_NUMBERS + 1]; /* fitted, in this order; ends with NULL */
} fw_chain_law;

/* The entry of a law, or NULL: it has none. */
const fw_chain_law *fw_chain_find(const char *law);
/* "coulomb, dahl, ..." */
extern const char fw_chain_names[];

/* Start and bounds of a number; unit from the law's own description. */
fw_fit_parameter fw_chain_parameter(const fw_chain_law *law, const char *number, const fw_contact_guess *guess);

/* Slip at which a spring of stiffness sigma_0 carries the friction mu (m); both per unit of normal force in a law that
 * is normalised. False from `agree`: a set of numbers whose reach and critical slip lie more than a factor of 3 apart
 * contradicts itself. */
double fw_chain_reach(const char *law, double mu, double sigma_0, double normal);
bool fw_chain_reach_agrees(double reach, double u_crit);

/* What the fitted numbers say about the contact. */
void fw_chain_learn(const fw_chain_law *law, const char *number, double value, fw_contact_guess *guess);

/* ---- law fit --------------------------------------------------------------------------------------------- */

/* One law of the chain fitted to loops. */

typedef struct fw_law_fit_options {
  fw_loop_objective objective;
  fw_loop_begin begin;
  int parts;
  const char *hold;   /* "sigma-2=0, lugre.mu-c=0.3": numbers that are not fitted; NULL: none */
  const char *bounds; /* "sigma-0=1e5:1e9, ...": other bounds than the chain's; NULL: none */
  fw_fit_options fit;
} fw_law_fit_options;

/* Owned; clear frees it. */
typedef struct fw_law_fit {
  const fw_chain_law *law;
  const fw_friction_ops *ops;
  const fw_loops *loops;
  const fw_law_fit_options *options;
  fw_context *aside; /* takes the messages of laws that have no meaning at some numbers */
  char held[16][96]; /* settings that stay */
  int held_count;
  fw_fit_parameter list[FW_CHAIN_NUMBERS];
  int count; /* of fitted numbers; 0: none, the start is the answer */
  double *T; /* room for the longest loop */
  fw_fit_problem problem;
  fw_fit fit;
} fw_law_fit;

/* Prepares a law: what is held, what is fitted, from where. FW_ERR_DECK, with a message without place, for a law that
 * is not in the chain and for what hold and bounds say wrongly. */
fw_status fw_law_fit_open(fw_context *ctx, const char *law, const fw_loops *loops, const fw_contact_guess *guess,
                          const fw_law_fit_options *options, fw_law_fit *fit);
void fw_law_fit_close(fw_law_fit *fit);

/* Fits, if there is anything to fit. */
fw_status fw_law_fit_run(fw_context *ctx, fw_law_fit *fit);

/* The law with numbers p[count]; to be cleared. */
fw_status fw_law_fit_make(fw_law_fit *fit, const double *p, fw_friction *law);

/* Its force along a loop at what was found; T[loop->count]. */
fw_status fw_law_fit_force(fw_context *ctx, fw_law_fit *fit, const fw_loop_data *loop, double *T);

/* A number of the law as found or held; NaN if it has none of that name. */
double fw_law_fit_number(const fw_law_fit *fit, const char *name);

#endif
