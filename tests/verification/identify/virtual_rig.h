/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals of a virtual rig: six accelerometers at 6.5 N and 50 Hz and at 8 N and 49.25 Hz by harmonic balance of virtual-rig.xml, and decks that
 * explain them with other elements and kinematics. */
#ifndef FW_TESTS_VIRTUAL_RIG_H
#define FW_TESTS_VIRTUAL_RIG_H

#include "verification/deck_run.h"

enum { ORDERS = 15, SENSORS = 6, MOST_SAMPLES = 2048, VIRTUAL_LAWS = 4, VIRTUAL_DRIVES = 2 };
extern const char *const virtual_names[SENSORS];

extern const char *const virtual_laws[VIRTUAL_LAWS][2]; /* what it is called, attributes of <friction> */

/* A level and frequency at which the rig was measured, and the error of its phases there (deg). */
typedef struct virtual_drive {
  double level, hertz, phase_error;
} virtual_drive;
extern const virtual_drive virtual_drives[VIRTUAL_DRIVES];

typedef struct signals {
  const virtual_drive *drive;
  double amplitude[SENSORS][ORDERS], phase[SENSORS][ORDERS]; /* m/s^2, deg */
  double friction[MOST_SAMPLES];                             /* T over the period that made them, once */
  int samples;
} signals;

/* A copy of the deck with each word in @ replaced by the next of `words`: element, kinematics, divisions, law, tasks. */
void virtual_deck(const char *path, const char *const *words);

/* Signals and friction of a law on a beam of these kinematics, with settings of the deck (NULL: none); `path` is used for
 * it. */
void virtual_make(const char *path, const char *law, const char *kinematics, const virtual_drive *drive,
                  const char *const *settings, signals *s);

/* As <harmonics>, exact or with the errors of the published tables (seeded), on a clock shifted by `shift` degrees. */
void virtual_write(const char *path, const signals *s, bool noisy, double shift);

/* RMS of the difference of the table `period` of an identification over that of T(t); without the mean, which no sensor
 * sees. */
double virtual_friction_error(const deck_run *run, const char *id, const signals *s);

/* What no T(t) of so many harmonics has of that of the signals: RMS over that of T(t). */
double virtual_friction_beyond(const signals *s, int orders);

#endif
