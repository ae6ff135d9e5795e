/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/sink.h"

#include <string.h>

/* Rows other than events, into the columns of the batch: a full column sends the batch to the back. */

static void
add_counter (TtSink *self, guint32 series, guint32 thread, gint64 ts_ns, gint64 bits, gboolean is_real)
{
  TtCounterColumns *counters = &self->batch->counters;
  guint i = counters->n++;

  counters->series[i] = series;
  counters->thread[i] = thread;
  counters->ts_ns[i] = ts_ns;
  counters->value[i] = bits;
  counters->is_real[i] = (guint8) is_real;
  if (counters->n == TT_BATCH_ROWS)
    tt_sink_flush (self);
}

void
tt_sink_counter_int (TtSink *self, guint32 series, guint32 thread, gint64 ts_ns, gint64 value)
{
  add_counter (self, series, thread, ts_ns, value, FALSE);
}

void
tt_sink_counter_real (TtSink *self, guint32 series, guint32 thread, gint64 ts_ns, double value)
{
  gint64 bits;

  memcpy (&bits, &value, sizeof bits);
  add_counter (self, series, thread, ts_ns, bits, TRUE);
}

void
tt_sink_metric (TtSink *self, guint64 event, guint32 series, gint64 inclusive, gint64 exclusive)
{
  TtMetricColumns *metrics = &self->batch->metrics;
  guint i = metrics->n++;

  metrics->event[i] = event;
  metrics->series[i] = series;
  metrics->inclusive[i] = inclusive;
  metrics->exclusive[i] = exclusive;
  if (metrics->n == TT_BATCH_ROWS)
    tt_sink_flush (self);
}

void
tt_sink_half (TtSink *self,
              gboolean is_send,
              TtOnesided onesided,
              guint32 thread,
              guint32 own,
              guint32 peer,
              gint64 tag,
              gint64 comm,
              gint64 ts_ns,
              gint64 bytes,
              guint32 owner)
{
  TtHalfColumns *halves = &self->batch->halves;

  if (G_UNLIKELY (owner == TT_OWNER_LEFT_OUT))
    return;
  guint i = halves->n++;

  halves->is_send[i] = (guint8) is_send;
  halves->onesided[i] = (guint8) onesided;
  halves->thread[i] = thread;
  halves->own[i] = own;
  halves->peer[i] = peer;
  halves->tag[i] = tag;
  halves->comm[i] = comm;
  halves->ts_ns[i] = ts_ns;
  halves->bytes[i] = bytes;
  halves->owner[i] = owner;
  if (halves->n == TT_BATCH_ROWS)
    tt_sink_flush (self);
}

void
tt_sink_owner (TtSink *self, guint32 owner, guint64 event)
{
  TtOwnerColumns *owners = &self->batch->owners;
  guint i = owners->n++;

  owners->owner[i] = owner;
  owners->event[i] = event;
  if (owners->n == TT_BATCH_ROWS)
    tt_sink_flush (self);
}

void
tt_sink_call (TtSink *self, guint32 owner, guint32 root, gint64 comm, gint64 sequence)
{
  TtCallColumns *calls = &self->batch->calls;

  if (owner == 0 || owner == TT_OWNER_LEFT_OUT)
    return;
  guint i = calls->n++;

  calls->owner[i] = owner;
  calls->root[i] = root;
  calls->comm[i] = comm;
  calls->sequence[i] = sequence;
  if (calls->n == TT_BATCH_ROWS)
    tt_sink_flush (self);
}

void
tt_sink_flow (TtSink *self, guint64 from_event, guint64 to_event, const TtFlowKind *kind)
{
  TtFlowColumns *flows = &self->batch->flows;
  guint i = flows->n++;

  flows->from_event[i] = from_event;
  flows->to_event[i] = to_event;
  flows->kind[i] = kind;
  flows->from_ns[i] = flows->to_ns[i] = TT_NO_TIME;
  if (flows->n == TT_BATCH_ROWS)
    tt_sink_flush (self);
}

void
tt_sink_flow_point (TtSink *self, const TtSinkFlowPoint *point)
{
  TtFlowPointColumns *points = &self->batch->points;

  if (G_UNLIKELY (point->owner == TT_OWNER_LEFT_OUT))
    return;
  guint i = points->n++;

  points->key[i] = point->key;
  points->kind[i] = point->kind;
  points->phase[i] = (guint8) point->phase;
  points->ts_ns[i] = point->ts_ns;
  points->owner[i] = point->owner;
  if (points->n == TT_BATCH_ROWS)
    tt_sink_flush (self);
}

guint32
tt_sink_hold_activity (TtSink *self, const TtActivity *activity)
{
  if (self->held == NULL)
    self->held = tt_activity_pool_new ();
  return tt_activity_pool_hold (self->held, activity);
}

void
tt_sink_activity (TtSink *self, guint32 number, guint64 event)
{
  TtActivityColumns *activities = &self->batch->activities;
  TtActivity activity = tt_activity_pool_take (self->held, number);

  if (event == 0)
    return;
  guint i = activities->n++;

  activities->event[i] = event;
  activities->launch[i] = 0;
  activities->correlation[i] = activity.correlation;
  activities->waits_for[i] = activity.waits_for;
  activities->queue[i] = activity.queue;
  activities->waits_on[i] = activity.waits_on;
  activities->role[i] = (guint8) activity.role;
  activities->blocks[i] = activity.blocks != FALSE;
  if (activities->n == TT_BATCH_ROWS)
    tt_sink_flush (self);
}

guint32
tt_sink_new_owner (TtSink *self)
{
  return self->next_owner++;
}

/* -- arguments ------------------------------------------------------------------------------------ */

/* Text of a batch that only arguments fill. */
#define ARGS_TEXT ((gsize) 1 << 20)

/* Batches end where they would with all texts in them: how arguments come makes no other blocks of events. */
static inline void
flush_if_much_text (TtSink *self)
{
  const TtArgsColumns *args = &self->batch->args;
  const gssize n_bytes = (gssize) self->batch->text->len + args->n_spared;

  if (G_UNLIKELY (args->n == TT_BATCH_ROWS || n_bytes >= (gssize) ARGS_TEXT))
    tt_sink_flush (self);
}

static inline void
add_args_piece (TtSink *self, guint64 total, guint64 at, const char *piece, gsize len)
{
  TtArgsColumns *args = &self->batch->args;
  guint i = args->n++;

  args->id[i] = self->next_args;
  args->text[i] = tt_batch_add_bytes (self->batch, piece, len);
  args->len[i] = (guint32) len;
  args->at[i] = at;
  args->total[i] = total;
  args->form[i] = NULL;
  flush_if_much_text (self);
}

guint64
tt_sink_args_piece (TtSink *self, guint64 total, guint64 at, const char *piece, gsize len)
{
  guint64 end = at + len;

  while (len > ARGS_TEXT)
    {
      add_args_piece (self, total, at, piece, ARGS_TEXT);
      piece += ARGS_TEXT;
      at += ARGS_TEXT;
      len -= ARGS_TEXT;
    }
  add_args_piece (self, total, at, piece, len);
  return end < total ? self->next_args : self->next_args++;
}

guint64
tt_sink_args (TtSink *self, const char *json, gsize len)
{
  TtFilterFacts facts;

  if (self->filter != NULL && self->filter->klass->read_args (self->filter, json, len, &facts))
    g_hash_table_replace (self->facts, g_memdup2 (&self->next_args, sizeof self->next_args),
                          g_memdup2 (&facts, sizeof facts));
  if (G_UNLIKELY (len > ARGS_TEXT))
    return tt_sink_args_piece (self, len, 0, json, len);
  add_args_piece (self, len, 0, json, len);
  return self->next_args++;
}

/* -- forms ---------------------------------------------------------------------------------------- */

/* Of all sources: memory is bounded. */
#define MAX_FORMS (8 * TT_ARGS_FORMS_OF_SOURCE)

gboolean
tt_sink_takes_forms (const TtSink *self)
{
  const guint n_forms = self->forms == NULL ? 0 : g_hash_table_size (self->forms);

  return self->takes_forms && self->filter == NULL && n_forms <= MAX_FORMS - TT_ARGS_FORMS_OF_SOURCE;
}

const TtArgsForm *
tt_sink_args_form (TtSink *self, const char *format, guint n_numbers)
{
  if (self->forms == NULL)
    self->forms = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);

  TtArgsForm *form = g_hash_table_lookup (self->forms, format);
  if (form != NULL)
    return form;
  const gsize len = strlen (format);
  form = g_malloc (sizeof *form + len + 1);
  *form = (TtArgsForm){ .number = g_hash_table_size (self->forms), .n_numbers = n_numbers, .len = len };
  memcpy (form->format, format, len + 1);
  g_hash_table_insert (self->forms, form->format, form);
  return form;
}

guint64
tt_sink_filled_args (TtSink *self, const TtArgsForm *form, const gint64 *numbers, gsize len)
{
  TtArgsColumns *args = &self->batch->args;
  const guint i = args->n++;
  const gsize n_bytes = form->n_numbers * sizeof *numbers;

  args->id[i] = self->next_args;
  args->text[i] = tt_batch_add_bytes (self->batch, (const char *) numbers, n_bytes);
  args->len[i] = (guint32) len;
  args->at[i] = 0;
  args->total[i] = len;
  args->form[i] = form;
  args->n_spared += (gssize) len - (gssize) n_bytes;
  flush_if_much_text (self);
  return self->next_args++;
}

/* -- arguments that wait for their span -------------------------------------------------------------- */

static guint64
hold_args (TtSink *self, const char *json, gsize len, gboolean is_plain)
{
  guint32 number = 0;

  if (self->held_args == NULL)
    self->held_args = tt_held_args_new ();
  /* A filter asks for the arguments of what begins. */
  if (self->filter == NULL)
    number = tt_held_args_add (self->held_args, json, len, is_plain);
  return number == 0 ? tt_sink_args (self, json, len) : TT_ARGS_HELD | number;
}

guint64
tt_sink_hold_args (TtSink *self, const char *json, gsize len)
{
  return hold_args (self, json, len, FALSE);
}

guint64
tt_sink_hold_plain_args (TtSink *self, const char *json, gsize len)
{
  return hold_args (self, json, len, TRUE);
}

guint64
tt_sink_write_held_args (TtSink *self, guint64 args)
{
  const GString *text = tt_held_args_text (self->held_args, (guint32) args);
  guint64 id = tt_sink_args (self, text->str, text->len);

  tt_held_args_drop (self->held_args, (guint32) args);
  return id;
}

guint64
tt_sink_join_args (TtSink *self, guint64 args, guint64 more)
{
  if ((args & more & TT_ARGS_HELD) != 0)
    {
      if (!tt_held_args_join (self->held_args, (guint32) args, (guint32) more))
        tt_repairs_add (&self->repairs, TT_REPAIR_ARGS_NOT_MERGED, 0);
      return args;
    }
  guint64 id = tt_sink_settle_args (self, args);
  tt_sink_args_merge (self, id, tt_sink_settle_args (self, more));
  return id;
}

void
tt_sink_args_drop (TtSink *self, guint64 args)
{
  if ((args & TT_ARGS_HELD) != 0)
    tt_held_args_drop (self->held_args, (guint32) args);
  else if (args != 0)
    tt_sink_args_merge (self, 0, args);
}

void
tt_sink_args_merge (TtSink *self, guint64 args, guint64 more)
{
  TtArgsMergeColumns *merges = &self->batch->merges;
  guint i = merges->n++;

  merges->args[i] = args;
  merges->more[i] = more;
  if (merges->n == TT_BATCH_ROWS)
    tt_sink_flush (self);
}
