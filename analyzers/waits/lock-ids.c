/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/lock-ids.h"

#include "analyzers/arg-value.h"
#include "analyzers/process-order.h"
#include "analyzers/spans/each-event.h"
#include "analyzers/waits/critical-pairs.h"
#include "src/base/text-ids.h"
#include "src/trace/span.h"

static const char *const keys[] = { "lock", "mutex", "rwlock", "spinlock", "lock_id", "mutex_id", "wait_id" };

typedef struct
{
  TtStore *store;
  TtCallClasses *classes;
  TtLockIds *ids;
  TtTextIds *texts;
  TtCriticalPairs criticals; /* the section tells its lock */
  TtCriticalPairs releases;  /* calls that unlock, and the record within them, which tells the lock */
  guint32 n;
} Reader;

static const char *
find_value (const char *args, gsize *len)
{
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      const char *value = tt_arg_value (args, keys[i]);

      *len = value == NULL ? 0 : tt_arg_value_length (value);
      if (*len > 0)
        return value;
    }
  return NULL;
}

/* From 1; 0: it is not told. */
static guint32
find_id (Reader *self, const TtEvent *event)
{
  gsize len;
  const char *value = event->args == NULL ? NULL : find_value (event->args, &len);

  if (value == NULL)
    return 0;
  guint32 process = tt_process_of_thread (self->store, event->thread);
  guint32 id = tt_text_ids_find (self->texts, process, value, len);
  if (id == 0)
    {
      id = ++self->n;
      tt_text_ids_add (self->texts, process, value, len, id);
    }
  return id;
}

static void
set_id (Reader *self, guint64 event, guint32 id, gboolean unlocks)
{
  if (id == 0)
    return;
  tt_map64_set (&self->ids->of_event, event, id);
  self->ids->unlocks |= unlocks;
}

static TtCriticalSpan
span_of (const TtEvent *event)
{
  gint64 end_ns = event->dur_ns == TT_NO_TIME ? event->ts_ns : tt_span_end (event->ts_ns, event->dur_ns);

  return (TtCriticalSpan){ .event = event->id, .begin_ns = event->ts_ns, .end_ns = end_ns };
}

static void
take_critical (Reader *self, gboolean is_section, const TtEvent *event)
{
  const TtCriticalSpan span = span_of (event);
  TtCriticalSpan section, block;

  if (is_section)
    set_id (self, event->id, find_id (self, event), FALSE);
  if (tt_critical_pairs_take (&self->criticals, is_section, event->thread, &span, &section, &block))
    set_id (self, block.event, tt_lock_ids_get (self->ids, section.event), TRUE);
}

static void
take_release (Reader *self, gboolean is_call, const TtEvent *event)
{
  const TtCriticalSpan span = span_of (event);
  TtCriticalSpan call, record;
  guint32 id = find_id (self, event);

  set_id (self, event->id, id, is_call);
  if ((!is_call || id == 0) && tt_critical_pairs_take (&self->releases, is_call, event->thread, &span, &call, &record))
    set_id (self, call.event, tt_lock_ids_get (self->ids, record.event), TRUE);
}

static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  Reader *self = data;

  switch (tt_call_classes_get (self->classes, event->name))
    {
    case TT_CALL_LOCK:
    case TT_CALL_HOLD:
      set_id (self, event->id, find_id (self, event), tt_call_classes_get (self->classes, event->name) == TT_CALL_HOLD);
      break;
    case TT_CALL_UNLOCK:
      take_release (self, TRUE, event);
      break;
    case TT_CALL_RELEASE:
      take_release (self, FALSE, event);
      break;
    case TT_CALL_ENTER_CRITICAL:
      take_critical (self, TRUE, event);
      break;
    case TT_CALL_CRITICAL_BLOCK:
      take_critical (self, FALSE, event);
      break;
    default:
      break;
    }
  return TRUE;
}

gboolean
tt_lock_ids_read (TtLockIds *self, TtStore *store, TtCallClasses *classes, GError **error)
{
  g_autoptr (TtTextIds) texts = tt_text_ids_new ();
  Reader reader = { .store = store, .classes = classes, .ids = self, .texts = texts };
  tt_critical_pairs_init (&reader.criticals);
  tt_critical_pairs_init (&reader.releases);
  gboolean is_read =
      tt_each_event (store, TT_SCAN_ARGS, take_event, &reader, error) && tt_text_ids_check (texts, error);

  tt_critical_pairs_clear (&reader.criticals);
  tt_critical_pairs_clear (&reader.releases);
  return is_read;
}

void
tt_lock_ids_clear (TtLockIds *self)
{
  tt_map64_clear (&self->of_event);
}
