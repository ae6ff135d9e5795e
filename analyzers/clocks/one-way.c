/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/clocks/one-way.h"

#include <stdlib.h>

#include "analyzers/waits/waits.h"
#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/base/map64.h"
#include "src/trace/span.h"

/* What is evidence: so many messages, that the fastest takes so long, of no more bytes than a slow network carries in a
 * fourth of that; and two of three of these: most messages within a fourth of the fastest, ends of MPI_Init apart by as
 * much but a third, ends of MPI_Finalize likewise. Of messages that take less, all three. */
#define MIN_MESSAGES 3u
#define MIN_LATE_NS 2000000
#define MIN_LATE_OF_ALL_NS 300000
#define BYTE_NS 10
#define PART_OF_LATE 4
#define PART_OF_END 3

typedef struct
{
  guint64 pair; /* from << 32 | to */
  gint64 late_ns;
} Late;

typedef struct
{
  guint64 event; /* that sends */
  gint64 bytes;
} Size;

typedef struct
{
  const TtClockTies *ties;
  TtStore *store;
  GArray *sizes;    /* of Size, then by event */
  TtMap64 fastest;  /* pair -> index of its Late */
  GArray *fastests; /* of Late: the least of each way */
} Search;

static void
search_clear (Search *self)
{
  g_clear_pointer (&self->sizes, g_array_unref);
  g_clear_pointer (&self->fastests, g_array_unref);
  tt_map64_clear (&self->fastest);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Search, search_clear)

static guint64
turned (guint64 pair)
{
  return pair << 32 | pair >> 32;
}

static void
list_fastest (Search *self)
{
  self->fastests = g_array_new (FALSE, FALSE, sizeof (Late));
  for (guint i = 0; i < self->ties->messages->len; i++)
    {
      const TtClockTie *tie = &g_array_index (self->ties->messages, TtClockTie, i);
      const Late late = { (guint64) tie->from << 32 | tie->to, tt_time_since (tie->effect_ns, tie->cause_ns) };
      guint32 index = tt_map64_get (&self->fastest, late.pair);

      if (index == TT_MAP64_NONE)
        {
          tt_map64_set (&self->fastest, late.pair, self->fastests->len);
          g_array_append_val (self->fastests, late);
          continue;
        }
      Late *fastest = &g_array_index (self->fastests, Late, index);
      fastest->late_ns = MIN (fastest->late_ns, late.late_ns);
    }
}

static gboolean
is_one_way (const Search *self, const Late *late)
{
  return late->late_ns >= MIN_LATE_OF_ALL_NS && tt_map64_get (&self->fastest, turned (late->pair)) == TT_MAP64_NONE;
}

/* The sender's clock is the first; that of a receiver that is ahead comes out of a call of MPI later. */
static gboolean
is_as_end (gint64 from_ns, gint64 to_ns, const Late *late)
{
  gint64 apart_ns = tt_time_since (to_ns, from_ns);

  return apart_ns > 0 && ABS (apart_ns - late->late_ns) <= MAX (apart_ns, late->late_ns) / PART_OF_END;
}

static guint
count_ends (const TtClockMpi *mpi, const Late *late)
{
  const TtClockMpi *from = &mpi[late->pair >> 32], *to = &mpi[late->pair & G_MAXUINT32];
  gboolean have_starts = from->start_ns != TT_NO_TIME && to->start_ns != TT_NO_TIME;
  gboolean have_finals = from->final.first_ns <= from->final.last_ns && to->final.first_ns <= to->final.last_ns;

  return (have_starts && is_as_end (from->start_ns, to->start_ns, late) ? 1u : 0u) +
         (have_finals && is_as_end (from->final.last_ns, to->final.last_ns, late) ? 1u : 0u);
}

gboolean
tt_clock_is_any_one_way (const TtClockTies *ties)
{
  g_auto (Search) search = { .ties = ties };

  list_fastest (&search);
  for (guint i = 0; i < search.fastests->len; i++)
    if (is_one_way (&search, &g_array_index (search.fastests, Late, i)))
      return TRUE;
  return FALSE;
}

/* -- messages for which somebody waited ----------------------------------------------------------------------------- */

static gboolean
on_message (const TtMessage *message, gpointer data)
{
  Search *self = data;
  const Size size = { message->send_event, message->bytes };

  if (message->send_event != 0)
    g_array_append_val (self->sizes, size);
  return TRUE;
}

static gboolean
on_call (const TtCall *call, gpointer data)
{
  return TRUE;
}

static int
compare_sizes (gconstpointer a, gconstpointer b)
{
  const Size *x = a, *y = b;

  return x->event != y->event ? TT_COMPARE (x->event, y->event) : TT_COMPARE (y->bytes, x->bytes);
}

/* The largest of the span, which may send several; -1: not known. */
static gint64
size_of (const Search *self, guint64 event)
{
  const Size *sizes = TT_ARRAY (self->sizes, Size);
  guint low = 0, high = self->sizes->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (sizes[middle].event < event)
        low = middle + 1;
      else
        high = middle;
    }
  return low < self->sizes->len && sizes[low].event == event ? sizes[low].bytes : -1;
}

static guint32
clock_of_thread (const Search *self, guint32 thread)
{
  return self->ties->clock_of[tt_store_thread (self->store, thread)->process];
}

static int
compare_late (gconstpointer a, gconstpointer b)
{
  const Late *x = a, *y = b;

  return x->pair != y->pair ? TT_COMPARE (x->pair, y->pair) : TT_COMPARE (x->late_ns, y->late_ns);
}

static GArray *
list_waited (const Search *self, const TtWaits *waits)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Late));

  for (guint i = 0; i < waits->waits->len; i++)
    {
      const TtWait *wait = &g_array_index (waits->waits, TtWait, i);
      gint64 bytes;

      if ((wait->kind != TT_WAIT_LATE_SENDER && wait->kind != TT_WAIT_WRONG_ORDER) || wait->begin_ns >= wait->end_ns)
        continue;
      const Late late = { (guint64) clock_of_thread (self, wait->from_thread) << 32 |
                              clock_of_thread (self, wait->thread),
                          tt_time_since (wait->at_ns, wait->left_ns) };
      bytes = size_of (self, wait->from_event);
      if (bytes >= 0 && bytes <= late.late_ns / PART_OF_LATE / BYTE_NS)
        g_array_append_val (all, late);
    }
  g_array_sort (all, compare_late);
  return all;
}

/* @late: of one pair, the fastest first. */
static gboolean
are_steady (const Late *late, guint n)
{
  guint n_near = 0;

  for (guint i = 0; i < n; i++)
    n_near += late[i].late_ns - late[0].late_ns <= late[0].late_ns / PART_OF_LATE;
  return n_near > n / 2;
}

/* @fastest: of all of the pair; @late: those that somebody waited for. */
static gboolean
is_evidence (const TtClockMpi *mpi, const Late *fastest, const Late *late, guint n)
{
  guint n_told = count_ends (mpi, fastest) + (are_steady (late, n) ? 1u : 0u);

  return n >= MIN_MESSAGES && n_told >= (fastest->late_ns >= MIN_LATE_NS ? 2u : 3u);
}

static int
compare_pairs (gconstpointer a, gconstpointer b)
{
  return TT_COMPARE (((const TtClockOneWay *) a)->pair, ((const TtClockOneWay *) b)->pair);
}

static void
add_pairs (const Search *self, const GArray *all, const TtClockMpi *mpi, GArray *pairs)
{
  const Late *late = TT_ARRAY (all, Late);

  for (guint first = 0, next; first < all->len; first = next)
    {
      guint32 index = tt_map64_get (&self->fastest, late[first].pair), from = (guint32) (late[first].pair >> 32);
      guint32 to = (guint32) late[first].pair;

      for (next = first + 1; next < all->len && late[next].pair == late[first].pair; next++)
        ;
      if (index == TT_MAP64_NONE || !is_one_way (self, &g_array_index (self->fastests, Late, index)) ||
          !is_evidence (mpi, &g_array_index (self->fastests, Late, index), late + first, next - first))
        continue;
      const TtClockOneWay pair = { (guint64) MIN (from, to) << 32 | MAX (from, to),
                                   MIN (late[first].late_ns, g_array_index (self->fastests, Late, index).late_ns) };
      g_array_append_val (pairs, pair);
    }
  g_array_sort (pairs, compare_pairs);
}

GArray *
tt_clock_one_way_new (const TtClockTies *ties, TtStore *store, const TtClockMpi *mpi, GError **error)
{
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (TtClockOneWay));
  g_auto (Search) search = { .ties = ties, .store = store, .sizes = g_array_new (FALSE, FALSE, sizeof (Size)) };
  const TtWaitHearer hearer = { on_message, on_call, &search };
  gboolean is_any = FALSE;

  list_fastest (&search);
  for (guint i = 0; i < search.fastests->len && !is_any; i++)
    {
      const Late *late = &g_array_index (search.fastests, Late, i);

      is_any = is_one_way (&search, late) && count_ends (mpi, late) > 0;
    }
  if (!is_any)
    return g_steal_pointer (&pairs);
  g_autoptr (TtWaits) waits = tt_waits_find (store, NULL, NULL, &hearer, error);
  if (waits == NULL)
    return NULL;
  g_array_sort (search.sizes, compare_sizes);
  g_autoptr (GArray) waited = list_waited (&search, waits);
  add_pairs (&search, waited, mpi, pairs);
  return g_steal_pointer (&pairs);
}

const TtClockOneWay *
tt_clock_one_way_find (const GArray *one_way, guint64 pair)
{
  const TtClockOneWay key = { pair, 0 };

  return one_way == NULL || one_way->len == 0 ? NULL
                                              : bsearch (&key, one_way->data, one_way->len, sizeof key, compare_pairs);
}
