/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/metadata.h"
#include "formats/ctf/plans.h"
#include "formats/ctf/schema/read.h"

#include <string.h>

/*
 * Any bytes as a file of CTF metadata: text, packets, or neither; and the text as a schema. What holds: it is a schema or
 * there is a reason, its types are no deeper than they may be, and what refers to a field has one.
 */

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

static void
look_at_type (const TtCtfSchema *schema, const TtCtfType *type, guint depth)
{
  if (type == NULL)
    return;
  g_assert (depth <= TT_CTF_MAX_DEPTH && type->align > 0 && (type->align & (type->align - 1)) == 0);
  if (type->kind == TT_CTF_TYPE_SEQUENCE || type->kind == TT_CTF_TYPE_VARIANT)
    g_assert (type->from >= 0 && (guint) type->from < schema->n_stores);
  if (type->kind == TT_CTF_TYPE_INTEGER || type->kind == TT_CTF_TYPE_REAL)
    g_assert (type->is_variable ? type->size == 0 : type->size >= 1 && type->size <= 64);
  look_at_type (schema, type->element, depth + 1);
  for (guint i = 0; i < type->n_fields; i++)
    look_at_type (schema, type->fields[i].type, depth + 1);
}

static void
look_at_stream (const TtCtfSchema *schema, const TtCtfStreamType *stream)
{
  look_at_type (schema, stream->packet_context, 1);
  look_at_type (schema, stream->event_header, 1);
  look_at_type (schema, stream->event_context, 1);
  for (guint i = 0; i < stream->events->len; i++)
    {
      const TtCtfEventType *event = stream->events->pdata[i];

      look_at_type (schema, event->context, 1);
      look_at_type (schema, event->payload, 1);
    }
}

static void
look_at_schema (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TtCtfSchema) schema = tt_ctf_schema_read ("fuzz", text, &error);

  g_assert ((schema == NULL) == (error != NULL));
  if (schema == NULL)
    return;
  g_autoptr (TtCtfPlans) plans = tt_ctf_plans_new (schema);
  g_assert (tt_ctf_plans_schema (plans) == schema);
  look_at_type (schema, schema->packet_header, 1);
  for (guint i = 0; i < schema->streams->len; i++)
    look_at_stream (schema, schema->streams->pdata[i]);
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  g_autoptr (GError) error = NULL;
  gboolean is_cut;
  g_autofree char *text = tt_ctf_metadata_text ("fuzz", bytes, len, &is_cut, &error);

  g_assert ((text == NULL) == (error != NULL));
  if (text == NULL)
    return 0;
  g_assert (g_str_has_prefix (text, "/* CTF 1") || *text == '\x1e');
  g_assert (strlen (text) <= len + strlen ("/* CTF 1.8 */"));
  look_at_schema (text);
  return 0;
}
