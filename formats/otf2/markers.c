/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2/markers.h"

#include "formats/otf2/lanes.h"
#include "src/base/json-writer.h"

enum
{
  DEFINITION = 5,
  MARKER = 6,
};

/* What a marker is of: all, a location, a location group, a node, ... */
enum
{
  SCOPE_LOCATION = 1,
  SCOPE_GROUP = 2,
};

typedef struct
{
  guint64 id;
  char *group, *category;
  guint64 severity;
} Kind;

typedef struct
{
  TtOtf2Session *session;
  GHashTable *kinds; /* &id -> Kind, owned */
  GArray *found;     /* of Found */
} Markers;

typedef struct
{
  TtNestSpan span;
  guint32 thread, process;
} Found;

static void
kind_free (gpointer data)
{
  Kind *kind = data;

  g_free (kind->group);
  g_free (kind->category);
  g_free (kind);
}

static void
read_kind (Markers *self, TtOtf2Bytes *body)
{
  Kind *kind = g_new0 (Kind, 1);
  kind->id = tt_otf2_u32 (body);
  const char *group = tt_otf2_string (body), *category = group == NULL ? NULL : tt_otf2_string (body);

  kind->group = g_utf8_make_valid (group == NULL ? "" : group, -1);
  kind->category = g_utf8_make_valid (category == NULL || *category == '\0' ? "marker" : category, -1);
  kind->severity = tt_otf2_u8 (body);
  g_hash_table_replace (self->kinds, &kind->id, kind);
}

/* The process that a marker is of: that of its location or group, else the first. */
static guint32
find_process (const TtOtf2Session *session, guint64 scope, guint64 of)
{
  const TtOtf2Definitions *definitions = session->definitions;
  guint place = G_MAXUINT;

  if (scope == SCOPE_LOCATION)
    place = tt_otf2_place (definitions, TT_OTF2_LOCATION, of);
  for (guint i = 0; scope == SCOPE_GROUP && place == G_MAXUINT && i < tt_otf2_count (definitions, TT_OTF2_LOCATION);
       i++)
    if (tt_otf2_row (definitions, TT_OTF2_LOCATION, i)[TT_OTF2_LOCATION_OF_GROUP] == of)
      place = i;
  return tt_otf2_process_of (session, place == G_MAXUINT ? 0 : place);
}

static void
read_marker (Markers *self, TtOtf2Bytes *body, guint64 offset)
{
  static const char *const severities[] = { NULL, "low", "medium", "high" };
  TtOtf2Session *session = self->session;
  guint64 time = tt_otf2_u64 (body), duration = tt_otf2_u64 (body), id = tt_otf2_u32 (body), scope = tt_otf2_u8 (body),
          of = tt_otf2_u64 (body);
  const char *text = tt_otf2_string (body);
  const Kind *kind = g_hash_table_lookup (self->kinds, &id);
  guint32 process = find_process (session, scope, of);
  const TtRawName raw = { .raw = kind == NULL ? "marker" : kind->category,
                          .group = kind == NULL || *kind->group == '\0' ? "marker" : kind->group,
                          .op_cat = "RT" };
  TtNestSpan span = { .offset = offset, .step = TT_NO_STEP, .flags = TT_FLAG_WINDOW };
  TtJsonWriter json;

  if (text == NULL || process == TT_NO_ID)
    {
      tt_sink_repair (session->sink, TT_REPAIR_ODD_RECORD, offset);
      return;
    }
  guint32 thread = tt_sink_thread (session->sink, process, "markers", "markers", G_MAXINT32);
  g_string_truncate (session->json, 0);
  tt_json_writer_init (&json, session->json);
  tt_json_writer_open_object_line (&json, NULL);
  tt_json_writer_string (&json, "text", text);
  if (kind != NULL && kind->severity > 0 && kind->severity < G_N_ELEMENTS (severities))
    tt_json_writer_string (&json, "severity", severities[kind->severity]);
  tt_json_writer_close (&json);
  span.args = tt_sink_args (session->sink, session->json->str, session->json->len);
  span.name = tt_sink_name (session->sink, &raw);
  span.ts_ns = tt_otf2_clock_ns (&session->clock, time);
  span.end_ns = MAX (span.ts_ns, tt_otf2_clock_ns (&session->clock, time + MIN (duration, G_MAXUINT64 - time)));
  const Found found = { span, thread, process };
  g_array_append_val (self->found, found);
}

/* Those that contain others first. */
static int
compare_found (gconstpointer a, gconstpointer b)
{
  const TtNestSpan *one = a, *other = b;

  if (one->ts_ns != other->ts_ns)
    return one->ts_ns < other->ts_ns ? -1 : 1;
  return one->end_ns == other->end_ns ? 0 : one->end_ns > other->end_ns ? -1 : 1;
}

static void
write_found (Markers *self)
{
  TtNest *nest = self->session->nest;

  g_array_sort (self->found, compare_found);
  for (guint i = 0; i < self->found->len; i++)
    {
      const Found *found = &g_array_index (self->found, Found, i);
      TtNestThread *thread = tt_nest_thread (nest, found->thread, found->process);
      if (found->span.end_ns > found->span.ts_ns)
        tt_nest_span (nest, thread, &found->span);
      else
        tt_nest_moment (nest, thread, &found->span);
    }
}

static void
read_records (Markers *self, TtOtf2Chunks *chunks)
{
  TtOtf2Bytes *bytes = &chunks->bytes;

  while (bytes->at < bytes->end && bytes->is_good)
    {
      guint64 offset = tt_otf2_chunks_offset (chunks);
      guint record = *bytes->at++;

      if (record <= TT_OTF2_END_OF_FILE)
        {
          chunks->is_last = record != TT_OTF2_END_OF_CHUNK;
          return;
        }
      TtOtf2Bytes body = tt_otf2_record (bytes);
      if (!bytes->is_good)
        tt_sink_repair (self->session->sink, TT_REPAIR_ODD_RECORD, offset);
      else if (record == DEFINITION)
        read_kind (self, &body);
      else if (record == MARKER)
        read_marker (self, &body, offset);
    }
}

gboolean
tt_otf2_markers_read (TtOtf2Session *session, TtOtf2Chunks *chunks, GError **error)
{
  Markers self = { .session = session,
                   .kinds = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, kind_free),
                   .found = g_array_new (FALSE, FALSE, sizeof (Found)) };
  TtOtf2ChunkState state;

  while ((state = tt_otf2_chunks_next (chunks, error)) == TT_OTF2_CHUNK)
    read_records (&self, chunks);
  write_found (&self);
  g_array_unref (self.found);
  g_hash_table_unref (self.kinds);
  return state != TT_OTF2_FAILED;
}
