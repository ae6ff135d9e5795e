/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/nccl/xml.h"

#include "src/base/error.h"
#include "src/base/look.h"

#include <string.h>

#define BUFFER 65536
#define HEAD 512

typedef struct
{
  TtNcclXml *xml;
  guint depth; /* of open elements, with the root */
  int line;    /* of the element that begins */
} Reader;

static TtNcclXml *
xml_new (void)
{
  TtNcclXml *self = g_new0 (TtNcclXml, 1);

  self->elements = g_array_new (FALSE, FALSE, sizeof (TtNcclXmlElement));
  self->attributes = g_array_new (FALSE, FALSE, sizeof (TtNcclXmlAttribute));
  self->text = g_string_chunk_new (4096);
  return self;
}

void
tt_nccl_xml_free (TtNcclXml *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->elements);
  g_array_unref (self->attributes);
  g_string_chunk_free (self->text);
  g_free (self);
}

const char *
tt_nccl_xml_value (const TtNcclXml *self, const TtNcclXmlElement *element, const char *key)
{
  for (guint32 i = 0; i < element->n_attributes; i++)
    {
      const TtNcclXmlAttribute *attribute =
          &g_array_index (self->attributes, TtNcclXmlAttribute, element->first_attribute + i);
      if (strcmp (attribute->key, key) == 0)
        return attribute->value;
    }
  return NULL;
}

/* -- elements ----------------------------------------------------------------------------------------------- */

static void
take_root (Reader *self, const char *name, GError **error)
{
  self->xml->is_graphs = strcmp (name, "graphs") == 0;
  if (!self->xml->is_graphs && strcmp (name, "system") != 0)
    g_set_error (error, G_MARKUP_ERROR, G_MARKUP_ERROR_INVALID_CONTENT,
                 "<%.40s> is neither a topology (<system>) nor graphs (<graphs>) of NCCL", name);
}

static void
start_element (GMarkupParseContext *context,
               const char *name,
               const char **keys,
               const char **values,
               gpointer data,
               GError **error)
{
  Reader *self = data;
  TtNcclXml *xml = self->xml;
  TtNcclXmlElement element = { .depth = self->depth - 1, .first_attribute = xml->attributes->len };
  int column;

  /* The context is one character after the tag. */
  g_markup_parse_context_get_position (context, &self->line, &column);
  self->line -= column <= 1 && self->line > 1;
  if (self->depth++ == 0)
    {
      take_root (self, name, error);
      return;
    }
  if (self->depth > TT_NCCL_XML_MOST_DEPTH || xml->elements->len >= TT_NCCL_XML_MOST_ELEMENTS)
    {
      g_set_error (error, G_MARKUP_ERROR, G_MARKUP_ERROR_INVALID_CONTENT,
                   self->depth > TT_NCCL_XML_MOST_DEPTH ? "more than %u elements inside each other"
                                                        : "more than %u elements",
                   self->depth > TT_NCCL_XML_MOST_DEPTH ? TT_NCCL_XML_MOST_DEPTH : TT_NCCL_XML_MOST_ELEMENTS);
      return;
    }
  element.line = (guint) self->line;
  element.name = g_string_chunk_insert_const (xml->text, name);
  for (; keys[element.n_attributes] != NULL; element.n_attributes++)
    {
      TtNcclXmlAttribute attribute = { g_string_chunk_insert_const (xml->text, keys[element.n_attributes]),
                                       g_string_chunk_insert_const (xml->text, values[element.n_attributes]) };
      g_array_append_val (xml->attributes, attribute);
    }
  g_array_append_val (xml->elements, element);
}

static void
end_element (GMarkupParseContext *context, const char *name, gpointer data, GError **error)
{
  ((Reader *) data)->depth--;
}

/* -- the file ------------------------------------------------------------------------------------------------- */

gboolean
tt_nccl_xml_probe (const char *path)
{
  g_autoptr (TtInput) input = tt_look_test (path, G_FILE_TEST_IS_REGULAR) ? tt_input_open_head (path, HEAD, NULL) : NULL;
  guint8 head[HEAD];
  gssize n = input == NULL ? 0 : tt_input_read (input, head, sizeof head, NULL);
  gssize at = n >= 3 && memcmp (head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

  while (at < n && g_ascii_isspace (head[at]))
    at++;
  return at < n && head[at] == '<';
}

/* GLib begins with "Error on line 3 char 5: " and quotes with characters that not every terminal has. */
static gboolean
fail (GMarkupParseContext *context, const Reader *reader, const char *path, const GError *why, GError **error)
{
  const char *message = g_str_has_prefix (why->message, "Error on line") ? strstr (why->message, ": ") : NULL;
  g_autoptr (GString) text = g_string_new (message == NULL ? why->message : message + 2);
  int line;

  g_markup_parse_context_get_position (context, &line, NULL);
  if (message == NULL)
    line = reader->line;
  g_string_replace (text, "“", "'", 0);
  g_string_replace (text, "”", "'", 0);
  g_string_replace (text, "‘", "'", 0);
  g_string_replace (text, "’", "'", 0);
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: line %d: %s", path, line, text->str);
  return FALSE;
}

static gboolean
parse (GMarkupParseContext *context, const Reader *reader, TtInput *input, const char *path, GError **error)
{
  g_autofree char *buffer = g_malloc (BUFFER);
  g_autoptr (GError) why = NULL;
  guint64 total = 0;
  gssize n;

  while ((n = tt_input_read (input, buffer, BUFFER, error)) > 0)
    {
      total += (guint64) n;
      if (total > TT_NCCL_XML_MOST_BYTES)
        {
          g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: more than 16 MiB: that is no topology or graph of NCCL",
                       path);
          return FALSE;
        }
      if (!g_markup_parse_context_parse (context, buffer, n, &why))
        return fail (context, reader, path, why, error);
    }
  if (n < 0)
    return FALSE;
  return g_markup_parse_context_end_parse (context, &why) || fail (context, reader, path, why, error);
}

TtNcclXml *
tt_nccl_xml_read (const char *path, GError **error)
{
  static const GMarkupParser parser = { .start_element = start_element, .end_element = end_element };
  g_autoptr (TtNcclXml) xml = xml_new ();
  g_autoptr (TtInput) input = tt_input_open (path, error);
  Reader reader = { .xml = xml };

  if (input == NULL)
    return NULL;
  GMarkupParseContext *context = g_markup_parse_context_new (&parser, 0, &reader, NULL);
  gboolean is_good = parse (context, &reader, input, path, error);
  g_markup_parse_context_free (context);
  return is_good ? g_steal_pointer (&xml) : NULL;
}
