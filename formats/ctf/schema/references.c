/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/schema/references.h"

#include "formats/ctf/schema/label-table.h"
#include "formats/ctf/schema/sections.h"

#include <string.h>

/* In the order in which they are read. */
typedef enum
{
  PACKET_HEADER,
  PACKET_CONTEXT,
  EVENT_HEADER,
  EVENT_CONTEXT,
  OWN_CONTEXT,
  PAYLOAD,
  N_SCOPES,
} Scope;

static const char *const prefixes[N_SCOPES] = { "trace.packet.header.", "stream.packet.context.",
                                                "stream.event.header.", "stream.event.context.",
                                                "event.context.",       "event.fields." };

/* A compound that is being walked through, and which of its fields. */
typedef struct
{
  TtCtfType *type;
  guint at;
} Frame;

typedef struct
{
  TtCtfSchema *schema;
  TtCtfType *roots[N_SCOPES];
  Scope scope;
  Frame frames[TT_CTF_MAX_DEPTH];
  guint n_frames;
  const char *event;  /* the one that is read; NULL: none */
  GHashTable *fields; /* of compounds with many: TtCtfType -> name as written -> number of the field, from 1 */
} Walk;

/* Compounds with fewer fields are looked through. */
#define MANY_FIELDS 32u

static GHashTable *
index_fields (const Walk *self, const TtCtfType *type)
{
  GHashTable *numbers = g_hash_table_lookup (self->fields, type);

  if (numbers != NULL)
    return numbers;
  numbers = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < type->n_fields; i++)
    g_hash_table_insert (numbers, (gpointer) type->fields[i].written, GUINT_TO_POINTER (i + 1));
  g_hash_table_insert (self->fields, (gpointer) type, numbers);
  return numbers;
}

/* The field of a structure or variant by the name as it is written; @n: of those before. */
static TtCtfType *
find_field (const Walk *self, const TtCtfType *type, const char *name, guint n, guint *index)
{
  guint i = 0;

  if (type->n_fields > MANY_FIELDS)
    i = GPOINTER_TO_UINT (g_hash_table_lookup (index_fields (self, type), name)) - 1; /* none: beyond all */
  else
    while (i < type->n_fields && strcmp (type->fields[i].written, name) != 0)
      i++;
  if (i >= MIN (type->n_fields, n))
    return NULL;
  *index = i;
  return type->fields[i].type;
}

/* Follows @names from @type, of whose fields those before @n count. */
static TtCtfType *
follow (const Walk *self, TtCtfType *type, char *const *names, guint n)
{
  guint index;

  while (*names != NULL && type != NULL)
    {
      while (type->element != NULL)
        type = type->element;
      type = find_field (self, type, *names++, n, &index);
      n = G_MAXUINT;
    }
  return type;
}

/* From the innermost compound outwards. A name that the compound is in itself stands behind what refers to it. */
static TtCtfType *
find_from_within (const Walk *self, char *const *names)
{
  for (guint i = self->n_frames; i-- > 0;)
    {
      TtCtfType *found =
          self->frames[i].type->element != NULL ? NULL : follow (self, self->frames[i].type, names, self->frames[i].at);
      if (found != NULL)
        return found;
    }
  return NULL;
}

/* From the top of a scope: what lies in the same one must lie before. */
static TtCtfType *
find_from_top (const Walk *self, Scope scope, char *const *names)
{
  if (scope > self->scope || self->roots[scope] == NULL)
    return NULL;
  if (scope < self->scope || self->n_frames == 0)
    return follow (self, self->roots[scope], names, G_MAXUINT);

  TtCtfType *type = self->roots[scope];
  for (guint i = 0; i < self->n_frames && *names != NULL; i++)
    {
      guint index = 0;
      TtCtfType *next = find_field (self, type, *names, self->frames[i].at + 1, &index);

      if (next == NULL || index < self->frames[i].at)
        return next == NULL ? NULL : follow (self, type, names, self->frames[i].at);
      names++;
      for (type = next; type->element != NULL && i + 1 < self->n_frames; i++)
        type = type->element;
    }
  return NULL;
}

static TtCtfType *
find_target (const Walk *self, const char *path)
{
  for (guint scope = 0; scope < N_SCOPES; scope++)
    if (g_str_has_prefix (path, prefixes[scope]))
      {
        g_auto (GStrv) names = g_strsplit (path + strlen (prefixes[scope]), ".", TT_CTF_MAX_DEPTH + 1);
        return find_from_top (self, (Scope) scope, names);
      }
  g_auto (GStrv) names = g_strsplit (path, ".", TT_CTF_MAX_DEPTH + 1);
  return find_from_within (self, names);
}

/* What a variant's options are chosen by: the ranges of the labels that are called like them. FALSE: there are too many. */
static gboolean
take_choices (TtCtfSchema *schema, TtCtfType *variant, const TtCtfType *tag)
{
  GArray *ranges = g_array_new (FALSE, FALSE, sizeof (TtCtfSection));

  for (guint option = 0; option < variant->n_fields; option++)
    if (!tt_ctf_label_table_ranges (schema, tag, variant->fields[option].written, option, ranges))
      {
        g_array_unref (ranges);
        return FALSE;
      }
  variant->choices = tt_ctf_sections_take (schema, ranges, &variant->n_choices);
  variant->has_signed_tag = tag->is_signed;
  return TRUE;
}

static char *
fail_reference (const Walk *self, const TtCtfType *type, const char *what)
{
  return g_strdup_printf ("%s '%s'%s%s%s", what, type->path == NULL ? "" : type->path,
                          self->event == NULL ? "" : " (event '", self->event == NULL ? "" : self->event,
                          self->event == NULL ? "" : "')");
}

static char *
resolve_reference (Walk *self, TtCtfType *type)
{
  gboolean is_variant = type->kind == TT_CTF_TYPE_VARIANT;
  TtCtfType *target = type->path == NULL ? NULL : find_target (self, type->path);

  if (target == NULL)
    return fail_reference (self, type,
                           is_variant ? "no field selects in a variant, for there is none before it that is called"
                                      : "no field before a sequence tells its length:");
  if (is_variant && !target->is_enum)
    return fail_reference (self, type, "what selects in a variant is no enumeration:");
  if (!is_variant && !tt_ctf_type_is_unsigned (target))
    return fail_reference (self, type, "the length of a sequence is no integer without a sign:");
  if (target->store < 0)
    target->store = (int) self->schema->n_stores++;
  type->from = target->store;
  if (is_variant && !take_choices (self->schema, type, target))
    return fail_reference (self, type, "too many ranges of values select in variants:");
  return NULL;
}

static char *
resolve_type (Walk *self, TtCtfType *type)
{
  char *why = NULL;

  if (type->kind == TT_CTF_TYPE_SEQUENCE || type->kind == TT_CTF_TYPE_VARIANT)
    why = resolve_reference (self, type);
  if (why != NULL || (type->element == NULL && type->n_fields == 0))
    return why;
  Frame *frame = &self->frames[self->n_frames++];
  *frame = (Frame){ .type = type };
  if (type->element != NULL)
    why = resolve_type (self, type->element);
  for (; why == NULL && frame->at < type->n_fields; frame->at++)
    why = resolve_type (self, type->fields[frame->at].type);
  self->n_frames--;
  return why;
}

static char *
resolve_scope (Walk *self, Scope scope, TtCtfType *type)
{
  self->roots[scope] = type;
  self->scope = scope;
  return type == NULL ? NULL : resolve_type (self, type);
}

static char *
resolve_stream (Walk *self, TtCtfStreamType *stream)
{
  char *why = resolve_scope (self, PACKET_CONTEXT, stream->packet_context);

  if (why == NULL)
    why = resolve_scope (self, EVENT_HEADER, stream->event_header);
  if (why == NULL)
    why = resolve_scope (self, EVENT_CONTEXT, stream->event_context);
  for (guint i = 0; why == NULL && i < stream->events->len; i++)
    {
      TtCtfEventType *event = stream->events->pdata[i];

      self->event = event->name != NULL ? event->name : "without a name";
      why = resolve_scope (self, OWN_CONTEXT, event->context);
      if (why == NULL)
        why = resolve_scope (self, PAYLOAD, event->payload);
    }
  self->event = NULL;
  return why;
}

char *
tt_ctf_references_resolve (TtCtfSchema *self)
{
  g_autoptr (GHashTable) fields = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_hash_table_unref);
  Walk walk = { .schema = self, .fields = fields };
  char *why = resolve_scope (&walk, PACKET_HEADER, self->packet_header);

  for (guint i = 0; why == NULL && i < self->streams->len; i++)
    why = resolve_stream (&walk, self->streams->pdata[i]);
  return why;
}
