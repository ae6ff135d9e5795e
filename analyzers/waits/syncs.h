/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSyncs: when two threads last synchronised: exchanged a message, or were in a collective call together. Of one that
 * returns at once each is in it where it completes its part.
 *
 * Memory: 44 bytes a pair that is added, 32 for each part of a call, and what putting them in order takes (array-sort.h).
 */
#pragma once

#include <glib.h>

/* A call of a thread by which it synchronised. */
typedef struct
{
  gint64 begin_ns, end_ns;
  guint32 thread;
} TtSyncCall;

typedef struct _TtSyncs TtSyncs;

TtSyncs *tt_syncs_new (void);
void tt_syncs_free (TtSyncs *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtSyncs, tt_syncs_free)

/* Two threads by one message, or by being the root and another of a call that has one. */
void tt_syncs_add_pair (TtSyncs *self, const TtSyncCall *a, const TtSyncCall *b);
/* All of @calls with each other. */
void tt_syncs_add_call (TtSyncs *self, const TtSyncCall *calls, guint n);
/* After the last is added. */
void tt_syncs_finish (TtSyncs *self);

/* The latest call of @thread that began before @before_ns and synchronised with @other, whose own call had ended by
 * @until_ns. Writes the ends of both. */
gboolean tt_syncs_find (const TtSyncs *self,
                        guint32 thread,
                        gint64 before_ns,
                        guint32 other,
                        gint64 until_ns,
                        gint64 *end_ns,
                        gint64 *other_end_ns);
