/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/import/private.h"

/* Rows of a batch go into their tables, and the source learns which ids they have: its rows are one range per table. */

void
tt_store_import_note_rows (TtSourceState *source, TtInsertKind kind, guint64 first, guint64 last)
{
  if (first == 0)
    return;
  if (source->first[kind] == 0)
    source->first[kind] = first;
  source->last[kind] = last;
}

gboolean
tt_store_import_insert (TtStoreImport *self, TtInsertKind kind, const TtBatch *batch, GError **error)
{
  guint64 first, last;

  if (!tt_insert_rows (self->insert, kind, batch, &first, &last, error))
    return FALSE;
  if (kind != TT_INSERT_ARGS && kind != TT_INSERT_FILLED_ARGS)
    tt_store_import_note_rows (&self->source, kind, first, last);
  return TRUE;
}
