/* SPDX-License-Identifier: GPL-3.0-or-later */
/* <superelement>: a body given by its matrices over named nodes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elements/superelement.h"
#include "input/builder.h"
#include "solver/linalg/matrix_market.h"

enum { MOST_NODES = 500 }; /* dense matrices: the number of pairs grows with the square */

typedef struct matrices {
  double *K, *M, *C; /* M, C: NULL if not given */
} matrices;

static fw_status read_matrix(fw_builder *builder, const fw_item *item, const char *attribute, int rows,
                             double **matrix) {
  int found;
  *matrix = NULL;
  if (!fw_args_given(&item->args, attribute)) return FW_OK;
  const char *path = fw_args_text(&item->args, attribute);
  FW_TRY(fw_builder_retell(builder, fw_matrix_market_read(builder->aside, path, 3 * MOST_NODES, &found, matrix),
                           &item->args, attribute));
  if (found == rows) return FW_OK;
  return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(&item->args, attribute),
                    "attribute '%s': %s has %d rows; %d nodes with x, y, rz need %d", attribute, path, found, rows / 3,
                    rows);
}

static fw_status add_node(fw_builder *builder, const fw_item *item, const fw_item *child, int body) {
  FW_TRY(fw_builder_expect(builder, &child->args, "at", 2));
  const double *place = fw_args_value(&child->args, "at")->numbers;
  char name[256];
  snprintf(name, sizeof name, "%s.%s", fw_args_text(&item->args, "id"), fw_args_text(&child->args, "id"));
  fw_point point = {.name = name, .body = body, .place = {place[0], place[1]}};
  FW_TRY(fw_builder_add_node(builder, place, true, &point.node));
  return fw_builder_add_point(builder, &point);
}

/* Every pair of nodes is a block of its own, as its constants are. */
static fw_status add_pairs(fw_builder *builder, const matrices *given, int body, int nodes) {
  int first = builder->model->bodies[body].first_node, size = FW_SUPERELEMENT_GROUP * nodes;
  for (int pair = 0; pair < fw_superelement_pairs(size); pair++) {
    int ends[2];
    double *constants;
    fw_block *block;
    FW_TRY(fw_builder_add_block(builder, &fw_element_pair, body, 1, &block));
    FW_TRY(fw_alloc(builder->ctx, FW_PAIR_CONSTANTS, sizeof *constants, &constants));
    fw_superelement_pair(size, given->K, given->M, given->C, pair, ends, constants);
    block->props.constants = constants;
    block->props.constant_count = FW_PAIR_CONSTANTS;
    block->nodes[0] = first + ends[0];
    block->nodes[1] = first + ends[1];
  }
  return FW_OK;
}

static fw_status add_body(fw_builder *builder, const fw_item *item, matrices *given) {
  int nodes = item->child_count, body;
  if (nodes < 2 || nodes > MOST_NODES)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, item->args.place, "has %d nodes; from 2 to %d are possible", nodes,
                      MOST_NODES);
  FW_TRY(fw_builder_add_body(builder, fw_args_text(&item->args, "id"), "superelement", &body));
  for (int i = 0; i < nodes; i++) FW_TRY(add_node(builder, item, &item->children[i], body));
  builder->model->bodies[body].node_count = nodes;
  FW_TRY(read_matrix(builder, item, "stiffness-file", 3 * nodes, &given->K));
  FW_TRY(read_matrix(builder, item, "mass-file", 3 * nodes, &given->M));
  FW_TRY(read_matrix(builder, item, "damping-file", 3 * nodes, &given->C));
  const char *wrong = fw_superelement_check(nodes, given->K, given->M, given->C);
  if (wrong) return fw_fail_at(builder->ctx, FW_ERR_DECK, item->args.place, "%s", wrong);
  return add_pairs(builder, given, body, nodes);
}

fw_status fw_build_superelements(fw_builder *builder) {
  const fw_item *bodies = fw_item_child(builder->root, "bodies");
  fw_status worst = FW_OK;
  for (int i = 0; i < bodies->child_count; i++) {
    if (strcmp(bodies->children[i].name, "superelement") != 0) continue;
    matrices given = {0};
    fw_status status = add_body(builder, &bodies->children[i], &given);
    free(given.K);
    free(given.M);
    free(given.C);
    worst = fw_worse(worst, status);
  }
  return worst;
}
