/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/select/selection.h"

#include <glib/gstdio.h>
#include <string.h>

#include "src/base/error.h"
#include "src/base/failure.h"
#include "src/store/import/import.h"

#include "tests/require.h"

static const TtStoredName names[] = {
  { 1, "COMP", "main", NULL, NULL, "COMP.main", "int main(int, char **) C", "TAU_DEFAULT", "main.c", 10, FALSE },
  { 2, "Comm", "MPI_Send", "SEND", NULL, "Comm.MPI_Send.SEND", "MPI_Send()", "MPI", NULL, 0, FALSE },
  { 3, "Comm", "MPI_Recv", "RECV", "0_1", "Comm.MPI_Recv.RECV", "MPI_Recv()", "MPI", NULL, 0, FALSE },
  { 4, "COMP", "f(int, int)", NULL, NULL, "COMP.f(int, int)", "f(int, int)", "TAU_USER|MPI", "\xff.c", 7, FALSE },
};
static TtProcess processes[] = { { 1, (char *) "node0", NULL, NULL, 0 },
                                 { 2, (char *) "node1", NULL, NULL, 1 },
                                 { 3, (char *) "gpu", NULL, NULL, -1 } };
static const TtThread threads[] = { { 1, 1, (char *) "0", NULL, 0 },
                                    { 2, 2, (char *) "0", NULL, 0 },
                                    { 3, 2, (char *) "1", NULL, 1 },
                                    { 4, 3, (char *) "stream 7", NULL, 0 } };

#define FIRST_NS G_GINT64_CONSTANT (1000000)

/* id, source, thread, name, depth, flags, step, ts, dur, self */
static const TtEvent events[] = {
  { 1, 1, 1, 1, 0, 0, TT_NO_STEP, FIRST_NS, 100000, 100000, 40000, NULL },
  { 2, 1, 1, 2, 1, TT_FLAG_COLLECTIVE, 0, FIRST_NS + 10000, 2500, 2500, 2500, NULL },
  { 3, 1, 2, 3, 1, TT_FLAG_UNCLOSED | TT_FLAG_INFERRED, 1, FIRST_NS + 20000, 0, 0, 0, NULL },
  { 4, 1, 3, 4, 2, TT_FLAG_UNCLOSED, 2, FIRST_NS + 30000, 5000, 5000, 5000, NULL },
  { 5, 1, 4, 1, 0, 0, 7, FIRST_NS + 40000, TT_NO_TIME, TT_NO_TIME, 0, NULL },
};

static void
bind (TtSelection *selection)
{
  tt_selection_bind_first_time (selection, FIRST_NS);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    tt_selection_bind_name (selection, names[i].id, &names[i]);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    tt_selection_bind_thread (selection, threads[i].id, &threads[i], &processes[threads[i].process - 1]);
}

/* The ids of the events that pass, as text: "1245". Twice, since answers are remembered. */
static char *
passing (const TtSelection *selection)
{
  char ids[2][G_N_ELEMENTS (events) + 1] = { "", "" };

  for (guint round = 0; round < 2; round++)
    for (guint i = 0; i < G_N_ELEMENTS (events); i++)
      if (tt_selection_matches (selection, &events[i]))
        ids[round][strlen (ids[round])] = (char) ('1' + i);
  g_assert_cmpstr (ids[0], ==, ids[1]);
  return g_strdup (ids[0]);
}

static void
test_filters (void)
{
  static const struct
  {
    const char *filter, *ids;
  } cases[] = {
    { "op_cat=Comm", "23" },
    { "op_cat = Comm", "23" },
    { "  op_cat != Comm ", "145" },
    { "op_cat=Comm,COMP", "12345" },
    { "op_cat=comm", "" },
    { "op_name=MPI_Send, main", "125" },
    { "name=COMP.f(int, int)", "4" },
    { "name!=COMP.f(int, int)", "1235" },
    { "sub_op=SEND", "2" },
    { "sub_op=", "145" },
    { "sub_op!=", "23" },
    { "suffix=0_1", "3" },
    { "raw_name~^MPI_(Send|Recv)", "23" },
    { "raw_name !~ MPI", "145" },
    { "native_group~MPI", "234" },
    { "native_group=MPI", "23" },
    { "file=main.c", "15" },
    { "file~\\.c$", "145" },
    { "line<10", "4" },
    { "line=10", "15" },
    { "line=", "23" },
    { "pid=node1", "34" },
    { "pid~^node", "1234" },
    { "tid=0", "123" },
    { "tid=stream 7", "5" },
    { "rank=1", "34" },
    { "rank>0", "34" },
    { "rank<5", "1234" },
    { "rank!=0", "345" },
    { "rank=", "5" },
    { "op_long_name=node0->COMP.main", "1" },
    { "op_long_name=gpu->COMP.main,node1->Comm.MPI_Recv.RECV~>0_1", "35" },
    { "op_long_name!=gpu->COMP.main", "1234" },
    { "op_long_name~^node.*main", "1" },
    { "op_long_name!~main", "234" },
    { "step=0,2", "24" },
    { "step>0", "345" },
    { "step=", "1" },
    { "step!=1", "1245" },
    { "depth<1", "15" },
    { "depth=1,2", "234" },
    { "dur>2.5", "14" },
    { "dur<2.5", "3" },
    { "dur>=2.5", "124" },
    { "dur<=2.5", "23" },
    { "step>=1", "345" },
    { "depth <= 1", "1235" },
    { "dur=2.5", "2" },
    { "dur=2.5,0", "23" },
    { "dur=", "5" },
    { "dur!=2.5", "1345" },
    { "self>4.999", "14" },
    { "ts<10", "1" },
    { "ts>10", "345" },
    { "ts=1e1", "2" },
    { "flags=unclosed", "34" },
    { "flags=inferred,collective", "23" },
    { "flags!=unclosed", "125" },
    { "flags=", "15" },
    { "flags~^unclosed$", "4" },
    { "flags~unclosed", "34" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TtSelection) selection =
          tt_selection_new ((const char *const[]){ cases[i].filter, NULL }, NULL, TT_UNIT_US, &error);

      if (selection == NULL)
        {
          g_test_fail_printf ("%s: %s", cases[i].filter, error->message);
          continue;
        }
      bind (selection);
      g_assert_false (tt_selection_is_everything (selection));
      g_autofree char *ids = passing (selection);
      if (strcmp (ids, cases[i].ids) != 0)
        g_test_fail_printf ("%s: '%s', expected '%s'", cases[i].filter, ids, cases[i].ids);
    }
}

static void
test_repeats (void)
{
  static const char *const filters[] = { "op_cat=COMP", "pid~^node", "dur>5", NULL };
  g_autoptr (TtSelection) selection = tt_selection_new (filters, NULL, TT_UNIT_US, NULL);

  bind (selection);
  g_autofree char *ids = passing (selection);
  g_assert_cmpstr (ids, ==, "1");
}

static void
test_units (void)
{
  g_autoptr (TtSelection) selection =
      tt_selection_new ((const char *const[]){ "dur>0.05", NULL }, "0.03:", TT_UNIT_MS, NULL);

  bind (selection);
  g_autofree char *ids = passing (selection);
  g_assert_cmpstr (ids, ==, "1");
}

static void
test_windows (void)
{
  static const struct
  {
    const char *window, *ids;
    gint64 begin, end; /* from the first event; only compared when not 0 */
  } cases[] = {
    { "0:10", "1", 0, 10000 },
    { "0:10.001", "12", 0, 10001 },
    { "12.5:20", "1", 12500, 20000 },
    { "12.499:20", "12", 12499, 20000 },
    { "20:20.001", "13", 20000, 20001 },
    { "40:41", "15", 40000, 41000 },
    { "40.001:", "1", 40001, 0 },
    { "100:", "", 100000, 0 },
    { ":0.001", "1", 0, 1 },
    { ":", "12345", 0, 0 },
    { " 30 : 40 ", "14", 30000, 40000 },
    { "-5:1e-3", "1", -5000, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TtSelection) selection = tt_selection_new (NULL, cases[i].window, TT_UNIT_US, &error);
      gint64 begin, end;

      require_no_error (error);
      if (selection == NULL)
        continue;
      bind (selection);
      g_assert_true (tt_selection_has_window (selection));
      g_autofree char *ids = passing (selection);
      if (strcmp (ids, cases[i].ids) != 0)
        g_test_fail_printf ("%s: '%s', expected '%s'", cases[i].window, ids, cases[i].ids);
      tt_selection_window (selection, &begin, &end);
      if (cases[i].begin != 0)
        g_assert_cmpint (begin, ==, FIRST_NS + cases[i].begin);
      if (cases[i].end != 0)
        g_assert_cmpint (end, ==, FIRST_NS + cases[i].end);
    }
}

static void
test_clip (void)
{
  g_autoptr (TtSelection) window = tt_selection_new (NULL, "10:20", TT_UNIT_US, NULL);
  g_autoptr (TtSelection) everything = tt_selection_new (NULL, NULL, TT_UNIT_US, NULL);
  gint64 begin, end;

  bind (window);
  g_assert_cmpint (tt_selection_clip (window, FIRST_NS, 100000), ==, 10000);
  g_assert_cmpint (tt_selection_clip (window, FIRST_NS, 15000), ==, 5000);
  g_assert_cmpint (tt_selection_clip (window, FIRST_NS + 12000, 3000), ==, 3000);
  g_assert_cmpint (tt_selection_clip (window, FIRST_NS + 12000, 30000), ==, 8000);
  g_assert_cmpint (tt_selection_clip (window, FIRST_NS, 10000), ==, 0);
  g_assert_cmpint (tt_selection_clip (window, FIRST_NS + 20000, 1), ==, 0);
  g_assert_cmpint (tt_selection_clip (window, FIRST_NS, G_MAXINT64), ==, 10000);
  g_assert_cmpint (tt_selection_clip (window, G_MININT64, G_MAXINT64), ==, 0);

  bind (everything);
  g_assert_true (tt_selection_is_everything (everything));
  g_assert_false (tt_selection_has_window (everything));
  g_assert_cmpint (tt_selection_clip (everything, G_MAXINT64, 5), ==, 5);
  tt_selection_window (everything, &begin, &end);
  g_assert_cmpint (begin, ==, G_MININT64);
  g_assert_cmpint (end, ==, G_MAXINT64);
  g_autofree char *ids = passing (everything);
  g_assert_cmpstr (ids, ==, "12345");
}

static void
test_points (void)
{
  static const char *const filters[] = { "pid=node1", "op_cat=Comm", "dur>5", "ts<25", NULL };
  g_autoptr (TtSelection) selection = tt_selection_new (filters, "10:30", TT_UNIT_US, NULL);

  bind (selection);
  g_assert_true (tt_selection_matches_point (selection, 2, FIRST_NS + 10000));
  g_assert_true (tt_selection_matches_point (selection, 3, FIRST_NS + 24999));
  g_assert_false (tt_selection_matches_point (selection, 3, FIRST_NS + 25000));
  g_assert_false (tt_selection_matches_point (selection, 2, FIRST_NS + 9999));
  g_assert_false (tt_selection_matches_point (selection, 1, FIRST_NS + 10000));
  g_assert_false (tt_selection_matches_point (selection, 99, FIRST_NS + 10000));
}

/* Three spans of two processes in a database. */
static gboolean
write_store (const char *path, GError **error)
{
  TtNameRules *rules = tt_name_rules_load (NULL, error);

  if (rules == NULL)
    return FALSE;

  TtStoreImportOptions options = { .command = "test" };
  g_autoptr (TtStoreImport) import = tt_store_import_begin (path, &options, tt_names_new (rules), error);
  if (import == NULL)
    return FALSE;

  g_autoptr (TtSink) sink = tt_store_import_sink (import);
  tt_sink_begin_source (sink, "test", "test.trc", TT_CLOCK_RELATIVE);
  for (guint i = 0; i < 3; i++)
    {
      guint32 process = tt_sink_process (sink, i < 2 ? "node0" : "node1", NULL, NULL, i < 2 ? 0 : 1);
      guint32 thread = tt_sink_thread (sink, process, "0", NULL, 0);
      guint32 name = tt_sink_name (sink, &(TtRawName){ .raw = i == 1 ? "second" : "first" });

      tt_sink_event (sink, thread, name, FIRST_NS + i * 1000, 500, 500, 0, 0, TT_NO_STEP, 0);
    }
  tt_sink_end_source (sink, 1, "hash", TT_CLOCK_RELATIVE);
  return tt_sink_finish (sink, error) && tt_store_import_join (import, error) && tt_store_import_commit (import, error);
}

static void
check_store (TtStore *store, const char *filter, const char *window, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TtSelection) selection =
      tt_selection_new ((const char *const[]){ filter, NULL }, window, TT_UNIT_US, &error);
  char ids[8] = "";
  TtEvent event;

  require_no_error (error);
  g_assert_true (tt_selection_bind (selection, store, &error));
  require_no_error (error);
  TtEventScan *scan = tt_event_scan_new (store, TT_SCAN_DEFAULT, &error);
  require_no_error (error);
  while (tt_event_scan_next (scan, &event))
    if (tt_selection_matches (selection, &event) && strlen (ids) < sizeof ids - 1)
      ids[strlen (ids)] = (char) ('0' + event.id);
  g_assert_true (tt_event_scan_finish (scan, &error));
  g_assert_cmpstr (ids, ==, expected);
}

static void
test_store (void)
{
  g_autofree char *folder = g_dir_make_tmp ("test-selection-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "trace.db", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (write_store (path, &error));
  require_no_error (error);
  TtStore *store = tt_store_open (path, &error);
  require_no_error (error);
  if (store != NULL)
    {
      check_store (store, NULL, NULL, "123");
      check_store (store, "op_name=first", NULL, "13");
      check_store (store, "rank=1", NULL, "3");
      check_store (store, "op_long_name~^node0.*first$", NULL, "1");
      check_store (store, "op_long_name!~^node0.*first$", NULL, "23");
      check_store (store, "ts>0", NULL, "23");
      check_store (store, NULL, "0:1.5", "12");
      check_store (store, "op_name=nothing", "0:1.5", "");
    }
  tt_store_free (store);
  g_unlink (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* A search that gives up is no answer: neither "it is not there" nor, of !~, "it is". */
static void
test_giving_up (void)
{
  static const struct
  {
    const char *filter, *expression, *shown;
  } cases[] = {
    { "name~(a+)+c|b0$", "'(a+)+c|b0$'", "'COMP.aaaaaaaaaaaaaaaaaaaaaaaaaaaaab0'" },
    { "name!~(a+)+$", "'(a+)+$'", "'COMP.aaaaaaaaaaaaaaaaaaaaaaaaaaaaab0'" },
    { "op_long_name~(a+)+$", "'(a+)+$'", "'node0->COMP.aaaaaaaaaaaaaaaaaaaaaaaaaaaaab0'" },
    { "file~^(\\S|.)+[!?]$", "'^(\\S|.)+[!?]$'", "aaaaaaaaaa...'" },
  };
  g_autofree char *file = g_strnfill (200, 'a');
  const TtStoredName name = { .id = 1, .op_cat = "COMP", .text = "COMP.aaaaaaaaaaaaaaaaaaaaaaaaaaaaab0", .file = file };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL, failure = NULL;
      const char *const filters[] = { cases[i].filter, NULL };
      g_autoptr (TtSelection) selection = tt_selection_new (filters, NULL, TT_UNIT_US, &error);

      require_no_error (error);
      bind (selection);
      g_assert_true (tt_failure_check (&failure));
      tt_selection_bind_name (selection, 1, &name);
      tt_selection_matches (selection, &events[0]);
      g_assert_false (tt_failure_check (&failure));
      tt_failure_forget ();
      require_error (failure, TT_ERROR, TT_ERROR_INPUT);
      g_assert_nonnull (strstr (failure->message, cases[i].expression));
      g_assert_nonnull (strstr (failure->message, cases[i].shown));
    }
}

static void
test_errors (void)
{
  static const struct
  {
    const char *filter, *window, *phrase;
  } cases[] = {
    { "opcat=Comm", NULL, "no field 'opcat'; did you mean 'op_cat'?" },
    { "durration>5", NULL, "did you mean 'dur" },
    { "zzz=1", NULL, "the fields are pid, tid, rank" },
    { "op_cat", NULL, "is not FIELD OP VALUE" },
    { "", NULL, "is not FIELD OP VALUE" },
    { "=5", NULL, "is not FIELD OP VALUE" },
    { "dur=>5", NULL, "'>5' is not a number" },
    { "op_cat==Comm", NULL, "the operators are" },
    { "dur>5 minutes", NULL, "'5 minutes' is not a time; its unit is ns, us, ms or s" },
    { "dur>5,6", NULL, "'5,6' is not a number" },
    { "dur>", NULL, "'' is not a number" },
    { "dur>1e30", NULL, "too large" },
    { "depth<1.5", NULL, "'1.5' is not a whole number" },
    { "depth=1,x", NULL, "'x' is not a whole number" },
    { "dur~5", NULL, "field 'dur' is a number; it takes = != < > <= >=" },
    { "name<5", NULL, "field 'name' is text; it takes = != ~ !~" },
    { "name~(", NULL, "filter 'name~('" },
    { "name~\xff", NULL, "not UTF-8" },
    { "flags=unclosd", NULL, "no flag 'unclosd'; did you mean 'unclosed'?" },
    { NULL, "5", "is not BEGIN:END" },
    { NULL, "1:2:3", "is not BEGIN:END" },
    { NULL, "x:2", "'x' is not a number" },
    { NULL, "1:y", "'y' is not a number" },
    { NULL, "5:5", "is empty" },
    { NULL, "5:4", "is empty" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TtSelection) selection =
          tt_selection_new ((const char *const[]){ cases[i].filter, NULL }, cases[i].window, TT_UNIT_US, &error);

      g_assert_null (selection);
      require_error (error, TT_ERROR, TT_ERROR_USAGE);
      if (error != NULL && strstr (error->message, cases[i].phrase) == NULL)
        g_test_fail_printf ("'%s' is not in: %s", cases[i].phrase, error->message);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/selection/filters", test_filters);
  g_test_add_func ("/selection/repeated-filters-mean-and", test_repeats);
  g_test_add_func ("/selection/times-are-in-the-unit", test_units);
  g_test_add_func ("/selection/time-windows-are-half-open", test_windows);
  g_test_add_func ("/selection/clips-durations", test_clip);
  g_test_add_func ("/selection/points", test_points);
  g_test_add_func ("/selection/of-a-store", test_store);
  g_test_add_func ("/selection/searches-that-give-up-are-errors", test_giving_up);
  g_test_add_func ("/selection/errors-help", test_errors);
  return g_test_run ();
}
