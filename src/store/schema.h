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
#define TT_SCHEMA_VERSION 12

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

/* Statements that make all tables and views, NULL-ended. */
extern const char *const tt_schema_sql[];
