/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/part.h"

#include "src/base/array-sort.h"
#include "src/base/array.h"
#include "src/base/error.h"
#include "src/base/packed.h"
#include "src/trace/span.h"

#define MAX_COUNTS (1u << 22)
#define ODD_FLAGS (TT_FLAG_ASYNC | TT_FLAG_OVERLAP)

/* What rank 0 says to what it was given. */
enum
{
  GO_ON,
  ODD,
};

ChromePart *
tt_chrome_part_new (const TtCrew *crew, guint32 max_thread)
{
  ChromePart *self = g_new0 (ChromePart, 1);

  self->crew = crew;
  self->max_thread = max_thread;
  self->has_begun = g_new0 (guint8, (gsize) max_thread + 1);
  self->is_open = g_new0 (guint8, (gsize) max_thread + 1);
  self->counts = g_array_new (FALSE, FALSE, sizeof (ChromeNameCount));
  return self;
}

void
tt_chrome_part_free (ChromePart *self)
{
  if (self == NULL)
    return;
  g_free (self->has_begun);
  g_free (self->is_open);
  tt_map64_clear (&self->numbers);
  g_array_unref (self->counts);
  g_free (self);
}

/* -- reading ------------------------------------------------------------------------------------------------ */

static ChromeNameCount *
count_of (ChromePart *self, guint64 key)
{
  guint32 number = tt_map64_get (&self->numbers, key);

  if (number == TT_MAP64_NONE)
    {
      const ChromeNameCount count = { .key = key };
      number = self->counts->len;
      tt_map64_set (&self->numbers, key, number);
      g_array_append_val (self->counts, count);
    }
  return &g_array_index (self->counts, ChromeNameCount, number);
}

void
tt_chrome_part_see (ChromePart *self, const TtChrome *chrome, const TtEvent *event)
{
  const gboolean is_span = event->dur_ns != TT_NO_TIME;

  self->is_odd |= (event->flags & ODD_FLAGS) != 0;
  if (event->ts_ns < self->first_ns)
    {
      self->has_begun[event->thread] |= event->ts_ns >= self->from_ns;
      self->is_open[event->thread] |= is_span && tt_span_end (event->ts_ns, event->dur_ns) > self->first_ns;
    }
  else if (is_span && event->ts_ns <= self->last_ns)
    {
      const guint32 process = g_array_index (chrome->threads, ChromeThread, event->thread).process;
      count_of (self, (guint64) process << 32 | event->name)->n++;
      self->is_odd |= self->counts->len > MAX_COUNTS;
    }
}

gboolean
tt_chrome_part_is_settled (const ChromePart *self)
{
  for (guint32 i = 0; i <= self->max_thread; i++)
    if (self->is_open[i] && !self->has_begun[i])
      return FALSE;
  return TRUE;
}

gboolean
tt_chrome_part_wants (const ChromePart *self, gint64 ns)
{
  return ns >= self->from_ns && ns <= self->last_ns;
}

/* -- numbers of occurrences --------------------------------------------------------------------------------- */

/* Names of one text count as one. */
static void
fold_counts (TtChrome *chrome)
{
  ChromePart *self = chrome->part;
  g_autoptr (GArray) counts = g_steal_pointer (&self->counts);

  tt_map64_clear (&self->numbers);
  self->counts = g_array_new (FALSE, FALSE, sizeof (ChromeNameCount));
  for (guint i = 0; i < counts->len; i++)
    {
      const ChromeNameCount *count = &g_array_index (counts, ChromeNameCount, i);
      const guint32 canonical = chrome->canonical == NULL ? 0 : chrome->canonical[(guint32) count->key];
      const guint64 key = canonical == 0 ? count->key : (count->key & ~(guint64) G_MAXUINT32) | canonical;
      count_of (self, key)->n += count->n;
    }
  tt_map64_clear (&self->numbers);
}

static TtArrayKey
key_of_count (gconstpointer element)
{
  return (TtArrayKey){ ((const ChromeNameCount *) element)->key, 0 };
}

static GByteArray *
pack_counts (const ChromePart *self)
{
  GByteArray *bytes = g_byte_array_new ();
  guint64 last = 0;

  tt_pack_number (bytes, self->is_odd ? ODD : GO_ON);
  tt_pack_number (bytes, self->is_odd ? 0 : self->counts->len);
  for (guint i = 0; i < self->counts->len && !self->is_odd; i++)
    {
      const ChromeNameCount *count = &g_array_index (self->counts, ChromeNameCount, i);
      tt_pack_number (bytes, count->key - last);
      tt_pack_number (bytes, count->n);
      last = count->key;
    }
  return bytes;
}

static gboolean
fail_words (guint rank, GError **error)
{
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "rank %u: what it says of its part of the file cannot be right", rank);
  return FALSE;
}

/* @totals: by key, of the ranks before; what they have said is added. @answer: how often each name of the rank occurred
 * before. */
static gboolean
add_counts (ChromePart *totals, const GByteArray *bytes, GByteArray *answer, gboolean *is_odd)
{
  TtUnpack from = tt_unpack_all (bytes);
  guint64 key = 0;

  *is_odd |= tt_unpack_below (&from, ODD) == ODD;
  const guint64 n = tt_unpack_below (&from, MAX_COUNTS);
  for (guint64 i = 0; i < n && !from.is_bad; i++)
    {
      key += tt_unpack_number (&from);
      ChromeNameCount *total = count_of (totals, key);
      tt_pack_number (answer, total->n);
      total->n += tt_unpack_number (&from);
      *is_odd |= totals->counts->len > MAX_COUNTS;
    }
  return !from.is_bad;
}

static void
read_counts_before (ChromePart *self, TtUnpack *from)
{
  for (guint i = 0; i < self->counts->len; i++)
    g_array_index (self->counts, ChromeNameCount, i).n_before = tt_unpack_number (from);
}

/* Of all other ranks, by rank. NULL: @error, or one has failed. */
static GPtrArray *
take_all (const TtCrew *crew, GError **error)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func ((GDestroyNotify) g_byte_array_unref);

  for (guint rank = 1; rank < crew->n; rank++)
    {
      GByteArray *bytes = crew->take (rank, error);
      if (bytes == NULL)
        return NULL;
      g_ptr_array_add (all, bytes);
    }
  return g_steal_pointer (&all);
}

/* @rests: NULL, or what to say to each after the word. */
static gboolean
tell_all (const TtCrew *crew, guint word, const GPtrArray *rests, GError **error)
{
  for (guint rank = 1; rank < crew->n; rank++)
    {
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      tt_pack_number (bytes, word);
      if (rests != NULL)
        {
          const GByteArray *rest = g_ptr_array_index (rests, rank - 1);
          g_byte_array_append (bytes, rest->data, rest->len);
        }
      if (!crew->tell (rank, bytes, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
collect_counts (ChromePart *self, GError **error)
{
  g_autoptr (GPtrArray) all = take_all (self->crew, error);
  g_autoptr (GPtrArray) answers = g_ptr_array_new_with_free_func ((GDestroyNotify) g_byte_array_unref);
  g_autoptr (ChromePart) totals = tt_chrome_part_new (NULL, 0);
  g_autoptr (GByteArray) own = pack_counts (self), nothing = g_byte_array_new ();

  if (all == NULL || !add_counts (totals, own, nothing, &self->is_odd))
    return FALSE;
  for (guint i = 0; i < all->len; i++)
    {
      GByteArray *answer = g_byte_array_new ();
      g_ptr_array_add (answers, answer);
      if (!add_counts (totals, g_ptr_array_index (all, i), answer, &self->is_odd))
        return fail_words (i + 1, error);
    }
  return tell_all (self->crew, self->is_odd ? ODD : GO_ON, self->is_odd ? NULL : answers, error);
}

/* On other ranks than 0: gives @bytes, and hears the word, and what comes after it. */
static gboolean
give_and_hear (ChromePart *self, const GByteArray *bytes, gboolean has_counts, GError **error)
{
  self->crew->give (bytes);
  g_autoptr (GByteArray) heard = self->crew->hear ();

  self->is_over = heard == NULL;
  if (self->is_over)
    return TRUE;
  TtUnpack from = tt_unpack_all (heard);
  self->is_odd = tt_unpack_below (&from, ODD) == ODD;
  if (has_counts && !self->is_odd)
    read_counts_before (self, &from);
  if (from.is_bad)
    g_set_error_literal (error, TT_ERROR, TT_ERROR_INPUT, "what rank 0 says of the file cannot be right");
  return !from.is_bad;
}

gboolean
tt_chrome_part_share_counts (TtChrome *chrome, GError **error)
{
  ChromePart *self = chrome->part;

  /* Which of them the rest of the run has is not known here. */
  self->is_odd |= chrome->report->n_flows_lost > 0 || chrome->clocks.is_mixed;
  fold_counts (chrome);
  tt_array_sort_by_key (self->counts, key_of_count, NULL);
  if (self->crew->rank == 0)
    return collect_counts (self, error);
  g_autoptr (GByteArray) bytes = pack_counts (self);
  return give_and_hear (self, bytes, TRUE, error);
}

/* -- writing ------------------------------------------------------------------------------------------------ */

static void
clear_report (TtExportReport *report)
{
  report->n_spans = report->n_instants = report->n_counters = report->n_messages = report->n_dropped = 0;
  report->n_flows = report->n_long_args = report->n_aside = report->n_unnested = 0;
}

static void
enter (TtChrome *chrome)
{
  ChromePart *self = chrome->part;

  self->has_entered = TRUE;
  clear_report (chrome->report);
  for (guint i = 0; i < self->counts->len; i++)
    {
      const ChromeNameCount *count = &g_array_index (self->counts, ChromeNameCount, i);
      *tt_chrome_fragment (chrome, (guint32) (count->key >> 32), TT_NO_ID, (guint32) count->key).count =
          count->n_before;
    }
}

gboolean
tt_chrome_part_step (TtChrome *chrome, gint64 ns)
{
  ChromePart *self = chrome->part;

  if (ns > self->last_ns)
    return FALSE;
  if (ns >= self->first_ns && !self->has_entered)
    enter (chrome);
  return TRUE;
}

/* -- after it ----------------------------------------------------------------------------------------------- */

/* What is counted once in all. */
#define N_SUMS 6u

static void
list_sums (TtExportReport *report, guint64 **sums)
{
  guint64 *const all[N_SUMS] = { &report->n_spans,    &report->n_instants, &report->n_counters,
                                 &report->n_messages, &report->n_flows,    &report->n_dropped };

  memcpy (sums, all, sizeof all);
}

static gboolean
has_further_lines (const TtChrome *chrome)
{
  for (guint i = 0; i < chrome->threads->len; i++)
    if (g_array_index (chrome->threads, ChromeThread, i).more_tracks != NULL)
      return TRUE;
  return FALSE;
}

static gboolean
collect_reports (TtChrome *chrome, GError **error)
{
  ChromePart *self = chrome->part;
  g_autoptr (GPtrArray) all = take_all (self->crew, error);
  guint64 *sums[N_SUMS];

  if (all == NULL)
    return FALSE;
  list_sums (chrome->report, sums);
  for (guint i = 0; i < all->len; i++)
    {
      const GByteArray *bytes = g_ptr_array_index (all, i);
      TtUnpack from = tt_unpack_all (bytes);
      self->is_odd |= tt_unpack_below (&from, ODD) == ODD;
      for (guint k = 0; k < N_SUMS; k++)
        *sums[k] += tt_unpack_number (&from);
      if (from.is_bad)
        return fail_words (i + 1, error);
    }
  return tell_all (self->crew, self->is_odd ? ODD : GO_ON, NULL, error);
}

gboolean
tt_chrome_part_share_report (TtChrome *chrome, GError **error)
{
  ChromePart *self = chrome->part;
  guint64 *sums[N_SUMS];

  if (!self->has_entered)
    enter (chrome);
  self->is_odd |= has_further_lines (chrome);
  if (self->crew->rank == 0)
    return collect_reports (chrome, error);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  tt_pack_number (bytes, self->is_odd ? ODD : GO_ON);
  list_sums (chrome->report, sums);
  for (guint k = 0; k < N_SUMS; k++)
    tt_pack_number (bytes, *sums[k]);
  return give_and_hear (self, bytes, FALSE, error);
}
