/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2-export/events.h"

#include "formats/otf2-export/region-words.h"

/* Kinds of events: formats/otf2/events.h. */
enum
{
  ENTER = 12,
  LEAVE = 13,
  MPI_SEND = 14,
  IRECV_REQUEST = 17,
  MPI_RECV = 18,
  MPI_IRECV = 19,
  COLLECTIVE_BEGIN = 22,
  COLLECTIVE_END = 23,
  METRIC = 31,
  PARAMETER_STRING = 32,
  RMA_WAIT_CHANGE = 45,
  RMA_PUT = 46,
  RMA_GET = 47,
  RMA_COMPLETE_BLOCKING = 49,
  NBC_REQUEST = 85,
  NBC_COMPLETE = 86,
};

/* More flows of one event are left out. */
#define MOST_FLOWS 200u

enum
{
  TYPE_INT64 = 8,
  TYPE_DOUBLE = 10,
};

gboolean
tt_otf2_export_events_open (TtOtf2ExportEvents *self, const char *path, GError **error)
{
  self->is_pending = FALSE;
  self->n_started = self->n_transfers = 0;
  self->last = G_MININT64;
  tt_otf2_export_posts_clear (self->posts);
  return tt_chunk_file_open (&self->file, path, TT_EVENT_CHUNK, error);
}

/* The time of a record; one that steps back is told by an attribute of what comes next. */
static gint64
take_time (TtOtf2ExportEvents *self, gint64 time)
{
  if (time >= self->last)
    self->last = time;
  else
    tt_otf2_export_attributes_signed (&self->attributes, "time", TT_OTF2_EXPORT_OWN, time - self->last);
  return self->last;
}

static void
end_event (TtOtf2ExportEvents *self, gint64 time, guint8 kind, gboolean is_alone)
{
  tt_chunk_file_event (&self->file, (guint64) time, kind, &self->body, is_alone);
  g_byte_array_set_size (self->body.bytes, 0);
}

static void
write_metric (TtOtf2ExportEvents *self, gint64 time, guint32 series, guint kind, gint64 value)
{
  tt_record_packed (&self->body, tt_otf2_export_use_metric (self->definitions, series, kind));
  tt_record_u8 (&self->body, 1);
  tt_record_u8 (&self->body, kind == TT_OTF2_REAL ? TYPE_DOUBLE : TYPE_INT64);
  tt_record_packed (&self->body, (guint64) value);
  end_event (self, time, METRIC, FALSE);
}

static void
write_counter (TtOtf2ExportEvents *self, const TtRecordExportItem *item, guint kind)
{
  gint64 time = take_time (self, item->time);

  tt_otf2_export_attributes_write (&self->attributes, &self->file, time);
  write_metric (self, time, item->value, kind, item->par);
}

/* The name of the collective that an enter or leave is of; NULL: of none. What only the times tell is written where OTF2 knows what
 * it is. */
static const TtStoredName *
find_collective (const TtOtf2ExportEvents *self, const TtRecordExportItem *item)
{
  const TtStoredName *name =
      item->ordinal == TT_RECORD_EXPORT_NO_CALL ? NULL : tt_store_name (self->store, item->value);

  return name != NULL && item->ordinal == TT_RECORD_EXPORT_INFERRED_CALL &&
                 tt_otf2_export_operation (name) == TT_OTF2_CREATE_HANDLE
             ? NULL
             : name;
}

/* -- what is told of an event beside its name and times ----------------------------------------------------------- */

static void
add_flow (TtOtf2ExportEvents *self, const TtRecordExportItem *flow)
{
  const TtRecordExportFlowKind *kind = tt_record_export_items_flow_kind (self->items, flow->value);
  const char *way = flow->ordinal == 0 ? "out" : "in";

  if (++self->n_flows > MOST_FLOWS)
    {
      self->report->n_flow_sides++;
      return;
    }
  g_autofree char *name = g_strdup_printf ("flow %s %u %s", way, self->n_flows, kind->text);
  g_autofree char *told = g_strdup_printf (TT_OTF2_EXPORT_FLOW "%u", (guint) kind->link * 2 + (kind->is_inferred != 0));
  tt_otf2_export_attributes_number (&self->attributes, name, told, (guint64) flow->par);
  if (flow->a == TT_NO_TIME || flow->a == flow->time)
    return;
  g_autofree char *when = g_strdup_printf ("flow time %u", self->n_flows);
  tt_otf2_export_attributes_signed (&self->attributes, when, TT_OTF2_EXPORT_OWN, flow->a - flow->time);
}

/* What it has to do with a device; queues are locations. */
static void
add_activity (TtOtf2ExportEvents *self, const TtActivity *activity)
{
  gint64 time;

  if (activity->role == TT_ACTIVITY_NONE)
    return;
  tt_otf2_export_attributes_text (&self->attributes, "role", TT_OTF2_EXPORT_OWN,
                                  tt_activity_role_text (activity->role));
  if (activity->blocks)
    tt_otf2_export_attributes_number (&self->attributes, "blocks", TT_OTF2_EXPORT_OWN, 1);
  if (activity->correlation != 0)
    tt_otf2_export_attributes_number (&self->attributes, "correlation", TT_OTF2_EXPORT_OWN, activity->correlation);
  if (activity->waits_for != 0)
    tt_otf2_export_attributes_number (&self->attributes, "waits for", TT_OTF2_EXPORT_OWN, activity->waits_for);
  /* Of a selection, the queue may have no location. */
  if (activity->queue != TT_NO_ID &&
      (self->is_whole || tt_record_export_items_last (self->items, activity->queue, &time)))
    tt_otf2_export_attributes_location (&self->attributes, "queue", TT_OTF2_EXPORT_OWN, activity->queue - 1);
  if (activity->waits_on != TT_NO_ID &&
      (self->is_whole || tt_record_export_items_last (self->items, activity->waits_on, &time)))
    tt_otf2_export_attributes_location (&self->attributes, "waits on", TT_OTF2_EXPORT_OWN, activity->waits_on - 1);
}

/* A call of a collective that has no place on a stack has no records of its own. */
static void
add_call (TtOtf2ExportEvents *self, const TtRecordExportBeside *call)
{
  if (call->call != TT_RECORD_EXPORT_CALL)
    return;
  tt_otf2_export_attributes_signed (&self->attributes, "communicator", TT_OTF2_EXPORT_OWN, call->comm);
  if (call->root != TT_NO_ID)
    tt_otf2_export_attributes_number (&self->attributes, "root", TT_OTF2_EXPORT_OWN, (guint64) call->root - 1);
}

/* @par: of the item; a span on no stack tells all. */
static void
add_detail (TtOtf2ExportEvents *self, gint64 par, gboolean is_off_stack)
{
  TtRecordExportDetail detail;
  gboolean is_told = par < 0 || is_off_stack;

  if (par == 0)
    return;
  tt_record_export_details_get (tt_record_export_items_details (self->items), ABS (par), &detail, self->args);
  if (is_off_stack)
    {
      tt_otf2_export_attributes_signed (&self->attributes, "duration", TT_OTF2_EXPORT_OWN, detail.dur_ns);
      add_call (self, &detail.beside);
    }
  if (is_told && detail.dur_ns != TT_NO_TIME)
    tt_otf2_export_attributes_signed (&self->attributes, "self", TT_OTF2_EXPORT_OWN, detail.self_ns);
  if (is_told)
    tt_otf2_export_attributes_number (&self->attributes, "depth", TT_OTF2_EXPORT_OWN, detail.depth);
  else
    detail.flags = tt_record_export_own_flags (detail.flags);
  add_activity (self, &detail.beside.activity);
  if (detail.flags != 0)
    tt_otf2_export_attributes_text (&self->attributes, "flags", TT_OTF2_EXPORT_OWN, tt_flags_text (detail.flags));
  if (detail.step != TT_NO_STEP)
    tt_otf2_export_attributes_signed (&self->attributes, "step", TT_OTF2_EXPORT_OWN, detail.step);
  tt_otf2_export_attributes_args (&self->attributes, self->args);
}

/* What has no place on a location's stack is a parameter whose value is its name. */
static void
write_moment (TtOtf2ExportEvents *self, const TtRecordExportItem *item)
{
  gboolean is_span = item->kind == TT_RECORD_EXPORT_OFF_STACK;
  const TtStoredName *name = tt_store_name (self->store, item->value);
  guint32 region = tt_otf2_export_use_region (self->definitions, item->value);
  gint64 time = take_time (self, item->time);

  tt_otf2_export_attributes_region (&self->attributes, "region", TT_OTF2_EXPORT_OWN, region);
  add_detail (self, item->par, is_span);
  tt_otf2_export_attributes_write (&self->attributes, &self->file, time);
  tt_record_packed (&self->body, tt_otf2_export_use_parameter (self->definitions,
                                                               is_span ? TT_OTF2_EXPORT_SPAN : TT_OTF2_EXPORT_INSTANT));
  tt_record_packed (&self->body,
                    tt_otf2_export_use_text (self->definitions, name->raw != NULL ? name->raw : name->text));
  end_event (self, time, PARAMETER_STRING, FALSE);
}

/* An enter, and what begins with it; a leave, and what ends with it; or what is on no stack. */
static void
settle (TtOtf2ExportEvents *self)
{
  const TtRecordExportItem *item = &self->pending;
  gboolean is_enter = item->kind == TT_RECORD_EXPORT_ENTER;

  if (!self->is_pending)
    return;
  self->is_pending = FALSE;
  if (!is_enter && item->kind != TT_RECORD_EXPORT_LEAVE)
    {
      write_moment (self, item);
      return;
    }
  gint64 time = take_time (self, item->time);
  if (is_enter)
    add_detail (self, item->par, FALSE);
  tt_otf2_export_attributes_write (&self->attributes, &self->file, time);
  tt_record_packed (&self->body, tt_otf2_export_use_region (self->definitions, item->value));
  end_event (self, time, is_enter ? ENTER : LEAVE, TRUE);
  const TtStoredName *call = is_enter ? find_collective (self, item) : NULL;
  if (call != NULL && !tt_otf2_export_is_nonblocking (call))
    end_event (self, time, COLLECTIVE_BEGIN, FALSE);
}

/* Where a non-blocking one completes is not known: it does at once, for it needs both records. */
static void
end_collective (TtOtf2ExportEvents *self, const TtRecordExportItem *leave)
{
  const TtStoredName *name = find_collective (self, leave);

  if (name == NULL)
    return;
  gint64 time = MAX (leave->time, self->last);
  gboolean is_nonblocking = tt_otf2_export_is_nonblocking (name);
  guint32 comm = tt_otf2_export_use_comm (self->comms, leave->b, leave->ordinal == TT_RECORD_EXPORT_INFERRED_CALL);
  guint32 root = leave->a == TT_NO_ID ? TT_OTF2_NO_RANK : tt_otf2_export_rank (self->comms, comm, (guint32) leave->a);

  if (is_nonblocking)
    {
      tt_record_packed (&self->body, ++self->n_started);
      end_event (self, time, NBC_REQUEST, FALSE);
    }
  tt_record_u8 (&self->body, tt_otf2_export_operation (name));
  tt_record_packed (&self->body, comm);
  tt_record_packed (&self->body, root == TT_OTF2_NO_RANK ? TT_OTF2_NONE : root);
  tt_record_packed (&self->body, 0); /* bytes sent, bytes received */
  tt_record_packed (&self->body, 0);
  if (is_nonblocking)
    tt_record_packed (&self->body, self->n_started);
  end_event (self, time, is_nonblocking ? NBC_COMPLETE : COLLECTIVE_END, FALSE);
}

static gboolean
has_tag (const TtRecordExportItem *message)
{
  return message->a >= 0 && message->a < G_MAXUINT32;
}

/* OTF2 knows no message of unknown size, nor tags of more than 32 bits: viewers get 0, and an attribute tells tracetool. */
static gint64
begin_message (TtOtf2ExportEvents *self, const TtRecordExportItem *item)
{
  gint64 time = take_time (self, item->time);

  if (item->par < 0)
    tt_otf2_export_attributes_number (&self->attributes, "size unknown", TT_OTF2_EXPORT_OWN, 1);
  if (item->kind <= TT_RECORD_EXPORT_RECV && !has_tag (item))
    tt_otf2_export_attributes_signed (&self->attributes, "tag", TT_OTF2_EXPORT_OWN, item->a);
  tt_otf2_export_attributes_write (&self->attributes, &self->file, time);
  return time;
}

/* The request that a receive completes; 0: none. */
static guint64
write_posts (TtOtf2ExportEvents *self, const TtRecordExportItem *item)
{
  guint64 first, last;
  guint64 request = tt_otf2_export_posts_take (self->posts, item, &first, &last);

  for (guint64 i = first; i <= last; i++)
    {
      tt_record_packed (&self->body, i);
      end_event (self, MAX (item->time, self->last), IRECV_REQUEST, TRUE);
    }
  return request;
}

static void
write_message (TtOtf2ExportEvents *self, const TtRecordExportItem *item)
{
  gboolean is_send = item->kind == TT_RECORD_EXPORT_SEND;
  guint64 request = is_send ? 0 : write_posts (self, item);

  self->report->n_wrapped += !has_tag (item);
  gint64 time = begin_message (self, item);
  guint32 comm = tt_otf2_export_use_comm (self->comms, item->b, FALSE);
  tt_record_packed (&self->body, tt_otf2_export_rank (self->comms, comm, item->value));
  tt_record_packed (&self->body, comm);
  tt_record_packed (&self->body, has_tag (item) ? (guint64) item->a : 0);
  tt_record_packed (&self->body, (guint64) MAX (item->par, 0));
  if (request != 0)
    tt_record_packed (&self->body, request);
  end_event (self, time, is_send ? MPI_SEND : request != 0 ? MPI_IRECV : MPI_RECV, FALSE);
}

/* It is done at once: nothing is known of when it is complete. */
static void
write_put_or_get (TtOtf2ExportEvents *self, const TtRecordExportItem *item, guint32 window, guint32 comm)
{
  gint64 time = begin_message (self, item);

  tt_record_packed (&self->body, window);
  tt_record_packed (&self->body, tt_otf2_export_rank (self->comms, comm, item->value));
  tt_record_packed (&self->body, (guint64) MAX (item->par, 0));
  tt_record_packed (&self->body, ++self->n_transfers);
  end_event (self, time, item->kind == TT_RECORD_EXPORT_GET ? RMA_GET : RMA_PUT, FALSE);
  tt_record_packed (&self->body, window);
  tt_record_packed (&self->body, self->n_transfers);
  end_event (self, time, RMA_COMPLETE_BLOCKING, FALSE);
}

static void
write_transfer (TtOtf2ExportEvents *self, const TtRecordExportItem *item)
{
  guint32 window = tt_otf2_export_use_window (self->definitions, item->a, item->b);

  write_put_or_get (self, item, window, tt_otf2_export_use_comm (self->comms, item->b, FALSE));
}

/* One of which both sides tell: a put, and at the other end that memory was changed, by which no reader can join them. Attributes tell
 * tracetool the rest. */
static void
write_pair_side (TtOtf2ExportEvents *self, const TtRecordExportItem *item)
{
  guint32 window = tt_otf2_export_use_window (self->definitions, 0, 0);

  tt_otf2_export_attributes_signed (&self->attributes, "pair tag", TT_OTF2_EXPORT_OWN, item->a);
  tt_otf2_export_attributes_signed (&self->attributes, "pair communicator", TT_OTF2_EXPORT_OWN, item->b);
  if (item->kind == TT_RECORD_EXPORT_ONESIDED_SEND)
    {
      write_put_or_get (self, item, window, tt_otf2_export_use_comm (self->comms, 0, FALSE));
      return;
    }
  tt_otf2_export_attributes_number (&self->attributes, "peer", TT_OTF2_EXPORT_OWN, (guint64) item->value - 1);
  tt_otf2_export_attributes_signed (&self->attributes, "bytes", TT_OTF2_EXPORT_OWN, item->par);
  gint64 time = take_time (self, item->time);
  tt_otf2_export_attributes_write (&self->attributes, &self->file, time);
  tt_record_packed (&self->body, window);
  end_event (self, time, RMA_WAIT_CHANGE, FALSE);
}

void
tt_otf2_export_events_write (TtOtf2ExportEvents *self, const TtRecordExportItem *item)
{
  if (item->kind != TT_RECORD_EXPORT_METRIC && item->kind != TT_RECORD_EXPORT_FLOW)
    settle (self);
  switch ((TtRecordExportItemKind) item->kind)
    {
    case TT_RECORD_EXPORT_LEAVE:
      end_collective (self, item);
      G_GNUC_FALLTHROUGH;
    case TT_RECORD_EXPORT_ENTER:
    case TT_RECORD_EXPORT_INSTANT:
    case TT_RECORD_EXPORT_OFF_STACK:
      self->pending = *item;
      self->is_pending = TRUE;
      self->n_flows = 0;
      break;
    case TT_RECORD_EXPORT_FLOW:
      add_flow (self, item);
      break;
    case TT_RECORD_EXPORT_METRIC:
      write_metric (self, MAX (item->time, self->last), item->value, TT_OTF2_OF_SPANS,
                    item->par - tt_record_export_items_metric_base (self->items, item->thread, item->value));
      break;
    case TT_RECORD_EXPORT_COUNTER:
      write_counter (self, item, TT_OTF2_INTEGER);
      break;
    case TT_RECORD_EXPORT_COUNTER_REAL:
      write_counter (self, item, TT_OTF2_REAL);
      break;
    case TT_RECORD_EXPORT_SEND:
    case TT_RECORD_EXPORT_RECV:
      write_message (self, item);
      break;
    case TT_RECORD_EXPORT_PUT:
    case TT_RECORD_EXPORT_GET:
      write_transfer (self, item);
      break;
    case TT_RECORD_EXPORT_ONESIDED_SEND:
    case TT_RECORD_EXPORT_ONESIDED_RECV:
      write_pair_side (self, item);
      break;
    }
}

gboolean
tt_otf2_export_events_close (TtOtf2ExportEvents *self, guint64 *n_events, GError **error)
{
  settle (self);
  *n_events = self->file.n_events;
  return tt_chunk_file_close (&self->file, error);
}
