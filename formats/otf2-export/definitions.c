/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2-export/definitions-private.h"

#include "formats/otf2-export/kept.h"
#include "formats/otf2-export/otf2-export.h"
#include "formats/otf2-export/region-words.h"

#include <string.h>

/* Records of definitions, and the numbers of what they say: OTF2 3.0.2, otf2_global_definitions.h and OTF2_GeneralDefinitions.h. */
enum
{
  CLOCK_PROPERTIES = 5,
  ATTRIBUTE = 11,
  SYSTEM_TREE_NODE = 12,
  LOCATION_GROUP = 13,
  LOCATION = 14,
  REGION = 15,
  GROUP = 18,
  METRIC_MEMBER = 19,
  METRIC_CLASS = 20,
  COMM = 22,
  SYSTEM_TREE_NODE_DOMAIN = 27,
  RMA_WIN = 24,
  PARAMETER = 23,
};

enum
{
  TYPE_INT64 = 8,
  TYPE_DOUBLE = 10,
  TYPE_STRING = 11,
  PARADIGM_MPI = 4,
  GROUP_COMM_LOCATIONS = 4,
  GROUP_COMM_GROUP = 5,
  DOMAIN_SHARED_MEMORY = 1,
};

static void
write_clock (TtOtf2ExportDefinitions *self, const TtOtf2ExportClock *clock)
{
  tt_record_packed (&self->body, clock->resolution);
  tt_record_packed (&self->body, clock->first);
  tt_record_packed (&self->body, clock->last - clock->first);
  tt_record_packed (&self->body, clock->realtime_ns == TT_NO_TIME ? TT_OTF2_NONE : (guint64) clock->realtime_ns);
  tt_otf2_export_end_record (self, CLOCK_PROPERTIES);
}

static void
write_node (TtOtf2ExportDefinitions *self, guint32 id, const char *name, const char *class_name, guint64 parent)
{
  guint64 name_id = tt_otf2_export_use_string (self, name), class_id = tt_otf2_export_use_string (self, class_name);

  tt_record_packed (&self->body, id);
  tt_record_packed (&self->body, name_id);
  tt_record_packed (&self->body, class_id);
  tt_record_packed (&self->body, parent);
  tt_otf2_export_end_record (self, SYSTEM_TREE_NODE);
}

/* The machine and its hosts; the node of each process, by id. Free it. */
static guint32 *
write_tree (TtOtf2ExportDefinitions *self)
{
  g_autoptr (GHashTable) hosts = g_hash_table_new (g_str_hash, g_str_equal);
  guint n;
  const TtProcess *processes = tt_store_processes (self->store, &n);
  guint32 *nodes = g_new0 (guint32, (gsize) n + 1);

  write_node (self, 0, "machine", "machine", TT_OTF2_NONE);
  for (guint i = 0; i < n; i++)
    {
      const char *host = processes[i].node;
      if (host == NULL || *host == '\0')
        continue;
      guint32 node = GPOINTER_TO_UINT (g_hash_table_lookup (hosts, host));
      if (node == 0)
        {
          node = g_hash_table_size (hosts) + 1;
          g_hash_table_insert (hosts, (gpointer) host, GUINT_TO_POINTER (node));
          write_node (self, node, host, "node", 0);
          tt_record_packed (&self->body, node);
          tt_record_u8 (&self->body, DOMAIN_SHARED_MEMORY);
          tt_otf2_export_end_record (self, SYSTEM_TREE_NODE_DOMAIN);
        }
      nodes[processes[i].id] = node;
    }
  return nodes;
}

static void
write_location_groups (TtOtf2ExportDefinitions *self)
{
  g_autofree guint32 *nodes = write_tree (self);
  guint n;
  const TtProcess *processes = tt_store_processes (self->store, &n);

  for (guint i = 0; i < n; i++)
    {
      gboolean of_device = tt_otf2_export_is_device (&processes[i]);
      guint64 name = tt_otf2_export_use_string (self, processes[i].pid);

      tt_record_packed (&self->body, processes[i].id - 1);
      tt_record_packed (&self->body, name);
      tt_record_u8 (&self->body, of_device ? 2 : 1);
      tt_record_packed (&self->body, nodes[processes[i].id]);
      tt_record_packed (&self->body, of_device ? processes[i].owner - 1 : TT_OTF2_NONE);
      tt_otf2_export_end_record (self, LOCATION_GROUP);
      g_autofree char *rank = g_strdup_printf ("%" G_GINT64_FORMAT, processes[i].rank);
      tt_otf2_export_property (self, TT_OTF2_EXPORT_OF_GROUP, processes[i].id - 1, TT_OTF2_EXPORT_PROPERTY "rank",
                               of_device || processes[i].rank < 0 ? NULL : rank);
      tt_otf2_export_property (self, TT_OTF2_EXPORT_OF_GROUP, processes[i].id - 1, TT_OTF2_EXPORT_PROPERTY "label",
                               processes[i].label);
    }
}

static void
write_location (TtOtf2ExportDefinitions *self, guint32 location, const TtThread *thread, guint64 n_events)
{
  const TtProcess *process = tt_store_process (self->store, thread->process);
  guint64 name = tt_otf2_export_use_string (self, thread->label != NULL ? thread->label : thread->tid);

  tt_record_packed (&self->body, location - 1);
  tt_record_packed (&self->body, name);
  tt_record_u8 (&self->body, process != NULL && tt_otf2_export_is_device (process) ? 2 : 1);
  tt_record_packed (&self->body, n_events);
  tt_record_packed (&self->body, thread->process - 1);
  tt_otf2_export_end_record (self, LOCATION);
}

static void
write_locations (TtOtf2ExportDefinitions *self, const TtOtf2ExportLanes *lanes, const guint64 *n_events)
{
  guint n;
  const TtThread *threads = tt_store_threads (self->store, &n);
  guint32 n_threads = tt_store_max_thread (self->store);

  for (guint i = 0; i < n; i++)
    {
      guint32 id = threads[i].id;
      if (n_events[id] == TT_OTF2_NONE)
        continue;
      write_location (self, id, &threads[i], n_events[id]);
      tt_otf2_export_property (self, TT_OTF2_EXPORT_OF_LOCATION, id - 1, TT_OTF2_EXPORT_PROPERTY "tid", threads[i].tid);
      /* Without one the location is called by its tid. */
      tt_otf2_export_property (self, TT_OTF2_EXPORT_OF_LOCATION, id - 1, TT_OTF2_EXPORT_PROPERTY "label",
                               g_strcmp0 (threads[i].label, threads[i].tid) == 0 ? threads[i].label : NULL);
    }
  for (guint32 id = n_threads + 1; id <= tt_otf2_export_lanes_count (lanes); id++)
    {
      guint32 thread = tt_otf2_export_lanes_thread (lanes, id);
      g_autofree char *of = g_strdup_printf ("%u", thread - 1);
      write_location (self, id, tt_store_thread (self->store, thread), n_events[id]);
      tt_otf2_export_property (self, TT_OTF2_EXPORT_OF_LOCATION, id - 1, TT_OTF2_EXPORT_SAME_THREAD, of);
    }
}

typedef struct
{
  TtOtf2ExportDefinitions *definitions;
  const guint64 *n_events;
} Properties;

static gboolean
on_metadata (guint32 process, guint32 thread, const char *key, const char *value, gpointer data)
{
  const Properties *properties = data;
  gboolean is_known = thread == TT_NO_ID || properties->n_events[thread] != TT_OTF2_NONE;

  if (process != TT_NO_ID && is_known && key != NULL && *key != '\0')
    tt_otf2_export_property (properties->definitions,
                             thread == TT_NO_ID ? TT_OTF2_EXPORT_OF_GROUP : TT_OTF2_EXPORT_OF_LOCATION,
                             (thread == TT_NO_ID ? process : thread) - 1, key, value);
  return TRUE;
}

static gboolean
write_metadata (TtOtf2ExportDefinitions *self, const guint64 *n_events, GError **error)
{
  Properties properties = { self, n_events };

  return tt_store_each_metadata (self->store, on_metadata, &properties, error);
}

static void
write_regions (TtOtf2ExportDefinitions *self)
{
  for (guint32 i = 0; i < self->regions->len; i++)
    {
      const TtStoredName *name = tt_store_name (self->store, g_array_index (self->regions, guint32, i));
      g_autofree char *description = tt_otf2_export_describe (name, g_array_index (self->regions, guint32, i));
      guint64 raw = tt_otf2_export_use_string (self, name->raw != NULL ? name->raw : name->text);
      guint64 described = tt_otf2_export_use_string (self, description),
              file = tt_otf2_export_use_string (self, name->file);

      tt_record_packed (&self->body, i);
      tt_record_packed (&self->body, raw);
      tt_record_packed (&self->body, described);
      tt_record_u8 (&self->body, 0); /* as before 1.1 */
      tt_record_packed (&self->body, file);
      tt_record_packed (&self->body, name->line > 0 ? (guint64) MIN (name->line, G_MAXINT32) : 0);
      tt_record_packed (&self->body, 0);
      tt_record_packed (&self->body, raw);
      tt_record_u8 (&self->body, tt_otf2_export_role (name));
      tt_record_u8 (&self->body, tt_otf2_export_paradigm (name));
      tt_record_packed (&self->body, 0);
      tt_otf2_export_end_record (self, REGION);
    }
}

/* A class with one member each. Metrics of spans are strictly synchronous and grow. */
static void
write_metrics (TtOtf2ExportDefinitions *self)
{
  for (guint32 i = 0; i < self->metrics->len; i++)
    {
      const TtOtf2ExportMetric *metric = &g_array_index (self->metrics, TtOtf2ExportMetric, i);
      const TtSeries *series = tt_store_one_series (self->store, metric->series);
      guint64 name = tt_otf2_export_use_string (self, series->name), none = tt_otf2_export_use_string (self, "");
      guint64 unit = tt_otf2_export_use_string (self, series->unit == NULL ? "" : series->unit);
      gboolean is_of_spans = metric->kind == TT_OTF2_OF_SPANS;

      tt_record_packed (&self->body, i);
      tt_record_packed (&self->body, name);
      tt_record_packed (&self->body, none);
      tt_record_u8 (&self->body, 0);
      /* Accumulated from the start; absolute, of the moment. */
      tt_record_u8 (&self->body, is_of_spans || series->is_monotonic ? 0 : 0x11);
      tt_record_u8 (&self->body, metric->kind == TT_OTF2_REAL ? TYPE_DOUBLE : TYPE_INT64);
      tt_record_u8 (&self->body, 1); /* decimal */
      tt_record_packed (&self->body, 0);
      tt_record_packed (&self->body, unit);
      tt_otf2_export_end_record (self, METRIC_MEMBER);
      tt_record_packed (&self->body, i);
      tt_record_u8 (&self->body, 1);
      tt_record_packed (&self->body, i);
      tt_record_u8 (&self->body, is_of_spans ? 0 : 2);
      tt_record_u8 (&self->body, 0);
      tt_otf2_export_end_record (self, METRIC_CLASS);
    }
}

/* The first location of each process that has one; else one that is not defined. */
static guint64 *
find_first_locations (TtOtf2ExportDefinitions *self, const guint64 *n_events)
{
  guint n, n_processes;
  const TtThread *threads = tt_store_threads (self->store, &n);
  tt_store_processes (self->store, &n_processes);
  guint64 *first = g_new (guint64, (gsize) n_processes + 1);

  memset (first, 0xff, ((gsize) n_processes + 1) * sizeof *first);
  for (guint i = n; i-- > 0;)
    if (n_events[threads[i].id] != TT_OTF2_NONE)
      first[threads[i].process] = threads[i].id - 1;
  return first;
}

static void
begin_group (TtOtf2ExportDefinitions *self, guint32 id, guint64 name, guint32 n)
{
  tt_record_packed (&self->body, id);
  tt_record_packed (&self->body, name);
  tt_record_u8 (&self->body, id == 0 ? 6 : 4); /* as before 1.2: locations, ranks of MPI */
  tt_record_packed (&self->body, n);
}

static void
end_group (TtOtf2ExportDefinitions *self, guint8 type)
{
  tt_record_u8 (&self->body, type);
  tt_record_u8 (&self->body, PARADIGM_MPI);
  tt_record_packed (&self->body, 0);
  tt_otf2_export_end_record (self, GROUP);
}

/* The groups 0 and 1 are the locations of the world and its ranks. */
static void
write_world (TtOtf2ExportDefinitions *self, const guint64 *n_events)
{
  g_autofree guint64 *first = find_first_locations (self, n_events);
  guint64 none = tt_otf2_export_use_string (self, "");
  guint32 n;
  const guint32 *world = tt_otf2_export_world (self->comms, &n);

  begin_group (self, 0, none, n);
  for (guint32 i = 0; i < n; i++)
    tt_record_packed (&self->body, first[world[i]]);
  end_group (self, GROUP_COMM_LOCATIONS);
  begin_group (self, 1, none, n);
  for (guint32 i = 0; i < n; i++)
    tt_record_packed (&self->body, i);
  end_group (self, GROUP_COMM_GROUP);
}

/* The group of the communicator @id, written if it is not the world's; *n_groups counts them. */
static guint32
write_members (TtOtf2ExportDefinitions *self, guint32 id, guint64 no_name, guint32 *n_groups)
{
  guint32 n;
  const guint32 *members = tt_otf2_export_members (self->comms, id, &n);

  if (members == NULL)
    return 1;
  begin_group (self, *n_groups, no_name, n);
  for (guint32 i = 0; i < n; i++)
    tt_record_packed (&self->body, members[i]);
  end_group (self, GROUP_COMM_GROUP);
  return (*n_groups)++;
}

static void
write_communicators (TtOtf2ExportDefinitions *self)
{
  guint64 no_name = tt_otf2_export_use_string (self, "");
  guint32 n_groups = 2;

  for (guint32 i = 0; i < tt_otf2_export_n_comms (self->comms); i++)
    {
      gboolean is_inferred;
      gint64 number = tt_otf2_export_comm_number (self->comms, i, &is_inferred);
      g_autofree char *text = g_strdup_printf (
          "%s%" G_GINT64_FORMAT, is_inferred ? TT_OTF2_EXPORT_INFERRED : TT_OTF2_EXPORT_COMMUNICATOR, number);
      guint64 name = tt_otf2_export_use_string (self, text);
      guint32 group = write_members (self, i, no_name, &n_groups);

      tt_record_packed (&self->body, i);
      tt_record_packed (&self->body, name);
      tt_record_packed (&self->body, group);
      tt_record_packed (&self->body, TT_OTF2_NONE);
      tt_record_packed (&self->body, 0);
      tt_otf2_export_end_record (self, COMM);
    }
}

static void
write_windows (TtOtf2ExportDefinitions *self)
{
  for (guint32 i = 0; i < self->windows->len; i++)
    {
      const TtOtf2ExportWindow *window = self->windows->pdata[i];
      g_autofree char *text = g_strdup_printf (TT_OTF2_EXPORT_WINDOW "%" G_GINT64_FORMAT, window->number);
      guint64 name = tt_otf2_export_use_string (self, text);

      tt_record_packed (&self->body, i);
      tt_record_packed (&self->body, name);
      tt_record_packed (&self->body, window->comm_id);
      tt_record_packed (&self->body, 0);
      tt_otf2_export_end_record (self, RMA_WIN);
    }
}

/* The strings of events come first, for their ids are given already. */
static void
write_texts (TtOtf2ExportDefinitions *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint64 at = 0;

  for (guint32 i = 0; i < self->n_texts; i++)
    {
      const char *one = tt_tape_read_text (self->texts, at, text);
      at += sizeof (guint64) + text->len;
      tt_record_packed (&self->body, i);
      tt_record_string (&self->body, one);
      tt_otf2_export_end_record (self, TT_OTF2_EXPORT_STRING);
    }
}

static void
write_attributes (TtOtf2ExportDefinitions *self)
{
  for (guint32 i = 0; i < self->attributes->len; i++)
    {
      const TtOtf2ExportAttribute *attribute = &g_array_index (self->attributes, TtOtf2ExportAttribute, i);
      guint64 name = tt_otf2_export_use_string (self, attribute->name),
              description = tt_otf2_export_use_string (self, attribute->description);

      tt_record_packed (&self->body, i);
      tt_record_packed (&self->body, name);
      tt_record_u8 (&self->body, attribute->type);
      tt_record_packed (&self->body, description);
      tt_otf2_export_end_record (self, ATTRIBUTE);
    }
}

/* Both, if there is one: ids have no holes. */
static void
write_parameters (TtOtf2ExportDefinitions *self)
{
  static const char *const names[] = { "instant", "span" };

  if (!self->has_parameter[TT_OTF2_EXPORT_INSTANT] && !self->has_parameter[TT_OTF2_EXPORT_SPAN])
    return;
  for (guint32 i = 0; i < TT_OTF2_EXPORT_N_PARAMETERS; i++)
    {
      guint64 name = tt_otf2_export_use_string (self, names[i]);

      tt_record_packed (&self->body, i);
      tt_record_packed (&self->body, name);
      tt_record_u8 (&self->body, 0); /* strings */
      tt_otf2_export_end_record (self, PARAMETER);
    }
}

gboolean
tt_otf2_export_definitions_write (TtOtf2ExportDefinitions *self,
                                  const char *path,
                                  const TtOtf2ExportClock *clock,
                                  const TtOtf2ExportLanes *lanes,
                                  const guint64 *n_events,
                                  guint64 *n,
                                  GError **error)
{
  if (!tt_chunk_file_open (&self->file, path, TT_DEFINITION_CHUNK, error))
    return FALSE;
  write_clock (self, clock);
  write_texts (self);
  tt_otf2_export_use_string (self, "");
  write_attributes (self);
  write_location_groups (self);
  write_locations (self, lanes, n_events);
  if (!write_metadata (self, n_events, error) || !tt_otf2_export_keep (self, error))
    return FALSE;
  write_regions (self);
  write_metrics (self);
  write_world (self, n_events);
  write_communicators (self);
  write_windows (self);
  write_parameters (self);
  *n = self->n;
  if (!tt_text_ids_check (self->text_ids, error) || !tt_tape_check (self->texts, error))
    return FALSE;
  return tt_chunk_file_close (&self->file, error);
}
