/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* The task graph, from sycl.graph_trace or graph.json: pi.md section 9. */
#include "formats/pi/side/private.h"

#include "formats/json/scanner.h"
#include "formats/pi/wire.h"

/* pi.md section 9. */
#define SIZE_BYTES 4

/* -- items ----------------------------------------------------------------------------------------- */

TtPiGraphItem *
tt_pi_graph_item_new (void)
{
  TtPiGraphItem *self = g_new0 (TtPiGraphItem, 1);

  self->metadata = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
tt_pi_graph_item_free (TtPiGraphItem *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_ptr_array_unref (self->metadata);
  g_free (self);
}

const char *
tt_pi_graph_metadata (const TtPiGraphItem *item, const char *name)
{
  for (guint i = 0; i + 1 < item->metadata->len; i += 2)
    if (g_str_equal (item->metadata->pdata[i], name))
      return item->metadata->pdata[i + 1];
  return NULL;
}

void
tt_pi_graph_item_finish (TtPiGraphItem *self)
{
  if (self->name != NULL)
    return;
  if (self->is_edge)
    self->name = g_strdup ("edge");
  else if (tt_pi_graph_metadata (self, "kernel_name") != NULL)
    self->name = g_strdup (tt_pi_graph_metadata (self, "kernel_name"));
  else if (tt_pi_graph_metadata (self, "copy_from") != NULL || tt_pi_graph_metadata (self, "copy_to") != NULL)
    self->name = g_strdup ("copy");
  else if (tt_pi_graph_metadata (self, "allocation_type") != NULL)
    self->name = g_strdup ("allocation");
  else
    self->name = g_strdup ("command");
}

GPtrArray *
tt_pi_graph_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) tt_pi_graph_item_free);
}

/* -- sycl.graph_trace ------------------------------------------------------------------------------- */

typedef struct
{
  const char *path;
  const guint8 *start;
  GError **error;
} Place;

static gboolean
check_wire (const Place *place, const TtPiWire *wire)
{
  if (wire->fault == NULL)
    return TRUE;
  tt_pi_side_set_error (place->error, place->path, (guint64) (wire->at - place->start), "%s", wire->fault);
  return FALSE;
}

static gboolean
parse_metadata (const Place *place, TtPiGraphItem *item, const TtPiWire *message)
{
  TtPiWire wire = tt_pi_wire (message->bytes, message->len);
  char *texts[2] = { NULL, NULL };

  while (tt_pi_wire_next (&wire))
    if (wire.field <= 2 && wire.type == TT_PI_WIRE_BYTES)
      {
        g_free (texts[wire.field - 1]);
        texts[wire.field - 1] = tt_pi_side_text (wire.bytes, wire.len);
      }
  for (guint i = 0; i < 2; i++)
    g_ptr_array_add (item->metadata, texts[i] != NULL ? texts[i] : g_strdup (""));
  return check_wire (place, &wire);
}

static void
take_number (TtPiGraphItem *item, guint32 field, guint64 number)
{
  switch (field)
    {
    case 1:
      item->is_edge = number == 1;
      break;
    case 2:
      item->id = (gint64) number;
      break;
    case 3:
      item->create_us = number;
      break;
    case 4:
      item->start_us = number;
      item->has_start = TRUE;
      break;
    case 5:
      item->end_us = number;
      item->has_end = TRUE;
      break;
    case 6:
      item->source = (gint64) number;
      item->has_source = TRUE;
      break;
    case 7:
      item->target = (gint64) number;
      item->has_target = TRUE;
      break;
    default:
      break;
    }
}

static gboolean
parse_item (const Place *place, GPtrArray *items, const guint8 *bytes, gsize len)
{
  g_autoptr (TtPiGraphItem) item = tt_pi_graph_item_new ();
  TtPiWire wire = tt_pi_wire (bytes, len);

  while (tt_pi_wire_next (&wire))
    if (wire.type == TT_PI_WIRE_VARINT)
      take_number (item, wire.field, wire.number);
    else if (wire.field == 8 && wire.type == TT_PI_WIRE_BYTES && !parse_metadata (place, item, &wire))
      return FALSE;
  if (!check_wire (place, &wire))
    return FALSE;
  tt_pi_graph_item_finish (item);
  g_ptr_array_add (items, g_steal_pointer (&item));
  return TRUE;
}

GPtrArray *
tt_pi_graph_parse (const char *path, GBytes *contents, GError **error)
{
  gsize len;
  const guint8 *bytes = g_bytes_get_data (contents, &len);
  const Place place = { path, bytes, error };
  g_autoptr (GPtrArray) items = tt_pi_graph_new ();
  gsize at = 0;

  while (at < len)
    {
      guint64 size = 0;
      const char *fault = NULL;

      if (tt_pi_wire_fixed (bytes + at, bytes + len, SIZE_BYTES, &size, &fault) == NULL)
        fault = "the last record is cut short";
      else if (size == 0)
        fault = "a record without contents";
      else if (size > len - at - SIZE_BYTES)
        fault = "a record that is longer than the rest";
      if (fault != NULL)
        {
          tt_pi_side_set_error (error, path, at, "record %u: %s", items->len, fault);
          return NULL;
        }
      if (!parse_item (&place, items, bytes + at + SIZE_BYTES, (gsize) size))
        return NULL;
      at += SIZE_BYTES + (gsize) size;
    }
  return g_steal_pointer (&items);
}

/* -- graph.json -------------------------------------------------------------------------------------- */

/* Metadata stand among the members of an item's own. */
static gboolean
take_member (TtPiGraphItem *item, const char *key, const TtJsonValue *value)
{
  if (g_str_equal (key, "name"))
    {
      g_free (item->name);
      item->name = tt_json_text (value);
    }
  else if (g_str_equal (key, "kind"))
    item->is_edge = value->kind == TT_JSON_STRING && TT_SLICE_IS (value->raw, "edge");
  else if (g_str_equal (key, "id"))
    return tt_json_int64 (value, &item->id);
  else if (g_str_equal (key, "source"))
    return item->has_source = tt_json_int64 (value, &item->source);
  else if (g_str_equal (key, "target"))
    return item->has_target = tt_json_int64 (value, &item->target);
  else
    {
      g_ptr_array_add (item->metadata, g_strdup (key));
      g_ptr_array_add (item->metadata, tt_json_text (value));
    }
  return TRUE;
}

static TtPiGraphItem *
read_item (TtJson *json, const char *path, const TtJsonValue *record, GError **error)
{
  g_autoptr (TtPiGraphItem) item = tt_pi_graph_item_new ();
  TtJsonValue key, value;

  if (record->kind != TT_JSON_OBJECT)
    {
      tt_pi_side_set_error (error, path, record->offset, "an item that is no object");
      return NULL;
    }
  while (tt_json_next_member (json, &key, &value))
    {
      g_autofree char *name = tt_json_text (&key);

      if (!take_member (item, name, &value))
        {
          tt_pi_side_set_error (error, path, value.offset, "'%s' is no integer", name);
          return NULL;
        }
    }
  tt_pi_graph_item_finish (item);
  return g_steal_pointer (&item);
}

GPtrArray *
tt_pi_graph_json_parse (const char *path, GBytes *bytes, GError **error)
{
  g_autoptr (TtInput) input = tt_input_open_bytes (path, bytes, error);
  g_autoptr (GPtrArray) items = tt_pi_graph_new ();
  TtRepairs repairs = { 0 };
  TtJsonValue record;
  GError *fault = NULL;

  if (input == NULL)
    return NULL;
  g_autoptr (TtJson) json = tt_json_new (input, &repairs);
  if (!tt_json_begin_array (json, error))
    return NULL;
  while (fault == NULL && tt_json_next_record (json, &record, &fault))
    {
      TtPiGraphItem *item = read_item (json, path, &record, &fault);
      if (item != NULL)
        g_ptr_array_add (items, item);
    }
  if (fault != NULL)
    {
      g_propagate_error (error, fault);
      return NULL;
    }
  return tt_pi_side_check_repairs (path, &repairs, error) ? g_steal_pointer (&items) : NULL;
}
