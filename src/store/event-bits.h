/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtEventBits: a mark for each event of the selected runs, an eighth of a byte each.
 */
#pragma once

#include "src/store/handle.h"

typedef struct _TtEventBits TtEventBits;

/* None is set. NULL, with @error: there are not so many events in a database that is whole. */
TtEventBits *tt_event_bits_new (TtStore *store, GError **error);
void tt_event_bits_free (TtEventBits *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtEventBits, tt_event_bits_free)

/* Ids of no event may be given: they are never set. */
void tt_event_bits_set (TtEventBits *self, guint64 event);
gboolean tt_event_bits_get (const TtEventBits *self, guint64 event);
