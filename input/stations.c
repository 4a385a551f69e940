/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/stations.h"

#include <math.h>
#include <string.h>

double fw_stations_tolerance(const fw_stations *self) { return 1e-9 * self->length; }

fw_status fw_stations_divide(fw_context *ctx, fw_stations *self, int divisions, double grading, int more) {
  double ratio = divisions > 1 ? pow(grading, 1.0 / (divisions - 1)) : 1.0, step = 1.0, sum = 0.0;
  FW_TRY(fw_alloc(ctx, (size_t)(divisions + 1 + more), sizeof *self->list, &self->list));
  self->count = divisions + 1;
  for (int i = 0; i <= divisions; i++) {
    self->list[i] = (fw_station){sum, i == 0 || i == divisions};
    sum += step;
    step *= ratio;
  }
  double scale = self->length / self->list[divisions].s;
  for (int i = 0; i < divisions; i++) self->list[i].s *= scale;
  self->list[divisions].s = self->length;
  return FW_OK;
}

int fw_stations_before(const fw_stations *self, double s) {
  int low = 0, high = self->count - 1;
  while (low < high) {
    int middle = (low + high + 1) / 2;
    if (self->list[middle].s <= s)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/* There already, or the nearer free neighbour moves, or a new one is put in. */
void fw_stations_require(fw_stations *self, double s) {
  int before = fw_stations_before(self, s), after = before + 1 < self->count ? before + 1 : before;
  fw_station *near = &self->list[before], *far = &self->list[after];
  if (fabs(far->s - s) < fabs(near->s - s)) {
    fw_station *swap = near;
    near = far;
    far = swap;
  }
  if (fabs(near->s - s) <= fw_stations_tolerance(self)) {
    near->taken = true;
  } else if (!near->taken || !far->taken) {
    *(near->taken ? far : near) = (fw_station){s, true};
  } else {
    memmove(&self->list[before + 2], &self->list[before + 1], (size_t)(self->count - before - 1) * sizeof *self->list);
    self->list[before + 1] = (fw_station){s, true};
    self->count++;
  }
}

int fw_stations_find(const fw_stations *self, double s, int *element, double *xi) {
  double tolerance = fw_stations_tolerance(self);
  int before = fw_stations_before(self, s + tolerance);
  if (before == self->count - 1 || fabs(self->list[before].s - s) <= tolerance) return before;
  double a = self->list[before].s, b = self->list[before + 1].s;
  *element = before;
  *xi = (2 * s - a - b) / (b - a);
  return -1;
}
