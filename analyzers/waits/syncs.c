/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/syncs.h"

#include "src/base/array-sort.h"
#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/base/map64.h"
#include "src/base/sorter.h"

/* How many earlier synchronisations are looked at where the latest do not fit. */
#define MAX_LOOKS 64u

typedef struct
{
  gint64 low_begin_ns, low_end_ns, high_begin_ns, high_end_ns;
  guint32 low, high; /* threads */
} Pair;

/* A part of a call of a group: threads that are in calls together. */
typedef struct
{
  gint64 begin_ns, end_ns;
  guint32 thread, group, call;
} Part;

typedef struct
{
  guint first, n; /* of members */
} Group;

struct _TtSyncs
{
  GArray *pairs;     /* of Pair by (low, high, begin of low) */
  guint32 *by_high;  /* numbers of pairs, by (low, high, begin of high) */
  GArray *parts;     /* of Part by (thread, group, begin) */
  GArray *members;   /* of guint32: threads of a group, ascending */
  GArray *groups;    /* of Group */
  TtMap64 number_of; /* group by a hash of its members, later ones of one hash at hash + 1 ... */
  guint32 n_calls;
};

TtSyncs *
tt_syncs_new (void)
{
  TtSyncs *self = g_new0 (TtSyncs, 1);

  self->pairs = g_array_new (FALSE, FALSE, sizeof (Pair));
  self->parts = g_array_new (FALSE, FALSE, sizeof (Part));
  self->members = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->groups = g_array_new (FALSE, FALSE, sizeof (Group));
  return self;
}

void
tt_syncs_free (TtSyncs *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->pairs);
  g_array_unref (self->parts);
  g_array_unref (self->members);
  g_array_unref (self->groups);
  g_free (self->by_high);
  tt_map64_clear (&self->number_of);
  g_free (self);
}

void
tt_syncs_add_pair (TtSyncs *self, const TtSyncCall *a, const TtSyncCall *b)
{
  const TtSyncCall *low = a->thread < b->thread ? a : b, *high = a->thread < b->thread ? b : a;
  const Pair pair = { low->begin_ns, low->end_ns, high->begin_ns, high->end_ns, low->thread, high->thread };

  if (a->thread != b->thread)
    g_array_append_val (self->pairs, pair);
}

/* -- groups ------------------------------------------------------------------------------------------------------ */

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  return TT_COMPARE (*(const guint32 *) a, *(const guint32 *) b);
}

static gboolean
is_group (const TtSyncs *self, guint32 number, const guint32 *threads, guint n)
{
  const Group *group = &g_array_index (self->groups, Group, number);

  return group->n == n &&
         memcmp (&g_array_index (self->members, guint32, group->first), threads, n * sizeof *threads) == 0;
}

/* @threads: ascending. */
static guint32
group_of (TtSyncs *self, const guint32 *threads, guint n)
{
  guint64 hash = n;

  for (guint i = 0; i < n; i++)
    hash = (hash ^ threads[i]) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) ^ (hash >> 29);
  for (;; hash++)
    {
      guint32 number = tt_map64_get (&self->number_of, hash);
      const Group fresh = { self->members->len, n };

      if (number != TT_MAP64_NONE && !is_group (self, number, threads, n))
        continue;
      if (number != TT_MAP64_NONE)
        return number;
      g_array_append_vals (self->members, threads, n);
      g_array_append_val (self->groups, fresh);
      tt_map64_set (&self->number_of, hash, self->groups->len - 1);
      return self->groups->len - 1;
    }
}

void
tt_syncs_add_call (TtSyncs *self, const TtSyncCall *calls, guint n)
{
  g_autofree guint32 *threads = g_new (guint32, (gsize) n + 1);

  for (guint i = 0; i < n; i++)
    threads[i] = calls[i].thread;
  qsort (threads, n, sizeof *threads, compare_numbers);
  guint32 group = group_of (self, threads, n);
  for (guint i = 0; i < n; i++)
    {
      const Part part = { calls[i].begin_ns, calls[i].end_ns, calls[i].thread, group, self->n_calls };

      g_array_append_val (self->parts, part);
    }
  self->n_calls++;
}

/* -- orders ------------------------------------------------------------------------------------------------------ */

static TtArrayKey
key_of_pair (gconstpointer element)
{
  const Pair *pair = element;

  return (TtArrayKey){ (guint64) pair->low << 32 | pair->high, tt_sort_key (pair->low_begin_ns) };
}

/* Of one key. */
static int
compare_pairs (gconstpointer a, gconstpointer b)
{
  const Pair *x = a, *y = b;
  int order = TT_COMPARE (x->high_begin_ns, y->high_begin_ns);

  if (order == 0)
    order = TT_COMPARE (x->low_end_ns, y->low_end_ns);
  return order != 0 ? order : TT_COMPARE (x->high_end_ns, y->high_end_ns);
}

static int
compare_high (gconstpointer a, gconstpointer b, gpointer data)
{
  const Pair *pairs = data;
  guint32 i = *(const guint32 *) a, k = *(const guint32 *) b;
  int order = TT_COMPARE (pairs[i].high_begin_ns, pairs[k].high_begin_ns);

  return order != 0 ? order : TT_COMPARE (i, k);
}

/* Those of two threads lie together in both orders, and mostly in the same. */
static void
order_by_high (TtSyncs *self)
{
  Pair *pairs = TT_ARRAY (self->pairs, Pair);
  guint n = self->pairs->len;

  self->by_high = g_new (guint32, (gsize) n + 1);
  for (guint first = 0, end; first < n; first = end)
    {
      gboolean is_in_order = TRUE;

      for (end = first; end < n && pairs[end].low == pairs[first].low && pairs[end].high == pairs[first].high; end++)
        {
          self->by_high[end] = end;
          is_in_order &= end == first || pairs[end - 1].high_begin_ns <= pairs[end].high_begin_ns;
        }
      if (!is_in_order)
        g_qsort_with_data (&self->by_high[first], (gint) (end - first), sizeof (guint32), compare_high, pairs);
    }
}

static int
compare_parts (gconstpointer a, gconstpointer b)
{
  const Part *x = a, *y = b;
  int order = TT_COMPARE (x->thread, y->thread);

  if (order == 0)
    order = TT_COMPARE (x->group, y->group);
  return order != 0 ? order : TT_COMPARE (x->begin_ns, y->begin_ns);
}

void
tt_syncs_finish (TtSyncs *self)
{
  tt_array_sort_by_key (self->pairs, key_of_pair, compare_pairs);
  g_array_sort (self->parts, compare_parts);
  order_by_high (self);
}

/* -- searches ----------------------------------------------------------------------------------------------------- */

typedef struct
{
  guint32 thread, other;
  gint64 before_ns, until_ns;
  gint64 begin_ns, end_ns, other_end_ns; /* the latest so far; begin G_MININT64: none */
} Search;

static void
consider (Search *search, const TtSyncCall *own, const TtSyncCall *of_other)
{
  if (own->begin_ns <= search->begin_ns)
    return;
  search->begin_ns = own->begin_ns;
  search->end_ns = own->end_ns;
  search->other_end_ns = of_other->end_ns;
}

/* The calls of the pair at @place in the order by the begins of the lower thread's, or of the higher one's. */
static void
pair_at (const TtSyncs *self, gboolean is_low, guint place, TtSyncCall *own, TtSyncCall *of_other)
{
  const Pair *pair = &g_array_index (self->pairs, Pair, is_low ? place : self->by_high[place]);
  const TtSyncCall low = { pair->low_begin_ns, pair->low_end_ns, pair->low };
  const TtSyncCall high = { pair->high_begin_ns, pair->high_end_ns, pair->high };

  *own = is_low ? low : high;
  *of_other = is_low ? high : low;
}

/* The first of these two threads or later ones. */
static guint
lower_pair (const TtSyncs *self, guint32 low_thread, guint32 high_thread)
{
  const guint64 threads = (guint64) low_thread << 32 | high_thread;
  guint low = 0, high = self->pairs->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const Pair *pair = &g_array_index (self->pairs, Pair, middle);

      if (((guint64) pair->low << 32 | pair->high) < threads)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static void
search_pairs (const TtSyncs *self, Search *search)
{
  gboolean is_low = search->thread < search->other;
  guint32 low_thread = MIN (search->thread, search->other), high_thread = MAX (search->thread, search->other);
  guint first = lower_pair (self, low_thread, high_thread), low = first;
  guint high = high_thread == G_MAXUINT32 ? first : lower_pair (self, low_thread, high_thread + 1);
  TtSyncCall own, of_other;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      pair_at (self, is_low, middle, &own, &of_other);
      if (own.begin_ns < search->before_ns)
        low = middle + 1;
      else
        high = middle;
    }
  for (guint i = low, looks = 0; i > first && looks < MAX_LOOKS; i--, looks++)
    {
      pair_at (self, is_low, i - 1, &own, &of_other);
      if (of_other.end_ns > search->until_ns)
        continue;
      consider (search, &own, &of_other);
      return;
    }
}

/* The first part of (@thread, @group) that does not begin before @ns. */
static guint
lower_part (const TtSyncs *self, guint32 thread, guint32 group, gint64 ns)
{
  guint low = 0, high = self->parts->len;
  const Part key = { .begin_ns = ns, .thread = thread, .group = group };

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (compare_parts (&g_array_index (self->parts, Part, middle), &key) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static gboolean
is_member (const TtSyncs *self, guint32 group, guint32 thread)
{
  const Group *of = &g_array_index (self->groups, Group, group);
  const guint32 *members = &g_array_index (self->members, guint32, of->first);

  return bsearch (&thread, members, of->n, sizeof *members, compare_numbers) != NULL;
}

/* The part of @call among those of another thread in the group: of one group each thread is in every call once, so
 * that it is the @guess-th, but for calls that were completed in another order. NULL: not near it. */
static const Part *
find_part (const TtSyncs *self, guint first, guint guess, guint32 call)
{
  const Part *parts = &g_array_index (self->parts, Part, first);
  guint n = self->parts->len - first;

  for (guint k = 0; k < MAX_LOOKS; k++)
    {
      if (guess + k < n && parts[guess + k].call == call)
        return &parts[guess + k];
      if (k <= guess && guess - k < n && parts[guess - k].call == call)
        return &parts[guess - k];
    }
  return NULL;
}

static void
search_group (const TtSyncs *self, Search *search, guint32 group)
{
  guint first = lower_part (self, search->thread, group, G_MININT64);
  guint other_first = lower_part (self, search->other, group, G_MININT64);
  guint end = lower_part (self, search->thread, group, search->before_ns);

  for (guint k = end - first, looks = 0; k > 0 && looks < MAX_LOOKS; k--, looks++)
    {
      const Part *own = &g_array_index (self->parts, Part, first + k - 1);
      const Part *of_other = find_part (self, other_first, k - 1, own->call);

      if (of_other == NULL || of_other->thread != search->other || of_other->end_ns > search->until_ns)
        continue;
      consider (search, &(TtSyncCall){ own->begin_ns, own->end_ns, own->thread },
                &(TtSyncCall){ of_other->begin_ns, of_other->end_ns, of_other->thread });
      return;
    }
}

gboolean
tt_syncs_find (const TtSyncs *self,
               guint32 thread,
               gint64 before_ns,
               guint32 other,
               gint64 until_ns,
               gint64 *end_ns,
               gint64 *other_end_ns)
{
  Search search = { thread, other, before_ns, until_ns, G_MININT64, 0, 0 };
  guint n_looks = 0;

  search_pairs (self, &search);
  for (guint i = lower_part (self, thread, 0, G_MININT64);
       i < self->parts->len && g_array_index (self->parts, Part, i).thread == thread && n_looks < MAX_LOOKS; n_looks++)
    {
      guint32 group = g_array_index (self->parts, Part, i).group;

      if (is_member (self, group, other))
        search_group (self, &search, group);
      i = lower_part (self, thread, group + 1, G_MININT64);
    }
  *end_ns = search.end_ns;
  *other_end_ns = search.other_end_ns;
  return search.begin_ns != G_MININT64;
}
