/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Complex modes over a range of flows, and the flows at which modes begin or cease to grow: where the number of growing
 * modes differs between two flows, the change is enclosed by bisection, and the rest of the interval searched on. Changes
 * that undo each other between two neighbours of the grid are not seen. */
#include <math.h>
#include <stdlib.h>

#include "core/bisect.h"
#include "solver/analyses/modal_parts.h"

static const double NONE = 1e-10;    /* growth over |lambda| that is rounding */
static const double TOGETHER = 1e-9; /* changes closer than this are one: twin modes of two equal planes */

typedef struct search {
  fw_modal *m;
  int count;        /* modes looked at */
  fw_status status; /* what went wrong while bisecting */
  int below;        /* growing modes at the lower end */
  int changes;      /* found so far */
  fw_data_table *table;
} search;

static int growing(const fw_quadratic_pairs *pairs) {
  int count = 0;
  for (int i = 0; i < pairs->count; i++) count += pairs->growth[i] > NONE * hypot(pairs->growth[i], pairs->omega[i]);
  return count;
}

static fw_status growing_at(const search *s, double flow, int *count) {
  fw_quadratic_pairs pairs;
  fw_status status = fw_modal_flow_pairs(s->m, flow, s->count, &pairs);
  *count = growing(&pairs);
  fw_quadratic_pairs_clear(&pairs);
  return status;
}

/* ---- changes ---------------------------------------------------------------------------------- */

static bool has_changed(void *user, double flow) {
  search *s = user;
  int count = s->below;
  if (s->status == FW_OK) s->status = growing_at(s, flow, &count);
  return count != s->below;
}

/* The mode that neither grows nor decays there. */
static fw_status report_change(search *s, double flow, int after) {
  fw_record *summary = s->m->job->summary;
  fw_quadratic_pairs pairs;
  fw_status status;
  int nearest = 0, i = s->changes++;
  FW_TRY_DONE(fw_modal_flow_pairs(s->m, flow, s->count, &pairs));
  for (int k = 0; k < pairs.count; k++)
    if (fabs(fw_modal_ratio(pairs.growth[k], pairs.omega[k])) <
        fabs(fw_modal_ratio(pairs.growth[nearest], pairs.omega[nearest])) * (1 - 1e-9))
      nearest = k;
  double frequency = pairs.omega[nearest] / (2 * M_PI);
  fw_log(s->m->job->ctx, "%s: at the flow %.8g mode %d, %.6g Hz, %s; %d of %d modes grow beyond", s->m->job->id, flow,
         nearest + 1, frequency, after > s->below ? "begins to grow" : "ceases to grow", after, pairs.count);
  FW_TRY_DONE(fw_record_set_number(summary, flow, "critical[%d].flow", i));
  FW_TRY_DONE(fw_record_set_figure(summary, frequency, "Hz", "critical[%d].frequency", i));
  FW_TRY_DONE(fw_record_set_number(summary, nearest + 1, "critical[%d].mode", i));
  FW_TRY_DONE(fw_record_set_number(summary, after, "critical[%d].growing", i));
done:
  fw_quadratic_pairs_clear(&pairs);
  return status;
}

/* All changes from `low`, where s->below modes grow, to `high`. */
static fw_status find_changes(search *s, double low, double high, int above) {
  enum { MOST = 64 };
  for (int round = 0; s->below != above && round < MOST; round++) {
    double a = low, b = high;
    int after;
    fw_bisect(has_changed, s, 1e-13, 200, &a, &b);
    FW_TRY(s->status);
    low = fmin(high, b * (1 + TOGETHER));
    FW_TRY(growing_at(s, low, &after));
    FW_TRY(report_change(s, 0.5 * (a + b), after));
    s->below = after;
  }
  return FW_OK;
}

/* ---- the grid --------------------------------------------------------------------------------- */

static fw_status report_flow(const search *s, double flow, int *count) {
  fw_quadratic_pairs pairs;
  fw_status status;
  FW_TRY_DONE(fw_modal_flow_pairs(s->m, flow, s->count, &pairs));
  for (int i = 0; i < pairs.count; i++) {
    const double row[] = {flow, i + 1, pairs.omega[i] / (2 * M_PI), fw_modal_ratio(pairs.growth[i], pairs.omega[i]),
                          pairs.growth[i]};
    FW_TRY_DONE(fw_sink_row(s->m->job->sink, s->m->job->ctx, s->table, row));
  }
  *count = growing(&pairs);
done:
  fw_quadratic_pairs_clear(&pairs);
  return status;
}

fw_status fw_modal_flows(fw_modal *m, int count) {
  static const fw_column columns[] = {
      {"flow", ""}, {"mode", ""}, {"frequency", "Hz"}, {"damping", ""}, {"growth", "1/s"}};
  const fw_args *args = m->job->args;
  double from = fw_args_number(args, "flow-min"), to = fw_args_number(args, "flow-max");
  int points = fw_args_integer(args, "flow-points");
  search s = {.m = m, .count = count};
  FW_TRY(fw_sink_table(m->job->sink, m->job->ctx, m->job->id, "flow", columns, 5, false, &s.table));
  FW_TRY(report_flow(&s, from, &s.below));
  FW_TRY(fw_record_set_number(m->job->summary, s.below, "growing_at_flow_min"));
  for (int k = 1; k < points; k++) {
    double low = from + (to - from) * (k - 1) / (points - 1), high = from + (to - from) * k / (points - 1);
    int above;
    FW_TRY(report_flow(&s, high, &above));
    FW_TRY(find_changes(&s, low, high, above));
  }
  if (s.changes == 0)
    fw_log(m->job->ctx, "%s: no mode begins or ceases to grow from flow %g to %g", m->job->id, from, to);
  return fw_record_set_number(m->job->summary, s.changes, "changes");
}
