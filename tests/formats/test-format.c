/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/formats/tau-test.h"
#include "tests/require.h"

#include "src/base/error.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define EPOCH 1700000000000000u

static const TauRecord records[] = {
  { 60000, 0, 0, 3, EPOCH },      { 1, 0, 0, 1, EPOCH + 1 },      { 1, 0, 0, -1, EPOCH + 9 },
  { 60003, 0, 0, 0, EPOCH + 10 }, { 60005, 0, 0, 0, EPOCH + 10 },
};

static void
add_trc (const TauFolder *folder, const char *name)
{
  g_free (tau_write_records (folder, name, TT_TAU_24LE, records, G_N_ELEMENTS (records)));
}

static void
add_edf (const TauFolder *folder, const char *name)
{
  g_free (tau_write (folder, name, tau_edf, -1));
}

/* The plan as "a.trc a.edf | b.trc b.edf", paths relative to the folder; or the error. */
static char *
plan_in (const TauFolder *folder, const char *arguments, const TtFormat *forced, GPtrArray *notes)
{
  g_auto (GStrv) names = g_strsplit (arguments, " ", -1);
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  GString *text = g_string_new (NULL);

  for (guint i = 0; names[i] != NULL; i++)
    g_ptr_array_add (paths, strcmp (names[i], ".") == 0 ? g_strdup (folder->path)
                                                        : g_build_filename (folder->path, names[i], NULL));
  g_ptr_array_add (paths, NULL);
  g_autoptr (GPtrArray) plan = tt_format_plan ((char **) paths->pdata, forced, notes, NULL, &error);
  if (plan == NULL)
    {
      g_string_append_printf (text, "error: %s", error->message);
      g_assert_true (error->domain == TT_ERROR);
      return g_string_free (text, FALSE);
    }
  g_assert_no_error (error);
  for (guint i = 0; i < plan->len; i++)
    {
      const TtPlannedInput *planned = plan->pdata[i];
      g_assert_cmpstr (planned->format->name, ==, "tau");
      g_string_append (text, i > 0 ? " | " : "");
      for (guint k = 0; k < planned->set->paths->len; k++)
        g_string_append_printf (text, "%s%s", k > 0 ? " " : "",
                                (char *) planned->set->paths->pdata[k] + strlen (folder->path) + 1);
    }
  return g_string_free (text, FALSE);
}

static void
assert_plan (const TauFolder *folder, const char *arguments, const char *expected)
{
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *plan = plan_in (folder, arguments, NULL, notes);

  if (!g_pattern_match_simple (expected, plan))
    g_test_fail_printf ("%s: '%s' is not like '%s'", arguments, plan, expected);
}

static void
test_pairs (void)
{
  g_auto (TauFolder) folder = { 0 };
  tau_folder_init (&folder);
  add_trc (&folder, "a.trc");
  add_edf (&folder, "a.edf");
  add_trc (&folder, "b.trc");
  add_edf (&folder, "b.edf");
  add_trc (&folder, "c.trc");
  add_edf (&folder, "d.edf");
  add_edf (&folder, "e.edf");

  assert_plan (&folder, "a.trc a.edf", "a.trc a.edf");
  assert_plan (&folder, "a.edf a.trc", "a.trc a.edf");
  assert_plan (&folder, "a.trc", "a.trc a.edf");
  assert_plan (&folder, "a.trc a.edf b.trc b.edf", "a.trc a.edf | b.trc b.edf");
  assert_plan (&folder, "b.edf a.edf b.trc a.trc", "b.trc b.edf | a.trc a.edf");
  assert_plan (&folder, "a.trc b.trc", "a.trc a.edf | b.trc b.edf");
  /* A file that is named goes before one that lies there. */
  assert_plan (&folder, "a.trc d.edf", "a.trc d.edf");
  assert_plan (&folder, "c.trc d.edf", "c.trc d.edf");
  assert_plan (&folder, "c.trc a.trc a.edf d.edf", "c.trc d.edf | a.trc a.edf");
  assert_plan (&folder, "c.trc", "error: cannot find '*c.edf', the definitions of '*c.trc'*");
  assert_plan (&folder, "c.trc d.edf e.edf", "error: cannot find '*c.edf'*");
  assert_plan (&folder, "a.edf", "error: '*a.edf' holds only definitions: it needs its trace (such as 'a.trc')*");
  assert_plan (&folder, "a.trc a.edf e.edf", "error: '*e.edf' holds only definitions*");
  assert_plan (&folder, "nowhere.trc", "error: cannot open '*nowhere.trc'*");
}

static void
test_contents_count (void)
{
  g_auto (TauFolder) folder = { 0 };
  tau_folder_init (&folder);

  /* Each under the other's name. */
  add_edf (&folder, "run.trc");
  add_trc (&folder, "run.edf");
  assert_plan (&folder, "run.trc run.edf", "run.edf run.trc");
  g_free (tau_write (&folder, "notes.txt", "hello, world, this is no trace at all\n", -1));
  assert_plan (&folder, "notes.txt", "error: *notes.txt: not a trace of a known format (tau*--format*");
  g_free (tau_write (&folder, "empty.txt", "", 0));
  assert_plan (&folder, "empty.txt", "error: *empty.txt: the file is empty");
  add_trc (&folder, "odd-name");
  add_edf (&folder, "odd-name.definitions");
  assert_plan (&folder, "odd-name odd-name.definitions", "odd-name odd-name.definitions");

  g_autofree char *forced = plan_in (&folder, "notes.txt odd-name.definitions", &tt_format_tau, NULL);
  g_assert_cmpstr (forced, ==, "notes.txt odd-name.definitions");
}

static void
test_directories (void)
{
  g_auto (TauFolder) folder = { 0 };
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);

  tau_folder_init (&folder);
  assert_plan (&folder, ".", "error: no trace files in the directory '*'");
  add_trc (&folder, "job/tautrace.10.0.0.trc");
  add_trc (&folder, "job/tautrace.9.0.0.trc");
  add_trc (&folder, "job/tautrace.9.0.10.trc");
  add_trc (&folder, "job/tautrace.9.0.2.trc");
  add_edf (&folder, "job/events.9.edf");
  add_edf (&folder, "job/events.10.edf");
  const char *ranks = "job/tautrace.9.0.0.trc job/tautrace.9.0.2.trc job/tautrace.9.0.10.trc job/events.9.edf | "
                      "job/tautrace.10.0.0.trc job/events.10.edf";
  assert_plan (&folder, ".", ranks);
  assert_plan (&folder, "job", ranks);
  assert_plan (&folder, "job/tautrace.10.0.0.trc", "job/tautrace.10.0.0.trc job/events.10.edf");

  /* What is merged from the files beside it is left aside, and said; what else lies there is passed by. */
  add_trc (&folder, "job/tau.trc");
  add_edf (&folder, "job/tau.edf");
  add_trc (&folder, "job/intermediate.0.1.trc");
  add_edf (&folder, "job/intermediate.0.1.edf");
  g_free (tau_write (&folder, "job/README", "about this job\n", -1));
  add_trc (&folder, "job/.hidden/x.trc");
  g_autofree char *plan = plan_in (&folder, "job", NULL, notes);
  g_assert_cmpstr (plan, ==, ranks);
  g_assert_cmpuint (notes->len, ==, 2);
  g_assert_true (
      g_str_has_suffix (notes->pdata[1], "tau.trc' left aside: it is merged from the per-rank files beside it"));

  add_trc (&folder, "other/x.trc");
  add_edf (&folder, "other/x.edf");
  add_edf (&folder, "other/lonely.edf");
  g_autofree char *both = plan_in (&folder, ". other", NULL, notes);
  g_autofree char *expected = g_strconcat (ranks, " | other/x.trc other/x.edf", NULL);
  g_assert_true (g_str_has_prefix (both, expected));
  g_autofree char *apart = plan_in (&folder, "job other", NULL, notes);
  g_assert_true (g_str_has_prefix (apart, expected));
  add_trc (&folder, "job/tautrace.11.0.0.trc");
  /* One without definitions is an input with a fault, and stands in nobody's way. */
  g_autofree char *more = plan_in (&folder, "job", NULL, notes);
  g_assert_true (g_str_has_suffix (more, " | job/tautrace.11.0.0.trc"));
}

/* The hosts of a CTF session: their directory is one input as a whole, with nothing left aside. */
static void
test_claimed_directory (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("TRACETOOL_DATA"), "ctf-hosts", NULL);
  char *paths[] = { path, NULL };
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;

  g_autoptr (GPtrArray) plan = tt_format_plan (paths, NULL, notes, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (plan->len, ==, 1);
  const TtPlannedInput *planned = plan->pdata[0];
  g_assert_cmpstr (planned->format->name, ==, "ctf");
  g_assert_cmpstr (planned->set->root, ==, path);
  g_assert_cmpuint (notes->len, ==, 0);
}

static void
test_odd_files (void)
{
  g_auto (TauFolder) folder = { 0 };
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);

  tau_folder_init (&folder);
  add_trc (&folder, "a.trc");
  add_edf (&folder, "a.edf");
  g_autofree char *twice = plan_in (&folder, "a.trc a.edf a.trc", NULL, notes);
  g_assert_cmpstr (twice, ==, "a.trc a.edf");
  g_assert_cmpuint (notes->len, ==, 1);

  g_autofree char *fifo = g_build_filename (folder.path, "fifo.trc", NULL);
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  assert_plan (&folder, "fifo.trc", "error: '*fifo.trc' is a FIFO*");
  assert_plan (&folder, ".", "a.trc a.edf");
  g_autofree char *loop = g_build_filename (folder.path, "loop", NULL);
  g_assert_cmpint (symlink (folder.path, loop), ==, 0);
  assert_plan (&folder, ".", "a.trc a.edf");
  g_assert_cmpint (unlink (loop), ==, 0);

  /* Directories where files should be. */
  add_trc (&folder, "b/c.trc");
  g_free (tau_write (&folder, "b/c.edf/nothing", "", 0));
  g_autofree char *trc = g_build_filename (folder.path, "b", "c.trc", NULL);
  const char *const paths[] = { trc, NULL };
  g_autoptr (TauResult) result = tau_import (paths, FALSE);
  tau_assert_fails (result, "*'*c.edf' is a directory*");
}

static void
test_by_name (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (tt_format_by_name ("tau", &error) == &tt_format_tau);
  g_assert_null (tt_format_by_name ("tua", &error));
  require_error (error, TT_ERROR, TT_ERROR_USAGE);
  g_assert_nonnull (strstr (error->message, "did you mean 'tau'"));
}

/* What every row of the table must keep. */
static void
test_table (void)
{
  const TtProbe empty = { .path = "", .head = (const guint8 *) "" };

  for (guint i = 0; tt_formats[i] != NULL; i++)
    {
      const TtFormat *format = tt_formats[i];
      g_assert_true (format->name != NULL && *format->name != '\0');
      g_assert_true (format->summary != NULL && *format->summary != '\0');
      g_assert_true (format->probe != NULL && format->group != NULL && format->import != NULL);
      g_assert_cmpuint (format->probe (&empty), ==, 0);
      for (guint k = 0; k < i; k++)
        g_assert_cmpstr (format->name, !=, tt_formats[k]->name);
    }
}

/* Each example that must import does, and each that must fail says where. */
static void
test_examples (void)
{
  const char *data = g_getenv ("TRACETOOL_DATA");

  for (guint is_good = 0; is_good < 2; is_good++)
    {
      g_autofree char *top = g_build_filename (data != NULL ? data : "data", is_good ? "succeed" : "fail", NULL);
      g_autoptr (GDir) directory = g_dir_open (top, 0, NULL);
      const char *name;

      if (directory == NULL)
        {
          g_test_skip_printf ("no %s", top);
          return;
        }
      while ((name = g_dir_read_name (directory)) != NULL)
        {
          g_autofree char *path = g_build_filename (top, name, NULL);
          const char *const paths[] = { path, NULL };
          g_autoptr (TauResult) result = tau_import (paths, FALSE);

          /* Content decides: swapped names are no fault. */
          if (is_good || strcmp (name, "swapped") == 0)
            g_assert_no_error (result->error);
          else
            tau_assert_fails (result, "*run.*");
          if (is_good)
            g_assert_cmpuint (tau_count (result, "span "), >, 20);
        }
    }
}

/* Bytes that this process has read so far; 0: the system does not say. */
static guint64
bytes_read (void)
{
  g_autofree char *text = NULL;

  if (!g_file_get_contents ("/proc/self/io", &text, NULL, NULL) || !g_str_has_prefix (text, "rchar: "))
    return 0;
  return g_ascii_strtoull (text + strlen ("rchar: "), NULL, 10);
}

/* Dialects of trace-event JSON look for an event as far as the end of the file: not in one that is known already. */
static void
test_certain_is_asked_no_more (void)
{
  static const char begin[] = "{\"rocprofiler-sdk-tool\":[";
  const gsize size = (gsize) 8 << 20;
  g_autofree char *contents = g_malloc (size);
  g_auto (TauFolder) folder = { 0 };
  g_autoptr (GError) error = NULL;
  guint64 before, read_bytes;

  tau_folder_init (&folder);
  memset (contents, ' ', size);
  memcpy (contents, begin, strlen (begin));
  memcpy (contents + size - 2, "]}", 2);
  g_autofree char *path = tau_write (&folder, "results.json", contents, (gssize) size);
  before = bytes_read ();
  const TtFormat *format = tt_format_recognise (path, &error);
  read_bytes = bytes_read () - before;
  require_no_error (error);
  g_assert_cmpstr (format->name, ==, "rocprof");
  g_assert_cmpuint (read_bytes, <, size / 8);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/format/pairs", test_pairs);
  g_test_add_func ("/format/contents-count", test_contents_count);
  g_test_add_func ("/format/directories", test_directories);
  g_test_add_func ("/format/claimed-directory", test_claimed_directory);
  g_test_add_func ("/format/odd-files", test_odd_files);
  g_test_add_func ("/format/by-name", test_by_name);
  g_test_add_func ("/format/table", test_table);
  g_test_add_func ("/format/certain-is-asked-no-more", test_certain_is_asked_no_more);
  g_test_add_func ("/format/examples", test_examples);
  return g_test_run ();
}
