/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pipes, devices and folders where a deck names a file are refused at once; numbers no reader can hold and a Matrix
 * Market file without its first line are refused too. */
#include <sys/stat.h>

#include "cmocka_all.h"
#include "input/mesh/import.h"
#include "output/uff58.h"
#include "program.h"
#include "remove_folder.h"
#include "solver/linalg/matrix_market.h"

static fw_context *ctx;

static void write_text(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void check_mesh(const char *name) {
  static program p;
  char deck[1024], wanted[128];
  snprintf(deck, sizeof deck,
           "<fretwork version=\"1\"><materials><elastic id=\"m\" E=\"1e9\" rho=\"1\"/></materials>\n"
           "<bodies><plane id=\"b\" material=\"m\" thickness=\"0.01\">\n<mesh file=\"%s\"/></plane></bodies>\n"
           "<analyses><modal id=\"a\"/></analyses></fretwork>\n",
           name);
  write_text("deck.xml", deck);
  PROGRAM_RUN(&p, "check", "deck.xml");
  snprintf(wanted, sizeof wanted, "deck.xml:3: <mesh>: attribute 'file': %s is not a file", name);
  if (p.code != 2 || !strstr(p.err, wanted)) fail_msg("%s: %d\n%s", name, p.code, p.err);
}

static void pipes_devices_and_folders_are_no_files(void **state) {
  (void)state;
  assert_int_equal(mkfifo("pipe", 0644), 0);
  assert_int_equal(mkdir("folder", 0755), 0);
  check_mesh("pipe");
  check_mesh("/dev/zero");
  check_mesh("folder");
}

static void numbers_beyond_an_int_are_refused(void **state) {
  (void)state;
  static const char gmsh[] =
      "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n1 0 0 0\n1 0 0 0 1 -2147483648\n$EndEntities\n";
  fw_mesh *mesh = NULL;
  fw_context_clear(ctx);
  assert_int_equal(fw_mesh_parse(ctx, "odd.msh", gmsh, sizeof gmsh - 1, &mesh), FW_ERR_DECK);
  assert_non_null(strstr(fw_context_message(ctx), "odd.msh:6: -2147483648 is no tag of a physical group"));
  static const char old[] =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n1 0 0 0\n2 1 0 0\n$EndNodes\n$Elements\n1\n"
      "1 1 2 -2147483648 1 1 2\n$EndElements\n";
  fw_context_clear(ctx);
  assert_int_equal(fw_mesh_parse(ctx, "old.msh", old, sizeof old - 1, &mesh), FW_ERR_DECK);
  assert_non_null(strstr(fw_context_message(ctx), "old.msh:11: -2147483648 is no tag of a physical group"));
  fw_uff58 *functions = NULL;
  int count = 0;
  write_text("odd.uff", "    -1\n01e10\n    -1\n");
  assert_int_not_equal(fw_uff58_read(ctx, "odd.uff", &functions, &count), FW_OK);
}

static void a_matrix_has_its_first_line(void **state) {
  (void)state;
  double *matrix = NULL;
  int rows = 0;
  write_text("k.mtx", "%MatrixMarket matrix array real general\n2 2\n1\n0\n0\n1\n");
  fw_context_clear(ctx);
  assert_int_equal(fw_matrix_market_read(ctx, "k.mtx", 10, &rows, &matrix), FW_ERR_ARGUMENT);
  assert_non_null(strstr(fw_context_message(ctx), "its first line must begin with %%MatrixMarket"));
  write_text("k.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n0\n0\n1\n");
  assert_int_equal(fw_matrix_market_read(ctx, "k.mtx", 10, &rows, &matrix), FW_OK);
  assert_int_equal(rows, 2);
  free(matrix);
}

static void check_matrix(const char *text, const char *message) {
  double *matrix = NULL;
  int rows = 0;
  write_text("k.mtx", text);
  fw_context_clear(ctx);
  assert_int_equal(fw_matrix_market_read(ctx, "k.mtx", 10, &rows, &matrix), FW_ERR_ARGUMENT);
  if (!strstr(fw_context_message(ctx), message)) fail_msg("'%s', not '%s'", fw_context_message(ctx), message);
  assert_null(matrix);
}

/* The library behind the reader returned what is no matrix for a size of -1, and numbers of its own for a pattern. */
static void a_matrix_says_what_it_is(void **state) {
  (void)state;
  check_matrix("%%MatrixMarketnM-o\n1 -1\n1\n", "k.mtx:1: '%%MatrixMarketnM-o': after %%MatrixMarket come matrix,");
  check_matrix("%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n", "real or integer");
  check_matrix("%%MatrixMarket matrix array complex general\n1 1\n1 0\n", "real or integer");
  check_matrix("%%MatrixMarket matrix array real hermitian\n1 1\n1\n", "symmetric or skew-symmetric");
  check_matrix("%%MatrixMarket matrix array real general\n% sizes\n1 -1\n1\n", "k.mtx:3: a square matrix is needed");
  check_matrix("%%MatrixMarket matrix array real general\n-1 -1\n1\n", "k.mtx:2: has -1 rows; from 1 to 10");
  check_matrix("%%MatrixMarket matrix array real general\n11 11\n1\n", "k.mtx:2: has 11 rows; from 1 to 10");
  check_matrix("%%MatrixMarket matrix coordinate real general\n2 2\n1 1 3\n",
               "k.mtx:2: rows and columns and the number");
  check_matrix("%%MatrixMarket matrix coordinate real general\n2 2 -1\n", "k.mtx:2: rows and columns and the number");
  check_matrix("%%MatrixMarket matrix coordinate real general\n2 2 5\n", "k.mtx:2: 5 entries of a matrix of 4");
  check_matrix("%%MatrixMarket matrix array real general\n\n", "the line with its sizes is missing");
  check_matrix("%%MatrixMarket matrix array real general\n2 2\n1\nx\n", "its entries do not fit its first lines");
  check_matrix("%%MatrixMarket matrix array real general\n1 1\n1e999\n", "entry (1, 1) is not finite");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pipes_devices_and_folders_are_no_files), cmocka_unit_test(numbers_beyond_an_int_are_refused),
      cmocka_unit_test(a_matrix_has_its_first_line), cmocka_unit_test(a_matrix_says_what_it_is)};
  remove_folder("odd_files.tmp");
  mkdir("odd_files.tmp", 0755);
  if (chdir("odd_files.tmp") != 0 || fw_context_create(&ctx) != FW_OK) return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  fw_context_destroy(&ctx);
  return failed;
}
