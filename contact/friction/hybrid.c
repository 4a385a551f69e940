/* SPDX-License-Identifier: GPL-3.0-or-later */
/* States z_p, z_s. The elastic element follows from z_p: its spring in series with k_ep is k_1. With d = s + |v| c_s:
 *   dz_p/dt = -(k_1 + k_ps)/c_p z_p + k_ps/c_p z_s
 *   dz_s/dt = (s v - |v| k_ps (z_s - z_p))/d,  T = s (c_s v + k_ps (z_s - z_p))/d
 * linear in the states, so the implicit stages are solved in closed form. */
#include "contact/friction/relax.h"
#include "contact/friction/stribeck.h"

enum { K_E = FW_STRIBECK_COUNT, K_EP, K_PS, C_P, C_S, PARAMETERS };
enum { K_1 = K_E, LOSS = K_EP, GAIN = C_P, CONSTANTS = C_S + 1 }; /* k_1, (k_1 + k_ps)/c_p, k_ps/c_p */
enum { Z_P, Z_S };

static const fw_param hybrid_params[] = {
    FW_STRIBECK_PARAMS,
    {"k-e", FW_PARAM_NUMBER, "N/m", "5.2e7", 1e-6, 1e15, NULL, "stiffness of the elastic element"},
    {"k-ep", FW_PARAM_NUMBER, "N/m", "1.9e7", 1e-6, 1e15, NULL, "stiffness between elastic and plastic element"},
    {"k-ps", FW_PARAM_NUMBER, "N/m", "8.5e7", 1e-6, 1e15, NULL, "stiffness between plastic and sliding element"},
    {"c-p", FW_PARAM_NUMBER, "N s/m", "630", 1e-9, 1e12, NULL, "damping of the plastic element"},
    {"c-s", FW_PARAM_NUMBER, "N s/m", "2300", 0, 1e12, NULL, "damping of the sliding element"},
    FW_PARAMS_END};

static int hybrid_pack(const fw_given *given, double *c) {
  fw_stribeck_pack(given, c);
  if (c) {
    double k_e = given[K_E].values[0], k_ep = given[K_EP].values[0], k_ps = given[K_PS].values[0];
    double c_p = given[C_P].values[0];
    c[K_1] = k_e * k_ep / (k_e + k_ep);
    c[K_PS] = k_ps;
    c[C_S] = given[C_S].values[0];
    c[LOSS] = (c[K_1] + k_ps) / c_p;
    c[GAIN] = k_ps / c_p;
  }
  return CONSTANTS;
}

/* Coefficients at v, N: dz_s/dt = b - p (z_s - z_p). */
typedef struct hybrid_point {
  double s, s_v, s_N, d, d_v, b, b_v, b_N, p, p_v, p_N;
} hybrid_point;

static hybrid_point hybrid_look(const double *c, double v, double N) {
  hybrid_point h;
  double mu_v, mu = fw_stribeck_mu(c, v, &mu_v), slope, force = fw_least_force(N, &slope), speed = fabs(v);
  h.s = mu * force;
  h.s_v = mu_v * force;
  h.s_N = mu * slope;
  h.d = h.s + speed * c[C_S];
  h.d_v = h.s_v + fw_sign(v) * c[C_S];
  double per = 1.0 / h.d;
  h.b = h.s * v * per;
  h.b_v = (h.s_v * v + h.s - h.b * h.d_v) * per;
  h.b_N = (v - h.b) * h.s_N * per;
  h.p = speed * c[K_PS] * per;
  h.p_v = (fw_sign(v) * c[K_PS] - h.p * h.d_v) * per;
  h.p_N = -h.p * h.s_N * per;
  return h;
}

/* T at a point with its derivatives. */
typedef struct hybrid_force {
  double T, T_D, T_v, T_N; /* D = z_s - z_p */
} hybrid_force;

static hybrid_force hybrid_pull(const double *c, const hybrid_point *h, double v, double D) {
  double pull = c[C_S] * v + c[K_PS] * D, per = 1.0 / h->d, share = h->s * per;
  return (hybrid_force){.T = share * pull,
                        .T_D = share * c[K_PS],
                        .T_v = share * c[C_S] + (h->s_v - share * h->d_v) * pull * per,
                        .T_N = (1.0 - share) * h->s_N * pull * per};
}

static void hybrid_rate(const double *c, const fw_rate_in *in, const double *z, fw_rate_out *out) {
  hybrid_point h = hybrid_look(c, in->v, in->N);
  double D = z[Z_S] - z[Z_P];
  hybrid_force f = hybrid_pull(c, &h, in->v, D);
  out->zdot[Z_P] = c[GAIN] * z[Z_S] - c[LOSS] * z[Z_P];
  out->zdot[Z_S] = h.b - h.p * D;
  out->T = f.T;
  if (!fw_rate_wants(out)) return;
  out->zdot_z[0] = -c[LOSS];
  out->zdot_z[1] = c[GAIN];
  out->zdot_z[2] = h.p;
  out->zdot_z[3] = -h.p;
  out->zdot_v[Z_P] = out->zdot_N[Z_P] = 0.0;
  out->zdot_v[Z_S] = h.b_v - h.p_v * D;
  out->zdot_N[Z_S] = h.b_N - h.p_N * D;
  out->T_z[Z_P] = -f.T_D;
  out->T_z[Z_S] = f.T_D;
  out->T_v = f.T_v;
  out->T_N = f.T_N;
}

/* (I - w A) x = y in place. */
static void hybrid_solve(const double *c, const hybrid_point *h, double w, double *y) {
  double a = 1.0 + w * c[LOSS], b = w * c[GAIN], p = w * h->p, per = 1.0 / (a + p * (a - b));
  double y_p = y[Z_P];
  y[Z_P] = ((1.0 + p) * y_p + b * y[Z_S]) * per;
  y[Z_S] = (a * y[Z_S] + p * y_p) * per;
}

static const double gamma_ = 0.29289321881345247560, rest_ = 1.0 - 0.29289321881345247560; /* gamma = 1 - 1/sqrt 2 */

/* A stage's derivative: base and the sources from v and N. */
static void hybrid_vary(const double *c, const hybrid_point *h, double w, double D, double dv, double dN, double *dz) {
  dz[Z_S] += w * ((h->b_v - h->p_v * D) * dv + (h->b_N - h->p_N * D) * dN);
  hybrid_solve(c, h, w, dz);
}

/* The two-stage L-stable step of derived.h, in closed form. */
static void hybrid_step_time(const double *c, const fw_step_in *in, const double *z_old, fw_step_out *out) {
  const double *x = in->x;
  double w = gamma_ * in->dt, more = rest_ / gamma_, v1 = x[FW_STEP_V1], a[2], b[2];
  double va_du = 1.0 / (in->dt * rest_), va_v1 = -gamma_ / rest_;
  hybrid_point ha = hybrid_look(c, va_du * x[FW_STEP_DU] + va_v1 * v1, rest_ * x[FW_STEP_N0] + gamma_ * x[FW_STEP_N1]);
  hybrid_point hb = hybrid_look(c, v1, x[FW_STEP_N1]);
  a[Z_P] = z_old[Z_P];
  a[Z_S] = z_old[Z_S] + w * ha.b;
  hybrid_solve(c, &ha, w, a);
  for (int i = 0; i < 2; i++) b[i] = z_old[i] + more * (a[i] - z_old[i]);
  b[Z_S] += w * hb.b;
  hybrid_solve(c, &hb, w, b);
  double Da = a[Z_S] - a[Z_P], Db = b[Z_S] - b[Z_P];
  hybrid_force f = hybrid_pull(c, &hb, v1, Db);
  out->z[Z_P] = b[Z_P];
  out->z[Z_S] = b[Z_S];
  out->T = f.T;
  if (!fw_step_wants(out)) return;
  const double dva[] = {va_du, 0.0, va_v1, 0.0, 0.0}, dNa[] = {0.0, 0.0, 0.0, rest_, gamma_};
  for (int j = 0; j < FW_STEP_INPUTS; j++) {
    double dv = j == FW_STEP_V1, dN = j == FW_STEP_N1, dz[2] = {0.0, 0.0};
    hybrid_vary(c, &ha, w, Da, dva[j], dNa[j], dz);
    dz[Z_P] *= more;
    dz[Z_S] *= more;
    hybrid_vary(c, &hb, w, Db, dv, dN, dz);
    out->z_x[j] = dz[Z_P];
    out->z_x[FW_STEP_INPUTS + j] = dz[Z_S];
    out->T_x[j] = f.T_D * (dz[Z_S] - dz[Z_P]) + f.T_v * dv + f.T_N * dN;
  }
  for (int j = 0; j < 2; j++) {
    double dz[2] = {j == Z_P, j == Z_S};
    hybrid_solve(c, &ha, w, dz);
    for (int i = 0; i < 2; i++) dz[i] = more * dz[i] + (1.0 - more) * (i == j);
    hybrid_solve(c, &hb, w, dz);
    out->z_z[j] = dz[Z_P];
    out->z_z[2 + j] = dz[Z_S];
    out->T_z[j] = f.T_D * (dz[Z_S] - dz[Z_P]);
  }
}

/* Slow slip: z_p follows z_s as the springs have it, z_s runs into s(0) with the springs in series. */
static void hybrid_step_slow(const double *c, const fw_step_in *in, const double *z_old, fw_step_out *out) {
  double du = in->x[FW_STEP_DU], sign = fw_sign(du), slope, mu_v, share = c[GAIN] / c[LOSS];
  double force = fw_least_force(0.5 * (in->x[FW_STEP_N0] + in->x[FW_STEP_N1]), &slope);
  double mu = fw_stribeck_mu(c, sign * 1e-300, &mu_v), series = c[K_PS] * (1.0 - share), kappa = series / (mu * force);
  fw_relaxed r = fw_relax(kappa, sign * z_old[Z_S], fabs(du));
  out->z[Z_S] = sign * r.y;
  out->z[Z_P] = share * out->z[Z_S];
  out->T = series * out->z[Z_S];
  if (!fw_step_wants(out)) return;
  fw_step_zero(out, 2, 4);
  double *z_x = out->z_x + FW_STEP_INPUTS;
  z_x[FW_STEP_DU] = r.y_h;
  z_x[FW_STEP_N0] = z_x[FW_STEP_N1] = -0.5 * sign * r.y_k * kappa / force * slope;
  for (int j = 0; j < FW_STEP_INPUTS; j++) {
    out->z_x[j] = share * z_x[j];
    out->T_x[j] = series * z_x[j];
  }
  out->z_z[3] = r.y_y;
  out->z_z[1] = share * r.y_y;
  out->T_z[Z_S] = series * r.y_y;
}

static void hybrid_step(const double *c, const fw_step_in *in, const double *z_old, fw_step_out *out) {
  if (in->dt > 0.0)
    hybrid_step_time(c, in, z_old, out);
  else
    hybrid_step_slow(c, in, z_old, out);
}

static double hybrid_scale(const double *c, double N, int state) {
  (void)state;
  double slope, force = fw_least_force(N, &slope);
  return c[FW_STRIBECK_MU_S] * force / c[K_1];
}

const fw_friction_ops fw_friction_hybrid = {
    .entry =
        {"hybrid", "elastic, plastic and sliding elements in series",
         "T = k_e z_e + c_p dz_p/dt + c_s dz_s/dt, k_e z_e + k_ep (z_e - z_p) = 0\n"
         "k_ep (z_p - z_e) + k_ps (z_p - z_s) + c_p dz_p/dt = 0\n"
         "k_ps (z_s - z_p) + c_z (dz_s/dt - v) + c_s dz_s/dt = 0, c_z = s(v)/|v|\n"
         "(the last one is often printed with k_ps (z_p - z_s). Action and reaction ask for the sign above: only so\n"
         "do the three add up to T = c_z (v - dz_s/dt), steady sliding to T = s(v) sgn v, and is rest stable.)",
         "Azizian and Mureithi, hybrid friction model for dynamic stick-slip", hybrid_params},
    .pack = hybrid_pack,
    .fixed_states = 2,
    .check = fw_stribeck_check,
    .rate = hybrid_rate,
    .step = hybrid_step,
    .scale = hybrid_scale,
    .claims = "periodic presliding no-creep bounded"};
