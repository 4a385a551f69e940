/* SPDX-License-Identifier: GPL-3.0-or-later */
/* States: the deflections x - b_k of the bristles, then the count of random numbers drawn. The numbers are a hash of
 * seed and count, so that evaluation is pure and a run can be repeated. */
#include <stdint.h>

#include "contact/friction/law.h"

enum { COUNT, SIGMA, REACH, SEED, N_REF, CONSTANTS };

static const fw_param bristle_params[] = {
    {"bristles", FW_PARAM_INTEGER, "", "20", 1, 1000, NULL, "number of bristles n"},
    {"sigma-0", FW_PARAM_NUMBER, "N/m", "1.5e6", 1e-6, 1e15, NULL, "stiffness of one bristle"},
    {"z-0", FW_PARAM_NUMBER, "m", "4e-6", 1e-15, 1e3, NULL, "deflection at which a bristle snaps"},
    {"seed", FW_PARAM_INTEGER, "", "1", 0, 4294967295.0, NULL, "start of the random places"},
    FW_N_REF_PARAM,
    FW_PARAMS_END};

static int bristle_pack(const fw_given *given, double *c) {
  for (int i = 0; c && i < CONSTANTS; i++) c[i] = fw_first_given(given[i], 0.0);
  return CONSTANTS;
}

static int bristle_states(const double *c) { return (int)c[COUNT] + 1; }

/* Number `count` of the stream `seed`, uniform in (-1, 1) (splitmix64). */
static double bristle_random(double seed, double count) {
  uint64_t x = ((uint64_t)seed << 32 ^ (uint64_t)count) + 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  x ^= x >> 31;
  return ((double)(x >> 11) + 0.5) / 4503599627370496.0 - 1.0;
}

/* A length with its derivatives with respect to the old deflection, the slip and the reach. */
typedef struct bristle_length {
  double x, x_z, x_du, x_reach;
} bristle_length;

/* Pulls one bristle along, snapping as often as it must. A slip of many reaches forgets where it began: the mean way
 * between snaps is one reach, so the last 32 are enough. */
static bristle_length bristle_pull(const double *c, double reach, double du, double z_old, double *count) {
  enum { SNAPS = 128, FAR = 32 };
  double sign = fw_sign(du);
  bristle_length z = {z_old, 1.0, 0.0, 0.0}, left = {du, 0.0, 1.0, 0.0};
  if (fabs(du) > FAR * reach) left = (bristle_length){sign * FAR * reach, 0.0, 0.0, sign * FAR};
  for (int i = 0; i < SNAPS && fabs(z.x + left.x) > reach; i++) {
    double way = sign * reach - z.x, place = bristle_random(c[SEED], (*count)++);
    if (sign * way > 0.0) { /* it snaps after this way; else N has fallen and it snaps at once */
      left.x -= way;
      left.x_z += z.x_z;
      left.x_du += z.x_du;
      left.x_reach += z.x_reach - sign;
    }
    z = (bristle_length){reach * place, 0.0, 0.0, place};
  }
  if (fabs(z.x + left.x) > reach) return z;
  return (bristle_length){z.x + left.x, z.x_z + left.x_z, z.x_du + left.x_du, z.x_reach + left.x_reach};
}

static void bristle_step(const double *c, const fw_step_in *in, const double *z_old, fw_step_out *out) {
  int n = (int)c[COUNT];
  double slope, reach = c[REACH] * fw_load_ratio(c[N_REF], in->x[FW_STEP_N1], &slope), count = nearbyint(z_old[n]);
  bool wants = fw_step_wants(out);
  if (wants) fw_step_zero(out, n + 1, n + 1);
  out->T = 0.0;
  for (int i = 0; i < n; i++) {
    bristle_length z = bristle_pull(c, reach, in->x[FW_STEP_DU], z_old[i], &count);
    out->z[i] = z.x;
    out->T += c[SIGMA] * z.x;
    if (!wants) continue;
    double *z_x = out->z_x + (ptrdiff_t)i * FW_STEP_INPUTS;
    z_x[FW_STEP_DU] = z.x_du;
    z_x[FW_STEP_N1] = z.x_reach * c[REACH] * slope;
    out->z_z[i] = z.x_z;
    out->T_z[i] = c[SIGMA] * z.x_z;
    for (int j = 0; j < FW_STEP_INPUTS; j++) out->T_x[j] += c[SIGMA] * z_x[j];
  }
  out->z[n] = count;
}

static double bristle_scale(const double *c, double N, int state) {
  (void)N;
  return state < (int)c[COUNT] ? c[REACH] : 1.0;
}

const fw_friction_ops fw_friction_bristle = {
    .entry = {"bristle", "bristles that snap and grip again at random places",
              "T = sum sigma_0 (x - b_k); a bristle snaps at |x - b_k| = z_0 (N/N_ref) and grips again at a random "
              "place with |x - b_k| < z_0",
              "Haessig and Friedland 1991, ASME J. Dyn. Syst. Meas. Control 113", bristle_params},
    .pack = bristle_pack,
    .states = bristle_states,
    .uncoupled = true,
    .step = bristle_step,
    .scale = bristle_scale,
    .claims = "presliding no-creep rate-independent"};
