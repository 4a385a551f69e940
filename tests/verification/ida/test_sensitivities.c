/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Derivatives of the motion by parameters: against closed forms, against
 * differences of whole runs, and where there are none. */
#include <stdlib.h>
#include <unistd.h>

#include "verification/deck_run.h"

#define DECK(name) FW_SOURCE_DIR "/tests/verification/ida/" name ".xml"

/* ---- closed forms
 * ------------------------------------------------------------------------ */

typedef struct spring {
  double m, k, F;
} spring;

/* x, v, a of (F/k) cos(sqrt(k/m) t) by the parameter p of `s`, an ordinary
 * central difference of the closed form. */
static double closed_form(spring s, int parameter, int quantity, double t) {
  double sum = 0.0, *p = parameter == 0 ? &s.m : parameter == 1 ? &s.k : &s.F, value = *p, d = 1e-4 * value;
  for (int k = -2; k <= 2; k++) { /* fourth order */
    static const double weights[] = {1.0, -8.0, 0.0, 8.0, -1.0};
    *p = value + k * d;
    double w = sqrt(s.k / s.m);
    double x[] = {s.F / s.k * cos(w * t), -s.F / s.k * w * sin(w * t), -s.F / s.m * cos(w * t)};
    sum += weights[k + 2] * x[quantity] / (12.0 * d);
  }
  return sum;
}

static void mass_on_a_spring(void **unused) {
  (void)unused;
  static const char *const solvers[] = {"ida", "cvode"}, *const parameters[] = {"m", "k", "F"},
                           *const sensors[] = {"x", "v", "a"};
  const spring s = {1.5, 6000.0, 12.0};
  for (int i = 0; i < 2; i++) {
    deck_run run;
    deck_open(&run, DECK("sensitivity-spring"), NULL);
    printf("%s: largest difference to the closed form, over the largest value\n", solvers[i]);
    for (int p = 0; p < 3; p++)
      for (int q = 0; q < 3; q++) {
        char name[40];
        size_t rows, n;
        snprintf(name, sizeof name, "d %s/d %s", sensors[q], parameters[p]);
        const double *time = deck_column(&run, solvers[i], "sensitivity", "time", &n),
                     *value = deck_column(&run, solvers[i], "sensitivity", name, &rows);
        double most = 0.0, largest = 0.0;
        assert_int_equal(rows, 51);
        for (size_t r = 0; r < rows; r++) {
          double exact = closed_form(s, p, q, time[r]);
          most = fmax(most, fabs(value[r] - exact));
          largest = fmax(largest, fabs(exact));
        }
        compare(name, most / largest, 0.0, 2e-6);
      }
    deck_close(&run);
  }
}

enum { LAST = 20 }; /* row of the last step */

/* ---- the rig
 * -----------------------------------------------------------------------------
 */

typedef struct rig_kind {
  const char *normal, *friction, *solver, *level;
} rig_kind;

static const rig_kind lugre = {"<normal law=\"hard\" enforcement=\"lagrange\" restitution=\"0\"/>",
                               "<friction law=\"lugre-normalised\" mu-s=\"mu\" mu-c=\"0.4\" v-s=\"1e-3\" "
                               "sigma-0=\"sigma0\" sigma-1=\"27.75\"/>",
                               "solver=\"ida\" tolerance=\"1e-8\" displacement-tolerance=\"1e-13\"", "6"};
static const rig_kind dahl = {"<normal law=\"linear\" stiffness=\"1e8\"/>",
                              "<friction law=\"dahl\" mu-c=\"mu\" sigma-0=\"P*sigma0\" exponent=\"1\"/>",
                              "solver=\"cvode\" tolerance=\"1e-8\" displacement-tolerance=\"1e-13\"", "6"};

/* Writes the deck with its gaps filled; `more`: further attributes of the
 * transient. */
static void write_rig(const rig_kind *rig, const char *more, char *path) {
  char line[400];
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  FILE *out = fdopen(descriptor, "w"), *in = fopen(FW_SOURCE_DIR "/tests/verification/ida/sensitivity-rig.xml", "r");
  assert_non_null(in);
  while (fgets(line, sizeof line, in)) {
    char *gap = strstr(line, "SOLVER");
    if (strstr(line, "NORMAL"))
      fprintf(out, "%s\n", rig->normal);
    else if (strstr(line, "FRICTION"))
      fprintf(out, "%s\n", rig->friction);
    else if (gap)
      fprintf(out, "%.*s at-level=\"%s\" %s %s %s", (int)(gap - line), line, rig->level, rig->solver, more,
              gap + strlen("SOLVER"));
    else
      fputs(line, out);
  }
  fclose(in);
  fclose(out);
}

static fw_status run_rig(const rig_kind *rig, const char *more, const char *parameter, double value, deck_run *run) {
  char path[] = "/tmp/fw_sensitivity_XXXXXX", setting[80];
  snprintf(setting, sizeof setting, "%s=%.17g", parameter ? parameter : "", value);
  write_rig(rig, more, path);
  fw_status status = deck_try(run, path, parameter ? (const char *[]){setting, NULL} : NULL);
  unlink(path);
  return status;
}

/* Sensor's last value with the parameter at a value. */
static double final_value(const rig_kind *rig, const char *parameter, double value) {
  deck_run run;
  size_t rows;
  if (run_rig(rig, "", parameter, value, &run) != FW_OK) fail_msg("%s", fw_context_message(run.ctx));
  double last = deck_column(&run, "t", "history", "drive", &rows)[LAST];
  deck_close(&run);
  return last;
}

typedef struct derivative {
  const char *name;
  double value, factor; /* in its unit; unit to SI */
} derivative;

static void derivatives_of_rig(const rig_kind *rig, const char *title, const char *names,
                               const derivative *parameters) {
  deck_run run;
  size_t rows;
  if (run_rig(rig, names, NULL, 0.0, &run) != FW_OK) fail_msg("%s", fw_context_message(run.ctx));
  printf("%s: after 20 ms, against differences of whole runs\n", title);
  for (const derivative *p = parameters; p->name; p++) {
    char name[60], path[80];
    double d = 1e-3 * p->value;
    double plus = final_value(rig, p->name, p->value + d), minus = final_value(rig, p->name, p->value - d);
    snprintf(name, sizeof name, "d drive/d %s", p->name);
    double value = deck_column(&run, "t", "sensitivity", name, &rows)[LAST];
    compare(name, value, (plus - minus) / (2.0 * d * p->factor), 1e-3);
    snprintf(path, sizeof path, "sensitivities.%s.drive", p->name);
    compare("the same in the summary", deck_number(&run, "t", path), value, 1e-12);
  }
  deck_close(&run);
}

static void rig_with_lugre(void **unused) {
  (void)unused;
  static const derivative parameters[] = {
      {"mu", 0.463, 1.0}, {"P", 83.0, 1.0}, {"thick", 4.76, 1e-3}, {NULL, 0.0, 0.0}};
  derivatives_of_rig(&lugre, "LuGre on a hard support, ida", "sensitivities=\"mu, P, thick\"", parameters);
}

static void rig_with_dahl(void **unused) {
  (void)unused;
  static const derivative parameters[] = {{"sigma0", 1.22e5, 1.0}, {"f", 52.5, 1.0}, {NULL, 0.0, 0.0}};
  derivatives_of_rig(&dahl, "Dahl on a compliant support, cvode", "sensitivities=\"sigma0, f\"", parameters);
}

/* ---- refusals
 * ----------------------------------------------------------------------------
 */

static void refused(rig_kind rig, const char *more, const char *says) {
  deck_run run;
  assert_int_not_equal(run_rig(&rig, more, NULL, 0.0, &run), FW_OK);
  printf("  %s\n", fw_context_message(run.ctx));
  assert_non_null(strstr(fw_context_message(run.ctx), says));
  deck_close(&run);
}

static void where_there_are_none(void **unused) {
  (void)unused;
  rig_kind coulomb = lugre, alpha = lugre, hopping = lugre;
  coulomb.friction = "<friction law=\"coulomb\" mu=\"mu\" enforcement=\"lagrange\"/>";
  refused(coulomb, "sensitivities=\"mu\"", "friction law coulomb");
  coulomb.friction = "<friction law=\"maxwell-slip\"/>";
  refused(coulomb, "sensitivities=\"mu\"", "friction law maxwell-slip");
  alpha.solver = "solver=\"alpha\"";
  refused(alpha, "sensitivities=\"mu\"", "ida or cvode");
  refused(lugre, "sensitivities=\"mu\" checkpoint-every=\"0.01\"", "checkpoint-every");
  refused(lugre, "sensitivities=\"nu\"", "nu");
  hopping.level = "400";
  refused(hopping, "sensitivities=\"mu\"", "opens");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(mass_on_a_spring), cmocka_unit_test(rig_with_lugre),
                                     cmocka_unit_test(rig_with_dahl), cmocka_unit_test(where_there_are_none)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
