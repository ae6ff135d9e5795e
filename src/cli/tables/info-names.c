#include "config.h"

#include "src/cli/tables/info-names.h"

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
  return order != 0 ? order : (name_a->id > name_b->id) - (name_a->id < name_b->id);
}

static char *
place_of (const TtStoredName *name)
{
  if (name->file == NULL)
    return NULL;
  return name->line > 0 ? g_strdup_printf ("%s:%" G_GINT64_FORMAT, name->file, name->line) : g_strdup (name->file);
}

static void
add_name (TtReport *report, const TtStoredName *name, const TtNameRules *rules, const char *format)
{
  TtNameRule rule = tt_name_rules_match (rules, format, name->group, name->op_name == NULL ? "" : name->op_name);
  g_autofree char *place = place_of (name);

  tt_report_text (report, name->text);
  tt_report_text (report, name->op_cat);
  tt_report_text (report, name->op_name);
  tt_report_text (report, name->sub_op);
  tt_report_text (report, name->group);
  /* Other rules than at the import, or a name that the source gave itself. */
  if (g_strcmp0 (rule.op_cat, name->op_cat) == 0)
    tt_report_int (report, rule.number);
  else
    tt_report_empty (report);
  tt_report_text (report, place);
  tt_report_text (report, name->raw);
}

TtReport *
tt_info_names (TtStore *store, const char *rules_path, GError **error)
{
  g_autoptr (TtNameRules) rules = tt_name_rules_load (rules_path, error);
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  const char *format = source_format (store);
  guint32 max = tt_store_max_name (store);

  if (rules == NULL)
    return NULL;
  for (guint32 id = 1; id <= max && id != 0; id++)
    if (tt_store_name (store, id) != NULL)
      g_array_append_val (ids, id);
  g_array_sort_with_data (ids, compare_names, store);

  TtReport *report = tt_report_new (TT_UNIT_US);
  tt_report_column (report, TT_COLUMN_TEXT, "Name", "name");
  tt_report_column (report, TT_COLUMN_WORD, "Cat", "op_cat");
  tt_report_column (report, TT_COLUMN_TEXT, "Op", "op_name");
  tt_report_column (report, TT_COLUMN_WORD, "Sub", "sub_op");
  tt_report_column (report, TT_COLUMN_TEXT, "Group", "native_group");
  tt_report_column (report, TT_COLUMN_COUNT, "Rule", "rule");
  tt_report_column (report, TT_COLUMN_TEXT, "Place", "place");
  tt_report_column (report, TT_COLUMN_TEXT, "Raw name", "raw_name");
  for (guint i = 0; i < ids->len; i++)
    add_name (report, tt_store_name (store, g_array_index (ids, guint32, i)), rules, format);
  return report;
}
