/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/frf/parts.h"

#include <stdio.h>

#include "contact/pair.h"
#include "solver/hb/resonance.h"

static fw_status record(fw_record *to, const fw_model *model, const fw_hb_sensitivity *s, bool constant_response,
                        const char *prefix) {
  char law[16] = "";
  if (s->law > 0) snprintf(law, sizeof law, "law%d.", s->law + 1);
  const struct {
    const char *name;
    double value;
  } all[] = {{"value", s->number.value},
             {"frequency", s->frequency},
             {"amplitude", s->amplitude},
             {"damping", s->damping},
             {"changed", s->changed}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    FW_TRY(fw_record_set_figure(to, all[i].value, "", "%ssensitivity.%s.%s%s.%s", prefix, model->pairs[s->pair]->id,
                                law, s->number.name, all[i].name));
  for (int k = 0; k < FW_CONTACT_FIGURES; k++)
    if (fw_contact_figures[k].derivative)
      FW_TRY(fw_record_set_figure(to, s->figures.at[k], "", "%ssensitivity.%s.%s%s.%s", prefix,
                                  model->pairs[s->pair]->id, law, s->number.name, fw_contact_figures[k].name));
  if (!constant_response) return FW_OK;
  return fw_record_set_number(to, s->level, "%ssensitivity.%s.%s%s.level", prefix, model->pairs[s->pair]->id, law,
                              s->number.name);
}

fw_status fw_frf_sensitivities(fw_job *job, const fw_frf *frf, const fw_response *r, const char *prefix) {
  const fw_orbit *resonance = fw_frf_main(r);
  fw_sensitivities all;
  if (!resonance || r->resonance_count == 0) return FW_OK;
  fw_status status = fw_sensitivities_find(job->ctx, frf->vibration, &r->options, resonance, NULL, 0, &all);
  if (status > 0) {
    fw_log(job->ctx, "%s: level %g: the resonance has no derivatives: it is at a corner of the curve", job->id,
           r->options.level);
    return FW_OK;
  }
  for (int i = 0; i < all.count && status == FW_OK; i++)
    status = record(job->summary, job->model, &all.list[i], r->options.constant_response, prefix);
  fw_sensitivities_clear(&all);
  return status;
}
