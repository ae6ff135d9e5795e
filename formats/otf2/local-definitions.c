/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2/local-definitions.h"

#include <math.h>

/* Ticks a tick; clocks of computers differ by a thousandth of that. And ticks, of two measurements at one time. */
#define MAX_DRIFT 0.1
#define MIN_GROWN 1e9

enum
{
  MAPPING_TABLE = 5,
  CLOCK_OFFSET = 6,
};

void
tt_otf2_local_init (TtOtf2Local *self)
{
  *self = (TtOtf2Local){ .pieces = g_array_new (FALSE, FALSE, sizeof (TtOtf2ClockPiece)) };
  for (guint i = 0; i < TT_OTF2_N_MAPS; i++)
    self->maps[i] = g_array_new (FALSE, FALSE, sizeof (guint64));
}

void
tt_otf2_local_reset (TtOtf2Local *self)
{
  for (guint i = 0; i < TT_OTF2_N_MAPS; i++)
    {
      g_array_set_size (self->maps[i], 0);
      self->is_sparse[i] = FALSE;
    }
  g_array_set_size (self->pieces, 0);
  self->piece = 0;
  self->has_offset = FALSE;
}

void
tt_otf2_local_clear (TtOtf2Local *self)
{
  for (guint i = 0; i < TT_OTF2_N_MAPS; i++)
    g_array_unref (self->maps[i]);
  g_array_unref (self->pieces);
}

/* -- reading ------------------------------------------------------------------------------------------------ */

static int
compare_pairs (gconstpointer a, gconstpointer b)
{
  guint64 one = *(const guint64 *) a, other = *(const guint64 *) b;

  return one < other ? -1 : one > other;
}

static void
sort_pairs (GArray *map)
{
  guint n = map->len / 2;
  g_autofree guint64 *pairs = g_new (guint64, MAX (2 * (gsize) n, 1));

  if (n == 0)
    return;
  memcpy (pairs, map->data, 2 * (gsize) n * sizeof *pairs);
  qsort (pairs, n, 2 * sizeof *pairs, compare_pairs);
  memcpy (map->data, pairs, 2 * (gsize) n * sizeof *pairs);
}

/* How many things of the location are said to be the same of the archive, which those who unify definitions never say. */
static guint64
count_same (const GArray *map, gboolean is_sparse)
{
  guint step = is_sparse ? 2 : 1, n = map->len / step;
  g_autofree guint64 *ids = g_new (guint64, MAX (n, 1));
  guint64 n_same = 0;

  for (guint i = 0; i < n; i++)
    ids[i] = g_array_index (map, guint64, (gsize) i * step + step - 1);
  qsort (ids, n, sizeof *ids, compare_pairs);
  for (guint i = 1; i < n; i++)
    n_same += ids[i] == ids[i - 1] && ids[i] != TT_OTF2_UNDEFINED;
  return n_same;
}

static gboolean
read_map (TtOtf2Local *self, TtOtf2Bytes *body, guint64 *n_same)
{
  guint64 type = tt_otf2_u8 (body), n = tt_otf2_u64 (body), is_sparse = tt_otf2_u8 (body);

  if (!body->is_good || type >= TT_OTF2_N_MAPS || n == TT_OTF2_UNDEFINED || n > G_MAXUINT32 / 32)
    return FALSE;
  GArray *map = self->maps[type];
  g_array_set_size (map, 0);
  self->is_sparse[type] = is_sparse != 0;
  n *= is_sparse != 0 ? 2 : 1;
  for (guint64 i = 0; i < n && body->is_good; i++)
    {
      guint64 id = tt_otf2_u64 (body);
      if (body->is_good)
        g_array_append_val (map, id);
    }
  if (is_sparse != 0)
    sort_pairs (map);
  /* Communicators of several locations are one where their members are. */
  *n_same = type == TT_OTF2_MAP_REGION ? count_same (map, is_sparse != 0) : 0;
  return body->is_good;
}

/* Of two offsets that no drift explains one is damaged: likelier the larger. */
static gboolean
is_drift (const TtOtf2Local *self, guint64 time, gint64 offset)
{
  const double grown = (double) offset - (double) self->last_offset;

  return fabs (grown) <= MAX_DRIFT * (double) (time - self->last_time) + MIN_GROWN;
}

static gboolean
read_offset (TtOtf2Local *self, TtOtf2Bytes *body)
{
  guint64 time = tt_otf2_full (body, 8);
  gint64 offset = (gint64) tt_otf2_u64 (body);

  if (!body->is_good || (self->has_offset && time <= self->last_time))
    return FALSE;
  if (self->has_offset && !is_drift (self, time, offset))
    {
      if (fabs ((double) offset) >= fabs ((double) self->last_offset))
        return FALSE;
      self->last_offset = offset;
      self->last_time = time;
      g_array_set_size (self->pieces, 0);
      return FALSE;
    }
  if (self->has_offset)
    {
      gint64 grown = (gint64) ((guint64) offset - (guint64) self->last_offset);
      TtOtf2ClockPiece piece = { .begin = self->last_time,
                                 .end = time,
                                 .offset = self->last_offset,
                                 .slope = (double) grown / (double) (time - self->last_time) };
      /* Two measurements at one time, or one of a time that is damaged, tell no drift. */
      if (fabs (piece.slope) > MAX_DRIFT)
        piece.slope = 0;
      g_array_append_val (self->pieces, piece);
    }
  self->has_offset = TRUE;
  self->last_time = time;
  self->last_offset = offset;
  return TRUE;
}

static void
read_records (TtOtf2Local *self, TtOtf2Chunks *chunks, TtRepairs *repairs)
{
  TtOtf2Bytes *bytes = &chunks->bytes;

  while (bytes->at < bytes->end && bytes->is_good)
    {
      guint64 offset = tt_otf2_chunks_offset (chunks);
      guint kind = *bytes->at++;

      if (kind <= TT_OTF2_END_OF_FILE)
        {
          chunks->is_last = kind != TT_OTF2_END_OF_CHUNK;
          return;
        }
      TtOtf2Bytes body = tt_otf2_record (bytes);
      guint64 n_same = 0;
      gboolean is_good = bytes->is_good && (kind != MAPPING_TABLE || read_map (self, &body, &n_same)) &&
                         (kind != CLOCK_OFFSET || read_offset (self, &body));
      if (!is_good)
        tt_repairs_add (repairs, TT_REPAIR_BAD_ROW, offset);
      tt_repairs_add_many (repairs, TT_REPAIR_DUPLICATE_NAME, offset, n_same);
    }
}

gboolean
tt_otf2_local_read (TtOtf2Local *self, TtOtf2Chunks *chunks, TtRepairs *repairs, GError **error)
{
  TtOtf2ChunkState state;

  while ((state = tt_otf2_chunks_next (chunks, error)) == TT_OTF2_CHUNK)
    read_records (self, chunks, repairs);
  if (state == TT_OTF2_BROKEN || state == TT_OTF2_CUT)
    tt_repairs_add (repairs, TT_REPAIR_NO_CLOSE, chunks->offset);
  return state != TT_OTF2_FAILED;
}

/* -- asking ------------------------------------------------------------------------------------------------- */

guint64
tt_otf2_local_find (const TtOtf2Local *self, TtOtf2Map map, guint64 id)
{
  const guint64 *pairs = (const guint64 *) (const void *) self->maps[map]->data;
  guint from = 0, to = self->maps[map]->len / 2;

  if (!self->is_sparse[map])
    return id;
  while (from < to)
    {
      guint middle = from + (to - from) / 2;
      if (pairs[2 * middle] == id)
        return pairs[2 * middle + 1];
      if (pairs[2 * middle] < id)
        from = middle + 1;
      else
        to = middle;
    }
  return id;
}

guint64
tt_otf2_correct (TtOtf2Local *self, guint64 ticks)
{
  const TtOtf2ClockPiece *pieces = (const TtOtf2ClockPiece *) (const void *) self->pieces->data;

  while (self->piece + 1 < self->pieces->len && ticks > pieces[self->piece].end)
    self->piece++;
  const TtOtf2ClockPiece *piece = &pieces[self->piece];
  double apart = ticks >= piece->begin ? (double) (ticks - piece->begin) : -(double) (piece->begin - ticks);
  double grown = rint (piece->slope * apart);
  /* Offsets that no clock has are damage: they may be anything but undefined behaviour. */
  gint64 more = grown > -0x1p62 && grown < 0x1p62 ? (gint64) grown : 0;

  return ticks + (guint64) piece->offset + (guint64) more;
}
