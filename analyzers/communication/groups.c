/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/communication/groups.h"

#include <string.h>

#include "src/base/map64.h"
#include "src/base/sorter.h"

#define SORT_MEMORY ((gsize) 16 << 20)
#define MAX_RANKS (1u << 24)
/* Spans of one rank with one sequence number. */
#define SEQUENCE_SHIFT 16

/* A span that tells of a call. Sorted by row, rank and role, then by sequence or time; later by row and call. */
typedef struct
{
  guint64 where, when;
  gint64 dur_ns, bytes_in, bytes_out;
  guint32 rank, role;
  guint32 row, has_sequence;
  guint64 name;
} Told;

#define WHERE(row, rank, role) ((guint64) (row) << 32 | (guint64) (rank) << 4 | (role))

typedef struct
{
  TtStore *store;
  const TtSelection *selection;
  TtCollectiveReader reader;
  TtCommGroups *groups;
  guint8 *may_tell; /* by name: whether it is worth a look */
  TtSorter *told, *calls;
  GHashTable *by_key;   /* text of group, members and function -> row + 1 */
  GHashTable *by_group; /* name of a group -> its number, from 1 */
  GArray *group_of;     /* of guint32: number of the group of a row. Records on the host may not list the members. */
  TtMap64 ranks;        /* rank of the source, or that of a source without -> number */
  guint32 n_ranks;
  TtMap64 roles;        /* group, rank -> highest role on a device */
  TtMap64 rank_roles;   /* rank -> that, of all groups; 4 added: there is work without a group */
  TtMap64 ranks_of_row; /* row, rank -> 1 */
  TtCollectiveFacts facts;
  TtCommCallFunc on_call; /* NULL: nobody asks */
  gpointer call_data;
} Collector;

#define HAS_NAMELESS_WORK 4u

static void
collector_clear (Collector *self)
{
  g_free (self->may_tell);
  g_clear_pointer (&self->told, tt_sorter_free);
  g_clear_pointer (&self->calls, tt_sorter_free);
  g_hash_table_unref (self->by_key);
  g_hash_table_unref (self->by_group);
  g_array_unref (self->group_of);
  tt_map64_clear (&self->ranks);
  tt_map64_clear (&self->roles);
  tt_map64_clear (&self->rank_roles);
  tt_map64_clear (&self->ranks_of_row);
  tt_collective_facts_clear (&self->facts);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Collector, collector_clear)

/* -- names ------------------------------------------------------------------------------------------------ */

static const char *
or_empty (const char *text)
{
  return text != NULL ? text : "";
}

static void
read_facts (Collector *self, const TtStoredName *name, const char *args, gsize args_len)
{
  self->reader (or_empty (name->op_cat), or_empty (name->group), or_empty (name->raw), name->sub_op, args, args_len,
                &self->facts);
}

/* A record may tell of a collective in its arguments only. */
static gboolean
note_name (const TtStoredName *name, gpointer data)
{
  Collector *self = data;

  self->may_tell[name->id] = g_strcmp0 (name->op_cat, "Comm") == 0 || g_strcmp0 (name->op_cat, "SYNC") == 0;
  if (self->may_tell[name->id])
    {
      read_facts (self, name, NULL, 0);
      self->may_tell[name->id] =
          self->facts.role != TT_COLLECTIVE_NONE || g_strcmp0 (name->raw, "record_param_comms") == 0;
    }
  return TRUE;
}

static gboolean
find_names (Collector *self, gboolean *is_any, GError **error)
{
  guint32 n = tt_store_max_name (self->store) + 1;

  self->may_tell = g_new0 (guint8, n);
  if (!tt_store_each_name (self->store, note_name, self, error))
    return FALSE;
  *is_any = memchr (self->may_tell, TRUE, n) != NULL;
  return TRUE;
}

/* -- rows ------------------------------------------------------------------------------------------------- */

/* From 1; 0: there are too many. */
static guint32
find_rank (Collector *self, const TtEvent *event)
{
  const TtThread *thread = tt_store_thread (self->store, event->thread);
  const TtProcess *process = thread == NULL ? NULL : tt_store_process (self->store, thread->process);
  gboolean is_known = process != NULL && process->rank >= 0;
  guint64 key = is_known ? (guint64) process->rank << 1 | 1 : (guint64) event->source << 1;
  guint32 number = tt_map64_get (&self->ranks, key);

  if (number != TT_MAP64_NONE)
    return number;
  if (self->n_ranks >= MAX_RANKS)
    return 0;
  tt_map64_set (&self->ranks, key, ++self->n_ranks);
  return self->n_ranks;
}

static guint32
number_in (GHashTable *table, char *key)
{
  guint32 number = GPOINTER_TO_UINT (g_hash_table_lookup (table, key));

  if (number == 0)
    {
      number = g_hash_table_size (table) + 1;
      g_hash_table_insert (table, key, GUINT_TO_POINTER (number));
    }
  else
    g_free (key);
  return number;
}

/* Index of the row of the facts; G_MAXUINT32: there are too many. */
static guint32
find_row (Collector *self)
{
  const TtCollectiveFacts *facts = &self->facts;
  GArray *rows = self->groups->rows;
  g_autofree char *key =
      g_strdup_printf ("%s\x1f%" G_GINT64_MODIFIER "x\x1f%s", facts->group->str, facts->members, facts->function->str);

  if (rows->len >= TT_COMM_MAX_GROUPS && !g_hash_table_contains (self->by_key, key))
    return G_MAXUINT32;
  guint32 row = number_in (self->by_key, g_steal_pointer (&key)) - 1;
  if (row == rows->len)
    {
      const TtCommGroup fresh = { .group = g_strdup (facts->group->str),
                                  .description = g_strdup (facts->description->str),
                                  .function = g_strdup (facts->function->str),
                                  .members_text = g_strdup (facts->ranks->str),
                                  .members = facts->members };
      guint32 number = number_in (self->by_group, g_strdup (facts->group->str));
      g_array_append_val (rows, fresh);
      g_array_append_val (self->group_of, number);
    }
  TtCommGroup *found = &g_array_index (rows, TtCommGroup, row);
  found->size = MAX (found->size, facts->group_size);
  return row;
}

/* -- spans ------------------------------------------------------------------------------------------------ */

static guint32
get_role (const TtMap64 *roles, guint64 key)
{
  guint32 role = tt_map64_get (roles, key);

  return role == TT_MAP64_NONE ? 0 : role;
}

static guint64
group_and_rank (const Collector *self, guint32 row, guint32 rank)
{
  return (guint64) g_array_index (self->group_of, guint32, row) << 32 | rank;
}

static void
note_role (Collector *self, guint32 row, guint32 rank)
{
  guint32 role = self->facts.role, of_rank = get_role (&self->rank_roles, rank);
  guint64 key = group_and_rank (self, row, rank);

  if (role == TT_COLLECTIVE_HOST_WORK)
    return;
  tt_map64_set (&self->roles, key, MAX (get_role (&self->roles, key), role));
  gboolean is_nameless = role == TT_COLLECTIVE_WORK && self->facts.group->len == 0;
  tt_map64_set (&self->rank_roles, rank,
                MAX (of_rank & ~HAS_NAMELESS_WORK, role) | (of_rank & HAS_NAMELESS_WORK) |
                    (is_nameless ? HAS_NAMELESS_WORK : 0));
}

static void
add_span (Collector *self, const TtEvent *event)
{
  const TtStoredName *name = tt_store_name (self->store, event->name);
  const TtCollectiveFacts *facts = &self->facts;

  read_facts (self, name, event->args, event->args_len);
  if (facts->role == TT_COLLECTIVE_NONE)
    return;
  guint32 rank = find_rank (self, event);
  guint32 row = rank == 0 ? G_MAXUINT32 : find_row (self);
  if (row == G_MAXUINT32)
    {
      self->groups->n_left_out++;
      return;
    }
  note_role (self, row, rank);
  Told *told = tt_sorter_add (self->told);
  *told = (Told){
    .where = WHERE (row, rank, facts->role),
    .when = facts->sequence >= 0 ? (guint64) facts->sequence : tt_sort_key (event->ts_ns),
    .dur_ns = event->dur_ns,
    .bytes_in = facts->bytes_in,
    .bytes_out = facts->bytes_out,
    .rank = rank,
    .role = facts->role,
    .row = row,
    .has_sequence = facts->sequence >= 0,
    .name = event->name,
  };
}

static gboolean
scan_spans (Collector *self, GError **error)
{
  TtEventScan *scan = tt_event_scan_new (self->store, TT_SCAN_ARGS, error);
  TtEvent event;

  if (scan == NULL)
    return FALSE;
  while (tt_event_scan_next (scan, &event))
    if (G_UNLIKELY (self->may_tell[event.name]) && event.dur_ns != TT_NO_TIME &&
        (self->selection == NULL || tt_selection_matches_point (self->selection, event.thread, event.ts_ns)))
      add_span (self, &event);
  return tt_event_scan_finish (scan, error) && tt_sorter_finish (self->told, error);
}

/* -- calls ------------------------------------------------------------------------------------------------ */

static gboolean
counts (const Collector *self, const Told *told)
{
  guint32 of_rank = get_role (&self->rank_roles, told->rank);

  switch ((TtCollectiveRole) told->role)
    {
    case TT_COLLECTIVE_MARK:
      return of_rank == TT_COLLECTIVE_MARK;
    case TT_COLLECTIVE_CALL:
      return (of_rank & HAS_NAMELESS_WORK) == 0 &&
             get_role (&self->roles, group_and_rank (self, told->row, told->rank)) == TT_COLLECTIVE_CALL;
    default:
      return told->role != TT_COLLECTIVE_NONE;
    }
}

static gboolean
is_joint (const TtCommGroup *row)
{
  return strcmp (row->function, "SEND") != 0 && strcmp (row->function, "RECV") != 0 &&
         strcmp (row->function, "SENDRECV") != 0;
}

/* Gives the spans of a rank their numbers, by which those of all ranks come together. */
static gboolean
number_calls (Collector *self, GError **error)
{
  g_autoptr (GError) failed = NULL;
  guint64 where = 0, when = 0, n = 0, n_same = 0;
  const Told *told;

  while ((told = tt_sorter_next (self->told, &failed)) != NULL)
    {
      if (!counts (self, told))
        continue;
      gboolean is_next = told->where == where && n > 0;
      n = is_next ? n + 1 : 1;
      n_same = is_next && told->when == when ? n_same + 1 : 0;
      where = told->where;
      when = told->when;

      Told *call = tt_sorter_add (self->calls);
      *call = *told;
      call->where = told->row;
      call->when = told->has_sequence ? when << SEQUENCE_SHIFT | MIN (n_same, (1u << SEQUENCE_SHIFT) - 1) : n;
      if (!is_joint (&g_array_index (self->groups->rows, TtCommGroup, told->row)))
        call->when = (guint64) told->rank << 40 | n;
      guint64 key = (guint64) told->row << 32 | told->rank;
      if (tt_map64_get (&self->ranks_of_row, key) == TT_MAP64_NONE)
        {
          tt_map64_set (&self->ranks_of_row, key, 1);
          g_array_index (self->groups->rows, TtCommGroup, told->row).n_ranks++;
        }
    }
  if (failed != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failed));
      return FALSE;
    }
  return tt_sorter_finish (self->calls, error);
}

/* The spans of one call so far. */
typedef struct
{
  guint64 where, when;
  gint64 bytes, shortest_ns;
  guint32 kernel; /* name of the shortest span; 0: none, or no work of a device */
  gboolean is_work;
  guint n;
} Call;

static void
end_call (Collector *self, Call *call)
{
  if (call->n == 0)
    return;
  TtCommGroup *row = &g_array_index (self->groups->rows, TtCommGroup, call->where);

  row->n_calls++;
  row->n_partial += is_joint (row) && call->n < row->n_ranks;
  if (call->bytes >= 0 && call->shortest_ns > 0)
    {
      row->timed_bytes += call->bytes;
      row->timed_ns += call->shortest_ns;
    }
  if (call->kernel != 0)
    tt_comm_kernels_add_call (self->groups->kernels, call->kernel, row->function, row->size, call->bytes,
                              call->shortest_ns);
  if (self->on_call != NULL && call->is_work)
    self->on_call (row->function, call->bytes, call->shortest_ns, self->call_data);
  call->n = 0;
}

/* What is transferred while the span lasts; -1: not known. A call on the host only asks a device for it. */
static gint64
size_of_call (const TtCommGroup *row, const Told *told)
{
  if (told->role < TT_COLLECTIVE_WORK)
    return -1;
  if (told->bytes_out < 0 && (strcmp (row->function, "ALLGATHER") == 0 || strcmp (row->function, "GATHER") == 0))
    return -1;
  return MAX (told->bytes_in, told->bytes_out);
}

static void
add_to_call (Collector *self, Call *call, const Told *told)
{
  TtCommGroup *row = &g_array_index (self->groups->rows, TtCommGroup, told->row);
  if (call->n == 0)
    *call = (Call){ .where = told->where, .when = told->when, .bytes = -1, .shortest_ns = G_MAXINT64 };
  call->n++;
  call->is_work |= told->role >= TT_COLLECTIVE_WORK;
  call->bytes = MAX (call->bytes, size_of_call (row, told));
  /* Of equals the first: their order is that of ranks. */
  if (told->dur_ns < call->shortest_ns)
    {
      call->shortest_ns = told->dur_ns;
      call->kernel = told->role == TT_COLLECTIVE_WORK ? (guint32) told->name : 0;
    }
  if (told->role == TT_COLLECTIVE_WORK)
    tt_comm_kernels_add_span (self->groups->kernels, (guint32) told->name, row->function, told->dur_ns);
  row->n_spans++;
  row->n_in += told->bytes_in >= 0;
  row->n_out += told->bytes_out >= 0;
  row->bytes_in += MAX (told->bytes_in, 0);
  row->bytes_out += MAX (told->bytes_out, 0);
  row->time_ns += told->dur_ns;
}

static gboolean
sum_calls (Collector *self, GError **error)
{
  g_autoptr (GError) failed = NULL;
  Call call = { 0 };
  const Told *told;

  while ((told = tt_sorter_next (self->calls, &failed)) != NULL)
    {
      if (told->where != call.where || told->when != call.when)
        end_call (self, &call);
      add_to_call (self, &call, told);
    }
  end_call (self, &call);
  if (failed == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failed));
  return FALSE;
}

/* -- public ----------------------------------------------------------------------------------------------- */

static TtCommGroups *
collect (TtStore *store,
         const TtSelection *selection,
         TtCollectiveReader reader,
         TtCommCallFunc on_call,
         gpointer call_data,
         GError **error)
{
  g_autoptr (TtCommGroups) groups = tt_comm_groups_new_empty ();
  gboolean is_any = FALSE;

  g_auto (Collector) self = {
    .store = store,
    .selection = selection,
    .reader = reader,
    .groups = groups,
    .told = tt_sorter_new (sizeof (Told), SORT_MEMORY),
    .calls = tt_sorter_new (sizeof (Told), SORT_MEMORY),
    .by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .by_group = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .group_of = g_array_new (FALSE, FALSE, sizeof (guint32)),
    .on_call = on_call,
    .call_data = call_data,
  };

  tt_collective_facts_init (&self.facts);
  if (!find_names (&self, &is_any, error))
    return NULL;
  if (is_any && (!scan_spans (&self, error) || !number_calls (&self, error) || !sum_calls (&self, error)))
    return NULL;
  tt_comm_groups_finish (groups);
  return g_steal_pointer (&groups);
}

TtCommGroups *
tt_comm_groups_new (TtStore *store, const TtSelection *selection, TtCollectiveReader reader, GError **error)
{
  return collect (store, selection, reader, NULL, NULL, error);
}

gboolean
tt_comm_each_call (TtStore *store,
                   const TtSelection *selection,
                   TtCollectiveReader reader,
                   TtCommCallFunc func,
                   gpointer data,
                   GError **error)
{
  g_autoptr (TtCommGroups) groups = collect (store, selection, reader, func, data, error);

  return groups != NULL;
}
