/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What makes a folder a result folder: manifest.json, written before anything else, says what the results come from,
 * manifest.txt names every file and folder that fretwork made there, a line each, before it is made. Only those are
 * ever removed or written anew. */
#ifndef FW_OUTPUT_MANIFEST_H
#define FW_OUTPUT_MANIFEST_H

#include "core/record.h"

typedef struct fw_manifest fw_manifest;

/* What a folder's results come from; NULL where the folder has no manifest. */
fw_status fw_manifest_read(fw_context *ctx, const char *folder, fw_record **origin);

/* Takes a folder over for writing, until closed: the context asks the manifest before it makes a file there, which is
 * noted, or refused if there is one that fretwork did not write. FW_ERR_ARGUMENT if another run has the folder. */
fw_status fw_manifest_open(fw_context *ctx, const char *folder, fw_manifest **manifest);
void fw_manifest_close(fw_manifest **manifest);

/* Removes what fretwork made, and no more. *others: how many files and folders are left. */
fw_status fw_manifest_empty(fw_manifest *manifest, int *others);

/* Writes manifest.json: the record with the mark of a result folder in it. */
fw_status fw_manifest_write(fw_manifest *manifest, fw_record *origin);

/* For whoever adds to a finished result: as open, but NULL without complaint in a folder without manifest. */
fw_status fw_manifest_join(fw_context *ctx, const char *folder, fw_manifest **manifest);

/* True for an empty folder, and for one in which a run was killed before it had written its manifest. */
bool fw_manifest_none_yet(const char *folder);

#endif
