/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/balance.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/hb/constant_response.h"

/* From so many unknowns on the Jacobian is no longer a matrix; with few contacts its determinant is of use, which tells
 * the way round sharp corners. */
enum { LARGE = 500, FEW = 16 };

static fw_status init_work(fw_context *ctx, fw_balance *b) {
  size_t c = (size_t)b->given.reduced->coordinates, size = (size_t)b->fourier.size;
  size_t fine = fw_balance_has_polynomial(b) ? (size_t)b->fine.samples : 0, damped = fw_balance_has_drag(b) ? fine : 0;
  FW_TRY(fw_alloc(ctx, c, sizeof(double complex), &b->z_k));
  FW_TRY(fw_alloc(ctx, c, sizeof(double complex), &b->r_k));
  FW_TRY(fw_alloc(ctx, (size_t)b->blocks, sizeof(bool), &b->closed));
  FW_TRY(fw_alloc(ctx, (size_t)b->blocks + 1, sizeof(double), &b->largest));
  FW_TRY(fw_alloc(ctx, c * fine, sizeof(double), &b->samples));
  FW_TRY(fw_alloc(ctx, c * fine, sizeof(double), &b->forces));
  FW_TRY(fw_alloc(ctx, c * c * fine, sizeof(double), &b->tangents));
  FW_TRY(
      fw_alloc(ctx, fine ? fw_quartic_room(b->given.quartic, b->fine.samples) : 0, sizeof(double), &b->quartic_room));
  FW_TRY(fw_alloc(ctx, c * c * fine, sizeof(double), &b->spectra));
  FW_TRY(fw_alloc(ctx, c * damped, sizeof(double), &b->rates));
  FW_TRY(fw_alloc(ctx, c * damped, sizeof(double), &b->drags));
  FW_TRY(fw_alloc(ctx, c * c * damped, sizeof(double), &b->drag_tangents));
  FW_TRY(fw_alloc(ctx, 2 * size * size + (fine ? c * (c + 3) : 0), sizeof(double), &b->block));
  FW_TRY(fw_alloc(ctx, 3 * size, sizeof(double), &b->local));
  FW_TRY(fw_alloc(ctx, (size_t)b->n + 1, sizeof(double), &b->linear));
  return fw_alloc(ctx, (size_t)b->n + 2, sizeof(double), &b->shifted); /* with a level and omega */
}

/* Whether the forces of a contact follow from the path of slip and gap alone. */
static bool is_steady(const fw_aft_point *point) {
  if (point->stick_penalty > 0) return false;
  if (point->friction->ops && !fw_friction_claims(point->friction, "rate-independent")) return false;
  fw_normal_out out = {0};
  if (point->kind == FW_AFT_LAW) fw_normal_force(point->normal, -1e-6, 0, &out);
  return out.N_rate == 0;
}

/* The contacts, and a block for each of their forces that has unknowns of its own. */
static fw_status init_contacts(fw_context *ctx, bool opening, fw_balance *b) {
  size_t count = (size_t)b->given.contact_count;
  FW_TRY(fw_alloc(ctx, count, sizeof *b->contacts, &b->contacts));
  FW_TRY(fw_alloc(ctx, count, sizeof *b->friction_block, &b->friction_block));
  FW_TRY(fw_alloc(ctx, count, sizeof *b->normal_block, &b->normal_block));
  for (size_t i = 0; i < count; i++) {
    b->contacts[i] = b->given.contacts[i];
    fw_aft_point *point = &b->contacts[i].point;
    if (opening && point->kind == FW_AFT_CLOSED) point->kind = FW_AFT_OPENING;
    b->steady = b->steady && is_steady(point);
    b->friction_block[i] = point->stick_penalty > 0 ? b->blocks++ : -1;
    b->normal_block[i] = point->kind == FW_AFT_OPENING ? b->blocks++ : -1;
  }
  return FW_OK;
}

/* Where forces are polynomials the Jacobian is full: one matrix whatever its size. */
static fw_status init_large(fw_context *ctx, fw_balance *b) {
  if (b->n < LARGE || b->given.contact_count < FEW || fw_balance_has_polynomial(b)) return FW_OK;
  FW_TRY(fw_harmonic_blocks_create(ctx, b->given.reduced->coordinates, b->blocks, b->fourier.H, b->closed, &b->large));
  b->core = fw_harmonic_blocks_core(b->large);
  return FW_OK;
}

fw_status fw_balance_init(fw_context *ctx, const fw_balance_problem *given, int H, int samples, bool opening,
                          fw_balance *b) {
  fw_status status = FW_OK;
  *b = (fw_balance){.ctx = ctx, .given = *given, .level = 1, .steady = true, .blocks = given->reduced->coordinates};
  FW_TRY_DONE(init_contacts(ctx, opening, b));
  b->n = b->blocks * (2 * H + 1);
  FW_TRY_DONE(fw_fourier_init(ctx, H, samples, &b->fourier));
  FW_TRY_DONE(fw_fourier_init(ctx, H, 4 * H + 1, &b->fine)); /* cubic forces alias up to 3 H onto at most H */
  FW_TRY_DONE(fw_fourier_init(ctx, 2 * H, 4 * H + 1, &b->wide));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)H + 1, sizeof *b->dynamic, &b->dynamic));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)H + 1, sizeof *b->dynamic, &b->dynamic_shifted));
  for (int k = 0; k <= H; k++) {
    FW_TRY_DONE(fw_dynamic_init(ctx, given->reduced, &b->dynamic[k]));
    FW_TRY_DONE(fw_dynamic_init(ctx, given->reduced, &b->dynamic_shifted[k]));
  }
  FW_TRY_DONE(fw_alloc(ctx, (size_t)given->contact_count, sizeof *b->aft, &b->aft));
  for (int i = 0; i < given->contact_count; i++)
    FW_TRY_DONE(fw_aft_init(ctx, &b->fourier, given->contacts[i].point.friction->states, &b->aft[i]));
  FW_TRY_DONE(init_work(ctx, b));
  for (int i = 0; i < given->contact_count; i++) {
    const fw_balance_contact *contact = &b->contacts[i];
    if (contact->point.kind == FW_AFT_CLOSED) b->closed[contact->gap.at[0]] = true;
  }
  FW_TRY_DONE(init_large(ctx, b));
done:
  if (status != FW_OK) fw_balance_clear(b);
  return status;
}

void fw_balance_clear(fw_balance *b) {
  for (int k = 0; b->dynamic && k <= b->fourier.H; k++) fw_dynamic_clear(&b->dynamic[k]);
  for (int k = 0; b->dynamic_shifted && k <= b->fourier.H; k++) fw_dynamic_clear(&b->dynamic_shifted[k]);
  for (int i = 0; b->aft && i < b->given.contact_count; i++) fw_aft_clear(&b->aft[i]);
  fw_fourier_clear(&b->fourier);
  fw_fourier_clear(&b->fine);
  fw_fourier_clear(&b->wide);
  fw_harmonic_blocks_destroy(&b->large);
  free(b->dynamic);
  free(b->dynamic_shifted);
  free(b->aft);
  free(b->closed);
  free(b->contacts);
  free(b->friction_block);
  free(b->normal_block);
  free(b->largest);
  free(b->z_k);
  free(b->r_k);
  free(b->samples);
  free(b->forces);
  free(b->tangents);
  free(b->quartic_room);
  free(b->spectra);
  free(b->rates);
  free(b->drags);
  free(b->drag_tangents);
  free(b->block);
  free(b->shifted);
  free(b->local);
  free(b->linear);
  *b = (fw_balance){0};
}

const fw_core *fw_balance_core(const fw_balance *b) { return b->large ? &b->core : NULL; }

double complex fw_balance_coordinate(const fw_balance *b, const double *y, int c, int k) {
  if (b->closed[c]) return 0;
  const double *coefficients = y + c * b->fourier.size;
  return k == 0 ? coefficients[0] : coefficients[2 * k - 1] - I * coefficients[2 * k];
}

/* ---- linear part -------------------------------------------------------------------------- */

/* r = D z - level f, harmonic by harmonic. */
static fw_status linear_residual(fw_balance *b, fw_dynamic *dynamic, const double *y, double *r) {
  const fw_balance_problem *given = &b->given;
  int c = given->reduced->coordinates, size = b->fourier.size;
  for (int k = 0; k <= b->fourier.H; k++) {
    dynamic[k].epmc_damping = b->epmc_damping;
    FW_TRY(fw_dynamic_set(&dynamic[k], k * y[b->n]));
    memset(b->r_k, 0, (size_t)c * sizeof *b->r_k);
    for (int d = 0; d < given->drive_count; d++)
      if (given->drives[d].harmonic == k)
        fw_dynamic_load(&dynamic[k], &given->drives[d].load, -b->level * given->drives[d].factor, b->r_k);
    for (int j = 0; j < c; j++) {
      double complex z = fw_balance_coordinate(b, y, j, k);
      for (int i = 0; z != 0 && i < c; i++) b->r_k[i] += dynamic[k].D[j * c + i] * z;
    }
    for (int i = 0; i < c; i++) {
      double *row = r + i * size;
      if (k == 0) row[0] = creal(b->r_k[i]);
      if (k > 0) row[2 * k - 1] = creal(b->r_k[i]), row[2 * k] = -cimag(b->r_k[i]);
    }
  }
  return FW_OK;
}

/* Derivatives with respect to the coefficients of coordinate j; closed gaps have none. */
static void linear_jacobian(const fw_balance *b, double *J) {
  int c = b->given.reduced->coordinates, size = b->fourier.size;
  size_t n = (size_t)b->blocks * (size_t)size;
  memset(J, 0, n * n * sizeof(double));
  for (int j = 0; j < c; j++) {
    if (b->closed[j]) continue;
    for (int i = 0; i < c; i++)
      for (int k = 0; k <= b->fourier.H; k++) {
        double complex D = b->dynamic[k].D[j * c + i];
        size_t row = (size_t)(i * size + (k ? 2 * k - 1 : 0)), column = (size_t)(j * size + (k ? 2 * k - 1 : 0));
        J[column * n + row] = creal(D);
        if (k == 0) continue;
        J[column * n + row + 1] = -cimag(D);
        J[(column + 1) * n + row] = cimag(D);
        J[(column + 1) * n + row + 1] = creal(D);
      }
  }
}

/* ---- all together ------------------------------------------------------------------------- */

/* All but the polynomial. */
static fw_status evaluate(fw_balance *b, fw_dynamic *dynamic, const double *y, double *r, fw_jacobian *J) {
  if (!(y[b->n] > 0)) return FW_RECOVER_NAN;
  if (b->control.direction) b->level = y[b->n - 1];
  FW_TRY(linear_residual(b, dynamic, y, r));
  if (J && J->dense) linear_jacobian(b, J->dense);
  if (J && !J->dense) fw_harmonic_blocks_begin(b->large, b->dynamic);
  FW_TRY(fw_balance_contacts(b, y, r, J));
  return b->control.direction ? fw_constant_response_equation(b, dynamic, y, r, J) : FW_OK;
}

/* What depends on omega where contact does not: the structure and a response that is held. */
static fw_status evaluate_steady(fw_balance *b, fw_dynamic *dynamic, const double *y, double *r) {
  if (!(y[b->n] > 0)) return FW_RECOVER_NAN;
  if (b->control.direction) b->level = y[b->n - 1];
  memset(r, 0, (size_t)b->n * sizeof(double));
  FW_TRY(linear_residual(b, dynamic, y, r));
  return b->control.direction ? fw_constant_response_equation(b, dynamic, y, r, NULL) : FW_OK;
}

/* r_lambda by difference: sampled laws know no derivative with respect to the time step. */
fw_status fw_balance_residual(void *user, const double *y, double *r, fw_jacobian *J, double *r_lambda) {
  fw_balance *b = user;
  double h = 1e-7 * y[b->n];
  if (r_lambda) {
    memcpy(b->shifted, y, ((size_t)b->n + 1) * sizeof(double));
    b->shifted[b->n] += h;
    FW_TRY(b->steady ? evaluate_steady(b, b->dynamic_shifted, b->shifted, r_lambda)
                     : evaluate(b, b->dynamic_shifted, b->shifted, r_lambda, NULL));
  }
  FW_TRY(evaluate(b, b->dynamic, y, r, J));
  if (r_lambda && b->steady) FW_TRY(evaluate_steady(b, b->dynamic, y, b->linear));
  const double *from = b->steady ? b->linear : r;
  for (int i = 0; r_lambda && i < b->n; i++) r_lambda[i] = (r_lambda[i] - from[i]) / h;
  if (fw_balance_has_polynomial(b)) fw_balance_polynomial(b, y, r, J, r_lambda);
  return FW_OK;
}

void fw_balance_level(const fw_balance *b, double *r_level) {
  int c = b->given.reduced->coordinates, size = b->fourier.size;
  memset(r_level, 0, (size_t)b->n * sizeof(double));
  for (int d = 0; d < b->given.drive_count; d++) {
    const fw_balance_drive *drive = &b->given.drives[d];
    int k = drive->harmonic;
    if (k < 1 || k > b->fourier.H) continue;
    memset(b->r_k, 0, (size_t)c * sizeof *b->r_k);
    fw_dynamic_load(&b->dynamic[k], &drive->load, -drive->factor, b->r_k);
    for (int i = 0; i < c; i++) {
      r_level[i * size + 2 * k - 1] += creal(b->r_k[i]);
      r_level[i * size + 2 * k] -= cimag(b->r_k[i]);
    }
  }
}

double fw_balance_resistance(const fw_balance *b, int i, double omega) {
  const fw_reduced *reduced = b->given.reduced;
  int at = i * (reduced->coordinates + 1);
  double stiffness = fabs(reduced->K[at]), inertia = omega * omega * fabs(reduced->M[at]);
  return stiffness > 1e-6 * inertia ? stiffness : inertia;
}

/* The largest energy that the drives would store in a coordinate by itself. */
static double energy_of_drives(const fw_balance *b, double omega) {
  int c = b->given.reduced->coordinates;
  double most = 0;
  for (int d = 0; d < b->given.drive_count; d++) {
    const fw_balance_drive *drive = &b->given.drives[d];
    if (drive->harmonic < 1 || drive->harmonic > b->fourier.H) continue;
    memset(b->r_k, 0, (size_t)c * sizeof *b->r_k);
    fw_dynamic_load(&b->dynamic[drive->harmonic], &drive->load, b->level * drive->factor, b->r_k);
    for (int i = 0; i < c; i++) {
      double resists = fw_balance_resistance(b, i, omega), force = cabs(b->r_k[i]);
      if (resists > 0 && isfinite(force)) most = fmax(most, force * force / resists);
    }
  }
  return most;
}

double fw_balance_driven(const fw_balance *b, double omega, int i) {
  double resists = fw_balance_resistance(b, i, omega);
  return resists > 0 ? sqrt(energy_of_drives(b, omega) / resists) : 0;
}

/* A coordinate counts as much as one that stores a millionth of the largest energy, or its own largest so far. Where
 * contact holds all of them the energy is a millionth of what the drives would store without it: rounding is no
 * motion. */
void fw_balance_scale(fw_balance *b, const double *y, double *scale) {
  int c = b->given.reduced->coordinates, size = b->fourier.size;
  double omega = y[b->n], energy = 1e-6 * energy_of_drives(b, omega);
  for (int i = 0; i < c; i++) {
    double amplitude = fw_fourier_peak(y + i * size, size);
    b->largest[i] = fmax(b->largest[i], amplitude);
    if (!b->closed[i]) energy = fmax(energy, fw_balance_resistance(b, i, omega) * b->largest[i] * b->largest[i]);
  }
  for (int i = 0; i < c; i++) {
    double resists = fw_balance_resistance(b, i, omega);
    double now = fw_fourier_peak(y + i * size, size), least = resists > 0 ? 1e-3 * sqrt(energy / resists) : 0;
    if (b->closed[i]) least = 0;
    double s = fmax(fmax(now, 0.2 * b->largest[i]), least);
    for (int k = 0; k < size; k++) scale[i * size + k] = s > 0 ? s : 1;
  }
  for (int i = 0; i < b->given.contact_count; i++) fw_balance_scale_contact(b, i, y, scale);
  if (!b->control.direction) return;
  double level = fabs(y[b->n - 1]), *most = &b->largest[b->blocks];
  *most = fmax(*most, level);
  scale[b->n - 1] = *most > 0 ? fmax(level, 0.2 * *most) : 1;
}

/* ---- first point -------------------------------------------------------------------------- */

static fw_status solve_here(fw_balance *b, fw_continuation *curve, fw_newton *newton, double *y) {
  fw_fixed fixed = {b->n, y[b->n]};
  return fw_continuation_correct(curve, (fw_condition){&fixed, fw_fixed_value}, newton, y);
}

/* One Newton step from rest tells the size of the answer: y. One that fails tells nothing, unless there is no memory. */
static fw_status guess(fw_balance *b, fw_continuation *curve, double *y) {
  fw_newton one = {.tolerance = 0, .most = 1};
  for (int i = 0; i < b->n; i++) curve->scale[i] = 1;
  b->control.by_level = b->control.direction != NULL;
  fw_status status = solve_here(b, curve, &one, y);
  b->control.by_level = false;
  if (status < 0) return status == FW_ERR_MEMORY ? status : FW_OK;
  if (b->control.direction) fw_constant_response_stretch(b, y);
  fw_balance_scale(b, y, curve->scale);
  memset(b->largest, 0, ((size_t)b->blocks + 1) * sizeof(double));
  return FW_OK;
}

/* Raises the level, or the amplitude of a response that is held, in steps from none or from the y given. whole: Newton's
 * steps are never halved. */
static fw_status raise(fw_balance *b, fw_continuation *curve, double tolerance, bool whole, double *last, double *y) {
  bool held = b->control.direction != NULL;
  double *options = held ? &b->control.amplitude : &b->level; /* what is raised */
  double full = *options, reached = 0, step = 1;
  size_t bytes = ((size_t)b->n + 1) * sizeof(double);
  fw_status status = FW_OK;
  memcpy(last, y, bytes);
  if (cblas_dasum(b->n, y, 1) == 0) status = guess(b, curve, last);
  if (!held) memcpy(last, y, bytes);
  while (reached < 1 && status >= 0) {
    double next = fmin(1, reached + step);
    fw_newton newton = {.tolerance = tolerance, .most = whole ? 40 : 25, .whole = whole};
    *options = next * full;
    memcpy(y, last, bytes);
    if (held && reached == 0) cblas_dscal(b->n, next, y, 1);
    status = solve_here(b, curve, &newton, y);
    if (status < 0) break;
    if (status == FW_OK) {
      fw_balance_scale(b, y, curve->scale);
      memcpy(last, y, bytes);
      reached = next;
      step *= 2;
    } else {
      step = (next - reached) / 4;
      if (step < 1e-5) break;
    }
  }
  *options = full;
  return status;
}

static void set_rest(fw_balance *b, double omega, double *y) {
  memset(y, 0, (size_t)b->n * sizeof(double));
  y[b->n] = omega;
}

/* A patch of many contacts, from the y given or from rest. Slip that spreads from contact to contact moves on by one of
 * them with every step of Newton's method, and the residual does not fall before it has arrived: from rest, where all
 * stick, whole steps take it there. */
static fw_status solve_patch(fw_balance *b, fw_continuation *curve, double tolerance, double *room, double *y) {
  fw_newton newton = {.tolerance = tolerance, .most = 25};
  fw_status status = FW_RECOVER_DIVERGED;
  double omega = y[b->n];
  if (cblas_dasum(b->n, y, 1) > 0) {
    status = solve_here(b, curve, &newton, y);
    if (status == FW_OK) fw_balance_scale(b, y, curve->scale);
  }
  for (int whole = 1; whole >= 0 && status > 0; whole--) {
    set_rest(b, omega, y);
    status = raise(b, curve, tolerance, whole, room, y);
  }
  return status;
}

fw_status fw_balance_solve(fw_context *ctx, fw_balance *b, fw_continuation *curve, double tolerance, double *y) {
  double *room;
  FW_TRY(fw_alloc(ctx, (size_t)b->n + 1, sizeof(double), &room));
  bool patch = b->large && !b->control.direction;
  fw_status status = patch ? solve_patch(b, curve, tolerance, room, y) : raise(b, curve, tolerance, false, room, y);
  free(room);
  return status;
}
