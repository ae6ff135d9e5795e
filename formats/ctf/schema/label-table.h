/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCtfLabelTable: which labels of an enumeration have a value, made once, when its declaration is read.
 *
 * Mappings may overlap in any number, but of one value no more labels count than TT_CTF_MAX_LABELS and one, in the order
 * of the metadata. So the table takes memory for each mapping, not for each pair of those that overlap, and a value costs
 * the logarithm of their number.
 */
#pragma once

#include "formats/ctf/schema/schema.h"

/* Labels of one value that are told. */
#define TT_CTF_MAX_LABELS 64u

/* Of @mappings, an array of TtCtfMapping that it frees: they become those of @type, whose sort and sign are known, and the
 * table with them. */
void tt_ctf_label_table_make (TtCtfSchema *schema, TtCtfType *type, GArray *mappings);

/* The mappings of @type that have @value, by number: of each label the first; TT_CTF_MAX_LABELS + 1 at most. How many. */
guint tt_ctf_label_table_find (const TtCtfType *type, guint64 value, guint found[TT_CTF_MAX_LABELS + 1]);
/* Appends the ranges that are called @label, a text of the schema, to @ranges, each with @key. FALSE: the schema has too
 * many of them. */
gboolean
tt_ctf_label_table_ranges (TtCtfSchema *schema, const TtCtfType *type, const char *label, guint key, GArray *ranges);
