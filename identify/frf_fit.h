/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of method "frf" share: the curve of resonances of a deck whose parameters vary, beside what was
 * measured. */
#ifndef FW_IDENTIFY_FRF_FIT_H
#define FW_IDENTIFY_FRF_FIT_H

#include "contact/pair.h"
#include "identify/evaluations.h"
#include "identify/report.h"
#include "identify/targets.h"
#include "identify/varied.h"

enum { FW_FRF_BANDS = 20, FW_FRF_LEVELS = 64 };

typedef struct fw_frf_fit {
  fw_identify_job *job;
  const fw_item *analysis;      /* the <resonance>, */
  const char *curve, *response; /* its id and the sensor that defines its resonances */
  const fw_item *curves;        /* the <frf> that bandwidths and responses are computed by; NULL: none */
  bool needs_locus;             /* something is asked of the curve of resonances */
  fw_targets targets;
  double levels[FW_FRF_LEVELS]; /* at which anything was measured, as they first come */
  int level_count;
  fw_varied_deck varied;
  fw_evaluations *evaluations; /* of its curves */
  double *figures;             /* room for those of one */
  fw_fit_problem problem;
  fw_fit_options options;
  bool passive;                    /* only laws that are passive along their orbits count */
  bool watched;                    /* passivity is asked of every run */
  double steep;                    /* deviations for a passivity beyond the limit by 1 */
  double without;                  /* level whose targets do not count; NaN: all do */
  double weight;                   /* of amplitudes, beside their deviations */
  double *computed;                /* [targets] of the last run */
  double *frequencies;             /* [targets] of responses */
  double *lifts;                   /* [targets] part of the period in which some contact is open there */
  double passivity[FW_FRF_LEVELS]; /* of the last run, where it is asked for: largest of all pairs */
  fw_law_chains chains;            /* of the last run: what its parameters move of friction laws, */
  bool only[FW_VARIED_MOST];       /* and whether nothing else */
  double *slopes;                  /* [(targets + levels) * parameters] of what is computed, then of passivity, by the
                                    * parameters; unknown: harmonic balance does not tell */
  double reach;                    /* largest level of the last curve */
  double band_levels[FW_FRF_BANDS], band_frequencies[FW_FRF_BANDS]; /* of the last curve, over all levels of targets */
} fw_frf_fit;

/* A fit from p, which is where it ends; where only passive laws count the penalty of others grows until what is found
 * is passive or no fit makes it so. The curve of what is found is computed then. options: other than the method's own. */
fw_status fw_frf_search(fw_frf_fit *frf, fw_context *ctx, const fw_fit_options *options, double *p, fw_fit *fit);

/* Opens what is known of its curves: from an earlier run too. */
fw_status fw_frf_open_evaluations(fw_frf_fit *frf);

/* What the curves at p say of the targets, and those of several points by several processes (user: an fw_frf_fit). */
fw_status fw_frf_compute(fw_frf_fit *frf, fw_context *ctx, const double *p);
fw_status fw_frf_prepare(void *user, fw_context *ctx, int count, const double *points);

/* Finds what the curve says at levels of targets to the last digit, with slopes (reached: by the <resonance>). */
fw_status fw_frf_refine(fw_frf_fit *frf, fw_context *ctx, const fw_reached *reached);

/* dr/dp where harmonic balance tells it: for fw_fit_problem (user: an fw_frf_fit). */
fw_status fw_frf_jacobian(void *user, fw_context *ctx, const double *p, double *j, bool *known);

/* The table of the curve among those of a run; NULL: none. */
const fw_data_table *fw_frf_curve(const fw_frf_fit *frf, const fw_sink *sink);

/* Above this part of the limit passivity costs, where only passive laws count: steeply, so that what is found keeps
 * within it. */
#define FW_FRF_PASSIVE_EDGE 0.98

/* A target is met by a resonance that exists and whose contact stays closed. */
bool fw_frf_is_met(const fw_frf_fit *frf, int target);

/* Root mean square of relative differences (%) over the targets that are met, but for responses: of frequencies, or of
 * all others. NaN: none. */
double fw_frf_rms_percent(const fw_frf_fit *frf, bool frequencies);

/* ---- whole responses ---------------------------------------------------------------------- */

/* Runs the <frf> at p and keeps what it says of bandwidths and responses. */
fw_status fw_frf_compute_responses(fw_frf_fit *frf, const double *p);

/* Responses measured and computed: `responses` of the summary, a table each. */
fw_status fw_frf_tell_responses(fw_frf_fit *frf);

/* Norm of the difference over that of what was measured (%), over the amplitudes of responses at a level; NaN: none. */
double fw_frf_response_percent(const fw_frf_fit *frf, double level);

/* How many targets from this one on are of the same response. */
int fw_frf_response_count(const fw_frf_fit *frf, int target);

/* ---- the contact ------------------------------------------------------------------------- */

/* sigma-1 |v|/(4 s(v)) at a velocity and a normal force: above 1 the law feeds energy in. NaN: no such law. */
double fw_frf_passivity_of(const fw_friction *law, double v, double N);

/* The law of a pair that has only one; else NULL. */
const fw_friction *fw_frf_only_law(const fw_pair *pair);

/* The largest of it at a level over the pairs of a model. */
double fw_frf_passivity(const fw_model *model, const fw_data_table *curve, double level);

/* Runs the curve at what was found and tells the contact at every level, what it is equivalent to, and the published
 * criteria; table `curve`. */
fw_status fw_frf_tell_contact(fw_frf_fit *frf, const fw_fit *fit);

/* ---- more fits --------------------------------------------------------------------------- */

/* Each level in turn is left out and foretold from the others. */
fw_status fw_frf_leave_out(fw_frf_fit *frf, const fw_fit *best);

/* Fits with amplitudes that count more and less: frequency against amplitude, table `trade`. */
fw_status fw_frf_trade(fw_frf_fit *frf, const fw_fit *best, int points);

/* What no law can pass (law_free.h) at every resonance that was measured: table `bound`. */
fw_status fw_frf_bound(fw_frf_fit *frf, const fw_fit *fit, double percent);
/* FW_ERR_DECK if the deck does not allow it. */
fw_status fw_frf_bound_check(const fw_frf_fit *frf);

#endif
