/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* dladdr */
#include "core/module.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *fw_module_open(const char *name, const char *variable, int scope) {
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
