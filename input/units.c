/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/table.h"

/* Both code points of the micro sign are in use. */
#define MICRO_SIGN "\xc2\xb5"
#define GREEK_MU "\xce\xbc"

/* Powers of m, kg, s. */
#define NUMBER  \
  {             \
    { 0, 0, 0 } \
  }
#define LENGTH  \
  {             \
    { 1, 0, 0 } \
  }
#define MASS    \
  {             \
    { 0, 1, 0 } \
  }
#define TIME    \
  {             \
    { 0, 0, 1 } \
  }
#define RATE     \
  {              \
    { 0, 0, -1 } \
  }
#define FORCE    \
  {              \
    { 1, 1, -2 } \
  }
#define PRESSURE  \
  {               \
    { -1, 1, -2 } \
  }
#define ENERGY   \
  {              \
    { 2, 1, -2 } \
  }
#define POWER    \
  {              \
    { 2, 1, -3 } \
  }

const fw_unit fw_units[] = {{"m", 1, LENGTH},
                            {"km", 1e3, LENGTH},
                            {"cm", 1e-2, LENGTH},
                            {"mm", 1e-3, LENGTH},
                            {"um", 1e-6, LENGTH},
                            {MICRO_SIGN "m", 1e-6, LENGTH},
                            {GREEK_MU "m", 1e-6, LENGTH},
                            {"nm", 1e-9, LENGTH},
                            {"s", 1, TIME},
                            {"ms", 1e-3, TIME},
                            {"us", 1e-6, TIME},
                            {MICRO_SIGN "s", 1e-6, TIME},
                            {GREEK_MU "s", 1e-6, TIME},
                            {"min", 60, TIME},
                            {"h", 3600, TIME},
                            {"Hz", 1, RATE},
                            {"kHz", 1e3, RATE},
                            {"kg", 1, MASS},
                            {"g", 1e-3, MASS},
                            {"t", 1e3, MASS},
                            {"N", 1, FORCE},
                            {"mN", 1e-3, FORCE},
                            {"kN", 1e3, FORCE},
                            {"MN", 1e6, FORCE},
                            {"Pa", 1, PRESSURE},
                            {"kPa", 1e3, PRESSURE},
                            {"MPa", 1e6, PRESSURE},
                            {"GPa", 1e9, PRESSURE},
                            {"bar", 1e5, PRESSURE},
                            {"J", 1, ENERGY},
                            {"mJ", 1e-3, ENERGY},
                            {"kJ", 1e3, ENERGY},
                            {"W", 1, POWER},
                            {"mW", 1e-3, POWER},
                            {"kW", 1e3, POWER},
                            {"rad", 1, NUMBER},
                            {"mrad", 1e-3, NUMBER},
                            {"deg", M_PI / 180.0, NUMBER},
                            {"%", 1e-2, NUMBER},
                            {"1", 1, NUMBER},
                            {NULL, 0, NUMBER}};

static const fw_unit *find(const char *name, size_t length) {
  for (const fw_unit *unit = fw_units; unit->name; unit++)
    if (strlen(unit->name) == length && strncmp(unit->name, name, length) == 0) return unit;
  return NULL;
}

/* Reads an optional power: "^2", "^-1", or a digit right after the name ("m2"). */
static int power(const char **at) {
  int sign = 1, value = 0;
  if (**at == '^') {
    ++*at;
    if (**at == '-') {
      sign = -1;
      ++*at;
    }
  }
  if (!isdigit((unsigned char)**at)) return sign;
  while (isdigit((unsigned char)**at) && value < 100) value = 10 * value + (*(*at)++ - '0');
  return sign * value;
}

bool fw_unit_factor(const char *text, double *factor, fw_dimension *dimension, char wrong[32]) {
  *factor = 1.0;
  *dimension = (fw_dimension){{0.0}};
  bool divide = false, more;
  const char *at = text;
  do {
    at += strspn(at, " ");
    size_t length = *at == '1' ? 1 : strcspn(at, " */^0123456789");
    const fw_unit *unit = find(at, length);
    if (!unit) {
      snprintf(wrong, 32, "%.*s", (int)(length ? length : strlen(at)), at);
      return false;
    }
    at += length;
    int exponent = power(&at);
    if (divide) exponent = -exponent;
    *factor *= pow(unit->factor, exponent);
    for (int k = 0; k < FW_BASES; k++) dimension->power[k] += exponent * unit->dimension.power[k];
    at += strspn(at, " ");
    more = *at != '\0';
    divide = *at == '/';
    if (*at == '/' || *at == '*') at++;
  } while (more);
  return true;
}

const char *fw_unit_nearest(const char *misspelt) {
  const char *names[sizeof fw_units / sizeof *fw_units];
  int count = 0;
  for (const fw_unit *unit = fw_units; unit->name; unit++) {
    if (strcasecmp(unit->name, misspelt) == 0) return unit->name;
    names[count++] = unit->name;
  }
  names[count] = NULL;
  return fw_nearest(names, misspelt);
}

bool fw_dimension_equal(const fw_dimension *a, const fw_dimension *b) {
  for (int k = 0; k < FW_BASES; k++)
    if (fabs(a->power[k] - b->power[k]) > 1e-6) return false;
  return true;
}

void fw_dimension_text(const fw_dimension *dimension, char *text, size_t room) {
  static const char *const bases[FW_BASES] = {"m", "kg", "s"};
  size_t at = 0;
  snprintf(text, room, "a bare number");
  for (int k = 0; k < FW_BASES; k++) {
    double power = dimension->power[k];
    if (power == 0.0 || at + 24 > room) continue;
    at += (size_t)snprintf(text + at, room - at, power == 1.0 ? "%s%s" : "%s%s^%g", at ? " " : "", bases[k], power);
  }
}
