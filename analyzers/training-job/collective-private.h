/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside tt_collective_play(): who sends what to whom (collective-shape.c), and when: rings and trees block by block
 * (collective-play.c), NVLS over them (collective-nvls.c).
 */
#pragma once

#include "analyzers/training-job/collective.h"

#define TT_COLLECTIVE_PEERS 4
#define TT_COLLECTIVE_NO_PARENT G_MAXUINT
#define TT_COLLECTIVE_COPY 150.0 /* bytes per ns within a GPU */

typedef enum
{
  TT_COLLECTIVE_TRANSFER, /* a block begins to send */
  TT_COLLECTIVE_SENT,     /* a block may go on, as far as one of its connections is concerned */
  TT_COLLECTIVE_QUEUE,    /* a proxy has a slice to send */
  TT_COLLECTIVE_GONE,     /* the last byte of a slice has left */
  TT_COLLECTIVE_ARRIVED,
} TtCollectiveEventKind;

typedef struct
{
  double ns;
  guint64 number;
  TtCollectiveEventKind kind;
  guint32 subject; /* a block or a flow */
  double size;     /* of TT_COLLECTIVE_GONE the version of the flow's rate */
} TtCollectiveEvent;

/* A connection: one way from a GPU to another in a channel. */
typedef struct
{
  guint32 sender, receiver; /* blocks */
  guint links[3], n_links;
  gboolean is_between, is_slow, is_active, is_busy;
  guint64 n_sent, n_arrived, n_taken, n_injected, n_queued;
  double queue[4], asked_ns[5], posted_ns[4]; /* asked_ns[4]: of what is under way */
  double wire_from_ns;
  double left_bytes, since_ns, rate, new_rate;
  guint64 version;
  guint mark;
} TtCollectiveFlow;

typedef struct
{
  guint32 in[TT_COLLECTIVE_PEERS], out[TT_COLLECTIVE_PEERS];
  guint n_in, n_out;
  double size;
} TtCollectiveOp;

/* The threads of a channel on a GPU; of a tree those that reduce up, and those that send down. */
typedef struct
{
  TtCollectiveOp peers; /* all it receives from and sends to */
  guint channel, position;
  guint64 at, n_ops;
  gboolean is_running;
  guint n_open;
  TtCollectiveOp op; /* at */
} TtCollectiveBlock;

typedef struct
{
  const TtAllReduce *collective;
  const TtNetworkModel *network;
  double now_ns;
  guint64 n_events;
  GArray *heap; /* of TtCollectiveEvent */
  TtCollectiveBlock *blocks;
  TtCollectiveFlow *flows;
  guint32 n_blocks, n_flows;
  guint n_links, first_nic, first_own; /* within hosts, of NICs, of channels */
  GArray **on_link;                    /* by link, of guint32: active flows */
  double *left;                        /* by link */
  guint *n_open;                       /* by link */
  GArray *found;                       /* of guint32 */
  guint mark;
  double chunk; /* of a tree; of a ring's loop */
  guint64 n_loops;
  double last_chunk; /* of a ring's last loop */
  TtCollectiveTimes times;
} TtCollectivePlay;

void tt_collective_play_init (TtCollectivePlay *self);
void tt_collective_play_clear (TtCollectivePlay *self);
/* ncclGetDtree: the parent of a host in one of the two trees; TT_COLLECTIVE_NO_PARENT: the root. */
guint tt_collective_host_parent (guint host, guint n, gboolean is_second);
/* Rings and trees; of many ranks less is played. */
TtCollectiveTimes tt_collective_play_blocks (const TtAllReduce *self, const TtNetworkModel *network);
/* How long NVLS takes. */
double tt_collective_nvls_ns (const TtAllReduce *self, const TtNetworkModel *network);
double tt_collective_nvls_n_sends (const TtAllReduce *self);
/* Sets block->op to that at block->at. */
void tt_collective_next_op (const TtCollectivePlay *self, TtCollectiveBlock *block);
