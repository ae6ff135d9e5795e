/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of a job that describe its model: graph, connections of NCCL, parameters.
 */
#pragma once

#include "formats/job/import.h"

/* Makes self->model that of @rank. */
gboolean tt_job_import_load_model (TtJobImport *self, const TtJobRank *rank, GError **error);
void tt_job_import_model_free (TtJobImportModel *self);
/* The standard name of a node as a JSON string. Free it. */
char *tt_job_import_node_json (const TtJobImportModel *self, guint32 node);
/* Within its first source: metadata of @process, its graph and its connections; the first time the job's parameters. */
gboolean tt_job_import_add_metadata (TtJobImport *self, const TtJobImportProcess *process, GError **error);
