/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits of sends and receives for each other: see waits.h. Memory: 92 bytes a message, and 44 for each pair of threads
 * that exchange some.
 */
#pragma once

#include "analyzers/waits/call-class.h"
#include "analyzers/waits/deal.h"
#include "analyzers/waits/polls.h"
#include "analyzers/waits/syncs.h"
#include "analyzers/waits/wait-window.h"
#include "analyzers/waits/waits.h"
#include "src/store/scan.h"

typedef struct _TtMessageWaits TtMessageWaits;

/* @rows: that are read. @hearer: or NULL. */
TtMessageWaits *tt_message_waits_new (TtStore *store,
                                      const TtRowRange *rows,
                                      const TtWaitWindow *window,
                                      TtWaitCounts *counts,
                                      const TtWaitHearer *hearer,
                                      GError **error);
void tt_message_waits_free (TtMessageWaits *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtMessageWaits, tt_message_waits_free)

/* Only what the window may need is kept for a scan that reads no more than touches it. Before tt_message_waits_begin(). */
void tt_message_waits_narrow (TtMessageWaits *self, const TtEventScan *scan);
/* After such a scan: reads what lies outside it. *@is_sure FALSE: it could not. */
gboolean tt_message_waits_read_rest (TtMessageWaits *self, TtCallClasses *classes, gboolean *is_sure, GError **error);
/* Before the first span. */
void tt_message_waits_begin (TtMessageWaits *self);
/* The next span that it has to take; others with class TT_CALL_OTHER change nothing. */
guint64 tt_message_waits_next (const TtMessageWaits *self);
/* Takes the next span, in the order of ids: @span, as TtPolls has it. TRUE: it receives. */
gboolean tt_message_waits_take (TtMessageWaits *self,
                                TtPolls *polls,
                                TtCallClass call_class,
                                const TtEvent *event,
                                const TtWaitSpan *span);
/* Appends to @waits, of TtWait, and to @syncs, if not NULL, when threads exchanged a message; forgets the messages one by
 * one. */
void tt_message_waits_find (TtMessageWaits *self, TtSyncs *syncs, GArray *waits);

/* -- by several ranks (deal.h): of a message each end is known by who has its span, and the wait is found by who has the receive -- */

/* Hands out what was read; before tt_message_waits_begin(). @deal has to live as long as this. */
void tt_message_waits_deal (TtMessageWaits *self, const TtWaitDeal *deal, GByteArray **bytes);
gboolean tt_message_waits_add (TtMessageWaits *self, TtUnpack *from);
/* After the last span: what is known of sends. */
void tt_message_waits_give_sends (const TtMessageWaits *self, GByteArray **bytes);
gboolean tt_message_waits_take_sends (TtMessageWaits *self, guint rank, TtUnpack *from);
/* tt_message_waits_find(), of what is received here; appends the waits of other threads to @of_others. */
void tt_message_waits_find_part (TtMessageWaits *self, GArray *waits, TtDealt *of_others, GByteArray **bytes);
/* What others have found of sends here; after that. */
gboolean tt_message_waits_add_receivers (TtMessageWaits *self, TtUnpack *from, GArray *waits);
