/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPiTrace: a recorded run: a directory, one thread's file, or a packed archive read in place.
 * TtPiReader: the calls of one thread, in file order. TtPiMerge: the calls of all threads by (start, file, record).
 *
 * pi.md sections 1 to 5, 8, 16. Memory does not grow with the number of calls.
 */
#pragma once

#include "formats/pi/call.h"
#include "formats/pi/native.h"

typedef struct _TtPiTrace TtPiTrace;
typedef struct _TtPiReader TtPiReader;
typedef struct _TtPiMerge TtPiMerge;

typedef struct
{
  TtPiGeneration generation; /* TT_PI_GENERATION_UNKNOWN: detected by content */
  int ids;                   /* TtPiIds, or -1: guessed by fit */
  gboolean salvage;          /* damage ends a thread's calls with a warning instead of an error */
} TtPiOptions;

/* A finding for the user: counted by kind, with the place of the first. */
typedef struct
{
  guint kind;             /* which of those that the reader knows */
  char *text;             /* "unknown function id 9999" */
  char *path;             /* NULL: the text says the place */
  guint64 offset, record; /* G_MAXUINT64: it has none */
  guint64 count;
} TtPiWarning;

TtPiTrace *tt_pi_trace_open (const char *path, const TtPiOptions *options, GError **error);
void tt_pi_trace_free (TtPiTrace *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtPiTrace, tt_pi_trace_free)

/* Whether a file of this name and these first bytes is one thread's calls; whether @path is a trace directory or a
 * packed archive. */
gboolean tt_pi_trace_probe (const char *path);

/* As it was given to tt_pi_trace_open(). */
const char *tt_pi_trace_path (const TtPiTrace *self);
TtPiGeneration tt_pi_trace_generation (const TtPiTrace *self);
/* "G3, numbering of summer 2021 (58 of 58 records fit)". */
const char *tt_pi_trace_description (const TtPiTrace *self);
TtPiIds tt_pi_trace_ids (const TtPiTrace *self);

/* Threads in the order of their names: main, main_0, main_0_0, main_1. */
guint tt_pi_trace_n_threads (const TtPiTrace *self);
const char *tt_pi_trace_thread_name (const TtPiTrace *self, guint thread);
/* Index of the thread that created it, by the names, or of the nearest one above it that made calls; -1: none. */
int tt_pi_trace_thread_parent (const TtPiTrace *self, guint thread);
/* The path to name in messages. */
const char *tt_pi_trace_thread_path (const TtPiTrace *self, guint thread);
/* Thread indices in the order in which the directory (or archive) lists the files. */
const guint *tt_pi_trace_directory_order (const TtPiTrace *self);

/* A side file ("env", "0.desc", "buffers/main_3.mem"), from directory or archive, at most @limit bytes; NULL without
 * @error: it is not there. */
GBytes *tt_pi_trace_side_file (TtPiTrace *self, const char *name, gsize limit, GError **error);
/* Bytes of a side file; G_MAXUINT64: it is not there. */
guint64 tt_pi_trace_side_size (TtPiTrace *self, const char *name);
/* Names of all files that are not threads' calls, sorted; NULL-ended. */
const char *const *tt_pi_trace_side_files (const TtPiTrace *self);

/* Warnings so far, in the order of their first places (GPtrArray of TtPiWarning). */
const GPtrArray *tt_pi_trace_warnings (const TtPiTrace *self);

TtPiReader *tt_pi_reader_open (TtPiTrace *trace, guint thread, GError **error);
void tt_pi_reader_free (TtPiReader *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtPiReader, tt_pi_reader_free)
/* The next call into @call. FALSE: the end, or @error with path, byte offset and record number. */
gboolean tt_pi_reader_next (TtPiReader *self, TtPiCall *call, GError **error);
/* Bytes of the file read since the last call of this function, for the progress bar. */
guint64 tt_pi_reader_progress (TtPiReader *self);

/* Who gets the times that the recorder has asked for, as a merge comes by them: those of a queue before its call. */
typedef void (*TtPiTimesOfCommand) (const TtPiNativeTimes *times, gpointer data);
void tt_pi_trace_tell_times (TtPiTrace *self, TtPiTimesOfCommand func, gpointer data);

/* *@thread: which one makes the call. */
TtPiMerge *tt_pi_merge_new (TtPiTrace *trace, GError **error);
void tt_pi_merge_free (TtPiMerge *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtPiMerge, tt_pi_merge_free)
/* As tt_pi_reader_progress(), of all threads. */
guint64 tt_pi_merge_progress (TtPiMerge *self);
const TtPiCall *tt_pi_merge_next (TtPiMerge *self, guint *thread, GError **error);
/* TRUE: a few calls begin or end far from all others, which lie in [*first_ns, *last_ns]. */
gboolean tt_pi_merge_rest (const TtPiMerge *self, gint64 *first_ns, gint64 *last_ns);
/* Of the call that tt_pi_merge_next() returned: whether its file is in the order of time; whether it is the last of one. */
gboolean tt_pi_merge_is_in_order (const TtPiMerge *self);
gboolean tt_pi_merge_is_last (const TtPiMerge *self);
