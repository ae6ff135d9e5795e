/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "formats/format.h"
#include "formats/rocprof/facts.h"
#include "formats/rocprof/rows.h"
#include "formats/rocprof/walk.h"

/*
 * JSON of rocprofv3 (ROCm 6.2 and later): {"rocprofiler-sdk-tool": [process ...]}. Each process has its facts and then
 * its records; a file that another program has sorted anew has the records first, and is looked through for the facts.
 */

#define RECORDS_A_CHECK 1024u
/* Of so many processes the file is read again for facts that come late. */
#define MAX_LOOKS_AHEAD 16u

static const char top_key[] = "rocprofiler-sdk-tool";

typedef struct
{
  TtSink *sink;
  const TtImportOptions *options;
  const char *path;
  TtRocprofWalk walk;
  guint64 n_processes;
  guint n_looks;
  guint n;           /* records since the last check */
  gboolean is_found; /* the top member */
} Import;

/* -- recognising ------------------------------------------------------------------------------------- */

static guint
probe (const TtProbe *file)
{
  gsize i = file->len >= 3 && memcmp (file->head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

  while (i < file->len && g_ascii_isspace (file->head[i]))
    i++;
  if (i == file->len || file->head[i++] != '{')
    return 0;
  while (i < file->len && g_ascii_isspace (file->head[i]))
    i++;
  if (file->len - i < sizeof top_key + 1 || file->head[i] != '"')
    return 0;
  gboolean is_ours = memcmp (file->head + i + 1, top_key, sizeof top_key - 1) == 0;
  return is_ours && file->head[i + sizeof top_key] == '"' ? TT_PROBE_CERTAIN : 0;
}

/* -- records ------------------------------------------------------------------------------------------ */

static gboolean
check (Import *self, const TtRocprofRows *rows)
{
  self->n = 0;
  return tt_rocprof_rows_check (rows, &self->walk.error) &&
         tt_sink_check (self->sink, tt_json_progress (self->walk.json), &self->walk.error) &&
         (!self->options->strict || tt_repairs_check_none (&self->sink->repairs, self->path, &self->walk.error));
}

static void
read_section (Import *self, TtRocprofRows *rows, TtRocprofSection section)
{
  TtRocprofRecord record;
  TtJsonValue object;

  if (!tt_rocprof_walk_array (&self->walk))
    return;
  while (tt_rocprof_walk_record (&self->walk, &object))
    {
      tt_rocprof_record_read (self->walk.json, &object, &record);
      tt_rocprof_rows_add (rows, section, &record);
      if (++self->n == RECORDS_A_CHECK && !check (self, rows))
        return;
    }
}

static void
read_records (Import *self, TtRocprofRows *rows)
{
  TtJsonValue key;

  if (!tt_rocprof_walk_object (&self->walk))
    return;
  while (tt_rocprof_walk_key (&self->walk, &key))
    read_section (self, rows, tt_rocprof_section (&key));
}

/* -- facts that come after the records ------------------------------------------------------------------- */

static void
look_into_process (TtRocprofWalk *walk, TtRocprofFacts *facts)
{
  TtJsonValue key;

  if (!tt_rocprof_walk_object (walk))
    return;
  while (!tt_rocprof_facts_are_whole (facts) && tt_rocprof_walk_key (walk, &key))
    tt_rocprof_facts_take (facts, walk, &key);
}

static void
look_ahead (Import *self, TtRocprofFacts *facts)
{
  TtRepairs ignored = { 0 };
  g_autoptr (TtInput) input = tt_input_open (self->path, &self->walk.error);
  g_autoptr (TtJson) json = input == NULL ? NULL : tt_json_new (input, &ignored);
  TtRocprofWalk walk = { .json = json, .repairs = &ignored };
  guint64 n = 0;
  TtJsonValue key;

  if (json != NULL)
    tt_json_has_sections (json);
  if (json == NULL || !tt_rocprof_walk_object (&walk))
    return;
  while (tt_rocprof_walk_key (&walk, &key))
    if (TT_JSON_KEY_IS (key, "rocprofiler-sdk-tool"))
      {
        if (!tt_rocprof_walk_array (&walk))
          break;
        while (n < self->n_processes && tt_rocprof_walk_item (&walk))
          if (++n < self->n_processes)
            tt_rocprof_walk_skip (&walk);
        look_into_process (&walk, facts);
        break;
      }
  /* What is wrong with the file is told when it is read. */
  g_clear_error (&walk.error);
}

/* -- processes --------------------------------------------------------------------------------------------- */

static void
read_process (Import *self)
{
  g_autoptr (TtRocprofFacts) facts = tt_rocprof_facts_new (&self->sink->repairs);
  g_autoptr (TtRocprofRows) rows = tt_rocprof_rows_new (self->sink, self->options, facts, self->n_processes++);
  TtJsonValue key;

  if (!tt_rocprof_walk_object (&self->walk))
    return;
  while (tt_rocprof_walk_key (&self->walk, &key))
    {
      if (tt_rocprof_facts_take (facts, &self->walk, &key) || !TT_JSON_KEY_IS (key, "buffer_records"))
        continue;
      if (!tt_rocprof_facts_are_whole (facts) && strcmp (self->path, "-") != 0 && self->n_looks < MAX_LOOKS_AHEAD)
        {
          self->n_looks++;
          look_ahead (self, facts);
        }
      read_records (self, rows);
    }
  if (self->walk.error == NULL && tt_rocprof_rows_finish (rows, &self->walk.error))
    check (self, rows);
}

static void
read_processes (Import *self)
{
  if (tt_rocprof_walk_array (&self->walk))
    while (tt_rocprof_walk_item (&self->walk))
      read_process (self);
}

static gboolean
read_file (Import *self, GError **error)
{
  TtJsonValue key;

  if (tt_rocprof_walk_object (&self->walk))
    while (tt_rocprof_walk_key (&self->walk, &key))
      if (TT_JSON_KEY_IS (key, "rocprofiler-sdk-tool"))
        {
          self->is_found = TRUE;
          read_processes (self);
        }
  if (self->walk.error == NULL && !self->is_found)
    tt_sink_repair (self->sink, TT_REPAIR_NO_EVENTS, 0);
  if (self->walk.error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&self->walk.error));
  return FALSE;
}

static gboolean
import_file (const char *path, const TtImportOptions *options, TtSink *sink, GError **error)
{
  g_autoptr (TtInput) input = tt_input_open (path, error);

  if (input == NULL)
    return FALSE;
  if (sink->takes_no_hash)
    tt_input_forgo_hash (input);
  tt_names_set_source (sink->names, "rocprof");
  tt_sink_begin_source (sink, "rocprof", path, TT_CLOCK_RELATIVE);

  g_autoptr (TtJson) json = tt_json_new (input, &sink->repairs);
  tt_json_has_sections (json);
  Import self = { .sink = sink, .options = options, .path = path };
  self.walk = (TtRocprofWalk){ .json = json, .repairs = &sink->repairs };
  if (!read_file (&self, error) || (options->strict && !tt_repairs_check_none (&sink->repairs, path, error)))
    return FALSE;
  g_autofree char *hash = tt_input_hash (input, error);
  if (hash == NULL)
    return FALSE;
  tt_sink_end_source (sink, tt_input_disk_bytes (input), hash, TT_CLOCK_RELATIVE);
  return tt_sink_check (sink, tt_json_progress (json), error);
}

static gboolean
import (const TtInputSet *input, const TtImportOptions *options, TtSink *sink, GError **error)
{
  for (guint i = 0; i < input->paths->len; i++)
    if (!import_file (input->paths->pdata[i], options, sink, error))
      return FALSE;
  return TRUE;
}

const TtFormat tt_format_rocprof = {
  .name = "rocprof",
  .summary = "rocprofv3 of ROCm (--output-format json)",
  .probe = probe,
  .group = tt_group_by_file,
  .import = import,
};
