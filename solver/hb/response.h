/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frequency response at one level: a sweep, its orbits, its resonances, the ends of its curve. */
#ifndef FW_HB_RESPONSE_H
#define FW_HB_RESPONSE_H

#include "solver/continuation/arc_length.h"
#include "solver/hb/orbit.h"

/* ---- response -------------------------------------------------------------------------------------------- */

/* The frequency response at one level: a sweep, its orbits, its resonances. */

typedef struct fw_response_options {
  double level; /* of the drives, or where `constant_response` the amplitude of the sensor's first harmonic */
  bool constant_response;
  double f_from, f_to; /* Hz; downwards if f_from > f_to */
  int points;
  int sensor; /* whose first harmonic defines resonance, */
  fw_quantity quantity;
  double complex drive; /* at level 1, what that is compared with */
  double phase;         /* of its displacement against the drive at resonance (rad): -pi/2 */
  bool either;          /* a sensor may move the other way: the opposite phase is a resonance too where it falls */
  int H, samples;
  double tolerance;
  bool opening;   /* hard contact may open; set by fw_response_run where it has to */
  bool stability; /* find the multipliers of every orbit */
  bool smooth;    /* the curve is one to look at: it gets points until straight lines between them look like it */
} fw_response_options;

enum { FW_RESPONSE_GAPS = 8 }; /* ends of its curve that are crossed at most */

typedef struct fw_response {
  fw_response_options options;
  fw_orbit *orbits; /* in the order of the curve */
  int count, room;
  fw_orbit *resonances; /* where the phase is as wished, in the order of the curve */
  int resonance_count, resonance_room;
  int peak;         /* orbit with the largest amplitude, -1: none moves the sensor */
  fw_orbit top;     /* the motion at the maximum between the orbits (peak.h); y NULL: not found, or not asked for */
  double bandwidth; /* half-power width around the peak (Hz); NaN: not within the curve */
  fw_status status; /* FW_OK: the whole range; else the sweep ended early, and why */
  bool whole;       /* the curve goes from one end of the range to the other */
  char note[512];   /* in words; "" if nothing to say */
  double gap[2];    /* Hz: from where the curve first ended to where it went on; 0, 0: it never did */
  int breaks[FW_RESPONSE_GAPS]; /* the first orbits beyond gaps */
  int break_count;
  bool turned;       /* ended there: it turned back and left the range at its start */
  double unbounded;  /* Hz where it last grew without bound; 0: nowhere */
  double truncation; /* relative change of the first harmonic with more harmonics; set by the caller */
  int iterations, rejected;
  double seconds;       /* processor time, the check of the harmonics included; set by the caller */
  double reached;       /* Hz */
  fw_unjudged unjudged; /* why the stability of some orbit is not known */
  int periods;          /* time integration: most periods at one frequency; 0: harmonic balance */
  int steps;            /* shooting: of a period; 0: another method */
  long integrated;      /* and periods integrated, products with the monodromy matrix among them */
  double distance;      /* and the farthest that a motion may still have been from its steady form, relative */
} fw_response;

/* Runs the sweep, with hard contact kept closed and, if it would pull somewhere, once more with contact that opens.
 * Returns a fatal status only; a curve that ends early is told in response->status. */
fw_status fw_response_run(fw_context *ctx, const fw_vibration *vibration, const fw_response_options *options,
                          fw_response *response);
void fw_response_clear(fw_response *response);

/* A balance with its curve at the response's level, ready to solve. */
typedef struct fw_solver {
  fw_balance balance;
  fw_continuation curve;
} fw_solver;
fw_status fw_solver_init(fw_context *ctx, const fw_vibration *vibration, const fw_response_options *options,
                         fw_solver *solver);
void fw_solver_clear(fw_solver *solver);

/* Corrects an orbit to another frequency (Hz) close by: y of solver->balance.n + 1 in place. */
fw_status fw_solver_at(fw_context *ctx, fw_solver *solver, double frequency, double tolerance, double *y);

/* The full state of the model at a phase (rad) of the motion y. */
fw_status fw_solver_state(fw_context *ctx, const fw_vibration *vibration, const fw_response_options *options,
                          const double *y, double phase, fw_state **state);

/* The full states at equally distant phases of a motion, from 0 on. A mode is one without drives: level 0. */
typedef void (*fw_state_seen)(void *user, const fw_state *state);
fw_status fw_solver_states(fw_context *ctx, const fw_vibration *vibration, const fw_response_options *options,
                           const fw_orbit *orbit, int phases, fw_state_seen seen, void *user);

/* The orbit of a response with more harmonics, at the same frequency. Positive status: none found near it. */
fw_status fw_response_refine(fw_context *ctx, const fw_vibration *vibration, const fw_response *response,
                             const fw_orbit *orbit, int H, int samples, fw_orbit *finer);

/* The same, or where that many harmonics have no motion at the frequency (beside a fold) the one with the same phase.
 */
fw_status fw_response_neighbour(fw_context *ctx, const fw_vibration *vibration, const fw_response *response,
                                const fw_orbit *orbit, int H, int samples, fw_orbit *finer);

/* First harmonic of the displacement at the options's sensor over the drive. */
double complex fw_response_compliance(const fw_response_options *options, const fw_orbit *orbit);

/* Whether the phase of the compliance passes through the wished one (1) or, where either will do, through the opposite
 * one
 * (-1) between two orbits; 0: neither. part: how far from a to b. The opposite phase counts only where it falls as the
 * frequency rises: at an antiresonance it rises. */
int fw_response_passes(const fw_response_options *options, const fw_orbit *a, const fw_orbit *b, double *part);

/* Sets peak and bandwidth from the orbits. */
void fw_response_find_peak(fw_response *response);

/* ---- curve ends ------------------------------------------------------------------------------------------ */

/* A response through the ends of its curve: where forces jump, and where the curve turns back for good. */

/* The first motion of the curve: at the first frequency of the range or, where none is found there, the first of some
 * others of the grid. y: from rest, overwritten. Positive status: none of them. */
fw_status fw_curve_begin(fw_context *ctx, fw_solver *solver, const fw_arc_length *sweep, double tolerance, double *y);

/* The curve from y on and, where it ends, those beyond. y: the first point, overwritten. out->status: how it ended. */
fw_status fw_curve_ends_follow(fw_context *ctx, fw_solver *solver, fw_arc_length *sweep, fw_response *out, double *y);

/* Says in out->note, unless there is one, why the range was not swept to its end, and where the curve had gaps. */
void fw_curve_ends_explain(fw_response *out, const fw_arc_length *sweep, const fw_balance *balance);

#endif
