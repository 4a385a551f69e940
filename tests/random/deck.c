/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "deck.h"

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
} writer;

static bool is(const writer *w, feature which, const char *name) { return chose(w->f, w->c, which, name); }
static const char *word(const writer *w, feature which) { return chosen(w->f, w->c, which); }

static bool is_rigid(const writer *w) { return is(w, BODY, "block") || is(w, BODY, "disc"); }
static bool is_beam(const writer *w) { return is(w, BODY, "euler-bernoulli") || is(w, BODY, "timoshenko"); }
static bool is_plane(const writer *w) { return !is_rigid(w) && !is_beam(w); }
static bool turns(const writer *w) { return is(w, BODY, "disc") || is_beam(w); }
static bool touches(const writer *w) { return !is(w, NORMAL, "none"); }

/* ---- bodies ------------------------------------------------------------------------------ */

static void write_rigid(writer *w) {
  fprintf(w->file, "<rigid id=\"b\" at=\"0.2, 0\" m=\"%.3g\"", random_between(&w->seed, 0.05, 0.2));
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
          "<beam id=\"b\" element=\"%s\" kinematics=\"%s\" material=\"m\" section=\"q\" from=\"0, 0\" to=\"0.2, 0\" "
          "divisions=\"%d\"><point id=\"root\" s=\"0\"/><point id=\"mid\" s=\"0.1\"/><point id=\"tip\" "
          "s=\"0.2\"/></beam>\n",
          word(w, BODY), kinematics, 2 + random_below(&w->seed, 3));
}

static void write_plane(writer *w) {
  fprintf(w->file,
          "<plane id=\"b\" element=\"%s\" kinematics=\"%s\" material=\"m\" thickness=\"0.02\">"
          "<rectangle from=\"0, -0.005\" to=\"0.2, 0.005\" divisions=\"%d, 2\"/><point id=\"root\" at=\"0, 0\"/>"
          "<point id=\"mid\" at=\"0.1, 0\"/><point id=\"tip\" at=\"0.2, 0\"/></plane>\n",
          word(w, BODY), is(w, KINEMATICS, "linear") ? "linear" : "total-lagrangian",
          2 + 2 * random_below(&w->seed, 2));
}

/* Wheels, levers and carriages at the tip. */
static void write_partner(writer *w) {
  if (is(w, JOINT, "none") || is(w, JOINT, "prescribed") || is(w, JOINT, "rod")) return;
  fputs(
      "<rigid id=\"c\" at=\"0.2, 0\" m=\"0.02\" J=\"1e-5\" rotation=\"large\"><point id=\"arm\" offset=\"0, "
      "0\"/></rigid>\n",
      w->file);
  if (is(w, JOINT, "gear") || is(w, JOINT, "rack"))
    fputs("<rigid id=\"d\" at=\"0.3, 0\" m=\"0.02\" J=\"1e-5\" rotation=\"large\"/>\n", w->file);
}

static void write_point_element(writer *w) {
  if (is(w, POINT_ELEMENT, "none")) return;
  fprintf(w->file, "<%s id=\"e\" at=\"b.tip\"", word(w, POINT_ELEMENT));
  if (is(w, POINT_ELEMENT, "mass")) fputs(" m=\"0.01\"", w->file);
  if (is(w, POINT_ELEMENT, "spring")) fputs(" ground=\"0.2, 0.1\" direction=\"0, 1\" k=\"1e4\"", w->file);
  if (is(w, POINT_ELEMENT, "damper")) fputs(" ground=\"0.2, 0.1\" direction=\"0, 1\" c=\"1\"", w->file);
  if (is(w, POINT_ELEMENT, "torsional-spring")) fputs(" k=\"5\"", w->file);
  if (is(w, POINT_ELEMENT, "torsional-damper")) fputs(" c=\"0.01\"", w->file);
  if (is(w, POINT_ELEMENT, "elastic-support")) fputs(" kx=\"1e4\" ky=\"1e4\" cy=\"1\"", w->file);
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
  if (is(w, POINT_ELEMENT, "bushing")) fputs("<rigid id=\"a\" at=\"0.2, 0\" m=\"0.01\" rotation=\"none\"/>\n", w->file);
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
    fprintf(w->file, "<prescribed id=\"j\" a=\"b.tip\" direction=\"x\" amplitude=\"1e-6\" frequency=\"150\"/>");
  else if (is(w, JOINT, "rod"))
    fprintf(w->file, "<rod id=\"j\" a=\"b.mid\" ground=\"0.1, 0.5\"/>");
  else if (is(w, JOINT, "gear"))
    fprintf(w->file,
            "<revolute id=\"i\" a=\"c.centre\"/><revolute id=\"k\" a=\"d.centre\"/>"
            "<gear id=\"j\" a=\"c.centre\" b=\"d.centre\" teeth-a=\"10\" teeth-b=\"20\"/>");
  else if (is(w, JOINT, "rack"))
    fprintf(w->file,
            "<prismatic id=\"i\" a=\"d.centre\" axis=\"1, 0\"/><pin-in-slot id=\"k\" a=\"c.centre\" axis=\"1, 0\"/>"
            "<rack id=\"j\" a=\"c.centre\" axis=\"1, 0\" radius=\"0.02\"/>");
  else
    fprintf(w->file, "<%s id=\"j\" a=\"c.arm\" b=\"b.tip\"%s/>", name,
            is(w, JOINT, "prismatic") || is(w, JOINT, "pin-in-slot") ? " axis=\"1, 0\"" : "");
  fputs("</joints>\n", w->file);
}

static void write_damping(writer *w) {
  if (is(w, DAMPING, "rayleigh")) fputs("<damping><rayleigh alpha=\"20\"/></damping>\n", w->file);
  if (is(w, DAMPING, "modal")) fputs("<damping><modal ratios=\"0.01\"/></damping>\n", w->file);
  if (is(w, DAMPING, "hysteretic")) fputs("<damping><hysteretic loss-factor=\"0.02\"/></damping>\n", w->file);
}

static void write_supports(writer *w) {
  bool c_floats = is(w, JOINT, "prismatic") || is(w, JOINT, "pin-in-slot") || is(w, JOINT, "rack");
  bool c_turns = is(w, JOINT, "revolute") || is(w, JOINT, "pin-in-slot") || is(w, JOINT, "gear") ||
                 (is(w, JOINT, "weld") && !turns(w)) || (is(w, JOINT, "prismatic") && !turns(w));
  fputs("<supports>", w->file);
  if (is_rigid(w))
    fprintf(w->file, "<support at=\"b.tip\" x=\"4e5\" y=\"4e5\"%s/>", is(w, BODY, "disc") ? " rz=\"200\"" : "");
  if (is_beam(w)) fputs("<support at=\"b.root\" x=\"fixed\" y=\"fixed\" rz=\"fixed\"/>", w->file);
  if (is_plane(w)) fputs("<support at=\"b.left\" x=\"fixed\" y=\"fixed\"/>", w->file);
  if (c_floats || c_turns)
    fprintf(w->file, "<support at=\"c.centre\"%s%s/>", c_floats ? " x=\"1e4\"" : "", c_turns ? " rz=\"5\"" : "");
  if (is(w, JOINT, "rack")) fputs("<support at=\"d.centre\" x=\"1e4\"/>", w->file);
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

static void write_contact(writer *w) {
  static const char *const surfaces[] = {
      "<line from=\"0.1, -0.01\" to=\"0.3, -0.01\"/>", "<polyline points=\"0.1, -0.01, 0.2, -0.01, 0.3, -0.01\"/>",
      "<arc centre=\"0.2, 0.99\" radius=\"1\" side=\"inside\" from=\"260\" to=\"280\"/>",
      "<circle centre=\"0.2, -1.01\" radius=\"1\" side=\"outside\"/>"};
  if (!touches(w)) return;
  fprintf(
      w->file,
      "<contact><surface id=\"f\">%s</surface>\n<pair id=\"k\" target=\"f\"><disc at=\"b.tip\" offset=\"0, -0.005\" "
      "radius=\"0.005\"/>",
      surfaces[w->c->kind[SURFACE]]);
  write_normal(w);
  write_friction(w);
  fputs("</pair></contact>\n", w->file);
}

/* ---- loads and analyses ------------------------------------------------------------------ */

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
  fprintf(w->file,
          "<loads><force id=\"p\" at=\"b.tip\" fy=\"-50\"/><%s id=\"d\" at=\"b.mid\" fx=\"%.3g\" fy=\"%.3g\" "
          "%s/></loads>\n",
          word(w, LOAD), random_between(&w->seed, 2, 30), random_between(&w->seed, 1, 20), words);
}

static void write_analysis(writer *w) {
  bool harmonic = is(w, LOAD, "harmonic");
  fprintf(w->file, "<analyses><static id=\"s\" loads=\"p\"/><%s id=\"a\" start=\"s\"", word(w, ANALYSIS));
  if (!is(w, ANALYSIS, "modal") && !is(w, ANALYSIS, "nnm")) fputs(" loads=\"d\"", w->file);
  if (is(w, ANALYSIS, "frf"))
    fputs(" response=\"x\" f-min=\"150\" f-max=\"600\" points=\"4\" harmonics=\"3\" samples=\"64\"", w->file);
  if (is(w, ANALYSIS, "resonance"))
    fputs(" response=\"x\" level-min=\"0.1\" level-max=\"1\" points=\"3\" harmonics=\"3\" samples=\"64\"", w->file);
  if (is(w, ANALYSIS, "nnm"))
    fputs(" response=\"x\" a-min=\"1e-8\" a-max=\"1e-6\" points=\"3\" harmonics=\"3\" samples=\"64\"", w->file);
  if (is(w, ANALYSIS, "transient"))
    fprintf(w->file, " duration=\"5e-3\" step=\"%s\" solver=\"%s\"%s", w->step, word(w, SOLVER),
            harmonic ? " at-frequency=\"250\"" : "");
  if (is(w, ANALYSIS, "ring-down"))
    fprintf(w->file, " response=\"x\" duration=\"1e-2\" step=\"5e-5\" at-level=\"0.5\" solver=\"%s\"", word(w, SOLVER));
  fputs("/></analyses>\n", w->file);
}

void deck_write(FILE *file, const features *f, const choice *c, const char *step) {
  writer w = {file, f, c, step, c->seed};
  fputs("<fretwork version=\"1\">\n", file);
  write_bodies(&w);
  write_joints(&w);
  write_damping(&w);
  write_supports(&w);
  write_contact(&w);
  write_loads(&w);
  fprintf(file, "<sensors><sensor id=\"x\" at=\"b.mid\" direction=\"%s\"/></sensors>\n", is_rigid(&w) ? "x" : "y");
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
