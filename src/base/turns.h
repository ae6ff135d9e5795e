/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTurns: two threads that use a few places in a ring, one filling what the other empties.
 *
 * A place is a number below that of the places. Who finds none to fill or to empty sleeps until there are several, for
 * waking a thread may take as long as filling a place.
 */
#pragma once

#include <glib.h>

typedef struct _TtTurns TtTurns;

/* @n: at least 2. */
TtTurns *tt_turns_new (guint n);
void tt_turns_free (TtTurns *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTurns, tt_turns_free)

/* -- the thread that fills -- */

/* The next place to fill. FALSE: tt_turns_stop() was called. */
gboolean tt_turns_next_empty (TtTurns *self, guint *place);
/* That one is full. @is_last: no other will be. */
void tt_turns_fill (TtTurns *self, gboolean is_last);
/* Until all places that are full have been emptied, or tt_turns_stop(). */
void tt_turns_wait_for_all (TtTurns *self);

/* -- the thread that empties -- */

/* The next place that is full. Not after the last. */
guint tt_turns_next_full (TtTurns *self);
/* That one is empty. */
void tt_turns_empty (TtTurns *self);
/* Nothing is emptied any more. */
void tt_turns_stop (TtTurns *self);
