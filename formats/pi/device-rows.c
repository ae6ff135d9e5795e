/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/device-private.h"

/* -- clocks ------------------------------------------------------------------------------------------------ */

static TtPiDeviceClock *
clock_of (TtPiDevice *self, const TtPiDeviceCommand *command)
{
  return &g_array_index (self->devices, TtPiDeviceClock,
                         g_array_index (self->queues, TtPiDeviceQueue, command->queue).device);
}

static void
bound_by_command (TtPiDevice *self, const TtPiDeviceCommand *command)
{
  TtPiDeviceClock *clock = clock_of (self, command);

  if ((command->has_times & 4) != 0)
    tt_pi_clock_bound (clock, G_MININT64, (gint64) command->times[2] - command->enqueued_ns);
  if ((command->has_times & 8) != 0 && command->waited_ns != TT_NO_TIME)
    tt_pi_clock_bound (clock, (gint64) command->times[3] - command->waited_ns, G_MAXINT64);
}

/* -- rows ---------------------------------------------------------------------------------------------- */

static guint32
thread_of (TtPiDevice *self, guint index)
{
  TtPiDeviceQueue *queue = &g_array_index (self->queues, TtPiDeviceQueue, index);
  TtPiDeviceClock *device = &g_array_index (self->devices, TtPiDeviceClock, queue->device);

  if (device->process == TT_NO_ID)
    {
      g_autofree char *pid =
          g_strdup_printf ("%u.device%" G_GUINT64_FORMAT, self->process, MAX (device->number, 1) - 1);
      device->process = tt_sink_process (self->sink, pid, NULL, NULL, -1);
      tt_sink_own_process (self->sink, device->process, self->process);
    }
  if (queue->thread == TT_NO_ID)
    {
      g_autofree char *tid = g_strdup_printf ("queue%" G_GUINT64_FORMAT, queue->number);
      queue->thread = tt_sink_thread (self->sink, device->process, tid, NULL, (gint64) index);
    }
  return queue->thread;
}

static void
put_command (TtPiDevice *self, const TtPiDeviceCommand *command)
{
  static const TtFlowKind launch_kind = { .text = "launch", .link = TT_LINK_LAUNCH };
  static const char *const keys[] = { "queued_ns", "submitted_ns" };
  guint32 thread = thread_of (self, command->queue);
  TtPiDeviceClock *clock = clock_of (self, command);
  gint64 begin = tt_pi_clock_convert (clock, command->times[2]), end = tt_pi_clock_convert (clock, command->times[3]);
  gint64 duration = end - begin;
  const TtActivity activity = { .role = command->role, .queue = thread, .waits_on = TT_NO_ID };
  g_autoptr (GString) json = g_string_new ("{");

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if ((command->has_times & (1u << i)) != 0)
      g_string_append_printf (json, "%s\"%s\":%" G_GINT64_FORMAT, json->len > 1 ? "," : "", keys[i],
                              tt_pi_clock_convert (clock, command->times[i]));
  g_string_append_c (json, '}');
  guint64 args = json->len > 2 ? tt_sink_args (self->sink, json->str, json->len) : 0;
  clock->n_outside +=
      clock->readings != NULL && (begin + clock->error_ns < command->enqueued_ns ||
                                  (command->waited_ns != TT_NO_TIME && end - clock->error_ns > command->waited_ns));
  guint64 row = tt_sink_event (self->sink, thread, command->name, MAX (begin, 0), MAX (duration, 0), MAX (duration, 0),
                               0, duration < 0 ? TT_FLAG_END_BEFORE_START : 0, TT_NO_STEP, args);
  tt_sink_activity (self->sink, tt_sink_hold_activity (self->sink, &activity), row);
  tt_sink_flow (self->sink, command->call, row, &launch_kind);
  tt_pi_tasks_times (self->tasks, command->call, begin, end);
}

static void
tell_readings (TtPiDevice *self, const TtPiDeviceClock *clock)
{
  gint64 rate = tt_pi_clock_rate_ppb (clock);
  g_autofree char *ppm = g_strdup_printf ("%s%" G_GINT64_FORMAT ".%03d", rate < 0 ? "-" : "", ABS (rate) / 1000,
                                          (int) (ABS (rate) % 1000));
  g_autofree char *n = g_strdup_printf ("%u", clock->readings->len);

  if (clock->drifts)
    tt_sink_note (self->sink, "the clock of the device, read %u times, runs %s ppm faster than that of the calls",
                  clock->readings->len, ppm);
  if (clock->n_outside > 0)
    tt_sink_note (self->sink,
                  "%" G_GUINT64_FORMAT " commands of devices are, by the device's clock, before they are put into "
                  "their queue or after their wait",
                  clock->n_outside);
  tt_sink_metadata (self->sink, clock->process, TT_NO_ID, "device_clock.readings", n);
  tt_sink_metadata (self->sink, clock->process, TT_NO_ID, "device_clock.rate_ppm", ppm);
}

static void
tell_clocks (TtPiDevice *self)
{
  for (guint i = 0; i < self->devices->len; i++)
    {
      const TtPiDeviceClock *clock = &g_array_index (self->devices, TtPiDeviceClock, i);
      if (clock->process == TT_NO_ID)
        continue;
      if (clock->error_ns < 0)
        tt_sink_note (self->sink, "times of the device are where its commands %s: its clock could not be compared",
                      clock->least == G_MININT64 ? "begin at the earliest" : "end at the latest");
      else
        {
          g_autofree char *error = g_strdup_printf ("%" G_GINT64_FORMAT, clock->error_ns);
          tt_sink_note (self->sink, "times of the device are right within %s ns of those of the calls", error);
          tt_sink_metadata (self->sink, clock->process, TT_NO_ID, "device_clock.error_ns", error);
        }
      if (clock->readings != NULL)
        tell_readings (self, clock);
    }
}

/* -- what the recorder has asked ----------------------------------------------------------------------- */

static int
by_instance (gconstpointer a, gconstpointer b)
{
  const TtPiDeviceAsked *x = a, *y = b;

  return x->instance < y->instance ? -1 : x->instance > y->instance;
}

static const TtPiDeviceAsked *
asked_of (const TtPiDevice *self, guint64 instance)
{
  const TtPiDeviceAsked key = { .instance = instance };
  guint at;

  return g_array_binary_search (self->asked, &key, by_instance, &at) ? &g_array_index (self->asked, TtPiDeviceAsked, at)
                                                                     : NULL;
}

typedef struct
{
  guint64 n_had, n_running, n_no_queue, n_refused, n_unasked;
} AskedCounts;

static void
give_times (TtPiDevice *self, TtPiDeviceCommand *command, AskedCounts *counts)
{
  const TtPiDeviceAsked *asked = asked_of (self, command->instance);

  for (guint i = 0; asked != NULL && i < G_N_ELEMENTS (asked->times); i++)
    if ((asked->has_times & (1u << i)) != 0 && (command->has_times & (1u << i)) == 0)
      command->times[i] = asked->times[i];
  if (asked == NULL)
    counts->n_unasked += (command->has_times & 12) != 12;
  else if ((asked->has_times & 12) == 12)
    counts->n_had++;
  else if (asked->result == TT_PI_TIMES_NOT_ENDED)
    counts->n_running++;
  else if (asked->result == TT_PI_TIMES_NO_QUEUE)
    counts->n_no_queue++;
  else
    counts->n_refused++;
  command->has_times |= asked != NULL ? asked->has_times : 0;
}

static void
tell_asked (TtPiDevice *self, const AskedCounts *counts)
{
  g_autoptr (GString) missing = g_string_new (NULL);
  const struct
  {
    guint64 n;
    const char *why;
  } reasons[] = {
    { counts->n_running, "had not ended when the recorder had to let them go" },
    { counts->n_no_queue, "are in queues that take no times" },
    { counts->n_refused, "had none by the runtime's answer" },
    { counts->n_unasked, "were never asked, for the process or the recording ended before" },
  };

  tt_sink_note (self->sink,
                "times of %" G_GUINT64_FORMAT " commands of devices are what the recorder asked for (--profile)",
                counts->n_had);
  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    if (reasons[i].n > 0)
      {
        tt_sink_note (self->sink, "%" G_GUINT64_FORMAT " commands of devices have no times: they %s", reasons[i].n,
                      reasons[i].why);
        g_string_append_printf (missing, "%s%" G_GUINT64_FORMAT " %s", missing->len > 0 ? "; " : "", reasons[i].n,
                                reasons[i].why);
      }
  g_autofree char *had = g_strdup_printf ("%" G_GUINT64_FORMAT, counts->n_had);
  tt_sink_metadata (self->sink, self->process, TT_NO_ID, "device_times.asked_by_recorder", had);
  if (missing->len > 0)
    tt_sink_metadata (self->sink, self->process, TT_NO_ID, "device_times.missing", missing->str);
}

static void
take_asked (TtPiDevice *self)
{
  AskedCounts counts = { 0 };

  if (!self->is_asked)
    return;
  g_array_sort (self->asked, by_instance);
  for (guint i = 0; i < self->commands->len; i++)
    give_times (self, &g_array_index (self->commands, TtPiDeviceCommand, i), &counts);
  tell_asked (self, &counts);
}

void
tt_pi_device_finish (TtPiDevice *self)
{
  const TtPiDeviceCommand *commands = (const TtPiDeviceCommand *) (gpointer) self->commands->data;

  take_asked (self);
  for (guint i = 0; i < self->commands->len; i++)
    if ((commands[i].has_times & 12) == 12)
      bound_by_command (self, &commands[i]);
  for (guint i = 0; i < self->devices->len; i++)
    tt_pi_clock_settle (&g_array_index (self->devices, TtPiDeviceClock, i));
  for (guint i = 0; i < self->commands->len; i++)
    if ((commands[i].has_times & 12) == 12)
      put_command (self, &commands[i]);
  tell_clocks (self);
  if (self->n_left_out > 0)
    tt_sink_note (self->sink, "%" G_GUINT64_FORMAT " commands of devices are left out: there are too many",
                  self->n_left_out);
}
