/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2/facts.h"

#include <xxhash.h>

#include "src/base/json-writer.h"

#define MAX_ATTRIBUTES 1024u
#define MAX_FRAMES 256u

/* Where the name of what a map maps stands. */
static const guint8 kinds[TT_OTF2_N_MAPS] = {
  [TT_OTF2_MAP_ATTRIBUTE] = TT_OTF2_ATTRIBUTE,
  [TT_OTF2_MAP_LOCATION] = TT_OTF2_LOCATION,
  [TT_OTF2_MAP_REGION] = TT_OTF2_REGION,
  [TT_OTF2_MAP_GROUP] = TT_OTF2_GROUP,
  [TT_OTF2_MAP_COMM] = TT_OTF2_COMM,
  [TT_OTF2_MAP_PARAMETER] = TT_OTF2_PARAMETER,
  [TT_OTF2_MAP_RMA_WIN] = TT_OTF2_RMA_WIN,
  [TT_OTF2_MAP_INTERRUPT_GENERATOR] = TT_OTF2_INTERRUPT_GENERATOR,
  [TT_OTF2_MAP_IO_FILE] = TT_OTF2_IO_REGULAR_FILE,
  [TT_OTF2_MAP_IO_HANDLE] = TT_OTF2_IO_HANDLE,
  [TT_OTF2_MAP_LOCATION_GROUP] = TT_OTF2_LOCATION_GROUP,
};

/* Numbers that have names. Source: OTF2 3.0.2, OTF2_Events.h and OTF2_GeneralDefinitions.h. */
typedef struct
{
  const char *key;
  guint first, last; /* kinds of events */
  const char *const *words;
  guint n_words;
} Words;

static const char *const collective_words[] = {
  "barrier",
  "bcast",
  "gather",
  "gatherv",
  "scatter",
  "scatterv",
  "allgather",
  "allgatherv",
  "alltoall",
  "alltoallv",
  "alltoallw",
  "allreduce",
  "reduce",
  "reduce_scatter",
  "scan",
  "exscan",
  "reduce_scatter_block",
  "create handle",
  "destroy handle",
  "allocate",
  "deallocate",
  "create handle and allocate",
  "destroy handle and deallocate",
};
static const char *const io_words[] = { "read", "write", "flush" };
static const char *const access_words[] = { "write only", "read only", "read and write", "exclusive" };
static const char *const lock_words[] = { "exclusive", "shared" };
static const char *const whence_words[] = { "start", "current", "end", "data", "hole" };
static const char *const sync_words[] = { "memory", "notify in", "notify out" };
static const char *const atomic_words[] = {
  "accumulate", "increment",     "test and set",        "compare and swap",
  "swap",       "fetch and add", "fetch and increment", "fetch and accumulate"
};
static const char *const measurement_words[] = { "?", "on", "off" };

#define WORDS(key, first, last, words)            \
  {                                               \
    key, first, last, words, G_N_ELEMENTS (words) \
  }
static const Words all_words[] = {
  WORDS ("operation", TT_OTF2_EVENT_COLLECTIVE_END, TT_OTF2_EVENT_NBC_COMPLETE, collective_words),
  WORDS ("mode", TT_OTF2_EVENT_IO_BEGIN, TT_OTF2_EVENT_IO_BEGIN, io_words),
  WORDS ("mode", TT_OTF2_EVENT_IO_CREATE, TT_OTF2_EVENT_IO_CREATE, access_words),
  WORDS ("mode", TT_OTF2_EVENT_MEASUREMENT, TT_OTF2_EVENT_MEASUREMENT, measurement_words),
  WORDS ("lock_type", TT_OTF2_EVENT_RMA_REQUEST_LOCK, TT_OTF2_EVENT_IO_TRY, lock_words),
  WORDS ("whence", TT_OTF2_EVENT_IO_SEEK, TT_OTF2_EVENT_IO_SEEK, whence_words),
  WORDS ("sync_type", TT_OTF2_EVENT_RMA_SYNC, TT_OTF2_EVENT_RMA_SYNC, sync_words),
  WORDS ("type", TT_OTF2_EVENT_RMA_ATOMIC, TT_OTF2_EVENT_RMA_ATOMIC, atomic_words),
};

static const char *
find_word (guint kind, const char *key, guint64 value)
{
  if (strcmp (key, "model") == 0 || strcmp (key, "paradigm") == 0)
    return tt_otf2_paradigm_text (value);
  for (guint i = 0; i < G_N_ELEMENTS (all_words); i++)
    if (kind >= all_words[i].first && kind <= all_words[i].last && value < all_words[i].n_words &&
        strcmp (key, all_words[i].key) == 0)
      return all_words[i].words[value];
  return NULL;
}

static const char *
name_of (const TtOtf2Session *self, TtOtf2Map map, guint64 id)
{
  const TtOtf2Definitions *definitions = self->definitions;

  if (map == TT_OTF2_MAP_STRING)
    return tt_otf2_text (definitions, id);
  if (map >= TT_OTF2_N_MAPS || kinds[map] == 0)
    return NULL;
  const char *name = tt_otf2_name (definitions, kinds[map], id);
  const guint64 *handle;
  /* Files are of two kinds with one row of ids; a handle is mostly known by its file. */
  if (map == TT_OTF2_MAP_IO_FILE && name == NULL)
    name = tt_otf2_name (definitions, TT_OTF2_IO_DIRECTORY, id);
  if (map == TT_OTF2_MAP_COMM && name == NULL)
    name = tt_otf2_name (definitions, TT_OTF2_INTER_COMM, id);
  if (map == TT_OTF2_MAP_IO_HANDLE && (name == NULL || *name == '\0') &&
      (handle = tt_otf2_find (definitions, TT_OTF2_IO_HANDLE, id)) != NULL)
    name = name_of (self, TT_OTF2_MAP_IO_FILE, handle[TT_OTF2_HANDLE_FILE]);
  return name;
}

static void
write_reference (TtOtf2Session *self, TtJsonWriter *json, const char *key, TtOtf2Map map, guint64 id)
{
  const char *name = name_of (self, map, id);

  if (name != NULL && *name != '\0')
    tt_json_writer_string (json, key, name);
  else
    tt_json_writer_uint (json, key, id);
}

static void
begin (TtOtf2Session *self, TtJsonWriter *json)
{
  g_string_truncate (self->json, 0);
  tt_json_writer_init (json, self->json);
  tt_json_writer_open_object_line (json, NULL);
}

static guint64
end (TtOtf2Session *self, TtJsonWriter *json)
{
  gboolean has_members = json->levels[0].has_members;

  tt_json_writer_close (json);
  return has_members ? tt_sink_args (self->sink, self->json->str, self->json->len) : 0;
}

/* -- attributes ------------------------------------------------------------------------------------------------ */

/* Types of values (OTF2_Type) that are references. */
static TtOtf2Map
map_of_type (guint64 type)
{
  return type >= 11 && type <= 25 ? (TtOtf2Map) (type - 11) : TT_OTF2_NOT_MAPPED;
}

static void
write_value (TtOtf2Session *self, TtJsonWriter *json, const char *key, guint64 type, TtOtf2Bytes *bytes)
{
  static const guint8 sizes[] = { [1] = 1, [2] = 2, [5] = 1, [6] = 2, [9] = 4, [10] = 8 };
  TtOtf2Map map = map_of_type (type);
  gboolean is_full = type < G_N_ELEMENTS (sizes) && sizes[type] > 0;
  guint64 value = is_full                                ? tt_otf2_full (bytes, sizes[type])
                  : type == 4 || type == 8 || type == 13 ? tt_otf2_u64 (bytes)
                                                         : tt_otf2_u32 (bytes);

  if (!bytes->is_good)
    return;
  if (type == 9)
    {
      guint32 low = (guint32) value;
      float real;
      memcpy (&real, &low, sizeof real);
      tt_json_writer_real (json, key, (double) real);
    }
  else if (type == 10)
    {
      double real;
      memcpy (&real, &value, sizeof real);
      tt_json_writer_real (json, key, real);
    }
  else if (map != TT_OTF2_NOT_MAPPED)
    write_reference (self, json, key, map, tt_otf2_global (&self->local, map, value));
  else if (type >= 5 && type <= 8)
    tt_json_writer_int (json, key,
                        type == 5   ? (gint8) value
                        : type == 6 ? (gint16) value
                        : type == 7 ? (gint32) value
                                    : (gint64) value);
  else
    tt_json_writer_uint (json, key, value);
}

static void
write_attributes (TtOtf2Session *self, TtJsonWriter *json, const TtOtf2Event *event)
{
  TtOtf2Bytes bytes = event->attributes;
  guint64 n = bytes.at == bytes.end ? 0 : tt_otf2_u32 (&bytes);

  for (guint64 i = 0; i < MIN (n, MAX_ATTRIBUTES) && bytes.is_good; i++)
    {
      guint64 id = tt_otf2_global (&self->local, TT_OTF2_MAP_ATTRIBUTE, tt_otf2_u32 (&bytes));
      guint64 type = tt_otf2_u8 (&bytes);
      const char *name = tt_otf2_name (self->definitions, TT_OTF2_ATTRIBUTE, id);
      g_autofree char *unknown = name == NULL ? g_strdup_printf ("attribute %" G_GUINT64_FORMAT, id) : NULL;

      write_value (self, json, name != NULL ? name : unknown, type, &bytes);
    }
  if (!bytes.is_good)
    tt_sink_repair (self->sink, TT_REPAIR_BAD_ARGUMENTS, event->offset);
}

guint64
tt_otf2_attributes_mark (const TtOtf2Event *event)
{
  gsize n = (gsize) (event->attributes.end - event->attributes.at);

  return n == 0 ? 0 : MAX (XXH3_64bits (event->attributes.at, n), 1);
}

guint64
tt_otf2_attribute_args (TtOtf2Session *self, const TtOtf2Event *event)
{
  TtJsonWriter json;

  if (event->attributes.at == event->attributes.end)
    return 0;
  begin (self, &json);
  write_attributes (self, &json, event);
  return end (self, &json);
}

guint64
tt_otf2_left_args (TtOtf2Session *self, guint64 region)
{
  TtJsonWriter json;

  begin (self, &json);
  write_reference (self, &json, "left_as", TT_OTF2_MAP_REGION, region);
  return end (self, &json);
}

/* -- values ------------------------------------------------------------------------------------------------------ */

guint64
tt_otf2_event_args (TtOtf2Session *self, const TtOtf2Event *event)
{
  const TtOtf2Value *values = event->kind < TT_OTF2_N_EVENTS ? tt_otf2_event_rows[event->kind].values : NULL;
  TtJsonWriter json;

  begin (self, &json);
  for (guint i = 0; i < event->n_values; i++)
    {
      const char *word = find_word (event->kind, values[i].key, event->values[i]);

      if (event->values[i] == TT_OTF2_UNDEFINED)
        continue;
      if (word != NULL)
        tt_json_writer_string (&json, values[i].key, word);
      else if (values[i].map != TT_OTF2_NOT_MAPPED)
        write_reference (self, &json, values[i].key, values[i].map, event->values[i]);
      else if (values[i].layout == 'i')
        tt_json_writer_int (&json, values[i].key, (gint64) event->values[i]);
      else
        tt_json_writer_uint (&json, values[i].key, event->values[i]);
    }
  write_attributes (self, &json, event);
  return end (self, &json);
}

guint64
tt_otf2_parameter_args (TtOtf2Session *self, const TtOtf2Event *event)
{
  const char *name = name_of (self, TT_OTF2_MAP_PARAMETER, event->values[0]);
  g_autofree char *unknown = name == NULL ? g_strdup_printf ("parameter %" G_GUINT64_FORMAT, event->values[0]) : NULL;
  const char *key = name != NULL ? name : unknown;
  TtJsonWriter json;

  begin (self, &json);
  if (event->kind == TT_OTF2_EVENT_PARAMETER_STRING)
    write_reference (self, &json, key, TT_OTF2_MAP_STRING, event->values[1]);
  else if (event->kind == TT_OTF2_EVENT_PARAMETER_INT)
    tt_json_writer_int (&json, key, (gint64) event->values[1]);
  else
    tt_json_writer_uint (&json, key, event->values[1]);
  write_attributes (self, &json, event);
  return end (self, &json);
}

/* -- samples ----------------------------------------------------------------------------------------------------- */

/* The regions of a calling context, outermost first; one that goes round in a circle ends there. */
static void
append_path (TtOtf2Session *self, guint64 context, GString *path)
{
  const char *names[MAX_FRAMES];
  guint n = 0;
  const guint64 *row;

  while (n < MAX_FRAMES && (row = tt_otf2_find (self->definitions, TT_OTF2_CALLING_CONTEXT, context)) != NULL)
    {
      const char *name = tt_otf2_name (self->definitions, TT_OTF2_REGION, row[TT_OTF2_CONTEXT_REGION]);
      names[n++] = name == NULL ? "?" : name;
      context = row[TT_OTF2_CONTEXT_PARENT];
    }
  while (n-- > 0)
    {
      g_string_append (path, names[n]);
      if (n > 0)
        g_string_append_c (path, '/');
    }
}

guint64
tt_otf2_sample_args (TtOtf2Session *self, const TtOtf2Event *event)
{
  g_autoptr (GString) path = g_string_new (NULL);
  const guint64 *context = tt_otf2_find (self->definitions, TT_OTF2_CALLING_CONTEXT, event->values[0]);
  const guint64 *source =
      context == NULL ? NULL
                      : tt_otf2_find (self->definitions, TT_OTF2_SOURCE_CODE_LOCATION, context[TT_OTF2_CONTEXT_SOURCE]);
  TtJsonWriter json;

  append_path (self, event->values[0], path);
  begin (self, &json);
  tt_json_writer_string (&json, "path", path->str);
  if (source != NULL)
    {
      write_reference (self, &json, "file", TT_OTF2_MAP_STRING, source[TT_OTF2_SOURCE_FILE]);
      tt_json_writer_uint (&json, "line", source[TT_OTF2_SOURCE_LINE]);
    }
  if (event->kind == TT_OTF2_EVENT_SAMPLE)
    write_reference (self, &json, "generator", TT_OTF2_MAP_INTERRUPT_GENERATOR, event->values[2]);
  write_attributes (self, &json, event);
  return end (self, &json);
}
