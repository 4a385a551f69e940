/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Structure and contact of a quasi-static step as one system. Unknowns are the freedoms, the multipliers of joints, and
 * N and T of every point that carries force:
 *     [ -K  G_n^T  -G_t^T ] [dq]     [ rhs - f_int + G_n^T N - G_t^T T ]
 *     [ conditions by gap, slip, N, T ] [dN dT] = -[ r_n, r_t ]
 * K with the curvature of the contact directions. What contact alone holds needs no stiffness of its own here. */
#ifndef FW_TIME_KKT_H
#define FW_TIME_KKT_H

#include "contact/enforce/local.h"
#include "solver/linalg/sparse.h"
#include "solver/time/step.h"

typedef struct fw_kkt {
  int count;                     /* points in the matrix */
  int *point;                    /* [contact_count] which */
  fw_local *local;               /* [contact_count] */
  fw_local_residual *conditions; /* [contact_count] at the present state */
  bool *fresh;                   /* [contact_count] closes only now: it carried nothing yet */
  double *N, *T, *dN, *dT;       /* [contact_count] forces where a Newton step begins, and what it adds */
  double *diagonal;              /* [dof_count] of K */
  double *step;                  /* [size + 2 contact_count] */
  double *work;                  /* of the laws */
  double stiffest[2];            /* of the diagonal: of displacements, of rotations */
  double anchor;                 /* share of its stiffness by which a freedom is held where it is; 0 unless singular */
  fw_unheld unheld;
  fw_sparse *A;
  fw_factor *factor;
} fw_kkt;

#endif
