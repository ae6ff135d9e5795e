/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/recorded-job/collectives.h"

typedef struct
{
  TtRecordedCollectives *found;
  TtRecordingBuilder *builder;
  GString *function;
  gint64 comm, ordinal;
  guint first; /* of the members of the call */
} Finder;

static const TtDeviceSpan *
member_at (const Finder *self, guint i)
{
  return tt_device_span_at (&self->builder->work, g_array_index (self->found->members, guint, self->first + i));
}

/* Ranks that wait for each other are there together; two calls of one rank are not one. */
static gboolean
is_one_call (const Finder *self, guint n)
{
  g_autoptr (GHashTable) endpoints = g_hash_table_new (NULL, NULL);
  gint64 begin_ns = G_MININT64, end_ns = G_MAXINT64;

  for (guint i = 0; i < n; i++)
    {
      const TtDeviceSpan *span = member_at (self, i);
      begin_ns = MAX (begin_ns, span->begin_ns);
      end_ns = MIN (end_ns, span->end_ns);
      g_hash_table_add (endpoints, GUINT_TO_POINTER (tt_recording_endpoint (self->builder, span->thread)));
    }
  return n > 1 && g_hash_table_size (endpoints) == n && begin_ns <= end_ns;
}

static void
finish_call (Finder *self)
{
  const TtJoinedKernels one = { self->first, self->found->members->len - self->first };

  if (is_one_call (self, one.n))
    g_array_append_val (self->found->joined, one);
  else
    g_array_set_size (self->found->members, self->first);
  self->first = self->found->members->len;
}

static gboolean
on_call (const TtCollective *call, gpointer data)
{
  Finder *self = data;
  guint number = tt_map64_get (&self->builder->numbers, call->event);
  const char *function = call->function != NULL ? call->function : "";

  if (number == TT_MAP64_NONE || call->is_undecided)
    return TRUE;
  if (call->comm != self->comm || call->ordinal != self->ordinal || strcmp (function, self->function->str) != 0)
    finish_call (self);
  self->comm = call->comm;
  self->ordinal = call->ordinal;
  g_string_assign (self->function, function);
  g_array_append_val (self->found->members, number);
  return TRUE;
}

gboolean
tt_recorded_collectives_find (TtRecordedCollectives *self, TtRecordingBuilder *builder, GError **error)
{
  g_autoptr (GString) function = g_string_new (NULL);
  Finder finder = { .found = self, .builder = builder, .function = function };

  self->joined = g_array_new (FALSE, FALSE, sizeof (TtJoinedKernels));
  self->members = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < builder->work.spans->len; i++)
    builder->counts->n_alone += tt_device_span_at (&builder->work, i)->is_communication;
  gboolean is_read = tt_store_each_collective (builder->store, on_call, &finder, error);
  finish_call (&finder);
  builder->counts->n_alone -= MIN (builder->counts->n_alone, self->members->len);
  return is_read;
}

void
tt_recorded_collectives_clear (TtRecordedCollectives *self)
{
  g_clear_pointer (&self->joined, g_array_unref);
  g_clear_pointer (&self->members, g_array_unref);
}
