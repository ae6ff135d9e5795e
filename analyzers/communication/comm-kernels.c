/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/communication/comm-kernels.h"

#include <string.h>

#include "analyzers/communication/bus-factor.h"

struct _TtCommKernels
{
  GArray *rows;
  GHashTable *numbers; /* text of name and function -> row + 1 */
};

static void
clear_row (gpointer data)
{
  g_free (((TtCommKernel *) data)->function);
}

TtCommKernels *
tt_comm_kernels_new (void)
{
  TtCommKernels *self = g_new0 (TtCommKernels, 1);

  self->rows = g_array_new (FALSE, FALSE, sizeof (TtCommKernel));
  g_array_set_clear_func (self->rows, clear_row);
  self->numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

void
tt_comm_kernels_free (TtCommKernels *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->rows);
  g_hash_table_unref (self->numbers);
  g_free (self);
}

/* Valid until the next is asked for. */
static TtCommKernel *
find_row (TtCommKernels *self, guint32 name, const char *function)
{
  g_autofree char *key = g_strdup_printf ("%u %s", name, function);
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, key));

  if (number == 0)
    {
      const TtCommKernel fresh = { .name = name, .function = g_strdup (function) };

      g_array_append_val (self->rows, fresh);
      number = self->rows->len;
      g_hash_table_insert (self->numbers, g_steal_pointer (&key), GUINT_TO_POINTER (number));
    }
  return &g_array_index (self->rows, TtCommKernel, number - 1);
}

void
tt_comm_kernels_add_span (TtCommKernels *self, guint32 name, const char *function, gint64 length_ns)
{
  TtCommKernel *row = find_row (self, name, function);

  row->n_spans++;
  row->time_ns += length_ns;
}

void
tt_comm_kernels_add_call (TtCommKernels *self,
                          guint32 name,
                          const char *function,
                          guint32 n_ranks,
                          gint64 bytes,
                          gint64 least_ns)
{
  TtCommKernel *row = find_row (self, name, function);
  double factor;

  row->n_calls++;
  if (bytes < 0 || least_ns <= 0 || !tt_comm_bus_factor (function, n_ranks, &factor))
    return;
  row->n_sized++;
  row->bytes += bytes;
  row->least_ns += least_ns;
  row->bus_bytes += factor * (double) bytes;
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const TtCommKernel *x = a, *y = b;

  if (x->time_ns != y->time_ns)
    return x->time_ns < y->time_ns ? 1 : -1;
  return x->name != y->name ? (x->name < y->name ? -1 : 1) : strcmp (x->function, y->function);
}

void
tt_comm_kernels_finish (TtCommKernels *self)
{
  g_array_sort (self->rows, compare_rows);
}

const GArray *
tt_comm_kernels_rows (const TtCommKernels *self)
{
  return self->rows;
}
