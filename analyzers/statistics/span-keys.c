/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/span-keys.h"

#include "src/base/array-sort.h"
#include "src/base/sorter.h"

#include <string.h>

typedef struct
{
  guint64 event;
  gint64 hull_ns;
} Hull;

struct _TtSpanKeys
{
  TtStore *store;
  guint32 *name_rank; /* by id; 0: not counted */
  guint32 *pid_rank;  /* by thread */
  GArray *hulls;      /* of Hull, by event */
};

/* -- order of names ------------------------------------------------------------------------------ */

static int
compare_names (gconstpointer a, gconstpointer b, gpointer store)
{
  const TtStoredName *name_a = tt_store_name (store, *(const guint32 *) a);
  const TtStoredName *name_b = tt_store_name (store, *(const guint32 *) b);

  return strcmp (name_a->text, name_b->text);
}

/* Equal texts get equal ranks. */
static void
rank_names (TtSpanKeys *self)
{
  guint32 max = tt_store_max_name (self->store), rank = 0;
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));

  self->name_rank = g_new0 (guint32, (gsize) max + 1);
  for (guint32 id = 1; id <= max && id != 0; id++)
    {
      const TtStoredName *name = tt_store_name (self->store, id);
      if (name != NULL && g_strcmp0 (name->group, "debug") != 0)
        g_array_append_val (ids, id);
    }
  g_array_sort_with_data (ids, compare_names, self->store);
  for (guint i = 0; i < ids->len; i++)
    {
      const guint32 *id = &g_array_index (ids, guint32, i);
      if (i == 0 || compare_names (id - 1, id, self->store) != 0)
        rank++;
      self->name_rank[*id] = rank;
    }
}

static int
compare_pids (gconstpointer a, gconstpointer b)
{
  return strcmp ((*(const TtProcess *const *) a)->pid, (*(const TtProcess *const *) b)->pid);
}

static void
rank_pids (TtSpanKeys *self)
{
  guint n, n_threads;
  const TtProcess *processes = tt_store_processes (self->store, &n);
  const TtThread *threads = tt_store_threads (self->store, &n_threads);
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  g_autofree guint32 *ranks = g_new0 (guint32, (gsize) tt_store_max_process (self->store) + 1);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (sorted, (gpointer) &processes[i]);
  g_ptr_array_sort (sorted, compare_pids);
  for (guint i = 0; i < sorted->len; i++)
    ranks[((const TtProcess *) sorted->pdata[i])->id] = i;
  self->pid_rank = g_new0 (guint32, (gsize) tt_store_max_thread (self->store) + 1);
  for (guint i = 0; i < n_threads; i++)
    self->pid_rank[threads[i].id] = ranks[threads[i].process];
}

/* -- joined spans -------------------------------------------------------------------------------- */

static gboolean
take_hull (guint64 event, guint32 series, gint64 inclusive, gint64 exclusive, gpointer data)
{
  TtSpanKeys *self = data;
  const Hull hull = { event, inclusive };

  (void) exclusive;
  if (g_str_equal (tt_store_one_series (self->store, series)->name, TT_METRIC_HULL))
    g_array_append_val (self->hulls, hull);
  return TRUE;
}

static TtArrayKey
key_of_hull (gconstpointer hull)
{
  return (TtArrayKey){ ((const Hull *) hull)->event, 0 };
}

static gboolean
read_hulls (TtSpanKeys *self, GError **error)
{
  guint n;
  const TtSeries *series = tt_store_series (self->store, &n);
  gboolean has_hulls = FALSE;

  /* Each run has a series of its own. */
  for (guint i = 0; i < n; i++)
    has_hulls |= g_str_equal (series[i].name, TT_METRIC_HULL);
  if (has_hulls && !tt_store_each_metric (self->store, take_hull, self, error))
    return FALSE;
  tt_array_sort_by_key (self->hulls, key_of_hull, NULL);
  return TRUE;
}

static const Hull *
find_hull (const TtSpanKeys *self, guint64 event)
{
  guint low = 0, high = self->hulls->len;

  while (low < high)
    {
      const guint middle = low + (high - low) / 2;

      if (g_array_index (self->hulls, Hull, middle).event < event)
        low = middle + 1;
      else
        high = middle;
    }
  return low < self->hulls->len && g_array_index (self->hulls, Hull, low).event == event
             ? &g_array_index (self->hulls, Hull, low)
             : NULL;
}

gint64
tt_span_keys_duration (const TtSpanKeys *self, const TtEvent *event)
{
  const Hull *hull = self->hulls->len == 0 ? NULL : find_hull (self, event->id);

  return hull == NULL ? event->dur_ns : MAX (hull->hull_ns, event->dur_ns);
}

/* ------------------------------------------------------------------------------------------------ */

gboolean
tt_span_keys_get (const TtSpanKeys *self, const TtEvent *event, TtSpanKey *key)
{
  const guint32 rank = self->name_rank[event->name];

  if (event->dur_ns == TT_NO_TIME || (event->flags & TT_FLAG_WINDOW) != 0 || rank == 0)
    return FALSE;
  key->ts_key = tt_sort_key (event->ts_ns);
  key->name_process = (guint64) rank << 32 | self->pid_rank[event->thread];
  return TRUE;
}

TtSpanKeys *
tt_span_keys_new (TtStore *store, GError **error)
{
  g_autoptr (TtSpanKeys) self = g_new0 (TtSpanKeys, 1);

  self->store = store;
  self->hulls = g_array_new (FALSE, FALSE, sizeof (Hull));
  rank_names (self);
  rank_pids (self);
  return read_hulls (self, error) ? g_steal_pointer (&self) : NULL;
}

void
tt_span_keys_free (TtSpanKeys *self)
{
  if (self == NULL)
    return;
  g_free (self->name_rank);
  g_free (self->pid_rank);
  g_array_unref (self->hulls);
  g_free (self);
}
