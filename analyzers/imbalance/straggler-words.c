/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/imbalance/straggler-words.h"

#include <string.h>

/* All digits of it. */
static void
pack_real (GByteArray *bytes, double real)
{
  guint64 word;

  memcpy (&word, &real, sizeof word);
  tt_pack_number (bytes, word);
}

static double
unpack_real (TtUnpack *from)
{
  const guint64 word = tt_unpack_number (from);
  double real;

  memcpy (&real, &word, sizeof real);
  return real;
}

static guint32
unpack_id (TtUnpack *from)
{
  return (guint32) tt_unpack_below (from, G_MAXUINT32);
}

static void
pack_step (GByteArray *bytes, const TtStraggler *step)
{
  tt_pack_signed (bytes, step->step);
  tt_pack_number (bytes, step->n_ranks);
  tt_pack_number (bytes, step->process);
  tt_pack_number (bytes, step->is_by_arrival != FALSE);
  tt_pack_wide (bytes, (tt_uint128) step->twice_price_ns);
  tt_pack_wide (bytes, (tt_uint128) step->length_ns);
  tt_pack_wide (bytes, (tt_uint128) step->twice_median_ns);
  tt_pack_number (bytes, step->has_operation != FALSE);
  tt_pack_number (bytes, step->name);
  tt_pack_number (bytes, step->thread);
  pack_real (bytes, step->excess_ns);
}

static TtStraggler
unpack_step (TtUnpack *from)
{
  TtStraggler step = { .step = (gint32) tt_unpack_signed (from) };

  step.n_ranks = unpack_id (from);
  step.process = unpack_id (from);
  step.is_by_arrival = tt_unpack_below (from, 1) != 0;
  step.twice_price_ns = (tt_int128) tt_unpack_wide (from);
  step.length_ns = (tt_int128) tt_unpack_wide (from);
  step.twice_median_ns = (tt_int128) tt_unpack_wide (from);
  step.has_operation = tt_unpack_below (from, 1) != 0;
  step.name = unpack_id (from);
  step.thread = unpack_id (from);
  step.excess_ns = unpack_real (from);
  return step;
}

static void
pack_rank (GByteArray *bytes, const TtStragglerRank *rank)
{
  tt_pack_number (bytes, rank->process);
  tt_pack_number (bytes, rank->n_steps);
  tt_pack_wide (bytes, (tt_uint128) rank->twice_price_ns);
  tt_pack_number (bytes, rank->has_operation != FALSE);
  tt_pack_number (bytes, rank->name);
  tt_pack_number (bytes, rank->thread);
  tt_pack_number (bytes, rank->n_named);
  pack_real (bytes, rank->excess_ns);
}

static TtStragglerRank
unpack_rank (TtUnpack *from)
{
  TtStragglerRank rank = { .process = unpack_id (from) };

  rank.n_steps = unpack_id (from);
  rank.twice_price_ns = (tt_int128) tt_unpack_wide (from);
  rank.has_operation = tt_unpack_below (from, 1) != 0;
  rank.name = unpack_id (from);
  rank.thread = unpack_id (from);
  rank.n_named = unpack_id (from);
  rank.excess_ns = unpack_real (from);
  return rank;
}

void
tt_stragglers_pack (const TtStragglers *self, GByteArray *bytes)
{
  tt_pack_number (bytes, self->steps->len);
  for (guint i = 0; i < self->steps->len; i++)
    pack_step (bytes, &g_array_index (self->steps, TtStraggler, i));
  tt_pack_number (bytes, self->ranks->len);
  for (guint i = 0; i < self->ranks->len; i++)
    pack_rank (bytes, &g_array_index (self->ranks, TtStragglerRank, i));
}

TtStragglers *
tt_stragglers_unpack (TtUnpack *from)
{
  TtStragglers *self = g_new0 (TtStragglers, 1);

  self->steps = g_array_new (FALSE, FALSE, sizeof (TtStraggler));
  self->ranks = g_array_new (FALSE, FALSE, sizeof (TtStragglerRank));
  for (guint64 n = tt_unpack_number (from); n > 0 && !from->is_bad; n--)
    {
      const TtStraggler step = unpack_step (from);
      g_array_append_val (self->steps, step);
    }
  for (guint64 n = tt_unpack_number (from); n > 0 && !from->is_bad; n--)
    {
      const TtStragglerRank rank = unpack_rank (from);
      g_array_append_val (self->ranks, rank);
    }
  return self;
}

gboolean
tt_stragglers_are_known (const TtStragglers *self, TtStore *store)
{
  const guint32 max_process = tt_store_max_process (store), max_thread = tt_store_max_thread (store);
  const guint32 max_name = tt_store_max_name (store);

  for (guint i = 0; i < self->steps->len; i++)
    {
      const TtStraggler *step = &g_array_index (self->steps, TtStraggler, i);
      if (step->process > max_process || step->thread > max_thread || step->name > max_name)
        return FALSE;
    }
  for (guint i = 0; i < self->ranks->len; i++)
    {
      const TtStragglerRank *rank = &g_array_index (self->ranks, TtStragglerRank, i);
      if (rank->process > max_process || rank->thread > max_thread || rank->name > max_name)
        return FALSE;
    }
  return TRUE;
}
