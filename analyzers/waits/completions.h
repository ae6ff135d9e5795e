/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCompletions: where calls of collectives that return at once (MPI_Iallreduce) are completed, and what the threads
 * waited for there: see collectives.h.
 */
#pragma once

#include "analyzers/waits/deal.h"
#include "analyzers/waits/polls.h"
#include "analyzers/waits/syncs.h"
#include "analyzers/waits/waits.h"

/* A part of such a call. */
typedef struct
{
  guint64 event;
  gint64 needed_ns; /* begin of the last part that it needs */
  guint64 from_event;
  guint32 thread, from_thread;
  guint32 kind; /* TtWaitKind */
  guint32 call; /* a number that all parts of the call have */
  guint32 root; /* thread; TT_NO_ID: the call has none */
  guint32 name; /* TT_NO_ID; found in the scan */
} TtBegunPart;

typedef struct _TtCompletions TtCompletions;

TtCompletions *tt_completions_new (guint32 max_thread);
void tt_completions_free (TtCompletions *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtCompletions, tt_completions_free)

void tt_completions_add (TtCompletions *self, const TtBegunPart *part);
/* By several ranks: hands out parts to those who have their spans. */
void tt_completions_deal (TtCompletions *self, const TtWaitDeal *deal, GByteArray **bytes);
gboolean tt_completions_take_parts (TtCompletions *self, TtUnpack *from);
/* After the last is added, before spans are taken. */
void tt_completions_finish (TtCompletions *self);

/* The next span that begins a part. */
guint64 tt_completions_next (const TtCompletions *self);
/* As tt_collective_waits_take(); appends to @waits. */
gboolean tt_completions_take (TtCompletions *self,
                              TtCallClass call_class,
                              const TtEvent *event,
                              const TtWaitSpan *span,
                              gboolean receives,
                              GArray *waits);
/* After the last span: that threads were in these calls together, each when it completed its part; of one with a root, the
 * root with each of the others. */
void tt_completions_add_syncs (const TtCompletions *self, TtSyncs *syncs);
