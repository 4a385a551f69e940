/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What pictures of tables are called: tables have the short names of files. */
#include <stdio.h>
#include <string.h>

#include "output/plot_page.h"

/* `rest`: the table's name goes on with what its title ends with, "ellipse-mu-sigma". */
typedef struct table_title {
  const char *name, *title;
  bool rest;
} table_title;

static const table_title titles[] = {
    {"history", "motion over time", false},
    {"energy", "energies over time", false},
    {"contact", "contact over time", false},
    {"joints", "forces of joints over time", false},
    {"events", "changes of contact", false},
    {"convergence", "iterations to equilibrium", false},
    {"locus", "resonance over the level of the drive", false},
    {"resonances", "resonances", false},
    {"nnm", "nonlinear mode over amplitude", false},
    {"cycles", "limit cycles over the speed", false},
    {"spectrum", "power spectral density", false},
    {"angles", "around the support", false},
    {"curve", "resonance as fitted", false},
    {"decay", "free decay", false},
    {"extremes", "extremes of the decay", false},
    {"over-amplitude", "decay over amplitude", false},
    {"agreement-", "difference of the methods, level ", true},
    {"ellipse-", "region of 95 %, ", true},
    {"profile-", "misfit with one parameter held, ", true},
    {"residual-", "what the fit leaves, ", true},
};

void fw_plot_title(const fw_data_table *table, bool over_places, char title[FW_LABEL]) {
  const char *name = table->name, *words = name, *rest = "";
  for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
    size_t length = strlen(titles[i].name);
    if (titles[i].rest ? strncmp(name, titles[i].name, length) != 0 : strcmp(name, titles[i].name) != 0) continue;
    words = titles[i].title;
    rest = titles[i].rest ? name + length : "";
  }
  if (over_places && strcmp(name, "contact") == 0) words = "contact along the surfaces";
  snprintf(title, FW_LABEL, "%.60s: %.50s%.40s", table->analysis, words, rest);
}
