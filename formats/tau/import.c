/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/format.h"
#include "formats/tau/edf.h"
#include "formats/tau/layout.h"
#include "formats/tau/pairs.h"
#include "formats/tau/runs.h"
#include "formats/tau/stream.h"
#include "src/base/error.h"
#include "src/base/input.h"
#include "src/base/look.h"
#include "src/base/paths.h"
#include "src/base/read-ahead.h"
#include "src/trace/span.h"

#include <glib/gstdio.h>
#include <string.h>

/* About 1 MiB. */
#define BLOCK ((gsize) TT_TAU_RECORDS_ALIGN * 10922)

/* A run's trace and definitions begin at the same time, but for what a program does before it calls TAU. */
#define MAX_APART_US G_GUINT64_CONSTANT (600000000)

/* What one trace file needs while it is read. */
typedef struct
{
  TtTauIds *ids;
  TtSink *sink;
  const TtImportOptions *options;
  TtReadAhead *ahead; /* blocks of BLOCK */
  gint64 last_node;   /* see TtInputSet.last_rank */
  gboolean is_first;  /* of its definitions: reports what was odd in them */
} Reader;

static gboolean
check_size (const char *path, gssize n, GError **error)
{
  if (n == 0)
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: an empty trace, 0 bytes", path);
  else if (n < (gssize) TT_TAU_MIN_RECORD)
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: %d bytes are less than one record of a TAU trace (%u)", path,
                 (int) n, TT_TAU_MIN_RECORD);
  return n >= (gssize) TT_TAU_MIN_RECORD;
}

static gboolean
fail_layout (const Reader *reader, const char *path, const guint8 *bytes, gsize len, GError **error)
{
  const char *edf = tt_tau_edf_path (tt_tau_ids_edf (reader->ids));

  if (tt_tau_rows_probe (bytes, len))
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: not a TAU trace but definitions; are the two files swapped?",
                 path);
  else
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                 "%s: not a TAU trace: record 0 at byte 0 has not the parameter 3 in any layout, and in none the event "
                 "ids are those of '%s'",
                 path, edf);
  return FALSE;
}

/* Definitions of another run have other ids, and say when that began. */
static gboolean
check_definitions (const Reader *reader,
                   const char *path,
                   const guint8 *bytes,
                   gsize len,
                   TtTauLayout layout,
                   GError **error)
{
  TtTauEdf *edf = tt_tau_ids_edf (reader->ids);
  TtTauWindow head = { bytes, len, layout, edf, 0 };
  head.usual_ti = tt_tau_usual_time (&head);
  const TtTauSample sample = tt_tau_sample (&head);
  guint64 first, last;

  if (tt_tau_are_foreign (sample.n_undefined, sample.n))
    {
      tt_tau_fail_foreign (path, tt_tau_edf_path (edf), sample.n_undefined, sample.n, error);
      return FALSE;
    }
  if (sample.n == 0 || !tt_time_is_epoch ((gint64) sample.first_ti * 1000) || !tt_tau_edf_begins (edf, &first, &last) ||
      (sample.first_ti + MAX_APART_US >= first && sample.first_ti <= last + MAX_APART_US))
    return TRUE;
  g_autofree char *ours = tt_tau_date ((gint64) sample.first_ti), *theirs = tt_tau_date ((gint64) first);
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
               "%s: '%s' is of another run, so names would be wrong: that run began at %s, this trace at %s", path,
               tt_tau_edf_path (edf), theirs, ours);
  return FALSE;
}

/* When the first block, of @n bytes, is in: that and the others. What the stream leaves lies before the next. */
static gboolean
read_records (const Reader *reader, TtTauStream *stream, const guint8 *bytes, gssize n, GError **error)
{
  gsize left = 0;

  while (n > 0 || (n == 0 && left > 0))
    {
      gsize len = left + (gsize) n;
      gssize taken = tt_tau_stream_feed (stream, bytes, len, n == 0, error);
      if (taken < 0 || !tt_sink_check (reader->sink, tt_read_ahead_progress (reader->ahead), error))
        return FALSE;
      left = len - (gsize) taken;
      bytes += taken;
      if (n > 0)
        n = tt_read_ahead_next (reader->ahead, left, &bytes, error);
    }
  return n == 0 && tt_tau_stream_end (stream, error) &&
         tt_sink_check (reader->sink, tt_read_ahead_progress (reader->ahead), error);
}

/* @input is about to be read ahead. @size: of its contents; 0: not known. */
static gboolean
import_input (const Reader *reader, TtInput *input, guint64 size, const char *path, GError **error)
{
  const guint8 *bytes;
  TtTauLayout layout;
  gboolean has_magic;

  gssize n = tt_read_ahead_next (reader->ahead, 0, &bytes, error);
  if (n < 0 || !check_size (path, n, error))
    return FALSE;
  if ((gsize) n < BLOCK)
    size = (guint64) n;
  if (!tt_tau_layout_detect (bytes, (gsize) n, size, tt_tau_ids_edf (reader->ids), &layout, &has_magic))
    return fail_layout (reader, path, bytes, (gsize) n, error);
  if (!check_definitions (reader, path, bytes, (gsize) n, layout, error))
    return FALSE;

  guint64 first_ti = tt_tau_decode (bytes, layout).ti;
  gboolean is_epoch = first_ti <= G_MAXINT64 / 1000 && tt_time_is_epoch ((gint64) first_ti * 1000);
  TtClock clock = is_epoch ? TT_CLOCK_EPOCH : TT_CLOCK_RELATIVE;
  tt_sink_begin_source (reader->sink, "tau", path, clock);
  if (reader->is_first)
    tt_repairs_merge (&reader->sink->repairs, tt_tau_edf_repairs (tt_tau_ids_edf (reader->ids)));
  if (!has_magic)
    tt_sink_repair (reader->sink, TT_REPAIR_NO_MAGIC, 0);

  g_autoptr (TtTauStream) stream =
      tt_tau_stream_new (reader->ids, reader->sink, path, layout, reader->last_node, reader->options->strict);
  if (!read_records (reader, stream, bytes, n, error))
    return FALSE;
  tt_read_ahead_end (reader->ahead);
  if (tt_input_is_cut (input))
    tt_sink_repair (reader->sink, TT_REPAIR_PACKING_CUT, tt_input_offset (input));
  if (reader->options->strict &&
      !tt_tau_check_strict (&reader->sink->repairs, path, tt_tau_record_size (layout), error))
    return FALSE;
  g_autofree char *hash = tt_input_hash (input, error);
  if (hash == NULL)
    return FALSE;
  tt_sink_end_source (reader->sink, tt_input_disk_bytes (input), hash, clock);
  return TRUE;
}

static gboolean
import_trace (const Reader *reader, const char *path, GError **error)
{
  g_autoptr (TtInput) input = tt_input_open (path, error);

  if (input == NULL)
    return FALSE;
  tt_input_take_cut (input);
  if (reader->sink->takes_no_hash)
    tt_input_forgo_hash (input);
  const guint64 size = tt_input_is_compressed (input) ? 0 : tt_input_disk_bytes (input);
  tt_read_ahead_begin (reader->ahead, input);
  gboolean is_done = import_input (reader, input, size, path, error);
  tt_read_ahead_end (reader->ahead);
  return is_done;
}

/* Traces first, definitions last: see tt_tau_group(). */
static gboolean
import_set (const TtInputSet *input, const TtImportOptions *options, TtSink *sink, GError **error)
{
  guint n_traces = input->paths->len - 1;
  const char *edf_path = input->paths->pdata[n_traces];
  g_autoptr (TtTauEdf) edf = tt_tau_edf_load (edf_path, error);
  g_autoptr (TtReadAhead) ahead = tt_read_ahead_new (BLOCK, TT_TAU_AHEAD + TT_TAU_RECORDS_ALIGN);

  if (edf == NULL)
    return FALSE;
  if (options->strict && !tt_tau_check_strict (tt_tau_edf_repairs (edf), edf_path, 0, error))
    return FALSE;

  GStatBuf status;
  guint64 edf_bytes = tt_look_stat (edf_path, &status) == 0 ? (guint64) status.st_size : 0;
  if (!tt_sink_check (sink, edf_bytes, error))
    return FALSE;

  const guint32 first_source = sink->next_source;
  tt_names_set_source (sink->names, "tau");
  g_autoptr (TtTauIds) ids = tt_tau_ids_new (g_steal_pointer (&edf), sink);
  for (guint i = 0; i < n_traces; i++)
    {
      const Reader reader = {
        .ids = ids, .sink = sink, .options = options, .ahead = ahead, .last_node = input->last_rank, .is_first = i == 0
      };
      const guint32 n_sources = sink->next_source;
      GError *fault = NULL;
      if (import_trace (&reader, input->paths->pdata[i], &fault))
        continue;
      gboolean is_hopeless = n_traces == 1 || (i + 1 == n_traces && sink->next_source == first_source);
      if (is_hopeless || options->leave_out == NULL || sink->next_source != n_sources ||
          !options->leave_out (input->paths->pdata[i], &fault, options->leave_out_data))
        {
          g_propagate_error (error, fault);
          return FALSE;
        }
    }
  tt_tau_ids_keep_unused (ids);
  return TRUE;
}

static guint
probe (const TtProbe *file)
{
  if (tt_tau_rows_probe (file->head, file->len))
    return 95;
  if (tt_tau_layout_probe (file->head, file->len))
    return 90;
  return tt_path_has_suffix (file->path, ".trc") || tt_path_has_suffix (file->path, ".edf") ? 15 : 0;
}

const TtFormat tt_format_tau = {
  .name = "tau",
  .summary = "TAU traces: tautrace.N.C.T.trc with events.N.edf, or a merged pair",
  .probe = probe,
  .group = tt_tau_group,
  .import = import_set,
};
