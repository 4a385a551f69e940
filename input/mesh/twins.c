/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/mesh/twins.h"

#include <math.h>
#include <stdlib.h>

/* Places that coincide also coincide in their projection on a line; an oblique one keeps the columns and rows of
 * structured meshes apart. */
typedef struct shadow {
  double along;
  int place;
} shadow;

static int compare_shadows(const void *a, const void *b) {
  const shadow *x = a, *y = b;
  if (x->along != y->along) return x->along < y->along ? -1 : 1;
  return (x->place > y->place) - (x->place < y->place);
}

static double extent(const double (*places)[2], int n) {
  double size = 0;
  for (int i = 0; i < n; i++)
    size = fmax(size, fmax(fabs(places[i][0] - places[0][0]), fabs(places[i][1] - places[0][1])));
  return size;
}

fw_status fw_find_twins(fw_context *ctx, const double (*places)[2], int n, double tolerance, int *map) {
  shadow *shadows = NULL;
  FW_TRY(fw_alloc(ctx, (size_t)n, sizeof *shadows, &shadows));
  if (tolerance == 0) tolerance = 1e-9 * extent(places, n);
  for (int i = 0; i < n; i++) {
    shadows[i] = (shadow){cos(0.7391) * places[i][0] + sin(0.7391) * places[i][1], i};
    map[i] = i;
  }
  qsort(shadows, (size_t)n, sizeof *shadows, compare_shadows);
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n && shadows[j].along - shadows[i].along <= tolerance; j++) {
      const double *a = places[shadows[i].place], *b = places[shadows[j].place];
      if (hypot(a[0] - b[0], a[1] - b[1]) > tolerance) continue;
      int p = shadows[i].place, q = shadows[j].place;
      while (map[p] != p) p = map[p];
      while (map[q] != q) q = map[q];
      if (p < q)
        map[q] = p;
      else
        map[p] = q;
    }
  free(shadows);
  return FW_OK;
}
