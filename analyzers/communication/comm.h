/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtComm: which processes communicate, how much, and how long receivers and late arrivers make others wait.
 *
 * The wait of a message is that of a late sender: from the start of the receive's enclosing span to the send, at most
 * to the span's end. Messages that one span waits for together overlap in it, so their waits may sum to more than its
 * duration. The wait of a process in a collective call is from its own start to the start of the last, at most to its
 * own end.
 */
#pragma once

#include "src/base/int128.h"
#include "src/base/packed.h"
#include "src/select/selection.h"

typedef struct
{
  guint64 count, n_matched;
  guint64 n_sized; /* those whose size is known */
  tt_int128 bytes;
  gint64 min_bytes, max_bytes;
  tt_int128 wait_ns;
} TtCommSums;

typedef struct
{
  guint32 src, dst; /* processes */
  TtCommSums sums;
} TtCommPair;

typedef struct
{
  guint32 process;
  guint64 n_messages; /* on either side, with and without partner */
  guint64 n_sent, n_received, n_collectives;
  tt_int128 bytes_sent, bytes_received, message_wait_ns, collective_wait_ns;
} TtCommProcess;

typedef struct
{
  char *function;
  guint64 n_calls;
  guint n_processes; /* maximum of one call */
  guint64 n_spreads; /* calls of two or more processes */
  tt_int128 spread_ns, wait_ns;
  gint64 min_spread_ns, max_spread_ns;
  guint32 last_process; /* the process that arrived last most often; TT_NO_ID: none */
  guint64 n_last;
} TtCommCollective;

typedef struct
{
  GArray *pairs;       /* of TtCommPair */
  GArray *processes;   /* of TtCommProcess, by rank, those with any communication */
  GArray *collectives; /* of TtCommCollective, by function */
  TtCommSums all;
} TtComm;

/* @selection: bound, or NULL. A message counts when either side is selected, a collective call when
 * any of its processes is. */
TtComm *tt_comm_new (TtStore *store, const TtSelection *selection, GError **error);
/* The same, but that of messages' waits only those in spans with ids from @first to @last count, and collectives only
 * @with_collectives: a part of the work, for several. */
TtComm *tt_comm_new_part (TtStore *store,
                          const TtSelection *selection,
                          guint64 first,
                          guint64 last,
                          gboolean with_collectives,
                          GError **error);
/* Messages' waits as bytes, and what another part, of the same messages, has of them added. */
void tt_comm_pack_waits (const TtComm *self, GByteArray *bytes);
void tt_comm_unpack_waits (TtComm *self, TtUnpack *from);
void tt_comm_free (TtComm *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtComm, tt_comm_free)
