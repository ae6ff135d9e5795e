/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sets of ranks that may be communicators, each once, and where all of their members meet.
 *
 * A meeting is a stretch of time in which all ranks of a set are inside a synchronizing call of one kind: the calls that
 * they are in there may be one call of the communicator. It begins when the last has come and ends when the first leaves.
 */
#pragma once

#include "analyzers/communicators/rank-calls.h"

typedef struct
{
  guint32 set;
  guint32 first; /* of `calls`: one of each member, in the order of the set */
  gint64 begin_ns, end_ns;
  double bits; /* how much better this is explained by a meeting than by chance */
} TtMeeting;

typedef struct
{
  guint32 *ranks; /* ascending */
  guint n;
  double price; /* bits that it takes to say which ranks are in it */
  gboolean is_searched;
  guint32 first_meeting, n_meetings;
} TtMemberSet;

typedef struct
{
  const TtRankCalls *calls;
  GArray *sets;         /* of TtMemberSet */
  GHashTable *by_ranks; /* GBytes -> index + 1 */
  GArray *meetings;     /* of TtMeeting, those of a set together, by time */
  GArray *members;      /* guint32: index of a call */
  double gap_ns;        /* how long it is from when the last has come until the first leaves, in the mean */
  double spread_ns;     /* from then until another leaves */
  double chance_ns;     /* what these are for calls that have nothing to do with each other */
} TtMemberSets;

TtMemberSets *tt_member_sets_new (const TtRankCalls *calls);
void tt_member_sets_free (TtMemberSets *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtMemberSets, tt_member_sets_free)

/* @ranks: ascending, two or more. The number of the set. */
guint32 tt_member_sets_add (TtMemberSets *self, const guint32 *ranks, guint n);
/* Whether the ranks are equally spaced. */
gboolean tt_ranks_are_regular (const guint32 *ranks, guint n);
/* What meetings are like, by those that were chosen: @meeting_of by call, TT_NO_CALL: none. */
void tt_member_sets_learn (TtMemberSets *self, const guint32 *meeting_of);
/* Finds the meetings of a set, once. */
void tt_member_sets_search (TtMemberSets *self, guint32 set);

static inline TtMemberSet *
tt_member_set (const TtMemberSets *self, guint32 set)
{
  return &((TtMemberSet *) (gpointer) self->sets->data)[set];
}

static inline double
tt_price_of_set (const TtMemberSets *self, guint32 set)
{
  return tt_member_set (self, set)->price;
}

static inline TtMeeting *
tt_meeting (const TtMemberSets *self, guint32 meeting)
{
  return &((TtMeeting *) (gpointer) self->meetings->data)[meeting];
}

static inline const guint32 *
tt_meeting_calls (const TtMemberSets *self, const TtMeeting *meeting)
{
  return (const guint32 *) (gpointer) self->members->data + meeting->first;
}
