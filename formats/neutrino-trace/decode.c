/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino-trace/decode.h"

#include "src/base/error.h"

#include <string.h>

/* Raw bytes at a time: with their columns they stay in the cache. */
#define RAW_BYTES ((gsize) 65536)

typedef struct
{
  TtInput *input;
  const TtNeutrinoArea *area;
  TtNeutrinoRecordsFunc func;
  gpointer data;
  TtNeutrinoRecords records;
  guint32 *kept;    /* of a column: those that stay */
  guint64 *columns; /* memory of all columns */
  guint8 raw[RAW_BYTES];

  /* Where in the area the next record is. */
  guint64 unit, slot;
  guint64 n_zeros; /* zero records right before it in its unit, not handed over yet */
} Decoder;

/* -- bytes ------------------------------------------------------------------------------------------------------ */

static gboolean
read_whole (TtInput *input, guint8 *bytes, gsize len, GError **error)
{
  guint64 offset = tt_input_offset (input);
  gssize n = tt_input_read (input, bytes, len, error);

  if (n == (gssize) len)
    return TRUE;
  if (n >= 0)
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: byte %" G_GUINT64_FORMAT ": the file ends here",
                 tt_input_path (input), offset + (guint64) n);
  return FALSE;
}

static gboolean
skip_to (TtInput *input, guint64 offset, GError **error)
{
  guint8 block[RAW_BYTES];

  while (tt_input_offset (input) < offset)
    if (!read_whole (input, block, (gsize) MIN (offset - tt_input_offset (input), RAW_BYTES), error))
      return FALSE;
  return TRUE;
}

/* -- columns ----------------------------------------------------------------------------------------------------- */

static inline guint64
load (const guint8 *bytes, gboolean is_u64)
{
  guint64 wide;
  guint32 narrow;

  if (is_u64)
    {
      memcpy (&wide, bytes, sizeof wide);
      return GUINT64_FROM_LE (wide);
    }
  memcpy (&narrow, bytes, sizeof narrow);
  return GUINT32_FROM_LE (narrow);
}

/* With constant @stride and @is_u64 a loop of one load and one store. */
static inline void
fill_column (guint64 *column, const guint8 *raw, guint n, gsize stride, gboolean is_u64)
{
  for (guint i = 0; i < n; i++)
    column[i] = load (raw + i * stride, is_u64);
}

#define FILL(stride)                                                            \
  static void fill_##stride##_u32 (guint64 *column, const guint8 *raw, guint n) \
  {                                                                             \
    fill_column (column, raw, n, stride, FALSE);                                       \
  }                                                                             \
  static void fill_##stride##_u64 (guint64 *column, const guint8 *raw, guint n) \
  {                                                                             \
    fill_column (column, raw, n, stride, TRUE);                                        \
  }
FILL (8)
FILL (16)
FILL (24)
FILL (32)

typedef void (*FillFunc) (guint64 *column, const guint8 *raw, guint n);
static const FillFunc fill_funcs[][2] = { { fill_8_u32, fill_8_u64 },
                                          { fill_16_u32, fill_16_u64 },
                                          { fill_24_u32, fill_24_u64 },
                                          { fill_32_u32, fill_32_u64 } };

static void
fill_columns (Decoder *self, guint n)
{
  const TtNeutrinoMap *map = self->area->map;
  guint stride = map->record_bytes;

  for (guint k = 0; k < map->fields->len; k++)
    {
      const TtNeutrinoField *field = &g_array_index (map->fields, TtNeutrinoField, k);
      const guint8 *from = self->raw + field->offset;
      if (stride % 8 == 0 && stride / 8 <= G_N_ELEMENTS (fill_funcs))
        fill_funcs[stride / 8 - 1][field->is_u64 != FALSE](self->records.field[k], from, n);
      else
        fill_column (self->records.field[k], from, n, stride, field->is_u64);
    }
}

/* -- zero tails --------------------------------------------------------------------------------------------------- */

static gboolean
is_zero (const guint8 *bytes, guint len)
{
  guint32 any = 0;

  for (guint at = 0; at < len; at += 4)
    any |= (guint32) load (bytes + at, FALSE);
  return any == 0;
}

static gboolean
hand_over (Decoder *self, guint n, GError **error)
{
  self->records.n = n;
  return n == 0 || self->func (self->area, &self->records, self->data, error);
}

/* Zero records before the raw bytes of this block that turned out to lie before others. */
static gboolean
hand_over_zeros (Decoder *self, GError **error)
{
  guint64 first = self->unit * self->area->slots + self->slot - self->n_zeros;

  while (self->n_zeros > 0)
    {
      guint n = (guint) MIN (self->n_zeros, TT_NEUTRINO_COLUMN);
      for (guint k = 0; k < self->area->map->fields->len; k++)
        memset (self->records.field[k], 0, n * sizeof (guint64));
      for (guint i = 0; i < n; i++)
        self->records.index[i] = first++;
      if (!hand_over (self, n, error))
        return FALSE;
      self->n_zeros -= n;
    }
  return TRUE;
}

/* Goes @n records on; which of them stay comes into `kept` and `index`. Returns how many. */
static guint
choose_records (Decoder *self, guint n)
{
  guint64 slots = self->area->slots;
  guint bytes = self->area->map->record_bytes, n_kept = 0;

  for (guint i = 0; i < n;)
    {
      guint piece = (guint) MIN (slots - self->slot, (guint64) (n - i)), used = piece;
      guint64 first = self->unit * slots + self->slot;

      while (used > 0 && is_zero (self->raw + (gsize) (i + used - 1) * bytes, bytes))
        used--;
      for (guint k = 0; k < used; k++)
        {
          self->kept[n_kept] = i + k;
          self->records.index[n_kept++] = first + k;
        }
      self->n_zeros = used > 0 ? piece - used : self->n_zeros + piece;
      self->slot += piece;
      i += piece;
      if (self->slot == slots)
        {
          self->unit++;
          self->slot = self->n_zeros = 0;
        }
    }
  return n_kept;
}

/* Whether the unit in which the @n records of this block begin goes on with one that is not zero. */
static gboolean
goes_on (const Decoder *self, guint n)
{
  guint bytes = self->area->map->record_bytes;
  guint piece = (guint) MIN (self->area->slots - self->slot, (guint64) n);

  for (guint i = 0; i < piece; i++)
    if (!is_zero (self->raw + (gsize) i * bytes, bytes))
      return TRUE;
  return FALSE;
}

static gboolean
use_records (Decoder *self, guint n, GError **error)
{
  if (self->area->map->cap == 1)
    {
      for (guint i = 0; i < n; i++)
        self->records.index[i] = self->unit + i;
      self->unit += n;
      fill_columns (self, n);
      return hand_over (self, n, error);
    }

  if (self->n_zeros > 0 && goes_on (self, n) && !hand_over_zeros (self, error))
    return FALSE;
  guint n_kept = choose_records (self, n);
  fill_columns (self, n);
  for (guint k = 0; n_kept < n && k < self->area->map->fields->len; k++)
    for (guint i = 0; i < n_kept; i++)
      self->records.field[k][i] = self->records.field[k][self->kept[i]];
  return hand_over (self, n_kept, error);
}

/* -- areas ----------------------------------------------------------------------------------------------------------
 * */

static gboolean
decode_area (Decoder *self, GError **error)
{
  guint bytes = self->area->map->record_bytes;
  guint64 rest = self->area->n_units * self->area->slots;
  guint most = (guint) MIN (RAW_BYTES / MAX (bytes, 1), TT_NEUTRINO_COLUMN);

  self->unit = self->slot = self->n_zeros = 0;
  if (rest > 0 && !skip_to (self->input, self->area->offset, error))
    return FALSE;
  while (rest > 0)
    {
      guint n = (guint) MIN (rest, most);
      if (!read_whole (self->input, self->raw, (gsize) n * bytes, error) || !use_records (self, n, error))
        return FALSE;
      rest -= n;
    }
  return TRUE;
}

gboolean
tt_neutrino_decode (TtInput *input,
                    const TtNeutrinoAreas *areas,
                    gboolean (*wants) (const TtNeutrinoArea *area, gpointer data),
                    TtNeutrinoRecordsFunc func,
                    gpointer data,
                    GError **error)
{
  g_autofree Decoder *self = g_new (Decoder, 1);
  g_autofree guint64 *columns = g_new (guint64, (gsize) (TT_NEUTRINO_MAX_FIELDS + 1) * TT_NEUTRINO_COLUMN);
  g_autofree guint32 *kept = g_new (guint32, TT_NEUTRINO_COLUMN);

  self->input = input;
  self->func = func;
  self->data = data;
  self->kept = kept;
  self->records.index = columns;
  for (guint k = 0; k < TT_NEUTRINO_MAX_FIELDS; k++)
    self->records.field[k] = columns + (gsize) (k + 1) * TT_NEUTRINO_COLUMN;
  for (guint i = 0; i < areas->areas->len; i++)
    {
      self->area = &g_array_index (areas->areas, TtNeutrinoArea, i);
      if (wants (self->area, data) && !decode_area (self, error))
        return FALSE;
    }
  return TRUE;
}

/* -- cut warps ------------------------------------------------------------------------------------------------------
 * */

static gboolean
has_no_bytes (TtInput *input, guint64 from, guint64 to, gboolean *is_empty, GError **error)
{
  guint8 block[RAW_BYTES];

  *is_empty = TRUE;
  if (from < to && !skip_to (input, from, error))
    return FALSE;
  while (from < to && *is_empty)
    {
      gsize n = (gsize) MIN (to - from, RAW_BYTES);
      if (!read_whole (input, block, n, error))
        return FALSE;
      for (gsize i = 0; i < n && *is_empty; i++)
        *is_empty = block[i] == 0;
      from += n;
    }
  return TRUE;
}

gboolean
tt_neutrino_find_strides (TtInput *input, TtNeutrinoAreas *areas, GError **error)
{
  for (guint i = 0; i < areas->areas->len; i++)
    {
      TtNeutrinoArea *area = &g_array_index (areas->areas, TtNeutrinoArea, i);
      guint64 used = area->n_blocks * (area->units - 1) + 1;
      gboolean is_empty;

      if (areas->block_threads % area->warp == 0 || area->unit_bytes == 0 || area->n_blocks == 1 ||
          used >= area->n_units)
        continue;
      if (!has_no_bytes (input, area->offset + used * area->unit_bytes, area->offset + area->n_units * area->unit_bytes,
                         &is_empty, error))
        return FALSE;
      if (is_empty)
        tt_neutrino_area_pack (area);
    }
  return TRUE;
}
