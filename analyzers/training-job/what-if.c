/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/what-if.h"

#include "analyzers/training-job/factor.h"
#include "analyzers/training-job/name-table.h"
#include "src/base/error.h"
#include "src/base/glob.h"
#include "src/base/suggest.h"
#include "src/base/units.h"

#include <string.h>

typedef enum
{
  FIELD_OP_CAT,
  FIELD_OP_NAME,
  FIELD_SUB_OP,
  FIELD_NAME,
  FIELD_LONG_NAME,
  FIELD_PID,
  N_FIELDS,
} Field;

const char *const tt_what_if_field_words[N_FIELDS + 1] = {
  "op_cat", "op_name", "sub_op", "name", "op_long_name", "pid", NULL,
};

typedef enum
{
  CHANGE_SCALE,
  CHANGE_DELAY,
  CHANGE_REMOVE,
  CHANGE_BANDWIDTH,
  CHANGE_COMPUTE,
  CHANGE_STRAGGLER,
} ChangeKind;

typedef struct
{
  ChangeKind kind;
  Field field;
  char *value;
  gboolean is_pattern; /* @value has * or ? */
  gint64 factor;       /* in units of 1 / TT_FACTOR_ONE; of speeds: 2 is twice as fast */
  gint64 delay_ns;
  guint rank; /* a straggler */
} Change;

struct _TtWhatIf
{
  GArray *changes; /* of Change */
};

static void
clear_change (gpointer data)
{
  Change *change = data;

  g_free (change->value);
}

TtWhatIf *
tt_what_if_new (void)
{
  TtWhatIf *self = g_new0 (TtWhatIf, 1);

  self->changes = g_array_new (FALSE, TRUE, sizeof (Change));
  g_array_set_clear_func (self->changes, clear_change);
  return self;
}

void
tt_what_if_free (TtWhatIf *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->changes);
  g_free (self);
}

gboolean
tt_what_if_is_empty (const TtWhatIf *self)
{
  return self->changes->len == 0;
}

/* -- reading ----------------------------------------------------------------------------------------- */

gboolean
tt_factor_parse (const char *text, gint64 min, gint64 *factor, GError **error)
{
  if (tt_time_parse (text, -1, TT_UNIT_S, factor, NULL) && *factor >= min)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' is not a factor: a number %s", text,
               min > 0 ? "above 0" : "not below 0");
  return FALSE;
}

/* "FIELD=VALUE", or a name. */
static gboolean
parse_choice (Change *change, const char *text, gsize len, GError **error)
{
  g_autofree char *choice = g_strndup (text, len);
  const char *equals = strchr (choice, '=');
  gsize word_len = strspn (choice, "abcdefghijklmnopqrstuvwxyz_");

  change->field = strstr (choice, "->") != NULL ? FIELD_LONG_NAME : FIELD_NAME;
  if (equals != NULL && equals == choice + word_len && word_len > 0)
    {
      g_autofree char *word = g_strndup (choice, word_len);
      Field field = 0;

      while (field < N_FIELDS && strcmp (tt_what_if_field_words[field], word) != 0)
        field++;
      if (field == N_FIELDS)
        {
          const char *near = tt_suggest (word, tt_what_if_field_words);
          g_autofree char *all = g_strjoinv (", ", (char **) tt_what_if_field_words);
          if (near != NULL)
            g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "unknown field '%s'; did you mean '%s'?", word, near);
          else
            g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "unknown field '%s'; there are %s", word, all);
          return FALSE;
        }
      change->field = field;
      change->value = g_strdup (equals + 1);
    }
  else
    change->value = g_strdup (choice);
  if (*change->value == '\0')
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' names no operation", choice);
      return FALSE;
    }
  change->is_pattern = strpbrk (change->value, "*?") != NULL;
  return TRUE;
}

static gboolean
add_change (TtWhatIf *self, Change *change, gboolean is_good)
{
  if (is_good)
    g_array_append_val (self->changes, *change);
  else
    clear_change (change);
  return is_good;
}

gboolean
tt_what_if_add_scale (TtWhatIf *self, const char *text, GError **error)
{
  Change change = { .kind = CHANGE_SCALE };
  const char *colon = strrchr (text, ':');

  if (colon == NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' is not FIELD=VALUE:FACTOR, such as op_cat=BW:0.5", text);
      return FALSE;
    }
  return add_change (self, &change,
                     tt_factor_parse (colon + 1, 0, &change.factor, error) &&
                         parse_choice (&change, text, (gsize) (colon - text), error));
}

gboolean
tt_what_if_add_delay (TtWhatIf *self, const char *text, GError **error)
{
  Change change = { .kind = CHANGE_DELAY };
  const char *equals = strrchr (text, '=');

  if (equals == NULL || !tt_time_parse (equals + 1, -1, TT_UNIT_US, &change.delay_ns, NULL))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' is not NAME=MICROSECONDS", text);
      return FALSE;
    }
  return add_change (self, &change, parse_choice (&change, text, (gsize) (equals - text), error));
}

gboolean
tt_what_if_add_remove (TtWhatIf *self, const char *text, GError **error)
{
  Change change = { .kind = CHANGE_REMOVE };

  return add_change (self, &change, parse_choice (&change, text, strlen (text), error));
}

gboolean
tt_what_if_add_bandwidth (TtWhatIf *self, const char *speed, GError **error)
{
  Change change = { .kind = CHANGE_BANDWIDTH };

  return add_change (self, &change, tt_factor_parse (speed, 1, &change.factor, error));
}

gboolean
tt_what_if_add_compute (TtWhatIf *self, const char *speed, GError **error)
{
  Change change = { .kind = CHANGE_COMPUTE };

  return add_change (self, &change, tt_factor_parse (speed, 1, &change.factor, error));
}

gboolean
tt_what_if_add_op (TtWhatIf *self, const char *text, GError **error)
{
  Change change = { .kind = CHANGE_SCALE };
  const char *equals = strrchr (text, '=');

  if (equals == NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' is not NAME=FACTOR, such as BW.dense=0.5", text);
      return FALSE;
    }
  return add_change (self, &change,
                     tt_factor_parse (equals + 1, 0, &change.factor, error) &&
                         parse_choice (&change, text, (gsize) (equals - text), error));
}

gboolean
tt_what_if_add_straggler (TtWhatIf *self, const char *text, GError **error)
{
  Change change = { .kind = CHANGE_STRAGGLER };
  char *end;
  guint64 rank = g_ascii_strtoull (text, &end, 10);

  if (!g_ascii_isdigit (*text) || *end != '=' || rank >= TT_STEP_NO_RANK)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' is not RANK=FACTOR, such as 3=1.5", text);
      return FALSE;
    }
  change.rank = (guint) rank;
  change.value = g_strndup (text, (gsize) (end - text));
  return add_change (self, &change, tt_factor_parse (end + 1, 0, &change.factor, error));
}

/* -- choosing ------------------------------------------------------------------------------------------------ */

/* A field of a name: not pid and long name, which belong to nodes. */
static const char *
field_of_name (const TtJobNameTable *table, guint name, Field field)
{
  const TtStepNode *node = tt_job_name_table_node (table, name);

  switch (field)
    {
    case FIELD_OP_CAT:
      return tt_job_name_table_category (table, name);
    case FIELD_SUB_OP:
      return node->parts.sub_op == NULL ? "" : node->parts.sub_op;
    case FIELD_OP_NAME:
      return node->parts.op_name == NULL ? node->name : node->parts.op_name;
    default:
      return node->name;
    }
}

static gboolean
matches_value (const Change *change, const char *text)
{
  if (change->is_pattern)
    return tt_glob_fits (change->value, text, strlen (text), FALSE);
  return strcmp (change->value, text) == 0 ||
         (change->field == FIELD_OP_CAT && strcmp (change->value, "UPDATE") == 0 && strcmp (text, "UPDATE_") == 0);
}

static gboolean
is_transfer (const TtStepNode *node)
{
  return node->kind == TT_STEP_NODE_SEND || node->kind == TT_STEP_NODE_RECV ||
         tt_step_node_is_link_transfer (node->kind) ||
         (node->kind == TT_STEP_NODE_COMM && g_strcmp0 (node->parts.sub_op, "QUEUE") != 0);
}

static gboolean
is_computation (const TtStepNode *node)
{
  return tt_step_node_is_operator (node->kind) || node->kind == TT_STEP_NODE_SERVER ||
         node->kind == TT_STEP_NODE_COMPUTE;
}

/* By name: whether the change may be about it; by pid and long name each node decides. */
static gboolean *
choose_names (const Change *change, const TtJobNameTable *table)
{
  gboolean *is_chosen = g_new0 (gboolean, table->names->len);

  for (guint i = 0; i < table->names->len; i++)
    {
      const TtStepNode *node = tt_job_name_table_node (table, i);

      if (change->kind == CHANGE_BANDWIDTH)
        is_chosen[i] = is_transfer (node);
      else if (change->kind == CHANGE_COMPUTE || change->kind == CHANGE_STRAGGLER)
        is_chosen[i] = is_computation (node);
      else if (node->rank == TT_STEP_NO_RANK)
        is_chosen[i] = FALSE;
      else if (change->field == FIELD_PID || change->field == FIELD_LONG_NAME)
        is_chosen[i] = TRUE;
      else
        is_chosen[i] = matches_value (change, field_of_name (table, i, change->field));
    }
  return is_chosen;
}

static gboolean
is_chosen_node (const Change *change, const TtStepGraph *graph, guint32 number)
{
  const TtStepNode *node = tt_step_node (graph, number);

  if (change->kind == CHANGE_STRAGGLER)
    return node->rank == change->rank;
  if (change->kind == CHANGE_BANDWIDTH || change->kind == CHANGE_COMPUTE || node->rank == TT_STEP_NO_RANK)
    return TRUE;
  if (change->field == FIELD_PID)
    return matches_value (change, graph->pids[node->rank]);
  if (change->field != FIELD_LONG_NAME)
    return TRUE;
  g_autofree char *text = tt_step_node_long_name (graph, number);
  return matches_value (change, text);
}

/* Suggests the value that a misspelt one is nearest to. */
static void
set_no_match (GError **error, const Change *change, const TtJobNameTable *table)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);

  if (change->kind == CHANGE_BANDWIDTH || change->kind == CHANGE_COMPUTE)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "this job has no %s",
                   change->kind == CHANGE_BANDWIDTH ? "transfers" : "computation");
      return;
    }
  if (change->kind == CHANGE_STRAGGLER)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "this job has no rank %u: it has %u", change->rank,
                   table->graph->n_ranks);
      return;
    }
  if (change->field == FIELD_PID)
    for (guint rank = 0; rank < table->graph->n_endpoints; rank++)
      g_ptr_array_add (words, g_strdup (table->graph->pids[rank]));
  else if (change->field == FIELD_LONG_NAME)
    for (guint32 i = 0; i < table->graph->nodes->len; i++)
      g_ptr_array_add (words, tt_step_node_long_name (table->graph, i));
  else
    for (guint i = 0; i < table->names->len; i++)
      g_ptr_array_add (words, g_strdup (field_of_name (table, i, change->field)));
  g_ptr_array_add (words, NULL);

  const char *near = change->is_pattern ? NULL : tt_suggest (change->value, (const char *const *) words->pdata);
  g_autofree char *what =
      g_strdup_printf ("no operation of this job has %s '%s'", tt_what_if_field_words[change->field], change->value);
  if (near != NULL && *near != '\0')
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "%s; did you mean '%s'?", what, near);
  else
    g_set_error_literal (error, TT_ERROR, TT_ERROR_USAGE, what);
}

/* -- changing -------------------------------------------------------------------------------------------------- */

static void
change_node (const Change *change, TtStepNodeTimes *times)
{
  switch (change->kind)
    {
    case CHANGE_SCALE:
    case CHANGE_STRAGGLER:
      times->avg_ns = tt_factor_apply (times->avg_ns, change->factor, TT_FACTOR_ONE);
      break;
    case CHANGE_BANDWIDTH:
    case CHANGE_COMPUTE:
      times->avg_ns = tt_factor_apply (times->avg_ns, TT_FACTOR_ONE, change->factor);
      break;
    case CHANGE_DELAY:
      times->avg_ns = CLAMP (times->avg_ns + change->delay_ns, 0, TT_FACTOR_MAX_NS);
      break;
    case CHANGE_REMOVE:
      times->avg_ns = 0;
      times->operator_gap_ns = 0;
      break;
    }
}

static gboolean
apply_change (const Change *change, const TtJobNameTable *table, TtStepNodeTimes *times, GError **error)
{
  g_autofree gboolean *is_chosen = choose_names (change, table);
  gboolean is_any = FALSE;

  for (guint32 i = 0; i < table->graph->nodes->len; i++)
    if (is_chosen[table->name_of[i]] && is_chosen_node (change, table->graph, i))
      {
        if (change->kind != CHANGE_DELAY || !tt_step_node (table->graph, i)->is_rest)
          change_node (change, &times[i]);
        is_any = TRUE;
      }
  if (!is_any)
    set_no_match (error, change, table);
  return is_any;
}

gboolean
tt_what_if_apply (const TtWhatIf *self, const TtStepGraph *graph, TtStepNodeTimes *times, GError **error)
{
  g_auto (TtJobNameTable) table = { 0 };

  tt_job_name_table_init (&table, graph);
  for (int pass = 0; pass < 3; pass++)
    for (guint i = 0; i < self->changes->len; i++)
      {
        const Change *change = &g_array_index (self->changes, Change, i);
        int own = change->kind == CHANGE_REMOVE ? 2 : change->kind == CHANGE_DELAY ? 1 : 0;
        if (own == pass && !apply_change (change, &table, times, error))
          return FALSE;
      }
  return TRUE;
}
