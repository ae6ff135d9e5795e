/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/import/told-calls.h"

#include "src/base/key-sort.h"

#define SORT_BYTES ((gsize) 4 << 20)

struct _TtToldCalls
{
  TtSpool *spool;
  TtKeySort *sort; /* NULL: not yet */
  TtToldCall next; /* of event 0: there is none */
  TtToldCall found;
};

TtToldCalls *
tt_told_calls_new (void)
{
  TtToldCalls *self = g_new0 (TtToldCalls, 1);

  self->spool = tt_spool_new (sizeof (TtToldCall));
  return self;
}

void
tt_told_calls_free (TtToldCalls *self)
{
  if (self == NULL)
    return;
  tt_key_sort_free (self->sort);
  tt_spool_free (self->spool);
  g_free (self);
}

void
tt_told_calls_add (TtToldCalls *self, const TtBatch *batch)
{
  const TtCallColumns *calls = &batch->calls;

  for (guint i = 0; i < calls->n; i++)
    {
      const TtToldCall call = {
        .comm = calls->comm[i], .root = calls->root[i], .owner = calls->owner[i], .sequence = calls->sequence[i]
      };
      tt_spool_add (self->spool, &call);
    }
}

gboolean
tt_told_calls_is_empty (const TtToldCalls *self)
{
  return tt_spool_count (self->spool) == 0;
}

/* -- in the order of events ----------------------------------------------------------------------------------- */

static void
event_field (const void *record, guint64 *fields)
{
  fields[0] = ((const TtToldCall *) record)->event;
}

static gboolean
read_next (TtToldCalls *self, GError **error)
{
  GError *failure = NULL;
  const TtToldCall *next = tt_key_sort_next (self->sort, &failure);

  self->next = next == NULL ? (TtToldCall){ 0 } : *next;
  return tt_store_finish (failure, error);
}

gboolean
tt_told_calls_sort (TtToldCalls *self, TtOwners *owners, GError **error)
{
  guint64 n = tt_spool_count (self->spool);
  TtKeyRange range = TT_KEY_RANGE_INIT;
  TtToldCall call;

  for (guint64 i = 0; i < n; i++)
    {
      tt_spool_get (self->spool, i, &call);
      tt_key_range_add (&range, tt_owners_event (owners, call.owner));
    }
  self->sort = tt_key_sort_new (sizeof call, 1, &range, event_field, SORT_BYTES);
  for (guint64 i = 0; i < n; i++)
    {
      tt_spool_get (self->spool, i, &call);
      call.event = tt_owners_event (owners, call.owner);
      tt_key_sort_add (self->sort, &call);
    }
  return tt_spool_check (self->spool, error) && tt_owners_check (owners, error) &&
         tt_key_sort_finish (self->sort, error) && read_next (self, error);
}

const TtToldCall *
tt_told_calls_find (TtToldCalls *self, guint64 event, GError **error)
{
  self->found.event = 0;
  while (self->next.event <= event && (self->next.event != 0 || self->next.owner != 0))
    {
      self->found = self->next;
      if (!read_next (self, error))
        return NULL;
    }
  return self->found.event == event ? &self->found : NULL;
}
