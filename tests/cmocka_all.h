/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmocka with the headers it needs, in the order it needs them. */
#ifndef FW_TESTS_CMOCKA_ALL_H
#define FW_TESTS_CMOCKA_ALL_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#endif
