#include "config.h"

#include "formats/ctf/session.h"

#include "src/trace/arrange/arrange.h"
#include "src/base/error.h"

#include <string.h>

/*
 * Activity of GPUs is told in one event, whenever the device's library hands a buffer over, with times of the device's clock. What
 * that clock says is told by calibrations (a moment on both clocks), which may come later: so activities wait on a tape for
 * the end of the trace. Between two calibrations the difference of the clocks is interpolated; before the first and
 * behind the last it stays. Without any, the calls of the library tell: each has its time on both clocks, the device's taken first, so
 * the least difference is the best; such spans get the flag `inferred`.
 */

#define TAPE_MEMORY ((gsize) 1 << 20)

/* An activity as it waits. */
typedef struct
{
  gint64 begin, end; /* on the device's clock */
  gint64 correlation;
  gint64 device, stream; /* -1: not said */
  guint64 args, number;
  guint32 process; /* number in the session */
  guint32 name;
  guint32 has_correlation, reserved;
} Activity;

struct _TtCtfDevices
{
  TtTape *waiting;
};

/* A moment on the clock of the trace, since 1970, and on the device's. */
typedef struct
{
  gint64 host_ns, device_ns;
} Calibration;

TtCtfDevices *
tt_ctf_devices_new (void)
{
  TtCtfDevices *self = g_new0 (TtCtfDevices, 1);

  self->waiting = tt_tape_new (TAPE_MEMORY);
  return self;
}

void
tt_ctf_devices_free (TtCtfDevices *self)
{
  if (self == NULL)
    return;
  tt_tape_free (self->waiting);
  g_free (self);
}

/* -- while reading ------------------------------------------------------------------------------------------ */

#define MOST_CALIBRATIONS 100000u

void
tt_ctf_calibrate (TtCtfSession *self, TtCtfProcess *process, const TtCtfPlan *plan, const TtCtfEvent *event)
{
  Calibration calibration;

  if (!tt_ctf_integer (event, plan->begin, &calibration.host_ns) ||
      !tt_ctf_integer (event, plan->end, &calibration.device_ns) ||
      __builtin_add_overflow (calibration.host_ns, self->clock_offset_ns, &calibration.host_ns) ||
      process->calibrations->len >= MOST_CALIBRATIONS)
    tt_sink_repair (self->sink, TT_REPAIR_ODD_RECORD, self->base + event->number);
  else
    g_array_append_val (process->calibrations, calibration);
}

static guint64
flow_key (const TtCtfProcess *process, gint64 correlation)
{
  return ((guint64) process->id << 40) ^ (guint64) correlation;
}

void
tt_ctf_launch (TtCtfSession *self, TtCtfThread *thread, const TtCtfPlan *plan, const TtCtfEvent *event)
{
  gint64 correlation, device_ns, delay_ns;

  if (plan->has_activities && tt_ctf_integer (event, plan->correlation, &correlation))
    tt_nest_flow (self->nest, thread->nest, flow_key (thread->process, correlation), g_intern_static_string ("ac2g"),
                  TT_FLOW_START, event->ts_ns);
  if (tt_ctf_integer (event, plan->device_clock, &device_ns) && device_ns > 0 &&
      !__builtin_sub_overflow (event->ts_ns, device_ns, &delay_ns) &&
      (thread->process->least_delay_ns == TT_NO_TIME || delay_ns < thread->process->least_delay_ns))
    thread->process->least_delay_ns = delay_ns;
}

static guint32
number_of (const TtCtfSession *self, const TtCtfProcess *process)
{
  guint number = 0;

  g_ptr_array_find (self->in_order, process, &number);
  return number;
}

void
tt_ctf_activity (TtCtfSession *self, TtCtfThread *thread, TtCtfPlan *plan, const TtCtfEvent *event)
{
  Activity activity = { .device = -1, .stream = -1, .number = self->base + event->number };
  gboolean is_zero;

  if (!tt_ctf_integer (event, plan->begin, &activity.begin) || !tt_ctf_integer (event, plan->end, &activity.end))
    {
      tt_sink_repair (self->sink, TT_REPAIR_ODD_RECORD, activity.number);
      return;
    }
  tt_ctf_integer (event, plan->device, &activity.device);
  tt_ctf_integer (event, plan->stream, &activity.stream);
  activity.has_correlation = (guint32) tt_ctf_integer (event, plan->correlation, &activity.correlation);
  activity.process = number_of (self, thread->process);
  activity.name = tt_ctf_plan_name (self, plan, event, &is_zero);
  activity.args = tt_ctf_plan_args (self, plan, event);
  tt_tape_append (self->devices->waiting, &activity, sizeof activity);
}

/* -- when the trace is over --------------------------------------------------------------------------------- */

static int
by_device_time (gconstpointer a, gconstpointer b)
{
  const Calibration *x = a, *y = b;

  return (x->device_ns > y->device_ns) - (x->device_ns < y->device_ns);
}

/* The host's time of @device_ns; FALSE: nobody knows. @points: sorted. */
static gboolean
host_time (const TtCtfProcess *process, gint64 device_ns, gint64 *host_ns)
{
  const Calibration *points = (const Calibration *) (gconstpointer) process->calibrations->data;
  guint n = process->calibrations->len, behind = 0;
  gint64 shift_ns;

  if (n == 0)
    return process->least_delay_ns != TT_NO_TIME &&
           !__builtin_add_overflow (device_ns, process->least_delay_ns, host_ns);
  while (behind < n && points[behind].device_ns <= device_ns)
    behind++;
  const Calibration *before = &points[behind == 0 ? 0 : behind - 1], *after = &points[MIN (behind, n - 1)];
  if (__builtin_sub_overflow (before->host_ns, before->device_ns, &shift_ns))
    return FALSE;
  if (after->device_ns > before->device_ns)
    {
      long double part = ((long double) device_ns - (long double) before->device_ns) /
                         ((long double) after->device_ns - (long double) before->device_ns);
      long double drift = ((long double) after->host_ns - (long double) after->device_ns) - (long double) shift_ns;
      long double change = part * drift;
      if (change > 1e18L || change < -1e18L || __builtin_add_overflow (shift_ns, (gint64) change, &shift_ns))
        return FALSE;
    }
  return !__builtin_add_overflow (device_ns, shift_ns, host_ns);
}

static guint32
track_of (TtCtfSession *self, const TtCtfProcess *process, const Activity *activity)
{
  g_autofree char *text = activity->stream < 0
                              ? g_strdup_printf ("device %" G_GINT64_FORMAT, activity->device)
                              : g_strdup_printf ("device %" G_GINT64_FORMAT " stream %" G_GINT64_FORMAT,
                                                 activity->device, activity->stream);

  return tt_sink_thread (self->sink, process->id, text, NULL, G_MAXINT32 + activity->device);
}

static void
put_activity (TtCtfSession *self, TtArrange *arrange, guint32 kind, const Activity *activity)
{
  const TtCtfProcess *process = self->in_order->pdata[activity->process];
  gint64 end_ns;
  TtHappening span = {
    .process = process->id,
    .name = activity->name,
    .step = TT_NO_STEP,
    .args = activity->args,
    .offset = activity->number,
    .flags = process->calibrations->len == 0 ? TT_FLAG_INFERRED : 0,
  };

  if (!host_time (process, activity->begin, &span.ts_ns) || !host_time (process, activity->end, &end_ns) ||
      __builtin_sub_overflow (end_ns, span.ts_ns, &span.dur_ns))
    {
      tt_sink_repair (self->sink, TT_REPAIR_NO_CALIBRATION, activity->number);
      return;
    }
  span.thread = track_of (self, process, activity);
  tt_arrange_span (arrange, &span);
  if (activity->has_correlation)
    tt_arrange_flow (arrange, &span, kind, flow_key (process, activity->correlation), TT_FLOW_END, TRUE);
}

gboolean
tt_ctf_put_activities (TtCtfSession *self, GError **error)
{
  guint64 size = tt_tape_size (self->devices->waiting);
  Activity activity;

  if (size == 0)
    return TRUE;

  g_autoptr (TtArrange) arrange = tt_arrange_new (self->sink);
  guint32 kind = tt_arrange_flow_kind (arrange, "ac2g");
  for (guint i = 0; i < self->in_order->len; i++)
    g_array_sort (((TtCtfProcess *) self->in_order->pdata[i])->calibrations, by_device_time);
  for (guint64 at = 0; at < size; at += sizeof activity)
    {
      tt_tape_read (self->devices->waiting, at, &activity, sizeof activity);
      put_activity (self, arrange, kind, &activity);
    }
  return tt_tape_check (self->devices->waiting, error) && tt_arrange_finish (arrange, error);
}
