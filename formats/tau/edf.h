/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTauEdf: the definitions of a TAU trace (events.N.edf, tau.edf), by event id.
 *
 * Text is fed in pieces of any size; rows go to a tape, so that millions of definitions cost little
 * memory. What is odd but clear is counted in repairs,
 * with line numbers as places; what is not is an error with its line.
 */
#pragma once

#include "formats/tau/rows.h"
#include "src/trace/repairs.h"

typedef struct
{
  TtTauKind kind;
  gint64 tag;
  const char *group;
  const char *name; /* trimmed, valid UTF-8 */
} TtTauRow;

typedef struct _TtTauEdf TtTauEdf;

/* @path: for messages. */
TtTauEdf *tt_tau_edf_new (const char *path);
void tt_tau_edf_free (TtTauEdf *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTauEdf, tt_tau_edf_free)

gboolean tt_tau_edf_feed (TtTauEdf *self, const char *text, gsize len, GError **error);
gboolean tt_tau_edf_end (TtTauEdf *self, GError **error);

/* All of the file at @path. */
TtTauEdf *tt_tau_edf_load (const char *path, GError **error);

/* FALSE: no such id, or one that was resolved. Strings live until the next call. */
gboolean tt_tau_edf_find (TtTauEdf *self, gint64 id, TtTauRow *row);
/* Remembers what an id that was found means in the run, for which nobody will ask for its row again. */
void tt_tau_edf_resolve (TtTauEdf *self, gint64 id, TtTauKind kind, guint32 value);
/* FALSE: it was not resolved. */
gboolean tt_tau_edf_get_resolved (TtTauEdf *self, gint64 id, TtTauKind *kind, guint32 *value);
/* One row after another, as they stand in the file: *at is 0 before the first. FALSE: that was the last. Strings as above. */
gboolean tt_tau_edf_next (TtTauEdf *self, guint64 *at, TtTauRow *row);
/* TT_TAU_NOT_DEFINED: no such id. */
TtTauKind tt_tau_edf_kind (TtTauEdf *self, gint64 id);

static inline gboolean
tt_tau_edf_has (TtTauEdf *self, gint64 id)
{
  return tt_tau_edf_kind (self, id) != TT_TAU_NOT_DEFINED;
}

/* When the processes that wrote it began, in us since 1970, by their metadata: the first and the last. FALSE: it does not
 * say. */
gboolean tt_tau_edf_begins (const TtTauEdf *self, guint64 *first, guint64 *last);
const char *tt_tau_edf_path (const TtTauEdf *self);
guint64 tt_tau_edf_n_rows (const TtTauEdf *self);
const TtRepairs *tt_tau_edf_repairs (const TtTauEdf *self);
/* Whether its temporary files have held. */
gboolean tt_tau_edf_check (const TtTauEdf *self, GError **error);
