/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/friction/plugin.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "contact/friction/checks.h"
#include "contact/friction/setting.h"
#include "core/hash.h"

#define BENCH_LOAD 83.0 /* N, as for the laws of the table */

const char *fw_plugin_name(const char *law) {
  static const char prefix[] = "plugin:";
  return strncmp(law, prefix, sizeof prefix - 1) == 0 ? law + sizeof prefix - 1 : NULL;
}

/* A loaded object, kept loaded for good once it has passed. */
typedef struct plugin_object {
  void *handle;
  const fw_law_plugin *plugin;
  bool passed; /* was loaded, and so checked, before */
} plugin_object;

fw_status fw_plugin_path(fw_context *ctx, const char *name, const char *folder, char *path, size_t room) {
  if (!*name || strchr(name, '/'))
    return fw_fail(ctx, FW_ERR_ARGUMENT,
                   "plug-in '%s': give its name alone; it is loaded from beside the deck, as NAME.so", name);
  int length = snprintf(path, room, "%s/%s.so", folder ? folder : ".", name);
  return length >= 0 && (size_t)length < room ? FW_OK : fw_fail(ctx, FW_ERR_IO, "plug-in '%s': name too long", name);
}

/* Of its contents and of this version; one that cannot be read has that of no contents. */
static uint64_t plugin_mark(const char *path) {
  char part[4096];
  uint64_t mark = fw_hash_text(FW_HASH_START, fw_version());
  FILE *file = fopen(path, "rb");
  for (size_t length; file && (length = fread(part, 1, sizeof part, file)) > 0;) mark = fw_hash(mark, part, length);
  if (file) fclose(file);
  return mark;
}

static fw_status plugin_open(fw_context *ctx, const char *name, const char *path, plugin_object *object) {
  struct stat about;
  fw_log(ctx, "plug-in '%s' is loaded and checked", name); /* the last word, where it ends the program */
  if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))  /* to open a pipe may never end */
    return fw_fail(ctx, FW_ERR_IO, "plug-in '%s' cannot be loaded: %s is not a file", name, path);
  object->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  object->passed = object->handle != NULL;
  if (!object->passed && !fw_plugin_admitted(ctx, path, plugin_mark(path)))
    return fw_fail(ctx, FW_ERR_LIBRARY, "plug-in '%s' did not pass its trial", name);
  if (!object->handle) object->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!object->handle) return fw_fail(ctx, FW_ERR_IO, "plug-in '%s' cannot be loaded: %s", name, dlerror());
  object->plugin = dlsym(object->handle, "fretwork_law");
  return object->plugin ? FW_OK : fw_fail(ctx, FW_ERR_IO, "plug-in '%s': %s exports no 'fretwork_law'", name, path);
}

static fw_status plugin_form(fw_context *ctx, const char *name, const fw_law_plugin *plugin) {
  if (plugin->abi != FW_LAW_ABI)
    return fw_fail(ctx, FW_ERR_LIBRARY, "plug-in '%s' is built for interface %d, this is %d", name, plugin->abi,
                   FW_LAW_ABI);
  const fw_friction_ops *ops = plugin->ops;
  if (!ops || !ops->entry.name || !ops->entry.summary || !ops->entry.equation || !ops->entry.source)
    return fw_fail(ctx, FW_ERR_LIBRARY, "plug-in '%s' does not describe itself", name);
  if (!ops->step && !ops->rate && !ops->limit)
    return fw_fail(ctx, FW_ERR_LIBRARY, "plug-in '%s' has no face: step, rate or limit", name);
  return FW_OK;
}

static fw_status plugin_conform(fw_context *ctx, const char *name, const fw_friction *law) {
  fw_law_probe probe;
  bool kept;
  FW_TRY(fw_law_keeps_to_room(ctx, law, &kept));
  if (!kept) return fw_fail(ctx, FW_ERR_LIBRARY, "plug-in '%s' writes beyond its %d states", name, law->states);
  FW_TRY(fw_law_probe_create(ctx, law, BENCH_LOAD, &probe));
  fw_status status = FW_OK;
  for (const fw_duty *duty = fw_duties; duty->name && status == FW_OK; duty++) {
    const char *wrong = duty->check(&probe);
    if (!wrong) continue;
    if (duty->form)
      status = fw_fail(ctx, FW_ERR_LIBRARY, "plug-in '%s': %s: %s", name, duty->name, wrong);
    else
      fw_log(ctx, "plug-in '%s': %s: %s", name, duty->name, wrong);
  }
  fw_law_probe_clear(&probe);
  return status;
}

static fw_status plugin_check(fw_context *ctx, const char *name, const fw_law_plugin *plugin) {
  fw_friction law;
  FW_TRY(plugin_form(ctx, name, plugin));
  FW_TRY(fw_law_create(ctx, plugin->ops, NULL, 0, &law));
  fw_status status = plugin_conform(ctx, name, &law);
  fw_friction_clear(&law);
  return status;
}

static fw_status load(fw_context *ctx, const char *name, const char *path, const fw_friction_ops **ops) {
  plugin_object object = {0};
  *ops = NULL;
  fw_status status = plugin_open(ctx, name, path, &object);
  if (status == FW_OK && !object.passed) status = plugin_check(ctx, name, object.plugin);
  if (status == FW_OK)
    *ops = object.plugin->ops;
  else if (object.handle)
    dlclose(object.handle);
  return status;
}

fw_status fw_plugin_load(fw_context *ctx, const char *name, const char *folder, const fw_friction_ops **ops) {
  char path[4096];
  *ops = NULL;
  FW_TRY(fw_plugin_path(ctx, name, folder, path, sizeof path));
  return load(ctx, name, path, ops);
}

fw_status fw_plugin_load_file(fw_context *ctx, const char *path) {
  const char *name = strrchr(path, '/');
  const fw_friction_ops *ops;
  return load(ctx, name ? name + 1 : path, path, &ops);
}
