/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtWaitFinder: the waits of a run, found while the caller scans the events.
 */
#pragma once

#include "analyzers/devices/roles.h"
#include "analyzers/waits/deal.h"
#include "analyzers/waits/syncs.h"
#include "analyzers/waits/wait-window.h"
#include "analyzers/waits/waits.h"
#include "src/store/scan.h"

typedef struct _TtWaitFinder TtWaitFinder;

typedef enum
{
  TT_WAITS_OF_HOSTS,
  TT_WAITS_ALL, /* those of devices, too */
} TtWaitsOf;

/* @selection: bound, or NULL. @window: waits outside are not wanted; NULL: all are. @syncs: gets when threads
 * synchronised, @hearer what is read on the way; NULL: nobody asks. */
TtWaitFinder *tt_wait_finder_new (TtStore *store,
                                  const TtSelection *selection,
                                  const TtWaitWindow *window,
                                  TtWaitsOf of,
                                  TtSyncs *syncs,
                                  const TtWaitHearer *hearer,
                                  GError **error);
/* Which messages, parts of calls and work on devices are read. */
typedef struct
{
  TtRowRange messages, collectives;
  const TtDevicePart *devices; /* NULL: all */
} TtWaitRows;

TtWaitFinder *tt_wait_finder_new_of (TtStore *store,
                                     const TtWaitRows *rows,
                                     const TtSelection *selection,
                                     const TtWaitWindow *window,
                                     TtWaitsOf of,
                                     TtSyncs *syncs,
                                     const TtWaitHearer *hearer,
                                     GError **error);
void tt_wait_finder_free (TtWaitFinder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtWaitFinder, tt_wait_finder_free)

/* Whether waits in the window are found by a scan of no more than what touches it. *@can: then the finder has to be given that,
 * and tt_wait_finder_read_rest() called before it is finished. At once after it is made. */
gboolean tt_wait_finder_narrow (TtWaitFinder *self, gboolean *can, GError **error);
/* *@is_sure FALSE: waits in the window depend on more than that, and all events have to be read. */
gboolean tt_wait_finder_read_rest (TtWaitFinder *self, gboolean *is_sure, GError **error);

/* Takes the next event, in the order of ids. */
void tt_wait_finder_take (TtWaitFinder *self, const TtEvent *event);
/* Once. Appends to @waits, of TtWait, in no order; they may overlap. One without length is no wait: its message was sent while the
 * span received, by a call that had begun before. Where there are locks the events are read once more. */
gboolean tt_wait_finder_finish (TtWaitFinder *self, GArray *waits, TtWaitCounts *counts, GError **error);

/* -- by several ranks (deal.h), each of which takes the events of its share, in three exchanges; @bytes: by rank ---------- */

/* Whether this has to be done by one process, for devices (waits/devices.h): all ranks know. */
gboolean tt_wait_finder_is_entangled (const TtWaitFinder *self);
/* Before the first event: messages and calls. */
void tt_wait_finder_deal (TtWaitFinder *self, const TtWaitDeal *deal, GByteArray **bytes);
gboolean tt_wait_finder_take_dealt (TtWaitFinder *self, const TtWaitDeal *deal, GByteArray **bytes);
/* Whether the finder has taken a span of @thread, or what it has taken may wait for it on devices. */
gboolean tt_wait_finder_has_thread (const TtWaitFinder *self, guint32 thread);
/* After the last: ends of messages, and what threads of a process may wait for. @deal knows whose threads are. */
void tt_wait_finder_give_ends (TtWaitFinder *self, const TtWaitDeal *deal, GByteArray **bytes);
gboolean tt_wait_finder_take_ends (TtWaitFinder *self, const TtWaitDeal *deal, GByteArray **bytes);
/* Appends to @waits; @bytes gets those of threads of others. */
gboolean tt_wait_finder_find_part (TtWaitFinder *self,
                                   const TtWaitDeal *deal,
                                   GArray *waits,
                                   GByteArray **bytes,
                                   GError **error);
/* The rest of them. @counts: of what is found here. */
gboolean tt_wait_finder_finish_part (TtWaitFinder *self,
                                     const TtWaitDeal *deal,
                                     GByteArray **bytes,
                                     GArray *waits,
                                     TtWaitCounts *counts);
/* Whether all threads, kinds and names of @waits are such. */
gboolean tt_waits_are_known (const GArray *waits, TtStore *store);
