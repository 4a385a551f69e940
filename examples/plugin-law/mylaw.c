/* SPDX-License-Identifier: MIT
 *
 * A friction law of your own. Build it with one line,
 *
 *     cc -std=c17 -O2 -shared -fPIC -I../../include -o mylaw.so mylaw.c -lm
 *
 * put mylaw.so beside the deck, write <friction law="plugin:mylaw" mu="0.4"/> and run with --allow-plugins.
 *
 * This one is a spring that gives way smoothly, with viscous friction on top:
 *
 *     dz/dt = v - |v| z/reach,   T = mu N z/reach + c v
 *
 * Only the rate face is written; the step face for harmonic balance and fixed-step integration is derived from it.
 * fretwork puts the law to its checks when it loads it and says what is wrong.
 */
#include <math.h>

#include "fretwork_law.h"

enum { MU, REACH, VISCOUS };

static const fw_param params[] = {
    {"mu", FW_PARAM_NUMBER, "", "0.5", 0, 10, NULL, "coefficient of friction"},
    {"reach", FW_PARAM_NUMBER, "m", "4e-6", 1e-12, 1, NULL, "slip over which friction builds up"},
    {"viscous", FW_PARAM_NUMBER, "N s/m", "10", 0, 1e9, NULL, "viscous friction"},
    {NULL, 0, NULL, NULL, 0, 0, NULL, NULL}};

static void rate(const double *c, const fw_rate_in *in, const double *z, fw_rate_out *out) {
  double speed = fabs(in->v), sign = in->v < 0.0 ? -1.0 : 1.0;
  out->zdot[0] = in->v - speed * z[0] / c[REACH];
  out->T = c[MU] * in->N * z[0] / c[REACH] + c[VISCOUS] * in->v;
  if (!out->zdot_z) return; /* no derivatives wanted */
  out->zdot_z[0] = -speed / c[REACH];
  out->zdot_v[0] = 1.0 - sign * z[0] / c[REACH];
  out->zdot_N[0] = 0.0;
  out->T_z[0] = c[MU] * in->N / c[REACH];
  out->T_v = c[VISCOUS];
  out->T_N = c[MU] * z[0] / c[REACH];
}

/* The size of the state, for error control. */
static double scale(const double *c, double N, int state) {
  (void)N;
  (void)state;
  return c[REACH];
}

static const fw_friction_ops law = {
    .entry = {"mylaw", "a spring that gives way smoothly, and viscous friction",
              "dz/dt = v - |v| z/reach, T = mu N z/reach + c v", "your paper here", params},
    .fixed_states = 1,
    .rate = rate,
    .scale = scale};

const fw_law_plugin fretwork_law = {FW_LAW_ABI, &law};
