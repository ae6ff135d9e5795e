/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtGrids: kernels by name and by how they were launched.
 */
#pragma once

#include "analyzers/kernels/spread.h"
#include "src/trace/kernel-config.h"

typedef struct
{
  guint32 name;
  TtKernelConfig config;
  const TtSpread *time;
} TtGridRow;

typedef struct _TtGrids TtGrids;

/* @is_plain: grid and block tell rows apart, and nothing else does. */
TtGrids *tt_grids_new (TtKernelConfigReader reader, gboolean is_plain);
void tt_grids_free (TtGrids *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtGrids, tt_grids_free)

/* A kernel with its arguments. */
void tt_grids_add (TtGrids *self, guint32 name, const char *args, gsize args_len, gint64 length_ns);
/* As of TtSpreads. */
gboolean tt_grids_pack (TtGrids *self, GByteArray *bytes, guint64 max_values, guint64 *n_values, GError **error);
/* @n_names: names are less than it. */
void tt_grids_unpack (TtGrids *self, TtUnpack *from, guint32 n_names);
gboolean tt_grids_finish (TtGrids *self, GError **error);
/* After finish; of TtGridRow, by total time, largest first, borrowed. */
const GArray *tt_grids_rows (const TtGrids *self);
/* Whether any kernel said something. */
gboolean tt_grids_is_known (const TtGrids *self);
