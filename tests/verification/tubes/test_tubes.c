/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tubes in space without contact: straight ones against the planar beam and closed forms, rings and U-bends, laid along
 * skew axes. Tube A: 15.875 x 1.13 mm, E 2.07e11, nu .3, rho 8430, .2 kg/m added, 1.2 m long; tube B: 17.48 x 1.02 mm,
 * E 1.95e11. */
#include "../deck_run.h"

/* ---- decks --------------------------------------------------------------------------------- */

#define TUBE_A                                                                   \
  "<materials><elastic id='alloy' E='2.07e11' nu='0.3' rho='8430'/></materials>" \
  "<sections><tube id='pipe' diameter='15.875e-3' wall='1.13e-3'/>"              \
  "<tube id='heavy' diameter='15.875e-3' wall='1.13e-3' added-mass='0.2'/></sections>"
#define TUBE_B                                                                   \
  "<materials><elastic id='alloy' E='1.95e11' nu='0.3' rho='8430'/></materials>" \
  "<sections><tube id='pipe' diameter='17.48e-3' wall='1.02e-3'/></sections>"
#define CLAMPED "x='fixed' y='fixed' z='fixed' rx='fixed' ry='fixed' rz='fixed'"

static double mode(const deck_run *run, int i) { return deck_mode(run, "modes", i, "frequency"); }

/* The frequency nearest to the one expected. */
static double nearest(const deck_run *run, int count, double expected) {
  double best = INFINITY;
  for (int i = 0; i < count; i++)
    if (fabs(mode(run, i) - expected) < fabs(best - expected)) best = mode(run, i);
  return best;
}

/* ---- straight tubes -------------------------------------------------------------------------- */

static void both_planes_are_the_planar_beam(void **unused) {
  (void)unused;
  static const char *const elements[] = {"euler-bernoulli", "timoshenko"}, *const masses[] = {"consistent", "lumped"};
  static const char *const ends[] = {"1.2, 0, 0", "0, 0, 1.2", "0.4, -0.8, 0.8"};
  for (int k = 0; k < 4; k++)
    for (int way = 0; way < 3; way++) {
      deck_run beam, tube;
      char what[64];
      deck_open_text(
          &beam,
          "<fretwork version='1'>" TUBE_A
          "<bodies><beam id='t' element='%s' mass='%s' material='alloy' "
          "section='heavy' from='0, 0' to='1.2, 0' divisions='24'><point id='a' s='0'/><point id='b' s='1.2'/></beam>"
          "</bodies><supports><support at='t.a' x='fixed' y='fixed' rz='fixed'/><support at='t.b' x='fixed' "
          "y='fixed' rz='fixed'/></supports><analyses><modal id='modes' modes='3'/></analyses></fretwork>",
          elements[k / 2], masses[k % 2]);
      deck_open_text(
          &tube,
          "<fretwork version='1'>" TUBE_A
          "<bodies><tube id='t' element='%s' mass='%s' material='alloy' "
          "section='heavy' from='0, 0, 0' to='%s' divisions='24'><point id='a' s='0'/><point id='b' s='1.2'/></tube>"
          "</bodies><supports><support at='t.a' " CLAMPED "/><support at='t.b' " CLAMPED
          "/></supports>"
          "<analyses><modal id='modes' modes='6'/></analyses></fretwork>",
          elements[k / 2], masses[k % 2], ends[way]);
      for (int i = 0; i < 6; i++) {
        snprintf(what, sizeof what, "%s, %s, %s, mode %d", elements[k / 2], masses[k % 2], ends[way], i + 1);
        compare(what, mode(&tube, i), mode(&beam, i / 2), 1e-9);
      }
      deck_close(&beam);
      deck_close(&tube);
    }
}

/* Clamped: bending by its roots, torsion and stretching n c/(2 L); a fluid counts in stretching only where it moves
 * along. */
static void straight_tube_has_its_closed_forms(void **unused) {
  (void)unused;
  for (int all = 0; all < 2; all++) {
    deck_run run;
    deck_open_text(&run,
                   "<fretwork version='1'>" TUBE_A
                   "<bodies><tube id='t' material='alloy' section='pipe' from='0, 0, 0' "
                   "to='0.4, -0.8, 0.8' divisions='48' added-mass='0.2' added-mass-acts='%s'><point id='a' s='0'/>"
                   "<point id='b' s='1.2'/></tube></bodies><supports><support at='t.a' " CLAMPED
                   "/><support at='t.b' " CLAMPED
                   "/></supports><analyses><modal id='modes' modes='22'/></analyses></fretwork>",
                   all ? "all" : "across");
    compare("clamped, mode 1", mode(&run, 0), 53.14486719, 1e-6);
    compare("clamped, mode 3", mode(&run, 2), 146.49587286, 1e-6);
    compare("clamped, mode 5", mode(&run, 4), 287.19048488, 1e-5);
    compare("torsion", nearest(&run, 22, 1280.481976), 1280.481976, 1e-6);
    double along = sqrt(2.07e11 * 5.234474556e-5 / (all ? 0.641266205 : 0.441266205)) / 2.4;
    compare("stretching", nearest(&run, 22, along), along, 1e-6);
    if (all) compare("stretching, tabulated", along, 1712.739450, 1e-8);
    deck_close(&run);
  }
}

static void pinned_tube_has_its_closed_forms(void **unused) {
  (void)unused;
  static const double exact[3] = {23.44397815, 93.77591259, 210.99580332};
  deck_run run;
  deck_open_text(
      &run,
      "<fretwork version='1'>" TUBE_A
      "<bodies><tube id='t' material='alloy' section='pipe' from='0, 0, 0' to='0.4, -0.8, 0.8' divisions='48' "
      "added-mass='0.2'><point id='a' s='0'/><point id='b' s='1.2'/></tube><support-plane id='p' at='t.a'/></bodies>"
      "<supports><support at='t.a' x='fixed' y='fixed' z='fixed'/><support at='p.ring' rz='fixed'/>"
      "<support at='t.b' x='fixed' y='fixed' z='fixed'/></supports>"
      "<analyses><modal id='modes' modes='6'/></analyses></fretwork>");
  for (int i = 0; i < 6; i++) compare("pinned at both ends", mode(&run, i), exact[i / 2], 1e-5);
  deck_close(&run);
}

static void free_tube_has_six_rigid_motions(void **unused) {
  (void)unused;
  deck_run run;
  deck_open_text(
      &run, "<fretwork version='1'>" TUBE_A
            "<bodies><tube id='t' material='alloy' section='pipe' from='0, 0, 0' to='0.4, -0.8, 0.8' divisions='48' "
            "added-mass='0.2'/></bodies><analyses><modal id='modes' modes='24'/></analyses></fretwork>");
  for (int i = 0; i < 6; i++) bounded("rigid motion", mode(&run, i), 1e-2);
  compare("free-free bending is the clamped one's", mode(&run, 6), 53.14486719, 1e-6);
  compare("free-free torsion n c/(2 L)", nearest(&run, 24, 1280.481976), 1280.481976, 1e-6);
  deck_close(&run);
}

/* A table that falls off linearly has the mean of its ends in every element. */
static void added_mass_follows_its_table(void **unused) {
  (void)unused;
  static const char *const tables[] = {"added-mass='0.3, 0.3' added-mass-at='0, 1.2'", "added-mass='0.3'",
                                       "added-mass='0.4, 0.2' added-mass-at='0, 1.2'"};
  double first[3];
  for (int k = 0; k < 3; k++) {
    deck_run run;
    deck_open_text(
        &run,
        "<fretwork version='1'>" TUBE_A
        "<bodies><tube id='t' material='alloy' section='pipe' from='0, 0, 0' to='0, 1.2, 0' divisions='12' %s>"
        "<point id='a' s='0'/><point id='b' s='1.2'/></tube></bodies><supports><support at='t.a' " CLAMPED
        "/><support at='t.b' " CLAMPED "/></supports><analyses><modal id='modes' modes='2'/></analyses></fretwork>",
        tables[k]);
    first[k] = mode(&run, 0);
    deck_close(&run);
  }
  compare("a table of equal numbers is one", first[0], first[1], 1e-12);
  compare("half more here, half less there", first[2], first[1], 2e-3); /* odd in the mass: second order */
  assert_true(fabs(first[2] / first[1] - 1) > 1e-6);
}

/* Two equal cantilevers, their tips joined by a spring across: in step its length does not change, out of step it counts
 * twice at each tip. The same tip on a spring of twice the stiffness to the ground. */
static void spring_between_tubes(void **unused) {
  (void)unused;
#define CANTILEVERS(SPRING)                                                                                       \
  "<fretwork version='1'>" TUBE_A                                                                                 \
  "<bodies><tube id='t' material='alloy' section='pipe' from='0, 0, 0' "                                          \
  "to='0.4, -0.8, 0.8' divisions='10'><point id='a' s='0'/><point id='b' s='1.2'/></tube><tube id='u' "           \
  "material='alloy' section='pipe' from='0.2, 0.2, 0.1' to='0.6, -0.6, 0.9' divisions='10'><point id='a' s='0'/>" \
  "<point id='b' s='1.2'/></tube>" SPRING "</bodies><supports><support at='t.a' " CLAMPED                         \
  "/><support at='u.a' " CLAMPED "/></supports><analyses><modal id='modes' modes='4'/></analyses></fretwork>"
  deck_run between, ground;
  deck_open_text(&between, CANTILEVERS("<spring id='s' at='t.b' to='u.b' k='300'/>"));
  deck_open_text(&ground, CANTILEVERS("<spring id='s' at='t.b' ground='0, 0, 0' direction='2, 2, 1' k='600'/>"));
  compare("out of step", mode(&between, 3), mode(&ground, 3), 1e-9);
  compare("in step", mode(&between, 0), mode(&ground, 0), 1e-9);
  assert_true(mode(&between, 3) > 1.05 * mode(&between, 2));
  deck_close(&between);
  deck_close(&ground);
}

/* ---- bends ------------------------------------------------------------------------------------ */

static const double e1[3] = {1. / 3, 2. / 3, 2. / 3}, e2[3] = {2. / 3, 1. / 3, -2. / 3},
                    e3[3] = {2. / 3, -2. / 3, 1. / 3};

/* x e1 + y e2 + z e3 as text. */
static const char *skew(double x, double y, double z, char text[96]) {
  double p[3];
  for (int k = 0; k < 3; k++) p[k] = x * e1[k] + y * e2[k] + z * e3[k];
  snprintf(text, 96, "%.17g, %.17g, %.17g", p[0], p[1], p[2]);
  return text;
}

/* Two bendings i = 2, 3 in the plane and out of it, each twice: i^2 + 1 and i^2 + E I/(G J) in the denominator. */
static void free_ring(void **unused) {
  (void)unused;
  static const double exact[4] = {21.419918, 22.053156, 61.460647, 62.375744};
  double before[4] = {0};
  for (int elements = 72; elements <= 144; elements *= 2) {
    deck_run run;
    char a[96], b[96], c[96], d[96], e[96];
    skew(0, -0.5, 0, a), skew(0.5, -0.5, 0, b), skew(0.5, 0.5, 0, c), skew(-0.5, 0.5, 0, d), skew(-0.5, -0.5, 0, e);
    deck_open_text(
        &run,
        "<fretwork version='1'><materials><elastic id='alloy' E='7.2e10' nu='0.3' rho='2700'/></materials>"
        "<sections><circle id='wire' diameter='10e-3'/></sections><bodies><tube id='t' material='alloy' "
        "section='wire' from='%s' to='%s' divisions='%d'><vertex at='%s' bend-radius='0.5'/><vertex at='%s' "
        "bend-radius='0.5'/><vertex at='%s' bend-radius='0.5'/><vertex at='%s' bend-radius='0.5'/><point id='a' "
        "s='0'/><point id='b' s='pi'/></tube><merge points='t.a, t.b'/></bodies>"
        "<analyses><modal id='modes' modes='14'/></analyses></fretwork>",
        a, a, elements, b, c, d, e);
    for (int i = 0; i < 6; i++) bounded("rigid motion of the ring", mode(&run, i), 1e-2);
    for (int i = 0; i < 4; i++) {
      double error = mode(&run, 6 + 2 * i) / exact[i] - 1;
      compare("free ring", mode(&run, 6 + 2 * i), exact[i], elements == 72 ? 2e-3 : 5e-4);
      compare("its twin", mode(&run, 7 + 2 * i), exact[i], elements == 72 ? 2e-3 : 5e-4);
      if (elements == 144) assert_true(fabs(error) < 0.4 * before[i]);
      before[i] = fabs(error);
    }
    deck_close(&run);
  }
}

/* VPCS, Code_Aster SDLL11: a thin ring of a rectangular section, 5 mm radially, 10 mm along its axis. Out of
 * its plane the reference has three digits and no inertia of twisting, which this ring has by half a percent. */
static void published_ring(void **unused) {
  (void)unused;
  static const double in_plane[3] = {318.36, 900.46, 1726.55}, out_of_plane[2] = {511, 1590};
  deck_run run;
  deck_open_text(
      &run,
      "<fretwork version='1'><materials><elastic id='alloy' E='7.2e10' nu='0.3' rho='2700'/></materials>"
      "<sections><rectangle id='band' width='5e-3' height='10e-3'/></sections><bodies><tube id='t' material='alloy' "
      "section='band' orientation='0, 0, 1' from='0, -0.1, 0' to='0, -0.1, 0' divisions='144'>"
      "<vertex at='0.1, -0.1, 0' bend-radius='0.1'/><vertex at='0.1, 0.1, 0' bend-radius='0.1'/>"
      "<vertex at='-0.1, 0.1, 0' bend-radius='0.1'/><vertex at='-0.1, -0.1, 0' bend-radius='0.1'/>"
      "<point id='a' s='0'/><point id='b' s='0.2*pi'/></tube><merge points='t.a, t.b'/></bodies>"
      "<analyses><modal id='modes' modes='20'/></analyses></fretwork>");
  for (int i = 0; i < 3; i++) compare("VPCS ring, in its plane", nearest(&run, 20, in_plane[i]), in_plane[i], 2e-3);
  for (int i = 0; i < 2; i++)
    compare("VPCS ring, out of it", nearest(&run, 20, out_of_plane[i]), out_of_plane[i], 6e-3);
  deck_close(&run);
}

/* A leg of .4 and a semicircle of .25 under a force at its tip, against Castigliano; along skew axes. */
static void u_bend_under_a_tip_load(void **unused) {
  (void)unused;
  static const double table[2][4] = {{1.312420256e-4, 4.966451142e-4, -2.502415137e-5, 7.767423002e-4},
                                     {1.316173655e-4, 4.968310557e-4, -2.502415137e-5, 7.773035817e-4}};
  for (int shear = 0; shear < 2; shear++) {
    deck_run run;
    char from[96], v1[96], v2[96], to[96], text[2048] = "", sensors[512] = "";
    const double *axes[3] = {e1, e2, e3};
    skew(0, 0, 0, from), skew(0, 0.65, 0, v1), skew(0.5, 0.65, 0, v2), skew(0.5, 0.4, 0, to);
    for (int k = 0; k < 3; k++) {
      char part[256];
      snprintf(part, sizeof part, "<force id='f%d' at='t.b' fx='%.17g' fy='%.17g' fz='%.17g'/>", k, axes[k][0],
               axes[k][1], axes[k][2]);
      strcat(text, part);
    }
    for (int k = 0; k < 3; k++) {
      char part[96];
      snprintf(part, sizeof part, "<sensor id='s%d' at='t.b' direction='%c'/>", k, "xyz"[k]);
      strcat(sensors, part);
    }
    deck_open_text(
        &run,
        "<fretwork version='1'>" TUBE_B
        "<bodies><tube id='t' element='%s' material='alloy' section='pipe' "
        "from='%s' to='%s' divisions='360'><vertex at='%s' bend-radius='0.25'/><vertex at='%s' "
        "bend-radius='0.25'/><point id='a' s='0'/><point id='b' s='0.4 + 0.25*pi'/></tube></bodies><supports>"
        "<support at='t.a' " CLAMPED
        "/></supports><loads>%s</loads><sensors>%s</sensors><analyses><static id='s0' "
        "loads='f0'/><static id='s1' loads='f1'/><static id='s2' loads='f2'/></analyses></fretwork>",
        shear ? "timoshenko" : "euler-bernoulli", from, to, v1, v2, text, sensors);
    double moved[3][3];
    for (int load = 0; load < 3; load++)
      for (int k = 0; k < 3; k++) {
        char analysis[16], path[32];
        snprintf(analysis, sizeof analysis, "s%d", load);
        snprintf(path, sizeof path, "sensors.s%d", k);
        moved[load][k] = deck_number(&run, analysis, path);
      }
    double along[3][3] = {{0}};
    for (int load = 0; load < 3; load++)
      for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) along[load][k] += axes[k][i] * moved[load][i];
    compare("U-bend, xx", along[0][0], table[shear][0], 1e-4);
    compare("U-bend, yy", along[1][1], table[shear][1], 1e-4);
    compare("U-bend, xy", along[0][1], table[shear][2], 1e-4);
    compare("U-bend, zz", along[2][2], table[shear][3], 1e-4);
    bounded("in and out of its plane apart", along[0][2], 1e-10);
    deck_close(&run);
  }
}

/* Two legs of .4 and a bend of .25, ends clamped: 24 elements in the bend, 16 in each leg; mass along the arc. */
static void u_bend_frequencies(void **unused) {
  (void)unused;
  static const double exact[5] = {27.5787, 51.8251, 74.9999, 173.126, 177.577};
  double with_fluid[2];
  deck_run run;
  char a[96], b[96], c[96], d[96];
  skew(0, 0, 0, a), skew(0, 0.65, 0, b), skew(0.5, 0.65, 0, c), skew(0.5, 0, 0, d);
#define U_BEND(EXTRA)                                                                                          \
  "<fretwork version='1'>" TUBE_B                                                                              \
  "<bodies><tube id='t' material='alloy' section='pipe' from='%s' to='%s' "                                    \
  "divisions='56' " EXTRA                                                                                      \
  "><vertex at='%s' bend-radius='0.25'/><vertex at='%s' bend-radius='0.25'/><point id='a' "                    \
  "s='0'/><point id='b' s='0.8 + 0.25*pi'/></tube></bodies><supports><support at='t.a' " CLAMPED               \
  "/><support at='t.b' " CLAMPED "/></supports><analyses><modal id='modes' modes='6'/></analyses></fretwork>", \
      a, d, b, c
  deck_open_text(&run, U_BEND(""));
  for (int i = 0; i < 5; i++) compare("U with two legs", mode(&run, i), exact[i], 2e-3);
  deck_close(&run);
  deck_open_text(&run, U_BEND("added-mass='0.2'"));
  with_fluid[0] = mode(&run, 1);
  deck_close(&run);
  deck_open_text(&run, U_BEND("added-mass='0.2' added-mass-acts='all'"));
  with_fluid[1] = mode(&run, 1);
  deck_close(&run);
  printf("  fluid across only: first frequency in the plane %+.2f %%\n", 100 * (with_fluid[0] / with_fluid[1] - 1));
  assert_true(with_fluid[0] > 1.05 * with_fluid[1] && with_fluid[0] < 1.1 * with_fluid[1]);
}

/* ---- the whole deck turned in space ------------------------------------------------------------ */

/* Rotation by `angle` about a direction (Rodrigues), rows. */
static void rotation(const double axis[3], double angle, double R[3][3]) {
  double c = cos(angle), s = sin(angle), size = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  const double n[3] = {axis[0] / size, axis[1] / size, axis[2] / size};
  const double cross[3][3] = {{0, -n[2], n[1]}, {n[2], 0, -n[0]}, {-n[1], n[0], 0}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) R[i][j] = (i == j ? c : 0) + (1 - c) * n[i] * n[j] + s * cross[i][j];
}

static const char *turned(double R[3][3], double x, double y, double z, char text[96]) {
  double p[3];
  for (int k = 0; k < 3; k++) p[k] = R[k][0] * x + R[k][1] * y + R[k][2] * z;
  snprintf(text, 96, "%.17g, %.17g, %.17g", p[0], p[1], p[2]);
  return text;
}

/* A bent tube with a plate of two faces, bars, a film, gravity, a spring to the ground and a turning force. */
static void run_turned(double R[3][3], deck_run *run) {
  char a[96], b[96], c[96], d[96], e1_text[96], up[96], lead[96];
  double g[3], f[3];
  for (int k = 0; k < 3; k++) g[k] = 0.03 * R[k][0] - 0.9 * R[k][2], f[k] = 20 * R[k][0] + 10 * R[k][1] + 30 * R[k][2];
  deck_open_text(
      run,
      "<fretwork version='1'>" TUBE_B
      "<bodies><tube id='t' element='timoshenko' material='alloy' section='pipe' from='%s' to='%s' divisions='24' "
      "added-mass='0.2' damping='2'><vertex at='%s' bend-radius='0.2'/><vertex at='%s' bend-radius='0.2'/>"
      "<point id='a' s='0'/><point id='p' s='0.8'/><point id='b' s='0.2*pi + 0.9'/></tube>"
      "<spring id='s' at='t.p' ground='0, 0, 0' direction='%s' k='500'/></bodies>"
      "<supports><support at='t.a' " CLAMPED "/><support at='t.b' " CLAMPED
      "/></supports><contact>"
      "<tube-support id='plate' tube='t' at='0.3' kind='drilled' clearance='2e-5' thickness='0.02' first='%s' "
      "film-viscosity='1e-5'><normal law='linear' stiffness='1e6' chi='1'/>"
      "<friction law='coulomb' mu='0.3' enforcement='penalty' u-crit='1e-6'/></tube-support>"
      "<tube-support id='bars' tube='t' at='0.75' kind='flat' clearance='1e-4' angle='30' first='%s'>"
      "<normal law='linear' stiffness='1e6' chi='1'/>"
      "<friction law='coulomb' mu='0.3' enforcement='penalty' u-crit='1e-6'/></tube-support></contact>"
      "<loads><force id='weight' gx='%.17g' gy='%.17g' gz='%.17g'/>"
      "<harmonic id='drive' at='t.p' fx='%.17g' fy='%.17g' fz='%.17g'/></loads>"
      "<sensors><sensor id='x' at='bars.ring' direction='x'/><sensor id='y' at='bars.ring' direction='y'/>"
      "<sensor id='rz' at='bars.ring' direction='rz'/></sensors>"
      "<analyses><modal id='modes' modes='8' contact='open'/><static id='hangs' loads='weight'/>"
      "<transient id='moves' start='hangs' loads='drive' at-frequency='40' periods='1' step='1e-4' observe='1'/>"
      "</analyses></fretwork>",
      turned(R, 0, 0, 0, a), turned(R, 0.5, 0, 0.1, b), turned(R, 0, 0.65, 0, c), turned(R, 0.5, 0.65, 0.1, d),
      turned(R, 1, 2, 3, lead), turned(R, 1, 0, 0.2, e1_text), turned(R, 0.1, 0, 1, up), g[0], g[1], g[2], f[0], f[1],
      f[2]);
}

static void scalars_do_not_know_the_axes(void **unused) {
  (void)unused;
  static const double axis[2][3] = {{1, 2, 3}, {-2, 0.5, 1}};
  static const char *const figures[] = {"sensors.x.max",
                                        "sensors.rz.max",
                                        "contact.plate.normal_max",
                                        "contact.bars-1.normal_max",
                                        "contact.bars-1.work_rate",
                                        "contact.plate.off_plane_slip",
                                        "energy.film",
                                        "energy.friction"};
  double R[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  deck_run straight, other;
  run_turned(R, &straight);
  for (int k = 0; k < 2; k++) {
    rotation(axis[k], 1 + k, R);
    run_turned(R, &other);
    for (int i = 0; i < 8; i++) compare("frequency, turned", mode(&other, i), mode(&straight, i), 1e-9);
    compare("static, turned", deck_number(&other, "hangs", "sensors.y"), deck_number(&straight, "hangs", "sensors.y"),
            1e-8);
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
      compare(figures[i], deck_number(&other, "moves", figures[i]), deck_number(&straight, "moves", figures[i]), 1e-9);
    deck_close(&other);
  }
  deck_close(&straight);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(both_planes_are_the_planar_beam),
                                     cmocka_unit_test(straight_tube_has_its_closed_forms),
                                     cmocka_unit_test(free_tube_has_six_rigid_motions),
                                     cmocka_unit_test(added_mass_follows_its_table),
                                     cmocka_unit_test(spring_between_tubes),
                                     cmocka_unit_test(pinned_tube_has_its_closed_forms),
                                     cmocka_unit_test(free_ring),
                                     cmocka_unit_test(published_ring),
                                     cmocka_unit_test(scalars_do_not_know_the_axes),
                                     cmocka_unit_test(u_bend_under_a_tip_load),
                                     cmocka_unit_test(u_bend_frequencies)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
