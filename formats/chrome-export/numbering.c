#include "config.h"

#include "formats/chrome-export/private.h"

#include <string.h>

/* Viewers want pid and tid as numbers: the rank, or the number that the text is, where free. */

typedef struct
{
  GHashTable *used;
  guint32 next; /* above all numbers used */
} Numbers;

static gboolean
take_number (Numbers *numbers, guint64 number)
{
  if (number > G_MAXINT32 || !g_hash_table_add (numbers->used, GUINT_TO_POINTER ((guint) number)))
    return FALSE;
  numbers->next = MAX (numbers->next, (guint32) number + 1);
  return TRUE;
}

static gboolean
take_text (Numbers *numbers, const char *text, guint32 *number)
{
  guint64 value;

  if (!g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT32, &value, NULL) || !take_number (numbers, value))
    return FALSE;
  *number = (guint32) value;
  return TRUE;
}

/* One flag a process: some of its threads are written. Free it. */
static gboolean *
wanted_processes (TtChrome *self)
{
  gboolean *is_wanted = g_new0 (gboolean, self->processes->len + 1);

  for (guint32 id = 0; id < self->threads->len; id++)
    {
      const ChromeThread *thread = tt_chrome_thread_at (self, id);
      if (thread->tid != NULL && thread->is_wanted)
        is_wanted[thread->process] = TRUE;
    }
  return is_wanted;
}

typedef gboolean (*NumberFunc) (Numbers *numbers, ChromeProcess *process);

static gboolean
number_by_rank (Numbers *numbers, ChromeProcess *process)
{
  if (process->rank < 0 || !take_number (numbers, (guint64) process->rank))
    return FALSE;
  process->number = (guint32) process->rank;
  return TRUE;
}

static gboolean
number_by_text (Numbers *numbers, ChromeProcess *process)
{
  return take_text (numbers, process->pid, &process->number);
}

static gboolean
number_by_turn (Numbers *numbers, ChromeProcess *process)
{
  process->number = numbers->next++;
  return TRUE;
}

/* What is written comes first: its numbers must not depend on the rest. */
static void
number_processes (TtChrome *self)
{
  static const NumberFunc ways[] = { number_by_rank, number_by_text, number_by_turn };
  Numbers numbers = { g_hash_table_new (NULL, NULL), 1 };
  g_autofree gboolean *is_wanted = wanted_processes (self);
  g_autofree gboolean *is_numbered = g_new0 (gboolean, self->processes->len);

  for (gboolean wanted = TRUE; wanted >= FALSE; wanted--)
    for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
      for (guint32 id = 0; id < self->processes->len; id++)
        {
          ChromeProcess *process = tt_chrome_process_at (self, id);
          if (process->pid != NULL && !is_numbered[id] && is_wanted[id] == wanted)
            is_numbered[id] = ways[i](&numbers, process);
        }
  g_hash_table_unref (numbers.used);
}

typedef struct
{
  guint32 process, thread;
} ThreadOf;

static int
compare_threads (gconstpointer a, gconstpointer b)
{
  const ThreadOf *x = a, *y = b;

  if (x->process != y->process)
    return x->process < y->process ? -1 : 1;
  return x->thread < y->thread ? -1 : x->thread > y->thread;
}

static void
number_threads_of (TtChrome *self, const ThreadOf *threads, guint n)
{
  Numbers numbers = { g_hash_table_new (NULL, NULL), 1 };
  g_autofree gboolean *is_numbered = g_new0 (gboolean, n);

  for (guint i = 0; i < n; i++)
    {
      ChromeThread *thread = tt_chrome_thread_at (self, threads[i].thread);
      is_numbered[i] = take_text (&numbers, thread->tid, &thread->track.number);
    }
  for (guint i = 0; i < n; i++)
    if (!is_numbered[i])
      tt_chrome_thread_at (self, threads[i].thread)->track.number = numbers.next++;
  tt_chrome_process_at (self, threads[0].process)->next_tid = numbers.next;
  g_hash_table_unref (numbers.used);
}

static void
prepare_text (TtChrome *self, ChromeThread *thread)
{
  const ChromeProcess *process = tt_chrome_process_at (self, thread->process);
  GString *text = self->thread_text;

  thread->text = (guint32) text->len;
  if (self->is_template)
    {
      tt_chrome_append_json (self, text, ",\"pid\":", process->pid);
      tt_chrome_append_json (self, text, ",\"tid\":", thread->tid);
    }
  else
    g_string_append_printf (text, ",\"pid\":%u,\"tid\":%u", process->number, thread->track.number);
  g_string_append (text, ",\"args\":{");
  thread->text_len = (guint32) text->len - thread->text;
}

void
tt_chrome_number (TtChrome *self)
{
  g_autoptr (GArray) threads = g_array_new (FALSE, FALSE, sizeof (ThreadOf));

  number_processes (self);
  for (guint32 id = 0; id < self->threads->len; id++)
    {
      ThreadOf thread = { tt_chrome_thread_at (self, id)->process, id };
      if (tt_chrome_thread_at (self, id)->tid != NULL)
        g_array_append_val (threads, thread);
    }
  g_array_sort (threads, compare_threads);

  const ThreadOf *all = (const ThreadOf *) (gconstpointer) threads->data;
  for (guint from = 0, to; from < threads->len; from = to)
    {
      for (to = from; to < threads->len && all[to].process == all[from].process; to++)
        ;
      number_threads_of (self, all + from, to - from);
    }
  for (guint i = 0; i < threads->len; i++)
    prepare_text (self, tt_chrome_thread_at (self, all[i].thread));
}

/* -- metadata events --------------------------------------------------------------------------------- */

static void
begin_metadata (TtChrome *self, const char *name, guint32 pid)
{
  tt_chrome_line (self);
  tt_output_literal (self->out, "{\"name\":\"");
  tt_output_text (self->out, name);
  tt_output_literal (self->out, "\",\"ph\":\"M\",\"pid\":");
  tt_output_int (self->out, pid);
}

static void
text_metadata (TtChrome *self, const char *text)
{
  tt_output_literal (self->out, ",\"args\":{\"name\":");
  tt_output_json_string (self->out, text);
}

static void
write_process (TtChrome *self, const ChromeProcess *process)
{
  TtOutput *out = self->out;

  begin_metadata (self, "process_name", process->number);
  text_metadata (self, process->pid);
  if (process->rank >= 0)
    {
      tt_output_literal (out, ",\"rank\":");
      tt_output_int (out, process->rank);
    }
  tt_output_literal (out, "}}");
  if (process->label != NULL)
    {
      begin_metadata (self, "process_labels", process->number);
      tt_output_literal (out, ",\"args\":{\"labels\":");
      tt_output_json_string (out, process->label);
      tt_output_literal (out, "}}");
    }
  begin_metadata (self, "process_sort_index", process->number);
  tt_output_literal (out, ",\"args\":{\"sort_index\":");
  tt_output_int (out, process->rank >= 0 ? process->rank : process->number);
  tt_output_literal (out, "}}");
}

static void
write_thread (TtChrome *self, const ChromeThread *thread, guint32 tid)
{
  TtOutput *out = self->out;
  guint32 pid = tt_chrome_process_at (self, thread->process)->number;

  begin_metadata (self, "thread_name", pid);
  tt_output_literal (out, ",\"tid\":");
  tt_output_int (out, tid);
  text_metadata (self, thread->tid);
  if (thread->label != NULL)
    {
      tt_output_literal (out, ",\"label\":");
      tt_output_json_string (out, thread->label);
    }
  tt_output_literal (out, "}}");
  begin_metadata (self, "thread_sort_index", pid);
  tt_output_literal (out, ",\"tid\":");
  tt_output_int (out, tid);
  tt_output_literal (out, ",\"args\":{\"sort_index\":");
  tt_output_int (out, thread->order);
  tt_output_literal (out, "}}");
}

void
tt_chrome_write_metadata (TtChrome *self)
{
  g_autofree gboolean *is_wanted = wanted_processes (self);

  for (guint32 id = 0; id < self->processes->len; id++)
    if (is_wanted[id])
      write_process (self, tt_chrome_process_at (self, id));
  for (guint32 id = 0; id < self->threads->len; id++)
    {
      const ChromeThread *thread = tt_chrome_thread_at (self, id);
      if (thread->tid != NULL && thread->is_wanted)
        write_thread (self, thread, thread->track.number);
    }
}

/* -- lines of a thread ------------------------------------------------------------------------------- */

/*
 * Spans of one tid must nest or be disjoint, or viewers drop them. Where a clock stepped back they may
 * overlap: the later one then goes to a further tid with the same thread_name.
 */

/* Spans far below the top of a very deep stack are forgotten. */
#define MOST_OPEN (1u << 20)

static gboolean
open_on (ChromeTrack *track, gint64 ts_ns, gint64 end_ns)
{
  while (track->n > 0 && track->ends[track->n - 1] <= ts_ns)
    track->n--;
  if (track->n > 0 && track->ends[track->n - 1] < end_ns)
    return FALSE;

  if (G_UNLIKELY (track->n == track->allocated))
    {
      if (track->n == MOST_OPEN)
        {
          track->n /= 2;
          memmove (track->ends, track->ends + track->n, track->n * sizeof *track->ends);
        }
      else
        {
          track->allocated = track->allocated == 0 ? 16 : track->allocated * 2;
          track->ends = g_renew (gint64, track->ends, track->allocated);
        }
    }
  track->ends[track->n++] = end_ns;
  return TRUE;
}

static void
clear_track (gpointer data)
{
  g_free (((ChromeTrack *) data)->ends);
}

static const ChromeTrack *
open_on_more (TtChrome *self, ChromeThread *thread, gint64 ts_ns, gint64 end_ns)
{
  if (thread->more_tracks == NULL)
    {
      thread->more_tracks = g_array_new (FALSE, TRUE, sizeof (ChromeTrack));
      g_array_set_clear_func (thread->more_tracks, clear_track);
    }
  for (guint i = 0; i < thread->more_tracks->len; i++)
    {
      ChromeTrack *track = &g_array_index (thread->more_tracks, ChromeTrack, i);
      if (open_on (track, ts_ns, end_ns))
        return track;
    }

  ChromeTrack added = { .number = tt_chrome_process_at (self, thread->process)->next_tid++ };
  guint64 before = tt_output_total (self->out);
  open_on (&added, ts_ns, end_ns);
  g_array_append_val (thread->more_tracks, added);
  write_thread (self, thread, added.number);
  self->track_bytes += tt_output_total (self->out) - before;
  return &g_array_index (thread->more_tracks, ChromeTrack, thread->more_tracks->len - 1);
}

const ChromeTrack *
tt_chrome_track_for (TtChrome *self, guint32 id, gint64 ts_ns, gint64 end_ns)
{
  ChromeThread *thread = tt_chrome_thread_at (self, id);

  if (G_LIKELY (open_on (&thread->track, ts_ns, end_ns)))
    return &thread->track;
  return open_on_more (self, thread, ts_ns, end_ns);
}

static gboolean
is_open_on (const ChromeTrack *track, gint64 end_ns)
{
  for (guint i = track->n; i-- > 0 && track->ends[i] <= end_ns;)
    if (track->ends[i] == end_ns)
      return TRUE;
  return FALSE;
}

const ChromeTrack *
tt_chrome_track_of (TtChrome *self, guint32 id, gint64 end_ns)
{
  const ChromeThread *thread = tt_chrome_thread_at (self, id);

  for (guint i = 0; thread->more_tracks != NULL && i < thread->more_tracks->len; i++)
    {
      const ChromeTrack *track = &g_array_index (thread->more_tracks, ChromeTrack, i);
      if (!is_open_on (&thread->track, end_ns) && is_open_on (track, end_ns))
        return track;
    }
  return &thread->track;
}

void
tt_chrome_close_tracks (TtChrome *self)
{
  for (guint32 id = 0; id < self->threads->len; id++)
    {
      ChromeThread *thread = tt_chrome_thread_at (self, id);

      thread->track.n = 0;
      if (thread->more_tracks != NULL)
        {
          tt_chrome_process_at (self, thread->process)->next_tid -= thread->more_tracks->len;
          g_clear_pointer (&thread->more_tracks, g_array_unref);
        }
    }
}
