/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/spans/kept-events.h"

#include "src/base/heap.h"
#include "src/base/progress.h"
#include "src/base/sorter.h"

#define SORT_BYTES ((gsize) 48 << 20)

struct _TtKeptEvents
{
  guint64 first, n; /* ids */
  guint64 n_kept;
  guint8 *bits;
};

/* An event on its way into the order of begins; the key is (time, depth). */
typedef struct
{
  guint64 high, low;
  guint64 id;
  gint64 end_ns;
  guint32 thread, name;
  guint32 depth, flags;
  guint32 has_facts, is_instant;
  TtFilterFacts facts;
} Begin;

/* A span that is open on its thread, and whose end the filter wants to know. */
typedef struct
{
  gint64 end_ns;
  guint32 depth, token;
} OpenSpan;

/* The end of one, in the order of time over all threads; of one time the innermost, which was begun last, first. */
typedef struct
{
  gint64 end_ns;
  guint64 begun;
  guint32 thread, token;
} End;

typedef struct
{
  TtStore *store;
  TtSpanFilter *filter;
  TtKeptEvents *kept;
  GPtrArray *threads; /* by id, of GArray of OpenSpan; holes are NULL */
  GArray *ends;       /* of End, a heap; those that have been told stay until their time */
  guint64 n_begun;
} Pass;

/* -- definitions ---------------------------------------------------------------------------------- */

static gboolean
tell_metadata (guint32 process, guint32 thread, const char *key, const char *value, gpointer data)
{
  TtSpanFilter *filter = data;

  filter->klass->see_metadata (filter, process, thread, key, value);
  return TRUE;
}

static gboolean
tell_definitions (Pass *self, GError **error)
{
  const TtSpanFilterClass *klass = self->filter->klass;
  guint n;

  const TtProcess *processes = tt_store_processes (self->store, &n);
  for (guint i = 0; i < n; i++)
    klass->see_process (self->filter, processes[i].id, processes[i].rank);
  const TtThread *threads = tt_store_threads (self->store, &n);
  for (guint i = 0; i < n; i++)
    klass->see_thread (self->filter, threads[i].id, threads[i].process, threads[i].tid);
  return tt_store_each_metadata (self->store, tell_metadata, self->filter, error);
}

static void
tell_name (Pass *self, guint32 id)
{
  const TtSpanFilterClass *klass = self->filter->klass;
  const TtStoredName *name = klass->knows_name (self->filter, id) ? NULL : tt_store_peek_name (self->store, id);

  if (name == NULL)
    return;
  const TtFilterName facts = {
    .op_cat = name->op_cat, .op_name = name->op_name, .sub_op = name->sub_op, .group = name->group, .file = name->file
  };
  klass->see_name (self->filter, id, &facts);
}

/* -- order ---------------------------------------------------------------------------------------- */

static gboolean
sort_events (Pass *self, TtSorter *sorter, GError **error)
{
  TtEventScan *scan = tt_event_scan_new (self->store, TT_SCAN_ARGS, error);
  TtKeptEvents *kept = self->kept;
  guint64 last = 0;
  TtEvent event;

  if (scan == NULL)
    return FALSE;
  while (tt_event_scan_next (scan, &event))
    {
      Begin *begin = tt_sorter_add (sorter);
      gboolean is_instant = event.dur_ns == TT_NO_TIME;

      *begin = (Begin){ .high = tt_sort_key (event.ts_ns),
                        .low = event.depth,
                        .id = event.id,
                        .thread = event.thread,
                        .name = event.name,
                        .depth = event.depth,
                        .flags = event.flags,
                        .is_instant = is_instant };
      if (is_instant || __builtin_add_overflow (event.ts_ns, event.dur_ns, &begin->end_ns))
        begin->end_ns = is_instant ? event.ts_ns : G_MAXINT64;
      begin->has_facts = event.args != NULL &&
                         self->filter->klass->read_args (self->filter, event.args, event.args_len, &begin->facts);
      if (kept->n == 0)
        kept->first = event.id;
      kept->n = 1;
      last = event.id;
    }
  if (!tt_event_scan_finish (scan, error))
    return FALSE;
  kept->n = kept->n == 0 ? 0 : last - kept->first + 1;
  kept->bits = g_malloc0 (kept->n / 8 + 1);
  return tt_sorter_finish (sorter, error);
}

/* -- asking --------------------------------------------------------------------------------------- */

static GArray *
open_spans (Pass *self, guint32 thread)
{
  if (thread >= self->threads->len)
    g_ptr_array_set_size (self->threads, (int) thread + 1);
  if (self->threads->pdata[thread] == NULL)
    self->threads->pdata[thread] = g_array_new (FALSE, FALSE, sizeof (OpenSpan));
  return self->threads->pdata[thread];
}

static void
end_from (Pass *self, GArray *open, guint32 depth)
{
  while (open->len > 0 && g_array_index (open, OpenSpan, open->len - 1).depth >= depth)
    {
      const OpenSpan *span = &g_array_index (open, OpenSpan, open->len - 1);
      self->filter->klass->end (self->filter, span->token, span->end_ns);
      g_array_set_size (open, open->len - 1);
    }
}

static gboolean
ends_before (gconstpointer a, gconstpointer b, gconstpointer data)
{
  const End *x = a, *y = b;

  return x->end_ns != y->end_ns ? x->end_ns < y->end_ns : x->begun > y->begun;
}

/* What has ended before @ts_ns on any thread: what one does may depend on what others have done. */
static void
end_until (Pass *self, gint64 ts_ns)
{
  while (self->ends->len > 0 && g_array_index (self->ends, End, 0).end_ns < ts_ns)
    {
      End end;

      tt_heap_pop (self->ends, &end, sizeof end, ends_before, NULL);
      GArray *open = open_spans (self, end.thread);
      for (guint i = open->len; i-- > 0;)
        if (g_array_index (open, OpenSpan, i).token == end.token &&
            g_array_index (open, OpenSpan, i).end_ns == end.end_ns)
          {
            self->filter->klass->end (self->filter, end.token, end.end_ns);
            g_array_remove_index (open, i);
            break;
          }
    }
}

static void
ask_filter (Pass *self, const Begin *begin)
{
  GArray *open = open_spans (self, begin->thread);
  gboolean is_async = (begin->flags & TT_FLAG_ASYNC) != 0;
  const TtFilterBegin asked = {
    .thread = begin->thread,
    .name = begin->name,
    .ts_ns = tt_sort_value (begin->high),
    .end_ns = begin->end_ns,
    .is_instant = begin->is_instant != 0,
    .facts = begin->has_facts ? &begin->facts : NULL,
  };

  tell_name (self, begin->name);
  end_until (self, asked.ts_ns);
  if (!is_async)
    end_from (self, open, begin->depth);
  TtFilterVerdict verdict = self->filter->klass->begin (self->filter, &asked);
  if (verdict.is_kept)
    {
      guint64 at = begin->id - self->kept->first;
      self->kept->bits[at / 8] |= (guint8) (1u << at % 8);
      self->kept->n_kept++;
    }
  const OpenSpan span = { begin->end_ns, begin->depth, verdict.token };
  if (verdict.token != 0 && is_async)
    self->filter->klass->end (self->filter, verdict.token, begin->end_ns);
  else if (verdict.token != 0)
    {
      const End end = { begin->end_ns, self->n_begun++, begin->thread, verdict.token };

      g_array_append_val (open, span);
      tt_heap_push (self->ends, &end, sizeof end, ends_before, NULL);
    }
}

static gboolean
ask_all (Pass *self, TtSorter *sorter, GError **error)
{
  g_autoptr (GError) fault = NULL;

  for (guint64 i = 0;; i++)
    {
      const Begin *begin = tt_sorter_next (sorter, &fault);
      if (begin == NULL)
        break;
      if ((i & 0xffff) == 0 && tt_cancelled (error))
        return FALSE;
      ask_filter (self, begin);
    }
  if (fault != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&fault));
      return FALSE;
    }
  return TRUE;
}

static void
open_spans_free (gpointer open)
{
  if (open != NULL)
    g_array_unref (open);
}

TtKeptEvents *
tt_kept_events_new (TtStore *store, TtSpanFilter *filter, GError **error)
{
  g_autoptr (TtKeptEvents) self = g_new0 (TtKeptEvents, 1);
  g_autoptr (TtSorter) sorter = tt_sorter_new (sizeof (Begin), SORT_BYTES);
  g_autoptr (GPtrArray) threads = g_ptr_array_new_with_free_func (open_spans_free);
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (End));
  Pass pass = { .store = store, .filter = filter, .kept = self, .threads = threads, .ends = ends };

  if (!tell_definitions (&pass, error) || !sort_events (&pass, sorter, error) || !ask_all (&pass, sorter, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
tt_kept_events_free (TtKeptEvents *self)
{
  if (self == NULL)
    return;
  g_free (self->bits);
  g_free (self);
}

const guint8 *
tt_kept_events_bits (const TtKeptEvents *self, guint64 *first, guint64 *n)
{
  *first = self->first;
  *n = self->n;
  return self->bits;
}
