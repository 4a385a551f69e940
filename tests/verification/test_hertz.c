/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Line contact of cylinders on a mesh: Hertz's pressure on a rigid plane, and Cattaneo and Mindlin's
 * partial slip between two equal cylinders (equal, so that pressing does not make them slip). */
#include <stdio.h>

#include "plane_bodies.h"

static const double R = 0.01, E = 210e9, nu = 0.3;

/* Half a disc with its round side at the origin: below it (up = false) or above (up = true). */
static fw_mesh *half_disc(fw_context *ctx, bool up, int along, int across, double grading) {
  fw_mesh *mesh = NULL;
  assert_int_equal(fw_mesh_create(ctx, &mesh), FW_OK);
  for (int side = 0; side < 2; side++) {
    fw_mesh_quarter quarter = {.centre = {0.0, up ? R : -R},
                               .radius = R,
                               .angle = up ? -0.5 * M_PI : 0.5 * M_PI,
                               .clockwise = side,
                               .divisions = {along, across},
                               .grading = grading};
    assert_int_equal(fw_mesh_add_quarter_disc(ctx, mesh, &quarter), FW_OK);
  }
  assert_int_equal(fw_mesh_merge(ctx, mesh, 1e-9 * R), FW_OK);
  fw_mesh_orient(mesh);
  return mesh;
}

/* The flat of the upper disc is a rigid platen that does not turn; that of the lower is held. */
static motion platen_and_ground(const double x[2], int body, int direction) {
  (void)direction;
  if (body == 0 && x[1] > R * (1.0 - 1e-9)) return PLATEN;
  return body == 1 && x[1] < -R * (1.0 - 1e-9) ? HELD : FREE;
}

/* A surface of the arc of a body near the origin. */
static fw_surface *arc_surface(plane_bodies *b, const char *body, double reach) {
  char name[32], box[128];
  snprintf(name, sizeof name, "body=%s", body);
  snprintf(box, sizeof box, "within=%.17g,%.17g,%.17g,%.17g", -reach, -reach, reach, reach);
  const char *const settings[] = {name, box};
  return rigid_surface(b->ctx, &b->model, "edges", settings, 2, NULL);
}

/* Contact nodes from left to right, with the length of surface that belongs to each. */
typedef struct contact_row {
  int count;
  double x[400], length[400], p[400], q[400];
  double P, Q; /* sums of the nodal forces */
  fw_touch_status status[400];
} contact_row;

/* Nodal forces become tractions. With linear shape functions and a traction of slope s a node between edges
 * h and k has F = t (h + k)/2 + s (k^2 - h^2)/6, which matters where the mesh is graded. */
static void spread(const contact_row *row, const double *force, double *traction) {
  const int last = row->count - 1;
  for (int i = 0; i <= last; i++) traction[i] = force[i] / row->length[i];
  double raw[400];
  memcpy(raw, traction, sizeof raw);
  for (int i = 1; i < last; i++) {
    const double h = fabs(row->x[i] - row->x[i - 1]), k = fabs(row->x[i + 1] - row->x[i]);
    const double slope = (raw[i + 1] - raw[i - 1]) / (h + k);
    traction[i] -= slope * (k * k - h * h) / 6.0 / row->length[i];
  }
}

static void read_row(const plane_bodies *b, const fw_pair *pair, contact_row *row) {
  *row = (contact_row){.count = pair->count};
  assert_true(row->count <= 400);
  for (int i = 0; i < row->count; i++) row->x[i] = b->model.nodes[pair->followers[i].at.node].x[0];
  const int last = row->count - 1;
  double N[400], T[400];
  for (int i = 0; i <= last; i++) {
    row->length[i] = 0.5 * fabs(row->x[i < last ? i + 1 : last] - row->x[i > 0 ? i - 1 : 0]);
    const fw_touch *touch = &b->state->touch[pair->first_contact + i];
    N[i] = touch->N;
    T[i] = touch->T;
    row->P += N[i];
    row->Q += T[i];
    row->status[i] = touch->status;
  }
  spread(row, N, row->p);
  spread(row, T, row->q);
}

/* p^2 = p0^2 (1 - x^2/a^2) by least squares over the inner part of the contact. */
static void fit_ellipse(const contact_row *row, const double *p, double inner, double *p0, double *a) {
  double s0 = 0, s1 = 0, s2 = 0, t0 = 0, t1 = 0;
  for (int i = 0; i < row->count; i++) {
    if (fabs(row->x[i]) > inner) continue;
    const double u = row->x[i] * row->x[i], v = p[i] * p[i];
    s0 += 1, s1 += u, s2 += u * u, t0 += v, t1 += u * v;
  }
  const double det = s0 * s2 - s1 * s1, c = (s2 * t0 - s1 * t1) / det, d = (s0 * t1 - s1 * t0) / det;
  *p0 = sqrt(c);
  *a = sqrt(-c / d);
}

static void report(const char *what, double computed, double reference, double tolerance) {
  printf("%-50s computed %12.6g reference %12.6g difference %+.2e\n", what, computed, reference,
         computed / reference - 1.0);
  assert_near(computed / reference, 1.0, tolerance);
}

static fw_pair *frictionless_pair(plane_bodies *b, const fw_surface *target, const fw_surface *follower) {
  fw_pair *pair = NULL;
  assert_int_equal(fw_pair_create(b->ctx, "contact", target, 0, &pair), FW_OK);
  assert_int_equal(fw_pair_follow_surface(b->ctx, &b->model, pair, follower), FW_OK);
  const fw_normal_ops *hard = (const fw_normal_ops *)fw_table_find(&fw_normals, "hard");
  fw_args args = entry_args(b->ctx, &hard->entry, NULL, 0);
  assert_int_equal(fw_normal_create(b->ctx, hard, &args, FW_LAGRANGE, &pair->normal), FW_OK);
  fw_args_clear(&args);
  return pair;
}

static void hertz_on_a_rigid_plane(void **unused) {
  (void)unused;
  static char id[] = "disc";
  const double modulus = E / (1.0 - nu * nu), a = 0.05 * R, load = a * a * M_PI * modulus / (4.0 * R);
  plane_bodies b;
  bodies_begin(&b);
  fw_mesh *mesh = half_disc(b.ctx, true, 24, 24, 60.0);
  bodies_add(&b, id, mesh, "quad4i", E, nu);
  bodies_freedoms(&b, platen_and_ground);
  bodies_hold_platen(&b, 1e-3 * E);
  const char *const settings[] = {"from=-1,0", "to=1,0"};
  fw_surface *plane = rigid_surface(b.ctx, &b.model, "line", settings, 2, NULL);
  fw_surface *arc = arc_surface(&b, id, 1.6 * a);
  fw_pair *pair = frictionless_pair(&b, plane, arc);
  b.model.pairs = &pair;
  b.model.pair_count = 1;
  bodies_assemble(&b);
  b.load[1] = -load;
  bodies_solve(&b);
  assert_true(fw_stepper_factors_once(b.stepper));
  contact_row row;
  read_row(&b, pair, &row);
  double p0, width, centre = 0;
  const double P = row.P;
  for (int i = 0; i < row.count; i++) centre = fmax(centre, fabs(row.x[i]) < 1e-9 * R ? row.p[i] : 0.0);
  fit_ellipse(&row, row.p, 0.8 * a, &p0, &width);
  const double a_exact = sqrt(4.0 * P * R / (M_PI * modulus)), p_exact = 2.0 * P / (M_PI * a_exact);
  printf("Hertz: %d freedoms, %d nodes over the contact\n", b.model.dof_count,
         (int)(2 * a / row.length[row.count / 2]));
  report("Hertz load carried (N/m)", P, load + 1e-3 * E * b.state->q[1], 1e-8);
  report("Hertz pressure in the middle (Pa)", centre, p_exact, 0.01);
  report("Hertz p0 fitted (Pa)", p0, p_exact, 0.01);
  report("Hertz half width fitted (m)", width, a_exact, 0.01);
  fw_pair_destroy(&pair);
  fw_surface_destroy(&plane);
  fw_surface_destroy(&arc);
  fw_mesh_destroy(&mesh);
  bodies_end(&b);
}

/* Traction of Cattaneo and Mindlin. */
static double partial_slip(double x, double a, double c, double limit) {
  const double outer = fabs(x) < a ? sqrt(1.0 - x * x / (a * a)) : 0.0;
  const double inner = fabs(x) < c ? c / a * sqrt(1.0 - x * x / (c * c)) : 0.0;
  return limit * (outer - inner);
}

static void cattaneo_mindlin(void **unused) {
  (void)unused;
  static char upper_id[] = "upper", lower_id[] = "lower";
  const double mu = 0.5, share = 0.6; /* Q / mu P */
  const double modulus = E / (1.0 - nu * nu) / 2.0, a = 0.08 * R, load = a * a * M_PI * modulus / (4.0 * R / 2.0);
  plane_bodies b;
  bodies_begin(&b);
  fw_mesh *upper = half_disc(b.ctx, true, 26, 14, 18.0), *lower = half_disc(b.ctx, false, 26, 14, 18.0);
  bodies_add(&b, upper_id, upper, "quad4i", E, nu);
  bodies_add(&b, lower_id, lower, "quad4i", E, nu);
  bodies_freedoms(&b, platen_and_ground);
  bodies_hold_platen(&b, 1e-3 * E);
  fw_surface *target = arc_surface(&b, lower_id, 2.0 * a), *follower = arc_surface(&b, upper_id, 1.5 * a);
  fw_pair *pair = frictionless_pair(&b, target, follower);
  const fw_friction_ops *coulomb = (const fw_friction_ops *)fw_table_find(&fw_laws, "coulomb");
  const char *const settings[] = {"mu=0.5"};
  fw_args args = entry_args(b.ctx, &coulomb->entry, settings, 1);
  assert_int_equal(fw_friction_create(b.ctx, coulomb, &args, (fw_stick){.enforcement = FW_LAGRANGE}, &pair->friction),
                   FW_OK);
  fw_args_clear(&args);
  b.model.pairs = &pair;
  b.model.pair_count = 1;
  bodies_assemble(&b);
  b.load[1] = -load;
  bodies_solve(&b);
  for (int step = 1; step <= 3; step++) {
    b.load[0] = share * mu * load * step / 3.0;
    bodies_solve(&b);
  }
  contact_row row;
  read_row(&b, pair, &row);
  double stuck = 0, p0, width, left, stick;
  const double P = row.P, Q = row.Q;
  fit_ellipse(&row, row.p, 0.8 * a, &p0, &width);
  const double a_exact = sqrt(4.0 * P * R / 2.0 / (M_PI * modulus)), p_exact = 2.0 * P / (M_PI * a_exact);
  const double c_exact = a_exact * sqrt(1.0 - Q / (mu * P));
  /* What stick spares, mu p - q, is an ellipse over the stick zone. */
  double spared[400], worst = 0.0;
  for (int i = 0; i < row.count; i++) {
    spared[i] = mu * row.p[i] - row.q[i];
    if (row.status[i] == FW_STICK) stuck += 0.5 * row.length[i];
  }
  fit_ellipse(&row, spared, 0.8 * c_exact, &left, &stick);
  for (int i = 0; i < row.count; i++) {
    /* the edge of the contact and the cusp where slip begins fall between nodes */
    const double x = fabs(row.x[i]);
    if (fabs(x - a_exact) < 0.15 * a_exact || fabs(x - c_exact) < 0.15 * a_exact) continue;
    const double exact = partial_slip(row.x[i], a_exact, c_exact, mu * p_exact);
    worst = fmax(worst, fabs(row.q[i] - exact) / (mu * p_exact));
  }
  printf("Cattaneo-Mindlin: %d freedoms, %ld iterations, Q/(mu P) = %.4f\n", b.model.dof_count,
         fw_stepper_statistics(b.stepper)->iterations, Q / (mu * P));
  report("Cattaneo-Mindlin p0 fitted (Pa)", p0, p_exact, 0.01);
  report("Cattaneo-Mindlin stick zone c/a, fitted", stick / a_exact, c_exact / a_exact, 0.03);
  report("Cattaneo-Mindlin stick zone c/a, nodes that stick", stuck / a_exact, c_exact / a_exact, 0.15);
  printf("Cattaneo-Mindlin largest traction error over mu p0: %.4f\n", worst);
  assert_true(worst < 0.03);
  fw_pair_destroy(&pair);
  fw_surface_destroy(&target);
  fw_surface_destroy(&follower);
  fw_mesh_destroy(&upper);
  fw_mesh_destroy(&lower);
  bodies_end(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(hertz_on_a_rigid_plane), cmocka_unit_test(cattaneo_mindlin)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
