/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/spans/shares.h"

#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/base/int128.h"

typedef struct
{
  guint64 first, last;
  guint share;
} Piece;

static int
compare_pieces (gconstpointer a, gconstpointer b)
{
  return TT_COMPARE (((const Piece *) b)->first, ((const Piece *) a)->first);
}

/* Of Piece, the sources with events, the last ids first. */
static GArray *
deal_sources (TtStore *store, guint n)
{
  GArray *pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  guint n_sources;
  const TtSource *sources = tt_store_sources (store, &n_sources);
  guint64 total = 0, before = 0;

  for (guint i = 0; i < n_sources; i++)
    if (sources[i].n_events > 0)
      {
        const Piece piece = { sources[i].first_event, sources[i].last_event, 0 };
        g_array_append_val (pieces, piece);
        total += piece.last - piece.first + 1;
      }
  g_array_sort (pieces, compare_pieces);
  for (guint i = 0; i < pieces->len; i++)
    {
      Piece *piece = &g_array_index (pieces, Piece, i);
      const guint64 size = piece->last - piece->first + 1;
      piece->share = (guint) ((tt_uint128) (before + size / 2) * n / total);
      before += size;
    }
  return pieces;
}

void
tt_event_share (TtStore *store, guint n, guint i, guint64 *first, guint64 *last)
{
  g_autoptr (GArray) pieces = deal_sources (store, n);
  const Piece *piece = TT_ARRAY (pieces, Piece);

  *first = 1;
  *last = 0;
  for (guint k = 0; k < pieces->len; k++)
    if (piece[k].share == i)
      {
        *first = piece[k].first;
        *last = *last == 0 ? piece[k].last : *last;
      }
}

guint
tt_event_shares_count (TtStore *store, guint n)
{
  g_autoptr (GArray) pieces = deal_sources (store, n);
  const Piece *piece = TT_ARRAY (pieces, Piece);
  guint n_filled = 0;

  for (guint k = 0; k < pieces->len; k++)
    n_filled += k == 0 || piece[k].share != piece[k - 1].share;
  return n_filled;
}

void
tt_event_owners_init (TtEventOwners *self, TtStore *store, guint n)
{
  g_autoptr (GArray) pieces = deal_sources (store, n);
  gsize room = (gsize) pieces->len + 1;

  *self = (TtEventOwners){ g_new (guint64, room), g_new (guint64, room), g_new (guint, room), 0 };
  for (guint k = 0; k < pieces->len; k++)
    {
      const Piece *piece = &g_array_index (pieces, Piece, k);
      if (self->n == 0 || self->share[self->n - 1] != piece->share)
        {
          self->share[self->n] = piece->share;
          self->last[self->n++] = piece->last;
        }
      self->first[self->n - 1] = piece->first;
    }
}

void
tt_event_owners_clear (TtEventOwners *self)
{
  g_clear_pointer (&self->first, g_free);
  g_clear_pointer (&self->last, g_free);
  g_clear_pointer (&self->share, g_free);
}

guint
tt_event_owner (const TtEventOwners *self, guint64 event)
{
  guint low = 0, high = self->n;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (self->first[middle] > event)
        low = middle + 1;
      else
        high = middle;
    }
  return low < self->n && event <= self->last[low] ? self->share[low] : 0;
}

/* -- cut sources ------------------------------------------------------------------------------------------------------ */

/* One has a fourth more than it should have. */
gboolean
tt_event_shares_are_uneven (TtStore *store, guint n)
{
  g_autoptr (GArray) pieces = deal_sources (store, n);
  g_autofree guint64 *sizes = g_new0 (guint64, n);
  guint64 most = 0, total = 0;

  for (guint i = 0; i < pieces->len; i++)
    {
      const Piece *piece = &g_array_index (pieces, Piece, i);
      const guint64 size = piece->last - piece->first + 1;

      sizes[piece->share] += size;
      most = MAX (most, sizes[piece->share]);
      total += size;
    }
  return total >= n && (tt_uint128) most * n * 4 > (tt_uint128) total * 5;
}

void
tt_event_share_cut (TtStore *store, guint n, guint i, TtEventCut *cut)
{
  g_autoptr (GArray) pieces = deal_sources (store, n);
  guint64 total = 0, before = 0;

  for (guint k = 0; k < pieces->len; k++)
    total += g_array_index (pieces, Piece, k).last - g_array_index (pieces, Piece, k).first + 1;
  const guint64 from = (guint64) ((tt_uint128) total * i / n), to = (guint64) ((tt_uint128) total * (i + 1) / n);
  *cut = (TtEventCut){ .first = 1 };
  for (guint k = 0; k < pieces->len; k++)
    {
      const Piece *piece = &g_array_index (pieces, Piece, k);
      const guint64 size = piece->last - piece->first + 1;
      const guint64 low = MAX (from, before), high = MIN (to, before + size);
      before += size;
      if (low >= high)
        continue;
      cut->first = piece->last - (high - (before - size)) + 1;
      if (cut->last > 0)
        continue;
      cut->last = piece->last - (low - (before - size));
      cut->source_last = piece->last;
      cut->source_first = piece->first;
    }
}

void
tt_event_owners_init_cut (TtEventOwners *self, TtStore *store, guint n)
{
  *self = (TtEventOwners){ g_new (guint64, n), g_new (guint64, n), g_new (guint, n), 0 };
  for (guint i = 0; i < n; i++)
    {
      TtEventCut cut;

      tt_event_share_cut (store, n, i, &cut);
      if (cut.first > cut.last)
        continue;
      self->first[self->n] = cut.first;
      self->last[self->n] = cut.last;
      self->share[self->n++] = i;
    }
}
