/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of the grammar that describes studies. */
#include "input/grammar_words.h"

extern const fw_table fw_samplings; /* study/samplings.def; only its descriptions are used here */

static const fw_param vary_params[] = {
    {"parameter", FW_PARAM_REF, "", NULL, ANY, "parameter", "parameter that is varied"},
    {"distribution", FW_PARAM_CHOICE, "", "uniform", ANY, "uniform|normal|log-uniform|log-normal", "distribution"},
    {"min", FW_PARAM_NUMBER, "", "", ANY, NULL, "least value, in the parameter's unit; cuts a normal distribution"},
    {"max", FW_PARAM_NUMBER, "", "", ANY, NULL, "greatest value, in the parameter's unit; cuts a normal distribution"},
    {"mean", FW_PARAM_NUMBER, "", "", ANY, NULL, "mean of a normal or log-normal distribution"},
    {"deviation", FW_PARAM_NUMBER, "", "", NOT_NEGATIVE, NULL, "its standard deviation"},
    END};
static const fw_tag vary_tag = {.name = "vary", .meaning = "A parameter and its range", .params = vary_params};

static const fw_param correlate_params[] = {
    {"parameters", FW_PARAM_REFS, "", NULL, ANY, "parameter", "two parameters that are varied"},
    {"coefficient", FW_PARAM_NUMBER, "", NULL, -1, 1, NULL, "correlation of their normal scores (Gaussian copula)"},
    END};
static const fw_tag correlate_tag = {
    .name = "correlate", .meaning = "Parameters that vary together", .params = correlate_params};

static const fw_param result_params[] = {
    {"name", FW_PARAM_ID, "", NULL, ANY, NULL, "column in the study's table"},
    {"of", FW_PARAM_REF, "", "", ANY, "analysis", "analysis it comes from; absent: the whole summary"},
    {"level", FW_PARAM_NUMBER, "", "", ANY, NULL, "drive level"},
    {"quantity", FW_PARAM_TEXT, "", NULL, ANY, NULL,
     "path in the summary of the analysis, or 'expression:' and an expression of parameters and earlier results"},
    END};
static const fw_tag result_tag = {.name = "result", .meaning = "A number the study collects", .params = result_params};

static const fw_param curve_params[] = {
    {"name", FW_PARAM_ID, "", NULL, ANY, NULL, "name of the curve's table and plot"},
    {"of", FW_PARAM_REF, "", NULL, ANY, "analysis", "analysis it comes from"},
    {"table", FW_PARAM_TEXT, "", NULL, ANY, NULL, "table of that analysis, e.g. frf-3"},
    {"x", FW_PARAM_TEXT, "", "frequency", ANY, NULL, "column of the abscissa"},
    {"y", FW_PARAM_TEXT, "", NULL, ANY, NULL, "column of the ordinate, e.g. tip.amplitude"},
    {"from", FW_PARAM_NUMBER, "", NULL, ANY, NULL, "where the abscissa begins"},
    {"to", FW_PARAM_NUMBER, "", NULL, ANY, NULL, "where it ends"},
    {"points", FW_PARAM_INTEGER, "", "50", 2, 10000, NULL, "how many values of it"},
    END};
static const fw_tag curve_tag = {
    .name = "curve",
    .meaning = "A curve the study collects on fixed values of its abscissa; of several branches the highest",
    .params = curve_params};

static const fw_param study_params[] = {
    ID("study"),
    {"run", FW_PARAM_REF, "", "", ANY, "analysis", "analysis every sample runs, and those it starts from"},
    {"sampling", FW_PARAM_TEXT, "", NULL, ANY, NULL, "how samples are chosen"},
    {"seed", FW_PARAM_INTEGER, "", "1", 0, 2147483647, NULL, "of random samplings"},
    {"time-limit", FW_PARAM_NUMBER, "s", "", POSITIVE, NULL, "a sample that takes longer counts as failed"},
    END};
static const fw_tag study_tag = {
    .name = "study",
    .meaning = "Many runs of the deck with varied parameters",
    .params = study_params,
    .kind = "study",
    .table = &fw_samplings,
    .selector = "sampling",
    .children =
        (const fw_child[]){{&vary_tag, 1, 0}, {&correlate_tag, 0, 0}, {&result_tag, 0, 0}, {&curve_tag, 0, 0}, END}};
const fw_tag fw_studies_tag = {
    .name = "studies", .meaning = "Studies", .children = (const fw_child[]){{&study_tag, 0, 0}, END}};
