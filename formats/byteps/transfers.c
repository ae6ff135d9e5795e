/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/byteps/transfers.h"

#include "src/base/sorter.h"

#include <string.h>

#define SORTER_MEMORY ((gsize) 6 << 20)
/* A thousand tensors between a hundred workers and servers; more is no BytePS. */
#define MOST_SUBJECTS (1u << 19)

/* Whose begins and ends pair: one device, tensor, operation, partition. */
typedef struct
{
  char *raw, *pid;
  char *whole; /* raw without the partition: partitions are one operation, which their suffix distinguishes */
  TtBytepsName name;
  const char *sub_op; /* PUSH_REQ ... */
  gboolean is_server;
  guint32 family; /* of a server: tensor and partition, whatever the operation and thread */
} Subject;

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
  GArray *subjects;
  GHashTable *numbers;  /* raw, pid -> subject + 1 */
  GHashTable *families; /* server, tensor, partition -> family + 1 */
  TtSorter *begins, *ends, *spans;
  GString *text;
};

static void
subject_clear (gpointer data)
{
  Subject *subject = data;

  g_free (subject->raw);
  g_free (subject->whole);
  g_free (subject->pid);
  tt_byteps_name_clear (&subject->name);
}

TtBytepsTransfers *
tt_byteps_transfers_new (TtTraceLanes *lanes, TtSink *sink)
{
  TtBytepsTransfers *self = g_new0 (TtBytepsTransfers, 1);

  self->lanes = lanes;
  self->sink = sink;
  self->subjects = g_array_new (FALSE, TRUE, sizeof (Subject));
  g_array_set_clear_func (self->subjects, subject_clear);
  self->numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->families = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
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
  g_array_unref (self->subjects);
  g_hash_table_unref (self->numbers);
  g_hash_table_unref (self->families);
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

static guint32
family_of (TtBytepsTransfers *self, const char *process, const TtBytepsName *name)
{
  g_string_printf (self->text, "%s %s %u", process, name->tensor, name->part);
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->families, self->text->str));

  if (number == 0)
    {
      number = g_hash_table_size (self->families) + 1;
      g_hash_table_insert (self->families, g_strdup (self->text->str), GUINT_TO_POINTER (number));
    }
  return number - 1;
}

/* FALSE: what stands there is neither a transfer nor a server's work. */
static gboolean
make_subject (TtBytepsTransfers *self, const char *process, const char *tid, Subject *subject)
{
  g_autofree char *source = NULL, *target = NULL;

  if (!tt_byteps_server_name (subject->raw, &subject->name))
    return FALSE;
  subject->is_server = tt_byteps_is_server (process);
  if (subject->is_server)
    {
      subject->sub_op = subject->name.sub_op;
      subject->pid = g_strdup_printf ("%s_t%s", process, tid);
      subject->family = family_of (self, process, &subject->name);
      return transfer_op (subject->sub_op, TRUE) == NULL;
    }
  if (!tt_byteps_link (process, &source, &target))
    return FALSE;
  subject->sub_op = transfer_op (subject->name.sub_op, tt_byteps_is_worker (source));
  subject->pid = g_strdup_printf ("%s::%s", source, target);
  return subject->sub_op != NULL;
}

/* "byteps.3_4~PART1.PUSH" -> "byteps.3_4.PUSH". Free it. */
static char *
without_part (const char *raw)
{
  const char *mark = strstr (raw, "~PART"), *op = strrchr (raw, '.');

  return mark == NULL || op == NULL || op < mark ? g_strdup (raw)
                                                 : g_strdup_printf ("%.*s%s", (int) (mark - raw), raw, op);
}

/* From 1; 0: none. */
static guint
subject_of (TtBytepsTransfers *self, const TtTraceEvent *event)
{
  guint32 lane = tt_trace_lanes_of (self->lanes, event);
  const char *process = tt_trace_lanes_process (self->lanes, lane);
  const char *tid = tt_trace_lanes_tid (self->lanes, lane);
  Subject subject = { .raw = tt_json_text (&event->name) };
  g_autofree char *key = g_strjoin ("\n", process, tid, subject.raw, NULL);
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, key));

  if (number == 0 && self->subjects->len < MOST_SUBJECTS && make_subject (self, process, tid, &subject))
    {
      subject.whole = without_part (subject.raw);
      g_array_append_val (self->subjects, subject);
      number = self->subjects->len;
      g_hash_table_insert (self->numbers, g_steal_pointer (&key), GUINT_TO_POINTER (number));
    }
  else
    subject_clear (&subject);
  return number;
}

gboolean
tt_byteps_transfers_add (TtBytepsTransfers *self, const TtTraceEvent *event)
{
  guint number = subject_of (self, event);

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
  const Subject *subject = &g_array_index (self->subjects, Subject, (guint) from->group);
  gboolean is_push = g_str_has_prefix (subject->sub_op, "PUSH");
  Span *span = tt_sorter_add (self->spans);

  *span = (Span){ .group = subject->is_server ? (guint64) 1 << 32 | subject->family : from->group,
                  .ts_key = from->ts_key,
                  .dur_ns = dur_ns,
                  .offset = from->offset,
                  .subject = (guint32) from->group,
                  .flags = flags,
                  .step = TT_NO_STEP };
  /* The sums of one step do not follow from k: there are as many as workers less one. */
  if (k < G_MAXINT32 && !g_str_equal (subject->sub_op, "SUM") && !(is_push && k == 0))
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
  if (g_str_equal (subject->sub_op, "COPY_FIRST"))
    {
      family->n_sums = 0;
      family->step = span->step;
    }
}

static gboolean
hand_out (TtBytepsTransfers *self, Family *family, const Span *span, TtBytepsFunc func, gpointer data, GError **error)
{
  const Subject *subject = &g_array_index (self->subjects, Subject, span->subject);
  TtBytepsTransfer transfer = { .raw = subject->whole,
                                .pid = subject->pid,
                                .op_cat = subject->is_server ? "ServerOp" : "Comm",
                                .tensor = subject->name.tensor,
                                .sub_op = subject->sub_op,
                                .ts_ns = tt_sort_value (span->ts_key),
                                .dur_ns = span->dur_ns,
                                .step = span->step,
                                .flags = span->flags,
                                .offset = span->offset };

  follow_family (family, span, subject);
  if (!subject->is_server)
    g_string_printf (self->text, "%s::%u", subject->pid, subject->name.part);
  else
    {
      gboolean is_sum = g_str_equal (subject->sub_op, "SUM");
      g_string_printf (self->text, "%s::%u::~PART%u", subject->pid, is_sum ? family->n_sums++ : 0, subject->name.part);
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
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&own_error));
  return FALSE;
}
