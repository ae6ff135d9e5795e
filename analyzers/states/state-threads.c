/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/states/state-threads.h"

#include <string.h>

#include "src/trace/kernel-lanes.h"

struct _TtStateThreads
{
  TtStateThread *threads; /* by id */
  guint n_threads, n_lanes;
};

static gboolean
is_labelled (const TtProcess *process, const char *label)
{
  return process->label != NULL && strcmp (process->label, label) == 0;
}

static gboolean
is_number (const char *text)
{
  return *text != '\0' && strspn (text, "0123456789") == strlen (text);
}

static TtStateThreadKind
kind_of (const TtProcess *process, const TtThread *thread)
{
  if (!is_number (thread->tid) || is_labelled (process, TT_LANES_OF_INTERRUPTS) ||
      is_labelled (process, TT_LANES_OF_REQUESTS))
    return TT_STATE_THREAD_OTHER;
  return is_labelled (process, TT_LANES_OF_STATES) ? TT_STATE_THREAD_LANE : TT_STATE_THREAD_UNCOVERED;
}

/* The one host that has lanes; NULL: several have, or it has no name. */
static const char *
find_only_host (TtStore *store)
{
  guint n;
  const TtProcess *processes = tt_store_processes (store, &n);
  const char *host = NULL;

  for (guint i = 0; i < n; i++)
    {
      if (!is_labelled (&processes[i], TT_LANES_OF_STATES) || processes[i].node == NULL)
        continue;
      if (host != NULL && strcmp (host, processes[i].node) != 0)
        return NULL;
      host = processes[i].node;
    }
  return host;
}

static char *
key_of (const TtProcess *process, const TtThread *thread, const char *only_host)
{
  const char *host = process->node != NULL ? process->node : only_host;

  return g_strdup_printf ("%s %s", thread->tid, host == NULL ? "" : host);
}

static void
add_threads (TtStateThreads *self, TtStore *store, GHashTable *lanes, TtStateThreadKind kind)
{
  const char *only_host = find_only_host (store);
  guint n;
  const TtThread *threads = tt_store_threads (store, &n);

  for (guint i = 0; i < n; i++)
    {
      const TtProcess *process = tt_store_process (store, threads[i].process);
      TtStateThread *own = &self->threads[threads[i].id];

      if (process == NULL || kind_of (process, &threads[i]) != kind)
        continue;
      char *key = key_of (process, &threads[i], only_host);
      guint32 subject = GPOINTER_TO_UINT (g_hash_table_lookup (lanes, key));
      if (subject == 0 && kind == TT_STATE_THREAD_LANE)
        {
          subject = ++self->n_lanes;
          g_hash_table_insert (lanes, g_strdup (key), GUINT_TO_POINTER (subject));
        }
      g_free (key);
      own->subject = subject;
      own->kind = kind == TT_STATE_THREAD_LANE ? kind
                  : subject > 0                ? TT_STATE_THREAD_COVERED
                                               : TT_STATE_THREAD_UNCOVERED;
    }
}

TtStateThreads *
tt_state_threads_new (TtStore *store)
{
  TtStateThreads *self = g_new0 (TtStateThreads, 1);
  g_autoptr (GHashTable) lanes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  self->n_threads = tt_store_max_thread (store);
  self->threads = g_new0 (TtStateThread, (gsize) self->n_threads + 1);
  add_threads (self, store, lanes, TT_STATE_THREAD_LANE);
  add_threads (self, store, lanes, TT_STATE_THREAD_UNCOVERED);
  return self;
}

void
tt_state_threads_free (TtStateThreads *self)
{
  if (self == NULL)
    return;
  g_free (self->threads);
  g_free (self);
}

guint
tt_state_threads_n_lanes (const TtStateThreads *self)
{
  return self->n_lanes;
}

TtStateThread
tt_state_threads_get (const TtStateThreads *self, guint32 thread)
{
  return thread <= self->n_threads ? self->threads[thread] : (TtStateThread){ .kind = TT_STATE_THREAD_OTHER };
}
