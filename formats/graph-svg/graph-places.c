/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/graph-svg/graph-places.h"

#include "src/base/compare.h"

#define N_ORDER_SWEEPS 12
#define N_PLACE_SWEEPS 8
#define ITEM_GAP 10
/* Places in the middle of a computation have so many parts of a pixel. */
#define PARTS 64
/* Long edges become straight before short ones do. */
#define BEND_WEIGHT 8

#define ITEM(self, i) (&g_array_index ((self)->items, TtGraphLayoutItem, (i)))
#define LINK(self, i) (&g_array_index ((self)->links, TtGraphLayoutLink, (i)))

typedef struct
{
  guint32 *first, *other; /* those of item i are other[first[i]] to other[first[i + 1] - 1] */
} Neighbours;

typedef struct
{
  guint32 item, phase;
  gint64 key;
  guint32 place;
} Ordered;

/* A stretch of items that push against each other: their mean is where they want to be. */
typedef struct
{
  gint64 sum, weight;
  guint32 n;
} Block;

typedef struct
{
  TtGraphLayout *layout;
  Neighbours before, after;
  guint32 *first; /* by layer: its items are order[first[l]] to order[first[l + 1] - 1], by lane and place */
  guint32 *order;
  Ordered *sorted; /* room for the items of a layer */
  Block *blocks;
  gint64 *wish;
} Placing;

static void
list_neighbours (Neighbours *self, const TtGraphLayout *layout, gboolean is_before)
{
  guint n = layout->items->len, n_links = layout->links->len;

  self->first = g_new0 (guint32, (gsize) n + 2);
  self->other = g_new (guint32, (gsize) n_links + 1);
  for (guint i = 0; i < n_links; i++)
    self->first[(is_before ? LINK (layout, i)->to : LINK (layout, i)->from) + 2]++;
  for (guint i = 2; i < n + 2; i++)
    self->first[i] += self->first[i - 1];
  for (guint i = 0; i < n_links; i++)
    {
      const TtGraphLayoutLink *link = LINK (layout, i);
      self->other[self->first[(is_before ? link->to : link->from) + 1]++] = is_before ? link->from : link->to;
    }
}

/* -- lanes ----------------------------------------------------------------------------------------------------------- */

/* So that the fullest layer of each lane has room. */
static void
place_lanes (TtGraphLayout *layout, gint32 lane_gap)
{
  gsize n_layers = layout->n_layers;
  g_autofree gint32 *need = g_new0 (gint32, n_layers * layout->n_lanes + 1);
  gint32 at = 0;

  layout->lane_begin = g_new0 (gint32, (gsize) layout->n_lanes + 1);
  layout->lane_end = g_new0 (gint32, (gsize) layout->n_lanes + 1);
  for (guint i = 0; i < layout->items->len; i++)
    need[ITEM (layout, i)->lane * n_layers + ITEM (layout, i)->layer] += ITEM (layout, i)->across + ITEM_GAP;
  for (guint lane = 0; lane < layout->n_lanes; lane++)
    {
      gint32 most = 0;

      for (gsize layer = 0; layer < n_layers; layer++)
        most = MAX (most, need[lane * n_layers + layer]);
      layout->lane_begin[lane] = at;
      layout->lane_end[lane] = at + most;
      at += most + (most > 0 ? lane_gap : 0);
    }
  layout->across = MAX (at - lane_gap, 0);
}

/* -- order ----------------------------------------------------------------------------------------------------------- */

static int
compare_ordered (const void *a, const void *b)
{
  const Ordered *x = a, *y = b;

  if (x->phase != y->phase)
    return TT_COMPARE (x->phase, y->phase);
  return x->key != y->key ? TT_COMPARE (x->key, y->key) : TT_COMPARE (x->place, y->place);
}

static void
pack_layer (Placing *self, guint32 layer)
{
  gint32 at = 0;
  guint32 lane = TT_GRAPH_LAYOUT_NONE;

  for (guint32 k = self->first[layer]; k < self->first[layer + 1]; k++)
    {
      TtGraphLayoutItem *item = ITEM (self->layout, self->order[k]);

      if (item->lane != lane)
        at = self->layout->lane_begin[item->lane];
      lane = item->lane;
      item->at = at + (item->across + ITEM_GAP) / 2;
      at += item->across + ITEM_GAP;
    }
}

/* Where the neighbours on one side are in the mean; G_MININT64: there are none. */
static gint64
mean_of (const Placing *self, const Neighbours *neighbours, guint32 item)
{
  const TtGraphLayoutItem *own = ITEM (self->layout, item);
  gint64 sum = 0, weight = 0;

  for (guint32 k = neighbours->first[item]; k < neighbours->first[item + 1]; k++)
    {
      const TtGraphLayoutItem *other = ITEM (self->layout, neighbours->other[k]);
      gint64 w = own->node == TT_GRAPH_LAYOUT_NONE && other->node == TT_GRAPH_LAYOUT_NONE ? BEND_WEIGHT : 1;

      sum += w * PARTS * other->at;
      weight += w;
    }
  return weight == 0 ? G_MININT64 : sum / weight;
}

/* The end of the items of one lane in a layer, from place @k. */
static guint32
end_of_lane (const Placing *self, guint32 k, guint32 end)
{
  guint32 lane = ITEM (self->layout, self->order[k])->lane;

  while (k < end && ITEM (self->layout, self->order[k])->lane == lane)
    k++;
  return k;
}

static void
order_layer (Placing *self, const Neighbours *neighbours, guint32 layer)
{
  guint32 end = self->first[layer + 1];

  for (guint32 k = self->first[layer], next; k < end; k = next)
    {
      next = end_of_lane (self, k, end);
      for (guint32 i = k; i < next; i++)
        {
          guint32 item = self->order[i];
          gint64 mean = mean_of (self, neighbours, item);
          self->sorted[i - k] =
              (Ordered){ item, ITEM (self->layout, item)->phase,
                         mean == G_MININT64 ? (gint64) PARTS * ITEM (self->layout, item)->at : mean, i };
        }
      qsort (self->sorted, next - k, sizeof *self->sorted, compare_ordered);
      for (guint32 i = k; i < next; i++)
        self->order[i] = self->sorted[i - k].item;
    }
  pack_layer (self, layer);
}

/* -- places ---------------------------------------------------------------------------------------------------------- */

/* The items of one lane in a layer go as near as they can to where they wish to be, in their order: the least squares of
 * what is left, by pooling neighbours that push each other. */
static void
place_run (Placing *self, guint32 from, guint32 to)
{
  const TtGraphLayout *layout = self->layout;
  guint32 lane = ITEM (layout, self->order[from])->lane, n_blocks = 0;
  gint64 before = 0; /* what the items before need, at least */
  gint64 low = (gint64) layout->lane_begin[lane] * PARTS, high = (gint64) layout->lane_end[lane] * PARTS, need = 0;

  for (guint32 i = from; i < to; i++)
    need += (gint64) (ITEM (layout, self->order[i])->across + ITEM_GAP) * PARTS;
  for (guint32 i = from; i < to; i++)
    {
      gint64 room = (gint64) (ITEM (layout, self->order[i])->across + ITEM_GAP) * PARTS;
      Block block = { CLAMP (self->wish[i - from] - before - room / 2, low, high - need), 1, 1 };

      before += room;
      while (n_blocks > 0 &&
             self->blocks[n_blocks - 1].sum * block.weight > block.sum * self->blocks[n_blocks - 1].weight)
        {
          const Block *last = &self->blocks[--n_blocks];
          block = (Block){ last->sum + block.sum, last->weight + block.weight, last->n + block.n };
        }
      self->blocks[n_blocks++] = block;
    }
  before = 0;
  for (guint32 b = 0, i = from; b < n_blocks; b++)
    for (guint32 k = 0; k < self->blocks[b].n; k++, i++)
      {
        TtGraphLayoutItem *item = ITEM (layout, self->order[i]);
        gint64 room = (gint64) (item->across + ITEM_GAP) * PARTS;

        item->at = (gint32) ((self->blocks[b].sum / self->blocks[b].weight + before + room / 2) / PARTS);
        before += room;
      }
}

static void
place_layer (Placing *self, const Neighbours *neighbours, const Neighbours *others, guint32 layer)
{
  guint32 end = self->first[layer + 1];

  for (guint32 k = self->first[layer], next; k < end; k = next)
    {
      next = end_of_lane (self, k, end);
      for (guint32 i = k; i < next; i++)
        {
          gint64 mean = mean_of (self, neighbours, self->order[i]);
          if (mean == G_MININT64)
            mean = mean_of (self, others, self->order[i]);
          self->wish[i - k] = mean == G_MININT64 ? (gint64) PARTS * ITEM (self->layout, self->order[i])->at : mean;
        }
      place_run (self, k, next);
    }
}

/* -- public ---------------------------------------------------------------------------------------------------------- */

static void
list_layers (Placing *self)
{
  const TtGraphLayout *layout = self->layout;
  guint n = layout->items->len;
  g_autofree guint32 *by_lane = g_new (guint32, (gsize) n + 1);
  g_autofree guint32 *lane_first = g_new0 (guint32, (gsize) layout->n_lanes + 2);
  g_autofree guint32 *next = NULL;

  for (guint i = 0; i < n; i++)
    lane_first[ITEM (layout, i)->lane + 1]++;
  for (guint i = 1; i <= layout->n_lanes; i++)
    lane_first[i] += lane_first[i - 1];
  for (guint i = 0; i < n; i++)
    by_lane[lane_first[ITEM (layout, i)->lane]++] = i;
  self->first = g_new0 (guint32, (gsize) layout->n_layers + 2);
  self->order = g_new (guint32, (gsize) n + 1);
  for (guint i = 0; i < n; i++)
    self->first[ITEM (layout, i)->layer + 1]++;
  for (guint i = 1; i <= layout->n_layers; i++)
    self->first[i] += self->first[i - 1];
  next = g_memdup2 (self->first, ((gsize) layout->n_layers + 1) * sizeof *next);
  for (guint i = 0; i < n; i++)
    self->order[next[ITEM (layout, by_lane[i])->layer]++] = by_lane[i];
}

void
tt_graph_layout_place_across (TtGraphLayout *layout, gint32 lane_gap)
{
  Placing self = { .layout = layout };
  guint n = layout->items->len, n_layers = layout->n_layers;

  place_lanes (layout, lane_gap);
  list_neighbours (&self.before, layout, TRUE);
  list_neighbours (&self.after, layout, FALSE);
  list_layers (&self);
  self.sorted = g_new (Ordered, (gsize) n + 1);
  self.blocks = g_new (Block, (gsize) n + 1);
  self.wish = g_new (gint64, (gsize) n + 1);
  for (guint layer = 0; layer < n_layers; layer++)
    pack_layer (&self, layer);
  for (guint sweep = 0; sweep < N_ORDER_SWEEPS; sweep++)
    for (guint i = 0; i < n_layers; i++)
      order_layer (&self, sweep % 2 == 0 ? &self.before : &self.after, sweep % 2 == 0 ? i : n_layers - 1 - i);
  for (guint sweep = 0; sweep < N_PLACE_SWEEPS; sweep++)
    for (guint i = 0; i < n_layers; i++)
      if (sweep % 2 == 0)
        place_layer (&self, &self.before, &self.after, i);
      else
        place_layer (&self, &self.after, &self.before, n_layers - 1 - i);
  g_free (self.before.first);
  g_free (self.before.other);
  g_free (self.after.first);
  g_free (self.after.other);
  g_free (self.first);
  g_free (self.order);
  g_free (self.sorted);
  g_free (self.blocks);
  g_free (self.wish);
}
