/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/step-finder.h"

#include <string.h>

#include "src/base/compare.h"
#include "src/base/sorter.h"
#include "src/base/tape.h"

#define SORT_BYTES ((gsize) 24 << 20)
#define NUMBER_SORT_BYTES ((gsize) 4 << 20)
#define TAPE_BYTES ((gsize) 8 << 20)
/* Bounds for what is ordered by name in memory; no program does so much at once. */
#define MAX_AT_ONCE 16384
#define MAX_TEXT 1024

/* What is sorted: by process, then time. */
typedef struct
{
  guint64 process;
  guint64 ts_key;
  guint32 name;
  gint32 step;
  guint64 klass;
} StepEvent;

typedef struct
{
  guint64 process;
  guint64 step_key;
} Number;

/* From (ts_ns, name) on, the process is in @step. */
typedef struct
{
  gint64 ts_ns;
  guint32 name;
  gint32 step;
} Begin;

typedef struct
{
  gboolean is_explicit;          /* an event of it has a step */
  gboolean is_operator_explicit; /* an operator or I/O event has */
  guint64 numbers, n_numbers;    /* its distinct steps in order: place on the tape of numbers */
  guint64 begins, n_begins;      /* its begins: place on their tape */
  guint64 last;                  /* the begin found last, and the one after it */
  Begin last_begin, next_begin;
  gint32 last_number, last_place; /* the number found last */
} Process;

struct _TtStepFinder
{
  TtStepRule rule;
  gboolean keeps_numbers;
  GArray *processes; /* of Process; index = id */
  TtSorter *events;
  TtSorter *number_sorter;
  guint32 last_process;
  gint32 last_step;
  TtTape *begins;
  TtTape *numbers;
  TtNames *names;
  GString *text; /* of a name, while another is looked at */
};

TtStepClass
tt_step_class (const char *op_cat)
{
  static const struct
  {
    const char *op_cat;
    TtStepClass klass;
  } classes[] = {
    { "FW", TT_STEP_FW },         { "BW", TT_STEP_BW },  { "UPDATE_", TT_STEP_UPDATE },
    { "OUTPUT", TT_STEP_OUTPUT }, { "I/O", TT_STEP_IO },
  };

  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    if (g_strcmp0 (op_cat, classes[i].op_cat) == 0)
      return classes[i].klass;
  return TT_STEP_OTHER;
}

TtStepFinder *
tt_step_finder_new (TtStepRule rule)
{
  TtStepFinder *self = g_new0 (TtStepFinder, 1);

  self->rule = rule;
  self->processes = g_array_new (FALSE, TRUE, sizeof (Process));
  self->events = tt_sorter_new (sizeof (StepEvent), SORT_BYTES);
  self->number_sorter = tt_sorter_new (sizeof (Number), NUMBER_SORT_BYTES);
  self->begins = tt_tape_new (TAPE_BYTES);
  self->numbers = tt_tape_new (TAPE_BYTES);
  self->text = g_string_new (NULL);
  self->last_step = TT_NO_STEP;
  return self;
}

void
tt_step_finder_keep_numbers (TtStepFinder *self)
{
  self->keeps_numbers = TRUE;
}

void
tt_step_finder_free (TtStepFinder *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->processes);
  g_clear_pointer (&self->events, tt_sorter_free);
  g_clear_pointer (&self->number_sorter, tt_sorter_free);
  tt_tape_free (self->begins);
  tt_tape_free (self->numbers);
  g_string_free (self->text, TRUE);
  g_free (self);
}

static Process *
process_at (const TtStepFinder *self, guint32 process)
{
  return process < self->processes->len ? &g_array_index (self->processes, Process, process) : NULL;
}

/* -- events in ------------------------------------------------------------------------------- */

static void
add_number (TtStepFinder *self, guint32 process, gint32 step)
{
  if (process == self->last_process && step == self->last_step)
    return;
  self->last_process = process;
  self->last_step = step;
  Number *number = tt_sorter_add (self->number_sorter);
  number->process = process;
  number->step_key = (guint64) step;
}

void
tt_step_finder_add (TtStepFinder *self, guint32 process, guint32 name, gint64 ts_ns, TtStepClass klass, gint32 step)
{
  if (klass == TT_STEP_OTHER && step < 0)
    return;
  if (process >= self->processes->len)
    g_array_set_size (self->processes, process + 1);
  if (step >= 0)
    {
      Process *known = process_at (self, process);

      known->is_explicit = TRUE;
      known->is_operator_explicit |= klass != TT_STEP_OTHER;
      add_number (self, process, step);
    }
  StepEvent *event = tt_sorter_add (self->events);
  event->process = process;
  event->ts_key = tt_sort_key (ts_ns);
  event->name = name;
  event->step = MAX (step, TT_NO_STEP);
  event->klass = klass;
}

/* -- the numbers that sources give ------------------------------------------------------------- */

static gboolean
write_numbers (TtStepFinder *self, GError **error)
{
  const Number *number;
  Number before = { G_MAXUINT64, 0 };

  if (!tt_sorter_finish (self->number_sorter, error))
    return FALSE;
  GError *failure = NULL;
  while ((number = tt_sorter_next (self->number_sorter, &failure)) != NULL)
    {
      if (number->process == before.process && number->step_key == before.step_key)
        continue;
      Process *process = process_at (self, (guint32) number->process);
      gint32 step = (gint32) number->step_key;
      guint64 at = tt_tape_append (self->numbers, &step, sizeof step);

      if (process->n_numbers++ == 0)
        {
          process->numbers = at;
          process->last_number = step;
        }
      before = *number;
    }
  g_clear_pointer (&self->number_sorter, tt_sorter_free);
  if (failure != NULL)
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  return TRUE;
}

/* The place of @step among the process' own; of one that no event had: that of the next. */
static gint32
find_dense_number (TtStepFinder *self, Process *process, gint32 step)
{
  guint64 low = 0, high = process->n_numbers;

  if (self->keeps_numbers)
    return step;
  if (step == process->last_number)
    return process->last_place;
  while (low < high)
    {
      guint64 middle = low + (high - low) / 2;
      gint32 number;

      tt_tape_read (self->numbers, process->numbers + middle * sizeof number, &number, sizeof number);
      if (number < step)
        low = middle + 1;
      else
        high = middle;
    }
  process->last_number = step;
  process->last_place = (gint32) MIN (low, (guint64) G_MAXINT32);
  return process->last_place;
}

/* -- where steps begin ------------------------------------------------------------------------- */

/* State of the walk through one process. */
typedef struct
{
  Process *process;
  TtStepClass before; /* TT_STEP_OTHER: none yet */
  gint32 step;        /* so far */
  Begin begin;        /* not yet written: another of the same (ts, name) replaces it */
} Walk;

static const char *
get_name_text (TtStepFinder *self, guint32 name)
{
  TtName resolved;

  return tt_names_get (self->names, name, &resolved) && resolved.text != NULL ? resolved.text : "";
}

static void
write_begin (TtStepFinder *self, Walk *walk)
{
  if (walk->begin.step == TT_NO_STEP)
    return;
  guint64 at = tt_tape_append (self->begins, &walk->begin, sizeof walk->begin);
  if (walk->process->n_begins++ == 0)
    walk->process->begins = at;
  walk->begin.step = TT_NO_STEP;
}

static gint32
step_by_rule (const TtStepFinder *self, const Walk *walk, TtStepClass klass)
{
  gboolean starts = klass == TT_STEP_IO || klass == TT_STEP_FW;
  gboolean started = walk->before == TT_STEP_IO || walk->before == TT_STEP_FW;

  if (walk->before == TT_STEP_OTHER)
    return 0;
  if (self->rule == TT_STEP_RULE_SEED)
    return walk->step + (starts && !started);
  if (starts && walk->before == TT_STEP_UPDATE)
    return walk->step + 1;
  if (started && klass == TT_STEP_UPDATE)
    return MAX (walk->step - 1, 0);
  return walk->step;
}

static void
follow_event (TtStepFinder *self, Walk *walk, const StepEvent *event)
{
  const Process *process = walk->process;
  TtStepClass klass = (TtStepClass) event->klass;
  gint64 ts_ns = tt_sort_value (event->ts_key);
  gint32 step;

  if (process->is_explicit)
    {
      if (event->step == TT_NO_STEP || (klass == TT_STEP_OTHER && process->is_operator_explicit))
        return;
      step = find_dense_number (self, walk->process, event->step);
    }
  else
    {
      if (self->rule == TT_STEP_RULE_NONE)
        return;
      step = step_by_rule (self, walk, klass);
      walk->before = klass;
    }
  if (step == walk->step)
    return;
  if (walk->begin.ts_ns != ts_ns || walk->begin.name != event->name)
    write_begin (self, walk);
  walk->begin = (Begin){ ts_ns, event->name, step };
  walk->step = step;
}

/* Events of one process and time. */
typedef struct
{
  GArray *events; /* of StepEvent */
  GString *texts; /* of their names, each with a NUL */
  GArray *order;  /* of Place */
} Group;

typedef struct
{
  gsize text; /* offset */
  guint index;
} Place;

static int
compare_places (gconstpointer a, gconstpointer b, gpointer texts)
{
  const Place *x = a, *y = b;
  int order = strcmp ((const char *) texts + x->text, (const char *) texts + y->text);

  return order != 0 ? order : TT_COMPARE (x->index, y->index);
}

/* Equal names follow one another, and most groups have no others, so that a text is asked for once. */
static void
order_group (TtStepFinder *self, Group *group)
{
  g_string_truncate (group->texts, 0);
  g_array_set_size (group->order, 0);
  for (guint i = 0; i < group->events->len; i++)
    {
      guint32 name = g_array_index (group->events, StepEvent, i).name;
      Place place = { group->texts->len, i };

      if (i > 0 && name == g_array_index (group->events, StepEvent, i - 1).name)
        place.text = g_array_index (group->order, Place, i - 1).text;
      else
        {
          const char *text = get_name_text (self, name);
          g_string_append_len (group->texts, text, (gssize) strnlen (text, MAX_TEXT));
          g_string_append_c (group->texts, '\0');
        }
      g_array_append_val (group->order, place);
    }
  g_array_sort_with_data (group->order, compare_places, group->texts->str);
}

static void
follow_group (TtStepFinder *self, Walk *walk, Group *group)
{
  if (group->events->len == 1)
    follow_event (self, walk, &g_array_index (group->events, StepEvent, 0));
  else if (group->events->len > 1)
    {
      order_group (self, group);
      for (guint i = 0; i < group->order->len; i++)
        {
          guint index = g_array_index (group->order, Place, i).index;
          follow_event (self, walk, &g_array_index (group->events, StepEvent, index));
        }
    }
  g_array_set_size (group->events, 0);
}

static void
walk_events (TtStepFinder *self, Group *group, GError **error)
{
  Walk walk = { NULL, TT_STEP_OTHER, TT_NO_STEP, { 0, 0, TT_NO_STEP } };
  StepEvent first = { G_MAXUINT64, 0, 0, 0, 0 };
  const StepEvent *event;

  while ((event = tt_sorter_next (self->events, error)) != NULL)
    {
      if (event->process != first.process || event->ts_key != first.ts_key || group->events->len == MAX_AT_ONCE)
        follow_group (self, &walk, group);
      if (event->process != first.process)
        {
          if (walk.process != NULL)
            write_begin (self, &walk);
          walk = (Walk){ process_at (self, (guint32) event->process), TT_STEP_OTHER, TT_NO_STEP, { 0, 0, TT_NO_STEP } };
        }
      first = *event;
      g_array_append_val (group->events, first);
    }
  follow_group (self, &walk, group);
  if (walk.process != NULL)
    write_begin (self, &walk);
}

static void
read_begin (TtStepFinder *self, const Process *process, guint64 i, Begin *begin)
{
  *begin = (Begin){ G_MAXINT64, TT_NO_ID, TT_NO_STEP };
  if (i < process->n_begins)
    tt_tape_read (self->begins, process->begins + i * sizeof *begin, begin, sizeof *begin);
}

static void
find_first_begins (TtStepFinder *self)
{
  for (guint i = 0; i < self->processes->len; i++)
    {
      Process *process = &g_array_index (self->processes, Process, i);

      read_begin (self, process, 0, &process->last_begin);
      read_begin (self, process, 1, &process->next_begin);
    }
}

gboolean
tt_step_finder_finish (TtStepFinder *self, TtNames *names, GError **error)
{
  Group group = { g_array_new (FALSE, FALSE, sizeof (StepEvent)), g_string_new (NULL),
                  g_array_new (FALSE, FALSE, sizeof (Place)) };
  GError *failure = NULL;

  self->names = names;
  if (write_numbers (self, &failure) && tt_sorter_finish (self->events, &failure))
    walk_events (self, &group, &failure);
  g_clear_pointer (&self->events, tt_sorter_free);
  find_first_begins (self);
  g_array_unref (group.events);
  g_array_unref (group.order);
  g_string_free (group.texts, TRUE);
  if (failure != NULL)
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  return tt_step_finder_check (self, error);
}

/* -- steps out ------------------------------------------------------------------------------- */

static gboolean
has_begun (TtStepFinder *self, const Begin *begin, guint32 name, gint64 ts_ns)
{
  if (ts_ns != begin->ts_ns || name == begin->name)
    return ts_ns >= begin->ts_ns;
  g_string_assign (self->text, get_name_text (self, begin->name));
  return strcmp (get_name_text (self, name), self->text->str) >= 0;
}

static guint64
count_begun (TtStepFinder *self, const Process *process, guint32 name, gint64 ts_ns)
{
  guint64 low = 0, high = process->n_begins;

  while (low < high)
    {
      guint64 middle = low + (high - low) / 2;
      Begin begin;

      read_begin (self, process, middle, &begin);
      if (has_begun (self, &begin, name, ts_ns))
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static void
load_begin (TtStepFinder *self, Process *process, guint64 i)
{
  process->last = i;
  read_begin (self, process, i, &process->last_begin);
  read_begin (self, process, i + 1, &process->next_begin);
}

gint32
tt_step_finder_step (TtStepFinder *self, guint32 process_id, guint32 name, gint64 ts_ns, gint32 step)
{
  Process *process = process_at (self, process_id);

  if (step >= 0)
    return process == NULL || process->n_numbers == 0 ? step : find_dense_number (self, process, step);
  if (process == NULL || process->n_begins == 0)
    return TT_NO_STEP;
  if (process->last + 1 < process->n_begins && has_begun (self, &process->next_begin, name, ts_ns))
    load_begin (self, process, process->last + 1);
  if (!has_begun (self, &process->last_begin, name, ts_ns) ||
      (process->last + 1 < process->n_begins && has_begun (self, &process->next_begin, name, ts_ns)))
    {
      guint64 n_begun = count_begun (self, process, name, ts_ns);
      load_begin (self, process, n_begun == 0 ? 0 : n_begun - 1);
    }
  return process->last_begin.step;
}

gboolean
tt_step_finder_check (const TtStepFinder *self, GError **error)
{
  return tt_tape_check (self->begins, error) && tt_tape_check (self->numbers, error);
}
