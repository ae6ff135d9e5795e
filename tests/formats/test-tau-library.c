/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau/TAU_tf.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* -- a log of callbacks ------------------------------------------------------------------------------ */

typedef struct
{
  GString *text;
  gboolean skips_definitions, skips_ends;
} Log;

static int
clock_period (void *data, double period)
{
  Log *log = data;

  if (!log->skips_definitions)
    g_string_append_printf (log->text, "CLK %g\n", period);
  return 0;
}

static int
thread (void *data, unsigned int node, unsigned int tid, const char *name)
{
  Log *log = data;

  if (!log->skips_definitions)
    g_string_append_printf (log->text, "THREAD %u %u %s\n", node, tid, name);
  return 0;
}

static int
group (void *data, unsigned int token, const char *name)
{
  Log *log = data;

  if (!log->skips_definitions)
    g_string_append_printf (log->text, "GROUP %u %s\n", token, name);
  return 0;
}

static int
state (void *data, unsigned int token, const char *name, unsigned int group_token)
{
  Log *log = data;

  if (!log->skips_definitions)
    g_string_append_printf (log->text, "STATE %u %s %u\n", token, name, group_token);
  return 0;
}

static int
user_event (void *data, unsigned int token, const char *name, int is_monotonic)
{
  Log *log = data;

  if (!log->skips_definitions)
    g_string_append_printf (log->text, "UEVENT %u %d %s\n", token, is_monotonic, name);
  return 0;
}

static int
end_trace (void *data, unsigned int node, unsigned int tid)
{
  Log *log = data;

  if (!log->skips_ends)
    g_string_append_printf (log->text, "END %u %u\n", node, tid);
  return 0;
}

static int
enter (void *data, double time, unsigned int node, unsigned int tid, unsigned int token)
{
  g_string_append_printf (((Log *) data)->text, "ENTER %.0f %u %u %u\n", time, node, tid, token);
  return 0;
}

static int
leave (void *data, double time, unsigned int node, unsigned int tid, unsigned int token)
{
  g_string_append_printf (((Log *) data)->text, "LEAVE %.0f %u %u %u\n", time, node, tid, token);
  return 0;
}

static int
sent (void *data,
      double time,
      unsigned int src,
      unsigned int src_tid,
      unsigned int dst,
      unsigned int dst_tid,
      unsigned int size,
      unsigned int tag,
      unsigned int comm)
{
  g_string_append_printf (((Log *) data)->text, "SEND %.0f %u.%u %u.%u %u %u %u\n", time, src, src_tid, dst, dst_tid,
                          size, tag, comm);
  return 0;
}

static int
received (void *data,
          double time,
          unsigned int src,
          unsigned int src_tid,
          unsigned int dst,
          unsigned int dst_tid,
          unsigned int size,
          unsigned int tag,
          unsigned int comm)
{
  g_string_append_printf (((Log *) data)->text, "RECV %.0f %u.%u %u.%u %u %u %u\n", time, src, src_tid, dst, dst_tid,
                          size, tag, comm);
  return 0;
}

static int
trigger (void *data, double time, unsigned int node, unsigned int tid, unsigned int token, long long value)
{
  g_string_append_printf (((Log *) data)->text, "TRIG %.0f %u %u %u %lld\n", time, node, tid, token, value);
  return 0;
}

static Ttf_CallbacksT
callbacks_of (Log *log)
{
  return (Ttf_CallbacksT){
    .UserData = log,
    .DefClkPeriod = clock_period,
    .DefThread = thread,
    .DefStateGroup = group,
    .DefState = state,
    .EndTrace = end_trace,
    .EnterState = enter,
    .LeaveState = leave,
    .SendMessage = sent,
    .RecvMessage = received,
    .DefUserEvent = user_event,
    .EventTrigger = trigger,
  };
}

/* Reads the rest; what the last read returned. */
static int
read_rest (Ttf_FileHandleT file, Log *log, int *n_records)
{
  Ttf_CallbacksT callbacks = callbacks_of (log);
  int n, total = 0;

  while ((n = Ttf_ReadNumEvents (file, callbacks, 1000)) > 0)
    total += n;
  if (n_records != NULL)
    *n_records = total;
  return n;
}

/* -- files --------------------------------------------------------------------------------------------- */

typedef struct
{
  char *folder, *trc, *edf;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("test-tau-library-XXXXXX", NULL);
  fixture->trc = g_build_filename (fixture->folder, "a.trc", NULL);
  fixture->edf = g_build_filename (fixture->folder, "a.edf", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_unlink (fixture->trc);
  g_unlink (fixture->edf);
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_free (fixture->trc);
  g_free (fixture->edf);
  g_free (fixture->folder);
}

static void
put_record (GByteArray *bytes, gint32 id, guint16 node, guint16 tid, gint64 par, guint64 ti)
{
  g_byte_array_append (bytes, (const guint8 *) &id, 4);
  g_byte_array_append (bytes, (const guint8 *) &node, 2);
  g_byte_array_append (bytes, (const guint8 *) &tid, 2);
  g_byte_array_append (bytes, (const guint8 *) &par, 8);
  g_byte_array_append (bytes, (const guint8 *) &ti, 8);
}

#define EDF                                                                                                         \
  "5 dynamic_trace_events\n# FunctionId Group Tag \"Name Type\" Parameters\n0 TAUEVENT 0 \".TAU <unknown event>\" " \
  "TriggerValue\n1 TAU_USER 0 \"main \" EntryExit\n7 TAUEVENT 0 \"loop \"quoted\" value\" TriggerValue\n"           \
  "60000 TRACER 0 \"EV_INIT\" none\n60001 TRACER 0 \"FLUSH\" EntryExit\n60005 TRACER 0 \"WALL_CLOCK\" none"

static GByteArray *
begin_trace (void)
{
  GByteArray *bytes = g_byte_array_new ();

  put_record (bytes, 60000, 0, 0, 3, 1000);
  return bytes;
}

static Ttf_FileHandleT
open_trace (Fixture *fixture, GByteArray *bytes, const char *edf)
{
  g_assert_true (g_file_set_contents (fixture->trc, (const char *) bytes->data, (gssize) bytes->len, NULL));
  g_assert_true (g_file_set_contents (fixture->edf, edf, -1, NULL));
  g_byte_array_unref (bytes);
  Ttf_FileHandleT file = Ttf_OpenFileForInput (fixture->trc, fixture->edf);
  g_assert_nonnull (file);
  return file;
}

/* -- seeking ----------------------------------------------------------------------------------------------- */

static void
seek_everywhere (const char *trc, const char *edf)
{
  Log whole = { .text = g_string_new (NULL), .skips_definitions = TRUE };
  Log rest = { .text = g_string_new (NULL), .skips_definitions = TRUE };
  g_autoptr (GArray) starts = g_array_new (FALSE, FALSE, sizeof (gsize));
  Ttf_FileHandleT file = Ttf_OpenFileForInput (trc, edf);
  int n, n_records = 0;

  g_assert_nonnull (file);
  do
    {
      g_array_append_val (starts, whole.text->len);
      n = Ttf_ReadNumEvents (file, callbacks_of (&whole), 1);
      n_records += n;
    }
  while (n > 0);
  g_assert_cmpint (n, ==, 0);
  g_assert_cmpint (n_records, >, 0);

  for (int i = 0; i <= n_records; i++)
    {
      int at = i % 3 == 0                    ? Ttf_AbsSeek (file, i)
               : i % 3 == 1 && i < n_records ? Ttf_AbsSeek (file, i - n_records)
                                             : -1;
      if (at < 0)
        {
          Ttf_AbsSeek (file, n_records);
          at = Ttf_RelSeek (file, i - n_records);
        }
      g_assert_cmpint (at, ==, i);
      g_assert_cmpint (errno, ==, 0);
      g_string_truncate (rest.text, 0);
      if (i % 50 != 0)
        {
          /* Far enough to know where it is; the whole rest at every fiftieth place. */
          n = Ttf_ReadNumEvents (file, callbacks_of (&rest), 8);
          g_assert_cmpint (n, ==, MIN (8, n_records - i));
          gsize begin = g_array_index (starts, gsize, i), end = g_array_index (starts, gsize, i + n);
          g_assert_cmpmem (rest.text->str, rest.text->len, whole.text->str + begin, end - begin);
          continue;
        }
      g_assert_cmpint (read_rest (file, &rest, &n), ==, 0);
      g_assert_cmpint (n, ==, n_records - i);
      g_assert_cmpstr (rest.text->str, ==, whole.text->str + g_array_index (starts, gsize, i));
    }
  Ttf_CloseFile (file);
  g_string_free (whole.text, TRUE);
  g_string_free (rest.text, TRUE);
}

static void
rest_from_any_record (void)
{
  static const char *const traces[][2] = {
    { "tau-merged/run.trc", "tau-merged/run.edf" },
    { "tau-mpi4/tautrace.1.0.0.trc", "tau-mpi4/events.1.edf" },
    { "tau/synthetic/edge.trc", "tau/synthetic/edge.edf" },
    { "tau/synthetic/g1k.trc", "tau/synthetic/g1k.edf" },
    { "tau/real-mpi4/tau.trc", "tau/real-mpi4/tau.edf" },
    { "tau/real-mpi4-callpath-flush/tau.trc", "tau/real-mpi4-callpath-flush/tau.edf" },
    { "tau/real-threads/tau.trc", "tau/real-threads/tau.edf" },
    { "tau/variants/mpi4-64be.trc", "tau/variants/mpi4.edf" },
  };
  const char *folders[] = { g_getenv ("TRACETOOL_DATA"), g_getenv ("SHARED_DATA") };

  for (gsize i = 0; i < G_N_ELEMENTS (traces); i++)
    {
      const char *folder = folders[g_str_has_prefix (traces[i][0], "tau/")];
      g_autofree char *trc = folder == NULL ? NULL : g_build_filename (folder, traces[i][0], NULL);
      g_autofree char *edf = folder == NULL ? NULL : g_build_filename (folder, traces[i][1], NULL);
      if (trc != NULL && g_file_test (trc, G_FILE_TEST_EXISTS))
        seek_everywhere (trc, edf);
      else
        g_test_message ("%s is not here", traces[i][0]);
    }
}

static void
positions_out_of_range (Fixture *fixture, gconstpointer data)
{
  GByteArray *bytes = begin_trace ();
  for (int i = 0; i < 9; i++)
    put_record (bytes, 1, 0, 0, i % 2 == 0 ? 1 : -1, 1001 + (guint64) i);
  Ttf_FileHandleT file = open_trace (fixture, bytes, EDF);
  Log log = { .text = g_string_new (NULL) };

  g_assert_cmpint (Ttf_AbsSeek (file, 2000), ==, 2000);
  g_assert_cmpint (read_rest (file, &log, NULL), ==, 0);
  g_assert_cmpint (Ttf_AbsSeek (file, 4), ==, 4);
  g_assert_cmpint (Ttf_AbsSeek (file, -11), ==, 0);
  g_assert_cmpint (errno, ==, EINVAL);
  g_assert_cmpint (Ttf_RelSeek (file, 0), ==, 4); /* nothing moved */
  g_assert_cmpint (Ttf_RelSeek (file, -5), ==, 0);
  g_assert_cmpint (errno, ==, EINVAL);
  g_assert_cmpint (Ttf_RelSeek (file, -4), ==, 0);
  g_assert_cmpint (errno, ==, 0);
  g_assert_cmpint (Ttf_AbsSeek (file, -10), ==, 0);
  g_assert_cmpint (errno, ==, 0);
  g_assert_cmpint (Ttf_AbsSeek (file, 0), ==, 0);
  Ttf_SetHabits (file, TTF_HABIT_SEEK_ZERO);
  g_assert_cmpint (Ttf_AbsSeek (file, 0), ==, 10);
  g_assert_cmpint (Ttf_AbsSeek (NULL, 3), ==, 0);
  g_assert_cmpint (Ttf_ReadNumEvents (NULL, callbacks_of (&log), 3), ==, -1);
  g_assert_null (Ttf_CloseFile (NULL));
  Ttf_CloseFile (file);
  g_string_free (log.text, TRUE);
}

/* A hole reads as user event 0 with value 0. */
static void
beyond_4_gib (Fixture *fixture, gconstpointer data)
{
  const gint64 n_records = 220000000; /* 5.28 GB */
  Ttf_FileHandleT first = open_trace (fixture, begin_trace (), EDF);
  Ttf_CloseFile (first);
  GByteArray *tail = g_byte_array_new ();
  put_record (tail, 1, 3, 4, 1, 5000);
  put_record (tail, 1, 3, 4, -1, 6000);
  int fd = g_open (fixture->trc, O_WRONLY, 0600);
  gssize n = pwrite (fd, tail->data, tail->len, (n_records - 2) * 24);
  close (fd);
  g_byte_array_unref (tail);
  if (n != 48)
    {
      g_test_skip ("no such large files here");
      return;
    }

  Ttf_FileHandleT file = Ttf_OpenFileForInput (fixture->trc, fixture->edf);
  Log log = { .text = g_string_new (NULL), .skips_definitions = TRUE };
  g_assert_cmpint (Ttf_AbsSeek (file, -3), ==, n_records - 3);
  g_assert_cmpint (read_rest (file, &log, NULL), ==, 0);
  g_assert_cmpstr (log.text->str, ==, "TRIG -1000 0 0 0 0\nENTER 4000 3 4 1\nLEAVE 5000 3 4 1\n");
  g_assert_cmpint (Ttf_RelSeek (file, -1), ==, n_records - 1);
  g_assert_cmpint (Ttf_ReadNumEvents (file, callbacks_of (&log), 5), ==, 1);
  g_assert_cmpint (Ttf_AbsSeek (file, 200000000), ==, 200000000);
  g_assert_cmpint (Ttf_ReadNumEvents (file, callbacks_of (&log), 5), ==, 5);
  Ttf_CloseFile (file);
  g_string_free (log.text, TRUE);
}

/* -- broken and odd traces ------------------------------------------------------------------------------------ */

static void
empty_and_cut (Fixture *fixture, gconstpointer data)
{
  Log log = { .text = g_string_new (NULL) };
  int n;

  Ttf_FileHandleT file = open_trace (fixture, g_byte_array_new (), EDF);
  g_assert_cmpint (read_rest (file, &log, NULL), ==, 0);
  g_assert_cmpstr (log.text->str, ==, "CLK 1e-06\n");
  Ttf_CloseFile (file);

  for (int cut = 0; cut < 24; cut++)
    {
      GByteArray *bytes = begin_trace ();
      for (int i = 0; i < 1500; i++)
        put_record (bytes, 1, 0, 0, i % 2 == 0 ? 1 : -1, 1001 + (guint64) i);
      g_byte_array_append (bytes, (const guint8 *) "leftover bytes of a record", (guint) cut);
      file = open_trace (fixture, bytes, EDF);
      g_assert_cmpint (read_rest (file, &log, &n), ==, 0);
      g_assert_cmpint (n, ==, 1501);
      Ttf_SetHabits (file, TTF_HABIT_CHUNKS);
      Ttf_AbsSeek (file, 0);
      g_assert_cmpint (Ttf_ReadNumEvents (file, callbacks_of (&log), 5000), ==, 1024);
      g_assert_cmpint (Ttf_ReadNumEvents (file, callbacks_of (&log), 5000), ==, cut == 0 ? 477 : 0);
      Ttf_CloseFile (file);
    }
  g_string_free (log.text, TRUE);
}

static void
growing (Fixture *fixture, gconstpointer data)
{
  Log log = { .text = g_string_new (NULL), .skips_definitions = TRUE };
  Ttf_FileHandleT file = open_trace (fixture, g_byte_array_new (), EDF);
  g_autoptr (GByteArray) bytes = begin_trace ();

  g_assert_cmpint (Ttf_ReadNumEvents (file, callbacks_of (&log), 10), ==, 0);
  int fd = g_open (fixture->trc, O_WRONLY | O_APPEND, 0600);
  put_record (bytes, 1, 0, 0, 1, 1001);
  g_assert_cmpint (write (fd, bytes->data, 30), ==, 30);
  g_assert_cmpint (Ttf_ReadNumEvents (file, callbacks_of (&log), 10), ==, 1);
  g_assert_cmpint (write (fd, bytes->data + 30, 18), ==, 18);
  g_assert_cmpint (Ttf_ReadNumEvents (file, callbacks_of (&log), 10), ==, 1);
  g_assert_cmpstr (log.text->str, ==, "ENTER 1 0 0 1\n");
  close (fd);
  Ttf_CloseFile (file);
  g_string_free (log.text, TRUE);
}

static void
unknown_ids (Fixture *fixture, gconstpointer data)
{
  Log log = { .text = g_string_new (NULL) };
  GByteArray *bytes = begin_trace ();

  put_record (bytes, 1, 0, 0, 1, 1001);
  put_record (bytes, 99, 0, 0, 1, 1002);
  put_record (bytes, 1, 0, 0, -1, 1003);
  put_record (bytes, -5, 0, 0, -1, 1003);
  Ttf_FileHandleT file = open_trace (fixture, bytes, EDF);
  g_assert_cmpint (Ttf_ReadNumEvents (file, callbacks_of (&log), 10), ==, -1);
  g_assert_true (g_str_has_suffix (log.text->str, "ENTER 1 0 0 1\n"));

  /* TAU writes definitions while it runs. */
  g_assert_true (g_file_set_contents (
      fixture->edf, EDF "\n99 TAU_USER 0 \"late\" EntryExit\n-5 TAU_USER 0 \"odd\" EntryExit\n", -1, NULL));
  g_string_truncate (log.text, 0);
  g_assert_cmpint (Ttf_RelSeek (file, -1), ==, 2);
  g_assert_cmpint (read_rest (file, &log, NULL), ==, 0);
  g_assert_cmpstr (
      log.text->str, ==,
      "STATE 99 \"late\" 2\nSTATE 4294967291 \"odd\" 2\nENTER 2 0 0 99\nLEAVE 3 0 0 1\nLEAVE 3 0 0 4294967291\n");
  Ttf_CloseFile (file);

  /* What is no definition file defines nothing. */
  file = open_trace (fixture, begin_trace (), "1 TAU_USER 0 main EntryExit\n");
  g_assert_cmpint (Ttf_ReadNumEvents (file, callbacks_of (&log), 10), ==, -1);
  g_assert_cmpint (Ttf_ReadNumEvents (file, callbacks_of (&log), 10), ==, 0);
  Ttf_CloseFile (file);
  g_assert_null (Ttf_OpenFileForInput (fixture->trc, "/nowhere/at/all.edf"));
  g_assert_null (Ttf_OpenFileForInput (fixture->folder, fixture->edf));
  g_assert_null (Ttf_OpenFileForInput (fixture->trc, NULL));
  g_string_free (log.text, TRUE);
}

static void
habits (Fixture *fixture, gconstpointer data)
{
  Log log = { .text = g_string_new (NULL) };
  GByteArray *bytes = begin_trace ();

  put_record (bytes, 7, 0, 0, 42, 1001);
  put_record (bytes, 60001, 0, 0, 1, 1002);
  Ttf_FileHandleT file = open_trace (fixture, bytes, EDF "\n");
  g_assert_cmpint (read_rest (file, &log, NULL), ==, 0);
  g_assert_cmpstr (log.text->str, ==,
                   "CLK 1e-06\nUEVENT 0 0 \".TAU <unknown event>\"\nGROUP 2 TAU_USER\nSTATE 1 \"main \" 2\n"
                   "STATE 60001 \"FLUSH\" 3\nTHREAD 0 0 process 0:0\nENTER 2 0 0 60001\n");
  Ttf_CloseFile (file);

  file = Ttf_OpenFileForInput (fixture->trc, fixture->edf);
  Ttf_SetHabits (file, 0);
  Ttf_SetSubtractFirstTimestamp (file, 0);
  Ttf_SetNonBlocking (file, 1);
  g_string_truncate (log.text, 0);
  g_assert_cmpint (read_rest (file, &log, NULL), ==, 0);
  g_assert_cmpstr (log.text->str, ==,
                   "CLK 1e-06\nUEVENT 0 0 \".TAU <unknown event>\"\nGROUP 2 TAU_USER\nSTATE 1 \"main \" 2\n"
                   "UEVENT 7 0 \"loop \"quoted\" value\"\nGROUP 3 TRACER\n"
                   "STATE 60001 \"FLUSH\" 3\nTHREAD 0 0 process 0:0\nTRIG 1001 0 0 7 42\nENTER 1002 0 0 60001\n");
  Ttf_CloseFile (file);
  g_string_free (log.text, TRUE);
}

/* -- several readings -------------------------------------------------------------------------------------------- */

static void
announced_again (Fixture *fixture, gconstpointer data)
{
  g_autofree char *trc = g_build_filename (g_getenv ("TRACETOOL_DATA"), "tau-merged", "run.trc", NULL);
  g_autofree char *edf = g_build_filename (g_getenv ("TRACETOOL_DATA"), "tau-merged", "run.edf", NULL);
  Log one = { .text = g_string_new (NULL) }, two = { .text = g_string_new (NULL) };
  Ttf_FileHandleT a = Ttf_OpenFileForInput (trc, edf), b = Ttf_OpenFileForInput (trc, edf);

  g_assert_cmpint (read_rest (a, &one, NULL), ==, 0);
  g_assert_cmpint (read_rest (b, &two, NULL), ==, 0);
  g_assert_cmpstr (one.text->str, ==, two.text->str);

  g_string_truncate (two.text, 0);
  Ttf_AbsSeek (b, 0);
  g_assert_cmpint (read_rest (b, &two, NULL), ==, 0);
  g_assert_cmpuint (two.text->len, <, one.text->len);
  g_assert_null (strstr (two.text->str, "STATE"));

  g_string_truncate (two.text, 0);
  Ttf_SetReannounce (b, 1);
  Ttf_AbsSeek (b, 0);
  g_assert_cmpint (read_rest (b, &two, NULL), ==, 0);
  g_assert_cmpstr (one.text->str, ==, two.text->str);
  Ttf_CloseFile (a);
  Ttf_CloseFile (b);
  g_string_free (one.text, TRUE);
  g_string_free (two.text, TRUE);
}

static gpointer
read_in_thread (gpointer data)
{
  g_autofree char *trc = g_build_filename (g_getenv ("TRACETOOL_DATA"), "tau-merged", "run.trc", NULL);
  g_autofree char *edf = g_build_filename (g_getenv ("TRACETOOL_DATA"), "tau-merged", "run.edf", NULL);
  Log log = { .text = g_string_new (NULL) };

  for (int i = 0; i < 5; i++)
    {
      Ttf_FileHandleT file = Ttf_OpenFileForInput (trc, edf);
      g_string_truncate (log.text, 0);
      g_assert_cmpint (read_rest (file, &log, NULL), ==, 0);
      Ttf_CloseFile (file);
    }
  return g_string_free (log.text, FALSE);
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
write_and_read (Fixture *fixture, gconstpointer data)
{
  Log log = { .text = g_string_new (NULL) };
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
                   "5 MY_GROUP 0 \"work on\" EntryExit\n2147483647 TAU_DEFAULT 0 \"WALL \"CLOCK\"\" EntryExit\n"
                   "2147483646 TAUEVENT 1 \"bytes \" TriggerValue\n60000 TRACER 0 \"EV_INIT\" none\n"
                   "60003 TRACER 0 \"FLUSH_CLOSE\" none\n60005 TRACER 0 \"WALL_CLOCK\" none\n"
                   "60007 TAU_MESSAGE -7 \"MESSAGE_SEND\" par\n60008 TAU_MESSAGE -8 \"MESSAGE_RECV\" par\n");
  g_autofree char *trc = NULL;
  g_assert_true (g_file_get_contents (fixture->trc, &trc, &len, NULL));
  g_assert_cmpuint (len, ==, 24 * 11);

  Ttf_FileHandleT in = Ttf_OpenFileForInput (fixture->trc, fixture->edf);
  Ttf_SetHabits (in, 0);
  g_assert_cmpint (read_rest (in, &log, NULL), ==, 0);
  g_assert_cmpstr (log.text->str, ==,
                   "CLK 1e-06\nGROUP 1 MY_GROUP\nSTATE 5 \"work on\" 1\nGROUP 2 TAU_DEFAULT\n"
                   "STATE 2147483647 \"WALL \"CLOCK\"\" 2\nUEVENT 2147483646 1 \"bytes \"\nTHREAD 2 1 process 2:1\n"
                   "ENTER 0 2 1 5\nENTER 10 2 1 2147483647\nSEND 20 2.1 65535.0 67108863 65535 63\n"
                   "RECV 30 300.0 2.1 7 8 9\nTRIG 40 2 1 2147483646 -750\nTRIG 50 2 1 2147483646 4611686018427387904\n"
                   "LEAVE 60 2 1 2147483647\nLEAVE 70 2 1 5\nEND 2 1\n");
  Ttf_CloseFile (in);
  g_string_free (log.text, TRUE);
  g_assert_null (Ttf_OpenFileForOutput ("/nowhere/at/all.trc", fixture->edf));
}

static void
write_error (Fixture *fixture, gconstpointer data)
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
  g_test_add_func ("/tau-library/rest-from-any-record", rest_from_any_record);
  g_test_add ("/tau-library/positions-out-of-range", Fixture, NULL, set_up, positions_out_of_range, tear_down);
  g_test_add ("/tau-library/beyond-4-gib", Fixture, NULL, set_up, beyond_4_gib, tear_down);
  g_test_add ("/tau-library/empty-and-cut", Fixture, NULL, set_up, empty_and_cut, tear_down);
  g_test_add ("/tau-library/growing", Fixture, NULL, set_up, growing, tear_down);
  g_test_add ("/tau-library/unknown-ids", Fixture, NULL, set_up, unknown_ids, tear_down);
  g_test_add ("/tau-library/habits", Fixture, NULL, set_up, habits, tear_down);
  g_test_add ("/tau-library/announced-again", Fixture, NULL, set_up, announced_again, tear_down);
  g_test_add_func ("/tau-library/several-threads", several_threads);
  g_test_add ("/tau-library/write-and-read", Fixture, NULL, set_up, write_and_read, tear_down);
  g_test_add ("/tau-library/write-error", Fixture, NULL, set_up, write_error, tear_down);
  return g_test_run ();
}
