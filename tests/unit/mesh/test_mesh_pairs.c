/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every plane element on a mesh of every shape, loaded on a set of edges: it either stretches by F L/(E A) or is
 * refused with its place, and what refers to a refused body adds no further message. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "fretwork.h"

static const char *const elements[] = {"tri3", "tri6", "quad4", "quad4r", "quad4i", "quad8", "quad8r"};

/* A unit square with the sets left and right; nodes 1..9 row by row, half a metre apart. */
typedef struct shape {
  const char *name;
  const char *edges, *faces; /* as Gmsh 2.2 writes them */
  int face_count;
} shape;

static const shape shapes[] = {
    {"tri3", "1 1 2 1 1 7 1\n2 1 2 2 2 3 9\n", "3 2 2 9 9 1 3 9\n4 2 2 9 9 1 9 7\n", 2},
    {"quad4", "1 1 2 1 1 7 1\n2 1 2 2 2 3 9\n", "3 3 2 9 9 1 3 9 7\n", 1},
    {"tri6", "1 8 2 1 1 7 1 4\n2 8 2 2 2 3 9 6\n", "3 9 2 9 9 1 3 9 2 6 5\n4 9 2 9 9 1 9 7 5 8 4\n", 2},
    {"quad8", "1 8 2 1 1 7 1 4\n2 8 2 2 2 3 9 6\n", "3 16 2 9 9 1 3 9 7 2 6 8 4\n", 1},
};

/* Rows as `elements`, columns as `shapes`: a mesh without middles is split and given middles as the element wants. */
static const bool fits[7][4] = {
    {true, true, false, false}, {true, true, true, false}, {true, true, false, false}, {true, true, false, false},
    {true, true, false, false}, {true, true, true, true},  {true, true, true, true},
};

static void write_mesh(const shape *self) {
  FILE *file = fopen("pairs.tmp.msh", "w");
  assert_non_null(file);
  fputs(
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n1 1 \"left\"\n1 2 \"right\"\n2 9 \"inside\"\n"
      "$EndPhysicalNames\n$Nodes\n9\n",
      file);
  for (int n = 0; n < 9; n++) fprintf(file, "%d %g %g 0\n", n + 1, 0.5 * (n % 3), 0.5 * (n / 3));
  fprintf(file, "$EndNodes\n$Elements\n%d\n%s%s$EndElements\n", 2 + self->face_count, self->edges, self->faces);
  fclose(file);
}

static void write_deck(const char *element) {
  FILE *file = fopen("pairs.tmp.xml", "w");
  assert_non_null(file);
  fprintf(
      file,
      "<fretwork version=\"1\">\n<materials><elastic id=\"m\" E=\"1e9\" nu=\"0\" rho=\"1000\"/></materials>\n<bodies>\n"
      "<plane id=\"b\" material=\"m\" thickness=\"0.01\" element=\"%s\">\n"
      "<mesh file=\"pairs.tmp.msh\"/><point id=\"corner\" at=\"1, 1\"/><point id=\"within\" at=\"0.3, 0.4\"/></plane>\n"
      "<mass id=\"knob\" at=\"b.corner\" m=\"1\"/></bodies>\n"
      "<supports><support at=\"b.left\" x=\"fixed\" y=\"fixed\"/></supports>\n"
      "<contact><surface id=\"face\"><edges body=\"b\" set=\"b.right\"/></surface></contact>\n"
      "<loads><force id=\"pull\" at=\"b.right\" fx=\"1000\"/><force id=\"none\" at=\"b.within\" fy=\"1\"/></loads>\n"
      "<sensors><sensor id=\"u\" at=\"b.corner\" quantity=\"displacement\" direction=\"x\"/></sensors>\n"
      "<analyses><static id=\"st\" loads=\"pull\"/></analyses>\n</fretwork>\n",
      element);
  fclose(file);
}

static double stretch(fw_context *ctx, const fw_deck *deck) {
  fw_results *results = NULL;
  double u = NAN;
  if (fw_run(ctx, deck, NULL, &results) != FW_OK) print_error("%s\n", fw_context_message(ctx));
  fw_results_number(results, "analyses.st.sensors.u", &u);
  fw_results_destroy(&results);
  return u;
}

static bool holds(fw_context *ctx, const char *element, const char *mesh, bool fit) {
  fw_deck *deck = NULL;
  fw_context_clear(ctx);
  fw_status status = fw_deck_load(ctx, "pairs.tmp.xml", &deck);
  if (status == FW_OK) status = fw_deck_check(ctx, deck);
  char wanted[128];
  snprintf(wanted, sizeof wanted, "pairs.tmp.xml:4: <plane>: attribute 'element': '%s' does not fit the mesh", element);
  const char *message = fw_context_message(ctx);
  bool one_line = strchr(message, '\n') == NULL;
  bool good = fit ? status == FW_OK && fabs(stretch(ctx, deck) - 1e-4) < 1e-13
                  : status == FW_ERR_DECK && strncmp(message, wanted, strlen(wanted)) == 0 && one_line;
  if (!good) print_error("%s on %s: status %d\n%s\n", element, mesh, status, fw_context_message(ctx));
  fw_deck_destroy(&deck);
  return good;
}

static void every_element_on_every_mesh(void **state) {
  (void)state;
  fw_context *ctx;
  int wrong = 0;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  for (int m = 0; m < 4; m++)
    for (int e = 0; e < 7; e++) {
      write_mesh(&shapes[m]);
      write_deck(elements[e]);
      wrong += !holds(ctx, elements[e], shapes[m].name, fits[e][m]);
    }
  fw_context_destroy(&ctx);
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_element_on_every_mesh)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
