/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCtfSource: one stream of a trace: the files that it was written to, in the order of time, and what their packets say.
 *
 * Files whose packets name the same stream are one. Snapshots hold what the buffers held: packets that a file of an earlier
 * snapshot has are left out. A file that overlaps those before in other packets is a stream of its own. Of a file that is damaged the packets before the damage count. All
 * heads of packets are read once to find this out.
 */
#pragma once

#include "formats/ctf/packet.h"
#include "formats/ctf/range.h"

typedef struct
{
  char *path;
  guint64 n_bytes;    /* of sound packets */
  guint64 first_byte; /* of the first packet that no file before has */
  gint64 begin_ns;
} TtCtfSourceFile;

typedef struct
{
  char *key;  /* what streams are ordered by */
  char *name; /* the first file's, for messages */
  const TtCtfStreamType *type;
  GPtrArray *files; /* of TtCtfSourceFile */
  TtCtfRange range;
  guint64 n_repeated; /* packets that files before have, too */
  guint64 n_packets;  /* all, and those with another UUID than the metadata */
  guint64 n_others;
} TtCtfSource;

/* Old tracers' mistakes, by the trace's environment. */
typedef struct
{
  gboolean ends_early;   /* a packet may end before its last event: LTTng before 2.11; see TT_CTF_MOST_EARLY */
  gboolean ends_nowhere; /* the end of its last packet may be 0: LTTng that crashed */
} TtCtfQuirks;

/* Half a round of the shortest clock in LTTng's headers of events, 27 bits: an event later than that after the end of its packet has
 * gone round the clock by a damaged time. */
#define TT_CTF_MOST_EARLY (G_GUINT64_CONSTANT (1) << 26)

TtCtfQuirks tt_ctf_quirks (const TtCtfSchema *schema);

/* A damaged file: @n_bytes of it are sound. */
typedef void (*TtCtfDamagedFunc) (const char *path, guint64 n_bytes, const char *why, gpointer data);

/* The streams in the files @paths, ordered by their keys. NULL with @error: a file cannot be read at all. */
GPtrArray *tt_ctf_sources_find (const TtCtfPlans *plans,
                                char *const *paths,
                                guint n_paths,
                                TtCtfDamagedFunc damaged,
                                gpointer data,
                                GError **error);
