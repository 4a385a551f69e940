/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of a frequency response: what it leaves, one response by harmonic balance or in time, what is made of it.
 */
#ifndef FW_ANALYSES_FRF_PARTS_H
#define FW_ANALYSES_FRF_PARTS_H

#include "core/table.h"
#include "solver/analyses/time_orbit.h"
#include "solver/analysis.h"
#include "solver/hb/response.h"
#include "solver/shooting/shooting.h"

/* ---- report ---------------------------------------------------------------------------------------------- */

/* What an frf leaves: tables, summary, and states on its orbits. */

typedef struct fw_frf {
  fw_vibration *vibration;
  fw_response *responses;             /* level by level, upwards before downwards */
  int count, level_count, directions; /* of sweeps: 1 or 2 */
} fw_frf;

/* What a table's name gets if there are two directions: "-up", "-down". */
const char *fw_frf_direction(const fw_response_options *options, bool both);

/* The table frf-LEVEL, or frf-LEVEL-up and -down if `both`. */
fw_status fw_frf_write(fw_job *job, const fw_response *response, bool both);

/* Where response i stands in the summary: "levels[i]." or "levels[i].down.". */
void fw_frf_prefix(const fw_frf *frf, int i, char *prefix, size_t room);

/* The main resonance, else the peak; NULL: no orbits. */
const fw_orbit *fw_frf_main(const fw_response *response);

/* levels[i].resonance and what belongs to it, and the table resonances. */
fw_status fw_frf_summarise(fw_job *job, const fw_frf *frf);

/* A state on the response at a level and frequency, at a phase of the drive (rad). */
fw_status fw_frf_state(fw_context *ctx, const fw_frf *frf, double level, double frequency, double phase,
                       fw_state **state);

/* The state on one of a response's orbits. */
fw_status fw_frf_state_on(fw_context *ctx, const fw_frf *frf, const fw_response *response, const fw_orbit *orbit,
                          double phase, fw_state **state);

/* ---- harmonics ------------------------------------------------------------------------------------------- */

/* One frequency response by harmonic balance, with as many harmonics as it needs or the deck says. */

/* args: of the analysis frf; options: without harmonics and samples. Beyond 33 harmonics the orbits at resonances and peak
 * say how many are needed before the curve is followed once more. */
fw_status fw_frf_respond(fw_context *ctx, const fw_args *args, const fw_vibration *vibration,
                         fw_response_options options, fw_response *response);

/* Relative change of an orbit's first harmonic by a few more harmonics; INFINITY: so many do not lead to a neighbour. */
fw_status fw_frf_spread(fw_context *ctx, const fw_args *args, const fw_vibration *vibration,
                        const fw_response *response, const fw_orbit *orbit, double *spread);

/* ---- time ------------------------------------------------------------------------------------------------ */

/* Frequency response by time integration: stepped sine. */

/* The response at one level from options->f_from to f_to, each frequency from the last state of the one before; writes
 * its table. */
fw_status fw_frf_time(fw_job *job, const fw_response_options *options, bool both, fw_response *response);

/* ---- integration ----------------------------------------------------------------------------------------- */

/* What time integration of an frf needs, on its own and as a check of harmonic balance. */

enum { FW_TIME_HARMONICS = 10 };

/* The job as a transient with its defaults, the system, the state before the vibration. */
typedef struct fw_frf_integration {
  fw_job job;
  fw_args args;
  fw_system *system;
  fw_state *rest;
  const fw_integrator_ops *ops;
  fw_time_orbit_options options;
} fw_frf_integration;

/* Clear is safe on a zeroed struct and after a failed init. */
fw_status fw_frf_integration_init(const fw_job *job, fw_frf_integration *in);
void fw_frf_integration_clear(fw_frf_integration *in);

/* ---- shooting -------------------------------------------------------------------------------------------- */

/* The response at one level from options->f_from to f_to by shooting (solver/shooting), with the steps that time
 * integration would take; writes its table and that of the multipliers. Positive status never comes back: a curve that
 * ends early, or does not begin, is told in response->note. */
fw_status fw_frf_shooting(fw_job *job, const fw_response_options *options, bool both, fw_response *response);

/* What shooting at one level needs. Must not be moved. */
typedef struct fw_frf_shooter {
  fw_job *job;
  fw_response_options level;
  fw_frf_integration in;
  fw_state *state; /* before the vibration, with the loads of the level */
  fw_shooting s;
  fw_linear_range range;
  fw_sheet multipliers; /* rows go there once it is open */
  void *user;           /* told of every motion of a curve */
  fw_status (*accept)(void *user, const struct fw_frf_shooter *shooter, const fw_orbit *orbit);
  fw_response *out;         /* of the run under way, */
  double *y, *last, *trial; /* the point here and the one before; for resonances */
  double fraction;          /* of all frequencies that has passed */
} fw_frf_shooter;

/* H: harmonics of the sensors. Clear is safe after a failed init. */
fw_status fw_frf_shooter_init(fw_job *job, const fw_response_options *options, int H, fw_frf_shooter *shooter);
void fw_frf_shooter_clear(fw_frf_shooter *shooter);
/* Opens the table of multipliers. */
fw_status fw_frf_shooter_table(fw_frf_shooter *shooter, bool both);

/* The curve from one frequency (Hz) to another, on the grid of the level's options, added to `out`; near: a state of its
 * first motion at the beginning of a period, NULL: from time integration. out->whole and out->note say how it ended. */
fw_status fw_frf_shooter_run(fw_frf_shooter *shooter, double from, double to, const fw_state *near, fw_response *out);

/* The motion at a frequency near a state. Positive status: none is found. */
fw_status fw_frf_shooter_at(fw_frf_shooter *shooter, double frequency, const fw_state *near, fw_orbit *orbit);

/* ---- auto ------------------------------------------------------------------------------------------------ */

/* Harmonic balance where a few more harmonics change the response by no more than the tolerance, shooting where not. */

/* Takes the response i of harmonic balance, puts motions by shooting in the place of those that harmonics do not
 * settle at, and writes its table. */
fw_status fw_frf_auto(fw_job *job, const fw_frf *frf, int i, bool both, const char *prefix);

/* ---- agreement ------------------------------------------------------------------------------------------- */

/* Harmonic balance checked by time integration, which shares nothing with it but the model and the laws. */

/* Integrates from some orbits of a response; the table agreement-LEVEL and `prefix`agreement of the summary say how far
 * the two methods differ and, where they do, why. */
fw_status fw_frf_agreement(fw_job *job, const fw_frf *frf, const fw_response *response, bool both, const char *prefix);

/* ---- h1 -------------------------------------------------------------------------------------------------- */

/* Frequency response from a broadband load, measured as on a rig: time integration, spectra, H1. */

/* For the check of an frf with method="h1": FW_ERR_DECK unless its loads are one with many frequencies, and constant
 * ones. */
fw_status fw_frf_h1_check(fw_context *ctx, const fw_model *model, const fw_args *common, const fw_args *args);

/* All levels of the job, an frf with method="h1"; *state: the last one. */
fw_status fw_frf_h1(fw_job *job, fw_state **state);

/* ---- loops ----------------------------------------------------------------------------------------------- */

/* Slip and forces of every contact point over a period, at all orbits of the responses or at the main resonance (else
 * the peak) of each only: table loops. */
fw_status fw_frf_loops(fw_job *job, const fw_frf *frf, bool all);

/* ---- sensitivity ----------------------------------------------------------------------------------------- */

/* Derivatives of the main resonance with respect to every number of the friction laws, into the summary:
 * PREFIXsensitivity.PAIR.NUMBER.{value, frequency, amplitude, damping, work_rate, ..., changed}; of a pair's second law
 * on below sensitivity.PAIR.law2. A response without resonance has none. */
fw_status fw_frf_sensitivities(fw_job *job, const fw_frf *frf, const fw_response *response, const char *prefix);

/* ---- shapes ---------------------------------------------------------------------------------------------- */

/* Shapes of the harmonics at the main resonance (else the peak), mass-normalised, and their MAC against `modes` linear
 * modes with the contact stuck: table shapes-LEVEL (-up, -down if `both`), pictures, and PREFIXshape in the summary. */
fw_status fw_frf_shapes(fw_job *job, const fw_frf *frf, const fw_response *response, bool both, int modes,
                        const char *prefix);

#endif
