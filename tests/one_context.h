/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A context for the tests of one file: opened and closed about all of them, or about each (IN_CONTEXT). */
#ifndef FW_TESTS_ONE_CONTEXT_H
#define FW_TESTS_ONE_CONTEXT_H

#include "cmocka_all.h"
#include "fretwork.h"

static fw_context *ctx;

static inline int open_context(void **unused) {
  (void)unused;
  return fw_context_create(&ctx);
}

static inline int close_context(void **unused) {
  (void)unused;
  fw_context_destroy(&ctx);
  return 0;
}

#define IN_CONTEXT(test) cmocka_unit_test_setup_teardown(test, open_context, close_context)

#endif
