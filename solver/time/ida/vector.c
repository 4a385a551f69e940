/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/time/ida/vector.h"

#include <math.h>
#include <nvector/nvector_serial.h>

static void vector_linear_sum(sunrealtype a, N_Vector x, sunrealtype b, N_Vector y, N_Vector z) {
  sunindextype n = NV_LENGTH_S(x);
  const sunrealtype *xd = NV_DATA_S(x), *yd = NV_DATA_S(y);
  sunrealtype *zd = NV_DATA_S(z);
  for (sunindextype i = 0; i < n; i++) zd[i] = a * xd[i] + b * yd[i];
}

static void vector_const(sunrealtype c, N_Vector z) {
  sunindextype n = NV_LENGTH_S(z);
  for (sunindextype i = 0; i < n; i++) NV_Ith_S(z, i) = c;
}

static void vector_scale(sunrealtype c, N_Vector x, N_Vector z) {
  sunindextype n = NV_LENGTH_S(x);
  const sunrealtype *xd = NV_DATA_S(x);
  sunrealtype *zd = NV_DATA_S(z);
  for (sunindextype i = 0; i < n; i++) zd[i] = c * xd[i];
}

static void vector_abs(N_Vector x, N_Vector z) {
  sunindextype n = NV_LENGTH_S(x);
  const sunrealtype *xd = NV_DATA_S(x);
  sunrealtype *zd = NV_DATA_S(z);
  for (sunindextype i = 0; i < n; i++) zd[i] = fabs(xd[i]);
}

static void vector_inv(N_Vector x, N_Vector z) {
  sunindextype n = NV_LENGTH_S(x);
  const sunrealtype *xd = NV_DATA_S(x);
  sunrealtype *zd = NV_DATA_S(z);
  for (sunindextype i = 0; i < n; i++) zd[i] = 1.0 / xd[i];
}

static sunrealtype vector_wrms_norm(N_Vector x, N_Vector w) {
  sunindextype n = NV_LENGTH_S(x);
  const sunrealtype *xd = NV_DATA_S(x), *wd = NV_DATA_S(w);
  sunrealtype sum = 0.0;
  for (sunindextype i = 0; i < n; i++) sum += xd[i] * wd[i] * xd[i] * wd[i];
  return sqrt(sum / (sunrealtype)n);
}

static sunrealtype vector_wrms_norm_mask(N_Vector x, N_Vector w, N_Vector id) {
  sunindextype n = NV_LENGTH_S(x);
  const sunrealtype *xd = NV_DATA_S(x), *wd = NV_DATA_S(w), *mask = NV_DATA_S(id);
  sunrealtype sum = 0.0;
  for (sunindextype i = 0; i < n; i++)
    if (mask[i] > 0.0) sum += xd[i] * wd[i] * xd[i] * wd[i];
  return sqrt(sum / (sunrealtype)n);
}

static int vector_linear_combination(int count, sunrealtype *c, N_Vector *x, N_Vector z) {
  sunindextype n = NV_LENGTH_S(z);
  sunrealtype *zd = NV_DATA_S(z);
  const sunrealtype *first = NV_DATA_S(x[0]);
  for (sunindextype i = 0; i < n; i++) zd[i] = c[0] * first[i]; /* z may be x[0], never a later one */
  for (int k = 1; k < count; k++) {
    const sunrealtype *xd = NV_DATA_S(x[k]);
    sunrealtype ck = c[k];
    for (sunindextype i = 0; i < n; i++) zd[i] += ck * xd[i];
  }
  return 0;
}

N_Vector fw_vector_create(int64_t n, SUNContext context) {
  N_Vector v = N_VNew_Serial(n, context);
  if (!v) return NULL;
  v->ops->nvlinearsum = vector_linear_sum;
  v->ops->nvconst = vector_const;
  v->ops->nvscale = vector_scale;
  v->ops->nvabs = vector_abs;
  v->ops->nvinv = vector_inv;
  v->ops->nvwrmsnorm = vector_wrms_norm;
  v->ops->nvwrmsnormmask = vector_wrms_norm_mask;
  v->ops->nvlinearcombination = vector_linear_combination;
  N_VConst(0.0, v);
  return v;
}
