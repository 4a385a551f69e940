/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Harmonic balance settles at a motion if a few more harmonics change its first one by no more than `tolerance`. Of the
 * curve, motions that do not are cut out, section by section, and shooting follows the curve from the last motion before
 * a section, which it must find as well, to the first one behind it. A section that folds is widened until both its
 * ends are beyond all its frequencies. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/unknown.h"
#include "solver/analyses/frf/parts.h"
#include "solver/analyses/orbit_table.h"
#include "solver/hb/peak.h"

static const double SAME = 1e-9; /* relative difference of frequencies that are one */

/* What the table says of a motion beside its figures. */
typedef struct row {
  bool shot;
  double spread;             /* of harmonic balance: change by a few more harmonics */
  double difference;         /* of the first harmonic by the two methods; unknown: only one has it */
  double switches, families; /* of shooting */
} row;

typedef struct rows {
  row *list;
  int count, room;
} rows;

typedef struct merger {
  fw_job *job;
  const fw_frf *frf;
  fw_response *balance; /* by harmonics, emptied as orbits are taken over */
  double *spread;       /* per orbit of it */
  bool *keep;           /* it is settled */
  int *place;           /* per resonance of it, the orbit that it lies behind; -1: not known */
  double sign;          /* of the sweep: +-1 */
  double tolerance;
  bool both; /* directions */
  bool tail; /* the curve by harmonics did not get to the end of the range */
  fw_response out;
  rows rows;
  rows section; /* of the section under way */
  fw_frf_shooter shooter;
  double difference; /* largest where both methods work; unknown: nowhere asked */
  int sections;
} merger;

static fw_status add_row(fw_context *ctx, rows *to, const row *one) {
  if (to->count == to->room) {
    int more = to->room ? 2 * to->room : 64;
    row *list = realloc(to->list, (size_t)more * sizeof *list);
    if (!list) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
    to->list = list;
    to->room = more;
  }
  to->list[to->count++] = *one;
  return FW_OK;
}

/* ---- where harmonics settle ---------------------------------------------------------------- */

/* How far along the sweep. */
static double along(const merger *m, int orbit) { return m->sign * m->balance->orbits[orbit].frequency; }

/* The orbit behind which a resonance lies, from the one behind which the last did. */
static int place_of(const fw_response *r, const fw_orbit *resonance, int from) {
  double part;
  for (int k = from; k + 1 < r->count; k++) {
    double a = r->orbits[k].frequency, b = r->orbits[k + 1].frequency, slack = 1e-4 * a;
    bool between = resonance->frequency > fmin(a, b) - slack && resonance->frequency < fmax(a, b) + slack;
    if (between && fw_response_passes(&r->options, &r->orbits[k], &r->orbits[k + 1], &part) != 0) return k;
  }
  return -1;
}

/* Curves that end in the midst of the range go on behind a gap. */
static void cut_gap(merger *m) {
  const fw_response *r = m->balance;
  for (int k = 0; k + 1 < r->count && r->gap[0] != r->gap[1]; k++)
    if (along(m, k) <= m->sign * r->gap[0] * (1 + SAME) && along(m, k + 1) >= m->sign * r->gap[1] * (1 - SAME))
      m->keep[k + 1] = false;
}

static fw_status judge_orbits(merger *m) {
  fw_response *r = m->balance;
  const fw_args *args = m->job->args;
  double spread;
  for (int k = 0; k < r->count; k++) {
    FW_TRY(fw_interrupted(m->job->ctx));
    FW_TRY(fw_frf_spread(m->job->ctx, args, m->frf->vibration, r, &r->orbits[k], &m->spread[k]));
    m->keep[k] = m->spread[k] <= m->tolerance;
    fw_progress(m->job->ctx, m->job->id, (double)(k + 1) / r->count);
  }
  for (int j = 0, from = 0; j < r->resonance_count; j++) {
    int k = m->place[j] = place_of(r, &r->resonances[j], from);
    if (k < 0) continue;
    from = k;
    FW_TRY(fw_frf_spread(m->job->ctx, args, m->frf->vibration, r, &r->resonances[j], &spread));
    if (!(spread <= m->tolerance)) m->keep[k] = m->keep[k + 1] = false;
  }
  cut_gap(m);
  return FW_OK;
}

/* Widens a section a..b until the orbits beside it are beyond all frequencies within. */
static void widen(merger *m, int *a, int *b) {
  double low = along(m, *a), high = low;
  int count = m->balance->count;
  for (int k = *a; k <= *b; k++) low = fmin(low, along(m, k)), high = fmax(high, along(m, k));
  for (bool wider = true; wider;) {
    wider = false;
    while (*b + 1 < count && (!m->keep[*b + 1] || along(m, *b + 1) <= high)) {
      high = fmax(high, along(m, ++*b));
      low = fmin(low, along(m, *b));
      wider = true;
    }
    while (*a > 0 && (!m->keep[*a - 1] || along(m, *a - 1) >= low)) {
      low = fmin(low, along(m, --*a));
      high = fmax(high, along(m, *a));
      wider = true;
    }
  }
  for (int k = *a; k <= *b; k++) m->keep[k] = false;
}

static void find_sections(merger *m) {
  int count = m->balance->count;
  if (count && m->tail) m->keep[count - 1] = false;
  for (int k = 0; k < count; k++) {
    int a = k, b = k;
    if (m->keep[k]) continue;
    widen(m, &a, &b);
    k = b;
  }
}

/* ---- shooting through a section ------------------------------------------------------------ */

static fw_status note_motion(void *user, const fw_frf_shooter *c, const fw_orbit *orbit) {
  merger *m = user;
  (void)orbit;
  const row one = {.shot = true,
                   .spread = fw_unknown(),
                   .difference = fw_unknown(),
                   .switches = c->s.map.switches,
                   .families = c->s.families};
  return add_row(m->job->ctx, &m->section, &one);
}

static double complex first_harmonic(const merger *m, const fw_orbit *orbit) {
  return orbit->sensors[m->out.options.sensor * (m->out.options.H + 1) + 1];
}

static double difference_of(const merger *m, const fw_orbit *a, const fw_orbit *b) {
  double complex x = first_harmonic(m, a), y = first_harmonic(m, b);
  double size = fmax(cabs(x), cabs(y));
  return size > 0 ? cabs(x - y) / size : 0;
}

static bool is_at(const fw_orbit *a, const fw_orbit *b) {
  return fabs(a->frequency - b->frequency) <= SAME * b->frequency;
}

/* From the orbits a..b that harmonics do not settle at, the nearest at the same frequency. */
static double difference_from(const merger *m, int a, int b, const fw_orbit *shot) {
  double least = fw_unknown();
  for (int k = a; k <= b; k++)
    if (is_at(&m->balance->orbits[k], shot)) least = fmin(least, difference_of(m, &m->balance->orbits[k], shot));
  return least;
}

static void both_work(merger *m, double difference, row *at) {
  if (at) at->difference = difference;
  m->difference = fmax(m->difference, difference);
}

static fw_status take_orbit(merger *m, fw_orbit *orbit, const row *one) {
  FW_TRY(add_row(m->job->ctx, &m->rows, one));
  fw_status status = fw_orbit_append(m->job->ctx, &m->out.orbits, &m->out.count, &m->out.room, orbit);
  if (status == FW_OK) *orbit = (fw_orbit){0};
  return status;
}

/* The motions of a section, without those at its ends, which harmonics have settled at. */
static fw_status take_section(merger *m, int a, int b, row *before, row *behind, fw_response *part) {
  const fw_response *r = m->balance;
  const fw_orbit *first = a > 0 ? &m->out.orbits[m->out.count - 1] : NULL,
                 *next = b + 1 < r->count ? &r->orbits[b + 1] : NULL;
  for (int i = 0; i < part->count; i++) {
    fw_orbit *orbit = &part->orbits[i];
    if (i == 0 && first && is_at(first, orbit)) {
      both_work(m, difference_of(m, first, orbit), before);
    } else if (i == part->count - 1 && next && is_at(next, orbit)) {
      both_work(m, difference_of(m, next, orbit), behind);
    } else {
      m->section.list[i].difference = difference_from(m, a, b, orbit);
      FW_TRY(take_orbit(m, orbit, &m->section.list[i]));
    }
  }
  for (int i = 0; i < part->resonance_count; i++) {
    FW_TRY(fw_orbit_append(m->job->ctx, &m->out.resonances, &m->out.resonance_count, &m->out.resonance_room,
                           &part->resonances[i]));
    part->resonances[i] = (fw_orbit){0};
  }
  return FW_OK;
}

static fw_status record_section(merger *m, const fw_response *part, double from, double to, const char *prefix) {
  fw_record *to_record = m->job->summary;
  int i = m->sections++;
  FW_TRY(fw_record_set_figure(to_record, from, "Hz", "%smethods.shooting[%d].from", prefix, i));
  FW_TRY(fw_record_set_figure(to_record, to, "Hz", "%smethods.shooting[%d].to", prefix, i));
  FW_TRY(fw_record_set_number(to_record, part->count, "%smethods.shooting[%d].points", prefix, i));
  return FW_OK;
}

/* The curve from the orbit before a to the one behind b; without any, over the whole range. */
static fw_status shoot(merger *m, int a, int b, row *behind, const char *prefix) {
  const fw_response *r = m->balance;
  const fw_orbit *before = a > 0 ? &m->out.orbits[m->out.count - 1] : NULL;
  double from = before ? before->frequency : r->options.f_from;
  double to = b + 1 < r->count ? r->orbits[b + 1].frequency : r->options.f_to;
  fw_state *near = NULL;
  fw_response part = {.options = m->out.options, .peak = -1};
  fw_status status = FW_OK;
  m->section.count = 0;
  if (!m->sections) FW_TRY(fw_frf_shooter_table(&m->shooter, m->both));
  if (before) FW_TRY_DONE(fw_frf_state_on(m->job->ctx, m->frf, r, before, 0, &near));
  if (near) near->time = 0;
  FW_TRY_DONE(fw_frf_shooter_run(&m->shooter, from, to, near, &part));
  if (!part.whole) {
    m->out.whole = false;
    if (!m->out.note[0]) memcpy(m->out.note, part.note, sizeof part.note);
  }
  m->out.iterations += part.iterations;
  m->out.rejected += part.rejected;
  FW_TRY_DONE(record_section(m, &part, from, to, prefix));
  status = take_section(m, a, b, before ? &m->rows.list[m->rows.count - 1] : NULL, behind, &part);
done:
  fw_state_destroy(&near);
  fw_response_clear(&part);
  return status;
}

/* ---- the curve of both --------------------------------------------------------------------- */

static fw_status take_resonances(merger *m, int k) {
  fw_response *r = m->balance, *out = &m->out;
  for (int j = 0; j < r->resonance_count; j++) {
    if (m->place[j] != k || !m->keep[k + 1]) continue;
    FW_TRY(
        fw_orbit_append(m->job->ctx, &out->resonances, &out->resonance_count, &out->resonance_room, &r->resonances[j]));
    r->resonances[j] = (fw_orbit){0};
  }
  return FW_OK;
}

static fw_status merge(merger *m, const char *prefix) {
  fw_response *r = m->balance;
  double pending = fw_unknown(); /* difference at the end of the last section */
  if (!r->count) return shoot(m, 0, -1, NULL, prefix);
  for (int k = 0; k < r->count; k++) {
    if (m->keep[k]) {
      const row one = {
          .spread = m->spread[k], .difference = pending, .switches = fw_unknown(), .families = fw_unknown()};
      pending = fw_unknown();
      m->out.truncation = fmax(m->out.truncation, m->spread[k]);
      FW_TRY(take_orbit(m, &r->orbits[k], &one));
      FW_TRY(take_resonances(m, k));
      continue;
    }
    int b = k;
    row behind = {.difference = fw_unknown()};
    while (b + 1 < r->count && !m->keep[b + 1]) b++;
    FW_TRY(shoot(m, k, b, &behind, prefix));
    pending = behind.difference;
    k = b;
  }
  return FW_OK;
}

/* The resonance, or else the peak, that harmonics have settled at, once more by shooting. */
static fw_status check_main(merger *m, const fw_response *out) {
  const fw_orbit *orbit = fw_frf_main(out);
  fw_state *near = NULL;
  fw_orbit shot;
  if (!orbit || !orbit->y) return FW_OK;
  FW_TRY(fw_frf_state_on(m->job->ctx, m->frf, out, orbit, 0, &near));
  near->time = 0;
  fw_status status = fw_frf_shooter_at(&m->shooter, orbit->frequency, near, &shot);
  fw_state_destroy(&near);
  if (status != FW_OK) return status < 0 ? status : FW_OK;
  both_work(m, difference_of(m, orbit, &shot), NULL);
  fw_orbit_clear(&shot);
  return FW_OK;
}

static fw_status write_table(const merger *m, const fw_response *out) {
  static const fw_column own[] = {
      {"method", ""}, {"spread", ""}, {"difference", ""}, {"switches", ""}, {"families", ""}};
  fw_orbit_table table;
  char name[64];
  snprintf(name, sizeof name, "frf-%g%s", out->options.level, fw_frf_direction(&out->options, m->both));
  FW_TRY(fw_orbit_table_open(m->job, name, own, 5, out->options.H,
                             FW_ORBIT_RESPONSE | FW_ORBIT_GAIN | FW_ORBIT_STABILITY, &table));
  fw_status status = FW_OK;
  for (int i = 0; i < out->count && status == FW_OK; i++) {
    const row *at = &m->rows.list[i];
    const double cells[] = {at->shot, isfinite(at->spread) ? at->spread : fw_unknown(), at->difference, at->switches,
                            at->families};
    status = fw_orbit_table_row(&table, cells, &out->orbits[i]);
  }
  fw_orbit_table_close(&table);
  return status;
}

static fw_status record(merger *m, const char *prefix) {
  fw_record *to = m->job->summary;
  int shot = 0;
  for (int i = 0; i < m->rows.count; i++) shot += m->rows.list[i].shot;
  FW_TRY(fw_record_set_number(to, m->rows.count - shot, "%smethods.points_by_harmonics", prefix));
  FW_TRY(fw_record_set_number(to, shot, "%smethods.points_by_shooting", prefix));
  return fw_record_set_number(to, m->difference, "%smethods.difference", prefix);
}

static fw_status merger_init(fw_job *job, const fw_frf *frf, int i, bool both, merger *m) {
  fw_response *r = &frf->responses[i];
  const fw_response_options *options = &r->options;
  *m = (merger){.job = job,
                .frf = frf,
                .balance = r,
                .sign = options->f_to > options->f_from ? 1 : -1,
                .tolerance = fw_args_number(job->args, "tolerance"),
                .difference = fw_unknown(),
                .both = both};
  m->out = (fw_response){.options = *options,
                         .peak = -1,
                         .bandwidth = fw_unknown(),
                         .truncation = fw_unknown(),
                         .whole = true,
                         .iterations = r->iterations,
                         .rejected = r->rejected,
                         .steps = fw_args_integer(job->args, "steps"),
                         .reached = options->f_to,
                         .unjudged = r->unjudged};
  m->tail = !r->count || m->sign * r->orbits[r->count - 1].frequency < m->sign * options->f_to - SAME * options->f_to;
  FW_TRY(fw_alloc(job->ctx, (size_t)r->count + 1, sizeof *m->spread, &m->spread));
  FW_TRY(fw_alloc(job->ctx, (size_t)r->count + 1, sizeof *m->keep, &m->keep));
  FW_TRY(fw_alloc(job->ctx, (size_t)r->resonance_count + 1, sizeof *m->place, &m->place));
  FW_TRY(fw_frf_shooter_init(job, options, options->H, &m->shooter));
  m->shooter.user = m;
  m->shooter.accept = note_motion;
  return FW_OK;
}

static void merger_clear(merger *m) {
  free(m->spread);
  free(m->keep);
  free(m->place);
  free(m->rows.list);
  free(m->section.list);
  fw_frf_shooter_clear(&m->shooter);
}

fw_status fw_frf_auto(fw_job *job, const fw_frf *frf, int i, bool both, const char *prefix) {
  merger m;
  fw_response *r = &frf->responses[i];
  double begin = fw_thread_seconds();
  fw_status status = FW_OK;
  FW_TRY_DONE(merger_init(job, frf, i, both, &m));
  FW_TRY_DONE(judge_orbits(&m));
  find_sections(&m);
  status = merge(&m, prefix);
  m.out.seconds = r->seconds + fw_thread_seconds() - begin;
  fw_response_clear(r);
  *r = m.out; /* which owns the orbits from here on */
  FW_TRY_DONE(status);
  fw_response_find_peak(r);
  FW_TRY_DONE(fw_peak_measure(job->ctx, frf->vibration, r));
  FW_TRY_DONE(check_main(&m, r));
  FW_TRY_DONE(record(&m, prefix));
  status = fw_linear_range_judge(&m.shooter.range, job);
done:
  if (m.rows.count && status != FW_ERR_MEMORY) {
    fw_status written = write_table(&m, r);
    if (status == FW_OK) status = written;
  }
  merger_clear(&m);
  return status;
}
