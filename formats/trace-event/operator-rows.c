/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/operator-rows.h"

struct _TtOperatorRows
{
  TtSink *sink;
  TtArrange *arrange;
  TtStepFinder *finder;
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
  tt_arrange_set_hook (arrange, set_step, self);
  return self;
}

void
tt_operator_rows_free (TtOperatorRows *self)
{
  if (self == NULL)
    return;
  tt_step_finder_free (self->finder);
  g_free (self);
}

void
tt_operator_rows_add (TtOperatorRows *self, const TtTraceRecord *span, const char *op_cat)
{
  tt_step_finder_add (self->finder, span->process, span->name, span->ts_ns, tt_step_class (op_cat), span->step);
  tt_arrange_span (self->arrange, span);
}

gboolean
tt_operator_rows_finish (TtOperatorRows *self, GError **error)
{
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
