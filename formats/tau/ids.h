/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTauIds: what an event id of one definition file means in the run: its kind, and the id of its
 * standard name or series. A name is made when its id is first used, and at last where no record uses it.
 *
 * A small table holds the ids asked for last; below it are tables whose memory is bounded.
 */
#pragma once

#include "formats/tau/edf.h"
#include "src/trace/sink.h"

#define TT_TAU_HOT_IDS 16384u

typedef struct
{
  gint64 id;
  guint32 kind;  /* TtTauKind */
  guint32 value; /* of a state: name; of a user event: series */
} TtTauEvent;

typedef struct _TtTauIds
{
  TtTauEvent *hot;
  struct _TtTauIdsCold *cold;
} TtTauIds;

/* Takes @edf; borrows @sink. */
TtTauIds *tt_tau_ids_new (TtTauEdf *edf, TtSink *sink);
void tt_tau_ids_free (TtTauIds *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTauIds, tt_tau_ids_free)

TtTauEdf *tt_tau_ids_edf (const TtTauIds *self);
/* FALSE with @error: a temporary file has failed. */
gboolean tt_tau_ids_check (const TtTauIds *self, GError **error);

/* The series of the sizes that are sent, which TAU counts before it records a message; TT_NO_ID: not seen yet. */
guint32 tt_tau_ids_sent_sizes (const TtTauIds *self);

/* Makes what no record uses, too, so that it is in the run; of very large files none of it. */
void tt_tau_ids_keep_unused (TtTauIds *self);

const TtTauEvent *tt_tau_ids_find_slowly (TtTauIds *self, gint64 id);

/* Never NULL; the kind of an id without definition is TT_TAU_NOT_DEFINED. Valid until the next call. */
static inline const TtTauEvent *
tt_tau_ids_find (TtTauIds *self, gint64 id)
{
  const TtTauEvent *hot = &self->hot[(guint64) id % TT_TAU_HOT_IDS];

  return G_LIKELY (hot->id == id) ? hot : tt_tau_ids_find_slowly (self, id);
}
