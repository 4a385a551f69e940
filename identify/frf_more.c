/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits beside the best one: with a level left out, and with amplitudes that count more or less. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sheet.h"
#include "core/unknown.h"
#include "identify/frf_fit.h"
#include "identify/share.h"

/* Fits anew from p, which is where it ends. */
static fw_status fit_again(fw_frf_fit *f, fw_context *ctx, double *p) {
  fw_fit_options options = f->options;
  fw_fit fit = {0};
  options.search = FW_FIT_LEVENBERG_MARQUARDT;
  options.starts = 1;
  fw_status status = fw_frf_search(f, ctx, &options, p, &fit);
  fw_fit_clear(&fit);
  return status;
}

/* ---- levels left out --------------------------------------------------------------------- */

static fw_status tell_foretold(fw_frf_fit *f, int i, int row) {
  const fw_target *t = &f->targets.list[i];
  fw_record *to = f->job->summary;
  FW_TRY(fw_record_set_number(to, t->value, "left_out[%d].measured", row));
  if (!isfinite(f->computed[i])) return FW_OK;
  FW_TRY(fw_record_set_number(to, f->computed[i], "left_out[%d].foretold", row));
  return fw_record_set_number(to, 100.0 * (f->computed[i] / t->value - 1.0), "left_out[%d].difference_percent", row);
}

typedef struct leaving {
  fw_frf_fit *f;
  const fw_fit *best;
} leaving;

/* results: the parameters. */
static fw_status fit_without(void *user, fw_context *ctx, int row, double *results) {
  const leaving *l = user;
  memcpy(results, l->best->p, (size_t)l->best->parameters * sizeof *results);
  l->f->without = l->f->levels[row];
  fw_status status = fit_again(l->f, ctx, results);
  l->f->without = NAN;
  return status;
}

static fw_status tell_left_out(fw_frf_fit *f, const double *p, int row) {
  double level = f->levels[row];
  FW_TRY(fw_record_set_number(f->job->summary, level, "left_out[%d].level", row));
  if (!isfinite(p[0])) return fw_identify_warn(f->job, "without level %g there is no fit", level);
  FW_TRY(fw_frf_compute(f, f->job->ctx, p));
  for (int k = 0; k < f->varied.count; k++)
    FW_TRY(fw_record_set_number(f->job->summary, p[k], "left_out[%d].%s", row, f->varied.list[k].name));
  for (int i = 0; i < f->targets.count; i++)
    if (f->targets.list[i].level == level && strcmp(f->targets.list[i].column, "frequency") == 0)
      FW_TRY(tell_foretold(f, i, row));
  double percent = fw_frf_response_percent(f, level);
  return isnan(percent) ? FW_OK : fw_record_set_number(f->job->summary, percent, "left_out[%d].response_percent", row);
}

fw_status fw_frf_leave_out(fw_frf_fit *f, const fw_fit *best) {
  leaving l = {f, best};
  int n = f->varied.count;
  char what[128];
  double *p;
  snprintf(what, sizeof what, "%.100s: levels left out", f->job->id);
  FW_TRY(fw_alloc(f->job->ctx, (size_t)(f->level_count * n), sizeof *p, &p));
  const fw_share share = {f->level_count, n, f->job->workers, &l, fit_without, what, NULL, NULL};
  fw_status status = fw_share_run(f->job->ctx, &share, p);
  for (int row = 0; row < f->level_count && status == FW_OK; row++)
    status = tell_left_out(f, p + (ptrdiff_t)row * n, row);
  free(p);
  return status;
}

/* ---- frequency against amplitude --------------------------------------------------------- */

/* From ten times as much to a tenth, evenly in the logarithm. */
static double weight_of(int i, int points) { return pow(10.0, points > 1 ? 1.0 - 2.0 * i / (points - 1) : 0.0); }

/* The target of an amplitude at the highest level. */
static int highest_amplitude(const fw_frf_fit *f) {
  int found = -1;
  for (int i = 0; i < f->targets.count; i++)
    if (f->targets.list[i].kind == FW_TARGET_RESONANCE && strcmp(f->targets.list[i].column, "frequency") != 0 &&
        (found < 0 || f->targets.list[i].level > f->targets.list[found].level))
      found = i;
  return found;
}

static void put(fw_sheet *sheet, double value) { fw_sheet_put(sheet, isfinite(value) ? value : fw_unknown()); }

static fw_status write_point(fw_frf_fit *f, fw_sheet *sheet, const double *p) {
  double most = NAN;
  int missed = 0;
  for (int i = 0; i < f->level_count; i++) most = fmax(most, f->passivity[i]);
  for (int i = 0; i < f->targets.count; i++) missed += !fw_frf_is_met(f, i);
  put(sheet, fw_frf_rms_percent(f, true));
  put(sheet, f->computed[highest_amplitude(f)]);
  put(sheet, fw_frf_rms_percent(f, false));
  put(sheet, f->weight);
  put(sheet, most);
  put(sheet, missed);
  for (int k = 0; k < f->varied.count; k++) put(sheet, p[k]);
  return fw_sheet_row(sheet);
}

static fw_status trade_all(fw_frf_fit *f, fw_sheet *sheet, const fw_fit *best, int points) {
  double p[FW_VARIED_MOST];
  memcpy(p, best->p, (size_t)best->parameters * sizeof *p);
  for (int i = 0; i < points; i++) {
    f->weight = weight_of(i, points);
    fw_status status = fit_again(f, f->job->ctx, p);
    if (status == FW_ERR_ANALYSIS) continue; /* no value where it begins: the next begins there too */
    FW_TRY(status);
    FW_TRY(write_point(f, sheet, p));
  }
  return FW_OK;
}

fw_status fw_frf_trade(fw_frf_fit *f, const fw_fit *best, int points) {
  fw_sheet sheet = fw_sheet_of(f->job->ctx, f->job->sink, f->job->id);
  const fw_target *t = &f->targets.list[highest_amplitude(f)];
  fw_sheet_column(&sheet, "%", "frequency_rms");
  fw_sheet_column(&sheet, t->unit, "%s at %g", t->column, t->level);
  fw_sheet_column(&sheet, "%", "amplitude_rms");
  fw_sheet_column(&sheet, "", "weight");
  fw_sheet_column(&sheet, "", "passivity");
  fw_sheet_column(&sheet, "", "not_met");
  for (int k = 0; k < f->varied.count; k++)
    fw_sheet_column(&sheet, f->varied.list[k].unit, "%s", f->varied.list[k].name);
  fw_status status = fw_sheet_open(&sheet, "trade");
  if (status == FW_OK) status = trade_all(f, &sheet, best, points);
  f->weight = 1.0;
  fw_sheet_close(&sheet);
  return status;
}
