/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reduced structure: linear, and the membrane energy of von Kármán beams on it. */
#ifndef FW_HB_REDUCTION_REDUCED_H
#define FW_HB_REDUCTION_REDUCED_H

#include <stdbool.h>

#include "core/context.h"
#include "core/model.h"

/* last: it defines I */
#include <complex.h>

/* ---- reduced --------------------------------------------------------------------------------------------- */

/* The linear structure for harmonic balance: A(w) x = f with A = K - w^2 M + i (w C + H), H hysteretic.
 *
 * Coordinates (Craig-Bampton): the values of given functionals (gap and slip of the contact points) with their static
 * shapes, and `modes` of the modes of the structure that is held there. All further held modes, the rest, are
 * not unknowns: at each frequency they are condensed exactly,
 *
 *   x = V z + R eta,   eta = A_rr^{-1} (f_r - A_rz z),   D = A_zz - A_zr A_rr^{-1} A_rz.
 *
 * Held modes have unit stiffness, so that freedoms without mass are no exception. Their damping is proportional,
 * C = alpha M + beta K, H = eta K, plus what point masses, dampers and other bodies make of it, a matrix of low rank:
 * A_rr is inverted by Woodbury's formula.
 *
 * K and C need not be symmetric (flows, matrices out of files): shapes and modes are those of the symmetric part of K,
 * the skew parts act between all of them, and are condensed as exactly as the rest (skew.c). */

/* Dense column-major matrices, M and H symmetric. Functionals are the columns of B (n x (rows + held)): `rows` become
 * coordinates, `held` stay zero (joints). H may be NULL. alpha, beta, eta: the proportional part of the damping, a
 * guess that only makes things faster. */
typedef struct fw_structure {
  int n, rows, held;
  double *M, *C, *K, *H, *B;
  double alpha, beta, eta;
} fw_structure;

fw_status fw_structure_init(fw_context *ctx, int n, int rows, int held, fw_structure *structure);
void fw_structure_clear(fw_structure *structure);

typedef struct fw_reduced {
  int n, rows, modes, coordinates, rest; /* coordinates = rows + modes */
  double *V, *R;                         /* n x coordinates, n x rest */
  double *K, *M, *C, *H;                 /* coordinates squared, K and C with their skew parts */
  double *M_r;                           /* rest: diagonal (stiffness 1) */
  double alpha, beta, eta;               /* proportional damping of the rest, */
  int rank;                              /* and the other: U diag(w C_u + H_u) U^T */
  double *U, *C_u, *H_u;                 /* rest x rank, rank, rank */
  double *M_zr, *C_zr, *H_zr;            /* coordinates x rest, of the symmetric parts */
  bool skew;                             /* K or C is not symmetric: what follows has a meaning */
  int still, skew_rank;                  /* of the rank the first are of K, acting at rest too; then those of C */
  double *Y, *K_u;                       /* rest x rank, rank: U diag(K_u + i (w C_u + H_u)) Y^T */
  double *K_skew_zr, *C_skew_zr;         /* coordinates x rest; the blocks across are their negative transposes */
  int coupled;                           /* how many of the coordinates couple with the rest */
  double *frequency;                     /* modes + rest: natural frequencies (rad/s) of the held structure, rising */
} fw_reduced;

/* Which held modes become coordinates: the lowest, those below a circular frequency, but at least and at most so many.
 * below 0: twelve times the first. */
typedef struct fw_retained {
  int least, most;
  double below;
} fw_retained;

/* FW_ERR_SINGULAR if the held structure is a mechanism, FW_ERR_ARGUMENT if functionals depend on each other. A context
 * that remembers (core/memo.h) does it once for the same structure. */
fw_status fw_reduced_create(fw_context *ctx, const fw_structure *structure, fw_retained retained, fw_reduced *reduced);
void fw_reduced_clear(fw_reduced *reduced);

/* The coordinates and `kept` of the rest as square matrices, row major, zero before; without H. */
void fw_reduced_truncate(const fw_reduced *reduced, int kept, double *M, double *C, double *K);

/* Between reduced.c and skew.c: whether K or C has a skew part; A becomes its symmetric part; the skew parts on the
 * shapes that `reduced` has, before its damping is added. */
bool fw_structure_is_skew(const fw_structure *structure);
void fw_split_skew(int n, double *A, double *skew);
fw_status fw_reduced_add_skew(fw_context *ctx, int n, const double *K_skew, const double *C_skew, fw_reduced *reduced);

/* The condensed structure at one circular frequency. */
typedef struct fw_dynamic {
  const fw_reduced *reduced;
  double epmc_damping; /* 1/s: C - epmc_damping M takes the place of C (nonlinear modes); 0 unless set before
                          fw_dynamic_set */
  double w;
  double set_epmc_damping; /* with which w was set; NaN: never */
  double complex *D;       /* coordinates squared, column major */
  /* Long vectors, `rest` real parts and then as many imaginary ones, so that loops over them are of real numbers. */
  double *G;             /* for each coordinate, and one of work space: A_rr^{-1} A_rz */
  double *P;             /* inverse of A_rr but for the damping of low rank */
  double *W;             /* for each of the rank: P U */
  double *G_left;        /* for each coordinate: A_rr^{-T} A_zr^T, G itself where A is symmetric, */
  double *W_left;        /* and P Y, likewise W */
  double complex *S, *t; /* rank squared: Woodbury's inverse; rank: work */
} fw_dynamic;

fw_status fw_dynamic_init(fw_context *ctx, const fw_reduced *reduced, fw_dynamic *dynamic);
void fw_dynamic_clear(fw_dynamic *dynamic);
fw_status fw_dynamic_set(fw_dynamic *dynamic, double w); /* nothing to do where it is already */

/* A real vector in the two spaces: z[coordinates] = V^T f, r[rest] = R^T f (a load or a sensor). */
typedef struct fw_projected {
  double *z, *r;
} fw_projected;
fw_status fw_projected_init(fw_context *ctx, const fw_reduced *reduced, const double *f, fw_projected *projected);
void fw_projected_clear(fw_projected *projected);

/* Load on the coordinates: out[coordinates] += factor (f_z - A_zr A_rr^{-1} f_r). */
void fw_dynamic_load(const fw_dynamic *dynamic, const fw_projected *f, double complex factor, double complex *out);
/* Reading s.x: row[coordinates] = s_z - G^T s_r, so that s.x = row.z + s_r . A_rr^{-1} f_r. */
void fw_dynamic_reading(const fw_dynamic *dynamic, const fw_projected *s, double complex *row);
/* s_r . A_rr^{-1} f_r. */
double complex fw_dynamic_direct(const fw_dynamic *dynamic, const fw_projected *s, const fw_projected *f);
/* eta[rest] = sum factor A_rr^{-1} f_r is added by _rest_load; eta -= G z by _rest_motion. */
void fw_dynamic_rest_load(const fw_dynamic *dynamic, const fw_projected *f, double complex factor, double complex *eta);
void fw_dynamic_rest_motion(const fw_dynamic *dynamic, const double complex *z, double complex *eta);

/* Power lost in C and H at amplitude (z, eta) and circular frequency w: 1/2 X^H (w^2 C + w H) X. */
double fw_reduced_loss(const fw_reduced *reduced, double w, const double complex *z, const double complex *eta);

/* Power lost to the skew part of K, 1/2 w Im(X^H K X): below zero where a flow feeds the motion. */
double fw_reduced_circulation(const fw_reduced *reduced, double w, const double complex *z, const double complex *eta);

/* Largest kinetic energy of a harmonic motion: 1/2 w^2 X^H M X. */
double fw_reduced_kinetic(const fw_reduced *reduced, double w, const double complex *z, const double complex *eta);

/* ---- quartic --------------------------------------------------------------------------------------------- */

/* The von Kármán membrane energy on the reduced coordinates, a quartic polynomial.
 *
 * About the start state q_s an element's membrane strain grows by b.x + q(x), b = b_0 + G q_s, q = x^T G x / 2. The
 * part of the energy that is not in the linear stiffness is sum D [(b.x) q + q^2/2]. With x = V z + R eta the rest
 * eta (axial motion, mostly) enters linearly only, and without its inertia it follows as eta = -sum R^T D b q:
 * minimised over eta,
 *
 *   U(z) = sum_e D_e (b_e.V z) q_e(z) + 1/2 q^T (diag D - S) q,   S_ef = D_e D_f b_e^T R R^T b_f,
 *
 * exactly but for the inertia of that second-order motion. The matrix of the last term has very few eigenvalues
 * (one for each way to stretch the beams), which is what is evaluated.
 *
 * Rates of strain are damped in proportion (elements/von_karman.h), and what they are without inertia follows in the
 * same way, so that with the material part of U's second derivative, S_ef weighted by the mean of two betas,
 *
 *   C(z) = sum_e beta_e D_e [b_e (G_e z)^T + (G_e z) b_e^T] + sum_ef G_e z (beta diag D - beta S)_ef (G_f z)^T
 *
 * adds to the linear C. */

/* The eigenvalues of a matrix over elements that are not zero, and the G of all elements weighted by each vector. */
typedef struct fw_stretches {
  int rank;
  double *value; /* rank */
  double *G;     /* rank x n x n: sum_e w_e G_e on the coordinates */
} fw_stretches;

typedef struct fw_quartic {
  int n, elements, rest;
  double *cubic;        /* n^3: sum_e D_e (b_e,i G_e,jk + b_e,j G_e,ki + b_e,k G_e,ij) */
  fw_stretches stretch; /* of diag D - S */
  double *cubic_drag;   /* n^3: sum_e beta_e D_e (b_e,i G_e,jk + b_e,j G_e,ik); NULL: beta is 0 everywhere */
  fw_stretches drag;    /* of beta diag D - beta S */
  double *element_G;    /* elements x n x n */
  double *element_rest; /* elements x rest: R^T D b */
} fw_quartic;

/* *quartic has elements == 0 if there are no von Kármán beams. */
fw_status fw_quartic_create(fw_context *ctx, const fw_model *model, const double *q_start, const fw_reduced *reduced,
                            fw_quartic *quartic);
void fw_quartic_clear(fw_quartic *quartic);

/* At all samples of z[n x samples], each coordinate in a row: f[samples x n] = dU/dz, K[samples x n x n] its derivative
 * (NULL: not wanted). work: fw_quartic_room numbers. */
void fw_quartic_force(const fw_quartic *quartic, int samples, const double *z, double *f, double *K, double *work);
size_t fw_quartic_room(const fw_quartic *quartic, int samples);

/* Where cubic_drag: f[n] = C(z) v, the derivatives C[n x n] and with respect to z C_z[n x n]. work: n numbers. */
void fw_quartic_drag(const fw_quartic *quartic, const double *z, const double *v, double *f, double *C, double *C_z,
                     double *work);

/* eta[rest] += the second-order motion of the rest at z. */
void fw_quartic_rest(const fw_quartic *quartic, const double *z, double *eta);

/* What that motion is along a direction of the rest: z^T curvature z / 2, curvature n x n. */
void fw_quartic_reading(const fw_quartic *quartic, const double *direction, double *curvature);

#endif
