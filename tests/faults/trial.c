/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/faults/tree.h"
#include "tests/faults/trial.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#define LONGEST_SECONDS 60
#define MAX_WORDS 300
#define NOT_ALL 3 /* exit status: parts of the input are left out */

/* What identifies the contents of a database, whatever its pages look like. */
static const char *const tables[] = { "run",     "source",   "process",   "thread",   "event", "metric",
                                      "counter", "message",  "flow",      "node",     "edge",  "statistic",
                                      "task",    "metadata", "parameter", "nccl_edge" };

struct _Trial
{
  char *root, *work, *temporary, *out, *err, *counter; /* paths */
  char **command;
  GHashTable *before, *after;             /* see tree.h */
  GHashTable *dumps_before, *dumps_after; /* path of a database -> its rows as text */
  GBytes *answer;
  gboolean by_names;
};

/* -- programs ------------------------------------------------------------------------------------------------ */

static void
redirect (int fd, const char *path, int flags)
{
  int opened = open (path, flags, 0600);

  if (opened < 0 || dup2 (opened, fd) < 0)
    _exit (126);
  close (opened);
}

/* The number of calls is in its file afterwards. */
static void
reset_counter (const Trial *self)
{
  const char zeros[8] = { 0 };

  if (!g_file_set_contents_full (self->counter, zeros, sizeof zeros, G_FILE_SET_CONTENTS_NONE, 0600, NULL))
    g_error ("cannot write %s", self->counter);
}

static char **
make_environment (const Trial *self, const Fault *fault)
{
  char **environment = g_get_environ ();
  g_autofree char *at = fault == NULL ? NULL : g_strdup_printf ("%" G_GINT64_FORMAT, fault->at);
  g_autofree char *number = fault == NULL ? NULL : g_strdup_printf ("%d", fault->number);

  environment = g_environ_setenv (environment, "TMPDIR", self->temporary, TRUE);
  environment = g_environ_setenv (environment, "XDG_CACHE_HOME", self->temporary, TRUE);
  environment = g_environ_setenv (environment, "SOURCE_DATE_EPOCH", "1700000000", TRUE);
  if (fault == NULL)
    return environment;
  environment = g_environ_setenv (environment, "LD_PRELOAD", g_getenv ("FAULT_LIBRARY"), TRUE);
  environment = g_environ_setenv (environment, "FAULT_COUNT_FILE", self->counter, TRUE);
  environment = g_environ_setenv (environment, "FAULT_CALL", fault->call, TRUE);
  environment = g_environ_setenv (environment, "FAULT_AT", at, TRUE);
  environment = g_environ_setenv (environment, "FAULT_ERRNO", number, TRUE);
  return g_environ_setenv (environment, "FAULT_ALL", fault->all ? "1" : "0", TRUE);
}

/* In the work folder. As waitpid() tells it. */
static int
run_words (const Trial *self, char **words, const Fault *fault)
{
  g_auto (GStrv) environment = make_environment (self, fault);
  int status = -1;

  reset_counter (self);
  pid_t child = fork ();
  if (child < 0)
    g_error ("cannot start a process: %s", g_strerror (errno));
  if (child == 0)
    {
      setpgid (0, 0);
      redirect (STDIN_FILENO, "/dev/null", O_RDONLY);
      redirect (STDOUT_FILENO, self->out, O_WRONLY | O_CREAT | O_TRUNC);
      redirect (STDERR_FILENO, self->err, O_WRONLY | O_CREAT | O_TRUNC);
      alarm (LONGEST_SECONDS);
      if (chdir (self->work) == 0)
        execve (strcmp (words[0], "sh") == 0 ? "/bin/sh" : g_getenv ("TRACETOOL"), words, environment);
      dprintf (STDERR_FILENO, "cannot be started: %s", strerror (errno));
      _exit (127);
    }
  while (waitpid (child, &status, 0) < 0 && errno == EINTR)
    ;
  kill (-child, SIGKILL); /* what it has left behind */
  return status;
}

/* -- what a sweep rests on ---------------------------------------------------------------------------------------- */

/* FAULT_PROGRAM is what the program was when the sweep began. */
static gboolean
is_same_program (void)
{
  const char *wanted = g_getenv ("FAULT_PROGRAM"), *path = g_getenv ("TRACETOOL");
  GStatBuf facts;

  if (wanted == NULL)
    return TRUE;
  if (g_stat (path, &facts) != 0)
    return FALSE;
  g_autofree char *found = g_strdup_printf ("%" G_GUINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT,
                                            (guint64) facts.st_ino, (gint64) facts.st_size, (gint64) facts.st_mtime);
  return strcmp (found, wanted) == 0;
}

/* How a run without a fault ended that should have done well. Free it. */
static char *
describe_end (const Trial *self, int status)
{
  g_autoptr (GBytes) said = tree_read_file (self->err);
  gsize len = 0;
  const char *bytes = g_bytes_get_data (said, &len);
  g_autofree char *start = g_strndup (len > 0 ? bytes : "", MIN (len, MAX_WORDS));
  g_autofree char *words = g_utf8_make_valid (g_strstrip (start), -1);
  struct statvfs room = { 0 };
  GString *text = g_string_new (NULL);

  if (WIFSIGNALED (status))
    g_string_printf (text, "signal %d%s", WTERMSIG (status), WTERMSIG (status) == SIGALRM ? " (too slow)" : "");
  else
    g_string_printf (text, "exit status %d", WEXITSTATUS (status));
  g_string_append_printf (text, ", \"%s\"", g_strdelimit (words, "\n", ' '));
  if (!is_same_program ())
    g_string_append_printf (text, "; '%s' is no longer the program that it was", g_getenv ("TRACETOOL"));
  if (!g_file_test (self->temporary, G_FILE_TEST_IS_DIR))
    g_string_append_printf (text, "; '%s' is gone", self->temporary);
  if (statvfs (self->root, &room) == 0)
    g_string_append_printf (text, "; %" G_GUINT64_FORMAT " MB and %" G_GUINT64_FORMAT " files fit into '%s'",
                            (guint64) room.f_bavail * room.f_frsize / 1000000, (guint64) room.f_favail, self->root);
  return g_string_free (text, FALSE);
}

/* "!COMMAND" is for the shell, anything else for tracetool. */
static char **
split_words (const char *text, GError **error)
{
  gboolean is_shell = *text == '!';
  g_autoptr (GString) command = g_string_new (is_shell ? text + 1 : text);
  const char *program = g_getenv ("PI_PROGRAM");
  char **words = NULL;

  g_string_replace (command, "$DATA", g_getenv ("TRACETOOL_DATA"), 0);
  g_string_replace (command, "$PROGRAM", program == NULL ? "no-such-program" : program, 0);
  if (is_shell)
    {
      const char *const shell[] = { "sh", "-c", command->str, NULL };
      return g_strdupv ((char **) shell);
    }
  g_string_prepend (command, "tracetool ");
  return g_shell_parse_argv (command->str, NULL, &words, error) ? words : NULL;
}

static gboolean
run_setup (const Trial *self, const char *setup, GError **error)
{
  g_auto (GStrv) commands = g_strsplit (setup, ";", -1);

  for (char **command = commands; *command != NULL; command++)
    if (*g_strstrip (*command) != '\0')
      {
        g_auto (GStrv) words = split_words (*command, error);

        if (words == NULL)
          return FALSE;
        int status = run_words (self, words, NULL);
        if (status == 0)
          continue;
        g_autofree char *end = describe_end (self, status);
        g_set_error (error, G_SHELL_ERROR, G_SHELL_ERROR_FAILED, "setup fails: %s: %s", *command, end);
        return FALSE;
      }
  return TRUE;
}

/* -- databases ----------------------------------------------------------------------------------------------- */

/* The rows of the database in @bytes, with the log that belongs to it. */
static char *
dump_database (Trial *self, GHashTable *files, const char *path)
{
  g_autoptr (GString) dump = g_string_new (NULL);
  g_autofree char *folder = g_strdup (self->work), *copy = g_build_filename (self->root, "dump", NULL);

  g_free (self->work);
  self->work = g_strdup (copy);
  tree_restore (copy, files);
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      g_autofree char *sql = g_strconcat ("SELECT * FROM ", tables[i], NULL);
      char *words[] = { (char *) "tracetool", (char *) "--db", (char *) path, (char *) "query", sql,
                        (char *) "--format",  (char *) "csv",  NULL };
      int status = run_words (self, words, NULL);
      g_autoptr (GBytes) rows = tree_read_file (self->out);

      g_string_append_printf (dump, "%s %d\n", tables[i], status);
      g_string_append_len (dump, g_bytes_get_data (rows, NULL), (gssize) g_bytes_get_size (rows));
    }
  tree_remove (copy);
  g_free (self->work);
  self->work = g_strdup (folder);
  return g_string_free (g_steal_pointer (&dump), FALSE);
}

/* The dump of one of the two trees that stay, made once. */
static const char *
known_dump (Trial *self, GHashTable *files, const char *path)
{
  GHashTable *dumps = files == self->before ? self->dumps_before : self->dumps_after;
  char *dump = g_hash_table_lookup (dumps, path);

  if (dump == NULL)
    {
      dump = dump_database (self, files, path);
      g_hash_table_insert (dumps, g_strdup (path), dump);
    }
  return dump;
}

/* @known: `before` or `after`. */
static gboolean
same_database (Trial *self, GHashTable *files, GHashTable *known, const char *path)
{
  if (!g_hash_table_contains (known, path))
    return FALSE;
  g_autofree char *dump = dump_database (self, files, path);

  return strcmp (dump, known_dump (self, known, path)) == 0;
}

/* What SQLite plays back when the database is opened again. */
static gboolean
is_log (GHashTable *files, const char *path)
{
  static const char *const tails[] = { "-wal", "-shm", "-journal" };

  for (guint i = 0; i < G_N_ELEMENTS (tails); i++)
    if (g_str_has_suffix (path, tails[i]))
      {
        g_autofree char *database = g_strndup (path, strlen (path) - strlen (tails[i]));
        return g_hash_table_contains (files, database);
      }
  return FALSE;
}

/* -- what is left ---------------------------------------------------------------------------------------------- */

/* NULL: every file of @files is as in @wanted. */
static char *
compare_files (Trial *self, GHashTable *files, GHashTable *wanted)
{
  GHashTableIter iter;
  gpointer path, bytes;

  g_hash_table_iter_init (&iter, wanted);
  while (g_hash_table_iter_next (&iter, &path, &bytes))
    if (!g_hash_table_contains (files, path))
      return g_strdup_printf ("%s is missing", (char *) path);
  g_hash_table_iter_init (&iter, files);
  while (g_hash_table_iter_next (&iter, &path, &bytes))
    if (is_log (files, path))
      continue;
    else if (!g_hash_table_contains (wanted, path))
      return g_strdup_printf ("%s is left", (char *) path);
    else if (!self->by_names && !tree_same_bytes (bytes, g_hash_table_lookup (wanted, path)) &&
             !(g_str_has_suffix (path, ".db") && same_database (self, files, wanted, path)))
      return g_strdup_printf ("%s is another", (char *) path);
  return NULL;
}

/* After an error: each file as it was, or new and whole. What @may_stay: a program that was killed, or that cannot remove
 * files, may leave some that are new. */
static char *
check_left (Trial *self, GHashTable *files, gboolean may_stay)
{
  GHashTableIter iter;
  gpointer path, bytes;

  if (self->by_names && tree_has (files, ".replaced-"))
    return NULL; /* the old recording stays beside the new one, and the message says so */
  g_hash_table_iter_init (&iter, self->before);
  while (g_hash_table_iter_next (&iter, &path, &bytes))
    if (!g_hash_table_contains (files, path) && g_hash_table_contains (self->after, path))
      return g_strdup_printf ("%s is gone", (char *) path);

  g_hash_table_iter_init (&iter, files);
  while (g_hash_table_iter_next (&iter, &path, &bytes))
    {
      gboolean was_there = g_hash_table_contains (self->before, path),
               comes = g_hash_table_contains (self->after, path);

      if (self->by_names && (was_there || comes))
        continue;
      if (is_log (files, path))
        continue;
      if (!was_there && may_stay)
        continue;
      if (!was_there && !comes)
        {
          if (g_str_has_suffix (path, ".svg.dot"))
            continue; /* the graph stays for another try, and the message says so */
          return g_strdup_printf ("%s is left", (char *) path);
        }
      if ((was_there && tree_same_bytes (bytes, g_hash_table_lookup (self->before, path))) ||
          (comes && tree_same_bytes (bytes, g_hash_table_lookup (self->after, path))))
        continue;
      if (g_str_has_suffix (path, ".db") &&
          (same_database (self, files, self->before, path) || same_database (self, files, self->after, path)))
        continue;
      return g_strdup_printf ("%s is neither the old one nor the new one", (char *) path);
    }
  return NULL;
}

static gboolean
is_empty (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);

  return dir != NULL && g_dir_read_name (dir) == NULL;
}

static char *
check_end (Trial *self, const Fault *fault, int status)
{
  gboolean may_abort = strcmp (fault->call, "malloc") == 0;
  g_autoptr (GHashTable) files = tree_read (self->work);
  g_autoptr (GBytes) answer = tree_read_file (self->out);
  g_autoptr (GBytes) said = tree_read_file (self->err);

  if (WIFSIGNALED (status) && WTERMSIG (status) == SIGALRM)
    return g_strdup ("hangs");
  /* GLib ends the program where there is no memory, after a word. */
  if (WIFSIGNALED (status) && !(may_abort && (WTERMSIG (status) == SIGTRAP || WTERMSIG (status) == SIGABRT)))
    return g_strdup_printf ("ends by signal %d", WTERMSIG (status));
  if (status == 0)
    {
      if (!g_bytes_equal (answer, self->answer))
        return g_strdup ("answers otherwise, and exits with 0");
      return compare_files (self, files, self->after);
    }
  if (g_bytes_get_size (said) == 0)
    return g_strdup ("fails without a word");
  if (WIFEXITED (status) && WEXITSTATUS (status) == NOT_ALL)
    return g_strdup ("leaves out a part of the input, which is whole");
  gboolean may_stay = WIFSIGNALED (status) || strcmp (fault->call, "unlink") == 0;
  if (!may_stay && !is_empty (self->temporary))
    return g_strdup ("leaves temporary files");
  return check_left (self, files, may_stay);
}

/* -- trials ---------------------------------------------------------------------------------------------------- */

Trial *
trial_new (const char *root, const char *setup, const char *command, gboolean by_names, GError **error)
{
  g_autoptr (Trial) self = g_new0 (Trial, 1);

  self->root = g_strdup (root);
  self->work = g_build_filename (root, "work", NULL);
  self->temporary = g_build_filename (root, "tmp", NULL);
  self->out = g_build_filename (root, "out", NULL);
  self->err = g_build_filename (root, "err", NULL);
  self->counter = g_build_filename (root, "counter", NULL);
  g_mkdir_with_parents (self->work, 0700);
  g_mkdir (self->temporary, 0700);
  self->by_names = by_names;
  self->dumps_before = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->dumps_after = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->command = split_words (command, error);
  if (self->command == NULL || !run_setup (self, setup, error))
    return NULL;
  self->before = tree_read (self->work);
  tree_restore (self->work, self->before);
  int status = run_words (self, self->command, NULL);
  self->after = tree_read (self->work);
  self->answer = tree_read_file (self->out);
  if (status == 0 && is_same_program ())
    return g_steal_pointer (&self);
  g_autofree char *end = describe_end (self, status);
  g_set_error (error, G_SHELL_ERROR, G_SHELL_ERROR_FAILED, "fails by itself: %s: %s", command, end);
  return NULL;
}

void
trial_free (Trial *self)
{
  if (self == NULL)
    return;
  tree_remove (self->root);
  g_clear_pointer (&self->before, g_hash_table_unref);
  g_clear_pointer (&self->after, g_hash_table_unref);
  g_clear_pointer (&self->dumps_before, g_hash_table_unref);
  g_clear_pointer (&self->dumps_after, g_hash_table_unref);
  g_clear_pointer (&self->answer, g_bytes_unref);
  g_strfreev (self->command);
  g_free (self->root);
  g_free (self->work);
  g_free (self->temporary);
  g_free (self->out);
  g_free (self->err);
  g_free (self->counter);
  g_free (self);
}

static int
run_anew (Trial *self, const Fault *fault)
{
  tree_restore (self->work, self->before);
  tree_remove (self->temporary);
  g_mkdir (self->temporary, 0700);
  return run_words (self, self->command, fault);
}

gint64
trial_count (Trial *self, const char *call)
{
  const Fault none = { .call = call };
  int status = run_anew (self, &none);
  g_autoptr (GBytes) bytes = tree_read_file (self->counter);
  gint64 n = 0;

  if (status != 0 || g_bytes_get_size (bytes) != sizeof n)
    return -1;
  memcpy (&n, g_bytes_get_data (bytes, NULL), sizeof n);
  return n;
}

char *
trial_recheck (Trial *self)
{
  int status = run_anew (self, NULL);
  g_autoptr (GHashTable) files = tree_read (self->work);

  if (status != 0 || !is_same_program ())
    return describe_end (self, status);
  return compare_files (self, files, self->after);
}

char *
trial_run (Trial *self, const Fault *fault)
{
  return check_end (self, fault, run_anew (self, fault));
}
