/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/device-private.h"

#include "formats/pi/native.h"
#include "formats/pi/outputs.h"
#include "formats/pi/queue-flags.h"

#include <string.h>

/* Commands with times that are remembered; more are left out, and that is said. */
#define MAX_COMMANDS (1u << 22)
#define MAX_TIME ((guint64) G_MAXINT64 / 4)

typedef enum
{
  PART_UNKNOWN,
  PART_NONE,
  PART_ENQUEUE,
  PART_WAIT,
  PART_FINISH,
  PART_QUEUE,
  PART_TIMES,
  PART_CLOCK,
  PART_ALLOCATION,
  PART_FREE,
} Part;

static int
compare_addresses (gconstpointer a, gconstpointer b, gpointer unused)
{
  guint64 x = *(const guint64 *) a, y = *(const guint64 *) b;

  return x < y ? -1 : x > y;
}

TtPiDevice *
tt_pi_device_new (TtSink *sink, guint32 process, TtPiTasks *tasks)
{
  TtPiDevice *self = g_new0 (TtPiDevice, 1);

  self->sink = sink;
  self->tasks = tasks;
  self->process = process;
  self->parts = g_new0 (guint8, tt_pi_n_functions);
  self->devices = g_array_new (FALSE, FALSE, sizeof (TtPiDeviceClock));
  g_array_set_clear_func (self->devices, (GDestroyNotify) tt_pi_clock_clear);
  self->queues = g_array_new (FALSE, FALSE, sizeof (TtPiDeviceQueue));
  self->commands = g_array_new (FALSE, FALSE, sizeof (TtPiDeviceCommand));
  self->asked = g_array_new (FALSE, FALSE, sizeof (TtPiDeviceAsked));
  self->events = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->allocations = g_tree_new_full (compare_addresses, NULL, g_free, g_free);
  return self;
}

void
tt_pi_device_free (TtPiDevice *self)
{
  if (self == NULL)
    return;
  g_free (self->parts);
  g_array_unref (self->devices);
  g_array_unref (self->queues);
  tt_map64_clear (&self->device_places);
  tt_map64_clear (&self->handle_places);
  tt_map64_clear (&self->queue_places);
  g_array_unref (self->commands);
  g_array_unref (self->asked);
  g_hash_table_unref (self->events);
  g_tree_unref (self->allocations);
  g_free (self);
}

static Part
find_part (const char *name)
{
  static const struct
  {
    const char *part_of_name;
    Part part;
  } parts[] = {
    { "EventGetProfilingInfo", PART_TIMES },
    { "GetGlobalTimestamps", PART_CLOCK },
    { "GetDeviceAndHostTimer", PART_CLOCK },
    { "EventsWait", PART_WAIT },
    { "EventWait", PART_WAIT },
    { "QueueFinish", PART_FINISH },
    { "QueueCreate", PART_QUEUE },
    { "USMDeviceAlloc", PART_ALLOCATION },
    { "USMFree", PART_FREE },
  };

  if (strstr (name, "Enqueue") != NULL)
    return PART_ENQUEUE;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (strstr (name, parts[i].part_of_name) != NULL)
      return parts[i].part;
  return PART_NONE;
}

/* -- values ---------------------------------------------------------------------------------------- */

static gboolean
read_word (const TtPiBytes *bytes, guint64 *word)
{
  if (bytes->bytes == NULL || bytes->len < 8)
    return FALSE;
  *word = tt_pi_get (bytes->bytes, 8);
  return TRUE;
}

static guint64
handle_number (const TtPiHandles *handles, guint index, const char *type)
{
  const TtPiHandle *handle = tt_pi_handles_arg (handles, index);

  return handle != NULL && strcmp (handle->type, type) == 0 ? handle->number : 0;
}

static guint
device_of (TtPiDevice *self, guint64 number)
{
  TtPiDeviceClock new = { .number = number, .least = G_MININT64, .most = G_MAXINT64, .process = TT_NO_ID };

  const guint32 known = tt_map64_get (&self->device_places, number);

  if (known != TT_MAP64_NONE)
    return known;
  tt_map64_set (&self->device_places, number, self->devices->len);
  g_array_append_val (self->devices, new);
  return self->devices->len - 1;
}

static guint
add_queue (TtPiDevice *self, guint64 number, guint64 device)
{
  const TtPiDeviceQueue new = { number, device_of (self, device), TT_NO_ID };

  tt_map64_set (&self->queue_places, number, self->queues->len);
  g_array_append_val (self->queues, new);
  return self->queues->len - 1;
}

static guint
queue_of (TtPiDevice *self, guint64 number)
{
  const guint32 known = tt_map64_get (&self->queue_places, number);

  return known != TT_MAP64_NONE ? known : add_queue (self, number, 0);
}

static TtPiDeviceCommand *
command_of (TtPiDevice *self, guint64 event)
{
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (self->events, &event));

  return found == 0 ? NULL : &g_array_index (self->commands, TtPiDeviceCommand, found - 1);
}

/* -- what is said of the clock ---------------------------------------------------------------------- */

static gboolean
is_time (guint64 word)
{
  return word > 0 && word < MAX_TIME;
}

/* The answer is a moment within the call. */
static void
note_clock (TtPiDevice *self, const TtPiCall *call, const TtPiHandles *handles)
{
  guint64 device = handle_number (handles, 0, "device"), word;

  if (call->n_args > 1 && read_word (&call->args[1].after, &word) && is_time (word) && call->start_ns < MAX_TIME &&
      call->end_ns < MAX_TIME)
    {
      const guint place = device_of (self, device);
      tt_pi_clock_read (&g_array_index (self->devices, TtPiDeviceClock, place), word, (gint64) call->start_ns,
                        (gint64) call->end_ns);
    }
}

/* What the recorder has read. */
static void
note_reading (TtPiDevice *self, const TtPiNativeTimes *times)
{
  const guint32 place = tt_map64_get (&self->handle_places, times->instance);

  if (place != TT_MAP64_NONE && is_time (times->times[0]) && times->times[2] < MAX_TIME && times->times[3] < MAX_TIME)
    tt_pi_clock_read (&g_array_index (self->devices, TtPiDeviceClock, place), times->times[0], (gint64) times->times[2],
                      (gint64) times->times[3]);
}

/* -- calls ------------------------------------------------------------------------------------------ */

static void
note_queue (TtPiDevice *self, const TtPiCall *call, const TtPiHandles *handles)
{
  guint64 flags;

  self->is_profiled |= tt_pi_queue_flags (call, &flags) && (flags & TT_PI_QUEUE_PROFILING) != 0;
  for (guint i = 0; i < call->n_args; i++)
    {
      const TtPiHandle *handle = tt_pi_handles_arg (handles, i);
      if (handle == NULL || !handle->is_new || strcmp (handle->type, "queue") != 0)
        continue;
      const guint queue = add_queue (self, handle->number, handle_number (handles, 1, "device"));
      if (call->n_args > 1)
        tt_map64_set (&self->handle_places, call->args[1].value,
                      g_array_index (self->queues, TtPiDeviceQueue, queue).device);
    }
}

static gboolean
is_on_device (TtPiDevice *self, guint64 address)
{
  GTreeNode *node = g_tree_upper_bound (self->allocations, &address);

  node = node != NULL ? g_tree_node_previous (node) : g_tree_node_last (self->allocations);
  if (node == NULL)
    return FALSE;
  return address - *(guint64 *) g_tree_node_key (node) < *(guint64 *) g_tree_node_value (node);
}

static guint64
argument (const TtPiCall *call, const char *suffix)
{
  for (guint i = 0; i < call->n_args && i < call->function->n_params; i++)
    if (g_ascii_strcasecmp (call->function->params[i].name, suffix) == 0)
      return call->args[i].value;
  return 0;
}

static const char *
direction_of (TtPiDevice *self, const TtPiCall *call)
{
  const char *name = call->name;

  if (strstr (name, "Read") != NULL || strstr (name, "Map") != NULL)
    return "D2H";
  if (strstr (name, "Write") != NULL || strstr (name, "Unmap") != NULL || strstr (name, "Prefetch") != NULL)
    return "H2D";
  if (strstr (name, "USM") == NULL)
    return "D2D";
  gboolean to = is_on_device (self, argument (call, "dst_ptr") | argument (call, "pDst"));
  gboolean from = is_on_device (self, argument (call, "src_ptr") | argument (call, "pSrc"));
  return to ? (from ? "D2D" : "H2D") : from ? "D2H" : "H2H";
}

static char *
kernel_text (const TtPiHandle *kernel)
{
  if (kernel == NULL)
    return g_strdup ("kernel");
  return kernel->label != NULL ? g_strdup (tt_pi_kernel_short_name (kernel->label))
                               : g_strdup_printf ("kernel#%" G_GUINT64_FORMAT, kernel->number);
}

/* Contents of a queue that neither compute nor move memory: hints for it. */
static gboolean
is_hint (const char *name)
{
  return strstr (name, "Advise") != NULL || strstr (name, "Prefetch") != NULL;
}

char *
tt_pi_device_describe (TtPiDevice *self, const TtPiCall *call, const TtPiHandles *handles, TtRawName *raw, guint8 *role)
{
  const char *name = call->name;

  *role = TT_ACTIVITY_NONE;
  if (is_hint (name))
    return NULL;
  if (strstr (name, "Kernel") != NULL)
    {
      *role = TT_ACTIVITY_KERNEL;
      raw->op_cat = "COMP";
      return kernel_text (tt_pi_handles_arg (handles, 1));
    }
  if (strstr (name, "CommandBuffer") != NULL && strstr (name, "Enqueue") != NULL)
    {
      *role = TT_ACTIVITY_KERNEL;
      raw->op_cat = "COMP";
      return g_strdup ("command buffer");
    }
  if (strstr (name, "Fill") != NULL || strstr (name, "Memset") != NULL)
    {
      *role = TT_ACTIVITY_SET;
      raw->op_cat = "MEM";
      raw->sub_op = "SET";
      return g_strdup ("Memset");
    }
  if (strstr (name, "Mem") == NULL && strstr (name, "GlobalVariable") == NULL)
    return NULL;
  *role = TT_ACTIVITY_COPY;
  raw->op_cat = "MEM";
  raw->sub_op = direction_of (self, call);
  return g_strdup_printf ("Memcpy %cto%c", raw->sub_op[0], raw->sub_op[2]);
}

static guint32
name_command (TtPiDevice *self, const TtPiCall *call, const TtPiHandles *handles, guint8 *role)
{
  TtRawName raw = { .group = "device" };
  g_autofree char *text = tt_pi_device_describe (self, call, handles, &raw, role);

  if (text == NULL)
    return 0;
  raw.raw = text;
  return tt_sink_name (self->sink, &raw);
}

static void
note_command (TtPiDevice *self, const TtPiCall *call, const TtPiHandles *handles, guint64 row)
{
  guint64 event = 0;
  gboolean found = FALSE;

  if (!self->is_profiled && !self->is_asked)
    return;
  for (guint i = 0; i < call->n_args && i < call->function->n_params && !found; i++)
    found = call->function->params[i].role == TT_PI_ROLE_OUT_EVENT && read_word (&call->args[i].after, &event) &&
            event != 0;
  if (!(found && self->is_profiled) && !self->is_asked)
    return;
  TtPiDeviceCommand new = {
    .call = row, .instance = call->instance, .enqueued_ns = (gint64) call->start_ns, .waited_ns = TT_NO_TIME
  };
  new.name = name_command (self, call, handles, &new.role);
  if (new.name == 0)
    return;
  if (self->commands->len >= MAX_COMMANDS)
    {
      self->n_left_out++;
      return;
    }
  /* Of command buffers it was the second parameter until 2025. */
  guint64 queue = handle_number (handles, 0, "queue");
  new.queue = queue_of (self, queue != 0 ? queue : handle_number (handles, 1, "queue"));
  g_array_append_val (self->commands, new);
  if (found)
    g_hash_table_insert (self->events, g_memdup2 (&event, sizeof event), GUINT_TO_POINTER (self->commands->len));
}

/* piEventGetProfilingInfo (event, what, size, value, size_ret). */
static void
note_times (TtPiDevice *self, const TtPiCall *call)
{
  static const char *const names[] = { "QUEUED", "SUBMIT", "START", "END" };
  const char *type = call->n_args > 3 ? call->function->params[1].type : NULL;
  const char *name = type != NULL ? tt_pi_enum_name (type, call->args[1].value, call->release) : NULL;
  TtPiDeviceCommand *command = name != NULL ? command_of (self, call->args[0].value) : NULL;
  TtPiBytes bytes;
  guint64 word;

  if (command == NULL || !tt_pi_output_find (call, 3, &bytes) || !read_word (&bytes, &word) || !is_time (word))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_has_suffix (name, names[i]))
      {
        command->times[i] = word;
        command->has_times |= (guint8) (1u << i);
      }
}

/* @call waits for the events of its list, and returns when the last has ended. */
static void
note_wait (TtPiDevice *self, const TtPiCall *call)
{
  const TtPiBytes *list = call->n_args > 1 ? &call->args[1].before : NULL;

  for (gsize at = 0; list != NULL && list->bytes != NULL && at + 8 <= list->len; at += 8)
    {
      TtPiDeviceCommand *command = command_of (self, tt_pi_get (list->bytes + at, 8));
      if (command != NULL && command->waited_ns == TT_NO_TIME)
        command->waited_ns = (gint64) call->end_ns;
    }
}

static void
note_synchronize (TtPiDevice *self, guint64 row)
{
  const TtActivity activity = { .role = TT_ACTIVITY_SYNCHRONIZE, .queue = TT_NO_ID, .waits_on = TT_NO_ID };

  if (self->is_profiled || self->is_asked)
    tt_sink_activity (self->sink, tt_sink_hold_activity (self->sink, &activity), row);
}

void
tt_pi_device_times (const TtPiNativeTimes *times, TtPiDevice *self)
{
  TtPiDeviceAsked asked = { .instance = times->instance, .result = times->result };

  self->is_asked = TRUE;
  if (times->of == TT_PI_TIMES_OF_CLOCK)
    note_reading (self, times);
  if (times->of != TT_PI_TIMES_OF_COMMAND || self->asked->len >= MAX_COMMANDS)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (asked.times); i++)
    if ((times->which & (1u << i)) != 0 && is_time (times->times[i]))
      {
        asked.times[i] = times->times[i];
        asked.has_times |= (guint8) (1u << i);
      }
  g_array_append_val (self->asked, asked);
}

static void
note_allocation (TtPiDevice *self, const TtPiCall *call)
{
  guint64 address, size = argument (call, "size");

  for (guint i = 0; i < call->n_args && i < call->function->n_params; i++)
    if (call->function->params[i].role == TT_PI_ROLE_OUT_VALUE && read_word (&call->args[i].after, &address))
      g_tree_insert (self->allocations, g_memdup2 (&address, sizeof address), g_memdup2 (&size, sizeof size));
}

void
tt_pi_device_call (TtPiDevice *self, const TtPiCall *call, const TtPiHandles *handles, guint64 event)
{
  const TtPiFunction *function = call->function;

  /* Times that are none: sums of a few are kept within 64 bits. */
  if (function == NULL || function->params == NULL || call->result != 0 ||
      (call->flags & TT_PI_CALL_IN_PROGRESS) != 0 || call->start_ns >= MAX_TIME || call->end_ns >= MAX_TIME)
    return;
  if (self->parts[function->index] == PART_UNKNOWN)
    self->parts[function->index] = (guint8) find_part (function->name);
  switch ((Part) self->parts[function->index])
    {
    case PART_ENQUEUE:
      note_command (self, call, handles, event);
      break;
    case PART_WAIT:
      note_wait (self, call);
      note_synchronize (self, event);
      break;
    case PART_FINISH:
      note_synchronize (self, event);
      break;
    case PART_QUEUE:
      note_queue (self, call, handles);
      break;
    case PART_TIMES:
      note_times (self, call);
      break;
    case PART_CLOCK:
      note_clock (self, call, handles);
      break;
    case PART_ALLOCATION:
      note_allocation (self, call);
      break;
    case PART_FREE:
      if (call->n_args > 1)
        g_tree_remove (self->allocations, &call->args[1].value);
      break;
    default:
      break;
    }
}
