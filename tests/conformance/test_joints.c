/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every joint of the table: derivatives, closed in the reference, indifferent to common rigid motion. A joint
 * made wrong in one place is caught. */
#include <math.h>
#include <string.h>

#include "cmocka_all.h"
#include "element_samples.h"
#include "elements/joints/symbols.h"

#include <lapacke.h> /* last: its complex.h takes the name I */

enum { DOFS = FW_JOINT_DOFS, ROWS = FW_JOINT_EQUATIONS, STATES = 6 };

typedef struct fw_joint_sample {
  fw_joint joint;
  double constants[16], Xa[2], Xb[2];
  bool grounded;
} fw_joint_sample;

static const fw_joint_ops *find(const char *name) {
  return (const fw_joint_ops *)(const void *)fw_table_find(&fw_joints, name);
}

/* The points of both bodies coincide at (1.1, 0.7), or are apart where the joint needs it. bits: large rotation of a,
 * of b, b the ground, choice. */
static void make(const fw_joint_ops *ops, int bits, int choice, fw_joint_sample *sample) {
  double numbers[8][2];
  fw_given given[8];
  int count = fw_param_count(ops->entry.params);
  *sample = (fw_joint_sample){.Xa = {0.4, 0.3}, .Xb = {1.5, 0.2}, .grounded = bits & 4};
  for (int i = 0; i < count; i++) {
    fw_param_kind kind = ops->entry.params[i].kind;
    numbers[i][0] = kind == FW_PARAM_CHOICE ? choice : 0.6 + 0.1 * i;
    numbers[i][1] = 0.8;
    given[i] = (fw_given){.count = kind == FW_PARAM_NUMBERS ? 2 : 1, .values = numbers[i]};
    if (!ops->pack) sample->constants[i] = numbers[i][0];
  }
  if (ops->pack) ops->pack(given, sample->constants);
  sample->joint = (fw_joint){.ops = ops, .constants = sample->constants};
  sample->joint.a = (fw_attachment){.node = 0, .arm = {0.7, 0.4}, .large_rotation = bits & 1};
  sample->joint.b = (fw_attachment){.node = 1, .arm = {-0.4, 0.5}, .large_rotation = bits & 2};
  if (sample->grounded) {
    sample->Xb[0] = sample->Xb[1] = 0;
    sample->joint.b = (fw_attachment){.node = -1, .arm = {1.1, 0.7}, .large_rotation = bits & 2};
  }
  sample->joint.b.arm[0] += ops->apart ? 4.1 : 0;
  sample->joint.b.arm[1] += ops->apart ? 1.3 : 0;
}

static void evaluate(const fw_joint_sample *s, const double *q, double t, const double *lambda, double *phi,
                     double *phi_t, double *G, double *H) {
  fw_joint_point ends[2];
  fw_joint_ends(&s->joint, s->Xa, s->Xb, q, ends);
  fw_joint_constrain(&s->joint, ends, t, lambda, phi, phi_t, G, H);
}

static void travelled(const fw_joint_sample *s, const double *q, double *value, double *G, double *H) {
  fw_joint_point ends[2];
  fw_joint_ends(&s->joint, s->Xa, s->Xb, q, ends);
  fw_joint_free_coordinate(&s->joint, ends, value, G, H);
}

static void state(const fw_joint_sample *s, unsigned *seed, double *q, double *lambda) {
  for (int i = 0; i < DOFS; i++) q[i] = s->grounded && i >= 3 ? 0 : fw_sample_random(seed);
  for (int i = 0; i < ROWS; i++) lambda[i] = fw_sample_random(seed);
}

/* ---- checks: NULL or a message ----------------------------------------------------------- */

static const char *gradients_are_derivatives(const fw_joint_sample *s) {
  const double h = 1e-5, tolerance = 1e-8;
  int n = s->joint.ops->equations;
  unsigned seed = 1;
  for (int k = 0; k < STATES; k++) {
    double q[DOFS], lambda[ROWS], phi[ROWS], phi_t[ROWS], G[ROWS * DOFS], H[DOFS * DOFS], t = 0.3 + 0.2 * k;
    double plus[ROWS], minus[ROWS], G_plus[ROWS * DOFS], G_minus[ROWS * DOFS];
    state(s, &seed, q, lambda);
    evaluate(s, q, t, lambda, phi, phi_t, G, H);
    for (int j = 0; j < DOFS; j++) {
      double at = q[j];
      q[j] = at + h;
      evaluate(s, q, t, lambda, plus, NULL, G_plus, NULL);
      q[j] = at - h;
      evaluate(s, q, t, lambda, minus, NULL, G_minus, NULL);
      q[j] = at;
      for (int i = 0; i < n; i++)
        if (!(fabs(G[DOFS * i + j] - (plus[i] - minus[i]) / (2 * h)) < tolerance)) return "G is not dphi/dq";
      for (int i = 0; i < DOFS; i++) {
        double second = 0;
        for (int e = 0; e < n; e++) second += lambda[e] * (G_plus[DOFS * e + i] - G_minus[DOFS * e + i]) / (2 * h);
        if (!(fabs(H[DOFS * i + j] - second) < tolerance)) return "H is not the second derivative";
      }
    }
    evaluate(s, q, t + h, NULL, plus, NULL, NULL, NULL);
    evaluate(s, q, t - h, NULL, minus, NULL, NULL, NULL);
    for (int i = 0; i < n; i++)
      if (!(fabs(phi_t[i] - (plus[i] - minus[i]) / (2 * h)) < tolerance)) return "phi_t is not dphi/dt";
  }
  return NULL;
}

static const char *free_coordinate_has_its_derivatives(const fw_joint_sample *s) {
  const double h = 1e-5, tolerance = 1e-8;
  const fw_joint_ops *ops = s->joint.ops;
  unsigned seed = 3;
  for (int k = 0; ops->relative && k < STATES; k++) {
    double q[DOFS], lambda[ROWS], value, plus, minus, G[DOFS], H[DOFS * DOFS], G_plus[DOFS], G_minus[DOFS];
    state(s, &seed, q, lambda);
    travelled(s, q, &value, G, H);
    for (int j = 0; j < DOFS; j++) {
      double at = q[j];
      q[j] = at + h;
      travelled(s, q, &plus, G_plus, NULL);
      q[j] = at - h;
      travelled(s, q, &minus, G_minus, NULL);
      q[j] = at;
      if (!(fabs(G[j] - (plus - minus) / (2 * h)) < tolerance)) return "G is not the free coordinate's gradient";
      for (int i = 0; i < DOFS; i++)
        if (!(fabs(H[DOFS * i + j] - (G_plus[i] - G_minus[i]) / (2 * h)) < tolerance))
          return "H is not the free coordinate's second derivative";
    }
  }
  return NULL;
}

/* True if the equations depend on time. */
static bool moves(const fw_joint_sample *s) {
  const double rest[DOFS] = {0};
  double phi[ROWS], phi_t[ROWS], most = 0;
  evaluate(s, rest, 0.1, NULL, phi, phi_t, NULL, NULL);
  for (int i = 0; i < s->joint.ops->equations; i++) most = fmax(most, fabs(phi_t[i]));
  return most > 0;
}

static const char *closed_in_the_reference(const fw_joint_sample *s) {
  const double rest[DOFS] = {0};
  double phi[ROWS];
  if (moves(s)) return NULL;
  evaluate(s, rest, 0, NULL, phi, NULL, NULL, NULL);
  for (int i = 0; i < s->joint.ops->equations; i++)
    if (!(fabs(phi[i]) < 1e-15)) return "the joint is open in the reference";
  return NULL;
}

/* Both bodies move together: nothing happens. Finite if both turn through large angles, else to first order. */
static const char *common_motion_is_free(const fw_joint_sample *s) {
  if (s->grounded || moves(s)) return NULL;
  bool large = s->joint.a.large_rotation && s->joint.b.large_rotation;
  double angle = large ? 2.4 : 1e-7, c = cos(angle), sn = sin(angle), phi[ROWS], q[DOFS];
  for (int k = 0; k < 2; k++) {
    const double *X = k ? s->Xb : s->Xa;
    q[3 * k] = c * X[0] - sn * X[1] - X[0] + 0.3;
    q[3 * k + 1] = sn * X[0] + c * X[1] - X[1] - 0.2;
    q[3 * k + 2] = angle;
  }
  evaluate(s, q, 0, NULL, phi, NULL, NULL, NULL);
  for (int i = 0; i < s->joint.ops->equations; i++)
    if (!(fabs(phi[i]) < (large ? 1e-14 : 1e-12))) return "common motion opens the joint";
  return NULL;
}

static const char *equations_are_independent(const fw_joint_sample *s) {
  double q[DOFS], lambda[ROWS], phi[ROWS], G[ROWS * DOFS], singular[ROWS], super[ROWS], none[1];
  int n = s->joint.ops->equations;
  unsigned seed = 2;
  state(s, &seed, q, lambda);
  evaluate(s, q, 0, lambda, phi, NULL, G, NULL);
  if (LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'N', n, DOFS, G, DOFS, singular, none, 1, none, DOFS, super) != 0)
    return "no singular values";
  return singular[n - 1] > 1e-3 ? NULL : "the equations depend on each other";
}

/* Attachments that turn little leave the equations linear. */
static const char *small_rotations_are_linear(const fw_joint_sample *s) {
  if (s->joint.a.large_rotation || s->joint.b.large_rotation) return NULL;
  double q[DOFS], lambda[ROWS], phi[ROWS], H[DOFS * DOFS];
  unsigned seed = 3;
  state(s, &seed, q, lambda);
  evaluate(s, q, 0, lambda, phi, NULL, NULL, H);
  for (int i = 0; i < DOFS * DOFS; i++)
    if (H[i] != 0) return "a joint between small rotations is not linear";
  return NULL;
}

static const char *suite(const fw_joint_ops *ops) {
  static const char *(*const checks[])(const fw_joint_sample *) = {
      gradients_are_derivatives, free_coordinate_has_its_derivatives, closed_in_the_reference,
      common_motion_is_free,     equations_are_independent,           small_rotations_are_linear};
  if (ops->equations < 1 || ops->equations > FW_JOINT_EQUATIONS) return "the number of equations is odd";
  for (int bits = 0; bits < 8; bits++)
    for (int choice = 0; choice < 3; choice++)
      for (size_t c = 0; c < sizeof checks / sizeof *checks; c++) {
        fw_joint_sample sample;
        make(ops, bits, choice, &sample);
        if (ops->check && ops->check(sample.constants)) return "sound constants are refused";
        const char *message = checks[c](&sample);
        if (message) return message;
      }
  return NULL;
}

/* ---- tests ------------------------------------------------------------------------------- */

static void every_joint_passes(void **unused) {
  (void)unused;
  int wrong = 0;
  for (const fw_entry *const *entry = fw_joints.entries; *entry; entry++) {
    const char *message = suite((const fw_joint_ops *)(const void *)*entry);
    print_message("%-14s %s\n", (*entry)->name, message ? message : "passes");
    wrong += message != NULL;
  }
  assert_int_equal(wrong, 0);
}

/* One sign of G flipped. */
static void wrong_gradient(const fw_joint *joint, const fw_joint_point *a, const fw_joint_point *b, double t,
                           const double *lambda, double *phi, double *phi_t, double *G, double *H) {
  find("prismatic")->constraint(joint, a, b, t, lambda, phi, phi_t, G, H);
  if (G) G[5] = -G[5];
}

/* One sign of H flipped. */
static void wrong_second(const fw_joint *joint, const fw_joint_point *a, const fw_joint_point *b, double t,
                         const double *lambda, double *phi, double *phi_t, double *G, double *H) {
  find("revolute")->constraint(joint, a, b, t, lambda, phi, phi_t, G, H);
  if (H) H[14] = -H[14];
}

/* A slot that does not turn with its body. */
static void wrong_slot(const fw_joint *joint, const fw_joint_point *a, const fw_joint_point *b, double t,
                       const double *lambda, double *phi, double *phi_t, double *G, double *H) {
  const double *arm = joint->b.arm;
  fw_joint_point still = *b;
  still.rz = 0;
  for (int k = 0; k < 2; k++) /* back by what the rotation moved it */
    still.p[k] -= b->large_rotation ? (k ? -b->p_rz[0] : b->p_rz[1]) - arm[k] : b->rz * b->p_rz[k];
  find("pin-in-slot")->constraint(joint, a, &still, t, lambda, phi, phi_t, G, H);
  if (G) G[5] = 0;
  for (int i = 0; H && i < DOFS; i++) H[DOFS * i + 5] = H[DOFS * 5 + i] = 0;
}

static void a_wrong_joint_is_caught(void **unused) {
  (void)unused;
  fw_joint_ops wrong = *find("prismatic");
  wrong.constraint = wrong_gradient;
  assert_string_equal(suite(&wrong), "G is not dphi/dq");
  wrong = *find("revolute");
  wrong.constraint = wrong_second;
  assert_string_equal(suite(&wrong), "H is not the second derivative");
  wrong = *find("pin-in-slot");
  wrong.constraint = wrong_slot;
  assert_string_equal(suite(&wrong), "common motion opens the joint");
}

static void a_zero_axis_is_refused(void **unused) {
  (void)unused;
  assert_non_null(find("prismatic")->check((double[]){2, 0, 0}));
  assert_non_null(find("pin-in-slot")->check((double[]){1, 1, 0}));
  assert_null(find("pin-in-slot")->check((double[]){2, 0, 1}));
}

/* u = displacement + velocity t + amplitude cos(2 pi f t + phase), in each direction. */
static void prescribed_motion_is_followed(void **unused) {
  (void)unused;
  fw_joint_sample sample;
  const double t = 0.35, motion = 0.1 + 0.2 * t + 0.3 * cos(2 * M_PI * 1.5 * t + 0.4);
  for (int direction = 0; direction < 3; direction++) {
    make(find("prescribed"), 7, direction, &sample);
    const double c[] = {direction, 0.1, 0.2, 0.3, 1.5, 0.4};
    memcpy(sample.constants, c, sizeof c);
    sample.joint.a.arm[0] = sample.joint.a.arm[1] = 0;
    double q[DOFS] = {0}, phi[1];
    q[direction] = motion;
    evaluate(&sample, q, t, NULL, phi, NULL, NULL, NULL);
    assert_true(fabs(phi[0]) < 1e-15);
  }
}

/* ---- symbols ------------------------------------------------------------------------------- */

/* What a symbol drew: how many corners, and whether each is a place on the picture. */
typedef struct sheet {
  int corners;
  bool sound;
} sheet;

static fw_status count_corners(void *user, bool on_b, bool fixed, const double (*corners)[2], int count, bool closed) {
  sheet *s = user;
  (void)on_b, (void)fixed, (void)closed;
  for (int i = 0; i < count; i++) s->sound = s->sound && fabs(corners[i][0]) < 1e3 && fabs(corners[i][1]) < 1e3;
  s->corners += count;
  return FW_OK;
}

static fw_status count_line(void *user) {
  ((sheet *)user)->corners += 2;
  return FW_OK;
}

static void draws(const fw_joint_ops *ops) {
  fw_joint_sample sample;
  sheet drawn = {.sound = true};
  const fw_joint_pen pen = {.user = &drawn, .size = 0.1, .apart = 2, .polyline = count_corners, .between = count_line};
  make(ops, 0, 0, &sample);
  assert_int_equal(fw_joint_draw(&sample.joint, &pen), FW_OK);
  assert_true(drawn.corners >= 2 && drawn.sound);
}

/* Also one that says nothing of its looks. */
static void every_joint_draws_itself(void **unused) {
  (void)unused;
  for (const fw_entry *const *entry = fw_joints.entries; *entry; entry++)
    draws((const fw_joint_ops *)(const void *)*entry);
  fw_joint_ops silent = *find("revolute");
  silent.draw = NULL;
  silent.entry.name = "my-joint";
  draws(&silent);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_joint_draws_itself),      cmocka_unit_test(every_joint_passes),
      cmocka_unit_test(a_wrong_joint_is_caught),       cmocka_unit_test(a_zero_axis_is_refused),
      cmocka_unit_test(prescribed_motion_is_followed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
