/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/formula.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "input/derivative.h"

enum { MOST_VARIABLES = 4, ENGINES = 64 };

/* A parser works on places of its own: one for each thread that asks at the same time. */
typedef struct engine {
  atomic_flag busy;
  fw_scope *scope;
  double x[MOST_VARIABLES];
} engine;

typedef struct constant {
  const char *name;
  double value;
} constant;

typedef struct formula {
  fw_shared_formula shared;
  char *text, *names; /* names: "a|b|c" cut into variables */
  const char *variables[MOST_VARIABLES];
  int count;
  constant *constants; /* the deck's parameters it uses */
  int constant_count, constant_room;
  bool unknown, short_of_memory;
  engine engines[ENGINES];
} formula;

/* ---- engines ----------------------------------------------------------------------------- */

/* A parser with the names of the formula. NULL, or why there is none. */
static const char *engine_start(formula *self, engine *e, char *why, size_t room) {
  fw_context *ctx;
  double unused;
  snprintf(why, room, "out of memory");
  self->short_of_memory = true;
  if (fw_context_create(&ctx) != FW_OK) return why;
  fw_status status = fw_scope_create(ctx, &e->scope);
  fw_context_destroy(&ctx);
  if (status != FW_OK) return why;
  self->short_of_memory = false;
  const char *wrong = NULL;
  for (int i = 0; i < self->count && !wrong; i++) {
    e->x[i] = 1.0;
    wrong = fw_scope_define(e->scope, self->variables[i], &e->x[i]);
  }
  for (int i = 0; i < self->constant_count && !wrong; i++)
    wrong = fw_scope_define(e->scope, self->constants[i].name, &self->constants[i].value);
  if (!wrong && fw_scope_compile(e->scope, self->text, &unused, why, room)) return NULL;
  if (wrong) snprintf(why, room, "%s", wrong);
  if (wrong == fw_scope_no_memory) self->short_of_memory = true;
  fw_scope_destroy(&e->scope);
  return why;
}

/* An engine nobody uses; NULL if memory is short. */
static engine *engine_take(formula *self) {
  static pthread_mutex_t start_lock = PTHREAD_MUTEX_INITIALIZER;
  for (int i = 0;; i = (i + 1) % ENGINES) {
    engine *e = &self->engines[i];
    if (atomic_flag_test_and_set_explicit(&e->busy, memory_order_acquire)) {
      if (i == ENGINES - 1) sched_yield();
      continue;
    }
    if (e->scope) return e;
    char why[256];
    pthread_mutex_lock(&start_lock);
    const char *wrong = engine_start(self, e, why, sizeof why);
    pthread_mutex_unlock(&start_lock);
    if (!wrong) return e;
    atomic_flag_clear_explicit(&e->busy, memory_order_release);
    return NULL;
  }
}

/* ---- derivatives ------------------------------------------------------------------------- */

/* Where derivatives are asked: at x, along one of the variables. */
typedef struct direction {
  const formula *self;
  const double *x;
  int along;
} direction;

static bool jet_of_name(const void *user, const char *name, fw_jet *jet) {
  static const constant known[] = {{"pi", M_PI}, {"_pi", M_PI}, {"_e", M_E}};
  const direction *d = user;
  const formula *self = d->self;
  for (int i = 0; i < self->count; i++)
    if (strcmp(name, self->variables[i]) == 0) {
      *jet = (fw_jet){d->x[i], i == d->along ? 1.0 : 0.0, 0.0};
      return true;
    }
  for (int i = 0; i < self->constant_count; i++)
    if (strcmp(name, self->constants[i].name) == 0) {
      *jet = fw_jet_constant(self->constants[i].value);
      return true;
    }
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(name, known[i].name) == 0) {
      *jet = fw_jet_constant(known[i].value);
      return true;
    }
  return false;
}

static bool jet_at(const formula *self, const double *x, int along, fw_jet *jet) {
  return fw_derivative(self->text, jet_of_name, &(direction){self, x, along}, jet);
}

#define TRACE 1e-5
#define LEAST_VALUE 1e-7 /* of a variable, for the trace beside it */

static double slope_at(const formula *self, const double *x, int i) {
  fw_jet jet;
  double beside[MOST_VARIABLES];
  if (!jet_at(self, x, i, &jet)) return NAN;
  if (isfinite(jet.first)) return jet.first;
  memcpy(beside, x, (size_t)self->count * sizeof *x);
  beside[i] += TRACE * fmax(fabs(x[i]), LEAST_VALUE);
  return jet_at(self, beside, i, &jet) ? jet.first : NAN;
}

static void formula_rates(const fw_shared_formula *shared, double t, double rates[2]) {
  const formula *self = (const formula *)(const void *)shared;
  double x[MOST_VARIABLES] = {t};
  fw_jet jet;
  bool known = jet_at(self, x, 0, &jet);
  rates[0] = known ? jet.first : NAN;
  rates[1] = known ? jet.second : NAN;
}

/* ---- values ------------------------------------------------------------------------------ */

static double formula_value(const fw_formula *face, const double *x, double *slopes) {
  formula *self = (formula *)(void *)face; /* engines are scratch: the formula itself stays as it is */
  engine *e = engine_take(self);
  double value = NAN;
  if (e) {
    memcpy(e->x, x, (size_t)self->count * sizeof *x);
    value = fw_scope_again(e->scope);
    atomic_flag_clear_explicit(&e->busy, memory_order_release);
  }
  for (int i = 0; slopes && i < self->count; i++) slopes[i] = fw_formula_uses(face, i) ? slope_at(self, x, i) : 0.0;
  return value;
}

/* ---- compilation ------------------------------------------------------------------------- */

static void formula_destroy(fw_shared_formula *shared) {
  formula *self = (formula *)(void *)shared;
  for (int i = 0; i < ENGINES; i++) fw_scope_destroy(&self->engines[i].scope);
  for (int i = 0; i < self->constant_count; i++) free((char *)self->constants[i].name);
  free(self->constants);
  free(self->text);
  free(self->names);
  free(self);
}

static bool is_variable(const formula *self, const char *name) {
  for (int i = 0; i < self->count; i++)
    if (strcmp(self->variables[i], name) == 0) return true;
  return false;
}

/* A name of the scope around the formula that it uses. */
static void keep_constant(void *user, const char *name, const double *variable) {
  formula *self = user;
  fw_context *ctx;
  if (is_variable(self, name) || self->short_of_memory) return;
  self->unknown = self->unknown || isnan(*variable);
  self->short_of_memory = true;
  if (fw_context_create(&ctx) != FW_OK) return;
  fw_status status =
      fw_grow(ctx, self->constant_count, &self->constant_room, sizeof *self->constants, &self->constants);
  char *copy = NULL;
  if (status == FW_OK) status = fw_copy_text(ctx, name, &copy);
  if (status == FW_OK) self->constants[self->constant_count].name = copy;
  fw_context_destroy(&ctx);
  if (status != FW_OK) return;
  self->short_of_memory = false;
  self->constants[self->constant_count++].value = *variable;
}

/* A variable that the formula uses, by its place in the first engine. */
static void note_variable(void *user, const char *name, const double *variable) {
  (void)name;
  formula *self = user;
  for (int i = 0; i < self->count; i++)
    if (variable == &self->engines[0].x[i]) self->shared.uses |= 1U << i;
}

/* Whether the formula is a number somewhere: sqrt(0.05 - t) is none at t = 1, 1/0*t nowhere. All variables take the
 * same values, of either sign, from 1e-9 to 1e9 and 4 % apart. Where it is one in use is for those to look at who ask
 * it. */
static bool is_number_somewhere(const formula *self, engine *e) {
  enum { TRIALS = 1000 };
  bool found = false;
  for (int k = 0; k < 2 * TRIALS && !found; k++) {
    int place = k / 2; /* each with both signs */
    double size = pow(10.0, 18.0 * place / TRIALS - 9.0);
    for (int i = 0; i < self->count; i++) e->x[i] = k % 2 ? -size : size;
    found = isfinite(fw_scope_again(e->scope));
  }
  for (int i = 0; i < self->count; i++) e->x[i] = 1.0;
  return found;
}

static bool check_finite(const formula *self, engine *e, char *why, size_t room) {
  double value;
  why[0] = '\0';
  if (fw_scope_evaluate(e->scope, self->text, &value, why, room) || is_number_somewhere(self, e)) why[0] = '\0';
  return !why[0];
}

/* Whether the reader of derivatives makes of the text what the parser makes of it. */
static bool check_derivatives(const formula *self, engine *e, char *why, size_t room) {
  static const double places[] = {0.0, 1.0, 0.37, 2.4e-3, 51.0, -0.6};
  bool same = true;
  for (size_t k = 0; k < sizeof places / sizeof *places && same; k++) {
    fw_jet jet;
    for (int i = 0; i < self->count; i++) e->x[i] = places[k];
    double value = fw_scope_again(e->scope);
    same = jet_at(self, e->x, 0, &jet) &&
           (!isfinite(value) || !isfinite(jet.value) || fabs(value - jet.value) <= 1e-9 * fmax(fabs(value), 1e-9));
  }
  for (int i = 0; i < self->count; i++) e->x[i] = 1.0;
  if (!same) snprintf(why, room, "its derivatives are not found: it may nest too deeply");
  return same;
}

static fw_status formula_create(fw_context *ctx, const char *text, const char *variables, formula **created) {
  formula *self;
  FW_TRY(fw_alloc(ctx, 1, sizeof *self, &self));
  self->shared.face.value = formula_value;
  self->shared.rates = formula_rates;
  self->shared.destroy = formula_destroy;
  atomic_init(&self->shared.shares, 1);
  for (int i = 0; i < ENGINES; i++) atomic_flag_clear(&self->engines[i].busy);
  fw_status status = fw_copy_text(ctx, text, &self->text);
  if (status == FW_OK) status = fw_copy_text(ctx, variables, &self->names);
  if (status != FW_OK) {
    formula_destroy(&self->shared);
    return status;
  }
  char *rest = NULL;
  for (char *name = strtok_r(self->names, "|", &rest); name && self->count < MOST_VARIABLES;
       name = strtok_r(NULL, "|", &rest))
    self->variables[self->count++] = name;
  *created = self;
  return FW_OK;
}

static uint64_t formula_mark(const formula *self) {
  uint64_t mark = fw_hash_text(FW_HASH_START, self->text);
  for (int i = 0; i < self->count; i++) mark = fw_hash_text(mark, self->variables[i]);
  for (int i = 0; i < self->constant_count; i++)
    mark = fw_hash_number(fw_hash_text(mark, self->constants[i].name), self->constants[i].value);
  return mark;
}

fw_status fw_formula_of_scope(fw_context *ctx, fw_scope *scope, const char *text, const char *variables,
                              fw_formula **result, char *why, size_t room) {
  formula *self;
  *result = NULL;
  why[0] = '\0';
  FW_TRY(formula_create(ctx, text, variables, &self));
  if (scope) fw_scope_uses(scope, text, keep_constant, self);
  bool good = !self->short_of_memory && !self->unknown && !engine_start(self, &self->engines[0], why, room);
  if (self->short_of_memory) {
    formula_destroy(&self->shared);
    return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  }
  if (good) {
    fw_scope_uses(self->engines[0].scope, text, note_variable, self);
    good = check_finite(self, &self->engines[0], why, room) && check_derivatives(self, &self->engines[0], why, room);
  }
  if (good) {
    self->shared.mark = formula_mark(self);
    *result = &self->shared.face;
  } else {
    formula_destroy(&self->shared);
  }
  return FW_OK;
}

fw_status fw_formula_compile(fw_context *ctx, const char *text, const char *variables, fw_formula **result) {
  char why[256];
  FW_TRY(fw_formula_of_scope(ctx, NULL, text, variables, result, why, sizeof why));
  return why[0] ? fw_fail(ctx, FW_ERR_ARGUMENT, "'%s': %s", text, why) : FW_OK;
}
