/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/kernels/execs.h"

struct _TtExecs
{
  GHashTable *numbers; /* TtExecRow -> its number + 1 */
  GArray *rows;
  TtSpreads *totals, *apis, *queues, *times; /* by number */
};

static guint
hash_row (gconstpointer data)
{
  const TtExecRow *row = data;

  return ((row->thread * 31 + row->device) * 31 + row->call) * 31 + row->kernel;
}

static gboolean
is_same (gconstpointer a, gconstpointer b)
{
  const TtExecRow *x = a, *y = b;

  return x->thread == y->thread && x->device == y->device && x->call == y->call && x->kernel == y->kernel;
}

TtExecs *
tt_execs_new (void)
{
  TtExecs *self = g_new0 (TtExecs, 1);

  self->numbers = g_hash_table_new_full (hash_row, is_same, g_free, NULL);
  self->rows = g_array_new (FALSE, FALSE, sizeof (TtExecRow));
  self->totals = tt_spreads_new ();
  self->apis = tt_spreads_new ();
  self->queues = tt_spreads_new ();
  self->times = tt_spreads_new ();
  return self;
}

void
tt_execs_free (TtExecs *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->numbers);
  g_array_unref (self->rows);
  tt_spreads_free (self->totals);
  tt_spreads_free (self->apis);
  tt_spreads_free (self->queues);
  tt_spreads_free (self->times);
  g_free (self);
}

void
tt_execs_add (TtExecs *self, const TtExecRow *key, TtExecSpan call, TtExecSpan kernel)
{
  guint32 number = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, key));

  if (number == 0)
    {
      g_array_append_val (self->rows, *key);
      number = self->rows->len;
      g_hash_table_insert (self->numbers, g_memdup2 (key, sizeof *key), GUINT_TO_POINTER (number));
    }
  number--;
  tt_spreads_add (self->totals, number, MAX (call.end_ns, kernel.end_ns) - call.begin_ns);
  tt_spreads_add (self->apis, number, call.end_ns - call.begin_ns);
  if (kernel.begin_ns > call.end_ns)
    tt_spreads_add (self->queues, number, kernel.begin_ns - call.end_ns);
  tt_spreads_add (self->times, number, kernel.end_ns - kernel.begin_ns);
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const TtExecRow *x = a, *y = b;

  if (x->total->sum != y->total->sum)
    return x->total->sum < y->total->sum ? 1 : -1;
  if (x->kernel != y->kernel)
    return x->kernel < y->kernel ? -1 : 1;
  if (x->thread != y->thread)
    return x->thread < y->thread ? -1 : 1;
  if (x->device != y->device)
    return x->device < y->device ? -1 : 1;
  return x->call < y->call ? -1 : x->call > y->call;
}

gboolean
tt_execs_finish (TtExecs *self, GError **error)
{
  if (!tt_spreads_finish (self->totals, error) || !tt_spreads_finish (self->apis, error) ||
      !tt_spreads_finish (self->queues, error) || !tt_spreads_finish (self->times, error))
    return FALSE;
  for (guint i = 0; i < self->rows->len; i++)
    {
      TtExecRow *row = &g_array_index (self->rows, TtExecRow, i);

      row->total = tt_spreads_get (self->totals, i);
      row->api = tt_spreads_get (self->apis, i);
      row->queue = tt_spreads_get (self->queues, i);
      row->time = tt_spreads_get (self->times, i);
    }
  g_array_sort (self->rows, compare_rows);
  return TRUE;
}

const GArray *
tt_execs_rows (const TtExecs *self)
{
  return self->rows;
}
