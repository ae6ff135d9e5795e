/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino-trace/areas.h"

#include "src/base/error.h"

#include <string.h>

/* Records without a layout: what is longer than this is read word by word. */
#define MOST_RAW_RECORD 512u

typedef struct
{
  guint32 low, high; /* bytes 0..3 and 4..7 */
  guint64 offset;
} Entry;

/* A guess at what the entries mean. */
typedef struct
{
  TtNeutrinoKind kind;
  gboolean is_odd;
} Guess;

typedef struct
{
  const char *path;
  const TtNeutrinoLayout *layout;
  Entry entry[TT_NEUTRINO_MAX_MAPS];
  guint n;
  guint64 size;
  TtNeutrinoAreas *areas;
} Reader;

void
tt_neutrino_areas_free (TtNeutrinoAreas *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; !self->has_map && i < self->areas->len; i++)
    tt_neutrino_map_free (g_array_index (self->areas, TtNeutrinoArea, i).map);
  g_array_unref (self->areas);
  g_free (self);
}

/* -- the header ---------------------------------------------------------------------------------------------- */

static guint32
u32_at (const guint8 *bytes, guint i)
{
  guint32 value;

  memcpy (&value, bytes + 4 * i, sizeof value);
  return GUINT32_FROM_LE (value);
}

static gboolean
fail_at (const Reader *self, guint64 offset, GError **error, const char *fault)
{
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: byte %" G_GUINT64_FORMAT ": %s", self->path, offset, fault);
  return FALSE;
}

static gboolean
multiply (guint64 *product, guint64 by)
{
  return !__builtin_mul_overflow (*product, by, product);
}

static gboolean
read_dimensions (Reader *self, const guint8 *head, GError **error)
{
  TtNeutrinoAreas *areas = self->areas;

  areas->n_blocks = areas->block_threads = 1;
  for (guint i = 0; i < 3; i++)
    {
      areas->grid[i] = u32_at (head, i);
      areas->block[i] = u32_at (head, 3 + i);
      if (areas->grid[i] == 0)
        return fail_at (self, 4 * i, error, "a grid of 0 blocks");
      if (areas->block[i] == 0)
        return fail_at (self, 12 + 4 * i, error, "blocks of 0 threads");
      if (!multiply (&areas->n_blocks, areas->grid[i]) || !multiply (&areas->block_threads, areas->block[i]))
        return fail_at (self, 4 * i, error, "a grid of more than 2^64 blocks or threads");
    }
  areas->shared_bytes = u32_at (head, 6);
  return TRUE;
}

static gboolean
read_entries (Reader *self, const guint8 *head, gsize len, GError **error)
{
  self->n = u32_at (head, 7);
  if (self->n == 0 || self->n > TT_NEUTRINO_MAX_MAPS)
    return fail_at (self, 28, error, "the number of maps is not from 1 to 256");
  if (len < TT_NEUTRINO_HEADER + TT_NEUTRINO_ENTRY * self->n)
    return fail_at (self, len, error, "the file ends within the table of maps");
  for (guint i = 0; i < self->n; i++)
    {
      const guint8 *bytes = head + TT_NEUTRINO_HEADER + TT_NEUTRINO_ENTRY * i;
      Entry *entry = &self->entry[i];
      *entry = (Entry){ .low = u32_at (bytes, 0),
                        .high = u32_at (bytes, 1),
                        .offset = u32_at (bytes, 2) | (guint64) u32_at (bytes, 3) << 32 };
      if (i == 0 ? entry->offset != TT_NEUTRINO_HEADER + TT_NEUTRINO_ENTRY * self->n
                 : entry->offset < self->entry[i - 1].offset)
        return fail_at (self, TT_NEUTRINO_HEADER + TT_NEUTRINO_ENTRY * i + 8, error,
                        i == 0 ? "the data of the first map does not begin after the table of maps"
                            : "the data of a map begins before that of the map in front of it");
    }
  if (self->layout != NULL && self->layout->maps->len != self->n)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: byte 28: %u maps, but '%s' has %u", self->path, self->n,
                   self->layout->path, self->layout->maps->len);
      return FALSE;
    }
  return TRUE;
}

gboolean
tt_neutrino_areas_probe (const guint8 *head, gsize len, guint64 size)
{
  g_autoptr (TtNeutrinoAreas) areas = g_new0 (TtNeutrinoAreas, 1);
  Reader self = { .areas = areas, .path = "" };

  areas->areas = g_array_new (FALSE, FALSE, sizeof (TtNeutrinoArea));
  if (len < TT_NEUTRINO_HEADER + TT_NEUTRINO_ENTRY || !read_dimensions (&self, head, NULL))
    return FALSE;
  if (u32_at (head, 7) == 0 || u32_at (head, 7) > (TT_NEUTRINO_MAX_HEADER - TT_NEUTRINO_HEADER) / TT_NEUTRINO_ENTRY)
    return FALSE;
  return read_entries (&self, head, len, NULL) && (size == 0 || self.entry[self.n - 1].offset <= size);
}

/* -- one map under a guess ------------------------------------------------------------------------------------ */

static guint
warp_of (TtNeutrinoKind kind)
{
  return kind == TT_NEUTRINO_HIP ? 64 : 32;
}

static guint64
units_per_block (const Reader *self, guint warp)
{
  return self->areas->block_threads / warp + (self->areas->block_threads % warp != 0);
}

/* Bytes between the offsets of map @i and the next, or the end of the file. */
static guint64
distance_of (const Reader *self, guint i)
{
  guint64 next = i + 1 < self->n ? self->entry[i + 1].offset : self->size;

  return next > self->entry[i].offset ? next - self->entry[i].offset : 0;
}

/* The area of units of @warp threads; FALSE: it cannot be. */
static gboolean
size_area (const Reader *self, Guess guess, guint i, guint warp, TtNeutrinoArea *area)
{
  const Entry *entry = &self->entry[i];
  guint64 n_units = self->areas->n_blocks;

  area->warp = warp;
  area->units = area->stride = units_per_block (self, warp);
  area->n_blocks = n_units;
  if (!multiply (&n_units, area->units))
    return FALSE;
  if (guess.kind == TT_NEUTRINO_HIP)
    {
      guint64 distance = distance_of (self, i);
      area->bytes = !guess.is_odd && (guint32) distance == entry->low ? distance : entry->low;
      area->unit_bytes = area->bytes / n_units;
      return area->bytes % n_units == 0;
    }
  area->unit_bytes = entry->low;
  area->bytes = n_units;
  return multiply (&area->bytes, area->unit_bytes);
}

static gboolean
fits_map (const TtNeutrinoMap *map, const TtNeutrinoArea *area)
{
  return area->unit_bytes % map->record_bytes == 0 &&
         (map->is_dynamic || area->unit_bytes / map->record_bytes == map->cap);
}

/* The offsets of a writer that cuts warps: all threads by the warp, rounded down. */
static gboolean
is_rounded_down (const Reader *self, guint i, const TtNeutrinoArea *area)
{
  guint64 bytes = self->areas->n_blocks;

  return multiply (&bytes, self->areas->block_threads) && multiply (&bytes, area->unit_bytes) &&
         bytes / area->warp == distance_of (self, i);
}

/* @is_last_open: the file may end before it. */
static gboolean
fits_place (const Reader *self, Guess guess, guint i, const TtNeutrinoArea *area, gboolean is_last_open)
{
  guint64 end;

  if (i + 1 == self->n)
    return is_last_open || (!__builtin_add_overflow (area->offset, area->bytes, &end) && end == self->size);
  return area->bytes == distance_of (self, i) ||
         (guess.is_odd && (guess.kind == TT_NEUTRINO_HIP || is_rounded_down (self, i, area)));
}

static gboolean
try_level (const Reader *self, Guess guess, guint i, gboolean is_warp, gboolean is_last_open, TtNeutrinoArea *area)
{
  const TtNeutrinoMap *map = self->layout == NULL ? NULL : self->layout->maps->pdata[i];

  if (map != NULL && map->is_warp != is_warp)
    return FALSE;
  if (guess.kind == TT_NEUTRINO_NEW && self->entry[i].high != (is_warp ? 32 : 1) &&
      !(is_warp && self->entry[i].high == 64))
    return FALSE;
  guint warp = !is_warp ? 1 : guess.kind == TT_NEUTRINO_NEW ? self->entry[i].high : warp_of (guess.kind);
  return size_area (self, guess, i, warp, area) && area->unit_bytes % 4 == 0 && (map == NULL || fits_map (map, area)) &&
         fits_place (self, guess, i, area, is_last_open);
}

/* -- guesses -------------------------------------------------------------------------------------------------- */

static gboolean
fits_entries (const Reader *self, Guess guess)
{
  for (guint i = 0; i < self->n; i++)
    {
      guint32 high = self->entry[i].high;
      if ((guess.kind == TT_NEUTRINO_OLD && high != 0) ||
          (guess.kind == TT_NEUTRINO_NEW && high != 1 && high != 32 && high != 64))
        return FALSE;
    }
  return TRUE;
}

/* Fills self->areas. Without a layout a map is of threads if that fits. */
static gboolean
try_guess (const Reader *self, Guess guess, gboolean is_last_open)
{
  guint64 at = self->entry[0].offset;
  gboolean is_cut = FALSE;

  g_array_set_size (self->areas->areas, 0);
  if (!fits_entries (self, guess))
    return FALSE;
  for (guint i = 0; i < self->n; i++)
    {
      TtNeutrinoArea area = { .offset = at };
      if (!try_level (self, guess, i, FALSE, is_last_open, &area) &&
          !try_level (self, guess, i, TRUE, is_last_open, &area))
        return FALSE;
      is_cut |= self->areas->block_threads % area.warp != 0;
      if (__builtin_add_overflow (at, area.bytes, &at))
        return FALSE;
      g_array_append_val (self->areas->areas, area);
    }
  self->areas->kind = guess.kind;
  self->areas->is_odd = is_cut;
  self->areas->end = at;
  return guess.is_odd == is_cut && (is_last_open ? at > self->size : at == self->size);
}

static gboolean
try_all (const Reader *self, gboolean is_last_open)
{
  for (int is_odd = 0; is_odd < 2; is_odd++)
    for (TtNeutrinoKind kind = TT_NEUTRINO_OLD; kind <= TT_NEUTRINO_HIP; kind++)
      if (try_guess (self, (Guess){ kind, is_odd != 0 }, is_last_open))
        return TRUE;
  return FALSE;
}

/* -- what the maps are ---------------------------------------------------------------------------------------- */

static TtNeutrinoMap *
raw_map (guint i, const TtNeutrinoArea *area)
{
  g_autofree char *name = g_strdup_printf ("map%u", i);
  guint64 bytes = area->unit_bytes > MOST_RAW_RECORD ? (area->unit_bytes % 8 == 0 ? 8 : 4) : area->unit_bytes;

  return tt_neutrino_map_of_words (name, area->warp > 1, (guint) bytes, bytes == 0 ? 0 : area->unit_bytes / bytes);
}

/* Those units that the file holds whole. */
static void
count_units (const Reader *self, TtNeutrinoArea *area)
{
  guint64 there = self->size > area->offset ? self->size - area->offset : 0;

  area->slots = area->map->record_bytes == 0 ? 0 : area->unit_bytes / area->map->record_bytes;
  area->n_units = area->unit_bytes == 0 ? 0 : MIN (area->bytes, there) / area->unit_bytes;
}

static void
match_maps (Reader *self)
{
  TtNeutrinoAreas *areas = self->areas;

  areas->has_map = self->layout != NULL;
  for (guint i = 0; i < self->n; i++)
    {
      TtNeutrinoArea *area = &g_array_index (areas->areas, TtNeutrinoArea, i);
      area->map = self->layout != NULL ? self->layout->maps->pdata[i] : raw_map (i, area);
      count_units (self, area);
    }
}

/* Nothing fits: which of the facts is wrong? */
static gboolean
fail_layout (const Reader *self, GError **error)
{
  for (guint i = 0; self->layout != NULL && i < self->n; i++)
    {
      const TtNeutrinoMap *map = self->layout->maps->pdata[i];
      const Entry *entry = &self->entry[i];
      if (entry->low % map->record_bytes == 0 || (entry->high != 0 && entry->high != 1 && entry->high != 32))
        continue;
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                   "%s: byte %u: map '%s' has %u bytes per thread or warp, which its records of %u bytes do not fill",
                   self->path, TT_NEUTRINO_HEADER + TT_NEUTRINO_ENTRY * i, map->name, entry->low, map->record_bytes);
      return FALSE;
    }
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
               "%s: byte %u: the sizes and offsets of the maps fit no known layout of %" G_GUINT64_FORMAT
               " blocks of %" G_GUINT64_FORMAT " threads in a file of %" G_GUINT64_FORMAT " bytes%s%s%s",
               self->path, TT_NEUTRINO_HEADER, self->areas->n_blocks, self->areas->block_threads, self->size,
               self->layout == NULL ? "" : " with the maps of '", self->layout == NULL ? "" : self->layout->path,
               self->layout == NULL ? "" : "'");
  return FALSE;
}

TtNeutrinoAreas *
tt_neutrino_areas_read (const TtNeutrinoHead *head,
                        const TtNeutrinoLayout *layout,
                        gboolean salvage,
                        GError **error)
{
  g_autoptr (TtNeutrinoAreas) areas = g_new0 (TtNeutrinoAreas, 1);
  Reader self = { .path = head->path, .layout = layout, .size = head->size, .areas = areas };

  areas->areas = g_array_new (FALSE, TRUE, sizeof (TtNeutrinoArea));
  if (head->len < TT_NEUTRINO_HEADER)
    return fail_at (&self, head->len, error, "the file ends within its header of 32 bytes"), NULL;
  if (!read_dimensions (&self, head->bytes, error) || !read_entries (&self, head->bytes, head->len, error))
    return NULL;
  if (!try_all (&self, FALSE))
    {
      if (!try_all (&self, TRUE))
        return fail_layout (&self, error), NULL;
      if (!salvage)
        {
          g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                       "%s: byte %" G_GUINT64_FORMAT ": the file ends here, its data goes to byte %" G_GUINT64_FORMAT
                       "; --salvage keeps what is whole",
                       head->path, head->size, areas->end);
          return NULL;
        }
    }
  match_maps (&self);
  return g_steal_pointer (&areas);
}

void
tt_neutrino_area_pack (TtNeutrinoArea *self)
{
  self->stride = self->units - 1;
  self->n_units = MIN (self->n_units, self->n_blocks * self->stride + 1);
}

guint64
tt_neutrino_area_lost (const TtNeutrinoArea *self)
{
  return self->stride == self->units ? 0 : self->n_blocks - 1;
}
