/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a time integrator is to the analyses that use one: a row of a table (integrators.def). An integrator is its file,
 * with fw_integrator_NAME, and a line there; options of its own stand among the attributes below. */
#ifndef FW_TIME_INTEGRATOR_H
#define FW_TIME_INTEGRATOR_H

#include "solver/analysis.h"
#include "solver/time/alpha.h"
#include "solver/time/archive.h"

/* Of all integrators (integrators.def): "|NAME" of each, and "; NAME: what it is". */
extern const char fw_integrator_names[], fw_integrator_texts[];

/* Attributes of the integrators, which every analysis that uses one has. */
#define FW_INTEGRATOR_PARAMS                                                                                           \
  {"solver", FW_PARAM_CHOICE, "", "alpha", 0, 0, fw_integrator_names + 1, fw_integrator_texts + 2},                    \
      {"scheme",                                                                                                       \
       FW_PARAM_CHOICE,                                                                                                \
       "",                                                                                                             \
       "generalised-alpha",                                                                                            \
       0,                                                                                                              \
       0,                                                                                                              \
       "generalised-alpha|hht",                                                                                        \
       "alpha: its coefficients, those of Chung and Hulbert or of Hilber, Hughes and Taylor, for a given rho-inf"},    \
      {"rho-inf", FW_PARAM_NUMBER,                                                                                     \
       "",        "0.8",                                                                                               \
       0,         1,                                                                                                   \
       NULL,      "spectral radius at infinite frequency: 1 no numerical damping; at most 0.9 with joints"},           \
      {"locate",                                                                                                       \
       FW_PARAM_CHOICE,                                                                                                \
       "",                                                                                                             \
       "auto",                                                                                                         \
       0,                                                                                                              \
       0,                                                                                                              \
       "auto|yes|no",                                                                                                  \
       "alpha: yes: divide a step where hard contact closes or rigid friction reverses, and apply the impact there; "  \
       "no: hard contact acts by the impulses of each step; auto: yes with up to 8 contact points and 30 freedoms"},   \
      {"adaptive",                                                                                                     \
       FW_PARAM_NUMBER,                                                                                                \
       "",                                                                                                             \
       "",                                                                                                             \
       1e-12,                                                                                                          \
       1,                                                                                                              \
       NULL,                                                                                                           \
       "alpha: divide steps, down to a 4096th, so that the local error stays below this share of the way the fastest " \
       "motion makes in a step (absent: equal steps)"},                                                                \
      {"general", FW_PARAM_FLAG,                                                                                       \
       "",        "no",                                                                                                \
       0,         0,                                                                                                   \
       NULL,      "solve every step in full even where one factorisation would do"},                                   \
      {"balance", FW_PARAM_NUMBER,                                                                                     \
       "",        "1e-9",                                                                                              \
       1e-14,     1e-6,                                                                                                \
       NULL,      "alpha: a step is solved until no more than this share of the largest force is out of balance"},     \
      {"tolerance", FW_PARAM_NUMBER, "", "1e-6", 1e-12, 1e-1, NULL, "ida: relative error tolerance"},                  \
      {"displacement-tolerance",                                                                                       \
       FW_PARAM_NUMBER,                                                                                                \
       "m",                                                                                                            \
       "1e-11",                                                                                                        \
       1e-18,                                                                                                          \
       1,                                                                                                              \
       NULL,                                                                                                           \
       "ida: absolute error tolerance of displacements"},                                                              \
      {"velocity-tolerance",                                                                                           \
       FW_PARAM_NUMBER,                                                                                                \
       "m/s",                                                                                                          \
       "",                                                                                                             \
       1e-18,                                                                                                          \
       1e3,                                                                                                            \
       NULL,                                                                                                           \
       "ida: absolute error tolerance of velocities; default: ten times displacement-tolerance times the drive's "     \
       "circular frequency (or rate)"},                                                                                \
      {"order", FW_PARAM_INTEGER,                                                                                      \
       "",      "2",                                                                                                   \
       1,       5,                                                                                                     \
       NULL,    "ida: highest order of the BDF; above 2 undamped high frequencies hold the step down"},                \
  {                                                                                                                    \
    "rate", FW_PARAM_NUMBER, "1/s", "100", 1e-6, 1e9, NULL,                                                            \
        "ida: circular frequency of the motion where there is no drive; scales velocities"                             \
  }

/* Where the neighbours of a run begin, for the derivatives of its motion by a parameter: one with the parameter less,
 * one with it more. All lent. */
typedef struct fw_neighbour {
  const char *parameter;
  double step, scale; /* as in fw_variant */
  fw_system *system[2];
  const fw_state *state[2];
  double omega[2];
} fw_neighbour;

/* Derivatives of q, v and a by a parameter, lent. */
typedef struct fw_motion_tangent {
  const double *q, *v, *a;
} fw_motion_tangent;

/* Told a state on the way. */
typedef void (*fw_integrator_look)(void *user, const fw_state *state);

typedef struct fw_integrator_ops {
  fw_entry entry; /* its attributes stand beside those of <transient> */
  /* What keeps a model from it ("hard contact is a constraint, ..."), or NULL. NULL: it takes any. */
  const char *(*misfit)(const fw_model *model);
  /* Of attributes that do not fit each other or the model: FW_ERR_DECK with the place. NULL: all do. */
  fw_status (*check)(fw_context *ctx, const fw_model *model, const fw_args *args);
  /* Starts from `state` (copied) with its loads at drive frequency omega (rad/s). */
  fw_status (*create)(const fw_job *job, fw_system *system, const fw_state *state, double omega, void **self);
  fw_status (*advance)(fw_context *ctx, void *self, double dt);
  /* Changes the factors of all loads now, as loads do that jump: begins anew from where it is. */
  fw_status (*reload)(fw_context *ctx, void *self, const double *factors);
  /* From now on `look` sees every state passed on the way: the ends of its own steps, both sides of an event. NULL: it
   * makes no steps of its own. */
  void (*watch)(void *self, fw_integrator_look look, void *user);
  const fw_state *(*state)(const void *self);
  const fw_energy *(*energy)(const void *self);
  /* Keeps itself in an archive or takes itself back; either way it then forgets its past and begins anew from where
   * it is, so that a run which was interrupted and one which was not go on alike. */
  fw_status (*archive)(fw_context *ctx, void *self, fw_archive *archive);
  fw_status (*report)(const void *self, fw_record *summary); /* statistics */
  /* Goes on with derivatives by parameters, one for each neighbour; before the first step. Both NULL: it cannot. */
  fw_status (*differentiate)(fw_context *ctx, void *self, const fw_neighbour *neighbours, int count);
  fw_motion_tangent (*tangent)(const void *self, int neighbour);
  void (*destroy)(void *self);
} fw_integrator_ops;

/* Of generalised-alpha, by the attributes above; located events where the model is small, unless they say. */
fw_alpha_options fw_alpha_options_of(const fw_model *model, const fw_args *args);

/* The one that the attributes above choose. */
const fw_integrator_ops *fw_integrator_chosen(const fw_args *args);

/* advance, with loads and motion that are finite numbers, or else told. */
fw_status fw_integrator_advance(fw_context *ctx, const fw_integrator_ops *ops, void *self, double dt);

/* For the check of an analysis with the attributes above: FW_ERR_DECK with the place where they do not fit the model.
 */
fw_status fw_integrator_check(fw_context *ctx, const fw_model *model, const fw_args *args);

#endif
