/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtNeutrinoLanes: threads of a track, on each of which spans follow one another.
 *
 * The warps of an SM run side by side, which is no nesting: each span goes to the first lane of its track that is free
 * when it begins. Spans of a track come in the order of their begins; after tt_neutrino_lanes_restart() (another file)
 * they may begin anew, and lanes are then free from their last end on. All times are of one clock.
 * Lane 0 has the track's own name as tid; lane n has ":n" after it. They are shown in the order of tracks, then lanes.
 */
#pragma once

#include "src/trace/sink.h"

/* More warps than any SM or CU holds. What still does not fit crosses others on the last lane. */
#define TT_NEUTRINO_MAX_LANES 4096u

typedef struct _TtNeutrinoLanes TtNeutrinoLanes;

TtNeutrinoLanes *tt_neutrino_lanes_new (TtSink *sink, guint32 process);
void tt_neutrino_lanes_free (TtNeutrinoLanes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtNeutrinoLanes, tt_neutrino_lanes_free)

typedef struct _TtNeutrinoTrack TtNeutrinoTrack;

/* The track of that tid; @order: among the tracks. The same tid gives the same track. */
TtNeutrinoTrack *tt_neutrino_lanes_track (TtNeutrinoLanes *self, const char *tid, guint32 order);
void tt_neutrino_lanes_restart (TtNeutrinoLanes *self);
/* Thread for a span; *crosses: there was no lane left for it. */
guint32 tt_neutrino_track_place (TtNeutrinoTrack *track, gint64 ts_ns, gint64 end_ns, gboolean *crosses);
/* Thread of lane 0, for what has no length. */
guint32 tt_neutrino_track_thread (TtNeutrinoTrack *track);
