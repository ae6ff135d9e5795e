/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/schema/fragments.h"

#include "formats/ctf/schema/field-classes.h"
#include "formats/ctf/schema/resolve.h"
#include "formats/ctf/schema/roles.h"
#include "src/base/error.h"

#include <string.h>

#define UUID_BYTES 16u

/* What was read so far. */
typedef struct
{
  TtCtfFragments base;
  guint n_fragments;
  gboolean has_trace;
  const char *trace_uid; /* NULL: it has none */
} Reader;

/* -- preamble and trace --------------------------------------------------------------------------------------------- */

static gboolean
read_uuid (Reader *self, const TtCtfJson *value)
{
  g_autoptr (GString) uuid = g_string_new (NULL);

  for (const TtCtfJson *byte = value->first; byte != NULL; byte = byte->next)
    {
      if (byte->kind != TT_CTF_JSON_INTEGER || byte->is_negative || byte->number > 255)
        return tt_ctf_fragments_fail (&self->base, byte, "no byte of a 'uuid'");
      if (uuid->len == 8 || uuid->len == 13 || uuid->len == 18 || uuid->len == 23)
        g_string_append_c (uuid, '-');
      g_string_append_printf (uuid, "%02x", (guint) byte->number);
    }
  if (value->n != UUID_BYTES)
    return tt_ctf_fragments_fail (&self->base, value, "a 'uuid' of %u bytes", value->n);
  self->base.schema->uuid = g_string_free (g_steal_pointer (&uuid), FALSE);
  return TRUE;
}

/* An extension may change how everything is read. */
static gboolean
check_extensions (Reader *self, const TtCtfJson *fragment)
{
  const TtCtfJson *extensions;

  if (!tt_ctf_property (&self->base, fragment, "extensions", TT_CTF_JSON_OBJECT, &extensions))
    return FALSE;
  return extensions == NULL || extensions->first == NULL ||
         tt_ctf_fragments_fail (&self->base, extensions, "extensions of '%s' are not known here",
                                extensions->first->key);
}

static gboolean
read_preamble (Reader *self, const TtCtfJson *fragment)
{
  const TtCtfJson *version, *uuid;

  if (self->n_fragments > 0)
    return tt_ctf_fragments_fail (&self->base, fragment, "a second preamble");
  if (!tt_ctf_property_needed (&self->base, fragment, "version", TT_CTF_JSON_INTEGER, &version))
    return FALSE;
  if (version->is_negative || version->number != 2)
    return tt_ctf_fragments_fail (&self->base, version, "not CTF 2: 'version' is another");
  if (!check_extensions (self, fragment) || !tt_ctf_property (&self->base, fragment, "uuid", TT_CTF_JSON_ARRAY, &uuid))
    return FALSE;
  return uuid == NULL || read_uuid (self, uuid);
}

static gboolean
read_environment (Reader *self, const TtCtfJson *environment)
{
  TtCtfSchema *schema = self->base.schema;

  for (const TtCtfJson *entry = environment->first; entry != NULL; entry = entry->next)
    {
      const char *key = tt_ctf_schema_text (schema, entry->key);

      if (entry->kind == TT_CTF_JSON_TEXT)
        g_hash_table_insert (schema->texts, (gpointer) key, (gpointer) tt_ctf_schema_text (schema, entry->text));
      else if (entry->kind == TT_CTF_JSON_INTEGER)
        {
          gint64 *number = tt_ctf_schema_alloc (schema, sizeof *number);
          *number = (gint64) entry->number;
          g_hash_table_insert (schema->numbers, (gpointer) key, number);
        }
      else
        return tt_ctf_fragments_fail (&self->base, entry, "'%s' of the environment is %s", key,
                                      tt_ctf_json_kind_name (entry->kind));
    }
  return TRUE;
}

static gboolean
read_trace (Reader *self, const TtCtfJson *fragment)
{
  TtCtfSchema *schema = self->base.schema;
  const TtCtfJson *environment;

  if (self->has_trace || schema->streams->len > 0)
    return tt_ctf_fragments_fail (&self->base, fragment, "a second trace class, or one after a data stream class");
  self->has_trace = TRUE;
  if (!tt_ctf_property (&self->base, fragment, "environment", TT_CTF_JSON_OBJECT, &environment) ||
      !tt_ctf_property_text (&self->base, fragment, "uid", &self->trace_uid) ||
      (environment != NULL && !read_environment (self, environment)))
    return FALSE;
  return tt_ctf_field_class_scope (&self->base, fragment, "packet-header-field-class", &schema->packet_header) &&
         tt_ctf_roles_apply (&self->base, fragment, schema->packet_header, TT_CTF_ROOT_PACKET_HEADER, NULL);
}

/* -- aliases and clocks --------------------------------------------------------------------------------------------- */

static gboolean
read_alias (Reader *self, const TtCtfJson *fragment)
{
  const TtCtfJson *name, *value = tt_ctf_json_member (fragment, "field-class");
  TtCtfType *type;

  if (!tt_ctf_property_needed (&self->base, fragment, "name", TT_CTF_JSON_TEXT, &name))
    return FALSE;
  if (g_hash_table_contains (self->base.aliases, name->text))
    return tt_ctf_fragments_fail (&self->base, name, "two aliases are called '%s'", name->text);
  if (value == NULL)
    return tt_ctf_fragments_fail (&self->base, fragment, "no 'field-class'");
  type = tt_ctf_field_class_read (&self->base, value);
  if (type == NULL)
    return FALSE;
  g_hash_table_insert (self->base.aliases, (gpointer) tt_ctf_schema_text (self->base.schema, name->text), type);
  return TRUE;
}

static gboolean
read_offset (Reader *self, const TtCtfJson *fragment, TtCtfClockClass *clock)
{
  const TtCtfJson *offset, *seconds;

  if (!tt_ctf_property (&self->base, fragment, "offset-from-origin", TT_CTF_JSON_OBJECT, &offset))
    return FALSE;
  if (offset == NULL)
    return TRUE;
  if (!tt_ctf_property (&self->base, offset, "seconds", TT_CTF_JSON_INTEGER, &seconds) ||
      !tt_ctf_property_number (&self->base, offset, "cycles", 0, &clock->offset_cycles))
    return FALSE;
  if (seconds != NULL && !seconds->is_negative && seconds->number > (guint64) G_MAXINT64)
    return tt_ctf_fragments_fail (&self->base, seconds, "'seconds' of more than 63 bits");
  if (clock->offset_cycles >= clock->frequency)
    return tt_ctf_fragments_fail (&self->base, offset, "'cycles' of a second or more");
  clock->offset_s = seconds == NULL ? 0 : (gint64) seconds->number;
  return TRUE;
}

static gboolean
read_clock (Reader *self, const TtCtfJson *fragment)
{
  TtCtfSchema *schema = self->base.schema;
  TtCtfClockClass *clock = tt_ctf_schema_alloc (schema, sizeof *clock);
  const TtCtfJson *id, *frequency, *origin = tt_ctf_json_member (fragment, "origin");

  if (!tt_ctf_property_needed (&self->base, fragment, "id", TT_CTF_JSON_TEXT, &id) ||
      !tt_ctf_property_needed (&self->base, fragment, "frequency", TT_CTF_JSON_INTEGER, &frequency) ||
      !tt_ctf_property_number (&self->base, fragment, "frequency", 1, &clock->frequency))
    return FALSE;
  if (origin != NULL && origin->kind != TT_CTF_JSON_OBJECT &&
      (origin->kind != TT_CTF_JSON_TEXT || strcmp (origin->text, "unix-epoch") != 0))
    return tt_ctf_fragments_fail (&self->base, origin, "'origin' is neither \"unix-epoch\" nor an object");
  clock->name = tt_ctf_schema_text (schema, id->text);
  clock->is_epoch = origin != NULL && origin->kind == TT_CTF_JSON_TEXT;
  if (!read_offset (self, fragment, clock))
    return FALSE;
  return tt_ctf_schema_add_clock (schema, clock) ||
         tt_ctf_fragments_fail (&self->base, id, "two clock classes have the id '%s'", id->text);
}

/* -- streams and events --------------------------------------------------------------------------------------------- */

static gboolean
read_stream (Reader *self, const TtCtfJson *fragment)
{
  TtCtfFragments *base = &self->base;
  TtCtfStreamType *stream;
  const TtCtfJson *clock;
  guint64 id = 0;

  if (!tt_ctf_property_number (base, fragment, "id", 0, &id) ||
      !tt_ctf_property (base, fragment, "default-clock-class-id", TT_CTF_JSON_TEXT, &clock))
    return FALSE;
  if (tt_ctf_schema_stream (base->schema, id) != NULL)
    return tt_ctf_fragments_fail (base, fragment, "two data stream classes have the id %" G_GUINT64_FORMAT, id);
  stream = tt_ctf_schema_add_stream (base->schema, id);
  stream->clock = clock == NULL ? NULL : tt_ctf_schema_clock (base->schema, clock->text);
  if (clock != NULL && stream->clock == NULL)
    return tt_ctf_fragments_fail (base, clock, "no clock class before has the id '%s'", clock->text);
  return tt_ctf_field_class_scope (base, fragment, "packet-context-field-class", &stream->packet_context) &&
         tt_ctf_roles_apply (base, fragment, stream->packet_context, TT_CTF_ROOT_PACKET_CONTEXT, stream) &&
         tt_ctf_field_class_scope (base, fragment, "event-record-header-field-class", &stream->event_header) &&
         tt_ctf_roles_apply (base, fragment, stream->event_header, TT_CTF_ROOT_EVENT_HEADER, stream) &&
         tt_ctf_field_class_scope (base, fragment, "event-record-common-context-field-class", &stream->event_context) &&
         tt_ctf_roles_apply (base, fragment, stream->event_context, TT_CTF_ROOT_EVENT_CONTEXT, stream);
}

static gboolean
read_event (Reader *self, const TtCtfJson *fragment)
{
  TtCtfFragments *base = &self->base;
  TtCtfStreamType *stream;
  TtCtfEventType *event;
  guint64 id = 0, of = 0;

  if (!tt_ctf_property_number (base, fragment, "id", 0, &id) ||
      !tt_ctf_property_number (base, fragment, "data-stream-class-id", 0, &of))
    return FALSE;
  stream = tt_ctf_schema_stream (base->schema, of);
  if (stream == NULL)
    return tt_ctf_fragments_fail (base, fragment, "no data stream class before has the id %" G_GUINT64_FORMAT, of);
  event = tt_ctf_stream_add_event (base->schema, stream, id);
  if (event == NULL)
    return tt_ctf_fragments_fail (base, fragment, "two event record classes of a stream have the id %" G_GUINT64_FORMAT,
                                  id);
  return tt_ctf_property_text (base, fragment, "name", &event->name) &&
         tt_ctf_field_class_scope (base, fragment, "specific-context-field-class", &event->context) &&
         tt_ctf_roles_apply (base, fragment, event->context, TT_CTF_ROOT_OWN_CONTEXT, stream) &&
         tt_ctf_field_class_scope (base, fragment, "payload-field-class", &event->payload) &&
         tt_ctf_roles_apply (base, fragment, event->payload, TT_CTF_ROOT_PAYLOAD, stream);
}

/* -- all ------------------------------------------------------------------------------------------------------------ */

static const struct
{
  const char *name;
  gboolean (*read) (Reader *self, const TtCtfJson *fragment);
} kinds[] = {
  { "preamble", read_preamble }, { "field-class-alias", read_alias },  { "trace-class", read_trace },
  { "clock-class", read_clock }, { "data-stream-class", read_stream }, { "event-record-class", read_event },
};

static gboolean
read_fragment (Reader *self, const TtCtfJson *fragment)
{
  const TtCtfJson *name;

  if (fragment->kind != TT_CTF_JSON_OBJECT)
    return tt_ctf_fragments_fail (&self->base, fragment, "a fragment is %s, not an object",
                                  tt_ctf_json_kind_name (fragment->kind));
  if (!tt_ctf_property_needed (&self->base, fragment, "type", TT_CTF_JSON_TEXT, &name))
    return FALSE;
  if (self->n_fragments == 0 && strcmp (name->text, kinds[0].name) != 0)
    return tt_ctf_fragments_fail (&self->base, fragment, "the first fragment is no preamble");
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (kinds[i].name, name->text) == 0)
      return kinds[i].read (self, fragment) && ++self->n_fragments > 0;
  return tt_ctf_fragments_fail (&self->base, name, "no type of fragments of CTF 2: '%s'", name->text);
}

static gboolean
is_blank (const char *from, const char *until)
{
  while (from < until && g_ascii_isspace (*from))
    from++;
  return from == until;
}

/* NULL: all was read. */
static char *
read_all (Reader *self, const char *text)
{
  char *why;

  for (const char *at = strchr (text, TT_CTF_FRAGMENT); at != NULL;)
    {
      const char *begin = at + 1, *end;

      at = strchr (begin, TT_CTF_FRAGMENT);
      end = at == NULL ? begin + strlen (begin) : at;
      if (is_blank (begin, end))
        continue;
      g_autoptr (TtCtfJsonDocument) document =
          tt_ctf_json_read (text, (gsize) (begin - text), (gsize) (end - text), &why);
      if (document == NULL)
        return why;
      if (!read_fragment (self, tt_ctf_json_root (document)))
        return g_steal_pointer (&self->base.fault);
    }
  if (self->base.schema->streams->len == 0)
    return g_strdup ("no data stream class");
  return tt_ctf_schema_resolve_json (self->base.schema);
}

TtCtfSchema *
tt_ctf_fragments_read (const char *path, const char *text, GError **error)
{
  g_autoptr (TtCtfSchema) schema = tt_ctf_schema_new ();
  g_autoptr (GHashTable) aliases = g_hash_table_new (g_str_hash, g_str_equal);
  Reader self = { .base = { .schema = schema, .aliases = aliases } };
  g_autofree char *why = NULL;

  schema->is_json = TRUE;
  why = read_all (&self, text);
  if (schema->uuid == NULL && self.trace_uid != NULL)
    schema->uuid = g_strdup (self.trace_uid);
  if (why == NULL)
    return g_steal_pointer (&schema);
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: the metadata cannot be read: %s", path, why);
  return NULL;
}
