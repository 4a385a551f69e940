/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Friction laws without a deck. */
#include "api/specimen.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/friction/plugin.h"
#include "contact/friction/setting.h"
#include "contact/friction/tribometer.h"
#include "core/plain_locale.h"

enum { MOST_PARTS = 8 };

/* ---- from words -------------------------------------------------------------------------- */

typedef struct word_list {
  const char *const *words;
  int count, at;
} word_list;

static fw_status find_law(fw_context *ctx, const char *name, const fw_friction_ops **ops) {
  const char *plugin = fw_plugin_name(name);
  if (plugin && !fw_plugins_allowed(ctx))
    return fw_fail(ctx, FW_ERR_ARGUMENT, "'%s' is code from outside: it needs --allow-plugins", name);
  if (plugin) return fw_plugin_load(ctx, plugin, NULL, ops);
  *ops = (const fw_friction_ops *)(const void *)fw_table_find(&fw_laws, name);
  if (*ops) return FW_OK;
  const char *names[256] = {NULL};
  for (int i = 0; i < 255 && fw_laws.entries[i]; i++) names[i] = fw_laws.entries[i]->name;
  const char *near = fw_nearest(names, name);
  return fw_fail(ctx, FW_ERR_ARGUMENT, "there is no friction law '%s'%s%s%s", name, near ? "; did you mean '" : "",
                 near ? near : "", near ? "'?" : "");
}

/* One law: its name, then its settings. */
static fw_status read_law(fw_context *ctx, word_list *list, fw_friction *law) {
  const char *const *words = list->words + list->at;
  const fw_friction_ops *ops;
  int left = list->count - list->at, settings = 0;
  if (left <= 0 || strcmp(words[0], "+") == 0) return fw_fail(ctx, FW_ERR_ARGUMENT, "a law is missing beside '+'");
  while (1 + settings < left && strchr(words[1 + settings], '=')) settings++;
  if (strchr(words[0], '=')) return fw_fail(ctx, FW_ERR_ARGUMENT, "'%s' comes before any law", words[0]);
  FW_TRY(find_law(ctx, words[0], &ops));
  list->at += 1 + settings;
  return fw_law_create(ctx, ops, words + 1, settings, law);
}

/* A law, or several in parallel joined by '+'. */
static fw_status read_parallel(fw_context *ctx, word_list *list, fw_friction *parts, int *count) {
  for (*count = 0;;) {
    if (*count == MOST_PARTS) return fw_fail(ctx, FW_ERR_ARGUMENT, "more than %d laws in parallel", MOST_PARTS);
    FW_TRY(read_law(ctx, list, &parts[*count]));
    ++*count;
    if (list->at >= list->count || strcmp(list->words[list->at], "+") != 0) return FW_OK;
    list->at++;
  }
}

/* "a+b" of laws in parallel. */
static void name_laws(const fw_friction *parts, int count, char *name, size_t room) {
  size_t used = 0;
  for (int i = 0; i < count && used < room; i++)
    used += (size_t)snprintf(name + used, room - used, "%s%s%s", i ? "+" : "", parts[i].ops->entry.name,
                             parts[i].stick.clipped ? "-clipped" : "");
}

fw_status fw_law_read(fw_context *ctx, const char *const *words, int word_count, int *at, fw_friction *law, char *name,
                      size_t room) {
  fw_friction parts[MOST_PARTS] = {0};
  word_list list = {words, word_count, *at};
  int count;
  fw_status status = read_parallel(ctx, &list, parts, &count);
  if (status == FW_OK) name_laws(parts, count, name, room);
  if (status == FW_OK) status = fw_friction_join(ctx, parts, count, law);
  for (int i = 0; i < MOST_PARTS; i++) fw_friction_clear(&parts[i]);
  *at = list.at;
  return status;
}

/* ---- the specimen ------------------------------------------------------------------------ */

struct fw_specimen {
  fw_friction law;
};

static fw_status create(fw_context *ctx, const char *const *words, int count, fw_specimen **specimen) {
  char name[256];
  int at = 0;
  FW_TRY(fw_alloc(ctx, 1, sizeof **specimen, specimen));
  fw_status status = fw_law_read(ctx, words, count, &at, &(*specimen)->law, name, sizeof name);
  if (status == FW_OK && at < count)
    status = fw_fail(ctx, FW_ERR_ARGUMENT, "one law, or several with '+' between them; '%s' is one more", words[at]);
  if (status != FW_OK) fw_specimen_destroy(specimen);
  return status;
}

fw_status fw_specimen_create(fw_context *ctx, const char *const *words, int count, fw_specimen **specimen) {
  if (specimen) *specimen = NULL;
  FW_NEED(ctx, ctx);
  FW_NEED_LIST(ctx, words, count);
  FW_NEED(ctx, specimen);
  if (count == 0) return fw_fail(ctx, FW_ERR_ARGUMENT, "no friction law given");
  FW_RETURN_PLAIN(ctx, create(ctx, words, count, specimen));
}

void fw_specimen_destroy(fw_specimen **specimen) {
  if (!specimen || !*specimen) return;
  fw_friction_clear(&(*specimen)->law);
  free(*specimen);
  *specimen = NULL;
}

/* One step of the law from instant i - 1 to i; the first is a step of no length, which shows the fresh contact. usual: N
 * where none is given. */
static fw_step_in step_to(size_t i, const double *t, const double *u, const double *N, double usual) {
  double end = N ? N[i] : usual;
  if (i == 0) return (fw_step_in){.x = {[FW_STEP_N0] = end, [FW_STEP_N1] = end}};
  double dt = t[i] - t[i - 1], du = u[i] - u[i - 1], begin = N ? N[i - 1] : usual;
  return (fw_step_in){.x = {du, du / dt, du / dt, begin, end}, .dt = dt};
}

static fw_status check_times(fw_context *ctx, size_t count, const double *t) {
  for (size_t i = 1; i < count; i++)
    if (!(t[i] > t[i - 1]))
      return fw_fail(ctx, FW_ERR_ARGUMENT, "fw_specimen_drive: time %zu is %g, after %g", i, t[i], t[i - 1]);
  return FW_OK;
}

fw_status fw_specimen_drive(fw_context *ctx, const fw_specimen *specimen, size_t count, const double *t,
                            const double *u, const double *N, double *T) {
  FW_NEED(ctx, ctx);
  FW_NEED(ctx, specimen);
  FW_NEED(ctx, t);
  FW_NEED(ctx, u);
  FW_NEED(ctx, T);
  FW_TRY(check_times(ctx, count, t));
  const fw_friction *law = &specimen->law;
  size_t states = (size_t)law->states;
  double usual = fw_drive_default().N, *z;
  FW_TRY(fw_alloc(ctx, 2 * states, sizeof *z, &z));
  fw_friction_reset(law, z);
  for (size_t i = 0; i < count; i++) {
    fw_step_in in = step_to(i, t, u, N, usual);
    fw_step_out out = {.z = z + states};
    fw_friction_step(law, &in, z, &out);
    T[i] = out.T;
    memcpy(z, z + states, states * sizeof *z);
  }
  free(z);
  return FW_OK;
}

fw_status fw_specimen_slide(fw_context *ctx, const fw_specimen *specimen, double N, size_t count, const double *v,
                            double *T) {
  FW_NEED(ctx, ctx);
  FW_NEED(ctx, specimen);
  FW_NEED(ctx, v);
  FW_NEED(ctx, T);
  if (count > INT_MAX) return fw_fail(ctx, FW_ERR_ARGUMENT, "fw_specimen_slide: %zu speeds", count);
  return fw_tribometer_curve(ctx, &specimen->law, N, v, (int)count, T);
}
