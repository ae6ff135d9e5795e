/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/flows.h"

#include <string.h>

/* Addresses of event variables, enqueues of one queue, retains of one object that are remembered. */
#define MAX_EVENTS 65536u
#define MAX_PENDING 65536u
#define OUT_OF_ORDER 1u

/* What a function is to the flows. */
typedef enum
{
  PART_UNKNOWN,
  PART_NONE,
  PART_ENQUEUE,
  PART_WAIT,
  PART_FINISH,
  PART_RETAIN,
  PART_RELEASE,
  PART_QUEUE_CREATE,
} Part;

typedef struct
{
  gboolean is_in_order;
  guint64 last;    /* enqueue of an in-order queue; 0: none */
  GArray *pending; /* of guint64: enqueues of another queue that nothing has waited for */
} Queue;

struct _TtPiFlows
{
  TtSink *sink;
  guint8 *parts;        /* Part, by index of the function */
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
tt_pi_flows_new (TtSink *sink)
{
  TtPiFlows *self = g_new0 (TtPiFlows, 1);

  self->sink = sink;
  self->parts = g_new0 (guint8, tt_pi_n_functions);
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
    { "EventsWait", PART_WAIT },          { "urEventWait", PART_WAIT }, { "QueueFinish", PART_FINISH },
    { "QueueCreate", PART_QUEUE_CREATE }, { "Retain", PART_RETAIN },    { "Release", PART_RELEASE },
  };

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
static const TtFlowKind event_inferred_kind = { .text = "event_inferred", .is_inferred = TRUE };

/* -- objects --------------------------------------------------------------------------------------------- */

static void
put_creation (TtPiFlows *self, const TtPiCall *call, const TtPiHandles *handles, guint64 event)
{
  for (guint i = 0; i < call->n_args; i++)
    {
      const TtPiHandle *handle = tt_pi_handles_arg (handles, i);
      if (handle != NULL && handle->is_first && !handle->is_new && handle->created_by != TT_PI_NO_CALL)
        tt_sink_flow (self->sink, handle->created_by, event, handle->is_inferred ? &create_inferred_kind : &create_kind);
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

/* piQueueCreate (context, device, properties, queue). */
static void
note_queue (TtPiFlows *self, const TtPiCall *call, guint64 event)
{
  if (call->result == 0 && strcmp (call->name, "piQueueCreate") == 0 && call->n_args > 2 &&
      (call->args[2].value & OUT_OF_ORDER) == 0)
    g_hash_table_add (self->in_order, get_number (event));
}

static Queue *
queue_of (TtPiFlows *self, const TtPiCall *call, const TtPiHandles *handles)
{
  const TtPiHandle *handle = call->n_args == 0 ? NULL : tt_pi_handles_arg (handles, 0);

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

static void
put_enqueue (TtPiFlows *self, Queue *queue, guint64 event)
{
  if (queue->is_in_order)
    {
      if (queue->last != 0)
        tt_sink_flow (self->sink, queue->last, event, &queue_kind);
      queue->last = event;
    }
  else if (queue->pending->len < MAX_PENDING)
    g_array_append_val (queue->pending, event);
}

static void
put_finish (TtPiFlows *self, Queue *queue, guint64 event)
{
  if (queue->last != 0)
    tt_sink_flow (self->sink, queue->last, event, &finish_kind);
  for (guint i = 0; i < queue->pending->len; i++)
    tt_sink_flow (self->sink, g_array_index (queue->pending, guint64, i), event, &finish_kind);
  queue->last = 0;
  g_array_set_size (queue->pending, 0);
}

/* -- events ---------------------------------------------------------------------------------------------- */

/* The variable at @address holds the event of this enqueue from now on. */
static void
note_address (TtPiFlows *self, guint64 address, guint64 event)
{
  guint64 *last = g_hash_table_lookup (self->addresses, &address);

  if (last != NULL)
    *last = event;
  else if (g_hash_table_size (self->addresses) < MAX_EVENTS)
    g_hash_table_insert (self->addresses, get_number (address), get_number (event));
}

static void
put_waiting (TtPiFlows *self, const TtPiCall *call, guint64 event)
{
  const TtPiFunction *function = call->function;

  for (guint i = 0; i < call->n_args && i < function->n_params; i++)
    {
      const TtPiParam *param = &function->params[i];
      guint64 address = call->args[i].value;
      if (address == 0)
        continue;
      if (param->role == TT_PI_ROLE_IN_ARRAY && strcmp (param->type, "event") == 0)
        {
          const guint64 *from = g_hash_table_lookup (self->addresses, &address);
          if (from != NULL)
            tt_sink_flow (self->sink, *from, event, &event_inferred_kind);
        }
      else if (param->role == TT_PI_ROLE_OUT_EVENT)
        note_address (self, address, event);
    }
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
  Queue *queue = part == PART_ENQUEUE || part == PART_FINISH ? queue_of (self, call, handles) : NULL;
  if (part == PART_ENQUEUE || part == PART_WAIT)
    put_waiting (self, call, event);
  if (part == PART_QUEUE_CREATE)
    note_queue (self, call, event);
  if ((part == PART_RETAIN || part == PART_RELEASE) && call->n_args == 1)
    put_retain (self, handles, part == PART_RETAIN, event);
  if (queue != NULL && part == PART_ENQUEUE)
    put_enqueue (self, queue, event);
  if (queue != NULL && part == PART_FINISH)
    put_finish (self, queue, event);
}
