/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Complex modes: (lambda^2 M + lambda C + K) x = 0, lambda = growth + i omega, damping ratio -Re lambda/|lambda|. */
#include <math.h>

#include "core/reading.h"
#include "elements/flow.h"
#include "solver/analyses/modal_parts.h"

double fw_modal_ratio(double growth, double omega) {
  double size = hypot(growth, omega);
  return size > 0.0 ? -growth / size : 0.0;
}

fw_status fw_modal_pairs(fw_modal *m, const fw_linearised *linear, int count, fw_quadratic_pairs *pairs) {
  int64_t loose;
  char where[160];
  fw_status status = fw_eigen_quadratic(m->job->ctx, linear->K, linear->C, linear->M, count, pairs, &loose);
  if (status != FW_ERR_SINGULAR) return status;
  fw_system_describe(m->system, loose, where, sizeof where);
  return fw_fail(m->job->ctx, status, "%s has neither stiffness nor mass", where);
}

static fw_status report_pair(fw_modal *m, const fw_quadratic_pairs *pairs, int i) {
  fw_record *summary = m->job->summary;
  double growth = pairs->growth[i], omega = pairs->omega[i];
  const double row[] = {i + 1, omega / (2 * M_PI), fw_modal_ratio(growth, omega), growth};
  FW_TRY(fw_sink_row(m->job->sink, m->job->ctx, m->table, row));
  FW_TRY(fw_record_set_figure(summary, row[1], "Hz", "modes[%d].frequency", i));
  FW_TRY(fw_record_set_number(summary, row[2], "modes[%d].damping", i));
  FW_TRY(fw_record_set_figure(summary, row[3], "1/s", "modes[%d].growth", i));
  return fw_modal_picture(m, i, pairs->real + (size_t)i * (size_t)m->linear->K->n, row[1]);
}

/* Growth below what rounding of the largest |lambda| found makes is none. */
static fw_status report_stability(fw_modal *m, const fw_quadratic_pairs *pairs) {
  int unstable = 0, worst = 0;
  double most = 0.0;
  for (int i = 0; i < pairs->count; i++) most = fmax(most, hypot(pairs->growth[i], pairs->omega[i]));
  for (int i = 0; i < pairs->count; i++) {
    unstable += pairs->growth[i] > 1e-9 * most;
    if (pairs->growth[i] > pairs->growth[worst]) worst = i;
  }
  if (unstable)
    fw_log(m->job->ctx, "%s: the state is unstable: mode %d, %.5g Hz, grows by e in %s", m->job->id, worst + 1,
           pairs->omega[worst] / (2 * M_PI), fw_say(1.0 / pairs->growth[worst], "s").text);
  return fw_record_set_number(m->job->summary, unstable, "unstable_modes");
}

fw_status fw_modal_complex(fw_modal *m, int count) {
  static const fw_column columns[] = {{"mode", ""}, {"frequency", "Hz"}, {"damping", ""}, {"growth", "1/s"}};
  fw_status status = FW_OK;
  fw_quadratic_pairs pairs = {0};
  FW_TRY_DONE(fw_model_has_flow_frequency(m->job->model) ? fw_modal_flow_pairs(m, fw_flow_of_deck.speed, count, &pairs)
                                                         : fw_modal_pairs(m, m->linear, count, &pairs));
  FW_TRY_DONE(fw_modal_need_one(m, pairs.count));
  FW_TRY_DONE(fw_sink_table(m->job->sink, m->job->ctx, m->job->id, "modes", columns, 4, false, &m->table));
  for (int i = 0; i < pairs.count; i++) FW_TRY_DONE(report_pair(m, &pairs, i));
  FW_TRY_DONE(report_stability(m, &pairs));
done:
  fw_quadratic_pairs_clear(&pairs);
  return status;
}
