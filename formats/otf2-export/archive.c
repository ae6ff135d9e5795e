/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2-export/otf2-export.h"

#include <errno.h>
#include <glib/gstdio.h>

#include "formats/otf2-export/events.h"
#include "formats/otf2-export/lanes.h"
#include "src/base/error.h"
#include "src/base/failure.h"
#include "src/base/look.h"
#include "src/base/progress.h"
#include "src/base/sorter.h"
#include "src/base/version.h"
#include "src/store/tasks.h"

#define SORT_MEMORY ((gsize) 24 << 20)
#define STEP 65536u
#define NS_A_SECOND 1000000000u

typedef struct
{
  TtStore *store;
  TtOtf2ExportReport *report;
  TtRecordExportItems *items;
  TtOtf2ExportComms *comms;
  TtOtf2ExportDefinitions *definitions;
  TtOtf2ExportEvents events;
  const char *folder;
  char *parts; /* the folder of the locations' files */
  TtOtf2ExportLanes *lanes;
  guint64 *n_events; /* by location; TT_OTF2_NONE: it is not written */
  gint64 first, last;
  GPtrArray *written; /* paths, removed again on an error */
  gboolean made_folder;
  gboolean is_whole; /* nothing is selected */
} Export;

/* -- the folder ----------------------------------------------------------------------------------------------------- */

static gboolean
fail_write (const char *path, int number, GError **error)
{
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "cannot write '%s': %s", path, g_strerror (number));
  return FALSE;
}

static gboolean
is_free (const char *folder, GError **error)
{
  if (!tt_look_test (folder, G_FILE_TEST_EXISTS))
    return TRUE;
  g_autoptr (GDir) entries = tt_look_folder (folder, NULL);
  if (entries != NULL && tt_look_next (entries, folder) == NULL)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' is there already; name a new folder, or an empty one", folder);
  return FALSE;
}

static gboolean
make_folders (Export *self, GError **error)
{
  self->made_folder = !tt_look_test (self->folder, G_FILE_TEST_EXISTS);
  if (g_mkdir_with_parents (self->folder, 0777) != 0)
    return fail_write (self->folder, errno, error);
  return g_mkdir (self->parts, 0777) == 0 || fail_write (self->parts, errno, error);
}

/* What was written until something failed. */
static void
remove_written (Export *self)
{
  for (guint i = 0; i < self->written->len; i++)
    g_unlink (self->written->pdata[i]);
  g_rmdir (self->parts);
  if (self->made_folder)
    g_rmdir (self->folder);
}

static const char *
new_path (Export *self, const char *folder, const char *name)
{
  g_ptr_array_add (self->written, g_build_filename (folder, name, NULL));
  return self->written->pdata[self->written->len - 1];
}

/* -- locations ------------------------------------------------------------------------------------------------------ */

static gboolean
write_local (Export *self, guint32 location, GError **error)
{
  g_autofree char *name = g_strdup_printf ("%u.def", location - 1);
  TtChunkFile file;

  return tt_chunk_file_open (&file, new_path (self, self->parts, name), TT_DEFINITION_CHUNK, error) &&
         tt_chunk_file_close (&file, error);
}

static gboolean
begin_location (Export *self, guint32 location, GError **error)
{
  g_autofree char *name = g_strdup_printf ("%u.evt", location - 1);

  return write_local (self, location, error) &&
         tt_otf2_export_events_open (&self->events, new_path (self, self->parts, name), error);
}

static gboolean
end_location (Export *self, guint32 location, GError **error)
{
  self->report->n_locations++;
  return tt_otf2_export_events_close (&self->events, &self->n_events[location], error);
}

/* Items with other keys: location, then the order of coming. */
static gboolean
regroup (Export *self, TtSorter *sorter, GError **error)
{
  g_autoptr (TtProgress) progress = tt_progress_new (
      "sorting", 2 * self->report->run.n_spans + self->report->run.n_counters + self->report->run.n_messages,
      "records");
  g_autoptr (GError) failed = NULL;
  const TtRecordExportItem *item;
  guint64 n = 0;

  while ((item = tt_record_export_items_next (self->items, &failed)) != NULL)
    {
      self->first = n == 0 ? item->time : MIN (self->first, item->time);
      self->last = n == 0 ? item->time : MAX (self->last, item->time);
      TtRecordExportItem *of = tt_sorter_add (sorter);
      *of = *item;
      of->high = tt_otf2_export_lanes_take (self->lanes, item);
      of->low = n++;
      if (n % STEP == 0)
        {
          tt_progress_add (progress, STEP);
          if (tt_cancelled (error))
            return FALSE;
        }
    }
  if (failed != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failed));
      return FALSE;
    }
  gsize n_locations = (gsize) tt_otf2_export_lanes_count (self->lanes) + 1;
  self->n_events = g_new (guint64, n_locations);
  memset (self->n_events, 0xff, n_locations * sizeof *self->n_events);
  return tt_sorter_finish (sorter, error);
}

/* Threads of which there is nothing but that they are there. */
static gboolean
write_idle (Export *self, GError **error)
{
  guint n;
  const TtThread *threads = tt_store_threads (self->store, &n);

  for (guint i = 0; i < n; i++)
    if (self->n_events[threads[i].id] == TT_OTF2_NONE &&
        (!begin_location (self, threads[i].id, error) || !end_location (self, threads[i].id, error)))
      return FALSE;
  return TRUE;
}

static gboolean
write_locations (Export *self, TtSorter *sorter, GError **error)
{
  g_autoptr (TtProgress) progress = tt_progress_new (
      "writing", 2 * self->report->run.n_spans + self->report->run.n_counters + self->report->run.n_messages,
      "records");
  g_autoptr (GError) failed = NULL;
  const TtRecordExportItem *item;
  guint32 last = TT_NO_ID, location;
  guint n = 0;

  while ((item = tt_sorter_next (sorter, &failed)) != NULL)
    {
      location = (guint32) item->high;
      if (location != last &&
          ((last != TT_NO_ID && !end_location (self, last, error)) || !begin_location (self, location, error)))
        return FALSE;
      last = location;
      tt_otf2_export_events_write (&self->events, item);
      if (++n == STEP)
        {
          tt_progress_add (progress, n);
          n = 0;
          if (tt_cancelled (error))
            return FALSE;
        }
    }
  if (failed != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failed));
      return FALSE;
    }
  return (last == TT_NO_ID || end_location (self, last, error)) && (!self->is_whole || write_idle (self, error));
}

/* -- anchor ---------------------------------------------------------------------------------------------------------- */

static void
append_u64 (GByteArray *bytes, guint64 value)
{
  value = GUINT64_TO_LE (value);
  g_byte_array_append (bytes, (const guint8 *) &value, sizeof value);
}

static void
append_text (GByteArray *bytes, const char *text)
{
  g_byte_array_append (bytes, (const guint8 *) text, (guint) strlen (text) + 1);
}

/* The same run has the same number. */
static guint64
make_trace_id (const Export *self)
{
  guint64 id = G_GUINT64_CONSTANT (0xcbf29ce484222325);
  const guint64 facts[] = { self->report->run.n_spans, self->report->run.n_messages, self->report->run.n_counters,
                            self->report->n_locations, (guint64) self->first,        (guint64) self->last };

  for (guint i = 0; i < G_N_ELEMENTS (facts); i++)
    id = (id ^ facts[i]) * G_GUINT64_CONSTANT (0x100000001b3);
  return id;
}

/* See formats/otf2/anchor.h. */
static gboolean
write_anchor (Export *self, guint64 n_definitions, GError **error)
{
  static const guint8 head[] = { 3, 0x42 }, versions[] = { 3, 2, 3, 0, 2 }, kinds[] = { 1, 1 }, tail[] = { 2, 1, 0 };
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autofree char *creator = g_strconcat (TT_OTF2_EXPORT_CREATOR " ", tt_version_text, NULL);

  g_byte_array_append (bytes, head, sizeof head);
  append_text (bytes, "OTF2");
  g_byte_array_append (bytes, versions, sizeof versions);
  append_u64 (bytes, TT_EVENT_CHUNK);
  append_u64 (bytes, TT_DEFINITION_CHUNK);
  g_byte_array_append (bytes, kinds, sizeof kinds);
  append_u64 (bytes, self->report->n_locations);
  append_u64 (bytes, n_definitions);
  append_text (bytes, ""); /* machine */
  append_text (bytes, creator);
  append_text (bytes, "");                                   /* description */
  g_byte_array_append (bytes, (const guint8 *) "\0\0\0", 4); /* properties */
  append_u64 (bytes, make_trace_id (self));
  append_u64 (bytes, 0); /* snapshots, thumbnails: 4 bytes each */
  g_byte_array_append (bytes, tail, sizeof tail);
  return tt_output_print (new_path (self, self->folder, "traces.otf2"), (const char *) bytes->data, (gssize) bytes->len,
                          error);
}

static gboolean
is_dated (TtStore *store)
{
  guint n;
  const TtSource *sources = tt_store_sources (store, &n);

  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (sources[i].clock, tt_clock_text (TT_CLOCK_EPOCH)) != 0)
      return FALSE;
  return n > 0;
}

static gboolean
write_definitions (Export *self, GError **error)
{
  const TtOtf2ExportClock clock = { .first = (guint64) self->first,
                                    .last = (guint64) self->last,
                                    .realtime_ns = is_dated (self->store) ? self->first : TT_NO_TIME,
                                    .resolution = NS_A_SECOND };
  guint64 n;

  return tt_store_count_earlier_tasks (self->store, &self->report->n_tasks, error) &&
         tt_otf2_export_definitions_write (self->definitions, new_path (self, self->folder, "traces.def"), &clock,
                                           self->lanes, self->n_events, &n, error) &&
         write_anchor (self, n, error);
}

/* -- public ---------------------------------------------------------------------------------------------------------- */

static gboolean
prepare (Export *self, TtSelection *selection, GError **error)
{
  if (selection != NULL && !tt_selection_bind (selection, self->store, error))
    return FALSE;
  self->items = tt_record_export_items_new (self->store, selection, 1, TRUE, &self->report->run, error);
  if (self->items == NULL)
    return FALSE;
  self->comms = tt_otf2_export_comms_new (self->store, error);
  if (self->comms == NULL)
    return FALSE;
  self->definitions = tt_otf2_export_definitions_new (self->store, self->comms);
  self->events = (TtOtf2ExportEvents){ .store = self->store,
                                       .comms = self->comms,
                                       .definitions = self->definitions,
                                       .items = self->items,
                                       .report = self->report,
                                       .is_whole = self->is_whole,
                                       .posts = tt_otf2_export_posts_new (),
                                       .args = g_string_new (NULL),
                                       .body.bytes = g_byte_array_new () };
  tt_otf2_export_attributes_init (&self->events.attributes, self->definitions);
  return TRUE;
}

static gboolean
write_archive (Export *self, GError **error)
{
  g_autoptr (TtSorter) sorter = tt_sorter_new (sizeof (TtRecordExportItem), SORT_MEMORY);

  tt_sorter_sort_ahead (sorter);
  if (!regroup (self, sorter, error))
    return FALSE;
  if (self->report->run.n_spans + self->report->run.n_counters + self->report->run.n_messages +
          self->report->run.n_instants + self->report->run.n_async ==
      0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                   "nothing to write: no span, instant, message or counter value is chosen");
      return FALSE;
    }
  return make_folders (self, error) && write_locations (self, sorter, error) && write_definitions (self, error);
}

gboolean
tt_otf2_export (TtStore *store, const char *folder, TtSelection *selection, TtOtf2ExportReport *report, GError **error)
{
  guint32 n_threads = tt_store_max_thread (store);
  Export self = { .store = store,
                  .report = report,
                  .folder = folder,
                  .is_whole = selection == NULL,
                  .parts = g_build_filename (folder, "traces", NULL),
                  .lanes = tt_otf2_export_lanes_new (n_threads),
                  .written = g_ptr_array_new_with_free_func (g_free) };

  gboolean is_good = is_free (folder, error) && prepare (&self, selection, error) && write_archive (&self, error) &&
                     tt_failure_check (error);
  if (!is_good && self.definitions != NULL)
    {
      tt_chunk_file_clear (&self.events.file);
      remove_written (&self);
    }
  g_clear_pointer (&self.events.body.bytes, g_byte_array_unref);
  report->n_texts = self.events.attributes.n_too_long + report->run.n_long_args;
  tt_otf2_export_attributes_clear (&self.events.attributes);
  if (self.events.args != NULL)
    g_string_free (self.events.args, TRUE);
  tt_otf2_export_posts_free (self.events.posts);
  g_ptr_array_unref (self.written);
  tt_otf2_export_definitions_free (self.definitions);
  tt_otf2_export_comms_free (self.comms);
  tt_record_export_items_free (self.items);
  g_free (self.n_events);
  tt_otf2_export_lanes_free (self.lanes);
  g_free (self.parts);
  return is_good;
}
