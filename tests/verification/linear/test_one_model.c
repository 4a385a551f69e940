/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One model, one answer: linear modes, the nonlinear mode at a small amplitude, the frequency response and the free
 * decay of each deck tell the same frequency and damping ratio. Every deck has these analyses, named modes, nnm, frf
 * and decay, a sensor x and a parameter f0, about which the response is sought. */
#include "verification/deck_run.h"

#include <complex.h>
#include <lapacke.h>

#define LINEAR FW_SOURCE_DIR "/tests/verification/linear/"

typedef struct found {
  double frequency, damping; /* without damping (Hz); ratio */
} found;

/* ---- one analysis after the other ----------------------------------------------------------- */

static found of_modes(const deck_run *run) {
  return (found){deck_number(run, "modes", "modes[0].frequency"), deck_number(run, "modes", "modes[0].damping")};
}

static found of_nnm(const deck_run *run) {
  return (found){deck_number(run, "nnm", "first.frequency"), deck_number(run, "nnm", "first.damping")};
}

/* The last cycle: what else the push set off has died out. */
static found of_decay(const deck_run *run) {
  double f = deck_number(run, "decay", "last.frequency"), zeta = deck_number(run, "decay", "last.damping");
  return (found){f / sqrt(1 - zeta * zeta), zeta};
}

/* One line of the fit, real or imaginary parts: (i w 2 zeta w0) H + w0^2 H - R - S w^2 = w^2 H. */
enum { BY_DAMPING, BY_STIFFNESS, BY_R, BY_R_I, BY_S, BY_S_I, UNKNOWNS };
static void fit_line(double complex H, double w, double *real, double *imaginary) {
  const double complex column[UNKNOWNS] = {I * w * H, H, -1, -I, -w * w, -I * w * w};
  for (int k = 0; k < UNKNOWNS; k++) {
    real[k] = creal(column[k]);
    imaginary[k] = cimag(column[k]);
  }
}

/* The resonance H = (R + S w^2)/(w0^2 - w^2 + 2 i zeta w0 w) through the points of a response, w and H in units of
 * their largest; other modes are in S. */
static found fit(const double *f, const double *amplitude, const double *phase, int rows) {
  enum { MOST = 200 };
  double A[2 * MOST * UNKNOWNS], b[2 * MOST], most = 0, f_most = f[rows - 1];
  assert_in_range(rows, UNKNOWNS, MOST);
  for (int i = 0; i < rows; i++) most = fmax(most, amplitude[i]);
  for (int i = 0; i < rows; i++) {
    double w = f[i] / f_most;
    double complex H = amplitude[i] / most * cexp(I * phase[i] * M_PI / 180);
    fit_line(H, w, A + (ptrdiff_t)2 * i * UNKNOWNS, A + (ptrdiff_t)(2 * i + 1) * UNKNOWNS);
    b[2 * i] = creal(w * w * H);
    b[2 * i + 1] = cimag(w * w * H);
  }
  assert_int_equal(LAPACKE_dgels(LAPACK_ROW_MAJOR, 'N', 2 * rows, UNKNOWNS, 1, A, UNKNOWNS, b, 1), 0);
  double w0 = sqrt(b[BY_STIFFNESS]);
  return (found){w0 * f_most, b[BY_DAMPING] / (2 * w0)};
}

static found of_frf(const deck_run *run) {
  size_t rows;
  const double *f = deck_column(run, "frf", "frf-1", "frequency", &rows),
               *amplitude = deck_column(run, "frf", "frf-1", "x.amplitude", &rows),
               *phase = deck_column(run, "frf", "frf-1", "x.phase", &rows);
  return fit(f, amplitude, phase, (int)rows);
}

/* ---- all together --------------------------------------------------------------------------- */

static void agree(const char *what, found a, found b) {
  char name[80];
  snprintf(name, sizeof name, "%s: frequency (Hz)", what);
  compare(name, a.frequency, b.frequency, 1e-4);
  snprintf(name, sizeof name, "%s: damping", what);
  compare(name, a.damping, b.damping, 1e-2);
}

static void open_deck(const char *path, deck_run *opened) {
  deck_run run;
  deck_try_only(&run, path, NULL, "modes");
  if (!run.results) fail_msg("%s: %s", path, fw_context_message(run.ctx));
  char f0[64];
  snprintf(f0, sizeof f0, "f0=%.10g", of_modes(&run).frequency);
  deck_close(&run);
  deck_open(opened, path, (const char *const[]){f0, NULL});
}

static void agrees(const char *path) {
  deck_run run;
  open_deck(path, &run);
  found modes = of_modes(&run);
  agree("nonlinear mode against linear", of_nnm(&run), modes);
  agree("response against linear mode", of_frf(&run), modes);
  agree("free decay against linear mode", of_decay(&run), modes);
  deck_close(&run);
}

/* A copy of the deck with another text in the place of the element that begins so; in the working directory. */
static void deck_with(const char *path, const char *begin, const char *other, const char *copy) {
  char text[8192];
  FILE *in = fopen(path, "r");
  assert_non_null(in);
  size_t size = fread(text, 1, sizeof text - 1, in);
  fclose(in);
  text[size] = '\0';
  char *from = strstr(text, begin);
  assert_non_null(from);
  const char *to = strstr(from, "/>");
  assert_non_null(to);
  FILE *out = fopen(copy, "w");
  assert_non_null(out);
  fprintf(out, "%.*s%s%s", (int)(from - text), text, other, to + 2);
  fclose(out);
}

static void friction_in_a_joint(void **unused) {
  (void)unused;
  printf("a strip with friction in its slot\n");
  agrees(LINEAR "joint-friction.xml");
  deck_run run;
  open_deck(LINEAR "joint-friction.xml", &run);
  compare("at rest it sticks: frequency (Hz)", deck_number(&run, "rests", "modes[0].frequency"),
          of_modes(&run).frequency, 1e-12);
  deck_close(&run);
}

/* Rigid stick leaves the contact at rest, and without friction there is none: the mode moves no contact. */
static void modes_without_contact(void **unused) {
  (void)unused;
  static const char *const laws[] = {
      "<friction law=\"iwan\" normal-force=\"83\" f-s=\"2e4\" k-t=\"1e7\" chi=\"-0.5\" beta=\"0.5\"/>",
      "<friction law=\"coulomb\" normal-force=\"83\" mu=\"0.5\"/>", ""};
  for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
    printf("a strip in its slot, %s\n", laws[i][0] ? laws[i] : "without friction");
    deck_with(LINEAR "joint-friction.xml", "<friction ", laws[i], "slot.xml");
    agrees("slot.xml");
  }
}

/* Slips that are small against the reach of a bristle, mu N/sigma_0: 4 um and 0.5 mm here. */
static void bristles_in_a_joint(void **unused) {
  (void)unused;
  static const char *const laws[] = {"<friction law=\"dahl\" normal-force=\"83\" mu-c=\"0.5\" sigma-0=\"1e7\"/>",
                                     "<friction law=\"dahl\" normal-force=\"1e4\" mu-c=\"0.5\" sigma-0=\"1e7\"/>",
                                     "<friction law=\"lugre\" normal-force=\"83\" sigma-0=\"1e7\" sigma-1=\"300\"/>",
                                     "<friction law=\"lugre\" normal-force=\"1e4\" sigma-0=\"1e7\" sigma-1=\"300\"/>"};
  for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
    printf("a strip in its slot, %s\n", laws[i]);
    deck_with(LINEAR "joint-friction.xml", "<friction ", laws[i], "bristles.xml");
    agrees("bristles.xml");
    deck_with("bristles.xml", "<nnm ",
              "<nnm id=\"nnm\" response=\"x\" a-min=\"1e-10\" a-max=\"1e-5\" points=\"15\" harmonics=\"3\" "
              "samples=\"64\"/>",
              "curve.xml");
    deck_run run;
    assert_int_equal(deck_try_only(&run, "curve.xml", NULL, "nnm"), FW_OK);
    compare("the curve comes to its end (m)", deck_number(&run, "nnm", "last.amplitude"), 1e-5, 1e-9);
    deck_close(&run);
  }
}

/* A follower that does not touch has no friction, whatever stiffness its law has. */
static void open_points(void **unused) {
  (void)unused;
  printf("bolted beams, one point of two in the air\n");
  deck_with(LINEAR "preloaded-contact.xml", "<friction ", "<friction law=\"dahl\" mu-c=\"0.5\" sigma-0=\"1e7\"/>",
            "dahl.xml");
  deck_with("dahl.xml", "<point at=\"B.toe\"", "<point at=\"B.toe\" offset=\"0, -h/2 + 1e-3\"/>", "open.xml");
  /* Harmonic balance comes to motions of 1e-6 m here for few preloads (20000 N, not 19990 or 20001). */
  deck_with(
      "open.xml", "<nnm ",
      "<nnm id=\"nnm\" start=\"start\" response=\"x\" a-min=\"1e-5\" a-max=\"1.1e-5\" points=\"2\" harmonics=\"3\" "
      "samples=\"64\"/>",
      "far.xml");
  deck_run run;
  open_deck("far.xml", &run);
  compare("where the nonlinear mode begins (Hz)", deck_number(&run, "nnm", "stuck.frequency"), of_modes(&run).frequency,
          1e-9);
  deck_close(&run);
}

/* Contact forces that turn with their surface make the joint softer: 21.8 Hz without them. */
static void preloaded_contact(void **unused) {
  (void)unused;
  static const char *const laws[] = {
      "<normal law=\"linear\" stiffness=\"5e8\"/>",
      "<normal law=\"linear\" stiffness=\"5e8\" chi=\"30\"/>",
      "<normal law=\"power\" stiffness=\"2e11\"/>",
      "<normal law=\"tabulated\" penetrations=\"1e-5, 2e-5, 4e-5\" forces=\"4e3, 9e3, 20e3\"/>",
      "<normal law=\"hard\"/>",
      "<normal law=\"hard\" enforcement=\"penalty\" stiffness=\"1e10\"/>",
  };
  for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
    printf("bolted beams, %s\n", laws[i]);
    deck_with(LINEAR "preloaded-contact.xml", "<normal ", laws[i], "preloaded.xml");
    agrees("preloaded.xml");
  }
}

static void preloaded_springs(void **unused) {
  (void)unused;
  printf("a strip under tension on springs with preload\n");
  agrees(LINEAR "preloaded-spring.xml");
}

static void superelement(void **unused) {
  (void)unused;
  printf("a superelement on a compliant floor\n");
  agrees(LINEAR "superelement.xml");
}

static void gravity_on_joints(void **unused) {
  (void)unused;
  printf("a double pendulum\n");
  agrees(LINEAR "gravity-on-joints.xml");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(friction_in_a_joint),   cmocka_unit_test(preloaded_contact),
                                     cmocka_unit_test(modes_without_contact), cmocka_unit_test(open_points),
                                     cmocka_unit_test(preloaded_springs),     cmocka_unit_test(superelement),
                                     cmocka_unit_test(gravity_on_joints),     cmocka_unit_test(bristles_in_a_joint)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
