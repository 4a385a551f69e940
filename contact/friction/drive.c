/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/friction/tribometer.h"

#include <stdlib.h>
#include <string.h>

#define MOTION_CHOICE "harmonic|two-harmonics|triangle|random|constant|ramp|table|pulled"

const fw_param fw_drive_params[] = {
    {"motion", FW_PARAM_CHOICE, "", "harmonic", 0, 0, MOTION_CHOICE, "how the contact moves"},
    {"amplitude", FW_PARAM_NUMBER, "m", "5e-6", -1e3, 1e3, NULL, "A: slip; pulled: where the mass starts"},
    {"amplitude-2", FW_PARAM_NUMBER, "m", "5e-6", -1e3, 1e3, NULL, "A2 of two-harmonics"},
    {"frequency", FW_PARAM_NUMBER, "Hz", "50", 1e-9, 1e9, NULL, "f of the periodic motions and of N"},
    {"speed", FW_PARAM_NUMBER, "m/s", "1e-3", -1e3, 1e3, NULL, "V of constant, ramp and pulled"},
    {"duration", FW_PARAM_NUMBER, "s", "1", 1e-12, 1e9, NULL, "of constant, ramp and pulled"},
    {"normal-force", FW_PARAM_NUMBER, "N", "83", 1e-12, 1e12, NULL, "mean of N"},
    {"normal-amplitude", FW_PARAM_NUMBER, "", "0", 0, 10, NULL, "N varies as 1 + this times sin(2 pi f t + phase)"},
    {"normal-phase", FW_PARAM_NUMBER, "rad", "0", 0, 0, NULL, "phase of N"},
    {"cycles", FW_PARAM_INTEGER, "", "3", 1, 100000, NULL, "of the periodic motions"},
    {"steps", FW_PARAM_INTEGER, "", "512", 2, 10000000, NULL, "per cycle; of the whole run otherwise"},
    {"seed", FW_PARAM_INTEGER, "", "1", 0, 4294967295.0, NULL, "of random"},
    {"mass", FW_PARAM_NUMBER, "kg", "1", 1e-12, 1e12, NULL, "pulled"},
    {"stiffness", FW_PARAM_NUMBER, "N/m", "1e4", 1e-12, 1e15, NULL, "pulled: of the spring"},
    {"table", FW_PARAM_TEXT, "", "", 0, 0, NULL, "CSV file with columns t, u and perhaps N"},
    {NULL, 0, NULL, NULL, 0, 0, NULL, NULL}};

typedef double (*number_of)(const fw_args *args, const char *name);

static fw_drive drive_of(number_of number, const fw_args *args) {
  return (fw_drive){.motion = (fw_motion)number(args, "motion"),
                    .amplitude = number(args, "amplitude"),
                    .amplitude2 = number(args, "amplitude-2"),
                    .frequency = number(args, "frequency"),
                    .speed = number(args, "speed"),
                    .duration = number(args, "duration"),
                    .N = number(args, "normal-force"),
                    .N_amplitude = number(args, "normal-amplitude"),
                    .N_phase = number(args, "normal-phase"),
                    .cycles = (int)number(args, "cycles"),
                    .steps = (int)number(args, "steps"),
                    .seed = (unsigned)number(args, "seed"),
                    .mass = number(args, "mass"),
                    .stiffness = number(args, "stiffness")};
}

fw_drive fw_drive_from(const fw_args *args) { return drive_of(fw_args_number, args); }

/* What the description falls back to. */
static double usual(const fw_args *unused, const char *name) {
  (void)unused;
  const fw_param *param = fw_drive_params;
  while (strcmp(param->name, name) != 0) param++;
  return param->choices ? fw_choice_index(param->choices, param->fallback) : strtod(param->fallback, NULL);
}

fw_drive fw_drive_default(void) { return drive_of(usual, NULL); }
