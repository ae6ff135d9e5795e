/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2/anchor.h"

#include "formats/otf2/chunks.h"
#include "src/base/error.h"
#include "src/base/input.h"

#define MAX_ANCHOR ((gsize) 4 << 20)
#define MAGIC "OTF2"
#define NEWEST_FORMAT 2u

gboolean
tt_otf2_is_anchor (const guint8 *head, gsize len)
{
  return len >= 7 && head[0] == TT_OTF2_CHUNK_HEADER && (head[1] == 0x42 || head[1] == 0x23) &&
         memcmp (head + 2, MAGIC, 5) == 0;
}

void
tt_otf2_anchor_free (TtOtf2Anchor *self)
{
  if (self == NULL)
    return;
  g_free (self->stem);
  g_free (self->machine);
  g_free (self->creator);
  g_free (self->description);
  g_ptr_array_unref (self->properties);
  g_free (self);
}

static char *
read_text (TtOtf2Bytes *bytes)
{
  const char *text = tt_otf2_string (bytes);

  return text == NULL ? NULL : g_utf8_make_valid (text, -1);
}

static void
read_properties (TtOtf2Anchor *self, TtOtf2Bytes *bytes)
{
  guint64 n = tt_otf2_full (bytes, 4);

  for (guint64 i = 0; i < n && bytes->is_good; i++)
    for (guint k = 0; k < 2; k++)
      {
        char *text = read_text (bytes);
        g_ptr_array_add (self->properties, text != NULL ? text : g_strdup (""));
      }
}

static gboolean
check_kind (const char *path, guint64 substrate, guint64 compression, GError **error)
{
  if (substrate != 1)
    g_set_error (
        error, TT_ERROR, TT_ERROR_FORMAT,
        "%s: its files are %s: only archives of plain files are read (otf2 writes one with the substrate POSIX)", path,
        substrate == 2 ? "in SIONlib containers" : "of no known kind");
  else if (compression != 1)
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                 "%s: its files are compressed with zlib, which libotf2 itself no longer reads: decompress them where "
                 "a release before 3.0 can",
                 path);
  return substrate == 1 && compression == 1;
}

/* Of the files; later ones may say anything. */
static gboolean
check_format (const TtOtf2Anchor *self, const char *path, GError **error)
{
  if (self->trace_format <= NEWEST_FORMAT)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
               "%s: written by OTF2 %u.%u.%u in format %u of traces; known are formats up to %u", path, self->major,
               self->minor, self->bugfix, self->trace_format, NEWEST_FORMAT);
  return FALSE;
}

static gboolean
check_chunks (const TtOtf2Anchor *self, const char *path, GError **error)
{
  if (self->event_chunk >= TT_OTF2_CHUNK_MIN && self->event_chunk <= TT_OTF2_CHUNK_MAX &&
      self->definition_chunk >= TT_OTF2_CHUNK_MIN && self->definition_chunk <= TT_OTF2_CHUNK_MAX)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
               "%s: damaged: chunks of %" G_GUINT64_FORMAT " and %" G_GUINT64_FORMAT
               " bytes, where OTF2 has 256 KiB to 16 MiB",
               path, self->event_chunk, self->definition_chunk);
  return FALSE;
}

TtOtf2Anchor *
tt_otf2_anchor_parse (const char *path, const guint8 *data, gsize len, GError **error)
{
  if (!tt_otf2_is_anchor (data, len))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: not an anchor of an OTF2 archive: it does not begin with one",
                   path);
      return NULL;
    }
  g_autoptr (TtOtf2Anchor) self = g_new0 (TtOtf2Anchor, 1);
  TtOtf2Bytes bytes = { data + 7, data + len, data[1] == 0x23, TRUE };

  self->properties = g_ptr_array_new_with_free_func (g_free);
  self->stem = g_str_has_suffix (path, ".otf2") ? g_strndup (path, strlen (path) - 5) : g_strdup (path);
  guint64 anchor_format = tt_otf2_u8 (&bytes);
  self->trace_format = (guint8) tt_otf2_u8 (&bytes);
  self->major = (guint8) tt_otf2_u8 (&bytes);
  self->minor = (guint8) tt_otf2_u8 (&bytes);
  self->bugfix = (guint8) tt_otf2_u8 (&bytes);
  self->event_chunk = tt_otf2_full (&bytes, 8);
  self->definition_chunk = tt_otf2_full (&bytes, 8);
  guint64 substrate = tt_otf2_u8 (&bytes), compression = tt_otf2_u8 (&bytes);
  self->n_locations = tt_otf2_full (&bytes, 8);
  self->n_definitions = tt_otf2_full (&bytes, 8);
  self->machine = read_text (&bytes);
  self->creator = read_text (&bytes);
  self->description = read_text (&bytes);
  if (anchor_format > 1)
    read_properties (self, &bytes);
  if (!bytes.is_good)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                   "%s: the anchor of the archive ends early, after %" G_GSIZE_FORMAT " bytes", path, len);
      return NULL;
    }
  return check_format (self, path, error) && check_kind (path, substrate, compression, error) &&
                 check_chunks (self, path, error)
             ? g_steal_pointer (&self)
             : NULL;
}

TtOtf2Anchor *
tt_otf2_anchor_load (const char *path, GError **error)
{
  g_autoptr (TtInput) input = tt_input_open (path, error);
  g_autofree guint8 *data = g_malloc (MAX_ANCHOR);
  gssize n = input == NULL ? -1 : tt_input_read (input, data, MAX_ANCHOR, error);

  return n < 0 ? NULL : tt_otf2_anchor_parse (path, data, (gsize) n, error);
}

char *
tt_otf2_definitions_path (const TtOtf2Anchor *self)
{
  return g_strconcat (self->stem, ".def", NULL);
}

char *
tt_otf2_markers_path (const TtOtf2Anchor *self)
{
  return g_strconcat (self->stem, ".marker", NULL);
}

char *
tt_otf2_events_path (const TtOtf2Anchor *self, guint64 location)
{
  return g_strdup_printf ("%s/%" G_GUINT64_FORMAT ".evt", self->stem, location);
}

char *
tt_otf2_local_path (const TtOtf2Anchor *self, guint64 location)
{
  return g_strdup_printf ("%s/%" G_GUINT64_FORMAT ".def", self->stem, location);
}
