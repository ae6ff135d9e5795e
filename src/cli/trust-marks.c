/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/trust-marks.h"

#include "src/base/map64.h"
#include "src/store/definitions.h"
#include "src/store/names.h"
#include "src/store/scan.h"

typedef struct
{
  TtTrustMarks *marks;
  TtTrustPlaceFunc place;
  const void *data;
} Column;

struct _TtTrustMarks
{
  TtStore *store;
  gboolean has_mended, has_damaged;
  guint32 *first_names; /* by name: of those with one text; NULL: nothing is mended */
  TtMap64 mended;       /* name and rank; either may be 0: of any */
  TtMap64 damaged;      /* ranks */
  GPtrArray *columns;   /* of Column */
};

/* The process that leads the rank. */
static guint32
rank_of (TtStore *store, guint32 process)
{
  const TtProcess *of = tt_store_process (store, process);

  return of == NULL ? process : of->owner;
}

static guint64
key_of (guint32 name, guint32 rank)
{
  return (guint64) name << 32 | rank;
}

static void
add_mended (TtTrustMarks *self, const TtEvent *event)
{
  const TtThread *thread = tt_store_thread (self->store, event->thread);
  guint32 rank = thread == NULL ? 0 : rank_of (self->store, thread->process);
  guint32 name = self->first_names[event->name];

  tt_map64_set (&self->mended, key_of (name, rank), 1);
  tt_map64_set (&self->mended, key_of (name, 0), 1);
  tt_map64_set (&self->mended, key_of (0, rank), 1);
}

static gboolean
find_mended (TtTrustMarks *self, GError **error)
{
  TtEvent event;

  self->first_names = tt_store_first_names (self->store, error);
  TtEventScan *scan = self->first_names == NULL ? NULL : tt_event_scan_new (self->store, TT_SCAN_DEFAULT, error);
  if (scan == NULL)
    return FALSE;
  while (tt_event_scan_next (scan, &event))
    if (G_UNLIKELY ((event.flags & TT_TRUST_FLAGS) != 0))
      add_mended (self, &event);
  return tt_event_scan_finish (scan, error);
}

TtTrustMarks *
tt_trust_marks_new (TtStore *store, GError **error)
{
  g_autoptr (TtTrustMarks) self = g_new0 (TtTrustMarks, 1);
  g_auto (TtTrustBrief) brief = { 0 };
  GHashTableIter iter;
  gpointer process;

  self->store = store;
  self->columns = g_ptr_array_new_with_free_func (g_free);
  if (!tt_store_trust_brief (store, &brief, error))
    return NULL;
  self->has_mended = brief.n_marked > 0;
  g_hash_table_iter_init (&iter, brief.damaged);
  while (g_hash_table_iter_next (&iter, &process, NULL))
    tt_map64_set (&self->damaged, rank_of (store, GPOINTER_TO_UINT (process)), 1);
  self->has_damaged = self->damaged.n > 0;
  return self->has_mended && !find_mended (self, error) ? NULL : g_steal_pointer (&self);
}

void
tt_trust_marks_free (TtTrustMarks *self)
{
  if (self == NULL)
    return;
  g_free (self->first_names);
  tt_map64_clear (&self->mended);
  tt_map64_clear (&self->damaged);
  g_ptr_array_unref (self->columns);
  g_free (self);
}

/* -- the column ------------------------------------------------------------------------------------------------- */

static gboolean
has (const TtMap64 *map, guint64 key)
{
  return tt_map64_get (map, key) != TT_MAP64_NONE;
}

static gboolean
is_mended (const TtTrustMarks *self, guint32 name, guint32 process)
{
  if (name == TT_NO_ID && process == TT_NO_ID)
    return self->has_mended;
  return self->has_mended && has (&self->mended, key_of (name == TT_NO_ID ? 0 : self->first_names[name],
                                                         process == TT_NO_ID ? 0 : rank_of (self->store, process)));
}

static gboolean
is_damaged (const TtTrustMarks *self, guint32 process)
{
  return process == TT_NO_ID ? self->has_damaged : has (&self->damaged, rank_of (self->store, process));
}

static TtReportCell
trust_cell (const TtReportField *self, const void *row, const void *context)
{
  const Column *column = context;
  const TtTrustMarks *marks = column->marks;
  TtTrustPlace place = column->place == NULL ? TT_TRUST_EVERYWHERE : column->place (row, column->data);
  gboolean has_other = place.other != TT_NO_ID;
  gboolean mended =
      is_mended (marks, place.name, place.process) || (has_other && is_mended (marks, place.name, place.other));
  gboolean damaged = is_damaged (marks, place.process) || (has_other && is_damaged (marks, place.other));

  return tt_cell_text (mended && damaged  ? "mended,damaged"
                       : mended           ? "mended"
                       : damaged          ? "damaged"
                       : place.has_others ? "others"
                                          : NULL);
}

static const TtReportField fields[] = {
  { TT_COLUMN_WORD, "Trust", "trust", trust_cell },
};

void
tt_trust_marks_declare (TtTrustMarks *self,
                        TtReport *report,
                        const TtReportView *view,
                        TtTrustPlaceFunc place,
                        const void *data)
{
  const Column column = { self, place, data };

  if (!self->has_mended && !self->has_damaged)
    return;
  g_ptr_array_add (self->columns, g_memdup2 (&column, sizeof column));
  tt_report_declare (report, fields, G_N_ELEMENTS (fields), view, fields,
                     g_ptr_array_index (self->columns, self->columns->len - 1));
  tt_report_legend (report, "Trust: 'mended' rests on spans that were mended, bounded or inferred, 'damaged' on ranks "
                            "with damaged records, 'others' on waits for such ranks; see 'info --trust'");
}
