/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep [--most N] [--call KIND] COMMANDS.TXT NAME...: lets every call of the commands of these names fail, or at most N
 * of each kind, and prints a line of TAP for each command, without the plan. sweep COMMANDS.TXT lists the names.
 *
 * In the environment: TRACETOOL, TRACETOOL_DATA, FAULT_LIBRARY; FAULT_PROGRAM, "INODE SIZE TIME" of TRACETOOL when it all
 * began. A command that no longer runs without a fault says nothing about faults: the sweep ends at once, with 255, at
 * which xargs starts no other.
 */
#include "config.h"

#include "tests/faults/trial.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_GROUND 255

static const Fault kinds[] = {
  { "open", 0, FALSE, EMFILE },   { "read", 0, FALSE, EIO },      { "read", 0, TRUE, EIO },
  { "write", 0, FALSE, ENOSPC },  { "write", 0, TRUE, EIO },      { "sync", 0, FALSE, EIO },
  { "close", 0, FALSE, EIO },     { "rename", 0, FALSE, EIO },    { "stat", 0, FALSE, EIO },
  { "folder", 0, FALSE, EIO },    { "resize", 0, FALSE, ENOSPC }, { "mmap", 0, FALSE, ENOMEM },
  { "malloc", 0, FALSE, ENOMEM }, { "unlink", 0, FALSE, EIO },    { "start", 0, FALSE, EAGAIN },
  { "seek", 0, FALSE, EIO },      { "random", 0, FALSE, ENOSYS }, { "mode", 0, FALSE, EPERM },
};

static int most;
static char *only_call;

static void
check_ground (Trial *trial, const char *name)
{
  g_autofree char *why = trial_recheck (trial);

  if (why == NULL)
    return;
  printf ("# %s: no longer runs by itself, and the sweep ends: %s\nBail out! %s: the sweep has lost its ground\n", name,
          why, name);
  fflush (stdout);
  trial_free (trial);
  exit (NO_GROUND);
}

/* Evenly over all of them, or all. */
static guint
sweep_kind (Trial *trial, const char *name, const Fault *kind, guint *n_bad)
{
  gint64 n_calls = trial_count (trial, kind->call);
  gint64 n = most > 0 ? MIN (most, n_calls) : n_calls;

  if (n_calls < 0)
    {
      check_ground (trial, name);
      printf ("# %s: does not run with the library\n", name);
      ++*n_bad;
    }
  for (gint64 i = 0; i < n; i++)
    {
      Fault fault = *kind;

      fault.at = 1 + i * n_calls / n + (n < n_calls ? (gint64) (g_str_hash (name) % (guint64) (n_calls / n)) : 0);
      g_autofree char *bad = trial_run (trial, &fault);
      if (bad != NULL)
        {
          printf ("# %s: %s %" G_GINT64_FORMAT "%s of %" G_GINT64_FORMAT " fails: %s\n", name, fault.call, fault.at,
                  fault.all ? " and later" : "", n_calls, bad);
          ++*n_bad;
        }
    }
  fflush (stdout);
  return (guint) MAX (n, 0);
}

static gboolean
sweep_command (const char *name, const char *setup, const char *command)
{
  gboolean by_names = g_str_has_suffix (name, "~");
  g_autofree char *root = g_dir_make_tmp ("faults-XXXXXX", NULL);
  g_autoptr (GError) error = NULL;
  guint n_bad = 0, n_trials = 0;

  if (root == NULL)
    g_error ("no temporary folder in '%s': %s", g_get_tmp_dir (), g_strerror (errno));
  g_autoptr (Trial) trial = trial_new (root, setup, command, by_names, &error);
  if (trial == NULL)
    printf ("# %s\n", error->message);
  for (guint i = 0; trial != NULL && i < G_N_ELEMENTS (kinds); i++)
    if (only_call == NULL || strcmp (only_call, kinds[i].call) == 0)
      n_trials += sweep_kind (trial, name, &kinds[i], &n_bad);
  if (n_bad > 0)
    check_ground (trial, name);
  gboolean is_good = trial != NULL && n_bad == 0 && (n_trials > 0 || only_call != NULL);
  printf ("%s - %s: %u calls that fail, %u badly\n", is_good ? "ok" : "not ok", name, n_trials, n_bad);
  return is_good;
}

/* NAME | SETUP | COMMAND; NULL: no command. */
static char **
split_line (const char *line)
{
  char **parts = *line == '#' || *line == '\0' ? NULL : g_strsplit (line, "|", 3);

  for (guint i = 0; parts != NULL && parts[i] != NULL; i++)
    g_strstrip (parts[i]);
  if (parts == NULL || g_strv_length (parts) == 3)
    return parts;
  g_error ("no NAME | SETUP | COMMAND: %s", line);
}

int
main (int argc, char **argv)
{
  const GOptionEntry entries[] = {
    { "most", 0, 0, G_OPTION_ARG_INT, &most, "At most so many calls of each kind", "N" },
    { "call", 0, 0, G_OPTION_ARG_STRING, &only_call, "Only this kind", "KIND" },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("COMMANDS.TXT [NAME...]");
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  gboolean is_good = TRUE;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || argc < 2 ||
      !g_file_get_contents (argv[1], &text, NULL, &error))
    {
      fprintf (stderr, "sweep: %s\n", error == NULL ? "no file of commands" : error->message);
      return 2;
    }
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    {
      g_auto (GStrv) parts = split_line (*line);

      if (parts != NULL && argc == 2)
        printf ("%s\n", parts[0]);
      else if (parts != NULL && g_strv_contains ((const char *const *) argv + 2, parts[0]))
        is_good &= sweep_command (parts[0], parts[1], parts[2]);
    }
  return is_good ? 0 : 1;
}
