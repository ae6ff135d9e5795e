/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes the records of a Neutrino result file column by column.
 *
 * Of each thread or warp the trailing records that are all zero are left out: the writer keeps no count, it zeroes its
 * buffers. A map of one record each keeps all.
 */
#pragma once

#include "formats/neutrino-trace/areas.h"
#include "src/base/input.h"

/* Up to TT_NEUTRINO_COLUMN records in order; `index` is (number of the unit in the file) * slots + slot. */
#define TT_NEUTRINO_COLUMN 4096u
typedef struct
{
  guint n;
  guint64 *index;
  guint64 *field[TT_NEUTRINO_MAX_FIELDS]; /* as in the map */
} TtNeutrinoRecords;

typedef gboolean (*TtNeutrinoRecordsFunc) (const TtNeutrinoArea *area,
                                           const TtNeutrinoRecords *records,
                                           gpointer data,
                                           GError **error);

/* The areas that @wants, in the order of the file. @input: at its start. */
gboolean tt_neutrino_decode (TtInput *input,
                             const TtNeutrinoAreas *areas,
                             gboolean (*wants) (const TtNeutrinoArea *area, gpointer data),
                             TtNeutrinoRecordsFunc func,
                             gpointer data,
                             GError **error);

/* For files whose warps are cut: whether the writer left places of their own to cut warps, which is so if anything but
 * zeros lies where else nothing is written. @input: at its start. */
gboolean tt_neutrino_find_strides (TtInput *input, TtNeutrinoAreas *areas, GError **error);
