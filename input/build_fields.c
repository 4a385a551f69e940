/* SPDX-License-Identifier: GPL-3.0-or-later */
/* <turbulence> and <measured-forces>: forces per length across a tube, constant over cells but for the weight of the
 * velocity, (U/U_ref)^2. A cell acts along the integral of the shape functions over it, whatever elements it covers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/field.h"
#include "core/load.h"
#include "input/along.h"
#include "input/load_shapes.h"
#include "input/tube_pieces.h"
#include "output/csv.h"
#include "solver/assembly/turbulence.h"

typedef struct range {
  fw_builder *builder;
  const fw_args *args;
  fw_tube_pieces pieces;
  int directions, cells;
  fw_along velocity;
  double reference;
} range;

static int elements_within(const range *r) {
  const fw_tube_pieces *p = &r->pieces;
  int count = 0;
  for (int i = 0; i < p->count; i++)
    count += fmin(p->list[i].to, p->to) - fmax(p->list[i].from, p->from) > 1e-9 * p->to;
  return count;
}

/* ---- shapes of the cells ------------------------------------------------------------------------ */

/* Adds the part from a to b of an element: exact for a constant force with three Gauss points. */
static void add_part(const range *r, const fw_tube_piece *p, double a, double b, int direction, double *dense) {
  static const double at[] = {-0.774596669241483377, 0.0, 0.774596669241483377}, gauss[] = {5. / 9, 8. / 9, 5. / 9};
  const fw_model *model = r->builder->model;
  const fw_block *block = &model->blocks[p->block];
  double across[2][FW_ELEMENT_DOFS], w[FW_ELEMENT_DOFS] = {0};
  for (int k = 0; k < 3; k++) {
    double s = 0.5 * (a + b + at[k] * (b - a)),
           ratio = r->reference > 0 ? fw_along_value(&r->velocity, s) / r->reference : 1;
    fw_tube_piece_weights(model, p, s, p->e, across);
    for (int i = 0; i < fw_element_dofs(block->ops); i++)
      w[i] += 0.5 * (b - a) * gauss[k] * ratio * ratio * across[direction][i];
  }
  fw_shape_scatter(block, p->element, w, dense);
}

static fw_status add_cell(const range *r, int cell, int direction, double *dense, fw_functional *shape) {
  const fw_tube_pieces *p = &r->pieces;
  double h = (p->to - p->from) / r->cells, from = p->from + cell * h, to = from + h;
  memset(dense, 0, (size_t)r->builder->model->dof_count * sizeof *dense);
  for (int i = 0; i < p->count; i++) {
    double a = fmax(from, p->list[i].from), b = fmin(to, p->list[i].to);
    if (b > a) add_part(r, &p->list[i], a, b, direction, dense);
  }
  return fw_shape_compress(r->builder, dense, shape);
}

static fw_status add_shapes(const range *r, fw_field *field) {
  double *dense;
  fw_status status = FW_OK;
  FW_TRY(fw_alloc(r->builder->ctx, (size_t)r->builder->model->dof_count, sizeof *dense, &dense));
  for (int s = 0; s < field->signals && status == FW_OK; s++)
    status = add_cell(r, s % r->cells, s / r->cells, dense, &field->shapes[s]);
  free(dense);
  return status;
}

/* ---- turbulence --------------------------------------------------------------------------------- */

static fw_status read_velocity(range *r) {
  FW_TRY(fw_along_read(r->builder, r->args, "velocity", "velocity-at", &r->velocity));
  bool given = fw_args_given(r->args, "reference-velocity");
  if (r->velocity.count == 0 && given)
    return fw_fail_at(r->builder->ctx, FW_ERR_DECK, fw_builder_place(r->args, "reference-velocity"),
                      "attribute 'reference-velocity': there is no 'velocity' that it could be of");
  if (r->velocity.count == 1 && !given)
    return fw_fail_at(r->builder->ctx, FW_ERR_DECK, fw_builder_place(r->args, "velocity"),
                      "attribute 'velocity': one number alone says nothing: give a table or 'reference-velocity'");
  if (r->velocity.count == 0) return FW_OK;
  r->reference =
      given ? fw_args_number(r->args, "reference-velocity") : fw_along_mean(&r->velocity, r->pieces.from, r->pieces.to);
  if (r->reference > 0) return FW_OK;
  return fw_fail_at(r->builder->ctx, FW_ERR_DECK, fw_builder_place(r->args, "velocity"),
                    "attribute 'velocity': there is no flow along the load");
}

/* Either the formula or the table, which is linear between its places, as other things along a line are. */
static fw_status read_table(const range *r, fw_along *table) {
  bool formula = fw_args_given(r->args, "spectrum"), listed = fw_args_given(r->args, "densities");
  FW_TRY(fw_along_read(r->builder, r->args, "densities", "frequencies", table));
  if (formula == listed)
    return fw_fail_at(r->builder->ctx, FW_ERR_DECK, r->args->place,
                      "attribute 'spectrum': give either a formula of f or a table, 'frequencies' and 'densities'");
  if (listed && table->count < 2)
    return fw_fail_at(r->builder->ctx, FW_ERR_DECK, fw_builder_place(r->args, "densities"),
                      "attribute 'densities': a table has two frequencies or more");
  return FW_OK;
}

static double density_at(const range *r, const fw_along *table, double f) {
  const fw_formula *formula = fw_args_value(r->args, "spectrum")->formula;
  if (formula) return formula->value(formula, &f, NULL);
  return f < table->at[0] || f > table->at[table->count - 1] ? 0 : fw_along_value(table, f);
}

static fw_status read_densities(const range *r, const fw_turbulence *how, double *density) {
  fw_along table;
  double sum = 0;
  FW_TRY(read_table(r, &table));
  const char *name = table.count > 0 ? "densities" : "spectrum";
  for (long k = how->first; k <= how->last; k++) {
    double f = (double)k / how->duration, G = density_at(r, &table, f);
    if (!(G >= 0) || isinf(G))
      return fw_fail_at(r->builder->ctx, FW_ERR_DECK, fw_builder_place(r->args, name),
                        "attribute '%s': %g at %g Hz is no density", name, G, f);
    sum += density[k - how->first] = G;
  }
  if (sum > 0) return FW_OK;
  return fw_fail_at(r->builder->ctx, FW_ERR_DECK, fw_builder_place(r->args, name),
                    "attribute '%s': there is nothing between f-min and f-max", name);
}

/* Numbers that a field may have: 4 GB. */
static const double MOST = 5e8;

static fw_status check_size(const range *r, const fw_turbulence *how) {
  if (how->first > how->last)
    return fw_fail_at(r->builder->ctx, FW_ERR_DECK, fw_builder_place(r->args, "f-max"),
                      "attribute 'f-max': no multiple of 1/duration, %g Hz, lies between f-min and f-max",
                      1 / how->duration);
  if (16 * how->f_max * how->duration * how->cells * how->directions > MOST)
    return fw_fail_at(r->builder->ctx, FW_ERR_DECK, fw_builder_place(r->args, "duration"),
                      "attribute 'duration': %g s of %d cells up to %g Hz are more than fits: give fewer cells",
                      how->duration, how->cells, how->f_max);
  return FW_OK;
}

static fw_status make_turbulence(range *r, fw_field **field) {
  const fw_args *args = r->args;
  const fw_value *length = fw_args_value(args, "correlation-length");
  fw_status status;
  double *density;
  FW_TRY(read_velocity(r));
  r->cells = fw_args_given(args, "cells") ? fw_args_integer(args, "cells") : elements_within(r);
  fw_turbulence how = {.cells = r->cells,
                       .directions = r->directions,
                       .cell_length = (r->pieces.to - r->pieces.from) / r->cells,
                       .correlation_length = length->count > 0 ? length->numbers[0] : INFINITY,
                       .duration = fw_args_number(args, "duration"),
                       .f_min = fw_args_number(args, "f-min"),
                       .f_max = fw_args_number(args, "f-max"),
                       .seed = (uint64_t)fw_args_number(args, "seed")};
  fw_turbulence_lines(how.duration, how.f_min, how.f_max, &how.first, &how.last);
  FW_TRY(check_size(r, &how));
  FW_TRY(fw_alloc(r->builder->ctx, (size_t)(how.last - how.first + 1), sizeof *density, &density));
  FW_TRY_DONE(read_densities(r, &how, density));
  how.density = density;
  status = fw_turbulence_make(r->builder->aside, &how, field);
  status = fw_builder_retell(r->builder, status, args, "correlation-length");
done:
  free(density);
  return status;
}

/* ---- measured forces ------------------------------------------------------------------------------ */

static fw_status refuse_file(const range *r, const char *why) {
  return fw_fail_at(r->builder->ctx, FW_ERR_DECK, fw_builder_place(r->args, "file"), "attribute 'file': %s: %s",
                    fw_args_text(r->args, "file"), why);
}

static fw_status check_table(const range *r, const fw_data_table *table) {
  if (table->columns < 1 + r->directions || (table->columns - 1) % r->directions != 0)
    return refuse_file(r, r->directions == 2 ? "a column of times and two of each cell are needed"
                                             : "a column of times and one of each cell are needed");
  if (table->rows < 3) return refuse_file(r, "three times or more are needed");
  const double *t = table->values[0];
  double step = (t[table->rows - 1] - t[0]) / (double)(table->rows - 1);
  for (size_t i = 0; i < table->rows; i++)
    if (!(step > 0) || !(fabs(t[i] - t[0] - step * (double)i) <= 1e-3 * step))
      return refuse_file(r, "the times are not equally spaced");
  for (int c = 1; c < table->columns; c++)
    for (size_t i = 0; i < table->rows; i++)
      if (!isfinite(table->values[c][i])) return refuse_file(r, "a force is missing");
  return FW_OK;
}

static fw_status fill_measured(const range *r, const fw_data_table *table, fw_field *field) {
  enum { KEEP } mean = fw_args_integer(r->args, "mean");
  double *work;
  field->begin = table->values[0][0];
  field->step = (table->values[0][table->rows - 1] - field->begin) / (double)field->intervals;
  for (int s = 0; s < field->signals; s++) {
    double sum = 0;
    for (size_t i = 0; mean != KEEP && i < table->rows; i++) sum += table->values[1 + s][i];
    for (size_t i = 0; i < table->rows; i++)
      field->c[(i + 1) * (size_t)field->signals + (size_t)s] = table->values[1 + s][i] - sum / (double)table->rows;
  }
  FW_TRY(fw_alloc(r->builder->ctx, table->rows, sizeof *work, &work));
  fw_field_interpolate(field, work);
  free(work);
  fw_field_close(field);
  return FW_OK;
}

static fw_status make_measured(range *r, fw_field **field) {
  fw_sink *sink = NULL;
  fw_data_table *table;
  fw_status status;
  FW_TRY_DONE(fw_sink_create(r->builder->ctx, &sink));
  status = fw_csv_read(r->builder->aside, fw_args_text(r->args, "file"), sink, "load", "forces", &table);
  FW_TRY_DONE(fw_builder_retell(r->builder, status, r->args, "file"));
  FW_TRY_DONE(check_table(r, table));
  r->cells = (table->columns - 1) / r->directions;
  FW_TRY_DONE(fw_field_create(r->builder->ctx, table->columns - 1, table->rows - 1, field));
  FW_TRY_DONE(fill_measured(r, table, *field));
done:
  fw_sink_destroy(&sink);
  return status;
}

/* ---- the load ------------------------------------------------------------------------------------- */

fw_status fw_build_field(fw_builder *builder, const fw_item *item, fw_load *load) {
  range r = {.builder = builder, .args = &item->args};
  fw_status status;
  load->ops = &fw_load_field;
  FW_TRY(fw_copy_text(builder->ctx, fw_args_text(r.args, "id"), &load->id));
  if (fw_builder_body(builder, fw_args_text(r.args, "tube")) < 0 && builder->incomplete) return FW_ERR_DECK;
  FW_TRY_DONE(fw_tube_pieces_list(builder, r.args, "tube", &r.pieces));
  FW_TRY_DONE(fw_tube_pieces_range(builder, r.args, "load", &r.pieces));
  r.directions = fw_args_integer(r.args, "directions") == 0 ? 2 : 1;
  FW_TRY_DONE(strcmp(item->name, "turbulence") == 0 ? make_turbulence(&r, &load->field)
                                                    : make_measured(&r, &load->field));
  FW_TRY_DONE(add_shapes(&r, load->field));
done:
  free(r.pieces.list);
  return status;
}
