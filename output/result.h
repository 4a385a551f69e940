/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The folder of a result: who may write into it, and the log it keeps. */
#ifndef FW_OUTPUT_RESULT_H
#define FW_OUTPUT_RESULT_H

#include "core/record.h"

/* What to do with a folder that exists and is not empty. */
typedef enum fw_existing { FW_EXISTING_REFUSE, FW_EXISTING_CONTINUE, FW_EXISTING_REPLACE } fw_existing;

typedef struct fw_result_folder fw_result_folder;

/* Makes the folder ready, writes its manifest (manifest.h) with what the results come from, and starts its log
 * (log.txt), which takes the context's log lines until closed. Only a result folder is ever replaced or continued;
 * anything else is left alone with FW_ERR_ARGUMENT. To replace one is to remove what fretwork wrote there. */
fw_status fw_result_open(fw_context *ctx, const char *path, fw_existing existing, fw_record *origin,
                         fw_result_folder **folder);
void fw_result_close(fw_result_folder **folder);

/* FW_ERR_IO if the log could not be written since the last call. */
fw_status fw_result_check(fw_result_folder *folder);

#endif
