/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/operator-rows.h"

/* The operator that may still go on. */
typedef struct
{
  TtTraceRecord span;
  TtStepClass klass;
} Pending;

struct _TtOperatorRows
{
  TtSink *sink;
  TtArrange *arrange;
  TtStepFinder *finder;
  GHashTable *pending; /* thread -> Pending */
  GPtrArray *order;    /* the same, in order of first sight */
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
  self->pending = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->order = g_ptr_array_new ();
  tt_arrange_set_hook (arrange, set_step, self);
  return self;
}

void
tt_operator_rows_free (TtOperatorRows *self)
{
  if (self == NULL)
    return;
  tt_step_finder_free (self->finder);
  g_hash_table_unref (self->pending);
  g_ptr_array_unref (self->order);
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
  Pending *pending = g_hash_table_lookup (self->pending, GUINT_TO_POINTER (span->thread));

  if (pending == NULL)
    {
      pending = g_new0 (Pending, 1);
      g_hash_table_insert (self->pending, GUINT_TO_POINTER (span->thread), pending);
      g_ptr_array_add (self->order, pending);
    }
  else if (is_piece && pending->span.name == span->name && pending->span.step == span->step)
    {
      gint64 end_ns, dur_ns;
      if (!__builtin_add_overflow (span->ts_ns, span->dur_ns, &end_ns) &&
          !__builtin_sub_overflow (end_ns, pending->span.ts_ns, &dur_ns))
        pending->span.dur_ns = MAX (pending->span.dur_ns, dur_ns);
      tt_sink_repair (self->sink, TT_REPAIR_SUB_TRACE, span->offset);
      return;
    }
  else
    add_pending (self, pending);
  pending->span = *span;
  pending->klass = tt_step_class (op_cat);
}

gboolean
tt_operator_rows_finish (TtOperatorRows *self, GError **error)
{
  for (guint i = 0; i < self->order->len; i++)
    add_pending (self, self->order->pdata[i]);
  g_ptr_array_set_size (self->order, 0);
  g_hash_table_remove_all (self->pending);
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
