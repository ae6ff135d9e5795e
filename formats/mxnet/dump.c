/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/mxnet/dump.h"

#include "formats/mxnet/rules.h"
#include "src/base/sorter.h"
#include "src/base/tape.h"
#include "src/trace/told-times.h"

#include <string.h>
#include <xxhash.h>

#define SORTER_MEMORY ((gsize) 6 << 20)
#define TAPE_MEMORY ((gsize) 6 << 20)
#define TAPE_BLOCK 1024u
/* Open begins of one thread, or spans that may still meet their twin; the excess is passed through unpaired. */
#define MAX_OPEN (1u << 18)
#define MAX_WAITING 4096u

typedef enum
{
  EDGE_BEGIN,
  EDGE_END,
  EDGE_WHOLE,
} EdgeKind;

typedef struct
{
  guint64 group; /* who pairs with whom: the lane, for asynchronous ones with their id */
  guint64 ts;    /* sort key */
  gint64 dur_ns; /* of EDGE_WHOLE */
  guint64 args;
  guint64 offset;
  guint32 name; /* in `names`; TT_NO_ID: none */
  guint32 lane;
  guint8 kind, is_async, is_sink_args, has_next;
  guint32 unused;
  guint64 next; /* of an open begin with has_next: ts of the first begin after it */
} Edge;

/* The begins of a group that are open, and whether any that has ended had others inside it. */
typedef struct
{
  GArray *open; /* of Edge */
  gboolean nests;
} Group;

typedef struct
{
  guint64 high; /* first (tid, name), then time */
  guint64 low;  /* first time, then offset */
  gint64 ts_ns, dur_ns;
  guint64 args;
  guint64 offset;
  guint32 name, lane;
  guint32 flags;
  guint32 is_async;
} Span;

struct _TtMxnetDump
{
  const TtLocalGraph *graph;
  TtTraceLanes *lanes;
  TtSink *sink;
  TtNames *names; /* raw names only */
  GString *text;  /* scratch */
  TtSorter *edges;
  TtSorter *by_name; /* Span, to find twins */
  TtSorter *by_time; /* Span */
  TtTape *tape;      /* Span in order of time, with a graph */
};

TtMxnetDump *
tt_mxnet_dump_new (const TtLocalGraph *graph, TtTraceLanes *lanes, TtSink *sink)
{
  TtMxnetDump *self = g_new0 (TtMxnetDump, 1);

  self->graph = graph;
  self->lanes = lanes;
  self->sink = sink;
  self->names = tt_names_new (NULL);
  self->text = g_string_new (NULL);
  self->edges = tt_sorter_new (sizeof (Edge), SORTER_MEMORY);
  self->by_name = tt_sorter_new (sizeof (Span), SORTER_MEMORY);
  self->by_time = tt_sorter_new (sizeof (Span), SORTER_MEMORY);
  return self;
}

void
tt_mxnet_dump_free (TtMxnetDump *self)
{
  if (self == NULL)
    return;
  tt_names_free (self->names);
  g_string_free (self->text, TRUE);
  tt_sorter_free (self->edges);
  tt_sorter_free (self->by_name);
  tt_sorter_free (self->by_time);
  tt_tape_free (self->tape);
  g_free (self);
}

gboolean
tt_mxnet_dump_takes (const TtTraceEvent *event)
{
  if (event->ph == 'b' || event->ph == 'e')
    return TT_SLICE_IS (event->cat.raw, "operator");
  return event->ph == 'B' || event->ph == 'E' || event->ph == 'X';
}

static guint32
intern (TtMxnetDump *self, const TtJsonValue *name)
{
  gboolean is_new;

  if (name->kind != TT_JSON_STRING)
    return TT_NO_ID;
  g_string_truncate (self->text, 0);
  tt_json_unescape (name, self->text, &self->sink->repairs);
  return tt_names_intern (self->names, &(TtRawName){ .raw = self->text->str, .op_cat = "FW" }, &is_new);
}

void
tt_mxnet_dump_add (TtMxnetDump *self, const TtTraceEvent *event, guint64 args, gboolean is_sink_args)
{
  guint32 lane = tt_trace_lanes_of (self->lanes, event);
  gboolean is_async = event->ph == 'b' || event->ph == 'e';
  guint64 group = lane;

  if (is_async)
    group = (G_GUINT64_CONSTANT (1) << 63) | XXH3_64bits_withSeed (event->id.raw.bytes, event->id.raw.len, lane);
  Edge *edge = tt_sorter_add (self->edges);
  *edge = (Edge){ .group = group,
                  .ts = tt_sort_key (event->ts_ns),
                  .dur_ns = event->dur_ns,
                  .args = args,
                  .offset = event->offset,
                  .name = intern (self, &event->name),
                  .lane = lane,
                  .kind = event->ph == 'X'                       ? EDGE_WHOLE
                          : event->ph == 'B' || event->ph == 'b' ? EDGE_BEGIN
                                                                 : EDGE_END,
                  .is_async = is_async,
                  .is_sink_args = is_sink_args };
}

static gboolean
is_fine (GError **own_error, GError **error)
{
  if (*own_error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (own_error));
  return FALSE;
}

/* -- begins and ends ------------------------------------------------------------------------------ */

static void
put_span (TtMxnetDump *self, const Edge *begin, gint64 dur_ns, guint32 flags)
{
  const char *tid = tt_trace_lanes_tid (self->lanes, begin->lane);
  Span *span = tt_sorter_add (self->by_name);

  *span = (Span){ .high = XXH3_64bits_withSeed (tid, strlen (tid), begin->name),
                  .low = begin->ts,
                  .ts_ns = tt_sort_value (begin->ts),
                  .dur_ns = dur_ns,
                  .args = begin->args,
                  .offset = begin->offset,
                  .name = begin->name,
                  .lane = begin->lane,
                  .flags = flags,
                  .is_async = begin->is_async };
}

static gint64
time_between (const Edge *begin, guint64 end)
{
  gint64 dur_ns;

  return __builtin_sub_overflow (tt_sort_value (end), tt_sort_value (begin->ts), &dur_ns) ? G_MAXINT64 : dur_ns;
}

static void
put_unclosed (TtMxnetDump *self, const Edge *begin, guint64 last)
{
  tt_sink_repair (self->sink, TT_REPAIR_UNCLOSED, begin->offset);
  put_span (self, begin, time_between (begin, last), TT_FLAG_UNCLOSED);
}

static guint64
tell_longest (TtMxnetDump *self, guint64 args, gboolean is_sink_args, gint64 longest_ns)
{
  const TtToldTimes told = { .ts_ns = TT_NO_TIME, .dur_ns = TT_NO_TIME, .longest_ns = longest_ns };

  return is_sink_args ? tt_told_times_keep (&told, self->sink, args) : args;
}

/* Where none runs inside another, one that is open when the next begins has lost its end. */
static void
put_open (TtMxnetDump *self, const Group *group, const Edge *begin, guint64 last)
{
  if (!begin->has_next || group->nests)
    {
      put_unclosed (self, begin, last);
      return;
    }
  Edge lost = *begin;
  gint64 longest_ns = time_between (begin, begin->next);

  lost.args = tell_longest (self, begin->args, begin->is_sink_args, longest_ns);
  tt_sink_repair (self->sink, TT_REPAIR_BOUNDED_END, begin->offset);
  put_span (self, &lost, longest_ns, TT_FLAGS_BOUNDED);
}

/* The end of the latest open begin of its name, or of any if it has no name. */
static void
close_begin (TtMxnetDump *self, Group *group, const Edge *end)
{
  GArray *open = group->open;

  for (guint i = open->len; i > 0; i--)
    {
      const Edge *begin = &g_array_index (open, Edge, i - 1);
      if (end->name != TT_NO_ID && begin->name != end->name)
        continue;
      if (begin->args != 0 && end->args != 0 && begin->is_sink_args)
        tt_sink_args_merge (self->sink, begin->args, end->args);
      put_span (self, begin, time_between (begin, end->ts), 0);
      group->nests |= begin->has_next && begin->next < end->ts;
      g_array_remove_index (open, i - 1);
      return;
    }
  tt_sink_repair (self->sink, TT_REPAIR_END_WITHOUT_BEGIN, end->offset);
  if (end->name != TT_NO_ID)
    put_span (self, end, TT_NO_TIME, TT_FLAG_INFERRED);
}

static void
note_next (GArray *open, guint64 ts)
{
  Edge *latest = open->len == 0 ? NULL : &g_array_index (open, Edge, open->len - 1);

  if (latest == NULL || latest->has_next)
    return;
  latest->has_next = TRUE;
  latest->next = ts;
}

static void
take_edge (TtMxnetDump *self, Group *group, const Edge *edge)
{
  GArray *open = group->open;

  if (edge->kind == EDGE_END)
    {
      close_begin (self, group, edge);
      return;
    }
  note_next (open, edge->ts);
  if (edge->kind == EDGE_WHOLE)
    {
      if (edge->dur_ns < 0)
        tt_sink_repair (self->sink, TT_REPAIR_END_BEFORE_START, edge->offset);
      put_span (self, edge, MAX (edge->dur_ns, 0), edge->dur_ns < 0 ? TT_FLAG_END_BEFORE_START : 0);
      return;
    }
  if (open->len == MAX_OPEN)
    {
      put_unclosed (self, &g_array_index (open, Edge, 0), edge->ts);
      g_array_remove_index (open, 0);
    }
  g_array_append_vals (open, edge, 1);
}

static gboolean
pair_edges (TtMxnetDump *self, GError **error)
{
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (Edge));
  g_autoptr (GError) own_error = NULL;
  const Edge *edge;
  Group group = { .open = open };
  guint64 key = 0, last = 0;

  if (!tt_sorter_finish (self->edges, error))
    return FALSE;
  do
    {
      edge = tt_sorter_next (self->edges, &own_error);
      if (edge == NULL || edge->group != key)
        {
          for (guint i = 0; i < open->len; i++)
            put_open (self, &group, &g_array_index (open, Edge, i), last);
          g_array_set_size (open, 0);
          group.nests = FALSE;
        }
      if (edge == NULL)
        break;
      key = edge->group;
      last = edge->ts;
      take_edge (self, &group, edge);
    }
  while (TRUE);
  return is_fine (&own_error, error);
}

/* -- twins ----------------------------------------------------------------------------------------- */

static void
put_by_time (TtMxnetDump *self, const Span *span)
{
  Span *to = tt_sorter_add (self->by_time);

  *to = *span;
  to->high = tt_sort_key (span->ts_ns);
  to->low = span->offset;
}

static gboolean
meet (const Span *a, const Span *b)
{
  if (a->is_async == b->is_async || a->dur_ns == TT_NO_TIME || b->dur_ns == TT_NO_TIME || a->name != b->name)
    return FALSE;
  return (guint64) b->ts_ns - (guint64) a->ts_ns <= (guint64) a->dur_ns;
}

/* Whoever of @waiting (spans of one thread and name that have no twin yet, in begin order) ended before @ts_ns goes. */
static void
let_go (TtMxnetDump *self, GArray *waiting, gboolean everyone, gint64 ts_ns)
{
  guint kept = 0;

  for (guint i = 0; i < waiting->len; i++)
    {
      const Span span = g_array_index (waiting, Span, i);
      gboolean is_over = everyone || span.dur_ns == TT_NO_TIME ||
                         (guint64) ts_ns - (guint64) span.ts_ns > (guint64) span.dur_ns ||
                         i + MAX_WAITING < waiting->len;
      if (is_over)
        put_by_time (self, &span);
      else
        g_array_index (waiting, Span, kept++) = span;
    }
  g_array_set_size (waiting, kept);
}

static void
take_span (TtMxnetDump *self, GArray *waiting, const Span *span)
{
  let_go (self, waiting, FALSE, span->ts_ns);
  for (guint i = 0; i < waiting->len; i++)
    {
      const Span *other = &g_array_index (waiting, Span, i);
      if (!meet (other, span))
        continue;
      put_by_time (self, span->is_async ? other : span);
      tt_sink_repair (self->sink, TT_REPAIR_TOLD_TWICE, span->is_async ? span->offset : other->offset);
      g_array_remove_index (waiting, i);
      return;
    }
  g_array_append_vals (waiting, span, 1);
}

static gboolean
drop_twins (TtMxnetDump *self, GError **error)
{
  g_autoptr (GArray) waiting = g_array_new (FALSE, FALSE, sizeof (Span));
  g_autoptr (GError) own_error = NULL;
  const Span *span;
  guint64 high = 0;

  if (!tt_sorter_finish (self->by_name, error))
    return FALSE;
  while ((span = tt_sorter_next (self->by_name, &own_error)) != NULL)
    {
      if (span->high != high)
        let_go (self, waiting, TRUE, 0);
      high = span->high;
      take_span (self, waiting, span);
    }
  let_go (self, waiting, TRUE, 0);
  return is_fine (&own_error, error);
}

/* -- names ----------------------------------------------------------------------------------------- */

static const char *
raw_of (TtMxnetDump *self, guint32 id)
{
  TtName name;

  if (id == TT_NO_ID || !tt_names_get (self->names, id, &name))
    return "";
  g_string_assign (self->text, name.raw);
  return self->text->str;
}

static gboolean
show_span (TtMxnetDump *self, TtMxnetRules *rules, const Span *span, TtMxnetFunc func, gpointer data, GError **error)
{
  const TtMxnetOperator operator= { .raw = raw_of (self, span->name),
                                    .lane = span->lane,
                                    .is_async = (gboolean) span->is_async,
                                    .ts_ns = span->ts_ns,
                                    .dur_ns = span->dur_ns,
                                    .flags = span->flags,
                                    .args = span->args,
                                    .offset = span->offset };

  return tt_mxnet_rules_span (rules, &operator, func, data, error);
}

static gboolean
survey (TtMxnetDump *self, TtMxnetRules *rules, GError **error)
{
  g_autoptr (GError) own_error = NULL;
  const Span *span;

  self->tape = tt_tape_new (TAPE_MEMORY);
  while ((span = tt_sorter_next (self->by_time, &own_error)) != NULL)
    {
      tt_mxnet_rules_survey (rules, raw_of (self, span->name));
      tt_tape_append (self->tape, span, sizeof *span);
    }
  if (!tt_mxnet_rules_settle (rules))
    tt_sink_repair (self->sink, TT_REPAIR_GRAPH_UNUSED, 0);
  return is_fine (&own_error, error) && tt_tape_check (self->tape, error);
}

static gboolean
show_tape (TtMxnetDump *self, TtMxnetRules *rules, TtMxnetFunc func, gpointer data, GError **error)
{
  g_autofree Span *block = g_new (Span, TAPE_BLOCK);
  guint64 n_spans = tt_tape_size (self->tape) / sizeof (Span);

  for (guint64 at = 0; at < n_spans; at += TAPE_BLOCK)
    {
      guint n = (guint) MIN (n_spans - at, TAPE_BLOCK);
      tt_tape_read (self->tape, at * sizeof (Span), block, n * sizeof (Span));
      for (guint i = 0; i < n; i++)
        if (!show_span (self, rules, &block[i], func, data, error))
          return FALSE;
    }
  return tt_tape_check (self->tape, error);
}

static gboolean
show_sorted (TtMxnetDump *self, TtMxnetRules *rules, TtMxnetFunc func, gpointer data, GError **error)
{
  g_autoptr (GError) own_error = NULL;
  const Span *span;

  while ((span = tt_sorter_next (self->by_time, &own_error)) != NULL)
    if (!show_span (self, rules, span, func, data, error))
      return FALSE;
  return is_fine (&own_error, error);
}

gboolean
tt_mxnet_dump_finish (TtMxnetDump *self, TtMxnetFunc func, gpointer data, GError **error)
{
  g_autoptr (TtMxnetRules) rules = tt_mxnet_rules_new (self->graph);

  if (!pair_edges (self, error) || !drop_twins (self, error) || !tt_sorter_finish (self->by_time, error))
    return FALSE;
  if (self->graph == NULL)
    {
      if (!show_sorted (self, rules, func, data, error))
        return FALSE;
    }
  else if (!survey (self, rules, error) || !show_tape (self, rules, func, data, error))
    return FALSE;
  return tt_mxnet_rules_end (rules, func, data, error) && tt_names_check (self->names, error) &&
         tt_trace_lanes_check (self->lanes, error);
}
