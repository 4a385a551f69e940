/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A module as an older build may have left it: its table begins with something else than this one's. */
#ifdef FW_STALE_MARK
const char fw_module_made_for[] = FW_STALE_MARK;
#endif
const double fw_mpi_transport[16] = {1};
