/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rig's strip as a plane cantilever: assembly of the tangent of a whole mesh, ten modes of 198,000 freedoms, and
 * the first frequency in plane stress and plane strain. benchmarks/calculix/strip does the same in CalculiX. */
#include <stdlib.h>

#include "bench.h"
#include "input/deck.h"
#include "solver/assembly/system.h"

static const char path[] = "bench-plane.tmp.xml";

static fw_status write_deck(const char *element, const char *kinematics, const char *state, int along, int through,
                            int modes) {
  FILE *file = fopen(path, "w");
  if (!file) return FW_ERR_IO;
  fprintf(
      file,
      "<fretwork version=\"1\"><materials><elastic id=\"steel\" E=\"210e9\" nu=\"0.3\" rho=\"7800\"/></materials>\n"
      "<bodies><plane id=\"strip\" element=\"%s\" kinematics=\"%s\" state=\"%s\" material=\"steel\" "
      "thickness=\"0.03888\"><rectangle from=\"0, 0\" to=\"0.606, 4.76e-3\" divisions=\"%d, %d\"/></plane></bodies>\n"
      "<supports><support at=\"strip.left\" x=\"fixed\" y=\"fixed\"/></supports>\n"
      "<analyses><modal id=\"modes\" modes=\"%d\"/></analyses></fretwork>\n",
      element, kinematics, state, along, through, modes);
  return fclose(file) == 0 ? FW_OK : FW_ERR_IO;
}

/* ---- assembly ---------------------------------------------------------------------------- */

typedef struct assembly {
  fw_context *ctx;
  fw_system *system;
  double *q, *f;
} assembly;

static void assemble(void *user) {
  assembly *a = user;
  (void)fw_system_force(a->ctx, a->system, a->q, NULL, 0.0, a->f, true);
}

static fw_status assembly_rate(fw_context *ctx, const char *element, const char *kinematics) {
  enum { ALONG = 600, THROUGH = 32 };
  fw_status status = FW_OK;
  fw_deck *deck = NULL;
  fw_built *built = NULL;
  assembly a = {.ctx = ctx};
  FW_TRY_DONE(write_deck(element, kinematics, "plane-stress", ALONG, THROUGH, 1));
  FW_TRY_DONE(fw_deck_load(ctx, path, &deck));
  FW_TRY_DONE(fw_deck_build(ctx, deck, &built));
  FW_TRY_DONE(fw_system_create(ctx, built->model, &a.system));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)a.system->size, sizeof *a.q, &a.q));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)a.system->size, sizeof *a.f, &a.f));
  for (int64_t i = 0; i < a.system->size; i++) a.q[i] = 1e-8 * (double)(i % 5 - 2);
  bench_print("assembly", element, kinematics, ALONG * THROUGH / bench_seconds(assemble, &a), "elements/s");
done:
  free(a.q);
  free(a.f);
  fw_system_destroy(&a.system);
  fw_built_destroy(&built);
  fw_deck_destroy(&deck);
  return status;
}

/* ---- modes ------------------------------------------------------------------------------- */

static fw_status first_frequency(fw_context *ctx, double *hertz) {
  fw_deck *deck = NULL;
  fw_results *results = NULL;
  fw_status status = fw_deck_load(ctx, path, &deck);
  if (status == FW_OK) status = fw_run(ctx, deck, NULL, &results);
  if (status == FW_OK) status = fw_results_number(results, "analyses.modes.modes[0].frequency", hertz);
  fw_results_destroy(&results);
  fw_deck_destroy(&deck);
  return status;
}

static fw_status modes(fw_context *ctx) {
  static const char *const states[] = {"plane-stress", "plane-strain"};
  double hertz;
  FW_TRY(write_deck("quad4i", "linear", states[0], 3000, 32, 10));
  double begin = bench_cpu();
  FW_TRY(first_frequency(ctx, &hertz));
  bench_print("strip", "ten modes, 198000 freedoms", "", bench_cpu() - begin, "s");
  for (int s = 0; s < 2; s++) {
    FW_TRY(write_deck("quad4i", "linear", states[s], 240, 4, 1));
    FW_TRY(first_frequency(ctx, &hertz));
    bench_print("strip", "first frequency quad4i", states[s], hertz, "Hz");
  }
  return FW_OK;
}

int main(void) {
  fw_context *ctx = NULL;
  fw_status status = fw_context_create(&ctx);
  if (status == FW_OK) status = assembly_rate(ctx, "quad4", "linear");
  if (status == FW_OK) status = assembly_rate(ctx, "quad4i", "linear");
  if (status == FW_OK) status = assembly_rate(ctx, "quad4", "total-lagrangian");
  if (status == FW_OK) status = assembly_rate(ctx, "quad4i", "total-lagrangian");
  if (status == FW_OK) status = modes(ctx);
  if (status != FW_OK) fprintf(stderr, "%s\n", fw_context_message(ctx));
  fw_context_destroy(&ctx);
  remove(path);
  return status == FW_OK ? 0 : 1;
}
