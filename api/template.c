/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "api/templates.h"
#include "core/table.h"

enum { MOST_TEMPLATES = 63, NAMES_ROOM = 1024 };

/* The first line of the first comment, which other files begin with. */
static int heading(const char *text, const char **begins) {
  const char *comment = strstr(text, "<!--");
  *begins = comment ? comment + 4 : text;
  *begins += strspn(*begins, "/# ");
  return (int)strcspn(*begins, "\n");
}

void fw_templates_list(FILE *out) {
  for (int i = 0; fw_templates[i].name; i++) {
    const char *begins;
    int length = heading(fw_templates[i].text, &begins);
    fprintf(out, "%-20s  %.*s\n", fw_templates[i].name, length, length ? begins : "");
  }
}

fw_status fw_template(fw_context *ctx, const char *name, char **text) {
  const char *names[MOST_TEMPLATES + 1] = {NULL};
  char all[NAMES_ROOM] = "";
  FW_NEED(ctx, ctx);
  FW_NEED(ctx, text);
  *text = NULL;
  if (!name) name = "beam";
  for (int i = 0; i < MOST_TEMPLATES && fw_templates[i].name; i++) {
    if (strcmp(fw_templates[i].name, name) == 0) return fw_copy_text(ctx, fw_templates[i].text, text);
    names[i] = fw_templates[i].name;
    size_t used = strlen(all);
    snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "", names[i]);
  }
  const char *near = fw_nearest(names, name);
  return fw_fail(ctx, FW_ERR_ARGUMENT, "there is no template \"%s\"%s%s%s; there are: %s", name,
                 near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "", all);
}
