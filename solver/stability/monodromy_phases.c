/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every contact does at every sample of the motion: slides or sticks, is closed or open, hits. */
#include "solver/stability/monodromy.h"

#include <math.h>
#include <string.h>

bool fw_monodromy_held(const fw_monodromy *x, int coordinate, int sample) {
  for (int i = 0; i < x->motion->contact_count; i++) {
    const fw_motion_contact *c = &x->motion->contacts[i];
    if (fw_monodromy_closed(x, i, sample) && c->gap.at[0] == coordinate) return true;
    if (fw_monodromy_direction(x, i, sample) == 0 && c->slip.at[0] == coordinate) return true;
  }
  return false;
}

/* ---- rigid stick --------------------------------------------------------------------------- */

/* What the samples say: a contact that turns is seen to stick for a moment, as long as friction takes to change over.
 * It does not if with the friction of the new direction it is driven on; `at`: where the moment begins. */
static fw_status settle_moment(fw_monodromy *x, int contact, int at) {
  const fw_motion_contact *c = &x->motion->contacts[contact];
  int samples = x->motion->samples, *d = x->directions + contact * samples, before = (at + samples - 1) % samples,
      length = 0;
  while (length < samples && d[(at + length) % samples] == 0) length++;
  int after = (at + length) % samples;
  if (length == samples || d[after] != -d[before]) return FW_OK;
  int slip = c->slip.at[0];
  double *rate = x->guess_q, *per_force = x->guess_v;
  FW_TRY(fw_monodromy_mass(x, before));
  for (int k = 0; k < x->n; k++) {
    rate[k] = x->motion->f[(size_t)before * (size_t)x->n + (size_t)k];
    per_force[k] = k == slip ? c->slip.factor[0] : 0;
  }
  fw_monodromy_accelerate(x, before, rate);
  fw_monodromy_accelerate(x, before, per_force);
  double now = rate[slip], then = now - per_force[slip] * (c->T[after] - c->T[before]);
  if (now * then <= 0) return FW_OK;
  for (int k = 0; k < length; k++) {
    int sample = (at + k) % samples;
    d[sample] = c->v[sample] * d[before] > 0 ? d[before] : d[after];
  }
  return FW_OK;
}

/* An open contact has no friction that could change over: it keeps its direction. */
static void carry_while_open(const fw_monodromy *x, int contact) {
  const fw_motion_contact *c = &x->motion->contacts[contact];
  int samples = x->motion->samples, *d = x->directions + contact * samples;
  for (int s = 1; s < 2 * samples; s++)
    if (!(c->N[s % samples] > 0)) d[s % samples] = d[(s - 1) % samples];
}

static void read_directions(fw_monodromy *x, int contact) {
  const fw_motion_contact *c = &x->motion->contacts[contact];
  int samples = x->motion->samples, *d = x->directions + contact * samples;
  bool rigid = c->rigid_stick && c->slip.count;
  for (int s = 0; s < samples; s++) d[s] = !rigid ? 1 : !c->slides[s] ? 0 : c->T[s] < 0 ? -1 : 1;
  if (rigid) carry_while_open(x, contact);
}

static fw_status settle_directions(fw_monodromy *x, int contact) {
  int samples = x->motion->samples, *d = x->directions + contact * samples;
  for (int s = 0; s < samples; s++)
    if (d[s] == 0 && d[(s + samples - 1) % samples] != 0) FW_TRY(settle_moment(x, contact, s));
  return FW_OK;
}

/* ---- hard contact -------------------------------------------------------------------------- */

/* Whether a stretch of contact is an impact: the impulse of its force is what turns the gap's velocity round, which the
 * series spreads over about one period of its highest harmonic. Its energy, the integral of N dgap/dt, tells the mean
 * of the velocities before and after: restitution is the motion's own. */
static fw_status find_impact(fw_monodromy *x, int contact, int from, int length) {
  const fw_motion_contact *c = &x->motion->contacts[contact];
  const fw_combination *gap = &x->motion->contacts[contact].gap;
  int samples = x->motion->samples, at = gap->at[0];
  double impulse = 0, work = 0, moment = 0, *answer = x->guess_q;
  for (int k = 0; k < length; k++) {
    int s = (from + k) % samples;
    impulse += c->N[s] * x->motion->h;
    work += c->N[s] * c->gap_rate[s] * x->motion->h;
    moment += c->N[s] * k * x->motion->h;
  }
  int before = (from + samples - 1) % samples;
  FW_TRY(fw_monodromy_mass(x, before));
  for (int k = 0; k < x->n; k++) answer[k] = k == at ? gap->factor[0] : 0;
  fw_monodromy_accelerate(x, before, answer);
  double turn = impulse * gap->factor[0] * answer[at], mean = work / impulse; /* velocities mean -+ turn / 2 */
  double arrives = c->gap_rate[before], leaves = c->gap_rate[(from + length) % samples];
  bool turned = arrives < 0 && leaves > -0.3 * arrives && leaves - arrives > 0.5 * turn;
  if (!turned || mean - 0.5 * turn >= 0 || mean + 0.5 * turn <= 0) return FW_OK;
  x->impacts[x->impact_count++] = (fw_motion_impact){.contact = contact,
                                                     .sample = (from + (int)lround(moment / impulse)) % samples,
                                                     .speed = 0.5 * turn - mean,
                                                     .restitution = (0.5 * turn + mean) / (0.5 * turn - mean)};
  for (int k = 0; k < length; k++) x->closed[contact * samples + (from + k) % samples] = false;
  return FW_OK;
}

static void read_closed(fw_monodromy *x, int contact) {
  const fw_motion_contact *c = &x->motion->contacts[contact];
  int samples = x->motion->samples;
  for (int s = 0; s < samples; s++) x->closed[contact * samples + s] = c->stays_closed || (c->opens && c->N[s] > 0);
}

static fw_status find_impacts(fw_monodromy *x, int contact) {
  int samples = x->motion->samples, open = 0;
  const bool *closed = x->closed + contact * samples;
  if (!x->motion->contacts[contact].opens) return FW_OK;
  while (open < samples && closed[open]) open++;
  for (int k = 1; open < samples && k < samples; k++) {
    int from = (open + k) % samples, length = 0;
    while (closed[(from + length) % samples]) length++;
    if (length > 0) FW_TRY(find_impact(x, contact, from, length));
    k += length;
  }
  return FW_OK;
}

/* ---- normal laws ---------------------------------------------------------------------------- */

/* dN/dgap. A law with a stiffness from the first touch on acts from then on, not from half a step before the first
 * sample in contact, as equal weights of all samples would have it: that sample, or the last one, gets the part that is
 * missing, of one sign or the other. */
static void read_slopes(fw_monodromy *x, int contact) {
  const fw_motion_contact *c = &x->motion->contacts[contact];
  int samples = x->motion->samples;
  double *slope = x->slopes + contact * samples;
  if (!c->law) return;
  memcpy(slope, c->N_gap, (size_t)samples * sizeof *slope);
  for (int i = 0; i < samples; i++) {
    int j = (i + 1) % samples;
    double from = c->pressed[i], to = c->pressed[j];
    if ((from > 0) == (to > 0)) continue;
    fw_normal_out touch;
    fw_normal_force(c->law, -1e-9 * fmax(fabs(from), fabs(to)), 0, &touch);
    slope[to > 0 ? j : i] += touch.N_gap * (fmax(from, to) / fabs(to - from) - 0.5);
  }
}

fw_status fw_monodromy_phases(fw_monodromy *x) {
  int count = x->motion->contact_count;
  x->impact_count = 0;
  for (int i = 0; i < count; i++) {
    read_closed(x, i);
    read_directions(x, i);
    read_slopes(x, i);
  }
  for (int i = 0; i < count; i++) FW_TRY(find_impacts(x, i));
  for (int i = 0; i < count; i++) FW_TRY(settle_directions(x, i));
  return FW_OK;
}
