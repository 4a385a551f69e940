/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "deck.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/friction/friction.h"
#include "elements/element.h"

/* Where everything is: the body along x from 0 to 0.2 m, 0.01 m high, its tip over a floor at y = -0.01 m. */

typedef struct writer {
  FILE *file;
  const features *f;
  const choice *c;
  const char *step;
  uint64_t seed;
  const placement *at;
  char text[8][64]; /* the last vectors written */
  int texts;
} writer;

const placement as_drawn = {.side = 1};

static bool is(const writer *w, feature which, const char *name) { return chose(w->f, w->c, which, name); }
static const char *word(const writer *w, feature which) { return chosen(w->f, w->c, which); }

static bool is_rigid(const writer *w) { return is(w, BODY, "block") || is(w, BODY, "disc"); }
static bool is_beam(const writer *w) { return is(w, BODY, "euler-bernoulli") || is(w, BODY, "timoshenko"); }
static bool is_plane(const writer *w) { return !is_rigid(w) && !is_beam(w); }
static bool turns(const writer *w) { return is(w, BODY, "disc") || is_beam(w); }
static bool touches(const writer *w) { return !is(w, NORMAL, "none"); }

/* ---- how it lies ------------------------------------------------------------------------- */

static void turn(const writer *w, double along, double across, double out[2]) {
  double angle = w->at->angle * M_PI / 180, c = cos(angle), s = sin(angle);
  across *= w->at->side;
  out[0] = c * along - s * across;
  out[1] = s * along + c * across;
}

/* A vector of the model, and a place, as they lie: "x, y". */
static const char *vector(writer *w, double x, double y) {
  double v[2];
  char *text = w->text[w->texts++ % 8];
  turn(w, x, y, v);
  snprintf(text, sizeof w->text[0], "%.17g, %.17g", v[0], v[1]);
  return text;
}

static const char *place(writer *w, double x, double y) {
  double v[2];
  char *text = w->text[w->texts++ % 8];
  turn(w, x, y, v);
  snprintf(text, sizeof w->text[0], "%.17g, %.17g", w->at->dx + v[0], w->at->dy + v[1]);
  return text;
}

/* The axis that the model's x axis (or y axis) lies along. */
static char axis(const writer *w, char of_model) {
  bool across = fabs(sin(w->at->angle * M_PI / 180)) > 0.7;
  return across == (of_model == 'x') ? 'y' : 'x';
}

/* Whether the model's x axis lies along an axis (1) or against it (-1). */
static int sense(const writer *w) {
  double along[2];
  turn(w, 1, 0, along);
  return along[0] + along[1] < 0 ? -1 : 1;
}

/* ---- bodies ------------------------------------------------------------------------------ */

static void write_rigid(writer *w) {
  fprintf(w->file, "<rigid id=\"b\" at=\"%s\" m=\"%.3g\"", place(w, 0.2, 0), random_between(&w->seed, 0.05, 0.2));
  if (is(w, BODY, "block"))
    fputs(" rotation=\"none\">", w->file);
  else
    fprintf(w->file, " J=\"1e-4\" rotation=\"%s\">", is(w, KINEMATICS, "linear") ? "small" : "large");
  fputs("<point id=\"mid\" offset=\"0, 0\"/><point id=\"tip\" offset=\"0, 0\"/></rigid>\n", w->file);
}

static void write_beam(writer *w) {
  const char *kinematics = is(w, KINEMATICS, "linear")     ? "linear"
                           : is(w, KINEMATICS, "moderate") ? "von-karman"
                                                           : "co-rotational";
  fprintf(w->file,
          "<beam id=\"b\" element=\"%s\" kinematics=\"%s\" material=\"m\" section=\"q\" from=\"%s\" to=\"%s\" "
          "divisions=\"%d\"><point id=\"root\" s=\"0\"/><point id=\"mid\" s=\"0.1\"/><point id=\"tip\" "
          "s=\"0.2\"/></beam>\n",
          word(w, BODY), kinematics, place(w, 0, 0), place(w, 0.2, 0), 2 + random_below(&w->seed, 3));
}

/* Corners go round anticlockwise: mirrored they begin with the second, and left and right change places. */
static void write_plane(writer *w) {
  static const double corners[][2] = {{0, -0.005}, {0.2, -0.005}, {0.2, 0.005}, {0, 0.005}};
  static const int order[2][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}};
  bool mirrored = w->at->side < 0;
  fprintf(w->file,
          "<plane id=\"b\" element=\"%s\" kinematics=\"%s\" material=\"m\" thickness=\"0.02\"><block corners=\"",
          word(w, BODY), is(w, KINEMATICS, "linear") ? "linear" : "total-lagrangian");
  for (int k = 0; k < 4; k++) {
    const double *corner = corners[order[mirrored][k]];
    fprintf(w->file, "%s%s", k ? ", " : "", place(w, corner[0], corner[1]));
  }
  fprintf(w->file, "\" divisions=\"%d, 2\" %s=\"held\"/>", 2 + 2 * random_below(&w->seed, 2),
          mirrored ? "right" : "left");
  fprintf(w->file, "<point id=\"root\" at=\"%s\"/><point id=\"mid\" at=\"%s\"/><point id=\"tip\" at=\"%s\"/></plane>\n",
          place(w, 0, 0), place(w, 0.1, 0), place(w, 0.2, 0));
}

/* Wheels, levers and carriages at the tip. */
static void write_partner(writer *w) {
  if (is(w, JOINT, "none") || is(w, JOINT, "prescribed") || is(w, JOINT, "rod")) return;
  fprintf(w->file, "<rigid id=\"c\" at=\"%s\" m=\"0.02\" J=\"1e-5\" rotation=\"large\">", place(w, 0.2, 0));
  fputs("<point id=\"arm\" offset=\"0, 0\"/></rigid>\n", w->file);
  if (is(w, JOINT, "prismatic") || is(w, JOINT, "pin-in-slot") || is(w, JOINT, "rack"))
    fprintf(w->file, "<spring id=\"g\" at=\"c.centre\" direction=\"%s\" k=\"1e4\"/>\n", vector(w, 1, 0));
  if (is(w, JOINT, "gear") || is(w, JOINT, "rack"))
    fprintf(w->file, "<rigid id=\"d\" at=\"%s\" m=\"0.02\" J=\"1e-5\" rotation=\"large\"/>\n", place(w, 0.3, 0));
  if (is(w, JOINT, "rack"))
    fprintf(w->file, "<spring id=\"h\" at=\"d.centre\" direction=\"%s\" k=\"1e4\"/>\n", vector(w, 1, 0));
}

static void write_point_element(writer *w) {
  if (is(w, POINT_ELEMENT, "none")) return;
  fprintf(w->file, "<%s id=\"e\" at=\"b.tip\"", word(w, POINT_ELEMENT));
  if (is(w, POINT_ELEMENT, "mass")) fputs(" m=\"0.01\"", w->file);
  if (is(w, POINT_ELEMENT, "spring"))
    fprintf(w->file, " ground=\"%s\" direction=\"%s\" k=\"1e4\"", place(w, 0.2, 0.1), vector(w, 0, 1));
  if (is(w, POINT_ELEMENT, "damper"))
    fprintf(w->file, " ground=\"%s\" direction=\"%s\" c=\"1\"", place(w, 0.2, 0.1), vector(w, 0, 1));
  if (is(w, POINT_ELEMENT, "torsional-spring")) fputs(" k=\"5\"", w->file);
  if (is(w, POINT_ELEMENT, "torsional-damper")) fputs(" c=\"0.01\"", w->file);
  if (is(w, POINT_ELEMENT, "elastic-support")) fputs(" kx=\"1e4\" ky=\"1e4\" cx=\"1\" cy=\"1\"", w->file);
  if (is(w, POINT_ELEMENT, "squeeze-film"))
    fprintf(w->file, " centre=\"%s\" viscosity=\"1\" clearance=\"0.02\" radius=\"0.05\" length=\"0.05\"",
            place(w, 0.2, 0));
  if (is(w, POINT_ELEMENT, "bushing")) fputs(" to=\"a.centre\" kx=\"1e4\" ky=\"1e4\"", w->file);
  fputs("/>\n", w->file);
}

static void write_bodies(writer *w) {
  fputs(
      "<materials><elastic id=\"m\" E=\"70e9\" nu=\"0.3\" rho=\"2700\"/></materials>\n"
      "<sections><rectangle id=\"q\" width=\"0.02\" height=\"0.01\"/></sections>\n<bodies>\n",
      w->file);
  if (is_rigid(w)) write_rigid(w);
  if (is_beam(w)) write_beam(w);
  if (is_plane(w)) write_plane(w);
  if (is(w, POINT_ELEMENT, "bushing"))
    fprintf(w->file, "<rigid id=\"a\" at=\"%s\" m=\"0.01\" rotation=\"none\"/>\n", place(w, 0.2, 0));
  write_partner(w);
  write_point_element(w);
  fputs("</bodies>\n", w->file);
}

/* ---- how they are held ------------------------------------------------------------------- */

static void write_joints(writer *w) {
  if (is(w, JOINT, "none")) return;
  const char *name = word(w, JOINT);
  fputs("<joints>", w->file);
  if (is(w, JOINT, "prescribed"))
    fprintf(w->file, "<prescribed id=\"j\" a=\"b.tip\" direction=\"%c\" amplitude=\"%g\" frequency=\"150\"/>",
            axis(w, 'x'), 1e-6 * sense(w));
  else if (is(w, JOINT, "rod"))
    fprintf(w->file, "<rod id=\"j\" a=\"b.mid\" ground=\"%s\"/>", place(w, 0.1, 0.5));
  else if (is(w, JOINT, "gear"))
    fprintf(w->file,
            "<revolute id=\"i\" a=\"c.centre\"/><revolute id=\"k\" a=\"d.centre\"/>"
            "<gear id=\"j\" a=\"c.centre\" b=\"d.centre\" teeth-a=\"10\" teeth-b=\"20\"/>");
  else if (is(w, JOINT, "rack"))
    fprintf(w->file,
            "<prismatic id=\"i\" a=\"d.centre\" axis=\"%s\"/><pin-in-slot id=\"k\" a=\"c.centre\" axis=\"%s\"/>"
            "<rack id=\"j\" a=\"c.centre\" axis=\"%s\" radius=\"0.02\"/>",
            vector(w, 1, 0), vector(w, 1, 0), vector(w, 1, 0));
  else if (is(w, JOINT, "prismatic") || is(w, JOINT, "pin-in-slot"))
    fprintf(w->file, "<%s id=\"j\" a=\"c.arm\" b=\"b.tip\" axis=\"%s\"/>", name, vector(w, 1, 0));
  else
    fprintf(w->file, "<%s id=\"j\" a=\"c.arm\" b=\"b.tip\"/>", name);
  fputs("</joints>\n", w->file);
}

static void write_damping(writer *w) {
  if (is(w, DAMPING, "rayleigh")) fputs("<damping><rayleigh alpha=\"20\"/></damping>\n", w->file);
  if (is(w, DAMPING, "modal")) fputs("<damping><modal ratios=\"0.01\"/></damping>\n", w->file);
  if (is(w, DAMPING, "hysteretic")) fputs("<damping><hysteretic loss-factor=\"0.02\"/></damping>\n", w->file);
}

static void write_supports(writer *w) {
  bool c_turns = is(w, JOINT, "revolute") || is(w, JOINT, "pin-in-slot") || is(w, JOINT, "gear") ||
                 (is(w, JOINT, "weld") && !turns(w)) || (is(w, JOINT, "prismatic") && !turns(w));
  fputs("<supports>", w->file);
  if (is_rigid(w))
    fprintf(w->file, "<support at=\"b.tip\" x=\"4e5\" y=\"4e5\"%s/>", is(w, BODY, "disc") ? " rz=\"200\"" : "");
  if (is_beam(w)) fputs("<support at=\"b.root\" x=\"fixed\" y=\"fixed\" rz=\"fixed\"/>", w->file);
  if (is_plane(w)) fputs("<support at=\"b.held\" x=\"fixed\" y=\"fixed\"/>", w->file);
  if (c_turns) fputs("<support at=\"c.centre\" rz=\"5\"/>", w->file);
  fputs("</supports>\n", w->file);
}

/* ---- contact ----------------------------------------------------------------------------- */

static const fw_friction_ops *law_of(const features *f, const choice *c) {
  return (const fw_friction_ops *)fw_table_find(&fw_laws, chosen(f, c, LAW));
}

static void write_normal(writer *w) {
  if (is(w, NORMAL, "hard-penalty"))
    fputs("<normal law=\"hard\" enforcement=\"penalty\"/>", w->file);
  else if (is(w, NORMAL, "hard-restitution"))
    fputs("<normal law=\"hard\" restitution=\"0.5\"/>", w->file);
  else if (is(w, NORMAL, "linear"))
    fputs("<normal law=\"linear\" stiffness=\"1e7\"/>", w->file);
  else if (is(w, NORMAL, "power"))
    fputs("<normal law=\"power\" stiffness=\"5e9\"/>", w->file);
  else if (is(w, NORMAL, "tabulated"))
    fputs("<normal law=\"tabulated\" penetrations=\"1e-6, 1e-5\" forces=\"8, 100\"/>", w->file);
  else
    fprintf(w->file, "<normal law=\"%s\"/>", word(w, NORMAL));
}

static void write_friction(writer *w) {
  const fw_friction_ops *law = law_of(w->f, w->c);
  if (!law) return;
  fprintf(w->file, "<friction law=\"%s\"", law->entry.name);
  if (law->limit && !law->rate && !law->step)
    fprintf(w->file, " enforcement=\"%s\"%s", word(w, STICK), is(w, STICK, "penalty") ? " u-crit=\"1e-6\"" : "");
  fputs("/>", w->file);
}

/* Outside is left of a line: mirrored it goes the other way. Arcs go from a smaller angle to a larger. */
static void write_surface(writer *w) {
  bool mirrored = w->at->side < 0;
  double from = mirrored ? 0.3 : 0.1, to = mirrored ? 0.1 : 0.3;
  fputs("<contact><surface id=\"f\">", w->file);
  if (is(w, SURFACE, "line"))
    fprintf(w->file, "<line from=\"%s\" to=\"%s\"/>", place(w, from, -0.01), place(w, to, -0.01));
  if (is(w, SURFACE, "polyline"))
    fprintf(w->file, "<polyline points=\"%s, %s, %s\"/>", place(w, from, -0.01), place(w, 0.2, -0.01),
            place(w, to, -0.01));
  if (is(w, SURFACE, "arc"))
    fprintf(w->file, "<arc centre=\"%s\" radius=\"1\" side=\"inside\" from=\"%g\" to=\"%g\"/>", place(w, 0.2, 0.99),
            (mirrored ? 80 : 260) + w->at->angle, (mirrored ? 100 : 280) + w->at->angle);
  if (is(w, SURFACE, "circle"))
    fprintf(w->file, "<circle centre=\"%s\" radius=\"1\" side=\"outside\"/>", place(w, 0.2, -1.01));
  fputs("</surface>\n", w->file);
}

static void write_contact(writer *w) {
  if (!touches(w)) return;
  write_surface(w);
  fprintf(w->file, "<pair id=\"k\" target=\"f\"><disc at=\"b.tip\" offset=\"%s\" radius=\"0.005\"/>",
          vector(w, 0, -0.005));
  write_normal(w);
  write_friction(w);
  fputs("</pair></contact>\n", w->file);
}

/* ---- loads and analyses ------------------------------------------------------------------ */

static void write_force(writer *w, double along, double across) {
  double force[2];
  turn(w, along, across, force);
  fprintf(w->file, "fx=\"%.17g\" fy=\"%.17g\" ", force[0], force[1]);
}

static void write_loads(writer *w) {
  static const struct {
    const char *load, *words;
  } own[] = {{"sine", "frequency=\"200\""},
             {"ramp", "duration=\"2e-3\""},
             {"table", "times=\"0, 2e-3, 4e-3\" values=\"0, 1, -1\""},
             {"chirp", "f-from=\"100\" f-to=\"400\" duration=\"8e-3\""},
             {"stepped-sine", "frequencies=\"200, 300\" cycles=\"1\""},
             {"random", "f-min=\"100\" f-max=\"500\" lines=\"20\""},
             {"expression", "value=\"sin(1200*t)*exp(-100*t)\""}};
  const char *words = "";
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (is(w, LOAD, own[i].load)) words = own[i].words;
  double along = random_between(&w->seed, 2, 30), across = random_between(&w->seed, 1, 20);
  fputs("<loads><force id=\"p\" at=\"b.tip\" ", w->file);
  write_force(w, 0, -50);
  fprintf(w->file, "/><%s id=\"d\" at=\"b.mid\" ", word(w, LOAD));
  write_force(w, along, across);
  fprintf(w->file, "%s/></loads>\n", words);
}

static void write_analysis(writer *w) {
  bool harmonic = is(w, LOAD, "harmonic");
  fprintf(w->file, "<analyses><static id=\"s\" loads=\"p\"/><%s id=\"a\" start=\"s\"", word(w, ANALYSIS));
  if (!is(w, ANALYSIS, "modal") && !is(w, ANALYSIS, "nnm")) fputs(" loads=\"d\"", w->file);
  if (is(w, ANALYSIS, "frf"))
    fputs(" response=\"x\" f-min=\"150\" f-max=\"600\" points=\"4\" harmonics=\"3\" samples=\"2048\"", w->file);
  if (is(w, ANALYSIS, "resonance"))
    fputs(" response=\"x\" level-min=\"0.1\" level-max=\"1\" points=\"3\" harmonics=\"3\" samples=\"2048\"", w->file);
  if (is(w, ANALYSIS, "nnm"))
    fputs(" response=\"x\" a-min=\"1e-8\" a-max=\"1e-6\" points=\"3\" harmonics=\"3\" samples=\"2048\"", w->file);
  if (is(w, ANALYSIS, "transient"))
    fprintf(w->file, " duration=\"5e-3\" step=\"%s\" solver=\"%s\"%s", w->step, word(w, SOLVER),
            harmonic ? " at-frequency=\"250\"" : "");
  if (is(w, ANALYSIS, "ring-down"))
    fprintf(w->file, " response=\"x\" duration=\"1e-2\" step=\"5e-5\" at-level=\"0.5\" solver=\"%s\"", word(w, SOLVER));
  fputs("/></analyses>\n", w->file);
}

void deck_write(FILE *file, const features *f, const choice *c, const char *step, const placement *at) {
  writer w = {.file = file, .f = f, .c = c, .step = step, .seed = c->seed, .at = at};
  fputs("<fretwork version=\"1\">\n", file);
  write_bodies(&w);
  write_joints(&w);
  write_damping(&w);
  write_supports(&w);
  write_contact(&w);
  write_loads(&w);
  fprintf(file, "<sensors><sensor id=\"x\" at=\"b.mid\" direction=\"%c\"/></sensors>\n",
          axis(&w, is_rigid(&w) ? 'x' : 'y'));
  write_analysis(&w);
  fputs("</fretwork>\n", file);
}

/* ---- what must hold ---------------------------------------------------------------------- */

static double fallback(const fw_friction_ops *law, const char *name) {
  for (const fw_param *p = law->entry.params; p && p->name; p++)
    if (strcmp(p->name, name) == 0 && p->fallback) return strtod(p->fallback, NULL);
  return 0;
}

double deck_friction_limit(const features *f, const choice *c) {
  const fw_friction_ops *law = law_of(f, c);
  if (!law || !law->limit || law->rate || law->step || fallback(law, "mu-v") > 0) return 0;
  double mu = fallback(law, "mu"), mu_s = fallback(law, "mu-s");
  return mu > mu_s ? mu : mu_s;
}

bool deck_is_regular(const features *f, const choice *c) {
  writer w = {.f = f, .c = c};
  if (is_plane(&w) && !is(&w, KINEMATICS, "linear")) return false; /* regular, but the other solver takes its time */
  return chose(f, c, ANALYSIS, "transient") && !chose(f, c, LAW, "bristle") && !chose(f, c, NORMAL, "hard-restitution");
}

bool deck_can_mirror(const features *f, const choice *c) {
  return !chose(f, c, BODY, "tri3") && !chose(f, c, BODY, "tri6") && !chose(f, c, JOINT, "rack") &&
         !chose(f, c, LAW, "bristle");
}
