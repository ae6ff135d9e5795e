/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/observe.h"

#include <string.h>

static guint
count_tensors (const char *group)
{
  guint n = 1;

  for (const char *at = group; (at = strchr (at, '+')) != NULL; at++)
    n++;
  return n;
}

static void
add_tensors (TtJobObservations *self, const char *group)
{
  g_auto (GStrv) tensors = g_strsplit (group, "+", -1);
  guint n = g_strv_length (tensors);

  for (guint i = 0; i < n; i++)
    {
      const char *known = g_hash_table_lookup (self->group_of, tensors[i]);
      if (known == NULL || n >= count_tensors (known))
        g_hash_table_insert (self->group_of, g_strdup (tensors[i]), g_strdup (group));
    }
}

void
tt_job_observe_group (TtJobObservations *self, const char *op_name, TtStepNodeKind kind)
{
  gpointer known, is_told = GINT_TO_POINTER (kind != TT_STEP_NODE_SYNC);

  if (g_hash_table_lookup_extended (self->known_groups, op_name, &known, NULL))
    {
      if (is_told)
        g_hash_table_insert (self->known_groups, known, is_told);
    }
  else
    {
      known = g_strdup (op_name);
      g_ptr_array_add (self->groups, known);
      g_hash_table_insert (self->known_groups, known, is_told);
      add_tensors (self, op_name);
    }
  if (kind != TT_STEP_NODE_SEND && kind != TT_STEP_NODE_RECV)
    return;
  g_auto (GStrv) tensors = g_strsplit (op_name, "+", -1);
  for (guint i = 0; tensors[i] != NULL; i++)
    if (!g_hash_table_contains (self->piece_tensors, tensors[i]))
      g_hash_table_add (self->piece_tensors, g_strdup (tensors[i]));
}

static gboolean
has_pieces (const TtJobObservations *self, const char *group)
{
  g_auto (GStrv) tensors = g_strsplit (group, "+", -1);

  for (guint i = 0; tensors[i] != NULL; i++)
    if (g_hash_table_contains (self->piece_tensors, tensors[i]))
      return TRUE;
  return FALSE;
}

void
tt_job_settle_groups (TtJobObservations *self)
{
  GPtrArray *kept = g_ptr_array_new_with_free_func (g_free);

  g_hash_table_remove_all (self->group_of);
  for (guint i = 0; i < self->groups->len; i++)
    {
      const char *group = self->groups->pdata[i];
      if (g_hash_table_lookup (self->known_groups, group) == NULL && has_pieces (self, group))
        continue;
      g_ptr_array_add (kept, g_strdup (group));
      add_tensors (self, group);
    }
  g_hash_table_remove_all (self->known_groups);
  g_ptr_array_unref (self->groups);
  self->groups = kept;
}
