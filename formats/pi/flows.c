/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/flows.h"

#include "formats/pi/native.h"
#include "formats/pi/queue-flags.h"

#include <string.h>

/* Events, addresses of their variables, enqueues of one queue, retains of one object that are remembered. */
#define MAX_EVENTS 65536u
#define MAX_PENDING 65536u

/* What a function is to the flows. */
typedef enum
{
  PART_UNKNOWN,
  PART_NONE,
  PART_ENQUEUE,
  PART_ENQUEUE_WAIT,    /* ends when what is in the queue has ended, unless it has a list */
  PART_ENQUEUE_BARRIER, /* and what comes later begins after it */
  PART_WAIT,
  PART_FINISH,
  PART_RETAIN,
  PART_RELEASE,
  PART_QUEUE_CREATE,
} Part;

/* Parameters of a function that are a list of events, or where a new event goes to. */
typedef struct
{
  const TtPiFunction *function; /* which of its signatures */
  guint n;
  struct
  {
    guint8 index;
    gboolean is_list;
  } place[];
} EventPlaces;

typedef struct
{
  gboolean is_in_order;
  guint64 last;     /* enqueue of an in-order queue; 0: none */
  GArray *pending;  /* of guint64: enqueues of another queue that nothing has waited for */
  guint64 barrier;  /* of another queue: what comes next begins after this; 0: none */
  guint64 gathered; /* ends after all before; 0: none */
  guint n_gathered; /* so many of the pending are before it */
} Queue;

struct _TtPiFlows
{
  TtSink *sink;
  TtPiTasks *tasks;
  guint8 *parts;        /* Part, by index of the function */
  EventPlaces **places; /* by index of the function; NULL: not asked for yet */
  GHashTable *made;     /* handle of an event -> its enqueue */
  GHashTable *in_order; /* events of calls that make in-order queues */
  GHashTable *queues;   /* number of the queue -> Queue */
  guint64 last_number;  /* of the queue asked for last; 0: none */
  Queue *last_queue;
  GHashTable *retains;   /* id of the object -> GArray of guint64: events */
  GHashTable *addresses; /* of the variable of an event -> the event of the enqueue */
};

static void
queue_free (gpointer data)
{
  Queue *queue = data;

  g_clear_pointer (&queue->pending, g_array_unref);
  g_free (queue);
}

static void
unref_array (gpointer array)
{
  g_array_unref (array);
}

static GHashTable *
table_of_numbers (GDestroyNotify free_value)
{
  return g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, free_value);
}

TtPiFlows *
tt_pi_flows_new (TtSink *sink, TtPiTasks *tasks)
{
  TtPiFlows *self = g_new0 (TtPiFlows, 1);

  self->sink = sink;
  self->tasks = tasks;
  self->made = table_of_numbers (g_free);
  self->parts = g_new0 (guint8, tt_pi_n_functions);
  self->places = g_new0 (EventPlaces *, tt_pi_n_functions);
  self->in_order = table_of_numbers (NULL);
  self->queues = table_of_numbers (queue_free);
  self->retains = table_of_numbers (unref_array);
  self->addresses = table_of_numbers (g_free);
  return self;
}

void
tt_pi_flows_free (TtPiFlows *self)
{
  if (self == NULL)
    return;
  g_free (self->parts);
  for (guint i = 0; i < tt_pi_n_functions; i++)
    g_free (self->places[i]);
  g_free (self->places);
  g_hash_table_unref (self->made);
  g_hash_table_unref (self->in_order);
  g_hash_table_unref (self->queues);
  g_hash_table_unref (self->retains);
  g_hash_table_unref (self->addresses);
  g_free (self);
}

static gpointer
get_number (guint64 value)
{
  return g_memdup2 (&value, sizeof value);
}

static Part
find_part (const char *name)
{
  static const struct
  {
    const char *suffix;
    Part part;
  } parts[] = {
    { "EventsWait", PART_WAIT },          { "urEventWait", PART_WAIT },          { "QueueFinish", PART_FINISH },
    { "QueueCreate", PART_QUEUE_CREATE }, { "QueueCreate2", PART_QUEUE_CREATE }, { "Retain", PART_RETAIN },
    { "Release", PART_RELEASE },
  };

  if (strstr (name, "EnqueueEventsWaitWithBarrier") != NULL)
    return PART_ENQUEUE_BARRIER;
  if (strstr (name, "EnqueueEventsWait") != NULL)
    return PART_ENQUEUE_WAIT;
  if (strstr (name, "Enqueue") != NULL)
    return PART_ENQUEUE;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (g_str_has_suffix (name, parts[i].suffix))
      return parts[i].part;
  return PART_NONE;
}

/* -- kinds of flows ---------------------------------------------------------------------------------------- */

/* Only an object's maker and an in-order queue are certain; what an address suggests is inferred. */
static const TtFlowKind create_kind = { .text = "create", .link = TT_LINK_OBJECT };
static const TtFlowKind create_inferred_kind = { .text = "create_inferred", .is_inferred = TRUE };
static const TtFlowKind retain_kind = { .text = "retain" };
static const TtFlowKind queue_kind = { .text = "queue" };
static const TtFlowKind finish_kind = { .text = "finish", .link = TT_LINK_QUEUE };
static const TtFlowKind barrier_kind = { .text = "barrier" };
static const TtFlowKind event_kind = { .text = "event" };
static const TtFlowKind event_inferred_kind = { .text = "event_inferred", .is_inferred = TRUE };

/* A command, or the host, goes on after another command. */
static void
put_dependency (TtPiFlows *self, guint64 from, guint64 to, const TtFlowKind *kind)
{
  tt_sink_flow (self->sink, from, to, kind);
  tt_pi_tasks_edge (self->tasks, from, to, kind->text);
}

/* -- objects --------------------------------------------------------------------------------------------- */

static void
put_creation (TtPiFlows *self, const TtPiCall *call, const TtPiHandles *handles, guint64 event)
{
  if (!tt_pi_handles_has_first (handles))
    return;
  for (guint i = 0; i < call->n_args; i++)
    {
      const TtPiHandle *handle = tt_pi_handles_arg (handles, i);
      if (handle != NULL && handle->is_first && !handle->is_new && handle->created_by != TT_PI_NO_CALL)
        tt_sink_flow (self->sink, handle->created_by, event,
                      handle->is_inferred ? &create_inferred_kind : &create_kind);
    }
}

/* The release that comes next undoes the latest retain. */
static void
put_retain (TtPiFlows *self, const TtPiHandles *handles, gboolean is_retain, guint64 event)
{
  const TtPiHandle *handle = tt_pi_handles_arg (handles, 0);

  if (handle == NULL || (!is_retain && g_hash_table_size (self->retains) == 0))
    return;
  GArray *retains = g_hash_table_lookup (self->retains, &handle->id);
  if (is_retain)
    {
      if (retains == NULL)
        {
          retains = g_array_new (FALSE, FALSE, sizeof (guint64));
          g_hash_table_insert (self->retains, get_number (handle->id), retains);
        }
      if (retains->len < MAX_PENDING)
        g_array_append_val (retains, event);
      return;
    }
  if (retains == NULL)
    return;
  tt_sink_flow (self->sink, g_array_index (retains, guint64, retains->len - 1), event, &retain_kind);
  g_array_set_size (retains, retains->len - 1);
  if (retains->len == 0)
    g_hash_table_remove (self->retains, &handle->id);
}

/* -- queues ---------------------------------------------------------------------------------------------- */

static void
note_queue (TtPiFlows *self, const TtPiCall *call, guint64 event)
{
  guint64 flags;

  if (tt_pi_queue_flags (call, &flags) && (flags & TT_PI_QUEUE_OUT_OF_ORDER) == 0)
    g_hash_table_add (self->in_order, get_number (event));
}

static Queue *
queue_of (TtPiFlows *self, const TtPiCall *call, const TtPiHandles *handles)
{
  const TtPiHandle *handle = NULL;

  /* Of command buffers it was the second parameter until 2025. */
  for (guint i = 0; i < call->n_args && i < 2 && (handle == NULL || strcmp (handle->type, "queue") != 0); i++)
    handle = tt_pi_handles_arg (handles, i);
  if (handle == NULL || strcmp (handle->type, "queue") != 0)
    return NULL;
  if (handle->number == self->last_number)
    return self->last_queue;
  Queue *queue = g_hash_table_lookup (self->queues, &handle->number);
  if (queue == NULL)
    {
      queue = g_new0 (Queue, 1);
      queue->pending = g_array_new (FALSE, FALSE, sizeof (guint64));
      queue->is_in_order =
          handle->created_by != TT_PI_NO_CALL && g_hash_table_contains (self->in_order, &handle->created_by);
      g_hash_table_insert (self->queues, get_number (handle->number), queue);
    }
  self->last_number = handle->number;
  self->last_queue = queue;
  return queue;
}

/* @event ends after all that is in the queue. */
static void
gather (TtPiFlows *self, Queue *queue, guint64 event)
{
  if (queue->gathered != 0)
    put_dependency (self, queue->gathered, event, &barrier_kind);
  for (guint i = queue->n_gathered; i < queue->pending->len; i++)
    put_dependency (self, g_array_index (queue->pending, guint64, i), event, &barrier_kind);
  queue->gathered = event;
}

static void
put_in_order (TtPiFlows *self, Queue *queue, guint64 event)
{
  if (queue->last != 0)
    put_dependency (self, queue->last, event, &queue_kind);
  queue->last = event;
}

static void
put_enqueue (TtPiFlows *self, Queue *queue, Part part, gboolean has_list, guint64 event)
{
  if (queue->is_in_order)
    {
      put_in_order (self, queue, event);
      return;
    }
  if (part != PART_ENQUEUE && !has_list)
    gather (self, queue, event);
  else if (queue->barrier != 0)
    put_dependency (self, queue->barrier, event, &barrier_kind);
  if (part == PART_ENQUEUE_BARRIER)
    queue->barrier = event;
  if (queue->pending->len < MAX_PENDING)
    g_array_append_val (queue->pending, event);
  if (queue->gathered == event)
    queue->n_gathered = queue->pending->len;
}

static void
put_finish (TtPiFlows *self, Queue *queue, guint64 event)
{
  if (queue->last != 0)
    tt_sink_flow (self->sink, queue->last, event, &finish_kind);
  for (guint i = 0; i < queue->pending->len; i++)
    tt_sink_flow (self->sink, g_array_index (queue->pending, guint64, i), event, &finish_kind);
  queue->last = queue->barrier = queue->gathered = 0;
  queue->n_gathered = 0;
  g_array_set_size (queue->pending, 0);
}

/* -- events ---------------------------------------------------------------------------------------------- */

/* From now on @key is that of the event of this enqueue. */
static void
note_event (GHashTable *events, guint64 key, guint64 event)
{
  guint64 *last = g_hash_table_lookup (events, &key);

  if (last != NULL)
    *last = event;
  else if (g_hash_table_size (events) < MAX_EVENTS)
    g_hash_table_insert (events, get_number (key), get_number (event));
}

/* The events of a wait list; of a recording without its contents those of its address. */
static void
put_list (TtPiFlows *self, const TtPiArg *list, guint64 event)
{
  const guint64 *from;

  for (gsize at = 0; list->before.bytes != NULL && at + 8 <= list->before.len; at += 8)
    {
      guint64 handle = tt_pi_get (list->before.bytes + at, 8);
      if ((from = g_hash_table_lookup (self->made, &handle)) != NULL)
        put_dependency (self, *from, event, &event_kind);
    }
  if (list->before.bytes == NULL && (from = g_hash_table_lookup (self->addresses, &list->value)) != NULL)
    tt_sink_flow (self->sink, *from, event, &event_inferred_kind);
}

static void
note_made (TtPiFlows *self, const TtPiArg *to, guint64 event)
{
  if (to->after.bytes == NULL)
    note_event (self->addresses, to->value, event);
  else if (to->after.len >= 8)
    note_event (self->made, tt_pi_get (to->after.bytes, 8), event);
}

static const EventPlaces *
places_of (TtPiFlows *self, const TtPiFunction *function)
{
  EventPlaces **at = &self->places[function->index], *places = *at;

  if (G_LIKELY (places != NULL && places->function == function))
    return places;
  g_free (places);
  *at = places = g_malloc0 (sizeof *places + function->n_params * sizeof *places->place);
  places->function = function;
  for (guint i = 0; i < function->n_params; i++)
    {
      const TtPiParam *param = &function->params[i];
      const gboolean is_list = param->role == TT_PI_ROLE_IN_ARRAY && strcmp (param->type, "event") == 0;

      places->place[places->n].index = (guint8) i;
      places->place[places->n].is_list = is_list;
      places->n += is_list || param->role == TT_PI_ROLE_OUT_EVENT;
    }
  return places;
}

/* Whether there is a wait list. */
static gboolean
put_waiting (TtPiFlows *self, const TtPiCall *call, guint64 event)
{
  const EventPlaces *places = places_of (self, call->function);
  gboolean has_list = FALSE;

  for (guint k = 0; k < places->n && places->place[k].index < call->n_args; k++)
    {
      const guint i = places->place[k].index;
      const int count = call->function->params[i].count;

      if (call->args[i].value == 0)
        continue;
      if (!places->place[k].is_list)
        {
          note_made (self, &call->args[i], event);
          continue;
        }
      has_list |= count >= 0 && (guint) count < call->n_args && call->args[count].value > 0;
      put_list (self, &call->args[i], event);
    }
  return has_list;
}

void
tt_pi_flows_call (TtPiFlows *self, const TtPiCall *call, const TtPiHandles *handles, guint64 event)
{
  const TtPiFunction *function = call->function;

  if (function == NULL || function->params == NULL)
    return;
  if (self->parts[function->index] == PART_UNKNOWN)
    self->parts[function->index] = (guint8) find_part (function->name);
  put_creation (self, call, handles, event);
  /* What failed did nothing. */
  if (call->result != 0)
    return;

  Part part = (Part) self->parts[function->index];
  gboolean is_enqueue = part == PART_ENQUEUE || part == PART_ENQUEUE_WAIT || part == PART_ENQUEUE_BARRIER;
  Queue *queue = is_enqueue || part == PART_FINISH ? queue_of (self, call, handles) : NULL;
  gboolean has_list = (is_enqueue || part == PART_WAIT) && put_waiting (self, call, event);
  if (part == PART_QUEUE_CREATE)
    note_queue (self, call, event);
  if ((part == PART_RETAIN || part == PART_RELEASE) && call->n_args == 1)
    put_retain (self, handles, part == PART_RETAIN, event);
  if (queue != NULL && is_enqueue)
    put_enqueue (self, queue, part, has_list, event);
  if (queue != NULL && part == PART_FINISH)
    put_finish (self, queue, event);
}
