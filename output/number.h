/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as text. */
#ifndef FW_OUTPUT_NUMBER_H
#define FW_OUTPUT_NUMBER_H

#ifdef __cplusplus
extern "C" {
#endif

enum { FW_NUMBER_ROOM = 32 };

/* What printf's %.12g gives in the C locale, without a NUL; returns the length. Several times faster: with
 * libquadmath in the process, as libgfortran brings it, printf takes its slow way. */
int fw_number_text(double value, char text[FW_NUMBER_ROOM]);

#ifdef __cplusplus
}
#endif
#endif
