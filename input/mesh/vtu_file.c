/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pieces of a .vtu file as one mesh. */
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <libxml/parser.h>

#include "input/mesh/vtu.h"
#include "input/mesh/vtu_array.h"
#include "input/source.h"
#include "output/vtk_bytes.h"

/* ---- elements ---------------------------------------------------------------------------- */

static bool is(const xmlNode *node, const char *name) {
  return node->type == XML_ELEMENT_NODE && xmlStrEqual(node->name, BAD_CAST name);
}

static const xmlNode *next_of(const xmlNode *child, const char *name) {
  while (child && !is(child, name)) child = child->next;
  return child;
}

/* The only element of that name; NULL where there is none and none is needed. */
static fw_status only(fw_context *ctx, const xmlNode *parent, const char *name, bool needed, const xmlNode **child) {
  *child = next_of(parent->children, name);
  if (!*child && needed)
    return fw_fail_at(ctx, FW_ERR_DECK, fw_source_place(parent), "<%s> has no <%s>", (const char *)parent->name, name);
  if (*child && next_of((*child)->next, name))
    return fw_fail_at(ctx, FW_ERR_DECK, fw_source_place(parent), "<%s> has more than one <%s>",
                      (const char *)parent->name, name);
  return FW_OK;
}

static fw_status count_of(fw_context *ctx, const xmlNode *piece, const char *name, int *count) {
  const char *word = fw_vtu_word(piece, name);
  char *end;
  const long long number = word ? strtoll(word, &end, 10) : -1;
  if (!word || end == word || *end || number < 0 || number > INT_MAX)
    return fw_fail_at(ctx, FW_ERR_DECK, fw_source_place(piece), "attribute '%s': must be a number of items", name);
  *count = (int)number;
  return FW_OK;
}

/* ---- the list grows piece by piece --------------------------------------------------------- */

/* Room for `more` items behind `have` in a list whose address is `list`. */
static fw_status extend(fw_context *ctx, int have, int more, size_t size, void *list) {
  void *old;
  memcpy(&old, list, sizeof old); /* any pointer type: copied, not cast */
  void *grown = realloc(old, ((size_t)have + (size_t)more + 1) * size);
  if (!grown) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  memcpy(list, &grown, sizeof grown);
  /* cppcheck-suppress memleak ; handed out through memcpy */
  return FW_OK;
}

/* ---- points and cells ---------------------------------------------------------------------- */

static fw_status add_points(const fw_vtu_coding *coding, const xmlNode *piece, int points, fw_vtu *vtu) {
  const xmlNode *parent, *array;
  double *x;
  FW_TRY(only(coding->ctx, piece, "Points", true, &parent));
  FW_TRY(only(coding->ctx, parent, "DataArray", true, &array));
  const char *components = fw_vtu_word(array, "NumberOfComponents");
  if (!components || strcmp(components, "3") != 0)
    return fw_fail_at(coding->ctx, FW_ERR_DECK, fw_source_place(array), "points must have three components");
  FW_TRY(fw_vtu_numbers(coding, array, 3 * (size_t)points, &x));
  const fw_status status = extend(coding->ctx, vtu->points, points, sizeof *vtu->x, &vtu->x);
  if (status == FW_OK && points > 0) memcpy(vtu->x + vtu->points, x, (size_t)points * sizeof *vtu->x);
  free(x);
  return status;
}

/* `count` whole numbers of <Cells>, each from `least` to `most`. */
static fw_status integers(const fw_vtu_coding *coding, const xmlNode *cells, const char *name, int count, double least,
                          double most, double **values) {
  const xmlNode *array = next_of(cells->children, "DataArray");
  for (; array; array = next_of(array->next, "DataArray")) {
    const char *word = fw_vtu_word(array, "Name");
    if (word && strcmp(word, name) == 0) break;
  }
  if (!array) return fw_fail_at(coding->ctx, FW_ERR_DECK, fw_source_place(cells), "<Cells> has no array '%s'", name);
  FW_TRY(fw_vtu_numbers(coding, array, (size_t)count, values));
  for (int i = 0; i < count; i++)
    if (!((*values)[i] >= least && (*values)[i] <= most) || (*values)[i] != floor((*values)[i])) {
      const double wrong = (*values)[i];
      free(*values);
      *values = NULL;
      return fw_fail_at(coding->ctx, FW_ERR_DECK, fw_source_place(array),
                        "array '%s': number %d is %.17g, not a whole number from %.0f to %.0f", name, i + 1, wrong,
                        least, most);
    }
  return FW_OK;
}

static fw_status add_starts(const fw_vtu_coding *coding, const xmlNode *node, int cells, fw_vtu *vtu) {
  double *ends = NULL;
  fw_status status;
  const int first = vtu->cells ? vtu->starts[vtu->cells] : 0;
  FW_TRY_DONE(integers(coding, node, "offsets", cells, 0, INT_MAX - first, &ends));
  for (int c = 1; c < cells; c++)
    if (ends[c] < ends[c - 1]) {
      status = fw_fail_at(coding->ctx, FW_ERR_DECK, fw_source_place(node),
                          "array 'offsets': cell %d ends before it begins", c + 1);
      goto done;
    }
  FW_TRY_DONE(extend(coding->ctx, vtu->cells, cells, sizeof *vtu->starts, &vtu->starts));
  vtu->starts[vtu->cells] = first;
  for (int c = 0; c < cells; c++) vtu->starts[vtu->cells + c + 1] = first + (int)ends[c];
done:
  free(ends);
  return status;
}

static fw_status add_types(const fw_vtu_coding *coding, const xmlNode *node, int cells, fw_vtu *vtu) {
  double *types = NULL;
  fw_status status;
  FW_TRY_DONE(integers(coding, node, "types", cells, 0, 255, &types));
  FW_TRY_DONE(extend(coding->ctx, vtu->cells, cells, sizeof *vtu->types, &vtu->types));
  for (int c = 0; c < cells; c++) vtu->types[vtu->cells + c] = (int)types[c];
done:
  free(types);
  return status;
}

static fw_status add_cells(const fw_vtu_coding *coding, const xmlNode *piece, int points, int cells, fw_vtu *vtu) {
  const xmlNode *node;
  double *link = NULL;
  fw_status status;
  FW_TRY_DONE(only(coding->ctx, piece, "Cells", true, &node));
  FW_TRY_DONE(add_types(coding, node, cells, vtu));
  FW_TRY_DONE(add_starts(coding, node, cells, vtu));
  const int first = vtu->starts[vtu->cells], count = vtu->starts[vtu->cells + cells] - first;
  FW_TRY_DONE(integers(coding, node, "connectivity", count, 0, points - 1, &link));
  FW_TRY_DONE(extend(coding->ctx, first, count, sizeof *vtu->link, &vtu->link));
  for (int k = 0; k < count; k++) vtu->link[first + k] = vtu->points + (int)link[k];
done:
  free(link);
  return status;
}

/* ---- data -------------------------------------------------------------------------------- */

/* An array of one number for each item, with a name. */
static bool is_scalar(const xmlNode *array) {
  const char *components = fw_vtu_word(array, "NumberOfComponents");
  return fw_vtu_word(array, "Name") && fw_vtu_is_numeric(array) && (!components || strcmp(components, "1") == 0);
}

static const xmlNode *next_scalar(const xmlNode *child) {
  while ((child = next_of(child, "DataArray")) && !is_scalar(child)) child = child->next;
  return child;
}

static fw_status new_array(fw_context *ctx, const char *name, fw_vtu_arrays *arrays) {
  FW_TRY(fw_grow(ctx, arrays->count, &arrays->room, sizeof *arrays->list, &arrays->list));
  fw_vtu_array *array = &arrays->list[arrays->count];
  *array = (fw_vtu_array){0};
  FW_TRY(fw_copy_text(ctx, name, &array->name));
  arrays->count++;
  return FW_OK;
}

/* The arrays of <PointData> or <CellData>: the first piece says which there are, `have` items lie before this one. */
static fw_status add_data(const fw_vtu_coding *coding, const xmlNode *piece, const char *name, bool first, int have,
                          int count, fw_vtu_arrays *arrays) {
  const xmlNode *parent, *array;
  int k = 0;
  FW_TRY(only(coding->ctx, piece, name, false, &parent));
  for (array = parent ? next_scalar(parent->children) : NULL; array; array = next_scalar(array->next), k++) {
    double *values;
    if (first) FW_TRY(new_array(coding->ctx, fw_vtu_word(array, "Name"), arrays));
    if (k == arrays->count || strcmp(arrays->list[k].name, fw_vtu_word(array, "Name")) != 0) break;
    FW_TRY(fw_vtu_numbers(coding, array, (size_t)count, &values));
    const fw_status status = extend(coding->ctx, have, count, sizeof *values, &arrays->list[k].values);
    if (status == FW_OK) memcpy(arrays->list[k].values + have, values, (size_t)count * sizeof *values);
    free(values);
    FW_TRY(status);
  }
  if (array || k < arrays->count)
    return fw_fail_at(coding->ctx, FW_ERR_DECK, fw_source_place(piece), "other arrays in <%s> than the first piece has",
                      name);
  return FW_OK;
}

/* ---- pieces -------------------------------------------------------------------------------- */

static fw_status add_piece(const fw_vtu_coding *coding, const xmlNode *piece, bool first, fw_vtu *vtu) {
  int points = 0, cells = 0;
  FW_TRY(count_of(coding->ctx, piece, "NumberOfPoints", &points));
  FW_TRY(count_of(coding->ctx, piece, "NumberOfCells", &cells));
  if (points > INT_MAX - 1 - vtu->points || cells > INT_MAX - 1 - vtu->cells)
    return fw_fail_at(coding->ctx, FW_ERR_DECK, fw_source_place(piece), "too large a mesh");
  FW_TRY(add_cells(coding, piece, points, cells, vtu));
  FW_TRY(add_points(coding, piece, points, vtu));
  FW_TRY(add_data(coding, piece, "PointData", first, vtu->points, points, &vtu->of_points));
  FW_TRY(add_data(coding, piece, "CellData", first, vtu->cells, cells, &vtu->of_cells));
  vtu->points += points;
  vtu->cells += cells;
  return FW_OK;
}

/* ---- the file ------------------------------------------------------------------------------ */

static bool word_is(const xmlNode *node, const char *name, const char *usual, const char *wanted) {
  const char *word = fw_vtu_word(node, name);
  return strcmp(word ? word : usual, wanted) == 0;
}

static fw_status read_head(const xmlNode *root, fw_vtu_coding *coding) {
  const uint16_t one = 1;
  unsigned char lowest;
  memcpy(&lowest, &one, 1);
  const bool big = word_is(root, "byte_order", "LittleEndian", "BigEndian");
  const fw_place place = fw_source_place(root);
  if (!is(root, "VTKFile") || !word_is(root, "type", "", "UnstructuredGrid"))
    return fw_fail_at(coding->ctx, FW_ERR_DECK, place, "not a <VTKFile> of type UnstructuredGrid");
  if (!big && !word_is(root, "byte_order", "LittleEndian", "LittleEndian"))
    return fw_fail_at(coding->ctx, FW_ERR_DECK, place, "attribute 'byte_order': LittleEndian and BigEndian are known");
  coding->swap = big == (lowest == 1);
  coding->word = word_is(root, "header_type", "UInt32", "UInt64") ? 8 : 4;
  if (coding->word == 4 && !word_is(root, "header_type", "UInt32", "UInt32"))
    return fw_fail_at(coding->ctx, FW_ERR_DECK, place, "attribute 'header_type': UInt32 and UInt64 are known");
  coding->compressor = fw_vtu_word(root, "compressor");
  if (coding->compressor && !fw_vtk_knows_compressor(coding->compressor))
    return fw_fail_at(coding->ctx, FW_ERR_DECK, place, "attribute 'compressor': '%.100s' is not known",
                      coding->compressor);
  return FW_OK;
}

static fw_status add_pieces(const xmlNode *root, fw_vtu_coding *coding, fw_vtu *vtu) {
  const xmlNode *grid, *first, *appended;
  FW_TRY(read_head(root, coding));
  FW_TRY(only(coding->ctx, root, "AppendedData", false, &appended));
  if (appended) coding->base64 = !word_is(appended, "encoding", "base64", "raw");
  FW_TRY(only(coding->ctx, root, "UnstructuredGrid", true, &grid));
  first = next_of(grid->children, "Piece");
  if (!first) return fw_fail_at(coding->ctx, FW_ERR_DECK, fw_source_place(grid), "<UnstructuredGrid> has no <Piece>");
  for (const xmlNode *piece = first; piece; piece = next_of(piece->next, "Piece"))
    FW_TRY(add_piece(coding, piece, piece == first, vtu));
  return FW_OK;
}

/* Where appended data, which need not be XML, begin behind their tag and '_'; at the end of the file where there are
 * none. *tag_end: what of the file is XML. */
static const char *find_appended(const char *data, size_t size, const char **tag_end) {
  static const char tag[] = "<AppendedData";
  const char *end = data + size, *at = data;
  for (; (at = memchr(at, '<', (size_t)(end - at))); at++)
    if ((size_t)(end - at) >= sizeof tag - 1 && memcmp(at, tag, sizeof tag - 1) == 0) break;
  const char *close = at ? memchr(at, '>', (size_t)(end - at)) : NULL;
  *tag_end = close ? close + 1 : end;
  at = close ? memchr(close, '_', (size_t)(end - close)) : NULL;
  return at ? at + 1 : end;
}

/* The file without its appended data as a tree. */
static fw_status read_tree(fw_context *ctx, const char *name, const char *data, size_t size, xmlDoc **doc) {
  static const char rest[] = "</AppendedData></VTKFile>";
  char *text;
  if (size > INT_MAX - sizeof rest) return fw_fail(ctx, FW_ERR_DECK, "%s: too large a file", name);
  FW_TRY(fw_alloc(ctx, size + sizeof rest, 1, &text));
  memcpy(text, data, size);
  memcpy(text + size, rest, sizeof rest - 1);
  const fw_status status = fw_source_tree(ctx, name, text, size + sizeof rest - 1, XML_PARSE_HUGE, doc);
  free(text);
  return status;
}

fw_status fw_vtu_read(fw_context *ctx, const char *name, const char *data, size_t size, fw_vtu *vtu) {
  fw_vtu_coding coding = {.ctx = ctx};
  const char *tag_end, *appended = find_appended(data, size, &tag_end);
  xmlDoc *doc = NULL;
  fw_status status;
  *vtu = (fw_vtu){0};
  if (tag_end < data + size) {
    coding.appended = appended;
    coding.appended_end = data + size;
    FW_TRY_DONE(read_tree(ctx, name, data, (size_t)(tag_end - data), &doc));
  } else {
    if (size > INT_MAX) return fw_fail(ctx, FW_ERR_DECK, "%s: too large a file", name);
    FW_TRY_DONE(fw_source_tree(ctx, name, data, size, XML_PARSE_HUGE, &doc));
  }
  status = add_pieces(xmlDocGetRootElement(doc), &coding, vtu);
done:
  if (doc) xmlFreeDoc(doc);
  return status;
}

static void clear_arrays(fw_vtu_arrays *arrays) {
  for (int i = 0; i < arrays->count; i++) {
    free(arrays->list[i].name);
    free(arrays->list[i].values);
  }
  free(arrays->list);
}

void fw_vtu_clear(fw_vtu *vtu) {
  free(vtu->x);
  free(vtu->types);
  free(vtu->starts);
  free(vtu->link);
  clear_arrays(&vtu->of_points);
  clear_arrays(&vtu->of_cells);
  *vtu = (fw_vtu){0};
}
