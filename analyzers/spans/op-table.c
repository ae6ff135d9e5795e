/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/spans/op-table.h"

#include <string.h>

#include "src/base/error.h"
#include "src/base/map64.h"
#include "src/base/suggest.h"
#include "src/store/statistics.h"

#define MAX_SHOWN 5u

struct _TtOpTable
{
  TtStore *store;
  gboolean merge_ranks;
  GArray *ops;
  GStringChunk *text;
  GHashTable *by_label; /* label -> op + 1 */
  TtMap64 by_ids;       /* process << 32 | name -> op */
};

TtOpTable *
tt_op_table_new (TtStore *store, gboolean merge_ranks)
{
  TtOpTable *self = g_new0 (TtOpTable, 1);

  self->store = store;
  self->merge_ranks = merge_ranks;
  self->ops = g_array_new (FALSE, FALSE, sizeof (TtOp));
  self->text = g_string_chunk_new (4096);
  self->by_label = g_hash_table_new (g_str_hash, g_str_equal);
  return self;
}

void
tt_op_table_free (TtOpTable *self)
{
  if (self == NULL)
    return;

  g_array_unref (self->ops);
  g_hash_table_unref (self->by_label);
  g_string_chunk_free (self->text);
  tt_map64_clear (&self->by_ids);
  g_free (self);
}

static guint32
find_label (TtOpTable *self, guint32 process, guint32 name)
{
  const TtStoredName *stored = self->merge_ranks ? tt_store_name (self->store, name) : NULL;
  g_autofree char *label = NULL;
  gpointer op;

  if (stored != NULL)
    label = g_strconcat (stored->text, stored->suffix == NULL ? NULL : "~>", stored->suffix, NULL);
  else
    label = tt_store_long_name (self->store, process, name);

  op = g_hash_table_lookup (self->by_label, label);
  if (op == NULL)
    {
      TtOp new_op = { .process = process, .name = name, .label = g_string_chunk_insert (self->text, label) };
      g_array_append_val (self->ops, new_op);
      op = GUINT_TO_POINTER (self->ops->len);
      g_hash_table_insert (self->by_label, (gpointer) new_op.label, op);
    }
  return GPOINTER_TO_UINT (op) - 1;
}

guint32
tt_op_table_find (TtOpTable *self, guint32 process, guint32 name)
{
  guint32 of = self->merge_ranks ? TT_NO_ID : process;
  guint64 key = (guint64) of << 32 | name;
  guint32 op = tt_map64_get (&self->by_ids, key);

  if (G_UNLIKELY (op == TT_MAP64_NONE))
    {
      op = find_label (self, of, name);
      tt_map64_set (&self->by_ids, key, op);
    }
  return op;
}

guint32
tt_op_table_count (const TtOpTable *self)
{
  return self->ops->len;
}

const TtOp *
tt_op_table_op (const TtOpTable *self, guint32 op)
{
  return &g_array_index (self->ops, TtOp, op);
}

static gboolean
on_statistic (const TtStatistic *row, gpointer data)
{
  tt_op_table_find (data, row->process, row->name);
  return TRUE;
}

gboolean
tt_op_table_fill (TtOpTable *self, GError **error)
{
  if (!tt_store_each_statistic (self->store, TT_STATISTIC_BY_LONG_NAME, on_statistic, self, error))
    return FALSE;
  if (self->ops->len > 0)
    return TRUE;

  TtEventScan *scan = tt_event_scan_new (self->store, TT_SCAN_DEFAULT, error);
  TtEvent event;
  if (scan == NULL)
    return FALSE;
  while (tt_event_scan_next (scan, &event))
    {
      const TtThread *thread = tt_store_thread (self->store, event.thread);
      if (thread != NULL && event.dur_ns != TT_NO_TIME)
        tt_op_table_find (self, thread->process, event.name);
    }
  return tt_event_scan_finish (scan, error);
}

/* -- matching ------------------------------------------------------------------------------------ */

/* The label without "pid->". */
static const char *
name_of (const TtOpTable *self, const TtOp *op)
{
  const TtProcess *process = op->process == TT_NO_ID ? NULL : tt_store_process (self->store, op->process);
  gsize len = process == NULL ? 0 : strlen (process->pid);

  if (process != NULL && strncmp (op->label, process->pid, len) == 0 && g_str_has_prefix (op->label + len, "->"))
    return op->label + len + 2;
  return op->label;
}

static gboolean
matches_op (const TtOpTable *self, const TtOp *op, const char *text, int way)
{
  const TtStoredName *name;

  switch (way)
    {
    case 0:
      return strcmp (op->label, text) == 0;
    case 1:
      name = tt_store_name (self->store, op->name);
      return strcmp (name_of (self, op), text) == 0 || (name != NULL && g_strcmp0 (name->text, text) == 0) ||
             (name != NULL && g_strcmp0 (name->op_name, text) == 0);
    default:
      return strstr (op->label, text) != NULL;
    }
}

/* Whether @matched are one name, of whatever pid. */
static gboolean
is_one_name (const TtOpTable *self, const GArray *matched)
{
  const char *first = name_of (self, tt_op_table_op (self, g_array_index (matched, guint32, 0)));

  for (guint i = 1; i < matched->len; i++)
    if (strcmp (first, name_of (self, tt_op_table_op (self, g_array_index (matched, guint32, i)))) != 0)
      return FALSE;
  return TRUE;
}

static void
set_ambiguous (const TtOpTable *self, const char *text, const GArray *matched, GError **error)
{
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; i < matched->len && i < MAX_SHOWN; i++)
    g_string_append_printf (list, "%s'%s'", i == 0 ? "" : ", ",
                            tt_op_table_op (self, g_array_index (matched, guint32, i))->label);
  if (matched->len > MAX_SHOWN)
    g_string_append_printf (list, " and %u more", matched->len - MAX_SHOWN);
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' is part of %u operations: %s", text, matched->len, list->str);
}

static void
set_unknown (const TtOpTable *self, const char *text, GError **error)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  const char *nearest;

  for (guint32 i = 0; i < self->ops->len; i++)
    g_ptr_array_add (words, (gpointer) tt_op_table_op (self, i)->label);
  for (guint32 i = 0; i < self->ops->len; i++)
    {
      const TtOp *op = tt_op_table_op (self, i);
      const TtStoredName *name = tt_store_name (self->store, op->name);

      g_ptr_array_add (words, (gpointer) name_of (self, op));
      if (name != NULL && name->op_name != NULL)
        g_ptr_array_add (words, (gpointer) name->op_name);
    }
  g_ptr_array_add (words, NULL);

  nearest = tt_suggest (text, (const char *const *) words->pdata);
  if (nearest != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "there is no operation '%s'; did you mean '%s'?", text, nearest);
  else
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "there is no operation '%s'; 'tracetool stats' lists them", text);
}

GArray *
tt_op_table_match (const TtOpTable *self, const char *text, GError **error)
{
  g_autoptr (GArray) matched = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (int way = 0; way < 3 && matched->len == 0; way++)
    for (guint32 i = 0; i < self->ops->len; i++)
      if (matches_op (self, tt_op_table_op (self, i), text, way))
        g_array_append_val (matched, i);

  if (matched->len == 0)
    set_unknown (self, text, error);
  else if (!is_one_name (self, matched))
    set_ambiguous (self, text, matched, error);
  else
    return g_steal_pointer (&matched);
  return NULL;
}
