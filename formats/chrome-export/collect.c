/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/collect.h"

#include "formats/chrome-export/json.h"
#include "formats/chrome-export/part.h"
#include "formats/chrome-export/record-packing.h"
#include "formats/chrome-export/roots.h"
#include "formats/chrome-export/span-waits.h"

#include <string.h>
#include <xxhash.h>

/* Of the main sorter; everything together stays below the 100 MB of a conversion. */
#define SORTER_BYTES ((gsize) 20 << 20)
#define EXTRAS_BYTES ((gsize) 8 << 20)
#define HASHES_BYTES ((gsize) 4 << 20)

/* Numbers of sources that fit into a record. */
#define MANY_SOURCES 0xfffu

static void
clear_track (ChromeTrack *track)
{
  g_free (track->ends);
}

static void
clear_thread (gpointer data)
{
  ChromeThread *thread = data;

  g_free (thread->tid);
  g_free (thread->label);
  clear_track (&thread->track);
  g_clear_pointer (&thread->more_tracks, g_array_unref);
}

static void
clear_process (gpointer data)
{
  ChromeProcess *process = data;

  g_free (process->pid);
  g_free (process->label);
}

static void
clear_series (gpointer data)
{
  g_free (((ChromeSeries *) data)->name);
  g_free (((ChromeSeries *) data)->unit);
}

TtChrome *
tt_chrome_new (const TtExportOptions *options, TtExportReport *report)
{
  TtChrome *self = g_new0 (TtChrome, 1);

  self->options = options;
  self->report = report;
  self->begin_ns = G_MININT64;
  self->end_ns = G_MAXINT64;
  self->language = options->language != NULL ? options->language : &tt_chrome_language_json;
  if (self->language->tells_roots)
    self->roots = tt_chrome_roots_new ();
  self->lanes = tt_chrome_lanes_new ();
  self->sorter = tt_sorter_new (sizeof (ChromeRecord), SORTER_BYTES);
  tt_sorter_sort_ahead (self->sorter);
  tt_sorter_pack (self->sorter, &tt_chrome_record_packing);
  self->extras = tt_spill_new (EXTRAS_BYTES);
  self->args = tt_chrome_args_new ();
  self->sources = g_array_new (FALSE, TRUE, sizeof (ChromeSource));
  self->processes = g_array_new (FALSE, TRUE, sizeof (ChromeProcess));
  self->threads = g_array_new (FALSE, TRUE, sizeof (ChromeThread));
  self->series = g_array_new (FALSE, TRUE, sizeof (ChromeSeries));
  g_array_set_clear_func (self->processes, clear_process);
  g_array_set_clear_func (self->threads, clear_thread);
  g_array_set_clear_func (self->series, clear_series);
  self->name_hashes = tt_sorter_new (sizeof (ChromeNameHash), HASHES_BYTES);
  self->thread_text = g_string_new (NULL);
  self->scratch = g_string_new (NULL);
  self->json = tt_output_open_memory ();
  self->flow_kinds = g_string_chunk_new (256);
  self->pids_in_order = g_array_new (FALSE, FALSE, sizeof (guint32));
  return self;
}

void
tt_chrome_free (TtChrome *self)
{
  if (self == NULL)
    return;
  if (self->language->dispose != NULL)
    self->language->dispose (self);
  g_clear_pointer (&self->sorter, tt_sorter_free);
  g_clear_pointer (&self->messages, tt_sorter_free);
  g_clear_pointer (&self->name_hashes, tt_sorter_free);
  tt_chrome_roots_free (self->roots);
  tt_chrome_part_free (self->part);
  tt_spill_free (self->extras);
  tt_chrome_args_free (self->args);
  g_array_unref (self->sources);
  g_array_unref (self->processes);
  g_array_unref (self->threads);
  g_array_unref (self->series);
  tt_map64_clear (&self->series_threads);
  g_free (self->canonical);
  g_string_free (self->thread_text, TRUE);
  g_string_free (self->scratch, TRUE);
  tt_output_free (self->json);
  g_string_chunk_free (self->flow_kinds);
  g_clear_pointer (&self->fragments, tt_chrome_fragments_free);
  g_clear_pointer (&self->limit, tt_chrome_limit_free);
  g_array_unref (self->pids_in_order);
  tt_chrome_begun_clear (&self->begun);
  tt_chrome_lanes_free (self->lanes);
  g_free (self);
}

/* -- definitions ----------------------------------------------------------------------------------- */

static guint
source_number (TtChrome *self, guint32 id)
{
  const ChromeSource *sources = (const ChromeSource *) (gconstpointer) self->sources->data;
  guint n = self->sources->len;

  if (self->last_source < n && sources[self->last_source].id == id)
    return self->last_source;
  /* Mostly they come in order. */
  gboolean is_new = n == 0 || sources[n - 1].id < id;
  for (guint i = n; !is_new && i-- > 0;)
    if (sources[i].id == id)
      return self->last_source = i;

  ChromeSource source = { .id = id, .clock = TT_CLOCK_RELATIVE, .first_ns = TT_NO_TIME };
  g_array_append_val (self->sources, source);
  return self->last_source = self->sources->len - 1;
}

void
tt_chrome_source (TtChrome *self, guint32 id, TtClock clock)
{
  guint number = source_number (self, id);

  g_array_index (self->sources, ChromeSource, number).clock = clock;
}

/* Ids come from our own sink or store, where they are dense. */
static gpointer
item_at (GArray *array, guint32 id)
{
  if (id >= array->len)
    g_array_set_size (array, id + 1);
  return array->data + (gsize) id * g_array_get_element_size (array);
}

void
tt_chrome_source_time (TtChrome *self, guint32 id, gint64 first_ns)
{
  ChromeSource *source = &g_array_index (self->sources, ChromeSource, source_number (self, id));

  if (source->first_ns == TT_NO_TIME || first_ns < source->first_ns)
    source->first_ns = first_ns;
}

void
tt_chrome_process (TtChrome *self, guint32 id, const char *pid, const char *label, gint64 rank)
{
  ChromeProcess *process = item_at (self->processes, id);

  g_free (process->pid);
  g_free (process->label);
  process->pid = g_strdup (pid != NULL ? pid : "");
  process->label = g_strdup (label);
  process->rank = rank;
  process->sort_index = G_MAXINT64;
}

void
tt_chrome_metadata (TtChrome *self, guint32 process, guint32 thread, const char *key, const char *value)
{
  gint64 index;

  if (process != TT_NO_ID && thread == TT_NO_ID && g_strcmp0 (key, "process_sort_index") == 0 && value != NULL &&
      g_ascii_string_to_signed (value, 10, G_MININT32, G_MAXINT32, &index, NULL))
    ((ChromeProcess *) item_at (self->processes, process))->sort_index = index;
}

void
tt_chrome_thread (TtChrome *self, guint32 id, guint32 process, const char *tid, const char *label, gint64 order)
{
  ChromeThread *thread = item_at (self->threads, id);

  g_free (thread->tid);
  g_free (thread->label);
  thread->tid = g_strdup (tid != NULL ? tid : "");
  thread->label = g_strdup (label);
  thread->process = process;
  thread->order = order;
  thread->first_ns = TT_NO_TIME;
  thread->aside_ns = TT_NO_TIME;
  thread->is_wanted = TRUE;
}

void
tt_chrome_own_process (TtChrome *self, guint32 id, guint32 owner)
{
  ((ChromeProcess *) item_at (self->processes, id))->owner = owner == id ? TT_NO_ID : owner;
}

void
tt_chrome_label_process (TtChrome *self, guint32 id, const char *label, gint64 rank)
{
  ChromeProcess *process = item_at (self->processes, id);

  if (label != NULL)
    {
      g_free (process->label);
      process->label = g_strdup (label);
    }
  if (rank != -1)
    process->rank = rank;
}

void
tt_chrome_label_thread (TtChrome *self, guint32 id, const char *label, gint64 order)
{
  ChromeThread *thread = item_at (self->threads, id);

  if (label != NULL)
    {
      g_free (thread->label);
      thread->label = g_strdup (label);
    }
  if (order != -1)
    thread->order = order;
}

void
tt_chrome_series (TtChrome *self, guint32 id, const char *name, const char *unit)
{
  ChromeSeries *series = item_at (self->series, id);

  g_free (series->name);
  series->name = g_strdup (name != NULL ? name : "");
  g_free (series->unit);
  series->unit = unit != NULL && *unit != '\0' ? g_strdup (unit) : NULL;
}

void
tt_chrome_name (TtChrome *self, guint32 id, const char *text, const char *suffix)
{
  ChromeNameHash *record = tt_sorter_add (self->name_hashes);

  g_string_assign (self->scratch, text);
  g_string_append_c (self->scratch, '\0');
  if (suffix != NULL)
    g_string_append (self->scratch, suffix);
  XXH128_hash_t hash = XXH3_128bits (self->scratch->str, self->scratch->len);
  record->high = hash.high64;
  record->low = hash.low64;
  record->name = id;
  self->max_name = MAX (self->max_name, id);
}

/* -- rows ------------------------------------------------------------------------------------------ */

static guint64
add_extra (TtChrome *self, gconstpointer bytes, gsize len)
{
  guint64 offset = self->extras_end;

  tt_spill_write (self->extras, offset, bytes, len);
  self->extras_end += len;
  return offset;
}

void
tt_chrome_see_time (TtChrome *self, guint32 thread, gint64 ts_ns)
{
  gint64 *first_ns = &tt_chrome_thread_at (self, thread)->first_ns;

  if (*first_ns == TT_NO_TIME || ts_ns < *first_ns)
    *first_ns = ts_ns;
}

gint64
tt_chrome_first_time (const TtChrome *self)
{
  gint64 first_ns = G_MAXINT64;

  for (guint i = 0; i < self->sources->len; i++)
    {
      const ChromeSource *source = &g_array_index (self->sources, ChromeSource, i);
      if (source->first_ns != TT_NO_TIME)
        first_ns = MIN (first_ns, source->first_ns);
    }
  for (guint i = 0; i < self->threads->len; i++)
    {
      const ChromeThread *thread = &g_array_index (self->threads, ChromeThread, i);
      if (thread->tid != NULL && thread->first_ns != TT_NO_TIME)
        first_ns = MIN (first_ns, thread->first_ns);
    }
  return first_ns == G_MAXINT64 ? 0 : first_ns;
}

static gboolean
is_highlighted (TtChrome *self, guint64 event)
{
  const GArray *ids = self->options->highlight;

  if (ids == NULL)
    return FALSE;
  while (self->next_highlight < ids->len && g_array_index (ids, guint64, self->next_highlight) < event)
    self->next_highlight++;
  return self->next_highlight < ids->len && g_array_index (ids, guint64, self->next_highlight) == event;
}

static void
add_event_extra (TtChrome *self, const TtEvent *event, guint source, guint64 args, ChromeRecord *record)
{
  ChromeExtra extra = {
    .dur_ns = event->dur_ns,
    .self_ns = event->self_ns,
    .event = event->id,
    .step = event->step,
    .source = source,
    .args = args,
  };

  record->value = (gint64) add_extra (self, &extra, sizeof extra);
  record->bits |= CHROME_HAS_EXTRA;
}

/* Room for its record. Of equal keys those with a place come first: so none has one whose key may be that of an earlier
 * event without. */
static inline ChromeRecord *
add_record (TtChrome *self, ChromeThread *thread, gint64 ts_ns, guint64 place)
{
  ChromeRecord *record = NULL;

  if (G_LIKELY (place != TT_NO_PLACE && ts_ns > thread->aside_ns))
    record = tt_sorter_add_at (self->sorter, place);
  if (G_LIKELY (record != NULL))
    return record;
  thread->aside_ns = MAX (thread->aside_ns, ts_ns);
  return tt_sorter_add (self->sorter);
}

void
tt_chrome_event (TtChrome *self, const TtEvent *event, guint64 args, guint64 place)
{
  guint source = source_number (self, event->source);
  ChromeThread *thread = tt_chrome_thread_at (self, event->thread);
  ChromeRecord *record = add_record (self, thread, event->ts_ns, place);
  gboolean waits = tt_chrome_has_wait (self, event->id);

  tt_chrome_source_time (self, event->source, event->ts_ns);
  if (G_UNLIKELY (self->part != NULL))
    tt_chrome_part_see (self->part, self, event);
  if (G_UNLIKELY (thread->source == 0))
    thread->source = source + 1;

  record->ts = tt_sort_key (event->ts_ns);
  record->order = (guint64) MIN (event->depth, CHROME_MAX_DEPTH) << 32 | event->thread;
  record->value = event->dur_ns;
  record->name = event->name;
  record->bits = (event->dur_ns == TT_NO_TIME ? CHROME_INSTANT : CHROME_SPAN) | event->flags << CHROME_FLAGS_SHIFT |
                 MIN (source, MANY_SOURCES) << CHROME_SOURCE_SHIFT;
  if (G_UNLIKELY (args != 0 || event->step != TT_NO_STEP || self->options->selection != NULL ||
                  source >= MANY_SOURCES || event->dur_ns == 0 || waits ||
                  (self->roots != NULL && (event->flags & TT_FLAG_COLLECTIVE) != 0)))
    add_event_extra (self, event, source, args, record);
  if (G_UNLIKELY (is_highlighted (self, event->id)))
    record->bits |= CHROME_HIGHLIGHT;
  if (G_UNLIKELY (waits))
    record->bits |= CHROME_WAITS;
  self->n_collected++;
}

/* Whether a record alone holds all that is wanted of such events. */
static gboolean
is_record_enough (const TtChrome *self, guint source)
{
  const TtExportOptions *options = self->options;

  return options->selection == NULL && options->highlight == NULL && options->waits == NULL && self->part == NULL &&
         source < MANY_SOURCES;
}

/* One of a batch, whatever it has. */
static G_GNUC_NO_INLINE void
add_whole_event (TtChrome *self, const TtBatch *batch, guint i)
{
  const TtEventColumns *events = &batch->events;
  TtEvent event = {
    .id = events->first_event + i,
    .source = batch->source,
    .thread = events->thread[i],
    .name = events->name[i],
    .depth = events->depth[i],
    .flags = events->flags[i],
    .step = events->step[i],
    .ts_ns = events->ts_ns[i],
    .dur_ns = events->dur_ns[i],
    .self_ns = events->self_ns[i],
  };

  tt_chrome_event (self, &event, events->args[i], events->place[i]);
}

void
tt_chrome_events (TtChrome *self, const TtBatch *batch)
{
  const TtEventColumns *events = &batch->events;
  const guint source = events->n == 0 ? 0 : source_number (self, batch->source);
  const gboolean is_enough = is_record_enough (self, source);
  const guint32 odd_flags = self->roots != NULL ? TT_FLAG_COLLECTIVE : 0;
  gint64 first_ns = G_MAXINT64;

  for (guint i = 0; i < events->n; i++)
    {
      ChromeThread *thread = tt_chrome_thread_at (self, events->thread[i]);

      if (G_UNLIKELY (!is_enough || events->args[i] != 0 || events->step[i] != TT_NO_STEP || events->dur_ns[i] == 0 ||
                      (events->flags[i] & odd_flags) != 0 || thread->source == 0))
        {
          add_whole_event (self, batch, i);
          continue;
        }
      ChromeRecord *record = add_record (self, thread, events->ts_ns[i], events->place[i]);
      record->ts = tt_sort_key (events->ts_ns[i]);
      record->order = (guint64) MIN (events->depth[i], CHROME_MAX_DEPTH) << 32 | events->thread[i];
      record->value = events->dur_ns[i];
      record->name = events->name[i];
      record->bits = (events->dur_ns[i] == TT_NO_TIME ? CHROME_INSTANT : CHROME_SPAN) |
                     events->flags[i] << CHROME_FLAGS_SHIFT | source << CHROME_SOURCE_SHIFT;
      first_ns = MIN (first_ns, events->ts_ns[i]);
      self->n_collected++;
    }
  if (first_ns < G_MAXINT64)
    tt_chrome_source_time (self, batch->source, first_ns);
}

/* A viewer draws counters per process: a series on several threads of one process needs ids. */
static void
see_series (TtChrome *self, guint32 series, guint32 thread)
{
  ChromeSeries *counted = &g_array_index (self->series, ChromeSeries, series);
  guint64 key = (guint64) tt_chrome_thread_at (self, thread)->process << 32 | series;

  if (counted->has_several_threads)
    return;
  guint32 first = tt_map64_get (&self->series_threads, key);
  if (first == TT_MAP64_NONE)
    tt_map64_set (&self->series_threads, key, thread);
  else if (first != thread)
    counted->has_several_threads = TRUE;
}

void
tt_chrome_counter (TtChrome *self, guint32 series, guint32 thread, gint64 ts_ns, gboolean is_real, gint64 bits)
{
  if (self->language->only_spans)
    return;

  tt_chrome_see_time (self, thread, ts_ns);
  see_series (self, series, thread);
  if (ts_ns < self->begin_ns || ts_ns > self->end_ns)
    return;
  ChromeRecord *record = tt_sorter_add (self->sorter);
  record->ts = tt_sort_key (ts_ns);
  record->order = (guint64) (CHROME_COUNTER_DEPTH | (series & 0xffffffu)) << 32 | thread;
  record->value = bits;
  record->name = series;
  record->bits = is_real ? CHROME_COUNTER_REAL : CHROME_COUNTER;
  self->n_collected++;
}
