/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "src/store/virtual-private.h"

/* So many names, and rows are no longer given by them: SQLite sorts. */
#define MAX_NAMES (1 << 18)

/* What SQLite takes a table for of which it has no statistics: tables of a join come in much the same order as with the
 * view. */
#define ROWS 1048576.0
#define ROW_COST 3.0
#define LOOK_UP_COST 10.0
#define GROUP_COST 2.0

typedef struct
{
  sqlite3_index_info *info;
  GString *text;
  double rows, cost;
  gboolean is_one;
  int n_arguments;
} Plan;

static gboolean
is_bound_by (guint8 op)
{
  return op == SQLITE_INDEX_CONSTRAINT_EQ || op == SQLITE_INDEX_CONSTRAINT_IS;
}

/* SQLite would make an index over such a column for a join; of a virtual table it does not. */
static gboolean
has_own_numbers (int column)
{
  return column == TT_EVENT_SELF_NS || column == TT_EVENT_STEP || column == TT_EVENT_OWN_TS_NS ||
         column == TT_EVENT_OWN_DUR_NS;
}

static gboolean
has_texts (int column)
{
  return (column >= TT_EVENT_PID && column <= TT_EVENT_FILE) || column == TT_EVENT_FLAGS;
}

static void
take (Plan *plan, int i, char letter)
{
  plan->info->aConstraintUsage[i].argvIndex = ++plan->n_arguments;
  g_string_append_c (plan->text, letter);
}

static void
plan_id (Plan *plan, int i, guint8 op)
{
  static const struct
  {
    guint8 op;
    char letter;
  } bounds[] = {
    { SQLITE_INDEX_CONSTRAINT_GT, TT_PLAN_ID_AFTER },
    { SQLITE_INDEX_CONSTRAINT_GE, TT_PLAN_ID_FROM },
    { SQLITE_INDEX_CONSTRAINT_LT, TT_PLAN_ID_BEFORE },
    { SQLITE_INDEX_CONSTRAINT_LE, TT_PLAN_ID_TO },
  };

  if (op == SQLITE_INDEX_CONSTRAINT_EQ)
    {
      take (plan, i, TT_PLAN_ID_IS);
      plan->is_one = TRUE;
      return;
    }
  for (guint k = 0; k < G_N_ELEMENTS (bounds); k++)
    if (bounds[k].op == op)
      {
        take (plan, i, bounds[k].letter);
        plan->rows /= 4;
        plan->cost /= 4;
      }
}

/* A text that is known now, which is compared by its bytes. */
static void
plan_text (Plan *plan, int i, int column, guint *n_texts)
{
  sqlite3_value *value = NULL;

  if (*n_texts == TT_MAX_EQUAL || sqlite3_vtab_rhs_value (plan->info, i, &value) != SQLITE_OK || value == NULL ||
      sqlite3_value_type (value) != SQLITE_TEXT || g_strcmp0 (sqlite3_vtab_collation (plan->info, i), "BINARY") != 0)
    return;
  take (plan, i, TT_PLAN_TEXT_IS);
  g_string_append_c (plan->text, (char) ('A' + column));
  ++*n_texts;
  plan->rows /= 10;
}

static void
plan_constraints (Plan *plan, TtVirtualEvents *events)
{
  sqlite3_index_info *info = plan->info;
  guint n_texts = 0;

  for (int i = 0; i < info->nConstraint; i++)
    {
      const int column = info->aConstraint[i].iColumn;
      const guint8 op = info->aConstraint[i].op;
      sqlite3_value *value = NULL;

      if (column < 0 || column >= TT_EVENT_N)
        continue;
      if (is_bound_by (op) && has_own_numbers (column) && !sqlite3_vtab_in (info, i, -1) &&
          sqlite3_vtab_rhs_value (info, i, &value) != SQLITE_OK)
        events->is_declined = TRUE;
      if (!info->aConstraint[i].usable)
        continue;
      if (column == TT_EVENT_ID)
        plan_id (plan, i, op);
      else if (op == SQLITE_INDEX_CONSTRAINT_EQ && has_texts (column) && !sqlite3_vtab_in (info, i, -1))
        plan_text (plan, i, column, &n_texts);
    }
}

/* Whether rows can be given in the order that is asked for; it is written down. */
static gboolean
plan_order (Plan *plan, const TtVirtualEvents *events)
{
  sqlite3_index_info *info = plan->info;
  const int distinct = sqlite3_vtab_distinct (info);
  guint64 columns = 0;

  if (info->nOrderBy == 0 || plan->is_one)
    return info->nOrderBy > 0;
  if (info->aOrderBy[0].iColumn == TT_EVENT_ID)
    {
      info->idxNum |= info->aOrderBy[0].desc ? TT_PLAN_REVERSE : 0;
      return TRUE;
    }
  for (int i = 0; i < info->nOrderBy; i++)
    {
      const int column = info->aOrderBy[i].iColumn;

      if (column < 0 || column >= TT_EVENT_N || !tt_virtual_can_group ((TtEventColumn) column))
        return FALSE;
      columns |= G_GUINT64_CONSTANT (1) << column;
    }
  /* Where rows are left out the first of each group must not be one that does not count. */
  if (distinct == 0 || info->nOrderBy > TT_EVENT_N || events->n_names > MAX_NAMES ||
      (distinct >= 2 && (info->colUsed & ~columns) != 0))
    return FALSE;
  for (int i = 0; i < info->nOrderBy; i++)
    g_string_append_printf (plan->text, "%c%c", info->aOrderBy[i].desc ? 'd' : 'a',
                            (char) ('A' + info->aOrderBy[i].iColumn));
  info->idxNum |= distinct == 2 ? TT_PLAN_DISTINCT : 0;
  plan->cost *= GROUP_COST;
  return TRUE;
}

int
tt_virtual_plan (TtVirtualEvents *events, sqlite3_index_info *info)
{
  g_autoptr (GString) text = g_string_new (NULL);
  Plan plan = { .info = info, .text = text, .rows = ROWS, .cost = ROWS * ROW_COST };

  info->idxNum = 0;
  plan_constraints (&plan, events);
  g_string_append_c (text, ' ');
  info->orderByConsumed = plan_order (&plan, events);
  g_string_append_printf (text, " %" G_GINT64_MODIFIER "x", (guint64) info->colUsed);
  info->idxStr = sqlite3_mprintf ("%s", text->str);
  if (info->idxStr == NULL)
    return SQLITE_NOMEM;
  info->needToFreeIdxStr = 1;
  info->estimatedRows = plan.is_one ? 1 : MAX ((sqlite3_int64) plan.rows, 1);
  info->estimatedCost = plan.is_one ? LOOK_UP_COST : LOOK_UP_COST + plan.cost;
  info->idxFlags = plan.is_one ? SQLITE_INDEX_SCAN_UNIQUE : 0;
  return SQLITE_OK;
}
