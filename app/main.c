/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>

#include "fretwork.h"

int main(void) {
  puts(fw_version());
  return 0;
}
