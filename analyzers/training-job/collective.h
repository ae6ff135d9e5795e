/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long an all-reduce of NCCL takes on a network: played through slice by slice.
 *
 * A channel is one block of threads on each GPU: it takes slices in order, waits for what it receives, then sends. Within
 * a host the block itself writes to its peer, and the latency holds it; between hosts a proxy sends, and the latency of
 * one slice overlaps the next. At most four slices of a connection are under way. Links are shared alike by what passes
 * over them at a time, or each block has its own: what its threads or its proxy can move bounds it. A ring is that of
 * src/device/all_reduce.h, a tree that of graph/trees.cc (double binary tree of hosts, the GPUs of a host in a chain) with
 * the chunks of enqueue.cc. What NVLS does in a host is the same for all GPUs, so that it is computed; its trees between
 * hosts are played (collective-nvls.c).
 */
#pragma once

#include <glib.h>

/* Who shares a link. */
typedef enum
{
  TT_LINK_OF_PORT,    /* what a GPU sends within its host, and what it receives there; what passes a NIC one way */
  TT_LINK_OF_HOST,    /* all within a host: a bus */
  TT_LINK_OF_CHANNEL, /* what a block sends: its threads, or its proxy, bound it */
} TtLinkSharing;

/* Of one class of links. */
typedef struct
{
  double latency_ns;
  double bytes_per_ns;
  TtLinkSharing sharing;
  double limit_bytes_per_ns; /* what a block, or its proxy, can move at most; 0: as much as the links */
} TtLinkModel;

typedef struct
{
  TtLinkModel within, between; /* hosts */
  double slice_ns;             /* what a block needs for a slice besides */
  double nvls_part;            /* of the bandwidth within hosts that a switch reaches as it adds; 0: the usual one */
  guint slow_host;             /* its NICs have */
  double slow_part;            /* so much of the bandwidth of the others'; 0: all are alike */
} TtNetworkModel;

typedef enum
{
  TT_COLLECTIVE_RING,
  TT_COLLECTIVE_TREE,
  TT_COLLECTIVE_NVLS, /* a switch adds and sends to all; between hosts trees */
} TtCollectiveAlgo;

typedef struct
{
  TtCollectiveAlgo algo;
  guint n_hosts, n_gpus; /* per host */
  guint n_channels, n_slices, n_nics;
  double bytes;
  guint n_pieces;   /* loops of a ring, chunks of a tree and channel; 0: as NCCL makes them of the bytes */
  double max_chunk; /* of a ring */
  double own_chunk; /* of trees whose channels have as many bytes each, moved in chunks of so many; else 0 */
} TtAllReduce;

/* Of one class. */
typedef struct
{
  double sum_ns;  /* of SENDs, from when they may go */
  double wire_ns; /* likewise, from when the SEND before has gone */
  guint64 n;
} TtSendTimes;

typedef struct
{
  double ns; /* from when all have joined until all are done */
  TtSendTimes within, between;
  TtSendTimes slow; /* between hosts, from or to the slow one */
} TtCollectiveTimes;

/* Of NVLS: channels before Blackwell (transport/nvls.cc), and what of the bandwidth within hosts a switch reaches as it adds:
 * of Hopper, at least of Blackwell (nvlsEfficiency in graph/tuning.cc), and at most. */
#define TT_COLLECTIVE_NVLS_CHANNELS 16
#define TT_COLLECTIVE_NVLS_USUAL 0.85
#define TT_COLLECTIVE_NVLS_LOW 0.74
#define TT_COLLECTIVE_NVLS_HIGH 1.0

/* Pieces that one is played through with; of more, fewer are and the rest follows from them. */
TtCollectiveTimes tt_collective_play (const TtAllReduce *self, const TtNetworkModel *network);
/* Loops or chunks that NCCL makes of the bytes. */
guint tt_collective_n_pieces (const TtAllReduce *self);
/* SENDs that it has: what playing it costs. */
double tt_collective_n_sends (const TtAllReduce *self);
/* Ranks of which more are not played through one by one: the time is a line from there on. */
#define TT_COLLECTIVE_MAX_RANKS 64
