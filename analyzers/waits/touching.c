/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/touching.h"

#include "analyzers/devices/roles.h"
#include "analyzers/spans/each-event.h"
#include "analyzers/waits/call-class.h"
#include "analyzers/waits/wait-window.h"
#include "analyzers/work-class.h"
#include "src/store/rows.h"
#include "src/trace/span.h"

typedef struct
{
  gint64 begin_ns, end_ns;
} Crossing;

typedef struct
{
  TtStore *store;
  TtCallClasses classes;
  const TtWaitWindow *window;
  TtWaitWindow wide;
  GHashTable *crossings; /* Crossing by event: of spans that wait only if they are an end of a message */
} Search;

static void
search_clear (Search *self)
{
  tt_call_classes_clear (&self->classes);
  g_clear_pointer (&self->crossings, g_hash_table_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Search, search_clear)

static void
widen (Search *self, const Crossing *span)
{
  self->wide.first_ns = MIN (self->wide.first_ns, span->begin_ns);
  self->wide.last_ns = MAX (self->wide.last_ns, span->end_ns);
}

static gboolean
can_wait (Search *self, const TtEvent *event)
{
  const TtStoredName *name = tt_store_name (self->store, event->name);

  return (event->flags & TT_FLAG_COLLECTIVE) != 0 || name == NULL || name->is_collective ||
         tt_work_class (name->op_cat) != TT_WORK_COMPUTE ||
         tt_call_classes_get (&self->classes, event->name) != TT_CALL_OTHER;
}

static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  Search *self = data;

  if (event->dur_ns == TT_NO_TIME || (event->flags & TT_FLAG_ASYNC) != 0)
    return TRUE;
  Crossing span = { event->ts_ns, tt_span_end (event->ts_ns, event->dur_ns) };
  if (span.begin_ns >= self->window->first_ns && span.end_ns <= self->window->last_ns)
    return TRUE;
  if (can_wait (self, event))
    widen (self, &span);
  else
    g_hash_table_insert (self->crossings, GSIZE_TO_POINTER (event->id), g_memdup2 (&span, sizeof span));
  return TRUE;
}

static gboolean
take_message (const TtMessage *message, gpointer data)
{
  Search *self = data;
  const guint64 ends[] = { message->send_event, message->recv_event };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      const Crossing *span = ends[i] == 0 ? NULL : g_hash_table_lookup (self->crossings, GSIZE_TO_POINTER (ends[i]));

      if (span != NULL)
        widen (self, span);
    }
  return TRUE;
}

static gboolean
search (Search *self, GError **error)
{
  self->crossings = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  return tt_each_event_between (self->store, TT_SCAN_DEFAULT, self->window->first_ns, self->window->last_ns, take_event,
                                self, error) &&
         (g_hash_table_size (self->crossings) == 0 || tt_store_each_message (self->store, take_message, self, error));
}

TtWaits *
tt_waits_touching (TtStore *store, const TtSelection *selection, GError **error)
{
  TtWaitWindow window = TT_WAIT_WINDOW_ALL;
  g_auto (Search) self = { .store = store, .window = &window };
  gboolean is_traced, has_polls;

  if (selection == NULL || !tt_selection_has_window (selection))
    return tt_waits_new (store, NULL, error);
  tt_selection_window (selection, &window.first_ns, &window.last_ns);
  self.wide = window;
  tt_call_classes_init (&self.classes, store);
  if (!tt_device_is_traced (store, &is_traced, error) || !tt_call_has_polls (store, &has_polls, error))
    return NULL;
  if (is_traced || has_polls)
    return tt_waits_new (store, NULL, error);
  if (!search (&self, error))
    return NULL;
  return tt_waits_between (store, self.wide.first_ns, self.wide.last_ns, NULL, error);
}
