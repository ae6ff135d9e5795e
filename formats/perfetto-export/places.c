/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/perfetto-export/writer.h"

#include "formats/chrome-export/numbering.h"
#include "formats/chrome-export/titles.h"

/* Numbers of tracks: what they are in the lower bits, which one in the upper. */
#define TRACK_BITS 3

typedef enum
{
  TRACK_THREAD = 1,
  TRACK_PROCESS,
  TRACK_LANE,
  TRACK_LINE,
  TRACK_COUNTER,
  TRACK_GLOBAL,
} TrackKind;

static guint64
track_number (TrackKind kind, guint64 which)
{
  return which << TRACK_BITS | kind;
}

static guint64
line_number (const ChromeThread *thread, guint32 number)
{
  return track_number (TRACK_LINE, (guint64) thread->process << 31 | number);
}

guint64
tt_perfetto_place (const TtChrome *chrome, guint32 id, const ChromeTrack *line)
{
  const ChromeThread *thread = &g_array_index (chrome->threads, ChromeThread, id);

  if (G_LIKELY (line == NULL || line == &thread->track))
    return track_number (TRACK_THREAD, id);
  return line_number (thread, line->number);
}

/* -- pids and tids -------------------------------------------------------------------------------------- */

static void
choose_zero_pid (TtChrome *chrome)
{
  PerfettoWriter *self = tt_perfetto_writer (chrome);
  g_autoptr (GHashTable) used = g_hash_table_new (NULL, NULL);

  for (guint32 id = 0; id < chrome->processes->len; id++)
    if (tt_chrome_process_at (chrome, id)->pid != NULL)
      g_hash_table_add (used, GUINT_TO_POINTER (tt_chrome_process_at (chrome, id)->number));
  for (self->zero_pid = 1; g_hash_table_contains (used, GUINT_TO_POINTER (self->zero_pid));)
    self->zero_pid++;
}

static void
choose_zero_tid (TtChrome *chrome)
{
  PerfettoWriter *self = tt_perfetto_writer (chrome);

  self->zero_tid = self->zero_pid;
  for (guint32 id = 0; id < chrome->threads->len; id++)
    {
      const ChromeThread *thread = tt_chrome_thread_at (chrome, id);
      if (thread->tid != NULL && thread->track.number == self->zero_pid &&
          tt_chrome_process_at (chrome, thread->process)->number == 0)
        self->zero_tid = 0;
    }
}

static gint32
pid_of (const TtChrome *chrome, guint32 process)
{
  guint32 number = g_array_index (chrome->processes, ChromeProcess, process).number;

  return (gint32) (number == 0 ? tt_perfetto_writer (chrome)->zero_pid : number);
}

static gint64
tid_of (TtChrome *chrome, const ChromeThread *thread)
{
  if (thread->track.number == 0 && tt_chrome_process_at (chrome, thread->process)->number == 0)
    return tt_perfetto_writer (chrome)->zero_tid;
  return thread->track.number;
}

/* -- processes and threads ------------------------------------------------------------------------------ */

static void
write_process (TtChrome *chrome, guint32 id)
{
  const ChromeProcess *process = tt_chrome_process_at (chrome, id);

  tt_perfetto_process (tt_perfetto_writer (chrome)->packets,
                       &(PerfettoProcess){
                           .track = track_number (TRACK_PROCESS, id),
                           .pid = pid_of (chrome, id),
                           .name = tt_chrome_process_title (chrome, id),
                           .label = process->label,
                           .rank = (gint32) MIN (process->position, (guint32) G_MAXINT32),
                       });
}

static void
write_thread (TtChrome *chrome, guint32 id)
{
  const ChromeThread *thread = tt_chrome_thread_at (chrome, id);

  tt_perfetto_thread (tt_perfetto_writer (chrome)->packets,
                      &(PerfettoThread){
                          .track = track_number (TRACK_THREAD, id),
                          .pid = pid_of (chrome, thread->process),
                          .tid = tid_of (chrome, thread),
                          .name = tt_chrome_thread_title (chrome, thread),
                          .rank = (gint32) CLAMP (thread->order, G_MININT32, G_MAXINT32),
                      });
}

void
tt_perfetto_write_places (TtChrome *chrome)
{
  g_autofree gboolean *is_wanted = tt_chrome_wanted_processes (chrome);

  choose_zero_pid (chrome);
  choose_zero_tid (chrome);
  for (guint32 id = 0; id < chrome->processes->len; id++)
    if (is_wanted[id])
      write_process (chrome, id);
  for (guint32 id = 0; id < chrome->threads->len; id++)
    {
      const ChromeThread *thread = tt_chrome_thread_at (chrome, id);
      if (thread->tid != NULL && thread->is_wanted)
        write_thread (chrome, id);
    }
}

/* -- within a thread ------------------------------------------------------------------------------------- */

static guint32
id_of (const TtChrome *chrome, const ChromeThread *thread)
{
  return (guint32) (thread - (const ChromeThread *) (gconstpointer) chrome->threads->data);
}

void
tt_perfetto_write_line (TtChrome *chrome, const ChromeThread *thread, guint32 number)
{
  tt_perfetto_track (tt_perfetto_writer (chrome)->packets,
                     &(PerfettoTrack){
                         .track = line_number (thread, number),
                         .parent = track_number (TRACK_THREAD, id_of (chrome, thread)),
                         .name = tt_chrome_thread_title (chrome, thread),
                         .rank = (gint32) MIN (number, (guint32) G_MAXINT32),
                     });
}

/* Within the process: what is on a thread's track or below it counts as calls of the thread. */
static guint64
lane_of (TtChrome *chrome, const ChromeShown *shown)
{
  guint64 track = track_number (TRACK_LANE, shown->lane);
  TtStoredName name;

  if (shown->lane_is_new)
    {
      guint64 before = tt_output_total (chrome->out);

      if (!chrome->get_name (chrome->name_data, shown->record->name, &name) || name.text == NULL)
        name.text = "?";
      tt_perfetto_track (tt_perfetto_writer (chrome)->packets,
                         &(PerfettoTrack){
                             .track = track,
                             .parent = track_number (TRACK_PROCESS, shown->thread->process),
                             .name = name.text,
                             .rank = (gint32) MIN (shown->lane, (guint64) G_MAXINT32),
                         });
      chrome->track_bytes += tt_output_total (chrome->out) - before;
    }
  return track;
}

/* -- events ----------------------------------------------------------------------------------------------- */

/* Of instants that concern everything. */
static guint64
global_place (TtChrome *chrome)
{
  PerfettoWriter *self = tt_perfetto_writer (chrome);
  guint64 track = track_number (TRACK_GLOBAL, 0), before = tt_output_total (chrome->out);

  if (!self->has_global)
    {
      self->has_global = TRUE;
      tt_perfetto_track (self->packets, &(PerfettoTrack){ .track = track, .name = "all processes" });
      chrome->track_bytes += tt_output_total (chrome->out) - before;
    }
  return track;
}

guint64
tt_perfetto_place_of (TtChrome *chrome, const ChromeShown *shown)
{
  if (G_UNLIKELY (shown->lane != 0))
    return lane_of (chrome, shown);
  if (G_UNLIKELY (!shown->is_span && shown->scope == 'p'))
    return track_number (TRACK_PROCESS, shown->thread->process);
  if (G_UNLIKELY (!shown->is_span && shown->scope == 'g'))
    return global_place (chrome);
  return tt_perfetto_place (chrome, (guint32) shown->record->order, shown->track);
}

/* -- counters -------------------------------------------------------------------------------------------- */

static guint32
define_counter (TtChrome *chrome, const ChromeSeries *series, guint32 process, guint32 thread)
{
  PerfettoWriter *self = tt_perfetto_writer (chrome);
  guint64 before = tt_output_total (chrome->out);
  guint32 number = ++self->n_counters;

  tt_perfetto_counter (self->packets, &(PerfettoCounter){
                                          .track = track_number (TRACK_COUNTER, number),
                                          .parent = series->has_several_threads
                                                        ? track_number (TRACK_THREAD, thread)
                                                        : track_number (TRACK_PROCESS, process),
                                          .name = series->name,
                                          .unit = series->unit,
                                      });
  chrome->track_bytes += tt_output_total (chrome->out) - before;
  return number;
}

guint64
tt_perfetto_series (TtChrome *chrome, guint32 id, guint32 thread)
{
  PerfettoWriter *self = tt_perfetto_writer (chrome);
  const ChromeSeries *series = &g_array_index (chrome->series, ChromeSeries, id);
  guint32 process = tt_chrome_thread_at (chrome, thread)->process;
  guint32 owner = series->has_several_threads ? thread : process;
  guint64 key = (guint64) id << 32 | owner;
  PerfettoRecentCounter *recent = &self->recent_counters[(id * 31 + owner) % PERFETTO_RECENT_COUNTERS];

  if (G_UNLIKELY (recent->number == 0 || recent->key != key))
    {
      recent->key = key;
      recent->number = tt_map64_get (&self->counters, key);
      if (recent->number == TT_MAP64_NONE)
        {
          recent->number = define_counter (chrome, series, process, thread);
          tt_map64_set (&self->counters, key, recent->number);
        }
    }
  return track_number (TRACK_COUNTER, recent->number);
}
