/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtStacks: the table `stackFrames` of a trace-event file, {"id": {"name": .., "parent": id, "category": ..}}, and the
 * events that name a frame of it (`sf`, `esf`) or have their stack themselves (`stack`, `estack`). Source of the facts:
 * "Trace Event Format" and Catapult's importer.
 *
 * A stack becomes a member of the event's arguments: "stack", at the end of a span "estack", a list of names from the
 * outermost to the innermost; a parent that leads back to its child is none. At most TT_STACKS_MOST_FRAMES frames are
 * known; of a stack the innermost TT_STACKS_DEEPEST are told, after "...".
 */
#pragma once

#include "formats/trace-event/reader.h"

#define TT_STACKS_MOST_FRAMES (1u << 19)
#define TT_STACKS_DEEPEST 1024u

typedef struct _TtStacks TtStacks;

TtStacks *tt_stacks_new (void);
void tt_stacks_free (TtStacks *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtStacks, tt_stacks_free)

/* The text of the member `stackFrames`. Later ones are added; what has been looked for is not taken again. */
void tt_stacks_take (TtStacks *self, TtSlice frames);
/* If no table has been taken: looks for it in the whole file @path ("-": cannot). Once. */
void tt_stacks_look_for (TtStacks *self, const char *path);

/* The arguments of @event with its stacks, as JSON text; the result is valid until the next
 * call. *is_lost: it names a frame that is not there. */
TtSlice tt_stacks_join_args (TtStacks *self, const TtTraceEvent *event, gboolean *is_lost);
