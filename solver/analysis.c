/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analysis.h"

#include <cblas.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/pair.h"
#include "core/load.h"

#define X(variable) extern const fw_analysis_ops variable;
#include "solver/analyses/analyses.def"
#undef X

static const fw_entry *const analysis_entries[] = {
#define X(variable) &variable.entry,
#include "solver/analyses/analyses.def"
#undef X
    NULL};

const fw_table fw_analyses = {"analyses", "what can be computed", analysis_entries};

const fw_param fw_analysis_common[] = {
    {"id", FW_PARAM_ID, "", NULL, 0, 0, NULL, "name of the analysis and of its result folder"},
    {"start", FW_PARAM_REF, "", "", 0, 0, "analysis", "begin from this analysis's final state, its loads still on"},
    {"loads", FW_PARAM_REFS, "", "", 0, 0, "load", "loads switched on besides those carried over"},
    {0}};

void fw_outcome_clear(fw_outcome *outcome) {
  if (outcome->ops && outcome->ops->destroy) outcome->ops->destroy(outcome->data);
  fw_state_destroy(&outcome->state);
  memset(outcome, 0, sizeof *outcome);
}

bool fw_analysis_has_level(const fw_item *analysis, double level) {
  const fw_args *args = &analysis->entry_args;
  double small = 1e-9 * fabs(level);
  if (strcmp(analysis->name, "resonance") == 0)
    return level >= fw_args_number(args, "level-min") - small && level <= fw_args_number(args, "level-max") + small;
  if (strcmp(analysis->name, "frf") != 0) return false;
  const fw_value *levels = fw_args_value(args, "levels");
  for (int i = 0; i < levels->count; i++)
    if (fabs(levels->numbers[i] - level) <= small) return true;
  return false;
}

bool fw_analysis_keeps_motions(const fw_item *analysis) {
  static const char *const kept[] = {"harmonic-balance", "both", "auto"};
  const char *method = fw_args_text(&analysis->entry_args, "method");
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    if (strcmp(method, kept[i]) == 0) return true;
  return false;
}

/* ---- the loads an analysis names ----------------------------------------------------------- */

bool fw_next_load(const fw_model *model, const char **at, int *load) {
  static const char separators[] = ", \t\n";
  char id[256];
  if (!*at) return false;
  *at += strspn(*at, separators);
  size_t length = strcspn(*at, separators);
  snprintf(id, sizeof id, "%.*s", (int)length, *at);
  *at += length;
  *load = fw_model_load(model, id);
  return length > 0;
}

fw_status fw_job_loads(const fw_job *job, double level, double *factors) {
  const char *at = fw_args_text(job->common, "loads");
  for (int load; fw_next_load(job->model, &at, &load);) {
    if (load < 0)
      return fw_fail_at(job->ctx, FW_ERR_DECK, job->common->place, "attribute 'loads': there is no such load");
    factors[load] += level;
  }
  return FW_OK;
}

fw_status fw_job_drive(const fw_job *job, double complex *drive) {
  double *factors, phase;
  FW_TRY(fw_alloc(job->ctx, (size_t)job->model->load_count, sizeof *factors, &factors));
  fw_status status = fw_job_loads(job, 1, factors);
  *drive = 1;
  for (int l = job->model->load_count - 1; status == FW_OK && l >= 0; l--) {
    const fw_load *load = &job->model->loads[l];
    if (factors[l] != 0 && load->ops->harmonic && fw_load_multiple(load, &phase) == 1)
      *drive = factors[l] * cexp(I * phase);
  }
  free(factors);
  return status;
}

/* ---- checks -------------------------------------------------------------------------------- */

fw_status fw_check_below(fw_context *ctx, const fw_args *args, const char *low, const char *high) {
  double least = fw_args_number(args, low), most = fw_args_number(args, high);
  if (least < most) return FW_OK;
  return fw_fail_at(ctx, FW_ERR_DECK, args->place, "%s must be below %s: %g is not below %g", low, high, least, most);
}

fw_status fw_check_unused(fw_context *ctx, const fw_args *args, const char *const *words, const char *with) {
  for (; *words; words++)
    if (fw_args_given(args, *words))
      return fw_fail_at(ctx, FW_ERR_DECK, args->place, "attribute '%s' means nothing with %s", *words, with);
  return FW_OK;
}

fw_status fw_check_once(fw_context *ctx, const fw_args *args, const char *name) {
  const fw_value *list = fw_args_value(args, name);
  for (int i = 1; i < list->count; i++)
    for (int k = 0; k < i; k++)
      if (list->numbers[k] == list->numbers[i])
        return fw_fail_at(ctx, FW_ERR_DECK, args->place, "attribute '%s': %g is given twice", name, list->numbers[i]);
  return FW_OK;
}

fw_status fw_check_varies(fw_context *ctx, const fw_load *load, const fw_args *common) {
  if (!load->ops->constant) return FW_OK;
  return fw_fail_at(ctx, FW_ERR_DECK, common->place,
                    "attribute 'loads': '%s' is constant and would grow with the level of the drive: switch it on in "
                    "the analysis that this one starts from",
                    load->id);
}

static fw_status check_kind(fw_context *ctx, const fw_load *load, const fw_args *common) {
  FW_TRY(fw_check_varies(ctx, load, common));
  if (!load->ops->harmonic)
    return fw_fail_at(
        ctx, FW_ERR_DECK, common->place,
        "attribute 'loads': '%s' has a time of its own: nothing repeats itself after a period of the drive", load->id);
  return FW_OK;
}

/* most: the highest multiple of the frequency of the drive that is computed; why: as said of one above. */
static fw_status check_multiples(fw_context *ctx, const fw_model *model, const fw_args *common, int most,
                                 const char *why) {
  const char *at = fw_args_text(common, "loads");
  for (int load; fw_next_load(model, &at, &load);) {
    double phase;
    if (load < 0) continue;
    FW_TRY(check_kind(ctx, &model->loads[load], common));
    int multiple = fw_load_multiple(&model->loads[load], &phase);
    if (multiple > most)
      return fw_fail_at(ctx, FW_ERR_DECK, common->place, "attribute 'loads': '%s' drives harmonic %d, %s",
                        model->loads[load].id, multiple, why);
  }
  return FW_OK;
}

fw_status fw_check_harmonic(fw_context *ctx, const fw_model *model, const fw_args *common, int harmonics) {
  char why[64];
  snprintf(why, sizeof why, "of %d that are computed: give more harmonics", harmonics);
  return check_multiples(ctx, model, common, harmonics, why);
}

fw_status fw_check_stepped(fw_context *ctx, const fw_model *model, const fw_args *common, int steps) {
  enum { LEAST = 8 }; /* as of the drive's own period */
  char why[96];
  snprintf(why, sizeof why, "of which %d steps make less than %d a period: give more steps", steps, (int)LEAST);
  return check_multiples(ctx, model, common, steps / LEAST, why);
}

fw_status fw_check_driven(fw_context *ctx, const fw_model *model, const fw_args *common) {
  const char *at = fw_args_text(common, "loads"), *held = NULL;
  for (int load; fw_next_load(model, &at, &load);) {
    if (load < 0) return FW_OK;
    if (!model->loads[load].ops->harmonic) continue;
    if (fw_functional_acts(&model->loads[load].shape)) return FW_OK;
    held = model->loads[load].id;
  }
  if (held)
    return fw_fail_at(ctx, FW_ERR_DECK, common->place,
                      "attribute 'loads': nothing drives the structure: supports hold what '%s' acts on", held);
  return fw_fail_at(ctx, FW_ERR_DECK, common->place,
                    "attribute 'loads': no harmonic load is named: nothing drives the structure");
}

fw_status fw_check_constant(fw_context *ctx, const fw_model *model, const fw_args *common, const char *what) {
  const char *at = fw_args_text(common, "loads");
  for (int load; fw_next_load(model, &at, &load);)
    if (load >= 0 && !model->loads[load].ops->constant)
      return fw_fail_at(ctx, FW_ERR_DECK, common->place,
                        "attribute 'loads': '%s' depends on time: %s about a state at rest under constant loads",
                        model->loads[load].id, what);
  return FW_OK;
}

/* ---- warnings ------------------------------------------------------------------------------ */

fw_status fw_job_warn(const fw_job *job, fw_warning kind, const char *format, ...) {
  char text[1024], line[1100];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  snprintf(line, sizeof line, "warning %d: %s", (int)kind, text);
  fw_log(job->ctx, "%s: %s", job->id, line);
  return fw_record_set_text(job->summary, line, "warnings[%d]", fw_record_count(job->summary, "warnings"));
}

fw_status fw_check_steady(fw_context *ctx, const fw_model *model, const fw_args *common, const fw_args *args) {
  if (fw_args_given(common, "start") && fw_args_number(args, "at-level") < 0.0) return FW_OK; /* takes them off */
  const char *at = fw_args_text(common, "loads");
  for (int load; fw_next_load(model, &at, &load);)
    if (load >= 0 && model->loads[load].ops->harmonic)
      return fw_fail_at(ctx, FW_ERR_DECK, common->place,
                        "attribute 'loads': '%s' is harmonic, but there is no at-frequency: it would be constant",
                        model->loads[load].id);
  return FW_OK;
}

/* ---- beginning ----------------------------------------------------------------------------- */

fw_status fw_job_check_steady(const fw_job *job, const fw_state *state) {
  for (int l = 0; l < job->model->load_count; l++)
    if (state->load_factors[l] != 0.0 && job->model->loads[l].ops->harmonic)
      return fw_fail_at(
          job->ctx, FW_ERR_ANALYSIS, job->common->place,
          "the load \"%s\" is harmonic and still on from the start, but there is no at-frequency: it would be "
          "constant; 'loads' with the opposite 'at-level' takes it off",
          job->model->loads[l].id);
  return FW_OK;
}

/* Which kind of elastic stick a law with a static limit has: figures differ much. */
static fw_status tell_stick(const fw_job *job) {
  for (int p = 0; p < job->model->pair_count; p++) {
    const fw_pair *pair = job->model->pairs[p];
    int count;
    for (const fw_friction *law = fw_friction_parts(&pair->friction, &count); count-- > 0; law++) {
      const char *kind = law->stick.clipped ? "clipped at the sliding force" : "up to the static limit";
      if (law->stick.clipped || law->drops)
        FW_TRY(fw_record_set_text(job->summary, kind, "contact.%s.elastic_stick", pair->id));
    }
  }
  return FW_OK;
}

/* Every analysis comes by here. BLAS stays on one thread: parallelism is over samples, levels and frequencies, and sums
 * must not depend on how many processors there are. */
fw_status fw_job_begin(const fw_job *job, fw_state **state) {
  openblas_set_num_threads(1);
  FW_TRY(tell_stick(job));
  if (job->start && job->start->state) return fw_state_copy(job->ctx, job->start->state, state);
  return fw_state_create(job->ctx, job->model, state);
}

fw_status fw_job_begin_vibration(const fw_job *job, fw_state **state) {
  FW_TRY(fw_job_begin(job, state));
  for (int i = 0; i < job->model->load_count; i++)
    if (job->model->loads[i].ops->harmonic) (*state)->load_factors[i] = 0;
  return FW_OK;
}
