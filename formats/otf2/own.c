/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2/own.h"

#include <string.h>

#include "formats/otf2/facts.h"
#include "formats/otf2/lanes.h"
#include "src/base/json-writer.h"
#include "src/base/slots.h"
#include "src/trace/flow-join.h"
#include "src/trace/span.h"

/* OTF2_Type. */
enum
{
  TYPE_DOUBLE = 10,
  TYPE_STRING = 11,
  TYPE_LOCATION = 13,
};

typedef struct
{
  const char *name, *description;
  guint64 type, value;
} Attribute;

/* Kinds live as long as the program: there are few. */
static const TtFlowKind *
find_kind (const char *text, guint64 what)
{
  static GMutex lock;
  static GHashTable *kinds;
  g_autofree char *key = g_strdup_printf ("%u %s", (guint) what & 0xff, text);

  g_mutex_lock (&lock);
  if (kinds == NULL)
    kinds = g_hash_table_new (g_str_hash, g_str_equal);
  TtFlowKind *kind = g_hash_table_lookup (kinds, key);
  if (kind == NULL)
    {
      kind = g_new0 (TtFlowKind, 1);
      kind->text = g_intern_string (text);
      kind->link = what / 2 < TT_N_LINKS ? (TtLink) (what / 2) : TT_LINK_NONE;
      kind->is_inferred = what % 2 != 0;
      g_hash_table_insert (kinds, g_steal_pointer (&key), kind);
    }
  g_mutex_unlock (&lock);
  return kind;
}

static guint32
read_flags (const char *text)
{
  g_auto (GStrv) words = g_strsplit (text == NULL ? "" : text, ",", TT_N_FLAGS + 1);
  guint32 flags = 0;

  for (guint i = 0; words[i] != NULL; i++)
    for (guint k = 0; k < TT_N_FLAGS; k++)
      if (strcmp (words[i], tt_flags_text (1u << k)) == 0)
        flags |= 1u << k;
  return flags;
}

/* "flow out 3 request", of which @what is told. */
static void
read_flow (TtOtf2Own *own, const Attribute *attribute, const char *told)
{
  const char *name = attribute->name, *text;
  gboolean is_end = g_str_has_prefix (name, "flow in ");
  guint64 what;

  if (own->n_flows == TT_OTF2_MAX_FLOWS || (!is_end && !g_str_has_prefix (name, "flow out ")) ||
      !g_ascii_string_to_unsigned (told, 10, 0, 255, &what, NULL))
    return;
  text = strchr (name + strlen (is_end ? "flow in " : "flow out "), ' ');
  if (text != NULL)
    own->flows[own->n_flows++] =
        (TtOtf2OwnFlow){ .number = attribute->value, .kind = find_kind (text + 1, what), .is_end = is_end };
}

static TtActivityRole
read_role (const char *text)
{
  for (guint i = TT_ACTIVITY_NONE + 1; i < TT_N_ACTIVITY_ROLES; i++)
    if (g_strcmp0 (text, tt_activity_role_text (i)) == 0)
      return i;
  return TT_ACTIVITY_NONE;
}

/* A thread of a location; TT_NO_ID: it is not defined. */
static guint32
read_queue (TtOtf2Session *session, guint64 location)
{
  guint place = tt_otf2_place (session->definitions, TT_OTF2_LOCATION, location);

  return place == G_MAXUINT ? TT_NO_ID : tt_otf2_thread_of (session, place);
}

/* What an event has to do with a device, or with a collective. FALSE: it is another fact. */
static gboolean
read_beside (TtOtf2Session *session, TtOtf2Own *own, const Attribute *attribute)
{
  const char *name = attribute->name;

  if (strcmp (name, "role") == 0 && attribute->type == TYPE_STRING)
    own->activity.role = read_role (tt_otf2_text (session->definitions, attribute->value));
  else if (strcmp (name, "blocks") == 0)
    own->activity.blocks = attribute->value != 0;
  else if (strcmp (name, "correlation") == 0)
    own->activity.correlation = attribute->value;
  else if (strcmp (name, "waits for") == 0)
    own->activity.waits_for = attribute->value;
  else if (strcmp (name, "queue") == 0 && attribute->type == TYPE_LOCATION)
    own->activity.queue = read_queue (session, attribute->value);
  else if (strcmp (name, "waits on") == 0 && attribute->type == TYPE_LOCATION)
    own->activity.waits_on = read_queue (session, attribute->value);
  else if (strcmp (name, "communicator") == 0)
    {
      own->is_call = TRUE;
      own->comm = (gint64) attribute->value;
    }
  else if (strcmp (name, "root") == 0)
    own->root = tt_otf2_process_of_group (session, attribute->value);
  else
    return FALSE;
  return TRUE;
}

static void
read_fact (TtOtf2Session *session, TtOtf2Own *own, const Attribute *attribute)
{
  const char *name = attribute->name;

  if (read_beside (session, own, attribute))
    return;
  if (strcmp (name, "flags") == 0)
    own->flags = read_flags (tt_otf2_text (session->definitions, attribute->value));
  else if (strcmp (name, "step") == 0)
    own->step = attribute->value <= G_MAXINT32 ? (gint32) attribute->value : TT_NO_STEP;
  else if (strcmp (name, "region") == 0)
    own->region = attribute->value;
  else if (strcmp (name, "depth") == 0)
    {
      own->has_depth = TRUE;
      own->depth = (guint32) MIN (attribute->value, G_MAXUINT32);
    }
  else if (strcmp (name, "self") == 0)
    own->self_ns = (gint64) attribute->value;
  else if (strcmp (name, "time") == 0)
    own->later_ns = MAX ((gint64) attribute->value, -G_MAXINT64);
  else if (strcmp (name, "pair tag") == 0 || strcmp (name, "tag") == 0)
    {
      own->is_pair = *name == 'p';
      own->has_tag = !own->is_pair;
      own->tag = (gint64) attribute->value;
    }
  else if (strcmp (name, "pair communicator") == 0)
    own->pair_comm = (gint64) attribute->value;
  else if (strcmp (name, "peer") == 0)
    own->peer = tt_otf2_process_of_group (session, attribute->value);
  else if (strcmp (name, "bytes") == 0)
    own->bytes = MAX ((gint64) attribute->value, -1);
  else if (strcmp (name, "size unknown") == 0)
    own->has_no_size = TRUE;
  else if (strcmp (name, "duration") == 0)
    {
      own->has_duration = TRUE;
      own->dur_ns = (gint64) attribute->value;
    }
  else if (g_str_has_prefix (name, "flow time ") && own->n_flows > 0)
    {
      own->flows[own->n_flows - 1].has_time = TRUE;
      own->flows[own->n_flows - 1].after_ns = MAX ((gint64) attribute->value, -G_MAXINT64);
    }
}

static void
write_argument (TtOtf2Session *session, TtJsonWriter *json, const Attribute *attribute)
{
  const char *text = tt_otf2_text (session->definitions, attribute->value);

  if (attribute->type == TYPE_STRING && strcmp (attribute->description, "argument in JSON") == 0)
    tt_json_writer_raw (json, attribute->name, text == NULL ? "null" : text);
  else if (attribute->type == TYPE_STRING)
    tt_json_writer_string (json, attribute->name, text == NULL ? "" : text);
  else if (attribute->type == TYPE_DOUBLE)
    {
      double real;
      memcpy (&real, &attribute->value, sizeof real);
      tt_json_writer_real (json, attribute->name, real);
    }
  else if (attribute->type == 8)
    tt_json_writer_int (json, attribute->name, (gint64) attribute->value);
  else
    tt_json_writer_uint (json, attribute->name, attribute->value);
}

static gboolean
read_attribute (TtOtf2Session *session, TtOtf2Bytes *bytes, Attribute *attribute)
{
  guint64 id = tt_otf2_global (&session->local, TT_OTF2_MAP_ATTRIBUTE, tt_otf2_u32 (bytes));
  const guint64 *row = tt_otf2_find (session->definitions, TT_OTF2_ATTRIBUTE, id);

  attribute->type = tt_otf2_u8 (bytes);
  attribute->value = attribute->type == TYPE_DOUBLE ? tt_otf2_full (bytes, 8)
                     : attribute->type == 4 || attribute->type == 8 || attribute->type == TYPE_LOCATION
                         ? tt_otf2_u64 (bytes)
                         : tt_otf2_u32 (bytes);
  attribute->name = row == NULL ? NULL : tt_otf2_text (session->definitions, row[TT_OTF2_NAME]);
  attribute->description = row == NULL ? NULL : tt_otf2_text (session->definitions, row[TT_OTF2_ATTRIBUTE_DESCRIPTION]);
  return bytes->is_good && attribute->name != NULL && attribute->description != NULL;
}

void
tt_otf2_own_read (TtOtf2Session *session, const TtOtf2Event *event, TtOtf2Own *own)
{
  TtOtf2Bytes bytes = event->attributes;
  guint64 n = bytes.at == bytes.end ? 0 : tt_otf2_u32 (&bytes);
  const char *whole = NULL;
  gboolean has_args = FALSE;
  Attribute attribute;
  TtJsonWriter json;

  own->has_args = FALSE;
  own->region = TT_OTF2_UNDEFINED;
  own->flags = own->depth = own->n_flows = 0;
  own->step = TT_NO_STEP;
  own->has_duration = own->has_depth = own->is_call = own->has_no_size = FALSE;
  own->is_pair = own->has_tag = FALSE;
  own->later_ns = own->pair_comm = 0;
  own->bytes = -1;
  own->peer = TT_NO_ID;
  own->activity = (TtActivity){ .role = TT_ACTIVITY_NONE };
  own->root = TT_NO_ID;
  if (n == 0)
    return;
  g_string_truncate (session->json, 0);
  tt_json_writer_init (&json, session->json);
  tt_json_writer_open_object_line (&json, NULL);
  for (guint64 i = 0; i < n && read_attribute (session, &bytes, &attribute); i++)
    if (g_str_has_prefix (attribute.description, "tracetool flow "))
      read_flow (own, &attribute, attribute.description + strlen ("tracetool flow "));
    else if (strcmp (attribute.description, "tracetool") == 0 && strcmp (attribute.name, "args") == 0)
      whole = tt_otf2_text (session->definitions, attribute.value);
    else if (strcmp (attribute.description, "tracetool") == 0)
      read_fact (session, own, &attribute);
    else
      {
        write_argument (session, &json, &attribute);
        has_args = TRUE;
      }
  tt_json_writer_close (&json);
  if (whole != NULL)
    g_string_assign (session->json, whole);
  own->has_args = whole != NULL || has_args;
  if (!bytes.is_good)
    tt_sink_repair (session->sink, TT_REPAIR_BAD_ARGUMENTS, event->offset);
}

guint64
tt_otf2_own_args (TtOtf2Session *session, const TtOtf2Own *own)
{
  return own->has_args ? tt_sink_args (session->sink, session->json->str, session->json->len) : 0;
}

void
tt_otf2_own_flow (TtOtf2Session *session, const TtOtf2Own *own, guint32 owner, gint64 ts_ns, gint64 begin_ns)
{
  for (guint i = 0; i < own->n_flows; i++)
    {
      const TtOtf2OwnFlow *flow = &own->flows[i];
      const TtSinkFlowPoint point = { .key = tt_slots_mix (flow->number ^ tt_slots_mix (TT_FLOW_SALT)),
                                      .kind = flow->kind,
                                      .phase = flow->is_end ? TT_FLOW_END : TT_FLOW_START,
                                      .owner = owner,
                                      .ts_ns = flow->has_time ? tt_time_since (ts_ns, 0 - flow->after_ns) : begin_ns };
      tt_sink_flow_point (session->sink, &point);
    }
}
