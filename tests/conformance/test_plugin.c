/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plug-in template built by its one compiler line, loaded, checked and used; wrong plug-ins refused. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "contact/friction/plugin.h"
#include "contact/friction/setting.h"
#include "program.h"
#include "remove_folder.h"

/* Folder for what the tests build; made by the group's set-up. */
static char folder[] = "/tmp/fretwork-plugin-XXXXXX";

/* The line of the template, after an edit (a sed script) of a copy of it. */
static void build(const char *name, const char *edit) {
  char line[2000];
  snprintf(line, sizeof line,
           "cd '%s' && sed '%s' '%s/examples/plugin-law/mylaw.c' > %s.c && "
           "cc -std=c17 -O2 -shared -fPIC -I'%s/include' -o %s.so %s.c -lm",
           folder, edit, FW_SOURCE_DIR, name, FW_SOURCE_DIR, name, name);
  assert_int_equal(system(line), 0);
}

static fw_status load(const char *name, const fw_friction_ops **ops, char *message, size_t room) {
  fw_context *ctx;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  fw_status status = fw_plugin_load(ctx, name, folder, ops);
  snprintf(message, room, "%s", fw_context_message(ctx));
  fw_context_destroy(&ctx);
  return status;
}

static void the_template_works(void **unused) {
  (void)unused;
  const fw_friction_ops *ops;
  char message[500];
  build("mylaw", "");
  if (load("mylaw", &ops, message, sizeof message) != FW_OK) fail_msg("%s", message);
  assert_string_equal(ops->entry.name, "mylaw");
  fw_context *ctx;
  fw_friction law;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  const char *settings[] = {"mu=0.4", "viscous=0"};
  assert_int_equal(fw_law_create(ctx, ops, settings, 2, &law), FW_OK);
  double z = 0.0;
  for (int k = 0; k < 100; k++) {
    double next;
    fw_step_out out = {.z = &next};
    fw_friction_step(&law, &(fw_step_in){.x = {1e-6, 1e-3, 1e-3, 10, 10}, .dt = 1e-3}, &z, &out);
    z = next;
    if (k == 99) assert_near(out.T, 4.0, 1e-9);
  }
  fw_friction_clear(&law);
  fw_context_destroy(&ctx);
}

static void wrong_plugins_are_refused(void **unused) {
  (void)unused;
  const fw_friction_ops *ops;
  char message[500];
  assert_int_not_equal(load("missing", &ops, message, sizeof message), FW_OK);
  assert_non_null(strstr(message, "cannot be loaded"));
  build("nameless", "s/ fretwork_law = / other_law = /");
  assert_int_not_equal(load("nameless", &ops, message, sizeof message), FW_OK);
  assert_non_null(strstr(message, "exports no"));
  build("future", "s/FW_LAW_ABI, /FW_LAW_ABI + 1, /");
  assert_int_not_equal(load("future", &ops, message, sizeof message), FW_OK);
  assert_non_null(strstr(message, "interface"));
  build("boastful", "s/    .scale = scale}/    .scale = scale, .claims = \"drift-free\"}/");
  assert_int_not_equal(load("boastful", &ops, message, sizeof message), FW_OK);
  assert_non_null(strstr(message, "claims"));
  build("negative", "s/fixed_states = 1/fixed_states = -3/");
  assert_int_not_equal(load("negative", &ops, message, sizeof message), FW_OK);
  assert_non_null(strstr(message, "says that it has -3 states"));
  build("careless", "s/out->T_N = .*/out->T_N = 0.0;/");
  assert_int_not_equal(load("careless", &ops, message, sizeof message), FW_OK);
  assert_non_null(strstr(message, "derivatives"));
}

/* A law with a step instead of a rate: the elastic slider z = clamp(z + du, reach), T = mu N z/reach. */
static const char step_law[] =
    "#include <math.h>\n#include \"fretwork_law.h\"\n"
    "static const fw_param params[] = {{\"mu\", FW_PARAM_NUMBER, \"\", \"0.5\", 0, 10, 0, \"friction\"},\n"
    "  {\"reach\", FW_PARAM_NUMBER, \"m\", \"4e-6\", 1e-12, 1, 0, \"slip that it yields\"}, {0}};\n"
    "static void step(const double *c, const fw_step_in *in, const double *z, fw_step_out *out) {\n"
    "  double to = z[0] + in->x[FW_STEP_DU], N = in->x[FW_STEP_N1];\n"
    "  int slides = fabs(to) > c[1];\n"
    "  out->z[0] = slides ? copysign(c[1], to) : to;\n  out->z[%d] = out->z[0];\n"
    "  out->T = c[0] * N * out->z[0] / c[1];\n  if (!out->z_x) return;\n"
    "  for (int k = 0; k < FW_STEP_INPUTS; k++) out->z_x[k] = out->T_x[k] = 0;\n"
    "  out->z_x[FW_STEP_DU] = out->z_z[0] = !slides;\n  out->T_z[0] = out->T_x[FW_STEP_DU] = slides ? 0 : c[0] * N / "
    "c[1];\n"
    "  out->T_x[FW_STEP_N1] = c[0] * out->z[0] / c[1];\n}\n"
    "static double scale(const double *c, double N, int state) { return (void)N, (void)state, c[1]; }\n"
    "static const fw_friction_ops law = {.entry = {\"slider\", \"slider\", \"\", \"\", params}, .fixed_states = 1, "
    ".step = step,"
    " .scale = scale};\nconst fw_law_plugin fretwork_law = {FW_LAW_ABI, &law};\n";

/* Sound with the one state that it has; not where it writes a second. */
static void steps_keep_to_their_states(void **unused) {
  (void)unused;
  const fw_friction_ops *ops;
  char path[200], line[600], message[500];
  for (int beyond = 0; beyond < 2; beyond++) {
    const char *name = beyond ? "wide" : "slider";
    snprintf(path, sizeof path, "%s/%s.c", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, step_law, beyond);
    fclose(file);
    snprintf(line, sizeof line, "cd '%s' && cc -std=c17 -O2 -shared -fPIC -I'%s/include' -o %s.so %s.c -lm", folder,
             FW_SOURCE_DIR, name, name);
    assert_int_equal(system(line), 0);
    fw_status status = load(name, &ops, message, sizeof message);
    if (!beyond && status != FW_OK) fail_msg("%s", message);
    if (beyond && (status == FW_OK || !strstr(message, "beyond"))) fail_msg("%d %s", status, message);
  }
}

/* Sound code, but not beside the deck. */
static void paths_are_refused(void **unused) {
  (void)unused;
  const fw_friction_ops *ops;
  char path[200], message[500];
  snprintf(path, sizeof path, "%s/mylaw.so", folder);
  assert_int_equal(load(path, &ops, message, sizeof message), FW_ERR_ARGUMENT);
  assert_non_null(strstr(message, "from beside the deck"));
  assert_int_equal(load("./mylaw", &ops, message, sizeof message), FW_ERR_ARGUMENT);
  assert_int_equal(load("", &ops, message, sizeof message), FW_ERR_ARGUMENT);
  assert_null(ops);
}

static const char deck_text[] =
    "<fretwork version=\"1\"><title>plug-in</title>\n"
    "<materials><elastic id=\"steel\" E=\"210e9\" nu=\"0.3\" rho=\"7800\"/></materials>\n"
    "<sections><rectangle id=\"strip\" width=\"0.04\" height=\"0.005\"/></sections>\n"
    "<bodies><beam id=\"beam\" material=\"steel\" section=\"strip\" from=\"0, 0\" to=\"0.5, 0\" divisions=\"4\">"
    "<point id=\"clamp\" s=\"0\"/><point id=\"tip\" s=\"0.5\"/></beam></bodies>\n"
    "<supports><support at=\"beam.clamp\" x=\"fixed\" y=\"fixed\" rz=\"fixed\"/></supports>\n"
    "<contact><surface id=\"floor\"><line from=\"0.4, 0\" to=\"0.6, 0\"/></surface>"
    "<pair id=\"foot\" target=\"floor\"><point at=\"beam.tip\"/><normal law=\"hard\"/>\n"
    "<friction law=\"plugin:mylaw\" %s=\"0.4\"/></pair></contact>\n"
    "<loads><force id=\"preload\" at=\"beam.tip\" fy=\"-10\"/></loads>\n"
    "<analyses><static id=\"seated\" loads=\"preload\"/></analyses></fretwork>\n";

static fw_status load_deck(bool allowed, const char *attribute, char *message, size_t room) {
  char path[200];
  snprintf(path, sizeof path, "%s/deck.xml", folder);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fprintf(file, deck_text, attribute);
  fclose(file);
  fw_context *ctx;
  fw_deck *deck = NULL;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  fw_context_allow_plugins(ctx, allowed);
  fw_status status = fw_deck_load(ctx, path, &deck);
  if (status == FW_OK) status = fw_deck_check(ctx, deck);
  snprintf(message, room, "%s", fw_context_message(ctx));
  fw_deck_destroy(&deck);
  fw_context_destroy(&ctx);
  unlink(path);
  return status;
}

/* What a run has computed with one plug-in is not continued with another of its name. */
static void a_changed_plugin_is_not_continued(void **unused) {
  (void)unused;
  static program p;
  char path[200], out[200];
  snprintf(path, sizeof path, "%s/run.xml", folder);
  snprintf(out, sizeof out, "%s/run.out", folder);
  build("mylaw", "");
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fprintf(file, deck_text, "mu");
  fclose(file);
  setenv("XDG_CACHE_HOME", folder, 1); /* marks of plug-ins that passed are not the user's own */
  PROGRAM_RUN(&p, "run", path, "--out", out, "--allow-plugins", "--quiet");
  if (p.code != 0) fail_msg("%s", p.err);
  PROGRAM_RUN(&p, "run", path, "--out", out, "--allow-plugins", "--quiet", "--resume");
  assert_int_equal(p.code, 0);
  build("mylaw", "s/\"0.5\", 0, 10/\"0.6\", 0, 10/");
  PROGRAM_RUN(&p, "run", path, "--out", out, "--allow-plugins", "--quiet", "--resume");
  assert_int_equal(p.code, 2);
  if (!strstr(p.err, "the contents of ")) fail_msg("%s", p.err);
  build("mylaw", "");
  unlink(path);
}

static void a_deck_uses_it_if_allowed(void **unused) {
  (void)unused;
  char message[2000];
  build("mylaw", "");
  if (load_deck(true, "mu", message, sizeof message) != FW_OK) fail_msg("%s", message);
  assert_int_equal(load_deck(false, "mu", message, sizeof message), FW_ERR_DECK);
  assert_non_null(strstr(message, "--allow-plugins"));
  assert_int_equal(load_deck(true, "nu", message, sizeof message), FW_ERR_DECK);
  assert_non_null(strstr(message, "nu"));
}

/* A rate face with viscous friction: in an equilibrium that part is nothing, and jumps nowhere. */
static void it_comes_to_rest(void **unused) {
  (void)unused;
  const fw_friction_ops *ops;
  char message[500];
  build("mylaw", "");
  assert_int_equal(load("mylaw", &ops, message, sizeof message), FW_OK);
  fw_context *ctx;
  fw_friction law;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  const char *settings[] = {"mu=0.4", "viscous=10"};
  assert_int_equal(fw_law_create(ctx, ops, settings, 2, &law), FW_OK);
  const double tiny = 1e-18;
  double T[2], z = 0.0;
  for (int side = 0; side < 2; side++) {
    double next;
    fw_step_out out = {.z = &next};
    fw_friction_step(&law, &(fw_step_in){.x = {side ? tiny : -tiny, 0.0, 0.0, 10, 10}}, &z, &out);
    T[side] = out.T;
  }
  assert_near(T[1] - T[0], 2 * tiny * 4.0 / 4e-6, 1e-15); /* T = mu N du/reach */
  fw_friction_clear(&law);
  fw_context_destroy(&ctx);
}

static const char rest_text[] =
    "<fretwork version=\"1\"><bodies><rigid id=\"b\" at=\"0, 0\" m=\"1\" rotation=\"none\"/>"
    "<spring id=\"k\" at=\"b.centre\" ground=\"1, 0\" direction=\"1, 0\" k=\"1e4\"/></bodies>\n"
    "<contact><surface id=\"floor\"><line from=\"-1, 0\" to=\"1, 0\"/></surface><pair id=\"c\" target=\"floor\">"
    "<point at=\"b.centre\"/><normal law=\"linear\" stiffness=\"1e6\"/><friction "
    "law=\"plugin:mylaw\"/></pair></contact>\n"
    "<loads><force id=\"w\" at=\"b.centre\" fy=\"-10\"/><force id=\"p\" at=\"b.centre\" fx=\"0.02\"/></loads>\n"
    "<sensors><sensor id=\"x\" at=\"b.centre\" direction=\"x\"/></sensors>\n"
    "<analyses><static id=\"s\" loads=\"w\"/><static id=\"pushed\" start=\"s\" loads=\"p\"/></analyses></fretwork>\n";

/* k x + mu N (1 - exp(-x/reach)) = 0.02 N, over a slip so small that one step of the law is as good as many. */
static void a_static_finds_its_equilibrium(void **unused) {
  (void)unused;
  char path[200];
  fw_context *ctx;
  fw_deck *deck;
  fw_results *results;
  double still, x;
  build("mylaw", "");
  snprintf(path, sizeof path, "%s/rest.xml", folder);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(rest_text, file);
  fclose(file);
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  fw_context_allow_plugins(ctx, true);
  assert_int_equal(fw_deck_load(ctx, path, &deck), FW_OK);
  if (fw_run(ctx, deck, NULL, &results) != FW_OK) fail_msg("%s", fw_context_message(ctx));
  assert_int_equal(fw_results_number(results, "analyses.s.sensors.x", &still), FW_OK);
  assert_near(still, 0.0, 1e-15);
  assert_int_equal(fw_results_number(results, "analyses.pushed.sensors.x", &x), FW_OK);
  assert_near(1e4 * x + 5.0 * (1.0 - exp(-x / 4e-6)), 0.02, 1e-6);
  fw_results_destroy(&results);
  fw_deck_destroy(&deck);
  fw_context_destroy(&ctx);
  unlink(path);
}

static int set_up(void **unused) {
  (void)unused;
  return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **unused) {
  (void)unused;
  remove_folder(folder);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_template_works),
      cmocka_unit_test(wrong_plugins_are_refused),
      cmocka_unit_test(paths_are_refused),
      cmocka_unit_test(a_deck_uses_it_if_allowed),
      cmocka_unit_test(a_changed_plugin_is_not_continued),
      cmocka_unit_test(steps_keep_to_their_states),
      cmocka_unit_test(it_comes_to_rest),
      cmocka_unit_test(a_static_finds_its_equilibrium),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
