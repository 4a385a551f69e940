/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curves of periodic motions in the pictures drawn of them, made smooth there (solver/continuation/smooth.h). */
#ifndef FW_HB_ORBIT_PICTURE_H
#define FW_HB_ORBIT_PICTURE_H

#include "solver/continuation/smooth.h"
#include "solver/hb/response.h"

/* A list of motions in the order of their curve; what is drawn of them over an abscissa: amplitude and, of a response, phase
 * of every sensor; work rate, slip and largest forces of every pair; of a mode or of resonances frequency and damping. Values that
 * are positive throughout have to look like a curve on linear and on logarithmic axes. */
typedef struct fw_orbit_picture {
  const fw_model *model;
  int H;
  bool response; /* over frequency; else over the level or the amplitude */
  void *user;
  double (*abscissa)(void *user, int i);
  double (*damping)(void *user, int i); /* NULL: of a response */
} fw_orbit_picture;

int fw_orbit_picture_ordinates(const fw_orbit_picture *picture);

/* places: as of fw_smooth. */
void fw_orbit_picture_draw(const fw_orbit_picture *picture, const fw_orbit *orbits, int count, double *places);

/* Puts the last of a list of things of `size` bytes in the place `at`, and what is there and behind one place on. */
void fw_list_bring(void *list, int count, int at, size_t size);

/* Adds points to the curve of a response (options.smooth). */
fw_status fw_response_smooth(fw_context *ctx, const fw_vibration *vibration, fw_response *response);

#endif
