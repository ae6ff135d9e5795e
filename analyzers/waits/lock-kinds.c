/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/lock-kinds.h"

#include <string.h>

typedef enum
{
  KIND_NONE,
  KIND_MUTEX,
  KIND_RWLOCK,
  KIND_SPIN,
  KIND_OMP_LOCK,
  KIND_OMP_NEST_LOCK,
  KIND_CRITICAL,
  KIND_ATOMIC,
  KIND_ORDERED,
} Kind;

/* TAU's words for OpenMP begin with OpenMP_Mutex_Waiting_ or _Acquired_, and go on with the place. */
static const struct
{
  const char *prefix;
  guint8 kind; /* with flags */
} words[] = {
  { "pthread_mutex_timedlock", KIND_MUTEX | TT_LOCK_MAY_FAIL },
  { "pthread_mutex_", KIND_MUTEX },
  { "pthread_cond_wait", KIND_MUTEX | TT_LOCK_CONDITION },
  { "pthread_cond_timedwait", KIND_MUTEX | TT_LOCK_CONDITION },
  { "pthread_rwlock_", KIND_RWLOCK | TT_LOCK_SHARED },
  { "pthread_spin_", KIND_SPIN },
  { "omp_set_nest_lock", KIND_OMP_NEST_LOCK },
  { "omp_unset_nest_lock", KIND_OMP_NEST_LOCK },
  { "omp_set_lock", KIND_OMP_LOCK },
  { "omp_unset_lock", KIND_OMP_LOCK },
  { "GOMP_critical_", KIND_CRITICAL },
  { "__kmpc_critical", KIND_CRITICAL },
  { "__kmpc_end_critical", KIND_CRITICAL },
  { "!$omp critical", KIND_CRITICAL },
  { "!$omp ordered", KIND_ORDERED },
  { "Nest_Lock", KIND_OMP_NEST_LOCK },
  { "Test_Nest_Lock", KIND_OMP_NEST_LOCK },
  { "Lock", KIND_OMP_LOCK },
  { "Test_Lock", KIND_OMP_LOCK },
  { "Critical", KIND_CRITICAL },
  { "Atomic", KIND_ATOMIC },
  { "Ordered", KIND_ORDERED },
};

static const char *
skip (const char *text, const char *prefix)
{
  return g_str_has_prefix (text, prefix) ? text + strlen (prefix) : NULL;
}

static guint8
kind_of (const char *op_name)
{
  const char *waiting = skip (op_name, "OpenMP_Mutex_Waiting_"), *acquired = skip (op_name, "OpenMP_Mutex_Acquired_");
  const char *word = waiting != NULL ? waiting : acquired != NULL ? acquired : op_name;

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_has_prefix (word, words[i].prefix))
      return words[i].kind;
  return KIND_NONE;
}

guint8 *
tt_lock_kinds_new (TtStore *store)
{
  guint32 n = tt_store_max_name (store);
  guint8 *kinds = g_new0 (guint8, (gsize) n + 1);

  for (guint32 i = 1; i <= n; i++)
    {
      const TtStoredName *name = tt_store_peek_name (store, i);

      if (name != NULL && name->op_name != NULL)
        kinds[i] = kind_of (name->op_name);
    }
  return kinds;
}
