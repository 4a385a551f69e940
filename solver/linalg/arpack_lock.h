/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ARPACK keeps state between its calls: one thread at a time. */
#ifndef FW_LINALG_ARPACK_LOCK_H
#define FW_LINALG_ARPACK_LOCK_H

void fw_arpack_enter(void);
void fw_arpack_leave(void);

#endif
