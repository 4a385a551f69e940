/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The least value of a result: GSL's simplex of Nelder and Mead from several starts. The search of a start is played
 * again from its beginning with the values that are known by now; where it asks for one that is not, that is the next
 * sample. So the samples of all starts can be computed at a time, and a study that was stopped goes on where it was.
 *
 * The simplex knows no bounds: it walks in x, with u = sin^2(pi x / 2) in [0, 1], whose derivative is 0 at the bounds, so
 * that a least value there is one of a smooth function. */
#include <gsl/gsl_multimin.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/sampling.h"

static const fw_param params[] = {
    {"result", FW_PARAM_TEXT, "", "", -INFINITY, INFINITY, NULL, "result that is to be least; absent: the first"},
    {"starts", FW_PARAM_INTEGER, "", "3", 1, 1000, NULL,
     "searches: one from the deck's values, others spread over the ranges"},
    {"samples", FW_PARAM_INTEGER, "", "60", 4, 100000, NULL, "most samples of each search"},
    {"tolerance", FW_PARAM_NUMBER, "", "1e-3", 1e-12, 0.1, NULL,
     "size of the simplex, over the ranges, at which a search ends"},
    {0}};

static const double first_size = 0.15;

static double place(double x) { return pow(sin(M_PI * x / 2), 2); }
static double inverse(double u) { return 2 / M_PI * asin(sqrt(u)); }

static fw_status size(fw_context *ctx, const fw_sampling_options *options, long *samples) {
  if (options->dimensions > FW_SOBOL_DIMENSIONS)
    return fw_fail_at(ctx, FW_ERR_DECK, options->args->place, "a search varies at most %d parameters, not %d",
                      FW_SOBOL_DIMENSIONS, options->dimensions);
  *samples = fw_args_integer(options->args, "starts") * fw_args_integer(options->args, "samples");
  return FW_OK;
}

/* A room of `samples` points for each start. Its first is the start itself; the others follow (extend). */
static fw_status fill(fw_context *ctx, const fw_sampling_options *options, long samples, double *u) {
  int d = options->dimensions;
  long starts = fw_args_integer(options->args, "starts"), room = samples / starts;
  double *spread;
  FW_TRY(fw_alloc(ctx, (size_t)starts * (size_t)d, sizeof *spread, &spread));
  fw_status status = fw_sobol_fill(ctx, d, options->seed, starts, d, spread);
  for (long i = 0; i < samples * d; i++)
    u[i] = i / d < room ? options->nominal[i % d] : spread[i / d / room * d + i % d];
  free(spread);
  return status;
}

/* One search, played again. */
typedef struct search {
  const double *f;           /* [room] what is known, NaN: not yet */
  double *u;                 /* [room * d] */
  bool *wanted;              /* [room] */
  long room, asked, missing; /* evaluations so far, and those that are not known */
} search;

/* What follows a value that is not known is not looked at: any finite one will do. */
static double value_of(const gsl_vector *x, void *user) {
  search *s = user;
  if (s->asked >= s->room) return FW_NO_OBJECTIVE;
  long i = s->asked++;
  for (size_t k = 0; i > 0 && k < x->size; k++) s->u[(size_t)i * x->size + k] = place(gsl_vector_get(x, k));
  s->wanted[i] = true;
  if (!isnan(s->f[i])) return s->f[i];
  s->missing++;
  return 0;
}

/* The corners of the first simplex do not depend on values, so all of them are wanted at once; later one at a time. */
static void play(search *s, gsl_multimin_fminimizer *simplex, const gsl_vector *from, const gsl_vector *steps,
                 double tolerance) {
  gsl_multimin_function system = {.f = value_of, .n = from->size, .params = s};
  int code = gsl_multimin_fminimizer_set(simplex, &system, from, steps);
  while (code == GSL_SUCCESS && s->missing == 0 && s->asked < s->room &&
         gsl_multimin_fminimizer_size(simplex) > tolerance) {
    code = gsl_multimin_fminimizer_iterate(simplex);
  }
}

/* Keeps only what may be computed now: of the points asked for in one iteration, the first that is not known. */
static void keep_first(search *s, long corners) {
  bool open = false;
  for (long i = 0; i < s->asked; i++) {
    if (i >= corners && open) s->wanted[i] = false;
    open = open || isnan(s->f[i]);
  }
}

static fw_status extend(fw_context *ctx, const fw_sampling_options *options, long samples, const double *f, double *u,
                        bool *wanted) {
  size_t d = (size_t)options->dimensions;
  long starts = fw_args_integer(options->args, "starts"), room = samples / starts;
  gsl_multimin_fminimizer *simplex = gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, d);
  gsl_vector *from = gsl_vector_alloc(d), *steps = gsl_vector_alloc(d);
  fw_status status = simplex && from && steps ? FW_OK : fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  for (long n = 0; n < starts && status == FW_OK; n++) {
    search s = {f + n * room, u + n * room * (long)d, wanted + n * room, room, 0, 0};
    for (size_t k = 0; k < d; k++) {
      gsl_vector_set(from, k, inverse(s.u[k]));
      gsl_vector_set(steps, k, s.u[k] > 0.5 ? -first_size : first_size);
    }
    play(&s, simplex, from, steps, fw_args_number(options->args, "tolerance"));
    keep_first(&s, (long)d + 1);
  }
  if (simplex) gsl_multimin_fminimizer_free(simplex);
  if (from) gsl_vector_free(from);
  if (steps) gsl_vector_free(steps);
  return status;
}

extern const fw_sampling_ops fw_sampling_minimise;
const fw_sampling_ops fw_sampling_minimise = {
    .entry = {"minimise", "the least value of a result within the ranges, by the simplex method from several starts",
              "at most starts times samples", "Nelder and Mead 1965", params},
    .effects = FW_EFFECT_RANK,
    .corners = true,
    .size = size,
    .fill = fill,
    .extend = extend};
