/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The assembled structure: constant mass and damping, internal force and tangent on one pattern.
 * Unknowns are the freedoms q followed by the multipliers of joints and ties: size = dof_count +
 * constraint_count. Contact is not in here. */
#ifndef FW_ASSEMBLY_SYSTEM_H
#define FW_ASSEMBLY_SYSTEM_H

#include "core/state.h"
#include "solver/linalg/sparse.h"

typedef struct fw_turning fw_turning; /* solver/assembly/system_parts.h */

/* What products with vectors take: the same matrices, but where steps in time are taken on a pattern without what is
 * always zero, if that is much (between the planes of a tube). M and C share one. */
typedef struct fw_products {
  const fw_sparse *M, *C, *K;
  fw_sparse *own[3]; /* NULL: those of the system */
  bool thinned;
} fw_products;

typedef struct fw_system {
  const fw_model *model;
  int64_t size;
  bool linear;          /* no element depends nonlinearly on q: K is constant, f_int = K q + C v */
  bool made;            /* K holds its entries, and does so for ever if it is constant */
  fw_sparse *M, *C, *K; /* one pattern; C: Rayleigh, modal, dampers; K: tangent of the last fw_system_force */
  fw_products products; /* what changes is the system's own: K unless it is linear, C where it turns */
  double *f_zero;       /* [size] internal force at q = 0 (preloaded springs) */
  int32_t **scatter;    /* per block: position of each element matrix entry in x, -1 if fixed */
  fw_turning *turning;  /* the part of C that depends on q; NULL: none */
  /* What moving fluids do: their part of C, the skew part of K; NULL: K is symmetric and there are none. */
  fw_sparse *C_flow, *K_flow;
  double epmc_damping; /* what C is less of M (1/s), */
  double *C_own;       /* and its values without; NULL: it is whole */
} fw_system;

/* Builds the pattern, M and C, and K at q = 0. */
fw_status fw_system_create(fw_context *ctx, const fw_model *model, fw_system **system);
void fw_system_destroy(fw_system **system);
/* Gives products a pattern of their own: worth its memory where there are many. */
fw_status fw_system_thin(fw_context *ctx, fw_system *system);

/* Internal force of all elements at rest (viscous forces are C v) and, if `tangent`, K = df/dq (with joint rows G and
 * columns G^T, and the joints' geometric part). f has `size` entries: rows of joints are phi(q, t). lambda may be NULL
 * without joints. */
fw_status fw_system_force(fw_context *ctx, fw_system *system, const double *q, const double *lambda, double t,
                          double *f, bool tangent);

/* Turns the damping of what turns far to where it stands at q (NULL: the reference), and sets that of films. */
void fw_system_turn(fw_system *system, const double *q);
/* C becomes C - damping M (1/s), the opposite damping of the extended periodic motion concept. What was factored with
 * another one is of no use any more. */
fw_status fw_system_set_epmc(fw_context *ctx, fw_system *system, double damping);
/* f[size] = C v, C as last turned. */
void fw_system_drag(const fw_system *system, const double *v, double *f);
/* f[size] = C v and gain . C v, C the part of films as last set. */
void fw_system_film_force(const fw_system *system, const double *v, double *f);
double fw_system_film_work(const fw_system *system, const double *gain, const double *v);

/* Work of these over a gain of q: gain . C_flow v and gain . K_flow q, of which the fluid gets the sum. */
typedef struct fw_flow_work {
  double damping, stiffness;
} fw_flow_work;
fw_flow_work fw_system_flow_work(const fw_system *system, const double *gain, const double *v, const double *q);
/* K and M, on the system's pattern, without what fluids add and without what is skew in K: the structure alone. */
fw_status fw_system_structure(fw_context *ctx, const fw_system *system, fw_sparse **K, fw_sparse **M);

/* Stored energy of all elements at q. */
double fw_system_energy(const fw_system *system, const double *q);

/* out[size] = M e, e the unit translation along FW_X or FW_Y of every node, held ones too. */
void fw_system_translation(const fw_system *system, int direction, double *out);

/* x^T H x, H = sum of each element's loss factor times its stiffness at rest (hysteretic damping). */
double fw_system_loss(const fw_system *system, const double *x);

/* The lowest modes of K and M, on the system's pattern (linalg/eigen.h); a freedom with neither stiffness nor mass is
 * told with its body. */
fw_status fw_system_modes(fw_context *ctx, const fw_system *system, const fw_sparse *K, const fw_sparse *M, int count,
                          double *values, double *vectors, int *found);

/* Says which node and direction a freedom is, for messages: "node 12 (beam) y". */
void fw_system_describe(const fw_system *system, int64_t dof, char *text, size_t room);

#endif
