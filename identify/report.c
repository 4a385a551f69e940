/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sheet.h"
#include "identify/share.h"

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
static fw_status least_squares_at(fw_context *ctx, const fw_fit_report *report, int k, double value,
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
  rest.prepare = NULL; /* a side is one of many */
  FW_TRY(fw_fit_run(ctx, &rest, &options, &fit));
  for (int i = 0; i < rest.parameters; i++) others[i].start = fit.p[i];
  *squares = fit.squares;
  fw_fit_clear(&fit);
  return FW_OK;
}

enum { SIDE = 4 }; /* points on either side of the best */

/* One side of the profile of a parameter, from the best value outwards to three deviations or the bound. Pieces are
 * sides: of parameter piece/2, down and up. results: values, then what is left there. */
static fw_status profile_side(void *user, fw_context *ctx, int piece, double *results) {
  const fw_fit_report *report = user;
  const fw_fit *fit = report->fit;
  int k = piece / 2;
  const fw_fit_parameter *x = &report->problem->list[k];
  fw_fit_parameter others[64];
  double reach = isfinite(fit->deviation[k]) ? 3.0 * fit->deviation[k] : 0.5 * fabs(fit->p[k]);
  double end = piece % 2 ? fmin(fit->p[k] + reach, x->high) : fmax(fit->p[k] - reach, x->low);
  for (int i = 0, at = 0; i < fit->parameters; i++)
    if (i != k) {
      others[at] = report->problem->list[i];
      others[at++].start = fit->p[i];
    }
  for (int i = 0; i < SIDE; i++) {
    results[i] = fit->p[k] + (end - fit->p[k]) * (i + 1) / SIDE;
    fw_status status = least_squares_at(ctx, report, k, results[i], others, &results[SIDE + i]);
    if (status == FW_ERR_ANALYSIS) results[SIDE + i] = NAN;
    if (status != FW_OK && status != FW_ERR_ANALYSIS) return status;
  }
  return FW_OK;
}

/* less and more: what profile_side gives. */
static fw_status write_profile(fw_identify_job *job, const fw_fit_report *report, int k, const double *less,
                               const double *more) {
  const fw_fit_parameter *x = &report->problem->list[k];
  const fw_column columns[] = {{x->name, x->unit}, {"misfit", ""}};
  char name[PATH];
  fw_data_table *table;
  table_name(report, "profile", x->name, name);
  FW_TRY(fw_sink_table(job->sink, job->ctx, job->id, name, columns, 2, false, &table));
  for (int i = -SIDE; i <= SIDE; i++) {
    const double *side = i < 0 ? less : more;
    int at = abs(i) - 1;
    const double row[] = {i ? side[at] : report->fit->p[k], i ? side[SIDE + at] : report->fit->squares};
    if (isfinite(row[1])) FW_TRY(fw_sink_row(job->sink, job->ctx, table, row));
  }
  return FW_OK;
}

static fw_status write_profiles(fw_identify_job *job, const fw_fit_report *report) {
  enum { COLUMNS = 2 * SIDE };
  int n = report->fit->parameters;
  char what[PATH];
  double *sides;
  if (n < 2) return FW_OK;
  snprintf(what, sizeof what, "%.100s: profiles%s%.64s", job->id, report->name[0] ? " of " : "", report->name);
  FW_TRY(fw_alloc(job->ctx, (size_t)(2 * n * COLUMNS), sizeof *sides, &sides));
  fw_fit_report own = *report;
  const fw_share share = {2 * n, COLUMNS, job->workers, &own, profile_side, what, NULL, NULL};
  fw_status status = fw_share_run(job->ctx, &share, sides);
  for (int k = 0; k < n && status == FW_OK; k++) {
    const double *less = sides + (ptrdiff_t)2 * k * COLUMNS;
    status = write_profile(job, report, k, less, less + COLUMNS);
  }
  free(sides);
  return status;
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
  return report->profiles ? write_profiles(job, report) : FW_OK;
}
