/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2-export/definitions.h"

#include "formats/otf2-export/otf2-export.h"
#include "formats/otf2-export/region-words.h"

#include <string.h>

/* Records of definitions, and the numbers of what they say: OTF2 3.0.2, otf2_global_definitions.h and OTF2_GeneralDefinitions.h. */
enum
{
  CLOCK_PROPERTIES = 5,
  STRING = 10,
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
  LOCATION_GROUP_PROPERTY = 28,
  LOCATION_PROPERTY = 29,
  RMA_WIN = 24,
};

enum
{
  TYPE_UINT8 = 1,
  TYPE_INT64 = 8,
  TYPE_DOUBLE = 10,
  TYPE_STRING = 11,
  PARADIGM_MPI = 4,
  GROUP_COMM_LOCATIONS = 4,
  GROUP_COMM_GROUP = 5,
  DOMAIN_SHARED_MEMORY = 1,
};

/* Longer texts would not fit a chunk. */
#define MOST_TEXT ((gsize) 1 << 20)

/* One value of a series: see the kinds in definitions.h. */
typedef struct
{
  guint32 series, kind;
} Metric;

typedef struct
{
  gint64 number, comm;
  guint32 id, comm_id;
} Window;

struct _TtOtf2ExportDefinitions
{
  TtStore *store;
  TtOtf2ExportComms *comms; /* borrowed */
  GHashTable *strings;      /* text -> id */
  GArray *regions;          /* of guint32, names by id */
  guint32 *region_ids;      /* by name; 0: not used, else id + 1 */
  GArray *metrics;          /* of Metric, by id */
  guint32 *metric_ids;      /* by series and kind; 0: not used, else id + 1 */
  GHashTable *window_ids;   /* of Window, by what they are called */
  GPtrArray *windows;       /* by id; borrows them */

  TtChunkFile file;
  TtRecordBody body;
  gboolean has_unknown_sizes;
  guint64 n; /* records */
};

static guint
hash_window (gconstpointer data)
{
  const Window *window = data;

  return (guint) (((guint64) (window->number ^ window->comm) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> 32);
}

static gboolean
are_windows_equal (gconstpointer a, gconstpointer b)
{
  const Window *one = a, *other = b;

  return one->number == other->number && one->comm == other->comm;
}

TtOtf2ExportDefinitions *
tt_otf2_export_definitions_new (TtStore *store, TtOtf2ExportComms *comms)
{
  TtOtf2ExportDefinitions *self = g_new0 (TtOtf2ExportDefinitions, 1);
  guint n_series;

  self->store = store;
  self->comms = comms;
  self->regions = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->region_ids = g_new0 (guint32, (gsize) tt_store_max_name (store) + 1);
  self->strings = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->metrics = g_array_new (FALSE, FALSE, sizeof (Metric));
  self->window_ids = g_hash_table_new_full (hash_window, are_windows_equal, g_free, NULL);
  self->windows = g_ptr_array_new ();
  tt_store_series (store, &n_series);
  self->metric_ids = g_new0 (guint32, TT_OTF2_N_METRIC_KINDS * ((gsize) n_series + 1));
  self->body.bytes = g_byte_array_new ();
  return self;
}

void
tt_otf2_export_definitions_free (TtOtf2ExportDefinitions *self)
{
  if (self == NULL)
    return;
  tt_chunk_file_clear (&self->file);
  g_hash_table_unref (self->strings);
  g_array_unref (self->regions);
  g_free (self->region_ids);
  g_array_unref (self->metrics);
  g_free (self->metric_ids);
  g_ptr_array_unref (self->windows);
  g_hash_table_unref (self->window_ids);
  g_byte_array_unref (self->body.bytes);
  g_free (self);
}

guint32
tt_otf2_export_use_region (TtOtf2ExportDefinitions *self, guint32 name)
{
  guint32 *id = &self->region_ids[name];

  if (*id == 0)
    {
      g_array_append_val (self->regions, name);
      *id = self->regions->len;
    }
  return *id - 1;
}

guint32
tt_otf2_export_use_metric (TtOtf2ExportDefinitions *self, guint32 series, guint kind)
{
  guint32 *id = &self->metric_ids[TT_OTF2_N_METRIC_KINDS * (gsize) (series - 1) + kind];
  const Metric metric = { series, kind };

  if (*id == 0)
    {
      g_array_append_val (self->metrics, metric);
      *id = self->metrics->len;
    }
  return *id - 1;
}

guint32
tt_otf2_export_use_window (TtOtf2ExportDefinitions *self, gint64 number, gint64 comm)
{
  const Window key = { .number = number, .comm = comm };
  Window *window = g_hash_table_lookup (self->window_ids, &key);

  if (window == NULL)
    {
      window = g_new (Window, 1);
      *window = key;
      window->id = self->windows->len;
      window->comm_id = tt_otf2_export_use_comm (self->comms, comm, FALSE);
      g_ptr_array_add (self->windows, window);
      g_hash_table_add (self->window_ids, window);
    }
  return window->id;
}

guint32
tt_otf2_export_use_unknown_size (TtOtf2ExportDefinitions *self)
{
  self->has_unknown_sizes = TRUE;
  return 0;
}

/* -- records -------------------------------------------------------------------------------------------------------- */

static void
end_record (TtOtf2ExportDefinitions *self, guint8 kind)
{
  tt_chunk_file_record (&self->file, kind, &self->body);
  self->n++;
  g_byte_array_set_size (self->body.bytes, 0);
}

/* Its id; a new one is written at once, so this comes before the record that uses it is begun. NULL: undefined. */
static guint64
use_string (TtOtf2ExportDefinitions *self, const char *text)
{
  gpointer id;

  if (text == NULL)
    return TT_OTF2_NONE;
  /* g_strndup() takes as much room as it is allowed to. */
  g_autofree char *cut = g_strndup (text, strnlen (text, MOST_TEXT));
  if (g_hash_table_lookup_extended (self->strings, cut, NULL, &id))
    return GPOINTER_TO_UINT (id);
  guint new_id = g_hash_table_size (self->strings);
  tt_record_packed (&self->body, new_id);
  tt_record_string (&self->body, cut);
  end_record (self, STRING);
  g_hash_table_insert (self->strings, g_steal_pointer (&cut), GUINT_TO_POINTER (new_id));
  return new_id;
}

static void
write_clock (TtOtf2ExportDefinitions *self, const TtOtf2ExportClock *clock)
{
  tt_record_packed (&self->body, clock->resolution);
  tt_record_packed (&self->body, clock->first);
  tt_record_packed (&self->body, clock->last - clock->first);
  tt_record_packed (&self->body, clock->realtime_ns == TT_NO_TIME ? TT_OTF2_NONE : (guint64) clock->realtime_ns);
  end_record (self, CLOCK_PROPERTIES);
}

static void
write_node (TtOtf2ExportDefinitions *self, guint32 id, const char *name, const char *class_name, guint64 parent)
{
  guint64 name_id = use_string (self, name), class_id = use_string (self, class_name);

  tt_record_packed (&self->body, id);
  tt_record_packed (&self->body, name_id);
  tt_record_packed (&self->body, class_id);
  tt_record_packed (&self->body, parent);
  end_record (self, SYSTEM_TREE_NODE);
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
          end_record (self, SYSTEM_TREE_NODE_DOMAIN);
        }
      nodes[processes[i].id] = node;
    }
  return nodes;
}

/* @text NULL: it has none. */
static void
write_property (TtOtf2ExportDefinitions *self, guint8 kind, guint32 id, const char *key, const char *text)
{
  if (text == NULL)
    return;
  guint64 key_id = use_string (self, key), value = use_string (self, text);
  tt_record_packed (&self->body, id);
  tt_record_packed (&self->body, key_id);
  tt_record_packed (&self->body, value); /* as before 2.0 */
  tt_record_u8 (&self->body, TYPE_STRING);
  tt_record_packed (&self->body, value);
  end_record (self, kind);
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
      guint64 name = use_string (self, processes[i].pid);

      tt_record_packed (&self->body, processes[i].id - 1);
      tt_record_packed (&self->body, name);
      tt_record_u8 (&self->body, of_device ? 2 : 1);
      tt_record_packed (&self->body, nodes[processes[i].id]);
      tt_record_packed (&self->body, of_device ? processes[i].owner - 1 : TT_OTF2_NONE);
      end_record (self, LOCATION_GROUP);
      g_autofree char *rank = g_strdup_printf ("%" G_GINT64_FORMAT, processes[i].rank);
      write_property (self, LOCATION_GROUP_PROPERTY, processes[i].id - 1, "rank",
                      of_device || processes[i].rank < 0 ? NULL : rank);
      write_property (self, LOCATION_GROUP_PROPERTY, processes[i].id - 1, "label", processes[i].label);
    }
}

static void
write_locations (TtOtf2ExportDefinitions *self, const guint64 *n_events)
{
  guint n;
  const TtThread *threads = tt_store_threads (self->store, &n);

  for (guint i = 0; i < n; i++)
    {
      if (n_events[threads[i].id] == TT_OTF2_NONE)
        continue;
      const TtProcess *process = tt_store_process (self->store, threads[i].process);
      guint64 name = use_string (self, threads[i].label != NULL ? threads[i].label : threads[i].tid);

      tt_record_packed (&self->body, threads[i].id - 1);
      tt_record_packed (&self->body, name);
      tt_record_u8 (&self->body, process != NULL && tt_otf2_export_is_device (process) ? 2 : 1);
      tt_record_packed (&self->body, n_events[threads[i].id]);
      tt_record_packed (&self->body, threads[i].process - 1);
      end_record (self, LOCATION);
      write_property (self, LOCATION_PROPERTY, threads[i].id - 1, "tid", threads[i].tid);
    }
}

static void
write_regions (TtOtf2ExportDefinitions *self)
{
  for (guint32 i = 0; i < self->regions->len; i++)
    {
      const TtStoredName *name = tt_store_name (self->store, g_array_index (self->regions, guint32, i));
      g_autofree char *description = tt_otf2_export_describe (name);
      guint64 raw = use_string (self, name->raw != NULL ? name->raw : name->text);
      guint64 described = use_string (self, description), file = use_string (self, name->file);

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
      end_record (self, REGION);
    }
}

/* A class with one member each. Metrics of spans are strictly synchronous and grow. */
static void
write_metrics (TtOtf2ExportDefinitions *self)
{
  for (guint32 i = 0; i < self->metrics->len; i++)
    {
      const Metric *metric = &g_array_index (self->metrics, Metric, i);
      const TtSeries *series = tt_store_one_series (self->store, metric->series);
      guint64 name = use_string (self, series->name), none = use_string (self, "");
      guint64 unit = use_string (self, series->unit == NULL ? "" : series->unit);
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
      end_record (self, METRIC_MEMBER);
      tt_record_packed (&self->body, i);
      tt_record_u8 (&self->body, 1);
      tt_record_packed (&self->body, i);
      tt_record_u8 (&self->body, is_of_spans ? 0 : 2);
      tt_record_u8 (&self->body, 0);
      end_record (self, METRIC_CLASS);
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
  end_record (self, GROUP);
}

/* The groups 0 and 1 are the locations of the world and its ranks. */
static void
write_world (TtOtf2ExportDefinitions *self, const guint64 *n_events)
{
  g_autofree guint64 *first = find_first_locations (self, n_events);
  guint64 none = use_string (self, "");
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
  guint64 no_name = use_string (self, "");
  guint32 n_groups = 2;

  for (guint32 i = 0; i < tt_otf2_export_n_comms (self->comms); i++)
    {
      gboolean is_inferred;
      gint64 number = tt_otf2_export_comm_number (self->comms, i, &is_inferred);
      g_autofree char *text = g_strdup_printf (
          "%s%" G_GINT64_FORMAT, is_inferred ? TT_OTF2_EXPORT_INFERRED : TT_OTF2_EXPORT_COMMUNICATOR, number);
      guint64 name = use_string (self, text);
      guint32 group = write_members (self, i, no_name, &n_groups);

      tt_record_packed (&self->body, i);
      tt_record_packed (&self->body, name);
      tt_record_packed (&self->body, group);
      tt_record_packed (&self->body, TT_OTF2_NONE);
      tt_record_packed (&self->body, 0);
      end_record (self, COMM);
    }
}

static void
write_windows (TtOtf2ExportDefinitions *self)
{
  for (guint32 i = 0; i < self->windows->len; i++)
    {
      const Window *window = self->windows->pdata[i];
      g_autofree char *text = g_strdup_printf (TT_OTF2_EXPORT_WINDOW "%" G_GINT64_FORMAT, window->number);
      guint64 name = use_string (self, text);

      tt_record_packed (&self->body, i);
      tt_record_packed (&self->body, name);
      tt_record_packed (&self->body, window->comm_id);
      tt_record_packed (&self->body, 0);
      end_record (self, RMA_WIN);
    }
}

static void
write_unknown_size (TtOtf2ExportDefinitions *self)
{
  guint64 name = use_string (self, "size unknown"), none = use_string (self, "");

  tt_record_packed (&self->body, 0);
  tt_record_packed (&self->body, name);
  tt_record_u8 (&self->body, TYPE_UINT8);
  tt_record_packed (&self->body, none);
  end_record (self, ATTRIBUTE);
}

gboolean
tt_otf2_export_definitions_write (TtOtf2ExportDefinitions *self,
                                  const char *path,
                                  const TtOtf2ExportClock *clock,
                                  const guint64 *n_events,
                                  guint64 *n,
                                  GError **error)
{
  if (!tt_chunk_file_open (&self->file, path, TT_DEFINITION_CHUNK, error))
    return FALSE;
  write_clock (self, clock);
  use_string (self, "");
  if (self->has_unknown_sizes)
    write_unknown_size (self);
  write_location_groups (self);
  write_locations (self, n_events);
  write_regions (self);
  write_metrics (self);
  write_world (self, n_events);
  write_communicators (self);
  write_windows (self);
  *n = self->n;
  return tt_chunk_file_close (&self->file, error);
}
