/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact derivatives of an expression. The parser of expressions gives numbers only; this follows its grammar (operators
 * with their precedence, functions, ? :) with jets in place of numbers. */
#ifndef FW_INPUT_DERIVATIVE_H
#define FW_INPUT_DERIVATIVE_H

#include <stdbool.h>

/* A number with its first and second derivative along one variable. Of constants both are 0 whatever a function does
 * there. */
typedef struct fw_jet {
  double value, first, second;
} fw_jet;

static inline fw_jet fw_jet_constant(double value) { return (fw_jet){value, 0.0, 0.0}; }

fw_jet fw_jet_sum(fw_jet a, fw_jet b);
fw_jet fw_jet_negative(fw_jet a);
fw_jet fw_jet_product(fw_jet a, fw_jet b);
fw_jet fw_jet_quotient(fw_jet a, fw_jet b);
fw_jet fw_jet_power(fw_jet a, fw_jet b);

/* A function of expressions by its name; false: there is none of this name and number of arguments. */
bool fw_jet_function(const char *name, const fw_jet *arguments, int count, fw_jet *result);

/* Finds the jet that a name stands for; false: unknown. */
typedef bool (*fw_jet_of_name)(const void *user, const char *name, fw_jet *jet);

/* False: the text cannot be read, or nests too deeply. */
bool fw_derivative(const char *text, fw_jet_of_name of, const void *user, fw_jet *result);

#endif
