/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* dladdr */
#include "core/module.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *open_module(const char *name, const char *variable, int scope) {
  static const char *const beside[] = {"", "fretwork/"};
  const char *given = variable ? getenv(variable) : NULL;
  if (given) return dlopen(given, RTLD_NOW | scope);
  Dl_info self;
  char path[4200], file[64];
  snprintf(file, sizeof file, "libfretwork_%s.so", name);
  const char *slash = dladdr(beside, &self) ? strrchr(self.dli_fname, '/') : NULL;
  for (size_t i = 0; slash && i < sizeof beside / sizeof *beside; i++) {
    snprintf(path, sizeof path, "%.*s/%s%s", (int)(slash - self.dli_fname), self.dli_fname, beside[i], file);
    void *module = dlopen(path, RTLD_NOW | scope);
    if (module) return module;
  }
  return dlopen(file, RTLD_NOW | scope);
}

fw_status fw_module_find(fw_context *ctx, const fw_module *module, const void **symbol) {
  *symbol = NULL;
  void *library = open_module(module->name, module->variable, module->scope);
  if (!library)
    return fw_fail(ctx, FW_ERR_LIBRARY, "the module fretwork_%s cannot be loaded: %s", module->name, dlerror());
  const char *made_for = dlsym(library, "fw_module_made_for");
  if (!made_for || strcmp(made_for, FW_MODULE_MARK) != 0)
    return fw_fail(ctx, FW_ERR_LIBRARY, "the module fretwork_%s was made for another build (%s) than this library (%s)",
                   module->name, made_for ? made_for : "an older one", FW_MODULE_MARK);
  *symbol = dlsym(library, module->symbol);
  return *symbol ? FW_OK : fw_fail(ctx, FW_ERR_LIBRARY, "the module fretwork_%s: %s", module->name, dlerror());
}
