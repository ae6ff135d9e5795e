/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/window-locks.h"

#include "analyzers/arg-value.h"
#include "analyzers/spans/each-event.h"
#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/base/map64.h"
#include "src/base/text-ids.h"
#include "src/trace/span.h"

#include <string.h>

typedef enum
{
  RECORD_NONE,
  RECORD_ACQUIRE,
  RECORD_RELEASE,
} Kind;

typedef struct
{
  gint64 ns;
  gint64 begin_ns, end_ns; /* of the call around it */
  guint64 event;           /* 0: there is none */
  guint32 thread, name;
  guint32 lock; /* from 1 */
  guint8 kind;  /* Kind */
  gboolean is_shared, is_chosen;
} Record;

typedef struct
{
  TtStore *store;
  const TtSelection *selection;
  guint8 *kinds; /* by name */
  GArray *records;
  GArray **open; /* by thread: of indices, of records whose call has not ended yet */
  guint32 max_thread, n_locks;
  TtTextIds *ids;
} Finder;

static void
finder_clear (Finder *self)
{
  for (guint32 i = 0; self->open != NULL && i <= self->max_thread; i++)
    g_clear_pointer (&self->open[i], g_array_unref);
  g_free (self->open);
  g_free (self->kinds);
  g_clear_pointer (&self->records, g_array_unref);
  g_clear_pointer (&self->ids, tt_text_ids_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Finder, finder_clear)

/* -- reading ------------------------------------------------------------------------------------------------------ */

static gboolean
find_kinds (Finder *self)
{
  guint32 n = tt_store_max_name (self->store);
  gboolean has_any = FALSE;

  self->kinds = g_new0 (guint8, (gsize) n + 1);
  for (guint32 i = 1; i <= n; i++)
    {
      const TtStoredName *name = tt_store_peek_name (self->store, i);
      const char *text = name == NULL || name->op_name == NULL ? "" : name->op_name;

      self->kinds[i] = strcmp (text, "RmaAcquireLock") == 0   ? RECORD_ACQUIRE
                       : strcmp (text, "RmaReleaseLock") == 0 ? RECORD_RELEASE
                                                              : RECORD_NONE;
      has_any |= self->kinds[i] == RECORD_ACQUIRE;
    }
  return has_any;
}

/* The lock of a rank's part of a window; 0: the record does not tell. */
static guint32
lock_of (Finder *self, const char *args)
{
  static const char *const keys[] = { "window", "remote", "lock" };
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      const char *value = args == NULL ? NULL : tt_arg_value (args, keys[i]);

      if (value == NULL)
        return 0;
      g_string_append_len (text, value, (gssize) tt_arg_value_length (value));
      g_string_append_c (text, '\n');
    }
  guint32 id = tt_text_ids_find (self->ids, 0, text->str, text->len);
  if (id == 0)
    {
      id = ++self->n_locks;
      tt_text_ids_add (self->ids, 0, text->str, text->len, id);
    }
  return id;
}

static void
take_record (Finder *self, const TtEvent *event)
{
  const char *type = event->args == NULL ? NULL : tt_arg_value (event->args, "lock_type");
  const Record record = {
    .ns = event->ts_ns,
    .thread = event->thread,
    .lock = lock_of (self, event->args),
    .kind = self->kinds[event->name],
    .is_shared = type != NULL && g_str_has_prefix (type, "\"shared\""),
  };

  if (record.lock == 0)
    return;
  if (self->open[event->thread] == NULL)
    self->open[event->thread] = g_array_new (FALSE, FALSE, sizeof (guint));
  g_array_append_val (self->open[event->thread], self->records->len);
  g_array_append_val (self->records, record);
}

/* The first to end of those around a record is its call. */
static void
take_span (Finder *self, const TtEvent *event)
{
  GArray *open = self->open[event->thread];

  for (; open->len > 0; g_array_set_size (open, open->len - 1))
    {
      Record *record = &g_array_index (self->records, Record, g_array_index (open, guint, open->len - 1));
      gint64 end_ns = tt_span_end (event->ts_ns, event->dur_ns);

      if (record->ns < event->ts_ns || record->ns > end_ns)
        return;
      record->begin_ns = event->ts_ns;
      record->end_ns = end_ns;
      record->event = event->id;
      record->name = event->name;
      record->is_chosen = self->selection == NULL || tt_selection_matches (self->selection, event);
    }
}

static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  Finder *self = data;

  if (event->thread > self->max_thread || (event->flags & TT_FLAG_ASYNC) != 0)
    return TRUE;
  if (event->dur_ns == TT_NO_TIME)
    {
      if (self->kinds[event->name] != RECORD_NONE)
        take_record (self, event);
    }
  else if (self->open[event->thread] != NULL)
    take_span (self, event);
  return TRUE;
}

/* -- who held it ---------------------------------------------------------------------------------------------------- */

/* Of one moment who lets go comes first. */
static int
compare_records (gconstpointer a, gconstpointer b)
{
  const Record *x = a, *y = b;
  int order = TT_COMPARE (x->lock, y->lock);

  if (order == 0)
    order = TT_COMPARE (x->ns, y->ns);
  if (order == 0)
    order = TT_COMPARE (y->kind, x->kind);
  return order != 0 ? order : TT_COMPARE (x->thread, y->thread);
}

static void
add_wait (const Record *gets, const Record *had, TtSyncs *syncs, GArray *waits)
{
  const TtWait wait = {
    .thread = gets->thread,
    .kind = TT_WAIT_LOCK,
    .event = gets->event,
    .begin_ns = gets->begin_ns,
    .end_ns = had->ns,
    .at_ns = had->ns,
    .from_ns = had->ns,
    .left_ns = had->ns,
    .from_event = had->event,
    .from_thread = had->thread,
    .name = gets->name,
    .from_name = had->event == 0 ? TT_NO_ID : had->name,
  };
  const TtSyncCall let_go = { had->ns, had->ns, had->thread }, call = { gets->begin_ns, gets->end_ns, gets->thread };

  if (wait.begin_ns >= wait.end_ns)
    return;
  if (gets->is_chosen)
    g_array_append_val (waits, wait);
  if (syncs != NULL)
    tt_syncs_add_pair (syncs, &let_go, &call);
}

/* @records: of one lock, in time order. */
static void
find_waits (Record *records, guint n, TtSyncs *syncs, GArray *waits)
{
  const Record *alone = NULL, *any = NULL; /* that let it go last */
  TtMap64 is_shared_of = { NULL };         /* by thread, as it had it last */

  for (guint i = 0; i < n; i++)
    {
      Record *record = &records[i];
      const Record *had = record->is_shared ? alone : any;

      if (record->kind == RECORD_ACQUIRE && record->event != 0 && had != NULL && had->thread != record->thread)
        add_wait (record, had, syncs, waits);
      if (record->kind == RECORD_ACQUIRE)
        tt_map64_set (&is_shared_of, record->thread, record->is_shared);
      if (record->kind != RECORD_RELEASE)
        continue;
      record->is_shared = tt_map64_get (&is_shared_of, record->thread) == 1;
      any = record;
      alone = record->is_shared ? alone : record;
    }
  tt_map64_clear (&is_shared_of);
}

gboolean
tt_window_lock_waits_find (TtStore *store, const TtSelection *selection, TtSyncs *syncs, GArray *waits, GError **error)
{
  g_auto (Finder) self = { .store = store, .selection = selection, .max_thread = tt_store_max_thread (store) };

  if (!find_kinds (&self))
    return TRUE;
  self.ids = tt_text_ids_new ();
  self.records = g_array_new (FALSE, FALSE, sizeof (Record));
  self.open = g_new0 (GArray *, (gsize) self.max_thread + 1);
  if (!tt_each_event (store, TT_SCAN_ARGS, take_event, &self, error) || !tt_text_ids_check (self.ids, error))
    return FALSE;
  g_array_sort (self.records, compare_records);
  Record *records = TT_ARRAY (self.records, Record);
  for (guint first = 0, end; first < self.records->len; first = end)
    {
      for (end = first; end < self.records->len && records[end].lock == records[first].lock; end++)
        ;
      find_waits (&records[first], end - first, syncs, waits);
    }
  return TRUE;
}
