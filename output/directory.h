/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The directory sink: FOLDER/ANALYSIS/TABLE.csv, flushed row by row; SERIES-NNNN.vtu with
 * SERIES.pvd, contact points in SERIES-contact-NNNN.vtu with SERIES-contact.pvd. Whatever was
 * written stays readable when the program is killed. */
#ifndef FW_OUTPUT_DIRECTORY_H
#define FW_OUTPUT_DIRECTORY_H

#include "core/sink.h"

/* A sink that writes below an existing folder. */
fw_status fw_directory_create(fw_context *ctx, const char *folder, fw_sink **sink);

/* To be called when an analysis has ended, however it ended: closes its files and writes its kept
 * tables as TABLE.vtt and its plots as *.svg. */
fw_status fw_directory_finish(fw_context *ctx, fw_sink *sink, const char *analysis);

#endif
