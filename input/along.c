/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/along.h"

#include <math.h>

fw_status fw_along_read(fw_builder *builder, const fw_args *args, const char *name, const char *places,
                        fw_along *self) {
  const fw_value *values = fw_args_value(args, name), *at = fw_args_value(args, places);
  *self = (fw_along){at->numbers, values->numbers, values->count};
  if (fw_args_given(args, places) && !fw_args_given(args, name))
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, places),
                      "attribute '%s': there is no '%s' that it could be of", places, name);
  if (at->count != values->count && (at->count > 0 || values->count > 1))
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, name),
                      "attribute '%s': %d numbers are given for %d places in '%s'", name, values->count, at->count,
                      places);
  if (at->count == 1)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, places),
                      "attribute '%s': a table has two places or more", places);
  for (int i = 1; i < at->count; i++)
    if (!(at->numbers[i] > at->numbers[i - 1]))
      return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, places),
                        "attribute '%s': the places must increase", places);
  return FW_OK;
}

double fw_along_value(const fw_along *self, double s) {
  int last = self->count - 1, i = 1;
  if (last < 0) return 0;
  if (last == 0 || s <= self->at[0]) return self->values[0];
  if (s >= self->at[last]) return self->values[last];
  while (s > self->at[i]) i++;
  double part = (s - self->at[i - 1]) / (self->at[i] - self->at[i - 1]);
  return self->values[i - 1] + part * (self->values[i] - self->values[i - 1]);
}

/* The trapezoids between the places within. */
double fw_along_mean(const fw_along *self, double a, double b) {
  double sum = 0, from = a;
  for (int i = 0; self->count > 1 && i <= self->count; i++) {
    double to = i < self->count ? fmin(fmax(self->at[i], a), b) : b;
    sum += 0.5 * (to - from) * (fw_along_value(self, from) + fw_along_value(self, to));
    from = to;
  }
  return self->count > 1 ? sum / (b - a) : fw_along_value(self, a);
}
