/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/recorded-job/transfers.h"

#include "analyzers/communication/bus-factor.h"

#include <string.h>

typedef struct
{
  TtRecordingBuilder *builder;
  TtCollectiveReader reader;
  TtCollectiveFacts facts;
  GHashTable *groups; /* char * → number, counted from 1 */
} Reading;

/* From rank to rank around a ring, one after the other: there and back where all get what all add up. */
static guint32
hops_of (const char *function, guint32 n_ranks)
{
  static const char *const between_two[] = { "SEND", "RECV", "SENDRECV" };

  for (guint i = 0; i < G_N_ELEMENTS (between_two); i++)
    if (strcmp (function, between_two[i]) == 0)
      return 1;
  return n_ranks < 2 ? 0 : strcmp (function, "ALLREDUCE") == 0 ? 2 * (n_ranks - 1) : n_ranks - 1;
}

/* The whole tensor; -1: not said. Of a gathering what this rank gives is a part of it, of a scattering what it gets. */
static gint64
size_of (const TtCollectiveFacts *facts)
{
  gboolean is_gather = strcmp (facts->function->str, "ALLGATHER") == 0 || strcmp (facts->function->str, "GATHER") == 0;
  gboolean is_scatter =
      strcmp (facts->function->str, "REDUCE_SCATTER") == 0 || strcmp (facts->function->str, "SCATTER") == 0;

  if ((is_gather && facts->bytes_out < 0) || (is_scatter && facts->bytes_in < 0))
    return -1;
  return MAX (facts->bytes_in, facts->bytes_out);
}

/* "[0, 1, 2, 3]"; none of a list that was cut. */
static GArray *
ranks_of (const TtCollectiveFacts *facts)
{
  GArray *ranks = g_array_new (FALSE, FALSE, sizeof (guint32));
  const char *at = facts->ranks->str;

  while (*at != '\0')
    {
      char *end;
      guint64 rank = g_ascii_isdigit (*at) ? g_ascii_strtoull (at, &end, 10) : 0;
      guint32 number = (guint32) MIN (rank, G_MAXUINT32);
      if (!g_ascii_isdigit (*at))
        {
          at++;
          continue;
        }
      g_array_append_val (ranks, number);
      at = end;
    }
  if (ranks->len != facts->group_size)
    g_array_set_size (ranks, 0);
  return ranks;
}

static guint32
group_of (Reading *self)
{
  const TtCollectiveFacts *facts = &self->facts;
  char *key = g_strdup_printf ("%s\x1f%" G_GINT64_MODIFIER "x\x1f%u", facts->members != 0 ? "" : facts->group->str,
                               facts->members, facts->group_size);
  guint32 number = GPOINTER_TO_UINT (g_hash_table_lookup (self->groups, key));

  if (number != 0)
    {
      g_free (key);
      return number - 1;
    }
  number = g_hash_table_size (self->groups) + 1;
  g_hash_table_insert (self->groups, key, GUINT_TO_POINTER (number));
  g_ptr_array_add (self->builder->recording->group_ranks, ranks_of (facts));
  return number - 1;
}

static const char *
or_empty (const char *text)
{
  return text == NULL ? "" : text;
}

static void
take_kernel (Reading *self, const TtEvent *event, guint number)
{
  const TtRecordingBuilder *builder = self->builder;
  const TtStoredName *name = tt_store_name (builder->store, event->name);
  const TtCollectiveFacts *facts = &self->facts;
  TtRecordedTransfer transfer = { .node = builder->device_nodes[number],
                                  .is_alone = builder->device_nodes[number] == builder->arrival_nodes[number] };
  double factor;

  if (name == NULL)
    return;
  self->reader (or_empty (name->op_cat), or_empty (name->group), or_empty (name->raw), name->sub_op, event->args,
                event->args_len, &self->facts);
  gint64 size = facts->role == TT_COLLECTIVE_WORK ? size_of (facts) : -1;
  if (size > 0 && tt_comm_bus_factor (facts->function->str, facts->group_size, &factor) && factor > 0)
    {
      transfer.n_hops = hops_of (facts->function->str, facts->group_size);
      transfer.bytes = (double) size * factor;
      transfer.group = group_of (self);
      transfer.n_ranks = facts->group_size;
      transfer.function = g_intern_string (facts->function->str);
      transfer.is_sum =
          strcmp (facts->function->str, "ALLREDUCE") == 0 || strcmp (facts->function->str, "REDUCE_SCATTER") == 0;
    }
  g_array_append_val (builder->recording->transfers, transfer);
}

static gboolean
has_communication (const TtRecordingBuilder *builder)
{
  for (guint i = 0; i < builder->work.spans->len; i++)
    if (tt_device_span_at (&builder->work, i)->is_communication)
      return TRUE;
  return FALSE;
}

gboolean
tt_recorded_transfers_read (TtRecordingBuilder *builder, TtCollectiveReader reader, GError **error)
{
  Reading self = { .builder = builder, .reader = reader };
  TtEvent event;

  if (!has_communication (builder))
    return TRUE;
  TtEventScan *scan = tt_event_scan_new (builder->store, TT_SCAN_ARGS, error);
  if (scan == NULL)
    return FALSE;
  self.groups = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  tt_collective_facts_init (&self.facts);
  while (tt_event_scan_next (scan, &event))
    {
      guint number = tt_map64_get (&builder->numbers, event.id);
      if (number != TT_MAP64_NONE && tt_device_span_at (&builder->work, number)->is_communication)
        take_kernel (&self, &event, number);
    }
  tt_collective_facts_clear (&self.facts);
  g_hash_table_unref (self.groups);
  return tt_event_scan_finish (scan, error);
}
