/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/wear.h"

#include <math.h>

#include "contact/pair.h"
#include "contact/scar.h"
#include "core/unknown.h"

fw_wear_limits fw_wear_asked(const fw_args *args) {
  return (fw_wear_limits){fw_args_number(args, "service-life"), fw_args_number(args, "wall-share")};
}

static bool leaves_a_scar(const fw_model *model, const fw_pair *pair) {
  for (int r = 0; r < model->ring_count; r++)
    if (pair->archard > 0 && model->rings[r].scar.width > 0 && pair->count > 0 &&
        pair->followers[0].at.node == model->rings[r].node)
      return true;
  return false;
}

fw_status fw_wear_check(fw_context *ctx, const fw_model *model, const fw_args *args) {
  fw_wear_limits limits = fw_wear_asked(args);
  fw_place place = args->place;
  const char *name = limits.service > 0 ? "service-life" : "wall-share";
  place.line = fw_args_value(args, name)->line;
  if (!(limits.service > 0) && !(limits.share > 0)) return FW_OK;
  for (int p = 0; p < model->pair_count; p++)
    if (leaves_a_scar(model, model->pairs[p])) return FW_OK;
  return fw_fail_at(ctx, FW_ERR_DECK, place,
                    "attribute '%s': no <tube-support> has 'archard' and a 'wear-width' or 'thickness'", name);
}

fw_wear fw_wear_none(void) {
  return (fw_wear){.depth = fw_unknown(), .other_depth = fw_unknown(), .life = fw_unknown()};
}

/* The deeper one; beyond the middle of the tube depths are unknown, and deepest. */
static double deeper(double a, double b) { return fw_is_unknown(a) ? a : fw_is_unknown(b) ? b : fmax(a, b); }

static void deepen(const fw_wear_limits *limits, const fw_scar *scar, double rate, fw_wear *wear) {
  double depth = fw_scar_depth(scar, rate * limits->service),
         life = fw_scar_volume(scar, limits->share * scar->wall) / rate;
  if (limits->service > 0) {
    double other = fw_is_unknown(depth) ? depth : scar->other * depth;
    wear->depth = wear->scars > 0 ? deeper(wear->depth, depth) : depth;
    wear->other_depth = wear->scars > 0 ? deeper(wear->other_depth, other) : other;
    wear->other_volume += scar->other * rate * limits->service;
    wear->scars++;
  }
  if (limits->share > 0 && rate > 0 && (fw_is_unknown(wear->life) || life < wear->life)) wear->life = life;
}

void fw_wear_add(const fw_wear_limits *limits, const fw_ring *ring, const fw_pair *pair, double work_rate,
                 fw_wear *wear) {
  double rate = fw_pair_wear_rate(pair, work_rate);
  wear->rate += rate;
  if (pair->archard > 0 && ring->scar.width > 0) deepen(limits, &ring->scar, rate, wear);
}
