/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/warn.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/model.h"
#include "input/warn_parts.h"

/* Words that stand in a deck, sorted once there are all of them. */
typedef struct words {
  struct word {
    const char *at;
    size_t length;
  } * list;
  int count, room;
} words;

typedef struct looking {
  fw_context *ctx;
  const fw_deck *deck;
  const fw_built *built;
  fw_warnings *found;
  words names, symbols; /* of things; in expressions */
} looking;

/* ---- never used --------------------------------------------------------------------------- */

static int compare(const void *a, const void *b) {
  const struct word *p = a, *q = b;
  size_t least = p->length < q->length ? p->length : q->length;
  int order = strncmp(p->at, q->at, least);
  return order ? order : (p->length > q->length) - (p->length < q->length);
}

static bool has(const words *all, const char *name) {
  struct word key = {name, strlen(name)};
  return all->count && bsearch(&key, all->list, (size_t)all->count, sizeof key, compare);
}

/* Names of things may have hyphens; in expressions these are signs. */
static fw_status add_words(fw_context *ctx, const char *text, const char *letters, words *all) {
  for (const char *at = text; at && *at;) {
    size_t length = 0;
    while (at[length] && (isalnum((unsigned char)at[length]) || strchr(letters, at[length]))) length++;
    if (length) {
      FW_TRY(fw_grow(ctx, all->count, &all->room, sizeof *all->list, &all->list));
      all->list[all->count++] = (struct word){at, length};
    }
    at += length ? length : 1;
  }
  return FW_OK;
}

static fw_status add_args(looking *self, const fw_args *args) {
  for (int i = 0; args->params && args->params[i].name; i++) {
    fw_param_kind kind = args->params[i].kind;
    bool refers = kind == FW_PARAM_REF || kind == FW_PARAM_REFS;
    if (kind == FW_PARAM_ID || !args->values[i].given) continue;
    FW_TRY(add_words(self->ctx, args->values[i].text, refers ? "_-" : "_", refers ? &self->names : &self->symbols));
    if (refers) FW_TRY(add_words(self->ctx, args->values[i].text, "_", &self->symbols));
  }
  return FW_OK;
}

static fw_status add_item(looking *self, const fw_item *item) {
  FW_TRY(add_args(self, &item->args));
  FW_TRY(add_args(self, &item->entry_args));
  for (int i = 0; i < item->child_count; i++) FW_TRY(add_item(self, &item->children[i]));
  return FW_OK;
}

static fw_status collect_words(looking *self) {
  const fw_parameters *parameters = fw_deck_parameters(self->deck);
  FW_TRY(add_item(self, &self->built->root));
  for (int i = 0; i < parameters->count; i++) {
    FW_TRY(add_words(self->ctx, parameters->list[i].expression, "_", &self->symbols));
    FW_TRY(add_words(self->ctx, parameters->list[i].min, "_", &self->symbols));
    FW_TRY(add_words(self->ctx, parameters->list[i].max, "_", &self->symbols));
  }
  if (self->names.count) qsort(self->names.list, (size_t)self->names.count, sizeof *self->names.list, compare);
  if (self->symbols.count) qsort(self->symbols.list, (size_t)self->symbols.count, sizeof *self->symbols.list, compare);
  return FW_OK;
}

/* Parts bring more than one deck needs: what stands in them is left alone. */
static bool is_own(const looking *self, fw_place place) {
  return place.file && strcmp(place.file, self->built->root.args.place.file) == 0;
}

static fw_status look_at_ids(looking *self, const char *group, const char *what) {
  const fw_item *list = fw_item_child(&self->built->root, group);
  for (int i = 0; list && i < list->child_count; i++) {
    const fw_args *args = &list->children[i].args;
    const char *id = fw_args_text(args, "id");
    if (!id || !is_own(self, args->place) || has(&self->names, id)) continue;
    FW_TRY(fw_warnings_add(self->ctx, self->found, FW_WARN_UNUSED, args->place, "nothing uses the %s '%s'", what, id));
  }
  return FW_OK;
}

static fw_status look_at_parameters(looking *self) {
  const fw_parameters *parameters = fw_deck_parameters(self->deck);
  for (int i = 0; i < parameters->count; i++) {
    const fw_parameter *one = &parameters->list[i];
    if (!is_own(self, one->place) || has(&self->symbols, one->name)) continue;
    FW_TRY(fw_warnings_add(self->ctx, self->found, FW_WARN_UNUSED, one->place, "nothing uses the parameter '%s'",
                           one->name));
  }
  return FW_OK;
}

/* ---- sections ----------------------------------------------------------------------------- */

static bool is_of_a_tube(const looking *self, const char *section) {
  const fw_item *bodies = fw_item_child(&self->built->root, "bodies");
  for (int i = 0; bodies && i < bodies->child_count; i++)
    if (strcmp(bodies->children[i].name, "tube") == 0 &&
        strcmp(fw_args_text(&bodies->children[i].args, "section"), section) == 0)
      return true;
  return false;
}

/* What a section has out of its plane and in torsion is for tubes: beams are of the plane. */
static fw_status look_at_sections(looking *self) {
  static const char *const of_space[] = {"I-out", "J", "kappa-out"};
  const fw_item *list = fw_item_child(&self->built->root, "sections");
  for (int i = 0; list && i < list->child_count; i++) {
    const fw_args *args = &list->children[i].args, *own = &list->children[i].entry_args;
    const char *id = fw_args_text(args, "id");
    bool used = has(&self->names, id) && !is_of_a_tube(self, id);
    if (strcmp(list->children[i].name, "general") != 0 || !is_own(self, args->place) || !used) continue;
    for (size_t k = 0; k < sizeof of_space / sizeof *of_space; k++)
      if (fw_args_given(own, of_space[k]))
        FW_TRY(fw_warnings_add(self->ctx, self->found, FW_WARN_UNUSED, args->place,
                               "nothing uses %s of the section '%s': beams are of the plane, tubes of space",
                               of_space[k], id));
  }
  return FW_OK;
}

/* ---- sensors ------------------------------------------------------------------------------ */

/* Natural modes have no sensors, equilibria only displacements; all other analyses tell every sensor. */
static bool tells(const fw_item *analysis, bool displacement) {
  if (strcmp(analysis->name, "static") == 0) return displacement;
  return strcmp(analysis->name, "modal") != 0;
}

static bool is_told(const looking *self, const fw_args *sensor) {
  bool displacement = fw_args_integer(sensor, "quantity") == FW_DISPLACEMENT;
  const fw_item *analyses = self->built->analyses;
  if (self->built->identification && self->built->identification->child_count > 0) return true;
  for (int i = 0; analyses && i < analyses->child_count; i++)
    if (tells(&analyses->children[i], displacement)) return true;
  return !analyses || analyses->child_count == 0;
}

static fw_status look_at_sensors(looking *self) {
  const fw_item *list = fw_item_child(&self->built->root, "sensors");
  for (int i = 0; list && i < list->child_count; i++) {
    const fw_args *args = &list->children[i].args;
    const char *id = fw_args_text(args, "id");
    if (!is_own(self, args->place) || is_told(self, args)) continue;
    FW_TRY(
        fw_warnings_add(self->ctx, self->found, FW_WARN_UNUSED, args->place, "no analysis tells the sensor '%s'", id));
  }
  return FW_OK;
}

/* ---- friction ----------------------------------------------------------------------------- */

static fw_status look_at_friction(looking *self, const fw_item *item) {
  static const char *const names[] = {"mu", "mu-s", "mu-c"};
  for (int i = 0; i < item->child_count; i++) FW_TRY(look_at_friction(self, &item->children[i]));
  if (strcmp(item->name, "friction") != 0 || !item->entry) return FW_OK;
  const fw_args *args = &item->entry_args;
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    const fw_value *value = NULL;
    for (int i = 0; args->params && args->params[i].name; i++) {
      if (strcmp(args->params[i].name, names[k]) == 0) value = &args->values[i];
      if (args->params[i].kind == FW_PARAM_FORMULA && args->values[i].given) return FW_OK; /* it gives mu */
    }
    if (!value || value->given || value->count == 0) continue;
    FW_TRY(fw_warnings_add(self->ctx, self->found, FW_WARN_DEFAULT_FRICTION, item->args.place,
                           "%s of law '%s' is not given: %s is the rig's, hardly yours", names[k], item->entry->name,
                           value->text));
  }
  return FW_OK;
}

/* ---- units -------------------------------------------------------------------------------- */

static fw_status look_at_materials(looking *self) {
  const fw_item *materials = fw_item_child(&self->built->root, "materials");
  for (int i = 0; materials && i < materials->child_count; i++) {
    const fw_args *args = &materials->children[i].args, *own = &materials->children[i].entry_args;
    const fw_args *of = own->params ? own : args;
    double E = fw_args_number(of, "E"), rho = fw_args_number(of, "rho");
    if (E >= 1e4 && E <= 1e6 && rho > 1500.0)
      FW_TRY(fw_warnings_add(self->ctx, self->found, FW_WARN_UNITS, args->place,
                             "E = %g Pa for a density of %g kg/m^3: in MPa it would be that of a metal", E, rho));
    if (rho > 0.0 && rho < 1e-5)
      FW_TRY(fw_warnings_add(self->ctx, self->found, FW_WARN_UNITS, args->place,
                             "rho = %g kg/m^3: in t/mm^3 it would be that of a solid", rho));
  }
  return FW_OK;
}

static double extent_of(const fw_model *model, int first, int count) {
  double extent = 0.0;
  for (int n = first; n < first + count; n++)
    for (int k = 0; k < 2; k++) extent = fmax(extent, fabs(model->nodes[n].x[k] - model->nodes[first].x[k]));
  return extent;
}

/* Programs that mesh are used in mm; who has metres can say so. */
static fw_status look_at_meshes(looking *self) {
  const fw_model *model = self->built->model;
  const fw_item *bodies = fw_item_child(&self->built->root, "bodies");
  for (int i = 0; bodies && i < bodies->child_count; i++) {
    const fw_item *mesh = fw_item_child(&bodies->children[i], "mesh");
    if (!mesh || fw_args_given(&mesh->args, "unit")) continue;
    const char *id = fw_args_text(&bodies->children[i].args, "id");
    int b = 0;
    while (b < model->body_count && strcmp(model->bodies[b].id, id) != 0) b++;
    double extent =
        b < model->body_count ? extent_of(model, model->bodies[b].first_node, model->bodies[b].node_count) : 0.0;
    if (extent > 5.0)
      FW_TRY(fw_warnings_add(self->ctx, self->found, FW_WARN_UNITS, mesh->args.place,
                             "the mesh is %g m long: is it in mm? its unit is an attribute, unit=\"m\" if it is right",
                             extent));
  }
  return FW_OK;
}

static fw_status look_at_lengths(looking *self) {
  const fw_model *model = self->built->model;
  double extent = extent_of(model, 0, model->node_count);
  FW_TRY(look_at_meshes(self));
  if (extent < 50.0 || !fw_item_child(&self->built->root, "materials")) return FW_OK;
  return fw_warnings_add(self->ctx, self->found, FW_WARN_UNITS, self->built->root.args.place,
                         "the model is %g m long: are its lengths in mm?", extent);
}

fw_status fw_deck_warn(fw_context *ctx, const fw_deck *deck, const fw_built *built, fw_warnings *warnings) {
  looking self = {.ctx = ctx, .deck = deck, .built = built, .found = warnings};
  fw_status status;
  FW_TRY_DONE(collect_words(&self));
  FW_TRY_DONE(look_at_ids(&self, "loads", "load"));
  FW_TRY_DONE(look_at_ids(&self, "materials", "material"));
  FW_TRY_DONE(look_at_ids(&self, "sections", "section"));
  FW_TRY_DONE(look_at_sections(&self));
  FW_TRY_DONE(look_at_parameters(&self));
  FW_TRY_DONE(look_at_sensors(&self));
  FW_TRY_DONE(fw_warn_of_steps(ctx, built, warnings));
  FW_TRY_DONE(fw_warn_of_overlap(ctx, built, warnings));
  FW_TRY_DONE(fw_warn_of_triangles(ctx, built, warnings));
  FW_TRY_DONE(fw_warn_of_held(ctx, built, warnings));
  FW_TRY_DONE(fw_warn_of_undamped(ctx, built, warnings));
  FW_TRY_DONE(look_at_friction(&self, &built->root));
  FW_TRY_DONE(look_at_materials(&self));
  FW_TRY_DONE(look_at_lengths(&self));
done:
  free(self.names.list);
  free(self.symbols.list);
  return status;
}
