/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file that the ranks of an MPI job write together, each a slice of it.
 */
#pragma once

#include "src/cli/config-apply.h"
#include "src/cli/export-options.h"
#include "src/shards/ranks.h"

typedef struct
{
  guint n;            /* the first so many ranks have one */
  gboolean is_odd;    /* it has to be dealt out otherwise, once more; then it stays so */
  gboolean is_over;   /* rank 0 wants no more of it */
  guint64 n_left_out; /* whatever their writer counts; on rank 0 in the end of all */
} TtExportSlices;

/* Writes that of this rank, if it has one. @slices: `n` is that of ranks, `is_odd` of the second time. */
typedef gboolean (*TtExportSliceFunc) (TtStore *store,
                                       TtOutput *out,
                                       const TtExportSettings *settings,
                                       TtExportSlices *slices,
                                       gpointer report,
                                       GError **error);

/* Whether several ranks write @path: what is one file of its own, beside which it grows. */
gboolean tt_export_is_sliced (const char *path, const TtExportSettings *settings);
/* On rank 0, where tt_output_part() of @out is there. FALSE: @error. */
gboolean tt_export_slices_lead (TtExportSliceFunc write,
                                TtStore *store,
                                TtOutput *out,
                                const TtExportSettings *settings,
                                TtExportSlices *slices,
                                gpointer report,
                                GError **error);
/* On the others: the status of the command. */
int tt_export_slices_help (TtExportSliceFunc write,
                           const TtContext *context,
                           char **paths,
                           const TtExportSettings *settings,
                           TtConfigSettings *config,
                           gpointer report,
                           GError **error);
