/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/plans.h"

/* Ids of events up to this are found without a search. */
#define MAX_DIRECT 1024u

/* Of a type of streams. */
typedef struct
{
  TtCtfPlan *packet;
  const TtCtfPlan *direct[MAX_DIRECT];
} Stream;

struct _TtCtfPlans
{
  const TtCtfSchema *schema;
  GPtrArray *plans, *streams;
  GHashTable *names;
};

static void
add_stream (TtCtfPlans *self, TtCtfStreamType *type)
{
  Stream *stream = g_new0 (Stream, 1);

  stream->packet = tt_ctf_plan_new_packet (type);
  g_ptr_array_add (self->plans, stream->packet);
  g_ptr_array_add (self->streams, stream);
  type->data = stream;
  for (guint i = 0; i < type->events->len; i++)
    {
      TtCtfEventType *event = type->events->pdata[i];
      TtCtfPlan *plan = tt_ctf_plan_new (type, event, self->names);

      g_ptr_array_add (self->plans, plan);
      g_hash_table_add (self->names, g_strdup (event->name == NULL ? "" : event->name));
      event->data = plan;
      if (event->id < MAX_DIRECT)
        stream->direct[event->id] = plan;
    }
}

TtCtfPlans *
tt_ctf_plans_new (const TtCtfSchema *schema)
{
  TtCtfPlans *self = g_new0 (TtCtfPlans, 1);

  self->schema = schema;
  self->plans = g_ptr_array_new_with_free_func ((GDestroyNotify) tt_ctf_plan_free);
  self->streams = g_ptr_array_new_with_free_func (g_free);
  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < schema->streams->len; i++)
    add_stream (self, schema->streams->pdata[i]);
  return self;
}

void
tt_ctf_plans_free (TtCtfPlans *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->plans);
  g_ptr_array_unref (self->streams);
  g_hash_table_unref (self->names);
  g_free (self);
}

const TtCtfSchema *
tt_ctf_plans_schema (const TtCtfPlans *self)
{
  return self->schema;
}

const TtCtfPlan *
tt_ctf_plans_packet (const TtCtfStreamType *stream)
{
  return ((const Stream *) stream->data)->packet;
}

const TtCtfPlan *
tt_ctf_plans_event (const TtCtfStreamType *stream, guint64 id)
{
  const TtCtfEventType *event;

  if (id < MAX_DIRECT)
    return ((const Stream *) stream->data)->direct[id];
  event = g_hash_table_lookup (stream->by_id, &id);
  return event == NULL ? NULL : event->data;
}
