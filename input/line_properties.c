/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Material, section and kind of mass of a beam or tube. */
#include <stdlib.h>
#include <string.h>

#include "input/builder.h"

static fw_status fill_section(fw_builder *builder, const fw_item *section, fw_properties *props) {
  const fw_section_ops *ops = (const fw_section_ops *)(const void *)section->entry;
  double *constants;
  int count;
  FW_TRY(fw_builder_constants(builder, &section->entry_args, NULL, &constants, &count));
  props->mass_per_length = fw_args_number(&section->args, "added-mass");
  const char *wrong = ops->fill(constants, props->nu, props);
  free(constants);
  return wrong ? fw_fail_at(builder->ctx, FW_ERR_DECK, section->args.place, "%s", wrong) : FW_OK;
}

fw_status fw_builder_line_properties(fw_builder *builder, const fw_item *item, fw_properties *props) {
  const fw_args *args = &item->args;
  fw_builder_material(builder, args, props);
  props->lumped = strcmp(fw_args_text(args, "mass"), "lumped") == 0;
  return fill_section(builder, fw_builder_find(builder, "sections", fw_args_text(args, "section")), props);
}
