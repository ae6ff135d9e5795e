/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The importer of OTF2 archives: definitions first, then one location after another, markers last.
 */
#include "config.h"

#include "formats/otf2/ahead.h"
#include "formats/otf2/files.h"
#include "formats/otf2/kept.h"
#include "formats/otf2/lanes.h"
#include "formats/otf2/location.h"
#include "formats/otf2/markers.h"
#include "formats/otf2/names.h"
#include "src/base/error.h"
#include "src/base/look.h"
#include "src/trace/span.h"

#define MAX_NOTES 20u

typedef struct
{
  TtOtf2Session session;
  TtOtf2Location location;
  const TtInputSet *input;
  TtOtf2Chunks chunks;
  GHashTable *digests; /* of files that were read */
  guint64 bytes;
  guint n_read, n_broken; /* locations */
  char *last_broken;      /* why the last that is left out is */
  TtOtf2Local no_local;   /* of no location */
} Import;

/* -- files ----------------------------------------------------------------------------------------------------------- */

static gboolean
open_file (Import *self, const char *path, guint64 chunk_bytes, GError **error)
{
  return tt_otf2_chunks_open (&self->chunks, path, (gsize) chunk_bytes, error);
}

static gboolean
close_file (Import *self, const char *path, GError **error)
{
  char *digest = tt_input_hash (self->chunks.input, error);
  guint64 bytes = tt_input_disk_bytes (self->chunks.input);

  if (digest == NULL)
    return FALSE;
  g_hash_table_replace (self->digests, g_strdup (path), digest);
  self->bytes += bytes;
  guint64 progress = tt_input_progress (self->chunks.input);
  tt_otf2_chunks_close (&self->chunks);
  return tt_sink_check (self->session.sink, progress, error);
}

/* The anchor, and parts that nothing names: they are of the archive's hash all the same. */
static gboolean
digest_others (Import *self, GError **error)
{
  for (guint i = 0; i < self->input->paths->len; i++)
    {
      const char *path = self->input->paths->pdata[i];
      if (g_hash_table_contains (self->digests, path) || !tt_look_test (path, G_FILE_TEST_EXISTS))
        continue;
      if (!open_file (self, path, TT_OTF2_CHUNK_MIN, error) || !close_file (self, path, error))
        return FALSE;
    }
  return TRUE;
}

/* -- definitions ----------------------------------------------------------------------------------------------------- */

static TtOtf2Definitions *
read_definitions (Import *self, GError **error)
{
  const TtOtf2Anchor *anchor = self->session.anchor;
  g_autofree char *path = tt_otf2_definitions_path (anchor);

  if (!open_file (self, path, anchor->definition_chunk, error))
    return NULL;
  g_autoptr (TtOtf2Definitions) definitions =
      tt_otf2_definitions_read (&self->chunks, path, &self->session.sink->repairs, error);
  if (definitions == NULL || !close_file (self, path, error))
    return NULL;
  if (definitions->n_records < anchor->n_definitions && anchor->n_definitions != TT_OTF2_UNDEFINED)
    tt_repairs_add_many (&self->session.sink->repairs, TT_REPAIR_ROW_COUNT, 0, 1);
  return g_steal_pointer (&definitions);
}

static void
write_metadata (Import *self)
{
  const TtOtf2Anchor *anchor = self->session.anchor;
  guint32 process = tt_otf2_process_of (&self->session, 0);
  g_autofree char *version = g_strdup_printf ("%u.%u.%u", anchor->major, anchor->minor, anchor->bugfix);
  const char *const texts[][2] = { { "otf2_version", version },
                                   { "creator", anchor->creator },
                                   { "machine", anchor->machine },
                                   { "description", anchor->description } };

  if (process == TT_NO_ID || self->session.is_own)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (*texts[i][1] != '\0')
      tt_sink_metadata (self->session.sink, process, TT_NO_ID, texts[i][0], texts[i][1]);
  for (guint i = 0; i + 1 < anchor->properties->len; i += 2)
    tt_sink_metadata (self->session.sink, process, TT_NO_ID, anchor->properties->pdata[i],
                      anchor->properties->pdata[i + 1]);
}

/* Properties of location groups and locations that are texts. */
static void
write_properties (Import *self, TtOtf2Definition kind)
{
  TtOtf2Session *session = &self->session;

  const TtOtf2Definitions *definitions = session->definitions;
  for (guint i = 0; i < tt_otf2_count (definitions, kind); i++)
    {
      const guint64 *row = tt_otf2_row (definitions, kind, i);
      const char *name = tt_otf2_text (definitions, row[TT_OTF2_NAME]);
      const char *text =
          row[TT_OTF2_PROPERTY_TYPE] == 11 ? tt_otf2_text (definitions, row[TT_OTF2_PROPERTY_VALUE]) : NULL;
      g_autofree char *number = g_strdup_printf ("%" G_GUINT64_FORMAT, row[TT_OTF2_PROPERTY_VALUE]);
      gboolean is_group = kind == TT_OTF2_LOCATION_GROUP_PROPERTY;
      guint place = is_group ? G_MAXUINT : tt_otf2_place (definitions, TT_OTF2_LOCATION, row[TT_OTF2_ID]);
      guint32 process = is_group             ? tt_otf2_process_of_group (session, row[TT_OTF2_ID])
                        : place == G_MAXUINT ? TT_NO_ID
                                             : tt_otf2_process_of (session, place);
      /* What tracetool keeps there is not the run's. */
      gboolean is_own = session->is_own && name != NULL && g_str_has_prefix (name, "tracetool::");
      if (name == NULL || process == TT_NO_ID || is_own)
        continue;
      g_autofree char *key = g_utf8_make_valid (name, -1);
      g_autofree char *value = g_utf8_make_valid (text != NULL ? text : number, -1);
      tt_sink_metadata (session->sink, process, is_group ? TT_NO_ID : tt_otf2_thread_of (session, place), key, value);
    }
}

/* -- locations --------------------------------------------------------------------------------------------------------- */

/* A location of which nothing can be read; FALSE with @error: who imports goes on only with all. */
static gboolean
leave_out (Import *self, const char *path, const char *why, GError **error)
{
  const TtImportOptions *options = self->session.options;
  GError *fault = g_error_new (TT_ERROR, TT_ERROR_FORMAT, "%s: %s", path, why);

  g_free (self->last_broken);
  self->last_broken = g_strdup (fault->message);
  self->n_broken++;
  tt_sink_repair (self->session.sink, TT_REPAIR_BROKEN_STREAM, 0);
  if (options->leave_out != NULL && options->leave_out (path, &fault, options->leave_out_data))
    return TRUE;
  g_propagate_error (error, fault);
  return FALSE;
}

/* How the events of a location ended: what is missing is counted. */
static void
note_end (Import *self, const TtOtf2Reading *reading)
{
  const guint64 *row = tt_otf2_row (self->session.definitions, TT_OTF2_LOCATION, reading->place);
  TtSink *sink = self->session.sink;
  guint64 n = self->location.n_events, declared = row[TT_OTF2_LOCATION_EVENTS];
  guint32 process = self->location.process;

  if (reading->state == TT_OTF2_BROKEN || !reading->is_good)
    {
      tt_sink_repair_of (sink, process, TT_REPAIR_BROKEN_STREAM, reading->end);
      if (++self->n_broken < MAX_NOTES)
        tt_sink_note (sink, "%s: cut or damaged at byte %" G_GUINT64_FORMAT ", read up to there", reading->events_path,
                      reading->end);
    }
  else if (reading->state == TT_OTF2_CUT)
    tt_sink_repair_of (sink, process, TT_REPAIR_NO_CLOSE, reading->chunk_end);
  gboolean is_whole = reading->state == TT_OTF2_AT_END;
  /* A damaged byte may look like the closing record. TAU tells of some locations the events of others. */
  if (declared != TT_OTF2_UNDEFINED && declared > n && (!is_whole || self->session.is_own))
    {
      if (is_whole && ++self->n_broken < MAX_NOTES)
        tt_sink_note (sink, "%s: has %" G_GUINT64_FORMAT " of the %" G_GUINT64_FORMAT " events that its archive tells",
                      reading->events_path, n, declared);
      tt_repairs_add_many (&sink->repairs, TT_REPAIR_MISSING_EVENTS, reading->end, declared - n);
      tt_sink_lose_order (sink, process, self->location.thread, self->location.ts_ns);
    }
}

/* FALSE with @error: it cannot be read on. */
static gboolean
take_block (Import *self, TtOtf2Block *block, GError **error)
{
  TtOtf2Session *session = &self->session;

  for (guint i = 0; i < block->n; i++)
    tt_otf2_location_take (&self->location, &block->events[i]);
  return block->chunk == NULL ||
         (tt_sink_check (session->sink, block->progress, error) && tt_nest_check (session->nest, error));
}

static gboolean
read_events (Import *self, TtOtf2Ahead *ahead, const TtOtf2Reading *reading, GError **error)
{
  TtOtf2Block *block;

  if (reading->begin != TT_OTF2_CHUNK)
    return leave_out (
        self, reading->events_path,
        reading->begin == TT_OTF2_CUT ? "an empty file" : "damaged: it does not begin as a part of an archive", error);
  tt_otf2_location_begin (&self->location, reading->place);
  while ((block = tt_otf2_ahead_take (ahead)) != NULL)
    {
      gboolean is_taken = take_block (self, block, error);
      tt_otf2_ahead_give_back (ahead, block);
      if (!is_taken)
        return FALSE;
    }
  if (reading->error != NULL)
    return TRUE;
  note_end (self, reading);
  tt_otf2_location_end (&self->location);
  self->n_read++;
  return tt_nest_check (self->session.nest, error);
}

static void
note_gone (Import *self, const TtOtf2Reading *reading)
{
  guint64 n = tt_otf2_row (self->session.definitions, TT_OTF2_LOCATION, reading->place)[TT_OTF2_LOCATION_EVENTS];

  if (n == 0 || n == TT_OTF2_UNDEFINED)
    return;
  tt_sink_repair_of (self->session.sink, tt_otf2_process_of (&self->session, reading->place), TT_REPAIR_GONE_FILE, 0);
  if (++self->n_broken < MAX_NOTES)
    tt_sink_note (self->session.sink, "%s: not there, with its %" G_GUINT64_FORMAT " events", reading->events_path, n);
}

/* Files of a location that are read. */
static gboolean
take_files (Import *self, const TtOtf2Reading *reading, GError **error)
{
  guint64 progress = 0;

  for (guint i = 0; i < G_N_ELEMENTS (reading->files); i++)
    {
      const TtOtf2ReadFile *file = &reading->files[i];
      if (file->digest == NULL)
        continue;
      g_hash_table_replace (self->digests, g_strdup (file->path), g_strdup (file->digest));
      self->bytes += file->bytes;
      progress += file->progress;
    }
  return tt_sink_check (self->session.sink, progress, error);
}

static gboolean
read_location (Import *self, TtOtf2Ahead *ahead, const TtOtf2Reading *reading, GError **error)
{
  TtOtf2Block *block;

  tt_repairs_merge (&self->session.sink->repairs, &reading->repairs);
  if (!reading->is_there)
    {
      note_gone (self, reading);
      return TRUE;
    }
  self->session.local = reading->local;
  gboolean is_good = reading->has_failed || read_events (self, ahead, reading, error);
  self->session.local = self->no_local;
  /* What was left out may have no block, but its file is read to the end all the same. */
  while (is_good && (block = tt_otf2_ahead_take (ahead)) != NULL)
    tt_otf2_ahead_give_back (ahead, block);
  if (is_good && reading->error != NULL)
    {
      g_propagate_error (error, g_error_copy (reading->error));
      return FALSE;
    }
  return is_good && take_files (self, reading, error);
}

static gboolean
read_markers (Import *self, GError **error)
{
  g_autofree char *path = tt_otf2_markers_path (self->session.anchor);

  if (!tt_look_test (path, G_FILE_TEST_EXISTS))
    return TRUE;
  return open_file (self, path, self->session.anchor->definition_chunk, error) &&
         tt_otf2_markers_read (&self->session, &self->chunks, error) && close_file (self, path, error);
}

static gboolean
read_locations (Import *self, GError **error)
{
  const TtOtf2Session *session = &self->session;
  TtOtf2Ahead *ahead =
      tt_otf2_ahead_new (session->anchor, session->definitions, session->options->no_align, tt_otf2_ahead_threads ());
  const TtOtf2Reading *reading = NULL;
  gboolean is_good = TRUE;

  while (is_good && (reading = tt_otf2_ahead_next (ahead)) != NULL)
    is_good = read_location (self, ahead, reading, error);
  tt_otf2_ahead_free (ahead);
  if (!is_good)
    return FALSE;
  if (self->n_read == 0 && self->n_broken > 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: no event can be read: %s", self->session.anchor->stem,
                   self->last_broken == NULL ? "the files of its locations are not there" : self->last_broken);
      return FALSE;
    }
  return read_markers (self, error);
}

/* -- an archive -------------------------------------------------------------------------------------------------------- */

static TtClock
find_clock (const TtOtf2Session *session)
{
  if (session->definitions->has_no_clock || (session->is_own && tt_otf2_kept_is_ticks (session->definitions)))
    return TT_CLOCK_TICKS;
  return session->clock.realtime_ns != TT_NO_TIME && tt_time_is_epoch (session->clock.realtime_ns) ? TT_CLOCK_EPOCH
                                                                                                   : TT_CLOCK_RELATIVE;
}

static gboolean
read_archive (Import *self, const TtOtf2Definitions *definitions, GError **error)
{
  TtOtf2Session *session = &self->session;
  const guint64 *clock = tt_otf2_row (definitions, TT_OTF2_CLOCK_PROPERTIES, 0);
  g_autoptr (TtNest) nest = tt_nest_new (session->sink);

  session->definitions = definitions;
  session->is_own = g_str_has_prefix (session->anchor->creator, "tracetool ");
  session->tells_roles = session->is_own && tt_otf2_kept_is_told (definitions);
  session->nest = nest;
  tt_otf2_clock_init (&session->clock, clock[TT_OTF2_CLOCK_RESOLUTION], clock[TT_OTF2_CLOCK_OFFSET],
                      clock[TT_OTF2_CLOCK_REALTIME]);
  session->series = g_array_new (FALSE, TRUE, sizeof (guint32));
  g_array_set_size (session->series, tt_otf2_count (definitions, TT_OTF2_METRIC_MEMBER) + 1);
  session->lanes = tt_otf2_lanes_new (session);
  session->names = tt_otf2_names_new (session);
  write_metadata (self);
  write_properties (self, TT_OTF2_LOCATION_GROUP_PROPERTY);
  write_properties (self, TT_OTF2_LOCATION_PROPERTY);
  if (session->tells_roles)
    {
      tt_otf2_names_make_own (session);
      tt_otf2_kept_read (session);
    }
  tt_otf2_location_init (&self->location, session);
  gboolean is_read = read_locations (self, error);
  tt_otf2_location_clear (&self->location);
  tt_nest_finish (nest);
  is_read = is_read && tt_nest_check (nest, error);
  tt_otf2_names_free (session->names);
  tt_otf2_lanes_free (session->lanes);
  g_array_unref (session->series);
  return is_read;
}

static gboolean
import_anchor (Import *self, const char *path, GError **error)
{
  TtSink *sink = self->session.sink;

  tt_names_set_source (sink->names, "otf2");
  tt_sink_begin_source (sink, "otf2", path, TT_CLOCK_RELATIVE);
  g_autoptr (TtOtf2Definitions) definitions = read_definitions (self, error);
  if (definitions == NULL || !read_archive (self, definitions, error))
    return FALSE;
  if (self->session.options->strict && !tt_repairs_check_none (&sink->repairs, path, error))
    return FALSE;
  if (!digest_others (self, error))
    return FALSE;
  g_autofree char *hash = tt_otf2_join_digests (self->input, self->digests);
  tt_sink_end_source (sink, self->bytes, hash, find_clock (&self->session));
  return TRUE;
}

static gboolean
import_set (const TtInputSet *input, const TtImportOptions *options, TtSink *sink, GError **error)
{
  const char *path = input->paths->pdata[0];
  g_autoptr (TtOtf2Anchor) anchor = tt_otf2_anchor_load (path, error);
  Import self = { .session = { .sink = sink, .options = options, .anchor = anchor }, .input = input };

  if (anchor == NULL)
    return FALSE;
  self.digests = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self.session.json = g_string_new (NULL);
  tt_otf2_local_init (&self.no_local);
  self.session.local = self.no_local;
  gboolean is_good = import_anchor (&self, path, error);
  tt_otf2_local_clear (&self.no_local);
  tt_otf2_chunks_clear (&self.chunks);
  g_string_free (self.session.json, TRUE);
  g_hash_table_unref (self.digests);
  g_free (self.last_broken);
  return is_good;
}

const TtFormat tt_format_otf2 = {
  .name = "otf2",
  .summary = "OTF2 archives of Score-P, TAU, Extrae and others: traces.otf2 with the files beside it",
  .probe = tt_otf2_probe,
  .group = tt_otf2_group,
  .import = import_set,
  .fingerprint = tt_otf2_fingerprint,
};
