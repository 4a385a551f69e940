/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elements of every kind to run the conformance checks on, with numbers near 1. */
#ifndef FW_TESTS_ELEMENT_SAMPLES_H
#define FW_TESTS_ELEMENT_SAMPLES_H

#include "elements/element.h"

enum { FW_SAMPLE_CONSTANTS = 64 };

typedef struct fw_element_sample {
  const fw_element_ops *ops;
  fw_properties props;
  double constants[FW_SAMPLE_CONSTANTS]; /* props.constants points here */
  double X[2 * FW_ELEMENT_NODES];
} fw_element_sample;

/* How samples of one element differ. */
typedef struct fw_element_variant {
  fw_kinematics kinematics;
  bool lumped, plane_strain;
  int choice; /* index of every CHOICE parameter */
  bool lists; /* give the list parameters of point elements */
} fw_element_variant;

/* Fills a sample in place (it points into itself: do not copy it). */
void fw_sample_make(const fw_element_ops *ops, const fw_element_variant *variant, fw_element_sample *sample);

/* Calls visit for every variant the element offers, until it returns a message; returns that. */
typedef const char *(*fw_sample_visit)(const fw_element_sample *sample);
const char *fw_sample_each(const fw_element_ops *ops, fw_sample_visit visit);

/* Uniform in -1..1, the same sequence in every run. */
double fw_sample_random(unsigned *seed);

/* Displacements and velocities of the size the kinematics are meant for, without rigid motion for
 * those that know small rotations only. */
void fw_sample_state(const fw_element_sample *sample, unsigned *seed, double *q, double *v);

/* Corners of the element's outline, natural coordinates of its nodes, size and place. */
int fw_sample_corners(fw_shape shape);
void fw_sample_natural(fw_shape shape, int node, double xi[2]);
/* Length, area, or 0 of a point element. */
double fw_sample_size(const fw_element_sample *sample);
/* Reference place of natural coordinates, from the corners alone. */
void fw_sample_place(const fw_element_sample *sample, const double xi[2], double place[2]);

#endif
