/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau/threads.h"

#define RECENT 1024u

struct _TtTauThreads
{
  TtSink *sink;
  TtNest *nest;
  TtTauThread *recent[RECENT];
  GHashTable *by_key;
  GPtrArray *all;
  guint32 *processes; /* by node; 0 = not defined yet */
};

TtTauThreads *
tt_tau_threads_new (TtSink *sink, TtNest *nest)
{
  TtTauThreads *self = g_new0 (TtTauThreads, 1);

  self->sink = sink;
  self->nest = nest;
  self->by_key = g_hash_table_new (NULL, NULL);
  self->all = g_ptr_array_new_with_free_func (g_free);
  self->processes = g_new0 (guint32, G_MAXUINT16 + 1);
  return self;
}

void
tt_tau_threads_free (TtTauThreads *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->by_key);
  g_ptr_array_unref (self->all);
  g_free (self->processes);
  g_free (self);
}

guint32
tt_tau_threads_process (TtTauThreads *self, guint16 nid)
{
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
  return self->processes[nid] != TT_NO_ID;
}

gint64
tt_tau_threads_last_node (const TtTauThreads *self)
{
  gint64 last = -1;

  for (guint i = 0; i < self->all->len; i++)
    last = MAX (last, (gint64) (((const TtTauThread *) self->all->pdata[i])->key >> 16));
  return last;
}

TtTauThread *
tt_tau_threads_get (TtTauThreads *self, guint16 nid, guint16 tid)
{
  guint32 key = (guint32) nid << 16 | tid;
  TtTauThread **recent = &self->recent[(key * 0x9e3779b1u) >> 22];

  if (*recent != NULL && (*recent)->key == key)
    return *recent;
  TtTauThread *thread = g_hash_table_lookup (self->by_key, GUINT_TO_POINTER (key));
  if (thread != NULL)
    *recent = thread;
  return thread;
}

TtTauThread *
tt_tau_threads_find (TtTauThreads *self, guint16 nid, guint16 tid)
{
  TtTauThread *thread = tt_tau_threads_get (self, nid, tid);
  char text[16];

  if (thread != NULL)
    return thread;
  g_snprintf (text, sizeof text, "%u", tid);
  thread = g_new0 (TtTauThread, 1);
  thread->key = (guint32) nid << 16 | tid;
  thread->process = tt_tau_threads_process (self, nid);
  thread->thread = tt_sink_thread (self->sink, thread->process, text, NULL, tid);
  thread->nest = tt_nest_thread (self->nest, thread->thread, thread->process);
  g_hash_table_insert (self->by_key, GUINT_TO_POINTER (thread->key), thread);
  g_ptr_array_add (self->all, thread);
  return thread;
}

guint
tt_tau_threads_count (const TtTauThreads *self)
{
  return self->all->len;
}

TtTauThread *
tt_tau_threads_at (TtTauThreads *self, guint index)
{
  return self->all->pdata[index];
}
