/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/arrange/private.h"

/* Values of counters go to the sink as they come, but for those whose time few others are near: these wait for the end,
 * when it is known where the times of the source lie. */

typedef struct
{
  TtArrangeCounter what;
  guint64 number; /* of the value */
} Held;

struct _ArrangeCounters
{
  TtTimeSpread spread;
  GArray *held; /* of Held; a few for each group of the spread */
  guint64 n;
  guint64 first_number, last_number; /* of those that went on; last < first: none did */
};

/* What to judge by. */
typedef struct
{
  gint64 first_ns, last_ns;
  guint64 patience_ns;
  guint64 first_number, last_number; /* of the values in it */
} Near;

ArrangeCounters *
arrange_counters_new (void)
{
  ArrangeCounters *self = g_new0 (ArrangeCounters, 1);

  self->held = g_array_new (FALSE, FALSE, sizeof (Held));
  self->first_number = G_MAXUINT64;
  return self;
}

void
arrange_counters_free (ArrangeCounters *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->held);
  g_free (self);
}

static void
write_value (const TtArrangeCounter *what, TtSink *sink)
{
  if (what->is_real)
    tt_sink_counter_real (sink, what->series, what->thread, what->ts_ns, what->real);
  else
    tt_sink_counter_int (sink, what->series, what->thread, what->ts_ns, what->integer);
}

static void
let_go (ArrangeCounters *self, const Held *value, TtSink *sink)
{
  write_value (&value->what, sink);
  self->first_number = MIN (self->first_number, value->number);
  self->last_number = MAX (self->last_number, value->number);
}

/* Those of @group are many by now. */
static void
let_group_go (ArrangeCounters *self, const TtTimeGroup *group, TtSink *sink)
{
  guint n = 0;

  for (guint i = 0; i < self->held->len; i++)
    {
      const Held value = g_array_index (self->held, Held, i);

      if (value.what.ts_ns >= group->first_ns && value.what.ts_ns <= group->last_ns)
        let_go (self, &value, sink);
      else
        g_array_index (self->held, Held, n++) = value;
    }
  g_array_set_size (self->held, n);
}

void
arrange_counters_add (ArrangeCounters *self, const TtArrangeCounter *what, TtSink *sink)
{
  const Held value = { *what, self->n++ };

  tt_time_spread_add (&self->spread, what->ts_ns);
  const TtTimeGroup *group = &self->spread.groups[self->spread.latest];
  if (group->n <= TT_FEW_TIMES)
    {
      g_array_append_val (self->held, value);
      return;
    }
  if (self->held->len > 0)
    let_group_go (self, group, sink);
  let_go (self, &value, sink);
}

/* As of events: what comes in order may have waited long. */
static gboolean
is_far (const Near *near, const Held *value)
{
  gint64 ts_ns = value->what.ts_ns;

  if (ts_ns >= near->first_ns && ts_ns <= near->last_ns)
    return FALSE;
  gboolean is_before = ts_ns < near->first_ns;
  guint64 far_ns = is_before ? (guint64) near->first_ns - (guint64) ts_ns : (guint64) ts_ns - (guint64) near->last_ns;

  return far_ns > near->patience_ns ||
         !(is_before ? value->number <= near->first_number : value->number >= near->last_number);
}

void
arrange_counters_finish (ArrangeCounters *self, const TtTimeSpread *events, TtSink *sink)
{
  TtTimeSpread all = self->spread;
  Near near = { .first_number = self->first_number, .last_number = self->last_number };

  tt_time_spread_join (&all, events);
  gboolean has_far = tt_time_spread_rest (&all, &near.first_ns, &near.last_ns);
  near.patience_ns = has_far ? tt_time_spread_patience (near.first_ns, near.last_ns) : 0;
  for (guint i = 0; has_far && i < self->held->len; i++)
    {
      const Held *value = &g_array_index (self->held, Held, i);

      if (value->what.ts_ns < near.first_ns || value->what.ts_ns > near.last_ns)
        continue;
      near.first_number = MIN (near.first_number, value->number);
      near.last_number = MAX (near.last_number, value->number);
    }
  for (guint i = 0; i < self->held->len; i++)
    {
      Held *value = &g_array_index (self->held, Held, i);

      if (has_far && is_far (&near, value))
        {
          value->what.ts_ns = CLAMP (value->what.ts_ns, near.first_ns, near.last_ns);
          tt_sink_repair_of (sink, value->what.process, TT_REPAIR_LONE_TIME, value->what.offset);
        }
      write_value (&value->what, sink);
    }
  g_array_set_size (self->held, 0);
}
