/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/import/clocks.h"

#include "src/store/import/private.h"
#include "src/store/private.h"

static gboolean
insert_pieces (TtConnection *connection,
               sqlite3_stmt *insert,
               gint64 process,
               TtCorrection kind,
               const TtClockPiece *pieces,
               guint n,
               GError **error)
{
  GError *failure = NULL;

  for (guint i = 0; i < n && failure == NULL; i++)
    {
      g_return_val_if_fail (tt_clock_piece_is_sound (&pieces[i]), FALSE);
      sqlite3_bind_int64 (insert, 1, process);
      sqlite3_bind_int64 (insert, 2, kind);
      sqlite3_bind_int64 (insert, 3, pieces[i].from_ns);
      sqlite3_bind_int64 (insert, 4, pieces[i].until_ns);
      sqlite3_bind_int64 (insert, 5, pieces[i].shift_ns);
      sqlite3_bind_int64 (insert, 6, pieces[i].gain_ns);
      tt_connection_step (connection, insert, &failure);
      sqlite3_reset (insert);
    }
  return tt_store_finish (failure, error);
}

static gboolean
insert_fit (TtStoreImport *self, sqlite3_stmt *insert, gint64 process, const TtClockFit *fit, GError **error)
{
  GError *failure = NULL;

  sqlite3_bind_int64 (insert, 1, process);
  sqlite3_bind_int64 (insert, 2, self->run);
  tt_store_bind_text (insert, 3, tt_clock_text (fit->clock));
  sqlite3_bind_int64 (insert, 4, fit->first_ns);
  sqlite3_bind_int64 (insert, 5, fit->last_ns);
  sqlite3_bind_int64 (insert, 6, fit->offset_ns);
  sqlite3_bind_int64 (insert, 7, fit->drift_ns);
  sqlite3_bind_int64 (insert, 8, (gint64) fit->n_bounds);
  sqlite3_bind_int64 (insert, 9, (gint64) fit->n_violated);
  sqlite3_bind_int64 (insert, 10, (gint64) fit->n_left);
  sqlite3_bind_int64 (insert, 11, fit->worst_ns);
  sqlite3_bind_int64 (insert, 12, fit->worst_left_ns);
  tt_store_bind_time (insert, 13, fit->residual_ns);
  tt_connection_step (self->connection, insert, &failure);
  sqlite3_reset (insert);
  return tt_store_finish (failure, error);
}

static gboolean
clear_run (TtStoreImport *self, GError **error)
{
  gint64 run = self->run;

  return tt_connection_exec_ints (self->connection,
                                  "DELETE FROM clock_row WHERE process IN (SELECT id FROM process_row WHERE run = ?1)",
                                  &run, 1, error) &&
         tt_connection_exec_ints (self->connection, "DELETE FROM clock_fit_row WHERE run = ?1", &run, 1, error);
}

gboolean
tt_store_import_clocks (TtStoreImport *self, const TtClockRow *rows, guint n_rows, GError **error)
{
  g_autoptr (sqlite3_stmt) piece =
      tt_connection_prepare (self->connection,
                             "INSERT INTO clock_row (process, kind, from_ns, until_ns, shift_ns, gain_ns)"
                             " VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                             error);
  g_autoptr (sqlite3_stmt) fit = piece == NULL ? NULL
                                               : tt_connection_prepare (self->connection,
                                                                        "INSERT INTO clock_fit_row VALUES (?1, ?2, ?3, ?4,"
                                                                        " ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
                                                                        error);

  if (fit == NULL || !clear_run (self, error))
    return FALSE;
  for (guint i = 0; i < n_rows; i++)
    {
      const TtClockRow *row = &rows[i];
      gint64 process = tt_places_id (&self->store->process_places, row->fit.process);

      if (!insert_fit (self, fit, process, &row->fit, error) ||
          !insert_pieces (self->connection, piece, process, TT_CORRECTION_LINEAR, row->linear, row->n_linear, error) ||
          !insert_pieces (self->connection, piece, process, TT_CORRECTION_LOGICAL, row->logical, row->n_logical, error))
        return FALSE;
    }
  return TRUE;
}
