/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device's library hands over its activities in buffers, long after they took place, with times of the device's
 * clock. Calibrations (one moment on both clocks) relate that clock to the trace's and may come later still: so
 * activities wait on a tape for the end of the trace. Between two calibrations the difference of the clocks is
 * interpolated; before the first and after the last it is constant. Without any, the library's calls serve: each has
 * its time on both clocks, the device's taken first, so the smallest difference is the best; such spans get the flag
 * `inferred`.
 */
#include "config.h"

#include "formats/ctf/devices.h"

#include "formats/ctf/text.h"
#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/base/tape.h"
#include "src/trace/arrange/arrange.h"

#define TAPE_MEMORY ((gsize) 1 << 20)

/* The public kind is the word by which trace viewers know such arrows. */
static const TtFlowKind launch_flow = { .text = "ac2g", .link = TT_LINK_LAUNCH };

/* An activity on the tape. */
typedef struct
{
  gint64 begin, end; /* on the device's clock */
  gint64 correlation;
  gint64 device, stream; /* -1: not in the trace */
  guint64 args, number;
  guint32 process; /* number in the trace */
  guint32 name;
  guint32 has_correlation, role;
} Activity;

struct _TtCtfDevices
{
  TtTape *waiting;
};

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

#define MAX_CALIBRATIONS 100000u

static guint
n_calibrations (const TtCtfProcess *process)
{
  return process->calibrations == NULL ? 0 : process->calibrations->len;
}

void
tt_ctf_calibrate (TtCtfSession *self, TtCtfProcess *process, const TtCtfBinding *binding, const TtCtfEvent *event)
{
  TtCtfCalibration calibration;

  if (!tt_ctf_integer (event, binding->device.begin, &calibration.host_ns) ||
      !tt_ctf_integer (event, binding->device.end, &calibration.device_ns) ||
      __builtin_add_overflow (calibration.host_ns, self->trace.clock_offset_ns, &calibration.host_ns) ||
      n_calibrations (process) >= MAX_CALIBRATIONS)
    {
      tt_sink_repair (self->sink, TT_REPAIR_ODD_RECORD, tt_ctf_event_number (self, event));
      return;
    }
  if (process->calibrations == NULL)
    process->calibrations = g_array_new (FALSE, FALSE, sizeof calibration);
  g_array_append_val (process->calibrations, calibration);
}

static guint64
flow_key (const TtCtfProcess *process, gint64 correlation)
{
  return ((guint64) process->id << 40) ^ (guint64) correlation;
}

guint32
tt_ctf_call_activity (TtCtfSession *self, const TtCtfBinding *binding, const TtCtfEvent *event)
{
  TtActivity activity = { .role = binding->span->role, .blocks = binding->span->blocks };
  gint64 correlation;

  if (activity.role == TT_ACTIVITY_NONE)
    return 0;
  if (tt_ctf_integer (event, binding->device.correlation, &correlation))
    activity.correlation = (guint64) correlation;
  return tt_sink_hold_activity (self->sink, &activity);
}

void
tt_ctf_launch (TtCtfSession *self, TtCtfThread *thread, const TtCtfBinding *binding, const TtCtfEvent *event)
{
  gint64 correlation, device_ns, delay_ns;

  if (binding->device.has_activities && tt_ctf_integer (event, binding->device.correlation, &correlation))
    tt_nest_flow (self->nest, thread->nest, flow_key (thread->process, correlation), &launch_flow, TT_FLOW_START,
                  event->ts_ns);
  if (tt_ctf_integer (event, binding->device.time_of_call, &device_ns) && device_ns > 0 &&
      !__builtin_sub_overflow (event->ts_ns, device_ns, &delay_ns) &&
      (thread->process->shortest_delay_ns == TT_NO_TIME || delay_ns < thread->process->shortest_delay_ns))
    thread->process->shortest_delay_ns = delay_ns;
}

void
tt_ctf_activity (TtCtfSession *self, TtCtfThread *thread, TtCtfBinding *binding, const TtCtfEvent *event)
{
  const TtCtfDeviceBinding *device = &binding->device;
  Activity activity = { .device = -1, .stream = -1, .number = tt_ctf_event_number (self, event) };
  gboolean is_zero;

  if (!tt_ctf_integer (event, device->begin, &activity.begin) || !tt_ctf_integer (event, device->end, &activity.end))
    {
      tt_sink_repair (self->sink, TT_REPAIR_ODD_RECORD, activity.number);
      return;
    }
  /* So CUPTI says that it could not take the times. */
  if (activity.begin == 0 && activity.end == 0)
    {
      tt_sink_repair (self->sink, TT_REPAIR_NO_TIME, activity.number);
      return;
    }
  tt_ctf_integer (event, device->id, &activity.device);
  tt_ctf_integer (event, device->stream, &activity.stream);
  activity.has_correlation = (guint32) tt_ctf_integer (event, device->correlation, &activity.correlation);
  activity.role = binding->fact->role;
  activity.process = thread->process->number;
  activity.name = tt_ctf_event_name (self, binding, event, &is_zero);
  activity.args = tt_ctf_event_args (self, binding, event);
  tt_tape_append (self->devices->waiting, &activity, sizeof activity);
}

/* -- when the trace is over --------------------------------------------------------------------------------- */

static int
by_device_time (gconstpointer a, gconstpointer b)
{
  const TtCtfCalibration *x = a, *y = b;

  return TT_COMPARE (x->device_ns, y->device_ns);
}

/* How many of the @n sorted calibrations are not after @device_ns. */
static guint
count_before (const TtCtfCalibration *points, guint n, gint64 device_ns)
{
  guint low = 0;

  while (low < n)
    {
      guint middle = low + (n - low) / 2;

      if (points[middle].device_ns <= device_ns)
        low = middle + 1;
      else
        n = middle;
    }
  return low;
}

/* The host's time of @device_ns; FALSE: not known. The calibrations are sorted. */
static gboolean
find_host_time (const TtCtfProcess *process, gint64 device_ns, gint64 *host_ns)
{
  guint n = n_calibrations (process);
  gint64 shift_ns;

  if (n == 0)
    return process->shortest_delay_ns != TT_NO_TIME &&
           !__builtin_add_overflow (device_ns, process->shortest_delay_ns, host_ns);

  const TtCtfCalibration *points = TT_ARRAY (process->calibrations, TtCtfCalibration);
  guint n_before = count_before (points, n, device_ns);
  const TtCtfCalibration *before = &points[n_before == 0 ? 0 : n_before - 1], *after = &points[MIN (n_before, n - 1)];
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
add_track (TtCtfSession *self, const TtCtfProcess *process, const Activity *activity)
{
  g_autofree char *text = activity->stream < 0
                              ? g_strdup_printf ("device %" G_GINT64_FORMAT, activity->device)
                              : g_strdup_printf ("device %" G_GINT64_FORMAT " stream %" G_GINT64_FORMAT,
                                                 activity->device, activity->stream);

  return tt_sink_thread (self->sink, process->id, text, NULL, G_MAXINT32 + activity->device);
}

static void
write_activity (TtCtfSession *self, TtArrange *arrange, guint32 kind, const Activity *activity)
{
  const TtCtfProcess *process = self->processes->in_order->pdata[activity->process];
  gint64 end_ns;
  TtTraceRecord span = {
    .process = process->id,
    .name = activity->name,
    .step = TT_NO_STEP,
    .args = activity->args,
    .offset = activity->number,
    .flags = n_calibrations (process) == 0 ? TT_FLAG_INFERRED : 0,
    .tag = activity->role,
    .key = activity->has_correlation ? (guint64) activity->correlation : 0,
  };

  if (!find_host_time (process, activity->begin, &span.ts_ns) || !find_host_time (process, activity->end, &end_ns) ||
      __builtin_sub_overflow (end_ns, span.ts_ns, &span.dur_ns))
    {
      tt_sink_repair (self->sink, TT_REPAIR_NO_CALIBRATION, activity->number);
      return;
    }
  span.thread = add_track (self, process, activity);
  tt_arrange_span (arrange, &span);
  if (activity->has_correlation)
    tt_arrange_flow (arrange, &span, kind, flow_key (process, activity->correlation), TT_FLOW_END, TRUE);
}

static guint32
on_work (TtTraceRecord *span, guint32 around, guint32 flows, gpointer data)
{
  TtCtfSession *self = data;
  const TtActivity activity = { .role = (TtActivityRole) span->tag, .queue = span->thread, .correlation = span->key };

  span->activity = tt_sink_hold_activity (self->sink, &activity);
  return around;
}

gboolean
tt_ctf_write_activities (TtCtfSession *self, GError **error)
{
  guint64 size = tt_tape_size (self->devices->waiting);
  Activity activity;

  if (size == 0)
    return TRUE;

  g_autoptr (TtArrange) arrange = tt_arrange_new (self->sink);
  guint32 kind = tt_arrange_flow_kind (arrange, &launch_flow);
  tt_arrange_set_hook (arrange, on_work, self);
  for (guint i = 0; i < self->processes->in_order->len; i++)
    {
      const TtCtfProcess *process = self->processes->in_order->pdata[i];

      if (process->calibrations != NULL)
        g_array_sort (process->calibrations, by_device_time);
    }
  for (guint64 at = 0; at < size; at += sizeof activity)
    {
      tt_tape_read (self->devices->waiting, at, &activity, sizeof activity);
      write_activity (self, arrange, kind, &activity);
    }
  return tt_tape_check (self->devices->waiting, error) && tt_arrange_finish (arrange, error);
}
