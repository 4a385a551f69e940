/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/response.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "solver/continuation/arc_length.h"

enum { BEGINNINGS = 12 }; /* frequencies at which a first motion is looked for */
enum { JUMPS_MOST = 10 }; /* frequencies tried beyond an end that turned back */

fw_status fw_curve_begin(fw_context *ctx, fw_solver *solver, const fw_arc_length *sweep, double tolerance, double *y) {
  double sign = sweep->to > sweep->from ? 1 : -1, steps = round(fabs(sweep->to - sweep->from) / sweep->step);
  double last = -1;
  fw_status status = FW_RECOVER_DIVERGED;
  for (int i = 0; i < BEGINNINGS && status > 0; i++) {
    double number = round(i * steps / (BEGINNINGS - 1));
    if (number == last) continue;
    last = number;
    FW_TRY(fw_interrupted(ctx));
    memset(y, 0, (size_t)solver->balance.n * sizeof *y);
    y[solver->balance.n] = sweep->from + sign * number * sweep->step;
    status = fw_balance_solve(ctx, &solver->balance, &solver->curve, tolerance, y);
  }
  return status;
}

/* The value farthest along that the curve reached. */
static double farthest(const fw_response *out, const fw_arc_length *sweep) {
  double sign = sweep->to > sweep->from ? 1 : -1, most = sweep->from;
  for (int i = 0; i < out->count; i++) {
    double lambda = 2 * M_PI * out->orbits[i].frequency;
    if ((lambda - most) * sign > 0) most = lambda;
  }
  return most;
}

/* The curve turned back and left the range where it began: its resonance bends over beyond that, and a structure whose
 * drive is swept jumps at the turn; or it climbs without end. y: a motion found from rest on the grid beyond it. */
static fw_status jump_beyond(fw_context *ctx, fw_solver *solver, const fw_arc_length *sweep, double turn, double *y) {
  double sign = sweep->to > sweep->from ? 1 : -1, number = floor((turn - sweep->from) * sign / sweep->step + 1e-9);
  for (int i = 1; i <= JUMPS_MOST; i++) {
    number += i; /* the steps grow */
    double lambda = sweep->from + sign * number * sweep->step;
    if ((lambda - sweep->to) * sign > 0) break;
    memset(y, 0, (size_t)solver->balance.n * sizeof *y);
    y[solver->balance.n] = lambda;
    fw_status status = fw_balance_solve(ctx, &solver->balance, &solver->curve, sweep->tolerance, y);
    if (status <= 0) return status;
  }
  return FW_RECOVER_DIVERGED;
}

static bool may_go_on(const fw_response *out, const fw_arc_length *sweep) {
  bool ended = out->note[0] || sweep->points >= sweep->most; /* for a reason that is known */
  return (out->status == FW_RECOVER_DIVERGED || sweep->returned) && out->count && !ended;
}

fw_status fw_curve_ends_follow(fw_context *ctx, fw_solver *solver, fw_arc_length *sweep, fw_response *out, double *y) {
  size_t bytes = ((size_t)solver->balance.n + 1) * sizeof *y;
  for (int gaps = 0;; gaps++) {
    double climbed = out->unbounded;
    out->status = fw_arc_length_run(ctx, &solver->curve, sweep, y);
    out->iterations += sweep->iterations;
    out->rejected += sweep->rejected;
    if (gaps == FW_RESPONSE_GAPS || !may_go_on(out, sweep)) break;
    double end = sweep->returned ? farthest(out, sweep) : sweep->reached;
    memcpy(y, out->orbits[out->count - 1].y, bytes);
    bool climbs = out->unbounded != climbed;
    fw_status status = sweep->returned || climbs
                           ? jump_beyond(ctx, solver, sweep, end, y)
                           : fw_curve_break_cross(ctx, &solver->curve, sweep->to, sweep->step, sweep->tolerance, y);
    if (status != FW_OK) return status < 0 ? status : FW_OK;
    if (!out->gap[1] && !climbs) {
      out->gap[0] = end / (2 * M_PI);
      out->turned = sweep->returned;
    }
    if (!climbs) out->gap[1] = y[solver->balance.n] / (2 * M_PI);
    out->breaks[out->break_count++] = out->count;
    sweep->most -= sweep->points;
  }
  return FW_OK;
}

/* ---- in words ------------------------------------------------------------------------------ */

static bool ends_in_climb(const fw_response *out) {
  return out->count && out->unbounded == out->orbits[out->count - 1].frequency;
}

static void explain(fw_response *out, const fw_arc_length *sweep, const fw_balance *balance) {
  if (out->note[0] || ends_in_climb(out)) return;
  if (sweep->returned)
    snprintf(out->note, sizeof out->note, "the curve turned back and left the range at its start");
  else if (out->status != FW_OK && out->count == 0)
    snprintf(out->note, sizeof out->note, "no periodic motion found at any frequency tried from %.6g to %.6g Hz: %s",
             out->options.f_from, out->options.f_to, fw_balance_difficulty(balance));
  else if (out->status != FW_OK && sweep->points >= sweep->most)
    snprintf(out->note, sizeof out->note, "the curve has more than %d points up to %.6g Hz", out->count, out->reached);
  else if (out->status != FW_OK && sweep->jump)
    snprintf(out->note, sizeof out->note,
             "the curve ends at %.6g Hz: the forces jump, contact changes between stick and slip all at once",
             out->reached);
  else if (out->status != FW_OK)
    snprintf(out->note, sizeof out->note, "the curve was lost at %.6g Hz: %s", out->reached,
             fw_balance_difficulty(balance));
}

static void note_gap(fw_response *out) {
  char said[sizeof out->note];
  memcpy(said, out->note, sizeof said);
  if (out->turned)
    snprintf(out->note, sizeof out->note,
             "the curve turns back at %.6g Hz and leaves the range at its start: the response jumps, and goes on from "
             "%.6g Hz%s%.100s",
             out->gap[0], out->gap[1], said[0] ? "; " : "", said);
  else
    snprintf(out->note, sizeof out->note,
             "the curve ends between %.6g and %.6g Hz, where forces jump as slip begins or ends or a point opens, and "
             "goes on beyond%s%.100s",
             fmin(out->gap[0], out->gap[1]), fmax(out->gap[0], out->gap[1]), said[0] ? "; " : "", said);
}

static void note_climb(fw_response *out) {
  char said[sizeof out->note];
  memcpy(said, out->note, sizeof said);
  snprintf(out->note, sizeof out->note,
           "the response grows without bound at %.6g Hz: nothing loses as much energy as the drive feeds there%s%.300s",
           out->unbounded, said[0] ? "; " : "", said);
}

/* The range before the first motion. */
static void note_beginning(fw_response *out) {
  char said[sizeof out->note];
  memcpy(said, out->note, sizeof said);
  snprintf(out->note, sizeof out->note, "no periodic motion found at %.6g Hz: the curve begins at %.6g Hz%s%.350s",
           out->options.f_from, out->orbits[0].frequency, said[0] ? "; " : "", said);
}

void fw_curve_ends_explain(fw_response *out, const fw_arc_length *sweep, const fw_balance *balance) {
  if (out->status >= 0) explain(out, sweep, balance);
  if (out->gap[1] > 0) note_gap(out);
  if (out->unbounded > 0) note_climb(out);
  bool late = out->count && fabs(out->orbits[0].frequency - out->options.f_from) > 1e-9 * out->options.f_from;
  if (late) note_beginning(out);
  out->whole = out->status == FW_OK && !sweep->returned && !late && !(out->unbounded > 0);
}
