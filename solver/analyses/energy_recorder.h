/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Watches the energies of a time integration: their history and the balance over the observed time. */
#ifndef FW_ANALYSES_ENERGY_RECORDER_H
#define FW_ANALYSES_ENERGY_RECORDER_H

#include "solver/analysis.h"
#include "solver/time/alpha.h"
#include "solver/time/archive.h"

typedef struct fw_energy_recorder {
  fw_job *job;
  fw_data_table *table;
  fw_energy first, last; /* balanced are the differences of these */
  double kinetic_most, numerical_most;
} fw_energy_recorder;

/* Opens the table `energy`. */
fw_status fw_energy_recorder_open(fw_energy_recorder *recorder, fw_job *job);

/* The balance begins here. */
void fw_energy_recorder_begin(fw_energy_recorder *recorder, const fw_energy *energy);
void fw_energy_recorder_step(fw_energy_recorder *recorder, const fw_energy *energy);

/* The energies become a row of the table, with what is missing since the balance began. */
fw_status fw_energy_recorder_row(fw_energy_recorder *recorder, double time, const fw_energy *energy);

/* Keeps what was observed so far, or takes it back. */
fw_status fw_energy_recorder_archive(fw_energy_recorder *recorder, fw_archive *archive);

/* energy.{loads, stored, structural_damping, friction, contact_damping, numerical, drift, residual}; the residual
 * relative to what went through the model. */
fw_status fw_energy_recorder_report(const fw_energy_recorder *recorder);

#endif
