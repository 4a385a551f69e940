/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files and folders, with messages that name them. Every failure is FW_ERR_IO (or MEMORY). */
#ifndef FW_OUTPUT_FILES_H
#define FW_OUTPUT_FILES_H

#include <stdio.h>

#include "core/context.h"

/* "folder/name", to be freed. */
fw_status fw_path_join(fw_context *ctx, const char *folder, const char *name, char **path);

/* A copy of `name` fit for a file name: anything but letters, digits, '.', '_', '+', '-' becomes '-'. */
fw_status fw_path_safe(fw_context *ctx, const char *name, char **safe);

bool fw_path_exists(const char *path);

/* FW_ERR_ARGUMENT if there is a file, which only --force may replace. */
fw_status fw_file_absent(fw_context *ctx, const char *path);

/* Makes a folder and those above it; an existing one is fine. */
fw_status fw_folder_make(fw_context *ctx, const char *path);

/* Names in a folder that end with `suffix`, sorted; folders instead of files if `folders`. The list
 * and its names are one block, freed with free(). */
fw_status fw_folder_list(fw_context *ctx, const char *path, const char *suffix, bool folders, char ***names,
                         int *count);

/* Writes a file whole: under a temporary name beside it, then renamed, so that nobody ever sees half of it,
 * however the program ends. */
fw_status fw_file_write(fw_context *ctx, const char *path, const void *bytes, size_t length);

/* A text as "folder/name". */
fw_status fw_file_write_in(fw_context *ctx, const char *folder, const char *name, const char *text);

/* The whole file, with a NUL after its end; to be freed. length may be NULL. */
fw_status fw_file_read(fw_context *ctx, const char *path, char **bytes, size_t *length);

/* Opens for writing from the start. */
fw_status fw_file_open(fw_context *ctx, const char *path, FILE **file);

/* Pushes what was printed to the disk; says so if it did not arrive (disk full). */
fw_status fw_file_flush(fw_context *ctx, FILE *file, const char *path);

#endif
