/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One CTF trace (a directory with a file `metadata`), in the order of time over its streams. The parts of a trace that its
 * tracer left in several directories (a session that was rotated, snapshots) are one trace.
 *
 * A stream that cannot be read, or not to its end, is reported to the handler, and the others go on. Memory does not grow
 * with the trace. The way of an event: the metadata become types (schema/), these the steps to read an event (plan), the
 * packets of a file are gone through (window, packet), files of one stream follow each other (source, feed), and streams
 * are merged (merge).
 */
#pragma once

#include "formats/ctf/event.h"

#define TT_CTF_LINUX(major, minor) ((guint) (major) << 16 | (guint) (minor))

/* Facts of a trace from its metadata; borrowed for the call. */
typedef struct
{
  const char *hostname; /* NULL: not known */
  gint64 pid;           /* of the process that all events are of, and its program; -1, NULL: not known */
  const char *procname;
  guint linux_version; /* TT_CTF_LINUX() of a kernel's trace; 0: not known */
  const char *uuid;    /* of the metadata; NULL: they have none */
  guint64 n_repeated;  /* packets that stand in several files, and are read once */
  guint64 n_packets;   /* all, and those with another UUID than the metadata, which are read all the same */
  guint64 n_others;
  const char *other; /* the first file of such ones; NULL: there are none */
  TtCtfClock clock;
  gint64 clock_offset_ns; /* time of the tracer's clock 0 */
  gint64 earliest_ns;     /* before which nothing can have been recorded; TT_CTF_ALWAYS: not known */
} TtCtfFacts;

/* See TtCtfLossKind. It is told before the stream's event at until_ns, and not before that at from_ns. */
typedef struct
{
  TtCtfLossKind kind;
  gint64 count; /* -1: unknown */
  guint stream;
  gint64 from_ns, until_ns;
} TtCtfLoss;

typedef struct
{
  /* Once, before the first event. FALSE: stop here. */
  gboolean (*begin) (const TtCtfFacts *facts, gpointer data);
  /* NULL: events are not wanted, nor what follows. They may come all the same. */
  void (*event) (const TtCtfEvent *event, gpointer data);
  void (*lost) (const TtCtfLoss *loss, gpointer data);
  /* A stream that cannot be read, or, after some events, any further. @why: what is wrong with it. */
  void (*broken) (const char *stream, TtCtfBreak how, const char *why, gpointer data);
  /* Now and then. FALSE with @error: the import cannot go on. */
  gboolean (*check) (gpointer data, GError **error);
} TtCtfHandler;

/* FALSE with @error: the trace cannot be read at all, or @handler's check failed. */
gboolean tt_ctf_read (const char *path, const TtCtfHandler *handler, gpointer data, GError **error);
/* The same of a trace in several directories, NULL-ended. Streams are called by their paths below @root, the directory
 * that holds all of them. */
gboolean tt_ctf_read_parts (const char *const *parts,
                            const char *root,
                            const TtCtfHandler *handler,
                            gpointer data,
                            GError **error);
/* Reads no further than the facts: calls the handler's `begin`. */
gboolean tt_ctf_read_facts (const char *path, const TtCtfHandler *handler, gpointer data, GError **error);
