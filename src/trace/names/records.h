/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records of TtNames: everything about a name, immutable, on a tape.
 *
 * A place is where a record lies, plus one; 0 is none. The strings of a record live until another one
 * is loaded or stored.
 */
#pragma once

#include "src/base/tape.h"
#include "src/trace/batch.h"

#define TT_NAME_NO_STRING G_MAXUINT32

typedef struct
{
  gint64 line;
  guint64 communicator;
  guint32 size; /* of the record */
  guint32 id;
  gint32 rule;
  guint32 is_collective;
  guint32 base_len;             /* of the text without "#2" */
  guint32 text_use;             /* TtTextUse */
  guint32 len[TT_N_NAME_TEXTS]; /* TT_NAME_NO_STRING: NULL */
} TtNameHeader;

typedef struct
{
  TtTape *tape;
  GByteArray *record; /* the one at hand */
  guint64 place;      /* its place */
} TtNameRecords;

void tt_name_records_init (TtNameRecords *self);
void tt_name_records_clear (TtNameRecords *self);

const TtNameHeader *tt_name_records_load (TtNameRecords *self, guint64 place, const char *strings[TT_N_NAME_TEXTS]);
/* @like: what is not about strings. Returns the place. */
guint64
tt_name_records_store (TtNameRecords *self, const TtNameHeader *like, const char *const strings[TT_N_NAME_TEXTS]);
