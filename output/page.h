/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Style and script of report.html (output/page/, uPlot), embedded by cmake/page.cmake. The script has no length where
 * uPlot was not there when fretwork was built: pages have their pictures alone. */
#ifndef FW_OUTPUT_PAGE_H
#define FW_OUTPUT_PAGE_H

#include <stddef.h>

extern const unsigned char fw_page_style[], fw_page_script[];
extern const size_t fw_page_style_length, fw_page_script_length;
extern const unsigned char fw_page_style_mark[32], fw_page_script_mark[32]; /* SHA-256 */

#endif
