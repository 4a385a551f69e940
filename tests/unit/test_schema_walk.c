/* SPDX-License-Identifier: GPL-3.0-or-later */
/* No attribute of a deck is ignored: over the decks of the project every attribute of the schema is changed, and that
 * either changes the mark of the built model (what stands in <analyses> and after it: of the settings) or is refused.
 */
#include <dirent.h>
#include <libxml/parser.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "contact/friction/friction.h"
#include "contact/model_mark.h"
#include "core/context.h"
#include "core/hash.h"
#include "fretwork.h"
#include "input/attribute.h"
#include "input/grammar.h"
#include "input/origin.h"
#include "other_values.h"
#include "output/files.h"
#include "remove_folder.h"

static const char *const folders[] = {"tests/decks/walk",          "tests/decks/good",
                                      "tests/verification/tubes",  "tests/verification/decks",
                                      "tests/verification/bodies", "tests/verification/hb",
                                      "tests/verification/ida",    "tests/verification/identify",
                                      "tests/verification/linear", "tests/verification/statics",
                                      "examples/linkage",          "examples/pendulum",
                                      "examples/stick-slip",       "examples/study",
                                      "examples/tube-support",     "examples/rig"};

/* Where a change may leave the model as it is. ALWAYS: no number depends on it. SOMETIMES: another value can say the
 * same; some deck has to show one that does not. */
typedef enum { ALWAYS, SOMETIMES } how_often;
static const struct {
  const char *element, *attribute;
  how_often unchanged;
  const char *why;
} exceptions[] = {
    {"fretwork", "version", ALWAYS, "there is one version"},
    {"parameter", "name", ALWAYS, "a parameter that nothing uses may have any name"},
    {"parameter", "value", ALWAYS, "a parameter may be used by nothing; test origin changes one that counts"},
    {"parameter", "unit", ALWAYS, "the same"},
    {"parameter", "min", ALWAYS, "what --set and studies may give, not what is"},
    {"parameter", "max", ALWAYS, "the same"},
    {"identify", "shapes", ALWAYS, "there is one kind"},
    {"merge", "bodies", SOMETIMES, "another pair of the bodies that meet there"},
    {"plane", "merge", ALWAYS, "a tolerance"},
    {"block", "bottom", ALWAYS, "name of a set that nothing may name"},
    {"block", "right", ALWAYS, "the same"},
    {"block", "top", ALWAYS, "the same"},
    {"block", "left", ALWAYS, "the same"},
    {"quarter-disc", "arc", ALWAYS, "the same"},
    {"quarter-disc", "flat", ALWAYS, "the same"},
    {"point", "id", ALWAYS, "a place that nothing may name"},
    {"point", "at", SOMETIMES, "a place that nothing names, or another point at the same one"},
    {"point", "offset", SOMETIMES, "of a point that is held or that nothing names"},
    {"*", "against", SOMETIMES, "what is held takes any force"},
    {"general", "J", SOMETIMES, "of beams in space; one in the plane has none of it"},
    {"general", "I-out", SOMETIMES, "the same"},
    {"general", "kappa-out", SOMETIMES, "the same"},
    {"tube", "bend-flexibility", SOMETIMES, "of bends; a straight tube has none"},
    {"tube", "added-mass-acts", SOMETIMES, "of added mass"},
    {"support-plane", "first", SOMETIMES, "an angle after which the same lands come again"},
    {"sensor", "relative-to", SOMETIMES, "what is held does not move"},
    {"edges", "within", SOMETIMES, "a box around the same edges"},
    {"rayleigh", "body", SOMETIMES, "the only body is every body"},
    {"modal", "modes", SOMETIMES, "as many as there are ratios is the default"},
};

/* ---- what is to be visited --------------------------------------------------------------- */

enum { VISITS = 4000, TRIES = 60 };

typedef struct visit {
  const fw_tag *tag;
  const fw_entry *entry; /* NULL: of the tag itself */
  const fw_param *param;
  int tried, changed; /* how often */
} visit;

static visit visits[VISITS];
static int visit_count, ignored;
static fw_context *ctx;

static visit *visit_of(const fw_tag *tag, const fw_entry *entry, const fw_param *param) {
  for (int i = 0; i < visit_count; i++)
    if (visits[i].tag == tag && visits[i].entry == entry && visits[i].param == param) return &visits[i];
  assert_true(visit_count < VISITS);
  visits[visit_count] = (visit){.tag = tag, .entry = entry, .param = param};
  return &visits[visit_count++];
}

static void list_params(const fw_tag *tag, const fw_entry *entry, const fw_param *params) {
  for (; params && params->name; params++) visit_of(tag, entry, params);
}

static void list_tag(const fw_tag *tag) {
  list_params(tag, NULL, tag->params);
  for (int i = 0; tag->table && tag->table->entries[i]; i++)
    if (fw_tag_admits(tag, tag->table->entries[i]))
      list_params(tag, tag->table->entries[i], tag->table->entries[i]->params);
  for (const fw_child *child = tag->children; child && child->tag; child++) list_tag(child->tag);
}

static const char *element_of(const visit *v) { return v->tag->name ? v->tag->name : v->entry ? v->entry->name : "*"; }

static bool is_element(const char *pattern, const char *element) {
  return strcmp(pattern, "*") == 0 || strcmp(pattern, element) == 0;
}

static bool may_stay(const char *element, const fw_param *param, how_often least) {
  if (fw_attribute_is_file(param->name)) return true; /* the contents count: test origin */
  for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
    if (is_element(exceptions[i].element, element) && strcmp(exceptions[i].attribute, param->name) == 0)
      return exceptions[i].unchanged <= least;
  return false;
}

/* ---- marks ------------------------------------------------------------------------------- */

typedef struct marks {
  uint64_t model, settings;
} marks;

/* Also of what fw_item_mark leaves out below the root. */
static uint64_t mark_settings(const fw_built *built) {
  const fw_item *parts[] = {built->analyses, built->outputs, built->studies, built->data, built->identification};
  uint64_t h = FW_HASH_START;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    h = fw_hash_integer(h, parts[i] ? (long)fw_item_mark(parts[i]) : 0);
    for (int k = 0; parts[i] && k < parts[i]->child_count; k++)
      h = fw_hash_integer(h, (long)fw_item_mark(&parts[i]->children[k]));
  }
  return h;
}

/* False: refused. */
static bool marks_of(const char *path, marks *m) {
  fw_deck *deck = NULL;
  fw_built *built = NULL;
  fw_context_clear(ctx);
  bool sound = fw_deck_load(ctx, path, &deck) == FW_OK && fw_deck_build(ctx, deck, &built) == FW_OK;
  if (sound) *m = (marks){fw_model_mark(built->model), mark_settings(built)};
  fw_built_destroy(&built);
  fw_deck_destroy(&deck);
  return sound;
}

static bool is_refused(const char *path) {
  fw_deck *deck = NULL;
  fw_context_clear(ctx);
  bool refused = fw_deck_load(ctx, path, &deck) != FW_OK || fw_deck_check(ctx, deck) != FW_OK;
  fw_deck_destroy(&deck);
  return refused;
}

/* ---- the walk ---------------------------------------------------------------------------- */

typedef struct walk {
  xmlDoc *doc;
  const char *deck; /* its name, to tell */
  marks before;
  bool model; /* what stands here makes the model */
} walk;

static void write_variant(const walk *w, const char *path) { assert_true(xmlSaveFile(path, w->doc) > 0); }

static bool is_changed(const walk *w, const marks *now) {
  return w->model ? now->model != w->before.model
                  : now->settings != w->before.settings || now->model != w->before.model;
}

/* Tries one value; true if it changed something. */
static bool try_value(const walk *w, visit *v, xmlNode *node, const char *value) {
  static const char path[] = "schema-walk.tmp/variant.xml";
  marks now;
  xmlSetProp(node, BAD_CAST v->param->name, BAD_CAST value);
  write_variant(w, path);
  bool sound = marks_of(path, &now);
  if (sound && is_changed(w, &now)) return true;
  if (sound && !may_stay((const char *)node->name, v->param, SOMETIMES) && !is_refused(path)) {
    print_error("%s: <%s %s=\"%s\"> is ignored\n", w->deck, (const char *)node->name, v->param->name, value);
    ignored++;
  }
  return false;
}

static void walk_attribute(const walk *w, visit *v, xmlNode *node) {
  if (v->changed || v->tried++ >= TRIES || may_stay((const char *)node->name, v->param, ALWAYS)) return;
  xmlChar *given = xmlGetProp(node, BAD_CAST v->param->name);
  candidates *c = calloc(1, sizeof *c);
  assert_non_null(c);
  offer_values(c, v->tag, v->entry, v->param, xmlDocGetRootElement(w->doc),
               given ? (const char *)given : v->param->fallback);
  for (int i = 0; i < c->count; i++)
    if (try_value(w, v, node, c->text[i])) {
      v->changed++;
      break;
    }
  if (given)
    xmlSetProp(node, BAD_CAST v->param->name, given);
  else
    xmlUnsetProp(node, BAD_CAST v->param->name);
  xmlFree(given);
  free(c);
}

static const fw_entry *entry_of(const fw_tag *tag, const xmlNode *node, const fw_entry *family) {
  if (!tag->selector) return family;
  xmlChar *name = xmlGetProp(node, BAD_CAST tag->selector);
  const fw_entry *entry = fw_table_find(tag->table, name ? (const char *)name : tag->fallback ? tag->fallback : "");
  xmlFree(name);
  return entry;
}

static void walk_params(const walk *w, const fw_tag *tag, const fw_entry *entry, const fw_param *params,
                        xmlNode *node) {
  for (; params && params->name; params++) walk_attribute(w, visit_of(tag, entry, params), node);
}

static void walk_element(walk *w, const fw_tag *tag, const fw_entry *family, xmlNode *node) {
  const fw_entry *entry = entry_of(tag, node, family);
  walk_params(w, tag, NULL, tag->params, node);
  if (entry) walk_params(w, tag, entry, entry->params, node);
  for (xmlNode *child = node->children; child; child = child->next) {
    if (child->type != XML_ELEMENT_NODE) continue;
    const fw_entry *of_child = NULL;
    const fw_tag *found = fw_tag_find(tag, (const char *)child->name, &of_child);
    if (found) walk_element(w, found, of_child, child);
  }
}

static bool makes_the_model(const char *section) {
  static const char *const settings[] = {"analyses", "outputs", "studies", "data", "identification", "parameters"};
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    if (strcmp(settings[i], section) == 0) return false;
  return true;
}

static void walk_copy(const char *copy, const char *name) {
  walk w = {.doc = xmlReadFile(copy, NULL, 0), .deck = name};
  assert_non_null(w.doc);
  if (marks_of(copy, &w.before))
    for (xmlNode *section = xmlDocGetRootElement(w.doc)->children; section; section = section->next) {
      const fw_entry *entry = NULL;
      const fw_tag *tag =
          section->type == XML_ELEMENT_NODE ? fw_tag_find(&fw_deck_tag, (const char *)section->name, &entry) : NULL;
      if (!tag) continue;
      w.model = makes_the_model((const char *)section->name);
      walk_element(&w, tag, entry, section);
    }
  xmlFreeDoc(w.doc);
}

/* Through a copy that names its files by their whole paths and has no parts. */
static void walk_deck(const char *path, const char *name) {
  static const char copy[] = "schema-walk.tmp/copy.xml";
  fw_deck *deck = NULL;
  fw_context_clear(ctx);
  if (fw_deck_load(ctx, path, &deck) == FW_OK) {
    assert_int_equal(fw_deck_write(ctx, deck, copy), FW_OK);
    walk_copy(copy, name);
  }
  fw_deck_destroy(&deck);
}

/* Friction in a joint by every law: few decks have it. */
static void walk_joint_laws(void) {
  static const char path[] = "schema-walk.tmp/joint.xml";
  for (int i = 0; fw_laws.entries[i]; i++) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "<fretwork version=\"1\"><bodies><rigid id=\"b\" at=\"0, 0\" m=\"1\" J=\"1\"/></bodies><joints>"
            "<revolute id=\"j\" a=\"b.centre\"><friction law=\"%s\" normal-force=\"3\" radius=\"0.1\"/></revolute>"
            "</joints><analyses><modal id=\"m\"/></analyses></fretwork>\n",
            fw_laws.entries[i]->name);
    fclose(file);
    walk_deck(path, fw_laws.entries[i]->name);
  }
}

static int is_deck(const struct dirent *entry) {
  const char *end = strrchr(entry->d_name, '.');
  return end && strcmp(end, ".xml") == 0;
}

static void walk_folder(const char *folder) {
  struct dirent **list = NULL;
  char path[512];
  snprintf(path, sizeof path, FW_SOURCE_DIR "/%s", folder);
  int count = scandir(path, &list, is_deck, alphasort);
  for (int i = 0; i < count; i++) {
    snprintf(path, sizeof path, FW_SOURCE_DIR "/%s/%s", folder, list[i]->d_name);
    walk_deck(path, path + strlen(FW_SOURCE_DIR) + 1);
    free(list[i]);
  }
  free(list);
}

static int tell_unvisited(void) {
  int unvisited = 0;
  for (int i = 0; i < visit_count; i++) {
    const visit *v = &visits[i];
    if (v->changed || may_stay(element_of(v), v->param, ALWAYS)) continue;
    if (v->param->kind == FW_PARAM_ID && v->tried) continue; /* refused: something names it */
    print_error("<%s%s%s> %s: no deck changes it (%d tried)\n", element_of(v), v->entry ? " " : "",
                v->entry ? v->entry->name : "", v->param->name, v->tried);
    unvisited++;
  }
  return unvisited;
}

static void every_attribute_counts_or_is_refused(void **unused) {
  (void)unused;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  remove_folder("schema-walk.tmp");
  assert_int_equal(fw_folder_make(ctx, "schema-walk.tmp"), FW_OK);
  list_tag(&fw_deck_tag);
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) walk_folder(folders[i]);
  walk_joint_laws();
  int unvisited = tell_unvisited();
  remove_folder("schema-walk.tmp");
  fw_context_destroy(&ctx);
  print_message("%d attributes, %d not changed by any deck, %d ignored\n", visit_count, unvisited, ignored);
  assert_int_equal(unvisited, 0);
  assert_int_equal(ignored, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_attribute_counts_or_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
