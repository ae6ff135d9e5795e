/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtWaitDeal: who of the ranks of a crew finds which waits. Each rank reads a share of the events, whole sources, and some of the messages and
 * calls. Of these it hands to others what belongs to their spans, and later what it knows of one end of a message to who has the other.
 *
 * Elements go between ranks as they are in memory: ranks are of one build and one kind of processor.
 */
#pragma once

#include "analyzers/spans/shares.h"
#include "src/base/crew.h"
#include "src/base/packed.h"

typedef struct
{
  const TtCrew *crew;
  TtEventOwners owners;
  guint32 *rank_of_thread;  /* rank + 1; 0: it has no spans. NULL until they are read */
  guint32 *rank_of_process; /* the same: that finds out how its threads wait for each other */
  guint32 max_thread, max_process;
} TtWaitDeal;

/* By rank: elements for that one. */
typedef struct
{
  GArray **of;
  guint n;
} TtDealt;

void tt_dealt_init (TtDealt *self, guint n, guint size);
void tt_dealt_clear (TtDealt *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtDealt, tt_dealt_clear)

/* What is for others goes to @bytes, by rank; what is for @own is appended to @kept. */
void tt_dealt_give (TtDealt *self, guint own, GByteArray **bytes, GArray *kept);
/* Appends what another has given. FALSE: it cannot be right. */
gboolean tt_dealt_take (TtUnpack *from, GArray *elements);
/* @elements as tt_dealt_take() has them. */
void tt_dealt_pack (GArray *elements, GByteArray *bytes);
/* FALSE and @error: what others have given cannot be right. */
gboolean tt_dealt_refuse (GError **error);

static inline guint
tt_wait_deal_of_event (const TtWaitDeal *self, guint64 event)
{
  return tt_event_owner (&self->owners, event);
}

static inline guint
tt_wait_deal_of_thread (const TtWaitDeal *self, guint32 thread)
{
  return thread > self->max_thread || self->rank_of_thread[thread] == 0 ? 0 : self->rank_of_thread[thread] - 1;
}

static inline guint
tt_wait_deal_of_process (const TtWaitDeal *self, guint32 process)
{
  return process > self->max_process || self->rank_of_process[process] == 0 ? 0 : self->rank_of_process[process] - 1;
}
