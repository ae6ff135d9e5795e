/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the rows of timed records (rows-timed.c) and of others (rows-untimed.c) share: one pass over the maps of a
 * result file whose times are of one clock.
 */
#pragma once

#include "formats/neutrino-trace/args.h"
#include "formats/neutrino-trace/decode.h"
#include "formats/neutrino-trace/rows.h"
#include "src/base/int128.h"
#include "src/base/sorter.h"

/* No SM or CU has a greater number (a die and a CU of AMD take 12 bits). */
#define MAX_UNIT 65535u
/* Up to so many blocks have a track each. */
#define MAX_BLOCK_TRACKS 65536u

/* Tracks in their order: units, the odd one, blocks. */
#define ODD_UNIT (MAX_UNIT + 1)
#define FIRST_BLOCK (ODD_UNIT + 1)

/* Values for the arguments of a record: its place, then its fields. */
enum
{
  VALUE_BLOCK,
  VALUE_UNIT = 3,
  VALUE_SLOT,
  VALUE_FIELDS,
  N_VALUES = VALUE_FIELDS + TT_NEUTRINO_MAX_FIELDS,
};

/* How the rows of one map are made. */
typedef struct
{
  const TtNeutrinoArea *area;
  guint32 name;
  TtNeutrinoArgs *args;
  guint field[TT_NEUTRINO_MAX_FIELDS]; /* in the arguments */
  guint n_fields;
  guint64 scale; /* ns, or ticks, per unit of its times */
  tt_uint128 sum[TT_NEUTRINO_MAX_FIELDS];
} RowsMap;

typedef struct
{
  TtNeutrinoDevice *device;
  TtSink *sink;
  const TtNeutrinoResult *result;
  TtNeutrinoTimes times;
  RowsMap map[TT_NEUTRINO_MAX_MAPS];
  TtInput *input;
  TtSorter *sorter;    /* NULL: times of the launch */
  gint64 latest_ns;    /* begin; TT_NO_TIME: none yet */
  TtTimeSpread spread; /* of the begins and ends of timed records */
  gboolean has_lone;   /* a few are far from the others, which lie in, but for the patience with them */
  gint64 near_first_ns, near_last_ns;
  guint64 patience_ns;
} RowsPass;

/* Puts the arguments of record @index; the fields among @values are set. */
guint64 tt_neutrino_rows_add_args (const RowsPass *self,
                                   const RowsMap *map,
                                   guint64 index,
                                   guint64 values[N_VALUES],
                                   gboolean *is_shared);

/* For tt_neutrino_decode(); @data is the pass. Timed ones go to its sorter, and are put when all are there. */
gboolean
tt_neutrino_rows_on_timed (const TtNeutrinoArea *area, const TtNeutrinoRecords *records, gpointer data, GError **error);
gboolean tt_neutrino_rows_write_timed (RowsPass *self, GError **error);
gboolean tt_neutrino_rows_on_untimed (const TtNeutrinoArea *area,
                                      const TtNeutrinoRecords *records,
                                      gpointer data,
                                      GError **error);
void tt_neutrino_rows_write_sums (RowsPass *self);
/* Of timed records with @n_values in their arguments. */
TtSorter *tt_neutrino_rows_sorter_new (guint n_values);

static inline const TtNeutrinoField *
tt_neutrino_rows_field (const TtNeutrinoMap *map, int i)
{
  return &g_array_index (map->fields, TtNeutrinoField, i);
}

static inline RowsMap *
tt_neutrino_rows_map (RowsPass *self, const TtNeutrinoArea *area)
{
  return &self->map[area - &g_array_index (self->result->areas->areas, TtNeutrinoArea, 0)];
}

static inline guint64
tt_neutrino_rows_offset (const TtNeutrinoArea *area, guint64 index)
{
  return area->offset + index * area->map->record_bytes;
}
