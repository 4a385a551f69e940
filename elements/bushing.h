/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stiffness and damping in x, y and rz, uncoupled, between two nodes or a node and the ground. */
#ifndef FW_ELEMENTS_BUSHING_H
#define FW_ELEMENTS_BUSHING_H

#include "elements/element.h"

/* Deck parameters; the constants are the numbers in this order. */
#define FW_BUSHING_PARAMS                                                                    \
  {"kx", FW_PARAM_NUMBER, "N/m", "0", 0, 1e30, NULL, "stiffness in x"},                      \
      {"ky", FW_PARAM_NUMBER, "N/m", "0", 0, 1e30, NULL, "stiffness in y"},                  \
      {"krz", FW_PARAM_NUMBER, "N m/rad", "0", 0, 1e30, NULL, "stiffness in rotation"},      \
      {"cx", FW_PARAM_NUMBER, "N s/m", "0", 0, 1e30, NULL, "damping in x"},                  \
      {"cy", FW_PARAM_NUMBER, "N s/m", "0", 0, 1e30, NULL, "damping in y"},                  \
      {"crz", FW_PARAM_NUMBER, "N m s/rad", "0", 0, 1e30, NULL, "damping in rotation"},      \
      {"kz", FW_PARAM_NUMBER, "N/m", "0", 0, 1e30, NULL, "stiffness in z; tubes"},           \
      {"krx", FW_PARAM_NUMBER, "N m/rad", "0", 0, 1e30, NULL, "stiffness about x; tubes"},   \
      {"kry", FW_PARAM_NUMBER, "N m/rad", "0", 0, 1e30, NULL, "stiffness about y; tubes"},   \
      {"cz", FW_PARAM_NUMBER, "N s/m", "0", 0, 1e30, NULL, "damping in z; tubes"},           \
      {"crx", FW_PARAM_NUMBER, "N m s/rad", "0", 0, 1e30, NULL, "damping about x; tubes"},   \
      {"cry", FW_PARAM_NUMBER, "N m s/rad", "0", 0, 1e30, NULL, "damping about y; tubes"}, { \
    0                                                                                        \
  }
/* Where stiffness and damping begin, in the plane and in space besides. */
enum { FW_BUSHING_K = 0, FW_BUSHING_C = 3, FW_BUSHING_SPACE_K = 6, FW_BUSHING_SPACE_C = 9, FW_BUSHING_CONSTANTS = 12 };

/* The twins in space. */
extern const fw_element_ops fw_space_bushing, fw_space_elastic_support, fw_space_mass;

/* f, K, C of an element with one or two nodes; relative to node b if there is one. */
void fw_bushing_force(const double k[3], const double c[3], int nodes, const double *q, const double *v, double *f,
                      double *K, double *C);
double fw_bushing_energy(const double k[3], int nodes, const double *q);

#endif
