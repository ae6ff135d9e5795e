/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/formats/tau-log.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* -- broken and odd traces ------------------------------------------------------------------------------------ */

static void
empty_and_cut (TauFiles *fixture, gconstpointer data)
{
  g_autoptr (TauLog) log = tau_log_new (TRUE);
  int n;

  Ttf_FileHandleT file = tau_open_trace (fixture, g_byte_array_new (), TAU_EDF);
  g_assert_cmpint (tau_read_rest (file, log, NULL), ==, 0);
  g_assert_cmpstr (tau_log_text (log), ==, "CLK 9.9999999999999995e-07\n");
  Ttf_CloseFile (file);

  for (int cut = 0; cut < 24; cut++)
    {
      GByteArray *bytes = tau_begin_trace ();
      for (int i = 0; i < 1500; i++)
        tau_put_record (bytes, 1, 0, 0, i % 2 == 0 ? 1 : -1, 1001 + (guint64) i);
      g_byte_array_append (bytes, (const guint8 *) "leftover bytes of a record", (guint) cut);
      file = tau_open_trace (fixture, bytes, TAU_EDF);
      g_assert_cmpint (tau_read_rest (file, log, &n), ==, 0);
      g_assert_cmpint (n, ==, 1501);
      Ttf_SetHabits (file, TTF_HABIT_CHUNKS);
      Ttf_AbsSeek (file, 0);
      g_assert_cmpint (Ttf_ReadNumEvents (file, log->callbacks, 5000), ==, 1024);
      g_assert_cmpint (Ttf_ReadNumEvents (file, log->callbacks, 5000), ==, cut == 0 ? 477 : 0);
      Ttf_CloseFile (file);
    }
}

static void
growing (TauFiles *fixture, gconstpointer data)
{
  g_autoptr (TauLog) log = tau_log_new (FALSE);
  Ttf_FileHandleT file = tau_open_trace (fixture, g_byte_array_new (), TAU_EDF);
  g_autoptr (GByteArray) bytes = tau_begin_trace ();

  g_assert_cmpint (Ttf_ReadNumEvents (file, log->callbacks, 10), ==, 0);
  int fd = g_open (fixture->trc, O_WRONLY | O_APPEND, 0600);
  tau_put_record (bytes, 1, 0, 0, 1, 1001);
  g_assert_cmpint (write (fd, bytes->data, 30), ==, 30);
  g_assert_cmpint (Ttf_ReadNumEvents (file, log->callbacks, 10), ==, 1);
  g_assert_cmpint (write (fd, bytes->data + 30, 18), ==, 18);
  g_assert_cmpint (Ttf_ReadNumEvents (file, log->callbacks, 10), ==, 1);
  g_assert_cmpstr (tau_log_text (log), ==, "ENTER 1 0 0 1\n");
  close (fd);
  Ttf_CloseFile (file);
}

static void
unknown_ids (TauFiles *fixture, gconstpointer data)
{
  g_autoptr (TauLog) log = tau_log_new (TRUE);
  GByteArray *bytes = tau_begin_trace ();

  tau_put_record (bytes, 1, 0, 0, 1, 1001);
  tau_put_record (bytes, 99, 0, 0, 1, 1002);
  tau_put_record (bytes, 1, 0, 0, -1, 1003);
  tau_put_record (bytes, -5, 0, 0, -1, 1003);
  Ttf_FileHandleT file = tau_open_trace (fixture, bytes, TAU_EDF);
  g_assert_cmpint (Ttf_ReadNumEvents (file, log->callbacks, 10), ==, -1);
  g_assert_true (g_str_has_suffix (tau_log_text (log), "ENTER 1 0 0 1\n"));

  /* TAU writes definitions while it runs. */
  g_assert_true (g_file_set_contents (
      fixture->edf, TAU_EDF "\n99 TAU_USER 0 \"late\" EntryExit\n-5 TAU_USER 0 \"odd\" EntryExit\n", -1, NULL));
  tau_log_empty (log);
  g_assert_cmpint (Ttf_RelSeek (file, -1), ==, 2);
  g_assert_cmpint (tau_read_rest (file, log, NULL), ==, 0);
  g_assert_cmpstr (
      tau_log_text (log), ==,
      "STATE 99 2 \"late\"\nSTATE 4294967291 2 \"odd\"\nENTER 2 0 0 99\nLEAVE 3 0 0 1\nLEAVE 3 0 0 4294967291\n");
  Ttf_CloseFile (file);

  /* What is no definition file defines nothing. */
  file = tau_open_trace (fixture, tau_begin_trace (), "1 TAU_USER 0 main EntryExit\n");
  g_assert_cmpint (Ttf_ReadNumEvents (file, log->callbacks, 10), ==, -1);
  g_assert_cmpint (Ttf_ReadNumEvents (file, log->callbacks, 10), ==, 0);
  Ttf_CloseFile (file);
  g_assert_null (Ttf_OpenFileForInput (fixture->trc, "/nowhere/at/all.edf"));
  g_assert_null (Ttf_OpenFileForInput (fixture->folder, fixture->edf));
  g_assert_null (Ttf_OpenFileForInput (fixture->trc, NULL));
}

static void
habits (TauFiles *fixture, gconstpointer data)
{
  g_autoptr (TauLog) log = tau_log_new (TRUE);
  GByteArray *bytes = tau_begin_trace ();

  tau_put_record (bytes, 7, 0, 0, 42, 1001);
  tau_put_record (bytes, 60001, 0, 0, 1, 1002);
  Ttf_FileHandleT file = tau_open_trace (fixture, bytes, TAU_EDF "\n");
  g_assert_cmpint (tau_read_rest (file, log, NULL), ==, 0);
  g_assert_cmpstr (
      tau_log_text (log), ==,
      "CLK 9.9999999999999995e-07\nUEVENT 0 0 \".TAU <unknown event>\"\nGROUP 2 TAU_USER\nSTATE 1 2 \"main \"\n"
      "STATE 60001 3 \"FLUSH\"\nTHREAD 0 0 process 0:0\nENTER 2 0 0 60001\n");
  Ttf_CloseFile (file);

  file = Ttf_OpenFileForInput (fixture->trc, fixture->edf);
  Ttf_SetHabits (file, 0);
  Ttf_SetSubtractFirstTimestamp (file, 0);
  Ttf_SetNonBlocking (file, 1);
  tau_log_empty (log);
  g_assert_cmpint (tau_read_rest (file, log, NULL), ==, 0);
  g_assert_cmpstr (
      tau_log_text (log), ==,
      "CLK 9.9999999999999995e-07\nUEVENT 0 0 \".TAU <unknown event>\"\nGROUP 2 TAU_USER\nSTATE 1 2 \"main \"\n"
      "UEVENT 7 0 \"loop \"quoted\" value\"\nGROUP 3 TRACER\n"
      "STATE 60001 3 \"FLUSH\"\nTHREAD 0 0 process 0:0\nTRIG 1001 0 0 7 42\nENTER 1002 0 0 60001\n");
  Ttf_CloseFile (file);
}

/* -- several readings -------------------------------------------------------------------------------------------- */

static void
announced_again (TauFiles *fixture, gconstpointer data)
{
  g_autofree char *trc = g_build_filename (g_getenv ("TRACETOOL_DATA"), "tau-merged", "run.trc", NULL);
  g_autofree char *edf = g_build_filename (g_getenv ("TRACETOOL_DATA"), "tau-merged", "run.edf", NULL);
  g_autoptr (TauLog) one = tau_log_new (TRUE);
  g_autoptr (TauLog) two = tau_log_new (TRUE);
  Ttf_FileHandleT a = Ttf_OpenFileForInput (trc, edf), b = Ttf_OpenFileForInput (trc, edf);

  g_assert_cmpint (tau_read_rest (a, one, NULL), ==, 0);
  g_assert_cmpint (tau_read_rest (b, two, NULL), ==, 0);
  g_assert_cmpstr (tau_log_text (one), ==, tau_log_text (two));

  tau_log_empty (two);
  Ttf_AbsSeek (b, 0);
  g_assert_cmpint (tau_read_rest (b, two, NULL), ==, 0);
  g_assert_cmpuint (tau_log_len (two), <, tau_log_len (one));
  g_assert_null (strstr (tau_log_text (two), "STATE"));

  tau_log_empty (two);
  Ttf_SetReannounce (b, 1);
  Ttf_AbsSeek (b, 0);
  g_assert_cmpint (tau_read_rest (b, two, NULL), ==, 0);
  g_assert_cmpstr (tau_log_text (one), ==, tau_log_text (two));
  Ttf_CloseFile (a);
  Ttf_CloseFile (b);
}

static gpointer
read_in_thread (gpointer data)
{
  g_autofree char *trc = g_build_filename (g_getenv ("TRACETOOL_DATA"), "tau-merged", "run.trc", NULL);
  g_autofree char *edf = g_build_filename (g_getenv ("TRACETOOL_DATA"), "tau-merged", "run.edf", NULL);
  g_autoptr (TauLog) log = tau_log_new (TRUE);

  for (int i = 0; i < 5; i++)
    {
      Ttf_FileHandleT file = Ttf_OpenFileForInput (trc, edf);
      tau_log_empty (log);
      g_assert_cmpint (tau_read_rest (file, log, NULL), ==, 0);
      Ttf_CloseFile (file);
    }
  return g_strdup (tau_log_text (log));
}

static void
several_threads (void)
{
  GThread *threads[4];
  char *texts[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("reader", read_in_thread, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    texts[i] = g_thread_join (threads[i]);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      g_assert_cmpstr (texts[i], ==, texts[0]);
      if (i > 0)
        g_free (texts[i]);
    }
  g_free (texts[0]);
}

/* -- writing ---------------------------------------------------------------------------------------------------- */

static void
write_and_read (TauFiles *fixture, gconstpointer data)
{
  g_autoptr (TauLog) log = tau_log_new (TRUE);
  g_autofree char *edf = NULL;
  gsize len;
  Ttf_FileHandleT out = Ttf_OpenFileForOutput (fixture->trc, fixture->edf);

  g_assert_nonnull (out);
  g_assert_cmpint (Ttf_DefClkPeriod (out, 1e-6), ==, 0);
  g_assert_cmpint (Ttf_DefThread (out, 2, 1, "worker"), ==, 0);
  g_assert_cmpint (Ttf_DefThread (out, 65536, 1, "no such node"), ==, -1);
  g_assert_cmpint (Ttf_DefStateGroup (out, "MY GROUP", 9), ==, 0);
  g_assert_cmpint (Ttf_DefState (out, 5, "work\non", 9), ==, 0);
  g_assert_cmpint (Ttf_DefState (out, 60005, "WALL \"CLOCK\"", 1), ==, 0); /* the token of an event of TAU's */
  g_assert_cmpint (Ttf_DefState (out, 5, "again", 9), ==, 0);
  g_assert_cmpint (Ttf_DefUserEvent (out, 4000000000u, "bytes ", 1), ==, 0);
  g_assert_cmpint (Ttf_EnterState (out, 100, 2, 1, 5), ==, 0);
  g_assert_cmpint (Ttf_EnterState (out, 100, 2, 1, 6), ==, -1);
  g_assert_cmpint (Ttf_EnterState (out, 110, 2, 1, 60005), ==, 0);
  g_assert_cmpint (Ttf_SendMessage (out, 120.9, 2, 1, 65535, 3, 67108863, 65535, 63), ==, 0);
  g_assert_cmpint (Ttf_RecvMessage (out, 130, 300, 0, 2, 1, 7, 8, 9), ==, 0);
  g_assert_cmpint (Ttf_EventTrigger (out, 140, 2, 1, 4000000000u, -750.75), ==, 0);
  g_assert_cmpint (Ttf_LongEventTrigger (out, 150, 2, 1, 4000000000u, 1ull << 62), ==, 0);
  g_assert_cmpint (Ttf_FlushTrace (out), ==, 0);
  g_assert_cmpint (Ttf_LeaveState (out, 160, 2, 1, 60005), ==, 0);
  g_assert_cmpint (Ttf_LeaveState (out, 170, 2, 1, 5), ==, 0);
  g_assert_true (Ttf_CloseOutputFile (out) == out);

  g_assert_true (g_file_get_contents (fixture->edf, &edf, NULL, NULL));
  g_assert_cmpstr (edf, ==,
                   "8 dynamic_trace_events\n# FunctionId Group Tag \"Name Type\" Parameters\n"
                   "5 MY_GROUP 0 \"work on\" EntryExit\n60000 TRACER 0 \"EV_INIT\" none\n"
                   "60003 TRACER 0 \"FLUSH_CLOSE\" none\n60005 TRACER 0 \"WALL_CLOCK\" none\n"
                   "60007 TAU_MESSAGE -7 \"MESSAGE_SEND\" par\n60008 TAU_MESSAGE -8 \"MESSAGE_RECV\" par\n"
                   "2147483646 TAUEVENT 1 \"bytes \" TriggerValue\n"
                   "2147483647 TAU_DEFAULT 0 \"WALL \"CLOCK\"\" EntryExit\n");
  g_autofree char *trc = NULL;
  g_assert_true (g_file_get_contents (fixture->trc, &trc, &len, NULL));
  g_assert_cmpuint (len, ==, 24 * 11);

  Ttf_FileHandleT in = Ttf_OpenFileForInput (fixture->trc, fixture->edf);
  Ttf_SetHabits (in, 0);
  g_assert_cmpint (tau_read_rest (in, log, NULL), ==, 0);
  g_assert_cmpstr (
      tau_log_text (log), ==,
      "CLK 9.9999999999999995e-07\nGROUP 1 MY_GROUP\nSTATE 5 1 \"work on\"\nUEVENT 2147483646 1 \"bytes \"\n"
      "GROUP 5 TAU_DEFAULT\nSTATE 2147483647 5 \"WALL \"CLOCK\"\"\nTHREAD 2 1 process 2:1\n"
      "ENTER 0 2 1 5\nENTER 10 2 1 2147483647\nSEND 20 2 1 65535 0 size=67108863 tag=65535 comm=63\n"
      "RECV 30 300 0 2 1 size=7 tag=8 comm=9\nTRIG 40 2 1 2147483646 -750\nTRIG 50 2 1 2147483646 4611686018427387904\n"
      "LEAVE 60 2 1 2147483647\nLEAVE 70 2 1 5\nEND 2 1\n");
  Ttf_CloseFile (in);
  g_assert_null (Ttf_OpenFileForOutput ("/nowhere/at/all.trc", fixture->edf));
}

/* As TAU's tau_merge numbers them: states and values each from 1. Threads are closed in order, however often and in what
 * order they were defined. */
static void
tokens_of_both (TauFiles *fixture, gconstpointer data)
{
  g_autoptr (TauLog) log = tau_log_new (TRUE);
  Ttf_FileHandleT out = Ttf_OpenFileForOutput (fixture->trc, fixture->edf);

  g_assert_cmpint (Ttf_DefThread (out, 1, 0, "late"), ==, 0);
  g_assert_cmpint (Ttf_DefThread (out, 0, 3, "early"), ==, 0);
  g_assert_cmpint (Ttf_DefThread (out, 1, 0, "again"), ==, 0);
  g_assert_cmpint (Ttf_DefStateGroup (out, "WORK", 0), ==, 0);
  g_assert_cmpint (Ttf_DefUserEvent (out, 1, "bytes ", 0), ==, 0);
  g_assert_cmpint (Ttf_DefState (out, 1, "solve ", 0), ==, 0);
  g_assert_cmpint (Ttf_DefState (out, 2, "check ", 0), ==, 0);
  g_assert_cmpint (Ttf_EventTrigger (out, 5, 1, 0, 2, 7), ==, -1); /* a state only */
  g_assert_cmpint (Ttf_EnterState (out, 10, 1, 0, 1), ==, 0);
  g_assert_cmpint (Ttf_EventTrigger (out, 20, 1, 0, 1, 64), ==, 0);
  g_assert_cmpint (Ttf_LeaveState (out, 30, 1, 0, 1), ==, 0);
  g_assert_cmpint (Ttf_EnterState (out, 30, 0, 3, 2), ==, 0);
  g_assert_true (Ttf_CloseOutputFile (out) == out);

  Ttf_FileHandleT in = Ttf_OpenFileForInput (fixture->trc, fixture->edf);
  g_assert_cmpint (tau_read_rest (in, log, NULL), ==, 0);
  g_assert_cmpstr (tau_log_text (log), ==,
                   "CLK 9.9999999999999995e-07\nUEVENT 1 0 \"bytes \"\nGROUP 2 WORK\nSTATE 2 2 \"check \"\n"
                   "STATE 2147483647 2 \"solve \"\nTHREAD 1 0 process 1:0\nENTER 0 1 0 2147483647\nTRIG 10 1 0 1 64\n"
                   "LEAVE 20 1 0 2147483647\nTHREAD 0 3 process 0:3\nENTER 20 0 3 2\nEND 0 3\nEND 1 0\n");
  Ttf_CloseFile (in);
}

/* As TAU's library begins a trace without records: readers see the layout by it. */
static void
write_nothing (TauFiles *fixture, gconstpointer data)
{
  g_autofree char *trc = NULL;
  gsize len;
  Ttf_FileHandleT out = Ttf_OpenFileForOutput (fixture->trc, fixture->edf);

  g_assert_true (Ttf_CloseOutputFile (out) == out);
  g_assert_true (g_file_get_contents (fixture->trc, &trc, &len, NULL));
  g_assert_cmpmem (trc, len, "\x60\xea\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 24);
}

static void
write_error (TauFiles *fixture, gconstpointer data)
{
  if (!g_file_test ("/dev/full", G_FILE_TEST_EXISTS))
    {
      g_test_skip ("no /dev/full");
      return;
    }
  Ttf_FileHandleT out = Ttf_OpenFileForOutput ("/dev/full", fixture->edf);
  g_assert_nonnull (out);
  Ttf_DefState (out, 1, "main", 1);
  g_assert_cmpint (Ttf_EnterState (out, 1, 0, 0, 1), ==, 0);
  g_assert_cmpint (Ttf_FlushTrace (out), ==, -1);
  g_assert_cmpint (Ttf_LeaveState (out, 1, 0, 0, 1), ==, -1);
  g_assert_null (Ttf_CloseOutputFile (out));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add ("/tau-library/empty-and-cut", TauFiles, NULL, tau_files_set_up, empty_and_cut, tau_files_tear_down);
  g_test_add ("/tau-library/growing", TauFiles, NULL, tau_files_set_up, growing, tau_files_tear_down);
  g_test_add ("/tau-library/unknown-ids", TauFiles, NULL, tau_files_set_up, unknown_ids, tau_files_tear_down);
  g_test_add ("/tau-library/habits", TauFiles, NULL, tau_files_set_up, habits, tau_files_tear_down);
  g_test_add ("/tau-library/announced-again", TauFiles, NULL, tau_files_set_up, announced_again, tau_files_tear_down);
  g_test_add_func ("/tau-library/several-threads", several_threads);
  g_test_add ("/tau-library/write-and-read", TauFiles, NULL, tau_files_set_up, write_and_read, tau_files_tear_down);
  g_test_add ("/tau-library/tokens-of-both", TauFiles, NULL, tau_files_set_up, tokens_of_both, tau_files_tear_down);
  g_test_add ("/tau-library/write-nothing", TauFiles, NULL, tau_files_set_up, write_nothing, tau_files_tear_down);
  g_test_add ("/tau-library/write-error", TauFiles, NULL, tau_files_set_up, write_error, tau_files_tear_down);
  return g_test_run ();
}
