/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/write.h"

#include "formats/chrome-export/line.h"
#include "formats/chrome-export/numbering.h"
#include "formats/chrome-export/part.h"
#include "formats/chrome-export/plain.h"
#include "formats/chrome-export/record-packing.h"
#include "formats/chrome-export/rows.h"
#include "formats/chrome-export/side.h"
#include "formats/chrome-export/slice.h"
#include "formats/chrome-export/stream.h"
#include "formats/chrome-export/tracks.h"

#include "src/base/error.h"
#include "src/base/units.h"

#include <string.h>

/* What is left of the sorters' memory for sorting once more. */
#define SECOND_SORTER_BYTES ((gsize) 12 << 20)
#define SECOND_MESSAGES_BYTES ((gsize) 8 << 20)

/* -- sorting once more --------------------------------------------------------------------------------- */

typedef struct
{
  TtSorter *sorter, *messages;
} SecondSort;

static void
keep_record (TtChrome *self, const ChromeRecord *record, gpointer data)
{
  SecondSort *second = data;

  memcpy (tt_sorter_add (second->sorter), record, sizeof *record);
}

static void
keep_message (TtChrome *self, const ChromeMessage *message, gpointer data)
{
  SecondSort *second = data;

  memcpy (tt_sorter_add (second->messages), message, sizeof *message);
}

static gint64
rebased (const TtChrome *self, TtClock clock, guint64 key)
{
  gint64 ns;

  return __builtin_sub_overflow (tt_sort_value (key), self->clocks.shift_ns[clock], &ns) ? G_MAXINT64 : ns;
}

static void
rebase_record (TtChrome *self, const ChromeRecord *record, gpointer data)
{
  ChromeRecord moved = *record;
  guint kind = record->bits & CHROME_KIND_MASK;
  TtClock clock = kind == CHROME_SPAN || kind == CHROME_INSTANT
                      ? tt_chrome_event_clock (self, tt_chrome_extra (self, record).source)
                      : tt_chrome_thread_clock (self, (guint32) record->order);

  moved.ts = tt_sort_key (rebased (self, clock, record->ts));
  keep_record (self, &moved, data);
}

static void
rebase_message (TtChrome *self, const ChromeMessage *message, gpointer data)
{
  ChromeMessage moved = *message;
  TtClock clock = tt_chrome_thread_clock (self, (guint32) message->order);

  moved.ts = tt_sort_key (rebased (self, clock, message->ts));
  if (moved.end_ns != TT_NO_TIME)
    {
      moved.span_ns = rebased (self, clock, tt_sort_key (message->span_ns));
      moved.end_ns = rebased (self, clock, tt_sort_key (message->end_ns));
    }
  keep_message (self, &moved, data);
}

static gboolean
sort_again (TtChrome *self, ChromeVisitor visitor, const char *label, GError **error)
{
  SecondSort *second = visitor.data;

  second->sorter = tt_sorter_new (sizeof (ChromeRecord), SECOND_SORTER_BYTES);
  tt_sorter_pack (second->sorter, &tt_chrome_record_packing);
  second->messages = tt_sorter_new (sizeof (ChromeMessage), SECOND_MESSAGES_BYTES);
  gboolean ok = tt_chrome_each (self, &visitor, label, error);

  tt_sorter_free (self->sorter);
  g_clear_pointer (&self->messages, tt_sorter_free);
  self->sorter = second->sorter;
  self->messages = second->messages;
  return ok && tt_sorter_finish (self->sorter, error) && tt_sorter_finish (self->messages, error);
}

/* -- --max-size ------------------------------------------------------------------------------------------ */

typedef struct
{
  SecondSort second; /* first member: the visitors above take it */
  guint64 before;
} Measure;

static guint64
measured (TtChrome *self, Measure *measure)
{
  guint64 total = tt_output_total (self->out);
  guint64 bytes = total - measure->before;

  /* The text itself is of no use; mostly it has not left the buffer. */
  if (total - self->out->used > measure->before)
    g_string_free (tt_output_steal_text (self->out), TRUE);
  self->out->used = 0;
  measure->before = tt_output_total (self->out);
  return bytes;
}

static void
measure_record (TtChrome *self, const ChromeRecord *record, gpointer data)
{
  Measure *measure = data;
  guint64 tracks = self->track_bytes;

  tt_chrome_write_record (self, record);
  guint64 bytes = measured (self, measure) - (self->track_bytes - tracks);
  if ((record->bits & CHROME_KIND_MASK) == CHROME_SPAN)
    {
      ChromeExtra extra = tt_chrome_extra (self, record);
      tt_chrome_limit_add_span (self->limit, extra.dur_ns, (guint32) (record->order >> 32), bytes);
    }
  else
    tt_chrome_limit_add_point (self->limit, bytes);
  keep_record (self, record, &measure->second);
}

/* An arrow stays as long as both its spans do, so as the one that goes first. */
static void
measure_message (TtChrome *self, const ChromeMessage *message, gpointer data)
{
  Measure *measure = data;
  guint64 tracks = self->track_bytes;

  tt_chrome_write_side (self, message);
  guint64 bytes = measured (self, measure) - (self->track_bytes - tracks);
  if (message->kind == CHROME_HALF)
    tt_chrome_limit_add_point (self->limit, bytes);
  else if (message->send_dur_ns < message->recv_dur_ns)
    tt_chrome_limit_add_span (self->limit, message->send_dur_ns, message->send_depth, bytes);
  else
    tt_chrome_limit_add_span (self->limit, message->recv_dur_ns, message->recv_depth, bytes);
  keep_message (self, message, &measure->second);
}

static void
begin_pass (TtChrome *self, TtOutput *out)
{
  TtExportReport *report = self->report;

  self->out = out;
  self->n_lines = 0;
  g_clear_pointer (&self->fragments, tt_chrome_fragments_free);
  tt_chrome_lanes_free (self->lanes);
  self->lanes = tt_chrome_lanes_new ();
  self->fragments = tt_chrome_fragments_new ();
  report->n_spans = report->n_instants = report->n_counters = report->n_messages = report->n_dropped = 0;
  report->n_flows = report->n_long_args = report->n_aside = report->n_unnested = 0;
  report->shortest_kept_ns = G_MAXINT64;
  for (guint i = 0; i < self->pids_in_order->len; i++)
    tt_chrome_process_at (self, g_array_index (self->pids_in_order, guint32, i))->is_listed = FALSE;
  g_array_set_size (self->pids_in_order, 0);
  tt_chrome_begun_clear (&self->begun);
}

static gboolean
measure (TtChrome *self, GError **error)
{
  guint64 max_bytes = self->options->max_bytes;
  g_autoptr (TtOutput) memory = tt_output_open_memory ();
  Measure measure = { 0 };

  self->limit = tt_chrome_limit_new ();
  self->is_measuring = TRUE;
  begin_pass (self, memory);
  self->language->begin (self);
  guint64 fixed = measured (self, &measure);
  if (!sort_again (self, (ChromeVisitor){ .record = measure_record, .message = measure_message, .data = &measure },
                   "measuring", error))
    return FALSE;
  self->language->end (self);
  /* What is left out changes which spans overlap, so metadata between them may come in other places. */
  fixed += measured (self, &measure) + 2 * self->track_bytes;
  self->is_measuring = FALSE;
  tt_chrome_close_tracks (self);
  if (tt_chrome_limit_fix (self->limit, max_bytes, fixed))
    return TRUE;

  char text[TT_TIME_TEXT];
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
               "--max-size is too small: the names of processes and threads alone take %s",
               tt_bytes_auto (text, fixed));
  return FALSE;
}

/* -- the file ---------------------------------------------------------------------------------------------- */

static void
write_record (TtChrome *self, const ChromeRecord *record, gpointer data)
{
  if (G_UNLIKELY (self->slice.whole != NULL && !tt_chrome_slice_step (self, record)))
    return;
  tt_chrome_write_record (self, record);
}

static void
write_message (TtChrome *self, const ChromeMessage *message, gpointer data)
{
  const ChromeLimit *limit = self->limit;

  if (limit != NULL && message->kind == CHROME_HALF && !tt_chrome_limit_keeps_points (limit))
    return;
  if (limit != NULL && message->kind != CHROME_HALF &&
      !(tt_chrome_limit_keeps_span (limit, message->send_dur_ns, message->send_depth) &&
        tt_chrome_limit_keeps_span (limit, message->recv_dur_ns, message->recv_depth)))
    return;
  if (G_UNLIKELY (self->slice.whole != NULL && !tt_chrome_slice_step_to (self, message->ts)))
    return;
  tt_chrome_write_side (self, message);
}

/* What comes before all slices is of the first, and it counts as lines of the others. */
static void
write_head (TtChrome *self, TtOutput *out)
{
  g_autoptr (TtOutput) nowhere = tt_output_open_memory ();
  gboolean is_ours = self->slice.whole == NULL || tt_chrome_slice_is_first (self);

  self->out = is_ours ? out : nowhere;
  self->language->begin (self);
  self->out = out;
}

/* -- before the first line --------------------------------------------------------------------------------- */

/* Names that differ in their group only have one long name: the first counts for them. */
static gboolean
fold_names (TtChrome *self, GError **error)
{
  g_autoptr (GError) failed = NULL;
  ChromeNameHash first = { 0 };
  const ChromeNameHash *hash;

  if (!tt_sorter_finish (self->name_hashes, error))
    return FALSE;
  while ((hash = tt_sorter_next (self->name_hashes, &failed)) != NULL)
    {
      if (first.name == 0 || hash->high != first.high || hash->low != first.low)
        {
          first = *hash;
          continue;
        }
      if (self->canonical == NULL)
        self->canonical = g_new0 (guint32, (gsize) self->max_name + 1);
      self->canonical[hash->name] = (guint32) first.name;
    }
  g_clear_pointer (&self->name_hashes, tt_sorter_free);
  if (failed == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failed));
  return FALSE;
}

static void
see_clock (gint64 first_ns[3], TtClock clock, gint64 ns)
{
  if (ns != TT_NO_TIME && (first_ns[clock] == TT_NO_TIME || ns < first_ns[clock]))
    first_ns[clock] = ns;
}

static void
fix_clocks (TtChrome *self)
{
  gint64 first_ns[3] = { TT_NO_TIME, TT_NO_TIME, TT_NO_TIME };
  guint n_clocks = 0;

  /* Until it is known that there is one, each row is asked. */
  self->clocks.is_mixed = self->sources->len > 0;
  for (guint i = 0; i < self->sources->len; i++)
    {
      const ChromeSource *source = &g_array_index (self->sources, ChromeSource, i);
      see_clock (first_ns, source->clock, source->first_ns);
    }
  for (guint32 id = 0; id < self->threads->len; id++)
    {
      const ChromeThread *thread = tt_chrome_thread_at (self, id);
      if (thread->tid != NULL)
        see_clock (first_ns, tt_chrome_thread_clock (self, id), thread->first_ns);
    }

  for (TtClock clock = TT_CLOCK_EPOCH; clock <= TT_CLOCK_TICKS; clock++)
    if (first_ns[clock] != TT_NO_TIME)
      {
        self->clocks.only = clock;
        self->clocks.shift_ns[clock] = first_ns[clock];
        if (self->options->absolute)
          self->clocks.shift_ns[clock] = self->language->is_never_negative ? MIN (first_ns[clock], 0) : 0;
        n_clocks++;
      }
  memcpy (self->clocks.left_ns, self->clocks.shift_ns, sizeof self->clocks.left_ns);
  self->report->mixed_clocks = self->clocks.is_mixed = n_clocks > 1;
}

static void
choose_threads (TtChrome *self)
{
  gint64 begin_ns, end_ns;

  if (self->options->selection == NULL)
    return;
  tt_selection_window (self->options->selection, &begin_ns, &end_ns);
  for (guint32 id = 0; id < self->threads->len; id++)
    {
      ChromeThread *thread = tt_chrome_thread_at (self, id);
      thread->is_wanted = thread->tid != NULL && tt_selection_matches_point (self->options->selection, id, begin_ns);
    }
}

static gboolean
prepare (TtChrome *self, GError **error)
{
  if (!fold_names (self, error) || !tt_sorter_finish (self->sorter, error) ||
      (self->messages != NULL && !tt_sorter_finish (self->messages, error)))
    return FALSE;
  fix_clocks (self);
  choose_threads (self);
  tt_chrome_number (self);
  if (self->language->prepare != NULL)
    self->language->prepare (self);
  if (self->clocks.is_mixed)
    {
      SecondSort second;
      if (!sort_again (self, (ChromeVisitor){ .record = rebase_record, .message = rebase_message, .data = &second },
                       "sorting", error))
        return FALSE;
      memset (self->clocks.left_ns, 0, sizeof self->clocks.left_ns);
    }
  return self->options->max_bytes == 0 || measure (self, error);
}

gboolean
tt_chrome_finish (TtChrome *self, TtOutput *out, ChromeNameFunc get_name, gpointer name_data, GError **error)
{
  ChromeVisitor visitor = { .record = write_record, .message = write_message };

  self->get_name = get_name;
  self->name_data = name_data;
  if (!prepare (self, error) || (self->part != NULL && !tt_chrome_part_share_counts (self, error)))
    return FALSE;
  if (self->part != NULL && (self->part->is_odd || self->part->is_over))
    return TRUE;

  if (self->options->n_slices > 1)
    tt_chrome_slice_begin (self);
  begin_pass (self, out);
  write_head (self, out);
  if (tt_chrome_has_plain (self))
    visitor.records = tt_chrome_write_plain;
  if (!tt_chrome_each (self, &visitor, "writing", error))
    return FALSE;
  if (self->slice.whole == NULL || tt_chrome_slice_is_last (self))
    self->language->end (self);
  if (self->limit == NULL || self->report->n_spans == 0)
    self->report->shortest_kept_ns = 0;
  return self->part == NULL || tt_chrome_part_share_report (self, error);
}
