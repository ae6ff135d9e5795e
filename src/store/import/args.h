/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtStoreArgs: arguments that a bulk insert cannot take as they are. Used by src/store only.
 *
 * Long ones come in pieces and are written piece by piece; those that are merged are merged in the batch where
 * both are in one, else in the table. Those that look like others go into a table of numbers (args-format.h). What cannot be
 * kept is counted.
 */
#pragma once

#include "src/store/private.h"
#include "src/trace/batch.h"
#include "src/trace/repairs.h"

typedef struct _TtStoreArgs TtStoreArgs;

/* Arguments of a batch that have a form, in the order of their ids. */
typedef struct TtFilledArgs
{
  guint n;
  guint64 *id;
  guint32 *form;
  guint32 *first; /* of its numbers, in `numbers` */
  guint8 *n_numbers;
  gint64 *numbers;
} TtFilledArgs;

/* @connection: borrowed. @repairs: borrowed; of the current source. */
TtStoreArgs *tt_store_args_new (TtConnection *connection, TtRepairs *repairs);
void tt_store_args_free (TtStoreArgs *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtStoreArgs, tt_store_args_free)

/* Whether there are pieces in @batch: while they are written a transaction cannot end. */
gboolean tt_store_args_are_pieces (const TtBatch *batch);
/* Before the rows of @batch are inserted: leaves whole arguments in it, in the order of their ids, in `args` or in `filled`, which
 * are good until the next batch. *@n_args grows by these and by those written here. */
gboolean tt_store_args_take (TtStoreArgs *self, TtBatch *batch, guint64 *n_args, GError **error);
/* Whether there are merges that need the table. */
gboolean tt_store_args_wait (const TtStoreArgs *self);
/* Afterwards: merges that reach into earlier batches, which make *@n_args less. */
gboolean tt_store_args_merge (TtStoreArgs *self, const TtBatch *batch, guint64 *n_args, GError **error);
/* Whether rows came or went other than by the bulk insert since it was last asked. */
gboolean tt_store_args_changed (TtStoreArgs *self);
