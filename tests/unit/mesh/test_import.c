/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gmsh .msh in its four forms, Abaqus .inp and VTK .vtu, from files kept with the tests and, where Gmsh is
 * installed, fresh from it; truncated and damaged files. */
#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/mesh/import.h"
#include "output/vtk.h"

#define DATA FW_SOURCE_DIR "/tests/data/mesh/"

static int begin(void **state) { return fw_context_create((fw_context **)state); }
static int end(void **state) {
  fw_context_destroy((fw_context **)state);
  return 0;
}

static double area(const fw_mesh *mesh, const fw_mesh_set *set) {
  double sum = 0;
  for (int i = 0; i < set->count; i++) {
    const fw_mesh_element *e = mesh->elements + set->items[i];
    const fw_rule *rule = fw_shape_corners(e->shape) == 3 ? &fw_rule_tri6 : &fw_rule_quad9;
    double X[16], d[8][2] = {{0}}, J[2][2];
    fw_mesh_places(mesh, set->items[i], X);
    for (int p = 0; p < rule->count; p++) {
      fw_shape_gradients(e->shape, rule->point[p], d);
      sum += rule->point[p][2] * fw_shape_jacobian(fw_shape_nodes(e->shape), X, d, J);
    }
  }
  return sum;
}

/* What plate.geo says, whatever the version and the degree. */
static void check_plate(fw_context *ctx, const char *path, bool quadratic) {
  fw_mesh *mesh = NULL;
  const fw_status status = fw_mesh_read(ctx, path, &mesh);
  if (status != FW_OK) print_error("%s\n", fw_context_message(ctx));
  assert_int_equal(status, FW_OK);
  const fw_mesh_set *block = fw_mesh_set_find(mesh, "block", FW_SET_ELEMENTS);
  const fw_mesh_set *all = fw_mesh_set_find(mesh, "all parts", FW_SET_ELEMENTS);
  const fw_mesh_set *clamp = fw_mesh_set_find(mesh, "clamp", FW_SET_EDGES);
  const fw_mesh_set *tip = fw_mesh_set_find(mesh, "tip", FW_SET_NODES);
  assert_true(block != NULL && all != NULL && clamp != NULL && tip != NULL);
  assert_int_equal(block->count, 6);
  assert_int_equal(all->count, mesh->element_count);
  assert_near(area(mesh, block), 2, 1e-10);
  const double corner = 0.25 * (1 - M_PI / 4); /* cut off by the circle, or a little more */
  const double missing = 3 - area(mesh, all);
  assert_true(missing > corner * (1 - 1e-2) && missing < corner * (quadratic ? 1.01 : 1.5));
  assert_int_equal(clamp->count, 2);
  assert_int_equal(tip->count, 1);
  assert_near(mesh->x[tip->items[0]][0], 3, 1e-12);
  assert_near(mesh->x[tip->items[0]][1], 0.5, 1e-12);
  int *nodes, count;
  assert_int_equal(fw_mesh_nodes(ctx, mesh, "clamp", &nodes, &count), FW_OK);
  assert_int_equal(count, quadratic ? 5 : 3);
  for (int i = 0; i < count; i++) assert_near(mesh->x[nodes[i]][0], 0, 1e-12);
  free(nodes);
  assert_int_equal(fw_mesh_nodes(ctx, mesh, "round", &nodes, &count), FW_OK);
  for (int i = 0; i < count; i++) assert_near(hypot(mesh->x[nodes[i]][0] - 2.5, mesh->x[nodes[i]][1] - 0.5), 0.5, 1e-9);
  free(nodes);
  fw_mesh_destroy(&mesh);
}

static void reads_the_kept_gmsh_files(void **state) {
  check_plate(*state, DATA "plate-22.msh", false);
  check_plate(*state, DATA "plate-22-binary.msh", false);
  check_plate(*state, DATA "plate-41.msh", false);
  check_plate(*state, DATA "plate-41-binary.msh", false);
}

/* ---- numbers as other machines keep them -------------------------------------------------- */

typedef struct bytes {
  char data[2048];
  size_t size;
  bool reversed;
} bytes;

static void put(bytes *b, const void *value, size_t size) {
  const char *from = value;
  assert_true(b->size + size <= sizeof b->data);
  for (size_t i = 0; i < size; i++) b->data[b->size++] = from[b->reversed ? size - 1 - i : i];
}

static void put_ints(bytes *b, int count, const int *values) {
  for (int i = 0; i < count; i++) put(b, &values[i], sizeof *values);
}

static void put_text(bytes *b, const char *text) {
  for (; *text; text++) put(b, text, 1);
}

/* A rectangle of 2 by 1 as two triangles, binary, with the numbers of this machine or reversed; `mark` stands where 1 belongs. */
static bytes two_triangles(bool reversed, int mark) {
  static const double x[4][3] = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {0, 1, 0}};
  bytes b = {.reversed = reversed};
  put_text(&b, "$MeshFormat\n2.2 1 8\n");
  put_ints(&b, 1, &mark);
  put_text(&b, "\n$EndMeshFormat\n$Nodes\n4\n");
  for (int i = 0; i < 4; i++) {
    put_ints(&b, 1, (const int[]){i + 1});
    for (int k = 0; k < 3; k++) put(&b, &x[i][k], sizeof x[i][k]);
  }
  put_text(&b, "\n$EndNodes\n$Elements\n2\n");
  put_ints(&b, 11, (const int[]){2, 2, 0, 1, 1, 2, 3, 2, 1, 3, 4}); /* type, how many, tags; label and nodes of each */
  put_text(&b, "\n$EndElements\n");
  return b;
}

static void reads_either_order_of_bytes(void **state) {
  fw_context *ctx = *state;
  fw_mesh *mesh = NULL;
  for (int reversed = 0; reversed < 2; reversed++) {
    const bytes b = two_triangles(reversed, 1);
    assert_int_equal(fw_mesh_parse(ctx, "order", b.data, b.size, &mesh), FW_OK);
    assert_int_equal(mesh->node_count, 4);
    assert_int_equal(mesh->element_count, 2);
    assert_near(mesh->x[2][0], 2, 0);
    assert_near(mesh->x[2][1], 1, 0);
    const fw_mesh_set all = {.count = 2, .items = (int[]){0, 1}};
    assert_near(area(mesh, &all), 2, 1e-15);
    fw_mesh_destroy(&mesh);
  }
  const bytes odd = two_triangles(false, 256);
  assert_int_equal(fw_mesh_parse(ctx, "order", odd.data, odd.size, &mesh), FW_ERR_DECK);
  assert_non_null(strstr(fw_context_message(ctx), "the byte order cannot be told"));
}

static void reads_what_gmsh_writes(void **state) {
  if (system("gmsh --version >/dev/null 2>&1") != 0) {
    print_message("gmsh is not installed: only the kept files were read\n");
    skip();
  }
  char folder[] = "gmsh-XXXXXX";
  assert_non_null(mkdtemp(folder));
  for (int k = 0; k < 8; k++) {
    char command[600], path[64];
    const bool binary = k & 1, quadratic = k & 4;
    snprintf(path, sizeof path, "%s/plate.msh", folder);
    snprintf(command, sizeof command, "gmsh -2 -order %d -format %s %s -o %s %s >/dev/null 2>&1", quadratic ? 2 : 1,
             k & 2 ? "msh41" : "msh22", binary ? "-bin" : "", path, DATA "plate.geo");
    assert_int_equal(system(command), 0);
    check_plate(*state, path, quadratic);
    unlink(path);
  }
  rmdir(folder);
}

static void reads_abaqus(void **state) {
  fw_context *ctx = *state;
  fw_mesh *mesh = NULL;
  assert_int_equal(fw_mesh_read(ctx, DATA "plate.inp", &mesh), FW_OK);
  assert_int_equal(mesh->node_count, 7);
  assert_int_equal(mesh->element_count, 3);
  assert_int_equal(mesh->elements[1].label, 12);
  assert_int_equal(mesh->elements[2].shape, FW_SHAPE_TRI3);
  assert_near(area(mesh, fw_mesh_set_find(mesh, "Block", FW_SET_ELEMENTS)), 2, 1e-15);
  assert_near(area(mesh, fw_mesh_set_find(mesh, "round end", FW_SET_ELEMENTS)), 0.5, 1e-15); /* given clockwise */
  assert_int_equal(fw_mesh_set_find(mesh, "everything", FW_SET_NODES)->count, 7);
  assert_int_equal(fw_mesh_set_find(mesh, "Clamp", FW_SET_NODES)->count, 2);
  assert_int_equal(fw_mesh_set_find(mesh, "corners", FW_SET_NODES)->count, 4);
  assert_int_equal(fw_mesh_set_find(mesh, "pair", FW_SET_ELEMENTS)->count, 2);
  int *nodes, count;
  assert_int_equal(fw_mesh_nodes(ctx, mesh, "top", &nodes, &count), FW_OK);
  assert_int_equal(count, 3);
  for (int i = 0; i < count; i++) assert_near(mesh->x[nodes[i]][1], 1, 0);
  free(nodes);
  assert_int_equal(fw_mesh_nodes(ctx, mesh, "tip", &nodes, &count), FW_OK); /* S2 as given: nodes 6 and 7 */
  assert_int_equal(count, 2);
  assert_int_equal(mesh->labels[nodes[0]] + mesh->labels[nodes[1]], 13);
  free(nodes);
  fw_mesh_destroy(&mesh);
}

/* A square of 2 by 2 as a quad8, a tri6 beside it whose sides are straight, and its set of elements asked for its nodes. */
static void reads_quadratic_abaqus(void **state) {
  static const char text[] =
      "*NODE\n1,0,0\n2,2,0\n3,2,2\n4,0,2\n5,1,0\n6,2,1\n7,1,2\n8,0,1\n9,4,0\n10,3,0\n11,3,1\n"
      "*ELEMENT,TYPE=CPE8R,ELSET=block\n1,1,2,3,4,5,6,7,8\n*ELEMENT,TYPE=CPE6,ELSET=wedge\n2,2,9,3,10,11,6\n";
  fw_context *ctx = *state;
  fw_mesh *mesh = NULL;
  int *nodes, count;
  assert_int_equal(fw_mesh_parse(ctx, "quadratic.inp", text, strlen(text), &mesh), FW_OK);
  assert_int_equal(mesh->elements[0].shape, FW_SHAPE_QUAD8);
  assert_int_equal(mesh->elements[1].shape, FW_SHAPE_TRI6);
  assert_near(area(mesh, fw_mesh_set_find(mesh, "block", FW_SET_ELEMENTS)), 4, 1e-14);
  assert_near(area(mesh, fw_mesh_set_find(mesh, "wedge", FW_SET_ELEMENTS)), 2, 1e-14);
  assert_int_equal(fw_mesh_nodes(ctx, mesh, "wedge", &nodes, &count), FW_OK);
  assert_int_equal(count, 6);
  for (int i = 0; i < count; i++) assert_true(mesh->x[nodes[i]][0] >= 2.0);
  free(nodes);
  fw_mesh_destroy(&mesh);
}

static void check_vtu(fw_context *ctx, const char *path) {
  fw_mesh *mesh = NULL;
  const fw_status status = fw_mesh_read(ctx, path, &mesh);
  if (status != FW_OK) print_error("%s\n", fw_context_message(ctx));
  assert_int_equal(status, FW_OK);
  assert_int_equal(mesh->node_count, 7);
  assert_int_equal(mesh->element_count, 3);
  assert_int_equal(mesh->elements[1].shape, FW_SHAPE_QUAD4); /* a pixel: numbered row by row */
  assert_near(area(mesh, fw_mesh_set_find(mesh, "mesh-part-1", FW_SET_ELEMENTS)), 2, 1e-15);
  assert_near(area(mesh, fw_mesh_set_find(mesh, "mesh-part-2", FW_SET_ELEMENTS)), 0.5, 1e-15);
  assert_int_equal(fw_mesh_set_find(mesh, "mesh-part-2", FW_SET_EDGES)->count, 1);
  assert_int_equal(fw_mesh_set_find(mesh, "mesh-part-7", FW_SET_EDGES)->count, 2);
  assert_int_equal(fw_mesh_set_find(mesh, "mesh-part-8", FW_SET_NODES)->items[0], 6);
  assert_int_equal(fw_mesh_set_find(mesh, "held-1", FW_SET_NODES)->count, 2);
  assert_int_equal(fw_mesh_set_find(mesh, "held-0", FW_SET_NODES)->count, 5);
  for (int s = 0; s < mesh->set_count; s++) assert_null(strstr(mesh->sets[s].name, "temperature")); /* no parts */
  int *nodes, count;
  assert_int_equal(fw_mesh_nodes(ctx, mesh, "mesh-part-7", &nodes, &count), FW_OK);
  assert_int_equal(count, 3);
  free(nodes);
  fw_mesh_destroy(&mesh);
}

/* The same plate in every encoding VTK writes: text, base64 and raw, appended or not, both orders of bytes, headers of
 * four and eight bytes, each compressor, one block or several. */
static void reads_vtu(void **state) {
  static const char *const encodings[] = {
      "", "-binary", "-binary-zlib", "-appended-base64-lz4", "-appended-raw", "-appended-raw-lzma"};
  for (size_t k = 0; k < sizeof encodings / sizeof *encodings; k++) {
    char path[400];
    snprintf(path, sizeof path, "%splate%s.vtu", DATA, encodings[k]);
    check_vtu(*state, path);
  }
}

/* Binary, compressed, quadratic: a tri6 on a quad8, as fretwork's own results are written. */
static void reads_what_fretwork_writes(void **state) {
  fw_context *ctx = *state;
  double x[] = {0, 0, 0, 2, 0, 0,   2, 1, 0,   0, 1,   0,    1, 0,   0,    2, 0.5,
                0, 1, 1, 0, 0, 0.5, 0, 3, 0.5, 0, 2.5, 0.25, 0, 2.5, 0.75, 0};
  int64_t link[] = {0, 1, 2, 3, 4, 5, 6, 7, 1, 8, 2, 9, 10, 5}, starts[] = {0, 8, 14};
  unsigned char types[] = {FW_CELL_QUAD8, FW_CELL_TRI6};
  double body[] = {0, 1};
  const fw_grid grid = {
      .points = 11, .cells = 2, .links = 14, .x = x, .link = link, .starts = starts, .types = types, .body = body};
  assert_int_equal(fw_vtk_write_grid(ctx, &grid, "round-trip.vtu"), FW_OK);
  fw_mesh *mesh = NULL;
  assert_int_equal(fw_mesh_read(ctx, "round-trip.vtu", &mesh), FW_OK);
  assert_int_equal(mesh->node_count, 11);
  assert_near(area(mesh, fw_mesh_set_find(mesh, "body-0", FW_SET_ELEMENTS)), 2, 1e-14);
  assert_near(area(mesh, fw_mesh_set_find(mesh, "body-1", FW_SET_ELEMENTS)), 0.5, 1e-14);
  fw_mesh_destroy(&mesh);
  unlink("round-trip.vtu");
}

static void check_refused(fw_context *ctx, const char *text, const char *message) {
  fw_mesh *mesh = NULL;
  fw_context_clear(ctx);
  assert_int_equal(fw_mesh_parse(ctx, "case", text, strlen(text), &mesh), FW_ERR_DECK);
  assert_null(mesh);
  if (strstr(fw_context_message(ctx), message) == NULL) print_error("%s\n", fw_context_message(ctx));
  assert_non_null(strstr(fw_context_message(ctx), message));
}

#define NODES22 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n"
#define NODES "*NODE\n1,0,0\n2,1,0\n3,1,1\n4,0,1\n"

#define NUMBERS(type, name, text) "<DataArray type='" type "' Name='" name "' format='ascii'>" text "</DataArray>"
#define VTU_FILE(attributes, content) \
  "<VTKFile type='UnstructuredGrid' " attributes "><UnstructuredGrid>" content "</UnstructuredGrid></VTKFile>"
#define VTU_PIECE(points, cells, content) \
  "<Piece NumberOfPoints='" points "' NumberOfCells='" cells "'>" content "</Piece>"
#define VTU_POINTS(text) \
  "<Points><DataArray type='Float64' NumberOfComponents='3' format='ascii'>" text "</DataArray></Points>"
#define VTU_CELLS(link, offsets, types)                                                 \
  "<Cells>" NUMBERS("Int64", "connectivity", link) NUMBERS("Int64", "offsets", offsets) \
      NUMBERS("UInt8", "types", types) "</Cells>"
#define VTU(points, link, offsets, types) \
  VTU_FILE("", VTU_PIECE("3", "1", VTU_POINTS(points) VTU_CELLS(link, offsets, types)))
#define VTU_TRIANGLE VTU_POINTS("0 0 0 1 0 0 1 1 0") VTU_CELLS("0 1 2", "3", "5")
#define VTU_CODED(attributes, format, text)                                                               \
  "<VTKFile type='UnstructuredGrid' " attributes                                                          \
  "><UnstructuredGrid><Piece NumberOfPoints='3' NumberOfCells='1'>"                                       \
  "<CellData><DataArray type='UInt8' Name='part' " format ">" text "</DataArray></CellData>" VTU_TRIANGLE \
  "</Piece></UnstructuredGrid>"
#define VTU_WITH(attributes, format, text) VTU_CODED(attributes, format, text) "</VTKFile>"
#define ZLIB "compressor='vtkZLibDataCompressor'"

static void wrong_files_are_refused_with_their_place(void **state) {
  fw_context *ctx = *state;
  check_refused(ctx, "", "neither a Gmsh");
  check_refused(ctx, "<mesh/>", "neither a Gmsh");
  check_refused(ctx, "$MeshFormat\n3.0 0 8\n$EndMeshFormat\n", "case:2");
  check_refused(ctx, "$MeshFormat\n4.1 0 4\n$EndMeshFormat\n", "numbers of 4 bytes");
  check_refused(ctx, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n", "no plane elements");
  check_refused(ctx, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n1 0 x 0\n", "case:6: 'x'");
  check_refused(ctx, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n1 0 nan 0\n", "not finite");
  check_refused(ctx, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2000000000\n1 0 0 0\n", "ends where a number");
  check_refused(ctx, NODES22 "$Elements\n1\n1 3 0 1 2 3 9\n$EndElements\n", "element 1: there is no node 9");
  check_refused(ctx, NODES22 "$Elements\n1\n7 3 0 1 3 2 4\n$EndElements\n", "elements cannot be used: 7");
  check_refused(ctx, NODES22 "$Elements\n1\n7 3 0 1 2 3 3\n$EndElements\n", "named twice");
  check_refused(ctx, NODES22 "$Elements\n1\n1 10 0 1 2 3 4\n$EndElements\n", "SecondOrderIncomplete");
  check_refused(ctx, NODES22 "$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n", "element type 4");
  check_refused(ctx, NODES22 "$Elements\n1\n1 3 0 1 2 3 4\n", "before $EndElements");
  check_refused(ctx, "*NODE\n1,0,0\n1,1,0\n2,1,1\n*ELEMENT,TYPE=CPS3\n1,1,1,2\n", "case: node 1 is defined twice");
  check_refused(ctx, "*NODE\n1,0,0,0\n2,1,0,1\n", "case:3: node 2 has z = 1");
  check_refused(ctx, NODES "*ELEMENT,TYPE=C3D8\n1,1,2,3,4\n", "case:6: element type C3D8");
  check_refused(ctx, NODES "*ELEMENT,TYPE=CPS4\n1,1,2,3\n*NSET,NSET=A\n", "element 1 has too few nodes");
  check_refused(ctx, NODES "*ELEMENT,TYPE=CPS4\n1,1,2,3,4,1\n", "too many nodes");
  check_refused(ctx, NODES "*ELEMENT,TYPE=CPS4\n1,1,2,3", "ends within element 1");
  check_refused(ctx, NODES "*NSET,NSET=A\nB\n", "case:7: there is no set 'B'");
  check_refused(ctx, NODES "*NSET,NSET=A,GENERATE\n1,2000000000,1\n", "the range");
  check_refused(ctx, NODES "*NSET,NSET=A\n5\n", "set 'A': there is no node 5");
  check_refused(ctx, NODES "*NSET\n1\n", "without name");
  check_refused(ctx, NODES "*INCLUDE, INPUT=more.inp\n", "*INCLUDE is not read");
  check_refused(ctx, NODES "*ELEMENT,TYPE=CPS3\n1,1,2,3\n*SURFACE,NAME=S\n1,S4\n", "element 1 has no face S4");
  check_refused(ctx, "<?xml version=\"1.0\"?><fretwork/>", "case:1: <fretwork>: not a <VTKFile>");
  check_refused(ctx, VTU("0 0 0 1 0 0 1 1 0", "0 1 2", "3", "10"), "cell 1 of type 10 with 3 points");
  check_refused(ctx, VTU("0 0 0 1 0 0 1 1 0", "0 1 2", "3", "9"), "cell 1 of type 9 with 3 points");
  check_refused(ctx, VTU("0 0 0 1 0 0 1 1 1", "0 1 2", "3", "5"), "node 3 has z = 1");
  check_refused(ctx, VTU("0 0 0 1 0 0 2 0 0", "0 1 2", "3", "5"), "elements cannot be used: 1");
  fw_mesh *mesh = NULL;
  assert_int_equal(fw_mesh_read(ctx, "no-such-file.msh", &mesh), FW_ERR_IO);
  assert_null(mesh);
}

/* Two pieces: points and cells of the second behind those of the first. */
static void reads_pieces_of_vtu(void **state) {
  static const char two[] =
      VTU_FILE("", VTU_PIECE("3", "1", VTU_TRIANGLE "<CellData>" NUMBERS("Int8", "part", "1") "</CellData>") VTU_PIECE(
                       "4", "1",
                       VTU_POINTS("5 0 0 7 0 0 7 1 0 5 1 0")
                           VTU_CELLS("0 1 2 3", "4", "9") "<CellData>" NUMBERS("Int8", "part", "2") "</CellData>"));
  fw_context *ctx = *state;
  fw_mesh *mesh = NULL;
  assert_int_equal(fw_mesh_parse(ctx, "two", two, strlen(two), &mesh), FW_OK);
  assert_int_equal(mesh->node_count, 7);
  assert_near(area(mesh, fw_mesh_set_find(mesh, "part-1", FW_SET_ELEMENTS)), 0.5, 1e-15);
  assert_near(area(mesh, fw_mesh_set_find(mesh, "part-2", FW_SET_ELEMENTS)), 2, 1e-15);
  fw_mesh_destroy(&mesh);
}

/* Whatever a .vtu announces and does not hold. VTK's own reader crashes at the first, and at sizes of blocks. */
static void vtu_that_announces_something_else_is_refused(void **state) {
  static const char good[] = VTU_WITH("", "format='binary'", "AQAAAAc=");
  fw_context *ctx = *state;
  fw_mesh *mesh = NULL;
  assert_int_equal(fw_mesh_parse(ctx, "good", good, strlen(good), &mesh), FW_OK); /* one byte: 7 */
  assert_int_equal(fw_mesh_set_find(mesh, "part-7", FW_SET_ELEMENTS)->count, 1);
  fw_mesh_destroy(&mesh);

  check_refused(ctx, VTU_WITH("", "format='ascii'", ""), "array 'part' holds fewer numbers than are announced");
  check_refused(ctx, VTU_WITH("", "format='ascii'", "1 2"), "holds more numbers than are announced");
  check_refused(ctx, VTU_WITH("", "format='ascii'", "1x"), "not a number");
  check_refused(ctx, VTU_WITH("", "format='other'", "1"), "a format other than");
  check_refused(ctx, VTU("0 0 0 1 0 0 1 1 0", "0 1 9", "3", "5"), "array 'connectivity': number 3 is 9");
  check_refused(ctx, VTU("0 0 0 1 0 0 1 1 0", "0 1 -1", "3", "5"), "array 'connectivity': number 3 is -1");
  check_refused(ctx, VTU("0 0 0 1 0 0 1 1 0", "0 1 0.5", "3", "5"), "not a whole number");
  check_refused(ctx, VTU("0 0 0 1 0 0 1 1 0", "0 1 2", "4", "5"), "array 'connectivity' holds fewer");
  check_refused(ctx, VTU("0 0 0 1 0 0 1 1 0", "0 1 2", "-3", "5"), "array 'offsets': number 1 is -3");
  check_refused(ctx, VTU("0 0 0 1 0 0 1 1 0", "0 1 2", "3", "256"), "array 'types': number 1 is 256");
  check_refused(ctx, VTU("0 0 0 1 0 0 1 1", "0 1 2", "3", "5"), "case:1: <DataArray>: array '' holds fewer");
  check_refused(ctx,
                VTU_FILE("", VTU_PIECE("3", "2", VTU_POINTS("0 0 0 1 0 0 1 1 0") VTU_CELLS("0 1 2", "3 2", "5 5"))),
                "cell 2 ends before it begins");
  check_refused(ctx, VTU_FILE("", VTU_PIECE("2000000000", "1", VTU_TRIANGLE)), "array '' holds fewer");
  check_refused(ctx, VTU_FILE("", VTU_PIECE("-3", "1", VTU_TRIANGLE)), "attribute 'NumberOfPoints'");
  check_refused(ctx, VTU_FILE("", VTU_PIECE("3", "1e3", VTU_TRIANGLE)), "attribute 'NumberOfCells'");
  check_refused(ctx, VTU_FILE("", VTU_PIECE("3", "1", VTU_POINTS(""))), "<Piece> has no <Cells>");
  check_refused(ctx, VTU_FILE("", VTU_PIECE("3", "1", VTU_TRIANGLE VTU_TRIANGLE)), "more than one <Cells>");
  check_refused(ctx,
                VTU_FILE("", VTU_PIECE("3", "1", VTU_TRIANGLE) VTU_PIECE(
                                 "3", "1", VTU_TRIANGLE "<CellData>" NUMBERS("Int8", "part", "1") "</CellData>")),
                "other arrays in <CellData>");
  check_refused(ctx, VTU_FILE("", ""), "has no <Piece>");
  check_refused(ctx, VTU_FILE("byte_order='Middle'", VTU_PIECE("3", "1", VTU_TRIANGLE)), "'byte_order'");
  check_refused(ctx, VTU_FILE("header_type='Int8'", VTU_PIECE("3", "1", VTU_TRIANGLE)), "'header_type'");
  check_refused(ctx, VTU_FILE("compressor='zip'", VTU_PIECE("3", "1", VTU_TRIANGLE)), "'zip' is not known");
  check_refused(ctx, "<!DOCTYPE VTKFile [<!ENTITY a 'b'>]><VTKFile/>", "neither a Gmsh");
  check_refused(ctx, "<?xml version='1.0'?><!DOCTYPE VTKFile [<!ENTITY a 'b'>]><VTKFile/>", "DOCTYPE");
  /* bytes: a length of 2, 2^32 - 1, letters that are none, less than announced */
  check_refused(ctx, VTU_WITH("", "format='binary'", "AgAAAAcH"), "does not hold as many numbers");
  check_refused(ctx, VTU_WITH("", "format='binary'", "/////wc="), "does not hold as many numbers");
  check_refused(ctx, VTU_WITH("", "format='binary'", "AQAA#Ac="), "ends within its data");
  check_refused(ctx, VTU_WITH("", "format='binary'", "AQAAAA=="), "ends within its data");
  check_refused(ctx, VTU_WITH("header_type='UInt64'", "format='binary'", "AQAAAAc="), "ends within its data");
  /* blocks: none; one of no bytes; two of 2^32 - 1; one of 2 where 1 is needed; 2^32 - 1 packed; damaged */
  check_refused(ctx, VTU_WITH(ZLIB, "format='binary'", "AAAAAAAAAAAAAAAA"), "does not hold as many numbers");
  check_refused(ctx, VTU_WITH(ZLIB, "format='binary'", "AQAAAAAAAAAAAAAAAQAAAA=="), "does not hold as many numbers");
  check_refused(ctx, VTU_WITH(ZLIB, "format='binary'", "AgAAAP////8BAAAAAQAAAA=="), "does not hold as many numbers");
  check_refused(ctx, VTU_WITH(ZLIB, "format='binary'", "AQAAAAIAAAACAAAAAQAAAA=="), "does not hold as many numbers");
  check_refused(ctx, VTU_WITH(ZLIB, "format='binary'", "AQAAAAEAAAAAAAAA/////w=="), "ends within its data");
  check_refused(ctx, VTU_WITH(ZLIB, "format='binary'", "AQAAAAEAAAAAAAAAAQAAAA==Bw=="), "a damaged block");
  /* appended: nothing there, no offset, one beyond the end, less than announced */
  check_refused(ctx, VTU_WITH("", "format='appended' offset='0'", ""), "there is no <AppendedData>");
#define APPENDED(offset, bytes) \
  VTU_CODED("", "format='appended' " offset, "") "<AppendedData encoding='raw'>_" bytes "</AppendedData></VTKFile>"
  check_refused(ctx, APPENDED("", "\1"), "no offset within");
  check_refused(ctx, APPENDED("offset='-1'", "\1"), "no offset within");
  check_refused(ctx, APPENDED("offset='1000'", "\1"), "no offset within");
  check_refused(ctx, APPENDED("offset='25'", "\1"), "ends within its data");
}

/* A file cut short is refused or read (when only what is not needed is missing), never more. Then each
 * byte in turn is damaged. */
static void cut_and_damaged_files_do_no_harm(void **state) {
  static const char *const paths[] = {DATA "plate-22.msh",
                                      DATA "plate-22-binary.msh",
                                      DATA "plate-41.msh",
                                      DATA "plate-41-binary.msh",
                                      DATA "plate.inp",
                                      DATA "plate.vtu",
                                      DATA "plate-binary-zlib.vtu",
                                      DATA "plate-appended-raw.vtu",
                                      DATA "plate-appended-base64-lz4.vtu"};
  fw_context *ctx = *state;
  for (size_t k = 0; k < sizeof paths / sizeof *paths; k++) {
    char *data;
    size_t size;
    assert_int_equal(fw_scan_load(ctx, paths[k], &data, &size), FW_OK);
    int read = 0, refused = 0;
    for (size_t at = 0; at < 2 * size; at++) {
      const bool cut = at < size;
      const size_t length = cut ? at : size;
      char *copy = malloc(length + 1); /* of just that length, for the sanitizers */
      assert_non_null(copy);
      memcpy(copy, data, length);
      copy[length] = '\0';
      if (!cut) copy[at - size] = (char)(copy[at - size] ^ (1 << (at % 8)));
      fw_mesh *mesh = NULL;
      fw_context_clear(ctx);
      const fw_status status = fw_mesh_parse(ctx, "damaged", copy, length, &mesh);
      if (status == FW_OK)
        read++;
      else
        refused++;
      assert_true((status == FW_OK) == (mesh != NULL) && status <= 0);
      assert_true(status == FW_OK || strlen(fw_context_message(ctx)) > 0);
      fw_mesh_destroy(&mesh);
      free(copy);
    }
    assert_true(refused > (int)size / 2 && read > 0);
    free(data);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(reads_the_kept_gmsh_files, begin, end),
      cmocka_unit_test_setup_teardown(reads_either_order_of_bytes, begin, end),
      cmocka_unit_test_setup_teardown(reads_what_gmsh_writes, begin, end),
      cmocka_unit_test_setup_teardown(reads_abaqus, begin, end),
      cmocka_unit_test_setup_teardown(reads_quadratic_abaqus, begin, end),
      cmocka_unit_test_setup_teardown(reads_vtu, begin, end),
      cmocka_unit_test_setup_teardown(reads_pieces_of_vtu, begin, end),
      cmocka_unit_test_setup_teardown(vtu_that_announces_something_else_is_refused, begin, end),
      cmocka_unit_test_setup_teardown(reads_what_fretwork_writes, begin, end),
      cmocka_unit_test_setup_teardown(wrong_files_are_refused_with_their_place, begin, end),
      cmocka_unit_test_setup_teardown(cut_and_damaged_files_do_no_harm, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
