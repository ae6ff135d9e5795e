/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/import.h"

#include "formats/trace-event/clues.h"
#include "formats/trace-event/look-ahead.h"
#include "formats/trace-event/samples.h"
#include "formats/trace-event/span-extras.h"
#include "src/base/error.h"
#include "src/trace/span.h"

#include <string.h>

#define EVENTS_A_CHECK 4096u
#define LANES_BYTES ((gsize) 2 << 20)
#define NAMES_BYTES ((gsize) 8 << 20)
#define MAX_KEPT_FRAMES ((gsize) 16384)

static void
import_clear (TtTraceEventImport *self)
{
  g_clear_pointer (&self->arrange, tt_arrange_free);
  g_clear_pointer (&self->feed, tt_trace_event_feed_free);
  g_clear_pointer (&self->lanes, tt_byte_ids_free);
  g_clear_pointer (&self->all_lanes, tt_text_ids_free);
  g_clear_pointer (&self->names, tt_byte_ids_free);
  g_clear_pointer (&self->known_lanes, g_free);
  g_clear_pointer (&self->known_labels, g_free);
  g_clear_pointer (&self->headers, g_ptr_array_unref);
  g_clear_pointer (&self->pid_prefix, g_free);
  g_clear_pointer (&self->stacks, tt_stacks_free);
  g_clear_pointer (&self->tids, g_hash_table_unref);
  tt_args_keeper_clear (&self->args);
  if (self->text != NULL)
    g_string_free (self->text, TRUE);
  if (self->dialect != NULL && self->dialect->release != NULL && self->state != NULL)
    self->dialect->release (self->state);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtTraceEventImport, import_clear)

/* The digits after the last "rank" of the file's name; -1: none. */
static gint64
rank_in_name (const char *path)
{
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *name = g_ascii_strdown (base, -1);
  const char *at = g_strrstr (name, "rank");
  guint64 rank;

  if (at == NULL)
    return -1;
  at += strlen ("rank");
  at += strspn (at, "_-.=");
  g_autofree char *digits = g_strndup (at, strspn (at, "0123456789"));
  return g_ascii_string_to_unsigned (digits, 10, 0, G_MAXINT32, &rank, NULL) ? (gint64) rank : -1;
}

static void
rank_by_file (TtTraceEventImport *self)
{
  gint64 rank = rank_in_name (self->path);

  if (rank < 0 || tt_sink_has_rank (self->sink, rank))
    for (rank = 0; tt_sink_has_rank (self->sink, rank);)
      rank++;
  self->rank = rank;
  tt_sink_note (self->sink, "%s says no rank, but comes with others: it is rank %" G_GINT64_FORMAT, self->path, rank);
}

void
tt_trace_event_prefix_pids (TtTraceEventImport *self)
{
  if (self->rank < 0 && self->options->pid == NULL && self->options->n_alike > 1)
    rank_by_file (self);
  if (self->rank >= 0)
    self->pid_prefix = g_strdup_printf ("rank%" G_GINT64_FORMAT ".", self->rank);
}

gboolean
tt_trace_event_expect_order (TtTraceEventImport *self)
{
  TtInput *input = tt_trace_event_feed_input (self->feed);
  gboolean is_first = self->sink->n_spans + self->sink->n_instants == 0;

  if (self->options->found_disorder == NULL || self->options->strict || !is_first || tt_input_is_compressed (input) ||
      tt_input_disk_bytes (input) <= TT_LOOK_AHEAD_BYTES)
    return tt_trace_event_is_in_order (self->path);
  if (!tt_trace_event_begins_in_order (self->path))
    return FALSE;
  tt_trace_event_feed_expect_order (self->feed);
  return TRUE;
}

static const TtDialect *
best_dialect (const TtDialect *const *dialects, const TtClues *clues)
{
  const TtDialect *best = dialects[0];
  guint best_score = 0;

  for (guint i = 0; dialects[1] != NULL && dialects[i] != NULL; i++)
    {
      guint score = dialects[i]->probe (clues);
      if (score > best_score)
        {
          best = dialects[i];
          best_score = score;
        }
    }
  return best;
}

/* Samples are read when the threads are known, from the file as a whole; of standard input they are a member like any
 * other. A short table of frames is kept, too, for frames that no event has. */
static gboolean
take_stacks (TtTraceEventImport *self, const TtJsonValue *key, const TtJsonValue *value)
{
  gboolean is_long = value->raw.len == 0 || value->raw.len > MAX_KEPT_FRAMES;

  if (TT_JSON_KEY_IS (*key, "samples") && value->kind == TT_JSON_ARRAY && strcmp (self->path, "-") != 0)
    {
      self->has_samples |= is_long || memchr (value->raw.bytes, '{', value->raw.len) != NULL;
      return self->has_samples;
    }
  if (!TT_JSON_KEY_IS (*key, "stackFrames") || value->kind != TT_JSON_OBJECT)
    return FALSE;
  if (value->raw.len > 0)
    tt_stacks_take (self->stacks, value->raw);
  else
    tt_stacks_look_for (self->stacks, self->path);
  return is_long;
}

static void
on_header (const TtJsonValue *key, const TtJsonValue *value, gpointer data)
{
  TtTraceEventImport *self = data;

  if (take_stacks (self, key, value))
    return;
  if (self->dialect->header != NULL)
    self->dialect->header (self, key, value, self->state);
}

static void
note_first_time (TtTraceEventImport *self, const TtTraceEvent *event, gboolean *is_seen)
{
  gint64 ns;

  if (*is_seen || (event->has & TT_EVENT_HAS_TS) == 0 || event->ph == 'M')
    return;
  *is_seen = TRUE;
  if (!self->is_ticks && !__builtin_add_overflow (event->ts_ns, self->shift_ns, &ns) && tt_time_is_epoch (ns))
    self->clock = TT_CLOCK_EPOCH;
}

static gboolean
read_events (TtTraceEventImport *self, GError **error)
{
  g_autoptr (GError) failed = NULL;
  const TtTraceEvent *event;
  gboolean has_time = FALSE;
  guint n = 0;

  while ((event = tt_trace_event_feed_next (self->feed, &failed)) != NULL)
    {
      note_first_time (self, event, &has_time);
      if (!self->dialect->event (self, event, self->state, error))
        return FALSE;
      if (G_UNLIKELY (event->has & TT_EVENT_HAS_EXTRAS))
        tt_trace_event_end_extras (self, event);
      if (G_UNLIKELY (++n == EVENTS_A_CHECK))
        {
          n = 0;
          if (!tt_arrange_check (self->arrange, error) || !tt_text_ids_check (self->all_lanes, error))
            return FALSE;
        }
    }
  if (failed == NULL)
    return tt_text_ids_check (self->all_lanes, error);
  g_propagate_error (error, g_steal_pointer (&failed));
  return FALSE;
}

static gboolean
check_strict (const TtTraceEventImport *self, GError **error)
{
  return !self->options->strict || tt_repairs_check_none (&self->sink->repairs, self->path, error);
}

static gboolean
read_file (TtTraceEventImport *self, GError **error)
{
  if (!read_events (self, error) || !tt_trace_event_add_samples (self, error) ||
      (self->dialect->end != NULL && !self->dialect->end (self, self->state, error)) ||
      !tt_arrange_check (self->arrange, error) || !tt_arrange_finish (self->arrange, error))
    return FALSE;

  TtInput *input = tt_trace_event_feed_input (self->feed);
  if (tt_input_is_cut (input))
    tt_sink_repair (self->sink, TT_REPAIR_PACKING_CUT, tt_input_offset (input));
  if (!check_strict (self, error))
    return FALSE;

  g_autofree char *hash = tt_input_hash (input, error);
  if (hash == NULL)
    return FALSE;
  tt_sink_end_source (self->sink, tt_input_disk_bytes (input), hash, self->is_ticks ? TT_CLOCK_TICKS : self->clock);
  return TRUE;
}

static gboolean
takes_options (const TtTraceEventImport *self, GError **error)
{
  if (self->options->is_step == NULL || self->dialect->takes_step_names)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
               "'%s' is of format %s: '--step-by' names the steps of PyTorch traces only", self->path,
               self->dialect->name);
  return FALSE;
}

gboolean
tt_trace_event_import_file (const char *path,
                            const TtDialect *const *dialects,
                            const TtImportOptions *options,
                            TtSink *sink,
                            GError **error)
{
  g_autoptr (TtClues) clues = tt_clues_new (path, error);
  g_auto (TtTraceEventImport)
      self = { .sink = sink, .options = options, .path = path, .rank = options->rank, .clock = TT_CLOCK_RELATIVE };

  if (clues == NULL)
    return FALSE;
  self.feed = tt_trace_event_feed_new (path, sink, options->strict, error);
  if (self.feed == NULL)
    return FALSE;
  self.dialect = best_dialect (dialects, clues);
  if (!takes_options (&self, error))
    return FALSE;
  self.arrange = tt_arrange_new (sink);
  self.lanes = tt_byte_ids_new (LANES_BYTES);
  self.all_lanes = tt_text_ids_new ();
  self.names = tt_byte_ids_new (NAMES_BYTES);
  self.known_lanes = g_new0 (TtKnownLane, TT_MAX_LANES);
  self.known_labels = g_new0 (guint32, TT_MAX_LABELS);
  self.headers = g_ptr_array_new_with_free_func (g_free);
  tt_args_keeper_init (&self.args, sink, options->args);
  self.text = g_string_new (NULL);
  self.stacks = tt_stacks_new ();
  tt_names_set_source (sink->names, self.dialect->name);
  tt_sink_begin_source (sink, self.dialect->name, path, TT_CLOCK_RELATIVE);
  if (self.dialect->begin != NULL)
    self.state = self.dialect->begin (&self, clues);
  g_clear_pointer (&clues, tt_clues_free);
  tt_trace_event_feed_on_header (self.feed, on_header, &self);
  gboolean is_done = read_file (&self, error);
  if (tt_trace_event_feed_is_unordered (self.feed))
    *options->found_disorder = TRUE;
  return is_done;
}

gboolean
tt_trace_event_import_set (const TtInputSet *input,
                           const TtDialect *const *dialects,
                           const TtImportOptions *options,
                           TtSink *sink,
                           GError **error)
{
  for (guint i = 0; i < input->paths->len; i++)
    if (!tt_trace_event_import_file (input->paths->pdata[i], dialects, options, sink, error))
      return FALSE;
  return TRUE;
}
