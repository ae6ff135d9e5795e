/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOtf2Local: what a location's own definitions say: its ids in terms of the global ones, and its clock.
 *
 * Source of these facts: OTF2 3.0.2, otf2_id_map.c, otf2_archive_location.c and OTF2_EvtReader.c. Measured offsets of the clock at some of its
 * times are joined by lines; the first and last go on. The sum is rounded as libotf2 does it, in doubles.
 */
#pragma once

#include "formats/otf2/chunks.h"
#include "src/trace/repairs.h"

/* What is mapped, by its number in the file. */
typedef enum
{
  TT_OTF2_MAP_STRING,
  TT_OTF2_MAP_ATTRIBUTE,
  TT_OTF2_MAP_LOCATION,
  TT_OTF2_MAP_REGION,
  TT_OTF2_MAP_GROUP,
  TT_OTF2_MAP_METRIC,
  TT_OTF2_MAP_COMM,
  TT_OTF2_MAP_PARAMETER,
  TT_OTF2_MAP_RMA_WIN,
  TT_OTF2_MAP_SOURCE_CODE_LOCATION,
  TT_OTF2_MAP_CALLING_CONTEXT,
  TT_OTF2_MAP_INTERRUPT_GENERATOR,
  TT_OTF2_MAP_IO_FILE,
  TT_OTF2_MAP_IO_HANDLE,
  TT_OTF2_MAP_LOCATION_GROUP,
  TT_OTF2_N_MAPS,
  TT_OTF2_NOT_MAPPED = TT_OTF2_N_MAPS,
} TtOtf2Map;

typedef struct
{
  guint64 begin, end; /* ticks */
  gint64 offset;
  double slope;
} TtOtf2ClockPiece;

typedef struct
{
  GArray *maps[TT_OTF2_N_MAPS]; /* of guint64; dense: the global id of each; sparse: pairs, sorted by the local id */
  gboolean is_sparse[TT_OTF2_N_MAPS];
  GArray *pieces; /* of TtOtf2ClockPiece */
  guint piece;    /* of the last time */
  gboolean has_offset;
  guint64 last_time;
  gint64 last_offset;
} TtOtf2Local;

void tt_otf2_local_init (TtOtf2Local *self);
/* As after init, for the next location. */
void tt_otf2_local_reset (TtOtf2Local *self);
void tt_otf2_local_clear (TtOtf2Local *self);
/* Reads @chunks, which are open. FALSE with @error: they cannot be read. */
gboolean tt_otf2_local_read (TtOtf2Local *self, TtOtf2Chunks *chunks, TtRepairs *repairs, GError **error);

guint64 tt_otf2_local_find (const TtOtf2Local *self, TtOtf2Map map, guint64 id);

/* The global id of a local one; without a map they are the same. */
static inline guint64
tt_otf2_global (const TtOtf2Local *self, TtOtf2Map map, guint64 id)
{
  if (map == TT_OTF2_NOT_MAPPED || self->maps[map]->len == 0)
    return id;
  if (G_LIKELY (!self->is_sparse[map] && id < self->maps[map]->len))
    return g_array_index (self->maps[map], guint64, id);
  return tt_otf2_local_find (self, map, id);
}

guint64 tt_otf2_correct (TtOtf2Local *self, guint64 ticks);

/* A time of the location in that of the archive. Times mostly grow. */
static inline guint64
tt_otf2_corrected (TtOtf2Local *self, guint64 ticks)
{
  return self->pieces->len == 0 ? ticks : tt_otf2_correct (self, ticks);
}
