/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtNsysLanes: processes and threads of the store for the ids of an export.
 *
 * A program is the process "rankN" where MPI_RANKS knows its rank (so that the messages of reports of other ranks find
 * it), "rankN.PID" where only --rank does, else its pid. Each device that it used is a process of its own, "PID.gpuN",
 * owned by the program; its streams are threads.
 */
#pragma once

#include "formats/nsys/session.h"

TtNsysLanes *tt_nsys_lanes_new (void);
void tt_nsys_lanes_free (TtNsysLanes *self);
/* The ranks, the name of the machine. Before the first row of events. */
gboolean tt_nsys_lanes_read (TtNsys *self, GError **error);

/* Sets thread and process of @record: of the globalTid in @column. A null is the thread 0 of the only program. */
void tt_nsys_on_thread (TtNsys *self, TtRows *rows, int column, TtTraceRecord *record);

/* What work of a device says of itself: consecutive columns globalPid, deviceId, contextId, streamId. */
void tt_nsys_on_stream (TtNsys *self, TtRows *rows, int column, TtTraceRecord *record);
/* The row beside that of the stream, for marks of waits, which cross its work. */
guint32 tt_nsys_waits_of_stream (TtNsys *self, TtRows *rows, int column, const TtTraceRecord *on_stream);
/* A row of the device, for what no stream does: columns globalPid, deviceId. */
void tt_nsys_on_device (TtNsys *self, TtRows *rows, int column, const char *tid, TtTraceRecord *record);
/* A row of the machine's GPU @gpu. It counts to the rank of the first program, for it is no rank of its own. */
void tt_nsys_on_machine (TtNsys *self, gint64 gpu, TtTraceRecord *record);

/* The process of MPI's rank, whether it is in this report or not. */
guint32 tt_nsys_process_of_rank (TtNsys *self, gint64 rank);
/* -1: none. */
gint64 tt_nsys_rank_of_thread (TtNsys *self, gint64 global_tid);
/* Of a device its program, else the process itself. */
guint32 tt_nsys_program_of (const TtNsysLanes *self, guint32 process);

/* All rows are read: those of @self->timeless are of these programs. */
void tt_nsys_own_timeless (TtNsys *self);

/* Those that there are; TT_NO_ID: it has no events. */
guint32 tt_nsys_find_thread (TtNsys *self, gint64 global_tid);
guint32 tt_nsys_find_program (TtNsys *self, gint64 global_pid);
guint32 tt_nsys_find_device (TtNsys *self, gint64 global_pid, gint64 device);
guint32 tt_nsys_find_stream (TtNsys *self, gint64 global_pid, gint64 device, gint64 context, gint64 stream);
/* Of the machine that the events are of. */
gint64 tt_nsys_global_pid (TtNsys *self, gint64 pid);
