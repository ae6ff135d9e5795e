/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What waits.c and joint-waits.c share: reading events, and what is made of the waits that were found.
 */
#pragma once

#include "analyzers/waits/finder.h"

typedef struct
{
  gint64 begin_ns, end_ns; /* begin > end: no spans */
} TtWaitRange;

typedef struct
{
  const TtSelection *selection;
  TtWaitWindow window;
  TtWaitFinder *finder; /* NULL: waits are there already */
  TtWaitRange *ranges;  /* by thread */
  guint32 max_thread;
  gboolean without_times; /* nobody asks how long ranks are there */
} TtWaitReader;

void tt_wait_reader_init (TtWaitReader *self, TtStore *store, const TtSelection *selection);
void tt_wait_reader_clear (TtWaitReader *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtWaitReader, tt_wait_reader_clear)

/* A TtEventFunc. */
gboolean tt_wait_reader_take (const TtEvent *event, gpointer data, GError **error);
/* What overlaps is joined, and clipped to the window. */
void tt_wait_reader_join (TtWaits *self, const TtWaitReader *reader);
/* By (thread, begin, end). */
void tt_wait_reader_sort (GArray *waits);
/* The times of the threads that were read. */
void tt_wait_reader_add_times (TtWaits *self, TtStore *store, const TtWaitReader *reader);
