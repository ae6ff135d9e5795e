/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits of sends and receives for each other: see waits.h. Memory: 68 bytes a message.
 */
#pragma once

#include "analyzers/waits/waits.h"

typedef struct _TtMessageWaits TtMessageWaits;

TtMessageWaits *tt_message_waits_new (TtStore *store, TtWaitCounts *counts, GError **error);
void tt_message_waits_free (TtMessageWaits *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtMessageWaits, tt_message_waits_free)

/* Takes the next span, in the order of ids. */
void tt_message_waits_take (TtMessageWaits *self, const TtEvent *event);
/* Appends to @waits, of TtWait. */
void tt_message_waits_find (TtMessageWaits *self, GArray *waits);
