/* SPDX-License-Identifier: Apache-2.0 */
/*
 * comm_detail.json of a job: the chunks that NCCL sends and receives on one GPU.
 */
#pragma once

#include "formats/job/import.h"

gboolean tt_job_import_read_detail (TtJobImport *self, TtJobImportProcess *process, const char *path, GError **error);
