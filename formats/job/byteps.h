/* SPDX-License-Identifier: Apache-2.0 */
/*
 * comm_timeline.json and server_timeline.json of a job: transfers between its workers and BytePS' servers, and the
 * servers' work.
 */
#pragma once

#include "formats/job/import.h"

/* Finds process->worker of all. */
void tt_job_import_number_workers (TtJobImport *self);
/* One of the two files, after the survey; rows. */
gboolean tt_job_import_read_servers (TtJobImport *self, const char *path, GError **error);
