/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/waits.h"

#include "src/base/compare.h"
#include "src/cli/run-facts.h"
#include "src/cli/tables/wait-doubt.h"
#include "src/cli/trust-marks.h"
#include "src/cli/words.h"

#include <string.h>

const char *const tt_wait_key_words[TT_N_WAIT_KEYS + 1] = {
  [TT_WAIT_BY_KIND] = "kind",
  [TT_WAIT_BY_NAME] = "name",
  [TT_WAIT_BY_RANK] = "rank",
  [TT_WAIT_BY_CAUSE] = "cause",
  [TT_WAIT_BY_CAUSE_NAME] = "cause_name",
  [TT_WAIT_BY_PATH] = "path",
  [TT_WAIT_BY_STEP] = "step",
  [TT_WAIT_BY_COMMUNICATOR] = "communicator",
  NULL,
};

typedef struct
{
  guint32 of[TT_N_WAIT_KEYS]; /* ids; 0 where groups are not by the key */
} Group;

typedef struct
{
  Group group;
  guint64 count, n_inferred;
  tt_int128 ns;
  gint64 max_ns;
} Row;

typedef struct
{
  TtStore *store;
  const TtWaits *waits;
  const TtWaitKeys *keys;
  const TtWaitPlaces *places; /* NULL: nobody asks */
  const TtWaitComms *comms;   /* the same */
  TtTrustMarks *marks;
  const guint32 *first_names; /* by name: of those with one text */
} Answer;

gboolean
tt_wait_keys_parse (TtWaitKeys *self, const char *text, GError **error)
{
  g_auto (GStrv) words = g_strsplit (text, ",", -1);

  self->n = 0;
  for (char **word = words; *word != NULL; word++)
    {
      guint key = 0, i = 0;

      if (!tt_word_choose ("key of --by", g_strstrip (*word), tt_wait_key_words, &key, error))
        return FALSE;
      while (i < self->n && self->key[i] != key)
        i++;
      self->key[i] = (TtWaitKey) key;
      self->n = MAX (self->n, i + 1);
    }
  return self->n > 0 || tt_word_choose ("key of --by", "", tt_wait_key_words, &(guint){ 0 }, error);
}

static gboolean
has_key (const TtWaitKeys *self, TtWaitKey key)
{
  for (guint i = 0; i < self->n; i++)
    if (self->key[i] == key)
      return TRUE;
  return FALSE;
}

/* -- columns --------------------------------------------------------------------------------------------------- */

enum
{
  ROW_TIME,
  ROW_COUNT,
  ROW_MAX,
};

static TtReportCell
row_sum (const TtReportField *self, const void *row, const void *context)
{
  const Row *of = row;

  return tt_cell_int (self->id == ROW_TIME ? of->ns : self->id == ROW_COUNT ? (tt_int128) of->count : of->max_ns);
}

static TtReportCell
row_percent (const TtReportField *self, const void *row, const void *context)
{
  const TtWaits *waits = ((const Answer *) context)->waits;

  return waits->time_ns == 0 ? tt_cell_empty ()
                             : tt_cell_real (100.0 * (double) ((const Row *) row)->ns / (double) waits->time_ns);
}

static TtReportCell
row_inferred (const TtReportField *self, const void *row, const void *context)
{
  const Row *of = row;

  return tt_cell_real (100.0 * (double) of->n_inferred / (double) of->count);
}

static TtReportCell
row_label (const TtReportField *self, const void *row, const void *context)
{
  const Answer *answer = context;
  guint32 id = ((const Row *) row)->group.of[self->id];
  const TtStoredName *name;
  const TtProcess *process;

  switch ((TtWaitKey) self->id)
    {
    case TT_WAIT_BY_KIND:
      return tt_cell_text (tt_wait_kind_text (id));
    case TT_WAIT_BY_NAME:
    case TT_WAIT_BY_CAUSE_NAME:
      name = id == TT_NO_ID ? NULL : tt_store_name (answer->store, id);
      return tt_cell_text (name == NULL ? NULL : name->text);
    case TT_WAIT_BY_RANK:
    case TT_WAIT_BY_CAUSE:
      process = tt_store_process (answer->store, id);
      return tt_cell_text (process == NULL ? NULL : process->rank_name);
    case TT_WAIT_BY_PATH:
      return tt_cell_take (tt_wait_places_path_text (answer->places, id));
    case TT_WAIT_BY_STEP:
      return tt_cell_take ((gint32) id == TT_NO_STEP ? NULL : g_strdup_printf ("%d", (gint32) id));
    case TT_WAIT_BY_COMMUNICATOR:
      return tt_cell_take (tt_wait_comms_text (answer->comms, id));
    case TT_N_WAIT_KEYS:
      break;
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static const TtReportField first_fields[] = {
  { TT_COLUMN_TIME, "Wait", "wait", row_sum, ROW_TIME },
  { TT_COLUMN_PERCENT, "Time %", "time_percent", row_percent },
  { TT_COLUMN_COUNT, "Count", "count", row_sum, ROW_COUNT },
  { TT_COLUMN_TIME, "Max", "max", row_sum, ROW_MAX },
};
static const TtReportField key_fields[TT_N_WAIT_KEYS] = {
  [TT_WAIT_BY_KIND] = { TT_COLUMN_WORD, "Kind", "kind", row_label, TT_WAIT_BY_KIND },
  [TT_WAIT_BY_NAME] = { TT_COLUMN_TEXT, "Name", "name", row_label, TT_WAIT_BY_NAME },
  [TT_WAIT_BY_RANK] = { TT_COLUMN_WORD, "Rank", "rank", row_label, TT_WAIT_BY_RANK },
  [TT_WAIT_BY_CAUSE] = { TT_COLUMN_WORD, "Cause", "cause", row_label, TT_WAIT_BY_CAUSE },
  [TT_WAIT_BY_CAUSE_NAME] = { TT_COLUMN_TEXT, "Cause name", "cause_name", row_label, TT_WAIT_BY_CAUSE_NAME },
  [TT_WAIT_BY_PATH] = { TT_COLUMN_TEXT, "Path", "path", row_label, TT_WAIT_BY_PATH },
  [TT_WAIT_BY_STEP] = { TT_COLUMN_WORD, "Step", "step", row_label, TT_WAIT_BY_STEP },
  [TT_WAIT_BY_COMMUNICATOR] = { TT_COLUMN_TEXT, "Communicator", "communicator", row_label, TT_WAIT_BY_COMMUNICATOR },
};
static const TtReportField last_fields[] = {
  { TT_COLUMN_PERCENT, "Inferred %", "inferred_percent", row_inferred },
};

/* -- rows -------------------------------------------------------------------------------------------------------- */

static guint32
rank_of (TtStore *store, guint32 thread)
{
  const TtThread *of = tt_store_thread (store, thread);
  const TtProcess *process = of == NULL ? NULL : tt_store_process (store, of->process);

  return process == NULL ? TT_NO_ID : process->owner;
}

static guint32
id_of (const Answer *answer, TtWaitKey key, guint number)
{
  const TtWait *wait = &g_array_index (answer->waits->waits, TtWait, number);

  switch (key)
    {
    case TT_WAIT_BY_KIND:
      return wait->kind;
    case TT_WAIT_BY_NAME:
      return answer->first_names[wait->name];
    case TT_WAIT_BY_CAUSE_NAME:
      return wait->from_name == TT_NO_ID ? TT_NO_ID : answer->first_names[wait->from_name];
    case TT_WAIT_BY_RANK:
      return rank_of (answer->store, wait->thread);
    case TT_WAIT_BY_CAUSE:
      return rank_of (answer->store, wait->from_thread);
    case TT_WAIT_BY_PATH:
      return tt_wait_places_get (answer->places, number).path;
    case TT_WAIT_BY_STEP:
      return (guint32) tt_wait_places_get (answer->places, number).step;
    case TT_WAIT_BY_COMMUNICATOR:
      return tt_wait_comms_get (answer->comms, number);
    case TT_N_WAIT_KEYS:
      break;
    }
  g_return_val_if_reached (0);
}

static guint
hash_group (gconstpointer key)
{
  const Group *group = key;
  guint hash = 0;

  for (guint i = 0; i < TT_N_WAIT_KEYS; i++)
    hash = (hash ^ group->of[i]) * 0x9e3779b1u ^ hash >> 15;
  return hash;
}

static gboolean
are_one_group (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (Group)) == 0;
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const Row *x = *(Row *const *) a, *y = *(Row *const *) b;

  if (x->ns != y->ns)
    return x->ns < y->ns ? 1 : -1;
  for (guint i = 0; i < TT_N_WAIT_KEYS; i++)
    if (x->group.of[i] != y->group.of[i])
      return TT_COMPARE (x->group.of[i], y->group.of[i]);
  return 0;
}

/* Of Row, the longest first. */
static GPtrArray *
sum_rows (const Answer *answer)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) known = g_hash_table_new (hash_group, are_one_group); /* the group is the row's first member */

  for (guint i = 0; i < answer->waits->waits->len; i++)
    {
      const TtWait *wait = &g_array_index (answer->waits->waits, TtWait, i);
      Group group = { { 0 } };

      for (guint k = 0; k < answer->keys->n; k++)
        group.of[answer->keys->key[k]] = id_of (answer, answer->keys->key[k], i);
      Row *row = g_hash_table_lookup (known, &group);
      if (row == NULL)
        {
          row = g_new0 (Row, 1);
          row->group = group;
          g_ptr_array_add (rows, row);
          g_hash_table_add (known, row);
        }
      row->count++;
      row->n_inferred += wait->is_inferred;
      row->ns += wait->end_ns - wait->begin_ns;
      row->max_ns = MAX (row->max_ns, wait->end_ns - wait->begin_ns);
    }
  g_ptr_array_sort (rows, compare_rows);
  return rows;
}

/* -- the table --------------------------------------------------------------------------------------------------- */

/* NULL: nothing was left out. Free it. */
static char *
unjudged_text (const TtWaitCounts *counts)
{
  const struct
  {
    guint64 n;
    const char *what;
  } parts[] = {
    { counts->n_halves, "messages without partner or span" },
    { counts->n_backward, "messages received before sent" },
    { counts->n_alone, "calls of one rank" },
    { counts->n_undecided, "calls of which it is not known who takes part" },
    { counts->n_unjudged, "calls of other functions" },
    { counts->n_early, "waits in calls that end before the last rank comes, cut there" },
  };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i].n > 0)
      g_string_append_printf (text, "%s%" G_GUINT64_FORMAT " %s", text->len == 0 ? "not judged: " : ",\n  ", parts[i].n,
                              parts[i].what);
  return g_string_free (text, text->len == 0);
}

/* "12.1 % of the time of 4 ranks is waiting: 1.2 s in 420 waits". Free it. */
static char *
heading_of (TtStore *store, const TtWaits *waits)
{
  g_autofree char *length = tt_length_text (store, (gint64) MIN (waits->waits_ns, G_MAXINT64));

  return g_strdup_printf ("%.1f %% of the time of %u rank%s is waiting: %s in %u waits",
                          waits->time_ns == 0 ? 0.0 : 100.0 * (double) waits->waits_ns / (double) waits->time_ns,
                          waits->n_ranks, waits->n_ranks == 1 ? "" : "s", length, waits->waits->len);
}

/* The span that waits, and the rank that is waited for; of steps and paths it is not known. */
static TtTrustPlace
place_of (const void *row, const void *data)
{
  const Answer *answer = data;
  const guint32 *of = ((const Row *) row)->group.of;
  TtTrustPlace place = TT_TRUST_EVERYWHERE;

  place.has_others = TRUE;
  if (has_key (answer->keys, TT_WAIT_BY_RANK))
    place.process = of[TT_WAIT_BY_RANK];
  if (has_key (answer->keys, TT_WAIT_BY_NAME))
    place.name = of[TT_WAIT_BY_NAME];
  else if (has_key (answer->keys, TT_WAIT_BY_CAUSE))
    place.other = of[TT_WAIT_BY_CAUSE];
  return place;
}

static TtReport *
make_table (const Answer *answer, const TtReportView *view, GError **error)
{
  g_autoptr (GPtrArray) rows = sum_rows (answer);
  g_autoptr (TtReport) report = tt_report_of_fields (first_fields, G_N_ELEMENTS (first_fields), view, answer);
  g_autofree char *unjudged = unjudged_text (&answer->waits->counts);

  for (guint k = 0; k < answer->keys->n; k++)
    tt_report_declare (report, &key_fields[answer->keys->key[k]], 1, view, NULL, answer);
  tt_report_declare (report, last_fields, G_N_ELEMENTS (last_fields), view, NULL, answer);
  tt_trust_marks_declare (answer->marks, report, view, place_of, answer);
  if (rows->len > 0)
    {
      g_autofree char *heading = heading_of (answer->store, answer->waits);
      tt_report_heading (report, heading);
    }
  tt_report_limit (report, view);
  for (guint i = 0; i < rows->len; i++)
    tt_report_row (report, rows->pdata[i]);
  if (unjudged != NULL)
    tt_report_footer (report, unjudged);
  const TtRankWaits of_ranks = tt_waits_of_ranks (answer->store, answer->waits);
  return tt_wait_doubt_tell (report, answer->store, &of_ranks, answer->waits->counts.n_locks, error)
             ? g_steal_pointer (&report)
             : NULL;
}

TtReport *
tt_waits_table (TtStore *store, const TtWaits *waits, const TtWaitKeys *keys, const TtReportView *view, GError **error)
{
  g_autofree guint32 *first_names = tt_store_first_names (store, error);
  g_autoptr (TtWaitPlaces) places = NULL;

  g_autoptr (TtTrustMarks) marks = first_names == NULL ? NULL : tt_trust_marks_new (store, error);
  if (marks == NULL)
    return NULL;
  if ((has_key (keys, TT_WAIT_BY_PATH) || has_key (keys, TT_WAIT_BY_STEP)) &&
      (places = tt_wait_places_new (store, waits, error)) == NULL)
    return NULL;
  g_autoptr (TtWaitComms) comms =
      has_key (keys, TT_WAIT_BY_COMMUNICATOR) ? tt_wait_comms_new (store, waits, error) : NULL;
  if (has_key (keys, TT_WAIT_BY_COMMUNICATOR) && comms == NULL)
    return NULL;
  const Answer answer = { store, waits, keys, places, comms, marks, first_names };
  return make_table (&answer, view, error);
}
