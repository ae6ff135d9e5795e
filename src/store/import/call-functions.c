/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/import/call-functions.h"

#include <string.h>
#include <xxhash.h>

#include "src/base/compare.h"
#include "src/trace/communicator.h"

static void
function_free (gpointer data)
{
  TtCallFunction *function = data;

  g_free (function->text);
  g_free (function->key);
  g_free (function);
}

void
tt_call_functions_init (TtCallFunctions *self)
{
  self->by_name = g_hash_table_new (NULL, NULL);
  self->by_key = g_hash_table_new (g_str_hash, g_str_equal);
  self->all = g_ptr_array_new_with_free_func (function_free);
}

void
tt_call_functions_clear (TtCallFunctions *self)
{
  g_hash_table_unref (self->by_name);
  g_hash_table_unref (self->by_key);
  g_ptr_array_unref (self->all);
}

TtCallFunction *
tt_call_functions_find (TtCallFunctions *self, guint32 name, const char *op_name, gint64 comm)
{
  g_autofree char *key = g_strdup_printf ("%" G_GINT64_FORMAT " %s", comm, op_name != NULL ? op_name : "");
  TtCallFunction *function = g_hash_table_lookup (self->by_key, key);

  if (function == NULL)
    {
      function = g_new0 (TtCallFunction, 1);
      function->text = g_strdup (op_name != NULL ? op_name : "");
      function->key = g_steal_pointer (&key);
      function->comm = comm;
      function->name = name;
      function->index = self->all->len;
      g_ptr_array_add (self->all, function);
      g_hash_table_insert (self->by_key, function->key, function);
    }
  function->name = MIN (function->name, name);
  return function;
}

void
tt_call_functions_define (TtCallFunctions *self, guint32 name, const char *op_name, gint64 comm)
{
  g_hash_table_insert (self->by_name, GUINT_TO_POINTER (name), tt_call_functions_find (self, name, op_name, comm));
}

/* -- ranking -------------------------------------------------------------------------------------------- */

static int
compare_functions (gconstpointer a, gconstpointer b)
{
  const TtCallFunction *x = *(TtCallFunction *const *) a, *y = *(TtCallFunction *const *) b;
  int order = strcmp (x->text, y->text);

  return order != 0 ? order : TT_COMPARE (x->shown, y->shown);
}

static gboolean
is_ranked_alike (const TtCallFunction *x, const TtCallFunction *y)
{
  return x->shown == y->shown && strcmp (x->text, y->text) == 0;
}

/* A name stands for the only group that has it. */
static void
show_comms (const GPtrArray *functions)
{
  g_autoptr (GHashTable) groups = g_hash_table_new (NULL, NULL); /* name of groups -> its only comm, -1: several */

  for (guint i = 0; i < functions->len; i++)
    {
      gint64 comm = tt_call_function_at (functions, i)->comm;
      gpointer name = GSIZE_TO_POINTER ((guint64) comm & TT_COMM_NAME_MASK);

      if (tt_comm_has_members (comm))
        {
          gpointer known = g_hash_table_lookup (groups, name);
          gboolean is_other = known != NULL && known != GSIZE_TO_POINTER (comm);
          g_hash_table_insert (groups, name, GSIZE_TO_POINTER (is_other ? -1 : comm));
        }
    }
  for (guint i = 0; i < functions->len; i++)
    {
      TtCallFunction *function = g_ptr_array_index (functions, i);
      guint64 name = (guint64) function->comm & TT_COMM_NAME_MASK;

      function->shown = function->comm;
      if (!tt_comm_has_members (function->comm))
        continue;
      function->shown = (gint64) name;
      if (g_hash_table_lookup (groups, GSIZE_TO_POINTER (name)) == GSIZE_TO_POINTER (-1))
        function->shown =
            (gint64) (TT_COMM_IS_MADE | (XXH3_64bits (&function->comm, sizeof function->comm) & (TT_COMM_IS_MADE - 1)));
    }
}

void
tt_call_functions_rank (TtCallFunctions *self, GPtrArray *ranked)
{
  guint32 rank = 0;

  show_comms (self->all);
  for (guint i = 0; i < self->all->len; i++)
    g_ptr_array_add (ranked, g_ptr_array_index (self->all, i));
  g_ptr_array_sort (ranked, compare_functions);
  for (guint i = 0; i < ranked->len; i++)
    {
      TtCallFunction *function = tt_call_function_at (ranked, i), *first = tt_call_function_at (ranked, rank);

      if (is_ranked_alike (function, first))
        first->name = MIN (first->name, function->name);
      else
        rank = i;
      function->rank = rank;
    }
}
