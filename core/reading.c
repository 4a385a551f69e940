/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/reading.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What people call parts and multiples of a unit, the smallest first; `size` in SI. */
typedef struct named_size {
  const char *name;
  double size;
} named_size;

enum { SIZES = 7 };

typedef struct unit_names {
  const char *unit;
  named_size sizes[SIZES];
} unit_names;

static const unit_names known[] = {
    {"m", {{"pm", 1e-12}, {"nm", 1e-9}, {"µm", 1e-6}, {"mm", 1e-3}, {"m", 1}}},
    {"m/s", {{"pm/s", 1e-12}, {"nm/s", 1e-9}, {"µm/s", 1e-6}, {"mm/s", 1e-3}, {"m/s", 1}}},
    {"m/s^2", {{"nm/s^2", 1e-9}, {"µm/s^2", 1e-6}, {"mm/s^2", 1e-3}, {"m/s^2", 1}}},
    {"m^2", {{"µm^2", 1e-12}, {"mm^2", 1e-6}, {"m^2", 1}}},
    {"m^3", {{"µm^3", 1e-18}, {"mm^3", 1e-9}, {"m^3", 1}}},
    {"m^3/s", {{"µm^3/s", 1e-18}, {"mm^3/s", 1e-9}, {"m^3/s", 1}}},
    {"rad", {{"nrad", 1e-9}, {"µrad", 1e-6}, {"mrad", 1e-3}, {"rad", 1}}},
    {"rad/s", {{"nrad/s", 1e-9}, {"µrad/s", 1e-6}, {"mrad/s", 1e-3}, {"rad/s", 1}}},
    {"s", {{"ns", 1e-9}, {"µs", 1e-6}, {"ms", 1e-3}, {"s", 1}}},
    {"Hz", {{"Hz", 1}}},
    {"kg", {{"µg", 1e-9}, {"mg", 1e-6}, {"g", 1e-3}, {"kg", 1}}},
    {"N", {{"pN", 1e-12}, {"nN", 1e-9}, {"µN", 1e-6}, {"mN", 1e-3}, {"N", 1}, {"kN", 1e3}, {"MN", 1e6}}},
    {"N m", {{"nN m", 1e-9}, {"µN m", 1e-6}, {"mN m", 1e-3}, {"N m", 1}, {"kN m", 1e3}}},
    {"N/m", {{"mN/m", 1e-3}, {"N/m", 1}, {"N/mm", 1e3}, {"N/µm", 1e6}}},
    {"J", {{"pJ", 1e-12}, {"nJ", 1e-9}, {"µJ", 1e-6}, {"mJ", 1e-3}, {"J", 1}, {"kJ", 1e3}}},
    {"W", {{"pW", 1e-12}, {"nW", 1e-9}, {"µW", 1e-6}, {"mW", 1e-3}, {"W", 1}, {"kW", 1e3}}},
    {"Pa", {{"mPa", 1e-3}, {"Pa", 1}, {"kPa", 1e3}, {"MPa", 1e6}, {"GPa", 1e9}}},
    {"m^2/Hz", {{"nm^2/Hz", 1e-18}, {"µm^2/Hz", 1e-12}, {"mm^2/Hz", 1e-6}, {"m^2/Hz", 1}}},
    {"(m/s)^2/Hz", {{"(µm/s)^2/Hz", 1e-12}, {"(mm/s)^2/Hz", 1e-6}, {"(m/s)^2/Hz", 1}}},
    {"(m/s^2)^2/Hz", {{"(mm/s^2)^2/Hz", 1e-6}, {"(m/s^2)^2/Hz", 1}}},
    {"deg", {{"deg", 1}}},
};

static const double LEAST = 0.01; /* of the smallest unit: what is below is read with a power of ten, or is nothing */

/* Numbers from a hundredth to a hundred thousand are read as they are, others with a power of ten. */
static fw_reading with_power(const char *unit, double size, double most, bool logarithmic) {
  fw_reading reading = {.factor = 1.0 / size};
  double number = most / size;
  int power = number > 0.0 && isfinite(number) ? 3 * (int)floor(log10(number) / 3.0 + 1e-9) : 0;
  if (number <= 0.0 || (number >= LEAST && number < 1e5) || logarithmic) power = 0;
  if (power) reading.factor *= pow(10.0, -power);
  if (power)
    snprintf(reading.unit, sizeof reading.unit, "10^%d%s%s", power, unit[0] ? " " : "", unit);
  else
    snprintf(reading.unit, sizeof reading.unit, "%s", unit);
  return reading;
}

static fw_reading reading_of(const char *unit, double most, bool logarithmic) {
  if (strncmp(unit, "of ", 3) == 0) return with_power(unit, 1.0, 0.0, false); /* parts of something are not scaled */
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strcmp(known[i].unit, unit) != 0) continue;
    const named_size *found = known[i].sizes;
    if (!(most > 0.0)) return with_power(unit, 1.0, 0.0, false);
    for (int s = 1; s < SIZES && known[i].sizes[s].name && most >= known[i].sizes[s].size * (1.0 - 1e-9); s++)
      found = &known[i].sizes[s];
    bool nothing = found->size < 1.0 && most < LEAST * found->size;
    fw_reading reading =
        nothing ? with_power(unit, 1.0, most, logarithmic) : with_power(found->name, found->size, most, logarithmic);
    reading.nothing = nothing;
    return reading;
  }
  return with_power(unit, 1.0, most, logarithmic);
}

fw_reading fw_reading_of(const char *unit, double most) { return reading_of(unit, most, false); }

fw_reading fw_reading_of_label(const char *label, double most, bool logarithmic, char *read, size_t room) {
  const char *open = strrchr(label, '['), *end = label + strlen(label);
  char unit[40] = "";
  if (open && end[-1] == ']')
    snprintf(unit, sizeof unit, "%.*s", (int)(end - open) - 2, open + 1);
  else
    open = end;
  fw_reading reading = reading_of(unit, most, logarithmic);
  int words = (int)(open - label);
  while (words > 0 && label[words - 1] == ' ') words--;
  snprintf(read, room, "%.*s%s%s%s%s", words, label, words && reading.unit[0] ? " " : "", reading.unit[0] ? "[" : "",
           reading.unit, reading.unit[0] ? "]" : "");
  return reading;
}

fw_said fw_say(double value, const char *unit) {
  fw_reading reading = fw_reading_of(unit, fabs(value));
  fw_said said;
  if (reading.nothing)
    snprintf(said.text, sizeof said.text, "0 (%.2g %s)", value, unit);
  else if (strncmp(reading.unit, "10^", 3) == 0) /* a number says its power of ten by itself */
    snprintf(said.text, sizeof said.text, "%.4g%s%s", value, unit[0] ? " " : "", unit);
  else
    snprintf(said.text, sizeof said.text, "%.4g%s%s", value * reading.factor, unit[0] ? " " : "", reading.unit);
  return said;
}
