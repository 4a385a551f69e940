/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/formula.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"

enum { MOST_VARIABLES = 4, ENGINES = 64 };

/* A parser works on places of its own: one for each thread that asks at the same time. */
typedef struct engine {
  atomic_flag busy;
  fw_scope *scope;
  double x[MOST_VARIABLES];
} engine;

typedef struct constant {
  char *name;
  double value;
} constant;

typedef struct formula {
  fw_shared_formula shared;
  char *text, *names; /* names: "a|b|c" cut into variables */
  const char *variables[MOST_VARIABLES];
  bool used[MOST_VARIABLES];
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
  if (fw_context_create(&ctx) != FW_OK) return why;
  fw_status status = fw_scope_create(ctx, &e->scope);
  fw_context_destroy(&ctx);
  if (status != FW_OK) return why;
  const char *wrong = NULL;
  for (int i = 0; i < self->count && !wrong; i++) {
    e->x[i] = 1.0;
    wrong = fw_scope_define(e->scope, self->variables[i], &e->x[i]);
  }
  for (int i = 0; i < self->constant_count && !wrong; i++)
    wrong = fw_scope_define(e->scope, self->constants[i].name, &self->constants[i].value);
  if (!wrong && fw_scope_compile(e->scope, self->text, &unused, why, room)) return NULL;
  if (wrong) snprintf(why, room, "%s", wrong);
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

/* ---- values ------------------------------------------------------------------------------ */

#define RELATIVE_STEP 1e-5
#define LEAST_VALUE 1e-7 /* of a variable, for its step */

static double value_at(engine *e, int i, double x) {
  double kept = e->x[i];
  e->x[i] = x;
  double value = fw_scope_again(e->scope);
  e->x[i] = kept;
  return value;
}

static double slope_at(engine *e, int i, double value) {
  double x = e->x[i], h = RELATIVE_STEP * fmax(x, LEAST_VALUE);
  if (x - h < 0.0) return (4.0 * value_at(e, i, x + h) - 3.0 * value - value_at(e, i, x + 2.0 * h)) / (2.0 * h);
  double up = x + h, down = x - h;
  return (value_at(e, i, up) - value_at(e, i, down)) / (up - down);
}

static double formula_value(const fw_formula *face, const double *x, double *slopes) {
  formula *self = (formula *)(void *)face; /* engines are scratch: the formula itself stays as it is */
  engine *e = engine_take(self);
  double value = NAN;
  if (e) {
    memcpy(e->x, x, (size_t)self->count * sizeof *x);
    value = fw_scope_again(e->scope);
  }
  for (int i = 0; slopes && i < self->count; i++) slopes[i] = !e ? NAN : self->used[i] ? slope_at(e, i, value) : 0.0;
  if (e) atomic_flag_clear_explicit(&e->busy, memory_order_release);
  return value;
}

/* ---- compilation ------------------------------------------------------------------------- */

static void formula_destroy(fw_shared_formula *shared) {
  formula *self = (formula *)(void *)shared;
  for (int i = 0; i < ENGINES; i++) fw_scope_destroy(&self->engines[i].scope);
  for (int i = 0; i < self->constant_count; i++) free(self->constants[i].name);
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
  if (status == FW_OK) status = fw_copy_text(ctx, name, &self->constants[self->constant_count].name);
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
    if (variable == &self->engines[0].x[i]) self->used[i] = true;
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

static fw_status formula_create(fw_context *ctx, const char *text, const char *variables, formula **created) {
  formula *self;
  FW_TRY(fw_alloc(ctx, 1, sizeof *self, &self));
  self->shared.face.value = formula_value;
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
  if (self->short_of_memory) {
    formula_destroy(&self->shared);
    return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  }
  bool good = !self->unknown && !engine_start(self, &self->engines[0], why, room);
  if (good) {
    fw_scope_uses(self->engines[0].scope, text, note_variable, self);
    good = check_finite(self, &self->engines[0], why, room);
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
