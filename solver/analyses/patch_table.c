/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How forces spread over a contact surface at rest: the table `contact` of a static analysis. */
#include "contact/pair.h"
#include "solver/analyses/recorders.h"

enum { PATCH_POINTS = 3 }; /* what has fewer is told by its sums */

static bool is_patch(const fw_pair *pair) { return pair->target && pair->count >= PATCH_POINTS; }

static fw_status tell_point(const fw_job *job, const fw_state *state, int number, int follower, fw_data_table *table) {
  const fw_pair *pair = job->model->pairs[number];
  const fw_touch *touch = &state->touch[pair->first_contact + follower];
  double place[2];
  fw_attachment_place(job->model, &pair->followers[follower].at, NULL, place);
  const double row[] = {number + 1, place[0], place[1], touch->gap, touch->N, touch->T, touch->slip, touch->status};
  return fw_sink_row(job->sink, job->ctx, table, row);
}

fw_status fw_patch_table(const fw_job *job, const fw_state *state) {
  static const fw_column columns[] = {{"pair", ""},    {"x", "m"},          {"y", "m"},    {"gap", "m"},
                                      {"normal", "N"}, {"tangential", "N"}, {"slip", "m"}, {"state", ""}};
  fw_data_table *table = NULL;
  for (int p = 0; p < job->model->pair_count; p++) {
    if (!is_patch(job->model->pairs[p])) continue;
    if (!table) FW_TRY(fw_sink_table(job->sink, job->ctx, job->id, "contact", columns, 8, false, &table));
    for (int i = 0; i < job->model->pairs[p]->count; i++) FW_TRY(tell_point(job, state, p, i, table));
  }
  return FW_OK;
}
