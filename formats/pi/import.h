/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the parts of the PI importer share: format.c, import.c (calls), import-sides.c (what lies beside them).
 */
#pragma once

#include "formats/format.h"
#include "formats/pi/trace.h"

/* The calls of @trace become spans, flows and threads of @process, and those of queues tasks, unless it @has_tasks. */
gboolean tt_pi_import_calls (TtPiTrace *trace,
                             const TtImportOptions *options,
                             gboolean has_tasks,
                             TtSink *sink,
                             guint32 process,
                             GError **error);

/* Configuration, environment, files, images, task graph as metadata of @process (docs/formats.md), the task graph also
 * as rows: TRUE. What is damaged is said in notes. */
gboolean tt_pi_import_sides (TtPiTrace *trace, TtSink *sink, guint32 process);
/* @items: as tt_pi_graph_read() gives them. */
void tt_pi_import_tasks (const GPtrArray *items, TtSink *sink, guint32 process);
/* The command line in the configuration; NULL: none. Free it. */
char *tt_pi_command_line (TtPiTrace *trace);
