/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sheet.h"

enum { PATH = 256 };

/* "NAME.rest" or "rest". */
static const char *below(const fw_fit_report *report, const char *rest, char path[PATH]) {
  snprintf(path, PATH, "%s%s%s", report->name, report->name[0] ? "." : "", rest);
  return path;
}

/* What warnings begin with: "NAME: ". */
static const char *about(const fw_fit_report *report, char text[PATH]) {
  snprintf(text, PATH, "%s%s", report->name, report->name[0] ? ": " : "");
  return text;
}

/* ---- figures ----------------------------------------------------------------------------- */

static fw_status tell_parameter(fw_identify_job *job, const fw_fit_report *report, int k) {
  const fw_fit_parameter *x = &report->problem->list[k];
  const fw_fit *fit = report->fit;
  char path[PATH], base[PATH];
  below(report, "", base);
  FW_TRY(fw_record_set_number(job->summary, fit->p[k], "%s", below(report, x->name, path)));
  if (x->unit[0]) FW_TRY(fw_record_set_text(job->summary, x->unit, "%sunits.%s", base, x->name));
  if (!isfinite(fit->deviation[k])) return FW_OK;
  double half = fw_fit_student(fit) * fit->deviation[k];
  FW_TRY(fw_record_set_number(job->summary, fit->deviation[k], "%sdeviation.%s", base, x->name));
  if (!isfinite(half)) return FW_OK;
  FW_TRY(fw_record_set_number(job->summary, fit->p[k] - half, "%sinterval.%s[0]", base, x->name));
  return fw_record_set_number(job->summary, fit->p[k] + half, "%sinterval.%s[1]", base, x->name);
}

static fw_status tell_figures(fw_identify_job *job, const fw_fit_report *report) {
  const fw_fit *fit = report->fit;
  char base[PATH];
  below(report, "", base);
  for (int k = 0; k < fit->parameters; k++) FW_TRY(tell_parameter(job, report, k));
  FW_TRY(fw_record_set_number(job->summary, fit->squares, "%schi2", base));
  FW_TRY(fw_record_set_number(job->summary, fit->residuals, "%sresiduals", base));
  FW_TRY(fw_record_set_number(job->summary, fit->parameters, "%sparameters", base));
  FW_TRY(fw_record_set_number(job->summary, fit->rank, "%srank", base));
  FW_TRY(fw_record_set_number(job->summary, fit->evaluations, "%sevaluations", base));
  for (int k = 0; k < fit->parameters; k++)
    FW_TRY(fw_record_set_number(job->summary, fit->singular[k], "%ssingular_values[%d]", base, k));
  return FW_OK;
}

/* ---- warnings ---------------------------------------------------------------------------- */

/* Names with a part in a direction that no residual sees. */
static void name_direction(const fw_fit_report *report, int k, char *text, size_t room) {
  const fw_fit *fit = report->fit;
  size_t at = 0;
  text[0] = '\0';
  for (int i = 0; i < fit->parameters && at < room; i++)
    if (fabs(fit->directions[k * fit->parameters + i]) > 0.1)
      at += (size_t)snprintf(text + at, room - at, "%s%s", at ? ", " : "", report->problem->list[i].name);
}

static fw_status warn_of_rank(fw_identify_job *job, const fw_fit_report *report) {
  const fw_fit *fit = report->fit;
  char names[PATH], base[PATH];
  if (fit->rank == fit->parameters) return FW_OK;
  FW_TRY(fw_identify_warn(job, "%srank %d for %d parameters: the data do not determine them all", about(report, base),
                          fit->rank, fit->parameters));
  for (int k = fit->rank; k < fit->parameters; k++) {
    name_direction(report, k, names, sizeof names);
    FW_TRY(fw_identify_warn(job, "%snot determined: %s", about(report, base), names));
  }
  return FW_OK;
}

static fw_status warn_of_parameter(fw_identify_job *job, const fw_fit_report *report, int k) {
  const double loose = 0.5; /* of the value */
  const fw_fit *fit = report->fit;
  const char *name = report->problem->list[k].name;
  char base[PATH];
  if (fit->idle[k])
    FW_TRY(fw_identify_warn(job, "%s%s has no effect on what was measured", about(report, base), name));
  else if (fit->on_bound[k])
    FW_TRY(fw_identify_warn(job, "%s%s lies on its bound (%g)", about(report, base), name, fit->p[k]));
  if (!isfinite(fit->deviation[k]) || fit->deviation[k] < loose * fabs(fit->p[k])) return FW_OK;
  return fw_identify_warn(job, "%s%s is not determined: %g with a deviation of %g", about(report, base), name,
                          fit->p[k], fit->deviation[k]);
}

/* ---- correlation and ellipses ------------------------------------------------------------ */

static void table_name(const fw_fit_report *report, const char *what, const char *more, char name[PATH]) {
  snprintf(name, PATH, "%s%s%s%s%s", what, report->name[0] ? "-" : "", report->name, more[0] ? "-" : "", more);
}

static fw_status write_correlation(fw_identify_job *job, const fw_fit_report *report) {
  const fw_fit *fit = report->fit;
  char name[PATH];
  fw_sheet sheet = fw_sheet_of(job->ctx, job->sink, job->id);
  fw_sheet_column(&sheet, "", "parameter");
  for (int k = 0; k < fit->parameters; k++) fw_sheet_column(&sheet, "", "%s", report->problem->list[k].name);
  table_name(report, "correlation", "", name);
  fw_status status = fw_sheet_open(&sheet, "%s", name);
  for (int a = 0; a < fit->parameters && status == FW_OK; a++) {
    fw_sheet_put(&sheet, a + 1);
    for (int b = 0; b < fit->parameters; b++) fw_sheet_put(&sheet, fw_fit_correlation(fit, a, b));
    status = fw_sheet_row(&sheet);
  }
  fw_sheet_close(&sheet);
  return status;
}

/* Where the misfit rises by 5.99, that of 95 % for two parameters: (x, y) = mean + sqrt(5.99) L (cos, sin), C = L L^T.
 */
static fw_status write_ellipse(fw_identify_job *job, const fw_fit_report *report, int a, int b) {
  enum { POINTS = 73 };
  const fw_fit *fit = report->fit;
  const fw_fit_parameter *x = &report->problem->list[a], *y = &report->problem->list[b];
  const fw_column columns[] = {{x->name, x->unit}, {y->name, y->unit}};
  char name[PATH], pair[2 * FW_FIT_NAME];
  fw_data_table *table;
  if (!isfinite(fit->deviation[a]) || !isfinite(fit->deviation[b])) return FW_OK;
  snprintf(pair, sizeof pair, "%s-%s", x->name, y->name);
  table_name(report, "ellipse", pair, name);
  FW_TRY(fw_sink_table(job->sink, job->ctx, job->id, name, columns, 2, false, &table));
  double rho = fw_fit_correlation(fit, a, b), size = sqrt(5.991), rest = sqrt(fmax(1.0 - rho * rho, 0.0));
  for (int i = 0; i < POINTS; i++) {
    double angle = 2.0 * M_PI * i / (POINTS - 1);
    const double row[] = {fit->p[a] + size * fit->deviation[a] * cos(angle),
                          fit->p[b] + size * fit->deviation[b] * (rho * cos(angle) + rest * sin(angle))};
    FW_TRY(fw_sink_row(job->sink, job->ctx, table, row));
  }
  return FW_OK;
}

/* ---- profiles ---------------------------------------------------------------------------- */

/* The problem with one parameter held. */
typedef struct held {
  const fw_fit_problem *whole;
  int which;
  double value;
  double p[64];
} held;

static fw_status held_residual(void *user, fw_context *ctx, const double *p, double *r) {
  held *h = user;
  for (int k = 0, from = 0; k < h->whole->parameters; k++) h->p[k] = k == h->which ? h->value : p[from++];
  return h->whole->residual(h->whole->user, ctx, h->p, r);
}

/* Least squares over the other parameters, begun at those of the neighbouring value, which are left in `others`. */
static fw_status least_squares_at(fw_identify_job *job, const fw_fit_report *report, int k, double value,
                                  fw_fit_parameter *others, double *squares) {
  held h = {.whole = report->problem, .which = k, .value = value};
  fw_fit_problem rest = *report->problem;
  fw_fit_options options = {.search = FW_FIT_LEVENBERG_MARQUARDT, .starts = 1, .most = 60};
  fw_fit fit;
  rest.parameters--;
  rest.list = others;
  rest.user = &h;
  rest.residual = held_residual;
  rest.jacobian = NULL;
  FW_TRY(fw_fit_run(job->ctx, &rest, &options, &fit));
  for (int i = 0; i < rest.parameters; i++) others[i].start = fit.p[i];
  *squares = fit.squares;
  fw_fit_clear(&fit);
  return FW_OK;
}

/* From the best value outwards, to three deviations or the bound on either side. */
static fw_status profile_side(fw_identify_job *job, const fw_fit_report *report, int k, int side, double *values,
                              double *squares, int points) {
  const fw_fit *fit = report->fit;
  const fw_fit_parameter *x = &report->problem->list[k];
  fw_fit_parameter others[64];
  double reach = isfinite(fit->deviation[k]) ? 3.0 * fit->deviation[k] : 0.5 * fabs(fit->p[k]);
  double end = side > 0 ? fmin(fit->p[k] + reach, x->high) : fmax(fit->p[k] - reach, x->low);
  for (int i = 0, at = 0; i < fit->parameters; i++)
    if (i != k) {
      others[at] = report->problem->list[i];
      others[at++].start = fit->p[i];
    }
  for (int i = 0; i < points; i++) {
    values[i] = fit->p[k] + (end - fit->p[k]) * (i + 1) / points;
    fw_status status = least_squares_at(job, report, k, values[i], others, &squares[i]);
    if (status == FW_ERR_ANALYSIS) squares[i] = NAN;
    if (status != FW_OK && status != FW_ERR_ANALYSIS) return status;
  }
  return FW_OK;
}

static fw_status write_profile(fw_identify_job *job, const fw_fit_report *report, int k) {
  enum { SIDE = 4 };
  const fw_fit_parameter *x = &report->problem->list[k];
  const fw_column columns[] = {{x->name, x->unit}, {"misfit", ""}};
  double less[SIDE], less_squares[SIDE], more[SIDE], more_squares[SIDE];
  char name[PATH];
  fw_data_table *table;
  if (report->fit->parameters < 2) return FW_OK;
  FW_TRY(profile_side(job, report, k, -1, less, less_squares, SIDE));
  FW_TRY(profile_side(job, report, k, 1, more, more_squares, SIDE));
  table_name(report, "profile", x->name, name);
  FW_TRY(fw_sink_table(job->sink, job->ctx, job->id, name, columns, 2, false, &table));
  for (int i = -SIDE; i <= SIDE; i++) {
    const double row[] = {i < 0   ? less[-i - 1]
                          : i > 0 ? more[i - 1]
                                  : report->fit->p[k],
                          i < 0   ? less_squares[-i - 1]
                          : i > 0 ? more_squares[i - 1]
                                  : report->fit->squares};
    if (isfinite(row[1])) FW_TRY(fw_sink_row(job->sink, job->ctx, table, row));
  }
  return FW_OK;
}

/* ---- the whole --------------------------------------------------------------------------- */

fw_status fw_fit_tell(fw_identify_job *job, const fw_fit_report *report) {
  int n = report->fit->parameters;
  FW_TRY(tell_figures(job, report));
  FW_TRY(warn_of_rank(job, report));
  for (int k = 0; k < n; k++) FW_TRY(warn_of_parameter(job, report, k));
  FW_TRY(write_correlation(job, report));
  for (int a = 0; a < n; a++)
    for (int b = a + 1; b < n; b++) FW_TRY(write_ellipse(job, report, a, b));
  for (int k = 0; report->profiles && k < n; k++) FW_TRY(write_profile(job, report, k));
  return FW_OK;
}
