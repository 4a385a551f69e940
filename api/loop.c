/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The virtual tribometer: laws in, loops, figures and plots out. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/specimen.h"
#include "contact/friction/checks.h"
#include "contact/friction/plugin.h"
#include "contact/friction/setting.h"
#include "contact/friction/tribometer.h"
#include "core/plain_locale.h"
#include "output/csv.h"
#include "output/files.h"
#include "output/plot.h"
#include "output/result.h"

enum { MOST_LAWS = 64, SPEEDS = 41 };

typedef struct specimen {
  char *name; /* of its file: the law's (a+b in parallel), with a number if it is there twice */
  char *laws; /* the same without the number */
  fw_friction law;
  fw_trace trace;
  fw_loop_figures figures;
  double drift, stiffness; /* slip per cycle under a force of 0.1 +- 0.09 of the peak (m); at rest (N/m) */
  double curve[SPEEDS];    /* steady friction at the speeds of the loop */
} specimen;

typedef struct loop {
  fw_context *ctx;
  const fw_loop_options *options;
  specimen specimens[MOST_LAWS];
  int count;
  fw_args drive_args;
  fw_drive drive;
  fw_sink *sink; /* holds the drive's table, if it has one */
  double speeds[SPEEDS];
} loop;

/* ---- laws -------------------------------------------------------------------------------- */

static fw_status name_specimen(loop *l, specimen *s, const char *law) {
  char name[288]; /* a law, and a number behind it */
  int same = 1;
  FW_TRY(fw_copy_text(l->ctx, law, &s->laws));
  for (const specimen *other = l->specimens; other < s; other++) same += strcmp(other->laws, law) == 0;
  if (same == 1)
    snprintf(name, sizeof name, "%s", law);
  else
    snprintf(name, sizeof name, "%s-%d", law, same);
  return fw_path_safe(l->ctx, name, &s->name);
}

/* Words: a law's name, then its settings, perhaps '+' and a law beside it, then the next law ... */
static fw_status read_laws(loop *l) {
  for (int at = 0; at < l->options->word_count;) {
    char name[256] = "";
    if (l->count == MOST_LAWS) return fw_fail(l->ctx, FW_ERR_ARGUMENT, "more than %d laws", MOST_LAWS);
    specimen *s = &l->specimens[l->count];
    FW_TRY(fw_law_read(l->ctx, l->options->words, l->options->word_count, &at, &s->law, name, sizeof name));
    l->count++;
    FW_TRY(name_specimen(l, s, name));
  }
  return l->count ? FW_OK : fw_fail(l->ctx, FW_ERR_ARGUMENT, "no friction law given");
}

/* ---- drive ------------------------------------------------------------------------------- */

static const double *find_column(const fw_data_table *table, const char *name) {
  int column = fw_data_table_column(table, name);
  return column < 0 ? NULL : table->values[column];
}

static fw_status read_table(loop *l, const char *path) {
  fw_data_table *table;
  FW_TRY(fw_sink_create(l->ctx, &l->sink));
  FW_TRY(fw_csv_read(l->ctx, path, l->sink, "drive", "table", &table));
  l->drive.motion = FW_MOTION_TABLE;
  l->drive.rows = table->rows;
  l->drive.table_t = find_column(table, "t");
  l->drive.table_u = find_column(table, "u");
  l->drive.table_N = find_column(table, "N");
  if (l->drive.table_t && l->drive.table_u) return FW_OK;
  return fw_fail(l->ctx, FW_ERR_ARGUMENT, "%s: the columns t and u are needed, and N if it varies", path);
}

static fw_status read_drive(loop *l) {
  FW_TRY(fw_setting_args(l->ctx, "the drive", fw_drive_params, l->options->drive, l->options->drive_count,
                         &l->drive_args));
  l->drive = fw_drive_from(&l->drive_args);
  const char *table = fw_args_text(&l->drive_args, "table");
  if (table) return read_table(l, table);
  if (l->drive.motion == FW_MOTION_TABLE) return fw_fail(l->ctx, FW_ERR_ARGUMENT, "the drive: which table?");
  return FW_OK;
}

/* ---- runs -------------------------------------------------------------------------------- */

static fw_status run_specimen(loop *l, specimen *s) {
  fw_law_probe probe;
  FW_TRY(fw_tribometer_run(l->ctx, &s->law, &l->drive, &s->trace));
  s->figures = fw_trace_figures(&s->trace, &l->drive);
  FW_TRY(fw_tribometer_curve(l->ctx, &s->law, l->drive.N, l->speeds, SPEEDS, s->curve));
  FW_TRY(fw_law_probe_create(l->ctx, &s->law, l->drive.N, &probe));
  s->stiffness = probe.stiffness;
  double peak = probe.peak;
  fw_law_probe_clear(&probe);
  return fw_tribometer_drift(l->ctx, &s->law, l->drive.N, 0.1 * peak, 0.09 * peak, 10, 20, &s->drift);
}

/* ---- what is left ------------------------------------------------------------------------ */

/* Opens OUT/NAME for writing; *path is to be freed. */
static fw_status open_file(loop *l, const char *name, char **path, FILE **file) {
  FW_TRY(fw_path_join(l->ctx, l->options->out, name, path));
  return fw_file_open(l->ctx, *path, file);
}

static fw_status close_file(loop *l, char *path, FILE *file, fw_status status) {
  if (status == FW_OK) status = fw_file_flush(l->ctx, file, path);
  if (file) fclose(file);
  free(path);
  return status;
}

static fw_status write_trace(loop *l, const specimen *s) {
  char name[300], *path = NULL;
  FILE *file = NULL;
  const fw_trace *t = &s->trace;
  snprintf(name, sizeof name, "%s.csv", s->name);
  fw_status status = open_file(l, name, &path, &file);
  if (status == FW_OK) fputs("t [s],u [m],v [m/s],N [N],T [N]\n", file);
  for (size_t k = 0; status == FW_OK && k < t->count; k++)
    fw_csv_row(file, 5, (const double[]){t->t[k], t->u[k], t->v[k], t->N[k], t->T[k]});
  return close_file(l, path, file, status);
}

static fw_status write_curve(loop *l) {
  char *path = NULL;
  FILE *file = NULL;
  fw_status status = open_file(l, "steady-sliding.csv", &path, &file);
  if (status == FW_OK) {
    fputs("v [m/s]", file);
    for (int i = 0; i < l->count; i++) fprintf(file, ",%s [N]", l->specimens[i].name);
    fputc('\n', file);
  }
  for (int k = 0; status == FW_OK && k < SPEEDS; k++) {
    double row[MOST_LAWS + 1] = {l->speeds[k]};
    for (int i = 0; i < l->count; i++) row[i + 1] = l->specimens[i].curve[k];
    fw_csv_row(file, l->count + 1, row);
  }
  return close_file(l, path, file, status);
}

static void put_figures(FILE *out, const loop *l, bool comma) {
  fputs(comma ? "law,work [J],T_max [N],T_min [N],T_mean [N],closure [N],drift [m],stiffness [N/m]\n"
              : "law                       work [J]    T max [N]    T min [N]   T mean [N]  closure [N]    drift [m]  "
                "stiffness [N/m]\n",
        out);
  for (int i = 0; i < l->count; i++) {
    const specimen *s = &l->specimens[i];
    const fw_loop_figures *f = &s->figures;
    fprintf(
        out,
        comma ? "%s,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n" : "%-22s %11.5g %12.5g %12.5g %12.5g %12.3g %12.3g %16.5g\n",
        s->name, f->work, f->T_max, f->T_min, f->T_mean, f->closure, s->drift, s->stiffness);
  }
}

static fw_status write_figures(loop *l) {
  char *path = NULL;
  FILE *file = NULL;
  fw_status status = open_file(l, "figures.csv", &path, &file);
  if (status == FW_OK) put_figures(file, l, true);
  return close_file(l, path, file, status);
}

/* T against u and v of all laws; of the last cycle where the motion is periodic. */
static fw_status plot_loops(loop *l) {
  fw_plot_curve slip[MOST_LAWS], speed[MOST_LAWS], friction[MOST_LAWS];
  for (int i = 0; i < l->count; i++) {
    const specimen *s = &l->specimens[i];
    size_t shown = fw_drive_is_periodic(&l->drive) ? (size_t)l->drive.steps + 1 : s->trace.count;
    size_t first = s->trace.count - shown;
    slip[i] = (fw_plot_curve){.label = s->name, .count = shown, .x = s->trace.u + first, .y = s->trace.T + first};
    speed[i] = (fw_plot_curve){.label = s->name, .count = shown, .x = s->trace.v + first, .y = s->trace.T + first};
    friction[i] = (fw_plot_curve){.label = s->name, .count = SPEEDS, .x = l->speeds, .y = s->curve};
  }
  fw_panel loops[] = {
      {.title = "Loops", .x_label = "u [m]", .y_label = "T [N]", .curves = slip, .curve_count = l->count},
      {.x_label = "v [m/s]", .y_label = "T [N]", .curves = speed, .curve_count = l->count}};
  fw_panel curve = {.title = "Steady friction",
                    .x_label = "v [m/s]",
                    .y_label = "T [N]",
                    .x_log = true,
                    .curves = friction,
                    .curve_count = l->count};
  FW_TRY(fw_plot_into(l->ctx, loops, 2, l->options->out, "loops"));
  return fw_plot_into(l->ctx, &curve, 1, l->options->out, "steady-sliding");
}

static fw_status write_all(loop *l) {
  fw_result_folder *folder = NULL;
  fw_record *origin;
  if (fw_record_create(&origin) != FW_OK) return fw_fail(l->ctx, FW_ERR_MEMORY, "out of memory");
  fw_status status = fw_record_set_text(origin, fw_version(), "version");
  fw_existing existing = l->options->force ? FW_EXISTING_REPLACE : FW_EXISTING_REFUSE;
  if (status == FW_OK) status = fw_result_open(l->ctx, l->options->out, existing, origin, &folder);
  fw_record_destroy(&origin);
  for (int i = 0; i < l->count && status == FW_OK; i++) status = write_trace(l, &l->specimens[i]);
  if (status == FW_OK) status = write_curve(l);
  if (status == FW_OK) status = write_figures(l);
  if (status == FW_OK) status = plot_loops(l);
  fw_result_close(&folder);
  return status;
}

/* ---- the whole --------------------------------------------------------------------------- */

static fw_status loop_run(loop *l, char **text) {
  FW_TRY(read_drive(l));
  FW_TRY(read_laws(l));
  for (int k = 0; k < SPEEDS; k++) l->speeds[k] = pow(10.0, -8.0 + 8.0 * k / (SPEEDS - 1));
  for (int i = 0; i < l->count; i++) {
    FW_TRY(fw_interrupted(l->ctx));
    FW_TRY(run_specimen(l, &l->specimens[i]));
  }
  if (l->options->out) FW_TRY(write_all(l));
  size_t length;
  FILE *out = open_memstream(text, &length);
  if (!out) return fw_fail(l->ctx, FW_ERR_MEMORY, "out of memory");
  put_figures(out, l, false);
  return fclose(out) == 0 ? FW_OK : fw_fail(l->ctx, FW_ERR_MEMORY, "out of memory");
}

static fw_status loop_whole(fw_context *ctx, const fw_loop_options *options, char **text) {
  loop *l;
  FW_TRY(fw_alloc(ctx, 1, sizeof *l, &l));
  l->ctx = ctx;
  l->options = options;
  fw_status status = loop_run(l, text);
  for (int i = 0; i < l->count; i++) {
    fw_trace_clear(&l->specimens[i].trace);
    fw_friction_clear(&l->specimens[i].law);
    free(l->specimens[i].name);
    free(l->specimens[i].laws);
  }
  if (l->drive_args.params) fw_args_clear(&l->drive_args);
  fw_sink_destroy(&l->sink);
  free(l);
  return status;
}

fw_status fw_plugin_try(fw_context *ctx, const char *path) {
  FW_NEED(ctx, ctx);
  FW_NEED(ctx, path);
  FW_RETURN_PLAIN(ctx, fw_plugin_load_file(ctx, path));
}

fw_status fw_loop(fw_context *ctx, const fw_loop_options *options, char **text) {
  if (text) *text = NULL;
  FW_NEED(ctx, ctx);
  FW_NEED(ctx, options);
  FW_NEED(ctx, text);
  fw_loop_options known;
  FW_TRY(fw_take_options(ctx, options, sizeof known, sizeof known, __func__, &known));
  FW_NEED_LIST(ctx, known.words, known.word_count);
  FW_NEED_LIST(ctx, known.drive, known.drive_count);
  FW_RETURN_PLAIN(ctx, loop_whole(ctx, &known, text));
}
