/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The energy balance of generalised-alpha. */
#include <string.h>

#include "solver/assembly/constraints.h"
#include "solver/time/alpha_parts.h"

static double stored_in_contact(const fw_model *model, const fw_state *state) {
  double sum = 0.0;
  for (int p = 0; p < model->pair_count; p++) {
    if (fw_normal_is_rigid(&model->pairs[p]->normal)) continue;
    for (int i = 0; i < model->pairs[p]->count; i++) {
      fw_normal_out law;
      fw_normal_force(&model->pairs[p]->normal, state->touch[model->pairs[p]->first_contact + i].gap, 0.0, &law);
      sum += law.energy;
    }
  }
  return sum;
}

double fw_alpha_kinetic(fw_alpha *a) {
  double *momentum = a->history, sum = 0.0;
  memset(momentum, 0, (size_t)a->system->size * sizeof *momentum);
  fw_sparse_multiply(a->system->M, 0.5, a->old->v, momentum);
  for (int i = 0; i < a->model->dof_count; i++) sum += momentum[i] * a->old->v[i];
  return sum;
}

void fw_alpha_drag_begin(fw_alpha *a) {
  fw_system_turn(a->system, a->old->q);
  if (a->drag_old) fw_system_drag(a->system, a->old->v, a->drag_old);
  if (a->film_at) fw_system_film_force(a->system, a->old->v, a->film_old);
}

void fw_alpha_energy_begin(fw_alpha *a) {
  a->energy.kinetic = fw_alpha_kinetic(a);
  a->energy.strain = fw_system_energy(a->system, a->old->q);
  a->energy.contact_stored = stored_in_contact(a->model, a->old);
}

static double dot_gain(const double *f0, const double *f1, const fw_state *old, const fw_state *now) {
  double sum = 0.0;
  for (int i = 0; i < old->model->dof_count; i++) sum += 0.5 * (f0[i] + f1[i]) * (now->q[i] - old->q[i]);
  return sum;
}

/* Work of prescribed motions over the step: power lambda . phi_t at both ends. */
static double work_of_motions(fw_alpha *a) {
  const fw_state *ends[] = {a->old, a->new_state};
  double sum = 0.0, dt = a->new_state->time - a->old->time;
  for (int k = 0; k < 2 && a->model->constraint_count; k++) {
    fw_constraints_find(a->model, ends[k]->q, NULL, ends[k]->time, &(fw_constraints){.phi_t = a->history});
    for (int i = 0; i < a->model->constraint_count; i++) sum += 0.5 * dt * a->history[i] * ends[k]->lambda[i];
  }
  return sum;
}

/* What the mass and damping matrices do in a step, in one pass over their pattern: work of the mean inertia and damping
 * forces over the displacement, and the kinetic energy at the end. */
typedef struct fw_matrix_work {
  double inertia, damping, kinetic;
  double opposite; /* given by EPMC's damping of the opposite sign, which is part of C */
} fw_matrix_work;

static fw_matrix_work matrix_work(fw_alpha *a) {
  const fw_state *old = a->old, *now = a->new_state;
  const fw_sparse *M = a->system->products.M, *C = a->system->products.C;
  double *gain = a->history;
  fw_matrix_work work = {0};
  memset(gain, 0, (size_t)a->system->size * sizeof *gain);
  for (int64_t i = 0; i < a->model->dof_count; i++) gain[i] = now->q[i] - old->q[i];
  for (int64_t j = 0; j < a->model->dof_count; j++) {
    double inertia = 0.0, damping = 0.0, momentum = 0.0;
    for (int64_t k = M->p[j]; k < M->p[j + 1]; k++) {
      int64_t i = M->i[k];
      inertia += M->x[k] * gain[i];
      damping += C->x[k] * gain[i];
      momentum += M->x[k] * now->v[i];
    }
    work.inertia += 0.5 * inertia * (a->smooth_old[j] + a->smooth_new[j]);
    work.damping += 0.5 * damping * (old->v[j] + now->v[j]);
    work.opposite += 0.5 * a->system->epmc_damping * inertia * (old->v[j] + now->v[j]);
    work.kinetic += 0.5 * momentum * now->v[j];
  }
  return work;
}

/* Strain energy at the end of the step; of a linear structure f(0) q + 1/2 q K q = 1/2 q (f(0) + f(q)). */
static double strain_energy(const fw_alpha *a) {
  const fw_system *system = a->system;
  if (!system->linear) return fw_system_energy(system, a->new_state->q);
  double sum = 0.0;
  for (int i = 0; i < a->model->dof_count; i++) sum += 0.5 * a->new_state->q[i] * (system->f_zero[i] + a->inner_new[i]);
  return sum;
}

/* Work of contact over the step: lost in the normal direction, and what impulses gave to the structure. */
typedef struct fw_contact_work {
  double normal, impulses;
} fw_contact_work;

static fw_contact_work contact_work(const fw_alpha *a) {
  const fw_state *old = a->old, *now = a->new_state;
  fw_contact_work work = {0};
  for (int p = 0; p < a->model->pair_count; p++) {
    const fw_pair *pair = a->model->pairs[p];
    bool mean = a->impulsive && fw_normal_is_rigid(&pair->normal);
    for (int c = pair->first_contact; c < pair->first_contact + pair->count; c++) {
      double N = mean ? now->touch[c].N : 0.5 * (old->touch[c].N + now->touch[c].N);
      double opened = now->touch[c].gap - old->touch[c].gap;
      work.normal -= N * opened;
      if (mean) work.impulses += N * opened - (now->touch[c].dissipated - old->touch[c].dissipated);
    }
  }
  return work;
}

/* Damping forces whose matrix depends on q, each end with its own; the films' part is theirs. */
static double work_of_drag(fw_alpha *a) {
  fw_system_drag(a->system, a->new_state->v, a->drag_new);
  double work = dot_gain(a->drag_old, a->drag_new, a->old, a->new_state);
  if (!a->film_at) return work;
  fw_system_film_force(a->system, a->new_state->v, a->film_new);
  double film = dot_gain(a->film_old, a->film_new, a->old, a->new_state);
  a->energy.film += film;
  return work - film;
}

/* What fluids do is theirs: part of C, and the skew part of K, which stores nothing. */
static void account_flow(fw_alpha *a) {
  double *gain = a->history, *v = a->rhs, *q = a->flow_mean;
  const fw_state *old = a->old, *now = a->new_state;
  for (int i = 0; i < a->model->dof_count; i++) {
    gain[i] = now->q[i] - old->q[i];
    v[i] = 0.5 * (now->v[i] + old->v[i]);
    q[i] = 0.5 * (now->q[i] + old->q[i]);
  }
  fw_flow_work work = fw_system_flow_work(a->system, gain, v, q);
  a->energy.damping -= work.damping;
  a->energy.numerical -= work.stiffness;
  a->energy.flow -= work.damping + work.stiffness;
}

/* Every term by trapezoidal work over the step; stored energies exactly at its end. The work of impulses goes into
 * kinetic energy like that of the inertia forces. */
void fw_alpha_account(fw_alpha *a) {
  const fw_state *old = a->old, *now = a->new_state;
  fw_energy *e = &a->energy;
  fw_matrix_work work = matrix_work(a);
  fw_contact_work contact = contact_work(a);
  double moved = work_of_motions(a); /* it stands in `inner` below with the opposite sign */
  e->loads += dot_gain(a->force_old, a->force_new, old, now) + moved + work.opposite;
  e->damping += (a->drag_old ? work_of_drag(a) : work.damping) + work.opposite;
  if (a->flow_mean) account_flow(a);
  double inner = dot_gain(a->inner_old, a->inner_new, old, now), strain = strain_energy(a);
  e->numerical += work.inertia + contact.impulses - (work.kinetic - e->kinetic) + inner + moved - (strain - e->strain);
  double stored = stored_in_contact(a->model, now);
  e->friction = 0.0;
  for (int c = 0; c < a->model->contact_count; c++) e->friction += now->touch[c].dissipated;
  e->contact_damping += contact.normal - (stored - e->contact_stored);
  e->contact_stored = stored;
  e->kinetic = work.kinetic;
  e->strain = strain;
}
