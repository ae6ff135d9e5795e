/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/operator-rows.h"

#include "src/base/id-table.h"

/* The operator that may still go on. */
typedef union
{
  struct
  {
    TtTraceRecord span;
    TtStepClass klass;
  };
  guint8 room[128]; /* a row of a TtIdTable */
} Pending;

G_STATIC_ASSERT (sizeof (Pending) == 128);

struct _TtOperatorRows
{
  TtSink *sink;
  TtArrange *arrange;
  TtStepFinder *finder;
  TtIdTable pending; /* of Pending, in order of first sight, from 1 */
  TtIdTable numbers; /* guint32 in pending by thread; 0: none */
  guint32 n;
};

static guint32
set_step (TtTraceRecord *span, guint32 parent, guint32 flows, gpointer data)
{
  TtOperatorRows *self = data;

  (void) parent;
  (void) flows;
  span->step = tt_step_finder_step (self->finder, span->process, span->name, span->ts_ns, span->step);
  return 0;
}

TtOperatorRows *
tt_operator_rows_new (TtSink *sink, TtArrange *arrange, TtStepRule rule)
{
  TtOperatorRows *self = g_new0 (TtOperatorRows, 1);

  self->sink = sink;
  self->arrange = arrange;
  self->finder = tt_step_finder_new (rule);
  self->pending.row_size = sizeof (Pending);
  self->numbers.row_size = sizeof (guint32);
  tt_arrange_set_hook (arrange, set_step, self);
  return self;
}

void
tt_operator_rows_free (TtOperatorRows *self)
{
  if (self == NULL)
    return;
  tt_step_finder_free (self->finder);
  tt_id_table_clear (&self->pending);
  tt_id_table_clear (&self->numbers);
  g_free (self);
}

static void
add_pending (TtOperatorRows *self, const Pending *pending)
{
  const TtTraceRecord *span = &pending->span;

  tt_step_finder_add (self->finder, span->process, span->name, span->ts_ns, pending->klass, span->step);
  tt_arrange_span (self->arrange, span);
}

void
tt_operator_rows_add (TtOperatorRows *self, const TtTraceRecord *span, const char *op_cat, gboolean is_piece)
{
  guint32 *number = tt_id_table_at (&self->numbers, span->thread);
  gboolean is_first = *number == 0;

  if (is_first)
    *number = ++self->n;
  Pending *pending = tt_id_table_at (&self->pending, *number);
  if (!is_first && is_piece && pending->span.name == span->name && pending->span.step == span->step)
    {
      gint64 end_ns, dur_ns;
      if (!__builtin_add_overflow (span->ts_ns, span->dur_ns, &end_ns) &&
          !__builtin_sub_overflow (end_ns, pending->span.ts_ns, &dur_ns))
        pending->span.dur_ns = MAX (pending->span.dur_ns, dur_ns);
      tt_sink_repair (self->sink, TT_REPAIR_SUB_TRACE, span->offset);
      return;
    }
  if (!is_first)
    add_pending (self, pending);
  pending->span = *span;
  pending->klass = tt_step_class (op_cat);
}

gboolean
tt_operator_rows_finish (TtOperatorRows *self, GError **error)
{
  for (guint32 i = 1; i <= self->n; i++)
    add_pending (self, tt_id_table_at (&self->pending, i));
  self->n = 0;
  if (!tt_id_table_check (&self->pending, error) || !tt_id_table_check (&self->numbers, error))
    return FALSE;
  return tt_step_finder_finish (self->finder, self->sink->names, error);
}

char *
tt_operator_pid (const TtImportOptions *options)
{
  if (options->pid != NULL)
    return g_strdup (options->pid);
  if (options->rank >= 0)
    return g_strdup_printf ("rank%" G_GINT64_FORMAT, options->rank);
  return g_strdup ("default");
}
