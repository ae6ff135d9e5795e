/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtFew: a few events that alone make a run many times as long as all others do.
 *
 * A long wait does that, and so does a damaged time that is the first or the last of its thread: nothing in the trace
 * says which. The run is more than ten times as long as the others are from the first begin to the last end; the few
 * are two at most, of one thread, the others sixteen at least, or eight where the run is a hundred times as long. Times
 * in ticks have no length, and sources of different clocks cannot be compared: those of the run's clock are looked at
 * (tt_store_main_range()).
 */
#pragma once

#include "src/store/store.h"

/* One record that is damaged may be a begin and an end that do not meet. */
#define TT_MAX_FEW 2u

typedef struct
{
  guint32 source, thread;
  gboolean is_instant;
} TtFewEvent;

typedef struct
{
  guint n;              /* 0: there are none */
  guint32 thread, name; /* of the one that is farthest from the others */
  gint64 ts_ns, end_ns; /* likewise */
  guint64 n_others;
  gint64 first_ns, last_ns; /* of the others */
  gint64 run_ns;
  TtFewEvent event[TT_MAX_FEW]; /* n of them */
} TtFew;

/* Of the selected run; of several there are none. */
gboolean tt_few_find (TtFew *self, TtStore *store, GError **error);
