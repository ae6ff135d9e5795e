/* SPDX-License-Identifier: Apache-2.0 */
/*
 * io.json of a job: the input pipeline of one GPU. Its events before the first operator are those of the first step: of
 * each name, the last one is kept.
 */
#pragma once

#include "formats/job/import.h"

gboolean tt_job_import_read_io (TtJobImport *self, TtJobImportProcess *process, const char *path, GError **error);
