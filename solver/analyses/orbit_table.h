/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of periodic motions, one row each: sensors' harmonics, contact figures, energy balance. */
#ifndef FW_ANALYSES_ORBIT_TABLE_H
#define FW_ANALYSES_ORBIT_TABLE_H

#include "solver/analysis.h"
#include "solver/hb/orbit.h"
#include "solver/stability/floquet.h"

enum {
  FW_ORBIT_STABILITY = 1, /* largest |multiplier|, how many grow */
  FW_ORBIT_LEVEL = 2,     /* the factor of the drives, loads.level */
  FW_ORBIT_GAIN = 4,      /* first harmonics of the sensors over that factor, SENSOR.gain */
  FW_ORBIT_RESPONSE = 8   /* over frequency, which stands first of all: the caller's own columns come behind it */
};

typedef struct fw_orbit_table {
  fw_sheet sheet;
  const fw_model *model; /* lent */
  int own;               /* columns of the caller */
  unsigned extra;        /* columns at the end */
  int H;
} fw_orbit_table;

/* `own` columns of the caller, then those of the orbit. A table is over its first column. Close leaves it to the sink. */
fw_status fw_orbit_table_open(fw_job *job, const char *name, const fw_column *columns, int own, int H, unsigned extra,
                              fw_orbit_table *table);
fw_status fw_orbit_table_row(fw_orbit_table *table, const double *own, const fw_orbit *orbit);
void fw_orbit_table_close(fw_orbit_table *table);

/* Bifurcations (stability/floquet.h) along a curve of orbits, the amplitude being entry `reading` of the sensors'
 * harmonics. */
fw_status fw_orbits_record_bifurcations(fw_record *to, const fw_model *model, const fw_orbit *orbits, int count,
                                        int reading, fw_unjudged unjudged, const char *prefix);

#endif
