/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the rows of collectives, once calls of all ranks are numbered.
 */
#pragma once

#include "src/base/key-sort.h"
#include "src/store/import/call-functions.h"
#include "src/store/private.h"

typedef struct
{
  guint32 function; /* index; after ranking: place in alphabetical order */
  guint32 process, thread;
  guint32 root;    /* process; TT_NO_ID: none is told */
  gint64 order_ns; /* begin, but never before that of the call before it on its thread, unless that is known to be so */
  guint32
      keeps_order; /* begin or end was lost, or it crosses others: it may be written behind calls that began later */
  guint64 event;
  gint64 ordinal;
  gint64 sequence; /* -1: not told */
} TtCallRow;

typedef struct
{
  GPtrArray *ranked;     /* functions, by their place: call-functions.h */
  const guint64 *n_sure; /* by function: so many calls are known for all ranks; NULL: nothing was lost */
  TtConnection *connection;
  guint32 run;
  gboolean has_roots; /* some are told */
} TtCallRows;

/* @rows: of TtCallRow, finished, in the order of the table. *n_unsure: plus how many have no number that holds. */
gboolean tt_call_rows_write (const TtCallRows *self, TtKeySort *rows, guint64 *n_unsure, GError **error);
