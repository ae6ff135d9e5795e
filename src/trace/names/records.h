/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records of TtNames: everything about a name, immutable, on a tape.
 *
 * A place is where a record lies, plus one; 0 is none. The strings of a record live until another one
 * is loaded or stored. On the tape a record takes little more than its raw name: what is a part of that, or follows from
 * other strings, is not written again, and words that many names have are numbers.
 */
#pragma once

#include "src/base/tape.h"
#include "src/trace/batch.h"

#define TT_NAME_NO_STRING G_MAXUINT32

typedef struct
{
  gint64 line;
  guint64 communicator;
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
  GByteArray *packed; /* as it is on the tape; scratch */
  GPtrArray *words;   /* that records have as numbers */
  GHashTable *word_numbers;
  guint last_word[TT_N_NAME_TEXTS]; /* as which each string was there last, + 1 */
  GString *text;                    /* one that was put together; scratch */
  GByteArray *record;               /* the one at hand: its header, then its strings */
  guint64 place;                    /* its place */
} TtNameRecords;

void tt_name_records_init (TtNameRecords *self);
void tt_name_records_clear (TtNameRecords *self);

const TtNameHeader *tt_name_records_load (TtNameRecords *self, guint64 place, const char *strings[TT_N_NAME_TEXTS]);
/* @like: what is not about strings. Returns the place. */
guint64
tt_name_records_store (TtNameRecords *self, const TtNameHeader *like, const char *const strings[TT_N_NAME_TEXTS]);
