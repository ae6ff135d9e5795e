/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/info-names.h"

#include "src/base/compare.h"
#include "src/cli/message.h"
#include "src/trace/names/names.h"

/* The format whose rules named things: that of the first source; runs do not mix the names of formats. */
static const char *
source_format (TtStore *store)
{
  guint n;
  const TtSource *sources = tt_store_sources (store, &n);

  return n == 0 ? "" : sources[0].format;
}

static int
compare_names (gconstpointer a, gconstpointer b, gpointer data)
{
  TtStore *store = data;
  const TtStoredName *name_a = tt_store_name (store, *(const guint32 *) a);
  const TtStoredName *name_b = tt_store_name (store, *(const guint32 *) b);
  int order = g_strcmp0 (name_a->text, name_b->text);

  if (order == 0)
    order = g_strcmp0 (name_a->suffix, name_b->suffix);
  return order != 0 ? order : TT_COMPARE (name_a->id, name_b->id);
}

/* -- columns ------------------------------------------------------------------------------------- */

typedef struct
{
  const TtNameRules *rules;
  const char *format;
} Context;

static TtReportCell
name_text (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (((const TtStoredName *) row)->text);
}

static TtReportCell
name_op_cat (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (((const TtStoredName *) row)->op_cat);
}

static TtReportCell
name_op_name (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (((const TtStoredName *) row)->op_name);
}

static TtReportCell
name_sub_op (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (((const TtStoredName *) row)->sub_op);
}

static TtReportCell
name_group (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (((const TtStoredName *) row)->group);
}

/* Empty: the rules are not those of the import, or the source gave the name itself. */
static TtReportCell
name_rule (const TtReportField *self, const void *row, const void *context)
{
  const Context *table = context;
  const TtStoredName *name = row;
  TtNameRule rule =
      tt_name_rules_match (table->rules, table->format, name->group, name->op_name == NULL ? "" : name->op_name);

  return g_strcmp0 (rule.op_cat, name->op_cat) == 0 ? tt_cell_int (rule.number) : tt_cell_empty ();
}

static TtReportCell
name_place (const TtReportField *self, const void *row, const void *context)
{
  const TtStoredName *name = row;

  if (name->file == NULL || name->line <= 0)
    return tt_cell_text (name->file);
  return tt_cell_take (g_strdup_printf ("%s:%" G_GINT64_FORMAT, name->file, name->line));
}

static TtReportCell
name_raw (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (((const TtStoredName *) row)->raw);
}

static const TtReportField fields[] = {
  { TT_COLUMN_TEXT, "Name", "name", name_text },           { TT_COLUMN_WORD, "Cat", "op_cat", name_op_cat },
  { TT_COLUMN_TEXT, "Op", "op_name", name_op_name },       { TT_COLUMN_WORD, "Sub", "sub_op", name_sub_op },
  { TT_COLUMN_TEXT, "Group", "native_group", name_group }, { TT_COLUMN_COUNT, "Rule", "rule", name_rule },
  { TT_COLUMN_TEXT, "Place", "place", name_place },        { TT_COLUMN_TEXT, "Raw name", "raw_name", name_raw },
};

TtReport *
tt_info_names (TtStore *store, const char *rules_path, const TtReportView *view, GError **error)
{
  g_autoptr (TtNameRules) rules = tt_name_rules_load (rules_path, error);
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  const Context context = { rules, source_format (store) };
  guint32 max = tt_store_max_name (store);

  if (rules == NULL)
    return NULL;
  for (guint32 id = 1; id <= max && id != 0; id++)
    if (tt_store_name (store, id) != NULL)
      g_array_append_val (ids, id);
  g_array_sort_with_data (ids, compare_names, store);
  if (ids->len == 0)
    tt_message ("no names in this run: nothing happens in it");

  TtReport *report = tt_report_of_fields (fields, G_N_ELEMENTS (fields), view, &context);
  tt_report_limit (report, view);
  for (guint i = 0; i < ids->len; i++)
    tt_report_row (report, tt_store_name (store, g_array_index (ids, guint32, i)));
  return report;
}
