/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Generalised-alpha as a map from numbers to numbers. */
#include <math.h>
#include <string.h>

#include "solver/time/alpha_parts.h"

/* Of the fastest freedom: slip that is slower is rest. Steps and events that hold a point leave rounding. */
static const double REST = 1e-9;

/* The parts of the numbers, in their order. */
typedef struct fw_numbers {
  double *at[5];
  int size[5];
} fw_numbers;

static fw_numbers parts_of(const fw_alpha *a) {
  int n = a->model->dof_count;
  return (fw_numbers){{a->old->q, a->old->v, a->smooth_old, a->algorithmic, a->old->z},
                      {n, n, n, n, a->model->z_count}};
}

int fw_alpha_numbers(const fw_alpha *a) {
  return 4 * a->model->dof_count + a->model->z_count + 2 * a->model->contact_count;
}

void fw_alpha_get(const fw_alpha *a, double *numbers) {
  const fw_numbers parts = parts_of(a);
  for (int i = 0; i < 5; numbers += parts.size[i++])
    memcpy(numbers, parts.at[i], (size_t)parts.size[i] * sizeof *numbers);
  for (int c = 0; c < a->model->contact_count; c++) {
    *numbers++ = a->old->touch[c].N;
    *numbers++ = a->old->touch[c].T;
  }
}

/* What a point does, by its force and its slip velocity. */
static fw_touch_status status_of(const fw_pair *pair, const fw_touch *touch, double fastest) {
  if (touch->N <= 0.0) return FW_OPEN;
  if (!fw_pair_is_rigid(pair)) return touch->status == FW_OPEN ? FW_STICK : touch->status;
  return fabs(touch->slip_velocity) > REST * fastest ? FW_SLIP : FW_STICK;
}

static void set_touches(const fw_alpha *a, const double *forces) {
  double fastest = 0.0;
  for (int i = 0; i < a->model->dof_count; i++) fastest = fmax(fastest, fabs(a->old->v[i]));
  for (int p = 0; p < a->model->pair_count; p++)
    for (int i = 0; i < a->model->pairs[p]->count; i++) {
      int c = a->model->pairs[p]->first_contact + i;
      fw_touch *touch = &a->old->touch[c];
      touch->N = fmax(forces[2 * c], 0.0);
      touch->T = touch->N > 0.0 ? forces[2 * c + 1] : 0.0;
      touch->status = status_of(a->model->pairs[p], touch, fastest);
      if (touch->status == FW_STICK && fw_pair_is_rigid(a->model->pairs[p])) touch->slip_velocity = 0.0;
    }
}

void fw_alpha_drive(fw_alpha *a, const double *factors) {
  memcpy(a->old->load_factors, factors, (size_t)a->model->load_count * sizeof *factors);
}

fw_status fw_alpha_set(fw_context *ctx, fw_alpha *a, const double *numbers, double time, double omega) {
  const fw_numbers parts = parts_of(a);
  for (int i = 0; i < 5; numbers += parts.size[i++])
    memcpy(parts.at[i], numbers, (size_t)parts.size[i] * sizeof *numbers);
  a->old->time = time;
  a->omega = omega;
  memcpy(a->old->a, a->smooth_old, (size_t)a->model->dof_count * sizeof *a->old->a);
  FW_TRY(fw_stepper_observe(a->stepper, a->old));
  set_touches(a, numbers);
  fw_alpha_loads(a, time, a->force_old);
  fw_alpha_drag_begin(a);
  FW_TRY(fw_system_force(ctx, a->system, a->old->q, a->old->lambda, time, a->inner_old, false));
  fw_alpha_energy_begin(a);
  return FW_OK;
}

long fw_alpha_events(const fw_alpha *a) { return a->event_count; }

void fw_alpha_follow(fw_alpha *a, fw_variation *variation) { a->variation = variation; }

static fw_numbers changes_of(const fw_alpha *a, int k) {
  const fw_variation *x = a->variation;
  return (fw_numbers){{fw_variation_of(x->q, x->n, k), fw_variation_of(x->v, x->n, k), fw_variation_of(x->a, x->n, k),
                       fw_variation_of(x->algorithmic, x->n, k), fw_variation_of(x->z, x->states, k)},
                      {x->n, x->n, x->n, x->n, x->states}};
}

void fw_alpha_get_change(const fw_alpha *a, int k, double *numbers) {
  const fw_numbers parts = changes_of(a, k);
  for (int i = 0; i < 5; numbers += parts.size[i++])
    memcpy(numbers, parts.at[i], (size_t)parts.size[i] * sizeof *numbers);
  for (int c = 0; c < a->model->contact_count; c++) {
    *numbers++ = fw_variation_of(a->variation->N, a->variation->contacts, k)[c];
    *numbers++ = fw_variation_of(a->variation->T, a->variation->contacts, k)[c];
  }
}

void fw_alpha_set_change(fw_alpha *a, int k, const double *numbers) {
  const fw_numbers parts = changes_of(a, k);
  for (int i = 0; i < 5; numbers += parts.size[i++])
    memcpy(parts.at[i], numbers, (size_t)parts.size[i] * sizeof *numbers);
  for (int c = 0; c < a->model->contact_count; c++) {
    fw_variation_of(a->variation->N, a->variation->contacts, k)[c] = *numbers++;
    fw_variation_of(a->variation->T, a->variation->contacts, k)[c] = *numbers++;
  }
}
