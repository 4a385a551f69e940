/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/episodes.h"

#include <math.h>

double fw_force_bin(int i) {
  static const double first = 1e-3, within[] = {1, 2, 5};
  int decade = i / 3;
  return first * pow(10, decade) * within[i % 3];
}

static int bin_of(double force) {
  int i = 0;
  while (i < FW_FORCE_BINS - 1 && force >= fw_force_bin(i + 1)) i++;
  return i;
}

static void end_impact(fw_episodes *e) {
  e->impacts++;
  e->impact_work += e->work;
  e->peak_sum += e->peak;
  e->peak_most = fmax(e->peak_most, e->peak);
  e->bins[bin_of(e->peak)]++;
}

void fw_episodes_end(const fw_episode_limits *limits, fw_episodes *e) {
  if (e->is_on != 0 && e->length < limits->impact) {
    end_impact(e);
  } else if (e->is_on != 0) {
    e->slidings++;
    e->sliding_work += e->work;
  }
  e->is_on = e->length = e->open_for = e->peak = e->work = 0;
}

void fw_episodes_step(const fw_episode_limits *limits, double N, double work, double dt, fw_episodes *e) {
  e->work += work;
  if (N > 0) {
    e->length += e->is_on != 0 ? e->open_for + dt : dt;
    e->is_on = 1;
    e->open_for = 0;
    e->peak = fmax(e->peak, N);
    e->closed += dt;
  } else if (e->is_on != 0) {
    e->open_for += dt;
    if (e->open_for >= limits->rest) fw_episodes_end(limits, e);
  }
}

fw_batches fw_batches_of(const double *values, int count) {
  fw_batches s = {0};
  double square = 0, along = 0;
  for (int i = 0; i < count; i++) s.mean += values[i] / count;
  for (int i = 0; i < count; i++) {
    square += (values[i] - s.mean) * (values[i] - s.mean);
    along += i > 0 ? (values[i] - s.mean) * (values[i - 1] - s.mean) : 0;
  }
  s.error = count > 1 ? sqrt(square / (count - 1) / count) : 0;
  s.correlation = square > 0 ? along / square : 0;
  return s;
}
