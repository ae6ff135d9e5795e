/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/timeline-private.h"

#include "analyzers/spans/each-event.h"
#include "analyzers/spans/parents.h"
#include "analyzers/work-class.h"
#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/trace/span.h"

typedef struct
{
  gint64 begin_ns, until_ns; /* begin of the earliest child so far, or the own end */
  guint32 path, thread;
  guint32 path_within; /* of what it calls */
  gboolean computes;
} OpenSpan;

guint32
tt_timeline_child_path (TtTimeline *self, guint32 parent, guint32 name)
{
  const TtTimelinePath path = { parent, self->first_names[name] };
  guint64 key = (guint64) path.parent << 32 | path.name;
  guint32 number = tt_map64_get (&self->number_of, key);

  if (number != TT_MAP64_NONE)
    return number;
  if (self->paths->len >= MAX_PATHS)
    return parent;
  g_array_append_val (self->paths, path);
  tt_map64_set (&self->number_of, key, self->paths->len - 1);
  return self->paths->len - 1;
}

static void
emit (TtTimeline *self, const OpenSpan *span, gint64 begin_ns, gint64 end_ns)
{
  const TtStretch stretch = { begin_ns, end_ns, span->path };

  if (span->computes && begin_ns < end_ns)
    tt_stretches_add (&self->threads[span->thread].stretches, &stretch);
}

static void
on_closed (gpointer payload, gpointer data)
{
  const OpenSpan *span = payload;

  emit (data, span, span->begin_ns, span->until_ns);
}

/* MPI's own functions do not compute, whatever they are for. */
static gboolean
computes (const TtStoredName *name)
{
  return name != NULL && !tt_work_is_waiting (tt_work_class (name->op_cat)) &&
         !(name->op_name != NULL && g_str_has_prefix (name->op_name, "MPI_"));
}

static gboolean
name_computes (TtTimeline *self, guint32 name)
{
  if (self->computes[name] == 0)
    self->computes[name] = computes (tt_store_name (self->store, name)) ? 2 : 1;
  return self->computes[name] == 2;
}

/* Steps are no callers: what is done in each of them is one cause. */
static void
place (TtTimeline *self, OpenSpan *span, const OpenSpan *parent, const TtEvent *event)
{
  guint32 around = parent == NULL ? TT_PATH_ROOT : parent->path_within;
  gboolean is_named = tt_store_name (self->store, event->name) != NULL;

  span->path = is_named ? tt_timeline_child_path (self, around, event->name) : TT_PATH_ROOT;
  span->path_within = (event->flags & TT_FLAG_STEP) != 0 ? around : span->path;
  span->computes = is_named && name_computes (self, event->name) && (parent == NULL || parent->computes);
  self->threads[event->thread].is_there = TRUE;
  self->threads[event->thread].does_something |= (event->flags & TT_FLAG_WINDOW) == 0;
}

static gboolean
take_span (const TtEvent *event, gpointer data, GError **error)
{
  TtTimeline *self = data;
  gpointer around = NULL;

  if (event->dur_ns == TT_NO_TIME || (event->flags & TT_FLAG_ASYNC) != 0 || event->thread > self->max_thread)
    return TRUE;
  OpenSpan *span = tt_span_parents_add (self->parents, event, &around, error);
  if (span == NULL)
    return FALSE;
  OpenSpan *parent = around;
  gint64 end_ns = tt_span_end (event->ts_ns, event->dur_ns);
  *span = (OpenSpan){
    .begin_ns = event->ts_ns,
    .until_ns = parent == NULL ? end_ns : MIN (end_ns, parent->until_ns),
    .thread = event->thread,
  };
  place (self, span, parent, event);
  if (parent == NULL)
    return TRUE;
  if (end_ns < parent->until_ns)
    emit (self, parent, end_ns, parent->until_ns);
  parent->until_ns = MIN (parent->until_ns, event->ts_ns);
  return TRUE;
}

/* The process that leads the rank; 0: none. */
static guint32
rank_of_thread (const TtTimeline *self, guint32 thread)
{
  const TtThread *of = tt_store_thread (self->store, thread);
  const TtProcess *process = of == NULL ? NULL : tt_store_process (self->store, of->process);

  return process == NULL ? 0 : process->owner;
}

static void
list_threads (TtTimeline *self)
{
  guint32 n = tt_store_max_process (self->store);

  self->first_of_rank = g_new (guint32, (gsize) n + 1);
  self->next_of_rank = g_new (guint32, (gsize) self->max_thread + 1);
  for (guint32 i = 0; i <= n; i++)
    self->first_of_rank[i] = TT_NO_ID;
  for (guint32 i = self->max_thread; i > 0; i--)
    {
      guint32 rank = rank_of_thread (self, i);

      self->next_of_rank[i] = TT_NO_ID;
      if (self->threads[i].stretches.n == 0 || !self->threads[i].does_something || rank > n)
        continue;
      self->next_of_rank[i] = self->first_of_rank[rank];
      self->first_of_rank[rank] = i;
    }
}

TtTimeline *
tt_timeline_new_empty (TtStore *store, GError **error)
{
  g_autoptr (TtTimeline) self = g_new0 (TtTimeline, 1);
  const TtTimelinePath root = { TT_PATH_ROOT, TT_NO_ID };

  self->store = store;
  self->max_thread = tt_store_max_thread (store);
  self->paths = g_array_new (FALSE, FALSE, sizeof (TtTimelinePath));
  self->threads = g_new0 (TtThreadLine, (gsize) self->max_thread + 1);
  g_array_append_val (self->paths, root);
  self->first_names = tt_store_first_names (store, error);
  if (self->first_names == NULL)
    return NULL;
  self->computes = g_new0 (guint8, (gsize) tt_store_max_name (store) + 1);
  return g_steal_pointer (&self);
}

void
tt_timeline_end (TtTimeline *self)
{
  for (guint32 i = 0; i <= self->max_thread; i++)
    tt_stretches_finish (&self->threads[i].stretches);
  list_threads (self);
}

TtTimeline *
tt_timeline_new_of (TtStore *store, guint64 first, guint64 last, GError **error)
{
  g_autoptr (TtTimeline) self = tt_timeline_new_empty (store, error);
  TtEventPart part = TT_EVENT_PART_ALL;

  if (self == NULL)
    return NULL;
  part.flags = TT_SCAN_REVERSE;
  part.first = first;
  part.last = last;
  self->parents = tt_span_parents_new (self->max_thread, sizeof (OpenSpan), on_closed, self);
  if (first <= last && !tt_each_event_of (store, &part, take_span, self, error))
    return NULL;
  tt_span_parents_finish (self->parents);
  tt_timeline_end (self);
  return g_steal_pointer (&self);
}

TtTimeline *
tt_timeline_new (TtStore *store, GError **error)
{
  return tt_timeline_new_of (store, 0, G_MAXUINT64, error);
}

void
tt_timeline_free (TtTimeline *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->parents, tt_span_parents_free);
  g_clear_pointer (&self->paths, g_array_unref);
  for (guint32 i = 0; self->threads != NULL && i <= self->max_thread; i++)
    tt_stretches_clear (&self->threads[i].stretches);
  g_free (self->threads);
  g_free (self->first_of_rank);
  g_free (self->next_of_rank);
  g_free (self->first_names);
  g_free (self->computes);
  tt_map64_clear (&self->number_of);
  g_free (self);
}

guint
tt_timeline_n_paths (const TtTimeline *self)
{
  return self->paths->len;
}

typedef void (*AddFunc) (TtPathTimes *times, guint32 path, gint64 ns);

static inline void
add_times (const TtStretches *stretches, gint64 begin_ns, gint64 end_ns, TtPathTimes *times, AddFunc add)
{
  TtStretchCursor cursor = tt_stretches_before (stretches, end_ns);
  TtStretch stretch;

  /* Those of a thread do not overlap. */
  while (tt_stretch_cursor_next (&cursor, &stretch) && stretch.end_ns > begin_ns)
    if (stretch.begin_ns < end_ns)
      add (times, stretch.path, MIN (stretch.end_ns, end_ns) - MAX (stretch.begin_ns, begin_ns));
}

static inline void
add_of_rank (const TtTimeline *self, guint32 thread, gint64 begin_ns, gint64 end_ns, TtPathTimes *times, AddFunc add)
{
  if (thread > self->max_thread || begin_ns >= end_ns)
    return;
  if (self->threads[thread].stretches.n > 0)
    add_times (&self->threads[thread].stretches, begin_ns, end_ns, times, add);
  else
    for (guint32 i = self->first_of_rank[rank_of_thread (self, thread)]; i != TT_NO_ID; i = self->next_of_rank[i])
      add_times (&self->threads[i].stretches, begin_ns, end_ns, times, add);
}

void
tt_timeline_add (const TtTimeline *self, guint32 thread, gint64 begin_ns, gint64 end_ns, TtPathTimes *times)
{
  add_of_rank (self, thread, begin_ns, end_ns, times, tt_path_times_add);
}

void
tt_timeline_add_other (const TtTimeline *self, guint32 thread, gint64 begin_ns, gint64 end_ns, TtPathTimes *times)
{
  add_of_rank (self, thread, begin_ns, end_ns, times, tt_path_times_add_other);
}

gint64
tt_timeline_begin (const TtTimeline *self, guint32 thread)
{
  return thread > self->max_thread || self->threads[thread].stretches.n == 0 ? G_MININT64
                                                                             : self->threads[thread].stretches.begin_ns;
}

char *
tt_timeline_path_text (const TtTimeline *self, guint32 path)
{
  GString *text = g_string_new (NULL);

  for (; path != TT_PATH_ROOT; path = g_array_index (self->paths, TtTimelinePath, path).parent)
    {
      const TtStoredName *name = tt_store_name (self->store, g_array_index (self->paths, TtTimelinePath, path).name);

      if (text->len > 0)
        g_string_prepend (text, " > ");
      g_string_prepend (text, name == NULL || name->op_name == NULL ? "?" : name->op_name);
    }
  return g_string_free (text, FALSE);
}

guint32
tt_timeline_path_name (const TtTimeline *self, guint32 path)
{
  return g_array_index (self->paths, TtTimelinePath, path).name;
}
