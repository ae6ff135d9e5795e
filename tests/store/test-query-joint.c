/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/packed.h"
#include "src/store/private.h"
#include "src/store/query-joint.h"
#include "src/store/query-part.h"
#include "src/store/query-split.h"
#include "tests/require.h"
#include "tests/rounds.h"
#include "tests/store/odd-databases.h"
#include "tests/store/random-query.h"

/*
 * What several ranks answer together is what one answers: random statements, of which many are split, over databases as they are written, and as
 * nobody writes them. Ranks are threads here.
 */

#define MAX_RANKS 4u

static char *directory;
static guint n_split, n_answered, n_filled;

/* -- a crew of threads ------------------------------------------------------------------------------------------------ */

typedef struct
{
  TtStore *store;
  const char *sql;
  guint rank;
  GThread *thread;
  GAsyncQueue *given, *told; /* of GByteArray */
  gboolean has_given;
} Rank;

static Rank ranks[MAX_RANKS];
static guint n_ranks;
static char nothing_more, has_failed; /* for their addresses */
static GPrivate own;

static gpointer help (gpointer data);

static void
call (const char *id)
{
  for (guint i = 1; i < n_ranks; i++)
    ranks[i].thread = g_thread_new ("rank", help, &ranks[i]);
}

static GByteArray *
take (guint rank, GError **error)
{
  gpointer bytes = g_async_queue_pop (ranks[rank].given);

  ranks[rank].has_given = bytes != &has_failed;
  return bytes == &has_failed ? NULL : bytes;
}

static gboolean
tell (guint rank, const GByteArray *bytes, GError **error)
{
  ranks[rank].has_given = FALSE;
  g_async_queue_push (ranks[rank].told, g_byte_array_append (g_byte_array_new (), bytes->data, bytes->len));
  return TRUE;
}

static gboolean
disband (GError **error)
{
  for (guint i = 1; i < n_ranks; i++)
    {
      g_async_queue_push (ranks[i].told, &nothing_more);
      g_thread_join (ranks[i].thread);
      for (gpointer left; (left = g_async_queue_try_pop (ranks[i].given)) != NULL;)
        if (left != &has_failed)
          g_byte_array_unref (left);
      while (g_async_queue_try_pop (ranks[i].told) != NULL)
        continue;
    }
  return TRUE;
}

static void
give (const GByteArray *bytes)
{
  const Rank *self = g_private_get (&own);

  g_async_queue_push (self->given, g_byte_array_append (g_byte_array_new (), bytes->data, bytes->len));
}

static GByteArray *
hear (void)
{
  const Rank *self = g_private_get (&own);
  gpointer bytes = g_async_queue_pop (self->told);

  return bytes == &nothing_more ? NULL : bytes;
}

static TtCrew
crew_of (guint rank)
{
  return (TtCrew){
    .rank = rank, .n = n_ranks, .call = call, .take = take, .tell = tell, .disband = disband, .give = give, .hear = hear
  };
}

static gpointer
help (gpointer data)
{
  Rank *self = data;
  const TtCrew crew = crew_of (self->rank);
  g_autoptr (GError) error = NULL;
  gboolean is_answered;

  g_private_set (&own, self);
  if (!tt_store_query_joint (self->store, self->sql, &crew, NULL, NULL, NULL, &is_answered, &error))
    g_async_queue_push (self->given, &has_failed);
  return NULL;
}

/* -- answers ---------------------------------------------------------------------------------------------------------- */

static char *
join_lines (GPtrArray *lines)
{
  g_ptr_array_add (lines, NULL);
  return g_strjoinv ("\n", (char **) lines->pdata);
}

/* NULL: not together. */
static char *
answer_together (const char *sql, guint n)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  gboolean is_answered;

  n_ranks = n;
  const TtCrew crew = crew_of (0);
  for (guint i = 0; i < n; i++)
    ranks[i].sql = sql;
  const gboolean done = tt_store_query_joint (ranks[0].store, sql, &crew, odd_database_write_names,
                                              odd_database_write_row, lines, &is_answered, &error);
  if (!done)
    return g_strdup (error != NULL ? error->message : "another rank has failed");
  return is_answered ? join_lines (lines) : NULL;
}

static char *
answer_alone (const char *sql)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;

  return tt_store_query (ranks[0].store, sql, odd_database_write_names, odd_database_write_row, lines, &error)
             ? join_lines (lines)
             : g_strdup (error->message);
}

static void
assert_same (const char *sql)
{
  g_autofree char *alone = answer_alone (sql);
  g_autoptr (TtQuerySplit) split = tt_query_split_new (sql);

  n_split += split != NULL;
  for (guint n = 2; n <= MAX_RANKS && split != NULL; n++)
    {
      g_autofree char *together = answer_together (sql, n);
      if (together == NULL)
        continue;
      if (strcmp (alone, together) != 0)
        g_test_message ("%s\n%s\n%s\n%u ranks: %s", ranks[0].store->connection->path, sql, split->part, n,
                        split->whole);
      g_assert_cmpstr (together, ==, alone);
      n_answered += n == 2;
      n_filled += n == 2 && strchr (alone, '\n') != NULL;
    }
}

/* -- tests ------------------------------------------------------------------------------------------------------------ */

/* That are split. */
static const char *const singles[] = {
  "SELECT count(*) FROM event",
  "SELECT name, count (*) AS n, sum (dur_ns) FROM event GROUP BY name ORDER BY n DESC LIMIT 5",
  "SELECT pid, name, avg (dur_ns) FROM event WHERE op_cat = 'Comm' GROUP BY 1, 2 HAVING count (*) > 1 ORDER BY 3 DESC, "
  "1;",
  "SELECT ts_ns / 1000 AS t, count (*), max (self_ns) FROM event e WHERE e.dur_ns > 10 GROUP BY t",
  "SELECT min (ts_ns), max (ts_ns + dur_ns), total (dur_ns) FROM event",
  "SELECT name, round (sum (self_ns) / 1e6, 3) AS ms FROM event GROUP BY name ORDER BY sum (self_ns) DESC, name",
  "SELECT * FROM event WHERE dur_ns > 100",
  "SELECT *, dur_ns - self_ns FROM event ORDER BY dur_ns DESC, ts_ns LIMIT 10 OFFSET 3",
  "SELECT DISTINCT pid, tid FROM event",
  "SELECT DISTINCT pid AS p, name FROM event WHERE depth < 3 ORDER BY p DESC LIMIT 7",
  "select \"name\", args ->> '$.bytes' from event where name like 'Comm%' and args is not null",
};

static void
open_all (const char *path)
{
  for (guint i = 0; i < MAX_RANKS; i++)
    {
      g_autoptr (GError) error = NULL;
      ranks[i] = (Rank){ .rank = i, .given = g_async_queue_new (), .told = g_async_queue_new () };
      ranks[i].store = tt_store_open_unselected (path, &error);
      require_no_error (error);
    }
}

static void
close_all (void)
{
  for (guint i = 0; i < MAX_RANKS; i++)
    {
      tt_store_free (ranks[i].store);
      g_async_queue_unref (ranks[i].given);
      g_async_queue_unref (ranks[i].told);
    }
}

static void
test_split (void)
{
  g_autofree char *path = odd_database_make (directory, 0);

  open_all (path);
  for (guint i = 0; i < G_N_ELEMENTS (singles); i++)
    {
      const guint n_before = n_answered;
      assert_same (singles[i]);
      if (n_answered == n_before)
        g_error ("not together: %s", singles[i]);
    }
  close_all ();
}

/* Names that SQLite takes for something else in another place. */
static void
test_names (void)
{
  static const char *const odd[] = {
    "SELECT dur_ns current_date, tid FROM event ORDER BY current_date LIMIT 5",
    "SELECT dur_ns AS current_time, tid FROM event ORDER BY current_time DESC LIMIT 5",
    "SELECT dur_ns AS current_timestamp, count (*) FROM event GROUP BY current_timestamp",
    "SELECT dur_ns 'name', tid FROM event ORDER BY name LIMIT 5",
    "SELECT name 'x', count (*) FROM event GROUP BY 1 ORDER BY x",
    "SELECT DISTINCT dur_ns 'tid', tid 'dur_ns' FROM event ORDER BY dur_ns, tid",
    "SELECT name, dur_ns AS \"D\" FROM event ORDER BY d DESC, 'd' LIMIT 4",
    "SELECT name AS count, count (*) AS sum FROM event GROUP BY count ORDER BY sum",
    "SELECT dur_ns AS lower FROM event AS name ORDER BY lower (name.name), lower LIMIT 7",
    "SELECT name, count (*) FROM event GROUP BY (1) ORDER BY +2",
    "SELECT name nocase, name LIKE 'x' FROM event ORDER BY nocase COLLATE nocase LIMIT 9",
  };
  g_autofree char *path = odd_database_make (directory, 0);

  open_all (path);
  for (guint i = 0; i < G_N_ELEMENTS (odd); i++)
    assert_same (odd[i]);
  close_all ();
}

/* Sums that SQLite would lose something of, and what is too much for a whole number. */
static void
test_sums (void)
{
  static const char *const big[] = {
    "SELECT sum (ts_ns * 1000000000000000) FROM event",
    "SELECT avg (9007199254740000 + id) FROM event",
    "SELECT total (9007199254740992 + dur_ns) FROM event",
    "SELECT sum (9223372036854775) FROM event",
    "SELECT sum (-4611686018427387904) FROM event",
    "SELECT sum (CASE WHEN dur_ns > 5 THEN 4611686018427387904 ELSE -4611686018427387904 END) FROM event",
    "SELECT abs (-9223372036854775807 - 1) FROM event",
    "SELECT avg (-900719925474099) FROM event WHERE dur_ns > 0",
  };
  g_autofree char *path = odd_database_make (directory, 0);

  open_all (path);
  for (guint i = 0; i < G_N_ELEMENTS (big); i++)
    assert_same (big[i]);
  close_all ();
}

/* A row of a part that has the bytes of a sum only. */
static GByteArray *
pack_sum (gint64 sum, guint64 size, guint64 n)
{
  const guint64 words[] = { (guint64) sum, size, n };
  GByteArray *rows = g_byte_array_new ();

  tt_pack_number (rows, SQLITE_BLOB);
  tt_pack_number (rows, sizeof words);
  g_byte_array_append (rows, (const guint8 *) words, sizeof words);
  return g_byte_array_append (rows, (const guint8 *) "", 1);
}

static gboolean
take_one (const TtCell *cells, guint n, gpointer data)
{
  g_assert_true (n == 1 && cells[0].kind == TT_CELL_INT);
  *(gint64 *) data = cells[0].integer;
  return TRUE;
}

/* What another rank says is taken only where it can be so. */
static void
test_parts (void)
{
  static const struct
  {
    gint64 sum;
    guint64 size;
    gboolean is_right;
  } sums[] = { { 5, 5, TRUE },           { -5, 7, TRUE },          { 6, 5, FALSE },
               { G_MAXINT64, 1, FALSE }, { G_MININT64, 1, FALSE }, { G_MAXINT64, G_MAXUINT64, FALSE } };
  g_autoptr (TtQuerySplit) split = tt_query_split_new ("SELECT sum (dur_ns) FROM event");

  for (guint i = 0; i < G_N_ELEMENTS (sums); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TtPartJoin) join = tt_part_join_new (split, &error);
      g_autoptr (GByteArray) rows = pack_sum (sums[i].sum, sums[i].size, 2);
      const guint len = rows->len;
      gint64 sum = 0;
      g_assert_no_error (error);
      for (rows->len = 1; rows->len < len; rows->len++)
        g_assert_false (tt_part_join_add (join, rows));
      g_assert_true (tt_part_join_add (join, rows) && tt_part_join_add (join, rows));
      g_assert_true (tt_part_join_run (join, take_one, &sum, &error));
      g_assert_cmpint (tt_part_join_is_odd (join), ==, !sums[i].is_right);
      g_assert_cmpint (sum, ==, sums[i].is_right ? 2 * sums[i].sum : 0);
    }
}

static void
test_random (void)
{
  guint n = 0;

  n_split = n_answered = n_filled = 0;
  for (guint number = 0; number < n_odd_databases; number++)
    {
      g_autofree char *path = odd_database_make (directory, number);
      GRand *random = g_rand_new_with_seed (number);

      open_all (path);
      for (guint i = 0; i < test_rounds (80); i++, n++)
        {
          g_autofree char *sql = random_query (random);
          assert_same (sql);
        }
      close_all ();
      g_rand_free (random);
      g_remove (path);
    }
  g_test_message ("%u statements, %u split, %u answered together, %u with rows", n, n_split, n_answered, n_filled);
  g_assert_cmpuint (n_split, >, n / 4);
  g_assert_cmpuint (n_answered, >, n / 6);
  g_assert_cmpuint (n_filled, >, n / 8);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;

  g_test_init (&argc, &argv, NULL);
  directory = g_dir_make_tmp ("tracetool-joint-XXXXXX", &error);
  g_assert_no_error (error);
  g_test_add_func ("/query-joint/split", test_split);
  g_test_add_func ("/query-joint/names", test_names);
  g_test_add_func ("/query-joint/sums", test_sums);
  g_test_add_func ("/query-joint/parts", test_parts);
  g_test_add_func ("/query-joint/random", test_random);
  int status = g_test_run ();
  g_autofree char *command = g_strdup_printf ("rm -rf '%s'", directory);
  return system (command) == 0 ? status : 1;
}
