/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/kernels/grids.h"

#include <string.h>

struct _TtGrids
{
  TtKernelConfigReader reader;
  gboolean is_plain, is_known;
  GHashTable *numbers; /* TtGridRow without its spread -> its number + 1 */
  GArray *rows;
  TtSpreads *times; /* by number */
};

/* Keys are zeroed before they are filled. */
static guint
hash_row (gconstpointer data)
{
  const guint8 *bytes = data;
  guint hash = 5381;

  for (gsize i = 0; i < sizeof (TtGridRow); i++)
    hash = hash * 33 + bytes[i];
  return hash;
}

static gboolean
is_same (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (TtGridRow)) == 0;
}

TtGrids *
tt_grids_new (TtKernelConfigReader reader, gboolean is_plain)
{
  TtGrids *self = g_new0 (TtGrids, 1);

  self->reader = reader;
  self->is_plain = is_plain;
  self->numbers = g_hash_table_new_full (hash_row, is_same, g_free, NULL);
  self->rows = g_array_new (FALSE, FALSE, sizeof (TtGridRow));
  self->times = tt_spreads_new ();
  return self;
}

void
tt_grids_free (TtGrids *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->numbers);
  g_array_unref (self->rows);
  tt_spreads_free (self->times);
  g_free (self);
}

void
tt_grids_add (TtGrids *self, guint32 name, const char *args, gsize args_len, gint64 length_ns)
{
  TtGridRow key;
  TtKernelConfig config;

  self->is_known |= self->reader (args, args_len, &config);
  if (self->is_plain)
    {
      config.registers = config.shared_bytes = -1;
      config.occupancy_percent = -1;
    }
  memset (&key, 0, sizeof key);
  key.name = name;
  memcpy (&key.config, &config, sizeof config);
  guint32 number = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, &key));
  if (number == 0)
    {
      g_array_append_val (self->rows, key);
      number = self->rows->len;
      g_hash_table_insert (self->numbers, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (number));
    }
  tt_spreads_add (self->times, number - 1, length_ns);
}

static int
compare_configs (const TtKernelConfig *a, const TtKernelConfig *b)
{
  const gint64 x[] = { a->grid[0], a->grid[1], a->grid[2], a->block[0], a->block[1], a->block[2], a->registers, a->shared_bytes };
  const gint64 y[] = { b->grid[0], b->grid[1], b->grid[2], b->block[0], b->block[1], b->block[2], b->registers, b->shared_bytes };

  for (guint i = 0; i < G_N_ELEMENTS (x); i++)
    if (x[i] != y[i])
      return x[i] < y[i] ? -1 : 1;
  return a->occupancy_percent < b->occupancy_percent ? -1 : a->occupancy_percent > b->occupancy_percent;
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const TtGridRow *x = a, *y = b;

  if (x->time->sum != y->time->sum)
    return x->time->sum < y->time->sum ? 1 : -1;
  return x->name != y->name ? (x->name < y->name ? -1 : 1) : compare_configs (&x->config, &y->config);
}

gboolean
tt_grids_finish (TtGrids *self, GError **error)
{
  if (!tt_spreads_finish (self->times, error))
    return FALSE;
  for (guint i = 0; i < self->rows->len; i++)
    g_array_index (self->rows, TtGridRow, i).time = tt_spreads_get (self->times, i);
  g_array_sort (self->rows, compare_rows);
  return TRUE;
}

const GArray *
tt_grids_rows (const TtGrids *self)
{
  return self->rows;
}

gboolean
tt_grids_is_known (const TtGrids *self)
{
  return self->is_known;
}
