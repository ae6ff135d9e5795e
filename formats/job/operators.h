/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The operators of one GPU of a job.
 */
#pragma once

#include "formats/job/import.h"

/* Survey: window and steps. Else: rows. @is_temp: temp.json. */
gboolean tt_job_import_read_operators (TtJobImport *self,
                                       TtJobImportProcess *process,
                                       const char *path,
                                       gboolean is_temp,
                                       GError **error);
