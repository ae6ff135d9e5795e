/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/comparison/comparison.h"

#include "analyzers/comparison/welch.h"
#include "analyzers/statistics/event-stats.h"
#include "src/base/error.h"

#include <math.h>
#include <string.h>

typedef struct
{
  GHashTable *by_key; /* text -> index + 1 */
  GPtrArray *groups;  /* of TtComparedGroup */
  GArray *pairs;      /* of TtComparedPair; NULL: not yet asked for */
} Table;

struct _TtComparison
{
  TtComparisonRequest request;
  guint n_runs; /* so far */
  TtComparedRun *runs;
  Table tables[TT_N_COMPARED];
  GHashTable *lone_ranks; /* char *, borrowed from the groups */
};

static void
group_free (gpointer data)
{
  TtComparedGroup *group = data;

  for (guint i = 0; i < group->n_labels; i++)
    g_free (group->labels[i]);
  g_free (group->labels);
  g_free (group->of_run);
  g_free (group);
}

TtComparison *
tt_comparison_new (const TtComparisonRequest *request)
{
  TtComparison *self = g_new0 (TtComparison, 1);

  self->request = *request;
  self->runs = g_new0 (TtComparedRun, request->n_runs);
  for (guint kind = 0; kind < TT_N_COMPARED; kind++)
    {
      self->tables[kind].by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      self->tables[kind].groups = g_ptr_array_new_with_free_func (group_free);
    }
  return self;
}

void
tt_comparison_free (TtComparison *self)
{
  if (self == NULL)
    return;
  for (guint kind = 0; kind < TT_N_COMPARED; kind++)
    {
      g_hash_table_unref (self->tables[kind].by_key);
      g_ptr_array_unref (self->tables[kind].groups);
      g_clear_pointer (&self->tables[kind].pairs, g_array_unref);
    }
  g_clear_pointer (&self->lone_ranks, g_hash_table_unref);
  g_free (self->runs);
  g_free (self);
}

/* -- groups ----------------------------------------------------------------------------------------------------- */

/* Takes the texts of @labels. */
static TtComparedGroup *
find_group (Table *table, char **labels, guint n_labels, guint n_runs)
{
  g_autoptr (GString) key = g_string_new (NULL);

  for (guint i = 0; i < n_labels; i++)
    if (labels[i] != NULL)
      g_string_append_printf (key, "%zu:%s", strlen (labels[i]), labels[i]);
    else
      g_string_append_c (key, '-');

  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (table->by_key, key->str));
  if (found > 0)
    {
      for (guint i = 0; i < n_labels; i++)
        g_free (labels[i]);
      return g_ptr_array_index (table->groups, found - 1);
    }

  TtComparedGroup *group = g_new0 (TtComparedGroup, 1);
  group->labels = g_memdup2 (labels, n_labels * sizeof *labels);
  group->n_labels = n_labels;
  group->of_run = g_new0 (TtComparedSums, n_runs);
  g_ptr_array_add (table->groups, group);
  g_hash_table_insert (table->by_key, g_string_free (g_steal_pointer (&key), FALSE),
                       GUINT_TO_POINTER (table->groups->len));
  return group;
}

static void
add_sums (TtComparedSums *self, const TtTallyRow *row)
{
  self->count += row->count;
  self->total_ns += row->total_ns;
  self->self_ns += row->self_ns;
  self->sum_ns += row->sum_ns;
  self->sum_sq = self->sum_sq > ~(tt_uint128) 0 - row->sum_sq ? ~(tt_uint128) 0 : self->sum_sq + row->sum_sq;
}

/* Counts of a damaged database may be anything. No trace has so many spans, and as many rows as fit into memory add up
 * to nothing that does not fit. */
#define MAX_SPANS (G_GUINT64_CONSTANT (1) << 40)

static gboolean
check_count (const TtStore *store, const TtTallyRow *row, GError **error)
{
  if (row->count > 0 && row->count <= MAX_SPANS)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_STORE,
               "'%s' is damaged: its statistics count %" G_GINT64_FORMAT
               " spans of one name; see 'tracetool info --check'",
               tt_store_shown (store), (gint64) row->count);
  return FALSE;
}

/* -- reading a run ---------------------------------------------------------------------------------------------- */

static const char *
rank_of (TtStore *store, guint32 process)
{
  const TtProcess *found = tt_store_process (store, process);

  return found == NULL ? NULL : found->rank_name;
}

static gboolean
is_name (TtGroupKey key)
{
  return key == TT_KEY_NAME || key == TT_KEY_OP_NAME || key == TT_KEY_OP_LONG_NAME;
}

/* Each name of a path. */
static char *
map_path (const TtComparison *self, const char *path)
{
  g_auto (GStrv) names = g_strsplit (path, " => ", -1);

  for (char **name = names; *name != NULL; name++)
    {
      g_autofree char *old = *name;
      *name = tt_op_mapping_apply (self->request.mapping, old);
    }
  return g_strjoinv (" => ", names);
}

static char *
label_of (const TtComparison *self, const TtEventStats *stats, const TtEventStatsRow *row, guint k)
{
  char *label = tt_event_stats_label (stats, row, k);
  gboolean is_path = stats->keys.key[k] == TT_KEY_PATH;

  if (label == NULL || self->request.mapping == NULL || !(is_path || is_name (stats->keys.key[k])))
    return label;
  g_autofree char *old = label;
  return is_path ? map_path (self, old) : tt_op_mapping_apply (self->request.mapping, old);
}

/* Of a name that is in many processes the group is looked up once. */
typedef struct
{
  GHashTable *by_name; /* guint32 -> TtComparedGroup */
  gboolean is_used;
} NameCache;

static TtComparedGroup *
operation_of (TtComparison *self, const TtEventStats *stats, const TtEventStatsRow *row, NameCache *cache)
{
  const TtComparisonRequest *request = &self->request;
  gpointer name = GUINT_TO_POINTER (row->member.name);
  TtComparedGroup *group = cache->is_used ? g_hash_table_lookup (cache->by_name, name) : NULL;
  char *labels[TT_N_KEYS + 1];
  guint n = 0;

  if (group != NULL)
    return group;
  for (; n < request->keys.n; n++)
    labels[n] = label_of (self, stats, row, n);
  if (request->per_rank)
    labels[n++] = g_strdup (rank_of (stats->store, row->process));
  group = find_group (&self->tables[TT_COMPARED_OPERATIONS], labels, n, request->n_runs);
  if (cache->is_used)
    g_hash_table_insert (cache->by_name, name, group);
  return group;
}

static gboolean
add_operations (TtComparison *self, const TtEventStats *stats, GError **error)
{
  const TtComparisonRequest *request = &self->request;
  g_autoptr (GHashTable) by_name = g_hash_table_new (NULL, NULL);
  NameCache cache = { by_name, tt_group_keys_is (&request->keys, TT_KEY_NAME) && !request->per_rank };

  for (guint i = 0; i < stats->rows->len; i++)
    {
      const TtEventStatsRow *row = &g_array_index (stats->rows, TtEventStatsRow, i);

      if (!check_count (stats->store, &row->sums, error))
        return FALSE;
      add_sums (&operation_of (self, stats, row, &cache)->of_run[self->n_runs], &row->sums);
    }
  return TRUE;
}

static gboolean
add_summaries (TtComparison *self, const TtEventStats *stats, GError **error)
{
  for (guint i = 0; i < stats->rows->len; i++)
    {
      const TtEventStatsRow *row = &g_array_index (stats->rows, TtEventStatsRow, i);
      const TtStoredName *name = tt_store_peek_name (stats->store, row->member.name);
      char *category = name == NULL ? NULL : g_strdup (name->op_cat);
      char *rank = g_strdup (rank_of (stats->store, row->process));
      TtComparedGroup *of_category, *of_rank;

      of_category = find_group (&self->tables[TT_COMPARED_CATEGORIES], &category, 1, self->request.n_runs);
      of_rank = find_group (&self->tables[TT_COMPARED_RANKS], &rank, 1, self->request.n_runs);
      if (!check_count (stats->store, &row->sums, error))
        return FALSE;
      add_sums (&of_category->of_run[self->n_runs], &row->sums);
      add_sums (&of_rank->of_run[self->n_runs], &row->sums);
      self->runs[self->n_runs].self_ns += row->sums.self_ns;
      self->runs[self->n_runs].n_spans += row->sums.count;
    }
  return TRUE;
}

/* By process, so that ranks can be told. Nesting is within a thread: sums of processes are those of the run. */
static TtEventStats *
count_spans (const TtComparison *self, TtStore *store, TtSelection *selection, const TtGroupKeys *keys, GError **error)
{
  TtEventStatsRequest request = {
    .keys = *keys, .selection = selection, .metric = TT_NO_ID, .crew = self->request.crew, .is_one_of_many = TRUE
  };

  if (!tt_group_keys_has (keys, TT_KEY_PID) && !tt_group_keys_has (keys, TT_KEY_OP_LONG_NAME))
    request.keys.key[request.keys.n++] = TT_KEY_PID;
  return tt_event_stats_new (store, &request, error);
}

static gboolean
find_length (TtComparedRun *run, TtStore *store, GError **error)
{
  g_autoptr (GError) failure = NULL;
  gint64 first_ns, last_ns;

  run->has_time = tt_store_main_range (store, &first_ns, &last_ns, &failure);
  if (failure != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  if (run->has_time && __builtin_sub_overflow (last_ns, first_ns, &run->length_ns))
    run->length_ns = G_MAXINT64;
  return TRUE;
}

gboolean
tt_comparison_add (TtComparison *self, TtStore *store, TtSelection *selection, GError **error)
{
  const TtGroupKeys names = { .n = 1, .key = { TT_KEY_NAME } };

  g_return_val_if_fail (self->n_runs < self->request.n_runs, FALSE);

  g_autoptr (TtEventStats) by_name = count_spans (self, store, selection, &names, error);
  if (by_name == NULL || !add_summaries (self, by_name, error) ||
      !find_length (&self->runs[self->n_runs], store, error))
    return FALSE;
  if (tt_group_keys_is (&self->request.keys, TT_KEY_NAME))
    {
      if (!add_operations (self, by_name, error))
        return FALSE;
    }
  else
    {
      g_autoptr (TtEventStats) stats = count_spans (self, store, selection, &self->request.keys, error);
      if (stats == NULL || !add_operations (self, stats, error))
        return FALSE;
    }
  self->n_runs++;
  return TRUE;
}

/* -- pairs ------------------------------------------------------------------------------------------------------ */

static GHashTable *
find_lone_ranks (const TtComparison *self)
{
  GHashTable *lone = g_hash_table_new (g_str_hash, g_str_equal);
  const GPtrArray *ranks = self->tables[TT_COMPARED_RANKS].groups;

  for (guint i = 0; i < ranks->len; i++)
    {
      const TtComparedGroup *rank = g_ptr_array_index (ranks, i);

      for (guint run = 0; run < self->n_runs; run++)
        if (rank->of_run[run].count == 0 && rank->labels[0] != NULL)
          g_hash_table_add (lone, rank->labels[0]);
    }
  return lone;
}

static gboolean
is_left_out (const TtComparison *self, TtComparedKind kind, const TtComparedGroup *group)
{
  return kind == TT_COMPARED_OPERATIONS && self->request.per_rank &&
         (group->labels[group->n_labels - 1] == NULL ||
          g_hash_table_contains (self->lone_ranks, group->labels[group->n_labels - 1]));
}

/* Of categories and ranks only the self time is known: their names nest in each other. */
static TtChange
change_of (const TtComparedSums *a, const TtComparedSums *b, TtComparedKind kind)
{
  if (a->count == 0)
    return TT_CHANGE_NEW;
  if (b->count == 0)
    return TT_CHANGE_GONE;
  if (a->self_ns != b->self_ns)
    return TT_CHANGE_CHANGED;
  return kind != TT_COMPARED_OPERATIONS || (a->count == b->count && a->total_ns == b->total_ns &&
                                            a->sum_ns == b->sum_ns && a->sum_sq == b->sum_sq)
             ? TT_CHANGE_SAME
             : TT_CHANGE_CHANGED;
}

static TtSample
sample_of (const TtComparedSums *sums)
{
  return (TtSample){ sums->count, sums->sum_ns, sums->sum_sq };
}

static void
add_pairs (GArray *pairs, TtComparedKind kind, const TtComparedGroup *group, guint n_runs)
{
  const TtComparedSums *a = &group->of_run[0];

  for (guint run = 1; run < n_runs; run++)
    {
      const TtComparedSums *b = &group->of_run[run];
      TtComparedPair pair = { .group = group, .run = run, .p = NAN };

      if (a->count == 0 && b->count == 0)
        continue;
      pair.change = change_of (a, b, kind);
      if (kind == TT_COMPARED_OPERATIONS)
        {
          TtSample before = sample_of (a), after = sample_of (b);
          pair.p = tt_welch_p (&before, &after);
        }
      g_array_append_val (pairs, pair);
    }
}

const GArray *
tt_comparison_pairs (TtComparison *self, TtComparedKind kind)
{
  Table *table = &self->tables[kind];

  g_return_val_if_fail (self->n_runs == self->request.n_runs, NULL);

  if (self->lone_ranks == NULL)
    self->lone_ranks = find_lone_ranks (self);
  if (table->pairs != NULL)
    return table->pairs;
  table->pairs = g_array_new (FALSE, FALSE, sizeof (TtComparedPair));
  for (guint i = 0; i < table->groups->len; i++)
    {
      const TtComparedGroup *group = g_ptr_array_index (table->groups, i);

      if (!is_left_out (self, kind, group))
        add_pairs (table->pairs, kind, group, self->n_runs);
    }
  return table->pairs;
}

guint
tt_comparison_n_runs (const TtComparison *self)
{
  return self->n_runs;
}

const TtComparedRun *
tt_comparison_run (const TtComparison *self, guint run)
{
  return &self->runs[run];
}

guint
tt_comparison_n_lone_ranks (const TtComparison *self)
{
  return self->lone_ranks == NULL ? 0 : g_hash_table_size (self->lone_ranks);
}

/* -- numbers ---------------------------------------------------------------------------------------------------- */

tt_int128
tt_compared_growth (const TtComparedPair *self)
{
  return tt_compared_sums (self, FALSE)->self_ns - tt_compared_sums (self, TRUE)->self_ns;
}

double
tt_percent_change (tt_int128 before, tt_int128 after)
{
  return before <= 0 ? NAN : 100.0 * (double) (after - before) / (double) before;
}

double
tt_compared_mean (const TtComparedSums *self)
{
  return self->count == 0 ? NAN : (double) self->sum_ns / (double) self->count;
}

double
tt_compared_mean_growth (const TtComparedPair *self)
{
  TtSample before = sample_of (tt_compared_sums (self, TRUE)), after = sample_of (tt_compared_sums (self, FALSE));

  return before.count == 0 || after.count == 0 ? NAN : tt_difference_of_means (&before, &after);
}
