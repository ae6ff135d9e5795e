/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtWaitNames: gives waits the names of their spans, as a scan comes by them.
 */
#pragma once

#include "analyzers/waits/polls.h"
#include "analyzers/waits/waits.h"

typedef struct
{
  TtWait *waits;     /* by event */
  guint32 *by_cause; /* their numbers by from_event */
  guint n, next, next_cause;
} TtWaitNames;

/* Sorts @waits, which must not change from then on. */
void tt_wait_names_init (TtWaitNames *self, GArray *waits);
void tt_wait_names_clear (TtWaitNames *self);

/* Takes the next span, in the order of ids. A wait in it gets its name if the span is chosen and @kinds, a bit set of
 * 1 << TtWaitKind, has its kind. Those that get none are none. */
void tt_wait_names_take (TtWaitNames *self, const TtWaitSpan *span, guint kinds);
/* Appends those that have names to @waits. */
void tt_wait_names_append (const TtWaitNames *self, GArray *waits);
