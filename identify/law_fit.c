/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loops.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/friction/setting.h"

enum { MOST_HELD = 16, SETTING = 96 };

/* ---- hold and bounds --------------------------------------------------------------------- */

static bool has_number(const fw_law_fit *f, const char *name) {
  if (strcmp(name, "u-crit") == 0) return true;
  for (const fw_param *p = f->ops->entry.params; p && p->name; p++)
    if (strcmp(p->name, name) == 0) return true;
  return false;
}

/* "law.name=..." of this law, or "name=..." that it has: the part after the law; NULL: of another. */
static const char *of_law(const fw_law_fit *f, const char *word) {
  char name[SETTING];
  const char *equals = strchr(word, '='), *dot = strchr(word, '.');
  bool qualified = dot && equals && dot < equals;
  size_t length = strlen(f->law->law);
  if (qualified && (strncmp(word, f->law->law, length) != 0 || word[length] != '.')) return NULL;
  const char *own = qualified ? dot + 1 : word;
  snprintf(name, sizeof name, "%.*s", (int)(strchr(own, '=') - own), own);
  return has_number(f, name) ? own : NULL;
}

/* Calls `use` with every "name=text" of a list that is of this law. */
static fw_status each_word(fw_context *ctx, fw_law_fit *f, const char *text, const char *attribute,
                           fw_status (*use)(fw_context *, fw_law_fit *, const char *)) {
  char *copy, *rest = NULL;
  fw_status status = FW_OK;
  FW_TRY(fw_copy_text(ctx, text ? text : "", &copy));
  for (char *one = strtok_r(copy, ", \t\r\n", &rest); one && status == FW_OK; one = strtok_r(NULL, ", \t\r\n", &rest)) {
    if (!strchr(one, '=') || strlen(one) >= SETTING)
      status = fw_fail(ctx, FW_ERR_DECK, "attribute '%s': '%s' is not name=value", attribute, one);
    else if (of_law(f, one))
      status = use(ctx, f, of_law(f, one));
  }
  free(copy);
  return status;
}

static fw_status hold_one(fw_context *ctx, fw_law_fit *f, const char *word) {
  if (f->held_count == MOST_HELD) return fw_fail(ctx, FW_ERR_DECK, "attribute 'hold': more than %d numbers", MOST_HELD);
  snprintf(f->held[f->held_count++], SETTING, "%s", word);
  return FW_OK;
}

static bool is_held(const fw_law_fit *f, const char *name) {
  size_t length = strlen(name);
  for (int i = 0; i < f->held_count; i++)
    if (strncmp(f->held[i], name, length) == 0 && f->held[i][length] == '=') return true;
  return false;
}

static fw_status bound_one(fw_context *ctx, fw_law_fit *f, const char *word) {
  double low, high;
  const char *equals = strchr(word, '=');
  if (sscanf(equals + 1, "%lf:%lf", &low, &high) != 2 || !(low < high))
    return fw_fail(ctx, FW_ERR_DECK, "attribute 'bounds': '%s' is not name=low:high", word);
  for (int k = 0; k < f->count; k++) {
    fw_fit_parameter *p = &f->list[k];
    if (strlen(p->name) != (size_t)(equals - word) || strncmp(p->name, word, strlen(p->name)) != 0) continue;
    p->low = low;
    p->high = high;
    p->start = fmin(fmax(p->start, low), high);
    p->logarithmic = low > 0.0;
  }
  return FW_OK;
}

/* ---- evaluation -------------------------------------------------------------------------- */

fw_status fw_law_fit_make(fw_law_fit *f, const double *p, fw_friction *law) {
  char settings[FW_CHAIN_NUMBERS + MOST_HELD][SETTING];
  const char *words[FW_CHAIN_NUMBERS + MOST_HELD];
  int n = 0;
  for (int i = 0; i < f->held_count; i++, n++) snprintf(settings[n], SETTING, "%s", f->held[i]);
  for (int k = 0; k < f->count; k++, n++) snprintf(settings[n], SETTING, "%.60s=%.17g", f->list[k].name, p[k]);
  for (int i = 0; i < n; i++) words[i] = settings[i];
  return fw_law_create(f->aside, f->ops, words, n, law);
}

static fw_status follow_all(fw_context *ctx, fw_law_fit *f, const fw_friction *law, double *r) {
  for (int i = 0; i < f->loops->count; i++) {
    const fw_loop_data *loop = &f->loops->list[i];
    FW_TRY(fw_loop_follow(ctx, law, loop, f->options->begin, f->options->parts, f->T));
    r += fw_loop_residuals(loop, f->options->objective, f->T, r);
  }
  return FW_OK;
}

static fw_status law_residual(void *user, fw_context *ctx, const double *p, double *r) {
  fw_law_fit *f = user;
  fw_friction law = {0};
  fw_context_clear(f->aside);
  if (fw_law_fit_make(f, p, &law) != FW_OK) return FW_RECOVER_NAN; /* the law has no meaning with these numbers */
  fw_status status = follow_all(ctx, f, &law, r);
  fw_friction_clear(&law);
  return status;
}

/* ---- life -------------------------------------------------------------------------------- */

static fw_status choose_numbers(fw_context *ctx, fw_law_fit *f, const fw_contact_guess *guess) {
  for (int k = 0; f->law->numbers[k]; k++)
    if (!is_held(f, f->law->numbers[k])) f->list[f->count++] = fw_chain_parameter(f->law, f->law->numbers[k], guess);
  FW_TRY(each_word(ctx, f, f->options->bounds, "bounds", bound_one));
  f->problem = (fw_fit_problem){.parameters = f->count,
                                .residuals = fw_loop_residual_count(f->loops, f->options->objective),
                                .list = f->list,
                                .user = f,
                                .residual = law_residual,
                                .step = 1e-6};
  return FW_OK;
}

fw_status fw_law_fit_open(fw_context *ctx, const char *law, const fw_loops *loops, const fw_contact_guess *guess,
                          const fw_law_fit_options *options, fw_law_fit *f) {
  size_t longest = 0;
  fw_status status;
  *f = (fw_law_fit){.loops = loops, .options = options};
  f->law = fw_chain_find(law);
  f->ops = (const fw_friction_ops *)(const void *)fw_table_find(&fw_laws, law);
  if (!f->law || !f->ops)
    return fw_fail(ctx, FW_ERR_DECK, "attribute 'laws': '%s' is not one of %s", law, fw_chain_names);
  for (int i = 0; i < loops->count; i++) longest = loops->list[i].count > longest ? loops->list[i].count : longest;
  FW_TRY_DONE(fw_alloc(ctx, longest, sizeof *f->T, &f->T));
  FW_TRY_DONE(fw_context_create(&f->aside));
  FW_TRY_DONE(each_word(ctx, f, options->hold, "hold", hold_one));
  FW_TRY_DONE(choose_numbers(ctx, f, guess));
done:
  if (status != FW_OK) fw_law_fit_close(f);
  return status;
}

void fw_law_fit_close(fw_law_fit *f) {
  fw_fit_clear(&f->fit);
  fw_context_destroy(&f->aside);
  free(f->T);
  *f = (fw_law_fit){0};
}

fw_status fw_law_fit_run(fw_context *ctx, fw_law_fit *f) {
  if (f->count == 0) return FW_OK;
  return fw_fit_run(ctx, &f->problem, &f->options->fit, &f->fit);
}

fw_status fw_law_fit_force(fw_context *ctx, fw_law_fit *f, const fw_loop_data *loop, double *T) {
  fw_friction law = {0};
  fw_status status = fw_law_fit_make(f, f->fit.p, &law);
  if (status != FW_OK) return fw_fail(ctx, status, "%s", fw_context_message(f->aside));
  status = fw_loop_follow(ctx, &law, loop, f->options->begin, f->options->parts, T);
  fw_friction_clear(&law);
  return status;
}

double fw_law_fit_number(const fw_law_fit *f, const char *name) {
  size_t length = strlen(name);
  for (int k = 0; k < f->count; k++)
    if (strcmp(f->list[k].name, name) == 0) return f->fit.p[k];
  for (int i = 0; i < f->held_count; i++)
    if (strncmp(f->held[i], name, length) == 0 && f->held[i][length] == '=') return atof(f->held[i] + length + 1);
  return NAN;
}
