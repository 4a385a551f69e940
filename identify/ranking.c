/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/ranking.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/unknown.h"

enum { PATH = 320 };

typedef struct ranked {
  const char *id;
  int group;                /* of those with the same targets: the first of them */
  double misfit, aicc, bic; /* these two unknown: more parameters than the figures can rank */
  double figures, parameters;
  double passivity, stiffness; /* largest of all levels, least of all; NaN: none */
  bool alone;                  /* with its targets */
} ranked;

static double number_of(const fw_record *summary, const char *id, const char *name) {
  char path[PATH];
  double value = NAN;
  snprintf(path, sizeof path, "identification.%.120s.%.120s", id, name);
  return fw_record_number(summary, path, &value) == FW_OK ? value : NAN;
}

/* ---- the same targets -------------------------------------------------------------------- */

static int count_of(const fw_record *summary, const char *id, const char *list) {
  char path[PATH];
  snprintf(path, sizeof path, "identification.%.120s.%s", id, list);
  return fw_record_count(summary, path);
}

static const char *text_of(const fw_record *summary, const char *id, const char *name) {
  char path[PATH];
  const char *text = "";
  snprintf(path, sizeof path, "identification.%.120s.%.120s", id, name);
  return fw_record_text(summary, path, &text) == FW_OK ? text : "";
}

/* Whether item i of a list has these members in common. */
static bool same_item(const fw_record *s, const char *a, const char *b, const char *list, int i,
                      const char *const *members) {
  char name[96];
  snprintf(name, sizeof name, "%s[%d].quantity", list, i);
  if (strcmp(text_of(s, a, name), text_of(s, b, name)) != 0) return false;
  for (; *members; members++) {
    snprintf(name, sizeof name, "%s[%d].%s", list, i, *members);
    if (number_of(s, a, name) != number_of(s, b, name)) return false;
  }
  return true;
}

static bool same_list(const fw_record *s, const char *a, const char *b, const char *list, const char *const *members) {
  int count = count_of(s, a, list);
  if (count_of(s, b, list) != count) return false;
  for (int i = 0; i < count; i++)
    if (!same_item(s, a, b, list, i, members)) return false;
  return true;
}

static bool same_targets(const fw_record *s, const char *a, const char *b) {
  static const char *const target[] = {"level", "measured", "deviation", NULL}, *const response[] = {"level", "points",
                                                                                                     NULL};
  return number_of(s, a, "figures") == number_of(s, b, "figures") && same_list(s, a, b, "targets", target) &&
         same_list(s, a, b, "responses", response);
}

/* ---- the fits ---------------------------------------------------------------------------- */

static void look_at_contact(const fw_record *s, ranked *r) {
  char name[64];
  r->passivity = r->stiffness = NAN;
  for (int i = 0; i < count_of(s, r->id, "contact"); i++) {
    snprintf(name, sizeof name, "contact[%d].passivity", i);
    r->passivity = fmax(r->passivity, number_of(s, r->id, name));
    snprintf(name, sizeof name, "contact[%d].equivalent_stiffness", i);
    r->stiffness = fmin(r->stiffness, number_of(s, r->id, name));
  }
}

static int list_fits(const fw_record *s, ranked *list) {
  int count = 0;
  for (int i = 0; i < fw_record_count(s, "identification"); i++) {
    ranked r = {.id = fw_record_key(s, "identification", i), .group = count};
    if (strcmp(text_of(s, r.id, "method"), "frf") != 0 || strcmp(text_of(s, r.id, "status"), "done") != 0) continue;
    r.misfit = number_of(s, r.id, "chi2");
    r.figures = number_of(s, r.id, "figures");
    r.parameters = number_of(s, r.id, "parameters");
    r.aicc = number_of(s, r.id, "aicc");
    r.bic = number_of(s, r.id, "bic");
    look_at_contact(s, &r);
    for (int k = count - 1; k >= 0; k--)
      if (same_targets(s, list[k].id, r.id)) r.group = list[k].group;
    list[count++] = r;
  }
  return count;
}

/* Takes away fits that are alone; where one of a group has no criterion, none of it is ranked by it. */
static int keep_groups(ranked *list, int count, bool *by_criterion) {
  int kept = 0;
  for (int i = 0; i < count; i++) {
    bool all = true;
    list[i].alone = true;
    for (int k = 0; k < count; k++) {
      if (list[k].group != list[i].group) continue;
      list[i].alone = list[i].alone && k == i;
      all = all && isfinite(list[k].aicc);
    }
    by_criterion[list[i].group] = all;
  }
  for (int i = 0; i < count; i++)
    if (!list[i].alone) list[kept++] = list[i];
  return kept;
}

/* By insertion: equal ones stay in the order of the deck. */
static void sort(ranked *list, int count, const bool *by_criterion) {
  for (int i = 1; i < count; i++)
    for (int k = i; k > 0; k--) {
      const ranked *a = &list[k - 1], *b = &list[k];
      bool criterion = by_criterion[b->group];
      double first = criterion ? a->aicc : a->misfit, second = criterion ? b->aicc : b->misfit;
      if (a->group < b->group || (a->group == b->group && first <= second)) break;
      const ranked moved = *a;
      list[k - 1] = *b;
      list[k] = moved;
    }
}

/* ---- told -------------------------------------------------------------------------------- */

static void say(const ranked *r, char *text, size_t room) {
  int at = 0;
  text[0] = '\0';
  if (isnan(r->aicc)) at = snprintf(text, room, "%.0f figures do not rank %.0f numbers; ", r->figures, r->parameters);
  if (r->passivity > 1.0) at += snprintf(text + at, room - (size_t)at, "not passive; ");
  if (r->stiffness < 0.0) at += snprintf(text + at, room - (size_t)at, "its contact is a negative spring; ");
  if (at >= 2) text[at - 2] = '\0';
}

static double known(double value) { return isfinite(value) ? value : fw_unknown(); }

static fw_status tell(fw_record *summary, const ranked *r, int row, double least) {
  char note[160];
  say(r, note, sizeof note);
  FW_TRY(fw_record_set_text(summary, r->id, "ranking[%d].fit", row));
  FW_TRY(fw_record_set_number(summary, r->misfit, "ranking[%d].misfit", row));
  FW_TRY(fw_record_set_number(summary, r->figures, "ranking[%d].figures", row));
  FW_TRY(fw_record_set_number(summary, r->parameters, "ranking[%d].parameters", row));
  FW_TRY(fw_record_set_number(summary, known(r->aicc), "ranking[%d].aicc", row));
  FW_TRY(fw_record_set_number(summary, known(r->aicc - least), "ranking[%d].above_best", row));
  FW_TRY(fw_record_set_number(summary, known(r->bic), "ranking[%d].bic", row));
  FW_TRY(fw_record_set_number(summary, known(r->passivity), "ranking[%d].passivity", row));
  return note[0] ? fw_record_set_text(summary, note, "ranking[%d].note", row) : FW_OK;
}

static double least_of(const ranked *list, int count, int group) {
  double least = INFINITY;
  for (int i = 0; i < count; i++)
    if (list[i].group == group) least = fmin(least, list[i].aicc);
  return least;
}

fw_status fw_ranking_tell(fw_context *ctx, fw_record *summary) {
  size_t room = (size_t)fw_record_count(summary, "identification") + 1;
  ranked *list = NULL;
  bool *by_criterion = NULL;
  fw_status status;
  FW_TRY_DONE(fw_alloc(ctx, room, sizeof *list, &list));
  FW_TRY_DONE(fw_alloc(ctx, room, sizeof *by_criterion, &by_criterion));
  int count = keep_groups(list, list_fits(summary, list), by_criterion);
  sort(list, count, by_criterion);
  for (int i = 0; i < count; i++) FW_TRY_DONE(tell(summary, &list[i], i, least_of(list, count, list[i].group)));
done:
  free(list);
  free(by_criterion);
  return status;
}
