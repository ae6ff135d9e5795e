/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/names.h"

#include "src/trace/event.h"
#include "src/trace/native-groups.h"

#include <string.h>

static gboolean
on_name (const TtStoredName *name, gpointer data)
{
  TtJobNames *self = data;
  TtStepNodeKind kind = tt_step_node_kind_of_name (name->op_cat, name->sub_op);

  if (name->id > self->max_name || self->first_name[name->id] != name->id)
    return TRUE;
  if (kind == TT_STEP_NODE_END || g_strcmp0 (name->group, TT_GROUP_NEGOTIATION) == 0)
    kind = TT_STEP_NODE_OTHER;
  self->kinds[name->id] = (guint8) kind;
  if (self->kinds[name->id] != TT_STEP_NODE_OTHER)
    g_hash_table_insert (self->id_of, g_strconcat (name->text, name->suffix == NULL ? NULL : "~>", name->suffix, NULL),
                         GUINT_TO_POINTER (name->id));
  return TRUE;
}

gboolean
tt_job_names_init (TtJobNames *self, TtStore *store, GError **error)
{
  self->max_name = tt_store_max_name (store);
  self->first_name = tt_store_first_names (store, error);
  if (self->first_name == NULL)
    return FALSE;
  self->kinds = g_malloc ((gsize) self->max_name + 1);
  memset (self->kinds, TT_STEP_NODE_OTHER, (gsize) self->max_name + 1);
  self->id_of = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return tt_store_each_name (store, on_name, self, error);
}

void
tt_job_names_clear (TtJobNames *self)
{
  g_free (self->first_name);
  g_free (self->kinds);
  g_clear_pointer (&self->id_of, g_hash_table_unref);
}

guint32
tt_job_names_find (const TtJobNames *self, const char *text)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->id_of, text));
}

TtStepNodeKind
tt_job_names_kind (const TtJobNames *self, guint32 name)
{
  return name <= self->max_name ? (TtStepNodeKind) self->kinds[name] : TT_STEP_NODE_OTHER;
}
