/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/friction/tribometer.h"

#include <math.h>
#include <stdlib.h>

#include "core/piecewise.h"

const char *fw_motion_name(fw_motion motion) {
#define FW_MOTION_NAME(name, text, meaning) text,
  static const char *const names[] = {FW_MOTIONS(FW_MOTION_NAME)};
#undef FW_MOTION_NAME
  return names[motion];
}

bool fw_drive_is_periodic(const fw_drive *drive) {
  return drive->motion == FW_MOTION_HARMONIC || drive->motion == FW_MOTION_TWO_HARMONICS ||
         drive->motion == FW_MOTION_TRIANGLE || drive->motion == FW_MOTION_RANDOM;
}

/* ---- motions ----------------------------------------------------------------------------- */

enum { HARMONICS = 16 };

/* Number h of a drive's phases, in 0...2 pi. */
static double random_phase(unsigned seed, int h) {
  unsigned x = seed * 747796405u + (unsigned)h * 2891336453u;
  x = (x ^ (x >> 15)) * 2246822519u;
  x = (x ^ (x >> 13)) * 3266489917u;
  return 2 * M_PI * (double)(x ^ (x >> 16)) / 4294967296.0;
}

/* Slip and velocity of a random motion: amplitudes fall as 1/h; their root mean square is A/3. */
static void random_motion(const fw_drive *d, double t, double *u, double *v) {
  double omega = 2 * M_PI * d->frequency, square = 0.0;
  *u = *v = 0.0;
  for (int h = 1; h <= HARMONICS; h++) {
    double angle = h * omega * t + random_phase(d->seed, h), part = 1.0 / h;
    *u += part * sin(angle);
    *v += part * h * omega * cos(angle);
    square += 0.5 * part * part;
  }
  *u *= d->amplitude / (3.0 * sqrt(square));
  *v *= d->amplitude / (3.0 * sqrt(square));
}

/* A, -A and back: a wave of period 1 in `phase`. */
static double triangle_wave(double phase) {
  double x = phase - floor(phase);
  return x < 0.25 ? 4.0 * x : x < 0.75 ? 2.0 - 4.0 * x : 4.0 * x - 4.0;
}

static double drive_duration(const fw_drive *d) {
  if (d->motion == FW_MOTION_TABLE) return d->table_t[d->rows - 1] - d->table_t[0];
  return fw_drive_is_periodic(d) ? d->cycles / d->frequency : d->duration;
}

static double drive_load(const fw_drive *d, double t) {
  if (d->motion == FW_MOTION_TABLE && d->table_N)
    return fw_piecewise(d->table_t, d->table_N, (int)d->rows, d->table_t[0] + t);
  return d->N * (1.0 + d->N_amplitude * sin(2 * M_PI * d->frequency * t + d->N_phase));
}

/* Slip at t; velocity too where the motion is smooth, else NAN: then it is du/dt of each step. */
static double drive_slip(const fw_drive *d, double t, double *v) {
  double omega = 2 * M_PI * d->frequency, u = 0.0;
  *v = NAN;
  switch (d->motion) {
    case FW_MOTION_HARMONIC:
    case FW_MOTION_TWO_HARMONICS: {
      double second = d->motion == FW_MOTION_TWO_HARMONICS ? d->amplitude2 : 0.0;
      *v = omega * (d->amplitude * cos(omega * t) + 2.0 * second * cos(2.0 * omega * t));
      return d->amplitude * sin(omega * t) + second * sin(2.0 * omega * t);
    }
    case FW_MOTION_RANDOM:
      random_motion(d, t, &u, v);
      return u;
    case FW_MOTION_TRIANGLE:
      return d->amplitude * triangle_wave(d->frequency * t);
    case FW_MOTION_CONSTANT:
      *v = d->speed;
      return d->speed * t;
    case FW_MOTION_RAMP:
      *v = d->speed * (2.0 * t / d->duration - 1.0);
      return d->speed * t * (t / d->duration - 1.0);
    case FW_MOTION_TABLE:
      return fw_piecewise(d->table_t, d->table_u, (int)d->rows, d->table_t[0] + t);
    default:
      return 0.0;
  }
}

/* ---- the mass on a spring ----------------------------------------------------------------- */

fw_status fw_sled_create(fw_context *ctx, const fw_friction *law, double mass, double stiffness, fw_sled *sled) {
  size_t n = (size_t)law->states;
  *sled = (fw_sled){.law = law, .mass = mass, .stiffness = stiffness};
  FW_TRY(fw_alloc(ctx, 2 * n + FW_STEP_INPUTS + n + n * FW_STEP_INPUTS + n * n, sizeof(double), &sled->z));
  sled->trial = sled->z + n;
  sled->derivatives = sled->trial + n;
  fw_friction_reset(law, sled->z);
  return FW_OK;
}

void fw_sled_clear(fw_sled *sled) {
  free(sled->z);
  *sled = (fw_sled){0};
}

/* Generalised-alpha with spectral radius 0.8 at infinity. */
#define RADIUS 0.8
#define ALPHA_M ((2.0 * RADIUS - 1.0) / (RADIUS + 1.0))
#define ALPHA_F (RADIUS / (RADIUS + 1.0))
#define GAMMA (0.5 - ALPHA_M + ALPHA_F)
#define BETA (0.25 * (1.0 - ALPHA_M + ALPHA_F) * (1.0 - ALPHA_M + ALPHA_F))

typedef struct balance {
  const fw_sled *s;
  double dt, end, N0, N1;
  double x, v, T, slope; /* at the trial acceleration; slope: d residual / d a */
} balance;

/* Residual (1 - am) m a1 + am m a0 + (1 - af) F1 + af F0, F = k (x - end) + T, over m. */
static double residual(balance *b, double a) {
  const fw_sled *s = b->s;
  size_t n = (size_t)s->law->states;
  double dt = b->dt, *T_x = s->derivatives;
  b->x = s->x + dt * s->v + dt * dt * ((0.5 - BETA) * s->a + BETA * a);
  b->v = s->v + dt * ((1.0 - GAMMA) * s->a + GAMMA * a);
  fw_step_in in = {.x = {b->x - s->x, s->v, b->v, b->N0, b->N1}, .dt = dt};
  fw_step_out out = {.z = s->trial, .T_x = T_x, .T_z = T_x + FW_STEP_INPUTS};
  out.z_x = out.T_z + n;
  out.z_z = out.z_x + n * FW_STEP_INPUTS;
  fw_friction_step(s->law, &in, s->z, &out);
  b->T = out.T;
  double force = s->stiffness * (b->x - b->end) + out.T, before = s->stiffness * (s->x - s->end) + s->T;
  double force_a = (s->stiffness + T_x[FW_STEP_DU]) * BETA * dt * dt + T_x[FW_STEP_V1] * GAMMA * dt;
  b->slope = (1.0 - ALPHA_M) + (1.0 - ALPHA_F) * force_a / s->mass;
  return (1.0 - ALPHA_M) * a + ALPHA_M * s->a + ((1.0 - ALPHA_F) * force + ALPHA_F * before) / s->mass;
}

/* Newton, kept inside a bracket once there is one: friction has kinks and jumps. */
static bool find_balance(balance *b, double *acceleration) {
  enum { ITERATIONS = 200 };
  double a = b->s->a, low = -INFINITY, high = INFINITY;
  double unit =
      (b->s->stiffness * (fabs(b->s->x - b->end) + fabs(b->s->v) * b->dt) + fabs(b->s->T) + fabs(b->N1)) / b->s->mass;
  for (int i = 0; i < ITERATIONS; i++) {
    double r = residual(b, a);
    *acceleration = a;
    if (!isfinite(r)) return false;
    if (fabs(r) <= 1e-12 * unit) return true;
    if (r < 0.0)
      low = a;
    else
      high = a;
    double next = b->slope > 0.0 ? a - r / b->slope : NAN;
    bool bracketed = isfinite(low) && isfinite(high);
    if (bracketed && high - low <= 1e-15 * (fabs(low) + fabs(high))) return true; /* on a jump of T */
    if (!isfinite(next) || (bracketed && (next <= low || next >= high || i % 8 == 7)))
      next = bracketed ? 0.5 * (low + high) : a + (r < 0.0 ? unit : -unit) * (1 + i);
    a = next;
  }
  return false;
}

fw_status fw_sled_step(fw_context *ctx, fw_sled *s, double dt, double end, double N0, double N1) {
  balance b = {.s = s, .dt = dt, .end = end, .N0 = N0, .N1 = N1};
  double a;
  if (!find_balance(&b, &a)) return fw_fail(ctx, FW_RECOVER_DIVERGED, "sled: no balance at x = %g m", s->x);
  for (int i = 0; i < s->law->states; i++) s->z[i] = s->trial[i];
  s->x = b.x;
  s->v = b.v;
  s->a = a;
  s->T = b.T;
  s->end = end;
  return FW_OK;
}

/* ---- runs -------------------------------------------------------------------------------- */

static const char *drive_wrong(const fw_drive *d) {
  if (d->steps < 1 || d->steps > 100000000) return "steps must be positive";
  if (!(d->N > 0.0) || !(fabs(d->N_amplitude) <= 1e6)) return "the normal force must be positive";
  if (fw_drive_is_periodic(d) && (!(d->frequency > 0.0) || d->cycles < 1))
    return "frequency and cycles must be positive";
  if (d->motion == FW_MOTION_PULLED && !(d->mass > 0.0 && d->stiffness > 0.0))
    return "mass and stiffness must be positive";
  if (d->motion == FW_MOTION_TABLE) {
    if (d->rows < 2) return "the table needs two rows";
    for (size_t i = 1; i < d->rows; i++)
      if (!(d->table_t[i] > d->table_t[i - 1])) return "times in the table must rise";
  } else if (!fw_drive_is_periodic(d) && !(d->duration > 0.0)) {
    return "the duration must be positive";
  }
  return NULL;
}

static fw_status trace_create(fw_context *ctx, size_t count, fw_trace *trace) {
  double *block;
  *trace = (fw_trace){0};
  FW_TRY(fw_alloc(ctx, 5 * count, sizeof *block, &block));
  *trace = (fw_trace){count, block, block + count, block + 2 * count, block + 3 * count, block + 4 * count};
  return FW_OK;
}

void fw_trace_clear(fw_trace *trace) {
  free(trace->t);
  *trace = (fw_trace){0};
}

/* z: two states of the law. */
static void run_driven(const fw_friction *law, const fw_drive *d, double *z, fw_trace *trace) {
  double duration = drive_duration(d), *now = z, *next = z + law->states;
  size_t steps = trace->count - 1;
  trace->u[0] = drive_slip(d, 0.0, &trace->v[0]);
  trace->N[0] = drive_load(d, 0.0);
  if (isnan(trace->v[0])) trace->v[0] = 0.0;
  for (size_t k = 1; k <= steps; k++) {
    double t = duration * (double)k / (double)steps, dt = t - trace->t[k - 1], v1, v0 = trace->v[k - 1];
    trace->t[k] = t;
    trace->u[k] = drive_slip(d, t, &v1);
    trace->N[k] = drive_load(d, t);
    double du = trace->u[k] - trace->u[k - 1];
    if (isnan(v1)) v0 = v1 = du / dt; /* straight pieces: one velocity each */
    trace->v[k] = v1;
    fw_step_in in = {.x = {du, v0, v1, trace->N[k - 1], trace->N[k]}, .dt = dt};
    fw_step_out out = {.z = next};
    fw_friction_step(law, &in, now, &out);
    trace->T[k] = out.T;
    double *swap = now;
    now = next;
    next = swap;
  }
}

static fw_status run_pulled(fw_context *ctx, const fw_friction *law, const fw_drive *d, fw_trace *trace) {
  fw_sled sled;
  FW_TRY(fw_sled_create(ctx, law, d->mass, d->stiffness, &sled));
  sled.x = trace->u[0] = d->amplitude;
  trace->N[0] = d->N;
  size_t steps = trace->count - 1;
  fw_status status = FW_OK;
  for (size_t k = 1; k <= steps && status == FW_OK; k++) {
    trace->t[k] = d->duration * (double)k / (double)steps;
    trace->N[k] = drive_load(d, trace->t[k]);
    status =
        fw_sled_step(ctx, &sled, trace->t[k] - trace->t[k - 1], d->speed * trace->t[k], trace->N[k - 1], trace->N[k]);
    trace->u[k] = sled.x;
    trace->v[k] = sled.v;
    trace->T[k] = sled.T;
  }
  fw_sled_clear(&sled);
  return status;
}

fw_status fw_tribometer_run(fw_context *ctx, const fw_friction *law, const fw_drive *drive, fw_trace *trace) {
  const char *wrong = fw_friction_is_rigid(law) ? "rigid stick has no force of slip: use penalty" : drive_wrong(drive);
  *trace = (fw_trace){0};
  if (wrong) return fw_fail(ctx, FW_ERR_ARGUMENT, "tribometer: %s", wrong);
  size_t steps = (size_t)drive->steps * (fw_drive_is_periodic(drive) ? (size_t)drive->cycles : 1);
  FW_TRY(trace_create(ctx, steps + 1, trace));
  double *z = NULL;
  fw_status status;
  if (drive->motion == FW_MOTION_PULLED) {
    status = run_pulled(ctx, law, drive, trace);
  } else if ((status = fw_alloc(ctx, 2 * (size_t)law->states, sizeof *z, &z)) == FW_OK) {
    fw_friction_reset(law, z);
    run_driven(law, drive, z, trace);
  }
  free(z);
  if (status != FW_OK) fw_trace_clear(trace);
  return status;
}

/* ---- figures ----------------------------------------------------------------------------- */

fw_loop_figures fw_trace_figures(const fw_trace *trace, const fw_drive *drive) {
  bool periodic = fw_drive_is_periodic(drive);
  size_t last = trace->count - 1, first = periodic ? last - (size_t)drive->steps : 0;
  fw_loop_figures f = {.T_max = -INFINITY, .T_min = INFINITY, .u_max = -INFINITY, .u_min = INFINITY};
  for (size_t k = first + 1; k <= last; k++) {
    double du = trace->u[k] - trace->u[k - 1];
    f.work += 0.5 * (trace->T[k] + trace->T[k - 1]) * du;
    f.T_mean += trace->T[k] / (double)(last - first);
    f.T_max = fmax(f.T_max, trace->T[k]);
    f.T_min = fmin(f.T_min, trace->T[k]);
    f.u_max = fmax(f.u_max, trace->u[k]);
    f.u_min = fmin(f.u_min, trace->u[k]);
  }
  if (periodic) f.closure = trace->T[last] - trace->T[first];
  return f;
}
