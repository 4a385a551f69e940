/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/friction/tribometer.h"

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

fw_drive fw_drive_from(const fw_args *args) {
  return (fw_drive){.motion = (fw_motion)fw_args_integer(args, "motion"),
                    .amplitude = fw_args_number(args, "amplitude"),
                    .amplitude2 = fw_args_number(args, "amplitude-2"),
                    .frequency = fw_args_number(args, "frequency"),
                    .speed = fw_args_number(args, "speed"),
                    .duration = fw_args_number(args, "duration"),
                    .N = fw_args_number(args, "normal-force"),
                    .N_amplitude = fw_args_number(args, "normal-amplitude"),
                    .N_phase = fw_args_number(args, "normal-phase"),
                    .cycles = fw_args_integer(args, "cycles"),
                    .steps = fw_args_integer(args, "steps"),
                    .seed = (unsigned)fw_args_number(args, "seed"),
                    .mass = fw_args_number(args, "mass"),
                    .stiffness = fw_args_number(args, "stiffness")};
}

fw_drive fw_drive_default(void) {
  return (fw_drive){.motion = FW_MOTION_HARMONIC,
                    .amplitude = 5e-6,
                    .amplitude2 = 5e-6,
                    .frequency = 50.0,
                    .speed = 1e-3,
                    .duration = 1.0,
                    .N = 83.0,
                    .cycles = 3,
                    .steps = 512,
                    .seed = 1,
                    .mass = 1.0,
                    .stiffness = 1e4};
}
