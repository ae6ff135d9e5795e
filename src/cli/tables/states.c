/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/states.h"

#include <string.h>

#include "src/base/report/cut.h"

/* Columns of a sentence above the table, and of a name in it. */
#define LINE 80
#define MAX_NAME 40
/* Of calls of the system. */
#define CALL_PREFIX "syscall_"

typedef enum
{
  PART_LOST = TT_N_THREAD_STATES,
  PART_ALL,
  PART_CALL,
} Part;

typedef struct
{
  TtStore *store;
  const TtStatesFacts *facts;
  TtStatesRows rows_are;
  gboolean for_people;
} Context;

static tt_int128
part_ns (const TtStatesRow *row, const tt_int128 *ns, guint part)
{
  return part < TT_N_THREAD_STATES ? ns[part]
         : part == PART_LOST       ? tt_states_lost (ns)
         : part == PART_CALL       ? row->call_ns
                                   : tt_states_sum (ns);
}

static double
percent_of (tt_int128 part, tt_int128 whole)
{
  return whole > 0 ? 100.0 * (double) part / (double) whole : 0;
}

/* -- columns --------------------------------------------------------------------------------------------------------- */

static gboolean
has_rows (const TtReportField *self, const void *context)
{
  return ((const Context *) context)->rows_are == self->id;
}

static gboolean
has_totals (const TtReportField *self, const void *context)
{
  return ((const Context *) context)->rows_are == TT_STATES_OPERATIONS;
}

static gboolean
has_state (const TtReportField *self, const void *context)
{
  const Context *table = context;

  return !table->for_people || self->id != TT_STATE_UNKNOWN || table->facts->self_ns[TT_STATE_UNKNOWN] > 0;
}

static TtReportCell
operation_cell (const TtReportField *self, const void *row, const void *context)
{
  const TtStoredName *name = tt_store_peek_name (((const Context *) context)->store, ((const TtStatesRow *) row)->id);

  return name == NULL ? tt_cell_empty () : tt_cell_take (g_strdup (name->text));
}

static TtReportCell
rank_cell (const TtReportField *self, const void *row, const void *context)
{
  const TtProcess *process = tt_store_process (((const Context *) context)->store, ((const TtStatesRow *) row)->id);

  return tt_cell_text (process == NULL ? NULL : process->rank_name);
}

/* "4242 4243". Free it. */
static char *
thread_text (TtStore *store, guint32 id)
{
  const TtThread *thread = tt_store_thread (store, id);
  const TtProcess *process = thread == NULL ? NULL : tt_store_process (store, thread->process);

  return process == NULL ? NULL : g_strdup_printf ("%s %s", process->pid, thread->tid);
}

static TtReportCell
thread_cell (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_take (thread_text (((const Context *) context)->store, ((const TtStatesRow *) row)->id));
}

static TtReportCell
count_cell (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int (((const TtStatesRow *) row)->n_spans);
}

static TtReportCell
self_cell (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int (part_ns (row, ((const TtStatesRow *) row)->self_ns, self->id));
}

static TtReportCell
total_cell (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int (part_ns (row, ((const TtStatesRow *) row)->total_ns, self->id));
}

static TtReportCell
percent_cell (const TtReportField *self, const void *row, const void *context)
{
  const TtStatesRow *of = row;

  return tt_cell_real (percent_of (part_ns (of, of->self_ns, self->id), tt_states_sum (of->self_ns)));
}

/* "syscall_futex". Free it. */
static char *
call_text (TtStore *store, const TtStatesRow *row)
{
  const TtStoredName *name = row->call == TT_NO_ID ? NULL : tt_store_peek_name (store, row->call);

  return name == NULL ? NULL : g_strdup (name->op_name != NULL ? name->op_name : name->text);
}

static TtReportCell
call_cell (const TtReportField *self, const void *row, const void *context)
{
  const Context *table = context;
  g_autofree char *text = call_text (table->store, row);

  /* People have the word in the title. */
  if (table->for_people && text != NULL && g_str_has_prefix (text, CALL_PREFIX))
    return tt_cell_take (g_strdup (text + strlen (CALL_PREFIX)));
  return tt_cell_take (g_steal_pointer (&text));
}

#define PERCENT(title, key, part)                                                                                   \
  {                                                                                                                 \
    TT_COLUMN_PERCENT, title, key "_percent", percent_cell, part, .reader = TT_READER_PEOPLE, .is_shown = has_state \
  }
#define SELF(title, key, part)                                                \
  {                                                                           \
    TT_COLUMN_TIME, title, key, self_cell, part, .reader = TT_READER_PROGRAMS \
  }
#define TOTAL(title, key, part)                                                                        \
  {                                                                                                    \
    TT_COLUMN_TIME, title, key, total_cell, part, .reader = TT_READER_PROGRAMS, .is_shown = has_totals \
  }

static const TtReportField fields[] = {
  { TT_COLUMN_TEXT, "Operation", "operation", operation_cell, TT_STATES_OPERATIONS, .is_shown = has_rows },
  { TT_COLUMN_TEXT, "Rank", "rank", rank_cell, TT_STATES_RANKS, .is_shown = has_rows },
  { TT_COLUMN_TEXT, "Thread", "thread", thread_cell, TT_STATES_THREADS, .is_shown = has_rows },
  { TT_COLUMN_COUNT, "Count", "count", count_cell, .min_width = 80 },
  { TT_COLUMN_TIME, "Self", "self", self_cell, PART_ALL },
  PERCENT ("Run %", "running", TT_STATE_RUNNING),
  PERCENT ("Preempt", "preempted", TT_STATE_PREEMPTED),
  PERCENT ("Ready", "ready", TT_STATE_READY),
  PERCENT ("Wait", "waiting", TT_STATE_WAITING),
  PERCENT ("?", "unknown", TT_STATE_UNKNOWN),
  SELF ("Running", "running", TT_STATE_RUNNING),
  SELF ("Preempted", "preempted", TT_STATE_PREEMPTED),
  SELF ("Ready", "ready", TT_STATE_READY),
  SELF ("Waiting", "waiting", TT_STATE_WAITING),
  SELF ("Unknown", "unknown", TT_STATE_UNKNOWN),
  { TT_COLUMN_TEXT, "Call", "waits_in", call_cell },
  SELF ("In it", "waiting_there", PART_CALL),
  TOTAL ("Total", "total", PART_ALL),
  TOTAL ("Total running", "total_running", TT_STATE_RUNNING),
  TOTAL ("Total preempted", "total_preempted", TT_STATE_PREEMPTED),
  TOTAL ("Total ready", "total_ready", TT_STATE_READY),
  TOTAL ("Total waiting", "total_waiting", TT_STATE_WAITING),
  TOTAL ("Total unknown", "total_unknown", TT_STATE_UNKNOWN),
};

static TtTrustPlace
place_of (const void *row, const void *data)
{
  guint32 id = ((const TtStatesRow *) row)->id;
  const Context *context = data;
  TtTrustPlace place = TT_TRUST_EVERYWHERE;

  if (context->rows_are == TT_STATES_OPERATIONS)
    place.name = id;
  else
    place.process = context->rows_are == TT_STATES_RANKS ? id : tt_store_process_of_thread (context->store, id);
  return place;
}

TtReport *
tt_states_table (TtStore *store,
                 const TtStates *states,
                 TtStatesRows rows_are,
                 TtTrustMarks *marks,
                 const TtReportView *view)
{
  const GArray *rows = tt_states_rows (states);
  const Context context = { store, tt_states_facts (states), rows_are, tt_report_view_is_for_people (view) };
  TtReport *report = tt_report_of_fields (fields, G_N_ELEMENTS (fields), view, &context);
  guint n = view->top > 0 ? MIN (view->top, rows->len) : rows->len;

  tt_trust_marks_declare (marks, report, view, place_of, &context);
  for (guint i = 0; i < n; i++)
    tt_report_row (report, &g_array_index (rows, TtStatesRow, i));
  if (n < rows->len)
    {
      g_autofree char *more = tt_report_more (view, rows->len - n, NULL);
      tt_report_footer (report, more);
    }
  return report;
}

/* -- in sentences ---------------------------------------------------------------------------------------------------- */

static void
say_states (GString *text, const TtStatesFacts *facts)
{
  static const char *const words[TT_N_THREAD_STATES] = { [TT_STATE_RUNNING] = "running",
                                                         [TT_STATE_PREEMPTED] = "preempted",
                                                         [TT_STATE_READY] = "woken and not yet running",
                                                         [TT_STATE_WAITING] = "waiting",
                                                         [TT_STATE_UNKNOWN] = "not known" };
  tt_int128 all_ns = tt_states_sum (facts->self_ns);
  gsize line = 0;

  for (guint state = 0; state < TT_N_THREAD_STATES; state++)
    {
      double percent = percent_of (facts->self_ns[state], all_ns);
      g_autofree char *part = g_strdup_printf (" %s %.1f %%", words[state], percent);

      if (percent < 0.05)
        continue;
      if (text->str[text->len - 1] != ':')
        g_string_append_c (text, ',');
      if (text->len - line + strlen (part) >= LINE)
        {
          g_string_append (text, "\n ");
          line = text->len - 1;
        }
      g_string_append (text, part);
    }
}

/* Free it. */
static char *
cut_name (const char *text, guint width)
{
  g_autoptr (TtCuts) cuts = tt_cuts_new (width);

  tt_cuts_add (cuts, text);
  tt_cuts_settle (cuts);
  return g_strdup (tt_cuts_get (cuts, text));
}

/* Free it. */
static char *
row_text (TtStore *store, const TtStatesRow *row, TtStatesRows rows_are)
{
  g_autofree char *text = NULL;

  if (rows_are == TT_STATES_OPERATIONS)
    text = g_strdup (tt_store_peek_name (store, row->id)->text);
  else if (rows_are == TT_STATES_THREADS)
    text = thread_text (store, row->id);
  else
    {
      const TtProcess *process = tt_store_process (store, row->id);
      text = g_strdup_printf ("rank %s", process == NULL || process->rank_name == NULL ? "?" : process->rank_name);
    }
  return text == NULL ? g_strdup ("?") : cut_name (text, MAX_NAME);
}

static const TtStatesRow *
find_most (const TtStates *states, TtThreadState state)
{
  const GArray *rows = tt_states_rows (states);
  const TtStatesRow *most = &g_array_index (rows, TtStatesRow, 0);

  for (guint i = 1; i < rows->len; i++)
    if (g_array_index (rows, TtStatesRow, i).self_ns[state] > most->self_ns[state])
      most = &g_array_index (rows, TtStatesRow, i);
  return most;
}

static void
say_most (GString *text, TtStore *store, const TtStates *states, TtStatesRows rows_are, TtThreadState state)
{
  const TtStatesRow *most = find_most (states, state);
  g_autofree char *name = row_text (store, most, rows_are);
  g_autofree char *call = state == TT_STATE_WAITING ? call_text (store, most) : NULL;
  char time[TT_TIME_TEXT];

  if (most->self_ns[state] <= 0)
    return;
  g_string_append_printf (
      text, "\nMost %s: %s, %s (%.1f %% of its time)", state == TT_STATE_WAITING ? "waiting" : "preempted", name,
      tt_time_shown (time, most->self_ns[state]), percent_of (most->self_ns[state], tt_states_sum (most->self_ns)));
  if (call != NULL)
    {
      g_autofree char *cut = cut_name (call, MAX_NAME);
      g_string_append_printf (text, ",\n  %.1f %% of that in %s", percent_of (most->call_ns, most->self_ns[state]),
                              cut);
    }
}

static void
say_uncovered (GString *text, TtStore *store, const TtStatesFacts *facts)
{
  g_autofree char *first = facts->n_without == 0 ? NULL : thread_text (store, facts->first_without);
  g_autofree char *cut = first == NULL ? NULL : cut_name (first, MAX_NAME);
  char count[TT_TIME_TEXT], time[TT_TIME_TEXT];

  if (facts->n_without > 0)
    g_string_append_printf (text, "\nNot in the kernel trace, and left out: %s thread%s (%s; %s%s)",
                            tt_count_text (count, facts->n_without), facts->n_without == 1 ? "" : "s",
                            tt_time_shown (time, facts->without_ns), cut == NULL ? "?" : cut,
                            facts->n_without == 1 ? "" : " ...");
}

char *
tt_states_describe (TtStore *store, const TtStates *states, TtStatesRows rows_are)
{
  const TtStatesFacts *facts = tt_states_facts (states);
  char time[TT_TIME_TEXT];

  if (facts->n_lanes == 0 || (tt_states_rows (states)->len == 0 && facts->n_without == 0))
    return NULL;
  GString *text = g_string_new (NULL);
  if (tt_states_rows (states)->len > 0)
    {
      g_string_printf (text, "%s of operations:", tt_time_shown (time, tt_states_sum (facts->self_ns)));
      say_states (text, facts);
      say_most (text, store, states, rows_are, TT_STATE_WAITING);
      say_most (text, store, states, rows_are, TT_STATE_PREEMPTED);
    }
  else
    g_string_assign (text, "No thread with spans is in the kernel trace");
  say_uncovered (text, store, facts);
  return g_string_free (text, FALSE);
}
