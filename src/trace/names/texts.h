/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The texts of TtNames: op_cat.op_name[.sub_op], with "#2", "#3" where raw names would share one.
 *
 *   texts   hash of a text -> place of the first record with it; and, for a raw name that had to get
 *           "#2" or more, hash of (text without the #, raw) -> place of its first record
 *   clashes hash of a text -> the last number after a #. A hash is enough: a number that is
 *           skipped does no harm, and `texts` prevents that one is given twice.
 */
#pragma once

#include "src/base/slots.h"
#include "src/trace/names/names.h"
#include "src/trace/names/records.h"

typedef struct
{
  TtNameRecords *records; /* borrowed */
  TtSlots *texts, *clashes;
  guint64 seed;
  guint64 found_hash; /* of the text that was looked for last */
  GByteArray *key;    /* scratch */
} TtNameTexts;

/* What a text's record must be listed under once it is stored. */
typedef struct
{
  guint32 base_len;  /* without "#2" */
  gboolean is_first; /* the text is new */
  TtTextUse use;
  guint64 text_hash; /* of a new text */
  guint64 raw_hash;  /* not 0: first of its raw name with a number */
} TtTextPlace;

void tt_name_texts_init (TtNameTexts *self, TtNameRecords *records, guint64 seed);
void tt_name_texts_clear (TtNameTexts *self);
gboolean tt_name_texts_check (const TtNameTexts *self, GError **error);

/* op_cat.op_name[.sub_op], but UPDATE_CAL, UPDATE_3, OUTPUT0, I/O_0 and END as they are known. */
void tt_name_text_make (GString *text, const char *op_cat, const char *op, const char *sub_op);
/* The first record with exactly this text; 0: none. */
guint64 tt_name_texts_find (TtNameTexts *self, const GString *text);
/* Appends "#2" and so on to @text if another raw name than @raw has it. @first: what tt_name_texts_find() has just found. */
TtTextPlace tt_name_texts_settle (TtNameTexts *self, GString *text, const char *raw, const char *suffix, guint64 first);
/* Takes a name of a database as it is; @text is scratch and becomes its text. */
TtTextPlace tt_name_texts_seed (TtNameTexts *self, GString *text, const TtName *name);
void tt_name_texts_list (TtNameTexts *self, const TtTextPlace *place, guint64 at);
