/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/schema-changes.h"

#include <stddef.h>

#define TABLE(version, table) { version, TT_SCHEMA_NEW_TABLE, table, NULL, NULL }
#define COLUMN(version, table, column, value) { version, TT_SCHEMA_NEW_COLUMN, table, column, value }
#define TYPE(version, table, column) { version, TT_SCHEMA_NEW_TYPE, table, column, NULL }

/* Kinds of flows as the importers of PI and Kineto wrote them before they said what a flow means. */
#define FORMAT_OF_FLOW                                                                  \
  "(SELECT s.format FROM source_row s WHERE s.first_event <= o.from_event ORDER BY s.first_event DESC LIMIT 1)"
#define LINK_OF_FLOW                                                                                          \
  "CASE WHEN o.kind LIKE '%\\_inferred' ESCAPE '\\' THEN 128"                                                 \
  " WHEN o.kind = 'ac2g' AND " FORMAT_OF_FLOW " IN ('kineto', 'ctf') THEN 1"                                  \
  " WHEN o.kind = 'fwdbwd' AND " FORMAT_OF_FLOW " = 'kineto' THEN 2"                                          \
  " WHEN o.kind = 'thread' AND " FORMAT_OF_FLOW " = 'pi' THEN 3"                                              \
  " WHEN o.kind = 'create' AND " FORMAT_OF_FLOW " = 'pi' THEN 4"                                              \
  " WHEN o.kind = 'finish' AND " FORMAT_OF_FLOW " = 'pi' THEN 5 END"

const TtSchemaChange tt_schema_changes[] = {
  TABLE (2, "args_row"),
  TABLE (2, "parameter_row"),
  TYPE (2, "event_row", "args"),
  COLUMN (2, "source_row", "first_args", "NULL"),
  COLUMN (2, "source_row", "last_args", "NULL"),
  COLUMN (2, "flow_row", "from_ns", "NULL"),
  COLUMN (2, "flow_row", "to_ns", "NULL"),

  COLUMN (3, "source_row", "n_args",
          "(SELECT count (e.args) FROM event_row e WHERE e.id BETWEEN o.first_event AND o.last_event)"),
  COLUMN (3, "parameter_row", "source_row",
          "(SELECT max (s.id) FROM source_row s WHERE s.run = o.run AND s.path = o.source)"),
  TABLE (3, "nccl_shape"),
  TABLE (3, "nccl_edge"),

  TABLE (4, "task_row"),
  TABLE (4, "task_edge_row"),

  /* From 0 to -1: nobody asked what the source knows of devices. */
  COLUMN (5, "source_row", "first_activity", "CASE WHEN o.format IN ('kineto', 'ctf') THEN 0 END"),
  COLUMN (5, "source_row", "last_activity", "CASE WHEN o.format IN ('kineto', 'ctf') THEN -1 END"),
  COLUMN (5, "flow_row", "link", LINK_OF_FLOW),
  TABLE (5, "role_row"),
  TABLE (5, "activity_row"),
  /* Ids of runs are not used again. */
  TYPE (5, "run_row", "id"),
  COLUMN (5, "source_row", "options", "NULL"),
  /* Version 4 upgraded sources of version 3 without saying so, but for their activity. */
  COLUMN (5, "source_row", "schema", "CASE WHEN o.first_activity = 0 THEN min (3, :version) ELSE :version END"),

  /* Where ranks have numbers, these say whose a device is. */
  COLUMN (7, "process_row", "owner", "NULL"),

  /* Events of before have no pieces: they are read whole. */
  TABLE (8, "event_block_row"),

  /* Nobody compared the clocks, nor looked who takes part in a collective. */
  TABLE (9, "clock_row"),
  TABLE (9, "clock_fit_row"),
  COLUMN (9, "collective_row", "root", "NULL"),
  COLUMN (9, "collective_row", "flags", "0"),

  /* Nobody counted by process what was mended. */
  TABLE (10, "trust_row"),

  /* Nobody looked for it: what is read of a run finds it again. */
  COLUMN (12, "trust_row", "doubtful", "0"),

  TABLE (13, "args_form_row"),
  TABLE (13, "args_filled_row"),
  { 0, TT_SCHEMA_NEW_TABLE, NULL, NULL, NULL },
};
