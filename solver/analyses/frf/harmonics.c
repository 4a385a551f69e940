/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/frf/parts.h"
#include "solver/hb/orbit_picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "solver/hb/peak.h"

#include "core/unknown.h"

enum { HARMONICS_FIRST = 5, HARMONICS_STEP = 4, SAMPLES_LEAST = 256 };
enum { HARMONICS_MANY = 33 };  /* beyond these the deciding orbits are asked before a curve is followed anew, */
enum { UNKNOWNS_MOST = 2500 }; /* and no more than so many unknowns are tried */

static int samples_for(const fw_args *args, int H) {
  int samples = fw_args_integer(args, "samples");
  if (samples) return samples > 2 * H ? samples : 2 * H + 1;
  for (samples = SAMPLES_LEAST; samples < 16 * H;) samples *= 2;
  return samples;
}

/* The orbits that decide whether the harmonics suffice: the resonances, the peak. */
static const fw_orbit *deciding_orbit(const fw_response *r, int i) {
  if (i < r->resonance_count) return &r->resonances[i];
  if (i == r->resonance_count && r->peak >= 0) return &r->orbits[r->peak];
  return NULL;
}

/* First harmonic over the drive of an orbit's neighbour with H harmonics; NaN: there is none. */
static fw_status compliance_with(fw_context *ctx, const fw_args *args, const fw_vibration *v, const fw_response *r,
                                 const fw_orbit *orbit, int H, double complex *compliance) {
  fw_response_options options = r->options;
  fw_orbit finer;
  options.H = H;
  *compliance = fw_unknown();
  if (H == r->options.H) {
    *compliance = fw_response_compliance(&r->options, orbit);
    return FW_OK;
  }
  fw_status status = fw_response_neighbour(ctx, v, r, orbit, H, samples_for(args, H), &finer);
  if (status != FW_OK) return status < 0 ? status : FW_OK;
  *compliance = fw_response_compliance(&options, &finer);
  fw_orbit_clear(&finer);
  return FW_OK;
}

/* Relative change of the first harmonic of an orbit when it has H harmonics and then a few more. */
static fw_status change_at(fw_context *ctx, const fw_args *args, const fw_vibration *v, const fw_response *r,
                           const fw_orbit *orbit, int H, double *change) {
  double complex before, after;
  FW_TRY(compliance_with(ctx, args, v, r, orbit, H, &before));
  FW_TRY(compliance_with(ctx, args, v, r, orbit, H + HARMONICS_STEP, &after));
  double relative = after == before ? 0 : cabs(after - before) / cabs(after);
  *change = isnan(relative) ? INFINITY : relative; /* so many do not even lead to a neighbour */
  return FW_OK;
}

fw_status fw_frf_spread(fw_context *ctx, const fw_args *args, const fw_vibration *v, const fw_response *r,
                        const fw_orbit *orbit, double *spread) {
  return change_at(ctx, args, v, r, orbit, r->options.H, spread);
}

/* The largest at the deciding orbits. */
static fw_status change_beyond(fw_context *ctx, const fw_args *args, const fw_vibration *v, const fw_response *r, int H,
                               double *change) {
  *change = r->count ? 0 : INFINITY; /* a curve without points never settles */
  for (int i = 0; deciding_orbit(r, i) && isfinite(*change); i++) {
    double here;
    FW_TRY(change_at(ctx, args, v, r, deciding_orbit(r, i), H, &here));
    *change = fmax(*change, here);
  }
  return FW_OK;
}

/* A curve that more harmonics change by as much as this is not that of a periodic motion, or of one with many more. */
static const double UNSETTLED = 0.2;

static void note_unsettled(fw_response *out) {
  char said[sizeof out->note];
  if (out->truncation <= UNSETTLED || !out->count) return;
  memcpy(said, out->note, sizeof said);
  char how[64] = "none is near";
  if (isfinite(out->truncation)) snprintf(how, sizeof how, "it changes by %.2g", out->truncation);
  snprintf(out->note, sizeof out->note,
           "harmonics do not settle (with %d instead of %d %s): the motion may not be periodic%s%.300s",
           out->options.H + HARMONICS_STEP, out->options.H, how, said[0] ? "; " : "", said);
}

/* The tolerance that was not met: beyond `tried` harmonics as many more still change the response by `change`. */
static void note_tolerance(fw_response *out, double tolerance, int tried, double change) {
  char said[sizeof out->note], last[80] = "";
  memcpy(said, out->note, sizeof said);
  if (tried > out->options.H && isfinite(change))
    snprintf(last, sizeof last, ", as many more than %d by %.2g", tried, change);
  else if (tried > out->options.H)
    snprintf(last, sizeof last, ", near %d there is no such motion", tried);
  snprintf(out->note, sizeof out->note,
           "the tolerance %.2g is not reached: %d harmonics more than %d change the response by %.2g%s%s%.250s",
           tolerance, HARMONICS_STEP, out->options.H, out->truncation, last, said[0] ? "; " : "", said);
}

/* As many harmonics, of those that `most` and the size of the equations allow, as the deciding orbits ask for; 0: none
 * suffices, and `tried` harmonics still change by `change`. */
static fw_status look_for_harmonics(fw_context *ctx, const fw_args *args, const fw_vibration *v, const fw_response *r,
                                    int *enough, int *tried, double *change) {
  int most = fw_args_integer(args, "harmonics-most"), blocks = v->reduced.coordinates + 2 * v->contact_count;
  double tolerance = fw_args_number(args, "tolerance");
  *enough = 0;
  *tried = r->options.H;
  *change = r->truncation;
  while (*tried < most) {
    int H = *tried + HARMONICS_STEP * (1 + *tried / 32);
    if (H > most) H = most;
    if (blocks * (2 * H + 1) > UNKNOWNS_MOST) break;
    FW_TRY(fw_interrupted(ctx));
    FW_TRY(change_beyond(ctx, args, v, r, H, change));
    *tried = H;
    if (*change > tolerance) continue;
    *enough = H;
    break;
  }
  return FW_OK;
}

/* Follows the curve with options.H harmonics, and finds what a few more would change. */
static fw_status respond_with(fw_context *ctx, const fw_args *args, const fw_vibration *v, fw_response_options options,
                              fw_response *out) {
  fw_response_clear(out);
  options.samples = samples_for(args, options.H);
  FW_TRY(fw_response_run(ctx, v, &options, out));
  return change_beyond(ctx, args, v, out, options.H, &out->truncation);
}

/* Those to begin with: of all that the loads drive. */
static int first_harmonics(const fw_vibration *v) {
  int first = HARMONICS_FIRST;
  for (int i = 0; i < v->drive_count; i++)
    if (v->drives[i].harmonic > first) first = v->drives[i].harmonic;
  return first;
}

fw_status fw_frf_respond(fw_context *ctx, const fw_args *args, const fw_vibration *v, fw_response_options options,
                         fw_response *out) {
  int fixed = fw_args_integer(args, "harmonics"), most = fw_args_integer(args, "harmonics-most");
  double tolerance = fw_args_number(args, "tolerance");
  int few = most < HARMONICS_MANY ? most : HARMONICS_MANY;
  for (options.H = fixed ? fixed : first_harmonics(v);; options.H += HARMONICS_STEP) {
    FW_TRY(respond_with(ctx, args, v, options, out));
    bool hopeless = !out->count && options.H > HARMONICS_FIRST;
    if (fixed || hopeless || out->truncation <= tolerance || options.H + HARMONICS_STEP > few) break;
  }
  if (!fixed && out->truncation > tolerance && out->truncation <= UNSETTLED) {
    int tried, enough;
    double change;
    FW_TRY(look_for_harmonics(ctx, args, v, out, &enough, &tried, &change));
    if (enough) {
      options.H = enough;
      FW_TRY(respond_with(ctx, args, v, options, out));
    }
    if (out->truncation > tolerance) note_tolerance(out, tolerance, tried, change);
  }
  note_unsettled(out);
  if (out->options.smooth) FW_TRY(fw_response_smooth(ctx, v, out));
  return fw_peak_measure(ctx, v, out);
}
