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

static guint32
number_of (TtGrids *self, guint32 name, const TtKernelConfig *config)
{
  TtGridRow key;

  memset (&key, 0, sizeof key);
  key.name = name;
  memcpy (&key.config, config, sizeof *config);
  guint32 number = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, &key));
  if (number == 0)
    {
      g_array_append_val (self->rows, key);
      number = self->rows->len;
      g_hash_table_insert (self->numbers, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (number));
    }
  return number - 1;
}

void
tt_grids_add (TtGrids *self, guint32 name, const char *args, gsize args_len, gint64 length_ns)
{
  TtKernelConfig config;

  self->is_known |= self->reader (args, args_len, &config);
  if (self->is_plain)
    {
      config.registers = config.shared_bytes = -1;
      config.occupancy_percent = -1;
    }
  tt_spreads_add (self->times, number_of (self, name, &config), length_ns);
}

gboolean
tt_grids_pack (TtGrids *self, GByteArray *bytes, guint64 max_values, guint64 *n_values, GError **error)
{
  tt_pack_number (bytes, self->is_known != FALSE);
  tt_pack_number (bytes, self->rows->len);
  for (guint i = 0; i < self->rows->len; i++)
    {
      const TtGridRow *row = &g_array_index (self->rows, TtGridRow, i);
      const TtKernelConfig *config = &row->config;

      tt_pack_number (bytes, row->name);
      for (guint k = 0; k < G_N_ELEMENTS (config->grid); k++)
        {
          tt_pack_signed (bytes, config->grid[k]);
          tt_pack_signed (bytes, config->block[k]);
        }
      tt_pack_signed (bytes, config->registers);
      tt_pack_signed (bytes, config->shared_bytes);
      g_byte_array_append (bytes, (const guint8 *) &config->occupancy_percent, sizeof config->occupancy_percent);
    }
  return tt_spreads_pack (self->times, bytes, max_values, n_values, error);
}

static void
unpack_config (TtUnpack *from, TtKernelConfig *config)
{
  memset (config, 0, sizeof *config);
  for (guint k = 0; k < G_N_ELEMENTS (config->grid); k++)
    {
      config->grid[k] = tt_unpack_signed (from);
      config->block[k] = tt_unpack_signed (from);
    }
  config->registers = tt_unpack_signed (from);
  config->shared_bytes = tt_unpack_signed (from);
  const guint8 *occupancy = tt_unpack_bytes (from, sizeof config->occupancy_percent);
  if (occupancy != NULL)
    memcpy (&config->occupancy_percent, occupancy, sizeof config->occupancy_percent);
}

void
tt_grids_unpack (TtGrids *self, TtUnpack *from, guint32 n_names)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint32));

  self->is_known |= tt_unpack_below (from, 1) != 0;
  const guint64 n = tt_unpack_below (from, G_MAXUINT32);
  for (guint64 i = 0; i < n && !from->is_bad; i++)
    {
      TtKernelConfig config;
      const guint32 name = (guint32) tt_unpack_below (from, n_names - 1);
      unpack_config (from, &config);
      const guint32 number = from->is_bad ? 0 : number_of (self, name, &config);
      g_array_append_val (numbers, number);
    }
  if (!from->is_bad)
    tt_spreads_unpack (self->times, from, (const guint32 *) (gpointer) numbers->data, numbers->len);
}

static int
compare_configs (const TtKernelConfig *a, const TtKernelConfig *b)
{
  const gint64 x[] = { a->grid[0],  a->grid[1],  a->grid[2],   a->block[0],
                       a->block[1], a->block[2], a->registers, a->shared_bytes };
  const gint64 y[] = { b->grid[0],  b->grid[1],  b->grid[2],   b->block[0],
                       b->block[1], b->block[2], b->registers, b->shared_bytes };

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
