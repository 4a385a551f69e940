/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chain of laws: which numbers of each are identified from loops, and where each begins: at what the laws before it
 * have found. */
#ifndef FW_IDENTIFY_CHAIN_H
#define FW_IDENTIFY_CHAIN_H

#include "identify/fit.h"
#include "identify/loops.h"

/* What is known of the contact so far, whatever the law. */
typedef struct fw_contact_guess {
  double mu_s, mu_c;   /* coefficients */
  double v_s;          /* Stribeck velocity (m/s) */
  double stiffness;    /* in presliding (N/m) */
  double damping;      /* in presliding (N s/m) */
  double normal;       /* mean normal force (N) */
  double speed, slip;  /* largest of the slowest loop (m/s, m) */
  double force, press; /* largest |T| and N */
} fw_contact_guess;

/* From the loops alone: mu = max|T|/max N, the slope of the loop where it is steepest. */
fw_contact_guess fw_contact_guess_of(const fw_loops *loops);

enum { FW_CHAIN_NUMBERS = 8 };

typedef struct fw_chain_law {
  const char *law;
  const char *numbers[FW_CHAIN_NUMBERS + 1]; /* fitted, in this order; ends with NULL */
} fw_chain_law;

/* The entry of a law, or NULL: it has none. */
const fw_chain_law *fw_chain_find(const char *law);
/* "coulomb, dahl, ..." */
extern const char fw_chain_names[];

/* Start and bounds of a number; unit from the law's own description. */
fw_fit_parameter fw_chain_parameter(const fw_chain_law *law, const char *number, const fw_contact_guess *guess);

/* Slip at which a spring of stiffness sigma_0 carries the friction mu (m); both per unit of normal force in a law that
 * is normalised. False from `agree`: a set of numbers whose reach and critical slip lie more than a factor of 3 apart
 * contradicts itself. */
double fw_chain_reach(const char *law, double mu, double sigma_0, double normal);
bool fw_chain_reach_agrees(double reach, double u_crit);

/* What the fitted numbers say about the contact. */
void fw_chain_learn(const fw_chain_law *law, const char *number, double value, fw_contact_guess *guess);

#endif
