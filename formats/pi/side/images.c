/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* Descriptors of device images, in the protobuf and the older raw layout: pi.md section 6. */
#include "formats/pi/side/private.h"

#include "formats/pi/wire.h"

/* pi.md section 6. */
#define RAW_MAGIC "\x02\x00\x04"
#define RAW_MAGIC_LEN 3
#define PROTOBUF_HEADER 8
/* The least that one of them takes in the raw layout. */
#define RAW_ENTRY_BYTES 24
#define RAW_SET_BYTES 16
#define RAW_PROPERTY_BYTES 28

/* -- their parts --------------------------------------------------------------------------------- */

static void
entry_free (gpointer data)
{
  TtPiEntry *self = data;

  g_free (self->name);
  g_free (self);
}

static void
property_free (gpointer data)
{
  TtPiProperty *self = data;

  g_free (self->name);
  g_clear_pointer (&self->data, g_bytes_unref);
  g_free (self);
}

static TtPiPropertySet *
property_set_new (void)
{
  TtPiPropertySet *self = g_new0 (TtPiPropertySet, 1);

  self->properties = g_ptr_array_new_with_free_func (property_free);
  return self;
}

static void
property_set_free (gpointer data)
{
  TtPiPropertySet *self = data;

  g_free (self->name);
  g_ptr_array_unref (self->properties);
  g_free (self);
}

static TtPiImage *
image_new (void)
{
  TtPiImage *self = g_new0 (TtPiImage, 1);

  self->entries = g_ptr_array_new_with_free_func (entry_free);
  self->property_sets = g_ptr_array_new_with_free_func (property_set_free);
  return self;
}

void
tt_pi_image_free (TtPiImage *self)
{
  if (self == NULL)
    return;
  g_free (self->path);
  g_free (self->target);
  g_free (self->compile_options);
  g_free (self->link_options);
  g_free (self->image);
  g_ptr_array_unref (self->entries);
  g_ptr_array_unref (self->property_sets);
  g_free (self);
}

static void
set_text (char **text, const void *bytes, gsize len)
{
  g_free (*text);
  *text = tt_pi_side_text (bytes, len);
}

/* What is not given is empty: the texts are never NULL. */
static void
fill_text (char **text)
{
  if (*text == NULL)
    *text = g_strdup ("");
}

/* -- the raw layout ------------------------------------------------------------------------------- */

typedef struct
{
  const char *path;
  const guint8 *start, *at, *end;
  GError **error;
  gboolean failed; /* nothing is read any more */
} Raw;

static guint64
raw_number (Raw *self, gsize size)
{
  guint64 value = 0;

  if (self->failed)
    return 0;
  if ((gsize) (self->end - self->at) < size)
    {
      tt_pi_side_set_error (self->error, self->path, (guint64) (self->at - self->start), "the descriptor is cut short");
      self->failed = TRUE;
      return 0;
    }
  for (gsize i = 0; i < size; i++)
    value |= (guint64) self->at[i] << 8 * i;
  self->at += size;
  return value;
}

/* A count of things of at least @least bytes each. */
static guint64
raw_count (Raw *self, const char *what, gsize least)
{
  const guint8 *at = self->at;
  guint64 n = raw_number (self, 8);

  if (!self->failed && n > (guint64) (self->end - self->at) / least)
    {
      tt_pi_side_set_error (self->error, self->path, (guint64) (at - self->start),
                            "%" G_GUINT64_FORMAT " %s do not fit into the %" G_GUINT64_FORMAT " bytes left", n, what,
                            (guint64) (self->end - self->at));
      self->failed = TRUE;
    }
  return self->failed ? 0 : n;
}

static void
raw_text (Raw *self, char **text)
{
  guint64 len = raw_count (self, "bytes of text", 1);

  if (self->failed)
    return;
  set_text (text, self->at, (gsize) len);
  self->at += len;
}

static void
raw_entries (Raw *self, TtPiImage *image)
{
  guint64 n = raw_count (self, "offload entries", RAW_ENTRY_BYTES);

  for (guint64 i = 0; i < n && !self->failed; i++)
    {
      TtPiEntry *entry = g_new0 (TtPiEntry, 1);

      g_ptr_array_add (image->entries, entry);
      entry->address = raw_number (self, 8);
      raw_text (self, &entry->name);
      entry->size = raw_number (self, 8);
      fill_text (&entry->name);
    }
}

static void
raw_properties (Raw *self, TtPiPropertySet *set)
{
  guint64 n = raw_count (self, "properties", RAW_PROPERTY_BYTES);

  for (guint64 i = 0; i < n && !self->failed; i++)
    {
      TtPiProperty *property = g_new0 (TtPiProperty, 1);

      g_ptr_array_add (set->properties, property);
      raw_text (self, &property->name);
      raw_number (self, 8); /* the address of the value */
      property->type = (guint32) raw_number (self, 4);
      property->size = raw_number (self, 8);
      fill_text (&property->name);
    }
}

static void
raw_property_sets (Raw *self, TtPiImage *image)
{
  guint64 n = raw_count (self, "property sets", RAW_SET_BYTES);

  for (guint64 i = 0; i < n && !self->failed; i++)
    {
      TtPiPropertySet *set = property_set_new ();

      g_ptr_array_add (image->property_sets, set);
      raw_text (self, &set->name);
      raw_properties (self, set);
      fill_text (&set->name);
    }
}

static gboolean
parse_raw (TtPiImage *image, const char *path, const guint8 *bytes, gsize len, GError **error)
{
  Raw self = { .path = path, .start = bytes, .at = bytes, .end = bytes + len, .error = error };

  image->is_raw = TRUE;
  image->version = (guint32) raw_number (&self, 2);
  image->kind = (guint32) raw_number (&self, 1);
  image->format = (guint32) raw_number (&self, 1);
  raw_text (&self, &image->target);
  raw_text (&self, &image->compile_options);
  raw_text (&self, &image->link_options);
  raw_entries (&self, image);
  raw_property_sets (&self, image);
  return !self.failed;
}

/* -- protobuf -------------------------------------------------------------------------------------- */

/* Where messages lie, to name places in the file. */
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
is_text (const TtPiWire *wire, guint32 field)
{
  return wire->field == field && wire->type == TT_PI_WIRE_BYTES;
}

static gboolean
is_number (const TtPiWire *wire, guint32 field)
{
  return wire->field == field && wire->type == TT_PI_WIRE_VARINT;
}

static gboolean
parse_entry (const Place *place, TtPiImage *image, const TtPiWire *message)
{
  TtPiWire wire = tt_pi_wire (message->bytes, message->len);
  TtPiEntry *entry = g_new0 (TtPiEntry, 1);

  g_ptr_array_add (image->entries, entry);
  while (tt_pi_wire_next (&wire))
    if (is_number (&wire, 1))
      entry->address = wire.number;
    else if (is_text (&wire, 2))
      set_text (&entry->name, wire.bytes, wire.len);
    else if (is_number (&wire, 3))
      entry->size = wire.number;
    else if (is_number (&wire, 4))
      entry->flags = (gint32) wire.number;
  fill_text (&entry->name);
  return check_wire (place, &wire);
}

static gboolean
parse_property (const Place *place, TtPiPropertySet *set, const TtPiWire *message)
{
  TtPiWire wire = tt_pi_wire (message->bytes, message->len);
  TtPiProperty *property = g_new0 (TtPiProperty, 1);

  g_ptr_array_add (set->properties, property);
  while (tt_pi_wire_next (&wire))
    if (is_text (&wire, 1))
      set_text (&property->name, wire.bytes, wire.len);
    else if (is_number (&wire, 2))
      property->type = (guint32) wire.number;
    else if (is_text (&wire, 3))
      {
        g_clear_pointer (&property->data, g_bytes_unref);
        property->data = g_bytes_new (wire.bytes, wire.len);
      }
  if (property->data == NULL)
    property->data = g_bytes_new (NULL, 0);
  property->size = g_bytes_get_size (property->data);
  fill_text (&property->name);
  return check_wire (place, &wire);
}

static gboolean
parse_property_set (const Place *place, TtPiImage *image, const TtPiWire *message)
{
  TtPiWire wire = tt_pi_wire (message->bytes, message->len);
  TtPiPropertySet *set = property_set_new ();
  gboolean is_ok = TRUE;

  g_ptr_array_add (image->property_sets, set);
  while (is_ok && tt_pi_wire_next (&wire))
    if (is_text (&wire, 1))
      set_text (&set->name, wire.bytes, wire.len);
    else if (is_text (&wire, 2))
      is_ok = parse_property (place, set, &wire);
  fill_text (&set->name);
  return is_ok && check_wire (place, &wire);
}

static gboolean
parse_protobuf (TtPiImage *image, const char *path, const guint8 *bytes, gsize len, GError **error)
{
  const Place place = { path, bytes, error };
  TtPiWire wire = tt_pi_wire (bytes + PROTOBUF_HEADER, len - PROTOBUF_HEADER);
  char **const texts[] = { &image->target, &image->compile_options, &image->link_options };
  guint32 *const numbers[] = { &image->version, &image->kind, &image->format };

  while (tt_pi_wire_next (&wire))
    if (wire.field <= 3 && wire.type == TT_PI_WIRE_VARINT)
      *numbers[wire.field - 1] = (guint32) wire.number;
    else if (wire.field >= 4 && wire.field <= 6 && wire.type == TT_PI_WIRE_BYTES)
      set_text (texts[wire.field - 4], wire.bytes, wire.len);
    else if (is_text (&wire, 7) && !parse_entry (&place, image, &wire))
      return FALSE;
    else if (is_text (&wire, 8) && !parse_property_set (&place, image, &wire))
      return FALSE;
  return check_wire (&place, &wire);
}

/* -- either ----------------------------------------------------------------------------------------- */

TtPiImage *
tt_pi_image_parse (const char *path, GBytes *contents, GError **error)
{
  g_autoptr (TtPiImage) self = image_new ();
  gsize len;
  const guint8 *bytes = g_bytes_get_data (contents, &len);
  guint64 size = 0;
  gboolean is_ok;

  self->path = g_strdup (path);
  for (guint i = 0; i < PROTOBUF_HEADER && len >= PROTOBUF_HEADER; i++)
    size |= (guint64) bytes[i] << 8 * i;
  if (len >= PROTOBUF_HEADER && size == len - PROTOBUF_HEADER)
    is_ok = parse_protobuf (self, path, bytes, len, error);
  else if (len >= RAW_MAGIC_LEN && memcmp (bytes, RAW_MAGIC, RAW_MAGIC_LEN) == 0)
    is_ok = parse_raw (self, path, bytes, len, error);
  else
    {
      tt_pi_side_set_error (error, path, 0,
                            "not a descriptor of a device image: neither the length %" G_GSIZE_FORMAT
                            " of what follows nor the version 2 of the older layout",
                            len - MIN (len, PROTOBUF_HEADER));
      return NULL;
    }
  if (!is_ok)
    return NULL;

  fill_text (&self->target);
  fill_text (&self->compile_options);
  fill_text (&self->link_options);
  return g_steal_pointer (&self);
}
