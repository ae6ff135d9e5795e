/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/plans.h"

#include <string.h>

/* Ids of events up to this, and to some times their number, are found without a search. */
#define MAX_DIRECT 1024u
#define MAX_DIRECT_RATIO 4u

/* Of a type of streams. */
typedef struct
{
  TtCtfPlan *packet;
  const TtCtfHeader *header;
  guint n_direct;
  const TtCtfPlan *direct[];
} Stream;

struct _TtCtfPlans
{
  const TtCtfSchema *schema;
  GPtrArray *plans, *streams;
  GPtrArray *headers; /* of TtCtfHeader: streams one after another mostly have one */
  GHashTable *names;
  guint most_slots;
};

static const TtCtfHeader *
keep_header (TtCtfPlans *self, const TtCtfType *type)
{
  const TtCtfHeader header = tt_ctf_header_of (type);
  const TtCtfHeader *last = self->headers->len == 0 ? NULL : self->headers->pdata[self->headers->len - 1];

  if (last == NULL || memcmp (last, &header, sizeof header) != 0)
    g_ptr_array_add (self->headers, g_memdup2 (&header, sizeof header));
  return self->headers->pdata[self->headers->len - 1];
}

static void
add_stream (TtCtfPlans *self, TtCtfStreamType *type)
{
  const guint n_direct = (guint) MIN (MAX_DIRECT, (guint64) MAX_DIRECT_RATIO * type->events->len);
  Stream *stream = g_malloc0 (sizeof *stream + n_direct * sizeof *stream->direct);

  stream->n_direct = n_direct;
  stream->packet = tt_ctf_plan_new_packet (type);
  stream->header = keep_header (self, type->event_header);
  g_ptr_array_add (self->plans, stream->packet);
  g_ptr_array_add (self->streams, stream);
  type->data = stream;
  for (guint i = 0; i < type->events->len; i++)
    {
      TtCtfEventType *event = type->events->pdata[i];
      TtCtfPlan *plan = tt_ctf_plan_new (type, event, self->names);

      g_ptr_array_add (self->plans, plan);
      self->most_slots = MAX (self->most_slots, plan->n_slots);
      g_hash_table_add (self->names, g_strdup (event->name == NULL ? "" : event->name));
      event->data = plan;
      if (event->id < n_direct)
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
  self->headers = g_ptr_array_new_with_free_func (g_free);
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
  g_ptr_array_unref (self->headers);
  g_hash_table_unref (self->names);
  g_free (self);
}

const TtCtfSchema *
tt_ctf_plans_schema (const TtCtfPlans *self)
{
  return self->schema;
}

guint
tt_ctf_plans_most_slots (const TtCtfPlans *self)
{
  return self->most_slots;
}

const TtCtfPlan *
tt_ctf_plans_packet (const TtCtfStreamType *stream)
{
  return ((const Stream *) stream->data)->packet;
}

const TtCtfHeader *
tt_ctf_plans_header (const TtCtfStreamType *stream)
{
  return ((const Stream *) stream->data)->header;
}

const TtCtfPlan *
tt_ctf_plans_event (const TtCtfStreamType *stream, guint64 id)
{
  const Stream *own = stream->data;
  const TtCtfEventType *event;

  if (id < own->n_direct)
    return own->direct[id];
  event = g_hash_table_lookup (stream->by_id, &id);
  return event == NULL ? NULL : event->data;
}
