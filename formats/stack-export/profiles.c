/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/stack-export/profiles.h"

#include "analyzers/process-order.h"
#include "formats/stack-export/spans.h"
#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/base/map64.h"
#include "src/base/progress.h"
#include "src/base/sorter.h"
#include "src/trace/span.h"

#define SORT_MEMORY ((gsize) 24 << 20)
#define STEP 65536u

/* A span on its way; the key is (sequence of profiles, place in it). */
typedef struct
{
  guint64 high, low;
  guint64 id, parent; /* events; parent 0: none that is or will be in its profile */
  gint64 begin_ns, end_ns;
  guint32 thread, name;
} Item;

/* What begins with an item of the same `high` is one sequence: the spans of a thread, or its asynchronous ones. */
#define IS_ASYNC 1u
#define IS_TICKS 2u
#define KIND_BITS 2

typedef struct
{
  guint32 source;
  gint64 first_ns; /* of its clock */
  gboolean is_ticks;
} Clock;

/* Where a name comes first; key as of an item. */
typedef struct
{
  guint64 high, low;
  guint32 name;
} First;

typedef struct
{
  TtStore *store;
  const TtStackProfileWriter *writer;
  gpointer data;
  TtStackReport *report;
  TtSorter *items;
  guint64 n_closed;
  GArray *clocks; /* of Clock, in the order of sources */
  guint last_clock;
  guint32 *ranks; /* by thread: its place */

  GArray *open;        /* of Item: the stack of the profile that is being written */
  gint64 now_ns;       /* no later than what follows in it */
  GHashTable *waiting; /* ids of spans left to the next profile that are not over; NULL: of none */
  gint64 waiting_ns;   /* the last of their ends */

  const TtStackSharing *sharing; /* NULL: all are written */
  gboolean is_odd;
  guint64 first_place, last_place; /* of threads */
  GArray *firsts;                  /* of First */
  TtMap64 first_of;                /* name -> place in these */
} Profiles;

static void
profiles_clear (Profiles *self)
{
  g_clear_pointer (&self->items, tt_sorter_free);
  g_clear_pointer (&self->clocks, g_array_unref);
  g_clear_pointer (&self->open, g_array_unref);
  g_clear_pointer (&self->waiting, g_hash_table_unref);
  g_clear_pointer (&self->firsts, g_array_unref);
  tt_map64_clear (&self->first_of);
  g_free (self->ranks);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Profiles, profiles_clear)

/* -- clocks and threads --------------------------------------------------------------------------- */

/* 0: none of its sources has a time. */
static gboolean
find_first_time (TtStore *store, const char *clock, gint64 *first_ns, GError **error)
{
  g_autoptr (GError) failed = NULL;
  gint64 last_ns;

  *first_ns = 0;
  if (tt_store_clock_range (store, clock, first_ns, &last_ns, &failed) || failed == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failed));
  return FALSE;
}

static gboolean
read_clocks (Profiles *self, GError **error)
{
  guint n;
  const TtSource *sources = tt_store_sources (self->store, &n);

  self->clocks = g_array_new (FALSE, FALSE, sizeof (Clock));
  for (guint i = 0; i < n; i++)
    {
      Clock clock = { .source = sources[i].id };
      guint same = 0;

      clock.is_ticks = g_strcmp0 (sources[i].clock, tt_clock_text (TT_CLOCK_TICKS)) == 0;
      while (same < i && g_strcmp0 (sources[same].clock, sources[i].clock) != 0)
        same++;
      if (same < i)
        clock.first_ns = g_array_index (self->clocks, Clock, same).first_ns;
      else if (!find_first_time (self->store, sources[i].clock, &clock.first_ns, error))
        return FALSE;
      g_array_append_val (self->clocks, clock);
    }
  return TRUE;
}

/* Events of one source come together. */
static const Clock *
find_clock (Profiles *self, guint32 source)
{
  static const Clock none = { 0 };

  for (guint i = 0; i < self->clocks->len; i++)
    {
      guint at = (self->last_clock + i) % self->clocks->len;
      if (g_array_index (self->clocks, Clock, at).source == source)
        {
          self->last_clock = at;
          return &g_array_index (self->clocks, Clock, at);
        }
    }
  return &none;
}

static int
compare_threads (gconstpointer a, gconstpointer b, gpointer data)
{
  const TtThread *one = *(const TtThread *const *) a, *other = *(const TtThread *const *) b;
  int order = tt_process_order (data, one->process, other->process);

  if (order == 0)
    order = TT_COMPARE (one->order, other->order);
  return order != 0 ? order : TT_COMPARE (one->id, other->id);
}

static void
rank_threads (Profiles *self)
{
  guint n;
  const TtThread *threads = tt_store_threads (self->store, &n);
  guint32 max = tt_store_max_thread (self->store);
  g_autoptr (GPtrArray) sorted = g_ptr_array_sized_new (n);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (sorted, (gpointer) &threads[i]);
  g_ptr_array_sort_with_data (sorted, compare_threads, self->store);
  self->ranks = g_new (guint32, (gsize) max + 1);
  for (guint32 i = 0; i <= max; i++)
    self->ranks[i] = n + i;
  for (guint i = 0; i < n; i++)
    self->ranks[((const TtThread *) sorted->pdata[i])->id] = i;
}

/* -- reading -------------------------------------------------------------------------------------- */

static Item
make_item (Profiles *self, const TtEvent *event)
{
  const Clock *clock = find_clock (self, event->source);
  guint32 max = tt_store_max_thread (self->store);
  guint32 kind = (event->flags & TT_FLAG_ASYNC ? IS_ASYNC : 0) | (clock->is_ticks ? IS_TICKS : 0);
  Item item = { .id = event->id, .thread = event->thread, .name = event->name };

  item.high = (guint64) self->ranks[MIN (event->thread, max)] << KIND_BITS | kind;
  if (__builtin_sub_overflow (event->ts_ns, clock->first_ns, &item.begin_ns))
    item.begin_ns = G_MAXINT64;
  item.end_ns = tt_span_end (item.begin_ns, event->dur_ns);
  return item;
}

static void
add_span (const TtEvent *event, gpointer payload, gconstpointer parent, gpointer data)
{
  Profiles *self = data;
  Item item = make_item (self, event);

  self->is_odd |= (event->flags & (TT_FLAG_OVERLAP | TT_FLAG_ASYNC)) != 0;
  if (payload != NULL)
    {
      item.parent = parent == NULL ? 0 : ((const Item *) parent)->id;
      *(Item *) payload = item;
      return;
    }
  item.low = tt_sort_key (item.begin_ns);
  *(Item *) tt_sorter_add (self->items) = item;
}

static void
note_first (Profiles *self, const Item *item)
{
  const First one = { item->high, item->low, item->name };
  const guint32 number = tt_map64_get (&self->first_of, item->name);

  self->first_place = MIN (self->first_place, item->high >> KIND_BITS);
  self->last_place = MAX (self->last_place, item->high >> KIND_BITS);
  if (number == TT_MAP64_NONE)
    {
      tt_map64_set (&self->first_of, item->name, self->firsts->len);
      g_array_append_val (self->firsts, one);
      return;
    }
  First *first = &g_array_index (self->firsts, First, number);
  if (one.high < first->high || (one.high == first->high && one.low < first->low))
    *first = one;
}

/* Read backwards, spans close in the order in which they begin, the last first. */
static void
on_closed (gpointer payload, gpointer data)
{
  Profiles *self = data;
  Item *item = tt_sorter_add (self->items);

  *item = *(const Item *) payload;
  item->low = G_MAXUINT64 - self->n_closed++;
  if (self->sharing != NULL)
    note_first (self, item);
}

/* -- one profile ---------------------------------------------------------------------------------- */

static Item *
innermost (const Profiles *self)
{
  return self->open->len == 0 ? NULL : &g_array_index (self->open, Item, self->open->len - 1);
}

static void
close_innermost (Profiles *self)
{
  const Item *item = innermost (self);

  self->now_ns = MAX (self->now_ns, item->end_ns);
  self->writer->close (item->name, self->now_ns, self->data);
  g_array_set_size (self->open, self->open->len - 1);
}

/* Whether the profile takes the span: it nests there, right inside its parent. */
static gboolean
take_item (Profiles *self, const Item *item)
{
  const Item *outer;

  while ((outer = innermost (self)) != NULL && outer->id != item->parent && outer->end_ns <= item->begin_ns)
    close_innermost (self);
  if ((outer == NULL ? 0 : outer->id) != item->parent || item->begin_ns < self->now_ns ||
      (outer != NULL && item->end_ns > outer->end_ns))
    return FALSE;
  self->now_ns = item->begin_ns;
  g_array_append_vals (self->open, item, 1);
  self->writer->open (item->name, item->begin_ns, self->data);
  return TRUE;
}

/* Leaves the span to the next profile: there it is inside its parent if that is left, too, and else inside of none. */
static void
leave_item (Profiles *self, const Item *item, TtSorter *left)
{
  Item *kept = tt_sorter_add (left);

  self->report->n_crossing++;
  if (self->waiting == NULL || self->waiting_ns < item->begin_ns)
    {
      g_clear_pointer (&self->waiting, g_hash_table_unref);
      self->waiting = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
      self->waiting_ns = item->end_ns;
    }
  *kept = *item;
  kept->low = tt_sorter_count (left);
  if (item->parent != 0 && !g_hash_table_contains (self->waiting, &item->parent))
    kept->parent = 0;
  g_hash_table_add (self->waiting, g_memdup2 (&item->id, sizeof item->id));
  self->waiting_ns = MAX (self->waiting_ns, item->end_ns);
}

static void
begin_profile (Profiles *self, const Item *first, guint number)
{
  const TtStackProfile profile = {
    .thread = first->thread,
    .number = number,
    .is_async = (first->high & IS_ASYNC) != 0,
    .is_ticks = (first->high & IS_TICKS) != 0,
  };

  self->now_ns = G_MININT64;
  g_clear_pointer (&self->waiting, g_hash_table_unref);
  self->report->n_profiles++;
  self->writer->begin (&profile, self->data);
}

static void
end_profile (Profiles *self)
{
  while (self->open->len > 0)
    close_innermost (self);
  self->writer->end (self->data);
}

/* -- all of them ---------------------------------------------------------------------------------- */

/* The next item of @items, *failed when reading it fails. */
static const Item *
next_item (TtSorter *items, guint *n, GError **failed)
{
  if (++*n % STEP == 0 && tt_cancelled (failed))
    return NULL;
  return tt_sorter_next (items, failed);
}

/* Further profiles for what the first of a thread has left. Consumes @left. */
static gboolean
write_left (Profiles *self, TtSorter *left, GError **error)
{
  g_autoptr (TtSorter) items = left;
  g_autoptr (GError) failed = NULL;
  const Item *item;
  guint n = 0;

  for (guint number = 2; tt_sorter_count (items) > 0; number++)
    {
      if (number > TT_STACK_MAX_PROFILES)
        {
          self->report->n_left_out += tt_sorter_count (items);
          self->report->n_spans -= tt_sorter_count (items);
          return TRUE;
        }
      g_autoptr (TtSorter) next = tt_sorter_new (sizeof (Item), SORT_MEMORY);
      gboolean is_begun = FALSE;

      if (!tt_sorter_finish (items, error))
        return FALSE;
      while ((item = next_item (items, &n, &failed)) != NULL)
        {
          if (!is_begun)
            begin_profile (self, item, number);
          is_begun = TRUE;
          if (!take_item (self, item))
            leave_item (self, item, next);
        }
      if (failed != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&failed));
          return FALSE;
        }
      end_profile (self);
      tt_sorter_free (items);
      items = g_steal_pointer (&next);
    }
  return TRUE;
}

static gboolean
write_all (Profiles *self, GError **error)
{
  g_autoptr (TtProgress) progress = tt_progress_new ("writing", self->report->n_spans, "spans");
  g_autoptr (TtSorter) left = NULL;
  g_autoptr (GError) failed = NULL;
  const Item *item;
  guint64 sequence = 0;
  guint n = 0;

  while ((item = next_item (self->items, &n, &failed)) != NULL)
    {
      if (left == NULL || item->high != sequence)
        {
          if (left != NULL)
            end_profile (self);
          if (left != NULL && !write_left (self, g_steal_pointer (&left), error))
            return FALSE;
          left = tt_sorter_new (sizeof (Item), SORT_MEMORY);
          sequence = item->high;
          begin_profile (self, item, 1);
        }
      if (!take_item (self, item))
        leave_item (self, item, left);
      if (n % STEP == 0)
        tt_progress_add (progress, STEP);
    }
  if (failed != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failed));
      return FALSE;
    }
  if (left == NULL)
    return TRUE;
  end_profile (self);
  return write_left (self, g_steal_pointer (&left), error);
}

static int
compare_firsts (gconstpointer a, gconstpointer b)
{
  const First *x = a, *y = b;

  return x->high != y->high ? TT_COMPARE (x->high, y->high) : TT_COMPARE (x->low, y->low);
}

static gboolean
agree (Profiles *self, GError **error)
{
  g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (guint32));
  const TtStackPart part = { .has_any = self->firsts->len > 0,
                             .is_odd = self->is_odd,
                             .first = self->first_place,
                             .last = self->last_place,
                             .names = names };

  g_array_sort (self->firsts, compare_firsts);
  for (guint i = 0; i < self->firsts->len; i++)
    g_array_append_val (names, g_array_index (self->firsts, First, i).name);
  return self->sharing->agree (&part, self->data, error);
}

gboolean
tt_stack_profiles_write (TtStore *store,
                         TtSelection *selection,
                         TtStackReport *report,
                         const TtStackSharing *sharing,
                         const TtStackProfileWriter *writer,
                         gpointer data,
                         GError **error)
{
  g_auto (Profiles) self = {
    .store = store,
    .writer = writer,
    .data = data,
    .report = report,
    .items = tt_sorter_new (sizeof (Item), SORT_MEMORY),
    .open = g_array_new (FALSE, FALSE, sizeof (Item)),
    .sharing = sharing,
    .firsts = g_array_new (FALSE, FALSE, sizeof (First)),
    .first_place = G_MAXUINT64,
  };
  const TtStackSpans spans = {
    .store = store,
    .selection = selection,
    .report = report,
    .payload_size = sizeof (Item),
    .add = add_span,
    .closed = on_closed,
    .data = &self,
    .shared = sharing == NULL ? NULL : sharing->scan,
  };

  rank_threads (&self);
  return read_clocks (&self, error) && tt_stack_spans_read (&spans, error) && tt_sorter_finish (self.items, error) &&
         (sharing == NULL || agree (&self, error)) && write_all (&self, error);
}
