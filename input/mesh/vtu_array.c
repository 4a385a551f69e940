/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One <DataArray>: numbers as text, or bytes behind a header that tells their length, within the file in base64 or
 * appended to it:
 *   LENGTH bytes                                                without compressor
 *   BLOCKS BLOCK LAST size_1 .. size_BLOCKS block_1 ..          with one: BLOCK bytes unpacked, the last LAST if not 0
 * Every count is compared with the room there is before it is used. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "input/mesh/vtu_array.h"
#include "input/source.h"
#include "output/vtk_bytes.h"

enum { MOST_PACKED = 10000 }; /* times that bytes may grow: no compressor packs meshes as tightly */

/* ---- types of numbers -------------------------------------------------------------------- */

#define NUMBER_OF(type)                         \
  static double from_##type(const void *from) { \
    type value;                                 \
    memcpy(&value, from, sizeof value);         \
    return (double)value;                       \
  }
NUMBER_OF(int8_t)
NUMBER_OF(uint8_t)
NUMBER_OF(int16_t)
NUMBER_OF(uint16_t)
NUMBER_OF(int32_t)
NUMBER_OF(uint32_t)
NUMBER_OF(int64_t)
NUMBER_OF(uint64_t)
NUMBER_OF(float)
NUMBER_OF(double)

typedef struct number_type {
  const char *name;
  size_t size;
  double (*number)(const void *from);
} number_type;

static const number_type types[] = {
    {"Int8", 1, from_int8_t},   {"UInt8", 1, from_uint8_t},   {"Int16", 2, from_int16_t}, {"UInt16", 2, from_uint16_t},
    {"Int32", 4, from_int32_t}, {"UInt32", 4, from_uint32_t}, {"Int64", 8, from_int64_t}, {"UInt64", 8, from_uint64_t},
    {"Float32", 4, from_float}, {"Float64", 8, from_double}};

const char *fw_vtu_word(const xmlNode *node, const char *name) {
  for (const xmlAttr *attribute = node->properties; attribute; attribute = attribute->next)
    if (xmlStrEqual(attribute->name, BAD_CAST name))
      return attribute->children ? (const char *)attribute->children->content : "";
  return NULL;
}

static const number_type *type_of(const xmlNode *array) {
  const char *name = fw_vtu_word(array, "type");
  for (size_t k = 0; name && k < sizeof types / sizeof *types; k++)
    if (strcmp(types[k].name, name) == 0) return &types[k];
  return NULL;
}

bool fw_vtu_is_numeric(const xmlNode *array) { return type_of(array) != NULL; }

static fw_status fail(const fw_vtu_coding *coding, const xmlNode *array, const char *why) {
  const char *name = fw_vtu_word(array, "Name");
  return fw_fail_at(coding->ctx, FW_ERR_DECK, fw_source_place(array), "array '%.100s' %s", name ? name : "", why);
}

static const char too_few[] = "holds fewer numbers than are announced";
static const char too_short[] = "ends within its data";
static const char other_length[] = "does not hold as many numbers as are announced";

/* ---- text -------------------------------------------------------------------------------- */

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/* The first that is not blank. */
static const char *text_of(const xmlNode *array) {
  for (const xmlNode *child = array->children; child; child = child->next)
    if (child->type == XML_TEXT_NODE && child->content && !xmlIsBlankNode(child)) return (const char *)child->content;
  return "";
}

static fw_status from_text(const fw_vtu_coding *coding, const xmlNode *array, size_t count, double **values) {
  const char *text = text_of(array);
  if (strlen(text) / 2 + 1 < count) return fail(coding, array, too_few);
  FW_TRY(fw_alloc(coding->ctx, count, sizeof **values, values));
  for (size_t i = 0; i < count; i++) {
    char *end;
    (*values)[i] = strtod(text, &end);
    if (end == text) return fail(coding, array, too_few);
    if (*end && !blank(*end)) return fail(coding, array, "holds something that is not a number");
    text = end;
  }
  while (blank(*text)) text++;
  return *text ? fail(coding, array, "holds more numbers than are announced") : FW_OK;
}

/* ---- bytes ------------------------------------------------------------------------------- */

/* Bytes of an array, one after the other; what base64 has decoded and nobody has taken yet is spare. */
typedef struct stream {
  const char *at, *end;
  bool base64;
  unsigned char spare[3];
  int spares, used;
} stream;

/* No more than these can come. */
static size_t left(const stream *from) {
  const size_t letters = (size_t)(from->end - from->at);
  return from->base64 ? letters / 4 * 3 + (size_t)(from->spares - from->used) : letters;
}

static bool decode_next(stream *from) {
  while (from->at < from->end && blank(*from->at)) from->at++;
  if (from->end - from->at < 4) return false;
  from->spares = fw_vtk_triplet(from->at, from->spare);
  from->used = 0;
  from->at += 4;
  return from->spares > 0;
}

static bool take(stream *from, size_t count, void *bytes) {
  unsigned char *to = bytes;
  if (count > left(from)) return false;
  if (!from->base64) {
    memcpy(to, from->at, count);
    from->at += count;
    return true;
  }
  for (; count > 0; count--) {
    if (from->used == from->spares && !decode_next(from)) return false;
    *to++ = from->spare[from->used++];
  }
  return true;
}

static void swap(unsigned char *bytes, size_t size) {
  for (size_t i = 0; i < size / 2; i++) {
    const unsigned char keep = bytes[i];
    bytes[i] = bytes[size - 1 - i];
    bytes[size - 1 - i] = keep;
  }
}

static bool take_word(const fw_vtu_coding *coding, stream *from, uint64_t *word) {
  unsigned char bytes[8];
  uint32_t narrow;
  if (!take(from, coding->word, bytes)) return false;
  if (coding->swap) swap(bytes, coding->word);
  memcpy(&narrow, bytes, sizeof narrow);
  *word = narrow;
  if (coding->word == sizeof *word) memcpy(word, bytes, sizeof *word);
  return true;
}

static fw_status plain(const fw_vtu_coding *coding, const xmlNode *array, stream *from, size_t size,
                       unsigned char **bytes) {
  uint64_t length;
  if (!take_word(coding, from, &length)) return fail(coding, array, too_short);
  if (length != size) return fail(coding, array, other_length);
  if (size > left(from)) return fail(coding, array, too_short);
  FW_TRY(fw_alloc(coding->ctx, size, 1, bytes));
  return take(from, size, *bytes) ? FW_OK : fail(coding, array, too_short);
}

/* ---- compressed blocks ------------------------------------------------------------------- */

typedef struct blocks {
  uint64_t count, each, last; /* bytes of a block and of the last, unpacked */
  uint64_t *packed;           /* bytes of each in the file */
} blocks;

static fw_status take_sizes(const fw_vtu_coding *coding, const xmlNode *array, stream *from, size_t size, blocks *all) {
  uint64_t last, sum = 0;
  if (!take_word(coding, from, &all->count) || !take_word(coding, from, &all->each) || !take_word(coding, from, &last))
    return fail(coding, array, too_short);
  all->last = last ? last : all->each;
  if (all->count == 0 || all->each == 0 || (all->count - 1) > size / all->each || all->last > size ||
      (all->count - 1) * all->each + all->last != size)
    return fail(coding, array, other_length);
  if (all->count > left(from) / coding->word) return fail(coding, array, too_short);
  FW_TRY(fw_alloc(coding->ctx, (size_t)all->count, sizeof *all->packed, &all->packed));
  for (uint64_t b = 0; b < all->count; b++) {
    if (!take_word(coding, from, &all->packed[b]) || all->packed[b] > left(from)) return fail(coding, array, too_short);
    sum += all->packed[b];
  }
  if (sum > left(from)) return fail(coding, array, too_short);
  return size / MOST_PACKED > sum ? fail(coding, array, "is packed more tightly than numbers can be") : FW_OK;
}

static fw_status take_block(const fw_vtu_coding *coding, const xmlNode *array, stream *from, size_t packed,
                            unsigned char *bytes, size_t size) {
  unsigned char *block;
  FW_TRY(fw_alloc(coding->ctx, packed, 1, &block));
  const bool sound = take(from, packed, block) && fw_vtk_uncompress(coding->compressor, block, packed, bytes, size);
  free(block);
  return sound ? FW_OK : fail(coding, array, "has a damaged block");
}

static fw_status compressed(const fw_vtu_coding *coding, const xmlNode *array, stream *from, size_t size,
                            unsigned char **bytes) {
  fw_status status;
  blocks all = {0};
  FW_TRY_DONE(take_sizes(coding, array, from, size, &all));
  FW_TRY_DONE(fw_alloc(coding->ctx, size, 1, bytes));
  for (uint64_t b = 0; b < all.count; b++)
    FW_TRY_DONE(take_block(coding, array, from, (size_t)all.packed[b], *bytes + b * all.each,
                           (size_t)(b + 1 < all.count ? all.each : all.last)));
done:
  free(all.packed);
  return status;
}

/* ---- the whole --------------------------------------------------------------------------- */

static fw_status open_appended(const fw_vtu_coding *coding, const xmlNode *array, stream *from) {
  const char *offset = fw_vtu_word(array, "offset");
  if (!coding->appended) return fail(coding, array, "is appended, but there is no <AppendedData>");
  char *end = NULL;
  const unsigned long long at = offset ? strtoull(offset, &end, 10) : 0;
  if (!offset || end == offset || *end || at > (unsigned long long)(coding->appended_end - coding->appended))
    return fail(coding, array, "has no offset within the appended data");
  *from = (stream){.at = coding->appended + at, .end = coding->appended_end, .base64 = coding->base64};
  return FW_OK;
}

static fw_status from_bytes(const fw_vtu_coding *coding, const xmlNode *array, const number_type *type, stream *from,
                            size_t count, double **values) {
  unsigned char *bytes = NULL;
  fw_status status;
  FW_TRY_DONE((coding->compressor ? compressed : plain)(coding, array, from, count * type->size, &bytes));
  FW_TRY_DONE(fw_alloc(coding->ctx, count, sizeof **values, values));
  for (size_t i = 0; i < count; i++) {
    if (coding->swap) swap(bytes + i * type->size, type->size);
    (*values)[i] = type->number(bytes + i * type->size);
  }
done:
  free(bytes);
  return status;
}

static fw_status read_array(const fw_vtu_coding *coding, const xmlNode *array, const number_type *type, size_t count,
                            double **values) {
  const char *format = fw_vtu_word(array, "format");
  stream from = {0};
  if (!format || strcmp(format, "ascii") == 0) return from_text(coding, array, count, values);
  if (strcmp(format, "appended") == 0) {
    FW_TRY(open_appended(coding, array, &from));
  } else if (strcmp(format, "binary") == 0) {
    const char *text = text_of(array);
    from = (stream){.at = text, .end = text + strlen(text), .base64 = true};
  } else {
    return fail(coding, array, "has a format other than ascii, binary and appended");
  }
  return from_bytes(coding, array, type, &from, count, values);
}

fw_status fw_vtu_numbers(const fw_vtu_coding *coding, const xmlNode *array, size_t count, double **values) {
  *values = NULL;
  const number_type *type = type_of(array);
  if (!type) return fail(coding, array, "has a type that is not known");
  if (count == 0) return fw_alloc(coding->ctx, 0, sizeof **values, values);
  const fw_status status = read_array(coding, array, type, count, values);
  if (status != FW_OK) {
    free(*values);
    *values = NULL;
  }
  return status;
}
