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
#define TT_SCHEMA_VERSION 4

/* Flags lie in the low bits of event_row.shape, the depth above them. */
#define TT_SCHEMA_SHAPE_BITS 12

/* Bits of message_row.flags. */
#define TT_MESSAGE_ONESIDED 1
#define TT_MESSAGE_RECV_BEFORE_SEND 2
#define TT_MESSAGE_UNMATCHED 4
#define TT_MESSAGE_FLAGS 8

/* Statements that make all tables and views, NULL-ended. */
extern const char *const tt_schema_sql[];
