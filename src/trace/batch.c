/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/batch.h"

#include "src/base/append.h"
#include "src/trace/span.h"

#include <string.h>

/* A batch that only arguments fill has a little more than 1 MiB, and GString doubles. */
#define TEXT_KEPT ((gsize) 2 << 20)

/* Not cleared: memory that a run never fills is never touched. */
#define COLUMN(columns, member) ((columns)->member = g_malloc_n (TT_BATCH_ROWS, sizeof *(columns)->member))

TtBatch *
tt_batch_new (void)
{
  TtBatch *self = g_new0 (TtBatch, 1);

  self->definitions = g_array_new (FALSE, FALSE, sizeof (TtDefinition));
  self->repaired = g_array_new (FALSE, FALSE, sizeof (TtProcessRepairs));
  self->tasks = g_array_new (FALSE, FALSE, sizeof (TtBatchTask));
  self->task_edges = g_array_new (FALSE, FALSE, sizeof (TtBatchTaskEdge));
  self->text = g_string_sized_new (4096);
  g_string_append_c (self->text, '\0');

  COLUMN (&self->events, thread);
  COLUMN (&self->events, name);
  COLUMN (&self->events, ts_ns);
  COLUMN (&self->events, dur_ns);
  COLUMN (&self->events, self_ns);
  COLUMN (&self->events, depth);
  COLUMN (&self->events, flags);
  COLUMN (&self->events, step);
  COLUMN (&self->events, args);
  COLUMN (&self->events, place);

  COLUMN (&self->counters, series);
  COLUMN (&self->counters, thread);
  COLUMN (&self->counters, ts_ns);
  COLUMN (&self->counters, value);
  COLUMN (&self->counters, is_real);

  COLUMN (&self->metrics, event);
  COLUMN (&self->metrics, series);
  COLUMN (&self->metrics, inclusive);
  COLUMN (&self->metrics, exclusive);

  COLUMN (&self->halves, is_send);
  COLUMN (&self->halves, onesided);
  COLUMN (&self->halves, thread);
  COLUMN (&self->halves, own);
  COLUMN (&self->halves, peer);
  COLUMN (&self->halves, tag);
  COLUMN (&self->halves, comm);
  COLUMN (&self->halves, ts_ns);
  COLUMN (&self->halves, bytes);
  COLUMN (&self->halves, owner);

  COLUMN (&self->owners, owner);
  COLUMN (&self->owners, event);

  COLUMN (&self->calls, owner);
  COLUMN (&self->calls, sequence);
  COLUMN (&self->calls, root);
  COLUMN (&self->calls, comm);

  COLUMN (&self->flows, from_event);
  COLUMN (&self->flows, to_event);
  COLUMN (&self->flows, kind);
  COLUMN (&self->flows, from_ns);
  COLUMN (&self->flows, to_ns);

  COLUMN (&self->args, id);
  COLUMN (&self->args, text);
  COLUMN (&self->args, len);
  COLUMN (&self->args, at);
  COLUMN (&self->args, total);
  COLUMN (&self->args, form);

  COLUMN (&self->merges, args);
  COLUMN (&self->merges, more);

  COLUMN (&self->points, key);
  COLUMN (&self->points, kind);
  COLUMN (&self->points, phase);
  COLUMN (&self->points, ts_ns);
  COLUMN (&self->points, owner);

  COLUMN (&self->activities, event);
  COLUMN (&self->activities, launch);
  COLUMN (&self->activities, correlation);
  COLUMN (&self->activities, waits_for);
  COLUMN (&self->activities, queue);
  COLUMN (&self->activities, waits_on);
  COLUMN (&self->activities, role);
  COLUMN (&self->activities, blocks);
  return self;
}

void
tt_batch_free (TtBatch *self)
{
  if (self == NULL)
    return;

  g_array_unref (self->definitions);
  g_array_unref (self->repaired);
  g_array_unref (self->tasks);
  g_array_unref (self->task_edges);
  g_string_free (self->text, TRUE);

  g_free (self->events.thread);
  g_free (self->events.name);
  g_free (self->events.ts_ns);
  g_free (self->events.dur_ns);
  g_free (self->events.self_ns);
  g_free (self->events.depth);
  g_free (self->events.flags);
  g_free (self->events.step);
  g_free (self->events.args);
  g_free (self->events.place);

  g_free (self->counters.series);
  g_free (self->counters.thread);
  g_free (self->counters.ts_ns);
  g_free (self->counters.value);
  g_free (self->counters.is_real);

  g_free (self->metrics.event);
  g_free (self->metrics.series);
  g_free (self->metrics.inclusive);
  g_free (self->metrics.exclusive);

  g_free (self->halves.is_send);
  g_free (self->halves.onesided);
  g_free (self->halves.thread);
  g_free (self->halves.own);
  g_free (self->halves.peer);
  g_free (self->halves.tag);
  g_free (self->halves.comm);
  g_free (self->halves.ts_ns);
  g_free (self->halves.bytes);
  g_free (self->halves.owner);

  g_free (self->owners.owner);
  g_free (self->owners.event);

  g_free (self->calls.owner);
  g_free (self->calls.sequence);
  g_free (self->calls.root);
  g_free (self->calls.comm);

  g_free (self->flows.from_event);
  g_free (self->flows.to_event);
  g_free (self->flows.kind);
  g_free (self->flows.from_ns);
  g_free (self->flows.to_ns);

  g_free (self->args.id);
  g_free (self->args.text);
  g_free (self->args.len);
  g_free (self->args.at);
  g_free (self->args.total);
  g_free (self->args.form);

  g_free (self->merges.args);
  g_free (self->merges.more);

  g_free (self->points.key);
  g_free (self->points.kind);
  g_free (self->points.phase);
  g_free (self->points.ts_ns);
  g_free (self->points.owner);

  g_free (self->activities.event);
  g_free (self->activities.launch);
  g_free (self->activities.correlation);
  g_free (self->activities.waits_for);
  g_free (self->activities.queue);
  g_free (self->activities.waits_on);
  g_free (self->activities.role);
  g_free (self->activities.blocks);
  g_free (self);
}

static guint64
bound_times (gint64 *ts_ns, guint n)
{
  guint64 n_moved = 0;

  for (guint i = 0; i < n; i++)
    if (!tt_time_is_kept (ts_ns[i]) && ts_ns[i] != TT_NO_TIME)
      {
        ts_ns[i] = CLAMP (ts_ns[i], -TT_TIME_MAX_NS, TT_TIME_MAX_NS);
        n_moved++;
      }
  return n_moved;
}

static inline gint64
event_end (const TtEventColumns *events, guint i)
{
  return events->dur_ns[i] == TT_NO_TIME ? events->ts_ns[i] : tt_span_end (events->ts_ns[i], events->dur_ns[i]);
}

static G_GNUC_NO_INLINE void
bound_event (TtEventColumns *events, guint i)
{
  gint64 end_ns = event_end (events, i);

  events->ts_ns[i] = CLAMP (events->ts_ns[i], -TT_TIME_MAX_NS, TT_TIME_MAX_NS);
  if (events->dur_ns[i] != TT_NO_TIME)
    events->dur_ns[i] = CLAMP (end_ns, -TT_TIME_MAX_NS, TT_TIME_MAX_NS) - events->ts_ns[i];
  events->self_ns[i] = MIN (events->self_ns[i], MAX (events->dur_ns[i], 0));
}

static guint64
bound_events (TtEventColumns *events, TtBatchSummary *summary)
{
  guint64 n_moved = 0, n_instants = 0;
  gint64 first_ns = G_MAXINT64, last_ns = G_MININT64;

  for (guint i = 0; i < events->n; i++)
    {
      if (G_UNLIKELY (!tt_time_is_kept (events->ts_ns[i]) || !tt_time_is_kept (event_end (events, i))))
        {
          bound_event (events, i);
          n_moved++;
        }
      first_ns = MIN (first_ns, events->ts_ns[i]);
      last_ns = MAX (last_ns, event_end (events, i));
      n_instants += events->dur_ns[i] == TT_NO_TIME;
    }
  *summary = (TtBatchSummary){ .n_instants = n_instants, .first_ns = first_ns, .last_ns = last_ns };
  return n_moved;
}

guint64
tt_batch_bound_times (TtBatch *self, TtBatchSummary *summary)
{
  guint64 n_moved = bound_events (&self->events, summary);

  n_moved += bound_times (self->counters.ts_ns, self->counters.n);
  n_moved += bound_times (self->halves.ts_ns, self->halves.n);
  n_moved += bound_times (self->points.ts_ns, self->points.n);
  for (guint i = 0; i < self->tasks->len; i++)
    {
      TtBatchTask *task = &g_array_index (self->tasks, TtBatchTask, i);

      n_moved += bound_times (&task->created_ns, 1) + bound_times (&task->begin_ns, 1) + bound_times (&task->end_ns, 1);
    }
  n_moved += bound_times (self->flows.from_ns, self->flows.n);
  return n_moved + bound_times (self->flows.to_ns, self->flows.n);
}

void
tt_batch_clear (TtBatch *self)
{
  self->events.n = 0;
  self->counters.n = 0;
  self->metrics.n = 0;
  self->halves.n = 0;
  self->owners.n = 0;
  self->calls.n = 0;
  self->flows.n = 0;
  self->args.n = 0;
  self->args.n_spared = 0;
  self->filled = NULL;
  self->merges.n = 0;
  self->points.n = 0;
  self->activities.n = 0;
  self->tells_nesting = FALSE;
  g_array_set_size (self->definitions, 0);
  self->repairs = (TtRepairs){ 0 };
  g_array_set_size (self->repaired, 0);
  g_array_set_size (self->tasks, 0);
  g_array_set_size (self->task_edges, 0);
  if (self->text->allocated_len > TEXT_KEPT)
    {
      g_string_free (self->text, TRUE);
      self->text = g_string_sized_new (4096);
      g_string_append_c (self->text, '\0');
    }
  g_string_truncate (self->text, 1);
}

guint32
tt_batch_add_text (TtBatch *self, const char *text, gssize len)
{
  if (text == NULL)
    return 0;

  guint32 offset = (guint32) self->text->len;
  tt_append (self->text, text, len < 0 ? strlen (text) : (gsize) len);
  g_string_append_c (self->text, '\0');
  return offset;
}
