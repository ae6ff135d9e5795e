/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/graph.h"
#include "src/store/nccl.h"
#include "src/store/query.h"
#include "src/store/schema.h"
#include "src/store/store.h"

#include <glib/gstdio.h>
#include <string.h>

#include "tests/require.h"
#include "tests/store/store-example.h"

/* docs/schema.md says what is there: every query in it runs and finds something, every table has the
 * columns that are listed, in that order. */

static TtStore *store;

static gboolean
join_columns (const char *const *names, guint n, gpointer data)
{
  GString *text = data;

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s ", names[i]);
  return TRUE;
}

static gboolean
count_row (const TtCell *cells, guint n, gpointer data)
{
  ++*(guint *) data;
  return TRUE;
}

typedef struct
{
  guint n;
  GString *columns;
} Result;

static gboolean
result_columns (const char *const *names, guint n, gpointer data)
{
  return join_columns (names, n, ((Result *) data)->columns);
}

static gboolean
result_row (const TtCell *cells, guint n, gpointer data)
{
  return count_row (cells, n, &((Result *) data)->n);
}

static guint
run_query (const char *sql, GString *columns)
{
  g_autoptr (GError) error = NULL;
  Result result = { 0, columns };

  tt_store_query (store, sql, result_columns, result_row, &result, &error);
  g_assert_no_error (error);
  return result.n;
}

static void
check_columns (const char *table, const char *listed)
{
  g_autoptr (GString) columns = g_string_new (NULL);
  g_autofree char *sql = g_strdup_printf ("SELECT * FROM \"%s\"", table);

  run_query (sql, columns);
  g_test_message ("%s", table);
  g_assert_cmpstr (columns->str, ==, listed);
}

static void
test_document (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("SRCDIR"), "docs", "schema.md", NULL);
  g_autofree char *text = NULL, *table = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) query = NULL, listed = g_string_new (NULL);
  guint n_tables = 0, n_queries = 0;

  g_file_get_contents (path, &text, NULL, &error);
  require_no_error (error);
  g_assert_nonnull (strstr (text, "is the version of the schema: " G_STRINGIFY (TT_SCHEMA_VERSION) "."));
  g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    {
      if (g_str_has_prefix (*line, "## "))
        {
          g_free (table);
          table = g_strdup (*line + 3);
          g_string_truncate (listed, 0);
          n_tables++;
        }
      else if (table != NULL && g_str_has_prefix (*line, "| ") && !g_str_has_prefix (*line, "| column "))
        g_string_append_printf (listed, "%.*s ", (int) strcspn (*line + 2, " "), *line + 2);
      else if (strcmp (*line, "```sql") == 0)
        {
          check_columns (table, listed->str);
          query = g_string_new (NULL);
        }
      else if (query != NULL && strcmp (*line, "```") == 0)
        {
          g_autoptr (GString) columns = g_string_new (NULL);
          g_test_message ("%s", query->str);
          g_assert_cmpuint (run_query (query->str, columns), >, 0);
          n_queries++;
          g_string_free (g_steal_pointer (&query), TRUE);
        }
      else if (query != NULL)
        g_string_append_printf (query, "%s\n", *line);
    }
  g_assert_cmpuint (n_tables, ==, 24);
  g_assert_cmpuint (n_queries, ==, n_tables);
}

/* No public table is left out of the page. */
static void
test_complete (void)
{
  g_autofree char *names = example_query (
      store, "SELECT count (*) FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE '%\\_row'"
             " ESCAPE '\\' AND name NOT LIKE 'sqlite%'");

  g_assert_cmpstr (names, ==, "24\n");
}

/* Tables that the example has nothing for. */
static void
add_nccl (const char *path)
{
  static const TtNcclShapeRow shapes[] = { { "Comm.3+4", 6, 2, 2, 1 } };
  static const TtNcclEdgeRow edges[] = { { "ring", 0, 0, 1, "NET/Socket/0" }, { "tree", 0, 1, 0, NULL } };
  const TtStoreImportOptions options = { .add = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (TtStoreImport) import = tt_store_import_begin (path, &options, example_names (), &error);

  require_no_error (error);
  tt_store_import_nccl (import, shapes, G_N_ELEMENTS (shapes), edges, G_N_ELEMENTS (edges), &error);
  require_no_error (error);
  tt_store_import_commit (import, &error);
  g_assert_no_error (error);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_autofree char *directory = g_dir_make_tmp ("tracetool-schema-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "trace.db", NULL);
  g_autoptr (GError) error = NULL;
  const TtNodeRow nodes[] = { { "a", 1.5, 2, "{}" }, { "b", 2.5, 1, "{}" } };
  const TtEdgeRow edges[] = { { "a", "b", "message", 3, 0.5 } };

  example_import (path, &(ExampleOptions){ 0 }, example_all_ranks, GUINT_TO_POINTER (2), &error);
  g_assert_no_error (error);
  tt_store_save_graph (path, 1, &(TtGraphRows){ nodes, 2, edges, 1 }, &error);
  g_assert_no_error (error);
  add_nccl (path);
  store = tt_store_open (path, &error);
  g_assert_no_error (error);
  g_test_add_func ("/schema/document-tells-the-truth", test_document);
  g_test_add_func ("/schema/document-is-complete", test_complete);
  int status = g_test_run ();
  tt_store_free (store);
  g_unlink (path);
  g_rmdir (directory);
  return status;
}
