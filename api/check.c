/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A deck's meaning without running it: what `run` would refuse, this refuses. */
#include <stdio.h>
#include <string.h>

#include "api/identifications.h"
#include "api/outputs.h"
#include "api/plan.h"
#include "api/studies.h"
#include "core/plain_locale.h"
#include "input/warn.h"
#include "output/files.h"
#include "output/sketch.h"

static fw_status check(fw_context *ctx, const fw_deck *deck) {
  fw_built *built = NULL;
  fw_plan plan = {0};
  fw_status status;
  FW_TRY_DONE(fw_deck_build(ctx, deck, &built));
  FW_TRY_DONE(fw_plan_make(ctx, built, NULL, 0, &plan));
  FW_TRY_DONE(fw_outputs_check(ctx, built));
  fw_studies_options study_options = {.deck = deck, .built = built};
  FW_TRY_DONE(fw_studies_check(ctx, &study_options));
  fw_identifications_options asked = {.deck = deck, .built = built};
  FW_TRY_DONE(fw_identifications_check(ctx, &asked));
done:
  fw_plan_clear(&plan);
  fw_built_destroy(&built);
  return status;
}

fw_status fw_deck_check(fw_context *ctx, const fw_deck *deck) {
  FW_NEED(ctx, ctx);
  FW_NEED(ctx, deck);
  FW_RETURN_PLAIN(ctx, check(ctx, deck));
}

static fw_status sketch(fw_context *ctx, const fw_deck *deck, const char *path, bool force) {
  fw_built *built;
  if (!force) FW_TRY(fw_file_absent(ctx, path));
  FW_TRY(fw_deck_build_whole(ctx, deck, &built));
  fw_status status = fw_sketch_write(ctx, built->model, path);
  fw_built_destroy(&built);
  return status;
}

fw_status fw_deck_sketch(fw_context *ctx, const fw_deck *deck, const char *path, bool force) {
  FW_NEED(ctx, ctx);
  FW_NEED(ctx, deck);
  FW_NEED(ctx, path);
  FW_RETURN_PLAIN(ctx, sketch(ctx, deck, path, force));
}

static fw_status join_lines(fw_context *ctx, const fw_warnings *warnings, char **text) {
  size_t size = 1, at = 0;
  for (int i = 0; i < warnings->count; i++) size += strlen(warnings->texts[i]) + 1;
  FW_TRY(fw_alloc(ctx, size, 1, text));
  for (int i = 0; i < warnings->count; i++) at += (size_t)snprintf(*text + at, size - at, "%s\n", warnings->texts[i]);
  return FW_OK;
}

static fw_status warn(fw_context *ctx, const fw_deck *deck, char **text) {
  fw_built *built = NULL;
  fw_warnings warnings = {0};
  fw_status status;
  FW_TRY_DONE(fw_deck_build(ctx, deck, &built));
  FW_TRY_DONE(fw_deck_warn(ctx, deck, built, &warnings));
  FW_TRY_DONE(join_lines(ctx, &warnings, text));
done:
  fw_warnings_clear(&warnings);
  fw_built_destroy(&built);
  return status;
}

fw_status fw_deck_warnings(fw_context *ctx, const fw_deck *deck, char **text) {
  FW_NEED(ctx, ctx);
  FW_NEED(ctx, deck);
  FW_NEED(ctx, text);
  *text = NULL;
  FW_RETURN_PLAIN(ctx, warn(ctx, deck, text));
}
