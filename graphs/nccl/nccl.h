/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtNccl: who sends to whom in the collectives of a job: NCCL's rings and trees, joined from the ranks' reports.
 *
 * The texts are those of `nccl_rank_graph.json`: for rings "3[3000] -> 0[2000] [receive] via NET/Socket/0,0[2000] ->
 * 1[3000] via direct shared memory", for trees "[0] 1/-1/-1->0->-1|-1->0->1/-1/-1" (channel,
 * children->me->parent, and the same backwards). Ranks are numbered from 0. Add all texts, then call tt_nccl_join(),
 * then the functions below it.
 *
 * In a ring all-reduce of N ranks each rank makes 2 (N - 1) steps; a step sends one chunk of the data to the next rank
 * and receives one from the previous. A rank's position is its distance along the ring from the lowest rank.
 */
#pragma once

#include <glib.h>

#define TT_NCCL_NONE (-1)
#define TT_NCCL_CHILDREN 3

typedef enum
{
  TT_NCCL_RING,          /* the ring that is used: one next and one previous rank ("RealRing") */
  TT_NCCL_RING_POSSIBLE, /* connections that exist; a rank may have several ("Ring") */
  TT_NCCL_TREE,          /* child -> parent */
} TtNcclAlgo;

const char *tt_nccl_algo_text (TtNcclAlgo algo); /* "ring", "ring_possible", "tree" */

/* One connection; from sends to to (in a ring), from is a child of to (in a tree). */
typedef struct
{
  TtNcclAlgo algo;
  guint channel;
  gint from, to;
  const char *transport; /* "NET/Socket/0", "direct shared memory"; NULL: not known */
} TtNcclLink;

typedef struct _TtNccl TtNccl;

TtNccl *tt_nccl_new (void);
void tt_nccl_free (TtNccl *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtNccl, tt_nccl_free)

/* One rank's report of a channel; *own: that rank, TT_NCCL_NONE if the text is empty. @error names the part of the text
 * that is not understood; then nothing of the text is added. */
gboolean tt_nccl_add_ring (TtNccl *self, TtNcclAlgo algo, guint channel, const char *text, gint *own, GError **error);
gboolean tt_nccl_add_tree (TtNccl *self, const char *text, gint *own, GError **error);

/* Joins the ranks' reports. Contradictions are in tt_nccl_problems(); none is an error. */
void tt_nccl_join (TtNccl *self);

/* Texts for people: rings that do not close, ranks that disagree; empty if all is well. */
const GPtrArray *tt_nccl_problems (const TtNccl *self);
/* All connections, each once, by (algo, channel, from, to). */
const GArray *tt_nccl_links (const TtNccl *self);
guint tt_nccl_n_ranks (const TtNccl *self); /* highest rank + 1 */
guint tt_nccl_n_channels (const TtNccl *self, TtNcclAlgo algo);
gboolean tt_nccl_has_ring (const TtNccl *self, guint channel); /* a ring that closes over all of its ranks */

/* The ranks (gint) in the connections of a channel, ascending; free it. */
GArray *tt_nccl_ranks (const TtNccl *self, TtNcclAlgo algo, guint channel);
/* The ranks of all channels, ascending; free it. */
GArray *tt_nccl_all_ranks (const TtNccl *self);

/* The next and previous rank, and the position, in the channel's ring; TT_NCCL_NONE: the rank is not in a ring that
 * closes. */
gint tt_nccl_next (const TtNccl *self, guint channel, gint rank);
gint tt_nccl_prev (const TtNccl *self, guint channel, gint rank);
gint tt_nccl_position (const TtNccl *self, guint channel, gint rank);
guint tt_nccl_ring_size (const TtNccl *self, guint channel);
/* In the channel's tree; TT_NCCL_NONE: the root. */
gint tt_nccl_parent (const TtNccl *self, guint channel, gint rank);
/* Ascending; returns their number, at most TT_NCCL_CHILDREN. */
guint tt_nccl_children (const TtNccl *self, guint channel, gint rank, gint children[TT_NCCL_CHILDREN]);

/* Steps of a ring all-reduce among @n ranks. */
static inline guint
tt_ring_steps (guint n)
{
  return n < 2 ? 0 : 2 * (n - 1);
}
