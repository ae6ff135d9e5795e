/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/call-class.h"

#include <string.h>

typedef struct
{
  const char *word; /* a prefix where it ends in '*' */
  TtCallClass call_class;
} Word;

static const Word words[] = {
  { "MPI_Wait", TT_CALL_COMPLETE },
  { "MPI_Waitany", TT_CALL_COMPLETE },
  { "MPI_Waitall", TT_CALL_COMPLETE_ALL },
  { "MPI_Waitsome", TT_CALL_COMPLETE_ALL },
  { "MPI_Test", TT_CALL_POLL },
  { "MPI_Testany", TT_CALL_POLL },
  { "MPI_Testall", TT_CALL_POLL },
  { "MPI_Testsome", TT_CALL_POLL },
  { "MPI_Iprobe", TT_CALL_POLL_PROBE },
  { "MPI_Improbe", TT_CALL_POLL_PROBE },
  { "MPI_Request_get_status", TT_CALL_POLL },
  { "MPI_Probe", TT_CALL_PROBE },
  { "MPI_Mprobe", TT_CALL_PROBE },
  { "MPI_Ssend", TT_CALL_SYNCHRONOUS_SEND },
  { "MPI_Ibsend", TT_CALL_BUFFERED_SEND },
  { "MPI_Bsend*", TT_CALL_BUFFERED_SEND },
  { "MPI_Irecv", TT_CALL_BEGIN_RECEIVE },
  { "MPI_Imrecv", TT_CALL_BEGIN_RECEIVE },
  { "MPI_I*", TT_CALL_BEGIN_SEND },
  { "MPI_Start*", TT_CALL_BEGIN_SEND },
  { "MPI Collective Sync", TT_CALL_SYNC_REGION },
  { "MPI_Finalize", TT_CALL_FINALIZE },
  { "pthread_join", TT_CALL_JOIN },
  { "thrd_join", TT_CALL_JOIN },
  { "pthread_mutex_lock", TT_CALL_LOCK },
  { "pthread_mutex_timedlock", TT_CALL_LOCK },
  { "pthread_rwlock_rdlock", TT_CALL_LOCK },
  { "pthread_rwlock_wrlock", TT_CALL_LOCK },
  { "pthread_spin_lock", TT_CALL_LOCK },
  { "omp_set_lock", TT_CALL_LOCK },
  { "omp_set_nest_lock", TT_CALL_LOCK },
  { "GOMP_critical_start", TT_CALL_LOCK },
  { "GOMP_critical_name_start", TT_CALL_LOCK },
  { "__kmpc_critical*", TT_CALL_LOCK },
  { "OpenMP_Mutex_Waiting*", TT_CALL_LOCK },
  { "OpenMP_Mutex_Acquired*", TT_CALL_HOLD },
  { "!$omp critical sblock*", TT_CALL_CRITICAL_BLOCK },
  { "!$omp ordered sblock*", TT_CALL_CRITICAL_BLOCK },
  { "!$omp critical*", TT_CALL_ENTER_CRITICAL },
  { "!$omp ordered*", TT_CALL_ENTER_CRITICAL },
  { "ThreadReleaseLock", TT_CALL_RELEASE },
  { "OmpReleaseLock", TT_CALL_RELEASE },
  { "pthread_mutex_unlock", TT_CALL_UNLOCK },
  { "pthread_rwlock_unlock", TT_CALL_UNLOCK },
  { "pthread_spin_unlock", TT_CALL_UNLOCK },
  { "omp_unset_lock", TT_CALL_UNLOCK },
  { "omp_unset_nest_lock", TT_CALL_UNLOCK },
  { "GOMP_critical_end", TT_CALL_UNLOCK },
  { "GOMP_critical_name_end", TT_CALL_UNLOCK },
  { "__kmpc_end_critical", TT_CALL_UNLOCK },
  { "pthread_barrier_wait", TT_CALL_THREAD_BARRIER },
  { "omp_barrier*", TT_CALL_THREAD_BARRIER },
  { "omp_join*", TT_CALL_THREAD_BARRIER },
  { "GOMP_barrier*", TT_CALL_THREAD_BARRIER },
  { "__kmpc_barrier*", TT_CALL_THREAD_BARRIER },
  { "OpenMP_Sync_Region_Barrier*", TT_CALL_THREAD_BARRIER },
};

static gboolean
is_word (const char *op_name, const char *word)
{
  gsize len = strlen (word);

  return word[len - 1] == '*' ? strncmp (op_name, word, len - 1) == 0 : strcmp (op_name, word) == 0;
}

TtCallClass
tt_call_class (const char *op_cat, const char *op_name)
{
  if (op_name == NULL)
    return TT_CALL_OTHER;
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (*op_name == *words[i].word && is_word (op_name, words[i].word))
      return words[i].call_class;
  /* Other words of TAU's for barriers of OpenMP, and those of Opari, which Score-P has ("!$omp implicit barrier @app.c:12"). */
  if (g_strcmp0 (op_cat, "SYNC") == 0 &&
      (g_str_has_prefix (op_name, "OpenMP") || g_str_has_prefix (op_name, "!$omp ")) &&
      strstr (op_name, "arrier") != NULL)
    return TT_CALL_THREAD_BARRIER;
  return TT_CALL_OTHER;
}

static gboolean
look_for_poll (const TtStoredName *name, gpointer data)
{
  gboolean *has = data;

  *has |= tt_call_is_poll (tt_call_class (name->op_cat, name->op_name));
  return !*has;
}

gboolean
tt_call_has_polls (TtStore *store, gboolean *has, GError **error)
{
  *has = FALSE;
  return tt_store_each_name (store, look_for_poll, has, error);
}

void
tt_call_classes_init (TtCallClasses *self, TtStore *store)
{
  *self = (TtCallClasses){ .store = store, .max_name = tt_store_max_name (store) };
  self->by_name = g_new0 (guint8, (gsize) self->max_name + 1);
}

void
tt_call_classes_clear (TtCallClasses *self)
{
  g_clear_pointer (&self->by_name, g_free);
}

TtCallClass
tt_call_classes_find (TtCallClasses *self, guint32 name)
{
  const TtStoredName *found = tt_store_peek_name (self->store, name);
  TtCallClass call_class = found == NULL ? TT_CALL_OTHER : tt_call_class (found->op_cat, found->op_name);

  if (name <= self->max_name)
    self->by_name[name] = (guint8) (call_class + 1);
  return call_class;
}
