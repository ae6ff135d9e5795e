/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/byteps/transfers.h"

#include "src/base/id-table.h"
#include "src/base/sorter.h"
#include "src/base/tape.h"
#include "src/base/text-ids.h"

#include <string.h>

#define SORTER_MEMORY ((gsize) 6 << 20)
/* What a worker and a server do. */
static const char *const sub_ops[] = { "PUSH_REQ",   "PUSH_RES", "PULL_REQ",   "PULL_RES",
                                       "COPY_FIRST", "SUM",      "COPY_MERGED" };

#define TEXTS_MEMORY ((gsize) 2 << 20)

/* Whose begins and ends pair: one device, tensor, operation, partition. */
typedef struct
{
  guint64 raw, pid; /* in `texts` */
  guint32 sub_op;   /* of sub_ops */
  guint32 family;   /* of a server: tensor and partition, whatever the operation and thread */
  guint64 is_server;
} Subject;

G_STATIC_ASSERT (sizeof (Subject) == 32);

/* What a subject is called. */
typedef struct
{
  guint32 subject; /* + 1; 0: of none yet */
  TtBytepsName name;
  char *whole; /* raw without the partition: partitions are one operation, which their suffix distinguishes */
  GString *pid;
} Called;

/* Whose number a text has. */
enum
{
  SUBJECT,
  FAMILY,
};

typedef struct
{
  guint64 group; /* subject */
  guint64 ts_key;
  guint64 offset;
} Edge;

typedef struct
{
  guint64 group; /* family, of transfers the subject */
  guint64 ts_key;
  gint64 dur_ns;
  guint64 offset;
  guint32 subject;
  guint32 flags;
  gint32 step;
  guint32 unused;
} Span;

struct _TtBytepsTransfers
{
  TtTraceLanes *lanes;
  TtSink *sink;
  TtIdTable subjects; /* of Subject */
  TtTextIds *numbers; /* + 1: of subjects by process, thread and name, of families by server, tensor and partition */
  TtTape *texts;
  guint32 n_subjects, n_families;
  Called called;
  TtSorter *begins, *ends, *spans;
  GString *text;
};

TtBytepsTransfers *
tt_byteps_transfers_new (TtTraceLanes *lanes, TtSink *sink)
{
  TtBytepsTransfers *self = g_new0 (TtBytepsTransfers, 1);

  self->lanes = lanes;
  self->sink = sink;
  self->subjects.row_size = sizeof (Subject);
  self->numbers = tt_text_ids_new ();
  self->texts = tt_tape_new (TEXTS_MEMORY);
  self->called.pid = g_string_new (NULL);
  self->begins = tt_sorter_new (sizeof (Edge), SORTER_MEMORY);
  self->ends = tt_sorter_new (sizeof (Edge), SORTER_MEMORY);
  self->spans = tt_sorter_new (sizeof (Span), SORTER_MEMORY);
  self->text = g_string_new (NULL);
  return self;
}

void
tt_byteps_transfers_free (TtBytepsTransfers *self)
{
  if (self == NULL)
    return;
  tt_id_table_clear (&self->subjects);
  tt_text_ids_free (self->numbers);
  tt_tape_free (self->texts);
  tt_byteps_name_clear (&self->called.name);
  g_free (self->called.whole);
  g_string_free (self->called.pid, TRUE);
  tt_sorter_free (self->begins);
  tt_sorter_free (self->ends);
  tt_sorter_free (self->spans);
  g_string_free (self->text, TRUE);
  g_free (self);
}

/* -- subjects --------------------------------------------------------------------------------------------- */

static const char *
transfer_op (const char *sub_op, gboolean from_worker)
{
  if (g_str_equal (sub_op, "PUSH"))
    return from_worker ? "PUSH_REQ" : "PUSH_RES";
  if (g_str_equal (sub_op, "PULL"))
    return from_worker ? "PULL_REQ" : "PULL_RES";
  return NULL;
}

static Subject *
subject_at (TtBytepsTransfers *self, guint32 number)
{
  return tt_id_table_at (&self->subjects, number);
}

static guint32
family_of (TtBytepsTransfers *self, const char *process, const TtBytepsName *name)
{
  g_string_printf (self->text, "%s %s %u", process, name->tensor, name->part);
  guint32 number = tt_text_ids_find (self->numbers, FAMILY, self->text->str, self->text->len);

  if (number == 0)
    {
      number = ++self->n_families;
      tt_text_ids_add (self->numbers, FAMILY, self->text->str, self->text->len, number);
    }
  return number - 1;
}

static guint32
find_sub_op (const char *text)
{
  guint32 i = 0;

  while (i < G_N_ELEMENTS (sub_ops) - 1 && !g_str_equal (sub_ops[i], text))
    i++;
  return i;
}

/* Its pid, to be freed. NULL: what stands there is neither a transfer nor a server's work. */
static char *
make_subject (TtBytepsTransfers *self, const char *process, const char *tid, const char *raw, Subject *subject)
{
  g_autofree char *source = NULL, *target = NULL;
  g_auto (TtBytepsName) name = { 0 };

  if (!tt_byteps_server_name (raw, &name))
    return NULL;
  subject->is_server = tt_byteps_is_server (process);
  if (subject->is_server)
    {
      if (transfer_op (name.sub_op, TRUE) != NULL)
        return NULL;
      subject->sub_op = find_sub_op (name.sub_op);
      subject->family = family_of (self, process, &name);
      return g_strdup_printf ("%s_t%s", process, tid);
    }
  if (!tt_byteps_link (process, &source, &target))
    return NULL;
  const char *sub_op = transfer_op (name.sub_op, tt_byteps_is_worker (source));
  if (sub_op == NULL)
    return NULL;
  subject->sub_op = find_sub_op (sub_op);
  return g_strdup_printf ("%s::%s", source, target);
}

/* From 1; 0: none. */
static guint32
subject_of (TtBytepsTransfers *self, const TtTraceEvent *event)
{
  guint32 lane = tt_trace_lanes_of (self->lanes, event);
  const char *process = tt_trace_lanes_process (self->lanes, lane);
  const char *tid = tt_trace_lanes_tid (self->lanes, lane);
  g_autofree char *raw = tt_json_text (&event->name);
  g_autofree char *key = g_strjoin ("\n", process, tid, raw, NULL);
  guint32 number = tt_text_ids_find (self->numbers, SUBJECT, key, strlen (key));
  Subject subject = { 0 };

  if (number != 0)
    return number;
  g_autofree char *pid = make_subject (self, process, tid, raw, &subject);
  if (pid == NULL)
    return 0;
  subject.raw = tt_tape_append_text (self->texts, raw, strlen (raw));
  subject.pid = tt_tape_append_text (self->texts, pid, strlen (pid));
  number = ++self->n_subjects;
  *subject_at (self, number - 1) = subject;
  tt_text_ids_add (self->numbers, SUBJECT, key, strlen (key), number);
  return number;
}

/* "byteps.3_4~PART1.PUSH" -> "byteps.3_4.PUSH". Free it. */
static char *
without_part (const char *raw)
{
  const char *mark = strstr (raw, "~PART"), *op = strrchr (raw, '.');

  return mark == NULL || op == NULL || op < mark ? g_strdup (raw)
                                                 : g_strdup_printf ("%.*s%s", (int) (mark - raw), raw, op);
}

/* Valid until the next call. */
static const Called *
call (TtBytepsTransfers *self, guint32 number)
{
  Called *called = &self->called;
  const Subject *subject = subject_at (self, number);

  if (called->subject == number + 1)
    return called;
  called->subject = number + 1;
  tt_byteps_name_clear (&called->name);
  g_free (called->whole);
  const char *raw = tt_tape_read_text (self->texts, subject->raw, self->text);
  tt_byteps_server_name (raw, &called->name);
  called->whole = without_part (raw);
  tt_tape_read_text (self->texts, subject->pid, called->pid);
  return called;
}

gboolean
tt_byteps_transfers_add (TtBytepsTransfers *self, const TtTraceEvent *event)
{
  guint32 number = subject_of (self, event);

  if (number == 0)
    return FALSE;
  Edge *edge = tt_sorter_add (event->ph == 'B' ? self->begins : self->ends);
  *edge = (Edge){ .group = number - 1, .ts_key = tt_sort_key (event->ts_ns), .offset = event->offset };
  return TRUE;
}

/* -- pairing -------------------------------------------------------------------------------------------- */

static void
put_span (TtBytepsTransfers *self, const Edge *from, gint64 dur_ns, guint32 flags, guint64 k)
{
  const Subject *subject = subject_at (self, (guint32) from->group);
  gboolean is_push = g_str_has_prefix (sub_ops[subject->sub_op], "PUSH");
  Span *span = tt_sorter_add (self->spans);

  *span = (Span){ .group = subject->is_server ? (guint64) 1 << 32 | subject->family : from->group,
                  .ts_key = from->ts_key,
                  .dur_ns = dur_ns,
                  .offset = from->offset,
                  .subject = (guint32) from->group,
                  .flags = flags,
                  .step = TT_NO_STEP };
  /* The sums of one step do not follow from k: there are as many as workers less one. */
  if (k < G_MAXINT32 && !g_str_equal (sub_ops[subject->sub_op], "SUM") && !(is_push && k == 0))
    span->step = (gint32) k - (is_push ? 1 : 0);
}

static void
put_pair (TtBytepsTransfers *self, const Edge *begin, const Edge *end, guint64 k)
{
  gint64 ts_ns = tt_sort_value (begin->ts_key), dur_ns;
  gboolean is_backwards = __builtin_sub_overflow (tt_sort_value (end->ts_key), ts_ns, &dur_ns) || dur_ns < 0;

  if (is_backwards)
    tt_sink_repair (self->sink, TT_REPAIR_END_BEFORE_START, begin->offset);
  put_span (self, begin, is_backwards ? 0 : dur_ns, is_backwards ? TT_FLAG_END_BEFORE_START : 0, k);
}

/* The k-th begin with the k-th end, group by group. */
static gboolean
pair (TtBytepsTransfers *self, GError **error)
{
  g_autoptr (GError) own_error = NULL;
  guint64 group = G_MAXUINT64, k = 0;

  if (!tt_sorter_finish (self->begins, error) || !tt_sorter_finish (self->ends, error))
    return FALSE;
  const Edge *begin = tt_sorter_next (self->begins, &own_error);
  const Edge *end = own_error != NULL ? NULL : tt_sorter_next (self->ends, &own_error);
  while (own_error == NULL && (begin != NULL || end != NULL))
    {
      gboolean has_begin = begin != NULL && (end == NULL || begin->group <= end->group);
      gboolean has_end = end != NULL && (begin == NULL || end->group <= begin->group);
      guint64 now = has_begin ? begin->group : end->group;
      k = now == group ? k + 1 : 0;
      group = now;
      if (has_begin && has_end)
        put_pair (self, begin, end, k);
      else if (has_begin)
        {
          tt_sink_repair (self->sink, TT_REPAIR_UNCLOSED, begin->offset);
          put_span (self, begin, 0, TT_FLAG_UNCLOSED, k);
        }
      else
        {
          tt_sink_repair (self->sink, TT_REPAIR_END_WITHOUT_BEGIN, end->offset);
          put_span (self, end, TT_NO_TIME, TT_FLAG_INFERRED, k);
        }
      if (has_begin)
        begin = tt_sorter_next (self->begins, &own_error);
      if (has_end && own_error == NULL)
        end = tt_sorter_next (self->ends, &own_error);
    }
  if (own_error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&own_error));
  return FALSE;
}

/* -- handing out ------------------------------------------------------------------------------------------ */

typedef struct
{
  guint64 group;
  guint n_sums;
  gint32 step; /* of the COPY_FIRST before */
} Family;

static void
follow_family (Family *family, const Span *span, const Subject *subject)
{
  if (span->group != family->group)
    *family = (Family){ .group = span->group, .step = TT_NO_STEP };
  if (g_str_equal (sub_ops[subject->sub_op], "COPY_FIRST"))
    {
      family->n_sums = 0;
      family->step = span->step;
    }
}

static gboolean
hand_out (TtBytepsTransfers *self, Family *family, const Span *span, TtBytepsFunc func, gpointer data, GError **error)
{
  const Subject *subject = subject_at (self, span->subject);
  const Called *called = call (self, span->subject);
  TtBytepsTransfer transfer = { .raw = called->whole,
                                .pid = called->pid->str,
                                .op_cat = subject->is_server ? "ServerOp" : "Comm",
                                .tensor = called->name.tensor,
                                .sub_op = sub_ops[subject->sub_op],
                                .ts_ns = tt_sort_value (span->ts_key),
                                .dur_ns = span->dur_ns,
                                .step = span->step,
                                .flags = span->flags,
                                .offset = span->offset };

  follow_family (family, span, subject);
  if (!subject->is_server)
    g_string_printf (self->text, "%s::%u", called->pid->str, called->name.part);
  else
    {
      gboolean is_sum = g_str_equal (sub_ops[subject->sub_op], "SUM");
      g_string_printf (self->text, "%s::%u::~PART%u", called->pid->str, is_sum ? family->n_sums++ : 0,
                       called->name.part);
      if (is_sum)
        transfer.step = family->step;
    }
  transfer.suffix = self->text->str;
  return func (&transfer, data, error);
}

gboolean
tt_byteps_transfers_each (TtBytepsTransfers *self, TtBytepsFunc func, gpointer data, GError **error)
{
  g_autoptr (GError) own_error = NULL;
  const Span *span;
  Family family = { .group = G_MAXUINT64, .step = TT_NO_STEP };

  if (!pair (self, error) || !tt_sorter_finish (self->spans, error))
    return FALSE;
  while ((span = tt_sorter_next (self->spans, &own_error)) != NULL)
    if (!hand_out (self, &family, span, func, data, error))
      return FALSE;
  if (own_error == NULL)
    return tt_id_table_check (&self->subjects, error) && tt_text_ids_check (self->numbers, error) &&
           tt_tape_check (self->texts, error);
  g_propagate_error (error, g_steal_pointer (&own_error));
  return FALSE;
}
