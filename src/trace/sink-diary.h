/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSinkDiary: what a sink was asked beside what its batches hold, so that another sink can be fed with them in its place.
 *
 * An importer that begins with an empty sink may get other answers than in the middle of a run, where other inputs have
 * defined things before. Batches with a diary are as good as the importer's own calls if every "no" of the diary is a
 * "no" there, too, and if the threads are in the same order, for rows are sorted by them: shard/replay.h.
 */
#pragma once

#include "src/trace/names/names.h"

typedef struct
{
  GByteArray *names;           /* raw ones of the names that the current batch defines, in its order; packed */
  GPtrArray *pids;             /* of char *: process 1 + i */
  GArray *ranks;               /* of gint64: of those, or -1 */
  GPtrArray *threads;          /* of char *, "PROCESS TID": thread 1 + i */
  GHashTable *absent_pids;     /* of char *: asked for, and not there */
  GArray *absent_ranks;        /* of gint64: likewise, perhaps twice */
  GPtrArray *absent_threads;   /* of char *, "PROCESS TID": likewise */
  gboolean owns_new_processes; /* tt_sink_own_new_processes() was called */
} TtSinkDiary;

TtSinkDiary *tt_sink_diary_new (void);
void tt_sink_diary_free (TtSinkDiary *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtSinkDiary, tt_sink_diary_free)

/* @source: of the rules that name it. */
void tt_sink_diary_name (TtSinkDiary *self, const char *source, const TtRawName *raw);
void tt_sink_diary_process (TtSinkDiary *self, const char *pid, gint64 rank);
void tt_sink_diary_thread (TtSinkDiary *self, guint32 process, const char *tid);
void tt_sink_diary_no_process (TtSinkDiary *self, const char *pid);
void tt_sink_diary_no_rank (TtSinkDiary *self, gint64 rank);
void tt_sink_diary_no_thread (TtSinkDiary *self, guint32 process, const char *tid);
