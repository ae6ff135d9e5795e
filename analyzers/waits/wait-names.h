/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtWaitNames: gives waits the names of their spans, as a scan comes by them.
 */
#pragma once

#include "analyzers/waits/polls.h"
#include "analyzers/waits/waits.h"

/* A wait, in fewer bytes. */
typedef struct
{
  guint64 event, from_event;
  gint64 begin_ns, end_ns, at_ns;
  guint32 thread, from_thread;
  guint32 name;      /* of TtWaitNames */
  guint32 from_name; /* TT_NO_ID: it is not yet known */
  guint8 kind;       /* TtWaitKind */
  guint8 is_inferred;
  guint8 left_at_end; /* it left the other side at end_ns; else at at_ns */
} TtUnnamedWait;

typedef struct
{
  TtUnnamedWait *waits; /* by event */
  guint32 *by_cause;    /* their numbers by from_event; NULL: all causes have their names */
  guint n, next, next_cause;
} TtWaitNames;

/* @waits: of TtUnnamedWait, either all with from_name, as far as there is one, or none; it is emptied. */
void tt_wait_names_init (TtWaitNames *self, GArray *waits, gboolean have_causes_names);
void tt_wait_names_clear (TtWaitNames *self);

/* The next span that a wait is in, or is ended by. */
guint64 tt_wait_names_next (const TtWaitNames *self);
/* Takes the next span, in the order of ids. A wait in it gets its name if the span is chosen and @kinds, a bit set of
 * 1 << TtWaitKind, has its kind. Those that get none are none. Returns the kinds of
 * waits in it that it refused for their kind. */
guint tt_wait_names_take (TtWaitNames *self, const TtWaitSpan *span, guint kinds);
/* After a scan of a time window: reads the names that lie outside it; @is_all: those of spans that wait, too. FALSE: it
 * could not. */
gboolean tt_wait_names_read_rest (TtWaitNames *self, TtStore *store, gboolean is_all);
/* Appends those that have names to @waits, of TtWait, and forgets them. */
void tt_wait_names_append (TtWaitNames *self, GArray *waits);
