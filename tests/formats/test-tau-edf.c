/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau/edf.h"
#include "src/base/error.h"

#include "tests/require.h"

#include <string.h>

#define HEADER(n) n " dynamic_trace_events\n# FunctionId Group Tag \"Name Type\" Parameters\n"

/* In pieces of @piece bytes. */
static TtTauEdf *
parse (const char *text, gsize len, gsize piece, GError **error)
{
  g_autoptr (TtTauEdf) edf = tt_tau_edf_new ("x.edf");

  for (gsize done = 0; done < len; done += piece)
    if (!tt_tau_edf_feed (edf, text + done, MIN (piece, len - done), error))
      return NULL;
  return tt_tau_edf_end (edf, error) ? g_steal_pointer (&edf) : NULL;
}

static TtTauEdf *
parse_good (const char *text)
{
  g_autoptr (GError) error = NULL;
  TtTauEdf *edf = parse (text, strlen (text), 7, &error);

  g_assert_no_error (error);
  return edf;
}

static void
assert_row (TtTauEdf *edf, gint64 id, TtTauKind kind, const char *group, const char *name)
{
  TtTauRow row;

  if (!tt_tau_edf_find (edf, id, &row))
    {
      g_test_fail_printf ("no row %" G_GINT64_FORMAT, id);
      return;
    }
  g_assert_cmpint (row.kind, ==, kind);
  g_assert_cmpstr (row.group, ==, group);
  g_assert_cmpstr (row.name, ==, name);
}

static void
test_rows (void)
{
  g_autoptr (TtTauEdf) edf =
      parse_good (HEADER ("24") "0 TAUEVENT 0 \".TAU <unknown event>\" TriggerValue\n"
                                "2 TAU_DEFAULT 0 \"main [{/src/a.cpp} {160,0}] \" EntryExit\n"
                                "3 MPI 0 \"MPI_Init()  \" EntryExit\n"
                                "5 TAUEVENT 1 \"PAPI_FP_OPS\" TriggerValue\n"
                                "7 TAUEVENT 0 \"loop \"quoted\" value\" TriggerValue\n"
                                "8 TAUEVENT 0 \"Host | a\" TriggerValue\n"
                                "9 TAUEVENT 0 \"Nothing | \" TriggerValue\n"
                                "10 TAUEVENT 0 \"a|b\" TriggerValue\n"
                                "-11 TAUEVENT 0 \"TauTraceClockOffsetEnd\" TriggerValue\n"
                                "12 A|B 0 \"back\\slash\ttab\" EntryExit  \n"
                                "13 TAU_USER 0 \"FLUSH\" EntryExit\n"
                                "14 TRACER 0 \"FLUSH_ENTER\" none\n"
                                "\n"
                                "# a comment\n"
                                "15 TAU_USER 0 \"odd\" Odd\n"
                                "16 X -9 \"odd\" par\n"
                                "25 MPI 0 \"EV_INIT\" none\n"
                                "60001 TRACER 0 \"FLUSH\" EntryExit\n"
                                "60003 TRACER 0 \"FLUSH_CLOSE\" none\n"
                                "60006 TRACER 0 \"CONT_EVENT\" none\n"
                                "60007 TAU_MESSAGE -7 \"MESSAGE_SEND\" par\n"
                                "60008 TAU_MESSAGE -8 \"MESSAGE_RECV\" par\n"
                                "70004 TAUEVENT 0 \"ONESIDED_MESSAGE\" TriggerValue\n"
                                "70005 TAUEVENT 0 \"ONESIDED_MESSAGE_RECIPROCAL_SEND\" TriggerValue\n"
                                "70006 TAUEVENT 0 \"ONESIDED_MESSAGE_RECIPROCAL_RECV\" TriggerValue");

  assert_row (edf, 0, TT_TAU_VALUE, "TAUEVENT", ".TAU <unknown event>");
  assert_row (edf, 2, TT_TAU_STATE, "TAU_DEFAULT", "main [{/src/a.cpp} {160,0}]");
  assert_row (edf, 3, TT_TAU_STATE, "MPI", "MPI_Init()");
  assert_row (edf, 5, TT_TAU_METRIC, "TAUEVENT", "PAPI_FP_OPS");
  assert_row (edf, 7, TT_TAU_VALUE, "TAUEVENT", "loop \"quoted\" value");
  assert_row (edf, 8, TT_TAU_METADATA, "TAUEVENT", "Host | a");
  assert_row (edf, 9, TT_TAU_METADATA, "TAUEVENT", "Nothing |");
  assert_row (edf, 10, TT_TAU_VALUE, "TAUEVENT", "a|b");
  assert_row (edf, -11, TT_TAU_SINGLE, "TAUEVENT", "TauTraceClockOffsetEnd");
  assert_row (edf, 12, TT_TAU_STATE, "A|B", "back\\slash\ttab");
  assert_row (edf, 13, TT_TAU_STATE, "TAU_USER", "FLUSH");
  assert_row (edf, 14, TT_TAU_FLUSH_ENTER, "TRACER", "FLUSH_ENTER");
  assert_row (edf, 15, TT_TAU_OTHER, "TAU_USER", "odd");
  assert_row (edf, 16, TT_TAU_OTHER, "X", "odd");
  assert_row (edf, 25, TT_TAU_INIT, "MPI", "EV_INIT");
  assert_row (edf, 60001, TT_TAU_FLUSH, "TRACER", "FLUSH");
  assert_row (edf, 60003, TT_TAU_CLOSE, "TRACER", "FLUSH_CLOSE");
  assert_row (edf, 60006, TT_TAU_SILENT, "TRACER", "CONT_EVENT");
  assert_row (edf, 60007, TT_TAU_SEND, "TAU_MESSAGE", "MESSAGE_SEND");
  assert_row (edf, 60008, TT_TAU_RECV, "TAU_MESSAGE", "MESSAGE_RECV");
  assert_row (edf, 70004, TT_TAU_ONESIDED, "TAUEVENT", "ONESIDED_MESSAGE");
  assert_row (edf, 70005, TT_TAU_ONESIDED_SEND, "TAUEVENT", "ONESIDED_MESSAGE_RECIPROCAL_SEND");
  assert_row (edf, 70006, TT_TAU_ONESIDED_RECV, "TAUEVENT", "ONESIDED_MESSAGE_RECIPROCAL_RECV");
  g_assert_false (tt_tau_edf_has (edf, 1));
  g_assert_true (tt_tau_edf_has (edf, 60001));
  g_assert_cmpuint (tt_tau_edf_n_rows (edf), ==, 23);
  const TtRepairs *repairs = tt_tau_edf_repairs (edf);
  g_assert_cmpuint (tt_repairs_total (repairs), ==, 2); /* FLUSH and odd twice */
  g_assert_cmpuint (repairs->count[TT_REPAIR_DUPLICATE_NAME], ==, 2);
}

static void
test_line_ends (void)
{
  g_autoptr (TtTauEdf) edf = parse_good ("2 dynamic_trace_events\r\n#\r\n1 A 0 \"x\" EntryExit\r\n2 A 0 \"y \" none");

  assert_row (edf, 1, TT_TAU_STATE, "A", "x");
  assert_row (edf, 2, TT_TAU_SILENT, "A", "y");
  g_assert_cmpuint (tt_repairs_total (tt_tau_edf_repairs (edf)), ==, 0);
}

static void
test_repairs (void)
{
  static const struct
  {
    const char *rows;
    const char *declared;
    TtRepairKind kind;
    guint64 line; /* 0: no repair at all */
  } cases[] = {
    { "1 A 0 \"x\" none\n", "1", 0, 0 },
    { "1 A 0 \"x\" none\n", "2", 0, 0 },
    { "1 A 0 \"x\" none\n", "3", TT_REPAIR_ROW_COUNT, 1 },
    { "1 A 0 \"x\" none\n2 A 0 \"y\" none\n", "1", TT_REPAIR_ROW_COUNT, 1 },
    { "1 A 0 \"x\" none\n1 A 0 \"y\" none\n", "2", TT_REPAIR_DUPLICATE_ID, 4 },
    { "1 A 0 \"x\" none\n2 B 0 \"x  \" EntryExit\n", "2", TT_REPAIR_DUPLICATE_NAME, 4 },
    { "1 A 0 \"a\nb\" none\n", "1", TT_REPAIR_JOINED_ROW, 3 },
    { "1 A 0 \"x \xff\" none\n", "1", TT_REPAIR_BAD_UTF8, 3 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf ("%s dynamic_trace_events\n#\n%s", cases[i].declared, cases[i].rows);
      g_autoptr (TtTauEdf) edf = parse_good (text);
      if (edf == NULL)
        continue;
      const TtRepairs *repairs = tt_tau_edf_repairs (edf);
      g_assert_cmpuint (tt_repairs_total (repairs), ==, cases[i].line != 0);
      if (cases[i].line != 0)
        {
          g_assert_cmpuint (repairs->count[cases[i].kind], ==, 1);
          g_assert_cmpuint (repairs->first_offset[cases[i].kind], ==, cases[i].line);
        }
    }

  /* The first definition of an id counts; bytes that are not UTF-8 become a replacement character. */
  g_autoptr (TtTauEdf) first = parse_good (HEADER ("2") "1 A 0 \"x\" none\n1 A 0 \"y\" EntryExit\n");
  assert_row (first, 1, TT_TAU_SILENT, "A", "x");
  g_autoptr (TtTauEdf) mended = parse_good (HEADER ("1") "1 A\xfe 0 \"x\xff y\" EntryExit\n");
  assert_row (mended, 1, TT_TAU_STATE, "A\xef\xbf\xbd", "x\xef\xbf\xbd y");
}

static void
test_joined_rows (void)
{
  g_autoptr (TtTauEdf) edf =
      parse_good (HEADER ("4") "1 TAUEVENT 0 \"Command | first\n\n# second\n\"third\" 4 x\" TriggerValue\n"
                               "2 TAU_USER 0 \"plain\" EntryExit\n"
                               "3 TAU_USER 0 \"odd\" Odd\n"
                               "4 TAUEVENT 0 \"q \"a\nb\" c\" TriggerValue\n");

  assert_row (edf, 1, TT_TAU_METADATA, "TAUEVENT", "Command | first\n\n# second\n\"third\" 4 x");
  assert_row (edf, 2, TT_TAU_STATE, "TAU_USER", "plain");
  assert_row (edf, 3, TT_TAU_OTHER, "TAU_USER", "odd");
  assert_row (edf, 4, TT_TAU_VALUE, "TAUEVENT", "q \"a\nb\" c");
}

static void
test_errors (void)
{
  static const struct
  {
    const char *text, *message;
  } cases[] = {
    { "", "x.edf: an empty definition file" },
    { "\n", "x.edf: line 1: not the definitions*" },
    { "hello", "x.edf: line 1: not the definitions*" },
    { "17 dynamic", "x.edf: line 1: not the definitions*" },
    { "17\n1 A name 0 EntryExit\n", "x.edf: line 1: static definitions*not supported" },
    { "-1 dynamic_trace_events\n", "x.edf: line 1: a negative number of rows" },
    { "99999999999999 dynamic_trace_events\n", "x.edf: line 1: *absurd" },
    { "99999999999999999999 dynamic_trace_events\n", "x.edf: line 1: not the definitions*" },
    { HEADER ("1") "1 A 0 name EntryExit\n", "x.edf: line 3: the row has no name in double quotes" },
    { HEADER ("1") "1 A 0 \"name EntryExit\n2 A 0 \"n\" none\n", "x.edf: line 3: the row has no closing double quote" },
    { HEADER ("1") "1 A 0 \"name", "x.edf: line 3: the row has no closing double quote" },
    { HEADER ("1") "x A 0 \"name\" none\n", "x.edf: line 3: the row does not begin with an event id" },
    { HEADER ("1") "99999999999999999999 A 0 \"name\" none\n",
      "x.edf: line 3: the row does not begin with an event id" },
    { HEADER ("1") "1 \"name\" none\n", "x.edf: line 3: the row has no group*" },
    { HEADER ("1") "1 A \"name\" none\n", "x.edf: line 3: the row has no tag*" },
    { HEADER ("1") "1 A x \"name\" none\n", "x.edf: line 3: the row has no tag*" },
    { HEADER ("1") "1 A 0 x \"name\" none\n", "x.edf: line 3: the row has more than*" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TtTauEdf) edf = parse (cases[i].text, strlen (cases[i].text), 5, &error);
      g_assert_null (edf);
      require_error (error, TT_ERROR, TT_ERROR_FORMAT);
      if (error != NULL && !g_pattern_match_simple (cases[i].message, error->message))
        g_test_fail_printf ("%s: %s", cases[i].text, error->message);
    }

  static const char nul[] = HEADER ("1") "1 A 0 \"a\0b\" none\n";
  g_autoptr (GError) error = NULL;
  g_assert_null (parse (nul, sizeof nul - 1, 1000, &error));
  g_assert_true (error != NULL && strcmp (error->message, "x.edf: line 3: a NUL byte") == 0);
}

static void
test_long_lines (void)
{
  g_autofree char *name = g_strnfill (60000, 'x');
  g_autofree char *good = g_strdup_printf (HEADER ("1") "1 A 0 \"%s\" EntryExit\n", name);
  g_autofree char *bad = g_strdup_printf (HEADER ("1") "1 A 0 \"%s%s\" EntryExit\n", name, name);
  g_autoptr (TtTauEdf) edf = parse_good (good);
  g_autoptr (GError) error = NULL;

  assert_row (edf, 1, TT_TAU_STATE, "A", name);
  g_assert_null (parse (bad, strlen (bad), 4096, &error));
  g_assert_true (error != NULL && g_str_has_prefix (error->message, "x.edf: line 3: the line is longer"));

  /* Lines without end joined to one row. */
  g_clear_error (&error);
  g_autoptr (GString) endless = g_string_new (HEADER ("1") "1 A 0 \"");
  for (guint i = 0; i < 100; i++)
    g_string_append_printf (endless, "%.8000s\n", name);
  g_assert_null (parse (endless->str, endless->len, 4096, &error));
  g_assert_true (error != NULL && strcmp (error->message, "x.edf: line 3: the row is too long") == 0);
}

/* More rows than the tables keep in memory. */
static void
test_many_rows (void)
{
  g_autoptr (TtTauEdf) edf = tt_tau_edf_new ("x.edf");
  const guint n = 300000;
  char line[128];

  g_snprintf (line, sizeof line, "%u dynamic_trace_events\n", n);
  g_assert_true (tt_tau_edf_feed (edf, line, strlen (line), NULL));
  for (guint i = 0; i < n; i++)
    {
      g_snprintf (line, sizeof line, "%u TAU_USER 0 \"function %u(int)\" EntryExit\n", i * 7, i);
      if (!tt_tau_edf_feed (edf, line, strlen (line), NULL))
        g_test_fail ();
    }
  g_assert_true (tt_tau_edf_end (edf, NULL));
  for (guint i = 0; i < n; i += 11)
    {
      g_snprintf (line, sizeof line, "function %u(int)", i);
      assert_row (edf, i * 7, TT_TAU_STATE, "TAU_USER", line);
    }
  g_assert_false (tt_tau_edf_has (edf, 1));
  g_assert_cmpuint (tt_repairs_total (tt_tau_edf_repairs (edf)), ==, 0);
}

/* Ids from every corner; what one means takes the place of its row, and only of that. */
static void
test_resolve (void)
{
  static const gint64 ids[] = { 0, 1, 8191, 8192, 8388607, 8388608, -1, G_MAXINT64, G_MININT64 };
  g_autoptr (GString) text = g_string_new (HEADER ("9"));
  TtTauKind kind;
  guint32 value;

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    g_string_append_printf (text, "%" G_GINT64_FORMAT " G 0 \"f %u\" EntryExit\n", ids[i], i);
  g_autoptr (TtTauEdf) edf = parse_good (text->str);
  require_nonnull (edf);
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_autofree char *name = g_strdup_printf ("f %u", i);

      assert_row (edf, ids[i], TT_TAU_STATE, "G", name);
      g_assert_false (tt_tau_edf_get_resolved (edf, ids[i], &kind, &value));
      tt_tau_edf_resolve (edf, ids[i], TT_TAU_FLUSH, G_MAXUINT32 - i);
    }
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      TtTauRow row;

      g_assert_true (tt_tau_edf_get_resolved (edf, ids[i], &kind, &value));
      g_assert_cmpint (kind, ==, TT_TAU_FLUSH);
      g_assert_cmpuint (value, ==, G_MAXUINT32 - i);
      g_assert_cmpint (tt_tau_edf_kind (edf, ids[i]), ==, TT_TAU_FLUSH);
      g_assert_false (tt_tau_edf_find (edf, ids[i], &row));
    }
  g_assert_false (tt_tau_edf_get_resolved (edf, 2, &kind, &value));
  g_assert_cmpint (tt_tau_edf_kind (edf, 2), ==, TT_TAU_NOT_DEFINED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/tau/edf/rows", test_rows);
  g_test_add_func ("/tau/edf/line-ends", test_line_ends);
  g_test_add_func ("/tau/edf/repairs", test_repairs);
  g_test_add_func ("/tau/edf/joined-rows", test_joined_rows);
  g_test_add_func ("/tau/edf/errors", test_errors);
  g_test_add_func ("/tau/edf/long-lines", test_long_lines);
  g_test_add_func ("/tau/edf/many-rows", test_many_rows);
  g_test_add_func ("/tau/edf/resolve", test_resolve);
  return g_test_run ();
}
