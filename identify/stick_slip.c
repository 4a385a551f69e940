/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/stick_slip.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/reading.h"
#include "identify/experiments.h"
#include "identify/report.h"
#include "identify/signals.h"
#include "identify/slider.h"

enum { MOST_SLIPS = 4096, NUMBERS = FW_CHAIN_NUMBERS + 1 };

/* Rows in which the spring's force falls. */
typedef struct slip {
  size_t from, to;
} slip;

typedef struct stick_slip {
  fw_identify_job *job;
  const fw_stick_slip_options *options;
  fw_signal signal;
  double deviation; /* of displacements (m) */
  bool assumed;     /* nobody said so */
  fw_slider slider;
  fw_loop_data record; /* u of the signal, T the spring's force, which is friction but for inertia */
  fw_loops loops;      /* it */
  slip slips[MOST_SLIPS];
  int slip_count;
  size_t end;             /* row where a slip begins that the record does not see end; else that of its end */
  int *stick;             /* [rows] which stick, 0: slips */
  double *x, *mean, *was; /* [rows] room: computed displacement; means over sticks, computed and measured */
  double static_friction, sliding_friction, contact_stiffness; /* as the record says by itself: coefficients, N/m */
  fw_law_fit fit;
  fw_fit_parameter list[NUMBERS]; /* those of the law, then the sensor's reading at the start */
  int count;
  double p[NUMBERS];
} stick_slip;

/* ---- what the record says by itself ------------------------------------------------------ */

/* Slips by the largest forces before a fall of a fifth of all, and the least ones after. */
static void find_slips(stick_slip *s) {
  const double *T = s->record.T;
  double least = 0.0;
  size_t high = 0, low = 0;
  bool rises = true;
  for (size_t i = 0; i < s->record.count; i++) least = fmax(least, 0.2 * T[i]);
  for (size_t i = 0; i < s->record.count && s->slip_count < MOST_SLIPS; i++) {
    if (rises && T[i] > T[high]) high = i;
    if (!rises && T[i] < T[low]) low = i;
    if (rises && T[i] < T[high] - least) {
      rises = false;
      low = i;
    } else if (!rises && T[i] > T[low] + least) {
      s->slips[s->slip_count++] = (slip){high, low};
      rises = true;
      high = i;
    }
  }
  s->end = rises ? s->record.count : high;
}

static void number_sticks(stick_slip *s) {
  int number = 1;
  for (size_t i = 0; i < s->record.count; i++) {
    bool slips = i >= (number <= s->slip_count ? s->slips[number - 1].from : s->end);
    s->stick[i] = slips ? 0 : number;
    if (slips && number <= s->slip_count && i == s->slips[number - 1].to) number++;
  }
}

/* Static friction where the first slip begins, sliding friction midway between the forces before and after a slip, whose
 * half swing of the spring it is; stiffness from the beginning of the first stick. */
static void read_static_numbers(stick_slip *s) {
  const double *T = s->record.T;
  double sum = 0.0, force = T[s->slips[0].from];
  for (int k = 0; k < s->slip_count; k++) sum += 0.5 * (T[s->slips[k].from] + T[s->slips[k].to]);
  s->static_friction = force / s->slider.normal;
  s->sliding_friction = fmax(sum / s->slip_count, 0.05 * force) / s->slider.normal;
  double stiffness = fw_ramp_take(&s->record).stiffness;
  s->contact_stiffness = stiffness > s->slider.stiffness ? stiffness : 10.0 * s->slider.stiffness;
}

/* A slip is half a swing about sliding friction: its velocity sets the scale of v-s. Presliding rings with a tenth of
 * critical damping unless it is found to be otherwise. */
static fw_contact_guess guess_of(const stick_slip *s) {
  double N = s->slider.normal, fall = (s->static_friction - s->sliding_friction) * N;
  double velocity = fmax(fall / sqrt(s->slider.stiffness * s->slider.mass), s->slider.speed);
  return (fw_contact_guess){.mu_s = s->static_friction,
                            .mu_c = s->sliding_friction,
                            .v_s = 0.3 * velocity,
                            .stiffness = s->contact_stiffness,
                            .damping = 0.2 * sqrt(s->contact_stiffness * s->slider.mass),
                            .normal = N,
                            .speed = velocity,
                            .slip = 2.0 * fall / s->slider.stiffness,
                            .force = s->static_friction * N,
                            .press = N};
}

/* ---- reading ----------------------------------------------------------------------------- */

static fw_status read_slider(stick_slip *s) {
  static const char *const names[] = {"mass", "stiffness", "speed", "normal"};
  double *into[] = {&s->slider.mass, &s->slider.stiffness, &s->slider.speed, &s->slider.normal};
  const fw_args *args = s->job->args;
  for (int k = 0; k < 4; k++) {
    if (!fw_args_given(args, names[k]))
      return fw_fail_at(s->job->ctx, FW_ERR_DECK, args->place, "attribute '%s': the experiment stick-slip needs it",
                        names[k]);
    *into[k] = fw_args_number(args, names[k]);
  }
  return FW_OK;
}

/* The motion from where the record begins, as a loop whose friction is the spring's force. */
static fw_status make_record(stick_slip *s) {
  fw_loop_data *l = &s->record;
  size_t n = s->signal.count;
  *l = (fw_loop_data){.count = n};
  FW_TRY(fw_alloc(s->job->ctx, 8 * n, sizeof *l->t, &l->t));
  l->u = l->t + n;
  l->v = l->u + n;
  l->N = l->v + n;
  l->T = l->N + n;
  s->x = l->T + n;
  s->mean = s->x + n;
  s->was = s->mean + n;
  FW_TRY(fw_alloc(s->job->ctx, n, sizeof *s->stick, &s->stick));
  for (size_t i = 0; i < n; i++) {
    l->t[i] = s->signal.t[i] - s->signal.t[0];
    l->u[i] = s->signal.x[i] - s->signal.x[0];
    l->N[i] = s->slider.normal;
    l->T[i] = s->slider.stiffness * (s->slider.speed * l->t[i] - l->u[i]);
  }
  s->loops = (fw_loops){l, 1};
  return FW_OK;
}

/* Presliding has to be followed where it rings: a step of a fifth of its radian. */
static void choose_step(stick_slip *s) {
  s->slider.step = 0.2 * sqrt(s->slider.mass / (s->contact_stiffness + s->slider.stiffness));
}

static void choose_deviation(stick_slip *s) {
  s->assumed = isnan(s->signal.deviation);
  s->deviation = s->assumed ? 1e-3 * s->record.u[s->record.count - 1] : s->signal.deviation;
}

static fw_status read_record(stick_slip *s) {
  const fw_item *data;
  FW_TRY(fw_identify_data(s->job, "signals", &data));
  FW_TRY(fw_signals_read(s->job, data, s->options->sensor, FW_DISPLACEMENT, &s->signal));
  FW_TRY(make_record(s));
  find_slips(s);
  if (s->slip_count == 0)
    return fw_fail_at(s->job->ctx, FW_ERR_DECK, s->job->common->place,
                      "attribute 'data': '%s' never slips: the force of the spring does not fall and rise again",
                      fw_args_text(&data->args, "id"));
  number_sticks(s);
  read_static_numbers(s);
  choose_step(s);
  choose_deviation(s);
  return FW_OK;
}

/* ---- the law ----------------------------------------------------------------------------- */

/* Of the first stage: what rules when it sticks, how far it slips and how long. */
static bool is_static(const char *name) {
  static const char *const names[] = {"mu-s", "mu-c", "v-s", "sigma-0", "k-e", "offset"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}

static bool sticks_and_slips(const char *law) {
  const fw_chain_law *entry = fw_chain_find(law);
  bool falls = false, bends = false;
  for (int k = 0; entry && entry->numbers[k]; k++) {
    falls |= strcmp(entry->numbers[k], "mu-s") == 0;
    bends |= strcmp(entry->numbers[k], "sigma-0") == 0 || strcmp(entry->numbers[k], "k-e") == 0;
  }
  return falls && bends;
}

static fw_status open_law(stick_slip *s) {
  const fw_contact_guess guess = guess_of(s);
  fw_context *ctx = s->job->ctx, *aside;
  const fw_args *args = s->job->args;
  double start = s->signal.x[0], far = s->record.u[s->record.count - 1];
  if (!sticks_and_slips(s->options->law))
    return fw_fail_at(ctx, FW_ERR_DECK, args->place,
                      "attribute 'laws': '%s': stick-slip takes one law whose contact is elastic and whose friction "
                      "falls: lugre, lugre-normalised, elasto-plastic or hybrid",
                      s->options->law);
  FW_TRY(fw_context_create(&aside));
  fw_status status = fw_law_fit_open(aside, s->options->law, &s->loops, &guess, &s->options->fit, &s->fit);
  if (status != FW_OK) fw_fail_at(ctx, status, args->place, "%s", fw_context_message(aside));
  fw_context_destroy(&aside);
  if (status != FW_OK) return status;
  s->count = s->fit.count + 1;
  memcpy(s->list, s->fit.list, (size_t)s->fit.count * sizeof *s->list);
  s->list[s->fit.count] = (fw_fit_parameter){"offset", "m", start, start - fabs(far), start + fabs(far), false};
  for (int k = 0; k < s->count; k++) s->p[k] = s->list[k].start;
  return FW_OK;
}

static fw_status open_all(fw_identify_job *job, const fw_stick_slip_options *options, stick_slip **made) {
  FW_TRY(fw_alloc(job->ctx, 1, sizeof **made, made));
  stick_slip *s = *made;
  s->job = job;
  s->options = options;
  FW_TRY(read_slider(s));
  FW_TRY(read_record(s));
  return open_law(s);
}

static void close_all(stick_slip *s) {
  if (!s) return;
  fw_law_fit_close(&s->fit);
  fw_signal_clear(&s->signal);
  free(s->record.t);
  free(s->stick);
  free(s);
}

/* ---- a stage ----------------------------------------------------------------------------- */

/* Some of the numbers, by the whole motion or by the shape of the sticks. */
typedef struct stage {
  const char *name;
  stick_slip *s;
  int which[NUMBERS];
  fw_fit_parameter list[NUMBERS];
  fw_fit_problem problem;
  bool sticks;
} stage;

static fw_status move(stick_slip *s, fw_context *ctx, const double *p) {
  fw_friction law = {0};
  fw_context_clear(s->fit.aside);
  if (fw_law_fit_make(&s->fit, p, &law) != FW_OK) return FW_RECOVER_NAN; /* no meaning with these numbers */
  fw_status status = fw_slider_move(ctx, &s->slider, &law, s->record.count, s->record.t, s->x);
  fw_friction_clear(&law);
  for (size_t i = 0; i < s->record.count; i++) s->x[i] += p[s->fit.count];
  return status;
}

/* mean[k], was[k]: of computed and measured displacement over stick k. */
static void average_sticks(const stick_slip *s) {
  size_t rows = 0;
  for (size_t i = 0; i <= s->record.count; i++) {
    bool ends = i == s->record.count || (i > 0 && s->stick[i] != s->stick[i - 1]);
    if (ends && rows > 0) {
      int k = s->stick[i - 1];
      s->mean[k] /= (double)rows;
      s->was[k] /= (double)rows;
    }
    if (i == s->record.count) return;
    int k = s->stick[i];
    if (ends || i == 0) {
      rows = 0;
      s->mean[k] = s->was[k] = 0.0;
    }
    rows++;
    s->mean[k] += s->x[i];
    s->was[k] += s->signal.x[i];
  }
}

/* Sticks count by their shape: how far it slipped between them is not theirs to say. */
static fw_status stage_residual(void *user, fw_context *ctx, const double *q, double *r) {
  const stage *g = user;
  stick_slip *s = g->s;
  double p[NUMBERS];
  memcpy(p, s->p, sizeof p);
  for (int k = 0; k < g->problem.parameters; k++) p[g->which[k]] = q[k];
  FW_TRY(move(s, ctx, p));
  if (g->sticks) average_sticks(s);
  for (size_t i = 0; i < s->record.count; i++) {
    int k = s->stick[i];
    double away = g->sticks ? (k ? s->mean[k] - s->was[k] : s->x[i] - s->signal.x[i]) : 0.0;
    r[i] = (s->x[i] - s->signal.x[i] - away) / s->deviation;
  }
  return FW_OK;
}

typedef enum part { STATIC, PRESLIDING, EVERYTHING } part;
static const char *const part_names[] = {"static", "presliding", "together"};

static void open_stage(stick_slip *s, part which, stage *g) {
  *g = (stage){.name = part_names[which], .s = s, .sticks = which == PRESLIDING};
  int n = 0;
  for (int k = 0; k < s->count; k++) {
    if (which != EVERYTHING && is_static(s->list[k].name) != (which == STATIC)) continue;
    g->which[n] = k;
    g->list[n] = s->list[k];
    g->list[n++].start = fmin(fmax(s->p[k], s->list[k].low), s->list[k].high);
  }
  g->problem = (fw_fit_problem){.parameters = n,
                                .residuals = (int)s->record.count,
                                .list = g->list,
                                .user = g,
                                .residual = stage_residual,
                                .step = 1e-5};
}

static double rms_of(const stick_slip *s, const fw_fit *fit) {
  return s->deviation * sqrt(fit->squares / (double)s->record.count);
}

static fw_status tell_stage(const stick_slip *s, const stage *g, int row, double rms) {
  fw_record *to = s->job->summary;
  FW_TRY(fw_record_set_text(to, g->name, "stages[%d].stage", row));
  for (int k = 0; k < s->fit.count; k++)
    FW_TRY(fw_record_set_number(to, s->p[k], "stages[%d].%s", row, s->list[k].name));
  return fw_record_set_number(to, rms, "stages[%d].rms", row);
}

/* Fits the numbers of a stage from where the others have left them. Only the first has several starts. */
static fw_status run_stage(stick_slip *s, part which, stage *g, fw_fit_options *options, fw_fit *fit) {
  open_stage(s, which, g);
  *options = s->options->fit.fit;
  options->scaled = s->assumed;
  if (which != STATIC) options->starts = 1;
  if (g->problem.parameters == 0) return FW_OK;
  FW_TRY(fw_fit_run(s->job->ctx, &g->problem, options, fit));
  for (int k = 0; k < g->problem.parameters; k++) s->p[g->which[k]] = fit->p[k];
  return tell_stage(s, g, 1 + (int)which, rms_of(s, fit));
}

/* ---- what is told ------------------------------------------------------------------------ */

static fw_status tell_record(const stick_slip *s) {
  fw_record *to = s->job->summary;
  FW_TRY(fw_record_set_text(to, "the record by itself", "stages[0].stage"));
  FW_TRY(fw_record_set_number(to, s->static_friction, "stages[0].mu-s"));
  FW_TRY(fw_record_set_number(to, s->sliding_friction, "stages[0].mu-c"));
  FW_TRY(fw_record_set_figure(to, s->contact_stiffness, "N/m", "stick_stiffness"));
  FW_TRY(fw_record_set_number(to, s->slip_count, "slips"));
  FW_TRY(fw_record_set_figure(to, s->deviation, "m", "displacement_deviation"));
  return fw_record_set_text(to, s->assumed ? "assumed: a thousandth of the way" : "given",
                            "displacement_deviation_source");
}

static fw_status write_motion(stick_slip *s) {
  static const fw_column columns[] = {{"time", "s"}, {"measured", "m"}, {"fitted", "m"}, {"residual", "m"}};
  fw_data_table *table;
  FW_TRY(move(s, s->job->ctx, s->p));
  FW_TRY(fw_sink_table(s->job->sink, s->job->ctx, s->job->id, "motion", columns, 4, false, &table));
  for (size_t i = 0; i < s->record.count; i++) {
    const double row[] = {s->signal.t[i], s->signal.x[i], s->x[i], s->x[i] - s->signal.x[i]};
    FW_TRY(fw_sink_row(s->job->sink, s->job->ctx, table, row));
  }
  return FW_OK;
}

/* A mass or a spring that is not what the deck says shows here. */
static fw_status judge(stick_slip *s, double rms) {
  const double most = 3.0, share = 0.02;
  double way = fabs(s->record.u[s->record.count - 1]);
  FW_TRY(fw_record_set_figure(s->job->summary, rms, "m", "rms"));
  if (!s->assumed && rms > most * s->deviation)
    return fw_identify_warn(s->job, "%s does not describe the motion: it leaves %s, the deviation is %s",
                            s->options->law, fw_say(rms, "m").text, fw_say(s->deviation, "m").text);
  if (!s->assumed || rms < share * way) return FW_OK;
  return fw_identify_warn(s->job, "%s does not describe the motion: it leaves %.1f %% of the way", s->options->law,
                          100.0 * rms / way);
}

/* ---- the whole --------------------------------------------------------------------------- */

fw_status fw_stick_slip_check(fw_identify_job *job, const fw_stick_slip_options *options) {
  stick_slip *s = NULL;
  fw_status status = open_all(job, options, &s);
  close_all(s);
  return status;
}

fw_status fw_stick_slip_run(fw_identify_job *job, const fw_stick_slip_options *options) {
  stick_slip *s = NULL;
  stage g;
  fw_fit_options how;
  fw_fit fit = {0};
  fw_status status;
  FW_TRY_DONE(open_all(job, options, &s));
  FW_TRY_DONE(tell_record(s));
  for (part which = STATIC; which <= EVERYTHING; which++) {
    fw_fit_clear(&fit);
    FW_TRY_DONE(run_stage(s, which, &g, &how, &fit));
  }
  fw_fit_report report = {"", &g.problem, &how, &fit, options->profiles};
  FW_TRY_DONE(write_motion(s));
  FW_TRY_DONE(judge(s, rms_of(s, &fit)));
  FW_TRY_DONE(fw_fit_tell(job, &report));
done:
  fw_fit_clear(&fit);
  close_all(s);
  return status;
}
