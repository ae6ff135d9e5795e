/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/steps/step-times.h"

#include <string.h>

static const struct
{
  const char *op_cat;
  TtStepTime time;
  gboolean is_operator;
} works[TT_N_STEP_WORKS] = {
  [TT_STEP_WORK_FW] = { "FW", TT_STEP_TIME_FW, TRUE },
  [TT_STEP_WORK_BW] = { "BW", TT_STEP_TIME_BW, TRUE },
  [TT_STEP_WORK_UPDATE] = { "UPDATE_", TT_STEP_TIME_UPDATE, TRUE },
  [TT_STEP_WORK_OUTPUT] = { "OUTPUT", TT_STEP_TIME_OUTPUT, TRUE },
  [TT_STEP_WORK_COMP] = { "COMP", TT_STEP_TIME_COMP, FALSE },
  [TT_STEP_WORK_COMM] = { "Comm", TT_STEP_TIME_COMM, FALSE },
  [TT_STEP_WORK_IO] = { "I/O", TT_STEP_TIME_IO, FALSE },
};

/* Time covered by spans that come in order of their start. */
typedef struct
{
  tt_int128 ns;
  gint64 end_ns;
  gboolean has_spans;
} Cover;

/* Where the last span of a kind on a thread ends. */
typedef struct
{
  gint64 end_ns;
  guint64 step; /* number of the step, from 1; of another it means nothing */
} Open;

struct _TtStepTimes
{
  TtStore *store;
  Open *open; /* by thread and kind */
  guint64 step;
  tt_int128 ns[TT_N_STEP_TIMES];
  gboolean has[TT_N_STEP_WORKS];
  gboolean is_annotated, has_operators;
  gint64 begin_ns, end_ns; /* of the step's own spans, if it has any */
  gint64 first_ns;         /* start of the first operator */
  gint64 last_ns, last_end_ns;
  guint32 last_name;
  Cover comm, io, operators, both; /* both: comm and operators */
  Cover inside;                    /* operators within begin_ns and end_ns */
  GString *text;
};

TtStepWork
tt_step_work (const char *op_cat)
{
  for (TtStepWork work = TT_STEP_WORK_NONE + 1; work < TT_N_STEP_WORKS; work++)
    if (g_strcmp0 (op_cat, works[work].op_cat) == 0)
      return work;
  return TT_STEP_WORK_NONE;
}

gboolean
tt_step_work_is_operator (TtStepWork work)
{
  return works[work].is_operator;
}

TtStepTimes *
tt_step_times_new (TtStore *store)
{
  TtStepTimes *self = g_new0 (TtStepTimes, 1);

  self->store = store;
  self->open = g_new0 (Open, ((gsize) tt_store_max_thread (store) + 1) * TT_N_STEP_WORKS);
  self->text = g_string_new (NULL);
  return self;
}

void
tt_step_times_free (TtStepTimes *self)
{
  if (self == NULL)
    return;
  g_free (self->open);
  g_string_free (self->text, TRUE);
  g_free (self);
}

void
tt_step_times_begin (TtStepTimes *self)
{
  self->step++;
  memset (self->ns, 0, sizeof self->ns);
  memset (self->has, 0, sizeof self->has);
  self->is_annotated = self->has_operators = FALSE;
  self->comm = self->io = self->operators = self->both = self->inside = (Cover){ 0 };
}

void
tt_step_times_annotate (TtStepTimes *self, gint64 ts_ns, gint64 end_ns)
{
  self->begin_ns = self->is_annotated ? MIN (self->begin_ns, ts_ns) : ts_ns;
  self->end_ns = self->is_annotated ? MAX (self->end_ns, end_ns) : end_ns;
  self->is_annotated = TRUE;
}

static void
cover_span (Cover *self, gint64 begin_ns, gint64 end_ns)
{
  if (!self->has_spans || begin_ns >= self->end_ns)
    self->ns += (tt_int128) end_ns - begin_ns;
  else if (end_ns > self->end_ns)
    self->ns += (tt_int128) end_ns - self->end_ns;
  self->end_ns = self->has_spans ? MAX (self->end_ns, end_ns) : end_ns;
  self->has_spans = TRUE;
}

/* Whether it lies inside another of its kind on its thread. */
static gboolean
is_inside (TtStepTimes *self, const TtStepSpan *span)
{
  Open *open = &self->open[(gsize) span->thread * TT_N_STEP_WORKS + span->work];

  if (open->step == self->step && span->end_ns <= open->end_ns)
    return TRUE;
  *open = (Open){ span->end_ns, self->step };
  return FALSE;
}

static gboolean
is_later_name (TtStepTimes *self, guint32 name)
{
  const TtStoredName *stored = tt_store_peek_name (self->store, self->last_name);

  g_string_assign (self->text, stored == NULL || stored->text == NULL ? "" : stored->text);
  stored = tt_store_peek_name (self->store, name);
  return strcmp (stored == NULL || stored->text == NULL ? "" : stored->text, self->text->str) > 0;
}

static void
add_operator (TtStepTimes *self, const TtStepSpan *span)
{
  if (!self->has_operators)
    self->first_ns = span->ts_ns;
  if (!self->has_operators || span->ts_ns > self->last_ns ||
      (span->name != self->last_name && is_later_name (self, span->name)))
    {
      self->last_ns = span->ts_ns;
      self->last_end_ns = span->end_ns;
      self->last_name = span->name;
    }
  self->has_operators = TRUE;
  cover_span (&self->operators, span->ts_ns, span->end_ns);
  cover_span (&self->both, span->ts_ns, span->end_ns);
  if (self->is_annotated && span->ts_ns < self->end_ns && span->end_ns > self->begin_ns)
    cover_span (&self->inside, MAX (span->ts_ns, self->begin_ns), MIN (span->end_ns, self->end_ns));
}

void
tt_step_times_add (TtStepTimes *self, const TtStepSpan *span)
{
  self->has[span->work] = TRUE;
  if (span->work == TT_STEP_WORK_COMM)
    {
      cover_span (&self->comm, span->ts_ns, span->end_ns);
      cover_span (&self->both, span->ts_ns, span->end_ns);
    }
  else if (span->work == TT_STEP_WORK_IO)
    cover_span (&self->io, span->ts_ns, span->end_ns);
  else if (!is_inside (self, span))
    self->ns[works[span->work].time] += (tt_int128) span->end_ns - span->ts_ns;
  if (span->is_operator)
    add_operator (self, span);
}

/* From the first operator's start to the last one's end. Every operator starts before the end of the last, so what is
 * covered after that end is one piece. */
static void
measure_by_operators (const TtStepTimes *self, TtStepRow *row)
{
  tt_int128 after = MAX (self->operators.end_ns, self->last_end_ns) - (tt_int128) self->last_end_ns;

  row->ns[TT_STEP_TIME_ITERATION] = (tt_int128) self->last_end_ns - self->first_ns;
  row->ns[TT_STEP_TIME_IDLE] = row->ns[TT_STEP_TIME_ITERATION] - (self->operators.ns - after);
}

void
tt_step_times_finish (TtStepTimes *self, TtStepRow *row)
{
  memcpy (row->ns, self->ns, sizeof self->ns);
  row->ns[TT_STEP_TIME_COMM] = self->comm.ns;
  row->ns[TT_STEP_TIME_COMM_EXPOSED] = self->both.ns - self->operators.ns;
  row->ns[TT_STEP_TIME_IO] = self->io.ns;
  row->is_annotated = self->is_annotated;
  row->has_iteration = self->has_operators || self->is_annotated;
  if (self->is_annotated)
    {
      row->ns[TT_STEP_TIME_ITERATION] = (tt_int128) self->end_ns - self->begin_ns;
      row->ns[TT_STEP_TIME_IDLE] = row->ns[TT_STEP_TIME_ITERATION] - self->inside.ns;
    }
  else if (self->has_operators)
    measure_by_operators (self, row);
}

gboolean
tt_step_times_has (const TtStepTimes *self, TtStepWork work)
{
  return self->has[work];
}

gboolean
tt_step_times_has_spans (const TtStepTimes *self)
{
  return self->has_operators || self->has[TT_STEP_WORK_COMM] || self->has[TT_STEP_WORK_IO];
}
