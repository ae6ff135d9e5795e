/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTable, TtFacts: an answer of several tables, each under a word of --show, and of single facts beside them.
 *
 * csv and tsv hold one table, table and markdown one after the other; json is an object with the facts first and then
 * a member a table, of the words' names.
 */
#pragma once

#include "src/base/json-writer.h"
#include "src/base/report/fields.h"

/* Nothing of --show was given. */
#define TT_SHOW_ALL (-1)

typedef struct
{
  const char *word;     /* of --show; the member of the JSON object */
  TtReport *report;     /* borrowed; NULL: not asked for */
  gboolean is_optional; /* left out unless its word is given or the format is JSON */
} TtTable;

/* The facts of the answer: an open JSON object, which the tables join and close. */
typedef struct
{
  GString *text;
  TtJsonWriter json;
} TtFacts;

void tt_facts_init (TtFacts *self);
void tt_facts_clear (TtFacts *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtFacts, tt_facts_clear)

/* @ns: written in us with three decimals. Other members: with tt_json_writer_...() into @self->json. */
void tt_facts_time (TtFacts *self, const char *name, gint64 ns);

/* Index of the word of --show in NULL-ended @words; TT_SHOW_ALL where @text is NULL. */
gboolean tt_show_parse (const char *text, const char *const *words, int *show, GError **error);

/* One report, as @view says. */
gboolean tt_report_show (TtReport *report, const TtReportView *view, GError **error);
typedef struct
{
  const TtTable *tables;
  guint n;
  int show;    /* the only table to show; TT_SHOW_ALL */
  guint single; /* the table that csv and tsv hold without --show */
} TtTableSet;

/* Completes @facts where the answer is an object. */
gboolean tt_table_set_show (const TtTableSet *self, TtFacts *facts, const TtReportView *view, GError **error);
