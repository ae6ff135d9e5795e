/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2-export/definitions-private.h"

#include <string.h>

#define TEXT_MEMORY ((gsize) 8 << 20)
#define MOST_TEXTS (1u << 30)
#define MOST_ATTRIBUTES (1u << 16)

static guint
hash_window (gconstpointer data)
{
  const TtOtf2ExportWindow *window = data;

  return (guint) (((guint64) (window->number ^ window->comm) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> 32);
}

static gboolean
are_windows_equal (gconstpointer a, gconstpointer b)
{
  const TtOtf2ExportWindow *one = a, *other = b;

  return one->number == other->number && one->comm == other->comm;
}

static guint
hash_attribute (gconstpointer data)
{
  const TtOtf2ExportAttribute *attribute = data;

  return g_str_hash (attribute->name) ^ attribute->type;
}

static gboolean
are_attributes_equal (gconstpointer a, gconstpointer b)
{
  const TtOtf2ExportAttribute *one = a, *other = b;

  return one->type == other->type && strcmp (one->name, other->name) == 0 &&
         strcmp (one->description, other->description) == 0;
}

static void
clear_attribute (gpointer data)
{
  TtOtf2ExportAttribute *attribute = data;

  g_free (attribute->name);
  g_free (attribute->description);
}

TtOtf2ExportDefinitions *
tt_otf2_export_definitions_new (TtStore *store, TtOtf2ExportComms *comms)
{
  TtOtf2ExportDefinitions *self = g_new0 (TtOtf2ExportDefinitions, 1);
  guint n_series;

  self->store = store;
  self->comms = comms;
  self->regions = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->region_ids = g_new0 (guint32, (gsize) tt_store_max_name (store) + 1);
  self->strings = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->metrics = g_array_new (FALSE, FALSE, sizeof (TtOtf2ExportMetric));
  self->window_ids = g_hash_table_new_full (hash_window, are_windows_equal, g_free, NULL);
  self->windows = g_ptr_array_new ();
  self->attribute_ids = g_hash_table_new_full (hash_attribute, are_attributes_equal, g_free, NULL);
  self->attributes = g_array_new (FALSE, FALSE, sizeof (TtOtf2ExportAttribute));
  g_array_set_clear_func (self->attributes, clear_attribute);
  self->text_ids = tt_text_ids_new ();
  self->texts = tt_tape_new (TEXT_MEMORY);
  tt_store_series (store, &n_series);
  self->metric_ids = g_new0 (guint32, TT_OTF2_N_METRIC_KINDS * ((gsize) n_series + 1));
  self->body.bytes = g_byte_array_new ();
  return self;
}

void
tt_otf2_export_definitions_free (TtOtf2ExportDefinitions *self)
{
  if (self == NULL)
    return;
  tt_chunk_file_clear (&self->file);
  g_hash_table_unref (self->strings);
  g_array_unref (self->regions);
  g_free (self->region_ids);
  g_array_unref (self->metrics);
  g_free (self->metric_ids);
  g_hash_table_unref (self->attribute_ids);
  g_array_unref (self->attributes);
  tt_text_ids_free (self->text_ids);
  tt_tape_free (self->texts);
  g_ptr_array_unref (self->windows);
  g_hash_table_unref (self->window_ids);
  g_byte_array_unref (self->body.bytes);
  g_free (self);
}

guint32
tt_otf2_export_use_region (TtOtf2ExportDefinitions *self, guint32 name)
{
  guint32 *id = &self->region_ids[name];

  if (*id == 0)
    {
      g_array_append_val (self->regions, name);
      *id = self->regions->len;
    }
  return *id - 1;
}

guint32
tt_otf2_export_use_metric (TtOtf2ExportDefinitions *self, guint32 series, guint kind)
{
  guint32 *id = &self->metric_ids[TT_OTF2_N_METRIC_KINDS * (gsize) (series - 1) + kind];
  const TtOtf2ExportMetric metric = { series, kind };

  if (*id == 0)
    {
      g_array_append_val (self->metrics, metric);
      *id = self->metrics->len;
    }
  return *id - 1;
}

guint32
tt_otf2_export_use_window (TtOtf2ExportDefinitions *self, gint64 number, gint64 comm)
{
  const TtOtf2ExportWindow key = { .number = number, .comm = comm };
  TtOtf2ExportWindow *window = g_hash_table_lookup (self->window_ids, &key);

  if (window == NULL)
    {
      window = g_new (TtOtf2ExportWindow, 1);
      *window = key;
      window->id = self->windows->len;
      window->comm_id = tt_otf2_export_use_comm (self->comms, comm, FALSE);
      g_ptr_array_add (self->windows, window);
      g_hash_table_add (self->window_ids, window);
    }
  return window->id;
}

guint32
tt_otf2_export_use_attribute (TtOtf2ExportDefinitions *self, const char *name, const char *description, guint8 type)
{
  const TtOtf2ExportAttribute key = { (char *) name, (char *) description, type };
  guint32 id = GPOINTER_TO_UINT (g_hash_table_lookup (self->attribute_ids, &key));

  if (id == 0)
    {
      const TtOtf2ExportAttribute attribute = { g_strdup (name), g_strdup (description), type };
      g_array_append_val (self->attributes, attribute);
      id = self->attributes->len;
      /* Its texts are those of the attribute, wherever that is moved to. */
      g_hash_table_insert (self->attribute_ids, g_memdup2 (&attribute, sizeof attribute), GUINT_TO_POINTER (id));
    }
  return id - 1;
}

gboolean
tt_otf2_export_has_room (const TtOtf2ExportDefinitions *self)
{
  return self->attributes->len < MOST_ATTRIBUTES;
}

guint64
tt_otf2_export_use_text (TtOtf2ExportDefinitions *self, const char *text)
{
  gsize len = strlen (text);

  if (len >= TT_OTF2_EXPORT_MOST_TEXT || self->n_texts >= MOST_TEXTS)
    return TT_OTF2_NONE;
  guint32 id = tt_text_ids_find (self->text_ids, 0, text, len);
  if (id == 0)
    {
      id = ++self->n_texts;
      tt_text_ids_add (self->text_ids, 0, text, len, id);
      tt_tape_append_text (self->texts, text, len);
    }
  return id - 1;
}

guint32
tt_otf2_export_use_parameter (TtOtf2ExportDefinitions *self, guint which)
{
  self->has_parameter[which] = TRUE;
  return which;
}
