/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "src/base/id-table.h"
#include "src/base/text-ids.h"

#include "tests/require.h"

/* So many that most of each table lies in its file. */
#define MANY 400000u

static guint32
row_of (guint32 id)
{
  return id * 2654435761u;
}

static void
test_id_table (void)
{
  TtIdTable table = { .row_size = 16 };
  g_autoptr (GError) error = NULL;

  for (guint32 id = 0; id < MANY; id += 1 + id / 1000)
    {
      guint32 *row = tt_id_table_at (&table, id);
      g_assert_true (row[0] == 0 && row[3] == 0);
      row[0] = row_of (id);
      row[3] = id;
    }
  for (guint32 id = 0; id < MANY; id += 1 + id / 1000)
    {
      const guint32 *row = tt_id_table_at (&table, id);
      g_assert_true (row[0] == row_of (id) && row[1] == 0 && row[3] == id);
    }
  /* Where nothing was written it is empty. */
  const guint32 *row = tt_id_table_at (&table, MANY * 3);
  g_assert_true (row[0] == 0);
  g_assert_true (tt_id_table_check (&table, &error));
  g_assert_no_error (error);
  tt_id_table_clear (&table);
  row = tt_id_table_at (&table, 7);
  g_assert_true (row[0] == 0);
  tt_id_table_clear (&table);
}

static gsize
make_text (char text[256], guint32 i)
{
  gsize len = (gsize) g_snprintf (text, 256, "thread %u", i / 2);

  /* Longer than one read of a record, and the same up to its last byte. */
  if (i % 100 == 0)
    {
      memset (text + len, 'x', 200 - len);
      g_snprintf (text + 200, 56, "%u", i / 2);
      len = strlen (text);
    }
  return len;
}

static void
test_text_ids (void)
{
  g_autoptr (TtTextIds) ids = tt_text_ids_new ();
  g_autoptr (GError) error = NULL;
  char text[256];
  guint wrong = 0;

  for (guint32 i = 0; i < MANY; i++)
    {
      gsize len = make_text (text, i);
      wrong += tt_text_ids_find (ids, i % 2, text, len) != 0;
      tt_text_ids_add (ids, i % 2, text, len, i + 1);
    }
  g_assert_cmpuint (wrong, ==, 0);
  for (guint32 i = 0; i < MANY; i++)
    wrong += tt_text_ids_find (ids, i % 2, text, make_text (text, i)) != i + 1;
  g_assert_cmpuint (wrong, ==, 0);
  g_assert_cmpuint (tt_text_ids_find (ids, 2, "thread 1", 8), ==, 0);
  g_assert_cmpuint (tt_text_ids_find (ids, 0, "thread 1", 7), ==, 0);
  tt_text_ids_add (ids, 5, NULL, 0, 9);
  g_assert_cmpuint (tt_text_ids_find (ids, 5, "", 0), ==, 9);
  g_assert_cmpuint (tt_text_ids_find (ids, 4, "", 0), ==, 0);
  g_assert_true (tt_text_ids_check (ids, &error));
  g_assert_no_error (error);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/id-table/keeps-rows-beyond-memory", test_id_table);
  g_test_add_func ("/text-ids/finds-what-it-has-beyond-memory", test_text_ids);
  return g_test_run ();
}
