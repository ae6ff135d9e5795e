/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2/location.h"

#include "formats/otf2/facts.h"
#include "formats/otf2/lanes.h"
#include "formats/otf2/moments.h"
#include "formats/otf2/names.h"
#include "formats/otf2/transfers.h"
#include "src/base/slots.h"
#include "src/trace/flow-join.h"
#include "src/trace/span.h"

static const TtFlowKind creation = { .text = "thread creation", .link = TT_LINK_THREAD };
/* What is never completed, or whose completion is not told, is no loss. */
static const TtFlowKind request_flow = { .text = "request", .is_open = TRUE };

void
tt_otf2_location_init (TtOtf2Location *self, TtOtf2Session *session)
{
  *self = (TtOtf2Location){ .session = session, .receives = tt_otf2_receives_new (session->sink) };
  tt_otf2_collectives_init (&self->collectives);
  self->metrics.held = g_array_new (FALSE, FALSE, sizeof (TtOtf2MetricValue));
}

void
tt_otf2_location_clear (TtOtf2Location *self)
{
  tt_otf2_receives_free (self->receives);
  tt_otf2_collectives_clear (&self->collectives);
  g_array_unref (self->metrics.held);
}

void
tt_otf2_location_begin (TtOtf2Location *self, guint place)
{
  TtOtf2Session *session = self->session;

  self->thread = tt_otf2_thread_of (session, place);
  self->process = tt_otf2_process_of (session, place);
  self->nest = tt_nest_thread (session->nest, self->thread, self->process);
  self->is_stream = tt_otf2_is_stream (session, place);
  self->n_events = 0;
  self->is_begun = FALSE;
  tt_otf2_receives_begin (self->receives, self->thread, self->process);
  tt_otf2_collectives_begin (&self->collectives);
}

/* -- spans --------------------------------------------------------------------------------------------------------- */

static guint64
thread_key (const TtOtf2Location *self, const TtOtf2Event *event)
{
  return tt_slots_mix (event->values[0] ^ tt_slots_mix (event->values[1] ^ tt_slots_mix (TT_FLOW_SALT)));
}

/* Metrics that are held, but not for what happens now. */
static void
settle_metrics (TtOtf2Location *self, guint64 ticks)
{
  if (self->metrics.held->len > 0 && self->metrics.ticks != ticks)
    tt_otf2_metrics_let_go (&self->metrics, self->session, self->thread);
}

/* Score-P writes "COMPUTE IDLE" on the first stream of a device between its kernels (SCOREP_CUDA_ENABLE=idle). */
static gboolean
is_artificial (const TtOtf2Session *session, guint64 region)
{
  const guint64 *row = tt_otf2_find (session->definitions, TT_OTF2_REGION, region);

  return row != NULL && row[TT_OTF2_REGION_ROLE] == TT_OTF2_ROLE_ARTIFICIAL;
}

/* On a stream what is no copy is a kernel, but for what the recorder says of itself. Copies are such by their records. Its own archives
 * tell the role; those before they did, by the names. */
static guint32
hold_activity (TtOtf2Location *self, guint64 region, guint32 name)
{
  TtSink *sink = self->session->sink;
  TtActivity activity = { .role = TT_ACTIVITY_KERNEL, .queue = self->thread };
  TtName known;

  if (self->session->tells_roles)
    return self->own.activity.role == TT_ACTIVITY_NONE ? 0 : tt_sink_hold_activity (sink, &self->own.activity);
  if (!self->is_stream || is_artificial (self->session, region))
    return 0;
  if (self->session->is_own && tt_names_get (sink->names, name, &known) && strcmp (known.op_cat, "MEM") == 0)
    activity.role = TT_ACTIVITY_COPY;
  return tt_sink_hold_activity (sink, &activity);
}

static void
take_enter (TtOtf2Location *self, const TtOtf2Event *event, guint64 region)
{
  TtOtf2Session *session = self->session;
  TtNestSpan span = { .ts_ns = self->ts_ns, .offset = event->offset, .step = TT_NO_STEP };

  settle_metrics (self, event->ticks);
  span.name = tt_otf2_region_name (session, region);
  if (session->is_own)
    {
      tt_otf2_moment_tell (self, &span);
      session->sink->batch->tells_nesting |= self->own.has_depth;
      span.is_told = self->own.has_depth;
      span.told_depth = self->own.depth;
      span.told_self_ns = self->own.self_ns;
    }
  else
    span.args = tt_otf2_attribute_args (session, event);
  span.mark = session->is_own ? 0 : tt_otf2_attributes_mark (event);
  span.activity = hold_activity (self, region, span.name);
  if (span.args != 0 || span.activity != 0 || span.flags != 0 || span.step != TT_NO_STEP || span.is_told)
    tt_nest_begin (session->nest, self->nest, &span);
  else
    tt_nest_enter (session->nest, self->nest, span.name, self->ts_ns, event->offset);
  tt_otf2_metrics_give (&self->metrics, session, self->nest);
  if (session->is_own && self->own.n_flows > 0)
    tt_otf2_own_flow (session, &self->own, tt_nest_owner (session->nest, self->nest), self->ts_ns, self->ts_ns);
  if (self->is_begun)
    tt_nest_flow (session->nest, self->nest, self->begin_key, &creation, TT_FLOW_END, self->ts_ns);
  self->is_begun = FALSE;
}

static void
take_leave (TtOtf2Location *self, const TtOtf2Event *event, guint64 region)
{
  TtOtf2Session *session = self->session;
  guint32 told = tt_otf2_region_name (session, region), name = told;
  guint64 args = session->is_own ? 0 : tt_otf2_attribute_args (session, event);

  settle_metrics (self, event->ticks);
  if (args != 0)
    {
      /* APEX gives a task that is renamed the new name at its end, and its number at both. */
      name = tt_nest_left_name (session->nest, self->nest, told, tt_otf2_attributes_mark (event), event->offset);
      tt_nest_add_args (session->nest, self->nest, args);
    }
  if (name != told)
    tt_nest_add_args (session->nest, self->nest, tt_otf2_left_args (session, region));
  tt_nest_leave (session->nest, self->nest, name, self->ts_ns, event->offset);
  tt_otf2_metrics_give (&self->metrics, session, self->nest);
}

static void
take_moment (TtOtf2Location *self, const TtOtf2Event *event, guint32 name, guint64 args)
{
  const TtNestSpan instant = {
    .ts_ns = self->ts_ns, .args = args, .offset = event->offset, .name = name, .step = TT_NO_STEP
  };

  tt_nest_moment (self->session->nest, self->nest, &instant);
}

static void
take_record (TtOtf2Location *self, const TtOtf2Event *event)
{
  take_moment (self, event, tt_otf2_record_name (self->session, tt_otf2_event_rows[event->kind].name),
               tt_otf2_event_args (self->session, event));
}

/* What an event tells belongs to the call in which it happened. */
static void
take_fact (TtOtf2Location *self, const TtOtf2Event *event, guint64 args)
{
  if (args != 0 && !tt_nest_add_args (self->session->nest, self->nest, args))
    take_moment (self, event, tt_otf2_record_name (self->session, tt_otf2_event_rows[event->kind].name), args);
}

static void
take_flush (TtOtf2Location *self, const TtOtf2Event *event)
{
  TtOtf2Session *session = self->session;
  guint32 name = tt_otf2_own_name (session, "measurement", "TRACE BUFFER FLUSH", "RT", NULL);
  gint64 end_ns = tt_otf2_clock_ns (&session->clock, tt_otf2_corrected (&session->local, event->values[0]));

  tt_nest_enter (session->nest, self->nest, name, self->ts_ns, event->offset);
  tt_nest_leave (session->nest, self->nest, name, MAX (self->ts_ns, end_ns), event->offset);
}

static void
take_context (TtOtf2Location *self, const TtOtf2Event *event)
{
  const guint64 *context = tt_otf2_find (self->session->definitions, TT_OTF2_CALLING_CONTEXT, event->values[0]);
  guint64 region = context == NULL ? TT_OTF2_UNDEFINED : context[TT_OTF2_CONTEXT_REGION];

  if (event->kind == TT_OTF2_EVENT_CONTEXT_ENTER)
    take_enter (self, event, region);
  else if (event->kind == TT_OTF2_EVENT_CONTEXT_LEAVE)
    take_leave (self, event, region);
  else
    take_moment (self, event, tt_otf2_region_name (self->session, region), tt_otf2_sample_args (self->session, event));
}

/* -- requests ---------------------------------------------------------------------------------------------------- */

/* From the call that begins a non-blocking operation to the one in which it completes. Its own archives tell such flows as flows. */
static void
follow_request (TtOtf2Location *self, guint64 request, TtFlowPhase phase)
{
  TtOtf2Session *session = self->session;
  guint64 key = tt_slots_mix (request ^ tt_slots_mix (self->thread ^ tt_slots_mix (TT_FLOW_SALT ^ 1u << 31)));

  if (request != TT_OTF2_UNDEFINED && !session->is_own)
    tt_nest_flow (session->nest, self->nest, key, &request_flow, phase, self->ts_ns);
}

/* -- messages ------------------------------------------------------------------------------------------------------ */

static void
take_message (TtOtf2Location *self, const TtOtf2Event *event)
{
  TtOtf2Session *session = self->session;
  const guint64 *values = event->values;
  gboolean is_send = event->kind == TT_OTF2_EVENT_SEND || event->kind == TT_OTF2_EVENT_ISEND;
  TtOtf2Receive receive = { .half = { .ts_ns = self->ts_ns, .is_send = is_send } };

  if (event->kind == TT_OTF2_EVENT_ISEND || event->kind == TT_OTF2_EVENT_IRECV)
    follow_request (self, values[4], is_send ? TT_FLOW_START : TT_FLOW_END);
  gboolean is_unknown = session->is_own && self->own.has_no_size;
  if (!session->is_own)
    take_fact (self, event, tt_otf2_attribute_args (session, event));
  receive.half.peer = tt_otf2_process_of_rank (session, values[1], values[0], self->process);
  if (receive.half.peer == TT_NO_ID || values[2] == TT_OTF2_UNDEFINED)
    {
      tt_sink_repair_of (session->sink, self->process, TT_REPAIR_WILDCARD, event->offset);
      tt_otf2_receives_cancel (self->receives, event->kind == TT_OTF2_EVENT_IRECV ? values[4] : TT_OTF2_UNDEFINED);
      return;
    }
  receive.half.comm = tt_otf2_comm_number (session, values[1]);
  receive.half.tag = session->is_own && self->own.has_tag ? self->own.tag : (gint64) values[2];
  receive.half.bytes = is_unknown || values[3] > G_MAXINT64 ? -1 : (gint64) values[3];
  if (is_send)
    {
      tt_nest_half (session->nest, self->nest, &receive.half);
      return;
    }
  tt_nest_touch (session->nest, self->nest, self->ts_ns);
  receive.owner = tt_nest_owner (session->nest, self->nest);
  tt_otf2_receives_complete (self->receives, event->kind == TT_OTF2_EVENT_IRECV ? values[4] : TT_OTF2_UNDEFINED,
                             &receive);
}

static void
take_transfer (TtOtf2Location *self, const TtOtf2Event *event)
{
  gboolean is_begin = event->kind <= TT_OTF2_EVENT_RMA_ATOMIC;

  /* Copies of its own archives are spans. */
  if (self->is_stream && event->kind <= TT_OTF2_EVENT_RMA_GET && !self->session->is_own)
    tt_otf2_transfer_begin_copy (self, event);
  else if (self->is_stream && !is_begin && !self->session->is_own)
    {
      if (!tt_otf2_transfer_end_copy (self, event))
        take_record (self, event);
    }
  else
    {
      if (!self->session->is_own)
        take_fact (self, event, tt_otf2_event_args (self->session, event));
      if (is_begin)
        tt_otf2_transfer_tell (self, event);
    }
}

/* -- programs ------------------------------------------------------------------------------------------------------ */

static void
take_program (TtOtf2Location *self, TtOtf2Event *event)
{
  TtOtf2Session *session = self->session;
  const char *name = tt_otf2_text (session->definitions, event->values[0]);
  g_autoptr (GString) arguments = g_string_new (NULL);

  for (guint64 i = 0; i < event->values[1] && event->rest.is_good && event->rest.at < event->rest.end; i++)
    {
      guint64 id = tt_otf2_global (&session->local, TT_OTF2_MAP_STRING, tt_otf2_u32 (&event->rest));
      const char *text = tt_otf2_text (session->definitions, id);
      g_string_append_printf (arguments, "%s%s", i > 0 ? " " : "", text == NULL ? "?" : text);
    }
  g_autofree char *valid_name = g_utf8_make_valid (name == NULL ? "?" : name, -1);
  g_autofree char *valid_arguments = g_utf8_make_valid (arguments->str, -1);
  tt_sink_metadata (session->sink, self->process, TT_NO_ID, "program", valid_name);
  if (*valid_arguments != '\0')
    tt_sink_metadata (session->sink, self->process, TT_NO_ID, "program_arguments", valid_arguments);
  tt_nest_touch (session->nest, self->nest, self->ts_ns);
}

static void
take_program_end (TtOtf2Location *self, const TtOtf2Event *event)
{
  g_autofree char *status = g_strdup_printf ("%" G_GINT64_FORMAT, (gint64) event->values[0]);

  /* What is not known is the smallest number. */
  if (event->values[0] != TT_OTF2_UNDEFINED && (gint64) event->values[0] != G_MININT64)
    tt_sink_metadata (self->session->sink, self->process, TT_NO_ID, "exit_status", status);
  tt_nest_touch (self->session->nest, self->nest, self->ts_ns);
}

/* -- dispatch ------------------------------------------------------------------------------------------------------ */

static void
take_thread (TtOtf2Location *self, const TtOtf2Event *event)
{
  if (event->kind == TT_OTF2_EVENT_THREAD_CREATE)
    tt_nest_flow (self->session->nest, self->nest, thread_key (self, event), &creation, TT_FLOW_START, self->ts_ns);
  else
    {
      self->is_begun = TRUE;
      self->begin_key = thread_key (self, event);
    }
}

static void
take_request (TtOtf2Location *self, const TtOtf2Event *event)
{
  if (event->kind == TT_OTF2_EVENT_IRECV_REQUEST || event->kind == TT_OTF2_EVENT_NBC_REQUEST)
    follow_request (self, event->values[0], TT_FLOW_START);
  else if (event->kind == TT_OTF2_EVENT_ISEND_COMPLETE)
    follow_request (self, event->values[0], TT_FLOW_END);
  if (event->kind == TT_OTF2_EVENT_IRECV_REQUEST)
    tt_otf2_receives_post (self->receives, event->values[0]);
  else if (event->kind == TT_OTF2_EVENT_NBC_REQUEST)
    tt_otf2_collectives_post (&self->collectives, self->session, self->nest, event->values[0]);
  else if (event->kind == TT_OTF2_EVENT_REQUEST_CANCELLED)
    tt_otf2_receives_cancel (self->receives, event->values[0]);
  tt_nest_touch (self->session->nest, self->nest, self->ts_ns);
}

static void
take_rest (TtOtf2Location *self, TtOtf2Event *event)
{
  TtOtf2Session *session = self->session;

  switch (event->kind)
    {
    case TT_OTF2_EVENT_BUFFER_FLUSH:
      take_flush (self, event);
      break;
    case TT_OTF2_EVENT_ISEND_COMPLETE:
    case TT_OTF2_EVENT_IRECV_REQUEST:
    case TT_OTF2_EVENT_REQUEST_TEST:
    case TT_OTF2_EVENT_REQUEST_CANCELLED:
    case TT_OTF2_EVENT_NBC_REQUEST:
    case TT_OTF2_EVENT_RMA_COLLECTIVE_BEGIN:
      take_request (self, event);
      break;
    case TT_OTF2_EVENT_PARAMETER_STRING:
    case TT_OTF2_EVENT_PARAMETER_INT:
    case TT_OTF2_EVENT_PARAMETER_UINT:
      if (!tt_otf2_moment_take (self, event))
        take_fact (self, event, tt_otf2_parameter_args (session, event));
      break;
    case TT_OTF2_EVENT_RMA_PUT:
    case TT_OTF2_EVENT_RMA_GET:
    case TT_OTF2_EVENT_RMA_ATOMIC:
    case TT_OTF2_EVENT_RMA_COMPLETE_BLOCKING:
    case TT_OTF2_EVENT_RMA_COMPLETE_NONBLOCKING:
    case TT_OTF2_EVENT_RMA_COMPLETE_REMOTE:
      take_transfer (self, event);
      break;
    case TT_OTF2_EVENT_COLLECTIVE_END:
    case TT_OTF2_EVENT_RMA_COLLECTIVE_END:
    case TT_OTF2_EVENT_NBC_COMPLETE:
      if (event->kind == TT_OTF2_EVENT_NBC_COMPLETE)
        follow_request (self, event->values[5], TT_FLOW_END);
      tt_otf2_collectives_end (&self->collectives, session, self->nest, self->process, event);
      if (!session->is_own)
        take_fact (self, event, tt_otf2_event_args (session, event));
      break;
    case TT_OTF2_EVENT_RMA_WAIT_CHANGE:
      if (!tt_otf2_transfer_tell_pair (self))
        take_record (self, event);
      break;
    case TT_OTF2_EVENT_OMP_FORK:
    case TT_OTF2_EVENT_FORK:
    case TT_OTF2_EVENT_OMP_ACQUIRE:
    case TT_OTF2_EVENT_ACQUIRE:
    case TT_OTF2_EVENT_IO_BEGIN:
    case TT_OTF2_EVENT_IO_COMPLETE:
    case TT_OTF2_EVENT_IO_SEEK:
    case TT_OTF2_EVENT_IO_CREATE:
      take_fact (self, event, tt_otf2_event_args (session, event));
      break;
    case TT_OTF2_EVENT_THREAD_CREATE:
    case TT_OTF2_EVENT_THREAD_BEGIN:
      take_thread (self, event);
      break;
    case TT_OTF2_EVENT_CONTEXT_ENTER:
    case TT_OTF2_EVENT_CONTEXT_LEAVE:
    case TT_OTF2_EVENT_SAMPLE:
      take_context (self, event);
      break;
    case TT_OTF2_EVENT_PROGRAM_BEGIN:
      take_program (self, event);
      break;
    case TT_OTF2_EVENT_PROGRAM_END:
      take_program_end (self, event);
      break;
    default:
      take_record (self, event);
      break;
    }
}

void
tt_otf2_location_take (TtOtf2Location *self, TtOtf2Event *event)
{
  TtOtf2Session *session = self->session;

  self->n_events++;
  if (event->is_mended)
    tt_sink_repair_of (session->sink, self->process, TT_REPAIR_TIME_OUTLIER, event->offset);
  self->ts_ns = tt_otf2_clock_ns (&session->clock, tt_otf2_corrected (&session->local, event->ticks));
  if (session->is_own)
    {
      tt_otf2_own_read (session, event, &self->own);
      self->ts_ns = tt_time_since (self->ts_ns, 0 - self->own.later_ns);
    }
  if (event->kind >= TT_OTF2_N_EVENTS)
    {
      tt_sink_repair_of (session->sink, self->process, TT_REPAIR_UNKNOWN_KIND, event->offset);
      return;
    }
  if (event->kind == TT_OTF2_EVENT_COLLECTIVE_BEGIN)
    return;
  if (event->kind == TT_OTF2_EVENT_ENTER)
    take_enter (self, event, event->values[0]);
  else if (event->kind == TT_OTF2_EVENT_LEAVE)
    take_leave (self, event, event->values[0]);
  else if (event->kind == TT_OTF2_EVENT_METRIC)
    {
      settle_metrics (self, event->ticks);
      tt_otf2_metrics_take (&self->metrics, session, event, self->thread, self->ts_ns);
    }
  else if (event->kind == TT_OTF2_EVENT_SEND || event->kind == TT_OTF2_EVENT_ISEND ||
           event->kind == TT_OTF2_EVENT_RECV || event->kind == TT_OTF2_EVENT_IRECV)
    take_message (self, event);
  else
    take_rest (self, event);
}

void
tt_otf2_location_end (TtOtf2Location *self)
{
  tt_otf2_metrics_let_go (&self->metrics, self->session, self->thread);
  tt_otf2_receives_finish (self->receives);
  tt_nest_close (self->session->nest, self->nest);
}
