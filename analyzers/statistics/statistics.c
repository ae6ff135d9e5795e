/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/pass.h"
#include "analyzers/statistics/pair-tally.h"
#include "analyzers/statistics/rows.h"
#include "src/base/error.h"
#include "src/base/id-table.h"

/* The tables behind `stats`: one row per process and name, and one per name.
 *
 * A fresh import is counted while it goes by. What that cannot hold in bounded memory (very many
 * names or groups) or judge without the calls around (two names with one text; depths that the source tells) is scanned
 * afterwards. */

#define MAX_NAMES 65536u
#define MAX_GROUPS 65536u
/* Twice as many slots as groups. */
#define SLOT_BITS 17

typedef struct
{
  guint32 process, name;
} Group;

/* By hash. @part: the index of the group + 1; 0 = free. */
typedef struct
{
  Group group;
  guint32 part;
} Slot;

typedef struct
{
  gboolean has_given_up;
  gboolean may_share; /* two names may have one text and suffix */
  guint n_names;
  TtIdTable processes; /* guint32 by thread */
  GHashTable *by_text; /* text and suffix, of names whose text another with another suffix had first */
  Slot *slots;
  GArray *groups; /* of Group; the parts of the tally, whose wholes are names */
  TtPairTally *tally;
  GError *error; /* of finish() */
} Observation;

/* -- observing ------------------------------------------------------------------------------------------- */

static gpointer
prepare (void)
{
  Observation *self = g_new0 (Observation, 1);

  self->processes.row_size = sizeof (guint32);
  self->by_text = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->slots = g_new0 (Slot, 1u << SLOT_BITS);
  self->groups = g_array_new (FALSE, FALSE, sizeof (Group));
  self->tally = tt_pair_tally_new (TT_STATISTIC_BYTES);
  return self;
}

static void
give_up (Observation *self)
{
  self->has_given_up = TRUE;
  g_clear_pointer (&self->slots, g_free);
  g_clear_pointer (&self->tally, tt_pair_tally_free);
  g_clear_pointer (&self->groups, g_array_unref);
  tt_id_table_clear (&self->processes);
}

static void
release (gpointer prepared)
{
  Observation *self = prepared;

  give_up (self);
  g_clear_error (&self->error);
  g_hash_table_unref (self->by_text);
  g_free (self);
}

static guint32 *
process_of (Observation *self, guint32 thread)
{
  return tt_id_table_at (&self->processes, thread);
}

/* FALSE: it may have the text and suffix of another. */
static gboolean
is_alone (Observation *self, const TtDefinition *definition, const TtBatch *batch)
{
  if (definition->parent == TT_TEXT_IS_FIRST)
    return TRUE;
  if (definition->parent == TT_TEXT_IS_SHARED || g_hash_table_size (self->by_text) == MAX_NAMES)
    return FALSE;
  const char *text = tt_batch_text (batch, definition->text[TT_NAME_TEXT]);
  const char *suffix = tt_batch_text (batch, definition->text[TT_NAME_SUFFIX]);
  return g_hash_table_add (self->by_text,
                           g_strconcat (text != NULL ? text : "", suffix != NULL ? "~>" : "", suffix, NULL));
}

static void
observe_definition (Observation *self, const TtDefinition *definition, const TtBatch *batch)
{
  if (definition->kind == TT_DEFINE_THREAD && !self->has_given_up)
    *process_of (self, definition->id) = definition->parent;
  if (definition->kind != TT_DEFINE_NAME)
    return;
  if (!self->has_given_up && ++self->n_names > MAX_NAMES)
    give_up (self);
  if (self->may_share || is_alone (self, definition, batch))
    return;
  self->may_share = TRUE;
  g_hash_table_remove_all (self->by_text);
  give_up (self);
}

/* The part that a span of that group counts into; it makes a new one as long as there is room, else TT_NO_PART. */
static inline guint32
find_part (Observation *self, guint32 process, guint32 name)
{
  const guint64 key = (guint64) process << 32 | name;
  guint32 i = (guint32) ((key * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15)) >> (64 - SLOT_BITS));

  for (; self->slots[i].part != 0; i = (i + 1) & ((1u << SLOT_BITS) - 1))
    if (self->slots[i].group.process == process && self->slots[i].group.name == name)
      return self->slots[i].part - 1;
  if (self->groups->len == MAX_GROUPS)
    return TT_NO_PART;
  self->slots[i].group = (Group){ process, name };
  g_array_append_val (self->groups, self->slots[i].group);
  self->slots[i].part = self->groups->len;
  return self->groups->len - 1;
}

/* FALSE: there are too many groups. */
static gboolean
find_parts (Observation *self, const TtEventColumns *events, guint32 *part)
{
  for (guint i = 0; i < events->n; i++)
    {
      part[i] = TT_NO_PART;
      if (events->dur_ns[i] == TT_NO_TIME)
        continue;
      part[i] = find_part (self, *process_of (self, events->thread[i]), events->name[i]);
      if (G_UNLIKELY (part[i] == TT_NO_PART))
        return FALSE;
    }
  return TRUE;
}

static void
observe (const TtBatch *batch, gpointer data)
{
  Observation *self = data;
  const TtEventColumns *events = &batch->events;
  guint32 part[TT_BATCH_ROWS];

  for (guint i = 0; i < batch->definitions->len && !(self->has_given_up && self->may_share); i++)
    observe_definition (self, &g_array_index (batch->definitions, TtDefinition, i), batch);
  if (!self->has_given_up && (batch->tells_nesting || !find_parts (self, events, part)))
    give_up (self);
  if (!self->has_given_up)
    tt_pair_tally_add (
        self->tally, &(TtPairColumns){ part, events->name, events->flags, events->dur_ns, events->self_ns }, events->n);
}

static void
finish (gpointer prepared)
{
  Observation *self = prepared;

  if (!self->has_given_up && tt_id_table_check (&self->processes, &self->error))
    tt_pair_tally_finish (self->tally, &self->error);
}

/* -- writing --------------------------------------------------------------------------------------------- */

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const TtStatistic *x = a, *y = b;

  if (x->process != y->process)
    return x->process < y->process ? -1 : 1;
  return x->name < y->name ? -1 : x->name > y->name;
}

typedef struct
{
  GArray *rows;
  guint next;
} SortedRows;

static gboolean
next_sorted (TtStatistic *row, gpointer data, GError **error)
{
  SortedRows *sorted = data;

  if (sorted->next == sorted->rows->len)
    return FALSE;
  *row = g_array_index (sorted->rows, TtStatistic, sorted->next++);
  return TRUE;
}

/* @groups: of the rows; NULL: a row's index is its name. */
static GArray *
sort_rows (TtStore *store, const GArray *tallied, const GArray *groups)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (TtStatistic));

  for (guint i = 0; i < tallied->len; i++)
    {
      const TtTallyRow *from = &g_array_index (tallied, TtTallyRow, i);
      const Group *group = groups == NULL ? NULL : &g_array_index (groups, Group, i);

      if (from->count == 0)
        continue;
      TtStatistic row = {
        .process = group == NULL ? TT_NO_ID : tt_store_process_of_row (store, group->process),
        .name = tt_store_name_of_row (store, group == NULL ? i : group->name),
      };
      tt_statistic_set_tallied (&row, from);
      g_array_append_val (rows, row);
    }
  g_array_sort (rows, compare_rows);
  return rows;
}

static gboolean
write_observed (TtStoreImport *import, TtStore *store, Observation *self, GError **error)
{
  if (self->error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&self->error));
      return FALSE;
    }
  g_autoptr (GArray) long_names = sort_rows (store, tt_pair_tally_parts (self->tally), self->groups);
  g_autoptr (GArray) names = sort_rows (store, tt_pair_tally_wholes (self->tally), NULL);

  return tt_store_import_statistics (import, &(TtStatisticFeed){ next_sorted, &(SortedRows){ long_names, 0 } },
                                     &(TtStatisticFeed){ next_sorted, &(SortedRows){ names, 0 } }, error);
}

/* -- the pass ------------------------------------------------------------------------------------------- */

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
    return write_observed (import, store, observed, error);
  return tt_statistics_scan (import, store, observed == NULL || observed->may_share, error);
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
  .finish = finish,
  .release = release,
};
