/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau/threads.h"

typedef struct
{
  TtTauThreads base; /* must be first */
  TtSink *sink;
  TtNest *nest;
  GHashTable *by_key;
  GPtrArray *all;
  guint32 *processes; /* by node; 0 = not defined yet */
} Threads;

static Threads *
threads_of (TtTauThreads *self)
{
  return (Threads *) (void *) self;
}

static const Threads *
const_threads_of (const TtTauThreads *self)
{
  return (const Threads *) (const void *) self;
}

TtTauThreads *
tt_tau_threads_new (TtSink *sink, TtNest *nest)
{
  Threads *self = g_new0 (Threads, 1);

  self->sink = sink;
  self->nest = nest;
  self->by_key = g_hash_table_new (NULL, NULL);
  self->all = g_ptr_array_new_with_free_func (g_free);
  self->processes = g_new0 (guint32, G_MAXUINT16 + 1);
  return &self->base;
}

void
tt_tau_threads_free (TtTauThreads *threads)
{
  Threads *self = threads_of (threads);

  if (self == NULL)
    return;
  g_hash_table_unref (self->by_key);
  g_ptr_array_unref (self->all);
  g_free (self->processes);
  g_free (self);
}

guint32
tt_tau_threads_process (TtTauThreads *threads, guint16 nid)
{
  Threads *self = threads_of (threads);

  if (self->processes[nid] == TT_NO_ID)
    {
      char pid[16];
      g_snprintf (pid, sizeof pid, "node%u", nid);
      self->processes[nid] = tt_sink_process (self->sink, pid, NULL, NULL, nid);
    }
  return self->processes[nid];
}

gboolean
tt_tau_threads_has_process (const TtTauThreads *self, guint16 nid)
{
  return const_threads_of (self)->processes[nid] != TT_NO_ID;
}

gint64
tt_tau_threads_last_node (const TtTauThreads *threads)
{
  const Threads *self = const_threads_of (threads);
  gint64 last = -1;

  for (guint i = 0; i < self->all->len; i++)
    last = MAX (last, (gint64) (((const TtTauThread *) self->all->pdata[i])->key >> 16));
  return last;
}

TtTauThread *
tt_tau_threads_look_up (TtTauThreads *self, guint32 key)
{
  TtTauThread *thread = g_hash_table_lookup (threads_of (self)->by_key, GUINT_TO_POINTER (key));

  if (thread != NULL)
    self->recent[tt_tau_recent (key)] = thread;
  return thread;
}

TtTauThread *
tt_tau_threads_find (TtTauThreads *threads, guint16 nid, guint16 tid)
{
  Threads *self = threads_of (threads);
  TtTauThread *thread = tt_tau_threads_get (threads, nid, tid);
  char text[16];

  if (thread != NULL)
    return thread;
  g_snprintf (text, sizeof text, "%u", tid);
  thread = g_new0 (TtTauThread, 1);
  thread->key = (guint32) nid << 16 | tid;
  thread->process = tt_tau_threads_process (threads, nid);
  thread->thread = tt_sink_thread (self->sink, thread->process, text, NULL, tid);
  thread->nest = tt_nest_thread (self->nest, thread->thread, thread->process);
  g_hash_table_insert (self->by_key, GUINT_TO_POINTER (thread->key), thread);
  g_ptr_array_add (self->all, thread);
  return thread;
}

guint
tt_tau_threads_count (const TtTauThreads *self)
{
  return const_threads_of (self)->all->len;
}

TtTauThread *
tt_tau_threads_at (TtTauThreads *self, guint index)
{
  return threads_of (self)->all->pdata[index];
}
