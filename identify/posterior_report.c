/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/posterior_report.h"

#include <math.h>

/* Steps that a chain should have for each of its autocorrelation times before its figures are believed, and how far
 * the halves of walkers may differ. */
static const double TIMES_LEAST = 50, SPLIT_MOST = 1.05;

static fw_status warn_of_chain(fw_identify_job *job, const char *name, const fw_ensemble *e,
                               const fw_ensemble_figures *f) {
  if (e->steps < TIMES_LEAST * f->time)
    FW_TRY(fw_identify_warn(job, "posterior of %s: %d steps are %.0f of its autocorrelation times, fewer than %.0f",
                            name, e->steps, e->steps / f->time, TIMES_LEAST));
  if (isnan(f->split) || f->split <= SPLIT_MOST) return FW_OK;
  return fw_identify_warn(job, "posterior of %s: the walkers have not met (split R hat %.3f)", name, f->split);
}

static fw_status tell_parameter(fw_identify_job *job, const char *name, const fw_ensemble *e,
                                const fw_ensemble_figures *f) {
  const struct {
    const char *what;
    double value;
  } all[] = {{"mean", f->mean},           {"deviation", f->deviation}, {"median", f->median},
             {"interval[0]", f->low},     {"interval[1]", f->high},    {"autocorrelation", f->time},
             {"effective", f->effective}, {"split", f->split}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (!isnan(all[i].value)) /* halves of one step do not tell how far they differ */
      FW_TRY(fw_record_set_number(job->summary, all[i].value, "posterior.%s.%s", name, all[i].what));
  return warn_of_chain(job, name, e, f);
}

static fw_status write_samples(fw_identify_job *job, const fw_fit_problem *problem, const fw_ensemble *e) {
  enum { MOST = 64 };
  fw_column columns[MOST + 3] = {{"step", ""}, {"walker", ""}, {"log_density", ""}};
  double row[MOST + 3];
  fw_data_table *table;
  int d = e->dimensions < MOST ? e->dimensions : MOST;
  for (int k = 0; k < d; k++) columns[3 + k] = (fw_column){problem->list[k].name, problem->list[k].unit};
  FW_TRY(fw_sink_table(job->sink, job->ctx, job->id, "posterior", columns, 3 + d, false, &table));
  for (int i = 0; i < e->steps * e->walkers; i++) {
    int step = i / e->walkers;
    row[0] = step;
    row[1] = i % e->walkers;
    row[2] = e->density[i];
    for (int k = 0; k < d; k++) row[3 + k] = e->points[(ptrdiff_t)i * e->dimensions + k];
    FW_TRY(fw_sink_row(job->sink, job->ctx, table, row));
  }
  return FW_OK;
}

fw_status fw_posterior_tell(fw_identify_job *job, const fw_fit_problem *problem, const fw_ensemble *e) {
  fw_record *to = job->summary;
  FW_TRY(fw_record_set_number(to, e->walkers, "posterior.walkers"));
  FW_TRY(fw_record_set_number(to, e->steps, "posterior.steps"));
  FW_TRY(fw_record_set_number(to, e->accepted, "posterior.accepted"));
  for (int k = 0; k < e->dimensions; k++) {
    fw_ensemble_figures figures;
    FW_TRY(fw_ensemble_look(job->ctx, e, k, &figures));
    FW_TRY(tell_parameter(job, problem->list[k].name, e, &figures));
  }
  return write_samples(job, problem, e);
}

fw_status fw_posterior_band(fw_identify_job *job, const fw_ensemble *e, const fw_band *band) {
  static const double parts[] = {0.025, 0.25, 0.5, 0.75, 0.975};
  const fw_column columns[] = {band->along,         {"p025", band->unit}, {"p25", band->unit}, {"median", band->unit},
                               {"p75", band->unit}, {"p975", band->unit}};
  double row[6];
  fw_data_table *table;
  FW_TRY(fw_sink_table(job->sink, job->ctx, job->id, band->table, columns, 6, false, &table));
  for (int i = 0; i < band->count; i++) {
    row[0] = band->x[i];
    FW_TRY(fw_ensemble_percentiles(job->ctx, e, band->first + i, parts, 5, row + 1));
    FW_TRY(fw_sink_row(job->sink, job->ctx, table, row));
  }
  return FW_OK;
}
