/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events dealt out by their ids, so that several can scan a part each: whole sources, because spans are nested within their source
 * alone. What a scan of all tells of a span, and of the spans around it, that of its share tells.
 */
#pragma once

#include "src/store/store.h"

/* Ids of the events of share @i of @n, about as many in each; share 0 has the last ones, with which a reverse scan begins. Those of a share without any are
 * 1 to 0. */
void tt_event_share (TtStore *store, guint n, guint i, guint64 *first, guint64 *last);
/* How many have any. */
guint tt_event_shares_count (TtStore *store, guint n);

/* Whose each event is, of @n shares. A zeroed one owns nothing. */
typedef struct
{
  guint64 *first, *last; /* of those with any, the last ids first */
  guint *share;
  guint n;
} TtEventOwners;

void tt_event_owners_init (TtEventOwners *self, TtStore *store, guint n);
void tt_event_owners_clear (TtEventOwners *self);
/* The share that has @event; 0 where none does. */
guint tt_event_owner (const TtEventOwners *self, guint64 event);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtEventOwners, tt_event_owners_clear)

typedef struct
{
  guint64 first, last;
  guint64 source_first,
      source_last; /* of the source of the last of them: those after @last may be around some of the share */
} TtEventCut;

/* Whether whole sources would be dealt out so unevenly that they had better be cut. */
gboolean tt_event_shares_are_uneven (TtStore *store, guint n);
/* As tt_event_share(), but equally large, with ids of a source in several shares. */
void tt_event_share_cut (TtStore *store, guint n, guint i, TtEventCut *cut);
/* Of those. */
void tt_event_owners_init_cut (TtEventOwners *self, TtStore *store, guint n);
