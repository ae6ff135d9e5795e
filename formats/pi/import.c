/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/import.h"

#include "formats/pi/calls-ahead.h"
#include "formats/pi/command-buffers.h"
#include "formats/pi/device.h"
#include "formats/pi/flows.h"
#include "formats/pi/print/print.h"
#include "formats/pi/trace-private.h"
#include "src/trace/time-spread.h"
#include "src/trace/told-times.h"

#include <string.h>

/* Calls between two looks at Ctrl-C and the progress bar. */
#define CHECK_EVERY 8192u
#define MAP_READ 1u
/* Lanes of threads that share a name. */
#define MAX_LANES 64u

/* Names of one function. */
typedef enum
{
  NAME_PLAIN,
  NAME_NOT_READ, /* a map without a read by the host */
  N_NAMES,
} NameVariant;

typedef struct
{
  guint32 id;
  guint64 end_ns; /* of its last call */
} Lane;

typedef struct
{
  Lane *lanes;
  guint n_lanes;
  guint64 last_event; /* 0: none yet */
} Thread;

typedef struct
{
  TtPiTrace *trace;
  TtSink *sink;
  guint32 process;
  Thread *threads;
  TtPiMerge *merge;
  TtPiHandles *handles;
  char **keys;        /* of arguments that are wanted; NULL: all */
  GPtrArray *forms;   /* of TtArgsForm, by the numbers of TtPiArgsForm; NULL: not yet */
  guint32 *names;     /* of a function, by index and variant; 0: not yet */
  guint8 *is_enqueue; /* the same */
  GHashTable *others; /* name of a call without a function -> name id */
  TtPiTasks *tasks;   /* NULL: they are not wanted */
  TtPiBuffers *buffers;
  TtPiFlows *flows;
  TtPiDevice *device;
  gboolean has_lone; /* a few calls are far from all others, which lie in [first_ns, last_ns] */
  gint64 first_ns, last_ns;
  guint64 patience_ns;
} Import;

/* -- names ----------------------------------------------------------------------------------------------- */

static guint32
make_name (Import *self, const TtPiCall *call, NameVariant variant)
{
  const TtPiFunction *function = call->function;
  g_autofree char *safe = tt_pi_safe_text (call->name);
  TtRawName raw = { .raw = safe,
                    .group = function != NULL && function->api == TT_PI_API_UR ? "ur" : "pi",
                    .op_cat = variant == NAME_NOT_READ ? "MEM" : NULL };

  return tt_sink_name (self->sink, &raw);
}

static gboolean
is_map (const TtPiCall *call)
{
  return call->n_args > 3 &&
         (strcmp (call->name, "piEnqueueMemBufferMap") == 0 || strcmp (call->name, "urEnqueueMemBufferMap") == 0);
}

static guint32
name_of (Import *self, const TtPiCall *call, gboolean *is_enqueue)
{
  const TtPiFunction *function = call->function;

  if (G_UNLIKELY (function == NULL))
    {
      guint32 id = GPOINTER_TO_UINT (g_hash_table_lookup (self->others, call->name));
      *is_enqueue = strstr (call->name, "Enqueue") != NULL;
      if (id == 0)
        {
          id = make_name (self, call, NAME_PLAIN);
          g_hash_table_insert (self->others, g_strdup (call->name), GUINT_TO_POINTER (id));
        }
      return id;
    }

  guint slot = function->index * N_NAMES;
  if (self->is_enqueue[function->index] == 0)
    self->is_enqueue[function->index] = strstr (function->name, "Enqueue") == NULL ? 1 : is_map (call) ? 3 : 2;
  *is_enqueue = self->is_enqueue[function->index] > 1;
  NameVariant variant =
      self->is_enqueue[function->index] == 3 && (call->args[3].value & MAP_READ) == 0 ? NAME_NOT_READ : NAME_PLAIN;
  if (self->names[slot + variant] == 0)
    self->names[slot + variant] = make_name (self, call, variant);
  return self->names[slot + variant];
}

static const TtFlowKind thread_kind = { .text = "thread", .link = TT_LINK_THREAD };

/* The thread that creates another does so in or after the last call that it has begun by then. */
static void
put_thread_creation (Import *self, guint thread, guint64 event)
{
  int parent = tt_pi_trace_thread_parent (self->trace, thread);

  if (parent >= 0 && self->threads[parent].last_event != 0)
    tt_sink_flow (self->sink, self->threads[parent].last_event, event, &thread_kind);
}

/* -- calls --------------------------------------------------------------------------------------------------- */

static guint32
flags_of (const TtPiCall *call, gboolean is_enqueue)
{
  guint32 flags = is_enqueue ? TT_FLAG_ENQUEUE : 0;

  if (G_UNLIKELY ((call->flags & TT_PI_CALL_IN_PROGRESS) != 0))
    flags |= TT_FLAG_UNCLOSED;
  if (G_UNLIKELY ((call->flags & TT_PI_CALL_END_BEFORE_START) != 0))
    flags |= TT_FLAG_END_BEFORE_START;
  if (G_UNLIKELY (call->result != 0) && tt_pi_call_failed (call))
    flags |= TT_FLAG_FAILED;
  return flags;
}

/* The lane of a thread that is free at @start_ns. Calls of a thread follow one another; where some overlap, threads
 * share a name and so a file, and each gets a lane of its own, shown as a thread "main#2". */
static guint32
lane_of (Import *self, guint number, const TtPiCall *call, gboolean *is_other)
{
  Thread *thread = &self->threads[number];
  guint lane = 0;

  while (lane < thread->n_lanes && lane + 1 < MAX_LANES && thread->lanes[lane].end_ns > call->start_ns)
    lane++;
  if (G_UNLIKELY (lane == thread->n_lanes))
    {
      g_autofree char *name = tt_pi_safe_text (tt_pi_trace_thread_name (self->trace, number));
      g_autofree char *tid = g_strdup_printf ("%s#%u", name, lane + 1);
      thread->lanes = g_renew (Lane, thread->lanes, lane + 1);
      thread->lanes[lane] = (Lane){ .id = tt_sink_thread (self->sink, self->process, tid, NULL, number) };
      thread->n_lanes++;
    }
  *is_other = lane > 0;
  thread->lanes[lane].end_ns = MAX (thread->lanes[lane].end_ns, call->end_ns);
  return thread->lanes[lane].id;
}

static gboolean
is_outside (const Import *self, guint64 ns, gboolean is_in_order)
{
  if (ns >= (guint64) self->first_ns && ns <= (guint64) self->last_ns)
    return FALSE;
  guint64 far = ns < (guint64) self->first_ns ? (guint64) self->first_ns - ns : ns - (guint64) self->last_ns;
  return !is_in_order || far > self->patience_ns;
}

/* A call that begins or ends far from all others is moved to them, or has no duration. Calls of a thread follow one
 * another: one that outlasts those after it is none. @copy: for what it becomes. */
static const TtPiCall *
mend_times (Import *self, const TtPiReadCall *read, TtPiCall *copy, TtToldTimes *told)
{
  const TtPiCall *call = read->call;
  gboolean begins_far = is_outside (self, call->start_ns, read->is_in_order);

  if (!begins_far && (call->end_ns <= (guint64) self->last_ns || !is_outside (self, call->end_ns, read->is_last)))
    return call;
  memcpy (copy, call, G_STRUCT_OFFSET (TtPiCall, args) + call->n_args * sizeof *call->args);
  *told =
      (TtToldTimes){ .ts_ns = TT_NO_TIME, .dur_ns = (gint64) tt_pi_call_duration_ns (call), .longest_ns = TT_NO_TIME };
  if (begins_far)
    {
      told->ts_ns = (gint64) call->start_ns;
      copy->start_ns = (guint64) (call->start_ns < (guint64) self->first_ns ? self->first_ns : self->last_ns);
    }
  else
    told->longest_ns = self->last_ns - (gint64) call->start_ns;
  copy->end_ns = copy->start_ns;
  tt_sink_repair_of (self->sink, self->process, begins_far ? TT_REPAIR_LONE_TIME : TT_REPAIR_LONE_END, call->offset);
  return copy;
}

static void
put_task (Import *self, const TtPiCall *call, guint64 event)
{
  static const TtTaskKind kinds[] = {
    [TT_ACTIVITY_KERNEL] = TT_TASK_KERNEL,
    [TT_ACTIVITY_COPY] = TT_TASK_COPY,
    [TT_ACTIVITY_SET] = TT_TASK_MEMORY,
  };
  guint8 role = TT_ACTIVITY_NONE;
  TtRawName raw = { 0 };

  if (call->function == NULL || call->function->params == NULL || call->result != 0 ||
      (call->flags & TT_PI_CALL_IN_PROGRESS) != 0)
    return;
  g_autofree char *text = tt_pi_device_describe (self->device, call, self->handles, &raw, &role);
  tt_pi_tasks_add (self->tasks, event, (gint64) call->start_ns,
                   text != NULL && role < G_N_ELEMENTS (kinds) ? kinds[role] : TT_TASK_COMMAND,
                   text != NULL ? text : call->name);
}

static const TtArgsForm *
tell_form (Import *self, const TtPiArgsForm *form)
{
  const TtArgsForm *told = tt_sink_args_form (self->sink, form->format, form->n_numbers);

  if (form->number >= self->forms->len)
    g_ptr_array_set_size (self->forms, (int) form->number + 1);
  return self->forms->pdata[form->number] = (gpointer) told;
}

static inline guint64
put_args (Import *self, const TtPiReadCall *read)
{
  const TtPiArgsForm *form = read->form;

  if (form == NULL)
    return read->json == NULL ? 0 : tt_sink_args (self->sink, read->json, read->json_len);
  const TtArgsForm *told = form->number < self->forms->len ? self->forms->pdata[form->number] : NULL;
  return tt_sink_filled_args (self->sink, G_LIKELY (told != NULL) ? told : tell_form (self, form), read->numbers,
                              read->json_len);
}

static void
put_call (Import *self, const TtPiReadCall *read)
{
  TtToldTimes told;
  TtPiCall copy;
  const TtPiCall *call = G_UNLIKELY (self->has_lone) ? mend_times (self, read, &copy, &told) : read->call;
  const guint number = read->thread;
  Thread *thread = &self->threads[number];
  gboolean is_enqueue, is_other;
  guint32 name = name_of (self, call, &is_enqueue);
  guint32 lane = lane_of (self, number, call, &is_other);
  guint32 flags = flags_of (call, is_enqueue) | (is_other ? TT_FLAG_OVERLAP : 0);
  guint64 args = put_args (self, read);
  gint64 duration = (gint64) tt_pi_call_duration_ns (call);
  if (G_UNLIKELY (call != read->call))
    {
      flags = (flags & ~(guint32) TT_FLAG_END_BEFORE_START) | TT_FLAGS_BOUNDED;
      args = tt_told_times_keep (&told, self->sink, args);
    }
  guint64 event =
      tt_sink_event (self->sink, lane, name, (gint64) call->start_ns, duration, duration, 0, flags, TT_NO_STEP, args);

  tt_pi_handles_call (self->handles, call, event);
  if (self->tasks != NULL && (is_enqueue || tt_pi_buffers_is_append (call)))
    {
      put_task (self, call, event);
      tt_pi_buffers_call (self->buffers, call, self->handles, event);
    }
  tt_pi_flows_call (self->flows, call, self->handles, event);
  tt_pi_device_call (self->device, call, self->handles, event);
  if (G_UNLIKELY (thread->last_event == 0))
    put_thread_creation (self, number, event);
  thread->last_event = event;
}

static void
put_times (Import *self, const TtPiNativeTimes *times, guint n)
{
  for (guint i = 0; i < n; i++)
    tt_pi_device_times (&times[i], self->device);
}

/* -- memory ------------------------------------------------------------------------------------------------------ */

/* buffers/NAME: u64 size, then as many bytes. */
static void
check_memory (const TtPiCall *call, guint thread, gpointer data)
{
  TtPiTrace *trace = data;

  if (call->memory_file == NULL)
    return;
  g_autofree char *name = g_build_filename ("buffers", call->memory_file, NULL);
  g_autofree char *shown = tt_pi_safe_text (name);
  guint64 size = tt_pi_trace_side_size (trace, name);
  const TtPiPlace place = { tt_pi_trace_thread_path (trace, thread), call->offset, call->record };
  guint64 says;

  if (size == G_MAXUINT64)
    {
      tt_pi_trace_warn (trace, TT_PI_WARN_MEMORY, 0, &place, "'%s' is not there", shown);
      return;
    }
  g_autoptr (GBytes) head = tt_pi_trace_side_file (trace, name, sizeof says, NULL);
  gboolean is_short = head == NULL || g_bytes_get_size (head) < sizeof says;
  if (!is_short)
    memcpy (&says, g_bytes_get_data (head, NULL), sizeof says);
  if (is_short || GUINT64_FROM_LE (says) != size - sizeof says)
    tt_pi_trace_warn (trace, TT_PI_WARN_MEMORY, 1, &place, "'%s' has another size than it says", shown);
}

/* -- the whole --------------------------------------------------------------------------------------------------- */

static void
define_threads (Import *self)
{
  guint n = tt_pi_trace_n_threads (self->trace);

  self->threads = g_new0 (Thread, n);
  for (guint i = 0; i < n; i++)
    {
      int parent = tt_pi_trace_thread_parent (self->trace, i);
      g_autofree char *name = tt_pi_safe_text (tt_pi_trace_thread_name (self->trace, i));
      guint32 id = tt_sink_thread (self->sink, self->process, name, NULL, i);
      self->threads[i].lanes = g_new (Lane, 1);
      self->threads[i].lanes[0] = (Lane){ .id = id };
      self->threads[i].n_lanes = 1;
      if (parent < 0)
        continue;
      g_autofree char *creator = tt_pi_safe_text (tt_pi_trace_thread_name (self->trace, (guint) parent));
      tt_sink_metadata (self->sink, self->process, id, "created_by", creator);
    }
}

static gboolean
read_calls (Import *self, GError **error)
{
  g_autoptr (GError) local = NULL;
  const TtPiReadCall *call;
  guint n = 0;

  self->merge = tt_pi_merge_new (self->trace, error);
  if (self->merge == NULL)
    return FALSE;
  self->has_lone = tt_pi_merge_rest (self->merge, &self->first_ns, &self->last_ns);
  if (self->has_lone)
    self->patience_ns = tt_time_spread_patience (self->first_ns, self->last_ns);
  g_autoptr (TtPiCallsAhead) ahead = tt_pi_calls_ahead_new (
      self->trace, self->merge, self->keys, tt_sink_takes_forms (self->sink), check_memory, self->trace);
  while ((call = tt_pi_calls_ahead_next (ahead, &local)) != NULL)
    {
      put_times (self, call->times, call->n_times);
      put_call (self, call);
      if (G_UNLIKELY (++n % CHECK_EVERY == 0) && !tt_sink_check (self->sink, tt_pi_calls_ahead_progress (ahead), error))
        return FALSE;
    }
  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  const TtPiNativeTimes *times = tt_pi_calls_ahead_last_times (ahead, &n);
  put_times (self, times, n);
  return tt_sink_check (self->sink, tt_pi_calls_ahead_progress (ahead), error);
}

gboolean
tt_pi_import_calls (TtPiTrace *trace,
                    const TtImportOptions *options,
                    gboolean has_tasks,
                    TtSink *sink,
                    guint32 process,
                    GError **error)
{
  Import self = { .trace = trace, .sink = sink, .process = process, .keys = options->args };

  self.handles = tt_pi_handles_new ();
  self.names = g_new0 (guint32, tt_pi_n_functions * N_NAMES);
  self.is_enqueue = g_new0 (guint8, tt_pi_n_functions);
  self.forms = g_ptr_array_new ();
  self.others = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  /* Other generations have no events. */
  self.tasks = has_tasks || trace->generation != TT_PI_GENERATION_NATIVE ? NULL : tt_pi_tasks_new (sink, process);
  self.buffers = tt_pi_buffers_new (self.tasks);
  self.flows = tt_pi_flows_new (sink, self.tasks);
  self.device = tt_pi_device_new (sink, process, self.tasks);
  tt_pi_trace_tell_times (trace, (TtPiTimesOfCommand) tt_pi_device_times, self.device);
  define_threads (&self);
  gboolean is_good = read_calls (&self, error);
  if (is_good)
    {
      tt_pi_device_finish (self.device);
      tt_pi_tasks_finish (self.tasks);
    }

  tt_pi_trace_tell_times (trace, NULL, NULL);
  tt_pi_flows_free (self.flows);
  tt_pi_buffers_free (self.buffers);
  tt_pi_tasks_free (self.tasks);
  tt_pi_device_free (self.device);
  g_hash_table_unref (self.others);
  g_ptr_array_unref (self.forms);
  g_free (self.is_enqueue);
  g_free (self.names);
  for (guint i = 0; i < tt_pi_trace_n_threads (trace); i++)
    g_free (self.threads[i].lanes);
  g_free (self.threads);
  tt_pi_handles_free (self.handles);
  tt_pi_merge_free (self.merge);
  return is_good;
}
