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

const fw_unit fw_units[] = {{"m", 1},
                            {"km", 1e3},
                            {"cm", 1e-2},
                            {"mm", 1e-3},
                            {"um", 1e-6},
                            {MICRO_SIGN "m", 1e-6},
                            {GREEK_MU "m", 1e-6},
                            {"nm", 1e-9},
                            {"s", 1},
                            {"ms", 1e-3},
                            {"us", 1e-6},
                            {MICRO_SIGN "s", 1e-6},
                            {GREEK_MU "s", 1e-6},
                            {"min", 60},
                            {"h", 3600},
                            {"Hz", 1},
                            {"kHz", 1e3},
                            {"kg", 1},
                            {"g", 1e-3},
                            {"t", 1e3},
                            {"N", 1},
                            {"mN", 1e-3},
                            {"kN", 1e3},
                            {"MN", 1e6},
                            {"Pa", 1},
                            {"kPa", 1e3},
                            {"MPa", 1e6},
                            {"GPa", 1e9},
                            {"bar", 1e5},
                            {"J", 1},
                            {"mJ", 1e-3},
                            {"kJ", 1e3},
                            {"W", 1},
                            {"mW", 1e-3},
                            {"kW", 1e3},
                            {"rad", 1},
                            {"mrad", 1e-3},
                            {"deg", 3.14159265358979323846 / 180.0},
                            {"%", 1e-2},
                            {"1", 1},
                            {NULL, 0}};

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

bool fw_unit_factor(const char *text, double *factor, char wrong[32]) {
  *factor = 1.0;
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
    *factor *= pow(unit->factor, divide ? -exponent : exponent);
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
