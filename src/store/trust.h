/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far what the selected runs hold can be trusted: what became of the records of each source.
 */
#pragma once

#include "src/store/handle.h"
#include "src/trace/trust.h"

typedef struct
{
  const char *path, *pid, *kind; /* pid NULL: of any of the source's processes, or the source is not in the run */
  guint32 process;               /* TT_NO_ID: likewise */
  gboolean has_rank, is_left_out;
  gint64 rank;
  guint64 source; /* 0: none */
  guint64 seen, fate[TT_N_TRUST_FATES];
} TtTrustRow;

/* In the order of sources, processes and kinds; texts are valid during the call. FALSE ends it. */
typedef gboolean (*TtTrustFunc) (const TtTrustRow *row, gpointer data);
gboolean tt_store_each_trust (TtStore *self, TtTrustFunc func, gpointer data, GError **error);

/* Which numbers are to be marked. */
typedef struct
{
  guint64 n_spans, n_marked;            /* spans; those with one of TT_TRUST_FLAGS */
  guint64 n_records, n_files;           /* mended, skipped or lost; files: cut, gone or left out */
  guint64 n_doubtful, n_doubtful_files; /* events; files */
  guint64 last_source;                  /* of the file that was counted last: it may be told of several ranks */
  GHashTable *damaged; /* of processes, GUINT_TO_POINTER (id): records of them are, so that calls may be missing
                                   or have other times */
  GHashTable *marked;  /* likewise, with such spans */
} TtTrustBrief;

gboolean tt_store_trust_brief (TtStore *self, TtTrustBrief *brief, GError **error);
void tt_trust_brief_clear (TtTrustBrief *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtTrustBrief, tt_trust_brief_clear)

static inline gboolean
tt_trust_brief_is_whole (const TtTrustBrief *self)
{
  return self->n_marked == 0 && self->n_records == 0 && self->n_files == 0 && self->n_doubtful == 0 &&
         self->n_doubtful_files == 0;
}
