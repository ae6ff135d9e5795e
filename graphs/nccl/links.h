/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the parts of TtNccl share (graphs/nccl/ only): the object, and how its sorted connections are searched.
 */
#pragma once

#include "graphs/nccl/nccl.h"
#include "src/base/map64.h"

/* The ring of a channel, when it closes: ranks in ring order from the lowest. */
typedef struct
{
  guint channel;
  GArray *order; /* of gint */
} TtNcclRing;

struct _TtNccl
{
  GArray *links;    /* of TtNcclLink, by (algo, channel, from, to) once joined */
  GArray *backward; /* of guint: numbers of links, by (algo, channel, to, from), once joined */
  GStringChunk *transports;
  GArray *rings;     /* of TtNcclRing, by channel */
  TtMap64 positions; /* in the ring, by tt_nccl_position_key() */
  GPtrArray *problems;
  gint max_rank;
};

static inline guint64
tt_nccl_position_key (guint channel, gint rank)
{
  return (guint64) channel << 32 | (guint32) rank;
}

/* By (algo, channel, from, to, transport). */
int tt_nccl_link_compare (gconstpointer a, gconstpointer b);
/* Numbers (guint) of @links, a GArray, by (algo, channel, to, from). */
int tt_nccl_link_compare_backward (gconstpointer a, gconstpointer b, gpointer links);

/* -- when joined --------------------------------------------------------------------------------- */

static inline const TtNcclLink *
tt_nccl_link (const TtNccl *self, guint i)
{
  return &g_array_index (self->links, TtNcclLink, i);
}

/* The @i-th in the order of `backward`. */
const TtNcclLink *tt_nccl_link_backward (const TtNccl *self, guint i);
/* Number of the first link of (algo, channel, from), or where it would be; the other: in the order of `backward`. */
guint tt_nccl_link_first_from (const TtNccl *self, TtNcclAlgo algo, guint channel, gint from);
guint tt_nccl_link_first_to (const TtNccl *self, TtNcclAlgo algo, guint channel, gint to);
/* Where the first link from @from leads; TT_NCCL_NONE: there is none. */
gint tt_nccl_link_target (const TtNccl *self, TtNcclAlgo algo, guint channel, gint from);
