/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOtf2Ahead: the events of all locations, in the order of the locations, decoded by other threads before they are asked for.
 *
 * A thread takes a location at a time. What is read ahead is bounded: some locations, some blocks of each. Whoever asks gets the same
 * blocks in the same order whatever the number of threads; with none, each is read when it is asked for.
 */
#pragma once

#include "formats/otf2/reading.h"

typedef struct _TtOtf2Ahead TtOtf2Ahead;

/* As many threads as there is use for: one or two, none on one processor; or what TRACETOOL_READERS says, up to four. */
guint tt_otf2_ahead_threads (void);
/* Borrows both. Where no thread can be started there is none. */
TtOtf2Ahead *tt_otf2_ahead_new (const TtOtf2Anchor *anchor,
                                const TtOtf2Definitions *definitions,
                                gboolean no_align,
                                guint n_threads);
/* Ends what is not asked for any more. */
void tt_otf2_ahead_free (TtOtf2Ahead *self);

/* The next location, begun; NULL: there is none. Valid until the next call. */
const TtOtf2Reading *tt_otf2_ahead_next (TtOtf2Ahead *self);
/* Its next block, to be given back; NULL: it has no more, and is read. */
TtOtf2Block *tt_otf2_ahead_take (TtOtf2Ahead *self);
void tt_otf2_ahead_give_back (TtOtf2Ahead *self, TtOtf2Block *block);
