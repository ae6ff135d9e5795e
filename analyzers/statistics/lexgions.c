/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/lexgions.h"

#include "analyzers/spans/each-event.h"
#include "analyzers/statistics/lexgion-spans.h"

#include <string.h>

typedef struct
{
  guint64 codeptr;
  guint64 id;  /* name or thread */
  guint32 row; /* of a cell: its row */
} Key;

/* Of one row, what one thread has. */
typedef struct
{
  Key key;
  tt_int128 total_ns;
  /* Begins of the span counted last, of all and of the chosen: spans come from the last to the first. */
  gint64 covered_from_ns, shown_from_ns;
} Cell;

/* Of one region, what one thread has. */
typedef struct
{
  Key key; /* codeptr, thread */
  tt_int128 task_ns, waits_ns;
} Share;

typedef struct
{
  TtStore *store;
  GArray *rows;      /* of TtLexgionRow */
  GHashTable *index; /* Key (codeptr, name) -> row + 1 */
  GHashTable *cells, *shares;
  guint32 *first_names;
  guint8 *roles;      /* by name */
  TtSampled *sampled; /* NULL: no estimates are wanted */
  GHashTable *own;    /* code pointers inside regions that are counted by themselves */
} Tally;

static guint
key_hash (gconstpointer data)
{
  const Key *key = data;
  guint64 hash = (key->codeptr * 31 + key->id) * 31 + key->row;

  return (guint) (hash ^ hash >> 29);
}

static gboolean
key_equal (gconstpointer a, gconstpointer b)
{
  const Key *x = a, *y = b;

  return x->codeptr == y->codeptr && x->id == y->id && x->row == y->row;
}

/* -- counting ------------------------------------------------------------------------------------------------ */

static TtLexgionRole
role_of (Tally *self, guint32 name)
{
  if (self->roles[name] == TT_LEXGION_UNKNOWN)
    self->roles[name] = (guint8) tt_lexgion_role (tt_store_name (self->store, name));
  return (TtLexgionRole) self->roles[name];
}

static guint32
row_of (Tally *self, guint64 codeptr, guint32 name)
{
  const Key key = { .codeptr = codeptr, .id = self->first_names[name] };
  gpointer known = g_hash_table_lookup (self->index, &key);

  if (known == NULL)
    {
      const TtLexgionRow row = { .codeptr = codeptr, .name = self->first_names[name] };
      g_array_append_val (self->rows, row);
      known = GUINT_TO_POINTER (self->rows->len);
      g_hash_table_insert (self->index, g_memdup2 (&key, sizeof key), known);
    }
  return GPOINTER_TO_UINT (known) - 1;
}

/* Whether the span, which adds to what it covers back to *from_ns, adds anything. */
static gboolean
is_outermost (gint64 *from_ns, const TtEvent *event)
{
  if (event->ts_ns >= *from_ns)
    return FALSE;
  *from_ns = event->ts_ns;
  return TRUE;
}

static void
count_span (Tally *self, const TtEvent *event, guint64 codeptr, gboolean is_chosen)
{
  guint32 index = row_of (self, codeptr, event->name);
  TtLexgionRow *row = &g_array_index (self->rows, TtLexgionRow, index);
  const Key key = { .id = event->thread, .row = index };
  Cell *cell = g_hash_table_lookup (self->cells, &key);

  if (cell == NULL)
    {
      cell = g_new0 (Cell, 1);
      cell->key = key;
      cell->covered_from_ns = cell->shown_from_ns = G_MAXINT64;
      g_hash_table_add (self->cells, cell);
      row->n_threads++;
    }
  if (is_outermost (&cell->covered_from_ns, event))
    cell->total_ns += event->dur_ns;
  if (!is_chosen)
    return;
  row->count++;
  row->n_late += tt_lexgion_is_at_most (event);
  row->self_ns += event->self_ns;
  if (is_outermost (&cell->shown_from_ns, event))
    row->total_ns += event->dur_ns;
}

static void
count_share (Tally *self, const TtEvent *event, guint64 region, TtLexgionRole role)
{
  const Key key = { .codeptr = region, .id = event->thread };
  Share *share = g_hash_table_lookup (self->shares, &key);

  if (share == NULL)
    {
      share = g_new0 (Share, 1);
      share->key = key;
      g_hash_table_add (self->shares, share);
    }
  if (role == TT_LEXGION_TASK)
    share->task_ns += event->dur_ns;
  else
    share->waits_ns += event->dur_ns;
}

/* What the span is counted for. */
typedef struct
{
  TtLexgionRole role;
  guint64 codeptr, region;
} Place;

static Place
find_place (Tally *self, const TtEvent *event)
{
  Place place = { role_of (self, event->name), tt_lexgion_codeptr (event, "codeptr"), 0 };

  place.region = place.role == TT_LEXGION_WAIT ? tt_lexgion_codeptr (event, "parallel_codeptr") : place.codeptr;
  return place;
}

static void
count_place (Tally *self, const TtEvent *event, const Place *place, gboolean is_chosen)
{
  if (place->codeptr != 0)
    count_span (self, event, place->codeptr, is_chosen);
  if (place->region != 0 && (place->role == TT_LEXGION_TASK || place->role == TT_LEXGION_WAIT))
    count_share (self, event, place->region, place->role);
}

static void
take_span (Tally *self, const TtEvent *event, gboolean is_chosen)
{
  const Place place = find_place (self, event);
  TtSampledSite site;
  guint32 number;

  count_place (self, event, &place, is_chosen);
  if (place.codeptr == 0 || self->sampled == NULL)
    return;
  /* Work may be recorded where its region is not, and so may the barriers after it. */
  if (tt_lexgion_site (self->store, event, place.codeptr, FALSE, &site, &number) &&
      (!site.is_region || place.role == TT_LEXGION_PARALLEL || place.role == TT_LEXGION_TASK))
    tt_sampled_see (self->sampled, &site, number);
  if (tt_lexgion_site (self->store, event, place.codeptr, TRUE, &site, &number))
    tt_sampled_see (self->sampled, &site, number);
}

/* Finds out what is counted by itself: it is there where its region is not recorded. And when invocations began. */
static void
find_own (Tally *self, const TtEvent *event, gboolean is_chosen)
{
  guint64 codeptr = tt_lexgion_codeptr (event, "codeptr");
  TtSampledSite site = { 0 }, own;
  guint32 number, own_number;
  gint64 end_ns;

  if (__builtin_add_overflow (event->ts_ns, event->dur_ns, &end_ns))
    end_ns = G_MAXINT64;
  tt_sampled_extend (self->sampled, event->ts_ns, end_ns);
  if (codeptr == 0)
    return;
  gboolean has_site = tt_lexgion_site (self->store, event, codeptr, FALSE, &site, &number);
  if (has_site)
    tt_sampled_place (self->sampled, &site, number, event->ts_ns);
  if (tt_lexgion_site (self->store, event, codeptr, TRUE, &own, &own_number) && memcmp (&own, &site, sizeof own) != 0)
    tt_sampled_place (self->sampled, &own, own_number, event->ts_ns);
  if (has_site && site.is_region && tt_sampled_lacks (self->sampled, &site, number) &&
      !g_hash_table_contains (self->own, &codeptr))
    g_hash_table_add (self->own, g_memdup2 (&codeptr, sizeof codeptr));
}

/* Again, for what is numbered with gaps. */
static void
take_sample (Tally *self, const TtEvent *event, gboolean is_chosen)
{
  guint64 codeptr = tt_lexgion_codeptr (event, "codeptr");
  TtSampledSite site;
  guint32 number;

  if (codeptr == 0 || !is_chosen)
    return;
  guint32 row = row_of (self, codeptr, event->name);
  const Key key = { .id = event->thread, .row = row };
  Cell *cell = g_hash_table_lookup (self->cells, &key);
  gboolean adds = cell != NULL && is_outermost (&cell->shown_from_ns, event);
  if (tt_lexgion_site (self->store, event, codeptr, g_hash_table_contains (self->own, &codeptr), &site, &number))
    tt_sampled_add (self->sampled, row, &site, number, event->thread, adds ? event->dur_ns : 0);
}

/* -- rows ------------------------------------------------------------------------------------------------------ */

static void
add_thread (TtLexgionRow *row, tt_int128 time_ns, gboolean is_first)
{
  row->thread_min_ns = is_first ? time_ns : MIN (row->thread_min_ns, time_ns);
  row->thread_max_ns = is_first ? time_ns : MAX (row->thread_max_ns, time_ns);
  row->thread_sum_ns += time_ns;
}

/* Implicit tasks tell the team of a region better than the thread that began it. */
static void
share_out (Tally *self)
{
  g_autoptr (GHashTable) regions = g_hash_table_new (g_int64_hash, g_int64_equal);
  GHashTableIter iter;
  gpointer item;

  for (guint i = 0; i < self->rows->len; i++)
    {
      TtLexgionRow *row = &g_array_index (self->rows, TtLexgionRow, i);
      if (role_of (self, row->name) == TT_LEXGION_PARALLEL)
        g_hash_table_insert (regions, &row->codeptr, row);
    }
  g_hash_table_iter_init (&iter, self->shares);
  while (g_hash_table_iter_next (&iter, &item, NULL))
    {
      const Share *share = item;
      TtLexgionRow *row = g_hash_table_lookup (regions, &share->key.codeptr);

      if (row == NULL || share->task_ns == 0)
        continue;
      row->n_threads = row->is_region ? row->n_threads + 1 : 1;
      add_thread (row, MAX (share->task_ns - share->waits_ns, 0), !row->is_region);
      row->is_region = TRUE;
      row->task_ns += share->task_ns;
      row->waits_ns += MIN (share->waits_ns, share->task_ns);
    }
}

static void
sum_cells (Tally *self)
{
  g_autofree gboolean *has_any = g_new0 (gboolean, self->rows->len + 1);
  GHashTableIter iter;
  gpointer item;

  g_hash_table_iter_init (&iter, self->cells);
  while (g_hash_table_iter_next (&iter, &item, NULL))
    {
      const Cell *cell = item;
      TtLexgionRow *row = &g_array_index (self->rows, TtLexgionRow, cell->key.row);
      if (row->is_region)
        continue;
      add_thread (row, cell->total_ns, !has_any[cell->key.row]);
      has_any[cell->key.row] = TRUE;
    }
}

/* What is not shown had to be counted: the threads' times of a region are made of it. */
static void
drop_unchosen (GArray *rows)
{
  guint n = 0;

  for (guint i = 0; i < rows->len; i++)
    if (g_array_index (rows, TtLexgionRow, i).count > 0)
      g_array_index (rows, TtLexgionRow, n++) = g_array_index (rows, TtLexgionRow, i);
  g_array_set_size (rows, n);
}

static int
by_self_time (gconstpointer a, gconstpointer b)
{
  const TtLexgionRow *x = a, *y = b;

  if (x->self_ns != y->self_ns)
    return x->self_ns < y->self_ns ? 1 : -1;
  if (x->codeptr != y->codeptr)
    return x->codeptr < y->codeptr ? -1 : 1;
  return (x->name > y->name) - (x->name < y->name);
}

typedef void (*TakeFunc) (Tally *self, const TtEvent *event, gboolean is_chosen);

typedef struct
{
  Tally *tally;
  const TtSelection *selection;
  TakeFunc take;
} SpanScan;

/* Only spans with arguments say of which lexgion they are. */
static gboolean
is_of_lexgion (const Tally *self, const TtEvent *event)
{
  return event->dur_ns != TT_NO_TIME && event->args != NULL && event->name <= tt_store_max_name (self->store);
}

static gboolean
scan_span (const TtEvent *event, gpointer data, GError **error)
{
  const SpanScan *self = data;
  const TtSelection *selection = self->selection;

  if (is_of_lexgion (self->tally, event) && (selection == NULL || tt_selection_has (selection, event)))
    self->take (self->tally, event, selection == NULL || tt_selection_matches (selection, event));
  return TRUE;
}

static gboolean
scan_spans (Tally *self, const TtSelection *selection, TakeFunc take, GError **error)
{
  SpanScan scan = { self, selection, take };
  TtStoreCounts counts;

  if (!tt_store_counts (self->store, &counts, error))
    return FALSE;
  return counts.n_args == 0 || tt_each_event (self->store, TT_SCAN_ARGS | TT_SCAN_REVERSE, scan_span, &scan, error);
}

/* What all invocations would have been. */
static gboolean
extrapolate (Tally *self, const TtSelection *selection, GError **error)
{
  GHashTableIter iter;
  gpointer item;

  if (!tt_sampled_has_gaps (self->sampled))
    return TRUE;
  g_hash_table_iter_init (&iter, self->cells);
  while (g_hash_table_iter_next (&iter, &item, NULL))
    ((Cell *) item)->shown_from_ns = G_MAXINT64;
  if (!scan_spans (self, selection, find_own, error) || !scan_spans (self, selection, take_sample, error))
    return FALSE;
  g_autofree TtSampledEstimate *estimates = tt_sampled_estimates (self->sampled, self->rows->len);
  for (guint i = 0; i < self->rows->len; i++)
    g_array_index (self->rows, TtLexgionRow, i).sampled = estimates[i];
  return TRUE;
}

static void
tally_clear (Tally *self)
{
  g_clear_pointer (&self->rows, g_array_unref);
  g_clear_pointer (&self->index, g_hash_table_unref);
  g_clear_pointer (&self->cells, g_hash_table_unref);
  g_clear_pointer (&self->shares, g_hash_table_unref);
  g_clear_pointer (&self->own, g_hash_table_unref);
  g_free (self->first_names);
  g_free (self->roles);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Tally, tally_clear)

/* FALSE with @error. @sampled: NULL: no estimates. */
static gboolean
tally_init (Tally *self, TtStore *store, TtSampled *sampled, GError **error)
{
  *self = (Tally){ .store = store, .sampled = sampled };
  self->rows = g_array_new (FALSE, FALSE, sizeof (TtLexgionRow));
  self->index = g_hash_table_new_full (key_hash, key_equal, g_free, NULL);
  self->cells = g_hash_table_new_full (key_hash, key_equal, g_free, NULL);
  self->shares = g_hash_table_new_full (key_hash, key_equal, g_free, NULL);
  self->own = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->roles = g_new0 (guint8, (gsize) tt_store_max_name (store) + 1);
  self->first_names = tt_store_first_names (store, error);
  return self->first_names != NULL;
}

static GArray *
finish_rows (Tally *self)
{
  share_out (self);
  sum_cells (self);
  drop_unchosen (self->rows);
  g_array_sort (self->rows, by_self_time);
  return g_steal_pointer (&self->rows);
}

static GArray *
make_rows (TtStore *store, const TtSelection *selection, TtSampled *sampled, GError **error)
{
  g_auto (Tally) self = { 0 };

  if (!tally_init (&self, store, sampled, error) || !scan_spans (&self, selection, take_span, error) ||
      (sampled != NULL && !extrapolate (&self, selection, error)))
    return NULL;
  return finish_rows (&self);
}

GArray *
tt_lexgions_new (TtStore *store, const TtSelection *selection, TtSampledLimitFunc limit, gpointer data, GError **error)
{
  g_autoptr (TtSampled) sampled = tt_sampled_new (limit, data);

  return make_rows (store, selection, sampled, error);
}

GArray *
tt_lexgions_new_recorded (TtStore *store, const TtSelection *selection, GError **error)
{
  return make_rows (store, selection, NULL, error);
}

/* -- several tables ------------------------------------------------------------------------------------------------ */

typedef struct
{
  Tally *tallies;
  guint n;
  TtLexgionsMaskFunc mask_of;
  gpointer data;
} EachScan;

static gboolean
scan_for_each (const TtEvent *event, gpointer data, GError **error)
{
  const EachScan *self = data;
  guint64 mask = self->mask_of (event, self->data);

  if (mask == 0 || !is_of_lexgion (self->tallies, event))
    return TRUE;
  const Place place = find_place (self->tallies, event);
  for (guint i = 0; i < self->n; i++)
    if ((mask >> i & 1) != 0)
      count_place (&self->tallies[i], event, &place, TRUE);
  return TRUE;
}

static void
free_rows (gpointer rows)
{
  g_array_unref (rows);
}

GPtrArray *
tt_lexgions_new_each (TtStore *store, guint n, TtLexgionsMaskFunc mask_of, gpointer data, GError **error)
{
  g_autoptr (GPtrArray) tables = g_ptr_array_new_with_free_func (free_rows);
  g_autofree Tally *tallies = g_new0 (Tally, MAX (n, 1));
  gboolean is_good = n <= 64;

  for (guint i = 0; is_good && i < n; i++)
    is_good = tally_init (&tallies[i], store, NULL, error);
  EachScan scan = { tallies, n, mask_of, data };
  is_good = is_good && tt_each_event (store, TT_SCAN_ARGS | TT_SCAN_REVERSE, scan_for_each, &scan, error);
  for (guint i = 0; i < n; i++)
    {
      if (is_good)
        g_ptr_array_add (tables, finish_rows (&tallies[i]));
      tally_clear (&tallies[i]);
    }
  return is_good ? g_steal_pointer (&tables) : NULL;
}
