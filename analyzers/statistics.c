#include "config.h"

#include <string.h>

#include "analyzers/pass.h"
#include "analyzers/tally.h"
#include "src/error.h"

/* The tables behind `stats`: one row per process and name, and one per name.
 *
 * A fresh import is counted while it goes by. What that cannot hold in bounded memory (very many
 * names or groups) or judge without the calls around (two names with one text) is scanned afterwards. */

#define TALLY_BYTES ((gsize) 8 << 20)
#define MAX_NAMES 65536u
#define MAX_GROUPS 65536u

typedef struct
{
  guint32 process, name; /* process TT_NO_ID: over all */
} Group;

typedef struct
{
  gboolean has_given_up;
  GArray *processes;    /* guint32 by thread */
  GArray *first_names;  /* guint32 by name */
  GHashTable *by_text;  /* text and suffix -> first name */
  GHashTable *by_group; /* Group -> index + 1 */
  GArray *groups;       /* of Group; indexed by the groups of `long_names` */
  TtTally *long_names, *names;
} Observation;

/* -- writing ------------------------------------------------------------------------------------------- */

typedef struct
{
  TtTally *tally;
  const GArray *groups;   /* of Group, or NULL: then a group is process * stride + name */
  guint64 stride;
  guint32 first_process;
  GError *error;
} Rows;

static gboolean
next_row (TtStatistic *row, gpointer data)
{
  Rows *rows = data;
  TtTallyRow tallied;

  if (!tt_tally_next (rows->tally, &tallied, &rows->error))
    return FALSE;
  if (rows->groups != NULL)
    {
      const Group *group = &g_array_index (rows->groups, Group, tallied.group);
      row->process = group->process;
      row->name = group->name;
    }
  else
    {
      row->process = rows->first_process + (guint32) (tallied.group / rows->stride);
      row->name = (guint32) (tallied.group % rows->stride);
    }
  row->count = tallied.count;
  row->total_ns = tallied.total_ns;
  row->self_ns = tallied.self_ns;
  row->sum_ns = tallied.sum_ns;
  row->sum_sq = tallied.sum_sq;
  row->min_ns = tallied.min_ns;
  row->max_ns = tallied.max_ns;
  row->median_ns = tallied.median_ns;
  row->p95_ns = tallied.p95_ns;
  row->p99_ns = tallied.p99_ns;
  return TRUE;
}

static gboolean
write_rows (TtStoreImport *import, TtStatisticTable table, Rows *rows, GError **error)
{
  if (!tt_tally_finish (rows->tally, error) ||
      !tt_store_import_statistics (import, table, next_row, rows, error))
    {
      g_clear_error (&rows->error);
      return FALSE;
    }
  if (rows->error == NULL)
    return TRUE;
  g_propagate_error (error, rows->error);
  return FALSE;
}

/* -- observing ------------------------------------------------------------------------------------------- */

static guint
group_hash (gconstpointer data)
{
  const Group *group = data;

  return group->process * 2654435761u ^ group->name * 2246822519u;
}

static gboolean
group_equal (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (Group)) == 0;
}

static gpointer
prepare (void)
{
  Observation *self = g_new0 (Observation, 1);

  self->processes = g_array_new (FALSE, TRUE, sizeof (guint32));
  self->first_names = g_array_new (FALSE, TRUE, sizeof (guint32));
  self->by_text = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->by_group = g_hash_table_new_full (group_hash, group_equal, g_free, NULL);
  self->groups = g_array_new (FALSE, FALSE, sizeof (Group));
  self->long_names = tt_tally_new (TALLY_BYTES);
  self->names = tt_tally_new (TALLY_BYTES);
  return self;
}

static void
give_up (Observation *self)
{
  self->has_given_up = TRUE;
  g_hash_table_remove_all (self->by_text);
  g_hash_table_remove_all (self->by_group);
  g_clear_pointer (&self->long_names, tt_tally_free);
  g_clear_pointer (&self->names, tt_tally_free);
}

static void
release (gpointer prepared)
{
  Observation *self = prepared;

  give_up (self);
  g_array_unref (self->processes);
  g_array_unref (self->first_names);
  g_hash_table_unref (self->by_text);
  g_hash_table_unref (self->by_group);
  g_array_unref (self->groups);
  g_free (self);
}

static void
set_id (GArray *array, guint32 index, guint32 id)
{
  if (array->len <= index)
    g_array_set_size (array, index + 1);
  g_array_index (array, guint32, index) = id;
}

static guint32
get_id (const GArray *array, guint32 index)
{
  return index < array->len ? g_array_index (array, guint32, index) : 0;
}

static void
observe_definition (Observation *self, const TtDefinition *definition, const TtBatch *batch)
{
  const char *text, *suffix;

  if (definition->kind == TT_DEFINE_THREAD)
    set_id (self->processes, definition->id, definition->parent);
  if (definition->kind != TT_DEFINE_NAME)
    return;

  text = tt_batch_text (batch, definition->text[TT_NAME_TEXT]);
  suffix = tt_batch_text (batch, definition->text[TT_NAME_SUFFIX]);
  char *key = g_strconcat (text != NULL ? text : "", suffix != NULL ? "~>" : "", suffix, NULL);
  if (g_hash_table_contains (self->by_text, key) || g_hash_table_size (self->by_text) == MAX_NAMES)
    {
      g_free (key);
      give_up (self);
      return;
    }
  g_hash_table_insert (self->by_text, key, GUINT_TO_POINTER (definition->id));
  set_id (self->first_names, definition->id, definition->id);
}

/* Index of the group of a span; it makes a new one as long as there is room. */
static gboolean
find_group (Observation *self, guint32 process, guint32 name, guint32 *index)
{
  Group group = { process, name };
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_group, &group));

  if (found == 0)
    {
      if (self->groups->len == MAX_GROUPS)
        return FALSE;
      g_array_append_val (self->groups, group);
      found = self->groups->len;
      g_hash_table_insert (self->by_group, g_memdup2 (&group, sizeof group), GUINT_TO_POINTER (found));
    }
  *index = found - 1;
  return TRUE;
}

static void
observe (const TtBatch *batch, gpointer data)
{
  Observation *self = data;
  const TtEventColumns *events = &batch->events;
  guint32 last_thread = TT_NO_ID, last_name = TT_NO_ID, group = 0;

  for (guint i = 0; i < batch->definitions->len && !self->has_given_up; i++)
    observe_definition (self, &g_array_index (batch->definitions, TtDefinition, i), batch);
  if (self->has_given_up)
    return;
  for (guint i = 0; i < events->n; i++)
    {
      guint32 thread = events->thread[i], name = events->name[i];
      gint64 dur_ns = events->dur_ns[i];

      if (dur_ns == TT_NO_TIME)
        continue;
      if ((thread != last_thread || name != last_name) &&
          !find_group (self, get_id (self->processes, thread), name, &group))
        {
          give_up (self);
          return;
        }
      last_thread = thread;
      last_name = name;

      gint64 total_ns = events->flags[i] & TT_FLAG_RECURSIVE ? 0 : dur_ns;
      tt_tally_add (self->long_names, group, dur_ns, events->self_ns[i], total_ns);
      tt_tally_add (self->names, name, dur_ns, events->self_ns[i], total_ns);
    }
}

static gboolean
write_observed (TtStoreImport *import, Observation *self, TtStore *store, GError **error)
{
  Rows by_long_name = { .tally = self->long_names, .groups = self->groups };
  Rows by_name = { .tally = self->names, .stride = (guint64) tt_store_max_name (store) + 1 };

  return write_rows (import, TT_STATISTIC_BY_LONG_NAME, &by_long_name, error) &&
         write_rows (import, TT_STATISTIC_BY_NAME, &by_name, error);
}

/* -- scanning ------------------------------------------------------------------------------------------- */

typedef struct
{
  guint32 depth, name;
} Open;

typedef struct
{
  TtStore *store;
  guint32 *first_names; /* by name */
  guint8 *is_shared;    /* by name: another id has its text */
  gboolean any_shared;
  GHashTable *stacks; /* thread -> GArray of Open: open spans with shared texts */
} Scan;

static void
find_shared (Scan *self)
{
  guint32 max_name = tt_store_max_name (self->store);

  self->is_shared = g_new0 (guint8, (gsize) max_name + 1);
  for (guint32 name = 1; name <= max_name; name++)
    if (self->first_names[name] != name && self->first_names[name] != 0)
      {
        self->is_shared[name] = self->is_shared[self->first_names[name]] = 1;
        self->any_shared = TRUE;
      }
}

/* Whether a span of a shared text is inside another of it. Spans come before what they call. */
static gboolean
is_inside_same (Scan *self, const TtEvent *event, guint32 name)
{
  GArray *stack = g_hash_table_lookup (self->stacks, GUINT_TO_POINTER (event->thread));
  Open open = { event->depth, name };
  gboolean inside = FALSE;

  if (stack == NULL)
    {
      stack = g_array_new (FALSE, FALSE, sizeof (Open));
      g_hash_table_insert (self->stacks, GUINT_TO_POINTER (event->thread), stack);
    }
  while (stack->len > 0 && g_array_index (stack, Open, stack->len - 1).depth >= event->depth)
    g_array_set_size (stack, stack->len - 1);
  for (guint i = 0; i < stack->len && !inside; i++)
    inside = g_array_index (stack, Open, i).name == name;
  /* One entry a name is enough, which keeps the stack as short as the list of shared texts. */
  if (!inside)
    g_array_append_val (stack, open);
  return inside;
}

/* Adds the spans of processes [first, first + n) to @long_names, all of them to @names if not NULL. */
static gboolean
scan_processes (Scan *self, guint32 first, guint32 n, TtTally *long_names, TtTally *names, GError **error)
{
  guint32 stride = tt_store_max_name (self->store) + 1;
  TtEventScan *scan =
      tt_event_scan_new (self->store, self->any_shared ? TT_SCAN_REVERSE : TT_SCAN_DEFAULT, error);
  TtEvent event;
  guint64 n_seen = 0;

  if (scan == NULL)
    return FALSE;
  g_hash_table_remove_all (self->stacks);
  while (tt_event_scan_next (scan, &event))
    {
      const TtThread *thread = tt_store_thread (self->store, event.thread);
      guint32 name = event.name < stride ? self->first_names[event.name] : 0;

      if ((++n_seen & 0xfffff) == 0 && tt_cancelled (error))
        {
          tt_event_scan_finish (scan, NULL);
          return FALSE;
        }
      if (event.dur_ns == TT_NO_TIME || thread == NULL || name == 0)
        continue;
      gboolean inside = (event.flags & TT_FLAG_RECURSIVE) != 0;
      if (self->any_shared && self->is_shared[event.name])
        inside = is_inside_same (self, &event, name) || inside;
      gint64 total_ns = inside ? 0 : event.dur_ns;
      if (thread->process - first < n)
        tt_tally_add (long_names, (thread->process - first) * stride + name, event.dur_ns, event.self_ns, total_ns);
      if (names != NULL)
        tt_tally_add (names, name, event.dur_ns, event.self_ns, total_ns);
    }
  return tt_event_scan_finish (scan, error);
}

typedef struct
{
  Scan *scan;
  TtTally *tally;
  Rows rows;
  guint32 next_process, last_process, n_per_scan;
  TtTally *names;
  GError *error;
} Chunks;

/* Rows of one chunk of processes after the other: as many as fit the numbers of groups. */
static gboolean
next_of_chunks (TtStatistic *row, gpointer data)
{
  Chunks *self = data;

  for (;;)
    {
      if (self->tally != NULL && next_row (row, &self->rows))
        return TRUE;
      g_clear_pointer (&self->tally, tt_tally_free);
      if (self->rows.error != NULL || self->error != NULL || self->next_process > self->last_process)
        return FALSE;

      self->tally = tt_tally_new (TALLY_BYTES);
      self->rows.tally = self->tally;
      self->rows.first_process = self->next_process;
      if (!scan_processes (self->scan, self->next_process, self->n_per_scan, self->tally, self->names, &self->error) ||
          !tt_tally_finish (self->tally, &self->error))
        return FALSE;
      self->names = NULL;
      if (self->n_per_scan > self->last_process - self->next_process)
        self->last_process = 0;
      self->next_process += self->n_per_scan;
    }
}

static gboolean
write_scanned (TtStoreImport *import, Scan *scan, GError **error)
{
  guint64 stride = (guint64) tt_store_max_name (scan->store) + 1;
  g_autoptr (TtTally) names = tt_tally_new (TALLY_BYTES);
  guint n;
  const TtProcess *processes = tt_store_processes (scan->store, &n);
  Chunks chunks = {
    .scan = scan,
    .rows = { .stride = stride },
    .next_process = n > 0 ? processes[0].id : 1,
    .last_process = tt_store_max_process (scan->store),
    .n_per_scan = (guint32) (((guint64) 1 << 32) / stride),
    .names = names,
  };

  if (!tt_store_import_statistics (import, TT_STATISTIC_BY_LONG_NAME, next_of_chunks, &chunks, error))
    {
      g_clear_pointer (&chunks.tally, tt_tally_free);
      g_clear_error (&chunks.error);
      g_clear_error (&chunks.rows.error);
      return FALSE;
    }
  GError *failure = chunks.error != NULL ? chunks.error : chunks.rows.error;
  if (failure != NULL)
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  Rows by_name = { .tally = names, .stride = stride };
  return write_rows (import, TT_STATISTIC_BY_NAME, &by_name, error);
}

static void
free_stack (gpointer stack)
{
  g_array_unref (stack);
}

static gboolean
scan_all (TtStoreImport *import, TtStore *store, GError **error)
{
  Scan scan = { .store = store, .first_names = tt_store_first_names (store, error) };

  if (scan.first_names == NULL)
    return FALSE;
  scan.stacks = g_hash_table_new_full (NULL, NULL, NULL, free_stack);
  find_shared (&scan);
  gboolean done = write_scanned (import, &scan, error);
  g_hash_table_unref (scan.stacks);
  g_free (scan.first_names);
  g_free (scan.is_shared);
  return done;
}

static gboolean
run (TtStoreImport *import, gpointer prepared, GError **error)
{
  Observation *observed = prepared;
  TtStore *store = tt_store_import_store (import);

  if (store == NULL)
    {
      g_set_error_literal (error, TT_ERROR, TT_ERROR_STORE, "cannot read the database while it is written");
      return FALSE;
    }
  if (observed != NULL && !observed->has_given_up)
    return write_observed (import, observed, store, error);
  return scan_all (import, store, error);
}

static const char *const reads[] = { "event", NULL };
static const char *const writes[] = { "statistic", NULL };

const TtPass tt_pass_statistics = {
  .name = "statistics",
  .summary = "count, total, self time and quantiles per name",
  .reads = reads,
  .writes = writes,
  .run = run,
  .prepare = prepare,
  .observe = observe,
  .release = release,
};
