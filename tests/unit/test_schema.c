/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The schema written from the grammar. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "fretwork.h"
#include "input/grammar.h"

/* Every element and attribute of the grammar is in the schema, and the schema is one that libxml2 takes. */
static void check_tag(const char *schema, const fw_tag *tag) {
  char wanted[256];
  if (tag->name) {
    snprintf(wanted, sizeof wanted, "<xs:element name=\"%s\">", tag->name);
    assert_non_null(strstr(schema, wanted));
  }
  for (const fw_param *param = tag->params; param && param->name; param++) {
    snprintf(wanted, sizeof wanted, "<xs:attribute name=\"%s\"", param->name);
    assert_non_null(strstr(schema, wanted));
    assert_true(param->meaning && param->meaning[0]);
  }
  for (const fw_child *child = tag->children; child && child->tag; child++) check_tag(schema, child->tag);
}

static void the_schema_covers_the_grammar(void **unused) {
  (void)unused;
  fw_context *ctx;
  char *schema;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  assert_int_equal(fw_list(ctx, "schema", NULL, &schema), FW_OK);
  check_tag(schema, &fw_deck_tag);
  free(schema);
  fw_context_destroy(&ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_schema_covers_the_grammar)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
