/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A frame of a million freedoms: columns and rows of beams joined wherever they cross, pushed at a corner. The deck is
 * read, assembled, factored and solved as any other; the memory is the peak of the whole process. */
#include <stdlib.h>
#include <sys/resource.h>

#include "bench.h"
#include "fretwork.h"

enum { LINES = 578 }; /* of columns; 3 * 578 * 577 freedoms */

static void write_beam(FILE *file, const char *name, int k, int x, int y, int dx, int dy) {
  fprintf(file,
          "<beam id=\"%s%d\" material=\"steel\" section=\"bar\" from=\"%d, %d\" to=\"%d, %d\" divisions=\"%d\">"
          "<point id=\"a\" s=\"0\"/></beam>\n",
          name, k, x, y, x + dx * (LINES - 1), y + dy * (LINES - 1), LINES - 1);
}

static void write_deck(FILE *file) {
  fputs(
      "<fretwork version=\"1\">\n<materials><elastic id=\"steel\" E=\"210e9\" nu=\"0.3\" rho=\"7800\"/></materials>\n"
      "<sections><rectangle id=\"bar\" width=\"0.1\" height=\"0.1\"/></sections>\n<bodies>\n",
      file);
  for (int k = 0; k < LINES; k++) write_beam(file, "column", k, k, 0, 0, 1);
  for (int k = 1; k < LINES; k++) write_beam(file, "row", k, 0, k, 1, 0);
  fputs("<merge bodies=\"", file);
  for (int k = 0; k < LINES; k++) fprintf(file, "column%d ", k);
  for (int k = 1; k < LINES; k++) fprintf(file, "row%d ", k);
  fputs("\"/>\n</bodies>\n<supports>\n", file);
  for (int k = 0; k < LINES; k++)
    fprintf(file, "<support at=\"column%d.a\" x=\"fixed\" y=\"fixed\" rz=\"fixed\"/>\n", k);
  fprintf(file,
          "</supports>\n<loads><force id=\"push\" at=\"row%d.a\" fx=\"1000\"/></loads>\n"
          "<analyses><static id=\"push\" loads=\"push\"/></analyses>\n</fretwork>\n",
          LINES - 1);
}

static double peak_memory(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * (double)usage.ru_maxrss;
}

static fw_status measure(fw_context *ctx, const char *path) {
  fw_deck *deck = NULL;
  fw_results *results = NULL;
  double begin = bench_cpu(), freedoms = 0, factor = 0;
  fw_status status = fw_deck_load(ctx, path, &deck);
  if (status == FW_OK) status = fw_run(ctx, deck, NULL, &results);
  if (status == FW_OK) status = fw_results_number(results, "model.freedoms", &freedoms);
  if (status == FW_OK) status = fw_results_number(results, "analyses.push.statistics.factor_memory", &factor);
  if (status == FW_OK) {
    bench_print("frame", "size", "", freedoms, "freedoms");
    bench_print("frame", "read, assembled, factored, solved", "", bench_cpu() - begin, "s");
    bench_print("frame", "factor", "", 1e-6 * factor, "MB");
    bench_print("frame", "peak of the process", "", 1e-6 * peak_memory(), "MB");
    bench_print("frame", "peak over factor", "", peak_memory() / factor, "1");
  }
  fw_results_destroy(&results);
  fw_deck_destroy(&deck);
  return status;
}

int main(void) {
  static const char path[] = "bench-frame.tmp.xml";
  fw_context *ctx = NULL;
  FILE *file = fopen(path, "w");
  if (!file || fw_context_create(&ctx) != FW_OK) return 1;
  write_deck(file);
  fw_status status = fclose(file) == 0 ? measure(ctx, path) : FW_ERR_IO;
  if (status != FW_OK) fprintf(stderr, "%s\n", fw_context_message(ctx));
  fw_context_destroy(&ctx);
  remove(path);
  return status == FW_OK ? 0 : 1;
}
