/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/formats/tau-log.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

static void
seek_everywhere (const char *trc, const char *edf)
{
  g_autoptr (TauLog) whole = tau_log_new (FALSE);
  g_autoptr (TauLog) rest = tau_log_new (FALSE);
  g_autoptr (GArray) starts = g_array_new (FALSE, FALSE, sizeof (gsize));
  Ttf_FileHandleT file = Ttf_OpenFileForInput (trc, edf);
  int n, n_records = 0;

  g_assert_nonnull (file);
  do
    {
      gsize start = tau_log_len (whole);
      g_array_append_val (starts, start);
      n = Ttf_ReadNumEvents (file, whole->callbacks, 1);
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
      tau_log_empty (rest);
      if (i % 50 != 0)
        {
          /* Far enough to know where it is; the whole rest at every fiftieth place. */
          n = Ttf_ReadNumEvents (file, rest->callbacks, 8);
          g_assert_cmpint (n, ==, MIN (8, n_records - i));
          gsize begin = g_array_index (starts, gsize, i), end = g_array_index (starts, gsize, i + n);
          g_assert_cmpmem (tau_log_text (rest), tau_log_len (rest), tau_log_text (whole) + begin, end - begin);
          continue;
        }
      g_assert_cmpint (tau_read_rest (file, rest, &n), ==, 0);
      g_assert_cmpint (n, ==, n_records - i);
      g_assert_cmpstr (tau_log_text (rest), ==, tau_log_text (whole) + g_array_index (starts, gsize, i));
    }
  Ttf_CloseFile (file);
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
positions_out_of_range (TauFiles *fixture, gconstpointer data)
{
  GByteArray *bytes = tau_begin_trace ();
  for (int i = 0; i < 9; i++)
    tau_put_record (bytes, 1, 0, 0, i % 2 == 0 ? 1 : -1, 1001 + (guint64) i);
  Ttf_FileHandleT file = tau_open_trace (fixture, bytes, TAU_EDF);
  g_autoptr (TauLog) log = tau_log_new (TRUE);

  g_assert_cmpint (Ttf_AbsSeek (file, 2000), ==, 2000);
  g_assert_cmpint (tau_read_rest (file, log, NULL), ==, 0);
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
  g_assert_cmpint (Ttf_ReadNumEvents (NULL, log->callbacks, 3), ==, -1);
  g_assert_null (Ttf_CloseFile (NULL));
  Ttf_CloseFile (file);
}

/* A hole reads as user event 0 with value 0. */
static void
beyond_4_gib (TauFiles *fixture, gconstpointer data)
{
  const gint64 n_records = 220000000; /* 5.28 GB */
  Ttf_FileHandleT first = tau_open_trace (fixture, tau_begin_trace (), TAU_EDF);
  Ttf_CloseFile (first);
  GByteArray *tail = g_byte_array_new ();
  tau_put_record (tail, 1, 3, 4, 1, 5000);
  tau_put_record (tail, 1, 3, 4, -1, 6000);
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
  g_autoptr (TauLog) log = tau_log_new (FALSE);
  g_assert_cmpint (Ttf_AbsSeek (file, -3), ==, n_records - 3);
  g_assert_cmpint (tau_read_rest (file, log, NULL), ==, 0);
  g_assert_cmpstr (tau_log_text (log), ==, "TRIG -1000 0 0 0 0\nENTER 4000 3 4 1\nLEAVE 5000 3 4 1\n");
  g_assert_cmpint (Ttf_RelSeek (file, -1), ==, n_records - 1);
  g_assert_cmpint (Ttf_ReadNumEvents (file, log->callbacks, 5), ==, 1);
  g_assert_cmpint (Ttf_AbsSeek (file, 200000000), ==, 200000000);
  g_assert_cmpint (Ttf_ReadNumEvents (file, log->callbacks, 5), ==, 5);
  Ttf_CloseFile (file);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/tau-library/rest-from-any-record", rest_from_any_record);
  g_test_add ("/tau-library/positions-out-of-range", TauFiles, NULL, tau_files_set_up, positions_out_of_range,
              tau_files_tear_down);
  g_test_add ("/tau-library/beyond-4-gib", TauFiles, NULL, tau_files_set_up, beyond_4_gib, tau_files_tear_down);
  return g_test_run ();
}
