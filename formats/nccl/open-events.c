/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/nccl/open-events.h"

#include "src/trace/span.h"

/* The plugin's own are at most 7 deep. */
#define MOST_OPEN 65536u
#define LOOK_BACK 64u

typedef struct
{
  TtTraceRecord begin;
  guint64 key;
  gint64 first_ns, last_ns; /* of what is inside, if has_content */
  gboolean has_content;
} Open;

struct _TtNcclOpenEvents
{
  TtArrange *arrange;
  TtSink *sink;
  GArray *open; /* of Open, the outermost first */
  guint64 n_spans;
};

TtNcclOpenEvents *
tt_nccl_open_events_new (TtArrange *arrange, TtSink *sink)
{
  TtNcclOpenEvents *self = g_new0 (TtNcclOpenEvents, 1);

  self->arrange = arrange;
  self->sink = sink;
  self->open = g_array_new (FALSE, FALSE, sizeof (Open));
  return self;
}

void
tt_nccl_open_events_free (TtNcclOpenEvents *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->open);
  g_free (self);
}

static void
note_content (TtNcclOpenEvents *self, guint depth, gint64 from_ns, gint64 to_ns)
{
  if (depth == 0)
    return;

  Open *parent = &g_array_index (self->open, Open, depth - 1);
  parent->first_ns = parent->has_content ? MIN (parent->first_ns, from_ns) : from_ns;
  parent->last_ns = parent->has_content ? MAX (parent->last_ns, to_ns) : to_ns;
  parent->has_content = TRUE;
}

void
tt_nccl_open_events_begin (TtNcclOpenEvents *self, const TtTraceRecord *begin, guint64 key)
{
  const Open event = { .begin = *begin, .key = key };

  if (self->open->len == MOST_OPEN)
    {
      const Open *oldest = &g_array_index (self->open, Open, 0);
      tt_arrange_async_begin (self->arrange, &oldest->begin, ++self->n_spans);
      g_array_remove_index (self->open, 0);
    }
  g_array_append_val (self->open, event);
}

static gint64
find_begin (TtNcclOpenEvents *self, const Open *event, guint depth, gint64 end_ns)
{
  if (event->has_content)
    return event->first_ns;
  if (end_ns != 0 || depth == 0)
    return end_ns;
  return g_array_index (self->open, Open, depth - 1).begin.ts_ns;
}

static void
add_span (TtNcclOpenEvents *self, Open *event, guint depth, gint64 end_ns)
{
  TtTraceRecord *begin = &event->begin, end;

  if (begin->ts_ns == 0)
    {
      begin->ts_ns = find_begin (self, event, depth, end_ns);
      begin->flags |= TT_FLAG_INFERRED;
      tt_sink_repair_of (self->sink, begin->process, TT_REPAIR_INFERRED_BEGIN, begin->offset);
    }
  if (end_ns == 0)
    {
      end_ns = event->has_content ? MAX (event->last_ns, begin->ts_ns) : begin->ts_ns;
      begin->flags |= TT_FLAG_INFERRED;
      tt_sink_repair_of (self->sink, begin->process, TT_REPAIR_INFERRED_END, begin->offset);
    }
  if (end_ns < begin->ts_ns)
    {
      end_ns = begin->ts_ns;
      begin->flags |= TT_FLAG_END_BEFORE_START;
      tt_sink_repair_of (self->sink, begin->process, TT_REPAIR_END_BEFORE_START, begin->offset);
    }
  note_content (self, depth, begin->ts_ns, end_ns);
  end = *begin;
  end.ts_ns = end_ns;
  end.args = 0;
  tt_arrange_async_begin (self->arrange, begin, ++self->n_spans);
  tt_arrange_async_end (self->arrange, &end, self->n_spans);
}

gboolean
tt_nccl_open_events_end (TtNcclOpenEvents *self, gint64 ts_ns, guint64 key)
{
  guint n = self->open->len, least = n > LOOK_BACK ? n - LOOK_BACK : 0;

  for (guint i = n; i-- > least;)
    if (g_array_index (self->open, Open, i).key == key)
      {
        Open event = g_array_index (self->open, Open, i);
        g_array_remove_index (self->open, i);
        add_span (self, &event, i, ts_ns);
        return TRUE;
      }
  return FALSE;
}

void
tt_nccl_open_events_finish (TtNcclOpenEvents *self)
{
  for (guint i = 0; i < self->open->len; i++)
    tt_arrange_async_begin (self->arrange, &g_array_index (self->open, Open, i).begin, ++self->n_spans);
  g_array_set_size (self->open, 0);
}
