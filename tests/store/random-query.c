/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/store/random-query.h"

#include <string.h>

#define PICK(random, list) (list)[g_rand_int_range (random, 0, G_N_ELEMENTS (list))]

static gboolean
happens (GRand *random, int one_in)
{
  return g_rand_int_range (random, 0, one_in) == 0;
}

static const char *const columns[] = {
  "source",   "pid",          "tid",       "op_cat",     "op_name", "sub_op",     "suffix",  "name",  "op_long_name",
  "raw_name", "native_group", "file",      "line",       "ts_ns",   "dur_ns",     "self_ns", "depth", "step",
  "args",     "flags",        "own_ts_ns", "own_dur_ns", "run",     "event.name", "\"pid\"", "NAME",
};
static const char *const keys[] = {
  "name",
  "op_cat",
  "pid",
  "tid",
  "op_long_name",
  "flags",
  "step",
  "source",
  "run",
  "sub_op",
  "depth",
  "Name",
  "line",
  "ts_ns / 1000",
  "dur_ns / 1000.0",
  "substr (name, 1, 6)",
  "CASE WHEN dur_ns > 1000 THEN 'long' ELSE 'short' END",
  "args",
  "CAST (step AS TEXT)",
  "CAST (dur_ns AS REAL)",
  "dur_ns > 500",
  "name || tid",
  "round (dur_ns / 7.0, 1)",
  "lower (op_name)",
  "(name)",
  "name IS NULL",
  "tid + 0",
  "dur_ns % 3",
  "1",
  "2",
};
static const char *const values[] = {
  "dur_ns",
  "self_ns",
  "ts_ns",
  "id",
  "depth",
  "own_dur_ns",
  "name",
  "tid",
  "line",
  "step",
  "args",
  "flags",
  "op_long_name",
  "dur_ns / 1000",
  "dur_ns * 2 - self_ns",
  "dur_ns / 1e3",
  "dur_ns > 1000",
  "CASE WHEN op_cat = 'Comm' THEN dur_ns END",
  "1",
  "coalesce (step, 0)",
  "max (dur_ns, 500)",
  "length (name)",
  "- dur_ns",
  "ts_ns * 1000000",
  "nullif (depth, 1)",
  "*",
  "CAST (dur_ns AS TEXT)",
  "abs (self_ns)",
  "NULL",
  "step * 0.0",
  "'x'",
};
static const char *const functions[] = { "count", "count", "sum",   "sum",          "min",    "max",
                                         "avg",   "total", "COUNT", "group_concat", "median", "stddev" };
static const char *const around[] = {
  "%s",
  "%s",
  "%s",
  "%s",
  "%s / 1000",
  "%s * 1.0 / 7",
  "round (%s, 2)",
  "coalesce (%s, -1)",
  "%s + 1",
  "- %s",
  "(%s)",
  "'a' || %s",
  "%s IS NULL",
  "max (%s, 5)",
  "typeof (%s)",
  "printf ('%%d', %s)",
  "CASE WHEN %s > 5 THEN 'many' ELSE 'few' END",
  "%s BETWEEN 1 AND 9",
  "%s IN (1, 2, 3)",
  "%s = '5'",
  "quote (%s)",
};
static const char *const conditions[] = {
  "name = 'Comm.MPI_Send.SEND'",
  "name <> 'COMP.compute'",
  "op_cat IN ('COMP', 'SYNC')",
  "tid = 0",
  "tid = '7'",
  "pid LIKE '%1%'",
  "dur_ns IS NOT NULL",
  "dur_ns > 1000",
  "ts_ns = tid",
  "ts_ns BETWEEN 0 AND 1000000",
  "step IS NULL",
  "step = 1",
  "run = 1",
  "source = 2",
  "flags IS NOT NULL",
  "args NOTNULL",
  "op_long_name LIKE '%Send%' ESCAPE '!'",
  "step = depth",
  "(op_cat = 'Comm' OR depth = 1)",
  "NOT (name = 'Comm.MPI_Send.SEND' OR tid IS NULL)",
  "name GLOB 'Comm*'",
  "pid = 'x' OR name = 'COMP.compute'",
  "op_cat = 'Comm' OR tid = 0",
  "id > 300",
  "id < 30 OR id > 900",
  "dur_ns % 2 = 1",
  "0",
  "1",
  "length (name) > 9",
  "name IN (SELECT name FROM event WHERE depth = 1)",
  "e.depth = 1",
  "event.depth < 3",
  "abs (dur_ns) > 5",
  "tid IN ()",
  "name = 'COMP.compute' AND tid = '0'",
  "dur_ns > 100 AND name NOT LIKE 'x%'",
  "lower (pid) = pid",
  "name = \"pid\"",
  "typeof (dur_ns) = 'integer'",
};
static const char *const directions[] = {
  "", "", " DESC", " ASC", " DESC NULLS LAST", " NULLS LAST", " ASC NULLS FIRST"
};

static char *
make_aggregate (GRand *random)
{
  const char *function = PICK (random, functions), *value = PICK (random, values);
  g_auto (GStrv) parts = g_strsplit (PICK (random, around), "%s", 2);
  g_autofree char *aggregate = g_strdup_printf (happens (random, 30) ? "%s (DISTINCT %s)" : "%s (%s)", function, value);

  return g_strjoinv (aggregate, parts);
}

static char *
make_row_value (GRand *random)
{
  g_auto (GStrv) parts = g_strsplit (PICK (random, around), "%s", 2);

  return g_strjoinv (happens (random, 3) ? PICK (random, values) : PICK (random, columns), parts);
}

typedef struct
{
  GRand *random;
  GString *sql;
  GPtrArray *terms; /* char *, that it may be ordered by */
  guint n_items;
} Maker;

static void
add_item (Maker *self, const char *text)
{
  g_string_append_printf (self->sql, "%s%s", self->n_items > 0 ? ", " : "", text);
  self->n_items++;
  if (happens (self->random, 3))
    {
      const char *form = happens (self->random, 3) ? "x%u" : happens (self->random, 9) ? "%.0uname" : "n%u";
      g_autofree char *alias = g_strcmp0 (form, "x%u") == 0   ? g_strdup_printf ("x%u", self->n_items)
                               : g_strcmp0 (form, "n%u") == 0 ? g_strdup_printf ("n%u", self->n_items)
                                                              : g_strdup ("name");
      g_string_append_printf (self->sql, "%s%s", happens (self->random, 2) ? " AS " : " ", alias);
      g_ptr_array_add (self->terms, g_strdup (alias));
      g_ptr_array_add (self->terms, g_strdup_printf ("%s %% 10", alias));
    }
  g_ptr_array_add (self->terms, g_strdup (text));
  g_ptr_array_add (self->terms, g_strdup_printf ("%u", self->n_items));
}

static void
add_source (Maker *self)
{
  g_string_append (self->sql, happens (self->random, 9)   ? " FROM event e"
                              : happens (self->random, 9) ? " FROM Event AS e"
                                                          : " FROM event");
  for (int i = 0, n = g_rand_int_range (self->random, 0, 3); i < n; i++)
    g_string_append_printf (self->sql, "%s%s",
                            i == 0                      ? " WHERE "
                            : happens (self->random, 5) ? " OR "
                                                        : " AND ",
                            PICK (self->random, conditions));
}

static void
add_order (Maker *self, int one_in)
{
  if (self->terms->len == 0 || !happens (self->random, one_in))
    return;
  for (int i = 0, n = g_rand_int_range (self->random, 1, 4); i < n; i++)
    g_string_append_printf (self->sql, "%s%s%s", i == 0 ? " ORDER BY " : ", ",
                            (const char *) g_ptr_array_index (
                                self->terms, (guint) g_rand_int_range (self->random, 0, (gint32) self->terms->len)),
                            PICK (self->random, directions));
}

static void
add_limit (Maker *self, int one_in)
{
  GRand *random = self->random;

  if (!happens (random, one_in))
    return;
  g_string_append_printf (self->sql, " LIMIT %d", g_rand_int_range (random, 0, 40));
  if (happens (random, 2))
    g_string_append_printf (self->sql, "%s %d", happens (random, 3) ? "," : " OFFSET", g_rand_int_range (random, 0, 9));
}

static void
make_groups (Maker *self)
{
  GRand *random = self->random;
  g_autoptr (GPtrArray) by = g_ptr_array_new ();
  const int n_keys = g_rand_int_range (random, 0, 4);

  g_string_append (self->sql, "SELECT ");
  for (int i = 0; i < n_keys; i++)
    g_ptr_array_add (by, (gpointer) PICK (random, keys));
  for (guint i = 0; i < by->len; i++)
    if (!happens (random, 8))
      add_item (self, g_ptr_array_index (by, i));
  for (int i = 0, n = g_rand_int_range (random, self->n_items == 0, 4); i < n; i++)
    {
      g_autofree char *text = make_aggregate (random);
      add_item (self, text);
    }
  add_source (self);
  for (guint i = 0; i < by->len; i++)
    g_string_append_printf (self->sql, "%s%s", i == 0 ? " GROUP BY " : ", ",
                            happens (random, 6) && self->terms->len > 0
                                ? (const char *) g_ptr_array_index (self->terms, 0)
                                : (const char *) g_ptr_array_index (by, i));
  if (by->len > 0 && happens (random, 4))
    {
      g_autofree char *text =
          happens (random, 3) ? g_strdup (g_ptr_array_index (self->terms, 0)) : make_aggregate (random);
      g_string_append_printf (self->sql, " HAVING %s %s", text, happens (random, 3) ? "<> '10'" : "> 3");
    }
  if (happens (random, 4))
    g_ptr_array_add (self->terms, make_aggregate (random));
  add_order (self, 2);
  add_limit (self, 4);
}

static void
make_rows (Maker *self, gboolean is_distinct)
{
  GRand *random = self->random;

  g_string_append (self->sql, is_distinct ? "SELECT DISTINCT " : "SELECT ");
  if (!is_distinct && happens (random, 6))
    g_string_append (self->sql, "*, ");
  for (int i = 0, n = g_rand_int_range (random, 1, 5); i < n; i++)
    {
      g_autofree char *text = is_distinct ? g_strdup (PICK (random, keys)) : make_row_value (random);
      add_item (self, text);
    }
  add_source (self);
  if (!is_distinct)
    g_ptr_array_add (self->terms, g_strdup (PICK (random, columns)));
  add_order (self, 2);
  add_limit (self, is_distinct ? 3 : strstr (self->sql->str, "ORDER") != NULL ? 1 : 6);
}

char *
random_query (GRand *random)
{
  g_autoptr (GPtrArray) terms = g_ptr_array_new_with_free_func (g_free);
  Maker maker = { .random = random, .sql = g_string_new (NULL), .terms = terms };
  const int kind = g_rand_int_range (random, 0, 6);

  if (kind < 3)
    make_groups (&maker);
  else
    make_rows (&maker, kind == 3);
  return g_string_free (maker.sql, FALSE);
}
