/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/numbering.h"

#include "formats/chrome-export/line.h"

#include "src/base/compare.h"

#include <string.h>

typedef struct
{
  GHashTable *used;
  guint32 next; /* above all numbers used */
} Numbers;

static gboolean
reserve_number (Numbers *numbers, guint64 number)
{
  if (number > G_MAXINT32 || !g_hash_table_add (numbers->used, GUINT_TO_POINTER ((guint) number)))
    return FALSE;
  numbers->next = MAX (numbers->next, (guint32) number + 1);
  return TRUE;
}

static gboolean
reserve_text (Numbers *numbers, const char *text, guint32 *number)
{
  guint64 value;

  if (!g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT32, &value, NULL) || !reserve_number (numbers, value))
    return FALSE;
  *number = (guint32) value;
  return TRUE;
}

gboolean *
tt_chrome_wanted_processes (TtChrome *self)
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
  if (process->rank < 0 || !reserve_number (numbers, (guint64) process->rank))
    return FALSE;
  process->number = (guint32) process->rank;
  return TRUE;
}

static gboolean
number_by_text (Numbers *numbers, ChromeProcess *process)
{
  return reserve_text (numbers, process->pid, &process->number);
}

static gboolean
number_by_turn (Numbers *numbers, ChromeProcess *process)
{
  process->number = numbers->next++;
  return TRUE;
}

/* Processes that are written come first: their numbers must not depend on the rest. */
static void
number_processes (TtChrome *self)
{
  static const NumberFunc ways[] = { number_by_rank, number_by_text, number_by_turn };
  Numbers numbers = { g_hash_table_new (NULL, NULL), 1 };
  g_autofree gboolean *is_wanted = tt_chrome_wanted_processes (self);
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

  return x->process != y->process ? TT_COMPARE (x->process, y->process) : TT_COMPARE (x->thread, y->thread);
}

/* Perfetto takes tid 0 for "none" and puts its events on the thread whose tid is the pid, which it calls the main
 * thread: where that is free, thread 0 is it. */
static gboolean
is_zero (const char *tid)
{
  return *tid != '\0' && tid[strspn (tid, "0")] == '\0';
}

static void
number_threads_of (TtChrome *self, const ThreadOf *threads, guint n)
{
  Numbers numbers = { g_hash_table_new (NULL, NULL), 1 };
  g_autofree gboolean *is_numbered = g_new0 (gboolean, n);
  ChromeProcess *process = tt_chrome_process_at (self, threads[0].process);

  for (guint i = 0; i < n; i++)
    {
      ChromeThread *thread = tt_chrome_thread_at (self, threads[i].thread);
      if (process->number == 0 || !is_zero (thread->tid))
        is_numbered[i] = reserve_text (&numbers, thread->tid, &thread->track.number);
    }
  for (guint i = 0; i < n; i++)
    {
      ChromeThread *thread = tt_chrome_thread_at (self, threads[i].thread);
      if (!is_numbered[i] && is_zero (thread->tid) && reserve_number (&numbers, process->number))
        {
          thread->track.number = process->number;
          is_numbered[i] = TRUE;
        }
    }
  /* Last of all: nothing keeps these numbers from being reserved. */
  for (guint i = 0; i < n; i++)
    if (!is_numbered[i])
      tt_chrome_thread_at (self, threads[i].thread)->track.number = numbers.next++;
  process->next_tid = numbers.next;
  g_hash_table_unref (numbers.used);
}

/* -- order --------------------------------------------------------------------------------------------- */

typedef struct
{
  const ChromeProcess *process;
  guint32 id;
} ProcessOf;

/* The processes of a rank (its host, then its devices) stay together. */
static int
compare_processes (gconstpointer a, gconstpointer b)
{
  const ProcessOf *x = a, *y = b;
  guint64 rank_x = (guint64) x->process->rank, rank_y = (guint64) y->process->rank;

  if (rank_x != rank_y)
    return TT_COMPARE (rank_x, rank_y);
  if (x->process->sort_index != y->process->sort_index)
    return TT_COMPARE (x->process->sort_index, y->process->sort_index);
  gboolean is_owned_x = x->process->rank >= 0 && x->process->owner != TT_NO_ID;
  gboolean is_owned_y = y->process->rank >= 0 && y->process->owner != TT_NO_ID;
  if (is_owned_x != is_owned_y)
    return is_owned_x ? 1 : -1;
  return TT_COMPARE (x->id, y->id);
}

static void
order_processes (TtChrome *self)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (ProcessOf));

  for (guint32 id = 0; id < self->processes->len; id++)
    {
      ProcessOf process = { tt_chrome_process_at (self, id), id };
      if (process.process->pid != NULL)
        g_array_append_val (order, process);
    }
  g_array_sort (order, compare_processes);
  for (guint i = 0; i < order->len; i++)
    tt_chrome_process_at (self, g_array_index (order, ProcessOf, i).id)->position = i;
}

static void
mark_ticks (TtChrome *self)
{
  for (guint32 id = 0; id < self->threads->len; id++)
    {
      const ChromeThread *thread = tt_chrome_thread_at (self, id);
      if (thread->tid != NULL && (thread->source != 0 || !self->clocks.is_mixed))
        tt_chrome_process_at (self, thread->process)->counts_ticks |=
            tt_chrome_thread_clock (self, id) == TT_CLOCK_TICKS;
    }
}

void
tt_chrome_number (TtChrome *self)
{
  g_autoptr (GArray) threads = g_array_new (FALSE, FALSE, sizeof (ThreadOf));

  number_processes (self);
  order_processes (self);
  mark_ticks (self);
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
}
