/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "elements/space/beam.h"

#include <math.h>
#include <string.h>

#include "elements/beam.h"
#include "elements/space/axes.h"

enum { IN, OUT, PLANES };
enum { TWIST = FW_RX, OTHER_TWIST = FW_SPACE_DOFS + FW_RX };

/* Where the freedoms u1 w1 t1 u2 w2 t2 of a planar beam are among the twelve, and their signs. */
static const int slots[PLANES][FW_BEAM_DOFS] = {
    {FW_X, FW_Y, FW_RZ, FW_SPACE_DOFS + FW_X, FW_SPACE_DOFS + FW_Y, FW_SPACE_DOFS + FW_RZ},
    {FW_X, FW_Z, FW_RY, FW_SPACE_DOFS + FW_X, FW_SPACE_DOFS + FW_Z, FW_SPACE_DOFS + FW_RY}};
static const double signs[PLANES][FW_BEAM_DOFS] = {{1, 1, 1, 1, 1, 1}, {1, 1, -1, 1, 1, -1}};

/* ---- axes -------------------------------------------------------------------------------- */

/* The axis of the deck that is farthest from a direction. */
static void choose_up(const double x[3], double up[3]) {
  int least = 0;
  for (int k = 1; k < 3; k++)
    if (fabs(x[k]) < fabs(x[least])) least = k;
  for (int k = 0; k < 3; k++) up[k] = k == least;
}

bool fw_space_beam_axes(const fw_properties *props, const double *X, double axes[9], double *length) {
  double up[3], along = 0, size = 0, *x = axes, *y = axes + 3, *z = axes + 6;
  for (int k = 0; k < 3; k++) x[k] = X[FW_SPACE_PLACES + k] - X[k];
  *length = hypot(hypot(x[0], x[1]), x[2]);
  if (!(*length > 0)) return false;
  for (int k = 0; k < 3; k++) x[k] /= *length;
  memcpy(up, props->up, sizeof up);
  if (props->round) choose_up(x, up);
  for (int k = 0; k < 3; k++) along += up[k] * x[k], size += up[k] * up[k];
  for (int k = 0; k < 3; k++) y[k] = up[k] - along * x[k];
  double across = sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
  if (!(across > 1e-6 * sqrt(size))) return false;
  for (int k = 0; k < 3; k++) y[k] /= across;
  for (int k = 0; k < 3; k++) z[k] = x[(k + 1) % 3] * y[(k + 2) % 3] - x[(k + 2) % 3] * y[(k + 1) % 3];
  return true;
}

/* ---- the planar beams ---------------------------------------------------------------------- */

/* One of the two, along its own x axis; it points into itself. */
typedef struct bending {
  fw_properties props;
  fw_beam beam;
} bending;

static void bending_make(const fw_properties *props, double l, bool shear, int plane, bending *self) {
  const double X[4] = {0, 0, l, 0};
  double flexible = props->bend_flexibility > 0 ? props->bend_flexibility : 1;
  self->props = *props;
  self->props.kinematics = FW_LINEAR;
  if (plane == OUT) self->props.I = props->I_out, self->props.kappa = props->kappa_out;
  self->props.I /= flexible;
  self->beam = fw_beam_make(&self->props, X, shear);
}

static void bending_stiffness(const fw_properties *props, double l, bool shear, int plane, double *K) {
  static const double rest[FW_BEAM_DOFS] = {0};
  bending b;
  double f[FW_BEAM_DOFS];
  bending_make(props, l, shear, plane, &b);
  fw_beam_force(&b.beam, rest, f, K, NULL);
}

/* Mass per length `added` besides the material's; rotary inertia is that of the section as it is. */
static void bending_mass(const fw_properties *props, double l, bool shear, int plane, double added, double *M) {
  bending b;
  bending_make(props, l, shear, plane, &b);
  double arc = props->arc > 0 ? props->arc : 1;
  b.props.I = plane == OUT ? props->I_out : props->I;
  b.props.rho *= arc;
  b.props.mass_per_length = arc * added;
  fw_beam_mass(&b.beam, M);
}

/* Adds a planar matrix: all of it, the rows and columns of u1 and u2 alone, or all but those. */
typedef enum part { WHOLE, STRETCHING, BENDING } part;

static void add_plane(int plane, part which, const double *planar, double *matrix) {
  for (int i = 0; i < FW_BEAM_DOFS; i++)
    for (int j = 0; j < FW_BEAM_DOFS; j++) {
      bool stretch = i % 3 == 0 && j % 3 == 0, bend = i % 3 != 0 && j % 3 != 0;
      if ((which == STRETCHING && !stretch) || (which == BENDING && !bend)) continue;
      matrix[FW_SPACE_MOST * slots[plane][i] + slots[plane][j]] +=
          signs[plane][i] * signs[plane][j] * planar[FW_BEAM_DOFS * i + j];
    }
}

static void add_twist(double own, double other, double *matrix) {
  matrix[(FW_SPACE_MOST + 1) * TWIST] += own;
  matrix[(FW_SPACE_MOST + 1) * OTHER_TWIST] += own;
  matrix[FW_SPACE_MOST * TWIST + OTHER_TWIST] += other;
  matrix[FW_SPACE_MOST * OTHER_TWIST + TWIST] += other;
}

/* ---- matrices along the element's axes ------------------------------------------------------ */

static void stiffness(const fw_properties *props, double l, bool shear, double *K) {
  double planar[FW_BEAM_SIZE], twist = props->E / (2 * (1 + props->nu)) * props->J / l;
  memset(K, 0, FW_SPACE_SIZE * sizeof *K);
  bending_stiffness(props, l, shear, IN, planar);
  add_plane(IN, WHOLE, planar, K);
  bending_stiffness(props, l, shear, OUT, planar);
  add_plane(OUT, BENDING, planar, K);
  add_twist(twist, -twist, K);
}

static void inertia(const fw_properties *props, double l, bool shear, double *M) {
  double planar[FW_BEAM_SIZE], arc = props->arc > 0 ? props->arc : 1;
  double twist = props->rho * arc * (props->I + props->I_out) * l;
  memset(M, 0, FW_SPACE_SIZE * sizeof *M);
  bending_mass(props, l, shear, IN, props->mass_per_length, planar);
  add_plane(IN, STRETCHING, planar, M);
  for (int plane = IN; plane < PLANES; plane++) {
    bending_mass(props, l, shear, plane, props->mass_per_length + props->across_mass, planar);
    add_plane(plane, BENDING, planar, M);
  }
  add_twist(props->lumped ? twist / 2 : 5 * twist / 12, props->lumped ? 0 : twist / 12, M);
}

/* What resists motion across, spread as the mass of a slender beam: no correction may make it feed energy in. */
static void damping(const fw_properties *props, double l, double *C) {
  double planar[FW_BEAM_SIZE];
  fw_properties fluid = *props;
  memset(C, 0, FW_SPACE_SIZE * sizeof *C);
  fluid.rho = 0;
  fluid.lumped = false;
  for (int plane = IN; plane < PLANES && props->across_damping > 0; plane++) {
    bending_mass(&fluid, l, false, plane, props->across_damping, planar);
    add_plane(plane, BENDING, planar, C);
  }
}

/* ---- what element.h asks for ------------------------------------------------------------------ */

static const char *check_element(const fw_properties *props, const double *X, bool shear) {
  double axes[9], l;
  if (!fw_space_beam_axes(props, X, axes, &l))
    return l > 0 ? "the section is not round: give the tube an orientation across its axis"
                 : "the element has no length";
  if (!(props->J > 0)) return "the section needs a torsion constant J in space";
  for (int plane = IN; plane < PLANES; plane++) {
    bending b;
    bending_make(props, l, shear, plane, &b);
    const char *wrong = fw_beam_check(&b.beam);
    if (wrong) return plane == IN ? wrong : "the section has no second moment or shear factor out of the plane";
  }
  return NULL;
}

/* From the element's axes to those of the freedoms. */
static void globalize(const double *axes, const double *X, double *matrix) {
  const fw_space_axes own = {2, axes, 0}, nodes = fw_space_node_axes(2, X);
  fw_space_turn_matrix_back(&own, matrix);
  fw_space_turn_matrix(&nodes, matrix);
}

static void localize(const double *axes, const double *X, const double *q, double local[FW_SPACE_MOST]) {
  const fw_space_axes own = {2, axes, 0}, nodes = fw_space_node_axes(2, X);
  memcpy(local, q, FW_SPACE_MOST * sizeof *local);
  fw_space_turn_back(&nodes, local);
  fw_space_turn(&own, local);
}

static void multiply(const double *A, const double *x, double factor, double *y) {
  for (int i = 0; i < FW_SPACE_MOST; i++)
    for (int j = 0; j < FW_SPACE_MOST; j++) y[i] += factor * A[FW_SPACE_MOST * i + j] * x[j];
}

/* Adds a matrix along the element's axes, given in `own`, times a vector of the freedoms to `force`, along the axes too. */
static void add_force(const double *axes, const double *X, const double *own, const double *q, double *force) {
  double local[FW_SPACE_MOST];
  localize(axes, X, q, local);
  multiply(own, local, 1, force);
}

/* Vectors are turned, not matrices, unless those are asked for: a step wants forces many times, matrices once. */
static fw_status force_of(const fw_properties *props, const double *X, bool shear, const double *q, const double *v,
                          double *f, double *K, double *C) {
  double axes[9], l, own[FW_SPACE_SIZE];
  if (!fw_space_beam_axes(props, X, axes, &l)) return FW_RECOVER_ELEMENT;
  const fw_space_axes elements = {2, axes, 0}, nodes = fw_space_node_axes(2, X);
  memset(f, 0, FW_SPACE_MOST * sizeof *f);
  stiffness(props, l, shear, own);
  add_force(axes, X, own, q, f);
  if (K) globalize(axes, X, memcpy(K, own, sizeof own));
  damping(props, l, own);
  if (v && props->across_damping > 0) add_force(axes, X, own, v, f);
  if (C) globalize(axes, X, memcpy(C, own, sizeof own));
  fw_space_turn_back(&elements, f);
  fw_space_turn(&nodes, f);
  return FW_OK;
}

static void mass_of(const fw_properties *props, const double *X, bool shear, double *M) {
  double axes[9], l;
  memset(M, 0, FW_SPACE_SIZE * sizeof *M);
  if (!fw_space_beam_axes(props, X, axes, &l)) return;
  inertia(props, l, shear, M);
  globalize(axes, X, M);
}

/* Forces of the nodes on the element, along its axes. */
static bool end_forces(const fw_properties *props, const double *X, bool shear, const double *q, double *local,
                       double *end) {
  double axes[9], l, K[FW_SPACE_SIZE];
  if (!fw_space_beam_axes(props, X, axes, &l)) return false;
  localize(axes, X, q, local);
  stiffness(props, l, shear, K);
  memset(end, 0, FW_SPACE_MOST * sizeof *end);
  multiply(K, local, 1, end);
  return true;
}

static double energy_of(const fw_properties *props, const double *X, bool shear, const double *q) {
  double local[FW_SPACE_MOST], end[FW_SPACE_MOST], sum = 0;
  if (!end_forces(props, X, shear, q, local, end)) return 0;
  for (int i = 0; i < FW_SPACE_MOST; i++) sum += 0.5 * local[i] * end[i];
  return sum;
}

static void field_of(const fw_properties *props, const double *X, bool shear, const double *q, const double *xi,
                     double *out) {
  double local[FW_SPACE_MOST], end[FW_SPACE_MOST], axes[9], l, planar[PLANES][FW_BEAM_FIELDS];
  memset(out, 0, FW_SPACE_BEAM_FIELDS * sizeof *out);
  if (!fw_space_beam_axes(props, X, axes, &l) || !end_forces(props, X, shear, q, local, end)) return;
  for (int plane = IN; plane < PLANES; plane++) {
    bending b;
    bending_make(props, l, shear, plane, &b);
    const double moment[2] = {signs[plane][2] * end[slots[plane][2]], signs[plane][5] * end[slots[plane][5]]};
    fw_beam_section_forces(&b.beam, end[FW_SPACE_DOFS + FW_X], moment, xi, planar[plane]);
  }
  out[FW_SPACE_BEAM_N] = planar[IN][FW_BEAM_N];
  out[FW_SPACE_BEAM_VY] = planar[IN][FW_BEAM_V];
  out[FW_SPACE_BEAM_VZ] = planar[OUT][FW_BEAM_V];
  out[FW_SPACE_BEAM_T] = end[OTHER_TWIST];
  out[FW_SPACE_BEAM_MY] = -planar[OUT][FW_BEAM_M];
  out[FW_SPACE_BEAM_MZ] = planar[IN][FW_BEAM_M];
}

/* Adds the weights of a planar beam for one of ux, uy, rz (IN) or uz, ry (OUT). */
static void add_weights(int plane, const double *planar, double sign, double *row) {
  for (int i = 0; i < FW_BEAM_DOFS; i++) row[slots[plane][i]] += sign * signs[plane][i] * planar[i];
}

/* Rows: motion along the element's axes on freedoms along them. */
static void shapes(const fw_properties *props, double l, bool shear, double s, double rows[][FW_SPACE_MOST]) {
  double u[FW_BEAM_DOFS], w[FW_BEAM_DOFS], theta[FW_BEAM_DOFS];
  memset(rows, 0, FW_SPACE_DOFS * sizeof *rows);
  for (int plane = IN; plane < PLANES; plane++) {
    bending b;
    bending_make(props, l, shear, plane, &b);
    fw_beam_shapes(&b.beam, s, u, w, theta);
    if (plane == IN) add_weights(IN, u, 1, rows[FW_X]);
    add_weights(plane, w, 1, rows[slots[plane][1]]);
    add_weights(plane, theta, signs[plane][2], rows[slots[plane][2]]);
  }
  rows[FW_RX][TWIST] = 1 - s;
  rows[FW_RX][OTHER_TWIST] = s;
}

static void interpolate_of(const fw_properties *props, const double *X, bool shear, const double *xi, double *weights) {
  double axes[9], l, rows[FW_SPACE_DOFS][FW_SPACE_MOST], column[FW_SPACE_DOFS];
  const fw_space_axes own = {2, axes, 0}, point = {1, axes, 0}, nodes = fw_space_node_axes(2, X);
  memset(weights, 0, sizeof rows);
  if (!fw_space_beam_axes(props, X, axes, &l)) return;
  shapes(props, l, shear, 0.5 * (1 + xi[0]), rows);
  for (int i = 0; i < FW_SPACE_DOFS; i++) {
    fw_space_turn_back(&own, rows[i]);
    fw_space_turn(&nodes, rows[i]);
  }
  for (int j = 0; j < FW_SPACE_MOST; j++) {
    for (int i = 0; i < FW_SPACE_DOFS; i++) column[i] = rows[i][j];
    fw_space_turn_back(&point, column);
    for (int i = 0; i < FW_SPACE_DOFS; i++) weights[FW_SPACE_MOST * i + j] = column[i];
  }
}

/* ---- entries ----------------------------------------------------------------------------------- */

static const char *const field_names[] = {"N", "V_y", "V_z", "T", "M_y", "M_z", NULL};

/* The functions of element.h with and without shear. */
#define FW_SPACE_OPS(NAME, SHEAR)                                                                                  \
  static const char *NAME##_check(const fw_properties *props, const double *X) {                                   \
    return check_element(props, X, SHEAR);                                                                         \
  }                                                                                                                \
  static fw_status NAME##_force(const fw_properties *props, const double *X, const double *q, const double *v,     \
                                double *f, double *K, double *C) {                                                 \
    return force_of(props, X, SHEAR, q, v, f, K, C);                                                               \
  }                                                                                                                \
  static void NAME##_mass(const fw_properties *props, const double *X, double *M) { mass_of(props, X, SHEAR, M); } \
  static double NAME##_energy(const fw_properties *props, const double *X, const double *q) {                      \
    return energy_of(props, X, SHEAR, q);                                                                          \
  }                                                                                                                \
  static void NAME##_interpolate(const fw_properties *props, const double *X, const double *xi, double *w) {       \
    interpolate_of(props, X, SHEAR, xi, w);                                                                        \
  }                                                                                                                \
  static void NAME##_field(const fw_properties *props, const double *X, const double *q, const double *xi,         \
                           double *out) {                                                                          \
    field_of(props, X, SHEAR, q, xi, out);                                                                         \
  }

#define FW_SPACE_OPS_LIST(NAME)                                                                        \
  .shape = FW_SHAPE_LINE, .nodes = 2, .rotations = true, .space = true, .kinematics = 1u << FW_LINEAR, \
  .check = NAME##_check, .force = NAME##_force, .mass = NAME##_mass, .energy = NAME##_energy,          \
  .interpolate = NAME##_interpolate, .fields = FW_SPACE_BEAM_FIELDS, .field_names = field_names, .field = NAME##_field

FW_SPACE_OPS(slender, false)
FW_SPACE_OPS(shearing, true)

const fw_element_ops fw_space_euler_bernoulli = {
    .entry = {.name = "euler-bernoulli",
              .summary = "slender beam in space: two planar ones at right angles, and torsion",
              .equation = "N = E A u', M = E I w'' in both planes, T = G J phi'",
              .source = "Przemieniecki, Theory of Matrix Structural Analysis, 1968"},
    FW_SPACE_OPS_LIST(slender),
};

const fw_element_ops fw_space_timoshenko = {
    .entry = {.name = "timoshenko",
              .summary = "beam in space with shear deformation and rotary inertia in both planes, and torsion",
              .equation = "N = E A u', M = E I theta', V = kappa G A (w' - theta) in both planes, T = G J phi'",
              .source =
                  "Friedman, Kosmatka, An improved two-node Timoshenko beam finite element, Comput. Struct. 47, 1993"},
    FW_SPACE_OPS_LIST(shearing),
};
