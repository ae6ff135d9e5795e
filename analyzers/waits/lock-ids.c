/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/lock-ids.h"

#include "analyzers/arg-value.h"
#include "analyzers/process-order.h"
#include "analyzers/spans/each-event.h"
#include "src/base/text-ids.h"

static const char *const keys[] = { "lock", "mutex", "rwlock", "spinlock", "lock_id", "mutex_id", "wait_id" };

typedef struct
{
  TtStore *store;
  TtCallClasses *classes;
  TtLockIds *ids;
  TtTextIds *texts;
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

static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  Reader *self = data;
  TtCallClass call_class = event->args == NULL ? TT_CALL_OTHER : tt_call_classes_get (self->classes, event->name);
  gsize len;

  if (call_class != TT_CALL_LOCK && call_class != TT_CALL_UNLOCK && call_class != TT_CALL_HOLD)
    return TRUE;
  const char *value = find_value (event->args, &len);
  if (value == NULL)
    return TRUE;
  guint32 process = tt_process_of_thread (self->store, event->thread);
  guint32 id = tt_text_ids_find (self->texts, process, value, len);
  if (id == 0)
    {
      id = ++self->n;
      tt_text_ids_add (self->texts, process, value, len, id);
    }
  tt_map64_set (&self->ids->of_event, event->id, id);
  self->ids->unlocks |= call_class != TT_CALL_LOCK;
  return TRUE;
}

gboolean
tt_lock_ids_read (TtLockIds *self, TtStore *store, TtCallClasses *classes, GError **error)
{
  g_autoptr (TtTextIds) texts = tt_text_ids_new ();
  Reader reader = { store, classes, self, texts, 0 };

  return tt_each_event (store, TT_SCAN_ARGS, take_event, &reader, error) && tt_text_ids_check (texts, error);
}

void
tt_lock_ids_clear (TtLockIds *self)
{
  tt_map64_clear (&self->of_event);
}
