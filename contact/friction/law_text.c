/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The description of laws for people: docs/laws.md and `fretwork list laws` are this text. */
#include <stdio.h>
#include <stdlib.h>

#include "contact/friction/abilities.h"

/* Text in a cell of a table, where a bar would end the cell. */
static void put_cell(FILE *out, const char *text) {
  for (; *text; text++) fprintf(out, *text == '|' ? "\\%c" : "%c", *text);
}

static void put_range(FILE *out, const fw_param *param) {
  if (param->kind == FW_PARAM_CHOICE)
    put_cell(out, param->choices);
  else if (param->kind == FW_PARAM_FLAG)
    fputs("no, yes", out);
  else if (param->min != 0.0 || param->max != 0.0)
    fprintf(out, "%g … %g", param->min, param->max);
}

static void put_params(FILE *out, const fw_param *params) {
  if (!params || !params->name) return;
  fputs("| parameter | unit | default | range | meaning |\n|---|---|---|---|---|\n", out);
  for (; params->name; params++) {
    fprintf(out, "| `%s` | %s | %s | ", params->name, params->unit, !params->fallback ? "required" : params->fallback);
    put_range(out, params);
    fputs(" | ", out);
    put_cell(out, params->meaning);
    fputs(params->kind == FW_PARAM_NUMBERS ? " (a list) |\n" : " |\n", out);
  }
  fputc('\n', out);
}

static void put_faces(FILE *out, const fw_friction_ops *ops) {
  const char *names[3];
  int count = 0;
  if (ops->rate) names[count++] = "rate";
  if (ops->step) names[count++] = "step";
  if (ops->limit) names[count++] = "limit";
  fputs("Faces: ", out);
  for (int i = 0; i < count; i++) fprintf(out, "%s%s", i ? ", " : "", names[i]);
  if (!ops->step) fputs(ops->rate ? " (step derived)" : " (step derived for elastic stick)", out);
  fputs(".\n", out);
}

static fw_status put_abilities(fw_context *ctx, FILE *out, const fw_friction_ops *ops) {
  bool found[FW_ABILITY_COUNT];
  int count = 0;
  FW_TRY(fw_law_abilities(ctx, ops, found));
  fputs("Abilities: ", out);
  for (int i = 0; i < FW_ABILITY_COUNT; i++)
    if (found[i]) fprintf(out, "%s%s", count++ ? ", " : "", fw_abilities[i].name);
  fputs(count ? ".\n\n" : "none.\n\n", out);
  return FW_OK;
}

static fw_status put_law(fw_context *ctx, FILE *out, const fw_friction_ops *ops) {
  const fw_entry *entry = &ops->entry;
  fprintf(out, "## %s\n\n%c%s.\n\n", entry->name,
          entry->summary[0] - ('a' <= entry->summary[0] && entry->summary[0] <= 'z' ? 32 : 0), entry->summary + 1);
  if (*entry->equation) fprintf(out, "```\n%s\n```\n\n", entry->equation);
  put_params(out, entry->params);
  put_faces(out, ops);
  FW_TRY(put_abilities(ctx, out, ops));
  if (*entry->source) fprintf(out, "Source: %s.\n\n", entry->source);
  return FW_OK;
}

static const char introduction[] =
    "# Friction laws\n\n"
    "v is the slip velocity, u the slip, N ≥ 0 the normal force, T the friction force opposing v. The Stribeck curve "
    "is\n"
    "s(v) = N [μ_c + (μ_s − μ_c) exp(−(|v|/v_s)^δ)]. Parameters that end in `-minus` hold for v < 0. This page is "
    "written\n"
    "from the table of laws; abilities are what a law with its default parameters was found to do, not what it "
    "claims.\n\n"
    "A law has up to three faces. *Rate*: dz/dt = f(z, v, N), T = g(z, dz/dt, v, N), for variable-step integration. "
    "*Step*:\n"
    "from the old state over a slip increment to the new state and T, for fixed steps and harmonic balance; stiff "
    "states are\n"
    "advanced exactly or implicitly. *Limit*: set-valued laws give their limit forces, and the enforcement supplies "
    "the\n"
    "reaction: rigid stick, or elastic stick T = μ_s N z/u_crit. Elastic stick ends at |z| = u_crit, T = μ_s N, and "
    "slides\n"
    "at s(v): a drop where s(v) < μ_s N, an event in time and a switch with its derivative in harmonic balance. With\n"
    "`stick-limit=\"clipped\"` it ends at s(v) without a drop, |z| ≤ u_crit s(v)/(μ_s N), as in commercial "
    "finite-element\n"
    "codes. All derivatives are analytic, those of a formula (`tabulated`) too.\n\n"
    "Opening (N ≤ 0) gives T = 0 and a fresh state; an input that is not a number gives T = NaN and leaves the state. "
    "While\n"
    "stuck, a change of N leaves T unchanged, except that spring-sliders are cut back to their new limit and elastic "
    "stick\n"
    "with u_crit, being proportional to N, follows it. Laws of absolute forces take `n-ref`: force limits scale with "
    "N/n-ref,\n"
    "stiffnesses stay. All laws are passive over a closed cycle at constant N, `lugre` as long as σ_1 |v| ≤ 4 s(v)\n"
    "(`passive=\"yes\"` removes the condition) and `bouc-wen` with β ≥ |γ|, which is asked for. Laws whose stiffness "
    "is\n"
    "proportional to N (`lugre-normalised`, elastic stick, the contact form of `bouc-wen`) are not passive when N "
    "varies.\n\n"
    "Several `<friction>` elements in one pair act in parallel. A law of your own: `examples/plugin-law/`.\n\n";

static fw_status put_laws(fw_context *ctx, FILE *out) {
  fputs(introduction, out);
  fputs("| ability | meaning |\n|---|---|\n", out);
  for (const fw_ability *ability = fw_abilities; ability->name; ability++)
    fprintf(out, "| %s | %s |\n", ability->name, ability->meaning);
  fputc('\n', out);
  for (const fw_entry *const *entry = fw_laws.entries; *entry; entry++)
    FW_TRY(put_law(ctx, out, (const fw_friction_ops *)(const void *)*entry));
  return FW_OK;
}

fw_status fw_laws_text(fw_context *ctx, char **text) {
  size_t size;
  *text = NULL;
  FILE *out = open_memstream(text, &size);
  if (!out) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  fw_status status = put_laws(ctx, out);
  if (fclose(out) != 0 && status == FW_OK) status = fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  if (status != FW_OK) {
    free(*text);
    *text = NULL;
  }
  return status;
}
