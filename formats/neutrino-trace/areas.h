/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtNeutrinoAreas: the header of a Neutrino result file (.bin): the launch's grid and blocks, and where the records
 * of each map lie.
 *
 * Little endian, no magic: eight u32 (grid x y z, block x y z, shared bytes, number of maps), an entry of 16 bytes per
 * map, then the data. The meaning of an entry differs between writers, and shows in the distances between the offsets:
 *   old   u64 bytes per thread or warp, u64 offset
 *   new   u32 bytes per thread or warp, u32 threads per unit (1 or 32), u64 offset
 *   HIP   u32 bytes in all, u32 undefined, u64 offset; a warp is 64 threads
 * If blocks are no multiple of the warp, offsets after a warp map are too small (the writer rounds down what it
 * allocated rounded up): areas are then laid out anew, and must fill the file.
 */
#pragma once

#include "formats/neutrino-trace/layout.h"

#define TT_NEUTRINO_HEADER 32u
#define TT_NEUTRINO_ENTRY 16u
#define TT_NEUTRINO_MAX_HEADER (TT_NEUTRINO_HEADER + TT_NEUTRINO_ENTRY * TT_NEUTRINO_MAX_MAPS)

typedef enum
{
  TT_NEUTRINO_OLD,
  TT_NEUTRINO_NEW,
  TT_NEUTRINO_HIP,
} TtNeutrinoKind;

/* The records of one map: [block][unit][slot]. */
typedef struct
{
  TtNeutrinoMap *map; /* owned if the file came without a layout */
  guint64 offset, bytes;
  guint64 unit_bytes; /* of one thread or warp */
  guint64 n_blocks;
  guint64 units, stride; /* per block: there are so many, and so many lie between two blocks' first ones */
  guint64 n_units;       /* units in the file to read, the first at `offset` */
  guint64 slots;         /* records per unit */
  guint warp;            /* threads per unit: 1, 32, 64 */
} TtNeutrinoArea;

typedef struct
{
  TtNeutrinoKind kind;
  guint32 grid[3], block[3], shared_bytes;
  guint64 n_blocks, block_threads;
  GArray *areas;    /* of TtNeutrinoArea */
  guint64 end;      /* of the last area; the file may be shorter, with @salvage */
  gboolean is_odd;  /* warps are cut: areas were laid out anew */
  gboolean has_map; /* maps are borrowed from the layout */
} TtNeutrinoAreas;

/* Where the records of a unit of the file come from. */
typedef struct
{
  guint64 block, unit;
  gboolean is_shared; /* the last warp of the block before wrote there, too: one of both is lost */
} TtNeutrinoPlace;

/* For a map of warps whose blocks end within one. The program counts whole warps only, so the last warp of a block
 * writes where the first of the next does: unit u of block b is at b * (units - 1) + u, and what was allocated after
 * stays zero. */
void tt_neutrino_area_pack (TtNeutrinoArea *self);
/* Units that have no place of their own. */
guint64 tt_neutrino_area_lost (const TtNeutrinoArea *self);

static inline TtNeutrinoPlace
tt_neutrino_area_place (const TtNeutrinoArea *self, guint64 n)
{
  TtNeutrinoPlace place = { 0 };

  if (self->stride == 0)
    place.block = self->n_blocks - 1;
  else
    {
      place.block = MIN (n / self->stride, self->n_blocks - 1);
      place.unit = n - place.block * self->stride;
    }
  place.is_shared = self->stride < self->units && place.block > 0 && place.unit == 0;
  return place;
}

/* Whether @head, the first @len bytes of a file of @size (0: unknown), could be a result file. */
gboolean tt_neutrino_areas_probe (const guint8 *head, gsize len, guint64 size);

/* The bytes before the data, to the end of the entries, or of the file. */
typedef struct
{
  const char *path; /* for messages */
  const guint8 *bytes;
  gsize len;
  guint64 size; /* of the file */
} TtNeutrinoHead;

/* @layout: may be NULL, else it is borrowed. Errors have the offset. Without @salvage a file that ends before its
 * data is an error. */
TtNeutrinoAreas *tt_neutrino_areas_read (const TtNeutrinoHead *head,
                                         const TtNeutrinoLayout *layout,
                                         gboolean salvage,
                                         GError **error);
void tt_neutrino_areas_free (TtNeutrinoAreas *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtNeutrinoAreas, tt_neutrino_areas_free)

