/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each version of the schema changed, from which an older database is read and upgraded.
 *
 * The list goes back to version 1 and only grows: who changes a table in schema.c adds a version here, and a database
 * of the new version to data/databases/ (tests/store/test-upgrade.c insists). A version had several layouts while it was
 * developed; what may be there already is therefore listed under the version that certainly has it.
 */
#pragma once

typedef enum
{
  TT_SCHEMA_NEW_TABLE,  /* empty in an upgraded database */
  TT_SCHEMA_NEW_COLUMN, /* of `table`, with `value` in old rows */
  TT_SCHEMA_NEW_TYPE,   /* of `column`, whose values stay */
} TtSchemaChangeKind;

typedef struct
{
  int version; /* that certainly has it */
  TtSchemaChangeKind kind;
  const char *table, *column;
  const char *value; /* expression over the old row o; :version is the version of the database */
} TtSchemaChange;

/* By version; `table` of the last is NULL. */
extern const TtSchemaChange tt_schema_changes[];
