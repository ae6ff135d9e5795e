/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/path/equal-calls.h"

#include "analyzers/path/host-collectives.h"

#include "src/base/compare.h"
#include "src/base/error.h"
#include "src/store/rows.h"

/* Calls of one function and communicator, one after another. */
typedef struct
{
  char *function;
  gint64 comm;
  GHashTable *counts; /* by process */
  guint n;
  gboolean is_dropped;
} Group;

static void
group_clear (gpointer group)
{
  g_clear_pointer (&((Group *) group)->function, g_free);
  g_clear_pointer (&((Group *) group)->counts, g_hash_table_unref);
}

typedef struct
{
  guint64 event;
  guint group;
} Call;

typedef struct
{
  guint32 n_threads;
  GArray *groups; /* of Group */
  GArray *calls;  /* of Call */
  GArray *host;   /* of TtHostCall */
  guint64 n_undecided;
} Reader;

static void
add_count (Group *group, guint32 process, guint n)
{
  const guint so_far = GPOINTER_TO_UINT (g_hash_table_lookup (group->counts, GUINT_TO_POINTER (process)));

  g_hash_table_insert (group->counts, GUINT_TO_POINTER (process), GUINT_TO_POINTER (so_far + n));
  group->n += n;
}

static Group *
last_group (GArray *groups, const char *function, gint64 comm)
{
  Group *last = groups->len == 0 ? NULL : &g_array_index (groups, Group, groups->len - 1);

  if (last != NULL && last->comm == comm && g_strcmp0 (last->function, function) == 0)
    return last;
  const Group fresh = { g_strdup (function), comm, g_hash_table_new (NULL, NULL), 0, FALSE };
  g_array_append_val (groups, fresh);
  return &g_array_index (groups, Group, groups->len - 1);
}

static gboolean
on_collective (const TtCollective *collective, gpointer data)
{
  Reader *self = data;

  TtHostCall host;

  if (tt_host_call_of (collective, self->n_threads, &host))
    g_array_append_val (self->host, host);
  if (collective->thread >= self->n_threads || collective->event == 0)
    return TRUE;
  self->n_undecided += collective->is_undecided;
  if (collective->is_undecided)
    return TRUE;
  Group *group = last_group (self->groups, collective->function, collective->comm);
  const Call call = { collective->event, self->groups->len - 1 };
  add_count (group, collective->process, 1);
  g_array_append_val (self->calls, call);
  return TRUE;
}

gboolean
tt_calls_are_equal (GHashTable *counts)
{
  GHashTableIter iter;
  gpointer count, first = NULL;

  g_hash_table_iter_init (&iter, counts);
  while (g_hash_table_iter_next (&iter, NULL, &count))
    {
      if (first == NULL)
        first = count;
      if (count != first)
        return FALSE;
    }
  return g_hash_table_size (counts) > 1;
}

/* -- all ranks ----------------------------------------------------------------------------------------------------------- */

static void
say_groups (const Reader *self, GByteArray *bytes)
{
  GHashTableIter iter;
  gpointer process, count;

  tt_pack_number (bytes, self->host->len > 0);
  tt_pack_number (bytes, self->n_undecided);
  tt_pack_number (bytes, self->groups->len);
  for (guint i = 0; i < self->groups->len; i++)
    {
      const Group *group = &g_array_index (self->groups, Group, i);

      tt_pack_text (bytes, group->function);
      tt_pack_signed (bytes, group->comm);
      tt_pack_number (bytes, g_hash_table_size (group->counts));
      g_hash_table_iter_init (&iter, group->counts);
      while (g_hash_table_iter_next (&iter, &process, &count))
        {
          tt_pack_number (bytes, GPOINTER_TO_UINT (process));
          tt_pack_number (bytes, GPOINTER_TO_UINT (count));
        }
    }
}

/* On rank 0. */
typedef struct
{
  GArray *groups;   /* of Group, of all, those of two ranks that go on as one */
  GArray *of_ranks; /* of guint: which of these each of the ranks' groups is */
  guint n_ranks;
  TtEqualCalls *result;
  GByteArray *told;
} Sum;

static void
tell_groups (Sum *self)
{
  for (guint i = 0; i < self->groups->len; i++)
    {
      Group *group = &g_array_index (self->groups, Group, i);

      group->is_dropped = !tt_calls_are_equal (group->counts);
      *(group->is_dropped ? &self->result->n_dropped : &self->result->n_collectives) += group->n;
    }
  tt_pack_number (self->told, self->result->has_host_collectives != FALSE);
  tt_pack_number (self->told, self->of_ranks->len);
  for (guint i = 0; i < self->of_ranks->len; i++)
    tt_pack_number (self->told,
                    g_array_index (self->groups, Group, g_array_index (self->of_ranks, guint, i)).is_dropped != FALSE);
}

static gboolean
add_groups (guint rank, const GByteArray *said, gpointer data, GError **error)
{
  Sum *self = data;
  TtUnpack from = tt_unpack_all (said);

  self->result->has_host_collectives |= tt_unpack_below (&from, 1) != 0;
  self->result->n_dropped += tt_unpack_number (&from);
  const guint64 n = tt_unpack_below (&from, G_MAXUINT32);
  tt_pack_number (self->told, self->of_ranks->len);
  for (guint64 i = 0; i < n && !from.is_bad; i++)
    {
      const char *function = tt_unpack_text (&from);
      const gint64 comm = tt_unpack_signed (&from);
      Group *group = last_group (self->groups, function, comm);
      const guint number = self->groups->len - 1;
      const guint64 n_processes = tt_unpack_below (&from, G_MAXUINT32);

      g_array_append_val (self->of_ranks, number);
      for (guint64 k = 0; k < n_processes && !from.is_bad; k++)
        {
          const guint32 process = (guint32) tt_unpack_below (&from, G_MAXUINT32);
          add_count (group, process, (guint) tt_unpack_below (&from, G_MAXUINT32));
        }
    }
  if (from.is_bad)
    return tt_crew_refuse (rank, error);
  if (rank + 1 == self->n_ranks)
    tell_groups (self);
  return TRUE;
}

/* Where the groups of this rank begin among those that are told, then which are dropped. */
static gboolean
hear_groups (TtEqualCalls *self, Reader *reader, const TtCrew *crew, const GByteArray *told, gboolean *is_any)
{
  TtUnpack from = tt_unpack_all (told);
  guint64 base = 0;

  for (guint rank = 0; rank < crew->n; rank++)
    {
      const guint64 number = tt_unpack_below (&from, G_MAXUINT32);
      base = rank == crew->rank ? number : base;
    }
  self->has_host_collectives = tt_unpack_below (&from, 1) != 0;
  const guint64 n = tt_unpack_below (&from, G_MAXUINT32);
  *is_any = FALSE;
  for (guint64 i = 0; i < n && !from.is_bad; i++)
    {
      const gboolean is_dropped = tt_unpack_below (&from, 1) != 0;

      *is_any |= is_dropped;
      if (i >= base && i - base < reader->groups->len)
        g_array_index (reader->groups, Group, i - base).is_dropped = is_dropped;
    }
  return !from.is_bad;
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  return TT_COMPARE (*(const guint64 *) a, *(const guint64 *) b);
}

static void
give_dropped (const Reader *self, const TtWaitDeal *deal, GArray *dropped, GByteArray **bytes)
{
  g_auto (TtDealt) dealt = { NULL };

  tt_dealt_init (&dealt, deal->crew->n, sizeof (guint64));
  for (guint i = 0; i < self->calls->len; i++)
    {
      const Call *call = &g_array_index (self->calls, Call, i);

      if (g_array_index (self->groups, Group, call->group).is_dropped)
        g_array_append_val (dealt.of[tt_wait_deal_of_event (deal, call->event)], call->event);
    }
  tt_dealt_give (&dealt, deal->crew->rank, bytes, dropped);
}

static void
give_host_calls (const Reader *self, const TtWaitDeal *deal, GArray *transfers, GByteArray **bytes)
{
  g_auto (TtDealt) dealt = { NULL };

  tt_dealt_init (&dealt, deal->crew->n, sizeof (TtHostCall));
  for (guint i = 0; i < self->host->len; i++)
    {
      const TtHostCall *call = &g_array_index (self->host, TtHostCall, i);
      g_array_append_vals (dealt.of[tt_wait_deal_of_thread (deal, call->thread)], call, 1);
    }
  tt_dealt_give (&dealt, deal->crew->rank, bytes, transfers);
}

/* To who has the spans, and the threads. */
static gboolean
deal_calls (const Reader *self,
            const TtWaitDeal *deal,
            GArray *dropped,
            GArray *transfers,
            GByteArray **bytes,
            GError **error)
{
  give_dropped (self, deal, dropped, bytes);
  give_host_calls (self, deal, transfers, bytes);
  if (!deal->crew->exchange (bytes, error))
    return FALSE;
  for (guint rank = 0; rank < deal->crew->n; rank++)
    {
      TtUnpack from = tt_unpack_all (bytes[rank]);

      if (rank != deal->crew->rank && (!tt_dealt_take (&from, dropped) || !tt_dealt_take (&from, transfers)))
        return tt_dealt_refuse (error);
    }
  for (guint i = 0; i < transfers->len; i++)
    if (g_array_index (transfers, TtHostCall, i).thread >= self->n_threads)
      return tt_dealt_refuse (error);
  g_array_sort (dropped, compare_ids);
  return TRUE;
}

static gboolean
find (TtEqualCalls *self,
      Reader *reader,
      Sum *sum,
      const TtWaitDeal *deal,
      GArray *dropped,
      GArray *transfers,
      GError **error)
{
  g_autoptr (GByteArray) own = g_byte_array_new ();
  gboolean is_any;

  say_groups (reader, own);
  if (!tt_crew_meet (deal->crew, own, add_groups, sum, sum->told, error))
    return FALSE;
  if (!hear_groups (self, reader, deal->crew, sum->told, &is_any))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "what rank 0 says of calls cannot be right");
      return FALSE;
    }
  if (!is_any && !self->has_host_collectives)
    return TRUE;
  GByteArray **bytes = tt_crew_bytes_new (deal->crew);
  gboolean is_ok = deal_calls (reader, deal, dropped, transfers, bytes, error);
  tt_crew_bytes_free (deal->crew, bytes);
  return is_ok;
}

gboolean
tt_equal_calls_find (TtEqualCalls *self,
                     TtStore *store,
                     const TtWaitDeal *deal,
                     guint32 n_threads,
                     GArray *dropped,
                     GArray *transfers,
                     GError **error)
{
  g_autoptr (GArray) groups = g_array_new (FALSE, FALSE, sizeof (Group));
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Group));
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (Call));
  g_autoptr (GArray) host = g_array_new (FALSE, FALSE, sizeof (TtHostCall));
  g_autoptr (GArray) of_ranks = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GByteArray) told = g_byte_array_new ();
  Reader reader = { n_threads, groups, calls, host, 0 };
  Sum sum = { all, of_ranks, deal->crew->n, self, told };
  TtRowRange rows;

  *self = (TtEqualCalls){ 0 };
  g_array_set_clear_func (groups, group_clear);
  g_array_set_clear_func (all, group_clear);
  return tt_store_collective_share (store, deal->crew->n, deal->crew->rank, &rows, error) &&
         tt_store_each_collective_of (store, &rows, on_collective, &reader, error) &&
         find (self, &reader, &sum, deal, dropped, transfers, error);
}
