/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The database schema: its text, its version, how a file is known as ours.
 *
 * Names that end in _row are private tables, ours to change with the version; the views and the
 * other tables are the public schema of docs/schema.md. Ids of a run are one range per table, and
 * the rows of a source are one range of ids per table, kept in source_row.
 */
#pragma once

/* "TTdb". */
#define TT_SCHEMA_APPLICATION_ID 0x54546462
/* Older ones are read as they are and upgraded by the next command that writes: schema-changes.h, upgrade.h. */
#define TT_SCHEMA_VERSION 13

/* Flags lie in the low bits of event_row.shape, the depth above them. */
#define TT_SCHEMA_SHAPE_BITS 12

/* Bits of message_row.flags. */
#define TT_MESSAGE_ONESIDED 1
#define TT_MESSAGE_RECV_BEFORE_SEND 2
#define TT_MESSAGE_UNMATCHED 4
#define TT_MESSAGE_FLAGS 8

/* Bits of collective_row.flags. */
#define TT_COLLECTIVE_INFERRED 1
#define TT_COLLECTIVE_UNDECIDED 2 /* comm is NULL */
#define TT_COLLECTIVE_NUMBERED 8  /* ordinal is the number that the source gives the call, the same on each rank */
#define TT_COLLECTIVE_DOUBTFUL 4  /* inferred, and it may as well be of another communicator */

/* Bits of activity_row.role beside a TtActivityRole, and of flow_row.link beside a TtLink. */
#define TT_SCHEMA_ROLE_BLOCKS 128u
#define TT_SCHEMA_LINK_INFERRED 128

/* The arguments with that id which have a form (args-format.h); NULL: there are none, or it is a format that we do not write, whose
 * text may be of any length. */
#define TT_SCHEMA_FILLED_ARGS(id)                                                                                 \
  "(SELECT CASE WHEN replace (f.format, '%%', '') GLOB '*%[^dx]*' THEN NULL ELSE printf"                          \
  " (f.format, v.v1, v.v2, v.v3, v.v4, v.v5, v.v6, v.v7, v.v8, v.v9, v.v10, v.v11, v.v12, v.v13, v.v14, v.v15,"   \
  " v.v16, v.v17, v.v18, v.v19, v.v20, v.v21, v.v22, v.v23, v.v24, v.v25, v.v26, v.v27, v.v28, v.v29, v.v30) END" \
  " FROM args_filled_row v JOIN args_form_row f ON f.id = v.form WHERE v.id = " id ")"

/* Statements that make all tables and views, NULL-ended. */
extern const char *const tt_schema_sql[];
