/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PerfettoPackets: writes a trace of Perfetto, the protobuf `perfetto.protos.Trace`, packet by packet. The facts are
 * those of the public schema (protos/perfetto/trace of google/perfetto, release 58).
 *
 * A trace is TracePackets one after another. Ours are of one sequence: the first says that its numbers begin anew, and
 * those that use numbers of texts say that they need them. Times are nanoseconds of the trace's own clock, so that
 * nobody looks for a snapshot of clocks. They must not be negative: readers drop such packets.
 *
 * Tracks have a number ("uuid", never 0) that the caller chooses; small ones make small files. Those of processes and
 * threads are listed by their pid and tid, the others belong to another track.
 *  - Readers take a process by its pid, a thread by pid and tid: the same tid in two processes are two threads, and two
 *    tracks with the same pid and tid are two threads as well. pid 0 is the idle process of Linux and is not shown;
 *    tid 0 is a thread like any other unless pid is 0 too. The thread whose tid is the pid is the main thread.
 *  - Processes are written before threads: a process that comes later takes the threads from all others that have its
 *    pid as their tid.
 *
 * The end of a slice is written right after its beginning, wherever its time is. Trace processor sorts by time all
 * there is up to the end of the file, except where it meets the marks of a tracing service (flushes and reads of its
 * buffers), of which there are none here; packets of one time keep their order. An end has no name and closes the
 * innermost slice of its track, so slices of a track must nest, but the order of the ends of one time does not matter.
 *
 * Nothing is allocated for an event, and no time passes through a double.
 */
#pragma once

#include "formats/perfetto-export/annotations.h"
#include "src/base/output.h"

typedef struct _PerfettoPackets PerfettoPackets;

struct _PerfettoPackets
{
  TtOutput *out; /* borrowed; may be changed between packets */
  PerfettoInterned interned;
  PerfettoArgs args; /* of the next event, which empties it */
  WireBytes flows;   /* the same: tt_perfetto_flow() */

  /* private */
  WireBytes scratch;
};

typedef struct
{
  guint64 track;
  gint32 pid;
  const char *name, *label; /* label: NULL for none */
  gint32 rank;              /* lower ones are listed first */
} PerfettoProcess;

typedef struct
{
  guint64 track;
  gint32 pid;
  gint64 tid;
  const char *name;
  gint32 rank;
} PerfettoThread;

/* A track within another, which is never merged with one of the same name. */
typedef struct
{
  guint64 track, parent; /* parent 0: it is beside the processes */
  const char *name;
  gint32 rank;
} PerfettoTrack;

typedef struct
{
  guint64 track, parent;
  const char *name, *unit; /* unit: NULL for none */
} PerfettoCounter;

/* With the numbers of its name and category, or 0. */
typedef struct
{
  guint64 track;
  gint64 ts_ns;
  guint64 name, category;
} PerfettoEvent;

PerfettoPackets *tt_perfetto_packets_new (TtOutput *out);
void tt_perfetto_packets_free (PerfettoPackets *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PerfettoPackets, tt_perfetto_packets_free)

/* Once, before all others. */
void tt_perfetto_begin (PerfettoPackets *self);
/* A fact about the trace; readers show it as "trace_attribute.@key". */
void tt_perfetto_attribute_text (PerfettoPackets *self, const char *key, const char *value);
void tt_perfetto_attribute_int (PerfettoPackets *self, const char *key, gint64 value);
void tt_perfetto_process (PerfettoPackets *self, const PerfettoProcess *process);
void tt_perfetto_thread (PerfettoPackets *self, const PerfettoThread *thread);
void tt_perfetto_track (PerfettoPackets *self, const PerfettoTrack *track);
void tt_perfetto_counter (PerfettoPackets *self, const PerfettoCounter *counter);

/* The next event has a name or category that has no number. */
void tt_perfetto_name_next (PerfettoPackets *self, const char *name);
void tt_perfetto_categorize_next (PerfettoPackets *self, const char *category);
/* The next event is an end of flow @id. Readers draw it from the slice that begins first. @is_last: no other end comes
 * after this one. */
void tt_perfetto_flow (PerfettoPackets *self, guint64 id, gboolean is_last);
void tt_perfetto_slice (PerfettoPackets *self, const PerfettoEvent *event, gint64 end_ns);
void tt_perfetto_instant (PerfettoPackets *self, const PerfettoEvent *event);
void tt_perfetto_count (PerfettoPackets *self, guint64 track, gint64 ts_ns, gint64 value);
void tt_perfetto_count_real (PerfettoPackets *self, guint64 track, gint64 ts_ns, double value);
