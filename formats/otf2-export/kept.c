/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2-export/kept.h"

#include "formats/otf2-export/definitions-private.h"
#include "formats/otf2-export/otf2-export.h"
#include "src/store/tasks.h"

typedef struct
{
  TtOtf2ExportDefinitions *definitions;
  guint64 n; /* of the table */
} Keep;

static void
append_text (GString *row, const char *text)
{
  if (text != NULL)
    {
      g_autofree char *escaped = g_strescape (text, NULL);
      g_string_append_printf (row, "=%s", escaped);
    }
  g_string_append_c (row, '\t');
}

static void
append_number (GString *row, gboolean is_known, gint64 number)
{
  g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, number);

  append_text (row, is_known ? text : NULL);
}

static void
write_row (Keep *self, guint8 kind, guint32 id, const char *key, const GString *row)
{
  g_autofree char *name = g_strdup_printf ("%s%" G_GUINT64_FORMAT, key, ++self->n);

  tt_otf2_export_property (self->definitions, kind, id, name, row->str);
}

static gboolean
on_parameter (const TtParameter *parameter, gpointer data)
{
  g_autoptr (GString) row = g_string_new (NULL);

  append_number (row, TRUE, parameter->tensor_id);
  append_text (row, parameter->tensor_name);
  append_text (row, parameter->shape);
  append_text (row, parameter->dtype);
  append_number (row, parameter->update_id >= 0, parameter->update_id);
  append_text (row, parameter->origin);
  write_row (data, TT_OTF2_EXPORT_OF_NODE, 0, TT_OTF2_EXPORT_TENSOR, row);
  return TRUE;
}

static gboolean
on_task (guint32 process, const TtTaskNode *task, gpointer data)
{
  g_autoptr (GString) row = g_string_new (NULL);

  append_number (row, TRUE, task->id);
  append_text (row, tt_task_kind_text (task->kind));
  append_number (row, task->created_ns >= 0, task->created_ns);
  append_number (row, task->begin_ns >= 0, task->begin_ns);
  append_number (row, task->end_ns >= 0, task->end_ns);
  for (guint i = 0; i < TT_N_TASK_TEXTS; i++)
    append_text (row, task->text[i]);
  write_row (data, TT_OTF2_EXPORT_OF_GROUP, process - 1, TT_OTF2_EXPORT_TASK, row);
  return TRUE;
}

static gboolean
on_task_edge (guint32 process, const TtTaskEdge *edge, gpointer data)
{
  g_autoptr (GString) row = g_string_new (NULL);

  append_number (row, edge->has_src, edge->src);
  append_number (row, edge->has_dst, edge->dst);
  append_text (row, edge->kind);
  write_row (data, TT_OTF2_EXPORT_OF_GROUP, process - 1, TT_OTF2_EXPORT_TASK_EDGE, row);
  return TRUE;
}

gboolean
tt_otf2_export_keep (TtOtf2ExportDefinitions *self, GError **error)
{
  Keep tensors = { self, 0 }, tasks = { self, 0 }, edges = { self, 0 };

  tt_otf2_export_property (self, TT_OTF2_EXPORT_OF_NODE, 0, TT_OTF2_EXPORT_FACTS, "2");
  if (tt_store_has_clock (self->store, TT_CLOCK_TICKS) && !tt_store_has_clock (self->store, TT_CLOCK_EPOCH) &&
      !tt_store_has_clock (self->store, TT_CLOCK_RELATIVE))
    tt_otf2_export_property (self, TT_OTF2_EXPORT_OF_NODE, 0, TT_OTF2_EXPORT_CLOCK, tt_clock_text (TT_CLOCK_TICKS));
  return tt_store_each_parameter (self->store, on_parameter, &tensors, error) &&
         tt_store_each_task_of_all (self->store, on_task, &tasks, error) &&
         tt_store_each_task_edge_of_all (self->store, on_task_edge, &edges, error);
}
