/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtToldCalls: roots and communicators that sources tell of calls of collectives after these have begun (TtCallColumns).
 *
 * Collected while batches go by; then asked for one call after another, in the order of their events. Used by src/store only.
 */
#pragma once

#include "src/store/import/join.h"

typedef struct
{
  guint64 event;
  gint64 comm;  /* -1: as the name says */
  guint32 root; /* process or TT_NO_ID */
  guint32 owner;
  gint64 sequence; /* number of the call in its communicator; -1: not told */
} TtToldCall;

TtToldCalls *tt_told_calls_new (void);
void tt_told_calls_free (TtToldCalls *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtToldCalls, tt_told_calls_free)
void tt_told_calls_add (TtToldCalls *self, const TtBatch *batch);
gboolean tt_told_calls_is_empty (const TtToldCalls *self);

/* Once, when all are added: the events of @owners. */
gboolean tt_told_calls_sort (TtToldCalls *self, TtOwners *owners, GError **error);
/* What is told of @event last; NULL with no error: nothing. Events come in ascending order. Valid until the next call. */
const TtToldCall *tt_told_calls_find (TtToldCalls *self, guint64 event, GError **error);
