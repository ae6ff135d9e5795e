/* SPDX-License-Identifier: Apache-2.0 */
/*
 * comm.json of a job: the timeline that a patched Horovod writes on each rank.
 */
#pragma once

#include "formats/job/import.h"

/* Survey: the ends of its Syncs. Else: rows. */
gboolean tt_job_import_read_horovod (TtJobImport *self, TtJobImportProcess *process, const char *path, GError **error);
