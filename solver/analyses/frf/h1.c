/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The response to a drive of many frequencies, by time integration and Welch's method (1967, IEEE Trans. Audio
 * Electroacoust. 15): of records x of the drive and y of a sensor, each less its mean and under Hann's window,
 *
 *   H1 = S_xy/S_xx,   coherence = |S_xy|^2/(S_xx S_yy),   S_xx = sum |X|^2, S_xy = sum Y conj(X) over the records
 *
 * (Bendat and Piersol, Random Data): the gain that leaves the least of y unexplained, and how much it explains. A drive
 * that repeats with the record needs neither window nor many records: what is left then is what is not linear. */
#include "solver/analyses/frf/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/figures.h"
#include "core/load.h"
#include "core/unknown.h"
#include "solver/analyses/welch.h"

/* One level. Signals: the load's value times the level, then the sensors. */
typedef struct measurement {
  fw_job *job;
  fw_frf_integration *in;
  const fw_load *load;
  double level, step;      /* s */
  int length, first, last; /* samples of a record; bins within the range */
  bool repeat;
  fw_state *state;
  void *self; /* integrator */
  fw_welch welch;
  double *signals;       /* (1 + sensors) x length */
  fw_figures *figures;   /* of the records that count */
  fw_linear_range range; /* of all steps */
} measurement;

/* ---- what to measure ----------------------------------------------------------------------- */

fw_status fw_frf_h1_check(fw_context *ctx, const fw_model *model, const fw_args *common, const fw_args *args) {
  int found = 0;
  const char *at = fw_args_text(common, "loads");
  for (int load; fw_next_load(model, &at, &load);) {
    if (load < 0) continue;
    FW_TRY(fw_check_varies(ctx, &model->loads[load], common));
    found++;
    if (model->loads[load].field)
      return fw_fail_at(ctx, FW_ERR_DECK, args->place,
                        "method=\"h1\" needs a load with one course in time; \"%s\" differs from place to place",
                        model->loads[load].id);
    if (model->loads[load].ops->harmonic)
      return fw_fail_at(ctx, FW_ERR_DECK, args->place,
                        "method=\"h1\" needs a load with many frequencies, a chirp or random; \"%s\" is harmonic",
                        model->loads[load].id);
  }
  if (found == 1) return FW_OK;
  return fw_fail_at(ctx, FW_ERR_DECK, args->place, "method=\"h1\" needs one load that varies with time; %d are named",
                    found);
}

/* The one load that is named. */
static const fw_load *find_input(const fw_job *job) {
  const char *at = fw_args_text(job->common, "loads");
  int load = 0;
  fw_next_load(job->model, &at, &load);
  return &job->model->loads[load];
}

/* Records as long as the distance of the points wants, of a power of two steps, at least `steps` in the shortest
 * period. */
static fw_status choose_records(const fw_job *job, measurement *m) {
  const fw_args *args = job->args;
  double f_min = fw_args_number(args, "f-min"), f_max = fw_args_number(args, "f-max");
  double length = (fw_args_integer(args, "points") - 1) / (f_max - f_min),
         least = fw_args_integer(args, "steps") * f_max;
  for (m->length = 16; m->length < least * length;) {
    m->length *= 2;
    if (m->length > 1 << 26)
      return fw_fail_at(job->ctx, FW_ERR_DECK, args->place,
                        "records of method=\"h1\" are too long: fewer points, or fewer steps of a period");
  }
  m->step = length / m->length;
  m->first = (int)ceil(f_min * length - 1e-6);
  m->last = (int)floor(f_max * length + 1e-6);
  if (m->first < 1) m->first = 1;
  m->repeat = fw_args_flag(args, "repeat");
  return FW_OK;
}

static fw_status prepare(measurement *m) {
  fw_job *job = m->job;
  size_t sensors = (size_t)job->model->sensor_count;
  FW_TRY(choose_records(job, m));
  FW_TRY(fw_welch_init(job->ctx, m->length, (int)sensors, !m->repeat, &m->welch));
  FW_TRY(fw_alloc(job->ctx, (1 + sensors) * (size_t)m->length, sizeof(double), &m->signals));
  FW_TRY(fw_figures_create(job->ctx, job->model, 0, 0, &m->figures));
  FW_TRY(fw_job_begin(job, &m->state));
  m->state->time = 0;
  return fw_job_loads(job, m->level, m->state->load_factors);
}

static void clear(measurement *m) {
  if (m->self) m->in->ops->destroy(m->self);
  fw_welch_clear(&m->welch);
  fw_state_destroy(&m->state);
  free(m->signals);
  fw_figures_destroy(&m->figures);
}

/* ---- records ------------------------------------------------------------------------------- */

/* The integrator from the state it has reached, its clock at zero again. */
static fw_status start_anew(measurement *m) {
  if (m->self) {
    fw_state_assign(m->state, m->in->ops->state(m->self));
    m->state->time = 0;
    m->in->ops->destroy(m->self);
    m->self = NULL;
  }
  return m->in->ops->create(&m->in->job, m->in->system, m->state, 0, &m->self);
}

/* The last `count` samples of all signals, after those before have moved up. */
static fw_status sample(measurement *m, int count) {
  const fw_model *model = m->job->model;
  int n = m->length, kept = n - count;
  for (int s = 0; s <= model->sensor_count; s++)
    memmove(m->signals + (size_t)s * (size_t)n, m->signals + (size_t)s * (size_t)n + count,
            (size_t)kept * sizeof(double));
  for (int j = kept; j < n; j++) {
    if (j % 64 == 0) FW_TRY(fw_interrupted(m->job->ctx));
    FW_TRY(fw_integrator_advance(m->job->ctx, m->in->ops, m->self, m->step));
    const fw_state *state = m->in->ops->state(m->self);
    fw_figures_step(m->figures, state->touch, m->step);
    fw_linear_range_look(&m->range, model, state->q);
    m->signals[j] = m->level * fw_load_value(m->load, state->time, 0);
    for (int s = 0; s < model->sensor_count; s++)
      m->signals[(size_t)(s + 1) * (size_t)n + (size_t)j] = fw_state_reading(state, &model->sensors[s]);
  }
  return FW_OK;
}

/* Records that settle, then those that count: whole ones if the load is repeated, else half of each is new. */
static fw_status measure(measurement *m) {
  const fw_args *args = m->job->args;
  int settle = fw_args_integer(args, "settle"), records = fw_args_integer(args, "records");
  FW_TRY(start_anew(m));
  for (int i = 0; i < settle; i++) {
    if (m->repeat && i > 0) FW_TRY(start_anew(m));
    FW_TRY(sample(m, m->length));
  }
  fw_figures_begin(m->figures, m->in->ops->state(m->self)->touch);
  for (int i = 0; i < records; i++) {
    if (m->repeat && (i > 0 || settle > 0)) FW_TRY(start_anew(m));
    FW_TRY(sample(m, m->repeat || i == 0 ? m->length : m->length / 2));
    fw_welch_add(&m->welch, m->signals);
    fw_progress(m->job->ctx, m->job->id, (double)(i + 1) / records);
  }
  return FW_OK;
}

/* ---- report -------------------------------------------------------------------------------- */

static double frequency_of(const measurement *m, int k) { return k / (m->length * m->step); }

static fw_status write_table(const measurement *m) {
  const fw_job *job = m->job;
  int sensors = job->model->sensor_count;
  fw_sheet sheet = fw_sheet_of(job->ctx, job->sink, job->id);
  fw_sheet_column(&sheet, "Hz", "frequency");
  for (int s = 0; s < sensors; s++) {
    const fw_sensor *sensor = &job->model->sensors[s];
    fw_sheet_column(&sheet, fw_sensor_unit(sensor), "%s.gain", sensor->id);
    fw_sheet_column(&sheet, "deg", "%s.phase", sensor->id);
    fw_sheet_column(&sheet, "", "%s.coherence", sensor->id);
  }
  fw_status status = fw_sheet_open(&sheet, "frf-%g", m->level);
  for (int k = m->first; k <= m->last && status == FW_OK; k++) {
    fw_sheet_put(&sheet, frequency_of(m, k));
    for (int s = 0; s < sensors; s++) {
      double complex gain = fw_welch_gain(&m->welch, s, k);
      fw_sheet_put(&sheet, cabs(gain));
      fw_sheet_put(&sheet, carg(gain) * 180 / M_PI);
      fw_sheet_put(&sheet, fw_welch_coherence(&m->welch, s, k));
    }
    status = fw_sheet_row(&sheet);
  }
  fw_sheet_close(&sheet);
  return status;
}

/* The displacement's gain at bin k. */
static double complex compliance(const measurement *m, int sensor, int k) {
  double complex rate = I * 2 * M_PI * frequency_of(m, k), gain = fw_welch_gain(&m->welch, sensor, k);
  fw_quantity quantity = m->job->model->sensors[sensor].quantity;
  return quantity == FW_DISPLACEMENT ? gain : quantity == FW_VELOCITY ? gain / rate : gain / (rate * rate);
}

/* Frequency where the gain falls to `half` from bin `peak` on in one direction; NaN if it does not. */
static double crossing(const measurement *m, int sensor, int peak, double half, int step) {
  for (int k = peak; k + step >= m->first && k + step <= m->last; k += step) {
    double a = cabs(compliance(m, sensor, k)), b = cabs(compliance(m, sensor, k + step));
    if (b <= half) return frequency_of(m, k) + (a - half) / (a - b) * step / (m->length * m->step);
  }
  return fw_unknown();
}

/* Of the places where the displacement lags by 90 degrees that with the largest gain, interpolated; NaN: none. */
static double phase_resonance(const measurement *m, int sensor) {
  double most = 0, found = fw_unknown();
  for (int k = m->first; k < m->last; k++) {
    double complex a = compliance(m, sensor, k) * I, b = compliance(m, sensor, k + 1) * I; /* real where it lags */
    if (cimag(a) * cimag(b) > 0 || cimag(a) == cimag(b) || creal(a) + creal(b) <= most) continue;
    most = creal(a) + creal(b);
    found = frequency_of(m, k) + cimag(a) / (cimag(a) - cimag(b)) / (m->length * m->step);
  }
  return found;
}

static fw_status record_pairs(const measurement *m, const char *prefix) {
  for (int p = 0; p < m->job->model->pair_count; p++) {
    fw_pair_figures found = {0};
    fw_figures_find(m->figures, p, &found);
    FW_TRY(fw_figures_record(&found, m->job->model->pairs[p]->id, prefix, m->job->summary));
  }
  return FW_OK;
}

static fw_status record(const measurement *m, int level) {
  fw_record *to = m->job->summary;
  int sensor = fw_model_sensor(m->job->model, fw_args_text(m->job->args, "response")), peak = m->first;
  char prefix[32];
  snprintf(prefix, sizeof prefix, "levels[%d].", level);
  for (int k = m->first; k <= m->last; k++)
    if (cabs(compliance(m, sensor, k)) > cabs(compliance(m, sensor, peak))) peak = k;
  double half = cabs(compliance(m, sensor, peak)) / sqrt(2), f = frequency_of(m, peak);
  double width = crossing(m, sensor, peak, half, 1) - crossing(m, sensor, peak, half, -1);
  const struct {
    const char *name, *unit;
    double value;
  } all[] = {
      {"level", "", m->level},
      {"resonance.frequency", "Hz", phase_resonance(m, sensor)},
      {"peak.frequency", "Hz", f},
      {"peak.gain", fw_sensor_unit(&m->job->model->sensors[sensor]), cabs(fw_welch_gain(&m->welch, sensor, peak))},
      {"peak.coherence", "", fw_welch_coherence(&m->welch, sensor, peak)},
      {"peak.bandwidth", "Hz", width},
      {"peak.damping", "", width / (2 * f)},
      {"records", "", m->welch.records},
      {"record_length", "s", m->length * m->step},
      {"step", "s", m->step}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    FW_TRY(fw_record_set_figure(to, all[i].value, all[i].unit, "%s%s", prefix, all[i].name));
  return record_pairs(m, prefix);
}

/* ---- all levels ---------------------------------------------------------------------------- */

static fw_status run_level(fw_job *job, fw_frf_integration *in, const fw_load *load, int level, fw_state **state) {
  measurement m = {.job = job, .in = in, .load = load};
  m.level = fw_args_value(job->args, "levels")->numbers[level];
  fw_status status;
  FW_TRY_DONE(prepare(&m));
  FW_TRY_DONE(measure(&m));
  FW_TRY_DONE(write_table(&m));
  FW_TRY_DONE(record(&m, level));
  FW_TRY_DONE(fw_linear_range_judge(&m.range, job));
  fw_state_destroy(state);
  status = fw_state_copy(job->ctx, in->ops->state(m.self), state);
done:
  clear(&m);
  return status;
}

fw_status fw_frf_h1(fw_job *job, fw_state **state) {
  const fw_load *load = find_input(job);
  fw_frf_integration in = {0};
  fw_status status = FW_OK;
  FW_TRY_DONE(fw_frf_integration_init(job, &in));
  for (int l = 0; l < fw_args_value(job->args, "levels")->count; l++) FW_TRY_DONE(run_level(job, &in, load, l, state));
done:
  fw_frf_integration_clear(&in);
  return status;
}
