/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtFilter: one FIELD OP VALUE of a selection.
 *
 * The scope of its field says what it looks at, and so which of the functions below applies.
 */
#pragma once

#include "src/select/selection.h"

typedef enum
{
  TT_SCOPE_NAME,
  TT_SCOPE_THREAD,
  TT_SCOPE_LONG_NAME, /* name and process together */
  TT_SCOPE_FLAGS,
  TT_SCOPE_EVENT, /* numbers of the event itself */
  TT_N_SCOPES,
} TtFilterScope;

typedef struct _TtFilter TtFilter;

TtFilter *tt_filter_new (const char *text, TtUnit unit, GError **error);
void tt_filter_free (TtFilter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtFilter, tt_filter_free)

/* What can be filtered by. Free it. */
char **tt_filter_fields (void);

TtFilterScope tt_filter_scope (const TtFilter *self);

/* For a filter that asks for equal text of a name or a thread: its words, and what a name or thread has there (NULL:
 * nothing). NULL words: another kind of filter. */
const char *const *tt_filter_words (const TtFilter *self);
const char *tt_filter_field (const TtFilter *self);
const char *tt_filter_text_of_name (const TtFilter *self, const TtStoredName *name);
const char *tt_filter_text_of_thread (const TtFilter *self, const TtThread *thread, const TtProcess *process);

/* NULL counts as empty text. */
gboolean tt_filter_matches_text (const TtFilter *self, const char *text);
gboolean tt_filter_matches_name (const TtFilter *self, const TtStoredName *name);
gboolean tt_filter_matches_thread (const TtFilter *self, const TtThread *thread, const TtProcess *process);
gboolean tt_filter_matches_flags (const TtFilter *self, guint32 flags);
/* @first_ns: what ts is counted from. */
gboolean tt_filter_matches_event (const TtFilter *self, const TtEvent *event, gint64 first_ns);
/* A filter on ts looks at @ts_ns, any other lets it pass. */
gboolean tt_filter_matches_time (const TtFilter *self, gint64 ts_ns, gint64 first_ns);

/* The filters of @selection of one scope (of TtFilter); borrowed. */
GPtrArray *tt_selection_filters (const TtSelection *selection, TtFilterScope scope);
