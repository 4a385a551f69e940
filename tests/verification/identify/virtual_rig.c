/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "virtual_rig.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"

#define VIRTUAL FW_SOURCE_DIR "/tests/verification/identify/virtual-rig.xml"

const char *const virtual_names[SENSORS] = {"a83", "a153", "a268", "a408", "a499", "a555"};
const virtual_drive virtual_drives[VIRTUAL_DRIVES] = {{6.5, 50.0, 0.1}, {8, 49.25, 2.0}};

const char *const virtual_laws[VIRTUAL_LAWS][2] = {
    {"Dahl", "law=\"dahl\" mu-c=\"0.5\" sigma-0=\"1.003e7\""},
    {"LuGre, row 6.5",
     "law=\"lugre-normalised\" mu-s=\"0.492\" mu-c=\"0.16\" v-s=\"7.152e-4\" sigma-0=\"1.14e4\" sigma-1=\"347.03\""},
    {"LuGre, row 8",
     "law=\"lugre-normalised\" mu-s=\"0.463\" mu-c=\"0.197\" v-s=\"4.728e-4\" sigma-0=\"1.22e5\" sigma-1=\"27.75\""},
    {"hybrid",
     "law=\"hybrid\" mu-s=\"0.479\" mu-c=\"0.155\" v-s=\"6.797e-4\" k-e=\"5.2e7\" k-ep=\"1.9e7\" k-ps=\"8.5e7\""
     " c-p=\"630\" c-s=\"2300\""}};

void virtual_deck(const char *path, const char *const *words) {
  FILE *from = fopen(VIRTUAL, "r"), *to = fopen(path, "w");
  assert_true(from && to);
  bool skipping = false, body = false;
  for (int c; (c = fgetc(from)) != EOF;) {
    body |= c == '>' && ftell(from) > 500; /* behind the comment, which speaks of @ */
    if (c == '@' && body) {
      if (!skipping) fputs(*words++, to);
      skipping = !skipping;
    } else if (!skipping) {
      fputc(c, to);
    }
  }
  fclose(from);
  assert_int_equal(fclose(to), 0);
}

static const char make_task[] =
    "<analyses><static id=\"seated\" loads=\"preload\"/>\n"
    "<frf id=\"frf\" start=\"seated\" loads=\"shaker\" levels=\"%g\" response=\"drive\" f-min=\"%g\" f-max=\"%g\" "
    "points=\"3\""
    " harmonics=\"31\" samples=\"512\" loops=\"all\"/></analyses>\n";
/* Row of a table at a frequency. */
static size_t row_at(const double *frequency, size_t rows, double hertz) {
  for (size_t r = 0; r < rows; r++)
    if (fabs(frequency[r] - hertz) < 1e-9) return r;
  fail_msg("no row at %g Hz", hertz);
  return 0;
}

void virtual_make(const char *path, const char *law, const char *kinematics, const virtual_drive *drive,
                  const char *const *settings, signals *s) {
  char task[400], table[32];
  snprintf(task, sizeof task, make_task, drive->level, drive->hertz - 0.5, drive->hertz + 0.5);
  snprintf(table, sizeof table, "frf-%g", drive->level);
  const char *const words[] = {"euler-bernoulli", kinematics, "40", law, task};
  deck_run run;
  size_t rows;
  s->drive = drive;
  virtual_deck(path, words);
  deck_open(&run, path, settings);
  const double *frequency = deck_column(&run, "frf", table, "frequency", &rows);
  size_t row = row_at(frequency, rows, drive->hertz);
  for (int j = 0; j < SENSORS; j++)
    for (int r = 1; r <= ORDERS; r++) {
      char column[64];
      snprintf(column, sizeof column, r > 1 ? "%s.amplitude-%d" : "%s.amplitude", virtual_names[j], r);
      s->amplitude[j][r - 1] = deck_column(&run, "frf", table, column, &rows)[row];
      snprintf(column, sizeof column, r > 1 ? "%s.phase-%d" : "%s.phase", virtual_names[j], r);
      s->phase[j][r - 1] = deck_column(&run, "frf", table, column, &rows)[row];
    }
  const double *at = deck_column(&run, "frf", "loops", "at", &rows);
  const double *T = deck_column(&run, "frf", "loops", "foot tangential", &rows);
  s->samples = 0;
  for (size_t r = 0; r < rows && s->samples < MOST_SAMPLES; r++)
    if (fabs(at[r] - drive->hertz) < 1e-9) s->friction[s->samples++] = T[r];
  s->samples--; /* the last is the first again */
  assert_int_equal(s->samples, 512);
  deck_close(&run);
}

/* Errors of the published tables: parts of the amplitude by harmonic. */
static double error_of(int r) { return r == 1 ? 0.001 : r == 3 || r == 4 ? 0.03 : 0.08; }

void virtual_write(const char *path, const signals *s, bool noisy, double shift) {
  gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(random, 3);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fprintf(file, "# drive %g N at %g Hz\nharmonic,force.phase", s->drive->level, s->drive->hertz);
  for (int j = 0; j < SENSORS; j++) fprintf(file, ",%s,%s.phase", virtual_names[j], virtual_names[j]);
  for (int r = 1; r <= ORDERS; r++) {
    fprintf(file, "\n%d,%.12g", r, shift);
    for (int j = 0; j < SENSORS; j++)
      fprintf(file, ",%.12g,%.12g", s->amplitude[j][r - 1] * (1 + (noisy ? gsl_ran_gaussian(random, error_of(r)) : 0)),
              s->phase[j][r - 1] + r * shift + (noisy ? gsl_ran_gaussian(random, s->drive->phase_error) : 0));
  }
  fputc('\n', file);
  assert_int_equal(fclose(file), 0);
  gsl_rng_free(random);
}

double virtual_friction_error(const deck_run *run, const char *id, const signals *s) {
  size_t rows;
  const double *T = deck_column(run, id, "period", "tangential", &rows);
  double mean = 0, off = 0, size = 0;
  assert_int_equal(rows, 257);
  for (int i = 0; i < s->samples; i++) mean += s->friction[i] / s->samples;
  for (int i = 0; i < 256; i++) {
    double is = s->friction[2 * i] - mean;
    off += (T[i] - is) * (T[i] - is);
    size += is * is;
  }
  return sqrt(off / size);
}

double virtual_friction_beyond(const signals *s, int orders) {
  double mean = 0, size = 0, carried = 0;
  for (int i = 0; i < s->samples; i++) mean += s->friction[i] / s->samples;
  for (int i = 0; i < s->samples; i++) size += pow(s->friction[i] - mean, 2) / s->samples;
  for (int r = 1; r <= orders; r++) {
    double a = 0, b = 0;
    for (int i = 0; i < s->samples; i++) {
      a += s->friction[i] * cos(2 * M_PI * r * i / s->samples) * 2 / s->samples;
      b += s->friction[i] * sin(2 * M_PI * r * i / s->samples) * 2 / s->samples;
    }
    carried += (a * a + b * b) / 2;
  }
  return sqrt(fmax(1 - carried / size, 0));
}
