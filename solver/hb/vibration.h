/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A model made ready for harmonic balance: linearised about a start state, reduced to its contact coordinates (and
 * some modes where it has von Kármán beams), with its drives and sensors. */
#ifndef FW_HB_VIBRATION_H
#define FW_HB_VIBRATION_H

#include "solver/assembly/system.h"
#include "solver/hb/reduction/coordinates.h"
#include "solver/hb/reduction/subspace.h"

typedef struct fw_vibration {
  const fw_model *model;
  fw_state *start;
  fw_reduced reduced;
  fw_quartic quartic;
  fw_balance_contact *contacts;
  int contact_count;
  fw_coordinates coordinates; /* of the contacts, the first of the reduction's */
  fw_balance_drive *drives;
  int *drive_load;      /* which of the model's loads each drive is */
  double *drive_amount; /* and its factor at level 1 */
  int drive_count;
  fw_projected *sensors;    /* model->sensor_count */
  fw_balance_problem given; /* views of the above */
  int left_out;             /* contact points without a place on their target, or too many that are open at the start */
  double seconds;           /* processor time that linearising and reducing took */
  double error[2]; /* of the subspace at the highest frequency of the drive, at five times that; 0: not reduced */
} fw_vibration;

/* `highest` below over the highest frequency of the drive. */
enum { FW_VIBRATION_RANGE = 12 };

/* What is done with models of many freedoms unless something else is wished. */
static const fw_reduction fw_reduction_default = {.modes = 60};

/* Refuses, with the line, what harmonic balance cannot follow: nonlinearities other than von Kármán's (at the line of
 * the analysis), laws that are not periodic, rigid stick beside other laws. */
fw_status fw_vibration_check(fw_context *ctx, const fw_model *model, fw_place analysis);

/* drive: model->load_count factors of the loads that drive at level 1 (harmonic ones only). highest: circular
 * frequency up to which modes matter for the von Kármán terms (0: twelve times the first with all contact held).
 * The model has passed fw_vibration_check. */
fw_status fw_vibration_create(fw_context *ctx, fw_system *system, const fw_state *start, const double *drive,
                              double highest, fw_reduction how, fw_vibration **vibration);
void fw_vibration_destroy(fw_vibration **vibration);

/* The full state at a phase (rad) of the period of the solution y; balance must have been evaluated at y.
 * level: factor of the drives. */
fw_status fw_vibration_state(fw_context *ctx, const fw_vibration *vibration, const fw_balance *balance, const double *y,
                             double phase, fw_state **state);

/* Amplitudes of the rest at harmonic k, without the second-order motion: eta[rest]. */
void fw_vibration_rest(const fw_vibration *vibration, const fw_balance *balance, const double *y, int k,
                       double complex *eta);

#endif
